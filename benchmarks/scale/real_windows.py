"""Real windows and their vectors, as the default recipe's dense index holds them; every step goes on where it was stopped.

python -m benchmarks.scale.real_windows OUT FOLDER... [--most N]    FOLDERs of documents

OUT/real.corpus holds the documents; OUT/real/texts.jsonl a row for every part of a window of 200 words that the encoder reads
at once, with its document, in an order drawn once; OUT/real/vectors-*.npy the vectors of the first rows, BLOCK in a file.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import numpy as np

from pincite.corpus import read_document
from pincite.corpus.writer import writing
from pincite.index.dense import Dense
from pincite.index.document_views import Windows
from pincite.index.lexical import Lexical
from pincite.index.shelf import Shelf
from pincite.indexing import index
from pincite.ingest.ocr.ocr_settings import OcrSettings
from pincite.models.encoder import MiniLM

BLOCK = 1000


def documents(out: Path, folders: list[Path]) -> None:
    """Parse every document of the folders without OCR; nothing is encoded."""
    files = [path for folder in folders for path in sorted(folder.rglob("*.pdf"))]
    files += [path for folder in folders for path in sorted(folder.rglob("*.txt"))]
    summary = index(
        files,
        out / "real.corpus",
        (Shelf(Lexical(), (Windows(200, 50),)),),
        ocr_settings=OcrSettings(mode="off"),
    )
    print(f"{len(files)} files, {summary.pages} pages parsed in {summary.seconds:.0f} s")


def rows(out: Path) -> int:
    """Write the rows of all documents in an order drawn once; returns how many."""
    texts = out / "real" / "texts.jsonl"
    if not texts.is_file():
        dense, made = Dense(MiniLM()), []
        with writing(out / "real.corpus") as writer:
            versions = sorted({file.version for file in writer.files().values() if file.version})
            for number, version in enumerate(versions):
                entries = dense.cut(Windows(200, 50)(read_document(writer.db, version)))
                made += [(number, entry.text) for entry in entries]
        texts.parent.mkdir(parents=True, exist_ok=True)
        half = texts.with_suffix(".half")
        order = np.random.default_rng(0).permutation(len(made))
        half.write_text("".join(json.dumps(made[at]) + "\n" for at in order))
        half.rename(texts)
    with texts.open() as file:
        return sum(1 for _ in file)


def encode(out: Path, most: int) -> None:
    """Encode the first `most` rows, block by block."""
    with (out / "real" / "texts.jsonl").open() as file:
        texts = [json.loads(line)[1] for line in file][:most]
    encoder = MiniLM()
    for start in range(0, len(texts), BLOCK):
        place = out / "real" / f"vectors-{start:07}.npy"
        if place.is_file():
            continue
        started = time.perf_counter()
        made = encoder.encode(texts[start : start + BLOCK])
        with place.with_suffix(".half").open("wb") as half:
            np.save(half, made.astype(np.float16))
        place.with_suffix(".half").rename(place)
        print(
            f"{start + len(made)} of {len(texts)}: {time.perf_counter() - started:.0f} s",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path)
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--most", type=int, default=1_000_000)
    given = parser.parse_args()
    documents(given.out, given.folders)
    print(f"{rows(given.out)} real rows", flush=True)
    encode(given.out, given.most)


if __name__ == "__main__":
    main()
