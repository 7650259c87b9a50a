"""The address of a corpus in PostgreSQL, and the folder on this machine that stands for it.

`postgresql://USER@HOST:PORT/DATABASE?corpus=NAME` names a schema. Of its other parameters `sources` says where sources are kept
(the database, without) and `password_variable` which environment variable holds the password; the rest are libpq's.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

from pincite.errors import CorpusError, UsageError

WHERE_IT_IS = "corpus"
"""The setting `search` of a corpus that is searched where it is."""
ADDRESS = "address"
"""The file of a cache folder that holds the address it was made from."""
_URL = re.compile(r"(?P<scheme>postgres(?:ql)?):/{1,3}(?P<rest>.*)", re.DOTALL)
_CORPUS = re.compile(r"(?!pg_)[a-z_][a-z0-9_-]{0,47}")
_SECRET = re.compile(r"(?i)(?:pass(?!word_variable)|secret|token)")
_OWN = ("corpus", "sources", "password_variable")
_LIBPQ = frozenset((
    "host", "hostaddr", "port", "user", "dbname", "sslmode", "sslrootcert", "sslcert", "sslkey", "sslcrl", "channel_binding",
    "require_auth", "gssencmode", "target_session_attrs", "connect_timeout", "application_name",
))  # fmt: skip
"""Parameters of libpq that an address may give: none that reads a file of services or asks another server for a password."""


_here: dict[Path, CorpusAddress] = {}
"""The caches that this process has made or found."""


@dataclass(frozen=True, slots=True)
class CorpusAddress:
    """A corpus in PostgreSQL. `text` is the address without user and password: what is shown and stored."""

    text: str
    corpus: str
    sources: str = ""
    password_variable: str = ""
    connection: tuple[tuple[str, str], ...] = field(default=(), repr=False)


def corpus_folder(given: Path | str) -> Path:
    """The folder of a corpus on this machine: `given`, or for an address in PostgreSQL its cache, made where there is none.

    Raises UsageError for an address that cannot be read, or that holds a password.
    """
    text = str(given)
    if _URL.fullmatch(text) is None:
        return Path(given)
    address = _parse_address(text)
    folder = _root() / f"{address.corpus}-{_short_hash(_text_to_keep(address))}"
    if not (folder / ADDRESS).is_file():
        from pincite.storage.disk import write  # here, because most corpora are folders

        try:
            write(folder / ADDRESS, _text_to_keep(address))
        except OSError as error:
            raise CorpusError(
                f"the cache of {address.text} cannot be made at {folder} ({error.strerror or error}): set XDG_CACHE_HOME to a "
                "folder that you can write to"
            ) from error
    _here[folder] = address
    return folder


def cache_of_files(files: Iterable[str]) -> Path:
    """The folder on this machine of the corpus that is made of these files or folders alone."""
    places = "\n".join(sorted(str(Path(file).resolve()) for file in files))
    return cache_folder() / "asked" / _short_hash(places)


def _short_hash(text: str) -> str:
    return blake2b(text.encode(), digest_size=8).hexdigest()


def cache_folder() -> Path:
    """The folder of what is kept of this user's work on this machine and can be made again."""
    return _root().parent


def address_of(folder: Path) -> CorpusAddress | None:
    """The address of which a folder is the cache; None for the folder of a corpus.

    Only folders that this process made and those below our own cache count: a folder that was received can name no server.
    """
    place = folder.absolute()
    if place in _here:
        return _here[place]
    if place.parent != _root():
        return None
    try:
        return _read_address(place)
    except OSError:
        return None


def search_address(setting: str, folder: Path) -> str:
    """Where a corpus is searched by the setting `search`: "corpus" is the PostgreSQL that the corpus itself is in, "" its folder.

    The corpus of a folder is searched there when the setting is "corpus".
    """
    if setting != WHERE_IT_IS:
        return setting
    address = address_of(folder)
    return _text_to_keep(address) if address else ""


