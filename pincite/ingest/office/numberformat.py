"""A number as a spreadsheet shows it: by its format code (ECMA-376 part 1, 18.8.31), dates included.

What a code asks that no reader needs (colours, fill characters, fractions, exact widths) is left out.
"""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta
from decimal import ROUND_HALF_UP, Decimal

from pincite.lexicon import word_list

_GENERAL = re.compile(r"general|@|", re.IGNORECASE)
_QUOTED = re.compile(r'"([^"]*)"|\\(.)|_.|\*.')
_BRACKET = re.compile(r"\[(?:\$([^\]\-]*)(?:-[^\]]*)?|(h+|m+|s+)|[^\]]*)\]", re.IGNORECASE)
_CONDITION = re.compile(r"\[(<=|>=|<>|<|>|=)(-?\d+(?:\.\d+)?)\]")
_DATE = re.compile(r"[ymdhs]", re.IGNORECASE)
_NUMBER = re.compile(r"[#0?](?:[#0?,.]*[#0?])?\.?(,*)")
_TOKEN = re.compile(r"AM/PM|A/P|y+|m+|d+|h+|s+(?:\.0+)?|[^ymdhsA]+|A", re.IGNORECASE)
_FRACTION = re.compile(r"[#?0]\s*/\s*[#?\d]")
LONGEST = 255
"""Characters of a code; Excel takes no longer one."""
_KEPT = 0xE000
"""From here on private letters stand for text that a code shows as it is."""
_MONTHS = word_list("time", "month names")
_DAYS = word_list("time", "day names")


