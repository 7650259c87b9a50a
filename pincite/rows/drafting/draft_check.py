"""What a statement written by a model must pass before it is run: it parses, reads only, and names what there is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING

from pincite.database.database_errors import NameUnknown, StatementRefused
from pincite.database.relations.model import Database
from pincite.database.statements.statement_guard import DIALECTS, guarded
from pincite.errors import PinciteError

if TYPE_CHECKING:
    from sqlglot import exp

_FENCED = re.compile(r"```\w*\s*\n(.*?)```", re.DOTALL)
_OUTSIDE = re.compile(r"(?:sqlite|pg|duckdb)_|information_schema|dual$", re.IGNORECASE)
_HIDDEN = re.compile(r"[xc]m(?:in|ax)|ctid|tableoid|oid|_?rowid_?", re.IGNORECASE)
_WRITES = re.compile(
    r"(?:^|;)\s*(?:insert|update|delete|merge|drop|alter|create|truncate|attach|detach|pragma|vacuum|copy|install|load|set|"
    r"reset|call|do|exec(?:ute)?|grant|revoke|begin|commit|rollback|lock|listen|notify|export|import)\b",
    re.IGNORECASE,
)


class Mendable(PinciteError):
    """A statement that was not run, for a reason that its writer can put right: a slip of syntax, a name that is not there."""


def settled(text: str, database: Database) -> str:
    """The statement with its tables and columns as the database spells them.

    Raises Mendable when it does not parse or names what is not there, and StatementRefused when it is anything but a single
    reading of the listed tables: that is not for its writer to put right.
    """
    fenced = _FENCED.fullmatch(text.strip())
    text = (fenced[1] if fenced else text).strip().rstrip("; \n")
    tree = parsed(text, database)
    slip = _slip(text, tree, database)
    _spelled(tree, database)
    if slip:
        raise Mendable(slip)
    return str(tree.sql(dialect=DIALECTS[database.dialect], comments=False))


def parsed(text: str, database: Database) -> exp.Expr:
    """The syntax tree of the one statement of a text; Mendable when there is none."""
    from sqlglot.errors import SqlglotError

    from pincite.database.statements.syntax import TooMuch, trees

    try:
        found = trees(text, DIALECTS[database.dialect])
    except TooMuch as error:
        raise StatementRefused(str(error)) from None
    except SqlglotError as error:
        if _WRITES.search(text):
            raise StatementRefused("the statement does more than read, or is no SELECT") from None
        raise Mendable(f"not valid in {database.dialect}: {str(error).splitlines()[0][:200]}") from None
    if not found:
        raise Mendable("there is no statement")
    return found[0]


def _slip(text: str, tree: exp.Expr, database: Database) -> str:
    """What the guard has against a statement's names; Mendable for a table that is not there, its refusal for all else."""
    from sqlglot import exp

    try:
        guarded(text, database)
    except NameUnknown as unknown:
        listed = {relation.name.casefold() for relation in database.relations}
        listed |= {expression.alias.casefold() for expression in tree.find_all(exp.CTE)}
        tables = [table for table in tree.find_all(exp.Table) if table.name.casefold() not in listed]
        if any(table.db or table.catalog or _OUTSIDE.match(table.name) or not table.name for table in tables):
            raise
        known = {column.name.casefold() for relation in database.relations for column in relation.columns}
        columns = {column.name for column in tree.find_all(exp.Column) if column.name.casefold() not in known}
        if any(_HIDDEN.fullmatch(column) for column in columns):
            raise
        if tables:
            raise Mendable(
                _missing("table", tables[0].name, [relation.name for relation in database.relations])
            ) from None
        return str(unknown)
    return ""


def _spelled(tree: exp.Expr, database: Database) -> None:
    """Write tables and columns as the database spells them, quoted; Mendable for a column that no table in sight has."""
    from sqlglot import exp

    by_name = {relation.name.casefold(): relation for relation in database.relations}
    made = {query.alias.casefold() for query in tree.find_all(exp.CTE, exp.Subquery) if query.alias}
    owners: dict[str, dict[str, str]] = {}
    for table in tree.find_all(exp.Table):
        relation = by_name.get(table.name.casefold())
        if relation is not None and relation.name.casefold() not in made:
            table.set("this", exp.to_identifier(relation.name, quoted=True))
            known = {column.name.casefold(): column.name for column in relation.columns}
            # an alias may stand for another table in another query of the statement
            owners.setdefault((table.alias or table.name).casefold(), {}).update(known)
    spellings = {folded: name for spelled in owners.values() for folded, name in spelled.items()}
    named = set()
    for alias in tree.find_all(exp.Alias):
        named.add(alias.alias.casefold())
        if alias.alias.casefold() in spellings:
            alias.set("alias", exp.to_identifier(spellings[alias.alias.casefold()], quoted=True))
    for column in list(tree.find_all(exp.Column)):
        if isinstance(column.this, exp.Identifier):
            own = owners.get(column.table.casefold(), {}) if column.table.casefold() not in made else {}
            _resolved(
                column, own or spellings, bool(own), bool(made) or column.name.casefold() in named, database.dialect
            )


def _resolved(column: exp.Column, own: dict[str, str], owned: bool, otherwise: bool, dialect: str) -> None:
    """Write a column as one of `own`, of its table alone when it is `owned`; `otherwise` it may be a name that is made up."""
    from sqlglot import exp

    name = column.name.casefold()
    if name in own:
        spelled = column.name if column.name in own.values() else own[name]
        column.set("this", exp.to_identifier(spelled, quoted=True))
    elif not owned and dialect == "sqlite" and column.this.quoted and beside_column(column):
        column.replace(exp.Literal.string(column.name))  # what SQLite takes it for
    elif owned or not (otherwise or _free(column, dialect)):
        where = f" in {column.table}" if owned else ""
        raise Mendable(_missing("column", column.name, list(own.values()), where))


def _free(column: exp.Column, dialect: str) -> bool:
    """Whether a bare name may be something that is no column: SQLite's rowid, a keyword of a function."""
    from sqlglot import exp

    if dialect == "sqlite" and column.name.casefold() in ("rowid", "oid", "_rowid_"):
        return True
    return isinstance(column.parent, exp.Func | exp.Interval | exp.Cast) and not isinstance(
        column.parent, exp.Connector
    )


def _missing(kind: str, name: str, there: Sequence[str], where: str = "") -> str:
    folded = {name.casefold(): name for name in there}
    near = [folded[match] for match in get_close_matches(name.casefold(), folded, 3, 0.5)]
    listed = ", ".join(near or there[:40])
    return f"there is no {kind} {name}{where}; {'near it are' if near else 'there are'} {listed}"


def beside_column(literal: exp.Expression) -> bool:
    """Whether something stands in a comparison whose other side is a column, in letters of any case."""
    from sqlglot import exp

    while isinstance(literal.parent, exp.Lower | exp.Upper | exp.Trim | exp.Paren):
        literal = literal.parent
    parent = literal.parent
    if not isinstance(parent, exp.EQ | exp.NEQ | exp.Like | exp.ILike | exp.In):
        return False
    other = parent.this if parent.this is not literal else parent.args.get("expression")
    while isinstance(other, exp.Lower | exp.Upper | exp.Trim | exp.Paren | exp.Collate | exp.Cast):
        other = other.this
    return isinstance(other, exp.Column)
