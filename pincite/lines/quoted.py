"""The values of lines as they stand: numbers, the words of cells, sentences and the phrases in them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from math import log

import numpy as np

from pincite.document.asked_labels import of_others, with_sign_asked
from pincite.document.labelled_cells import labels
from pincite.document.sentences import TokenizedText, read
from pincite.document.table_headers import STEP
from pincite.document.times import years_in_turn
from pincite.evidence.candidate import Candidate, Evidence
from pincite.lines.kind_fit import asked_unit
from pincite.lines.line import Line, LineValue
from pincite.lines.matching import LineMatches, Phrase
from pincite.lines.phrases import CLOSING, Span, ends, is_small, looks, phrases, series, texts
from pincite.quantity import compatible, find, parse
from pincite.quantity.units import is_counted, is_currency
from pincite.question.ask import Ask
from pincite.question.asking import goes_back
from pincite.question.named_unit import counted_unit
from pincite.question.offers import offered
from pincite.question.proper_names import is_legal_form
from pincite.text.lexicon import pattern, word_set
from pincite.text.words import STOP, stems
from pincite.types import Quantity, Value

READ, TOLD, PHRASED = 24, 4, 12
"""The lines, the best for the question, whose values are read; those that may answer a question for a number in words; and those
whose phrases are read.
"""
NEAR = 6.0
"""Words on after which a word says a third as much of a place as one beside it."""
_FAR = 24
"""Characters before a number that may say that it numbers something."""
_RESPECTIVELY = pattern("lines", "respectively")
_LABEL_BEFORE = pattern("lines", "label before")
_ORDINAL = pattern("lines", "ordinal ending")
_CUE = pattern("lines", "reason cue")
_BE = word_set("lines", "forms of be")
_DEFINED_BEFORE = pattern("lines", "defined before")
_DEFINED_AFTER = pattern("lines", "defined after")
_MARK = re.compile(r"^\s*(?:[-*•●▪■◦–]|\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})[.)])\s+")
_BREAK = re.compile(r"[:;(.]|\s[–-]\s|—")
ITEMS, HEAD = 24, 8
"""Items of the longest list, and words of the longest of them that is taken whole."""
_BY_UNIT = {"year": "year", "%": "percent", "": "count"}


def quote(matches: LineMatches) -> Iterator[Candidate]:
    """The values of the best lines that may answer; of a choice, what is chosen from."""
    ask = matches.ask
    numeric = ask.expects == "number" or bool(ask.query.unit)
    options = () if numeric else offered(ask)
    if options:
        yield from _options(matches, options)
        return
    given = frozenset(found.quantity.amount for found in find(ask.text))
    any_kind = ask.expects == "text" and ask.query.expects is None and not _in_words(ask)
    strictly = bool(ask.query.unit) or ask.query.expects == "number" or ask.kind == "many"
    worded = matches.worded
    best = sorted(range(len(worded)), key=lambda at: -worded[at])[:READ]
    for rank, at in enumerate(best):
        sentence = _Sentence(matches, at) if matches.lines[at].row is None else None
        if numeric or any_kind:
            yield from _numbers(matches, at, given, sentence)
        if sentence is None and not numeric:
            yield from _cells(matches, at)
        elif sentence and (not numeric or rank < TOLD and not strictly):
            yield from sentence.candidates(phrased=not numeric and rank < PHRASED)
        if ask.expects == "names" and rank < PHRASED:
            yield from _marked(matches, at)


def _in_words(ask: Ask) -> bool:
    """Whether words alone answer: who, when, where, why, how, and what asks for an account."""
    return ask.tells or ask.kind in ("who", "org", "when", "where", "why", "how")


def form_of(value: Quantity) -> str:
    """The form of a number: money, a percentage, a count, a measure or a year."""
    if is_counted(value.unit):
        return "count"
    return _BY_UNIT.get(value.unit) or ("money" if is_currency(value.unit) else "measure")


# numbers ---------------------------------------------------------------------------------------------------------


def _numbers(
    matches: LineMatches, at: int, given: Container[Decimal], sentence: _Sentence | None
) -> Iterator[Candidate]:
    """The numbers of a row or a sentence; `given` are those that the question says itself."""
    ask, line = matches.ask, matches.lines[at]
    for value in line.values:
        number = value.value
        if not isinstance(number, Quantity) or number.unit == "year" and not ask.asks_time:
            continue
        if sentence and (_is_label(line, value) or value in sentence.of_other_items):
            continue
        if sentence is None and (
            of_others(line.label, ask.stems) or _is_ambiguous(matches, at, value)
        ):
            continue
        features = _measured(ask, number) | {"number": 1.0, "given": float(number.amount in given)}
        if sentence:
            features |= sentence.matched | sentence.around_number(value)
        else:
            features |= matches.match(at, value, matches.phrase, ask.periods)
        yield _candidate(
            line, replace(value, value=_with_sign(ask, line, value, number)), features
        )


def _with_sign(ask: Ask, line: Line, value: LineValue, number: Quantity) -> Quantity:
    """A loss of a row as the result that is asked for."""
    table = line.passage.node.table
    if table is None or value.cell is None:
        return number
    seen = labels(table)
    cell = next((cell for cell in seen.row(value.cell[0]) if cell.column == value.cell[1]), None)
    return number if cell is None else with_sign_asked(number, cell, seen, ask.words)


def _candidate(line: Line, value: LineValue, features: dict[str, float]) -> Candidate:
    subject = line.label.replace(STEP, " ") or (value.header if line.row is not None else "")
    period = value.times[0].text if value.times and line.row is not None else ""
    return Candidate(value.value, (line.evidence(value),), subject, period, features=features)


def _is_label(line: Line, value: LineValue) -> bool:
    """Whether a number of a sentence numbers something ("Table 3") or says which one ("the 3rd")."""
    text = line.passage.node.text
    before = text[max(line.start, value.start - _FAR) : value.start]
    return bool(_LABEL_BEFORE.search(before) or _ORDINAL.match(text, value.end))


def _is_ambiguous(matches: LineMatches, at: int, value: LineValue) -> bool:
    """Whether a question for one value cannot tell a number of a row from others."""
    return matches.ask.operation == "lookup" and matches.is_one_of_several(at, value)


def _measured(ask: Ask, number: Quantity) -> dict[str, float]:
    """How the unit and the form of a number suit the question."""
    asked, percent = asked_unit(ask) or counted_unit(ask), number.unit == "%"
    made = {
        form_of(number): 1.0,
        "range": float(number.low is not None),
        "zero": float(number.value == 0),
        "percent unasked": float(percent and not ask.says("percent") and asked != "%"),
        "percent missing": float(ask.says("percent") and not percent),
    }
    if not asked:
        return made
    if not number.unit:
        return made | {"unit missing": 1.0}
    fits = number.unit.startswith(f"{asked}/") or compatible(asked, number.unit)
    return made | {"unit fits" if fits else "unit differs": 1.0}


def _cells(matches: LineMatches, at: int) -> Iterator[Candidate]:
    """The words in the cells of a row."""
    for value in matches.lines[at].values:
        if isinstance(value.value, str):
            features = matches.match(at, value, matches.phrase, matches.ask.periods)
            features |= {"cell": 1.0, "words": _length(len(value.value.split()))}
            yield _candidate(matches.lines[at], value, features)


def _length(words: int) -> float:
    return min(1.0, log(1 + words) / 4)


# sentences -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Sentence:
    """A sentence with its tokens [first, last), read for what may answer in it."""

    matches: LineMatches
    at: int

    @property
    def line(self) -> Line:
        return self.matches.lines[self.at]

    @cached_property
    def reading(self) -> TokenizedText:
        return read(self.line.passage.node.text)

    @cached_property
    def span(self) -> Span:
        """Its tokens [first, last)."""
        reading, line = self.reading, self.line
        if not reading.starts:
            return 0, 0
        first = reading.token_at(line.start)
        first += reading.starts[first] < line.start
        return first, max(first, reading.token_at(max(line.start, line.end - 1)) + 1)

    @cached_property
    def matched(self) -> dict[str, float]:
        """How it matches the question: the same for all that stands in it."""
        matches = self.matches
        return matches.match(self.at, None, matches.phrase, matches.ask.periods)

    @cached_property
    def said(self) -> frozenset[str]:
        return frozenset(self.matches.ask.words)

    def near(self, phrase: Phrase) -> np.ndarray:
        """How near the words of a phrase stand to each token, in [0, 1]."""
        first, last = self.span
        tokens = np.arange(first, last)
        near, places = np.zeros(max(1, last - first)), defaultdict(list)
        for token in range(first, last):
            places[self.reading.stems[token]].append(token)
        for stem in sorted(set(phrase) & places.keys()):
            away = np.abs(np.array(places[stem])[:, None] - tokens).min(axis=0)
            near += self.matches.weight(stem) * np.exp(-np.maximum(0, away - 1) / NEAR)
        return near / (self.matches.mass(frozenset(phrase)) or 1.0)

    @cached_property
    def _near(self) -> np.ndarray:
        return self.near(self.matches.phrase)

    @cached_property
    def of_other_items(self) -> tuple[LineValue, ...]:
        """In "A and B are 1 and 2, respectively" the numbers of the items that the question does not name, where it names one."""
        reading, (first, last) = self.reading, self.span
        if not self.line.numbers or not _RESPECTIVELY.search(self.line.sentence):
            return ()
        units = ("", _unit(self.line.numbers[-1].value))  # it may stand at the last of them alone
        alike = [each for each in self.line.numbers if _unit(each.value) in units]
        end = min(last, reading.token_at(alike[0].start))
        listed = sorted(
            series(reading, first, end), key=lambda items: (-items[-1][1], -len(items))
        )
        for (
            items
        ) in listed:  # the last enumeration before the numbers, with as many items as can be
            heads = [reading.stems[b - 1] for _, b in items]
            named = [head in self.said for head in heads]
            if len(items) <= len(alike) and sum(named) == 1:
                numbers = alike[-len(items) :]
                return tuple(n for n, own in zip(numbers, named, strict=True) if not own)
        return ()

    @cached_property
    def _years(self) -> tuple[int, ...]:
        """The places of its years."""
        return tuple(at for at in range(*self.span) if _is_year(self.reading.stems[at]))

    @cached_property
    def _years_in_turn(self) -> dict[int, int]:
        """The years of numbers that stand in the order of listed years, by where each number starts in its node."""
        line = self.line
        spans = [(each.start - line.start, each.end - line.start) for each in line.numbers]
        text = line.passage.node.text[line.start : line.end]
        return {line.start + at: year for at, year in years_in_turn(text, spans).items()}

    def around_number(self, value: LineValue) -> dict[str, float]:
        """What stands near a number: the question's words, what it counts, a year that is asked for or another."""
        ask, reading, first = self.matches.ask, self.reading, self.span[0]
        begin, end = (
            reading.token_at(value.start),
            reading.token_at(max(value.start, value.end - 1)),
        )
        counted = frozenset(stems(f"{ask.unit} {ask.wants}")) - STOP
        behind = reading.stems[begin + 1 : end + 3 + len(counted)]
        made = {
            "number near": float(self._near[min(max(0, begin - first), len(self._near) - 1)]),
            "number counts": len(counted.intersection(behind)) / max(1, len(counted)),
        }
        asked = {str(period.year) for period in ask.periods}
        years = [t for t in self._years if not begin <= t <= end]
        if asked and (year := self._years_in_turn.get(value.start)):
            made["year fits" if str(year) in asked else "year differs"] = 1.0
        elif asked and years:
            nearest = min(years, key=lambda t: t - begin if t > begin else 1.5 * (begin - t))
            fits = reading.stems[nearest] in asked
            made["year fits" if fits else "year differs"] = 1.0
        return made

    def candidates(self, phrased: bool) -> Iterator[Candidate]:
        """The sentence itself, the reason that it gives, what it says beyond the question; with `phrased` also its phrases."""
        first, last = self.span
        if first >= last:
            return
        ask, reading = self.matches.ask, self.reading
        yield from self._told((first, last), "sentence")
        if cue := _CUE.search(reading.text, self.line.start, self.line.end):
            yield from self._told((reading.token_at(cue.start()), last), "reason")
        if ask.asks_reason and first and goes_back(self.line.sentence):
            before = reading.segments[reading.segment_at(first - 1)].first
            yield from self._told((before, last), "reason before")
        if ask.expects != "names":
            yield from self._told(self._beyond(), "rest")
        if not phrased:
            return
        # who asks "which bank" wants "Lund Trust Bank", with the word that the question said
        part_of_name = ask.focus_stems[-1:] if ask.kind in ("org", "which") else ()
        for span in phrases(reading, first, last, self.said - frozenset(part_of_name)):
            yield from self._told(span, "phrase")
        if ask.expects == "names":
            for items in series(reading, first, last):
                yield from self._told((items[0][0], items[-1][1]), "series", items)

    def _beyond(self) -> Span:
        """What stands behind the part of a sentence that repeats the question: the split with the most of its words before and
        the fewest behind.
        """
        first, last = self.span
        tokens = range(first, last)
        shared = [
            self.reading.stems[token] in self.said and not is_small(self.reading, token)
            for token in tokens
        ]
        best, split, seen, total = -1.0, last, 0, sum(shared)
        for token, own in zip(tokens, shared, strict=True):
            seen += own
            score = 2 * seen - total - 0.12 * (token + 1 - first - seen)
            if own and score > best:
                best, split = score, token + 1
        while split < last and is_small(self.reading, split):
            split += 1
        return split, last

    def _told(self, span: Span, way: str, items: Sequence[Span] = ()) -> Iterator[Candidate]:
        """A part of the sentence as an answer; nothing where it only repeats the question, or has but numbers for names."""
        a, b = span
        reading = self.reading
        content = [token for token in range(a, b) if not is_small(reading, token)]
        fresh = [token for token in content if reading.stems[token] not in self.said]
        names = self.matches.ask.expects in ("name", "names")
        telling = [t for t in fresh if not names or parse(reading.raw(t)) is None]
        only_form = len(fresh) < len(content) and all(is_legal_form(reading.raw(t)) for t in fresh)
        if (names or way != "sentence") and (not telling or only_form):
            return
        start, end = reading.starts[a], reading.ends[b - 1]
        text = texts(reading, [span])[0]
        features = self._features(span, way, text) | {"new": len(fresh) / max(1, len(content))}
        if items:
            features |= self._listing(items)
        line = self.line
        where = Evidence(line.passage.node, (), start, end, text, line.passage.document)
        value = texts(reading, items) if items else text
        yield Candidate(value, (where,), self.matches.ask.focus, features=features)

    def _features(self, span: Span, way: str, text: str) -> dict[str, float]:
        a, b = span
        (first, last), kind = self.span, self.matches.ask.kind
        length = _length(b - a)
        made = self.matched | {
            way: 1.0,
            f"{kind}: {way}": 1.0,
            "words": length,
            f"{way} words": length,
        }
        if way == "sentence":
            return made
        near = self._near
        made |= {
            f"{way} near": float(max(near[max(0, a - first)], near[b - 1 - first])),
            "opens": float(a == first),
            "closes": float(b >= last or ends(self.reading, b)),
        }
        return made | self._named(span, text) if way == "phrase" else made

    def _named(self, span: Span, text: str) -> dict[str, float]:
        """What a phrase looks like and what stands beside it, for questions that want such a thing."""
        (a, b), ask, reading = span, self.matches.ask, self.reading
        first, last = self.span
        head = ask.focus_stems[-1:]
        near = (*reading.stems[max(first, a - 3) : a], *reading.stems[b : min(last, b + 3)])
        start, end = reading.starts[a], reading.ends[b - 1]
        before = reading.raw(a - 1).lower() if a > first else ""
        named_before = _DEFINED_BEFORE.search(reading.text[max(0, start - 40) : start])
        made = looks(text, reading.lowered)
        made |= {f"{ask.kind}: {name}": value for name, value in made.items()}
        return made | {
            "typed": 1.0
            if set(head) & set(reading.stems[a:b])
            else 0.8 * bool(set(head) & set(near)),
            "defined": float(
                bool(named_before or _DEFINED_AFTER.match(reading.text[end : end + 40]))
            ),
            "quoted": float(start > 0 and reading.text[start - 1] in "\"“‘'"),
            "behind be": float(before in _BE),
            "asked words": float(bool(ask.word_count) and len(text.split()) == ask.word_count),
        }

    def _listing(self, items: Sequence[Span]) -> dict[str, float]:
        """What speaks for an enumeration."""
        ask, stems = self.matches.ask, self.reading.stems
        head = ask.focus_stems[-1:]
        said = sum(not self.said.isdisjoint(stems[a:b]) for a, b in items)
        return {
            "values": min(1.0, len(items) / 8),
            "asked count": float(ask.thing_count == len(items)),
            "series said": said / len(items),
            "series head": float(
                bool(set(head) & set(stems[max(0, items[0][0] - 4) : items[0][0]]))
            ),
        }


