"""A model's reading beside the reader without one: what a small model took competes with that reader's candidates; what a
large one answered is as sure as what the other finds lets it be.

The former is one conditional logit, as that reader's own (`lines/reading.py`): the log-odds of a candidate are those which the
reader gives it, and more where the model says the same, the more the surer it was of its line. `scripts/fit_lines.py` fits the
few weights by folds of documents. How often a checked answer of a large model is right is not known; SURE is assumed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from pincite.check.claims import verified_in
from pincite.check.standing_draft import Standing
from pincite.corpus import Corpus
from pincite.document.address import standing
from pincite.evidence.candidate import Candidate
from pincite.evidence.cited_place import clipped
from pincite.evidence.drafted_answer import draft_of, nearest, own, with_earlier
from pincite.evidence.gathering import gather
from pincite.evidence.value_in_words import worded
from pincite.generate.line_reading import ReadLines, TakenLine
from pincite.lines.reading import Contest, best, contest, entrants
from pincite.question.understanding import understand
from pincite.reconcile.vote import alike
from pincite.search.bilingual_pages import asked_in
from pincite.stage import Stage
from pincite.storage.ledger import told_before
from pincite.text.lexicon import data_table
from pincite.text.words import runs_in
from pincite.types import Answer, Draft, Quantity, Ranking, Value

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
        with told_before(_first_quoted(quoted)):
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


def _first_quoted(quoted: Draft) -> str:
    """What the reader without a model has first, and where, for whoever waits for the model; "" where it has nothing."""
    near = (*own(quoted), *quoted.possible)
    if not near or near[0].citation is None or near[0].confidence < HOPEFUL:
        return ""
    said, place = clipped(worded(near[0].value), 60), standing(near[0].citation.anchor)
    return f"perhaps {said} {place}".rstrip()


def weighed(held: Contest, taken: TakenLine, weights: Weights) -> Contest:
    """A contest in which what a model took counts."""
    odds = []
    for candidate, said in zip(held.found, held.odds, strict=True):
        told = features(candidate, said, taken)
        odds.append(sum(weights[name] * value for name, value in told.items()))
    return Contest(held.found, odds, weights["reader"] * held.none + weights["none"])


def features(candidate: Candidate, odds: float, taken: TakenLine) -> dict[str, float]:
    """What speaks for a candidate: the reader's log-odds, and whether the model says the same, by the sort of the value, and how
    sure it was of its line.
    """
    sort = _sort_of_value(candidate.value)
    made = {"reader, truth" if sort == "truth" else "reader": odds}
    if taken.candidate is not None and says_same(taken.candidate, candidate):
        made |= {f"model, {sort}": 1.0, "line": line_odds(taken)}
    return made


def _sort_of_value(value: Value) -> str:
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
        here, there = one.evidence[0], other.evidence[0]
        return value == others and (here.node.id, here.quote) == (there.node.id, there.quote)
    return alike(value, others)


def _as_likely(draft: Draft) -> Draft:
    """A draft, or only a possible answer where its chance is too small."""
    if draft.value is None or draft.confidence >= fitted_chance("threshold"):
        return draft
    near = nearest((*own(draft), *draft.possible))
    blank = replace(draft, text="", value=None, claims=(), citations=())
    return replace(blank, reason=UNSURE, possible=near)


SURE = 0.9
"""The likelihood that an answer of a model which passed the check at once is right: assumed, not measured."""


@dataclass(frozen=True)
class Agree(Stage[Ranking, Draft]):
    """Answer with `read`, and set its confidence by what `quote` finds on the same pages; N/A stays as it is.

    With m = SURE x the reader's confidence and p the other's likelihood, taken for independent, the confidence is
    1 - (1 - m)(1 - p) when the two agree, m(1 - p) / (1 - mp) when they give another number or the other of yes and no, and
    m when they cannot be held against each other, as a change in dollars and the same change in per cent.
    """

    corpus: Corpus = field(repr=False, compare=False)
    read: Stage[Ranking, Draft]
    quote: Stage[Ranking, Draft]

    def run(self, given: Ranking) -> Draft:
        """Read one ranking both ways."""
        draft = self.read(given)
        if draft.value is None:
            return draft
        other = self.quote(given)
        checked = verified_in(self.corpus, other)
        value = None if _is_told_otherwise(draft, checked) else checked.value
        sure = confidence(draft.value, draft.confidence, value, other.confidence)
        return replace(draft, confidence=sure)


def _is_told_otherwise(draft: Draft, other: Answer) -> bool:
    """Whether two readers computed with the same places, one an amount and one a percentage: each may be what is meant."""
    if not (isinstance(draft.value, Quantity) and isinstance(other.value, Quantity)):
        return False
    if not all(claim.operation for claim in (*draft.claims, *other.claims)):
        return False
    here, there = (
        {(citation.node, citation.anchor.cells) for citation in some.citations}
        for some in (draft, other)
    )
    return here == there and (draft.value.unit == "%") != (other.value.unit == "%")


def confidence(value: Value, sure: float, other: Value, likely: float) -> float:
    """How sure a model's value is, with the `sure` of its reader, beside another reader's value (None: it found none)."""
    model = SURE * sure
    if other is not None and alike(value, other):
        return 1.0 - (1.0 - model) * (1.0 - likely)
    kinds = (Quantity, bool)  # names and texts may say the same in other words
    if any(isinstance(value, kind) and isinstance(other, kind) for kind in kinds):
        return model * (1.0 - likely) / (1.0 - model * likely)
    return model
