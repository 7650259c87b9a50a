"""What is known of a document's edition, before it is compared with others."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from pincite.lexicon import pattern
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
        exact, cover = when if len(when) == 3 else (), self.cover.date
        if self.period:
            ended = _date(self.known.get("period", "")) or self.period[:1]
            exact, cover, when = (
                exact if exact > ended else (),
                cover if cover > ended else (),
                ended,
            )
        known = (
            _date(self.declared.get("date", "")),
            exact,
            cover,
            when,
            _date(self.known.get("date", "")),
        )
        return next((day for day in known if day), _date(self.declared.get("year", "")))

    @cached_property
    def period(self) -> tuple[int, ...]:
        """The period that it reports on, (year,) or (year, quarter); empty when it is no report of a period."""
        if self.standard or not self._reports or not self._year:
            return ()
        if "quarter" in self.marks:
            return self._year, *self.marks["quarter"].order
        return self._year, *(self._ended[1:2] if self.form == "10-Q" else ())

    @property
    def _reports(self) -> bool:
        """Whether it reports on a period: by its parser, its name, its title or its type."""
        named = (" ".join(self.name_key), self.title, self.known.get("kind", ""))
        return bool(self.known.get("period")) or any(
            map(pattern("versions", "periodic").search, named)
        )

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
    def replaces_nothing(self) -> bool:
        """Whether the metadata says that it takes the place of no other document."""
        return self.declared.get("supersedes", "").casefold() in NONE

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
        return frozenset(found | {self.standard, self._company_report} - {()})

    @property
    def _company_report(self) -> Key:
        """Its company's kind of report; empty when it is none."""
        return (
            (_REPORT, self.company, self.form)
            if self.company and self.form in _FORMS and self.period
            else ()
        )


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
