"""Where a gold stands on the pages of a request: cells and sentences, the likeliest first."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TYPE_CHECKING

from .figures import Number, day, factor, numbers, plain, shared, stems, years
from .pages import Cell, Piece, document

if TYPE_CHECKING:
    from .gold import Gold

ABOUT = 0.3
"""The share of the question's words that must stand about a number on another page than the gold's."""
SHORT = 3
"""A number of fewer digits, or a word of fewer letters and two, is on many a page by chance."""
SPEAKS = 2
"""So many words of the question must stand about what is short."""
FEW_DIGITS = 0.4
ABOUT_ANYWHERE = {3: 0.3, **dict.fromkeys(range(4, 30), 0.15)}
"""The same where the gold's page is not known, by the number's digits: long numbers meet by chance less often than short ones."""
TELLS = 0.6
"""The share of an answer's words that a sentence must have to tell it."""


@dataclass(frozen=True, slots=True)
class Place:
    """A cell or a sentence of a page that is shown, with the number there that is meant and what it lacks of its scale."""

    piece: Piece
    quote: str
    line: int = 0
    about: str = ""
    number: Number | None = None
    power: int = 0
    written: str = ""
    score: float = 0.0
    cell: Cell | None = None


def answers(gold: Gold, shown: Sequence[Piece]) -> list[list[Place]]:
    """For each item or operand of a gold the places where it stands, likeliest first; none at all when one is missing.

    What is short counts where its row or sentence speaks of the question, but for operands, which are sought together.
    """
    own = [piece for piece in shown if document(piece.document) in gold.documents]
    wanted: list[list[Place]] = []
    if gold.derivation is not None:
        if gold.derivation.items:
            wanted = [_texts(gold, item, own, strict=False) for item in gold.derivation.items]
        for value in gold.derivation.operands:
            number = Number(value, 0, False, 0, 0)
            wanted.append(_numbers(gold, number, own, strict=False))
        wanted = _together(wanted)
    elif gold.kind == "number" and gold.number is not None:
        wanted = [_numbers(gold, gold.number, own, strict=True)]
    elif gold.kind == "boolean":
        wanted = (
            [_telling(gold, f"{gold.question} {gold.hint[:400]}", own, ABOUT)]
            if gold.items[0] in ("yes", "no")
            else []
        )
    else:
        wanted = [_item(gold, item, own) for item in gold.items]
        amounts = (place.number for places in wanted for place in places if place.number)
        if all(map(_year, amounts)):
            wanted = _together(wanted)
    return wanted if all(wanted) else []


def _item(gold: Gold, item: str, own: Sequence[Piece]) -> list[Place]:
    """An item of a list, or a text: the number that it is, its words as they stand, or a sentence that tells as much."""
    found = list(numbers(item))
    if len(found) == 1 and not any(one.isalpha() for one in item):
        return _numbers(gold, found[0], own, strict=True)
    if there := _texts(gold, item, own, strict=True):
        return there
    told = _telling(gold, item, own, TELLS) if len(stems(item)) > 3 else []
    amounts = {abs(one.value) for one in found}
    return [one for one in told if amounts <= {abs(each.value) for each in numbers(one.quote)}]


def _together(wanted: list[list[Place]]) -> list[list[Place]]:
    """Operands from one table where that holds them all, or else from wherever each stands best."""
    if not all(wanted):
        return []
    tables = [{at for one in places if (at := _at(one))} for places in wanted]
    shared = set.intersection(*tables) if tables else set()
    if not shared:
        return wanted

    def total(at: tuple[int, str]) -> float:
        return sum(max(one.score for one in places if _at(one) == at) for places in wanted)

    best = max(shared, key=total)
    lines = [
        {line for one in places if _at(one) == best for line in _lines_of(one)}
        for places in wanted
    ]

    def beside(one: Place) -> int:
        """How many of the operands have a place in its row or its column."""
        own = set(_lines_of(one))
        return sum(bool(own & there) for there in lines)

    return [sorted(places, key=lambda one: (_at(one) != best, -beside(one))) for places in wanted]


def _at(one: Place) -> tuple[int, str] | None:
    """The piece and the table of a place."""
    return (one.piece.number, one.cell.table) if one.cell else None


def _lines_of(one: Place) -> list[tuple[str, int]]:
    """The row and the column of a place."""
    return [("row", one.cell.row), ("column", one.cell.column)] if one.cell else []


# ---- numbers


