"""Files and databases to a published generation: only what changed is read again, and a killed run resumes where it stopped."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.corpus import ANSWERING, WHOLE, Corpus, FileStatus, Writer, writing
from pincite.database.holdings import RELATION
from pincite.indexing.changed_files import How, discover, gone, held_files, is_new, rename
from pincite.indexing.found_file import FoundFile, documents_and_tables
from pincite.indexing.parsing import parse
from pincite.indexing.publishing import ensure, publish
from pincite.indexing.wanted_databases import Synced, Wanted
from pincite.indexing.workforce import IndexingProgress, Workforce, silent, workforce
from pincite.ingest.document_parser import parser_named
from pincite.ingest.ocr.ocr_settings import AUTO, OcrSettings, checked
from pincite.search.index.shelf import Shelf
from pincite.text.wording import counted

if TYPE_CHECKING:
    from pincite.database.sources.connection import OpenDatabase

__all__ = ["Summary", "Synced", "Wanted", "describe", "discover", "ensure", "index", "publish"]


@dataclass(frozen=True, slots=True)
class Summary:
    """What a run of indexing did. `files` are all files that it met with their status.

    `moved` files are known by what they hold, under another name or at another place, and are not parsed again; `removed` are
    the names and places that are gone. `described` documents have other metadata than before; `replaced` are those that a newer
    edition answers for.
    """

    files: tuple[FileStatus, ...]
    parsed: int = 0
    moved: int = 0
    unchanged: int = 0
    described: int = 0
    removed: int = 0
    pages: int = 0
    tables: int = 0
    encoded: int = 0
    seconds: float = 0.0
    generation: int = 0
    relations: tuple[Synced, ...] = ()
    replaced: int = 0

    def __str__(self) -> str:
        """What the run did, in a line."""
        rate = f", {self.pages / self.seconds:.1f} pages/s" if self.pages else ""
        others = {
            "moved": self.moved, "unchanged": self.unchanged, "with other metadata": self.described,
            "removed": self.removed, "with problems": len(self.problems),
        }  # fmt: skip
        return (
            f"{counted(self.parsed, 'file')} indexed ({counted(self.pages, 'page')}, {counted(self.tables, 'table')}{rate})"
            + "".join(f", {count} {what}" for what, count in others.items() if count)
            + f"; {self.seconds:.1f} s, generation {self.generation}"
        )

    @property
    def problems(self) -> tuple[FileStatus, ...]:
        """The files that were not read, or not as a whole, with why."""
        return tuple(file for file in self.files if file.status not in WHOLE)

    @property
    def failure(self) -> str:
        """What to say of a run that could read none of its files; empty when it read something or met no file."""
        read = (*ANSWERING, "empty")
        if not self.files or self.relations or any(file.status in read for file in self.files):
            return ""
        if len(self.files) == 1:
            return f"nothing was read: {Path(self.files[0].path).name}: {self.files[0].reason}"
        return f"nothing was read: none of the {len(self.files)} files could be read; each is listed with its reason"


def index(
    paths: Sequence[Path | str],
    corpus: Path | str,
    shelves: Sequence[Shelf],
    *,
    databases: Sequence[Wanted] = (),
    metadata: Path | str | None = None,
    passwords: Mapping[str, str] | None = None,
    workers: int | None = None,
    on: str = "",
    row_limit: int = 50_000,
    parser: str = "",
    ocr_settings: OcrSettings = AUTO,
    wait: float = 0.0,
    progress: IndexingProgress = silent,
) -> Summary:
    """Index files, folders and databases into `corpus` for `shelves` and publish a generation.

    `paths` may be addresses of files or of what lies below a prefix: s3://, https://, sftp:// (docs/scale/cluster.md).
    `metadata` is a CSV whose first column names files; `passwords` maps file names to passwords, which are not stored. `parser`
    names one of `ingest.parse.PARSERS` for the files that it reads; without, what another one parsed before is kept.
    `ocr_settings` say how pages are read that have no text layer to rely on. `on` names the cluster that parses and encodes
    ("local:8", "tls://host:8786"; docs/scale/cluster.md), by default `workers` processes of this machine.
    Another writer is waited for up to `wait` seconds.
    A file that cannot be read is reported in the summary and never stops the rest. Files of tables are taken as databases,
    one of all that are below a folder; rows are nodes in relations of up to `row_limit` rows. Raises UsageError when there is
    nothing to index, CorpusError when the corpus cannot be written, DatabaseError when a database cannot be read, ClusterError
    when the cluster cannot be reached: what was stored is kept, and the same call goes on.
    """
    started = time.perf_counter()
    parser_named(parser)
    checked(ocr_settings)
    found = discover(paths, metadata) if paths or not databases else []
    documents, sheets = documents_and_tables(found)
    with ExitStack() as stack:
        writer = stack.enter_context(writing(corpus, wait))
        force = stack.enter_context(workforce(on, workers, progress))
        sources: list[OpenDatabase] = []
        if databases:
            # here, because a corpus of files alone need not pay for it
            from pincite.indexing.opened_databases import opened

            sources = stack.enter_context(opened(writer.folder, databases, row_limit))
        known, how = writer.files(), How(passwords or {}, parser, ocr_settings)
        left = gone(known, found, paths)
        changed = [file for file in documents if is_new(file, known.get(file.place), how)]
        counts = parse(writer, changed, known, how, force, progress)
        writer.forget_files(left)
        rename(writer, known, found)
        relations = _sync_relations(writer, sources, sheets, left, paths, row_limit, progress)
        summary = _publish_and_sum_up(writer, shelves, known, started, progress, force)
    met = {file.place for file in found}
    return replace(
        summary,
        files=tuple(file for file in summary.files if file.path in met),
        parsed=counts.files,
        moved=counts.moved,
        unchanged=len(documents) - len(changed),
        removed=len(left),
        pages=counts.pages,
        tables=counts.tables,
        relations=tuple(relations),
    )


def describe(
    metadata: Path | str,
    corpus: Path | str,
    shelves: Sequence[Shelf],
    *,
    on: str = "",
    progress: IndexingProgress = silent,
) -> Summary:
    """Give the files of a corpus the ids and metadata of the CSV `metadata` and publish a generation; nothing is parsed.

    Files that it does not name stay as they are. Raises UsageError when it cannot be read, and what `index` raises.
    """
    started = time.perf_counter()
    Corpus(corpus).close()
    with writing(corpus) as writer, workforce(on, None, progress) as force:
        known = writer.files()
        held = [file for file in known.values() if not file.version.startswith(RELATION)]
        rename(writer, known, held_files(held, metadata))
        if len(held) < len(known):
            from pincite.indexing.table_files_stored import describe_tables

            describe_tables(writer)
        summary = _publish_and_sum_up(writer, shelves, known, started, progress, force)
    described = {file.path for file in held}
    files = tuple(file for file in summary.files if file.path in described)
    return replace(summary, files=files, unchanged=len(held))


def _publish_and_sum_up(
    writer: Writer,
    shelves: Sequence[Shelf],
    before: Mapping[str, FileStatus],
    started: float,
    progress: IndexingProgress,
    force: Workforce,
) -> Summary:
    """Publish what is stored: the summary of that, with all files. `before` are those that were known when the run `started`."""
    generation, encoded = publish(writer, shelves, progress, force)
    files = tuple(writer.files().values())
    known = {file.version: dict(file.meta) for file in before.values() if file.version}
    documents = {file.version: dict(file.meta) for file in files if file.version in known}
    return Summary(
        files,
        described=sum(known[version] != meta for version, meta in documents.items()),
        encoded=encoded,
        seconds=time.perf_counter() - started,
        generation=generation.number,
        replaced=generation.replaced,
    )


def _sync_relations(
    writer: Writer,
    sources: Sequence[OpenDatabase],
    sheets: Sequence[FoundFile],
    left: Sequence[str],
    paths: Sequence[Path | str],
    row_limit: int,
    progress: IndexingProgress,
) -> list[Synced]:
    stored = (file.version for file in writer.files().values())
    if not sources and not sheets and not any(version.startswith(RELATION) for version in stored):
        return []
    from pincite.indexing.stored_relations import sync
    from pincite.indexing.table_files_stored import describe_tables, sync_files

    relations: list[Synced] = []
    for source in sources:
        relations += sync(writer, source, row_limit, progress)
    relations += sync_files(writer, sheets, left, paths, row_limit, progress)
    describe_tables(writer)
    return relations
