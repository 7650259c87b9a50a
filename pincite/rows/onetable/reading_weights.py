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

from pincite.lexicon import word_set
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
    tags = sorted(
        {tag for tag in reading.subset.tags if tag not in _PLAIN}
        | ({"row set"} if reading.subset.tags == ("all",) else set())
    )
    for cue in _CROSSED:
        if asked.cues[cue]:
            made[f"{reading.operation} & {cue}"] = 1.0
            for tag in tags:
                made[f"{tag} & {cue}"] = 1.0
    for name, value in (*reading.subset.features, *reading.features):
        if value:
            made[name] = made.get(name, 0.0) + value
    kind, repeats = _focused(asked, grid)
    made[f"{reading.operation} & focus {kind}"] = 1.0
    if reading.operation.startswith("count") and kind == "text":
        made[f"{reading.operation} & focus repeats {repeats}"] = 1.0
    if reading.operation == "count" and len(reading.subset.rows) == 1:
        made[f"counts a lookup & focus {kind}"] = 1.0
    opening = next((word for word in asked.words[:4] if word in _OPENINGS), "none")
    if asked.words[:2] in (("how", "many"), ("how", "much"), ("how", "long")):
        opening = " ".join(asked.words[:2])
    made[f"{reading.operation} & opens {opening}"] = 1.0
    _coverage(made, asked, reading)
    _answer(made, asked, grid, reading)
    if reading.operation.startswith("show"):
        _shown(made, asked, grid, reading)
    elif reading.column >= 0:
        made[f"column headed {reading.operation}"] = asked.head_share[reading.column]
    _tested(made, asked, grid, reading)
    made["tested twice"] = float(len(reading.subset.tags) - len(reading.subset.columns) > 1)
    made["tags"] = float(len([tag for tag in reading.subset.tags if tag not in ("all", "and")]))
    return made


def _coverage(made: Features, asked: AnchoredQuestion, reading: TableReading) -> None:
    """How much of what the question says the reading explains."""
    content = [at for at, word in enumerate(asked.words) if word not in STOP]
    left = [at for at in content if at not in reading.used]
    made["covered"] = 1 - len(left) / len(content) if content else 1.0
    anchored: dict[int, float] = {}
    for anchor in asked.anchors:
        for at in range(anchor.start, anchor.end):
            anchored[at] = max(anchored.get(at, 0.0), 1.0 if anchor.match == "exact" else 0.5)
    headings = set().union(*asked.headed) if asked.headed else set()
    made["unsaid value"] = sum(anchored.get(at, 0.0) for at in left if at not in headings)
    made["unsaid heading"] = float(sum(at in headings for at in left))
    made["unsaid other"] = float(sum(at not in headings and at not in anchored for at in left))
    numbered = {at for number in asked.numbers if number.digits for at in range(number.start, number.end)}
    made["unsaid number"] = float(len(numbered - reading.used))
    for cue in _OWED:
        if asked.cues[cue] and not any(start in reading.used for start, _ in asked.cues[cue]):
            made[f"unsaid {cue}"] = 1.0


def _focused(asked: AnchoredQuestion, grid: ValueGrid) -> tuple[str, bool]:
    """What the column holds whose heading is asked for, numbers or text, and whether it says anything twice."""
    focus = set(range(*asked.focus))
    columns = range(len(grid.headings))
    best = max(columns, key=lambda at: (len(asked.headed[at] & focus), asked.head_share[at]), default=-1)
    if best < 0 or not asked.headed[best] & focus:
        return "none", False
    filled = [cells[best] for cells in grid.cells if cells[best]]
    return "numeric" if _is_numeric(grid, best) else "text", len(set(filled)) < len(filled)


def _rank(values: Sequence[float], at: int) -> float:
    """1 for the largest of some values that are not all 0, falling with the place."""
    return 1 / (1 + sum(value > values[at] for value in values)) if values[at] > 0 else 0.0


def _tested(made: Features, asked: AnchoredQuestion, grid: ValueGrid, reading: TableReading) -> None:
    """Whether the columns that rows are chosen by are those that the question is about."""
    for column in reading.subset.columns:
        if asked.like_question:
            made["tested like question"] = max(made.get("tested like question", 0.0), asked.like_question[column])
        made["tested adjective"] = max(made.get("tested adjective", 0.0), asked.adjective[column])
    item = (
        reading.subset.best.item
        if reading.subset.best
        else reading.subset.order[0][0]
        if reading.subset.order
        else None
    )
    if item is not None:
        view = next((view for view in grid.views if item == Field(view.name)), None)
        if view is not None:
            _ranked(made, asked, "extreme", view.of)
            made["extreme adjective"] = asked.adjective[view.of]
            made["extreme of first view"] = float(grid.view_of(view.of) == view)
    if reading.operation not in ("count",) and not reading.operation.startswith("show") and reading.column >= 0:
        _ranked(made, asked, reading.operation, reading.column)


