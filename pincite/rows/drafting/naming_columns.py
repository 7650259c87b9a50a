"""Names in the place of ids: who asks which customer wants its name, and not the number that the tables join by."""

from __future__ import annotations

from sqlglot import exp

from pincite.database.relations.model import Column, Database, Relation
from pincite.database.relations.name_folding import stems
from pincite.lexicon import pattern
from pincite.rows.drafting.joins import column, completed, stored_column

_NAME = pattern("rows", "name", "columns")
_ID = pattern("rows", "identifier", "columns")


def with_names(tree: exp.Query, question: str, database: Database) -> exp.Query:
    """The statement with the name of a thing in the place of each id that it shows, unless the question asks for the id."""
    if not isinstance(tree, exp.Select) or tree.args.get("distinct") and len(tree.selects) > 1:
        return tree
    asked = set(stems(question).split())
    changed = False
    for shown in tree.selects:
        found = stored_column(shown.unalias(), database)
        if found is None or not _is_id(*found) or _is_asked(found[1], asked):
            continue
        place = _name_of(*found, database)
        if place is not None:
            changed = True
            _put(tree, shown, *place)
    return completed(tree, database) if changed else tree


def label_of(relation: Relation) -> Column | None:
    """The column that names the rows of a relation: a text that differs from row to row, one called a name before others; else
    the one that is called the relation's name.
    """
    every = [each for each in relation.columns if each.type == "text" and each.distinct > 1]
    texts = [each for each in every if relation.rows < 2 or each.distinct >= relation.rows * 0.6]
    if not texts:
        own = {"name", stems(f"{relation.name} name".replace("_", " "))}
        texts = [each for each in every if stems(each.name.replace("_", " ")) in own]
    named = [each for each in texts if _NAME.search(each.name.replace("_", " "))]
    others = [each for each in texts if not _ID.search(each.name)]
    return next(iter((*named, *others)), None)


def _is_id(relation: Relation, own: Column) -> bool:
    """Whether a column only joins tables: a key or a link without words of its own."""
    links = {name for link in relation.links for name in link.columns}
    joins = own.name in links or (own.name,) == relation.key
    return joins and (own.type == "integer" or bool(_ID.search(own.name)))


def _is_asked(own: Column, asked: set[str]) -> bool:
    """Whether a question asks for an id as such: by "id", "number" or "code", or by the words of the column's name."""
    words = set(stems(own.name.replace("_", " ")).split())
    return bool(words) and words <= asked or bool(asked & {"id", "ids", "identifi"})


def _name_of(
    relation: Relation, own: Column, database: Database
) -> tuple[Relation, Column] | None:
    """The relation that an id is of, and the column that names its rows."""
    to = next((link.to for link in relation.links if link.columns == (own.name,)), "")
    known = {each.name: each for each in database.relations}
    owner = known.get(to, relation)
    label = label_of(owner)
    return (owner, label) if label is not None and label.name != own.name else None


def _put(tree: exp.Select, shown: exp.Expr, owner: Relation, label: Column) -> None:
    """Show the name in the place of the id; where the result is grouped by the id, by both."""
    was = shown.unalias().copy()
    table = was.args.get("table")
    alias = str(table.this) if table is not None else owner.name
    own = any(
        source.name == owner.name and source.alias_or_name.casefold() == alias.casefold()
        for source in tree.find_all(exp.Table)
    )
    name = column(alias if own else owner.name, label.name)
    if isinstance(shown, exp.Alias):
        shown.set("this", name)
    else:
        shown.replace(name)
    group = tree.args.get("group")
    if group is not None:
        group.append("expressions", name.copy())
