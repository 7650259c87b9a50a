"""A statement computed again in Python over rows read from its source: this checks what a database said.

The relations of a statement are read column by column, without its tests, joins and aggregates; these are made here.
Only a relation too large to be read whole is read through those tests of the statement that are about it alone. So it is
also known which rows every value comes from.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any

from sqlglot import exp

from pincite.database.relations.model import Database, Relation
from pincite.database.statements.expressions import Calculated, calculation, refuse_unknown
from pincite.database.statements.grouping import (
    Group,
    aggregate,
    extremes,
    grouped,
    limited,
    ordered,
    origins,
)
from pincite.database.statements.pins import key_of
from pincite.database.statements.result_columns import tree_of
from pincite.database.statements.result_lines import (
    Env,
    Origin,
    Replayed,
    ResultLine,
    agrees,
    loosely,
    same,
)
from pincite.database.statements.scalars import Unreplayable

__all__ = ["ResultLine", "Origin", "Read", "Replayed", "agrees", "replay"]

MOST = 500_000
"""Rows that a join may have before it is given up."""

_UNITED = "this expression distinct order limit offset with_"
_PARTS: Mapping[type, frozenset[str]] = {
    kind: frozenset(names.split())
    for kind, names in {
        exp.Select: "expressions from_ joins where group having order limit offset distinct with_ kind",
        **dict.fromkeys((exp.Union, exp.Intersect, exp.Except), _UNITED),
        **dict.fromkeys((exp.Subquery, exp.Table, exp.CTE), "this alias"),
        **dict.fromkeys((exp.Group, exp.Distinct, exp.With, exp.Order), "expressions"),
        **dict.fromkeys((exp.Limit, exp.Offset), "expression"),
        exp.TableAlias: "this",
        exp.Join: "this on side kind",
        exp.Ordered: "this desc nulls_first",
    }.items()
}
"""What the parts of a query may say: anything else would be left out unseen."""

Read = Callable[[Relation, Sequence[str], str, str], list[tuple[Any, ...]]]
"""Reads these columns of a relation; of one too large only where the condition (SQL about the alias) holds."""


def replay(statement: str, database: Database, read: Read) -> Replayed:
    """Compute a SELECT again; raises Unreplayable when it has parts that this does not know."""
    dialect = "postgres" if database.dialect == "postgresql" else database.dialect
    tree = tree_of(statement, database)
    for node in tree.walk():
        if type(node) in _PARTS:
            refuse_unknown(node, _PARTS[type(node)])
    try:
        made = _Replay(database, dialect, read)
        return replace(made.query(tree, {}, ""), used=made.used)
    except (TypeError, ValueError, ArithmeticError, RecursionError) as error:
        raise Unreplayable(
            f"the statement cannot be computed again outside the database: {error}"
        ) from error


@dataclass
class _Held:
    """A relation, stored or derived, as a statement's FROM names it."""

    names: list[str]
    rows: list[ResultLine]
    sources: list[tuple[tuple[str, str], ...]]

    def place(self, name: str) -> int | None:
        """Where a column stands; None when there is none of that name."""
        folded = [column.casefold() for column in self.names]
        return folded.index(name.casefold()) if name.casefold() in folded else None


def _derived(made: Replayed) -> _Held:
    return _Held(list(made.columns), list(made.rows), list(made.sources))


@dataclass
class _Scope:
    """The leaves of a scope's expressions: rows are envs, groups are lists of envs."""

    replay: _Replay
    held: dict[str, _Held]
    outer: Env
    dialect: str
    path: str
    grouped: bool = False
    projected: dict[str, Calculated] = field(default_factory=dict)
    nested: list[Replayed] | None = None
    """What nested queries gave while the selected values were made, when that is kept."""

    def column(self, column: exp.Column) -> Calculated:
        alias, name = column.table, column.name
        if not alias and name in self.projected:
            return self.projected[name]
        if alias in self.held:
            at = self._at(alias, name)
            if self.grouped:
                return lambda group: group[0][alias].values[at] if group else None
            return lambda env: env[alias].values[at]
        if alias in self.outer:
            names = [stored_name.casefold() for stored_name in self.replay.names[alias]]
            value = self.outer[alias].values[names.index(name.casefold())]
            return lambda row: value
        raise Unreplayable(f"the column {column.sql()} belongs to no relation of the statement")

    def _at(self, alias: str, name: str) -> int:
        at = self.held[alias].place(name)
        if at is None:
            raise Unreplayable(f"there is no column {name!r} in {alias}")
        return at

    def aggregate(self, function: exp.AggFunc) -> Calculated:
        if not self.grouped:
            raise Unreplayable("an aggregate is used where rows are tested one by one")
        return aggregate(function, self.rows())

    def rows(self) -> _Scope:
        """The same leaves for rows one by one."""
        return _Scope(self.replay, self.held, self.outer, self.dialect, self.path)

    def subquery(self, expression: exp.Expression) -> Callable[[Any], list[tuple[Any, ...]]]:
        inner = expression.this if isinstance(expression, exp.Subquery) else expression
        free = {c.table for c in inner.find_all(exp.Column)} & set(self.held)
        free -= {t.alias_or_name for t in inner.find_all(exp.Table)}
        made: list[tuple[Replayed, list[tuple[Any, ...]]]] = []
        self.replay.nested += 1
        path = f"{self.path}{self.replay.nested}?"

        def run(row: Any) -> list[tuple[Any, ...]]:
            if free or not made:
                env = (row[0] if row else {}) if self.grouped else row
                outer = {**self.outer, **{alias: env[alias] for alias in free}}
                found = self.replay.query(inner, outer, path)
                made[:] = [(found, [line.values for line in found.rows])]
            if self.nested is not None:
                self.nested.append(made[0][0])
            return made[0][1]

        return run


