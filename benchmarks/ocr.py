"""Pages of born-digital PDFs drawn as pictures and read back: words and numbers against their text layer.

    python benchmarks/ocr.py FOLDER [--files 20] [--pages 5] [--seed 0] [--scale 2.0] [--worst 3]

Words are compared as multisets per page (case kept, punctuation at their ends off, one kind of apostrophe), numbers as
they are written. Pages with fewer than fifty words are not drawn from. The text layer is what the file says; where it is
wrong, so is the truth.
"""

from __future__ import annotations

import argparse
import random
import re
import time
from collections import Counter
from pathlib import Path

from pincite.errors import PinciteError
from pincite.ingest.legible import illegible
from pincite.ingest.ocr import engine_name, see
from pincite.ingest.page import RawPage, Word
from pincite.ingest.pdf import page_count, raw_pages, render

NUMBER = re.compile(r"\d[\d.,]*\d|\d")


def words(found: tuple[Word, ...]) -> Counter[str]:
    """The words of a page without the punctuation around them."""
    plain = (word.text.replace("’", "'") for word in found)
    return Counter(held for word in plain if (held := word.strip(".,;:()[]$€£•–—-\"'“”‘")))


def numbers(found: tuple[Word, ...]) -> Counter[str]:
    """The numbers of a page."""
    return Counter(number for word in found for number in NUMBER.findall(word.text))


def drawn(path: Path, pages: int, chance: random.Random) -> list[RawPage]:
    """Some pages of a file that have text to compare."""
    try:
        numbered = chance.sample(range(1, page_count(path) + 1), page_count(path))
    except PinciteError:
        return []
    held: list[RawPage] = []
    for number in numbered[: 4 * pages]:
        page = next(raw_pages(path, pages=range(number, number + 1)))
        if len(page.words) >= 50 and not illegible(" ".join(word.text for word in page.words)):
            held.append(page)
        if len(held) == pages:
            break
    return held


def main() -> None:
    """Print the figures."""
    given = argparse.ArgumentParser()
    given.add_argument("folder", type=Path)
    given.add_argument("--files", type=int, default=20)
    given.add_argument("--pages", type=int, default=5)
    given.add_argument("--seed", type=int, default=0)
    given.add_argument("--scale", type=float, default=2.0)
    given.add_argument("--worst", type=int, default=3)
    asked = given.parse_args()
    chance = random.Random(asked.seed)
    paths = sorted(asked.folder.rglob("*.pdf"))
    rows, seconds = [], 0.0
    for path in chance.sample(paths, min(asked.files, len(paths))):
        for page in drawn(path, asked.pages, chance):
            picture = render(path, page.number, scale=asked.scale)
            started = time.perf_counter()
            seen = see(picture, asked.scale)
            seconds += time.perf_counter() - started
            truth, read = words(page.words), words(seen.words)
            both = (truth & read).total()
            f1 = 2 * both / max(truth.total() + read.total(), 1)
            wanted, got = numbers(page.words), numbers(seen.words)
            rows.append((f1, (wanted & got).total(), wanted.total(), seen.confidence, path.name, page.number))
    rows.sort()
    found, wanted_ = sum(row[1] for row in rows), sum(row[2] for row in rows)
    print(f"{engine_name()}, {asked.scale} pixels to the point: {len(rows)} pages, {seconds / len(rows):.1f} s a page")
    mean = sum(row[0] for row in rows) / len(rows)
    print(f"word F1, mean over pages {mean:.3f}; numbers recovered {found / wanted_:.3f} of {wanted_}")
    for f1, found, wanted_, sure, name, number in rows[: asked.worst]:
        print(f"  {f1:.3f}, numbers {found} of {wanted_}, sure {sure:.2f}: {name} page {number}")


if __name__ == "__main__":
    main()
