"""From what a model names to places in the pages it was shown: cells by handle, quotes by their words, numbers by their
position. A place that was not shown, a quote that does not appear there and a passage that gives orders are dropped. What is
left becomes candidates like those of the readers without a model: their values are read from the source, not from the reply,
unless the two differ; then the candidate says what the reply says, for the check to refuse.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache

from pincite.document.cell_values import cell_times, quantity_of
from pincite.document.deducted_amounts import as_counted, as_spent
from pincite.document.labelled_cells import Labelled
from pincite.evidence.candidate import Evidence, Passage
from pincite.evidence.cited_place import (
    PlacedQuantity,
    clipped,
    numbers_in,
    sentence_of,
    table_of,
)
from pincite.evidence.scale_note import in_scale, notes_on
from pincite.evidence.table_view import TableView
from pincite.generate.orders import trusted
from pincite.generate.problem import ReplyProblem
from pincite.generate.shown_pages import ShownPieces
from pincite.lexicon import pattern
from pincite.quantity import EXACT, canonical_unit, declared, find_units, parse, same
from pincite.quantity.scale_fields import stated_scale
from pincite.quantity.scales import split_scale
from pincite.quantity.units import is_counted, is_money
from pincite.types import Quantity

_ELLIPSIS = re.compile(r"\s*+(?:\[?\.{3,}+\]?|\[?\u2026\]?)\s*+")
_ROW = re.compile(r"^\s*\|?\s*\d{1,4}\s*\||</?t[rdh]\b[^>]{0,80}>")
"""What a quote of a table's row holds beside its cells: the number of the row in Markdown, the tags of HTML."""
_HEADING = re.compile(r"^\s*#{1,6}\s+")
"""What marks a heading where a model is shown it, and is no part of the page."""
_DASHES = "-\u2010\u2011\u2012\u2013\u2014\u2015\u2212"
_OCCURRENCES = 5
LEFT_OUT = 600
"""Characters from the first part of a quote with words left out to the end of its last."""
_REFERENCES = pattern("generate", "references")
"""The header of a column whose numbers only point elsewhere."""


@dataclass(frozen=True, slots=True)
class CitedHandles:
    """What a reply cites, in plain terms: the running number of a page, a cell's handle, words."""

    page: int = 0
    cell: str = ""
    quote: str = ""


@dataclass(frozen=True, slots=True)
class FoundNumber:
    """A number where it stands, with the place; for a cell with its labels.

    `note` is the note of its page that says what it is in, where nothing at its place does.
    """

    quantity: Quantity
    evidence: Evidence
    cell: Labelled | None = None
    note: Evidence | None = None


def located(cited: CitedHandles, shown: ShownPieces) -> list[Evidence]:
    """The places that a citation means, likeliest first; none when it is not among what was shown, or not to be trusted."""
    return [
        evidence
        for evidence in _located(cited, shown)
        if trusted(evidence, page_of(evidence, shown))
    ]


def stretch(cited: CitedHandles, shown: ShownPieces) -> Evidence | None:
    """The one place that a citation means: of a quote that leaves words out, all from its first part to its last.

    These must stand in this order in one passage, not far apart, and nothing between them may give orders. Else the first part.
    Where it stands several times, the shortest such stretch is meant.
    """
    found = located(cited, shown)
    parts = [part for part in _ELLIPSIS.split(cited.quote) if part.strip()]
    if not found or found[0].cells or len(parts) < 2:
        return found[0] if found else None
    last = _needle(parts[-1])
    stretches = [
        replace(first, end=end, quote=first.node.text[first.start : end])
        for first in found
        if folded(first.quote)[0] == folded(found[0].quote)[0]
        for _, end in _spans(last, first.node.text)
        if last and first.end < end <= first.end + LEFT_OUT
    ]
    whole = min(stretches, key=lambda place: place.end - place.start, default=found[0])
    return whole if trusted(whole, page_of(whole, shown)) else found[0]


def unplaced(sources: Sequence[CitedHandles], shown: ShownPieces) -> ReplyProblem:
    """Why none of the places that are cited counts."""
    named = [source for source in sources if source.cell.strip() or source.quote.strip()]
    if not named:
        return ReplyProblem(
            "no place is cited for it",
            "Cite the cell by its handle, or copy the sentence that states it word for word; or answer N/A.",
            unfound=True,
        )
    if any(_located(source, shown) for source in sources):
        return ReplyProblem(
            "what is cited stands in a passage that gives orders to its reader, which is no evidence",
            "Cite another passage that states it, or answer N/A.",
            unfound=True,
        )
    return ReplyProblem(
        f"what is cited does not stand on the pages: {'; '.join(map(told_of, named[:3]))}",
        "Cite a handle of a table that is shown, or copy the sentence word for word from its page, leaving nothing out; or "
        "answer N/A.",
        unfound=True,
    )


def told_of(source: CitedHandles) -> str:
    """What a reply cites, in short, as it wrote it."""
    return " ".join(
        filter(None, (source.cell.strip(), source.quote and f"'{clipped(source.quote)}'"))
    )


