"""Pincite: typed, checked, cited answers from a folder of reports.

`index` files into a corpus, `open` it, ask:

    import pincite
    pincite.index("reports", "reports.corpus")
    answer = pincite.open("reports.corpus").ask("What was net revenue in 2023?")
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pincite.lab.experiments.finished_runs import read_run_folder as read_run
    from pincite.records.cited_answer import CitedAnswer, CitedAnswers
    from pincite.settings import Settings
    from pincite.types import Answer, Query
    from pincite.workbench.grid import fill as fill_grid
    from pincite.workbench.grid import read_spec as read_grid
    from pincite.workbench.library import Library, index
    from pincite.workbench.library import Library as open

__version__ = "0.1.0"
__all__ = [
    "Answer", "CitedAnswer", "CitedAnswers", "Library", "Query", "Settings", "fill_grid", "index", "open", "read_grid",
    "read_run",
]  # fmt: skip

_HOMES = {
    "Answer": ("types", "Answer"),
    "CitedAnswer": ("records.cited_answer", "CitedAnswer"),
    "CitedAnswers": ("records.cited_answer", "CitedAnswers"),
    "Library": ("workbench.library", "Library"),
    "Query": ("types", "Query"),
    "Settings": ("settings", "Settings"),
    "fill_grid": ("workbench.grid", "fill"),
    "index": ("workbench.library", "index"),
    "open": ("workbench.library", "Library"),
    "read_grid": ("workbench.grid", "read_spec"),
    "read_run": ("lab.experiments.finished_runs", "read_run_folder"),
}

if os.environ.get(
    "PINCITE_OFFLINE"
):  # of a process that was started under --offline, whichever of our modules it runs
    from pincite.processes.offline import forbid

    forbid()


def __getattr__(name: str) -> Any:
    """Import what is asked for only then: `import pincite` costs nothing."""
    from importlib import import_module

    if name not in _HOMES:
        raise AttributeError(f"module 'pincite' has no attribute {name!r}")
    module, attribute = _HOMES[name]
    return getattr(import_module(f"pincite.{module}"), attribute)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
