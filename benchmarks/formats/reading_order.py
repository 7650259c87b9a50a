"""Reading order against the truth, on generated pages: the share of adjacent paragraph pairs that stay adjacent.

    python benchmarks/formats/reading_order.py [--pages 300] [--seed 11] [--show 5] [--keep FOLDER]

Pages of one, two and three columns are drawn with titles and headings across, text between bands of columns, figures across
or in a column, tables inside a column, sidebars, footnotes, labels in the margin and running heads, in several fonts, sizes,
gutters and alignments. The file holds the lines in reading order, line by line across the columns, or shuffled. No word
occurs twice on a page, so each word that is read identifies its paragraph. Two paragraphs of one flow count as kept if the
second follows the first directly and neither is torn apart nor shuffled. Other flows may stand between them as a whole: a
sidebar, a caption or footnotes have no fixed place in the text.
"""

from __future__ import annotations

import argparse
import random
import re
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from reportlab.lib.pagesizes import A4, LETTER
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from pincite.ingest.layout.furniture import without_furniture
from pincite.ingest.layout.page_layout import layout
from pincite.ingest.pdf.pdf_pages import raw_pages
from pincite.ingest.raw_page import Page
from pincite.ingest.tables import find_tables
from pincite.ingest.tree import page_text

LAYOUTS = ("one", "two", "three", "bands", "sidebar", "insets", "labels")
FONTS = (
    ("Times-Roman", "Times-Bold"), ("Times-Roman", "Helvetica-Bold"), ("Helvetica", "Helvetica-Bold"),
    ("Courier", "Courier-Bold"),
)  # fmt: skip
ONSETS = "b c d f g h l m n p r s t v w br cl cr dr fl gr pl pr sh sl sp st str th tr".split()
NUCLEI = "a e i o u ai ea ee io ou".split()
CODAS = "n r s t l m d nd nt st ng ck ss".split()
PAGE = "main"


@dataclass(frozen=True, slots=True)
class Piece:
    """A paragraph, heading, caption or table as it was drawn: its flow and its words in order."""

    flow: str
    words: tuple[str, ...]


@dataclass(slots=True)
class Frame:
    """A column: its left and right edge, and the heights between which it is filled, from the top down."""

    left: float
    right: float
    top: float
    bottom: float