@dataclass
class _Replay:
    database: Database
    dialect: str
    read: Read
    names: dict[str, list[str]] = field(default_factory=dict)
    common: dict[str, Replayed] = field(default_factory=dict)
    used: dict[str, tuple[str, ...]] = field(default_factory=dict)
    nested: int = 0

    def query(self, tree: exp.Expression, outer: Env, path: str) -> Replayed:
        """The rows of a query of any kind."""
        if isinstance(tree, exp.Subquery):
            return self.query(tree.this, outer, path)
        for cte in tree.ctes if isinstance(tree, exp.Query) else ():
            self.common[cte.alias] = self.query(cte.this, outer, f"{path}{cte.alias}.")
        if isinstance(tree, exp.SetOperation):
            return self._combined(tree, outer, path)
        if not isinstance(tree, exp.Select):
            raise Unreplayable("only a SELECT is computed again")
        return self._select(tree, outer, path)

    # ---- one SELECT

    def _select(self, tree: exp.Select, outer: Env, path: str) -> Replayed:
        scope = _Scope(self, {}, outer, self.dialect, path)
        groups: list[Any] = _meeting(tree.args.get("where"), self._joined(tree, scope), scope)
        if any(isinstance(node, exp.Window) for node in tree.walk()):
            raise Unreplayable("window functions are not computed again outside the database")
        having = tree.args.get("having")
        if tree.args.get("group") or _aggregates(tree, *tree.expressions, having):
            groups = self._grouped(tree, scope, groups)
            scope.grouped = True
            groups = _meeting(having, groups, scope)
        names = tuple(expression.alias_or_name for expression in tree.expressions)
        run = [calculation(expression, scope) for expression in tree.expressions]
        scope.projected = dict(zip(names, run, strict=True))
        lines, within = _lines(groups, run, _rows_of(tree, scope), scope)
        if tree.args.get("distinct"):
            lines = _different(lines)
        total, ranks = _arranged(tree, lines, scope)
        sources = tuple(
            self._sources(expression, scope, within) for expression in tree.expressions
        )
        functions = tuple(map(_function, tree.expressions))
        return Replayed(names, limited(tree, total), sources, functions, total, ranks)

    def _grouped(self, tree: exp.Select, scope: _Scope, envs: list[Env]) -> list[Group]:
        group = tree.args.get("group")
        if group is None:
            return [envs]
        alone = [
            expression for expression in tree.expressions if not _aggregates(tree, expression)
        ]
        scope.projected = {
            expression.alias: calculation(expression, scope)
            for expression in alone
            if expression.alias
        }
        groups = grouped(
            [calculation(expression, scope) for expression in group.expressions], envs
        )
        scope.projected = {}
        return groups

    def _combined(self, tree: exp.SetOperation, outer: Env, path: str) -> Replayed:
        left, right = (
            self.query(tree.left, outer, f"{path}<"),
            self.query(tree.right, outer, f"{path}>"),
        )
        theirs = {same(line.values) for line in right.rows}
        if isinstance(tree, exp.Union):
            lines = [*left.rows, *right.rows]
        else:
            lines = [
                line
                for line in left.rows
                if (same(line.values) in theirs) == isinstance(tree, exp.Intersect)
            ]
        pairs = [(line, line.values) for line in lines]
        if tree.args.get("distinct") is not False:
            pairs = _different(pairs)
        scope = _Scope(self, {}, outer, self.dialect, path)
        scope.projected = {name: _at(at) for at, name in enumerate(left.columns)}
        total, ranks = _arranged(tree, pairs, scope)
        sources = tuple((*a, *b) for a, b in zip(left.sources, right.sources, strict=True))
        return Replayed(left.columns, limited(tree, total), sources, left.functions, total, ranks)

    def _sources(
        self, expression: exp.Expression, scope: _Scope, within: Sequence[tuple[str, str]]
    ) -> tuple[tuple[str, str], ...]:
        """The columns that an expression is made of, those `within` nested queries among them."""
        found: dict[tuple[str, str], None] = {}
        for column in expression.find_all(exp.Column):
            held = scope.held.get(column.table)
            if held is not None and (at := held.place(column.name)) is not None:
                found |= dict.fromkeys(held.sources[at])
        if any(expression.find_all(exp.Select)):
            found |= dict.fromkeys(within)
        return tuple(found)

    # ---- FROM

    def _joined(self, tree: exp.Select, scope: _Scope) -> list[Env]:
        start = tree.args.get("from_")
        if start is None:
            return [{}]
        tests = _conditions(getattr(tree.args.get("where"), "this", None))
        first = self._held(start.this, tree, tests, scope)
        envs: list[Env] = [{first: line} for line in scope.held[first].rows]
        for join in tree.args.get("joins") or ():
            side, kind = join.side.upper(), join.kind.upper()
            if (
                side in ("RIGHT", "FULL")
                or kind not in ("", "INNER", "CROSS", "OUTER")
                or join.args.get("using")
            ):
                raise Unreplayable(
                    f"a {side or kind} JOIN is not computed again outside the database"
                )
            left = side == "LEFT"
            narrowing = [] if left else tests
            alias = self._held(join.this, tree, narrowing, scope)
            envs = _Join(alias, _conditions(join.args.get("on")), narrowing, left).joined(
                envs, scope
            )
        return envs

    def _held(
        self,
        source: exp.Expression,
        tree: exp.Select,
        tests: Sequence[exp.Expression],
        scope: _Scope,
    ) -> str:
        """Make what a FROM or JOIN names known under its alias, and return that."""
        alias = str(source.alias_or_name)
        if isinstance(source, exp.Subquery):
            held = _derived(self.query(source.this, scope.outer, f"{scope.path}{alias}."))
        elif isinstance(source, exp.Table) and source.name in self.common:
            held = _derived(self.common[source.name])
        elif isinstance(source, exp.Table):
            held = self._stored(source.name, alias, tree, tests, scope)
        else:
            raise Unreplayable(
                f"{type(source).__name__.upper()} in FROM is not computed again outside the database"
            )
        scope.held[alias] = held
        self.names[alias] = held.names
        return alias

    def _stored(
        self,
        name: str,
        alias: str,
        tree: exp.Select,
        tests: Sequence[exp.Expression],
        scope: _Scope,
    ) -> _Held:
        relation = self._relation(name)
        names = _used(relation, tree, alias)
        condition = " AND ".join(
            f"({test.sql(dialect=self.dialect)})" for test in tests if _alone(test, alias)
        )
        role = f"{scope.path}{alias}"
        self.used[role] = tuple(names)
        key = key_of(relation)
        columns = list(dict.fromkeys((*names, *key)))
        where = [columns.index(column) for column in key]
        lines = []
        for row in map(tuple, self.read(relation, columns, alias, condition)):
            origin = Origin(role, relation.name, tuple(row[at] for at in where))
            lines.append(ResultLine(row[: len(names)], (origin,)))
        return _Held(names, lines, [((role, column),) for column in names])

    def _relation(self, name: str) -> Relation:
        for relation in self.database.relations:
            if relation.name.casefold() == name.casefold():
                return relation
        raise Unreplayable(f"{name!r} is not one of the relations of {self.database.name}")


