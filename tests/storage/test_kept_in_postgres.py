"""What a corpus keeps beside its documents, in PostgreSQL: as in files, and for all machines."""

import threading
from decimal import Decimal

import pytest

from pincite.chat.history import History, Turn
from pincite.errors import BudgetSpent, CorpusError, UsageError
from pincite.models.endpoints.replies import KeptReply, Replies
from pincite.records.answer_store import answer_id, recall_answer
from pincite.records.review import accept, correct, reviews
from pincite.records.review.review_log import stamp
from pincite.search.index.told_texts import Store, digests, nodes_told
from pincite.settings import Settings
from pincite.storage import address_of, corpus_folder
from pincite.storage.ledger import Ledger, about
from pincite.storage.postgres import PostgresTables
from pincite.types import Usage
from pincite.workbench.grid import drop_grid, fill, grids, load_grid, pending, spec_from
from pincite.workbench.library import Library
from tests.chat.test_history import ANSWER
from tests.storage.test_corpus_in_postgres import QUESTIONS, other_machine

pytestmark = pytest.mark.servers

SPEC = {
    "title": "Fees",
    "rows": ["Halvorsen Maritime", "Solvik Energy"],
    "columns": [
        {"name": "Tax", "question": "What was the income tax expense of {entity} in 2023?"}
    ],
}


@pytest.fixture(scope="module")
def folder(address):
    """The cache of the example corpus in PostgreSQL."""
    return corpus_folder(address)


def test_chats_of_several_people(folder):
    ada, bo = History(folder, "Ada"), History(folder, "Bo")
    chat = ada.begin("What was   the fee?")
    turn = Turn(
        "and in 2020?", "What was the fee in 2020?", ANSWER, "ab12", ("It was 12 [1].",), 1
    )
    assert ada.add(chat, turn) == 1
    (kept,) = ada.turns(chat)
    assert (kept.asked, kept.answer, kept.prose) == (turn.asked, ANSWER, ("It was 12 [1].",))
    assert [listed.id for listed in ada.chats("GBP FEE")] == [chat]
    assert bo.chats() == [] and History(folder).chats() == []
    for call in (bo.turns, bo.delete):
        with pytest.raises(UsageError, match="no chat"):
            call(chat)
    with pytest.raises(UsageError, match="no chat"):
        bo.add(chat, turn)
    ada.delete(chat)
    assert ada.chats() == []


def test_turns_that_are_added_at_once_have_numbers_of_their_own(folder):
    history, numbers = History(folder), []
    chat = history.begin("at once")
    adding = [
        threading.Thread(target=lambda: numbers.append(History(folder).add(chat, Turn("a", "a"))))
        for _ in range(8)
    ]
    for thread in adding:
        thread.start()
    for thread in adding:
        thread.join()
    assert sorted(numbers) == list(range(1, 9))


def test_reviews_are_only_added_and_correct_the_next_answer(address, folder):
    library = Library(address, Settings())
    answer = library.ask(QUESTIONS[1])
    (identity,) = library.keep([answer])
    before = stamp(folder)
    accept(library.corpus, identity, "Ada")
    correct(library.corpus, identity, "Bo", "12%")
    assert stamp(folder) > before
    assert [review.by for review in reviews(folder, answer=identity)] == ["Ada", "Bo"]
    assert Library(address, Settings()).ask(QUESTIONS[1]).text.startswith("12")
    tables = PostgresTables(address_of(folder))
    for statement in ("DELETE FROM reviews", "UPDATE reviews SET content = ''"):
        with pytest.raises(CorpusError, match="reviews are only added"):
            tables.execute(statement)


def test_a_grid_is_filled_once_for_all_machines(address, monkeypatch, tmp_path):
    spec, library = spec_from(SPEC), Library(address, Settings())
    made = fill(spec, library)
    assert made.answered == 2
    other_machine(monkeypatch, tmp_path)
    elsewhere = Library(address, Settings())
    assert pending(spec, elsewhere) == 0
    assert load_grid(elsewhere.corpus.folder, made.id).cells == made.cells
    assert [listed.title for listed in grids(elsewhere.corpus.folder)] == ["Fees"]
    drop_grid(elsewhere.corpus.folder, made.id)
    assert grids(elsewhere.corpus.folder) == ()


def test_a_budget_holds_over_several_processes_worth_of_ledgers(folder):
    spent = []

    def spend():
        ledger = Ledger(folder / "ledger.sqlite", Decimal(1))
        with about(run="shared"):
            try:
                while True:
                    hold = ledger.reserve("m", Decimal("0.1"))
                    spent.append(ledger.settle(hold, Usage(1, 1), Decimal("0.1"), 0.5).cost)
            except BudgetSpent:
                pass

    spending = [threading.Thread(target=spend) for _ in range(4)]
    for thread in spending:
        thread.start()
    for thread in spending:
        thread.join()
    assert sum(spent) == Decimal(1)
    total = Ledger(folder / "ledger.sqlite").total("shared")
    assert (total.cost, total.requests, total.seconds) == (Decimal(1), 10, 5.0)


def test_the_first_reply_to_a_request_stays(folder):
    replies = Replies(folder / "replies.sqlite")
    replies.put("key", "m", KeptReply("first", usage=Usage(3, 2)))
    replies.put("key", "m", KeptReply("second"))
    assert Replies(folder / "replies.sqlite").get("key") == KeptReply("first", usage=Usage(3, 2))


def test_what_was_told_last_counts(folder):
    store = Store(folder)
    store.put("n", "v", "purpose", "one", "1", ["a"])
    store.put("n", "v", "purpose", "two", "1", ["b"])
    last = digests(folder)
    store.put("n", "v", "purpose", "one", "1", ["a"])  # told again: now the last
    assert digests(folder) != last
    assert nodes_told(folder, "purpose", "two", "1") == {("v", "n")}


def test_an_answer_survives_a_connection_that_is_ended(address, folder, ended):
    library = Library(address, Settings())
    answer = library.ask(QUESTIONS[0])
    assert ended() > 0
    assert library.keep([answer]) == [answer_id(answer)]
    assert ended() > 0
    assert recall_answer(folder, answer_id(answer)) == answer
