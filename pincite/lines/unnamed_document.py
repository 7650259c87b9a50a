"""A question without the names of the documents that are read: they say where to look, and no line there repeats them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pincite.evidence.candidate import Candidate, Passage
from pincite.evidence.judged_evidence import Asked, candidate_pairs
from pincite.question.ask import Ask
from pincite.question.proper_names import is_legal_form
from pincite.text.gloss import asked as read_as
from pincite.text.words import STOP, stems

LEAST = 3
"""A question of so few words asks nothing any more."""


def unnamed(ask: Ask, passages: Sequence[Passage]) -> Ask:
    """A question in another language without the words that name the document of the best page.

    The weights that English is read with were learned with such words in, so an English question keeps them.
    """
    if not passages or read_as(ask.query.text) == ask.query.text:
        return ask
    return _without(ask, f"{passages[0].title} {passages[0].document}")


def judged(
    ask: Ask, passages: Sequence[Passage], candidates: Sequence[Candidate]
) -> list[list[Asked]]:
    """What each candidate is judged by: the question without the words that name the document in which the candidate stands."""
    titles = {passage.document: passage.title for passage in passages}
    asked: dict[str, Ask] = {}
    made = []
    for candidate in candidates:
        title = titles.get(candidate.evidence[0].document, "") if candidate.evidence else ""
        if title not in asked:
            asked[title] = _without(ask, title)
        made.append(candidate_pairs(asked[title], candidate))
    return made


def _without(ask: Ask, name: str) -> Ask:
    """A question without the capitalised words of a name and the legal form behind them, its text, subject and terms; whole where
    it would ask nothing more.
    """
    names = set(stems(name))

    def left(text: str) -> str:
        kept, named = [], False
        for word in text.split():
            named = (
                word[:1].isupper()
                and set(stems(word)) <= names - STOP
                or named
                and is_legal_form(word)
            )
            if not named:
                kept.append(word)
        return " ".join(kept)

    text = left(ask.text)
    if len(text.split()) <= LEAST:
        return ask
    terms = tuple(term for term in ask.terms if term not in names)
    return replace(ask, text=text, subject=left(ask.subject), terms=terms)
