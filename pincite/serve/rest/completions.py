"""A corpus as a model of the OpenAI interface: any of its clients talks to it, and gets checked answers with citations.

The messages before the last are the conversation a follow-up is understood in. Instructions (system, developer), tools and
sampling parameters change nothing: an answer is what the corpus says.
"""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator, Sequence
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Request
from pydantic import BaseModel, Field
from starlette.responses import JSONResponse, Response

from pincite.chat.events import Answered, Event, Sentence
from pincite.chat.history import tokens
from pincite.evidence.headline import place, with_reason
from pincite.ports import Progress
from pincite.serve.bench import Bench, bench_of, person_of
from pincite.serve.corpora import Served
from pincite.serve.door.caller_limits import BODY, QUESTION
from pincite.serve.door.problems import Problem, missing, problem_of
from pincite.serve.event_stream import streamed, while_there
from pincite.serve.processes import turns as talking
from pincite.serve.templating import segment
from pincite.types import Answer

MODEL = "pincite"  # the model that is the only corpus; `pincite/NAME` is the corpus of a name
router = APIRouter(prefix="/v1", include_in_schema=False)
Said = Annotated[str, Field(max_length=BODY)]
"""With a limit, since only then halves of characters are refused in a union."""


class ContentPart(BaseModel):
    """A piece of a message."""

    type: str
    text: Said = ""


class ChatMessage(BaseModel):
    """One message; `content` is text or pieces of text."""

    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    content: Said | list[ContentPart] | None = None

    @property
    def text(self) -> str:
        """Its text. Problem 400 when it holds anything but text."""
        if not isinstance(self.content, list):
            return self.content or ""
        for part in self.content:
            if part.type not in ("text", "refusal"):
                why = "only text can be asked; index files with `pincite index`"
                raise Problem(400, f"a message holds {part.type}: {why}")
        return "\n".join(part.text for part in self.content)


class StreamOptions(BaseModel):
    """What a stream is to hold besides."""

    include_usage: bool = False


class ChatRequest(BaseModel):
    """What is asked; fields that are not named change nothing."""

    messages: Annotated[list[ChatMessage], Field(min_length=1, max_length=500)]
    model: str = MODEL
    n: int | None = 1
    stream: bool | None = False
    stream_options: StreamOptions | None = None


def _open(request: Request) -> dict[str, Served]:
    """The corpora this person may ask, by the names of their models."""
    open_to = bench_of(request).open_to(person_of(request))
    found = {f"{MODEL}/{name}": corpus for name, corpus in open_to.items()}
    return {MODEL: next(iter(found.values())), **found} if len(found) == 1 else found


Models = Annotated[dict[str, Served], Depends(_open)]


@router.get("/models")
async def models(served: Models) -> dict[str, Any]:
    """The corpora that this person may ask."""
    return {"object": "list", "data": [_model(known) for known in served]}


@router.get("/models/{name:path}")
async def model(served: Models, name: str) -> dict[str, Any]:
    """One of them."""
    if name not in served:
        raise missing(f"model {name!r}")
    return _model(name)


@router.post("/chat/completions")
async def complete(request: Request, models: Models, given: ChatRequest) -> Response:
    """One turn of a conversation: a checked answer, or why there is none."""
    served = models.get(given.model)
    if served is None:
        others = ", ".join(models) or "none, with this token"
        raise missing(f"model {given.model!r}: ask one of {others}")
    if given.n not in (None, 1):
        raise Problem(400, "n must be 1: there is one answer")
    last = given.messages[-1]
    if last.role != "user" or not last.text.strip():
        raise Problem(400, "the last message must be the user's question")
    asked = last.text
    if len(asked) > QUESTION:
        raise Problem(
            400, f"the question has {len(asked)} characters: at most {QUESTION} are read"
        )
    message = talking.TurnMessage(asked, elsewhere=_turns_before(given.messages[:-1]))
    told = talking.events(bench_of(request), served, request.state.person, message)
    said = _Reply(given, f"{str(request.base_url).rstrip('/')}/c/{served.name}/answers/")
    if given.stream:
        return streamed(_stream(bench_of(request), told, said))

    async def heard() -> None:
        async for event in told:
            said.hear(event)

    await while_there(request, heard())
    return JSONResponse(said.whole())


def _model(name: str) -> dict[str, Any]:
    return {"id": name, "object": "model", "created": 0, "owned_by": MODEL}


