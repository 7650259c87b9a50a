"""The server: one request of the chat protocol in, one filled form out, and a log line with both."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from .figures import digits, stems
from .gold import Gold, key
from .pages import Piece, document, pieces
from .reply import BLIND, Reply, fill, nothing
from .seek import answers
from .wrong import Draw, spoiled

FRAMED = re.compile(
    r"^=== (?:[0-9a-f]+ )?piece (\d+) ===\n(.*?)\n=== (?:[0-9a-f]+ )?end of piece \1 ===$",
    re.M | re.S,
)


class Oracle:
    """Golds by their question. `wrong` is the share of replies that an error is put into."""

    def __init__(
        self, golds: Sequence[Gold], seed: int = 1, wrong: float = 0.0, log: Path | None = None
    ) -> None:
        self.golds: dict[str, list[Gold]] = {}
        for one in golds:
            self.golds.setdefault(key(one.question), []).append(one)
        self.seed, self.wrong, self.log = seed, wrong, log
        self._writing = threading.Lock()

    def answer(self, request: Mapping[str, Any]) -> Mapping[str, Any]:
        """The form that a request asks for, filled in."""
        messages = [one for one in request["messages"] if one["role"] in ("user", "assistant")]
        said = _text(messages[0])
        form = form_name(request)
        asked = re.findall(r"^Question: (.*)$", said, re.M)
        question = asked[-1] if asked else ""
        gold = self._known(question, pieces(said))
        if form in ("JudgementsForm", "PickForm"):
            return self._judged(gold, said, form)
        if form == "VerdictForm":
            return {
                "value": "yes" if gold and answers(gold, _as_pieces(gold, [("1", said)])) else "no"
            }
        if form == "RephrasingsForm":
            return {"rephrasings": [question]}
        if form == "PartsForm":
            return {"reasoning": "It asks for one thing.", "parts": []}
        if form == "ChoiceForm":
            named = gold.items[0] if gold and gold.items else "N/A"
            return {"reasoning": "What was found decides.", "value": named}
        if form == "StandaloneForm":
            return {"question": "".join(re.findall(r"^Message: (.*)$", said, re.M)[-1:])}
        if form == "AnalysisForm":
            return {"analysis": question}
        return self._read(gold, question, form, pieces(said), messages)

    def _known(self, question: str, shown: Sequence[Piece]) -> Gold | None:
        """The gold of a question; of several with its words the one whose documents are shown."""
        known = self.golds.get(key(question), [])
        names = {document(one.document) for one in shown}
        return next(
            (one for one in known if names.intersection(one.documents)),
            known[0] if known else None,
        )

    def _read(
        self,
        gold: Gold | None,
        question: str,
        form: str,
        shown: Sequence[Piece],
        messages: Sequence[Any],
    ) -> Mapping[str, Any]:
        tried = sum(one["role"] == "assistant" for one in messages)
        draw = Draw(self.seed, question)
        if gold is None:
            reply = nothing("question unknown")
        elif gold.sort in ("unanswerable", "not in the text"):
            reply = nothing(gold.sort)
        elif draw.share("wrong") < self.wrong:
            reply = spoiled(fill(gold, shown, 0), gold, shown, draw)
        else:
            reply = fill(gold, shown, tried)
        self._note(gold, question, form, shown, tried, messages, reply)
        return reply.form

    def _note(
        self,
        gold: Gold | None,
        question: str,
        form: str,
        shown: Sequence[Piece],
        tried: int,
        messages: Sequence[Any],
        reply: Reply,
    ) -> None:
        line = {
            "id": gold.id if gold else "",
            "question": question,
            "form": form,
            "tried": tried,
            "refused": _text(messages[-1]) if tried else "",
            "pages": [[document(one.document), one.page] for one in shown],
            "value": reply.value,
            "reply": reply.form,
            "amounts": _amounts(reply),
            "silent": reply.silent,
            "found": reply.silent not in BLIND,
            "error": reply.error,
        }
        if self.log is not None:
            with self._writing, self.log.open("a", encoding="utf-8") as file:
                file.write(json.dumps(line, ensure_ascii=False, default=str) + "\n")

    def _judged(self, gold: Gold | None, said: str, form: str) -> Mapping[str, Any]:
        """Of each piece whether it holds the gold; else how many words of the question it has, a little."""
        held = FRAMED.findall(said)
        scores = []
        for number, text in held:
            holds = gold is not None and bool(answers(gold, _as_pieces(gold, [(number, text)])))
            share = (
                len(stems(gold.question) & stems(text)) / max(1, len(stems(gold.question)))
                if gold
                else 0.0
            )
            scores.append((int(number), 1.0 if holds else round(0.3 * share, 1)))
        if form == "PickForm":
            best = max(scores, key=lambda one: one[1], default=(0, 0.0))
            return {"reasoning": "", "piece": best[0] if best[1] == 1.0 else 0}
        return {
            "judgements": [
                {"piece": number, "reasoning": "", "relevance": score} for number, score in scores
            ]
        }


def _amounts(reply: Reply) -> list[str]:
    """The numbers that a reply names, in full; none where it calculates or names what is no number."""
    held = [(place.number, place.cell) for place in reply.places]
    amounts = [
        digits(number.value.scaleb(number.scale or (cell.scale if cell else 0)))
        for number, cell in held
        if number is not None and not number.percent
    ]
    stated = len(amounts) == len(str(reply.value).split("; "))
    return amounts if stated and len(amounts) == len(held) else []


def _as_pieces(gold: Gold, held: Sequence[tuple[str, str]]) -> list[Piece]:
    """Texts to be judged, which say of which document they are only in their words, as pages of the gold's document."""
    name, page = next(iter(gold.pages or gold.held), (next(iter(gold.documents), ""), 0))
    return [
        Piece(int(number), name, page, tuple((0, line) for line in text.split("\n")))
        for number, text in held
    ]


def _text(message: Mapping[str, Any]) -> str:
    content = message["content"]
    return (
        content
        if isinstance(content, str)
        else "".join(str(one.get("text", "")) for one in content)
    )


def form_name(request: Mapping[str, Any]) -> str:
    """The name of the form that a request asks for, taken from its schema."""
    schema = (request.get("response_format") or {}).get("json_schema") or {}
    return str((schema.get("schema") or {}).get("title") or schema.get("name") or "")


def serve(oracle: Oracle, port: int = 0) -> ThreadingHTTPServer:
    """An HTTP server on loopback that answers POST /v1/chat/completions; it is not started."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            request = json.loads(body)
            text = json.dumps(oracle.answer(request), ensure_ascii=False)
            self._send(
                {
                    "id": "chatcmpl-oracle",
                    "object": "chat.completion",
                    "created": 0,
                    "model": request.get("model", "oracle"),
                    "choices": [
                        {
                            "index": 0,
                            "finish_reason": "stop",
                            "message": {"role": "assistant", "content": text},
                        }
                    ],
                    "usage": _usage(body, text),
                }
            )

        def _send(self, made: Mapping[str, Any]) -> None:
            payload = json.dumps(made).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(payload)))
            self.end_headers()
            self.wfile.write(payload)

        def log_message(self, format: str, *args: object) -> None:
            """Requests are kept in the oracle's own log."""

    return ThreadingHTTPServer(("127.0.0.1", port), Handler)


def _usage(body: bytes, text: str) -> dict[str, int]:
    took, made = len(body) // 4 + 1, len(text.encode()) // 4 + 1
    return {"prompt_tokens": took, "completion_tokens": made, "total_tokens": took + made}
