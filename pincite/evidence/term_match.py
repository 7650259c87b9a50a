"""How the words of a question match the pages that were found: which of them occur where, and how near to a place.

Terms are weighted by how few of the segments (sentences, table lines) of the found pages hold them, so a word that is
everywhere in what was found says little. A stem that only begins like a question's stem ("emit", "emission") counts less.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate, chain, groupby, islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pincite.derived import kept
from pincite.document.sentences import TokenizedText, read
from pincite.document.words import STOP
from pincite.evidence.candidate import Evidence, Passage
from pincite.lexicon import word_set
from pincite.question.proper_names import companies_named

_NUMBERED = re.compile(r"([^\W\d_]{2,}+)(\d[\w.]*+)")
Floats = NDArray[np.float32]
_Places = tuple[NDArray[np.int32], float]
"""The tokens at which a term stands, and how much that counts."""

_ASKING = word_set("evidence", "of asking")
_OWNER = 0.3
"""How much a word of a company's name counts."""
_NEAR = 12.0
"""Tokens over which the weight of a term near a place falls by e."""
_KIN = 0.6
"""What a stem that only shares its beginning with a question's stem counts."""


@dataclass(frozen=True, slots=True, eq=False)
class Terms:
    """A question's content stems in order, their weights (summing to 1) and the pairs that stand side by side."""

    stems: tuple[str, ...]
    weights: Floats
    pairs: tuple[tuple[int, int], ...]
    special: tuple[int, ...]

    @property
    def key(self) -> Mapping[str, int]:
        """The index of each stem."""
        return {stem: at for at, stem in enumerate(self.stems)}


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class PageMatch:
    """One page against a question: `places[t]` are the tokens of term t, `cover[s, t]` how well segment s holds it.

    The page's passages are read as one text, so that context runs across paragraphs; `offsets[i]` is where passage i
    begins in it. `around` is `cover` with the neighbouring segments, `pairs[s]` the share of the question's neighbouring
    words that stand side by side in segment s, `page` the weight of the terms anywhere on the page.
    """

    passages: tuple[Passage, ...]
    offsets: tuple[int, ...]
    reading: TokenizedText
    places: tuple[NDArray[np.int32], ...]
    strength: Floats
    cover: Floats
    around: Floats
    pairs: Floats
    page: float
    title: Floats

    @property
    def rank(self) -> int:
        """The 0-based rank of the page."""
        return self.passages[0].rank

    def block(self, start: int) -> tuple[int, int]:
        """The characters of the passage that holds the one at `start`."""
        at = bisect_right(self.offsets, start) - 1
        return self.offsets[at], self.offsets[at] + len(self.passages[at].node.text)

    def evidence(self, start: int, end: int) -> Evidence:
        """The characters [start, end) of the page's text as a place in one of its nodes, quoted with their segments."""
        at = bisect_right(self.offsets, start) - 1
        passage, offset = self.passages[at], self.offsets[at]
        end = min(end - offset, len(passage.node.text))
        first, last = (
            self.reading.segment_at(self.reading.token_at(place))
            for place in (start, offset + max(start - offset, end - 1))
        )
        quote = " ".join(self.reading.quote(segment) for segment in range(first, last + 1))
        return Evidence(
            passage.node, start=start - offset, end=end, quote=quote, document=passage.document
        )


def asked_stems(text: str) -> tuple[list[str], list[tuple[int, int]], list[int]]:
    """The content stems of a question, pairs that stand side by side in it, and those that are names or hold digits."""
    reading = read(text)
    index: dict[str, int] = {}
    pairs: dict[tuple[int, int], None] = {}
    special: dict[int, None] = {}
    before = -1
    for token, stem in enumerate(reading.stems):
        if reading.raw(token).lower() in STOP:
            continue
        if stem in _ASKING or (len(stem) == 1 and not stem.isdigit()):
            before = -1
            continue
        at = index.setdefault(stem, len(index))
        if before not in (-1, at):
            pairs[before, at] = None
        before = at
        if _is_special(reading, token):
            special[at] = None
    return list(index), list(pairs), list(special)


def _is_special(reading: TokenizedText, token: int) -> bool:
    """Whether a word holds a digit or is written as a name is."""
    raw = reading.raw(token)
    if any(map(str.isdigit, raw)) or raw[1:2].isupper():
        return True
    return raw[:1].isupper() and token > 0 and not _opens(reading.text, reading.starts[token])


def _owners(question: str) -> frozenset[str]:
    """The stems of the company that a question names: its whole report is about it, so its name says little of the place."""
    return frozenset(chain.from_iterable(read(name).stems for name in companies_named(question)))


def _opens(text: str, start: int) -> bool:
    return re.search(r"(?:^|[.?!:]\s+)[\"'“(]?$", text[max(0, start - 4) : start]) is not None


