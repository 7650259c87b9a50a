"""Libraries that only some formats need."""

from __future__ import annotations

import importlib
from typing import Any

from pincite.errors import SourceError


def needed(module: str, name: str) -> Any:
    """A library that the file called `name` needs. Raises SourceError with the install line when it is missing."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise SourceError(
            f"{name} needs {module.partition('.')[0]} to be read, which is not installed: pip install 'pincite[office]', "
            "then index it again"
        ) from error
