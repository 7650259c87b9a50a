"""The time of a question, in a statement as the question says it: its period, and whether the oldest or the newest is wanted.

A model compares with a single day, forgets the period, or takes the oldest for the one with the latest date.
"""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from sqlglot import exp

from pincite.database.relations.model import TEMPORAL, Column, Database
from pincite.quantity.periods import Period, periods
from pincite.rows.drafting.statement_tree import (
    column,
    left_out,
    must_hold,
    stored_column,
    tables_of,
)
from pincite.text.lexicon import pattern

_COMPARED = (exp.EQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Like, exp.Between)


def in_asked_period(tree: exp.Query, question: str, database: Database) -> list[str]:
    """Have a completed statement keep to the one period that its question names, on the one date that it compares or could
    compare; what was changed. Left as it is where the question says from, since or until when, or names two periods.
    """
    ends = asked_period(question)
    select = next(tree.find_all(exp.Select), None)
    if ends is None or select is None:
        return []
    found = list(_date_comparisons(tree, database))
    if not found:
        return (
            _add_period(select, ends, database)
            if len(list(tree.find_all(exp.Select))) == 1
            else []
        )
    columns = {each.sql() for each, _, _ in found}
    if len(columns) > 1 or not all(must_hold(condition) for _, _, condition in found):
        return []
    side, own, first = found[0]
    years = {str(each.year) for each in ends}
    if years.isdisjoint(
        text[:4] for _, _, condition in found for text in _compared_texts(condition)
    ):
        return []
    wanted = _in_period(side, own, ends)
    if len(found) == 1 and (first.sql() == wanted.sql() or _is_whole_year(first, ends)):
        return []
    for _, _, condition in found[1:]:
        left_out(condition)
    first.replace(wanted)
    return [f"{own.name} is from {ends[0]} to {ends[1]}"]


def to_the_last_moment(tree: exp.Query, question: str, database: Database) -> list[str]:
    """Have comparisons of a time of day with a whole day take in all of that day; what was changed, in words."""
    done = []
    for condition in tree.find_all(exp.Between, exp.LTE, exp.GT, exp.EQ):
        side, last = condition.this, condition.args.get("high") or condition.args.get("expression")
        place = stored_column(side, database)
        if place is None or place[1].type != "datetime" or not isinstance(last, exp.Literal):
            continue
        try:
            day = date.fromisoformat(str(last.this))
        except ValueError:
            continue
        following = exp.Literal.string(str(day + timedelta(days=1)))
        if isinstance(condition, exp.GT):
            condition.replace(exp.GTE(this=side.copy(), expression=following))
        else:
            first = {exp.Between: condition.args.get("low"), exp.EQ: last}.get(type(condition))
            until = exp.LT(this=side.copy(), expression=following)
            since = exp.GTE(this=side.copy(), expression=first) if first is not None else None
            condition.replace(exp.paren(exp.and_(since, until)) if since else until)
        done.append(f"{day} in {place[1].name} is the whole day")
    return done


def in_asked_order(tree: exp.Query, question: str, database: Database) -> list[str]:
    """Have a completed statement that is ordered by a date begin with the end that its question names; what was changed."""
    for each in periods(question):
        question = question.replace(each.text, " ")
    oldest = pattern("rows", "oldest first", "time").search(question)
    newest = pattern("rows", "newest first", "time").search(question)
    order = tree.args.get("order")
    if order is None or bool(oldest) is bool(newest) or tree.args.get("limit") is None:
        return []
    first = order.expressions[0]
    place = stored_column(first.this, database)
    ordered = bool(first.args.get("desc")) is bool(newest)
    if place is None or place[1].type not in TEMPORAL or ordered:
        return []
    first.set("desc", bool(newest))
    return [f"the {'newest' if newest else 'oldest'} {place[1].name} comes first"]


def asked_period(question: str) -> tuple[date, date] | None:
    """The first and the last day of the one period that a question names; None for none, for several, or one it only begins or
    ends with.
    """
    named = [each for each in periods(question) if each.year is not None]
    if len(named) != 1 or named[0].fiscal or named[0].day is not None:
        return None
    before = pattern("rows", "before a period", "time").search(question[: named[0].start])
    if before or pattern("rows", "behind a period", "time").match(question[named[0].end :]):
        return None
    return _period_ends(named[0])


def _period_ends(period: Period) -> tuple[date, date] | None:
    """The first and the last day of a period."""
    first, last = period.year, period.end_year or period.year
    if first is None or last is None:
        return None
    begin, end = 1, 12
    for part, months in ((period.month, 1), (period.quarter, 3), (period.half, 6)):
        if part is not None:
            begin, end = part * months - months + 1, part * months
            break
    return date(first, begin, 1), date(last, end, monthrange(last, end)[1])


def _date_comparisons(
    tree: exp.Query, database: Database
) -> Iterator[tuple[exp.Column, Column, exp.Expr]]:
    """Every comparison of a date with texts: the date's column as the statement names it, the column, the comparison."""
    for condition in tree.find_all(*_COMPARED):
        side = condition.this
        place = stored_column(side, database)
        if place is not None and place[1].type in TEMPORAL and _compared_texts(condition):
            yield side, place[1], condition


def _compared_texts(condition: exp.Expr) -> list[str]:
    """The texts that a comparison compares with."""
    parts = [condition.args.get(name) for name in ("expression", "low", "high")]
    return [str(one.this) for one in parts if isinstance(one, exp.Literal) and one.is_string]


def _is_whole_year(condition: exp.Expr, ends: Sequence[date]) -> bool:
    """Whether a comparison is like the year that the ends are those of: '2023%'."""
    low, high = ends
    whole = low == date(low.year, 1, 1) and high == date(low.year, 12, 31)
    like = isinstance(condition, exp.Like) and _compared_texts(condition)[0].rstrip("-%")
    return whole and like == str(low.year)


def _in_period(side: exp.Column, own: Column, ends: Sequence[date]) -> exp.Expr:
    """That a date lies in a period, its last day included."""
    low, high = (exp.Literal.string(str(each)) for each in ends)
    if own.type == "date":
        return exp.Between(this=side.copy(), low=low, high=high)
    after = exp.Literal.string(str(ends[1] + timedelta(days=1)))
    return exp.and_(exp.GTE(this=side.copy(), expression=low), exp.LT(this=side.copy(), expression=after))  # fmt: skip


def _add_period(select: exp.Select, ends: Sequence[date], database: Database) -> list[str]:
    """Have a statement that names no time keep to a period, where its tables have one date."""
    years = {str(each.year) for each in ends}
    if any(year in each.name for each in select.find_all(exp.Literal) for year in years):
        return []
    dates = [
        (called, own)
        for called, relation in tables_of(select, database).items()
        for own in relation.columns
        if own.type in TEMPORAL
    ]
    if len(dates) != 1:
        return []
    called, own = dates[0]
    select.where(_in_period(column(called, own.name), own, ends), copy=False)
    return [f"only {own.name} from {ends[0]} to {ends[1]}"]
