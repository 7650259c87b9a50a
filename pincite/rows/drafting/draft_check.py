"""The syntax tree of what a model wrote as a statement."""

from __future__ import annotations

import re

from sqlglot import exp
from sqlglot.errors import SqlglotError

from pincite.database.database_errors import StatementRefused
from pincite.database.relations.model import Database
from pincite.database.statements.statement_guard import DIALECTS
from pincite.database.statements.syntax import TooMuch, trees
from pincite.rows.drafting.joins import Mendable

_FENCED = re.compile(r"```\w*\s*\n(.*?)```", re.DOTALL)
_WRITES = re.compile(
    r"(?:^|;)\s*(?:insert|update|delete|merge|drop|alter|create|truncate|attach|detach|pragma|vacuum|copy|install|load|set|"
    r"reset|call|do|exec(?:ute)?|grant|revoke|begin|commit|rollback|lock|listen|notify|export|import)\b",
    re.IGNORECASE,
)


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
        raise Mendable(
            f"not valid in {database.dialect}: {str(error).splitlines()[0][:200]}"
        ) from None
    if not found:
        raise Mendable("there is no statement")
    if len(found) > 1:
        raise StatementRefused(f"one statement is run, and there are {len(found)}")
    return found[0]
