"""Stamps and watermarks that are text, with numbers in them, across tables."""

from random import Random

from reportlab.lib.colors import Color
from reportlab.pdfgen.canvas import Canvas

from tests.complaints.cases import Case, opened, statements
from tests.complaints.drawn import HEIGHT, WIDTH, Look, canvas, draw, look, pen


def stamp(page: Canvas, rng: Random, seen: Look, way: str, text: str) -> None:
    """One large slanted text, level lines of it, or small slanted ones all over the page."""
    big = {"slanted": (48, 60, 72), "level": (16, 20, 24), "tiled": (11, 14)}[way]
    page.setFont(rng.choice(seen.fonts), rng.choice(big))
    angle = rng.choice((30, 36, 45, 55, -35)) if way != "level" else 0
    if way == "slanted":
        places = [(110, seen.top - 150 if angle > 0 else seen.top + 60)]
    elif way == "level":
        below = range(int(seen.top) - 150, int(seen.top) + 60, rng.choice((33, 41, 47)))
        places = [(30 + 35 * (at % 2) + x, y) for at, y in enumerate(below) for x in (0, 190, 380)]
    else:
        places = [(x, y) for x in range(20, WIDTH, 150) for y in range(40, HEIGHT, 90)]
    for place in places:
        page.saveState()
        page.translate(*place)
        page.rotate(angle)
        page.drawString(0, 0, text)
        page.restoreState()


def make(seed: int) -> Case:
    rng, language, (draft, copy) = opened("stamps", seed)
    way = ("slanted", "level", "tiled")[seed % 3]
    number = str(rng.randint(2, 9) if way == "slanted" else rng.randint(4100, 4999))
    text, grey = f"{draft if way == 'slanted' else copy} {number}", rng.uniform(0.8, 0.9)
    light = Color(grey, grey, grey), Color(1, 0.75, 0.75), Color(0.3, 0.3, 0.3, alpha=0.2)
    colour, over = rng.choice(light), rng.random() < 0.4  # drawn after the table
    (page, held), shown, never = canvas(), [], [number]
    for made in statements(rng, language):
        seen = look(rng)
        for turn in (False, True):
            if turn == over:
                page.saveState()
                page.setFillColor(colour)
                stamp(page, rng, seen, way, text)
                page.restoreState()
            else:
                draw(page, seen, made, pen(page, seen))
        page.showPage()
        shown += made.shown()
    for one in shown:
        never += [one.text + number, number + one.text]
    page.save()
    return Case({"stamps.pdf": held.getvalue()}, shown, never)
