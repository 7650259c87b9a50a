"""A follow-up as a standalone question, by rules: what it leaves out is taken from the question before.

"And in 2022?", "what about Acme?", "and its net income?" and "how did it change?" inherit the time, the name, the
subject or the rest of the last standalone question. A question that names what it is about passes as it is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pincite.chat.question_parts import Known, PlacedName, names, periods, subject_at
from pincite.document.times import When, when
from pincite.document.words import words
from pincite.question.understanding import understand
from pincite.question.wording import PERIOD_PHRASE
from pincite.types import Query

_LEAD = re.compile(
    r"^\W*+(?:(?:(?:ok(?:ay)?|so|now|then|and|but|or|also|yes|no|thanks|thank\s+you|same|the\s+same(?:\s+(?:question|thing))?|what\s+"
    r"about|how\s+about|what\s+of|and\s+what\s+about)\b[\s,:;.-]*+)++)",
    re.IGNORECASE,
)
"""How a follow-up opens."""
_ASKS = re.compile(
    r"^(?:(?:in|by|for|of|at|on|to|from)\s+)?(?:what|which|who|whom|whose|when|where|why|how)\b(?!\s*\W*$)|"
    r"^(?:is|are|was|were|did|does|do|has|have|had|can|could|will|would|should)\b|"
    r"^(?:please\s+)?(?:give|show|list|tell|name|find|compare|compute|calculate|state|explain|describe|summari[sz]e)\b|"
    r"\?.*\w|\b(?:what|which|how\s+(?:much|many))\s+(?:is|are|was|were|did|does|do)\b",
    re.IGNORECASE,
)
"""A question or request in full, however it opens."""
_WHY = re.compile(r"^(?:why|how\s+so|how\s+come|for\s+what\s+reason)\W*$", re.IGNORECASE)
_OWN = re.compile(r"\b(?:its|their|his|her|that\s+company's|the\s+(?:company|group|firm)['’]s)(?=\s+\w)", re.IGNORECASE)
_HELD = re.compile(
    r"\b(?:it|they|them|he|she|him|(?:the|that|this)(?:\s+same)?\s+(?:company|firm|group|corporation|organi[sz]ation|business))\b"
    r"(?!\s+(?:true|correct|possible|said|say|says|stated|clear)\b)",
    re.IGNORECASE,
)
_SUBJECT = re.compile(
    r"\b(?:it|they|this|that|these|those|this\s+(?:figure|number|value|amount)|that\s+(?:figure|number|value|amount))"
    r"(?=\s+(?:chang|compar|increas|decreas|grow|grew|ris|rose|fall|fell|drop|declin|develop|evolv|includ|differ|mean|break|split|"
    r"consist|compos|higher|lower|larger|smaller|more\b|less\b|bigger|better|worse)\w*)|(?<=compare\s)(?:it|this|that)\b|(?<=(?:drove|break)\s)(?:it|this|that)\b|"
    r"(?<=caused\s)(?:it|this|that)\b|(?<=^what\sis\s)(?:it|that|this)\b|(?<=\bwas\s)(?:it|this|that)\b(?!\s+true)|"
    r"(?<=how\sis\s)(?:it|this|that)\b",
    re.IGNORECASE,
)
_THEN = re.compile(
    r"(?:\b(?:in|for|during|at\s+the\s+end\s+of)\s+)?\b(?:that|this|the\s+same|said)(?:\s+same)?\s+(?:fiscal\s+|financial\s+)?"
    r"(?:year|period|quarter|time)\b|\b(?:back\s+)?then(?=\W*$)",
    re.IGNORECASE,
)
_SHIFTED = re.compile(
    r"(?:\b(?:in|for|during|from|to|with|than|of)\s+)?\b(?:the\s+|a\s+)?(?:"
    r"(?P<before>(?:year|quarter)\s+(?:before|earlier|prior)|(?:previous|prior|preceding|last)\s+(?:fiscal\s+|financial\s+)?(?:year|quarter))|"
    r"(?P<after>(?:year|quarter)\s+(?:after|later)|(?:next|following|subsequent)\s+(?:fiscal\s+|financial\s+)?(?:year|quarter)))\b",
    re.IGNORECASE,
)
_MANNER = re.compile(
    r"(?:as\s+an?\b|in\s+(?:(?:thousand|million|billion)s?\b|percent|%|per\s?cent|(?-i:[A-Z]{3})\b|dollars|euros|pounds|words|[kMGT]Wh\b))",
    re.IGNORECASE,
)
"""A fragment that asks for the same value in another unit or form."""
_SAID = re.compile(
    r"^(?:really|thanks?(?:\s+you)?|thank\s+you|hello|hi|hey|ok(?:ay)?|yes|no|cool|great|sure|bye)\W*$", re.IGNORECASE
)
_ANY_TIME = re.compile(
    r"\b(?:latest|current(?:ly)?|now|today|recent|every|each|all|over\s+time|over\s+the)\b", re.IGNORECASE
)
_SMALL = re.compile(
    r"\b(?:for|of|in|at|by|about|from|with|the|a|an|and|or|its|their|his|her|only|just|there)\b", re.IGNORECASE
)
"""Words of a fragment that say nothing by themselves."""
_LONGEST = 12
"""Words beyond which nothing without a verb is taken for a follow-up's fragment."""


