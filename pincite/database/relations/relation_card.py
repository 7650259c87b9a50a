"""The card of a relation: what it holds, for a reader, an index or a model; as lines of text and as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Any

from pincite.database.relations.description import plain
from pincite.database.relations.model import Column, Relation
from pincite.plural import counted

SHOWN = 12
"""Values of a column that a card names."""
_LONGEST = 60


def text(relation: Relation) -> str:
    """A card as lines of plain text: the relation, its columns one a line, its links."""
    name = _named(relation.readable, relation.name)
    columns = [f"{_named(c.readable, c.name)}: {'; '.join(_facts(c))}." for c in relation.columns]
    head = f"{name}: a table of {_rows(relation)} and {len(relation.columns)} columns."
    return "\n".join([head, *_description(relation), *columns, *_ties(relation)])


def markdown(relation: Relation) -> str:
    """A card as Markdown: a table of the columns, and one of some rows."""
    lines = [f"## {_named(relation.readable, relation.name)}", "", _rows(relation)]
    for described in _description(relation):
        lines += ["", described]
    lines += ["", "| column | name | what it holds |", "|---|---|---|"]
    for c in relation.columns:
        lines.append(
            _line(
                (
                    c.name,
                    f"{c.readable} (guessed)" if c.guessed else c.readable,
                    "; ".join(_facts(c)),
                )
            )
        )
    if ties := _ties(relation):
        lines += ["", *(f"- {tie}" for tie in ties)]
    if relation.sample:
        width = len(relation.columns)
        lines += ["", _line(c.name for c in relation.columns), "|" + "---|" * width]
        for row in relation.sample:
            lines.append(_line(_short(plain(value)) for value in row[:width]))
    return "\n".join(lines)


def _description(relation: Relation) -> list[str]:
    """The description of a relation, where it says more than its name."""
    return [relation.described] if relation.described not in ("", relation.readable) else []


def _rows(relation: Relation) -> str:
    return counted(relation.rows, "row")


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(map(_cell, cells))} |"


def _named(readable: str, name: str) -> str:
    return name if readable.casefold() in ("", name.casefold()) else f"{readable} ({name})"


def _facts(column: Column) -> list[str]:
    """What a card says of a column: its type, unit, ends or values, how often it is empty."""
    unit = " ".join(filter(None, (_scale(column.scale), column.unit)))
    kind = {"integer": "whole number", "boolean": "yes or no"}.get(column.type, column.type)
    facts = [f"{kind} in {unit}" if unit else kind, *_held(column)]
    if column.nulls >= 0.005:
        facts.append(f"empty in {column.nulls:.0%} of the rows")
    if also := [name for name in column.also if _bare(name) != _bare(column.name)]:
        facts.append(f"also {', '.join(also)}")
    if column.described and column.described.rstrip(".") != column.readable:
        facts.append(column.described.rstrip("."))
    return facts


def _held(column: Column) -> Iterator[str]:
    """What a card says of the values of a column: its ends, how many there are and which."""
    if column.low is not None and column.high is not None:
        yield f"{_short(_number(column.low))} to {_short(_number(column.high))}"
    if column.values:
        shown = ", ".join(map(_short, column.values[:SHOWN]))
        yield f"{column.distinct} values: {shown}{', …' if len(column.values) > SHOWN else ''}"
    elif column.distinct > 1 and column.type == "text":
        yield f"{column.distinct:,} different values"


def _bare(name: str) -> str:
    return "".join(filter(str.isalnum, name)).casefold()


def _ties(relation: Relation) -> list[str]:
    """The key and the links of a relation as sentences."""
    made = [f"Its key is {', '.join(relation.key)}."] if relation.key else []
    for link in relation.links:
        how = "" if link.declared else ", as their names and values suggest"
        made.append(
            f"{', '.join(link.columns)} names rows of {link.to} by {', '.join(link.to_columns)}{how}."
        )
    return made


def _scale(scale: Decimal) -> str:
    named = {3: "thousands", 6: "millions", 9: "billions"}
    for power, name in named.items():
        if scale == Decimal(10) ** power:
            return name
    return "" if scale == 1 else f"{scale:f}"


def _number(value: Any) -> Any:
    if isinstance(value, float | Decimal):
        return f"{value:,.6g}" if abs(float(value)) < 1_000_000 else f"{value:,.0f}"
    return f"{value:,}" if isinstance(value, int) and abs(value) >= 10_000 else value


def _short(value: Any) -> str:
    written = "" if value is None else str(value)
    return written if len(written) <= _LONGEST else f"{written[:_LONGEST]}…"


def _cell(written: str) -> str:
    """A cell of a Markdown table: nothing in it ends the cell or the line."""
    return " ".join(written.split()).replace("\\", "\\\\").replace("|", "\\|")
