"""Lexical search: ours against bm25s alone, in one run; medians of five interleaved rounds.

python benchmarks/speed/search.py [FOLDER] [--rows N]    FOLDER of .txt files; without it, invented text with Zipf's word law

Every engine gets the same windows of 200 words and the same questions, as text, with its own analysis: ours stems
and keeps numbers whole, bm25s has its own tokenizer with the same stemmer.
Opening is timed in a new process without the interpreter's and numpy's start.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import bm25s
import numpy as np
import Stemmer

from pincite.search.index.document_views import windows
from pincite.search.index.lexical import Lexical
from pincite.types import Entry

ROUNDS = 5
K = 100
QUESTIONS = 20


def texts_of(folder: Path | None, rows: int) -> list[str]:
    if folder is not None:
        found = [
            window
            for path in sorted(folder.glob("**/*.txt"))
            for page in path.read_text(errors="replace").split("\f")
            for window in windows(page, 200, 50)
        ]
        return found[:rows]
    rng = np.random.default_rng(0)
    words = np.array(
        [
            "".join(rng.choice(list("abcdefghiklmnoprstuvw"), rng.integers(3, 10)))
            for _ in range(50_000)
        ]
    )
    return [" ".join(words[np.minimum(rng.zipf(1.2, 200), len(words)) - 1]) for _ in range(rows)]


def timed(work: Callable[[], object]) -> float:
    """Seconds of processor time: every engine runs on one core, and other work on the machine does not count."""
    started = time.process_time()
    work()
    return time.process_time() - started


def opening(code: str) -> float:
    """Seconds that `code` takes in a new process that has imported numpy already."""
    script = f"import time, numpy\nstarted = time.process_time()\n{code}\nprint(time.process_time() - started)"
    made = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    return float(made.stdout.split()[-1])


def size(folder: Path) -> float:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


def engines(
    texts: Sequence[str], folder: Path
) -> dict[str, tuple[float, Callable[[str], object], str]]:
    """By name: seconds to build, a search, the code that opens it."""
    entries = [Entry(str(row), "window", text) for row, text in enumerate(texts)]
    made: dict[str, tuple[float, Callable[[str], object], str]] = {}
    for name, index in (("ours", Lexical()), ("ours, bigrams too", Lexical(bigrams=True))):
        place = folder / name
        built = timed(lambda index=index, place=place: index.build(entries, place))
        searcher = index.open(place)
        code = (
            "from pathlib import Path\nfrom pincite.search.index.lexical import Lexical\n"
            f"Lexical(bigrams={index.bigrams}).open(Path({str(place)!r})).search(['energy'], 10)"
        )
        made[name] = built, lambda text, searcher=searcher: searcher.search([text], K), code

    stemmer = Stemmer.Stemmer("english")
    theirs = bm25s.BM25(k1=0.9, b=0.4)

    def build() -> None:
        terms = bm25s.tokenize(list(texts), stopwords="en", stemmer=stemmer, show_progress=False)
        theirs.index(terms, show_progress=False)

    def search(text: str) -> object:
        terms = bm25s.tokenize(
            [text], stopwords="en", stemmer=stemmer, show_progress=False, return_ids=False
        )
        return theirs.retrieve(terms, k=min(K, len(texts)), show_progress=False)

    built = timed(build)
    theirs.save(folder / "bm25s", show_progress=False)
    code = (
        f"import bm25s\nb = bm25s.BM25.load({str(folder / 'bm25s')!r}, mmap=True, show_progress=False)\n"
        f"b.retrieve([['energi']], k=10, show_progress=False)"
    )
    made["bm25s alone"] = built, search, code
    return made


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--rows", type=int, default=20_000)
    given = parser.parse_args()
    texts = texts_of(given.folder, given.rows)
    rng = np.random.default_rng(1)
    questions = [
        " ".join(rng.permutation(texts[row].split())[:12])
        for row in rng.integers(0, len(texts), QUESTIONS)
    ]
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        made = engines(texts, folder)
        seconds: dict[str, list[float]] = {name: [] for name in made}
        opened: dict[str, list[float]] = {name: [] for name in made}
        for _, search, _ in made.values():
            search(questions[0])
        for _ in range(ROUNDS):
            for name, (_, search, code) in made.items():
                seconds[name].append(
                    timed(lambda search=search: [search(question) for question in questions])
                )
                opened[name].append(opening(code))
        print(
            f"{len(texts)} rows, {QUESTIONS} questions of 12 words, k = {K}, processor time, "
            f"medians of {ROUNDS} interleaved rounds"
        )
        print(f"{'engine':<20}{'build s':>10}{'open ms':>10}{'query ms':>10}{'index MB':>10}")
        for name, (built, _, _) in made.items():
            query = statistics.median(seconds[name]) / QUESTIONS * 1e3
            start = f"{statistics.median(opened[name]) * 1e3:.1f}"
            place = folder / name.split()[0] if name.startswith("bm25s") else folder / name
            disk = f"{size(place):.1f}" if place.exists() else "-"
            print(f"{name:<20}{built:>10.2f}{start:>10}{query:>10.2f}{disk:>10}")


if __name__ == "__main__":
    main()
