"""The editor of grids: a new one, from nothing or from a question set, and the rows and columns of one that there is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Form, Query
from starlette.responses import RedirectResponse, Response

from pincite.errors import UsageError
from pincite.serve import templating as views
from pincite.serve.bench import Reviewing, Visit
from pincite.serve.door.problems import missing
from pincite.serve.facets import counted
from pincite.serve.pages.grids_page import column_of, held, title_of
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
    entity: Literal["company", "document"] = "company",
) -> Response:
    """The editor: with the rows and columns of a grid, or a new one of all companies or documents, with the columns of a set."""
    if grid:
        return _page(visit, _form_of((await held(visit, grid)).spec), grid)
    form = GridForm(entity=entity, rows="\n".join(_subjects(visit, entity)))
    if not template:
        return _page(visit, form)
    try:
        chosen = question_set(template)
    except UsageError as error:
        raise missing(f"question set {template!r}") from error
    form = replace(form, title=chosen.title, columns=chosen.columns)
    if chosen.entity != "company":
        form = replace(form, entity=chosen.entity, rows="")
    return _page(visit, form, template=template)


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
    job = visit.start("grid", title_of(spec), {"spec": spec_to(spec)})
    return RedirectResponse(f"/c/{visit.served.name}/jobs/{job.id}", 303)


def _page(
    visit: Visit,
    form: GridForm,
    grid: str = "",
    wrong: str = "",
    status: int = 200,
    template: str = "",
) -> Response:
    return views.corpus_page(
        visit, "grid_editor.html", status, form=form, grid=grid, wrong=wrong, types=TYPES, blank=BLANK, sets=question_sets(),
        template=template,
    )  # fmt: skip


def _subjects(visit: Visit, entity: str) -> list[str]:
    """The documents, or the companies that they are about."""
    documents = visit.edition.corpus.documents
    if entity == "document":
        return [document.id for document in documents[:ROWS]]
    return [name for name, _ in counted(documents).get("company", [])[:ROWS]]


def _form_of(spec: Spec) -> GridForm:
    rows = "\n".join(row.name for row in spec.rows)
    return GridForm(spec.title, spec.entity, rows, spec_to(spec)["columns"])


def _spec(form: GridForm, before: Spec | None) -> Spec:
    """The grid of a form: rows that there were are looked up where they were, and cells that were given stay so."""
    known = {row["name"]: row for row in spec_to(before)["rows"]} if before else {}
    names = [" ".join(line.split()) for line in form.rows.splitlines() if line.strip()]
    columns = [column_of(column) for column in form.columns]
    kept = {column["name"] for column in columns}
    given = before.given.items() if before else ()
    return spec_from({
        "title": form.title, "entity": form.entity, "rows": [known.get(name, name) for name in names], "columns": columns,
        "given": [[row, column, text] for (row, column), text in given if row in names and column in kept],
    })  # fmt: skip
