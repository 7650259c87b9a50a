"""The year by which something will be: the firm's own goal, not the year of a scenario, of others, or of another event."""

from __future__ import annotations

import re

from pincite.check.rival_cells import asked_words
from pincite.document.words import stems
from pincite.evidence.cited_place import CitedPlace, Failed
from pincite.evidence.value_in_words import worded
from pincite.lexicon import pattern, word_list
from pincite.question.cues import says
from pincite.question.understanding import Ask
from pincite.types import Value

_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_BY = pattern("check", "by a year")
_IN = pattern("check", "in a year")
_SCENARIO = pattern("check", "year of a scenario")
_OTHERS = frozenset(stems(" ".join(word_list("check", "others with goals"))))
_REMEDY = (
    "Cite the sentence that says by which year the firm itself will have done it, or answer N/A."
)


def of_goal_year(value: Value, place: CitedPlace, ask: Ask) -> None:
    """Raise Failed where a question asks by which year something will be, and the sentence does not set that year as the goal:
    it is that of a scenario, of customers or countries, or of something that happened.
    """
    if place.cell is not None or not says(ask.text, "year of a goal"):
        return
    year = _YEAR.search(worded(value))
    if year is None:
        return
    said = place.citation.quote or place.text
    asked = frozenset(stems(ask.text)) | asked_words(ask, False)
    if not _is_set(said, year[0]) or _OTHERS & frozenset(stems(said)) - asked:
        how = f"{year[0]} is not the year of the goal in {place.described}"
        raise Failed("contradicted", how, place.citation.label, _REMEDY)


def _is_set(said: str, year: str) -> bool:
    """Whether a text says "by" that year, or "in" it where it says "by" no other."""
    places = [at.start() for at in re.finditer(rf"\b{year}\b", said)]
    own = [at for at in places if not _SCENARIO.match(said, at)]
    if any(_BY.search(said[:at]) for at in own):
        return True
    others = any(_BY.search(said[: at.start()]) for at in _YEAR.finditer(said))
    return not others and any(_IN.search(said[:at]) for at in own)