def _meeting(clause: exp.Expression | None, rows: list[Any], scope: _Scope) -> list[Any]:
    """The rows or groups that meet a WHERE or HAVING; all where there is none."""
    if clause is None:
        return rows
    holds = calculation(clause.this, scope)
    return [row for row in rows if holds(row)]


def _conditions(test: exp.Expression | None) -> list[exp.Expression]:
    """The conditions that all hold where a test does."""
    if test is None:
        return []
    return list(test.flatten()) if isinstance(test, exp.And) else [test]


def _alone(test: exp.Expression, alias: str) -> bool:
    """Whether a test is about one relation alone."""
    return {column.table for column in test.find_all(exp.Column)} == {alias} and not any(
        test.find_all(exp.Query)
    )


def _aggregates(tree: exp.Select, *parts: exp.Expression | None) -> list[exp.AggFunc]:
    """The aggregates in parts of a SELECT that are not of one nested in it."""
    found = chain.from_iterable(part.find_all(exp.AggFunc) for part in parts if part)
    return [function for function in found if function.find_ancestor(exp.Select) is tree]


def _rows_of(tree: exp.Select, scope: _Scope) -> Callable[[Any], Group]:
    """What finds the rows that a line rests on: the row itself, or of a group those that have its largest or smallest value."""
    if not scope.grouped:
        return lambda env: [env]
    return extremes(_aggregates(tree, *tree.expressions), scope.rows()) or (lambda group: group)


