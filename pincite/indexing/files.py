"""Files to stored documents: what is there, what changed, parsed in processes of their own."""

from __future__ import annotations

import csv
import hashlib
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from pincite.corpus import FileStatus, Writer
from pincite.errors import PinciteError, SourceError, UsageError
from pincite.indexing.progress import Progress
from pincite.ingest.ocr import engine_name
from pincite.ingest.parse import format_of, outdated, parser_now
from pincite.ingest.workers import Job, parse_all
from pincite.types import Document

NO_TEXT = 10
"""A document with fewer characters than this on its first ten pages has no text layer worth the name."""


@dataclass(frozen=True, slots=True)
class Found:
    """A file on disk, before it is looked into."""

    path: Path
    document: str
    size: int
    changed: int
    meta: Mapping[str, str] = field(default_factory=dict)


def discover(paths: Sequence[Path | str], metadata: Path | str | None = None) -> list[Found]:
    """The files below `paths`, with the document id and metadata of each; hidden files and the metadata file are left out.

    Raises UsageError when a path does not exist or nothing is there to index.
    """
    described = read_metadata(Path(metadata)) if metadata else {}
    found: dict[Path, Found] = {}
    for given in map(Path, paths):
        if not given.exists():
            raise UsageError(f"{given} does not exist: give files or folders to index")
        for path in sorted(_files_below(given)):
            if metadata and path.resolve() == Path(metadata).resolve():
                continue
            stat = path.stat()
            row = described.get(path.name.casefold()) or described.get(path.stem.casefold()) or ("", {})
            found[path.resolve()] = Found(path.resolve(), row[0] or path.name, stat.st_size, stat.st_mtime_ns, row[1])
    if not found:
        raise UsageError(f"nothing to index at {', '.join(map(str, paths))}: the folder holds no files")
    return _with_unique_names(list(found.values()))


def _files_below(given: Path) -> Iterator[Path]:
    if given.is_file():
        yield given
        return
    for path in given.rglob("*"):
        if path.is_file() and not any(part.startswith(".") for part in path.relative_to(given).parts):
            yield path


def _with_unique_names(found: Sequence[Found]) -> list[Found]:
    names = [one.document for one in found]
    return [
        one if names.count(one.document) == 1 else replace(one, document=f"{one.path.parent.name}/{one.document}")
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
    """Known files below the given folders that are no longer there."""
    here = {str(one.path) for one in found}
    folders = [str(Path(given).resolve()) + os.sep for given in paths if Path(given).is_dir()]
    return [path for path in known if path not in here and any(path.startswith(folder) for folder in folders)]


def is_new(one: Found, known: FileStatus | None, passwords: Mapping[str, str]) -> bool:
    """Whether a file must be looked into: it is new, changed, failed before, or was parsed by an older parser."""
    if known is None or (known.size, known.changed) != (one.size, one.changed):
        return True
    if known.status in ("unreadable", "unsupported") or (
        known.status == "locked" and _password(one.path, passwords) is not None
    ):
        return True  # what failed may have been a parser's bug or a lock on the file: cheap to try again
    return known.version != "" and outdated(known.version.partition("-")[2])


def _password(path: Path, passwords: Mapping[str, str]) -> str | None:
    return passwords.get(str(path)) or passwords.get(path.name) or passwords.get(path.stem)


def parse(
    writer: Writer, changed: Sequence[Found], passwords: Mapping[str, str], workers: int, progress: Progress
) -> tuple[int, int, int]:
    """Parse what changed; returns the numbers of files, pages and tables."""
    by_path = {one.path: one for one in changed}
    known, jobs, stored = writer.files(), [], writer.versions()
    for one in changed:
        try:
            source = _sha256(one.path)
            format_of(one.path)
        except (OSError, PinciteError) as error:
            _report(writer, one, known, error)
            continue
        version = f"{source}-{parser_now()}"
        if version in stored:  # a moved, renamed or copied file
            writer.put_file(_status(one, source, version))
        else:
            jobs.append(Job(one.path, one.document, source, _password(one.path, passwords)))
    total, done, pages, tables, files = sum(by_path[job.path].size for job in jobs), 0.0, 0, 0, 0
    counted: dict[Path, int] = {}
    progress("parse", 0, total)
    ticked = 0

    def tick(job: Job, page: int) -> None:
        nonlocal ticked
        ticked += 1
        counted[job.path] = page
        progress("parse", done, total, f"{ticked} pages")

    for job, made in parse_all(jobs, workers, tick):
        one = by_path[job.path]
        done += one.size
        if isinstance(made, Document):
            version = f"{job.source}-{parser_now()}"
            _keep_source(writer, job)
            writer.put_document(replace(made, version=version), job.source)
            writer.put_file(_told(_status(one, job.source, version), made))
            files, pages, tables = files + 1, pages + counted.get(job.path, 0), tables + _tables(made)
        else:
            _report(writer, one, known, made, job.source)
        progress("parse", done, total, f"{ticked} pages")
    return files, pages, tables


def _tables(document: Document) -> int:
    return sum(node.kind == "table" for node in document.nodes)


def _status(one: Found, source: str, version: str) -> FileStatus:
    return FileStatus(str(one.path), one.document, source, one.size, one.changed, version, "ok", "", one.meta)


def _report(writer: Writer, one: Found, known: Mapping[str, FileStatus], error: Exception, source: str = "") -> None:
    """Store why a file cannot be read. The version that was stored before keeps answering."""
    status = error.status if isinstance(error, SourceError) else "unreadable"
    before = known.get(str(one.path))
    version = before.version if before else ""
    reason = str(error) + (" (the version indexed before still answers)" if version else "")
    writer.put_file(
        FileStatus(str(one.path), one.document, source, one.size, one.changed, version, status, reason, one.meta)
    )


def _told(status: FileStatus, document: Document) -> FileStatus:
    """The status with how the document's text was won, told by its first ten pages."""
    pages = [node for node in document.nodes if node.kind == "page" and node.anchor.page <= 10]
    if sum(len(node.text) for node in pages) < NO_TEXT:
        if not engine_name():
            why = "no text layer: its pages are pictures or empty; `pip install 'pincite[ocr]'` reads pictures"
            return replace(status, status="no-text", reason=why)
        return replace(status, status="empty", reason="nothing to read: its pages are empty, or pictures without text")
    if sum(len(node.text) for node in pages if not node.meta.get("seen")) < NO_TEXT:
        return replace(
            status, status="ocr", reason="read off its pictures by OCR: it has no text layer, or one that is noise"
        )
    return status


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _keep_source(writer: Writer, job: Job) -> None:
    """Keep a copy of the source under its hash, so that a citation opens when the file has moved."""
    kept = writer.folder / "sources" / f"{job.source}{job.path.suffix.lower()}"
    if not kept.exists():
        half = kept.with_suffix(".half")
        shutil.copyfile(job.path, half)
        half.rename(kept)


def rename(writer: Writer, one: Found) -> None:
    """Give an unchanged file the document id and metadata that hold now."""
    known = writer.files().get(str(one.path))
    if known and (known.document, dict(known.meta)) != (one.document, dict(one.meta)):
        writer.put_file(replace(known, document=one.document, meta=one.meta))