def match(question: str, passages: Sequence[Passage]) -> tuple[Terms, list[PageMatch]]:
    """Match `question` against the pages of `passages` (those of a page side by side); terms weigh by all of them together."""
    stems, pairs, special = asked_stems(question)
    pages = [
        tuple(page)
        for _, page in groupby(passages, key=lambda passage: (passage.document, passage.rank))
    ]
    readings = [read("\n\n".join(passage.node.text for passage in page)) for page in pages]
    found = [_places(reading, stems) for reading in readings]
    covers = [_cover(reading, places) for reading, places in zip(readings, found, strict=True)]
    segments = max(1, sum(len(reading.segments) for reading in readings))
    weights = _weights(stems, covers, segments, _owners(question))
    terms = Terms(tuple(stems), weights.astype(np.float32), tuple(pairs), tuple(special))
    return terms, list(map(partial(_page_match, terms), pages, readings, found, covers))


def _weights(
    stems: Sequence[str], covers: Sequence[Floats], segments: int, owners: frozenset[str]
) -> NDArray[Any]:
    """What each stem counts, by how few of the segments hold it; one that none holds as much as the rarest of the others."""
    seen = np.zeros(len(stems), np.float32)
    for cover in covers:
        seen += (cover > 0).sum(axis=0)
    weights: NDArray[Any] = np.log((segments + 1.0) / (seen + 0.5))
    if not stems:
        return weights
    present = seen > 0
    ceiling = weights[present].max() if present.any() else 1.0
    weights = np.clip(weights, 0.1, max(float(ceiling), 0.1))
    weights = weights * np.array([_OWNER if stem in owners else 1.0 for stem in stems])
    weights /= weights.sum()
    return weights


def _page_match(
    terms: Terms,
    page: tuple[Passage, ...],
    reading: TokenizedText,
    places: Sequence[_Places],
    cover: Floats,
) -> PageMatch:
    """A page against the terms, of which `places` says where each stands and `cover` which segment holds it."""
    positions = tuple(at for at, _ in places)
    headings = dict.fromkeys(passage.heading for passage in page)
    lengths = [len(passage.node.text) + 2 for passage in page]
    return PageMatch(
        passages=page,
        offsets=tuple(accumulate(lengths[:-1], initial=0)),
        reading=reading,
        places=positions,
        strength=np.array([strength for _, strength in places], np.float32),
        cover=cover,
        around=_context(reading, cover),
        pairs=_pairs(reading, positions, terms.pairs, terms.weights),
        page=float((cover.max(axis=0, initial=0.0) * terms.weights).sum()),
        title=_title(" ".join((page[0].title, *headings)), terms.stems),
    )


def between(places: NDArray[np.int32], first: int, last: int) -> list[int]:
    """The places in [first, last); they are in order."""
    start, end = places.searchsorted((first, last))
    found: list[int] = places[start:end].tolist()
    return found


def near(match: PageMatch, token: int) -> Floats:
    """For every term how near its nearest place is to `token`, in [0, 1]; across segments it counts as farther."""
    segment = match.reading.segments[match.reading.segment_at(token)]
    closest: Floats = nearness(match, segment.first, segment.last)[token - segment.first]
    return closest


def nearness(match: PageMatch, first: int, last: int) -> Floats:
    """The same for every token in [first, last) of one segment: one row per token, one column per term."""
    tokens = np.arange(first, last)
    out = np.zeros((last - first, len(match.places)), np.float32)
    terms, places, strength = _nearest(match)
    if len(terms):
        near = places[:, :, first:last]
        distance = (np.abs(near - tokens) + 8 * ((near < first) | (near >= last))).min(axis=0)
        out[:, terms] = (strength * np.exp(-np.maximum(0, distance - 1) / _NEAR)).T
    return out


@kept
def _nearest(match: PageMatch) -> tuple[list[int], NDArray[np.int32], Floats]:
    """The terms that stand on the page, for each of them the places before and after every token, and their strengths."""
    tokens = np.arange(len(match.reading.stems))
    terms = [term for term, places in enumerate(match.places) if len(places)]
    near = np.empty((2, len(terms), len(tokens)), np.int32)
    for row, term in enumerate(terms):
        places = match.places[term]
        at = np.searchsorted(places, tokens)
        near[0, row] = places[np.maximum(at - 1, 0)]
        near[1, row] = places[np.minimum(at, len(places) - 1)]
    return terms, near, match.strength[terms][:, None]


def _places(reading: TokenizedText, stems: Sequence[str]) -> list[_Places]:
    """Where each stem stands in a text, and how much that counts: itself, else its number, else stems of its kin."""
    out = []
    for stem in stems:
        places, strength = reading.places.get(stem, ()), 1.0
        if not places and (split := _NUMBERED.fullmatch(stem)):
            places, strength = _numbered_places(reading, split[1], split[2])
        elif not places:
            kin = [other for other in _beginning(reading, stem) if _kin(stem, other)]
            places, strength = (
                tuple(sorted(chain.from_iterable(map(reading.places.__getitem__, kin)))),
                _KIN,
            )
        out.append((np.array(places, np.int32), strength if places else 0.0))
    return out


