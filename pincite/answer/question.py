"""What a question asks, read from its wording alone: the operation, its operands, periods, unit and expected type.

Nothing here looks at a document, so the same reading serves retrieval, tables and prose. Every rule is about English
wording; none knows a label.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Literal

from pincite.answer.times import When, when
from pincite.answer.words import stems, words
from pincite.types import Expects, Quantity, Query

Operation = Literal[
    "lookup", "difference", "percentage_change", "ratio", "proportion", "sum", "average", "count", "max", "min", "argmax",
    "argmin", "filter", "compare",
]  # fmt: skip
"""What is to be done with the values the question names.

`max` and `min` ask for the extreme value, `argmax` and `argmin` for what it belongs to, `filter` for everything that meets
`Ask.threshold`, `count` for how many there are, `compare` for yes or no.
"""
Order = Literal["", "more", "less"]


@dataclass(frozen=True, slots=True)
class Ask:
    """A question understood.

    `text` is the question without instructions on how to answer. `periods` are in the order of mention and a range
    ("2017 to 2019") sets `through`. `operands` are the phrases an operation works on, in the order of its formula (for a
    ratio the numerator first, for a proportion the part first, for a difference as mentioned). `subject` is what is
    left when question words, operation and periods are taken away; `terms` are its stems. `statement` is what a True or
    False question asserts. `threshold` goes with `order`: "more than 5 million" is "more" and 5 x 1000000. `several` says that more than one
    value is asked for, in the order of mention ("respectively"). `falling` says that the change asked for is a fall ("how
    much did it decrease"), so that a fall is positive.
    """

    query: Query
    text: str
    expects: Expects
    operation: Operation = "lookup"
    subject: str = ""
    terms: tuple[str, ...] = ()
    wants: str = ""
    unit: str = ""
    scale: Decimal | None = None
    decimals: int | None = None
    periods: tuple[When, ...] = ()
    through: bool = False
    operands: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    quoted: tuple[str, ...] = ()
    statement: str = ""
    order: Order = ""
    threshold: Quantity | None = None
    several: bool = False
    falling: bool = False


_SCALES = {"hundred": 2, "thousand": 3, "million": 6, "billion": 9, "trillion": 12}
_COUNTS = {"zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_TIME = r"(?:fiscal\s+years?\s+|fiscal\s+|FY\s*|F|calendar\s+year\s+|years?\s+)?"
_MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december"
_DATE = rf"(?:(?:{_MONTHS})\s+\d{{1,2}}(?:st|nd|rd|th)?,?\s+|\d{{1,2}}(?:st|nd|rd|th)?\s+(?:{_MONTHS}),?\s+|(?:{_MONTHS})\s+)?"
_THROUGH = re.compile(
    rf"(?:19|20)?\d\d\s*(?:-|–|to|through|until)\s*(?:{_DATE}){_TIME}(?:19|20)?\d\d|\bbetween\s+(?:the\s+)?(?:{_DATE}){_TIME}(?:19|20)?\d\d\s+(?:and|to)"
    rf"\s+(?:{_DATE}){_TIME}(?:19|20)?\d\d",
    re.IGNORECASE,
)
_PERIOD_PHRASE = re.compile(
    rf"(?:,?\s*\b(?:(?:in|for|during|at|as\s+(?:of|at)|on|by|from|between|to|and|or|through|until|of|versus|vs\.?|compared\s+(?:to|with)|"
    rf"over|under|since|across|ended|ending|both|the|end\s+of|beginning\s+of|year-?\s?end|years?|fiscal|quarters?|twelve\s+months|"
    rf"as\s+compared\s+to|against)\s*)*(?:[-–,]\s*)?(?<![\w.]){_DATE}"
    rf"(?:Q[1-4]\s+|(?:first|second|third|fourth)\s+quarter\s+(?:of\s+)?)?{_TIME}(?:(?:19|20)\d\d|(?<=FY)\d\d|(?<=F)\d\d)(?![\d%]|,\d)"
    r"(?:\s?[-/–]\s?(?:20)?\d\d(?!\d))?(?:\s+year\s?-?end)?)+",
    re.IGNORECASE,
)
_INSTRUCTION = re.compile(
    r"(?:^|(?<=[.?!)])\s+|(?<=[.?!)]))(?:if\s+(?:the\s+)?(?:data|no|there|this|it|such|not|multiple)\b|round|please|answer\s+(?:in|with|the)|"
    r"give\b|return\b|express|provide|your\s+(?:answer|response|report)|calculate\s+\(or|respond|state\s+the|use\s+|utilize|note\s|"
    r"write\b|report\s+the\s+answer|exclude|include\s+)[^?]*?(?:[.!]\s*|$)",
    re.IGNORECASE,
)
_STATEMENT = re.compile(r"^\W*(?:(?:is\s+(?:it|this|the\s+following)\s+)?(?:statement\s+)?true\s+or\s+false|t/f)\W+(?:that\s+)?", re.I)
_LEAD = re.compile(
    r"(?:^|(?<=[.,?!:;]\s))(?:and\s+|so\s+|then\s+)?(?:(?:in|by|for|of|at|on|to|from)\s+(?=what\b|which\b|how\b))?"
    r"(?:(?:what(?:'s|’s)?|which|who|whom|whose|when|where|why|how)\b\s*(?:(?:much|many)\b\s*)?)?"
    r"(?:(?:did|do|does|is|are|was|were|has|have|had|will|would|can|could|should)\b\s*)?(?:there\s+)?(?:the\s+)?"
    r"(?:(?:value|amount)s?\s+of\s+)?(?:the\s+)?(?:company(?:'s|’s)\s+)?",
    re.IGNORECASE,
)
_CHANGE = r"(?:change|increase|decrease|growth|decline|reduction|rise|drop|difference|variation|improvement|gain)"
_PERCENT = r"(?:percentages?|percent|per\s?cent|%|pct)"
_UP_DOWN = r"(?:\s*/\s*\(?\s*(?:decrease|increase|decline)\s*\)?|\s+\(decrease\)|\s+or\s+decrease)?"

# The first pattern that matches names the operation; what it matches is no part of the subject.
_OPERATIONS: tuple[tuple[Operation, re.Pattern[str]], ...] = tuple(
    (operation, re.compile(pattern, re.IGNORECASE))
    for operation, pattern in (
        ("percentage_change", rf"{_PERCENT}(?:age)?\s+(?:of\s+)?(?:the\s+)?(?:yearly\s+|annual\s+|net\s+|total\s+)?(?:\(?{_CHANGE}\)?)s?"
                              rf"{_UP_DOWN}"),
        ("percentage_change", rf"{_CHANGE}{_UP_DOWN}\s+(?:in|as\s+a|by)\s+{_PERCENT}(?!\w|\s+of)"),
        ("percentage_change", r"(?:annual\s+|average\s+)?growth\s+rates?|rate\s+of\s+(?:growth|change|increase|decrease)|"
                              r"year[- ]over[- ]year\s+(?:growth|change)"),
        ("percentage_change", rf"(?:by\s+)?(?:what|how\s+many)\s+(?:total\s+)?{_PERCENT}\s+(?:did|has|have|does|do|was|were|is)\b"
                              r"(?=.*\b(?:change|increase|decrease|grow|decline|rise|drop|fall|reduc|improve)\w*)"),
        ("ratio", r"\bratio\s+(?=of\b|between\b|\(in|in\s+percent)|\bhow\s+many\s+times(?:\s+(?:more|larger|greater|higher|bigger|the|as))?|"
                  r"\b(?:by|what)\s+(?:what\s+)?(?:factor|multiple)\b"),
        ("proportion", rf"(?:expressed\s+)?\bas\s+an?\s+(?:{_PERCENT}|proportion|share|fraction)\s+(?=of\b|over\b)"),
        ("proportion", rf"\b(?:{_PERCENT}|proportion|share|fraction|portion)\s+of\b(?!\s+completion)"),
        ("proportion", rf"\b(?:{_PERCENT}|proportional)\s+(?:constitution|composition|contribution|share)\s+of\b"),
        ("proportion", rf"\b(?:how\s+many|what)\s+(?:{_PERCENT}|proportion)\s+(?:does|do|did|is|are|was|were)\b"),
        ("count", r"\bhow\s+many\s+(?:of\s+(?:the\s+)?)?(?:different\s+|other\s+|total\s+)?(?=[\w\s-]{0,60}?\b(?:years?|quarters?|months|"
                  r"components?|categor(?:y|ies)|segments?|types?|items?|kinds?|rows?|columns?|entries|elements|factors?|line\s+items)\b)"),
        ("average", r"\b(?:(?:two|three|four|five)[- ]year\s+|annual\s+|simple\s+|yearly\s+)?(?<!weighted\s)(?<!weighted-)(?:average|mean)\b"
                    r"(?:\s+(?:annual|yearly))?(?:\s+of)?"),
        ("difference", rf"\b(?:net\s+|total\s+|absolute\s+|overall\s+)?(?:{_CHANGE})s?{_UP_DOWN}\s+(?:in|of|between|from|to|for|on|as|"
                       r"(?=the\b|\w))"),
        ("difference", r"\b(?:by\s+)?how\s+(?:much|many)\s+(?:more|less|higher|lower|greater|fewer|larger|smaller|bigger|did|has|have|was|were)"
                       r"\b(?=.*\b(?:than|compared|change|increase|decrease|grow|decline|rise|drop|fall|reduce|exceed|between|over)\w*)"),
        ("difference", r"\bgap\s+(?:between|in|of)|\bchanged?\b.*\b(?:between|from)\b"),
        ("sum", r"\b(?:sum|total|aggregate)\s+of\b|\b(?:sum|combined|altogether|in\s+total|cumulative|aggregate)\b|\btotal\b"),
    )
)  # fmt: skip
_OUTER = re.compile(
    rf"\b(?P<word>average|mean|total|sum|{_CHANGE})s?{_UP_DOWN}(?:\s+(?:in|of))?(?:\s+the)?(?:\s+(?:value|amount)\s+of(?:\s+the)?)?\s*(?:\([^)]*)?$|"
    r"\bwhat\s+(?:is|was)\s+the\s+(?P<word_>average)\b(?!.*\bproportion\b)",
    re.IGNORECASE,
)
_HIGH = r"highest|largest|greatest|biggest|most(?!\s+recent)|maximum|top|best|longest|peak|oldest"
_LOW = r"lowest|smallest|least|minimum|fewest|shortest|youngest|worst"
_EXTREME = re.compile(
    rf"\b(?:(?P<high>{_HIGH}|(?:higher|larger|greater|bigger)(?!\s+than))|(?P<low>{_LOW}|(?:lower|smaller)(?!\s+than)))\b"
    r"(?:\s+(?:number|amount|value|total|percentage)\s+of)?",
    re.IGNORECASE,
)
_CORE = re.compile(r"[^.?!]*(?:\.(?=[\w,])[^.?!]*)*\?\s*$")
_THRESHOLD = re.compile(
    r"\b(?:(?P<more>more\s+than|over|above|exceed(?:s|ed|ing)?|greater\s+than|higher\s+than|at\s+least|larger\s+than|surpass(?:ed)?)"
    r"|(?P<less>less\s+than|below|under|lower\s+than|fewer\s+than|at\s+most|smaller\s+than))\s+"
    r"(?:(?:US)?[$€£¥]\s*)?(?P<sign>-)?(?P<number>\d[\d,]*(?:\.\d+)?)\s*(?P<percent>%|percent)?\s*"
    r"(?P<scale>hundred|thousand|million|billion|trillion)?s?\b",
    re.IGNORECASE,
)
_ROUND = re.compile(
    r"round[^.?]*?\b(?:to|up\s+to)\s+(?:the\s+nearest\s+)?(?P<places>\d|one|two|three|four|five|zero|tenth|hundredth|thousandth|"
    r"(?:whole|integer))",
    re.IGNORECASE,
)
_PLACES = {"tenth": 1, "hundredth": 2, "thousandth": 3, "whole": 0, "integer": 0}
_ALL_TIMES = re.compile(
    r",?\s*\b(?:across|over|for|in|from|during)\s+(?:all\s+|both\s+|the\s+)+(?:past\s+|last\s+)?(?:\d|two|three|four|five)?[\s-]*(?:fiscal\s+|financial\s+)?"
    r"(?:years?|FYs?|periods?)(?:\s+periods?)?\b",
    re.IGNORECASE,
)
_FALL = re.compile(r"\b(?:decreas|declin|drop|fall|fell|reduc|lower|less\b|fewer)\w*", re.I)
_RISE = re.compile(r"\b(?:increas|chang|differ|ris|grow|gain)\w*", re.I)
_IN_SCALE = re.compile(r"\b(?:in|of)\s+(?:(?:US\$?|U\.S\.|USD|EUR|GBP)\s*)?(?:dollars?\s+in\s+)?(thousand|million|billion|trillion)s?\b", re.I)
_IN_UNIT = re.compile(
    r"\((?:in\s+)?(?P<bracket>[^()]{1,30})\)|\bin\s+(?:units?\s+of\s+)?(?P<after>USD|EUR|GBP|AUD|CAD|JPY|CHF|SEK|US\s+dollars?|dollars?|euros?|"
    r"percent(?:age)?s?|%|[kMGT]Wh|[kMGT]W|tCO2e?|t\s?CO2e?|kg|grams?|tonnes?|tons?|metric\s+tons?|lit(?:er|re)s?|kL|hours?|days?|months?|"
    r"years?|seconds?|GB|TB|MB)\b",
    re.IGNORECASE,
)
_BOOLEAN = re.compile(r"^(?:is|are|was|were|did|does|do|has|have|had|can|could|will|would|should)\b", re.I)
_NUMBER_NOUN = re.compile(
    r"\b(?:amounts?|values?|numbers?|percentages?|percent|ratio|rate|rates|cost|costs|price|prices|revenues?|income|expenses?|sales|earnings|"
    r"margin|assets|liabilit(?:y|ies)|balance|profit|loss|quantity|factor|size|count|total|share|average|emissions?|consumption|"
    r"capacity|yield|dividends?|ebitda|capex|debt|cash|equity|proceeds|payments?|fees|charges|turnover|intensity|footprint|usage)\b",
    re.IGNORECASE,
)
_NUMBER_LEAD = re.compile(r"\bhow\s+(?:much|many|large|big|long|old|fast|high|far|often)\b|\bwhat\s+(?:percentage|percent|proportion|share|fraction|year\s+over)\b", re.I)
_WANTS = re.compile(
    r"\b(?:which|what)\s+(?:of\s+the\s+following\s+|(?:two|three|four|five)\s+|kind\s+of\s+|type\s+of\s+|of\s+the\s+)?(?P<noun>(?!is\b|are\b|was\b|were\b|"
    r"did\b|does\b|do\b|has\b|have\b|the\b|can\b|will\b)[a-z][\w’'/-]*(?:\s+(?!is\b|are\b|was\b|were\b|did\b|does\b|do\b|has\b|have\b|had\b|"
    r"can\b|will\b|would\b|in\b|of\b|the\b|for\b|that\b|with\b|by\b|to\b|from\b|at\b|on\b)[\w’'/-]+){0,2})",
    re.IGNORECASE,
)
_NAME_NOUN = re.compile(r"\bnames?\b|\bwho(?:m|se)?\b", re.I)
_QUOTED = re.compile(r"[\"“”]([^\"“”]{2,80})[\"“”]|(?<!\w)['‘]([^'‘’]{2,80})['’](?!\w)")


WORDING = (
    ("why", re.compile(r"^\W*why\b|\breasons?\b|\bwhat\s+(?:drove|caused|led|resulted)", re.I)),
    ("how", re.compile(r"^\W*how(?!\s+(?:much|many|long))\b", re.I)),
    ("does", re.compile(r"^\W*(?:what|which)\b[^?]*?\b(?:does|do|did)\b", re.I)),
    ("much", re.compile(r"\bhow\s+(?:much|many|long)\b", re.I)),
    ("which", re.compile(r"^\W*(?:in\s+|for\s+|of\s+)?which\b|^\W*(?:in\s+)?what\s+(?:year|period|segment|component)s?\b", re.I)),
    ("who", re.compile(r"^\W*(?:who|when|where)\b", re.I)),
    ("are", re.compile(r"^\W*what\s+(?:are|were)\b", re.I)),
    ("is", re.compile(r"^\W*what\s+(?:is|was)\b", re.I)),
)
"""How a question is put: the first pattern that matches names its form."""


def understand(query: Query) -> Ask:
    """Read `query`: never fails; what the wording does not say stays empty."""
    whole = " ".join(query.text.split())
    text = _INSTRUCTION.sub(" ", whole).strip() or whole
    statement = ""
    if match := _STATEMENT.match(text):
        statement = text[match.end() :].strip()
    text_body = statement or text
    core = match[0].strip() if (match := _CORE.search(text_body)) and len(match[0].split()) > 3 else text_body
    operation, matched = _operation(text_body, core)
    order, threshold = _threshold(text_body)
    extreme = _EXTREME.search(text_body, text_body.find(core))
    if statement or _BOOLEAN.match(text_body):
        operation = "compare"
    elif threshold is not None and operation in ("lookup", "count", "sum", "difference", "average"):
        many = re.search(r"\bhow\s+many\b", core, re.I)
        operation = "count" if many else "filter" if _chooses(core) else operation
        matched = _THRESHOLD.search(text_body)
    elif extreme and (operation in ("lookup", "sum", "count") or re.match(r"(?:(?:in|for|of)\s+)?(?:which|what\s+(?:year|segment))\b", core, re.I)):
        operation = _superlative(core, bool(extreme["high"]))
        matched = extreme
        order = "more" if extreme["high"] else "less"
    periods, through = _periods(text_body)
    operands = _operands(core, operation)
    if operation == "sum" and re.fullmatch(r"total", matched[0] if matched else "", re.I) and len(periods) < 2 and len(operands) < 2 and not _ALL_TIMES.search(core):
        operation = "lookup"
    subject = _subject(text_body, matched if operation not in ("lookup", "compare") else None)
    options = _options(text_body)
    scale = _IN_SCALE.search(whole)
    return Ask(
        query=query,
        text=text,
        expects=query.expects or _expects(core, operation, statement, options),
        operation=operation,
        subject=subject,
        terms=tuple(words(subject) or stems(subject)),
        wants=_wants(core),
        unit=query.unit or _unit(whole),
        scale=Decimal(10) ** _SCALES[scale[1].lower()] if scale else None,
        decimals=_decimals(whole),
        periods=periods,
        through=through,
        operands=operands,
        options=options,
        quoted=tuple(a or b for a, b in _QUOTED.findall(text_body)),
        statement=statement,
        order=order,
        threshold=threshold,
        several=bool(re.search(r"\brespective(?:ly)?\b", text_body, re.I)),
        falling=bool(_FALL.search(core)) and not _RISE.search(core),
    )


def _periods(text: str) -> tuple[tuple[When, ...], bool]:
    """The times a question names and whether they are the two ends of a range; "in 2019 ... the third quarter" is one time."""
    found = when(text)
    found = tuple(t for t in found if t.year or t.quarter)
    year = next((t.year for t in found if t.year), 0)
    finer = {t.year or year for t in found if t.quarter and not t.year}
    times = tuple(replace(t, year=t.year or year) for t in found if not (t.year in finer and not t.quarter and not t.month))
    return times, len(times) == 2 and bool(_THROUGH.search(text))


def _operation(text: str, core: str) -> tuple[Operation, re.Match[str] | None]:
    """The operation that the wording names first; "change in percentage of sales" is a change, of percentages."""
    for operation, pattern in _OPERATIONS:
        if match := pattern.search(text, text.find(core)):
            outer = _OUTER.search(text[: match.start()]) if operation == "proportion" else None
            if outer:
                word = (outer["word"] or outer["word_"]).lower()
                return ("average" if word in ("average", "mean") else "sum" if word in ("total", "sum") else "difference"), outer
            return operation, match
    return "lookup", None


def _threshold(text: str) -> tuple[Order, Quantity | None]:
    match = _THRESHOLD.search(text)
    if not match or re.fullmatch(r"(?:19|20)\d\d", match["number"]):
        return "", None
    value = Decimal(match["number"].replace(",", "")) * (-1 if match["sign"] else 1)
    scale = Decimal(10) ** _SCALES[match["scale"].lower()] if match["scale"] else Decimal(1)
    return ("more" if match["more"] else "less"), Quantity(value, "%" if match["percent"] else "", scale, text=match[0])


def _chooses(text: str) -> bool:
    return bool(re.search(r"\b(?:which|what)\s+(?!is\b|are\b|was\b|were\b)\w+|\bwhat\s+(?:is|are|was|were)\s+the\s+\w*\s*(?:years?|names?)\b", text, re.I))


def _superlative(text: str, high: bool) -> Operation:
    """ "Which year had the highest X" asks for a label; "what was the highest X" for a value."""
    label = re.search(r"(?:^|,\s*)(?:(?:in|for|at|of|on)\s+)?(?:which|who|whose|where|when|what\s+(?:year|quarter|month|segment|country|region|company|model|type|name))\b", text, re.I)
    value = re.search(rf"\bwhat\s+(?:is|was|were|are)\s+(?:the\s+)?(?:\w+\s+)?(?:{_HIGH}|{_LOW})\s+(?:amount|value|number|percentage|price|rate|total)\b", text, re.I)
    if label and not value:
        return "argmax" if high else "argmin"
    asks_number = value or _NUMBER_LEAD.search(text) or _NUMBER_NOUN.search(text)
    if asks_number:
        return "max" if high else "min"
    return "argmax" if high else "argmin"


def _subject(text: str, matched: re.Match[str] | None) -> str:
    if matched:
        text = text[: matched.start()] + " " + text[matched.end() :]
    text = _ALL_TIMES.sub(" ", _PERIOD_PHRASE.sub(" ", text))
    text = re.sub(r"\brespectively\b|[?]", " ", text, flags=re.I)
    text = " ".join(text.split())
    text = _LEAD.sub("", text)
    return text.strip(" ,.;:")


_PAIR = re.compile(r"\b(?:between|from)\s+(?:the\s+)?(?P<a>.+?)\s+(?:and|to)\s+(?:the\s+)?(?P<b>[^?,]+)", re.I)
_THAN = re.compile(r"\b(?P<a>.+?)\s+(?:than|(?:as\s+)?compared\s+(?:to|with)|versus|vs\.?|over|exceed(?:s|ed)?)\s+(?P<b>[^?]+)", re.I)
_RATIO = re.compile(r"\bratio\s+(?:\([^)]*\)\s*)?(?:in\s+\w+\s+)?(?:of|between)\s+(?P<a>.+?)\s+(?:to|and|over|against)\s+(?P<b>[^?]+)", re.I)
_SHARE = (
    re.compile(rf"(?P<a>.+?),?\s+(?:expressed\s+)?as\s+an?\s+(?:{_PERCENT}|proportion|share|fraction)\s+(?:of|over)\s+(?P<b>[^?]+)", re.I),
    re.compile(rf"\b(?:{_PERCENT}|proportion|share|fraction|portion|constitution|composition|contribution)\s+of\s+(?P<a>.+?)\s+(?:over|out\s+of|to|against|relative\s+to|in|within|among|towards?)\s+"
               r"(?P<b>(?!(?:the\s+)?(?:fiscal\s+|FY\s*|year\s+)?(?:19|20)?\d\d\b)[^?]+)", re.I),
    re.compile(rf"\b(?:{_PERCENT}|proportion|share|fraction|portion)\s+of\s+(?P<b>.+?)\s+(?:is|are|was|were|does|do|did|comes?|came|that|belongs?|consists?)\s+(?:made\s+up\s+(?:of|by)\s+|generated\s+(?:from|by)\s+|represented\s+by\s+|from\s+|by\s+|of\s+)?"
               r"(?P<a>[^?]+)", re.I),
)  # fmt: skip
_LIST = re.compile(r"\b(?:of|between|for|from|both|in)\s+(?:the\s+)?(?P<list>[^?]*?\band\b[^?]*)", re.I)


def _operands(text: str, operation: Operation) -> tuple[str, ...]:
    """The phrases the operation works on, periods taken out; none where both sides are only periods."""
    if operation == "proportion":
        for pattern in _SHARE:
            if match := pattern.search(text):
                return _clean(match["a"], match["b"])
        return ()
    if operation == "ratio":
        match = _RATIO.search(text) or _PAIR.search(text) or _THAN.search(text)
        return _clean(match["a"], match["b"]) if match else ()
    if operation in ("difference", "percentage_change", "compare", "sum", "average"):
        match = _PAIR.search(text)
        if match and len(both := _clean(match["a"], match["b"])) == 2:
            return both
        if operation == "difference" and (match := _THAN.search(text)):
            return _clean(match["a"], match["b"])
    if operation in ("sum", "average", "difference", "lookup") and (match := _LIST.search(text)):
        parts = re.split(r",\s*(?:and\s+)?|\s+and\s+|\s*&\s+", match["list"])
        cleaned = _clean(*parts)
        return cleaned if len(cleaned) > 1 else ()
    return ()


def _clean(*phrases: str) -> tuple[str, ...]:
    out = []
    for phrase in phrases:
        bare = _ALL_TIMES.sub(" ", _PERIOD_PHRASE.sub(" ", phrase))
        bare = re.sub(r"\b(?:respectively|altogether|combined)\b", " ", bare, flags=re.I)
        bare = _LEAD.sub("", " ".join(bare.split())).strip(" ,.;:")
        if words(bare):
            out.append(bare)
    return tuple(out)


def _options(text: str) -> tuple[str, ...]:
    """What the question offers to choose from: "A, B or C?", "which of the following: A, B, C"."""
    text = text.rstrip("? .")
    if re.match(r"(?:is|are|was|were|did|do|does|has|have)\b", text, re.I) and ":" not in text:
        return ()
    head, colon, tail = text.rpartition(":")
    if not colon:
        if not re.search(r"\bor\b", text):
            return ()
        last = text[: text.rindex(" or ")] if " or " in text else text
        cut = max(last.rfind(", which "), last.rfind("? "))
        commas = [at for at, c in enumerate(last) if c == ","]
        at = next((c for c in commas if len(words(last[c + 1 :].split(",")[0])) <= 6), cut)
        if at < 0:
            return ()
        tail = text[at + 1 :]
    parts = [p.strip(" .?") for p in re.split(r",\s*(?:and\s+|or\s+)?|\s+or\s+|;\s*", tail)]
    if colon and len(parts) == 1:
        parts = [p.strip() for p in re.split(r"\s+and\s+", tail)]
    parts = [p for p in parts if p]
    return tuple(parts) if len(parts) > 1 and all(len(p.split()) <= 10 for p in parts) else ()


def _expects(text: str, operation: Operation, statement: str, options: tuple[str, ...]) -> Expects:
    if operation == "compare":
        return "boolean"
    wants = _wants(text)
    if operation in ("argmax", "argmin"):
        return "name"
    if operation == "filter":
        return "names"
    if operation != "lookup" and operation != "sum":
        return "number"
    if options:
        return "name"
    if _NUMBER_LEAD.search(text):
        return "number"
    lead = re.match(r"(?:.*,\s*)?(who|whom|whose|where|when|why|how)\b", text, re.I)
    if lead and lead[1].lower() in ("why", "how", "when", "where"):
        return "text"
    if lead or _NAME_NOUN.search(text):
        return "names" if re.search(r"\bnames\b|\bwho\s+(?:are|were)\b", text, re.I) else "name"
    if wants and not _NUMBER_NOUN.search(wants):
        if re.search(r"\bwhich\b", text, re.I) or _IN_UNIT.search(text) is None:
            plural = re.search(r"(?<![su])s$", wants.split()[-1]) is not None
            return "names" if plural else "name" if re.search(r"\bwhich\b", text, re.I) else "text"
    if operation == "sum" or _NUMBER_NOUN.search(text) or _IN_UNIT.search(text):
        return "number"
    return "text"


def _wants(text: str) -> str:
    lead = re.match(r"(?:(?!.*\b(?:what|which|how)\b).*,\s*)?(who|when|where|why)\b(?!.*,\s*(?:what|which|how)\b)", text, re.I)
    if lead:
        return {"who": "person", "when": "date", "where": "place", "why": "reason"}[lead[1].lower()]
    if many := re.search(r"\bhow\s+many\s+([\w’'-]+(?:\s+(?!did|do|does|is|are|was|were|has|have|in|of)[\w’'-]+){0,2})", text, re.I):
        return str(many[1])
    match = _WANTS.search(text)
    return str(match["noun"]) if match else ""


def _unit(text: str) -> str:
    for match in _IN_UNIT.finditer(text):
        unit = (match["bracket"] or match["after"]).strip()
        unit = re.sub(r"\b(?:in\s+)?(?:thousand|million|billion)s?\b(?:\s+of)?", "", unit, flags=re.I).strip()
        if re.fullmatch(r"[\w$€£%/·²³₂ .-]{1,20}", unit) and not re.search(r"\d{3}|decrease|increase|loss|benefit", unit, re.I):
            return unit
    if re.search(rf"\b{_PERCENT}\b|\bhow\s+many\s+{_PERCENT}", text, re.I):
        return "%"
    return ""


def _decimals(text: str) -> int | None:
    match = _ROUND.search(text)
    if not match:
        return None
    places = match["places"].lower()
    return int(places) if places.isdigit() else _PLACES.get(places, _COUNTS.get(places))
