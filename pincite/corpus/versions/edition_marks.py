"""What a name, a title or a question says of an edition: "v2", "Rev. B", "2nd edition", ":2019", "(corrected)", a date.

What is left of a name without its marks is its key: two files of one key are editions of one work, or years of one report.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Literal, cast

from pincite.text.lexicon import pattern, pattern_table, word_list, word_set
from pincite.text.words import PLAIN_WORD

Kind = Literal["version", "revision", "edition", "amendment", "state", "when", "quarter"]
Key = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Mark:
    """One mark of an edition as written; of two marks of one kind the one with the greater `order` is the newer."""

    kind: Kind
    order: tuple[int, ...]
    text: str = field(default="", compare=False)


_ORDINALS = {
    word: at
    for language in ("English ordinals", "German ordinals", "Swedish ordinals")
    for at, word in enumerate(word_list("versions", language), 1)
}
_MONTHS = word_list("time", "short months")
_ABROAD = {"mai": "may", "maj": "may", "mär": "mar", "okt": "oct", "dez": "dec"}
_PARTS = {
    "y-m-d": (0, 2, 3), "d-m-y": (3, 2, 0), "d m y": (2, 1, 0), "m d y": (2, 0, 1), "m y": (1, 0), "y m": (0, 1),
}  # fmt: skip
"""Where year, month and day stand among the groups of a date that is written so; a sign between digits is a group too."""
_RANKS = {"draft": 0, "old": 0, "final": 1, "new": 2, "corrected": 2}
"""The order of the states of a paper."""
_BODIES = word_set("versions", "national bodies")
"""National bodies that put their letters before those of an adopted standard."""
_BODY_OF = word_set("versions", "international bodies")
_SMALL = word_set("versions", "small words")
"""Words that say what kind of paper a name is of, not which one."""

_pattern = partial(pattern, "versions")
_Make = Callable[[re.Match[str]], Mark | None]


def marks_of_name(name: str) -> tuple[Key, tuple[Mark, ...]]:
    """The key and the marks of a file's name without its extension."""
    text = _pattern("before a number").sub(" ", name.replace("_", " ").replace("%20", " "))
    found: list[Mark] = []
    text = _take_marks(_pattern("copy").sub(" ", text), found)
    text = _take_mark(text, _pattern("number at the end"), _last_number_mark, found)
    for state, state_pattern in pattern_table("versions", "states"):
        text = _take_mark(text, state_pattern, partial(_state_mark, state), found)
    return key_of(text), tuple(found)


def marks_of_title(title: str) -> tuple[Key, tuple[Mark, ...]]:
    """The key and the marks of a title, or of any text that names editions."""
    found: list[Mark] = []
    return key_of(_take_marks(title, found)), tuple(found)


def designation(text: str) -> Key:
    """The key of the standard whose designation a title begins with; empty when it begins otherwise."""
    match = _pattern("own designation").match(text)
    return key_of(match[1]) if match else ()


def designations(text: str) -> list[tuple[Key, Mark]]:
    """Every standard that a text names with its year."""
    matches = _pattern("dated designation").finditer(text)
    return [(key_of(match[1]), Mark("when", (int(match[2]),), match[0])) for match in matches]


def labelled(line: str) -> tuple[Mark, ...]:
    """The marks of a line of a cover that holds nothing else: "Revision: B", "Version 2.1", "Second edition"."""
    text = line.strip(" \t.,;()[]")
    for kind, line_pattern in pattern_table("versions", "lines of labels"):
        if match := line_pattern.fullmatch(text):
            return (_labelled_mark(kind, match),)
    match = _pattern("ordinal edition").match(text)
    mark = _ordinal_mark(match) if match else None
    return (mark,) if mark else ()


def dates_in(text: str) -> list[tuple[int, ...]]:
    """The dates of a text as (year, month, day) or (year, month), in the order of the patterns that they are written in."""
    found: list[Mark] = []
    _take_dates(text, found)
    return [mark.order for mark in found]


def written(when: Iterable[int]) -> str:
    """A date as ISO 8601 writes it, as far as it goes: "2019", "2019-05", "2019-05-01"."""
    return "-".join(f"{part:04d}" if at == 0 else f"{part:02d}" for at, part in enumerate(when))


def telling(key: Key) -> Key:
    """The words of a key that say which work it is: no kinds of papers, no lone digits or letters, no hashes."""
    return tuple(
        word
        for word in key
        if word not in _SMALL and len(word) > 1
        if word.isalpha() or not word.isdigit() and len(word) < 12
    )


