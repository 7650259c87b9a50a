"""Sources: what the corpus covers, how well it could be read, and documents in and out."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Annotated, Any

from fastapi import APIRouter, File, Form, Query, UploadFile
from starlette.responses import RedirectResponse, Response

from pincite.corpus import Entryless
from pincite.serve import changes
from pincite.serve import templating as views
from pincite.serve.bench import Changing, Reading, Visit
from pincite.serve.facets import FACETS, counted
from pincite.untrusted import visible
from pincite.workbench.coverage import coverage
from pincite.workbench.page_quality import quality, totals

router = APIRouter(include_in_schema=False)
Field = Annotated[str, Form(max_length=400)]
PAGE = 100
"""Documents of one page of the list."""
WORST = 100
"""Pages whose text is doubtful that are listed."""


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
    known = " ".join(
        (document.id, document.title, document.date, *document.meta.values())
    ).casefold()
    return all(word in known for word in wanted)


def _listed(visit: Visit, find: str) -> dict[str, Any]:
    corpus, wanted = visit.edition.corpus, find.casefold().split()
    covered = coverage(corpus)
    why = {file["document"]: file for file in covered["files"] if file["status"] != "ok"}
    documents = [document for document in corpus.documents if _mentions(document, wanted)]
    return {
        "covered": covered, "documents": documents, "why": why, "databases": corpus.databases,
        "facets": {FACETS[name]: pairs for name, pairs in counted(corpus.documents).items()},
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
    job = await changes.add(visit, files)
    return RedirectResponse(f"/c/{visit.served.name}/jobs/{job.id}", 303)


@router.post("/c/{corpus}/documents/{key}/edit")
async def edit(
    visit: Changing,
    key: str,
    title: Field = "",
    company: Field = "",
    kind: Field = "",
    year: Field = "",
) -> Response:
    """Edit what is known of a document, where it is not what was shown; the page of the job is next."""
    document = visit.document(key)
    given = {"title": title, "company": company, "kind": kind, "year": year}
    shown = {**document.meta, "title": document.title}
    edits = {name: text for name, text in given.items() if text != visible(shown.get(name, ""))}
    if not edits:
        return RedirectResponse(f"/c/{visit.served.name}/sources#documents", 303)
    job = changes.edit(visit, key, edits)
    return RedirectResponse(f"/c/{visit.served.name}/jobs/{job.id}", 303)


@router.post("/c/{corpus}/documents/{key}/remove")
async def remove(visit: Changing, key: str) -> Response:
    """Take a document out; the page of the job is next."""
    job = changes.remove(visit, key)
    return RedirectResponse(f"/c/{visit.served.name}/jobs/{job.id}", 303)
