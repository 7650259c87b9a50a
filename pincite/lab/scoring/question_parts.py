"""Questions in groups: by the type of their answer, and by the kind of evidence that it rests on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from pincite.lab.scoring import typed_answers as typed
from pincite.lab.scoring import wattbot
from pincite.lab.scoring.set_rules import question_blank

Row = Mapping[str, Any]

TYPES = {
    "integer": "number", "number": "number", "arithmetic": "number", "count": "number", "list": "names", "names": "names",
    "multi-span": "names", "name": "name", "yes_no": "boolean", "yes_no_explained": "boolean", "boolean": "boolean",
    "unanswerable": "unanswerable",
}  # fmt: skip
FLAGS = {
    "Q": "quote", "T": "table", "F": "figure", "M": "computed", "C": "several documents", "N": "none", "R": "reasoning",
}  # fmt: skip
SET = "question set"
"""The field in which runs over several sets say whose a question is."""
KINDS = ("evidence_sources", "evidence_kinds", "evidence_kind", "answer_from", "chunk_type")
"""The fields in which data sets say where an answer stands."""


def question_type(gold: Row) -> str:
    """number, boolean, name, names, text or unanswerable; "" where a row does not say what is wanted."""
    if "answer_value" in gold:
        return value_type(str(gold["answer_value"]))
    if "gold" in gold and "kind" in gold:
        return "unanswerable" if question_blank(gold) else TYPES.get(str(gold["kind"]), "text")
    named = gold.get("answer_type") or gold.get("kind")
    return "" if named is None else TYPES.get(str(named), "text")


def value_type(value: str) -> str:
    """The type of a gold value that is written as text, as WattBot writes it."""
    if wattbot.is_blank(value):
        return "unanswerable"
    if wattbot.items(value) is not None and wattbot.bounds(value) is None:
        return "names"
    if wattbot.bounds(value) is not None or wattbot.real(value) is not None:
        return "number"
    return "boolean" if value.strip().lower() in typed.BOOLEANS else "text"


def evidence_kinds(gold: Row) -> tuple[str, ...]:
    """What the answer rests on, in the words of its data set (table, text, figure ...); a question may have several."""
    if "flags" in gold:
        return tuple(FLAGS[letter] for letter in FLAGS if letter in str(gold["flags"]))
    said = next((gold[name] for name in KINDS if gold.get(name)), ())
    several = [said] if isinstance(said, str) else [str(each) for each in said]
    if "answer_from" in gold:
        several = [part for each in several for part in each.split("-")]
    return tuple(
        dict.fromkeys(each.partition(" (")[0].strip().lower() for each in several if each.strip())
    )


def parts(golds: Mapping[str, Row], ids: Sequence[str]) -> list[tuple[str, str, list[str]]]:
    """(heading, part, ids): all questions, then those of each set, type and kind of evidence, largest part first.

    A heading with only one part that holds every question is left out: it would say the same as all.
    """
    made = [("all questions", "all", list(ids))]
    made += _cut(SET, golds, ids, lambda gold: (str(gold.get(SET) or ""),))
    made += _cut("type of question", golds, ids, lambda gold: (question_type(gold),))
    return made + _cut("kind of evidence", golds, ids, evidence_kinds)


def _cut(
    heading: str,
    golds: Mapping[str, Row],
    ids: Sequence[str],
    names: Callable[[Row], Iterable[str]],
) -> list[tuple[str, str, list[str]]]:
    found: dict[str, list[str]] = {}
    for key in ids:
        for name in names(golds[key]):
            if name:
                found.setdefault(name, []).append(key)
    if len(found) == 1 and len(next(iter(found.values()))) == len(ids):
        return []
    return [
        (heading, name, found[name])
        for name in sorted(found, key=lambda each: (-len(found[each]), each))
    ]
