"""The questions on which runs disagree as HTML: each with its gold and what every run said, side by side."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from itertools import groupby

from pincite.formats.svg import swatch
from pincite.lab.comparison.disagreements import Disagreement, Side
from pincite.lab.experiments.finished_runs import Run

QUOTES, CHECKS, PLACES = 4, 3, 6
"""How many citations and checks of an answer, and places of the gold, are shown."""


def disagreements(found: Sequence[Disagreement], runs: Sequence[Run]) -> str:
    """The questions that some run got right and another did not, under who was right."""
    if not found:
        return "<p>There are none: every question was right in all runs or in none.</p>"
    made = [
        f"<p>{len(found)} questions were right in some run and not in another. A citation or hit is marked "
        '<span class="up">●</span> where it is gold evidence.</p>'
    ]
    for pattern, some in groupby(found, key=lambda case: case.pattern):
        listed = list(some)
        right, wrong = (
            ", ".join(
                escape(run.name) for run, ok in zip(runs, pattern, strict=True) if ok is wanted
            )
            for wanted in (True, False)
        )
        title = f'<span class="up">Right:</span> {right} · <span class="down">not right:</span> {wrong}'
        body = "".join(case_html(each, runs) for each in listed)
        made.append(
            f'<details class="group" open><summary>{title} <span class="soft">({len(listed)})</span></summary>{body}</details>'
        )
    return "".join(made)


def case_html(case: Disagreement, runs: Sequence[Run]) -> str:
    """One question; runs that said the same share a card."""
    places = "; ".join(case.evidence[:PLACES]) + (" …" if len(case.evidence) > PLACES else "")
    cards: dict[tuple[str, str], list[int]] = {}
    for at, (run, side) in enumerate(zip(runs, case.sides, strict=True)):
        cards.setdefault((tag(side), side_html(run, side)), []).append(at)
    sides = "".join(
        card([(at, runs[at].name) for at in places], *told) for told, places in cards.items()
    )
    about = "".join(
        f" · {escape(each)}" for each in (f"question {case.id}", case.kind, places) if each
    )
    return (
        f'<article class="case" id="q-{escape(case.id, quote=True)}"><h4>{escape(case.question)}</h4>'
        f'<p class="gold"><b>Gold:</b> {escape(shown(case.gold)) or "–"}<span class="soft">{about}</span></p>'
        f'<div class="sides">{sides}</div></article>'
    )


def card(said_by: Sequence[tuple[int, str]], verdict: str, body: str) -> str:
    """What one or more runs said."""
    names = "".join(f"<span>{swatch(hue)} {escape(name)}</span>" for hue, name in said_by)
    return f'<div class="side"><header><span class="names">{names}</span>{verdict}</header>{body}</div>'


def side_html(run: Run, side: Side) -> str:
    """What one run said to a question."""
    parts = []
    if run.answers:
        value = escape(shown(side.value)) if side.answered else "N/A"
        sure = f' <span class="soft">confidence {side.confidence:.2f}</span>'
        parts.append(f'<p><span class="value">{value}</span>{sure if side.answered else ""}</p>')
        if not side.answered and side.reason:
            parts.append(f'<p class="soft">{escape(side.reason)}</p>')
    for document, page, quote, gold in side.citations[:QUOTES]:
        where = f"{document}, page {page}" if page else document
        parts.append(
            f"<blockquote>“{escape(shown(quote))}”<br>{mark(gold)}<small>{escape(where)}</small></blockquote>"
        )
    parts += [
        f'<p class="soft">{escape(verdict)}: {escape(shown(how))}</p>'
        for verdict, how in side.checks[:CHECKS]
    ]
    left = (len(side.citations) - QUOTES, "citation"), (len(side.checks) - CHECKS, "check")
    more = [f"{count} more {name}{'s' * (count > 1)}" for count, name in left if count > 0]
    if more:
        parts.append(f'<p class="soft">and {", ".join(more)}</p>')
    if not run.answers:
        parts += [
            f"<p>{mark(gold)}{escape(document)}{f', page {page}' if page else ''}</p>"
            for document, page, gold in side.found
        ]
    if run.hits and side.sought:
        where = f"found at rank {side.rank}" if side.rank else "not found"
        parts.append(f'<p class="soft">gold evidence {where}</p>')
    return "".join(parts)


def tag(side: Side) -> str:
    """Right, wrong or refused."""
    if side.right is None:
        return ""
    kind, word = ("good", "right") if side.right >= 0.5 else ("bad", "wrong")
    return f'<span class="tag {kind}">{word if side.answered else f"refused, {word}"}</span>'


def mark(gold: bool) -> str:
    """The mark of gold evidence."""
    return '<span class="up" title="gold evidence">● </span>' if gold else ""


def shown(text: str, most: int = 320) -> str:
    """A text without dot leaders, cut at a word where it is long."""
    text = re.sub(r"(?:[.…_] ?){4,}", " … ", text)
    return text if len(text) <= most else text[:most].rsplit(" ", 1)[0] + " …"
