"""A follow-up as a standalone question, by rules: what it leaves out is taken from the question before.

"And in 2022?", "what about Acme?", "and its net income?" and "how did it change?" inherit the time, the name, the subject or
the rest of the last standalone question. A question that names what it is about stays unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pincite.document.times import When, when
from pincite.question.followup_parts import Known, PlacedName, names, periods, subject_at
from pincite.question.understanding import understand
from pincite.question.wording import PERIOD_PHRASE
from pincite.text.lexicon import pattern, word_set
from pincite.text.words import words
from pincite.types import Query

_LEAD = pattern("question", "lead", "follow-ups")
_ASKS = pattern("question", "asks", "follow-ups")
_REQUEST = pattern("question", "request", "follow-ups")
_WHY = pattern("question", "why", "follow-ups")
_OWN = pattern("question", "own", "follow-ups")
_HELD = pattern("question", "held", "follow-ups")
_SUBJECT = pattern("question", "subject", "follow-ups")
_THEN = pattern("question", "then", "follow-ups")
_SHIFTED = pattern("question", "shifted", "follow-ups")
_MANNER = pattern("question", "manner", "follow-ups")
_SAID = pattern("question", "said", "follow-ups")
_ANY_TIME = pattern("question", "any time", "follow-ups")
_SMALL = pattern("question", "small", "follow-ups")
_HOW_MANY = pattern("question", "how many", "follow-ups")
_ANAPHOR = pattern("question", "anaphor", "follow-ups")
_POLITE = pattern("question", "polite", "follow-ups")
_REASON = pattern("question", "why of", "follow-ups")
_PLACING = word_set("question", "placing words")
_LONGEST = 12
"""Words beyond which nothing without a verb is taken for a follow-up's fragment."""


@dataclass(frozen=True, slots=True)
class _Fragment:
    """What a follow-up without a verb gives: times, names, and its other words."""

    times: Sequence[str]
    names: Sequence[PlacedName]
    rest: str

    @property
    def has_subject(self) -> bool:
        """Whether its other words say anything."""
        return any(map(str.isalnum, _SMALL.sub(" ", self.rest)))


def standalone(text: str, before: Sequence[str], known: Known) -> str:
    """`text` as a question that needs no conversation; what it lacks is from the standalone questions `before` (latest last).

    Without earlier questions, and when nothing is left out, the text as it is.
    """
    flat = " ".join(text.split())
    before = [_REASON.sub("", earlier) for earlier in before if earlier]
    if not before or not flat:
        return flat
    base = before[-1]
    rest = _ANAPHOR.sub("", _LEAD.sub("", flat).strip())
    if _WHY.match(rest or flat):
        return f"Why: {base}"
    if not rest or _SAID.match(rest):
        return flat
    if _HOW_MANY.match(rest) and (made := _replaced(base, _operands(rest, known), before, known)):
        return made
    if (polite := _POLITE.match(rest)) and not names(rest, known):
        rest = rest[polite.end() :]
    if _ASKS.search(rest):
        return _filled(flat if names(rest, known) else rest, before, known)
    if len(rest.split()) > _LONGEST:
        return flat
    return _replaced(base, rest.strip(" ?.!,"), before, known) or flat


def _operands(text: str, known: Known) -> str:
    """The names and times of a question, as a fragment."""
    return " ".join((*(named.text for named in names(text, known)), *periods(text)))


def _filled(text: str, before: Sequence[str], known: Known) -> str:
    """A question in full with its pronouns resolved, and the name and time it lacks."""
    base, name = before[-1], _main(before, known)
    if _SUBJECT.search(text) and not _topic(base, known) and (other := periods(text)):
        return _ended(base, f"compared with {when(other[0])[0].text}")
    made = _dated(_resolved(text, name, _topic(base, known)), base)
    if any(pronoun.search(text) for pronoun in (_OWN, _HELD, _SUBJECT)):
        made = _against(made, base)
    elif any(_explicit(named, known) for named in names(text, known)):
        return _opened(made)
    if name and name.casefold() not in made.casefold():
        made = _appended(made, f"{'of' if _nominal(made) else 'for'} {name}")
    return _opened(_timed(made, before))


