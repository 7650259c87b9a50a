"""Sources: what the corpus covers, how well it could be read, and documents in, edited and out."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any

from fastapi import APIRouter, File, Form, Query, UploadFile
from pydantic import BaseModel, Field
from starlette.responses import Response

from pincite.corpus import Entryless
from pincite.serve import templating as views
from pincite.serve import uploads
from pincite.serve.bench import Changing, Reading, Visit
from pincite.serve.facets import FACETS, count_facets
from pincite.serve.processes.jobs import Job
from pincite.untrusted import visible
from pincite.workbench.coverage import coverage
from pincite.workbench.page_quality import quality, totals

router = APIRouter(include_in_schema=False)
Known = Annotated[str, Field(max_length=400)]
PAGE = 100  # documents of one page of the list
WORST = 100  # pages whose text is doubtful that are listed


@router.get("/c/{corpus}/sources")
async def sources(
    visit: Reading,
    find: Annotated[str, Query(max_length=200)] = "",
    start: Annotated[int, Query(ge=0, le=10**9)] = 0,
) -> Response:
    """The documents, with what there is to know of all of them."""
    told = await asyncio.to_thread(_listed, visit, find)
    return views.corpus_page(visit, "sources.html", find=find, start=start, step=PAGE, **told)


def _mentions(document: Entryless, wanted: Iterable[str]) -> bool:
    """Whether what is known of a document holds every one of these words."""
    known = document.id, document.title, document.date, *document.meta.values()
    return all(word in " ".join(known).casefold() for word in wanted)


def _listed(visit: Visit, find: str) -> dict[str, Any]:
    corpus, wanted = visit.edition.corpus, find.casefold().split()
    covered = coverage(corpus)
    why = {file["document"]: file for file in covered["files"] if file["status"] != "ok"}
    documents = [document for document in corpus.documents if _mentions(document, wanted)]
    return {
        "covered": covered, "documents": documents, "why": why, "databases": corpus.databases,
        "facets": {FACETS[name]: pairs for name, pairs in count_facets(corpus.documents).items()},
    }  # fmt: skip


@router.get("/c/{corpus}/sources/quality")
async def pages_read(visit: Reading) -> Response:
    """How the text of every page was read, the worst first."""
    pages = await asyncio.to_thread(quality, visit.edition.corpus)
    worst = [page for page in pages if page.doubtful]
    return views.corpus_page(
        visit, "quality.html", totals=totals(pages), worst=worst[:WORST], more=max(0, len(worst) - WORST), whole=len(pages),
    )  # fmt: skip


@router.post("/c/{corpus}/documents")
async def add(visit: Changing, files: Annotated[list[UploadFile], File()]) -> Response:
    """Index uploaded files; the page of the job is next."""
    return visit.go(f"jobs/{(await add_documents(visit, files)).id}")


class DocumentForm(BaseModel):
    """What the fields of a document hold."""

    title: Known = ""
    company: Known = ""
    kind: Known = ""
    year: Known = ""


@router.post("/c/{corpus}/documents/{key}/edit")
async def edit(visit: Changing, key: str, given: Annotated[DocumentForm, Form()]) -> Response:
    """Edit what is known of a document, where it is not what was shown; the page of the job is next."""
    document = visit.document(key)
    shown = {**document.meta, "title": document.title}
    edits = {name: text for name, text in given if text != visible(shown.get(name, ""))}
    if not edits:
        return visit.go("sources#documents")
    return visit.go(f"jobs/{edit_document(visit, key, edits).id}")


@router.post("/c/{corpus}/documents/{key}/remove")
async def remove(visit: Changing, key: str) -> Response:
    """Take a document out; the page of the job is next."""
    return visit.go(f"jobs/{remove_document(visit, key).id}")


async def add_documents(visit: Visit, files: Sequence[UploadFile], key: str = "") -> Job:
    """Keep uploaded files and begin to index them. Raises what `uploads.save` and `Jobs.start` raise; then nothing is kept."""
    sent = await uploads.save(visit.served.folder, files)
    names = ", ".join(upload.path.name for upload in sent[:3])
    names += f" and {len(sent) - 3} more" if len(sent) > 3 else ""
    visit.request.state.on = names
    paths, hashes = [str(each.path.resolve()) for each in sent], [each.sha256 for each in sent]
    order = {"paths": paths, "sha256": hashes}
    try:
        before = visit.bench.jobs.of(visit.served.name)
        job = visit.start("index", f"Index {names}", order, key)
        if job not in before:  # else the same was sent before, and may be at work
            for upload in sent:  # before anything else runs, the job among it
                upload.half.replace(upload.path)
    finally:
        for upload in sent:
            upload.half.unlink(missing_ok=True)
    return job


def edit_document(
    visit: Visit, document_key: str, changes: Mapping[str, str], key: str = ""
) -> Job:
    """Begin to edit what is known of a document. Problem 404 when it is not there; UsageError for a wrong value."""
    from pincite.indexing.removing import checked

    document = visit.document(document_key)
    visit.request.state.on = document.id
    order = {"document": document.id, "changes": checked(changes)}
    return visit.start("edit", f"Edit {document.id}", order, key)


def remove_document(visit: Visit, document_key: str, key: str = "") -> Job:
    """Begin to take a document out of the corpus. Problem 404 when it is not there."""
    document = visit.document(document_key)
    visit.request.state.on = document.id
    order = {"documents": [document.id]}
    return visit.start("remove", f"Remove {document.id}", order, key)
