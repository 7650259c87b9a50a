"""The values of an index that are a phrase, or nearly: the searches behind `database.values`, over its SQLite tables."""

from __future__ import annotations

import math
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pincite.database.relations.name_folding import RUN, fold, key, similarity, stems

CANDIDATES = 150
"""Values looked at closely for a phrase."""
POSTINGS = 20_000
"""Words looked at for one that is spelled wrongly."""
ALIKE = 0.7
"""The least `fold.similarity` of words that are taken for one, spelled wrongly."""


@dataclass(frozen=True, slots=True)
class ValueMatch:
    """A value that stands in `count` rows of a column; `score` in [0, 1] says how well it fits the phrase, 1 exactly."""

    relation: str
    column: str
    value: str
    score: float
    count: int


def same(db: sqlite3.Connection, phrase: str) -> list[ValueMatch]:
    """The values that are `phrase` when case, accents, punctuation and plurals are folded, best first.

    The score is 1 for the same letters in any case, .98 for the same words, .95 for the same stems.
    """
    wanted = key(phrase)
    if not wanted:
        return []
    rows = db.execute(
        "SELECT relation, name, value, count FROM held JOIN places ON places.id = place WHERE key = ?",
        (wanted,),
    )
    literal, words = _literal(phrase), fold(phrase)
    found = [
        ValueMatch(relation, name, value, _sameness(value, literal, words), count)
        for relation, name, value, count in rows
    ]
    return sorted(found, key=_order)


def near(db: sqlite3.Connection, phrase: str, k: int) -> list[ValueMatch]:
    """The `k` values most like `phrase`, best first: those of `same`, then those that share words, or parts of words,
    or words spelled a little differently.

    The score is the harmonic mean of the shares of the phrase's and of the value's words that are found in the other,
    each word weighed by how rare it is among the values and taken at its likeness.
    """
    found = {(match.relation, match.column, match.value): match for match in same(db, phrase)}
    if len(found) < k:
        rarity = _Rarity(db)
        alike = {
            word: _spellings(db, word, whole, rarity) for word, whole in _words(phrase, rarity)
        }
        for relation, name, value, held, count in _candidates(db, alike, rarity):
            if (relation, name, value) not in found:
                score = min(_likeness(alike, held.split(), rarity), 0.94)
                found[relation, name, value] = ValueMatch(
                    relation, name, value, round(score, 4), count
                )
    return sorted(found.values(), key=_order)[:k]


def _words(phrase: str, rarity: _Rarity) -> list[tuple[str, str]]:
    """The stems of a phrase, each with its whole word; letters and digits written together are taken apart where no value has
    them so.
    """
    words: list[tuple[str, str]] = []
    for word, whole in zip(stems(phrase).split(), fold(phrase).split(), strict=True):
        if word.isalnum() and rarity.known(word):
            words.append((word, whole))
        else:
            runs = RUN.findall(word)
            words += [(word, whole)] if runs == [word] else [(run, run) for run in runs]
    return words


def _candidates(
    db: sqlite3.Connection, alike: dict[str, dict[str, float]], rarity: _Rarity
) -> Iterator[tuple[str, str, str, str, int]]:
    """Values that hold all of the words, or words like them, then those that hold some, the rarest first."""
    groups: dict[str, str] = {}
    for (
        word,
        others,
    ) in alike.items():  # words hold letters and digits alone: nothing in them is syntax
        groups[word] = " OR ".join(
            f'"{form}"' for form in (word, *_begun(db, word, rarity), *others)
        )
    by_rarity = sorted(groups, key=lambda word: -rarity[word])
    asked = [" AND ".join(f"({groups[word]})" for word in by_rarity)] if len(groups) > 1 else []
    seen: set[int] = set()
    for query in (*asked, *(groups[word] for word in by_rarity)):
        rows = db.execute(
            "SELECT held.id, relation, name, value, held.stems, count FROM words CROSS JOIN held ON held.id = words.rowid "
            "CROSS JOIN places ON places.id = place WHERE words MATCH ? LIMIT ?",
            (query, CANDIDATES),
        )
        for identity, relation, name, value, held, count in rows.fetchall():
            if identity not in seen:
                seen.add(identity)
                yield relation, name, value, held, count
        if len(seen) >= CANDIDATES:
            return


def _begun(db: sqlite3.Connection, word: str, rarity: _Rarity) -> list[str]:
    """Words of the values that begin with `word`, the rarest first; none where many values have the word itself."""
    if len(word) < 3 or rarity.known(word) >= CANDIDATES:
        return []
    rows = db.execute(
        "SELECT term FROM terms WHERE term > ? AND term < ? ORDER BY held LIMIT 20",
        (word, word + chr(0x10FFFF)),
    )
    return [term for (term,) in rows]


