"""Where tables are: URLs of databases, and files and folders of tables. A password is never part of what is kept or shown."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

from pincite.database.database_errors import DatabaseError
from pincite.errors import UsageError
from pincite.text.lexicon import pattern

Kind = Literal["sqlite", "duckdb", "postgresql", "files"]
TABLES = frozenset((".csv", ".tsv", ".xlsx", ".xls", ".xlsm", ".xlsb", ".ods", ".parquet"))
"""Endings of files of tables."""
_SCHEMES: dict[str, Kind] = {
    "sqlite": "sqlite", "duckdb": "duckdb", "postgresql": "postgresql", "postgres": "postgresql",
    "postgresql+psycopg": "postgresql",
}  # fmt: skip
_URL = re.compile(r"(?P<scheme>[A-Za-z][\w+.-]*)://(?P<rest>.*)", re.DOTALL)
_SECRET = pattern("database", "secret option", "connections")


@dataclass(frozen=True, slots=True)
class Address:
    """Where a source is. `text` is what may be stored and shown: without user, password or secret parameters.

    `path` is the file or folder of a source without a server. `user` and `password` are what the URL gave, out of sight.
    """

    kind: Kind
    text: str
    name: str
    path: Path | None = None
    host: str = ""
    port: int | None = None
    database: str = ""
    options: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    user: str = field(default="", repr=False)
    password: str = field(default="", repr=False)


def parse(address: str | Path, name: str = "") -> Address:
    """Read a URL or a path; `name` is what to call the source, else the database's or file's own name.

    Raises UsageError for a scheme that is not known, DatabaseError for a file that is not there or not of a known kind.
    """
    match = _URL.fullmatch(str(address).strip())
    if match is None:
        return _of_path(Path(address), name)
    kind = _SCHEMES.get(match["scheme"].casefold())
    if kind is None:
        raise UsageError(
            f"{match['scheme']}:// is not a database that Pincite can read: give postgresql://HOST/DATABASE, sqlite:///FILE, "
            "duckdb:///FILE, or the path of a file or folder of CSV, TSV, XLSX or Parquet"
        )
    if kind == "postgresql":
        return _of_server(str(address).strip(), name)
    file = match["rest"].partition("?")[0]
    if not file.startswith("/") or file == "/":
        forms = f"{kind}:///FILE, or {kind}:////FULL/PATH"
        raise UsageError(f"{kind}:// needs the path of a file after a third slash: {forms}")
    return _of_path(Path(unquote(file[1:])), name, kind)


def _of_path(path: Path, name: str, kind: Kind | None = None) -> Address:
    if not path.exists():
        give = "give the path of a database or of a file or folder of tables, or a URL"
        raise DatabaseError(f"there is no {path}: {give}")
    found = kind or _kind_of(path)
    if path.is_dir() and found != "files":
        raise DatabaseError(f"{path} is a folder; give the file of the {found} database")
    text = f"{found}:///{path}" if found != "files" else str(path)
    return Address(found, text, name or path.stem or path.resolve().name, path)


def _kind_of(path: Path) -> Kind:
    if path.is_dir() or path.suffix.casefold() in TABLES:
        return "files"
    try:
        with path.open("rb") as file:
            head = file.read(16)
    except OSError as error:
        why = f"({error.strerror}); check its permissions"
        raise DatabaseError(f"{path} cannot be read {why}") from None
    if head.startswith(b"SQLite format 3"):
        return "sqlite"
    if head[8:12] == b"DUCK":
        return "duckdb"
    raise DatabaseError(
        f"{path} is neither a SQLite nor a DuckDB database, nor a file of tables; known endings are {', '.join(sorted(TABLES))}"
    )


def _of_server(url: str, name: str) -> Address:
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        give = "give postgresql://USER@HOST:PORT/DATABASE"
        raise UsageError(f"the URL of the database cannot be read: {give}") from None
    options = tuple(parse_qsl(parts.query))
    database = unquote(parts.path.lstrip("/"))
    host = parts.hostname or ""
    place = (f"[{host}]" if ":" in host else host) + (f":{port}" if port else "")
    open_options = [each for each in options if not _SECRET.search(each[0]) and each[0] != "user"]
    shown = f"?{urlencode(open_options, safe='/')}" if open_options else ""
    text = f"postgresql://{place}/{quote(database)}{shown}"
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    called = name or database or "postgres"
    return Address("postgresql", text, called, None, host, port, database, options, user, password)


def variable(name: str) -> str:
    """The environment variable that may hold the full URL of the database of that name."""
    return "PINCITE_DB_" + re.sub(r"\W+", "_", name).upper()


def with_login(address: Address) -> Address:
    """The address with the user and password of its environment variable, when it gives none of its own.

    Raises UsageError when the variable holds no URL of a server.
    """
    given = os.environ.get(variable(address.name), "")
    if address.kind != "postgresql" or address.password or not given:
        return address
    login = parse(given, address.name) if _URL.fullmatch(given.strip()) else None
    if login is None or login.kind != "postgresql":
        raise UsageError(
            f"{variable(address.name)} does not hold the URL of a database: set it to postgresql://USER:PASSWORD@HOST/DATABASE"
        )
    return login


def redact(text: str, address: Address | None = None) -> str:
    """A message without passwords: those of URLs in it, of `password=` pairs, and the address's own wherever it stands."""
    text = re.sub(r"(\w://)[^\s/@:]*+(?::[^\s@]*+)?@", r"\1", text)
    text = re.sub(
        r"(?i)\b(password|passwd|pwd)(\s*[=:]\s*)('[^']*'|\"[^\"]*\"|\S+)", r"\1\2***", text
    )
    secret = address.password if address else ""
    return text.replace(secret, "***") if len(secret) > 2 else text
