"""How many tokens the prompts of every recipe have for a model whose window is narrow, counted by the tokenizer of the model on
board.

An endpoint stands before the engine: the engine says its window and counts tokens, as for any caller, and what it would be
asked to answer is counted, too, but answered here with the least that each form allows. So every recipe asks all that it has to
ask, in seconds. With the model, two of the questions are answered by it in a window of that size, and what is counted is how
many of its replies were cut off or did not come.
"""

from __future__ import annotations

import json
import random
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, cast
from unittest.mock import patch

from benchmarks.measuring import measured_system as system
from benchmarks.measuring.measurement import ReportedFigure, Work, lines
from benchmarks.measuring.own_questions import QUESTIONS, documents
from pincite.errors import ModelError
from pincite.indexing import ensure
from pincite.lab.scoring.evaluation import figure
from pincite.library import Library
from pincite.models.endpoints.chat import ENGINE, ChatModel
from pincite.models.kit import kit_of
from pincite.models.local.engine import Engine, engine_of
from pincite.models.local.weights import LOCAL, weights_here
from pincite.ports import Kit, Prompt
from pincite.recipes import RECIPES, recipe
from pincite.recipes.base import Recipe
from pincite.records.runfile import read_lines
from pincite.settings import ModelSettings, Settings
from tests.stand_ins.scripts import Asked, minimal

WINDOW = 4096
FILES, LEAST = 4, 3
"""The shortest files that are read, of those that so many questions are about: each recipe indexes them in its own way."""
SAMPLE, ANSWERED = 10, 2
"""Questions that each recipe is asked, drawn by a seed: each gives from one prompt to twenty; and those the model answers."""
FEW: dict[str, dict[str, Any]] = {
    "kohaku": {"k": 3, "rephrasings": 2, "runs": 2, "widths": "1"},
    "judgerank": {"depth": 1, "read_pages": 2},
    "enterprise": {"chunks": 3, "pages_a_call": 1, "k": 2},
}
"""Parameters by which a recipe asks the model less often than it would, for the same prompts."""
NAME = "qwen2.5-coder-1.5b"


@dataclass(frozen=True, slots=True)
class Sent:
    """The tokens of a prompt as the model's template has it, and the most that its reply may have."""

    tokens: int
    reply: int


def measure_prompts(work: Work) -> list[ReportedFigure]:
    """Prompts that do not fit with their reply, by recipe; and the largest."""
    written = read_lines(QUESTIONS / "reports_seen.jsonl")
    cited = Counter(place["file"] for row in written for place in row["evidence"] or ())
    asked_of = [path for path in documents(work, "seen") if cited[path.name] >= LEAST]
    files = sorted(asked_of, key=lambda path: path.stat().st_size)[:FILES]
    names = {path.name for path in files}
    system.index(tuple(files), work.corpus)
    rows = [row for row in written if row["evidence"] and row["evidence"][0]["file"] in names]
    some = random.Random(7).sample(rows, min(work.limit or SAMPLE, len(rows)))
    asked = [str(row["question"]) for row in some]
    if work.model:
        return _answered(work, asked[: work.limit or ANSWERED])
    found, every = [], list[Sent]()
    for by in RECIPES:
        with counting() as (url, sent):
            library = _opened(work, url, by)
            for question in asked:
                library.ask(question)
        every += sent
        found += lines(f"prompts, {by}", _figures(sent))
    return lines("prompts, every recipe", _figures(every)) + found


def _answered(work: Work, asked: list[str]) -> list[ReportedFigure]:
    """What became of the prompts that the model on board was given by each recipe, none of whose replies is kept."""
    name = f"{LOCAL}{NAME}"
    models = ModelSettings(large=name, small=name, judge=name, context=WINDOW)
    found, every = [], list[str]()
    for by in RECIPES:
        with ends() as each:
            few = {"told": "plain"} if by == "enrich" else FEW.get(by, {})
            library = _library(work, models, kit_of(models), recipe(by, **few))
            for question in asked:
                library.ask(question)
        every += each
        found += lines(f"prompts, {by}", _became(each))
    return lines("prompts, every recipe", _became(every)) + found


