"""What a login of a database may do with a corpus in PostgreSQL: rights to its schema, and policies for the rows inside it.

A corpus is a schema, so what a reader may read is a right to that schema, which covers the words and vectors of indexes there.
Policies keep apart what one schema holds of several people: a chat is seen by the login that began it, and of the kept
files only those of jobs are written by others than the owner. The owner of the schema and superusers pass by policies.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Literal, get_args

from pincite.chat import history
from pincite.corpus.served_schema import open_schema
from pincite.errors import UsageError
from pincite.models.endpoints import replies
from pincite.records import answer_store
from pincite.records.review import review_log
from pincite.storage import address_of, file_copies, ledger
from pincite.storage.common_sql import tables_of
from pincite.storage.postgres import PostgresTables, make
from pincite.workbench.grid import grid_state

Right = Literal["reader", "reviewer", "none"]
RIGHTS: tuple[Right, ...] = get_args(Right)
"""Read and ask; also keep answers, review, chat, fill grids and run batches; nothing."""
_WRITTEN = (
    answer_store.SCHEMA, review_log.SCHEMA, grid_state.SCHEMA, history.SCHEMA, ledger.SCHEMA, replies.SCHEMA,
    file_copies.SCHEMA,
)  # fmt: skip
"""What a reviewer writes."""
_FILES = ("kept_files", "kept_parts")
_LOGIN = "ALTER TABLE chats ADD COLUMN IF NOT EXISTS login TEXT NOT NULL DEFAULT current_user"
_OF_CHAT = "EXISTS (SELECT FROM chats WHERE chats.id = chat)"
_POLICIES = (
    ("chats", "own_rows", "ALL", "login = current_user"),
    ("turns", "own_rows", "ALL", _OF_CHAT),
    ("chat_owners", "own_rows", "ALL", _OF_CHAT),
    *((table, "all_rows", "SELECT", "true") for table in _FILES),
    *((table, "job_rows", "ALL", "starts_with(name, 'jobs/')") for table in _FILES),
)
"""A table, the name of its policy, the statements that it is for, and which rows they see and write."""


def grant(corpus: Path, login: str, right: Right) -> None:
    """Let a login of the database do with a corpus what `right` says, and nothing else; the corpus gets its policies.

    Tables that are made later may be read too. Raises UsageError for a folder, a login that is not there, and one that owns
    the corpus or is a superuser; CorpusNotWritable when this user does not own the corpus.
    """
    address = address_of(corpus)
    if address is None:
        raise UsageError(
            f"{corpus} is a folder: who may read it is said by the rights of its files; logins have rights to a corpus in "
            "PostgreSQL"
        )
    with closing(open_schema(address)) as db:
        ((owner,),) = db.execute(
            "SELECT nspowner::regrole::text FROM pg_namespace WHERE nspname = ?", (address.corpus,)
        )
        _check(db, login, owner)
        with db.alone("rights"):
            for schema in _WRITTEN:
                make(db, schema)
            for statement in (*_policed(), *_rights(address.corpus, f'"{login}"', owner, right)):
                db.execute(statement)


def _check(db: PostgresTables, login: str, owner: str) -> None:
    """Raise UsageError for a login that no rights can be given to, or that has them all."""
    known = re.fullmatch(r"[\w.@-]{1,63}", login) and db.execute(
        "SELECT rolsuper OR pg_has_role(oid, ?::regrole, 'MEMBER') FROM pg_roles WHERE rolname = ?",
        (owner, login),
    )
    if not known:
        raise UsageError(
            f"the database has no login {login!r}: make one with CREATE ROLE ... LOGIN, and give its name as it is"
        )
    ((all_of_it,),) = known
    if all_of_it:
        raise UsageError(
            f"{login} owns {db.address.text}, or is a superuser, and may do everything with it: give rights to another login"
        )


def _policed() -> Iterator[str]:
    """The statements that put policies on the tables that hold rows of several people."""
    yield _LOGIN
    for table, name, statements, rows in _POLICIES:
        yield f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY"
        yield f"DROP POLICY IF EXISTS {name} ON {table}"
        yield f"CREATE POLICY {name} ON {table} FOR {statements} USING ({rows})"


def _rights(corpus: str, login: str, owner: str, right: Right) -> Iterator[str]:
    """The statements after which a login has this right and no other."""
    later = f'ALTER DEFAULT PRIVILEGES FOR ROLE {owner} IN SCHEMA "{corpus}"'
    yield f'REVOKE ALL ON ALL TABLES IN SCHEMA "{corpus}" FROM {login}'
    yield f'REVOKE ALL ON SCHEMA "{corpus}" FROM {login}'
    yield f"{later} REVOKE ALL ON TABLES FROM {login}"
    if right == "none":
        return
    yield f'GRANT USAGE ON SCHEMA "{corpus}" TO {login}'
    yield f'GRANT SELECT ON ALL TABLES IN SCHEMA "{corpus}" TO {login}'
    yield f"{later} GRANT SELECT ON TABLES TO {login}"
    if right == "reviewer":
        written = (table for schema in _WRITTEN for table in tables_of(schema))
        yield f"GRANT INSERT, UPDATE, DELETE ON {', '.join(written)} TO {login}"
