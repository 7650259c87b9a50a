"""Which corpora there are and what they cover."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter, Request

from pincite.serve.bench import Reading, bench_of, person_of
from pincite.serve.rest.rest_forms import CorpusOut, CoverageOut
from pincite.workbench.coverage import public_coverage

router = APIRouter(prefix="/api/v1/corpora", tags=["corpora"])


@router.get("", summary="The corpora")
async def corpora(request: Request) -> list[CorpusOut]:
    """Those open to you."""
    person = person_of(request)
    return [
        CorpusOut(
            name=served.name,
            recipe=served.edition.library.named,
            generation=served.edition.number,
            documents=len(served.edition.corpus.documents),
            role=person.role,
        )
        for served in bench_of(request).open_to(person).values()
    ]


@router.get("/{corpus}", summary="What a corpus covers")
async def covered(visit: Reading) -> CoverageOut:
    """Documents, pages, tables, dates, databases, and the files with problems."""
    return CoverageOut(
        name=visit.served.name, **await asyncio.to_thread(public_coverage, visit.edition.corpus)
    )
