"""Documents, their pages, pictures and tables; documents in and out."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, File, Path, Query, UploadFile
from starlette.responses import FileResponse, Response

from pincite.corpus import Entryless
from pincite.errors import UsageError
from pincite.formats.encoding import anchor_to, table_to
from pincite.serve.bench import Changing, Reading
from pincite.serve.corpora import document_key
from pincite.serve.door.problems import Problem, missing
from pincite.serve.pages.sources_page import add_documents, edit_document, remove_document
from pincite.serve.processes.drawn_pages import SCALES
from pincite.serve.rest import rest_forms as forms
from pincite.serve.rest.job_calls import job_out
from pincite.types import Box, Node

router = APIRouter(prefix="/api/v1/corpora/{corpus}/documents", tags=["documents"])
PageNumber = Annotated[int, Path(ge=1, le=10**6)]
_SCALES = ", ".join(map(str, SCALES))
_FRAME = "A box to frame: x0,top,x1,bottom in points; may be given again."


def document_out(document: Entryless) -> forms.DocumentOut:
    """A document as the interface tells it."""
    return forms.DocumentOut(
        key=document_key(document.id), document=document.id, title=document.title,
        source=document.source, date=document.date, pages=document.pages, tables=document.tables,
        metadata=dict(document.meta),
    )  # fmt: skip


@router.get("", summary="The documents")
async def documents(
    visit: Reading, limit: forms.Limit = 100, cursor: forms.Cursor = ""
) -> forms.DocumentsOut:
    """In the order of their names."""
    some, after = forms.paged(visit.edition.corpus.documents, cursor, limit)
    return forms.DocumentsOut(items=[document_out(document) for document in some], next=after)


@router.post("", status_code=202, summary="Add documents")
async def add(
    visit: Changing, files: Annotated[list[UploadFile], File()], once: forms.Once = ""
) -> forms.JobOut:
    """Upload files and index them; follow the job to see it done."""
    return job_out(await add_documents(visit, files, once))


@router.get("/{key}", summary="A document")
async def document(visit: Reading, key: forms.Key) -> forms.DocumentOut:
    """What is known of it."""
    return document_out(visit.document(key))


@router.patch("/{key}", status_code=202, summary="Edit what is known of a document")
async def edit(
    visit: Changing, key: forms.Key, edits: forms.EditIn, once: forms.Once = ""
) -> forms.JobOut:
    """Give it another title, company, kind or year, for good; "" takes an edit back. Follow the job to see it done."""
    return job_out(edit_document(visit, key, edits.model_dump(exclude_unset=True), once))


@router.delete("/{key}", status_code=202, summary="Remove a document")
async def remove(visit: Changing, key: forms.Key, once: forms.Once = "") -> forms.JobOut:
    """Take it out of the corpus; follow the job to see it done."""
    return job_out(remove_document(visit, key, once))


@router.get(
    "/{key}/file",
    summary="The source",
    response_class=Response,
    responses=forms.file_reply("application/octet-stream"),
)
async def original(visit: Reading, key: forms.Key) -> Response:
    """The file as it was indexed."""
    document = visit.document(key)
    if document.relation:
        raise missing(f"file of {document.id!r}: it is a table of a database")
    path = await asyncio.to_thread(visit.edition.corpus.source, document.source)
    return FileResponse(
        path, media_type="application/octet-stream", filename=document.id.rsplit("/", 1)[-1]
    )


@router.get("/{key}/pages/{page}", summary="A page as text")
async def page(visit: Reading, key: forms.Key, page: PageNumber) -> forms.PageOut:
    """The places of a page in reading order, with their boxes."""
    document = visit.document(key)
    nodes = await asyncio.to_thread(visit.edition.corpus.page, document.version, page)
    if not nodes:
        raise missing(f"page {page}: {document.id} has {document.pages}")
    told = [
        forms.NodeOut(
            id=node.id, kind=node.kind, text=node.text, spots=anchor_to(node.anchor)["spots"]
        )
        for node in nodes
    ]
    return forms.PageOut(document=document.id, page=page, nodes=told)


@router.get(
    "/{key}/pages/{page}/picture",
    summary="A page as a picture",
    response_class=Response,
    responses=forms.file_reply("image/png", "The picture."),
)
async def picture(
    visit: Reading,
    key: forms.Key,
    page: PageNumber,
    scale: Annotated[
        float, Query(ge=SCALES[0], le=SCALES[-1], description=f"Pixels to the point: {_SCALES}.")
    ] = 2.0,
    frame: Annotated[
        list[Annotated[str, Query(max_length=80)]], Query(max_length=100, description=_FRAME)
    ] = [],  # noqa: B006
) -> Response:
    """A PNG, with frames around the boxes given."""
    document = visit.document(key)
    if scale not in SCALES:
        raise Problem(422, f"scale: must be one of {_SCALES}")
    if page > document.pages or document.relation:
        raise missing(f"page {page} to draw: {document.id} has {document.pages}")
    boxes = [_box(text) for text in frame]
    path = await asyncio.to_thread(visit.edition.corpus.source, document.source)
    drawn = await visit.bench.pictures.draw(path, document.source, page, scale, boxes)
    return Response(drawn.png, media_type="image/png")


@router.get("/{key}/tables", summary="The tables of a document")
async def tables(
    visit: Reading, key: forms.Key, limit: forms.Limit = 50, cursor: forms.Cursor = ""
) -> forms.TablesOut:
    """In reading order, with all their cells."""
    document = visit.document(key)
    held = await asyncio.to_thread(visit.edition.corpus.tables, document.version)
    some, after = forms.paged(held, cursor, limit)
    return forms.TablesOut(items=[_table(node) for node in some], next=after)


def _table(node: Node) -> forms.TableOut:
    assert node.table is not None
    told = table_to(node.table)
    kept = {name: told[name] for name in ("caption", "scale", "unit", "headers", "cells")}
    return forms.TableOut(node=node.id, page=node.anchor.page, **kept)


def _box(text: str) -> Box:
    try:
        x0, top, x1, bottom = map(float, text.split(","))
    except ValueError as error:
        raise UsageError(f"frame: must be four numbers x0,top,x1,bottom, not {text!r}") from error
    if not (0 <= x0 < x1 <= 20_000 and 0 <= top < bottom <= 20_000):
        raise UsageError(f"frame: {text!r} is not a box on a page")
    return x0, top, x1, bottom