def _turns_before(messages: Sequence[ChatMessage]) -> tuple[tuple[str, str], ...]:
    """What was asked and said before."""
    turns: list[tuple[str, str]] = []
    asked = ""
    for message in messages:
        if message.role == "user":
            if asked:
                turns.append((asked, ""))
            asked = message.text
        elif message.role == "assistant" and asked:
            turns.append((asked, message.text))
            asked = ""
    return (*turns, (asked, "")) if asked else tuple(turns)


class _Reply:
    """The response for an answer, whole or streamed; `answers` is where the addresses of answers begin."""

    def __init__(self, given: ChatRequest, answers: str) -> None:
        self.given, self.answers = given, answers
        self.prompt = sum(tokens(message.text) for message in given.messages)
        self.created = int(time.time())
        self.identity = self.text = ""
        self.answer: Answer | None = None

    def hear(self, event: Any) -> str:
        """The text that an event adds."""
        added = ""
        if isinstance(event, Answered):
            self.identity, self.answer = event.answer_id, event.answer
            added = with_reason(event.answer)
            said = event.answer.corrected
            if said is not None and (said.unused or event.answer.value is not None):
                added += f" ({said.said})"
        elif isinstance(event, Sentence):
            added = f"\n\n{event.text}"
        self.text += added
        return added

    def _sources(self) -> tuple[str, list[dict[str, Any]]]:
        """The list of sources that ends the text, and the annotations of its entries."""
        if self.answer is None or not self.answer.citations:
            return "", []
        added, made = "\n", []
        for number, citation in enumerate(self.answer.citations, 1):
            title = place(citation)
            entry = f"[{number}] {title}"
            at = len(self.text) + len(added) + 1
            url = f"{self.answers}{segment(self.identity)}?cite={segment(citation.label)}#proof"
            cited = {"start_index": at, "end_index": at + len(entry), "url": url, "title": title}
            made.append({"type": "url_citation", "url_citation": cited})
            added += f"\n{entry}"
        self.text += added
        return added, made

    def _usage(self) -> dict[str, int]:
        """About how many tokens went in and out; nobody is billed for them."""
        made, prompt = tokens(self.text), self.prompt
        return {"prompt_tokens": prompt, "completion_tokens": made, "total_tokens": prompt + made}

    def _head(self, kind: str) -> dict[str, Any]:
        identity = f"chatcmpl-{self.identity or self.created}"
        return {"id": identity, "object": kind, "created": self.created, "model": self.given.model}

    def whole(self) -> dict[str, Any]:
        """The reply at once."""
        _, annotations = self._sources()
        message = {
            "role": "assistant", "content": self.text, "refusal": None, "annotations": annotations,
        }  # fmt: skip
        choice = {"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}
        return {**self._head("chat.completion"), "choices": [choice], "usage": self._usage()}

    def chunk(self, delta: dict[str, Any], finish: str | None = None) -> str:
        """One piece of the reply."""
        choice = {"index": 0, "delta": delta, "finish_reason": finish, "logprobs": None}
        return _line({**self._head("chat.completion.chunk"), "choices": [choice]})

    def last(self) -> str:
        """The pieces that end a reply."""
        added, annotations = self._sources()
        made = self.chunk({"content": added, "annotations": annotations}) if added else ""
        made += self.chunk({}, "stop")
        if self.given.stream_options and self.given.stream_options.include_usage:
            head = self._head("chat.completion.chunk")
            made += _line({**head, "choices": [], "usage": self._usage()})
        return made + "data: [DONE]\n\n"


async def _stream(
    bench: Bench, told: AsyncIterator[Event | Progress], said: _Reply
) -> AsyncIterator[str]:
    first: dict[str, Any] = {"role": "assistant"}
    try:
        async for event in told:
            if added := said.hear(event):
                yield said.chunk({**first, "content": added})
                first = {}
    except Exception as error:  # the reply has begun: what went wrong can only be told in it
        yield _line(failure(problem_of(error, bench.private)))
        return
    yield said.last()


def failure(problem: Problem) -> dict[str, Any]:
    """A problem as clients of this interface expect it."""
    code = problem.status_code
    kind = "server_error" if code >= 500 else "invalid_request_error"
    said = {"message": problem.detail, "type": kind, "param": None, "code": code}
    return {"error": said}


def _line(told: dict[str, Any]) -> str:
    return f"data: {json.dumps(told, ensure_ascii=False)}\n\n"
