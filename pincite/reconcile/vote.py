"""Several readings of the same pages, and the value that most of them agree on: values are compared as what they mean.

Only what its source supports has a vote, so that readings cannot agree on something that is not there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from decimal import Decimal
from functools import partial
from itertools import chain
from typing import Any

from pincite.check.claims import verified
from pincite.corpus import Corpus
from pincite.errors import BudgetSpent, PinciteError, UsageError
from pincite.evidence.drafted_answer import nearest, own
from pincite.ledger import note
from pincite.quantity import same
from pincite.stage import Stage, at_once
from pincite.types import Answer, Draft, Quantity, Ranking, Value

_EXACT = Decimal("1e-9")
"""The relative difference that the rounding of a conversion may make."""


@dataclass(frozen=True)
class Vote(Stage[Ranking, Draft]):
    """Read `runs` times at once, each with its own number in the reader's field `reading`, and keep what most of them say.

    The earliest of the readings that agree is kept, and among equally many the earliest value; its confidence is theirs on
    average times their share of the votes. A blank, or a value that its source does not support, has no vote with
    `ignore_blank` and is a value like any other without. A reading that fails is none; when all fail the first failure is
    raised.
    """

    corpus: Corpus = field(repr=False, compare=False)
    read: Stage[Ranking, Draft]
    runs: int = 3
    ignore_blank: bool = True

    def run(self, given: Ranking) -> Draft:
        """Read one ranking several times."""
        made = at_once(
            [partial(_tried, numbered(self.read, number), given) for number in range(self.runs)]
        )
        drafts = [draft for draft in made if isinstance(draft, Draft)]
        failed = [failure for failure in made if isinstance(failure, PinciteError)]
        for failure in failed:
            if isinstance(failure, BudgetSpent):
                raise failure
        if not drafts:
            raise failed[0]
        if failed:
            note(f"{len(failed)} of {self.runs} readings failed: {failed[0]}")
        values = [
            None if draft.value is None else checked(draft, self.corpus).value for draft in drafts
        ]
        return voted(drafts, values, self.ignore_blank)


def checked(draft: Draft, corpus: Corpus) -> Answer:
    """A draft put through the check, with the nodes that it cites and those that it was read from."""
    return verified(
        draft, corpus.nodes_by_id([*(citation.node for citation in draft.citations), *draft.read])
    )


def voted(drafts: Sequence[Draft], values: Sequence[Value], ignore_blank: bool = True) -> Draft:
    """The draft that wins by these values of the drafts (None is a blank); the first one when there is no vote."""
    groups = _groups(values, ignore_blank)
    if not groups:
        return drafts[0]
    best = max(groups, key=len)  # the earliest of those with most votes
    sure = (
        sum(drafts[at].confidence for at in best) / len(best) * (len(best) / sum(map(len, groups)))
    )
    lost = [group[0] for group in groups if group is not best]
    others = list(chain.from_iterable(own(drafts[at]) for at in lost if values[at] is not None))
    chosen = drafts[best[0]]
    if values[best[0]] is None:
        blank = next((drafts[at] for at in best if drafts[at].value is None), chosen)
        return replace(
            blank,
            text="",
            value=None,
            claims=(),
            citations=(),
            confidence=sure,
            possible=nearest(others),
        )
    return replace(
        chosen, confidence=sure, possible=nearest((*others, *chosen.possible), chosen.value)
    )


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
        return same(a, b, rel=_EXACT)
    if isinstance(a, tuple) and isinstance(b, tuple):
        return _holds(a, b) and _holds(b, a)
    if isinstance(a, str) and isinstance(b, str):
        return " ".join(a.split()).casefold() == " ".join(b.split()).casefold()
    return type(a) is type(b) and a == b


def _holds(some: Sequence[Value], others: Sequence[Value]) -> bool:
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


def _tried(read: Stage[Ranking, Draft], given: Ranking) -> Draft | PinciteError:
    try:
        return read(given)
    except PinciteError as error:
        return error
