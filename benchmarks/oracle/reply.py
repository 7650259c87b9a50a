"""Fills in the forms of a request like somebody who knows the answer and says only what the pages shown contain."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from . import wording
from .draw import Draw
from .figures import plain, years
from .gold import Gold
from .pages import Piece
from .seek import Place, answers

NA = "N/A"
ALIKE = 0.2
"""By how much less than the best place another may score and still be cited for it."""


SHORT = 8
"""So many words at most are a name; more are told in sentences."""
BLIND = ("question unknown", "not shown", "not in the text", "unanswerable")
"""Why the oracle says N/A when it has not seen the answer; for any other reason it has, and cannot say it in the form."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A filled form, its answer (None for N/A), how it is worded, why there is none, and the kind of error that was put in."""

    form: Mapping[str, Any]
    value: Any = None
    ways: tuple[str, ...] = ()
    silent: str = ""
    error: str = ""
    places: tuple[Place, ...] = field(default=(), repr=False)


def nothing(silent: str, form: str) -> Reply:
    """N/A, with what stands behind it."""
    empty: dict[str, Any] = {
        "step_by_step_analysis": "No page states it.",
        "sources": [],
        "value": NA,
    }
    if form == "NamesForm":
        empty["value"] = []
    return Reply(empty, silent=silent)


def fill(gold: Gold, shown: Sequence[Piece], form: str, draw: Draw, tried: int) -> Reply:
    """The reply of the honest oracle to a reading request; asked again it cites the next place, as plainly as it can."""
    if form == "AnswerForm":
        return _of_its_kind(gold, shown, draw, tried)
    places = answers(gold, shown)
    if not places:
        return nothing("not shown", form)
    chosen = _apart([_next(some, tried) for some in places], places)
    if gold.derivation is not None:
        return _derived(gold, shown, chosen, form, draw, tried)
    match form:
        case "NumberForm" if len(chosen) == 1 and chosen[0].number is not None:
            return _number(gold, chosen[0], draw, tried)
        case "BooleanForm" if gold.kind == "boolean":
            return _filled(
                gold.items[0], chosen, draw, tried, wording.Said(gold.items[0], way="word")
            )
        case "NumberForm" if stretch := _range(gold, chosen):
            said = wording.Said(stretch, way="range")
            made = _filled(stretch, chosen[:1], draw, tried, said)
            unit = "%" if gold.unit.casefold() in ("%", "percent") else ""
            return replace(made, form={**made.form, "operation": "", "scale": "", "unit": unit})
        case "NamesForm":
            said = [
                _name(gold, place, item, draw, tried)
                for place, item in zip(chosen, gold.items, strict=True)
            ]
            return _filled([one.value for one in said], chosen, draw, tried, *said)
        case "NameForm" if gold.kind != "boolean":
            said = [
                _name(gold, place, item, draw, tried)
                for place, item in zip(chosen, gold.items, strict=True)
            ]
            return _filled("; ".join(one.value for one in said), chosen, draw, tried, *said)
        case "TextForm":
            told = wording.text(_told(gold, chosen), draw, bool(tried))
            return _filled(told.value, chosen, draw, tried, told)
    return nothing(f"{form} asked for a {gold.kind}", form)


def _of_its_kind(gold: Gold, shown: Sequence[Piece], draw: Draw, tried: int) -> Reply:
    """The form that asks for the kind as well, filled in like the form of the kind that the gold is."""
    form, kind = _own_form(gold, shown)
    if kind == "numbers":
        places = answers(gold, shown)
        chosen = _apart([_next(some, tried) for some in places], places)
        return _numbers(chosen, gold, draw, tried)
    reply = fill(gold, shown, form, draw, tried)
    if reply.value is None:
        return replace(reply, form={**reply.form, "kind": NA})
    said = reply.form.get("value", NA)
    return replace(reply, form={**reply.form, "kind": said if kind == "boolean" else kind})


def _numbers(chosen: Sequence[Place], gold: Gold, draw: Draw, tried: int) -> Reply:
    """Several numbers as their places write them, in the scale that they share or else in full."""
    said = [wording.number(place, None, gold.unit, draw, True) for place in chosen]
    values = [one.value for one in said]
    if len({one.scale for one in said}) > 1:
        scaled = (
            place.number.value.scaleb(wording.power_of(place, None))
            for place in chosen
            if place.number
        )
        values = [wording.digits(value) for value in scaled]
        said = [replace(one, scale="") for one in said]
    made = _filled(values, chosen, draw, tried, *said)
    return replace(
        made, form={**made.form, "kind": "numbers", "scale": said[0].scale, "unit": said[0].unit}
    )


