"""Where a corpus in PostgreSQL keeps its sources: in its schema, or in the folder or bucket that its address names.

Nothing here is done for the folder of a corpus, which holds them itself.
"""

from __future__ import annotations

import shutil
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from typing import Any

from pincite.errors import CorpusError, UsageError
from pincite.storage.corpus_address import address_of
from pincite.storage.file_copies import fetch_files, forget_files, keep_files, kept_names

FOLDER = "sources"


def keep_source(folder: Path, path: Path) -> None:
    """Keep a source, which stands in the cache as SHA.SUFFIX, where the sources of the corpus are."""
    if address_of(folder) is None:
        return
    place = _sources_place(folder)
    if place is None:
        keep_files(folder, [f"{FOLDER}/{path.name}"])
        return
    system, root = place
    name, half = f"{root}/{path.name}", f"{root}/{path.name}.{token_hex(4)}.half"
    if system.exists(name):
        return
    with _errors_explained(folder):
        system.makedirs(root, exist_ok=True)
        with path.open("rb") as given, system.open(half, "wb") as out:
            shutil.copyfileobj(given, out)
        system.mv(half, name)


def fetch_source(folder: Path, sha: str) -> None:
    """Copy a source to the cache, where it is kept; nothing when it is not."""
    place = _sources_place(folder)
    (folder / FOLDER).mkdir(exist_ok=True)
    if place is None:
        for name in kept_names(folder, f"{FOLDER}/{sha}"):
            fetch_files(folder, name)
        return
    system, root = place
    with _errors_explained(folder):
        for name in system.glob(f"{root}/{sha}*"):
            to = folder / FOLDER / Path(name).name
            half = to.with_name(f"{to.name}.{token_hex(4)}.half")
            with system.open(name, "rb") as given, half.open("wb") as out:
                shutil.copyfileobj(given, out)
            half.rename(to)


def forget_sources(folder: Path, shas: Collection[str]) -> None:
    """Remove the kept sources but those of these hashes."""
    if address_of(folder) is None:
        return
    place = _sources_place(folder)
    if place is None:
        names = (Path(name).name for name in kept_names(folder, f"{FOLDER}/"))
        forget_files(folder, FOLDER, [name for name in names if name.partition(".")[0] in shas])
        return
    system, root = place
    with _errors_explained(folder):
        for name in system.glob(f"{root}/*"):
            if Path(name).name.partition(".")[0] not in shas:
                system.rm(name)


def _sources_place(folder: Path) -> tuple[Any, str] | None:
    """The file system and the folder there that the address of a corpus names for its sources; None for its schema."""
    address = address_of(folder)
    if address is None or not address.sources:
        return None
    try:
        import fsspec
    except ImportError as error:
        raise UsageError(
            f"sources at {address.sources} need fsspec: pip install 'pincite[remote]'"
        ) from error
    with _errors_explained(folder):
        system, root = fsspec.core.url_to_fs(address.sources)
        return system, f"{root.rstrip('/')}/{address.corpus}"


@contextmanager
def _errors_explained(folder: Path) -> Iterator[None]:
    """Turn what a file system raises into a CorpusError that says where."""
    try:
        yield
    except ImportError as error:
        raise UsageError(f"sources need {error.name}: pip install 'pincite[remote]'") from error
    except (OSError, ValueError) as error:
        address = address_of(folder)
        raise CorpusError(
            f"the sources of the corpus at {address.sources if address else folder} cannot be read or written "
            f"({str(error)[:200] or type(error).__name__}): check that the place exists and the rights of this user there"
        ) from error
