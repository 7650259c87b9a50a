"""Every document of a corpus read again from its source, by the parser that made it, and compared with what is stored.

Checksums do not protect against somebody who edits a node and its checksum; this does. Of databases and files of tables there
is no source in the corpus, so that they are not verified.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from os.path import commonprefix
from pathlib import Path
from typing import Any, Literal

from pincite.corpus import Corpus, Entryless
from pincite.errors import CorpusError, LockedSource
from pincite.formats.encoding import NodeRow
from pincite.indexing.workforce import IndexingProgress, silent
from pincite.ingest.document_parser import BUILT_IN, PARSER, PARSERS
from pincite.ingest.ocr.ocr_settings import LANGUAGES, OcrSettings, reads
from pincite.ingest.parser_processes import Parsed, ParserJob, parse_all
from pincite.types import Document

State = Literal["same", "differs", "unverified"]


@dataclass(frozen=True, slots=True)
class Reparsed:
    """What reading a document again came to; `why` it differs, or could not be read again, in words."""

    document: str
    state: State
    why: str = ""


class Unverified(Exception):
    """Why a document cannot be read again here as it was read then."""


def job_of(path: Path, name: str, version: str) -> ParserJob:
    """How the source at `path` is read as it was for this version. Raises Unverified when that cannot be done here."""
    source, _, parser = version.partition("-")
    number, _, engine = parser.partition("+")
    if number != PARSER:
        raise Unverified("it was read by another version of the parser: index it again")
    if engine in PARSERS:
        if find_spec(PARSERS[engine].package) is None:
            raise Unverified(
                f"it was read by {engine}, which is not installed: pip install 'pincite[{engine}]'"
            )
        return ParserJob(path, name, source, parser=engine)
    ocr = OcrSettings("off")
    if engine:
        program, *codes = engine.split(".")
        named = {code: language for language, code in LANGUAGES.items()}
        languages = tuple(named.get(code, code) for code in codes)
        ocr = OcrSettings("on", "tesseract" if program == "tesseract" else "rapidocr", languages)
        if reads(ocr) != engine:
            raise Unverified(f"its pictures were read by {engine}, which is not here")
    return ParserJob(path, name, source, parser=BUILT_IN, ocr_settings=ocr)


def reparse(
    corpus: Corpus, workers: int, progress: IndexingProgress = silent
) -> Iterator[Reparsed]:
    """Read every document of the corpus again; each as soon as it is known."""
    jobs: dict[ParserJob, tuple[Entryless, Document]] = {}
    for document in corpus.documents:
        try:
            job, stored = _job_of_document(corpus, document)
            jobs[job] = (document, stored)
        except Unverified as error:
            yield Reparsed(document.id, "unverified", str(error))
        except CorpusError as error:
            yield Reparsed(document.id, "differs", str(error))
    found: dict[ParserJob, _Compared] = {}

    def keep(job: ParserJob, rows: list[NodeRow]) -> None:
        if job not in found:
            found[job] = _Compared(corpus, jobs[job][0].version)
        found[job].next(rows)

    progress("read again", 0, len(jobs))
    parsed = parse_all(list(jobs), workers, lambda job, page: None, keep)
    for done, (job, made) in enumerate(parsed, 1):
        entry, stored = jobs[job]
        progress("read again", done, len(jobs), entry.id)
        if isinstance(made, Parsed):
            compared = found.pop(job, None) or _Compared(corpus, entry.version)
            why = compared.end() or _about(stored, entry, made)
            yield Reparsed(entry.id, "differs" if why else "same", why)
        elif isinstance(made, LockedSource):
            yield Reparsed(entry.id, "unverified", "it is locked with a password")
        else:
            yield Reparsed(entry.id, "unverified", str(made))


def _job_of_document(corpus: Corpus, document: Entryless) -> tuple[ParserJob, Document]:
    """How a document is read again, and what is stored of it; CorpusError where its version is of another source."""
    if document.relation:
        raise Unverified("it is a table, of which the corpus holds no source: index it again")
    if document.version.partition("-")[0] != document.source:
        raise CorpusError("its version is of another source than the one it names")
    stored = corpus.stored(document.version)
    return job_of(corpus.source(document.source), stored.id, document.version), stored


class _Compared:
    """The stored nodes of a document beside those that are read again, a run after another, up to the first that differs."""

    def __init__(self, corpus: Corpus, version: str) -> None:
        self.why, self.at, self.rows = "", 0, list[NodeRow]()
        try:
            self.rows = corpus.rows(version)
        except CorpusError as error:
            self.why = str(error)

    def next(self, rows: list[NodeRow]) -> None:
        stored = self.rows[self.at : self.at + len(rows)]
        self.at += len(rows)
        if self.why or stored == rows:
            return
        for mine, read in zip(stored, rows, strict=False):
            if mine != read:
                self.why = f"page {read[2]}, a {read[1]}: {_apart(mine, read)}"
                return
        self.why = f"{len(rows) - len(stored)} nodes of its source are not stored"

    def end(self) -> str:
        """Why they differ; "" when they do not."""
        if not self.why and self.at != len(self.rows):
            return f"{len(self.rows) - self.at} stored nodes are not in its source"
        return self.why


_PARTS = ("id", "kind", "page", "place", "parent", "text", "anchor", "table", "meta")


def _apart(mine: NodeRow, read: NodeRow) -> str:
    """In what two nodes differ: their texts from a little before where they do, else the names of the parts."""
    if mine[5] == read[5]:
        names = (name for name, a, b in zip(_PARTS, mine, read, strict=True) if a != b)
        return f"its {' and '.join(names)} differ"
    at = max(0, len(commonprefix((mine[5], read[5]))) - 20)
    stored, source = (" ".join(node[5][at : at + 60].split()) for node in (mine, read))
    return f"stored is {stored!r}, its source says {source!r}"


def _about(stored: Document, entry: Entryless, made: Parsed) -> str:
    """How a document differs from its source, its nodes aside."""
    read = _facts(made.document, made.pages, made.tables)
    held = _facts(stored, entry.pages, entry.tables)
    apart = [name for name in read if read[name] != held[name]]
    return ", ".join(
        f"its {name} is stored as {held[name]!r}, not {read[name]!r}" for name in apart
    )


def _facts(document: Document, pages: int, tables: int) -> dict[str, Any]:
    return {
        "title": document.title, "series": document.series, "date": document.date, "language": document.language,
        "metadata": dict(document.meta), "number of pages": pages, "number of tables": tables,
    }  # fmt: skip
