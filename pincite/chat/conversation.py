"""A conversation: each turn is condensed into a standalone question, answered, checked and kept, and reports as it goes."""

from __future__ import annotations

import threading
import time
from collections.abc import AsyncGenerator, Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from contextvars import copy_context
from dataclasses import dataclass, field, replace
from functools import lru_cache
from queue import SimpleQueue
from typing import Any, Protocol

from pincite.chat.checked_prose import Prose, page_texts, pages_of
from pincite.chat.events import (
    Answered,
    Begun,
    Ended,
    Event,
    Notice,
    Sentence,
    Sources,
    Understood,
    Withheld,
)
from pincite.chat.history import NOTHING, History, Turn, remembered, tokens
from pincite.corpus import Corpus
from pincite.document.times import when
from pincite.errors import CorpusError, ModelError, UsageError
from pincite.generate import prompts
from pincite.models.loop import wait
from pincite.ports import Kit, Model
from pincite.question.followup import narrower, standalone
from pincite.question.small_talk import asking_part
from pincite.question.understanding import accepted, understand
from pincite.rows.narrowing import narrows
from pincite.search.document_routing import Catalogue, route
from pincite.stage import watched
from pincite.storage.ledger import about, metered
from pincite.text.lexicon import pattern
from pincite.types import Answer, Outcome, Query, Ranking, Span, Where
from pincite.untrusted import visible

MEMORY = 4000
"""Tokens of the conversation that a follow-up is condensed with."""
SOURCES = 5
"""Pages that are told as sources while a question is answered."""
LONGEST = 600
"""Characters of a question that a model may make of a follow-up."""
_SURE = 0.5
"""The weight from which a name is taken for one of the corpus."""


class AnsweringLibrary(Protocol):
    """What a conversation asks: an open corpus that answers."""

    @property
    def corpus(self) -> Corpus: ...  # noqa: D102

    def query(self, text: str, where: Where = (), *, as_of: str = "") -> Query: ...  # noqa: D102

    def outcome(self, query: Query) -> Outcome: ...  # noqa: D102

    def keep(self, answers: Sequence[Answer]) -> list[str]: ...  # noqa: D102

    def holds(self, text: str) -> bool: ...  # noqa: D102


class _Stopped(Exception):
    """Raised in the thread of a turn that nobody listens to any more."""


@dataclass
class _Work:
    """One turn under way: what its thread reports, and whether it is to stop."""

    heard: SimpleQueue[Any] = field(default_factory=SimpleQueue)
    stop: threading.Event = field(default_factory=threading.Event)
    open: list[str] = field(default_factory=list)
    told: tuple[tuple[str, int], ...] = ()

    def tell(self, event: Any) -> None:
        """Report an event, the beginning of prose, a piece of it or its end, or None when the turn is over."""
        if self.stop.is_set():
            raise _Stopped
        self.heard.put(event)

    def events(self) -> Iterator[Event]:
        """What the thread reports, prose as checked sentences, to the end of the turn. Raises what the thread raised."""
        prose: Prose | None = None
        while (heard := self.heard.get()) is not None:
            if isinstance(heard, BaseException):
                raise heard
            if isinstance(heard, Prose):
                prose = heard
            elif prose is not None and isinstance(heard, str):
                yield from prose.feed(heard)
            elif prose is not None and heard is _SPOKEN:
                yield from prose.end()
            else:
                yield heard


