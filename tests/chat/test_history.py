"""Chats kept beside a corpus."""

import json
import threading

import pytest

from pincite.chat.history import History, Turn, as_json, as_markdown
from pincite.errors import CorpusError, UsageError
from pincite.formats.encoding import answer_from
from pincite.types import Anchor, Answer, Check, Citation, Possible, Query

ANSWER = Answer(
    Query("What was the fee in 2020?"), "12 thousand GBP", "12 thousand GBP",
    (Citation("1", "n", Anchor("s", ((4, None),)), "12", "tarn_2020.pdf"),),
    (Check("12", "supported", "1", "12 in row 'Fee', column '2020' on page 4"),),
)  # fmt: skip


@pytest.fixture
def history(tmp_path):
    return History(tmp_path)


def test_turns_come_back_as_they_were(history):
    chat = history.begin("What was   the fee?")
    turn = Turn(
        "and in 2020?", "What was the fee in 2020?", ANSWER, "ab12", ("It was 12 [1].",), 1
    )
    assert history.add(chat, turn) == 1
    assert history.add(chat, Turn("stop", "", state="stopped", reason="the turn was stopped")) == 2
    first, second = history.turns(chat)
    assert (first.asked, first.question, first.answer) == (turn.asked, turn.question, ANSWER)
    assert (first.prose, first.withheld, first.number) == (("It was 12 [1].",), 1, 1)
    assert (second.state, second.said, second.answer) == ("stopped", "the turn was stopped", None)
    assert history.chat(chat).title == "What was the fee?"
    assert history.chat(chat).turns == 2


def test_search_finds_words_of_questions_and_answers_in_any_case(history):
    fees, other = history.begin("Fees of Österlund"), history.begin("Something else")
    history.add(fees, Turn("fees?", "fees?", ANSWER, "ab12"))
    assert [one.id for one in history.chats("ÖSTERLUND")] == [fees]
    assert [one.id for one in history.chats("gbp FEES")] == [fees]
    assert history.chats("fees else") == []
    assert {one.id for one in history.chats()} == {fees, other}


def test_rename_and_delete(history):
    chat = history.begin("old")
    history.add(chat, Turn("a", "a"))
    history.rename(chat, " new  title ")
    assert history.chat(chat).title == "new title"
    with pytest.raises(UsageError, match="cannot be empty"):
        history.rename(chat, " ")
    history.delete(chat)
    assert history.chats() == []
    with pytest.raises(UsageError, match="no chat"):
        history.turns(chat)
    with pytest.raises(UsageError, match="no chat"):
        history.add(chat, Turn("a", "a"))


def test_nothing_is_written_to_look_for_chats(history):
    assert history.chats("x") == []
    with pytest.raises(UsageError, match="--list"):
        history.chat("00000000")
    assert not history.path.exists()


NEAR = (Possible("12", ANSWER.citations[0], 0.18),)


def test_exports(history):
    chat = history.begin("Fees")
    history.add(
        chat,
        Turn("and in 2020?", "What was the fee in 2020?", ANSWER, "ab12", ("It was 12 [1].",), 2),
    )
    history.add(
        chat, Turn("then?", "then?", Answer(Query("then?"), "", None, reason="nothing found", possible=NEAR), "cd34"),
    )  # fmt: skip
    one, turns = history.chat(chat), history.turns(chat)
    told = json.loads(json.dumps(as_json(one, turns)))
    assert answer_from(told["turns"][0]["answer"]) == ANSWER
    written = as_markdown(one, turns)
    for part in (
        "# Fees\n", "## 1. and in 2020?\n", "*Understood as: What was the fee in 2020?*", "**12 thousand GBP**",
        "2 sentences of the model withheld", "- [ab12.1] tarn\\_2020.pdf, page 4: “12”",
        "most likely 12 (18%): check it, tarn\\_2020.pdf, page 4: nothing found",
    ):  # fmt: skip
        assert part in written


def test_a_damaged_file_is_named(tmp_path):
    (tmp_path / "chats.sqlite").write_bytes(b"no database" * 100)
    with pytest.raises(CorpusError, match="chats.sqlite cannot be used"):
        History(tmp_path).chats()


def test_many_threads_add_and_no_turn_is_lost(history):
    chat = history.begin("busy")
    threads = [
        threading.Thread(target=history.add, args=(chat, Turn(f"q{n}", f"q{n}")))
        for n in range(12)
    ]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert [one.number for one in history.turns(chat)] == list(range(1, 13))
    assert {one.asked for one in history.turns(chat)} == {f"q{n}" for n in range(12)}
