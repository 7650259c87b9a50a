"""Words that say what is to be done with a given table: which operations a question may ask for."""

from __future__ import annotations

import re

UP = (
    r"highest|largest|biggest|greatest|most|maximum|max|tallest|heaviest|strongest|deepest|"
    r"richest|hottest|farthest|furthest|widest|longest|steepest|hardest|top|leading|more"
)
DOWN = (
    r"lowest|smallest|least|fewest|minimum|min|shortest|lightest|weakest|shallowest|poorest|"
    r"coldest|closest|nearest|narrowest|slightest|less|fewer"
)
CUES: dict[str, re.Pattern[str]] = {
    name: re.compile(rf"\b(?:{words})\b")
    for name, words in {
        "count": (
            r"how many|how often|number of|total number|amount of|count|number|total of|total amount of|"
            r"no of"
        ),
        "times": r"times|how often|occasions",
        "much": r"how much|how long|how far|how old|how tall|how large|how big|how high|how deep|how fast|how wide",
        "sum": r"total|combined|sum|altogether|all together|in all|overall|add up|added|both",
        "mean": r"average|mean|averaged",
        "up": UP,
        "down": DOWN,
        "good": r"best|better|faster|fastest|quickest|winner|winning|successful|higher ranked",
        "bad": r"worst|worse|slowest|slower|poorest|loser",
        "new": r"newest|latest|most recent|most recently|recent|youngest|last|later|younger",
        "old": r"oldest|earliest|older|earlier|elder|eldest",
        "higher": r"higher|larger|bigger|greater|longer|taller|heavier|more|stronger|deeper|farther|further",
        "lower": r"lower|smaller|shorter|lighter|less|fewer|weaker|closer",
        "first": r"first|top|start|begin|beginning|initial|initially|original|starting|1st|debut",
        "last": r"last|bottom|final|end|finally|ending|latest|most recent",
        "next": (
            r"next|after|follow|following|follows|followed|below|subsequent|later|beneath|succeeded|"
            r"right after|succeeding|successor"
        ),
        "previous": r"previous|before|prior|above|preceding|preceded|precedes|previously|predecessor|earlier|just before",
        "difference": (
            r"difference|differ|differential|how many more|how much more|how many fewer|how much less|"
            r"how many less|more than|gap|separates?|between|"
            r"how much (?:longer|taller|higher|larger|bigger|faster|older|heavier|greater|farther|further|"
            r"later|earlier|better)|how many (?:years|days|months|points|spots|places) (?:after|before|"
            r"later|apart|older|longer|passed)"
        ),
        "than": r"than",
        "same": r"same|also|equal|tied|tie|share|shares|shared|identical|alike|as many as|both",
        "other": (
            r"other than|besides|except|else|another|other|not including|excluding|aside from|apart from|different"
        ),
        "only": r"only|sole|just|single",
        "not": (
            r"not|never|without|no|didn|doesn|did nt|isn|wasn|aren|weren|non|neither|except|none|failed|"
            r"lacking|unable"
        ),
        "at least": (
            r"at least|or more|or greater|or higher|or above|minimum of|no less than|not less than|"
            r"or better|or later|since|more than or equal|starting|from"
        ),
        "over": (
            r"more than|over|above|greater than|higher than|larger than|bigger than|exceed|exceeds|"
            r"exceeding|exceeded|better than|longer than|taller than|in excess of|after|older than|"
            r"later than|upwards of"
        ),
        "at most": (
            r"at most|or less|or fewer|or lower|or below|no more than|not more than|maximum of|up to|by|"
            r"until|within"
        ),
        "under": (
            r"less than|under|below|fewer than|lower than|smaller than|shorter than|before|prior to|"
            r"earlier than|not reach|short of|younger than"
        ),
        "between": r"between|from|through|and",
        "often": (
            r"most often|most common|most frequent|most frequently|most popular|commonly|common|"
            r"frequently|mode|most times|majority|the most|largest number|highest number|most number|"
            r"greatest number|biggest number|more often|least number|fewest"
        ),
        "each": r"each|every|per|all",
        "consecutive": r"consecutive|consecutively|in a row|straight|streak|back to back|running",
        "years": r"years?|seasons?",
        "span": r"how long|years|span|last(?:ed)?|months|days|from .* to|until",
        "different": r"different|distinct|unique|separate|various|kinds|types|individual",
        "or": r"or|versus|vs|compare",
        "missing": r"blank|missing|empty|no|without|n a|unknown|lack|not listed|none|not have",
        "present": r"listed|have|has|with|given|had",
        "yes": r"^(?:is|was|were|are|did|does|do|has|have|had|can|could|will|would|true or false)\b.*",
        "who": r"who|whom|whose|person|player|name",
        "when": r"when|what year|which year|what date|which date|what day|in what year|year",
        "where": r"where|city|country|nation|location|place",
        "row": r"listed|table|list|row|chart|shown|position|appear|appears|on the list",
        "above or below": r"above or below|before or after|below or above|after or before",
    }.items()
}
