"""Wording that is struck out, in every format that can say so; underlined wording beside it is in force."""

import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from random import Random
from typing import NamedTuple

import docx
import openpyxl
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
from openpyxl.styles import Font
from pptx import Presentation
from pptx.util import Inches
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from tests.complaints.cases import Case, Shown, amounts, opened, printed
from tests.complaints.drawn import Look, canvas, look
from tests.ingest.test_odf import packed

PLAIN, STRUCK, UNDERLINED = range(3)
UNDERLINE = (None, None, "single")


class Piece(NamedTuple):
    text: str
    how: int = PLAIN


Line = list[Piece]


class Permit(NamedTuple):
    title: str
    lines: list[Line]
    rows: list[list[Line]]

    def places(self) -> Iterator[tuple[int, int]]:
        return product(range(len(self.rows)), range(2))

    def placed(self, cells: Mapping, paragraphs: Iterable) -> Iterator[tuple]:
        """Every piece with the paragraph of the table or the text in which it stands."""
        lines = [line for row in self.rows for line in row] + self.lines
        for paragraph, line in zip((*cells.values(), *paragraphs), lines, strict=True):
            yield from ((paragraph, piece) for piece in line)

    def marked(self, marks: Sequence[str], paragraph: str, cell: str, row: str) -> tuple[str, str]:
        """The table and the text in marks, each with {} where its content stands."""

        def line(pieces: Line) -> str:
            return "".join(marks[how].format(text) for text, how in pieces)

        rows = ("".join(cell.format(line(one)) for one in each) for each in self.rows)
        text = "".join(paragraph.format(line(one)) for one in self.lines)
        return "".join(row.format(one) for one in rows), text


def docx_file(permit: Permit, rng: Random) -> bytes:
    """Struck as formatting, doubly, by a style, or as a tracked deletion."""
    made, way = docx.Document(), rng.choice(("strike", "double_strike", "style", "deleted"))
    made.styles.add_style("Repealed", 2).font.strike = True
    made.add_heading(permit.title, 1)
    table = made.add_table(len(permit.rows), 2)
    paragraphs = [made.add_paragraph() for _ in permit.lines]
    cells = {at: table.cell(*at).paragraphs[0] for at in permit.places()}
    for place, (text, how) in permit.placed(cells, paragraphs):
        if how == STRUCK and way == "deleted":
            deleted = f'<w:r><w:delText xml:space="preserve">{text}</w:delText></w:r>'
            deletion = f'<w:del {nsdecls("w")} w:id="1" w:author="A">{deleted}</w:del>'
            place._p.append(parse_xml(deletion))
            continue
        run = place.add_run(text, "Repealed" if how == STRUCK and way == "style" else None)
        run.font.underline = how == UNDERLINED or None
        if how == STRUCK and way != "style":
            setattr(run.font, way, True)
    return saved(made)


def pptx_file(permit: Permit, rng: Random) -> bytes:
    """Struck once or doubly, in a text box and in a table."""
    made, kind = Presentation(), rng.choice(("sngStrike", "dblStrike"))
    slide = made.slides.add_slide(made.slide_layouts[5])
    slide.shapes.title.text = permit.title
    table = slide.shapes.add_table(len(permit.rows), 2, *map(Inches, (1, 1.5, 6, 2))).table
    frame = slide.shapes.add_textbox(*map(Inches, (1, 4.5, 8, 2))).text_frame
    paragraphs = [frame.paragraphs[0], *(frame.add_paragraph() for _ in permit.lines[1:])]
    cells = {at: table.cell(*at).text_frame.paragraphs[0] for at in permit.places()}
    for place, (text, how) in permit.placed(cells, paragraphs):
        run = place.add_run()
        run.text, run.font.underline = text, how == UNDERLINED
        if how == STRUCK:
            run.font._element.set("strike", kind)
    return saved(made)


def xlsx_file(permit: Permit, rng: Random) -> bytes:
    """Struck cells, and struck runs inside cells."""
    book = openpyxl.Workbook()
    book.active["A1"] = permit.title
    for at, row in enumerate([*permit.rows, *([line] for line in permit.lines)], 3):
        for column, line in enumerate(row, 1):
            cell = book.active.cell(at + (at >= len(permit.rows) + 3), column)
            looks = [{"strike": how == STRUCK, "u": UNDERLINE[how]} for _, how in line]
            runs = [
                TextBlock(InlineFont(**one), text)
                for one, (text, _) in zip(looks, line, strict=True)
            ]
            cell.value = CellRichText(*runs) if len(line) > 1 else line[0].text
            cell.font = Font(**looks[0]) if len(line) == 1 else Font()
    return saved(book)


def saved(made) -> bytes:
    held = io.BytesIO()
    made.save(held)
    return held.getvalue()


STYLE = (
    "<meta charset='utf-8'><style>.old { color: grey; text-decoration-line: line-through }</style>"
)
ODT_STYLE = (
    '<style:style style:name="{}" style:family="text"><style:text-properties'
    ' style:text-{}-style="solid"{}/></style:style>'
)


def html_file(permit: Permit, rng: Random) -> bytes:
    """Struck by an element, an attribute, or a rule of the page's style."""
    by_style = 'span class="old"', 'span style="text-decoration: line-through"'
    opened = rng.choice(("del", "s", "strike", *by_style))
    marks = "{}", f"<{opened}>{{}}</{opened.split()[0]}>", "<u>{}</u>"
    rows, text = permit.marked(marks, "<p>{}</p>", "<td>{}</td>", "<tr>{}</tr>")
    return f"{STYLE}<h1>{permit.title}</h1><table>{rows}</table>{text}".encode()


