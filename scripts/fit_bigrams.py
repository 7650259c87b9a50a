"""How letters follow each other in written words: the table by which `ingest/ocr/legibility.py` judges a page's text.

Counted over the words that the shipped tokenizer contains as wholes, which are the most frequent words of its training
text, including names from many languages. `python scripts/fit_bigrams.py` prints the file `pincite/data/bigrams.json`.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from pincite.ingest.ocr.legibility import SHORTEST, coded

DATA = Path(__file__).parent.parent / "pincite" / "data"


def main() -> None:
    """Print the table: 27 x 27 mean costs in hundredths of a natural logarithm, the first row and column for a word's ends."""
    vocabulary = json.loads((DATA / "minilm" / "tokenizer.json").read_text(encoding="utf-8"))[
        "model"
    ]["vocab"]
    words = [one for one in vocabulary if one.isascii() and one.isalpha() and len(one) >= SHORTEST]
    counts = np.full((27, 27), 0.5)
    for word in words:
        codes = coded(word)
        np.add.at(counts, (codes[:-1], codes[1:]), 1)
    costs = -np.log(counts / counts.sum(axis=1, keepdims=True))
    print(json.dumps(np.round(100 * costs).astype(int).tolist(), separators=(",", ":")))


if __name__ == "__main__":
    main()
