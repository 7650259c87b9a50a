"""What a caption, a header or a section line declares about the numbers under it: scale, unit, exceptions."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from pincite.quantity.scales import (
    ABBREVIATIONS,
    LETTERS,
    WORDS,
    cut_off,
    goes_on,
    may_scale,
    scale_of,
    spelled_scale,
)
from pincite.quantity.units import (
    currency_before,
    is_counted,
    is_money,
    joined_scale,
    match_unit,
    units,
)
from pincite.text.lexicon import past, pattern, word_set


@dataclass(frozen=True, slots=True)
class Declared:
    """Scale and unit that hold for the numbers under a caption; `unscaled` names what is excepted, comma-separated."""

    scale: Decimal = Decimal(1)
    unit: str = ""
    unscaled: str = ""


@dataclass(frozen=True, slots=True)
class _Scale:
    """A scale at the characters [start, end) of a text; `money` is the currency beside it, if any."""

    value: Decimal
    start: int
    end: int
    money: str = ""


@dataclass(frozen=True, slots=True)
class _NamedUnit:
    """A unit by its name, at the characters [start, end) of a text."""

    name: str
    start: int
    end: int


_WORD = re.compile(r"(?<![\d_])[^\W\d_]++(?![\d_])")
_ZEROS = re.compile(r"(?<![\d.,])(?P<quote>['’‘]\s?)?000(?P<plural>['’‘]?s)?(?!\w)")
_SPACES = " \u00a0"
_NEAR = 8
"""Characters between a scale and the unit that belongs to it, at most."""
_IN = frozenset(("in", "i", "en"))
_MANGANESE = "Mn"
_OPENS, _CLOSES = "([,:;–—", ")],:;/*†–—"
SCALE_NOTE = pattern("quantity", "scale note")
_EXCEPT = pattern("quantity", "exceptions")
_DATA = pattern("quantity", "not an exception")
_COUNTED = pattern("quantity", "counted")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d$")
_LEADS = pattern("quantity", "before a scale")
_NAMED_ON = pattern("quantity", "scale in a name")
_TO_MONEY = pattern("quantity", "scale to money")
_AFTER_IN = pattern("quantity", "before a unit")
_START = re.compile(r"(?<![\w])(?:[^\W\d_]|[$€£¥₹%‰°])|(?<=[A-Za-z)\d])[$€£¥₹%]")
_LISTED = pattern("quantity", "between units")
"""What stands between units that are declared together: "$ and shares in millions"."""
_PER = pattern("quantity", "per")
_RATE = pattern("quantity", "before what a rate is per")
_PERIODS = word_set("quantity", "declared periods")

_AMOUNT = re.compile(r"(?!1,000\b|0)\d")
"""How an amount goes on behind its currency: "$75,000 or more" names a row and says nothing of its numbers."""
LONGEST = 1000
"""Characters of a text that are looked at: what is longer is no caption."""


def declared(text: str) -> Declared:
    """What a caption or header says about its numbers: "(in millions of euro, except per share data)".

    A scale word after a digit is an amount and declares nothing. A letter or an abbreviation that means something else as
    well is a scale beside a currency that the table of units knows, and nowhere else.
    """
    text = text[:LONGEST]
    unscaled = ""
    body = text
    if m := _EXCEPT.search(text):
        unscaled = _exceptions(m["what"])
        body = text[: m.start()] + " " + text[m.end() :]
    scale = _zeros(body) or _worded(body)
    return Declared(scale.value if scale else Decimal(1), _unit(body, scale), unscaled)


def scale_notes(text: str) -> list[tuple[int, int, Declared]]:
    """The notes in parentheses that say what numbers are in, each with its characters [start, end): "(in thousands)"."""
    found = ((note.start(), note.end(), declared(note[0])) for note in SCALE_NOTE.finditer(text))
    return [(start, end, said) for start, end, said in found if said.scale != 1]


def _zeros(text: str) -> _Scale | None:
    """Thousands written as their zeros: "$'000", "(000s)", "EUR 000"."""
    for m in _ZEROS.finditer(text):
        before = text[: m.start()].rstrip(_SPACES)
        bracketed = before.endswith("(") and text[m.end() : m.end() + 1] in (")", " ")
        money = _money_before(before)
        if m["quote"] or m["plural"] or bracketed or money:
            return _Scale(Decimal(1000), m.start(), m.end(), money)
    return None


def _worded(text: str) -> _Scale | None:
    """The first scale that is written in letters; that of what a rate is per ("per million hours") is none."""
    for m in _WORD.finditer(text):
        if cut_off(text, m.end()) or _RATE.search(text[max(0, m.start() - 12) : m.start()]):
            continue
        if (
            scale := _joined(text, m)
            or _in_full(text, m)
            or _with_money(text, m)
            or _abbreviated(text, m)
        ):
            return scale
    return None


def _joined(text: str, m: re.Match[str]) -> _Scale | None:
    """Scale and currency in one word: "MSEK", "EURm"."""
    both = joined_scale(m[0])
    if both is None or not _declares(text, m.start(), m.end()):
        return None
    return _Scale(Decimal(10) ** both[0], m.start(), m.end(), both[1])


def _in_full(text: str, m: re.Match[str]) -> _Scale | None:
    """A word of scale written in full, also where the text lost the space after "in"."""
    start = m.start()
    word = spelled_scale(m[0])
    if not word and m[0].startswith("in"):
        start, word = start + 2, spelled_scale(m[0][2:])
    if word not in WORDS or word in ("hundred", "dozen"):
        return None
    money = _money_beside(text, start, m.end())
    return (
        _Scale(scale_of(word), start, m.end(), money)
        if _declares(text, start, m.end(), money)
        else None
    )


def _declares(text: str, start: int, end: int, money: str = "") -> bool:
    """A scale word declares in a short text, in parentheses, after "in", beside a currency; never after a number."""
    before = text[:start].rstrip()
    if _COUNTED.search(before):
        return False
    opened = before.rfind("(") > before.rfind(")") or before.rfind("[") > before.rfind("]")
    return bool(opened or money or not before or _LEADS.search(before) or len(text.split()) <= 4)


def _with_money(text: str, m: re.Match[str]) -> _Scale | None:
    """A letter or an abbreviation beside a currency, and beside nothing that would make a name of it ("USD M&A")."""
    word, (start, end) = m[0], m.span()
    thousand = word in ("T", "t") and text.startswith(("€", ".kr"), end)
    power = 3 if thousand else LETTERS.get(word, 0)
    if not power and not may_scale(word):
        return None
    money = _money_beside(text, start, end, elsewhere=not word.isupper())
    if not money or _is_of_name(text, start, end):
        return None
    if power:
        return _Scale(Decimal(10) ** power, start, end, money)
    spelled = spelled_scale(word, money)
    return _Scale(scale_of(spelled), start, end, money) if spelled else None


def _is_of_name(text: str, start: int, end: int) -> bool:
    """Whether a letter belongs to a name or to an amount before it, and declares nothing."""
    before = text[:start].rstrip()
    amount = _COUNTED.search(before) and not _YEAR.search(before)
    glued = (
        before.endswith(("&", "'", "’", "-")) or _NAMED_ON.match(text, end) or goes_on(text, end)
    )
    return bool(amount or glued)


def _abbreviated(text: str, m: re.Match[str]) -> _Scale | None:
    """An abbreviation without a currency that stands for itself: "(in Mio.)", "Revenue, bn", "bn kWh", "Sales mn"."""
    word, spelled = m[0], spelled_scale(m[0])
    if spelled not in ABBREVIATIONS:
        return None
    before, after = text[: m.start()].rstrip(), text[m.end() :].lstrip(" .")
    closes = after[:1] in _CLOSES
    if _COUNTED.search(before) or not (closes or _names_unit(after)):
        return None
    is_name = word.isupper() or (word == _MANGANESE and closes)
    if _follows_in(word, before) or (not is_name and _is_heading(text, before)):
        return _Scale(scale_of(spelled), *m.span())
    return None


def _follows_in(word: str, before: str) -> bool:
    """Whether a word follows "in", which in capitals stands in a line of capitals and leads to a word in capitals alone."""
    *_, last = ("", *before.split())
    return last.casefold().strip(_OPENS) in _IN and (word.isupper() or not last.isupper())


def _is_heading(text: str, before: str) -> bool:
    """Whether an abbreviation begins a text or what stands in brackets, or belongs to a heading of a few words."""
    if before[-1:] in _OPENS:
        return True
    *_, last = ("", *before.split())
    return len(text.split()) <= 4 and last != "of" and not last.isupper()


def _names_unit(text: str) -> bool:
    """Whether a text begins with a unit; a word in capitals that only its letters make one ("MODEL") is a name."""
    hit = match_unit(text, 0)
    return hit is not None and (not text[: hit[1]].isupper() or text[: hit[1]] in units().symbols)


def _money_beside(text: str, start: int, end: int, elsewhere: bool = True) -> str:
    """The currency before or after a scale at [start, end); with `elsewhere` also one whose name is that of much else."""
    return _money_before(text[:start].rstrip(_SPACES), elsewhere) or _money_after(
        text, end, elsewhere
    )


def _money_before(before: str, elsewhere: bool = True) -> str:
    """The currency that a text ends with, an "in" after it left out: "USD", "Rs.", "dollars in"."""
    before = before.removesuffix(" in").rstrip(_SPACES)
    if hit := currency_before(before, len(before)):
        return hit[0]
    word = _last_word(before)
    if elsewhere and word in units().elsewhere:
        return units().elsewhere[word]
    name = units().words.get(word.casefold(), "")
    return name if is_money(name) else ""


def _last_word(text: str) -> str:
    start = len(text)
    while start and text[start - 1].isalpha():
        start -= 1
    return text[start:] if not text[max(0, start - 1) : start].isalnum() else ""


def _money_after(text: str, at: int, elsewhere: bool) -> str:
    """The currency that a text goes on with: "EUR", " U.S. dollars", ". kr", " of euro", " d'euros"."""
    at = past(_TO_MONEY, text, at)
    if (hit := match_unit(text, at)) and is_money(hit[0]):
        return hit[0].partition("/")[0]
    word = _WORD.match(text, at)
    return units().elsewhere.get(word[0], "") if elsewhere and word else ""


def _unit(text: str, scale: _Scale | None) -> str:
    """The unit beside the scale, else the last one in parentheses or after "in", else the whole text as a unit."""
    named = _units_in(text)
    if scale is not None:
        return _unit_beside(text, scale, named)
    return next((unit.name for unit in reversed(named) if _is_declared(text, unit)), "")


def _unit_beside(text: str, scale: _Scale, named: list[_NamedUnit]) -> str:
    """The unit near a scale, money first; "" for none."""
    if joined_scale(text[scale.start : scale.end]):
        return scale.money
    near = [unit.name for unit in _near(text, scale, named)]
    others = near or [unit.name for unit in named if is_money(unit.name)]
    return next(filter(None, (*filter(is_money, near), scale.money, *others)), "")


def _near(text: str, scale: _Scale, named: list[_NamedUnit]) -> list[_NamedUnit]:
    """The units near a scale, and then the money that is declared together with the first of them."""
    near = [
        unit
        for unit in named
        if not scale.start <= unit.start < scale.end
        and min(abs(unit.start - scale.end), abs(scale.start - unit.end)) <= _NEAR
    ]
    if not near:
        return []
    first = near[0].start
    return near + [
        unit for unit in named if is_money(unit.name) and _LISTED.fullmatch(text, unit.end, first)
    ]


def _is_declared(text: str, unit: _NamedUnit) -> bool:
    """Whether a unit stands where a text without a scale declares one."""
    before, after = text[: unit.start].rstrip(), text[unit.end :].lstrip()
    money = is_money(unit.name)
    if money and _AMOUNT.match(after):
        return False
    enclosed = before.endswith(("(", "[", ",", "/")) and (money or after[:1] in ")],;/")
    if enclosed or _AFTER_IN.search(before) or (money and not text[unit.start].isalpha()):
        return True
    ends = not after.strip("*¹²³0123456789 ():.")
    if not before:
        return ends or unit.name in ("%", "USD", "EUR", "GBP")
    # "Properties with a Store" is a name, "Water ML" is in megalitres
    return ends and _is_symbol(text[unit.start : unit.end]) and not is_counted(unit.name)


def _is_symbol(written: str) -> bool:
    return not written.islower() and len(written) > 1 or written in ("%", "€", "$", "£")


def _units_in(text: str) -> list[_NamedUnit]:
    """Units named in a header, with their places; what follows a number is an amount and no declaration."""
    found: list[_NamedUnit] = []
    end = 0
    for m in _START.finditer(text):
        at = m.start()
        if (
            at < end
            or _PER.search(text, 0, at)
            or (text[:at].rstrip()[-1:].isdigit() and m[0] not in "$€£¥₹")
        ):
            continue
        hit = match_unit(text, at)
        if hit and hit[0] != "x" and text[at : hit[1]].casefold() not in _PERIODS:
            found.append(_NamedUnit(hit[0], at, hit[1]))
            end = hit[1]
    return found


def _exceptions(what: str) -> str:
    parts = pattern("quantity", "between exceptions").split(_DATA.sub(" ", what))
    cleaned = (" ".join(part.split()).strip(" .:") for part in parts)
    return ", ".join(dict.fromkeys(part for part in cleaned if part))


def exempt(unscaled: str, label: str) -> bool:
    """Whether a row or column label falls under what a caption excepts ("per share": "Earnings per diluted share")."""
    words = set(re.findall(r"[a-z%]+", label.casefold().replace("%", " percentage ")))
    stems = {_stem(word) for word in words}
    phrases = filter(None, unscaled.casefold().split(", "))
    return any(stems.issuperset(map(_stem, phrase.split())) for phrase in phrases)


def _stem(word: str) -> str:
    if word.startswith("percent"):
        return "percent"
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word
