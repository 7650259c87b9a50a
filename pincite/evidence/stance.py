"""Yes or no, from a line that supports or contradicts what is asked.

The statement is compared with the lines that hold its words: a negation on one side only, a word whose opposite stands
in the evidence, a number that differs, and a claim of everything ("only", "always", "guarantees") that the evidence does
not make, all speak against it; a line that holds nearly all of its words speaks for it. Silence is no answer unless
the question says that it means no.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from itertools import chain, pairwise
from math import exp, log

from pincite.document.sentence_spans import sentences
from pincite.document.sentences import TokenizedText, read
from pincite.evidence.candidate import Candidate, Evidence, Passage
from pincite.question.ask import Ask
from pincite.question.proper_names import companies_named
from pincite.text.lexicon import pattern, word_list, word_set
from pincite.text.words import STOP, stems

_HALF = 0.5
"""The share of a statement that a sentence says at least, where one word in the place of another denies it."""
_DEPTH = 6
"""How many sentences are compared with the statement."""
_OWNER, _KIN = 0.3, 0.6
"""How much a word of a company's name counts, and a word that only begins like the question's ("emit", "emission")."""
_BEGINS = 5
"""Letters in which the beginnings of kin agree."""
_TOGETHER = 3
"""Words within which two that stand side by side in the question still do."""
_WITHIN = 8
"""Words within which a negation is of what is said."""

_ASKING = word_set("evidence", "of asking")
_NEGATIVE = pattern("evidence", "negative")
_ABSOLUTE = pattern("evidence", "absolute")
_NOT_ONLY = pattern("evidence", "not only")
_EXTREME = pattern("evidence", "extreme")
_THAN = pattern("evidence", "than")
_CLAUSE = pattern("evidence", "clause")
_OPPOSITES = tuple(
    (frozenset(stems(left)), frozenset(stems(right)))
    for left, _, right in (pair.partition("/") for pair in word_list("evidence", "opposites"))
)
_STOP_STEMS = frozenset(stem for word in STOP for stem in stems(word))
_BOXES = "☐☑☒"
_BEHIND_EMPTY = re.compile(f"☐[^{_BOXES}]*+")
_BEFORE_EMPTY = re.compile(f"[^{_BOXES}?]*+☐")
_NUMBER = re.compile(
    r"(?<![\w.,-])[$€£]?(\d+(?:,\d{3})*(?:\.\d+)?)(?![\w.,]*\d)(?:\s*(%|percent|million|billion|thousand))?"
)


@dataclass(frozen=True, slots=True)
class Said:
    """What a place says, and the passage that it stands in."""

    text: str
    place: Evidence
    passage: Passage


def said_in(passage: Passage) -> list[Said]:
    """The sentences of a passage of running text."""
    node = passage.node
    spans = [(start, end, node.text[start:end]) for start, end in sentences(node.text)]
    return [
        Said(
            text, Evidence(node, (), start, end, " ".join(text.split()), passage.document), passage
        )
        for start, end, text in spans
        if text.strip()
    ]


def read_truth(ask: Ask, text: str, held: Sequence[Said]) -> list[Candidate]:
    """What each of those that speak most of a `text` says to it, True or False, the likelier first.

    None when nothing speaks of it. A candidate's score is in [0, 1]: .5 is a toss-up. It weighs what its own
    sentence says and what all of them say.
    """
    silence = ask.query.silence == "no" or ask.instructs("silence means no")
    statement = ask.statement or ask.text
    weighed = [_Weighed.of(sentence, statement) for sentence in _spoken(text, held)]
    if not weighed:
        return []
    strongest = max(each.sentence.share for each in weighed)
    trust = sum(each.trust for each in weighed)
    shared = sum(each.trust * each.stance["total"] for each in weighed) / max(1e-6, trust)
    made = []
    for each in sorted(weighed, key=lambda each: -each.trust):
        leaning = 3.0 * (strongest - 0.45) if silence else (shared + each.stance["total"]) / 2
        yes = 1.0 / (1.0 + exp(-2.0 * leaning))
        # else it only says little of what is asked, which is no answer
        if yes >= 0.5 or silence or each.denies:
            made.append(each.candidate(yes, silence))
    return [*made[:1], *sorted(made[1:], key=lambda candidate: -candidate.score)]


def claims_much(statement: str) -> bool:
    """Whether a statement compares, names an extreme, or claims everything."""
    absolute = _ABSOLUTE.search(_NOT_ONLY.sub(" ", statement))
    return bool(absolute or _THAN.search(statement) or _EXTREME.search(statement))


# what speaks of it -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Terms:
    """The content stems of a question with their weights, which sum to 1, and those that stand side by side."""

    weights: Mapping[str, float]
    pairs: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class _Spoken:
    """A line, and where each term stands in it: `places` are tokens, `held` how much that counts."""

    said: Said
    reading: TokenizedText
    places: Mapping[str, tuple[int, ...]]
    held: Mapping[str, float]
    terms: _Terms
    context: float = 0.0

    @cached_property
    def share(self) -> float:
        """How much of the question it says, by weight."""
        return sum(self.terms.weights[stem] * held for stem, held in self.held.items())

    @cached_property
    def pairs(self) -> float:
        """The share of the words that stand side by side in the question and do so here, by weight."""
        weight = self.terms.weights
        total = sum(weight[a] + weight[b] for a, b in self.terms.pairs)
        both = sum(weight[a] + weight[b] for a, b in self.terms.pairs if self._together(a, b))
        return both / total if total else 0.0

    def _together(self, first: str, second: str) -> bool:
        places = self.places.get(second, ())
        return any(
            0 < at - before <= _TOGETHER for at in places for before in self.places.get(first, ())
        )

    @property
    def features(self) -> dict[str, float]:
        """How well it matches the question."""
        rank = 1.0 / (1.0 + self.said.passage.rank)
        return {"segment": self.share, "context": self.context, "pairs": self.pairs, "rank": rank}

    @property
    def fit(self) -> float:
        """How well it matches, as one number."""
        return self.share + self.context + 0.7 * self.pairs + 0.3 / (1.0 + self.said.passage.rank)


def _spoken(text: str, said: Sequence[Said]) -> list[_Spoken]:
    """The lines that hold the words of a text best, best first."""
    asked, pairs = asked_stems(text)
    readings = [(each, read(_ticked(each.text))) for each in said]
    held = [_held(reading, asked) for _, reading in readings]
    if not asked or not said:
        return []
    terms = _Terms(_weights(text, asked, held), pairs)
    sentences = [
        _Spoken(each, reading, places, strength, terms)
        for (each, reading), (places, strength) in zip(readings, held, strict=True)
    ]
    placed = [_with_context(sentences, at) for at in range(len(sentences))]
    return sorted(placed, key=lambda sentence: -sentence.fit)[:_DEPTH]


def _ticked(text: str) -> str:
    """A text without what stands beside a box that is not ticked; captions stand behind their boxes, unless it ends with one."""
    before = text.rstrip()[-1:] in _BOXES
    return (_BEFORE_EMPTY if before else _BEHIND_EMPTY).sub(" ", text) if "☐" in text else text


def asked_stems(text: str) -> tuple[list[str], tuple[tuple[str, str], ...]]:
    """The content stems of a question, and pairs that stand side by side in it."""
    reading = read(text)
    asked: dict[str, None] = {}
    runs: list[list[str]] = [[]]
    for token, stem in enumerate(reading.stems):
        if reading.raw(token).lower() in STOP:
            continue
        if stem in _ASKING or (len(stem) == 1 and not stem.isdigit()):
            runs.append([])
            continue
        asked[stem] = None
        runs[-1].append(stem)
    beside = dict.fromkeys(pair for run in runs for pair in pairwise(run) if pair[0] != pair[1])
    return list(asked), tuple(beside)


def _held(
    reading: TokenizedText, asked: Sequence[str]
) -> tuple[dict[str, tuple[int, ...]], dict[str, float]]:
    """Where each asked stem stands in a line, and how much that counts: itself, a name with its number apart, its kin."""
    places: dict[str, tuple[int, ...]] = {}
    held: dict[str, float] = {}
    for stem in asked:
        own = reading.places.get(stem) or _numbered(reading, stem)
        kin = [] if own else [other for other in reading.places if _are_kin(stem, other)]
        alike = chain.from_iterable(reading.places[other] for other in kin)
        if found := own or tuple(sorted(alike)):
            places[stem], held[stem] = found, 1.0 if own else _KIN
    return places, held


_NUMBERED = re.compile(r"([^\W\d_]{2,}+)(\d[\w.]*+)")


def _numbered(reading: TokenizedText, stem: str) -> tuple[int, ...]:
    """Where the number of a name ("llama7b") stands on the name or behind it."""
    split = _NUMBERED.fullmatch(stem)
    if split is None:
        return ()
    names, numbers = reading.places.get(split[1], ()), reading.places.get(split[2], ())
    return tuple(at for at in numbers if at in names or at - 1 in names)


def _are_kin(stem: str, other: str) -> bool:
    """Whether two words begin alike."""
    long = len(stem) >= _BEGINS <= len(other) and stem.isalpha()
    return long and stem[:_BEGINS] == other[:_BEGINS] and abs(len(stem) - len(other)) < _BEGINS


def _weights(
    text: str, asked: Sequence[str], held: Sequence[tuple[object, Mapping[str, float]]]
) -> dict[str, float]:
    """What each stem counts, by how few of the sentences have it; one that none has as much as the rarest of the others."""
    owners = frozenset(chain.from_iterable(read(name).stems for name in companies_named(text)))
    seen = {stem: sum(stem in strength for _, strength in held) for stem in asked}
    rare = {stem: log((len(held) + 1.0) / (count + 0.5)) for stem, count in seen.items()}
    most = max((rare[stem] for stem in asked if seen[stem]), default=1.0)
    plain = {
        stem: max(0.1, min(rare[stem], most)) * (_OWNER if stem in owners else 1.0)
        for stem in asked
    }
    total = sum(plain.values())
    return {stem: weight / total for stem, weight in plain.items()}


_BEFORE, _BEHIND, _TITLED = 0.7, 0.4, 0.5
"""How much a word counts that stands in the sentence before, in the one behind, in the headings or the title."""


def _with_context(sentences: Sequence[_Spoken], at: int) -> _Spoken:
    """A sentence with how much of the question it says together with what stands around it on its page."""
    one = sentences[at]
    said = dict(one.held)
    for near, counts in ((at - 1, _BEFORE), (at + 1, _BEHIND)):
        if 0 <= near < len(sentences) and _same_page(one, sentences[near]):
            for stem, held in sentences[near].held.items():
                said[stem] = max(said.get(stem, 0.0), counts * held)
    passage = one.said.passage
    titled = frozenset(read(f"{passage.title} {passage.heading}").stems)
    for stem in titled & one.terms.weights.keys():
        said[stem] = max(said.get(stem, 0.0), _TITLED)
    return replace(one, context=sum(one.terms.weights[stem] * held for stem, held in said.items()))


def _same_page(one: _Spoken, other: _Spoken) -> bool:
    mine, theirs = one.said.passage, other.said.passage
    return (mine.document, mine.rank) == (theirs.document, theirs.rank)


# what it says to it ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Weighed:
    """A sentence with how it speaks of the statement."""

    sentence: _Spoken
    stance: Mapping[str, float]

    @classmethod
    def of(cls, sentence: _Spoken, statement: str) -> _Weighed:
        """Weigh one sentence."""
        return cls(sentence, _stance(statement, sentence))

    @cached_property
    def trust(self) -> float:
        """What the sentence counts beside others: more where it speaks more of what is asked."""
        one = self.sentence
        return float((one.share + 0.5 * one.context + 0.5 * one.pairs) ** 3)

    @property
    def denies(self) -> bool:
        """Whether the sentence says otherwise, rather than nothing: a negation, an opposite, another order or number, or,
        where it says half of the statement, another word in the place of one.
        """
        stance = self.stance
        if (
            any(stance[name] for name in ("negative", "opposite", "reversed"))
            or stance["number"] < 0.5
        ):
            return True
        return bool(stance["swapped"]) and self.sentence.share >= _HALF

    def candidate(self, yes: float, silence: bool) -> Candidate:
        """True or False by how likely the answer is yes."""
        one = self.sentence
        seen = {**one.features, **{f"truth_{name}": value for name, value in self.stance.items()}}
        features = {**seen, "silence": float(silence)}
        return Candidate(
            yes >= 0.5, (one.said.place,), score=max(yes, 1.0 - yes), features=features
        )


_WEIGHTS = {"negative": -0.9, "opposite": -1.1, "swapped": -0.6, "reversed": -1.6, "number": 0.6}


def _stance(statement: str, sentence: _Spoken) -> dict[str, float]:
    """How a sentence speaks of the statement; `total` is positive where it supports it."""
    said, seen_stems = frozenset(read(statement).stems), frozenset(sentence.reading.stems)
    seen = {
        "negative": float(bool(_NEGATIVE.search(statement)) != _is_negated(sentence)),
        "opposite": float(_opposed(said, seen_stems)),
        "swapped": sentence.share * _swapped(sentence),
        "reversed": float(_reversed(statement, sentence.reading.text)),
        "number": _numbers(statement, sentence.reading.text),
    }
    total = 0.8 * (sentence.share - 0.4) + sum(
        _WEIGHTS[name] * value for name, value in seen.items()
    )
    return {"total": total, **seen, "number": (seen["number"] + 1) / 2}


def _swapped(sentence: _Spoken) -> float:
    """How much it says that a word of the statement is another one here: "liquid cooling" where it has "air cooling"."""
    weights = sentence.terms.weights
    said = _STOP_STEMS.union(weights)
    most = 0.0
    for first, second in sentence.terms.pairs:
        if first in sentence.held or second not in sentence.held:
            continue
        others = [*_words_before(sentence, second)]
        if others and all(other.isalpha() and other not in said for other in others):
            most = max(most, weights[first])
    return min(1.0, most / max(1e-6, *weights.values()))


def _words_before(sentence: _Spoken, stem: str) -> Iterator[str]:
    """The words right before the places of a term in a sentence."""
    reading = sentence.reading
    for at in sentence.places[stem]:
        if at and reading.starts[at] - reading.ends[at - 1] == 1:
            yield reading.stems[at - 1]


def _is_negated(sentence: _Spoken) -> bool:
    """Whether a negation stands in the sentence within a few words of words of the statement."""
    reading = sentence.reading
    places = list(chain.from_iterable(sentence.places.values()))
    tokens = [reading.token_at(match.start()) for match in _NEGATIVE.finditer(reading.text)]
    return any(abs(token - place) <= _WITHIN for token in tokens for place in places)


def _opposed(said: frozenset[str], seen: frozenset[str]) -> bool:
    """Whether the statement has a word whose opposite a sentence has in its stead."""
    for pair in _OPPOSITES:
        mine, theirs = [bool(side & said) for side in pair], [bool(side & seen) for side in pair]
        if sum(mine) == sum(theirs) == 1 and mine != theirs:
            return True
    return False


def _reversed(statement: str, evidence: str) -> bool:
    """Whether both compare the same two things, each the other way round."""
    said, seen = _compared(statement), _compared(evidence)
    if not said or not seen:
        return False
    first, second = seen[0] - seen[1], seen[1] - seen[0]
    return bool((said[0] - said[1]) & second) and bool((said[1] - said[0]) & first)


def _compared(text: str) -> tuple[frozenset[str], frozenset[str]] | None:
    """The stems before and after "than", within its clause."""
    than = _THAN.search(text)
    if not than:
        return None
    before = _CLAUSE.split(text[: than.start()])[-1]
    after = _CLAUSE.split(text[than.end() :])[0]
    return frozenset(read(before).stems) - _STOP_STEMS, frozenset(read(after).stems) - _STOP_STEMS


def _numbers(statement: str, evidence: str) -> float:
    """How the evidence has the statement's numbers, in [-1, 1]: 1 has them all, -1 has others of the same unit in their stead."""
    said, seen = _values(statement), _values(evidence)
    units = {unit for _, unit in seen}
    years = any(_is_year(*number) for number in seen)
    marks = []
    for number, unit in said:
        if (number, unit) in seen:
            marks.append(1.0)
        elif unit and unit in units:
            marks.append(-1.0)
        elif years and _is_year(number, unit):
            marks.append(-0.5)
    return sum(marks) / len(marks) if marks else 0.0


def _is_year(number: Decimal, unit: str) -> bool:
    return not unit and 1900 <= number <= 2100


def _values(text: str) -> set[tuple[Decimal, str]]:
    found = set()
    for m in _NUMBER.finditer(text):
        unit = (m[2] or "").lower()
        found.add((Decimal(m[1].replace(",", "")), "%" if unit == "percent" else unit))
    return found
