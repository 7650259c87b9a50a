"""Spans of running text as answers: names, terms, dates, clauses and whole sentences, scored by one linear model.

Spans are proposed from the segments that hold the question's words best: noun phrases and capitalised runs, dates, clauses
from one boundary (a comma, a preposition, a form of "be") to another, and the segments themselves. What suits depends on
the question's class (who, when, why, ...), so features of form are paired with it. Weights: `data/reader.json`, fitted by
`scripts/fit_reader.py`.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from itertools import chain
from math import log
from typing import Any

from pincite.document.sentences import TokenizedText
from pincite.document.words import STOP
from pincite.evidence.candidate import Candidate
from pincite.evidence.term_match import Floats, PageMatch, Terms, nearness, top_segments
from pincite.lexicon import pattern, word_list, word_set
from pincite.question.ask import Ask
from pincite.question.proper_names import is_legal_form
from pincite.readers.listings import Items, alike, bullets, series
from pincite.readers.names import (
    chunks,
    cloze,
    defined,
    form,
    nounlike,
    typed,
)
from pincite.readers.reasons import goes_back, reasoned

_NAME_SEGMENTS = 25
_CLAUSE_SEGMENTS = 8
_LONGEST = 45
"""Tokens of the longest clause."""
_CROWD = 400
"""Tokens of a segment that are looked at: no sentence has more."""
_ENDS = 5
"""How many later boundaries a clause may run to."""
_KEPT = 30

_OPENS = word_set("readers", "span openings")
_CLOSES = word_set("readers", "span ends")
_BEGINS = word_set("readers", "clause beginnings")
_BE = word_set("readers", "forms of be")
_BEFORE_CAUSE = word_set("readers", "before a cause")
_CAUSE = tuple(f"{word} " for word in word_list("readers", "cause openings"))
_DIVIDED = re.compile(r"([^\W\d_])-\s*\n\s*([a-z])")
_BREAKS = re.compile(r"[,;:()\[\]\"“”•|]|[.?!](?=\s|$)|\s[–-]\s|—|\n\s*\n")
_DATE = pattern("readers", "date")
_LED = pattern("readers", "led")
"""What stands before a list that is led in."""


@dataclass(frozen=True, slots=True)
class TokenSpan:
    """Tokens [first, last) of a page; `made` says how it was proposed, `items` what a list holds."""

    first: int
    last: int
    made: str
    quoted: bool = False
    whole: bool = True
    items: Items = ()


def read_spans(ask: Ask, terms: Terms, matches: Sequence[PageMatch]) -> list[Candidate]:
    """Spans that may answer `ask`, best first, each text once."""
    weights = load_reader()["spans"]
    best: dict[str, tuple[float, PageMatch, TokenSpan, dict[str, float]]] = {}
    for found, span, features in spans(ask, terms, matches):
        score = sum(weights.get(name, 0.0) * value for name, value in features.items())
        text = "\n".join(texts_of(found.reading, span)).lower()
        if text not in best or score > best[text][0]:
            best[text] = score, found, span, features
    out = []
    for score, found, span, features in sorted(best.values(), key=lambda entry: -entry[0])[:_KEPT]:
        texts = texts_of(found.reading, span)
        value = texts if ask.expects == "names" else texts[0]
        where = found.evidence(found.reading.starts[span.first], found.reading.ends[span.last - 1])
        out.append(Candidate(value, (where,), subject=ask.focus, score=score, features=features))
    return out


@lru_cache(maxsize=1)
def load_reader() -> Mapping[str, Any]:
    """The fitted numbers: `spans` the weight of each feature, `likelihood` slope and offset for each kind of candidate."""
    loaded: dict[str, Any] = json.loads(
        files("pincite").joinpath("data/reader.json").read_text(encoding="utf-8")
    )
    return loaded


def spans(
    ask: Ask, terms: Terms, matches: Sequence[PageMatch]
) -> list[tuple[PageMatch, TokenSpan, dict[str, float]]]:
    """Every span proposed, with its page and features in [0, 1]."""
    about = _About.of(ask, terms)
    out: list[tuple[PageMatch, TokenSpan, dict[str, float]]] = []
    for order, (at, index, base) in enumerate(top_segments(terms, matches, _NAME_SEGMENTS)):
        found = matches[at]
        segment = found.reading.segments[index]
        last = min(segment.last, segment.first + _CROWD)
        close = nearness(found, segment.first, last) @ terms.weights
        seen: set[tuple[int, int, Items]] = set()
        proposed = _listed(found, index, last) if about.many else ()
        proposed = chain(
            proposed,
            _proposed(found.reading, segment.first, last, about, order < _CLAUSE_SEGMENTS),
        )
        for span in proposed:
            if (span.first, span.last, span.items) in seen:
                continue
            seen.add((span.first, span.last, span.items))
            features = _features(found, span, segment.first, last, close, about)
            if features is not None:
                out.append((found, span, {**base, **features}))
    return out


@dataclass(frozen=True, slots=True)
class _About:
    """What the features need of the question: its class, its stems, those of what it asks for, and how many things and words."""

    kind: str
    key: frozenset[str]
    wanted: tuple[str, ...]
    beside: tuple[str, str]
    count: int
    many: bool
    things: int

    @classmethod
    def of(cls, ask: Ask, terms: Terms) -> _About:
        """Read them from a question."""
        return cls(
            ask.kind,
            frozenset(terms.stems),
            ask.focus_stems,
            ask.words_around,
            ask.word_count,
            ask.expects == "names",
            ask.thing_count,
        )


def texts_of(reading: TokenizedText, span: TokenSpan) -> tuple[str, ...]:
    """The text of each item of a list; of any other value its own text."""
    if not span.items:
        return (text_of(reading, span),)
    return tuple(text_of(reading, TokenSpan(first, last, span.made)) for first, last in span.items)


def text_of(reading: TokenizedText, span: TokenSpan) -> str:
    """The span's text on one line, words that were divided at a line's end joined."""
    raw = reading.text[reading.starts[span.first] : reading.ends[span.last - 1]]
    return " ".join(_DIVIDED.sub(r"\1\2", raw).split())


def _listed(found: PageMatch, index: int, last: int) -> Iterator[TokenSpan]:
    """The lists of a segment, and the marked one that it stands in or leads in."""
    reading, segment = found.reading, found.reading.segments[index]
    for items in series(reading, segment.first, last):
        yield TokenSpan(items[0][0], items[-1][1], "series", items=items)
    own = found.block(segment.start)
    follows = (
        found.block(own[1] + 2)
        if own[1] - segment.end < 3 and own[1] + 2 < len(reading.text)
        else own
    )
    for block in dict.fromkeys((own, follows)):
        if items := bullets(reading, *block):
            yield TokenSpan(items[0][0], items[-1][1], "bullets", items=items)


def _proposed(
    reading: TokenizedText, first: int, last: int, about: _About, clauses: bool
) -> Iterator[TokenSpan]:
    """The phrases and dates of a segment, and with `clauses` the segment itself and what it says between its boundaries."""
    for start, end, quoted, whole in chunks(reading, first, last, about.key):
        yield TokenSpan(start, end, "phrase", quoted, whole)
    yield from _dates(reading, first, last)
    if not clauses or about.many:
        return
    if (
        about.kind == "why"
        and first
        and goes_back(reading.text[reading.starts[first] : reading.ends[last - 1]])
    ):
        yield TokenSpan(reading.segments[reading.segment_at(first - 1)].first, last, "pair")
    else:
        yield TokenSpan(first, last, "sentence")
    if not reading.segments[reading.segment_at(first)].row:
        yield from _clauses(reading, first, last)


def _clauses(reading: TokenizedText, first: int, last: int) -> Iterator[TokenSpan]:
    """The clauses of a sentence: from a boundary or a word that opens one to a boundary or a word that closes one."""
    inner = range(first + 1, last)
    breaks = [True, *(_BREAKS.search(reading.between(token)) is not None for token in inner), True]
    words = [reading.raw(token).lower() for token in range(first, last)]
    ends = [at for at, broken in enumerate(breaks) if at and (broken or words[at] in _CLOSES)]
    for start, word in enumerate(words):
        if breaks[start] or words[start - 1] in _OPENS or word in _BEGINS:
            for end in _clause_ends(ends, breaks, start):
                yield TokenSpan(first + start, first + end, "clause")


def _clause_ends(ends: Sequence[int], breaks: Sequence[bool], start: int) -> list[int]:
    """Where the clause from `start` may end: at the next few ends, or at the last boundary that it may run to."""
    later = ends[bisect_left(ends, start + 2) : bisect_right(ends, start + _LONGEST)]
    return [*later[:_ENDS], *[end for end in later[_ENDS:] if breaks[end]][-1:]]


def _dates(reading: TokenizedText, first: int, last: int) -> Iterator[TokenSpan]:
    for match in _DATE.finditer(reading.text, reading.starts[first], reading.ends[last - 1]):
        a, b = reading.token_at(match.start()), reading.token_at(match.end() - 1) + 1
        if first <= a < b <= last:
            yield TokenSpan(a, b, "date")


def _features(
    found: PageMatch, span: TokenSpan, first: int, last: int, close: Floats, about: _About
) -> dict[str, float] | None:
    """The features of a span of tokens [first, last) of a segment; None for one that says nothing but the question's words."""
    reading, kind = found.reading, about.kind
    new = _news(reading, span, about)
    if not new:
        return None
    text = text_of(reading, span)
    before = reading.raw(span.first - 1).lower() if span.first > first else ""
    length = min(1.0, log(1 + span.last - span.first) / 4)
    out = {
        "near": _near(close, span, first),
        "new": new,
        "left": float(
            not about.key.isdisjoint(reading.stems[max(first, span.first - 2) : span.first])
        ),
        "right": float(
            not about.key.isdisjoint(reading.stems[span.last : min(last, span.last + 2)])
        ),
        f"made:{span.made}": 1.0,
        f"{kind}:{span.made}": 1.0,
        "quoted": float(span.quoted),
        "whole": float(span.whole),
        "noun": nounlike(reading, span.first, text, span.quoted),
        "type": typed(reading, span.first, span.last, about.wanted),
        "cloze": cloze(reading, span.first, span.last, *about.beside),
        "defined": defined(reading.text, reading.starts[span.first], reading.ends[span.last - 1]),
        "opens": float(span.first == first),
        "closes": float(
            span.last >= last or _BREAKS.search(reading.between(span.last)) is not None
        ),
        "words": length,
        f"{kind}:words": length,
        "asked_words": float(len(text.split()) == about.count),
    }
    marks = form(text, reading.lowered) | {
        "be": float(before in _BE),
        "cause": float(_cause(text, before)),
        "reasoned": reasoned(reading, (span.first, span.last), (first, last), about.key)
        if kind == "why"
        else 0.0,
    }
    for name, value in marks.items():
        if value:
            out |= {name: value, f"{kind}:{name}": value}
    return out | _listing(reading, span, about)


