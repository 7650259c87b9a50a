"""For which question the judge of evidence judges each place of a candidate or a claim.

A quoted value is judged at its place for the question itself. A computed one is judged at its operands, each for what the
question asks of it: the question's subject at the time of the operand; so is each of several numbers, which answers a part of
the question. The least likely place decides.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain

from pincite.document.asked_labels import as_asked
from pincite.evidence.candidate import Candidate, Evidence
from pincite.evidence.candidate_places import placed
from pincite.evidence.cited_place import numbers_in
from pincite.evidence.judge import Judge
from pincite.evidence.judge_input import CellPlace, Place
from pincite.evidence.scale_note import is_note
from pincite.quantity.arithmetic import PICKS
from pincite.quantity.formula import is_formula
from pincite.question.ask import Ask
from pincite.types import Citation, Claim, Node, Quantity, Value

EVEN = 0.1
"""Log-odds up to which the judge does not tell two places apart."""
MOST = 3
"""So many places of a value are judged."""

Asked = tuple[str, Place]
"""What a place is judged for, and the place."""


def sort_of(value: Value, operation: str) -> str:
    """How a value comes about, as far as it matters to what its places say."""
    if isinstance(value, bool):
        return "truth"
    if is_formula(operation):
        return "formula"
    if operation in PICKS:
        return "picked"
    return "computed" if operation else "list" if isinstance(value, tuple) else "quoted"


def candidate_pairs(ask: Ask, candidate: Candidate) -> list[Asked]:
    """What a candidate is judged by; nothing for a metric that its formula computes: the question does not name its operands."""
    sort = sort_of(candidate.value, candidate.operation)
    return _pairs(ask, sort, candidate.period, candidate.evidence)


def claim_pairs(
    ask: Ask,
    claim: Claim,
    cited: Sequence[Citation],
    nodes: Mapping[str, Node],
    one_of_several: bool = False,
) -> list[Asked]:
    """What a claim is judged by: the same places, as its citations name them; `one_of_several` numbers is a part of the answer.

    Rows of databases are not judged, nor is what was picked by comparing: no place alone says which is the largest.
    """
    sort = sort_of(claim.value, claim.operation)
    if one_of_several and sort == "quoted" and isinstance(claim.value, Quantity):
        sort = "part"
    if sort == "picked" or any(citation.anchor.sql for citation in cited):
        return []
    parted: list[Evidence] = []
    for citation in cited:
        if citation.node in nodes and not is_note(citation):
            place = evidence_of(citation, nodes[citation.node], claim.value)
            parted += [replace(place, cells=(cell,)) for cell in place.cells] or [place]
    return _pairs(ask, sort, claim.period, parted)


def evidence_of(citation: Citation, node: Node, value: Value) -> Evidence:
    """The place of a citation; in a sentence that is cited for a number the number, where it stands there once."""
    if citation.anchor.cells:
        return Evidence(node, citation.anchor.cells, document=citation.document)
    start = max(0, node.text.find(citation.quote))
    end = start + len(citation.quote)
    if isinstance(value, Quantity):
        numbers = numbers_in(node, start, end)
        found = [number for number in numbers if number.quantity.amount == value.amount]
        if len(found) == 1:
            start, end = found[0].start, found[0].end
    return Evidence(node, (), start, end, document=citation.document)


def _pairs(ask: Ask, sort: str, period: str, places: Sequence[Evidence]) -> list[Asked]:
    """What the places of a value that comes about in this way are judged by."""
    if sort == "formula":
        return []
    made = []
    for evidence in places[:MOST]:
        place, asked = placed(evidence), ask.text
        if isinstance(place, CellPlace):
            place = replace(place, row=tuple(as_asked(label, ask.words) for label in place.row))
        if sort in ("computed", "part") and ask.subject:
            time = " ".join(place.column) if isinstance(place, CellPlace) else period
            asked = f"{ask.subject} {time}".strip()
        made.append((asked, place))
    return made


def judge_prefers(ask: Ask, rival: Evidence, place: Evidence, computed: bool = False) -> bool:
    """Whether a rival, which words speak for, may answer the question rather than a place.

    Words decide where the judge is even, as it often is between two values of one sentence. Where a value is `computed`, the
    question is that for its operand. Both are judged under the name of their document.
    """
    if rival.node.anchor.source == place.node.anchor.source:
        rival = replace(rival, document=place.document)
    sort = "computed" if computed else "quoted"
    theirs, mine = lowest_odds([_pairs(ask, sort, "", [each]) for each in (rival, place)])
    return theirs is not None and mine is not None and theirs > mine - EVEN


def lowest_odds(many: Sequence[Sequence[Asked]]) -> list[float | None]:
    """The lowest log-odds of each group of places that they answer; None of an empty group."""
    places: dict[str, dict[Place, float]] = {}
    for question, place in chain.from_iterable(many):
        places.setdefault(question, {})[place] = 0.0
    for question, some in places.items():
        some.update(zip(some, map(float, Judge().odds(question, list(some))), strict=True))
    return [min((places[asked][place] for asked, place in pairs), default=None) for pairs in many]
