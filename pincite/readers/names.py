"""Names and terms as answers: capitalised runs, quoted and defined terms, short phrases, and the options a question offers.

A phrase is proposed from the segments that hold the question's words best, and scored by what stands around it: how
near the question's words are, whether the words beside the question's "which ..." stand beside the phrase too (a cloze),
whether the text defines it, and whether it has the form of what is asked (a person, a model, a word or two).
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from functools import partial
from itertools import groupby

import numpy as np

from pincite.document.sentences import TokenizedText, read
from pincite.document.words import STOP
from pincite.evidence.candidate import Candidate
from pincite.evidence.term_match import Floats, PageMatch, Terms, near
from pincite.lexicon import pattern, word_list, word_set

_DEFINED_BEFORE = pattern("readers", "defined before")
_DEFINED_AFTER = pattern("readers", "defined after")
_STOPS = re.compile(r"[,;:()\[\]{}\"“”?!•|=]|\.(?:\s|$)|\s[–-]\s|—|\n\s*\n")
_LEADS_NOUN = word_set("readers", "before a noun")
_LEADS_VERB = word_set("readers", "before a verb")
_NO_NOUN = word_set("readers", "no nouns")
_NO_NOUN_ENDINGS = word_list("readers", "endings of no noun")


def chunks(
    reading: TokenizedText, first: int, last: int, key: Container[str]
) -> Iterator[tuple[int, int, bool, bool]]:
    """Noun phrases of tokens [first, last), as (first, last, quoted, whole): whole runs of words, and what is cut from them.

    A run has no stop word and no punctuation inside; capitalised runs in it, and two runs that "and" or "of" joins, count
    as runs too.
    """
    for start, end, quoted in _runs(reading, first, last):
        for a, b in _cuts(reading, start, end, key):
            yield a, b, quoted, (a, b) == (start, end)


def _runs(reading: TokenizedText, first: int, last: int) -> Iterator[tuple[int, int, bool]]:
    runs = _unbroken(reading, first, last)
    for a, b in _names(reading, first, last):
        if 1 < b - a <= 10 and (a, b) not in runs:
            yield a, b, False
    for at, (a, b) in enumerate(runs):
        quoted = reading.starts[a] > 0 and reading.text[reading.starts[a] - 1] in "\"“‘'"
        if b - a <= 6:
            yield a, b, quoted
        yield from (
            (start, end, False)
            for start, end in _capitalised(reading, a, b)
            if (start, end) != (a, b)
        )
        if at + 1 < len(runs) and _are_joined(reading, (a, b), runs[at + 1]):
            yield a, runs[at + 1][1], quoted


def _unbroken(reading: TokenizedText, first: int, last: int) -> list[tuple[int, int]]:
    """The runs of words between stop words, percent signs and punctuation."""
    runs: list[tuple[int, int]] = []
    start = -1
    for token in range(first, last):
        if start >= 0 and _is_broken(reading, token):
            runs.append((start, token))
            start = -1
        if start < 0 and not _little(reading, token) and reading.raw(token) != "%":
            start = token
    return [*runs, (start, last)] if start >= 0 else runs


def _is_broken(reading: TokenizedText, token: int) -> bool:
    """Whether a run of words ends before a token: at a percent sign, a stop word, or punctuation that ends no abbreviation."""
    if reading.raw(token) == "%" or (_little(reading, token) and _is_boundary(reading, token)):
        return True
    return _STOPS.search(reading.between(token)) is not None and not _shortened(reading, token)


def _are_joined(reading: TokenizedText, run: tuple[int, int], after: tuple[int, int]) -> bool:
    """Whether one small word joins a run to the one behind it, both together of six words at most."""
    end, first = run[1], after[0]
    if after[1] - run[0] > 6 or first - end != 1:
        return False
    return reading.text[reading.ends[end - 1] : reading.starts[first]].strip().lower() in (
        "and",
        "of",
        "&",
        "for",
        "or",
    )


def _capitalised(reading: TokenizedText, first: int, last: int) -> Iterator[tuple[int, int]]:
    """The runs of capitalised words in tokens [first, last)."""
    for capital, run in groupby(range(first, last), partial(is_capitalised, reading)):
        if capital:
            tokens = list(run)
            yield tokens[0], tokens[-1] + 1


def _names(reading: TokenizedText, first: int, last: int) -> Iterator[tuple[int, int]]:
    """Runs of capitalised words with the small words, initials and short brackets that names have inside."""
    start = end = -1
    for token in range(first, last):
        if not is_capitalised(reading, token):
            continue
        if start < 0 or not _goes_on(reading, end, token):
            if start >= 0:
                yield start, end
            start = token
        end = token + 1
    if start >= 0:
        yield start, end


def _goes_on(reading: TokenizedText, end: int, token: int) -> bool:
    """Whether what stands between the words before `end` and the capitalised one at `token` is inside a name."""
    between = reading.text[reading.ends[end - 1] : reading.starts[token]]
    if token > end:
        return token - end <= 2 and _JOINED.fullmatch(between) is not None
    if _shortened(reading, token) or _WITHIN.fullmatch(between):
        return True
    return between.isspace() and "\n" not in between


def _shortened(reading: TokenizedText, token: int) -> bool:
    """Whether only the full stop of an initial or a title stands between a capitalised word and the one before it."""
    before = token - 1
    short = len(reading.raw(before)) == 1 or reading.stems[before] in _TITLES
    return reading.between(token) in (". ", ".") and short and _are_capitals(reading, before)


def is_capitalised(reading: TokenizedText, token: int) -> bool:
    """Whether a word has a capital anywhere, or letters behind a digit."""
    raw = reading.raw(token)
    return any(map(str.isupper, raw)) or (raw[0].isdigit() and any(map(str.isalpha, raw)))


_JOINED = pattern("readers", "name joint")
_WITHIN = re.compile(r"\s?[&(]\s?|\)\s|[-/’'&]")
_TITLES = word_set("readers", "titles")


def _cuts(
    reading: TokenizedText, first: int, last: int, key: Container[str]
) -> Iterator[tuple[int, int]]:
    """A run whole, without the question's words at its ends, at a possessive, its first and last two words.

    Never within a written word, nor between two capitalised ones.
    """
    a, b = _without_key(reading, first, last, key)
    cuts = {(first, last), (a, b), (a, last), (first, b)}
    if b - a in (3, 4):
        cuts |= {(b - 2, b), (a, a + 2)}
    for token in range(first + 1, last):
        if _possessive(reading, token):
            cuts |= {(first, token), (token + 1, last)}
    for cut in cuts:
        start, end = _without_little(reading, *cut)
        if (
            start < end
            and not _initial(reading, first, start)
            and _is_boundary(reading, start)
            and _is_boundary(reading, end)
        ):
            yield start, end


def _without_little(reading: TokenizedText, start: int, end: int) -> tuple[int, int]:
    """Tokens without the stop words at their ends."""
    while start < end and _little(reading, start):
        start += 1
    while end > start and _little(reading, end - 1):
        end -= 1
    return start, end


def _without_key(
    reading: TokenizedText, first: int, last: int, key: Container[str]
) -> tuple[int, int]:
    """A run without the question's words at its ends, unless one belongs to a name beside it."""
    a, b = first, last
    while a < b and reading.stems[a] in key and not (a + 1 < b and _are_capitals(reading, a)):
        a += 1
    while (
        b > a and reading.stems[b - 1] in key and not (b - 1 > a and _are_capitals(reading, b - 2))
    ):
        b -= 1
    return a, b


