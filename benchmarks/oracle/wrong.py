"""Replies that are wrong in the ways of models: another cell, year, firm or scale, or words that stand nowhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

from . import wording
from .draw import Draw
from .figures import plain, years
from .gold import Gold
from .pages import Piece, document
from .reply import Reply
from .seek import Place, every

ERRORS = ("neighbouring cell", "other year", "other firm", "other scale", "invented quote")


def spoiled(right: Reply, gold: Gold, shown: Sequence[Piece], draw: Draw) -> Reply:
    """The reply with an error of a kind that the question's draw names, or of the next kind that its place allows.

    A reply that no kind fits stays right.
    """
    if right.value is None or not right.places:
        return right
    first = int(draw.share("error") * len(ERRORS))
    for error in (*ERRORS[first:], *ERRORS[:first]):
        form = _made(error, right, gold, shown, draw)
        if form is not None:
            return replace(
                right,
                form={**right.form, **form},
                error=error,
                value=form.get("value", form.get("sources")),
            )
    return right


def _made(
    error: str, right: Reply, gold: Gold, shown: Sequence[Piece], draw: Draw
) -> dict[str, Any] | None:
    place = right.places[0]
    if right.value in ("yes", "no"):
        turned = {"value": "no" if right.value == "yes" else "yes"}
        return (
            turned | ({"kind": turned["value"]} if "kind" in right.form else {})
            if error == "neighbouring cell"
            else None
        )
    if place.number is None or right.form.get("compared"):
        return _name(error, right, place, draw)
    if error == "other scale":
        return _scaled(right)
    if error == "invented quote":
        return _invented(right, gold, place)
    others = [one for one in _others(error, place, gold, shown) if _differs(one, place)]
    if not others:
        return None
    return _swapped(right, draw.one("other", others), draw)


def _others(error: str, place: Place, gold: Gold, shown: Sequence[Piece]) -> list[Place]:
    if error == "other firm":
        others = [piece for piece in shown if document(piece.document) not in gold.documents]
        return [one for piece in others for one in every(piece) if _alike(one, place)]
    near = [one for one in every(place.piece) if bool(one.cell) == bool(place.cell)]
    if place.cell is None:
        apart = [one for one in near if one.quote == place.quote or error == "neighbouring cell"]
        return apart if error == "neighbouring cell" else []
    own = [
        one
        for one in near
        if one.cell and one.grid and place.grid and one.grid.number == place.grid.number
    ]
    if error == "other year":
        dated = years(place.cell.heading)
        return [
            one
            for one in own
            if one.cell
            and one.cell.row == place.cell.row
            and dated
            and years(one.cell.heading) - dated
        ]
    return [
        one
        for one in own
        if one.cell
        and abs(one.cell.row - place.cell.row) + abs(one.cell.column - place.cell.column) == 1
    ]


def _alike(one: Place, place: Place) -> bool:
    """Whether a number of another document has the label of the right one."""
    label = place.cell.label if place.cell else ""
    return (
        one.cell is not None
        and bool(label)
        and plain(one.cell.label.split(" | ")[-1]) == plain(label.split(" | ")[-1])
    )


def _differs(one: Place, place: Place) -> bool:
    return (
        one.number is not None
        and place.number is not None
        and abs(one.number.value) != abs(place.number.value)
    )


def _swapped(right: Reply, other: Place, draw: Draw) -> dict[str, Any]:
    """The form with another place instead of the first: of a computed value an operand."""
    handle, quote, _ = wording.quote(other, draw, False, len(right.places) == 1)
    sources = [
        {"page": other.piece.number, "cell": handle, "quote": quote},
        *right.form["sources"][1:],
    ]
    pages = sorted({one["page"] for one in sources})
    if right.form.get("operation"):
        return {
            "sources": sources,
            "relevant_pages": pages,
            "value": "N/A",
            "scale": "",
            "unit": "",
        }
    said = wording.number(other, None, "", draw, False)
    if "scale" in right.form:
        listed = isinstance(right.value, list)
        return {
            "sources": sources,
            "relevant_pages": pages,
            "value": [said.value, *right.value[1:]] if listed else said.value,
            "scale": said.scale,
            "unit": said.unit,
        }
    return {"sources": sources, "relevant_pages": pages, "value": other.written}


def _scaled(right: Reply) -> dict[str, Any] | None:
    if "scale" not in right.form or right.form.get("operation") or right.form.get("unit") == "%":
        return None
    words = {"": "thousand", "thousand": "million", "million": "billion"}
    said = str(right.form["scale"]).casefold()
    return {"scale": words.get(said, "thousand" if "m" in said else "million")}


def _invented(right: Reply, gold: Gold, place: Place) -> dict[str, Any] | None:
    """A number that stands nowhere, in a sentence made up for it."""
    if right.form.get("operation"):
        return None
    assert place.number is not None
    value = wording.digits(place.number.value * Decimal("1.37") + 1)
    told = f"{gold.question.rstrip('?')}: {value}."
    source = {"page": place.piece.number, "cell": "", "quote": told}
    return {"value": [value] if isinstance(right.value, list) else value, "sources": [source]}


def _name(error: str, right: Reply, place: Place, draw: Draw) -> dict[str, Any] | None:
    """Another name than the right one: that of a neighbouring cell, or one that stands nowhere."""
    listed = isinstance(right.value, list)
    if right.form.get("compared"):
        names = [
            one["name"]
            for one in right.form["compared"]
            if plain(one["name"]) != plain(str(right.value))
        ]
        turned = "least" if right.form["wins"] == "most" else "most"
        return (
            {"value": draw.one("name", names), "wins": turned}
            if names and error == "neighbouring cell"
            else None
        )
    if error == "invented quote":
        made = "Halvorsen Lindgren"
        source = {"page": place.piece.number, "cell": "", "quote": f"It is {made}."}
        return {"value": [made] if listed else made, "sources": [source]}
    if error != "neighbouring cell" or place.grid is None or place.cell is None:
        return None
    cells = [
        one
        for one in place.grid.cells()
        if one.column == place.cell.column and abs(one.row - place.cell.row) == 1
    ]
    if not cells:
        return None
    other = draw.one("cell", cells)
    source = {"page": place.piece.number, "cell": other.handle, "quote": other.text}
    return {"value": [other.text] if listed else other.text, "sources": [source]}
