"""What a question asks, read from its wording alone: the operation, its operands, periods, unit and expected type.

Nothing here looks at a document, so the same reading serves retrieval, tables and prose. Every rule is about English
wording, into which `gloss` turns questions in other languages; none knows a label.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from typing import Literal

from pincite.document.gloss import asked
from pincite.document.sentence_spans import sentences
from pincite.document.times import When, when
from pincite.document.words import stems, words
from pincite.errors import UsageError
from pincite.quantity.units import is_currency
from pincite.question import wording
from pincite.question.asking import asks_reason, asks_several, headed
from pincite.question.operands import operands_of, options_of
from pincite.question.request import FRAME, bare, unframed
from pincite.types import QUESTION, Expects, Quantity, Query

Order = Literal["", "more", "less"]
_NAME_GOES_ON = re.compile(r"[ \u00a0-][A-Z]")


def accepted(text: str, place: str = "") -> str:
    """A question on one line; `place` is where it stands. Raises UsageError when it is empty or longer than QUESTION."""
    line = " ".join(text.split())
    if not line:
        raise UsageError(f'{place}the question is empty: ask something, as in "What was revenue in 2023?"')
    if len(line) > QUESTION:
        raise UsageError(
            f"{place}the question has {len(line):,} characters and at most {QUESTION:,} are read: "
            "shorten it, and put what it is to be answered from into a document"
        )
    return line


@dataclass(frozen=True, slots=True)
class Ask:
    """A question understood.

    `text` is the question without instructions on how to answer. `periods` are in the order of mention and a range
    ("2017 to 2019") sets `through`. `operands` are the phrases an operation works on, in the order of its formula (for a
    ratio the numerator first, for a proportion the part first, for a difference as mentioned). `subject` is what is
    left when question words, operation and periods are taken away; `terms` are its stems. `statement` is what a True or
    False question asserts. `threshold` goes with `order`: "more than 5 million" is "more" and 5 x 1000000. `several` says
    that more than one value is asked for, in the order of mention ("respectively"). `expects` is what the caller wants, else
    what the wording says; "text" of the wording alone says only that it names no kind. `falling` says that the change asked
    for is a fall ("how much did it decrease"), so that a fall is positive.
    """

    query: Query
    text: str
    expects: Expects
    operation: wording.Operation = "lookup"
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


@lru_cache(maxsize=64)
def understand(query: Query) -> Ask:
    """Read `query`: never fails; what the wording does not say stays empty."""
    whole = " ".join(asked(bare(query.text)).split())
    text = wording.INSTRUCTION.sub(" ", whole).strip()
    text = " ".join(FRAME.sub(" ", text).split()) or whole
    statement = ""
    if match := wording.STATEMENT.match(text):
        statement = text[match.end() :].strip()
    text_body = statement or text
    core = _core(text_body)
    how = _how(text_body, core, bool(statement))
    periods, through = _periods(text_body)
    operands = operands_of(core, how.operation)
    bare_total = how.matched is not None and how.matched[0].lower() == "total"
    if how.operation == "sum" and bare_total and _of_one_thing(core, periods, operands):
        how = replace(how, operation="lookup")
    subject = _subject(text_body, None if how.operation in ("lookup", "compare") or bare_total else how.matched)
    options = options_of(text_body)
    scale = wording.IN_SCALE.search(whole)
    return Ask(
        query=query,
        text=text,
        expects=query.expects or ("number" if query.unit else _expects(core, how.operation, statement, options, scale)),
        operation=how.operation,
        subject=subject,
        terms=tuple(words(subject) or stems(subject)),
        wants=_wants(core) or _counted(core),
        unit=query.unit or _unit(whole, subject),
        scale=Decimal(10) ** wording.SCALES[scale[1].lower()] if scale else None,
        decimals=_decimals(whole),
        periods=periods,
        through=through,
        operands=operands,
        options=options,
        quoted=tuple(a or b for a, b in wording.QUOTED.findall(text_body)),
        statement=statement,
        order=how.order,
        threshold=how.threshold,
        several=bool(re.search(r"\brespective(?:ly)?\b", text_body, re.I)),
        falling=bool(wording.FALL.search(core)) and not wording.RISE.search(core),
    )


@dataclass(frozen=True, slots=True)
class _How:
    """What is to be done with what is found: the operation, the words that say so, which way it orders, beyond what."""

    operation: wording.Operation
    matched: re.Match[str] | None
    order: Order
    threshold: Quantity | None


def _how(text: str, core: str, stated: bool) -> _How:
    """The operation that a question asks for; `stated` says that it is a statement to be judged."""
    operation, matched = _operation(text, core)
    order, threshold = _threshold(text)
    if stated or wording.BOOLEAN.match(text):
        return _How("compare", matched, order, threshold)
    if asks_reason(core):
        return _How("lookup", None, order, threshold)
    if threshold is not None and operation in ("lookup", "count", "sum", "difference", "average"):
        many = re.search(r"\bhow\s+many\b", core, re.I)
        operation = "count" if many else "filter" if _chooses(core) else operation
        return _How(operation, wording.THRESHOLD.search(text), order, threshold)
    extreme = _extreme(text, text.find(core))
    if extreme and (operation in ("lookup", "sum", "count") or wording.CHOICE.match(core)):
        operation = _superlative(core, bool(extreme["high"]))
        return _How(operation, extreme, "more" if extreme["high"] else "less", threshold)
    return _How(operation, matched, order, threshold)


def _of_one_thing(core: str, periods: Sequence[When], operands: Sequence[str]) -> bool:
    """Whether a question is of one time and one thing, so that there is nothing to add up."""
    return len(periods) < 2 and len(operands) < 2 and not wording.ALL_TIMES.search(core)


def _core(text: str) -> str:
    """The last sentence, which asks; the whole text where it does not end with a question, or with one of three words."""
    if not text.rstrip().endswith("?"):
        return text
    start, end = sentences(text)[-1]
    return text[start:end] if len(text[start:end].split()) > 3 else text


def _extreme(text: str, start: int) -> re.Match[str] | None:
    """The first superlative from `start` on that is no part of a proper name ("Best Buy")."""
    found = wording.EXTREME.finditer(text, start)
    return next(
        (match for match in found if not (match[0][0].isupper() and _NAME_GOES_ON.match(text, match.end()))), None
    )


def _periods(text: str) -> tuple[tuple[When, ...], bool]:
    """The times a question names, and whether they end a range; "in 2019 ... the third quarter" is one time."""
    found = when(text)
    found = tuple(t for t in found if t.year or t.quarter)
    year = next((t.year for t in found if t.year), 0)
    finer = {t.year or year for t in found if t.quarter and not t.year}
    times = tuple(
        replace(t, year=t.year or year) for t in found if not (t.year in finer and not t.quarter and not t.month)
    )
    return times, len(times) == 2 and bool(wording.THROUGH.search(text))


def _operation(text: str, core: str) -> tuple[wording.Operation, re.Match[str] | None]:
    """The operation that the wording names first; "change in percentage of sales" is a change, of percentages."""
    for operation, pattern in wording.OPERATIONS:
        if match := pattern.search(text, text.find(core)):
            outer = wording.OUTER.search(text[: match.start()]) if operation == "proportion" else None
            if outer:
                word = (outer["word"] or outer["word_"]).lower()
                return (
                    "average" if word in ("average", "mean") else "sum" if word in ("total", "sum") else "difference"
                ), outer
            return operation, match
    return "lookup", None


def _threshold(text: str) -> tuple[Order, Quantity | None]:
    match = wording.THRESHOLD.search(text)
    if not match or re.fullmatch(r"(?:19|20)\d\d", match["number"]):
        return "", None
    value = Decimal(match["number"].replace(",", "")) * (-1 if match["sign"] else 1)
    scale = Decimal(10) ** wording.SCALES[match["scale"].lower()] if match["scale"] else Decimal(1)
    return ("more" if match["more"] else "less"), Quantity(value, "%" if match["percent"] else "", scale, text=match[0])


def _chooses(text: str) -> bool:
    return bool(wording.CHOOSES.search(text))


def _superlative(text: str, high: bool) -> wording.Operation:
    """Asked for the largest: the label ("which year had the highest X") or its value ("what was the highest X")."""
    value = wording.EXTREME_VALUE.search(text)
    number = value or wording.NUMBER_LEAD.search(text) or wording.NUMBER_NOUN.search(text)
    if number and not (wording.LABEL_ASKED.search(text) and not value):
        return "max" if high else "min"
    return "argmax" if high else "argmin"


def _subject(text: str, matched: re.Match[str] | None) -> str:
    if matched:
        text = text[: matched.start()] + " " + text[matched.end() :]
    text = wording.UNIT_NOTE.sub(" ", unframed(text))
    text = wording.ALL_TIMES.sub(" ", wording.PERIOD_PHRASE.sub(" ", text))
    text = re.sub(r"\brespectively\b|[?]", " ", text, flags=re.I)
    text = " ".join(text.split())
    text = wording.LEAD.sub("", text)
    return text.strip(" ,.;:")


def _expects(
    text: str, operation: wording.Operation, statement: str, options: tuple[str, ...], scale: re.Match[str] | None
) -> Expects:
    if operation == "compare":
        return "boolean"
    if operation == "lookup" and asks_reason(text):
        return "text"
    wants = _wants(text)
    if operation in ("argmax", "argmin"):
        return "name"
    if operation == "filter":
        return "names"
    if operation != "lookup" and operation != "sum":
        return "number"
    if options:
        return "name"
    if wording.NUMBER_LEAD.search(text):
        return "number"
    lead = re.match(r"^(?:.*,\s*+)?(who|whom|whose|where|when|why|how)\b", text, re.I)
    if lead and lead[1].lower() in ("why", "how", "when", "where"):
        return "text"
    several = asks_several(text)
    if lead or wording.NAME_NOUN.search(text):
        return "names" if several or re.search(r"\bnames\b|\bwho\s+(?:are|were)\b", text, re.I) else "name"
    if wants and not wording.NUMBER_NOUN.search(wants):
        if re.search(r"\bwhich\b", text, re.I) or wording.IN_UNIT.search(text) is None:
            return "names" if several else "name" if re.search(r"\bwhich\b", text, re.I) else "text"
    if operation == "sum" or scale or wording.NUMBER_NOUN.search(text) or wording.IN_UNIT.search(text):
        return "number"
    return "names" if several else "name" if headed(text) in ("who", "org") else "text"


def _wants(text: str) -> str:
    lead = re.match(
        r"^(?:(?!.*\b(?:what|which|how)\b).*,\s*+)?(who|when|where|why)\b(?!.*,\s*+(?:what|which|how)\b)", text, re.I
    )
    if lead:
        return {"who": "person", "when": "date", "where": "place", "why": "reason"}[lead[1].lower()]
    if many := wording.HOW_MANY.search(text):
        return str(many[1])
    match = wording.WANTS.search(text)
    return str(match["noun"]) if match else ""


def _counted(text: str) -> str:
    """What is counted where the number of something is asked for."""
    match = wording.NUMBER_OF.search(text)
    return str(match[1]) if match else ""


def _unit(text: str, subject: str) -> str:
    """The unit that the wording names; a currency is one for each share where the subject is an amount per share."""
    unit, each = _named_unit(text), wording.PER.search(subject)
    return f"{unit}/{each['of'].lower()}" if each and is_currency(unit) else unit


def _named_unit(text: str) -> str:
    for match in wording.IN_UNIT.finditer(text):
        unit = (match["bracket"] or match["after"]).strip()
        unit = re.sub(r"\b(?:in\s+)?(?:thousand|million|billion)s?\b(?:\s+of)?", "", unit, flags=re.I).strip()
        if re.fullmatch(r"[\w$€£%/·²³₂ .-]{1,20}", unit) and not re.search(
            r"\d{3}|decrease|increase|loss|benefit", unit, re.I
        ):
            return unit
    if re.search(rf"\b{wording.PERCENT}\b|\bhow\s+many\s+{wording.PERCENT}", text, re.I):
        return "%"
    return ""


def _decimals(text: str) -> int | None:
    match = wording.ROUND.search(text)
    if not match:
        return None
    places = match["places"].lower()
    return int(places) if places.isdigit() else wording.PLACES.get(places, wording.COUNTS.get(places))
