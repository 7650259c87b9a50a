import ir_measures
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.corpus import Corpus
from pincite.errors import UsageError
from pincite.lab.comparison import trec
from pincite.lab.comparison.comparison import compare
from pincite.lab.experiments.finished_runs import Run, read_run_folder
from pincite.lab.scoring.examples import load_beir
from pincite.records.runfile import FoundPage
from tests.lab.made_runs import FIRST, GOLDS, write


@given(
    st.text(min_size=1, max_size=20).filter(lambda name: not name.isspace()), st.integers(0, 999)
)
def test_items_are_one_word_and_come_back(name, page):
    word = trec.item(name, page)
    assert word.split() == [word] and trec.place(word) == (name, page)


def test_a_run_as_trec_has_it(tmp_path):
    run = Run(
        "my run",
        {},
        hits={
            "q 1": [
                FoundPage("A b.pdf", 3, 0.5),
                FoundPage("a b.pdf", 3, 0.4),
                FoundPage("c.pdf", 1, 0.9),
            ]
        },
    )
    trec.write_run(tmp_path / "run", run)
    assert (
        (tmp_path / "run").read_text()
        == (
            "q%201 Q0 a%20b#3 1 0.5 my%20run\nq%201 Q0 c#1 2 0.4999995 my%20run\n"  # scores fall with the rank
        )
    )
    assert trec.read_run(tmp_path / "run") == {
        "q 1": [FoundPage("a b", 3, 0.5), FoundPage("c", 1, 0.4999995)]
    }
    trec.write_run(tmp_path / "run", run, "document")
    assert (tmp_path / "run").read_text().splitlines()[0] == "q%201 Q0 a%20b 1 0.5 my%20run"


@pytest.mark.parametrize("level", ["page", "document"])
def test_ir_measures_reads_what_is_written(tmp_path, level):
    run = read_run_folder(write(tmp_path, "first", FIRST))
    trec.write_run(tmp_path / "run", run, level)
    trec.write_qrels(tmp_path / "qrels", run.golds, level)
    names = ["nDCG@10", "RR", "R@2", "Success@1"]
    judged = ir_measures.read_trec_qrels(str(tmp_path / "qrels"))
    found = ir_measures.read_trec_run(str(tmp_path / "run"))
    theirs = ir_measures.calc_aggregate(
        [ir_measures.parse_measure(name) for name in names], list(judged), list(found)
    )
    ours = compare([run], [f"{level} {name}" for name in names], samples=10)
    for each in ours.under("all questions"):
        name = each.measure.name.removeprefix(f"{level} ")
        assert each.values[0].value == pytest.approx(theirs[ir_measures.parse_measure(name)]), name
    again = compare(
        [trec.run_of(tmp_path / "run", tmp_path / "qrels")],
        [f"{level} {name}" for name in names],
        samples=10,
    )
    assert [each.values[0].value for each in again.under("all questions")] == [
        pytest.approx(each.values[0].value) for each in ours.under("all questions")
    ]


def test_a_corpus_goes_out_as_a_collection_and_in(example_corpus, tmp_path):
    gold = {
        "question": "tax?",
        "doc_ids": ["halvorsen-annual-report-2023.pdf"],
        "evidence_pages": [3],
    }
    trec.write_beir(tmp_path, Corpus(example_corpus), {"1": gold, "2": GOLDS[2]})
    (example,) = load_beir(tmp_path)
    assert (example.id, example.query.text) == ("1", "tax?")
    assert example.meta["gold"]["qrels"] == {"halvorsen-annual-report-2023%233.txt": 1}
    pages = (tmp_path / "corpus.jsonl").read_text().splitlines()
    assert any(
        '"_id": "halvorsen-annual-report-2023#3"' in page and "Revenue" in page for page in pages
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [("q 0 d\n", "4 fields"), ("q 0 d x\n", "whole number"), ("", "no judgement")],
)
def test_what_is_wrong_is_said(tmp_path, text, said):
    (tmp_path / "qrels").write_text(text)
    (tmp_path / "run").write_text("q Q0 d 1 0.5 tag\n")
    with pytest.raises(UsageError, match=said):
        trec.run_of(tmp_path / "run", tmp_path / "qrels")
