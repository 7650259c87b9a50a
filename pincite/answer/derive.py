"""Compute what a question asks from table cells: the operation from the wording, its operands from the cells, sums by code.

A computed candidate cites every cell it rests on, in the order of its formula, so that a check can repeat it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal, DivisionByZero, InvalidOperation, localcontext
from itertools import groupby

from pincite.answer.candidate import Candidate, Passage
from pincite.answer.labels import Labelled, is_blank, is_number
from pincite.answer.question import Ask
from pincite.answer.tableread import Match, View, cell_times, evidence, matches, phrase_of, quantity_of, value_of, views
from pincite.answer.times import When
from pincite.answer.words import stems, words
from pincite.types import Quantity, Value


@dataclass(frozen=True, slots=True)
class Operation:
    """What an operation does to its operands, in the order of the citations, and its formula in words."""

    run: Callable[[Sequence[Decimal]], Decimal]
    formula: str


def _difference(values: Sequence[Decimal]) -> Decimal:
    first, second = values
    return first - second


def _ratio(values: Sequence[Decimal]) -> Decimal:
    first, second = values
    return first / second


OPERATIONS: dict[str, Operation] = {
    "difference": Operation(_difference, "a - b"),
    "percentage_change": Operation(lambda v: (v[0] - v[1]) / v[1] * 100, "(a - b) / b x 100"),
    "ratio": Operation(_ratio, "a / b"),
    "proportion": Operation(lambda v: abs(v[0] / v[1]) * 100, "|a / b| x 100"),
    "sum": Operation(lambda v: sum(v, Decimal(0)), "a + b + ..."),
    "average": Operation(lambda v: sum(v, Decimal(0)) / len(v), "(a + b + ...) / n"),
    "count": Operation(lambda v: Decimal(len(v)), "n"),
    "max": Operation(max, "max(a, b, ...)"),
    "min": Operation(min, "min(a, b, ...)"),
    "product": Operation(lambda v: v[0] * v[1], "a x b"),
}
"""How each operation is computed; a change is the later value less the earlier one."""

_PERCENT = re.compile(r"%|\bper\s?cent(?:age)?s?\b", re.I)
_TIME_WORDS = frozenset(
    stems(
        "year years ended ending fiscal fy as of at december november october september august july june may april march "
        "february january quarter first second third fourth q1 q2 q3 q4 months twelve for the period"
    )
)
_TIME_WANTED = re.compile(r"\b(?:fiscal\s+)?(?:years?|quarters?|months?|periods?|FYs?|dates?)\b", re.I)
_DISTANCE = re.compile(r"\b(?:difference|gap|distance)\b", re.I)
_TOTAL = re.compile(r"^(?:sub-?)?total|^net\b|\btotal$", re.I)


def compute(ask: Ask, passages: Sequence[Passage]) -> list[Candidate]:
    """Computed and composed answers over cited cells, best first; empty when the question asks for a plain value."""
    found: list[Candidate] = []
    for view in views(passages):
        found += _BUILDERS.get(ask.operation, _several)(ask, view)
    found.sort(key=lambda c: -c.score)
    return found[:12]


def calculate(operation: str, cells: Sequence[Match], percent: bool = False) -> Candidate | None:
    """Run an operation over cells in the order of its formula; None when a cell holds no number or it cannot be run."""
    quantities = [quantity_of(m.view, m.cell) for m in cells]
    known = [q for q in quantities if q is not None]
    if len(known) != len(quantities) or not known:
        return None
    scale = known[0].scale
    same = all(q.scale == scale for q in known)
    values = [q.value if same else q.amount for q in known]
    try:
        with localcontext(prec=28):
            value = OPERATIONS[operation].run(values)
    except (DivisionByZero, InvalidOperation, ZeroDivisionError):
        return None
    quantity = _as_quantity(operation, value, known[0], scale if same else Decimal(1))
    score = sum(m.score for m in cells) / len(cells)
    return Candidate(
        value=quantity,
        evidence=tuple(evidence(m) for m in cells),
        subject=cells[0].cell.label or cells[0].cell.heading,
        period=" ".join(dict.fromkeys(t.text for m in cells for t in cell_times(m.cell)[:1])),
        operation=operation,
        score=score,
        features=_mean(cells),
    )


def _mean(cells: Sequence[Match]) -> dict[str, float]:
    """The features of several cells as one: their means, and how much they stand in one row or one column."""
    features = {name: sum(m.features[name] for m in cells) / len(cells) for name in cells[0].features}
    features["same_row"] = float(len({m.cell.row for m in cells}) == 1)
    features["same_column"] = float(len({m.cell.column for m in cells}) == 1)
    return features


def _as_quantity(operation: str, value: Decimal, like: Quantity, scale: Decimal) -> Quantity:
    if operation in ("percentage_change", "proportion"):
        return Quantity(value, "%")
    if operation in ("ratio", "count"):
        return Quantity(value)
    return Quantity(value, like.unit, scale)


def timeless(cell: Labelled) -> tuple[str, ...]:
    """What a cell is of, apart from its time and notes in brackets: cells that share it form a series over periods."""
    text = re.sub(r"\([^()]*\)|[$€£¥][’'‘]?0*", " ", " ".join((*cell.sections, cell.label, cell.heading)))
    return tuple(s for s in stems(text) if s not in _TIME_WORDS and not re.fullmatch(r"(?:fy)?\d[\d.,/]*", s))


def series(view: View, found: Sequence[Match]) -> list[list[Match]]:
    """The cells of a table that differ only in their time, later first; a row that has no such cells counts as a whole."""
    numbers = [m for m in found if cell_times(m.cell) and (is_number(m.cell.text) or is_blank(m.cell.text))]
    by_subject: dict[tuple[str, ...], list[Match]] = {}
    for match in numbers:
        by_subject.setdefault(timeless(match.cell), []).append(match)
    groups = [group for cells in by_subject.values() if len(group := _by_time(cells)) > 1]
    grouped = {m.cell.row for group in groups for m in group}
    by_row: dict[int, list[Match]] = {}
    for match in numbers:
        if match.cell.row not in grouped:
            by_row.setdefault(match.cell.row, []).append(match)
    return groups + [group for cells in by_row.values() if len(group := _by_time(cells)) > 1]


def _by_time(cells: Sequence[Match]) -> list[Match]:
    """One cell for each time, the best, latest first."""
    best: dict[tuple[int, int, int, int], Match] = {}
    for match in sorted(cells, key=lambda m: -m.score):
        best.setdefault(_time(match.cell), match)
    return [best[t] for t in sorted(best, reverse=True)]


def _time(cell: Labelled) -> tuple[int, int, int, int]:
    first = cell_times(cell)[0]
    return first.year, first.month, first.day, first.quarter


def _at(group: Sequence[Match], period: When) -> Match | None:
    return next((m for m in group if any(p.fits(period) for p in cell_times(m.cell))), None)


def _pair(ask: Ask, view: View) -> list[Candidate]:
    """Difference, percentage change, ratio or proportion of two cells."""
    if ask.several:
        return _several(ask, view)
    operation = ask.operation
    if operation in ("ratio", "proportion"):
        operation = "proportion" if _PERCENT.search(ask.text) else "ratio"
    found = []
    if len(ask.operands) >= 2:
        for pair in _operand_pairs(ask, view, ask.operands[0], ask.operands[1]):
            made = calculate(operation, _ordered(ask, *pair))
            found += [made] if made else []
    if operation in ("ratio", "proportion"):
        found += [made for x, y in _of_total(ask, view) if (made := calculate(operation, (x, y)))]
    if operation in ("difference", "percentage_change"):
        for group in series(view, matches(view, phrase_of(ask), ask)):
            if times := _two_times(ask, group):
                made = calculate(operation, times[::-1] if ask.falling and operation == "difference" else times)
                found += [made] if made else []
    return found


def _of_total(ask: Ask, view: View) -> list[tuple[Match, Match]]:
    """A cell and the total of its column, or of its row: what "percentage of total X" leaves to the table."""
    found = [m for m in matches(view, phrase_of(ask), ask) if m.features["number"]]
    pairs = []
    for part in [m for m in found if not _is_total(m.cell.label)][:4]:
        below = [m for m in found if m.cell.column == part.cell.column and m.cell.row > part.cell.row and _is_total(m.cell.label)]
        beside = [m for m in found if m.cell.row == part.cell.row and re.search(r"\btotal\b", m.cell.heading, re.I)]
        pairs += [(part, min(below, key=lambda m: m.cell.row))] if below else []
        pairs += [(part, beside[0])] if beside and beside[0].cell.column != part.cell.column else []
    return pairs


def _is_total(label: str) -> bool:
    return not label or bool(re.match(r"(?:grand\s+|sub-?)?total\b", label, re.I))


def _ordered(ask: Ask, first: Match, second: Match) -> tuple[Match, Match]:
    """Two operands in the order of the formula.

    Cells of different times: the later first, as for any change. A "difference between A and B" is a distance: the larger
    first. A change "from A to B" or "between A and B" ends at B. Otherwise ("A than B", ratios) as they are mentioned.
    """
    if ask.operation not in ("difference", "percentage_change"):
        return first, second
    times = [cell_times(m.cell) for m in (first, second)]
    if all(times) and not times[0][0].fits(times[1][0]):
        return (first, second) if _time(first.cell) > _time(second.cell) else (second, first)
    if _DISTANCE.search(ask.text) and ask.operation == "difference":
        amounts = [q.amount if (q := quantity_of(m.view, m.cell)) else Decimal(0) for m in (first, second)]
        return (first, second) if amounts[0] >= amounts[1] else (second, first)
    if re.search(r"\b(?:from|between)\b", ask.text, re.I) and not _DISTANCE.search(ask.text):
        return second, first
    return first, second


def _two_times(ask: Ask, group: Sequence[Match]) -> tuple[Match, Match] | None:
    """The later and the earlier cell that a change runs between."""
    if len(ask.periods) >= 2:
        cells = [m for p in ask.periods[:2] if (m := _at(group, p))]
        cells.sort(key=lambda m: _time(m.cell), reverse=True)
        return (cells[0], cells[1]) if len(cells) == 2 else None
    if len(ask.periods) == 1:
        later = _at(group, ask.periods[0])
        earlier = next((m for m in group if later and _time(m.cell) < _time(later.cell)), None)
        return (later, earlier) if later and earlier else None
    return (group[0], group[1]) if len(group) > 1 else None


def _operand_pairs(ask: Ask, view: View, a: str, b: str) -> list[tuple[Match, Match]]:
    """Cells for two phrases of a question: the rest of the question holds for both, and they share a row or a column."""
    rest = _rest(ask, (a, b))
    firsts = [m for m in matches(view, (*words(a), *rest), ask) if m.features["number"]][:8]
    seconds = [m for m in matches(view, (*words(b), *rest), ask) if m.features["number"]][:8]
    pairs = [
        (x.score + y.score + (1.5 if x.cell.column == y.cell.column else 0.5 if x.cell.row == y.cell.row else 0.0), x, y)
        for x in firsts
        for y in seconds
        if (x.cell.row, x.cell.column) != (y.cell.row, y.cell.column)
    ]
    pairs.sort(key=lambda p: -p[0])
    return [(x, y) for _, x, y in pairs[:3]]


def _rest(ask: Ask, operands: Sequence[str]) -> list[str]:
    named = {term for phrase in operands for term in words(phrase)}
    return [term for term in phrase_of(ask) if term not in named]


def _many(ask: Ask, view: View) -> list[Candidate]:
    """Sum or average: over the named operands, else over the periods of one row."""
    if ask.several:
        return _several(ask, view)
    found = []
    if len(ask.operands) >= 2:
        cells = _each_operand(ask, view, ask.periods)
        if len(cells) == len(ask.operands) and len({(m.cell.row, m.cell.column) for m in cells}) == len(cells):
            made = calculate(ask.operation, cells)
            found += [made] if made else []
    for group in series(view, matches(view, phrase_of(ask), ask)):
        cells = _over_periods(ask, group)
        made = calculate(ask.operation, cells) if len(cells) > 1 else None
        found += [made] if made else []
    if len(ask.periods) < 2:
        made_lines = [(calculate(ask.operation, line.cells), line.score) for line in _lines(ask, view)[:3]]
        found += [_scored(made, score - 1.0) for made, score in made_lines if made]
    return found


def _over_periods(ask: Ask, group: Sequence[Match]) -> list[Match]:
    years = [p.year for p in ask.periods]
    if ask.through and years[0] != years[1]:
        low, high = min(years), max(years)
        return [m for m in group if any(low <= p.year <= high for p in cell_times(m.cell))]
    if len(years) > 1:
        return [m for p in ask.periods if (m := _at(group, p))]
    if not years:
        return list(group)
    pair = _two_times(ask, group)
    return list(pair) if pair else []


def _each_operand(ask: Ask, view: View, periods: Sequence[When]) -> list[Match]:
    """The best cell for each operand; the first decides the column unless another is much better."""
    rest = _rest(ask, ask.operands)
    picked: list[Match] = []
    for phrase in ask.operands:
        found = [m for m in matches(view, (*words(phrase), *rest), ask, periods) if m.features["number"]]
        if not found:
            return []
        best = max(
            found,
            key=lambda m: m.score + (1.0 if picked and m.cell.column == picked[0].cell.column else 0.0),
        )
        picked.append(best)
    return picked


def _several(ask: Ask, view: View) -> list[Candidate]:
    """Values asked for together ("in 2019 and 2018 respectively"), or names ("which years", "what types of X")."""
    found: list[list[Match]] = []
    if len(ask.operands) >= 2:
        cells = [m for period in ask.periods or (None,) for m in _each_operand(ask, view, (period,) if period else ())]
        if len({(m.cell.row, m.cell.column) for m in cells}) == len(cells) > 1:
            found.append(cells)
    if len(ask.periods) >= 2:
        for group in series(view, matches(view, phrase_of(ask), ask)):
            cells = _over_periods(ask, group) if ask.through else [m for p in ask.periods if (m := _at(group, p))]
            if len(cells) == len(ask.periods) or (ask.through and len(cells) > 1):
                found.append(cells)
    return [_listed(cells) for cells in found] or _names(ask, view)


_PLURAL = re.compile(r"\b(?:which|what)\s+(?:are\s+the\s+)?(?:\w+\s+)?(?:fiscal\s+|financial\s+)?(?:years|periods|"
                     r"quarters|months|dates|FYs)\b", re.I)
_KINDS = re.compile(
    r"\b(?:types|components|categories|kinds|items|segments|elements|factors|names|classes|groups|sources|regions|"
    r"currencies|countries|"
    r"units|scopes|instruments|assumptions|line\s+items)\b",
    re.IGNORECASE,
)


def _names(ask: Ask, view: View) -> list[Candidate]:
    """The times a table covers, or the row labels of the block that the question names."""
    found = matches(view, phrase_of(ask), ask)
    if _PLURAL.search(ask.text):
        return [_listed(group, [_time_name(m.cell) for m in group], "filter") for group in series(view, found)]
    if not _KINDS.search(ask.text) or ask.periods:
        return []
    blocks = [line for line in _lines(ask, view) if line.names[0] == name_of(line.cells[0].cell.label)]
    return [_scored(_listed(line.cells, line.names, "filter"), line.score) for line in blocks[:3]]


def _listed(cells: Sequence[Match], labels: Sequence[str] = (), operation: str = "") -> Candidate:
    value: tuple[Value, ...] = tuple(labels) if labels else tuple(value_of(m.view, m.cell) for m in cells)
    return Candidate(
        value=value,
        evidence=tuple(evidence(m) for m in cells),
        subject=cells[0].cell.label,
        operation=operation,
        score=sum(m.score for m in cells) / len(cells),
        features=_mean(cells),
    )


@dataclass(frozen=True, slots=True)
class _Line:
    """Cells compared with each other and the name of each."""

    cells: tuple[Match, ...]
    names: tuple[str, ...]
    score: float


def _lines(ask: Ask, view: View) -> list[_Line]:
    """What a superlative, a filter or a count may run over: one row through time, one column of rows, one row of columns."""
    found = matches(view, phrase_of(ask), ask)
    numbers = [m for m in found if is_number(m.cell.text)]
    lines: list[_Line] = []
    if _TIME_WANTED.search(ask.wants or ask.text):
        for group in series(view, found):
            cells = [m for m in group if is_number(m.cell.text) and (len(ask.periods) != 1 or m.features["period"] == 1.0)]
            if len(ask.periods) > 1:
                cells = [m for m in cells if m in _over_periods(ask, cells)]
            if len(cells) > 1:
                lines.append(_Line(tuple(cells), tuple(_time_name(m.cell) for m in cells), cells[0].score + 2.0))
    wanted = set(words(ask.wants))
    for column in sorted({m.cell.column for m in numbers}):
        body = [m for m in numbers if m.cell.column == column]
        body.sort(key=lambda m: m.cell.row)
        for cells in _blocks(body):
            if len(cells) > 1:
                weights = ("column", "column_precision", "section", "section_precision", "period", "around")
                score = sum(cells[0].features[w] for w in weights) * 2 + (1.0 if wanted & view.around else 0.0)
                lines.append(_Line(tuple(cells), tuple(name_of(m.cell.label) for m in cells), score))
    for row in sorted({m.cell.row for m in numbers}):
        cells = [m for m in numbers if m.cell.row == row and not re.search(r"\btotal\b", m.cell.heading, re.I)]
        if len(cells) > 1 and len({m.cell.heading for m in cells}) == len(cells) and not any(cell_times(m.cell) for m in cells):
            lines.append(_Line(tuple(cells), tuple(name_of(m.cell.heading) for m in cells), cells[0].score))
    return sorted(lines, key=lambda line: -line.score)


def _blocks(column: Sequence[Match]) -> list[list[Match]]:
    """The rows of a column in blocks: a section ends a block, and so does the total of its rows."""
    blocks: list[list[Match]] = []
    for _, section in groupby(column, key=lambda m: m.cell.sections):
        blocks.append([])
        for match in section:
            if not match.cell.label or _TOTAL.search(match.cell.label):
                blocks.append([])
            else:
                blocks[-1].append(match)
    return [block for block in blocks if block]


def name_of(label: str) -> str:
    """A label as a name: without footnote marks and the colon or dash behind it."""
    return re.sub(r"\s*(?:\(\d{1,2}\)|(?<=[a-z)])\d{1,2}|[:.—–*†‡]|\s)+$", "", label) or label


def _time_name(cell: Labelled) -> str:
    first = cell_times(cell)[0]
    return str(first.year) if not first.quarter else first.text


def _extreme(ask: Ask, view: View) -> list[Candidate]:
    """The largest or smallest of a line of cells: its name for argmax and argmin, its value for max and min."""
    high = ask.operation in ("argmax", "max")
    found = []
    for line in _lines(ask, view)[:5]:
        amounts = [q.amount if (q := quantity_of(view, m.cell)) else Decimal(0) for m in line.cells]
        at = amounts.index(max(amounts) if high else min(amounts))
        value: Value = line.names[at] if ask.operation.startswith("arg") else quantity_of(view, line.cells[at].cell)
        order = (at, *(i for i in range(len(line.cells)) if i != at))
        found.append(
            Candidate(
                value=value,
                evidence=tuple(evidence(line.cells[i]) for i in order),
                subject=line.cells[at].cell.label,
                period=line.names[at],
                operation=ask.operation if ask.operation.startswith("arg") else "",
                score=line.score,
                features=_mean(line.cells),
            )
        )
    return found


def _meets(ask: Ask, quantity: Quantity | None) -> bool:
    if quantity is None or ask.threshold is None:
        return False
    limit = ask.threshold
    value, against = (quantity.value, limit.value) if limit.scale == 1 else (quantity.amount, limit.amount)
    return value > against if ask.order == "more" else value < against


def _filter(ask: Ask, view: View) -> list[Candidate]:
    """The names of the cells that meet the threshold."""
    found = []
    for line in _lines(ask, view)[:5]:
        kept = [(m, n) for m, n in zip(line.cells, line.names, strict=True) if _meets(ask, quantity_of(view, m.cell))]
        if kept:
            found.append(_scored(_listed([m for m, _ in kept], [n for _, n in kept], "filter"), line.score))
    return found


def _count(ask: Ask, view: View) -> list[Candidate]:
    """How many cells meet the threshold, or how many rows stand under a heading or above their total."""
    found = []
    if ask.threshold is not None:
        for line in _lines(ask, view)[:5]:
            kept = [m for m in line.cells if _meets(ask, quantity_of(view, m.cell))]
            if kept:
                found.append(_counted(kept, line.score))
        return found
    for line in _lines(ask, view)[:5]:
        found.append(_counted(line.cells, line.score))
    return found


def _counted(cells: Sequence[Match], score: float) -> Candidate:
    return Candidate(
        value=Quantity(Decimal(len(cells))),
        evidence=tuple(evidence(m) for m in cells),
        subject=cells[0].cell.label,
        operation="count",
        score=score,
        features=_mean(cells),
    )


def _scored(made: Candidate, score: float) -> Candidate:
    return Candidate(made.value, made.evidence, made.subject, made.period, made.operation, score, made.features)


_BUILDERS: dict[str, Callable[[Ask, View], list[Candidate]]] = {
    "difference": _pair,
    "percentage_change": _pair,
    "ratio": _pair,
    "proportion": _pair,
    "sum": _many,
    "average": _many,
    "count": _count,
    "filter": _filter,
    "argmax": _extreme,
    "argmin": _extreme,
    "max": _extreme,
    "min": _extreme,
}
