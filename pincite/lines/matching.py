"""How the lines of a question's pages match a phrase: which of its words stand in a line, above it, around it and beside it.

Words weigh by how rare they are among the lines that compete, so "expense" says little on pages of expenses.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import chain
from math import fsum, log

from pincite.document.asked_labels import as_asked
from pincite.document.cell_values import label_terms
from pincite.document.table_headers import STEP
from pincite.document.times import When, when, years_of
from pincite.lines.line import Line, LineValue
from pincite.question.ask import Ask
from pincite.search.expansion import Written
from pincite.text.words import stems, words

AROUND, NAMED, WRITTEN, TIME, KIND, PAGE = 0.5, 0.3, 0.2, 0.3, 0.1, 0.03
"""Weights beside that of a line's own words, which is 1: words around the line, words of its document's title, words that reports
write for those of the question, time, kind, and each page behind the first.
"""
LONG = 40
"""Words of a sentence that is as long as can be."""
_TOTAL = frozenset(words("total"))
Phrase = tuple[str, ...]
"""The stems of what is looked for, in their order."""


class LineMatches:
    """The lines that compete for a question: how well each fits it, and how well a value in one fits a phrase."""

    def __init__(self, ask: Ask, lines: Sequence[Line]) -> None:
        self.ask = ask
        self.lines = lines
        self.stems = [frozenset(stems(line.text)) for line in lines]
        self._held = Counter(chain.from_iterable(self.stems))
        self._weights: dict[str, float] = {}
        self._rows: dict[frozenset[str], list[int]] = {}

    def mass(self, wanted: Collection[str]) -> float:
        """The summed weight of words, by how few of the lines have each."""
        # exact, for words come as sets: what is summed in another order must not be another number in the next process
        return fsum(map(self.weight, wanted))

    def share(self, wanted: Collection[str], there: Collection[str]) -> float:
        """How much of what is wanted is there, by weight."""
        whole = self.mass(wanted)
        return self.mass([stem for stem in wanted if stem in there]) / whole if whole else 0.0

    def weight(self, stem: str) -> float:
        """The weight of one word."""
        if stem not in self._weights:
            self._weights[stem] = log(1 + len(self.lines) / (self._held[stem] + 0.5))
        return self._weights[stem]

    @cached_property
    def phrase(self) -> Phrase:
        """What the question looks for: its subject, with the quarters of its times, without the names of the documents."""
        ask = self.ask
        quarters = (
            period.text.replace(str(period.year), " ") for period in ask.periods if period.quarter
        )
        wanted = (*(ask.terms or ask.words), *words(" ".join(quarters)))
        apart = frozenset().union(*self._titles)
        if ask.operation in ("difference", "percentage_change"):
            apart |= ask.change_stems
        return tuple(stem for stem in wanted if stem not in apart) or wanted

    @cached_property
    def named(self) -> list[float]:
        """What share of the question's words stands in each line, above it, or in the title of its document."""
        asked = frozenset(self.ask.words)
        there = zip(self.stems, self._above, self._titles, strict=True)
        return [self.share(asked, frozenset().union(*each)) for each in there]

    @cached_property
    def worded(self) -> list[float]:
        """How well each line fits the question by its words, its time, its kind and its page."""
        terms = frozenset(self.ask.terms) or frozenset(self.ask.words)
        named = frozenset().union(*self._titles)
        telling = terms - named or terms
        written = frozenset(words(Written()(self.ask.query))) - terms
        return [
            self.fit(at, telling)
            + NAMED * self.named[at]
            + WRITTEN * self.share(written, self.stems[at])
            for at in range(len(self.lines))
        ]

    def fit(self, at: int, phrase: Collection[str]) -> float:
        """How well a line fits a phrase, and the question's time and kind."""
        line, own = self.lines[at], self.stems[at]
        return (
            self.share(phrase, own)
            + AROUND * self.share(phrase, own.union(self._above[at], *self._beside(at)))
            + TIME * fits_time(self.ask, line)
            + KIND * _fits_kind(self.ask, line)
            - PAGE * line.passage.rank
        )

    def best_rows(self, phrase: Collection[str], most: int) -> list[int]:
        """The rows of tables that fit a phrase best, best first."""
        key = frozenset(phrase)
        if key not in self._rows:
            rows = [at for at, line in enumerate(self.lines) if line.row is not None]
            self._rows[key] = sorted(rows, key=lambda at: -self.fit(at, phrase))
        return self._rows[key][:most]

    def match(
        self, at: int, value: LineValue | None, phrase: Phrase, periods: Sequence[When] = ()
    ) -> dict[str, float]:
        """Features of a value, or of a whole line, against the stems of a phrase and the times it should hold for."""
        line = self.lines[at]
        titled = {"title": self._titled[at], "other document": 1.0 - line.passage.named}
        if line.row is None:
            return self._match_sentence(at, phrase, periods) | titled
        made = self._match_row(line, value, phrase, periods) | _page("row", line)
        return made | _complete(made, "row") | titled

    def _match_row(
        self, line: Line, value: LineValue | None, phrase: Phrase, periods: Sequence[When]
    ) -> dict[str, float]:
        asked, total = frozenset(phrase), self.mass(phrase) or 1.0
        over, _, label = line.label.rpartition(STEP)
        label = as_asked(label, asked)
        above = label_terms(over) if over else frozenset()
        own = label_terms(label) if label else above | _TOTAL
        head = label_terms(value.header) if value is not None and value.header else frozenset()
        # the whole of what is asked for is often printed as its total
        bare = own if "total" in asked else own - _TOTAL or own
        said = words(label) or stems(label)
        named = [word for word in said if word in bare]
        left = asked - own - above
        return {
            "row": 1.0,
            "row label": self.mass(asked & own) / total,
            "row label precision": self.mass(asked & own) / (self.mass(bare) or 1.0),
            "row label exact": _exact(named, phrase),
            "row sections": self.mass((asked - own) & above) / total,
            "row sections precision": self.mass(asked & above) / (self.mass(above) or 1.0),
            "row column": self.mass(left & head) / total,
            "row column precision": self.mass(asked & head) / (self.mass(head) or 1.0)
            if head
            else 0.5,
            "row around": self.mass((left - head) & _above(line)) / total,
            "row total": float(
                ("total" in asked) == ("total" in own) or _TOTAL < own <= asked | _TOTAL
            ),
            "row first": float(value is not None and value is line.values[0]),
        } | _timed(line, value, periods)

    def _match_sentence(
        self, at: int, phrase: Phrase, periods: Sequence[When]
    ) -> dict[str, float]:
        line = self.lines[at]
        asked, total = frozenset(phrase), self.mass(phrase) or 1.0
        own, times = self.stems[at], when(line.sentence)
        left = asked - own - self._above[at]
        made = {
            "text": 1.0,
            "text words": self.mass(asked & own) / total,
            "text around": self.mass((asked - own) & self._above[at]) / total,
            "text beside": self.mass(left & frozenset().union(*self._beside(at))) / total,
            "text length": min(1.0, len(own) / LONG),
            "text period": _fits(times, periods),
        }
        return made | _page("text", line) | _complete(made, "text")

    def _beside(self, at: int) -> list[frozenset[str]]:
        """The stems of the lines before and behind one, on its page."""
        page, last = self.lines[at].page, len(self.lines)
        near = (at - 1, at + 1)
        return [self.stems[n] for n in near if 0 <= n < last and self.lines[n].page == page]

    def is_one_of_several(self, at: int, value: LineValue) -> bool:
        """Whether other rows of its table have another value under just the same labels, as parts of several wholes may."""
        line = self.lines[at]
        return len(self._called[id(line.passage.node), line.label, value.header]) > 1

    @cached_property
    def _called(self) -> Mapping[tuple[int, str, str], set[str]]:
        """What the values are that have the same labels, of rows that have one."""
        called: dict[tuple[int, str, str], set[str]] = defaultdict(set)
        for line in self.lines:
            for value in line.values if line.label else ():
                called[id(line.passage.node), line.label, value.header].add(value.text)
        return called

    @cached_property
    def _titles(self) -> list[frozenset[str]]:
        return [_stems(line.passage.title, line.passage.document) for line in self.lines]

    @cached_property
    def _titled(self) -> list[float]:
        """How much of the question's words the title of each line's document has, beside the title that has the most of them."""
        asked = frozenset(self.ask.words)
        held = [self.mass(asked & title) for title in self._titles]
        most = max(held, default=0.0)
        return [own / most if most else 1.0 for own in held]

    @cached_property
    def _above(self) -> list[frozenset[str]]:
        return list(map(_above, self.lines))


