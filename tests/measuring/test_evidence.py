import numpy as np
import pytest

from benchmarks.measuring import evidence_pairs as evidence
from benchmarks.measuring.own_questions import QUESTIONS
from pincite.evidence.judge_input import CellPlace, SentencePlace, serialise
from pincite.records.runfile import read_lines


class Overlap:
    """Scores a place by how many words of the question stand in it."""

    threshold = 2.0

    def odds(self, question, places):
        asked = set(question.lower().replace("?", "").split())
        return np.array(
            [len(asked & set(serialise(one).lower().split())) for one in places], np.float32
        )


def side(row, column, value="7"):
    return {"caption": "Income", "heading": "", "row": row, "column": column, "value": value}


def test_a_cell_is_shown_with_its_paths():
    given = {
        "caption": "Plants",
        "heading": "Group",
        "row": "2023 > Total",
        "column": "Sales",
        "value": "6.67",
    }
    assert evidence.place(given) == CellPlace(
        ("Group", "2023", "Total"), ("Sales",), "6.67", "Plants"
    )
    assert evidence.place(given | {"heading": "Total"}).row == ("2023", "Total")


def test_a_sentence_is_shown_with_its_value_marked():
    given = {"heading": "Staff", "sentence": "We employ 900 people.", "value": "900"}
    assert evidence.place(given) == SentencePlace("Staff", "We employ 900 people.", 10, 13)


def test_figures_of_pairs_by_hand():
    rows = [
        {
            "question": "sales 2020",
            "differs": "period",
            "from": "a",
            "right": side("Sales", "2020"),
            "wrong": wrong,
        }
        for wrong in (
            side("Sales", "2019"),
            side("Sales in", "2020"),
        )  # the second is as good as the right place
    ]
    pairs = list(evidence.judged(rows, Overlap()))
    told = evidence.near_miss_lines(pairs, Overlap.threshold, ("differs", "from"))
    made = {(line.of, line.figure.metric): line.figure for line in told}
    assert made["near misses", "near misses let through"].value == 0.5
    assert made["near misses", "right evidence rejected"].value == 0
    assert (
        made["near misses", "AUC"].value == pytest.approx(0.75)
        and made["near misses", "AUC"].n == 2
    )
    assert made["near misses", "right above the other of its pair"].value == 0.5
    assert {"near misses, differs period", "near misses, from a"} <= {of for of, _ in made}


def test_the_checks_of_place_hold_the_period_against_the_question():
    right, wrong = (evidence.place(side("Sales", year, "1,200")) for year in ("2020", "2019"))
    assert stands("What were sales in 2020?", right)
    assert not stands("What were sales in 2020?", wrong)
    said = evidence.place(
        {"heading": "Staff", "sentence": "We employed 900 people in 2019.", "value": "900"}
    )
    assert stands("How many people did we employ in 2019?", said)


def stands(question, side):
    """Whether an answer taken from a place passes the checks of place."""
    return evidence.holds(question, evidence.evidence_of(side))


def test_every_pair_of_the_project_can_be_shown():
    for row in read_lines(QUESTIONS / "near_misses.jsonl"):
        assert evidence.place(row["right"]) != evidence.place(row["wrong"]), row["id"]
