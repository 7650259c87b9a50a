"""The encoder behind an /embeddings endpoint, against a scripted server over real HTTP."""

import json
import threading
import time
from contextlib import contextmanager
from dataclasses import replace
from decimal import Decimal
from importlib import resources

import numpy as np
import pytest

from pincite.errors import BudgetSpent, ModelError, ModelUnreachable, ReplyInvalid, UsageError
from pincite.formats.spell import spell, unspell
from pincite.models import loop
from pincite.models.encoder import MiniLM
from pincite.models.endpoints.embeddings import EmbeddingsEndpoint
from pincite.models.endpoints.endpoint_limits import Limits, Patience
from pincite.models.model_names import named_encoder
from pincite.models.model_settings import ModelSettings
from pincite.ports import Encoder
from pincite.search.index.dense import Dense
from pincite.storage.ledger import Ledger, Price, about, metered
from tests.stand_ins.fakes import HANG, Bill, HashEncoder, Reply, ScriptedServer, failure, faulty
from tests.stand_ins.scripted_server import plain

PATIENCE = Patience(timeout=10, tries=6, first=0.01, longest=0.15, whole=30)
TEXTS = ["revenue grew by nine percent", "the cat", "", "revenue fell", "łódź – 3 \ud800 %"]


@contextmanager
def serving(script=plain, key="", **more):
    """An encoder at a scripted server, and the server; its `asked` holds the bodies that came to /embeddings."""
    bodies = []

    def listening(asked):
        bodies.append(asked.body)
        return script(asked)

    with ScriptedServer(other=listening, bill=Bill(price=("2", "0")), key=key) as server:
        server.asked = bodies
        given = {
            "price": Price(Decimal(2)),
            "patience": PATIENCE,
            "limits": Limits(8),
            "key": "",
            **more,
        }
        yield EmbeddingsEndpoint("vectors", server.url, **given), server


def first(script, *spoiled):
    """The script with its first replies to a request replaced or changed."""

    def spoiling(asked):
        reply = script(asked)
        if asked.number >= len(spoiled):
            return reply
        one = spoiled[asked.number]
        return one(reply) if callable(one) else one

    return spoiling


def changed(change):
    """A right reply, with its data list changed."""

    def work(reply):
        content = json.loads(reply.text)
        content["data"] = change(content["data"])
        return replace(reply, content=json.dumps(content))

    return work


def test_rows_are_those_of_the_model_in_the_order_of_the_texts():
    expected = HashEncoder(64).encode([text.encode(errors="replace").decode() for text in TEXTS])
    with serving() as (encoder, server):
        rows = encoder.encode(TEXTS)
        assert rows.dtype == np.float32 and rows == pytest.approx(expected, abs=1e-6)
        assert np.linalg.norm(rows, axis=1) == pytest.approx(np.ones(5), abs=1e-6)
        assert encoder.dims == 64 and len(server.asked) == 1  # what the call found
        assert server.asked[0] == {
            "model": "vectors",
            "input": [*TEXTS[:2], ".", TEXTS[3], "łódź – 3 ? %"],
        }
        assert encoder.encode([]).shape == (0, 64)


def test_dims_are_asked_for_once_or_given():
    with serving() as (encoder, server):
        assert (encoder.dims, encoder.dims) == (64, 64) and len(server.asked) == 1
        small = replace(encoder, size=16)
        assert small.dims == 16 and len(server.asked) == 1
        assert small.encode(["a"]).shape == (1, 16)
        assert server.asked[-1]["dimensions"] == 16


def test_it_indexes_and_is_known_by_its_address(tmp_path):
    from pincite.types import Entry

    with serving() as (encoder, _):
        known: Encoder = encoder
        entries = [
            Entry(node=str(at), view="v", text=text)
            for at, text in enumerate(["the cat", "revenue grew"])
        ]
        Dense(known).build(entries, tmp_path)
        assert Dense(known).open(tmp_path).search(["revenue"], 1)[0][0].row == 1
        assert encoder.revision == encoder.base_url
        others = [
            replace(encoder, **one)
            for one in ({"size": 4}, {"query_prompt": "q: "}, {"base_url": "http://other/v1"})
        ]
        assert len({one.revision for one in (encoder, *others)}) == 4
        assert replace(encoder, texts=1, key="K").revision == encoder.revision
        assert unspell(spell(others[0]), {"EmbeddingsEndpoint": EmbeddingsEndpoint}) == others[0]


