"""Which words of a question stand for which tables, columns, values, numbers, dates and operations.

A question is cut into pieces in a few ways, the most telling first; a piece keeps everything its words can stand for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import cache
from typing import Literal

from pincite.database.relations.name_folding import similarity, stems
from pincite.document.words import STOP
from pincite.quantity import periods
from pincite.quantity.numbers import SPELLED, spelled
from pincite.quantity.scales import SCALES
from pincite.quantity.units import match_unit
from pincite.question.request import bare
from pincite.question.understanding import understand
from pincite.rows.programs.meaning import Meaning
from pincite.rows.programs.pieces import (
    Amount,
    CutQuestion,
    FoundValue,
    Kind,
    Mention,
    QuestionPiece,
    ValueIndex,
    convertible,
    in_column,
    span_of,
)
from pincite.rows.programs.scheme import Scheme, canonical
from pincite.rows.programs.table_words import COUNTRIES, COUNTRY_WORDS, PHRASES, SPELLINGS, read
from pincite.types import Query

__all__ = ["Amount", "FoundValue", "Mention", "QuestionPiece", "CutQuestion", "ValueIndex", "in_column", "link"]

_TOKEN = re.compile(r"[^\W_]+|[<>≤≥]=?|[%&=]")
_LONGEST = 9
_BARE = STOP - {"state", "list"} | {"us"}
VAST = 17
"""The power of ten beyond which nothing is a number that a database compares with: 1e999999999 would take all memory."""
_FUZZY = 0.78
_TELLING = 3
"""Letters of the shortest phrase that stands for the one value that holds it."""


def link(
    text: str,
    scheme: Scheme,
    values: ValueIndex,
    meaning: Meaning | None = None,
    respelled: frozenset[str] = frozenset(),
) -> CutQuestion:
    """Link a question with a prepared database. `meaning` finds what words mean that nothing else explains.

    The question that is given back has the names of columns and tables spelled as these are; `respelled` are words that are
    not to be spelled otherwise again.
    """
    text = bare(text)
    tokens = tuple((m.start(), m.end()) for m in _TOKEN.finditer(text) if not _possessive(text, m))
    reader = _Reader(text, tokens, scheme, values)
    options = reader.options()
    cuts = _cut(len(tokens), options)
    unknown = [piece for piece in cuts[0] if piece.kind == "unknown"]
    for piece in unknown:
        if piece.text.lower() not in respelled and (meant := reader.meant(piece)) is not None:
            start, end = tokens[piece.start][0], tokens[piece.end - 1][1]
            return link(
                f"{text[:start]}{meant}{text[end:]}", scheme, values, meaning, respelled | {meant, piece.text.lower()}
            )
    added = [more for piece in unknown for more in reader.respelled(piece, cuts[0])]
    if meaning:
        for piece in unknown:
            if not any(other.start <= piece.start < other.end for other in added):
                added += _by_meaning(piece, meaning)
    if added:
        for piece in added:
            options.setdefault(piece.start, []).append((piece, _weight(piece)))
        cuts = _cut(len(tokens), options)
    return CutQuestion(
        text, tokens, tuple(cuts), meaning.asked(text) if meaning else (), understand(Query(text)).expects
    )


def _by_meaning(piece: QuestionPiece, meaning: Meaning) -> Iterator[QuestionPiece]:
    """An unknown word as what it may mean: names, and values."""
    found = meaning.near(piece.text)
    if names := tuple(m for m in found if m.value is None):
        yield replace(piece, kind="name", mentions=names)
    if values := tuple(m for m in found if m.value is not None):
        yield replace(piece, kind="value", mentions=values)


def _possessive(text: str, m: re.Match[str]) -> bool:
    return m[0] in ("s", "S") and text[max(0, m.start() - 1) : m.start()] in ("'", "’")


def _cut(
    length: int, options: dict[int, list[tuple[QuestionPiece, float]]], keep: int = 2
) -> list[tuple[QuestionPiece, ...]]:
    """The `keep` best ways to cut tokens into pieces, by the sum of the pieces' weights."""
    best: list[list[tuple[float, tuple[QuestionPiece, ...]]]] = [[] for _ in range(length + 1)]
    best[0] = [(0.0, ())]
    for at in range(length):
        ways = sorted(best[at], key=lambda way: -way[0])[:keep]
        for piece, weight in options[at]:
            best[piece.end] += [(score + weight, (*pieces, piece)) for score, pieces in ways]
    ranked = sorted(best[length], key=lambda way: -way[0])[:keep]
    top = ranked[0][0]
    return [pieces for score, pieces in ranked if score > top - 1.2]


