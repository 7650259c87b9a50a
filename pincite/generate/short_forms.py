"""Forms of at most four fields for small models, and what they say in the full ones: code fills in the rest.

A short form names one place, or several in the order of its values; scale and unit stand within the value.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from pincite.generate import forms
from pincite.generate.forms import (
    NA,
    Form,
    Kind,
    ReadingForm,
    Source,
    Text,
    Written,
    listed,
    yes_or_no,
)
from pincite.quantity import parse

_HANDLE = re.compile(r"\bT\d++\W{0,3}[A-Z]{1,2}\W?\d{1,4}\b", re.IGNORECASE)
_DIGITS = re.compile(r"(?P<number>[-−+(]?\d[\d.,\s]*+\)?)\s*+(?P<unit>\D.*)")
_SENTENCE = 8
"""The least number of words that make a value a sentence rather than a name."""

Place = Annotated[
    Text,
    Field(
        description='handle of the cell, such as "T2!C5", or running number of the page; empty for N/A'
    ),
]
Quote = Annotated[
    Text, Field(description="the content of that cell, or one sentence copied word for word")
]
Places = Annotated[
    list[Text],
    BeforeValidator(listed),
    Field(
        description='one for each value: handle of its cell, such as "T2!C5", or running number of its page; empty for N/A'
    ),
]
Quotes = Annotated[
    list[Text],
    BeforeValidator(listed),
    Field(description="of each place the content of the cell, or one sentence word for word"),
]


class ShortForm(Form):
    """What every short form has."""

    analysis: Text = Field(
        description="what exactly is asked, and which place states it for the same subject and time"
    )


class _OnePlace(ShortForm):
    """A short form whose value stands at one place."""

    place: Place = ""
    quote: Quote = ""


class _Places(ShortForm):
    """A short form whose values stand at several places."""

    places: Places = Field(default_factory=list)
    quotes: Quotes = Field(default_factory=list)


class ShortNumberForm(_OnePlace):
    """A number that stands in one place."""

    value: Written = Field(
        description='the number in digits with its scale and unit, such as "4,970 thousand GBP" or "12.5%"; "N/A" when no page '
        "states it"
    )


class ShortBooleanForm(_OnePlace):
    """A yes or a no."""

    value: Annotated[Literal["yes", "no", "N/A"], BeforeValidator(yes_or_no)] = Field(
        description="yes, no or N/A"
    )


class ShortNameForm(_OnePlace):
    """One name."""

    value: Written = Field(
        description='the name alone, as the page writes it; "N/A" when no page gives it'
    )


class ShortNamesForm(_Places):
    """Several names, each once."""

    value: Annotated[list[str], BeforeValidator(listed)] = Field(
        default_factory=list,
        description="the names alone, as the pages write them; an empty list for N/A",
    )


class ShortTextForm(_Places):
    """An answer in a few sentences."""

    value: Written = Field(
        description='one to four plain sentences without links; "N/A" when the pages do not tell'
    )


class ShortAnswerForm(_Places):
    """An answer of whatever kind the question asks for."""

    value: Annotated[list[Written], BeforeValidator(listed)] = Field(
        default_factory=list,
        description='the number with its scale and unit, such as "4,970 thousand GBP"; or yes or no; or the name; or several of '
        "these; or one to four plain sentences; an empty list for N/A",
    )


SHORT: Mapping[Kind, type[ShortForm]] = {
    "number": ShortNumberForm,
    "boolean": ShortBooleanForm,
    "name": ShortNameForm,
    "names": ShortNamesForm,
    "text": ShortTextForm,
    "any": ShortAnswerForm,
}
"""The short forms by type of answer; what is compared needs a full one."""


def lengthened(form: ShortForm) -> ReadingForm:
    """The full form that says what a short one says: its places as sources, scale and unit in their own fields."""
    sources = _sources(form)
    held = {
        "step_by_step_analysis": form.analysis,
        "relevant_pages": sorted({source.page for source in sources if source.page}),
        "sources": sources,
    }
    match form:
        case ShortNumberForm():
            number, unit = _number_and_unit(form.value)
            filled: dict[str, Any] = {"value": number, "unit": unit}
        case ShortAnswerForm():
            kind = _kind(form.value)
            filled = {
                "kind": kind,
                "value": form.value if kind in ("name", "names", "text") else [],
            }
        case _:
            filled = form.model_dump(include={"value"})
    return _FULL[type(form)].model_validate(held | filled)


def _kind(value: Sequence[str]) -> str:
    """The kind of answer that values are: a yes or a no, a sentence, else names (a number is told from a name later)."""
    if len(value) > 1:
        return "text" if all(map(_is_sentence, value)) else "names"
    said = str(yes_or_no(value[0])) if value else NA
    if said in ("yes", "no", NA):
        return said
    return "text" if _is_sentence(said) else "name"


def _is_sentence(text: str) -> bool:
    return len(text.split()) >= _SENTENCE


def _number_and_unit(value: str) -> tuple[str, str]:
    """A value where it reads as a number, else its digits and what stands behind them: "4,970 (in thousands of GBP)"."""
    if parse(value) is None and (apart := _DIGITS.fullmatch(value.strip())):
        return apart["number"].strip(), apart["unit"]
    return value, ""


def _sources(form: ShortForm) -> list[Source]:
    """The places of a short form, each with its quote."""
    pairs = [(form.place, form.quote)] if isinstance(form, _OnePlace) else []
    if isinstance(form, _Places):
        pairs = list(zip_longest(form.places, form.quotes, fillvalue=""))
    return [_source(place, quote) for place, quote in pairs if place.strip() or quote.strip()]


def _source(place: str, quote: str) -> Source:
    """A place that is named by a cell's handle, by a page's running number or by both."""
    handle = _HANDLE.search(place)
    page = re.search(r"\d+", place.replace(handle[0], "") if handle else place)
    return Source(page=int(page[0]) if page else 0, cell=handle[0] if handle else "", quote=quote)


_FULL: Mapping[type[ShortForm], type[ReadingForm]] = {
    ShortNumberForm: forms.NumberForm,
    ShortBooleanForm: forms.BooleanForm,
    ShortNameForm: forms.NameForm,
    ShortNamesForm: forms.NamesForm,
    ShortTextForm: forms.TextForm,
    ShortAnswerForm: forms.AnswerForm,
}
"""The full form of each short one."""