def fits_time(ask: Ask, line: Line) -> float:
    """1 where a line is of a time that is asked for, 0 where it is of others alone, else a half."""
    if not ask.periods:
        return 0.5
    if line.of_times(ask.periods):
        return 1.0
    return 0.0 if years_of(time for value in line.values for time in value.times) else 0.5


def _fits_kind(ask: Ask, line: Line) -> float:
    """1 where a line has a value of the kind that is asked for, or any may do; else 0."""
    return float(ask.expects != "number" or bool(line.numbers))


def _above(line: Line) -> frozenset[str]:
    """The stems of what stands above a line: its headings, and the caption of its table."""
    table = line.passage.node.table
    return _stems(line.passage.heading, table.caption if table is not None else "")


@lru_cache(maxsize=1024)
def _stems(*texts: str) -> frozenset[str]:
    return frozenset(stems(" ".join(texts).replace("_", " ").replace("/", " ")))


def _page(sort: str, line: Line) -> dict[str, float]:
    return {f"{sort} page": 1 / (1 + line.passage.rank)}


def _complete(made: Mapping[str, float], sort: str) -> dict[str, float]:
    """How much of a phrase is said in a line and around it; whether all of it is, some in the line itself, of no other time."""
    own = sum(
        made.get(f"{sort} {where}", 0.0) for where in ("label", "sections", "column", "words")
    )
    covered = own + made[f"{sort} around"]
    whole = covered > 0.99 and own > 0.01 and made[f"{sort} period"] >= 0.5
    return {f"{sort} covered": covered, "complete": float(whole)}