def _news(reading: TokenizedText, span: TokenSpan, about: _About) -> float:
    """The share of a span's content words that the question does not say; 0 where they only add the legal form to a firm."""
    content = [at for at in range(span.first, span.last) if reading.stems[at] not in STOP]
    fresh = [at for at in content if reading.stems[at] not in about.key]
    if (
        not fresh
        or len(fresh) < len(content)
        and all(is_legal_form(reading.raw(at)) for at in fresh)
    ):
        return 0.0
    return len(fresh) / len(content)


def _near(close: Floats, span: TokenSpan, first: int) -> float:
    """How near the question's words are to the nearer end of a span; to one in another segment what leads it in is."""
    if span.last - first > len(close) or span.first < first:
        return float(close.mean())
    return float(max(close[span.first - first], close[span.last - 1 - first]))


def _listing(reading: TokenizedText, span: TokenSpan, about: _About) -> dict[str, float]:
    """What speaks for a list, and against anything else, where several things are asked for."""
    if not about.many:
        return {}
    if not span.items:
        return {"several:one": 1.0}
    start, count = reading.starts[span.first], len(span.items)
    head = set(about.wanted[-1:])
    said = sum(
        len(about.key.intersection(reading.stems[first:last])) for first, last in span.items
    )
    return {
        f"several:{span.made}": 1.0,
        "several:alike": alike(reading, span.items),
        "several:items": min(1.0, count / 8),
        "several:count": float(count == about.things) if about.things else 0.5,
        "several:led": float(_LED.search(reading.text[max(0, start - 14) : start]) is not None),
        "several:head": float(
            not head.isdisjoint(reading.stems[max(0, span.first - 3) : span.first])
        ),
        "several:tail": float(not head.isdisjoint(reading.stems[span.last : span.last + 2])),
        "several:said": said / count,
    }


def _cause(text: str, before: str) -> bool:
    return before in _BEFORE_CAUSE or text.lower().startswith(_CAUSE)
