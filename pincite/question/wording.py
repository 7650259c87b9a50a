"""English wording: what the phrases of a question say about the operation, the times, the type and the unit asked for.

Patterns only, none of which knows a label or a document; `question.understand` reads a question with them.
"""

from __future__ import annotations

import re
from typing import Literal

from pincite.lexicon import word_set

Operation = Literal[
    "lookup", "difference", "percentage_change", "ratio", "proportion", "sum", "average", "count", "max", "min", "argmax",
    "argmin", "filter", "compare",
]  # fmt: skip
"""What is to be done with the values the question names.

`max` and `min` ask for the extreme value, `argmax` and `argmin` for what it belongs to, `filter` for everything that meets
`Ask.threshold`, `count` for how many there are, `compare` for yes or no.
"""
SCALES = {"hundred": 2, "thousand": 3, "million": 6, "billion": 9, "trillion": 12}
COUNTS = {"zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
TIME = r"(?:fiscal\s++years?\s++|fiscal\s++|FY\s*+|calendar\s++year\s++|years?\s++)?"
MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december"
DATE = rf"(?:(?:{MONTHS})\s++\d{{1,2}}(?:st|nd|rd|th)?,?\s++|\d{{1,2}}(?:st|nd|rd|th)?\s++(?:{MONTHS}),?\s++|(?:{MONTHS})\s++)?"
THROUGH = re.compile(
    rf"(?:19|20)?\d\d\s*+(?:-|–|to|through|until)\s*+(?:{DATE}){TIME}(?:19|20)?\d\d|"
    rf"\bbetween\s++(?:the\s++)?(?:{DATE}){TIME}(?:19|20)?\d\d\s++(?:and|to)"
    rf"\s++(?:{DATE}){TIME}(?:19|20)?\d\d",
    re.IGNORECASE,
)
PERIOD_PHRASE = re.compile(
    rf"(?:,?\s*+\b(?:(?:in|for|during|at|as\s++(?:of|at)|on|by|from|between|to|and|or|through|until|of|versus|vs\.?|"
    rf"compared\s++(?:to|with)|"
    rf"over|under|since|across|ended|ending|both|the|end\s++of|beginning\s++of|year-?\s?end\b|years?|fiscal|quarters?|"
    rf"twelve\s++months|"
    rf"as\s++compared\s++to|against)\s*+)*+(?:[-–,]\s*+)?(?<![\w.]){DATE}"
    rf"(?:Q[1-4]\s++|(?:first|second|third|fourth)\s++quarter\s++(?:of\s++)?)?{TIME}(?:(?:19|20)\d\d|(?<=FY)\d\d)(?![\d%]|,\d)"
    r"(?:\s?[-/–]\s?(?:20)?\d\d(?!\d))?(?:\s+year\s?-?end)?)++",
    re.IGNORECASE,
)
INSTRUCTION = re.compile(
    r"(?:^|(?<=[.?!)])\s+|(?<=[.?!)]))(?:if\s+(?:the\s+)?(?:data|no|there|this|it|such|not|multiple)\b|round|please|"
    r"answer\s+(?:in|with|the)|"
    r"give\b|return\b|express|provide|your\s+(?:answer|response|report)|calculate\s+\(or|respond|state\s+the|use\s+|"
    r"utilize|note\s|"
    r"write\b|report\s+the\s+answer|exclude|include\s+)[^?]*?(?:[.!](?=\s|$)|$)",
    re.IGNORECASE,
)
UNIT_NOTE = re.compile(r"\(\s*(?:in\s+)?(?:%|[A-Z]{1,4}\$?)\s*\)")
"""A unit in brackets: "(in USD)", "(%)"."""
STATEMENT = re.compile(
    r"^\W*(?:(?:is\s+(?:it|this|the\s+following)\s+)?(?:statement\s+)?true\s+or\s+false|"
    r"t/f)\W+(?:that\s+)?",
    re.I,
)
LEAD = re.compile(
    r"(?:^|(?<=[.,?!:;]\s))(?:and\s+|so\s+|then\s+)?(?:(?:in|by|for|of|at|on|to|from)\s+(?=what\b|which\b|how\b))?"
    r"(?:(?:what(?:'s|’s)?|which|who|whom|whose|when|where|why|how)\b\s*(?:(?:much|many)\b\s*)?)?"
    r"(?:(?:did|do|does|is|are|was|were|has|have|had|will|would|can|could|should)\b\s*)?(?:there\s+)?(?:the\s+)?"
    r"(?:(?:value|amount)s?\s+of\s+)?(?:the\s+)?(?:company(?:'s|’s)\s+)?",
    re.IGNORECASE,
)
CHANGE = r"(?:change|increase|decrease|growth|decline|reduction|rise|drop|difference|variation|improvement|gain)"
PERCENT = r"(?:percentages?|percent|per\s?cent|%|pct)"
SHARE = re.compile(r"\b(?:what|which)\s+(?:share|proportion|fraction)\s+of\b", re.IGNORECASE)
"""A share is asked for; "its share of profit" may be an amount."""
UP_DOWN = r"(?:\s*+/\s*+\(?\s*+(?:decrease|increase|decline)(?:\s*+\))?|\s++\(decrease\)|\s++or\s++decrease)?"

_OPERATIONS: tuple[tuple[Operation, str], ...] = (
    ("percentage_change", rf"{PERCENT}(?:age)?\s++(?:of\s++)?(?:the\s++)?(?:yearly\s++|annual\s++|net\s++|"
                          rf"total\s++)?(?:\(?{CHANGE}\)?)s?"
                          rf"{UP_DOWN}"),
    ("percentage_change", r"(?:annual\s+|average\s+)?growth\s+rates?|rate\s+of\s+(?:growth|change|increase|decrease)|"
                          r"year[- ]over[- ]year\s+(?:growth|change)"),
    ("percentage_change", rf"(?:by\s+)?(?:what|how\s+many)\s+(?:total\s+)?{PERCENT}\s+(?:did|has|have|does|do|was|"
                          rf"were|is)\b"
                          r"(?=.*\b(?:change|increase|decrease|grow|decline|rise|drop|fall|reduc|improve)\w*)"),
    ("percentage_change", r"\b(?:roi|return\s+on\s+(?:an\s+|the\s+)?investment|cumulative\s+(?:total\s+)?return)\b"
                          r"(?:\s+(?:of|in)\b)?"
                          r"(?=.*\b(?:from|between)\b)"),
    ("ratio", r"\bratio\s+(?=of\b|between\b|\(in|in\s+percent)|\bhow\s+many\s+times(?:\s+(?:more|larger|greater|"
              r"higher|bigger|the|as))?|"
              r"\b(?:by|what)\s+(?:what\s+)?(?:factor|multiple)\b"),
    ("proportion", rf"(?:expressed\s+)?\bas\s+an?\s+(?:{PERCENT}|proportion|share|fraction)\s+(?=of\b|over\b)"),
    ("proportion", rf"\b(?:{PERCENT}|proportion|share|fraction|portion)\s+of\b(?!\s+completion)"),
    ("proportion", rf"\b(?:how\s+many|what)\s+(?:{PERCENT}|proportion)\s+(?:does|do|did|is|are|was|were)\b"),
    ("count", r"\bhow\s+many\s+(?:of\s+(?:the\s+)?)?(?:different\s+|other\s+|"
              r"total\s+)?(?=[\w\s-]{0,60}?\b(?:years?|quarters?|months|"
              r"components?|categor(?:y|ies)|segments?|types?|items?|kinds?|rows?|columns?|entries|elements|"
              r"factors?|line\s+items)\b)"),
    ("average", r"\b(?:(?:two|three|four|five)[- ]year\s+|annual\s+|simple\s+|"
                r"yearly\s+)?(?<!weighted\s)(?<!weighted-)(?:average|mean)\b"
                r"(?:\s+(?:annual|yearly))?(?:\s+of)?"),
    ("difference", rf"\b(?:net\s++|total\s++|absolute\s++|overall\s++)?(?:{CHANGE})s?{UP_DOWN}\s++(?:in|of|between|"
                   rf"from|to|for|on|as|"
                   r"(?=the\b|\w))"),
    ("difference", r"\b(?:by\s+)?how\s+(?:much|many)\s+(?:more|less|higher|lower|greater|fewer|larger|smaller|"
                   r"bigger|did|has|have|was|were)"
                   r"\b(?=.*\b(?:than|compared|change|increase|decrease|grow|decline|rise|drop|fall|reduce|exceed|"
                   r"between|over)\w*)"),
    ("difference", r"\bgap\s+(?:between|in|of)|\bchanged?\b.*\b(?:between|from)\b"),
    ("sum", r"\b(?:sum|total|aggregate)\s+of\b|\b(?:sum|combined|altogether|in\s+total|cumulative|aggregate)\b|"
            r"\btotal\b"),
)  # fmt: skip
OPERATIONS = tuple((operation, re.compile(pattern, re.IGNORECASE)) for operation, pattern in _OPERATIONS)
"""The first pattern that matches names the operation; what it matches is no part of the subject."""
OUTER = re.compile(
    rf"\b(?P<word>average|mean|total|sum|{CHANGE})s?{UP_DOWN}(?:\s++(?:in|of))?(?:\s++the)?(?:\s++(?:value|"
    rf"amount)\s++of(?:\s++the)?)?\s*+(?:\([^)]*)?$|"
    r"\bwhat\s++(?:is|was)\s++the\s++(?P<word_>average)\b(?!.*\bproportion\b)",
    re.IGNORECASE,
)
HIGH = r"highest|largest|greatest|biggest|most(?!\s+(?:recent|of\b))|maximum|top|best|longest|peak|oldest"
LOW = r"lowest|smallest|least|minimum|fewest|shortest|youngest|worst"
EXTREME = re.compile(
    rf"\b(?:(?P<high>{HIGH}|(?:higher|larger|greater|bigger)(?!\s+than))|(?P<low>{LOW}|(?:lower|smaller)(?!\s+than)))\b"
    r"(?:\s+(?:number|amount|value|total|percentage)\s+of)?",
    re.IGNORECASE,
)
EXTREME_VALUE = re.compile(
    rf"\bwhat\s+(?:is|was|were|are)\s+(?:the\s+)?(?:\w+\s+)?(?:(?:{HIGH}|{LOW})\s+"
    r"(?:amount|value|number|percentage|price|rate|total|hours|days|weeks|months|age|length|duration|period|capacity)\b"
    r"|(?:maximum|minimum)\b)",
    re.IGNORECASE,
)
LABEL_ASKED = re.compile(
    r"(?:^|,\s*)(?:(?:in|for|at|of|on)\s+)?"
    r"(?:which|who|whose|where|when|what\s+(?:year|quarter|month|segment|country|region|company|model|type|name))\b",
    re.IGNORECASE,
)
CHOICE = re.compile(r"(?:(?:in|for|of)\s+)?(?:which|what\s+(?:year|segment))\b", re.IGNORECASE)
CHOOSES = re.compile(
    r"\b(?:which|what)\s++(?!is\b|are\b|was\b|were\b)\w+|\bwhat\s++(?:is|are|was|were)\s++the\s++\w*\s*+(?:years?|names?)\b",
    re.IGNORECASE,
)
THRESHOLD = re.compile(
    r"\b(?:(?P<more>more\s+than|over|above|exceed(?:s|ed|ing)?|greater\s+than|higher\s+than|at\s+least|larger\s+than|"
    r"surpass(?:ed)?)"
    r"|(?P<less>less\s+than|below|under|lower\s+than|fewer\s+than|at\s+most|smaller\s+than))\s*+"
    r"(?:(?:US)?[$€£¥]\s*+)?(?P<sign>-)?(?P<number>\d[\d,]*+(?:\.\d++)?)(?:\s*+(?P<percent>%|percent))?"
    r"(?:\s*+(?P<scale>hundred|thousand|million|billion|trillion)s?)?(?!\w)",
    re.IGNORECASE,
)
ROUND = re.compile(
    r"round[^.?]*?\b(?:to|up\s+to)\s+(?:the\s+nearest\s+)?(?P<places>\d|one|two|three|four|five|zero|tenth|hundredth|"
    r"thousandth|"
    r"(?:whole|integer))",
    re.IGNORECASE,
)
PLACES = {"tenth": 1, "hundredth": 2, "thousandth": 3, "whole": 0, "integer": 0}
ALL_TIMES = re.compile(
    r",?\s*+\b(?:across|over|for|in|from|during)\s++(?:all\s++|both\s++|the\s++)++(?:past\s++|last\s++)?(?:\d|two|three|four|"
    r"five)?[\s-]*(?:fiscal\s++|financial\s++)?"
    r"(?:years?|FYs?|periods?)(?:\s++periods?)?\b",
    re.IGNORECASE,
)
FALL = re.compile(r"\b(?:decreas|declin|drop|fall|fell|reduc|lower|less\b|fewer)\w*", re.I)
RISE = re.compile(r"\b(?:increas|chang|differ|ris|grow|gain)\w*", re.I)
IN_SCALE = re.compile(
    r"\b(?:in|of)\s+(?:(?:US\$?|U\.S\.|USD|EUR|GBP)\s*)?(?:dollars?\s+in\s+)?(thousand|million|"
    r"billion|trillion)s?\b",
    re.I,
)
IN_UNIT = re.compile(
    r"(?<!\w)\((?:in\s+)?(?P<bracket>[^()]{1,30})\)|\bin\s+(?:units?\s+of\s+)?(?P<after>USD|EUR|GBP|AUD|CAD|JPY|CHF|SEK|"
    r"US\s+dollars?|dollars?|euros?|"
    r"percent(?:age)?s?|%|[kMGT]Wh|[kMGT]W|tCO2e?|t\s?CO2e?|kg|grams?|tonnes?|tons?|metric\s+tons?|lit(?:er|re)s?|kL|"
    r"hours?|days?|months?|"
    r"years?|seconds?|GB|TB|MB)\b",
    re.IGNORECASE,
)
TELL = word_set("question", "telling")
"""Verbs that open a request for an account in sentences."""
BOOLEAN = re.compile(r"^(?:whether|is|are|was|were|did|does|do|has|have|had|can|could|will|would|should)\b", re.I)
NUMBER_NOUN = re.compile(
    r"\b(?:amounts?|values?|numbers?|percentages?|percent|ratio|rate|rates|cost|costs|price|prices|revenues?|income|"
    r"expenses?|sales|earnings|"
    r"margin|assets|liabilit(?:y|ies)|balance|profit|loss|quantity|factor|size|count|total|share|average|emissions?|"
    r"consumption|"
    r"capacity|yield|dividends?|ebitda|capex|debt|cash|equity|proceeds|payments?|fees|charges|turnover|intensity|"
    r"footprint|usage|returns?\s+on|ro[aei]|cycle|days\s+\w+\s+outstanding)\b",
    re.IGNORECASE,
)
NUMBER_LEAD = re.compile(
    r"\bhow\s+(?:much|many|large|big|long|old|fast|high|far|often)\b|\bwhat\s+(?:percentage|"
    r"percent|proportion|share|fraction|year\s+over)\b",
    re.I,
)
HOW_MANY = re.compile(
    r"\bhow\s+many\s+([\w’'-]+(?:\s+(?!did|do|does|is|are|was|were|has|have|in|of)[\w’'-]+){0,2})", re.IGNORECASE
)
PER = re.compile(
    r"\bper\s+(?!cent\b|annum\b|year\b|quarter\b|month\b)(?:\w+\s+){0,2}?(?P<of>share|unit|employee|tonne|ton)\b",
    re.IGNORECASE,
)
"""An amount for each of something: "dividend per share"."""
NUMBER_OF = re.compile(
    r"\b(?:number|count)\s+of\s+(?:the\s+|all\s+|its\s+)?([\w’'-]+(?:\s+(?!did|do|does|is|are|was|were|has|have|in|of|for|at|that)[\w’'-]+){0,2})",
    re.IGNORECASE,
)
WANTS = re.compile(
    r"\b(?:which|what)\s+(?:of\s+the\s+following\s+|(?:two|three|four|five)\s+|kind\s+of\s+|type\s+of\s+|"
    r"of\s+the\s+)?(?P<noun>(?!is\b|are\b|was\b|were\b|"
    r"did\b|does\b|do\b|has\b|have\b|the\b|can\b|will\b)[a-z][\w’'/-]*(?:\s+(?!is\b|are\b|was\b|were\b|did\b|does\b|"
    r"do\b|has\b|have\b|had\b|"
    r"can\b|will\b|would\b|in\b|of\b|the\b|for\b|that\b|with\b|by\b|to\b|from\b|at\b|on\b)[\w’'/-]+){0,2})",
    re.IGNORECASE,
)
NAME_NOUN = re.compile(r"\bnames?\b|\bwho(?:m|se)?\b", re.I)
QUOTED = re.compile(r"[\"“”]([^\"“”]{2,80})[\"“”]|(?<!\w)['‘]([^'‘’]{2,80})['’](?!\w)")


WORDING = (
    ("why", re.compile(r"^\W*why\b|\breasons?\b|\bwhat\s+(?:drove|caused|led|resulted)", re.I)),
    ("how", re.compile(r"^\W*how(?!\s+(?:much|many|long))\b", re.I)),
    ("does", re.compile(r"^\W*(?:what|which)\b[^?]*?\b(?:does|do|did)\b", re.I)),
    ("much", re.compile(r"\bhow\s+(?:much|many|long)\b", re.I)),
    (
        "which",
        re.compile(
            r"^\W*(?:in\s+|for\s+|of\s+)?which\b|^\W*(?:in\s+)?what\s+(?:year|period|segment|"
            r"component)s?\b",
            re.I,
        ),
    ),
    ("who", re.compile(r"^\W*(?:who|when|where)\b", re.I)),
    ("are", re.compile(r"^\W*what\s+(?:are|were)\b", re.I)),
    ("is", re.compile(r"^\W*what\s+(?:is|was)\b", re.I)),
)
"""How a question is put: the first pattern that matches names its form."""
