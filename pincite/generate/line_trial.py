"""What becomes of a model's replies: a draft whose value the rules and the check let stand, or a refusal."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from pincite.check.claims import verified
from pincite.corpus import Corpus
from pincite.evidence.candidate import Candidate, Passage
from pincite.evidence.cited_place import clipped
from pincite.evidence.database_sources import sources_of
from pincite.evidence.drafted_answer import drafted, nearest, refused
from pincite.evidence.orders import gives_orders, links
from pincite.evidence.scale_note import in_scale, notes_on
from pincite.generate.line_prompts import AnalysedLineForm, LineForm
from pincite.generate.line_values import choose
from pincite.generate.problem import ReplyProblem
from pincite.generate.rules import Rules
from pincite.generate.shown_pieces import Piece
from pincite.generate.stated_truth import silence
from pincite.lines.kind_fit import fits
from pincite.lines.line import Line
from pincite.ports import Completion
from pincite.quantity import parse
from pincite.question.ask import Ask
from pincite.types import Draft, Possible, Quantity
from pincite.untrusted import visible

EXPLAINED = 300
"""Characters of a model's analysis that are kept."""
_ADDRESS = re.compile(r"\w+\.(?:com|org|net|io|ai|co|example|test|dev|app)\b|@\w")
_OTHER_KIND = "Give an answer of the kind and in the unit that the question asks for; where no line has one, lines is empty."
_NO_LINK = "Give the name itself; where no line has it, lines is empty."
_UNSAID = "Name the line that says no; where none does, lines and value are empty."


@dataclass
class Trial:
    """The replies of a model to one question over `lines` of `pieces`, and the `draft` that they have come to so far."""

    ask: Ask
    rules: Rules
    pieces: Sequence[Piece]
    lines: Sequence[Line]
    corpus: Corpus
    draft: Draft = field(init=False)
    _near: tuple[Possible, ...] = field(default=(), init=False)

    def __post_init__(self) -> None:
        self.draft = self._nothing(self.lines)

    def settle(self, reply: Completion[LineForm], tried: int) -> ReplyProblem | None:
        """Take one reply into the draft; why its value is not taken, None where it is or where the reply gives none."""
        left = self.lines[: reply.shown or len(self.lines)]
        chosen = self._chosen(reply.value, left)
        problem = None
        if isinstance(chosen, Candidate):
            problem = self._tried(chosen, left, 1.0 / (1 + tried))
        elif chosen is not None:
            problem = chosen
            self.draft = replace(self._nothing(left), reason=chosen.what)
        elif not self._near:
            self.draft = self._nothing(left)
        told = explanation(reply.value)
        self.draft = replace(self.draft, possible=self._near, model_explanation=told)
        return problem

    def _chosen(self, form: LineForm, lines: Sequence[Line]) -> Candidate | ReplyProblem | None:
        silent_no = self.rules.silent_no(self.ask)
        if not form.lines and form.value.strip(" .").casefold() == "no":
            if silent_no:
                return silence(self.ask, _beside(self.pieces, lines))
            what = (
                "no line is named for the no, and where the lines are silent it is no answer here"
            )
            return ReplyProblem(what, _UNSAID)
        chosen = choose(self.ask, form, lines, every=True, silent_no=silent_no)
        if isinstance(chosen, Candidate):
            return _noted(self.ask, form.value, chosen, _beside(self.pieces, lines))
        return ReplyProblem(chosen) if isinstance(chosen, str) else chosen

    def _tried(
        self, candidate: Candidate, lines: Sequence[Line], confidence: float
    ) -> ReplyProblem | None:
        """Make a candidate the draft, or what is left of it when a rule or the check says no; then why."""
        passages = _beside(self.pieces, lines)
        draft = drafted(self.ask, [candidate], confidence, _ids(passages))
        problem = self._misfit(candidate, draft.text)
        if problem is None:
            nodes = {passage.node.id: passage.node for passage in passages}
            of_rows = any(node.anchor.sql for node in nodes.values())
            answer = verified(draft, nodes, sources=sources_of(self.corpus) if of_rows else None)
            if not answer.reason:
                self.draft, self._near = draft, ()
                return None
            chances = [check.answers for check in answer.checks if check.answers is not None]
            chance = min(chances, default=0.0)
            told = (replace(possible, confidence=chance) for possible in answer.possible)
            self._near = nearest((*told, *self._near))
            remedy = next((check.remedy for check in answer.checks if check.remedy), "")
            problem = ReplyProblem(answer.reason, remedy)
        self.draft = replace(draft, text="", value=None, confidence=0.0, reason=problem.what)
        return problem

    def _misfit(self, candidate: Candidate, text: str) -> ReplyProblem | None:
        """Why a candidate can be no answer whatever its lines say; None when it can."""
        if broken := self.rules.broken(self.ask, candidate.value, candidate.operation):
            return broken
        if linked := next(filter(self._links, candidate.values), None):
            return ReplyProblem(
                f"'{clipped(str(linked))}' is a link, which is not asked for", _NO_LINK
            )
        if fits(_typed(self.ask), candidate):
            return None
        what = f"{clipped(text)} is no answer of the kind or in the unit that is asked for"
        return ReplyProblem(what, _OTHER_KIND)

    def _links(self, value: object) -> bool:
        """Whether a value leads elsewhere, and no address is asked for."""
        if not isinstance(value, str) or self.ask.says("address"):
            return False
        named = self.ask.expects in ("name", "names")
        return links(value) or named and _ADDRESS.search(value) is not None

    def _nothing(self, lines: Sequence[Line]) -> Draft:
        """The draft that says that nothing was found in these lines and what stands beside them."""
        passages = _beside(self.pieces, lines)
        return refused(self.ask, passages, _ids(passages))


def explanation(form: LineForm) -> str:
    """What a reply says of how it came to its value, in short; "" where it says nothing, or what is not to be shown.

    It is nothing but words: a link, an order or what cannot be seen is kept from the reader, and so is all with it.
    """
    told = clipped(form.analysis, EXPLAINED) if isinstance(form, AnalysedLineForm) else ""
    unfit = links(told) or gives_orders(told) or visible(told) != told
    return "" if unfit else told


def _noted(ask: Ask, said: str, found: Candidate, passages: Sequence[Passage]) -> Candidate:
    """A number in the scale that the reply or the question says, with the note of its page that declares it; else as it is."""
    if not isinstance(found.value, Quantity) or found.operation:
        return found
    node, number = found.evidence[0].node, parse(said)
    wanted = number.scale if number is not None and number.scale != 1 else ask.scale
    place = (node.anchor.source, node.anchor.page)
    page = (each for each in passages if (each.node.anchor.source, each.node.anchor.page) == place)
    note = next((note for note, scale in notes_on(page) if scale == wanted), None)
    value = in_scale(found.value, node, wanted) if note is not None and wanted else found.value
    if note is None or value == found.value:
        return found
    return replace(found, value=value, evidence=(*found.evidence, note))


def _beside(pieces: Sequence[Piece], lines: Sequence[Line]) -> list[Passage]:
    """The passages of the pieces that have one of these lines."""
    held = {(line.passage.node.id, line.passage.rank) for line in lines}
    return [
        passage
        for piece in pieces
        if any((each.node.id, each.rank) in held for each in piece)
        for passage in piece
    ]


def _ids(passages: Sequence[Passage]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(passage.node.id for passage in passages))


def _typed(ask: Ask) -> Ask:
    """The question without the caller's type where a quoted sentence stands for a text."""
    if ask.query.expects != "text":
        return ask
    return replace(ask, query=replace(ask.query, expects=None))
