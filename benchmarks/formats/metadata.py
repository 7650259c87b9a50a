"""What a metadata file does for questions over reports: pages found and answers, without it and with it.

`--bare` leaves only the metadata file for routing: covers and file names of documents route no question.
Run: python benchmarks/formats/metadata.py .measure/reports-seen/corpus [--bare]
"""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import pincite.search.named_documents as named
from benchmarks.measuring import answer_key as answerkey
from pincite.corpus import Corpus
from pincite.library import Library, index
from pincite.records.answer_record import record
from pincite.records.runfile import read_lines, record_of
from pincite.search.document_routing import Catalogue
from pincite.settings import Settings

QUESTIONS = Path(__file__).parents[1] / "questions"
PAGES = 8


def main() -> None:
    """Print one line of figures without the metadata file and one with it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "corpus", type=Path, help="a corpus of the reports; it is copied and stays as it is"
    )
    parser.add_argument("--bare", action="store_true")
    options = parser.parse_args()
    if options.bare:
        named.catalogue = _bare
    for told in (None, QUESTIONS / "reports_seen_metadata.csv"):
        with tempfile.TemporaryDirectory() as folder:
            corpus = Path(shutil.copytree(options.corpus, Path(folder) / "corpus"))
            if told is not None:
                index([one.path for one in Corpus(corpus).files()], corpus, metadata=told)
            print(
                json.dumps({"metadata": told is not None, **figures(Library(corpus, Settings()))}),
                flush=True,
            )


@lru_cache(maxsize=4)
def _bare(corpus: Corpus) -> Catalogue:
    """The documents renamed to numbers, with the metadata of the file only."""
    documents = enumerate(corpus.documents)
    return Catalogue.of(
        [replace(one, id=f"{at}.pdf", title="", meta=dict(one.declared)) for at, one in documents]
    )


def figures(library: Library) -> dict[str, str]:
    """Questions with a page of their evidence among the first, answers shown, right ones, and refusals of the unanswerable."""
    rows = read_lines(QUESTIONS / "reports_seen.jsonl")
    queries = [library.query(row["question"]) for row in rows]
    hits = right = shown = refused = 0
    for row, found, answer in zip(
        rows, library.search_many(queries, PAGES), library.answer_many(queries), strict=True
    ):
        evidence = {(one["file"], page) for one in row["evidence"] for page in one["pages"]}
        hits += any((hit.document, hit.page) in evidence for hit in found)
        right += bool(evidence) and answerkey.right(record_of(record(answer, "")), row)
        shown += answer.value is not None
        refused += not evidence and answer.value is None
    answerable = sum(bool(row["evidence"]) for row in rows)
    return {
        f"hit@{PAGES}": f"{hits} of {answerable}", "right": f"{right} of {answerable}", "shown": f"{shown} of {len(rows)}",
        "refused": f"{refused} of {len(rows) - answerable}",
    }  # fmt: skip


if __name__ == "__main__":
    main()
