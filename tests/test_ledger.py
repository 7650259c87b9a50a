import threading
from dataclasses import dataclass
from decimal import Decimal

import pytest

from pincite.errors import BudgetSpent, PinciteError, UsageError
from pincite.stage import Stage, traced
from pincite.storage.ledger import Ledger, Price, Spend, about, metered, note
from pincite.types import Draft, Query, Usage


def test_a_price_is_per_million_tokens_and_cached_input_has_its_own():
    assert Price(Decimal(3), Decimal(15)).of(Usage(1000, 200)) == Decimal("0.006")
    assert Price(Decimal(3), Decimal(15), Decimal("0.3")).of(Usage(1000, 200, 600)) == Decimal(
        "0.00438"
    )
    assert Price(Decimal(3), Decimal(15)).of(Usage(1000, 200, 600)) == Decimal("0.006")


def test_what_is_reserved_is_spent_until_it_is_settled(tmp_path):
    ledger = Ledger(tmp_path / "kept" / "ledger.sqlite", budget=Decimal("1.00"))
    hold = ledger.reserve("m", Decimal("0.70"))
    assert (ledger.left(), ledger.pending) == (Decimal("0.30"), 1)
    with pytest.raises(
        BudgetSpent, match=r"could cost 0\.4000 and 0\.3000 of the budget of 1\.00 is left"
    ):
        ledger.reserve("m", Decimal("0.40"))
    ledger.settle(hold, Usage(10, 2), Decimal("0.10"), 0.5)
    assert (ledger.left(), ledger.pending) == (Decimal("0.90"), 0)
    assert ledger.total() == Spend(
        usage=Usage(10, 2), cost=Decimal("0.10"), requests=1, seconds=0.5
    )


def test_a_request_that_was_never_settled_stays_spent_for_the_next_process(tmp_path):
    Ledger(tmp_path / "ledger.sqlite", budget=Decimal(1)).reserve("m", Decimal("0.60"))
    after = Ledger(tmp_path / "ledger.sqlite", budget=Decimal(1))
    assert (after.left(), after.pending) == (Decimal("0.40"), 0)
    with pytest.raises(BudgetSpent):
        after.reserve("m", Decimal("0.60"))


def test_a_budget_is_that_of_a_run():
    ledger = Ledger(budget=Decimal(1))
    for run in ("monday", "tuesday"):
        with about(run=run):
            ledger.reserve("m", Decimal("0.9"))
            with pytest.raises(BudgetSpent):
                ledger.reserve("m", Decimal("0.2"))
    assert ledger.left("monday") == Decimal("0.1")
    assert ledger.total().cost == Decimal("1.8")
    assert ledger.total("tuesday").cost == Decimal("0.9")
    assert Ledger().left() is None


def test_the_budget_holds_when_many_threads_and_files_reserve_at_once(tmp_path):
    ledgers = [Ledger(tmp_path / "ledger.sqlite", budget=Decimal(1)) for _ in range(4)]
    taken = []

    def work(ledger):
        for _ in range(40):
            try:
                hold = ledger.reserve("m", Decimal("0.03"))
            except BudgetSpent:
                return
            taken.append(hold.id)
            ledger.settle(hold, Usage(1, 1), Decimal("0.02"), 0.0)

    threads = [threading.Thread(target=work, args=(ledger,)) for ledger in ledgers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    # each costs 0.02, and the next could cost 0.03: 49 fit (0.98), and from 0.98 none more
    assert len(set(taken)) == len(taken) == 49
    assert ledgers[0].total().cost == Decimal("0.98")


def test_rows_are_grouped_by_what_is_asked_for():
    ledger = Ledger()
    for question, stage, offline, cost in (
        ("q1", "Read", False, 1),
        ("q1", "Plan", False, 2),
        ("q2", "Read", True, 4),
    ):
        with about(question=question, run="r", offline=offline), metered(stage):
            ledger.settle(ledger.reserve("m", Decimal(9)), Usage(10, 1), Decimal(cost), 1.0)
    assert ledger.rows("question") == [
        Spend(question="q1", usage=Usage(20, 2), cost=Decimal(3), requests=2, seconds=2.0),
        Spend(question="q2", usage=Usage(10, 1), cost=Decimal(4), requests=1, seconds=1.0),
    ]
    assert [(one.stage, one.offline, one.cost) for one in ledger.rows("stage", "offline")] == [
        ("Plan", False, Decimal(2)),
        ("Read", False, Decimal(1)),
        ("Read", True, Decimal(4)),
    ]
    assert [one.model for one in ledger.rows("model", "run", run="r")] == ["m"]
    assert ledger.rows("stage", run="other") == []
    assert ledger.total("other") == Spend()
    with pytest.raises(UsageError, match="not kept by colour"):
        ledger.rows("colour")


def test_money_is_exact_to_small_prices():
    ledger = Ledger()
    cost = Price(Decimal("0.075"), Decimal("0.3")).of(Usage(1, 1))
    for _ in range(1000):
        ledger.settle(ledger.reserve("m", cost), Usage(1, 1), cost, 0.0)
    assert ledger.total().cost == Decimal("0.000375")


def test_a_damaged_file_is_named(tmp_path):
    path = tmp_path / "ledger.sqlite"
    path.write_bytes(b"no database at all, but long enough to be taken for one" * 40)
    with pytest.raises(PinciteError, match=r"ledger\.sqlite cannot be opened"):
        Ledger(path)


LEDGER = Ledger()


@dataclass(frozen=True)
class Pay(Stage[Query, Draft]):
    price: int
    inner: Stage | None = None

    def run(self, given):
        hold = LEDGER.reserve("m", Decimal(9))
        LEDGER.settle(hold, Usage(self.price, 1), Decimal(self.price), 0.0)
        note(f"paid {self.price}")
        return self.inner(given) if self.inner else Draft(given, "paid", None)


def test_a_span_holds_what_its_own_stage_spent_and_said():
    with traced() as spans, metered() as meter:
        Pay(1, Pay(2))(Query("q"))
    assert [(span.usage, span.cost, span.notes) for span in spans] == [
        (Usage(2, 1), Decimal(2), ("paid 2",)),
        (Usage(1, 1), Decimal(1), ("paid 1",)),
    ]
    assert (meter.total.cost, meter.alone.cost) == (Decimal(3), Decimal(0))


def test_spending_is_booked_under_the_stage_at_work():
    with about(run="stages"):
        Pay(1).map([Query("q"), Query("r")])
        Pay(5)(Query("s"))
    assert [(one.stage, one.cost) for one in LEDGER.rows("stage", run="stages")] == [
        ("Pay", Decimal(7))
    ]
    note("outside of any stage nothing is kept")
