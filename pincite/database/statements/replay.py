"""A statement computed again in Python over rows that are read from its source: how what a database said is checked.

The relations of a statement are read column by column, without its tests, joins and aggregates; these are made here.
Only a relation too large to be read whole is read through those tests of the statement that are about it alone. So it is
also known which rows every value comes from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sqlglot import exp

from pincite.database.relations.model import Database, Relation
from pincite.database.statements.expressions import Calculated, calculation
from pincite.database.statements.grouping import Group, aggregate, extremes, grouped, limited, ordered, origins
from pincite.database.statements.pins import key_of
from pincite.database.statements.result_columns import tree_of
from pincite.database.statements.result_lines import Env, Origin, Replayed, ResultLine, agrees, loosely, same
from pincite.database.statements.scalars import Unreplayable

__all__ = ["ResultLine", "Origin", "Read", "Replayed", "agrees", "replay"]

MOST = 500_000
"""Rows that a join may have before it is given up."""

_PARTS: Mapping[type, frozenset[str]] = {
    exp.Select: frozenset(
        (
            "expressions",
            "from_",
            "joins",
            "where",
            "group",
            "having",
            "order",
            "limit",
            "offset",
            "distinct",
            "with_",
            "kind",
        )
    ),
    exp.Union: frozenset(("this", "expression", "distinct", "order", "limit", "offset", "with_")),
    exp.Intersect: frozenset(("this", "expression", "distinct", "order", "limit", "offset", "with_")),
    exp.Except: frozenset(("this", "expression", "distinct", "order", "limit", "offset", "with_")),
    exp.Subquery: frozenset(("this", "alias")),
    exp.Table: frozenset(("this", "alias")),
    exp.TableAlias: frozenset(("this",)),
    exp.Join: frozenset(("this", "on", "side", "kind")),
    exp.Group: frozenset(("expressions",)),
    exp.Distinct: frozenset(("expressions",)),
    exp.With: frozenset(("expressions",)),
    exp.CTE: frozenset(("this", "alias")),
    exp.Ordered: frozenset(("this", "desc", "nulls_first")),
    exp.Order: frozenset(("expressions",)),
    exp.Limit: frozenset(("expression",)),
    exp.Offset: frozenset(("expression",)),
}
"""What the parts of a query may say: anything else would be left out unseen."""

Read = Callable[[Relation, Sequence[str], str, str], list[tuple[Any, ...]]]
"""Reads these columns of a relation; of one too large only where the condition (SQL about the alias) holds."""


def replay(statement: str, database: Database, read: Read) -> Replayed:
    """Compute a SELECT again; raises Unreplayable when it has parts that this does not know."""
    dialect = "postgres" if database.dialect == "postgresql" else database.dialect
    tree = tree_of(statement, database)
    for node in tree.walk():
        if type(node) in _PARTS and (
            unknown := {name for name, held in node.args.items() if held} - _PARTS[type(node)]
        ):
            raise Unreplayable(
                f"{node.key.upper()} with {', '.join(sorted(unknown))} is not computed again outside the database"
            )
    try:
        made = _Replay(database, dialect, read)
        return replace(made.query(tree, {}, ""), used=made.used)
    except (TypeError, ValueError, ArithmeticError, RecursionError) as error:
        raise Unreplayable(f"the statement cannot be computed again outside the database: {error}") from error


@dataclass
class _Held:
    """A relation, stored or derived, as a statement's FROM names it."""

    names: list[str]
    rows: list[ResultLine]
    sources: list[tuple[tuple[str, str], ...]]


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
        raise Unreplayable(f"the column {column.sql()} is of no relation of the statement")

    def _at(self, alias: str, name: str) -> int:
        try:
            return [held_name.casefold() for held_name in self.held[alias].names].index(name.casefold())
        except ValueError as error:
            raise Unreplayable(f"there is no column {name!r} in {alias}") from error

    def aggregate(self, function: exp.AggFunc) -> Calculated:
        if not self.grouped:
            raise Unreplayable("an aggregate stands where rows are tested one by one")
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
        envs = self._joined(tree, scope)
        where = tree.args.get("where")
        if where is not None:
            holds = calculation(where.this, scope)
            envs = [env for env in envs if holds(env)]
        groups: list[Any] = envs
        gathered = bool(tree.args.get("group")) or any(
            _own(tree, function)
            for part in (*tree.expressions, tree.args.get("having"))
            if part
            for function in part.find_all(exp.AggFunc)
        )
        if any(isinstance(node, exp.Window) for node in tree.walk()):
            raise Unreplayable("window functions are not computed again outside the database")
        if gathered:
            groups = self._grouped(tree, scope, envs)
            scope.grouped = True
            having = tree.args.get("having")
            if having is not None:
                keeps = calculation(having.this, scope)
                groups = [group for group in groups if keeps(group)]
        names = [expression.alias_or_name for expression in tree.expressions]
        run = [calculation(expression, scope) for expression in tree.expressions]
        scope.projected = dict(zip(names, run, strict=True))
        aggregates = [
            function for made in tree.expressions for function in made.find_all(exp.AggFunc) if _own(tree, function)
        ]
        best = extremes(aggregates, scope.rows()) if gathered else None
        lines, within = [], []
        for group in groups:
            scope.nested = []
            values = tuple(calculate(group) for calculate in run)
            inner = [origin for replayed in scope.nested for line in replayed.rows[:1] for origin in line.origins]
            envs = (best(group) if best else group) if gathered else [group]
            lines.append((ResultLine(values, origins(envs, inner)), group))
            within += [pair for replayed in scope.nested for columns in replayed.sources for pair in columns]
        scope.nested = None
        if tree.args.get("distinct"):
            lines = list({same(line.values): (line, group) for line, group in reversed(lines)}.values())[::-1]
        ranks = [0] * len(lines)
        if (order := tree.args.get("order")) is not None:
            lines, ranks = ordered(lines, order, scope)
        total = tuple(line for line, _ in lines)
        sources = tuple(
            tuple(
                dict.fromkeys(
                    (*self._sources(expression, scope), *(within if any(expression.find_all(exp.Select)) else ()))
                )
            )
            for expression in tree.expressions
        )
        made = (expression.unalias() for expression in tree.expressions)
        functions = tuple(
            "" if isinstance(expression, exp.Column | exp.Literal) else expression.key for expression in made
        )
        return Replayed(tuple(names), limited(tree, total), sources, functions, total, tuple(ranks))

    def _grouped(self, tree: exp.Select, scope: _Scope, envs: list[Env]) -> list[Group]:
        group = tree.args.get("group")
        if group is None:
            return [envs]
        alone = (
            expression
            for expression in tree.expressions
            if not any(_own(tree, part) for part in expression.find_all(exp.AggFunc))
        )
        scope.projected = {expression.alias: calculation(expression, scope) for expression in alone if expression.alias}
        groups = grouped([calculation(expression, scope) for expression in group.expressions], envs)
        scope.projected = {}
        return groups

    def _combined(self, tree: exp.SetOperation, outer: Env, path: str) -> Replayed:
        left, right = self.query(tree.left, outer, f"{path}<"), self.query(tree.right, outer, f"{path}>")
        theirs = {same(line.values) for line in right.rows}
        if isinstance(tree, exp.Union):
            lines = [*left.rows, *right.rows]
        else:
            lines = [line for line in left.rows if (same(line.values) in theirs) == isinstance(tree, exp.Intersect)]
        if tree.args.get("distinct") is not False:
            lines = list({same(line.values): line for line in reversed(lines)}.values())[::-1]
        ranks = [0] * len(lines)
        if (order := tree.args.get("order")) is not None:
            scope = _Scope(self, {}, outer, self.dialect, path)
            scope.projected = {name: _at(at) for at, name in enumerate(left.columns)}
            pairs, ranks = ordered([(line, line.values) for line in lines], order, scope)
            lines = [line for line, _ in pairs]
        sources = tuple((*a, *b) for a, b in zip(left.sources, right.sources, strict=True))
        return Replayed(left.columns, limited(tree, tuple(lines)), sources, left.functions, tuple(lines), tuple(ranks))

    def _sources(self, expression: exp.Expression, scope: _Scope) -> Iterator[tuple[str, str]]:
        for column in expression.find_all(exp.Column):
            held = scope.held.get(column.table)
            if held is not None and column.name.casefold() in (names := [name.casefold() for name in held.names]):
                yield from held.sources[names.index(column.name.casefold())]

    # ---- FROM

    def _joined(self, tree: exp.Select, scope: _Scope) -> list[Env]:
        start = tree.args.get("from_")
        if start is None:
            return [{}]
        where = tree.args.get("where")
        tests = list(where.this.flatten()) if where is not None and isinstance(where.this, exp.And) else []
        tests = tests or ([where.this] if where is not None else [])
        first = self._held(start.this, tree, tests, scope)
        envs: list[Env] = [{first: line} for line in scope.held[first].rows]
        for join in tree.args.get("joins") or ():
            side, kind = join.side.upper(), join.kind.upper()
            if side in ("RIGHT", "FULL") or kind not in ("", "INNER", "CROSS", "OUTER") or join.args.get("using"):
                raise Unreplayable(f"a {side or kind} JOIN is not computed again outside the database")
            alias = self._held(join.this, tree, [] if side == "LEFT" else tests, scope)
            on = join.args.get("on")
            conditions = (list(on.flatten()) if isinstance(on, exp.And) else [on]) if on is not None else []
            envs = _join(envs, alias, scope, conditions, [] if side == "LEFT" else tests, side == "LEFT")
        return envs

    def _held(self, source: exp.Expression, tree: exp.Select, tests: Sequence[exp.Expression], scope: _Scope) -> str:
        """Make what a FROM or JOIN names known under its alias, and return that."""
        alias = str(source.alias_or_name)
        if isinstance(source, exp.Subquery):
            made = self.query(source.this, scope.outer, f"{scope.path}{alias}.")
            held = _Held(list(made.columns), list(made.rows), list(made.sources))
        elif isinstance(source, exp.Table) and source.name in self.common:
            made = self.common[source.name]
            held = _Held(list(made.columns), list(made.rows), list(made.sources))
        elif isinstance(source, exp.Table):
            held = self._stored(source.name, alias, tree, tests, scope)
        else:
            raise Unreplayable(f"{type(source).__name__.upper()} in FROM is not computed again outside the database")
        scope.held[alias] = held
        self.names[alias] = held.names
        return alias

    def _stored(self, name: str, alias: str, tree: exp.Select, tests: Sequence[exp.Expression], scope: _Scope) -> _Held:
        relation = next((held for held in self.database.relations if held.name.casefold() == name.casefold()), None)
        if relation is None:
            raise Unreplayable(f"{name!r} is none of the relations of {self.database.name}")
        used = {column.name.casefold() for column in tree.find_all(exp.Column) if column.table == alias}
        stored = (*(column.name for column in relation.columns), *((relation.rowid,) if relation.rowid else ()))
        names = [column for column in stored if column.casefold() in used]
        key = list(key_of(relation))
        alone = [test for test in tests if {column.table for column in test.find_all(exp.Column)} == {alias}]
        alone = [expression for expression in alone if not any(expression.find_all(exp.Query))]
        condition = " AND ".join(f"({expression.sql(dialect=self.dialect)})" for expression in alone)
        role = f"{scope.path}{alias}"
        self.used[role] = tuple(names)
        columns = [*names, *(column for column in key if column not in names)]
        where = [columns.index(column) for column in key]
        rows = self.read(relation, columns, alias, condition)
        lines = [
            ResultLine(row[: len(names)], (Origin(role, relation.name, tuple(row[at] for at in where)),))
            for row in map(tuple, rows)
        ]
        return _Held(names, lines, [((role, column),) for column in names])


