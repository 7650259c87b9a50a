"""Which documents are editions of one work and which of them is the newest: from metadata, names, covers and wording.

A replacement needs two signs: the same name without its marks (or the same standard), and wording in common; and an edition
mark must say which is newer. Years of one kind of report follow each other and replace nothing. Whatever is said in the
metadata (`series`, `edition`, `date`, `supersedes`) takes precedence over all guesses.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations

from pincite.corpus.versions.edition_card import NONE, Card, is_company_report, stem, tells
from pincite.corpus.versions.edition_marks import Key, Kind, key_of, telling, written
from pincite.corpus.versions.series import Edition, Series
from pincite.corpus.versions.sketch import held

WORDING = 0.3
"""The share of the shorter text that two editions have in common at least, where their marks tell them apart."""
STANDARD = 0.1
"""The same for two editions of one standard, which its number says they are."""
TITLED = 0.5
"""The same where only the titles agree and not the names of the files, and for two reports of one period."""
SAME = 0.8
"""The same for two files of one name of which no mark tells which is newer."""
WHOLE = 0.5
"""A document shorter than this share of an older one amends it and does not take its place."""
CROWD = 200
"""A key that more documents than this have says nothing."""
_NUMBERED: tuple[Kind, ...] = ("version", "revision", "edition")
_CHANGED: tuple[Kind, ...] = ("amendment", "state")
_UNMARKED: Mapping[Kind, tuple[int, ...]] = {
    "version": (1,), "edition": (1,), "revision": (0,), "amendment": (0,), "state": (1,),
}  # fmt: skip
"""What a document without a mark of a kind counts as beside one that has it."""


def find_series(cards: Sequence[Card]) -> tuple[Series, ...]:
    """The series among documents, by name; which order they are given in does not matter."""
    cards = sorted(cards, key=lambda card: card.document)
    ties: dict[tuple[int, int], _Tie] = {}
    for a, b in _pairs(cards):
        if tie := _tie_of(cards[a], cards[b]):
            ties[a, b] = tie
    for a, b in _declared_pairs(cards):
        ties.pop((min(a, b), max(a, b)), None)
        ties[a, b] = _Tie(1, True, "declared")
    found = [_series_of_group(cards, group, ties) for group in _join_groups(len(cards), ties)]
    return tuple(sorted(found, key=lambda series: (series.name, series.editions[0].document)))


@dataclass(frozen=True, slots=True)
class _Tie:
    """How the second of two documents stands to the first: 1 newer, -1 older, 0 not told; whether the newer takes its place."""

    newer: int
    replaces: bool
    why: str


def _pairs(cards: Sequence[Card]) -> list[tuple[int, int]]:
    """The pairs of documents that have a key in common, or of which one says that it replaces the other."""
    by_key: dict[Key, list[int]] = {}
    for at, card in enumerate(cards):
        for key in card.keys:
            by_key.setdefault(key, []).append(at)
    few = (alike for alike in by_key.values() if len(alike) <= CROWD)
    found = set(chain.from_iterable(combinations(alike, 2) for alike in few))
    for at, card in enumerate(cards):
        for key, _ in card.cover.replaces:
            others = by_key.get(key, ())[:CROWD]
            found |= {(min(at, other), max(at, other)) for other in others if other != at}
    return sorted(found)


def _declared_pairs(cards: Sequence[Card]) -> Iterator[tuple[int, int]]:
    """(older, newer) of the documents whose metadata say what they supersede."""
    at: dict[str, int] = {}
    for position, card in enumerate(cards):
        name = card.document.casefold()
        at[name] = at[stem(name)] = position
    for position, card in enumerate(cards):
        for name in re.split(r"[;|]", card.declared.get("supersedes", "")):
            older = at.get(name.strip().casefold())
            if older is not None and older != position:
                yield older, position


def _tie_of(a: Card, b: Card) -> _Tie | None:
    """How two documents stand to each other; None when they are two different works."""
    if a.declared.get("series") or b.declared.get("series"):
        return _of_declared(a, b)
    if any(card.declared.get("supersedes", "").casefold() in NONE for card in (a, b)):
        return None
    if a.standard or b.standard:
        return _of_standard(a, b) if a.standard == b.standard else _of_covers(a, b)
    same = a.keys & b.keys
    if not same:
        return _of_covers(a, b)
    return None if _about_others(a, b) else _of_keys(a, b, same)


def _of_declared(a: Card, b: Card) -> _Tie | None:
    """Two documents of which the metadata names a series."""
    if a.declared.get("series") != b.declared.get("series"):
        return None
    if a.period and b.period and a.period != b.period:
        return _Tie(_compare(a.period, b.period), False, "declared")
    return _Tie(_newer(a, b), True, "declared")


def _of_standard(a: Card, b: Card) -> _Tie | None:
    """Two documents that are one standard."""
    named_so = _is_called(a.name_key, a.standard) and _is_called(b.name_key, b.standard)
    if not named_so and _common_wording(a, b) < STANDARD:
        return None
    newer = _newer(a, b)
    return _Tie(newer, bool(newer) and _is_whole(a, b, newer), "the year of the standard")


def _is_called(name: Key, standard: Key) -> bool:
    """Whether a file is called by a standard and nothing else."""
    return name[-len(standard) :] == standard or name[: len(standard)] == standard


def _of_keys(a: Card, b: Card, same: frozenset[Key]) -> _Tie | None:
    """Two documents that are no standards and can be called by the `same` words."""
    vague = not any(tells(key) or is_company_report(key) for key in same)
    if vague and _common_wording(a, b) < TITLED:
        return None
    if a.period and b.period:
        return _of_periods(a, b, same)
    if a.name_key == b.name_key and a.name_key in same:
        return _of_name(a, b)
    # letters of one title have dates too, so that dates do not say which replaces which
    return None if _named_apart(a.name_key, b.name_key) else _of_marks(a, b)


def _of_periods(a: Card, b: Card, same: frozenset[Key]) -> _Tie | None:
    """Two reports: of two periods they follow each other, of one the amended or newer takes the other's place."""
    if a.form and b.form and a.form != b.form:
        return None
    if a.period == b.period:
        return _of_marks(a, b)
    same_form = any(map(is_company_report, same))
    if len(a.period) != len(b.period) or not same_form and _named_apart(a.name_key, b.name_key):
        return None
    return _Tie(_compare(a.period, b.period), False, "the period")


