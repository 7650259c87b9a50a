"""What a name, a title or a question says of an edition: "v2", "Rev. B", "2nd edition", ":2019", "(corrected)", a date.

What is left of a name without its marks is its key: two files of one key are editions of one work, or years of one report.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from pincite.lexicon import word_list, word_set

Kind = Literal["version", "revision", "edition", "amendment", "state", "when", "quarter"]
Key = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Mark:
    """One mark of an edition as written; of two marks of one kind the one with the greater `order` is the newer."""

    kind: Kind
    order: tuple[int, ...]
    text: str = field(default="", compare=False)


_ORDINALS = {
    word: at for words in ("first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth",
                           "erste zweite dritte vierte fünfte sechste siebte achte neunte zehnte",
                           "första andra tredje fjärde femte sjätte sjunde åttonde nionde tionde")
    for at, word in enumerate(words.split(), 1)
}  # fmt: skip
_MONTHS = word_list("time", "short months")
_ABROAD = {"mai": "may", "maj": "may", "mär": "mar", "okt": "oct", "dez": "dec"}
_MONTH = (
    r"(?:jan(?:uar[yi])?|feb(?:ruar[yi])?|mar(?:ch|s)?|märz|apr(?:il)?|ma[yij]|jun[ei]?|jul[yi]?|aug(?:ust[i]?)?|sep(?:t(?:ember)?)?|"
    r"o[ck]t(?:ober)?|nov(?:ember)?|de[cz](?:ember)?)\.?"
)
_NUMBER = r"(\d{1,3}(?:[._]\d{1,3}){0,3})"
_LABELS: tuple[tuple[Kind, str], ...] = (
    ("version", r"ver(?:s(?:ion)?)?\.?|fassung"),
    ("revision", r"rev(?:ision)?\.?"),
    ("edition", r"edition|ed\.|ed(?=\s?\d)|issue|ausgabe|auflage|utgåva|upplaga|édition"),
)
_LABELLED = tuple(
    (
        kind,
        re.compile(
            rf"\b(?:{names})\s*+(?:no\.?|nr\.?|number)?\s*+[:#.-]?\s*+(?:{_NUMBER}(?![\d%])|(?<![a-z])((?-i:[A-Zb-z]))(?![\w'’]))",
            re.IGNORECASE,
        ),
    )
    for kind, names in _LABELS
)
_ORDINAL_EDITION = re.compile(
    rf"\b(?:(\d{{1,2}})\s?(?:st|nd|rd|th|\.|:a|:e|e|er?)?|({'|'.join(_ORDINALS)}))\s+"
    r"(?:revised\s+|überarbeitete\s+|reviderade\s+)?(?:edition|ed\b\.?|auflage|ausgabe|upplaga\w*|utgåva\w*|édition)",
    re.IGNORECASE,
)
_SHORT_VERSION = re.compile(
    r"(?:(?<![A-Za-z0-9.])|(?<=\d{4}))(?:v\s?(\d{1,3}(?:\.\d{1,3}){0,3})|V\s?(\d{1,3}(?:\.\d{1,3}){1,3}))(?![\w%]|\.\d)"
)
_AMENDED_FORM = re.compile(r"\b((?:10|20|40|8)-?[KQF])\s?[/_-]?\s?A\b", re.IGNORECASE)
_AMENDMENT = re.compile(
    r"\b(?:amendment|amd|addendum|corrigendum|erratum|änderung|tillägg)\.?\s*(?:no\.?|nr\.?)?\s*(\d{1,2})\b|"
    r"(?<=\d)\s?[+/]\s?(?:A|AC|AMD|Amd|COR|Cor)\s?(\d{1,2})(?::(?:19|20)\d\d)?(?!\w)",
    re.IGNORECASE,
)
_AFTER_COLON = re.compile(r"(?<=[\dA-Z])\s?:\s?((?:19|20)\d\d)(?:-(0[1-9]|1[0-2]))?(?!\d)")
_DATES: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"(?<!\d)((?:19|20)\d\d)([-_. ]?)(0[1-9]|1[0-2])\2(0[1-9]|[12]\d|3[01])(?!\d)"), "y-md"),
    (re.compile(r"(?<!\d)(0?[1-9]|[12]\d|3[01])([./])(0?[1-9]|1[0-2])\2((?:19|20)\d\d)(?!\d)"), "d-my"),
    (re.compile(rf"(?<![\w.])(\d{{1,2}})(?:st|nd|rd|th|\.)?\s+({_MONTH})\s*,?\s+((?:19|20)\d\d)(?!\d)", re.IGNORECASE), "dmy"),
    (re.compile(rf"\b({_MONTH})\s+(\d{{1,2}})(?:st|nd|rd|th)?,?\s+((?:19|20)\d\d)(?!\d)", re.IGNORECASE), "mdy"),
    (re.compile(rf"\b({_MONTH})\s+((?:19|20)\d\d)(?!\d)", re.IGNORECASE), "my"),
    (re.compile(r"(?<!\d)((?:19|20)\d\d)-(0[1-9]|1[0-2])(?![\d-])"), "ym"),
)  # fmt: skip
_PARTS = {"y-md": (0, 1, 2), "d-my": (2, 1, 0), "dmy": (2, 1, 0), "mdy": (2, 0, 1), "my": (1, 0), "ym": (0, 1)}
"""Where year, month and day stand among the parts of a date that is written so."""
_YEAR = re.compile(r"(?<![\d.,])(?:FY\s?['’]?(\d\d)(?!\d)|(?:FY\s?)?((?:19|20)\d\d)(?![\d%]|[.,]\d))", re.IGNORECASE)
_QUARTER = re.compile(r"(?<![A-Za-z0-9])(?:Q([1-4])|([1-4])Q)(?![A-Za-z])", re.IGNORECASE)
_AT_THE_END = re.compile(r"(?<=[^\W_])[\s-]+(?:r(\d{1,2})|(\d{1,2}(?:\.\d{1,2}){1,2}))\s*$", re.IGNORECASE)
"""A revision or a version as names end in: "manual r3", "guide 2.0"."""
_NUMBER_OF = re.compile(r"\b(?:EN|ISO|IEC|DIN|BS|NF|SS|NS|ASTM|API|ASME|ANSI)[\s_/-]*$", re.IGNORECASE)
"""Before what looks like a year and is the number of a standard: "EN 1993"."""
_HAS_YEAR = re.compile(r"(?:19|20)\d\d|FY\s?['’]?\d", re.IGNORECASE)
_CHANGES = re.compile(r"\b(?:am|add|corr|err|änd|till|\d\d?-?[kqf])|[+/]\s?[ac]", re.IGNORECASE)
_EDITIONS = re.compile(
    r"v\s?\d|\b(?:v|rev|ed|issue|ausg|aufl|utg|uppl|fass|éd|q\d|\dq)|edition|lage\b|gabe\b", re.IGNORECASE
)
"""What a text has that holds such marks: most have none, and are not looked at further."""
_STATES = (
    (0, re.compile(r"\b(?:draft|entwurf|utkast|prelim(?:inary)?|provisional)\b", re.IGNORECASE)),
    (0, re.compile(r"\b(?:archived?|obsolete|superseded|withdrawn|(?:old|previous|alt|gammal)(?=\W*$))(?!\w)", re.IGNORECASE)),
    (2, re.compile(r"\b(?:new|current|latest|neu|ny)(?=\W*$)", re.IGNORECASE)),
    (1, re.compile(r"\b(?:final|approved|released)\b", re.IGNORECASE)),
    (2, re.compile(r"\b(?:corrected|korrigiert|rättad|amended|updated?|revised|restated|re-?issued?|errata)\b", re.IGNORECASE)),
)  # fmt: skip
_COPY = re.compile(r"\(\d{1,2}\)|\b(?:copy|kopia|kopie)\b(?:\s+of)?", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+")
_BODIES = word_set("versions", "national bodies")
"""National bodies that put their letters before those of an adopted standard."""
_BODY_OF = word_set("versions", "international bodies")
_SPELLED = re.compile(r"(?<=[A-Za-z])(?=(?:19|20)\d\d(?!\d))|(?<=[A-Za-z]{2})(?=\d{3,})")
_DESIGNATION = re.compile(
    r"\W*+((?:[A-ZÖ]{2,8}[\s/-]{1,2}){0,3}?[A-ZÖ]{2,8}[\s-]?[A-Z]?\d{2,6}(?:[-.]\d{1,3}){0,3})(?=\s?:\s?(?:19|20)\d\d)"
)
"""A standard as it names itself, before the colon of its year."""
PLAIN = word_set("versions", "small words")
"""Words that say what kind of paper a name is of, not which one."""


def marks_of_name(name: str) -> tuple[Key, tuple[Mark, ...]]:
    """The key and the marks of a file's name without its extension."""
    text = _SPELLED.sub(" ", name.replace("_", " ").replace("%20", " "))
    found: list[Mark] = []
    text = _marked(_COPY.sub(" ", text), found)
    text = _take(text, _AT_THE_END, _at_the_end, found)
    for rank, pattern in _STATES:
        text = _take(text, pattern, lambda match, rank=rank: Mark("state", (rank,), match[0]), found)  # type: ignore[misc]
    return key_of(text), tuple(found)


