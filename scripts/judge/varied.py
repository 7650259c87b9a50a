"""Variations of a right pair over a cell: a name, a part of a whole or a basis is added to question and place, matching or
not.

Question sets over single tables never say whose table it is and seldom contain two rows with one label. A judge trained
on them alone would ignore what matters most in reports: this firm, that segment, on that basis.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

from example import Pair

from pincite.evidence.judge_input import CellPlace

SCOPES = (
    "Group", "Parent company", "Continuing operations", "Discontinued operations", "Domestic", "International", "Europe",
    "North America", "Asia Pacific", "Latin America", "Germany", "Sweden", "United Kingdom", "China", "Retail", "Wholesale",
    "Corporate", "Consumer", "Industrial", "Services", "Products", "Upstream", "Downstream", "Own workforce", "Contractors",
    "Subsidiaries", "Joint ventures", "Associates", "Site A", "Site B", "Batch 1", "Batch 2", "Hardware", "Software",
)  # fmt: skip
"""Parts of a whole, beside those that the tables themselves name."""
BASES = (
    ("basic", "diluted"), ("gross", "net"), ("adjusted", "reported"), ("budgeted", "actual"), ("average", "closing"),
    ("before tax", "after tax"), ("pro forma", "as reported"), ("at constant currency", "as reported"), ("minimum", "maximum"),
    ("market-based", "location-based"), ("absolute", "per employee"), ("total", "per share"), ("mean", "median"),
    ("current", "non-current"), ("short-term", "long-term"), ("restated", "originally reported"), ("planned", "achieved"),
    ("direct", "indirect"), ("estimated", "measured"), ("opening", "closing"), ("weighted average", "year-end"),
    ("fair value of", "carrying amount of"), ("cash", "accrued"),
    ("target for", "actual"), ("male", "female"), ("permanent", "temporary"), ("dry", "wet"), ("GAAP", "non-GAAP"),
)  # fmt: skip
"""Two ways to measure one thing."""
FORMS = (
    "{} plc", "{} AG", "{} Inc.", "{} Group", "{} AB", "{} Corporation", "{} SE", "{} Holdings", "{}", "{} & Co.", "{} Energy",
)  # fmt: skip
TITLES = (
    "{} annual report {}", "{} {} 10-K", "{} sustainability report {}", "{}", "{}_{}_AR", "Interim report {1} {0}", "{} {}",
)  # fmt: skip
_SYLLABLES = "ka ver no dal fen mor lis tra bel os gri pa hul sen vik ar cor ten al ri".split()


KNOWN = (
    "Nestlé", "Volvo", "Siemens", "Walmart", "Toyota", "Unilever", "Ericsson", "Shell", "BASF", "Intel", "Ford", "Danone",
    "Nokia", "Samsung", "IKEA", "Lufthansa", "Roche", "Novartis", "SAP", "Tesco", "Heineken", "Airbus", "Bayer", "Sony", "Pfizer",
    "Target", "Gap", "Delta", "United", "General Motors", "Deutsche Bank", "Bank of America", "HSBC", "ABB", "Sandvik", "Equinor",
)  # fmt: skip
"""Names that people know, some of them words of other meanings."""


def name(chance: random.Random) -> str:
    """A company's name: one that people know, or one that nobody has."""
    if chance.random() < 0.4:
        return chance.choice(KNOWN)
    stem = "".join(chance.sample(_SYLLABLES, chance.choice((2, 2, 3)))).capitalize()
    return chance.choice(FORMS).format(stem)


def bare(firm: str) -> str:
    """A company's name as people say it."""
    return firm.split()[0]


def about(question: str, words: str, chance: random.Random) -> str:
    """`question` with a phrase added where people add it."""
    stem = question.rstrip("? .")
    end = "?" if question.rstrip().endswith("?") else ""
    for phrase in ("the company", "the Company", "the firm"):
        if phrase in stem:
            return stem.replace(phrase, words, 1) + end
    if chance.random() < 0.3:
        return f"{words}: {question}"
    return f"{stem} {chance.choice(('of', 'for', 'at', 'in'))} {words}{end}"


