"""What office documents draw (ECMA-376 part 1, chapters 20 and 21): text, charts as the tables of their data, diagrams."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from pincite.ingest.given_tables import table_block, table_of
from pincite.ingest.layout.raised_marks import ending, raised
from pincite.ingest.optional_libraries import needed
from pincite.ingest.page_cuts import text_block, tidied
from pincite.ingest.raw_page import Block
from pincite.ingest.web.markup import whole, xml_root
from pincite.text.struck_text import STRUCK
from pincite.types import Cell

A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
MATH = "{http://schemas.openxmlformats.org/officeDocument/2006/math}t"
FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
"""What a program shows that does not know what stands beside it."""
_CHART = "{http://schemas.openxmlformats.org/drawingml/2006/chart}chart"
_DIAGRAM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}relIds"
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_UNREAD = {
    "{http://schemas.microsoft.com/office/drawing/2014/chartex}chart": "chart",
    "{http://schemas.openxmlformats.org/presentationml/2006/main}oleObj": "embedded object",
    "{urn:schemas-microsoft-com:office:office}OLEObject": "embedded object",
}
"""Elements of what is not read, and what it is called."""
_WHOLE = "noStrike"


def drawn(element: Any, part: Any, left: Counter[str]) -> Iterator[Block]:
    """The charts and diagrams in an element of a part; `left` counts what is drawn there or embedded and was not read."""
    for found in element.iter(_CHART, _DIAGRAM, *_UNREAD):
        if next(found.iterancestors(FALLBACK), None) is not None:
            continue
        if found.tag == _CHART:
            try:
                yield from list(_chart(part.rels[found.get(f"{_RELATION}id")].target_part.blob))
            except Exception:  # python-pptx does not know all kinds of charts
                left["chart"] += 1
        elif found.tag == _DIAGRAM:
            words = part.rels[found.get(f"{_RELATION}dm")].target_part.blob
            root = xml_root(words, "a diagram")
            yield from bulleted(["\u2022 " + text.replace("\n", " ") for text in paragraphs(root)])
        else:
            left[_UNREAD[found.tag]] += 1


def paragraphs(element: Any) -> Iterator[str]:
    """The paragraphs in an element that say something."""
    return filter(None, map(paragraph_text, element.iter(f"{A}p")))


def paragraph_text(element: Any) -> str:
    """The text of a paragraph, its line breaks kept."""
    parts: list[str] = []
    for part in element.iter():
        if part.tag == f"{A}br":
            parts.append("\n")
        elif part.tag in (f"{A}t", MATH):
            look = part.getparent().find(f"{A}rPr")
            look = {} if look is None else look.attrib
            up = whole(look.get("baseline", "").strip("+%")) > 0
            text = STRUCK if look.get("strike", _WHOLE) != _WHOLE else part.text or ""
            parts.append(raised(ending(parts), text) if up else text)
    return tidied("".join(parts).replace("\v", "\n"))


def bulleted(items: list[str]) -> Iterator[Block]:
    """Items with their bullets as a list; one alone as the text that it is."""
    if len(items) == 1:
        yield text_block(items[0].removeprefix("\u2022 "))
    elif items:
        yield text_block("\n".join(items), "list")


def _chart(part: bytes) -> Iterator[Block]:
    """A chart as the table of its data."""
    element = needed("pptx.oxml", "a chart").parse_xml(part)
    chart = needed("pptx.chart.chart", "a chart").Chart(element, None)
    titled = chart.has_title and chart.chart_title.has_text_frame
    title = chart.chart_title.text_frame.text if titled else ""
    for plot in chart.plots:
        caption = [title] if title else []
        made = table_of(_plot_cells(plot), header_rows=1, header_columns=1, caption=caption)
        if made is not None:
            if title:
                yield text_block(title, "caption")
            yield table_block(made)


def _plot_cells(plot: Any) -> list[Cell]:
    """The data of a plot: a row for each category, a column for each series."""
    series = [list(drawn.values) for drawn in plot.series]
    longest = max(map(len, series), default=0)
    labels = list(map(str, plot.categories)) or list(map(str, range(1, longest + 1)))
    names = enumerate((drawn.name for drawn in plot.series), 1)
    cells = [Cell(0, column, name or f"Series {column}") for column, name in names]
    cells += [Cell(row, 0, label) for row, label in enumerate(labels, 1)]
    for column, values in enumerate(series, 1):
        for row, value in enumerate(values[: len(labels)], 1):
            if value is not None:
                text = f"{value:.12g}" if isinstance(value, float) else str(value)
                cells.append(Cell(row, column, text))
    return cells
