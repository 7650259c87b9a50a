"""English words that say what is to be done with a table, whatever the table: adjectives, comparisons, functions, order.

An adjective names kinds of quantity, the likeliest first: "largest" is of area before it is of population. Which column
is meant is decided by the names of the columns a question can reach.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from pincite.lexicon import word_list

SIZE = word_list("rows", "size")
LENGTH = word_list("rows", "length")
HEIGHT = word_list("rows", "height")
DATE = word_list("rows", "date")
PRICE = word_list("rows", "price")
RATING = word_list("rows", "rating")

ADJECTIVES: dict[str, tuple[int, tuple[str, ...]]] = {
    "large": (1, SIZE), "big": (1, SIZE), "small": (-1, SIZE), "great": (1, SIZE), "huge": (1, SIZE), "tiny": (-1, SIZE),
    "long": (1, LENGTH), "short": (-1, LENGTH), "brief": (-1, ("duration", "time")),
    "high": (1, HEIGHT), "tall": (1, HEIGHT), "low": (-1, HEIGHT), "deep": (1, ("depth", "deep")),
    "shallow": (-1, ("depth", "deep")), "wide": (1, ("width", "span")), "narrow": (-1, ("width", "span")),
    "thick": (1, ("thickness",)), "thin": (-1, ("thickness",)),
    "far": (1, ("distance",)), "near": (-1, ("distance",)), "close": (-1, ("distance",)),
    "heavy": (1, ("weight", "mass", "density")), "light": (-1, ("weight", "mass", "density")), "dense": (1, ("density",)),
    "populous": (1, ("population",)), "populated": (1, ("population",)), "crowded": (1, ("density", "population")),
    "old": (-1, ("age", *DATE)), "young": (1, ("age", *DATE)), "new": (1, DATE), "recent": (1, DATE), "late": (1, DATE),
    "early": (-1, DATE), "modern": (1, DATE),
    "cheap": (-1, PRICE), "expensive": (1, PRICE), "costly": (1, PRICE), "pricey": (1, PRICE),
    "fast": (1, ("speed", "velocity", "rate")), "slow": (-1, ("speed", "velocity", "rate")),
    "quick": (-1, ("duration", "time", "speed")),
    "strong": (1, ("strength",)), "weak": (-1, ("strength",)), "hard": (1, ("hardness",)), "soft": (-1, ("hardness",)),
    "stiff": (1, ("modulus", "stiffness")), "flexible": (-1, ("modulus", "stiffness")),
    "rigid": (1, ("modulus", "stiffness", "rigidity")), "ductile": (1, ("elongation", "ductility")),
    "brittle": (-1, ("elongation", "ductility")), "tough": (1, ("toughness", "impact")),
    "hot": (1, ("temperature",)), "warm": (1, ("temperature",)), "cold": (-1, ("temperature",)), "cool": (-1, ("temperature",)),
    "good": (1, RATING), "bad": (-1, RATING), "rich": (1, ("income", "wealth", "revenue", "balance", "salary")),
    "poor": (-1, ("income", "wealth", "revenue", "balance", "salary")), "busy": (1, ("traffic", "passengers")),
    "popular": (1, ("rating", "popularity", "views", "sales")),
}  # fmt: skip
"""Adjective -> (1 when more of the quantity is more of the adjective, else -1; the quantities)."""

COUNTRIES = {
    "us": ("usa", "us", "united states", "united states of america"), "uk": ("uk", "united kingdom", "gb", "great britain"),
    "eu": ("eu", "european union"),
}  # fmt: skip
"""What names of countries databases use for what people say."""
COUNTRY_WORDS = {
    "us": r"u\.?s\.?a?\.?|united states(?: of america)?|america|american|continental us(?:a)?|the states",
    "uk": r"u\.?k\.?|united kingdom|great britain|britain|british",
    "eu": r"e\.?u\.?|european union",
}

_IRREGULAR = {
    "best": ("good", 2), "better": ("good", 1), "worst": ("bad", 2), "worse": ("bad", 1), "farthest": ("far", 2),
    "furthest": ("far", 2), "farther": ("far", 1), "further": ("far", 1), "latest": ("late", 2), "nearest": ("near", 2),
}  # fmt: skip


def _forms() -> dict[str, tuple[str, int]]:
    made: dict[str, tuple[str, int]] = {word: (word, 0) for word in ADJECTIVES}
    for word in ADJECTIVES:
        stem = word[:-1] if word.endswith("e") else word[:-1] + "i" if word.endswith("y") else word
        if re.fullmatch(r"[^aeiou]*[aeiou][bdgnt]", word):
            stem += word[-1]
        made |= {f"{stem}er": (word, 1), f"{stem}est": (word, 2)}
    return made | _IRREGULAR


FORMS = _forms()
"""Every form of an adjective -> (the adjective; 0 plain, 1 comparative, 2 superlative)."""

MANY = word_list("rows", "most")
FEW = word_list("rows", "fewest")

SYNONYMS = word_list("rows", "synonyms")
"""Words that name the same thing in most databases, a line each."""

PHRASES = {
    r"next to|share a border|shares a border|sharing a border|surrounding|bordering|bordered by": "border",
    r"live|lives|living|lived": "people",
    r"modulus of elasticity|young'?s modulus": "elastic modulus",
    r"modulus of rigidity": "shear modulus",
    r"signed up|registered|sign up|signup|signed on": "join",
    r"tensile yield|proof (?:stress|strength)|yield (?:point|stress)": "yield strength",
    r"(?:ultimate|breaking) (?:stress|strength)": "ultimate tensile strength",
}
"""Phrases -> the one or two words they stand for."""

SPELLINGS = (
    ("isation", "ization"),
    ("ised$", "ized"),
    ("ise$", "ize"),
    ("ising$", "izing"),
    ("aluminium", "aluminum"),
    ("our$", "or"),
    ("ours$", "ors"),
    ("metre", "meter"),
    ("litre", "liter"),
    ("centre", "center"),
    ("grey", "gray"),
    ("ization", "isation"),
    ("ized$", "ised"),
    ("ize$", "ise"),
    ("aluminum", "aluminium"),
    ("color", "colour"),
    ("center", "centre"),
)
"""Spellings of British and American English, either way."""

COMPARISONS: tuple[tuple[str, str], ...] = (
    (r"(?:no|not) (?:less|lower|fewer|smaller|earlier) than|at least|a minimum of|minimum of|not below"
     r"|on or after|starting from|≥|>=", ">="),
    (r"(?:no|not) (?:more|higher|greater|larger|bigger|later) than|at most|up to|a maximum of|maximum of"
     r"|not above|not exceeding"
     r"|on or before|≤|<=", "<="),
    (r"(?:more|greater|higher|larger|bigger|better|upwards|later) than|above|over|exceeding|exceeds?|surpass(?:es"
     r"|ing)?|in excess of"
     r"|after|>", ">"),
    (r"(?:less|lower|fewer|smaller|worse|earlier) than|below|under|beneath|before|prior to|<", "<"),
    (r"since|from", ">="),
    (r"until|till", "<="),
    (r"equal(?:s)? to|exactly|equals|=", "="),
)  # fmt: skip
AFTER_NUMBER = re.compile(
    r"\s?(?:or|and) (?P<more>more|higher|greater|above|over|larger|later|after)|\s?(?:or|and) (?:less"
    r"|lower|fewer|below|under|smaller|earlier|before)"
)

FUNCTIONS: tuple[tuple[str, str], ...] = (
    (r"how many (?:different|distinct|unique)|(?:the )?(?:total )?number of (?:different|distinct|unique)"
     r"|count of (?:different|distinct|unique)|distinct count of", "count distinct"),
    (r"how many|(?:the )?(?:total )?numbers? of|(?:the )?(?:total )?count of|count(?= the| all| how)|count the number of"
     r"|how often", "count"),
    (r"(?:the )?(?:total|combined|overall)(?: (?:sum|amount|value) of)?(?: of)?|(?:the )?sum of|summed"
     r"|altogether|combined|in total", "sum"),
    (r"(?:the )?(?:averages?|means?|avg)(?: value| amount| number)?(?: of)?|on average|typical(?:ly)?", "avg"),
)  # fmt: skip

OTHERS: tuple[tuple[str, str], ...] = (
    (r"(?:the )?ratio (?:of|between)|ratio", "ratio"),
    (r"(?:the )?(?:difference|gap) (?:between|in)|how much (?:more|less|higher|lower|larger|bigger|greater"
     r"|longer)|differ", "difference"),
    (r"(?:the )?(?:percentage|percent|proportion|share|fraction) of|what (?:percentage|percent|proportion"
     r"|share|fraction)", "share"),
    (r"(?:for|in|of|per|by|at|within|from|to|across) (?:each|every)|each|every|per|grouped by|group by"
     r"|split by|broken down by|across(?: different| all)?"
     r"|for all", "each"),
    (r"(?:ordered|sorted|order|sort|ranked|rank)(?: them| the results?| it)?(?: in| by)?", "order"),
    (r"alphabetically|alphabetical(?: order)?|in alphabetical order", "alphabetical"),
    (r"(?:in )?descending(?: order)?(?: of| by)?|from (?:highest|largest|longest|most|biggest) to (?:lowest"
     r"|smallest|shortest|least|fewest)"
     r"|(?:highest|largest|longest|latest) first|decreasing(?: order)?", "falling"),
    (r"(?:in )?ascending(?: order)?(?: of| by)?|from (?:lowest|smallest|shortest|least|fewest) to (?:highest"
     r"|largest|longest|most|biggest)"
     r"|(?:lowest|smallest|shortest|earliest) first|increasing(?: order)?", "rising"),
    (r"(?:do|does|did|is|are|was|were|has|have|had|can|could)(?: not|n't)|don't|doesn't|didn't|isn't|aren't"
     r"|haven't|hasn't|cannot|not"
     r"|without|never|no|none|excluding|except(?: for)?|other than|lack(?:s|ing)?|neither|nor|non", "not"),
    (r"(?:names? )?(?:that )?(?:starts?|starting|begins?|beginning)(?: with)?(?: the)?(?: letter)?s?", "begins"),
    (r"(?:that )?(?:ends?|ending)(?: with| in)(?: the)?(?: letter)?s?", "ends"),
    (r"contain(?:s|ing)?|includ(?:es|ing)|mention(?:s|ing)?", "contains"),
    (r"where(?= (?:is|are|was|were|can|do|does))|where", "where"),
    (r"when", "when"),
    (r"who|whom", "who"),
    (r"both", "both"),
    (r"everything|all (?:the )?(?:properties|columns|fields|attributes|details|information|data)(?: of"
     r"| on| about| for)?", "everything"),
    (r"v(?:er)?s\.?|compared (?:to|with)|against", "and"),
    (r"between", "between"),
    (r"and|as well as|along with|together with|&", "and"),
    (r"or", "or"),
    (r"distinct|unique|different", "distinct"),
    (r"second|2nd", "ordinal 2"), (r"third|3rd", "ordinal 3"), (r"fourth|4th", "ordinal 4"), (r"fifth|5th", "ordinal 5"),
    (r"sixth|6th", "ordinal 6"), (r"tenth|10th", "ordinal 10"),
    (r"than", "than"),
    (r"return|report|show(?: me)?|give(?: me| us)?|include|list|output|display|retrieve|get(?: me)?|find"
     r"|tell me|provide", "give"),
    (r"there|named|called|which|what|whose|that|name(?= (?:the|all|a))|state(?= the)|do|does|did|is|are"
     r"|was|were|be|been|the|a|an|all|any|some|of|in"
     r"|on|at|to|with|for|by|has|have|had|having|it|its|their|them|they|these|those|through|into|as|can"
      r"|could|you|me|us|my|i|s|please|so|if|then"
     r"|also|only|just|such|will|would|about|how|many|much|one|ones|he|she|his|her|we|our|from|within|located"
      r"|found|lie|lies|exist|exists|situated"
     r"|corresponding|respective|respectively|combinations?|pairs?|records?|rows?|entries|database|list of"
      r"|details|information|data|whole|entire|this|us(?= the)|using|use|used|based|according|want|need"
      r"|know|like|let|say|etc|out", ""),
)  # fmt: skip
"""Everything else that is said of tables -> what it means; "" means nothing by itself."""


@dataclass(frozen=True, slots=True)
class LexiconWord:
    """A word or phrase of the lexicon: what it does, in which direction (1, -1, 0), and the quantities it is about."""

    role: str
    sign: int = 0
    kinds: tuple[str, ...] = ()


@lru_cache(maxsize=1)
def _table() -> list[tuple[re.Pattern[str], LexiconWord]]:
    made: list[tuple[re.Pattern[str], LexiconWord]] = []
    for patterns, prefix in ((COMPARISONS, "compare "), (FUNCTIONS, ""), (OTHERS, "")):
        for pattern, role in patterns:
            word = LexiconWord("ordinal", int(role[8:])) if role.startswith("ordinal ") else LexiconWord(prefix + role)
            made.append((re.compile(rf"(?:{pattern})(?!\w)"), word))
    return made


_MUCH = re.compile(r"(?:by )?how much (?P<word>[a-z]+)(?!\w)")
_HOW = re.compile(r"how (?P<word>[a-z]+)(?!\w)")
_MOST = re.compile(r"(?P<most>most|least|more|less) (?P<word>[a-z]+)(?!\w)")
_MANY = re.compile(r"(?P<word>[a-z]++)(?: (?:number|count|amount)s? of)?(?: the)?(?!\w)")
_SIZE = re.compile(r"(?:the )?size(?: of)?(?!\w)")
_COMMON = re.compile(r"(?:most|least) (?:common|frequent|frequently used|often|used|active)(?:ly)?(?!\w)")


def read(text: str, at: int) -> list[tuple[int, LexiconWord]]:
    """What the lexicon reads in lower-case `text` at `at`: (where it ends, what it is), the longest first."""
    found = [*_phrases(text, at), *_graded(text, at)]
    found += [(hit.end(), word) for pattern, word in _table() if (hit := pattern.match(text, at))]
    return sorted(found, key=lambda one: -one[0])


def _graded(text: str, at: int) -> Iterator[tuple[int, LexiconWord]]:
    """An adjective by itself: plain, comparative, superlative, and what is most or least of all."""
    m = _MANY.match(text, at)
    if m is None:
        return
    word = m["word"]
    adjective, degree = FORMS.get(word, ("", -1))
    end = m.end() if not m[0].endswith(" the") else m.end() - 4
    after = at + len(word)
    if degree == 2:
        yield end, LexiconWord("best", *ADJECTIVES[adjective])
    elif word in MANY or word in FEW:
        yield end, LexiconWord("best", 1 if word in MANY else -1)
    elif degree == 1 and not text.startswith(" than", after):
        yield after, LexiconWord("more", *ADJECTIVES[adjective])
    elif degree == 1:
        sign, kinds = ADJECTIVES[adjective]
        yield after + len(" than"), LexiconWord("compare >" if sign > 0 else "compare <", sign, kinds)
    elif degree == 0:
        yield after, LexiconWord("adjective", *ADJECTIVES[adjective])


def _phrases(text: str, at: int) -> Iterator[tuple[int, LexiconWord]]:
    """An adjective with words around it: "how much denser", "how long", "most populous", "less dense than"."""
    if (m := _MUCH.match(text, at)) and FORMS.get(m["word"], ("", -1))[1] == 1:
        yield m.end(), LexiconWord("difference", *ADJECTIVES[FORMS[m["word"]][0]])
    if (m := _HOW.match(text, at)) and m["word"] in ADJECTIVES:
        yield m.end(), LexiconWord("how", *ADJECTIVES[m["word"]])
    if m := _SIZE.match(text, at):
        yield m.end(), LexiconWord("how", 1, SIZE)
    if m := _COMMON.match(text, at):
        yield m.end(), LexiconWord("best count", 1 if m[0].startswith("most") else -1)
    if (m := _MOST.match(text, at)) and m["word"] in ADJECTIVES:
        sign, kinds = ADJECTIVES[m["word"]]
        sign = sign if m["most"] in ("most", "more") else -sign
        if m["most"] in ("most", "least"):
            yield m.end(), LexiconWord("best", sign, kinds)
        elif text.startswith(" than", m.end()):
            yield m.end() + len(" than"), LexiconWord("compare >" if sign > 0 else "compare <", sign, kinds)
