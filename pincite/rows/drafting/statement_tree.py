"""Parts of a drafted statement: what it reads, where its columns are stored, which of its conditions must hold."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sqlglot import exp
from sqlglot.errors import SqlglotError

from pincite.database.database_errors import StatementRefused
from pincite.database.relations.model import Column, Database, Relation
from pincite.database.relations.name_folding import stems
from pincite.database.statements.statement_guard import DIALECTS
from pincite.database.statements.syntax import TooMuch, trees
from pincite.errors import PinciteError

_FENCED = re.compile(r"```\w*\s*\n(.*?)```", re.DOTALL)
_WRITES = re.compile(
    r"(?:^|;)\s*(?:insert|update|delete|merge|drop|alter|create|truncate|attach|detach|pragma|vacuum|copy|install|load|set|"
    r"reset|call|do|exec(?:ute)?|grant|revoke|begin|commit|rollback|lock|listen|notify|export|import)\b",
    re.IGNORECASE,
)


class Mendable(PinciteError):
    """A statement that was not run, for a reason that its writer can put right: a slip of syntax, a name that is not there."""


def parsed(text: str, database: Database) -> exp.Expr:
    """The syntax tree of the one statement of a text; Mendable when there is none."""
    fenced = _FENCED.fullmatch(text.strip())
    text = (fenced[1] if fenced else text).strip().rstrip("; \n")
    try:
        found = trees(text, DIALECTS[database.dialect])
    except TooMuch as error:
        raise StatementRefused(str(error)) from None
    except SqlglotError as error:
        if _WRITES.search(text):
            raise StatementRefused("the statement does more than read, or is no SELECT") from None
        why = str(error).splitlines()[0][:200]
        raise Mendable(f"not valid in {database.dialect}: {why}") from None
    if not found:
        raise Mendable("there is no statement")
    if len(found) > 1:
        raise StatementRefused(f"one statement is run, and there are {len(found)}")
    return found[0]


def column(table: str, name: str) -> exp.Column:
    """A column of a table as statements name it."""
    return exp.column(exp.to_identifier(name, quoted=True), exp.to_identifier(table, quoted=True))


def name_stems(name: str) -> str:
    """The stemmed words of the name of a table or column."""
    return stems(name.replace("_", " "))


def sources(select: exp.Select) -> Iterator[exp.Expr]:
    """What a SELECT reads: its table, and those that it joins."""
    start = select.args.get("from_")
    for part in (start, *(select.args.get("joins") or ())):
        if part is not None:
            yield part.this


def tables_of(select: exp.Select, database: Database) -> dict[str, Relation]:
    """The relations that a SELECT reads itself, by the folded names that it has for them."""
    held = {relation.name.casefold(): relation for relation in database.relations}
    return {
        source.alias_or_name.casefold(): held[source.name.casefold()]
        for source in sources(select)
        if isinstance(source, exp.Table) and source.name.casefold() in held
    }


def selects_around(part: exp.Expr) -> Iterator[exp.Select]:
    """The SELECTs in which a part of a statement stands, the innermost first."""
    around = part.find_ancestor(exp.Select)
    while around is not None:
        yield around
        around = around.find_ancestor(exp.Select)


def stored_column(each: exp.Expr, database: Database) -> tuple[Relation, Column] | None:
    """The relation and column that a part of a completed statement names; None where it is no column of a relation."""
    for around in selects_around(each) if isinstance(each, exp.Column) else ():
        relation = tables_of(around, database).get(each.table.casefold())
        if relation is not None:
            found = (own for own in relation.columns if own.name == each.name)
            return next(((relation, own) for own in found), None)
    return None


def stored_columns(part: exp.Expr, database: Database) -> Iterator[tuple[Relation, Column]]:
    """The relations and columns that the columns of a part of a completed statement are."""
    for each in part.find_all(exp.Column):
        if (found := stored_column(each, database)) is not None:
            yield found


def is_within(each: exp.Expr, part: exp.Expr) -> bool:
    """Whether a part of a statement is another one or stands in it."""
    around: exp.Expr | None = each
    while around is not None and around is not part:
        around = around.parent
    return around is part


def is_shown(each: exp.Expr, select: exp.Select) -> bool:
    """Whether a column stands in what a SELECT shows."""
    return any(is_within(each, shown) for shown in select.expressions)


def must_hold(condition: exp.Expr) -> bool:
    """Whether a comparison is one of those in a WHERE that must all hold of a row."""
    around = condition.parent
    while isinstance(around, exp.And | exp.Paren):
        around = around.parent
    return isinstance(around, exp.Where)


def left_out(condition: exp.Expr) -> bool:
    """Take a condition out of a WHERE, where it is one of those that must all hold; whether it is out."""
    around = condition.parent
    while isinstance(around, exp.Paren):
        condition, around = around, around.parent
    if isinstance(around, exp.And):
        around.replace(around.right if around.left is condition else around.left)
        return True
    if isinstance(around, exp.Where):
        around.pop()
        return True
    return False
