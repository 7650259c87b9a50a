"""The names in a question: a word is a name if it has a capital where a capital marks a name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pincite.database.relations.name_folding import stems
from pincite.document.times import MONTHS, when
from pincite.question.cues import says
from pincite.search.index.tokens import STOP_WORDS
from pincite.text.gloss import TELLING, concept, glosses
from pincite.text.language import ENGLISH, language_of
from pincite.text.lexicon import word_set

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
    telling = [word for word in words[1:] if len(word.text) > 3 and not _is_grammar(word)]
    titled = len(telling) > 2 and all(map(_is_capital, telling))
    if text.isupper() or titled:
        return []
    german = language_of(text, among=(ENGLISH, *glosses()), enough=TELLING) == "de"
    runs: list[list[QuestionWord]] = []
    for at, word in enumerate(words):
        before = words[at - 1] if at else None
        goes_on = (
            before is not None
            and bool(runs)
            and before is runs[-1][-1]
            and not before.owns
            and text[before.end : word.start] == " "
        )
        if _may_name(word, before, words[at + 1 :], text, german and not goes_on):
            if not goes_on:
                runs.append([])
            runs[-1].append(word)
    return [tuple(run) for run in runs]


def _word(match: re.Match[str]) -> QuestionWord:
    text = OWNER.sub("", match[0])
    after = match.string[match.end() : match.end() + 1]
    owns = text != match[0] or (text.endswith("s") and after in ("'", "’"))
    return QuestionWord(text, *match.span(), owns)


def _is_capital(word: QuestionWord) -> bool:
    return any(letter.isupper() for letter in word.text)


def _is_grammar(word: QuestionWord) -> bool:
    return word.text.casefold() in STOP_WORDS


def _may_name(
    word: QuestionWord,
    before: QuestionWord | None,
    after: Sequence[QuestionWord],
    text: str,
    german: bool,
) -> bool:
    """Whether a word has a capital that can be a name's; an abbreviation with points has none."""
    if not _is_capital(word) or _is_grammar(word) or _is_time(word.text) or "." in word.text:
        return False
    inside = any(map(str.isupper, word.text[1:]))
    opens = before is None or text[before.end : word.start].strip() in (".", "?", "!")
    if opens and not inside and not word.owns:
        return before is None and not german and _stands_alone(word, after, text)
    if german and not inside:
        of_name = before is not None and before.text in _OF_NAMES
        return of_name and not concept(word.text.casefold())
    return True


def _is_time(word: str) -> bool:
    """Whether a word is a time, a month, or belongs to a year behind it ("FY 2022")."""
    month = len(word) > 2 and any(name.startswith(word.casefold()) for name in MONTHS)
    before_year = (time.text.startswith(word) for time in when(f"{word} 2000"))
    return month or bool(when(word)) or any(before_year)


def _stands_alone(word: QuestionWord, after: Sequence[QuestionWord], text: str) -> bool:
    """Whether a first word is a name's: a colon follows, or a note without any other name that does not go on with grammar."""
    if not after or text[word.end : word.end + 1] == ":":
        return bool(after)
    if after[0].text[0].isdigit() or _is_grammar(after[0]):
        return False
    rest = [other for other in after[1:] if _is_capital(other) and not when(other.text)]
    return not rest and not text.rstrip().endswith("?")


def is_no_name(word: QuestionWord, text: str) -> bool:
    """Whether a word that is nowhere stands with its capital for what is asked and not for who is asked about.

    Acronyms ("EBIT", both of "USD-EUR") can be metrics and common words can be stressed, unless they stand where an owner does.
    At the beginning of a question every word has a capital: there words count that English derives with an ending, as names
    seldom are. One of two letters, which names have too, tells only where the encoder's vocabulary holds the word.
    """
    before = text[: word.start].split()
    if word.owns or (before and before[-1].casefold() in _OF_NAMES):
        return False
    place = _vocabulary_place(word.text)
    stem = stems(word.text)
    ending = len(word.text) - len(stem)
    derived = len(stem) >= STEM and (ending >= 3 or (ending == 2 and place is not None))
    acronym = all(map(_is_acronym, word.text.removesuffix("s").split("-")))
    common = place is not None and place < COMMON
    return acronym or (not before and derived) or common or says(word.text, "address")


def _is_acronym(part: str) -> bool:
    return part.isupper() and part.replace("&", "").isalpha() and len(part) <= ACRONYM


def _vocabulary_place(word: str) -> int | None:
    """Where a word stands in the encoder's vocabulary, whose most frequent words come first."""
    from pincite.models.encoder import tokenizer

    place: int | None = tokenizer().token_to_id(word.casefold())
    return place


def as_written(run: Sequence[QuestionWord], text: str) -> str:
    """A name as the question has it, without what makes it an owner."""
    return OWNER.sub("", text[run[0].start : run[-1].end])
