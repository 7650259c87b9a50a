"""What is known of a document's edition, before it is compared with others: from its metadata, its name and its first pages."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import Any

from pincite.corpus.versions.edition_marks import (
    Key,
    Kind,
    Mark,
    dates_in,
    designation,
    designations,
    key_of,
    labelled,
    marks_of_name,
    marks_of_title,
    telling,
)
from pincite.corpus.versions.sketch import Sketch
from pincite.text.lexicon import pattern

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
    older = filter(None, map(pattern("versions", "replaces").search, lines))
    replaces = dict.fromkeys(
        chain.from_iterable(_replaced_works(match["rest"]) for match in older)
    )
    marks: dict[str, Mark] = {}  # the first of each kind that stands alone on a line
    for mark in chain.from_iterable(labelled(line) for line in lines if len(line) <= SHORT):
        marks.setdefault(mark.kind, mark)
    told = tuple(marks.values()), standard, year, _issue_date(lines), tuple(replaces)
    return Cover(*told, _frequent_names(pages))


def _standard_alone(line: str) -> tuple[Key, int] | None:
    """The standard that a line names and nothing else but who publishes it ("SVENSK STANDARD SS-EN 1090-2:2018")."""
    found = designations(line) if len(line) <= SHORTEST else []
    if len(found) != 1:
        return None
    key, when = found[0]
    rest = pattern("versions", "amendment of a standard").sub(" ", line.replace(when.text, " "))
    alone = not pattern("versions", "other text").search(rest) or designation(line) == key
    return (key, when.order[0]) if alone else None


def _issue_date(lines: Iterable[str]) -> tuple[int, ...]:
    """The first date of issue."""
    for line in lines:
        issued = pattern("versions", "issued").match(line)
        if issued and (dates := dates_in(issued["rest"])):
            return dates[0]
    return ()


def _replaced_works(text: str) -> list[tuple[Key, int]]:
    """What a text says it replaces: standards with their year, else a title as it goes on to its first stop."""
    standards = [(key, when.order[0]) for key, when in designations(text)]
    if standards:
        return standards
    key, marks = marks_of_title(pattern("versions", "end of a title").split(text.strip(" :"))[0])
    years = [mark.order[0] for mark in marks if mark.kind == "when"]
    return [(key, years[0] if years else 0)] if len(key) > 1 else []


def _frequent_names(pages: Sequence[str]) -> tuple[str, ...]:
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


_FORMS = frozenset((
    "10-K", "20-F", "40-F", "10-Q", "annual report", "quarterly report", "interim report", "sustainability report",
))  # fmt: skip
"""Kinds of papers of which a company writes one for each period."""
_EXTENSION = re.compile(r"\.[A-Za-z]{2,8}$")
NONE = frozenset(("-", "none", "no"))
"""What stands in the metadata for no document."""
_REPORT = ""
"""The first word of the key of a company's kind of report, which no name has."""


