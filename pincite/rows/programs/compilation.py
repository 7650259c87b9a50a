"""A program as a statement: SQLAlchemy expressions, every value a bound parameter, never a string of SQL."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from typing import Any

import sqlalchemy as sa

from pincite.database.relations.model import NUMERIC, Column, Database, Relation
from pincite.rows.programs.program import (
    Aggregate,
    Best,
    Combined,
    Condition,
    Constant,
    Either,
    Field,
    Item,
    Nested,
    Path,
    Related,
    RowQuery,
    Test,
    fields,
    is_measured,
)

_TYPES: dict[str, Any] = {
    "integer": sa.Integer, "number": sa.Numeric(asdecimal=False), "boolean": sa.Boolean, "text": sa.String,
    "date": sa.Date, "time": sa.Time, "datetime": sa.DateTime,
}  # fmt: skip
_PARTS = {"year": "%Y", "month": "%Y-%m", "month of year": "%m", "day": "%Y-%m-%d"}
_TEMPLATES = {"year": "YYYY", "month": "YYYY-MM", "month of year": "MM", "day": "YYYY-MM-DD"}


def statement(query: RowQuery, database: Database) -> sa.Select[Any]:
    """The SELECT that finds what a program asks for, in the dialect of `database`.

    KeyError when the program names what the database does not have.
    """
    scope = _Scope(query, database)
    columns = [scope.item(item).label(f"c{i}") for i, item in enumerate(query.select, 1)]
    made = scope.kept(sa.select(*columns))
    if query.group:
        made = made.group_by(*map(scope.item, query.group))
    for test in query.having:
        made = made.having(scope.condition(test))
    if query.best:
        made = _best(made, scope, query, query.best)
    for item, down in query.order:
        ordered = scope.number(item)
        made = made.order_by(sa.nulls_last(ordered.desc() if down else ordered.asc()))
    if _shown_once(query):
        made = made.distinct()
    if query.limit is not None:
        made = made.limit(query.limit)
    return made.offset(query.offset) if query.offset else made


def _shown_once(query: RowQuery) -> bool:
    """Whether equal rows are to be shown once; what rows are ordered by must then be selected."""
    if not query.distinct or query.group or any(map(is_measured, query.select)):
        return False
    return all(item in query.select for item, _ in query.order)


def _best(made: sa.Select[Any], scope: _Scope, query: RowQuery, best: Best) -> sa.Select[Any]:
    again = _Scope(query, scope.database)
    item = again.number(best.item)
    extreme = sa.func.max if best.largest else sa.func.min
    if not query.group:
        wanted = again.kept(sa.select(extreme(item))).scalar_subquery()
        return made.where(scope.item(best.item) == wanted)
    groups = again.kept(sa.select(item.label("m"))).group_by(
        *(again.item(item) for item in query.group)
    )
    for test in query.having:
        groups = groups.having(again.condition(test))
    inner = groups.subquery()
    return made.having(scope.item(best.item) == sa.select(extreme(inner.c.m)).scalar_subquery())


def _like(item: sa.ColumnElement[Any], operator: str, text: str) -> sa.ColumnElement[bool]:
    """Whether a text begins with, ends with or contains another, in whatever case."""
    lowered = sa.func.lower(item)
    if operator == "contains":
        return lowered.contains(text.lower(), autoescape=True)
    compare = lowered.startswith if operator == "begins" else lowered.endswith
    return compare(text.lower(), autoescape=True)


class _Scope:
    """The relation of one query, under a name of its own, and the relations that its fields are joined from."""

    def __init__(self, query: RowQuery, database: Database) -> None:
        self.database = database
        self.query = query
        self.places: dict[Path, tuple[Relation, sa.FromClause]] = {
            (): _table(database.relation(query.relation))
        }
        self.source: sa.FromClause = self.places[()][1]
        for field in fields(query):
            self._join(field.path)

    def _join(self, path: Path) -> None:
        if path in self.places:
            return
        self._join(path[:-1])
        step = path[-1]
        relation, here = _table(self.database.relation(step.to))
        before = self.places[path[:-1]][1]
        joined = sa.and_(
            *(before.c[a] == here.c[b] for a, b in zip(step.columns, step.to_columns, strict=True))
        )
        self.source = self.source.join(here, joined)
        self.places[path] = relation, here

    def kept(self, made: sa.Select[Any]) -> sa.Select[Any]:
        """A SELECT over the joined relations, of the rows that meet the query's tests."""
        made = made.select_from(self.source)
        return (
            made.where(*(self.condition(test) for test in self.query.tests))
            if self.query.tests
            else made
        )

    def column(self, field: Field) -> Column:
        return self.places[field.path][0].column(field.column)

    def item(self, item: Item) -> sa.ColumnElement[Any]:
        match item:
            case Field(part=part):
                column: sa.ColumnElement[Any] = self.places[item.path][1].c[item.column]
                return _part(column, part, self.database.dialect) if part else column
            case Aggregate():
                return self._measure(item)
            case Constant(value=value):
                return self._bound(value)
            case Combined(sign=sign, left=left, right=right):
                return _combined(sign, self.number(left), self.number(right))
            case Nested(query=query):
                return statement(query, self.database).scalar_subquery()

    def number(self, item: Item) -> sa.ColumnElement[Any]:
        """An item as a number: SQLite allows words in a numeric column, and these are left out."""
        made = self.item(item)
        if self._dirty(item):
            return sa.case((sa.func.typeof(made) != "text", made))
        return made

    def _dirty(self, item: Item) -> bool:
        """Whether words may stand among the numbers of a column."""
        if not isinstance(item, Field) or item.part or self.database.dialect != "sqlite":
            return False
        return self.column(item).type in NUMERIC

    def _measure(self, measure: Aggregate) -> sa.ColumnElement[Any]:
        if measure.field is None:
            return sa.func.count()
        counted = (
            self.item(measure.field) if measure.function == "count" else self.number(measure.field)
        )
        if measure.distinct:
            counted = sa.distinct(counted)
        made: sa.ColumnElement[Any] = getattr(sa.func, measure.function)(counted)
        return made

    def condition(self, test: Condition) -> sa.ColumnElement[bool]:
        match test:
            case Either(tests=tests):
                return sa.or_(*(self.condition(test) for test in tests))
            case Related(path=path, tests=tests, negated=negated):
                return self._related(path, tests, negated)
            case Test():
                made = self._test(test)
                if test.operator == "null":
                    return sa.not_(made) if test.negated else made
                return (
                    sa.or_(sa.not_(made), self.item(test.item).is_(None)) if test.negated else made
                )

    def _related(
        self, path: Path, tests: tuple[Condition, ...], negated: bool
    ) -> sa.ColumnElement[bool]:
        step = path[0]
        inner: tuple[Condition, ...] = tests if len(path) == 1 else (Related(path[1:], tests),)
        if len(step.columns) == 1:
            end = Field(step.to_columns[0])
            reached = RowQuery(step.to, (end,), (*inner, Test(end, "null", negated=True)))
            column = self.source_column(step.columns[0])
            found = column.in_(statement(reached, self.database))
            return sa.or_(sa.not_(found), column.is_(None)) if negated else found
        scope = _Scope(RowQuery(step.to, (), inner), self.database)
        same = (
            self.source_column(a) == scope.source_column(b)
            for a, b in zip(step.columns, step.to_columns, strict=True)
        )
        exists = scope.kept(sa.select(sa.literal(1))).where(*same).exists()
        return sa.not_(exists) if negated else exists

    def source_column(self, name: str) -> sa.ColumnElement[Any]:
        column: sa.ColumnElement[Any] = self.places[()][1].c[name]
        return column

    def _test(self, test: Test) -> sa.ColumnElement[bool]:
        item = self.item(test.item)
        value = test.value
        if test.operator == "null":
            return item.is_(None)
        if isinstance(value, RowQuery):
            found = statement(value, self.database)
            if test.operator in ("=", "in"):
                return item.in_(found)
            return self._compare(item, test, found.scalar_subquery())
        if isinstance(value, tuple):
            return sa.or_(*(item == self._fitting(test, wanted) for wanted in value))
        if isinstance(value, Field | Aggregate | Combined | Constant | Nested):
            return self._compare(item, test, self.item(value))
        if test.operator in ("contains", "begins", "ends"):
            return _like(item, test.operator, str(value))
        return self._compare(item, test, self._fitting(test, value))

    def _fitting(self, test: Test, value: Any) -> sa.ColumnElement[Any]:
        """A value in the type of the column that it is compared with: servers do not compare text with numbers."""
        named = (
            isinstance(test.item, Field)
            and not test.item.part
            and self.column(test.item).type == "text"
        )
        if (
            named
            and self.database.dialect != "sqlite"
            and isinstance(value, int | float | Decimal)
        ):
            return sa.literal(str(value))
        return self._bound(value)

    def _bound(self, value: Any) -> sa.ColumnElement[Any]:
        if isinstance(value, Decimal):
            value = int(value) if value == value.to_integral_value() else float(value)
        if self.database.dialect == "sqlite" and isinstance(value, date):
            value = value.isoformat(" ") if isinstance(value, datetime) else value.isoformat()
            return sa.literal(value, sa.String)
        return sa.literal(value)

    def _compare(
        self, item: sa.ColumnElement[Any], test: Test, value: Any
    ) -> sa.ColumnElement[bool]:
        made: sa.ColumnElement[bool] = {
            "=": item.__eq__, "!=": item.__ne__, "<": item.__lt__, "<=": item.__le__, ">": item.__gt__, ">=": item.__ge__,
        }[test.operator](value)  # fmt: skip
        if test.operator in (">", ">=", "!=") and self._dirty(test.item):
            return sa.and_(made, sa.func.typeof(item) != "text")
        return made