def odt_file(permit: Permit, rng: Random) -> bytes:
    """Struck by an automatic style, once or doubly."""
    double = rng.choice(("", ' style:text-line-through-type="double"'))
    styles = ODT_STYLE.format("S", "line-through", double) + ODT_STYLE.format("U", "underline", "")
    marks = "{}", *(f'<text:span text:style-name="{one}">{{}}</text:span>' for one in "SU")
    cell = "<table:table-cell><text:p>{}</text:p></table:table-cell>"
    row = "<table:table-row>{}</table:table-row>"
    rows, text = permit.marked(marks, "<text:p>{}</text:p>", cell, row)
    columns = '<table:table-column table:number-columns-repeated="2"/>'
    head = f'<text:h text:outline-level="1">{permit.title}</text:h>'
    return packed("text", f"{head}<table:table>{columns}{rows}</table:table>{text}", styles)


def rtf_file(permit: Permit, rng: Random) -> bytes:
    """Struck once or doubly."""
    marks = "{}", rng.choice((r"{{\strike {}}}", r"{{\striked1 {}}}")), r"{{\ul {}}}"
    row = r"\trowd\cellx4000\cellx8000\pard\intbl {}\row" + "\n"
    rows, text = permit.marked(marks, r"\pard {}\par" + "\n", r"{}\cell ", row)
    head = (
        r"{\rtf1\ansi\ansicpg1252{\fonttbl{\f0\fcharset0 Arial;}}\pard " + permit.title + r"\par "
    )
    coded = (head + rows + text + "}").encode("cp1252")
    return b"".join(b"\\'%02x" % one if one > 127 else bytes([one]) for one in coded)


def pdf_file(permit: Permit, rng: Random) -> bytes:
    """Struck by a bar, a line, two lines, or an annotation; the table is ruled or not."""
    page, held = canvas()
    seen, way = look(rng), rng.choice(("bar", "line", "annotation", "double"))
    page.setFont(seen.fonts[1], seen.size + 4)
    page.drawString(60, 780, permit.title)
    y = 740
    for row in permit.rows:
        for x, cell in zip((60, 300), row, strict=True):
            pdf_line(page, seen, x, y, cell, way)
        if seen.rules == "grid":
            page.rect(56, y - 0.3 * seen.step, 360, seen.step)
        y -= seen.step
    for line in permit.lines:
        y -= 2 * seen.step
        pdf_line(page, seen, 60, y, line, way)
    page.save()
    return held.getvalue().replace(b"/Subtype /Highlight", b"/Subtype /StrikeOut")


def pdf_line(page: Canvas, seen: Look, x: float, y: float, line: Line, way: str) -> None:
    heights = {"bar": (), "annotation": (), "line": (0.28,), "double": (0.22, 0.34)}[way]
    page.setFont(seen.fonts[0], seen.size)
    page.setLineWidth(0.06 * seen.size)
    for text, how in line:
        page.drawString(x, y, text)
        end = x + stringWidth(text, seen.fonts[0], seen.size)
        for height in {PLAIN: (), STRUCK: heights, UNDERLINED: (-0.12,)}[how]:
            page.line(x, y + height * seen.size, end, y + height * seen.size)
        if how == STRUCK and way == "bar":
            page.rect(x, y + 0.25 * seen.size, end - x, 0.07 * seen.size, stroke=0, fill=1)
        if how == STRUCK and way == "annotation":
            box = x, y - 0.2 * seen.size, end, y + 0.8 * seen.size
            page.highlightAnnotation("", box, Color=[1, 0, 0])
        x = end


FORMATS = (docx_file, pdf_file, html_file, odt_file, pptx_file, xlsx_file, rtf_file)


def make(seed: int) -> Case:
    """Limits of which the old one is struck before the new one, a sentence and a row that are struck whole."""
    rng, language, (title, sentences, whole, head, substances) = opened("struck", seed)
    write = FORMATS[seed % len(FORMATS)]
    numbers = amounts(rng, 9, rng.choice((0, 1)), 1000)
    texts = [printed(one, language) for one in numbers]
    shown = [Shown(whole.split(" {}")[0], "", "52")]
    lines = [[Piece(whole.format(41), STRUCK)], [Piece(whole.format(52))]]
    for sentence, new, old, number in zip(sentences, texts, texts[2:], numbers, strict=False):
        before, after = sentence.split("{}")
        unit = after.rstrip(".")
        shown.append(Shown(before.strip(), "", new, number, unit))
        in_force = Piece(new + unit, rng.choice((PLAIN, UNDERLINED)))
        lines.append([Piece(before), Piece(old + unit, STRUCK), Piece(" "), in_force, Piece(".")])
    rows = [[[Piece(one)] for one in head]]
    gone = rng.randrange(len(substances))
    for at, name in enumerate(substances):
        how, limit = (STRUCK if at == gone else PLAIN), texts[4 + at]
        before = [Piece(texts[8], STRUCK), Piece(" ")] if at == (gone + 1) % 4 else []
        rows.append([[Piece(name, how)], [*before, Piece(limit, how)]])
        if at != gone:
            shown.append(Shown(name, head[1], limit, numbers[4 + at], "kg"))
    never = ["41", texts[2], texts[3], texts[4 + gone], texts[8]]
    name = f"permit.{write.__name__.removesuffix('_file')}"
    return Case({name: write(Permit(title, lines, rows), rng)}, shown, never)
