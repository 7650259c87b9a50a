"""Sources: what the corpus covers, how well it could be read, and documents in and out."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Annotated, Any

from fastapi import APIRouter, File, Query, UploadFile
from starlette.responses import RedirectResponse, Response

from pincite.corpus import Entryless
from pincite.serve import changes
from pincite.serve import templating as views
from pincite.serve.bench import Changing, Reading, Visit
from pincite.workbench.coverage import coverage
from pincite.workbench.page_quality import quality, totals

router = APIRouter(include_in_schema=False)
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
    return views.page(
        visit.request, "sources.html", visit=visit, find=find, start=start, step=PAGE, **told
    )


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
        "facets": _facets(corpus.documents),
    }  # fmt: skip


def _facets(documents: Sequence[Entryless]) -> dict[str, list[tuple[str, int]]]:
    """What the documents are about, each with how many of them there are: the most common first, years in order."""
    companies: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    years: Counter[str] = Counter()
    for document in documents:
        if not document.relation:
            meta = document.meta
            companies[meta.get("company") or meta.get("company_guess", "")] += 1
            kinds[meta.get("type") or meta.get("form", "")] += 1
            years[meta.get("year") or document.date[:4]] += 1
    for counted in (companies, kinds, years):
        del counted[""]  # the documents of which it is not known
    facets = {
        "Companies": companies.most_common(),
        "Kinds": kinds.most_common(),
        "Years": sorted(years.items()),
    }
    return {name: rows for name, rows in facets.items() if rows}


@router.get("/c/{corpus}/sources/quality")
async def pages_read(visit: Reading) -> Response:
    """How the text of every page was read, the worst first."""
    pages = await asyncio.to_thread(quality, visit.edition.corpus)
    worst = [page for page in pages if page.doubtful]
    return views.page(
        visit.request, "quality.html", visit=visit, totals=totals(pages), worst=worst[:WORST],
        more=max(0, len(worst) - WORST), whole=len(pages),
    )  # fmt: skip


@router.post("/c/{corpus}/documents")
async def add(visit: Changing, files: Annotated[list[UploadFile], File()]) -> Response:
    """Index uploaded files; the page of the job is next."""
    job = await changes.add(visit, files)
    return RedirectResponse(f"/c/{visit.served.name}/jobs/{job.id}", 303)


@router.post("/c/{corpus}/documents/{key}/remove")
async def remove(visit: Changing, key: str) -> Response:
    """Take a document out; the page of the job is next."""
    job = changes.remove(visit, key)
    return RedirectResponse(f"/c/{visit.served.name}/jobs/{job.id}", 303)
