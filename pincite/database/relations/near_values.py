"""The values of an index that are a phrase, or nearly: the searches behind `database.values`, over its SQLite tables."""

from __future__ import annotations

import math
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
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
    asked = "SELECT relation, name, value, count FROM held JOIN places ON places.id = place WHERE key = ?"
    literal, words = _folded_case(phrase), fold(phrase)
    found = []
    for relation, name, value, count in db.execute(asked, (wanted,)):
        score = 1.0 if _folded_case(value) == literal else 0.98 if fold(value) == words else 0.95
        found.append(ValueMatch(relation, name, value, score, count))
    return sorted(found, key=_sort_key)


def near(db: sqlite3.Connection, phrase: str, k: int) -> list[ValueMatch]:
    """The `k` values most like `phrase`, best first: those of `same`, then those that share words, or parts of words,
    or words spelled a little differently.

    The score is the harmonic mean of the shares of the phrase's and of the value's words that are found in the other,
    each word weighed by how rare it is among the values and taken at its likeness.
    """
    found = {(match.relation, match.column, match.value): match for match in same(db, phrase)}
    if len(found) < k:
        rarity = _Rarity(db)
        words = _phrase_words(phrase, rarity)
        alike = {word: _other_spellings(db, word, whole, rarity) for word, whole in words}
        for relation, name, value, held, count in _candidates(db, alike, rarity):
            if (relation, name, value) not in found:
                score = round(min(_likeness(alike, held.split(), rarity), 0.94), 4)
                found[relation, name, value] = ValueMatch(relation, name, value, score, count)
    return sorted(found.values(), key=_sort_key)[:k]


def _phrase_words(phrase: str, rarity: _Rarity) -> list[tuple[str, str]]:
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
    for word, others in alike.items():  # of letters and digits alone: nothing in them is syntax
        forms = (word, *_words_begun_by(db, word, rarity), *others)
        groups[word] = " OR ".join(f'"{form}"' for form in forms)
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


def _words_begun_by(db: sqlite3.Connection, word: str, rarity: _Rarity) -> list[str]:
    """Words of the values that begin with `word`, the rarest first; none where many values have the word itself."""
    if len(word) < 3 or rarity.known(word) >= CANDIDATES:
        return []
    asked = "SELECT term FROM terms WHERE term > ? AND term < ? ORDER BY held LIMIT 20"
    return [term for (term,) in db.execute(asked, (word, word + chr(0x10FFFF)))]


def _other_spellings(
    db: sqlite3.Connection, word: str, whole: str, rarity: _Rarity
) -> dict[str, float]:
    """Stems of the values that `word` may have been meant for, each with its likeness: those that hold it, those that are
    spelled a little differently from it or from the `whole` that it is the stem of (a slip may change what is cut off). None
    when it is one of them or too short to tell.
    """
    if rarity.known(word) or len(word) < 3:
        return {}
    best = _stems_sharing_grams(db, word, whole)
    marks = ",".join("?" * len(best))
    terms = [term for (term,) in db.execute(f"SELECT term FROM terms WHERE id IN ({marks})", best)]
    found = {
        t: max(_part_likeness(word, t), _spelling_likeness(word, t), _spelling_likeness(whole, t))
        for t in terms
    }
    best_first = sorted((-likeness, term) for term, likeness in found.items() if likeness)
    return {term: -less for less, term in best_first[:8]}


def _stems_sharing_grams(db: sqlite3.Connection, word: str, whole: str) -> list[int]:
    """The ids of the stems that share the most stretches of three letters with a word or its stem."""
    shared: Counter[int] = Counter()
    left = POSTINGS
    asked = "SELECT rowid FROM grams WHERE grams MATCH ? LIMIT ?"
    framed = (f"^{word}$", f"^{whole}$")
    grams = (term[at : at + 3] for term in framed for at in range(len(term) - 2))
    for gram in dict.fromkeys(grams):
        ids = db.execute(asked, (f'"{gram}"', left)).fetchall()
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
    found = [
        [_word_likeness(word, name, others) for name in held] for word, others in alike.items()
    ]
    said = _weighted_mean([rarity[word] for word in alike], map(max, found))
    meant = _weighted_mean([rarity[name] for name in held], map(max, zip(*found, strict=True)))
    return 2 * said * meant / (said + meant) if said and meant else 0.0


def _weighted_mean(weights: Sequence[float], shares: Iterable[float]) -> float:
    total = sum(weight * share for weight, share in zip(weights, shares, strict=True))
    return total / sum(weights)


def _word_likeness(word: str, other: str, others: dict[str, float]) -> float:
    """How alike a word of a phrase and one of a value are."""
    if word == other:
        return 1.0
    return max(
        others.get(other, 0.0), _part_likeness(word, other) if other.startswith(word) else 0.0
    )


def _part_likeness(word: str, other: str) -> float:
    """The likeness of a word to a longer one that it is part of."""
    return 0.4 + 0.5 * len(word) / len(other) if len(word) > 2 and word in other else 0.0


def _spelling_likeness(word: str, other: str) -> float:
    """The likeness of two words by spelling; 0 for numbers and for words too short or too different to be one."""
    if min(len(word), len(other)) < 4 or abs(len(word) - len(other)) > 2:
        return 0.0
    if not (word.isalpha() and other.isalpha()):
        return 0.0
    likeness = similarity(word, other)
    return likeness if likeness >= ALIKE else 0.0


def _folded_case(text: str) -> str:
    return " ".join(text.casefold().split())


def _sort_key(match: ValueMatch) -> tuple[float, int, str, str, str]:
    return -match.score, -match.count, match.relation, match.column, match.value
