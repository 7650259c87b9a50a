"""What the first pages of a document say of which edition it is, and whose names its text holds."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pincite.versions.edition_marks import Key, Mark, dates_in, designation, designations, labelled, marks_of_title

START = 3000
"""Characters from the start of a document that are its cover."""
BODY = 20_000
"""Characters whose names are counted."""
NAMES = 12
_ISSUED = re.compile(
    r"\b(?:date\s+of\s+(?:issue|publication)|(?:issue|publication|release|revision|effective)\s+date|issued|published|released|"
    r"effective|valid\s+from|in\s+force\s+from|last\s+(?:updated|revised)|ausgabedatum|stand|gültig\s+ab|datum|fastställd|"
    r"giltig\s+från|utgivningsdatum|date)\s*(?:on\s+|[:.]\s*)?(?P<rest>.{4,40})",
    re.IGNORECASE,
)
_REPLACES = re.compile(
    r"\b(?:supersed(?:es|ing)|replac(?:es|ing)|ersätter|ersetzt|ersatz\s+für|remplace|instead\s+of\s+the\s+withdrawn)\b(?P<rest>[^\n]{3,160})",
    re.IGNORECASE,
)
_NAME = re.compile(r"(?<=[a-z,;] )([A-Z][a-z]{2,}\w*|[A-Z]{2,}[a-z]?\w*)")


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
    top = "\n".join(pages[:2])[:START]
    lines = [" ".join(line.split()) for line in top.splitlines()]
    marks: dict[str, Mark] = {}
    standard: Key = ()
    year = 0
    date: tuple[int, ...] = ()
    replaces: list[tuple[Key, int]] = []
    for line in lines:
        if len(line) <= 60:
            for mark in labelled(line):
                marks.setdefault(mark.kind, mark)
        if not standard and len(line) <= 40 and (own := _standard_alone(line)):
            standard, year = own
        if not date and (issued := _ISSUED.match(line)) and (found := dates_in(issued["rest"])):
            date = found[0]
        if older := _REPLACES.search(line):
            replaces += _named(older["rest"])
    names = Counter(_NAME.findall(" ".join(" ".join(pages)[:BODY].split())))
    telling = tuple(name.casefold() for name, count in names.most_common(NAMES) if count > 1)
    return Cover(tuple(marks.values()), standard, year, date, tuple(dict.fromkeys(replaces)), telling)


def _standard_alone(line: str) -> tuple[Key, int] | None:
    """The standard that a line names and nothing else but who publishes it ("SVENSK STANDARD SS-EN 1090-2:2018")."""
    found = designations(line)
    if len(found) != 1:
        return None
    key, when = found[0]
    rest = line.replace(when.text, " ")
    rest = re.sub(r"[+/]\s?A\w*+(?::\d{4})?|\(\w\)", " ", rest)
    return (key, when.order[0]) if not re.search(r"[a-z]{3,}|\d", rest) or designation(line) == key else None


def _named(text: str) -> list[tuple[Key, int]]:
    """What a text says it replaces: standards with their year, else a title as it goes on to its first stop."""
    standards = [(key, when.order[0]) for key, when in designations(text)]
    if standards:
        return standards
    key, marks = marks_of_title(re.split(r"[.;,]\s|\s(?:which|from|dated|and)\s", text.strip(" :"))[0])
    years = [mark.order[0] for mark in marks if mark.kind == "when"]
    return [(key, years[0] if years else 0)] if len(key) > 1 else []


def cover_to(one: Cover) -> dict[str, Any]:
    """A cover as JSON."""
    return {
        "marks": [[mark.kind, list(mark.order), mark.text] for mark in one.marks],
        "standard": list(one.standard), "year": one.year, "date": list(one.date),
        "replaces": [[list(key), year] for key, year in one.replaces], "names": list(one.names),
    }  # fmt: skip


def cover_from(given: Mapping[str, Any]) -> Cover:
    """What `cover_to` made."""
    return Cover(
        tuple(Mark(kind, tuple(order), text) for kind, order, text in given["marks"]),
        tuple(given["standard"]), given["year"], tuple(given["date"]),
        tuple((tuple(key), year) for key, year in given["replaces"]), tuple(given["names"]),
    )  # fmt: skip
