"""How a database can fail a question; each message says what was asked of which database, and never shows a password."""

from __future__ import annotations

from pincite.errors import PinciteError, SourceError


class DatabaseError(SourceError):
    """A database cannot be opened or read: a bad address, a missing table, no permission."""


class DatabaseUnreachable(DatabaseError):
    """The server does not answer, or the connection was lost."""

    retryable = True


class StatementRefused(PinciteError):
    """A statement is not a single reading of the listed tables; it was not run."""


class NameUnknown(StatementRefused):
    """A statement names a table or a column that is not there, and nothing else is wrong with it."""


class StatementFailed(PinciteError):
    """The database rejected a statement; the message holds the database's own words."""


class StatementTimeout(StatementFailed):
    """The database stopped a statement at its limit of time."""


def need(module: str, extra: str) -> None:
    """Raise DatabaseError with the line that installs it when a module of an extra is missing."""
    import importlib.util

    if importlib.util.find_spec(module) is None:
        raise DatabaseError(f"this needs the {extra} extra: pip install 'pincite[{extra}]'")
