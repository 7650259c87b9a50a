"""Runs and judgements as other programs exchange them: TREC run and qrels files, and folders laid out as BEIR's.

A TREC run line is `question Q0 item rank score tag`, a qrels line `question 0 item grade`. An item is a document's name or,
of a page, `name#page`; white space, `#` and `%` in names are percent-encoded, since the formats split at blanks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from urllib.parse import quote, unquote

from pincite.corpus import Corpus
from pincite.errors import UsageError
from pincite.lab.experiments.finished_runs import Row, Run
from pincite.lab.scoring.beir_folder import beir_judgements, document_id
from pincite.lab.scoring.measures import relevance
from pincite.records.runfile import FoundPage, document_name, write_lines
from pincite.storage.disk import write

STEP = 1e-6
"""By what share a score falls below an equal one: less would be lost in the single precision of trec_eval."""
SAFE = "/:@!$&'()*+,;=~"
"""What stays as it is in the name of an item, beside letters, digits and `_.-`."""


def item(document: str, page: int = 0) -> str:
    """A document, or a page of it, as one word."""
    name = quote(document, safe=SAFE)
    return f"{name}#{page}" if page else name


def place(word: str) -> tuple[str, int]:
    """(document, page) of an item; page 0 where it is a whole document."""
    name, hash_, page = word.rpartition("#")
    return (unquote(name), int(page)) if hash_ and page.isdigit() else (unquote(word), 0)


def write_run(path: Path, run: Run, level: str = "page") -> None:
    """What a run found as a TREC run file; the ranks are the run's own, and scores fall with them where they did not, since
    trec_eval ranks by score and equal ones by name.
    """
    lines = []
    judged = is_collection(run.golds)
    for key, hits in run.hits.items():
        last, scores = float("inf"), dict[str, float]()
        for hit in hits:
            for word in _ranked(hit, level, judged):
                scores.setdefault(word, hit.score)
        for rank, (word, score) in enumerate(scores.items(), 1):
            last = score if score < last else last - abs(last) * STEP - STEP**2
            told = f"{word} {rank} {last:.9g} {quote(run.name, safe='')}"
            lines.append(f"{quote(key, safe=SAFE)} Q0 {told}\n")
    write(path, "".join(lines))


def is_collection(golds: Mapping[str, Row]) -> bool:
    """Whether questions are judged by documents alone, as in a collection: its documents then go by their own ids."""
    own = ("qrels" in gold and not gold.get("evidence") for gold in golds.values())
    return bool(golds) and all(own)


def _ranked(hit: FoundPage, level: str, collection: bool) -> Iterator[str]:
    if collection:
        yield item(document_id(hit.document))
    elif level == "document" or hit.page:
        yield item(document_name(hit.document), hit.page if level == "page" else 0)


def read_run(path: Path) -> dict[str, list[FoundPage]]:
    """The hits of a TREC run file by question, best score first. Raises UsageError that names a line that is none."""
    found: dict[str, list[tuple[float, int, FoundPage]]] = {}
    for number, parts in _lines(path, 6):
        try:
            document, page = place(parts[2])
            rank, score = int(parts[3]), float(parts[4])
        except ValueError:
            raise UsageError(
                f"{path}, line {number}: rank and score must be numbers, not {parts[3]} and {parts[4]}"
            ) from None
        found.setdefault(unquote(parts[0]), []).append(
            (-score, rank, FoundPage(document, page, score))
        )
    return {
        key: [hit for _, _, hit in sorted(rows, key=lambda each: each[:2])]
        for key, rows in found.items()
    }


def write_qrels(path: Path, golds: Mapping[str, Row], level: str = "page") -> None:
    """The gold pages or documents of questions as a TREC qrels file."""
    lines = []
    collection = is_collection(golds)
    for key, gold in golds.items():
        wanted = relevance(gold, level)
        if collection:
            wanted = {document_id(name): grade for name, grade in gold["qrels"].items()}
        for judged, grade in sorted(wanted.items()):
            word = item(*judged) if isinstance(judged, tuple) else item(str(judged))
            lines.append(f"{quote(key, safe=SAFE)} 0 {word} {grade}\n")
    write(path, "".join(lines))


def read_qrels(path: Path) -> dict[str, Row]:
    """Judgements by question as gold rows, from a TREC qrels file or a BEIR file of query, document and grade."""
    grades: dict[str, dict[tuple[str, int], int]] = {}
    rows = beir_judgements(path) if path.suffix == ".tsv" else _judgements(path)
    for query, word, grade in rows:
        grades.setdefault(unquote(query), {})[place(word)] = grade
    return {key: _gold(judged) for key, judged in grades.items()}


def _judgements(path: Path) -> Iterator[tuple[str, str, int]]:
    """(query, item, grade) of each line of a TREC qrels file."""
    for number, (query, _, word, grade) in _lines(path, 4):
        try:
            yield query, word, int(grade)
        except ValueError:
            raise UsageError(
                f"{path}, line {number}: the grade must be a whole number, not {grade}"
            ) from None


def _gold(judged: Mapping[tuple[str, int], int]) -> Row:
    pages = [
        {"doc_id": document, "page": page}
        for (document, page), grade in judged.items()
        if page and grade > 0
    ]
    return {
        "qrels": {document_name(document): grade for (document, page), grade in judged.items()},
        "evidence": pages,
    }


def run_of(path: Path, qrels: Path) -> Run:
    """A TREC run file with its judgements as a run of the laboratory."""
    golds = read_qrels(qrels)
    if not golds:
        raise UsageError(
            f"{qrels} holds no judgement: lines of `question 0 document grade` are needed"
        )
    return Run(path.stem, golds, hits=read_run(path))


def write_beir(folder: Path, corpus: Corpus, golds: Mapping[str, Row]) -> None:
    """Write the pages of a corpus and the questions that have gold pages as a BEIR folder; a page's id is that of its item."""
    pages = (
        {
            "_id": item(document_name(document.id), node.anchor.page),
            "title": document.title,
            "text": node.text,
        }
        for document in corpus.documents
        for node in corpus.document(document.version).nodes
        if node.kind == "page"
    )
    judged = {key: wanted for key, gold in golds.items() if (wanted := relevance(gold, "page"))}
    queries = ({"_id": key, "text": str(golds[key].get("question") or "")} for key in judged)
    lines = [
        f"{key}\t{item(*page)}\t{grade}\n"
        for key, wanted in judged.items()
        for page, grade in wanted.items()
    ]
    write_lines(folder / "corpus.jsonl", pages)
    write_lines(folder / "queries.jsonl", queries)
    write(folder / "qrels" / "test.tsv", "query-id\tcorpus-id\tscore\n" + "".join(lines))


def _lines(path: Path, count: int) -> Iterator[tuple[int, Sequence[str]]]:
    if not path.is_file():
        raise UsageError(f"no file at {path}")
    for number, line in enumerate(path.read_text(encoding="utf-8-sig").splitlines(), 1):
        parts = line.split()
        if parts and len(parts) != count:
            raise UsageError(
                f"{path}, line {number}: {count} fields are needed, there are {len(parts)}: {line[:80]}"
            )
        if parts:
            yield number, parts
