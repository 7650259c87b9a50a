"""The smallest value that fits a JSON schema: the reply of a model that says nothing."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any


def least_value(schema: Mapping[str, Any]) -> Any:
    """The least value that fits a JSON schema: null, zero, nothing; the first of several; required fields alone."""
    return _least(schema, schema)


def _least(part: Mapping[str, Any], whole: Mapping[str, Any]) -> Any:
    part = resolved(part, whole)
    for given in ("default", "const"):
        if given in part:
            return part[given]
    if "enum" in part:
        return part["enum"][0]
    options = part.get("anyOf") or part.get("oneOf")
    if options:
        return None if {"type": "null"} in options else _least(options[0], whole)
    kinds = part.get("type", "object")
    kind = kinds if isinstance(kinds, str) else "null" if "null" in kinds else kinds[0]
    if kind == "object":
        properties = part.get("properties", {})
        return {name: _least(properties.get(name, {}), whole) for name in part.get("required", ())}
    if kind == "array":
        return [_least(part.get("items", {}), whole) for _ in range(part.get("minItems", 0))]
    if kind in ("integer", "number"):
        least = part.get("minimum", part.get("exclusiveMinimum", -1) + 1)
        return min(max(0, least), part.get("maximum", math.inf))
    if kind == "string":
        return "x" * part.get("minLength", 0)
    return False if kind == "boolean" else None


def resolved(part: Mapping[str, Any], whole: Mapping[str, Any]) -> Mapping[str, Any]:
    """The part of a schema with its reference followed."""
    while "$ref" in part:
        place: Any = whole
        for step in part["$ref"].removeprefix("#/").split("/"):
            place = place[step]
        part = place
    return part
