"""Chats kept beside the corpus in a file of their own: listed, searched, renamed, exported, deleted; what is remembered."""

from __future__ import annotations

import json
import secrets
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, TypeVar

from pincite.errors import CorpusError, UsageError
from pincite.evidence.headline import likely, place, with_reason
from pincite.formats.encoding import answer_from, answer_to, dumps
from pincite.storage import KeptTables, connect_kept, exclusively, is_kept, shown
from pincite.types import Answer
from pincite.untrusted import readable

FILE = "chats.sqlite"
TITLE = 80
"""Characters of the first question that become the title."""
T = TypeVar("T")
State = Literal["answered", "stopped", "failed"]

SCHEMA = """
CREATE TABLE IF NOT EXISTS chats (
    id TEXT PRIMARY KEY, title TEXT NOT NULL, started TEXT NOT NULL, changed TEXT NOT NULL, turns INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS turns (
    chat TEXT NOT NULL REFERENCES chats (id) ON DELETE CASCADE, number INTEGER NOT NULL, at TEXT NOT NULL,
    asked TEXT NOT NULL, question TEXT NOT NULL, state TEXT NOT NULL, prose TEXT NOT NULL, withheld INTEGER NOT NULL,
    reason TEXT NOT NULL, answer_id TEXT NOT NULL, answer TEXT NOT NULL, said TEXT NOT NULL, PRIMARY KEY (chat, number));
CREATE TABLE IF NOT EXISTS chat_owners (
    chat TEXT PRIMARY KEY REFERENCES chats (id) ON DELETE CASCADE, person TEXT NOT NULL);
"""
_LISTED = "id, title, started, changed, turns"
_OWN = "FROM chats LEFT JOIN chat_owners ON chat_owners.chat = chats.id WHERE coalesce(person, '') = ?"


@dataclass(frozen=True, slots=True)
class Chat:
    """A conversation as the list shows it; `started` and `changed` are UTC times."""

    id: str
    title: str
    started: str
    changed: str
    turns: int


NOTHING = 'no question about the documents was understood: ask one, or say what changes in the last one, as in "and in 2022?"'
"""What is said to a message that asks for nothing."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What was asked, the standalone question it was understood as, and what came of it. `prose` are the sentences that passed
    their check, `withheld` how many did not. A turn that was stopped or failed has no answer and says why in `reason`.
    """

    asked: str
    question: str
    answer: Answer | None = None
    answer_id: str = ""
    prose: tuple[str, ...] = ()
    withheld: int = 0
    state: State = "answered"
    reason: str = ""
    number: int = 0
    at: str = ""

    @property
    def asked_nothing(self) -> bool:
        """Whether it was small talk, which the next turn is no follow-up to."""
        return self.answer is not None and self.answer.reason == NOTHING

    @property
    def said(self) -> str:
        """What the user was told, as text: the answer, then its prose; why not, where there is none."""
        if self.answer is None:
            return self.reason
        return " ".join((with_reason(self.answer), *self.prose))


