"""Templates, and the filters that turn the contents of a corpus into words and numbers for them."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.responses import HTMLResponse, Response

from pincite.corpus.described import EDITABLE
from pincite.document.address import place_of
from pincite.evidence.headline import headline, likely, most_likely
from pincite.evidence.value_in_words import short_text, worded
from pincite.serve.corpora import document_key
from pincite.serve.table_view import ShownTable, grid_of
from pincite.serve.value_plots import answer_plots
from pincite.text.lexicon import data_table
from pincite.text.wording import counted
from pincite.types import Answer, Citation, Quantity, Table, Value
from pincite.untrusted import visible
from pincite.workbench.grid import Filled

if TYPE_CHECKING:
    from starlette.requests import Request

    from pincite.serve.bench import Visit


@cache
def environment() -> Environment:
    """The templates; everything put into them is escaped, and a name that is not there is an error."""
    made = Environment(
        loader=PackageLoader("pincite.serve"), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True, auto_reload=False,
    )  # fmt: skip
    made.filters.update(
        seen=seen, worded=worded, large=large, place=place, segment=segment, key=document_key, count=count, moment=moment,
        known=known, percent=percent, seconds=seconds, sentence=sentence, period=period, listed=listed, rows=rows,
        stage=stage, level=level, by_document=by_document, places=places, sortable=sortable, counted=counted,
        plots=answer_plots, figure=figure, headline=headline, likely=likely, most_likely=most_likely,
    )  # fmt: skip
    tables = {name.upper(): _WORDS[name] for name in ("states", "phases", "files", "keys")}
    made.globals.update(tables, EDITABLE=EDITABLE)
    return made


def corpus_page(visit: Visit, name: str, status: int = 200, **context: Any) -> Response:
    """A page of a corpus."""
    return page(visit.request, name, status, visit, **context)


def page(
    request: Request, name: str, status: int = 200, visit: Visit | None = None, **context: Any
) -> Response:
    """A page made of a template. `visit` names the corpus whose pages the navigation shows."""
    text = (
        environment()
        .get_template(name)
        .render(
            visit=visit, person=visit.person if visit else None, here=request.url.path,
            signs_in=not request.app.state.bench.access.open, base=base(visit), **context,
        )
    )  # fmt: skip
    response = HTMLResponse(text, status, {"Vary": "Accept-Encoding"})
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return response
    packed = gzip.compress(response.body, 6, mtime=0)
    headers = {"Vary": "Accept-Encoding", "Content-Encoding": "gzip"}
    return Response(packed, status, headers, response.headers["content-type"])


def base(visit: Visit | None) -> str:
    """The beginning of the addresses of a corpus's pages."""
    return f"/c/{visit.served.name}" if visit else ""


def seen(text: object) -> str:
    """A text of a document without characters that nobody sees and that could turn others around."""
    return visible(str(text))


def segment(text: object) -> str:
    """A text as one segment, or one value, of an address."""
    return quote(str(text), safe="")


_WORDS = data_table("words/serve")
_LABEL = re.compile(r"label='([^']*)'")
ROWS = 200  # rows of a table that is an answer which are shown
_OWN = ("file_words", "years", "title")  # what indexing notes of a document for itself


def known(meta: Mapping[str, str]) -> dict[str, str]:
    """What a person wants to know of a document."""
    return {name: value for name, value in meta.items() if name not in _OWN and value}


def count(number: float) -> str:
    """A whole number with separated thousands."""
    return f"{round(number):,}"


LEVELS = (0.7, "certain"), (0.4, "fair"), (0.0, "low")
"""From which confidence on an answer looks how certain."""


def level(confidence: float) -> str:
    """How certain a confidence is, as the name of a class: "certain", "fair" or "low"."""
    return next(name for least, name in LEVELS if confidence >= least)


def by_document(citations: Iterable[Citation]) -> list[tuple[str, list[Citation]]]:
    """Citations grouped by their document, both in the order in which they first appear."""
    groups: dict[str, list[Citation]] = {}
    for citation in citations:
        groups.setdefault(citation.document, []).append(citation)
    return list(groups.items())


def sortable(cell: Filled) -> str:
    """What the value of a grid's cell is sorted by: a number in its base unit, else its text; "" for none."""
    if isinstance(cell.value, Quantity):
        return str(cell.value.value * cell.value.scale)
    return "" if cell.value is None else cell.text


def figure(number: Decimal) -> str:
    """A number with separated thousands and as many decimals as it has."""
    text = f"{number:,f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return text.replace("-", "\u2212")


def percent(number: float) -> str:
    """A part of one as a whole percentage."""
    return f"{round(100 * number)}%"


def seconds(number: float) -> str:
    """A time that something took."""
    return f"{number * 1000:.0f} ms" if number < 1 else f"{number:.1f} s"


def sentence(text: str) -> str:
    """A message as a sentence: it begins with a capital, unless with a name of a file, and ends in a full stop."""
    first = text.partition(" ")[0]
    begun = text if "." in first or "_" in first else text[:1].upper() + text[1:]
    return begun if begun.endswith((".", "!", "?", "…")) else f"{begun}."


def moment(written: str) -> str:
    """A time as people write it, in UTC."""
    try:
        return f"{datetime.fromisoformat(written):%d %b %Y, %H:%M}"
    except ValueError:
        return written


def large(value: Value) -> tuple[str, str]:
    """A value as (what is shown large, its scale and unit)."""
    if isinstance(value, Quantity):
        kept = value.unit if value.unit in ("%", "year") else ""
        number = worded(replace(value, unit=kept, scale=Decimal(1)))
        return number.replace("-", "\u2212"), worded(value).removeprefix(number).strip()
    return worded(value), ""


def listed(value: Value) -> list[str]:
    """The items of a value that is a list, in words; none of any other."""
    return [worded(item) for item in value] if isinstance(value, tuple) else []


def rows(value: Value) -> ShownTable | None:
    """A value that is a table, as one to show."""
    if not isinstance(value, Table):
        return None
    cells = tuple(replace(cell, text=short_text(cell.text)) for cell in value.cells)
    return grid_of(replace(value, cells=cells), (), ROWS)


def period(answer: Answer) -> str:
    """The time that an answer holds for, where it is known."""
    own = answer.value.period if isinstance(answer.value, Quantity) else ""
    told = own or (answer.claims[-1].period if answer.claims else "")
    years = told.split()
    return ", ".join(sorted(years)) if all(year.isdigit() for year in years) else told


def stage(spelled: str) -> str:
    """What a stage did, by its spelling; a search says in what."""
    name = spelled.partition("(")[0]
    label = _LABEL.search(spelled) if name in ("Search", "AlsoNamed") else None
    said = str(_WORDS["stages"].get(name, name))
    if label is None:
        return said
    what, comma, how = label[1].partition(",")
    where = _WORDS["searched in"].get(what, what)
    return f"{said} {where}{comma if how else ''}{how}"


def place(citation: Citation) -> str:
    """Where a citation points, in its source's own terms."""
    return place_of(citation.anchor)


def places(citation: Citation) -> list[list[float]]:
    """What a citation frames as [page, x0, top, x1, bottom]."""
    return [[page, *box] for page, box in citation.anchor.spots if box]
