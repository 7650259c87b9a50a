"""What a question asks, read from its wording alone: the operation, its operands, periods, unit and expected type.

Nothing here looks at a document, so the same reading serves retrieval, tables and prose. Every rule is about English wording,
into which `gloss` turns questions in other languages; none depends on a label.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache

from pincite.document.times import When, is_year, when, years_of
from pincite.errors import UsageError
from pincite.quantity.unit_names import is_unit
from pincite.quantity.units import canonical_unit, is_counted, is_currency, units
from pincite.question import wording
from pincite.question.ask import Ask, Order
from pincite.question.asking import asking_sentence, asks_reason, asks_several, headed
from pincite.question.operands import operands_of, options_of
from pincite.question.request import FRAME, bare, unframed
from pincite.text.gloss import asked
from pincite.text.lexicon import past
from pincite.text.words import stems, words
from pincite.types import QUESTION, Expects, Quantity, Query

_NAME_GOES_ON = re.compile(r"[ \u00a0-][A-Z]")


def accepted(text: str, place: str = "") -> str:
    """A question on one line; `place` is where it stands. Raises UsageError when it is empty or longer than QUESTION."""
    line = " ".join(text.split())
    if not line:
        raise UsageError(
            f'{place}the question is empty: ask something, as in "What was revenue in 2023?"'
        )
    if len(line) > QUESTION:
        raise UsageError(
            f"{place}the question has {len(line):,} characters, but at most {QUESTION:,} are read: "
            "shorten it, and put the text to answer from into a document"
        )
    return line


@lru_cache(maxsize=64)
def understand(query: Query) -> Ask:
    """Read `query`: never fails; what the wording does not say stays empty."""
    whole = " ".join(asked(bare(query.text)).split())
    text = " ".join(FRAME.sub(" ", wording.INSTRUCTION.sub(" ", whole)).split()) or whole
    opening = past(wording.STATEMENT, text, 0)
    statement = text[opening:].strip() if opening else ""
    body = statement or text
    core = asking_sentence(body)
    periods, through = _periods(body)
    how = _how(body, core, bool(statement))
    operands = operands_of(core, how.operation)
    if how.operation == "sum" and how.says_total and _of_one_thing(core, periods, operands):
        how = replace(how, operation="lookup")
    subject = _subject(body, how)
    ask = Ask(
        query=query,
        text=text,
        expects="text",
        operation=how.operation,
        subject=subject,
        terms=tuple(words(subject) or stems(subject)),
        wants=_wanted(core),
        unit=query.unit or _unit(whole, subject),
        scale=_scale(whole),
        periods=periods,
        through=through,
        operands=operands,
        options=options_of(body),
        statement=statement,
        order=how.order,
        threshold=how.threshold,
        several=wording.RESPECTIVELY.search(body) is not None,
        falling=_is_fall(core),
    )
    number = query.unit or _is_number_told(whole)
    return replace(ask, expects=query.expects or ("number" if number else _expects(core, ask)))


def _is_number_told(whole: str) -> bool:
    """Whether an instruction beside the question says that the answer is a number ("give me an integer")."""
    told = wording.INSTRUCTION.finditer(whole)
    return any(wording.AS_NUMBER.search(instruction[0]) for instruction in told)


def _is_fall(text: str) -> bool:
    """Whether the change asked for is a fall."""
    return wording.FALL.search(text) is not None and wording.RISE.search(text) is None


def _scale(text: str) -> Decimal | None:
    """The scale in which the answer is wanted, where the wording says one."""
    named = wording.IN_SCALE.search(text)
    return Decimal(10) ** wording.SCALES[named[1].lower()] if named else None


@dataclass(frozen=True, slots=True)
class _How:
    """What is to be done with what is found: the operation, the words that say so, which way it orders, beyond what."""

    operation: wording.Operation
    matched: re.Match[str] | None
    order: Order
    threshold: Quantity | None

    @property
    def says_total(self) -> bool:
        """Whether "total" alone says the operation: it may as well be part of a name."""
        return self.matched is not None and self.matched[0].lower() == "total"


def _how(text: str, core: str, stated: bool) -> _How:
    """The operation that a question asks for; `stated` says that it is a statement to be judged."""
    operation, matched = _operation(text, core)
    order, threshold = _threshold(text)
    if stated or wording.BOOLEAN.match(text):
        return _How("compare", matched, order, threshold)
    if asks_reason(core):
        return _How("lookup", None, order, threshold)
    if threshold is not None and operation in ("lookup", "count", "sum", "difference", "average"):
        return _How(_beyond(core, operation), wording.THRESHOLD.search(text), order, threshold)
    extreme = _extreme(text, text.find(core))
    if extreme and (operation in ("lookup", "sum", "count") or wording.CHOICE.match(core)):
        operation = _superlative(core, bool(extreme["high"]))
        return _How(operation, extreme, "more" if extreme["high"] else "less", threshold)
    return _How(operation, matched, order, threshold)


def _beyond(core: str, operation: wording.Operation) -> wording.Operation:
    """What is to be done with what lies beyond a threshold: count it or pick it out, where the question says so."""
    if wording.COUNTED.search(core):
        return "count"
    return "filter" if wording.CHOOSES.search(core) else operation


def _of_one_thing(core: str, periods: Sequence[When], operands: Sequence[str]) -> bool:
    """Whether a question is of one time and one thing, so that there is nothing to add up."""
    return len(periods) < 2 and len(operands) < 2 and not wording.ALL_TIMES.search(core)


def _extreme(text: str, start: int) -> re.Match[str] | None:
    """The first superlative from `start` on that is no part of a proper name ("Best Buy")."""
    found = wording.EXTREME.finditer(text, start)
    return next(
        (
            match
            for match in found
            if not (match[0][0].isupper() and _NAME_GOES_ON.match(text, match.end()))
        ),
        None,
    )


def _periods(text: str) -> tuple[tuple[When, ...], bool]:
    """The times a question names, and whether they end a range; "in 2019 ... the third quarter" is one time."""
    found = [time for time in when(text) if time.year or time.quarter]
    years = years_of(found)
    if len(years) < len(found) and years:
        found = [_in_year(time, years[0]) for time in found if not _is_whole_year(time, years[0])]
    return tuple(found), len(found) == 2 and bool(wording.THROUGH.search(text))


def _in_year(time: When, year: int) -> When:
    """A time in its own year, or in this one where it names none."""
    return replace(time, year=time.year or year)


def _is_whole_year(time: When, year: int) -> bool:
    return time.year == year and not time.quarter and not time.month


def _operation(text: str, core: str) -> tuple[wording.Operation, re.Match[str] | None]:
    """The operation that the wording names first; "change in percentage of sales" is a change, of percentages."""
    for operation, pattern in wording.OPERATIONS:
        if match := pattern.search(text, text.find(core)):
            outer = (
                wording.OUTER.search(text[: match.start()]) if operation == "proportion" else None
            )
            return (_of_shares(outer), outer) if outer else (operation, match)
    return "lookup", None


def _of_shares(outer: re.Match[str]) -> wording.Operation:
    """What is to be done with shares, by the word before them."""
    word = (outer["word"] or outer["word_"]).lower()
    if word in ("average", "mean"):
        return "average"
    return "sum" if word in ("total", "sum") else "difference"


def _threshold(text: str) -> tuple[Order, Quantity | None]:
    match = wording.THRESHOLD.search(text)
    if not match or is_year(match["number"]):
        return "", None
    value = Decimal(match["number"].replace(",", "")) * (-1 if match["sign"] else 1)
    scale = Decimal(10) ** wording.SCALES[match["scale"].lower()] if match["scale"] else Decimal(1)
    return ("more" if match["more"] else "less"), Quantity(
        value, "%" if match["percent"] else "", scale, text=match[0]
    )


def _superlative(text: str, high: bool) -> wording.Operation:
    """Asked for the largest: the label ("which year had the highest X") or its value ("what was the highest X")."""
    value = wording.EXTREME_VALUE.search(text)
    number = value or wording.NUMBER_LEAD.search(text) or wording.NUMBER_NOUN.search(text)
    if number and not (wording.LABEL_ASKED.search(text) and not value):
        return "max" if high else "min"
    return "argmax" if high else "argmin"


def _subject(text: str, how: _How) -> str:
    """What is left of a question when the words of its operation, its periods and its frame are taken away."""
    if how.matched and how.operation not in ("lookup", "compare") and not how.says_total:
        text = text[: how.matched.start()] + " " + text[how.matched.end() :]
    text = wording.UNIT_NOTE.sub(" ", unframed(text))
    text = wording.ALL_TIMES.sub(" ", wording.PERIOD_PHRASE.sub(" ", text))
    text = " ".join(wording.NO_SUBJECT.sub(" ", text).split())
    return wording.LEAD.sub("", text).strip(" ,.;:")


_OF_OPERATION: Mapping[wording.Operation, Expects] = {
    "compare": "boolean", "argmax": "name", "argmin": "name", "filter": "names", "lookup": "text", "sum": "text",
}  # fmt: skip
"""What an operation asks for; every other asks for a number, and "text" leaves it to the rest of the wording."""


def _expects(core: str, ask: Ask) -> Expects:
    """What the wording asks for where the caller does not say."""
    expected = _OF_OPERATION.get(ask.operation, "number")
    if expected != "text" or (ask.operation == "lookup" and asks_reason(core)):
        return expected
    if ask.options:
        return "name"
    if wording.NUMBER_LEAD.search(core):
        return "number"
    if lead := wording.NO_NUMBER_LEAD.match(core):
        return _name_or_names(core) if lead["name"] else "text"
    return _name_or_names(core) if wording.NAME_NOUN.search(core) else _expects_of_noun(core, ask)


def _name_or_names(core: str) -> Expects:
    return "names" if asks_several(core) or wording.NAMES_NOUN.search(core) else "name"


def _expects_of_noun(core: str, ask: Ask) -> Expects:
    """What the noun asks for that stands behind "which" or "what", or that the question begins with."""
    which = wording.WHICH.search(core) is not None
    in_unit = wording.IN_UNIT.search(core) is not None
    if _wants_a_thing(core) and (which or not in_unit):
        named = which
    elif in_unit or ask.operation == "sum" or ask.scale or wording.NUMBER_NOUN.search(core):
        return "number"
    else:
        named = headed(core) in ("who", "org")
    if asks_several(core):
        return "names"
    return "name" if named else "text"


def _wants_a_thing(core: str) -> bool:
    """Whether a noun is asked for that is no number's."""
    wanted = _wants(core)
    return bool(wanted) and wording.NUMBER_NOUN.search(wanted) is None


