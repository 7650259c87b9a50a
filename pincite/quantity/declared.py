"""What a caption, a header or a section line declares about the numbers under it: scale, unit, exceptions."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from pincite.quantity.units import SCALED_MONEY, SCALES, match_unit, scale_of, units


@dataclass(frozen=True, slots=True)
class Declared:
    """Scale and unit that hold for the numbers under a caption; `unscaled` names what is excepted, comma-separated."""

    scale: Decimal = Decimal(1)
    unit: str = ""
    unscaled: str = ""


_WORDS = "|".join(
    sorted((w for w in SCALES if w not in ("hundred", "dozen", "mm", "md", "mille", "cr")), key=len, reverse=True)
)
_CURRENCY = r"(?:[A-Z]{1,3}\$|[$€£¥₹₩]|Rs\.?)"
_SCALE = re.compile(
    rf"""(?<![\d.,])(?:
      (?P<zeros>['’‘]\s?000s?|(?<![\d,.])000s|(?<=[$€£¥])\s?['’‘]?000s?|(?<=\()\s?['’‘]?000s?(?=\s?[)\s]))(?!\d)
    | (?<!\d\s)(?:(?<!\w)|(?<=\bin))(?P<word>(?i:{_WORDS}))(?i:s)?\b\.?
    | (?:{_CURRENCY}\s?|(?<=[A-Z]{{3}})\s?)(?P<letter>MM|mm|m|M|k|K|B|cr)(?![\w.])
    | (?<![\w])(?P<before>MM|m|M|k|K|B)\s?(?={_CURRENCY}|EUR\b|USD\b|GBP\b|SEK\b) )""",
    re.VERBOSE,
)
_LETTERS = {"k": 3, "m": 6, "mm": 6, "b": 9, "cr": 7}
_EXCEPT = re.compile(r"[,;(]?\s*\b(?:except|with the exception of)\s+(?:for\s+|as\s+)?(?P<what>[^()]*)", re.IGNORECASE)
_DATA = re.compile(
    r"\b(?:data|amounts?|information|figures?|values?|otherwise|(?:stated|noted|indicated)|where|as|numbers?|the|when)\b",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    r"\d$|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|several|a|many|few|hundred)$", re.IGNORECASE
)
_LEADS = re.compile(rf"(?:\bin(?:\s+(?:the|[A-Z][A-Za-z.]*|{_CURRENCY}))?|{_CURRENCY}|\b[A-Z]{{3}}|[,:–—-])$")
_FOLLOWS = re.compile(rf"\s?(?:of\s)?(?:{_CURRENCY}|[A-Z]{{3}}\b|euros?|dollars?)")
_AFTER_IN = re.compile(r"\b(?:in|units?)(?:\s+(?:the|nominal))?:?$", re.IGNORECASE)
_START = re.compile(r"(?<![\w])(?:[^\W\d_]|[$€£¥₹%‰°])|(?<=[A-Za-z)\d])[$€£¥₹%]")
_LETTER_BEFORE = re.compile(r"[kKmM](?=[€$£])")
_LETTER_AFTER = re.compile(rf"(?:{_CURRENCY}|[A-Z]{{3}})(?=m|bn|k|M|B|'|’)")
_PER = re.compile(r"\bper\s$", re.IGNORECASE)
_PERIODS = frozenset(("year", "years", "quarter", "month", "months", "second"))


def declared(text: str) -> Declared:
    """What a caption or header says about its numbers: "(in millions of euro, except per share data)".

    A scale word after a digit is an amount and declares nothing.
    """
    unscaled = ""
    body = text
    if m := _EXCEPT.search(text):
        unscaled = _exceptions(m["what"])
        body = text[: m.start()] + " " + text[m.end() :]
    scale, spot = _scale(body)
    return Declared(scale, _unit(body, spot), unscaled)


def _scale(text: str) -> tuple[Decimal, tuple[int, int] | None]:
    for m in _SCALE.finditer(text):
        if m["word"] and not _declares(text, m):
            continue
        if m["zeros"]:
            return Decimal(1000), m.span()
        letter = m["letter"] or m["before"]
        return (Decimal(10) ** _LETTERS[letter.casefold()] if letter else scale_of(m["word"])), m.span()
    return Decimal(1), None


def _declares(text: str, m: re.Match[str]) -> bool:
    """A scale word declares in a short text, in parentheses, after "in", beside a currency; never after a number."""
    before = text[: m.start("word")].rstrip()
    if _COUNTED.search(before):
        return False
    opened = before.rfind("(") > before.rfind(")") or before.rfind("[") > before.rfind("]")
    beside = _LEADS.search(before) or _FOLLOWS.match(text, m.end())
    return bool(opened or beside or not before or len(text.split()) <= 4)


def _unit(text: str, spot: tuple[int, int] | None) -> str:
    """The unit beside the scale, else the last one in parentheses or after "in", else the whole text as a unit."""
    named = _units_in(text)
    if spot is not None:
        if own := SCALED_MONEY.get(text[spot[0] : spot[1]].casefold().rstrip(".")):
            return own
        money = [u for u in named if _is_money(u[0])]
        near = [u for u in named if min(abs(u[1] - spot[1]), abs(spot[0] - u[2])) <= 8]
        best = next(iter([u for u in near if u in money] or near or money), None)
        return best[0] if best else ""
    for name, start, end in reversed(named):
        before, after = text[:start].rstrip(), text[end:].lstrip()
        if before.endswith(("(", "[", ",", "/")) and (after[:1] in ")],;/" or not after or _is_money(name)):
            return name
        if _AFTER_IN.search(before):
            return name
        if not after.strip("*¹²³0123456789 ():.") and (not before or _is_symbol(text[start:end])):
            return name
        if not before and name in ("%", "USD", "EUR", "GBP"):
            return name
        if _is_money(name) and not text[start].isalpha():
            return name
    return ""


def _is_money(name: str) -> bool:
    known = units().by_name.get(name.partition("/")[0])
    return known is not None and known.before


def _is_symbol(written: str) -> bool:
    return not written.islower() and len(written) > 1 or written in ("%", "€", "$", "£")


def _units_in(text: str) -> list[tuple[str, int, int]]:
    """Units named in a header, with their places; what follows a number is an amount and no declaration."""
    found: list[tuple[str, int, int]] = []
    end = 0
    for m in _START.finditer(text):
        at = m.start()
        if at < end or _PER.search(text, 0, at) or (text[:at].rstrip()[-1:].isdigit() and m[0] not in "$€£¥₹"):
            continue
        hit = match_unit(text, at)
        if hit is None and (letter := _LETTER_BEFORE.match(text, at)):
            hit = match_unit(text, letter.end())
        if hit is None and (money := _LETTER_AFTER.match(text, at)):
            hit = match_unit(text[: money.end()], at)
        if hit and hit[0] != "x" and text[at : hit[1]].casefold() not in _PERIODS:
            found.append((hit[0], at, hit[1]))
            end = hit[1]
    return found


def _exceptions(what: str) -> str:
    parts = re.split(r",|;|\band\b|\bor\b|/", _DATA.sub(" ", what))
    cleaned = (" ".join(part.split()).strip(" .:") for part in parts)
    return ", ".join(dict.fromkeys(part for part in cleaned if part))


def exempt(unscaled: str, label: str) -> bool:
    """Whether a row or column label falls under what a caption excepts ("per share": "Earnings per diluted share")."""
    words = set(re.findall(r"[a-z%]+", label.casefold().replace("%", " percentage ")))
    stems = {_stem(word) for word in words}
    return any(all(_stem(w) in stems for w in phrase.casefold().split()) for phrase in unscaled.split(", ") if phrase)


def _stem(word: str) -> str:
    if word.startswith("percent"):
        return "percent"
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word