def _table(relation: Relation) -> tuple[Relation, sa.FromClause]:
    columns = [
        sa.column(column.name, _TYPES.get(column.type, sa.types.NullType))
        for column in relation.columns
    ]
    return relation, sa.table(relation.name, *columns, schema=relation.schema or None).alias()


def _combined(
    sign: str, left: sa.ColumnElement[Any], right: sa.ColumnElement[Any]
) -> sa.ColumnElement[Any]:
    if sign == "/":
        return sa.cast(left, sa.Float) / sa.func.nullif(right, 0)
    combine = {"+": left.__add__, "-": left.__sub__, "*": left.__mul__}[sign]
    return combine(right)


def _part(column: sa.ColumnElement[Any], part: str, dialect: str) -> sa.ColumnElement[Any]:
    if part == "quarter":
        if dialect == "sqlite":
            month = sa.cast(sa.func.strftime("%m", column), sa.Integer)
            return sa.func.strftime("%Y", column).concat("-Q").concat((month + 2) // 3)
        return (
            sa.cast(sa.extract("year", column), sa.String)
            .concat("-Q")
            .concat(sa.extract("quarter", column))
        )
    if part == "year" and dialect != "sqlite":
        return sa.extract("year", column)
    if dialect == "sqlite":
        return sa.func.strftime(_PARTS[part], column)
    if dialect == "duckdb":
        return sa.func.strftime(column, _PARTS[part])
    return sa.func.to_char(column, _TEMPLATES[part])
