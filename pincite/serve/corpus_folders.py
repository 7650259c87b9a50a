"""Corpora made, renamed and deleted, in the folder of those that are served."""

from __future__ import annotations

import asyncio
import re
import shutil
from pathlib import Path

from pincite.errors import UsageError
from pincite.serve.bench import Bench
from pincite.serve.corpora import NAME, Served, begin
from pincite.serve.door.problems import missing
from pincite.storage import address_of
from pincite.untrusted import is_name

SUFFIX = ".corpus"
"""What the folder of a corpus that may be deleted ends in: another one may hold more than the corpus."""


async def new_corpus(bench: Bench, name: str) -> Served:
    """Make a corpus of this name beside the first one that is a folder, answered as that is, and serve it. UsageError for a
    name that cannot be one or is taken, and where all corpora are in databases.
    """
    first = next((each for each in bench.corpora.values() if not address_of(each.folder)), None)
    if first is None:
        raise UsageError(
            "the corpora of this server are in a database: `pincite index --corpus ADDRESS` makes one there"
        )
    folder = _free(bench, first.folder, name)

    def made() -> Served:
        begin(folder, first.setup)
        return Served(name, folder, first.setup)

    bench.corpora[name] = await asyncio.to_thread(made)
    return bench.corpora[name]


async def rename_corpus(bench: Bench, name: str, new: str) -> Served:
    """Give a corpus and its folder another name. UsageError as for a new one, and where it is at work or in a database."""
    served = _idle(bench, name)
    folder = _free(bench, served.folder, new)

    def moved() -> Served:
        served.folder.resolve().rename(folder)
        return Served(new, folder, served.setup)

    bench.corpora[new] = await asyncio.to_thread(moved)
    _left(bench, name)
    bench.jobs.recall(bench.corpora[new])
    return bench.corpora[new]


async def delete_corpus(bench: Bench, name: str) -> None:
    """Delete a corpus with its folder. UsageError for the only one, where it is at work or in a database, and for a folder that
    may hold more.
    """
    folder = _idle(bench, name).folder.resolve()
    if len(bench.corpora) == 1:
        raise UsageError(f"{name} is the only corpus here: make another one first")
    if folder.suffix != SUFFIX:
        raise UsageError(
            f"the folder of {name} does not end in {SUFFIX} and may hold more than the corpus: delete it by hand"
        )
    _left(bench, name)
    await asyncio.to_thread(shutil.rmtree, folder)


def _idle(bench: Bench, name: str) -> Served:
    """A corpus in a folder in which no job is at work. Problem 404, UsageError."""
    served = bench.corpora.get(name)
    if served is None:
        raise missing(f"corpus {name[:80]!r}")
    if address_of(served.folder):
        raise UsageError(f"{name} is in a database, where its owner renames and deletes it")
    if not all(job.over for job in bench.jobs.of(name)):
        raise UsageError(f"a job is at work in {name}: stop it, or wait until it is done")
    return served


def _free(bench: Bench, beside: Path, name: str) -> Path:
    """The folder of a new name beside another one. UsageError for a name that cannot be one or is taken."""
    if not re.fullmatch(NAME, name) or not is_name(name):
        raise UsageError(
            f"a corpus is called by letters, digits, dots, - and _, up to 80 of them, not {name[:80]!r}"
        )
    folder = beside.resolve().parent / f"{name}{SUFFIX}"
    if name in bench.corpora or folder.exists():
        raise UsageError(f"there is a corpus or folder {name!r} already: choose another name")
    return folder


def _left(bench: Bench, name: str) -> None:
    """Serve a corpus no more."""
    del bench.corpora[name]
    bench.jobs.forget(name)
    bench.asking.forget(name)
