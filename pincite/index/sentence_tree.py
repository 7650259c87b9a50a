"""Sentences, and above them paragraphs and sections whose vectors are the means of those below (KohakuRAG).

Only sentences, and blocks that have none, are encoded: a dense index makes a parent's vector from its children's.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pincite.types import Document, Entry, Kind, Node


@dataclass(frozen=True, slots=True)
class SentenceTree:
    """Every sentence, every block without sentences (a table, a caption), and their parents of the kinds `parents`.

    A parent's children are the entries nearest below it: those of a section are its paragraphs, or their sentences when
    "paragraph" is no parent. Pages are not in the tree and headings are not children: their text is their section's.
    """

    parents: tuple[Kind, ...] = ("paragraph", "list", "footnote", "section")

    def __call__(self, document: Document) -> Iterable[Entry]:
        """Yield the entries in reading order, a parent before its children."""
        below: dict[str, list[Node]] = {}
        for node in document.nodes:
            below.setdefault(node.parent, []).append(node)
        means: dict[str, tuple[str, ...]] = {}
        leaves: set[str] = set()

        def nearest(node: Node) -> tuple[str, ...]:
            """The ids of the entries at or nearest below a node."""
            under = below.get(node.id, [])
            found = tuple(sentence for child in under for sentence in nearest(child))
            if node.kind in ("page", "heading"):
                return ()
            if node.kind not in ("document", "section") and not any(
                child.kind == "sentence" for child in under
            ):
                if not node.text.strip():
                    return found
                leaves.add(node.id)
                return (node.id,)
            if node.kind not in self.parents or not found:
                return found
            means[node.id] = found
            return (node.id,)

        for root in below.get("", []):
            nearest(root)
        for node in document.nodes:
            if node.id in leaves or node.id in means:
                yield Entry(node.id, node.kind, node.text, children=means.get(node.id, ()))
