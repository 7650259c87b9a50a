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
    from pincite.library import Library, index
    from pincite.library import Library as open
    from pincite.settings import Settings
    from pincite.types import Answer, Query

__version__ = "0.1.0"
__all__ = ["Answer", "Library", "Query", "Settings", "index", "open"]

_HOMES = {
    "Answer": ("types", "Answer"),
    "Library": ("library", "Library"),
    "Query": ("types", "Query"),
    "Settings": ("settings", "Settings"),
    "index": ("library", "index"),
    "open": ("library", "Library"),
}

if os.environ.get(
    "PINCITE_OFFLINE"
):  # of a process that was started under --offline, whichever of our modules it runs
    from pincite.offline import forbid

    forbid()


def __getattr__(name: str) -> Any:
    """Import what is asked for only then: `import pincite` costs nothing."""
    from importlib import import_module

    if name not in _HOMES:
        raise AttributeError(f"module 'pincite' has no attribute {name!r}")
    module, attribute = _HOMES[name]
    return getattr(import_module(f"pincite.{module}"), attribute)
