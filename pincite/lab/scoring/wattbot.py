"""WattBot's scoring rules of 2025 and 2026, over its submission file.

2025: 0.75 value + 0.15 Jaccard of references + 0.10 N/A, means over all rows.
2026: 0.75 value + 0.20 F1 of references + 0.05 N/A.
Gold values are `is_blank`, a number, `[lo, hi]` for a range, `(a, b)` for several values, or text.
"""

from __future__ import annotations

import ast
import math
import re
import string
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pincite.records.runfile import number_of, read_table
from pincite.workbench.submissions import BLANK, UNABLE, WATTBOT_COLUMNS, checked_row

TOLERANCE = 1e-3
PARTS = {"score": "total", "value": "value", "references": "references", "na": "na"}
"""The figures of a score, by the field that each is of."""
Row = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class WattbotScore:
    """The three parts of one row's score, each in [0, 1], and their weighted sum."""

    value: float
    references: float
    na: float
    total: float


def is_blank(text: str) -> bool:
    """Whether a value says that there is no answer."""
    text = text.strip().lower()
    return text in ("", "na", "n/a", BLANK) or text.startswith(UNABLE.rstrip(".").lower())


def items(text: str) -> list[str] | None:
    """The items of `[a, b]` or `(a, b)`, quoted or bare; None for anything else."""
    text = text.strip()
    if len(text) < 2 or (text[0], text[-1]) not in (("[", "]"), ("(", ")")):
        return None
    try:
        read = ast.literal_eval(text)
        if isinstance(read, list | tuple):
            return [str(item).strip() for item in read]
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        pass
    return [item.strip().strip("'\"") for item in text[1:-1].split(",") if item.strip()]


def real(text: str) -> float | None:
    """A bare number, without commas, units or percent signs."""
    number = number_of(text)
    return None if number is None else float(number)


def close(a: float, b: float) -> bool:
    """Equal within 1e-3, relative or absolute."""
    return math.isclose(a, b, rel_tol=TOLERANCE, abs_tol=TOLERANCE)


def same(given: str, gold: str) -> bool:
    """One value against one value: numbers within the tolerance, anything else lower-cased and stripped."""
    a, b = real(given), real(gold)
    if a is not None and b is not None:
        return close(a, b)
    return folded(given) == folded(gold)


def same_items(given: Sequence[str], gold: Sequence[str], key: Callable[[str], str]) -> bool:
    """The same items in any order: numbers within the tolerance, others equal under `key`."""
    a, b = [real(item) for item in given], [real(item) for item in gold]
    numbers = sorted(x for x in a if x is not None), sorted(x for x in b if x is not None)
    if len(numbers[0]) == len(a) == len(b) == len(numbers[1]):
        return all(close(x, y) for x, y in zip(*numbers, strict=True))
    return sorted(map(key, given)) == sorted(map(key, gold))


def folded(text: str) -> str:
    """Text lower-cased and stripped."""
    return text.strip().lower()


def bounds(gold: str) -> tuple[float, float] | None:
    """The ends of a gold range `[lo, hi]`; None when the gold is none."""
    parts = items(gold) if gold.strip().startswith("[") else None
    ends = [real(part) for part in parts or ()]
    if len(ends) != 2 or ends[0] is None or ends[1] is None:
        return None
    return min(ends[0], ends[1]), max(ends[0], ends[1])


def value_2025(given: str, gold: str) -> bool:
    """Whether a submitted value is right under the rules of 2025."""
    if is_blank(gold):
        return True
    wanted, offered = items(gold), items(given)
    if wanted is None:
        return same(given, gold)
    if offered is not None:
        return same_items(offered, wanted, folded)
    span, number = bounds(gold), real(given)
    return same(given, gold) if span is None or number is None else within(number, span)


def value_2026(given: str, gold: str, unit: str = "") -> bool:
    """Whether a submitted value is right under the rules of 2026; `unit` is the row's unit, stripped where echoed."""
    if is_blank(gold) or is_blank(given):
        return is_blank(gold) and is_blank(given)
    wanted, span, offered = items(gold), bounds(gold), items(given)
    bare = [without_unit(each, unit) for each in (offered if offered is not None else [given])]
    if span is None:
        return same_items(bare, [gold] if wanted is None else wanted, plain)
    return bool(bare) and all(within(real(each), span) for each in bare)


