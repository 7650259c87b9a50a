"""What the words of a question say about a given table: values of its cells, its headings, numbers, and words of operations."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from os.path import commonprefix
from typing import Literal

from pincite.database.relations.name_folding import fold, similarity, stems
from pincite.lexicon import pattern, pattern_table, word_list, word_set
from pincite.rows.onetable.value_grid import THOUSANDS, ValueGrid
from pincite.rows.programs.table_words import ADJECTIVES, FORMS

LONGEST = 8
"""Words of the longest stretch that is looked for in cells."""

STOP = word_set("rows", "stop words")
"""Words that say nothing of a cell by themselves."""
_SAME_STEM = frozenset(stems(word) for word in STOP)

NUMBERS = {word: number for number, word in enumerate(word_list("rows", "numbers"))}
NUMBERS |= {
    word: number
    for name in ("ordinals", "how often")
    for number, word in enumerate(word_list("rows", name), 1)
}

Match = Literal["exact", "part", "near"]
Index = dict[tuple[str, ...], set[tuple[int, int]]]
"""Stretches of stems -> the (row, column) pairs of the cells that hold them."""
Near = Mapping[str, Collection[str]]
"""Stems of a question -> the stems of headings that mean about the same."""
NOTHING_NEAR: Near = {}


@dataclass(frozen=True, slots=True)
class ValueAnchor:
    """Words `start` to `end` of a question found in cells of a column: in which rows, and how much of the cells they are."""

    start: int
    end: int
    column: int
    rows: tuple[int, ...]
    match: Match
    share: float

    @property
    def places(self) -> range:
        """The places of its words in the question."""
        return range(self.start, self.end)


@dataclass(frozen=True, slots=True)
class NumberAnchor:
    """A number that a question says, at words `start` to `end`."""

    start: int
    end: int
    value: float
    digits: bool

    @property
    def places(self) -> range:
        """The places of its words in the question."""
        return range(self.start, self.end)


@dataclass(frozen=True, slots=True)
class AnchoredQuestion:
    """A question as it is read over a grid. `headed` has for each column the words of the question that its heading shares."""

    text: str
    words: tuple[str, ...]
    stems: tuple[str, ...]
    cues: dict[str, tuple[tuple[int, int], ...]]
    anchors: tuple[ValueAnchor, ...]
    numbers: tuple[NumberAnchor, ...]
    headed: tuple[frozenset[int], ...]
    head_share: tuple[float, ...]
    focus: tuple[int, int]
    like_focus: tuple[float, ...] = ()
    like_question: tuple[float, ...] = ()
    adjective: tuple[float, ...] = ()

    def has(self, *names: str) -> bool:
        """Whether a cue of one of the names is said."""
        return any(self.cues[name] for name in names)

    def said(self, *names: str) -> list[str]:
        """Those of some cues that are said."""
        return [name for name in names if self.cues[name]]

    def heading_words(self, column: int) -> frozenset[int]:
        """The words that a heading shares with the question, where they are enough to name the column."""
        return self.headed[column] if self.head_share[column] > 0.4 else frozenset()


def places(asked: AnchoredQuestion, *cues: str) -> frozenset[int]:
    """The words of a question that are any of some cues."""
    return frozenset(
        at for cue in cues for start, end in asked.cues.get(cue, ()) for at in range(start, end)
    )


def asked(
    question: str, grid: ValueGrid, index: Index, near: Near = NOTHING_NEAR
) -> AnchoredQuestion:
    """Read a question over a grid whose n-grams are in `index` (see `ngrams`).

    `near` has for stems of its words those of headings that mean about the same.
    """
    plain = THOUSANDS.sub("", question)
    words = tuple(fold(plain).split())
    stemmed = tuple(stems(word) for word in words)
    joined = " ".join(words)
    starts = [0]
    for word in words:
        starts.append(starts[-1] + len(word) + 1)
    cues = {
        name: tuple(_spans(cue, joined, starts))
        for name, cue in pattern_table("onetable", "operations")
    }
    headed = [_headed(stemmed, heading, near) for heading in grid.heading_stems]
    anchors = _anchors(words, stemmed, grid, index)
    return AnchoredQuestion(
        joined,
        words,
        stemmed,
        cues,
        tuple(anchors),
        tuple(number for number in _numbers(words, plain) if math.isfinite(number.value)),
        tuple(frozenset(found) for found, _ in headed),
        tuple(share for _, share in headed),
        _focus(words),
        adjective=tuple(_adjective(words, heading) for heading in grid.headings),
    )


def _adjective(words: tuple[str, ...], heading: str) -> float:
    """1 when an adjective of a question is of what a heading names first ("deepest", depth), less when of something further."""
    named = fold(heading).split()
    best = 0.0
    for word in words:
        if word in FORMS:
            for at, quantity in enumerate(ADJECTIVES[FORMS[word][0]][1]):
                if quantity in named:
                    best = max(best, 1 / (1 + at))
    return best


def ngrams(grid: ValueGrid) -> Index:
    """Every stretch of up to LONGEST words of a grid's cells: the (row, column) pairs that have it."""
    index: Index = {}
    for row, cells in enumerate(grid.cell_stems):
        for column, terms in enumerate(cells):
            for start in range(len(terms)):
                for end in range(start + 1, min(len(terms), start + LONGEST) + 1):
                    index.setdefault(terms[start:end], set()).add((row, column))
    return index


