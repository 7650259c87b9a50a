"""Whether the wording of a question decides its answer: facts, each asked in several ways by different hands.

All documents in which the facts stand are one corpus, and no question names its file. What is accepted is written as the page
has it ("5,372 million", "76%"), with the unit in which bare numbers stand.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from pathlib import Path
from typing import Any

from benchmarks.measuring import answer_key as answerkey
from benchmarks.measuring import measured_system as system
from benchmarks.measuring.measurement import ReportedFigure, Work, lines
from benchmarks.measuring.own_questions import QUESTIONS, answers
from pincite.errors import UsageError
from pincite.lab.scoring.evaluation import figure
from pincite.lab.scoring.typed_answers import SCALES
from pincite.records.runfile import Record, number_of, read_lines


def measure_wordings(work: Work) -> list[ReportedFigure]:
    """Every wording of every fact, asked of one corpus."""
    facts = read_lines(QUESTIONS / "wordings.jsonl")[: work.limit]
    system.index(documents(work.data, facts), work.corpus)
    rows = [
        {"id": f"{fact['id']}/{at}", "question": wording}
        for fact in facts
        for at, wording in enumerate(fact["wordings"], 1)
    ]
    return wording_lines(facts, answers(work, rows, "answers"))


def documents(data: Path, facts: Sequence[Mapping[str, Any]]) -> tuple[Path, ...]:
    """The files in which facts stand, each once. Raises UsageError when one is missing."""
    paths = tuple(data / name for name in dict.fromkeys(str(fact["file"]) for fact in facts))
    missing = [str(path) for path in paths if not path.is_file()]
    if missing:
        raise UsageError(
            f"{len(missing)} documents are missing, the first is {missing[0]}. Set PINCITE_DATA to the data."
        )
    return paths


def wording_lines(
    facts: Sequence[Mapping[str, Any]], records: Mapping[str, Record]
) -> list[ReportedFigure]:
    """The figures of facts by what their wordings (`ID/1`, `ID/2`, ...) were answered with.

    Answers that the key accepts are one answer, so a fact with two different ones has a wrong one among them.
    """
    asked = [
        [records[f"{fact['id']}/{at}"] for at in range(1, len(fact["wordings"]) + 1)]
        for fact in facts
    ]
    right = [
        [answerkey.right(record, gold(fact)) for record in own]
        for fact, own in zip(facts, asked, strict=True)
    ]
    shown = [[record.value is not None for record in own] for own in asked]
    never_wrong = [said == good for said, good in zip(shown, right, strict=True)]
    every = [good for own in right for good in own]
    ours = [
        figure("facts with no wrong and no two different answers", never_wrong),
        figure(
            "of facts answered rightly once, right in all wordings",
            [all(own) for own in right if any(own)],
        ),
        figure("facts with an answer", [any(own) for own in shown]),
    ]
    nothing = [figure(ours[0].metric, [1.0]), figure(ours[2].metric, [0.0])]
    made = lines("facts in several wordings", ours, ("N/A to all", nothing))
    said = [
        good
        for own, goods in zip(shown, right, strict=True)
        for is_shown, good in zip(own, goods, strict=True)
        if is_shown
    ]
    theirs = [
        figure("right of the shown", [good for good in said]),
        figure("right", [good for good in every]),
    ]
    return made + lines("every wording", theirs, ("N/A to all", [figure("right", [0.0])]))


def gold(fact: Mapping[str, Any]) -> dict[str, Any]:
    """A fact as a row of the key."""
    return {
        "answer": [accepted(text, fact["unit"]) for text in fact["answer"]],
        "unit": fact["unit"],
    }


def accepted(text: str, unit: str) -> bool | float | str | list[str]:
    """What one accepted answer says: yes or no, the items of a list, a number in the unit, or words.

    A scale word of its own ("5,372 million") goes before that of the unit. A calendar year is a word: near is not right.
    """
    if text in ("Yes", "No"):
        return text == "Yes"
    if " and " in text:
        return text.split(" and ")
    if unit == "year":
        return text
    first, *scales = text.replace(",", "").replace("%", "").split()
    number = number_of(first)
    if number is None or not all(word in SCALES for word in scales):
        return text
    if scales:
        number *= prod(SCALES[word] for word in scales)
        number /= prod(SCALES[word] for word in unit.split() if word in SCALES)
    return float(number)
