"""Read a table whose rows are records (players, races, films): conditions pick rows, a column gives the answer.

Candidate programs are tried: the value of a column in the rows that the question names, in the first or last of them, in the
row before or after, in the row where a number is largest or smallest; how many rows there are, their sum, the difference of two.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from pincite.answer.candidate import Candidate, Evidence, Passage
from pincite.answer.labels import is_blank
from pincite.answer.question import Ask
from pincite.answer.times import when
from pincite.answer.words import stems, words
from pincite.kept import kept
from pincite.quantity import parse
from pincite.types import Quantity, Table, Value

KEEP = 120
_TARGETS = 4
_TOTAL = re.compile(r"(?:grand\s+)?totals?\b", re.IGNORECASE)
_CUES = {
    name: re.compile(pattern, re.IGNORECASE)
    for name, pattern in {
        "first": r"\b(?:first|earliest|initial|start|begin\w*|top|oldest|originally)\b",
        "last": r"\b(?:last|latest|final|end|bottom|most\s+recent|newest|currently)\b",
        "next": r"\b(?:next|after|following|followed|below|later|subsequent\w*|immediately)\b",
        "previous": r"\b(?:previous\w*|before|prior|preced\w+|above|earlier|ahead)\b",
        "most": r"\b(?:most|highest|largest|greatest|biggest|best|longest|maximum|tallest|top|more|higher|larger|greater|longer|"
                r"latest|oldest)\b",
        "least": r"\b(?:least|lowest|smallest|fewest|shortest|minimum|worst|less|lower|fewer|smaller|shorter|earliest|"
                 r"youngest)\b",
        "many": r"\bhow\s+many\b|\bnumber\s+of\b|\bamount\s+of\b",
        "total": r"\b(?:total|sum|combined|altogether|all|overall)\b",
        "difference": r"\bdifference\b|\bhow\s+(?:many|much)\s+(?:\w+\s+)?(?:more|less|fewer|longer|higher|older)\b|\bthan\b",
        "or": r"\bor\b",
        "only": r"\b(?:only|each|every|other|besides|not|never|no)\b",
        "same": r"\bsame\b|\bother\s+than\b|\bbesides\b",
        "threshold": r"\b(?:more|less|fewer|greater|higher|lower|over|under|above|below|at\s+least|at\s+most|exceed\w*)\b",
        "when": r"\b(?:when|what\s+(?:year|date)|which\s+year|what\s+day)\b",
        "who": r"\bwho\b",
        "long": r"\bhow\s+long\b|\bhow\s+many\s+years\b",
    }.items()
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Grid:
    """A table as records, before any question: the name of each column and its words, the text, words and number of each cell.

    `said` are a cell's words between blanks, `held` the rows that a word stands in.
    """

    names: tuple[str, ...]
    named: tuple[frozenset[str], ...]
    rows: tuple[int, ...]
    texts: Mapping[tuple[int, int], str]
    numbers: Mapping[tuple[int, int], Decimal]
    said: Mapping[tuple[int, int], str]
    held: Mapping[str, tuple[int, ...]]
    totals: frozenset[int]
    numeric: tuple[bool, ...]
    periodic: float


@dataclass(frozen=True, slots=True)
class Records:
    """A table as records, and how they meet the question.

    `met` is the share of the question's words that a row holds, `whole` that of words in cells which stand in the question as
    a whole, `about` how well a column's name fits what is asked; `beside` says that running text comes with the table.
    """

    passage: Passage
    grid: Grid
    met: dict[int, float]
    whole: dict[int, float]
    about: tuple[float, ...]
    beside: bool
    asked: str

    @property
    def most(self) -> float:
        """What no program over these records scores more than."""
        return max(self.met.values()) + max(self.whole.values()) + max(self.about)


@dataclass(frozen=True, slots=True)
class _Program:
    """What a program over records gives, before its features are worked out: most programs are never looked at again."""

    score: float
    name: str
    rows: Sequence[int]
    column: int
    value: Value
    operation: str
    more: Mapping[str, float]
    asked: float
    blank: float
    records: Records


def read_records(ask: Ask, passages: Sequence[Passage]) -> list[Candidate]:
    """What reading the rows of each table as records may answer, best first."""
    cues = {name: float(bool(pattern.search(ask.text))) for name, pattern in _CUES.items()}
    beside = any(p.node.kind != "table" for p in passages)
    tables = [_records(ask, p, p.node.table, beside) for p in passages if p.node.table is not None]
    tables = [records for records in tables if records.grid.rows]
    programs: dict[int, list[_Program]] = {}
    best: list[float] = []
    for at in sorted(range(len(tables)), key=lambda at: -tables[at].most):
        if len(best) == KEEP and tables[at].most < best[-1]:
            break  # nothing in this table or in those behind it can be among the best any more
        programs[at] = list(_programs(ask, tables[at]))
        best = sorted((*best, *(program.score for program in programs[at])), reverse=True)[:KEEP]
    found = [program for at in sorted(programs) for program in programs[at]]
    found.sort(key=lambda program: -program.score)
    return [_made(ask, cues, program) for program in found[:KEEP]]


@kept
def _grid(table: Table) -> Grid:
    width = max((c.column + c.column_span for c in table.cells), default=0)
    names: list[list[str]] = [[] for _ in range(width)]
    texts: dict[tuple[int, int], str] = {}
    for cell in table.cells:
        if cell.row < table.header_rows:
            for column in range(cell.column, cell.column + cell.column_span):
                names[column].append(cell.text)
        else:
            texts[cell.row, cell.column] = " ".join(cell.text.split())
    rows = tuple(sorted({row for row, _ in texts}))
    headers = tuple(" ".join(name) for name in names)
    numbers = {at: number for at, text in texts.items() if (number := _number(text)) is not None}
    words_of = {at: _all_words(text) for at, text in texts.items()}
    held: dict[str, dict[int, None]] = {}
    for (row, _), said in words_of.items():
        for word in said:
            held.setdefault(word, {})[row] = None
    return Grid(
        headers,
        tuple(frozenset(words(header)) or frozenset(stems(header)) for header in headers),
        rows,
        texts,
        numbers,
        {at: f" {' '.join(cell)} " for at, cell in words_of.items()},
        {word: tuple(standing) for word, standing in held.items()},
        frozenset(row for row in rows if _TOTAL.match(texts.get((row, 0), ""))),
        tuple(sum((row, column) in numbers for row in rows) * 2 > len(rows) for column in range(width)),
        sum(bool(when(name)) for name in headers) / len(headers) if headers else 0.0,
    )


def _records(ask: Ask, passage: Passage, table: Table, beside: bool) -> Records:
    grid = _grid(table)
    asked = list(dict.fromkeys(_all_words(ask.text)))
    weight = {word: math.log1p(len(grid.rows) / len(grid.held[word])) for word in asked if word in grid.held}
    unseen = math.log1p(len(grid.rows) + 1)
    total = sum(weight.get(word, 0.3 * unseen) for word in asked) or 1.0
    said = f" {' '.join(_all_words(ask.text))} "
    sums, whole = dict.fromkeys(grid.rows, 0.0), {}
    for word, share in weight.items():
        for row in grid.held[word]:
            sums[row] += share
    inside: dict[int, set[str]] = {}
    for (row, _), cell in grid.said.items():
        if cell in said and cell.strip():
            inside.setdefault(row, set()).update(cell.split())
    met = {row: value / total for row, value in sums.items()}
    for row in grid.rows:
        whole[row] = math.fsum(weight.get(word, 0.0) for word in inside.get(row, ())) / total
    wants, every = set(words(ask.wants)), set(asked)
    about = []
    for name in grid.named:
        shared = len(name & every) / len(name) if name else 0.0
        about.append(shared + (0.7 * len(name & wants) / len(wants) if wants else 0.0))
    return Records(passage, grid, met, whole, tuple(about), beside, said)


def _all_words(text: str) -> list[str]:
    return words(text) or stems(text)


def _number(text: str) -> Decimal | None:
    if not re.search(r"\d", text) or len(text) > 24:
        return None
    quantity = parse(text)
    return quantity.amount if quantity else None


def _programs(ask: Ask, records: Records) -> Iterator[_Program]:
    grid = records.grid
    width = len(grid.names)
    targets = sorted(range(width), key=lambda c: -records.about[c])
    chosen = list(dict.fromkeys([*targets[:_TARGETS], 0, min(1, width - 1)]))
    scores = {row: records.met[row] + records.whole[row] for row in grid.rows}
    ranked = sorted(grid.rows, key=lambda row: -scores[row])
    best = scores[ranked[0]]
    named = [row for row in grid.rows if scores[row] >= best - 1e-9] if best > 0 else []
    exact = [row for row in grid.rows if records.whole[row] > 0]
    groups = {"all": list(grid.rows), "named": named, "exact": exact}
    numeric = [column for column in targets if grid.numeric[column]]
    ends = {
        (measure, kind): (
            max(rows, key=lambda row: grid.numbers[row, measure]),
            min(rows, key=lambda row: grid.numbers[row, measure]),
        )
        for measure in numeric[:3]
        for kind, group in groups.items()
        if len(rows := [row for row in group if (row, measure) in grid.numbers and row not in grid.totals]) > 1
    }
    for column in chosen:
        for rank, row in enumerate(ranked[:3]):
            yield _value(records, "at", row, column, {"rank": float(rank)})
        for kind, group in groups.items():
            if 1 < len(group) <= 8 and kind != "all":
                listed = tuple(grid.texts.get((row, column), "") for row in group)
                yield _program(records, f"list {kind}", group, column, listed, "")
            if len(group) > 1:
                yield _value(records, f"first {kind}", group[0], column, {})
                yield _value(records, f"last {kind}", group[-1], column, {})
        if named and len(named) <= 3:
            order = list(grid.rows)
            if (at := order.index(named[-1])) + 1 < len(order):
                yield _value(records, "next", order[at + 1], column, {})
            if (at := order.index(named[0])) > 0:
                yield _value(records, "previous", order[at - 1], column, {})
        if kind_counts := Counter(grid.texts.get((row, column), "") for row in grid.rows):
            common = kind_counts.most_common(1)[0][0]
            first = next(row for row in grid.rows if grid.texts.get((row, column), "") == common)
            yield _value(records, "commonest", first, column, {"repeats": float(kind_counts[common] > 1)})
        for (measure, kind), (high, low) in ends.items():
            more = {"measure": records.about[measure], "own": float(measure == column)}
            yield _value(records, f"most {kind}", high, column, more)
            yield _value(records, f"least {kind}", low, column, more)
    yield from _aggregates(ask, records, groups, numeric[:4])


def _aggregates(
    ask: Ask, records: Records, groups: Mapping[str, list[int]], numeric: Sequence[int]
) -> Iterator[_Program]:
    """Counts, sums and differences over the rows that a question names."""
    grid = records.grid
    for kind, group in groups.items():
        rows = [row for row in group if row not in grid.totals]
        if rows:
            yield _program(records, f"count {kind}", rows, 0, Quantity(Decimal(len(rows))), "count")
    for column in numeric:
        for kind, group in groups.items():
            rows = [row for row in group if (row, column) in grid.numbers and row not in grid.totals]
            values = [grid.numbers[row, column] for row in rows]
            if len(rows) > 1:
                total = Quantity(sum(values, Decimal(0)))
                yield _program(records, f"sum {kind}", rows, column, total, "sum")
                pair = rows[:2] if kind != "all" else [rows[values.index(max(values))], rows[values.index(min(values))]]
                gap = abs(grid.numbers[pair[0], column] - grid.numbers[pair[1], column])
                high_first = sorted(pair, key=lambda row: -grid.numbers[row, column])
                yield _program(records, f"gap {kind}", high_first, column, Quantity(gap), "difference")
            if ask.threshold is not None and kind != "named":
                limit = ask.threshold.amount
                meets = [
                    r for r, v in zip(rows, values, strict=True) if (v > limit if ask.order == "more" else v < limit)
                ]
                if meets:
                    yield _program(records, f"meeting {kind}", meets, column, Quantity(Decimal(len(meets))), "count")


_NONE: Mapping[str, float] = {}


def _value(records: Records, name: str, row: int, column: int, more: Mapping[str, float]) -> _Program:
    return _program(records, name, (row,), column, records.grid.texts.get((row, column), ""), "", more)


def _program(
    records: Records, name: str, rows: Sequence[int], column: int, value: Value, operation: str,
    more: Mapping[str, float] = _NONE,
) -> _Program:  # fmt: skip
    text = value if isinstance(value, str) else ""
    asked = float(bool(text) and records.grid.said[rows[0], column] in records.asked)
    blank = float(not operation and is_blank(text))
    met, whole = (max(map(of.__getitem__, rows)) for of in (records.met, records.whole))
    score = met + whole + records.about[column] - asked - blank
    return _Program(score, name, rows, column, value, operation, more, asked, blank, records)


def _made(ask: Ask, cues: Mapping[str, float], one: _Program) -> Candidate:
    """A candidate with the features that say how program, rows and column suit the question."""
    records, rows, column = one.records, one.rows, one.column
    grid = records.grid
    features = {
        "met": max(records.met[row] for row in rows),
        "whole": max(records.whole[row] for row in rows),
        "about": records.about[column],
        "asked": one.asked,
        "blank": one.blank,
        "numeric": float(bool(one.operation) or (rows[0], column) in grid.numbers),
        "first column": float(column == 0),
        "few": float(len(rows) == 1),
        "plural": float(isinstance(one.value, tuple) and ask.expects == "names"),
        "periodic": grid.periodic,
        "beside text": float(records.beside),
        **one.more,
    }
    features |= {f"program {one.name}": 1.0}
    features |= {f"program {one.name}&{cue}": value for cue, value in cues.items() if value}
    if features["numeric"]:
        features |= {f"numeric&{cue}": value for cue, value in cues.items() if value}
    node = records.passage.node
    where = tuple(
        Evidence(node, ((row, column),), quote=grid.texts.get((row, column), ""), document=records.passage.document)
        for row in rows
    )
    subject = grid.texts.get((rows[0], 0), "")
    return Candidate(one.value, where, subject=subject, operation=one.operation, score=one.score, features=features)
