"""Boxes of citations against the truth, on generated files: the share of cells and of sentences whose box has IoU > .5.

    python benchmarks/boxes.py [--files 20] [--seed 5] [--show 5]

PDFs are drawn with tables (ruled or not, headers of one or two levels, merged ones, long labels, narrow gaps) and paragraphs
in one or two columns at known places. The real parser reads them. A cell counts when the citation of the parsed cell with
its text overlaps the ink line of the drawn one; a sentence when the lines its citation names are those it was drawn on.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from reportlab.lib.pagesizes import A4
from reportlab.pdfbase.pdfmetrics import getAscentDescent, stringWidth
from reportlab.pdfgen.canvas import Canvas

from pincite.answer.candidate import Evidence
from pincite.answer.say import cited
from pincite.ingest.parse import parse
from pincite.types import Box, Document

WIDTH, HEIGHT = A4
WORDS = (
    "revenue vessel charter fuel cargo port energy emission water report annual board region market share order price margin "
    "profit growth the of and in by for with from during which our a to that were has been after before lower higher result "
    "measure company period capital asset cost plant network customer contract service demand supply volume rate"
).split()
LABELS = (
    "Revenue", "Cost of sales", "Fuel and port costs", "Personnel expenses", "Depreciation and amortisation", "Operating profit",
    "Net finance costs", "Profit before tax", "Income tax expense", "Profit for the year", "Trade receivables", "Inventories",
    "Other current assets", "Lease liabilities due within one year", "Scope 1", "Scope 2 (market-based)", "Water withdrawal",
    "Hazardous waste", "Employees at year-end", "Order book",
)  # fmt: skip


@dataclass(frozen=True)
class Drawn:
    """A text and the boxes of its ink lines, from the font's ascent to its descent; `table` says whether it is a cell."""

    page: int
    text: str
    boxes: tuple[Box, ...]
    table: bool


@dataclass
class Sheet:
    """A file being drawn, and the truth about it."""

    path: Path
    chance: random.Random
    drawn: list[Drawn] = field(default_factory=list)
    page: int = 1

    def __post_init__(self) -> None:
        self.canvas = Canvas(str(self.path), pagesize=A4, invariant=1)

    def put(self, text: str, x: float, base: float, font: str, size: float) -> Box:
        self.canvas.setFont(font, size)
        self.canvas.drawString(x, base, text)
        ascent, descent = getAscentDescent(font, size)
        return x, HEIGHT - base - ascent, x + stringWidth(text, font, size), HEIGHT - base - descent

    def paragraph(self, left: float, right: float, y: float, sentences: int) -> float:
        """Draw sentences as lines, word by word known, and return where the next thing may stand."""
        size, font, leading = 10, "Times-Roman", 13
        words: list[tuple[str, int]] = []
        for number in range(sentences):
            one = self.chance.choices(WORDS, k=self.chance.randint(7, 16))
            one[0] = one[0].capitalize()
            one.insert(self.chance.randint(1, len(one)), f"{self.chance.randint(2, 999)}.{self.chance.randint(0, 9)}")
            one[-1] += "."
            words += [(word, number) for word in one]
        lines: list[list[tuple[str, int]]] = [[]]
        for word, number in words:
            line = " ".join(w for w, _ in [*lines[-1], (word, number)])
            if stringWidth(line, font, size) > right - left:
                lines.append([])
            lines[-1].append((word, number))
        boxes: dict[int, list[Box]] = {}
        for line in lines:
            box = self.put(" ".join(word for word, _ in line), left, y, font, size)
            for number in {number for _, number in line}:
                boxes.setdefault(number, []).append(box)
            y -= leading
        for number, spots in boxes.items():
            text = " ".join(word for word, at in words if at == number)
            self.drawn.append(Drawn(self.page, text, tuple(spots), False))
        return y - 8

    def table(self, left: float, right: float, y: float) -> float:
        chance = self.chance
        size = chance.choice((8, 9, 10))
        years = [str(year) for year in range(2023, 2023 - chance.choice((2, 3)), -1)]
        groups = chance.choice(((), (), ("Norway", "Denmark"), ("Europe", "Asia"))) if right - left > 380 else ()
        head = (
            [["", *years]]
            if not groups
            else [["", *(text for g in groups for text in (g, *[""] * (len(years) - 1)))], ["", *years * len(groups)]]
        )
        count = len(head[-1]) - 1
        labels = chance.sample(LABELS, chance.randint(4, 11))
        rows = head + [[label, *(self.number() for _ in range(count))] for label in labels]
        wide = max(stringWidth(label, "Helvetica", size) for label in labels) + chance.choice((12, 30))
        step = min(80.0, (right - left - wide) / count)
        edges = [left, left + wide, *(left + wide + step * at for at in range(1, count + 1))]
        self.put("Table 1: Key figures (in thousands of euros)", left, y, "Helvetica-Bold", size)
        y -= size + 8
        ruled, leading, top = chance.random() < 0.5, size + chance.choice((4, 6, 8)), y + size
        for at, row in enumerate(rows):
            for column, text in enumerate(row):
                if not text:
                    continue
                font = "Helvetica-Bold" if at < len(head) else "Helvetica"
                reach = len(years) if groups and at == 0 else 1
                end = edges[column + reach]
                width = stringWidth(text, font, size)
                x = left if column == 0 else (edges[column] + end - width) / 2 if reach > 1 else end - width - 3
                box = self.put(text, x, y, font, size)
                if at >= len(head):
                    self.drawn.append(Drawn(self.page, text, (box,), True))
            y -= leading
            if ruled and at in (len(head) - 1, len(rows) - 1):
                self.canvas.line(left, y + leading - 3, edges[-1], y + leading - 3)
        if ruled:
            self.canvas.line(left, top, edges[-1], top)
        return y - 12

    def number(self) -> str:
        value = f"{int(10 ** self.chance.uniform(1.2, 6)):,}"
        return self.chance.choice(
            (value, value, value, f"({value})", f"{self.chance.randint(1, 99)}.{self.chance.randint(0, 9)}%")
        )

    def fill(self) -> None:
        """Pages with a table between paragraphs, the paragraphs in one column or two."""
        for number in range(self.chance.randint(1, 3)):
            if number:
                self.canvas.showPage()
                self.page += 1
            y = HEIGHT - 70.0
            self.put(f"{number + 1} Results", 60, y, "Helvetica-Bold", 14)
            y = self.paragraph(60, WIDTH - 60, y - 26, 3)
            y = self.table(60, WIDTH - 60, y - 6)
            if self.chance.random() < 0.5:
                self.paragraph(60, WIDTH / 2 - 12, y, 5)
                self.paragraph(WIDTH / 2 + 12, WIDTH - 60, y, 5)
            else:
                y = self.paragraph(60, WIDTH - 60, y, 4)
                self.table(60, WIDTH - 60, y - 6)
        self.canvas.save()