def key_of(text: str) -> Key:
    """The words of a name, case-folded, an adopted standard without its national body."""
    plain = _pattern("before a number").sub(" ", text)
    words = [word.casefold() for word in PLAIN_WORD.findall(plain)]
    while len(words) > 1 and words[0] in _BODIES and words[1] in _BODIES | _BODY_OF:
        del words[0]
    return tuple(words)


def numbered(marks: Iterable[Mark]) -> Iterator[Mark]:
    """The marks that number an edition: all but times and states."""
    return (mark for mark in marks if mark.kind in ("version", "revision", "edition", "amendment"))


def _take_marks(text: str, found: list[Mark]) -> str:
    """A text without its marks, which are put into `found`."""
    if _pattern("has an amendment").search(text):
        text = _take_mark(text, _pattern("amended form"), _amendment_mark, found, keep=1)
        text = _take_mark(text, _pattern("amendment"), partial(_counted_mark, "amendment"), found)
    dated = _pattern("has a year").search(text)
    if dated:
        text = _take_dates(
            _take_mark(text, _pattern("year after colon"), _colon_mark, found), found
        )
    if _pattern("has an edition").search(text):
        text = _take_numbers(text, found)
    return _take_mark(text, _pattern("lone year"), _year_mark, found) if dated else text


def _take_dates(text: str, found: list[Mark]) -> str:
    """A text without its dates."""
    for order, date_pattern in pattern_table("versions", "dates"):
        text = _take_mark(text, date_pattern, partial(_date_mark, order), found)
    return text


def _take_numbers(text: str, found: list[Mark]) -> str:
    """A text without the marks that number an edition or a quarter."""
    text = _take_mark(text, _pattern("ordinal edition"), _ordinal_mark, found)
    for kind, label_pattern in pattern_table("versions", "labels"):
        text = _take_mark(text, label_pattern, partial(_labelled_mark, kind), found)
    text = _take_mark(text, _pattern("short version"), partial(_labelled_mark, "version"), found)
    return _take_mark(text, _pattern("quarter"), partial(_counted_mark, "quarter"), found)


def _take_mark(
    text: str, marking: re.Pattern[str], make: _Make, found: list[Mark], keep: int = 0
) -> str:
    """A text without the marks that match, which are put into `found`; the group `keep` stays."""

    def taken(match: re.Match[str]) -> str:
        mark = make(match)
        if mark is None:
            return match[0]
        found.append(mark)
        return f" {match[keep]} " if keep else " "

    return marking.sub(taken, text)


def _labelled_mark(kind: str, match: re.Match[str]) -> Mark:
    """A mark with a number or a letter."""
    return Mark(cast(Kind, kind), _order_of(match[1] or match[2]), match[0])


def _counted_mark(kind: Kind, match: re.Match[str]) -> Mark:
    """A mark with a whole number."""
    return Mark(kind, (int(match[1] or match[2]),), match[0])


def _amendment_mark(match: re.Match[str]) -> Mark:
    return Mark("amendment", (1,), match[0])


def _ordinal_mark(match: re.Match[str]) -> Mark | None:
    """The edition that an ordinal numbers; none where the word before "edition" is no ordinal."""
    number = int(match[1]) if match[1] else _ORDINALS.get(match[2].casefold())
    return None if number is None else Mark("edition", (number,), match[0])


def _state_mark(state: str, match: re.Match[str]) -> Mark:
    return Mark("state", (_RANKS[state],), match[0])


def _colon_mark(match: re.Match[str]) -> Mark:
    return Mark("when", tuple(int(part) for part in match.groups() if part), match[0].lstrip(" :"))


def _date_mark(order: str, match: re.Match[str]) -> Mark:
    parts = [match.groups()[at] for at in _PARTS[order]]
    return Mark("when", tuple(map(_number_of, parts)), match[0].strip())


def _number_of(part: str) -> int:
    """The number of a part of a date: of a month's name its place in the year."""
    if not part[0].isalpha():
        return int(part)
    start = part[:3].casefold()
    return _MONTHS.index(_ABROAD.get(start, start)) + 1


def _year_mark(match: re.Match[str]) -> Mark | None:
    if _pattern("number of a standard").search(match.string[: match.start()]):
        return None
    return Mark("when", (2000 + int(match[1]) if match[1] else int(match[2]),), match[0])


def _last_number_mark(match: re.Match[str]) -> Mark:
    if match[1]:
        return Mark("revision", (int(match[1]),), match[0].strip(" -"))
    return Mark("version", _order_of(match[2]), match[2])


def _order_of(text: str) -> tuple[int, ...]:
    """The order of a number or letter: of "2.1" (2, 1), of "B" (2,)."""
    if text.isalpha():
        return (ord(text.upper()) - ord("A") + 1,)
    return tuple(map(int, text.replace("_", ".").split(".")))
