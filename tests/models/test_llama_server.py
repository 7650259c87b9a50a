"""The chat model against llama.cpp's server, with a model of random weights whose replies only the grammar keeps in form."""

import json
import select
import subprocess
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from pincite.errors import ReplyInvalid
from pincite.generate.line_prompts import LineForm
from pincite.models.endpoints import endpoint as endpoint_file
from pincite.models.endpoints.chat import REASKS, ChatModel
from pincite.models.endpoints.dialect import Dialect
from pincite.models.endpoints.endpoint import Caller, endpoint
from pincite.models.endpoints.endpoint_limits import Patience
from pincite.models.endpoints.exchange import ReplySettings, read_reply, request_of, schema_of
from pincite.models.endpoints.replies import Replies
from pincite.models.forms import Form
from pincite.models.loop import wait
from pincite.ports import Prompt
from pincite.rows.drafting.statement_form import StatementForm
from pincite.storage.ledger import Ledger, Price
from tests.models.tiny_gguf import byte_token, tiny_gguf

pytestmark = pytest.mark.servers

for package in ("gguf", "xllamacpp"):
    pytest.importorskip(package, reason="needs llama.cpp's server: pip install 'pincite[dev]'")

START = 60
"""Seconds that the server may take to start."""
PATIENCE = Patience(timeout=60, tries=2, first=0.1, whole=120)
ASK = Prompt(
    "Fill in the form.", "How many are there?", ("There are seven.", "There were six before.")
)
LONGEST = 150
"""Tokens of a reply, each a byte: most forms are finished within them, the largest are cut."""
QUOTE = [byte_token(ord('"')), 4]
"""Without a liking for the quotation mark, a string of random bytes has hundreds of them."""
UNPAIRED = [
    [byte_token(byte), False] for byte in (0xC0, 0xC1, 0xE0, 0xED, 0xF0, *range(0xF4, 0x100))
]
"""Bytes that may begin what is no UTF-8 (overlong, a surrogate, above U+10FFFF). The server's grammar lets that through, and
its own reader of replies then fails with status 500.
"""


def forms_sent():
    """The forms that are asked for: those that are neither part of another nor a base of others, and lines with no analysis."""

    def below(form):
        return [form, *(deeper for child in form.__subclasses__() for deeper in below(child))]

    forms = [
        form
        for form in dict.fromkeys(below(Form))
        if form is LineForm or not form.__subclasses__()
    ]
    parts = {name for form in forms for name in schema_of(form).get("$defs", {})}
    sent = [form for form in forms if form.__name__ not in parts]
    assert StatementForm in sent
    return sent


@pytest.fixture(scope="module")
def url(tmp_path_factory):
    """The address of a server of its own process."""
    path = tiny_gguf(tmp_path_factory.mktemp("gguf") / "tiny.gguf")
    log = path.with_suffix(".log")
    with (
        log.open("w") as said,
        subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("serve_gguf.py")), str(path)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=said, text=True,
        ) as server,
    ):  # fmt: skip
        try:
            poll = select.poll()
            poll.register(server.stdout, select.POLLIN)
            ready = poll.poll(1000 * START)
            address = server.stdout.readline().strip() if ready else ""
            assert address, f"the server did not start: {log.read_text()[-2000:]}"
            yield f"{address}/v1"
        finally:
            server.kill()


class Recorded(Replies):
    """Replies that are also listed in the order in which they came."""

    def __init__(self):
        super().__init__()
        self.all = []

    def put(self, key, model, reply):
        self.all.append(reply)
        super().put(key, model, reply)


def model_at(url, seed, replies, bias=(QUOTE, *UNPAIRED), **more):
    """The model with a seed of its own; a cut reply is asked for again with the same cap, as of a model that thinks."""
    body = json.dumps({"seed": seed, "logit_bias": list(bias)})
    settings = ReplySettings(max_tokens=LONGEST, temperature=1.0, extra_body=body)
    given = {"dialect": Dialect(thinks=True), "settings": settings, **more}
    return ChatModel("tiny", url, key="NO_KEY", patience=PATIENCE, replies=replies, **given)


@dataclass
class Tally:
    """What came of the calls: replies that were finished, that were cut, and of prose; and what should not be."""

    finished: int = 0
    cut: int = 0
    prose: int = 0
    wrong: list = field(default_factory=list)

    def note(self, reply, form, where):
        """Count a reply that was made under the grammar of a form."""
        value = read_reply(reply, form, LONGEST)
        if not isinstance(value, str):
            self.finished += 1
        elif reply.ended == "length" and value.startswith("Your reply was cut off"):
            self.cut += 1
        else:
            self.wrong.append((*where, reply.ended, value, reply.text))


def ask_whole(model, form, tally):
    """A form that comes in one piece, asked for again until it fits."""
    where = form.__name__, "whole"
    try:
        assert isinstance(wait(model.complete(ASK, form)).value, form)
    except ReplyInvalid as error:
        if model.replies.all[
            -1
        ].ended == "length" and f"was cut off after {LONGEST} tokens" not in str(error):
            tally.wrong.append((*where, "a cut that is not named", str(error)))
    for reply in model.replies.all[
        :REASKS
    ]:  # the last is asked for in a looser way, without a grammar
        tally.note(reply, form, where)


def ask_streamed(model, form, tally):
    """A form that comes in pieces."""
    pieces = []
    request = request_of(replace(ASK, max_tokens=LONGEST), schema_of(form), model.settings)
    caller = Caller(model.name, Price(), Ledger(), PATIENCE)

    async def fetched():
        return await endpoint(model.address, model.limits).fetch(
            request, caller, model.dialect, pieces.append
        )

    reply, _ = wait(fetched())
    assert "".join(pieces) == reply.text
    tally.note(reply, form, (form.__name__, "streamed"))


def ask_prose(model, tally):
    """Prose that comes in pieces: random bytes, with no grammar."""

    async def heard():
        return [piece async for piece in model.stream(ASK)]

    tally.prose += len(wait(heard())) > 1


def called(url, calls, monkeypatch):
    """What comes of so many calls: every form in turn, streamed every other time, and prose. `wrong` also has requests that the
    server turned down or failed on.
    """
    tally = Tally()
    read_failure = endpoint_file.failure_of

    def noted(error, address):
        failure = read_failure(error, address)
        tally.wrong.append((failure.todo, failure.feature, failure.why))
        return failure

    monkeypatch.setattr(endpoint_file, "failure_of", noted)
    forms = [*forms_sent(), None]
    for call in range(calls):
        form = forms[call % len(forms)]
        model = model_at(url, call, Recorded())
        if form is None:
            ask_prose(model, tally)
        elif (call + call // len(forms)) % 2:
            ask_streamed(model, form, tally)
        else:
            ask_whole(model, form, tally)
    return tally


def test_every_form_under_the_servers_grammar(url, monkeypatch):
    tally = called(url, len(forms_sent()) + 1, monkeypatch)
    assert tally.wrong == []
    assert tally.finished >= 12 and tally.prose == 1


@pytest.mark.stress
def test_two_hundred_calls(url, monkeypatch):
    tally = called(url, 200, monkeypatch)
    assert tally.wrong == []
    assert tally.finished >= 100 and tally.cut and tally.prose == 9
