"""From a form that a model filled in to candidates, each over places in the pages that were shown.

The value of a candidate is read from its place; where a reply says otherwise, the candidate says what the reply says, so
that the check names the difference. What rests on no place at all is not proposed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain, islice
from typing import TYPE_CHECKING

from pincite.document.times import when
from pincite.document.words import words
from pincite.evidence.candidate import Candidate, Evidence
from pincite.evidence.cited_place import clipped
from pincite.evidence.stance import read_truth
from pincite.evidence.term_match import match
from pincite.evidence.value_in_words import worded
from pincite.generate.named_cell import named_cell
from pincite.generate.named_things import cells_for_the_most
from pincite.generate.operations import operated
from pincite.generate.place_relevance import bearing, bears, elsewhere
from pincite.generate.problem import ReplyProblem
from pincite.generate.proposal import NOTHING, Proposal, cited, cited_places
from pincite.generate.rules import Rules
from pincite.generate.shown_pages import ShownPieces
from pincite.generate.source_places import (
    FoundNumber,
    located,
    means,
    near_text,
    numbers_on,
    standing,
    stretch,
    subject_of,
    unplaced,
    with_counts,
    with_notes,
    written,
)
from pincite.generate.spoken_sentences import unsaid
from pincite.generate.stated_truth import objection
from pincite.question.ask import Ask
from pincite.types import Quantity, Value

if TYPE_CHECKING:
    from pincite.generate import forms

OPPOSED = 0.85
"""How sure the reader without a model must be that a page speaks of what a model finds nowhere."""


def number(form: forms.NumberForm, ask: Ask, shown: ShownPieces, rules: Rules) -> Proposal:
    """A quoted number, or one that code computes."""
    from pincite.generate.forms import NA

    if form.value == NA and not (form.operation.strip() and form.sources):
        return NOTHING
    if form.operation.strip():
        return operated(form, ask, shown)
    said = written(form.value, form.scale, form.unit)
    if said is None:
        problem = ReplyProblem(
            f"'{clipped(form.value)}' is not a number",
            "Write value in digits alone, its scale and unit in their own fields, or answer N/A.",
            unfound=True,
        )
        return Proposal(problem=problem)
    places = cited_places(form.sources, shown)
    numbers = list(chain.from_iterable(map(standing, places)))
    named = named_cell(form.step_by_step_analysis, shown)
    right = (
        list(chain.from_iterable(map(standing, located(named, shown) if named else ())))
        or _meant(said, numbers, ask, shown)
        or _on_pages_named(said, form, ask, shown)
    )
    wrong = tuple(
        replace(_quoted_number(number), value=said)
        for number in numbers
        if all(number.evidence != held.evidence for held in right)
    )
    if right:
        return replace(_of_what_is_asked(right, ask, shown), wrong=wrong)
    what = f"{_said_in_full(form)} does not stand at the places cited or on the pages named"
    if not places and form.sources:
        what += f"; {unplaced(cited(form.sources), shown).what}"
    remedy = (
        "Cite the cell or sentence that prints the number, and give it as it is printed there, with the scale and the unit of "
        "its table; or answer N/A."
    )
    return Proposal(problem=ReplyProblem(what, remedy, unfound=True), wrong=wrong)


def _said_in_full(form: forms.NumberForm) -> str:
    """A number as a reply writes it, with its scale and unit."""
    return clipped(" ".join(filter(None, (form.value, form.scale, form.unit))))


def _on_pages_named(
    said: Quantity, form: forms.NumberForm, ask: Ask, shown: ShownPieces
) -> list[FoundNumber]:
    """Where a number stands on the pages that a reply names; what no place is cited for must speak of the question by itself."""
    named = {*form.relevant_pages, *(source.page for source in form.sources)}
    pages = [page for at, page in enumerate(shown.pages, 1) if at in named]
    standing_there = _meant(said, numbers_on(pages, shown), ask, shown)
    return [number for number in standing_there if number.cell or bears(ask, number.evidence)]


def _of_what_is_asked(right: Sequence[FoundNumber], ask: Ask, shown: ShownPieces) -> Proposal:
    """The numbers that are of what the question asks, in sentences that answer where there are any; else why the first is not."""
    problems = [elsewhere(ask, number, shown) for number in right]
    fitting = [number for number, problem in zip(right, problems, strict=True) if not problem]
    if not fitting:
        return Proposal(problem=problems[0])
    sure = [number for number in fitting if number.cell or bears(ask, number.evidence)]
    return Proposal(tuple(map(_quoted_number, sure or fitting)), doubted=not sure)


def _meant(
    said: Quantity, numbers: Iterable[FoundNumber], ask: Ask, shown: ShownPieces
) -> list[FoundNumber]:
    """The numbers that a written one means, as they stand or in the scale that a note on their page declares.

    Their unit may be named on the page or in the question; a note in the very scale that the question wants goes first.
    """
    meant: list[FoundNumber] = []
    for number in numbers:
        near = f"{near_text(number.evidence, shown)}\n{ask.text} {ask.query.unit}"
        ways: Iterable[FoundNumber] = chain(with_counts(number), with_notes(number, shown))
        if ask.scale:
            ways = sorted(ways, key=lambda way: way.quantity.scale != ask.scale)
        meant += islice((way for way in ways if _is_meant(said, way.quantity, near)), 1)
    return meant


def _is_meant(said: Quantity, there: Quantity, near: str) -> bool:
    """Whether a written number is the one that stands at a place; said without a scale, its digits may be in the place's."""
    printed = replace(said, scale=there.scale) if said.scale == 1 else said
    return means(said, there, near) or means(printed, there, near)


