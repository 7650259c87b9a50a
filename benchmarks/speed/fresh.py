"""Indexing again after one file in a hundred changed, compared with indexing everything: seconds of both, and what was done.

    python benchmarks/speed/fresh.py [--files 10000] [--changed 0.01] [--rounds 3] [--check] [--corpus ADDRESS]

The folder holds small generated notes of 60 to 200 words. Every round changes other files: most are edited, some renamed, a
few removed or added. With --check the resulting shelves must be byte for byte those of a corpus made from the same files in
one run. With --corpus the corpus is at that address, in a PostgreSQL server on this machine whose seconds of processors count
too.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from benchmarks.processors import postmaster, worked  # noqa: E402
from pincite.corpus import Corpus  # noqa: E402
from pincite.indexing import Summary  # noqa: E402
from pincite.library import index  # noqa: E402

WORDS = (
    "harbour crane inspection valve pump boiler turbine permit audit invoice contract supplier delivery shift crew training "
    "incident repair budget forecast tonnes kilowatt hours metres litres weekly monthly the of and to in for with on was were "
    "approved delayed completed ordered measured replaced north south east west depot office plant yard line unit report"
).split()


def note(draw: random.Random, number: int) -> str:
    """The text of a note."""
    sentences = []
    for _ in range(draw.randrange(5, 15)):
        words = draw.choices(WORDS, k=draw.randrange(9, 15))
        words[3] = str(draw.randrange(2, 9000))
        sentences.append(" ".join(words).capitalize() + ".")
    return f"# Note {number} of {draw.choice(WORDS)}\n\n" + " ".join(sentences) + "\n"


def write(folder: Path, count: int, draw: random.Random) -> None:
    """Write all notes, a hundred to a folder."""
    for number in range(count):
        path = folder / f"{number // 100:03}" / f"note{number:05}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(note(draw, number))


def change(folder: Path, share: float, draw: random.Random) -> int:
    """Change a share of the notes: most edited, one in five renamed, one in twenty removed and as many added."""
    paths = sorted(folder.rglob("*.md"))
    chosen = draw.sample(paths, round(share * len(paths)))
    for at, path in enumerate(chosen):
        if at % 20 == 7:
            path.unlink()
            (path.parent / f"new{draw.randrange(10**9)}.md").write_text(note(draw, at))
        elif at % 5 == 3:
            path.rename(path.with_name(f"moved{draw.randrange(10**9)}.md"))
        else:
            path.write_text(note(draw, at))
    return len(chosen)


def shelves(corpus: Path) -> dict[str, bytes]:
    """All files of the shelves of the newest generation."""
    return {
        f"{name}/{path.relative_to(corpus / 'shelves' / name)}": path.read_bytes()
        for name in Corpus(corpus).generation.shelves.values()
        for path in sorted((corpus / "shelves" / name).rglob("*"))
        if path.is_file()
    }


def timed(
    folder: Path, corpus: Path | str, server: tuple[int, ...] = ()
) -> tuple[float, float, Summary]:
    """Index; wall-clock seconds and seconds of processors, the workers' and the server's among them."""
    wall, before = time.perf_counter(), worked(os.getpid(), *server)
    done = index(folder, corpus)
    return time.perf_counter() - wall, worked(os.getpid(), *server) - before, done


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--changed", type=float, default=0.01)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument(
        "--check", action="store_true", help="Compare with a corpus made in one run."
    )
    parser.add_argument("--corpus", default="", help="An address in PostgreSQL.")
    options = parser.parse_args()
    server = postmaster(options.corpus.partition("&corpus=")[0])
    draw = random.Random(11)
    with tempfile.TemporaryDirectory() as given:
        folder, corpus = Path(given) / "notes", options.corpus or Path(given) / "corpus"
        write(folder, options.files, draw)
        full, all_of_it, _ = timed(folder, corpus, server)
        print(
            f"all {options.files} files: {full:.1f} s, {all_of_it:.1f} s of processors", flush=True
        )
        walls, again = [], []
        for _ in range(options.rounds):
            count = change(folder, options.changed, draw)
            wall, spent, done = timed(folder, corpus, server)
            walls.append(wall)
            again.append(spent)
            what = f"{done.parsed} parsed, {done.moved} moved, {done.encoded} encoded, {done.removed} gone"
            print(
                f"{count} changed: {wall:.2f} s, {spent:.2f} s of processors; {what}", flush=True
            )
        wall, spent, _ = timed(folder, corpus, server)
        print(f"nothing changed: {wall:.2f} s, {spent:.2f} s of processors")
        ratios = statistics.median(walls) / full, statistics.median(again) / all_of_it
        print(
            f"changed against all, medians of {options.rounds}: {ratios[0]:.2%} of the time, {ratios[1]:.2%} of processors'"
        )
        if options.check:
            index(folder, Path(given) / "fresh")
            print("the same bytes:", shelves(Path(corpus)) == shelves(Path(given) / "fresh"))


if __name__ == "__main__":
    main()
