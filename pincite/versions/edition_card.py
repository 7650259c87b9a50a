"""What is known of a document's edition, before it is held against others."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from pincite.versions.cover import Cover
from pincite.versions.edition_marks import (
    Key,
    Kind,
    Mark,
    dates_in,
    designation,
    key_of,
    marks_of_name,
    marks_of_title,
    telling,
)
from pincite.versions.sketch import Sketch

PERIODIC = re.compile(
    r"\b(?:10-?k|10-?q|20-?f|40-?f|8-?k|6-?k|press|annual|quarterly|interim|half-?year(?:ly)?|sustainability|esg|report|accounts|results|earnings|"
    r"statistics|survey|budget|minutes|newsletter|bulletin|proceedings|invoice|årsredovisning|delårsrapport|bokslut|"
    r"geschäftsbericht|jahresbericht|quartalsbericht)\b",
    re.IGNORECASE,
)
_FORMS = frozenset(
    ("10-K", "20-F", "40-F", "10-Q", "annual report", "quarterly report", "interim report", "sustainability report")
)
"""Kinds of papers of which a company writes one for each period."""


_EXTENSION = re.compile(r"\.[A-Za-z]{2,8}$")


@dataclass(frozen=True)
class Card:
    """What is known of a document: `declared` by the user's metadata, `hints` by its parser, `cover` by its first pages."""

    document: str
    title: str = ""
    declared: Mapping[str, str] = field(default_factory=dict)
    hints: Mapping[str, str] = field(default_factory=dict)
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
        return marks_of_title(self.declared.get("title") or self.title)

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
        title = self.declared.get("title") or self.title
        return designation(title) or self.cover.standard

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
        exact, cover = when if len(when) == 3 else (), self.cover.date
        if self.period:
            ended = _date(self.hints.get("period", "")) or self.period[:1]
            exact, cover, when = exact if exact > ended else (), cover if cover > ended else (), ended
        known = (_date(self.declared.get("date", "")), exact, cover, when, _date(self.hints.get("date", "")))
        return next((day for day in known if day), _date(self.declared.get("year", "")))

    @cached_property
    def period(self) -> tuple[int, ...]:
        """The period that it reports on, (year,) or (year, quarter); empty when it is no report of a period."""
        kind = self.declared.get("type") or self.hints.get("form", "")
        named = PERIODIC.search(" ".join(self.name_key)) or PERIODIC.search(self.title) or PERIODIC.search(kind)
        if self.standard or not named and not self.hints.get("period"):
            return ()
        when = next((mark for mark in self._name[1] if mark.kind == "when"), None)
        ended = dates_in(self.hints.get("period", ""))
        years = (int(year) for year in (self.declared.get("year", ""), self.hints.get("year", "")) if year.isdigit())
        year = when.order[0] if when else ended[0][0] if ended else next(years, 0)
        if not year:
            return ()
        if "quarter" in self.marks:
            return year, *self.marks["quarter"].order
        return (year, *ended[0][1:2]) if ended and self.form == "10-Q" else (year,)

    @property
    def form(self) -> str:
        """The kind of filing or report, an amended filing that of the filing."""
        return (self.hints.get("form") or "").removesuffix("/A")

    @cached_property
    def company(self) -> str:
        """Whose it is, without blanks and signs; empty when nothing tells."""
        name = self.declared.get("company") or self.hints.get("company_guess", "")
        return "".join(key_of(name))

    @cached_property
    def keys(self) -> frozenset[Key]:
        """What it can be called by: the words of its name, of its title, its standard, its company's kind of report."""
        found = {key for key in (self.name_key, self.title_key) if tells(key)}
        if any(word.isalpha() and len(word) > 2 for word in self.name_key):
            found.add(self.name_key)
        if self.standard:
            found.add(self.standard)
        if self.company and self.form in _FORMS and self.period:
            found.add(("", self.company, self.form))
        if series := self.declared.get("series"):
            found.add(("series", *key_of(series)))
        return frozenset(found)


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