def _located(cited: CitedHandles, shown: ShownPieces) -> list[Evidence]:
    found = list(_cell(cited, shown)) if cited.cell.strip() else []
    if not found and cited.quote.strip():
        found = [
            evidence
            for part in _ELLIPSIS.split(cited.quote)
            for evidence in _quoted(part, cited.page, shown)
        ]
    return found


def page_of(evidence: Evidence, shown: ShownPieces) -> tuple[Passage, ...]:
    """The piece that a place stands in."""
    return next(
        (
            page
            for page in shown.pages
            if evidence.node.id in {passage.node.id for passage in page}
        ),
        (),
    )


def _cell(cited: CitedHandles, shown: ShownPieces) -> Iterator[Evidence]:
    """The cell of a handle; where other words are quoted for it, the one cell of its row that says these, if any does."""
    hit = shown.cell(cited.cell)
    if hit is None:
        return
    passage, at = hit
    assert passage.node.table is not None
    text = next(cell.text for cell in passage.node.table.cells if (cell.row, cell.column) == at)
    quoted, there = folded(cited.quote)[0], folded(text)[0]
    if not quoted or quoted in there or there and there in quoted:
        yield Evidence(passage.node, (at,), quote=text, document=passage.document)
        return
    row = [cell for cell in passage.node.table.cells if cell.row == at[0]]
    meant = [cell for cell in row if folded(cell.text)[0] == quoted]
    if len(meant) == 1:
        place = meant[0].row, meant[0].column
        yield Evidence(passage.node, (place,), quote=meant[0].text, document=passage.document)


def _quoted(quote: str, page: int, shown: ShownPieces) -> Iterator[Evidence]:
    """Where the words of a quote stand, on the page that is named or else on any that was shown."""
    needle = _needle(quote)
    if len(needle) < 2:
        return
    named = [shown.pages[page - 1]] if 0 < page <= len(shown.pages) else []
    for pages in (named, shown.pages):
        count = 0
        for passage in (shown for piece in pages for shown in piece):
            for start, end in _spans(needle, passage.node.text):
                yield Evidence(
                    passage.node, (), start, end, passage.node.text[start:end], passage.document
                )
                count += 1
                if count == _OCCURRENCES:
                    return
        if count:
            return


def _needle(quote: str) -> str:
    """The words of a quote as they are looked for, without what marks a row or a heading."""
    return folded(_HEADING.sub("", _ROW.sub("", quote)))[0].strip(".,;:")


def _spans(needle: str, text: str) -> Iterator[tuple[int, int]]:
    hay, at = folded(text)
    found = hay.find(needle)
    while found >= 0:
        yield at[found], at[found + len(needle) - 1] + 1
        found = hay.find(needle, found + 1)


@lru_cache(maxsize=2048)
def folded(text: str) -> tuple[str, tuple[int, ...]]:
    """A text as quotes of it are compared, and where each character was.

    White space, quotation marks, table bars and unseen characters are left out, and hyphens but for those before a
    digit; ligatures are spelled out, letters are lower case.
    """
    kept: list[str] = []
    at: list[int] = []
    for index, letter in enumerate(text):
        if letter in _DASHES:
            if text[index + 1 : index + 2].isdigit():
                kept.append("-")
                at.append(index)
            continue
        for character in unicodedata.normalize("NFKC", letter).casefold():
            if (
                not character.isspace()
                and character
                not in "\"'`|\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u00ab\u00bb\u00b4*"
            ):
                if unicodedata.category(character) not in ("Cc", "Cf"):
                    kept.append(character)
                    at.append(index)
    return "".join(kept), tuple(at)


# ---- numbers


def written(value: str, scale: str, unit: str) -> Quantity | None:
    """The quantity that a form gives: its digits with the scale and the unit beside them; None when it holds none."""
    found = parse(value)
    if found is None:
        return None
    factor, name = _scale_and_unit(unit)
    stated = stated_scale(scale, name.partition("/")[0] if is_money(name) else "")
    if found.scale == 1:
        found = replace(found, scale=factor if stated == 1 else stated)
    if found.unit == "year" and name in ("", "yr", "year"):
        return found
    return replace(
        found,
        unit=found.unit if found.unit not in ("", "year") else name if find_units(name) else "",
    )


def _scale_and_unit(unit: str) -> tuple[Decimal, str]:
    """The scale and the unit that the field of the unit says together: "EUR million", "k€", "USD (in thousands)"."""
    factor, name = split_scale(canonical_unit(unit.strip()))
    said = declared(unit)
    return (said.scale, said.unit) if factor == 1 != said.scale else (factor, name)


