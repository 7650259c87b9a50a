"""A table of entities by questions, filled from a corpus overnight and kept up to date."""

from pincite.grid.cells import STATUSES, Filled, Grid, Moved, Status, cell_to, grid_to
from pincite.grid.export import write_grid
from pincite.grid.run import Progress, fill, load_grid, pending
from pincite.grid.spec import Column, Row, Spec, grid_id, read_spec, spec_from, spec_to
from pincite.grid.state import Listed, drop_grid, grids

__all__ = [
    "STATUSES", "Column", "Filled", "Grid", "Listed", "Moved", "Progress", "Row", "Spec", "Status", "cell_to", "drop_grid",
    "fill", "grid_id", "grid_to", "grids", "load_grid", "pending", "read_spec", "spec_from", "spec_to", "write_grid",
]  # fmt: skip
