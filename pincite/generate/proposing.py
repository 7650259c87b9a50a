"""From a form that a model filled in to candidates, each over places in the pages that were shown.

The value of a candidate is read from its place; where a reply says otherwise, the candidate says what the reply says, so
that the check names the difference. What rests on no place at all is not proposed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain, islice
from typing import TYPE_CHECKING

from pincite.document.cell_values import cell_times
from pincite.document.times import when
from pincite.document.words import words
from pincite.evidence.candidate import Candidate, Evidence
from pincite.evidence.cited_place import clipped
from pincite.evidence.stance import read_truth
from pincite.evidence.term_match import match
from pincite.evidence.value_in_words import worded
from pincite.generate.bearing import bears, elsewhere
from pincite.generate.locate import (
    FoundNumber,
    folded,
    located,
    means,
    near_text,
    numbers_on,
    standing,
    stretch,
    subject_of,
    unplaced,
    with_notes,
    written,
)
from pincite.generate.operations import operated
from pincite.generate.proposal import NOTHING, Proposal, cited
from pincite.generate.rules import Rules
from pincite.generate.shown import ShownPieces
from pincite.generate.spoken_sentences import links, unsaid
from pincite.quantity import canonical_unit
from pincite.question.cues import says
from pincite.question.understanding import Ask
from pincite.types import Anchor, Node, Quantity, Value

if TYPE_CHECKING:
    from pincite.generate import forms

OPPOSED = 0.85
"""How sure the reader without a model must be that a page speaks of what a model finds nowhere."""
_SIDE = "a cell does not say what has the most or the least, as it is cited for"


def number(form: forms.NumberForm, ask: Ask, shown: ShownPieces, rules: Rules) -> Proposal:
    """A quoted number, or one that code computes."""
    from pincite.generate.forms import NA

    if form.value == NA and not (form.operation.strip() and form.sources):
        return NOTHING
    if form.operation.strip():
        return operated(form, ask, shown)
    said = written(form.value, form.scale, form.unit)
    if said is None:
        return Proposal(problem=f"'{clipped(form.value)}' is not a number")
    places = _places(form.sources, shown)
    numbers = list(chain.from_iterable(map(standing, places)))
    right = _meant(said, numbers, ask, shown) or _on_pages_named(said, form, ask, shown)
    wrong = tuple(
        replace(_quoted_number(number), value=said)
        for number in numbers
        if all(number.evidence != held.evidence for held in right)
    )
    if right:
        return replace(_of_what_is_asked(right, ask, shown), wrong=wrong)
    problem = f"{clipped(form.value)} does not stand at the places cited or on the pages named"
    if not places and form.sources:
        problem += f"; {unplaced(cited(form.sources), shown)}"
    return Proposal(problem=problem, wrong=wrong)


def _on_pages_named(
    said: Quantity, form: forms.NumberForm, ask: Ask, shown: ShownPieces
) -> list[FoundNumber]:
    """Where a number stands on the pages that a reply names; what no place is cited for must speak of the question by itself."""
    named = {*form.relevant_pages, *(source.page for source in form.sources)}
    pages = [page for at, page in enumerate(shown.pages, 1) if at in named]
    standing_there = _meant(said, numbers_on(pages, shown), ask, shown)
    return [number for number in standing_there if number.cell or bears(ask, number.evidence)]


def _of_what_is_asked(right: Sequence[FoundNumber], ask: Ask, shown: ShownPieces) -> Proposal:
    """The numbers that are of what the question asks; else why the first is not."""
    problems = [elsewhere(ask, number, shown) for number in right]
    fitting = [number for number, problem in zip(right, problems, strict=True) if not problem]
    return (
        Proposal(tuple(map(_quoted_number, fitting))) if fitting else Proposal(problem=problems[0])
    )


def _meant(
    said: Quantity, numbers: Iterable[FoundNumber], ask: Ask, shown: ShownPieces
) -> list[FoundNumber]:
    """The numbers that a written one means, as they stand or in the scale that a note on their page declares.

    Their unit may be named on the page or in the question.
    """
    meant: list[FoundNumber] = []
    for number in numbers:
        near = f"{near_text(number.evidence, shown)}\n{ask.text} {ask.query.unit}"
        ways = chain([number], with_notes(number, shown))
        meant += islice((way for way in ways if means(said, way.quantity, near)), 1)
    return meant


def _places(sources: Sequence[forms.Source], shown: ShownPieces) -> list[Evidence]:
    """The places that a form cites."""
    return list(chain.from_iterable(located(source, shown) for source in cited(sources)))


def numbers(form: forms.AnswerForm, ask: Ask, shown: ShownPieces, rules: Rules) -> Proposal:
    """Several quoted numbers, each at its own place, in the order of the question."""
    if not form.value:
        return NOTHING
    if form.operation.strip():
        return Proposal(
            problem="only one number is computed: give several where each stands, without an operation"
        )
    sources = form.sources * len(form.value) if len(form.sources) == 1 else form.sources
    if len(sources) != len(form.value):
        return Proposal(
            problem=f"{len(form.value)} numbers are given with {len(sources)} places: name one for each"
        )
    held: list[Candidate] = []
    for value, source in zip(form.value, sources, strict=True):
        proposal = number(_alone(value, source, form), ask, shown, rules)
        places = [candidate.evidence for candidate in held]
        found = next(
            (candidate for candidate in proposal.candidates if candidate.evidence not in places),
            None,
        )
        if found is None:
            problem = (
                f"'{clipped(value)}' is given twice from one place"
                if proposal.candidates
                else proposal.problem
            )
            return Proposal(problem=problem, wrong=proposal.wrong)
        held.append(found)
    if problem := misordered(ask, held):
        return Proposal(problem=problem)
    values = tuple(candidate.value for candidate in held if isinstance(candidate.value, Quantity))
    return Proposal((Candidate(values, tuple(candidate.evidence[0] for candidate in held)),))


def _alone(value: str, source: forms.Source, form: forms.AnswerForm) -> forms.NumberForm:
    """The form of one number of several."""
    from pincite.generate.forms import NumberForm

    return NumberForm(
        step_by_step_analysis="",
        sources=[source],
        value=value,
        scale=form.scale,
        unit=form.unit,
        relevant_pages=[source.page],
    )


def misordered(ask: Ask, held: Sequence[Candidate]) -> str:
    """Which of several numbers stands in another place of the order than the question's times or things, in words."""
    times = [str(period.year) for period in ask.periods]
    if len(times) == len(held) == len(set(times)):
        return next(filter(None, map(_of_another_time, held, times)), "")
    if len(ask.operands) == len(held):
        return _of_another_thing(ask.operands, held)
    return ""


