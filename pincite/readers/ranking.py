"""One order over the candidates of every reader, and with it one confidence: how often an answer like this one is right.

Each reader orders its own candidates. Here a logistic model over a few features that all candidates share (the reader's own
score and its lead, the page's rank, how much of the question the place covers, unit, period, agreement, what the judge of
evidence says, and which form of answer goes with which kind of question) puts them on one scale. Its weights are fitted by
`scripts/fit_rank.py` on questions of several kinds; the likelihood it gives, straightened by the curve fitted with it, is the
confidence.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files
from math import log

from pincite.document.words import stems, words
from pincite.evidence.candidate import Candidate, Passage
from pincite.evidence.judge import likelihood
from pincite.evidence.judged_evidence import lowest_odds, sort_of
from pincite.quantity import compatible, same
from pincite.quantity.units import is_counted, is_currency
from pincite.question.ask import Ask
from pincite.question.named_unit import counted_unit
from pincite.readers.kind_fit import asked_unit
from pincite.readers.unnamed_document import judged
from pincite.types import Quantity, Value

READERS = "cells", "words", "numbers"
"""The readers of pages, in the order in which their candidates are given; the ranker's features are called by them."""
KEPT = 8
"""Candidates of each reader that are compared."""
JUDGED = 8
"""Candidates of all readers together that the judge of evidence is asked about."""
BESIDE = 120
"""Characters on either side of a span that stand beside it."""
SURE = 6.0
"""Log-odds of the judge beyond which it is as sure as can be."""
DATE = 25
"""Characters of the longest date."""
PHRASE = 6
"""Words of the longest name or phrase; what is longer is a clause."""
_BY_UNIT = {"year": "year", "%": "percent", "": "count"}
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
SAME = 0.005
"""Relative difference up to which two candidates say the same number."""


@dataclass(frozen=True, slots=True)
class Ranker:
    """The fitted weights, and the slope and offset that turn their sum into a calibrated log-odds."""

    weights: Mapping[str, float]
    slope: float
    offset: float


@lru_cache(maxsize=1)
def load_ranker() -> Ranker:
    """The fitted ranker."""
    given = json.loads(files("pincite").joinpath("data/ranker.json").read_text("utf-8"))
    return Ranker(given["weights"], given["slope"], given["offset"])


def ranked(
    ask: Ask, passages: Sequence[Passage], readers: Sequence[Sequence[Candidate]]
) -> list[Candidate]:
    """The candidates of all readers, `score` their calibrated likelihood of being right."""
    ranker = load_ranker()
    kept, plain = hopeful(ask, passages, readers)
    rows = with_judge(plain, kept, lowest_odds(judged(ask, passages, kept)))
    scored = [
        replace(
            candidate, score=likelihood(ranker.slope * odds(ranker.weights, row) + ranker.offset)
        )
        for candidate, row in zip(kept, rows, strict=True)
    ]
    return sorted(scored, key=lambda candidate: -candidate.score)


def hopeful(
    ask: Ask, passages: Sequence[Passage], readers: Sequence[Sequence[Candidate]]
) -> tuple[list[Candidate], list[dict[str, float]]]:
    """The candidates that the judge is asked about, with their features: the best without what it says.

    It takes most of the time of an answer, and candidates behind these hardly ever come first.
    """
    weights = load_ranker().weights
    kept = [candidate for reader in readers for candidate in reader[:KEPT]]
    rows = described(ask, passages, readers)
    first = sorted(range(len(kept)), key=lambda at: -odds(weights, rows[at]))[:JUDGED]
    return [kept[at] for at in sorted(first)], [rows[at] for at in sorted(first)]


def odds(weights: Mapping[str, float], row: Mapping[str, float]) -> float:
    """The weighted sum of a row of features."""
    return sum(weights.get(name, 0.0) * value for name, value in row.items())