def marks_of_title(title: str) -> tuple[Key, tuple[Mark, ...]]:
    """The key and the marks of a title, or of any text that names editions."""
    found: list[Mark] = []
    return key_of(_marked(title, found)), tuple(found)


def designation(text: str) -> Key:
    """The key of the standard whose designation a title begins with; empty when it begins otherwise."""
    match = _DESIGNATION.match(text)
    return key_of(match[1]) if match else ()


def designations(text: str) -> list[tuple[Key, Mark]]:
    """Every standard that a text names with its year."""
    found = []
    for match in re.finditer(rf"(?<!\w){_DESIGNATION.pattern[3:]}\s?:\s?((?:19|20)\d\d)", text):
        found.append((key_of(match[1]), Mark("when", (int(match[2]),), match[0])))
    return found


def labelled(line: str) -> tuple[Mark, ...]:
    """The marks of a line of a cover that holds nothing else: "Revision: B", "Version 2.1", "Second edition"."""
    text = line.strip(" \t.,;()[]")
    for kind, pattern in _LABELLED:
        if match := re.fullmatch(rf"(?:document\s++)?{pattern.pattern}(?:\W.*)?", text, re.IGNORECASE):
            return (Mark(kind, _order(match[1] or match[2]), match[0]),)
    if match := re.match(_ORDINAL_EDITION, text):
        return (Mark("edition", _ordinal(match), match[0]),)
    return ()


