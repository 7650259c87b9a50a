"""A row of a table as text, in nine forms, by name: which of them an encoder reads best is to be measured.

The forms are those of a study of retrieval over tables and documents (multi-domain RAG, appendix C.1, whose outputs on its
example are this module's golden files). Each takes the table's name and the row's (column, value) pairs and ends with one
newline; a value that is missing is written "Null".
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any

Pairs = Sequence[tuple[str, str | int | float | None]]
Serializer = Callable[[str, Pairs], str]


def _json(table: str, row: Pairs) -> str:
    return json.dumps({table: _typed(row)}, indent=2, ensure_ascii=False) + "\n"


def _yaml(table: str, row: Pairs) -> str:
    import yaml  # here, because start-up would pay for it

    made: str = yaml.safe_dump(
        {table: _typed(row)}, sort_keys=False, allow_unicode=True, width=float("inf")
    )
    return made


def _html(table: str, row: Pairs) -> str:
    items = "\n".join(
        f"<li>{escape(name, quote=False)}: {escape(value, quote=False)}</li>"
        for name, value in _texts(row)
    )
    return f"<header>{escape(table, quote=False)}</header>\n<ul>{items}</ul>\n"


def _xml(table: str, row: Pairs) -> str:
    outer = _tag(table)
    lines = [
        f"    <{_tag(name)}>{escape(value, quote=False)}</{_tag(name)}>"
        for name, value in _texts(row)
    ]
    return "\n".join(
        (
            '<?xml version="1.0" ?>',
            "<root>",
            f"  <{outer}>",
            *lines,
            f"  </{outer}>",
            "</root>",
            "",
        )
    )


def _markdown(table: str, row: Pairs) -> str:
    names, values = zip(*_cells(row), strict=True)
    left, right = max(map(len, names)), max(map(len, values))
    lines = (
        f"| {name:{left}}| {value:{right}} |" for name, value in zip(names, values, strict=True)
    )
    return "\n".join((f"## {table}", "|:-----|:-----|", *lines, ""))


def _transposed(table: str, row: Pairs) -> str:
    columns = [(name, value, max(len(name), len(value))) for name, value in _cells(row)]
    names = " | ".join(f"{name:{width}}" for name, _, width in columns)
    values = " | ".join(f"{value:{width}}" for _, value, width in columns)
    return f"## {table}\n| {names} |\n|{':-----|' * len(columns)}\n| {values} |\n"


def _key_values(table: str, row: Pairs) -> str:
    return (
        f"## {table}\n"
        + "\n\n".join(f"{name}: {value}\n..." for name, value in _texts(row))
        + "\n"
    )


def _semantic(table: str, row: Pairs) -> str:
    return (
        ", ".join((f"Item in {table}:", *(f"{name} is {value}" for name, value in _texts(row))))
        + ".\n"
    )


def _full_semantic(table: str, row: Pairs) -> str:
    return (
        f"Item in {table} where "
        + " and ".join(f"{name} is {value}" for name, value in _texts(row))
        + ".\n"
    )


SERIALIZERS: Mapping[str, Serializer] = {
    "json": _json,
    "yaml": _yaml,
    "html": _html,
    "xml": _xml,
    "markdown": _markdown,
    "transposed": _transposed,
    "key-values": _key_values,
    "semantic": _semantic,
    "full-semantic": _full_semantic,
}


def _typed(row: Pairs) -> dict[str, Any]:
    return {name: "Null" if value is None else value for name, value in row}


def _texts(row: Pairs) -> list[tuple[str, str]]:
    return [(name, "Null" if value is None else str(value)) for name, value in row]


def _cells(row: Pairs) -> list[tuple[str, str]]:
    return [(name.replace("|", "\\|"), value.replace("|", "\\|")) for name, value in _texts(row)]


def _tag(name: str) -> str:
    """A name that XML allows: "Melting point" is Melting_point."""
    tag = re.sub(r"[^\w.-]", "_", name)
    return tag if re.match(r"[^\W\d]", tag) else f"_{tag}"
