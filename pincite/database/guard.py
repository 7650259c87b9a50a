"""A statement's text let through only when its syntax tree is a single reading of listed tables by functions without effects.

What is run is written anew from the tree that was checked, and checked once more as it is written, so that the database
reads exactly what was let through.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from pincite.database.errors import StatementRefused
from pincite.database.functions import allowed
from pincite.database.model import Database, Relation

if TYPE_CHECKING:
    from sqlglot import exp

DIALECTS = {"sqlite": "sqlite", "postgresql": "postgres", "duckdb": "duckdb"}
"""SQLAlchemy's names of dialects in sqlglot's words."""
LONGEST = 20_000
"""Characters of a statement; what is longer is no question."""
DEEPEST = 100
"""Levels of a syntax tree."""
_OPAQUE = frozenset(("USERDEFINED", "XML", "NAME", "VARIANT", "OBJECT_IDENTIFIER"))
"""Types to which a cast may look something up or run code of the database's own."""


def guarded(text: str, database: Database) -> str:
    """The statement, its tables qualified; StatementRefused says what is not let through.

    Parameters are written `:name`. A name in double quotes that is no column is a text in SQLite, as SQLite has it.
    """
    return bounded(text, database)[0]


def bounded(text: str, database: Database, rows: int | None = None) -> tuple[str, str]:
    """The statement as `guarded` gives it, and the same with at most `rows` rows."""
    dialect = DIALECTS[database.dialect]
    written = str(_checked(text, database, dialect).sql(dialect=dialect, comments=False))
    tree = _checked(written, database, dialect)
    if tree.sql(dialect=dialect, comments=False) != written:
        raise StatementRefused("the statement reads otherwise when it is written again: say it more plainly")
    return written, written if rows is None else str(_limited(tree, rows).sql(dialect=dialect, comments=False))


def _checked(text: str, database: Database, dialect: str) -> exp.Query:
    tree = _single(text, dialect)
    _reads_only(tree, dialect)
    _listed(tree, database)
    _columns(tree, database)
    return tree


def _single(text: str, dialect: str) -> exp.Query:
    import sqlglot
    from sqlglot import exp

    logging.getLogger("sqlglot").setLevel(logging.ERROR)  # what it cannot parse is refused here, not warned of
    if len(text) > LONGEST:
        raise StatementRefused(f"the statement has {len(text)} characters, more than {LONGEST}")
    try:
        trees = [tree for tree in sqlglot.parse(text, read=dialect) if tree is not None]
    except Exception as error:  # the parser fails in many ways on what is no SQL
        said = str(error).splitlines()
        raise StatementRefused(
            f"the statement cannot be parsed: {said[0][:200] if said else 'it is nested too deep'}"
        ) from None
    if len(trees) != 1:
        raise StatementRefused(f"one statement is run at a time, and this text holds {len(trees)}")
    tree = trees[0]
    if not isinstance(tree, exp.Select | exp.SetOperation | exp.Subquery):
        raise StatementRefused(f"only a SELECT is run, and this is {tree.key.upper()}")
    if isinstance(tree, exp.Select) and not tree.expressions:
        raise StatementRefused("the statement asks for no columns")
    return tree


def _reads_only(tree: exp.Query, dialect: str) -> None:
    from sqlglot import exp

    for node in list(tree.walk()):
        if node.depth > DEEPEST:
            raise StatementRefused("the statement is nested too deep")
        if isinstance(node, exp.DML | exp.DDL) and not isinstance(node, exp.Query):
            raise StatementRefused(f"the statement does more than read: {node.key.upper()}")
        if isinstance(node, exp.Command | exp.Into | exp.Lock):
            raise StatementRefused(f"the statement does more than read: {node.key.upper()}")
        if isinstance(node, exp.With) and node.args.get("recursive"):
            raise StatementRefused("recursive statements are not run: they need not end")
        if isinstance(node, exp.Func) and not allowed(node):
            raise StatementRefused(f"the function {_called(node)} is not among those that only compute: it was not run")
        if isinstance(node, exp.RegexpLike) and dialect == "sqlite":
            raise StatementRefused("SQLite has no regular expressions of its own: use LIKE")
        if isinstance(node, exp.Operator) or (isinstance(node, exp.Dot) and dialect != "duckdb"):
            raise StatementRefused(f"{node.sql(dialect=dialect)[:100]} may call any function: it was not run")
        if isinstance(node, exp.DataType | exp.ObjectIdentifier) and not _plain(node):
            raise StatementRefused(
                f"the type {node.sql(dialect=dialect)[:100]} names objects of the database: it was not run"
            )
        if isinstance(node, exp.Parameter | exp.SessionParameter | exp.Placeholder):
            if not isinstance(node, exp.Placeholder) or not node.name.isidentifier():
                raise StatementRefused(f"{node.sql(dialect=dialect)} has no name: parameters are written :name")
            node.replace(exp.var(f":{node.name}"))


