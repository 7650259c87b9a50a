"""Real windows and their vectors, as the default recipe's dense index holds them; every step goes on where it was stopped.

python -m benchmarks.scale.real_windows OUT FOLDER... [--most N] [--known CORPUS...]

OUT/real.corpus holds the documents; OUT/real/texts.jsonl a row for every part of a window of 200 words that the encoder reads
at once, with its document, in an order drawn once; OUT/real/vectors-*.npy the vectors of the first rows, BLOCK in a file.
"""

from __future__ import annotations

import argparse
import json
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pincite.corpus import read_document
from pincite.corpus.writer import writing
from pincite.index.dense import Dense
from pincite.index.document_views import Windows
from pincite.index.lexical import Lexical
from pincite.index.shelf import Shelf
from pincite.indexing import index
from pincite.indexing.shelves import encoder_name, text_hash
from pincite.ingest.ocr.ocr_settings import OcrSettings
from pincite.models.encoder import MiniLM

BLOCK = 1000
KINDS = ("pdf", "txt", "html")


def documents(out: Path, folders: list[Path]) -> None:
    """Parse every document of the folders without OCR; nothing is encoded."""
    files = [
        path for kind in KINDS for folder in folders for path in sorted(folder.rglob(f"*.{kind}"))
    ]
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


def stored(corpora: list[Path]) -> dict[str, bytes]:
    """Vectors that other corpora hold, by the hash of their text."""
    encoder, made = MiniLM(), dict[str, bytes]()
    for folder in corpora:
        with closing(sqlite3.connect(f"file:{folder / 'corpus.sqlite'}?mode=ro", uri=True)) as db:
            query = "select text_hash, vector from vectors where encoder = ?"
            made.update(db.execute(query, (encoder_name(encoder),)))
    return made


def encode(out: Path, most: int, known: dict[str, bytes]) -> None:
    """Encode the first `most` rows, block by block; those whose vectors are known come first."""
    place = out / "real" / "texts.jsonl"
    lines = place.read_text().splitlines(keepends=True)
    if known and not any(place.parent.glob("vectors-*.npy")):
        lines.sort(key=lambda line: text_hash(json.loads(line)[1]) not in known)
        place.write_text("".join(lines))
    texts = [json.loads(line)[1] for line in lines][:most]
    for start in range(0, len(texts), BLOCK):
        place = out / "real" / f"vectors-{start:07}.npy"
        if place.is_file():
            continue
        started = time.perf_counter()
        made = vectors(texts[start : start + BLOCK], known)
        with place.with_suffix(".half").open("wb") as half:
            np.save(half, made)
        place.with_suffix(".half").rename(place)
        seconds = time.perf_counter() - started
        print(f"{start + len(made)} of {len(texts)}: {seconds:.0f} s", flush=True)


def vectors(texts: list[str], known: dict[str, bytes]) -> NDArray[np.float16]:
    """The vectors of texts, encoded where they are not known."""
    hashes = [text_hash(text) for text in texts]
    missing = [at for at, digest in enumerate(hashes) if digest not in known]
    made = np.zeros((len(texts), MiniLM.dims), np.float16)
    made[missing] = MiniLM().encode([texts[at] for at in missing])
    for at, digest in enumerate(hashes):
        if digest in known:
            made[at] = np.frombuffer(known[digest], "<f2")
    return made


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path)
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--most", type=int, default=1_000_000)
    parser.add_argument("--known", type=Path, nargs="*", default=[], help="corpora with vectors")
    given = parser.parse_args()
    if given.folders:
        documents(given.out, given.folders)
    print(f"{rows(given.out)} real rows", flush=True)
    known = stored(given.known)
    print(f"{len(known)} vectors are known", flush=True)
    encode(given.out, given.most, known)


if __name__ == "__main__":
    main()