def _ranked(made: Features, asked: AnchoredQuestion, label: str, column: int) -> None:
    """How a column stands among all as what the question names."""
    made[f"{label} heading best"] = _rank(asked.head_share, column)
    made[f"{label} headed words"] = float(len(asked.headed[column]))
    if asked.like_question:
        made[f"{label} meaning best"] = _rank(asked.like_question, column)
        made[f"{label} meaning"] = asked.like_question[column]


def _answer(made: Features, asked: AnchoredQuestion, grid: ValueGrid, reading: TableReading) -> None:
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
            sum(word.strip('"(),.') in words for word in said) / len(said) * (1.0 if not asked.cues["or"] else 0.2)
        )


_ENDS_LIKE_MANY = re.compile(r".*[^su]s$")


def _shown(made: Features, asked: AnchoredQuestion, grid: ValueGrid, reading: TableReading) -> None:
    """Whether the column that is shown is the one asked for."""
    column = reading.column
    start, end = asked.focus
    focus = range(start, end)
    made["shown headed"] = asked.head_share[column]
    inside = asked.headed[column] & set(focus)
    made["shown in focus"] = float(bool(inside)) * asked.head_share[column]
    made["shown ends focus"] = float(end - 1 in asked.headed[column])
    made["shown is tested"] = float(column in reading.subset.columns)
    if asked.like_focus:
        made["shown like focus"] = asked.like_focus[column]
        made["shown most like focus"] = float(asked.like_focus[column] >= max(asked.like_focus))
        made["shown like question"] = asked.like_question[column]
    _ranked(made, asked, "shown", column)
    if asked.like_focus:
        made["shown focus best"] = _rank(asked.like_focus, column)
    people = _people(grid, column)
    made[f"shown people {people} who {bool(asked.cues['who'])}"] = 1.0
    filled = [cells[column] for cells in grid.cells if cells[column]]
    numeric = sum(bool(re.fullmatch(r"^\W*[\d,.]++\W*+", text)) for text in filled) > len(filled) / 2
    dated = grid.view_of(column, "year", "date") is not None
    distinct = len(set(filled)) == len(filled) > 1
    first = column == next((at for at in range(len(grid.headings)) if not _is_numeric(grid, at)), 0)
    kind = "numeric" if numeric else "dated" if dated else "text"
    for cue in ("who", "when", "where", "count", "much", "years"):
        if asked.cues[cue]:
            made[f"shown {kind} & {cue}"] = 1.0
            if first:
                made[f"shown first & {cue}"] = 1.0
    opening = asked.words[0] if asked.words and asked.words[0] in _OPENINGS else "other"
    made[f"shown {kind} opening {opening}"] = 1.0
    made["shown first column"] = float(first)
    made["shown distinct"] = float(distinct)
    plural = end > start and bool(_ENDS_LIKE_MANY.match(asked.words[end - 1]))
    made[f"plural {plural} one {len(reading.answer) == 1}"] = 1.0
    made["shown place"] = column / len(grid.headings)


_PERSON = re.compile(r"[A-Z][^\W\d_]*+[.'-]?\w*+(?: (?:[A-Z]\.?|[^\W\d_][\w.'-]*+)){1,3}(?: \(.*\))?")


def _people(grid: ValueGrid, column: int) -> bool:
    """Whether most cells of a column are two to four words in capitals, as names of people are."""
    filled = [cells[column] for cells in grid.cells if cells[column]]
    return bool(filled) and sum(_PERSON.fullmatch(text) is not None for text in filled) > 0.7 * len(filled)


def _is_numeric(grid: ValueGrid, column: int) -> bool:
    filled = [cells[column] for cells in grid.cells if cells[column]]
    return not filled or sum(bool(re.fullmatch(r"^\W*[\d,.]++\w{0,2}\W*+", text)) for text in filled) > len(filled) / 2


@lru_cache(maxsize=1)
def shipped() -> dict[str, dict[str, float]]:
    """The shipped `weights` of readings by feature and those of the `confidence` in the likeliest answer."""
    held: dict[str, dict[str, float]] = json.loads(_FILE.read_text(encoding="utf-8"))
    return held


def chances(by: Mapping[str, float], rows: Sequence[Features]) -> list[float]:
    """The chance of each reading among all, in [0, 1]."""
    scores = [math.fsum(by.get(name, 0.0) * value for name, value in row.items()) for row in rows]
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
    made = {name: value for name, value in row.items() if name in _SURE or name.startswith(("op ", "match "))}
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
    total = math.fsum(value * held.get(name, 0.0) for name, value in row.items())
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, total))))


def likeliest(answers: Sequence[tuple[str, ...]], chance: Sequence[float]) -> list[tuple[int, float]]:
    """The best reading of each answer with the answer's chance, the likeliest answer first."""
    sums: dict[tuple[str, ...], float] = {}
    best: dict[tuple[str, ...], int] = {}
    for at, (answer, share) in enumerate(zip(answers, chance, strict=True)):
        sums[answer] = sums.get(answer, 0.0) + share
        if answer not in best or share > chance[best[answer]]:
            best[answer] = at
    ranked = sorted(sums, key=lambda answer: -sums[answer])
    return [(best[answer], sums[answer]) for answer in ranked]
