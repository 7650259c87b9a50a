"""A clean view as people and programs are shown it: its columns, what was done to them, its key and links."""

from __future__ import annotations

from typing import Any

from pincite.database.relations.description import plain
from pincite.database.relations.relation_card import table_line, type_in_unit
from pincite.database.views.view_model import CleanView, ViewColumn, ViewLink
from pincite.text.wording import counted

SHOWN = 6
"""Values of a column that a card names."""
_LONGEST = 40
_LINK = ("columns", "to", "to_columns", "many", "to_many", "declared")


def markdown(view: CleanView) -> str:
    """A view as Markdown: what it is of, a table of its columns, sentences on its totals, key and links."""
    relation = view.relation
    named = "" if relation.name == view.name else f" (of {relation.name})"
    lines = [f"## {view.name}{named}", "", counted(view.rows, "row")]
    if view.described and view.described != relation.readable:
        lines += ["", view.described]
    lines += ["", "| column | of | what it holds | read as |", "|---|---|---|---|"]
    for column in view.columns:
        own = column.source if column.source != column.name else ""
        lines.append(table_line((column.name, own, "; ".join(_column_facts(column)), column.done)))
    if ties := sentences(view):
        lines += ["", *(f"- {tie}" for tie in ties)]
    return "\n".join(lines)


def _column_facts(column: ViewColumn) -> list[str]:
    said = column.meaning.casefold() not in ("", column.name.replace("_", " "))
    facts = [column.meaning] if said else []
    facts.append(type_in_unit(column))
    if column.kind == "code" and column.type != "text":
        facts.append("names something, is not summed")
    if column.currency:
        facts.append(f"{column.currency} says in which currency or unit each row is")
    if column.note:
        facts.append(f"{column.note} holds what else was written")
    if column.values:
        more = ", …" if len(column.values) > SHOWN else ""
        facts.append(", ".join(_shortened(v) for v in column.values[:SHOWN]) + more)
    elif column.low is not None:
        facts.append(f"{_shortened(column.low)} to {_shortened(column.high)}")
    if column.nulls >= 0.005:
        facts.append(f"empty in {column.nulls:.0%} of the rows")
    return facts


def _shortened(value: Any) -> str:
    written = str(plain(value))
    return written if len(written) <= _LONGEST else f"{written[:_LONGEST]}…"


def sentences(view: CleanView) -> list[str]:
    """What is to be known of the rows of a view: totals left out, its key, its links and which side of them is many."""
    made = []
    if view.totals:
        are = "is a total" if view.total_rows == 1 else "are totals"
        they = "it is" if view.total_rows == 1 else "they are"
        made.append(f"{counted(view.total_rows, 'row')} {are} of others: {they} left out.")
    if view.relation.key:
        made.append(f"Its key is {', '.join(view.key)}.")
    return [*made, *(f"{_link_sentence(link)}." for link in view.links)]


def _link_sentence(link: ViewLink) -> str:
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
        "meaning": view.described,
        "rows": view.rows,
        "totals_left_out": view.total_rows,
        "key": list(view.key),
        "columns": [_column_json(column) for column in view.columns],
        "links": [{name: getattr(link, name) for name in _LINK} for link in view.links],
    }


def _column_json(column: ViewColumn) -> dict[str, Any]:
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
