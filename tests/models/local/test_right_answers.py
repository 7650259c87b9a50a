"""The default model is right where the answer is known: asked of small databases in free words, and of the example reports."""

import sys
import time
from dataclasses import dataclass
from decimal import Decimal

import pytest

from pincite.evidence.value_in_words import worded
from pincite.indexing import Wanted
from pincite.types import Quantity, Table
from pincite.workbench.library import Library, index
from tests.copied import unasked
from tests.rows.drafting import stores

pytestmark = [pytest.mark.servers, pytest.mark.model, pytest.mark.usefixtures("default_model")]

SURE, UNSURE = 0.8, 0.6
"""No wrong answer is shown with more confidence than the first, and what is not there with less than the second."""
ASKED = {
    "shop": (
        ("How many shipments did Passat make?", "3"),
        ("What is the total order amount of the orders shipped by Fjordline?", "4100 EUR"),  # 101 and 103 have two shipments
        ("How much insulation was sold, in euros?", "3740 EUR"),
        ("Which customer has ordered for the most money?", "Brook Homes"),
        ("What is the average amount of an order?", "1080 EUR"),
    ),
    "ledger": (
        ("What is the total amount of all invoices?", "45600 EUR, 2400000 JPY, 18250 USD"),
        ("Which invoices have not been paid?", "R-1004, R-1005, R-1007"),
        ("When was the latest invoice of Vellinge Glas issued?", "2023-11-15"),
    ),
    "garage": (
        ("What is the payload of KI-E 500?", "26000 kg"),
        ("What is the total payload of all Volvo vehicles in tonnes?", "64 t"),
        ("How many vehicles are in the workshop?", "1"),
        ("What is the fuel consumption of the vehicle KI-A 100?", None),
    ),
}  # fmt: skip
"""Questions to the databases of `stores` with what is right, worked out by hand; None where the database does not hold it."""
REPORTS = (
    Quantity(Decimal(11_706_000), "EUR"),
    Quantity(Decimal("24.93"), "%"),  # from 54,633 to 68,253
    Quantity(Decimal(70_400), "t CO2e"),
    Quantity(Decimal("0.26"), "Wh"),
    None,
)
"""What is right of examples/questions.txt."""


@dataclass(frozen=True)
class Told:
    """What came of a question: what is right, what was shown for it, how sure, why nothing was, in how many seconds."""

    question: str
    right: bool
    shown: str
    confidence: float
    reason: str
    seconds: float

    @property
    def wrong(self):
        return bool(self.shown) and not self.right

    def __str__(self):
        how = "right" if self.right else "WRONG" if self.shown else "refused"
        why = "" if self.shown else f" ({self.reason[:90]})"
        return f"{how:8}{self.seconds:5.1f} s  {self.question} -> {self.shown or '-'}{why}  {self.confidence:.2f}"


def words(value):
    """A value's elements as texts, each amount in its unit; of a table its cells."""
    if isinstance(value, tuple):
        return {word for each in value for word in words(each)}
    if isinstance(value, Quantity):
        return {f"{value.amount.normalize():f} {value.unit}".strip()}
    if isinstance(value, Table):
        return {cell.text for cell in value.cells if cell.row >= value.header_rows}
    return {str(value)}


@pytest.fixture(scope="module")
def databases(tmp_path_factory):
    """A corpus of each database."""
    folder = tmp_path_factory.mktemp("databases")
    for name in ASKED:
        stores.opened(folder, getattr(stores, name.upper()), name).source.close()
        index((), folder / name, databases=[Wanted(folder / f"{name}.sqlite")])
    return {name: Library(folder / name) for name in ASKED}


def told_of_rows(library, question, right):
    started = time.monotonic()
    told, answer = library.rows(question)
    seconds = time.monotonic() - started
    shown = "" if answer.value is None else worded(answer.value)
    found = words(answer.value) if shown else None
    is_right = found == (right and set(right.split(", ")))
    reason = answer.reason or told.draft.reason
    return Told(question, is_right, shown, told.draft.confidence, reason, seconds)


def test_questions_in_free_words_to_small_databases(databases, capsys):
    """Nine of twelve are right, what the database does not hold is refused or unsure, and no wrong one is sure."""
    told = [
        told_of_rows(databases[name], *each) for name, questions in ASKED.items() for each in questions
    ]  # fmt: skip
    with capsys.disabled():
        sys.stdout.writelines(f"\n{one}" for one in told)
    assert len(told) == 12
    assert sum(one.right for one in told) >= 9
    assert not told[-1].shown or told[-1].confidence < UNSURE
    assert [one for one in told if one.wrong and one.confidence > SURE] == []


def told_of_reports(library, question, right):
    started = time.monotonic()
    answer = library.outcome(library.query(question)).answer
    seconds = time.monotonic() - started
    value = answer.value
    if right is None or not isinstance(value, Quantity):
        is_right = value is right is None
    else:
        near = abs(value.amount - right.amount) <= abs(right.amount) / 1000
        is_right = near and value.unit == right.unit
    shown = "" if value is None else worded(value)
    return Told(question, is_right, shown, answer.confidence, answer.reason, seconds)


def test_the_questions_about_the_example_reports(example_corpus, examples, tmp_path, capsys):
    """Nothing wrong is shown, and what no page says is refused."""
    library = Library(unasked(example_corpus, tmp_path / "corpus"))
    asked = (examples / "questions.txt").read_text().splitlines()
    told = [told_of_reports(library, *each) for each in zip(asked, REPORTS, strict=True)]
    with capsys.disabled():
        sys.stdout.writelines(f"\n{one}" for one in told)
    assert not told[4].shown
    assert [one for one in told if one.wrong] == []