def test_prompts_go_before_the_texts_of_their_side():
    with serving(query_prompt="query: ", document_prompt="passage: ") as (encoder, server):
        encoder.encode(["cat"], side="query")
        encoder.encode(["dog"])
        assert [one["input"] for one in server.asked] == [["query: cat"], ["passage: dog"]]


def test_batches_by_count_and_by_tokens():
    with serving(texts=3) as (encoder, server):
        assert encoder.encode(list("abcdefg")) == pytest.approx(
            HashEncoder(64).encode(list("abcdefg")), abs=1e-6
        )
        assert sorted(len(one["input"]) for one in server.asked) == [1, 3, 3]
    with serving(tokens=10) as (encoder, server):
        texts = [
            "a" * 12,
            "b" * 12,
            "c" * 12,
            "d" * 90,
            "e",
        ]  # 5, 5, 5, 31 and 1 at three bytes a token
        assert encoder.encode(texts) == pytest.approx(HashEncoder(64).encode(texts), abs=1e-6)
        batches = sorted("".join(text[0] for text in one["input"]) for one in server.asked)
        assert batches == ["ab", "c", "d", "e"]


def test_no_more_go_at_once_than_the_limits_say():
    with serving(lambda asked: replace(plain(asked), delay=0.05), texts=1, limits=Limits(2)) as (
        encoder,
        server,
    ):
        encoder.encode(list("abcdef"))
        assert max(row.together for row in server.bill.rows) == 2


@pytest.mark.parametrize(
    "fault", ["429", "429 seconds", "500", "502", "drop", "cut", "half", "empty"]
)
def test_a_fault_passes(fault):
    script = faulty(plain, rate=1, faults=[fault], streak=1, seconds=0.1)
    with serving(script, texts=2) as (encoder, _):
        assert encoder.encode(list("abc")) == pytest.approx(
            HashEncoder(64).encode(list("abc")), abs=1e-6
        )


def test_retry_after_is_heeded():
    told = failure(429, "slow down", retry_after="1")
    with serving(first(plain, told), patience=replace(PATIENCE, longest=5)) as (encoder, _):
        started = time.monotonic()
        encoder.encode(["a"])
        assert 1 <= time.monotonic() - started < 2.5


def test_a_reply_in_another_order_is_put_in_order():
    with serving(first(plain, changed(lambda data: data[::-1]))) as (encoder, server):
        assert encoder.encode(list("abc")) == pytest.approx(
            HashEncoder(64).encode(list("abc")), abs=1e-6
        )
        assert len(server.asked) == 1


def spoiled(at, value):
    def change(data):
        return [
            {**one, "embedding": [value, *one["embedding"][1:]]} if n == at else one
            for n, one in enumerate(data)
        ]

    return changed(change)


UNFIT = {
    "too few": changed(lambda data: data[:-1]),
    "too many": changed(lambda data: [*data, {**data[0], "index": 3}]),
    "one twice": changed(lambda data: [data[0], data[0], data[2]]),
    "no index": changed(lambda data: [{"embedding": one["embedding"]} for one in data]),
    "NaN": spoiled(1, float("nan")),
    "infinity": spoiled(2, float("inf")),
    "null": spoiled(0, None),
    "text": spoiled(0, "0.5"),
    "zeros": changed(lambda data: [{**one, "embedding": [0.0] * 64} for one in data]),
    "lengths": changed(lambda data: [data[0], data[1], {**data[2], "embedding": [1.0]}]),
    "empty vector": changed(lambda data: [{**one, "embedding": []} for one in data]),
    "base64": changed(lambda data: [{**one, "embedding": "AAAA"} for one in data]),
    "no data": Reply({"object": "list"}),
    "a list": Reply([1, 2]),
    "HTML": Reply("<html>welcome</html>"),
}


@pytest.mark.parametrize("how", UNFIT)
def test_a_reply_that_cannot_be_right_is_asked_for_again_and_then_given_up(how):
    with serving(first(plain, UNFIT[how], UNFIT[how])) as (encoder, server):
        assert encoder.encode(list("abc")) == pytest.approx(
            HashEncoder(64).encode(list("abc")), abs=1e-6
        )
        assert len(server.asked) == 3
    with serving(first(plain, *[UNFIT[how]] * 9)) as (encoder, server):
        with pytest.raises(
            ReplyInvalid, match="vectors at http.*/embeddings gave 3 replies that cannot be read"
        ):
            encoder.encode(list("abc"))
        assert len(server.asked) == 3


