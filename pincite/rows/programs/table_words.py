"""English words that say what is to be done with a table, whatever the table: adjectives, comparisons, functions, order.

An adjective names kinds of quantity, the likeliest first: "largest" is of area before it is of population. Which column
is meant is decided by the names of the columns a question can reach.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from pincite.lexicon import data_table, pattern

_GIVEN = data_table("table_words")
_QUANTITIES: dict[str, str] = {
    f"@{name}": columns for name, columns in _GIVEN["quantities"].items()
}


def _kinds(written: str) -> tuple[str, ...]:
    """Kinds of quantity; "@size" stands for those that the file lists as sizes."""
    return tuple(" ".join(_QUANTITIES.get(kind, kind) for kind in written.split()).split())


ADJECTIVES: dict[str, tuple[int, tuple[str, ...]]] = {
    **{word: (1, _kinds(kinds)) for word, kinds in _GIVEN["more"].items()},
    **{word: (-1, _kinds(kinds)) for word, kinds in _GIVEN["less"].items()},
}
"""Adjective -> (1 when more of the quantity is more of the adjective, else -1; the quantities)."""
_IRREGULAR: dict[str, tuple[str, int]] = {
    form: (word, degree) for form, (word, degree) in _GIVEN["irregular"].items()
}


def _forms() -> dict[str, tuple[str, int]]:
    made = {word: (word, 0) for word in ADJECTIVES}
    for word in ADJECTIVES:
        stem = _stem(word)
        made |= {f"{stem}er": (word, 1), f"{stem}est": (word, 2)}
    return made | _IRREGULAR


def _stem(word: str) -> str:
    """What -er and -est are put behind."""
    if word.endswith("e"):
        return word[:-1]
    if word.endswith("y"):
        return word[:-1] + "i"
    return word + word[-1] if _DOUBLES.fullmatch(word) else word


_DOUBLES = pattern("rows", "doubling", "words")
FORMS = _forms()
"""Every form of an adjective -> (the adjective; 0 plain, 1 comparative, 2 superlative)."""
MANY = tuple(_GIVEN["highest"].split())
FEW = tuple(_GIVEN["lowest"].split())
SYNONYMS: tuple[str, ...] = tuple(_GIVEN["synonyms"])
"""Words that name the same thing in most databases, a line each."""
PHRASES: dict[str, str] = _GIVEN["phrases"]
"""Phrases -> the one or two words they stand for."""
SPELLINGS: tuple[tuple[str, str], ...] = tuple(
    (ours, theirs) for ours, theirs in _GIVEN["spellings"]
)
"""Spellings of British and American English, either way."""
COUNTRIES: dict[str, tuple[str, ...]] = {
    name: tuple(country["written"]) for name, country in _GIVEN["countries"].items()
}
"""What names of countries databases use for what people say."""
COUNTRY_WORDS: dict[str, str] = {
    name: country["said"] for name, country in _GIVEN["countries"].items()
}
AFTER_NUMBER = pattern("rows", "or more", "words")


@dataclass(frozen=True, slots=True)
class LexiconWord:
    """A word or phrase of the lexicon: what it does, in which direction (1, -1, 0), and the quantities it is about."""

    role: str
    sign: int = 0
    kinds: tuple[str, ...] = ()


@lru_cache(maxsize=1)
def _table() -> list[tuple[re.Pattern[str], LexiconWord]]:
    """Every pattern of the lexicon with what it means: comparisons, then functions, then the rest."""
    roles = [(f"compare {sign}", said) for sign, said in _GIVEN["comparisons"]]
    roles += [*_GIVEN["functions"], *_GIVEN["others"]]
    made = []
    for role, said in roles:
        name, _, number = role.partition(" ")
        word = LexiconWord(name, int(number)) if name == "ordinal" else LexiconWord(role)
        made.append((re.compile(rf"(?:{said})(?!\w)"), word))
    return made


_MUCH = pattern("rows", "how much", "words")
_HOW = pattern("rows", "how", "words")
_MOST = pattern("rows", "most", "words")
_MANY = pattern("rows", "many", "words")
_SIZE = pattern("rows", "size", "words")
_COMMON = pattern("rows", "common", "words")


def read(text: str, at: int) -> list[tuple[int, LexiconWord]]:
    """What the lexicon reads in lower-case `text` at `at`: (where it ends, what it is), the longest first."""
    found = [*_phrases(text, at), *_graded(text, at)]
    found += [(hit.end(), word) for said, word in _table() if (hit := said.match(text, at))]
    return sorted(found, key=lambda reading: -reading[0])


def _graded(text: str, at: int) -> Iterator[tuple[int, LexiconWord]]:
    """An adjective by itself: plain, comparative, superlative, and what is most or least of all."""
    m = _MANY.match(text, at)
    if m is None:
        return
    word = m["word"]
    adjective, degree = FORMS.get(word, ("", -1))
    end = m.end() if not m[0].endswith(" the") else m.end() - len(" the")
    after = at + len(word)
    if degree == 2:
        yield end, LexiconWord("best", *ADJECTIVES[adjective])
    elif word in MANY or word in FEW:
        yield end, LexiconWord("best", 1 if word in MANY else -1)
    elif degree == 1:
        yield _compared(text, after, *ADJECTIVES[adjective]) or (
            after,
            LexiconWord("more", *ADJECTIVES[adjective]),
        )
    elif degree == 0:
        yield after, LexiconWord("adjective", *ADJECTIVES[adjective])


def _compared(
    text: str, at: int, sign: int, kinds: tuple[str, ...]
) -> tuple[int, LexiconWord] | None:
    """A comparison with what follows: "denser than"."""
    if not text.startswith(" than", at):
        return None
    return at + len(" than"), LexiconWord("compare >" if sign > 0 else "compare <", sign, kinds)


def _phrases(text: str, at: int) -> Iterator[tuple[int, LexiconWord]]:
    """An adjective with words around it: "how much denser", "how long", "most populous", "less dense than"."""
    if (m := _MUCH.match(text, at)) and FORMS.get(m["word"], ("", -1))[1] == 1:
        yield m.end(), LexiconWord("difference", *ADJECTIVES[FORMS[m["word"]][0]])
    if (m := _HOW.match(text, at)) and m["word"] in ADJECTIVES:
        yield m.end(), LexiconWord("how", *ADJECTIVES[m["word"]])
    if m := _SIZE.match(text, at):
        yield m.end(), LexiconWord("how", 1, _kinds("@size"))
    if m := _COMMON.match(text, at):
        yield m.end(), LexiconWord("best count", 1 if m[0].startswith("most") else -1)
    if (m := _MOST.match(text, at)) and m["word"] in ADJECTIVES:
        yield from _most(text, m)


def _most(text: str, m: re.Match[str]) -> Iterator[tuple[int, LexiconWord]]:
    """An adjective behind "most", "least", "more" or "less"."""
    sign, kinds = ADJECTIVES[m["word"]]
    sign = sign if m["most"] in ("most", "more") else -sign
    if m["most"] in ("most", "least"):
        yield m.end(), LexiconWord("best", sign, kinds)
    elif compared := _compared(text, m.end(), sign, kinds):
        yield compared
