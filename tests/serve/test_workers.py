"""Processes that answer: in turn, replaced when they die, failures as they were."""

import asyncio
import os
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from pincite.errors import Crashed, GivenUp, SourceError, UsageError
from pincite.serve.corpora import served
from pincite.serve.processes.drawn_pages import Pictures
from pincite.serve.processes.question_pool import AskedQuestion, QuestionPool
from pincite.settings import Settings

from .conftest import API, PAGE, QUESTION, answer, serving

pytestmark = pytest.mark.servers

ROOT = Path(__file__).parents[2]


def test_a_process_answers_fails_and_is_replaced(example_corpus):
    async def run():
        corpus = served([example_corpus], Settings())["examples"]
        asking = QuestionPool([corpus], 1)
        asking.open()
        asked = await asking.ask(corpus, AskedQuestion(QUESTION))
        assert asked.answer.text == "11,706 thousand EUR" and asked.told["trace"]
        assert asking.recalled("examples", asked.answer_id) is asked
        assert await asking.ask(corpus, AskedQuestion(QUESTION)) is asked, (
            "the same question is answered once"
        )
        with pytest.raises(UsageError, match="a date is written"):
            await asking.ask(corpus, AskedQuestion(QUESTION, as_of="soon"))
        os.kill(asking._workers._idle[0].process, 9)
        again = await asking.ask(
            corpus, AskedQuestion("What was the revenue of Halvorsen Maritime in 2022?")
        )
        assert again.answer.value is not None
        order = []

        async def turn(person, year):
            await asking.ask(corpus, AskedQuestion(f"What was revenue in {year}?"), person)
            order.append(person)

        await asyncio.gather(
            *(turn("much", year) for year in range(2000, 2004)), turn("little", 2010)
        )
        assert order.index("little") <= 2, "who asks much waits for themselves only"
        await asking.close()

    asyncio.run(run())


@dataclass(frozen=True)
class Crash:
    """An order that ends its process, or holds it up."""

    seconds: float = 0.0

    def do(self, held):
        time.sleep(self.seconds)
        os.kill(os.getpid(), 11)


def unreadable():
    """What no process can make of the pickle of an `Unpicklable`."""
    raise ImportError("no such room")


class Unpicklable:
    """An order that cannot be read where it arrives."""

    def __reduce__(self):
        return unreadable, ()


def test_reviews_over_http_are_done_by_processes(corpus, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    with serving(corpus, processes=1) as client:
        told = answer(client)
        address = f"/c/reports/answers/{told['answer_id']}/review"
        for form in (
            {"action": "accept"},
            {"action": "comment", "note": "seen"},
            {"action": "correct", "value": "11,707 thousand EUR"},
            {"action": "withdraw"},
        ):
            assert client.post(address, data=form, headers=PAGE).status_code == 303
        said = client.get(f"{API}/feedback").json()["items"]
    assert [one["action"] for one in said] == ["accept", "comment", "correct", "withdraw"]


def test_a_page_that_crashes_or_holds_up_its_process_harms_no_other(
    example_corpus, monkeypatch, capfd
):
    monkeypatch.setenv("PYTHONPATH", str(ROOT))

    async def run():
        corpus = served([example_corpus], Settings())["examples"]
        document = corpus.edition.corpus.documents[0]
        path = corpus.edition.corpus.source(document.source)
        pictures = Pictures()
        for order, longest, kind, said in (
            (Crash(), 60.0, Crashed, "ended unexpectedly"),
            (Crash(60), 0.5, GivenUp, "given up"),
            (Unpicklable(), 60.0, RuntimeError, "ImportError: no such room"),
        ):
            pictures._worker._longest = longest
            with pytest.raises(kind, match=said):
                await pictures._worker.do("", order)
        pictures._worker._longest = 60.0
        drawn = await pictures.draw(path, document.source, 1)
        assert drawn.png.startswith(b"\x89PNG") and drawn.size == pytest.approx((595, 842), abs=1)
        with pytest.raises(SourceError, match="no page 99"):
            await pictures.draw(path, document.source, 99)
        await pictures.close()

    asyncio.run(run())
    logged = capfd.readouterr().err
    assert logged.count("was ended by SIGSEGV") == 2, "it is tried once more"
    assert "was ended by SIGTERM" not in logged and 'raise ImportError("no such room")' in logged
