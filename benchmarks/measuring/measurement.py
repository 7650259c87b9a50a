"""One measurement: where its files are, what the system is asked, and its figures beside trivial answers."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchmarks.measuring import data_sets
from benchmarks.measuring import measured_system as system
from benchmarks.measuring.measured_system import Derived
from pincite.lab.scoring import typed_answers as typed
from pincite.lab.scoring.evaluation import CUTOFFS, Figure
from pincite.records.runfile import FoundPage, Record, write_lines
from pincite.settings import Settings, load
from pincite.types import Example

FOLDERS = {name: folder for name, (folder, _) in data_sets.LOADERS.items()} | {
    "robust": "robust_pdfs",
    "icdar2013": "parse_icdar2013",
    "sql": "sql",
    "beaver": "sql_schema_linking_beaver",
    **dict.fromkeys(("reports-seen", "reports-unseen", "near-misses-generated"), ""),
    **dict.fromkeys(("absent", "wordings", "grid", "oracle"), ""),
}
"""The folder of each set that needs data beside the project; "" for several of them."""


@dataclass(frozen=True, slots=True)
class Work:
    """One measurement: the set's name, the folder of all data, the folder to work in, how many questions to ask, and whether the
    model of the settings reads.
    """

    name: str
    data: Path
    folder: Path
    limit: int | None = None
    model: bool = False

    @property
    def source(self) -> Path:
        """The set's own folder."""
        return self.data / FOLDERS[self.name]

    @property
    def corpus(self) -> Path:
        """The indexed corpus."""
        return self.folder / "corpus"

    def out(self, what: str) -> Path:
        """Where a file of this measurement goes; a limited one, and one with a model, has its own."""
        read = f"{what}-model" if self.model else what
        return self.folder / (read if self.limit is None else f"{read}-{self.limit}")

    def settings(self, derived: Derived = "allow") -> Settings:
        """The settings that answer: those of this machine where a model is to read, else those that come with the package."""
        return replace(load(), derived=derived) if self.model else Settings(derived=derived)


@dataclass(frozen=True, slots=True)
class ReportedFigure:
    """A figure as it is reported: what it is of, and what a trivial answer gets."""

    figure: Figure
    of: str
    baseline: str


def loaded(work: Work) -> list[Example]:
    """The examples to ask, all or the first few."""
    return data_sets.load(work.name, work.data)[: work.limit]


def asked(work: Work, some: Sequence[Example], own: bool) -> Path:
    """The question file of a run held to each question's own documents, or open to all."""
    path = work.out("questions-own" if own else "questions-all").with_suffix(".jsonl")
    write_lines(path, [data_sets.question_row(example, own) for example in some])
    return path


def answered(
    work: Work, some: Sequence[Example], own: bool, derived: Derived = "allow"
) -> dict[str, Record]:
    """The answers to examples by id; `derived` says whether the set's rules let code compute one."""
    out = work.out("answers-own" if own else "answers-all")
    return system.answers(work.corpus, asked(work, some, own), out, work.settings(derived))


def found(work: Work, some: Sequence[Example], own: bool) -> dict[str, list[FoundPage]]:
    """The pages found for examples by id."""
    return system.hits(
        work.corpus, asked(work, some, own), work.out("hits-own" if own else "hits-all")
    )


def gold(example: Example) -> dict[str, Any]:
    """The gold row of an example."""
    row: dict[str, Any] = example.meta["gold"]
    return row


def readable(some: Sequence[Example]) -> list[Example]:
    """The examples whose answer stands in text or a table: those that need a picture are left out."""
    return [example for example in some if not gold(example).get("requires_visual")]


def judged(some: Sequence[Example]) -> list[Example]:
    """The readable examples and all that have no answer, with or without a picture."""
    return [
        example
        for example in some
        if not gold(example).get("requires_visual")
        or typed.answer_type(gold(example)) == "unanswerable"
    ]


def pairs(
    records: Mapping[str, Record], some: Sequence[Example]
) -> list[tuple[Record | None, dict[str, Any]]]:
    """Each example's record and gold row."""
    return [(records.get(example.id), gold(example)) for example in some]


def constant(some: Sequence[Example], value: Callable[[Example], Any]) -> dict[str, Record]:
    """The records of a system that answers without looking."""
    return {
        example.id: Record(example.id, value=value(example), refused=value(example) is None)
        for example in some
    }


def lines(
    of: str, ours: Sequence[Figure], *others: tuple[str, Sequence[Figure]]
) -> list[ReportedFigure]:
    """Figures beside the same figures of trivial answers."""
    by_name = [(label, {each.metric: each.value for each in theirs}) for label, theirs in others]
    made = []
    for each in ours:
        told = [
            f"{label} {number(values[each.metric])}"
            for label, values in by_name
            if each.metric in values
        ]
        made.append(ReportedFigure(each, of, "; ".join(told)))
    return made


def number(value: float) -> str:
    """A figure with three decimals, or two when it is a sum of points."""
    return "-" if math.isnan(value) else f"{value:.3f}" if abs(value) <= 1 else f"{value:.2f}"


def chance(size: int, wanted: Sequence[int], prefix: str) -> list[Figure]:
    """The expected hit rates of drawing from `size` things of which `wanted` (a number for each question) are right."""
    made = []
    for k in CUTOFFS:
        missed = [
            math.comb(size - each, k) / math.comb(size, k) if k <= size else 0.0 for each in wanted
        ]
        mean = 1 - sum(missed) / len(missed) if missed else float("nan")
        made.append(Figure(f"{prefix}Success@{k}", mean, len(wanted), mean, mean))
    return made
