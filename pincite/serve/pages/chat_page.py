"""Chat: questions and follow-ups, answered as they are checked, kept for the one who asked."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Form, Query
from starlette.responses import Response

from pincite.chat import events
from pincite.chat.history import Chat, History, Turn, as_json, as_markdown
from pincite.document.address import page_name
from pincite.evidence.headline import headline
from pincite.ports import Progress
from pincite.serve import templating as views
from pincite.serve.bench import Reading, Visit
from pincite.serve.door.access import LOCAL
from pincite.serve.door.caller_limits import QUESTION
from pincite.serve.door.problems import look_up, problem_of
from pincite.serve.event_stream import event, streamed, wants_events, while_there
from pincite.serve.pages.files_page import text_file
from pincite.serve.processes.turns import Talk
from pincite.storage import address_of
from pincite.text.lexicon import data_table
from pincite.untrusted import own

router = APIRouter(include_in_schema=False)
PEOPLE = "people"  # the folder of what is one person's own, where people have names
_DOING = data_table("words/serve")["doing"]


def history_of(visit: Visit) -> History:
    """The chats of who asks: on one's own machine those of the command line too."""
    if visit.person == LOCAL:
        return History(visit.served.folder)
    if address_of(visit.served.folder):
        return History(visit.served.folder, visit.person.name)
    folder = own(own(visit.served.folder / PEOPLE) / visit.person.name)
    folder.mkdir(parents=True, exist_ok=True)
    return History(folder)


@router.get("/c/{corpus}/chat")
async def chats(visit: Reading, find: Annotated[str, Query(max_length=200)] = "") -> Response:
    """A new chat, and those there are."""
    return await _page(visit, None, find)


@router.get("/c/{corpus}/chat/{chat}")
async def one(
    visit: Reading, chat: str, find: Annotated[str, Query(max_length=200)] = ""
) -> Response:
    """A chat to read and to go on with."""
    return await _page(visit, await _held(visit, chat), find)


async def _page(visit: Visit, chat: Chat | None, find: str) -> Response:
    history = history_of(visit)
    listed = await asyncio.to_thread(history.chats, find)
    turns = await asyncio.to_thread(history.turns, chat.id) if chat else []
    return views.corpus_page(
        visit, "chat.html", chat=chat, chats=listed[:200], turns=turns, find=find
    )


async def _held(visit: Visit, chat: str) -> Chat:
    return await look_up(f"chat {chat!r}", history_of(visit).chat, chat)


@router.post("/c/{corpus}/chat")
async def turn(
    visit: Reading,
    q: Annotated[str, Form(max_length=QUESTION, min_length=1)],
    chat: Annotated[str, Form()] = "",
) -> Response:
    """One turn: as events for a script, else answered whole and then shown."""
    if chat:
        await _held(visit, chat)
    talk = Talk(history_of(visit), chat)
    if wants_events(visit.request):
        return streamed(_turn(visit, talk, q))

    async def whole() -> None:
        async for _ in talk.turn(visit.bench, visit.served, visit.person.name, q):
            pass

    await while_there(visit.request, whole())
    return visit.go(f"chat/{talk.chat}#last")


async def _turn(visit: Visit, talk: Talk, asked: str) -> AsyncIterator[str]:
    try:
        async for heard in talk.turn(visit.bench, visit.served, visit.person.name, asked):
            told = _told(visit, heard)
            if told is not None:
                yield event("told", told)
    except Exception as error:  # the reply has begun: what went wrong can only be told in it
        yield event("failed", {"detail": problem_of(error, visit.bench.private).detail})
        return
    template = views.environment().get_template("turn.html")
    html = template.render(turn=talk.last, base=views.base(visit), visit=visit)
    yield event("turn", {"html": html, "chat": talk.chat})


def _called(visit: Visit, name: str, page: int) -> str:
    """What a page is called in the terms of its format."""
    corpus = visit.edition.corpus
    document = next((known for known in corpus.documents if known.id == name), None)
    nodes = corpus.page(document.version, page) if document else []
    return page_name(nodes[0].anchor.path if nodes else "", page)


def _told(visit: Visit, heard: events.Event | Progress) -> dict[str, Any] | None:
    """What is told of an event while the turn runs."""
    match heard:
        case Progress():
            return {"doing": views.seen(str(heard))}
        case events.Understood(question=question, by=by) if by:
            return {"said": f"Understood as: {views.seen(question)}"}
        case events.Begun(stage=stage) if doing := _DOING.get(stage.partition("(")[0]):
            return {"doing": doing}
        case events.Sources(pages):
            read = (
                f"{views.seen(name)}, {_called(visit, name, page)}" for name, page in pages[:3]
            )
            return {"doing": f"reading {'; '.join(read)}"}
        case events.Answered(answer):
            return {"value": views.seen(headline(answer)), "reason": views.seen(answer.reason)}
        case events.Sentence(text=text):
            return {"sentence": views.seen(text)}
        case events.Withheld():
            return {"doing": "a sentence was withheld: the pages do not support it"}
        case events.Notice(text=text):
            return {"doing": views.seen(text)}
    return None


@router.post("/c/{corpus}/chat/{chat}/rename")
async def rename(
    visit: Reading, chat: str, title: Annotated[str, Form(max_length=200)]
) -> Response:
    """Give it another title."""
    await _held(visit, chat)
    await asyncio.to_thread(history_of(visit).rename, chat, title)
    return visit.go(f"chat/{chat}")


@router.post("/c/{corpus}/chat/{chat}/delete")
async def delete(visit: Reading, chat: str) -> Response:
    """Delete it with all its turns."""
    await _held(visit, chat)
    await asyncio.to_thread(history_of(visit).delete, chat)
    return visit.go("chat")


@router.get("/c/{corpus}/chat/{chat}/export")
async def export(visit: Reading, chat: str, form: str = "md") -> Response:
    """All of it as Markdown or JSON."""
    held = await _held(visit, chat)
    turns: list[Turn] = await asyncio.to_thread(history_of(visit).turns, chat)
    if form == "json":
        text = json.dumps(as_json(held, turns), ensure_ascii=False, indent=2)
        return text_file(text, f"chat-{held.id}.json", "application/json")
    return text_file(
        as_markdown(held, turns), f"chat-{held.id}.md", "text/markdown; charset=utf-8"
    )
