"""A scripted model server: the OpenAI chat protocol over real HTTP on loopback, and a bill of what was asked and sent.

    with ScriptedServer(faulty(minimal)) as server:
        ...  # a client of server.url, the base URL that ends in /v1
    assert not server.bill.paid_twice

It answers POST /chat/completions (as a stream too) by its script, /embeddings and /rerank (the protocol of Jina and
Cohere) by another (`plain` unless one is given), and GET /models. `python -m tests.stand_ins.scripted_server` is the same as a
process of its own.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import importlib
import json
import math
import re
import sys
import threading
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from http.client import responses
from typing import Any, Self

from pincite.types import Usage
from tests.stand_ins.bill import Bill, Billed
from tests.stand_ins.scripts import Asked, Reply, Script, count, delayed, failure, minimal

HALF = ("cut", "stall")
"""The manners in which only half of a body is sent."""
PIECES = 8  # a body that is paced or cut is written in about so many parts


@dataclass(frozen=True, slots=True)
class HeardRequest:
    """The path of a request with its query, and its headers by their names in lower case."""

    target: str
    headers: Mapping[str, str]


class ScriptedServer:
    """A server on loopback, from `start` (or entering the context) to `close`, on a thread of its own.

    `models` are those it lists; with `only_listed` it refuses any other, and with a `key` every request without it.
    `other` is the script of /embeddings and /rerank. `asked` are the chat requests that came, oldest first, `requests` the
    paths and headers of all, and `bill` what they cost. A script runs on the server's thread, one call at a time; when it
    raises, the request gets status 400 and the exception's text.
    """

    def __init__(
        self,
        script: Script = minimal,
        *,
        models: Sequence[str] = ("scripted",),
        only_listed: bool = False,
        key: str = "",
        bill: Bill | None = None,
        port: int = 0,
        other: Script | None = None,
    ) -> None:
        self.script = script
        self.other = other or plain
        self.models = tuple(models)
        self.only_listed = only_listed
        self.key = key
        self.bill = bill or Bill()
        self.port = port
        self.asked: list[Asked] = []
        self.requests: list[HeardRequest] = []
        self._seen: Counter[str] = Counter()
        self._working = 0
        self._loop = asyncio.new_event_loop()
        self._connections: set[asyncio.Task[None]] = set()
        self._thread = threading.Thread(
            target=self._loop.run_forever, name="pincite-scripted-server", daemon=True
        )

    @property
    def url(self) -> str:
        """The base URL for a client."""
        return f"http://127.0.0.1:{self.port}/v1"

    def start(self) -> Self:
        """Listen, on a free port unless one was given; OSError when it is taken."""

        async def listen() -> asyncio.Server:
            return await asyncio.start_server(
                self._connected, "127.0.0.1", self.port, backlog=1024, limit=1 << 20
            )

        self._thread.start()
        self._listening = asyncio.run_coroutine_threadsafe(listen(), self._loop).result()
        self.port = self._listening.sockets[0].getsockname()[1]
        return self

    def close(self) -> None:
        """Stop listening and close every connection, at once."""

        async def stop() -> None:
            self._listening.close()
            for task in self._connections:
                task.cancel()
            await asyncio.gather(*self._connections, return_exceptions=True)

        asyncio.run_coroutine_threadsafe(stop(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.close()

    # connections ----------------------------------------------------------------------------------------------------

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._connections.add(task)
        try:
            with suppress(
                OSError,
                asyncio.IncompleteReadError,
                asyncio.LimitOverrunError,
                asyncio.CancelledError,
            ):
                while await self._serve(reader, writer):
                    pass
                writer.close()
                await writer.wait_closed()
        finally:
            writer.transport.abort()
            self._connections.discard(task)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Answer one request; whether the connection may take another."""
        first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = {
            name.lower(): value.strip()
            for name, _, value in (line.partition(":") for line in lines)
        }
        size = headers.get("content-length", "0")
        if first.count(" ") != 2 or not size.isdecimal():
            return False
        method, target, _ = first.split(" ")
        raw = await reader.readexactly(int(size))
        self.requests.append(HeardRequest(target, headers))
        self._working += 1
        try:
            at, together, path = time.time(), self._working, target.partition("?")[0]
            asked, reply = self._decide(method, path, headers, raw)
            usage = _usage(asked, reply)
            last = await _send(reader, writer, asked, reply, usage)
            if method == "POST":
                paid, came = (usage, last is not None) if reply.status == 200 else (Usage(), False)
                row = Billed(
                    asked.key,
                    path,
                    asked.model,
                    reply.status,
                    paid.input,
                    paid.output,
                    came,
                    at,
                    together,
                )
                self.bill.add(
                    row
                )  # before the client has the reply, so that it finds it on the bill
            if last is None:
                return False
            writer.write(last)
            await writer.drain()
            return headers.get("connection", "").lower() != "close"
        finally:
            self._working -= 1

    def _decide(
        self, method: str, path: str, headers: Mapping[str, str], raw: bytes
    ) -> tuple[Asked, Reply]:
        kind = path.rpartition("/")[2]
        if self.key and headers.get("authorization") != f"Bearer {self.key}":
            return Asked({}, kind), failure(401, "Incorrect API key provided", "invalid_api_key")
        if method == "GET" and kind == "models":
            listed = [
                {"id": name, "object": "model", "created": 0, "owned_by": "scripted"}
                for name in self.models
            ]
            return Asked({}, kind), Reply({"object": "list", "data": listed})
        try:
            body = json.loads(raw)
            assert isinstance(body, dict)
        except (ValueError, AssertionError):
            return Asked({}, kind), failure(400, "The body of the request is not a JSON object")
        asked = Asked(body, kind)
        if method != "POST" or kind not in ("completions", "embeddings", "rerank"):
            return asked, failure(404, f"There is no {method} {path} here")
        if self.only_listed and asked.model not in self.models:
            return asked, failure(
                404, f"The model '{asked.model}' does not exist", "model_not_found"
            )
        chat = kind == "completions"
        asked = Asked(body, kind, self._seen[asked.key], len(self.asked))
        self._seen[asked.key] += 1
        if chat:
            self.asked.append(asked)
        try:
            return asked, _bounded(asked, self.script(asked)) if chat else self.other(asked)
        except Exception as error:  # noqa: BLE001 - the script is the user's own code
            return asked, failure(400, f"The script raised {error!r}", "script_raised")


