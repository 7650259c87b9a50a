"""What is downloaded: pages as pictures, sources, tables, bundles of answers, reports; and what models cost."""

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

from pincite.errors import CorpusError
from pincite.models.kit import LEDGER
from pincite.serve import templating as views
from pincite.serve.bench import Reading, Visit
from pincite.serve.door.problems import missing
from pincite.serve.processes.drawn_pages import SCALES
from pincite.serve.table_view import as_csv
from pincite.storage import is_kept
from pincite.storage.ledger import Ledger
from pincite.untrusted import inside
from pincite.workbench.bundle import bundle

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
    documents = await asyncio.to_thread(lambda: visit.edition.corpus.documents)
    if scale not in SCALES or all(document.source != source for document in documents):
        raise missing(f"such picture of {source[:12]}")
    path = await asyncio.to_thread(visit.edition.corpus.source, source)
    drawn = await visit.bench.pictures.draw(path, source, page, scale)
    return Response(drawn.png, media_type="image/png", headers=_FOREVER)


@router.get("/c/{corpus}/documents/{key}/file")
async def original(visit: Reading, key: str, download: bool = False) -> Response:
    """The source as it was indexed. Only PDF and pictures open in the browser; everything else is saved."""
    document = visit.edition.by_key.get(key)
    if document is None or document.relation:
        raise missing(f"document {key!r}")
    path = await asyncio.to_thread(visit.edition.corpus.source, document.source)
    return file_response(path, FilePath(document.id).name, download)


_OPENED = {
    ".pdf": "application/pdf", ".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".webp": "image/webp",
}  # fmt: skip


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
    found = await asyncio.to_thread(visit.edition.corpus.nodes, [node])
    if not found or found[0].table is None:
        raise missing(f"table {node!r}")
    return text_file(as_csv(found[0].table), f"table-{node[:12]}.csv")


def text_file(text: str, name: str, media: str = "text/csv; charset=utf-8") -> Response:
    """A text as a file to save, by default CSV."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type=media, headers=headers)


async def made_file(
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


REPORTS = "reports"  # the folder of a corpus where reports are looked for


@router.post("/c/{corpus}/answers/{answer_id}/bundle")
async def evidence(visit: Reading, answer_id: str) -> Response:
    """A bundle of one answer."""
    return await as_bundle(visit, [answer_id])


async def as_bundle(visit: Visit, answers: list[str]) -> Response:
    """A bundle of answers as a file; Problem 404 when one is not there, UsageError when what they cite has left the corpus."""
    for answer in answers:
        await visit.answer(answer)
    called = f"evidence-{answers[0]}.zip"
    file = await made_file(
        lambda path: visit.asked(bundle, answers, path), "evidence.zip", called, "application/zip"
    )
    visit.request.state.on = f"answers {', '.join(answers)}"[:400]
    return file


@router.get("/c/{corpus}/cost")
async def cost(visit: Reading) -> Response:
    """What models took, by stage and by model."""
    return await asyncio.to_thread(_cost_page, visit)


def _cost_page(visit: Visit) -> Response:
    folder = visit.served.folder
    ledger = Ledger(folder / LEDGER) if is_kept(folder, LEDGER, "spends") else Ledger()
    groups = [(by, ledger.rows(by)) for by in ("model", "stage")]
    return views.corpus_page(visit, "cost.html", total=ledger.total(), groups=groups)


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
