"""Units as people write them: a table of spellings, the names Pincite gives them, and how they convert.

A unit is written `name`, `name/name` or `million name`: "t CO2e", "L/kWh", "USD/share", "million L"; "" is none. Its
dimension is a product of base dimensions ("power" is energy per time), so rates convert part by part. Currencies
and counted things (tokens, employees) are base dimensions of their own: no exchange rate is ever guessed.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any

from pincite.errors import UsageError
from pincite.quantity.scales import LETTERS, NAMES, SCALES, spelled_scale
from pincite.text.lexicon import past, pattern, word_set


@dataclass(frozen=True, slots=True)
class Unit:
    """One entry of the table; `factor` is its size in the base unit of `dimension`, `of` what is measured ("CO2e")."""

    name: str
    symbols: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    dimension: str = ""
    factor: Decimal = Decimal(1)
    of: str = ""
    before: bool = False
    pint: str = ""
    expand: str = ""

    @property
    def is_dollar(self) -> bool:
        """Whether it is the dollar of one country or another."""
        return any("$" in symbol for symbol in self.symbols)


@dataclass(frozen=True, slots=True)
class Units:
    """The table, indexed for reading: spellings as tokens joined by a space, and every proper prefix of them.

    `elsewhere` holds names of currencies that are those of much else, with the currency; `joined` scale and currency written as
    one word, in capitals, with the power of ten and the currency ("MSEK" is 6 and SEK).
    """

    by_name: dict[str, Unit] = field(default_factory=dict)
    terms: dict[str, str] = field(default_factory=dict)
    symbols: dict[str, str] = field(default_factory=dict)
    words: dict[str, str] = field(default_factory=dict)
    prefixes: set[str] = field(default_factory=set)
    dimensions: dict[str, tuple[str, str]] = field(default_factory=dict)
    before: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    masses: set[str] = field(default_factory=set)
    elsewhere: dict[str, str] = field(default_factory=dict)
    joined: dict[str, tuple[int, str]] = field(default_factory=dict)
    parts: dict[str, tuple[Decimal, tuple[tuple[str, int], ...], str]] = field(
        default_factory=dict
    )


CARBON = re.compile(
    r"\s{0,4}(?:of\s{1,4})?(?:(?:CO|co)\s{0,4}_?[2₂](?P<e>[\s-]{0,4}e(?:q(?:uiv(?:alents?)?)?)?(?![A-Za-z])|[\s-]equivalents?\b|\s?\(e\))?"
    r"|carbon[\s-]dioxide(?P<long>[\s-]equiv(?:alents?\b|\b\.?)|\s\(equivalents?\)|[\s-]?e\b)?)(?![A-Za-z0-9])"
)
TOKEN = re.compile(r"[^\W\d_]+[0-9₂²³]*[a-z]*|[%‰¢€$£¥₹₩₪₽฿°º×/]")
_JOINT = re.compile(r"\.?[ \u00a0]{0,4}(?:[-‐‑·⋅∙.]|\()?\n?")
_DENOMINATOR = pattern("quantity", "denominator")
_MANY = pattern("quantity", "many below")
_UNKNOWN = re.compile(r"[a-z]{3,}(?:-[a-z]+)*")
_INVERSE = re.compile(r"\s?(?P<unit>[A-Za-z]++)(?:\^?\{?[-−⁻]1\}?|⁻¹)")
_AFTER_CODE = {"k": 3, "m": 6, "mm": 6, "mn": 6, "bn": 9}
_YEARLY = word_set("quantity", "times of a rate")


def _key(spelling: str) -> str:
    return " ".join(TOKEN.findall(spelling))


def _spellings(pattern: str) -> Iterator[str]:
    yield pattern.replace("(s)", "")
    if "(s)" in pattern:
        yield pattern.replace("(s)", "s")


def _read(text: str, origin: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(
            f"the unit table {origin} is not valid TOML: {error}; see the head of units.toml"
        ) from error


def _entry(row: dict[str, Any]) -> Unit:
    fields: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value for key, value in row.items()
    }
    try:
        return Unit(**{**fields, "factor": Decimal(str(fields.get("factor", 1)))})
    except (TypeError, InvalidOperation) as error:
        raise UsageError(
            f"the unit table has an entry that cannot be read: {row} ({error}); see units.toml"
        ) from error


def _build(tables: Iterable[Mapping[str, Any]]) -> Units:
    """The index of several tables, of which a later one overrules those before it."""
    made = Units()
    for table in tables:
        _add_currencies(made, table.get("currencies", {}))
        for name, quotient in table.get("dimensions", {}).items():
            above, _, below = quotient.partition("/")
            made.dimensions[name] = (above, below)
        made.terms.update((term["name"], term["expand"]) for term in table.get("term", []))
        for row in table.get("unit", []):
            _add_unit(made, _entry(row))
    _index(made)
    return made


def _index(made: Units) -> None:
    """Add what follows from all entries: the beginnings of spellings, currencies by their last letter, the masses."""
    made.prefixes.update(chain.from_iterable(map(_beginnings, chain(made.symbols, made.words))))
    money = [
        unit for unit in made.by_name.values() if unit.before and unit.name not in made.elsewhere
    ]
    spelled = [
        (spelling, unit.name)
        for unit in money
        for spelling in dict.fromkeys((unit.name, *unit.symbols))
    ]
    for spelling, name in sorted(spelled, key=lambda pair: -len(pair[0])):
        made.before.setdefault(spelling[-1], []).append((spelling, name))
    made.masses.update(
        unit.name for unit in made.by_name.values() if unit.dimension == "mass" and not unit.of
    )


def _beginnings(key: str) -> Iterator[str]:
    parts = key.split()
    return (" ".join(parts[:n]) for n in range(1, len(parts)))


def _add_currencies(made: Units, given: Mapping[str, Any]) -> None:
    for code in given.get("codes", "").split():
        made.by_name[code] = Unit(code, (code,), dimension=code, before=True)
        made.symbols[code] = code
    for code in given.get("elsewhere", "").split():
        made.by_name[code] = Unit(code, dimension=code, before=True)
        made.elsewhere[code] = code
    made.elsewhere.update(given.get("called", {}))
    for code in given.get("joined", "").split():
        made.joined.update(_joined(code))
    made.joined.update(
        (word.upper(), (power, name)) for word, (power, name) in given.get("words", {}).items()
    )


def _add_unit(made: Units, unit: Unit) -> None:
    made.by_name[unit.name] = unit
    spellings = [
        spelling
        for spelling in (unit.name, *unit.symbols)
        if unit.dimension or "/" not in spelling
    ]
    made.symbols.update((_key(spelling), unit.name) for spelling in spellings)
    spelled = chain.from_iterable(map(_spellings, unit.words))
    made.words.update((_key(spelling).casefold(), unit.name) for spelling in spelled)


def _joined(code: str) -> Iterator[tuple[str, tuple[int, str]]]:
    """A currency's code with a scale before or after it: TEUR, KEUR, MEUR, EURK, EURM, EURBN."""
    for letter, power in (("T", 3), ("K", 3), ("M", 6)):
        yield letter + code, (power, code)
    for letters, power in (("K", 3), ("M", 6), ("MM", 6), ("MN", 6), ("B", 9), ("BN", 9)):
        yield code + letters, (power, code)


