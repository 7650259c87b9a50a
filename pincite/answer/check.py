"""The only way from a draft to an answer: every claim is read again at the place it cites.

A number must stand there with its sign, scale, unit and period, in the row and column that the question means; a computed
one is computed again from what stands at its operands. A value that its citations do not carry is never presented as an
answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from pincite.answer import against
from pincite.answer.candidate import Evidence, Passage
from pincite.answer.contest import again
from pincite.answer.deducted import as_spent
from pincite.answer.derive import OPERATIONS, timeless
from pincite.answer.formulas import is_formula, items_asked
from pincite.answer.gather import with_tables
from pincite.answer.gloss import glossed
from pincite.answer.judged import claim_pairs, evidence_of, least, prefers
from pincite.answer.labels import Labelled
from pincite.answer.match import match
from pincite.answer.owner import owned
from pincite.answer.place import Failed, Place, Standing, clipped, holds, places, squeezed, table_of
from pincite.answer.question import Ask, understand
from pincite.answer.recompute import EXACT, PICKS, computed, listed, picked, worded
from pincite.answer.say import as_asked, nearest, own
from pincite.answer.sources import Sources, sources_of
from pincite.answer.statements import PRIMARY, likeness, names_item, row_name
from pincite.answer.tableread import cell_times
from pincite.answer.times import when
from pincite.answer.truth import read_truth
from pincite.answer.words import words
from pincite.corpus import Corpus
from pincite.evidence.judge import THRESHOLD, likelihood
from pincite.ingest.address import standing
from pincite.quantity import UnitError, in_unit, same
from pincite.stage import Stage
from pincite.types import Answer, Check, Citation, Claim, Draft, Node, Quantity, Table, Value

_OPPOSED = 0.85
"""How sure the cited statement must be of the other answer to contradict a yes or no."""
_CHANGES = ("difference", "percentage_change")


@dataclass(frozen=True)
class Verify(Stage[Draft, Answer]):
    """Check every claim against the corpus; refuse what is not supported or not sure enough."""

    corpus: Corpus = field(repr=False, compare=False)
    threshold: float = 0.0

    def run(self, given: Draft) -> Answer:
        """Check one draft."""
        ids = dict.fromkeys((*(one.node for one in given.citations), *given.read))
        nodes = {node.id: node for node in with_tables(self.corpus, self.corpus.nodes(list(ids)))}
        sources = sources_of(self.corpus) if any(one.anchor.sql for one in given.citations) else None
        return owned(verified(given, nodes, self.threshold, sources), self.corpus)


def verified(draft: Draft, nodes: Mapping[str, Node], threshold: float = 0.0, sources: Sources | None = None) -> Answer:
    """The answer that a draft's claims allow, read again at `nodes` (the cited ones, and those that were read beside them).

    What is cited of databases is read again from `sources`.
    """
    if draft.parts:
        return _together(draft, nodes, threshold)
    ask = understand(draft.query)
    labelled = {one.label: one for one in draft.citations}
    beside = [node for one in draft.read if (node := nodes.get(one))]
    shared = len(draft.claims) > 1 and len({one.subject for one in draft.claims}) == 1
    checks = tuple(
        check(
            replace(claim, subject="") if shared else claim,
            [labelled[one] for one in claim.citations if one in labelled],
            nodes,
            ask,
            beside,
            sources,
        )
        for claim in draft.claims
    )
    failed = [one for one in checks if one.verdict not in ("supported", "computed")]
    if not failed:
        checks = _judged(draft, checks, labelled, nodes, ask)
    reason = draft.reason
    if draft.value is not None and failed:
        reason = f"what was found is not supported by its source: {failed[0].how}"
    elif draft.value is not None and not _follows(draft, ask):
        reason = "the value does not follow from what is cited for it"
    elif draft.value is not None and (beside_it := next((one for one in checks if not answering(one)), None)):
        reason = f"what was found does not seem to answer the question: {beside_it.how}"
    elif draft.value is not None and draft.confidence < threshold:
        reason = f"not sure enough: confidence {draft.confidence:.2f} is below the threshold {threshold:.2f}"
    refused = draft.value is None or bool(reason)
    near = own(draft) if refused and _stands(draft, failed, labelled, nodes, sources) else ()
    return Answer(
        draft.query,
        "" if refused else draft.text,
        None if refused else draft.value,
        () if refused else draft.citations,
        checks,
        draft.confidence,
        reason,
        nearest((*near, *draft.possible), None if refused else draft.value),
        draft.read,
        draft.reading,
        claims=() if refused else draft.claims,
    )


def _stands(
    draft: Draft,
    failed: Sequence[Check],
    cited: Mapping[str, Citation],
    nodes: Mapping[str, Node],
    sources: Sources | None,
) -> bool:
    """Whether a refused value stands where it is cited, whatever the question asks: only then is it told as possible."""
    if draft.value is None or not _follows(draft, understand(draft.query)):
        return False
    places = [[cited[label] for label in claim.citations if label in cited] for claim in draft.claims]
    alone = (check(claim, at, nodes, None, (), sources) for claim, at in zip(draft.claims, places, strict=True))
    return not failed or all(one.verdict in ("supported", "computed") for one in alone)


def _judged(
    draft: Draft, checks: Sequence[Check], cited: Mapping[str, Citation], nodes: Mapping[str, Node], ask: Ask
) -> tuple[Check, ...]:
    """The checks with the chance that what each claim rests on answers the question."""
    pairs = [
        claim_pairs(ask, claim, [cited[label] for label in claim.citations if label in cited], nodes)
        for claim in draft.claims
    ]
    return tuple(
        check if odds is None else replace(check, answers=round(likelihood(odds), 2))
        for check, odds in zip(checks, least(pairs), strict=True)
    )


def answering(check: Check) -> bool:
    """Whether the place of a claim counts as one that answers the question; so does one that was not judged."""
    return check.answers is None or check.answers >= round(likelihood(THRESHOLD), 2)


def _together(draft: Draft, nodes: Mapping[str, Node], threshold: float) -> Answer:
    """The answer that a draft's parts allow: each is checked for its own question, and code decides again between them."""
    parts = [(name, part, verified(part, nodes)) for name, part in draft.parts]
    checks = tuple(one for *_, answer in parts for one in answer.checks)
    reason, unsure = draft.reason, False
    if draft.value is not None:
        last = again(draft, [(name, answer.value) for name, _, answer in parts])
        checks = (*checks, last)
        lost = [
            f"{name}: {answer.reason}"
            for name, part, answer in parts
            if part.value is not None and answer.value is None
        ]
        if lost or last.verdict not in ("supported", "computed"):
            reason = lost[0] if lost else f"what was found is not supported by its source: {last.how}"
        elif unsure := draft.confidence < threshold:
            reason = f"not sure enough: confidence {draft.confidence:.2f} is below the threshold {threshold:.2f}"
    if draft.value is None or reason:
        near = nearest(own(draft)) if unsure else ()
        return Answer(draft.query, "", None, (), checks, draft.confidence, reason, near, draft.read)
    return Answer(draft.query, draft.text, draft.value, draft.citations, checks, draft.confidence, read=draft.read)


