"""Replies that are wrong in the ways of models: another cell, year or firm, or a value that stands nowhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from hashlib import blake2b
from typing import TypeVar

from .figures import digits, plain, years
from .gold import Gold
from .pages import Piece, document
from .reply import Reply, filled
from .seek import Place, every

ERRORS = ("neighbouring cell", "other year", "other firm", "invented value")


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Draw:
    """Chances of one question under one seed; each is named, and the same name draws the same."""

    seed: int
    question: str

    def share(self, what: str) -> float:
        """A number from 0 to 1."""
        said = f"{self.seed}\0{self.question}\0{what}".encode()
        return int.from_bytes(blake2b(said, digest_size=6).digest(), "big") / 2**48

    def one(self, what: str, of: Sequence[T]) -> T:
        """One of several."""
        return of[int(self.share(what) * len(of))]


def spoiled(right: Reply, gold: Gold, shown: Sequence[Piece], draw: Draw) -> Reply:
    """The reply with an error of a kind that the question's draw names, or of the next kind that its place allows.

    A reply that no kind fits stays right.
    """
    if right.value is None or not right.places:
        return right
    first = int(draw.share("error") * len(ERRORS))
    for error in (*ERRORS[first:], *ERRORS[:first]):
        made = _made(error, right, gold, shown, draw)
        if made is not None:
            return replace(made, error=error)
    return right


def _made(
    error: str, right: Reply, gold: Gold, shown: Sequence[Piece], draw: Draw
) -> Reply | None:
    place = right.places[0]
    if right.value in ("yes", "no"):
        turned = "no" if right.value == "yes" else "yes"
        return filled(turned, right.places) if error == "neighbouring cell" else None
    if error == "invented value":
        return filled(_invented(place), right.places)
    if place.number is None:
        return _beside(place, draw) if error == "neighbouring cell" else None
    others = [one for one in _others(error, place, gold, shown) if _differs(one, place)]
    if not others:
        return None
    other = draw.one("other", others)
    value = str(right.value).replace(place.written, other.written, 1)
    return filled(value, [other, *right.places[1:]])


def _others(error: str, place: Place, gold: Gold, shown: Sequence[Piece]) -> list[Place]:
    if error == "other firm":
        others = [piece for piece in shown if document(piece.document) not in gold.documents]
        return [one for piece in others for one in every(piece) if _alike(one, place)]
    near = every(place.piece)
    if place.cell is None:
        return [one for one in near if not one.cell] if error == "neighbouring cell" else []
    if error == "other year":
        dated = years(place.cell.heading)
        own = [(one, one.cell) for one in near if one.cell and one.line == place.line]
        return [one for one, cell in own if dated and years(cell.heading) - dated]
    own = [(one, one.cell) for one in near if one.cell and one.cell.table == place.cell.table]
    return [
        one
        for one, cell in own
        if abs(cell.row - place.cell.row) + abs(cell.column - place.cell.column) == 1
    ]


def _alike(one: Place, place: Place) -> bool:
    """Whether a number of another document has the label of the right one."""
    label = place.cell.label if place.cell else ""
    last = plain(label.split(" > ")[-1])
    return one.cell is not None and bool(last) and plain(one.cell.label.split(" > ")[-1]) == last


def _differs(one: Place, place: Place) -> bool:
    return (
        one.number is not None
        and place.number is not None
        and abs(one.number.value) != abs(place.number.value)
    )


def _invented(place: Place) -> str:
    """A value that stands nowhere."""
    if place.number is None:
        return "Halvorsen Lindgren"
    return digits(place.number.value * Decimal("1.37") + 1)


def _beside(place: Place, draw: Draw) -> Reply | None:
    """Another name than the right one: that of a neighbouring cell."""
    if place.cell is None:
        return None
    cells = [
        one
        for one in place.piece.cells
        if one.column == place.cell.column and abs(one.row - place.cell.row) == 1
    ]
    if not cells:
        return None
    other = draw.one("cell", cells)
    return filled(other.text, [replace(place, quote=other.text, line=other.row, cell=other)])
