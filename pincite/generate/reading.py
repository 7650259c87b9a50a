"""Reading with a language model: it is shown pages and fills in a form; code finds what it names, and checks it like any draft.

Nothing that the model says is an answer by itself. If the check does not support a value, the model is asked once more, with
what was wrong and what to write instead; then the value is refused with the reason. A value that stands where it is cited, but
that the judge of evidence doubts to answer the question, is then told as a possible answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

from pincite.check.claims import DOUBTED, doubt, verified
from pincite.corpus import Corpus
from pincite.errors import ReplyInvalid, WindowTooSmall
from pincite.evidence.candidate import Candidate
from pincite.evidence.cited_place import clipped
from pincite.evidence.database_sources import DatabaseSources, sources_of
from pincite.evidence.drafted_answer import drafted, nearest, own, refused
from pincite.generate.orders import gives_orders
from pincite.generate.problem import ReplyProblem
from pincite.generate.reading_budget import form_for, reading_budget
from pincite.generate.rules import Rules
from pincite.generate.shown_pages import ShownPieces, Unit, shown, visible
from pincite.generate.spoken_sentences import links
from pincite.index.token_windows import TokenWindows
from pincite.loop import wait
from pincite.ports import Model
from pincite.question.ask import Ask
from pincite.question.classes import question_class
from pincite.question.understanding import understand
from pincite.readers.kind_fit import fits
from pincite.stage import Stage
from pincite.types import Answer, Draft, Node, Possible, Ranking

if TYPE_CHECKING:
    from pincite.generate.forms import Kind, ReadingForm
    from pincite.generate.proposal import Proposal
    from pincite.generate.short_forms import ShortForm

TRIED = 5
"""Candidates of one reply that are tried against the check."""
EXPLAINED = 300
"""Characters of a model's explanation that are kept."""
ANEW = "Give the value that a page states for what is asked, with its place, or answer N/A."


@dataclass(frozen=True, slots=True)
class Conclusion:
    """The draft that a filled form comes to and, where it holds no value, the problem; neither for N/A."""

    draft: Draft
    problem: ReplyProblem | None = None


@dataclass(frozen=True)
class Read(Stage[Ranking, Draft]):
    """Have a model read the `k` best pages (or the sections, passages or chunks that were hit) and check what it says.

    `rules` say how a question's terms are taken, and whether a model is to be strict, which is to want what is stated outright
    and to prefer N/A, or to take the nearest statement; `strict` says so for a stage of a recipe that has it in its paper.
    With `by_class` the prompt says what to look out for with the question's class (HERO's six).
    `retries` is how often an answer that failed the check is asked for again. `reading` tells apart several readings of one
    question, for a vote. A `form` that is "short" has four fields, for small models; with it nothing is computed. Chunks of a
    page are those of `windows`. The
    confidence of a draft is 1 when its first reply passed and less for each retry: how often it holds is not known before it is
    measured for a model.

    Raises ModelError when the endpoint gives no reply; replies that fit no form make a refused draft.
    """

    model: Model
    corpus: Corpus = field(repr=False, compare=False)
    k: int = 10
    by: Unit = "page"
    strict: bool | None = None
    temperature: float = 0.0
    rules: Rules = Rules()
    by_class: bool = False
    context_first: bool = True
    max_tokens: int = 2048
    retries: int = 1
    reading: int = 0
    form: Literal["full", "short"] = "full"
    windows: TokenWindows | None = None

    def run(self, given: Ranking) -> Draft:
        """Read the pages of one ranking."""
        ask = understand(given.query)
        budget = reading_budget(self.model)
        return self.read(
            ask, shown(self.corpus, given.hits, self.k, self.by, ask, self.windows, budget)
        )

    def read(self, ask: Ask, seen: ShownPieces) -> Draft:
        """Answer a question from what is shown."""
        from pincite.generate import prompts

        if not seen.pages:
            return refused(ask, (), ())
        filled_in = form_for(self.model, self.form)
        kind = kind_of(ask, filled_in)
        prompt = prompts.reading(
            kind,
            ask,
            seen.pieces,
            self.rules,
            mark=seen.mark,
            strict=self.rules.doubt == "na" if self.strict is None else self.strict,
            focus=question_class(ask.query) if self.by_class else "",
            context_first=self.context_first,
            temperature=self.temperature,
            max_tokens=self.max_tokens,
            run=self.reading,
            form=filled_in,
        )
        draft = refused(ask, seen.passages, _ids(seen))
        near: tuple[Possible, ...] = ()
        of_rows = any(passage.node.anchor.sql for passage in seen.passages)
        sources = sources_of(self.corpus) if of_rows else None
        for tried in range(self.retries + 1):
            try:
                reply = wait(self.model.complete(prompt, form_of(kind, filled_in)))
            except ReplyInvalid as error:
                return replace(draft, reason=str(error))
            except WindowTooSmall:
                if filled_in == "short":
                    raise
                return replace(self, form="short").read(ask, seen)
            left, form = seen.first(reply.shown), _in_full(reply.value)
            made = concluded(kind, form, ask, left, self.rules, 1.0 / (1 + tried), sources)
            explained = replace(made.draft, model_explanation=explanation(form))
            if made.draft.value is not None:
                return explained
            if made.problem is None:
                break
            draft, near = explained, nearest((*made.draft.possible, *near))
            said = reply.text or reply.value.model_dump_json()
            prompt = replace(
                prompt, turns=(*prompt.turns, (said, prompts.unsupported(made.problem)))
            )
        if made.problem is None and not near:
            draft = refused(ask, left.passages, _ids(left))
        return replace(draft, possible=near, model_explanation=explained.model_explanation)


