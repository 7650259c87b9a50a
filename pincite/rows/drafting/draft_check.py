"""What a statement written by a model must pass before it is run: it parses, only reads, and names what exists."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from sqlglot import exp
from sqlglot.errors import SqlglotError

from pincite.database.database_errors import NameUnknown, StatementRefused
from pincite.database.relations.model import Database
from pincite.database.statements.statement_guard import DIALECTS, guarded
from pincite.database.statements.syntax import TooMuch, trees
from pincite.errors import PinciteError

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
    try:
        found = trees(text, DIALECTS[database.dialect])
    except TooMuch as error:
        raise StatementRefused(str(error)) from None
    except SqlglotError as error:
        if _WRITES.search(text):
            raise StatementRefused("the statement does more than read, or is no SELECT") from None
        raise Mendable(
            f"not valid in {database.dialect}: {str(error).splitlines()[0][:200]}"
        ) from None
    if not found:
        raise Mendable("there is no statement")
    return found[0]


def _slip(text: str, tree: exp.Expr, database: Database) -> str:
    """What the guard has against a statement's names; Mendable for a table that is not there, its refusal for all else."""
    try:
        guarded(text, database)
    except NameUnknown as unknown:
        tables = _unlisted(tree, database)
        if any(map(_is_reserved, tables)) or _hidden(tree, database):
            raise
        if tables:
            names = [relation.name for relation in database.relations]
            raise Mendable(_missing("table", tables[0].name, names)) from None
        return str(unknown)
    return ""


def _unlisted(tree: exp.Expr, database: Database) -> list[exp.Table]:
    """The tables of a statement that neither the database nor a WITH of the statement has."""
    listed = {relation.name.casefold() for relation in database.relations}
    listed |= {expression.alias.casefold() for expression in tree.find_all(exp.CTE)}
    return [table for table in tree.find_all(exp.Table) if table.name.casefold() not in listed]


def _is_reserved(table: exp.Table) -> bool:
    """Whether a table is of another schema or of the database itself, or is a function."""
    return bool(table.db or table.catalog or _OUTSIDE.match(table.name) or not table.name)


def _hidden(tree: exp.Expr, database: Database) -> list[exp.Column]:
    """The columns of a statement that a database has for itself, and no listed table has."""
    known = {
        column.name.casefold() for relation in database.relations for column in relation.columns
    }
    found = [column for column in tree.find_all(exp.Column) if _HIDDEN.fullmatch(column.name)]
    return [column for column in found if column.name.casefold() not in known]


def _spelled(tree: exp.Expr, database: Database) -> None:
    """Write tables and columns as the database spells them, quoted; Mendable for a column that no table in sight has."""
    made = {
        query.alias.casefold() for query in tree.find_all(exp.CTE, exp.Subquery) if query.alias
    }
    owners = _spelled_tables(tree, database, made)
    spellings: dict[str, str] = {}
    for known in owners.values():
        spellings.update(known)
    for name in made:
        owners.pop(name, None)
    names = _Names(made, owners, spellings, _spelled_aliases(tree, spellings))
    for column in list(tree.find_all(exp.Column)):
        if isinstance(column.this, exp.Identifier):
            _spelled_column(column, names, database.dialect)


@dataclass(frozen=True, slots=True)
class _Names:
    """What names can mean in a statement: `made` are queries that it names, `aliases` its names for what it shows.

    `owners` are, by the folded name or alias of each other table, the spelling of its columns by their folded names, and
    `spellings` those of all tables.
    """

    made: set[str]
    owners: dict[str, dict[str, str]]
    spellings: dict[str, str]
    aliases: set[str]


def _spelled_tables(
    tree: exp.Expr, database: Database, made: set[str]
) -> dict[str, dict[str, str]]:
    """Write tables as the database spells them, but for names of queries that are `made`; the `owners` of `_Names`."""
    by_name = {relation.name.casefold(): relation for relation in database.relations}
    owners: dict[str, dict[str, str]] = {}
    for table in tree.find_all(exp.Table):
        name = table.name.casefold()
        if name in by_name and name not in made:
            relation = by_name[name]
            table.set("this", exp.to_identifier(relation.name, quoted=True))
            known = {column.name.casefold(): column.name for column in relation.columns}
            # an alias may stand for another table in another query of the statement
            owners.setdefault((table.alias or table.name).casefold(), {}).update(known)
    return owners


def _spelled_aliases(tree: exp.Expr, spellings: dict[str, str]) -> set[str]:
    """Write the names that a statement gives as columns are spelled that are called so; the folded names."""
    named = set()
    for alias in tree.find_all(exp.Alias):
        name = alias.alias.casefold()
        named.add(name)
        if name in spellings:
            alias.set("alias", exp.to_identifier(spellings[name], quoted=True))
    return named


def _spelled_column(column: exp.Column, names: _Names, dialect: str) -> None:
    """Write a column as the database spells it. Mendable for one that its table or, where it names none, no table has."""
    table, name = column.table.casefold(), column.name.casefold()
    own = names.owners.get(table, {})
    known = own or names.spellings
    if name in known:
        spelled = column.name if column.name in known.values() else known[name]
        column.set("this", exp.to_identifier(spelled, quoted=True))
    elif own:
        raise Mendable(_missing("column", column.name, list(own.values()), f" in {column.table}"))
    elif _is_text(column, dialect):
        column.replace(exp.Literal.string(column.name))
    elif not (names.made or name in names.aliases or _free(column, dialect)):
        raise Mendable(_missing("column", column.name, list(known.values())))


def _is_text(column: exp.Column, dialect: str) -> bool:
    """Whether SQLite takes a name in double quotes for a text."""
    return dialect == "sqlite" and bool(column.this.quoted) and beside_column(column)


def _free(column: exp.Column, dialect: str) -> bool:
    """Whether a bare name may be something that is no column: SQLite's rowid, a keyword of a function."""
    if dialect == "sqlite" and column.name.casefold() in ("rowid", "oid", "_rowid_"):
        return True
    parent = column.parent
    return isinstance(parent, exp.Func | exp.Interval | exp.Cast) and not isinstance(
        parent, exp.Connector
    )


def _missing(kind: str, name: str, there: Sequence[str], where: str = "") -> str:
    folded = {name.casefold(): name for name in there}
    near = [folded[match] for match in get_close_matches(name.casefold(), folded, 3, 0.5)]
    listed = ", ".join(near or there[:40])
    return f"there is no {kind} {name}{where}; {'near it are' if near else 'there are'} {listed}"


def beside_column(literal: exp.Expression) -> bool:
    """Whether something stands in a comparison whose other side is a column, in letters of any case."""
    while isinstance(literal.parent, exp.Lower | exp.Upper | exp.Trim | exp.Paren):
        literal = literal.parent
    parent = literal.parent
    if not isinstance(parent, exp.EQ | exp.NEQ | exp.Like | exp.ILike | exp.In):
        return False
    other = parent.this if parent.this is not literal else parent.args.get("expression")
    while isinstance(other, exp.Lower | exp.Upper | exp.Trim | exp.Paren | exp.Collate | exp.Cast):
        other = other.this
    return isinstance(other, exp.Column)
