"""Which lines of what was found a model is shown: a small one the best of them, a large one all that may be shown."""

from __future__ import annotations

from collections.abc import Sequence

from pincite.evidence.cited_place import clipped
from pincite.evidence.orders import trusted
from pincite.generate.line_prompts import BRIEF, may_be_shown, place_of
from pincite.generate.shown_pieces import Piece
from pincite.lines.line import Line
from pincite.lines.making import lines_of
from pincite.lines.ranking import ranked_lines
from pincite.models.endpoints.token_counts import approximate_spans
from pincite.models.local.weights import LOCAL, is_small
from pincite.ports import Encoder, Model
from pincite.question.ask import Ask
from pincite.text.words import stems

LONGEST = 24_000
"""Characters of one piece; of a longer one the lines that share most words with the question are shown."""


def reads_little(model: Model) -> bool:
    """Whether a model is so small (below 8 billion parameters) that it is shown only the best lines."""
    return is_small(model.name) or is_small(f"{LOCAL}{model.name}")


def lines_in(ask: Ask, pieces: Sequence[Piece]) -> list[Line]:
    """The lines of pieces, piece by piece in their order: none beside orders, none of a document that is not asked for."""
    shown: dict[tuple[object, ...], Line] = {}
    for piece in pieces:
        own = lines_of([passage for passage in piece if not passage.apart])
        fair = [line for line in own if trusted(line.evidence(), piece)]
        for line in _fitting(ask, fair):
            shown.setdefault((line.passage.node.id, line.row, line.start, line.end), line)
    return list(shown.values())


def _fitting(ask: Ask, lines: Sequence[Line]) -> Sequence[Line]:
    """The lines that fit into one piece, in order; when not all do, those with most of the question's words."""
    sizes = [len(line.text) for line in lines]
    room = LONGEST
    if sum(sizes) <= room:
        return lines
    shared = [len(ask.stems.intersection(stems(line.text))) for line in lines]
    kept = set()
    for at in sorted(range(len(lines)), key=lambda at: -shared[at]):
        if sizes[at] <= room:
            kept.add(at)
            room -= sizes[at]
    return [lines[at] for at in sorted(kept)]


def best_lines(ask: Ask, lines: Sequence[Line], encoder: Encoder) -> list[Line]:
    """The best of the lines for a question, best first."""
    if ask.asks_reason:
        # a reason stands in a sentence
        lines = [line for line in lines if line.row is None] or lines
    return ranked_lines(ask, lines, encoder)


def shown(ask: Ask, lines: Sequence[Line], tokens: int) -> list[Line]:
    """The first lines that have about so many tokens together: section by section, those of one in the order of their page."""
    kept: dict[str, list[Line]] = {}
    said: set[str] = set()
    for line in lines:
        text = line.written(ask.periods)
        if text in said or not may_be_shown(line):
            continue
        said.add(text)
        section = place_of(line)
        size = len(approximate_spans(clipped(text, BRIEF.line))) + 2
        size += 0 if section in kept else len(approximate_spans(section)) + 2
        if kept and size > tokens:
            break
        kept.setdefault(section, []).append(line)
        tokens -= size
    return [line for some in kept.values() for line in sorted(some, key=_place)]


def _place(line: Line) -> tuple[int, int, int, int]:
    """Where a line stands in its document."""
    return (line.passage.rank, line.passage.node.order, line.row or 0, line.start)
