"""Tables drawn on the pages of a PDF, in several fonts, sizes and layouts."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from random import Random
from typing import NamedTuple

from reportlab.pdfbase.pdfmetrics import registerFont
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from tests.complaints.cases import WORDING, Statement

for name in ("Vera", "VeraBd", "VeraIt", "VeraBI"):
    registerFont(TTFont(name, f"{name}.ttf"))
Fonts = tuple[str, str]
"""The regular and the bold one."""
EMBEDDED: Sequence[Fonts] = (("Vera", "VeraBd"), ("VeraIt", "VeraBI"), ("Vera", "VeraBI"))
STANDARD: Sequence[Fonts] = (("Helvetica", "Helvetica-Bold"), ("Times-Roman", "Times-Bold"))
FAMILIES = (*STANDARD, *EMBEDDED[:2])
LEDGERS = (*FAMILIES, ("Courier", "Courier-Bold"))
"""With the one whose spaces are as wide as digits."""
WIDTH, HEIGHT = 595, 842
Put = Callable[[float, float, str, bool, bool], None]
"""Draw a text at (x, baseline): strong or not, x being its right end or not."""


class Look(NamedTuple):
    """Fonts and measures of a page; `rules` are drawn nowhere, under the header, or around every cell."""

    fonts: Fonts
    size: float
    left: float
    top: float
    step: float
    width: float
    rules: str

    def ends(self, columns: int, labels: float = 17) -> list[float]:
        """Where the columns end that stand behind labels of so many times the size, within the page."""
        first = self.left + labels * self.size
        width = min(self.width, (WIDTH - 30 - first) / columns)
        return [first + width * (at + 1) for at in range(columns)]


def look(rng: Random, families: Sequence[Fonts] = FAMILIES) -> Look:
    fonts, size = rng.choice(families), rng.choice((8.0, 9.0, 9.5, 10.0, 11.0))
    width = size * rng.choice((7.5, 8.5, 9.5)) * (1.25 if fonts[0][:4] in ("Cour", "Vera") else 1)
    place = (
        rng.choice((48, 60, 72)),
        rng.choice((600, 660, 720)),
        size * rng.choice((1.6, 1.9, 2.2)),
    )
    return Look(fonts, size, *place, width, rng.choice(("none", "head", "grid")))


def canvas() -> tuple[Canvas, io.BytesIO]:
    held = io.BytesIO()
    return Canvas(held, pagesize=(WIDTH, HEIGHT), invariant=1), held


def pen(page: Canvas, seen: Look) -> Put:
    """Draws each text once, in the look's fonts."""

    def put(x: float, y: float, text: str, strong: bool = False, right: bool = False) -> None:
        page.setFont(seen.fonts[strong], seen.size)
        (page.drawRightString if right else page.drawString)(x, y, text)

    return put


def heading(page: Canvas, seen: Look, title: str, language: str) -> None:
    """A title and a sentence without numbers, which tells the language of the page."""
    page.setFont(seen.fonts[1], seen.size + 4)
    page.drawString(seen.left, 800, title)
    page.setFont(seen.fonts[0], 9)
    page.drawString(seen.left, 775, WORDING["prose"][language])


def grid(page: Canvas, seen: Look, rows: list[list[str]], put: Put, ends: list[float]) -> None:
    """Labels on the left, all other texts up to `ends`. The first row and one of a total are strong."""
    for at, (label, *texts) in enumerate(rows):
        y = seen.top - at * seen.step
        strong = at == 0 or label.startswith(("Total", "Summ")) or label.endswith("gesamt")
        put(seen.left, y, label, strong, False)
        for x, text in zip(ends, texts, strict=True):
            put(x, y, text, strong, True)
    edges = [seen.left - 4, *(end + 4 for end in (2 * ends[0] - ends[1], *ends))]
    rule(page, seen, len(rows), edges)


def rule(page: Canvas, seen: Look, rows: int, edges: list[float], head: float = 0) -> None:
    """The lines of a table whose columns have these edges; its header is so much higher than a row."""
    top = seen.top + 0.65 * seen.step
    below = [top, *(top - head - at * seen.step for at in range(1, rows + 1))]
    for y in {"none": [], "head": below[1:2], "grid": below}[seen.rules]:
        page.line(edges[0], y, edges[-1], y)
    for x in edges if seen.rules == "grid" else ():
        page.line(x, below[0], x, below[-1])


def draw(page: Canvas, seen: Look, made: Statement, put: Put) -> None:
    """A page with a statement, which is left open."""
    heading(page, seen, made.topic.title, made.language)
    grid(page, seen, made.texts(), put, seen.ends(len(made.columns)))
