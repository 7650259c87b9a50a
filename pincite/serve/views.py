"""Templates, and the few words and numbers that they need made of what the corpus holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.responses import HTMLResponse

from pincite.answer.say import worded
from pincite.answer.shown import visible
from pincite.ingest.address import place_of
from pincite.serve.corpora import document_key
from pincite.types import Box, Citation, Quantity, Value

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
        known=known, percent=percent, seconds=seconds, size=size,
    )  # fmt: skip
    return made


def page(request: Request, name: str, status: int = 200, visit: Visit | None = None, **context: Any) -> HTMLResponse:
    """A page made of a template. `visit` names the corpus whose pages the navigation shows."""
    bench = request.app.state.bench
    person = visit.person if visit else None
    text = (
        environment()
        .get_template(name)
        .render(
            visit=visit,
            person=person,
            here=request.url.path,
            signs_in=not bench.access.open,
            base=base(visit),
            **context,
        )
    )
    return HTMLResponse(text, status)


def base(visit: Visit | None) -> str:
    """The beginning of the addresses of a corpus's pages."""
    return f"/c/{visit.served.name}" if visit else ""


def seen(text: object) -> str:
    """A text of a document without characters that nobody sees and that could turn others around."""
    return visible(str(text))


def segment(text: object) -> str:
    """A text as one segment, or one value, of an address."""
    return quote(str(text), safe="")


_OWN = ("file_words", "company_guess", "years", "title")
"""What indexing notes of a document for itself."""


def known(meta: Mapping[str, str]) -> dict[str, str]:
    """What a person wants to know of a document."""
    return {name: value for name, value in meta.items() if name not in _OWN and value}


def count(number: float) -> str:
    """A whole number with its thousands apart."""
    return f"{round(number):,}"


def percent(number: float) -> str:
    """A part of one as a whole percentage."""
    return f"{round(100 * number)}%"


def seconds(number: float) -> str:
    """A time that something took."""
    return f"{number * 1000:.0f} ms" if number < 1 else f"{number:.1f} s"


def size(number: float) -> str:
    """Bytes in words."""
    return f"{number / 2**20:.1f} MB" if number >= 2**20 else f"{max(1, round(number / 1024))} KB"


def moment(written: str) -> str:
    """A time as people write it, in UTC."""
    try:
        return f"{datetime.fromisoformat(written):%d %b %Y, %H:%M}"
    except ValueError:
        return written


def large(value: Value) -> tuple[str, str]:
    """A value as (what is shown large, its scale and unit beside it)."""
    if isinstance(value, Quantity):
        kept = value.unit if value.unit in ("%", "year") else ""
        number = worded(replace(value, unit=kept, scale=Decimal(1)))
        return number.replace("-", "\u2212"), worded(value).removeprefix(number).strip()
    return worded(value), ""


def place(citation: Citation) -> str:
    """Where a citation points, in its source's own terms."""
    return place_of(citation.anchor)


def boxes(citation: Citation) -> list[Box]:
    """What a citation frames on its page."""
    return [box for number, box in citation.anchor.spots if box and number == citation.anchor.page]
