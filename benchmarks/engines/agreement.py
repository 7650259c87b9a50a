"""The pages that an engine finds against those of the embedded index, over the questions of six development sets.

PINCITE_DATA=DATA python -m benchmarks.engines.agreement CORPUS ADDRESS [--every N]    ADDRESS as in the setting `search`

CORPUS is a folder that is indexed for the default recipe (contexts of TAT-QA: `--tatqa FOLDER` writes them as files). It is
copied, and the copy is moved to the engine; nothing is parsed or encoded again. Both sides answer each question in turn.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.engines.dev_questions import DevQuestion, questions, write_tatqa
from pincite.indexing import ensure
from pincite.library import Library, default_shelves
from pincite.settings import Settings
from pincite.types import Query, Ranking

FIRST = 10
HIT = 5
Page = tuple[str, int]


def pages(library: Library, ranking: Ranking) -> list[Page]:
    """The pages of a ranking, each once, best first."""
    nodes = [hit.node for hit in ranking.hits]
    places = library.corpus.places(nodes)
    return list(dict.fromkeys(places[node] for node in nodes if node in places))


def names(library: Library, found: Sequence[Page]) -> list[Page]:
    known = library.corpus.by_version
    return [(Path(known[version].id).stem, page) for version, page in found]


def is_hit(question: DevQuestion, found: Sequence[Page]) -> bool:
    """Whether one of the first pages holds the answer."""
    first = set(found[:HIT]) | {(document, 0) for document, _ in found[:HIT]}
    return bool(first & question.gold)


def sides(corpus: Path, copy: Path, address: str) -> tuple[Library, Library]:
    """The embedded corpus, and its copy in the engine."""
    shutil.copytree(corpus, copy)
    os.environ["PINCITE_SEARCH"] = address
    started = time.perf_counter()
    _, encoded = ensure(copy, default_shelves(copy))
    print(f"moved to the engine in {time.perf_counter() - started:.1f} s, {encoded} texts encoded")
    os.environ["PINCITE_SEARCH"] = ""
    return Library(corpus, Settings()), Library(copy, Settings(search=address))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpus", type=Path)
    parser.add_argument("address", nargs="?", default="")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--tatqa", type=Path)
    given = parser.parse_args()
    data = Path(os.environ["PINCITE_DATA"])
    if given.tatqa:
        write_tatqa(data, given.tatqa)
        return
    asked = questions(data)[:: given.every]
    with tempfile.TemporaryDirectory() as temporary:
        here, there = sides(given.corpus, Path(temporary) / "corpus", given.address)
        shared, first, lost, won, counted = [], [], 0, 0, 0
        seconds: dict[str, list[float]] = {"embedded": [], "engine": []}
        for question in asked:
            query = Query(question.text)
            found = {}
            for name, library in (("embedded", here), ("engine", there)):
                started = time.perf_counter()
                ranking = library.pipeline.find.run(query)
                seconds[name].append(time.perf_counter() - started)
                found[name] = pages(library, ranking)
            ours, theirs = (set(found[name][:FIRST]) for name in ("engine", "embedded"))
            shared.append(len(ours & theirs) / max(len(theirs), 1))
            first.append(found["engine"][:1] == found["embedded"][:1])
            if question.gold:
                counted += 1
                mine, known = (
                    is_hit(question, names(here, found[name])) for name in ("engine", "embedded")
                )
                lost, won = lost + (known and not mine), won + (mine and not known)
    print(
        f"{len(asked)} questions, {len(here.corpus.documents)} documents; {given.address.split(':')[0]}"
    )
    print(
        f"first {FIRST} pages shared {statistics.mean(shared):.4f}, first page the same {statistics.mean(first):.4f}"
    )
    print(f"hit@{HIT}: lost {lost}, won {won} of {counted}")
    for name, times in seconds.items():
        ordered = sorted(times)
        print(
            f"{name}: p50 {ordered[len(ordered) // 2] * 1e3:.0f} ms, p95 {ordered[len(ordered) * 95 // 100] * 1e3:.0f} ms"
        )


if __name__ == "__main__":
    main()
