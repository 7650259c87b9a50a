"""Collections in the layout of BEIR: read with their ids, and measured as trec_eval measures, by hand and against it."""

import json
import math

import pytest

from pincite.corpus import Corpus
from pincite.errors import UsageError
from pincite.lab.comparison.comparison import compare
from pincite.lab.comparison.trec import write_qrels, write_run
from pincite.lab.experiments.experiment import read_examples, read_experiment
from pincite.lab.experiments.finished_runs import read_run_folder
from pincite.lab.experiments.laboratory import run_experiment
from pincite.lab.scoring.beir_folder import document_id, file_names, qrels_of, question_rows
from pincite.settings import Settings

DOCUMENTS = {
    "MED-10": ("Cranes", "A crane lifts gravel in the harbour. The harbour crane is old."),
    "med-10": ("Gravel", "Gravel from the quarry is shipped through the harbour."),
    "a/b.txt": ("", "The quarry delivered gravel, gravel and more gravel."),
    "7": ("Report 2019", "Rain fell on the quarry in May."),
    "8": ("Report 2020", "Rain fell on the quarry in May."),  # an edition of the last by its name
    "9": ("Twin", "The same words twice."),
    "10": ("Twin", "The same words twice."),
}
QUERIES = {"q/1": "harbour crane", "2": "gravel quarry", "three": "rain in May", "4": "same words", "5": "unjudged"}  # fmt: skip
QRELS = {
    "q/1": {"MED-10": 2, "med-10": 1, "7": 0},
    "2": {"a/b.txt": 1, "7": 2},
    "three": {"7": 1, "8": 1},
    "4": {"10": 1, "gone": 1},
}


def collection(folder, splits=("test",)):
    (folder / "qrels").mkdir(parents=True)
    (folder / "corpus.jsonl").write_text(
        "".join(
            json.dumps({"_id": key, "title": title, "text": text, "metadata": {}}) + "\n"
            for key, (title, text) in DOCUMENTS.items()
        )
    )
    (folder / "queries.jsonl").write_text(
        "".join(json.dumps({"_id": key, "text": text}) + "\n" for key, text in QUERIES.items())
    )
    judged = [
        f"{query}\t{document}\t{grade}\n"
        for query, grades in QRELS.items()
        for document, grade in grades.items()
    ]
    for split in splits:
        (folder / "qrels" / f"{split}.tsv").write_text("query-id\tcorpus-id\tscore\n" + "".join(judged))  # fmt: skip
    return folder


# ---- ids


def test_a_documents_file_is_named_by_its_id_and_names_differ_without_case():
    names = file_names([*DOCUMENTS, ".hidden", "x" * 300])
    assert names["7"] == "7.txt" and names["a/b.txt"] == "a%2Fb.txt.txt"
    assert names["MED-10"] == "%4D%45%44-10.txt" and names["med-10"] == "med-10.txt"
    assert names[".hidden"] == "%2Ehidden.txt" and len(names["x" * 300]) < 255
    assert len({name.casefold() for name in names.values()}) == len(names)
    for identity in DOCUMENTS:
        assert document_id(names[identity]) == identity


def test_queries_keep_their_ids_and_grades(tmp_path):
    folder = collection(tmp_path / "beir")
    rows = question_rows(folder)
    assert [row["id"] for row in rows] == ["q/1", "2", "three", "4"]
    assert rows[0]["qrels"] == {"%4D%45%44-10.txt": 2, "med-10.txt": 1, "7.txt": 0}
    assert [example.id for example in read_examples(folder)] == ["q/1", "2", "three", "4"]


def test_the_judgements_of_a_split(tmp_path):
    folder = collection(tmp_path / "beir", ("train", "dev"))
    assert qrels_of(folder).name == "dev.tsv" and qrels_of(folder, "train").name == "train.tsv"
    with pytest.raises(UsageError, match="no judgements of the split 'test'.*holds dev, train"):
        qrels_of(folder, "test")


