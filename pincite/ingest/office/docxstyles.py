"""What the elements of WordprocessingML say (ECMA-376 part 1, chapter 17): properties, styles with their bases, list numbers.

The numbers and bullets of lists are not in the text, only in the definitions of lists.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from pincite.ingest.web.markup import whole, written

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_MOST = 1000
"""The largest number that a property says; Word makes tables of 63 columns."""
UNREAD = ("vanish", "strike", "dstrike")
"""The properties of text that is not in force or not shown."""


def plain(root: Any) -> Any:
    """A tree whose elements and attributes of WordprocessingML have their plain names."""
    for element in root.iter(f"{_W}*"):
        element.tag = element.tag.removeprefix(_W)
        for key, said in element.items():
            if key.startswith(_W):
                element.set(key.removeprefix(_W), said)
    return root


def value(element: Any, path: str) -> str:
    """What the property that names lead to, as "pPr/numPr", is set to; "" where it is not set."""
    found = element.find(path)
    return (found.get("val") or "") if found is not None else ""


def number(element: Any, path: str) -> int:
    """The number that a property is set to; 0 where it is not set."""
    return whole(value(element, path), most=_MOST)


def is_on(element: Any, path: str) -> bool:
    """Whether a property that can be on or off is there and not off."""
    found = element.find(path)
    return found is not None and found.get("val") not in ("0", "false", "off")


@dataclass(frozen=True, slots=True)
class TextStyle:
    """A style: its name in lower case, its heading level (0 for none), its list and the depth in it, which of UNREAD it sets."""

    name: str = ""
    level: int = 0
    numbering: tuple[str, int] = ("", 0)
    unread: frozenset[str] = frozenset()


def text_styles(document: Any) -> dict[str, TextStyle]:
    """The styles of paragraphs and characters by id, "" for the default one of paragraphs."""
    found = plain(document.styles.element).iter("style")
    elements = {key: style for style in found if (key := style.get("styleId"))}
    styles = {"": TextStyle()}
    for key, element in elements.items():
        kind = element.get("type")
        if kind in (None, "paragraph", "character"):
            styles[key] = _style(_with_bases(key, elements))
        if kind == "paragraph" and element.get("default") in ("1", "true"):
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
    if element.find("pPr/outlineLvl") is None:
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
    # the nearest style that says so sets a property of text
    says = {
        name: [is_on(one, f"rPr/{name}") for one in chain if one.find(f"rPr/{name}") is not None]
        for name in UNREAD
    }
    unread = frozenset(name for name, on in says.items() if on[:1] == [True])
    named, level = next(filter(None, names), ""), next(filter(None, levels), 0)
    return TextStyle(named, level, next(numbered, ("", 0)), unread)


class Numbers:
    """Counts the items of the lists of one document in reading order."""

    def __init__(self, part: Any) -> None:
        found = (one for one in part.rels.values() if one.reltype.endswith("/numbering"))
        roots = [plain(relation.target_part.element) for relation in found][:1]
        self.counts: dict[str, dict[int, int]] = defaultdict(dict)
        self.levels = {
            definition.get("abstractNumId", ""): {
                whole(level.get("ilvl")): level for level in definition.iter("lvl")
            }
            for root in roots
            for definition in root.iter("abstractNum")
        }
        lists = [list_ for root in roots for list_ in root.iter("num")]
        self.abstract = {one.get("numId", ""): value(one, "abstractNumId") for one in lists}

    def mark(self, paragraph: Any, style: tuple[str, int]) -> str:
        """The number or bullet before a paragraph; "" when it has none. `style` is its style's list and depth in it."""
        list_, depth = style
        if paragraph.find("pPr/numPr") is not None:
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