def _own_form(gold: Gold, shown: Sequence[Piece]) -> tuple[str, str]:
    """The form that a gold fits, and its kind: a number, a comparison, yes or no, a list of numbers or names, a name, a text."""
    if gold.derivation is not None:
        return (
            ("ComparativeForm", "name")
            if gold.derivation.operation == "compared"
            else ("NumberForm", "number")
        )
    if gold.kind in ("number", "boolean"):
        return {"number": ("NumberForm", "number"), "boolean": ("BooleanForm", "boolean")}[
            gold.kind
        ]
    chosen = [some[0] for some in answers(gold, shown)]
    numeric = bool(chosen) and all(place.number is not None for place in chosen)
    numeric = numeric and not all(len(item) == 4 and years(item) for item in gold.items)
    if len(gold.items) > 1:
        return "NamesForm", "numbers" if numeric else "names"
    stands = all(plain(gold.items[0]) in plain(place.quote) for place in chosen)
    short = stands and len(gold.items[0].split()) <= SHORT
    return (
        ("NameForm", "number" if numeric else "name") if short or numeric else ("TextForm", "text")
    )


def _next(some: Sequence[Place], tried: int) -> Place:
    """The best place; asked again the next one that is as good."""
    alike = [one for one in some if some[0].score - one.score < ALIKE]
    return alike[tried % len(alike)]


def _apart(chosen: Sequence[Place], places: Sequence[Sequence[Place]]) -> list[Place]:
    """The places chosen; an item that is there twice is cited from two places where there are two."""
    made: list[Place] = []
    for place, some in zip(chosen, places, strict=True):
        taken = [(each.handle, each.quote) for each in made]
        others = (each for each in some if (each.handle, each.quote) not in taken)
        made.append(place if (place.handle, place.quote) not in taken else next(others, place))
    return made


def _name(gold: Gold, place: Place, item: str, draw: Draw, tried: int) -> wording.Said:
    if place.number is not None:
        return wording.Said(place.written, way="as written")
    return wording.name(place, item, draw, bool(tried))


def _told(gold: Gold, chosen: Sequence[Place]) -> str:
    if gold.kind == "boolean":
        return f"{gold.items[0].capitalize()}: {chosen[0].quote}"
    if gold.kind == "number":
        return chosen[0].written
    return ", ".join(gold.items)


def _number(gold: Gold, place: Place, draw: Draw, tried: int) -> Reply:
    said = wording.number(place, gold.number, gold.unit, draw, bool(tried))
    made = _filled(said.value, [place], draw, tried, said)
    return replace(
        made, form={**made.form, "operation": "", "scale": said.scale, "unit": said.unit}
    )


def _range(gold: Gold, chosen: Sequence[Place]) -> str:
    """A gold of two numbers as the page writes it in one place: "80-90"; "" where it does not."""
    held = [(place.number, place.quote) for place in chosen if place.number is not None]
    if gold.kind != "list" or len(held) != 2 or held[0][1] != held[1][1]:
        return ""
    quote = held[0][1]
    start, end = min(each.start for each, _ in held), max(each.end for each, _ in held)
    between = re.sub(r"\d[\d.,]*", "", quote[start:end])
    return (
        quote[start:end] if re.fullmatch(r"\W*[-\u2013\u2014]\W*|\s*%?\s*to\s*", between) else ""
    )


def _filled(
    value: Any, places: Sequence[Place], draw: Draw, tried: int, *said: wording.Said
) -> Reply:
    sources, ways = _sources(places, draw, tried)
    form = {
        "step_by_step_analysis": draw.one("analysis", wording.ANALYSES),
        "relevant_pages": sorted({one.piece.number for one in places}),
        "sources": sources,
        "value": value,
    }
    return Reply(form, value, (*(one.way for one in said), *ways), places=tuple(places))


def _sources(
    places: Sequence[Place], draw: Draw, tried: int
) -> tuple[list[dict[str, Any]], list[str]]:
    sources, ways = [], []
    for place in places:
        handle, quote, way = wording.quote(place, draw, bool(tried), len(places) == 1)
        sources.append({"page": place.piece.number, "cell": handle, "quote": quote})
        ways.append(way)
    return sources, ways


