"""Reading with a language model: it is shown pages and fills in a form; code finds what it names, and checks it like any draft.

Nothing that the model says is an answer by itself. If the check does not support a value, the model is asked once more, with
the failure named; then the value is refused with the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

from pincite.check.claims import verified
from pincite.corpus import Corpus
from pincite.errors import ReplyInvalid
from pincite.evidence.candidate import Candidate
from pincite.evidence.database_sources import DatabaseSources, sources_of
from pincite.evidence.drafted_answer import drafted, refused
from pincite.generate.rules import Rules
from pincite.generate.shown import ShownPieces, Unit, shown
from pincite.index.token_windows import TokenWindows
from pincite.loop import wait
from pincite.ports import Model
from pincite.question.classes import question_class
from pincite.question.understanding import Ask, understand
from pincite.readers.kind_fit import fits
from pincite.stage import Stage
from pincite.types import Draft, Node, Ranking

if TYPE_CHECKING:
    from pincite.generate.forms import Kind, ReadingForm
    from pincite.generate.proposal import Proposal
    from pincite.generate.short_forms import ShortForm

TRIED = 5
"""Candidates of one reply that are tried against the check."""


@dataclass(frozen=True)
class Read(Stage[Ranking, Draft]):
    """Have a model read the `k` best pages (or the sections, passages or chunks that were hit) and check what it says.

    `strict` wants what is stated outright and prefers N/A, otherwise the nearest statement will do. `rules` say how a
    question's terms are taken. With `by_class` the prompt says what to look out for with the question's class (HERO's six).
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
    strict: bool = True
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
        return self.read(ask, shown(self.corpus, given.hits, self.k, self.by, ask, self.windows))

    def read(self, ask: Ask, seen: ShownPieces) -> Draft:
        """Answer a question from what is shown."""
        from pincite.generate import prompts

        if not seen.pages:
            return refused(ask, (), ())
        kind = kind_of(ask, self.form)
        prompt = prompts.reading(
            kind,
            ask,
            seen.pieces,
            self.rules,
            mark=seen.mark,
            strict=self.strict,
            focus=question_class(ask.query) if self.by_class else "",
            context_first=self.context_first,
            temperature=self.temperature,
            max_tokens=self.max_tokens,
            run=self.reading,
            form=self.form,
        )
        draft = refused(ask, seen.passages, _ids(seen))
        of_rows = any(passage.node.anchor.sql for passage in seen.passages)
        sources = sources_of(self.corpus) if of_rows else None
        for tried in range(self.retries + 1):
            try:
                reply = wait(self.model.complete(prompt, form_of(kind, self.form)))
            except ReplyInvalid as error:
                return replace(draft, reason=str(error))
            left = seen.first(reply.shown)
            draft = concluded(
                kind, _in_full(reply.value), ask, left, self.rules, 1.0 / (1 + tried), sources
            )
            if draft.value is not None or not draft.claims and not draft.reason:
                break
            if tried < self.retries:
                said = reply.text or reply.value.model_dump_json()
                prompt = replace(
                    prompt, turns=(*prompt.turns, (said, prompts.unsupported(draft.reason)))
                )
        return (
            draft
            if draft.value is not None or draft.reason
            else refused(ask, left.passages, _ids(left))
        )


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
) -> Draft:
    """The draft that a filled form comes to: checked, or without a value and with the reason (none for N/A).

    What is cited of databases is read again from `sources`.
    """
    from pincite.generate import proposing as propose

    named: str = kind
    if kind == "any":
        from pincite.generate.form_kinds import said

        named, form, ask = said(form, ask)
    proposers: Mapping[str, Callable[[Any, Ask, ShownPieces, Rules], Proposal]] = {
        "number": propose.number,
        "numbers": propose.numbers,
        "boolean": propose.boolean,
        "name": propose.name,
        "names": propose.names,
        "text": propose.text,
        "comparative": propose.comparative,
    }
    proposal = proposers[named](form, ask, seen, rules)
    empty = Draft(ask.query, "", None, read=_ids(seen))
    nodes = {passage.node.id: passage.node for passage in seen.passages}
    failed = replace(empty, reason=proposal.problem)
    for candidate in proposal.wrong[:1]:
        draft = _checked(candidate, ask, nodes, rules, confidence, sources)
        failed = replace(
            draft, text="", value=None, confidence=0.0, reason=draft.reason or proposal.problem
        )
    if proposal.candidates:
        failed = empty
    for candidate in _distinct(proposal.candidates)[:TRIED]:
        draft = _checked(candidate, ask, nodes, rules, confidence, sources)
        if draft.value is not None:
            return replace(draft, text=proposal.said) if proposal.said else draft
        failed = failed if failed.reason else draft
    return failed


def _checked(
    candidate: Candidate,
    ask: Ask,
    nodes: Mapping[str, Node],
    rules: Rules,
    confidence: float,
    sources: DatabaseSources | None,
) -> Draft:
    """The draft of a candidate, or what is left of it when a rule or the check says no: its claims and the reason."""
    draft = drafted(ask, [candidate], confidence, tuple(nodes))
    problem = rules.broken(ask, candidate.value, candidate.operation)
    if not problem and not fits(_typed(ask), candidate):
        problem = f"{draft.text} is no answer of the type or in the unit that is asked for"
    if problem:
        return replace(draft, text="", value=None, reason=problem, confidence=0.0)
    answer = verified(draft, nodes, sources=sources)
    if not answer.reason:
        return draft
    sure = min(
        (check.answers for check in answer.checks if check.answers is not None), default=0.0
    )
    near = tuple(
        replace(possible, confidence=sure) for possible in answer.possible
    )  # that a model says so is no chance
    return replace(draft, text="", value=None, reason=answer.reason, confidence=0.0, possible=near)


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