@dataclass(slots=True)
class Sheet:
    """One page being drawn, and the truth about it."""

    chance: random.Random
    width: float
    height: float
    font: str
    bold: str
    size: float
    leading: float
    justified: bool
    indent: float
    space: float
    pieces: list[Piece] = field(default_factory=list)
    drawn: list[tuple[float, float, str, str, float]] = field(
        default_factory=list
    )  # x, base, text, font, size
    shapes: list[tuple[str, float, float, float, float]] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)

    def word(self, most: int = 4) -> str:
        """A word of at most so many syllables that could be one and that the page does not have yet."""
        chance = self.chance
        while True:
            count = min(chance.choices((1, 2, 3, 4), (9, 6, 2, 1))[0], most)
            made = "".join(chance.choice(ONSETS) + chance.choice(NUCLEI) for _ in range(count))
            made += chance.choice(CODAS) if chance.random() < 0.6 else ""
            if len(made) > 1 and made not in self.seen:
                self.seen.add(made)
                return made

    def sentences(self, count: int) -> list[str]:
        """Words of `count` sentences."""
        words: list[str] = []
        for _ in range(count):
            one = [self.word() for _ in range(self.chance.randint(5, 18))]
            one[0] = one[0].capitalize()
            if len(one) > 8:
                one[4] += ","
            one[-1] += "."
            words += one
        return words

    def line(
        self,
        words: Sequence[str],
        x: float,
        right: float,
        y: float,
        font: str,
        size: float,
        fill: bool,
    ) -> None:
        """Draw one line, stretched to the right edge when it is to fill it."""
        text = " ".join(words)
        if not fill or len(words) < 3:
            self.drawn.append((x, y, text, font, size))
            return
        gap = (right - x - sum(stringWidth(word, font, size) for word in words)) / (len(words) - 1)
        for word in words:
            self.drawn.append((x, y, word, font, size))
            x += stringWidth(word, font, size) + gap

    def lines(
        self, words: Sequence[str], width: float, font: str, size: float, indent: float = 0.0
    ) -> list[list[str]]:
        """Words broken to lines."""
        made: list[list[str]] = [[]]
        for word in words:
            room = width - (indent if len(made) == 1 else 0.0)
            if made[-1] and stringWidth(" ".join([*made[-1], word]), font, size) > room:
                made.append([])
            made[-1].append(word)
        return made

    def text(
        self, words: Sequence[str], frames: list[Frame], flow: str = PAGE, *, size: float = 0.0, bold: bool = False,
        indent: float = 0.0, ahead: int = 1,
    ) -> bool:  # fmt: skip
        """Draw a paragraph through the frames, which are used up; False, and nothing drawn, when they have no room.

        `ahead` lines must fit in the frame that it begins in.
        """
        size = size or self.size
        font = self.bold if bold else self.font
        leading = self.leading * size / self.size
        todo = self.lines(words, frames[0].right - frames[0].left, font, size, indent)
        if frames[0].top - ahead * leading < frames[0].bottom:
            frames.pop(0)
        if sum(max(0, int((frame.top - frame.bottom) / leading - 0.01)) for frame in frames) < len(
            todo
        ):
            return False
        for at, line in enumerate(todo):
            while frames[0].top - leading < frames[0].bottom:
                frames.pop(0)
            frame = frames[0]
            frame.top -= leading
            start = frame.left + (indent if at == 0 else 0.0)
            self.line(
                line,
                start,
                frame.right,
                frame.top,
                font,
                size,
                self.justified and not bold and at + 1 < len(todo),
            )
        frames[0].top -= self.space
        self.pieces.append(Piece(flow, tuple(words)))
        return True

    def table(self, frame: Frame, ruled: bool) -> None:
        """A table of words and numbers in one column, as wide as that."""
        chance, size = self.chance, self.size - 1
        columns = 2 if frame.right - frame.left < 200 else 3
        rows = [[self.word(most=2).capitalize() for _ in range(columns + 1)]]
        for _ in range(chance.randint(3, 6)):
            label = " ".join(self.word(most=2) for _ in range(chance.randint(1, 2))).capitalize()
            rows.append([label, *(self.number() for _ in range(columns))])
        leading, step = 1.35 * size, 0.58 * (frame.right - frame.left) / columns
        if frame.top - frame.bottom < (len(rows) + 3) * leading:
            return
        frame.top -= 0.8 * leading
        first = frame.top
        for at, row in enumerate(rows):
            frame.top -= leading
            for column, text in enumerate(row):
                right = frame.right - step * (columns - column)
                x = frame.left if column == 0 else right - stringWidth(text, self.font, size)
                self.drawn.append((x, frame.top, text, self.font, size))
            if ruled and at in (0, len(rows) - 1):
                self.shapes.append(("rule", frame.left, frame.top - 3, frame.right, frame.top - 3))
        if ruled:
            self.shapes.append(("rule", frame.left, first - 1, frame.right, first - 1))
        frame.top -= 1.2 * leading
        self.pieces.append(
            Piece(PAGE, tuple(word for row in rows for text in row for word in text.split()))
        )

    def number(self) -> str:
        """A number that the page does not have yet."""
        while (
            made := f"{self.chance.randint(1, 9999):,}.{self.chance.randint(0, 9)}"
        ) in self.seen:
            pass
        self.seen.add(made)
        return made

    def figure(self, frame: Frame) -> None:
        """A picture with its caption below, at the top of a frame."""
        high = self.chance.uniform(70, 150)
        if frame.top - frame.bottom < high + 60:
            return
        self.shapes.append(
            ("picture", frame.left + 4, frame.top - high, frame.right - 4, frame.top)
        )
        frame.top -= high + 0.4 * self.leading
        own = Frame(frame.left, frame.right, frame.top, frame.bottom)
        number = self.chance.randint(1, 99)
        words = ["Figure", f"{number}:", *self.sentences(1)]
        self.text(words, [own], "caption", size=self.size - 1)
        frame.top = own.top - 0.8 * self.leading

    def notes(self, frame: Frame) -> None:
        """Footnotes at the foot of a frame, under a short rule."""
        size = 0.8 * self.size
        todo = [[f"{at + 1}", *self.sentences(1)] for at in range(self.chance.randint(1, 2))]
        count = sum(
            len(self.lines(one, frame.right - frame.left, self.font, size)) for one in todo
        )
        high = count * self.leading * 0.8 + 2 * self.space + 10
        if frame.top - frame.bottom < 3 * high:
            return
        frame.bottom += high
        own = Frame(frame.left, frame.right, frame.bottom - 4, frame.bottom - high - 30)
        self.shapes.append(
            ("rule", frame.left, frame.bottom - 3, frame.left + 60, frame.bottom - 3)
        )
        for one in todo:
            self.text(one, [own], f"notes {frame.left}", size=size)

    def body(self, frames: list[Frame], headed: float = 0.25, tables: float = 0.0) -> None:
        """Paragraphs, and headings between some of them, until the frames are full."""
        while frames:
            if self.chance.random() < headed:
                head = [
                    self.word().capitalize(),
                    *(self.word() for _ in range(self.chance.randint(1, 4))),
                ]
                if not self.text(
                    head,
                    frames,
                    bold=True,
                    size=self.size + self.chance.choice((0, 1, 2)),
                    ahead=4,
                ):
                    return
            if not self.text(
                self.sentences(self.chance.randint(2, 6)), frames, indent=self.indent, ahead=2
            ):
                return
            if self.chance.random() < tables:
                self.table(frames[0], self.chance.random() < 0.5)

    def columns(
        self, count: int, top: float, bottom: float, gutter: float, margin: float
    ) -> list[Frame]:
        """Frames side by side over the width of the page."""
        wide = (self.width - 2 * margin - (count - 1) * gutter) / count
        return [
            Frame(margin + at * (wide + gutter), margin + at * (wide + gutter) + wide, top, bottom)
            for at in range(count)
        ]

    def title(self, margin: float) -> float:
        """A title and a line under it across the page; returns where the rest may begin."""
        frame = Frame(margin, self.width - margin, self.height - 60, self.height - 260)
        head = [self.word().capitalize(), *(self.word() for _ in range(self.chance.randint(3, 9)))]
        self.text(head, [frame], bold=True, size=self.size * self.chance.choice((1.5, 1.8, 2.2)))
        if self.chance.random() < 0.5:
            self.text([self.word().capitalize() for _ in range(4)], [frame])
        return frame.top - self.leading


