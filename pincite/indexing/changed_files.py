"""Files on disk and behind addresses: what is there, what is new or changed, what is gone."""

from __future__ import annotations

import csv
import os
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path, PurePath
from stat import S_ISREG

from pincite.corpus import FileStatus, Writer
from pincite.database.holdings import RELATION
from pincite.errors import UsageError
from pincite.indexing.found_file import MOST_BYTES, FoundFile, too_large
from pincite.indexing.remote_files import files_behind, is_remote
from pincite.ingest.document_parser import SUFFIXES, outdated
from pincite.ingest.ocr.ocr_settings import AUTO, OcrSettings

MOST_DESCRIBED = 64 << 20
"""The most bytes of a metadata file."""
MOST_COLUMNS = 500
"""The most columns of a metadata file."""

Described = dict[str, tuple[str, dict[str, str]]]
"""What a metadata file says: (document id, its other columns) by case-folded file name."""


@dataclass(frozen=True, slots=True)
class How:
    """How files are read: passwords by a file's path, name or stem, the name of another parser, what reads pictures."""

    passwords: Mapping[str, str] = field(default_factory=dict)
    parser: str = ""
    ocr_settings: OcrSettings = AUTO

    def password(self, path: Path) -> str | None:
        """The password of a file, if there is one."""
        names = str(path), path.name, path.stem
        return next(filter(None, map(self.passwords.get, names)), None)


def discover(paths: Sequence[Path | str], metadata: Path | str | None = None) -> list[FoundFile]:
    """The files below `paths` and addresses, each with its name or the id that the metadata file gives it, and its metadata;
    hidden ones and the metadata file are left out. `named_apart` makes the ids of documents of them.

    Raises UsageError when a path does not exist or nothing is there to index.
    """
    described = read_metadata(Path(metadata)) if metadata else {}
    found: dict[str, FoundFile] = {}
    roots = [Path(given).resolve() for given in paths if not is_remote(given)]
    for given in paths:
        if is_remote(given):
            files = files_behind(str(given))
        elif Path(given).exists():
            files = sorted(_files_below(Path(given), roots), key=lambda file: file.path)
        else:
            raise UsageError(f"{given} does not exist: give files or folders to index")
        for file in files:
            found[file.place] = _with_metadata(file, described)
    if metadata:
        found.pop(str(Path(metadata).resolve()), None)
    if not found:
        raise UsageError(
            f"nothing to index at {', '.join(map(str, paths))}: the folder holds no files"
        )
    return list(found.values())


def _with_metadata(file: FoundFile, described: Described) -> FoundFile:
    """A file under the document id and with the metadata that the metadata file has for it, as it is where it has none.

    It may be named by the end of its path, of which the longest counts, or by its name without extension. A path is no id.
    """
    parts = PurePath(file.place).parts
    ends = ("/".join(parts[at:]) for at in range(len(parts)))
    said = (described.get(name.casefold()) for name in (*ends, file.path.stem))
    name, meta = next(filter(None, said), (file.document, file.meta))
    return replace(file, document=file.document if "/" in name else name, meta=meta)


def _files_below(given: Path, roots: Sequence[Path]) -> Iterator[FoundFile]:
    """A file, or what is in a folder and not hidden, by resolved paths. What cannot be read as a file says why.

    Links are followed to files below the `roots`, which are indexed anyway, and to nothing else: a folder that somebody sent may
    hold links to files of the one who indexes it.
    """
    if not given.is_dir():
        yield from _found_at(given.resolve(), roots)
        return
    away: list[OSError] = []
    for folder, folders, names in os.walk(given.resolve(), onerror=away.append):
        folders[:] = [name for name in folders if not name.startswith(".")]
        links = [name for name in folders if os.path.islink(os.path.join(folder, name))]
        for name in (*names, *links):
            if not name.startswith("."):
                yield from _found_at(Path(folder, name), roots)
    for error in away:
        yield _unreadable_file(Path(error.filename), f"it cannot be opened: {error.strerror}")


