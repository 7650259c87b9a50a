"""What this user agreed to on this machine, kept in their state folder, where nobody else's files are. Level 0."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

VARIABLE = "PINCITE_TRUST"
"""The environment variable that may hold the hash of what was agreed to, where no terminal can be asked on."""


def digest_of(*what: str) -> str:
    """The hash by which an agreement to just this is remembered."""
    return sha256("\0".join(what).encode()).hexdigest()[:32]


def agree(digest: str) -> None:
    """Remember an agreement; where nothing can be written it is asked for again next time."""
    path = _file(os.environ)
    if path is None or is_agreed(digest):
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with open(
            os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600), "a", encoding="utf-8"
        ) as file:
            file.write(digest + "\n")
    except OSError:
        pass


def is_agreed(digest: str) -> bool:
    """Whether the user has agreed to what has this hash."""
    path = _file(os.environ)
    try:
        return path is not None and digest in path.read_text(encoding="utf-8").split()
    except (OSError, UnicodeDecodeError):
        return False


def _file(environment: Mapping[str, str]) -> Path | None:
    """The file of what was agreed to; None for a user without a home."""
    try:
        home = Path.home()
    except RuntimeError:
        return None
    usual = {
        "darwin": home / "Library" / "Application Support",
        "win32": home / "AppData" / "Local",
    }
    given = Path(environment.get("XDG_STATE_HOME", ""))
    folder = given if given.is_absolute() else usual.get(sys.platform, home / ".local" / "state")
    return folder / "pincite" / "agreed"
