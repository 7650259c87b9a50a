"""Passages that give orders to whoever reads them, or pretend to be part of the conversation: nothing in them is evidence.

The prompt tells a model not to follow them; what is said here holds also when it does. A document about prompt injection
loses only the sentences around such a phrase.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from pincite.document.sentences import read
from pincite.evidence.candidate import Evidence, Passage
from pincite.text.lexicon import pattern
from pincite.untrusted import visible

_ORDER = pattern("generate", "order")
"""An order to a reader, an assistant or a system; a picture that would be fetched; a comment."""
_LINK = re.compile(
    r"(?:https?|ftp|data|javascript):|\bwww\.|!?\[[^\]]*\]\(|\]\s*\[|<[a-z!/][^>]*>", re.IGNORECASE
)
_FORGED = pattern("generate", "forged")
"""Text that plays a part of the conversation, or closes the part that documents stand in."""


def gives_orders(text: str) -> bool:
    """Whether a text orders its reader about or pretends to be more than a document."""
    return bool(_ORDER.search(text) or _FORGED.search(text))


def links(text: str) -> bool:
    """Whether a text holds a link, a picture or a tag."""
    return bool(_LINK.search(text))


def trusted(evidence: Evidence, page: Sequence[Passage]) -> bool:
    """Whether a place may be evidence: no order in its sentence or the two around it, nothing forged before it on its page.

    For cells their whole row counts.
    """
    node = evidence.node
    if any(
        _forged_at(passage.node.text) >= 0 for passage in page if passage.node.order < node.order
    ):
        return False
    forged = _forged_at(node.text)
    if not evidence.cells or node.table is None:
        return not 0 <= forged < evidence.end and not _orders(
            window(node.text, evidence.start, evidence.end)
        )
    rows = {row for row, _ in evidence.cells}
    own = " ".join(cell.text for cell in node.table.cells if cell.row in rows)
    return forged < 0 and not _orders(own)


@lru_cache(maxsize=4096)
def _orders(text: str) -> bool:
    return gives_orders(visible(text))


@lru_cache(maxsize=4096)
def _forged_at(text: str) -> int:
    """Where a text first plays a part of the conversation; -1 when it does not, 0 when unseen characters hide it."""
    if not _FORGED.search(visible(text)):
        return -1
    found = _FORGED.search(text)
    return found.start() if found else 0


def window(text: str, start: int, end: int) -> str:
    """The sentences of characters [start, end) of a text with the one before and the one after."""
    segments = read(text).segments
    hit = [
        at for at, segment in enumerate(segments) if segment.start < end and segment.end > start
    ]
    if not hit:
        return text
    return text[
        segments[max(0, hit[0] - 1)].start : segments[min(len(segments) - 1, hit[-1] + 1)].end
    ]
