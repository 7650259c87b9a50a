"""Questions on which runs disagree, with what each run said, found and cited, side by side."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from pincite.lab.comparison.comparison import Comparison
from pincite.lab.experiments.finished_runs import Row, Run
from pincite.lab.scoring.measures import level_of, ranked, relevance
from pincite.lab.scoring.question_parts import evidence_kinds, question_type
from pincite.lab.scoring.set_rules import judged, question_blank, reference_of
from pincite.records.runfile import document_name, text_of

DEEP = 10
"""A retrieval run disagrees when one finds the gold among so many and another does not."""


@dataclass(frozen=True, slots=True)
class Side:
    """What one run did with a question: `right` in [0, 1] or None where nothing is judged, `rank` of the first gold found.

    `sought` says whether there is gold to find; `citations` are (document, page, quote, whether it is gold), `checks`
    (verdict, how), `found` the first hits as (document, page, whether it is gold).
    """

    right: float | None
    answered: bool
    value: str
    reason: str
    confidence: float
    rank: int | None
    sought: bool = False
    citations: tuple[tuple[str, int, str, bool], ...] = ()
    checks: tuple[tuple[str, str], ...] = ()
    found: tuple[tuple[str, int, bool], ...] = ()


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A question on which runs disagree: `pattern` says for each run whether it was right."""

    id: str
    question: str
    kind: str
    gold: str
    evidence: tuple[str, ...]
    pattern: tuple[bool, ...]
    sides: tuple[Side, ...]


def cases(made: Comparison) -> list[Disagreement]:
    """The questions that some run got right and another did not, grouped by which, the most frequent pattern first.

    Right is what the rules of the set call so (for retrieval runs: gold among the first ten). Runs without answers are
    shown but, where others have answers, do not count.
    """
    answering = any(run.answers for run in made.runs)
    level = level_of(made.runs, made.ids)
    found = []
    for key in made.ids:
        gold = made.runs[0].golds[key]
        sides = tuple(side(run, key, level) for run in made.runs)
        if answering:
            rights = [each.right for each in sides]
        elif any(relevance(gold, level).values()):
            rights = [float(each.rank is not None and each.rank <= DEEP) for each in sides]
        else:
            continue
        known = [right for right in rights if right is not None]
        if known and min(known) < 0.5 <= max(known):
            pattern = tuple(right is not None and right >= 0.5 for right in rights)
            found.append(_case(gold, key, pattern, sides))
    sizes = Counter(each.pattern for each in found)
    return sorted(found, key=lambda each: (-sizes[each.pattern], [not ok for ok in each.pattern]))


def _case(gold: Row, key: str, pattern: tuple[bool, ...], sides: tuple[Side, ...]) -> Disagreement:
    pages, documents = relevance(gold, "page"), relevance(gold, "document")
    places = [f"{document}, page {page}" for document, page in sorted(pages)] or sorted(documents)
    kind = ", ".join(filter(None, (question_type(gold), *evidence_kinds(gold))))
    question, blank = str(gold.get("question") or ""), question_blank(gold)
    wanted = "no answer in the documents" if blank else reference_of(gold)
    return Disagreement(
        key, question, kind, wanted, () if blank else tuple(places), pattern, sides
    )


def side(run: Run, key: str, level: str) -> Side:
    """What a run did with a question."""
    gold, record, said = run.golds[key], run.answers.get(key), run.said.get(key, {})
    wanted = {} if question_blank(gold) else relevance(gold, level)
    ranks = (
        rank for rank, item in enumerate(ranked(run, key, level), 1) if wanted.get(item, 0) > 0
    )
    cited = () if record is None else record.citations
    pages = dict.fromkeys((hit.document, hit.page) for hit in run.hits.get(key, ()))
    return Side(
        right=judged(record, gold) if run.answers else None,
        answered=record is not None and record.value is not None,
        value="" if record is None else value_text(record.value, record.unit),
        reason=str(said.get("reason") or ""),
        confidence=0.0 if record is None else record.confidence,
        rank=next(ranks, None),
        sought=any(grade > 0 for grade in wanted.values()),
        citations=tuple(
            (each.document, each.page, each.quote, is_gold(gold, each.document, each.page))
            for each in cited
        ),
        checks=tuple(
            (str(check.get("verdict", "")), str(check.get("how", "")))
            for check in said.get("checks") or ()
        ),
        found=tuple((*place, is_gold(gold, *place)) for place in list(pages)[:5]),
    )


def is_gold(gold: Row, document: str, page: int) -> bool:
    """Whether a place is evidence: a gold page, or a gold document where the gold has no pages; none is without an answer."""
    if question_blank(gold):
        return False
    name, pages = document_name(document), relevance(gold, "page")
    return (name, page) in pages if pages else name in relevance(gold, "document")


def value_text(value: Any, unit: str) -> str:
    """A value as it is read: items by commas, numbers with their unit."""
    text = ", ".join(map(text_of, value)) if isinstance(value, list | tuple) else text_of(value)
    return f"{text} {unit}".strip()