def _lines(
    groups: list[Any], run: Sequence[Calculated], rows_of: Callable[[Any], Group], scope: _Scope
) -> tuple[list[tuple[ResultLine, Any]], list[tuple[str, str]]]:
    """The line of each row or group, and the columns that nested queries looked at."""
    lines: list[tuple[ResultLine, Any]] = []
    within: list[tuple[str, str]] = []
    for group in groups:
        scope.nested = []
        values = tuple(calculate(group) for calculate in run)
        inner = [
            origin
            for replayed in scope.nested
            for line in replayed.rows[:1]
            for origin in line.origins
        ]
        lines.append((ResultLine(values, origins(rows_of(group), inner)), group))
        within += chain.from_iterable(
            chain.from_iterable(replayed.sources for replayed in scope.nested)
        )
    scope.nested = None
    return lines, within


def _used(relation: Relation, tree: exp.Select, alias: str) -> list[str]:
    """The columns of a relation that a SELECT names."""
    used = {
        column.name.casefold() for column in tree.find_all(exp.Column) if column.table == alias
    }
    stored = [*(column.name for column in relation.columns), *filter(None, (relation.rowid,))]
    return [column for column in stored if column.casefold() in used]


def _function(expression: exp.Expression) -> str:
    bare = expression.unalias()
    return "" if isinstance(bare, exp.Column | exp.Literal) else bare.key


def _different(lines: list[tuple[ResultLine, Any]]) -> list[tuple[ResultLine, Any]]:
    """The first of the lines with the same values."""
    return list(
        {same(line.values): (line, made_of) for line, made_of in reversed(lines)}.values()
    )[::-1]


def _arranged(
    tree: exp.Query, lines: list[tuple[ResultLine, Any]], scope: _Scope
) -> tuple[tuple[ResultLine, ...], tuple[int, ...]]:
    """Lines in the order that a query asks for, and their ranks; with each what it is made of."""
    ranks = [0] * len(lines)
    if (order := tree.args.get("order")) is not None:
        lines, ranks = ordered(lines, order, scope)
    return tuple(line for line, _ in lines), tuple(ranks)


def _at(at: int) -> Calculated:
    return lambda values: values[at]


@dataclass(frozen=True, slots=True)
class _Join:
    """A join with the relation `alias`; tests of WHERE that equate the two sides only narrow an inner join."""

    alias: str
    on: Sequence[exp.Expression]
    tests: Sequence[exp.Expression]
    left: bool

    def joined(self, envs: list[Env], scope: _Scope) -> list[Env]:
        """Every env with the rows of the relation that fit."""
        alias = self.alias
        holds = [calculation(condition, scope) for condition in self.on]
        lines_for = self._lines_for(scope)
        empty = ResultLine((None,) * len(scope.held[alias].names))
        made: list[Env] = []
        for env in envs:
            before = len(made)
            for line in lines_for(env):
                whole = {**env, alias: line}
                if all(hold(whole) for hold in holds):
                    made.append(whole)
            if self.left and len(made) == before:
                made.append({**env, alias: empty})
            if len(made) > MOST:
                raise Unreplayable(f"the join has more than {MOST:,} rows")
        return made

    def _lines_for(self, scope: _Scope) -> Callable[[Env], Sequence[ResultLine]]:
        """What finds the lines with the values that conditions equate with those of an env."""
        pairs = list(
            filter(None, (_equated(test, self.alias, scope) for test in (*self.on, *self.tests)))
        )
        mine = [calculation(own, scope) for own, _ in pairs]
        others = [calculation(other, scope) for _, other in pairs]
        by_key: dict[Any, list[ResultLine]] = {}
        for line in scope.held[self.alias].rows:
            by_key.setdefault(
                loosely(calculate({self.alias: line}) for calculate in mine), []
            ).append(line)
        return lambda env: by_key.get(loosely(other(env) for other in others), ())


def _equated(
    test: exp.Expression, alias: str, scope: _Scope
) -> tuple[exp.Expression, exp.Expression] | None:
    if not isinstance(test, exp.EQ) or not (
        isinstance(test.left, exp.Column) and isinstance(test.right, exp.Column)
    ):
        return None
    for own, other in ((test.left, test.right), (test.right, test.left)):
        if own.table == alias and other.table != alias and other.table in scope.held:
            return own, other
    return None
