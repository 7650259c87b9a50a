"""Joins along the links of a database: added where a statement names a column of a table that it does not join, and put right
where it joins two tables by columns that do not belong together.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from sqlglot import exp

from pincite.database.relations.model import Column, Database, Relation
from pincite.errors import PinciteError


class Mendable(PinciteError):
    """A statement that was not run, for a reason that its writer can put right: a slip of syntax, a name that is not there."""


@dataclass(frozen=True, slots=True)
class Step:
    """A join from one table to another: rows of `one` and `other` belong together where `pairs` of their columns are equal.

    `repeats`: several rows of `other` may belong to a row of `one`.
    """

    one: str
    other: str
    pairs: tuple[tuple[str, str], ...]
    repeats: bool

    def condition(self, one: str, other: str) -> exp.Expr:
        """The condition of the join between tables that are called so in a statement."""
        return exp.and_(*(column(one, a).eq(column(other, b)) for a, b in self.pairs))


def column(table: str, name: str) -> exp.Column:
    """A column of a table as statements name it."""
    return exp.column(exp.to_identifier(name, quoted=True), exp.to_identifier(table, quoted=True))


def steps(database: Database) -> Iterator[Step]:
    """Every join that links of a database allow, in both directions."""
    held = {relation.name: relation for relation in database.relations}
    for relation in database.relations:
        for link in relation.links:
            if (other := held.get(link.to)) is None:
                continue
            pairs = tuple(zip(link.columns, link.to_columns, strict=True))
            back = tuple((b, a) for a, b in pairs)
            yield Step(relation.name, link.to, pairs, not names_one(other, link.to_columns))
            yield Step(link.to, relation.name, back, not names_one(relation, link.columns))


def names_one(relation: Relation, columns: Sequence[str]) -> bool:
    """Whether the values of some columns name at most one row of a relation, by its key or its profile."""
    if relation.key and set(columns) >= set(relation.key):
        return True
    known = {each.name: each for each in relation.columns}
    return any(
        known[name].distinct >= round(relation.rows * (1 - known[name].nulls)) > 0
        for name in columns
        if name in known
    )


def route(database: Database, sources: Sequence[str], wanted: str) -> tuple[Step, ...] | None:
    """The shortest way of joins from one of some tables to another; None where no links lead there.

    Of ways of the same length the one that repeats no rows comes first.
    """
    every = sorted(steps(database), key=lambda step: step.repeats)
    ways: dict[str, tuple[Step, ...]] = {name: () for name in sources}
    queue = deque(sources)
    while queue:
        here = queue.popleft()
        if here == wanted:
            return ways[here]
        for step in every:
            if step.one == here and step.other not in ways:
                ways[step.other] = (*ways[here], step)
                queue.append(step.other)
    return None


def completed(tree: exp.Query, database: Database) -> exp.Query:
    """The statement with every column under a table that has it; joins are added along links where it is not joined yet.

    Raises Mendable for a table or a column that the database does not have.
    """
    held = {relation.name.casefold(): relation for relation in database.relations}
    made = {each.alias.casefold() for each in tree.find_all(exp.CTE, exp.Subquery) if each.alias}
    for table in tree.find_all(exp.Table):
        _spell_table(table, held, made)
    for select in list(tree.find_all(exp.Select)):
        _Scope(select, held, database).complete()
    return tree


def _spell_table(table: exp.Table, held: Mapping[str, Relation], made: set[str]) -> None:
    """Write a table's name as the database spells it; Mendable where there is none so near that it must be meant."""
    name = table.name.casefold()
    if name in made or not name or table.db and name not in held:
        return
    table.set("db", None)  # a schema would lead past the view
    if name not in held:
        near = get_close_matches(name, held, 1, 0.8)
        if not near:
            raise Mendable(f"there is no table {table.name}; there are {', '.join(held)}")
        if not table.alias:
            table.set("alias", exp.TableAlias(this=exp.to_identifier(table.name)))
        name = near[0]
    table.set("this", exp.to_identifier(held[name].name, quoted=True))


