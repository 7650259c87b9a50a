"""Chunks as gold: which window of a ranking is the chunk that a question was written about.

A chunk's id is a UUID of version 5 in the DNS namespace, after Tran and Larsson (2026), section 4.3.1: the same whenever the same
page is cut in the same way. A window of other bounds is the gold chunk when it holds more than half of it, so that recipes that
cut otherwise are measured by the same questions; neighbours that share a few tokens are not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import NAMESPACE_DNS, uuid5

from pincite.records.runfile import Spot

RUN = 5
"""Words in a row by which texts are held against each other."""
SHARE = 0.5
"""Of the runs of words of a gold chunk, what a window must hold more than."""

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Window:
    """An entry that was found: its own id, the page it stands on ("" and 0 for none), and its text."""

    id: str
    spot: Spot
    text: str


def chunk_id(version: str, node: str, tokens: int, at: int) -> str:
    """The id of the window that is counted `at` on a page (its node) of a document's version, of so many tokens."""
    return str(uuid5(NAMESPACE_DNS, f"{version} {node} {tokens} {at}"))


def gold_chunks(gold: Row) -> dict[str, str]:
    """The gold chunks of a row, id -> text: its `chunks`, or the one that its question was written about (`source`)."""
    listed = gold.get("chunks")
    if isinstance(listed, list):
        return {str(chunk["id"]): str(chunk["text"]) for chunk in listed}
    source = gold.get("source")
    if isinstance(source, Mapping) and source.get("chunk") and source.get("text"):
        return {str(source["chunk"]): str(source["text"])}
    return {}


def named_chunks(
    windows: Sequence[Window], gold: Mapping[str, str], spots: frozenset[Spot]
) -> list[str]:
    """The ids of windows in their order, each once: of the gold chunk that a window on a gold page holds most of, or its own."""
    wanted = {key: _runs(text) for key, text in gold.items()}
    named = (_named(window, wanted, spots) for window in windows)
    return list(dict.fromkeys(named))


def _named(window: Window, wanted: Mapping[str, set[str]], spots: frozenset[Spot]) -> str:
    if spots and window.spot not in spots:
        return window.id
    held = _runs(window.text)
    shares = {key: len(runs & held) / len(runs) for key, runs in wanted.items() if runs}
    best = max(shares, key=shares.__getitem__, default="")
    return best if best and shares[best] > SHARE else window.id


def _runs(text: str) -> set[str]:
    """The runs of RUN words of a text; the whole where it is shorter."""
    words = text.split()
    return {" ".join(words[at : at + RUN]) for at in range(max(len(words) - RUN + 1, 1))} - {""}