_BUILT_IN = Path(__file__).parents[1] / "data" / "units.toml"
_table: Units | None = None


def load_units(extra: Path | str | None = None) -> Units:
    """The built-in table of units, with a user's file of the same form on top; used by this package from then on.

    Raises UsageError when the file is missing or malformed. `load_units()` goes back to the built-in table.
    """
    global _table
    tables = [_read(_BUILT_IN.read_text(encoding="utf-8"), "units.toml")]
    if extra is not None:
        try:
            if Path(extra).exists() and not Path(extra).is_file():
                raise UsageError(
                    f"the unit table {extra} is not a file: give a TOML file in UTF-8"
                )
            tables.append(_read(Path(extra).read_text(encoding="utf-8"), str(extra)))
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(
                f"the unit table {extra} cannot be read: {error}; give a TOML file in UTF-8"
            ) from error
    try:
        _table = _build(tables)
    except (
        AttributeError,
        TypeError,
        LookupError,
    ) as error:  # a text where units.toml has a table, and the like
        raise UsageError(
            f"the unit table {extra} does not have the form of units.toml ({error!r}); see its head"
        ) from error
    canonical_unit.cache_clear()
    return _table


def units() -> Units:
    """The table in use."""
    return _table or load_units()


def is_currency(unit: str) -> bool:
    """Whether a unit by its name is a currency."""
    known = units().by_name.get(unit)
    return known is not None and known.before


def is_money(unit: str) -> bool:
    """Whether a unit by its name is a currency or a rate of one ("USD/share")."""
    return is_currency(unit.partition("/")[0])


