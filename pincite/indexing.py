"""Files to a published generation: only what changed is parsed and encoded again, and a killed run goes on where it was."""

from __future__ import annotations

import csv
import hashlib
import os
import re
import shutil
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from pincite.corpus import Corpus, FileStatus, Generation, Writer, writing
from pincite.encoding import dumps
from pincite.errors import CorpusError, PinciteError, SourceError, UsageError
from pincite.index.dense import Dense
from pincite.index.shelf import Shelf, folder_name, write_shelf
from pincite.index.told import digests, with_told
from pincite.ingest.parse import PARSER, format_of
from pincite.ingest.workers import Job, parse_all
from pincite.ports import Encoder
from pincite.spell import spell
from pincite.types import Document, Entry

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

NO_TEXT = 10
"""A document with fewer characters than this on its first ten pages has no text layer worth the name."""
ENCODE_AT_ONCE = 512
"""Texts encoded between two commits: what a killed run can lose."""
_TOLD = re.compile(r"\bTold\(kind='(\w+)'")
"""What told views a shelf's spelling holds: of the shelves of other recipes no more than the spelling is known."""


class Progress(Protocol):
    """What indexing tells while it works."""

    def __call__(self, what: str, done: float, total: float, note: str = "") -> None:
        """`done` of `total` of the phase `what` ("parse" in bytes, "encode" in texts, "index" in shelves)."""
        ...


def _silent(what: str, done: float, total: float, note: str = "") -> None:
    return None


@dataclass(frozen=True, slots=True)
class Summary:
    """What a run of indexing did. `files` are all files that it met with their status."""

    files: tuple[FileStatus, ...]
    parsed: int = 0
    unchanged: int = 0
    removed: int = 0
    pages: int = 0
    tables: int = 0
    encoded: int = 0
    seconds: float = 0.0
    generation: int = 0

    @property
    def problems(self) -> tuple[FileStatus, ...]:
        """The files that give no answers, with why."""
        return tuple(one for one in self.files if one.status not in ("ok", "same"))


@dataclass(frozen=True, slots=True)
class Found:
    """A file on disk, before it is looked into."""

    path: Path
    document: str
    size: int
    changed: int
    meta: Mapping[str, str] = field(default_factory=dict)


def index(
    paths: Sequence[Path | str],
    corpus: Path | str,
    shelves: Sequence[Shelf],
    *,
    metadata: Path | str | None = None,
    passwords: Mapping[str, str] | None = None,
    workers: int | None = None,
    progress: Progress = _silent,
) -> Summary:
    """Index files and folders into `corpus` for `shelves` and publish a generation.

    `metadata` is a CSV whose first column names files; `passwords` maps file names to passwords, which are not stored.
    A file that cannot be read is reported in the summary and never stops the rest. Raises UsageError when there is
    nothing to index, CorpusError when the corpus cannot be written.
    """
    started = time.perf_counter()
    found = discover(paths, metadata)
    with writing(corpus) as writer:
        known = writer.files()
        gone = _gone(known, found, paths)
        writer.forget_files(gone)
        changed = [one for one in found if _is_new(one, known.get(str(one.path)), passwords or {})]
        parsed = _parse(writer, changed, passwords or {}, workers or os.cpu_count() or 1, progress)
        for one in found:
            _rename(writer, one)
        generation, encoded = publish(writer, shelves, progress)
        files = writer.files()
    met = {str(one.path) for one in found}
    mine = tuple(one for path, one in files.items() if path in met)
    return Summary(
        mine,
        parsed=parsed[0],
        unchanged=len(found) - len(changed),
        removed=len(gone),
        pages=parsed[1],
        tables=parsed[2],
        encoded=encoded,
        seconds=time.perf_counter() - started,
        generation=generation.number,
    )


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


