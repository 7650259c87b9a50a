"""Citations read again by other means: does the cited box really contain what the check calls supported?

    python benchmarks/checks/reread.py RUN.jsonl FOLDER [--show 20]

RUN is what `pincite batch` wrote; FOLDER holds the source files. pdfplumber extracts the text inside each cited box, and the
small number reader below reads it: nothing is shared with the package. A number must stand in its box with its sign, a yes or
no with nine tenths of its quote's words, another answer with nine tenths of its own words. In a text file, where form feeds
end pages, nineteen twentieths of the quote's words must stand on the cited page or the next.
"""

from __future__ import annotations

import argparse
import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from typing import Any

MARGIN = 1.5  # points around a box: glyphs may reach over their line
NUMBER = re.compile(
    r"(?P<open>\(\s*)?(?P<minus>[-−–]\s?)?[A-Z]{0,3}[$€£¥]?\s?(?P<minus2>[-−–]\s?)?"
    r"(?P<digits>\d[\d,.' ]*\d|\d)(?P<close>[^()\d]{0,3}\))?"
)
WORDS = {
    word: Decimal(at)
    for at, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve".split()
    )
}
WORDS |= {
    word: Decimal(10 * at)
    for at, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)
}


def numbers(text: str) -> set[Decimal]:
    """The numbers in a text as written; both readings where a separator may be a decimal sign, both signs where one may be
    a dash."""
    found: set[Decimal] = (
        {Decimal(0)} if re.fullmatch(r"[\s$€£¥]*[-–—−][\s%]*", text) else set()
    )  # a dash alone is nil
    for match in NUMBER.finditer(text):
        for part in {match["digits"], *match["digits"].split(" ")}:
            for value in spelled(part):
                negative = bool(match["open"] and match["close"]) or bool(
                    match["minus"] or match["minus2"]
                )
                # brackets make a cell negative; in running text they may be brackets only
                sure = negative and match["open"] and match[0].strip() == text.strip()
                found |= {-value} if sure else {value, -value} if negative else {value}
    return found | {WORDS[word] for word in re.findall(r"[a-z]+", text.lower()) if word in WORDS}


def spelled(digits: str) -> Iterator[Decimal]:
    """A run of digits with separators as the numbers it may be: 1,234.5 and 1.234,5."""
    bare = digits.replace(" ", "").replace("'", "").strip(",.")
    for group, point in ((",", "."), (".", ",")):
        plain = bare.replace(group, "").replace(point, ".")
        if plain.count(".") <= 1 and plain:
            yield Decimal(plain)


def tokens(text: str) -> list[str]:
    return re.findall(r"\w+", unicodedata.normalize("NFKC", text).lower())


def squeezed(text: str) -> str:
    return re.sub(r"[\s-]+", "", unicodedata.normalize("NFKC", text)).lower()


class Sources:
    """The files of a folder by document, and what stands on their pages."""

    def __init__(self, folder: Path) -> None:
        self.files = {path.name: path for path in folder.rglob("*") if path.is_file()}
        self.files |= {path.stem: path for path in self.files.values()} | {
            str(path.relative_to(folder)): path for path in self.files.values()
        }

    def path(self, document: str) -> Path | None:
        return self.files.get(document) or self.files.get(Path(document).name)

    def inside(self, path: Path, page: int, box: list[float] | None) -> str:
        """The text inside a box of a page, or the whole page."""
        if path.suffix.lower() != ".pdf":
            pages = text_pages(path)
            return " ".join(
                pages[page - 1 : page + 1]
            )  # a sentence may run over the end of its page
        held = pdf_page(path, page)
        if box is not None:
            x0, top, x1, bottom = box
            away, below = held.cropbox[:2]  # boxes count from the corner of the page as displayed
            x0, top, x1, bottom = x0 + away, top + below, x1 + away, bottom + below
            left, upper, right, lower = held.bbox
            cut = (
                max(left, x0 - MARGIN),
                max(upper, top - MARGIN),
                min(right, x1 + MARGIN),
                min(lower, bottom + MARGIN),
            )
            if cut[0] >= cut[2] or cut[1] >= cut[3]:
                return ""
            held = held.within_bbox(cut)
        return str(held.extract_text(x_tolerance=1.5) or "")  # closely set words stay apart


@lru_cache(maxsize=8)
def text_pages(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8", errors="replace").split("\f")


@lru_cache(maxsize=4)
def opened(path: Path) -> Any:
    import pdfplumber

    return pdfplumber.open(path)


@lru_cache(maxsize=64)
def pdf_page(path: Path, page: int) -> Any:
    pages = opened(path).pages
    return pages[min(page, len(pages)) - 1]


def stands(
    record: dict[str, Any], claim: str, citation: dict[str, Any], text: str, paged: bool
) -> bool:
    """Whether what a claim says stands in the text of its box."""
    if (
        paged and share(citation["quote"], text) < 0.95
    ):  # a page's foot may stand in the middle of a sentence
        return False
    value = record["value"]
    items = value if isinstance(value, list) else [value]
    if isinstance(value, bool) or not items:
        return share(citation["quote"], text) >= 0.9
    if all(isinstance(item, int | float) for item in items):
        return len(numbers(claim) & numbers(text)) >= (2 if " to " in claim else 1)
    return share(claim, text) >= 0.9


def share(some: str, text: str) -> float:
    """The share of the words of `some` that stand in `text`, whole or as the two halves of a divided word."""
    own, there = tokens(some), set(tokens(text))
    flat = squeezed(text)
    return sum(one in there or (len(one) > 5 and one in flat) for one in own) / max(1, len(own))


def supported(record: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The claims of a record whose check is supported, each with its citation."""
    by_label = {one["id"].rpartition(".")[2]: one for one in record["citations"]}
    for one in record["checks"]:
        if one["verdict"] == "supported" and one["citation"] in by_label:
            yield one["claim"], by_label[one["citation"]]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("run", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--show", type=int, default=20)
    options = parser.parse_args()
    sources = Sources(options.folder)
    seen: Counter[str] = Counter()
    missing: list[str] = []
    for record in map(json.loads, options.run.open(encoding="utf-8")):
        seen["questions"] += 1
        if record["refused"]:
            seen["refused"] += 1
            continue
        for claim, citation in supported(record):
            seen["citations"] += 1
            path = sources.path(citation["document"])
            where = f"{citation['document']} p. {citation['page']} {citation['box']}"
            if path is None:
                missing.append(f"{record['id']}: no file for {where}")
                continue
            text = sources.inside(path, citation["page"], citation["box"])
            paged = path.suffix.lower() != ".pdf"
            there = stands(record, claim, citation, text, paged)
            if (
                not there and not paged and share(citation["quote"], text) >= 0.5
            ):  # the quote runs on over the page's end
                text += " " + sources.inside(path, citation["page"] + 1, None)
                there = stands(record, claim, citation, text, paged)
                seen["over two pages"] += there
            if not there:
                shown = " ".join(text.split())[:120]
                missing.append(
                    f"{record['id']}: {claim!r} is not in {where}: {shown!r} (quote {citation['quote'][:80]!r})"
                )
    print(
        f"{seen['questions']} questions, {seen['refused']} refused; {seen['citations']} supported citations read again, "
        f"{len(missing)} not there ({seen['over two pages']} run on over a page's end)"
    )
    for line in missing[: options.show]:
        print("  " + line)


if __name__ == "__main__":
    main()
