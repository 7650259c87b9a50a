"""Questions of batches, grids and experiments on real workers: the same answers as without, though one worker is killed."""

import json
import shutil
from pathlib import Path

import pytest

from tests.cluster.hosts import Hosts

pytestmark = pytest.mark.servers

pytest.importorskip("distributed")

QUESTIONS = [
    "What was the income tax expense in 2023?",
    "What was net revenue in 2023?",
    "How many employees were there at the end of 2023?",
    "What is the diameter of the Moon?",
]


@pytest.fixture(scope="module")
def hosts(tmp_path_factory):
    made = Hosts(tmp_path_factory.mktemp("hosts")).start()
    yield made
    made.stop()


@pytest.fixture
def questions(tmp_path):
    rows = [{"id": str(n), "question": QUESTIONS[n % len(QUESTIONS)]} for n in range(40)]
    path = tmp_path / "questions.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def answered(path):
    """The lines of a file of answers without the ids under which they are kept."""
    rows = map(json.loads, Path(path).read_text().splitlines())
    return [{name: value for name, value in row.items() if name != "answer_id"} for row in rows]


def test_a_batch_on_a_cluster_gives_the_same_answers(
    pincite, fresh_corpus, questions, hosts, tmp_path
):
    words = ("batch", questions, "--corpus", fresh_corpus, "--out")
    assert pincite(*words, tmp_path / "here.jsonl")[0] == 0
    code, said, _ = pincite(*words, tmp_path / "there.jsonl", "--on", hosts.address)
    assert (code, "40 questions answered" in said) == (0, True)
    assert answered(tmp_path / "there.jsonl") == answered(tmp_path / "here.jsonl")
    hosts.kill_worker()  # the next run has one left
    assert pincite(*words, tmp_path / "again.jsonl", "--on", hosts.address)[0] == 0
    assert answered(tmp_path / "again.jsonl") == answered(tmp_path / "here.jsonl")


def test_a_grid_on_a_cluster_is_the_same(pincite, fresh_corpus, hosts, tmp_path):
    hosts.start()
    other = tmp_path / "other"
    shutil.copytree(fresh_corpus, other)
    spec = tmp_path / "spec.csv"
    spec.write_text(
        "company,What was net revenue in 2023?,What was the income tax expense in 2023?\nHalvorsen,,\nSolvik,,\n"
    )
    words = ("grid", spec, "--no-pages", "--out")
    assert pincite(*words, tmp_path / "here.json", "--corpus", fresh_corpus)[0] == 0
    code, said, wrong = pincite(
        *words, tmp_path / "there.json", "--corpus", other, "--on", hosts.address
    )
    assert code == 0, wrong
    made = [cells(tmp_path / name) for name in ("here.json", "there.json")]
    assert made[0] == made[1]
    assert (
        "0 answered in this run"
        in pincite(*words, tmp_path / "there.json", "--corpus", other, "--on", hosts.address)[1]
    )


def cells(path):
    rows = json.loads(path.read_text())["cells"]
    return [[(cell["text"], cell["status"]) for cell in row] for row in rows]


def test_an_experiment_on_a_cluster_writes_the_same_files(
    fresh_corpus, questions, hosts, tmp_path
):
    from pincite.lab.experiments.experiment import read_experiment
    from pincite.lab.experiments.laboratory import run_experiment
    from pincite.settings import Settings

    hosts.start()
    path = tmp_path / "lab.yaml"
    path.write_text(
        "corpora: {reports: corpus}\nquestions: {reports: {from: questions.jsonl, corpus: reports}}\n"
        "recipes: [bm25, {recipe: bm25, grid: {k_text: [3]}}]\nk: 5\nanswers: true\nstand-ins: true\n"
    )
    here = run_experiment(read_experiment(path), tmp_path / "here", Settings())
    there = run_experiment(read_experiment(path), tmp_path / "there", Settings(), on=hosts.address)
    assert (there.asked, there.failed) == (80, {}) and here.asked == 80
    for one, other in zip(here.runs, there.runs, strict=True):
        for name in ("golds.jsonl", "hits.jsonl", "answers.jsonl"):
            assert (one / name).read_bytes() == (other / name).read_bytes()


def test_a_corpus_that_workers_do_not_see_is_said_to_be_so(
    fresh_corpus, questions, hosts, tmp_path, monkeypatch
):
    from pincite.errors import ClusterError
    from pincite.settings import Settings
    from pincite.workbench.batch import read_questions
    from pincite.workbench.cluster_answers import answers_on
    from pincite.workbench.library import Library

    hosts.start()
    library = Library(fresh_corpus, Settings())
    asked = [(question, question.query(library)) for question in read_questions(questions)]
    monkeypatch.setattr(library.corpus, "folder", tmp_path / "elsewhere")
    with (
        answers_on(hosts.address) as answers,
        pytest.raises(ClusterError, match="does not find the corpus"),
    ):
        list(answers(asked, library, "run"))