def named(right: Pair, chance: random.Random) -> Iterator[Pair]:
    """The pair with a firm in its question: the title says the same firm or none; that of another firm is wrong."""
    assert isinstance(right.place, CellPlace)
    firm, other = name(chance), name(chance)
    if bare(firm) == bare(other):
        return
    said = about(right.question, chance.choice((firm, bare(firm))), chance)
    year = str(chance.randint(2005, 2025))
    title = chance.choice(TITLES)
    caption = right.place.caption
    own, theirs = (
        " - ".join(filter(None, (title.format(who, year), caption))) for who in (firm, other)
    )
    yield replace(
        right,
        question=said,
        place=replace(right.place, caption=chance.choice((own, own, caption))),
    )
    yield right.wrong("entity", replace(right.place, caption=theirs), said)
    yield replace(right, place=replace(right.place, caption=own))


def parted(right: Pair, scopes: Sequence[str], chance: random.Random) -> Iterator[Pair]:
    """The pair with a part of a whole in question and place: another part is wrong, and so is the part for the whole."""
    place = right.place
    assert isinstance(place, CellPlace)
    if len(place.row) > 1 or not place.row:
        return
    mine, other = chance.sample(sorted(set(scopes) | set(SCOPES)), 2)
    if {*mine.lower().split()} & {*other.lower().split(), *right.question.lower().split()}:
        return
    said = about(right.question, mine if chance.random() < 0.6 else mine.lower(), chance)

    def under(scope: str) -> CellPlace:
        manner = chance.random()
        if manner < 0.6:
            return replace(place, row=(scope, *place.row))
        if manner < 0.8:
            return replace(place, column=(scope, *place.column))
        return replace(place, row=(*place.row[:-1], f"{place.row[-1]}, {scope}"))

    yield replace(right, question=said, place=under(mine))
    yield right.wrong("scope", under(other), said)
    if chance.random() < 0.5:
        yield right.wrong("scope", under(other))
    elif chance.random() < 0.5:
        yield right.wrong("scope", question=said)


def based(right: Pair, chance: random.Random) -> Iterator[Pair]:
    """The pair with a basis in its row label: the same basis in the question is right, the other one is wrong."""
    place = right.place
    assert isinstance(place, CellPlace)
    if not place.row or not place.row[-1]:
        return
    label = place.row[-1]
    at = right.question.lower().find(label.lower())
    bases = chance.choice(BASES)
    mine, other = bases if chance.random() < 0.5 else bases[::-1]
    whole = at == 0 or right.question[at - 1].isspace()
    if at < 0 or not whole or {*mine.split(), *other.split()} & {*label.lower().split()}:
        return

    def measured(basis: str) -> CellPlace:
        low = label if label.isupper() else label[0].lower() + label[1:]
        text = (
            f"{basis[0].upper()}{basis[1:]} {low}"
            if chance.random() < 0.7
            else f"{label} ({basis})"
        )
        return replace(place, row=(*place.row[:-1], text))

    said = f"{right.question[:at]}{mine} {right.question[at:]}"
    yield replace(right, question=said, place=measured(mine))
    yield right.wrong("basis", measured(other), said)
    if chance.random() < 0.5:
        yield right.wrong("basis", measured(chance.choice((mine, other))))


def varied(right: Pair, scopes: Sequence[str], chance: random.Random) -> Iterator[Pair]:
    """One of the variations of a right pair over a cell, drawn by chance; `scopes` are parts of wholes that its tables name."""
    way = chance.random()
    if way < 0.4:
        yield from named(right, chance)
    elif way < 0.75:
        yield from parted(right, scopes, chance)
    else:
        yield from based(right, chance)