def _timed(line: Line, value: LineValue | None, periods: Sequence[When]) -> dict[str, float]:
    """Whether a value is of the times it should hold for; where none are known, whether it is the latest of its row."""
    times = value.times if value is not None else ()
    made = {"row period": _fits(times, periods), "row untimed": float(not times)}
    if times and not periods:
        last = max(each.times[0].parts for each in line.values if each.times)
        made["row latest"] = float(times[0].parts == last)
    return made


def _fits(own: Sequence[When], periods: Sequence[When]) -> float:
    """1 for an asked time, 0 for another, in between where none is asked for or said, or a part of it, or its whole year."""
    if not periods:
        return 0.5
    pairs = [(time, asked) for time in own for asked in periods if time.fits(asked)]
    if pairs and all(time.differs_in_length(asked) for time, asked in pairs):
        return 0.5
    return float(bool(pairs)) if own else 0.3


def _exact(label: Sequence[str], phrase: Sequence[str]) -> float:
    """1 where the whole label stands in the phrase in order; where the phrase stands in the label, its part of it."""
    if not label or not phrase:
        return 0.0
    if _inside(label, phrase):
        return 1.0
    return len(phrase) / len(label) if _inside(phrase, label) else 0.0


def _inside(short: Sequence[str], long: Sequence[str]) -> bool:
    """Whether words stand in others side by side."""
    return f" {' '.join(short)} " in f" {' '.join(long)} "
