"""A statement's text, allowed only if its syntax tree is a single query of listed tables with functions that have no effects.

What is run is written again from the checked tree, and that text is checked again, so that the database reads exactly what was
allowed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlglot import exp
from sqlglot.errors import SqlglotError

from pincite.database.database_errors import StatementRefused
from pincite.database.relations.model import Database
from pincite.database.statements.name_lookup import named, resolve
from pincite.database.statements.scopes import ShownColumns
from pincite.database.statements.syntax import TooMuch, trees
from pincite.text.lexicon import word_set

KEYS = word_set("database", "function keys")
"""Functions that only compute from their arguments, by sqlglot's own keys: none reaches a file, the network, a setting, a
sequence or a catalog, sleeps, or has an unbounded result.
"""
NAMES = word_set("database", "function names")
"""More of them, that sqlglot passes on by name."""
PARTS = word_set("database", "statement parts")
"""Clauses and operators, by sqlglot's keys."""
TYPES = word_set("database", "cast types")
"""Types of plain values that a cast may name."""
DIALECTS = {"sqlite": "sqlite", "postgresql": "postgres", "duckdb": "duckdb"}
"""SQLAlchemy's names of dialects in sqlglot's words."""
DEEPEST = 100
"""Levels of a syntax tree."""
SOUGHT = 200
"""Characters of what a function looks for in a text, and of what it puts there instead."""
_SOUGHT = {
    "contains": "expression", "replace": "expression", "splitpart": "delimiter", "strposition": "substr",
    "substringindex": "delimiter", "translate": "from_", "trim": "expression",
}  # fmt: skip
"""The argument that a function looks for: a long one takes the product of both lengths, and nothing can stop it."""


def allowed(function: Any) -> bool:
    """Whether a function of a syntax tree is one of those that only compute."""
    if function.key == "anonymous":
        return str(function.this).casefold() in NAMES
    return function.key in KEYS


def allowed_name(name: str) -> bool:
    """Whether a function of an expression that is not parsed but built is one of these."""
    return name.casefold() in NAMES or name.casefold().replace("_", "") in KEYS


def guarded(text: str, database: Database) -> str:
    """The statement, its tables qualified; StatementRefused says what is not let through.

    Parameters are written `:name`. A name in double quotes that is no column is a text in SQLite, as SQLite has it.
    """
    return bounded(text, database)[0]


def bounded(text: str, database: Database, rows: int | None = None) -> tuple[str, str]:
    """The statement as `guarded` gives it, and the same with at most `rows` rows."""
    dialect = DIALECTS[database.dialect]
    try:
        written = str(_check_text(text, database, dialect).sql(dialect=dialect, comments=False))
        tree = _check_text(written, database, dialect)
        if tree.sql(dialect=dialect, comments=False) != written:
            raise StatementRefused(
                "the statement changes when it is parsed and written again: simplify it"
            )
        if rows is None:
            return written, written
        return written, str(_limit_rows(tree, rows).sql(dialect=dialect, comments=False))
    except RecursionError:
        raise StatementRefused("the statement is nested too deep") from None


def view(text: str, database: Database, views: Mapping[str, ShownColumns]) -> ShownColumns:
    """What a view shows whose CREATE VIEW is this, when it is a reading of the relations of `database` alone.

    `views` are those among them that are views themselves. Raises StatementRefused.
    """
    dialect = DIALECTS[database.dialect]
    made = _parse_one(text, dialect)
    query = made.expression if isinstance(made, exp.Create) and made.kind == "VIEW" else None
    if not isinstance(query, exp.Query):
        raise StatementRefused("its definition is not a SELECT")
    query = query.pop()
    _check_parts(query, dialect)
    return named(resolve(query, database, views), made.this)


def _parse_one(text: str, dialect: str) -> exp.Expr:
    """The syntax tree of the one statement of a text."""
    try:
        found = trees(text, dialect)
    except TooMuch as error:
        raise StatementRefused(str(error)) from None
    except SqlglotError as error:
        why = str(error).splitlines()[0][:200]
        raise StatementRefused(f"the statement cannot be parsed: {why}") from None
    if len(found) != 1:
        raise StatementRefused(
            f"only one statement is run at a time, but this text holds {len(found)}"
        )
    return found[0]


