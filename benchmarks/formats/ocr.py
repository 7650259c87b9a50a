"""Pages of born-digital PDFs drawn as pictures and read back by OCR: words and numbers against their text layer.

    python benchmarks/formats/ocr.py FOLDER... [--files 20] [--pages 5] [--seed 0] [--worst 3] [--engine rapidocr|tesseract|plain]

Words are compared as multisets per page (case kept, punctuation at their ends removed, one kind of apostrophe), numbers as
they are written. Pages with fewer than fifty words are not used, nor files that have too few others. The text layer is
taken for the truth, even where it is wrong. Each page counts once more with the letters of its text layer
exchanged at random, to see whether that is detected. The engine "plain" is the package rapidocr unmodified. Seconds are
processor time on all cores: set OMP_NUM_THREADS=1 to compare.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import resource
import string
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pincite.errors import PinciteError
from pincite.ingest.ocr.legibility import illegible
from pincite.ingest.ocr.ocr_decision import SCALE
from pincite.ingest.ocr.ocr_settings import OcrSettings
from pincite.ingest.ocr.recognized_words import LEAST, see
from pincite.ingest.pdf.pdf_pages import page_sizes, raw_pages, render
from pincite.ingest.raw_page import RawPage

if TYPE_CHECKING:
    import PIL.Image

NUMBER = re.compile(r"\d[\d.,]*\d|\d")
PLAIN_SCALE = 2.0
"""Pixels to the point for rapidocr as it comes, which makes pictures smaller that are larger than 2,000 pixels."""

Read = Callable[["PIL.Image.Image"], Sequence[str]]


def words(found: Sequence[str]) -> Counter[str]:
    """The words of a page without the punctuation around them."""
    plain = (word.replace("’", "'") for word in found)
    return Counter(held for word in plain if (held := word.strip(".,;:()[]$€£•–—-\"'“”‘")))


def numbers(found: Sequence[str]) -> Counter[str]:
    """The numbers of a page."""
    return Counter(number for word in found for number in NUMBER.findall(word))


def drawn(
    paths: Sequence[Path], files: int, pages: int, chance: random.Random
) -> Iterator[tuple[Path, RawPage]]:
    """A number of pages from a number of files that have text to compare."""
    for path in chance.sample(paths, len(paths)):
        held = list(_some(path, pages, chance))
        if len(held) == pages and files > 0:
            files -= 1
            yield from ((path, page) for page in held)


def _some(path: Path, pages: int, chance: random.Random) -> Iterator[RawPage]:
    try:
        count = len(page_sizes(path))
    except PinciteError:
        return
    for number in chance.sample(range(1, count + 1), count)[: 4 * pages]:
        page = next(raw_pages(path, pages=range(number, number + 1)))
        if (
            pages
            and len(page.words) >= 50
            and not illegible(" ".join(word.text for word in page.words))
        ):
            pages -= 1
            yield page


def ours(engine: str) -> Read:
    """The words that Pincite reads off a picture."""
    ocr_settings = OcrSettings("on", engine)  # type: ignore[arg-type]
    return lambda picture: [
        word.text for word in see(picture, SCALE, ocr_settings=ocr_settings).words
    ]


def plain() -> Read:
    """The words that unmodified rapidocr reads."""
    import rapidocr

    read: Any = rapidocr.RapidOCR(
        params={"Global.log_level": "critical", "Global.text_score": LEAST}
    )

    def words_of(picture: PIL.Image.Image) -> Sequence[str]:
        found = read(
            np.ascontiguousarray(np.asarray(picture.convert("RGB"))[:, :, ::-1]), use_cls=False
        )
        return [word for line in found.txts or () for word in line.split()]

    return words_of


def main() -> None:
    """Print the figures."""
    given = argparse.ArgumentParser()
    given.add_argument("folders", nargs="+", type=Path)
    given.add_argument("--files", type=int, default=20)
    given.add_argument("--pages", type=int, default=5)
    given.add_argument("--seed", type=int, default=0)
    given.add_argument("--worst", type=int, default=3)
    given.add_argument("--engine", choices=("rapidocr", "tesseract", "plain"), default="rapidocr")
    asked = given.parse_args()
    chance = random.Random(asked.seed)
    paths = sorted(path for folder in asked.folders for path in folder.rglob("*.pdf"))
    read = plain() if asked.engine == "plain" else ours(asked.engine)
    scale = PLAIN_SCALE if asked.engine == "plain" else SCALE
    rows, seconds, found_out, files = [], 0.0, 0, set()
    letters = random.Random(asked.seed)
    for path, page in drawn(paths, asked.files, asked.pages, chance):
        files.add(path)
        said = [word.text for word in page.words]
        picture = render(path, page.number, scale=scale)
        started = sum(os.times()[:4])  # with those of programs that were called
        seen = read(picture)
        seconds += sum(os.times()[:4]) - started
        truth, got = words(said), words(seen)
        f1 = 2 * (truth & got).total() / max(truth.total() + got.total(), 1)
        wanted, told = numbers(said), numbers(seen)
        rows.append((f1, (wanted & told).total(), wanted.total(), path.name, page.number))
        onto = "".join(letters.sample(string.ascii_lowercase, 26))
        exchange = str.maketrans(string.ascii_letters, onto + onto.upper())
        found_out += bool(illegible(" ".join(said).translate(exchange)))
    rows.sort()
    found, wanted_ = sum(row[1] for row in rows), sum(row[2] for row in rows)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    mean = sum(row[0] for row in rows) / len(rows)
    print(f"{asked.engine}, {scale} pixels to the point: {len(rows)} pages of {len(files)} files")
    print(f"{seconds / len(rows):.1f} s of the processor a page; peak memory {peak} MiB")
    print(
        f"word F1, mean over pages {mean:.4f}; numbers recovered {found / max(wanted_, 1):.4f} of {wanted_}"
    )
    print(f"text layers with exchanged letters found out: {found_out} of {len(rows)}")
    for f1, found, wanted_, name, number in rows[: asked.worst]:
        print(f"  {f1:.3f}, numbers {found} of {wanted_}: {name} page {number}")


if __name__ == "__main__":
    main()