@contextmanager
def ends() -> Iterator[list[str]]:
    """How each prompt ended that a chat model was given meanwhile: "whole", or as the name of its error and what it said."""
    said = list[str]()
    complete = ChatModel.complete

    async def noted(model: ChatModel, prompt: Prompt, form: Any) -> Any:
        try:
            completion = await complete(model, prompt, form)
        except ModelError as error:
            said.append(f"{type(error).__name__}: {error}")
            print(said[-1], file=sys.stderr)
            raise
        said.append("whole")
        return completion

    with patch.object(ChatModel, "complete", noted):
        yield said


def _became(ended: list[str]) -> list[Any]:
    return [
        figure("reply cut off", [float("cut off" in each) for each in ended]),
        figure("no reply", [float(each.startswith("ModelUnreachable")) for each in ended]),
        figure("whole", [float(each == "whole") for each in ended]),
    ]


def _figures(sent: list[Sent]) -> list[Any]:
    return [
        figure("too long", [float(each.tokens + each.reply > WINDOW) for each in sent]),
        figure("tokens with the reply", [float(each.tokens + each.reply) for each in sent]),
    ]


def _opened(work: Work, url: str, by: str) -> Library:
    """The corpus, which answers by a recipe with this endpoint in every role; replies are kept nowhere."""
    models = ModelSettings(base_url=url, large=NAME, small=NAME, judge=NAME, concurrency=1)
    chosen = recipe(by, **({"told": "plain"} if by == "enrich" else {}))
    return _library(work, models, _as_on_board(kit_of(models)), chosen)


def _library(work: Work, models: ModelSettings, kit: Kit, chosen: Recipe) -> Library:
    settings = Settings(models=models)
    library = Library(work.corpus, settings, kit, chosen, stand_ins=True)
    ensure(work.corpus, chosen.shelves(library.kit))
    return Library(work.corpus, settings, kit, chosen, stand_ins=True)


def _as_on_board(kit: Kit) -> Kit:
    """The models, spoken to as the one on board is: its engine counts the tokens and keeps replies to their form."""
    roles = {role: replace(getattr(kit, role), dialect=ENGINE) for role in ("large", "small", "judge")}  # fmt: skip
    return replace(kit, **roles)


@contextmanager
def counting() -> Iterator[tuple[str, list[Sent]]]:
    """The address of the endpoint while it serves, and what it was sent."""
    engine = engine_of(weights_here(NAME), WINDOW)
    sent: list[Sent] = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            listed = {"object": "list", "data": [{"id": NAME, "object": "model"}]}
            self._say(engine.call("/props") if self.path.endswith("/props") else listed)

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            if not self.path.endswith("/chat/completions"):
                self._say(engine.call(self.path, body))
                return
            asked = Asked(body)
            sent.append(Sent(_tokens(engine, asked), asked.max_tokens or 0))
            self._say(_reply(minimal(asked).text, sent[-1]), stream=asked.stream)

        def _say(self, what: object, stream: bool = False) -> None:
            text = json.dumps(what)
            data = (f"data: {text}\n\ndata: [DONE]\n\n" if stream else text).encode()
            self.send_response(200)
            kind = "text/event-stream" if stream else "application/json"
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            """Nothing is logged."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1", sent
    finally:
        server.shutdown()
        server.server_close()


def _tokens(engine: Engine, asked: Asked) -> int:
    """The tokens of a chat as the engine's template has it."""
    plain = [{"role": each["role"], "content": str(each["content"])} for each in asked.messages]
    said = cast(dict[str, str], engine.call("/apply-template", {"messages": plain}))
    given = {"content": said["prompt"], "parse_special": True}
    return len(cast(dict[str, list[int]], engine.call("/tokenize", given))["tokens"])


def _reply(text: str, sent: Sent) -> dict[str, Any]:
    """A reply of one chunk that is the last: good as a whole and as a stream."""
    said = {"role": "assistant", "content": text}
    choice = {"index": 0, "message": said, "delta": said, "finish_reason": "stop"}
    usage = {"prompt_tokens": sent.tokens, "completion_tokens": 1, "total_tokens": sent.tokens + 1}
    return {
        "id": "1",
        "object": "chat.completion.chunk",
        "created": 0,
        "model": NAME,
        "choices": [choice],
        "usage": usage,
    }
