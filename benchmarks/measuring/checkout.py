"""The checkout that is measured: its folder, its commit, and the data that lie beside it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def data_folder() -> Path:
    """The folder of all data sets."""
    return Path(os.environ.get("PINCITE_DATA") or ROOT.parent / "shared" / "data")


def commit() -> str:
    """The commit that is measured, marked when files differ from it."""

    def git(*words: str) -> str:
        done = subprocess.run(
            ["git", "-C", str(ROOT), *words], capture_output=True, text=True, check=False
        )
        return done.stdout.strip() if done.returncode == 0 else ""

    head = git("rev-parse", "--short", "HEAD")
    if not head:
        return "uncommitted"
    return f"{head}+changes" if git("status", "--porcelain") else head
