"""The card of a relation: what it holds, for a reader, an index or a model; as lines of text and as Markdown."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from pincite.database.relations.description import plain
from pincite.database.relations.model import Column, Relation

SHOWN = 12
"""Values of a column that a card names."""
_LONGEST = 60


def text(relation: Relation) -> str:
    """A card as lines of plain text: the relation, its columns one a line, its links."""
    rows = f"{relation.rows:,} row{'' if relation.rows == 1 else 's'}"
    lines = [f"{_named(relation.readable, relation.name)}: a table of {rows} and {len(relation.columns)} columns."]
    if relation.described and relation.described != relation.readable:
        lines.append(relation.described)
    lines += [f"{_named(c.readable, c.name)}: {'; '.join(_facts(c))}." for c in relation.columns]
    return "\n".join([*lines, *_ties(relation)])


def markdown(relation: Relation) -> str:
    """A card as Markdown: a table of the columns, and one of some rows."""
    rows = f"{relation.rows:,} row{'' if relation.rows == 1 else 's'}"
    lines = [f"## {_named(relation.readable, relation.name)}", "", rows]
    if relation.described and relation.described != relation.readable:
        lines += ["", relation.described]
    lines += ["", "| column | name | what it holds |", "|---|---|---|"]
    lines += [
        f"| {_cell(c.name)} | {_cell(c.readable + (' (guessed)' if c.guessed else ''))} | {_cell('; '.join(_facts(c)))} |"
        for c in relation.columns
    ]
    if ties := _ties(relation):
        lines += ["", *(f"- {tie}" for tie in ties)]
    if relation.sample:
        names = [c.name for c in relation.columns]
        lines += ["", f"| {' | '.join(map(_cell, names))} |", "|" + "---|" * len(names)]
        lines += [
            f"| {' | '.join(_cell(_short(plain(value))) for value in row[: len(names)])} |" for row in relation.sample
        ]
    return "\n".join(lines)


def _named(readable: str, name: str) -> str:
    return name if readable.casefold() in ("", name.casefold()) else f"{readable} ({name})"


def _facts(column: Column) -> list[str]:
    """What a card says of a column: its type, unit, ends or values, how often it is empty."""
    unit = " ".join(part for part in (_scale(column.scale), column.unit) if part)
    kind = {"integer": "whole number", "boolean": "yes or no"}.get(column.type, column.type)
    facts = [f"{kind} in {unit}" if unit else kind]
    if column.low is not None and column.high is not None:
        facts.append(f"{_short(_number(column.low))} to {_short(_number(column.high))}")
    if column.values:
        shown = ", ".join(_short(value) for value in column.values[:SHOWN])
        facts.append(f"{column.distinct} values: {shown}{', …' if len(column.values) > SHOWN else ''}")
    elif column.distinct > 1 and column.type == "text":
        facts.append(f"{column.distinct:,} different values")
    if column.nulls >= 0.005:
        facts.append(f"empty in {column.nulls:.0%} of the rows")
    if also := [name for name in column.also if _bare(name) != _bare(column.name)]:
        facts.append(f"also {', '.join(also)}")
    if column.described and column.described.rstrip(".") != column.readable:
        facts.append(column.described.rstrip("."))
    return facts


def _bare(name: str) -> str:
    return "".join(filter(str.isalnum, name)).casefold()


def _ties(relation: Relation) -> list[str]:
    """The key and the links of a relation as sentences."""
    made = [f"Its key is {', '.join(relation.key)}."] if relation.key else []
    for link in relation.links:
        how = "" if link.declared else ", as their names and values suggest"
        made.append(f"{', '.join(link.columns)} names rows of {link.to} by {', '.join(link.to_columns)}{how}.")
    return made


def _scale(scale: Decimal) -> str:
    named = {3: "thousands", 6: "millions", 9: "billions"}
    return next(
        (name for power, name in named.items() if scale == Decimal(10) ** power), "" if scale == 1 else f"{scale:f}"
    )


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