def _unit(value: Value) -> str:
    return value.unit if isinstance(value, Quantity) else ""


def _is_year(stem: str) -> bool:
    return len(stem) == 4 and stem.isdigit() and 1900 <= int(stem) <= 2100


# lists -----------------------------------------------------------------------------------------------------------


def _marked(matches: LineMatches, at: int) -> Iterator[Candidate]:
    """The items of the list that a line stands in, or leads to."""
    lines = matches.lines
    node = lines[at].passage.node
    if node.kind != "list" and at + 1 < len(lines) and lines[at + 1].page == lines[at].page:
        node = lines[at + 1].passage.node
    items = [line for line in lines if line.passage.node is node] if node.kind == "list" else []
    if not 2 <= len(items) <= ITEMS:
        return
    features = matches.match(at, None, matches.phrase, matches.ask.periods) | {
        "marked list": 1.0,
        "values": min(1.0, len(items) / 8),
        "asked count": float(matches.ask.thing_count == len(items)),
    }
    places = tuple(line.evidence() for line in items)
    yield Candidate(tuple(map(_item, items)), places, matches.ask.focus, features=features)


def _item(line: Line) -> str:
    """An item of a list without its mark and what parts it from the next; of a long one what stands before its first break."""
    text = _MARK.sub("", line.sentence).rstrip(" ;,.")
    before, _, last = text.rpartition(" ")
    text = before.rstrip(" ;,.") if last.lower() in CLOSING else text
    return text if len(text.split()) <= HEAD else _BREAK.split(text)[0]


