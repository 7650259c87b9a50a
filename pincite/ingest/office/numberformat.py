"""A number as a spreadsheet shows it: by its format code (ECMA-376 part 1, 18.8.31), dates included.

What a code asks that no reader needs (colours, fill characters, fractions, exact widths) is left out.
"""

from __future__ import annotations

import operator
import re
from contextlib import suppress
from datetime import date, datetime, time, timedelta
from decimal import ROUND_HALF_UP, Decimal

from pincite.text.lexicon import word_list

_GENERAL = ("general", "@", "")
_QUOTED = re.compile(r'"([^"]*)"|\\(.)|_.|\*.')
_BRACKET = re.compile(r"\[(?:\$([^\]\-]*)(?:-[^\]]*)?|(h+|m+|s+)|[^\]]*)\]", re.IGNORECASE)
_CONDITION = re.compile(r"\[(<=|>=|<>|<|>|=)(-?\d+(?:\.\d+)?)\]")
_DATE = frozenset("ymdhs")
_NUMBER = re.compile(r"[#0?](?:[#0?,.]*[#0?])?\.?(,*)")
_COMPARISONS = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "=": operator.eq, "<>": operator.ne,
}  # fmt: skip
_HALVES = ("am/pm", "a/p")
_TOKEN = re.compile(r"AM/PM|A/P|y+|m+|d+|h+|s+(?:\.0+)?|[^ymdhsA]+|A", re.IGNORECASE)
_FRACTION = re.compile(r"[#?0]\s*/\s*[#?\d]")
_EXPONENT = re.compile(r"[Ee][+-]0+")
_HIDING = ";;;"
"""The code that shows nothing of any value."""
LONGEST = 255
"""Characters of a code; Excel takes no longer one."""
_KEPT = 0xE000
"""From here on private letters stand for text that a code shows as it is."""
_MONTHS = word_list("time", "month names")
_DAYS = word_list("time", "day names")


def shown(value: object, code: str | None) -> str:
    """A cell's value as it is displayed under a format code."""
    if value is None or code == _HIDING:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, datetime | date | time | timedelta):
        return _shown_date(value, code or "")
    if isinstance(value, int | float | Decimal):
        return _shown_number(value, "General" if code is None else code)
    return str(value)


def _shown_number(value: int | float | Decimal, code: str) -> str:
    number = Decimal(str(value))
    if not number.is_finite() or code == "General" and isinstance(value, int):
        return str(value)
    if code not in ("", "General") and len(code) <= LONGEST:
        with suppress(ArithmeticError):  # it would show more digits than are computed with
            return _by_code(number, code)
    return _general(number)


def _by_code(number: Decimal, code: str) -> str:
    section, number = _section(code, number)
    plain = _BRACKET.sub("", _QUOTED.sub("", section))
    if _FRACTION.search(plain):
        return _general(number)
    if plain.strip().casefold() in _GENERAL:
        around = _literals(section).replace("@", "General") or "General"
        return re.sub("general", lambda _: _general(number), around, flags=re.IGNORECASE).strip()
    return " ".join(_by_section(number, section).split())


def _section(code: str, number: Decimal) -> tuple[str, Decimal]:
    """The part of a code that holds for a number, which comes without its sign where the part says how negatives look."""
    parts = re.split(r';(?=(?:[^"]*"[^"]*")*[^"]*$)', code)
    conditions = {part: _CONDITION.search(part) for part in parts}
    for part, condition in conditions.items():
        if condition and _COMPARISONS[condition[1]](number, Decimal(condition[2])):
            return part, number
    if any(conditions.values()):
        free = [part for part in parts if not conditions[part]]
        return (free or parts)[-1], number
    if number < 0 and len(parts) > 1:
        return parts[1], -number
    if number == 0 and len(parts) > 2:
        return parts[2], number
    return parts[0], number


def _general(number: Decimal) -> str:
    """A number as "General" shows it: up to eleven digits, those of a whole number all, without trailing zeros."""
    if number == number.to_integral_value() and number.adjusted() < 15:
        return f"{number.quantize(Decimal(1)):f}"
    rounded = Decimal(f"{number:.11g}").normalize()
    if rounded == 0 or -10 <= rounded.adjusted() < 12:
        return f"{rounded:f}"
    return f"{rounded:E}"


def _literals(section: str) -> str:
    """A section with its quoted and escaped text as it is and its brackets as what they show."""
    text = _QUOTED.sub(
        lambda found: found[1] or found[2] or ("" if found[0][0] in '"\\' else " "), section
    )
    return _BRACKET.sub(lambda found: found[1] or "", text)


