"""The folder of a run: `run.json` with what ran and what it took, and a line a question of what was found, said and wanted."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Mapping, Sequence
from functools import reduce
from pathlib import Path
from typing import Any

from pincite.disk import write
from pincite.ledger import Ledger, Spend
from pincite.models.kit import LEDGER
from pincite.records.runfile import write_lines

RUN = "run.json"


def write_run(
    folder: Path,
    rows: Sequence[Mapping[str, Any]],
    golds: Sequence[Mapping[str, Any]],
    told: Mapping[str, Any],
) -> None:
    """Write a run's folder; it takes its place when all of it is there."""
    half = folder.with_name(f".{folder.name}.half")
    shutil.rmtree(half, ignore_errors=True)
    half.mkdir(parents=True)
    write_lines(half / "golds.jsonl", golds)
    found = ("id", "hits", "chunks")
    write_lines(
        half / "hits.jsonl", [{name: row[name] for name in found if name in row} for row in rows]
    )
    if told["answers"]:
        write_lines(half / "answers.jsonl", [row["answer"] for row in rows])
    write_lines(half / "times.jsonl", [row["times"] for row in rows])
    write(half / RUN, written(told))
    shutil.rmtree(folder, ignore_errors=True)
    half.rename(folder)


def is_whole(folder: Path, identity: str, anew: Mapping[str, Any]) -> bool:
    """Whether a folder holds this run already; what run.json is to say `anew` of comparing is written where it differs."""
    try:
        told = json.loads((folder / RUN).read_text(encoding="utf-8"))
        whole = bool(told["identity"] == identity)
    except (OSError, ValueError, KeyError):
        return False
    if whole and any(told.get(name) != value for name, value in anew.items()):
        write(folder / RUN, written({**told, **anew}))
    return whole


def written(value: Any) -> str:
    """JSON as it stands in a file of runs."""
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def offline(folder: Path) -> Spend:
    """What models took offline for a corpus."""
    if not (folder / LEDGER).is_file():
        return Spend()
    return reduce(
        Spend.__add__,
        (spend for spend in Ledger(folder / LEDGER).rows("offline") if spend.offline),
        Spend(),
    )


def sizes(folders: Sequence[Path]) -> dict[str, int]:
    """The entries and bytes of index folders together."""
    import numpy as np

    return {
        "entries": sum(len(np.load(folder / "nodes.npy", mmap_mode="r")) for folder in folders),
        "index_bytes": sum(
            path.stat().st_size
            for folder in folders
            for path in folder.rglob("*")
            if path.is_file()
        ),
    }


def digest(value: Any) -> str:
    """The hash of what JSON can hold."""
    return hashlib.blake2b(
        json.dumps(value, sort_keys=True, default=str).encode(), digest_size=12
    ).hexdigest()


def sha256(path: Path) -> str:
    """The hash of a question file, or of those files that lie directly in a folder of questions."""
    files = (
        sorted(member for member in path.iterdir() if member.suffix in (".jsonl", ".csv"))
        if path.is_dir()
        else [path]
    )
    hashed = hashlib.sha256()
    for file in files:
        hashed.update(file.read_bytes())
    return hashed.hexdigest()


def plain(value: Any) -> Any:
    """A parameter as JSON holds it."""
    if isinstance(value, Mapping):
        return {str(name): plain(part) for name, part in value.items()}
    return [plain(part) for part in value] if isinstance(value, tuple) else value
