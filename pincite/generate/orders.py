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
from pincite.generate.shown import visible

_ORDER = re.compile(
    r"\b(?:ignor\w*|disregard\w*|forget|overrid\w*|bypass\w*)\b[^.!?\n]{0,60}"
    r"\b(?:instruction|prompt|(?:rule|direction|guideline|message|question)s?\b.{0,30}\b(?:you|above|so\s+far)|told)s?\b"
    r"|\b(?:ignorier|ignorez|oubliez|ignora|olvid|ignore[rz]|dimentica|negeer|ignorera|glöm|vergiss|vergessen)\w*\b[^.!?\n]{0,60}"
    r"\b(?:anweisung|anleitung|instruct|instrucc|instru[cç]|istruzion|instrukt|consigne|regel|r[eè]gl|regla|frag|pregunta)\w*"
    r"|\b(?:you\s+are(?:\s+now)?|act\s+as|pretend\s+to\s+be|from\s+now\s+on,?\s+you\s+are)\s+(?:an?|the)\s+(?:\w+\s+)?"
    r"(?:assistant|AI|language\s+model|LLM|chat\s?bot|DAN|system)\b"
    r"|\b(?:AI|LLM|(?:AI|virtual|digital)\s+assistant|language\s+model|chat\s?bot)s?\b[^.!?\n]{0,30}"
    r"\b(?:must|should|shall|please|are\s+to|has\s+to|have\s+to)\s+(?:now\s+)?"
    r"(?:answer|reply|respond|report|output|say|state|cite|return|use|print|send|visit)\b"
    r"|\b(?:answer|reply|respond)\b\s+(?:only|always|exactly|instead|to\s+(?:all|any|every)|\"|'|"
    r"(?:every|all|any)\s+(?:user|question|quer)|with\s+(?:the\s+)?(?:value|word|number|figure|yes|no|just|only)\b)"
    r"|\b(?:return|output|print)\b\s+(?:only|always|exactly|instead|\"|')\s"
    r"|\b(?:always|only|simply|just)\s+(?:answer|reply|respond|output)\b"
    r"|\b(?:do\s+not|don['’]t|never)\s+(?:mention|reveal|tell|disclose|cite|show)\b[^.!?\n]{0,40}"
    r"\b(?:user|instruction|this|note|message|anyone|prompt)\b"
    r"|\b(?:cite|quote)\s+(?:me|(?:only\s+)?(?:this|the\s+present)\s+(?:page|document|passage|source|answer|value|file))\b"
    r"|\b(?:system\s+prompt|prompt\s+injection|previous\s+instructions|new\s+instructions|developer\s+mode|hidden\s+instruction)s?\b"
    r"|\banswer\s+to\s+(?:any|all|every|each|your)\b[^.!?\n]{0,30}\bquestions?\b"
    r"|\b(?:notes?|message|instructions?|attention|memo)\s+(?:to|for)\s+(?:all\s+|any\s+|the\s+)?"
    r"(?:AI|LLM|assistant|language\s+model|model|chat\s?bot|crawler|bot|agent|machine)s?\b"
    r"|!\[[^\]]*\]\(\s*(?:https?:)?//|<!--",
    re.IGNORECASE,
)  # fmt: skip
"""An order to a reader, an assistant or a system; a picture that would be fetched; a comment."""
_FORGED = re.compile(
    r"^\W{0,6}(?:system|assistant|user|developer|tool|function|human)\s*+(?:message|prompt|output|result|response|call)?\s*+\W{0,3}[:>\]]"
    r"|<\|?/?\s*(?:im_start|im_end|system|assistant|user|tool|context|document|instructions?|page|end|s|inst)\b[^>\n]{0,40}\|?>"
    r"|\[/?(?:INST|SYS|SYSTEM|CONTEXT|END[^\]]{0,20}|TOOL[^\]]{0,20})\]|<</?SYS>>"
    r"|={3,}+[^=\n]{0,120}\b(?:page|context|document)\b[^\n]{0,120}={3,}"
    r"|^\W{0,6}end\s+of\s+(?:the\s+)?(?:context|data|input|page\s+\d+\s+of\s+the\s+context)\W*$"
    r"|\"?(?:tool_call|tool_result|function_call|tool_calls|tool_use)s?\"?"
    r"|^\W{0,6}#{1,4}\s*(?:instruction|system|response|question|answer)s?\s*:?\s*$",
    re.IGNORECASE | re.MULTILINE,
)  # fmt: skip
"""Text that plays a part of the conversation, or closes the part that documents stand in."""


def gives_orders(text: str) -> bool:
    """Whether a text orders its reader about or pretends to be more than a document."""
    return bool(_ORDER.search(text) or _FORGED.search(text))


def trusted(evidence: Evidence, page: Sequence[Passage]) -> bool:
    """Whether a place may be evidence: no order in its sentence or the two around it, nothing forged before it on its page.

    For cells their whole row counts.
    """
    node = evidence.node
    if any(_forged_at(passage.node.text) >= 0 for passage in page if passage.node.order < node.order):
        return False
    forged = _forged_at(node.text)
    if not evidence.cells or node.table is None:
        return not 0 <= forged < evidence.end and not _orders(window(node.text, evidence.start, evidence.end))
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
    hit = [at for at, one in enumerate(segments) if one.start < end and one.end > start]
    if not hit:
        return text
    return text[segments[max(0, hit[0] - 1)].start : segments[min(len(segments) - 1, hit[-1] + 1)].end]
