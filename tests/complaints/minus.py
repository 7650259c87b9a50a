"""Ledgers and accounts with the minus behind the number, as CSV, workbook, HTML and PDF."""

from random import Random

from tests.complaints.cases import Case, Shown, amounts, opened, printed
from tests.complaints.drawn import LEDGERS, canvas, grid, heading, look, pen
from tests.complaints.written import written

FORMATS = ("csv", "pdf", "xlsx", "html", "pdf", "semicolons.csv")


def make(seed: int) -> Case:
    """Years in either order; the minus is a hyphen, sometimes a minus sign, sometimes after a space."""
    rng, language, (title, corner, labels) = opened("minus", seed)
    kind = FORMATS[seed % len(FORMATS)]
    years = ["2023", "2022"] if rng.random() < 0.7 else ["2022", "2023"]
    minus, plus = ("-", " -", "-", "−")[seed // 3 % 4], rng.choice(("", "", "+"))
    shown: list[Shown] = []
    rows = [[corner, *years]]
    decimals = rng.choice((2, 2, 0))
    for label in rng.sample(labels, rng.randint(4, 7)):
        for year, number in zip(years, amounts(rng, 2, decimals, 9_000_000), strict=True):
            sign = rng.choice((-1, 1)) if shown else -1
            text = printed(number, language) + (minus if sign < 0 else plus)
            shown.append(Shown(label, year, text, sign * number, "EUR"))
        rows.append([label, *(one.text for one in shown[-2:])])
    if kind == "pdf":
        data = drawn(rng, title, language, rows)
    else:
        rows[0][1:] = [f"{year} EUR" for year in years]
        data = written(kind, title, language, rows)
    return Case({f"accounts.{kind}": data}, shown, [])


def drawn(rng: Random, title: str, language: str, rows: list[list[str]]) -> bytes:
    """A page on which digits stand below digits with the signs beyond them, or all end at one line."""
    page, held = canvas()
    seen, beyond = look(rng, LEDGERS), rng.random() < 0.5
    once = pen(page, seen)

    def put(x: float, y: float, text: str, strong: bool, right: bool) -> None:
        signs = text[len(text.rstrip("+-− ")) :]
        out = beyond * page.stringWidth(signs, seen.fonts[0], seen.size)
        once(x + out, y, text, strong, right)

    heading(page, seen, title, language)
    grid(page, seen, rows, put, seen.ends(2, 20))
    page.save()
    return held.getvalue()
