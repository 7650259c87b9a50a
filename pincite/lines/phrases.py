"""The phrases of a sentence that may be an answer in words: runs of words, names, enumerations."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from itertools import pairwise

from pincite.document.sentences import TokenizedText
from pincite.document.times import times_in
from pincite.text.lexicon import word_set
from pincite.text.words import STOP

Span = tuple[int, int]
"""Tokens [first, last)."""
LONGEST = 8
"""Words of the longest phrase."""
_STOPS = re.compile(r"[,;:()\[\]{}\"“”?!•|=]|\.(?:\s|$)|\s[–-]\s|—|\n\s*\n")
_JOINERS = word_set("lines", "name joiners")
_COMMAS = frozenset((",", ";"))
CLOSING = word_set("lines", "series closings")
"""What stands before the last item of a series."""
_DETERMINERS = word_set("lines", "determiners")


def phrases(reading: TokenizedText, first: int, last: int, said: Container[str]) -> list[Span]:
    """The runs of words between small words and punctuation in tokens [first, last), what is left of them without the words that
    the question `said`, and names with the small words inside, each once.
    """
    found: dict[Span, None] = {}
    for run in _runs(reading, first, last):
        found |= dict.fromkeys(_cuts(reading, *run, said))
    found |= dict.fromkeys(_names(reading, first, last))
    dates = list(_dates(reading, first, last))
    whole = dict.fromkeys(_with_dates(span, dates) for span in found)
    return [(a, b) for a, b in whole if b - a <= LONGEST]


def _dates(reading: TokenizedText, first: int, last: int) -> Iterator[Span]:
    """The times of tokens [first, last) that have several words: "15 February", "the end of June 2023"."""
    begin = reading.starts[first]
    for start, end, time in times_in(reading.text[begin : reading.ends[last - 1]]):
        end = start + len(reading.text[begin + start : begin + end].rstrip(" ,"))
        span = reading.token_at(begin + start), reading.token_at(begin + end - 1) + 1
        if time.month and span[1] - span[0] > 1:
            yield span


def _with_dates(span: Span, dates: Sequence[Span]) -> Span:
    """A span with the whole of the dates that it has a part of."""
    for date in dates:
        if _overlap(span, date):
            span = min(span[0], date[0]), max(span[1], date[1])
    return span


def series(reading: TokenizedText, first: int, last: int) -> Iterator[tuple[Span, ...]]:
    """The enumerations of tokens [first, last): runs of words with commas between them, the last behind "and" or "or". What
    stands first may only lead in, so each is told without its first items as well.
    """
    items: list[Span] = []
    names = list(_names(reading, first, last))
    plain = [
        run
        for run in _runs(reading, first, last)
        if not any(_overlap(run, name) for name in names)
    ]
    for before, run in pairwise(sorted((*names, *plain))):
        between = _between(reading, before, run)
        if not between or not between <= _COMMAS | CLOSING | _DETERMINERS:
            items = []
            continue
        items = [*(items or [before]), run]
        if between & CLOSING:
            yield from (tuple(items[start:]) for start in range(len(items) - 1))
            items = []


def _overlap(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def ends(reading: TokenizedText, token: int) -> bool:
    """Whether punctuation stands before a token, but for the full stop of an initial."""
    between = reading.between(token)
    initial = between in (". ", ".") and len(reading.raw(token - 1)) == 1
    return _STOPS.search(between) is not None and not (
        initial and is_capitalised(reading, token - 1)
    )


def is_small(reading: TokenizedText, token: int) -> bool:
    """Whether a word says nothing of a subject."""
    return reading.raw(token).lower() in STOP


def _between(reading: TokenizedText, before: Span, run: Span) -> frozenset[str]:
    """The words and marks between two runs."""
    text = reading.text[reading.ends[before[1] - 1] : reading.starts[run[0]]].lower()
    return frozenset(re.findall(r"\w+|[^\w\s]", text))


def _runs(reading: TokenizedText, first: int, last: int) -> list[Span]:
    """The runs of words between small words, percent signs and punctuation."""
    runs: list[Span] = []
    start = -1
    for token in range(first, last):
        apart = is_small(reading, token) or reading.raw(token) == "%"
        if start >= 0 and (apart or ends(reading, token)):
            runs.append((start, token))
            start = -1
        if start < 0 and not apart:
            start = token
    return [*runs, (start, last)] if start >= 0 else runs


def _cuts(reading: TokenizedText, first: int, last: int, said: Container[str]) -> Iterator[Span]:
    """A run whole, without the question's words at its ends, its first and last two words, and the capitalised words in it."""
    yield first, last
    start, end = first, last
    while start < end and reading.stems[start] in said:
        start += 1
    while end > start and reading.stems[end - 1] in said:
        end -= 1
    if start < end:
        yield start, end
    if end - start in (3, 4) and not all(is_capitalised(reading, t) for t in range(start, end)):
        yield end - 2, end
        yield start, start + 2
    begin = -1
    for token in range(first, last + 1):
        if token < last and is_capitalised(reading, token):
            begin = token if begin < 0 else begin
        elif begin >= 0:
            yield begin, token
            begin = -1


def _names(reading: TokenizedText, first: int, last: int) -> Iterator[Span]:
    """Runs of two or more capitalised words, with at most two of the small words that names have inside."""
    start = end = -1
    for token in range(first, last):
        if not is_capitalised(reading, token):
            continue
        if start < 0 or not _goes_on(reading, end, token):
            if end - start > 1:
                yield start, end
            start = token
        end = token + 1
    if end - start > 1:
        yield start, end


def _goes_on(reading: TokenizedText, end: int, token: int) -> bool:
    """Whether a name that ended before `end` goes on with a capitalised word."""
    inside = range(end, token)
    return (
        token - end <= 2
        and all(reading.raw(each).lower() in _JOINERS for each in inside)
        and not any(ends(reading, each) for each in range(end, token + 1))
    )


def is_capitalised(reading: TokenizedText, token: int) -> bool:
    """Whether a word has a capital anywhere, or letters behind a digit."""
    raw = reading.raw(token)
    return any(map(str.isupper, raw)) or (raw[0].isdigit() and any(map(str.isalpha, raw)))


def looks(text: str, lowered: Container[str] = ()) -> dict[str, float]:
    """What a phrase looks like: the share of capitalised words, a person's name, digits, one word, a lone lower-case word.

    A word that its page has in lower case too (`lowered`) makes no person's name.
    """
    words = text.split()
    person = 2 <= len(words) <= 4 and all(
        _PERSON.fullmatch(word) and word.lower() not in lowered for word in words
    )
    return {
        "capital": sum(any(map(str.isupper, word)) for word in words) / len(words),
        "person": float(person),
        "digits": float(any(map(str.isdigit, text))),
        "one word": float(len(words) == 1),
        "lone": float(len(words) == 1 and text.islower()),
    }


_PERSON = re.compile(r"^(?:[A-Z][^\W\d_]*[a-z’'-][^\W\d_]*+|[A-Z]\.?)")


def texts(reading: TokenizedText, spans: Sequence[Span]) -> tuple[str, ...]:
    """The text of each span on one line."""
    raw = (reading.text[reading.starts[a] : reading.ends[b - 1]] for a, b in spans)
    return tuple(" ".join(text.split()) for text in raw)