def _spans(pattern: re.Pattern[str], text: str, starts: list[int]) -> Iterator[tuple[int, int]]:
    for match in pattern.finditer(text):
        first = max(at for at, start in enumerate(starts) if start <= match.start())
        last = max(at for at, start in enumerate(starts) if start < match.end())
        yield first, last + 1


def _headed(
    asked: tuple[str, ...], heading: tuple[str, ...], near: Near
) -> tuple[set[int], float]:
    """The places of a question's words that a heading says or means, and the share of the heading that they are."""
    terms = [term for term in heading if term not in _SAME_STEM] or list(heading)
    found: set[int] = set()
    said: set[str] = set()
    for at, term in enumerate(asked):
        alike = near.get(term, frozenset())
        kin = [each for each in terms if each in alike or _kin(term, each)]
        said.update(kin)
        if kin:
            found.add(at)
    return found, len(said) / len(set(terms)) if terms else 0.0


def _kin(a: str, b: str) -> bool:
    """Whether two stems are of one word, or begin alike: populous and population."""
    if a == b:
        return True
    shorter, longer = sorted((len(a), len(b)))
    return shorter >= 4 and a.isalpha() and len(commonprefix((a, b))) >= max(4, 0.6 * longer)


def _anchors(
    words: tuple[str, ...], terms: tuple[str, ...], grid: ValueGrid, index: Index
) -> list[ValueAnchor]:
    found = list(_written(terms, grid, index))
    covered = {at for anchor in found for at in anchor.places}
    heads = {term for heading in grid.heading_stems for term in heading}
    for at, term in enumerate(terms):
        if at not in covered and term not in _SAME_STEM and len(term) >= 4 and term not in heads:
            found.extend(_near(at, words[at], index))
    return found


def _written(terms: tuple[str, ...], grid: ValueGrid, index: Index) -> Iterator[ValueAnchor]:
    """Stretches of a question that cells hold, the longest of each column."""
    taken: dict[int, list[tuple[int, int]]] = {}
    for start, gram in _stretches(terms, index):
        end = start + len(gram)
        for column, rows in _by_column(index[gram]).items():
            if any(a <= start and end <= b for a, b in taken.get(column, ())):
                continue
            anchors = _held(start, gram, column, rows, grid)
            if anchors:
                taken.setdefault(column, []).append((start, end))
                yield from anchors


