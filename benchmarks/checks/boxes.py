"""Boxes of citations against the truth, on generated files: the share of cells and of sentences whose box has IoU > .5.

    python benchmarks/checks/boxes.py [--files 40] [--seed 5] [--show 5]

Tables and paragraphs are drawn into PDFs at known places: tables ruled or not, with headers of one or two levels, merged
headers, long labels and narrow gaps; paragraphs in one or two columns; tables turned on an upright page; pages turned as a
whole or by their rotation; tables that continue over pages, with and without their header repeated; footnote marks behind
values and labels. The real parser reads the files. A cell counts when the citation of the parsed cell with its text, without
the mark, overlaps the ink line of the drawn cell on its page; it counts as named when that cell has its row's label and its
column's heading. A sentence counts when the lines that its citation names are the lines on which it was drawn.
"""

from __future__ import annotations

import argparse
import math
import random
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from pypdfium2 import PdfDocument
from reportlab.lib.pagesizes import A4
from reportlab.pdfbase.pdfmetrics import getAscentDescent, stringWidth
from reportlab.pdfgen.canvas import Canvas

from pincite.document.table_headers import STEP, column_header, row_header
from pincite.evidence.candidate import Evidence
from pincite.evidence.drafted_answer import cited
from pincite.ingest.document_parser import parse
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
PARTS = ("", "Norway", "Denmark", "Asia", "America", "Oceania", "Africa", "Iceland")
KINDS = ("plain", "inset", "long", "marks", "sideways", "landscape", "long", "plain")
MARKS = ("^1", "^(1)", "(1)", "*")
"""How notes are marked; "^" is raised, "1" counts."""


@dataclass(frozen=True)
class Drawn:
    """A text and the boxes of its ink lines, from the font's ascent to its descent.

    `table` says whether it is a cell; `label` and `heading` are the texts left of a value and above it.
    """

    page: int
    text: str
    boxes: tuple[Box, ...]
    table: bool
    label: str = ""
    heading: str = ""