_OF_LEAD = {"who": "person", "when": "date", "where": "place", "why": "reason"}


def _wants(text: str) -> str:
    """The noun of what is asked for."""
    if lead := wording.WANTS_LEAD.search(text):
        return _OF_LEAD[lead[1].lower()]
    if many := wording.HOW_MANY.search(text):
        return str(many[1])
    match = wording.WANTS.search(text)
    return str(match["noun"]) if match else ""


def _wanted(text: str) -> str:
    """The noun of what is asked for, or of what is counted where the number of something is."""
    match = wording.NUMBER_OF.search(text)
    return _wants(text) or (str(match[1]) if match else "")


def _unit(text: str, subject: str) -> str:
    """The unit that the wording names; a currency is one for each share where the subject is an amount per share."""
    unit, each = _named_unit(text) or _counted_in(text), wording.each_of(subject)
    return f"{unit}/{each}" if each and is_currency(unit) else unit


def _counted_in(text: str) -> str:
    """The unit behind "how many" that measures something ("how many MWh"), "" where things are counted."""
    many = wording.HOW_MANY.search(text)
    word = many[1].split()[0].strip(",.?") if many else ""
    known = units().by_name.get(canonical_unit(word))
    if known is None or is_counted(known.name):
        return ""
    return "" if known.dimension in ("", "proportion", "multiple", known.name) else word


def _named_unit(text: str) -> str:
    for match in wording.IN_UNIT.finditer(text):
        unit = (match["bracket"] or match["after"]).strip()
        unit = wording.SCALED.sub("", unit).strip()
        known = is_unit(unit) or "%" in unit or "/" in unit
        if match["bracket"] and not known:  # "(expense)", "(including Norway)"
            continue
        if wording.UNIT_FORM.fullmatch(unit) and not wording.NO_UNIT.search(unit):
            return "%" if canonical_unit(unit) == "%" else unit
    return "%" if wording.IN_PERCENT.search(text) else ""