class Conversation:
    """One chat over a library.

    `history` keeps it (None keeps nothing), `chat` resumes one that is kept; `kit` brings models: a small one condenses
    follow-ups, a large one speaks. Without models rules condense and the checked answer is all that is said. `memory`
    is how many tokens of the conversation are used, the oldest turns dropped first. One turn at a time.
    """

    def __init__(
        self,
        library: AnsweringLibrary,
        history: History | None = None,
        kit: Kit | None = None,
        *,
        chat: str = "",
        where: Where = (),
        as_of: str = "",
        memory: int = MEMORY,
    ) -> None:
        self.library = library
        self.history = history
        self.chat = chat
        self.where = where
        self.as_of = as_of
        self.memory = memory
        self.turns = history.turns(chat) if history and chat else []
        self._small: Model | None = (kit.small or kit.large) if kit else None
        self._large: Model | None = (kit.large or kit.small) if kit else None
        self._known: Callable[[str], bool] | None = None
        self._busy = threading.Lock()

    def turn(self, text: str) -> Generator[Event, None, None]:
        """Answer one message; yields what happens as it happens, `Answered` before the prose about it.

        Closing the iterator stops the turn: it is kept as stopped, and its thread ends with the stage it is in. Raises
        UsageError for an empty or too long message or while another turn runs, and whatever the library raises, after the turn
        was kept.
        """
        asked = accepted(text)
        if not self._busy.acquire(blocking=False):
            raise UsageError(
                "this conversation is still answering: wait for the current turn, or stop it"
            )
        try:
            yield from self._turn(asked)
        finally:
            self._busy.release()

    def recall(self, asked: str, said: str = "") -> None:
        """Take note of a turn that was had elsewhere: what was asked and said, so that follow-ups are understood."""
        flat = " ".join(asked.split())
        before = [turn.question for turn in remembered(self.turns, self.memory)]
        part = asking_part(flat, self.library.holds)
        made = standalone(part, before, self._names) if part else ""
        self.turns.append(Turn(flat, made, reason=said, number=len(self.turns) + 1))

    def _turn(self, asked: str) -> Generator[Event, None, None]:
        work = _Work()
        run, given = copy_context().run, (self._run, asked, work)
        threading.Thread(target=run, args=given, name="pincite-turn", daemon=True).start()
        turn = Turn(asked, "", state="stopped", reason="the turn was stopped")
        unkept = ""
        try:
            for event in work.events():
                turn = noted(turn, event)
                yield event
            turn = replace(turn, state="answered", reason="")
        except Exception as error:
            turn = replace(turn, state="failed", reason=str(error))
            raise
        finally:
            work.stop.set()
            if turn.answer is not None:
                turn = replace(turn, state="answered", reason="")
            unkept = self._keep(turn)
        if unkept:
            yield Notice(unkept)

    def _keep(self, turn: Turn) -> str:
        """Keep a turn; what is in the way, if anything."""
        number, trouble = len(self.turns) + 1, ""
        if self.history is not None:
            try:
                self.chat = self.chat or self.history.begin(turn.asked)
                number = self.history.add(self.chat, turn)
            except CorpusError as error:
                self.history, trouble = None, str(error)
        self.turns.append(replace(turn, number=number))
        return trouble

    def _run(self, asked: str, work: _Work) -> None:
        """The thread of a turn."""
        try:
            with watched(lambda what, made: self._seen(work, what, made)), about(question=asked):
                self._answer(asked, work)
            work.tell(None)
        except _Stopped:
            pass
        except BaseException as error:
            work.heard.put(error)

    def _answer(self, asked: str, work: _Work) -> None:
        if not asking_part(asked, self.library.holds):
            work.tell(Understood(asked, asked))
            nothing = Answer(self.library.query(asked), "", None, reason=NOTHING)
            work.tell(Answered(nothing, self.library.keep([nothing])[0]))
            return
        understood = self._condensed(asked, work)
        work.tell(understood)
        query = self.library.query(understood.question, self.where, as_of=self.as_of)
        answer = self.library.outcome(replace(query, refines=understood.refines)).answer
        work.tell(Answered(answer, self.library.keep([answer])[0]))
        if self._large is not None and answer.value is not None:
            try:
                self._speak(self._large, answer, work)
            except ModelError as error:
                work.tell(Notice(f"the answer has no explanation: {error}"))

    def _speak(self, model: Model, answer: Answer, work: _Work) -> None:
        """Stream a model's words about a checked answer."""
        prose = Prose(pages_of(self.library.corpus, answer), answer, understand(answer.query))
        pieces, frame = page_texts(prose.shown)
        prompt = prompts.speaking(answer.query.text, answer.text, pieces, frame)
        work.tell(prose)

        async def pump() -> None:
            reply = model.stream(prompt)
            try:
                async for part in reply:
                    work.tell(part)
            finally:
                if isinstance(reply, AsyncGenerator):
                    await reply.aclose()

        with _stage(work, "Speak", answer.text):
            wait(pump())
            work.tell(_SPOKEN)

    def _seen(self, work: _Work, what: str | Span, made: Any) -> None:
        """Tell of a stage, and of the pages found by one that no other stage runs in."""
        if isinstance(what, str):
            work.tell(Begun(what, len(work.open)))
            work.open.append(what)
            return
        while work.open and work.open.pop() != what.stage:
            pass
        work.tell(Ended(what, len(work.open)))
        if isinstance(made, Ranking) and not work.open:
            pages = self._pages(made)
            if pages != work.told:
                work.told = pages
                work.tell(Sources(pages))

    def _pages(self, ranking: Ranking) -> tuple[tuple[str, int], ...]:
        corpus = self.library.corpus
        hits = [hit.node for hit in ranking.hits[: 4 * SOURCES]]
        places = corpus.places(hits)
        pages = dict.fromkeys(places[hit] for hit in hits if hit in places)
        return tuple((corpus.by_version[version].id, page) for version, page in pages)[:SOURCES]

    # ---- follow-ups

    def _condensed(self, asked: str, work: _Work) -> Understood:
        before = remembered(self.turns, self.memory - tokens(asked))
        said = asking_part(asked, self.library.holds)
        if not before:
            return Understood(asked, said, "rules" if said != asked else "")
        if refines := self._narrowing(said, before[-1]):
            return Understood(asked, narrower(said, before[-1].question), "rules", refines)
        if self._small is not None:
            try:
                made = self._by_model(self._small, asked, before, work)
                return Understood(asked, made, self._small.name if made != asked else "")
            except ModelError as error:
                work.tell(Notice(f"the follow-up was read by rules: {error}"))
        made = standalone(said, [turn.question for turn in before], self._names)
        return Understood(asked, made, "rules" if made != asked else "")

    def _narrowing(self, asked: str, last: Turn) -> tuple[str, ...]:
        """The questions that a follow-up to what a database answered narrows, and itself; none where it narrows none."""
        if last.answer is None or last.answer.reading is None or not last.answer.reading.statement:
            return ()
        before = last.answer.query.refines or (last.question,)
        return (*before, asked) if narrows(asked) else ()

    def _by_model(self, model: Model, asked: str, before: Sequence[Turn], work: _Work) -> str:
        from pincite.models.forms import StandaloneForm

        told = [
            f"asked: {turn.asked}\nmeaning: {turn.question}\nanswered: {turn.said}"
            for turn in reversed(before)
        ]
        with _stage(work, "Condense", asked):
            reply = wait(model.complete(prompts.condensing(asked, told), StandaloneForm)).value
        made = " ".join(visible(reply.question).split())
        if not made or len(made) > LONGEST:
            raise ModelError("the model gave no question")
        if strange := _strange(made, " ".join((asked, *told))):
            raise ModelError(
                f"the model's question introduces {strange!r}, which nobody has mentioned"
            )
        return made

    def _names(self, text: str) -> bool:
        """Whether a text is a name that a document of the corpus goes by."""
        if self._known is None:
            catalogue = Catalogue.of(self.library.corpus.documents)

            @lru_cache(maxsize=10_000)  # a long past asks the same again and again
            def known(name: str) -> bool:
                named = f"names '{name.casefold()}'"
                best = [each for each in route(name, catalogue)[:1] if each.weight >= _SURE]
                return any(each.why.casefold().startswith(named) for each in best)

            self._known = known
        return self._known(text)