def _by_section(number: Decimal, section: str) -> str:
    """A number by a section of a code that asks for digits."""
    kept: list[str] = []

    def keep(text: str) -> str:
        kept.append(text)
        return chr(_KEPT + len(kept) - 1)

    masked = _QUOTED.sub(
        lambda found: keep(found[1] if found[1] is not None else found[2] or " "), section
    )
    masked = _BRACKET.sub(lambda found: keep(found[1] or ""), masked)
    sign = ""
    if digits := _NUMBER.search(masked):
        form, after = digits[0].rstrip(","), masked[digits.end() :]
        number = number / 1000 ** len(digits[1]) * Decimal(100) ** masked.count("%")
        if exponent := _EXPONENT.match(after):
            text, after = f"{abs(number):.{_places(form)}E}", after[exponent.end() :]
        else:
            text = _digits(abs(number), form)
        if number < 0 and not set(text.partition("E")[0]).isdisjoint("123456789"):
            sign = "-"
        masked = masked[: digits.start()] + text + after
    return sign + masked.translate(dict(enumerate(kept, _KEPT))).strip()


def _digits(number: Decimal, form: str) -> str:
    """A number by the digits that a code asks for, as "#,##0.0#"."""
    rounded = number.quantize(Decimal(1).scaleb(-_places(form)), ROUND_HALF_UP)
    whole, _, decimals = (f"{rounded:,f}" if "," in form else f"{rounded:f}").partition(".")
    before, _, after = form.partition(".")
    least = _places(form) - (len(after) - len(after.rstrip("#")))
    kept = decimals[: max(len(decimals.rstrip("0")), least)]
    return whole.zfill(before.count("0")) + (f".{kept}" if kept else "")


def _places(form: str) -> int:
    """How many decimals a code asks for."""
    return sum(map(form.partition(".")[2].count, "#0?"))


def is_date(code: str | None) -> bool:
    """Whether a format code shows dates or times."""
    first = (code or "").split(";")[0]
    if any(found[2] for found in _BRACKET.finditer(first)):
        return True
    plain = _BRACKET.sub("", _QUOTED.sub("", first)).strip().casefold()
    dated = not _DATE.isdisjoint(plain) and plain not in _GENERAL
    return dated and "#" not in plain and "0.0" not in plain


def _shown_date(value: date | time | timedelta, code: str) -> str:
    """A date or time by its code; dates written with digits only come in ISO order, which no reader mistakes."""
    if isinstance(value, timedelta):
        seconds = int(value.total_seconds())
        return f"{seconds // 3600}:{seconds % 3600 // 60:02d}:{seconds % 60:02d}"
    if isinstance(value, time):
        return value.strftime("%H:%M:%S" if value.second else "%H:%M")
    moment = value if isinstance(value, datetime) else datetime(value.year, value.month, value.day)
    plain = _literals(code.split(";")[0])
    asked = plain.casefold()
    in_digits = "y" in asked and "d" in asked and "mmm" not in asked
    if in_digits or not is_date(code):
        timed = "h" in asked if in_digits else moment.time() != time()
        clock = f" {moment:%H:%M:%S}" if moment.second else f" {moment:%H:%M}"
        return f"{moment:%Y-%m-%d}{clock if timed else ''}"
    text, after_hours = "", False
    for token in _TOKEN.findall(plain):
        kind = token[0].casefold()
        minutes = kind == "m" and after_hours and len(token) < 3
        halved = any(half in asked for half in _HALVES)
        text += f"{moment.minute:02d}" if minutes else _part(moment, token, halved)
        after_hours = kind == "h" or after_hours and kind not in "ymds"
    return " ".join(text.split())


def _part(moment: datetime, token: str, halved: bool) -> str:
    """What a token of a code shows of a date or time, an hour of half a day where that is `halved`; any other text as it is."""
    kind, length = token[0].casefold(), len(token)
    if token.casefold() in _HALVES:
        return "AM" if moment.hour < 12 else "PM"
    names = {"m": _MONTHS[moment.month - 1], "d": _DAYS[moment.weekday()]}
    if kind in names and length > 2:
        ends = {("m", 5): 1, ("m", 3): 3, ("d", 3): 3}
        return names[kind][: ends.get((kind, length))]
    numbers = {
        "y": (moment.year, 4),  # in full for two digits, too: "Mar-23" may be a day
        "m": (moment.month, length),
        "d": (moment.day, length),
        "h": ((moment.hour - 1) % 12 + 1 if halved else moment.hour, min(length, 2)),
        "s": (moment.second, 2),
    }
    number, digits = numbers.get(kind, (0, 0))
    return f"{number:0{digits}d}" if digits else token
