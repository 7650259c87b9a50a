"""Passages in German and Swedish with English words of grammar, every character in its place, and candidates turned back."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import replace

from pincite.document.derived import kept
from pincite.evidence.candidate import Candidate, Evidence, Passage
from pincite.text.gloss import TELLING, glosses, in_place
from pincite.text.language import ENGLISH, language_of
from pincite.types import Node, Quantity


def glossed(passages: Sequence[Passage]) -> list[Passage]:
    """Passages with English words of grammar, every character in its place; those in other languages as they are."""
    turned = [_in_english(passage.node, passage.languages) for passage in passages]
    return [
        replace(passage, node=node) if node else passage
        for passage, node in zip(passages, turned, strict=True)
    ]


def restored(candidates: Sequence[Candidate], passages: Sequence[Passage]) -> list[Candidate]:
    """Candidates read from glossed passages with the evidence and the words of the original `passages`."""
    held = {passage.node.id: passage.node for passage in passages}
    return [_restored(candidate, held) for candidate in candidates]


@kept
def _in_english(node: Node, languages: tuple[str, ...]) -> Node | None:
    """A node of these languages with English words of grammar; None when it stays as it is."""
    spoken = [code for code in languages if code]
    if node.table is not None or (spoken and not glosses().keys() & set(spoken)):
        return None
    known = spoken or (ENGLISH, *glosses())
    code = known[0] if len(spoken) == 1 else language_of(node.text, known, TELLING)
    return replace(node, text=in_place(node.text, code)) if code in glosses() else None


def _restored(candidate: Candidate, held: Mapping[str, Node]) -> Candidate:
    """A candidate with its evidence in the original nodes, and its words as they stand there."""
    read = candidate.evidence
    evidence = tuple(
        replace(where, node=held[where.node.id], quote=_own_quote(where, held)) for where in read
    )
    if evidence == read:
        return candidate
    value = candidate.value
    if isinstance(value, str):
        value = _own_words(value, read, held)
    elif isinstance(value, Quantity):
        value = replace(value, text=_own_words(value.text, read, held))
    return replace(candidate, evidence=evidence, value=value)


def _own_quote(where: Evidence, held: Mapping[str, Node]) -> str:
    """A quote as its passage has it; blanks that were drawn together do not matter."""
    own = held[where.node.id].text
    if not where.quote or own == where.node.text:
        return where.quote
    found = re.search(r"\s+".join(map(re.escape, where.quote.split())), _plain(where.node.text))
    return " ".join(own[found.start() : found.end()].split()) if found else where.quote


def _plain(text: str) -> str:
    """Compatibility characters as plain ones, as readers quote them, where that keeps every place."""
    if text.isascii():
        return text
    return "".join(
        form if len(form := unicodedata.normalize("NFKC", character)) == 1 else character
        for character in text
    )


def _own_words(value: str, evidence: Sequence[Evidence], held: Mapping[str, Node]) -> str:
    """A value as its passage has it: the glossed one is found again by the words that fill its place."""
    for where in evidence:
        text = where.node.text[where.start : where.end]
        if where.end and " ".join(text.split()) == " ".join(value.split()):
            return " ".join(held[where.node.id].text[where.start : where.end].split())
        if where.end and (at := text.find(value)) >= 0:
            start = where.start + at
            return held[where.node.id].text[start : start + len(value)]
    return value
