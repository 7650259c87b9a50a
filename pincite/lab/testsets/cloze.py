"""Sentences with a gap: a number or a name is taken out of a sentence that can be understood without its neighbours.

A gap is made only where the sentence around it occurs in the document with a single filling. Such questions repeat the words of
their sentence, so that lexical searches find it more easily than they find what people ask.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from pincite.lab.testsets.gold_rows import Row, number_gold, row_of
from pincite.quantity import find
from pincite.types import Document, Node, Quantity

GAP = "____"
WORDS = 10, 45
"""A sentence has so many words: fewer say too little to be recognised, more are mostly badly cut."""
LEAST = 10
"""A bare number below this counts things by the way, and many sentences of a report would hold it."""

_POINTING = frozenset(
    "this these those that it its they their them he she his her we our such both another other others however therefore thus "
    "moreover furthermore additionally also but and or so hence then here there see note where which for example similarly "
    "instead finally consequently accordingly as in addition meanwhile likewise conversely nevertheless nonetheless".split()
) - {"in", "for", "as", "addition", "we", "our"}
_SMALL = frozenset("the a an of to in and for by with on at from as that".split())
_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|be|been|can|could|will|would|may|does|did|do|[a-z]{3,}ed|[a-z]{3,}es)\b"
)
_NOT_PROSE = re.compile(
    r"https?:|www\.|doi|arxiv|isbn|@|\bet al\b|\bpp?\. ?\d|\bvol\.|\bproceedings\b|\bpreprint\b|\.{4,}|_{3,}|[|•■●□☐☒✓]|\bsee\b"
    r"|\b\d+[A-Z][a-z]|\d, \d|\b(?:fig(?:ure)?|table|section|chapter|appendix|note|item|exhibit|equation|page)s?\.? ?\d",
    re.IGNORECASE,
)
_CITED = re.compile(r"\[[\d,;–\- ]+\]|\([A-Z][^()]*(?:19|20)\d\d[a-z]?\)")
_DIGITS = re.compile(r"\d[\d.,]*(?<![.,])")
_NAME = re.compile(
    r"(?<![\w.’'-])[A-Z][a-z]++(?:[-’'][A-Za-z]++)?"
    r"(?: (?:(?:of|de|van|von|der|&) )?(?=[A-Z][A-Za-z]*?[a-z]{2})[A-Za-z]++(?:-[A-Za-z]++)?){1,3}"
    r"(?![\w-])(?! (?:(?:and|&|of) )?[A-Z\d])(?!, (?:Inc|Ltd|LLC|L\.P|Corp))"
)
_NO_NAMES = re.compile(
    r"\b(?:January|February|March|April|May|June|July|August|September|October|November|December|Monday|Tuesday|Wednesday"
    r"|Thursday|Friday|Saturday|Sunday|Table|Figure|Section|Note|Item|Part|Form|Chapter|Appendix|Annex|The|This|These|In|We|Our"
    r"|Act|Rule|Schedule|Company|Board|Group|Committee|Report|Statements?|Year|Quarter)\b"
)


class Gap(NamedTuple):
    """What is taken out of a sentence: [start, end) of it, and the number that it is (None for a name)."""

    start: int
    end: int
    quantity: Quantity | None


def cloze(document: Document, name: str) -> list[Row]:
    """A question for every sentence of the document's prose that has a gap to fill; of several gaps the first."""
    prose = {node.id for node in document.nodes if node.kind == "paragraph"}
    sentences = [
        node for node in document.nodes if node.kind == "sentence" and node.parent in prose
    ]
    fillings: dict[str, set[str]] = {}
    found: list[tuple[Node, str, Gap, str]] = []
    for node in sentences:
        text = _CITED.sub("", " ".join(node.text.split())).replace(" .", ".").replace(" ,", ",")
        for gap in gaps(text):
            open_ = f"{text[: gap.start]}{GAP}{text[gap.end :]}"
            # sentences that differ in numbers alone are the same of different years
            fillings.setdefault(_plain(open_), set()).add(text)
            found.append((node, open_, gap, text[gap.start : gap.end]))
    made: dict[str, Row] = {}
    for node, open_, gap, taken in found:
        if node.id not in made and len(fillings[_plain(open_)]) == 1:
            made[node.id] = _question(document, name, node, open_, gap, taken)
    return list(made.values())


def gaps(sentence: str) -> Iterator[Gap]:
    """Where a sentence may be asked about, numbers first; nothing for one that does not stand alone."""
    if not stands_alone(sentence):
        return
    for quantity in find(sentence):
        digits = _DIGITS.findall(sentence[quantity.start : quantity.end])
        start = sentence.find(digits[0], quantity.start) if len(digits) == 1 else -1
        end = start + len(digits[0]) if digits else start
        if (
            start >= 0
            and _asks(quantity.quantity, sentence[start:])
            and sentence.count(sentence[start:end]) == 1
        ):
            yield Gap(start, end, quantity.quantity)
    for match in _NAME.finditer(sentence):
        part = re.search(r"[A-Z][\w.’-]* $|[/‘’'-]$", sentence[: match.start()])
        if (
            match.start()
            and not part
            and not _NO_NAMES.search(match[0])
            and sentence.count(match[0]) == 1
        ):
            yield Gap(match.start(), match.end(), None)


def stands_alone(sentence: str) -> bool:
    """Whether a text is one whole sentence of prose that does not point at another: by rule, so not always."""
    words = re.findall(r"[A-Za-zÀ-ÿ’'-]+", sentence)
    if (
        not WORDS[0] <= len(sentence.split()) <= WORDS[1]
        or not words
        or not re.match(r"[A-Z][\w’'-]* ", sentence)
    ):
        return False
    letters = sum(len(word) for word in words) / len(sentence.replace(" ", ""))
    small = {word.casefold() for word in words} & _SMALL
    return (
        sentence[-1] == "." and letters >= 0.75 and len(small) >= 3 and words[0].casefold() not in _POINTING
        and not _NOT_PROSE.search(sentence) and _VERB.search(sentence) is not None
        and sentence.count("(") == sentence.count(")") and sentence.count("“") == sentence.count("”") and '"' not in sentence
    )  # fmt: skip


def _asks(quantity: Quantity, written: str) -> bool:
    """Whether a number tells how much or how many: it has a unit, a scale or separators, or counts what follows it."""
    if quantity.unit == "year" or quantity.low is not None:
        return False
    counts = quantity.value >= LEAST and re.match(r"\d+[.,]\d|\d+ [a-z]{3}", written) is not None
    return bool(quantity.unit) or quantity.scale != 1 or counts


def _plain(text: str) -> str:
    return re.sub(r"\d[\d.,]*", "0", text).casefold()


def _question(document: Document, name: str, node: Node, open_: str, gap: Gap, taken: str) -> Row:
    gold: dict[str, Any]
    if gap.quantity is None:
        kind, gold = "name", {"kind": "name", "answer": taken, "answer_type": "text"}
    else:
        kind, gold = "number", number_gold(gap.quantity, taken)
    return row_of(
        f'According to {name}, which {kind} is missing here: "{open_}"',
        document, [node], [node.anchor.page], "cloze", node.id, gold, sentence=open_.replace(GAP, taken),
    )  # fmt: skip