def _stretches(terms: tuple[str, ...], index: Index) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Stretches of a question that say something and that cells hold, the longest first: where each begins, and its stems."""
    for length in range(min(LONGEST, len(terms)), 0, -1):
        for start in range(len(terms) - length + 1):
            gram = terms[start : start + length]
            if gram in index and not _SAME_STEM.issuperset(gram):
                yield start, gram


def _held(
    start: int, gram: tuple[str, ...], column: int, rows: list[int], grid: ValueGrid
) -> list[ValueAnchor]:
    """The anchors of a stretch in the rows of a column that hold it: whole cells, and parts of cells but for a short word."""
    end = start + len(gram)
    whole = tuple(row for row in rows if grid.cell_stems[row][column] == gram)
    made = [ValueAnchor(start, end, column, whole, "exact", 1.0)] if whole else []
    short = len(gram) == 1 and len(gram[0]) < (4 if gram[0].isdigit() else 3)
    if len(whole) < len(rows) and not short:
        share = sum(len(gram) / len(grid.cell_stems[row][column]) for row in rows) / len(rows)
        made.append(ValueAnchor(start, end, column, tuple(rows), "part", share))
    return made


def _by_column(places: Iterable[tuple[int, int]]) -> dict[int, list[int]]:
    """The rows of (row, column) pairs by column, in order."""
    made: dict[int, list[int]] = {}
    for row, column in sorted(places):
        made.setdefault(column, []).append(row)
    return made


_COUNTING = word_list("rows", "counting")


def _near(at: int, word: str, index: Index) -> Iterator[ValueAnchor]:
    """Cells with a word that begins alike ("russians", Russia), is spelled a little differently, or is a country's code."""
    if word.isdigit() or any(word in cue for cue in _COUNTING):
        return
    alike: dict[int, set[int]] = {}
    for gram, cells in index.items():
        if len(gram) == 1 and not gram[0].isdigit() and _alike(word, gram[0]):
            for row, column in cells:
                alike.setdefault(column, set()).add(row)
    for column, rows in alike.items():
        yield ValueAnchor(at, at + 1, column, tuple(sorted(rows)), "near", 0.5)


def _alike(word: str, other: str) -> bool:
    shared = len(commonprefix((word, other)))
    if shared >= 4 and shared >= 0.7 * max(len(word), len(other)) - 0.5:
        return True
    if len(word) < 5:
        return False
    if len(other) == 3:
        return word.startswith(other)
    return len(other) >= 5 and abs(len(word) - len(other)) <= 2 and similarity(word, other) >= 0.8


_ORDINAL_OR_DECADE = pattern("onetable", "ordinal or decade", "numbers")


def _numbers(words: tuple[str, ...], text: str) -> Iterator[NumberAnchor]:
    """The numbers of a question; one that is too long for a float is infinite."""
    at = 0
    while at < len(words):
        word = words[at]
        if word.isdecimal():
            if (
                at + 1 < len(words)
                and words[at + 1].isdecimal()
                and f"{word}.{words[at + 1]}" in text
            ):
                yield NumberAnchor(at, at + 2, float(f"{word}.{words[at + 1]}"), True)
                at += 2
                continue
            yield NumberAnchor(at, at + 1, float(word), True)
        elif match := _ORDINAL_OR_DECADE.fullmatch(word):
            yield NumberAnchor(at, at + 1, float(match[1] or match[2]), True)
        elif word in NUMBERS:
            yield NumberAnchor(at, at + 1, float(NUMBERS[word]), False)
        at += 1


_ASKS = word_set("rows", "asking")
_PASSED = word_set("rows", "before a heading")
_ENDS = word_set("rows", "heading ends")
_PAST = word_set("rows", "irregular past forms")


def _focus(words: tuple[str, ...]) -> tuple[int, int]:
    """What is asked for: the words behind the first "which", "what" or "how many" up to a verb or preposition.

    "What is the total number of visitors" asks for visitors.
    """
    asks = next((at for at, word in enumerate(words) if word in _ASKS), -1)
    start = asks + 1
    while start < len(words) and words[start] in _PASSED:
        start += 1
    end = start
    while end < len(words) and not _ends_heading(words[end]) and end - start < 5:
        end += 1
    return start, end


def _ends_heading(word: str) -> bool:
    """Whether a word stands behind what is asked for: a preposition, an auxiliary, or a verb in the past ("which town had")."""
    return word in _ENDS or word in _PAST or len(word) > 4 and word.endswith("ed")
