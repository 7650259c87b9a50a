"""The paragraph styles of a Word document, each with what it takes from those that it is based on."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from pincite.ingest.office.wordxml import attribute, below, inside, is_on, number, value


@dataclass(frozen=True, slots=True)
class ParagraphStyle:
    """A style: its name in lower case, its heading level (0 for none), its list and the depth in it, whether it hides text."""

    name: str = ""
    level: int = 0
    numbering: tuple[str, int] = ("", 0)
    hidden: bool = False


def paragraph_styles(document: Any) -> dict[str, ParagraphStyle]:
    """The paragraph styles by id, "" for the default one."""
    found = inside(document.styles.element, "style")
    elements = {key: style for style in found if (key := attribute(style, "styleId"))}
    styles = {"": ParagraphStyle()}
    for key, element in elements.items():
        kind = attribute(element, "type")
        if kind in (None, "paragraph"):
            styles[key] = _style(_with_bases(key, elements))
        if kind == "paragraph" and attribute(element, "default") in ("1", "true"):
            styles[""] = styles[key]
    return styles


def named_level(name: str) -> int:
    """The heading level of a style by its name: 1 for a title, one more than Word's own for headings under it; else 0."""
    if name == "title":
        return 1
    found = re.fullmatch(r"heading (\d)", name)
    return int(found[1]) + 1 if found else 0


def outline_level(element: Any) -> int:
    """The heading level that the outline level of a paragraph or style makes: a title is above it. 0 for running text."""
    if below(element, "pPr/outlineLvl") is None:
        return 0
    level = number(element, "pPr/outlineLvl")
    return level + 2 if level < 9 else 0


def _with_bases(key: str, elements: dict[str, Any]) -> list[Any]:
    """A style, the one that it is based on, and so on."""
    chain: list[Any] = []
    while key in elements and elements[key] not in chain:
        chain.append(elements[key])
        key = value(elements[key], "basedOn")
    return chain


def _style(chain: list[Any]) -> ParagraphStyle:
    names = [value(style, "name").casefold() for style in chain]
    levels = (
        named_level(name) or outline_level(style) for name, style in zip(names, chain, strict=True)
    )
    numbered = (
        (list_, number(style, "pPr/numPr/ilvl"))
        for style in chain
        if (list_ := value(style, "pPr/numPr/numId"))
    )
    return ParagraphStyle(
        next(filter(None, names), ""),
        next(filter(None, levels), 0),
        next(numbered, ("", 0)),
        any(is_on(style, "rPr/vanish") for style in chain),
    )
