"""Exact match and F1 of TAT-QA (Zhu et al. 2021), by the rules of its official evaluation.

A prediction is items plus a scale. Both sides become one string, numbers brought to one form, and are compared as such.
"""

from __future__ import annotations

import re
import string
from collections.abc import Mapping, Sequence
from typing import Any

from pincite.lab.scoring.evaluation import Figure, Pairs, figure
from pincite.records.runfile import Record, number_of, text_of

SCALES = (
    ("hundred", 100),
    ("thousand", 10**3),
    ("million", 10**6),
    ("billion", 10**9),
    ("percent", 0.01),
)
DROPPED_IN_NUMBERS = "'\"\\$€£¥%(),[]"
ARTICLES = re.compile(r"\b(a|an|the)\b")
COUNTED = frozenset({"number", "integer", "arithmetic", "count"})


def factor(scale: str) -> float:
    """The factor of a scale word, 1 for anything else."""
    return next((value for word, value in SCALES if word in scale.lower()), 1)


def bare(text: str) -> str:
    """Text without quotes, currency signs, brackets, commas and percent signs."""
    return "".join(character for character in text if character not in DROPPED_IN_NUMBERS)


def reads_as_number(text: str) -> bool:
    """Whether the first word is a number and the second, if any, a scale word."""
    words = " ".join(bare(word) for word in text.split()).split()
    try:
        number = float(words[0]) if words else float("nan")
    except ValueError:
        return False
    return number == number and (len(words) < 2 or factor(words[1]) != 1)


def number(text: str) -> float | None:
    """The number in a text: scale word applied, parentheses negating, a percent sign dividing by 100; to 4 decimals.

    As in the official evaluation only parentheses around digits, points and spaces negate, not around commas.
    """
    found = re.search(r"([+-]?\d+(\.\d+)?)|([+-]?\.\d+)", bare(text))
    if found is None or not found[1]:
        return None
    worded = re.search(r"[\d.]++\s?[a-zA-Z]++", text)
    sign = -1 if re.search(r"\([\d.\s]+\)", text) else 1
    percent = 0.01 if re.search(r"[\d.\s]++%", text) else 1
    plain = float(found[1]) if "." in found[1] else int(found[1])
    return round(plain * (factor(worded[0]) if worded else 1) * sign * percent, 4)


def joined(items: Sequence[str], scale: str) -> str:
    """Items in order as one string, each number brought to four decimals with the scale applied."""
    return " ".join(formed(item, scale) for item in sorted(items))


def formed(item: str, scale: str) -> str:
    """One item in the form that is compared."""
    value = number(item) if reads_as_number(item) else None
    if value is None:
        return f"{item} {scale}" if scale else item
    if "%" in item:
        return f"{value:.4f}"
    return f"{round(value, 2) * factor(scale):.4f}"


def normal(text: str) -> str:
    """Lower-cased, without punctuation (kept in numbers), articles and extra blanks."""
    words = (normal_word(word) for word in text.split(" "))
    return " ".join(word for word in words if word)


def normal_word(word: str) -> str:
    """One word of `normal`."""
    word = word.lower()
    if not reads_as_number(word):
        word = "".join(character for character in word if character not in string.punctuation)
    if reads_as_number(word):
        word = str(number(word))
    return " ".join(ARTICLES.sub(" ", word).split())


def score(
    items: Sequence[str], scale: str, gold: Any, gold_scale: str, answer_type: str
) -> tuple[float, float]:
    """Exact match and F1 of a prediction, both in [0, 1]; no items score 0.

    Scales are "", "thousand", "million", "billion" or "percent"; `gold` is a string, a number or a list of strings.
    F1 equals exact match where the answer type is a number (arithmetic) or a count.
    """
    wanted = (
        [str(item) for item in gold] if isinstance(gold, list) else [gold_text(gold, answer_type)]
    )
    if not items or not wanted:
        return 0.0, 0.0
    readings = [joined(items, scale)]
    if len(items) == 1 and not scale and "%" not in items[0] and reads_as_number(items[0]):
        value = number(items[0])
        if value is not None:
            readings.append(f"{value:.4f}")
    best = max(compared(reading, joined(wanted, gold_scale)) for reading in readings)
    return (best[0], best[0]) if answer_type in COUNTED else best


def gold_text(gold: Any, answer_type: str) -> str:
    """A single gold answer as text; counts are whole numbers."""
    return str(int(gold)) if answer_type in ("integer", "count") else str(gold)


def compared(given: str, wanted: str) -> tuple[float, float]:
    """Exact match and token-set F1 (to 2 decimals) of two strings."""
    given, wanted = normal(given), normal(wanted)
    a, b = set(given.split()), set(wanted.split())
    common = len(a & b)
    precision, recall = common / len(a) if a else 1.0, common / len(b) if b else 1.0
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return float(given == wanted), round(f1, 2)


def prediction(record: Record) -> tuple[list[str], str]:
    """Items and scale of a record; nothing when it refuses. A number in % has the scale percent."""
    if record.value is None:
        return [], ""
    values = record.value if isinstance(record.value, list | tuple) else [record.value]
    items = [text for text in map(text_of, values) if text]
    percent = record.unit.strip().lower() in ("%", "percent", "per cent")
    numeric = bool(items) and all(number_of(value) is not None for value in values)
    return items, record.scale or ("percent" if percent and numeric else "")


def record_score(record: Record | None, gold: Mapping[str, Any]) -> tuple[float, float]:
    """Exact match and F1 of one record."""
    items, scale = prediction(record) if record is not None else ([], "")
    told = str(gold.get("scale") or ""), str(gold["answer_type"])
    return score(items, scale, gold["answer"], *told)


def tatqa_figures(pairs: Pairs) -> list[Figure]:
    """Exact match and F1 of records beside their gold rows."""
    scores = [record_score(record, gold) for record, gold in pairs]
    return [figure("EM", [em for em, _ in scores]), figure("F1", [f1 for _, f1 in scores])]