def _numbers(gold: Gold, wanted: Number, own: Sequence[Piece], strict: bool) -> list[Place]:
    meant = (_is(wanted, one) for piece in own for one in _spots(piece))
    digits = len(wanted.value.normalize().as_tuple().digits)
    kept = []
    for one in meant:
        if one is None:
            continue
        there = not gold.pages or (document(one.piece.document), one.piece.page) in gold.pages
        share = overlap(gold.question, one.about)
        if (
            not there
            and (digits < 3 or share < ABOUT)
            or strict
            and digits < SHORT
            and not speaks(gold.question, one.about)
        ):
            continue
        if (
            not gold.pages
            and share < ABOUT_ANYWHERE.get(digits, FEW_DIGITS)
            and gold.derivation is None
        ):
            continue
        kept.append(
            replace(
                one, score=one.score + 3 * there + 2 * share + _timed(gold.question, one.about)
            )
        )
    return sorted(kept, key=lambda one: -one.score)


def _is(wanted: Number, one: Place) -> Place | None:
    """The place with what its number lacks of its scale, when it is the wanted one."""
    assert one.number is not None
    power = factor(wanted, one.number, one.cell.scale if one.cell else 0)
    if power is None:
        return None
    alike = (one.number.value < 0) == (wanted.value < 0)
    return replace(one, power=power, score=0.3 * (power == 0 or bool(one.cell)) + 0.4 * alike)


def _spots(piece: Piece) -> Iterator[Place]:
    """Every number of a piece: those of cells, then those of sentences."""
    for one in _lines([piece]):
        held = list(numbers(one.quote))
        for number in held:
            alone = one.cell is not None and len(held) == 1
            written = one.quote if alone else one.quote[number.start : number.end]
            yield replace(one, number=number, written=written)


def every(piece: Piece) -> list[Place]:
    """The numbers of a piece, years left out."""
    return [one for one in _spots(piece) if one.number and not _year(one.number)]


def _year(one: Number) -> bool:
    return one.value == int(one.value) and Decimal(1900) <= one.value < Decimal(2100)


def speaks(question: str, about: str) -> bool:
    """Whether a row or a sentence shares two words with the question, or the only one that it has."""
    return shared(question, about) >= min(SPEAKS, max(1, shared(question, question)))


def overlap(question: str, about: str) -> float:
    """The share of a question's words that stand about a place."""
    asked = {word for word in stems(question) if not word.isdigit()}
    return len(asked & stems(about)) / len(asked) if asked else 0.0


def _timed(question: str, about: str) -> float:
    """How the years about a place go with those of the question."""
    asked, there = years(question), years(about)
    return 0.0 if not asked or not there else 1.0 if asked & there else -1.0


# ---- words


def _texts(gold: Gold, item: str, own: Sequence[Piece], strict: bool) -> list[Place]:
    """The cells and sentences that hold an item word for word, or the same day; a short word whole, where they speak of it."""
    wanted, date = plain(item), day(item)
    if not wanted:
        return []
    found = []
    short = len(wanted) < SHORT + 2
    whole = re.compile(rf"(?<![^\W_]){re.escape(item.strip())}(?![^\W_])", re.I)
    for one in _lines(own):
        there = plain(one.quote)
        held = (
            whole.search(one.quote) and speaks(gold.question, f"{one.about} {one.quote}")
            if short and strict
            else wanted in there
        )
        if held or date is not None and len(one.quote) < 60 and day(one.quote) == date:
            on_page = (
                not gold.pages or (document(one.piece.document), one.piece.page) in gold.pages
            )
            share = overlap(gold.question, f"{one.about} {one.quote}")
            if on_page or len(wanted) > 4 and share >= ABOUT:
                found.append(
                    replace(one, written=item, score=3 * on_page + 2 * share + (there == wanted))
                )
    return sorted(found, key=lambda one: -one.score)


def _telling(gold: Gold, told: str, own: Sequence[Piece], least: float) -> list[Place]:
    """The sentences and cells that tell what an answer says, in most of its words."""
    found = []
    for one in _lines(own):
        on_page = not gold.pages or (document(one.piece.document), one.piece.page) in gold.pages
        share = overlap(told, one.quote)
        if on_page and share >= least:
            found.append(replace(one, written=one.quote, score=2 * share))
    return sorted(found, key=lambda one: -one.score)


def _lines(own: Sequence[Piece]) -> Iterator[Place]:
    for piece in own:
        for cell in piece.cells:
            about = f"{cell.label} | {cell.heading} | {cell.table}"
            yield Place(piece, cell.text, cell.row, about, cell=cell)
        for number, sentence in piece.sentences():
            yield Place(piece, sentence, number, sentence)