def _of_name(a: Card, b: Card) -> _Tie | None:
    """Two documents whose files have one name."""
    common = _common_wording(a, b)
    if common < WORDING:
        return None
    if newer := _newer(a, b):
        return _Tie(newer, _is_whole(a, b, newer), "its mark and wording")
    return _Tie(0, False, "the same name and wording") if common >= SAME else None


def _of_marks(a: Card, b: Card) -> _Tie | None:
    """Two documents of much the same wording, one of which is newer by its mark."""
    newer = _marked_newer(a, b)
    if not newer or _common_wording(a, b) < TITLED:
        return None
    return _Tie(newer, _is_whole(a, b, newer), "its mark and wording")


def _of_covers(a: Card, b: Card) -> _Tie | None:
    """Two documents, where the cover of one says that it replaces the other."""
    for newer, older, sign in ((b, a, 1), (a, b, -1)):
        for key, year in newer.cover.replaces:
            if key in older.keys and (not year or not older.date or older.date[0] == year):
                return _Tie(sign, True, "its cover says so")
    return None


def _about_others(a: Card, b: Card) -> bool:
    """Whether two documents are about different companies: by their metadata, their covers, or the names in their text."""
    if a.company and b.company:
        return a.company != b.company
    mine, theirs = a.cover.names, b.cover.names
    return bool(mine and theirs) and mine[0] not in theirs and theirs[0] not in mine


def _named_apart(a: Key, b: Key) -> bool:
    """Whether each of two names has a telling word that the other lacks."""
    x, y = set(telling(a)), set(telling(b))
    return bool(x - y) and bool(y - x)


def _newer(a: Card, b: Card) -> int:
    """1 when the second is newer, -1 when it is older, 0 when nothing tells."""
    x, y = a.marks.get("when"), b.marks.get("when")
    later = _compare_dates(x.order, y.order) if x and y else 0
    return later or _marked_newer(a, b) or _compare_dates(a.date, b.date)


def _marked_newer(a: Card, b: Card) -> int:
    """The same by marks alone: the date of a paper that is written again and again does not make it another's newer edition."""
    signs = (_newer_by_kind(kind, a, b) for kind in (*_NUMBERED, *_CHANGED))
    return next(filter(None, signs), 0)


def _newer_by_kind(kind: Kind, a: Card, b: Card) -> int:
    if kind not in a.marks and kind not in b.marks:
        return 0
    x, y = (card.marks[kind].order if kind in card.marks else _UNMARKED[kind] for card in (a, b))
    return _compare(x, y)


