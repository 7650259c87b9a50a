"""Files behind addresses, such as s3://bucket/reports: listed, told apart by their tags, and fetched when they have changed.

fsspec reads them. What it must know to be let in comes from the environment, as each store has it, and never from an address.
"""

from __future__ import annotations

import os
import re
import shutil
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from hashlib import blake2b
from pathlib import Path, PurePosixPath
from typing import Any, TypeVar
from urllib.parse import unquote, urlsplit

from pincite.database.sources.database_address import redact
from pincite.errors import NetworkForbidden, PinciteError, SourceError, UsageError
from pincite.indexing.found_file import MOST_BYTES, FoundFile, too_large
from pincite.processes.offline import forbidden
from pincite.text.lexicon import pattern

STORES = {
    "s3": "the variables AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (or a role), and AWS_ENDPOINT_URL for a store of your own",
    "http": "nothing: only what anybody may read is read",
    "https": "nothing: only what anybody may read is read",
    "sftp": "the keys of ~/.ssh or of its agent, or the variable PINCITE_SFTP_PASSWORD",
}
"""The stores that are read, and where each finds what it must know to be let in."""
TRIES = 3
"""How often a file is asked for."""
_INSTALL = {"sftp": "pip install 'pincite[remote]' paramiko"}
_ADDRESS = re.compile(r"([a-z][a-z0-9+]+)://", re.IGNORECASE)
_SECRET = pattern("database", "secret option", "connections")
_TAGS = ("ETag", "etag", "mtime", "LastModified", "Last-Modified", "md5", "Content-MD5")


def is_remote(place: Path | str) -> bool:
    """Whether a place is an address, and no path of this machine."""
    return isinstance(place, str) and _ADDRESS.match(place) is not None


def files_behind(address: str) -> list[FoundFile]:
    """The files at an address: the one that it names, or those below the prefix or the page of links that it names.

    Raises UsageError for an address that cannot be read, or holds a password or a key, SourceError when the store cannot be
    asked.
    """
    store, path = _open_store(address)
    web = urlsplit(address).scheme.lower() in ("http", "https")
    try:
        store.invalidate_cache()
        listed = _listed_page(store, address) if web else store.find(path, detail=True)
    except Exception as error:  # every store has errors of its own
        raise _store_error(address, error) from error
    if not listed:
        raise UsageError(
            f"nothing is at {address}: give the address of a file, or of a prefix that holds files"
        )
    found = [_found_file(store, address, name, facts) for name, facts in listed.items()]
    shown = [file for file in found if not _is_hidden(file, address)]
    return sorted(shown, key=lambda file: file.place)


def _listed_page(store: Any, address: str) -> dict[str, Mapping[str, Any]]:
    """A file of the web, or where an address ends in a slash the files that the page there links to and that are below it."""
    if not urlsplit(address).path.endswith("/"):
        return {address: store.info(address)}
    links = dict.fromkeys(store.ls(address, detail=False))
    below = (link for link in links if link.startswith(address) and not link.endswith("/"))
    return {link: store.info(link) for link in below}


def _is_hidden(file: FoundFile, address: str) -> bool:
    """Whether a folder below an address on the way to a file is hidden, or the file."""
    return "/." in file.place.removeprefix(address.rstrip("/"))


def _found_file(store: Any, root: str, name: str, facts: Mapping[str, Any]) -> FoundFile:
    parts = urlsplit(root)
    # a file of a host is named without it
    own = f"sftp://{parts.netloc}{name}" if parts.scheme.lower() == "sftp" else None
    address = own or str(store.unstrip_protocol(name))
    path = Path(PurePosixPath(unquote(urlsplit(address).path)).name or "index.html")
    size = int(facts.get("size") or 0)
    tags = [f"{tag}={facts[tag]}" for tag in _TAGS if facts.get(tag)]
    # of a file without a tag nobody knows if it changed
    told = "\n".join(tags) or str(time.time_ns())
    changed = int.from_bytes(blake2b(told.encode(), digest_size=8).digest(), "big") >> 1
    problem = too_large(size, path.name) if size > MOST_BYTES else ""
    return FoundFile(path, path.name, size, changed, problem=problem, address=address)


def fetched(file: FoundFile, folder: Path) -> Path:
    """Fetch a file into a folder; returns where it is. Raises SourceError when it cannot be had.

    Its name there is its own, in a folder of its address: what a file is called says something about it.
    """
    store, name = _open_store(file.address)
    place = folder / blake2b(file.address.encode(), digest_size=8).hexdigest()
    place.mkdir(parents=True, exist_ok=True)
    path = place / file.path.name
    for number in range(1, TRIES + 1):
        try:
            store.get_file(name, str(path), callback=_byte_limit(file))
            return path
        except (PinciteError, FileNotFoundError):
            raise
        except Exception as error:  # every store has errors of its own
            if number == TRIES:
                raise _store_error(file.address, error) from error
            time.sleep(0.2 * number)
    raise AssertionError("the last try returns or raises")