@dataclass(frozen=True)
class Card:
    """What is known of a document: `declared` by people, `known` by them or its parser, `cover` by its first pages."""

    document: str
    title: str = ""
    declared: Mapping[str, str] = field(default_factory=dict)
    known: Mapping[str, str] = field(default_factory=dict)
    cover: Cover = Cover()
    sketch: Sketch | None = None

    @cached_property
    def _name(self) -> tuple[Key, tuple[Mark, ...]]:
        folder, _, file = self.document.rpartition("/")
        key, marks = marks_of_name(stem(file))
        if not marks and folder:  # two files of one name are called by their folders too
            marks = marks_of_name(folder)[1]
        return key, marks

    @cached_property
    def _title(self) -> tuple[Key, tuple[Mark, ...]]:
        return marks_of_title(self.title)

    @property
    def name_key(self) -> Key:
        """The words of the file's name without marks."""
        return self._name[0]

    @property
    def title_key(self) -> Key:
        """The words of the title without marks."""
        return self._title[0]

    @cached_property
    def standard(self) -> Key:
        """The standard that it is; empty for any other document."""
        return designation(self.title) or self.cover.standard

    @cached_property
    def marks(self) -> Mapping[Kind, Mark]:
        """Its marks by kind: declared, of the name, of the title, of the cover, whichever comes first."""
        declared = marks_of_name(self.declared.get("edition", ""))[1]
        found: dict[Kind, Mark] = {}
        for mark in (*declared, *self._name[1], *self._title[1], *self.cover.marks):
            found.setdefault(mark.kind, mark)
        if self.standard and self.cover.year and self.standard == self.cover.standard:
            found.setdefault("when", Mark("when", (self.cover.year,), str(self.cover.year)))
        return found

    @cached_property
    def date(self) -> tuple[int, ...]:
        """When it was issued: as declared, as its name or cover dates it; a report else at the end of its period."""
        when = self.marks["when"].order if "when" in self.marks else ()
        dated: tuple[tuple[int, ...], ...] = when if len(when) == 3 else (), self.cover.date
        if self.period:
            when = _date(self.known.get("period", "")) or self.period[:1]
            dated = tuple(day if day > when else () for day in dated)
        declared, told = (_date(each.get("date", "")) for each in (self.declared, self.known))
        known = declared, *dated, when, told, _date(self.declared.get("year", ""))
        return next(filter(None, known), ())

    @cached_property
    def period(self) -> tuple[int, ...]:
        """The period that it reports on, (year,) or (year, quarter); empty when it is no report of a period."""
        named = " ".join(self.name_key), self.title, self.known.get("kind", "")
        periodic = any(map(pattern("versions", "periodic").search, named))
        reports = self.known.get("period") or periodic
        if self.standard or not reports or not self._year:
            return ()
        if "quarter" in self.marks:
            return self._year, *self.marks["quarter"].order
        return self._year, *(self._ended[1:2] if self.form == "10-Q" else ())

    @cached_property
    def _ended(self) -> tuple[int, ...]:
        """When the period ended that its parser found; empty when it found none."""
        return next(iter(dates_in(self.known.get("period", ""))), ())

    @cached_property
    def _year(self) -> int:
        """The year reported on: as people say, of its name, of the period that its parser found; 0 when nothing tells."""
        named = (mark.order for mark in self._name[1] if mark.kind == "when")
        said, told = (_date(each.get("year", "")) for each in (self.declared, self.known))
        return (said or next(named, ()) or self._ended or told or (0,))[0]

    @property
    def form(self) -> str:
        """The kind of filing or report, an amended filing that of the filing."""
        return self.known.get("kind", "").removesuffix("/A")

    @cached_property
    def company(self) -> str:
        """Whose it is, without blanks and signs; empty when nothing tells."""
        return "".join(key_of(self.known.get("company", "")))

    @cached_property
    def keys(self) -> frozenset[Key]:
        """What it can be called by: the words of its name, of its title, its standard, its company's kind of report."""
        found = {key for key in (self.name_key, self.title_key) if tells(key)}
        if any(word.isalpha() and len(word) > 2 for word in self.name_key):
            found.add(self.name_key)
        if series := self.declared.get("series"):
            found.add(("series", *key_of(series)))
        if self.company and self.form in _FORMS and self.period:
            found.add((_REPORT, self.company, self.form))
        return frozenset(found | {self.standard} - {()})


def is_company_report(key: Key) -> bool:
    """Whether a key is a company's kind of report."""
    return key[:1] == (_REPORT,)


def stem(file: str) -> str:
    """A file's name without its extension."""
    return _EXTENSION.sub("", file)


def tells(key: Key) -> bool:
    """Whether a name says which work it is of: by a word, or by letters and a number of three digits ("en 10025 2")."""
    numbered = any(len(word) > 2 and word.isdigit() for word in key)
    return bool(telling(key)) or len(key) > 1 and key[0].isalpha() and len(key[0]) < 6 and numbered


def _date(text: str) -> tuple[int, ...]:
    """A date as metadata has it: ISO 8601 as far as it goes, or as people write it."""
    if match := re.fullmatch(r"\s*(\d{4})(?:-(\d\d))?(?:-(\d\d))?.*", text):
        return tuple(int(part) for part in match.groups() if part)
    found = dates_in(text)
    return found[0] if found else ()