def check(
    claim: Claim,
    cited: Sequence[Citation],
    nodes: Mapping[str, Node],
    ask: Ask | None = None,
    beside: Sequence[Node] = (),
    sources: Sources | None = None,
) -> Check:
    """Read one claim again at its citations, and hold it against the question and what was read `beside` the cited places.

    What a statement found is held against the rows of its database instead.
    """
    label = cited[0].label if cited else ""
    try:
        if not cited or len(cited) < len(claim.citations):
            raise Failed("unsupported", "nothing is cited for it")
        if stored := [one for one in cited if one.anchor.sql]:
            from pincite.answer.reread import reread, unchanged  # here, because only this asks databases

            if not unchanged(stored, nodes, sources):
                how = reread(claim, cited, nodes, sources)
                return Check(claim.text, "computed" if claim.operation else "supported", label, how)
        found = [place for one in cited for place in places(one, nodes.get(one.node))]
        how = _checked(claim, found, ask)
        if ask is not None:
            _against(claim, found, ask, beside)
    except Failed as failed:
        return Check(claim.text, failed.verdict, failed.label or label, failed.how)
    return Check(claim.text, "computed" if claim.operation else "supported", label, how)


def _follows(draft: Draft, ask: Ask) -> bool:
    """Whether the draft's value is what its claims say, in the unit asked for."""
    values = [as_asked(ask, claim.value) for claim in draft.claims]
    if not values:
        return False
    if isinstance(draft.value, tuple) and len(values) == len(draft.value) and not _alike(draft.value, values[0]):
        return all(_alike(a, b) for a, b in zip(draft.value, values, strict=True))
    return len(values) == 1 and _alike(draft.value, values[0])


