"""Answers that a page's listings give: their items, one of them, their count.

"What are the key categories ...": the items whose lead-in names categories; "the second bullet point": one of them; "how many
... are listed": how many there are, each cited.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from math import exp

from pincite.answer.candidate import Candidate, Passage
from pincite.answer.listings import Item, Listing, listings
from pincite.answer.match import Terms
from pincite.answer.pointed import ordinal
from pincite.answer.question import Ask
from pincite.answer.words import STOP, stems
from pincite.types import Quantity, Value

_ENDS = (
    "are is was were do does did has have had can will would in of for that which with by to from at on under listed "
    "mentioned included the"
)
_NOUN = rf"(?!(?:{'|'.join(_ENDS.split())})\b)[\w’'/-]+"
_WANTED = re.compile(
    r"\b(?P<ask>how\s+many(?:\s+of)?|(?:number|no\.|count)\s+of|what|which|who|list|name|enumerate|give|tell\s+me)\s+(?:(?:are|were|is|was)\s+)?"
    r"(?:(?:out|me|all|both|the|of|names?|titles?|lists?|following|different|various|main|key|(?:types?|kinds?|sorts?|categories)\s+of)\s+)*"
    rf"(?P<noun>{_NOUN}(?:\s+(?:and\s+)?{_NOUN}){{0,4}})",
    re.IGNORECASE,
)
_ORDINALS = r"first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last|\d+(?:st|nd|rd|th)"
_NTH = re.compile(
    rf"\b(?P<nth>{_ORDINALS})\s+(?:(?P<many>\d+|two|three|four|five|six)\s+)?(?P<noun>(?:bullet\s+points?|[\w-]+(?:\s+(?!of\b|in\b|for\b|on\b|under\b|listed\b|is\b|are\b)[\w-]+)?))",
    re.IGNORECASE,
)
_GENERIC = frozenset(stems("bullet point item entry step line option"))
_MANY = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_PLURAL = re.compile(r"^[^\W\d_]{2,}(?<![su])s$", re.IGNORECASE)
_WEIGHTS = {
    "constant": -3.4,
    "noun": 1.2,
    "lead": 2.5,
    "above": 1.2,
    "head": 1.2,
    "rank": 0.8,
    "all": 0.5,
    "beside": 1.5,
    "part": 1.0,
}
"""What speaks for a listing, as log-odds: the share of the question's words in its lead-in and headings, its noun there."""
_MADE = {"list": 0.3, "column": 0.0, "series": 0.4, "open": -0.2, "whole": 0.2, "lines": -0.8, "contents": 0.0}
_PARTS = frozenset(stems("chapters appendix appendices sections annexes parts contents"))
_MEASURES = frozenset(
    stems("times days hours minutes months weeks years percents percentages points pages people dollars tokens words")
)
_WHOLES = frozenset(stems("components elements parts constituents ingredients contents members"))
_SPELT = {"appendic": "appendix", "indic": "index"}


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a question wants enumerated: the stems of the noun phrase, its head last; how many, or which in order."""

    stems: tuple[str, ...]
    count: bool = False
    first: int = 0
    many: int = 0
    generic: bool = False


def wanted(text: str) -> Wanted | None:
    """What `text` asks to enumerate, count or pick by its place; None when it asks for nothing of the kind."""
    for match in _NTH.finditer(text):
        noun = [stem for stem in stems(match["noun"]) if stem not in STOP]
        apart = noun and (
            noun[0].endswith(("est", "most")) or noun[-1] in ("page", "slide", "quarter", "year", "half", "column")
        )
        if noun and not apart:
            many = (
                int(match["many"]) if (match["many"] or "").isdigit() else _MANY.get((match["many"] or "").lower(), 0)
            )
            if (
                many
                or any(stem in _GENERIC for stem in noun)
                or re.search(r"\b(?:list|listed|goal|step|item)", text, re.I)
            ):
                return Wanted(
                    tuple(noun), first=ordinal(match["nth"]), many=many, generic=any(s in _GENERIC for s in noun)
                )
    found = list(_WANTED.finditer(text))
    for match in found:
        count = match["ask"].lower().startswith(("how", "number", "no.", "count"))
        words = match["noun"].split()
        heads = [at for at, word in enumerate(words) if _PLURAL.fullmatch(word)]
        singular = re.match(r"(?:what|which|who)\s+(?:is|was)\b", match[0], re.IGNORECASE)
        if heads and not (singular or count and stems(words[heads[-1]])[0] in _MEASURES):
            return Wanted(tuple(stems(" ".join(words[: heads[-1] + 1]))), count=count)
    return None


def read_listings(ask: Ask, terms: Terms, passages: Sequence[Passage]) -> list[Candidate]:
    """What listings answer, best first; scores are likelihoods."""
    want = wanted(ask.text)
    if (
        want is None
        or ask.threshold is not None
        or (ask.operation not in ("lookup", "count", "filter") and not want.first)
    ):
        return []
    weights = {stem: float(weight) for stem, weight in zip(terms.stems, terms.weights, strict=True)}
    out = []
    for listing in listings(passages):
        features, items = _fit(want, weights, listing)
        if not items or not features["head"] or (want.count and listing.made == "open"):
            continue
        odds = _MADE[listing.made] + sum(_WEIGHTS[name] * value for name, value in features.items())
        value: Value
        operation = ""
        if want.first:
            items = _picked(want, items)
            if not items:
                continue
            value = tuple(one.text for one in items) if want.many else items[0].text
        elif want.count:
            value, operation = Quantity(Decimal(len(items))), "count"
            odds -= 0.9 + 1.5 * max(0.0, 0.8 - features["lead"] - features["above"] - features["beside"])
        else:
            value = tuple(one.text for one in items)
        out.append(
            Candidate(
                value,
                tuple(one.where for one in items),
                subject=listing.lead,
                operation=operation,
                score=1 / (1 + exp(-odds)),
                features={**features, "made": _MADE[listing.made]},
            )
        )
    return sorted(out, key=lambda one: -one.score)[:10]


def _fit(want: Wanted, weights: Mapping[str, float], listing: Listing) -> tuple[dict[str, float], tuple[Item, ...]]:
    """How a listing fits the question, and those of its items that do."""
    lead, above = set(stems(listing.lead)), set(stems(listing.above))
    head = _SPELT.get(want.stems[-1], want.stems[-1])
    asked = {stem for stem in weights if stem not in want.stems}
    items = listing.items
    beside = 0.0
    if listing.made == "column":
        # a row is left out when another row's cells have more of the question's words: "independent directors"
        here = [
            sum(weights[stem] for stem in weights if stem in set(stems(one.beside)) - lead - above) for one in items
        ]
        most = max(here)
        kept = tuple(one for one, weight in zip(items, here, strict=True) if weight >= 0.99 * most)
        if most > 0.1 and 1 < len(kept) < len(items):
            items, beside = kept, most
    generic = want.generic and listing.made == "list"
    within = listing.made in ("list", "contents", "lines") and sum(head in stems(one.text)[:2] for one in items) > 1
    if within and (want.count or head in _PARTS):
        items = tuple(one for one in items if head in stems(one.text)[:2])
    elif head in _PARTS:
        items = tuple(one for one in items if not _PARTS.intersection(stems(one.text)[:1]))
    if not items:
        return {"head": 0.0}, ()
    if not want.first:
        items = tuple({one.text.casefold(): one for one in reversed(items)}.values())[::-1]
    nouns = [stem for stem in want.stems if stem in weights]
    found = lead | above | (set(stems(items[0].beside)) if beside else set())
    own = listing.made != "column" or items[0].where.cells[0][1] == 0
    below = own and listing.made != "open" and head in stems(listing.above.rpartition(" > ")[2])
    by_form = within or generic or (listing.made == "whole" and head in _WHOLES)
    named = sum(weights[stem] for stem in nouns if stem in found)
    features = {
        "constant": 1.0,
        "lead": sum(weight for stem, weight in weights.items() if stem in lead),
        "above": sum(weight for stem, weight in weights.items() if stem in above - lead),
        "head": 1.0 if head in lead or by_form else 0.5 if below else 0.0,
        "noun": 1.0 if by_form else named / (sum(weights[stem] for stem in nouns) or 1.0),
        "part": float(listing.made == "contents" and want.stems[-1] in _PARTS),
        "rank": 1.0 / (1.0 + listing.rank),
        "all": float(all(stem in lead | above for stem in asked)),
        "beside": beside,
    }
    return features, items


def _picked(want: Wanted, items: Sequence[Item]) -> tuple[Item, ...]:
    if want.many:
        return tuple(items[-want.many :] if want.first < 0 else items[: want.many])
    at = want.first - 1 if want.first > 0 else want.first
    return (items[at],) if -len(items) <= at < len(items) else ()
