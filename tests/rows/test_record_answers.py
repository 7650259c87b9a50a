"""Tables of records in documents, asked through `ask`."""

import pytest

import pincite
from benchmarks.measuring.bare_table import document_of
from pincite.document.record_tables import holds_records
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


def test_a_row_is_looked_up(corpus):
    answer = pincite.open(corpus).ask("What is the home port of Dione?")
    assert answer.value == "Tromso" and answer.checks[0].verdict == "supported"
    assert all(citation.anchor.cells for citation in answer.citations)


def test_labels_over_numbers_are_no_records():
    assert holds_records(document_of(FLEET, [])[0].node.table)
    assert not holds_records(document_of(FIGURES, [])[0].node.table)


def test_a_bundle_of_such_an_answer_is_read_again(corpus, tmp_path):
    library = pincite.open(corpus)
    (identity,) = library.keep([library.ask("What is the home port of Dione?")])
    packed = tmp_path / "evidence.zip"
    bundle(library, [identity], packed)
    found = verify(packed)
    assert found.ok and found.read == 1 and not found.unread
