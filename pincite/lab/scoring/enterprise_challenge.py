"""The scoring of the Enterprise RAG Challenge, round 2 (an answer one point, its references half).

The gold of a question is a list of alternatives, the best of which counts. References are judged against pools of
pages: one page of every pool should be cited and none outside all pools. Pages are 0-based in pools and submissions.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from pincite.errors import UsageError
from pincite.records.runfile import Cited, Record, document_name, number_of, text_of
from pincite.workbench.submissions import is_na


@dataclass(frozen=True, slots=True)
class ChallengeScore:
    """Answer and references, each in [0, 1]; the question's points are `answer + references / 2`."""

    answer: float
    references: float

    @property
    def points(self) -> float:
        """What the question adds to the total, at most 1.5."""
        return self.answer + self.references / 2


def answer_score(value: object, gold: object, kind: str) -> float:
    """One value against one alternative of the gold, in [0, 1]."""
    if is_na(value) or is_na(gold):
        return float(is_na(value) and is_na(gold))
    if kind == "number":
        given, wanted = number_of(value), number_of(gold)
        return float(
            given is not None
            and wanted is not None
            and abs(given - wanted) < Decimal("0.01") * wanted
        )
    if kind == "names":
        a, b = names(value), names(gold)
        return len(a & b) / len(a | b) if a | b else 0.0
    return float(text_of(value).strip().lower() == text_of(gold).strip().lower())


def names(value: object) -> frozenset[str]:
    """The names in a list or in a string with commas, lower-cased."""
    parts: Sequence[object] = value if isinstance(value, list | tuple) else str(value).split(",")
    return frozenset(str(part).strip().lower() for part in parts if str(part).strip())


def reference_score(cited: Iterable[str], pools: Sequence[Sequence[str]]) -> float:
    """Cited pages (`document:page`): 1, less 0.1 a page outside all pools and 0.25 a pool missed, not below 0."""
    given = {page.lower() for page in cited}
    wanted = [{page.lower() for page in pool} for pool in pools]
    outside = sum(not any(page in pool for pool in wanted) for page in given)
    missed = sum(not pool & given for pool in wanted)
    return max(0.0, 1 - 0.1 * outside - 0.25 * missed)


def page_of(cited: Cited) -> str:
    """A citation as the pools write it, 0-based."""
    return f"{document_name(cited.document)}:{cited.page - 1}"


def score(record: Record | None, gold: Mapping[str, Any]) -> ChallengeScore:
    """One question; `gold` has kind, gold (alternatives) and reference_pools. An unanswered question scores 0."""
    if record is None:
        return ChallengeScore(0.0, 0.0)
    alternatives = gold["gold"] if isinstance(gold["gold"], list) else [gold["gold"]]
    best = max(
        (answer_score(record.value, each, str(gold["kind"])) for each in alternatives), default=0.0
    )
    cited = [page_of(each) for each in record.citations if each.page]
    return ChallengeScore(best, reference_score(cited, gold.get("reference_pools") or []))


def read_submission(path: Path) -> dict[str, Record]:
    """The records of a submission by question text. Raises UsageError when the file is no submission."""
    try:
        answers = json.loads(path.read_text(encoding="utf-8-sig"))["answers"]
        return {str(row["question_text"]): submitted_record(row) for row in answers}
    except FileNotFoundError:
        raise UsageError(f"no file at {path}") from None
    except (KeyError, TypeError, ValueError) as error:
        raise UsageError(
            f"{path} is not a submission: it needs answers with question_text, value ({error!r})"
        ) from None


def submitted_record(row: Mapping[str, Any]) -> Record:
    """One answer of a submission as a record, pages 1-based again."""
    cited = tuple(
        Cited(str(each["pdf_sha1"]), int(each["page_index"]) + 1)
        for each in row.get("references") or ()
    )
    value = None if is_na(row["value"]) else row["value"]
    return Record(str(row["question_text"]), value=value, refused=value is None, citations=cited)