def standalone(text: str, before: Sequence[str], known: Known) -> str:
    """`text` as a question that needs no conversation; what it lacks is from the standalone questions `before` (latest last).

    Without earlier questions, and when nothing is left out, the text as it is.
    """
    flat = " ".join(text.split())
    before = [text for text in before if text]
    if not before or not flat:
        return flat
    base = before[-1]
    rest = _LEAD.sub("", flat).strip()
    if _WHY.match(rest or flat):
        return f"Why: {base}"
    if not rest or _SAID.match(rest):
        return flat
    if _ASKS.search(rest):
        return _filled(rest if rest != flat and not names(rest, known) else flat, before, known)
    if len(rest.split()) > _LONGEST:
        return flat
    return _replaced(base, rest.strip(" ?.!,"), before, known) or flat


def _filled(text: str, before: Sequence[str], known: Known) -> str:
    """A question in full with its pronouns resolved, and the name and time it lacks."""
    base = before[-1]
    had = any(_explicit(named, known) for named in names(text, known))
    pronouns = bool(_OWN.search(text) or _HELD.search(text) or _SUBJECT.search(text))
    name = _main(before, known)
    subject = _topic(base, known)
    made = text
    if subject:
        made = _SUBJECT.sub(lambda found: _cased(subject, found), made)
    if name:
        made = _OWN.sub(lambda found: _cased(f"{name}'{'' if name.endswith('s') else 's'}", found), made)
        made = _HELD.sub(lambda found: _cased(name, found), made)
    elif subject:
        made = _HELD.sub(lambda found: _cased(subject, found), made)
    made = _dated(made, base)
    if pronouns:
        made = _against(made, base)
    if had and not pronouns:
        return _opened(made)
    if name and name.casefold() not in made.casefold():
        made = _appended(made, f"{'of' if _nominal(made) else 'for'} {name}")
    number = understand(Query(made)).expects == "number"
    phrase = next((found for text in reversed(before) if (found := periods(text))), [])
    if number and phrase and not when(made) and not _ANY_TIME.search(made):
        made = _appended(made, phrase[0])
    return _opened(made)


def _explicit(one: PlacedName, known: Known) -> bool:
    """Whether a name says what a question is about: no abbreviation ("the CEO"), label ("Scope 1") or place ("in Norway")."""
    if known(one.text):
        return True
    if one.word == "in":
        return not re.fullmatch(r"[A-Z][a-z]+", one.text)
    return bool(one.word) or not re.fullmatch(r"[A-Z&]+s?|[A-Z][a-z]+\s\d+", one.text)


def _against(text: str, base: str) -> str:
    """A comparison with the time of the question before: "change from 2022" and "higher in 2022" lack its other end."""
    here, there = when(text), when(base)
    if len(here) != 1 or len(there) != 1 or here[0].fits(there[0]):
        return text
    if re.search(r"\bfrom\s+\S+\W*$", text):
        return _ended(text, f"to {there[0].text}")
    if re.search(
        r"\b(?:higher|lower|larger|smaller|more|less|bigger|better|worse)\b(?!.*\bthan\b)", text, re.IGNORECASE
    ):
        return _ended(text, f"than in {there[0].text}")
    if re.search(r"\b(?:compare[sd]?|differ(?:s|ed)?)\b", text, re.IGNORECASE):
        return re.sub(r"\s++(?=(?:compare|differ))", f" {periods(base)[0]} ", text, count=1, flags=re.IGNORECASE)
    return text