def dates_in(text: str) -> list[tuple[int, ...]]:
    """The dates of a text as (year, month, day) or (year, month), in the order of the patterns that they are written in."""
    found: list[Mark] = []
    for pattern, parts in _DATES:
        text = _take(text, pattern, lambda match, parts=parts: _date(match, parts), found)  # type: ignore[misc]
    return [mark.order for mark in found]


def written(when: Iterable[int]) -> str:
    """A date as ISO 8601 writes it, as far as it goes: "2019", "2019-05", "2019-05-01"."""
    return "-".join(f"{part:04d}" if at == 0 else f"{part:02d}" for at, part in enumerate(when))


def telling(key: Key) -> Key:
    """The words of a key that say which work it is: no kinds of papers, no lone digits or letters, no hashes."""
    return tuple(
        word
        for word in key
        if word not in PLAIN and len(word) > 1 and (word.isalpha() or not word.isdigit() and len(word) < 12)
    )


def key_of(text: str) -> Key:
    """The words of a name, case-folded, an adopted standard without its national body."""
    words = [word.casefold() for word in _WORD.findall(_SPELLED.sub(" ", text))]
    while len(words) > 1 and words[0] in _BODIES and words[1] in _BODIES | _BODY_OF:
        del words[0]
    return tuple(words)