def _resolved(text: str, name: str, subject: str) -> str:
    """A question with its pronouns replaced by the name and the subject of the conversation, where these are known."""
    if subject:
        text = _SUBJECT.sub(lambda found: _cased(subject, found), text)
    if name:
        text = _OWN.sub(
            lambda found: _cased(f"{name}'{'' if name.endswith('s') else 's'}", found), text
        )
    if holder := name or subject:
        text = _HELD.sub(lambda found: _cased(holder, found), text)
    return text


def _timed(text: str, before: Sequence[str]) -> str:
    """A question for a number that gives no time, with that of the latest question that has one."""
    if when(text) or _ANY_TIME.search(text) or understand(Query(text)).expects != "number":
        return text
    dated = list(filter(None, map(periods, reversed(before))))
    # a comparison has two times, and says of neither that it is meant
    phrase = next((times for times in dated if len(times) == 1), dated[0] if dated else None)
    return _appended(text, phrase[0]) if phrase else text


def _explicit(named: PlacedName, known: Known) -> bool:
    """Whether a name says what a question is about: no abbreviation ("the CEO"), label ("Scope 1") or place ("in Norway")."""
    if known(named.text):
        return True
    if named.word == "in":
        return not re.fullmatch(r"[A-Z][a-z]+", named.text)
    return bool(named.word) or not pattern("question", "label", "follow-ups").fullmatch(named.text)


def _against(text: str, base: str) -> str:
    """A comparison with the time of the question before: "change from 2022" and "higher in 2022" lack its other end."""
    here, there = when(text), when(base)
    if len(here) != 1 or len(there) != 1 or here[0].fits(there[0]):
        return text
    if pattern("question", "from", "follow-ups").search(text):
        return _ended(text, f"to {there[0].text}")
    if pattern("question", "higher", "follow-ups").search(text):
        return _ended(text, f"than in {there[0].text}")
    if pattern("question", "compares", "follow-ups").search(text):
        return pattern("question", "before compares", "follow-ups").sub(
            f" {periods(base)[0]} ", text, count=1
        )
    return text


def _replaced(base: str, text: str, before: Sequence[str], known: Known) -> str:
    """The question before, with the times, names and subject that a fragment gives in place of its own; "" when it gives none."""
    fragment = _read(text, base, known)
    if not (fragment.times or fragment.names or fragment.has_subject):
        return ""
    made = _with_rest(base, fragment.rest, before, known) if fragment.has_subject else base
    for named in fragment.names:
        made = _name_replaced(made, named, known)
    if fragment.times:
        made = _period_replaced(made, fragment.times)
    return _opened(made)


def _read(text: str, base: str, known: Known) -> _Fragment:
    """A fragment's parts: its times, counted from the question before, its names, and what is left of it."""
    text = _own_time(_SHIFTED.sub(lambda found: _shift(found, base), text), base)
    times = periods(text) or [period.text for period in when(text)]
    for phrase in times:
        text = text.replace(phrase, " ", 1)
    given = [named for named in names(text, known) if named.word or _alone(text, named)]
    for named in reversed(given):
        text = f"{text[: named.first]} {text[named.last :]}"
    return _Fragment(times, given, " ".join(text.split()).strip(" ,;"))


def _with_rest(base: str, rest: str, before: Sequence[str], known: Known) -> str:
    """The question before with another unit or form, another phrase of the same place, or another subject."""
    if _MANNER.match(rest):
        return _ended(base, rest)
    if same := _same_place(rest, base):
        return base.replace(same, rest, 1)
    if set(words(rest)) <= set(words(base)):
        return base
    return _subject_replaced(
        base, pattern("question", "small at the ends", "follow-ups").sub("", rest), before, known
    )


