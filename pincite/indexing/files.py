"""Files on disk: what is there, what is new or changed, what is gone."""

from __future__ import annotations

import csv
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from stat import S_ISREG

from pincite.corpus import FileStatus, Writer
from pincite.errors import UsageError
from pincite.ingest.eyes import AUTO, Eyes
from pincite.ingest.parse import SUFFIXES, outdated


@dataclass(frozen=True, slots=True)
class Found:
    """A file on disk, before it is looked into."""

    path: Path
    document: str
    size: int
    changed: int
    meta: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class How:
    """How files are read: passwords by a file's path, name or stem, the name of another parser, what reads pictures."""

    passwords: Mapping[str, str] = field(default_factory=dict)
    parser: str = ""
    eyes: Eyes = AUTO

    def password(self, path: Path) -> str | None:
        """The password of a file, if there is one."""
        return self.passwords.get(str(path)) or self.passwords.get(path.name) or self.passwords.get(path.stem)


def discover(paths: Sequence[Path | str], metadata: Path | str | None = None) -> list[Found]:
    """The files below `paths`, with the document id and metadata of each; hidden files and the metadata file are left out.

    Raises UsageError when a path does not exist or nothing is there to index.
    """
    described = read_metadata(Path(metadata)) if metadata else {}
    found: dict[Path, Found] = {}
    left_out = Path(metadata).resolve() if metadata else None
    for given in map(Path, paths):
        if not given.exists():
            raise UsageError(f"{given} does not exist: give files or folders to index")
        for path, stat in sorted(_files_below(given)):
            if path != left_out:
                row = described.get(path.name.casefold()) or described.get(path.stem.casefold()) or ("", {})
                found[path] = Found(path, row[0] or path.name, stat.st_size, stat.st_mtime_ns, row[1])
    if not found:
        raise UsageError(f"nothing to index at {', '.join(map(str, paths))}: the folder holds no files")
    return _with_unique_names(list(found.values()))


def _files_below(given: Path) -> Iterator[tuple[Path, os.stat_result]]:
    """A file, or the files of a folder that are not hidden, by their resolved paths; links to folders are not followed."""
    if given.is_file():
        yield given.resolve(), given.stat()
        return
    for folder, folders, names in os.walk(given.resolve()):
        folders[:] = (name for name in folders if not name.startswith("."))
        for path in (Path(folder, name) for name in names if not name.startswith(".")):
            with suppress(FileNotFoundError):  # it went away just now, or is a link to nothing
                held = path.stat()
                if S_ISREG(held.st_mode):
                    yield (path.resolve() if path.is_symlink() else path), held


def _with_unique_names(found: Sequence[Found]) -> list[Found]:
    count = Counter(one.document for one in found)
    return [
        one if count[one.document] == 1 else replace(one, document=f"{one.path.parent.name}/{one.document}")
        for one in found
    ]


def read_metadata(path: Path) -> dict[str, tuple[str, dict[str, str]]]:
    """The metadata CSV: case-folded file name -> (document id, its other columns)."""
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            rows = list(csv.DictReader(file))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise UsageError(
            f"cannot read the metadata file {path}: {error}. It must be a CSV with a header, UTF-8."
        ) from error
    if not rows:
        return {}
    key = next(iter(rows[0]))
    if key.casefold() not in ("id", "sha1", "file"):
        raise UsageError(f"{path}: the first column must be `id`, `sha1` or `file` (a file name), not {key!r}")
    return {
        row[key].casefold(): (row[key], {name: value for name, value in row.items() if name and name != key and value})
        for row in rows
        if row.get(key)
    }


def gone(known: Mapping[str, FileStatus], found: Sequence[Found], paths: Sequence[Path | str]) -> list[str]:
    """Known files below the given folders that are no longer there, or no longer to be met there.

    One in a folder that cannot be looked into now may well be there.
    """
    here = {str(one.path) for one in found}
    folders = tuple(str(Path(given).resolve()) + os.sep for given in paths if Path(given).is_dir())
    missed = (path for path in known if path not in here and path.startswith(folders))
    return [path for path in missed if is_gone(path) or os.access(os.path.dirname(path), os.R_OK | os.X_OK)]


def is_gone(path: str) -> bool:
    """Whether there is certainly no file of this name."""
    try:
        os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False
    return False


def is_new(one: Found, known: FileStatus | None, how: How) -> bool:
    """Whether a file must be looked into: it is new, changed, failed before, or was parsed by an older or another parser."""
    if known is None or (known.size, known.changed) != (one.size, one.changed):
        return True
    if known.status in ("unreadable", "unsupported") or (
        known.status == "locked" and how.password(one.path) is not None
    ):
        return True  # what failed may have been a parser's bug or a lock on the file: cheap to try again
    kind = SUFFIXES.get(one.path.suffix.lower(), "")
    return known.version != "" and outdated(known.version.partition("-")[2], kind, how.parser, how.eyes)


def rename(writer: Writer, found: Sequence[Found]) -> None:
    """Give unchanged files the document ids and metadata that hold now."""
    files = writer.files()
    for one in found:
        known = files.get(str(one.path))
        if known and (known.document, dict(known.meta)) != (one.document, dict(one.meta)):
            writer.put_file(replace(known, document=one.document, meta=one.meta))