@dataclass
class Sheet:
    """A file being drawn, and the truth about it.

    Everything is drawn in its own frame, turned by `turn` degrees about `origin`; the page is displayed turned by `rotation`.
    """

    path: Path
    chance: random.Random
    drawn: list[Drawn] = field(default_factory=list)
    page: int = 1
    turn: int = 0
    origin: tuple[float, float] = (0.0, 0.0)
    rotation: int = 0

    def __post_init__(self) -> None:
        self.canvas = Canvas(str(self.path), pagesize=A4, invariant=1)

    def put(self, text: str, x: float, base: float, font: str, size: float) -> Box:
        with self.turned():
            self.canvas.setFont(font, size)
            self.canvas.drawString(x, base, text)
        ascent, descent = getAscentDescent(font, size)
        return self.shown(x, base + descent, x + stringWidth(text, font, size), base + ascent)

    def rule(self, x0: float, x1: float, y: float) -> None:
        with self.turned():
            self.canvas.line(x0, y, x1, y)

    @contextmanager
    def turned(self) -> Iterator[None]:
        self.canvas.saveState()
        self.canvas.translate(*self.origin)
        self.canvas.rotate(self.turn)
        yield
        self.canvas.restoreState()

    def shown(self, x0: float, y0: float, x1: float, y1: float) -> Box:
        """A box of the frame on the page as displayed."""
        turn = math.radians(self.turn)
        points = [
            (
                x * math.cos(turn) - y * math.sin(turn) + self.origin[0],
                x * math.sin(turn) + y * math.cos(turn) + self.origin[1],
            )
            for x, y in ((x0, y0), (x1, y1))
        ]
        seen = {
            0: lambda x, y: (x, HEIGHT - y),
            90: lambda x, y: (y, x),
            180: lambda x, y: (WIDTH - x, y),
            270: lambda x, y: (HEIGHT - y, WIDTH - x),
        }[self.rotation]
        (ax, ay), (bx, by) = (seen(x, y) for x, y in points)
        return min(ax, bx), min(ay, by), max(ax, bx), max(ay, by)

    def next_page(self) -> None:
        self.canvas.showPage()
        self.page += 1

    def paragraph(self, left: float, right: float, y: float, sentences: int) -> float:
        """Draw sentences as lines, word by word known, and return where the next thing may stand."""
        size, font, leading = 10, "Times-Roman", 13
        words: list[tuple[str, int]] = []
        for number in range(sentences):
            one = self.chance.choices(WORDS, k=self.chance.randint(7, 16))
            one[0] = one[0].capitalize()
            one.insert(
                self.chance.randint(1, len(one)),
                f"{self.chance.randint(2, 999)}.{self.chance.randint(0, 9)}",
            )
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

    def table(
        self, left: float, right: float, y: float, rows: int = 0, marked: bool = False
    ) -> float:
        """Draw a table of `rows`, over as many pages as they need, with marks and their notes below."""
        chance = self.chance
        size = chance.choice((8, 9, 10))
        years = [str(year) for year in range(2023, 2023 - chance.choice((2, 3)), -1)]
        labels = (
            [f"{one} {part}".strip() for part in PARTS for one in LABELS] if rows else list(LABELS)
        )
        labels = labels[:rows] if rows else chance.sample(labels, chance.randint(4, 11))
        wide = max(stringWidth(label, "Helvetica", size) for label in labels) + chance.choice(
            (12, 30)
        )
        groups = chance.choice(((), (), ("Norway", "Denmark"), ("Europe", "Asia")))
        if (
            2 * len(years) * (stringWidth("(999,999)", "Helvetica", size) + 8)
            > right - left - wide
        ):
            groups = ()  # no room for as many columns
        head = (
            [["", *years]]
            if not groups
            else [
                ["", *(text for g in groups for text in (g, *[""] * (len(years) - 1)))],
                ["", *years * len(groups)],
            ]
        )
        count = len(head[-1]) - 1
        headings = [
            "",
            *(f"{group} {year}".strip() for group in groups or ("",) for year in years),
        ]
        body = [[label, *(self.number() for _ in range(count))] for label in labels]
        step = min(80.0, (right - left - wide) / count)
        edges = [left, left + wide, *(left + wide + step * at for at in range(1, count + 1))]
        style, again = chance.choice(MARKS) if marked else "", chance.random() < 0.5
        self.put("Table 1: Key figures (in thousands of euros)", left, y, "Helvetica-Bold", size)
        y -= size + 8
        ruled, leading = chance.random() < 0.5, size + chance.choice((4, 6, 8))
        if ruled:
            self.rule(left, edges[-1], y + size)
        y = self._heads(head, edges, y, size, leading, ruled)
        used: list[str] = []
        for at, row in enumerate(body):
            if rows and y < 70:
                self.next_page()
                y = HEIGHT - 70.0
                y = self._heads(head, edges, y, size, leading, ruled) if again else y
            for column, text in enumerate(row):
                mark = (
                    style.replace("1", str(len(used) + 1))
                    if style and len(used) < 2 and chance.random() < 0.15
                    else ""
                )
                if mark:
                    used.append(mark)
                self._cell(text, mark, edges, column, y, size, row[0], headings[column])
            y -= leading
            if ruled and at == len(body) - 1:
                self.rule(left, edges[-1], y + leading - 3)
        y -= 6
        for mark in used:
            self.put(
                f"{mark.lstrip('^')} {' '.join(chance.choices(WORDS, k=6)).capitalize()}.",
                left,
                y,
                "Helvetica",
                7,
            )
            y -= 9
        return y - 12

    def _heads(
        self,
        head: list[list[str]],
        edges: list[float],
        y: float,
        size: float,
        leading: float,
        ruled: bool,
    ) -> float:
        for at, row in enumerate(head):
            for column, text in enumerate(row):
                reach = len([one for one in head[-1] if one]) // 2 if at < len(head) - 1 else 1
                if text:
                    end, width = edges[column + reach], stringWidth(text, "Helvetica-Bold", size)
                    x = (edges[column] + end - width) / 2 if reach > 1 else end - width - 3
                    self.put(text, x, y, "Helvetica-Bold", size)
            y -= leading
        if ruled:
            self.rule(edges[0], edges[-1], y + leading - 3)
        return y

    def _cell(
        self,
        text: str,
        mark: str,
        edges: list[float],
        column: int,
        y: float,
        size: float,
        label: str,
        heading: str,
    ) -> None:
        x = (
            edges[0]
            if column == 0
            else edges[column + 1] - stringWidth(text, "Helvetica", size) - 3
        )
        box = self.put(text, x, y, "Helvetica", size)
        self.drawn.append(Drawn(self.page, text, (box,), True, label if column else "", heading))
        end = x + stringWidth(text, "Helvetica", size)
        if mark.startswith("^"):
            self.put(mark[1:], end + 0.5, y + 0.35 * size, "Helvetica", 0.6 * size)
        elif mark:
            self.put(mark, end + (2.5 if column == 0 else 0.5), y, "Helvetica", size)

    def number(self) -> str:
        value = f"{int(10 ** self.chance.uniform(1.2, 6)):,}"
        return self.chance.choice(
            (
                value,
                value,
                value,
                f"({value})",
                f"{self.chance.randint(1, 99)}.{self.chance.randint(0, 9)}%",
            )
        )

    def fill(self, kind: str) -> None:
        """The pages of one file."""
        if kind == "plain":
            self.plain()
        elif kind == "long":
            y = self.paragraph(60, WIDTH - 60, HEIGHT - 96, 3)
            y = self.table(60, WIDTH - 60, y - 6, self.chance.randint(60, 140))
            self.paragraph(60, WIDTH - 60, y, 3) if y > 150 else None
        elif kind == "marks":
            y = self.table(60, WIDTH - 60, HEIGHT - 90, marked=True)
            self.table(60, WIDTH - 60, self.paragraph(60, WIDTH - 60, y, 3) - 6, marked=True)
        elif kind == "inset":
            y = self.paragraph(60, WIDTH - 60, HEIGHT - 96, 3)
            self.turn = self.chance.choice((90, 180, 270))
            self.origin = {
                90: (90, y - 420),
                180: (WIDTH - 60, y - 300),
                270: (WIDTH - 90, y - 10),
            }[self.turn]
            self.table(0, 400, 0 if self.turn != 180 else 290)
            self.turn, self.origin = 0, (0.0, 0.0)
            self.paragraph(60, WIDTH - 60, y - 450, 4)
        else:
            self.turn = self.chance.choice((90, 270))
            self.origin = (WIDTH, 0.0) if self.turn == 90 else (0.0, HEIGHT)
            self.rotation = self.turn if kind == "landscape" else 0
            y = self.paragraph(60, HEIGHT - 60, WIDTH - 70, 3)
            self.table(60, HEIGHT - 60, y - 6)
        self.canvas.save()
        if self.rotation:
            document = PdfDocument(self.path.read_bytes())
            for page in document:
                page.set_rotation(self.rotation)
            document.save(self.path)

    def plain(self) -> None:
        """Pages with a table between paragraphs, the paragraphs in one column or two."""
        for number in range(self.chance.randint(1, 3)):
            if number:
                self.next_page()
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


