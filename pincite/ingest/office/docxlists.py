"""The numbers and bullets that Word puts before paragraphs: they are not in the text, only in the definitions of lists."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from pincite.ingest.office.wordxml import attribute, below, inside, value
from pincite.ingest.web.attributes import whole, written


@dataclass(frozen=True, slots=True)
class _Level:
    form: str
    text: str
    start: int


class Numbers:
    """Counts the items of the lists of one document in reading order."""

    def __init__(self, part: Any) -> None:
        self.levels: dict[str, dict[int, _Level]] = {}
        self.counts: dict[str, dict[int, int]] = defaultdict(dict)
        self.abstract: dict[str, str] = {}
        found = next(
            (
                relation
                for relation in part.rels.values()
                if relation.reltype.endswith("/numbering")
            ),
            None,
        )
        if found is not None:
            self._read(found.target_part.element)

    def _read(self, root: Any) -> None:
        for definition in inside(root, "abstractNum"):
            self.levels[attribute(definition, "abstractNumId") or ""] = {
                whole(attribute(level, "ilvl")): _Level(
                    value(level, "numFmt"),
                    value(level, "lvlText"),
                    whole(value(level, "start"), 1),
                )
                for level in inside(definition, "lvl")
            }
        for list_ in inside(root, "num"):
            self.abstract[attribute(list_, "numId") or ""] = value(list_, "abstractNumId")

    def mark(self, paragraph: Any, style: tuple[str, int]) -> str:
        """The number or bullet before a paragraph; "" when it has none. `style` is its style's list and depth in it."""
        list_, depth = style
        if below(paragraph, "pPr/numPr") is not None:
            list_ = value(paragraph, "pPr/numPr/numId") or list_
            depth = whole(value(paragraph, "pPr/numPr/ilvl"), depth)
        key = self.abstract.get(list_, "")
        levels = self.levels.get(key, {})
        level = levels.get(depth)
        if level is None or list_ in ("", "0") or level.form == "none":
            return ""
        if level.form == "bullet":
            return "\u2022"
        counts = self.counts[key]
        counts[depth] = counts.get(depth, level.start - 1) + 1
        for deeper in [count for count in counts if count > depth]:
            del counts[deeper]

        def counted(found: re.Match[str]) -> str:
            at = int(found[1]) - 1
            known = levels.get(at, level)
            return written(counts.get(at, known.start), known.form)

        return re.sub(r"%(\d)", counted, level.text)
