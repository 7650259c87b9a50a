"""Enrichment: a model describes every page, table and figure of a corpus once, offline, so that it is found.

After EnrichIndex (Chen et al., 2025): purpose, summary and question-answer pairs of pages and tables, those of databases too.
Further kinds are tables of documents put into sentences by subject, as the winner of the Enterprise RAG Challenge did, and
figures described by a model that sees, as KohakuRAG does. Every text is kept as soon as it arrives, so that a killed run
resumes where it stopped. A later run asks only about what is new; nothing is asked about what has left the corpus.
"""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from decimal import Decimal
from functools import lru_cache
from itertools import chain, product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pincite.corpus import Corpus
from pincite.errors import BudgetSpent, ModelError, PinciteError, ReplyInvalid, UsageError
from pincite.generate import prompts
from pincite.models.loop import wait_all
from pincite.ports import Kit, Model, Prompt
from pincite.search.index.document_views import ALL, ObjectKind, headed, object_kind
from pincite.search.index.table_samples import lines_of, sampled
from pincite.search.index.told_texts import TELLINGS, Store, Telling, nodes_told
from pincite.storage.ledger import Meter, Price, Spend, about, metered
from pincite.types import Document, Node, Usage

if TYPE_CHECKING:
    from pydantic import BaseModel

PAIRS = 20
"""Question-answer pairs kept of one page or table."""
AT_ONCE = 64
"""Things told of at a time; the endpoint's limits may let fewer requests through."""
GIVEN_UP = 5
"""So many things in a row that no usable reply came for end a run: the endpoint is away, and asking on would only take time."""
_PIECE = 8000  # characters of a page in one piece of context: what does not fit the model's window is dropped by pieces
_ROWS = 40  # rows of a table put into sentences by one request
_SIDE = 1200.0  # pixels of a picture's longer side
MARKS = 3
"""A picture at the same place of so many pages of a document is no figure of one of them."""
_PICTURE_TOKENS = 1500  # of a picture in an estimate, which draws none
_USUAL = {"purpose": 120, "summary": 150, "qa": 900, "tables": 900, "captions": 150}
"""Tokens that a reply of a kind usually has, for estimates."""
_OBJECTS: Mapping[Telling, tuple[ObjectKind, ...]] = {
    "purpose": ALL, "summary": ALL, "qa": ALL, "tables": ("table",),
}  # fmt: skip
"""What each kind is told of; captions are told of figures."""

Progress = Callable[[int, int, Spend], None]
"""Told of after each thing: how many are done, of how many, and what was spent so far."""


@dataclass(frozen=True, slots=True)
class TellingJob:
    """One thing to be told of one node."""

    version: str
    node: str
    kind: Telling


@dataclass(frozen=True, slots=True)
class EnrichmentEstimate:
    """What enrichment with one kind would take: things there are and still to be asked about, tokens and money.

    `output` and `cost` are what replies usually have; `most` is the most it can cost if every request succeeds at once.
    """

    kind: Telling
    model: str
    objects: int
    todo: int
    input: int = 0
    output: int = 0
    cost: Decimal = Decimal(0)
    most: Decimal = Decimal(0)


@dataclass(frozen=True, slots=True)
class Enriched:
    """What a run did: how many things it told of by kind, how many of these hold nothing, had been told before or failed.

    `failed` are (document, page, kind, why); they are asked about again by the next run. `stopped` is why the run ended
    early, if it did.
    """

    told: Mapping[str, int] = field(default_factory=dict)
    empty: int = 0
    before: int = 0
    failed: tuple[tuple[str, int, str, str], ...] = ()
    spent: Spend = Spend()
    stopped: ModelError | None = None


def tellers(kit: Kit, kinds: Sequence[str], role: str = "small") -> dict[Telling, Model]:
    """The model for each kind: that of `role`, and the one that sees for figures.

    Raises UsageError for a kind that there is not, ModelMissing when the kit lacks a model.
    """
    unknown = [kind for kind in kinds if kind not in TELLINGS]
    if unknown or not kinds:
        named = ", ".join(unknown) or "nothing"
        raise UsageError(
            f"{named} is not something to describe: choose from {', '.join(TELLINGS)}"
        )
    chosen = [kind for kind in TELLINGS if kind in kinds]
    return {kind: kit.model("vision" if kind == "captions" else role) for kind in chosen}  # type: ignore[arg-type]


def estimate(folder: Path | str, models: Mapping[Telling, Model]) -> list[EnrichmentEstimate]:
    """What `enrich` would ask for, by kind. Tokens are a quarter of the bytes; nothing is asked and nothing written."""
    with closing(Corpus(folder)) as corpus:
        there, todo = _jobs(corpus, models)
        made = []
        for kind, model in models.items():
            mine = [job for job in todo if job.kind == kind]
            prompted = _with_prompts(corpus, mine, draw=False)
            asked = list(chain.from_iterable(given for _, _, given in prompted))
            read, most = sum(map(_tokens, asked)), sum(prompt.max_tokens for prompt in asked)
            usual = min(_USUAL[kind] * len(asked), most)
            price = getattr(model, "price", None) or Price()
            costs = (price.of(Usage(read, written)) for written in (usual, most))
            counts = there[kind], len(mine), read, usual
            made.append(EnrichmentEstimate(kind, model.name, *counts, *costs))
    return made


