"""Tables whose rows are records."""

from pincite.answer.choose import choose
from pincite.answer.given import document_of
from pincite.answer.question import understand
from pincite.answer.records import read_records
from pincite.types import Quantity, Query

RACES = [
    ["Year", "Rider", "Team", "Points"],
    ["1998", "Anna Berg", "Falun", "12"],
    ["1999", "Mia Lund", "Borås", "30"],
    ["2000", "Eva Holm", "Falun", "21"],
    ["2001", "Ida Strand", "Umeå", "7"],
]


def answer(text):
    ask = understand(Query(text))
    return choose(ask, read_records(ask, document_of(RACES, [])))[0]


def test_a_row_is_found_by_its_cells_and_a_column_by_its_name():
    assert answer("which team did mia lund ride for?").value == "Borås"
    assert answer("which rider had the most points?").value == "Mia Lund"
    assert answer("which rider came after eva holm?").value == "Ida Strand"


def test_counts_cite_the_rows_they_count():
    found = answer("how many riders rode for falun?")
    assert isinstance(found.value, Quantity)
    assert found.value.value == 2
    assert [e.cells[0][0] for e in found.evidence] == [1, 3]


def test_likelihoods_sum_to_one():
    ask = understand(Query("which rider had the most points?"))
    found = choose(ask, read_records(ask, document_of(RACES, [])))
    assert abs(sum(c.score for c in found) - 1) < 1e-9
    assert [c.score for c in found] == sorted((c.score for c in found), reverse=True)
