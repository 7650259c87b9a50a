"""The editor of grids: a new one, from nothing or from a question set, and the rows and columns of one that there is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Annotated, Any

from fastapi import APIRouter, Form, Query
from starlette.responses import RedirectResponse, Response

from pincite.errors import UsageError
from pincite.serve import templating as views
from pincite.serve.bench import Reviewing, Visit
from pincite.serve.door.problems import missing
from pincite.serve.facets import counted
from pincite.serve.pages.grids_page import held
from pincite.workbench.grid import Spec, question_set, question_sets, spec_from, spec_to
from pincite.workbench.grid.spec import TYPES

router = APIRouter(include_in_schema=False)
BLANK = 3
"""Empty columns at the end, to be filled in."""
ROWS = 100
"""Rows that a new grid has at most before anybody says which."""
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
) -> Response:
    """The editor: with the rows and columns of a grid, with those of a question set, or empty."""
    if grid:
        return _page(visit, _form_of((await held(visit, grid)).spec), grid)
    rows = "\n".join(_subjects(visit))
    if not template:
        return _page(visit, GridForm(rows=rows))
    try:
        chosen = question_set(template)
    except UsageError as error:
        raise missing(f"question set {template!r}") from error
    rows = rows if chosen.entity == "company" else ""
    return _page(visit, GridForm(chosen.title, chosen.entity, rows, chosen.columns))


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
    before = (await held(visit, grid)).spec if grid else None
    keys = "name", "question", "type", "unit", "period"
    lines = zip_longest(name, question, type, unit, period, fillvalue="")
    columns = [dict(zip(keys, map(str.strip, line), strict=True)) for line in lines]
    columns = [column for column in columns if column["name"] or column["question"]]
    form = GridForm(title.strip(), entity.strip(), rows, columns)
    try:
        spec = _spec(form, before)
    except UsageError as error:
        return _page(visit, form, grid, str(error), 422)
    job = visit.start("grid", f"Fill grid {spec.title}", {"spec": spec_to(spec)})
    return RedirectResponse(f"/c/{visit.served.name}/jobs/{job.id}", 303)


def _page(
    visit: Visit, form: GridForm, grid: str = "", wrong: str = "", status: int = 200
) -> Response:
    return views.corpus_page(
        visit, "grid_editor.html", status, form=form, grid=grid, wrong=wrong, types=TYPES, blank=BLANK, sets=question_sets(),
    )  # fmt: skip


def _subjects(visit: Visit) -> list[str]:
    """The companies that the documents are about."""
    found = counted(visit.edition.corpus.documents).get("company", [])
    return [name for name, _ in found[:ROWS]]


def _form_of(spec: Spec) -> GridForm:
    rows = "\n".join(row.name for row in spec.rows)
    return GridForm(spec.title, spec.entity, rows, spec_to(spec)["columns"])


def _spec(form: GridForm, before: Spec | None) -> Spec:
    """The grid of a form: rows that there were are looked up where they were, and cells that were given stay so."""
    known = {row["name"]: row for row in spec_to(before)["rows"]} if before else {}
    names = [" ".join(line.split()) for line in form.rows.splitlines() if line.strip()]
    columns = [_column(column) for column in form.columns]
    kept = {column["name"] for column in columns}
    given = before.given.items() if before else ()
    return spec_from({
        "title": form.title, "entity": form.entity, "rows": [known.get(name, name) for name in names], "columns": columns,
        "given": [[row, column, text] for (row, column), text in given if row in names and column in kept],
    })  # fmt: skip


def _column(given: dict[str, Any]) -> dict[str, Any]:
    """A column as a spec says it; several periods with commas between make several columns."""
    made = {key: value for key, value in given.items() if value and key != "period"}
    made.setdefault("name", given["question"])
    periods = [part.strip() for part in given["period"].split(",") if part.strip()]
    if len(periods) > 1:
        return {**made, "periods": periods}
    return {**made, "period": periods[0]} if periods else made
