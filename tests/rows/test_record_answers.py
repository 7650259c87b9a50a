"""Tables of records in documents, asked through `ask`."""

import pytest

import pincite
from pincite.document.record_tables import holds_records
from pincite.lab.measuring.bare_table import document_of
from pincite.settings import Settings
from pincite.workbench.bundle import bundle, verify

FLEET = [
    ["Ship", "Captain", "Home port", "Type", "Built"],
    ["Aurora", "Nils Berg", "Bergen", "Tanker", "1998"],
    ["Borealis", "Kari Lund", "Oslo", "Ferry", "2004"],
    ["Ceres", "Ola Moe", "Bergen", "Ferry", "2011"],
    ["Dione", "Per Dahl", "Tromso", "Tanker", "1987"],
    ["Europa", "Eva Hauge", "Bergen", "Ferry", "2019"],
]
FIGURES = [["", "2022", "2023"], ["Revenue", "1,200", "1,350"], ["Net income", "120", "95"]]


def html(rows):
    lines = ("".join(f"<td>{cell}</td>" for cell in row) for row in rows)
    return f"<h1>Fleet</h1><table>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>".replace(
        "td>", "th>", 2 * len(rows[0])
    )


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("records")
    (folder / "fleet.html").write_text(html(FLEET), encoding="utf-8")
    pincite.index([folder / "fleet.html"], folder / "corpus")
    return folder / "corpus"


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("How many ferries are there?", 3),
        ("How many ships have Bergen as home port?", 3),
        ("Which ferry was built last?", "Europa"),
        ("What is the home port of Dione?", "Tromso"),
    ],
)
def test_rows_are_counted_compared_and_looked_up(corpus, question, value):
    answer = pincite.open(corpus).ask(question)
    assert getattr(answer.value, "amount", answer.value) == value
    assert answer.checks[0].verdict == ("computed" if isinstance(value, int) else "supported")
    assert all(citation.anchor.cells for citation in answer.citations)


def test_what_code_may_not_compute_is_not_counted(corpus):
    library = pincite.open(corpus, settings=Settings(derived="forbid"))
    answer = library.ask("How many ferries are there?")
    assert not any(claim.operation for claim in answer.claims)


def test_labels_over_numbers_are_no_records():
    assert holds_records(document_of(FLEET, [])[0].node.table)
    assert not holds_records(document_of(FIGURES, [])[0].node.table)


def test_a_bundle_of_such_an_answer_is_read_again(corpus, tmp_path):
    library = pincite.open(corpus)
    (identity,) = library.keep([library.ask("How many ferries are there?")])
    packed = tmp_path / "evidence.zip"
    bundle(library, [identity], packed)
    found = verify(packed)
    assert found.ok and found.read == 1 and not found.unread
