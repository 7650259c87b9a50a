"""A question about several companies, asked about one of them: by wording alone, where no model is available.

"Which of A and B had the higher revenue in 2023?" asks of A "What was the revenue in 2023 for A?".
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pincite.question import wording
from pincite.question.asking import asking_sentence
from pincite.question.contest import EXTREME, TIME, Contest
from pincite.text.lexicon import pattern, word_set

Mention = tuple[str, Sequence[tuple[int, int]]]
"""A company's name, and the characters [start, end) of the question that name it."""
_FIRST = 0xE000
"""Companies stand in the text as characters of the private use area, so that no pattern takes one for a word."""
_ONE = r"[\ue000-\uf8ff]"
_AROUND = re.compile(rf"[\"“‘']?({_ONE})[\"”]?(?:['’]s?\b)?")
_LIST = pattern("question", "companies", "company questions")
_THAN = pattern("question", "than a company", "company questions")
_OWN = pattern("question", "of a company", "company questions")
_LEAD = pattern("question", "company lead", "company questions")
_OPENS = pattern("question", "opening verb", "company questions")
_CLOSES = pattern("question", "closing verb", "company questions")
_INNER = pattern("question", "inner verb", "company questions")
_ARTICLES = pattern("question", "outer words", "company questions")
_OPENING = pattern("question", "opening time", "company questions")
_COMBINED = pattern("question", "combined", "company questions")


def apart(text: str, named: Sequence[Mention], asked: Contest) -> tuple[str, ...]:
    """One question about each of the companies, in their order."""
    marked = asking_sentence(_AROUND.sub(r"\1", _marked(text, named)))
    return tuple(
        _about(marked, name, chr(_FIRST + at), asked) for at, (name, _) in enumerate(named)
    )


def _marked(text: str, named: Sequence[Mention]) -> str:
    """The question with a mark in the place of each name."""
    marks = [(span, chr(_FIRST + at)) for at, (_, spans) in enumerate(named) for span in spans]
    for (start, end), mark in sorted(marks, reverse=True):
        text = text[:start] + mark + text[end:]
    return text


def _about(marked: str, name: str, mark: str, asked: Contest) -> str:
    body = _LIST.sub(" ", marked).strip(" ?.")
    if asked.operation == "filter" and asked.kind == "boolean":
        said = _LEAD.sub("", body).strip(" ,:")
        return f"True or false: {name} {said}."
    if asked.operation in ("every", "some"):
        return _instead(marked, name, mark)
    if asked.kind == "time":
        said = _LEAD.sub("", _OWN.sub(" ", _THAN.sub(" ", TIME.sub(" ", body))))
        said = " ".join(said.split()).strip(" ,:")
        being = pattern("question", "being", "company questions").match(said)
        verb, rest = (being[1].lower(), being[2]) if being else ("did", said)
        return f"When {verb} {name} {rest}?"
    metric = _metric(body, asked) if asked.kind == "number" else ""
    return f"What was the {metric} for {name}?" if metric else _instead(marked, name, mark)


def _metric(body: str, asked: Contest) -> str:
    """What is measured, with its unit and period: the question without its lead, the extreme and the companies."""
    body = _THAN.sub(" ", body)
    if opening := _OPENING.match(body):
        body = f"{body[opening.end() :]} {opening[1][0].lower()}{opening[1][1:]}"
    if asked.operation == "filter":
        return _bare(wording.THRESHOLD.sub(" ", body))
    if match := EXTREME.search(body):
        before, after = (
            _bare(body[: match.start()], end=True),
            _bare(_INNER.sub(" ", body[match.end() :])),
        )
        counted = match[0].lower() in word_set("question", "counting") and pattern(
            "question", "plural first", "company questions"
        ).match(after)
        return " ".join(part for part in (before, "number of" if counted else "", after) if part)
    return _bare(_COMBINED.sub(" ", body), end=True)


def _bare(part: str, *, end: bool = False) -> str:
    """A stretch of a question without question words, companies, verbs and articles at its beginning, and at its `end`."""
    part = _LEAD.sub("", " ".join(_OWN.sub(" ", part).split()), count=1)
    before = None
    while part != before:
        before = part
        part = _OPENS.sub("", part.strip(" ,:;"))
        part = _ARTICLES.sub("", _CLOSES.sub("", part) if end else part).strip(" ,:;")
    return part


def _instead(marked: str, name: str, mark: str) -> str:
    """The question with one company in the place of all of them."""

    def alone(match: re.Match[str]) -> str:
        return f"{' of ' if match[0].lower().startswith('of') else ''}{mark}"

    said = pattern("question", "compare", "company questions").sub(
        "What are ", _LIST.sub(alone, marked)
    )
    said = pattern("question", "both", "company questions").sub(
        "", re.sub(_ONE, lambda _: name, said)
    )
    return " ".join(said.split()).strip(" .?") + "?"