def _of_another_time(candidate: Candidate, time: str) -> str:
    """Why a number is not of the time in whose place it stands; empty when its source names no other year."""
    if time in candidate.period or not any(period.year for period in when(candidate.period)):
        return ""
    told = f"{clipped(worded(candidate.value))} is of {candidate.period}"
    return f"{told}, and the question asks for {time} in its place"


def _of_another_thing(operands: Sequence[str], held: Sequence[Candidate]) -> str:
    """Which number shares more words with another thing than with the one in whose place it stands, in words."""
    things = [set(words(operand)) for operand in operands]
    for at, candidate in enumerate(held):
        subject = set(words(candidate.subject))
        shares = [len(subject & thing) / max(1, len(thing)) for thing in things]
        if max(shares) > shares[at]:
            return f"{clipped(worded(candidate.value))} is of '{clipped(candidate.subject)}', not of '{operands[at]}'"
    return ""


def _quoted_number(number: FoundNumber) -> Candidate:
    subject, period = subject_of(number)
    places = (number.evidence, number.note) if number.note else (number.evidence,)
    return Candidate(number.quantity, places, subject, period)


def boolean(form: forms.BooleanForm, ask: Ask, shown: ShownPieces, rules: Rules) -> Proposal:
    """A yes or a no, at a place that speaks of what is asked; an absence is a no where the rules say so."""
    if form.value == "N/A":
        return NOTHING
    value = form.value == "yes"
    places = _places(form.sources, shown)
    about = [place for place in places if bears(ask, place)]
    fitting = [place for place in about if not (value and denied(ask, place))]
    if fitting:
        return Proposal(tuple(Candidate(value, (place,)) for place in fitting[:3]))
    if about:
        return Proposal(problem=f"'{clipped(about[0].quote)}' denies it")
    if value or form.sources:
        return _unfounded(places, form, shown)
    if rules.silent_no(ask):
        return silence(ask, shown)
    return Proposal(
        problem="the pages are silent on it, and silence is no answer here: cite a place that says no, or N/A"
    )


def denied(ask: Ask, place: Evidence) -> bool:
    """Whether the words of a quote deny, near the words of the question, what it asks."""
    alone = Passage(Node("", "paragraph", place.quote, Anchor("")))
    stances = [] if place.cells else read_truth(ask, *match(ask.text, [alone]))
    return (
        bool(stances)
        and stances[0].features["truth_negative"] >= 1
        and stances[0].features["truth_total"] < 0.5
    )


