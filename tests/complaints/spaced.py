"""Thousands that are parted by spaces of several kinds, in columns that stand hardly further apart."""

from functools import partial
from random import Random

from reportlab.pdfbase.pdfmetrics import stringWidth

from tests.complaints.cases import Case, Shown, amounts, opened, printed
from tests.complaints.drawn import LEDGERS, canvas, grid, heading, look, pen
from tests.complaints.written import written

SIZES = tuple(
    (decimals, most, "", 1000)
    for decimals in (0, 0, 0, 1)
    for most in (9_000, 990_000, 19_000_000)
)
"""Decimals, the most, unit and scale."""
SPACES = {"pdf": (" ", "\u00a0"), "html": (" ", "\u00a0", "\u2009", "\u202f")}


def make(seed: int) -> Case:
    rng, language, (title, currency, ratio, labels) = opened("spaced", seed)
    kind = ("pdf", "html", "pdf")[seed % 3]
    last, space = rng.randint(2018, 2024), rng.choice(SPACES[kind])
    years = [str(last - back) for back in range(rng.randint(3, 6))]
    shown, rows, joined = [], [["", *years]], []
    for label in labels + [ratio]:
        kinds = ((2, 900, "%", 1),) if label == ratio else SIZES
        decimals, most, unit, scale = rng.choice(kinds)
        numbers = amounts(rng, len(years), decimals, most)
        numbers = [-one if rng.random() < 0.25 else one for one in numbers]
        texts = [printed(one, "sv", space) for one in numbers]
        for told in zip(years, texts, numbers, strict=True):
            shown.append(Shown(label, *told, unit or currency, scale))
        joined += [f"{left} {right}" for left, right in zip(texts, texts[1:], strict=False)]
        rows.append([label, *texts])
    make_file = drawn if kind == "pdf" else partial(written, kind)
    return Case({f"review.{kind}": make_file(title, language, rows)}, shown, joined)


def drawn(title: str, language: str, rows: list[list[str]]) -> bytes:
    """Columns as wide as their widest number and one space and a half to three."""
    rng, (page, held) = Random(title + rows[1][1]), canvas()
    seen, spaces = look(rng, LEDGERS), rng.uniform(1.5, 3)
    texts = [" ", *(text for _, *texts in rows for text in texts)]
    space, *widths = (stringWidth(text, seen.fonts[1], seen.size) for text in texts)
    wide, first = max(widths) + spaces * space, seen.left + 14 * seen.size
    ends = [first + wide * at for at in range(1, len(rows[0]))]
    heading(page, seen, title, language)
    page.scale(min(1.0, 540 / ends[-1]), 1)  # a table that is too wide is set narrower
    grid(page, seen, rows, pen(page, seen), ends)
    page.save()
    return held.getvalue()