def test_an_endpoint_that_is_down_is_given_up():
    with serving(lambda asked: failure(503, "no")) as (encoder, server):
        with pytest.raises(ModelUnreachable, match="in 6 tries"):
            encoder.encode(["a"])
        assert len(server.asked) == 6
    with pytest.raises(ModelUnreachable, match="ConnectError|connection failed"):
        replace(encoder, patience=replace(PATIENCE, tries=2)).encode(
            ["a"]
        )  # nothing listens there any more
    assert encoder.ledger.total().cost == 0  # none was billed


def test_an_endpoint_that_fails_on_a_request_in_the_same_words_is_asked_three_times():
    with serving(lambda asked: failure(500, "invalid UTF-8 byte at index 1")) as (encoder, server):
        with pytest.raises(ModelError, match="failed on this request 3 times in the same words"):
            encoder.encode(["a"])
        assert len(server.asked) == 3


def test_a_hang_ends_and_counts_as_spent():
    with serving(lambda asked: HANG, patience=replace(PATIENCE, timeout=0.2, tries=2)) as (
        encoder,
        _,
    ):
        with pytest.raises(ModelUnreachable, match="no reply in time"):
            encoder.encode(["four"])
        assert encoder.ledger.total().cost == 2 * Decimal(2) * (4 + 8) / 1_000_000


@pytest.mark.parametrize(
    ("status", "code", "said"),
    [(400, None, "turned the request down"), (401, None, "the variable MY_KEY"), (404, None, "the model's name"),
     (429, "insufficient_quota", "quota")],
)  # fmt: skip
def test_what_no_try_can_mend_is_said_at_once(status, code, said):
    with serving(lambda asked: failure(status, "no", code)) as (encoder, server):
        with pytest.raises(ModelError, match=said):
            replace(encoder, key="MY_KEY").encode(["a"])
        assert len(server.asked) == 1


def test_the_key_is_sent_and_never_shown(monkeypatch):
    monkeypatch.setenv("MY_KEY", "secret-of-mine")
    with serving(key="secret-of-mine") as (encoder, _):
        mine = replace(encoder, key="MY_KEY")
        assert mine.encode(["a"]).shape == (1, 64)
        assert "secret" not in repr(mine) + spell(mine)
        with pytest.raises(ModelError):
            encoder.encode(["a"])


def test_texts_that_are_too_long_go_apart_and_then_are_read_in_halves():
    def narrow(asked):
        if sum(map(len, asked.body["input"])) > 40:
            return failure(
                400, "This model's maximum context length is 10 tokens", "context_length_exceeded"
            )
        return plain(asked)

    texts = ["a " * 10, "b " * 10, "c " * 60, "d"]
    with serving(narrow) as (encoder, server), metered() as meter:
        rows = encoder.encode(texts)
        assert rows == pytest.approx(HashEncoder(64).encode(texts), abs=1e-6)
        assert sorted(meter.notes) == [
            "a text of 120 characters was read in two halves to fit vectors",
            "a text of 59 characters was read in two halves to fit vectors",
            "a text of 61 characters was read in two halves to fit vectors",
        ]
        assert server.bill.statuses[200] == 6
        assert encoder.ledger.total().usage == server.bill.usage


WORDS = "the plant at Tampere emitted less than in the year before . "


def test_how_much_is_read_at_once_is_documented_or_set():
    known = EmbeddingsEndpoint("text-embedding-3-small")
    assert known.window == 8192 - 819 - 4  # a tenth is spared where tokens are counted about
    assert replace(known, max_tokens=100).window == 86
    assert replace(known, max_tokens=100, query_prompt="find: ").window == 84
    assert EmbeddingsEndpoint("some-model-of-ours").window == 512 - 51 - 4


def test_a_text_that_is_too_long_is_never_sent_whole():
    with serving(max_tokens=60) as (encoder, server):
        (row,) = encoder.encode([WORDS * 9])
        sent = [text for body in server.asked for text in body["input"]]
        assert "".join(sent) == WORDS * 9
        assert all(len(encoder.spans(text)) <= encoder.window for text in sent)
        assert len(sent) > 1 and row == pytest.approx(
            HashEncoder(64).encode([WORDS * 9])[0], abs=0.1
        )


