"""Grids: tables of entities by questions, edited, filled, corrected, saved."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import quote

from fastapi import APIRouter, File, Form, Query, UploadFile
from pydantic import BaseModel, Field
from starlette.responses import Response

from pincite.errors import UsageError
from pincite.serve import templating as views
from pincite.serve.bench import Reading, Reviewing, Visit
from pincite.serve.door.caller_limits import SPEC
from pincite.serve.door.problems import Problem, look_up
from pincite.serve.facets import count_facets
from pincite.serve.pages.files_page import made_file
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
    question_set,
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
    return visit.go(f"jobs/{visit.start('grid', f'Fill grid {name}', order).id}")


async def grid_named(visit: Visit, grid: str) -> Grid:
    """A grid as it is; Problem 404 when there is none."""
    return await look_up(f"grid {grid!r}", load_grid, visit.served.folder, grid)


def fill_again(visit: Visit, grid: Grid, key: str = "") -> Job:
    """Begin to fill what is missing of a grid or may have changed."""
    visit.request.state.on = f"grid {grid.id}"
    return start_filling(visit, grid.spec, spec_to(grid.spec), key)


def start_filling(visit: Visit, spec: Spec, content: dict[str, Any], key: str = "") -> Job:
    """Begin to fill a grid, given by what is asked of what, and by that as JSON."""
    return visit.start("grid", _title_of(spec), {"spec": content}, key)


def _title_of(spec: Spec) -> str:
    return f"Fill grid {spec.title}"


@router.get("/c/{corpus}/grids/{grid}")
async def one(visit: Reading, grid: str) -> Response:
    """A grid with its cells by status."""
    shown = await grid_named(visit, grid)
    moved = sum(cell.moved is not None for line in shown.cells for cell in line)
    wanted = "grid", _title_of(shown.spec)
    jobs = (job for job in visit.bench.jobs.of(visit.served.name) if not job.over)
    filling = next((job for job in jobs if (job.kind, job.title) == wanted), None)
    return views.corpus_page(
        visit, "grid.html", grid=shown, moved=moved, statuses=STATUSES, forms=FORMS, plots=grid_plots(shown),
        filling=filling, types=TYPES,
    )  # fmt: skip


@router.post("/c/{corpus}/grids/{grid}/fill")
async def fill(visit: Reviewing, grid: str) -> Response:
    """Fill it again."""
    fill_again(visit, await grid_named(visit, grid))
    return visit.go(f"grids/{quote(grid)}")


class ColumnForm(BaseModel):
    """What the fields of another column hold."""

    question: Annotated[str, Field(min_length=1, max_length=QUESTION)]
    name: Annotated[str, Field(max_length=400)] = ""
    type: Annotated[str, Field(max_length=20)] = ""
    unit: Annotated[str, Field(max_length=400)] = ""
    period: Annotated[str, Field(max_length=400)] = ""


@router.post("/c/{corpus}/grids/{grid}/columns")
async def add_column(
    visit: Reviewing, grid: str, given: Annotated[ColumnForm, Form()]
) -> Response:
    """Another column: only its cells are asked. Problem 422 for one that cannot be."""
    content = spec_to((await grid_named(visit, grid)).spec)
    column = {key: text.strip() for key, text in given.model_dump().items()}
    content["columns"].append(_column_of(column))
    spec = spec_from(content)
    start_filling(visit, spec, spec_to(spec))
    return visit.go(f"grids/{quote(grid)}")


def _column_of(given: dict[str, Any]) -> dict[str, Any]:
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
    await grid_named(visit, grid)
    await asyncio.to_thread(drop_grid, visit.served.folder, grid)
    return visit.go("grids")


@router.get("/c/{corpus}/grids/{grid}/file")
async def file(
    visit: Reading, grid: str, form: Annotated[str, Query(max_length=10)] = "xlsx"
) -> Response:
    """It as a file to send on; the links in it lead to this server."""
    return await as_file(visit, await grid_named(visit, grid), form)


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

    return await made_file(write, f"grid.{form}", f"{grid.id}.{form}", FORMS[form])


BLANK = 3  # empty columns at the end, to be filled in
ROWS = 100  # rows that a new grid has at most before anybody says which
Lines = Annotated[list[str], Form()]


@dataclass(frozen=True, slots=True)
class GridForm:
    """What the fields of the editor hold: the names of rows one a line, and columns as texts by what they say."""

    title: str = ""
    entity: str = "company"
    rows: str = ""
    columns: Sequence[dict[str, Any]] = ()


@router.get("/c/{corpus}/grids-editor")
async def editor(
    visit: Reviewing,
    grid: Annotated[str, Query(max_length=100)] = "",
    template: Annotated[str, Query(max_length=60)] = "",
    entity: Literal["company", "document"] = "company",
) -> Response:
    """The editor: with the rows and columns of a grid, or a new one of all companies or documents, with the columns of a set."""
    if grid:
        spec = (await grid_named(visit, grid)).spec
        rows = "\n".join(row.name for row in spec.rows)
        form = GridForm(spec.title, spec.entity, rows, spec_to(spec)["columns"])
        return _editor_page(visit, form, grid=grid)
    documents = visit.edition.corpus.documents
    if entity == "document":
        names = [document.id for document in documents[:ROWS]]
    else:
        names = [name for name, _ in count_facets(documents).get("company", [])[:ROWS]]
    form = GridForm(entity=entity, rows="\n".join(names))
    if not template:
        return _editor_page(visit, form)
    chosen = await look_up(f"question set {template!r}", question_set, template)
    form = replace(form, title=chosen.title, columns=chosen.columns)
    if chosen.entity != "company":
        form = replace(form, entity=chosen.entity, rows="")
    return _editor_page(visit, form, template=template)


@router.post("/c/{corpus}/grids-editor")
async def edited(
    visit: Reviewing,
    title: Annotated[str, Form(max_length=400)] = "",
    entity: Annotated[str, Form(max_length=60)] = "company",
    rows: Annotated[str, Form(max_length=400_000)] = "",
    name: Lines = [],  # noqa: B006
    question: Lines = [],  # noqa: B006
    type: Lines = [],  # noqa: B006
    unit: Lines = [],  # noqa: B006
    period: Lines = [],  # noqa: B006
    grid: Annotated[str, Form(max_length=100)] = "",
) -> Response:
    """Fill the grid of the fields: cells whose question is as before keep their answers. What is wrong is told on the page."""
    before = (await grid_named(visit, grid)).spec if grid else None
    keys = "name", "question", "type", "unit", "period"
    lines = zip_longest(name, question, type, unit, period, fillvalue="")
    columns = [dict(zip(keys, map(str.strip, line), strict=True)) for line in lines]
    columns = [column for column in columns if column["name"] or column["question"]]
    form = GridForm(title.strip(), entity.strip(), rows, columns)
    try:
        spec = _spec_of(form, before)
    except UsageError as error:
        return _editor_page(visit, form, grid=grid, wrong=str(error))
    return visit.go(f"jobs/{start_filling(visit, spec, spec_to(spec)).id}")


def _editor_page(
    visit: Visit, form: GridForm, *, grid: str = "", wrong: str = "", template: str = ""
) -> Response:
    return views.corpus_page(
        visit, "grid_editor.html", 422 if wrong else 200, form=form, grid=grid, wrong=wrong, types=TYPES, blank=BLANK,
        sets=question_sets(), template=template,
    )  # fmt: skip


def _spec_of(form: GridForm, before: Spec | None) -> Spec:
    """The grid of a form: rows that there were are looked up where they were, and cells that were given stay so."""
    known = {row["name"]: row for row in spec_to(before)["rows"]} if before else {}
    names = [" ".join(line.split()) for line in form.rows.splitlines() if line.strip()]
    columns = [_column_of(column) for column in form.columns]
    kept = {column["name"] for column in columns}
    given = before.given.items() if before else ()
    return spec_from({
        "title": form.title, "entity": form.entity, "rows": [known.get(name, name) for name in names], "columns": columns,
        "given": [[row, column, text] for (row, column), text in given if row in names and column in kept],
    })  # fmt: skip