def _weight(piece: QuestionPiece) -> float:
    """How much a piece tells: long names and values tell more than their parts."""
    length = piece.end - piece.start
    match piece.kind:
        case "name" | "value":
            return max(mention.score for mention in piece.mentions) * (length + 0.35 * (length - 1)) + (
                0.02 if piece.kind == "value" else 0
            )
        case "word":
            return 0.9 * length + 0.3 * (length - 1)
        case "unit":
            return 1.2 * length + 0.3
        case "number" | "date":
            return 0.95 * length + 0.2
        case "filler":
            return 0.4 * length
        case _:
            return 0.0


def _common(values: list[str], text: str) -> str:
    """The phrase as these values write it: the words of the first at the phrase's place, cut to what all share."""
    words = stems(text)
    first = values[0]
    places = [(m.start(), m.end()) for m in re.finditer(r"[^\W_]+", first)]
    count = len(words.split())
    for at in range(len(places) - count + 1):
        part = first[places[at][0] : places[at + count - 1][1]]
        if stems(part) == words:
            while part and not all(part.lower() in value.lower() for value in values):
                part = part[:-1]
            return part if len(part) > 2 else ""
    return ""


class _Reader:
    """What every stretch of one question can stand for."""

    def __init__(self, text: str, tokens: tuple[tuple[int, int], ...], scheme: Scheme, values: ValueIndex) -> None:
        self.text = text
        self.lower = text.lower()
        self.tokens = tokens
        self.scheme = scheme
        self.values = values
        self.near = cache(values.near)  # the same words are looked for in many stretches
        self.ends = {end: i + 1 for i, (_, end) in enumerate(tokens)}
        self.starts = {start: i for i, (start, _) in enumerate(tokens)}
        self.units = {
            column.unit for relation in scheme.database.relations for column in relation.columns if column.unit
        }

    def raw(self, start: int, end: int) -> str:
        return self.text[self.tokens[start][0] : self.tokens[end - 1][1]]

    def options(self) -> dict[int, list[tuple[QuestionPiece, float]]]:
        found: dict[int, list[tuple[QuestionPiece, float]]] = {}
        dates = self._dates()
        for start in range(len(self.tokens)):
            pieces = [
                *self._words(start),
                *self._numbers(start),
                *self._asked_unit(start),
                *(piece for piece in dates if piece.start == start),
            ]
            for end in range(start + 1, min(start + _LONGEST, len(self.tokens)) + 1):
                pieces += self._spans(start, end)
            if not any(piece.end == start + 1 for piece in pieces):
                pieces.append(QuestionPiece("unknown", start, start + 1, self.raw(start, start + 1)))
            found[start] = [(piece, _weight(piece)) for piece in pieces]
        return found

    def _spans(self, start: int, end: int) -> Iterator[QuestionPiece]:
        text = self.raw(start, end)
        quoted = self.text[max(0, self.tokens[start][0] - 1) : self.tokens[start][0]] in ("'", '"', "“", "‘")
        bare = all(part in _BARE for part in text.lower().split())
        table = False
        named: tuple[Mention, ...] = ()
        if end - start <= 5 and not bare and text[0] != "%":
            if named := self._named(text):
                table = any(not mention.column and mention.score > 0.5 for mention in named)
                yield QuestionPiece("name", start, end, text, named)
        if not bare or quoted or text.lower() == "us":
            matches = self.values.lookup(text)[:16] or self._country(text)
            edges = {text.split()[0].lower(), text.split()[-1].lower()}
            if (
                not matches
                and end - start <= 2
                and not named
                and not edges & _BARE
                and not self._said(start)
                and (shared := self._shared(text))
            ):
                yield QuestionPiece("value", start, end, text, shared)
            if matches and not (end - start == 1 and len(text) == 1 and not quoted and not text.isupper()):
                lift = 0.15 if quoted else -0.35 if table and matches[0].value != text else 0.0
                yield QuestionPiece(
                    "value",
                    start,
                    end,
                    text,
                    tuple(Mention(m.relation, m.column, m.value, m.score + lift) for m in matches),
                )

    def _named(self, text: str) -> tuple[Mention, ...]:
        """The relations and columns whose name holds all the words of a phrase, the better the more of the name they are."""
        said = list(canonical(text))
        phrase = " ".join(text.lower().split())
        for pattern, meaning in PHRASES.items():
            if re.fullmatch(pattern, phrase):
                said = list(canonical(meaning))
        if not said:
            return ()
        found: dict[tuple[str, str], float] = {}
        for name in self.scheme.names:
            if (
                set(said) <= set(name.words)
                and not (name.whole and len(set(said)) < len(set(name.words)))
                and name.last in ("", said[-1])
            ):
                share = len(set(said)) / len(set(name.words))
                score = 1.0 if share == 1 else 0.35 + 0.35 * share + (0.15 if said[-1] == name.head else 0)
                if name.column:
                    score -= 0.1 * self.scheme.column(name.relation, name.column).nulls
                if not name.column and share < 1:
                    rivals = {
                        other.relation
                        for other in self.scheme.names
                        if not other.column and set(said) <= set(other.words)
                    }
                    score += 0.1 if len(rivals) == 1 else -0.1
                place = name.relation, name.column
                found[place] = max(found.get(place, 0), score)
        return tuple(
            sorted((Mention(r, c, None, score) for (r, c), score in found.items()), key=lambda mention: -mention.score)[
                :24
            ]
        )

    def _shared(self, text: str) -> tuple[Mention, ...]:
        """What a phrase that is no value can be a part of: two values of a column or more that have all its words in order."""
        words = stems(text)
        if len(text) < 4 or not re.search(r"[^\W\d_]{3}", text):
            return ()
        found: dict[tuple[str, str], list[str]] = {}
        for match in self.near(text, 24):
            if re.search(rf"(?<!\w){re.escape(words)}(?!\w)", stems(match.value)):
                found.setdefault((match.relation, match.column), []).append(match.value)
        mentions = []
        for (relation, column), several in found.items():
            part = _common(several, text)
            if len(several) > 1 and part:
                within: Literal["begins", "contains"] = (
                    "begins" if all(name.lower().startswith(part.lower()) for name in several) else "contains"
                )
                mentions.append(Mention(relation, column, part, 0.75 + (0.1 if within == "begins" else 0.0), within))
        return tuple(mentions)

    def _country(self, text: str) -> list[FoundValue]:
        for name, pattern in COUNTRY_WORDS.items():
            if re.fullmatch(pattern, text, re.IGNORECASE) and (text.lower() != "us" or self._after_article(text)):
                if text.islower() and any(not mention.column for mention in self._named(text.removeprefix("the "))):
                    return []  # "the states" of a database that has a table of states
                return [mention for said in COUNTRIES[name] for mention in self.values.lookup(said)]
        return []

    def _after_article(self, text: str) -> bool:
        """Whether "us" is a country here: in capitals, or not after a verb of giving."""
        return text.isupper() or not re.search(r"\b(?:give|show|tell|let|of all) us\b", self.lower)

    def _said(self, start: int) -> bool:
        """Whether the lexicon reads anything at a token."""
        return any(True for _ in read(self.lower, self.tokens[start][0]))

    def _words(self, start: int) -> Iterator[QuestionPiece]:
        at = self.tokens[start][0]
        for end, word in read(self.lower, at):
            if end in self.ends:
                kind: Kind = "word" if word.role else "filler"
                yield QuestionPiece(kind, start, self.ends[end], self.text[at:end], word=word)

    _NUMBER = re.compile(r"(?<![\w.])[-−]?[$€£]?\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?(?![\w.]*\d)", re.I)
    _SCALE = re.compile(
        r"(?P<scale>(?-i:\s?k|K)(?![\w&-])|\s?(?:thousand|million|billion|trillion|hundred|dozen)\b)", re.I
    )
    _UNIT = re.compile(r"\s?-?(?P<unit>[^\W\d_%°]+(?:\s?/\s?[^\W\d_]+[23²³]?|[23²³])?|%|°[A-Z]?)")

    def _numbers(self, start: int) -> Iterator[QuestionPiece]:
        at = self.tokens[start][0]
        sign = at - 1 if at and self.text[at - 1] in "-−$€£" else at
        m = self._NUMBER.match(self.text, sign)
        if m:
            digits = m[0].replace(",", "").replace("−", "-").lstrip("$€£").replace("-$", "-")
            value, end = Decimal(digits.rstrip(".")), m.end()
        else:
            word = SPELLED.match(self.text, at)
            read_ = spelled(word[0]) if word else None
            if read_ is None or word is None:
                return
            value, end = read_, word.end()
        if abs(value.adjusted()) > VAST:
            return
        while scale := self._SCALE.match(self.text, end):
            name = scale["scale"].strip().lower()
            value *= 12 if name == "dozen" else 1000 if name == "k" else Decimal(10) ** SCALES[name]
            end = scale.end()
        if abs(value.adjusted()) > VAST:
            return
        if end in self.ends:
            yield QuestionPiece(
                "number", start, self.ends[end], self.text[sign:end], amount=Amount(value, "", self.text[sign:end])
            )
        unit, stop = self._unit(end)
        if unit and stop in self.ends:
            yield QuestionPiece(
                "number", start, self.ends[stop], self.text[sign:stop], amount=Amount(value, unit, self.text[sign:stop])
            )

    def _asked_unit(self, start: int) -> Iterator[QuestionPiece]:
        """A unit that an answer is wanted in: "in GPa", "how many MPa"."""
        at = self.tokens[start][0]
        if not re.search(r"(?:\bin|how many)\s+\(?$", self.lower[:at]):
            return
        unit, stop = self._unit(at)
        if (
            unit
            and stop in self.ends
            and self.ends[stop] > start
            and any(convertible(unit, known) for known in self.units)
        ):
            yield QuestionPiece(
                "unit", start, self.ends[stop], self.text[at:stop], amount=Amount(Decimal(1), unit, self.text[at:stop])
            )

    def _unit(self, at: int) -> tuple[str, int]:
        space = re.match(r"\s?-?", self.text[at:])
        begin = at + (space.end() if space else 0)
        if (known := match_unit(self.text, begin)) and begin < len(self.text):
            return known
        m = self._UNIT.match(self.text, at)
        if m:
            unit = m["unit"]
            if any(convertible(unit, known) for known in self.units):
                return unit, m.end()
        return "", at

    def _dates(self) -> list[QuestionPiece]:
        pieces = []
        for period in periods(self.text):
            start, end = period.start, period.end
            while end > start and end not in self.ends:
                end -= 1
            if (
                start in self.starts
                and end in self.ends
                and (span := span_of(period.year, period.quarter, period.month, period.day))
            ):
                pieces.append(
                    QuestionPiece("date", self.starts[start], self.ends[end], self.text[start:end], span=span)
                )
        return pieces

    def respelled(self, piece: QuestionPiece, cut: tuple[QuestionPiece, ...]) -> Iterator[QuestionPiece]:
        """What an unknown word may have been meant for: parts of values around it, then names spelled wrongly."""
        at = cut.index(piece)
        low, high = at, at + 1
        while low > 0 and cut[low - 1].kind in ("unknown", "number", "value") and at - low < 5:
            low -= 1
        while high < len(cut) and cut[high].kind in ("unknown", "number", "value") and high - at < 6:
            high += 1
        tried = []
        for first in range(low, at + 1):
            for last in range(high, at, -1):
                start, end = cut[first].start, cut[last - 1].end
                text = self.raw(start, end)
                # a value that already stands there by itself is no reason to take the words beside it for parts of it
                whole = {
                    mention.value for piece in cut[first:last] if piece.kind == "value" for mention in piece.mentions
                }
                close = [m for m in self.near(text, 8) if m.value not in whole]
                matches = [m for m in close if m.score >= _FUZZY] or _sole(close, text)
                if matches:
                    mentions = tuple(
                        Mention(m.relation, m.column, m.value, m.score * 0.95)
                        for m in matches
                        if m.score > matches[0].score - 0.1
                    )
                    tried.append(QuestionPiece("value", start, end, text, mentions))
        yield from tried

    def meant(self, piece: QuestionPiece) -> str | None:
        """The word of a name that an unknown word is a misspelling of, or the same word as others spell it; None without one."""
        word = piece.text.lower()
        if len(word) < 4 or not word.isalpha():
            return None
        for ours, theirs in SPELLINGS:
            if (
                re.search(ours, word)
                and (other := re.sub(ours, theirs, word))
                and (self._named(other) or self.near(other, 1)[:1] and _holds(self.near(other, 1)[0].value, other))
            ):
                return other
        known = {
            token for name in self.scheme.names for token in self._spelled(name.relation, name.column) if len(token) > 3
        }
        close = sorted(((similarity(word, token), token) for token in known), reverse=True)[:1]
        return close[0][1] if close and close[0][0] >= 0.78 else None

    def _spelled(self, relation: str, column: str) -> list[str]:
        held = self.scheme.database.relation(relation)
        name = f"{held.readable} {held.name}" if not column else f"{held.column(column).readable} {column}"
        return re.findall(r"[a-z]+", name.replace("_", " ").lower())


def _sole(close: Sequence[FoundValue], text: str) -> list[FoundValue]:
    """The places of the one value that holds all words of a phrase: "Nordwind" where one name begins so; none without one."""
    said = set(stems(text).split())
    holding = [m for m in close if len(text) >= _TELLING and said <= set(stems(m.value).split())]
    return holding if len({m.value for m in holding}) == 1 else []


def _holds(value: str, word: str) -> bool:
    return word in value.lower()
