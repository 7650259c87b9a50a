"""What a made file shows a reader, cell by cell, and what no reader of it sees."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

WORDING = tomllib.loads(Path(__file__).with_name("wording.toml").read_text(encoding="utf-8"))
MARKS = {"en": (",", "."), "de": (".", ","), "sv": (" ", ","), "fr": (" ", ",")}
"""What parts thousands and decimals."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A value that a reader sees beside its labels. `column` is "" in running text and in forms.

    `number` is what is printed, without `scale`; None for words. `file` names the file of several.
    """

    row: str
    column: str
    text: str
    number: Decimal | None = None
    unit: str = ""
    scale: int = 1
    file: str = ""


@dataclass(frozen=True, slots=True)
class Case:
    """Files by name, what they show, texts that must `never` be read, and (row, text) that are `wrong` together.

    `honest` says that nothing about the file is out of order.
    """

    files: Mapping[str, bytes]
    shown: list[Shown]
    never: list[str]
    wrong: tuple[tuple[str, str], ...] = ()
    honest: bool = False


def opened(kind: str, seed: int) -> tuple[Random, str, Any]:
    """What the files of a seed are made with: chance, a language, the wording of the kind."""
    language = tuple(MARKS)[seed // 2 % len(MARKS)]
    return Random(f"{kind} {seed}"), language, WORDING[kind][language]


def printed(number: Decimal, language: str, space: str = " ") -> str:
    """A number as this language prints it, with `space` where thousands are parted by one."""
    thousands, point = MARKS[language]
    parts = {",": space if thousands == " " else thousands, ".": point}
    return "".join(parts.get(letter, letter) for letter in f"{number:,}")


def amounts(rng: Random, count: int, decimals: int, most: int = 400_000) -> list[Decimal]:
    """Different numbers of three digits and more before the decimals."""
    one = 10**decimals
    return [Decimal(n).scaleb(-decimals) for n in rng.sample(range(100 * one, most * one), count)]


class Topic(NamedTuple):
    """What a table is about: its unit as printed and as Pincite names it, its rows and their total."""

    title: str
    printed: str
    unit: str
    scale: int
    items: tuple[str, ...]
    total: str


class Statement(NamedTuple):
    """A table of a topic over years; its last row is the total."""

    language: str
    topic: Topic
    columns: list[str]
    rows: list[tuple[str, tuple[Decimal, ...]]]

    def texts(self) -> list[list[str]]:
        """The table as it is printed, with the unit over the labels."""
        body = [[row, *(printed(one, self.language) for one in each)] for row, each in self.rows]
        return [[self.topic.printed, *self.columns], *body]

    def shown(self, file: str = "") -> list[Shown]:
        unit = self.topic.unit, self.topic.scale, file
        return [
            Shown(row, column, printed(one, self.language), one, *unit)
            for row, numbers in self.rows
            for column, one in zip(self.columns, numbers, strict=True)
        ]


def statements(rng: Random, language: str, pages: int = 0) -> list[Statement]:
    """A statement for each page, of which there are one or two if nothing else is said."""
    topics = [Topic(*one) for one in WORDING["topics"][language]]
    made = []
    for topic in rng.sample(topics, pages or rng.choice((1, 2))):
        years, last = rng.choice((2, 2, 3)), rng.randint(2012, 2024)
        numbers = amounts(rng, len(topic.items) * years, rng.choice((0, 0, 1)))
        each = [tuple(numbers[at :: len(topic.items)]) for at in range(len(topic.items))]
        total = tuple(Decimal(sum(column)) for column in zip(*each, strict=True))
        columns = [str(last - back) for back in range(years)]
        rows = [*zip(topic.items, each, strict=True), (topic.total, total)]
        made.append(Statement(language, topic, columns, rows))
    return made
