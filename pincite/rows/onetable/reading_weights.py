"""What speaks for and against a reading of a question over a given table, as named numbers, and the choice among readings.

The weights are learned (`scripts/fit_given.py`): a reading's chance is its share of exp(weights · features) over all
readings of the question, and an answer's chance is the sum over the readings that give it.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from pincite.lexicon import pattern, word_set
from pincite.rows.onetable.anchors import STOP, AnchoredQuestion
from pincite.rows.onetable.readings import TableReading
from pincite.rows.onetable.value_grid import ValueGrid
from pincite.rows.programs.program import Field

Features = dict[str, float]

_FILE = Path(__file__).parents[2] / "data" / "given.json"

_CROSSED = (
    "count",
    "times",
    "much",
    "sum",
    "mean",
    "up",
    "down",
    "good",
    "bad",
    "new",
    "old",
    "first",
    "last",
    "next",
    "previous",
    "difference",
    "than",
    "same",
    "other",
    "only",
    "not",
    "or",
    "often",
    "different",
    "yes",
    "who",
    "when",
    "where",
    "years",
    "span",
    "consecutive",
    "over",
    "under",
    "at least",
    "between",
    "higher",
    "lower",
    "above or below",
    "row",
    "present",
    "missing",
    "each",
)
_OWED = (
    "up",
    "down",
    "good",
    "bad",
    "first",
    "last",
    "next",
    "previous",
    "difference",
    "same",
    "other",
    "not",
    "than",
    "over",
    "under",
    "at least",
    "or",
    "often",
    "sum",
    "mean",
    "new",
    "old",
)
_OPENINGS = word_set("rows", "openings")
_PLAIN = frozenset("value exact,value part,value near,and,all".split(","))


def features(asked: AnchoredQuestion, grid: ValueGrid, reading: TableReading) -> Features:
    """The named features of a reading."""
    made: Features = {f"op {reading.operation}": 1.0}
    _crossed(made, asked, reading)
    for name, value in (*reading.subset.features, *reading.features):
        if value:
            made[name] = made.get(name, 0.0) + value
    kind, repeats = _focused(asked, grid)
    made[f"{reading.operation} & focus {kind}"] = 1.0
    if reading.operation.startswith("count") and kind == "text":
        made[f"{reading.operation} & focus repeats {repeats}"] = 1.0
    if reading.operation == "count" and len(reading.subset.rows) == 1:
        made[f"counts a lookup & focus {kind}"] = 1.0
    made[f"{reading.operation} & opens {_opening(asked)}"] = 1.0
    _coverage(made, asked, reading)
    _owed(made, asked, reading)
    _answer(made, asked, grid, reading)
    if reading.operation.startswith("show"):
        _shown(made, asked, grid, reading)
    elif reading.column >= 0:
        made[f"column headed {reading.operation}"] = asked.head_share[reading.column]
    _tested(made, asked, grid, reading)
    made["tested twice"] = float(len(reading.subset.tags) - len(reading.subset.columns) > 1)
    made["tags"] = float(sum(tag not in ("all", "and") for tag in reading.subset.tags))
    return made


def _crossed(made: Features, asked: AnchoredQuestion, reading: TableReading) -> None:
    """What is done, with each word of an operation that the question says."""
    done = [reading.operation, *sorted(set(reading.subset.tags) - _PLAIN)]
    if reading.subset.tags == ("all",):
        done.append("row set")
    for cue in asked.said(*_CROSSED):
        for each in done:
            made[f"{each} & {cue}"] = 1.0


def _opening(asked: AnchoredQuestion) -> str:
    """The word that a question opens with, or "how many" and the like."""
    if asked.words[:2] in (("how", "many"), ("how", "much"), ("how", "long")):
        return " ".join(asked.words[:2])
    return next((word for word in asked.words[:4] if word in _OPENINGS), "none")


def _coverage(made: Features, asked: AnchoredQuestion, reading: TableReading) -> None:
    """How much of what the question says the reading explains."""
    content = [at for at, word in enumerate(asked.words) if word not in STOP]
    left = [at for at in content if at not in reading.used]
    made["covered"] = 1 - len(left) / len(content) if content else 1.0
    headings = set().union(*asked.headed)
    unheaded = [at for at in left if at not in headings]
    anchored = _anchored(asked)
    made["unsaid value"] = sum(anchored.get(at, 0.0) for at in unheaded)
    made["unsaid heading"] = float(len(left) - len(unheaded))
    made["unsaid other"] = float(sum(at not in anchored for at in unheaded))


def _owed(made: Features, asked: AnchoredQuestion, reading: TableReading) -> None:
    """The numbers and the words of operations that the reading leaves unexplained."""
    numbered = set().union(*(number.places for number in asked.numbers if number.digits))
    made["unsaid number"] = float(len(numbered - reading.used))
    for cue in asked.said(*_OWED):
        if reading.used.isdisjoint(start for start, _ in asked.cues[cue]):
            made[f"unsaid {cue}"] = 1.0


def _anchored(asked: AnchoredQuestion) -> dict[int, float]:
    """The words of a question that are found in cells: 1 where they are a whole cell, else a half."""
    anchored: dict[int, float] = {}
    for anchor in asked.anchors:
        for at in anchor.places:
            anchored[at] = max(anchored.get(at, 0.0), 1.0 if anchor.match == "exact" else 0.5)
    return anchored


def _focused(asked: AnchoredQuestion, grid: ValueGrid) -> tuple[str, bool]:
    """What the column holds whose heading is asked for, numbers or text, and whether it says anything twice."""
    focus = set(range(*asked.focus))
    columns = range(len(grid.headings))
    best = max(
        columns, key=lambda at: (len(asked.headed[at] & focus), asked.head_share[at]), default=-1
    )
    if best < 0 or not asked.headed[best] & focus:
        return "none", False
    filled = _filled(grid, best)
    return "numeric" if _is_numeric(grid, best) else "text", len(set(filled)) < len(filled)


def _rank(values: Sequence[float], at: int) -> float:
    """1 for the largest of some values that are not all 0, falling with the place."""
    return 1 / (1 + sum(value > values[at] for value in values)) if values[at] > 0 else 0.0


def _tested(
    made: Features, asked: AnchoredQuestion, grid: ValueGrid, reading: TableReading
) -> None:
    """Whether the columns that rows are chosen by are those that the question is about."""
    for column in reading.subset.columns:
        if asked.like_question:
            made["tested like question"] = max(
                made.get("tested like question", 0.0), asked.like_question[column]
            )
        made["tested adjective"] = max(made.get("tested adjective", 0.0), asked.adjective[column])
    items = (
        [reading.subset.best.item]
        if reading.subset.best
        else [item for item, _ in reading.subset.order[:1]]
    )
    for view in grid.views if items else ():
        if items[0] == Field(view.name):
            _ranked(made, asked, "extreme", view.of)
            made["extreme adjective"] = asked.adjective[view.of]
            made["extreme of first view"] = float(grid.view_of(view.of) == view)
            break
    if reading.column >= 0 and not reading.operation.startswith("show"):
        _ranked(made, asked, reading.operation, reading.column)


def _ranked(made: Features, asked: AnchoredQuestion, label: str, column: int) -> None:
    """How a column stands among all as what the question names."""
    made[f"{label} heading best"] = _rank(asked.head_share, column)
    made[f"{label} headed words"] = float(len(asked.headed[column]))
    if asked.like_question:
        made[f"{label} meaning best"] = _rank(asked.like_question, column)
        made[f"{label} meaning"] = asked.like_question[column]


def _answer(
    made: Features, asked: AnchoredQuestion, grid: ValueGrid, reading: TableReading
) -> None:
    """What the answer itself looks like."""
    n = len(reading.answer)
    made["one answer"] = float(n == 1)
    made["many answers"] = float(n > 3)
    made["rows"] = math.log1p(len(reading.subset.rows))
    text = reading.answer[0]
    number = re.fullmatch(r"[-+]?[\d,.]+", text) is not None
    many = bool(asked.cues["count"] or asked.cues["times"])
    made[f"number {number} many {many}"] = 1.0
    if reading.operation == "count":
        made["counts one"] = float(text == "1")
        made["counts all"] = float(len(reading.subset.rows) == len(grid.cells))
    words = set(asked.words)
    moved = {
        "extreme",
        "end",
        "shift",
        "beyond",
        "than",
        "nearest",
        "same",
        "except",
        "or",
        "top",
        "nth",
        "first n",
        "nth row",
    }
    if (
        reading.operation == "show"
        and reading.column in reading.subset.columns
        and not moved & set(reading.subset.tags)
    ):
        made["says itself"] = 1.0
    if reading.operation.startswith("show") and n == 1:
        said = text.lower().split()
        made["answer said"] = (
            sum(word.strip('"(),.') in words for word in said)
            / len(said)
            * (1.0 if not asked.cues["or"] else 0.2)
        )


def _ends_like_many(word: str) -> bool:
    return len(word) > 1 and word.endswith("s") and not word.endswith(("ss", "us"))


def _shown(
    made: Features, asked: AnchoredQuestion, grid: ValueGrid, reading: TableReading
) -> None:
    """Whether the column that is shown is the one asked for."""
    column = reading.column
    start, end = asked.focus
    made["shown headed"] = asked.head_share[column]
    inside = not asked.headed[column].isdisjoint(range(start, end))
    made["shown in focus"] = float(inside) * asked.head_share[column]
    made["shown ends focus"] = float(end - 1 in asked.headed[column])
    made["shown is tested"] = float(column in reading.subset.columns)
    if asked.like_focus:
        made["shown like focus"] = asked.like_focus[column]
        made["shown most like focus"] = float(asked.like_focus[column] >= max(asked.like_focus))
        made["shown like question"] = asked.like_question[column]
    _ranked(made, asked, "shown", column)
    if asked.like_focus:
        made["shown focus best"] = _rank(asked.like_focus, column)
    filled = _filled(grid, column)
    people = _most(_PERSON, filled, 0.7)
    made[f"shown people {people} who {asked.has('who')}"] = 1.0
    first = column == next(
        (at for at in range(len(grid.headings)) if not _is_numeric(grid, at)), 0
    )
    kind = _kind(grid, column)
    for cue in asked.said("who", "when", "where", "count", "much", "years"):
        made[f"shown {kind} & {cue}"] = 1.0
        if first:
            made[f"shown first & {cue}"] = 1.0
    opening = asked.words[0] if not _OPENINGS.isdisjoint(asked.words[:1]) else "other"
    made[f"shown {kind} opening {opening}"] = 1.0
    made["shown first column"] = float(first)
    made["shown distinct"] = float(len(set(filled)) == len(filled) > 1)
    plural = end > start and _ends_like_many(asked.words[end - 1])
    made[f"plural {plural} one {len(reading.answer) == 1}"] = 1.0
    made["shown place"] = column / len(grid.headings)


_PERSON = pattern("onetable", "person", "cells")
"""Two to four words in capitals, as names of people are."""
_BARE_NUMBER = re.compile(r"\A\W*[\d,.]++\W*+")
_NUMBER = re.compile(r"\A\W*[\d,.]++\w{0,2}\W*+")


def _filled(grid: ValueGrid, column: int) -> list[str]:
    return [cells[column] for cells in grid.cells if cells[column]]


def _most(pattern: re.Pattern[str], texts: Sequence[str], share: float = 0.5) -> bool:
    """Whether more than a share of some texts are of a pattern."""
    return sum(pattern.fullmatch(text) is not None for text in texts) > share * len(texts)


def _kind(grid: ValueGrid, column: int) -> str:
    """What a column that is shown holds."""
    if _most(_BARE_NUMBER, _filled(grid, column)):
        return "numeric"
    return "text" if grid.view_of(column, "year", "date") is None else "dated"


def _is_numeric(grid: ValueGrid, column: int) -> bool:
    filled = _filled(grid, column)
    return not filled or _most(_NUMBER, filled)


@lru_cache(maxsize=1)
def shipped() -> dict[str, dict[str, float]]:
    """The shipped `weights` of readings by feature and those of the `confidence` in the likeliest answer."""
    held: dict[str, dict[str, float]] = json.loads(_FILE.read_text(encoding="utf-8"))
    return held


def _score(row: Features, by: Mapping[str, float]) -> float:
    return math.fsum(by.get(name, 0.0) * value for name, value in row.items())


def chances(by: Mapping[str, float], rows: Sequence[Features]) -> list[float]:
    """The chance of each reading among all, in [0, 1]."""
    scores = [_score(row, by) for row in rows]
    most = max(scores, default=0.0)
    shares = [math.exp(score - most) for score in scores]
    total = math.fsum(shares)
    return [share / total for share in shares]


_SURE = frozenset(
    "covered,unsaid value,unsaid heading,unsaid other,unsaid number,one answer,many answers,rows,counts one,counts all,"
    "answer said,tags,share,shown headed,shown in focus,shown first column,shown distinct,says itself,value under its heading,"
    "inside a longer value,part of what is whole".split(",")
)


def surety(row: Features, share: float, sums: Sequence[float]) -> Features:
    """What tells whether the likeliest answer is right: how it stands out, and what its reading leaves unsaid.

    `row` are the features of its reading and `share` the reading's chance; `sums` are the chances of all answers, falling.
    """
    made = {
        name: value
        for name, value in row.items()
        if name in _SURE or name.startswith(("op ", "match "))
    }
    made["log chance"] = math.log(sums[0])
    made["log doubt"] = math.log(1 - min(sums[0], 1.0) + 1e-4)
    made["second"] = sums[1] if len(sums) > 1 else 0.0
    made["log answers"] = math.log(len(sums))
    made["log share"] = math.log(max(share, 1e-9))
    made["entropy"] = -math.fsum(each * math.log(each + 1e-12) for each in sums)
    made["bias"] = 1.0
    return made


def confidence(row: Features, by: Mapping[str, float] | None = None) -> float:
    """The chance that the likeliest answer is right: a logistic model of `surety`."""
    held = shipped()["confidence"] if by is None else by
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, _score(row, held)))))


def likeliest(
    answers: Sequence[tuple[str, ...]], chance: Sequence[float]
) -> list[tuple[int, float]]:
    """The best reading of each answer with the answer's chance, the likeliest answer first."""
    sums: dict[tuple[str, ...], float] = {}
    best: dict[tuple[str, ...], int] = {}
    for at, (answer, share) in enumerate(zip(answers, chance, strict=True)):
        sums[answer] = sums.get(answer, 0.0) + share
        if answer not in best or share > chance[best[answer]]:
            best[answer] = at
    ranked = sorted(sums, key=lambda answer: -sums[answer])
    return [(best[answer], sums[answer]) for answer in ranked]
