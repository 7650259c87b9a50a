"""A new, empty corpus beside those that are served."""

from __future__ import annotations

import asyncio
import re

from pincite.corpus.writer import writing
from pincite.errors import UsageError
from pincite.indexing.publishing import publish
from pincite.serve.bench import Bench
from pincite.serve.corpora import NAME, Served
from pincite.storage import address_of
from pincite.untrusted import is_name


async def new_corpus(bench: Bench, name: str) -> Served:
    """Make a corpus of this name beside the first one that is a folder, answered as that is, and serve it. UsageError for a
    name that cannot be one or is taken, and where all corpora are in databases.
    """
    first = next((each for each in bench.corpora.values() if not address_of(each.folder)), None)
    if first is None:
        raise UsageError(
            "the corpora of this server are in a database: `pincite index --corpus ADDRESS` makes one there"
        )
    if not re.fullmatch(NAME, name) or not is_name(name):
        raise UsageError(
            f"a corpus is called by letters, digits, dots, - and _, up to 80 of them, not {name[:80]!r}"
        )
    folder = first.folder.resolve().parent / f"{name}.corpus"
    if name in bench.corpora or folder.exists():
        raise UsageError(f"there is a corpus or folder {name!r} already: choose another name")

    def made() -> Served:
        with writing(folder) as writer:
            publish(writer, first.setup.shelves(folder))
        return Served(name, folder, first.setup)

    bench.corpora[name] = await asyncio.to_thread(made)
    return bench.corpora[name]
