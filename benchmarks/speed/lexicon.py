"""Pages found for financebench without the lexicon entries that its own questions may have suggested.

    python benchmarks/speed/lexicon.py

Each company's questions are searched without the entries of data/lexicon.toml that only they use; entries that other
questions use stay. The same is printed with all entries and with none. `make measure SET=financebench` must have made the
corpus.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

from benchmarks.measuring import measured_system as system
from benchmarks.measuring.measurement import Work, asked, gold, loaded, readable
from pincite.lab.scoring import evaluation as scoring
from pincite.records.runfile import FoundPage
from pincite.search import expansion as expand
from pincite.types import Example

Entries = tuple[tuple[re.Pattern[str], str], ...]
_LEXICON = expand._lexicon


def main() -> None:
    """Print page figures for each choice of entries, in a company's own filing and over all."""
    root = Path(__file__).resolve().parents[2]
    data = Path(os.environ.get("PINCITE_DATA", root.parent / "shared" / "data"))
    work = Work("financebench", data, root / ".measure" / "financebench")
    some = readable(loaded(work))
    every = _LEXICON(expand._SHIPPED, "")
    called = {example.id: calls(every, example.query.text) for example in some}
    companies = sorted({company(example) for example in some})

    def of(those: Iterable[str]) -> frozenset[int]:
        return frozenset().union(
            *(called[example.id] for example in some if company(example) in those)
        )

    left_out: Mapping[str, Callable[[str], frozenset[int]]] = {
        "all entries": lambda name: frozenset(),
        "without those that its own questions alone call for": lambda name: (
            of([name]) - of(set(companies) - {name})
        ),
        "no entries": lambda name: frozenset(range(len(every))),
    }
    golds = {example.id: gold(example) for example in some}
    for own in (True, False):
        for choice, drop in left_out.items():
            hits: dict[str, list[FoundPage]] = {}
            for name in companies:
                mine = [example for example in some if company(example) == name]
                hits |= found(
                    work, mine, own, tuple(e for at, e in enumerate(every) if at not in drop(name))
                )
            for figure in scoring.retrieval_figures(hits, golds):
                print(
                    f"{'own filing' if own else 'all filings'}, {choice}: {figure.metric} {figure.value:.3f} of {figure.n}"
                )


def calls(entries: Entries, question: str) -> frozenset[int]:
    """The entries that a question uses, by position."""
    return frozenset(at for at, entry in enumerate(entries) if expand._written(question, (entry,)))


def company(example: Example) -> str:
    """The company whose filing a question is about, as the files are named."""
    return str(gold(example)["doc_ids"][0]).split("_")[0]


def found(
    work: Work, some: list[Example], own: bool, entries: Entries
) -> dict[str, list[FoundPage]]:
    """The pages found for questions with these entries of the lexicon."""

    def kept(shipped: Path, path: str) -> Entries:
        return entries if shipped == expand._SHIPPED else _LEXICON(shipped, path)

    with patch.object(expand, "_lexicon", kept), tempfile.TemporaryDirectory() as folder:
        kept_in = replace(work, folder=Path(folder))
        return system.hits(work.corpus, asked(kept_in, some, own), Path(folder) / "hits")


if __name__ == "__main__":
    main()
