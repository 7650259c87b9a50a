"""Pairs of a question and sentences: the right one with its value marked, other values in it, and sentences beside it."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from example import Kind, Pair
from grid import YEAR, plain

from pincite.document.sentence_spans import sentences
from pincite.evidence.judge_input import SentencePlace

NUMBER = re.compile(r"(?<![\w.,])\d[\d.,]*\d|(?<![\w.,])\d(?![\w.,]*\d)")
NAME = re.compile(r"(?<!^)(?<![.!?] )\b[A-Z][\w&'’-]*(?:[ -](?:of |the |and )?[A-Z][\w&'’-]*)*")
_WORD = re.compile(r"\w{3,}")
MARKED = 0.7
"""The share of short answers whose value is marked: the judge also reads sentences whose value nobody has named."""
LONG = 10
"""An answer of more words than these is the sentence itself."""


def split(text: str) -> list[str]:
    """The sentences of `text` that say something: more than two words."""
    made = [text[start:end] for start, end in sentences(text)]
    return [sentence for sentence in made if len(sentence.split()) > 2]


def overlap(question: str, text: str) -> float:
    """The share of the question's words that stand in `text`."""
    asked = set(_WORD.findall(question.lower()))
    return len(asked & set(_WORD.findall(text.lower()))) / max(1, len(asked))


def holding(text: str, start: int, end: int) -> tuple[str, int, int] | None:
    """The sentence of `text` around text[start:end], and where that stands in it; None where no single sentence holds it."""
    end = start + len(text[start:end].rstrip())
    start += len(text[start:end]) - len(text[start:end].lstrip())
    for first, last in sentences(text):
        if first <= start and end <= last and start < end:
            return text[first:last], start - first, end - first
    return None


def candidates(sentence: str, kind: Kind) -> list[tuple[int, int]]:
    """Where values of the kind that is asked for stand in `sentence`."""
    patterns: dict[Kind, re.Pattern[str]] = {
        "number": NUMBER,
        "date": YEAR,
        "name": NAME,
        "list": NAME,
    }
    pattern = patterns.get(kind)
    return [found.span() for found in pattern.finditer(sentence)] if pattern else []


def prose_pairs(
    right: Pair,
    answer: str,
    beside: Sequence[str],
    elsewhere: Sequence[str],
    chance: random.Random,
) -> Iterator[Pair]:
    """The right pair, whose place has `answer` marked, and what lies near it.

    `beside` are the sentences before and after it, `elsewhere` others of its document: none that holds the answer is
    taken. A value is marked in as many of the wrong places as in the right ones, so that the mark tells nothing.
    """
    assert isinstance(right.place, SentencePlace)
    marked = len(answer.split()) <= LONG and chance.random() < MARKED
    if not marked:
        right = replace(right, place=replace(right.place, start=0, end=0))
    size = len(answer.split()) if marked else 0
    yield right
    place = right.place
    assert isinstance(place, SentencePlace)
    if marked:
        yield from _values(right, place, answer, chance)
    for sentence in beside:
        if _may_be_wrong(sentence, answer, place.sentence):
            yield right.wrong(
                "sentence", _marked(place.heading, sentence, right.kind, size, chance)
            )
    far = [sentence for sentence in elsewhere if _may_be_wrong(sentence, answer, place.sentence)]
    if far:
        nearest = max(far, key=lambda sentence: overlap(right.question, sentence))
        yield right.wrong("page", _marked(place.heading, nearest, right.kind, size, chance))
    yield from _swapped(right, place, [*beside, *elsewhere], answer, chance)


def _may_be_wrong(sentence: str, answer: str, right: str) -> bool:
    return sentence != right and plain(answer) not in plain(sentence) and len(sentence.split()) > 2


def _marked(
    heading: str, sentence: str, kind: Kind, size: int, chance: random.Random
) -> SentencePlace:
    """The sentence with one of its values of that kind marked; of words, as many as `size`; nothing where that is 0."""
    found = candidates(sentence, kind) if size else []
    if size and not found and kind not in ("number", "date"):
        found = _runs(sentence, size)
    start, end = chance.choice(found) if found else (0, 0)
    return SentencePlace(heading, sentence, start, end)


def _runs(sentence: str, size: int) -> list[tuple[int, int]]:
    """Every run of `size` words of `sentence` that does not begin or end with a short word."""
    words = [found.span() for found in re.finditer(r"\w+", sentence)]
    spans = zip(words, words[size - 1 :], strict=False)
    return [(a[0], b[1]) for a, b in spans if a[1] - a[0] > 3 < b[1] - b[0]]


def _values(
    right: Pair, place: SentencePlace, answer: str, chance: random.Random
) -> Iterator[Pair]:
    """Another value of the right sentence, marked."""
    others = []
    found = candidates(place.sentence, right.kind)
    if right.kind == "text":
        found = _runs(place.sentence, len(answer.split()))
    for start, end in found:
        text = plain(place.sentence[start:end])
        apart = end <= place.start or place.end <= start
        asked = text in plain(right.question)
        if apart and not asked and text not in plain(answer):
            others.append((start, end))
    if others:
        start, end = chance.choice(others)
        yield right.wrong("value", replace(place, start=start, end=end))


def _swapped(
    right: Pair, place: SentencePlace, near: Sequence[str], answer: str, chance: random.Random
) -> Iterator[Pair]:
    """The question about another year, or about another name of the document."""
    years = [year for year in YEAR.findall(right.question) if year in place.sentence]
    if years:
        other = str(int(years[0]) + chance.choice((-2, -1, 1, 2)))
        if other not in place.sentence:
            yield right.wrong("year", question=right.question.replace(years[0], other))
        return
    names = [
        name for name in NAME.findall(right.question) if len(name) > 3 and name in place.sentence
    ]
    others = {name for sentence in near for name in NAME.findall(sentence)}
    avoid = plain(f"{place.sentence} {right.question} {answer}")
    free = sorted(name for name in others if len(name) > 3 and plain(name) not in avoid)
    if names and free:
        alike = [name for name in free if len(name.split()) == len(names[0].split())] or free
        yield right.wrong(
            "entity", question=right.question.replace(names[0], chance.choice(alike))
        )
