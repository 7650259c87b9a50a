"""An exported corpus unpacked into a folder, and trusted no more than a stranger's file: completely, or not at all.

Every member's name is checked before any is unpacked. They are unpacked beside the folder, checked, and moved in last.
Addresses of databases come along and are not opened: see `database.held`. Jobs of a server do not come along.
"""

from __future__ import annotations

import shutil
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from stat import S_IFMT, S_IFREG

from pincite.corpus import Corpus, renew
from pincite.database.holdings import CONSENT
from pincite.errors import CorpusError, UsageError
from pincite.formats.encoding import refuse_odd
from pincite.storage import address_of
from pincite.storage.kept_tables import connect_copy
from pincite.untrusted import (
    DAMAGE,
    agreement_of,
    inside,
    is_agreed,
    is_name,
    is_sha,
    members_length,
)

FILES = ("corpus.sqlite", "told.sqlite", "reviews.sqlite", "grids.sqlite", "answers.sqlite")
MEMBERS = 200_000
"""The most files in an exported corpus."""
DIRECTORY = 256 * MEMBERS
"""The most bytes of the list of them, which is read whole."""
RATIO = 100
"""How many times its own size an exported corpus may unpack to, once that is more than `SMALL`."""
SMALL = 100 << 20
SPARE = 64 << 20
"""Bytes of the disk that are left free."""
_CHUNK = 1 << 20
_PACKINGS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


@dataclass(frozen=True, slots=True)
class Imported:
    """A corpus that was imported: how many documents it holds, and (name, address) of each database that is not opened yet."""

    documents: int
    barred: tuple[tuple[str, str], ...]


class _Refused(Exception):
    """Why a file is not imported."""


def unpack(file: Path, corpus: Path) -> Imported:
    """Make a corpus, a folder or one in PostgreSQL, from an exported file.

    Raises UsageError when the file is missing or the folder already holds something, CorpusError when the file is no export, is
    damaged, names places outside the corpus or is made to explode, or the disk is full. Then nothing is left of it.
    """
    if not file.is_file():
        raise UsageError(f"{file} does not exist: give a file that `pincite export` wrote")
    if address_of(corpus):
        from pincite.workbench.corpus_move import into_postgres

        with tempfile.TemporaryDirectory() as folder:
            made = unpack(file, Path(folder) / "corpus")
            into_postgres(Path(folder) / "corpus", corpus)
        return made
    if corpus.exists() and (not corpus.is_dir() or any(corpus.iterdir())):
        raise UsageError(f"{corpus} is not empty: import into a new folder")
    with _explain_errors(file, corpus):
        corpus.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=f".{corpus.name}.", dir=corpus.parent) as beside:
            half = Path(beside) / "corpus"
            for name in ("shelves", "sources"):
                (half / name).mkdir(parents=True)
            with file.open("rb") as opened:
                if members_length(opened) > DIRECTORY:
                    raise _Refused(f"it lists more than {MEMBERS:,} files")
            with zipfile.ZipFile(file) as archive:
                members = archive.infolist()
                _refuse_odd(members)
                _refuse_large(members, file.stat().st_size, half)
                for member in members:
                    _write(archive, member, half)
            made = _inspected(half)
            if corpus.exists():
                corpus.rmdir()
            half.rename(corpus)
    return made