_SPOKEN = object()


@contextmanager
def _stage(work: _Work, name: str, given: str) -> Iterator[None]:
    """Tell of a model's work that is no stage of the recipe as if it were one, with what it spends."""
    started = time.perf_counter()
    work.tell(Begun(name))
    with metered(name) as meter:
        yield
    spent, notes, seconds = meter.alone, tuple(meter.notes), time.perf_counter() - started
    work.tell(Ended(Span(name, given[:80], "", seconds, spent.usage, spent.cost, notes)))


def noted(turn: Turn, event: Event) -> Turn:
    """A turn with what an event adds to it."""
    match event:
        case Understood(question=question):
            return replace(turn, question=question)
        case Answered(answer, answer_id):
            return replace(turn, answer=answer, answer_id=answer_id)
        case Sentence(text=text):
            return replace(turn, prose=(*turn.prose, text))
        case Withheld():
            return replace(turn, withheld=turn.withheld + 1)
    return turn


_TOLD = pattern("chat", "number or name")


def _strange(made: str, said: str) -> str:
    """A number or a name of a condensed question that nobody has said; years next to one that was said are fine."""
    known = said.casefold()
    years = {period.year + step for period in when(said) for step in (-1, 0, 1)}
    for found in _TOLD.finditer(made):
        term = found[0]
        if term.casefold() not in known and not (term.isdigit() and int(term) in years):
            return term
    return ""
