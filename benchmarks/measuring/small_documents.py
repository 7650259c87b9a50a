"""Questions over small documents, one or two pages each: every document is a corpus of its own.

The documents are invented. They are described in benchmarks/questions/small_documents.txt and written from there: `[name.pdf]`
begins a file, `#` and `##` a heading, `|` a row of a table (`<` continues the cell to its left), `---` a new page, and every
other line is a paragraph.
"""

from __future__ import annotations

import csv
import datetime
import html
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from benchmarks.measuring import answer_key as answerkey
from benchmarks.measuring import measured_system as system
from benchmarks.measuring.measurement import ReportedFigure, Work
from benchmarks.measuring.own_questions import (
    QUESTIONS,
    answers,
    calibration_lines,
    candidates,
    shown_lines,
)
from pincite.records.runfile import Record, read_lines

DOCUMENTS = QUESTIONS / "small_documents.txt"
LEFT = "<"
DAY = datetime.datetime(2025, 7, 1)
"""The day that files bear inside as that of their writing."""


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of a document: its kind (title, heading, paragraph, table or page), its text, and the rows of a table."""

    kind: str
    text: str = ""
    rows: list[list[str]] = field(default_factory=list)


def measure_small(work: Work) -> list[ReportedFigure]:
    """Every question put to its own document alone."""
    rows = read_lines(QUESTIONS / "small.jsonl")[: work.limit]
    files = build(work.folder / "files")
    records: dict[str, Record] = {}
    for name in dict.fromkeys(str(row["file"]) for row in rows):
        part = replace(work, folder=work.folder / Path(name).stem)
        part.folder.mkdir(parents=True, exist_ok=True)
        system.index((files[name],), part.corpus)
        records |= answers(part, [row for row in rows if row["file"] == name], "answers")
    judged = {str(row["id"]): answerkey.right(records.get(str(row["id"])), row) for row in rows}
    made = shown_lines("small documents", records, rows, judged)
    best = candidates(records)
    guessed = {str(row["id"]): answerkey.right(best.get(str(row["id"])), row) for row in rows}
    return made + calibration_lines("small documents", best, guessed)


def described() -> dict[str, list[Block]]:
    """The blocks of every document, by the name of its file."""
    made: dict[str, list[Block]] = {}
    blocks: list[Block] = []
    for line in DOCUMENTS.read_text(encoding="utf-8").splitlines():
        if name := re.fullmatch(r"\[(.+)\]", line):
            blocks = made.setdefault(name[1], [])
        elif line.startswith("|"):
            if not blocks or blocks[-1].kind != "table":
                blocks.append(Block("table"))
            blocks[-1].rows.append([cell.strip() for cell in line.strip("|").split("|")])
        elif line == "---":
            blocks.append(Block("page"))
        elif line:
            kind = {"#": "title", "##": "heading"}.get(line.split()[0], "paragraph")
            blocks.append(Block(kind, line.lstrip("# ")))
    return made


def build(folder: Path) -> dict[str, Path]:
    """Write all documents into a folder; returns their paths by name."""
    folder.mkdir(parents=True, exist_ok=True)
    made = {}
    for name, blocks in described().items():
        made[name] = folder / name
        WRITERS[made[name].suffix](blocks, made[name])
    return made


def value(text: str) -> tuple[float | str, str]:
    """What a spreadsheet stores for a cell's text, and the number format that shows it as that text.

    A year stays bare: thousands have a comma in every description.
    """
    if re.fullmatch(r"-?\d{1,3}(,\d{3})+|-?\d{1,3}", text):
        return int(text.replace(",", "")), "#,##0"
    if re.fullmatch(r"-?\d+\.\d+", text):
        return float(text), f"0.{'0' * len(text.partition('.')[2])}"
    return (int(text), "0") if re.fullmatch(r"\d{4}", text) else (text, "General")


def is_number(text: str) -> bool:
    """Whether a cell is a number or a dash, with or without sign, brackets and percent sign, so that it stands to the right."""
    return re.fullmatch(r"[-(]?[\d,.]+%?\)?|-", text) is not None


def spans(row: Sequence[str]) -> list[tuple[int, int]]:
    """First and last column of the cells of a row that go on to their right."""
    made = []
    for at, cell in enumerate(row):
        last = at
        while last + 1 < len(row) and row[last + 1] == LEFT:
            last += 1
        if cell != LEFT and last > at:
            made.append((at, last))
    return made


def plain_cell(cell: str) -> str:
    """The text of a cell: none where it continues another."""
    return "" if cell == LEFT else cell


def write_pdf(blocks: Sequence[Block], path: Path) -> None:
    """A PDF of A4 pages; tables have lines under their header and none between cells."""
    from reportlab.lib.pagesizes import A4
    from reportlab.lib.styles import getSampleStyleSheet
    from reportlab.platypus import PageBreak, Paragraph, SimpleDocTemplate, Spacer

    styles = getSampleStyleSheet()
    named = {"title": "Heading1", "heading": "Heading2", "paragraph": "BodyText"}
    story: list[Any] = []
    for block in blocks:
        if block.kind == "page":
            story.append(PageBreak())
        elif block.kind == "table":
            story += [_pdf_table(block.rows), Spacer(1, 10)]
        else:
            story.append(Paragraph(html.escape(block.text), styles[named[block.kind]]))
    SimpleDocTemplate(str(path), pagesize=A4, invariant=1, title=blocks[0].text).build(story)


def _pdf_table(rows: list[list[str]]) -> Any:
    from reportlab.lib import colors
    from reportlab.platypus import Table, TableStyle

    header = 1 + any(LEFT in row for row in rows)
    style: list[tuple[Any, ...]] = [
        ("FONTSIZE", (0, 0), (-1, -1), 9),
        ("FONTNAME", (0, 0), (-1, header - 1), "Helvetica-Bold"),
        ("LINEBELOW", (0, header - 1), (-1, header - 1), 0.8, colors.black),
        ("LINEBELOW", (0, -1), (-1, -1), 0.4, colors.grey),
    ]
    for column in range(1, len(rows[0])):
        if any(is_number(row[column]) for row in rows[header:]):
            style.append(("ALIGN", (column, 0), (column, -1), "RIGHT"))
    for at, row in enumerate(rows):
        for first, last in spans(row):
            style += [
                ("SPAN", (first, at), (last, at)),
                ("ALIGN", (first, at), (last, at), "CENTER"),
            ]
    return Table(
        [[plain_cell(cell) for cell in row] for row in rows],
        style=TableStyle(style),
        hAlign="LEFT",
        repeatRows=header,
    )


def write_docx(blocks: Sequence[Block], path: Path) -> None:
    """A Word file with headings, paragraphs and ruled tables."""
    import docx

    made = docx.Document()
    made.core_properties.created = made.core_properties.modified = DAY
    for block in blocks:
        if block.kind == "page":
            made.add_page_break()
        elif block.kind == "table":
            table = made.add_table(rows=0, cols=len(block.rows[0]), style="Table Grid")
            for row in block.rows:
                cells = table.add_row().cells
                for cell, text in zip(cells, row, strict=True):
                    cell.text = plain_cell(text)
                for first, last in spans(row):
                    cells[first].merge(cells[last])
        elif block.kind == "paragraph":
            made.add_paragraph(block.text)
        else:
            made.add_heading(block.text, 1 if block.kind == "title" else 2)
    made.save(str(path))


def write_xlsx(blocks: Sequence[Block], path: Path) -> None:
    """A workbook of one sheet; numbers are stored as numbers, and an empty row parts the table from what stands over it."""
    import openpyxl
    from openpyxl.styles import Font

    book = openpyxl.Workbook()
    book.properties.created = book.properties.modified = DAY
    sheet = book.active
    assert sheet is not None
    at = 1
    for block in blocks:
        for row, cells in enumerate(block.rows):
            at += 1
            for column, text in enumerate(cells, 1):
                cell = sheet.cell(at, column)
                cell.value, cell.number_format = value(plain_cell(text))
                cell.font = Font(bold=row == 0)
        if not block.rows:
            sheet.cell(at, 1, block.text).font = Font(bold=block.kind != "paragraph")
            at += 1
    sheet.column_dimensions["A"].width = 32
    book.save(path)


def write_html(blocks: Sequence[Block], path: Path) -> None:
    """A page with headings, paragraphs and tables."""
    tags = {"title": "h1", "heading": "h2", "paragraph": "p"}
    parts = []
    for block in blocks:
        if block.kind != "table":
            parts.append(f"<{tags[block.kind]}>{html.escape(block.text)}</{tags[block.kind]}>")
            continue
        rows = [
            "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in row) + "</tr>"
            for tag, row in zip(["th", *["td"] * (len(block.rows) - 1)], block.rows, strict=True)
        ]
        parts.append("<table>\n" + "\n".join(rows) + "\n</table>")
    title = html.escape(blocks[0].text)
    path.write_text(
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title></head>\n<body>\n'
        + "\n".join(parts)
        + "\n</body></html>\n",
        encoding="utf-8",
    )


def write_markdown(blocks: Sequence[Block], path: Path) -> None:
    """The description itself, with the line that Markdown wants under a table's header."""
    marks = {"title": "# ", "heading": "## ", "paragraph": ""}
    parts = []
    for block in blocks:
        rows = [f"| {' | '.join(row)} |" for row in block.rows]
        rule = ["|" + " --- |" * len(block.rows[0])] if block.rows else []
        parts.append("\n".join(rows[:1] + rule + rows[1:]) or marks[block.kind] + block.text)
    path.write_text("\n\n".join(parts) + "\n", encoding="utf-8")


def write_csv(blocks: Sequence[Block], path: Path) -> None:
    """The rows of the tables and nothing else."""
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(row for block in blocks for row in block.rows)


WRITERS: dict[str, Callable[[Sequence[Block], Path], None]] = {
    ".pdf": write_pdf,
    ".docx": write_docx,
    ".xlsx": write_xlsx,
    ".html": write_html,
    ".md": write_markdown,
    ".csv": write_csv,
}
