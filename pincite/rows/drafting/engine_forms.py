"""What a model writes as other engines have it, or as people say it, in the form that the engine at hand computes as meant."""

from __future__ import annotations

from sqlglot import exp

from pincite.database.relations.model import TEMPORAL, Column, Database
from pincite.rows.drafting.statement_tree import stored_column
from pincite.text.lexicon import pattern

_PARTS: dict[str, str] = {"year": "%Y", "month": "%m", "day": "%d"}
"""Parts of a date that SQLite has no functions for, as strftime has them."""
_SECONDS = {"second": 1, "minute": 60, "hour": 3600}
_DAY = 86400


def in_engine_forms(tree: exp.Query, question: str, database: Database) -> list[str]:
    """Write a completed statement so that its engine computes what is meant: all rows counted by COUNT(), parts and differences
    of dates, and "one or the other, and a third" of conditions; what means something else since, in words.
    """
    for count in tree.find_all(exp.Count):
        if count.this is None:
            count.set("this", exp.Star())
    notes = [_bind_alternatives(either) for either in list(tree.find_all(exp.Or))]
    if database.dialect == "sqlite":
        for part in list(tree.find_all(exp.Year, exp.Month, exp.Day, exp.Extract)):
            _write_part(part)
        for difference in list(tree.find_all(exp.Sub)):
            notes.append(_write_difference(difference, question, database))
    return list(filter(None, notes))


def _bind_alternatives(either: exp.Or) -> str:
    """Have `a OR b AND c` be `(a OR b) AND c`, where `a` and `b` are about the same column and `c` about another."""
    first, second = either.left, either.right
    if not isinstance(second, exp.And):
        return ""
    parts = list(second.flatten())
    sides = [{column.sql() for column in part.find_all(exp.Column)} for part in (first, *parts)]
    if not sides[0] or sides[0] != sides[1] or sides[0] in sides[2:] or isinstance(first, exp.And):
        return ""
    bound = exp.paren(exp.or_(first.copy(), parts[0].copy()))
    either.replace(exp.and_(bound, *(part.copy() for part in parts[1:])))
    return f"the rest holds for both of {bound.this.sql()}"


def _write_part(part: exp.Expr) -> None:
    """A part of a date as a number, by strftime."""
    extracts = isinstance(part, exp.Extract)
    name = part.name.casefold() if extracts else part.key
    if name in _PARTS:
        form = exp.Literal.string(_PARTS[name])
        text = exp.TimeToStr(this=part.expression if extracts else part.this, format=form)
        part.replace(exp.cast(text, "int"))


def _write_difference(difference: exp.Sub, question: str, database: Database) -> str:
    """The days between two dates, or between two times what the question asks for; SQLite would subtract years."""
    first, second = (_date_column(side, database) for side in (difference.left, difference.right))
    if first is None or second is None:
        return ""
    sides = (difference.left.copy(), difference.right.copy())
    if "date" in (first.type, second.type):
        difference.replace(exp.DateDiff(this=sides[0], expression=sides[1], unit=exp.var("DAY")))
        return f"from {second.name} to {first.name} in days"
    asked = (one for one in _SECONDS if pattern("rows", one, "units of time").search(question))
    unit = next(asked, "day")
    form = exp.Literal.string("%s")
    ends = [exp.cast(exp.TimeToStr(this=side, format=form.copy()), "int") for side in sides]
    between = exp.paren(exp.Sub(this=ends[0], expression=ends[1]))
    seconds = exp.Literal.number(f"{_SECONDS.get(unit, _DAY)}.0")
    difference.replace(exp.Div(this=between, expression=seconds))
    return f"from {second.name} to {first.name} in {unit}s"


def _date_column(side: exp.Expr, database: Database) -> Column | None:
    """The date that a part of a statement is, or the first or last of."""
    while isinstance(side, exp.Min | exp.Max | exp.Paren | exp.Date):
        side = side.this
    place = stored_column(side, database)
    return place[1] if place is not None and place[1].type in TEMPORAL else None
