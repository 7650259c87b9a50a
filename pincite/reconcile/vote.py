"""Several readings of the same pages, and what most of them agree on: values are compared as what they mean, references as the
pages or rows that they point to. The readings may be of several models.

Only what its source supports has a vote, so that readings cannot agree on something that is not there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import partial
from itertools import chain
from typing import Any, Literal

from pincite.check.claims import verified_in
from pincite.corpus import Corpus
from pincite.errors import BudgetSpent, PinciteError, UsageError
from pincite.evidence.drafted_answer import nearest, own
from pincite.quantity import EXACT, same
from pincite.stage import Stage, at_once
from pincite.storage.ledger import note
from pincite.types import Draft, Quantity, Ranking, Value

References = Literal["first", "agreed"]
Reference = tuple[str, str | int]
"""A document with a page, or a database's table with a row."""


@dataclass(frozen=True)
class Vote(Stage[Ranking, Draft]):
    """Read `runs` times with each of `reads` at once, and keep what most of the readings say.

    Readings of one reader differ by the number in its field `reading`. Their confidence is that of those that agree on average
    times their share of the votes. A blank, or a value that its source does not support, has no vote with `ignore_blank` and is
    a value like any other without. With `references` "agreed", that reading is kept of those that agree whose references most
    of them cite, and of two values with as many votes the one whose references more of all readings cite; with "first", and
    where that tells none apart, the earliest. A reading that fails is none; when all fail the first failure is raised.
    """

    corpus: Corpus = field(repr=False, compare=False)
    reads: tuple[Stage[Ranking, Draft], ...]
    runs: int = 3
    ignore_blank: bool = True
    references: References = "agreed"

    def run(self, given: Ranking) -> Draft:
        """Read one ranking several times."""
        readers = [numbered(read, number) for number in range(self.runs) for read in self.reads]
        made = at_once([partial(_try_reading, read, given) for read in readers])
        drafts = [draft for draft in made if isinstance(draft, Draft)]
        failed = [failure for failure in made if isinstance(failure, PinciteError)]
        spent = [failure for failure in failed if isinstance(failure, BudgetSpent)]
        if spent or not drafts:
            raise (spent or failed)[0]
        if failed:
            note(f"{len(failed)} of {len(readers)} readings failed: {failed[0]}")
        values: list[Value] = []
        for draft in drafts:
            blank = draft.value is None
            values.append(None if blank else verified_in(self.corpus, draft).value)
        return voted(drafts, values, self.ignore_blank, self.references)


def voted(
    drafts: Sequence[Draft],
    values: Sequence[Value],
    ignore_blank: bool = True,
    references: References = "agreed",
) -> Draft:
    """The draft that wins by these values of the drafts (None is a blank); the first one when there is no vote."""
    groups = _groups(values, ignore_blank)
    if not groups:
        return drafts[0]
    cited = [
        frozenset[Reference]() if references == "first" else cited_by(each) for each in drafts
    ]
    valued = (at for at in chain(*groups) if values[at] is not None)
    votes = Counter(chain.from_iterable(cited[at] for at in valued))

    def support(group: Sequence[int]) -> tuple[int, int]:
        """How many say it, and how many of all cite a place that one of these cites."""
        places = chain.from_iterable(cited[at] for at in group)
        return len(group), max((1, *(votes[place] for place in places)))

    best = max(groups, key=support)  # the earliest of those with most votes
    kept = max(best, key=lambda at: _margin_of(cited, at, best))
    voters = sum(map(len, groups))
    same = sum(cited[at] == cited[kept] for at in best)
    alike_cited = f", {same} of them on the same references" if cited[kept] else ""
    note(f"{len(best)} of {voters} readings agree{alike_cited}")
    sure = sum(drafts[at].confidence for at in best) / len(best) * (len(best) / voters)
    lost = [group[0] for group in groups if group is not best]
    others = list(chain.from_iterable(own(drafts[at]) for at in lost if values[at] is not None))
    chosen = drafts[kept]
    if values[best[0]] is None:
        blank = next((drafts[at] for at in best if drafts[at].value is None), chosen)
        blank = replace(blank, text="", value=None, claims=(), citations=())
        return replace(blank, confidence=sure, possible=nearest(others))
    near = nearest((*others, *chosen.possible), chosen.value)
    return replace(chosen, confidence=sure, possible=near)


def cited_by(draft: Draft) -> frozenset[Reference]:
    """What a draft refers to: pages of documents, rows of databases."""
    cited = ((citation.document, citation.anchor) for citation in draft.citations)
    return frozenset((document, anchor.sql or anchor.page) for document, anchor in cited)


def _margin_of(cited: Sequence[frozenset[Reference]], at: int, among: Sequence[int]) -> int:
    """By how much the references of a reading are those of most others: for each, how many cite it less how many do not."""
    votes = (sum(reference in cited[other] for other in among) for reference in cited[at])
    return sum(2 * count - len(among) for count in votes)


def _groups(values: Sequence[Value], ignore_blank: bool) -> list[list[int]]:
    """The places of values that mean the same, by the first of each."""
    groups: list[list[int]] = []
    for at, value in enumerate(values):
        if value is None and ignore_blank:
            continue
        group = next((group for group in groups if alike(values[group[0]], value)), None)
        if group is None:
            groups.append([at])
        else:
            group.append(at)
    return groups


def alike(a: Value, b: Value) -> bool:
    """Whether two values mean the same: 4.3 and 4.30, 1 million and 1000 thousand, names in any case, lists in any order."""
    if isinstance(a, Quantity) and isinstance(b, Quantity):
        return same(a, b, rel=EXACT)
    if isinstance(a, tuple) and isinstance(b, tuple):
        return _contains_all(a, b) and _contains_all(b, a)
    if isinstance(a, str) and isinstance(b, str):
        return " ".join(a.split()).casefold() == " ".join(b.split()).casefold()
    return type(a) is type(b) and a == b


def _contains_all(some: Sequence[Value], others: Sequence[Value]) -> bool:
    """Whether each of some values means the same as one of others."""
    return all(any(map(partial(alike, value), others)) for value in some)


def numbered(stage: Any, number: int) -> Any:
    """A stage whose readers have this number in their field `reading`; UsageError when there is no such reader in it."""
    changed = _numbered(stage, number)
    if changed is None:
        raise UsageError(
            f"{type(stage).__name__} has no reader with a field `reading`, so that its readings could not differ"
        )
    return changed


def _numbered(stage: Any, number: int) -> Any:
    if not isinstance(stage, Stage) or not is_dataclass(stage):
        return None
    if any(field.name == "reading" for field in fields(stage)):
        return replace(stage, **{"reading": number})
    inner = {field.name: _numbered(getattr(stage, field.name), number) for field in fields(stage)}
    found = {name: value for name, value in inner.items() if value is not None}
    return replace(stage, **found) if found else None


def _try_reading(read: Stage[Ranking, Draft], given: Ranking) -> Draft | PinciteError:
    try:
        return read(given)
    except PinciteError as error:
        return error
