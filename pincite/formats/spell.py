"""The line that makes x again: a frozen dataclass spells itself as a call, and that call reads back to an equal value.

A spelling is the identity of a pipeline in caches, logs and experiments. Fields that equal their default are left out,
so that adding a parameter does not rename every old result.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from typing import Any

from pincite.errors import UsageError


def spell(value: Any) -> str:
    """Spell a value made of frozen dataclasses, tuples, mappings, named functions and plain values as one line."""
    if is_dataclass(value) and not isinstance(value, type):
        own = getattr(value, "spelled", None)
        return str(own()) if own else f"{type(value).__name__}({', '.join(_arguments(value))})"
    if isinstance(value, tuple | list):
        inner = ", ".join(map(spell, value))
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key!r}: {spell(value[key])}" for key in sorted(value)) + "}"
    if value is None or isinstance(value, str | int | float | bool):
        return repr(value)
    name = getattr(value, "__name__", None) or getattr(value, "name", None)
    if isinstance(name, str):
        return name
    raise UsageError(
        f"{value!r} cannot be spelled: only frozen dataclasses, plain values and named models can"
    )


def _arguments(value: Any) -> list[str]:
    arguments = []
    for field in fields(value):
        if not field.init or not field.repr:
            continue
        given = getattr(value, field.name)
        default = field.default if field.default_factory is MISSING else field.default_factory()
        if default is MISSING or given != default:
            arguments.append(f"{field.name}={spell(given)}")
    return arguments


def unspell(line: str, names: Mapping[str, Any]) -> Any:
    """Read a spelling back. `names` maps every class, model and constant that may appear to its object.

    Only calls of these names, literals and `>>` are read: nothing else runs.
    """
    try:
        tree = ast.parse(line, mode="eval").body
    except SyntaxError as error:
        raise UsageError(
            f"not a spelling: {line!r} ({error.msg} at column {error.offset})"
        ) from error
    return _read_node(tree, names, line)


def _read_node(node: ast.expr, names: Mapping[str, Any], line: str) -> Any:
    match node:
        case ast.Constant(value=value):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_read_node(operand, names, line)
        case ast.Tuple(elts=items):
            return tuple(_read_node(item, names, line) for item in items)
        case ast.Dict(keys=keys, values=values):
            pairs = zip(keys, values, strict=True)
            return {
                _read_node(key, names, line): _read_node(value, names, line)
                for key, value in pairs
                if key
            }
        case ast.Name(id=name) if name in names:
            return names[name]
        case ast.Call(func=ast.Name(id=name), args=positional, keywords=keywords) if name in names:
            named = {
                word.arg: _read_node(word.value, names, line) for word in keywords if word.arg
            }
            return names[name](*(_read_node(expr, names, line) for expr in positional), **named)
        case ast.BinOp(left=left, op=ast.RShift(), right=right):
            return _read_node(left, names, line) >> _read_node(right, names, line)
    known = ", ".join(sorted(names))
    raise UsageError(
        f"cannot read {ast.unparse(node)!r} in the spelling {line!r}; known names: {known}"
    )
