"""The names in a question: a word is a name if it has a capital where a capital marks a name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pincite.database.relations.name_folding import stems
from pincite.document.gloss import TELLING, concept, glosses
from pincite.document.times import MONTHS, when
from pincite.index.tokens import STOP_WORDS
from pincite.language import ENGLISH, language_of
from pincite.lexicon import word_set
from pincite.question.cues import says

ACRONYM = 5
"""Letters of the longest acronym: one can stand for a metric as well as for a firm."""
COMMON = 9_000
"""Places of the encoder's vocabulary that hold common words; names stand among them, but mostly behind."""
STEM = 5
"""Letters of the shortest stem that a derived word is known by."""
WORD = re.compile(r"[^\W_]+(?:[.&'’-][^\W_]+)*")
OWNER = re.compile(r"['’](?:s|\d\d)?$")
"""What stands behind a name: the s of an owner, or a year of two digits."""
_OF_NAMES = word_set("search", "beside names")
"""What stands before an acronym that is somebody's: metrics stand before "of", whoever they are of behind it."""


@dataclass(frozen=True, slots=True)
class QuestionWord:
    """A word of a question without its possessive, at its characters [start, end) with it."""

    text: str
    start: int
    end: int
    owns: bool


def names(text: str) -> list[tuple[QuestionWord, ...]]:
    """The names of a question, each as its words; none where capitals tell nothing (all or no words have one)."""
    words = [_word(match) for match in WORD.finditer(text)]
    if text.isupper() or _is_titled(words):
        return []
    german = language_of(text, among=(ENGLISH, *glosses()), enough=TELLING) == "de"
    runs: list[list[QuestionWord]] = []
    before = None
    for word in words:
        goes_on = (
            bool(runs)
            and before is runs[-1][-1]
            and not before.owns
            and text[before.end : word.start] == " "
        )
        if _may_name(word, before, words, text, german and not goes_on):
            if not goes_on:
                runs.append([])
            runs[-1].append(word)
        before = word
    return [tuple(run) for run in runs]


def _is_titled(words: Sequence[QuestionWord]) -> bool:
    """Whether all longer words after the first have a capital, as in a title."""
    telling = [
        word for word in words[1:] if len(word.text) > 3 and word.text.casefold() not in STOP_WORDS
    ]
    return len(telling) > 2 and all(map(_is_capital, telling))


def _word(match: re.Match[str]) -> QuestionWord:
    text = OWNER.sub("", match[0])
    after = match.string[match.end() : match.end() + 1]
    return QuestionWord(
        text, *match.span(), text != match[0] or (text.endswith("s") and after in ("'", "’"))
    )


def _is_capital(word: QuestionWord) -> bool:
    return any(letter.isupper() for letter in word.text)


def _may_name(
    word: QuestionWord,
    before: QuestionWord | None,
    words: Sequence[QuestionWord],
    text: str,
    german: bool,
) -> bool:
    """Whether a word has a capital that can be a name's."""
    if not _is_capital(word) or _says_nothing(word):
        return False
    inside = any(map(str.isupper, word.text[1:]))
    if not (inside or word.owns) and _opens(word, before, text):
        return before is None and not german and _alone_in_front(word, words, text)
    if german and not inside:
        return (
            before is not None and before.text in _OF_NAMES and not concept(word.text.casefold())
        )
    return True


def _says_nothing(word: QuestionWord) -> bool:
    """Whether a word is of the grammar or a time, or an abbreviation with points."""
    return word.text.casefold() in STOP_WORDS or _is_time(word.text) or "." in word.text


def _opens(word: QuestionWord, before: QuestionWord | None, text: str) -> bool:
    """Whether a word is the first of a sentence."""
    return before is None or text[before.end : word.start].strip() in (".", "?", "!")


def _is_time(word: str) -> bool:
    """Whether a word is a time, a month, or belongs to a year behind it ("FY 2022")."""
    month = len(word) > 2 and any(name.startswith(word.casefold()) for name in MONTHS)
    return (
        month
        or bool(when(word))
        or any(time.text.startswith(word) for time in when(f"{word} 2000"))
    )


def _alone_in_front(word: QuestionWord, words: Sequence[QuestionWord], text: str) -> bool:
    """Whether a first word is a name's: a colon follows, or a note without any other name that does not go on with grammar."""
    after = words[words.index(word) + 1 :]
    if not after or text[word.end : word.end + 1] == ":":
        return bool(after)
    if after[0].text[0].isdigit() or after[0].text.casefold() in STOP_WORDS:
        return False
    rest = [other for other in after[1:] if _is_capital(other) and not when(other.text)]
    return not rest and not text.rstrip().endswith("?")


def is_no_name(word: QuestionWord, text: str) -> bool:
    """Whether a word that is nowhere stands with its capital for what is asked and not for who is asked about.

    Acronyms can be metrics and common words can be stressed, unless they stand where an owner does. At the beginning of a
    question every word has a capital.
    """
    acronym = all(map(_is_acronym, word.text.removesuffix("s").split("-")))
    before = text[: word.start].split()
    owns = word.owns or (before and before[-1].casefold() in _OF_NAMES)
    opens = not before and _is_derived(word.text)
    asked = opens or _is_common(word.text) or says(word.text, "address")
    return not owns and (acronym or asked)


def _is_acronym(part: str) -> bool:
    """Whether a part of a word is a few capitals ("EBIT", "R&D"); so are both of "USD-EUR"."""
    return part.isupper() and part.replace("&", "").isalpha() and len(part) <= ACRONYM


def _is_common(word: str) -> bool:
    """Whether a word is among the most frequent of English, by its place in the encoder's vocabulary, which is in that order."""
    place = _place(word)
    return place is not None and place < COMMON


def _is_derived(word: str) -> bool:
    """Whether a word has an ending that English derives words with ("hazardous", "decarbonisation"), as names seldom have.

    An ending of two letters, which names have too, tells only where the encoder's vocabulary holds the word.
    """
    stem = stems(word)
    shorter = len(word) - len(stem)
    return len(stem) >= STEM and (shorter >= 3 or (shorter == 2 and _place(word) is not None))


def _place(word: str) -> int | None:
    """Where a word stands in the encoder's vocabulary."""
    from pincite.models.encoder import tokenizer

    place: int | None = tokenizer().token_to_id(word.casefold())
    return place


def as_written(run: Sequence[QuestionWord], text: str) -> str:
    """A name as the question has it, without what makes it an owner."""
    return OWNER.sub("", text[run[0].start : run[-1].end])