def _marked(text: str, found: list[Mark]) -> str:
    """A text without its marks, which are put into `found`."""
    if _CHANGES.search(text):
        text = _take(text, _AMENDED_FORM, lambda match: Mark("amendment", (1,), match[0]), found, keep=1)
        text = _take(text, _AMENDMENT, lambda match: Mark("amendment", (int(match[1] or match[2]),), match[0]), found)
    dated = _HAS_YEAR.search(text)
    if dated:
        text = _take(text, _AFTER_COLON, _after_colon, found)
        for pattern, parts in _DATES:
            text = _take(text, pattern, lambda match, parts=parts: _date(match, parts), found)  # type: ignore[misc]
    if _EDITIONS.search(text):
        text = _numbered(text, found)
    return _take(text, _YEAR, _year, found) if dated else text


def _numbered(text: str, found: list[Mark]) -> str:
    """A text without the marks that number an edition or a quarter."""
    text = _take(text, _ORDINAL_EDITION, lambda match: Mark("edition", _ordinal(match), match[0]), found)
    for kind, pattern in _LABELLED:
        text = _take(text, pattern, lambda match, kind=kind: Mark(kind, _order(match[1] or match[2]), match[0]), found)  # type: ignore[misc]
    text = _take(text, _SHORT_VERSION, lambda match: Mark("version", _order(match[1] or match[2]), match[0]), found)
    return _take(text, _QUARTER, lambda match: Mark("quarter", (int(match[1] or match[2]),), match[0]), found)


def _take(
    text: str, pattern: re.Pattern[str], make: Callable[[re.Match[str]], Mark | None], found: list[Mark], keep: int = 0
) -> str:
    """A text without the marks that match, which are put into `found`; the group `keep` stays."""

    def taken(match: re.Match[str]) -> str:
        mark = make(match)
        if mark is None:
            return match[0]
        found.append(mark)
        return f" {match[keep]} " if keep else " "

    return pattern.sub(taken, text)


def _after_colon(match: re.Match[str]) -> Mark:
    return Mark("when", tuple(int(part) for part in match.groups() if part), match[0].lstrip(" :"))


def _date(match: re.Match[str], parts: str) -> Mark | None:
    groups = [group for group in match.groups() if group]
    if parts in ("y-md", "d-my"):
        separator = match[2]
        groups = [group for group in groups if group != separator or group.isdigit()]
    values = tuple(_month(groups[at]) if groups[at][0].isalpha() else int(groups[at]) for at in _PARTS[parts])
    return Mark("when", values, match[0].strip())


def _month(word: str) -> int:
    start = word[:3].casefold()
    return _MONTHS.index(_ABROAD.get(start, start)) + 1


def _year(match: re.Match[str]) -> Mark | None:
    if _NUMBER_OF.search(match.string[: match.start()]):
        return None
    return Mark("when", (2000 + int(match[1]) if match[1] else int(match[2]),), match[0])


def _at_the_end(match: re.Match[str]) -> Mark:
    return (
        Mark("revision", (int(match[1]),), match[0].strip(" -"))
        if match[1]
        else Mark("version", _order(match[2]), match[2])
    )


def _order(text: str) -> tuple[int, ...]:
    """The order of a number or letter: of "2.1" (2, 1), of "B" (2,)."""
    if text.isalpha():
        return (ord(text.upper()) - ord("A") + 1,)
    return tuple(int(part) for part in re.split(r"[._]", text))


def _ordinal(match: re.Match[str]) -> tuple[int, ...]:
    return (int(match[1]),) if match[1] else (_ORDINALS[match[2].casefold()],)


def numbered(marks: Iterable[Mark]) -> Iterator[Mark]:
    """The marks that number an edition: all but times and states."""
    return (mark for mark in marks if mark.kind in ("version", "revision", "edition", "amendment"))