def within(number: float | None, span: tuple[float, float]) -> bool:
    """Whether a number lies in a range, within 1e-3."""
    return number is not None and span[0] - TOLERANCE <= number <= span[1] + TOLERANCE


def plain(text: str) -> str:
    """Text in lower case without punctuation and a leading article."""
    words = re.sub(f"[{re.escape(string.punctuation)}]", " ", text.lower()).split()
    return re.sub(r"^(a|an|the) ", "", " ".join(words))


def without_unit(text: str, unit: str) -> str:
    """A value without the words of its unit behind it: "4.3 tCO2e" is 4.3 where the unit is tCO2e."""
    words = {word.lower() for word in unit.split()} if not is_blank(unit) else set()
    if "percent" in words or "%" in words:
        words |= {"percent", "%"}
        text = re.sub(r"(?<=\d)%$", " %", text.strip())
    kept = text.split()
    while len(kept) > 1 and kept[-1].lower().strip(".,") in words:
        kept.pop()
    return " ".join(kept)


def references(text: str) -> frozenset[str]:
    """The ids in a `ref_id` field: `["a", "b"]` is two ids, a string without brackets one; nothing when empty."""
    found = items(text) if text.strip().startswith("[") else [text.strip()]
    return frozenset(item.lower() for item in found or () if item)


def gold_references(text: str) -> frozenset[str]:
    """The ids of a gold field, which may also be `a,b`."""
    if text.strip().startswith("["):
        return references(text)
    return frozenset(part.strip().lower() for part in text.split(",") if part.strip())


def jaccard(a: frozenset[str], b: frozenset[str]) -> float:
    """Intersection over union; two empty sets are equal."""
    return len(a & b) / len(a | b) if a | b else 1.0


def overlap_f1(a: frozenset[str], b: frozenset[str]) -> float:
    """2 x intersection over the sum of sizes; two empty sets are equal."""
    return 2 * len(a & b) / (len(a) + len(b)) if a or b else 1.0


def score_2025(given: Row | None, gold: Row) -> WattbotScore:
    """One row under the rules of 2025; a row that was not submitted scores 0."""
    if given is None:
        return WattbotScore(0.0, 0.0, 0.0, 0.0)
    value = float(value_2025(given["answer_value"], gold["answer_value"]))
    cited = jaccard(references(given["ref_id"]), gold_references(gold["ref_id"]))
    na = float(not is_blank(gold["answer_value"]) or is_blank(given["answer_value"]))
    return WattbotScore(value, cited, na, 0.75 * value + 0.15 * cited + 0.10 * na)


def score_2026(given: Row | None, gold: Row) -> WattbotScore:
    """One row under the rules of 2026; a row that was not submitted scores 0."""
    if given is None:
        return WattbotScore(0.0, 0.0, 0.0, 0.0)
    value = float(
        value_2026(given["answer_value"], gold["answer_value"], gold.get("answer_unit", ""))
    )
    cited = overlap_f1(references(given["ref_id"]), gold_references(gold["ref_id"]))
    fields = ("answer_value", "ref_id", "ref_url", "supporting_materials")
    na = float(
        not is_blank(gold["answer_value"])
        or all(is_blank(given.get(field, "")) for field in fields)
    )
    return WattbotScore(value, cited, na, 0.75 * value + 0.20 * cited + 0.05 * na)


def read_submission(path: Path) -> dict[str, dict[str, str]]:
    """The rows of a submission by id. Raises UsageError on missing columns or a row without explanation."""
    return {row["id"]: checked_row(row) for row in read_table(path, WATTBOT_COLUMNS)}


def read_gold(path: Path) -> dict[str, dict[str, str]]:
    """Gold rows by id: the columns id, question, answer_value, answer_unit and ref_id are needed, others kept."""
    needed = ("id", "question", "answer_value", "answer_unit", "ref_id")
    return {row["id"]: row for row in read_table(path, needed)}