def shown(value: object, code: str | None) -> str:
    """A cell's value as it is displayed under a format code."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, datetime | date | time | timedelta):
        return _dated(value, code or "")
    if not isinstance(value, int | float | Decimal):
        return str(value)
    if code in (None, "General") and isinstance(value, int):
        return str(value)
    number = Decimal(str(value))
    code = code if code and len(code) <= LONGEST else None
    if code in (None, "General") and number.is_finite():
        return _general(number)
    if not number.is_finite():
        return str(value)
    try:
        return _by_code(number, code or "General")
    except ArithmeticError:  # it would show more digits than are computed with
        return _general(number)


def _by_code(number: Decimal, code: str) -> str:
    section, number = _section(code, number)
    plain = _BRACKET.sub("", _QUOTED.sub("", section))
    if _FRACTION.search(plain):
        return _general(number)
    if _GENERAL.fullmatch(plain.strip()):
        around = _literals(section).replace("@", "General") or "General"
        return re.sub("general", lambda _: _general(number), around, flags=re.IGNORECASE).strip()
    return " ".join(_formatted(number, section).split())


def _section(code: str, number: Decimal) -> tuple[str, Decimal]:
    """The part of a code that holds for a number, which comes without its sign where the part says how negatives look."""
    parts = re.split(r';(?=(?:[^"]*"[^"]*")*[^"]*$)', code)
    for part in parts:
        if condition := _CONDITION.search(part):
            limit = Decimal(condition[2])
            met = {
                "<": number < limit, "<=": number <= limit, ">": number > limit, ">=": number >= limit,
                "=": number == limit, "<>": number != limit,
            }[condition[1]]  # fmt: skip
            if met:
                return part, number
    if any(_CONDITION.search(part) for part in parts):
        return next((part for part in reversed(parts) if not _CONDITION.search(part)), parts[-1]), number
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
    text = _QUOTED.sub(lambda found: found[1] or found[2] or ("" if found[0][0] in '"\\' else " "), section)
    return _BRACKET.sub(lambda found: found[1] or "", text)


def _formatted(number: Decimal, section: str) -> str:
    held: list[str] = []

    def keep(text: str) -> str:
        held.append(text)
        return chr(_KEPT + len(held) - 1)

    masked = _QUOTED.sub(lambda f: keep(f[1] if f[1] is not None else f[2] or " "), section)
    masked = _BRACKET.sub(lambda f: keep(f[1] or ""), masked)
    digits = _NUMBER.search(masked)
    sign = ""
    if digits is None:
        out = masked
    else:
        form = digits[0].rstrip(",")
        places = len(re.sub(r"[^#0?]", "", form.partition(".")[2]))
        optional = len(re.search(r"#*$", form)[0]) if "." in form else 0  # type: ignore[index]
        number = number / 1000 ** len(digits[1])
        number *= Decimal(100) ** masked.count("%")
        after = masked[digits.end() :]
        exponent = re.match(r"[Ee][+-]0+", after)
        if exponent:
            text = f"{abs(number):.{places}E}"
            after = after[exponent.end() :]
        else:
            rounded = abs(number).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
            text = f"{rounded:,f}" if "," in form else f"{rounded:f}"
            least = form.partition(".")[0].count("0")
            whole, dot, rest = text.partition(".")
            kept = rest.rstrip("0") if optional else rest
            kept = rest[: max(len(kept), places - optional)]
            text = whole.zfill(least) + (dot + kept if kept else "")
        sign = "-" if number < 0 and Decimal(re.sub(r"[^\d.]", "", text.partition("E")[0]) or 0) else ""
        out = masked[: digits.start()] + text + after
    out = "".join(held[at] if 0 <= (at := ord(letter) - _KEPT) < len(held) else letter for letter in out)
    return sign + out.strip()


def is_date(code: str | None) -> bool:
    """Whether a format code shows dates or times."""
    first = (code or "").split(";")[0]
    elapsed = any(found[2] for found in _BRACKET.finditer(first))
    plain = _BRACKET.sub("", _QUOTED.sub("", first)).strip()
    return elapsed or bool(_DATE.search(plain)) and not _GENERAL.fullmatch(plain) and not re.search(r"#|0\.0", plain)


def _dated(value: date | time | timedelta, code: str) -> str:
    """A date or time by its code; dates written with digits only come in ISO order, which no reader mistakes."""
    if isinstance(value, timedelta):
        seconds = int(value.total_seconds())
        return f"{seconds // 3600}:{seconds % 3600 // 60:02d}:{seconds % 60:02d}"
    if isinstance(value, time):
        return value.strftime("%H:%M:%S" if value.second else "%H:%M")
    moment = value if isinstance(value, datetime) else datetime(value.year, value.month, value.day)
    plain = _literals(code.split(";")[0])
    asked = plain.casefold()
    clock = f" {moment:%H:%M}" + (f":{moment:%S}" if moment.second else "")
    if "mmm" not in asked and re.search(r"y", asked) and re.search(r"d", asked):
        return f"{moment:%Y-%m-%d}" + (clock if "h" in asked else "")
    if not is_date(code):
        return f"{moment:%Y-%m-%d}" + (clock if moment.time() != time() else "")
    out, hours = [], False
    for token in _TOKEN.findall(plain):
        kind = token[0].casefold()
        if kind == "y":
            out.append(f"{moment.year}")  # in full where the code asks for two digits: "Mar-23" may be a day
        elif kind == "m" and not (hours and len(token) < 3):
            name = _MONTHS[moment.month - 1]
            out.append({1: str(moment.month), 2: f"{moment.month:02d}", 3: name[:3], 5: name[0]}.get(len(token), name))
        elif kind == "m":
            out.append(f"{moment.minute:02d}")
        elif kind == "d":
            name = _DAYS[moment.weekday()]
            out.append({1: str(moment.day), 2: f"{moment.day:02d}", 3: name[:3]}.get(len(token), name))
        elif kind == "h":
            half = re.search(r"am/pm|a/p", asked)
            out.append(f"{(moment.hour - 1) % 12 + 1 if half else moment.hour:0{min(len(token), 2)}d}")
        elif kind == "s":
            out.append(f"{moment.second:02d}")
        elif token.casefold() in ("am/pm", "a/p"):
            out.append("AM" if moment.hour < 12 else "PM")
        else:
            out.append(token)
        hours = kind == "h" or hours and kind not in "ymds"
    return " ".join("".join(out).split())