def is_counted(unit: str) -> bool:
    """Whether a unit, in any spelling, is a thing that is counted ("employees")."""
    table = units().by_name
    known = table.get(canonical_unit(unit))
    base = table.get(known.dimension) if known is not None else None
    return base is not None and base.dimension == base.name and not base.before


def is_time(unit: str) -> bool:
    """Whether a unit, in any spelling, measures time ("months")."""
    table = units().by_name
    known, second = table.get(canonical_unit(unit)), table["s"]
    return known is not None and known.dimension == second.dimension


def currency_before(text: str, end: int, floor: int = 0) -> tuple[str, int] | None:
    """The sign or code of a currency that ends here, as its name and where it starts."""
    for spelling, name in units().before.get(text[end - 1 : end], ()) if end > floor else ():
        start = end - len(spelling)
        if start >= floor and text.startswith(spelling, start):
            if not spelling[0].isalpha() or not text[max(0, start - 1) : start].isalpha():
                return name, start
    return None


def joined_scale(word: str) -> tuple[int, str] | None:
    """The power of ten and the currency that one word says ("MSEK", "kEUR", "USDm", "RMm"), or None.

    In capitals only what the table lists: a code before or after a capital is the beginning or the end of many a word.
    """
    table = units()
    if both := table.joined.get(word.upper()):
        return both
    code = word.rstrip("bkmn")
    if code.isupper() and word[len(code) :] in _AFTER_CODE:
        name = table.symbols.get(code) or table.elsewhere.get(code, "")
        return (_AFTER_CODE[word[len(code) :]], name) if is_money(name) else None
    code = word[1:]
    if word[:1] in ("k", "m") and code.isupper() and is_money(name := table.symbols.get(code, "")):
        return LETTERS[word[0]], name
    return None


def match_unit(text: str, at: int) -> tuple[str, int] | None:
    """The longest unit spelled at this place (rates included) as its canonical name and where it ends, or None."""
    found = _match_atom(text, at)
    if found is None:
        return None
    return match_denominators(text, *found)


def match_denominators(text: str, unit: str, at: int) -> tuple[str, int]:
    """What follows a unit and makes it a rate: "/kWh", "per share"; percentages a year stay percentages."""
    while (below := _denominator(text, at, bare=not unit)) is not None:
        name, at = below
        if unit not in ("%", "x") or name not in _YEARLY:
            unit = f"{unit}/{name}"
    return unit, at


def _denominator(text: str, at: int, bare: bool) -> tuple[str, int] | None:
    """The unit below the line that stands here, and its end; a `bare` number takes none after a slash."""
    if m := _DENOMINATOR.match(text, at):
        return None if bare and "/" in m[0] else _below(text, m)
    if m := _INVERSE.match(text, at):
        below = None if bare and "/" in m[0] else _match_atom(m["unit"], 0)
        return (below[0], m.end()) if below else None
    return None


def _below(text: str, m: re.Match[str]) -> tuple[str, int] | None:
    """The unit after "/" or "per", with how many of it ("per thousand tonnes"); after "per" any word is one."""
    per = "per" in m[0]
    many = _MANY.match(text, m.end()) if per else None
    below = _match_atom(text, many.end() if many else m.end())
    if many:
        return (f"{many['word'] or 'thousand'} {below[0]}", below[1]) if below else None
    if below is None and per and (word := _UNKNOWN.match(text, m.end())):
        return word[0], word.end()
    return below


def _match_atom(text: str, at: int) -> tuple[str, int] | None:
    """The longest unit spelled in full from here on, and its end; of a mass the gas that it is of."""
    table = units()
    if glued := _glued_carbon(table, text, at):
        return glued
    best = ""
    stop = at
    for key, end in _spelled(table, text, at):
        name = table.symbols.get(key) or table.words.get(key.casefold())
        times = name == "x" and text[at - 1 : at].isdigit()  # "cut by 5x."
        if name and (times or not _is_initial(key, text[end : end + 2])):
            best, stop = name, end
    return (_of_gas(table, text, best, stop) or (best, stop)) if best else None


def _spelled(table: Units, text: str, at: int) -> Iterator[tuple[str, int]]:
    """The beginnings of units' spellings from here on, each longer than the last and with its end; none ends in parentheses."""
    key, opened = "", False
    while token := TOKEN.match(text, at):
        key = f"{key} {token[0]}" if key else token[0]
        end = token.end()
        if opened and text[end : end + 1] == ")":
            end, opened = end + 1, False
        if not opened:
            yield key, end
        if table.prefixes.isdisjoint((key, key.casefold())):
            return
        at = past(_JOINT, text, end)
        opened = opened or "(" in text[end:at]


