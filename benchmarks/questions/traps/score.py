"""Say what came of an answer to a trap question: right, refused, fallen into the trap, or wrong otherwise.

`outcome(gold, shown, trap)` reads the JSON of `pincite ask --json`. Numbers agree within 0.5 %, after words of scale
(thousand, million) and prefixes of units (kg, t, kt). A number without a unit counts; another currency or kind does not.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

CLOSE = 0.005
NOTHING = re.compile(r"\W*(n/a|none|nothing|no one|null|nan|not available|no answer)?\W*", re.I)
PARTS = re.compile(r"\s*(?:[;|\n]|,(?!\d{3}(?!\d))|\band\b)\s*")
SCALES = {
    "thousand": 1e3,
    "k": 1e3,
    "million": 1e6,
    "mn": 1e6,
    "m": 1e6,
    "billion": 1e9,
    "bn": 1e9,
}
UNITS = {
    "€": ("EUR", 1), "$": ("USD", 1), "£": ("GBP", 1), "euros": ("EUR", 1), "euro": ("EUR", 1),
    **{code.lower(): (code, 1) for code in ("EUR", "USD", "GBP", "CHF", "HKD")},
    "kg": ("mass", 1e-3), "t": ("mass", 1), "tonnes": ("mass", 1), "kt": ("mass", 1e3),
    "kwh": ("energy", 1e-9), "mwh": ("energy", 1e-6), "gwh": ("energy", 1e-3), "twh": ("energy", 1),
    "mpa": ("stress", 1), "ksi": ("stress", 6.894757),
}  # fmt: skip
NUMBER = re.compile(
    r"(?P<open>\()?(?P<minus>(?<![\w.,])-\s?)?(?P<sign>[€$£]\s?)?(?P<second>-)?"
    r"(?<![\w.,])(?P<digits>\d{1,3}(?:[ ,]\d{3})+(?!\d)(?:\.\d+)?|\d+(?:\.\d+)?)(?P<behind>-(?!\w))?"
    r"(?P<unit>\s?(?:[€$£%]|[A-Za-z]+))?(?P<unit2>\s[A-Za-z]+)?"
)

Figure = tuple[float, str]  # a number as shown, and the words of unit and scale that stand with it


def outcome(gold: Mapping[str, Any], shown: Mapping[str, Any], trap: Sequence[Any] = ()) -> str:
    """`right`, `refused`, `trap` (what the line's `trap` foresees) or `wrong`.

    A refusal is right where nothing can be right (na), where no record fits (an empty list of names) and where
    the gold allows it (or_na).
    """
    value = told(shown)
    if (
        shown.get("refused")
        or value is None
        or (gold["value"] == [] and figures(value, "") == [(0.0, "")])
    ):
        allowed = gold["type"] == "na" or gold["value"] == [] or gold.get("or_na")
        return "right" if allowed else "refused"
    unit = f"{shown.get('unit') or ''} {shown.get('scale') or ''}".strip()
    if any(fell(one, gold, value, unit) for one in trap):
        return "trap"
    return "right" if JUDGES[gold["type"]](gold, value, unit) else "wrong"


def told(shown: Mapping[str, Any]) -> Any:
    """The value, or the text where there is no value; None if neither says anything."""
    for source in (shown.get("value"), shown.get("text")):
        empty = source is None or source == [] or source == {}
        if not empty and not (
            isinstance(source, str) and source != "NA" and NOTHING.fullmatch(source)
        ):
            return source
    return None


def pieces(value: Any) -> list[str]:
    """The entries of a list, the rows of a table, the parts of a text."""
    if isinstance(value, Mapping):
        return [f"{held} {name}" for name, held in value.items()]
    if isinstance(value, list | tuple):
        return [" ".join(map(str, cells(entry))) for entry in value]
    return [part for part in PARTS.split(str(value)) if part]


def cells(entry: Any) -> list[Any]:
    if isinstance(entry, Mapping):
        return list(entry.values())
    return list(entry) if isinstance(entry, list | tuple) else [entry]


def figures(value: Any, unit: str) -> list[Figure]:
    """Every number shown, with its own unit or else the answer's."""
    if isinstance(value, bool) or value is None:
        return []
    if isinstance(value, int | float):
        return [(float(value), unit)]
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list | tuple):
        return [
            figure for entry in value for cell in cells(entry) for figure in figures(cell, unit)
        ]
    return [
        read(match, unit)
        for match in NUMBER.finditer(str(value).replace("\u2212", "-").replace("\xa0", " "))
    ]


