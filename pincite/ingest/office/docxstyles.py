"""The paragraph styles of a Word document, with what they take from others, and the numbers and bullets of its lists.

The latter are not in the text, only in the definitions of lists.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from pincite.ingest.office.wordxml import attribute, below, inside, is_on, number, value
from pincite.ingest.web.attributes import whole, written

UNREAD = ("vanish", "strike", "dstrike")
"""The properties of text that is not in force or not shown."""


@dataclass(frozen=True, slots=True)
class TextStyle:
    """A style: its name in lower case, its heading level (0 for none), its list and the depth in it, which of UNREAD it sets."""

    name: str = ""
    level: int = 0
    numbering: tuple[str, int] = ("", 0)
    unread: frozenset[str] = frozenset()


def text_styles(document: Any) -> dict[str, TextStyle]:
    """The styles of paragraphs and characters by id, "" for the default one of paragraphs."""
    found = inside(document.styles.element, "style")
    elements = {key: style for style in found if (key := attribute(style, "styleId"))}
    styles = {"": TextStyle()}
    for key, element in elements.items():
        kind = attribute(element, "type")
        if kind in (None, "paragraph", "character"):
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


def _style(chain: list[Any]) -> TextStyle:
    names = [value(style, "name").casefold() for style in chain]
    pairs = zip(names, chain, strict=True)
    levels = (named_level(name) or outline_level(style) for name, style in pairs)
    lists = ((value(one, "pPr/numPr/numId"), number(one, "pPr/numPr/ilvl")) for one in chain)
    numbered = (list_ for list_ in lists if list_[0])
    unread = frozenset(name for name in UNREAD if _sets(chain, name))
    named, level = next(filter(None, names), ""), next(filter(None, levels), 0)
    return TextStyle(named, level, next(numbered, ("", 0)), unread)


def _sets(chain: list[Any], name: str) -> bool:
    """Whether the nearest style that says so sets a property of text."""
    path = f"rPr/{name}"
    return next((is_on(style, path) for style in chain if below(style, path) is not None), False)


class Numbers:
    """Counts the items of the lists of one document in reading order."""

    def __init__(self, part: Any) -> None:
        found = (one for one in part.rels.values() if one.reltype.endswith("/numbering"))
        roots = [relation.target_part.element for relation in found][:1]
        self.counts: dict[str, dict[int, int]] = defaultdict(dict)
        self.levels = {
            attribute(definition, "abstractNumId") or "": {
                whole(attribute(level, "ilvl")): level for level in inside(definition, "lvl")
            }
            for root in roots
            for definition in inside(root, "abstractNum")
        }
        lists = [list_ for root in roots for list_ in inside(root, "num")]
        self.abstract = {
            attribute(list_, "numId") or "": value(list_, "abstractNumId") for list_ in lists
        }

    def mark(self, paragraph: Any, style: tuple[str, int]) -> str:
        """The number or bullet before a paragraph; "" when it has none. `style` is its style's list and depth in it."""
        list_, depth = style
        if below(paragraph, "pPr/numPr") is not None:
            list_ = value(paragraph, "pPr/numPr/numId") or list_
            depth = whole(value(paragraph, "pPr/numPr/ilvl"), depth)
        key = self.abstract.get(list_, "")
        levels = self.levels.get(key, {})
        level = levels.get(depth)
        form = value(level, "numFmt") if level is not None else "none"
        if list_ in ("", "0") or form == "none":
            return ""
        if form == "bullet":
            return "\u2022"
        counts = self.counts[key]
        counts[depth] = counts.get(depth, whole(value(level, "start"), 1) - 1) + 1
        for deeper in [count for count in counts if count > depth]:
            del counts[deeper]

        def counted(found: re.Match[str]) -> str:
            at = int(found[1]) - 1
            known = levels.get(at, level)
            number = counts.get(at, whole(value(known, "start"), 1))
            return written(number, value(known, "numFmt"))

        return re.sub(r"%(\d)", counted, value(level, "lvlText"))