def _replaced(base: str, fragment: str, before: Sequence[str], known: Known) -> str:
    """The question before, with the times, names and subject that a fragment gives in place of its own; "" when it gives none."""
    fragment = _own_time(_SHIFTED.sub(lambda found: _shift(found, base), fragment), base)
    times = periods(fragment) or [period.text for period in when(fragment)]
    for phrase in times:
        fragment = fragment.replace(phrase, " ", 1)
    given = [named for named in names(fragment, known) if named.word or _alone(fragment, named)]
    for named in reversed(given):
        fragment = f"{fragment[: named.first]} {fragment[named.last :]}"
    rest = " ".join(fragment.split()).strip(" ,;")
    fresh = any(map(str.isalnum, _SMALL.sub(" ", rest)))
    if not (times or given or fresh):
        return ""
    made = base
    if fresh and _MANNER.match(rest):
        made = _ended(made, rest)
    elif fresh and (same := _same_place(rest, base)):
        made = made.replace(same, rest, 1)
    elif fresh and not set(words(rest)) <= set(words(base)):
        inner = re.sub(rf"^(?:{_SMALL.pattern}\s++)++|\s++{_SMALL.pattern}$", "", rest, flags=re.IGNORECASE)
        made = _subject_replaced(made, inner, before, known)
    for named in given:
        made = _name_replaced(made, named, known)
    if times:
        made = _period_replaced(made, times)
    return _opened(made)


def _same_place(fragment: str, base: str) -> str:
    """The phrase of a question that a fragment is another of: the same preposition and a word in common ("at 4 bit")."""
    word = re.match(r"(?:of|for|at|by|in|from|with|to|on|under|per)\b", fragment, re.IGNORECASE)
    if not word:
        return ""
    for found in re.finditer(
        rf"\b{word[0]}\s[^,;?!]+?(?=\s+(?:of|for|at|by|in|from|with|to|on|under|per|than)\b|[,;?!.]|$)", base
    ):
        if set(words(found[0])) & set(words(fragment)):
            return found[0]
    return ""


def _alone(fragment: str, one: PlacedName) -> bool:
    """Whether a name is all that a fragment says beside small words, or its possessor."""
    around = f"{fragment[: one.first]} {fragment[one.last :]}"
    return not re.search(r"[^\W\d_]{2,}", _SMALL.sub(" ", around))


def _name_replaced(base: str, new: PlacedName, known: Known) -> str:
    """The question with a name in place of the one of its own most like it; at the end where it has none."""
    held = [named for named in names(base, known) if named.text.casefold() != new.text.casefold()]
    if new.text.casefold() in base.casefold():
        return base
    if not held:
        word = "of" if new.word in ("", "'s", "did") else new.word
        return _appended(base, f"{word} {new.text}")
    fresh = set(new.text.casefold().split())

    def likeness(one: PlacedName) -> tuple[bool, bool, bool, bool]:
        shared = bool(fresh & set(one.text.casefold().split()))
        same_word = (
            bool(new.word)
            and new.word.lower() in ("in", "at", "on", "from", "to")
            and new.word.lower() == one.word.lower()
        )
        return shared, same_word, known(one.text) == known(new.text), bool(one.word)

    best = max(held, key=likeness)
    return base[: best.start] + new.text + base[best.end :]


def _period_replaced(base: str, times: Sequence[str]) -> str:
    """The question with other times in place of its own; at the end where it has none."""
    phrases = periods(base)
    new = [period for phrase in times for period in when(phrase)]
    if not phrases:
        return _appended(base, _worded(times, new))
    old = when(phrases[0])
    if len(phrases) == 1 and len(old) == 1 and len(new) == 1 and bool(old[0].quarter) == bool(new[0].quarter):
        swapped = phrases[0].replace(old[0].text, new[0].text)
    else:
        swapped = _worded(times, new)
    made = base.replace(phrases[0], swapped, 1)
    for other in phrases[1:]:
        made = made.replace(other, "", 1)
    return " ".join(made.split()).replace(" ?", "?")


def _worded(times: Sequence[str], new: Sequence[When]) -> str:
    phrase = times[0].strip(" ,")
    if phrase[:1].isdigit() and len(new) > 1:
        return f"for {phrase}"
    return phrase if not phrase[:1].isdigit() and phrase[:1].islower() or len(new) != 1 else f"in {phrase}"


