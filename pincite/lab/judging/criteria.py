"""What a model judges an answer by: faithfulness, answer relevance and correctness, each with its prompt, form and version.

Faithfulness is the share of the answer's statements that the cited text supports, answer relevance how far the answer gives
what is asked (after Es et al., RAGAS, 2024), and correctness holds the answer against the reference. The model fills in a form,
and code makes the score of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from pincite.generate.prompts import DATA, framed
from pincite.models.forms import Form, Text, listed, yes_or_no
from pincite.ports import Prompt

Named = tuple[str, str]
"""A text with its name."""


@dataclass(frozen=True, slots=True)
class JudgedAnswer:
    """An answer to a question with the texts that it cites, named, and the reference answer ("" where none is known).

    `over` says what the cited texts are: the whole "cited pages", or the "quotes" alone.
    """

    question: str
    answer: str
    cited: tuple[Named, ...] = ()
    reference: str = ""
    over: Literal["cited pages", "quotes"] = "quotes"


class JudgedStatement(Form):
    """One statement of an answer."""

    statement: Text = Field(description="one statement of the answer, complete by itself")
    supported: Annotated[Literal["yes", "no"], BeforeValidator(yes_or_no)] = Field(
        description="yes where the cited text says it, or it follows from that alone; else no"
    )


class FaithfulnessForm(Form):
    """Every statement of an answer held against what it cites."""

    statements: Annotated[list[JudgedStatement], BeforeValidator(listed)] = Field(
        default_factory=list, description="all statements of the answer, in order"
    )


class RelevanceForm(Form):
    """How far an answer gives what is asked."""

    analysis: Text = Field(description="what is asked, and what of it the answer gives")
    grade: int = Field(
        ge=0, le=4, description="0 nothing of it, 1 little, 2 half, 3 most, 4 all and only that"
    )


def _verdict(value: Any) -> Any:
    return value.strip().casefold().rstrip(".") if isinstance(value, str) else value


class CorrectnessForm(Form):
    """An answer held against the reference."""

    analysis: Text = Field(
        description="in what the answer and the reference agree and in what they differ"
    )
    verdict: Annotated[Literal["right", "partly", "wrong"], BeforeValidator(_verdict)] = Field(
        description="right where they say the same, partly where a part of it, else wrong"
    )


JUDGE = (
    "You judge an answer that a system gave to a question about documents. Judge what is written, by the texts that you are "
    "given and nothing else. Length, style and politeness do not count."
)
FAITHFULNESS = (
    "Take the answer apart into its statements, each about one thing, with its number, unit, name and time. Say of each whether "
    "the cited text supports it. A number with another sign, scale, unit or period than the text's is not supported; the same "
    "amount written otherwise (4,521 thousand, 4.521 million) is. What is true but not in the cited text is not supported."
)
RELEVANCE = (
    "Say how far the answer gives what the question asks for: the thing, the time and the kind of answer that are asked, without "
    "what nobody asked. Whether it is true is not for you to say."
)
CORRECTNESS = (
    "Hold the answer against the reference, which is right. Numbers are the same when they are the same amount, however they are "
    "written, and rounding to the digits of the coarser is no difference; names are the same when they name the same. What goes "
    "beyond the reference is no fault unless it contradicts that."
)


@dataclass(frozen=True)
class Criterion:
    """One thing that answers are judged by; `texts` are the named texts that are shown, none where it does not apply."""

    name: str
    task: str
    form: type[Form]
    texts: Callable[[JudgedAnswer], tuple[Named, ...]]
    score: Callable[[Any], float | None]
    max_tokens: int = 800

    @property
    def system(self) -> str:
        """The system part of the prompt."""
        return "\n\n".join((JUDGE, self.task, DATA))

    @cached_property
    def version(self) -> str:
        """The hash of prompt and form: another wording is another version, whose figures are not compared with this one's."""
        said = f"{self.system}\0{self.form.model_json_schema()}\0{self.max_tokens}"
        return blake2b(said.encode(), digest_size=4).hexdigest()

    def prompt(self, judged: JudgedAnswer) -> Prompt | None:
        """What the model is asked; None where the criterion does not apply."""
        texts = self.texts(judged)
        if not judged.answer.strip() or not texts:
            return None
        pieces, frame = framed(texts)
        asked = f"Question: {judged.question}\n{frame}"
        return Prompt(self.system, asked, pieces, max_tokens=self.max_tokens)


def _supported(form: FaithfulnessForm) -> float | None:
    held = [statement.supported == "yes" for statement in form.statements]
    return sum(held) / len(held) if held else None


def _said(judged: JudgedAnswer) -> Named:
    return "the answer", judged.answer


_VERDICTS = {"right": 1.0, "partly": 0.5, "wrong": 0.0}
CRITERIA: Sequence[Criterion] = (
    Criterion(
        "faithfulness", FAITHFULNESS, FaithfulnessForm,
        lambda judged: (_said(judged), *judged.cited) if judged.cited else (), _supported, 2000,
    ),
    Criterion(
        "answer relevance", RELEVANCE, RelevanceForm,
        lambda judged: (_said(judged),), lambda form: form.grade / 4,
    ),
    Criterion(
        "correctness", CORRECTNESS, CorrectnessForm,
        lambda judged: (_said(judged), ("the reference", judged.reference)) if judged.reference else (),
        lambda form: _VERDICTS[form.verdict],
    ),
)  # fmt: skip
