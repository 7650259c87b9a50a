"""Values that a page labels: "Docket Number 77-1042", "Published by:" above a name.

Also what needs no label to be known for what it is: addresses to write to or call, the two sides of a case, the dates of a page
that the question points at, the short form of a term.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import exp, fsum

from pincite.answer.candidate import Candidate, Passage
from pincite.answer.listings import quoted
from pincite.answer.match import Terms
from pincite.answer.pointed import KINDS, points
from pincite.answer.question import Ask
from pincite.answer.spans import DATE
from pincite.answer.words import STOP, stems
from pincite.kept import kept
from pincite.types import Node

_LABEL = r"[A-Z][\w.’'&/-]*(?:\s+[\w.’'&/-]+){0,4}?"
_FIELD = re.compile(rf"(?:^|(?<=[\s|(]))(?P<label>{_LABEL})\s*:\s+(?P<value>\S[^\n|]*)", re.MULTILINE)
_NUMBER = re.compile(
    r"\b(?P<label>(?:[A-Z][\w.]*\s+){0,2}(?:ID|No\.?|Number|Code))[:\s#]+(?P<value>[\w-]*\d[\w,./()–-]*)"
)
_NAMES = ("ID", "No", "Number", "Code")
_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_PHONE = re.compile(r"(?:\+?\d{1,3}[\s.-])?\(?\d{3}\)?[\s.-]\d{3}[\s.-]\d{4}\b")
_WEB = re.compile(r"https?://[^\s)>\]]+|www\.[^\s)>\]]+")
_VERSUS = re.compile(r"(?:Re:\s*)?(?P<one>[A-Z][\w.,’'& ]{2,80}?)\s+v(?:s)?\.?\s+(?P<other>[A-Z][\w.,’'& ]{2,100})")
_PARTIES = {
    "plaintiff": "one",
    "petitioner": "one",
    "appellant": "one",
    "defendant": "other",
    "respondent": "other",
    "appellee": "other",
}
_CONTACTS = {
    "email": _EMAIL,
    "e mail": _EMAIL,
    "phone": _PHONE,
    "telephone": _PHONE,
    "website": _WEB,
    "url": _WEB,
    "web site": _WEB,
}
_SURE = ("date", "acronym", "abbreviation", "title", "caption")
_TITLE_ASKED = re.compile(r"\b(?P<word>title|caption)\b", re.IGNORECASE)
_SHORT_ASKED = re.compile(
    r"\b(?P<word>acronym|abbreviation)\s+(?:\w+\s+)?(?:for|of)\s+(?:the\s+)?[\"“']?(?P<long>[^?\"”',]+?)(?=[?\"”',.]|\s+in\s|$)",
    re.IGNORECASE,
)
_FIELDS = 6
"""On how many of the first pages labels are read."""
_VALUE = 15
"""Words of the longest value of a label."""


def read_fields(ask: Ask, terms: Terms, passages: Sequence[Passage]) -> list[Candidate]:
    """Values of labels that the question names: "Docket Number 77-1042", "Published by:" above a line; scores are likelihoods."""
    if re.search(r"\bhow\s+(?:many|much)\b", ask.text, re.IGNORECASE) or not terms.stems:
        return []
    weights = {stem: float(weight) for stem, weight in zip(terms.stems, terms.weights, strict=True)}
    key = set(weights)
    dated = bool(points(ask.text)) and "date" in key
    fields = [
        *_fields(passages),
        *(_dates(passages) if dated else ()),
        *_short(ask.text, passages),
        *_titles(ask.text, passages),
    ]
    best: dict[str, Candidate] = {}
    for label, value, (passage, start, end), rank in fields:
        names = [stem for stem in stems(label) if stem not in STOP]
        if not names or not key.issuperset(names):
            continue
        covered = fsum(weights[stem] for stem in set(names))
        first = float(terms.stems[0] in names)
        sure = float(label in _CONTACTS or label in _PARTIES or label in _SURE)
        if covered < 0.2 and not first:
            continue
        odds = -2.8 + 4.0 * covered + 0.8 * first + 0.8 * sure + 1.0 / (1.0 + rank)
        features = {"label": covered, "first": first}
        where = quoted(passage, start, end)
        one = Candidate(value, (where,), subject=label, score=1 / (1 + exp(-odds)), features=features)
        if value not in best or best[value].score < one.score:
            best[value] = one
    return sorted(best.values(), key=lambda one: -one.score)[:6]


Field = tuple[str, str, tuple[Passage, int, int], int]
"""A label, its value, where the value stands and the rank of the page."""
Said = tuple[str, str, int, int]
"""A label, its value, and the characters [start, end) of it in one text."""


def _fields(passages: Sequence[Passage]) -> Iterator[Field]:
    """Every line that labels a value, in it or in the next line, on the first pages; "Name: what it is" as a title is none."""
    for at, passage in enumerate(passages):
        if passage.node.table is None and passage.rank < _FIELDS and passage.node.text.strip() != passage.title:
            for label, value, start, end in _labelled(passage.node):
                yield label, value, (passage, start, end), passage.rank
            follower = passages[at + 1] if at + 1 < len(passages) else passage
            text = passage.node.text.rstrip()
            if (
                text.endswith(":")
                and len(text.split()) <= 5
                and follower.rank == passage.rank
                and follower.node.table is None
            ):
                value = follower.node.text.split("\n")[0].strip()
                if value and len(value.split()) <= _VALUE:
                    yield text, value, (follower, 0, len(value)), passage.rank


def _dates(passages: Sequence[Passage]) -> Iterator[Field]:
    """The dates with a month on the page that the question points at."""
    for passage in passages:
        for match in DATE.finditer(passage.node.text) if passage.rank == 0 else ():
            if re.search(r"[A-Za-z]{3}|-\d\d-", match[0]):
                yield "date", match[0], (passage, *match.span()), passage.rank


def _short(text: str, passages: Sequence[Passage]) -> Iterator[Field]:
    """The short form of a term, where the text gives it in brackets behind the long one."""
    match = _SHORT_ASKED.search(text)
    if match is None:
        return
    long = r"\s+".join(map(re.escape, match["long"].split()))
    pattern = re.compile(rf"\b{long}s?\s*\([\"“']?(?P<short>[A-Z][\w&.-]{{1,9}})[\"”']?[);,]", re.IGNORECASE)
    for passage in passages:
        for found in pattern.finditer(passage.node.text):
            yield match["word"].lower(), found["short"], (passage, *found.span("short")), passage.rank


def _titles(text: str, passages: Sequence[Passage]) -> Iterator[Field]:
    """The title of the table, figure or section that the question points at, behind its number or in the heading below it."""
    asked = _TITLE_ASKED.search(text)
    for kind, label in points(text) if asked else ():
        if kind not in KINDS:
            continue
        opens = re.compile(rf"\W*(?i:{KINDS[kind]})\s*{re.escape(label)}(?!\w)[\s:.–—-]*(?P<title>[^\n]*)")
        for at, passage in enumerate(passages):
            found = opens.match(passage.node.text) if passage.node.kind in ("caption", "heading", "paragraph") else None
            below = passages[at + 1] if at + 1 < len(passages) else passage
            if found and asked and found["title"].strip() and len(found["title"].split()) <= 2 * _VALUE:
                value = found["title"].strip(" .")
                yield asked["word"].lower(), value, (passage, *found.span("title")), passage.rank
            elif found and asked and below.node.kind == "heading" and not found["title"]:
                yield asked["word"].lower(), below.node.text, (below, 0, len(below.node.text)), passage.rank


@kept
def _labelled(node: Node) -> tuple[Said, ...]:
    """What a text labels, in one line or in two."""
    return (*_inline(node), *_stacked(node.text))


def _inline(node: Node) -> Iterator[Said]:
    """Label and value on one line; addresses and numbers to write or call; the two sides of a case, on its first pages."""
    text = node.text
    # each pattern is looked for only where what it cannot do without stands
    for pattern in (*((_FIELD,) if ":" in text else ()), *((_NUMBER,) if any(map(text.__contains__, _NAMES)) else ())):
        for match in pattern.finditer(text):
            value = match["value"].strip(" .,;")
            if value and len(value.split()) <= _VALUE and not re.search(r"\d|\b(?:Fig|Note)\b", match["label"]):
                yield match["label"], value, *match.span("value")
    contacts = _CONTACTS if "@" in text or "www." in text or "://" in text or any(map(str.isdigit, text)) else {}
    for label, pattern in contacts.items():
        for match in pattern.finditer(text) if pattern is not _EMAIL or "@" in text else ():
            yield label, match[0], *match.span()
    if len(text) < 400 and node.anchor.page <= 2:
        for match in _VERSUS.finditer(text):
            for name, group in _PARTIES.items():
                yield name, match[group].strip(" .,"), *match.span(group)


def _stacked(text: str) -> Iterator[Said]:
    """Two lines one above the other: a label with a colon over its value."""
    lines = [(match[0].strip(), match.start()) for match in re.finditer(r"[^\n]+", text)]
    for (first, _), (second, begin) in zip(lines, lines[1:], strict=False):
        if first.endswith(":") and len(first.split()) <= 5:
            yield first, second, begin, begin + len(second)
