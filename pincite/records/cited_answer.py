"""Answers as a program and a notebook get them: they print as a person reads them, and show the page that they cite."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, fields
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pincite.document.address import place_of
from pincite.errors import PinciteError, UsageError
from pincite.evidence.headline import headline, with_reason
from pincite.formats.frames import data_frame
from pincite.records.answer_lines import MARKS, plain_text
from pincite.records.answer_record import around, record
from pincite.records.next_steps import NextStep, next_steps
from pincite.types import Answer, Citation

if TYPE_CHECKING:
    from PIL.Image import Image

AROUND = 130
"""Pixels of the page above and below what is cited that a notebook shows."""
COLUMNS = (
    "question", "value", "unit", "text", "confidence", "reason", "document", "page", "place", "quote", "verdict",
)  # fmt: skip
"""The columns of answers as a data frame."""


@dataclass(frozen=True, eq=False, repr=False)
class CitedAnswer(Answer):
    """An answer of a corpus that is open as a folder; `threshold` is the confidence that it needed."""

    folder: Path = Path()
    threshold: float = 0.0

    @classmethod
    def of(cls, answer: Answer, folder: Path, threshold: float) -> CitedAnswer:
        """The answer of the corpus in a folder."""
        own = {field.name: getattr(answer, field.name) for field in fields(Answer)}
        return cls(**own, folder=folder, threshold=threshold)

    def __eq__(self, other: object) -> bool:
        """Whether another answer says the same in all, as kept or as given."""
        if not isinstance(other, Answer):
            return NotImplemented
        names = [field.name for field in fields(Answer)]
        return all(getattr(self, name) == getattr(other, name) for name in names)

    __hash__ = Answer.__hash__

    def __str__(self) -> str:
        return plain_text(self, self.next_steps)

    def __repr__(self) -> str:
        if self.value is None:
            return f"<{headline(self)}: {self.reason[:100]}{'…' * (len(self.reason) > 100)}>"
        first = next(iter(self.citations), None)
        where = f", {_place(first)}" if first else ""
        return f"<{self.text[:100]}, confidence {self.confidence:.0%}{where}>"

    @property
    def next_steps(self) -> tuple[NextStep, ...]:
        """What to try after a refusal; nothing after an answer."""
        return next_steps(self, self.threshold)

    def to_dict(self) -> dict[str, Any]:
        """The answer as `pincite ask --json` prints it, without an id: it is not stored."""
        made = record(self, "")
        if self.next_steps:
            made["next"] = [step.text for step in self.next_steps]
        return made

    def picture(self, label: str = "") -> Image:
        """The page of a citation, by default of the first, with what is cited framed. Raises UsageError for an answer that has no
        such citation, UnsupportedSource for a source that has no pages to draw.
        """
        from pincite.corpus import Corpus
        from pincite.evidence.framed_page import frame

        for cited in self.citations:
            if label in ("", cited.label):
                return frame(Corpus(self.folder), cited)
        labels = ", ".join(cited.label for cited in self.citations)
        raise UsageError(f"the answer has no citation {label!r}; it has {labels or 'none'}")

    def _repr_html_(self) -> str:
        """The answer for a notebook: value, places, checks, and the part of the page that is cited, framed."""
        lines = [f"{escape(_place(each))}: “{escape(each.quote)}”" for each in self.citations]
        if self.value is None:
            head = f"<b>{escape(headline(self))}</b> {escape(self.reason)}"
        else:
            sure = f"<small>confidence {self.confidence:.0%}</small>"
            head = f"<b>{escape(self.text)}</b> {sure}"
            for check in self.checks:
                said = f"{MARKS[check.verdict]} {check.verdict}: {check.how}"
                lines.append(f"<small>{escape(said)}</small>")
        lines += [f"try {escape(step.text)}" for step in self.next_steps]
        image = ""
        with suppress(PinciteError, OSError):  # where there is no page to draw
            if self.citations:
                image = _as_html(_around(self.picture(), self.citations[0]))
        items = "".join(f"<li>{line}</li>" for line in lines)
        return f"<div>{head}<ul>{items}</ul>{image}</div>"


class CitedAnswers(list[CitedAnswer]):
    """Answers to several questions, in their order."""

    def __str__(self) -> str:
        return "\n\n".join(f"{answer.query.text}\n{answer}" for answer in self)

    def to_dict(self) -> list[dict[str, Any]]:
        """Every answer as a dictionary."""
        return [answer.to_dict() for answer in self]

    def to_frame(self) -> Any:
        """A `pandas.DataFrame` with a row for each answer and COLUMNS; PinciteError where pandas is missing."""
        return data_frame(map(_row, self), COLUMNS)

    def _repr_html_(self) -> str:
        rows = "<tr><th>question</th><th>answer</th><th>confidence</th><th>place</th></tr>"
        for answer in self:
            where = _place(answer.citations[0]) if answer.citations else ""
            cells = (answer.query.text, with_reason(answer), f"{answer.confidence:.0%}", where)
            rows += f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in cells)}</tr>"
        return f"<table>{rows}</table>"


def cited_answers(answers: Iterable[Answer], folder: Path, threshold: float) -> CitedAnswers:
    """Answers of the corpus in a folder."""
    return CitedAnswers(CitedAnswer.of(answer, folder, threshold) for answer in answers)


def _row(answer: CitedAnswer) -> dict[str, Any]:
    told = record(answer, "")
    for cited in told["citations"][:1]:
        told |= {name: cited[name] for name in ("document", "page", "place", "quote")}
    if answer.checks and answer.value is not None:
        told["verdict"] = answer.checks[0].verdict
    return {name: told.get(name) for name in COLUMNS}


def _place(citation: Citation) -> str:
    """A citation's document and place in it."""
    return ", ".join(filter(None, (citation.document, place_of(citation.anchor))))


def _around(page: Image, citation: Citation) -> Image:
    """The stripe of a page on which what is cited stands."""
    from pincite.evidence.framed_page import SCALE

    anchor = citation.anchor
    box = around([box for number, box in anchor.spots if number == anchor.page])
    if box is None:
        return page
    top, bottom = int(SCALE * box[1]) - AROUND, int(SCALE * box[3]) + AROUND
    return page.crop((0, max(0, top), page.width, min(page.height, bottom)))


def _as_html(picture: Image) -> str:
    """A picture as an image of HTML that needs no file."""
    made = io.BytesIO()
    picture.save(made, "PNG")
    data = base64.b64encode(made.getvalue()).decode("ascii")
    return f'<img alt="the cited place, framed" style="max-width:100%" src="data:image/png;base64,{data}">'
