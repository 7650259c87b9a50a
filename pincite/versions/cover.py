"""What the first pages of a document say of which edition it is, and whose names its text holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pincite.lexicon import pattern
from pincite.versions.edition_marks import (
    Key,
    Mark,
    dates_in,
    designation,
    designations,
    labelled,
    marks_of_title,
)

START = 3000
"""Characters from the start of a document that are its cover."""
BODY = 20_000
"""Characters whose names are counted."""
NAMES = 12
"""Names that are kept of a text."""
SHORT, SHORTEST = 60, 40
"""The most characters of a line that holds nothing but a mark, and of one that holds nothing but a standard's number."""


@dataclass(frozen=True, slots=True)
class Cover:
    """What a cover tells: marks that stand alone on a line, the standard it is, the date of issue, what it replaces.

    `replaces` are (key, year) of standards and titles; `names` the words that are written as names in the running text.
    """

    marks: tuple[Mark, ...] = ()
    standard: Key = ()
    year: int = 0
    date: tuple[int, ...] = ()
    replaces: tuple[tuple[Key, int], ...] = ()
    names: tuple[str, ...] = ()


def read_cover(pages: Sequence[str]) -> Cover:
    """Read the cover off the texts of a document's pages, lines kept apart."""
    lines = [" ".join(line.split()) for line in "\n".join(pages[:2])[:START].splitlines()]
    standard, year = next(filter(None, map(_standard_alone, lines)), ((), 0))
    return Cover(_marks(lines), standard, year, _issued(lines), _replaced(lines), _names(pages))


def _marks(lines: Iterable[str]) -> tuple[Mark, ...]:
    """The first mark of each kind that stands alone on a line."""
    marks: dict[str, Mark] = {}
    for line in lines:
        if len(line) <= SHORT:
            for mark in labelled(line):
                marks.setdefault(mark.kind, mark)
    return tuple(marks.values())


def _standard_alone(line: str) -> tuple[Key, int] | None:
    """The standard that a line names and nothing else but who publishes it ("SVENSK STANDARD SS-EN 1090-2:2018")."""
    found = designations(line) if len(line) <= SHORTEST else []
    if len(found) != 1:
        return None
    key, when = found[0]
    rest = pattern("versions", "amendment of a standard").sub(" ", line.replace(when.text, " "))
    alone = not pattern("versions", "other text").search(rest) or designation(line) == key
    return (key, when.order[0]) if alone else None


def _issued(lines: Iterable[str]) -> tuple[int, ...]:
    """The first date of issue."""
    for line in lines:
        issued = pattern("versions", "issued").match(line)
        if issued and (dates := dates_in(issued["rest"])):
            return dates[0]
    return ()


def _replaced(lines: Iterable[str]) -> tuple[tuple[Key, int], ...]:
    """What the lines say that the document replaces, each once."""
    older = filter(None, map(pattern("versions", "replaces").search, lines))
    return tuple(dict.fromkeys(replaced for match in older for replaced in _named(match["rest"])))


def _named(text: str) -> list[tuple[Key, int]]:
    """What a text says it replaces: standards with their year, else a title as it goes on to its first stop."""
    standards = [(key, when.order[0]) for key, when in designations(text)]
    if standards:
        return standards
    key, marks = marks_of_title(pattern("versions", "end of a title").split(text.strip(" :"))[0])
    years = [mark.order[0] for mark in marks if mark.kind == "when"]
    return [(key, years[0] if years else 0)] if len(key) > 1 else []


def _names(pages: Sequence[str]) -> tuple[str, ...]:
    """The words that the text writes as names more than once, the most frequent first."""
    text = " ".join(" ".join(pages)[:BODY].split())
    names = Counter(pattern("versions", "name").findall(text))
    return tuple(name.casefold() for name, count in names.most_common(NAMES) if count > 1)


def cover_to(cover: Cover) -> dict[str, Any]:
    """A cover as JSON."""
    return {
        "marks": [[mark.kind, list(mark.order), mark.text] for mark in cover.marks],
        "standard": list(cover.standard), "year": cover.year, "date": list(cover.date),
        "replaces": [[list(key), year] for key, year in cover.replaces], "names": list(cover.names),
    }  # fmt: skip


def cover_from(given: Mapping[str, Any]) -> Cover:
    """What `cover_to` made."""
    return Cover(
        tuple(Mark(kind, tuple(order), text) for kind, order, text in given["marks"]),
        tuple(given["standard"]), given["year"], tuple(given["date"]),
        tuple((tuple(key), year) for key, year in given["replaces"]), tuple(given["names"]),
    )  # fmt: skip
