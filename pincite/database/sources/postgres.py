"""PostgreSQL opened so that it can only read: as a role that may do nothing else, in transactions that cannot write."""

from __future__ import annotations

import os
from typing import Any

import sqlalchemy as sa

from pincite.database.database_errors import DatabaseError
from pincite.database.sources.database_address import Address, redact
from pincite.database.statements.statement_bounds import bound
from pincite.errors import NetworkForbidden, UsageError
from pincite.processes import offline

_LONGEST = "600s"
"""How long one statement of an index run may take; those of questions have a limit of their own."""
_FILES = ("pg_read_server_files", "pg_write_server_files", "pg_execute_server_program")
_POWERS = dict.fromkeys(_FILES, "the server's files or programs") | {
    "pg_write_all_data": "all tables for writing",
    "pg_create_subscription": "connections to other servers",
    "pg_maintain": "the maintenance of all tables",
    "pg_signal_backend": "the sessions of others",
    "pg_checkpoint": "the server's checkpoints",
}
"""Roles of PostgreSQL's own whose members may do more than read tables, with what they reach."""

_PSYCOPG = frozenset("autocommit context cursor_factory prepare_threshold row_factory".split())
"""Parameters of a connection that are the driver's own and not libpq's."""

# a role is all roles that it can become: SET ROLE needs membership, not inheritance
_MAY = """
WITH reachable AS (
    SELECT oid, rolname, rolsuper, rolcreaterole, rolcreatedb, rolreplication FROM pg_catalog.pg_roles
    WHERE pg_catalog.pg_has_role(session_user, oid, 'MEMBER')),
held AS (
    SELECT c.oid, c.relowner, pg_catalog.quote_ident(n.nspname) || '.' || pg_catalog.quote_ident(c.relname) AS name
    FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname <> 'information_schema'
      AND NOT pg_catalog.starts_with(n.nspname, 'pg_'))
SELECT 'superuser' AS kind, rolname AS what FROM reachable WHERE rolsuper
UNION ALL SELECT 'manager', rolname FROM reachable WHERE rolcreaterole OR rolcreatedb OR rolreplication
UNION ALL SELECT 'member', rolname FROM reachable WHERE rolname = ANY(%s)
UNION ALL (SELECT 'owner', h.name FROM held AS h JOIN reachable AS r ON h.relowner = r.oid LIMIT 1)
UNION ALL (SELECT 'writer', h.name FROM held AS h, reachable AS r
    WHERE pg_catalog.has_table_privilege(r.oid, h.oid, 'INSERT, UPDATE, DELETE, TRUNCATE')
       OR pg_catalog.has_any_column_privilege(r.oid, h.oid, 'INSERT, UPDATE') LIMIT 1)
UNION ALL (SELECT 'schema', n.nspname FROM pg_catalog.pg_namespace AS n, reachable AS r
    WHERE n.nspname <> 'information_schema' AND NOT pg_catalog.starts_with(n.nspname, 'pg_')
      AND pg_catalog.has_schema_privilege(r.oid, n.oid, 'CREATE') LIMIT 1)
UNION ALL (SELECT 'database', pg_catalog.current_database() FROM reachable AS r
    WHERE pg_catalog.has_database_privilege(r.oid, pg_catalog.current_database(), 'CREATE') LIMIT 1)
"""
_EXTENDED = """
SELECT DISTINCT pg_catalog.quote_ident(n.nspname) FROM pg_catalog.pg_extension AS e
JOIN pg_catalog.pg_namespace AS n ON n.oid = e.extnamespace WHERE n.nspname <> 'pg_catalog' ORDER BY 1
"""
SEARCH_PATH = "search_path"
"""Under which name a connection's `info` holds the schemas in which a question's functions and operators are looked up."""


