"""A model's reading beside the reader without one: what the model took competes with that reader's candidates.

It is one conditional logit, as that reader's own (`lines/reading.py`): the log-odds of a candidate are those which the reader
gives it, and more where the model says the same, the more the surer it was of its line. `scripts/fit_lines.py` fits the few
weights by folds of documents.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from pincite.check.standing_draft import Standing
from pincite.document.address import standing
from pincite.document.words import runs_in
from pincite.evidence.candidate import Candidate
from pincite.evidence.cited_place import clipped
from pincite.evidence.drafted_answer import draft_of, nearest, own, with_earlier
from pincite.evidence.gathering import gather
from pincite.evidence.value_in_words import worded
from pincite.generate.line_reading import ReadLines, TakenLine
from pincite.ledger import told_before
from pincite.lexicon import data_table
from pincite.lines.reading import Contest, best, contest, entrants
from pincite.question.understanding import understand
from pincite.reconcile.vote import alike
from pincite.search.bilingual_pages import asked_in
from pincite.stage import Stage
from pincite.types import Draft, Ranking, Value

WEIGHTS = "lines"
"""The file of the weights, and of the least chance at which a value is an answer."""
UNSURE = "the line that the model named is not certain enough to answer"
LEAST, UNKNOWN = -5.0, -1.0
"""The least log-probability of a line that counts, and that of a reply whose endpoint tells none."""
HOPEFUL = 0.2
"""The least chance of a value that is told while a model reads."""
Weights = Mapping[str, float]


@dataclass(frozen=True)
class BesideQuote(Stage[Ranking, Draft]):
    """Answer with what `quote` finds where that is as likely as `sure` and as the fitted file want it: it takes no time. Else
    with the likeliest of its candidates and of what a model takes that the check lets stand; what is less likely than the least
    of the fitted file is a possible answer only.
    """

    read: ReadLines
    quote: Stage[Ranking, Draft]
    sure: float

    def run(self, given: Ranking) -> Draft:
        """Read one ranking, both ways where that is needed."""
        quoted = self.quote(given)
        if quoted.value is not None and quoted.confidence >= max(self.sure, fitted_chance("sure")):
            return quoted
        with told_before(_first(quoted)):
            taken = self.read.take(given)
        draft = _as_likely(Standing(self.read.corpus)(self._of_both(given, taken)))
        if draft.value is None and taken.candidate is None:
            draft = replace(draft, reason=taken.draft.reason)
        return with_earlier(quoted, draft)

    def _of_both(self, given: Ranking, taken: TakenLine) -> Draft:
        """The draft of the likeliest candidate of both readers."""
        ask, read = understand(given.query), self.read
        passages = gather(read.corpus, given.hits, read.k, asked_in(given.query))
        held = contest(entrants(ask, passages), taken.candidate, says_same)
        found = best(weighed(held, taken, data_table(WEIGHTS)["weights"]))
        return draft_of(ask, found, passages) if found else taken.draft


def fitted_chance(name: str) -> float:
    """A chance of the fitted file."""
    return float(data_table(WEIGHTS)[name])


def _first(quoted: Draft) -> str:
    """What the reader without a model has first, and where, for whoever waits for the model; "" where it has nothing."""
    near = (*own(quoted), *quoted.possible)
    if not near or near[0].citation is None or near[0].confidence < HOPEFUL:
        return ""
    said, place = clipped(worded(near[0].value), 60), standing(near[0].citation.anchor)
    return f"perhaps {said} {place}".rstrip()


def weighed(held: Contest, taken: TakenLine, weights: Weights) -> Contest:
    """A contest in which what a model took counts."""
    odds = [
        sum(weights[name] * value for name, value in features(each, said, taken).items())
        for each, said in zip(held.found, held.odds, strict=True)
    ]
    return Contest(held.found, odds, weights["reader"] * held.none + weights["none"])


def features(candidate: Candidate, odds: float, taken: TakenLine) -> dict[str, float]:
    """What speaks for a candidate: the reader's log-odds, and whether the model says the same, by the sort of the value, and how
    sure it was of its line.
    """
    sort = _sort(candidate.value)
    made = {"reader, truth" if sort == "truth" else "reader": odds}
    if taken.candidate is not None and says_same(taken.candidate, candidate):
        made |= {f"model, {sort}": 1.0, "line": line_odds(taken)}
    return made


def _sort(value: Value) -> str:
    """What sort of value it is: models err least in lists, and most in yes and no."""
    if isinstance(value, bool):
        return "truth"
    if isinstance(value, tuple):
        return "list"
    return "words" if isinstance(value, str) else "number"


def line_odds(taken: TakenLine) -> float:
    """The log-probability of the number of the line that a model named first."""
    tokens = iter(taken.tokens)
    if not any("[" in each.token for each in tokens):
        return UNKNOWN
    said = 0.0
    for each in tokens:
        if each.token.strip() and not each.token.strip().isdigit():
            break
        said += each.logprobs.get(each.token, LEAST)
    return max(said, LEAST)


def says_same(one: Candidate, other: Candidate) -> bool:
    """Whether two candidates say the same: names and sentences also where one holds the other, yes or no only in one place."""
    value, others = one.value, other.value
    if isinstance(value, str) and isinstance(others, str):
        return runs_in(value, others) or runs_in(others, value)
    if isinstance(value, bool):
        return value == others and _place(one) == _place(other)
    return alike(value, others)


def _place(candidate: Candidate) -> tuple[str, str]:
    """The words that a candidate rests on first."""
    place = candidate.evidence[0]
    return place.node.id, place.quote


def _as_likely(draft: Draft) -> Draft:
    """A draft, or only a possible answer where its chance is too small."""
    if draft.value is None or draft.confidence >= fitted_chance("threshold"):
        return draft
    near = nearest((*own(draft), *draft.possible))
    return replace(
        draft, text="", value=None, claims=(), citations=(), reason=UNSURE, possible=near
    )
