"""Workbooks that declare a false range, leave out references, and name units in a title, the headers, a column or a row."""

import io
import re
import zipfile
from decimal import Decimal

import openpyxl

from tests.complaints.cases import Case, Shown, opened

PLANTS = ("Asker", "Brekke", "Dokka", "Fosen", "Grimstad", "Hadsel")
RANGES = ("A1", "A1:B2", "B3", "A1:XFD1048576", "Z90:AA99", None)
"""What sheets say that they hold; None says nothing."""


def make(seed: int) -> Case:
    rng, _, (title, said, corner, uses, unit, people) = opened("sheets", seed)
    place = ("title", "headers", "column", "row")[seed % 4]
    plants = rng.sample(PLANTS, rng.randint(3, 6))
    book, top, left = openpyxl.Workbook(), rng.randint(2, 5), rng.randint(1, 3)
    sheet, shown = book.active, []
    sheet.cell(1, left, f"{title} {said}" if place == "title" and top == 2 else title)
    if place == "title" and top > 2:
        sheet.cell(2, left, said)
    values = {(plant, use): rng.randint(0, 30_000) for plant in plants for use in uses}
    values[plants[1], uses[2]] = 0
    head = [corner, *(f"{use} (MWh)" if place == "headers" else use for use in uses)]
    rows = [[plant, *(values[plant, use] for use in uses)] for plant in plants]
    if place == "column":
        head.insert(1, unit)
        rows = [[first, "MWh", *rest] for first, *rest in rows]
    if place == "row":
        rows.insert(0, [None, *("MWh" for _ in uses)])
    for at, row in enumerate([head, *rows], top):
        for column, value in enumerate(row, left):
            sheet.cell(at, column, value).number_format = "#,##0"
    for (plant, use), value in values.items():
        shown.append(Shown(plant, use, f"{value:,}", Decimal(value), "MWh"))
    other = book.create_sheet(people)
    for row in ([people], [corner, "2023", "2022"]):
        other.append(row)
    for plant in plants:
        pair = rng.sample(range(30_001, 40_000), 2)
        other.append([plant, *pair])
        for year, one in zip(("2023", "2022"), pair, strict=True):
            shown.append(Shown(plant, year, str(one), Decimal(one)))
    held = io.BytesIO()
    book.save(held)
    ranges, bare = (RANGES[seed % len(RANGES)], rng.choice(RANGES)), rng.choice((0, 1, 2))
    return Case({"book.xlsx": declared(held.getvalue(), ranges, bare)}, shown, [])


def declared(data: bytes, ranges: tuple[str | None, ...], bare: int) -> bytes:
    """The workbook with other ranges; the first sheet that is `bare` and those after it have cells without references."""
    held = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(held, "w") as new:
        for item in old.infolist():
            text = old.read(item)
            if found := re.search(r"worksheets/sheet(\d)", item.filename):
                at = int(found[1]) - 1
                told = f'<dimension ref="{ranges[at]}"/>' if ranges[at] else ""
                text = re.sub(rb"<dimension [^>]*/>", told.encode(), text)
                if at >= bare:
                    text = without_references(text.decode()).encode()
            new.writestr(item, text)
    return held.getvalue()


def without_references(sheet: str) -> str:
    """Cells without references stand one after another, so those that are left out are written as empty ones."""

    def row(found: re.Match[str]) -> str:
        cells = re.findall(r'<c r="([A-Z]+)\d+"([^>]*?(?:/>|>.*?</c>))', found[2])
        made, at = "", 1
        for letter, rest in cells:
            column = openpyxl.utils.column_index_from_string(letter)
            made += "<c/>" * (column - at) + f"<c{rest}"
            at = column + 1
        return f"{found[1]}{made}</row>"

    return re.sub(r"(<row [^>]*>)(.*?)</row>", row, sheet)