def enrich(
    folder: Path | str,
    models: Mapping[Telling, Model],
    *,
    run: str = "enrich",
    progress: Progress | None = None,
) -> Enriched:
    """Have each kind told by its model of all that has not been told of, and keep it beside the corpus.

    Requests are booked as offline, under `run`. A thing that fails is reported and does not stop the rest; money that runs
    out, or an endpoint that stays away, ends the run early with all that came kept. Searching finds it after the next
    `pincite index` of a recipe with told views.
    """
    with closing(Corpus(folder)) as corpus, closing(Store(folder)) as store:
        there, todo = _jobs(corpus, models)
        with about(run=run, offline=True), metered("Enrich") as meter:
            work = _Work(corpus, store, models, meter, len(todo), progress)
            jobs = _with_prompts(corpus, todo)
            wait_all(work.through(jobs) for _ in range(min(AT_ONCE, len(todo))))
        before, failed = sum(there.values()) - len(todo), tuple(work.failed)
        return Enriched(dict(work.told), work.empty, before, failed, meter.total, work.stopped)


Prompted = tuple[TellingJob, Node | PinciteError, list[Prompt]]


@dataclass(slots=True)
class _Work:
    """One run at work; all of it happens on the loop's thread."""

    corpus: Corpus
    store: Store
    models: Mapping[Telling, Model]
    meter: Meter
    total: int
    progress: Progress | None
    told: Counter[str] = field(default_factory=Counter)
    empty: int = 0
    failed: list[tuple[str, int, str, str]] = field(default_factory=list)
    in_a_row: int = 0
    stopped: ModelError | None = None

    async def through(self, jobs: Iterator[Prompted]) -> None:
        """Take one job after the other until there is none, or the run is stopped."""
        for job, node, asked in jobs:
            if isinstance(node, PinciteError):
                self._note_failure(job, 0, node)
            else:
                await self._tell_one(job, node, asked)
            if self.progress:
                done = self.told.total() + len(self.failed)
                self.progress(done, self.total, self.meter.total)
            if self.stopped:
                return

    async def _tell_one(self, job: TellingJob, node: Node, asked: Sequence[Prompt]) -> None:
        model = self.models[job.kind]
        pieces: list[str] = []
        try:
            with metered(f"Enrich {job.kind}"):
                for prompt in asked:
                    pieces += _texts_told((await model.complete(prompt, _form(job.kind))).value)
        except BudgetSpent as error:
            # what the others have under way is paid for: they end by themselves
            self.stopped = error
        except ModelError as error:
            self._note_failure(job, node.anchor.page, error)
            self.in_a_row += not isinstance(error, ReplyInvalid)
            if self.in_a_row >= GIVEN_UP:
                self.stopped = error
        else:
            self.in_a_row = 0
            made_by = model.name, prompts.TELLING_REVISION
            self.store.put(node.id, job.version, job.kind, *made_by, pieces)
            self.told[job.kind] += 1
            self.empty += not pieces

    def _note_failure(self, job: TellingJob, page: int, error: PinciteError) -> None:
        self.failed.append((self.corpus.by_version[job.version].id, page, job.kind, str(error)))


# ---- what is asked about


def _jobs(
    corpus: Corpus, models: Mapping[Telling, Model]
) -> tuple[Counter[str], list[TellingJob]]:
    """How many things there are of each kind, and which of them this kind's model has not told of."""
    revision = prompts.TELLING_REVISION
    known = {kind: nodes_told(corpus.folder, kind, models[kind].name, revision) for kind in models}
    there: Counter[str] = Counter()
    todo = []
    for version in (document.version for document in corpus.documents):
        nodes = _to_describe(corpus, version).nodes
        marks = _repeated_figures(nodes) if "captions" in models else frozenset()
        for node, kind in product(nodes, models):
            if _is_object(node, kind) and node.id not in marks:
                there[kind] += 1
                if (version, node.id) not in known[kind]:
                    todo.append(TellingJob(version, node.id, kind))
    return there, todo


def _to_describe(corpus: Corpus, version: str) -> Document:
    """A document with the nodes that may be told of; of a table of a database the table alone, not its rows."""
    if corpus.by_version[version].relation:
        return corpus.part(version, corpus.tables(version))
    return corpus.document(version)


def _is_object(node: Node, kind: Telling) -> bool:
    if kind == "captions":
        return node.kind == "figure" and any(box for _, box in node.anchor.spots)
    named = object_kind(node)
    return named in _OBJECTS[kind] and (named != "page" or any(map(str.isalnum, node.text)))


