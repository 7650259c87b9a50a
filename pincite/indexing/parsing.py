"""Changed files to stored documents, each identified by its content: a known one is not parsed again. What is stored is what
was hashed: a file that is written to while it is read is read again, and reported if it keeps changing.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import IO

from pincite.corpus import ANSWERING, FileStatus, Writer
from pincite.corpus.described import edits
from pincite.document.address import page_name
from pincite.errors import PinciteError, SourceError
from pincite.formats.encoding import NodeRow
from pincite.indexing.changed_files import How, is_gone, status_of
from pincite.indexing.found_file import FoundFile
from pincite.indexing.remote_files import FETCHED, ahead, drop, fetched, fetching
from pincite.indexing.workforce import IndexingProgress, Workforce
from pincite.ingest.document_parser import format_of, outdated, parser_named, parser_now
from pincite.ingest.ocr.ocr_settings import OcrSettings, engine_name, why_no_ocr
from pincite.ingest.parser_processes import SILENCE_S, Parsed, ParserJob
from pincite.storage.sources import keep_source
from pincite.text.wording import counted

NO_TEXT = 10
"""A document with fewer characters than this on its first pages has no text layer worth the name."""
COVER = 10
"""The pages by which that is judged."""
MOST_LOST = 5
"""Pages that were not read as a whole which the status of their file names."""
_CHUNK = 1 << 20


@dataclass(slots=True)
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
        for again in run.parse(list(_as_they_are(torn)), force, progress):
            said = f"{again.path.name} was written to while it was read, twice: index it again when it is finished"
            run.report(again, SourceError(said))
    return run.counts


def _as_they_are(files: Iterable[FoundFile]) -> Iterator[FoundFile]:
    """The files as they are now, without those that are gone."""
    for file in files:
        with suppress(OSError):
            stat = file.path.stat()
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

        silence_s = other.patience_s if other else SILENCE_S
        with fetching(self.writer.folder / FETCHED) as folder:
            # the largest first, so that nobody idles at the end
            largest = sorted(changed, key=lambda file: -file.size)
            jobs = self._jobs(largest, folder, work)
            for job, made in force.parsed(jobs, len(changed), work.tick, keep, silence_s):
                torn += self._store_outcome(job, made, work)
        return torn

    def _store_outcome(
        self, job: ParserJob, made: Parsed | PinciteError, work: _Work
    ) -> list[FoundFile]:
        """Store what was made of a file, for all files of its content; returns these where it changed meanwhile."""
        same = work.files.pop(job.source)
        version, pages = work.versions.pop(job), work.pages.pop(job.source, 0)
        try:
            still = self._still_holds(job, keep=isinstance(made, Parsed))
        except SourceError as error:
            still, made = True, error
        if still and isinstance(made, Parsed):
            self._store_document(job, version, made, same, pages)
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
        how = self.how.parser, self.how.ocr_settings
        for file, content in ahead(changed, partial(_file_content, folder)):
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
            held = ((version, version.partition("-")[2]) for version in work.stored[source])
            current = [version for version, made_by in held if not outdated(made_by, kind, *how)]
            if current:
                self._keep_known(file, source, current[0], paths[source])
                work.settle(file)
            elif source in work.files:
                work.files[source].append(file)
            else:
                password = self.how.password(file.path)
                job = ParserJob(file.path, file.document, source, password, *how)
                work.files[source] = [file]
                work.versions[job] = f"{source}-{parser_now(kind, *how)}"
                yield job

    def _keep_known(
        self, file: FoundFile, source: str, version: str, paths: Sequence[str]
    ) -> None:
        """A file whose content is stored: it was moved, copied or touched. Where it was before and is gone is forgotten."""
        for path in paths:
            file = replace(file, meta={**edits(self.known[path].meta), **file.meta})
        self.writer.put_file(self._status(file, source, version))
        before = [path for path in paths if path != file.place and is_gone(path)]
        self.writer.forget_files(before)
        self.counts.moved += file.place not in paths

    def _store_document(
        self, job: ParserJob, version: str, made: Parsed, same: Sequence[FoundFile], pages: int
    ) -> None:
        document = replace(made.document, version=version)
        keep_source(self.writer.folder, self._copy_of(job))
        files = [self._status(file, job.source, version) for file in same]
        self.writer.end_document(document, job.source, made.pages, made.tables, files)
        self.counts.files += len(same)
        self.counts.pages += pages
        self.counts.tables += made.tables

    def _copy_of(self, job: ParserJob) -> Path:
        """Where the corpus's copy of a file stands."""
        return self.writer.folder / "sources" / f"{job.source}{job.path.suffix.lower()}"

    def _still_holds(self, job: ParserJob, *, keep: bool) -> bool:
        """Whether the file still holds what was hashed before it was parsed; `keep` keeps a copy of that under its hash.

        So a citation opens when the file has moved. Raises SourceError when the file cannot be read any more.
        """
        kept = self._copy_of(job)
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
            held = _copy_hashed(file, half) == job.source
        if held:
            half.rename(kept)
        else:
            half.unlink()
        return held

    def _status(self, file: FoundFile, source: str, version: str) -> FileStatus:
        """The status of a file that is stored, with how its text was read, as its first pages tell."""
        status, reason = outcome_of(self.writer.cover(version, COVER), self.how.ocr_settings)
        pages = self.writer.lost(version)
        if lost := [f"{page_name(path, page)}: {why}" for path, page, why in pages]:
            status = "partial" if status in ANSWERING else "unreadable"
            more = f"; and {len(lost) - MOST_LOST} more, which `pincite status --quality` lists"
            reason = "; ".join(lost[:MOST_LOST]) + (more if len(lost) > MOST_LOST else "")
        return status_of(file, source, version, status, reason)

    def report(self, file: FoundFile, error: Exception, source: str = "") -> None:
        """Store why a file cannot be read. The version that was stored before keeps answering."""
        status = error.status if isinstance(error, SourceError) else "unreadable"
        before = self.known.get(file.place)
        version = before.version if before else ""
        reason = f"{error} (the version indexed before still answers)" if version else str(error)
        self.writer.put_file(status_of(file, source, version, status, reason))


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


def _file_content(folder: Path, found: FoundFile) -> tuple[FoundFile, str, str]:
    """A file that can be read, fetched into `folder` where it is behind an address, its hash and its format.

    Raises SourceError where it cannot be read.
    """
    if found.problem:
        raise SourceError(found.problem)
    if found.address:
        found = replace(found, path=fetched(found, folder))
    with found.path.open("rb") as file:
        return found, hashlib.file_digest(file, "sha256").hexdigest(), format_of(found.path)


def _copy_hashed(file: IO[bytes], to: Path) -> str:
    """Copy a file; returns the hash of what was copied."""
    digest, chunk = hashlib.sha256(), b" "
    with to.open("wb") as out:
        while chunk:
            try:
                chunk = file.read(_CHUNK)
            except OSError as error:  # of the source, not of the corpus
                raise _unreadable(Path(file.name), error) from error
            digest.update(chunk)
            out.write(chunk)
    return digest.hexdigest()


def _unreadable(path: Path, error: OSError) -> SourceError:
    return SourceError(f"{path.name} can no longer be read: {error.strerror or error}")