def _unfounded(
    places: Sequence[Evidence],
    form: forms.BooleanForm
    | forms.NameForm
    | forms.NamesForm
    | forms.TextForm
    | forms.ComparativeForm,
    shown: ShownPieces,
) -> Proposal:
    """No proposal: what is cited speaks of something else, or is no place that counts."""
    about = "what is cited does not speak of what is asked"
    return Proposal(problem=about if places else unplaced(cited(form.sources), shown))


def silence(ask: Ask, shown: ShownPieces) -> Proposal:
    """A no that rests on silence, where code as well finds nothing on the pages that speaks of it; else the problem."""
    told = replace(ask, query=replace(ask.query, silence="no"))
    stances = read_truth(told, *match(ask.text, shown.passages))
    if not stances:
        return Proposal(problem="nothing was read that could be silent on it")
    if stances[0].value is True and stances[0].score >= OPPOSED:
        return Proposal(problem=f"a page speaks of it: '{clipped(stances[0].evidence[0].quote)}'")
    return Proposal(tuple(stance for stance in stances if stance.value is False))


def name(form: forms.NameForm, ask: Ask, shown: ShownPieces, rules: Rules) -> Proposal:
    """One name as the source writes it."""
    from pincite.generate.forms import NA

    return NOTHING if form.value == NA else _names([form.value], form, ask, shown, single=True)


def names(form: forms.NamesForm, ask: Ask, shown: ShownPieces, rules: Rules) -> Proposal:
    """Several names, each at its place."""
    listed = list(dict.fromkeys(form.value))
    return _names(listed, form, ask, shown, single=False) if listed else NOTHING


def _names(
    listed: Sequence[str],
    form: forms.NameForm | forms.NamesForm | forms.ComparativeForm,
    ask: Ask,
    shown: ShownPieces,
    single: bool,
) -> Proposal:
    places = _places(form.sources, shown)
    about = [place for place in places if bears(ask, place)]
    if not about:
        return _unfounded(places, form, shown)
    held: list[tuple[str, Evidence]] = []
    for item in listed:
        if problem := _no_name(item, ask):
            return Proposal(problem=problem)
        found = next((spelled for place in about if (spelled := _spelled(item, place, ask))), None)
        if found is None:
            return Proposal(problem=f"'{clipped(item)}' does not stand at the places cited")
        held.append(found)
    if single:
        return Proposal((Candidate(held[0][0], (held[0][1],)),))
    return Proposal(
        (Candidate(tuple(text for text, _ in held), tuple(where for _, where in held)),)
    )


def _no_name(item: str, ask: Ask) -> str:
    """Why a text cannot be the name that is asked for; empty when it can."""
    if links(item) or _address_like(item) and not says(ask.text, "address"):
        return f"'{clipped(item)}' is a link, which is not asked for"
    if ask.wants.split()[-1:] in (["year"], ["years"]) and not any(
        time.year for time in when(item)
    ):
        return f"'{clipped(item)}' names no year, which the question asks for"
    return ""


def _address_like(text: str) -> bool:
    return bool(
        re.search(r"\w+\.(?:com|org|net|io|ai|co|example|test|dev|app)\b|@\w", text, re.IGNORECASE)
    )


def _spelled(text: str, place: Evidence, ask: Ask) -> tuple[str, Evidence] | None:
    """A name as a place writes it: its characters there, or one of the question's options that all its words stand for."""
    needle = folded(text)[0].strip(".,;:")
    hay, at = folded(place.quote)
    found = hay.find(needle) if needle else -1
    if found >= 0:
        return " ".join(place.quote[at[found] : at[found + len(needle) - 1] + 1].split()), place
    own, there = words(text), set(words(place.quote))
    option = own and set(own) <= set(words(ask.text))
    return (text, place) if option and not place.cells and there.issuperset(own) else None


def comparative(
    form: forms.ComparativeForm, ask: Ask, shown: ShownPieces, rules: Rules
) -> Proposal:
    """The name whose number is the largest or smallest: code compares the numbers that are cited."""
    from pincite.generate.forms import NA

    if form.value == NA:
        return NOTHING
    if not form.compared:
        return outright(form, ask, shown)
    rows: list[tuple[str, FoundNumber]] = []
    for compared in form.compared:
        places = located(cited([compared.source])[0], shown)[:1]
        found = list(chain.from_iterable(map(standing, places)))
        if len(found) != 1:
            return Proposal(
                problem=f"no single number stands at the place cited for '{clipped(compared.name)}'"
            )
        rows.append((compared.name, found[0]))
    if problem := _incomparable([found for _, found in rows]):
        return Proposal(problem=problem)
    most = ask.operation == "argmax" or ask.operation != "argmin" and form.wins == "most"
    rows.sort(key=lambda row: row[1].quantity.amount, reverse=most)
    return _winner(rows, "argmax" if most else "argmin", ask)


