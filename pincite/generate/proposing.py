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
from pincite.evidence.candidate import Candidate, Evidence, Passage
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
from pincite.generate.problem import ReplyProblem
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
_BY_NUMBERS = (
    "Name in compared each of the things that are compared with the cell or sentence of its number, or cite a sentence of "
    "running text that says outright which it is; or answer N/A."
)
_AS_WRITTEN = "Copy the name as the cited place writes it, or cite the place that writes it so; or answer N/A."


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

    Their unit may be named on the page or in the question.
    """
    meant: list[FoundNumber] = []
    for number in numbers:
        near = f"{near_text(number.evidence, shown)}\n{ask.text} {ask.query.unit}"
        ways = chain([number], with_notes(number, shown))
        meant += islice((way for way in ways if _is_meant(said, way.quantity, near)), 1)
    return meant


def _is_meant(said: Quantity, there: Quantity, near: str) -> bool:
    """Whether a written number is the one that stands at a place; said without a scale, its digits may be in the place's."""
    printed = replace(said, scale=there.scale) if said.scale == 1 else said
    return means(said, there, near) or means(printed, there, near)


def _places(sources: Sequence[forms.Source], shown: ShownPieces) -> list[Evidence]:
    """The places that a form cites."""
    return list(chain.from_iterable(located(source, shown) for source in cited(sources)))


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
    doubted = False
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
        doubted = doubted or proposal.doubted
    if told := misordered(ask, held):
        remedy = "Give the numbers in the order in which the question names their times or things."
        return Proposal(problem=ReplyProblem(told, remedy))
    values = tuple(candidate.value for candidate in held if isinstance(candidate.value, Quantity))
    together = Candidate(values, tuple(candidate.evidence[0] for candidate in held))
    return Proposal((together,), doubted=doubted)


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
    about, doubted = _bearing(ask, _places(form.sources, shown))
    fitting = [place for place in about if not (value and denied(ask, place))]
    if fitting:
        found = tuple(Candidate(value, (place,)) for place in fitting[:3])
        return Proposal(found, doubted=doubted)
    if about:
        problem = ReplyProblem(
            f"'{clipped(about[0].quote)}' is cited for a yes and denies it",
            "Answer no with this sentence, cite one that says yes, or answer N/A.",
        )
        return Proposal(problem=problem)
    if value or form.sources:
        return Proposal(problem=unplaced(cited(form.sources), shown))
    if rules.silent_no(ask):
        return silence(ask, shown)
    problem = ReplyProblem(
        "no place is cited for the no, and where the pages are silent it is no answer here",
        "Cite the sentence that says no, or answer N/A.",
    )
    return Proposal(problem=problem)


def _bearing(ask: Ask, places: Sequence[Evidence]) -> tuple[list[Evidence], bool]:
    """The places that the judge of evidence takes for ones that answer; where none is, all of them, as doubted."""
    about = [place for place in places if bears(ask, place)]
    return about or list(places), not about


def denied(ask: Ask, place: Evidence) -> bool:
    """Whether the words of a quote deny, near the words of the question, what it asks."""
    alone = Passage(Node("", "paragraph", place.quote, Anchor("")))
    stances = [] if place.cells else read_truth(ask, *match(ask.text, [alone]))
    return (
        bool(stances)
        and stances[0].features["truth_negative"] >= 1
        and stances[0].features["truth_total"] < 0.5
    )


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
    about, doubted = _bearing(ask, _places(form.sources, shown))
    if not about:
        return Proposal(problem=unplaced(cited(form.sources), shown))
    held: list[tuple[str, Evidence]] = []
    for item in listed:
        if problem := _no_name(item, ask):
            return Proposal(problem=problem)
        found = next((spelled for place in about if (spelled := _spelled(item, place, ask))), None)
        if found is None:
            what = f"'{clipped(item)}' does not stand at the places cited"
            return Proposal(problem=ReplyProblem(what, _AS_WRITTEN, unfound=True))
        held.append(found)
    if single:
        return Proposal((Candidate(held[0][0], (held[0][1],)),), doubted=doubted)
    listed_there = Candidate(tuple(text for text, _ in held), tuple(where for _, where in held))
    return Proposal((listed_there,), doubted=doubted)


def _no_name(item: str, ask: Ask) -> ReplyProblem | None:
    """Why a text cannot be the name that is asked for; None when it can."""
    if links(item) or _address_like(item) and not says(ask.text, "address"):
        return ReplyProblem(
            f"'{clipped(item)}' is a link, which is not asked for",
            "Give the name itself as the page writes it, or answer N/A.",
        )
    if ask.wants.split()[-1:] in (["year"], ["years"]) and not any(
        time.year for time in when(item)
    ):
        return ReplyProblem(
            f"'{clipped(item)}' names no year, which the question asks for",
            "Give the year as a page writes it, or answer N/A.",
        )
    return None


def _address_like(text: str) -> bool:
    return bool(re.search(r"\w+\.(?:com|org|net|io|ai|co|example|test|dev|app)\b|@\w", text))


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
            problem = ReplyProblem(
                f"no single number stands at the place cited for '{clipped(compared.name)}'",
                "Cite for each thing one cell, or a quote with just its own number; or answer N/A.",
                unfound=True,
            )
            return Proposal(problem=problem)
        rows.append((compared.name, found[0]))
    if told := _incomparable([found for _, found in rows]):
        return Proposal(problem=ReplyProblem(told, _BY_NUMBERS))
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
            problem = ReplyProblem(
                f"'{clipped(name)}' is no header of the cell cited for it",
                "Name each thing as the row or column of its own cell names it, or answer N/A.",
                unfound=True,
            )
            return Proposal(problem=problem)
        return Proposal((Candidate(header, evidence, operation=operation),))
    spelled = _spelled(name, evidence[0], ask)
    if spelled is None:
        what = f"'{clipped(name)}' is not named at the place cited for it"
        return Proposal(problem=ReplyProblem(what, _AS_WRITTEN, unfound=True))
    return Proposal((Candidate(spelled[0], evidence),))


def outright(form: forms.ComparativeForm, ask: Ask, shown: ShownPieces) -> Proposal:
    """The name that running text says has the most or the least; cells say only what can be compared."""
    if not form.sources:
        what = "nothing is compared, and no sentence is cited that says which one it is"
        return Proposal(problem=ReplyProblem(what, _BY_NUMBERS))
    told = _names([form.value], form, ask, shown, single=True)
    if any(candidate.evidence[0].node.table is not None for candidate in told.candidates):
        return _cells_for_the_most(form.value)
    return told


def _cells_for_the_most(value: str) -> Proposal:
    """No proposal: a cell alone does not say that something has the most or the least."""
    what = f"a cell does not say what has the most or the least, as it is cited for '{clipped(value)}'"
    return Proposal(problem=ReplyProblem(what, _BY_NUMBERS))


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
    about, doubted = _bearing(ask, places)
    if not about:
        return Proposal(problem=unplaced(cited(form.sources), shown))
    if ask.operation in ("argmax", "argmin") and all(
        place.node.table is not None for place in about
    ):
        return _cells_for_the_most(form.value)
    if problem := unsaid(form.value, ask.query.text, places):
        return Proposal(problem=problem)
    quotes = tuple(" ".join(place.quote.split()) for place in places)
    value: Value = quotes if len(quotes) > 1 else quotes[0]
    told = " ".join(form.value.split())
    return Proposal((Candidate(value, tuple(places)),), said=told, doubted=doubted)