def overlap(a: Box, b: Box) -> float:
    """Intersection over union."""
    wide = min(a[2], b[2]) - max(a[0], b[0])
    high = min(a[3], b[3]) - max(a[1], b[1])
    if wide <= 0 or high <= 0:
        return 0.0
    shared = wide * high
    return shared / ((a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - shared)


def placed(document: Document, one: Drawn) -> tuple[float, bool]:
    """The best IoU of a citation of this text with the truth, and whether that cell has its label and heading.

    For a sentence it is the least over its lines, of equal number.
    """
    best, named = 0.0, False
    for node in document.nodes:
        if one.table and node.table is not None:
            for cell in node.table.cells:
                if cell.text.strip() == one.text and not cell.page:
                    where = cited(Evidence(node, ((cell.row, cell.column),), quote=cell.text), "1")
                    found = agreed(one, where.anchor.spots)
                    if found > best:
                        label = row_header(node.table, cell.row).rsplit(STEP, 1)[-1]
                        names = (label, column_header(node.table, cell.column))
                        best, named = found, not one.label or names == (one.label, one.heading)
        elif not one.table and node.kind in ("paragraph", "list"):
            start = node.text.find(one.text)
            if start >= 0:
                where = cited(Evidence(node, start=start, end=start + len(one.text)), "1")
                best = max(best, agreed(one, where.anchor.spots))
    return best, named


def agreed(one: Drawn, spots: Sequence[tuple[int, Box | None]]) -> float:
    if len(spots) != len(one.boxes) or any(page != one.page or box is None for page, box in spots):
        return 0.0
    return min(
        overlap(box, truth)
        for (_, box), truth in zip(spots, one.boxes, strict=True)
        if box is not None
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--files", type=int, default=40)
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--show", type=int, default=5)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    total: Counter[str] = Counter()
    right: Counter[str] = Counter()
    missed: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(options.files):
            kind = KINDS[number % len(KINDS)]
            sheet = Sheet(Path(folder) / f"{number}.pdf", chance)
            sheet.fill(kind)
            document = parse(sheet.path, sheet.path.name, "0" * 64)
            for one in sheet.drawn:
                what = f"{kind} cells" if one.table else "sentences"
                found, named = placed(document, one)
                total[what] += 1
                right[what] += found > 0.5
                if one.label:
                    total[f"{what} named"] += 1
                    right[f"{what} named"] += found > 0.5 and named
                if found <= 0.5 or one.label and not named:
                    missed.append(
                        f"  file {number} ({kind}) page {one.page}: {one.text[:70]!r} IoU {found:.2f}, named {named}"
                    )
    for what in sorted(total):
        print(f"{what:22} {right[what]:5} of {total[what]:5} = {right[what] / total[what]:.4f}")
    print("\n".join(missed[: options.show]))


if __name__ == "__main__":
    main()
