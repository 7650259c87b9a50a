"""Which words of a question stand for which tables, columns, values, numbers, dates and operations.

A question is cut into pieces in a few ways, the most telling first; a piece keeps everything its words can stand for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import cache
from itertools import chain, product

from pincite.database.relations.name_folding import similarity, stems
from pincite.document.words import PLAIN_WORD, STOP
from pincite.lexicon import pattern
from pincite.quantity import periods
from pincite.quantity.numbers import SPELLED, spelled
from pincite.quantity.scales import SCALES
from pincite.quantity.units import match_unit
from pincite.question.request import bare, is_plot
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
    span_of,
)
from pincite.rows.programs.scheme import Name, Place, Scheme, canonical
from pincite.rows.programs.table_words import COUNTRIES, COUNTRY_WORDS, PHRASES, SPELLINGS, read
from pincite.types import Query

_TOKEN = re.compile(r"[^\W_]+|[<>≤≥]=?|[%&=]")
_LONGEST = 9
_BARE = STOP - {"state", "list"} | {"us"}
VAST = 17
"""The power of ten beyond which nothing is a number that a database compares with: 1e999999999 would take all memory."""
_FUZZY = 0.78
_PARTS = ("unknown", "number", "value")
"""Kinds of pieces that may be parts of one value."""
_TELLING = 3
"""Letters of the shortest phrase that stands for the one value that holds it."""


def link(
    text: str, scheme: Scheme, values: ValueIndex, meaning: Meaning | None = None
) -> CutQuestion:
    """Link a question with a prepared database. `meaning` finds what words mean that nothing else explains.

    The question that is given back has the names of columns and tables spelled as these are.
    """
    # what is drawn are the rows, never their total
    wanted = f"list {bare(text)}" if is_plot(text) else bare(text)
    reader = _Reader(wanted, scheme, values)
    known: set[str] = set()
    while (corrected := reader.corrected(known)) is not None:
        reader = _Reader(bare(corrected), scheme, values)
    unknown = reader.unknown()
    added = [more for piece in unknown for more in reader.respelled(piece)]
    if meaning:
        spelled = [range(piece.start, piece.end) for piece in added]
        for piece in unknown:
            if not any(piece.start in stretch for stretch in spelled):
                added += _by_meaning(piece, meaning)
    asked = meaning.asked(reader.text) if meaning else ()
    expects = understand(Query(reader.text)).expects
    return CutQuestion(reader.text, reader.tokens, tuple(reader.cuts(added)), asked, expects)


def _by_meaning(piece: QuestionPiece, meaning: Meaning) -> Iterator[QuestionPiece]:
    """An unknown word as what it may mean: names, and values."""
    found = meaning.near(piece.text)
    if names := tuple(m for m in found if m.value is None):
        yield replace(piece, kind="name", mentions=names)
    if values := tuple(m for m in found if m.value is not None):
        yield replace(piece, kind="value", mentions=values)


def _possessive(text: str, m: re.Match[str]) -> bool:
    return m[0] in ("s", "S") and text[max(0, m.start() - 1) : m.start()] in ("'", "’")


def _cut(length: int, pieces: Iterable[QuestionPiece]) -> list[tuple[QuestionPiece, ...]]:
    """The best ways to cut tokens into pieces, two at most, by the sum of the pieces' weights."""
    options: dict[int, list[QuestionPiece]] = {}
    for piece in pieces:
        options.setdefault(piece.start, []).append(piece)
    best: list[list[tuple[float, tuple[QuestionPiece, ...]]]] = [[] for _ in range(length + 1)]
    best[0] = [(0.0, ())]
    for at in range(length):
        ways = sorted(best[at], key=lambda way: -way[0])[:2]
        for piece in options[at]:
            weight = _weight(piece)
            best[piece.end] += [(score + weight, (*before, piece)) for score, before in ways]
    ranked = sorted(best[length], key=lambda way: -way[0])[:2]
    top = ranked[0][0]
    return [cut for score, cut in ranked if score > top - 1.2]


