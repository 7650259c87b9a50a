"""Changed files to stored documents, each identified by its content: a known one is not parsed again. What is stored is what
was hashed: a file that is written to while it is read is read again, and reported if it keeps changing.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import IO

from pincite.corpus import ANSWERING, FileStatus, Writer
from pincite.corpus.described import edits
from pincite.document.address import page_name
from pincite.encoding import NodeRow
from pincite.errors import PinciteError, SourceError
from pincite.indexing.changed_files import How, is_gone
from pincite.indexing.fetching import FETCHED, ahead, drop, fetching
from pincite.indexing.found_file import FoundFile
from pincite.indexing.progress import IndexingProgress
from pincite.indexing.remote_files import fetched
from pincite.indexing.workforce import Workforce
from pincite.ingest.document_parser import format_of, outdated, parser_named, parser_now
from pincite.ingest.ocr.ocr_settings import OcrSettings, engine_name, why_no_ocr
from pincite.ingest.parser_processes import SILENCE_S, Parsed, ParserJob
from pincite.plural import counted
from pincite.storage.sources import keep_source

NO_TEXT = 10
"""A document with fewer characters than this on its first pages has no text layer worth the name."""
COVER = 10
"""The pages by which that is judged."""
MOST_LOST = 5
"""Pages that were not read as a whole which the status of their file names."""
_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class Counts:
    """How many files were parsed, and how many only found under another name; pages and tables of those that were parsed."""

    files: int = 0
    moved: int = 0
    pages: int = 0
    tables: int = 0


def parse(
    writer: Writer,
    changed: Sequence[FoundFile],
    known: Mapping[str, FileStatus],
    how: How,
    force: Workforce,
    progress: IndexingProgress,
) -> Counts:
    """Parse and store what changed; `known` are the files as the last run left them."""
    run = _Run(writer, known, how)
    if torn := run.parse(changed, force, progress):
        for again in run.parse([now for file in torn for now in _now(file)], force, progress):
            said = f"{again.path.name} was written to while it was read, twice: index it again when it is finished"
            run.report(again, SourceError(said))
    return run.counts


def _now(file: FoundFile) -> Iterator[FoundFile]:
    """The file as it is now, unless it is gone."""
    try:
        stat = file.path.stat()
    except OSError:
        return
    yield replace(file, size=stat.st_size, changed=stat.st_mtime_ns)


@dataclass(slots=True)
class _Work:
    """The files of a run under way: by content those of which it is, the versions that they will be, what is stored."""

    total: float
    progress: IndexingProgress
    files: dict[str, list[FoundFile]] = field(default_factory=dict)
    versions: dict[ParserJob, str] = field(default_factory=dict)
    stored: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    begun: set[str] = field(default_factory=set)
    pages: dict[str, int] = field(default_factory=dict)
    done: float = 0.0
    ticked: int = 0

    def tick(self, job: ParserJob, page: int) -> None:
        """A page of a file is done."""
        self.ticked += 1
        self.pages[job.source] = page
        self.progress("page", page, 0, job.name)
        self.tell()

    def settle(self, file: FoundFile) -> None:
        """A file is done with."""
        self.done += file.size
        drop(file)
        self.tell()

    def tell(self) -> None:
        """Tell how far it is."""
        self.progress("parse", self.done, self.total, counted(self.ticked, "page"))


def _kept(file: FoundFile, source: str, version: str, status: str, reason: str) -> FileStatus:
    return FileStatus(
        file.place, file.document, source, file.size, file.changed, version, status, reason, file.meta,
    )  # fmt: skip


@dataclass(slots=True)
class _Run:
    """The state of one run: what it stores into, what it knows, what it did."""

    writer: Writer
    known: Mapping[str, FileStatus]
    how: How
    counts: Counts = field(default_factory=Counts)

    def parse(
        self, changed: Sequence[FoundFile], force: Workforce, progress: IndexingProgress
    ) -> list[FoundFile]:
        """Parse and store files; returns those that changed meanwhile."""
        other = parser_named(self.how.parser)
        work = _Work(sum(file.size for file in changed), progress)
        torn: list[FoundFile] = []
        progress("parse", 0, work.total)

        def keep(job: ParserJob, rows: list[NodeRow]) -> None:
            if job.source not in work.begun:
                self.writer.begin_document(work.versions[job])
                work.begun.add(job.source)
            self.writer.put_nodes(work.versions[job], rows)

        with fetching(self.writer.folder / FETCHED) as folder:
            # the largest first, so that nobody idles at the end
            largest = sorted(changed, key=lambda file: -file.size)
            for job, made in force.parsed(
                self._jobs(largest, folder, work),
                len(changed),
                work.tick,
                keep,
                other.patience_s if other else SILENCE_S,
            ):
                torn += self._end(job, made, work)
        return torn

    def _end(self, job: ParserJob, made: Parsed | PinciteError, work: _Work) -> list[FoundFile]:
        """Store what was made of a file, for all files of its content; returns these where it changed meanwhile."""
        same = work.files.pop(job.source)
        version, pages = work.versions.pop(job), work.pages.pop(job.source, 0)
        try:
            still = self._holds(job, keep=isinstance(made, Parsed))
        except SourceError as error:
            still, made = True, error
        if still and isinstance(made, Parsed):
            self._store(job, version, made, same, pages)
            work.stored[job.source].append(version)
        elif still:
            assert isinstance(made, PinciteError)
            for file in same:
                self.report(file, made, job.source)
        work.progress("page", pages, pages, job.name)
        for file in same:
            work.settle(file)
        return [] if still else same

    def _jobs(
        self, changed: Sequence[FoundFile], folder: Path, work: _Work
    ) -> Iterator[ParserJob]:
        """The files to parse, each content once; what is stored already, or cannot be read, is settled on the way."""
        paths = defaultdict[str, list[str]](list)
        for version in sorted(self.writer.versions()):
            work.stored[version.partition("-")[0]].append(version)
        for known in self.known.values():
            paths[known.sha].append(known.path)
        for file, content in ahead(changed, partial(_content, folder)):
            try:
                file, source, kind = content()
            except FileNotFoundError:
                self.writer.forget_files([file.place])  # it went away just now
                work.settle(file)
                continue
            except Exception as error:  # of the system's or of a file's making: of no common class
                self.report(file, error)
                work.settle(file)
                continue
            if held := self._current(work.stored[source], kind):
                self._again(file, source, held[0], paths[source])
                work.settle(file)
            elif source in work.files:
                work.files[source].append(file)
            else:
                yield self._job(file, source, kind, work)

    def _job(self, file: FoundFile, source: str, kind: str, work: _Work) -> ParserJob:
        parser, settings = self.how.parser, self.how.ocr_settings
        job = ParserJob(
            file.path, file.document, source, self.how.password(file.path), parser, settings
        )
        work.files[source] = [file]
        work.versions[job] = f"{source}-{parser_now(kind, parser, settings)}"
        return job

    def _current(self, versions: Sequence[str], kind: str) -> list[str]:
        """Those versions of a content that are as they would be made now."""
        parser, settings = self.how.parser, self.how.ocr_settings
        return [
            version
            for version in versions
            if not outdated(version.partition("-")[2], kind, parser, settings)
        ]

    def _again(self, file: FoundFile, source: str, version: str, paths: Sequence[str]) -> None:
        """A file whose content is stored: it was moved, copied or touched. Where it was before and is gone is forgotten."""
        for path in paths:
            file = replace(file, meta={**edits(self.known[path].meta), **file.meta})
        self.writer.put_file(self._status(file, source, version))
        before = [path for path in paths if path != file.place and is_gone(path)]
        self.writer.forget_files(before)
        if file.place not in paths:
            self.counts = replace(self.counts, moved=self.counts.moved + 1)

    def _store(
        self, job: ParserJob, version: str, made: Parsed, same: Sequence[FoundFile], pages: int
    ) -> None:
        document = replace(made.document, version=version)
        keep_source(self.writer.folder, self._kept(job))
        self.writer.end_document(
            document,
            job.source,
            made.pages,
            made.tables,
            [self._status(file, job.source, version) for file in same],
        )
        counts = self.counts
        self.counts = replace(
            counts,
            files=counts.files + len(same),
            pages=counts.pages + pages,
            tables=counts.tables + made.tables,
        )

    def _kept(self, job: ParserJob) -> Path:
        """Where the corpus's copy of a file stands."""
        return self.writer.folder / "sources" / f"{job.source}{job.path.suffix.lower()}"

    def _holds(self, job: ParserJob, *, keep: bool) -> bool:
        """Whether the file still holds what was hashed before it was parsed; `keep` keeps a copy of that under its hash.

        So a citation opens when the file has moved. Raises SourceError when the file cannot be read any more.
        """
        kept = self._kept(job)
        half = kept.with_suffix(".half")
        try:
            file = job.path.open("rb")
        except FileNotFoundError:
            return False
        except OSError as error:
            raise _unreadable(job.path, error) from error
        with file:
            if not keep or kept.exists():
                return hashlib.file_digest(file, "sha256").hexdigest() == job.source
            held = _copied(file, half) == job.source
        if held:
            half.rename(kept)
        else:
            half.unlink()
        return held

    def _status(self, file: FoundFile, source: str, version: str) -> FileStatus:
        """The status of a file that is stored, with how its text was read, as its first pages tell."""
        status, reason = outcome_of(self.writer.cover(version, COVER), self.how.ocr_settings)
        if lost := [
            f"{page_name(path, page)}: {why}" for path, page, why in self.writer.lost(version)
        ]:
            status = "partial" if status in ANSWERING else "unreadable"
            more = f"; and {len(lost) - MOST_LOST} more, which `pincite status --quality` lists"
            reason = "; ".join(lost[:MOST_LOST]) + (more if len(lost) > MOST_LOST else "")
        return _kept(file, source, version, status, reason)

    def report(self, file: FoundFile, error: Exception, source: str = "") -> None:
        """Store why a file cannot be read. The version that was stored before keeps answering."""
        status = error.status if isinstance(error, SourceError) else "unreadable"
        before = self.known.get(file.place)
        version = before.version if before else ""
        reason = f"{error} (the version indexed before still answers)" if version else str(error)
        self.writer.put_file(_kept(file, source, version, status, reason))