def _same_place(fragment: str, base: str) -> str:
    """The phrase of a question that a fragment is another of: the same preposition and a word in common ("at 4 bit")."""
    word = pattern("question", "preposition", "follow-ups").match(fragment)
    if not word:
        return ""
    for found in re.finditer(
        rf"\b{word[0]}\s[^,;?!]+?(?=\s+(?:of|for|at|by|in|from|with|to|on|under|per|than)\b|[,;?!.]|$)",
        base,
    ):
        if set(words(found[0])) & set(words(fragment)):
            return found[0]
    return ""


def _alone(fragment: str, named: PlacedName) -> bool:
    """Whether a name is all that a fragment says beside small words."""
    around = f"{fragment[: named.first]} {fragment[named.last :]}"
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

    def likeness(named: PlacedName) -> tuple[bool, bool, bool, bool]:
        shared = bool(fresh & set(named.text.casefold().split()))
        same_word = new.word in _PLACING and new.word == named.word
        return shared, same_word, known(named.text) == known(new.text), bool(named.word)

    best = max(held, key=likeness)
    return base[: best.start] + new.text + base[best.end :]


def _period_replaced(base: str, times: Sequence[str]) -> str:
    """The question with other times in place of its own; at the end where it has none."""
    phrases = periods(base)
    new = [period for phrase in times for period in when(phrase)]
    if not phrases:
        return _appended(base, _worded(times, new))
    old = when(phrases[0])
    swapped = _worded(times, new)
    alone = len(phrases) == len(old) == len(new) == 1
    if alone and bool(old[0].quarter) == bool(new[0].quarter):
        swapped = phrases[0].replace(old[0].text, new[0].text)
    made = base.replace(phrases[0], swapped, 1)
    for other in phrases[1:]:
        made = made.replace(other, "", 1)
    return " ".join(made.split()).replace(" ?", "?")


def _worded(times: Sequence[str], new: Sequence[When]) -> str:
    """The first of some times with a preposition where it has none."""
    phrase = times[0].strip(" ,")
    if phrase[:1].isdigit() and len(new) > 1:
        return f"for {phrase}"
    return phrase if phrase[:1].islower() or len(new) != 1 else f"in {phrase}"


def _subject_replaced(base: str, subject: str, before: Sequence[str], known: Known) -> str:
    """The question with another subject; a plain one about the same name and time where its own cannot be told apart."""
    span = subject_at(base, known)
    if span:
        return base[: span[0]] + subject + base[span[1] :]
    name, phrase = _main(before, known), periods(base)
    return (
        " ".join((f"What was the {subject}", *([f"of {name}"] if name else []), *phrase[:1])) + "?"
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
    return f"{found['word'] or 'in'} {year}"


def _nominal(text: str) -> bool:
    """Whether a question ends in the thing it asks for ("What was the net income?"), so that "of" can follow."""
    return pattern("question", "nominal", "follow-ups").match(text) is not None


def _appended(text: str, phrase: str) -> str:
    body = text.rstrip(" ?.!")
    found = PERIOD_PHRASE.finditer(body)
    times = [match.start() for match in found if match.end() == len(body) and when(match[0])]
    if times and not when(phrase):
        return f"{body[: times[0]]} {phrase}{body[times[0] :]}?"
    return _ended(body, phrase)


def _ended(text: str, phrase: str) -> str:
    return f"{text.rstrip(' ?.!')} {phrase}?"


def _cased(text: str, found: re.Match[str]) -> str:
    return text[:1].upper() + text[1:] if found.start() == 0 else text


def _capitalised(text: str) -> str:
    """A text on one line with a capital at its beginning."""
    flat = " ".join(text.split())
    return flat[:1].upper() + flat[1:]


def _opened(text: str) -> str:
    """A sentence that begins with a capital and ends as a question, or without a mark as a request."""
    text = _capitalised(text)
    if _REQUEST.match(text):
        return text.rstrip(" ?")
    return text if text[-1:] in "?.!" else f"{text}?"


def narrower(text: str, base: str) -> str:
    """A follow-up that narrows what a database answered, after the question that it narrows."""
    said = _capitalised(text)
    base = base if base[-1:] in "?.!" else f"{base}?"
    return f"{base} {said if said[-1:] in '?.!' else said + '.'}"
