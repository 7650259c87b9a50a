"""Views of documents and the indexes over them."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any


class _Room(ModuleType):
    """This room has the name of the function `pincite.index`, in whose place it stands once it is imported: so it is called."""

    def __call__(self, *given: Any, **more: Any) -> Any:
        return sys.modules["pincite"].__getattr__("index")(*given, **more)


sys.modules[__name__].__class__ = _Room
