"""From what was matched to what holds it: a sentence's paragraph, its section, its page.

Small texts match best and large ones read best: KohakuRAG matches sentences and shows their paragraph, the winner of the
Enterprise RAG Challenge matches chunks and reads their pages.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from pincite.corpus import Corpus
from pincite.stage import Stage
from pincite.types import Hit, Ranking


@dataclass(frozen=True)
class Expand(Stage[Ranking, Ranking]):
    """Each hit becomes the block of text, the section or the page that holds it; each once, best first.

    "paragraph" is whatever block a sentence stands in, a list or a footnote too. A hit that nothing of the kind holds stays
    what it is. `score` is that of the best hit in it, or the mean of all; equal ones keep their order. Its parts are the best
    of each search. The node of a section holds its title alone: its text is that of the nodes below it.
    """

    corpus: Corpus = field(repr=False, compare=False)
    to: Literal["paragraph", "section", "page"] = "paragraph"
    score: Literal["best", "mean"] = "best"

    def run(self, given: Ranking) -> Ranking:
        """Expand one ranking."""
        nodes = list(dict.fromkeys(hit.node for hit in given.hits))
        find = {"page": _pages, "section": _sections, "paragraph": _blocks}[self.to]
        holders = find(self.corpus, nodes)
        held: dict[tuple[str, int], list[Hit]] = {}
        for hit in given.hits:
            key = (holders[hit.node], 0) if hit.node in holders else (hit.node, hit.at)
            held.setdefault(key, []).append(hit)
        made = []
        for (node, at), hits in held.items():
            scores = [hit.score for hit in hits]
            score = max(scores) if self.score == "best" else sum(scores) / len(scores)
            made.append(Hit(node, score, at, _best_parts(hits)))
        return Ranking(given.query, tuple(sorted(made, key=lambda hit: -hit.score)))


def _pages(corpus: Corpus, ids: Sequence[str]) -> dict[str, str]:
    """The node of the page that each of these begins on."""
    places = corpus.places(ids)
    pages = {
        place: node.id
        for place in dict.fromkeys(places.values())
        for node in corpus.page(*place)
        if node.kind == "page"
    }
    return {node: pages[place] for node, place in places.items() if place in pages}


def _blocks(corpus: Corpus, ids: Sequence[str]) -> dict[str, str]:
    """The block that each sentence stands in."""
    nodes = corpus.nodes_by_id(ids).values()
    return {node.id: node.parent for node in nodes if node.kind == "sentence"}


def _sections(corpus: Corpus, ids: Sequence[str]) -> dict[str, str]:
    """The nearest section above each node."""
    nodes = corpus.nodes_by_id(ids)
    above = dict(nodes)
    while missing := {node.parent for node in above.values()} - nodes.keys() - {""}:
        above = corpus.nodes_by_id(sorted(missing))
        nodes |= above
    found: dict[str, str] = {}
    for identity in ids:
        at = identity
        while at in nodes and nodes[at].kind != "section":
            at = nodes[at].parent
        if at in nodes:
            found[identity] = at
    return found


def _best_parts(hits: Iterable[Hit]) -> tuple[tuple[str, int, float], ...]:
    parts: dict[str, tuple[str, int, float]] = {}
    for part in (part for hit in hits for part in hit.parts):
        if part[0] not in parts or part[1] < parts[part[0]][1]:
            parts[part[0]] = part
    return tuple(parts.values())
