"""Grids: tables of entities by questions, filled, corrected, saved."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Awaitable
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, File, Form, Query, UploadFile
from starlette.responses import RedirectResponse, Response

from pincite.errors import UsageError
from pincite.serve import templating as views
from pincite.serve.bench import Reading, Reviewing, Visit
from pincite.serve.door.caller_limits import SPEC
from pincite.serve.door.problems import Problem, missing
from pincite.serve.pages.files_page import made
from pincite.serve.processes.jobs import Job
from pincite.serve.uploads import safe_name
from pincite.serve.value_plots import grid_plots
from pincite.types import QUESTION
from pincite.workbench.grid import (
    STATUSES,
    Filled,
    Grid,
    Spec,
    drop_grid,
    grids,
    load_grid,
    question_sets,
    spec_from,
    spec_to,
    write_grid,
)
from pincite.workbench.grid.spec import TYPES

router = APIRouter(include_in_schema=False)
FORMS = {
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "csv": "text/csv; charset=utf-8",
    "json": "application/json", "parquet": "application/vnd.apache.parquet",
}  # fmt: skip
SPECS = (".yaml", ".yml", ".csv", ".xlsx", ".json")


@router.get("/c/{corpus}/grids")
async def listed(visit: Reading) -> Response:
    """Those there are, and how a new one is made."""
    held = await asyncio.to_thread(grids, visit.served.folder)
    return views.corpus_page(visit, "grids.html", grids=held, sets=question_sets())


@router.post("/c/{corpus}/grids")
async def begin(visit: Reviewing, spec: Annotated[UploadFile, File()]) -> Response:
    """Fill a grid from a file that says what is asked of what."""
    name = safe_name(spec.filename or "")
    content = await spec.read(SPEC + 1)
    if not name.lower().endswith(SPECS):
        raise Problem(415, f"{name} is not a grid spec: its name must end in {', '.join(SPECS)}")
    if len(content) > SPEC:
        raise Problem(413, f"{name} exceeds the limit of {SPEC // 2**20} MB for a spec")
    order = {"name": name, "content": base64.b64encode(content).decode()}
    job = visit.start("grid", f"Fill grid {name}", order)
    return RedirectResponse(f"/c/{visit.served.name}/jobs/{job.id}", 303)


async def held(visit: Visit, grid: str) -> Grid:
    """A grid as it is; Problem 404 when there is none."""
    try:
        return await asyncio.to_thread(load_grid, visit.served.folder, grid)
    except UsageError as error:
        raise missing(f"grid {grid!r}") from error


def fill_again(visit: Visit, grid: Grid, key: str = "") -> Job:
    """Begin to fill what is missing of a grid or may have changed."""
    visit.request.state.on = f"grid {grid.id}"
    return visit.start("grid", title_of(grid.spec), {"spec": spec_to(grid.spec)}, key)


def title_of(spec: Spec) -> str:
    """What the job is called that fills a grid."""
    return f"Fill grid {spec.title}"


@router.get("/c/{corpus}/grids/{grid}")
async def one(visit: Reading, grid: str) -> Response:
    """A grid with its cells by status."""
    found = await held(visit, grid)
    moved = sum(cell.moved is not None for line in found.cells for cell in line)
    jobs = (job for job in visit.bench.jobs.of(visit.served.name) if not job.over)
    filling = next(
        (job for job in jobs if (job.kind, job.title) == ("grid", title_of(found.spec))), None
    )
    return views.corpus_page(
        visit, "grid.html", grid=found, moved=moved, statuses=STATUSES, forms=FORMS, plots=grid_plots(found), filling=filling,
        types=TYPES,
    )  # fmt: skip


@router.post("/c/{corpus}/grids/{grid}/fill")
async def fill(visit: Reviewing, grid: str) -> Response:
    """Fill it again."""
    fill_again(visit, await held(visit, grid))
    return RedirectResponse(f"/c/{visit.served.name}/grids/{quote(grid)}", 303)


@router.post("/c/{corpus}/grids/{grid}/columns")
async def add_column(
    visit: Reviewing,
    grid: str,
    question: Annotated[str, Form(max_length=QUESTION)],
    name: Annotated[str, Form(max_length=400)] = "",
    type: Annotated[str, Form(max_length=20)] = "",
    unit: Annotated[str, Form(max_length=400)] = "",
    period: Annotated[str, Form(max_length=400)] = "",
) -> Response:
    """Another column: only its cells are asked. Problem 422 for one that cannot be."""
    content = spec_to((await held(visit, grid)).spec)
    given = {"name": name, "question": question, "type": type, "unit": unit, "period": period}
    content["columns"].append(column_of({key: text.strip() for key, text in given.items()}))
    spec = spec_from(content)
    visit.start("grid", title_of(spec), {"spec": spec_to(spec)})
    return RedirectResponse(f"/c/{visit.served.name}/grids/{quote(grid)}", 303)


def column_of(given: dict[str, Any]) -> dict[str, Any]:
    """A column of the texts of a form, as a spec says it; several periods with commas between make several columns."""
    made = {key: value for key, value in given.items() if value and key != "period"}
    made.setdefault("name", given["question"])
    periods = [part.strip() for part in given["period"].split(",") if part.strip()]
    if len(periods) > 1:
        return {**made, "periods": periods}
    return {**made, "period": periods[0]} if periods else made


@router.post("/c/{corpus}/grids/{grid}/delete")
async def delete(visit: Reviewing, grid: str) -> Response:
    """Forget it; reviews of its cells stay."""
    await held(visit, grid)
    await asyncio.to_thread(drop_grid, visit.served.folder, grid)
    return RedirectResponse(f"/c/{visit.served.name}/grids", 303)


@router.get("/c/{corpus}/grids/{grid}/file")
async def file(
    visit: Reading, grid: str, form: Annotated[str, Query(max_length=10)] = "xlsx"
) -> Response:
    """It as a file to send on; the links in it lead to this server."""
    return await as_file(visit, await held(visit, grid), form)


async def as_file(visit: Visit, grid: Grid, form: str) -> Response:
    """A grid as a file of one of FORMS."""
    if form not in FORMS:
        raise Problem(422, f"form: must be one of {', '.join(FORMS)}")
    start = str(visit.request.base_url).rstrip("/") + f"/c/{visit.served.name}"

    def link(cell: Filled) -> str:
        if cell.answer is None or not cell.answer.citations:
            return ""
        return f"{start}/answers/{cell.answer_id}?cite={views.segment(cell.answer.citations[0].label)}#proof"

    def write(path: Path) -> Awaitable[None]:
        return asyncio.to_thread(write_grid, grid, path, link)

    return await made(write, f"grid.{form}", f"{grid.id}.{form}", FORMS[form])