def overlap(a: Box, b: Box) -> float:
    """Intersection over union."""
    wide = min(a[2], b[2]) - max(a[0], b[0])
    high = min(a[3], b[3]) - max(a[1], b[1])
    if wide <= 0 or high <= 0:
        return 0.0
    shared = wide * high
    return shared / ((a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - shared)


def placed(document: Document, one: Drawn) -> float:
    """The best IoU of a citation of this text with the truth; for a sentence the least over its lines, of equal number."""
    best = 0.0
    for node in document.nodes:
        if one.table and node.table is not None:
            for cell in node.table.cells:
                if cell.text.strip() == one.text:
                    where = cited(Evidence(node, ((cell.row, cell.column),), quote=cell.text), "1")
                    best = max(best, agreed(one, where.anchor.spots))
        elif not one.table and node.kind in ("paragraph", "list"):
            start = node.text.find(one.text)
            if start >= 0:
                where = cited(Evidence(node, start=start, end=start + len(one.text)), "1")
                best = max(best, agreed(one, where.anchor.spots))
    return best


def agreed(one: Drawn, spots: Sequence[tuple[int, Box | None]]) -> float:
    if len(spots) != len(one.boxes) or any(page != one.page or box is None for page, box in spots):
        return 0.0
    return min(overlap(box, truth) for (_, box), truth in zip(spots, one.boxes, strict=True) if box is not None)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=20)
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--show", type=int, default=5)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    total: Counter[str] = Counter()
    right: Counter[str] = Counter()
    missed: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(options.files):
            sheet = Sheet(Path(folder) / f"{number}.pdf", chance)
            sheet.fill()
            document = parse(sheet.path, sheet.path.name, "0" * 64)
            for one in sheet.drawn:
                kind = "cells" if one.table else "sentences"
                found = placed(document, one)
                total[kind] += 1
                right[kind] += found > 0.5
                if found <= 0.5:
                    missed.append(f"  file {number} page {one.page}: {one.text[:70]!r} IoU {found:.2f}")
    for kind in total:
        print(f"{kind:9} {right[kind]:5} of {total[kind]:5} with IoU > .5 = {right[kind] / total[kind]:.4f}")
    print("\n".join(missed[: options.show]))


if __name__ == "__main__":
    main()
