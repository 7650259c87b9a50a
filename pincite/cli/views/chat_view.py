"""A conversation on the terminal: stages and sources while it works, the checked answer, prose a sentence at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rich.console import Console

from pincite.chat import events
from pincite.chat.history import NOTHING, withheld
from pincite.cli.views.answer_view import brief, print_answer
from pincite.cli.views.terminal import print_line, terminal, unbroken, working
from pincite.errors import PinciteError
from pincite.models.loop import cancel
from pincite.records.answer_record import record
from pincite.storage.ledger import listened
from pincite.types import Outcome

if TYPE_CHECKING:
    from pincite.chat.conversation import Conversation

TOLD_FROM = 0.02
"""Seconds from which a stage that has ended gets a line of its own; shorter ones are not listed."""


@dataclass
class TurnSoFar:
    """What a turn has reported so far."""

    understood: events.Understood | None = None
    answered: events.Answered | None = None
    sources: tuple[tuple[str, int], ...] = ()
    prose: list[events.Sentence] = field(default_factory=list)
    withheld: list[str] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
    error: str = ""

    def hear(self, event: events.Event) -> None:
        """Take an event in."""
        match event:
            case events.Understood():
                self.understood = event
            case events.Answered():
                self.answered = event
            case events.Sources(pages):
                self.sources = pages
            case events.Sentence():
                self.prose.append(event)
            case events.Withheld(why):
                self.withheld.append(why)
            case events.Notice(text):
                self.notices.append(text)

    def record(self, talk: Conversation, asked: str) -> dict[str, Any]:
        """The turn as one line of JSON: the answer's record with the conversation around it."""
        question, by = (
            (self.understood.question, self.understood.by) if self.understood else ("", "")
        )
        head = {"chat": talk.chat, "turn": len(talk.turns), "asked": " ".join(asked.split())}
        head["question"] = question
        if self.answered is None:
            return {**head, "error": self.error}
        return {
            **record(self.answered.answer, self.answered.answer_id), **head, "understood_by": by,
            "sources": [{"document": document, "page": page} for document, page in self.sources],
            "prose": [{"text": each.text, "pages": list(map(list, each.pages))} for each in self.prose],
            "withheld": self.withheld, "notices": self.notices, **({"error": self.error} if self.error else {}),
        }  # fmt: skip

    def found(self) -> str:
        """The sources by document, best first: "a.pdf p. 3, 1; b.pdf p. 2"."""
        pages: dict[str, list[str]] = {}
        for document, page in self.sources:
            pages.setdefault(document, []).append(str(page))
        return "; ".join(f"{document} p. {', '.join(some)}" for document, some in pages.items())


def print_told(told: TurnSoFar) -> None:
    """Print a whole turn at once, for an output that is no terminal."""
    console = unbroken()
    if told.understood:
        by, question = told.understood.by, told.understood.question
        said = (f"understood as: {question}", "italic") if by else (question, "bold")
        print_line(console, 0, said)
    if told.answered:
        _print_answered(told.answered)
    for sentence in told.prose:
        print_line(console, 2, (sentence.text, ""))
    for notice in ([withheld(len(told.withheld))] if told.withheld else []) + told.notices:
        print_line(console, 2, (notice, "yellow"))
    if told.error:
        print_line(console, 0, (told.error, "red"))


def converse(talk: Conversation, begin: Callable[[], Conversation], words: str) -> None:
    """Hold a conversation on the terminal until the input ends."""
    console = terminal()
    with suppress(ImportError):
        import readline  # noqa: F401 - gives the prompt its editing and its history of lines
    if talk.turns:
        title = f"Chat {talk.chat}: {talk.turns[0].asked}"
        print_line(console, 0, (title, "bold"), (f"  ({len(talk.turns)} turns)", "dim"))
        print_line(console, 2, (f"last: {talk.turns[-1].asked}: {talk.turns[-1].said}", "dim"))
    print_line(console, 0, (words, "dim"))
    for asked in _lines():
        if asked == "/new":
            talk = begin()
            print_line(console, 0, ("A new chat: what was said before does not count.", "dim"))
        elif asked.startswith("/"):
            print_line(console, 0, (words, "dim"))
        else:
            _print_turn(console, talk, asked)
    if talk.chat:
        kept = f"Chat {talk.chat} is kept: continue it with --resume {talk.chat}"
        print_line(console, 0, (kept, "dim"))


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


def _print_turn(console: Console, talk: Conversation, asked: str) -> None:
    """One turn: a line shows what is being done, and disappears when the answer is there."""
    told = TurnSoFar()
    with (
        working() as status,
        listened(lambda progress: status(str(progress))),
        closing(talk.turn(asked)) as heard,
    ):
        try:
            for event in heard:
                told.hear(event)
                _show(console, status, told, event)
        except KeyboardInterrupt:
            cancel()  # what a model reads for this turn, so that it is free for the next
            print_line(console, 0, ("stopped; the question is kept in the chat", "yellow"))
        except PinciteError as error:
            print_line(console, 0, (str(error), "red"))
    for notice in told.notices:
        print_line(console, 2, (notice, "yellow"))


def _show(
    console: Console, status: Callable[[str], None], told: TurnSoFar, event: events.Event
) -> None:
    """What an event adds to the terminal."""
    match event:
        case events.Understood(question=question, by=by) if by:
            print_line(console, 0, (f"understood as: {question}", "italic"))
        case events.Begun(stage):
            status(f"{brief(stage)}  {told.found()}")
        case events.Ended(span, 0) if span.seconds >= TOLD_FROM:
            made = f": {span.made}" if span.made else ""
            print_line(console, 2, (f"{span.seconds:6.2f} s  {brief(span.stage)}{made}", "dim"))
        case events.Answered(answer):
            if answer.reason != NOTHING:
                found = f"found {told.found()}" if told.sources else "nothing found"
                print_line(console, 2, (found, "dim"))
            _print_answered(event)
            status("")
        case events.Sentence(text=text):
            print_line(console, 2, (text, ""))
        case events.Withheld(why):
            print_line(console, 2, (f"a sentence is withheld: {why}", "yellow"))


def _print_answered(event: events.Answered) -> None:
    answer = event.answer
    if answer.reason == NOTHING:
        print_line(terminal(), 0, (NOTHING, ""))
        return
    told = record(answer, event.answer_id)
    print_answer(Outcome(None, answer), told, explain=False, headed=False)
