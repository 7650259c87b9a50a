"""What goes in and comes out of the REST interface; pages of lists, keys that make a request happen once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, TypeVar

from fastapi import Header, Path, Query
from pydantic import BaseModel, ConfigDict, Field

from pincite.records.review.review_log import Action
from pincite.serve.door.caller_limits import BATCH, NOTE, QUESTION
from pincite.serve.door.problems import Problem
from pincite.serve.processes.jobs import State
from pincite.serve.processes.question_pool import AskedQuestion
from pincite.types import Expects, Verdict, Where

Text = Annotated[str, Field(min_length=1, max_length=QUESTION)]
Short = Annotated[str, Field(max_length=400)]
Unit = Annotated[str, Field(max_length=60)]
Edge = Annotated[float, Field(ge=0, le=20_000)]
Filters = Annotated[
    dict[Short, Annotated[list[Short], Field(min_length=1, max_length=1000)]], Field(max_length=20)
]


class In(BaseModel):
    """What comes in: nothing but what is declared."""

    model_config = ConfigDict(extra="forbid")


class Out(BaseModel):
    """What comes out: what is declared, and perhaps more."""

    model_config = ConfigDict(extra="allow")


def filters(where: Mapping[str, Sequence[str]]) -> Where:
    """A filter as a query has it."""
    return tuple((name, tuple(values)) for name, values in where.items())


class AskIn(In):
    """A question. `where` maps fields of the documents' metadata, `document` among them, to the values that they may have."""

    question: Text
    expects: Expects | None = None
    unit: Unit = ""
    where: Filters = {}
    as_of: Annotated[
        str, Field(max_length=10, description="A date whose editions answer: 2019, 2019-05-01.")
    ] = ""
    explain: bool = False

    def asked(self) -> AskedQuestion:
        """The question as it is asked."""
        return AskedQuestion(
            self.question, filters(self.where), self.expects, self.unit, self.as_of
        )


class CitationOut(Out):
    """Where something stands: `page` is 1-based, 0 where there is none; `box` is x0, top, x1, bottom in points."""

    id: str
    document: str
    page: int
    place: str
    box: list[float] | None
    cells: list[list[int]]
    quote: str


class CheckOut(Out):
    """A claim, what reading its place again showed, and the chance that the place answers the question (null: not judged)."""

    claim: str
    verdict: Verdict
    citation: str
    how: str
    answers: float | None


class PossibleOut(Out):
    """A value that was near and is not the answer, the chance that it is right, and its place (null: not known)."""

    value: Any
    unit: str
    confidence: float
    citation: CitationOut | None


class AnswerOut(Out):
    """A checked answer: a number, [low, high], text, a list, true, false, a table with columns and rows, or null for N/A.

    `headline` says it as pages do: without a value the likeliest one that is to be checked, where there is one.
    `model_explanation` are a model's own words on its reply, which were not checked; "" where no model answered.
    """

    id: str
    answer_id: str
    question: str
    value: Any
    unit: str
    text: str
    headline: str
    refused: bool
    reason: str
    confidence: float
    citations: list[CitationOut]
    checks: list[CheckOut]
    possible: list[PossibleOut]
    model_explanation: str = ""


class CorpusOut(Out):
    """A corpus: its name, the recipe that answers, the generation that is served, and your role."""

    name: str
    recipe: str
    generation: int
    documents: int
    role: str


class CoverageOut(Out):
    """What a corpus covers."""

    name: str
    generation: int
    published: str
    documents: int
    pages: int
    tables: int
    dates: list[str]


class FoundOut(Out):
    """A page that was found, best first; `key` names its document in addresses."""

    document: str
    key: str
    page: int
    score: float
    node: str
    kind: str
    place: str


class SearchOut(Out):
    """The pages found for a query, best first."""

    items: list[FoundOut]


class DocumentOut(Out):
    """A document of the corpus."""

    key: str
    document: str
    title: str
    source: str
    date: str
    pages: int
    tables: int
    metadata: dict[str, str]


class EditIn(In):
    """What is known of a document from now on; "" takes an edit back, and what is left out stays as it is."""

    title: Short = ""
    company: Short = ""
    kind: Short = ""
    year: Annotated[str, Field(pattern=r"^(\d{4})?$")] = ""


class DocumentsOut(Out):
    """Documents in the order of their names; `next` is the `cursor` of those that follow, null at the end."""

    items: list[DocumentOut]
    next: str | None


class NodeOut(Out):
    """A place of a page: `spots` are its boxes with their page."""

    id: str
    kind: str
    text: str
    spots: list[Any]


class PageOut(Out):
    """One page as text: its places in reading order."""

    document: str
    page: int
    nodes: list[NodeOut]


class TableOut(Out):
    """A table as a grid: each cell [row, column, text, row span, column span, box]."""

    node: str
    page: int
    caption: str
    scale: str
    unit: str
    headers: list[int]
    cells: list[Any]


class TablesOut(Out):
    """The tables of a document in reading order."""

    items: list[TableOut]
    next: str | None


