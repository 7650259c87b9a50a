"""A library that answers with a model, over real HTTP."""

import re
from dataclasses import replace
from decimal import Decimal

import pytest

from pincite.errors import BudgetSpent, ModelError, ModelUnreachable, UsageError
from pincite.models.model_settings import ModelSettings
from pincite.settings import Settings
from pincite.storage.ledger import about
from pincite.types import Query
from pincite.workbench.library import Library
from tests.served import question, right, serving
from tests.stand_ins.fakes import Reply, altered, constant, failure, minimal


def ask(library, text, expects="number"):
    return library.outcome(library.query(text, (), expects)).answer


def test_a_checked_answer_with_what_it_took(fresh_corpus):
    with serving() as (server, settings):
        library = Library(fresh_corpus, settings)
        outcome = library.outcome(
            library.query(question("Income tax expense", 2023), (), "number")
        )
        again = Library(fresh_corpus, settings).outcome(outcome.answer.query)
    answer = outcome.answer
    assert (answer.value.amount, answer.value.unit) == (11_706_000, "EUR")
    assert [one.verdict for one in answer.checks] == ["supported"] and 0.9 < answer.confidence < 1
    assert (
        server.bill.requests == 1 and again.answer == answer
    )  # the second came from what was kept
    (reading,) = [one for one in outcome.trace if one.stage.startswith("ReadLines(")]
    assert (reading.usage, reading.cost) == (server.bill.usage, server.bill.cost)
    (spent,) = library.kit.large.ledger.rows("question", "run", "stage")
    assert (spent.question, spent.run, spent.stage) == (
        question("Income tax expense", 2023),
        library.run,
        "ReadLines",
    )


def test_what_is_missing_to_ask_a_model_is_named(fresh_corpus, monkeypatch):
    monkeypatch.setattr("pincite.models.extras.find_spec", lambda module: None)
    Library(fresh_corpus, Settings())
    with pytest.raises(UsageError, match=r"pip install 'pincite\[models\]'"):
        Library(fresh_corpus, Settings(models=ModelSettings(large="some")))


def test_a_planted_value_is_refused_after_one_retry(fresh_corpus):
    wrong = altered(right, lambda asked, it: {**it, "value": "11,999"})
    with serving(wrong) as (server, settings):
        answer = ask(Library(fresh_corpus, settings), question("Income tax expense", 2023))
    assert answer.value is None and "11,999" in answer.reason
    assert max(one.turns for one in server.asked) == 1


def test_without_an_answer_more_pages_are_shown_and_then_it_is_na(fresh_corpus):
    with serving(minimal) as (server, settings):
        answer = ask(
            Library(fresh_corpus, replace(settings, pages=2)), question("Income tax expense", 2023)
        )
    assert answer.value is None
    shown = [len(re.findall(r"^\d+ ", one.said("user"), re.M)) for one in server.asked]
    assert shown == sorted(set(shown)) and len(shown) > 1


def test_only_a_judge_that_is_set_judges(fresh_corpus):
    with serving() as (server, settings):
        ask(Library(fresh_corpus, settings), question("Inventories", 2022))
        assert len(server.asked) == 1
        judged = replace(settings, models=replace(settings.models, judge="scripted"))
        answer = ask(Library(fresh_corpus, judged), question("Inventories", 2023))
    assert answer.value.amount == 21_844_000
    judging = [one for one in server.asked if "judgements" in one.schema["properties"]]
    assert len(judging) > 1 and "Rerank" in Library(fresh_corpus, judged).spelling


@pytest.mark.parametrize("with_model", [False, True])
def test_a_question_about_two_companies_is_planned_and_compared(fresh_corpus, with_model):
    asked = "Which had more employees in 2023, Halvorsen Maritime or Solvik Energy?"
    with serving(minimal) as (server, settings):
        library = Library(fresh_corpus, settings if with_model else Settings(threshold=0.0))
        outcome = library.outcome(library.query(asked))
    assert outcome.ranking is None
    if not with_model:
        assert outcome.answer.value == "Solvik Energy"
        assert {one.document for one in outcome.answer.citations} == {
            "halvorsen-annual-report-2023.pdf",
            "solvik-sustainability-2023.pdf",
        }
        assert list(
            library.answer_many([library.query(asked), library.query("What was revenue in 2022?")])
        ) == [
            outcome.answer,
            library.ask("What was revenue in 2022?"),
        ]
    else:  # a model that says nothing: the questions are made by code, and nothing is compared
        assert outcome.answer.value is None and "nothing comparable" in outcome.answer.reason
        assert any("parts" in one.schema["properties"] for one in server.asked)
        assert sum("for Halvorsen Maritime?" in one.said("user") for one in server.asked) == 1


@pytest.mark.parametrize(
    ("script", "error", "said"),
    [
        (constant(failure(401, "Incorrect API key")), ModelError, "OPENAI_API_KEY"),
        (constant(failure(429, "quota", "insufficient_quota")), ModelError, "quota"),
        (constant(Reply("no", status=503)), ModelUnreachable, "503"),
        (constant(Reply("no", status=500)), ModelError, "3 times in the same words"),
    ],
)
@pytest.mark.parametrize(
    "text", [question("Equity", 2023), "Which had more debt, Halvorsen Maritime or Solvik Energy?"]
)
def test_a_failure_is_raised_and_no_answer(fresh_corpus, monkeypatch, script, error, said, text):
    monkeypatch.setattr(
        "pincite.models.endpoints.endpoint_limits.Patience.pause", lambda *_: 0.001
    )
    with serving(script) as (_, settings), pytest.raises(error, match=said):
        ask(Library(fresh_corpus, settings), text)


def test_the_budget_of_one_run_is_not_that_of_another(fresh_corpus):
    with serving(budget=Decimal("0.03")) as (server, settings):
        library = Library(fresh_corpus, settings)
        with about(run="earlier"), pytest.raises(BudgetSpent):
            for year in (2022, 2023):
                for label in ("Revenue", "Equity", "Borrowings"):
                    library.answer(Query(question(label, year), expects="number"))
        paid = server.bill.cost
        assert 0 < paid <= Decimal("0.03")
        assert ask(library, question("Total assets", 2023)).value is not None
    assert server.bill.cost > paid


def test_a_read_only_corpus_answers_all_the_same(fresh_corpus, monkeypatch):
    monkeypatch.setattr("os.access", lambda *_: False)
    with serving() as (_, settings):
        assert ask(Library(fresh_corpus, settings), question("Revenue", 2023)).value is not None
    assert not (fresh_corpus / "ledger.sqlite").exists()