# replies ------------------------------------------------------------------------------------------------------------


def _bounded(asked: Asked, reply: Reply) -> Reply:
    """The reply cut to the tokens that it may have."""
    limit = asked.max_tokens
    if reply.status != 200 or limit is None or count(reply.text) <= limit:
        return reply
    content = reply.text.encode(errors="surrogatepass")[: 4 * limit].decode(errors="ignore")
    return replace(reply, content=content, finish="length")


def _usage(asked: Asked, reply: Reply) -> Usage:
    if reply.usage is not None or asked.kind != "completions":
        return reply.usage or Usage()
    said = [
        reply.text,
        reply.refusal,
        reply.thoughts,
        *(name + arguments for name, arguments in reply.tool_calls),
    ]
    return Usage(asked.tokens, sum(count(text) for text in said))


async def _send(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    asked: Asked,
    reply: Reply,
    usage: Usage,
) -> bytes | None:
    """Write all but the last piece of the reply and return that; None when it is not to be sent or the client has left."""
    streamed = asked.stream and asked.kind == "completions" and reply.status == 200
    early = reply.alive > 0 and streamed
    if early and await _kept_open(reader, writer, reply):
        return None
    if not early and reply.delay and await _gone(reader, reply.delay) or reply.manner == "drop":
        return None
    if streamed:
        pieces = [_chunk(f"data: {event}\n\n".encode()) for event in _events(asked, reply, usage)]
        pieces[-1] += _chunk(
            b""
        )  # a client may stop reading at [DONE]: whatever it has seen must be on the bill
    else:
        body = _body(asked, reply, usage)
        size = -(-len(body) // PIECES) if reply.pace or reply.manner in HALF else len(body)
        pieces = [body[at : at + size] for at in range(0, len(body), max(1, size))]
    head = [
        f"HTTP/1.1 {reply.status} {responses.get(reply.status, '')}",
        "Content-Type: "
        + (
            "text/event-stream"
            if streamed
            else "text/html"
            if body[:1] == b"<"
            else "application/json"
        ),
        "Transfer-Encoding: chunked" if streamed else f"Content-Length: {len(body)}",
        *(f"{name}: {value}" for name, value in reply.headers),
    ]
    if not early:
        pieces[:1] = ["\r\n".join([*head, "", ""]).encode() + b"".join(pieces[:1])]
    if reply.manner in HALF:
        pieces = pieces[: max(1, len(pieces) // 2)]
    for piece in pieces[:-1] if reply.manner == "whole" else pieces:
        writer.write(piece)
        await writer.drain()
        if reply.pace and await _gone(reader, reply.pace / len(pieces)):
            return None
    if reply.manner == "stall":
        await _gone(reader, math.inf)
    return None if reply.manner in HALF or _left(reader, writer) else pieces[-1]


async def _kept_open(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, reply: Reply
) -> bool:
    """Send the head of a stream and then a comment every `alive` seconds until the delay is over; whether the client left."""
    head = (
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
    )
    writer.write(head.encode())
    for _ in range(round(reply.delay / reply.alive)):
        writer.write(_chunk(b": still here\n\n"))
        await writer.drain()
        if await _gone(reader, reply.alive):
            return True
    return False


def _left(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
    return reader.at_eof() or reader.exception() is not None or writer.transport.is_closing()


async def _gone(reader: asyncio.StreamReader, seconds: float) -> bool:
    """Wait; whether the client left meanwhile. No client sends its next request before it has the reply."""
    try:
        return not await asyncio.wait_for(reader.read(1), None if math.isinf(seconds) else seconds)
    except TimeoutError:
        return False
    except OSError:
        return True


def _chunk(data: bytes) -> bytes:
    return f"{len(data):x}\r\n".encode() + data + b"\r\n"


def _body(asked: Asked, reply: Reply, usage: Usage) -> bytes:
    if reply.status != 200 or asked.kind != "completions":
        return reply.text.encode(errors="surrogatepass")
    if reply.recorded is not None:
        return json.dumps(reply.recorded).encode()
    message: dict[str, Any] = {
        "role": "assistant",
        "content": reply.text or None,
        "refusal": reply.refusal or None,
    }
    if reply.content == "" and not reply.refusal and not reply.tool_calls:
        message["content"] = ""
    if reply.thoughts:
        message["reasoning_content"] = reply.thoughts
    if reply.tool_calls:
        message["tool_calls"] = _calls(reply)
    choice = {"index": 0, "message": message, "finish_reason": _finish(reply), "logprobs": None}
    if reply.tokens and asked.body.get("logprobs"):
        choice["logprobs"] = {"content": _choices(reply, asked.body.get("top_logprobs") or 0)}
    whole = {**_envelope(asked, "chat.completion"), "choices": [choice], "usage": _tokens(usage)}
    return json.dumps(whole).encode()


def _choices(reply: Reply, rivals: int) -> list[dict[str, Any]]:
    """The tokens of a reply as the protocol has them, each with its likeliest candidates."""
    made: list[dict[str, Any]] = []
    for token, candidates in reply.tokens:
        likeliest = sorted(candidates.items(), key=lambda item: -item[1])
        top = [{"token": name, "logprob": logprob, "bytes": None} for name, logprob in likeliest]
        chosen = {"token": token, "logprob": candidates[token], "bytes": None}
        made.append({**chosen, "top_logprobs": top[:rivals]})
    return made


def _events(asked: Asked, reply: Reply, usage: Usage) -> list[str]:
    """The data of the server-sent events of a streamed reply: a word or so in each; one that was recorded comes in one."""
    if reply.recorded is not None:
        return [*map(json.dumps, _recorded_events(reply.recorded)), "[DONE]"]
    words = re.findall(r"\s*\S+\s*$|\s*\S+|\s+", reply.text)
    deltas: list[dict[str, Any]] = [
        {"role": "assistant", "content": ""},
        *({"content": word} for word in words),
    ]
    if reply.thoughts:
        deltas.insert(1, {"reasoning_content": reply.thoughts})
    if reply.refusal:
        deltas.append({"refusal": reply.refusal})
    if reply.tool_calls:
        deltas.append(
            {"tool_calls": [{"index": at, **call} for at, call in enumerate(_calls(reply))]}
        )
    envelope = _envelope(asked, "chat.completion.chunk")
    events: list[dict[str, Any]] = [
        {**envelope, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
        for delta in deltas
    ]
    last: dict[str, Any] = {"index": 0, "delta": {}, "finish_reason": _finish(reply)}
    if reply.tokens and asked.body.get("logprobs"):
        last["logprobs"] = {"content": _choices(reply, asked.body.get("top_logprobs") or 0)}
    events.append({**envelope, "choices": [last]})
    if (asked.body.get("stream_options") or {}).get("include_usage"):
        events.append({**envelope, "choices": [], "usage": _tokens(usage)})
    return [*map(json.dumps, events), "[DONE]"]


def _recorded_events(recorded: Mapping[str, Any]) -> list[dict[str, Any]]:
    """A reply that was recorded whole as the chunks of a stream: its message in one, then why it ended, then its usage."""
    envelope = {
        name: value for name, value in recorded.items() if name not in ("choices", "usage")
    } | {"object": "chat.completion.chunk"}
    choice = recorded["choices"][0]
    said = {"index": 0, "delta": choice["message"], "finish_reason": None}
    ended = {"index": 0, "delta": {}, "finish_reason": choice["finish_reason"]}
    events: list[dict[str, Any]] = [{**envelope, "choices": [each]} for each in (said, ended)]
    if recorded.get("usage"):
        events.append({**envelope, "choices": [], "usage": recorded["usage"]})
    return events


def _envelope(asked: Asked, kind: str) -> dict[str, Any]:
    return {
        "id": f"chatcmpl-{asked.key[:12]}-{asked.number}",
        "object": kind,
        "created": int(time.time()),
        "model": asked.model,
    }


def _finish(reply: Reply) -> str:
    return "tool_calls" if reply.tool_calls else reply.finish


def _calls(reply: Reply) -> list[dict[str, Any]]:
    return [
        {
            "id": f"call_{at}",
            "type": "function",
            "function": {"name": name, "arguments": arguments},
        }
        for at, (name, arguments) in enumerate(reply.tool_calls)
    ]


def _tokens(usage: Usage) -> dict[str, Any]:
    return {
        "prompt_tokens": usage.input,
        "completion_tokens": usage.output,
        "total_tokens": usage.input + usage.output,
        "prompt_tokens_details": {"cached_tokens": usage.cached},
    }


# vectors and scores -------------------------------------------------------------------------------------------------


def plain(asked: Asked) -> Reply:
    """The right reply to a request for embeddings or for reranking."""
    return (_embeddings if asked.kind == "embeddings" else _rerank)(asked.body)


def _embeddings(body: Mapping[str, Any]) -> Reply:
    """Unit hash vectors of `dimensions` (64 when none are named), as lists of numbers or as base64 of float32."""
    from tests.stand_ins.fakes import HashEncoder

    given = body.get("input")
    texts = [given] if isinstance(given, str) else given
    if (
        not isinstance(texts, list)
        or not texts
        or not all(isinstance(text, str) and text for text in texts)
    ):
        return failure(
            400, "'input' must be a text or a list of texts, none of them empty", param="input"
        )
    rows = HashEncoder(int(body.get("dimensions") or 64)).encode(texts)
    packed = body.get("encoding_format") == "base64"
    data = [
        {
            "object": "embedding",
            "index": at,
            "embedding": base64.b64encode(row.astype("<f4").tobytes()).decode()
            if packed
            else row.tolist(),
        }
        for at, row in enumerate(rows)
    ]
    used = sum(count(text) for text in texts)
    tokens = {"prompt_tokens": used, "total_tokens": used}
    return Reply(
        {"object": "list", "data": data, "model": body.get("model"), "usage": tokens},
        usage=Usage(input=used),
    )


def _rerank(body: Mapping[str, Any]) -> Reply:
    """The documents by the share of the query's words that each holds, best first, at most `top_n`."""
    from pincite.models.standin import OverlapScorer

    query, given = body.get("query"), body.get("documents")
    if not isinstance(query, str) or not isinstance(given, list) or not given:
        return failure(
            400,
            "'query' must be a text and 'documents' a list that is not empty",
            param="documents",
        )
    texts = [
        document if isinstance(document, str) else str(document.get("text", ""))
        for document in given
    ]
    scores = OverlapScorer().score(query, texts)
    best = sorted(range(len(texts)), key=lambda at: -scores[at])[: body.get("top_n") or len(texts)]
    with_text = bool(body.get("return_documents"))
    results = [
        {
            "index": at,
            "relevance_score": scores[at],
            **({"document": {"text": texts[at]}} if with_text else {}),
        }
        for at in best
    ]
    used = sum(count(text) for text in (query, *texts))
    return Reply(
        {
            "id": "rerank",
            "model": body.get("model"),
            "results": results,
            "usage": {"total_tokens": used},
        },
        usage=Usage(input=used),
    )


# a process of its own -----------------------------------------------------------------------------------------------


def main(arguments: Sequence[str] | None = None) -> None:
    """Serve until interrupted; the base URL is the first line on standard output."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.stand_ins.scripted_server",
        description=(__doc__ or "").splitlines()[0],
    )
    parser.add_argument(
        "script",
        nargs="?",
        default="tests.stand_ins.scripts:minimal",
        help="MODULE:NAME of a script",
    )
    parser.add_argument(
        "--port", type=int, default=0, help="the port to listen on, a free one by default"
    )
    parser.add_argument("--delay", type=float, default=0.0, help="seconds before each reply")
    parser.add_argument("--bill", help="a file that the bill is kept in")
    given = parser.parse_args(arguments)
    module, _, name = given.script.partition(":")
    script = getattr(importlib.import_module(module), name)
    with ScriptedServer(
        delayed(script, given.delay), port=given.port, bill=Bill(given.bill)
    ) as server:
        sys.stdout.write(server.url + "\n")
        sys.stdout.flush()
        with suppress(KeyboardInterrupt):
            threading.Event().wait()


if __name__ == "__main__":
    main()