def _weight(piece: QuestionPiece) -> float:
    """How much a piece tells: long names and values tell more than their parts."""
    length = piece.end - piece.start
    match piece.kind:
        case "name" | "value":
            return max(mention.score for mention in piece.mentions) * (
                length + 0.35 * (length - 1)
            ) + (0.02 if piece.kind == "value" else 0)
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
    places = [(m.start(), m.end()) for m in PLAIN_WORD.finditer(first)]
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

    def __init__(self, text: str, scheme: Scheme, values: ValueIndex) -> None:
        self.text = text
        self.lower = text.lower()
        self.tokens = tuple(
            (m.start(), m.end()) for m in _TOKEN.finditer(text) if not _possessive(text, m)
        )
        self.scheme = scheme
        self.values = values
        self.near = cache(values.near)  # the same words are looked for in many stretches
        self.ends = {end: i + 1 for i, (_, end) in enumerate(self.tokens)}
        self.starts = {start: i for i, (start, _) in enumerate(self.tokens)}
        columns = chain.from_iterable(relation.columns for relation in scheme.database.relations)
        self.units = {column.unit for column in columns if column.unit}
        self.pieces = list(self._pieces())
        self.best = _cut(len(self.tokens), self.pieces)

    def cuts(self, added: Sequence[QuestionPiece]) -> list[tuple[QuestionPiece, ...]]:
        """The best ways to cut the question, with pieces that were found later."""
        return _cut(len(self.tokens), [*self.pieces, *added]) if added else self.best

    def unknown(self) -> list[QuestionPiece]:
        """The words that nothing explains."""
        return [piece for piece in self.best[0] if piece.kind == "unknown"]

    def raw(self, start: int, end: int) -> str:
        return self.text[self.tokens[start][0] : self.tokens[end - 1][1]]

    def _pieces(self) -> Iterator[QuestionPiece]:
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
            yield from pieces
            if not any(piece.end == start + 1 for piece in pieces):
                yield QuestionPiece("unknown", start, start + 1, self.raw(start, start + 1))

    def _spans(self, start: int, end: int) -> Iterator[QuestionPiece]:
        """The names and values that a stretch of tokens can stand for."""
        text, first = self.raw(start, end), self.tokens[start][0]
        quoted = self.text[max(0, first - 1) : first] in ("'", '"', "“", "‘")
        words = text.lower().split()
        bare = _BARE.issuperset(words)
        named: tuple[Mention, ...] = ()
        if end - start <= 5 and not bare and text[0] != "%":
            named = self._named(text)
        if named:
            yield QuestionPiece("name", start, end, text, named)
        if bare and not quoted and text.lower() != "us":
            return
        found = self._valued(
            text, quoted, any(not mention.column and mention.score > 0.5 for mention in named)
        )
        if (
            not (found or named or _BARE & {words[0], words[-1]})
            and end - start <= 2
            and not self._said(start)
        ):
            found = self._shared(text)
        if found:
            yield QuestionPiece("value", start, end, text, found)

    def _valued(self, text: str, quoted: bool, table: bool) -> tuple[Mention, ...]:
        """The values that a phrase is; `table` says that it is the name of one too."""
        matches = self.values.lookup(text)[:16] or self._country(text)
        if not matches or len(text) == 1 and not quoted and not text.isupper():
            return ()
        lift = 0.15 if quoted else -0.35 if table and matches[0].value != text else 0.0
        return tuple(Mention(m.relation, m.column, m.value, m.score + lift) for m in matches)

    def _named(self, text: str) -> tuple[Mention, ...]:
        """The relations and columns whose name holds all the words of a phrase, the better the more of the name they are."""
        said = list(canonical(text))
        phrase = " ".join(text.lower().split())
        for said_as, meaning in PHRASES.items():
            if re.fullmatch(said_as, phrase):
                said = list(canonical(meaning))
        found: dict[Place, float] = {}
        for name in self.scheme.names if said else ():
            if name.may_be(said):
                place = name.relation, name.column
                found[place] = max(found.get(place, 0), self._likeness(name, said))
        mentions = [
            Mention(relation, column, None, score) for (relation, column), score in found.items()
        ]
        return tuple(sorted(mentions, key=lambda mention: -mention.score)[:24])

    def _likeness(self, name: Name, said: Sequence[str]) -> float:
        """How well a name is told by some of its words: wholly, or by its chief one and as the only one that has them."""
        share = len(set(said)) / len(set(name.words))
        score = 1.0 if share == 1 else 0.35 + 0.35 * share + (0.15 if said[-1] == name.head else 0)
        if name.column:
            return score - 0.1 * self.scheme.column(name.relation, name.column).nulls
        if share == 1:
            return score
        tables = (other for other in self.scheme.names if not other.column)
        rivals = {other.relation for other in tables if set(said) <= set(other.words)}
        return score + (0.1 if len(rivals) == 1 else -0.1)

    def _shared(self, text: str) -> tuple[Mention, ...]:
        """What a phrase that is no value can be a part of: two values of a column or more that have all its words in order."""
        words = stems(text)
        if len(text) < 4 or not re.search(r"[^\W\d_]{3}", text):
            return ()
        found: dict[Place, list[str]] = {}
        for match in self.near(text, 24):
            if f" {words} " in f" {stems(match.value)} ":
                found.setdefault((match.relation, match.column), []).append(match.value)
        mentions = []
        for (relation, column), several in found.items():
            part = _common(several, text)
            if len(several) < 2 or not part:
                continue
            if all(name.lower().startswith(part.lower()) for name in several):
                mentions.append(Mention(relation, column, part, 0.85, "begins"))
            else:
                mentions.append(Mention(relation, column, part, 0.75, "contains"))
        return tuple(mentions)

    def _country(self, text: str) -> list[FoundValue]:
        for name, said_as in COUNTRY_WORDS.items():
            if re.fullmatch(said_as, text, re.IGNORECASE) and (
                text.lower() != "us" or self._is_country(text)
            ):
                if text.islower() and any(
                    not mention.column for mention in self._named(text.removeprefix("the "))
                ):
                    return []  # "the states" of a database that has a table of states
                return [
                    mention for said in COUNTRIES[name] for mention in self.values.lookup(said)
                ]
        return []

    def _is_country(self, text: str) -> bool:
        """Whether "us" is a country here: it is in capitals, or no "give us" stands in the question."""
        return text.isupper() or not pattern("rows", "give us", "words").search(self.lower)

    def _said(self, start: int) -> bool:
        """Whether the lexicon reads anything at a token."""
        return bool(read(self.lower, self.tokens[start][0]))

    def _words(self, start: int) -> Iterator[QuestionPiece]:
        at = self.tokens[start][0]
        for end, word in read(self.lower, at):
            if end in self.ends:
                kind: Kind = "word" if word.role else "filler"
                yield QuestionPiece(kind, start, self.ends[end], self.text[at:end], word=word)

    _NUMBER = re.compile(
        r"(?<![\w.])[-−]?[$€£]?\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?(?![\w.]*\d)", re.I
    )
    _SCALE = pattern("rows", "scale", "words")
    _UNIT = re.compile(r"\s?-?(?P<unit>[^\W\d_%°]+(?:\s?/\s?[^\W\d_]+[23²³]?|[23²³])?|%|°[A-Z]?)")

    def _numbers(self, start: int) -> Iterator[QuestionPiece]:
        """The number that begins at a token, alone and with its unit."""
        at = self.tokens[start][0]
        begin = at - 1 if at and self.text[at - 1] in "-−$€£" else at
        if (written := self._number(begin, at)) is None or (
            scaled := self._scaled(*written)
        ) is None:
            return
        value, end = scaled
        for unit, stop in filter(None, (("", end), self._unit(end))):
            if stop in self.ends:
                text = self.text[begin:stop]
                yield QuestionPiece(
                    "number", start, self.ends[stop], text, amount=Amount(value, unit)
                )

    def _number(self, begin: int, at: int) -> tuple[Decimal, int] | None:
        """The number in digits that begins at `begin`, else the one in words that begins at `at`; and where it ends."""
        if digits := self._NUMBER.match(self.text, begin):
            written = digits[0].replace(",", "").replace("−", "-").lstrip("$€£").replace("-$", "-")
            return Decimal(written.rstrip(".")), digits.end()
        word = SPELLED.match(self.text, at)
        value = spelled(word[0]) if word else None
        return None if word is None or value is None else (value, word.end())

    def _scaled(self, value: Decimal, end: int) -> tuple[Decimal, int] | None:
        """A number times the scales behind it, and where they end; None for one that is too large."""
        while abs(value.adjusted()) <= VAST:
            scale = self._SCALE.match(self.text, end)
            if scale is None:
                return value, end
            name = scale["scale"].strip().lower()
            value *= (
                12 if name == "dozen" else 1000 if name == "k" else Decimal(10) ** SCALES[name]
            )
            end = scale.end()
        return None

    def _asked_unit(self, start: int) -> Iterator[QuestionPiece]:
        """A unit that an answer is wanted in: "in GPa", "how many MPa"."""
        at = self.tokens[start][0]
        if (
            not pattern("rows", "unit wanted", "words").search(self.lower[:at])
            or (found := self._unit(at)) is None
        ):
            return
        unit, stop = found
        if stop in self.ends and self._converts(unit):
            amount = Amount(Decimal(1), unit)
            yield QuestionPiece("unit", start, self.ends[stop], self.text[at:stop], amount=amount)

    def _unit(self, at: int) -> tuple[str, int] | None:
        """The unit at a place, and where it ends: one that is known everywhere, or one of the database's own."""
        begin = at + self.text[at : at + 1].isspace()
        begin += self.text.startswith("-", begin)
        if begin < len(self.text) and (known := match_unit(self.text, begin)):
            return known
        own = self._UNIT.match(self.text, at)
        return (own["unit"], own.end()) if own and self._converts(own["unit"]) else None

    def _converts(self, unit: str) -> bool:
        """Whether some column holds amounts that can be said in a unit."""
        return any(convertible(unit, held) for held in self.units)

    def _dates(self) -> list[QuestionPiece]:
        pieces = []
        for period in periods(self.text):
            start, end = period.start, period.end
            while end > start and end not in self.ends:
                end -= 1
            span = span_of(period.year, period.quarter, period.month, period.day)
            if span and start in self.starts and end in self.ends:
                text = self.text[start:end]
                pieces.append(
                    QuestionPiece("date", self.starts[start], self.ends[end], text, span=span)
                )
        return pieces

    def respelled(self, piece: QuestionPiece) -> Iterator[QuestionPiece]:
        """The values that an unknown word and the words around it may be parts of, or be spelled wrongly."""
        cut = self.best[0]
        at = cut.index(piece)
        low, high = at, at + 1
        while low > 0 and cut[low - 1].kind in _PARTS and at - low < 5:
            low -= 1
        while high < len(cut) and cut[high].kind in _PARTS and high - at < 6:
            high += 1
        for first, last in product(range(low, at + 1), range(high, at, -1)):
            start, end = cut[first].start, cut[last - 1].end
            text = self.raw(start, end)
            if matches := self._similar(text, cut[first:last]):
                close = (m for m in matches if m.score > matches[0].score - 0.1)
                mentions = tuple(
                    Mention(m.relation, m.column, m.value, m.score * 0.95) for m in close
                )
                yield QuestionPiece("value", start, end, text, mentions)

    def _similar(self, text: str, pieces: Sequence[QuestionPiece]) -> list[FoundValue]:
        """The values that a phrase made of pieces is spelled like, or the only one that it is a part of."""
        # a value that already stands there by itself is no reason to take the words beside it for parts of it
        there = chain.from_iterable(piece.mentions for piece in pieces if piece.kind == "value")
        whole = {mention.value for mention in there}
        close = [m for m in self.near(text, 8) if m.value not in whole]
        return [m for m in close if m.score >= _FUZZY] or _sole(close, text)

    def corrected(self, known: set[str]) -> str | None:
        """The question with an unknown word spelled as the database does; None when none is to be.

        `known` are words that are not to be spelled otherwise again; both spellings are added.
        """
        for piece in self.unknown():
            word = piece.text.lower()
            if word not in known and (meant := self._meant(word)) is not None:
                known |= {meant, word}
                start, end = self.tokens[piece.start][0], self.tokens[piece.end - 1][1]
                return f"{self.text[:start]}{meant}{self.text[end:]}"
        return None

    def _meant(self, word: str) -> str | None:
        """The word of a name that an unknown word is a misspelling of, or the same word as others spell it; None without one."""
        if len(word) < 4 or not word.isalpha():
            return None
        for ours, theirs in SPELLINGS:
            other = re.sub(ours, theirs, word)
            if other != word and (
                self._named(other)
                or any(other in m.value.lower() for m in self.near(other, 1)[:1])
            ):
                return other
        likeness, token = max(
            ((similarity(word, token), token) for token in self._tokens()), default=(0.0, "")
        )
        return token if likeness >= _FUZZY else None

    def _tokens(self) -> set[str]:
        """The words in the names of relations and columns, but for the shortest."""
        said: set[str] = set()
        for name in self.scheme.names:
            held = self.scheme.database.relation(name.relation)
            named = held.column(name.column) if name.column else held
            said.update(re.findall(r"[a-z]{4,}", f"{named.readable} {named.name}".lower()))
        return said


def _sole(close: Sequence[FoundValue], text: str) -> list[FoundValue]:
    """The places of the one value that holds all words of a phrase: "Nordwind" where one name begins so; none without one."""
    said = set(stems(text).split())
    holding = [m for m in close if len(text) >= _TELLING and said <= set(stems(m.value).split())]
    return holding if len({m.value for m in holding}) == 1 else []
