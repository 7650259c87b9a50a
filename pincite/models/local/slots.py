"""The constant beginning of a prompt, read once: an engine keeps what it read last, and the state after a beginning is saved, so
that an engine that has just been started, or has read something else since, need not read it again.

All of this only saves time: whatever fails is left out, and the prompt is read as it is.
"""

from __future__ import annotations

import os
from contextlib import suppress
from hashlib import sha256
from http.client import HTTPException
from pathlib import Path
from typing import Any

from pincite.models.local.engine import Engine, private_folder
from pincite.storage.disk import write

LEAST = 400
"""Characters of a beginning that is worth a file."""
MOST = 512_000_000
"""Bytes of all saved states together: those that were used longest ago go first."""
READ_S = 60.0
"""Seconds that the reading of a beginning may take."""
_MARK = "\N{OBJECT REPLACEMENT CHARACTER}"


def prepare(engine: Engine, model: str, system: str) -> None:
    """Have the engine begin with what it has read of the rules `system`, from a saved state, or read and saved now.

    `model` tells files apart: a state is of one file, one version of the engine and one context.
    """
    key = sha256("\0".join((model, engine.version, str(engine.context), system)).encode()).hexdigest()[:32]  # fmt: skip
    last = private_folder("engines") / f"{engine.pid}.last"
    if len(system) < LEAST or _text_of(last) == key:
        return
    file = private_folder("slots") / f"{key}.bin"
    with suppress(OSError, HTTPException, ValueError, KeyError, TypeError):
        # fails where it is at work for another process: the prompt waits by itself
        engine.call("/slots?fail_on_no_slot=1")
        if not _restore(engine, file):
            _save(engine, system, file)
        write(last, key)
        _forget_oldest(file.parent)


def _restore(engine: Engine, file: Path) -> bool:
    """Whether the engine has taken a saved state; one that it does not take goes."""
    try:
        os.utime(file)
        engine.call("/slots/0?action=restore", {"filename": file.name})
    except FileNotFoundError:
        return False
    except ValueError:
        file.unlink(missing_ok=True)
        return False
    return True


def _save(engine: Engine, system: str, file: Path) -> None:
    """Have the engine read the rules alone, as they stand in every prompt, and save its state after them."""
    messages = [{"role": "system", "content": system}, {"role": "user", "content": _MARK}]
    told: Any = engine.call("/apply-template", {"messages": messages})
    beginning = told["prompt"].partition(_MARK)[0]
    engine.call("/completion", {"prompt": beginning, "n_predict": 0, "cache_prompt": True}, READ_S)
    half = f"{file.stem}.half"
    engine.call("/slots/0?action=save", {"filename": half})
    os.replace(file.with_name(half), file)


def _forget_oldest(folder: Path) -> None:
    """Delete the states that were used longest ago, as far as all of them are too large."""
    kept = 0
    for file in sorted(folder.iterdir(), key=lambda one: one.stat().st_mtime, reverse=True):
        kept += file.stat().st_size
        if kept > MOST:
            file.unlink(missing_ok=True)


def _text_of(path: Path) -> str:
    try:
        return path.read_text("ascii")
    except (OSError, UnicodeDecodeError):
        return ""