def _alike(a: Value, b: Value) -> bool:
    if isinstance(a, Quantity) and isinstance(b, Quantity):
        return same(a, b, rel=EXACT) or same(a, _in_unit_of(a, b), rel=EXACT)
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(_alike(x, y) for x, y in zip(a, b, strict=True))
    return type(a) is type(b) and a == b


def _in_unit_of(a: Quantity, b: Quantity) -> Quantity:
    """The second quantity in the unit of the first, where both have one that measures the same."""
    try:
        return in_unit(b, a.unit) if a.unit and b.unit else b
    except UnitError:
        return b


def _checked(claim: Claim, found: Sequence[Place], ask: Ask | None) -> str:
    """How the places carry a claim, in words; Failed when they do not."""
    value = claim.value
    if claim.operation in OPERATIONS:
        return computed(claim, found)
    if claim.operation:
        return picked(claim, found)
    if isinstance(value, Quantity):
        at = _standing(value, found, ask)
        return found[0].described if found[0].view else f"{clipped(at.quantity.text)} in {found[0].sentence(at)}"
    if isinstance(value, bool):
        return _stated(value, found[0], ask)
    if isinstance(value, tuple):
        for item in value:
            _item(item, found, ask)
        return f"all of it stands in {found[0].described}"
    if isinstance(value, Table) or value is None:
        return f"the table stands {standing(found[0].citation.anchor) or 'there'}"
    _item(value, found, ask)
    return f"it stands in {found[0].described}"


def _item(value: Value, found: Sequence[Place], ask: Ask | None) -> None:
    if isinstance(value, Quantity):
        _standing(value, found, ask)
    elif not any(holds(place, str(value)) for place in found):
        raise Failed("unsupported", f"'{clipped(str(value))}' does not stand in {found[0].described}")


def _standing(value: Quantity, found: Sequence[Place], ask: Ask | None) -> Standing:
    """The number at the first place that is the value; Failed says what stands there instead."""
    place = found[0]
    for one in place.numbers:
        if _equal(value, one.quantity, place, ask):
            return one
    label = place.citation.label
    if not place.numbers:
        raise Failed("unsupported", f"no number stands in {place.described}", label)
    raise Failed(
        "contradicted", f"{clipped(worded(value))} is claimed, but the place says {_instead(value, place)}", label
    )


def _equal(value: Quantity, there: Quantity, place: Place, ask: Ask | None) -> bool:
    """Whether a claimed quantity is the one that stands there: sign, digits, scale, unit and both ends of a range."""
    value = as_spent(value, there)
    if same(value, there, rel=EXACT):
        return value.low is None or same(
            replace(value, low=None, high=None), replace(there, low=None, high=None), rel=EXACT
        )
    bare = not value.unit and there.unit not in ("", "%") and place.cell is None
    if bare and same(value, there, rel=EXACT, lenient=True):
        said = as_asked(ask, value) if ask else value
        return not isinstance(said, Quantity) or not said.unit or same(said, there, rel=EXACT)
    return False


def _instead(value: Quantity, place: Place) -> str:
    """What stands at a place instead of a value, and in what the two differ."""
    near = next((one for one in place.numbers if one.quantity.value == value.value), place.numbers[0])
    there = near.quantity
    if value.amount == -there.amount and value.amount:
        differs = "the sign differs"
    elif value.value == there.value and value.scale != there.scale:
        differs = "the scale differs"
    elif value.amount == there.amount:
        differs = "the unit differs"
    else:
        differs = "the digits differ"
    where = place.described if place.view else f"{clipped(there.text)} in {place.sentence(near)}"
    return f"{where}: {differs}"


def _stated(value: bool, place: Place, ask: Ask | None) -> str:
    """A yes or no: its statement stands there; one that says the opposite plainly contradicts it."""
    if ask is not None:
        alone = replace(place.node, kind="paragraph", text=place.text, table=None, meta={})
        stances = read_truth(ask, *match(ask.text, glossed([Passage(alone)])))
        if (
            stances
            and stances[0].value is not value
            and stances[0].score >= _OPPOSED
            and not stances[0].features["silence"]
        ):
            raise Failed("contradicted", f"{place.described} says otherwise", place.citation.label)
    return f"stated in {place.described}"


