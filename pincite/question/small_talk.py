"""What of a message asks for something: greetings, thanks and remarks ask for nothing.

A part of a message asks for nothing where it is a statement, and where it names nothing that could be looked up: its words are
of grammar or courtesy alone (lists of both are data), or no document holds them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pincite.text.lexicon import pattern, word_set

Held = Callable[[str], bool]
"""Whether the words of a text stand together in a document."""

_PART = pattern("question", "part", "small talk")
_WORD = pattern("question", "word", "small talk")
_ALONE = pattern("question", "alone", "small talk")
_QUESTION = pattern("question", "question", "small talk")
_OPENING = pattern("question", "opening", "small talk")
_PERSONS = pattern("question", "persons", "small talk")
_THANKS = pattern("question", "thanks", "small talk")
_STATEMENT = pattern("question", "statement", "small talk")
_WISH = pattern("question", "wish", "small talk")
_FAVOUR = pattern("question", "favour", "small talk")
_ADDRESSED = pattern("question", "addressed", "small talk")
_TRAILER = pattern("question", "trailer", "small talk")
_ENDS = (".", "!", "?", "…")


def asking_part(text: str, held: Held = lambda text: True) -> str:
    """A message without what asks for nothing at its beginning and its end; "" where all of it asks for nothing.

    A wish is left with what is wished for: "I'd like to know the revenue" asks for "the revenue".
    """
    parts = _PART.split(" ".join(text.split()))
    while parts and (_asks_nothing(parts[0]) or _leads_nowhere(parts, held)):
        parts = parts[1:]
    while parts and (_asks_nothing(parts[-1]) or _follows_nothing(parts, held)):
        parts = parts[:-1]
    wishes = [at for at, part in enumerate(parts) if _WISH.match(part)]
    return _wished(_joined(text, parts[wishes[-1] if wishes else 0 :])) if parts else ""


def _leads_nowhere(parts: Sequence[str], held: Held) -> bool:
    """Whether the first part names what no document holds, and belongs to no question."""
    last = next((at for at, part in enumerate(parts) if part.endswith(_ENDS)), len(parts) - 1)
    rest = parts[1 : last + 1]
    asks = any("?" in part or _OPENING.match(part) for part in rest)
    return not asks and _is_unheld(parts[0], held)


def _follows_nothing(parts: Sequence[str], held: Held) -> bool:
    """Whether the last part, a sentence by itself or one that goes on from small talk, names what no document holds."""
    return (
        len(parts) > 1
        and (parts[-2].endswith(_ENDS) or _asks_nothing(parts[-2]))
        and _is_unheld(parts[-1], held)
    )


def _is_unheld(part: str, held: Held) -> bool:
    """Whether a part is no question, and its words stand together in no document."""
    if favour := _FAVOUR.match(part):
        return not held(" ".join(_named(part[favour.end() :])))
    if "?" in part or any(map(str.isdigit, part)) or _OPENING.match(part) or _WISH.match(part):
        return False
    return not held(" ".join(_named(part)))


def _joined(text: str, parts: Sequence[str]) -> str:
    """The stretch of a message from the first to the last of some of its parts."""
    flat = " ".join(text.split())
    start = flat.find(parts[0])
    return flat[start : flat.rfind(parts[-1]) + len(parts[-1])]


def _wished(text: str) -> str:
    """What a wish wishes for; a message that is none as it is."""
    bare = _TRAILER.sub("", text).rstrip(" ,;:")
    wish = _WISH.match(bare)
    rest = bare[wish.end() :].strip(" ,:.") if wish else ""
    return rest if _named(rest) else bare


def _asks_nothing(part: str) -> bool:
    """Whether a part of a message is small talk."""
    if _ALONE.match(part):
        return False
    wish = _WISH.match(part)
    if wish is not None:
        return not _named(part[wish.end() :])
    if _THANKS.match(part) or _STATEMENT.match(part) or _addressed(part):
        return True
    if _named(part):
        return False
    return not _QUESTION.search(part) or bool(_PERSONS.search(part)) or _is_courteous(part)


def _addressed(part: str) -> bool:
    """Whether a part is about whoever answers, and names nobody else."""
    return bool(_ADDRESSED.search(part)) and not any(map(str.isupper, part.strip()[1:]))


def _named(text: str) -> list[str]:
    """The words of a text that may name something."""
    known = word_set("question", "courtesy") | word_set("question", "grammar")
    return [word for word in _WORD.findall(text.casefold()) if word not in known]


def _is_courteous(text: str) -> bool:
    return not word_set("question", "courtesy").isdisjoint(_WORD.findall(text.casefold()))