def means(said: Quantity, there: Quantity, near: str = "") -> bool:
    """Whether a reply's number is the one that stands at a place.

    A number said without a unit takes the place's, and so does one said without the rate ("kWh" of "kWh per query"). One said
    with a unit where the place has none must find it in the text `near`, but for things that are counted (employees). An
    expense in parentheses may be said with the sign it has there.
    """
    said = as_spent(said, there)
    if said.unit in ("", "year", there.unit.partition("/")[0]):
        return same(replace(said, unit=there.unit), there, rel=EXACT)
    if not there.unit and is_counted(said.unit):
        return same(replace(said, unit=""), there, rel=EXACT)
    if not there.unit:
        return canonical_unit(said.unit) in find_units(near) and same(
            replace(said, unit=""), there, rel=EXACT
        )
    return same(said, there, rel=EXACT)


def with_counts(number: FoundNumber) -> Iterator[FoundNumber]:
    """A number, and where it counts what a total goes down by also how many these are."""
    yield number
    if number.cell is not None:
        counted = as_counted(number.quantity, number.cell.label)
        if counted != number.quantity:
            yield replace(number, quantity=counted)


def with_notes(number: FoundNumber, shown: ShownPieces) -> Iterator[FoundNumber]:
    """A number that names no scale in each that a note on its page declares."""
    for note, scale in notes_on(page_of(number.evidence, shown)):
        quantity = in_scale(number.quantity, number.evidence.node, scale)
        if quantity.scale != number.quantity.scale:
            yield replace(number, quantity=quantity, note=note)


def numbers_at(evidence: Evidence) -> list[FoundNumber]:
    """The numbers of a place: a cell's with what its table binds to it, a quote's with their sentences."""
    node = evidence.node
    view = table_of(node)
    if view is None:
        return [
            _in_text(evidence, number.quantity, number.start, number.end)
            for number in numbers_in(node, evidence.start, evidence.end)
            if _digits_stand_in(number, evidence)
        ]
    if evidence.cells:
        return [
            cell
            for cell in _cells(view, evidence.document)
            if cell.evidence.cells == evidence.cells
        ]
    quoted = folded(evidence.quote)[0]
    return [
        cell
        for cell in _cells(view, evidence.document)
        if cell.cell
        and folded(cell.cell.text)[0] in quoted
        and folded(cell.cell.label)[0] in quoted
    ]


def _digits_stand_in(number: PlacedQuantity, evidence: Evidence) -> bool:
    """Whether a quote that holds a part of a number has its digits, and not only the scale or the unit behind them."""
    text = evidence.node.text
    inside = text[max(number.start, evidence.start) : min(number.end, evidence.end)]
    return _has_digits(inside) or not _has_digits(text[number.start : number.end])


def _has_digits(text: str) -> bool:
    return any(map(str.isdigit, text))


def standing(evidence: Evidence) -> list[FoundNumber]:
    """The numbers of a place; of a quote that has none, those of its sentence."""
    found = numbers_at(evidence)
    if found or evidence.cells or evidence.node.table is not None:
        return found
    start, end = sentence_of(
        evidence.node, PlacedQuantity(Quantity(Decimal(0)), evidence.start, evidence.end)
    )
    return numbers_at(replace(evidence, start=start, end=end))


def _in_text(evidence: Evidence, quantity: Quantity, start: int, end: int) -> FoundNumber:
    """A number of running text, quoted with its sentence."""
    first, last = sentence_of(evidence.node, PlacedQuantity(quantity, start, end))
    sentence = " ".join(evidence.node.text[first:last].split())
    return FoundNumber(
        quantity, Evidence(evidence.node, (), start, end, sentence, evidence.document)
    )


def _cells(view: TableView, document: str) -> tuple[FoundNumber, ...]:
    out = []
    for cell in view.labels.cells:
        quantity = quantity_of(view.node, cell)
        if quantity is not None and not _REFERENCES.fullmatch(cell.heading):
            where = Evidence(
                view.passage.node, ((cell.row, cell.column),), quote=cell.text, document=document
            )
            out.append(FoundNumber(quantity, where, cell))
    return tuple(out)


def numbers_on(pages: Iterable[Sequence[Passage]], shown: ShownPieces) -> Iterator[FoundNumber]:
    """Every number of these pieces that stands at a place to be trusted."""
    for page in pages:
        for passage in page:
            whole = Evidence(
                passage.node, (), 0, len(passage.node.text), passage.node.text, passage.document
            )
            view = table_of(passage.node)
            found = _cells(view, passage.document) if view else numbers_at(whole)
            yield from (number for number in found if trusted(number.evidence, page))


def near_text(evidence: Evidence, shown: ShownPieces) -> str:
    """The text of the page around a place, with the captions of its tables: where a unit may be named."""
    page = page_of(evidence, shown)
    return "\n".join(
        f"{passage.node.table.caption} {passage.node.text[:2000]}"
        if passage.node.table
        else passage.node.text
        for passage in page
    )


def subject_of(found: FoundNumber) -> tuple[str, str]:
    """What a cell's number is of and when, from its headers; empty for running text."""
    if found.cell is None:
        return "", ""
    times = cell_times(found.cell)
    subject = " ".join((*found.cell.sections, found.cell.label)).strip() or found.cell.heading
    return subject, times[0].text if times else ""