def _check_text(text: str, database: Database, dialect: str) -> exp.Query:
    """The syntax tree of a text that is a reading of listed tables, all names in it looked up."""
    tree = _parse_one(text, dialect)
    if not isinstance(tree, exp.Select | exp.SetOperation | exp.Subquery):
        raise StatementRefused(f"only a SELECT is run, and this is {tree.key.upper()}")
    if isinstance(tree, exp.Select) and not tree.expressions:
        raise StatementRefused("the statement asks for no columns")
    _check_parts(tree, dialect)
    resolve(tree, database)
    return tree


def _check_parts(tree: exp.Query, dialect: str) -> None:
    """That nothing in a tree but known parts of a reading stands there: whatever is not known is refused."""
    for node in list(tree.walk()):
        if node.depth > DEEPEST:
            raise StatementRefused("the statement is nested too deep")
        if isinstance(node, exp.Func):
            _check_function(node, dialect)
        elif isinstance(node, exp.Placeholder | exp.Parameter | exp.SessionParameter):
            _name_parameter(node, dialect)
        elif refused := _refusal_of(node, dialect):
            raise StatementRefused(refused)
        elif node.key not in PARTS:
            raise StatementRefused(f"{node.key.upper()} is not allowed in a query: it was not run")


def _refusal_of(node: exp.Expr, dialect: str) -> str:
    """Why a part of a statement that computes nothing is not let through; "" where it is."""
    if isinstance(node, exp.DataType) and not _is_plain_type(node):
        return f"the type {node.sql(dialect=dialect)[:100]} names objects of the database: it was not run"
    if isinstance(node, exp.With) and node.args.get("recursive"):
        return "recursive statements are not run: they may never end"
    if isinstance(node, exp.Dot) and (
        dialect != "duckdb" or not isinstance(node.expression, exp.Identifier)
    ):
        return f"{node.sql(dialect=dialect)[:100]} may call any function: it was not run"
    if isinstance(node, exp.DML | exp.DDL | exp.Command) and not isinstance(node, exp.Query):
        return f"the statement does more than read: {node.key.upper()}"
    return ""


def _check_function(function: exp.Func, dialect: str) -> None:
    """That a function is one of those that only compute, and bounded in what it takes."""
    if not allowed(function):
        raise StatementRefused(
            f"the function {_function_name(function)} is not on the list of those that only compute: it was not run"
        )
    if isinstance(function, exp.RegexpLike) and dialect == "sqlite":
        raise StatementRefused("SQLite has no regular expressions of its own: use LIKE")
    for name in (_SOUGHT.get(function.key, ""), "replacement"):
        text = function.args.get(name)
        if text is not None and not (
            isinstance(text, exp.Literal | exp.Var | exp.Placeholder) and len(text.name) <= SOUGHT
        ):
            does, what = (
                ("puts in", "put in") if name == "replacement" else ("looks for", "look for")
            )
            raise StatementRefused(
                f"{_function_name(function)} {does} {text.sql(dialect=dialect)[:100]}: write out what to {what}, in at most "
                f"{SOUGHT} characters"
            )


def _name_parameter(node: exp.Expression, dialect: str) -> None:
    """Write a parameter as `:name`; one without a name is refused."""
    if not isinstance(node, exp.Placeholder) or not node.name.isidentifier():
        what = node.sql(dialect=dialect)
        raise StatementRefused(f"{what} has no name: parameters are written :name")
    node.replace(exp.var(f":{node.name}"))


def _is_plain_type(kind: exp.DataType) -> bool:
    """Whether a type is a built-in one of plain values: a cast to any other may look something up or run code."""
    return isinstance(kind.this, exp.Interval) or getattr(kind.this, "name", "") in TYPES


def _function_name(node: Any) -> str:
    return str(node.this) if node.key == "anonymous" else str(node.sql_name())


def _limit_rows(tree: exp.Query, rows: int) -> exp.Query:
    """The query with its own limit lowered to `rows`; around one that is computed a limit of its own."""
    limit = tree.args.get("limit")
    count = limit and (limit.args.get("expression") or limit.args.get("count"))
    if limit is not None and not (isinstance(count, exp.Literal) and count.is_int):
        return exp.select("*").from_(tree.subquery("limited")).limit(rows)
    return tree if count is not None and int(count.this) <= rows else tree.limit(rows)
