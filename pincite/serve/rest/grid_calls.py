"""Grids and feedback."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Path, Query
from starlette.responses import Response

from pincite.records.review import review_to, reviews
from pincite.serve.bench import Reading, Reviewing
from pincite.serve.pages.grids_page import FORMS, as_file, fill_again, grid_named, start_filling
from pincite.serve.pages.review_page import keep_review
from pincite.serve.rest import rest_forms as forms
from pincite.serve.rest.job_calls import job_out
from pincite.workbench.grid import drop_grid, grid_to, grids, spec_from

router = APIRouter(prefix="/api/v1/corpora/{corpus}", tags=["grids and reviews"])
Named = Annotated[str, Path(max_length=200, description="The id of a grid.")]
FILES = forms.file_reply(" ".join(media.partition(";")[0] for media in FORMS.values()))


@router.get("/grids", summary="The grids")
async def listed(visit: Reading) -> list[forms.GridListed]:
    """Those that were begun."""
    found = await asyncio.to_thread(grids, visit.served.folder)
    return [forms.GridListed.model_validate(each, from_attributes=True) for each in found]


@router.post("/grids", status_code=202, summary="Fill a grid")
async def begin(visit: Reviewing, given: forms.GridIn, once: forms.Once = "") -> forms.JobOut:
    """Begin to fill a grid; the same title again goes on with it, and answers only what may have changed."""
    content = given.model_dump()
    spec = await asyncio.to_thread(spec_from, content)
    return job_out(start_filling(visit, spec, content, once))


@router.get("/grids/{grid}", summary="A grid")
async def one(visit: Reading, grid: Named) -> forms.GridOut:
    """Its cells row by row, with reviews in force."""
    return forms.GridOut.model_validate(grid_to(await grid_named(visit, grid)))


@router.post("/grids/{grid}/fill", status_code=202, summary="Fill a grid again")
async def again(visit: Reviewing, grid: Named, once: forms.Once = "") -> forms.JobOut:
    """Answer what is missing or may have changed."""
    return job_out(fill_again(visit, await grid_named(visit, grid), once))


@router.delete("/grids/{grid}", status_code=204, summary="Forget a grid", response_class=Response)
async def forget(visit: Reviewing, grid: Named) -> Response:
    """Reviews of its cells stay."""
    await grid_named(visit, grid)
    await asyncio.to_thread(drop_grid, visit.served.folder, grid)
    return Response(status_code=204)


@router.get(
    "/grids/{grid}/file", summary="A grid as a file", response_class=Response, responses=FILES
)
async def file(
    visit: Reading, grid: Named, form: Annotated[str, Query(max_length=10)] = "xlsx"
) -> Response:
    """XLSX, CSV, JSON or Parquet."""
    return await as_file(visit, await grid_named(visit, grid), form)


@router.post("/feedback", status_code=201, summary="Accept, correct, comment")
async def feedback(visit: Reviewing, given: forms.FeedbackIn) -> forms.ReviewOut:
    """Say of an answer that it is right, or what is right instead and where that stands."""
    return forms.ReviewOut.model_validate(review_to(await keep_review(visit, given)))


@router.get("/feedback", summary="What reviewers said")
async def said(
    visit: Reading, limit: forms.Limit = 100, cursor: forms.Cursor = ""
) -> forms.ReviewsOut:
    """The oldest first."""
    some, after = forms.paged(await asyncio.to_thread(reviews, visit.served.folder), cursor, limit)
    return forms.ReviewsOut(
        items=[forms.ReviewOut.model_validate(review_to(review)) for review in some], next=after
    )