def _gone(known: Mapping[str, FileStatus], found: Sequence[Found], paths: Sequence[Path | str]) -> list[str]:
    """Known files below the given folders that are no longer there."""
    here = {str(one.path) for one in found}
    folders = [str(Path(given).resolve()) + os.sep for given in paths if Path(given).is_dir()]
    return [path for path in known if path not in here and any(path.startswith(folder) for folder in folders)]


def _is_new(one: Found, known: FileStatus | None, passwords: Mapping[str, str]) -> bool:
    if known is None or (known.size, known.changed) != (one.size, one.changed):
        return True
    if known.status == "unreadable" or (known.status == "locked" and _password(one.path, passwords) is not None):
        return True  # what failed may have been a parser's bug or a lock on the file: cheap to try again
    return known.version != "" and not known.version.endswith(f"-{PARSER}")


def _password(path: Path, passwords: Mapping[str, str]) -> str | None:
    return passwords.get(str(path)) or passwords.get(path.name) or passwords.get(path.stem)


def _parse(
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
        version = f"{source}-{PARSER}"
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
            version = f"{job.source}-{PARSER}"
            _keep_source(writer, job)
            writer.put_document(replace(made, version=version), job.source)
            status = _status(one, job.source, version)
            if _has_no_text(made):
                status = replace(status, status="no-text", reason="no text layer: its pages are pictures or empty")
            writer.put_file(status)
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


def _has_no_text(document: Document) -> bool:
    pages = (node.text for node in document.nodes if node.kind == "page" and node.anchor.page <= 10)
    return sum(map(len, pages)) < NO_TEXT


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


def _rename(writer: Writer, one: Found) -> None:
    """Give an unchanged file the document id and metadata that hold now."""
    known = writer.files().get(str(one.path))
    if known and (known.document, dict(known.meta)) != (one.document, dict(one.meta)):
        writer.put_file(replace(known, document=one.document, meta=one.meta))


def ensure(corpus: Path | str, shelves: Sequence[Shelf], progress: Progress = _silent) -> tuple[Generation, int]:
    """Build what a corpus lacks of `shelves` from its stored documents, beside the shelves that there are; parse nothing.

    Returns the generation that has them all, a new one unless none was lacking, and how many texts were encoded. Raises
    CorpusError when indexing was stopped before it was done, CorpusBusy while another process writes the corpus.
    """
    opened = Corpus(corpus)
    try:
        documents, first = _held(opened.files())
        if opened.generation.documents != documents:
            raise CorpusError(
                f"the files of the corpus {corpus} have changed since it was last published, or indexing was stopped: run "
                "`pincite index` with the same files again first"
            )
        names = _names(shelves, first, digests(opened.folder))
        if names.items() <= opened.generation.shelves.items():
            return opened.generation, 0
    finally:
        opened.close()
    with writing(corpus) as writer:
        return publish(writer, shelves, progress)


def publish(writer: Writer, shelves: Sequence[Shelf], progress: Progress = _silent) -> tuple[Generation, int]:
    """Build the shelves over the documents that the files now give and publish them; returns how many texts were encoded.

    Other shelves of the newest generation stay as long as they are over the same documents. Nothing is built or published
    when the newest generation already says the same.
    """
    documents, first = _held(writer.files().values())
    now = Corpus(writer.folder)
    now.close()
    told = digests(writer.folder)
    names = _names(shelves, first, told)
    kept = {spelling: name for spelling, name in now.generation.shelves.items() if name == _name(spelling, first, told)}
    if now.generation.documents == documents and now.generation.shelves == kept | names:
        return now.generation, 0
    encoded = 0
    missing = [shelf for shelf in shelves if not (writer.folder / "shelves" / names[spell(shelf)]).is_dir()]
    if missing:
        encoded = _build(writer, missing, names, list(first.values()), progress)
    generation = writer.publish(documents, kept | names)
    writer.sweep()
    return generation, encoded


def _held(files: Iterable[FileStatus]) -> tuple[tuple[tuple[str, str], ...], Mapping[str, FileStatus]]:
    """The (document id, version) pairs that the files give, and the first file of each version."""
    held = sorted((one for one in files if one.version), key=lambda one: one.document)
    return tuple((one.document, one.version) for one in held), {one.version: one for one in reversed(held)}


def _names(
    shelves: Iterable[Shelf], first: Mapping[str, FileStatus], told: Mapping[tuple[str, str], str]
) -> dict[str, str]:
    return {(spelling := spell(shelf)): _name(spelling, first, told) for shelf in shelves}


def _name(spelling: str, first: Mapping[str, FileStatus], told: Mapping[tuple[str, str], str]) -> str:
    """The folder of a shelf over these documents; one with told views is another when something else was told of them."""
    kinds = _TOLD.findall(spelling)
    content = [f"{version} {one.document} {dumps(dict(one.meta))}" for version, one in first.items()]
    content += [f"{kind} {told[version, kind]}" for version in first for kind in kinds if (version, kind) in told]
    return folder_name(spelling, content)


def _build(
    writer: Writer, shelves: Sequence[Shelf], names: Mapping[str, str], held: Sequence[FileStatus], progress: Progress
) -> int:
    """Build index folders; all entries of a shelf are collected document by document."""
    versions = [one.version for one in held]
    entries: list[list[Entry]] = [[] for _ in shelves]
    owners: list[list[int]] = [[] for _ in shelves]
    for position, one in enumerate(held):
        document = stored_document(writer, one)
        for shelf, mine, whose in zip(shelves, entries, owners, strict=True):
            new = shelf.entries(document)
            mine.extend(new)
            whose.extend([position] * len(new))
        progress("view", position + 1, len(held))
    encoded = 0
    for number, (shelf, mine, whose) in enumerate(zip(shelves, entries, owners, strict=True)):
        folder = writer.folder / "shelves" / names[spell(shelf)]
        if isinstance(shelf.index, Dense):
            vectors, fresh = _vectors(
                writer, shelf.index.encoder, [entry.text for entry in mine if not entry.children], progress
            )
            encoded += fresh
            write_shelf(shelf, folder, mine, whose, versions, vectors=vectors)
        else:
            write_shelf(shelf, folder, mine, whose, versions)
        progress("index", number + 1, len(shelves))
    return encoded


def stored_document(writer: Writer, one: FileStatus) -> Document:
    """A stored document under the id and with the metadata that its file has now, and with what was told of its nodes."""
    from pincite.corpus import read_document

    document = read_document(writer.db, one.version)
    return with_told(replace(document, id=one.document, meta={**document.meta, **one.meta}), writer.folder)


def _vectors(
    writer: Writer, encoder: Encoder, texts: Sequence[str], progress: Progress
) -> tuple[NDArray[np.float32], int]:
    """The vectors of `texts`, encoded only where none is stored for the same text and encoder."""
    import numpy as np

    name = f"{encoder.name}@{encoder.revision}"
    hashes = [blake2b(text.encode(), digest_size=16).hexdigest() for text in texts]
    stored = writer.known_vectors(hashes, name)
    missing = sorted({one: text for one, text in zip(hashes, texts, strict=True) if one not in stored}.items(),
                     key=lambda pair: len(pair[1]))  # fmt: skip
    for start in range(0, len(missing), ENCODE_AT_ONCE):
        progress("encode", start, len(missing))
        some = missing[start : start + ENCODE_AT_ONCE]
        keys = [key for key, _ in some]
        vectors = encoder.encode([text for _, text in some])
        writer.put_vectors(keys, name, vectors)
        stored.update(zip(keys, (vector.astype("<f2").tobytes() for vector in vectors), strict=True))
    if missing:
        progress("encode", len(missing), len(missing))
    if not texts:
        return np.zeros((0, encoder.dims), dtype=np.float32), 0
    joined = np.frombuffer(b"".join(stored[one] for one in hashes), dtype="<f2")
    return joined.reshape(len(texts), encoder.dims).astype(np.float32), len(missing)
