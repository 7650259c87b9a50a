"""One question of a set after the honest oracle was asked: whether it came out right, and where it was lost if not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import Any

from benchmarks.measuring import tatqa_score
from benchmarks.measuring.measurement import gold
from pincite.lab.scoring import enterprise_challenge as erc
from pincite.lab.scoring import typed_answers as typed
from pincite.lab.scoring import wattbot
from pincite.quantity.scales import split_scale
from pincite.records.runfile import Record, number_of, read_lines, record_of
from pincite.types import Example
from pincite.workbench import submissions

UNFOUND = ("stands in no line", "is no number of", "is no calculation", "cannot be computed")
"""What is said of a value that was not found where the reply says."""


@dataclass(frozen=True, slots=True)
class OracleCase:
    """A question of a set after the run: its sort, whether it came out right, and where and why it was lost where not."""

    set: str
    sort: str
    question: str
    right: bool
    shown: bool
    answered: bool = False
    stage: str = ""
    why: str = ""
    error: str = ""
    said: Any = None
    told: Any = None


def judged(name: str, some: Mapping[str, Example], place: Path) -> list[OracleCase]:
    """The cases of a run from its answers, the oracle's sorts and the oracle's log."""
    rows = {str(row["id"]): row for row in read_lines(place / "answers.jsonl")}
    log: dict[str, list[dict[str, Any]]] = {}
    if (place / "log.jsonl").exists():
        for line in read_lines(place / "log.jsonl"):
            log.setdefault(line["id"], []).append(line)
    return [
        case(name, some[each["id"]], each, rows[each["id"]], log.get(each["id"], []))
        for each in read_lines(place / "golds.jsonl")
        if each["id"] in rows
    ]


def case(
    name: str,
    example: Example,
    sorted_: Mapping[str, Any],
    row: Mapping[str, Any],
    log: Sequence[Mapping[str, Any]],
) -> OracleCase:
    """One question: right, or lost at the first stage that did not hand on what it was given."""
    said = [line for line in log if line["value"] is not None]
    last = said[-1] if said else {}
    error = next((line["error"] for line in log if line["error"]), "")
    right = is_right(name, example, row) or not error and as_said(row, last)
    made = OracleCase(
        name,
        sorted_["sort"],
        example.query.text,
        right,
        shown=any(line["found"] for line in log),
        answered=row.get("value") is not None,
        error=error,
        said=last.get("reply"),
        told=row.get("value"),
    )
    if right or error or made.sort not in ("stands", "derived"):
        return made
    stage, why = _lost(sorted_, row, log, said)
    return replace(made, stage=stage, why=why)


def _lost(
    sorted_: Mapping[str, Any],
    row: Mapping[str, Any],
    log: Sequence[Mapping[str, Any]],
    said: Sequence[Mapping[str, Any]],
) -> tuple[str, str]:
    if not log:
        return "asking", "the model was not asked this question"
    if not said:
        silent = [line["silent"] for line in log if line["silent"] != "not shown"]
        if silent:
            return "asking", silent[-1]
        pages = {tuple(each) for line in log for each in line["pages"]}
        found = bool(pages & {tuple(each) for each in sorted_["pages"]})
        return (
            ("showing", "the page is shown without it")
            if found
            else ("finding", "the page is not among those shown")
        )
    if row.get("value") is not None:
        return "settling", "another value is told than was said"
    # the first refusal of a question tells: asked again, the oracle says another thing
    refused = next((line["refused"] for line in log if line["refused"]), "")
    if not refused:
        return "checking", str(row.get("reason") or "")
    unfound = any(told in refused for told in UNFOUND)
    return ("locating" if unfound else "checking"), refused.partition(". ")[0]


def is_right(name: str, example: Example, row: Mapping[str, Any]) -> bool:
    """Whether an answer is right under its set's rule; words of which half are the gold's are right in every set."""
    record, wanted = record_of(row), gold(example)
    if record.value is None:
        return False
    if name == "erc":
        return erc.score(record, wanted).answer == 1
    if name == "wattbot":
        return wattbot.value_2025(submissions.value_text(record.value), wanted["answer_value"])
    if name == "tatqa":
        exact, shared = tatqa_score.record_score(record, wanted)
        return (
            exact == 1
            or shared >= 0.5
            and wanted["answer_type"] in ("text", "list")
            or _same_amount(record, wanted)
        )
    return typed.applies(wanted) and typed.right(record, wanted)


def as_said(row: Mapping[str, Any], line: Mapping[str, Any]) -> bool:
    """Whether the numbers told are those that the last reply names in full: a set that writes no scale beside its gold means
    digits that the page scales. Several are the same in any order.
    """
    value, unit = row.get("value"), row.get("unit")
    told = [_amount(each, unit) for each in (value if isinstance(value, list) else [value])]
    said = [number_of(each) for each in line.get("amounts") or ()]
    known = sorted(each for each in told if each is not None)
    named = sorted(each for each in said if each is not None)
    if not len(known) == len(named) == len(told):
        return False
    return all(typed.near(a, b, Decimal("0.001")) for a, b in zip(known, named, strict=True))


def _same_amount(record: Record, wanted: Mapping[str, Any]) -> bool:
    """Whether a number is the gold's with its scale: a gold of "399.33 million" is rounded, and 399,333,333.3 is right."""
    given, meant = _amount(record.value, record.unit), number_of(wanted["answer"])
    if given is None or meant is None or wanted["scale"] == "percent":
        return False
    return typed.near(given, meant * typed.SCALES.get(wanted["scale"], 1), Decimal("0.001"))


def _amount(value: object, unit: object) -> Decimal | None:
    """A number with the scale that its unit says, as one does that was asked for "in thousands"."""
    number = number_of(value)
    return None if number is None else number * split_scale(str(unit or ""))[0]
