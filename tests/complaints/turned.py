"""Column headings that are turned by 90 degrees, up or down, on an upright page."""

from decimal import Decimal
from random import Random

from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from tests.complaints.cases import Case, Shown, opened, printed
from tests.complaints.drawn import Look, canvas, heading, look, rule

UNITS = (("MPa", "MPa", 0), ("g/cm³", "g/cm3", 2), ("%", "%", 1), ("K", "K", 0), ("kg", "kg", 1))
"""Of each heading: the unit as printed and as Pincite names it, decimals."""


def make(seed: int) -> Case:
    rng, language, (title, corner, group, heads) = opened("turned", seed)
    numbers, (page, held), shown = rng.sample(range(100, 999), 70), canvas(), []
    for name in "AB"[: rng.choice((1, 1, 2))]:
        seen, rows = look(rng), []
        heading(page, seen, f"{title} {name}", language)
        columns = rng.sample(range(len(heads)), rng.randint(3, 5))
        for at in range(rng.randint(3, 7)):
            grade = f"{name}{rng.randint(10, 99)}-{at}"
            for column in columns:
                _, unit, decimals = UNITS[column]
                number = Decimal(numbers.pop()).scaleb(-decimals)
                shown.append(Shown(grade, heads[column], printed(number, language), number, unit))
            rows.append([grade, *(one.text for one in shown[-len(columns) :])])
        lines = [(heads[column], f"({UNITS[column][0]})") for column in columns]
        if rng.random() < 0.5:
            lines = [(" ".join(each),) for each in lines]
        turned_table(page, seen, rng, corner, rng.choice((group, "", "")), lines, rows)
        page.showPage()
    page.save()
    return Case({"turned.pdf": held.getvalue()}, shown, [head[::-1] for head in heads])


def turned_table(
    page: Canvas, seen: Look, rng: Random, corner: str, group: str, heads: list, rows: list
) -> None:
    """Headings upward or downward, under the level heading of a group or not."""
    lengths = [stringWidth(line, seen.fonts[1], seen.size) for each in heads for line in each]
    first, width = seen.left + 12 * seen.size, seen.size * rng.choice((4.5, 5.5))
    edges = [seen.left - 4, *(first + width * at for at in range(len(heads) + 1))]
    top, bottom = seen.top + 0.65 * seen.step, seen.top - 0.35 * seen.step - max(lengths) - 14
    page.setFont(seen.fonts[1], seen.size)
    page.drawString(seen.left, bottom + 5, corner)
    page.drawCentredString((first + edges[-1]) / 2, top + 6, group)
    turn, start = rng.choice(((1, bottom + 6), (-1, top - 6)))
    for x, each in zip(edges[1:], heads, strict=False):
        for nth, line in enumerate(each):
            aside = (nth - (len(each) - 1) / 2) * seen.size * 1.25 + seen.size * 0.35
            page.saveState()
            page.translate(x + width / 2 + turn * aside, start)
            page.rotate(turn * 90)
            page.drawString(0, 0, line)
            page.restoreState()
    page.setFont(seen.fonts[0], seen.size)
    for nth, (grade, *values) in enumerate(rows):
        y = bottom - seen.step * (nth + 0.65)
        page.drawString(seen.left, y, grade)
        for x, value in zip(edges[1:], values, strict=False):
            page.drawCentredString(x + width / 2, y, value)
    rule(page, seen, len(rows) + 1, edges, max(lengths) + 14)