def _found_at(path: Path, roots: Sequence[Path]) -> Iterator[FoundFile]:
    """What is at a path; nothing when it went away just now."""
    try:
        held, linked = path.stat(), path.is_symlink()
        target = path.resolve() if linked else path
    except FileNotFoundError:
        if path.is_symlink():
            yield _unreadable_file(path, "it is a broken link")
        return
    except (OSError, RuntimeError) as error:
        yield _unreadable_file(
            path, f"it cannot be read: {getattr(error, 'strerror', '') or error}"
        )
        return
    if why := _obstacle(held, target, linked, roots):
        yield _unreadable_file(path, why)
    else:
        yield FoundFile(target, target.name, held.st_size, held.st_mtime_ns)


def _obstacle(held: os.stat_result, target: Path, linked: bool, roots: Sequence[Path]) -> str:
    """Why what is at a path is not read; "" when it is a file like others."""
    if linked and not (S_ISREG(held.st_mode) and any(map(target.is_relative_to, roots))):
        return "it is a link to a folder, or out of what is indexed, and is not followed: give its target by its own name"
    if not S_ISREG(held.st_mode):
        return "it is not a file but a pipe, a socket or a device"
    if str(target) != _storable(target):
        return "its name is not valid UTF-8: rename it"
    if held.st_size > MOST_BYTES:
        return too_large(held.st_size)
    return ""


def _unreadable_file(path: Path, why: str) -> FoundFile:
    """What cannot be read, under a name that can be stored."""
    shown = Path(_storable(path))
    return FoundFile(shown, shown.name, 0, 0, problem=f"{shown.name} is not read: {why}")


def _storable(path: Path) -> str:
    """A path as text, where it is no UTF-8 with its bytes written out."""
    return str(path).encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def named_apart(found: Sequence[FoundFile], known: Mapping[str, FileStatus]) -> list[FoundFile]:
    """The files under ids of their own: those that would have one in common are called by as many of the last parts of their
    paths as tell all of them apart.

    `known` are the files as they were called before: none is called by fewer parts than it was, so that what is cited stays
    what it is when another file of its name leaves.
    """
    alike: defaultdict[str, list[FoundFile]] = defaultdict(list)
    for file in found:
        alike[file.document].append(file)
    return list(chain.from_iterable(_with_own_ids(same, known) for same in alike.values()))


def _with_own_ids(
    same: Sequence[FoundFile], known: Mapping[str, FileStatus]
) -> Iterable[FoundFile]:
    paths = {file.place: PurePath(file.place).parts for file in same}
    own = (at for at, path in paths.items() if path[-1] == same[0].document)
    long = max((_named_parts(known[at]) for at in own if at in known), default=1)
    if len(same) == 1 >= long:
        return same
    while len({path[-long:] for path in paths.values()}) < len(paths):
        long += 1
    return [replace(file, document="/".join(paths[file.place][-long:])) for file in same]


def _named_parts(file: FileStatus) -> int:
    """By how many of the last parts of its path a file is called; 0 when it is called by something else."""
    name = PurePath(file.document).parts
    return len(name) if PurePath(file.path).parts[-len(name) :] == name else 0


def read_metadata(path: Path) -> Described:
    """The metadata CSV: case-folded file name -> (document id, its other columns)."""
    rows = _metadata_rows(path)
    if not rows:
        return {}
    header = _check_header(path, rows[0])
    described: Described = {}
    for row in rows[1:]:
        if not row or not row[0]:
            continue
        if not row[0].isprintable():
            raise UsageError(
                f"{path}: {row[0]!r} contains characters that the name of a document cannot have"
            )
        named = zip(header[1:], row[1:], strict=False)
        said = {name: value for name, value in named if name and value}
        described[row[0].casefold()] = row[0], said
    return described


def _metadata_rows(path: Path) -> list[list[str]]:
    try:
        if path.exists() and not path.is_file():
            raise OSError("it is not a file")
        if path.stat().st_size > MOST_DESCRIBED:
            raise UsageError(
                f"the metadata file {path} has more than {MOST_DESCRIBED >> 20} MiB: split it, or the corpus"
            )
        with path.open(newline="", encoding="utf-8-sig") as file:
            return list(csv.reader(file))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise UsageError(
            f"cannot read the metadata file {path}: {error}. It must be a CSV with a header, UTF-8."
        ) from error


