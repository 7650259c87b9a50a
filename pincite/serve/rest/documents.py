"""Documents, their pages, pictures and tables; documents in and out."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, File, Path, Query, UploadFile
from starlette.responses import FileResponse, Response

from pincite.corpus import Entryless
from pincite.encoding import anchor_to, table_to
from pincite.errors import UsageError
from pincite.serve import changes
from pincite.serve.bench import Changing, Reading
from pincite.serve.corpora import document_key
from pincite.serve.door.problems import Problem, missing
from pincite.serve.processes.drawn_pages import SCALES
from pincite.serve.rest.job_calls import job_out
from pincite.serve.rest.rest_forms import (
    DocumentOut,
    DocumentsOut,
    EditIn,
    JobOut,
    NodeOut,
    PageOut,
    TableOut,
    TablesOut,
)
from pincite.serve.rest.shared import Cursor, Key, Limit, Once, binary, paged
from pincite.types import Box, Node

router = APIRouter(prefix="/api/v1/corpora/{corpus}/documents", tags=["documents"])


def document_out(document: Entryless) -> DocumentOut:
    """A document as the interface tells it."""
    return DocumentOut(
        key=document_key(document.id), document=document.id, title=document.title,
        source=document.source, date=document.date, pages=document.pages, tables=document.tables,
        metadata=dict(document.meta),
    )  # fmt: skip


@router.get("", summary="The documents")
async def documents(visit: Reading, limit: Limit = 100, cursor: Cursor = "") -> DocumentsOut:
    """In the order of their names."""
    some, after = paged(visit.edition.corpus.documents, cursor, limit)
    return DocumentsOut(items=[document_out(document) for document in some], next=after)


@router.post("", status_code=202, summary="Add documents")
async def add(
    visit: Changing, files: Annotated[list[UploadFile], File()], once: Once = ""
) -> JobOut:
    """Upload files and index them; follow the job to see it done."""
    return job_out(await changes.add(visit, files, once))


@router.get("/{key}", summary="A document")
async def document(visit: Reading, key: Key) -> DocumentOut:
    """What is known of it."""
    return document_out(visit.document(key))


@router.patch("/{key}", status_code=202, summary="Edit what is known of a document")
async def edit(visit: Changing, key: Key, edits: EditIn, once: Once = "") -> JobOut:
    """Give it another title, company, kind or year, for good; "" takes an edit back. Follow the job to see it done."""
    return job_out(changes.edit(visit, key, edits.model_dump(exclude_unset=True), once))


@router.delete("/{key}", status_code=202, summary="Remove a document")
async def remove(visit: Changing, key: Key, once: Once = "") -> JobOut:
    """Take it out of the corpus; follow the job to see it done."""
    return job_out(changes.remove(visit, key, once))


@router.get(
    "/{key}/file",
    summary="The source",
    response_class=Response,
    responses=binary(["application/octet-stream"], "The file."),
)
async def original(visit: Reading, key: Key) -> Response:
    """The file as it was indexed."""
    document = visit.document(key)
    if document.relation:
        raise missing(f"file of {document.id!r}: it is a table of a database")
    path = await asyncio.to_thread(visit.edition.corpus.source, document.source)
    return FileResponse(
        path, media_type="application/octet-stream", filename=document.id.rsplit("/", 1)[-1]
    )


@router.get("/{key}/pages/{page}", summary="A page as text")
async def page(visit: Reading, key: Key, page: Annotated[int, Path(ge=1, le=10**6)]) -> PageOut:
    """The places of a page in reading order, with their boxes."""
    document = visit.document(key)
    nodes = await asyncio.to_thread(visit.edition.corpus.page, document.version, page)
    if not nodes:
        raise missing(f"page {page}: {document.id} has {document.pages}")
    return PageOut(document=document.id, page=page, nodes=[_node(node) for node in nodes])


@router.get(
    "/{key}/pages/{page}/picture",
    summary="A page as a picture",
    response_class=Response,
    responses=binary(["image/png"], "The picture."),
)
async def picture(
    visit: Reading,
    key: Key,
    page: Annotated[int, Path(ge=1, le=10**6)],
    scale: Annotated[
        float,
        Query(
            ge=SCALES[0],
            le=SCALES[-1],
            description=f"Pixels to the point: {', '.join(map(str, SCALES))}.",
        ),
    ] = 2.0,
    frame: Annotated[
        list[Annotated[str, Query(max_length=80)]],
        Query(
            max_length=100,
            description="A box to frame: x0,top,x1,bottom in points; may be given again.",
        ),
    ] = [],  # noqa: B006 - the framework copies it
) -> Response:
    """A PNG, with frames around the boxes given."""
    document = visit.document(key)
    if scale not in SCALES:
        raise Problem(422, f"scale: must be one of {', '.join(map(str, SCALES))}")
    if page > document.pages or document.relation:
        raise missing(f"page {page} to draw: {document.id} has {document.pages}")
    boxes = [_box(text) for text in frame]
    path = await asyncio.to_thread(visit.edition.corpus.source, document.source)
    drawn = await visit.bench.pictures.draw(path, document.source, page, scale, boxes)
    return Response(drawn.png, media_type="image/png")


@router.get("/{key}/tables", summary="The tables of a document")
async def tables(visit: Reading, key: Key, limit: Limit = 50, cursor: Cursor = "") -> TablesOut:
    """In reading order, with all their cells."""
    document = visit.document(key)
    held = await asyncio.to_thread(visit.edition.corpus.tables, document.version)
    some, after = paged(held, cursor, limit)
    return TablesOut(items=[_table(node) for node in some], next=after)


def _node(node: Node) -> NodeOut:
    return NodeOut(
        id=node.id, kind=node.kind, text=node.text, spots=anchor_to(node.anchor)["spots"]
    )


def _table(node: Node) -> TableOut:
    assert node.table is not None
    told = table_to(node.table)
    kept = {name: told[name] for name in ("caption", "scale", "unit", "headers", "cells")}
    return TableOut(node=node.id, page=node.anchor.page, **kept)


def _box(text: str) -> Box:
    parts = text.split(",")
    try:
        x0, top, x1, bottom = (float(part) for part in parts)
    except ValueError as error:
        raise UsageError(f"frame: must be four numbers x0,top,x1,bottom, not {text!r}") from error
    if not (0 <= x0 < x1 <= 20_000 and 0 <= top < bottom <= 20_000):
        raise UsageError(f"frame: {text!r} is not a box on a page")
    return x0, top, x1, bottom