class History:
    """The chats that one person has with a corpus; without a name those of the command line. Every call opens the file for
    itself, so that processes and threads share it.
    """

    def __init__(self, folder: Path, person: str = "") -> None:
        self.folder, self.path, self.person = folder, folder / FILE, person

    def begin(self, title: str) -> str:
        """A new chat's id."""
        identity, now = secrets.token_hex(4), _now()
        with self._open() as db:
            row = (identity, " ".join(title.split())[:TITLE], now, now)
            db.execute("INSERT INTO chats VALUES (?, ?, ?, ?, 0)", row)
            if self.person:
                db.execute("INSERT INTO chat_owners VALUES (?, ?)", (identity, self.person))
        return identity

    def add(self, chat: str, turn: Turn) -> int:
        """Keep a turn; returns its number in the chat, from 1. Raises UsageError when the chat is gone."""
        content = dumps(answer_to(turn.answer)) if turn.answer else ""
        with self._open(alone=True) as db:
            row = db.execute(f"SELECT turns {_OWN} AND id = ?", (self.person, chat)).fetchone()
            if row is None:
                raise self._unknown(chat)
            number = int(row[0]) + 1
            db.execute(
                "INSERT INTO turns VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (chat, number, _now(), turn.asked, turn.question, turn.state, dumps(list(turn.prose)), turn.withheld,
                 turn.reason, turn.answer_id, content, turn.said),
            )  # fmt: skip
            changed = (number, _now(), chat)
            db.execute("UPDATE chats SET turns = ?, changed = ? WHERE id = ?", changed)
        return number

    def chats(self, text: str = "") -> list[Chat]:
        """All chats, the latest first; with `text` those whose title, questions or answers hold all its words."""
        if not is_kept(self.folder, FILE, "chats"):
            return []
        listed = f"SELECT {_LISTED} {_OWN} ORDER BY changed DESC, started DESC, id"
        with self._open() as db:
            found = [Chat(*row) for row in db.execute(listed, (self.person,))]
            if not text.strip():
                return found
            texts = {chat.id: [chat.title] for chat in found}
            for identity, *parts in db.execute("SELECT chat, asked, question, said FROM turns"):
                if identity in texts:
                    texts[identity] += parts
        whole = {identity: "\n".join(some).casefold() for identity, some in texts.items()}
        wanted = text.casefold().split()
        return [chat for chat in found if all(word in whole[chat.id] for word in wanted)]

    def chat(self, identity: str) -> Chat:
        """One chat; raises UsageError when there is none of that id."""
        row = None
        if is_kept(self.folder, FILE, "chats"):
            with self._open() as db:
                own = f"SELECT {_LISTED} {_OWN} AND id = ?"
                row = db.execute(own, (self.person, identity)).fetchone()
        if row is None:
            raise self._unknown(identity)
        return Chat(*row)

    def turns(self, identity: str) -> list[Turn]:
        """The turns of a chat in order."""
        self.chat(identity)
        names = "asked, question, answer, answer_id, prose, withheld, state, reason, number, at"
        query = f"SELECT {names} FROM turns WHERE chat = ? ORDER BY number"
        with self._open() as db:
            rows = db.execute(query, (identity,)).fetchall()
        with readable(self.path, "move it away, and a new history is begun"):
            return [
                Turn(row[0], row[1], answer_from(json.loads(row[2])) if row[2] else None, row[3],
                     tuple(json.loads(row[4])), *row[5:])
                for row in rows
            ]  # fmt: skip

    def rename(self, identity: str, title: str) -> None:
        """Give a chat another title."""
        flat = " ".join(title.split())
        if not flat:
            raise UsageError("a chat's title cannot be empty: give one with --title")
        self.chat(identity)
        with self._open() as db:
            db.execute("UPDATE chats SET title = ? WHERE id = ?", (flat[:TITLE], identity))

    def delete(self, identity: str) -> None:
        """Delete a chat with all its turns."""
        self.chat(identity)
        with self._open() as db:
            db.execute("DELETE FROM chats WHERE id = ?", (identity,))

    @contextmanager
    def _open(self, alone: bool = False) -> Iterator[KeptTables]:
        """One transaction, which no other one runs beside when it is `alone`. CorpusError when nothing can be read or written."""
        try:
            with closing(connect_kept(self.folder, FILE, SCHEMA)) as db:
                if isinstance(db, sqlite3.Connection):
                    db.execute("PRAGMA foreign_keys = ON")
                with exclusively(db) if alone else db:
                    yield db
        except sqlite3.Error as error:
            raise CorpusError(
                f"the chat history {self.path} cannot be used ({error}). Questions are still answered; move the "
                "file away if it is damaged, or make the folder writable to keep chats."
            ) from error

    def _unknown(self, identity: str) -> UsageError:
        return UsageError(
            f"no chat {identity!r} is kept in {shown(self.folder)}; `pincite chat --list` lists the chats"
        )


def tokens(text: str) -> int:
    """About how many tokens a text has: a quarter of its bytes, as models of many kinds count English."""
    return (len(text.encode(errors="replace")) + 3) // 4


