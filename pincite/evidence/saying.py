"""From the best candidate to a draft: the value in the unit asked for, in words, with citations and claims."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from decimal import Decimal

from pincite.document.address import own_place
from pincite.document.table import spot
from pincite.evidence.candidate import Candidate, Evidence, Passage
from pincite.ingest.tree import anchor_of
from pincite.quantity import UnitError, in_unit
from pincite.question.understanding import Ask
from pincite.types import Anchor, Answer, Citation, Claim, Draft, Node, Possible, Quantity, Table, Value

POSSIBLE = 3
"""Possible answers that an answer lists."""
LONGEST = 12
"""Decimal places beyond which a number was not written by anyone."""


def drafted(ask: Ask, best: Sequence[Candidate], confidence: float, seen: tuple[str, ...]) -> Draft:
    """The draft of the best candidate; the next ones are its possible answers."""
    chosen = best[0]
    citations = tuple(cited(place, str(number)) for number, place in enumerate(chosen.evidence, 1))
    value = as_asked(ask, chosen.value)
    claims = _claims(chosen, citations)
    others = (Possible(as_asked(ask, candidate.value), _first(candidate), candidate.score) for candidate in best[1:])
    text = worded(value)
    return Draft(ask.query, text, value, claims, citations, seen, confidence, "", nearest(others, value))


def _first(candidate: Candidate) -> Citation | None:
    """The first place of a candidate; None for one that rests on none."""
    return cited(candidate.evidence[0], "") if candidate.evidence else None


def own(draft: Draft | Answer) -> tuple[Possible, ...]:
    """What a draft or answer says, as a possible answer at its first place; nothing when it says nothing."""
    if draft.value is None:
        return ()
    return (Possible(draft.value, next(iter(draft.citations), None), draft.confidence),)


def nearest(answers: Iterable[Possible], value: Value = None) -> tuple[Possible, ...]:
    """The first few possible answers, each value once and none of them `value`; their citations are labelled p1, p2, p3."""
    first: dict[Value, Possible] = {}
    for possible in answers:
        if possible.value is not None and possible.value != value:
            first.setdefault(possible.value, possible)
        if len(first) == POSSIBLE:
            break
    return tuple(_labelled(possible, f"p{number}") for number, possible in enumerate(first.values(), 1))


def _labelled(possible: Possible, label: str) -> Possible:
    """A possible answer with this label on its citation, where it has one."""
    return replace(possible, citation=replace(possible.citation, label=label)) if possible.citation else possible


def refused(ask: Ask, passages: Sequence[Passage], seen: tuple[str, ...]) -> Draft:
    """The draft that says nothing was found, and where it was looked for."""
    kinds = {"number": "number", "boolean": "statement for or against", "name": "name", "names": "names"}
    wanted = kinds.get(ask.expects, "passage" if ask.query.expects else "answer")
    where = dict.fromkeys(f"{passage.document} {_place(passage.node)}".rstrip() for passage in passages)
    looked = ", ".join(list(where)[:5]) if where else "no page matched the question"
    return Draft(
        ask.query, "", None, read=seen, reason=f"no {wanted} for this question was found in what was read: {looked}"
    )


def _place(node: Node) -> str:
    """The page of a node, or what its page is in the terms of its format."""
    return own_place(node.anchor.path) or f"p. {node.anchor.page}" if node.anchor.page else node.anchor.path


def cited(evidence: Evidence, label: str) -> Citation:
    """A citation of one place: the boxes of its cells, or of the lines that its characters stand on."""
    node = evidence.node
    if evidence.cells and node.table is not None:
        wanted = {at: cell for cell in node.table.cells if (at := (cell.row, cell.column)) in evidence.cells}
        places = {at: spot(node, cell) for at, cell in wanted.items()}
        spots = tuple(places.get(cell, (node.anchor.page, None)) for cell in evidence.cells)
        anchor = Anchor(node.anchor.source, spots, evidence.cells, node.anchor.path, node.anchor.sql)
    else:
        anchor = anchor_of(node, evidence.start, evidence.end)
    quote = evidence.quote or node.text[evidence.start : evidence.end]
    return Citation(label, node.id, anchor, quote, evidence.document)


def as_asked(ask: Ask, value: Value) -> Value:
    """A value in the unit that the question or its caller asks for; unchanged where that is not possible."""
    wanted = ask.query.unit or _asked(ask, value)
    if isinstance(value, tuple):
        return tuple(as_asked(ask, item) for item in value)
    if not isinstance(value, Quantity) or not wanted or wanted == value.unit:
        return value
    try:
        return in_unit(value, wanted)
    except UnitError:
        return value


def _asked(ask: Ask, value: Value) -> str:
    """The unit and scale that the question's wording asks for ("in millions of USD"): "million USD"."""
    if ask.scale and isinstance(value, Quantity) and value.unit not in ("%", "pp"):
        return f"{scale_word(ask.scale)} {ask.unit or value.unit}".strip()
    return ask.unit


_SCALES = {3: "thousand", 6: "million", 9: "billion", 12: "trillion"}


def scale_word(scale: Decimal) -> str:
    """Thousand, million, billion or trillion; "" for any other scale."""
    return _SCALES.get(scale.adjusted(), "")


def worded(value: Value) -> str:
    """A value in words: the number as written with its scale and unit, Yes or No, names with commas."""
    if isinstance(value, bool):
        return "Yes" if value else "No"
    if isinstance(value, tuple):
        return ", ".join(worded(item) for item in value)
    if isinstance(value, Quantity):
        return _number(value)
    if isinstance(value, Table):
        return _tabled(value)
    return str(value)


def _tabled(table: Table) -> str:
    """A table in a few words: its one row, or how many rows it has under which headings."""
    heads = [cell.text for cell in table.cells if cell.row < table.header_rows]
    body = [cell for cell in table.cells if cell.row >= table.header_rows]
    rows = len({cell.row for cell in body})
    if rows == 1 and len(heads) == len(body):
        return "; ".join(f"{head}: {cell.text or 'nothing'}" for head, cell in zip(heads, body, strict=True))
    return f"{rows:,} rows of {', '.join(heads)}"


def short(value: Decimal) -> Decimal:
    """A number with the digits that a reader wants: one that a division made endless is rounded to six of them."""
    return value if -int(value.as_tuple().exponent) <= LONGEST else Decimal(f"{value:.6g}").normalize()


def _number(value: Quantity) -> str:
    if value.low is not None and value.high is not None:
        shown = f"{short(value.low):,f} to {short(value.high):,f}"
    else:
        shown = f"{short(value.value):f}" if value.unit == "year" else f"{short(value.value):,f}"
    about = "about" if value.approximate else ""
    scale = scale_word(value.scale)
    if value.unit == "%":
        return " ".join(filter(None, (about, f"{shown}%", scale)))
    return " ".join(filter(None, (about, shown, scale, value.unit if value.unit != "year" else "")))


def _claims(chosen: Candidate, citations: Sequence[Citation]) -> tuple[Claim, ...]:
    """One claim for each item of a list that has a citation of its own, else one for the whole value."""
    labels = tuple(citation.label for citation in citations)
    whole = Claim(worded(chosen.value), chosen.value, labels, chosen.subject, chosen.period, chosen.operation)
    if isinstance(chosen.value, tuple) and len(chosen.value) == len(labels) and not chosen.operation:
        return tuple(
            replace(whole, text=worded(item), value=item, citations=(label,))
            for item, label in zip(chosen.value, labels, strict=True)
        )
    return (whole,)