class _Scope:
    """One SELECT of a statement and the tables that it reads, by the folded names that it has for them."""

    def __init__(
        self, select: exp.Select, held: Mapping[str, Relation], database: Database
    ) -> None:
        self.select, self.held, self.database = select, held, database
        self.steps = list(steps(database))
        self.tables: dict[str, Relation] = {}
        self.called: dict[str, str] = {}
        self.unknown = False  # a nested query, whose columns are not looked up
        for source in _sources(select):
            name = source.alias_or_name
            relation = held.get(source.name.casefold()) if isinstance(source, exp.Table) else None
            if relation is None:
                self.unknown = True
            else:
                self.tables[name.casefold()] = relation
                self.called[name.casefold()] = name

    def complete(self) -> None:
        """Put every column of the SELECT under a table that has it."""
        aliases = {each.alias.casefold() for each in self.select.expressions if each.alias}
        if not self.unknown and any(map(self._is_broken, self.select.args.get("joins") or ())):
            self._join_anew()
        for each in list(_own_columns(self.select)):
            if isinstance(each.this, exp.Identifier) and not self._resolved(each, aliases):
                self._place(each)

    def _is_broken(self, join: exp.Join) -> bool:
        """Whether a join names a column that its tables do not have, or joins by columns that no link has where there is one."""
        on, using = join.args.get("on"), join.args.get("using")
        if on is None or isinstance(on, exp.Boolean):
            return not using and not join.args.get("method")
        for each in on.find_all(exp.Column):
            relation = self.tables.get(each.table.casefold())
            if relation is not None and not self._has(relation, each.name.casefold()):
                return True
        return any(map(self._is_unlinked, on.find_all(exp.EQ)))

    def _is_unlinked(self, equal: exp.EQ) -> bool:
        """Whether columns of two tables are compared that belong to no link, though there is a link between the tables."""
        a, b = equal.left, equal.right
        if not (isinstance(a, exp.Column) and isinstance(b, exp.Column)):
            return False
        one, other = (self.tables.get(each.table.casefold()) for each in (a, b))
        if one is None or other is None or one is other:
            return False
        between = [s for s in self.steps if (s.one, s.other) == (one.name, other.name)]
        pair = (a.name.casefold(), b.name.casefold())
        linked = {(x.casefold(), y.casefold()) for step in between for x, y in step.pairs}
        return bool(between) and pair not in linked

    def _join_anew(self) -> None:
        """Join the tables of the SELECT again, in their order, along the links between them."""
        first, *others = self.tables.items()
        called = self.called
        joins = self.select.args["joins"]
        sides = {join.this.alias_or_name.casefold(): join.args.get("side") for join in joins}
        self.select.set("joins", [])
        self.tables, self.called = dict([first]), {first[0]: called[first[0]]}
        for key, relation in others:
            way = self._way(relation)
            if way is None:
                raise Mendable(f"nothing links {relation.name} to {first[1].name}")
            if not way:
                raise Mendable(f"say by which columns {relation.name} is joined to itself")
            self._join(way, called[key])
            self.select.args["joins"][-1].set("side", sides[key])

    def _resolved(self, each: exp.Column, aliases: set[str]) -> bool:
        """Whether a column stands under a table that has it, is the name of a result, or belongs to a query around."""
        name, table = each.name.casefold(), each.table.casefold()
        if table in self.tables:
            return self._spell(each, self.called[table], self.tables[table])
        if not table and (self.unknown or name in aliases and not _is_shown(each, self.select)):
            return True
        if not table:
            owners = [own for own in self.tables if self._has(self.tables[own], name)]
            if owners:
                return self._spell(each, self.called[owners[0]], self.tables[owners[0]])
            return False
        return self.unknown or _is_outer(each, self.select)

    def _has(self, relation: Relation, name: str) -> bool:
        return name in {own.name.casefold() for own in relation.columns}

    def _spell(self, each: exp.Column, called: str, relation: Relation) -> bool:
        """Write a column as its table spells it; False where the table does not have it."""
        for own in relation.columns:
            if own.name.casefold() == each.name.casefold():
                each.replace(column(called, own.name))
                return True
        return False

    def _place(self, each: exp.Column) -> None:
        """Put a column under a table that has it, joined where it is not yet. Raises Mendable where none has."""
        name = each.name.casefold()
        here = [own for own, relation in self.tables.items() if self._has(relation, name)]
        named = self.held.get(each.table.casefold())
        if named is not None and self._has(named, name):
            here, having = [own for own in here if self.tables[own] is named], [named]
        else:
            having = [relation for relation in self.held.values() if self._has(relation, name)]
        if here:
            self._spell(each, self.called[here[0]], self.tables[here[0]])
            return
        ways = [(way, relation) for relation in having if (way := self._way(relation)) is not None]
        if not ways:
            self._near(each)
            return
        way, relation = min(ways, key=lambda found: len(found[0]))
        self._spell(each, self._join(way), relation)

    def _way(self, relation: Relation) -> tuple[Step, ...] | None:
        return route(self.database, [each.name for each in self.tables.values()], relation.name)

    def _join(self, way: Sequence[Step], alias: str = "") -> str:
        """Join the tables of a way that are not joined yet, the last under an alias; what that is called."""
        last = ""
        for step in way:
            there = self._name_of(step.other)
            if not there:
                there = alias if alias and step is way[-1] else step.other
                table = exp.to_table(step.other)
                table.set("this", exp.to_identifier(step.other, quoted=True))
                if there != step.other:
                    table.set("alias", exp.TableAlias(this=exp.to_identifier(there)))
                on = step.condition(self._name_of(step.one), there)
                self.select.join(table, on=on, copy=False)
                self.tables[there.casefold()] = self.held[step.other.casefold()]
                self.called[there.casefold()] = there
            last = there
        return last

    def _name_of(self, relation: str) -> str:
        """What the SELECT calls a relation that it reads; "" where it does not."""
        return next(
            (self.called[key] for key, each in self.tables.items() if each.name == relation), ""
        )

    def _near(self, each: exp.Column) -> None:
        """Take the one column in sight that is spelled almost so, or of whose words it is; Mendable, with what is near, where
        there is none.
        """
        places = {
            own.name.casefold(): (key, own.name)
            for key, relation in self.tables.items()
            if each.table.casefold() not in self.tables or key == each.table.casefold()
            for own in relation.columns
        }
        words = set(each.name.casefold().split("_"))
        near = [name for name in places if words <= set(name.split("_"))]
        near = near if len(near) == 1 else get_close_matches(each.name.casefold(), places, 1, 0.85)
        if near:
            key, name = places[near[0]]
            each.replace(column(self.called[key], name))
            return
        known = dict.fromkeys(
            own.name for relation in self.held.values() for own in relation.columns
        )
        like = get_close_matches(each.name, known, 4, 0.4)
        raise Mendable(
            f"there is no column {each.name}"
            + (f"; near it are {', '.join(like)}" if like else "")
        )


