"""The numbers and bullets that Word puts before paragraphs: they stand in no text, only in how lists are defined."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from pincite.ingest.web.attributes import whole

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
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
        found = next((relation for relation in part.rels.values() if relation.reltype.endswith("/numbering")), None)
        if found is not None:
            self._read(found.target_part.element)

    def _read(self, root: Any) -> None:
        for definition in root.iter(f"{W}abstractNum"):
            self.levels[definition.get(f"{W}abstractNumId")] = {
                whole(level.get(f"{W}ilvl")): _Level(
                    _value(level, "numFmt"), _value(level, "lvlText"), whole(_value(level, "start"), 1)
                )
                for level in definition.iter(f"{W}lvl")
            }
        for number in root.iter(f"{W}num"):
            self.abstract[number.get(f"{W}numId")] = _value(number, "abstractNumId")

    def mark(self, paragraph: Any, style: tuple[str, int]) -> tuple[str, bool]:
        """The number before a paragraph and whether it is a bullet; "" when it has none. `style` is its style's numbering."""
        own = paragraph.find(f"{W}pPr/{W}numPr")
        number, depth = style
        if own is not None:
            number = _value(own, "numId") or number
            depth = whole(_value(own, "ilvl"), depth)
        key = self.abstract.get(number, "")
        level = self.levels.get(key, {}).get(depth)
        if level is None or number == "0" or level.form == "none":
            return "", False
        if level.form == "bullet":
            return "\u2022", True
        counts = self.counts[key]
        counts[depth] = counts.get(depth, level.start - 1) + 1
        for deeper in [count for count in counts if count > depth]:
            del counts[deeper]
        levels = self.levels[key]

        def told(found: re.Match[str]) -> str:
            at = int(found[1]) - 1
            known = levels.get(at, level)
            return written(counts.get(at, known.start), known.form)

        return re.sub(r"%(\d)", told, level.text), False


def _value(element: Any, name: str) -> str:
    found = element.find(f"{W}{name}")
    return (found.get(f"{W}val") or "") if found is not None else ""


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
