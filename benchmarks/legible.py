"""Pages whose letters are exchanged at random: how many are found out, and how many real ones are flagged.

    python benchmarks/legible.py CORPUS... [--seed 0]

Every page of a corpus with sixty pairs of letters or more counts once as it is and once with its letters exchanged.
"""

from __future__ import annotations

import argparse
import random
import string
from pathlib import Path

from pincite.corpus import Corpus
from pincite.ingest.legible import ENOUGH, _cost, illegible


def main() -> None:
    """Print one line for each corpus."""
    given = argparse.ArgumentParser()
    given.add_argument("corpora", nargs="+", type=Path)
    given.add_argument("--seed", type=int, default=0)
    asked = given.parse_args()
    chance = random.Random(asked.seed)
    letters = list(string.ascii_letters)
    for path in asked.corpora:
        corpus = Corpus(path)
        pages = found = flagged = 0
        for document in corpus.documents:
            for node in corpus.document(document.version).nodes:
                if node.kind != "page" or _cost(node.text)[1] < ENOUGH:
                    continue
                lower = letters[:26]
                chance.shuffle(lower)
                table = str.maketrans("".join(letters), "".join(lower) + "".join(lower).upper())
                pages += 1
                found += bool(illegible(node.text.translate(table)))
                flagged += bool(illegible(node.text))
        print(f"{path.parent.name}: {pages} pages; exchanged and found {found}; flagged as they are {flagged}")


if __name__ == "__main__":
    main()