def _compare_dates(a: tuple[int, ...], b: tuple[int, ...]) -> int:
    """Which of two dates is later; 0 where one is not known, or less exact and not against the other."""
    size = min(len(a), len(b))
    return _compare(a[:size], b[:size])


def _compare(a: tuple[int, ...], b: tuple[int, ...]) -> int:
    """1 when the second is greater, -1 when it is less, 0 when they are equal."""
    return (b > a) - (b < a)


def _common_wording(a: Card, b: Card) -> float:
    return held(a.sketch, b.sketch) if a.sketch and b.sketch else 0.0


def _is_whole(a: Card, b: Card, newer: int) -> bool:
    """Whether the newer document is a whole one and not just what it changes."""
    if a.sketch is None or b.sketch is None:
        return True
    old, new = (a.sketch, b.sketch) if newer > 0 else (b.sketch, a.sketch)
    return new.runs >= WHOLE * old.runs


def _join_groups(count: int, ties: Iterable[tuple[int, int]]) -> list[list[int]]:
    """The groups of documents that ties join."""
    group_of = [[card] for card in range(count)]
    for a, b in ties:
        joined, other = group_of[a], group_of[b]
        if joined is not other:
            joined += other
            for card in other:
                group_of[card] = joined
    return [group for card, group in enumerate(group_of) if group[0] == card and len(group) > 1]


def _series_of_group(
    cards: Sequence[Card], group: Sequence[int], ties: Mapping[tuple[int, int], _Tie]
) -> Series:
    """One group in order, each edition with what has taken its place: the oldest of those that do."""
    own = {pair: tie for pair, tie in ties.items() if pair[0] in group}
    why = {card: tie.why for pair, tie in own.items() for card in pair}
    older: defaultdict[int, set[int]] = defaultdict(set)
    replacing: defaultdict[int, dict[int, str]] = defaultdict(dict)
    for old, new, tie in _ordered_ties(own):
        older[new].add(old)
        if tie.replaces:
            replacing[old][new] = tie.why
    order = _oldest_first(group, older, cards)
    editions = [
        _edition_of_card(cards, card, order, replacing[card], why.get(card, "")) for card in order
    ]
    return Series(*_name_and_key([cards[card] for card in order]), tuple(editions))


def _ordered_ties(ties: Mapping[tuple[int, int], _Tie]) -> Iterator[tuple[int, int, _Tie]]:
    """The older and the newer document of each tie that tells them apart, with the tie."""
    for (a, b), tie in ties.items():
        if tie.newer:
            yield (a, b, tie) if tie.newer > 0 else (b, a, tie)


def _name_and_key(cards: Sequence[Card]) -> tuple[str, Key]:
    """The name and the key of a series in order: those that the metadata gives it, else those of its newest document."""
    newest = cards[-1]
    named = newest.name_key if telling(newest.name_key) else newest.title_key
    key = newest.standard or named or newest.name_key
    declared = next((card.declared["series"] for card in cards if card.declared.get("series")), "")
    return declared or " ".join(key) or newest.document, key_of(declared) or key


def _edition_of_card(
    cards: Sequence[Card], at: int, order: Sequence[int], replacing: Mapping[int, str], why: str
) -> Edition:
    """One edition, `replacing` being those that take its place, with why."""
    card, by = cards[at], ""
    if replacing:
        first = min(replacing, key=order.index)
        by, why = cards[first].document, replacing[first]
    return Edition(card.document, _shown_mark(card), written(card.date), by, why)


def _oldest_first(
    group: Sequence[int], older: Mapping[int, set[int]], cards: Sequence[Card]
) -> list[int]:
    """The group with every document behind those that it is newer than, else by date and name."""
    left, done = set(group), []
    while left:
        free = [card for card in left if not older[card] & left] or list(left)
        ranks = {(cards[at].period or cards[at].date, cards[at].document): at for at in free}
        first = ranks[min(ranks)]
        done.append(first)
        left.remove(first)
    return done


def _shown_mark(card: Card) -> str:
    """What tells an edition from the others, as it is written."""
    if declared := card.declared.get("edition"):
        return declared
    if card.period and "when" not in card.marks:
        return written(card.period[:1])
    kinds: tuple[Kind, ...] = (*_NUMBERED, "when", "quarter", *_CHANGED)
    shown = [card.marks[kind].text for kind in kinds if kind in card.marks]
    return " ".join(" ".join(shown[:2]).split())
