"""A turn of a conversation, from the process it runs in to its follower, and into the history if one is kept."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from dataclasses import dataclass, field, replace

from pincite.chat.conversation import MEMORY, Conversation, noted
from pincite.chat.events import Answered, Event, Notice
from pincite.chat.history import History, Turn, latest, remembered
from pincite.errors import CorpusError, UsageError
from pincite.ports import Progress
from pincite.serve.bench import Bench
from pincite.serve.corpora import Served
from pincite.serve.processes.worker_pool import pieces
from pincite.storage.ledger import about
from pincite.workbench.library import Library


@dataclass(frozen=True, slots=True)
class TurnMessage:
    """A message of who asks, after `turns` that were kept here and what was asked and said elsewhere."""

    asked: str
    turns: tuple[Turn, ...] = ()
    elsewhere: tuple[tuple[str, str], ...] = ()


def _turn(library: Library, message: TurnMessage) -> Iterator[Event]:
    """What happens in a turn, in the process that it runs in."""
    talk = Conversation(library, None, library.kit)
    talk.turns = list(message.turns)
    for asked, answered in latest(message.elsewhere, MEMORY):
        talk.recall(asked, answered)
    with about(run=library.run):
        yield from talk.turn(message.asked)


async def events(
    bench: Bench, served: Served, person: str, message: TurnMessage
) -> AsyncGenerator[Event | Progress, None]:
    """What happens in a turn, as it happens, and how far a model is. Leaving off stops the turn."""
    begun = time.monotonic()
    told = pieces(lambda tell: bench.asking.do(served, person, _turn, message, tell=tell))
    async with aclosing(told):
        async for event in told:
            if isinstance(event, Answered):
                refused = event.answer.value is None
                bench.asking.count(served, refused, time.monotonic() - begun)
            yield event


@dataclass
class Talk:
    """A chat that is kept in `history`, begun by its first turn where `chat` is empty."""

    history: History
    chat: str = ""
    last: Turn = field(default_factory=lambda: Turn("", ""))
    unkept: str = ""

    async def turn(
        self, bench: Bench, served: Served, person: str, asked: str
    ) -> AsyncGenerator[Event | Progress, None]:
        """What happens in a turn; it is kept however it ends. Raises what `events` raises."""
        if not asked.strip():
            raise UsageError(
                "the question is empty: ask something about the documents of the corpus"
            )
        before = await asyncio.to_thread(self.history.turns, self.chat) if self.chat else []
        stopped = "the turn was stopped"
        self.last = Turn(" ".join(asked.split()), "", state="stopped", reason=stopped)
        message = TurnMessage(asked, tuple(remembered(before, MEMORY)))
        try:
            async with aclosing(events(bench, served, person, message)) as told:
                async for event in told:
                    if not isinstance(event, Progress):
                        self.last = noted(self.last, event)
                    yield event
            self.last = replace(self.last, state="answered", reason="")
        except Exception as error:
            self.last = replace(self.last, state="failed", reason=str(error))
            raise
        finally:
            if self.last.answer is not None:
                self.last = replace(self.last, state="answered", reason="")
            keeping = asyncio.get_running_loop().run_in_executor(None, self._keep)
            await asyncio.shield(keeping)  # also when nobody listens any more
        if self.unkept:
            yield Notice(self.unkept)

    def _keep(self) -> None:
        try:
            self.chat = self.chat or self.history.begin(self.last.asked)
            self.last = replace(self.last, number=self.history.add(self.chat, self.last))
        except CorpusError as error:
            self.unkept = str(error)
