"""Pages as pictures, sources as files, tables as CSV."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path as FilePath
from tempfile import TemporaryDirectory
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Path, Query
from starlette.background import BackgroundTask
from starlette.responses import FileResponse, Response

from pincite.corpus import Corpus
from pincite.serve.bench import Reading, Visit
from pincite.serve.door.problems import missing
from pincite.serve.processes.drawn_pages import SCALES
from pincite.serve.table_view import as_csv

router = APIRouter(include_in_schema=False)
SOURCE = r"^[0-9a-f]{64}$"
_FOREVER = {"Cache-Control": "private, max-age=31536000, immutable"}


@router.get("/c/{corpus}/pictures/{source}/{page}.png")
async def picture(
    visit: Reading,
    source: Annotated[str, Path(pattern=SOURCE)],
    page: Annotated[int, Path(ge=1, le=10**6)],
    scale: Annotated[float, Query(ge=SCALES[0], le=SCALES[-1])] = 2.0,
) -> Response:
    """A page of a source, named by its hash: what it shows never changes."""
    if scale not in SCALES or not await asyncio.to_thread(held, visit, source):
        raise missing(f"such picture of {source[:12]}")
    path = await asyncio.to_thread(visit.edition.corpus.source, source)
    drawn = await visit.bench.pictures.draw(path, source, page, scale)
    return Response(drawn.png, media_type="image/png", headers=_FOREVER)


def held(visit: Visit, source: str) -> bool:
    """Whether a document of the edition has this source."""
    return any(document.source == source for document in visit.edition.corpus.documents)


@router.get("/c/{corpus}/documents/{key}/file")
async def original(visit: Reading, key: str, download: bool = False) -> Response:
    """The source as it was indexed. Only PDF and pictures open in the browser; everything else is saved."""
    document = visit.edition.by_key.get(key)
    if document is None or document.relation:
        raise missing(f"document {key!r}")
    path = await asyncio.to_thread(visit.edition.corpus.source, document.source)
    return file_response(path, FilePath(document.id).name, download)


_OPENED = {
    ".pdf": "application/pdf",
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".webp": "image/webp",
}


def file_response(path: FilePath, name: str, download: bool = False) -> Response:
    """A file, opened in the browser where nothing in it can run there, else saved."""
    media = _OPENED.get(path.suffix.lower())
    how = "inline" if media and not download else "attachment"
    headers = {
        "Content-Disposition": f"{how}; filename*=UTF-8''{quote(name, safe='')}",
        "Content-Security-Policy": "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'"
        if media == "application/pdf" else "default-src 'none'; sandbox",
    }  # fmt: skip
    return FileResponse(path, media_type=media or "application/octet-stream", headers=headers)


@router.get("/c/{corpus}/tables/{node}.csv")
async def table(visit: Reading, node: str) -> Response:
    """A table as CSV."""
    text = await asyncio.to_thread(_csv, visit.edition.corpus, node)
    if text is None:
        raise missing(f"table {node!r}")
    return saved(text, f"table-{node[:12]}.csv")


def saved(text: str, name: str, media: str = "text/csv; charset=utf-8") -> Response:
    """A text as a file to save, by default CSV."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type=media, headers=headers)


async def made(
    make: Callable[[FilePath], Awaitable[object]], name: str, called: str, media: str
) -> Response:
    """The file of this name that `make` writes at the path that it is given, sent as it is `called`, and gone when it is sent."""
    place = TemporaryDirectory(prefix="pincite-")
    path = FilePath(place.name) / name
    try:
        await make(path)
    except BaseException:
        place.cleanup()
        raise
    done = BackgroundTask(place.cleanup)
    return FileResponse(path, filename=called, media_type=media, background=done)


def _csv(corpus: Corpus, node: str) -> str | None:
    found = corpus.nodes([node])
    return as_csv(found[0].table) if found and found[0].table is not None else None
