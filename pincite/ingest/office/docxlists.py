"""The numbers and bullets that Word puts before paragraphs: they are not in the text, only in the definitions of lists."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from pincite.ingest.office.wordxml import attribute, below, inside, value
from pincite.ingest.web.attributes import whole

_LETTERED = 780
"""The largest number that Word writes in letters; it writes those up to 32,767 in Roman."""
_ROMANS = 32_767
_ROMAN = ((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"),
          (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))  # fmt: skip


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


def written(number: int, form: str) -> str:
    """A number in letters or Roman, as "lowerLetter" or "upperRoman" ask for; else in digits."""
    if form in ("lowerLetter", "upperLetter") and number <= _LETTERED:
        letters = chr(97 + (number - 1) % 26) * (1 + (number - 1) // 26)
        return letters if form == "lowerLetter" else letters.upper()
    if form in ("lowerRoman", "upperRoman") and number <= _ROMANS:
        text, rest = "", number
        for value, sign in _ROMAN:
            text += sign * (rest // value)
            rest %= value
        return text if form == "lowerRoman" else text.upper()
    return str(number)
