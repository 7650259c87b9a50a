"""What the judge of evidence reads: a question and a place that may answer it, both as short texts.

A place is a cell of a table with its labels, or a sentence with its heading. The candidate value stands in square
brackets, the only ones in the text. The judge is trained on the texts that are made here and reads nothing else, so that
what it learned and what it is asked are written alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from pincite.models.encoder import MiniLM

LENGTH = 80
"""The most tokens of a question and a place together, with the three that the encoder puts around them."""
PLACE = 112
"""The most tokens of a place alone."""
QUESTION = 48
"""The most tokens of a question, so that a long one leaves room for the place."""
PATH, VALUE, CAPTION, NEIGHBOUR, HEADING = 24, 24, 20, 12, 16
"""The most tokens of each part of a place."""

_AROUND = 3
_BLANKS = "".join(map(chr, (*range(32), *range(127, 160), 0x2028, 0x2029)))
"""Controls and breaks of lines, at which we part words and the encoder does not."""
_PLAIN = str.maketrans("[]" + _BLANKS, "()" + " " * len(_BLANKS))


@dataclass(frozen=True, slots=True)
class CellPlace:
    """A cell: the labels of its row and of its column, each from the outermost inwards, and what stands beside it.

    `neighbours` are cells of the same row and column as "label: value", the nearest first.
    """

    row: tuple[str, ...]
    column: tuple[str, ...]
    value: str
    caption: str = ""
    neighbours: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SentencePlace:
    """A sentence under its heading; the candidate value is sentence[start:end], or the whole sentence where both are 0."""

    heading: str
    sentence: str
    start: int = 0
    end: int = 0


Place = CellPlace | SentencePlace


def serialise(place: Place, tokens: int = PLACE) -> str:
    """The text of `place` in at most `tokens` tokens of the encoder (at least 16).

    A cell is "row > path | column > path | [value] | caption | neighbour; neighbour": what does not fit goes from the
    end. A sentence is "heading | sentence [with its value] marked": of a long one the part around the value stays.
    """
    if tokens < 16:
        raise ValueError(f"{tokens} tokens hold no place: give at least 16")
    return _cell(place, tokens) if isinstance(place, CellPlace) else _sentence(place, tokens)


def pair(question: str, place: Place, length: int = LENGTH) -> tuple[str, str]:
    """The two texts that the judge reads: together at most `length` tokens, those between and around them included."""
    asked = _head(_plain(question), min(QUESTION, length - _AROUND - 16))
    return asked, serialise(place, min(PLACE, length - _AROUND - _count(asked)))


def _cell(place: CellPlace, tokens: int) -> str:
    value = f"[{_head(_plain(place.value), min(VALUE, tokens // 3))}]"
    room = (tokens - _count(value) - 2) // 2
    row, column = (_path(labels, min(PATH, room)) for labels in (place.row, place.column))
    text = f"{row} | {column} | {value}"
    left = tokens - _count(text) - 1
    caption = _head(_plain(place.caption), min(CAPTION, left))
    if caption:
        text += f" | {caption}"
        left -= _count(caption) + 1
    return text + _beside(place.neighbours, left)


def _beside(neighbours: Sequence[str], left: int) -> str:
    """The neighbours that fit into `left` tokens, each with the mark before it."""
    text = ""
    for neighbour in neighbours:
        piece = _head(_plain(neighbour), NEIGHBOUR)
        left -= _count(piece) + 1
        if left < 0:
            break
        text += ("; " if text else " | ") + piece
    return text


def _path(labels: Sequence[str], tokens: int) -> str:
    """Labels joined from the outermost inwards; where they are too long, the innermost stay."""
    text = ""
    for label in reversed([_plain(label) for label in labels]):
        if not label:
            continue
        left = tokens - _count(text) - (1 if text else 0)
        if left <= 0:
            break
        piece = _head(label, left)
        text = f"{piece} > {text}" if text else piece
    return text


def _sentence(place: SentencePlace, tokens: int) -> str:
    heading = _head(_plain(place.heading), min(HEADING, tokens // 3))
    left = tokens - (_count(heading) + 1 if heading else 0)
    sentence = place.sentence.translate(_PLAIN)
    start, end = place.start, place.end
    if start < end:
        end = start + len(_head(sentence[start:end], left // 2))
        sentence = f"{sentence[:start]}[{sentence[start:end]}]{sentence[end:]}"
        end += 2
    text = _around(sentence, start, end, left)
    return f"{heading} | {text}" if heading else text


def _around(text: str, start: int, end: int, tokens: int) -> str:
    """At most `tokens` tokens of `text` around text[start:end], a quarter of the rest before it."""
    spans = MiniLM().spans(text)
    if len(spans) <= tokens:
        return _line(text)
    inside = [i for i, span in enumerate(spans) if start <= span[0] and span[1] <= end] or [0]
    before = (tokens - len(inside)) // 4
    first = max(0, min(inside[0] - before, len(spans) - tokens))
    last = min(first + tokens, len(spans)) - 1
    return _line(text[spans[first][0] : spans[last][1]])


def _plain(text: str) -> str:
    """`text` on one line, its square brackets round: no text of a document can look like our mark."""
    return _line(text.translate(_PLAIN))


def _line(text: str) -> str:
    return " ".join(text.split())


def _head(text: str, tokens: int) -> str:
    """The first `tokens` tokens of `text`."""
    if tokens <= 0:
        return ""
    spans = _spans(text)
    return text if len(spans) <= tokens else text[: spans[tokens - 1][1]]


def _count(text: str) -> int:
    return len(_spans(text))


@lru_cache(maxsize=4096)
def _spans(text: str) -> list[tuple[int, int]]:
    return MiniLM().spans(text)