def _is_initial(key: str, after: str) -> bool:
    """Whether a letter with a point is the initial of a name."""
    return len(key) == 1 and key.isalpha() and after in (". ", ".")


def _glued_carbon(table: Units, text: str, at: int) -> tuple[str, int] | None:
    """tCO2e, kgCO2eq, "gCO 2 e": a mass written into the formula."""
    cut = text.find("CO", at, at + 6)
    return _of_gas(table, text, table.symbols.get(text[at:cut], ""), cut) if cut > at else None


def _of_gas(table: Units, text: str, mass: str, at: int) -> tuple[str, int] | None:
    """A mass with the gas named here that it is of, and where that ends; None for another unit, or without a gas."""
    m = CARBON.match(text, at) if mass in table.masses else None
    return (f"{mass} CO2{'e' if m['e'] or m['long'] else ''}", m.end()) if m else None


_SCALED = (
    re.compile(r"^(?P<scale>[a-z]+?)s?\s++(?:of\s++)?(?P<unit>.+)", re.I),
    re.compile(r"^(?P<unit>.+?)\s++(?:in\s++)?(?P<scale>[a-z]+?)s?$", re.I),
)


@lru_cache(maxsize=4096)
def canonical_unit(text: str) -> str:
    """A unit however it is spelled, by the name Pincite gives it ("metric tons of CO2 equivalent" is "t CO2e").

    A scale word stays in front ("USD millions" is "million USD"). What the table does not know is returned as it is.
    """
    text = " ".join(text.split())
    if text in ("", "is_blank"):
        return ""
    for candidate in (text, text.strip(" ().,:")):
        found = match_unit(candidate, 0)
        if found and found[1] == len(candidate):
            return found[0]
    if both := joined_scale(text):
        return f"{NAMES[both[0]]} {both[1]}"
    for written in _SCALED:
        if scaled := _scaled_unit(written.fullmatch(text)):
            return scaled
    return spelled_scale(text) or text


def _scaled_unit(m: re.Match[str] | None) -> str:
    """A unit with its scale in front, "" where the word beside it is no scale."""
    if m is None or m["scale"].casefold() not in SCALES:
        return ""
    unit = canonical_unit(m["unit"])
    scale = spelled_scale(m["scale"], unit if is_money(unit) else "")
    return f"{scale} {unit}" if scale else ""


_IN_QUESTION = re.compile(r"(?<![\w$€£%])(?:[^\W\d_]|[$€£¥₹%‰°])")
_NAMES_LETTER = pattern("quantity", "before a letter")
_SHARE_OF = pattern("quantity", "asks a share")
_TIMES = pattern("quantity", "asks a factor")


def find_units(text: str) -> list[str]:
    """The units named in a question, in order, each once: "in megawatt-hours" names MWh, "what percentage" %.

    One-letter symbols count only after "in" or in a rate, because "a" and "m" name much else.
    """
    found = ["x"] if _TIMES.search(text) else []
    end = 0
    for m in _IN_QUESTION.finditer(text):
        hit = match_unit(text, m.start()) if m.start() >= end else None
        if hit is not None and _is_asked(text, m.start(), *hit):
            end = hit[1]
            found.append(hit[0])
    if _SHARE_OF.search(text) and "%" not in found:
        found.insert(0, "%")
    return list(dict.fromkeys(found))


def _is_asked(text: str, start: int, name: str, end: int) -> bool:
    """Whether what spells a unit in a question names one there."""
    if name == "x" or (name == "share" and text.startswith(" of", end)):
        return False
    letter = end - start == 1 and text[start].isalpha()
    return not letter or bool(_NAMES_LETTER.search(text[:start]))


def expansions(text: str) -> list[str]:
    """What the units and abbreviations named in a text stand for, to widen a query with; each once, in order."""
    table = units()
    found = [table.by_name[name].expand for name in _named(text) if name in table.by_name]
    tokens = set(re.findall(r"[\w&]+", text))
    found += [expand for term, expand in table.terms.items() if term in tokens]
    return list(dict.fromkeys(e for e in found if e))


def _named(text: str) -> Iterator[str]:
    for name in find_units(text):
        yield name
        if name not in units().by_name:
            yield from name.split("/")