class BatchQuestion(In):
    """One question of a batch; `documents`, `companies` and `where` narrow it."""

    id: Annotated[str, Field(min_length=1, max_length=200)]
    text: Text
    documents: Annotated[list[Short], Field(max_length=1000)] = []
    companies: Annotated[list[Short], Field(max_length=100)] = []
    kind: Expects | Literal[""] = ""
    unit: Unit = ""
    as_of: Annotated[str, Field(max_length=10)] = ""
    where: Filters = {}


class BatchIn(In):
    """Many questions, each with an id of its own."""

    questions: Annotated[list[BatchQuestion], Field(min_length=1, max_length=BATCH)]


class ReadFileOut(Out):
    """How many pages of a file were read, and whether it was read to its end."""

    pages: int
    read: bool


class JobOut(Out):
    """Something under way or over: `done` of `total` of its `phase`, then its `result` or `error`."""

    id: str
    kind: str
    title: str
    by: str
    at: str
    state: State
    phase: str
    done: float
    total: float
    note: str
    files: dict[str, ReadFileOut]
    ended: str
    error: str
    result: dict[str, Any]


class JobsOut(Out):
    """Jobs, the latest first; `next` is the `cursor` of those that follow, null at the end."""

    items: list[JobOut]
    next: str | None


class PlaceIn(In):
    """Where a correction stands: a cell of a table by its node, row and column, a box on a page of the document `key`, or a
    place that the answer or one of its possible answers cites, by its `label`.
    """

    label: Annotated[str, Field(max_length=60)] = ""
    node: Annotated[str, Field(max_length=64)] = ""
    row: Annotated[int, Field(ge=0, le=10**7)] = 0
    column: Annotated[int, Field(ge=0, le=10**5)] = 0
    key: Annotated[str, Field(max_length=16)] = ""
    page: Annotated[int, Field(ge=0, le=10**6)] = 0
    box: Annotated[list[Edge], Field(min_length=4, max_length=4)] | None = None


class FeedbackIn(In):
    """What a reviewer says of an answer. `value` is what is right, as one would write it: "1,234.5 million USD", "yes", "N/A"."""

    answer_id: Annotated[str, Field(pattern="^[0-9a-f]{6,32}$")]
    action: Action
    value: Annotated[str, Field(max_length=NOTE)] = ""
    unit: Unit = ""
    note: Annotated[str, Field(max_length=NOTE)] = ""
    topic: Annotated[
        str, Field(max_length=16, pattern="^[0-9a-f]*$", description="`topic` of a grid's cell.")
    ] = ""
    place: PlaceIn | None = None


class ReviewOut(Out):
    """What someone said of an answer, and when."""

    id: str
    topic: str
    answer_id: str
    action: Action
    by: str
    at: str
    question: str
    note: str


class ReviewsOut(Out):
    """Reviews, the oldest first; `next` is the `cursor` of those that follow, null at the end."""

    items: list[ReviewOut]
    next: str | None


class GridIn(In):
    """What is asked of what, as in a grid's YAML: see the documentation of `pincite grid`."""

    title: Annotated[str, Field(min_length=1, max_length=200)]
    entity: Annotated[str, Field(max_length=100)] = "company"
    rows: Annotated[list[str | dict[str, Any]], Field(min_length=1, max_length=10_000)]
    columns: Annotated[list[dict[str, Any]], Field(min_length=1, max_length=1_000)]


class GridListed(Out):
    """A grid: when it was last filled, and whether that run came to its end."""

    id: str
    title: str
    rows: int
    columns: int
    at: str
    finished: bool


class GridOut(Out):
    """A grid: how many cells have each status, and the cells row by row."""

    id: str
    title: str
    at: str
    run: int
    counts: dict[str, int]
    cells: list[list[dict[str, Any]]]


Item = TypeVar("Item")
Limit = Annotated[
    int, Query(ge=1, le=500, description="The maximum number of items in one reply.")
]
_NEXT = "`next` of the previous reply; leave it out for the first."
Cursor = Annotated[str, Query(max_length=20, pattern="^[0-9]*$", description=_NEXT)]
_AGAIN = "Repeating a key returns the same job instead of a new one."
Once = Annotated[str, Header(alias="Idempotency-Key", max_length=200, description=_AGAIN)]
Key = Annotated[str, Path(pattern="^[0-9a-f]{16}$", description="The `key` of a document.")]
Identity = Annotated[str, Path(pattern="^[0-9a-f]{6,32}$")]


def reply(media: str, schema: dict[str, Any], description: str) -> dict[int | str, dict[str, Any]]:
    """What the description of the interface says of a reply of a type of media, or of one of several with blanks between."""
    content = {each: {"schema": schema} for each in media.split()}
    return {200: {"content": content, "description": description}}


def file_reply(media: str, description: str = "The file.") -> dict[int | str, dict[str, Any]]:
    """The same of a reply that is a file."""
    return reply(media, {"type": "string", "format": "binary"}, description)


def paged(items: Sequence[Item], cursor: str, limit: int) -> tuple[Sequence[Item], str | None]:
    """The items from a cursor on, and the cursor of those that follow. Problem 422 for a cursor beyond the end."""
    start = int(cursor or 0)
    if start > len(items):
        raise Problem(422, "cursor: it points past the last item; start without it")
    stop = start + limit
    return items[start:stop], str(stop) if stop < len(items) else None
