"""A conversation on the terminal: stages and sources while it works, the checked answer, prose a sentence at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rich.console import Console

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
from pincite.chat.history import NOTHING, withheld
from pincite.cli.views.answer_view import brief, print_answer
from pincite.cli.views.terminal import print_line, terminal, unbroken, working
from pincite.errors import PinciteError
from pincite.ledger import listened
from pincite.loop import cancel
from pincite.records.answer_record import record
from pincite.types import Outcome, Span

if TYPE_CHECKING:
    from pincite.chat.conversation import Conversation

TOLD_FROM = 0.02
"""Seconds from which a stage that has ended gets a line of its own; shorter ones are not listed."""


@dataclass
class TurnSoFar:
    """What a turn has reported so far."""

    understood: Understood | None = None
    answered: Answered | None = None
    sources: tuple[tuple[str, int], ...] = ()
    spans: list[Span] = field(default_factory=list)
    prose: list[Sentence] = field(default_factory=list)
    withheld: list[str] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
    error: str = ""

    def hear(self, event: Event) -> None:
        """Take an event in."""
        match event:
            case Understood():
                self.understood = event
            case Answered():
                self.answered = event
            case Sources(pages):
                self.sources = pages
            case Ended(span, 0):
                self.spans.append(span)
            case Sentence():
                self.prose.append(event)
            case Withheld(why):
                self.withheld.append(why)
            case Notice(text):
                self.notices.append(text)

    def record(self, talk: Conversation, asked: str) -> dict[str, Any]:
        """The turn as one line of JSON: the answer's record with the conversation around it."""
        question = self.understood.question if self.understood else ""
        head = {
            "chat": talk.chat,
            "turn": len(talk.turns),
            "asked": " ".join(asked.split()),
            "question": question,
        }
        if self.answered is None:
            return {**head, "error": self.error}
        return {
            **record(self.answered.answer, self.answered.answer_id), **head,
            "understood_by": self.understood.by if self.understood else "",
            "sources": [{"document": document, "page": page} for document, page in self.sources],
            "prose": [{"text": sentence.text, "pages": list(map(list, sentence.pages))} for sentence in self.prose],
            "withheld": self.withheld, "notices": self.notices, **({"error": self.error} if self.error else {}),
        }  # fmt: skip


def print_told(told: TurnSoFar) -> None:
    """Print a whole turn at once, for an output that is no terminal."""
    console = unbroken()
    if told.understood and told.understood.by:
        print_line(console, 0, (f"understood as: {told.understood.question}", "italic"))
    elif told.understood:
        print_line(console, 0, (told.understood.question, "bold"))
    if told.answered:
        _answer(told.answered)
    for sentence in told.prose:
        print_line(console, 2, (sentence.text, ""))
    if told.withheld:
        print_line(console, 2, (withheld(len(told.withheld)), "yellow"))
    for notice in told.notices:
        print_line(console, 2, (notice, "yellow"))
    if told.error:
        print_line(console, 0, (told.error, "red"))


def converse(talk: Conversation, begin: Callable[[], Conversation], words: str) -> None:
    """Hold a conversation on the terminal until the input ends."""
    console = terminal()
    try:
        import readline  # noqa: F401 - gives the prompt its editing and its history of lines
    except ImportError:
        pass
    if talk.turns:
        print_line(
            console,
            0,
            (f"Chat {talk.chat}: {talk.turns[0].asked}", "bold"),
            (f"  ({len(talk.turns)} turns)", "dim"),
        )
        print_line(console, 2, (f"last: {talk.turns[-1].asked}: {talk.turns[-1].said}", "dim"))
    print_line(console, 0, (words, "dim"))
    for asked in _lines():
        if asked == "/new":
            talk = begin()
            print_line(console, 0, ("A new chat: what was said before does not count.", "dim"))
        elif asked.startswith("/"):
            print_line(console, 0, (words, "dim"))
        else:
            _turn(console, talk, asked)
    if talk.chat:
        print_line(
            console, 0, (f"Chat {talk.chat} is kept: continue it with --resume {talk.chat}", "dim")
        )


def _lines() -> Iterator[str]:
    while True:
        try:
            asked = input("\n> ").strip()
        except (EOFError, KeyboardInterrupt):
            print()  # noqa: T201
            return
        if asked in ("/quit", "/exit"):
            return
        if asked:
            yield asked


def _turn(console: Console, talk: Conversation, asked: str) -> None:
    """One turn: a line shows what is being done, and disappears when the answer is there."""
    told = TurnSoFar()
    with (
        working() as status,
        listened(lambda progress: status(str(progress))),
        closing(talk.turn(asked)) as events,
    ):
        try:
            for event in events:
                told.hear(event)
                _show(console, status, told, event)
        except KeyboardInterrupt:
            cancel()  # what a model reads for this turn, so that it is free for the next
            print_line(console, 0, ("stopped; the question is kept in the chat", "yellow"))
        except PinciteError as error:
            print_line(console, 0, (str(error), "red"))
    for notice in told.notices:
        print_line(console, 2, (notice, "yellow"))


def _show(console: Console, status: Callable[[str], None], told: TurnSoFar, event: Event) -> None:
    """What an event adds to the terminal."""
    match event:
        case Understood(question=question, by=by) if by:
            print_line(console, 0, (f"understood as: {question}", "italic"))
        case Begun(stage):
            status(f"{brief(stage)}  {_found(told)}")
        case Ended(span, 0) if span.seconds >= TOLD_FROM:
            made = f": {span.made}" if span.made else ""
            print_line(console, 2, (f"{span.seconds:6.2f} s  {brief(span.stage)}{made}", "dim"))
        case Answered(answer) if answer.reason == NOTHING:
            _answer(event)
            status("")
        case Answered():
            print_line(
                console, 2, (f"found {_found(told)}" if told.sources else "nothing found", "dim")
            )
            _answer(event)
            status("")
        case Sentence(text=text):
            print_line(console, 2, (text, ""))
        case Withheld(why):
            print_line(console, 2, (f"a sentence is withheld: {why}", "yellow"))


def _found(told: TurnSoFar) -> str:
    """The sources by document, best first: "a.pdf p. 3, 1; b.pdf p. 2"."""
    pages: dict[str, list[str]] = {}
    for document, page in told.sources:
        pages.setdefault(document, []).append(str(page))
    return "; ".join(f"{document} p. {', '.join(some)}" for document, some in pages.items())


def _answer(event: Answered) -> None:
    if event.answer.reason == NOTHING:
        print_line(terminal(), 0, (NOTHING, ""))
        return
    print_answer(
        Outcome(None, event.answer),
        record(event.answer, event.answer_id),
        explain=False,
        headed=False,
    )