def remembered(turns: Sequence[Turn], budget: int) -> list[Turn]:
    """The latest turns that fit into `budget` tokens, in order; those that asked nothing, or failed before they were understood,
    are left out.
    """
    meant = [turn for turn in turns if turn.question and not turn.asked_nothing]
    return _latest(meant, lambda turn: (turn.asked, turn.question, turn.said), budget)


def latest(turns: Sequence[tuple[str, str]], budget: int) -> list[tuple[str, str]]:
    """Of what was asked and said elsewhere, the latest that fits into `budget` tokens, in order: all of it may be any length."""
    return _latest(turns, lambda turn: turn, budget)


def _latest(turns: Sequence[T], texts: Callable[[T], tuple[str, ...]], budget: int) -> list[T]:
    """The latest turns whose texts fit into a budget of tokens, in order."""
    first = len(turns)
    while first and (budget := budget - sum(map(tokens, texts(turns[first - 1])))) >= 0:
        first -= 1
    return list(turns[first:])


def as_json(chat: Chat, turns: Sequence[Turn]) -> dict[str, Any]:
    """A chat for export: its turns with the whole of each answer, as it can be read back."""
    return {
        "id": chat.id, "title": chat.title, "started": chat.started, "changed": chat.changed,
        "turns": [
            {
                "number": turn.number, "at": turn.at, "asked": turn.asked, "question": turn.question, "state": turn.state,
                "reason": turn.reason, "answer_id": turn.answer_id, "prose": list(turn.prose), "withheld": turn.withheld,
                "answer": answer_to(turn.answer) if turn.answer else None,
            }
            for turn in turns
        ],
    }  # fmt: skip


def as_markdown(chat: Chat, turns: Sequence[Turn]) -> str:
    """A chat to read: every question with what it was understood as, the answer, its citations and checks."""
    dates = f"{chat.started[:10]} to {chat.changed[:10]}"
    lines = [f"# {_plain(chat.title)}", "", f"Chat {chat.id}, {dates}", ""]
    for turn in turns:
        lines += [f"## {turn.number}. {_plain(turn.asked)}", ""]
        if turn.question not in ("", turn.asked):
            lines += [f"*Understood as: {_plain(turn.question)}*", ""]
        if (answer := turn.answer) is None:
            lines += [f"*{turn.state}: {_plain(turn.reason)}*", ""]
            continue
        said = _plain(with_reason(answer) if answer.value is None else answer.text)
        lines += [said if answer.value is None else f"**{said}**", ""]
        if turn.prose:
            lines += [_plain(" ".join(turn.prose)), ""]
        if turn.withheld:
            lines += [f"*{withheld(turn.withheld)}*", ""]
        lines += [*_proof(answer, turn.answer_id), ""]
    return "\n".join(lines).rstrip() + "\n"


def _proof(answer: Answer, identity: str) -> Iterator[str]:
    """The possible answers of a refusal, then citations and checks, as items of a list in Markdown."""
    from pincite.evidence.value_in_words import worded

    first = likely(answer)
    for near in answer.possible if answer.value is None else ():
        if near is first:
            continue
        chance = f" ({near.confidence:.0%})" if near.confidence else ""
        where = f", {place(near.citation)}" if near.citation else ""
        yield f"- possible: {_plain(worded(near.value))}{chance}{_plain(where)}"
    for cited in answer.citations:
        yield f"- [{identity}.{cited.label}] {_plain(place(cited))}: “{_plain(cited.quote)}”"
    for check in answer.checks:
        yield f"- {check.verdict}: {_plain(check.how)}"


def withheld(count: int) -> str:
    """What the user is told of sentences that did not pass."""
    return f"{count} sentence{'s' if count > 1 else ''} of the model withheld: not supported by the pages cited"


def _plain(text: str) -> str:
    """A text on one line that Markdown shows as it is."""
    return " ".join(text.split()).translate(_ESCAPED)


_ESCAPED = {ord(mark): f"\\{mark}" for mark in "\\`*_<>[]#|"}


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
