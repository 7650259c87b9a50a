"""Questions that compare several things: what is asked of their values, from the wording alone."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from typing import Literal

from pincite.document.times import when
from pincite.question import wording
from pincite.question.ask import Ask
from pincite.question.asking import asking_sentence
from pincite.question.cues import says
from pincite.question.understanding import understand
from pincite.text.lexicon import pattern, word_set
from pincite.text.words import PLAIN_WORD, plain_words
from pincite.types import Query

Kind = Literal["number", "time", "boolean", "other"]
EXTREME = pattern("question", "most or least", "contest")
TIME = pattern("question", "earliest or latest", "contest")
OF_VALUE = ("max", "min")
"""Operations that ask for the extreme value itself."""
_APART = 5
"""The most words between two things that a question names one beside the other."""
OVER_BOTH = ("difference", "ratio", "sum", "average", "percentage_change", "proportion")
"""Operations of arithmetic over all values."""


@dataclass(frozen=True, slots=True)
class Contest:
    """What is asked of the values of several things.

    `operation` is argmax or argmin (the name), max or min (the value), compare (yes when the first thing has the more, or
    with `most` false the less), filter (the names that meet `ask.threshold` or of which it is true), every or some
    (yes when it is true of all or of one), an operation of `arithmetic.OPERATIONS` over all values, or "" when they only stand
    side by side. `kind` is what each value must be, and `excludes` whether a thing without one is left out rather than making
    the whole N/A. `vague`: the wording ("more", "most") leaves open whether numbers are compared.
    """

    ask: Ask
    operation: str
    kind: Kind
    most: bool = True
    excludes: bool = False
    vague: bool = False


def contest(query: Query, names: Sequence[str] = ()) -> Contest:
    """Read what a question about several things asks of their values, from its wording alone: not from their `names`."""
    text = query.text
    for at, name in enumerate(sorted(names, key=len, reverse=True)):
        text = text if when(name) else _word(name).sub(f"Company{at}", text)
    ask = understand(replace(query, text=text))
    asks = asking_sentence(ask.text)
    excludes = says(text, "leave out")
    best = _superlative(asks)
    if ask.expects == "boolean" or wording.BOOLEAN.match(asks):
        if best:
            return Contest(ask, "compare", best.kind, best.most)
        return Contest(ask, "some" if says(asks, "any of several") else "every", "boolean")
    if ask.threshold is not None:
        return Contest(ask, "filter", "number", ask.order == "more", excludes)
    if ask.operation in OVER_BOTH and not says(asks, "one of several"):
        return Contest(ask, ask.operation, "number")
    if best:
        return Contest(ask, _extreme(ask, best), best.kind, best.most, excludes, best.vague)
    if says(asks, "names of several") and query.expects in (None, "name", "names"):
        return Contest(ask, "filter", "boolean", True, excludes)
    return Contest(ask, "", "other")


@dataclass(frozen=True, slots=True)
class _Superlative:
    """What is compared, which end wins, and whether the word leaves open that numbers are compared."""

    kind: Kind
    most: bool
    vague: bool


def _superlative(text: str) -> _Superlative | None:
    """The extreme that is asked for. That of a number wins over one of time, which may only say of which year it is."""
    extreme, time = EXTREME.search(text), TIME.search(text)
    word = extreme[0].lower() if extreme else ""
    if time is not None and says(text[time.end() :] if extreme else text, "dated"):
        return _Superlative("time", time["most"] is not None and word != "oldest", False)
    if extreme is None:
        return None
    return _Superlative(
        "number", extreme["most"] is not None, word in word_set("question", "vague")
    )


def _extreme(ask: Ask, best: _Superlative) -> str:
    """The operation of a superlative: to name what has the extreme, or to give the extreme number itself."""
    end = "max" if best.most else "min"
    of_value = (
        best.kind == "number"
        and ask.operation in OF_VALUE
        and ask.query.expects in (None, "number")
    )
    return end if of_value else f"arg{end}"


def beside(query: Query) -> Contest:
    """What a question of several parts asks: that their answers stand side by side."""
    return Contest(understand(query), "", "other")


def names_of(text: str, parts: Sequence[str]) -> list[str]:
    """What each of the questions that a question was taken apart into is about: the longest run of words of the whole that stand
    in none of the others; of itself where the whole has none.
    """
    return [
        max(_runs(text, own), key=len, default="") or max(_runs(part, own), key=len, default=part)
        for own, part in zip(_own_words(parts), parts, strict=True)
    ]


def are_listed(text: str, parts: Sequence[str]) -> bool:
    """Whether the questions that one was taken apart into ask the same of things which it names one beside the other ("A or B"):
    they differ in nothing but these, and in years.
    """
    names = names_of(text, parts)
    places = [found.span() for name in names if (found := _word(name).search(text))]
    if not 2 <= len(parts) == len(set(places)) or places != sorted(places):
        return False
    between = [text[end:start] for (_, end), (start, _) in pairwise(places)]
    beside = all(len(plain_words(each)) <= _APART and says(each, "listed") for each in between)
    held = zip(_own_words(parts), names, strict=True)
    alike = all(word.isdigit() or word in plain_words(name) for own, name in held for word in own)
    return beside and alike


def _word(name: str) -> re.Pattern[str]:
    """A name where it stands by itself, in no longer word."""
    return re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")


def _own_words(parts: Sequence[str]) -> list[set[str]]:
    """The words of each text that no other has."""
    held = [set(plain_words(part)) for part in parts]
    return [own.difference(*held[:at], *held[at + 1 :]) for at, own in enumerate(held)]


def _runs(text: str, wanted: Collection[str]) -> Iterator[str]:
    """The stretches of a text whose words are all among those wanted."""
    spoken = PLAIN_WORD.finditer(text)
    for is_wanted, run in groupby(spoken, lambda word: word[0].casefold() in wanted):
        found = list(run)
        if is_wanted:
            yield text[found[0].start() : found[-1].end()]