def described(
    ask: Ask, passages: Sequence[Passage], readers: Sequence[Sequence[Candidate]]
) -> list[dict[str, float]]:
    """The features of the first candidates of each of READERS, reader by reader."""
    places = {passage.node.id: passage for passage in passages}
    terms = set(ask.terms or ask.words)
    kind, said = ask.kind, ask.stems
    tables = any(passage.node.table is not None for passage in passages)
    rows = []
    for number, (reader_name, reader) in enumerate(zip(READERS, readers, strict=True)):
        kept = reader[:KEPT]
        others = [
            other for group in (*readers[:number], *readers[number + 1 :]) for other in group[:3]
        ]
        for position, candidate in enumerate(kept):
            row = (
                _standing(kept, reader_name, position)
                | _asked(ask, candidate)
                | _formed(ask, kind, said, candidate)
            )
            row |= _place(candidate, places, terms, reader_name)
            row[f"{reader_name}:no tables"] = float(not tables)
            row[f"{reader_name}:agreed"] = float(_votes(candidate, others) > 0)
            row[f"{reader_name}:votes"] = log(1.0 + _votes(candidate, kept))
            rows.append(row)
    return rows


def _votes(candidate: Candidate, others: Sequence[Candidate]) -> int:
    """How many other candidates say the same."""
    return sum(_alike(candidate.value, other.value) for other in others if other is not candidate)


def _standing(reader: Sequence[Candidate], reader_name: str, position: int) -> dict[str, float]:
    """What a candidate is, and how far its own reader puts it before the next one."""
    candidate = reader[position]
    sort = f"{reader_name}:{_sort(candidate)}"
    lead = 2.0
    if len(reader) > 1:
        lead = _logit(candidate.score) - _logit(reader[0 if position else 1].score)
    return {
        "constant": 1.0,
        sort: 1.0,
        f"{sort}:score": _logit(candidate.score),
        f"{reader_name}:lead": max(-4.0, min(4.0, lead)),
        f"{reader_name}:alone": float(len(reader) == 1),
        "first": float(position == 0),
        f"{reader_name}:counted": candidate.features.get("noun", 0.0),
    }


def _asked(ask: Ask, candidate: Candidate) -> dict[str, float]:
    """How the unit and the period of a candidate fit the question."""
    row = {"short question": float(len(ask.terms) < 4)}
    first, unit = candidate.first, asked_unit(ask) or counted_unit(ask)
    if isinstance(first, Quantity):
        if unit:
            row[_unit_fit(unit, first.unit)] = 1.0
        row["year"] = float(first.unit == "year")
        row["range"] = float(first.low is not None)
        row["zero"] = float(first.value == 0)
    years = {str(when.year) for when in ask.periods}
    if years and candidate.period:
        row[
            "period fits" if any(year in candidate.period for year in years) else "period differs"
        ] = 1.0
    row["period asked"] = float(bool(years))
    return row


def _unit_fit(asked: str, held: str) -> str:
    """How the unit of an amount fits the asked one."""
    if not held:
        return "unit missing"
    return (
        "unit fits" if held.startswith(f"{asked}/") or compatible(asked, held) else "unit differs"
    )


def with_judge(
    rows: Sequence[dict[str, float]],
    candidates: Sequence[Candidate],
    chances: Sequence[float | None],
) -> list[dict[str, float]]:
    """The rows with what the judge of evidence says of each candidate's places, and of those of other values."""
    best = max((chance for chance in chances if chance is not None), default=0.0)
    known = [
        (candidate, chance)
        for candidate, chance in zip(candidates, chances, strict=True)
        if chance is not None
    ]
    made = []
    for row, candidate, chance in zip(rows, candidates, chances, strict=True):
        said = {}
        if chance is not None:
            sort = sort_of(candidate.value, candidate.operation)
            rivals = [other for rival, other in known if not _alike(rival.value, candidate.value)]
            said = {
                f"judge {sort}": max(-SURE, min(SURE, chance)),
                "judge behind": min(best - chance, SURE),
                "judge leads": max(0.0, min(chance - max(rivals, default=-SURE), SURE)),
                "judge first": float(chance == best),
            }
        made.append(row | said)
    return made


