"""A statement's text as a syntax tree, in bounded steps: at some nestings the parser would backtrack without end."""

from __future__ import annotations

import logging
from functools import cache
from typing import Any

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect
from sqlglot.errors import SqlglotError
from sqlglot.tokens import TokenType

LONGEST = 20_000
"""Characters of a statement; what is longer is no question."""
STEPS = 20
"""Steps that the parser may take for each token; statements that people write take fewer than two."""
BRACKETS = 100
"""Square brackets of a statement: at each the parser looks through all that stands before it."""
logging.getLogger("sqlglot").setLevel(
    logging.ERROR
)  # what it cannot parse is refused, not warned of


class TooMuch(SqlglotError):  # type: ignore[misc]
    """A text is too long or too deeply nested to be parsed."""


def trees(text: str, dialect: str) -> list[exp.Expr]:
    """The statements of a text; `dialect` is sqlglot's name.

    Raises SqlglotError for what is no statement, TooMuch for what is too long or too deep.
    """
    if len(text) > LONGEST:
        raise TooMuch(f"the statement has {len(text)} characters, more than {LONGEST}")
    known = Dialect.get_or_raise(dialect)
    try:
        tokens = known.tokenize(text)
        if sum(token.token_type == TokenType.L_BRACKET for token in tokens) > BRACKETS:
            raise TooMuch(f"the statement has more than {BRACKETS} square brackets")
        parser = _bounded(known.parser_class)(dialect=known)
        parser.left = STEPS * len(tokens) + 1_000
        return [tree for tree in parser.parse(tokens, text) if tree is not None]
    except SqlglotError:
        raise
    except RecursionError:
        raise TooMuch("the statement is nested too deep") from None
    except Exception as error:  # the parser fails in many ways on what is no SQL
        raise SqlglotError(str(error) or type(error).__name__) from None


def tree(text: str, dialect: str) -> exp.Expr:
    """The statement of a text that holds one."""
    found = trees(text, dialect)
    if len(found) != 1:
        raise SqlglotError(f"there are {len(found)} statements")
    return found[0]


@cache
def _bounded(parser: Any) -> Any:
    """A parser that gives up when it has no steps left."""

    class Bounded(parser):  # type: ignore[misc]
        left = 0

        def _advance(self, times: int = 1) -> None:
            self.left -= 1
            if self.left < 0:
                raise TooMuch("the statement is nested too deep")
            super()._advance(times)

    return Bounded