def numbers(form: forms.AnswerForm, ask: Ask, shown: ShownPieces, rules: Rules) -> Proposal:
    """Several quoted numbers, each at its own place, in the order of the question."""
    if not form.value:
        return NOTHING
    if form.operation.strip():
        problem = ReplyProblem(
            "an operation is named for several numbers, and only one number is computed",
            "Leave the operation empty and cite for each number the place where it stands, or answer N/A.",
        )
        return Proposal(problem=problem)
    sources = form.sources * len(form.value) if len(form.sources) == 1 else form.sources
    if len(sources) != len(form.value):
        problem = ReplyProblem(
            f"{len(form.value)} numbers are given with {len(sources)} places",
            "Cite exactly one place for each number, in the order of the numbers.",
        )
        return Proposal(problem=problem)
    held: list[Candidate] = []
    for value, source in zip(form.value, sources, strict=True):
        proposal = number(_alone(value, source, form), ask, shown, rules)
        places = [candidate.evidence for candidate in held]
        found = next(
            (candidate for candidate in proposal.candidates if candidate.evidence not in places),
            None,
        )
        if found is None:
            twice = ReplyProblem(
                f"'{clipped(value)}' is given twice from one place",
                "Give each number once, with the place of its own time or thing.",
            )
            problem_of_one = twice if proposal.candidates else proposal.problem
            return Proposal(problem=problem_of_one, wrong=proposal.wrong)
        held.append(found)
    held = _in_order_of_times(ask, held)
    if told := misordered(ask, held):
        remedy = "Give the numbers in the order in which the question names their times or things."
        return Proposal(problem=ReplyProblem(told, remedy))
    values = tuple(candidate.value for candidate in held if isinstance(candidate.value, Quantity))
    together = Candidate(values, tuple(candidate.evidence[0] for candidate in held))
    return Proposal((together,))  # each is judged by the check, for its own time


def _in_order_of_times(ask: Ask, held: list[Candidate]) -> list[Candidate]:
    """Several numbers in the order of the question's times, where each is of just one of them; else as they are."""
    times = _times_asked(ask, held)
    ordered = [each for time in times for each in held if time in each.period]
    each_once = len(ordered) == len(held) == len({id(each) for each in ordered})
    return ordered if each_once else held


def _times_asked(ask: Ask, held: Sequence[Candidate]) -> list[str]:
    """The years that a question asks for, where they are as many as these numbers."""
    times = [str(period.year) for period in ask.periods]
    return times if len(times) == len(held) == len(set(times)) else []


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
    if times := _times_asked(ask, held):
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
    about, doubted = bearing(ask, _statements(form.sources, shown))
    silent_no = rules.silent_no(ask)
    objections = [None if doubted else objection(ask, place, value, silent_no) for place in about]
    fitting = [place for place, problem in zip(about, objections, strict=True) if not problem]
    if fitting:
        found = tuple(Candidate(value, (place,)) for place in fitting[:3])
        return Proposal(found, doubted=doubted)
    if about:
        return Proposal(problem=objections[0])
    if value or form.sources:
        return Proposal(problem=unplaced(cited(form.sources), shown))
    if silent_no:
        return silence(ask, shown)
    problem = ReplyProblem(
        "no place is cited for the no, and where the pages are silent it is no answer here",
        "Cite the sentence that says no, or answer N/A.",
    )
    return Proposal(problem=problem)


def _statements(sources: Sequence[forms.Source], shown: ShownPieces) -> list[Evidence]:
    """The places that the sources of a form mean; of a quote that leaves words out, all of it."""
    found: list[Evidence] = []
    for source in cited(sources):
        whole, parts = stretch(source, shown), located(source, shown)
        joined = whole is not None and whole not in parts
        found += [whole] if whole is not None and joined else parts
    return found


def silence(ask: Ask, shown: ShownPieces) -> Proposal:
    """A no that rests on silence, where code as well finds nothing on the pages that speaks of it; else the problem."""
    told = replace(ask, query=replace(ask.query, silence="no"))
    stances = read_truth(told, *match(ask.text, shown.passages))
    remedy = "Cite the sentence that says yes or no, or answer N/A."
    if not stances:
        return Proposal(
            problem=ReplyProblem("nothing was read that could be silent on it", remedy)
        )
    if stances[0].value is True and stances[0].score >= OPPOSED:
        spoken = clipped(stances[0].evidence[0].quote)
        return Proposal(
            problem=ReplyProblem(f"the reply says no, and a page speaks of it: '{spoken}'", remedy)
        )
    return Proposal(tuple(stance for stance in stances if stance.value is False))


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
    about, doubted = bearing(ask, places)
    if not about:
        return Proposal(problem=unplaced(cited(form.sources), shown))
    if ask.operation in ("argmax", "argmin") and all(
        place.node.table is not None for place in about
    ):
        return cells_for_the_most(form.value)
    if problem := unsaid(form.value, ask.query.text, places):
        return Proposal(problem=problem)
    quotes = tuple(" ".join(place.quote.split()) for place in places)
    value: Value = quotes if len(quotes) > 1 else quotes[0]
    told = " ".join(form.value.split())
    return Proposal((Candidate(value, tuple(places)),), said=told, doubted=doubted)
