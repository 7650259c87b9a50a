"""What a model is told beside the rules of lines: how strictly a question is taken, what its class asks for, what is wanted."""

from __future__ import annotations

from pincite.generate.rules import Rules
from pincite.question.ask import Ask
from pincite.types import Query

STRICT = (
    "Take only a line that states outright what is asked, for just this subject, time and kind of figure. When in doubt lines is "
    "empty: an unanswered question is better than a wrong one."
)
RELAXED = (
    "Take the line that comes nearest to stating what is asked, when its subject and time are the right ones. lines is empty "
    "only when no line speaks of it."
)
DERIVED: dict[bool, str] = {
    True: "A value that stands in no one line may be calculated from those that do.",
    False: "A figure that would have to be calculated from others is no answer, however easy it is: write no calculation.",
}
UNITS: dict[str, str] = {
    "na": "A figure in another currency or unit than the question names is no answer.",
    "convert": "Give a figure in the currency and unit of its line; another currency than the question names is no answer.",
}
PROXIES: dict[str, str] = {
    "forbid": "A broader, narrower or merely related figure (a net for a gross one, a group for a segment) does not stand in.",
    "allow": "Where just this figure is missing, the nearest one of the same subject and time may stand in.",
}
TERMS: dict[str, str] = {
    "exact": "Take titles, names and metrics literally: another title is another thing, even for a like role.",
    "role": "A title or metric may go by another common name of the same role or figure (a Managing Director is a CEO), "
    "not by one that is merely near it.",
    "near": "Where nobody holds just this title, take the nearest role there is.",
}
SILENCE: dict[bool, str] = {
    True: "What no line mentions did not happen: the value is no, and lines is empty.",
    False: "A no needs a line that says no.",
}
FOCUS: dict[str, str] = {
    "table_extraction": "The figure asked for is likely to stand in a row of a table. Go through the rows one by one, and take "
    "the value whose header says just what is asked.",
    "score_extraction": "A score on some measure is asked for. Make sure that measure, data and setting are the ones asked for, "
    "and that the unit (points, per cent, a fraction of 1) is kept.",
    "model_specific": "One named model is asked about. Take figures of this very model and size; a figure for a group of models, "
    "an average or a sibling is not meant.",
    "term_extraction": "A name or term is asked for. Give the one that a line introduces or defines as such.",
    "numeric_counting": "A count or share is asked for. Count only what the lines list or state, and check that share and "
    "whole belong together.",
    "general": "Name every line that is needed to answer all of it.",
}
"""What to look out for with each of HERO's six classes of question (its Table 13)."""
COMPARED = (
    "Where it is asked what has the most or the least, name the line of each of the things that are compared; the value is the "
    "one that wins."
)
COUNTED = (
    "Where it is asked how many rows lie above or below a number, name the line of each that does; the value is how many they "
    "are."
)
WANTED: dict[str, str] = {
    "number": "a number",
    "boolean": "yes or no",
    "name": "one name alone, without titles or explanations",
    "names": "each name once, with ; between them: titles without their holders when titles are asked for, and products already "
    "on the market when new products are",
    "text": "the sentences that answer: name their lines",
}
"""What a caller may want, in words."""

_PLAIN = (
    STRICT,
    DERIVED[True],
    UNITS["convert"],
    PROXIES["forbid"],
    TERMS["role"],
    SILENCE[False],
)
"""What holds where nothing else is said: a small model is told only what differs from it."""


def told(
    rules: Rules, ask: Ask, *, strict: bool, focus: str = "", small: bool = False
) -> tuple[str, ...]:
    """The sentences for a set of rules, and for a class of question of FOCUS where `focus` names one."""
    said = (
        STRICT if strict else RELAXED,
        DERIVED[rules.derives(ask)],
        UNITS[rules.other_unit],
        PROXIES[rules.proxy],
        TERMS[rules.terms],
        SILENCE[rules.silent_no(ask)],
    )
    counted = (
        (COUNTED,) if ask.operation == "count" and ask.threshold and rules.derives(ask) else ()
    )
    kept = (
        tuple(sentence for sentence in said if sentence not in _PLAIN)
        if small
        else (*said, COMPARED, *counted)
    )
    return (*kept, FOCUS[focus]) if focus else kept


def wanted(query: Query) -> str:
    """What a caller wants, to stand behind the question."""
    said = (WANTED.get(query.expects or "", ""), f"in {query.unit}" if query.unit else "")
    return f"\nWanted: {', '.join(filter(None, said))}." if any(said) else ""
