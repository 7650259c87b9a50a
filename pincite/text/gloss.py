"""German and Swedish turned into the wording that the readers know: questions as a whole, passages without moving a character.

The readers take their cues from English words of grammar. A question's form is turned into the English one by patterns; in a
passage words of grammar give way to English ones that are not longer, padded with blanks, and numbers are written the English
way, so that what is found in it is at the same place in the original, which is what is quoted. Words of content stay; those of
reports that mean the same have one stem (`concept`). Tables: `data/gloss.toml`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from pincite.text.language import ENGLISH, language_of
from pincite.text.lexicon import data_table, word_set

TELLING = 0.5
"""The weight of evidence by which a question tells its language: it is short, and made of words of grammar."""
LONG = 13
"""A word of so many letters that ends in the Swedish article is no English one; German plurals lose the same letters."""

_AUXILIARIES = word_set("document", "auxiliaries")
_GERMAN = frozenset("üß")
_SWEDISH = frozenset("åäö")
_GAP = "[ \\u00a0\\u202f\\u2009]"
_IN_COMMAS = str.maketrans(dict.fromkeys(". \u00a0\u202f\u2009", ","))
_NUMBER = re.compile(
    rf"(?<![\d.,])(?<!\d )(?:\d{{1,3}}(?:(?:\.\d{{3}})+|(?:{_GAP}\d{{3}})+)(?:,\d+)?|\d+,\d+)(?!\d|[.,]\d)"
)
_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class Gloss:
    """One language: patterns of questions with their English forms, words with theirs; `cases` keep the length of a text."""

    code: str
    forms: tuple[tuple[re.Pattern[str], str], ...]
    words: Mapping[str, tuple[str, ...]]
    leading: frozenset[str]
    cases: tuple[tuple[re.Pattern[str], str], ...]
    turns: tuple[tuple[re.Pattern[str], str], ...]
    endings: tuple[str, ...]


@lru_cache(maxsize=1)
def glosses() -> Mapping[str, Gloss]:
    """The languages that can be turned into English wording, by code."""
    return {
        code: _gloss(code, table)
        for code, table in data_table("gloss").items()
        if code != "concept"
    }


def asked(text: str) -> str:
    """A question with English words of grammar where it is in German or Swedish; any other as it is."""
    code = language_of(text, among=(ENGLISH, *glosses()), enough=TELLING)
    if code not in glosses():
        return text
    gloss = glosses()[code]
    first = text.split()[0].casefold() if text.split() else ""
    made, formed = _all(gloss.turns, _all(gloss.cases, text)), False
    for pattern, form in gloss.forms:
        made, count = pattern.subn(form, made, count=1)
        formed = formed or bool(count)
    made = _WORD.sub(lambda word: gloss.words.get(word[0].casefold(), (word[0],))[0], made)
    if (
        formed
        or first in gloss.leading
        or not text.rstrip().endswith("?")
        or made.split()[0] in _AUXILIARIES
    ):
        return made
    return f"Does {made[:1].lower()}{made[1:]}"


def concept(word: str) -> str:
    """The English word that a German or Swedish word of reports means; "" for any other word."""
    whole, beginnings = _concepts()
    if made := whole.get(word):
        return made
    return next((english for start, english in beginnings if word.startswith(start)), "")


def stemmed_as(word: str) -> str:
    """The code of the language whose stemmer a word wants that shows by a letter or its ending that it is not English; ""."""
    if not _GERMAN.isdisjoint(word):
        return "de"
    if not word.isascii():
        return "" if _SWEDISH.isdisjoint(word) else "sv"
    if len(word) >= LONG and word.endswith(("en", "et")):
        return "sv"
    return next((code for code, gloss in glosses().items() if word.endswith(gloss.endings)), "")


def in_place(text: str, code: str) -> str:
    """A text with English words of grammar and numbers written the English way, every character in its place."""
    gloss = glosses()[code]
    text = _NUMBER.sub(_in_points, _all(gloss.cases, text))
    return _WORD.sub(lambda word: _as_long(word[0], gloss.words.get(word[0].casefold(), ())), text)


def _in_points(number: re.Match[str]) -> str:
    """1.234,5 and 1 234,5 as 1,234.5: of the same length, since the words around no longer tell how to read it."""
    whole, comma, decimals = number[0].partition(",")
    return whole.translate(_IN_COMMAS) + comma.replace(",", ".") + decimals


def _all(patterns: Sequence[tuple[re.Pattern[str], str]], text: str) -> str:
    for pattern, form in patterns:
        text = pattern.sub(form, text)
    return text


def _as_long(word: str, several: Sequence[str]) -> str:
    """The first English word that is not longer, with blanks up to the length; the word itself when there is none."""
    english = next((form for form in several if len(form) <= len(word)), "")
    if not english:
        return word
    return (english.capitalize() if word[:1].isupper() else english).ljust(len(word))


def _gloss(code: str, table: Mapping[str, Any]) -> Gloss:
    amount = rf"(?P<amount>(?:\w+ )?[\w-]*(?:{'|'.join(sorted(table['amounts'].split(), key=len, reverse=True))}))"
    forms = tuple(
        (
            re.compile(rf"(?<!\w)(?:{pattern.replace('amount', amount)})(?!\w)", re.IGNORECASE),
            f"{form} \\g<amount>" if "amount" in pattern else form,
        )
        for pattern, form in table["forms"]
    )
    pairs = (pair.replace("_", " ").split("=") for pair in table["words"].split())
    words = {word: tuple(english.split("/")) for word, english in pairs}
    cases = tuple((re.compile(pattern), form) for pattern, form in table.get("cases", ()))
    turns = tuple((re.compile(pattern, re.IGNORECASE), form) for pattern, form in table["turns"])
    leading, endings = frozenset(table["leading"].split()), tuple(table["endings"].split())
    return Gloss(code, forms, words, leading, cases, turns, endings)


@lru_cache(maxsize=1)
def _concepts() -> tuple[Mapping[str, str], tuple[tuple[str, str], ...]]:
    pairs = [
        (word, entry["en"])
        for entry in data_table("gloss")["concept"]
        for code in glosses()
        for word in entry.get(code, "").split()
    ]
    return (
        {word.rstrip("*"): english for word, english in pairs},
        tuple((word[:-1], english) for word, english in pairs if word.endswith("*")),
    )