# ---- what follows from several places


def _derived(
    gold: Gold, shown: Sequence[Piece], places: Sequence[Place], form: str, draw: Draw, tried: int
) -> Reply:
    steps = gold.derivation
    assert steps is not None
    if steps.operation == "compared":
        return _compared(gold, shown, places, form, draw, tried)
    if form != "NumberForm":
        return nothing(f"{form} asked for what must be computed", form)
    operation = steps.operation
    if operation == "ratio" and gold.number is not None and gold.number.percent:
        operation = "proportion"
    if steps.formula and operation != steps.formula and not tried and draw.share("formula") < 0.15:
        operation = steps.formula
    stated = gold.number is not None and draw.share("stated") < 0.5
    value = wording.digits(gold.number.value) if gold.number is not None and stated else NA
    scale = (
        wording.SCALES[gold.number.scale][0]
        if gold.number and gold.number.scale in wording.SCALES and stated
        else ""
    )
    made = _filled(
        value,
        places,
        draw,
        tried,
        wording.Said(value, way="value told" if stated else "value left to code"),
    )
    unit = "%" if gold.number is not None and gold.number.percent and stated else ""
    filled = {**made.form, "operation": operation, "scale": scale, "unit": unit}
    if operation == "count":  # what one sentence lists is quoted apart
        pairs = zip(made.form["sources"], places, strict=True)
        filled["sources"] = [_of_item(source, place) for source, place in pairs]
    return replace(made, form=filled, value=gold.items[0], ways=(operation, *made.ways))


def _of_item(source: Mapping[str, Any], place: Place) -> dict[str, Any]:
    """A source with no more quoted than the item that it is cited for."""
    item = wording.as_spelled(place.written, place.quote)
    return {**source, "quote": source["quote"] if source["cell"] else item}


def _compared(
    gold: Gold, shown: Sequence[Piece], places: Sequence[Place], form: str, draw: Draw, tried: int
) -> Reply:
    """Which of several is the largest: the cells of all, or its name alone."""
    names = [_naming(one, places) for one in places]
    dated = [_dated(one) for one in places]
    if not all(names) and all(year for year, _ in dated):
        names = [year for year, _ in dated]
    if form == "ComparativeForm" and all(names):
        first = plain(gold.items[0]) in plain(names[0]) or bool(
            years(gold.items[0]) & years(names[0])
        )
        made = _filled(gold.items[0], places, draw, tried, wording.Said("", way="compared"))
        sources = made.form["sources"]
        if places[0].cell is None:
            parts = zip(sources, dated, strict=True)
            sources = [{**source, "quote": part or source["quote"]} for source, (_, part) in parts]
        compared = [
            {"name": name, "source": source} for name, source in zip(names, sources, strict=True)
        ]
        filled = {**made.form, "compared": compared, "wins": "most" if first else "least"}
        return replace(made, form=filled)
    named = replace(gold, derivation=None, kind="text", number=None)
    if form in ("NameForm", "NamesForm", "TextForm"):
        return fill(named, shown, form, draw, tried)
    return nothing(f"{form} asked for a comparison", form)


def _dated(one: Place) -> tuple[str, str]:
    """The year that a sentence tells behind a number, and the part that says both: "$20.8 million in 2018"."""
    if one.cell is not None or one.number is None:
        return "", ""
    behind = re.compile(r"[^.;,]{0,25}?\b((?:19|20)\d\d)\b").match(one.quote, one.number.end)
    start = one.quote.rfind(" ", 0, one.number.start) + 1
    return (behind[1], one.quote[start : behind.end()]) if behind else ("", "")


def _naming(one: Place, others: Sequence[Place]) -> str:
    """What tells a cell from the others that are compared: of the headings of its column, or of its row, the one that differs."""
    cells = [each.cell for each in others if each.cell is not None]
    if one.cell is None or len(cells) < len(others):
        return ""
    across = len({each.column for each in cells}) > 1
    parts = (one.cell.heading if across else one.cell.label).split(" | ")
    apart = [
        part
        for part in parts
        if not all(part in (each.heading if across else each.label) for each in cells)
    ]
    return apart[-1] if apart else ""