# options ---------------------------------------------------------------------------------------------------------


def _options(matches: LineMatches, options: Sequence[str]) -> Iterator[Candidate]:
    """Each option at the line that has its words and fits the rest of the question best."""
    own = [frozenset(stems(option)) - STOP for option in options]
    shared = frozenset.intersection(*own)
    others = frozenset().union(*own) - shared
    rest = tuple(stem for stem in matches.phrase if stem not in others) or matches.phrase
    for option, named in zip(options, own, strict=True):
        wanted = named - shared or named
        held = [at for at, there in enumerate(matches.stems) if wanted and wanted <= there]
        if held:
            at = max(held, key=lambda each: matches.fit(each, rest))
            yield _option(matches, at, option, wanted, rest)


def _option(
    matches: LineMatches, at: int, option: str, wanted: Container[str], rest: Phrase
) -> Candidate:
    line = matches.lines[at]
    features = matches.match(at, None, rest, matches.ask.periods) | {"option": 1.0}
    place = line.evidence()
    if line.row is None:
        sentence = _Sentence(matches, at)
        first, last = sentence.span
        tokens = (t for t in range(first, last) if sentence.reading.stems[t] in wanted)
        token = next(tokens, first)
        features["option near"] = float(sentence.near(rest)[token - first])
        start, end = sentence.reading.starts[token], sentence.reading.ends[token]
        quote = sentence.reading.text[start:end]
        place = Evidence(line.passage.node, (), start, end, quote, line.passage.document)
    return Candidate(option, (place,), matches.ask.focus, features=features)