def _against(claim: Claim, found: Sequence[Place], ask: Ask, beside: Sequence[Node]) -> None:
    """Hold the cited places against the claim's own subject and period, and against the question's words."""
    first = found[0]
    if is_formula(claim.operation):
        _of_metric(found, ask)
        return
    if not claim.operation:
        _answering(claim.value, first, ask)
    _timed(claim, found, ask)
    cells = [place for place in found if place.cell is not None]
    if not cells:
        if isinstance(claim.value, Quantity) and not claim.operation and first.view is None:
            _in_sentence(claim, claim.value, first, ask, beside)
        return
    row = (
        ""
        if first.cell is None or _named_so(claim.subject, first.cell)
        else against.other_row(words(claim.subject), first)
    )
    if row:
        how = f"{first.described} is not of '{clipped(claim.subject)}': that is row '{row}'"
        raise Failed("contradicted", how, first.citation.label)
    if claim.operation in PICKS or claim.operation == "count" or len(found) > 1 and not claim.operation:
        return
    _one_series(claim, found, ask)
    asked = against.asked_words(ask, bool(claim.operation))
    views = [view for node in beside if (view := table_of(node))]
    for place in cells:
        row, prefers = "", _preferring(place, ask, claim)
        if not _primary(place, ask):
            row = against.other_row(asked, place, cells, prefers)
            row = row or against.other_table(asked, place, ask.periods, views, prefers)
        apart = len(cells) > 1 and len({against.times_of(one) for one in cells}) == 1
        column = "" if row or apart else against.other_column(asked, place, ask.periods, cells, prefers)
        if row or column:
            named = f"row '{row}'" if row else f"column '{column}'"
            raise Failed(
                "contradicted", f"the question asks for {named}, not for {place.described}", place.citation.label
            )


def _preferring(place: Place, ask: Ask, claim: Claim) -> against.Prefers:
    """What tells whether a rival answers the question better than `place`: the judge of evidence."""
    at = place.cell
    there = Evidence(place.node, ((at.row, at.column),)) if at else evidence_of(place.citation, place.node, claim.value)
    return partial(prefers, ask, place=there, computed=bool(claim.operation))


def _primary(place: Place, ask: Ask) -> bool:
    """Whether a cell is the one line item that the question asks for, in the primary statement that it belongs to."""
    items = items_asked(ask)
    if len(items) != 1 or place.cell is None or place.view is None or not items[0].statement:
        return False
    named = names_item(row_name(place.cell), items[0])
    return named and likeness(place.view.table, place.view.passage.heading, items[0].statement) >= PRIMARY


def _of_metric(found: Sequence[Place], ask: Ask) -> None:
    """Every operand of a formula is a line item of the metric asked for, at an asked year or the end of the year before."""
    items = items_asked(ask)
    years = [period.year for period in ask.periods if period.year]
    for place in found:
        if place.cell is None or not any(names_item(row_name(place.cell), item) for item in items):
            how = f"{place.described} is no part of what the question asks to compute"
            raise Failed("contradicted", how, place.citation.label)
        times = [time for time in against.times_of(place) if time.year]
        if years and times and not any(min(years) - 1 <= time.year <= max(years) for time in times):
            how = f"{place.described} is not of a year that the question names"
            raise Failed("contradicted", how, place.citation.label)


def _answering(value: Value, place: Place, ask: Ask) -> None:
    """A quoted number must be of the kind and in a unit that was asked for."""
    label = place.citation.label
    if isinstance(value, Quantity) and not against.fits_kind(ask, value):
        raise Failed("unsupported", f"{place.described} is no answer of the kind that was asked for", label)
    if isinstance(value, Quantity) and not against.fits_unit(ask, value):
        raise Failed("unsupported", f"{place.described} is no quantity in {ask.query.unit or ask.unit}", label)


def _named_so(subject: str, cell: Labelled) -> bool:
    """Whether a subject is just what a cell's own row is called."""
    return squeezed(subject)[0] in (squeezed(cell.label)[0], squeezed(" ".join((*cell.sections, cell.label)))[0])


