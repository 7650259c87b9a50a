"""The card of a relation: what it holds, for a reader, an index or a model; as lines of text and as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from pincite.database.relations.description import plain
from pincite.database.relations.model import Column, Relation
from pincite.text.wording import counted

if TYPE_CHECKING:
    from pincite.database.views.view_model import ViewColumn

SHOWN = 12
"""Values of a column that a card names."""
_LONGEST = 60


def text(relation: Relation) -> str:
    """A card as lines of plain text: the relation, its columns one a line, its links."""
    name = _name_and_own(relation.readable, relation.name)
    columns = [
        f"{_name_and_own(c.readable, c.name)}: {'; '.join(_column_facts(c))}."
        for c in relation.columns
    ]
    head = f"{name}: a table of {_row_count(relation)} and {len(relation.columns)} columns."
    return "\n".join([head, *_description(relation), *columns, *_key_and_links(relation)])


def markdown(relation: Relation) -> str:
    """A card as Markdown: a table of the columns, and one of some rows."""
    lines = [f"## {_name_and_own(relation.readable, relation.name)}", "", _row_count(relation)]
    for described in _description(relation):
        lines += ["", described]
    lines += ["", "| column | name | what it holds |", "|---|---|---|"]
    for c in relation.columns:
        called = f"{c.readable} (guessed)" if c.guessed else c.readable
        lines.append(table_line((c.name, called, "; ".join(_column_facts(c)))))
    if ties := _key_and_links(relation):
        lines += ["", *(f"- {tie}" for tie in ties)]
    if relation.sample:
        width = len(relation.columns)
        lines += ["", table_line(c.name for c in relation.columns), "|" + "---|" * width]
        for row in relation.sample:
            lines.append(table_line(_short(plain(value)) for value in row[:width]))
    return "\n".join(lines)


def _description(relation: Relation) -> list[str]:
    """The description of a relation, where it says more than its name."""
    return [relation.described] if relation.described not in ("", relation.readable) else []


def _row_count(relation: Relation) -> str:
    return counted(relation.rows, "row")


def table_line(cells: Iterable[str]) -> str:
    """A line of a Markdown table: nothing in a cell ends the cell or the line."""
    escaped = (" ".join(c.split()).replace("\\", "\\\\").replace("|", "\\|") for c in cells)
    return f"| {' | '.join(escaped)} |"


def _name_and_own(readable: str, name: str) -> str:
    return name if readable.casefold() in ("", name.casefold()) else f"{readable} ({name})"


def _column_facts(column: Column) -> list[str]:
    """What a card says of a column: its type, unit, ends or values, how often it is empty."""
    facts = [type_in_unit(column), *_value_facts(column)]
    if column.nulls >= 0.005:
        facts.append(f"empty in {column.nulls:.0%} of the rows")
    if also := [name for name in column.also if _bare_letters(name) != _bare_letters(column.name)]:
        facts.append(f"also {', '.join(also)}")
    if column.described and column.described.rstrip(".") != column.readable:
        facts.append(column.described.rstrip("."))
    return facts


def _value_facts(column: Column) -> Iterator[str]:
    """What a card says of the values of a column: its ends, how many there are and which."""
    if column.low is not None and column.high is not None:
        yield f"{_short(_format_number(column.low))} to {_short(_format_number(column.high))}"
    if column.values:
        shown = ", ".join(map(_short, column.values[:SHOWN]))
        yield f"{column.distinct} values: {shown}{', …' if len(column.values) > SHOWN else ''}"
    elif column.distinct > 1 and column.type == "text":
        yield f"{column.distinct:,} different values"


def _bare_letters(name: str) -> str:
    return "".join(filter(str.isalnum, name)).casefold()


def _key_and_links(relation: Relation) -> list[str]:
    """The key and the links of a relation as sentences."""
    made = [f"Its key is {', '.join(relation.key)}."] if relation.key else []
    for link in relation.links:
        how = "" if link.declared else ", as their names and values suggest"
        made.append(
            f"{', '.join(link.columns)} names rows of {link.to} by {', '.join(link.to_columns)}{how}."
        )
    return made


def type_in_unit(column: Column | ViewColumn) -> str:
    """The type of a column and what its numbers are in: "whole number in thousands USD"."""
    scales = {1: "", 10**3: "thousands", 10**6: "millions", 10**9: "billions"}
    scale = next((name for size, name in scales.items() if column.scale == size), None)
    unit = f"{f'{column.scale:f}' if scale is None else scale} {column.unit}".strip()
    kind = {"integer": "whole number", "boolean": "yes or no"}.get(column.type, column.type)
    return f"{kind} in {unit}" if unit else kind


def _format_number(value: Any) -> Any:
    if isinstance(value, float | Decimal):
        return f"{value:,.6g}" if abs(float(value)) < 1_000_000 else f"{value:,.0f}"
    return f"{value:,}" if isinstance(value, int) and abs(value) >= 10_000 else value


def _short(value: Any) -> str:
    written = "" if value is None else str(value)
    return written if len(written) <= _LONGEST else f"{written[:_LONGEST]}…"