def _own(tree: exp.Select, expression: exp.Expression) -> bool:
    """Whether a part of a SELECT is its own and not of one nested in it."""
    return expression.find_ancestor(exp.Select) is tree


def _at(at: int) -> Calculated:
    return lambda values: values[at]


def _join(
    envs: list[Env],
    alias: str,
    scope: _Scope,
    on: Sequence[exp.Expression],
    tests: Sequence[exp.Expression],
    left: bool,
) -> list[Env]:
    """Every env with the rows of `alias` that fit; tests of WHERE that equate the two sides only narrow an inner join."""
    held = scope.held[alias]
    pairs = [pair for condition in (*on, *tests) if (pair := _equated(condition, alias, scope))]
    holds = [calculation(condition, scope) for condition in on]
    mine = [calculation(own, scope) for own, _ in pairs]
    others = [calculation(other, scope) for _, other in pairs]
    by_key: dict[Any, list[ResultLine]] = {}
    for line in held.rows:
        by_key.setdefault(loosely(calculate({alias: line}) for calculate in mine), []).append(line)
    empty = ResultLine((None,) * len(held.names))
    made: list[Env] = []
    for env in envs:
        found = False
        key = loosely(other(env) for other in others)
        for line in by_key.get(key, ()):
            whole = {**env, alias: line}
            if all(hold(whole) for hold in holds):
                made.append(whole)
                found = True
        if left and not found:
            made.append({**env, alias: empty})
        if len(made) > MOST:
            raise Unreplayable(f"the join has more than {MOST:,} rows")
    return made


def _equated(test: exp.Expression, alias: str, scope: _Scope) -> tuple[exp.Expression, exp.Expression] | None:
    if not isinstance(test, exp.EQ) or not (isinstance(test.left, exp.Column) and isinstance(test.right, exp.Column)):
        return None
    for own, other in ((test.left, test.right), (test.right, test.left)):
        if own.table == alias and other.table != alias and other.table in scope.held:
            return own, other
    return None