def explanation(form: ReadingForm) -> str:
    """What a reply says of how it came to its value, in short; "" where it says nothing, or what is not to be shown.

    It is nothing but words: a link, an order or what cannot be seen is kept from the reader, and so is all with it.
    """
    told = clipped(form.reasoning_summary or form.step_by_step_analysis, EXPLAINED)
    unfit = links(told) or gives_orders(told) or visible(told) != told
    return "" if unfit else told


def enough(draft: Draft) -> bool:
    """Whether a draft holds an answer: with none, `Escalate(Read(k), Read(2 * k), enough)` reads more pages."""
    return draft.value is not None


def kind_of(ask: Ask, form: Literal["full", "short"] = "full") -> Kind:
    """The type of answer that a caller wants; with none the reply says what the question asks for.

    A short form has no room for what is compared, so the wording decides that.
    """
    compared = ("name", None) if form == "short" else ("name",)
    if ask.query.expects in compared and ask.operation in ("argmax", "argmin"):
        return "comparative"
    return ask.query.expects or ("number" if ask.query.unit else "any")


def _in_full(form: ReadingForm | ShortForm) -> ReadingForm:
    """A reply in its full form."""
    from pincite.generate.short_forms import ShortForm, lengthened

    return lengthened(form) if isinstance(form, ShortForm) else form


def form_of(
    kind: Kind, form: Literal["full", "short"] = "full"
) -> type[ReadingForm] | type[ShortForm]:
    """The form of a type of answer; a full one where there is no short one."""
    from pincite.generate import forms
    from pincite.generate.short_forms import SHORT

    if form == "short" and kind in SHORT:
        return SHORT[kind]
    known: Mapping[str, type[ReadingForm]] = {
        "number": forms.NumberForm,
        "boolean": forms.BooleanForm,
        "name": forms.NameForm,
        "names": forms.NamesForm,
        "text": forms.TextForm,
        "comparative": forms.ComparativeForm,
        "any": forms.AnswerForm,
    }
    return known[kind]


