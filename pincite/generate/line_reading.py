"""Reading with a language model by lines: it says which line answers and with which words; code takes the value there.

Nothing that the model says is an answer by itself. What stands in no line that was shown, breaks a rule or is refused by the
check is asked for once more, with what was wrong and what to write instead; then it is refused with the reason. A value that
stands where it is cited, but that the judge of evidence doubts to answer the question, is then told as a possible answer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Literal

from pincite.corpus import Corpus
from pincite.errors import ReplyInvalid, WindowTooSmall
from pincite.evidence.candidate import Candidate
from pincite.evidence.drafted_answer import drafted, refused
from pincite.generate.line_prompts import BRIEF, WIDE, AnalysedLineForm, LineForm, asking
from pincite.generate.line_trial import Trial
from pincite.generate.line_values import choose
from pincite.generate.problem import ReplyProblem
from pincite.generate.rule_sentences import told, wanted
from pincite.generate.rules import Rules
from pincite.generate.shown_lines import best_lines, lines_in, reads_little, shown
from pincite.generate.shown_pieces import Piece, Unit, pieces_of
from pincite.lines.line import Line
from pincite.lines.making import lines_of
from pincite.models.loop import wait
from pincite.ports import Completion, Encoder, Model, Prompt, TokenChoice
from pincite.question.ask import Ask
from pincite.question.classes import question_class
from pincite.question.understanding import understand
from pincite.search.bilingual_pages import asked_in
from pincite.search.index.token_windows import TokenWindows
from pincite.stage import Stage
from pincite.types import Draft, Ranking

SHOWN = 700
"""Tokens, counted about, of the lines that a small model is shown."""
RETRIES = 1
"""How often an answer that cannot be taken is asked for again."""


@dataclass(frozen=True, slots=True)
class TakenLine:
    """What a model read, as a draft that was not checked; where it took a value, the candidate and the tokens of the reply."""

    draft: Draft
    candidate: Candidate | None = None
    tokens: Sequence[TokenChoice] = ()


@dataclass(frozen=True)
class ReadLines(Stage[Ranking, Draft]):
    """Have a model choose among the lines of the `k` best pages (or the sections, passages or chunks that were hit, `by`).

    A small model is shown the best lines, about 700 tokens of them, a large one all that its window holds, page by page. `rules`
    say how a question's terms are taken, and whether the nearest statement is an answer; `strict` says so for a stage of a recipe
    that has it in its paper. With `by_class` the prompt says what to look out for with the question's class (HERO's six). Chunks
    of a page are those of `windows`. With the form "full" the reply begins with an analysis. `reading` tells apart several
    readings of one question, for a vote. An answer that cannot be taken is asked for once more.

    The confidence of a draft is 1 when its first reply passed and less for each retry: how often it holds is not known before it
    is measured for a model.

    Raises ModelError when the endpoint gives no reply; replies that fit no form make a refused draft.
    """

    model: Model
    corpus: Corpus = field(repr=False, compare=False)
    encoder: Encoder = field(repr=False, compare=False)
    k: int = 8
    by: Unit = "page"
    strict: bool | None = None
    temperature: float = 0.0
    rules: Rules = Rules()
    by_class: bool = False
    context_first: bool = True
    reading: int = 0
    form: Literal["full", "short"] = "short"
    windows: TokenWindows | None = None

    def run(self, given: Ranking) -> Draft:
        """Read the lines of one ranking, and check what the model says."""
        return self.read(understand(given.query), self._pieces(given))

    def read(self, ask: Ask, pieces: Sequence[Piece]) -> Draft:
        """Answer a question from pieces, best first."""
        lines = lines_in(ask, pieces)
        if reads_little(self.model):
            lines = shown(ask, best_lines(ask, lines, self.encoder), SHOWN)
        trial = Trial(ask, self.rules, pieces, lines, self.corpus)
        if not lines:
            return trial.draft
        try:
            self._ask(self._prompt(ask, lines), trial.settle)
        except ReplyInvalid as error:
            return replace(trial.draft, reason=str(error))
        except WindowTooSmall:
            if self.form == "short":
                raise
            return replace(self, form="short").read(ask, pieces)
        return trial.draft

    def take(self, given: Ranking) -> TakenLine:
        """Read the best lines of one ranking, without a check; with what is known of the line that was taken."""
        ask = understand(given.query)
        passages = chain.from_iterable(self._pieces(given))
        lines = lines_of([passage for passage in passages if not passage.apart])
        first = shown(ask, best_lines(ask, lines, self.encoder), SHOWN)
        seen = tuple(dict.fromkeys(line.passage.node.id for line in first))
        nothing = refused(ask, [line.passage for line in first], seen)
        taking = _Taking(ask, first, TakenLine(nothing))
        if first:
            try:
                self._ask(asking(ask.query.text, first, ask.periods), taking.settle)
            except ReplyInvalid as error:
                return TakenLine(replace(nothing, reason=str(error)))
        return taking.taken

    def _pieces(self, given: Ranking) -> tuple[Piece, ...]:
        code = asked_in(given.query)
        return pieces_of(self.corpus, given.hits, self.k, self.by, code, self.windows)

    def _prompt(self, ask: Ask, lines: Sequence[Line]) -> Prompt:
        """The prompt for lines whose value is checked."""
        small = reads_little(self.model)
        strict = self.rules.doubt == "na" if self.strict is None else self.strict
        focus = question_class(ask.query) if self.by_class else ""
        prompt = asking(
            ask.query.text,
            lines,
            ask.periods,
            told=told(self.rules, ask, strict=strict, focus=focus, small=small),
            wanted="" if small else wanted(ask.query),
            analysed=self.form == "full",
            extent=BRIEF if small else WIDE,
        )
        return replace(
            prompt,
            context_first=self.context_first,
            temperature=self.temperature,
            run=self.reading,
            logprobs=False,
        )

    def _ask(
        self, prompt: Prompt, settle: Callable[[Completion[LineForm], int], ReplyProblem | None]
    ) -> None:
        """Ask until a reply is settled, or was asked for often enough: of each that is not, the model is told what is wrong."""
        form = AnalysedLineForm if self.form == "full" else LineForm
        for tried in range(RETRIES + 1):
            reply = wait(self.model.complete(prompt, form))
            problem = settle(reply, tried)
            if problem is None:
                return
            said = reply.text or reply.value.model_dump_json()
            prompt = replace(prompt, turns=(*prompt.turns, (said, problem.told)))


@dataclass
class _Taking:
    """What is taken of replies without a check: the first value that stands in a line."""

    ask: Ask
    lines: Sequence[Line]
    taken: TakenLine

    def settle(self, reply: Completion[LineForm], tried: int) -> ReplyProblem | None:
        """Take one reply; why it cannot be taken."""
        chosen = choose(self.ask, reply.value, self.lines[: reply.shown or len(self.lines)])
        if isinstance(chosen, Candidate):
            draft = drafted(self.ask, [chosen], 1.0, self.taken.draft.read)
            self.taken = TakenLine(draft, chosen, reply.tokens)
        if not isinstance(chosen, str):
            return None
        reason = f"the model's reply was dropped: {chosen}"
        self.taken = TakenLine(replace(self.taken.draft, reason=reason))
        return ReplyProblem(chosen)