def read(match: re.Match[str], unit: str) -> Figure:
    number = float(re.sub(r"[ ,]", "", match["digits"]))
    negative = match["open"] and match.string[match.end("digits") :].startswith(")")
    if negative or match["minus"] or match["second"] or match["behind"]:
        number = -number
    own = [word.strip() for word in (match["sign"], match["unit"], match["unit2"]) if word]
    known = [word for word in own if word.lower() in UNITS or word.lower() in SCALES]
    return number, " ".join(known) or unit


def measure(unit: str) -> tuple[str, float]:
    """The kind (a currency, mass, energy, stress or none) and the factor to its base unit."""
    kind, factor = "", 1.0
    for word in re.findall(r"[€$£]|[a-z]+", unit.lower()):
        if word in SCALES:
            factor *= SCALES[word]
        elif word in UNITS and not kind:
            kind, factor = UNITS[word][0], factor * UNITS[word][1]
    return kind, factor


def near(one: float, other: float) -> bool:
    return abs(one - other) <= CLOSE * max(abs(one), abs(other))


def agrees(figure: Figure, wanted: float, unit: str) -> bool:
    """Whether a figure is the wanted amount: in the same kind of unit, or bare."""
    (kind, factor), (meant, base) = measure(figure[1]), measure(unit)
    if kind and meant and kind != meant:
        return False
    if not kind:  # a bare number is in the wanted unit
        factor *= base
    return near(figure[0] * factor, wanted * base)


def says(piece: str, name: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", piece, re.I) is not None


def fell(trap: Any, gold: Mapping[str, Any], value: Any, unit: str) -> bool:
    """Whether the answer shows a foreseen mistake: a number, a name, or a list of names and no others."""
    if isinstance(trap, list):
        return names({"value": [[name] for name in trap]}, value, unit)
    if isinstance(trap, str) and gold["type"] == "names":
        golds = [name for entry in gold["value"] for name in entry]
        return any(says(p, trap) and not any(says(p, g) for g in golds) for p in pieces(value))
    shown = figures(value, unit)
    meant = gold["unit"]
    return any(near(f[0], trap) or agrees(f, trap, meant) for f in shown) and not any(
        agrees(f, gold["value"], meant)
        for f in shown
        if gold["type"] == "number" and len(shown) == 1
    )


def number(gold: Mapping[str, Any], value: Any, unit: str) -> bool:
    shown = figures(value, unit)
    right = any(agrees(figure, gold["value"], gold["unit"]) for figure in shown)
    one_row = not isinstance(value, list | tuple) or len(value) == 1
    return (right and one_row) or ("per" in gold and table(gold, value, unit))


def table(gold: Mapping[str, Any], value: Any, unit: str) -> bool:
    """Whether every amount stands beside its currency or unit, and no other amount is shown."""
    found = pieces(value)
    return len(found) == len(gold["per"]) and all(
        any(says(p, code) and any(near(f[0], amount) for f in figures(p, "")) for p in found)
        for code, amount in gold["per"].items()
    )


def names(gold: Mapping[str, Any], value: Any, unit: str) -> bool:
    """Whether each entry is named in one of its wordings, and nothing else is."""
    found = pieces(value)
    return bool(gold["value"]) and (
        all(any(says(p, name) for p in found for name in entry) for entry in gold["value"])
        and all(any(says(p, name) for entry in gold["value"] for name in entry) for p in found)
    )


def boolean(gold: Mapping[str, Any], value: Any, unit: str) -> bool:
    word = str(value).strip().lower()
    return word in (("true", "yes") if gold["value"] else ("false", "no"))


def na(gold: Mapping[str, Any], value: Any, unit: str) -> bool:
    return False


JUDGES = {"number": number, "names": names, "boolean": boolean, "table": table, "na": na}