def _numbered_places(
    reading: TokenizedText, name: str, number: str
) -> tuple[tuple[int, ...], float]:
    """Where the number of a name stands, with the name on it or before it; without it only a number that is not plain."""
    names, numbers = reading.places.get(name, ()), reading.places.get(number, ())
    joined = tuple(at for at in numbers if at in names or at - 1 in names)
    if joined:
        return joined, 1.0
    return ((), 0.0) if number.replace(".", "").isdigit() else (numbers, 0.8)


def _kin(stem: str, other: str) -> bool:
    return stem.isalpha() and len(stem) > 4 and abs(len(stem) - len(other)) <= 4


def _beginning(reading: TokenizedText, stem: str) -> Iterator[str]:
    """The stems of five letters or more on a page that begin like this one."""
    ordered, start = _ordered(reading), stem[:5]
    for other in islice(ordered, bisect_left(ordered, start), None):
        if not other.startswith(start):
            break
        if len(other) > 4:
            yield other


@kept
def _ordered(reading: TokenizedText) -> tuple[str, ...]:
    return tuple(sorted(reading.places))


def _cover(reading: TokenizedText, places: Sequence[_Places]) -> Floats:
    cover = np.zeros((max(1, len(reading.segments)), len(places)), np.float32)
    firsts = np.array([segment.first for segment in reading.segments] or [0])
    for term, (at, strength) in enumerate(places):
        if len(at):
            cover[np.searchsorted(firsts, at, side="right") - 1, term] = strength
    return cover


def _context(reading: TokenizedText, cover: Floats) -> Floats:
    """Each segment with its neighbours; a table line with the text above and below its table, where header and caption are."""
    out = cover.copy()
    if not reading.segments:
        return out
    out[1:] = np.maximum(out[1:], 0.7 * cover[:-1])
    out[:-1] = np.maximum(out[:-1], 0.4 * cover[1:])
    end = 0
    for row, run in groupby(reading.segments, key=lambda segment: segment.row):
        start, end = end, end + len(list(run))
        if row:
            above = cover[max(0, start - 3) : start].max(axis=0, initial=0.0)
            below = cover[end : end + 2].max(axis=0, initial=0.0)
            out[start:end] = np.maximum(cover[start:end], 0.7 * np.maximum(above, below))
    return out


def _pairs(
    reading: TokenizedText,
    places: Sequence[NDArray[np.int32]],
    pairs: Sequence[tuple[int, int]],
    weights: Floats,
) -> Floats:
    """For every segment the weight of the question's neighbouring words that stand side by side in it, in [0, 1]."""
    out = np.zeros(max(1, len(reading.segments)), np.float32)
    total = sum(float(weights[a] + weights[b]) for a, b in pairs) or 1.0
    for a, b in pairs:
        for place in places[b]:
            at = int(np.searchsorted(places[a], place))
            if at and place - places[a][at - 1] <= 3:
                segment = reading.segment_at(int(place))
                if places[a][at - 1] >= reading.segments[segment].first:
                    out[segment] += float(weights[a] + weights[b])
    shares: Floats = np.minimum(out / np.float32(total), 1.0)
    return shares


def _title(text: str, stems: Sequence[str]) -> Floats:
    known = read(text).places
    found: Floats = np.array([stem in known for stem in stems], np.float32)
    return found


def top_segments(
    terms: Terms,
    matches: Sequence[PageMatch],
    limit: int,
    among: Callable[[TokenizedText], Container[int]] | None = None,
) -> list[tuple[int, int, dict[str, float]]]:
    """The segments that hold the question's words best, as (match, segment, features), best first; `among` restricts them."""
    scored = []
    for at, found in enumerate(matches):
        if not found.reading.segments:
            continue
        segment = found.cover @ terms.weights
        context = np.maximum(found.around, 0.5 * found.title) @ terms.weights
        rank = 1.0 / (1.0 + found.rank)
        total = segment + context + 0.7 * found.pairs + 0.3 * rank
        allowed = among(found.reading) if among else None
        order = [
            int(index) for index in np.argsort(-total) if allowed is None or int(index) in allowed
        ]
        for index in order[:limit]:
            features = {
                "segment": segment[index],
                "context": context[index],
                "pairs": found.pairs[index],
                "rank": rank,
            }
            scored.append(
                (
                    float(total[index]),
                    at,
                    index,
                    {name: float(value) for name, value in features.items()},
                )
            )
    scored.sort(key=lambda entry: -entry[0])
    return [(at, index, features) for _, at, index, features in scored[:limit]]
