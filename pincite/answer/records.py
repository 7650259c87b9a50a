"""Read a table whose rows are records (players, races, films): conditions pick rows, a column gives the answer.

Candidate programs are tried: the value of a column in the rows that the question names, in the first or last of them, in the
row before or after, in the row where a number is largest or smallest; how many rows there are, their sum, the difference of two.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from pincite.answer.candidate import Candidate, Evidence, Passage
from pincite.answer.labels import is_blank
from pincite.answer.question import Ask
from pincite.answer.times import when
from pincite.answer.words import stems, words
from pincite.quantity import parse
from pincite.types import Quantity, Table, Value

KEEP = 120
_TARGETS = 4
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
class Records:
    """A table as records: the name of each column, the text and number of each cell, and how they meet the question.

    `met` is the share of the question's words that a row holds, `whole` that of words in cells which stand in the question as
    a whole, `about` how well a column's name fits what is asked; `beside` says that running text comes with the table.
    """

    passage: Passage
    names: tuple[str, ...]
    rows: tuple[int, ...]
    texts: dict[tuple[int, int], str]
    numbers: dict[tuple[int, int], Decimal]
    met: dict[int, float]
    whole: dict[int, float]
    about: tuple[float, ...]
    beside: bool


def read_records(ask: Ask, passages: Sequence[Passage]) -> list[Candidate]:
    """What reading the rows of each table as records may answer, best first."""
    cues = {name: float(bool(pattern.search(ask.text))) for name, pattern in _CUES.items()}
    found: list[Candidate] = []
    for passage in passages:
        if passage.node.table is not None:
            beside = any(p.node.kind != "table" for p in passages)
            found += _programs(ask, cues, _records(ask, passage, passage.node.table, beside))
    found.sort(key=lambda c: -c.score)
    return found[:KEEP]


def _records(ask: Ask, passage: Passage, table: Table, beside: bool) -> Records:
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
    numbers = {at: number for at, text in texts.items() if (number := _number(text)) is not None}
    headers = tuple(" ".join(name) for name in names)
    asked = list(dict.fromkeys(_all_words(ask.text)))
    in_rows = Counter(
        word for row in rows for word in {w for c in range(width) for w in _all_words(texts.get((row, c), ""))}
    )
    weight = {word: math.log1p(len(rows) / in_rows[word]) for word in asked if in_rows[word]}
    unseen = math.log1p(len(rows) + 1)
    total = sum(weight.get(word, 0.3 * unseen) for word in asked) or 1.0
    said = " ".join(_all_words(ask.text))
    met, whole = {}, {}
    for row in rows:
        cells = [_all_words(texts.get((row, column), "")) for column in range(width)]
        seen = {word for cell in cells for word in cell}
        met[row] = sum(w for word, w in weight.items() if word in seen) / total
        inside = [cell for cell in cells if cell and f" {' '.join(cell)} " in f" {said} "]
        whole[row] = math.fsum(weight.get(word, 0.0) for word in {word for cell in inside for word in cell}) / total
    wants = set(words(ask.wants))
    about = []
    for header in headers:
        name = set(words(header)) or set(stems(header))
        shared = len(name & set(asked)) / len(name) if name else 0.0
        about.append(shared + (0.7 * len(name & wants) / len(wants) if wants else 0.0))
    return Records(passage, headers, rows, texts, numbers, met, whole, tuple(about), beside)


def _all_words(text: str) -> list[str]:
    return words(text) or stems(text)


def _number(text: str) -> Decimal | None:
    if not re.search(r"\d", text) or len(text) > 24:
        return None
    quantity = parse(text)
    return quantity.amount if quantity else None


def _programs(ask: Ask, cues: dict[str, float], records: Records) -> Iterator[Candidate]:
    if not records.rows:
        return
    width = len(records.names)
    targets = sorted(range(width), key=lambda c: -records.about[c])
    chosen = list(dict.fromkeys([*targets[:_TARGETS], 0, min(1, width - 1)]))
    scores = {row: records.met[row] + records.whole[row] for row in records.rows}
    ranked = sorted(records.rows, key=lambda row: -scores[row])
    best = scores[ranked[0]]
    named = [row for row in records.rows if scores[row] >= best - 1e-9] if best > 0 else []
    exact = [row for row in records.rows if records.whole[row] > 0]
    groups = {"all": list(records.rows), "named": named, "exact": exact}
    for column in chosen:
        for rank, row in enumerate(ranked[:3]):
            yield _value(ask, cues, records, "at", (row,), column, {"rank": float(rank)})
        for kind, group in groups.items():
            if 1 < len(group) <= 8 and kind != "all":
                listed = tuple(records.texts.get((row, column), "") for row in group)
                yield _made(ask, cues, records, f"list {kind}", group, column, listed, "", {})
            if len(group) > 1:
                yield _value(ask, cues, records, f"first {kind}", (group[0],), column, {})
                yield _value(ask, cues, records, f"last {kind}", (group[-1],), column, {})
        if named and len(named) <= 3:
            order = list(records.rows)
            if (at := order.index(named[-1])) + 1 < len(order):
                yield _value(ask, cues, records, "next", (order[at + 1],), column, {})
            if (at := order.index(named[0])) > 0:
                yield _value(ask, cues, records, "previous", (order[at - 1],), column, {})
        if kind_counts := Counter(records.texts.get((row, column), "") for row in records.rows):
            common = kind_counts.most_common(1)[0][0]
            first = next(row for row in records.rows if records.texts.get((row, column), "") == common)
            yield _value(ask, cues, records, "commonest", (first,), column, {"repeats": float(kind_counts[common] > 1)})
        numeric = [
            c for c in targets if sum((row, c) in records.numbers for row in records.rows) * 2 > len(records.rows)
        ][:3]
        for measure in numeric:
            for kind, group in groups.items():
                rows = [row for row in group if (row, measure) in records.numbers and not _is_total(records, row)]
                if len(rows) > 1:
                    more = {"measure": records.about[measure], "own": float(measure == column)}
                    high = max(rows, key=lambda row: records.numbers[row, measure])
                    low = min(rows, key=lambda row: records.numbers[row, measure])
                    yield _value(ask, cues, records, f"most {kind}", (high,), column, more)
                    yield _value(ask, cues, records, f"least {kind}", (low,), column, more)
    yield from _aggregates(ask, cues, records, groups, targets)


def _aggregates(
    ask: Ask, cues: dict[str, float], records: Records, groups: dict[str, list[int]], targets: Sequence[int]
) -> Iterator[Candidate]:
    """Counts, sums and differences over the rows that a question names."""
    for kind, group in groups.items():
        rows = [row for row in group if not _is_total(records, row)]
        if rows:
            yield _made(ask, cues, records, f"count {kind}", rows, 0, Quantity(Decimal(len(rows))), "count", {})
    numeric = [c for c in targets if sum((row, c) in records.numbers for row in records.rows) * 2 > len(records.rows)][
        :4
    ]
    for column in numeric:
        for kind, group in groups.items():
            rows = [row for row in group if (row, column) in records.numbers and not _is_total(records, row)]
            values = [records.numbers[row, column] for row in rows]
            if len(rows) > 1:
                total = Quantity(sum(values, Decimal(0)))
                yield _made(ask, cues, records, f"sum {kind}", rows, column, total, "sum", {})
                pair = rows[:2] if kind != "all" else [rows[values.index(max(values))], rows[values.index(min(values))]]
                gap = abs(records.numbers[pair[0], column] - records.numbers[pair[1], column])
                high_first = sorted(pair, key=lambda row: -records.numbers[row, column])
                yield _made(ask, cues, records, f"gap {kind}", high_first, column, Quantity(gap), "difference", {})
            if ask.threshold is not None and kind != "named":
                limit = ask.threshold.amount
                meets = [
                    r for r, v in zip(rows, values, strict=True) if (v > limit if ask.order == "more" else v < limit)
                ]
                if meets:
                    made = Quantity(Decimal(len(meets)))
                    yield _made(ask, cues, records, f"meeting {kind}", meets, column, made, "count", {})


def _is_total(records: Records, row: int) -> bool:
    return bool(re.match(r"(?:grand\s+)?totals?\b", records.texts.get((row, 0), ""), re.I))


def _value(
    ask: Ask,
    cues: dict[str, float],
    records: Records,
    program: str,
    rows: Sequence[int],
    column: int,
    more: dict[str, float],
) -> Candidate:
    return _made(ask, cues, records, program, rows, column, records.texts.get((rows[0], column), ""), "", more)


def _made(
    ask: Ask, cues: dict[str, float], records: Records, program: str, rows: Sequence[int], column: int, value: Value,
    operation: str, more: dict[str, float],
) -> Candidate:  # fmt: skip
    """A candidate with the features that say how program, rows and column suit the question."""
    text = value if isinstance(value, str) else ""
    features = {
        "met": max(records.met[row] for row in rows),
        "whole": max(records.whole[row] for row in rows),
        "about": records.about[column],
        "asked": float(bool(text) and f" {' '.join(_all_words(text))} " in f" {' '.join(_all_words(ask.text))} "),
        "blank": float(not operation and is_blank(text)),
        "numeric": float(bool(operation) or (rows[0], column) in records.numbers),
        "first column": float(column == 0),
        "few": float(len(rows) == 1),
        "plural": float(isinstance(value, tuple) and ask.expects == "names"),
        "periodic": sum(bool(when(name)) for name in records.names) / len(records.names),
        "beside text": float(records.beside),
        **more,
    }
    features |= {f"program {program}": 1.0}
    features |= {f"program {program}&{cue}": value for cue, value in cues.items() if value}
    if features["numeric"]:
        features |= {f"numeric&{cue}": value for cue, value in cues.items() if value}
    node = records.passage.node
    where = tuple(
        Evidence(node, ((row, column),), quote=records.texts.get((row, column), ""), document=records.passage.document)
        for row in rows
    )
    score = features["met"] + features["whole"] + features["about"] - features["asked"] - features["blank"]
    subject = records.texts.get((rows[0], 0), "")
    return Candidate(value, where, subject=subject, operation=operation, score=score, features=features)
