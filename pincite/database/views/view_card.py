"""A clean view as people and programs are shown it: its columns, what was done to them, its key and links."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from pincite.database.relations.description import plain
from pincite.database.views.view_model import CleanView, ViewColumn, ViewLink
from pincite.plural import counted

SHOWN = 6
"""Values of a column that a card names."""
_LONGEST = 40


def markdown(view: CleanView) -> str:
    """A view as Markdown: what it is of, a table of its columns, sentences on its totals, key and links."""
    relation = view.relation
    named = "" if relation.name == view.name else f" (of {relation.name})"
    lines = [f"## {view.name}{named}", "", counted(max(relation.rows - view.total_rows, 0), "row")]
    if view.meaning and view.meaning != relation.readable:
        lines += ["", view.meaning]
    lines += ["", "| column | of | what it holds | read as |", "|---|---|---|---|"]
    for column in view.columns:
        own = column.source if column.source != column.name else ""
        lines.append(_line(column.name, own, "; ".join(_facts(column)), column.done))
    if ties := sentences(view):
        lines += ["", *(f"- {tie}" for tie in ties)]
    return "\n".join(lines)


def _line(*cells: str) -> str:
    escaped = (" ".join(c.split()).replace("\\", "\\\\").replace("|", "\\|") for c in cells)
    return f"| {' | '.join(escaped)} |"


def _facts(column: ViewColumn) -> list[str]:
    facts = [column.meaning] if column.meaning.casefold() not in ("", _spoken(column.name)) else []
    kind = {"integer": "whole number", "boolean": "yes or no"}.get(column.type, column.type)
    unit = " ".join(filter(None, (_scale(column.scale), column.unit)))
    facts.append(f"{kind} in {unit}" if unit else kind)
    if column.kind == "code" and column.type != "text":
        facts.append("names something, is not summed")
    if column.currency:
        facts.append(f"{column.currency} says in which currency or unit each row is")
    if column.note:
        facts.append(f"{column.note} holds what else was written")
    if column.values:
        more = ", …" if len(column.values) > SHOWN else ""
        facts.append(", ".join(_short(v) for v in column.values[:SHOWN]) + more)
    elif column.low is not None:
        facts.append(f"{_short(column.low)} to {_short(column.high)}")
    if column.nulls >= 0.005:
        facts.append(f"empty in {column.nulls:.0%} of the rows")
    return facts


def _spoken(name: str) -> str:
    return name.replace("_", " ")


def _scale(scale: Decimal) -> str:
    named = {1: "", 1_000: "thousands", 1_000_000: "millions", 1_000_000_000: "billions"}
    return named.get(int(scale), f"{scale:f}") if scale == int(scale) else f"{scale:f}"


def _short(value: Any) -> str:
    written = str(plain(value))
    return written if len(written) <= _LONGEST else f"{written[:_LONGEST]}…"


def sentences(view: CleanView) -> list[str]:
    """What is to be known of the rows of a view: totals left out, its key, its links and which side of them is many."""
    made = []
    if view.totals:
        are, totals = (
            ("is a total", "it is") if view.total_rows == 1 else ("are totals", "they are")
        )
        made.append(f"{counted(view.total_rows, 'row')} {are} of others: {totals} left out.")
    if view.relation.key:
        made.append(f"Its key is {', '.join(view.key)}.")
    return [*made, *(f"{_told(link)}." for link in view.links)]


def _told(link: ViewLink) -> str:
    own, there = ", ".join(link.columns), f"{link.to} ({', '.join(link.to_columns)})"
    each = "several rows name" if link.many else "each row names"
    other = "several rows of" if link.to_many else "one row of"
    how = "" if link.declared else ", as their names and values suggest"
    return f"{own}: {each} {other} {there}{how}"


def as_json(view: CleanView) -> dict[str, Any]:
    """A view in the form that `pincite tables --json` promises."""
    return {
        "name": view.name,
        "table": view.relation.name,
        "meaning": view.meaning,
        "rows": max(view.relation.rows - view.total_rows, 0),
        "totals_left_out": view.total_rows,
        "key": list(view.key),
        "columns": [_column(column) for column in view.columns],
        "links": [
            {
                "columns": list(link.columns),
                "to": link.to,
                "to_columns": list(link.to_columns),
                "many": link.many,
                "to_many": link.to_many,
                "declared": link.declared,
            }
            for link in view.links
        ],
    }


def _column(column: ViewColumn) -> dict[str, Any]:
    return {
        "name": column.name,
        "of": column.source,
        "type": column.type,
        "kind": column.kind,
        "meaning": column.meaning,
        "unit": column.unit,
        "scale": plain(column.scale),
        "unit_by_row": column.currency,
        "note": column.note,
        "values": list(column.values),
        "low": plain(column.low),
        "high": plain(column.high),
        "empty": round(column.nulls, 4),
        "distinct": column.distinct,
        "read_as": column.done,
    }
