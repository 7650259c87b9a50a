"""The tagged facts of an inline XBRL filing (ESEF reports, SEC filings) as tables: a row a concept, a column a period.

Inline XBRL 1.1 and XBRL 2.1: a fact's value is its text read by its `format`, times ten to its `scale`, negative when its
`sign` is "-"; its context gives the entity, the period and the dimensions that it holds for, its unit what it is in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import Decimal, InvalidOperation
from itertools import islice
from typing import Any

from pincite.ingest.given_tables import table_block, table_of
from pincite.ingest.page_cuts import text_block
from pincite.ingest.raw_page import Block, Page
from pincite.ingest.web.markup import name_of, text_of
from pincite.text.lexicon import word_list
from pincite.types import Cell

PLACE = "tagged facts"
ROWS = 60
"""Concepts in one table."""
COLUMNS = 8
"""Periods in one table."""
_FACTS = ("ix:nonfraction", "ix:nonnumeric")
_LONGEST = 300
"""Characters of a text that is a fact and not a chapter."""
_ZEROS = ("zerodash", "fixed-zero", "numzero", "num-zero")
"""Formats of a number that is zero whatever is written."""
_SAID = {"identifier": "entity", "startdate": "start", "enddate": "end", "instant": "end"}
_SPANS = ((350, 380, "Year"), (85, 95, "Quarter"), (178, 187, "6 months"), (270, 277, "9 months"))
"""Periods that have a name, by their shortest and longest number of days."""
_MONTHS = word_list("time", "month names")
_WORDS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[_-]+")
_MONEY = re.compile(r"[A-Z]{3}")
_DASH = re.compile(r"[\s\-\u2010-\u2015\u2212]*")


@dataclass(frozen=True, slots=True)
class TaggedFact:
    """One tagged fact: `value` is a Decimal with its scale and sign applied, or a text; `unit` "" for a text.

    `concept`, `period` and `dimensions` are in words.
    """

    concept: str
    value: Decimal | str
    unit: str
    entity: str
    period: str
    ends: str
    dimensions: str


def is_tagged(root: Any) -> bool:
    """Whether a page holds tagged facts."""
    return any(name_of(element) in (*_FACTS, "ix:fraction") for element in root.iter())


def facts(root: Any) -> list[TaggedFact]:
    """The facts of a page in the order they stand in, each once; one that says "nil" or cannot be read is left out."""
    contexts = {
        element.get("id") or "": _context(element) for element in _elements_called(root, "context")
    }
    units = {element.get("id") or "": _unit(element) for element in _elements_called(root, "unit")}
    tagged = (element for element in root.iter() if name_of(element) in _FACTS)
    found = (_fact(element, contexts, units) for element in tagged)
    return list(dict.fromkeys(fact for fact in found if fact is not None))


def _fact(
    element: Any, contexts: dict[str, tuple[str, str, str, str]], units: dict[str, str]
) -> TaggedFact | None:
    context = contexts.get(_attribute(element, "contextref"))
    tag = element.get("name") or ""
    if context is None or not tag or _attribute(element, "nil") == "true":
        return None
    numeric = name_of(element) == "ix:nonfraction"
    value = _number(element, text_of(element)) if numeric else _text(element, text_of(element))
    if value is None or value == "":
        return None
    unit = units.get(_attribute(element, "unitref"), "") if numeric else ""
    return TaggedFact(in_words(tag), value, unit, *context)


def facts_pages(root: Any, number: int) -> Iterator[Page]:
    """The facts of a page as pages of tables, numbered from `number`: those in one unit together, then the texts."""
    held = facts(root)
    entity = next((fact.entity for fact in held if fact.entity), "")
    units: dict[str, list[TaggedFact]] = {}
    for fact in held:
        if isinstance(fact.value, Decimal):
            units.setdefault(fact.unit, []).append(fact)
    texts = [fact for fact in held if isinstance(fact.value, str)]
    together = [*units.items(), ("", texts)]
    blocks = [block for unit, own in together for block in _tables(own, unit, entity)]
    heading = text_block("Tagged facts", "heading", 1)
    for at, block in enumerate(blocks):
        caption = text_block(block.table.caption if block.table else "", "caption")
        held_by = (caption, block) if at else (heading, caption, block)
        yield Page(number + at, blocks=held_by, place=PLACE)


def in_words(tag: str) -> str:
    """The name of a concept in words: "ifrs-full:ProfitLossBeforeTax" is "Profit loss before tax"."""
    words = [word for word in _WORDS.split(tag.rpartition(":")[2]) if word]
    kept = (word if word.isupper() and len(word) > 1 else word.casefold() for word in words)
    told = " ".join(kept)
    return told[:1].upper() + told[1:]


def _tables(held: Sequence[TaggedFact], unit: str, entity: str) -> list[Block]:
    """Facts as tables: a row for each concept and its dimensions, a column for each period, the latest first."""
    rows = list(dict.fromkeys((fact.concept, fact.dimensions) for fact in held))
    ends = {fact.period: fact.ends for fact in held}
    blocks = []
    for start in range(0, len(rows), ROWS):
        own = rows[start : start + ROWS]
        wanted = set(own)
        told = ((fact, (fact.concept, fact.dimensions)) for fact in reversed(held))
        # the first that stands in the text wins
        values = {
            (*row, fact.period): fact.value if isinstance(fact.value, str) else f"{fact.value:,f}"
            for fact, row in told
            if row in wanted
        }
        ranked = sorted((ends[period], len(period), period) for _, _, period in values)
        periods = list(dict.fromkeys(period for *_, period in reversed(ranked)))
        for first in range(0, len(periods), COLUMNS):
            blocks.append(_table(own, periods[first : first + COLUMNS], values, unit, entity))
    return blocks


def _table(
    rows: Sequence[tuple[str, str]],
    periods: Sequence[str],
    values: dict[tuple[str, str, str], str],
    unit: str,
    entity: str,
) -> Block:
    cells = [Cell(0, 0, "Concept"), *(Cell(0, at, period) for at, period in enumerate(periods, 1))]
    line = 1
    for concept, dimensions in rows:
        told = [values.get((concept, dimensions, period), "") for period in periods]
        if any(told):
            cells.append(Cell(line, 0, f"{concept} ({dimensions})" if dimensions else concept))
            cells += [Cell(line, at, text) for at, text in enumerate(told, 1) if text]
            line += 1
    caption = f"Tagged facts{f' in {unit}' * bool(unit)}{f' of entity {entity}' * bool(entity)}"
    table = table_of(cells, header_rows=1, header_columns=1, caption=[caption])
    assert table is not None
    return table_block(replace(table, unit=unit) if _MONEY.fullmatch(unit) else table)


def _number(element: Any, text: str) -> Decimal | None:
    form = _attribute(element, "format").casefold()
    if any(zero in form for zero in _ZEROS) or (text and _DASH.fullmatch(text)):
        return Decimal(0)
    plain = re.sub(r"[^\d.,]", "", text)
    plain = plain.replace(".", "").replace(",", ".") if "comma" in form else plain.replace(",", "")
    try:
        scale = int(_attribute(element, "scale") or 0)
        if abs(scale) >= 30:
            return None
        value = Decimal(plain) * Decimal(10) ** scale
        value = value.quantize(Decimal(1)) if value == value.to_integral_value() else value
    except (InvalidOperation, ValueError):  # no number, or one of more digits than can be
        return None
    return -value if _attribute(element, "sign") == "-" else value


def _text(element: Any, text: str) -> str:
    form = _attribute(element, "format").casefold()
    if said := next((word for word in ("true", "false") if word in form), ""):
        return said
    return text if len(text) <= _LONGEST and not _attribute(element, "continuedat") else ""


def _context(element: Any) -> tuple[str, str, str, str]:
    """The entity, the period in words, when it ends, and the dimensions of a context."""
    said: dict[str, str] = {}
    dimensions: list[str] = []
    for inner in islice(element.iter(), 1, None):
        name, text = _local_name(inner), " ".join((inner.text or "").split())
        if name == "context":  # none is inside another
            break
        if name in _SAID:
            said[_SAID[name]] = text
        elif name in ("explicitmember", "typedmember"):
            axis = in_words(inner.get("dimension") or "").removesuffix(" axis")
            member = in_words(text) if name == "explicitmember" else text
            dimensions.append(f"{axis}: {member.removesuffix(' member')}")
    end = said.get("end", "")
    period = period_name(said.get("start", ""), end)
    return said.get("entity", ""), period, end, "; ".join(dimensions)


def period_name(start: str, end: str) -> str:
    """A period in words: "Year ended 31 December 2023", "31 December 2023", "1 January 2023 to 31 May 2023"."""
    last = _date(end)
    first = _date(start[:10])
    if last is None:
        return end
    if first is None:
        return _date_in_words(last)
    days = (last - first).days + 1
    named = next((name for low, high, name in _SPANS if low <= days <= high), "")
    begins = f"{named} ended" if named else f"{_date_in_words(first)} to"
    return f"{begins} {_date_in_words(last)}"


def _date(text: str) -> date | None:
    try:
        found = date.fromisoformat(text[:10])
    except ValueError:
        return None
    # midnight at the start of a day is the end of the day before
    return found - timedelta(days=1) if "T00:00" in text else found


def _date_in_words(day: date) -> str:
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"


def _unit(element: Any) -> str:
    """A unit as it is written: "EUR", "EUR/shares", "tonnes"."""
    parts: tuple[list[str], list[str]] = ([], [])
    for inner in element.iter():
        if _local_name(inner) == "unit" and inner is not element:
            break
        if _local_name(inner) == "measure":
            divides = any(_local_name(up) == "unitdenominator" for up in inner.iterancestors())
            parts[divides].append("".join(inner.itertext()).strip().rpartition(":")[2])
    over, under = map("*".join, parts)
    return "" if over == "pure" and not under else "/".join(filter(None, (over, under)))


def _elements_called(root: Any, name: str) -> Iterator[Any]:
    """All elements of a name, whatever their prefix."""
    return (element for element in root.iter() if _local_name(element) == name)


def _local_name(element: Any) -> str:
    """The name of an element without its prefix, in lower case."""
    return name_of(element).rpartition(":")[2]


def _attribute(element: Any, name: str) -> str:
    """An attribute by its name without a prefix, case ignored: HTML knows no capitals."""
    held = ((re.split("[}:]", key)[-1].casefold(), value) for key, value in element.items())
    return next((value for key, value in held if key == name), "")
