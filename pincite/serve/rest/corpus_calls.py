"""Which corpora there are and what they cover."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter, Request

from pincite.serve.bench import Reading, bench_of, person_of
from pincite.serve.rest.rest_forms import CorpusOut, CoverageOut
from pincite.workbench.coverage import coverage

router = APIRouter(prefix="/api/v1/corpora", tags=["corpora"])


@router.get("", summary="The corpora")
async def corpora(request: Request) -> list[CorpusOut]:
    """Those open to you."""
    person = person_of(request)
    return [
        CorpusOut(
            name=served.name,
            generation=served.edition.number,
            documents=len(served.edition.corpus.documents),
            role=person.role,
        )
        for served in bench_of(request).corpora.values()
        if person.may("reader", served.name)
    ]


def _only(told: Mapping[str, Any], *names: str) -> dict[str, Any]:
    return {name: told[name] for name in names}


@router.get("/{corpus}", summary="What a corpus covers")
async def covered(visit: Reading) -> CoverageOut:
    """Documents, pages, tables, dates, databases, and the files with problems."""
    told: dict[str, Any] = await asyncio.to_thread(coverage, visit.edition.corpus)
    del told["files"]  # they name folders of the server
    told["problems"] = [_only(problem, "document", "status", "reason") for problem in told["problems"]]
    told["databases"] = [_only(database, "name", "tables", "rows") for database in told["databases"]]
    return CoverageOut(name=visit.served.name, **told)
