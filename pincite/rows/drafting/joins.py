"""Joins along the links of a database: added where a statement names a column of a table that it does not join, and put right
where it joins two tables by columns that do not belong together.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from sqlglot import exp

from pincite.database.relations.model import Database, Relation
from pincite.rows.drafting import statement_tree
from pincite.rows.drafting.statement_tree import Mendable, column, is_shown, selects_around


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


def steps(database: Database) -> Iterator[Step]:
    """Every join that links of a database allow, in both directions."""
    held = {relation.name: relation for relation in database.relations}
    for relation in database.relations:
        for link in relation.links:
            if (other := held.get(link.to)) is None:
                continue
            pairs = tuple(zip(link.columns, link.to_columns, strict=True))
            back = tuple((b, a) for a, b in pairs)
            yield Step(relation.name, link.to, pairs, not other.is_unique(link.to_columns))
            yield Step(link.to, relation.name, back, not relation.is_unique(link.columns))


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
    """One SELECT of a statement; `tables` are those that it reads, by their folded names in it, with the names as written."""

    def __init__(
        self, select: exp.Select, held: Mapping[str, Relation], database: Database
    ) -> None:
        self.select, self.held, self.database = select, held, database
        self.steps = list(steps(database))
        self.tables: dict[str, tuple[str, Relation]] = {}
        self.unknown = False  # a nested query, whose columns are not looked up
        for source in statement_tree.sources(select):
            name = source.alias_or_name
            relation = held.get(source.name.casefold()) if isinstance(source, exp.Table) else None
            if relation is None:
                self.unknown = True
            else:
                self.tables[name.casefold()] = (name, relation)

    def complete(self) -> None:
        """Put every column of the SELECT under a table that has it."""
        aliases = {each.alias.casefold() for each in self.select.expressions if each.alias}
        if not self.unknown and any(map(self._is_broken, self.select.args.get("joins") or ())):
            self._join_anew()
        for each in list(self.select.find_all(exp.Column)):
            own = each.find_ancestor(exp.Select) is self.select
            if own and isinstance(each.this, exp.Identifier) and not self._resolved(each, aliases):
                self._place_column(each)

    def _relation(self, each: exp.Column) -> Relation | None:
        found = self.tables.get(each.table.casefold())
        return found[1] if found is not None else None

    def _is_broken(self, join: exp.Join) -> bool:
        """Whether a join names a column that its tables do not have, or joins by columns that no link has where there is one."""
        on, using = join.args.get("on"), join.args.get("using")
        if on is None or isinstance(on, exp.Boolean):
            return not using and not join.args.get("method")
        named = [(relation, c) for c in on.find_all(exp.Column) if (relation := self._relation(c))]
        missing = any(_column_of(relation, each.name) is None for relation, each in named)
        return missing or any(map(self._is_unlinked, on.find_all(exp.EQ)))

    def _is_unlinked(self, equal: exp.EQ) -> bool:
        """Whether columns of two tables are compared that belong to no link, though there is a link between the tables."""
        a, b = equal.left, equal.right
        if not (isinstance(a, exp.Column) and isinstance(b, exp.Column)):
            return False
        one, other = self._relation(a), self._relation(b)
        if one is None or other is None or one is other:
            return False
        between = [s for s in self.steps if (s.one, s.other) == (one.name, other.name)]
        linked = {(x.casefold(), y.casefold()) for step in between for x, y in step.pairs}
        return bool(between) and (a.name.casefold(), b.name.casefold()) not in linked

    def _join_anew(self) -> None:
        """Join the tables of the SELECT again, in their order, along the links between them."""
        first, *others = self.tables.items()
        joins = self.select.args["joins"]
        sides = {join.this.alias_or_name.casefold(): join.args.get("side") for join in joins}
        self.select.set("joins", [])
        self.tables = dict([first])
        for key, (called, relation) in others:
            way = self._way(relation)
            if way is None:
                raise Mendable(f"nothing links {relation.name} to {first[1][1].name}")
            if not way:
                raise Mendable(f"say by which columns {relation.name} is joined to itself")
            self._join(way, called)
            self.select.args["joins"][-1].set("side", sides[key])

    def _resolved(self, each: exp.Column, aliases: set[str]) -> bool:
        """Whether a column stands under a table that has it, is the name of a result, or belongs to a query around."""
        name, table = each.name.casefold(), each.table.casefold()
        if table in self.tables:
            called, relation = self.tables[table]
            own = _column_of(relation, name)
            if own:
                each.replace(column(called, own))
            return own is not None
        if not table:
            return self.unknown or name in aliases and not is_shown(each, self.select)
        return self.unknown or any(
            table == source.alias_or_name.casefold()
            for around in selects_around(self.select)
            for source in statement_tree.sources(around)
        )

    def _place_column(self, each: exp.Column) -> None:
        """Put a column under a table that has it, joined where it is not yet. Raises Mendable where none has."""
        named = self.held.get(each.table.casefold())
        having = [one for one in self.held.values() if _column_of(one, each.name)]
        if named is not None and named in having:
            having = [named]
        here = [called for called, relation in self.tables.values() if relation in having]
        ways = [(way, one) for one in having if not here and (way := self._way(one)) is not None]
        if not here and not ways:
            self._take_near(each)
            return
        called = here[0] if here else ""
        if ways:
            way, relation = min(ways, key=lambda found: len(found[0]))
            called = self._join(way)
        else:
            relation = self.tables[called.casefold()][1]
        each.replace(column(called, _column_of(relation, each.name) or each.name))

    def _way(self, relation: Relation) -> tuple[Step, ...] | None:
        return route(self.database, [each.name for _, each in self.tables.values()], relation.name)

    def _join(self, way: Sequence[Step], alias: str = "") -> str:
        """Join the tables of a way that are not joined yet, the last under an alias; what that is called."""
        last = ""
        for step in way:
            last = self._name_of(step.other)
            if not last:
                last = alias if alias and step is way[-1] else step.other
                table = exp.to_table(step.other)
                table.set("this", exp.to_identifier(step.other, quoted=True))
                if last != step.other:
                    table.set("alias", exp.TableAlias(this=exp.to_identifier(last)))
                on = step.condition(self._name_of(step.one), last)
                self.select.join(table, on=on, copy=False)
                self.tables[last.casefold()] = (last, self.held[step.other.casefold()])
        return last

    def _name_of(self, relation: str) -> str:
        """What the SELECT calls a relation that it reads; "" where it does not."""
        return next((called for called, each in self.tables.values() if each.name == relation), "")

    def _take_near(self, each: exp.Column) -> None:
        """Take the one column in sight that is spelled almost so, or of whose words it is; Mendable, with what is near, where
        there is none.
        """
        own = each.table.casefold()
        seen = [self.tables[own]] if own in self.tables else self.tables.values()
        places = {c.name.casefold(): (called, c.name) for called, one in seen for c in one.columns}
        words = set(each.name.casefold().split("_"))
        near = [name for name in places if words <= set(name.split("_"))]
        near = near if len(near) == 1 else get_close_matches(each.name.casefold(), places, 1, 0.85)
        if near:
            each.replace(column(*places[near[0]]))
            return
        known = dict.fromkeys(own.name for held in self.held.values() for own in held.columns)
        like = ", ".join(get_close_matches(each.name, known, 4, 0.4))
        raise Mendable(f"there is no column {each.name}{like and f'; near it are {like}'}")


def _column_of(relation: Relation, name: str) -> str | None:
    """The name of a relation's column as it spells it; None where it has none of this name."""
    names = (own.name for own in relation.columns)
    return next((own for own in names if own.casefold() == name.casefold()), None)