@pytest.mark.parametrize(
    ("file", "line", "said"),
    [
        ("corpus.jsonl", '{"_id": "7", "text": "again"}', "several lines: 7"),
        ("corpus.jsonl", '{"text": "no id"}', "line 8: a JSON object with _id and text"),
        ("queries.jsonl", "not JSON", "line 6: a JSON object with _id and text"),
        ("qrels/test.tsv", "q\td\tmany", "line 11: query, document and a whole grade"),
    ],
)
def test_what_is_wrong_with_a_folder_is_said_with_its_line(tmp_path, file, line, said):
    folder = collection(tmp_path / "beir")
    with (folder / file).open("a") as more:
        more.write(line + "\n")
    with pytest.raises(UsageError, match=said):
        question_rows(folder)


def test_judgements_of_other_queries_are_none(tmp_path):
    folder = collection(tmp_path / "beir")
    (folder / "queries.jsonl").write_text('{"_id": "other", "text": "why?"}\n')
    with pytest.raises(UsageError, match="judges none of the queries"):
        question_rows(folder)


# ---- measured


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """BM25 over the collection, as an experiment."""
    place = tmp_path_factory.mktemp("beir")
    collection(place / "beir")
    (place / "lab.yaml").write_text(
        "corpora: {c: {beir: beir}}\nquestions: {c: {from: beir, corpus: c}}\nstand-ins: true\n"
        "recipes: [{recipe: bm25, list: [{indexes: hybrid, k_text: 100}]}]\n"
    )
    outcome = run_experiment(read_experiment(place / "lab.yaml"), place / "runs", Settings())
    assert not outcome.failed
    return read_run_folder(outcome.runs[0])


def test_every_document_is_found_whatever_its_twins_and_editions(run):
    assert {document_id(hit.document) for hit in run.hits["three"]} >= {"7", "8"}
    assert {document_id(hit.document) for hit in run.hits["4"]} == {"9", "10"}


def test_figures_are_those_worked_out_by_hand(run):
    ranked = [document_id(hit.document) for hit in run.hits["q/1"]]
    assert ranked[:2] == ["MED-10", "med-10"]
    # q/1: grades 2, 1 in the ideal order. 4: one of two judged documents is in the corpus, first or second
    of_twins = [document_id(hit.document) for hit in run.hits["4"]].index("10")
    gain = 1 / math.log2(of_twins + 2)
    (line,) = compare([run], ["nDCG@10"]).under("all questions")
    made = {key: line.measure.of(run, key)[0] for key in run.golds}
    assert made["q/1"] == 1.0
    assert made["4"] == pytest.approx(gain / (1 + 1 / math.log2(3)))


def test_figures_are_those_of_trec_eval_over_the_files_written_for_it(run, tmp_path):
    pytrec_eval = pytest.importorskip("pytrec_eval")
    write_run(tmp_path / "a.run", run, "document")
    write_qrels(tmp_path / "qrels", run.golds, "document")
    with (tmp_path / "qrels").open() as file:
        qrels = pytrec_eval.parse_qrel(file)
    assert qrels["2"] == {"a/b.txt": 1, "7": 2} and set(qrels) == {"q/1", "2", "three", "4"}
    with (tmp_path / "a.run").open() as file:
        found = pytrec_eval.parse_run(file)
    names = {
        "ndcg_cut_10": "nDCG@10", "recall_10": "R@10", "P_10": "P@10", "map": "AP", "recip_rank": "RR",
        "success_1": "Success@1",
    }  # fmt: skip
    kinds = {"ndcg_cut", "recall", "P", "map", "recip_rank", "success"}
    theirs = pytrec_eval.RelevanceEvaluator(qrels, kinds).evaluate(found)
    for name, ours in names.items():
        (line,) = compare([run], [ours]).under("all questions")
        for key in run.golds:
            assert line.measure.of(run, key)[0] == pytest.approx(theirs[key][name]), (ours, key)


def test_one_command_reads_a_collection(tmp_path, pincite):
    collection(tmp_path / "beir")
    words = ("beir", tmp_path / "beir", "-c", tmp_path / "corpus", "--out", tmp_path / "q.jsonl")
    code, out, said = pincite(*words)
    assert code == 0, said
    assert "7 documents" in out and "4 questions" in out
    held = {document_id(document.id) for document in Corpus(tmp_path / "corpus").documents}
    assert held == set(DOCUMENTS)
    assert [one.id for one in read_examples(tmp_path / "q.jsonl")] == ["q/1", "2", "three", "4"]
    assert pincite(*words, "--json")[0] == 0
