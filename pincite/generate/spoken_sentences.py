"""Prose of a model against its sources: its numbers must appear there, its words must come from what it cites, and it has no
links. Words are not proof: beyond its numbers and names, a sentence is only required to use words of the cited places or of the
question.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain

from pincite.document.sentence_spans import sentences
from pincite.document.words import words
from pincite.evidence.candidate import Evidence
from pincite.evidence.cited_place import clipped
from pincite.generate.orders import gives_orders
from pincite.generate.problem import ReplyProblem
from pincite.generate.shown_pages import visible
from pincite.generate.source_places import folded, means, numbers_at
from pincite.quantity import find, rounded
from pincite.types import Quantity

_LINK = re.compile(
    r"(?:https?|ftp|data|javascript):|\bwww\.|!?\[[^\]]*\]\(|\]\s*\[|<[a-z!/][^>]*>", re.IGNORECASE
)
_SHARE = 0.5
"""The share of a sentence's content words, but those of the question, that stand in the passages it rests on."""


def links(text: str) -> bool:
    """Whether a text holds a link, a picture or a tag."""
    return bool(_LINK.search(text))


def unsaid(prose: str, question: str, sources: Sequence[Evidence]) -> ReplyProblem | None:
    """What in a model's prose its sources do not carry; None when nothing is found wanting.

    Every number must stand at a cited place or in the question; a rounded one counts as standing there, and so does a sentence
    that is copied from it.
    """
    if links(prose) or visible(prose) != prose:
        return ReplyProblem(
            "it holds a link, markup or characters that cannot be seen",
            "Write the answer again in plain words, without them.",
        )
    if gives_orders(prose):
        return ReplyProblem(
            "it gives orders instead of an answer",
            "Write what the cited sentences say on the question, or answer N/A.",
        )
    there = [found.quantity for found in find(question)]
    there += [number.quantity for number in chain.from_iterable(map(numbers_at, sources))]
    told, known = frozenset(words(question)), _terms(sources)
    copied = "\n".join(folded(source.quote)[0] for source in sources)
    for start, end in sentences(prose) or [(0, len(prose))]:
        sentence = prose[start:end]
        if folded(sentence)[0] in copied:
            continue
        if foreign := next(
            (number for number in find(sentence) if not _stands_among(number.quantity, there)),
            None,
        ):
            return ReplyProblem(
                f"{clipped(sentence[foreign.start : foreign.end])} does not stand at the places that are cited",
                "Cite the sentence that holds this number as well, write the number as it is printed, or leave it out.",
                unfound=True,
            )
        if not _worded_there(sentence, told, known):
            return ReplyProblem(
                f"'{clipped(sentence)}' is not what the cited places say",
                "Say it in the words of the sentences cited, cite the ones that say it, or answer N/A.",
                unfound=True,
            )
    return None


def _worded_there(sentence: str, told: frozenset[str], known: frozenset[str]) -> bool:
    """Whether enough of a sentence's content words, but those of the question, are among the known ones."""
    own = [word for word in words(sentence) if not word[0].isdigit() and word not in told]
    return sum(word in known for word in own) >= _SHARE * len(own)


def _stands_among(said: Quantity, there: Iterable[Quantity]) -> bool:
    return any(_stands(said, quantity) for quantity in there)


def _stands(said: Quantity, there: Quantity) -> bool:
    """Whether a number is the one at a place, or that one rounded; a unit that the place leaves unsaid is not held against it."""
    bare = replace(said, unit="") if said.unit and not there.unit else said
    return means(bare, there) or rounded(
        bare if bare.unit else replace(bare, unit=there.unit), there
    )


def _terms(sources: Iterable[Evidence]) -> frozenset[str]:
    out: set[str] = set()
    for source in sources:
        out.update(words(source.node.text))
        out.update(words(source.node.anchor.path))
    return frozenset(out)