def _subject_replaced(base: str, subject: str, before: Sequence[str], known: Known) -> str:
    """The question with another subject; a plain one about the same name and time where its own cannot be told apart."""
    span = subject_at(base, known)
    if span:
        return base[: span[0]] + subject + base[span[1] :]
    name, phrase = _main(before, known), periods(base)
    return (
        " ".join(part for part in (f"What was the {subject}", f"of {name}" if name else "", *phrase[:1]) if part) + "?"
    )


def _topic(base: str, known: Known) -> str:
    """What a question is about, as a phrase: its subject with its name and its time."""
    span = subject_at(base, known)
    if not span:
        return ""
    noun = base[slice(*span)]
    held = [named for named in names(base, known) if named.word and named.text not in noun]
    name = next((named for named in held if known(named.text)), held[0] if held else None)
    if name is None:
        return f"the {noun}"
    if name.word in ("'s", "did"):
        return f"the {noun} of {name.text}"
    return f"the {noun} {base[name.first : name.last].strip()}"


def _main(before: Sequence[str], known: Known) -> str:
    """The name that the conversation is about: of the latest question that has one, one of the corpus before any other."""
    for base in reversed(before):
        held = names(base, known)
        ranked = [named for named in held if known(named.text)] or [
            named for named in held if named.word in ("'s", "did", "of", "by", "for", "at")
        ]
        if ranked:
            return ranked[0].text
    return ""


def _dated(text: str, base: str) -> str:
    """A question's "that year" and "the year before" as times, counted from the question before."""
    phrase = periods(base)
    if not phrase:
        return text
    text = _THEN.sub(phrase[0], text)
    return text if when(text) else _SHIFTED.sub(lambda found: _shift(found, base), text)


def _own_time(fragment: str, base: str) -> str:
    """A fragment's bare quarter or month takes the year of the question before."""
    return fragment if re.search(r"(?:19|20)\d\d", fragment) else _with_year(fragment, base)


def _with_year(fragment: str, base: str) -> str:
    year = max((period.year for period in when(base)), default=0)
    found = when(fragment)
    if year and found and not found[0].year and (found[0].quarter or found[0].month):
        return fragment.replace(found[0].text, f"{found[0].text} {year}", 1)
    return fragment


def _shift(found: re.Match[str], base: str) -> str:
    """The year before or after that of the question before, with the word it follows."""
    years = [period.year for period in when(base) if period.year]
    if not years or "quarter" in found[0].lower():
        return found[0]
    year = min(years) - 1 if found["before"] else max(years) + 1
    word = re.match(r"(?:in|for|during|from|to|with|than|of)\b", found[0], re.IGNORECASE)
    return f"{word[0] if word else 'in'} {year}"


def _nominal(text: str) -> bool:
    """Whether a question ends in the thing it asks for ("What was the net income?"), so that "of" can follow."""
    return bool(re.match(r"^\W*(?:what|which|who)(?:['’]s|\s+(?:is|was|were|are))\s", text, re.I)) and not re.search(
        r"\b(?:held|made|paid|used|reported|recorded|spent|sold)\W*$", text, re.I
    )


def _appended(text: str, phrase: str) -> str:
    body = text.rstrip(" ?.!")
    times = [match for match in PERIOD_PHRASE.finditer(body) if match.end() == len(body) and when(match[0])]
    if times and not when(phrase):
        return f"{body[: times[0].start()]} {phrase}{body[times[0].start() :]}?"
    return _ended(body, phrase)


def _ended(text: str, phrase: str) -> str:
    return f"{text.rstrip(' ?.!')} {phrase}?"


def _cased(text: str, found: re.Match[str]) -> str:
    return text[:1].upper() + text[1:] if found.start() == 0 else text


def _opened(text: str) -> str:
    text = " ".join(text.split())
    text = text[:1].upper() + text[1:]
    told = re.match(
        r"(?:please\s+)?(?:give|show|list|tell|name|find|compare|compute|calculate|state|explain|describe|summari[sz]e)\b",
        text,
        re.I,
    )
    return text.rstrip(" ?") if told else text if text[-1:] in "?.!" else f"{text}?"


def narrower(text: str, base: str) -> str:
    """A follow-up that narrows what a database answered, after the question that it narrows."""
    said = " ".join(text.split())
    said = said[:1].upper() + said[1:]
    base = base if base[-1:] in "?.!" else f"{base}?"
    return f"{base} {said if said[-1:] in '?.!' else said + '.'}"