def drawn(kind: str, chance: random.Random, number: int, canvas: Canvas) -> list[Piece]:
    """Draw one page of this layout; returns its pieces in the order in which they are read."""
    width, height = chance.choice((A4, LETTER))
    font, bold = chance.choice(FONTS[:3] if kind == "three" else FONTS)
    size = (
        chance.choice((8.0, 8.5, 9.0))
        if kind == "three" or font == "Courier"
        else chance.choice((8.5, 9, 9.5, 10, 11))
    )
    spaced = chance.random() < 0.5
    sheet = Sheet(
        chance, width, height, font, bold, size, size * chance.uniform(1.15, 1.4), font != "Courier" and chance.random() < 0.6,
        0.0 if spaced else 1.2 * size, 0.6 * size if spaced else 0.0,
    )  # fmt: skip
    margin, gutter = chance.uniform(45, 75), chance.uniform(12, 30)
    top, bottom = height - 70, 70.0
    if chance.random() < (0.3 if kind == "one" else 0.6):
        top = sheet.title(margin)
    if kind == "one":
        sheet.body(_noted(sheet, sheet.columns(1, top, bottom, 0, margin)), tables=0.2)
    elif kind in ("two", "three"):
        count = 2 if kind == "two" else 3
        if chance.random() < 0.4:
            top = _across(sheet, margin, top, bottom, gutter)
        frames = sheet.columns(count, top, bottom, gutter, margin)
        if chance.random() < 0.3:
            frames[1].top -= chance.uniform(2, 40)  # no common grid of lines
        sheet.body(_noted(sheet, frames))
    elif kind == "bands":
        _bands(sheet, margin, top, bottom, gutter)
    elif kind == "sidebar":
        _beside(sheet, margin, top, bottom, gutter)
    elif kind == "insets":
        frames = sheet.columns(2, top, bottom, gutter, margin)
        if chance.random() < 0.5:
            sheet.figure(chance.choice(frames))
        sheet.body(_noted(sheet, frames), tables=0.4)
    else:
        _labelled(sheet, margin, top, bottom)
    _out(sheet, canvas, number, chance)
    return sheet.pieces


