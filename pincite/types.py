"""The data types of Pincite: frozen, slotted values that every layer shares.

Three texts are kept apart on purpose: what is matched (`Entry.text`), what is cited (`Node.anchor`) and what a reader
is shown (an ancestor of the node). Provenance lives in the node from parse to citation.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Literal

Box = tuple[float, float, float, float]
"""x0, top, x1, bottom in PDF points, origin at the top left of the page as it is displayed."""

Kind = Literal[
    "document", "section", "page", "heading", "paragraph", "sentence", "list", "caption", "footnote",
    "table", "row", "figure", "equation", "ocr",
]  # fmt: skip
Expects = Literal["number", "boolean", "name", "names", "text"]
Verdict = Literal["supported", "computed", "unsupported", "contradicted"]
Stands = Literal["", "superseded", "newer", "contradicts"]
Where = tuple[tuple[str, tuple[str, ...]], ...]
"""Filters: every field must hold one of its values, case-folded. `document` is a field like any other."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """Where something stands in its source.

    `source` is the sha256 of the file; `spots` are (1-based physical page, box or None) pairs in reading order, one per
    line of text or one for the whole region; `cells` are (row, column) pairs of the table at that place; `path` is the
    place in the format's own terms (sheet!cell, slide, heading); `sql` a statement and row key.
    """

    source: str
    spots: tuple[tuple[int, Box | None], ...] = ()
    cells: tuple[tuple[int, int], ...] = ()
    path: str = ""
    sql: str = ""

    @property
    def page(self) -> int:
        """The first page, 1-based; 0 when the source has no pages."""
        return self.spots[0][0] if self.spots else 0


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of a table; `row` and `column` are 0-based and name its top left grid position.

    `page` is that on which it stands where the table goes on from there, 0 for the table's own. `marks` are those of
    footnotes that stand behind its text and are no part of it ("1", "a", "*").
    """

    row: int
    column: int
    text: str
    row_span: int = 1
    column_span: int = 1
    box: Box | None = None
    page: int = 0
    marks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Table:
    """A table as a grid of cells, with what its numbers mean bound to it.

    The first `header_rows` rows are column headers (stacked and merged ones included), the first `header_columns`
    columns are row headers. `scale` is the factor that the caption or header declares ("in millions" is 1000000) and
    does not hold for rows or columns that match `unscaled` ("except per share" gives "per share"). `unit` is the unit
    so declared ("EUR", "%", "t CO2e"), empty when none is. `comma` says that decimals stand behind a comma.
    """

    cells: tuple[Cell, ...]
    header_rows: int = 1
    header_columns: int = 1
    caption: str = ""
    scale: Decimal = Decimal(1)
    unit: str = ""
    unscaled: str = ""
    page: int = 0
    box: Box | None = None
    comma: bool = False


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Node:
    """One place of a document in its tree: what can be cited.

    `text` is the node's own text, `parent` the id of the node above ("" for the root), `order` its position in reading
    order. A table node carries its `table`. A paragraph's anchor has one spot per line and `meta["starts"]` gives the
    offset in `text` at which each of these lines begins.
    """

    id: str
    kind: Kind
    text: str
    anchor: Anchor
    parent: str = ""
    order: int = 0
    table: Table | None = None
    meta: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Document:
    """One version of one source, as a tree of nodes in reading order (the root first)."""

    id: str
    version: str
    title: str = ""
    series: str = ""
    date: str = ""
    language: str = ""
    meta: Mapping[str, str] = field(default_factory=dict)
    nodes: tuple[Node, ...] = ()


@dataclass(frozen=True, slots=True)
class Entry:
    """One indexable text about one node, as one view saw it; `at` numbers the windows of a node.

    `children` are nodes whose vectors a dense index averages into this entry's, which is then not encoded itself. `languages`
    are the codes of those its text is written in; () is English, or not told.
    """

    node: str
    view: str
    text: str
    at: int = 0
    children: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()


QUESTION = 2_000
"""Characters of the longest question: patterns read it, and readers weigh all of it against all that a page says."""


