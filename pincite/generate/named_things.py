"""Names that a model gives: of things and persons where a place writes them, and of what has the most or the least.

The name is read from its place, not from the reply. Which thing has the most is decided by code, from the numbers that are cited.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from pincite.document.cell_values import cell_times
from pincite.document.times import when
from pincite.document.words import runs_in, stems, words
from pincite.evidence.candidate import Candidate, Evidence
from pincite.evidence.cited_place import clipped
from pincite.generate.place_relevance import bearing
from pincite.generate.problem import ReplyProblem
from pincite.generate.proposal import NOTHING, Proposal, cited, cited_places
from pincite.generate.rules import Rules
from pincite.generate.shown_pages import ShownPieces
from pincite.generate.source_places import FoundNumber, folded, located, standing, unplaced
from pincite.generate.spoken_sentences import links
from pincite.quantity import canonical_unit
from pincite.question.ask import Ask

if TYPE_CHECKING:
    from pincite.generate import forms

_BY_NUMBERS = (
    "Name in compared each of the things that are compared with the cell or sentence of its number, or cite a sentence of "
    "running text that says outright which it is; or answer N/A."
)
_ENDING = re.compile(r"[^\W\d_]{1,3}(?![^\W_])")
"""Letters that may end a word behind its stem."""
_AS_WRITTEN = "Copy the name as the cited place writes it, or cite the place that writes it so; or answer N/A."


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
    about, doubted = bearing(ask, cited_places(form.sources, shown))
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
    if links(item) or _address_like(item) and not ask.says("address"):
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
        end = _word_end(place.quote, at[found + len(needle) - 1] + 1)
        return " ".join(place.quote[at[found] : end].split()), place
    own, there = words(text), set(words(place.quote))
    option = own and set(own) <= set(ask.words)
    return (text, place) if option and not place.cells and there.issuperset(own) else None


def _word_end(text: str, end: int) -> int:
    """Where the word ends that a name breaks off in, if only a few letters are missing: "Intervention" of "Interventions"."""
    ending = _ENDING.match(text, end) if text[end - 1].isalpha() else None
    return ending.end() if ending else end


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
    quotes: dict[str, Evidence] = {}
    for compared in form.compared:
        places = located(cited([compared.source])[0], shown)[:1]
        found = _amounts(chain.from_iterable(map(standing, places)))
        if len(found) != 1:
            problem = ReplyProblem(
                f"no single number stands at the place cited for '{clipped(compared.name)}'",
                "Cite for each thing one cell, or a quote with just its own number; or answer N/A.",
                unfound=True,
            )
            return Proposal(problem=problem)
        rows.append((compared.name, found[0]))
        quotes[compared.name] = places[0]
    if told := _incomparable([found for _, found in rows]):
        return Proposal(problem=ReplyProblem(told, _BY_NUMBERS))
    most = ask.operation == "argmax" or ask.operation != "argmin" and form.wins == "most"
    rows.sort(key=lambda row: row[1].quantity.amount, reverse=most)
    operation = "argmax" if most else "argmin"
    return _told_together(rows, quotes, operation, ask) or _winner(rows, operation, ask)


def _amounts(numbers: Iterable[FoundNumber]) -> list[FoundNumber]:
    """The numbers of a place without the years beside them ("$20.8 million in 2018"); years alone as they are."""
    found = list(numbers)
    return [number for number in found if number.quantity.unit != "year"] or found


def _incomparable(numbers: Sequence[FoundNumber]) -> str:
    """Why numbers cannot be compared; empty when they can. A bare number goes with all but percentages."""
    if len(numbers) < 2:
        return "only one thing is given where several are compared"
    units = {canonical_unit(number.quantity.unit) for number in numbers}
    units -= set() if "%" in units else {""}
    return (
        f"the numbers compared are in different units: {', '.join(sorted(units))}"
        if len(units) > 1
        else ""
    )


def _told_together(
    rows: Sequence[tuple[str, FoundNumber]],
    quotes: Mapping[str, Evidence],
    operation: str,
    ask: Ask,
) -> Proposal | None:
    """The first of the rows where one sentence on what is asked tells all of them: "$19 million in 2019 and $20 million in 2018".

    None where each is told elsewhere, or the parts that are quoted do not tell a name each.
    """
    if any(found.cell for _, found in rows) or len(quotes) < len(rows):
        return None
    sentences = {(found.evidence.node.id, found.evidence.quote) for _, found in rows}
    asked = ask.stems
    if len(sentences) > 1 or 2 * len(asked & set(stems(rows[0][1].evidence.quote))) < len(asked):
        return None
    places = [quotes[name] for name, _ in rows]
    own = all(
        runs_in(name, place.quote) == (place is quotes[name])
        for name, _ in rows
        for place in places
    )
    return Proposal((Candidate(rows[0][0], tuple(places), operation=operation),)) if own else None


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
        return cells_for_the_most(form.value)
    return told


def cells_for_the_most(value: str) -> Proposal:
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
    if any(runs_in(said, header) for other in others for header in _headers(other)):
        return None
    for header in (header for header in headers if runs_in(said, header)):
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
