"""Elements of WordprocessingML (ECMA-376 part 1, chapter 17) by their plain names, and what their properties say."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from pincite.ingest.web.attributes import whole

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_MOST = 1000
"""The largest number that a property says; Word makes tables of 63 columns."""


def name_of(element: Any) -> str:
    """The name of an element without its namespace; "" for one of another namespace and for a comment."""
    tag = element.tag
    return tag.removeprefix(W) if isinstance(tag, str) and tag.startswith(W) else ""


def attribute(element: Any, name: str) -> str | None:
    """An attribute of an element."""
    found: str | None = element.get(W + name)
    return found


def inside(element: Any, name: str) -> Iterator[Any]:
    """All elements of a name in another, however deep."""
    found: Iterator[Any] = element.iter(W + name)
    return found


def below(element: Any, path: str) -> Any:
    """The first element that names lead to from another, as "pPr/numPr"; None without one."""
    return element.find(_qualified(path))


def value(element: Any, path: str) -> str:
    """What the property that names lead to is set to; "" where it is not set."""
    found = below(element, path)
    return (attribute(found, "val") or "") if found is not None else ""


def number(element: Any, path: str) -> int:
    """The number that a property is set to; 0 where it is not set."""
    return whole(value(element, path), most=_MOST)


def is_on(element: Any, path: str) -> bool:
    """Whether a property that can be on or off is there and not off."""
    found = below(element, path)
    return found is not None and attribute(found, "val") not in ("0", "false", "off")


@cache
def _qualified(path: str) -> str:
    return "/".join(W + name for name in path.split("/"))
