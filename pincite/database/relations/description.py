"""A database's description as JSON and back: what a corpus keeps of it, without user or password."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any
from uuid import UUID

from pincite.database.relations.model import Column, Link, Relation
from pincite.database.relations.shaped_values import written

_KINDS: Mapping[str, Any] = {
    "datetime": datetime.fromisoformat, "date": date.fromisoformat, "time": time.fromisoformat, "number": Decimal,
    "uuid": UUID,
}  # fmt: skip


def relation_to(relation: Relation) -> dict[str, Any]:
    """A relation as JSON values; what is as by default is left out."""
    return _to(relation)


def relation_from(given: Mapping[str, Any]) -> Relation:
    """What `relation_to` made."""
    own = {name: value for name, value in given.items() if name not in ("columns", "links")}
    columns = tuple(Column(**_values_from(column)) for column in given["columns"])
    links = tuple(Link(**_values_from(link)) for link in given.get("links", ()))
    return Relation(**_values_from(own), columns=columns, links=links)


def _values_from(given: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value_from(value) for name, value in given.items()}


def value_to(value: Any) -> Any:
    """A value of a cell as JSON, types that JSON lacks under their names; what has no such form as its text."""
    if isinstance(value, date | time):
        return {type(value).__name__: value.isoformat()}
    if isinstance(value, Decimal | UUID):
        return {"number" if isinstance(value, Decimal) else "uuid": str(value)}
    return value if value is None or isinstance(value, str | int | float) else str(value)


def value_from(given: Any) -> Any:
    """What `value_to` made."""
    if isinstance(given, list):
        return tuple(value_from(element) for element in given)
    if not isinstance(given, dict):
        return given
    ((kind, held),) = given.items()
    return _KINDS[kind](held)


def _to(described: Relation | Column | Link) -> dict[str, Any]:
    held = ((field, getattr(described, field.name)) for field in fields(described))
    return {field.name: _part(value) for field, value in held if value != field.default}


def _part(value: Any) -> Any:
    if isinstance(value, tuple):
        return list(map(_part, value))
    return _to(value) if isinstance(value, Column | Link) else value_to(value)


def plain(value: Any) -> str | int | float | None:
    """A value of a cell as a reader sees it: dates in ISO form, yes and no, lists and objects as JSON, blobs by their size."""
    if value is None or value != value:
        return None
    if isinstance(value, Decimal | float):
        number = float(value)
        return int(number) if number.is_integer() and abs(number) < 2**53 else number
    if isinstance(value, str | int) and not isinstance(value, bool):
        return value
    return written(value)