@contextmanager
def _explain_errors(file: Path, corpus: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise CorpusError(
            f"{file} was not imported, and nothing is left of it: {corpus} cannot be written ({error.strerror or error}). Make "
            "room, or name a folder that you can write to, then run the same command again"
        ) from error
    except (_Refused, CorpusError, zipfile.BadZipFile, NotImplementedError, *DAMAGE) as error:
        raise CorpusError(
            f"{file} is not an exported corpus, is damaged, or was forged ({str(error)[:300] or type(error).__name__}): "
            "nothing was imported. Ask for it again, or index the documents themselves"
        ) from error


def _refuse_odd(members: Sequence[zipfile.ZipInfo]) -> None:
    """Refuse what an export never has: other names, links, two files of one name, packing that we do not use."""
    if len(members) > MEMBERS:
        raise _Refused(f"it holds {len(members):,} files; at most {MEMBERS:,} are allowed")
    seen = set()
    for member in members:
        _refuse_member(member)
        if member.filename.casefold() in seen:
            raise _Refused(f"it holds {member.filename!r} twice")
        seen.add(member.filename.casefold())
    if "corpus.sqlite" not in seen:
        raise _Refused("it holds no corpus.sqlite")


def _refuse_member(member: zipfile.ZipInfo) -> None:
    if member.filename != member.orig_filename or not _is_member(member.filename):
        raise _Refused(f"it holds {member.orig_filename[:100]!r}, which is not part of a corpus")
    if S_IFMT(member.external_attr >> 16) not in (0, S_IFREG) or member.external_attr & 0x10:
        raise _Refused(f"{member.filename!r} is a link, a folder or a device")
    if member.flag_bits & 1 or member.compress_type not in _PACKINGS:
        raise _Refused(f"{member.filename!r} is packed as `pincite export` does not pack")


def _is_member(name: str) -> bool:
    folder, _, rest = name.partition("/")
    if not rest:
        return name in FILES
    if not is_name(name) or len(name) > 300:
        return False
    if folder == "shelves":
        return rest.count("/") in (1, 2) and rest.endswith((".npy", ".json"))
    if folder == "sources":
        return "/" not in rest and is_sha(rest.partition(".")[0])
    return folder == "databases" and "/" not in rest and rest.endswith(".sqlite")


def _refuse_large(members: Sequence[zipfile.ZipInfo], size: int, half: Path) -> None:
    total, free = sum(member.file_size for member in members), shutil.disk_usage(half).free
    if sum(member.compress_size for member in members) > size:
        raise _Refused("its files are nested in each other")
    if total > max(SMALL, RATIO * size):
        raise _Refused(f"it would unpack to {total >> 20:,} MiB, more than {RATIO} times its size")
    if total > free - SPARE:
        left = max(0, free - SPARE) >> 20
        raise OSError(0, f"it unpacks to {total >> 20:,} MiB, and {left:,} MiB are free")


def _write(archive: zipfile.ZipFile, member: zipfile.ZipInfo, half: Path) -> None:
    """Unpack one member. Its checksum and the size that it says are held to by `zipfile`; a source must hash to its name."""
    path = inside(half, member.filename)
    path.parent.mkdir(parents=True, exist_ok=True)
    digest = sha256()
    with archive.open(member) as given, path.open("xb") as out:
        while part := given.read(_CHUNK):
            digest.update(part)
            out.write(part)
    if path.stat().st_size != member.file_size:
        raise _Refused(f"{member.filename!r} is not as long as it says")
    if path.parent.name == "sources" and digest.hexdigest() != path.name.partition(".")[0]:
        raise _Refused(f"{member.filename!r} is not the file that its name identifies")


def _inspected(half: Path) -> Imported:
    """Check the files of a corpus and all that refers from one to another."""
    for path in (*half.glob("*.sqlite"), *half.glob("databases/*.sqlite")):
        _refuse_damaged(path)
    renew(half)
    with closing(Corpus(half)) as corpus:
        for document in corpus.documents:
            if not document.relation and not is_sha(document.source):
                raise _Refused(f"the source of {document.id!r} is not a sha256")
            for node in corpus.document(document.version).nodes:
                refuse_odd(node)
        for name in corpus.generation.shelves.values():
            inside(half, f"shelves/{name}")
        for database in corpus.databases:
            inside(half, database.database.meta.get("file", "databases"))
        barred = []
        for held in corpus.databases:
            address, is_file = held.database.address, held.database.meta.get("file")
            if not is_file and not is_agreed(agreement_of(CONSENT, address)):
                barred.append((held.name, address))
        return Imported(len(corpus.documents), tuple(barred))


def _refuse_damaged(path: Path) -> None:
    with closing(connect_copy(path)) as db:
        db.execute("PRAGMA trusted_schema = OFF")
        found = db.execute("PRAGMA quick_check(1)").fetchall()
    if found != [("ok",)]:
        raise _Refused(f"{path.name} is damaged: {found[0][0]}")