def _are_capitals(reading: TokenizedText, token: int) -> bool:
    """Whether a token and the one behind it are capitalised."""
    return is_capitalised(reading, token) and is_capitalised(reading, token + 1)


def _initial(reading: TokenizedText, first: int, token: int) -> bool:
    """Whether a cut would begin with the initial inside a name."""
    return token > first and len(reading.raw(token)) == 1 and is_capitalised(reading, token)


def _possessive(reading: TokenizedText, token: int) -> bool:
    return reading.stems[token] == "s" and reading.between(token) in ("'", "’")


def _little(reading: TokenizedText, token: int) -> bool:
    return reading.raw(token).lower() in STOP


def _is_boundary(reading: TokenizedText, token: int) -> bool:
    """Whether a blank or punctuation that ends a word stands before `token`."""
    if token in (0, len(reading.stems)) or _possessive(reading, token):
        return True
    between = reading.between(token)
    return any(c.isspace() or c in '()[],;:"“”/' for c in between) and between.rstrip() != "-"


def typed(reading: TokenizedText, first: int, last: int, wanted: Sequence[str]) -> float:
    """Whether the asked noun stands in the phrase (1) or beside it."""
    if not wanted:
        return 0.0
    head = wanted[-1]
    if head in reading.stems[first:last]:
        return 1.0
    near = reading.stems[max(0, first - 3) : first] + reading.stems[last : last + 3]
    return 0.8 if head in near else 0.0 if set(wanted).isdisjoint(near) else 0.4


