"""The reranker behind a /rerank endpoint, against a scripted server over real HTTP."""

import json
from contextlib import contextmanager
from dataclasses import replace
from decimal import Decimal

import pytest

from pincite.errors import BudgetSpent, ModelError, ModelUnreachable, ReplyInvalid
from pincite.formats.spell import spell, unspell
from pincite.models.endpoints.endpoint_limits import Limits, Patience
from pincite.models.endpoints.rerank_endpoint import RerankEndpoint
from pincite.models.standin import OverlapScorer
from pincite.storage.ledger import Ledger, Price, metered
from tests.stand_ins.fakes import HANG, Bill, Reply, ScriptedServer, failure, faulty
from tests.stand_ins.scripted_server import plain

PATIENCE = Patience(timeout=10, tries=6, first=0.01, longest=0.15, whole=30)
QUERY = "net revenue in 2023"
TEXTS = ["the cat", "net revenue grew in 2023", "revenue", "", "in 2023 \ud800"]
SCORES = [0.0, 1.0, 0.25, 0.0, 0.5]


@contextmanager
def serving(script=plain, key="", **more):
    """A reranker at a scripted server, and the server; its `asked` holds the bodies that came to /rerank."""
    bodies = []

    def listening(asked):
        bodies.append(asked.body)
        return script(asked)

    with ScriptedServer(other=listening, bill=Bill(price=("2", "0")), key=key) as server:
        server.asked = bodies
        given = {"price": Price(Decimal(2)), "patience": PATIENCE, "limits": Limits(8), **more}
        yield RerankEndpoint("ranker", server.url, **given), server


def changed(change, times=1):
    """The right script whose first replies have their results changed."""

    def script(asked):
        reply = plain(asked)
        content = json.loads(reply.text)
        content["results"] = change(content["results"])
        return replace(reply, content=json.dumps(content)) if asked.number < times else reply

    return script


def test_scores_come_in_the_order_of_the_texts():
    with serving() as (scorer, server):
        assert scorer.score(QUERY, TEXTS) == SCORES
        sent = ["the cat", "net revenue grew in 2023", "revenue", ".", "in 2023 ?"]
        assert server.asked == [{"model": "ranker", "query": QUERY, "documents": sent, "top_n": 5}]
        assert scorer.score(QUERY, []) == [] and len(server.asked) == 1
        again = replace(scorer, at_once=2)
        assert again.score(QUERY, TEXTS) == SCORES
        assert sorted(len(one["documents"]) for one in server.asked[1:]) == [1, 2, 2]


@pytest.mark.parametrize(
    "order", [lambda found: found[::-1], lambda found: sorted(found, key=lambda one: one["index"])]
)
def test_results_in_any_order(order):
    with serving(changed(order)) as (scorer, server):
        assert scorer.score(QUERY, TEXTS) == SCORES and len(server.asked) == 1


@pytest.mark.parametrize(
    "fault", ["429", "429 seconds", "500", "502", "drop", "cut", "half", "empty"]
)
def test_a_fault_passes(fault):
    with serving(faulty(plain, rate=1, faults=[fault], streak=1, seconds=0.1), at_once=2) as (
        scorer,
        _,
    ):
        assert scorer.score(QUERY, TEXTS) == SCORES


UNFIT = {
    "too few": lambda found: found[:-1],
    "too many": lambda found: [*found, {"index": 5, "relevance_score": 1.0}],
    "one twice": lambda found: [found[0], *found[:-1]],
    "no index": lambda found: [{"relevance_score": 1.0}] * 5,
    "index as text": lambda found: [{**one, "index": str(one["index"])} for one in found],
    "NaN": lambda found: [{**found[0], "relevance_score": float("nan")}, *found[1:]],
    "no score": lambda found: [{"index": one["index"]} for one in found],
    "no list": lambda found: {"0": 1.0},
}


@pytest.mark.parametrize("how", UNFIT)
def test_a_reply_that_cannot_be_right_is_asked_for_again_and_then_given_up(how):
    with serving(changed(UNFIT[how], times=2)) as (scorer, server):
        assert scorer.score(QUERY, TEXTS) == SCORES and len(server.asked) == 3
    with serving(changed(UNFIT[how], times=9)) as (scorer, server):
        with pytest.raises(
            ReplyInvalid, match="ranker at http.*/rerank gave 3 replies that cannot be read"
        ):
            scorer.score(QUERY, TEXTS)
        assert len(server.asked) == 3