def schema_address(text: str) -> CorpusAddress | None:
    """The corpus whose schema the address of an engine names; None for the address of a database. Raises as `corpus_folder`."""
    match = _URL.fullmatch(text.strip())
    named = match is not None and "corpus" in dict(parse_qsl(urlsplit(text.strip()).query))
    return _parse_address(text) if named else None


def shown(folder: Path | str) -> str:
    """What to call a corpus in a message: its address, else its folder."""
    address = address_of(Path(folder))
    return address.text if address else str(folder)


def with_addresses(text: str) -> str:
    """A message in which addresses stand in the place of the caches that they were made into."""
    root = str(_root())
    if root not in text:
        return text
    for name in set(re.findall(re.escape(root) + r"/[a-z0-9_-]+", text)):
        text = text.replace(name, shown(name))
    return text


@lru_cache(maxsize=256)
def _read_address(folder: Path) -> CorpusAddress:
    return _parse_address((folder / ADDRESS).read_text(encoding="utf-8"))


def _root() -> Path:
    return _root_in(os.environ.get("XDG_CACHE_HOME", ""))


@lru_cache(maxsize=8)
def _root_in(given: str) -> Path:
    base = Path(given) if given.startswith("/") else Path.home() / ".cache"
    return Path(os.path.realpath(base)) / "pincite" / "corpora"


def _parse_address(text: str) -> CorpusAddress:
    match = _URL.fullmatch(text.strip())
    try:
        parts = urlsplit(f"postgresql://{match['rest'] if match else ''}")
        port = parts.port
    except ValueError:
        raise UsageError(
            "the address of the corpus cannot be read: give postgresql://USER@HOST:PORT/DATABASE?corpus=NAME"
        ) from None
    options = dict(parse_qsl(parts.query))
    secret = any(_SECRET.search(name) for name in options) or "@" in options.get("sources", "")
    if parts.password or secret:
        raise UsageError(
            "the address of a corpus may hold no password, which would be seen in lists of processes: set PGPASSWORD, keep it "
            "in ~/.pgpass, or name a variable that holds it with password_variable=NAME"
        )
    given = {name: value for name, value in options.items() if name not in _OWN}
    if unknown := sorted(given.keys() - _LIBPQ):
        raise UsageError(
            f"the address of a corpus has no parameter {', '.join(unknown)}; known: {', '.join((*_OWN, *sorted(_LIBPQ)))}"
        )
    corpus = options.get("corpus", "pincite")
    if not _CORPUS.fullmatch(corpus):
        raise UsageError(
            f"{corpus!r} cannot name a corpus in PostgreSQL: use up to 48 small letters, digits, - and _, not beginning with pg_"
        )
    named = {"user": unquote(parts.username or ""), "host": parts.hostname or "", "port": str(port or ""),
             "dbname": unquote(parts.path.lstrip("/"))}  # fmt: skip
    connection = {name: value for name, value in named.items() if value} | given
    sources, variable = options.get("sources", ""), options.get("password_variable", "")
    shown_as = _text_to_show(connection, options, corpus)
    return CorpusAddress(shown_as, corpus, sources, variable, tuple(sorted(connection.items())))


def _text_to_show(connection: dict[str, str], options: dict[str, str], corpus: str) -> str:
    """An address without user and password."""
    host = connection.get("host", "")
    socket = {"host": host} if host.startswith("/") else {}
    place = "" if socket else (f"[{host}]" if ":" in host else host)
    port = f":{connection['port']}" if connection.get("port") else ""
    own = {name: options[name] for name in ("sources",) if name in options}
    query = urlencode({"corpus": corpus, **own, **socket}, safe="/:")
    return f"postgresql://{place}{port}/{quote(connection.get('dbname', ''))}?{query}"


def _text_to_keep(address: CorpusAddress) -> str:
    """An address with all that a connection needs, as the cache keeps it."""
    kept = {name: value for name in _OWN if (value := getattr(address, name))}
    return f"postgresql:///?{urlencode(kept | dict(address.connection))}"