def _sources(select: exp.Select) -> Iterator[exp.Expr]:
    """What a SELECT reads: its table, and those that it joins."""
    start = select.args.get("from_")
    if start is not None:
        yield start.this
    for join in select.args.get("joins") or ():
        yield join.this


def _own_columns(select: exp.Select) -> Iterator[exp.Column]:
    """The columns of a SELECT that no nested query of it names."""
    for each in select.find_all(exp.Column):
        if each.find_ancestor(exp.Select) is select:
            yield each


def _is_shown(each: exp.Column, select: exp.Select) -> bool:
    """Whether a column stands in what a SELECT shows."""
    around: exp.Expr | None = each
    while around is not None and around.parent is not select:
        around = around.parent
    return around is not None and around.arg_key == "expressions"


def _is_outer(each: exp.Column, select: exp.Select) -> bool:
    """Whether a query around reads a table of the name that a column stands under."""
    around = select.find_ancestor(exp.Select)
    while around is not None:
        if each.table.casefold() in {s.alias_or_name.casefold() for s in _sources(around)}:
            return True
        around = around.find_ancestor(exp.Select)
    return False


def tables_of(select: exp.Select, database: Database) -> dict[str, Relation]:
    """The relations that a SELECT reads itself, by the folded names that it has for them."""
    held = {relation.name.casefold(): relation for relation in database.relations}
    return {
        source.alias_or_name.casefold(): held[source.name.casefold()]
        for source in _sources(select)
        if isinstance(source, exp.Table) and source.name.casefold() in held
    }


def stored_column(each: exp.Expr, database: Database) -> tuple[Relation, Column] | None:
    """The relation and column that a part of a completed statement names; None where it is no column of a relation."""
    if not isinstance(each, exp.Column):
        return None
    around = each.find_ancestor(exp.Select)
    while around is not None:
        relation = tables_of(around, database).get(each.table.casefold())
        if relation is not None:
            found = (own for own in relation.columns if own.name == each.name)
            return next(((relation, own) for own in found), None)
        around = around.find_ancestor(exp.Select)
    return None