def _timed(claim: Claim, found: Sequence[Place], ask: Ask) -> None:
    """The times of the cited cells against the claim's period and the question's."""
    own = [against.times_of(place) for place in found]
    said = when(claim.period)
    if said and claim.operation not in PICKS and not any(against.agrees(times, said) for times in own):
        raise Failed("contradicted", f"{found[0].described} is not of {claim.period}", found[0].citation.label)
    if len(found) > 1 and (not claim.operation or claim.operation in (*PICKS, "count", "max", "min")):
        return
    through = ask.through and claim.operation not in _CHANGES
    fits = [against.agrees(times, ask.periods, through) for times in own]
    one_row = len({(place.node.id, place.cell.row) for place in found if place.cell is not None}) == 1
    loose = len(ask.periods) == 1 and (claim.operation in _CHANGES or claim.operation in ("average", "sum") and one_row)
    if claim.operation in OPERATIONS and len(ask.periods) == 2 and all(own):
        for period in ask.periods:
            if not any(against.agrees(times, [period]) for times in own):
                raise Failed("contradicted", f"nothing is of {period.text}, which the question names: {listed(found)}")
    if all(fits) or (loose and any(fits)):
        return
    wrong = found[fits.index(False)]
    asked = " or ".join(dict.fromkeys(one.text for one in ask.periods))
    raise Failed("contradicted", f"{wrong.described} is not of {asked}, which the question names", wrong.citation.label)


def _one_series(claim: Claim, found: Sequence[Place], ask: Ask) -> None:
    """Operands that the question does not tell apart must be of one row, one column or one series, the later first."""
    cells = [place.cell for place in found if place.cell is not None]
    if claim.operation not in OPERATIONS or len(cells) < 2 or len(cells) < len(found):
        return
    one = (
        len({c.row for c in cells}) == 1
        or len({c.column for c in cells}) == 1
        or len({timeless(c) for c in cells}) == 1
    )
    if not one and not _each_named(cells, ask):
        raise Failed("contradicted", f"its operands are of different things: {listed(found)}")
    times = [cell_times(cell) for cell in cells]
    if any(times) and not all(times) and len({c.row for c in cells}) == 1:
        raise Failed("contradicted", f"some of its operands are of a time and some of none: {listed(found)}")
    across = len({c.row for c in cells}) == 1 and len(cells) == 2
    if claim.operation in _CHANGES and all(times) and across and not ask.falling:
        first, second = times[0][0], times[1][0]
        if (first.year, first.quarter, first.month) < (second.year, second.quarter, second.month):
            raise Failed("contradicted", f"a change runs to the later time, not from it: {listed(found)}")


def _each_named(cells: Sequence[Labelled], ask: Ask) -> bool:
    """Whether every cell's row shares a word with an operand that the question names."""
    operands = [frozenset(words(phrase)) for phrase in ask.operands]
    return len(operands) > 1 and all(any(against.row_terms(cell) & one for one in operands) for cell in cells)


def _in_sentence(claim: Claim, value: Quantity, place: Place, ask: Ask, beside: Sequence[Node]) -> None:
    """A number of running text against the years and the words that its sentence binds to it."""
    if value.unit == "year" and not against.asks_time(ask):
        raise Failed(
            "contradicted", f"{value.value} is a time, which the question does not ask for", place.citation.label
        )
    prefers = _preferring(place, ask, claim)
    if other := against.other_sentence(ask, place, beside, prefers):
        raise Failed("contradicted", f"the question is about '{other}', not {place.described}", place.citation.label)
    asked = {period.year for period in ask.periods if period.year}
    problems = []
    for one in place.numbers:
        if not _equal(value, one.quantity, place, ask):
            continue
        bound = against.bound_years(place, one)
        between = ask.through and asked and any(min(asked) <= year <= max(asked) for year in bound.years)
        if bound.years and asked and bound.years.isdisjoint(asked) and not between:
            problems.append(f"{clipped(one.quantity.text)} is of {min(bound.years)} in {place.described}")
        elif against.elsewhere(ask, place, one):
            problems.append(f"{clipped(one.quantity.text)} is not the one that the question names in {place.described}")
        elif not (bound.beside and bound.years & asked) and (other := against.other_number(ask, place, one, prefers)):
            problems.append(f"the question asks for {other} in {place.described}")
        else:
            return
    if problems:
        raise Failed("contradicted", problems[0], place.citation.label)
