"""Typed answers over documents: whether an answer is right, by the type of its gold.

integer, number: within 1% (or another declared tolerance) of the gold as written or as a number, with the gold's scale
applied or not, a percentage as 30.8 or .308; a gold of zero exactly. yes_no: equality. text, list: token F1 of at least
one half, of the bare value or of the answer as it is shown: a gold of "2.4%" or "1,942" is text as well. A refusal is
never right; whether a question without an answer was refused is a figure of its own.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from typing import Any, Literal

from pincite.records.runfile import Record, number_of, text_of

Type = Literal["number", "boolean", "text", "unanswerable"]
TYPES: dict[str, Type] = {
    "integer": "number", "number": "number", "yes_no": "boolean", "yes_no_explained": "boolean", "list": "text",
    "text": "text", "free_text": "text", "unanswerable": "unanswerable",
}  # fmt: skip
SCALES = {
    "hundred": 10**2,
    "thousand": 10**3,
    "million": 10**6,
    "billion": 10**9,
    "trillion": 10**12,
}
TOLERANCE = Decimal("0.01")
TOKEN = re.compile(r"[a-z0-9.%]+")
NUMBER = re.compile(r"\(?[-+−]?\s*+[$€£¥]?\s*+[-+−]?(\d{1,3}(,\d{3})+|\d+)?(\.\d+)?\)?")
BOOLEANS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


def answer_type(gold: Mapping[str, Any]) -> Type:
    """The type under which a gold row is compared; text for a type that is not known."""
    return TYPES.get(str(gold.get("answer_type")), "text")


def applies(gold: Mapping[str, Any]) -> bool:
    """Whether a gold row asks for an answer: not when it is unanswerable, nor yes_no with an empty gold."""
    kind = answer_type(gold)
    return (
        kind == "text"
        or kind == "number"
        or (kind == "boolean" and gold_boolean(gold) is not None)
    )


def right(record: Record | None, gold: Mapping[str, Any], tolerance: Decimal = TOLERANCE) -> bool:
    """Whether a record answers a gold row that applies; `tolerance` is relative and holds for numbers."""
    if record is None or record.value is None:
        return False
    kind = answer_type(gold)
    if kind == "number":
        return right_number(record.value, gold, tolerance)
    if kind == "boolean":
        given = boolean_of(record.value)
        return given is not None and given == gold_boolean(gold)
    wanted = text_of(gold.get("answer"))
    return any(token_f1(told, wanted) >= 0.5 for told in (text_of(record.value), record.text))


def refused(record: Record | None) -> bool:
    """Whether a record gives no answer."""
    return record is not None and record.value is None


def right_number(value: object, gold: Mapping[str, Any], tolerance: Decimal = TOLERANCE) -> bool:
    """Whether a number is within the tolerance of one of the gold's readings."""
    given = number_of(value)
    if given is None:
        return False
    return any(near(given, reading, tolerance) for reading in readings(gold))


def near(given: Decimal, wanted: Decimal, tolerance: Decimal = TOLERANCE) -> bool:
    """Within the relative tolerance of what is wanted; exactly when that is zero."""
    return abs(given - wanted) <= abs(wanted) * tolerance


def readings(gold: Mapping[str, Any]) -> set[Decimal]:
    """Every number that a gold row accepts as its centre."""
    written = str(gold.get("answer") if gold.get("answer") is not None else "").strip()
    answer, parsed = written_number(written), number_of(gold.get("answer_num"))
    found = {number for number in (answer, parsed) if number is not None}
    if "%" in written or gold.get("unit") == "%" or gold.get("scale") == "percent":
        as_fraction = set() if answer is None else {answer / 100}
        if parsed is not None:
            as_fraction.add(
                parsed / 100 if answer is None or near(parsed, answer) else parsed * 100
            )
        found |= as_fraction
    in_answer = (word for word in SCALES if re.search(rf"\b{word}s?\b", written.lower()))
    word = str(gold.get("scale") or "") or next(in_answer, "")
    return found | {number * SCALES[word] for number in found if word in SCALES}


def written_number(text: str) -> Decimal | None:
    """The number in a gold answer that is one number with at most a currency sign, a percent sign and a scale word."""
    text = re.sub(
        r"\b(hundred|thousand|million|billion|trillion|percent)s?\b|%", "", text.lower()
    ).strip()
    match = NUMBER.fullmatch(text)
    if match is None or not (match[1] or match[3]):
        return None
    negative = text.startswith("(") or "-" in text or "−" in text
    try:
        number = Decimal(re.sub(r"[^\d.]", "", text))
    except InvalidOperation:
        return None
    return -number if negative else number


def boolean_of(value: object) -> bool | None:
    """A clean value as true or false; None when it is neither."""
    return value if isinstance(value, bool) else BOOLEANS.get(text_of(value).strip().lower())


def gold_boolean(gold: Mapping[str, Any]) -> bool | None:
    """The yes or no of a gold row: its own field where it has one, or else the word with which the answer begins."""
    named = gold.get("answer_bool")
    if named is not None:
        return boolean_of(named)
    match = re.match(r"\W*+(yes|no|true|false)\b", str(gold.get("answer") or "").lower())
    return BOOLEANS[match[1]] if match else None


def token_f1(given: str, wanted: str) -> float:
    """F1 over the multisets of lower-cased tokens; 0 when either side has none."""
    a, b = Counter(TOKEN.findall(given.lower())), Counter(TOKEN.findall(wanted.lower()))
    common = sum((a & b).values())
    return 2 * common / (sum(a.values()) + sum(b.values())) if common else 0.0
