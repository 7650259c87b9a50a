"""Near misses that code makes: the right cell is named by the question, the other differs from it in one thing."""

import pytest

from benchmarks.measuring.evidence_pairs import holds
from benchmarks.measuring.generated_near_misses import firm, generated
from pincite.document.labelled_cells import labels
from pincite.workbench.library import index

ROWS = {
    "ACME": [
        ["", "December 31, 2020", "December 31, 2019"],
        ["Current assets:", "", ""],
        ["Trade receivables", "1,200", "1,100"],
        ["Loans granted", "310", "290"],
        ["Other assets:", "", ""],
        ["Loans granted", "45", "52"],
    ],
    "BETACO": [
        ["", "December 31, 2020", "December 31, 2019"],
        ["Total equity", "900", "870"],
        ["Net debt", "77", "81"],
    ],
    "GAMMA": [
        ["", "December 31, 2020", "December 31, 2019"],
        ["Total equity", "640", "615"],
        ["Work done", "12", "18"],
    ],
}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("generated")
    for name, rows in ROWS.items():
        head, *body = ["".join(f"<td>{cell}</td>" for cell in row) for row in rows]
        table = head.replace("td>", "th>") + "".join(f"<tr>{row}</tr>" for row in body)
        (folder / f"{name}_2020_10K.html").write_text(
            f"<h1>Report</h1><table><tr>{table}</table>", encoding="utf-8"
        )
    index([folder], folder / "corpus")
    return folder / "corpus"


def where(evidence):
    """The firm, label and column of a cell, with its section."""
    cells = {(cell.row, cell.column): cell for cell in labels(evidence.node.table).cells}
    cell = cells[evidence.cells[0]]
    return firm(evidence.document), cell.sections, cell.label, cell.heading


DIFFERS = {"metric": 2, "period": 3, "scope": 1, "entity": 0}


def test_the_other_cell_differs_in_the_one_thing_that_is_told(corpus):
    made = generated(corpus)
    assert {each.differs for each in made} == set(DIFFERS)
    for each in made:
        right, wrong = where(each.right), where(each.wrong)
        assert [at for at in range(4) if right[at] != wrong[at]] == [
            DIFFERS[each.differs]
        ] or each.differs == "metric"
        assert right[2].lower() in each.question.lower()
        assert right[3][-4:] in each.question
        assert each.right.quote != each.wrong.quote
    assert generated(corpus) == made
    assert len(generated(corpus, 2)) == 2 * len(DIFFERS)


def test_the_checks_of_place_tell_the_years_apart(corpus):
    for each in generated(corpus):
        if each.differs == "period":
            assert holds(each.question, each.right)
            assert not holds(each.question, each.wrong)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("NIKE_2019_10K.pdf", "NIKE"),
        ("2023 Q1 NVDA.pdf", "NVDA"),
        ("0a61a353b1ea9fd.pdf", ""),
        ("3M_2018_10K.pdf", ""),
    ],
)
def test_a_firm_is_told_by_a_file_name(name, expected):
    assert firm(name) == expected
