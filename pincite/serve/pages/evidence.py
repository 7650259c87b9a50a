"""Evidence to download: a bundle of an answer, what models cost, the laboratory's reports."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from fastapi import APIRouter
from starlette.responses import FileResponse, Response

from pincite.errors import CorpusError
from pincite.ledger import Ledger
from pincite.models.kit import LEDGER
from pincite.serve import templating as views
from pincite.serve.bench import Reading, Visit
from pincite.serve.door.problems import missing
from pincite.serve.pages.files_page import made
from pincite.storage import is_kept
from pincite.untrusted import inside
from pincite.workbench.bundle import bundle

router = APIRouter(include_in_schema=False)
REPORTS = "reports"
"""The folder of a corpus where reports are looked for."""


@router.post("/c/{corpus}/answers/{answer_id}/bundle")
async def evidence(visit: Reading, answer_id: str) -> Response:
    """A bundle of one answer."""
    return await as_bundle(visit, [answer_id])


async def as_bundle(visit: Visit, answers: list[str]) -> Response:
    """A bundle of answers as a file; Problem 404 when one is not there, UsageError when what they cite has left the corpus."""
    for answer in answers:
        await visit.answer(answer)
    file = await made(
        lambda path: visit.asked(bundle, answers, path),
        "evidence.zip",
        f"evidence-{answers[0]}.zip",
        "application/zip",
    )
    visit.request.state.on = f"answers {', '.join(answers)}"[:400]
    return file


@router.get("/c/{corpus}/cost")
async def cost(visit: Reading) -> Response:
    """What models took, by stage and by model."""
    told = await asyncio.to_thread(_spent, visit.served.folder)
    return views.corpus_page(visit, "cost.html", **told)


def _spent(folder: Path) -> dict[str, Any]:
    ledger = Ledger(folder / LEDGER) if is_kept(folder, LEDGER, "spends") else Ledger()
    return {
        "total": ledger.total(),
        "groups": [(by, ledger.rows(by)) for by in ("model", "stage")],
    }


@router.get("/c/{corpus}/reports")
async def reports(visit: Reading) -> Response:
    """The laboratory's reports that were put beside the corpus."""
    found = sorted(path.name for path in (visit.served.folder / REPORTS).glob("*.html"))
    return views.corpus_page(visit, "reports.html", reports=found)


@router.get("/c/{corpus}/reports/{name}")
async def report(visit: Reading, name: str) -> Response:
    """One of them: it may style itself and draw, and nothing else."""
    try:
        path = inside(visit.served.folder, f"{REPORTS}/{name}")
    except CorpusError:
        raise missing(f"report {name!r}") from None
    if path.name != name or path.suffix != ".html" or not path.is_file():
        raise missing(f"report {name!r}")
    policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"
    return FileResponse(path, media_type="text/html", headers={"Content-Security-Policy": policy})