def _plain(kind: Any) -> bool:
    from sqlglot import exp

    return not isinstance(kind, exp.ObjectIdentifier) and str(kind.this.name).upper() not in _OPAQUE


def _called(node: Any) -> str:
    return str(node.this) if node.key == "anonymous" else str(node.sql_name())


def _folded(identifier: Any, dialect: str) -> str:
    """A name as the database compares it: PostgreSQL keeps the case of what is quoted, the others of nothing."""
    name = str(identifier.name)
    return name if dialect == "postgresql" and identifier.args.get("quoted") else name.casefold()


def _listed(tree: exp.Query, database: Database) -> None:
    """That every table is a listed one or a common table expression in scope; its listed schema is written out."""
    from sqlglot import exp

    exact = database.dialect == "postgresql"
    by_name = {relation.name if exact else relation.name.casefold(): relation for relation in database.relations}
    for table in list(tree.find_all(exp.Table)):
        if not isinstance(table.this, exp.Identifier):
            raise StatementRefused(f"{table.sql()} is no table of {database.name}")
        name = _folded(table.this, database.dialect)
        if not table.db and name in _named_around(table, database.dialect):
            continue
        # a model or a person writes the name of a table of PostgreSQL without the quotes that its capitals need
        relation = by_name.get(name) or next((r for r in database.relations if r.name.casefold() == name), None)
        if relation is None or not _same_schema(table, relation):
            known = ", ".join(sorted(relation.name for relation in database.relations))
            raise StatementRefused(f"{table.sql()} is not among the tables of {database.name}: {known[:500]}")
        if exact and relation.name != name and not table.alias:
            table.set("alias", exp.TableAlias(this=exp.to_identifier(name)))
        table.set("this", exp.to_identifier(relation.name, quoted=True))
        if relation.schema:
            table.set("db", exp.to_identifier(relation.schema, quoted=True))


def _same_schema(table: exp.Table, relation: Relation) -> bool:
    return not table.catalog and table.db.casefold() in ("", relation.schema.casefold() or "main")


def _named_around(table: exp.Table, dialect: str) -> set[str]:
    """The common table expressions that a table's place can see: those of the queries around it, defined before it."""
    from sqlglot import exp

    seen: set[str] = set()
    inside: exp.Expression = table
    path = {id(table)}
    node = table.parent
    while node is not None:
        clause = node.args.get("with_")
        for one in clause.expressions if isinstance(clause, exp.With) else ():
            if id(one) in path:
                break
            seen.add(_folded(one.args["alias"].this, dialect))
        inside, node = node, node.parent
        path.add(id(inside))
    return seen


def _columns(tree: exp.Query, database: Database) -> None:
    """That every column is one of a listed table or named in the statement itself: no hidden ones, no calls in disguise."""
    from sqlglot import exp

    known = {c.casefold() for r in database.relations for one in r.columns for c in (one.name, one.written) if c}
    known |= {relation.rowid.casefold() for relation in database.relations if relation.rowid}
    own = {node.alias.casefold() for node in tree.find_all(exp.Alias, exp.Table, exp.Subquery, exp.CTE) if node.alias}
    own |= {c.name.casefold() for node in tree.find_all(exp.TableAlias) for c in node.args.get("columns") or ()}
    known |= own | {relation.name.casefold() for relation in database.relations}
    spelled = _spellings(database) if database.dialect == "postgresql" else {}
    for column in list(tree.find_all(exp.Column)):
        if not column.name or isinstance(column.this, exp.Star) or column.name.casefold() in known:
            exact = "" if column.name.casefold() in own else spelled.get(column.name.casefold(), "")
            if exact and not column.this.args.get("quoted"):
                column.set("this", exp.to_identifier(exact, quoted=True))
            continue
        if database.dialect == "sqlite" and column.this.args.get("quoted") and not column.table:
            column.replace(exp.Literal.string(column.name))
            continue
        raise StatementRefused(f"there is no column {column.name} in the tables of {database.name}")


def _spellings(database: Database) -> dict[str, str]:
    """The columns that PostgreSQL finds only in quotes, for their capitals, by the name that is written without them."""
    names = {column.name for relation in database.relations for column in relation.columns}
    return {name.casefold(): name for name in names if name != name.casefold() and name.casefold() not in names}


def _limited(tree: exp.Query, rows: int) -> exp.Query:
    """The query with its own limit lowered to `rows`; around one that is computed a limit of its own."""
    from sqlglot import exp

    limit = tree.args.get("limit")
    count = limit and (limit.args.get("expression") or limit.args.get("count"))
    if limit is not None and not (isinstance(count, exp.Literal) and count.is_int):
        return exp.select("*").from_(tree.subquery("limited")).limit(rows)
    return tree if count is not None and int(count.this) <= rows else tree.limit(rows)