def engine(place: Address) -> sa.Engine:
    """An engine whose connections only read; each raises DatabaseError for a role that may do more."""
    url = sa.URL.create(
        "postgresql+psycopg", place.user or None, place.password or None, place.host or None, place.port, place.database,
        dict(place.options),
    )  # fmt: skip
    # a peer that is gone is noticed within a minute
    alive = {"keepalives_idle": 30, "keepalives_interval": 10, "keepalives_count": 3}
    arguments = {"connect_timeout": 10, "application_name": "pincite", **alive}
    try:
        kept = {"pool_pre_ping": True, "hide_parameters": True}
        made = sa.create_engine(url, connect_args=arguments, **kept)
    except sa.exc.ArgumentError as error:
        why = redact(str(error), place)
        raise UsageError(f"{place.text} cannot be connected to: {why}") from None

    @sa.event.listens_for(made, "do_connect")
    def _allowed(dialect: Any, record: Any, words: list[Any], parameters: dict[str, Any]) -> None:
        if offline.forbidden():
            refuse_network(parameters, place)

    @sa.event.listens_for(made, "connect")
    def _read_only(connection: Any, record: Any) -> None:
        connection.execute("SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY")
        connection.execute("SET default_transaction_read_only = on")
        connection.execute("SET standard_conforming_strings = on")
        connection.execute(f"SET statement_timeout = '{_LONGEST}'")
        _refuse_powers(connection, place)
        # a function that somebody made is not called for a built-in one of its name; extensions keep their types' own
        found = connection.execute(_EXTENDED).fetchall()
        record.info[SEARCH_PATH] = ", ".join(["pg_catalog", *(schema for (schema,) in found)])
        connection.commit()
        connection.read_only = True

    bound(made)
    return made


def refuse_network(parameters: dict[str, Any], place: Address) -> None:
    """Refuse a connection that libpq would make over a network: the audit hook of --offline does not see it.

    What counts is what libpq makes of the parameters, the environment and its defaults together. A service file may name
    anything, and OAuth asks an issuer on the web.
    """
    from psycopg import pq
    from psycopg.conninfo import make_conninfo

    words = {name: value for name, value in parameters.items() if name not in _PSYCOPG}
    if os.environ.get("PGSERVICE") or words.get("service"):
        # before libpq is asked for its defaults: it asks the LDAP server that a service file names
        raise _network_refused(place)
    given = pq.Conninfo.parse(make_conninfo(**words).encode())
    options = (*pq.Conninfo.get_defaults(), *given)
    settings = {option.keyword: option.val for option in options if option.val}
    # no host at all is the Unix socket of libpq's own folder
    hosts = settings.get(b"host", b"/").split(b",")
    remote = not settings.keys().isdisjoint((b"hostaddr", b"service", b"oauth_issuer"))
    if remote or not all(host.startswith((b"/", b"@")) for host in hosts):
        raise _network_refused(place)


def _network_refused(place: Address) -> NetworkForbidden:
    return NetworkForbidden(
        f"--offline is set, and {place.text} may be reached over a network: give the folder of the server's Unix socket "
        "(postgresql:///DATABASE?host=/var/run/postgresql), unset PGHOST, PGHOSTADDR and PGSERVICE, or leave out --offline"
    )


def _refuse_powers(connection: Any, place: Address) -> None:
    """Refuse a role that may do more than read; the message holds the lines that make one that may not."""
    found = connection.execute(_MAY, (list(_POWERS),)).fetchall()
    if not found:
        return
    kind, what = found[0]
    may = {
        "superuser": "is a superuser, or may become one",
        "manager": f"may make roles, databases or copies of the server (as {what})",
        "member": f"reaches {_POWERS.get(what, '')} (as a member of {what})",
        "owner": f"owns {what}",
        "writer": f"may write to {what}",
        "schema": f"may create in the schema {what}",
        "database": f"may create schemas in the database {what}",
    }[kind]
    closed = ""
    if kind == "schema":
        closed = f"If all roles may: REVOKE CREATE ON SCHEMA {what} FROM PUBLIC;\n"
    raise DatabaseError(
        f"{place.text} was opened as {connection.info.user}, who {may}; questions are asked as a role that may only read.\n"
        f"Make one, then give its name and password in the URL:\n{closed}"
        "CREATE ROLE pincite_reader LOGIN PASSWORD '...';\n"
        f'GRANT CONNECT ON DATABASE "{connection.info.dbname}" TO pincite_reader;\n'
        "GRANT USAGE ON SCHEMA public TO pincite_reader;\n"
        "GRANT SELECT ON ALL TABLES IN SCHEMA public TO pincite_reader;"
    )
