"""Put kept answers and their evidence into a bundle."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

from pincite import __version__
from pincite.corpus import Corpus
from pincite.errors import CorpusError, SourceError, UsageError
from pincite.evidence.framed_page import frame, packed
from pincite.evidence.gathering import with_tables
from pincite.formats.encoding import answer_to, node_to
from pincite.records.answer_record import record
from pincite.records.answer_store import answer_id, citation_id, recall_answer
from pincite.records.review import review_to, reviews
from pincite.storage.disk import write
from pincite.types import Answer, Citation
from pincite.workbench.bundle.bundle_archive import pack, read_key, text
from pincite.workbench.bundle.bundle_page import ShownAnswer, page_of
from pincite.workbench.library import Library


@dataclass(frozen=True, slots=True)
class Bundled:
    """A bundle that was made: its digest, how many answers and members it has, and in words what could not be put into it."""

    path: Path
    digest: str
    answers: int
    members: int
    skipped: tuple[str, ...]
    signed: bool = False


def bundle(
    library: Library,
    ids: Sequence[str],
    out: Path,
    tick: Callable[[int, int], None] = lambda done, total: None,
    sources: bool = False,
) -> Bundled:
    """Write a bundle of kept answers, by their ids or those of their citations, to `out`.

    With `sources` the files that are cited go into it whole, so that whoever checks it can read and draw them again. It is signed
    where the settings name a key.
    Without a model each question is asked again to record how it is answered; `skipped` says where that gives another answer now,
    which pages could not be drawn, and which answers were left out because what they cite has left the corpus and could not be
    read again. Raises UsageError when an id names no kept answer, or none is left.
    """
    if not ids:
        raise UsageError("name at least one answer: `pincite ask` prints their ids")
    chosen = list(dict.fromkeys(identity.partition(".")[0] for identity in ids))
    corpus, key = library.corpus, read_key(library.settings.bundle_key)
    asked = {identity: recall_answer(corpus.folder, identity) for identity in chosen}
    nodes = _nodes(corpus, asked.values())
    answers: dict[str, Answer] = {}
    skipped: list[str] = []
    for identity, answer in asked.items():
        if all(place.node in nodes for place in cited(answer) if place.node):
            answers[identity] = answer
        else:
            why = "left out, because a place that it cites has left the corpus: ask again"
            skipped.append(f"{identity}: {why}")
    if not answers:
        raise UsageError(f"nothing is left to put into a bundle: {'; '.join(skipped)}")
    members = {"nodes.json": text(_nodes(corpus, answers.values()))}
    shown: list[ShownAnswer] = []
    for done, (identity, answer) in enumerate(answers.items(), 1):
        shown.append(_pack_answer(library, identity, answer, members, skipped))
        tick(done, len(answers))
    facts = {
        "made_by": f"pincite {__version__}", "answers": list(answers), "sources": _sources(corpus, answers.values()),
        "tables": _tables(corpus, answers.values()), "drawn_by": drawn_by(),
    }  # fmt: skip
    for sha in facts["sources"] if sources else ():
        try:
            path = corpus.source(sha)
            members[f"sources/{path.name}"] = path.read_bytes()
        except CorpusError as error:
            skipped.append(f"{sha[:12]}: its file is not in the bundle: {error}")
    members["index.html"] = page_of(shown, facts).encode()
    body, digest = pack(members, facts, key)
    write(out, body)
    return Bundled(out, digest, len(answers), len(members) + 1, tuple(skipped), bool(key))


def _pack_answer(
    library: Library, identity: str, answer: Answer, members: dict[str, bytes], skipped: list[str]
) -> ShownAnswer:
    """Add an answer to the members of a bundle: its record and reviews, its trace, its statements and its pages."""
    pages = {}
    for citation in answer.citations:
        name = citation_id(identity, citation)
        if not citation.anchor.page:
            continue
        try:
            drawn = frame(library.corpus, citation)
        except (CorpusError, SourceError) as error:
            skipped.append(f"{name}: no page image: {error}")
            continue
        pages[citation.label] = f"pages/{name}.png"
        members[f"pages/{name}.png"] = packed(drawn)
    said = [review_to(review) for review in reviews(library.corpus.folder, answer=identity)]
    told = {"answer": answer_to(answer), "record": record(answer, identity), "reviews": said}
    members[f"answers/{identity}.json"] = text({"id": identity, **told})
    members[f"trace/{identity}.json"] = text(_trace(library, answer, identity, skipped))
    if statements := statements_text(answer):
        members[f"statements/{identity}.sql"] = statements
    return ShownAnswer(identity, answer, pages, tuple(said))


def cited(answer: Answer) -> tuple[Citation, ...]:
    """What an answer and its alternatives cite."""
    return (*answer.citations, *(place for other in answer.others for place in other.citations))


def statements_text(answer: Answer) -> bytes:
    """The statements of an answer as a member of a bundle; nothing where there are none."""
    statements = "\n\n".join(statements_of(answer))
    return f"{statements}\n".encode() if statements else b""


def statements_of(answer: Answer) -> list[str]:
    """The statements that databases were asked for an answer, each once."""
    from pincite.database.statements.pins import read_pin

    found = [answer.reading.statement] if answer.reading is not None else []
    pins = (read_pin(citation.anchor.sql) for citation in answer.citations if citation.anchor.sql)
    found += [pin.statement for pin in pins if pin is not None]
    return list(dict.fromkeys(filter(None, found)))


def _trace(library: Library, answer: Answer, identity: str, skipped: list[str]) -> dict[str, Any]:
    """How the question is answered, stage by stage: asked again, which costs nothing without a model."""
    made: dict[str, Any] = {"answer": identity, "recipe": library.spelling}
    made["read"] = list(answer.read)
    if library.kit.large is not None:
        return made | {"spans": None, "why": "answered with a model: not asked again"}
    outcome = library.outcome(answer.query)
    again = outcome.answer
    same = replace(again, claims=()) == replace(answer, claims=())
    if again.value != answer.value:
        skipped.append(
            f"{identity}: asked again, the answer is now {again.text or 'N/A'}; the trace is of that"
        )
    spans = [
        {
            "stage": span.stage, "given": span.given, "made": span.made, "seconds": round(span.seconds, 4),
            "notes": list(span.notes),
        }
        for span in outcome.trace
    ]  # fmt: skip
    return made | {"answer_now": answer_id(again), "same": same, "spans": spans}


def _nodes(corpus: Corpus, answers: Any) -> dict[str, Any]:
    """What is cited and what was read beside it, as the check sees it."""
    said = [other for answer in answers for other in (answer, *answer.others)]
    wanted = {node for review in said for node in review.read}
    wanted |= {place.node for review in said for place in review.citations}
    return {node.id: node_to(node) for node in with_tables(corpus, corpus.nodes(sorted(wanted)))}


def _sources(corpus: Corpus, answers: Any) -> dict[str, Any]:
    """By its sha256 each cited source: the document's id, the files of that content, and how it was read."""
    files: dict[str, list[str]] = {}
    for file in corpus.files():
        files.setdefault(file.sha, []).append(Path(file.path).name)
    made: dict[str, Any] = {}
    for place in (place for answer in answers for place in cited(answer) if place.anchor.source):
        sha = place.anchor.source
        made[sha] = {"document": place.document, "files": files.get(sha, [])}
        read = [each for each in corpus.documents if each.source == sha and not each.relation]
        for held in read[:1]:  # how it was read, so that it can be read again
            made[sha] |= {"version": held.version, "name": corpus.stored(held.version).id}
    return made


def drawn_by() -> str:
    """What draws pages here: another one may draw a page a little differently."""
    return f"pypdfium2 {version('pypdfium2')}, pillow {version('pillow')}"


def _tables(corpus: Corpus, answers: Any) -> dict[str, str]:
    """By its id each cited table of a database, with the digest of the rows that were indexed of it."""
    asked = {place.document for answer in answers for place in cited(answer) if place.anchor.sql}
    return {relation.id: relation.version for relation in corpus.relations if relation.id in asked}
