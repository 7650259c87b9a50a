"""The words of a sentence that complete a question: what the sentence adds to what the question already says.

A question is a sentence with a hole ("What do capital leases reflect?"). The sentence that shares its words fills the hole with
what follows them ("Capital leases reflect *building and office equipment lease obligations*."). Reasons begin at their cue
("due to"), amounts are the quantity nearest to the question's words.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise

from pincite.derived import kept
from pincite.document.sentences import Segment, TokenizedText, read
from pincite.document.times import when
from pincite.document.words import STOP
from pincite.evidence.candidate import Candidate, Evidence, Passage
from pincite.lexicon import pattern, word_set
from pincite.quantity import FoundQuantity, find
from pincite.quantity.dollars import DOLLAR, in_own_dollars
from pincite.question.ask import Ask
from pincite.readers.reasons import goes_back

WEIGHTS = {"sentence": 2.0, "paragraph": 0.7, "pairs": 1.0, "opens": 0.6}
"""What speaks for a sentence: the question's words in it, in its paragraph, side by side, and at its beginning."""
DEPTH = 4
KEEP = 30
_CUE = pattern("readers", "reason cue")
_LEADING = word_set("readers", "completion openings")
_BREAK = pattern("readers", "completion break")
_LEADS = re.compile(r"^\s*(?:\(\w{1,2}\)\s+)?")
_TRAILING = pattern("readers", "trailing clause")


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence of a passage; `asked` are the content words of the question."""

    passage: Passage
    reading: TokenizedText
    part: Segment
    asked: frozenset[str]
    score: float
    features: Mapping[str, float]

    @property
    def shared(self) -> tuple[bool, ...]:
        """For each of its tokens whether it is a content word of the question."""
        return tuple(
            stem in self.asked for stem in self.reading.stems[self.part.first : self.part.last]
        )

    @property
    def text(self) -> str:
        return self.reading.text[self.part.start : self.part.end]


def complete(ask: Ask, passages: Sequence[Passage]) -> list[Candidate]:
    """The parts of sentences that answer `ask`, best sentence first, at most a dozen; tables are not read."""
    found = _sentences(
        ask, [p for p in passages if p.node.kind != "table" and p.node.text.strip()]
    )
    return [span for sentence in found[:DEPTH] for span in _spans(ask, sentence)][:KEEP]


def _sentences(ask: Ask, passages: Sequence[Passage]) -> list[_Sentence]:
    """The sentences of the passages by how much of the question they say, words weighed by their rarity."""
    asked = list(dict.fromkeys(_content(ask.text)))
    pairs = set(pairwise(asked))
    wanted = frozenset(asked)
    parts = list(_parts(passages, wanted))
    weight = _rarity(asked, [content for *_, content in parts])
    total = sum(weight.values()) or 1.0
    around = {
        id(p): _share(weight, {*read(p.node.text).stems, *_content(p.heading)}) for p in passages
    }
    out = []
    for passage, reading, part, content in parts:
        both = sum(pair in pairs for pair in pairwise(content)) / max(1, len(pairs))
        opening = reading.stems[part.first : min(part.last, part.first + len(asked) + 2)]
        features = {
            "sentence": _share(weight, content) / total,
            "paragraph": around[id(passage)] / total,
            "pairs": min(1.0, both),
            "opens": _share(weight, opening) / total,
        }
        score = sum(WEIGHTS[name] * value for name, value in features.items())
        out.append(_Sentence(passage, reading, part, wanted, score, features))
    return sorted(out, key=lambda sentence: -sentence.score)


def _parts(
    passages: Sequence[Passage], wanted: frozenset[str]
) -> Iterator[tuple[Passage, TokenizedText, Segment, list[str]]]:
    """Every sentence of the passages with the wanted words that it says, in order."""
    for passage in passages:
        reading = read(passage.node.text)
        for part in reading.segments:
            yield (
                passage,
                reading,
                part,
                [stem for stem in reading.stems[part.first : part.last] if stem in wanted],
            )


def _rarity(asked: Iterable[str], parts: Sequence[Sequence[str]]) -> dict[str, float]:
    """The weight of each word that is asked by how few parts have it."""
    counts = Counter(chain.from_iterable(map(set, parts)))
    return {stem: math.log1p(len(parts) / (counts[stem] or 0.5)) for stem in asked}


def _share(weight: Mapping[str, float], stems: Collection[str]) -> float:
    """The weight of the words of the question that are among these."""
    return sum(value for stem, value in weight.items() if stem in stems)


def _content(text: str) -> tuple[str, ...]:
    return _content_of(read(text))


@kept
def _content_of(reading: TokenizedText) -> tuple[str, ...]:
    return tuple(
        stem for at, stem in enumerate(reading.stems) if reading.raw(at).lower() not in STOP
    )


def _spans(ask: Ask, sentence: _Sentence) -> list[Candidate]:
    """The ways in which one sentence may answer, the one that the wording of the question asks for first.

    `features` say which way: the amount, the time, the reason (with or without its cue), the rest of the sentence (with or
    without the words that lead into it, whole or up to its first break) or the whole sentence.
    """
    text = sentence.text
    reason = ask.asks_reason
    amounts = _amounts(ask, sentence)
    if reason and sentence.part.first and goes_back(text):
        found = [_with_reason(sentence)]
    else:
        found = [*(_reasons(sentence) if reason else ()), *_times(ask, sentence)]
        if ask.expects == "number" or ask.several:
            found += amounts
        found += [*_rests(ask, sentence), _candidate(sentence, 0, len(text), "whole")]
    found += amounts
    return list({(c.evidence[0].start, c.evidence[0].end): c for c in reversed(found)}.values())[
        ::-1
    ]


def _reasons(sentence: _Sentence) -> list[Candidate]:
    """What stands behind the first word that gives a reason, with that word and without it."""
    cue = _CUE.search(sentence.text)
    if cue is None:
        return []
    end = len(sentence.text)
    return [
        _candidate(sentence, cue.start(), end, "reason"),
        _candidate(sentence, cue.end(), end, "cause"),
    ]


def _times(ask: Ask, sentence: _Sentence) -> list[Candidate]:
    """The first time with a year, where a time is asked for."""
    times = [time for time in when(sentence.text) if time.year] if ask.wants == "date" else []
    if not times:
        return []
    at = sentence.text.find(times[0].text)
    return [_candidate(sentence, at, at + len(times[0].text), "time")]


def _rests(ask: Ask, sentence: _Sentence) -> list[Candidate]:
    """What the sentence says beyond the question: with the words that lead into it, and up to its first break."""
    text = sentence.text
    start, lead, end = _rest(ask, sentence)
    way = "rest" if start else "prefix" if end < len(text) else "whole"
    found = [_candidate(sentence, start, end, way)]
    if lead < start:
        found.append(_candidate(sentence, lead, end, "lead"))
    if brk := _BREAK.search(text, start + 8, end):
        found.append(_candidate(sentence, start, brk.start(), "part"))
    return found


def _with_reason(sentence: _Sentence) -> Candidate:
    """A sentence whose reason stands in the one before it, with that."""
    reading, part = sentence.reading, sentence.part
    before = reading.segments[reading.segment_at(part.first - 1)]
    whole = replace(sentence, part=Segment(before.start, part.end, before.first, part.last))
    return _candidate(whole, 0, len(whole.text), "whole")


def _amounts(ask: Ask, sentence: _Sentence) -> list[Candidate]:
    """The quantities nearest to the words of the question."""
    amounts = [found for found in find(sentence.text) if not _is_time(found)]
    amounts = [found for found in amounts if any(map(str.isdigit, found.quantity.text))] or amounts
    near = _nearest(ask, sentence, amounts)[:3]
    return [_quantity(ask, sentence, amount, f"amount{at}") for at, amount in enumerate(near)]


def _is_time(found: FoundQuantity) -> bool:
    return pattern("readers", "time as an amount").search(found.quantity.text.strip()) is not None


def _nearest(
    ask: Ask, sentence: _Sentence, amounts: Sequence[FoundQuantity]
) -> list[FoundQuantity]:
    """Amounts by how near they stand to the words of the question, those nearest to a time that is not asked last."""
    starts = sentence.reading.starts[sentence.part.first : sentence.part.last]
    words = [
        start - sentence.part.start
        for start, shared in zip(starts, sentence.shared, strict=True)
        if shared
    ]
    years = [(match.start(), match[0]) for match in re.finditer(r"(?:19|20)\d\d", sentence.text)]
    asked = {str(period.year) for period in ask.periods}

    def distance(amount: FoundQuantity) -> float:
        near = min((abs(amount.start - at) for at in words), default=400)
        _, closest = min(((abs(at - amount.start), year) for at, year in years), default=(0, ""))
        return near + 200.0 * bool(asked and closest and closest not in asked)

    return sorted(amounts, key=distance)


def _quantity(ask: Ask, sentence: _Sentence, picked: FoundQuantity, way: str) -> Candidate:
    made = _candidate(sentence, picked.start, picked.end, way)
    quantity = picked.quantity
    value = in_own_dollars(quantity, sentence.passage.node.meta.get(DOLLAR, ""), quantity.text)
    return replace(made, value=value, period=" ".join(p.text for p in ask.periods))


def _rest(ask: Ask, sentence: _Sentence) -> tuple[int, int, int]:
    """The part of the sentence after the last word it shares with the question, else the part before the first.

    As (start, start with the function words that lead into it, end).
    """
    reading, part, shared = sentence.reading, sentence.part, sentence.shared
    whole = (0, 0, len(sentence.text))
    if not any(shared):
        return whole
    tokens = range(part.first, part.last)
    after = tokens[_last_of_run(shared) + 1 :]
    lead = reading.starts[after[0]] - part.start if after else 0
    if not ask.says("manner or place"):
        while after and reading.raw(after[0]).lower() in _LEADING:
            after = after[1:]
    if _content_words(reading, after):
        return reading.starts[after[0]] - part.start, lead, len(sentence.text)
    before = tokens[: shared.index(True)]
    while before and reading.raw(before[-1]).lower() in _LEADING:
        before = before[:-1]
    return (
        (0, 0, reading.ends[before[-1]] - part.start)
        if _content_words(reading, before) >= 2
        else whole
    )


def _content_words(reading: TokenizedText, tokens: Iterable[int]) -> int:
    return sum(reading.raw(token).lower() not in STOP for token in tokens)


def _last_of_run(shared: Sequence[bool]) -> int:
    """Where the part that repeats the question ends: the split with the most shared words before and fewest after."""
    best, best_at, seen, total = -1.0, 0, 0, sum(shared)
    for at, is_shared in enumerate(shared):
        seen += is_shared
        score = seen - (total - seen) - 0.12 * (at + 1 - seen)
        if is_shared and score > best:
            best, best_at = score, at
    return best_at


def _candidate(sentence: _Sentence, start: int, end: int, way: str) -> Candidate:
    start += len(sentence.text[start:end]) - len(_LEADS.sub("", sentence.text[start:end]))
    quote = _TRAILING.sub("", sentence.text[start:end]).strip()
    at = sentence.part.start + start
    where = Evidence(
        sentence.passage.node,
        start=at,
        end=at + len(quote),
        quote=sentence.text,
        document=sentence.passage.document,
    )
    return Candidate(
        quote, (where,), score=sentence.score, features={**sentence.features, way: 1.0}
    )