def concluded(
    kind: Kind,
    form: Any,
    ask: Ask,
    seen: ShownPieces,
    rules: Rules,
    confidence: float = 1.0,
    sources: DatabaseSources | None = None,
) -> Conclusion:
    """The draft that a filled form comes to: checked, or without a value and with the problem (none for N/A).

    What is cited of databases is read again from `sources`.
    """
    from pincite.generate import form_candidates, named_things

    named: str = kind
    if kind == "any":
        from pincite.generate.form_kinds import said

        named, form, ask = said(form, ask)
    proposers: Mapping[str, Callable[[Any, Ask, ShownPieces, Rules], Proposal]] = {
        "number": form_candidates.number,
        "numbers": form_candidates.numbers,
        "boolean": form_candidates.boolean,
        "name": named_things.name,
        "names": named_things.names,
        "text": form_candidates.text,
        "comparative": named_things.comparative,
    }
    proposal = proposers[named](form, ask, seen, rules)
    nodes = {passage.node.id: passage.node for passage in seen.passages}
    trying = _Trying(ask, nodes, rules, confidence, proposal.doubted, sources)
    first = None
    for candidate in _distinct(proposal.candidates)[:TRIED]:
        made = trying.concluded(candidate)
        if made.problem is None:
            told = proposal.said or made.draft.text
            return replace(made, draft=replace(made.draft, text=told))
        first = first or made
    if first is None and proposal.wrong:
        made = trying.concluded(proposal.wrong[0])
        problem = made.problem or proposal.problem
        first = Conclusion(_without_value(made.draft, problem), problem)
    if first is None:
        empty = Draft(ask.query, "", None, read=_ids(seen))
        first = Conclusion(_without_value(empty, proposal.problem), proposal.problem)
    return first


def _without_value(draft: Draft, problem: ReplyProblem | None) -> Draft:
    """A draft that says only why it has no value."""
    reason = problem.what if problem else ""
    return replace(draft, text="", value=None, confidence=0.0, reason=reason)


@dataclass(frozen=True, slots=True)
class _Trying:
    """What the candidates of one reply are tried against; `doubted` are all where no place of theirs seems to answer."""

    ask: Ask
    nodes: Mapping[str, Node]
    rules: Rules
    confidence: float
    doubted: bool
    sources: DatabaseSources | None

    def concluded(self, candidate: Candidate) -> Conclusion:
        """The draft of a candidate, or what is left of it when a rule or the check says no: its claims and the problem."""
        draft = drafted(self.ask, [candidate], self.confidence, tuple(self.nodes))
        problem = self.rules.broken(self.ask, candidate.value, candidate.operation)
        if problem is None and not fits(_typed(self.ask), candidate):
            problem = ReplyProblem(
                f"{draft.text} is no answer of the type or in the unit that is asked for",
                "Give an answer of the type and in the unit that the question asks for, with its place, or answer N/A.",
            )
        if problem is not None:
            return Conclusion(_without_value(draft, problem), problem)
        answer = verified(draft, self.nodes, sources=self.sources)
        if not answer.reason and not self.doubted:
            return Conclusion(draft)
        return self._refused(draft, answer)

    def _refused(self, draft: Draft, answer: Answer) -> Conclusion:
        """What is left of a draft that the check refuses, or the judge of evidence alone; that a model says it is no chance."""
        chances = [check.answers for check in answer.checks if check.answers is not None]
        possible = answer.possible if answer.reason else own(draft)
        near = tuple(replace(value, confidence=min(chances, default=0.0)) for value in possible)
        remedy = next((check.remedy for check in answer.checks if check.remedy), "")
        problem = (
            ReplyProblem(answer.reason, remedy or ANEW)
            if answer.reason
            else ReplyProblem(doubt(answer.checks[0]), DOUBTED)
        )
        return Conclusion(replace(_without_value(draft, problem), possible=near), problem)


def _typed(ask: Ask) -> Ask:
    """The question without the caller's type where a quoted sentence stands for a text."""
    return (
        replace(ask, query=replace(ask.query, expects=None))
        if ask.query.expects == "text"
        else ask
    )


def _distinct(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Each place and value once."""
    out: dict[object, Candidate] = {}
    for candidate in candidates:
        places = tuple((where.node.id, where.cells, where.start) for where in candidate.evidence)
        out.setdefault((str(candidate.value), places), candidate)
    return list(out.values())


def _ids(seen: ShownPieces) -> tuple[str, ...]:
    return tuple(dict.fromkeys(passage.node.id for passage in seen.passages))
