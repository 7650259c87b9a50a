"""Names the lines like somebody who knows the answer and says only what the lines shown contain."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .derivation import LETTERS
from .figures import as_spelled
from .gold import Gold
from .pages import Piece
from .seek import Place, answers

ALIKE = 0.2
"""By how much less than the best place another may score and still be named for it."""
BLIND = ("question unknown", "not shown", "not in the text", "unanswerable")
"""Why the oracle names no line when it has not seen the answer; for any other reason it has, and cannot say it in the form."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A filled form, its answer (None where it names no line), why there is none, and the kind of error that was put in."""

    form: Mapping[str, Any]
    value: Any = None
    silent: str = ""
    error: str = ""
    places: tuple[Place, ...] = field(default=(), repr=False)


def nothing(silent: str) -> Reply:
    """No line, with what stands behind it."""
    return Reply({"analysis": "No line states it.", "lines": [], "value": ""}, silent=silent)


def fill(gold: Gold, shown: Sequence[Piece], tried: int) -> Reply:
    """The reply of the honest oracle to a reading request; asked again it names the next place that is as good."""
    places = answers(gold, shown)
    if not places:
        return nothing("not shown")
    chosen = _apart([_next(some, tried) for some in places], places)
    if gold.derivation is not None:
        return _derived(gold, chosen)
    if gold.kind == "boolean":
        return filled(gold.items[0], chosen)
    if stretch := _range(gold, chosen):
        return filled(stretch, chosen[:1])
    if gold.kind == "number":
        return filled(chosen[0].written, chosen)
    pairs = zip(chosen, gold.items, strict=True)
    said = [
        place.written if place.number else as_spelled(item, place.quote) for place, item in pairs
    ]
    return filled("; ".join(said), chosen)


def filled(value: str, places: Sequence[Place]) -> Reply:
    """A value with the lines of its places."""
    lines = list(dict.fromkeys(place.line for place in places))
    form = {"analysis": "The lines state it for just this.", "lines": lines, "value": value}
    return Reply(form, value, places=tuple(places))


def _next(some: Sequence[Place], tried: int) -> Place:
    """The best place; asked again the next one that is as good."""
    alike = [one for one in some if some[0].score - one.score < ALIKE]
    return alike[tried % len(alike)]


def _apart(chosen: Sequence[Place], places: Sequence[Sequence[Place]]) -> list[Place]:
    """The places chosen; an item that is there twice is named at two places where there are two."""
    made: list[Place] = []
    for place, some in zip(chosen, places, strict=True):
        taken = [(each.line, each.quote) for each in made]
        others = (each for each in some if (each.line, each.quote) not in taken)
        made.append(place if (place.line, place.quote) not in taken else next(others, place))
    return made


def _range(gold: Gold, chosen: Sequence[Place]) -> str:
    """A gold of two numbers as the line writes it in one place: "80-90"; "" where it does not."""
    held = [(place.number, place.quote) for place in chosen if place.number is not None]
    if gold.kind != "list" or len(held) != 2 or held[0][1] != held[1][1]:
        return ""
    quote = held[0][1]
    start, end = min(each.start for each, _ in held), max(each.end for each, _ in held)
    between = re.sub(r"\d[\d.,]*", "", quote[start:end])
    return (
        quote[start:end] if re.fullmatch(r"\W*[-\u2013\u2014]\W*|\s*%?\s*to\s*", between) else ""
    )


def _derived(gold: Gold, places: Sequence[Place]) -> Reply:
    """What follows from several places: their calculation as the lines write their values, or which of them wins."""
    steps = gold.derivation
    assert steps is not None
    if steps.operation == "compared":
        return filled(gold.items[0], places)
    if not steps.formula:
        return nothing("what is counted cannot be written down")
    written = dict(zip(LETTERS, (place.written for place in places), strict=False))
    said = re.sub(r"[a-z]", lambda letter: written[letter[0]], steps.formula)
    percent = gold.number is not None and gold.number.percent and not re.search("100|%", said)
    share = percent and steps.operation not in ("percentage_change", "difference")
    return filled(f"({said}) * 100" if share else said, places)
