"""Every table, alias and column of a statement looked up in its scope, so that the database cannot take it for anything else.

PostgreSQL calls a function for `x.f` where x has no column f; SQLite takes a common table expression for the table of its name
wherever it appears. What is not found among the listed relations and the statement's own names is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest

from sqlglot import exp

from pincite.database.database_errors import NameUnknown, StatementRefused
from pincite.database.relations.model import Database, Relation
from pincite.database.statements.scopes import (
    FromItem,
    NameScope,
    ShownColumn,
    ShownColumns,
    bounded,
    growth,
)

_SELECT = frozenset(
    "with_ expressions distinct from_ joins where group having qualify windows order limit offset".split()
)
_TABLE = frozenset("this db catalog alias joins sample only".split())
_JOIN = frozenset("this on side kind using method".split())
_WRAPPED = frozenset("this alias with_ joins order limit offset sample".split())
_PARENTHESIS = frozenset("this alias joins".split())
_LATERAL = frozenset("this alias view outer".split())
_UNITED = frozenset(
    "this expression with_ distinct by_name order limit offset side kind on".split()
)


Ctes = dict[str, ShownColumns]


def resolve(
    tree: exp.Query, database: Database, views: Mapping[str, ShownColumns] | None = None
) -> ShownColumns:
    """Look up all names of a statement, and write tables with their schema and columns as the database spells them.

    What it shows; `views` are what relations show that are views. Raises NameUnknown for a table or column that is not there,
    StatementRefused for a clause whose names cannot be looked up, and for what unfolds to too much.
    """
    resolver = _Resolver(tree, database, views or {})
    found = resolver.query(tree, None, {})
    resolver.finish()
    return found


def named(reading: ShownColumns, schema: exp.Expr) -> ShownColumns:
    """What a view shows under the names that its definition gives: `v (a, b)`."""
    given = [each.name for each in schema.expressions] if isinstance(schema, exp.Schema) else []
    shown = []
    for name, column in zip_longest(given[: len(reading.columns)], reading.columns):
        own = column.name or (column.at.output_name if column.at is not None else "")
        shown.append(replace(column, name=own if name is None else name))
    return ShownColumns(shown, reading.weight)


class _Resolver:
    def __init__(
        self, tree: exp.Query, database: Database, views: Mapping[str, ShownColumns]
    ) -> None:
        self.tree = tree
        self.database = database
        self.views = views
        self.dialect = database.dialect
        self.seen: set[int] = set()
        self.ctes = {self.effective(cte.args["alias"].this) for cte in tree.find_all(exp.CTE)}

    def effective(self, identifier: exp.Expr) -> str:
        """A name as the database compares it: PostgreSQL keeps the case of what is quoted, the others of nothing."""
        quoted = self.dialect == "postgresql" and identifier.args.get("quoted")
        return str(identifier.name if quoted else identifier.name.casefold())

    def finish(self) -> None:
        """Refuse a statement in which anything is left that no clause led to."""
        for node in self.tree.find_all(exp.Column, exp.Table, exp.Query):
            if id(node) not in self.seen:
                raise StatementRefused(
                    f"{node.sql()[:100]} is used where its names cannot be looked up: write it differently"
                )

    # ---- queries

    def query(self, node: exp.Expr, around: NameScope | None, ctes: Ctes) -> ShownColumns:
        """The columns that a query shows, all names in it looked up."""
        self.seen.add(id(node))
        ctes = self.with_(node, around, ctes)
        if isinstance(node, exp.Select):
            return self.select(node, around, ctes)
        if isinstance(node, exp.SetOperation):
            _only(node, _UNITED)
            first, second = (self.query(n, around, ctes) for n in (node.this, node.expression))
            columns, weight = first.columns, first.weight + second.weight
        elif isinstance(node, exp.Subquery) and isinstance(node.this, exp.Query):
            _only(node, _WRAPPED)
            inner = self.query(node.this, around, ctes)
            columns, weight = inner.columns, inner.weight
        else:
            what = node.sql()[:100]
            raise StatementRefused(f"{what} is not a query that can be checked: write a SELECT")
        scope = NameScope(around, labels={column.name: column.weight for column in columns})
        for clause in ("order", "limit", "offset"):
            weight += self.expressions(node.args.get(clause), scope, ctes)
        return ShownColumns(columns, bounded(weight))

    def with_(self, node: exp.Expr, around: NameScope | None, ctes: Ctes) -> Ctes:
        """The common table expressions that a query sees: those around it and its own."""
        clause = node.args.get("with_")
        seen = dict(ctes)
        for cte in clause.expressions if isinstance(clause, exp.With) else ():
            found = self.query(cte.this, around, seen)
            columns = self.renamed(found.columns, cte.args["alias"])
            seen[self.effective(cte.args["alias"].this)] = ShownColumns(columns, found.weight)
        return seen

    def select(self, node: exp.Select, around: NameScope | None, ctes: Ctes) -> ShownColumns:
        _only(node, _SELECT)
        scope = NameScope(around)
        start = node.args.get("from_")
        weight = 0
        if start is not None:
            self.item(start.this, scope, ctes)
            weight += self.joined(node, scope, ctes, 0)
        weight += sum(item.weight for item in scope.items)
        columns: list[ShownColumn] = []
        for projection in list(node.expressions):
            own = self.expressions(projection, scope, ctes)
            shown = self.shown(projection, scope, own)
            columns += shown
            weight += max(own, sum(column.weight for column in shown))
            if isinstance(projection, exp.Alias):
                scope.labels[self.effective(projection.args["alias"])] = own
        for name in _SELECT - {"with_", "from_", "joins", "expressions"}:
            weight += self.expressions(node.args.get(name), scope, ctes)
        return ShownColumns(columns, bounded(weight))

    def shown(self, projection: exp.Expr, scope: NameScope, weight: int) -> list[ShownColumn]:
        """The columns that one expression of a select list shows."""
        if isinstance(projection, exp.Alias):
            return [ShownColumn(self.effective(projection.args["alias"]), weight=weight)]
        if isinstance(projection, exp.Star):
            return _columns(scope.items)
        if isinstance(projection, exp.Column) and isinstance(projection.this, exp.Star):
            name = self.effective(projection.args["table"])
            return _columns(item for item in scope.items if item.name == name)
        if isinstance(projection, exp.Column):
            return [ShownColumn(self.effective(projection.this), weight=weight)]
        return [ShownColumn("", projection, weight)]

    def renamed(
        self, columns: Sequence[ShownColumn], alias: exp.Expr | None
    ) -> Sequence[ShownColumn]:
        """Columns with the names that an alias gives to the first of them."""
        names = list(map(self.effective, alias.args.get("columns") or () if alias else ()))
        pairs = zip(names, columns, strict=False)
        renamed = [ShownColumn(name, weight=column.weight) for name, column in pairs]
        return [*renamed, *columns[len(names) :]]

    # ---- FROM

    def joined(self, node: exp.Expr, scope: NameScope, ctes: Ctes, begin: int) -> int:
        """Add what a node joins to a scope, and look up the conditions; the weight of these.

        In PostgreSQL a condition sees what is joined, from the item at `begin` or the last comma on, and nothing listed later.
        """
        exact = self.dialect == "postgresql"
        joins = node.args.get("joins") or ()
        weight = 0
        for join in joins:
            _only(join, _JOIN)
            if not any(join.args.get(name) for name in _JOIN - {"this"}):
                begin = len(scope.items)
            self.item(join.this, scope, ctes)
            if exact:
                seen = NameScope(scope.around, scope.items[begin:])
                weight += self.expressions(join.args.get("on"), seen, ctes)
        for join in () if exact else joins:
            weight += self.expressions(join.args.get("on"), scope, ctes)
        return weight

    def item(self, node: exp.Expr, scope: NameScope, ctes: Ctes) -> None:
        """Add a table, a query or parenthesised joins of a FROM clause to a scope."""
        self.seen.add(id(node))
        begin = len(scope.items)
        scope.items.extend(self.listed(node, scope, ctes))
        weight = self.joined(node, scope, ctes, begin)
        scope.items[begin] = replace(scope.items[begin], weight=scope.items[begin].weight + weight)

    def listed(self, node: exp.Expr, scope: NameScope, ctes: Ctes) -> list[FromItem]:
        """What a FROM clause lists by one table, query or parenthesis; a lateral query sees what the scope holds so far."""
        alias = node.args.get("alias")
        label = getattr(alias, "this", None)
        name = self.effective(label) if label is not None else ""
        if isinstance(node, exp.Table):
            _only(node, _TABLE)
            item = self.table(node, ctes)
            columns = self.renamed(item.columns, alias)
            return [replace(item, name=name or item.name, columns=columns)]
        if isinstance(node, exp.Subquery) and isinstance(node.this, exp.Table):
            _only(node, _PARENTHESIS)
            nested = NameScope(scope.around)
            self.item(node.this, nested, ctes)
            if not name:
                return nested.items
            found = ShownColumns(_columns(nested.items), sum(item.weight for item in nested.items))
        elif isinstance(node, exp.Lateral):
            _only(node, _LATERAL)
            found = self.derived(node.this, scope, ctes)
        else:
            found = self.derived(node, scope if self.dialect == "duckdb" else scope.around, ctes)
        return [FromItem(name, self.renamed(found.columns, alias), found.weight)]

    def derived(self, node: exp.Expr, around: NameScope | None, ctes: Ctes) -> ShownColumns:
        """The columns of a query or of values in a FROM clause."""
        if isinstance(node, exp.Values):
            _only(node, frozenset(("expressions", "alias")))
            weight = self.expressions(node.expressions, around or NameScope(), ctes)
            width = max((len(row.expressions) for row in node.expressions), default=0)
            places = range(width) if self.dialect == "duckdb" else range(1, width + 1)
            stem = "col" if self.dialect == "duckdb" else "column"
            return ShownColumns(
                [ShownColumn(f"{stem}{at}", None, weight) for at in places], weight
            )
        if isinstance(node, exp.Query):
            return self.query(node, around, ctes)
        what = f"{node.sql()[:100]} is not a table"
        raise StatementRefused(f"{what}: select from the tables of {self.database.name}")

    def table(self, node: exp.Table, ctes: Ctes) -> FromItem:
        """A listed relation, its schema written out, or a common table expression."""
        if not isinstance(node.this, exp.Identifier):
            raise StatementRefused(f"{node.sql()[:100]} is not a table of {self.database.name}")
        name = self.effective(node.this)
        if not node.db and name in ctes:
            return FromItem(name, ctes[name].columns, ctes[name].weight)
        relation = self.relation(node, name)
        if self.dialect == "postgresql" and relation.name != name and not node.alias:
            name = node.name.casefold()
            node.set("alias", exp.TableAlias(this=exp.to_identifier(name)))
        node.set("this", exp.to_identifier(relation.name, quoted=True))
        if relation.schema:
            node.set("db", exp.to_identifier(relation.schema, quoted=True))
        elif name in self.ctes:
            node.set("db", exp.to_identifier("main"))
        if relation.name in self.views:
            shown = self.views[relation.name]
            return FromItem(name, shown.columns, shown.weight, relation)
        names = [
            own for column in relation.columns for own in (column.name, column.written) if own
        ]
        if self.dialect != "postgresql":
            names = list(map(str.casefold, names))
        hidden = frozenset({relation.rowid.casefold()} - {""})
        return FromItem(name, list(map(ShownColumn, names)), 1, relation, hidden)

    def relation(self, node: exp.Table, name: str) -> Relation:
        """The relation that a table is; one of PostgreSQL may be written without the quotes that its capitals need."""
        relations = self.database.relations
        exact = [relation for relation in relations if relation.name == name]
        for relation in exact or [r for r in relations if r.name.casefold() == name.casefold()]:
            places = ("", relation.schema.casefold() or "main")
            if node.db.casefold() in places and not node.catalog:
                return relation
        known = ", ".join(sorted(relation.name for relation in relations))[:500]
        refusal = StatementRefused if node.db else NameUnknown
        what = f"{node.sql()[:200]} is not among the tables of {self.database.name}"
        raise refusal(f"{what}: {known}")

    # ---- columns

    def expressions(self, part: object, scope: NameScope, ctes: Ctes) -> int:
        """Look up all names of an expression or of several; its weight. Queries in it see its scope."""
        if isinstance(part, list):
            return bounded(sum(self.expressions(each, scope, ctes) for each in part))
        if not isinstance(part, exp.Expression):
            return 0
        if isinstance(part, exp.Query):
            return self.query(part, scope, ctes).weight
        if isinstance(part, exp.Column):
            return self.column(part, scope)
        own = 1 + len(part.name) // 100 if isinstance(part, exp.Literal) else 1
        within = self.expressions(list(part.iter_expressions()), scope, ctes)
        return bounded((own + within) * growth(part))

    def column(self, node: exp.Column, scope: NameScope) -> int:
        """Look up a column; its weight."""
        self.seen.add(id(node))
        if not node.table:
            return self.bare(node, scope)
        name = self.effective(node.args["table"])
        items = (item for each in scope.chain() for item in each.items)
        item = next((item for item in items if item.name == name), None)
        if item is not None and (not node.args.get("db") or self.within(node, item)):
            node.set("db", None)
            weight = 1 if isinstance(node.this, exp.Star) else self.spelled(node, item)
            if not weight:
                known = ", ".join(column.name for column in item.columns if column.name)[:500]
                what = f"there is no column {node.name} in {node.table}"
                raise NameUnknown(f"{what}: {known or 'its columns have no names'}")
            return weight
        if self.dialect == "duckdb" and self.field(node, scope):
            return 1
        raise self.unknown(node.sql()[:200])

    def bare(self, node: exp.Column, scope: NameScope) -> int:
        """Look up a column that is written without its table; its weight."""
        if isinstance(node.this, exp.Star):
            return 1
        weights = [self.spelled(node, item) for each in scope.chain() for item in each.items]
        weight = max(*weights, scope.labels.get(self.effective(node.this), 0), 0)
        if weight:
            return weight
        if self.dialect != "sqlite" or not node.this.args.get("quoted"):
            raise self.unknown(node.name)
        node.replace(exp.Literal.string(node.name))  # what SQLite takes it for
        return 1

    def unknown(self, column: str) -> NameUnknown:
        return NameUnknown(f"there is no column {column} in the tables of {self.database.name}")

    def within(self, node: exp.Column, item: FromItem) -> bool:
        """Whether a column that is written with a schema is of the relation there, under that relation's own name."""
        relation = item.relation
        if relation is None or node.args.get("catalog"):
            return False
        place = (relation.schema.casefold() or "main", relation.name.casefold())
        return place == (str(node.db).casefold(), node.table.casefold())

    def spelled(self, node: exp.Column, item: FromItem) -> int:
        """The weight of an item's column of that name, written so that the database finds it, too; 0 when there is none."""
        name = self.effective(node.this)
        for column in item.columns:
            if column.name == name or self.given(column, node.this):
                return column.weight
        if name in item.hidden:
            return 1
        if self.dialect == "postgresql" and not node.this.args.get("quoted"):
            for column in item.columns:
                if column.name.casefold() == name:
                    node.set("this", exp.to_identifier(column.name, quoted=True))
                    return column.weight
        return 0

    def given(self, column: ShownColumn, identifier: exp.Expr) -> bool:
        """Whether a column without a name is meant by the one that databases give it; it is then written out."""
        node = column.at
        if node is None:
            return False
        called = {node.output_name.casefold(), node.sql(dialect="sqlite").casefold()}
        if isinstance(node, exp.Func):
            named = isinstance(node, exp.Anonymous)
            called.add((node.name if named else node.sql_name()).casefold())
        if identifier.name.casefold() not in called - {""}:
            return False
        label = exp.Alias(alias=identifier.copy())
        node.replace(label)
        label.set("this", node)
        column.name, column.at = self.effective(identifier), None
        return True

    def field(self, node: exp.Column, scope: NameScope) -> bool:
        """Whether what looks like a table is a column of DuckDB that holds fields."""
        first = next(node.args[part] for part in ("catalog", "db", "table") if node.args.get(part))
        name = self.effective(first)
        shown = (column for each in scope.chain() for column in _columns(each.items))
        return any(column.name == name for column in shown)


def _only(node: exp.Expr, known: Iterable[str]) -> None:
    """Refuse a node with a clause that is not among those whose names are looked up."""
    for name, value in node.args.items():
        if value and name not in known:
            what = f"{node.sql()[:100]} has a clause that is not allowed"
            raise StatementRefused(f"{what} ({name.strip('_')})")


def _columns(items: Iterable[FromItem]) -> list[ShownColumn]:
    return [column for item in items for column in item.columns]
