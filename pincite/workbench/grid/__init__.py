"""A table of entities by questions, filled from a corpus overnight and kept up to date."""

from pincite.workbench.grid.filled_cells import STATUSES, Filled, Grid, Moved, grid_to
from pincite.workbench.grid.filling import GridProgress, fill, load_grid, pending
from pincite.workbench.grid.grid_export import write_grid
from pincite.workbench.grid.grid_state import drop_grid, grids
from pincite.workbench.grid.spec import (
    GridColumn,
    GridRow,
    Spec,
    grid_id,
    question_set,
    question_sets,
    read_spec,
    spec_from,
    spec_to,
)

__all__ = [
    "STATUSES", "GridColumn", "Filled", "Grid", "Moved", "GridProgress", "GridRow", "Spec",
    "drop_grid", "fill", "grid_id", "grid_to", "grids", "load_grid", "pending",
    "question_set", "question_sets", "read_spec", "spec_from", "spec_to", "write_grid",
]  # fmt: skip
