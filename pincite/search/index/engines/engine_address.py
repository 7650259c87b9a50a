"""Where shelves are searched, as the setting `search` says it: a PostgreSQL server, a Milvus server, a file of Milvus Lite."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal
from urllib.parse import urlencode, urlsplit

from pincite.database.sources.database_address import parse
from pincite.errors import UsageError
from pincite.storage.corpus_address import CorpusAddress, schema_address

LITE = ".db"
"""How the name of a file of Milvus Lite ends."""
_PASSWORD = re.compile(r"://[^/@:]*:[^/@]+@|[?&](?:password|sslpassword)=")
_FORMS = (
    "give postgresql://HOST/DATABASE for PostgreSQL with pgvector, milvus://HOST:19530 for Milvus, or the path of a file that "
    f"ends in {LITE} for Milvus Lite"
)


@dataclass(frozen=True, slots=True)
class EngineAddress:
    """The address of an engine. `text` names it without user and password, `url` is all that was given, out of sight.

    `schema` is that of the corpus which an address names, where its tables are, "" where the server decides;
    `password_variable` says which environment variable holds the password.
    """

    kind: Literal["postgresql", "milvus"]
    text: str
    url: str = field(repr=False)
    schema: str = field(default="", repr=False)
    password_variable: str = field(default="", repr=False)

    def spelled(self) -> str:
        """What a shelf's spelling says of the place: never who asks there."""
        return repr(self.text)


def engine_address(given: str) -> EngineAddress:
    """Read an address. Raises UsageError for one of an unknown kind, or with a password in it."""
    given = given.strip()
    if _PASSWORD.search(given):
        raise UsageError(
            "the setting 'search' holds a password, which stands in the environment instead: PGPASSWORD, or MILVUS_PASSWORD"
        )
    scheme = given.partition("://")[0].casefold() if "://" in given else ""
    if scheme in ("postgresql", "postgres"):
        corpus = schema_address(given)
        return _beside(corpus) if corpus else EngineAddress("postgresql", parse(given).text, given)
    if scheme == "milvus":
        return EngineAddress("milvus", _server(given), given)
    if not scheme and given.endswith(LITE):
        path = str(Path(given).expanduser().resolve())
        return EngineAddress("milvus", path, path)
    raise UsageError(f"the setting 'search' names no engine that Pincite can search in: {_FORMS}")


def _beside(corpus: CorpusAddress) -> EngineAddress:
    """The schema of a corpus, beside whose tables its indexes are."""
    url = f"postgresql:///?{urlencode(corpus.connection)}"
    return EngineAddress("postgresql", corpus.text, url, corpus.corpus, corpus.password_variable)


def _server(given: str) -> str:
    try:
        parts = urlsplit(given)
        host, port = parts.hostname, parts.port or 19530
    except ValueError:
        host, port = None, 0
    if not host:
        raise UsageError(f"the setting 'search' names no host of Milvus: {_FORMS}")
    return f"milvus://{host}:{port}{parts.path.rstrip('/')}"
