"""Dialogues of three turns: follow-ups are understood as they are meant, and small talk is answered by no value."""

import pytest

import pincite
from pincite.chat.conversation import Conversation
from pincite.chat.events import Answered
from pincite.question.small_talk import asking_part
from tests.chat.dialogue_corpus import write_corpus
from tests.chat.dialogue_meaning import dialogues, meaning

FILES = {
    "dialogues_developed.toml": 0.97, "dialogues_seen.toml": 0.95, "dialogues_held_out.toml": 0.97,
}  # fmt: skip
"""The dialogues, and the share of their turns that must be understood."""


@pytest.fixture(scope="module")
def firms(tmp_path_factory):
    folder = tmp_path_factory.mktemp("firms")
    metadata = write_corpus(folder)
    pincite.index(sorted(folder.glob("*.md")), folder / "corpus", metadata=metadata)
    return pincite.open(folder / "corpus")


@pytest.mark.parametrize("name", FILES)
def test_turns_are_understood_as_meant(firms, name):
    wrong, turns = [], 0
    for title, _, said_and_meant in dialogues(name):
        talk = Conversation(firms)
        for said, meant in said_and_meant:
            talk.recall(said)
            question = talk.turns[-1].question
            turns += 1
            if meaning(question) != meant or bool(question) != bool(meant):
                wrong.append((title, said, question))
    assert turns >= 60 and 1 - len(wrong) / turns >= FILES[name], wrong


@pytest.mark.parametrize("name", FILES)
def test_small_talk_is_answered_by_no_value(firms, name):
    answered = []
    for _, kind, said_and_meant in dialogues(name):
        talk = Conversation(firms)
        for said, meant in said_and_meant if kind == "mixed" else ():
            if meant:
                talk.recall(said)
                continue
            (told,) = (event for event in talk.turn(said) if isinstance(event, Answered))
            if told.answer.value is not None:
                answered.append((said, told.answer.text))
    assert not answered


@pytest.mark.parametrize(("said", "asks"), [
    ("thanks", ""), ("Hello!", ""), ("how are you?", ""), ("that's a lot more than I thought", ""),
    ("thanks for the 2022 figure", ""), ("great, and in 2022?", "and in 2022?"),
    ("I'd like to see the net income, please", "the net income"), ("sorry, I meant 2021", "2021"),
    ("net income", "net income"), ("why?", "why?"), ("which one?", "which one?"),
    ("in millions of EUR", "in millions of EUR"),
    ("What was revenue in 2022? Thank you!", "What was revenue in 2022?"),
])  # fmt: skip
def test_what_a_message_asks_for(said, asks):
    assert asking_part(said) == asks


def test_what_no_document_holds_is_no_follow_up():
    assert asking_part("jolly good", lambda text: False) == ""
    assert asking_part("jolly good?", lambda text: False) == "jolly good?"
    assert asking_part("jolly good. and in 2021?", lambda text: False) == "and in 2021?"
    assert (
        asking_part("as a share, what was it?", lambda text: False) == "as a share, what was it?"
    )


def test_small_talk_leaves_the_conversation_where_it_was(firms, tmp_path):
    talk = Conversation(firms)
    list(talk.turn("What was the revenue of Halden Foods in 2023?"))
    (told,) = (event for event in talk.turn("thank you!") if isinstance(event, Answered))
    assert told.answer.value is None and "no question" in told.answer.reason
    talk.recall("and in 2022?")
    assert talk.turns[-1].question == "What was the revenue of Halden Foods in 2022?"
