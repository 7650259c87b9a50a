"""Quantities in running text: read, preferred."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.document.sentences import is_row, read
from pincite.evidence.candidate import Passage
from pincite.evidence.stance import asked_stems
from pincite.lines.reading import best_of, candidates
from pincite.question.understanding import understand
from pincite.types import Anchor, Node, Quantity, Query

TRAINING = """Training the Heron-7B model used 24 MWh of electricity and emitted 4.3 tonnes of CO2e [12].
Training the Osprey model used 1,200 MWh and emitted 552 tonnes of CO2e, as Table 3 shows.
The water use of the site was 0.18 L/kWh in 2023, down from 0.25 L/kWh in 2021."""

TABLE = """The mean energy of every task is given below.
task energy (kWh) deviation
sorting letters 0.002 0.001
finding objects 0.038 0.020
writing stories 0.047 0.030
Table 2: Mean and deviation of the energy in kWh for 1,000 requests."""


def passages(*texts: str) -> list[Passage]:
    return [
        Passage(
            Node(f"n{at}", "page", text, Anchor("sha", ((at + 1, None),))),
            rank=at,
            document=f"d{at}",
        )
        for at, text in enumerate(texts)
    ]


def best(question: str, *texts: str, unit: str = "") -> Quantity:
    value = best_of(understand(Query(question, unit=unit)), passages(*texts))[0].value
    assert isinstance(value, Quantity)
    return value


@pytest.mark.parametrize(
    ("question", "unit", "value"),
    [
        ("How much electricity did training the Heron-7B model use, in MWh?", "MWh", "24"),
        ("How much electricity did training the Osprey model use?", "MWh", "1200"),
        ("What were the CO2 emissions of training Heron 7B?", "tonnes CO2e", "4.3"),
        ("What was the water use of the site in 2023?", "L/kWh", "0.18"),
        ("What was the water use of the site in 2021?", "L/kWh", "0.25"),
    ],
)
def test_the_number_that_is_asked_for_comes_first(question: str, unit: str, value: str) -> None:
    assert best(question, TRAINING, TABLE, unit=unit).amount == Decimal(value)


PERMIT = """The limit for total nitrogen is 12 mg/l as a monthly mean.
The operator reports to the county board by 15 February of each following year."""


def test_a_number_and_its_unit_stand_for_the_text_that_begins_with_them() -> None:
    """A typed value, with the chance of both; a time says more with what follows it."""
    found = best_of(understand(Query("What is the limit for total nitrogen?")), passages(PERMIT))
    assert isinstance(found[0].value, Quantity) and found[0].value.unit == "mg/L"
    assert not any(
        isinstance(each.value, str) and each.value.startswith("12 mg") for each in found
    )


def test_a_date_is_one_phrase() -> None:
    asked = understand(Query("By which date does the operator report to the county board?"))
    assert [each.value for each in best_of(asked, passages(PERMIT))][0] == "15 February"


def test_a_line_of_a_flattened_table_answers_by_its_label() -> None:
    assert best(
        "What is the mean energy of finding objects?", TRAINING, TABLE, unit="kWh"
    ).amount == Decimal("0.038")


@pytest.mark.parametrize(("asked", "value"), [("withdrawal", "43.8"), ("consumption", "3.1")])
def test_respectively_binds_numbers_to_the_items_in_order(asked: str, value: str) -> None:
    text = "The water withdrawal and consumption of the plant are about 43.8 L/kWh and 3.1 L/kWh, respectively."
    question = f"What is the water {asked} of the plant?"
    assert best(question, text, unit="L/kWh").amount == Decimal(value)


def test_respectively_binds_the_second_of_three() -> None:
    text = "Sales of carp, perch and pike were 12, 30 and 7 tonnes, respectively."
    assert best("What were the sales of perch?", text, unit="tonnes").value == 30


def test_numbers_leave_out_labels_and_parts_of_names() -> None:
    ask = understand(Query("How many chips do Heron-7B and T5 need?"))
    found = best_of(ask, passages("As Table 3 shows, Heron-7B and T5 need 40 chips."))
    assert [one.value.amount for one in found if isinstance(one.value, Quantity)] == [40]


def test_the_evidence_points_at_the_number() -> None:
    ask = understand(Query("How many MWh did training the Osprey model use?"))
    where = best_of(ask, passages(TRAINING))[0].evidence[0]
    assert where.node.text[where.start : where.end].startswith("1,200")
    assert where.document == "d0"


def test_evidence_points_into_the_node_that_holds_it_when_a_page_has_several() -> None:
    nodes = [
        Passage(
            Node(f"p{at}", "paragraph", text, Anchor("sha", ((1, None),))), rank=0, document="d"
        )
        for at, text in enumerate(
            ("The plant opened long ago.", "It employs 321 people in two halls.", "It is large.")
        )
    ]
    where = best_of(understand(Query("How many people does the plant employ?")), nodes)[
        0
    ].evidence[0]
    assert where.node.id == "p1"
    assert where.node.text[where.start : where.end].startswith("321")


def test_scores_are_likelihoods_best_first() -> None:
    asked = understand(Query("How many MWh did Osprey use?"))
    scores = [candidate.score for candidate in best_of(asked, passages(TRAINING, TABLE))]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores) and sum(scores) <= 1


def test_no_passages_give_no_candidates() -> None:
    for question in ("How many?", "Who leads the lab?", "Is it large?"):
        assert best_of(understand(Query(question)), []) == []


def test_sentences_end_at_full_stops_but_not_at_abbreviations() -> None:
    reading = read(
        "Lee et al. Found it in Fig. 3 of the U.S. report. It grew by 4.5 percent. See below."
    )
    assert [reading.quote(at) for at in range(len(reading.segments))] == [
        "Lee et al. Found it in Fig. 3 of the U.S. report.",
        "It grew by 4.5 percent.",
        "See below.",
    ]


@pytest.mark.parametrize(
    ("line", "row"),
    [
        ("finding objects 0.038 0.02", True),
        ("Revenue 1,234 (456) 12%", True),
        ("of 0.0068 kWh for 1,000 inferences than sorting (1.35 kWh) and, conversely,", False),
        ("The plant opened in 1990.", False),
        ("clauses in Articles 21(3), 53(7), and 78(1) [4]. The limited availability", False),
    ],
)
def test_rows_are_labels_with_numbers(line: str, row: bool) -> None:
    assert is_row(line) is row


def test_a_name_with_its_number_is_found_with_and_without_the_hyphen() -> None:
    assert read("LLaMA-7B").places["7b"] == (0,)


def test_question_words_are_no_terms() -> None:
    stems, pairs = asked_stems("What is the water use of the Mesa site in 2023?")
    assert stems == ["water", "use", "mesa", "site", "2023"]
    assert ("water", "use") in pairs


@given(st.text(max_size=300))
def test_segments_cover_tokens_in_order_without_overlap(text: str) -> None:
    reading = read(text)
    at = 0
    for segment in reading.segments:
        assert at <= segment.first < segment.last <= len(reading.stems)
        at = segment.last


@given(st.text(max_size=200), st.text(max_size=60))
def test_reading_never_fails(text: str, question: str) -> None:
    best_of(understand(Query(question or "x")), passages(text))


MILL = """The mill spent 812 thousand EUR on freight in 2022.
Freight was carried by Norvik Lines because the old carrier had stopped sailing."""


@pytest.mark.parametrize(
    ("question", "expects", "number"),
    [
        ("What did the mill spend on freight in 2022?", None, True),
        ("Mill: freight spending, 2022", None, True),
        ("What did the mill spend on freight in 2022?", "text", False),
        ("Describe what the mill spent on freight in 2022.", None, False),
        ("Why did the mill spend more on freight in 2022?", None, False),
        ("How did the mill carry its freight in 2022?", None, False),
    ],
)
def test_numbers_compete_where_the_wording_names_no_kind(question, expects, number):
    found, _ = candidates(understand(Query(question, expects=expects)), passages(MILL))
    values = [each.value for each in found]
    assert (812000 in [each.amount for each in values if isinstance(each, Quantity)]) == number
    assert any(isinstance(each, str) for each in values)


def test_one_order_holds_words_and_numbers():
    asked = understand(Query("What did the mill spend on freight in 2022?"))
    assert best_of(asked, passages(MILL))[0].value.amount == 812000