@dataclass(frozen=True, slots=True)
class Query:
    """A question: filters honoured inside the index, the type of answer expected, and how it may be answered.

    `derived` says whether code may compute the value, `silence` whether a yes/no question on which the text is silent is
    answered N/A or no. `refines` are the question that this one narrows and the follow-ups that narrow it, as they were asked.
    `as_of` is the date ("2019", "2019-05-01") whose editions answer, the newest when empty; `without` are the documents that
    are not asked because another edition answers in their place. `corrections` says whether what a reviewer said is right may
    answer: a question that measures the system ignores it.
    """

    text: str
    where: Where = ()
    expects: Expects | None = None
    unit: str = ""
    derived: Literal["allow", "forbid"] = "allow"
    silence: Literal["na", "no"] = "na"
    refines: tuple[str, ...] = ()
    as_of: str = ""
    without: tuple[str, ...] = ()
    corrections: Literal["use", "ignore"] = "use"


@dataclass(frozen=True, slots=True)
class Plan:
    """A question and the queries that answer it."""

    question: Query
    queries: tuple[Query, ...]


@dataclass(frozen=True, slots=True)
class Hit:
    """A node that was found; `parts` keeps (view, rank, score) of each search that found it."""

    node: str
    score: float
    at: int = 0
    parts: tuple[tuple[str, int, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Ranking:
    """What was found for a query, best first, each (node, at) at most once."""

    query: Query
    hits: tuple[Hit, ...]


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number as people write it.

    `value` keeps the sign and the digits as written ("(4,521)" is -4521, "0.10" keeps two decimals); `scale` is the
    factor of a scale word or of the table's caption; what is meant is `amount` = value x scale in `unit` ("" when
    bare). A range has `low` and `high` (in the same scale) and its middle as `value`. `period` is the time it holds
    for, as written.
    """

    value: Decimal
    unit: str = ""
    scale: Decimal = Decimal(1)
    low: Decimal | None = None
    high: Decimal | None = None
    approximate: bool = False
    period: str = ""
    text: str = ""

    @property
    def amount(self) -> Decimal:
        """The value with its scale applied."""
        return self.value * self.scale

    @property
    def ends(self) -> tuple[Decimal, ...]:
        """Both ends of a range, else the value alone, without the scale."""
        return (self.value,) if self.low is None or self.high is None else (self.low, self.high)


Value = Quantity | bool | str | tuple["Value", ...] | Table | None
"""What an answer holds; None is N/A, with its reason beside it."""


@dataclass(frozen=True, slots=True)
class Citation:
    """A pinpoint: it carries its quote and the hash of its source, so it opens even when the index has moved on."""

    label: str
    node: str
    anchor: Anchor
    quote: str
    document: str = ""


@dataclass(frozen=True, slots=True)
class Possible:
    """A value that was near and is not the answer given, the first place it was read at and the chance that it is right."""

    value: Value
    citation: Citation | None
    confidence: float


@dataclass(frozen=True, slots=True)
class Claim:
    """One thing an answer says, and what it rests on.

    `subject` and `period` say what the value is of and when (for a cell: its row header; its column header or year), as
    the question means it. A computed claim names the `operation` (of `quantity.arithmetic.OPERATIONS`) over the
    values at its citations, in order.
    """

    text: str
    value: Value
    citations: tuple[str, ...] = ()
    subject: str = ""
    period: str = ""
    operation: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """How a question was taken to ask a database, so that a reader can judge it.

    `statement` can be run as it stands, `meaning` says it in words; `mapping` are (words of the question, what they were
    taken for) pairs, `unmapped` the words that could be taken for nothing. `date` is that of the rows, as far as they say.
    """

    database: str
    statement: str
    meaning: str = ""
    mapping: tuple[tuple[str, str], ...] = ()
    unmapped: tuple[str, ...] = ()
    date: str = ""


@dataclass(frozen=True, slots=True)
class Draft:
    """What a reader says, before any of it is checked; `read` are the ids of the nodes it was shown.

    `parts` are (name, draft) of the questions that it was put together from, each with its own question; the claim made of
    all of them is the last one. `reading` says how a database was asked, where one was. `model_explanation` is what a model
    says of how it came to its reply, in short: its own words, which nothing checks. `alternatives` are what its reader would say
    instead, the likeliest first.
    """

    query: Query
    text: str
    value: Value
    claims: tuple[Claim, ...] = ()
    citations: tuple[Citation, ...] = ()
    read: tuple[str, ...] = ()
    confidence: float = 0.0
    reason: str = ""
    possible: tuple[Possible, ...] = ()
    parts: tuple[tuple[str, Draft], ...] = ()
    reading: Reading | None = None
    model_explanation: str = ""
    alternatives: tuple[Draft, ...] = ()


@dataclass(frozen=True, slots=True)
class Check:
    """The two verdicts on one claim: whether it stands where it is cited and, in words, how that was found; and the chance
    that the place `answers` the question, None where that was not judged (rows of databases, metrics by their formula).

    The `remedy` of a claim that is not shown says what a model that made it should write instead; it is not stored.
    """

    claim: str
    verdict: Verdict
    citation: str
    how: str
    answers: float | None = None
    remedy: str = field(default="", compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Correction:
    """What a reviewer said is right instead of an answer to the same question: the id of the review, who made it and when
    (ISO 8601, UTC), how its place was read again, and the reviewer's note. `unused` says why it does not answer; "" when it does.
    """

    review: str
    by: str
    at: str
    how: str = ""
    note: str = ""
    unused: str = ""

    @property
    def said(self) -> str:
        """What a reader must know of it, on one line."""
        who = f"by the reviewer {self.by} on {self.at[:10]}"
        if self.unused:
            return f"a correction {who} is not used: {self.unused}"
        return f"corrected {who}: {'; '.join(part for part in (self.how, self.note) if part)}"


@dataclass(frozen=True, slots=True)
class Answer:
    """A checked answer. `value` None is N/A and `reason` says why.

    `confidence` is the chance in [0, 1] that the value is right; of an N/A, that its best possible answer is.
    `reading` says how a database was asked, where one was. `others` are checked answers to the same question from the other
    kind of source, rows beside documents, that say the same or something else; `date` is then that of the newest document
    cited, or of the rows. One from another edition or document `stands` beside the answer as superseded by it, newer than it
    or contradicting it, and its `reason` says so. `claims` are what the checks were made of, in their order, so that they
    can be made again. `corrected` is the reviewer's correction that it is, or that it is given in spite of.
    `model_explanation` is as in Draft: it is shown beside the checks and is no part of them.
    """

    query: Query
    text: str
    value: Value
    citations: tuple[Citation, ...] = ()
    checks: tuple[Check, ...] = ()
    confidence: float = 0.0
    reason: str = ""
    possible: tuple[Possible, ...] = ()
    read: tuple[str, ...] = ()
    reading: Reading | None = None
    others: tuple[Answer, ...] = ()
    date: str = ""
    claims: tuple[Claim, ...] = ()
    stands: Stands = ""
    corrected: Correction | None = None
    model_explanation: str = ""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one or more calls; `cached` are those of `input` that the endpoint had in its own prompt cache."""

    input: int = 0
    output: int = 0
    cached: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.input + other.input, self.output + other.output, self.cached + other.cached
        )


@dataclass(frozen=True, slots=True)
class Span:
    """One stage at work: its spelling, what went in and came out in short, the seconds it took, and what it spent on models.

    `notes` are what the stage has to say about how it went ("context shrunk from 10 to 6 pages").
    """

    stage: str
    given: str
    made: str
    seconds: float
    usage: Usage = Usage()
    cost: Decimal = Decimal(0)
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """A question's whole run: what was found, what was answered, what it took."""

    ranking: Ranking | None
    answer: Answer
    trace: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class Example:
    """A question with its gold: value, evidence as (document, page) pairs, and whatever a metric needs in `meta`."""

    id: str
    query: Query
    value: Any = None
    evidence: tuple[tuple[str, int], ...] = ()
    meta: Mapping[str, Any] = field(default_factory=dict)
