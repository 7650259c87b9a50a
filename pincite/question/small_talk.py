"""What of a message asks for something: greetings, thanks and remarks ask for nothing.

No phrase is listed: a part of a message asks for nothing where it names nothing that could be looked up, because its words
are of grammar or courtesy alone, and where it is a statement.
"""

from __future__ import annotations

from collections.abc import Sequence

from pincite.lexicon import pattern, word_set

_PART = pattern("question", "part", "small talk")
_WORD = pattern("question", "word", "small talk")
_ALONE = pattern("question", "alone", "small talk")
_QUESTION = pattern("question", "question", "small talk")
_PERSONS = pattern("question", "persons", "small talk")
_THANKS = pattern("question", "thanks", "small talk")
_STATEMENT = pattern("question", "statement", "small talk")
_WISH = pattern("question", "wish", "small talk")
_TRAILER = pattern("question", "trailer", "small talk")


def asking_part(text: str) -> str:
    """A message without what asks for nothing at its beginning and its end; "" where all of it asks for nothing.

    A wish is left with what is wished for: "I'd like to know the revenue" asks for "the revenue".
    """
    parts = _PART.split(" ".join(text.split()))
    while parts and _asks_nothing(parts[0]):
        parts = parts[1:]
    while parts and _asks_nothing(parts[-1]):
        parts = parts[:-1]
    return _wished(_joined(text, parts).rstrip(" ,;:")) if parts else ""


def _joined(text: str, parts: Sequence[str]) -> str:
    """The stretch of a message from the first to the last of some of its parts."""
    flat = " ".join(text.split())
    start = flat.find(parts[0])
    return flat[start : flat.rfind(parts[-1]) + len(parts[-1])]


def _wished(text: str) -> str:
    """What a wish wishes for; a message that is none as it is."""
    wish = _WISH.match(text)
    if wish is None:
        return text
    rest = _TRAILER.sub("", text[wish.end() :].strip(" ,:."))
    return rest if _named(rest) else text


def _asks_nothing(part: str) -> bool:
    """Whether a part of a message is small talk."""
    if _ALONE.match(part):
        return False
    wish = _WISH.match(part)
    if wish is not None:
        return not _named(part[wish.end() :])
    if _THANKS.match(part) or _STATEMENT.match(part):
        return True
    if _named(part):
        return False
    return not _QUESTION.search(part) or bool(_PERSONS.search(part)) or _is_courteous(part)


def _named(text: str) -> list[str]:
    """The words of a text that may name something."""
    known = word_set("question", "courtesy") | word_set("question", "grammar")
    return [word for word in _WORD.findall(text.casefold()) if word not in known]


def _is_courteous(text: str) -> bool:
    return not word_set("question", "courtesy").isdisjoint(_WORD.findall(text.casefold()))