def _repeated_figures(nodes: Sequence[Node]) -> frozenset[str]:
    """The figures without a caption that stand at the same place of MARKS pages or more, as logos do."""
    captioned = {node.parent for node in nodes if node.kind == "caption"}
    places: dict[tuple[int, ...], list[str]] = {}
    for node in nodes:
        if node.kind == "figure" and node.id not in captioned:
            for _, box in node.anchor.spots:
                places.setdefault(tuple(map(round, box or ())), []).append(node.id)
    return frozenset(chain.from_iterable(ids for ids in places.values() if len(ids) >= MARKS))


def _with_prompts(
    corpus: Corpus, jobs: Sequence[TellingJob], draw: bool = True
) -> Iterator[Prompted]:
    """Each job with its node and prompts, or with why there are none; one document is read at a time."""
    version, document, nodes = "", Document("", ""), dict[str, Node]()
    for job in jobs:
        if job.version != version:
            version, document = job.version, _to_describe(corpus, job.version)
            nodes = {node.id: node for node in document.nodes}
        node = nodes[job.node]
        try:
            yield job, node, list(_prompts_of(corpus, document, node, job.kind, draw))
        except PinciteError as error:
            yield job, error, []


def _prompts_of(
    corpus: Corpus, document: Document, node: Node, kind: Telling, draw: bool
) -> Iterator[Prompt]:
    where = headed(document, (node.anchor.path,))
    if kind == "captions":
        beside = (other for other in document.nodes if other.parent == node.id)
        said = [other.text for other in beside if other.kind in ("caption", "ocr")]
        picture = _draw_figure(corpus, node) if draw else b"\0"
        yield prompts.telling(kind, "figure", said, where, picture)
    elif kind == "tables":  # a long one in parts, each under the names and columns
        head, body = lines_of(document, node)
        for at in range(0, max(len(body), 1), _ROWS):
            part = "\n".join((*head, *body[at : at + _ROWS]))
            yield prompts.telling(kind, "table", [part], node.anchor.path)
    elif node.kind == "table":
        yield prompts.telling(kind, "table", [sampled(document, node)], node.anchor.path)
    else:
        yield prompts.telling(kind, "page", _cut_text(node.text), where)


def _cut_text(text: str) -> list[str]:
    """A text in pieces of about _PIECE characters, between lines or words where there are any."""
    pieces = []
    while len(text) > _PIECE:
        ends = (text.rfind(sign, _PIECE // 2, _PIECE) for sign in "\n ")
        at = next((end for end in ends if end > 0), _PIECE)
        pieces.append(text[:at])
        text = text[at:].lstrip()
    return [*pieces, text]


def _draw_figure(corpus: Corpus, node: Node) -> bytes:
    """The PNG of a figure, cut out of its page. Raises SourceError when the page cannot be drawn."""
    page, box = next((page, box) for page, box in node.anchor.spots if box)
    image, scale = _draw_page(corpus.source(node.anchor.source), page)
    x0, top, x1, bottom = (int(edge * scale) for edge in box)
    cut = image.crop((x0, top, max(x1, x0 + 1), max(bottom, top + 1)))
    cut.thumbnail((_SIDE, _SIDE))
    held = io.BytesIO()
    cut.save(held, "PNG")
    return held.getvalue()


@lru_cache(maxsize=2)
def _draw_page(path: Path, page: int) -> tuple[Any, float]:
    # several figures of one page follow each other
    from pincite.ingest.document_parser import draw

    return draw(path, page, scale=2.0), 2.0


def _tokens(prompt: Prompt) -> int:
    said = (prompt.system, prompt.question, *prompt.context)
    return sum(-(-len(text.encode()) // 4) for text in said) + _PICTURE_TOKENS * len(prompt.images)


# ---- replies


def _form(kind: Telling) -> type[BaseModel]:
    from pincite.models import forms

    made: Mapping[str, type[BaseModel]] = {"qa": forms.QuestionsForm, "tables": forms.FactsForm}
    return made.get(kind, forms.ToldForm)


def _texts_told(value: Any) -> list[str]:
    """What a filled form says, a text for each thing; nothing for N/A."""
    from pincite.models.forms import NA, FactsForm, QuestionsForm

    if isinstance(value, QuestionsForm):
        pairs = ((pair.question.strip(), pair.answer.strip()) for pair in value.pairs[:PAIRS])
        given = [" ".join(pair).strip() for pair in pairs]
    elif isinstance(value, FactsForm):
        facts = ((block.subject.strip(), block.information.strip()) for block in value.blocks)
        given = [f"{subject}: {fact}" for subject, fact in facts if fact]
    else:
        given = [] if value.text == NA else [" ".join(value.text.split())]
    return list(dict.fromkeys(filter(None, given)))
