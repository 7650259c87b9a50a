"""Text that is drawn twice: bold made of two prints, shadows, whole layers."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from tests.complaints.cases import Case, statements
from tests.complaints.drawn import FAMILIES, HEIGHT, STANDARD, WIDTH, Look, canvas, draw, look, pen


class Doubling(NamedTuple):
    """Draws strong texts twice on a page; `across` and `up` say how far the second print stands from the first."""

    page: Canvas
    seen: Look
    way: str
    across: float
    up: float
    later: list[tuple[float, float, str, bool]]

    def put(self, x: float, y: float, text: str, strong: bool, right: bool) -> None:
        once, font, size = pen(self.page, self.seen), self.seen.fonts[0], self.seen.size
        x -= right * stringWidth(text, self.seen.fonts[strong and self.way == "shadow"], size)
        again = x + self.across, y + self.up
        if strong and self.way == "shadow":  # a grey copy below
            self.page.setFillGray(0.7)
            once(x + self.across, y - self.across, text, True)
            self.page.setFillGray(0)
            once(x, y, text, True)
        elif strong and self.way == "glyphs":  # each letter twice, then the next
            for letter in text:
                once(x, y, letter)
                once(x + self.across, y + self.up, letter)
                x += stringWidth(letter, font, size)
        elif strong and self.way == "string":  # a letter, a step back, the letter again
            name = self.page._doc.getInternalFontName(font)
            twice = " ".join(self._twice(letter, font) for letter in text)
            self.page._code.append(
                f"BT {name} {size} Tf 1 0 0 1 {x:.2f} {y:.2f} Tm [{twice}] TJ ET"
            )
        else:
            once(x, y, text)
            if strong:  # once more after all others
                self.later.append((*again, text, False))

    def _twice(self, letter: str, font: str) -> str:
        mark, back = letter.encode("cp1252")[0], round(1000 * self.across / self.seen.size)
        return (
            f"(\\{mark:03o}) {round(stringWidth(letter, font, 1000)) - back} (\\{mark:03o}) {back}"
        )


def make(seed: int) -> Case:
    """Strong texts are drawn twice; of the files of one way in five, the whole page."""
    way = ("pass", "glyphs", "string", "shadow", "layer")[seed % 5]
    rng, language = Random(f"twice {seed}"), ("en", "de", "sv", "fr")[seed // 2 % 4]
    (page, held), shown, doubled = canvas(), [], []
    for made in statements(rng, language):
        # strings in one operator are those of fonts with one byte a letter
        seen = look(rng, STANDARD if way == "string" else FAMILIES)
        apart = rng.choice((0.25, 0.4, 0.6, 0.9)), rng.choice((0, 0, 0.3))
        if way == "layer":
            page.beginForm(f"layer{len(shown)}", 0, 0, WIDTH, HEIGHT)
            draw(page, seen, made, pen(page, seen))
            page.endForm()
            page.doForm(f"layer{len(shown)}")
            page.translate(*apart)
            page.doForm(f"layer{len(shown)}")
        else:
            doubling = Doubling(page, seen, way, *apart, [])
            draw(page, seen, made, doubling.put)
            for text in doubling.later:
                pen(page, seen)(*text)
        page.showPage()
        shown += made.shown()
        for text in (*made.columns, *made.texts()[-1]):
            doubled += [2 * text, "".join(2 * letter for letter in text), f"{text} {text}"]
    page.save()
    return Case({"twice.pdf": held.getvalue()}, shown, doubled)
