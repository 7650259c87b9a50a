"""Documents that are editions of one work, or reports of one kind for one period after the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import astuple, dataclass
from typing import Any

from pincite.corpus.versions.edition_marks import (
    Key,
    designations,
    marks_of_title,
    numbered,
    telling,
)

MOST = 0.75
"""The share of the words of a series' name that a question which names it holds."""


@dataclass(frozen=True, slots=True)
class Edition:
    """One document of a series.

    `mark` is how its name or cover tells it from the others ("Rev B", "2019"), `date` when it was issued as far as that is
    known ("2019", "2019-05-01", ""), `replaced_by` the id of the document that has taken its place ("" when none has: the
    report of another year replaces nothing). `why` says what that was told from.
    """

    document: str
    mark: str = ""
    date: str = ""
    replaced_by: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Series:
    """Editions that belong together, the oldest first; `key` are the words that they are called by."""

    name: str
    key: Key
    editions: tuple[Edition, ...]

    @property
    def by_id(self) -> dict[str, Edition]:
        """The editions by their documents."""
        return {edition.document: edition for edition in self.editions}

    @property
    def replaces(self) -> bool:
        """Whether an edition of it takes the place of another."""
        return any(edition.replaced_by for edition in self.editions)

    def newest(self, document: str) -> Edition | None:
        """The edition that answers in the place of a document; None when nothing has replaced it."""
        return next(reversed([*_successors(self.by_id[document], self.by_id)]), None)

    def ordered(self, document: str) -> set[str]:
        """The document and the editions that are told to be older or newer than it, by what replaces what or by their dates."""
        by_id = self.by_id
        own = by_id[document].date
        dated = (edition for edition in self.editions if own and edition.date not in ("", own))
        told = (*dated, *_successors(by_id[document], by_id), *self.before(document))
        return {document, *(edition.document for edition in told)}

    def before(self, document: str) -> tuple[Edition, ...]:
        """The editions that a document replaces, directly or not, the newest first."""
        found: list[Edition] = []
        wanted = {document}
        for edition in reversed(self.editions):
            if edition.replaced_by in wanted:
                wanted.add(edition.document)
                found.append(edition)
        return tuple(found)


def series_to(series: Series) -> dict[str, Any]:
    """A series as JSON."""
    editions = [list(astuple(edition)) for edition in series.editions]
    return {"name": series.name, "key": list(series.key), "editions": editions}


def series_from(given: Mapping[str, Any]) -> Series:
    """What `series_to` made."""
    editions = tuple(Edition(*edition) for edition in given["editions"])
    return Series(given["name"], tuple(given["key"]), editions)


def series_of(document: str, series: Iterable[Series]) -> Series | None:
    """The series that a document belongs to; None when it stands alone."""
    return next((held for held in series if document in held.by_id), None)


def in_force(date: str, as_of: str) -> bool:
    """Whether what was issued at `date` was out at `as_of`; a date that is not known always was, one less exact early in it."""
    return not as_of or not date or date[: len(as_of)] <= as_of


def left_out(series: Sequence[Series], question: str, as_of: str = "") -> tuple[str, ...]:
    """The documents that a question is not put to: those replaced at `as_of` (now when empty), and those issued after it.

    A question that names an edition ("Rev B", "EN 10025-2:2004") is put to that one and to none of its others; one that
    names just the year of one is put to it too.
    """
    if not series:
        return ()
    years = {str(mark.order[0]) for mark in marks_of_title(question)[1] if mark.kind == "when"}
    asked_for = _named_editions(series, question)
    gone: list[str] = []
    for held in series:
        if held in asked_for:
            gone += [document for document in held.by_id if document not in asked_for[held]]
        else:
            gone += _outdated_editions(held, years, as_of)
    return tuple(gone)


def _outdated_editions(series: Series, years: AbstractSet[str], as_of: str) -> Iterator[str]:
    """The editions that are replaced at `as_of`, but for those of the `years` asked for, and those issued after it."""
    by_id = series.by_id
    for edition in series.editions:
        replaced = any(in_force(newer.date, as_of) for newer in _successors(edition, by_id))
        if replaced and edition.mark[:4] not in years or not in_force(edition.date, as_of):
            yield edition.document


def kept_out(
    without: Sequence[str], among: AbstractSet[str], series: Sequence[Series]
) -> tuple[str, ...]:
    """What of `without` stays left out where just the documents `among` are asked: those of which another edition is asked."""
    asked = among - set(without)
    answered: set[str] = set()
    for each in series:
        if not asked.isdisjoint(each.by_id):
            answered.update(each.by_id)
    return tuple(document for document in without if document not in among or document in answered)


def named(series: Sequence[Series], question: str) -> tuple[str, ...]:
    """The editions that a question names: by number and by most of what their series is called by."""
    words = set(marks_of_title(question)[0])
    found: list[str] = []
    for held, editions in _named_editions(series, question).items():
        own = set(telling(held.key))
        if own and len(own & words) >= MOST * len(own):
            found += editions
    return tuple(sorted(found))


def _named_editions(series: Sequence[Series], question: str) -> dict[Series, set[str]]:
    """The editions that a question names by number, or as a standard with its year.

    A number alone ("in revision A of the manual") names that of the series of whose words most are in the question, or of the
    only series that has such an edition.
    """
    words, marks = marks_of_title(question)
    numbers = set(numbered(marks))
    standards = [(key, str(when.order[0])) for key, when in designations(question)]
    if not numbers and not standards:
        return {}
    by_standard: dict[Series, set[str]] = {}
    by_number: dict[Series, set[str]] = {}
    for held in series:
        for edition in held.editions if held.replaces else ():
            dated = (
                held.key[: len(key)] == key for key, year in standards if year == edition.date[:4]
            )
            if any(dated):
                by_standard.setdefault(held, set()).add(edition.document)
            elif numbers.intersection(numbered(marks_of_title(edition.mark)[1])):
                by_number.setdefault(held, set()).add(edition.document)
    return by_standard | _best_called(by_number, words)


def _best_called(editions: dict[Series, set[str]], words: Key) -> dict[Series, set[str]]:
    """Of series that have the edition of a number, those of whose names most is in the words, or the only one."""
    shares = {}
    for series in editions:
        name = telling(series.key)
        shares[series] = len(set(name) & set(words)) / max(1, len(name))
    best = max(shares.values(), default=0.0)
    called = {series: some for series, some in editions.items() if shares[series] == best}
    return called if best or len(called) == 1 else {}


def _successors(edition: Edition, by_id: Mapping[str, Edition]) -> Iterator[Edition]:
    """The editions that have taken the place of one, one after the other."""
    seen = {edition.document}
    while edition.replaced_by in by_id and edition.replaced_by not in seen:
        edition = by_id[edition.replaced_by]
        seen.add(edition.document)
        yield edition