def _spellings(db: sqlite3.Connection, word: str, whole: str, rarity: _Rarity) -> dict[str, float]:
    """Stems of the values that `word` may have been meant for, each with its likeness: those that hold it, those that are
    spelled a little differently from it or from the `whole` that it is the stem of (a slip may change what is cut off). None
    when it is one of them or too short to tell.
    """
    if rarity.known(word) or len(word) < 3:
        return {}
    best = _sharing(db, word, whole)
    marks = ",".join("?" * len(best))
    terms = [term for (term,) in db.execute(f"SELECT term FROM terms WHERE id IN ({marks})", best)]
    found = {
        term: max(_within(word, term), _spelled(word, term), _spelled(whole, term))
        for term in terms
    }
    best_first = sorted((-likeness, term) for term, likeness in found.items() if likeness)
    return {term: -less for less, term in best_first[:8]}


def _sharing(db: sqlite3.Connection, word: str, whole: str) -> list[int]:
    """The ids of the stems that share the most stretches of three letters with a word or its stem."""
    shared: Counter[int] = Counter()
    left = POSTINGS
    framed = dict.fromkeys(
        term[at : at + 3] for term in (f"^{word}$", f"^{whole}$") for at in range(len(term) - 2)
    )
    for gram in framed:
        ids = db.execute(
            "SELECT rowid FROM grams WHERE grams MATCH ? LIMIT ?", (f'"{gram}"', left)
        ).fetchall()
        shared.update(row for (row,) in ids)
        left = max(left - len(ids), 1000)
    return [row for row, _ in shared.most_common(40)]


class _Rarity(dict[str, float]):
    """Word -> ln(1 + values / values with the word), one that no value has counting as in half a value."""

    def __init__(self, db: sqlite3.Connection) -> None:
        super().__init__()
        self._db = db
        row = db.execute("SELECT value FROM facts WHERE name = 'values'").fetchone()
        self._total = row[0] if row else 0

    def known(self, word: str) -> int:
        """How many values hold the word."""
        row = self._db.execute("SELECT held FROM terms WHERE term = ?", (word,)).fetchone()
        return row[0] if row else 0

    def __missing__(self, word: str) -> float:
        self[word] = made = math.log1p((self._total or 1) / (self.known(word) or 0.5))
        return made


def _likeness(alike: dict[str, dict[str, float]], held: list[str], rarity: _Rarity) -> float:
    """The harmonic mean of the shares, weighed by rarity, of the phrase's words and of a value's that are in the other."""
    found = []
    for word, others in alike.items():
        found.append([_match(word, name, others) for name in held])
    said = _mean(zip(map(rarity.__getitem__, alike), map(max, found), strict=True))
    meant = _mean(
        zip(map(rarity.__getitem__, held), map(max, zip(*found, strict=True)), strict=True)
    )
    return 2 * said * meant / (said + meant) if said and meant else 0.0


def _mean(weighed: Iterable[tuple[float, float]]) -> float:
    pairs = list(weighed)
    return sum(weight * share for weight, share in pairs) / sum(weight for weight, _ in pairs)


def _match(word: str, other: str, others: dict[str, float]) -> float:
    """How alike a word of a phrase and one of a value are."""
    if word == other:
        return 1.0
    return max(others.get(other, 0.0), _within(word, other) if other.startswith(word) else 0.0)


def _within(word: str, other: str) -> float:
    """The likeness of a word to a longer one that it is part of."""
    return 0.4 + 0.5 * len(word) / len(other) if len(word) > 2 and word in other else 0.0


def _spelled(word: str, other: str) -> float:
    """The likeness of two words by spelling; 0 for numbers and for words too short or too different to be one."""
    if (
        min(len(word), len(other)) < 4
        or abs(len(word) - len(other)) > 2
        or not (word.isalpha() and other.isalpha())
    ):
        return 0.0
    likeness = similarity(word, other)
    return likeness if likeness >= ALIKE else 0.0


def _literal(text: str) -> str:
    return " ".join(text.casefold().split())


def _sameness(value: str, literal: str, words: str) -> float:
    if _literal(value) == literal:
        return 1.0
    return 0.98 if fold(value) == words else 0.95


def _order(match: ValueMatch) -> tuple[float, int, str, str, str]:
    return -match.score, -match.count, match.relation, match.column, match.value
