"""Text layers damaged in the ways that fonts damage them: how many pages are detected, and how many real pages are flagged.

    python benchmarks/formats/legible.py FOLDER... [--seed 0] [--show 5]

Every page of the PDFs below the folders whose text layer has fifty words or more counts once unchanged and once for each
kind of damage. Unchanged pages that are flagged are listed by name, since their text layer may really be noise.
"""

from __future__ import annotations

import argparse
import random
import string
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from pincite.errors import PinciteError
from pincite.ingest.ocr.legibility import illegible
from pincite.ingest.pdf.pdf_pages import raw_pages

ENOUGH = 50
"""Words of a page that is damaged."""
LOWER = string.ascii_lowercase

Damage = Callable[[Sequence[str], random.Random], str]


def mapped(words: Sequence[str], onto: str) -> str:
    """The words with each letter as another one, in both cases."""
    return " ".join(words).translate(str.maketrans(LOWER + LOWER.upper(), onto + onto.upper()))


def exchanged(words: Sequence[str], chance: random.Random) -> str:
    """Letters exchanged at random."""
    return mapped(words, "".join(chance.sample(LOWER, 26)))


def shifted(words: Sequence[str], chance: random.Random) -> str:
    """The alphabet shifted."""
    by = chance.randrange(1, 26)
    return mapped(words, LOWER[by:] + LOWER[:by])


def half(words: Sequence[str], chance: random.Random) -> str:
    """One half of the page in a font that exchanges its letters."""
    middle = len(words) // 2
    return " ".join(words[:middle]) + " " + exchanged(words[middle:], chance)


KINDS: dict[str, Damage] = {
    "letters exchanged at random": exchanged,
    "alphabet shifted": shifted,
    "letters exchanged in one half": half,
    "letters of private use": lambda words, chance: " ".join(
        "".join(chr(0xE000 + ord(one)) if ord(one) < 0x1000 else one for one in word)
        for word in words
    ),
    "names of glyphs": lambda words, chance: " ".join(
        "".join(f"/g{ord(one)}" for one in word) for word in words
    ),
    "numbers of glyphs": lambda words, chance: " ".join(
        "".join(f"(cid:{ord(one)})" for one in word) for word in words
    ),
    "words backwards": lambda words, chance: " ".join(word[::-1] for word in words),
    "lines backwards": lambda words, chance: " ".join(words)[::-1],
    "no spaces": lambda words, chance: "".join(words),
    "spaces between letters": lambda words, chance: " ".join("".join(words)),
}


def layers(folders: Sequence[Path]) -> Iterator[tuple[str, list[str]]]:
    """The name of each page and the words of its text layer, where it has some."""
    for folder in folders:
        for path in sorted(folder.rglob("*.pdf")):
            try:
                for page in raw_pages(path):
                    yield f"{path.name} page {page.number}", [word.text for word in page.words]
            except PinciteError:
                continue


def main() -> None:
    """Print the figures."""
    given = argparse.ArgumentParser()
    given.add_argument("folders", nargs="+", type=Path)
    given.add_argument("--seed", type=int, default=0)
    given.add_argument("--show", type=int, default=5)
    asked = given.parse_args()
    chance = random.Random(asked.seed)
    pages, damaged, seconds = 0, 0, 0.0
    flagged: list[str] = []
    found: Counter[str] = Counter()
    for name, words in layers(asked.folders):
        pages += 1
        started = time.perf_counter()
        why = illegible(" ".join(words))
        seconds += time.perf_counter() - started
        if why:
            flagged.append(f"{name}: {why}")
        elif len(words) >= ENOUGH:
            damaged += 1
            found.update(
                kind for kind, damage in KINDS.items() if illegible(damage(words, chance))
            )
    print(
        f"{pages} pages, {1000 * seconds / max(pages, 1):.2f} ms each; flagged as they are: {len(flagged)}"
    )
    for line in flagged[: asked.show]:
        print(f"  {line}")
    for kind in KINDS:
        print(f"{kind}: {found[kind]} of {damaged} found ({found[kind] / max(damaged, 1):.4f})")


if __name__ == "__main__":
    main()