def test_tokens_are_counted_with_the_tokenizer_that_is_named():
    folder = str(resources.files("pincite") / "data" / "minilm")
    encoder = named_encoder(f"openai:vectors?tokenizer={folder}&max_tokens=60", ModelSettings())
    assert encoder.spans(WORDS) == MiniLM().spans(WORDS)
    assert encoder.window == 56 and "tokenizer.json" not in spell(encoder)
    about = named_encoder("openai:vectors?max_tokens=60", ModelSettings())
    assert (
        encoder != about and encoder.revision == about.revision
    )  # the same vectors, other windows
    with pytest.raises(UsageError, match="there is no tokenizer at"):
        named_encoder("openai:vectors?tokenizer=/nowhere", ModelSettings())


def test_a_task_is_sent_with_the_texts_of_its_side():
    given = {"query_task": "retrieval.query", "document_task": "retrieval.passage"}
    with serving(**given) as (encoder, server):
        encoder.encode(["cat"], side="query")
        encoder.encode(["dog"])
        assert [body["task"] for body in server.asked] == ["retrieval.query", "retrieval.passage"]
        assert encoder.revision != encoder.base_url


def test_an_endpoint_that_finds_everything_too_long_is_told():
    with (
        serving(lambda asked: failure(413, "request too large")) as (encoder, _),
        pytest.raises(ModelError, match="too long"),
    ):
        encoder.encode(["a" * 100])


def test_vectors_of_another_length_than_before_are_refused():
    def short(asked):
        return plain(replace(asked, body={**asked.body, "dimensions": 8}))

    with serving(short) as (encoder, _):
        with pytest.raises(ModelError, match="vectors of 8 dimensions"):
            replace(encoder, size=16).encode(["a"])
    with serving(
        lambda asked: (short if asked.body["input"] == ["b"] else plain)(asked), texts=1
    ) as (encoder, _):
        encoder.encode(["a"])
        with pytest.raises(ModelError, match="vectors of 8 dimensions"):
            encoder.encode(["b"])


def test_documents_are_booked_as_offline_and_queries_as_the_caller_says():
    with serving() as (encoder, server):
        with about(question="q1", run="r"), metered("Search"):
            encoder.encode(["the cat"], side="query")
            encoder.encode(["the dog and the cat"])
        with about(offline=True):
            encoder.encode(["another"], side="query")
        rows = encoder.ledger.rows("offline", "question", "stage")
        # a token is four bytes, rounded up, by the server's rule
        assert [(one.offline, one.question, one.stage, one.usage.input) for one in rows] == [
            (False, "q1", "Search", 2), (True, "", "", 2), (True, "q1", "Search", 5),
        ]  # fmt: skip
        assert encoder.ledger.total().cost == server.bill.cost == Decimal(2) * 9 / 1_000_000


def test_a_budget_is_held_to():
    with serving() as (encoder, server):
        poor = replace(encoder, ledger=Ledger(None, Decimal("0.0001")))
        poor.encode(["a" * 40])
        with pytest.raises(BudgetSpent):
            poor.encode(["a" * 60])
        assert len(server.asked) == 1


def test_an_endpoint_that_reports_no_tokens_has_the_most_booked():
    def silent(asked):
        content = json.loads(plain(asked).text)
        del content["usage"]
        return Reply(json.dumps(content))

    with serving(silent) as (encoder, _):
        encoder.encode(["four"])
        assert encoder.ledger.total().cost == Decimal(2) * 12 / 1_000_000
        assert encoder.ledger.total().usage.input == 0


def test_many_threads_at_once():
    found = {}
    script = faulty(plain, rate=0.3, faults=("429", "500", "drop", "cut", "half"), seconds=0.05)
    with serving(script, texts=1) as (encoder, _):

        def work(at):
            found[at] = encoder.encode([f"text {at} {n}" for n in range(5)])

        threads = [threading.Thread(target=work, args=(at,)) for at in range(8)]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
    for at in range(8):
        assert found[at] == pytest.approx(
            HashEncoder(64).encode([f"text {at} {n}" for n in range(5)]), abs=1e-6
        )


def test_cancelling_ends_the_requests():
    with serving(lambda asked: HANG) as (encoder, server):
        raised = []

        def work():
            try:
                encoder.encode(["a"])
            except BaseException as error:
                raised.append(type(error).__name__)

        thread = threading.Thread(target=work)
        thread.start()
        while not server.asked:
            time.sleep(0.01)
        loop.cancel()
        thread.join(5)
        assert raised == ["CancelledError"] and encoder.ledger.pending == 0
