"""Pairs from concepts: things that documents are asked about, each in several wordings, with similar things that do not
answer.

`concepts/*.jsonl` were written for this purpose. A concept has `asks` (questions), `labels` and `values` (rows of a table),
`sentences` with the value in square brackets, and siblings of these that do not answer. {firm}, {year} and {value} are filled
in here, so that one concept yields many tables.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from example import Kind, Pair
from varied import TITLES, bare, name

from pincite.evidence.judge_input import CellPlace, SentencePlace

FOLDER = Path(__file__).parent / "concepts"
HEADERS = (
    "{}",
    "{}",
    "FY{}",
    "31 December {}",
    "Year ended {}",
    "{} (audited)",
    "Fiscal {}",
    "12 months {}",
)
PLAIN = ("Value", "Amount", "Total", "Result", "", "Figure", "Reported")
_MARKED = re.compile(r"\[([^\]]*)\]")

Concept = dict[str, Any]


def concepts(data: Path, chance: random.Random) -> Iterator[Pair]:
    """The pairs of all concepts; `data` is not needed."""
    known = [
        json.loads(line)
        for path in sorted(FOLDER.glob("*.jsonl"))
        for line in path.open(encoding="utf-8")
    ]
    for concept in known:
        others = chance.sample(known, 4)
        for ask in (*concept["asks"], *concept["asks"]):
            yield from _asked(
                concept, ask, [other for other in others if other is not concept], chance
            )


class Setting:
    """The firm and year of a document, which fill the placeholders."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.firm, self.other = name(chance), name(chance)
        self.year = chance.randint(2004, 2026)
        self.titled = chance.random() < 0.6
        self.header = chance.choice(HEADERS)
        self.title = chance.choice(TITLES)

    def filled(self, text: str, year: int = 0, firm: str = "", value: str = "") -> str:
        """`text` without placeholders."""
        said = firm or (self.firm if self.chance.random() < 0.5 else bare(self.firm))
        text = text.replace("{firm}", said).replace("{value}", value)
        return text.replace("{year}", str(year or self.year))

    def caption(self, firm: str = "") -> str:
        """The title of the document, or nothing."""
        return self.title.format(bare(firm or self.firm), self.year) if self.titled or firm else ""


def _asked(
    concept: Concept, ask: str, others: list[Concept], chance: random.Random
) -> Iterator[Pair]:
    setting = Setting(chance)
    question = setting.filled(ask)
    kind: Kind = concept["kind"]
    group = f"concept:{concept['id']}"

    def pair(place: CellPlace | SentencePlace, differs: str) -> Pair:
        return Pair(question, place, int(differs == "right"), kind, differs, group, "concepts")  # type: ignore[arg-type]

    dated = "{year}" in ask and chance.random() < 0.8
    if concept["labels"]:
        label = chance.choice(concept["labels"])
        value = chance.choice(concept["values"])
        right = _cell(
            setting, concept, label, value, setting.year if dated or chance.random() < 0.6 else 0
        )
        yield pair(right, "right")
        near = list(
            zip(
                concept["siblings"],
                _padded(concept["sibling_values"], concept["siblings"]),
                strict=True,
            )
        )
        for sibling, its in chance.sample(near, min(2, len(near))):
            yield pair(_cell(setting, concept, sibling, its, setting.year if dated else 0), "row")
        if dated:
            yield pair(
                _cell(setting, concept, label, value, setting.year + chance.choice((-2, -1, 1))),
                "year",
            )
        if "{firm}" in ask and chance.random() < 0.5 and bare(setting.firm) != bare(setting.other):
            yield pair(
                _cell(setting, concept, label, value, setting.year, setting.other), "entity"
            )
        elsewhere = [other for other in others if other["labels"]]
        if elsewhere and chance.random() < 0.4:
            other = elsewhere[0]
            yield pair(
                _cell(
                    setting,
                    other,
                    chance.choice(other["labels"]),
                    other["values"][0],
                    setting.year,
                ),
                "other",
            )
    if concept["sentences"]:
        yield pair(
            _stated(setting, chance.choice(concept["sentences"]), concept, setting.year), "right"
        )
        for sibling in chance.sample(
            concept["sibling_sentences"], min(2, len(concept["sibling_sentences"]))
        ):
            yield pair(_stated(setting, sibling, concept, setting.year), "sentence")
        dated_ones = [text for text in concept["sentences"] if "{year}" in text]
        if dated_ones and "{year}" in ask:
            other_year = setting.year + chance.choice((-2, -1, 1))
            yield pair(_stated(setting, chance.choice(dated_ones), concept, other_year), "year")
        if others and chance.random() < 0.3 and others[-1]["sentences"]:
            yield pair(
                _stated(setting, chance.choice(others[-1]["sentences"]), others[-1], setting.year),
                "other",
            )


def _padded(values: list[str], labels: list[str]) -> list[str]:
    return [*values, *values[:1] * len(labels)][: len(labels)] if values else [""] * len(labels)


def _cell(
    setting: Setting, concept: Concept, label: str, value: str, year: int, firm: str = ""
) -> CellPlace:
    """A cell of a table that holds the label among some of the concept's other rows."""
    chance = setting.chance
    header = setting.header.format(year) if year else chance.choice(PLAIN)
    if not year and chance.random() < 0.4:
        header = bare(firm or setting.firm)
    label = setting.filled(label, year, firm)
    beside = [
        f"{setting.header.format(year + step)}: {chance.choice(concept['values'])}"
        for step in (-1, 1)
        if year
    ]
    rows = zip(
        concept["siblings"], _padded(concept["sibling_values"], concept["siblings"]), strict=True
    )
    beside += [f"{setting.filled(row)}: {its}" for row, its in rows if row != label]
    if chance.random() < 0.3:
        beside = []
    chance.shuffle(beside)
    path = (label,)
    if chance.random() < 0.25:
        path = (
            chance.choice(
                ("Key figures", "Overview", "Summary", "Note 4", "Total", "Performance")
            ),
            label,
        )
    return CellPlace(
        path, (header,) if header else (), value, setting.caption(firm), tuple(beside[:4])
    )


def _stated(setting: Setting, text: str, concept: Concept, year: int) -> SentencePlace:
    """A sentence with its value marked, or left unmarked in one of three."""
    values = concept["values"] or ["12"]
    text = setting.filled(text, year, value=setting.chance.choice(values))
    found = _MARKED.search(text)
    heading = setting.caption()
    if not found:
        return SentencePlace(heading, text)
    plain = _MARKED.sub(lambda mark: mark[1], text)
    if setting.chance.random() < 0.3:
        return SentencePlace(heading, plain)
    start = found.start() - text[: found.start()].count("[") * 2
    return SentencePlace(heading, plain, start, start + len(found[1]))