def outcome_of(cover: Sequence[tuple[str, bool]], ocr_settings: OcrSettings) -> tuple[str, str]:
    """How a document was read and what to say of it; `cover` are the texts of its first pages and whether OCR read them."""
    if sum(len(text) for text, _ in cover) < NO_TEXT:
        if not engine_name(ocr_settings):
            why = f"no text layer: its pages are pictures or empty, and they are not read: {why_no_ocr(ocr_settings)}"
            return "no-text", why
        return "empty", "nothing to read: its pages are empty, or pictures without text"
    if sum(len(text) for text, seen in cover if not seen) < NO_TEXT:
        return "ocr", "read from its pictures by OCR: it has no text layer, or an unreadable one"
    return "ok", ""


def _content(folder: Path, found: FoundFile) -> tuple[FoundFile, str, str]:
    """A file that can be read, fetched into `folder` where it is behind an address, its hash and its format.

    Raises SourceError where it cannot be read.
    """
    if found.problem:
        raise SourceError(found.problem)
    if found.address:
        found = replace(found, path=fetched(found, folder))
    with found.path.open("rb") as file:
        return found, hashlib.file_digest(file, "sha256").hexdigest(), format_of(found.path)


def _copied(file: IO[bytes], to: Path) -> str:
    """Copy a file; returns the hash of what was copied."""
    digest = hashlib.sha256()
    with to.open("wb") as out:
        while chunk := _read(file):
            digest.update(chunk)
            out.write(chunk)
    return digest.hexdigest()


def _read(file: IO[bytes]) -> bytes:
    try:
        return file.read(_CHUNK)
    except OSError as error:  # of the source, not of the corpus
        raise _unreadable(Path(file.name), error) from error


def _unreadable(path: Path, error: OSError) -> SourceError:
    return SourceError(f"{path.name} can no longer be read: {error.strerror or error}")