def _formed(ask: Ask, kind: str, said: frozenset[str], candidate: Candidate) -> dict[str, float]:
    """What form a value has for a question of that kind, and how much of the question's stems, which it `said`, it repeats."""
    form = _form(candidate.first)
    row = {f"{ask.expects} asked: {form}": 1.0, f"{kind}: {form}": 1.0}
    row[f"{ask.expects} asked: several"] = float(len(candidate.values) > 1)
    if isinstance(candidate.first, str):
        own = stems(candidate.first)
        repeated = sum(stem in said for stem in own)
        row |= {"repeated": repeated / max(1, len(own)), "words": min(4.0, log(1 + len(own)))}
        row["repeated whole"] = float(0 < repeated == len(own))
    return row


def _form(value: Value) -> str:
    """The form of an answer: yes or no, money, a percentage, a count, a measure, a year, a date, a name, a phrase or a clause."""
    match value:
        case bool():
            return "truth"
        case Quantity():
            if is_counted(value.unit):
                return "count"
            return _BY_UNIT.get(value.unit) or ("money" if is_currency(value.unit) else "measure")
    text = str(value)
    if len(text) < DATE and _YEAR.search(text):
        return "date"
    parts = text.split()
    if len(parts) > PHRASE:
        return "clause"
    return "name" if sum(part[:1].isupper() for part in parts) * 2 > len(parts) else "phrase"


def _place(
    candidate: Candidate, places: Mapping[str, Passage], terms: set[str], reader_name: str
) -> dict[str, float]:
    """How well the page and the place of a candidate fit the question."""
    if not candidate.evidence:
        return {}
    where = candidate.evidence[0]
    node = where.node
    known = places.get(node.id)
    passage = known or Passage(node)
    if where.cells and node.table is not None:
        whole, near = node.table.caption, candidate.subject
    else:
        whole, near = (
            node.text[:2000],
            node.text[max(0, where.start - BESIDE) : where.end + BESIDE],
        )
    around = " ".join((candidate.subject, candidate.period, passage.heading, passage.title, whole))
    count = max(1, len(terms))
    covered = len(terms & set(words(around))) / count
    beside = terms & set(words(near))
    best = max((passage.score for passage in places.values()), default=0.0)
    return {
        f"{reader_name}:page": 1.0 / (1.0 + passage.rank),
        f"{reader_name}:covered": covered,
        f"{reader_name}:uncovered half": float(covered < 0.5),
        f"{reader_name}:beside": len(beside) / count,
        f"{reader_name}:nothing beside": float(not beside),
        "page score": passage.score / best if best > 0 else float(known is not None),
    }


def _sort(candidate: Candidate) -> str:
    """What sort of value a candidate has, and where: "computed number in cells"."""
    match candidate.value:
        case bool():
            return "truth"
        case tuple():
            kind = "list"
        case Quantity():
            kind = "number"
        case _:
            kind = "words"
    where = "cells" if candidate.in_cells else "text"
    return f"{'computed ' if candidate.operation else ''}{kind} in {where}"


def _alike(a: Value, b: Value) -> bool:
    if isinstance(a, Quantity) and isinstance(b, Quantity):
        if a.unit and b.unit and a.unit != b.unit and not _count_things(a, b):
            return same(a, b)
        low, high = sorted((abs(a.amount), abs(b.amount)))
        return a.value * b.value >= 0 and float(high - low) <= SAME * float(high)
    if isinstance(a, str) and isinstance(b, str):
        return a.casefold().strip() == b.casefold().strip()
    return a == b


def _count_things(a: Quantity, b: Quantity) -> bool:
    """Whether both are numbers of things: what one page calls employees, another calls people."""
    return is_counted(a.unit) and is_counted(b.unit)


def _logit(p: float) -> float:
    p = max(0.01, min(0.99, p))
    return log(p / (1.0 - p))
