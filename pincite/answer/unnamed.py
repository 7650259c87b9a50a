"""A question without what names the documents that are read: it says where to look, and no line of theirs repeats it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from pincite.answer.candidate import Candidate, Passage
from pincite.answer.gloss import asked as read_as
from pincite.answer.judged import Asked, candidate_pairs
from pincite.answer.question import Ask
from pincite.answer.words import stems

LEAST = 3
"""A question of so few words asks nothing any more."""


def unnamed(ask: Ask, passages: Sequence[Passage]) -> Ask:
    """A question in another language without the words that name the document of the best page.

    The weights that English is read with were learned with such words in, so an English question keeps them.
    """
    if not passages or read_as(ask.query.text) == ask.query.text:
        return ask
    names = set(stems(f"{passages[0].title} {passages[0].document}"))
    text = _without(ask.text, names)
    if len(text.split()) <= LEAST:
        return ask
    terms = tuple(term for term in ask.terms if term not in names)
    return replace(ask, text=text, subject=_without(ask.subject, names), terms=terms)


def judged(ask: Ask, passages: Sequence[Passage], candidates: Sequence[Candidate]) -> list[list[Asked]]:
    """What each candidate is judged by: the question without the words that name the document in which the candidate stands."""
    titles = {passage.document: passage.title for passage in passages}
    asked: dict[str, Ask] = {}
    made = []
    for candidate in candidates:
        title = titles.get(candidate.evidence[0].document, "") if candidate.evidence else ""
        if title not in asked:
            asked[title] = _untitled(ask, title)
        made.append(candidate_pairs(asked[title], candidate))
    return made


def _untitled(ask: Ask, title: str) -> Ask:
    names = set(stems(title))
    text = _without(ask.text, names)
    return ask if len(text.split()) < LEAST else replace(ask, text=text, subject=_without(ask.subject, names))


def _without(text: str, names: Collection[str]) -> str:
    words = (word for word in text.split() if not (word[:1].isupper() and stems(word) and set(stems(word)) <= set(names)))
    return " ".join(words)