def test_scores_outside_are_clipped_with_a_note():
    logits = changed(
        lambda found: [{**one, "relevance_score": 8 * one["relevance_score"] - 1} for one in found]
    )
    with serving(logits) as (scorer, _), metered() as meter:
        assert scorer.score(QUERY, TEXTS) == [0, 1, 1, 0, 1]
        assert meter.notes == [
            "4 of 5 scores of ranker were outside [0, 1] and are clipped: are they logits?"
        ]


def test_an_endpoint_that_is_down_or_refuses_is_told():
    with serving(lambda asked: failure(503, "no")) as (scorer, server):
        with pytest.raises(ModelUnreachable, match="in 6 tries"):
            scorer.score(QUERY, TEXTS)
        assert len(server.asked) == 6
    with serving(lambda asked: HANG, patience=replace(PATIENCE, timeout=0.2, tries=2)) as (
        scorer,
        _,
    ):
        with pytest.raises(ModelUnreachable, match="no reply in time"):
            scorer.score(QUERY, TEXTS)
    with serving(lambda asked: failure(422, "top_n is not known")) as (scorer, server):
        with pytest.raises(ModelError, match="turned the request down: status 422"):
            scorer.score(QUERY, TEXTS)
        assert len(server.asked) == 1


def test_the_key_is_that_of_its_variable(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "of-another")
    monkeypatch.setenv("RANKER_KEY", "right")
    with serving(key="right") as (scorer, _):
        with pytest.raises(ModelError, match="401"):
            scorer.score(QUERY, TEXTS)
        assert replace(scorer, key="RANKER_KEY").score(QUERY, TEXTS) == SCORES
    with serving(key="of-another") as (scorer, _), pytest.raises(ModelError, match="401"):
        scorer.score(
            QUERY, TEXTS
        )  # without a variable no key is sent, least of all another endpoint's


def test_texts_that_are_too_long_go_apart_and_then_are_scored_in_halves():
    def narrow(asked):
        if sum(map(len, asked.body["documents"])) > 40:
            return failure(400, "input is too long")
        return plain(asked)

    with serving(narrow) as (scorer, _), metered() as meter:
        assert scorer.score("a b", ["a " * 20 + "a b " * 10, "b", "a b"]) == [1.0, 0.5, 1.0]
        assert meter.notes == [
            "a text of 80 characters was read in two halves to fit ranker",
            "a text of 41 characters was read in two halves to fit ranker",
        ]


def test_tokens_are_booked_and_a_budget_is_held_to():
    with serving() as (scorer, server):
        scorer.score(QUERY, TEXTS)
        assert scorer.ledger.total().usage == server.bill.usage
        assert scorer.ledger.total().cost == server.bill.cost > 0
        with pytest.raises(BudgetSpent):
            replace(scorer, ledger=Ledger(None, Decimal("0.00001"))).score(QUERY, TEXTS)


def test_tokens_as_cohere_reports_them():
    def cohere(asked):
        content = json.loads(plain(asked).text)
        del content["usage"]
        return Reply(
            json.dumps({**content, "meta": {"tokens": {"input_tokens": 33, "output_tokens": 0}}})
        )

    with serving(cohere) as (scorer, _):
        scorer.score(QUERY, TEXTS)
        assert scorer.ledger.total().usage.input == 33


def test_it_spells_itself_without_what_changes_no_score():
    scorer = RerankEndpoint("ranker", "https://here/v1", key="KEY", at_once=7)
    assert spell(scorer) == "RerankEndpoint(name='ranker', base_url='https://here/v1')"
    assert unspell(spell(scorer), {"RerankEndpoint": RerankEndpoint}) == scorer


def test_the_overlap_scorer_counts_words():
    scorer = OverlapScorer()
    assert scorer.score(QUERY, ["the cat", "Net REVENUE, net of tax", "2023 in revenue: net"]) == [
        0,
        0.5,
        1,
    ]
    assert scorer.score("?", ["a"]) == [0] and scorer.score(QUERY, []) == []
