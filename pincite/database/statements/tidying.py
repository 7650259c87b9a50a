"""A statement as a person would write it: tables under their own names, columns without labels that nobody refers to."""

from __future__ import annotations

import re
from collections import Counter

from sqlglot import exp
from sqlglot.errors import SqlglotError

from pincite.database.statements import syntax
from pincite.database.statements.statement_guard import DIALECTS

_LABEL = re.compile(r"^(?:c|\w+_)\d++")


def tidied(statement: str, dialect: str) -> str:
    """The same statement with fewer made-up names; as it is where it cannot be taken apart. `dialect` is SQLAlchemy's name."""
    own = DIALECTS.get(dialect, dialect)
    try:
        tree = syntax.tree(statement, own)
    except SqlglotError:
        return statement
    if not isinstance(tree, exp.Query):
        return statement
    tables = list(tree.find_all(exp.Table))
    times = Counter(table.name.casefold() for table in tables)
    # an alias counts as a name, too: a table whose name is one keeps its own
    times.update(
        part.alias.casefold() for part in (*tables, *tree.find_all(exp.CTE, exp.Subquery))
    )
    for table in tables:
        if _LABEL.fullmatch(table.alias) and times[table.name.casefold()] == 1:
            _rename(table, tree, alone=len(tables) == 1)
    _unlabelled(tree)
    return str(tree.sql(dialect=own))


def _rename(table: exp.Table, tree: exp.Query, *, alone: bool) -> None:
    """Call a table by its own name, and its columns without one where it is `alone`."""
    for column in list(tree.find_all(exp.Column)):
        if column.table == table.alias:
            column.set(
                "table", None if alone else exp.to_identifier(table.name, quoted=table.this.quoted)
            )
    table.set("alias", None)


def _unlabelled(tree: exp.Expression) -> None:
    """Take the labels off what the outermost SELECT shows, where nothing refers to them."""
    if not isinstance(tree, exp.Select):
        return
    referred = {column.name for column in tree.find_all(exp.Column) if not column.table}
    for expression in list(tree.expressions):
        if (
            isinstance(expression, exp.Alias)
            and expression.alias[:1] == "c"
            and expression.alias[1:].isdecimal()
            and expression.alias not in referred
        ):
            expression.replace(expression.this)
