"""The form of an answer of any kind as the form of the kind that its reply says it is."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pincite.generate.source_places import folded
from pincite.quantity import parse
from pincite.question.ask import Ask

if TYPE_CHECKING:
    from pincite.generate.forms import AnswerForm, ReadingForm


def said(form: AnswerForm, ask: Ask) -> tuple[str, ReadingForm, Ask]:
    """The kind that a reply says, its form, and the question as one for that kind.

    What is written as a number is one, whatever kind the reply calls it, and so is read as strictly as any number; the year
    of a question for a time is a name. A name that has the most or the least of something is compared.
    """
    from pincite.generate import forms

    held = form.model_dump(exclude={"kind", "value"})
    first = form.value[0] if form.value else forms.NA
    match kind := _kind(form, ask):
        case "number":
            return "number", forms.NumberForm(**held, value=first), replace(ask, expects="number")
        case "numbers":
            return "numbers", form, replace(ask, expects="number")
        case "yes" | "no":
            return (
                "boolean",
                forms.BooleanForm(**held, value=kind),
                replace(ask, expects="boolean"),
            )
        case "names":
            return (
                "names",
                forms.NamesForm(**held, value=form.value),
                replace(ask, expects="names"),
            )
        case "name" if form.compared or ask.operation in ("argmax", "argmin"):
            return (
                "comparative",
                forms.ComparativeForm(**held, value=first),
                replace(ask, expects="name"),
            )
        case "name":
            return "name", forms.NameForm(**held, value=first), replace(ask, expects="name")
    told = " ".join(form.value) if kind == "text" else ""
    return "text", forms.TextForm(**held, value=told), replace(ask, expects="text")


def _kind(form: AnswerForm, ask: Ask) -> str:
    """The kind of a reply by what it holds, where that is not what it calls itself."""
    kind: str = form.kind
    if not form.value:
        return kind
    if kind in ("name", "text") and all(_written_number(item, ask) for item in form.value):
        kind = "number"
    elif kind in ("number", "numbers") and _are_years(form, ask):
        kind = "name"
    if len(form.value) == 1:
        return "number" if kind == "numbers" else kind
    return {"number": "numbers", "name": "names"}.get(kind, kind)


def _are_years(form: AnswerForm, ask: Ask) -> bool:
    """Whether the values of a reply are times that are asked for, and not what code computes."""
    return not form.operation.strip() and ask.asks_time and all(map(_year, form.value))


def _year(text: str) -> bool:
    number = parse(text)
    return number is not None and number.unit == "year"


def _written_number(text: str, ask: Ask) -> bool:
    """Whether a value is nothing but a number: no year, and no name that the question says ("3M")."""
    number = parse(text)
    return (
        number is not None
        and number.unit != "year"
        and folded(text)[0] not in folded(ask.query.text)[0]
    )