def form(text: str, lowered: Container[str] = ()) -> dict[str, float]:
    """What a phrase looks like: the share of capitalised words, a person's name, digits, a lone lower-case word.

    A word that its page has in lower case too (`lowered`) makes no person's name.
    """
    words = text.split()
    capitals = sum(any(map(str.isupper, word)) for word in words)
    person = 2 <= len(words) <= 4 and all(
        _PERSON.fullmatch(word) and word.lower() not in lowered for word in words
    )
    return {
        "capital": capitals / len(words),
        "person": float(person),
        "digits": float(any(c.isdigit() for c in text)),
        "number": float(bool(_PLAIN_NUMBER.fullmatch(text))),
        "lone": float(len(words) == 1 and text.islower()),
    }


_PERSON = re.compile(r"^(?:[A-Z][^\W\d_]*[a-z’'-][^\W\d_]*+|[A-Z]\.?)")
_PLAIN_NUMBER = re.compile(r"[\d.,]+%?")


def nounlike(reading: TokenizedText, first: int, text: str, quoted: bool) -> float:
    """Whether a phrase reads like a noun phrase, by its last word and the word before it."""
    last = text.split()[-1].lower().strip("'’")
    if last in _NO_NOUN or (last.endswith(_NO_NOUN_ENDINGS) and text.islower()):
        return 0.0
    if first == 0 or quoted:
        return 0.7
    before = reading.raw(first - 1).lower()
    if before in _LEADS_VERB and text.islower():
        return 0.1
    return 1.0 if before in _LEADS_NOUN or not text.islower() else 0.6


def cloze(reading: TokenizedText, first: int, last: int, before: str, after: str) -> float:
    """Whether the words beside the question's wh-phrase stand beside this phrase too."""
    left = bool(before) and before in reading.stems[max(0, first - 4) : first]
    right = bool(after) and after in reading.stems[last : last + 4]
    return 1.0 if left and right else 0.7 * left + 0.5 * right


def defined(text: str, start: int, end: int) -> float:
    """Whether the text says that the characters [start, end) are a term: "called X", "X is defined as"."""
    return float(
        bool(
            _DEFINED_BEFORE.search(text[max(0, start - 40) : start])
            or _DEFINED_AFTER.search(text[end : end + 40])
        )
    )


def read_options(
    options: Sequence[str], terms: Terms, matches: Sequence[PageMatch]
) -> list[Candidate]:
    """The options of a question, each scored by its best place in the text against the rest of the question."""
    own = [set(read(option).stems) - STOP for option in options]
    shared = set.intersection(*own) if own else set()
    others = set().union(*own) - shared
    outside = np.array([stem not in others for stem in terms.stems], np.float32) * terms.weights
    outside = outside / max(1e-6, float(outside.sum()))
    found = [
        _read_option(option, stems - shared or stems, matches, outside)
        for option, stems in zip(options, own, strict=True)
    ]
    return sorted(filter(None, found), key=lambda candidate: -candidate.score)


def _read_option(
    option: str, stems: set[str], matches: Sequence[PageMatch], outside: Floats
) -> Candidate | None:
    """An option at the place of its stems that stands best to the rest of the question; None where it stands nowhere."""
    best: Candidate | None = None
    for found in matches:
        for token in _option_places(found.reading, stems):
            features = _option_features(found, token, outside)
            score = (
                2 * features["near"]
                + features["segment"]
                + features["context"]
                + 0.3 * features["rank"]
            )
            if score > (best.score if best else 0.0):
                where = found.evidence(found.reading.starts[token], found.reading.ends[token])
                best = Candidate(
                    option, (where,), score=score, features={**features, "option": 1.0}
                )
    return best


def _option_features(found: PageMatch, token: int, outside: Floats) -> dict[str, float]:
    """How near an option stands to the rest of the question, whose words have the weights `outside`."""
    segment = found.reading.segment_at(token)
    return {
        "near": float((near(found, token) * outside).sum()),
        "segment": float((found.cover[segment] * outside).sum()),
        "context": float((np.maximum(found.around[segment], 0.5 * found.title) * outside).sum()),
        "rank": 1.0 / (1.0 + found.rank),
    }


def _option_places(reading: TokenizedText, stems: set[str]) -> list[int]:
    """Where the rarest word of an option stands with all its others near."""
    rarest = min((reading.places.get(stem, ()) for stem in sorted(stems)), key=len, default=())
    places = [reading.places[stem] for stem in stems] if rarest else []
    return [at for at in rarest if all(map(partial(_is_near, at), places))]


def _is_near(at: int, places: Sequence[int]) -> bool:
    return any(abs(at - other) <= 6 for other in places)