def _check_header(path: Path, header: Sequence[str]) -> Sequence[str]:
    """The names of the columns. Raises UsageError for a first column that names no files, and for names that repeat."""
    key = header[0] if header else ""
    if key.casefold() not in ("id", "sha1", "file"):
        raise UsageError(
            f"{path}: the first column must be `id`, `sha1` or `file` (a file name), not {key[:80]!r}"
        )
    if len(header) > MOST_COLUMNS:
        raise UsageError(
            f"{path} has {len(header):,} columns; more than {MOST_COLUMNS} are not read"
        )
    twice = next((name for name, count in Counter(filter(None, header)).items() if count > 1), "")
    if twice:
        raise UsageError(
            f"{path}: two columns are called {twice[:80]!r}: give one of them another name"
        )
    return header


def status_of(
    file: FoundFile, source: str = "", version: str = "", status: str = "ok", reason: str = ""
) -> FileStatus:
    """What became of a file that was found."""
    facts = file.size, file.changed, version, status, reason, file.meta
    return FileStatus(file.place, file.document, source, *facts)


def gone(
    known: Mapping[str, FileStatus], found: Sequence[FoundFile], paths: Sequence[Path | str]
) -> list[str]:
    """Known files below the given folders that are no longer there, or no longer to be met there.

    One in a folder that cannot be looked into now may well be there.
    """
    here = {file.place for file in found}
    remote = [str(given).rstrip("/") + "/" for given in paths if is_remote(given)]
    local = [Path(given) for given in paths if not is_remote(given)]
    folders = (*remote, *(str(given.resolve()) + os.sep for given in local if given.is_dir()))
    missed = (path for path in known if path not in here and path.startswith(folders))
    return [path for path in missed if is_remote(path) or is_gone(path) or _is_readable(path)]


def _is_readable(path: str) -> bool:
    """Whether the folder of a file can be looked into."""
    return os.access(os.path.dirname(path), os.R_OK | os.X_OK)


def is_gone(path: str) -> bool:
    """Whether there is certainly no file of this name; of one behind an address nobody knows."""
    try:
        if not is_remote(path):
            os.lstat(path)
    except OSError as error:
        return isinstance(error, FileNotFoundError | NotADirectoryError)
    return False


def is_new(file: FoundFile, known: FileStatus | None, how: How) -> bool:
    """Whether a file must be looked into: it is new, changed, failed before, or was parsed by an older or another parser."""
    if known is None or (known.size, known.changed) != (file.size, file.changed):
        return True
    if known.status in ("unreadable", "unsupported"):
        return True  # what failed may have been a parser's bug or a lock on the file: cheap to try again
    if known.status == "locked" and how.password(file.path) is not None:
        return True
    kind = SUFFIXES.get(file.path.suffix.lower(), "")
    return known.version != "" and outdated(
        known.version.partition("-")[2], kind, how.parser, how.ocr_settings
    )


def held_files(known: Iterable[FileStatus], metadata: Path | str | None = None) -> list[FoundFile]:
    """The files of a corpus as they would be found now, under the ids and with the metadata that a metadata file gives them."""
    described = read_metadata(Path(metadata)) if metadata else {}
    found = []
    for file in known:
        path = Path(file.path)
        document = path.name if _named_parts(file) else file.document
        address = file.path if is_remote(file.path) else ""
        now = FoundFile(path, document, file.size, file.changed, file.meta, address=address)
        found.append(_with_metadata(now, described))
    return found


def rename(writer: Writer, before: Mapping[str, FileStatus], found: Sequence[FoundFile]) -> None:
    """Give all files of a corpus the document ids, and those that were `found` the metadata, that hold now."""
    stored = writer.files().items()
    files = {path: file for path, file in stored if not file.version.startswith(RELATION)}
    met = {file.place for file in found}
    others = held_files(file for path, file in files.items() if path not in met)
    for file in named_apart([*found, *others], before):
        known = files.get(file.place)
        if known and (known.document, dict(known.meta)) != (file.document, dict(file.meta)):
            writer.put_file(replace(known, document=file.document, meta=file.meta))
