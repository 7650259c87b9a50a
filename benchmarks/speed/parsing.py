"""Pages per second of our PDF parsing against pdfplumber, on one core.

    python benchmarks/speed/parsing.py FOLDER_OF_PDFS [--pages 40] [--rounds 5]

Every round runs every parser over the same sample of pages, so that a slow moment of the machine affects all of them; the
median of the rounds is reported. "words" stops at words with their boxes and styles; "blocks" continues to tables,
reading order and the document tree, which pdfplumber does not do.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import pdfplumber

from pincite.ingest.layout.furniture import without_furniture
from pincite.ingest.layout.page_layout import layout
from pincite.ingest.pdf.pdf_pages import page_sizes, raw_pages
from pincite.ingest.tables import find_tables
from pincite.ingest.tree import build

Sample = Mapping[Path, range]


def sample_of(folder: Path, pages: int, run: int = 4) -> Sample:
    """Runs of consecutive pages from files all over the folder, about `pages` in all; the same for the same folder."""
    chance = random.Random(0)
    files = sorted(folder.rglob("*.pdf"))
    chance.shuffle(files)
    chosen: dict[Path, range] = {}
    for file in files[: max(1, pages // run)]:
        count = len(page_sizes(file))
        first = chance.randint(1, max(1, count - run + 1))
        chosen[file] = range(first, min(count, first + run - 1) + 1)
    return chosen


def our_words(sample: Sample) -> int:
    return sum(
        len(page.words) for file, pages in sample.items() for page in raw_pages(file, pages=pages)
    )


def our_blocks(sample: Sample) -> int:
    nodes = 0
    for file, pages in sample.items():
        held = without_furniture(
            layout(page, find_tables(page)) for page in raw_pages(file, pages=pages)
        )
        nodes += len(build("0" * 64, file.name, "pdf", held).nodes)
    return nodes


def pdfplumber_words(sample: Sample) -> int:
    words = 0
    for file, pages in sample.items():
        with pdfplumber.open(file, pages=list(pages)) as document:
            words += sum(
                len(page.extract_words(extra_attrs=["fontname", "size"]))
                for page in document.pages
            )
    return words


PARSERS: Mapping[str, Callable[[Sample], int]] = {
    "pincite, words": our_words,
    "pincite, blocks": our_blocks,
    "pdfplumber, words": pdfplumber_words,
}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pages", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    sample = sample_of(given.folder, given.pages)
    pages = sum(map(len, sample.values()))
    for run in PARSERS.values():
        run(dict(list(sample.items())[:1]))  # imports and caches are not what is measured
    seconds: dict[str, list[float]] = {name: [] for name in PARSERS}
    found: dict[str, int] = {}
    for _ in range(given.rounds):
        for name, run in PARSERS.items():
            start = time.process_time()
            found[name] = run(sample)
            seconds[name].append(time.process_time() - start)
    print(
        f"{pages} pages of {len(sample)} files, median of {given.rounds} rounds, processor time of one process"
    )
    for name, took in seconds.items():
        rates = sorted(pages / one for one in took)
        print(
            f"{name:22} {statistics.median(rates):7.1f} pages/s  ({rates[0]:.1f}-{rates[-1]:.1f})  {found[name]} found"
        )


if __name__ == "__main__":
    main()