def _bands(sheet: Sheet, margin: float, top: float, bottom: float, gutter: float) -> None:
    """Two columns, text across, two columns again, and so on."""
    while top - bottom > 260:
        floor = max(bottom, top - sheet.chance.uniform(170, 280))
        sheet.body(sheet.columns(2, top, floor, gutter, margin), headed=0.1)
        top = floor - 1.6 * sheet.leading
        full = sheet.columns(1, top, bottom, 0, margin)
        if not sheet.text(
            sheet.sentences(sheet.chance.randint(2, 4)), full, bold=sheet.chance.random() < 0.3
        ):
            break
        top = full[0].top - 1.4 * sheet.leading


def _labelled(sheet: Sheet, margin: float, top: float, bottom: float) -> None:
    """A narrow column of headings beside the text of each part."""
    left = margin + sheet.chance.uniform(110, 150)
    frame = Frame(left, sheet.width - margin, top, bottom)
    while frame.top - bottom > 120:
        words = [sheet.word().capitalize(), sheet.word(), sheet.word()]
        for at, line in enumerate(sheet.lines(words, left - margin - 14, sheet.bold, sheet.size)):
            sheet.line(
                line,
                margin,
                left,
                frame.top - sheet.leading * (at + 1),
                sheet.bold,
                sheet.size,
                False,
            )
        sheet.pieces.append(Piece(PAGE, tuple(words)))
        for _ in range(sheet.chance.randint(1, 3)):
            if not sheet.text(
                sheet.sentences(sheet.chance.randint(3, 5)), [frame], indent=sheet.indent
            ):
                break
        frame.top -= 1.5 * sheet.leading


def _noted(sheet: Sheet, frames: list[Frame]) -> list[Frame]:
    if sheet.chance.random() < 0.4:
        sheet.notes(sheet.chance.choice(frames))
    return frames


def _across(sheet: Sheet, margin: float, top: float, bottom: float, gutter: float) -> float:
    """A paragraph or a figure across all columns, above them."""
    frame = Frame(margin, sheet.width - margin, top, bottom)
    if sheet.chance.random() < 0.5:
        sheet.text(sheet.sentences(3), [frame], bold=sheet.chance.random() < 0.5)
    else:
        sheet.figure(frame)
    return frame.top - sheet.leading


def _beside(sheet: Sheet, margin: float, top: float, bottom: float, gutter: float) -> None:
    """One or two columns of text and a box of smaller text of its own at one side."""
    chance = sheet.chance
    wide = chance.uniform(120, 160)
    left = chance.random() < 0.5
    high = chance.uniform(0.4, 1.0) * (top - bottom)
    x = margin if left else sheet.width - margin - wide
    box = Frame(x + 6, x + wide - 6, top - 10, top - high + 10)
    if chance.random() < 0.7:
        sheet.shapes.append(("tint", x, top - high, x + wide, top))
    rest = Frame(
        margin + (wide + gutter) * left,
        sheet.width - margin - (wide + gutter) * (not left),
        top,
        bottom,
    )
    if chance.random() < 0.5:
        middle = (rest.left + rest.right) / 2
        frames = [
            Frame(rest.left, middle - gutter / 2, top, bottom),
            Frame(middle + gutter / 2, rest.right, top, bottom),
        ]
    else:
        frames = [rest]
    body, size, leading = sheet.font, sheet.size, sheet.leading
    sheet.font = chance.choice((body, "Helvetica"))
    sheet.size, sheet.leading = 0.85 * size, 0.85 * leading
    frame = [box]
    sheet.text([sheet.word().capitalize(), sheet.word()], frame, "sidebar", bold=True)
    while sheet.text(sheet.sentences(chance.randint(1, 3)), frame, "sidebar"):
        pass
    sheet.font, sheet.size, sheet.leading = body, size, leading
    sheet.body(frames)