def _byte_limit(file: FoundFile) -> Any:
    """What is told of the bytes as they come: it lets no more come than are read of a file."""
    from fsspec.callbacks import Callback

    class Bounded(Callback):  # type: ignore[misc]
        def relative_update(self, inc: int = 1) -> None:
            super().relative_update(inc)
            if self.value > MOST_BYTES:
                raise SourceError(
                    f"{file.path.name} has more than {MOST_BYTES >> 30} GiB: split it"
                )

    return Bounded()


def _open_store(address: str) -> tuple[Any, str]:
    """The store at an address, and the name there of what it is the address of."""
    check_address(address)
    scheme = urlsplit(address).scheme.lower()
    try:
        from fsspec.core import url_to_fs

        store, name = url_to_fs(address, **(_sftp_options() if scheme == "sftp" else {}))
    except ImportError as error:
        install = _INSTALL.get(scheme, "pip install 'pincite[remote]'")
        raise UsageError(
            f"{scheme}:// needs a package that is not installed ({error}): {install}"
        ) from error
    except Exception as error:  # sftp connects at once
        raise _store_error(address, error) from error
    return store, name


def _sftp_options() -> dict[str, Any]:
    """How a host is asked: it must be one of ~/.ssh/known_hosts, or the password might go to another."""
    import paramiko

    class Known(paramiko.MissingHostKeyPolicy):  # type: ignore[misc]
        def missing_host_key(self, client: Any, hostname: str, key: Any) -> None:
            known = paramiko.HostKeys()
            with suppress(OSError):
                known.load(os.path.expanduser("~/.ssh/known_hosts"))
            if not known.check(hostname, key):
                raise paramiko.SSHException(f"{hostname} is not in ~/.ssh/known_hosts")

    password = os.environ.get("PINCITE_SFTP_PASSWORD", "")
    return {"host_key_policy": Known(), **({"password": password} if password else {})}


def check_address(address: str) -> None:
    """Raise UsageError for an address that holds what must not be stored and shown, or of a store that is not known."""
    if forbidden():
        raise NetworkForbidden("--offline is set: give paths of this machine, and no addresses")
    parts = urlsplit(address)
    if parts.scheme.lower() not in STORES:
        raise UsageError(
            f"{parts.scheme}:// is no store that files are read from: give a path, or an address of {', '.join(STORES)}"
        )
    names = re.findall(r"[?&]([^=&]+)=", f"?{parts.query}")
    if parts.password is not None or any(_SECRET.search(name) for name in names):
        raise UsageError(
            f"the address at {parts.hostname} holds a password or a key, which would be stored with the corpus: leave it out. "
            f"What the store must know is taken from {STORES[parts.scheme.lower()]}"
        )


def _store_error(address: str, error: Exception) -> SourceError:
    """What is said when a store does not give what is asked for."""
    said = " ".join(redact(str(error)).split())[:300]
    scheme = urlsplit(address).scheme.lower()
    return SourceError(
        f"{address} cannot be read ({type(error).__name__}: {said}). What the store must know is taken from {STORES[scheme]}"
    )


FETCHED = "fetched"
"""The folder of a corpus for files that are fetched and not stored yet."""
AT_ONCE = 4
"""Files that are hashed or fetched at the same time."""
AHEAD = 8
"""Files that are ready before they are asked for."""

T = TypeVar("T")


def ahead(
    files: Iterable[FoundFile], look: Callable[[FoundFile], T]
) -> Iterator[tuple[FoundFile, Callable[[], T]]]:
    """The files in order, each with what gives, or raises, what `look` made of it; a few are looked into in advance."""
    waiting: deque[tuple[FoundFile, Callable[[], T]]] = deque()
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for file in files:
            waiting.append((file, pool.submit(look, file).result))
            if len(waiting) > AHEAD:
                yield waiting.popleft()
        while waiting:
            yield waiting.popleft()


@contextmanager
def fetching(folder: Path) -> Iterator[Path]:
    """An empty folder for what is fetched, gone in the end."""
    shutil.rmtree(folder, ignore_errors=True)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def drop(file: FoundFile) -> None:
    """Remove a file that was fetched."""
    if file.address and file.path.is_absolute():
        with suppress(OSError):
            file.path.unlink()
            file.path.parent.rmdir()