def _incomparable(numbers: Sequence[FoundNumber]) -> str:
    """Why numbers cannot be compared; empty when they can."""
    if len(numbers) < 2:
        return "only one thing is given where several are compared"
    units = {canonical_unit(number.quantity.unit) for number in numbers}
    return (
        f"the numbers compared are in different units: {', '.join(sorted(units))}"
        if len(units) > 1
        else ""
    )


def _winner(rows: Sequence[tuple[str, FoundNumber]], operation: str, ask: Ask) -> Proposal:
    """The first of the rows by its name: a header of its cell, or as its sentence writes it."""
    evidence = tuple(found.evidence for _, found in rows)
    name, first = rows[0]
    if all(found.cell for _, found in rows):
        header = _header(name, first, [found for _, found in rows[1:]])
        if header is None:
            return Proposal(problem=f"'{clipped(name)}' is no header of the cell cited for it")
        return Proposal((Candidate(header, evidence, operation=operation),))
    spelled = _spelled(name, evidence[0], ask)
    if spelled is None:
        return Proposal(problem=f"'{clipped(name)}' is not named at the place cited for it")
    return Proposal((Candidate(spelled[0], evidence),))


def outright(form: forms.ComparativeForm, ask: Ask, shown: ShownPieces) -> Proposal:
    """The name that running text says has the most or the least; cells say only what can be compared."""
    if not form.sources:
        return Proposal(
            problem="nothing is compared, and no sentence is cited that says which one it is"
        )
    told = _names([form.value], form, ask, shown, single=True)
    if any(candidate.evidence[0].node.table is not None for candidate in told.candidates):
        return Proposal(
            problem=f"{_SIDE} '{clipped(form.value)}': give each of the things compared with its number"
        )
    return told


def _header(said: str, found: FoundNumber, others: Sequence[FoundNumber]) -> str | None:
    """The header of a cell that a name means: its row, its column, a section or its time.

    A part of a header is its name where no header of the other cells holds it; so is one with its words in another order.
    """
    headers, whole = _headers(found), folded(said)[0]
    if exact := next((header for header in headers if folded(header)[0] == whole), None):
        return exact
    rivals = [folded(header)[0] for other in others for header in _headers(other)]
    if whole and not any(whole in rival for rival in rivals):
        for header in headers:
            there, at = folded(header)
            start = there.find(whole)
            if start >= 0:
                return header[at[start] : at[start + len(whole) - 1] + 1]
    wanted = set(words(said))
    return next((header for header in headers if wanted and set(words(header)) == wanted), None)


def _headers(found: FoundNumber) -> list[str]:
    """What a cell of a table is called by: its row, its column, its sections, its times."""
    cell = found.cell
    assert cell is not None
    times = chain.from_iterable((time.text, str(time.year)) for time in cell_times(cell))
    return [header for header in (cell.label, cell.heading, *cell.sections, *times) if header]


def text(form: forms.TextForm, ask: Ask, shown: ShownPieces, rules: Rules) -> Proposal:
    """The sentences that an answer in prose rests on, and the prose when nothing in it goes beyond them."""
    from pincite.generate.forms import NA

    if form.value == NA:
        return NOTHING
    stretches = filter(None, (stretch(source, shown) for source in cited(form.sources)))
    places = list(
        {
            (place.node.id, place.cells, place.start, place.end): place for place in stretches
        }.values()
    )
    about = [place for place in places if bears(ask, place)]
    if not about:
        return _unfounded(places, form, shown)
    if ask.operation in ("argmax", "argmin") and all(
        place.node.table is not None for place in about
    ):
        return Proposal(
            problem=f"{_SIDE} '{clipped(form.value)}': give each of the things compared with its number"
        )
    if problem := unsaid(form.value, ask.query.text, places):
        return Proposal(problem=problem)
    quotes = tuple(" ".join(place.quote.split()) for place in places)
    value: Value = quotes if len(quotes) > 1 else quotes[0]
    return Proposal((Candidate(value, tuple(places)),), said=" ".join(form.value.split()))