def _out(sheet: Sheet, canvas: Canvas, number: int, chance: random.Random) -> None:
    canvas.setPageSize((sheet.width, sheet.height))
    for shape, x0, y0, x1, y1 in sheet.shapes:
        canvas.setFillGray(0.9 if shape == "tint" else 0.7)
        if shape == "rule":
            canvas.line(x0, y0, x1, y1)
        else:
            canvas.rect(x0, y0, x1 - x0, y1 - y0, stroke=0, fill=1)
    canvas.setFillGray(0)
    order = chance.choice(("read", "rows", "shuffled"))
    if order == "rows":
        sheet.drawn.sort(key=lambda one: (-round(one[1]), one[0]))
    elif order == "shuffled":
        chance.shuffle(sheet.drawn)
    for x, y, text, font, size in sheet.drawn:
        canvas.setFont(font, size)
        canvas.drawString(x, y, text)
    canvas.setFont(sheet.font, 8)
    canvas.drawString(60, sheet.height - 40, "Annual results of the group")
    canvas.drawRightString(sheet.width - 60, 36, str(number))
    canvas.showPage()


def kept(page: Page, pieces: Sequence[Piece]) -> list[tuple[int, bool]]:
    """For each pair of pieces that follow each other in a flow: the place of the second, and whether they do so as read."""
    owner = {_plain(word): at for at, piece in enumerate(pieces) for word in piece.words}
    read: list[tuple[int, list[str]]] = []
    for word in re.findall(r"\S+", page_text(page)):
        at = owner.get(_plain(word))
        if at is None:
            continue
        if not read or read[-1][0] != at:
            read.append((at, []))
        read[-1][1].append(_plain(word))
    whole = {at for at, words in read if words == [_plain(word) for word in pieces[at].words]}
    flows: dict[str, list[int]] = {}
    for at, piece in enumerate(pieces):
        flows.setdefault(piece.flow, []).append(at)
    made = []
    for flow, own in flows.items():
        left = [at for at, _ in read if pieces[at].flow == flow or at not in whole]
        joined = [at for place, at in enumerate(left) if place == 0 or left[place - 1] != at]
        pairs = set(pairwise(joined))
        words = {at: [word for one, part in read if one == at for word in part] for at in own}
        sound = {
            at
            for at in own
            if joined.count(at) == 1 and words[at] == [_plain(word) for word in pieces[at].words]
        }
        made += [(b, (a, b) in pairs and a in sound and b in sound) for a, b in pairwise(own)]
    return made


def _plain(word: str) -> str:
    return re.sub(r"[^\w.,]", "", word).strip(".,").lower()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pages", type=int, default=300)
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--show", type=int, default=5)
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as folder:
        path = (options.keep or Path(folder)) / "pages.pdf"
        canvas = Canvas(str(path), invariant=1)
        kinds = [LAYOUTS[number % len(LAYOUTS)] for number in range(options.pages)]
        truth = [drawn(kind, chance, number, canvas) for number, kind in enumerate(kinds, 1)]
        canvas.save()
        pages = without_furniture(layout(page, find_tables(page)) for page in raw_pages(path))
    right: Counter[str] = Counter()
    total: Counter[str] = Counter()
    missed = []
    for kind, page, pieces in zip(kinds, pages, truth, strict=True):
        pairs = kept(page, pieces)
        total[kind] += len(pairs)
        right[kind] += sum(good for _, good in pairs)
        bad = [pieces[at].words for at, good in pairs if not good]
        if bad:
            missed.append(
                f"  page {page.number} ({kind}): {len(bad)} of {len(pairs)}, first before {' '.join(bad[0])[:60]!r}"
            )
    for kind in LAYOUTS:
        print(f"{kind:8} {right[kind]:5} of {total[kind]:5} = {right[kind] / total[kind]:.4f}")
    print(
        f"all      {right.total():5} of {total.total():5} = {right.total() / total.total():.4f} over {options.pages} pages"
    )
    print("\n".join(missed[: options.show]))


if __name__ == "__main__":
    main()
