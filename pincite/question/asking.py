"""What a question asks for by its words alone: one thing or several, a person, a firm, a reason.

The words are in `data/asking.toml`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

from pincite.document.sentence_spans import sentences
from pincite.quantity.numbers import ONES
from pincite.text.lexicon import data_table, pattern, word_list, word_set
from pincite.text.words import stems

_COUNTS = {word: number for word, number in ONES.items() if 2 <= number <= 10}
"""Words that say how many things a question asks for."""
_WORD = pattern("question", "word", "asking")
_LEADS = pattern("question", "leads", "asking")
_BE = pattern("question", "be", "asking")
_PASSED = word_set("question", "before a noun")
_AUX = word_set("question", "auxiliaries")
_ENDS = word_set("question", "phrase ends")
_OBJECTS = word_set("question", "object openings")
"""What stands behind a verb and not behind a noun."""
_SINGULAR = word_list("question", "singular endings")
_PLURALS = word_set("question", "plurals")
_LONGEST = 6
"""Words of the longest noun phrase that is looked through for its head."""


@dataclass(frozen=True, slots=True)
class AskingWords:
    """The words of `data/asking.toml`: the kind that each noun asks for, posts written out, patterns and cues of reasons."""

    nouns: Mapping[str, str]
    posts: Mapping[str, str]
    why: re.Pattern[str]
    behind: re.Pattern[str]
    before: re.Pattern[str]


@lru_cache(maxsize=1)
def load_asking() -> AskingWords:
    """The words that ship with the package."""
    given = data_table("asking")
    why = dict(given["why"])
    asks = why.pop("asks")
    cues: Collection[Mapping[str, Sequence[str]]] = why.values()
    return AskingWords(
        {stem: kind for kind, nouns in given["nouns"].items() for stem in stems(nouns)},
        given["posts"],
        re.compile(rf"\b(?:{'|'.join(asks)})", re.IGNORECASE),
        _any_of(chain.from_iterable(cue["behind"] for cue in cues)),
        _any_of(chain.from_iterable(cue["before"] for cue in cues)),
    )


def _any_of(phrases: Iterable[str]) -> re.Pattern[str]:
    longest = sorted(phrases, key=len, reverse=True)
    patterns = (r"\s+".join(map(re.escape, phrase.split())) for phrase in longest)
    return re.compile(rf"\b(?:{'|'.join(patterns)})\b", re.IGNORECASE)


def asking_sentence(text: str) -> str:
    """The first sentence that ends with a question mark and has more than three words; the whole text where none does."""
    asking = (text[start:end] for start, end in sentences(text) if text[start:end].endswith("?"))
    return next((sentence for sentence in asking if len(sentence.split()) > 3), text)


@lru_cache(maxsize=1024)
def asks_reason(text: str) -> bool:
    """Whether a question asks why something is so, however it is put."""
    return load_asking().why.search(text) is not None


def goes_back(text: str) -> bool:
    """Whether a sentence begins with what says that its reason stands before it ("As a result, ...")."""
    asking, text = load_asking(), text.lstrip()
    return asking.before.match(text) is not None and asking.behind.match(text) is None


def spelled(text: str) -> str:
    """A question with the posts that it abbreviates written out behind it."""
    posts = load_asking().posts
    found = (posts[word] for word in text.casefold().replace("?", "").split() if word in posts)
    return " ".join((text, *dict.fromkeys(found)))


def how_many(text: str) -> int:
    """How many things "which three ..." and "name the two ..." ask for; 0 where the question does not say."""
    for lead in _LEADS.finditer(text):
        for match in list(_WORD.finditer(text, lead.end()))[:3]:
            word = match[0].lower()
            if count := _COUNTS.get(word) or (
                int(word) if word.isdigit() and 1 < int(word) < 20 else 0
            ):
                return count
            if word not in _PASSED:
                break
    return 0


def asks_several(text: str) -> bool:
    """Whether the noun behind "which", "what", "name" or "list" is in the plural; "what were the payables" may be one amount.

    Where a verb follows the noun, as in "which directors retired", it ends the phrase; "which sales manager leads" is one.
    """
    if how_many(text):
        return True
    return any(_several(text, lead) for lead in _LEADS.finditer(text) if not _BE.search(lead[0]))


def _several(text: str, lead: re.Match[str]) -> bool:
    words, stop = _phrase(text, lead.end())
    if not words:
        return False
    if stop in _AUX or not lead[0].lower().startswith("wh"):
        return is_plural(words[-1])
    at = next((at for at, word in enumerate(words) if is_plural(word)), None)
    if at is None or (0 < at == len(words) - 1 and stop in _OBJECTS):
        return False
    following = words[at + 1 : at + 3]
    return not _is_compound(following) or is_plural(following[0])


def _is_compound(following: Sequence[str]) -> bool:
    """Whether a plural is part of the noun behind it, which a verb follows ("sales manager leads")."""
    return (
        len(following) == 2
        and following[1].endswith(("s", "ed"))
        and not following[0].endswith("ed")
    )


def _phrase(text: str, start: int) -> tuple[list[str], str]:
    """The words of the noun phrase from `start` on, with the verb where none ends it, and the word that does."""
    words: list[str] = []
    end = start
    for match in _WORD.finditer(text, start):
        word = match[0].lower()
        if words and re.search(r"[,;:?!()]|\.\s", text[end : match.start()]):
            break
        end = match.end()
        if not words and (word in _PASSED or word in _COUNTS):
            continue
        if word in _AUX or word in _ENDS or len(words) == _LONGEST:
            return words, word
        words.append(match[0])
    return words, ""


def is_plural(word: str) -> bool:
    """Whether a noun is in the plural by its ending."""
    low = word.lower()
    regular = len(low) > 3 and low.endswith("s") and not low.endswith(_SINGULAR)
    return low in _PLURALS or (regular and {"'", "’"}.isdisjoint(low))


def headed(text: str) -> str:
    """What the noun asks for that a question without a verb begins with ("CEO of ...", "Auditor, ..."); "" for others."""
    words: list[str] = []
    end = 0
    for match in _WORD.finditer(text):
        if words and (
            match[0].lower() in _ENDS or re.search(r"[,:;?]", text[end : match.start()])
        ):
            break
        words.append(match[0])
        end = match.end()
    head = stems(words[-1]) if words and len(words) <= 4 else ()
    return load_asking().nouns.get(head[-1], "") if head else ""
