"""A question about several companies, asked about one of them: by wording alone, where no model is available.

"Which of A and B had the higher revenue in 2023?" asks of A "What was the revenue in 2023 for A?".
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pincite.check.contest import EXTREME, TIME, Contest, core
from pincite.question import wording
from pincite.search.company_scope import NamedCompany

_FIRST = 0xE000
"""Companies stand in the text as characters of the private use area, so that no pattern takes one for a word."""
_ONE = r"[\ue000-\uf8ff]"
_AROUND = re.compile(rf"[\"“‘']?({_ONE})[\"”]?(?:['’]s?\b)?")
_LIST = re.compile(
    rf"(?:[:,(]\s*+)?(?:\b(?:out\s++of|among|amongst|between|either|both|of)\s++)*{_ONE}"
    rf"(?:\s*+(?:,\s*+(?:and|or)\s++|,|\band\b|\bor\b|\bvs\.?|\bversus\b|;)\s*+{_ONE})+\)?",
    re.IGNORECASE,
)
_THAN = re.compile(
    rf"\s*+\b(?:than|compared\s++(?:to|with)|over)\s++(?:(?:that|those|the\s++one)\s++of\s++|in\s++|at\s++)?{_ONE}",
    re.I,
)
_OWN = re.compile(rf"(?:\s*+\b(?:of|for|at|by|in)\s++)?(?:the\s++)?{_ONE}\s*+", re.I)
_LEAD = re.compile(
    r"^\W*(?:what|how\s+much|how\s+many|which|who|whose)?\b(?:\s+one)?(?:\s+of)?(?:\s+(?:the|these|those|them|following))*"
    r"(?:\s+(?:two|three|four|five|\d+))?(?:\s+(?:compan(?:y|ies)|firms?|banks?|businesses|business|groups?|organi[sz]ations?|"
    r"corporations?|issuers?|entit(?:y|ies))(?:['’]s?)?)?\b",
    re.IGNORECASE,
)
_HAVE = (
    r"(?:did|does|do|is|are|was|were|be|had|has|have|having|report(?:s|ed)?|record(?:s|ed)?|post(?:s|ed)?|show(?:s|ed|n)?|"
    r"generat(?:es?|ed)|earn(?:s|ed)?|achiev(?:es?|ed)|employ(?:s|ed)?)"
)
_OPENS = re.compile(rf"^\W*{_HAVE}\b\s*", re.IGNORECASE)
_CLOSES = re.compile(rf"(?:^|\s++){_HAVE}\W*+$", re.IGNORECASE)
_INNER = re.compile(
    r"\s++(?:(?:did|does|do)\b(?:\s++(?:have|report|record|post|show)\b)?|(?:have|generate|earn|employ)\b)", re.I
)
_ARTICLES = re.compile(r"^(?:the|an?|of|in\s++terms\s++of)\b\s*+|(?:^|\s++)(?:the|an?|of)$", re.IGNORECASE)
_OPENING = re.compile(r"^\W*((?:in|at|for|during|by|as\s+of)\s+[^,]*\d[^,]*),\s*", re.IGNORECASE)
_COMBINED = re.compile(
    r"\b(?:difference|gap|ratio|sum|average|mean|total|combined|aggregate|altogether|together|in\s+total)\b(?:\s+(?:in|of|between))*",
    re.IGNORECASE,
)


def apart(text: str, named: Sequence[NamedCompany], asked: Contest) -> tuple[str, ...]:
    """One question about each of the companies, in their order."""
    marked = core(_AROUND.sub(r"\1", _marked(text, named)))
    return tuple(_about(marked, one.name, chr(_FIRST + at), asked) for at, one in enumerate(named))


def _marked(text: str, named: Sequence[NamedCompany]) -> str:
    spans = sorted(((span, chr(_FIRST + at)) for at, one in enumerate(named) for span in one.spans), reverse=True)
    for (start, end), mark in spans:
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
        said = " ".join(_LEAD.sub("", _OWN.sub(" ", _THAN.sub(" ", TIME.sub(" ", body)))).split()).strip(" ,:")
        being = re.match(r"(is|are|was|were)\s+(.*)", said, re.I)
        return f"When {being[1].lower()} {name} {being[2]}?" if being else f"When did {name} {said}?"
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
        before, after = _bare(body[: match.start()], end=True), _bare(_INNER.sub(" ", body[match.end() :]))
        counted = match[0].lower() in ("more", "most", "fewer", "fewest") and re.match(r"\w+s\b", after)
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

    def one(match: re.Match[str]) -> str:
        return f"{' of ' if re.match(r'of', match[0], re.I) else ''}{mark}"

    said = re.sub(r"^\W*compare\s+", "What are ", _LIST.sub(one, marked), flags=re.IGNORECASE)
    said = re.sub(r"\bboth\s+(?=\w)", "", re.sub(_ONE, lambda _: name, said), flags=re.IGNORECASE)
    return " ".join(said.split()).strip(" .?") + "?"
