"""The numbers and bullets that Word puts before paragraphs: they are not in the text, only in the definitions of lists."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Any

from pincite.ingest.office.wordxml import attribute, below, inside, value
from pincite.ingest.web.attributes import whole, written


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
