"""Experiments end to end on the example reports: runs that fail, that were killed, that are read as Parquet."""

import json
import shutil
import sqlite3

import pytest
from typer.testing import CliRunner

from pincite.cli.main import app
from pincite.indexing import Wanted
from pincite.lab.comparison.parquet import write_parquet
from pincite.lab.experiments import laboratory
from pincite.lab.experiments.experiment import read_experiment
from pincite.lab.experiments.finished_runs import read_run_folder
from pincite.lab.experiments.laboratory import FAILED, run_experiment
from pincite.records.answer_record import clean
from pincite.settings import Settings
from pincite.workbench.library import Library, index

REPORT, OTHER = "halvorsen-annual-report-2023.pdf", "solvik-sustainability-2023.pdf"
QUESTIONS = [
    {
        "id": "tax",
        "question": "What was the income tax expense in 2023?",
        "doc_ids": [REPORT],
        "answer": 11.706,
    },
    {
        "id": "staff",
        "question": "How many employees were there at the end of 2023?",
        "doc_ids": [OTHER],
        "answer": 3,
    },
    {"id": "moon", "question": "What is the diameter of the Moon?", "answer": ""},
]
FILES = ("golds.jsonl", "hits.jsonl", "answers.jsonl")


@pytest.fixture
def written(example_corpus, tmp_path):
    """An experiment in a folder of its own, over a copy of the example corpus."""
    shutil.copytree(example_corpus, tmp_path / "corpus")
    (tmp_path / "q.jsonl").write_text("".join(json.dumps(row) + "\n" for row in QUESTIONS))

    def write(recipes, **more):
        head = (
            "corpora: {reports: corpus}\nquestions: {reports: {from: q.jsonl, corpus: reports}}\n"
        )
        path = tmp_path / "lab.yaml"
        rest = "".join(f"{name.replace('_', '-')}: {value}\n" for name, value in more.items())
        path.write_text(f"{head}recipes: {recipes}\nk: 5\n{rest}")
        return path

    return write


def rows(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_a_run_that_fails_is_named_and_does_not_stop_the_others(written, tmp_path):
    path = written(
        "[bm25, hero, {recipe: bm25, grid: {k_text: [3]}}]", answers="false"
    )  # hero has no encoder here
    done = CliRunner().invoke(app, ["experiment", str(path), "--out", str(tmp_path / "runs")])
    assert done.exit_code == 1 and "2 runs in" in done.stdout
    assert "reports-hero failed: " in done.stderr and "BAAI/bge-m3" in done.stderr
    assert done.stderr.rstrip().endswith("1 run failed: the same command tries again")
    for name in ("reports-bm25", "reports-bm25-k_text=3"):
        assert len(read_run_folder(tmp_path / "runs" / name).hits) == 3
    assert list(json.loads((tmp_path / "runs" / FAILED).read_text())) == ["reports-hero"]
    told = CliRunner().invoke(
        app, ["experiment", str(path), "--out", str(tmp_path / "runs"), "--json"]
    )
    assert told.exit_code == 1 and list(json.loads(told.stdout)["failed"]) == ["reports-hero"]
    assert json.loads(told.stdout)["asked"] == 0  # what was run is not run again


def test_a_recipe_that_breaks_while_it_runs_is_named_too(written, tmp_path, monkeypatch):
    asked = laboratory.Laboratory._batch

    def broken(self, some, stages, library):
        if library.recipe.k_text == 3:
            raise ZeroDivisionError("division by zero")
        return asked(self, some, stages, library)

    monkeypatch.setattr(laboratory.Laboratory, "_batch", broken)
    experiment = read_experiment(written("[{recipe: bm25, grid: {k_text: [3, 4]}}]"))
    outcome = run_experiment(experiment, tmp_path / "runs", Settings())
    assert dict(outcome.failed) == {"reports-bm25-k_text=3": "ZeroDivisionError: division by zero"}
    assert [one.name for one in outcome.runs] == ["reports-bm25-k_text=4"]


def test_a_killed_experiment_goes_on_to_the_same_files(written, tmp_path, monkeypatch):
    experiment = read_experiment(
        written(
            "[bm25, {recipe: bm25, list: [{indexes: text}]}]", answers="true", stand_ins="true"
        )
    )
    whole = run_experiment(experiment, tmp_path / "whole", Settings())
    assert (len(whole.runs), whole.asked) == (2, 6)
    monkeypatch.setattr(laboratory, "AT_ONCE", 1)
    asked, count = laboratory.Laboratory._batch, [0]

    def killed(self, some, stages, library):
        count[0] += 1
        if count[0] == 5:
            raise KeyboardInterrupt
        return asked(self, some, stages, library)

    monkeypatch.setattr(laboratory.Laboratory, "_batch", killed)
    with pytest.raises(KeyboardInterrupt):
        run_experiment(experiment, tmp_path / "killed", Settings())
    again = run_experiment(experiment, tmp_path / "killed", Settings())
    assert again.asked == 2 and not again.failed
    for one, other in zip(whole.runs, again.runs, strict=True):
        assert all((one / name).read_bytes() == (other / name).read_bytes() for name in FILES)
    assert run_experiment(experiment, tmp_path / "killed", Settings()).asked == 0


def test_a_share_keeps_a_questions_documents_among_some_others(written, tmp_path):
    experiment = read_experiment(written("[bm25]", scope="[own, 0.5, all]", answers="false"))
    runs = {
        one.name: read_run_folder(one)
        for one in run_experiment(experiment, tmp_path / "runs", Settings()).runs
    }
    found = {
        scope: {
            key: {hit.document for hit in hits}
            for key, hits in runs[f"reports-{scope}-bm25"].hits.items()
        }
        for scope in ("own", "0.5", "all")
    }
    assert found["own"]["tax"] == {REPORT} and found["own"]["staff"] == {OTHER}
    assert (
        len(found["0.5"]["moon"]) <= 2
        and REPORT in found["0.5"]["tax"]
        and OTHER in found["0.5"]["staff"]
    )
    assert runs["reports-0.5-bm25"].told["scope"] == "0.5"


def test_an_experiment_asks_databases_as_ask_does(written, tmp_path):
    with sqlite3.connect(tmp_path / "plant.sqlite") as database:
        database.execute(
            "CREATE TABLE alloy (id INTEGER PRIMARY KEY, name TEXT, yield_strength_mpa REAL)"
        )
        database.executemany(
            "INSERT INTO alloy VALUES (?, ?, ?)", [(1, "Anker 10", 310.0), (2, "Anker 20", 450.5)]
        )
    database.close()
    path = written("[default]", answers="true")
    index([], tmp_path / "corpus", databases=[Wanted(tmp_path / "plant.sqlite")])
    question = "What is the yield strength of Anker 20?"
    row = {"id": "alloy", "question": question, "answer": 450.5}
    (tmp_path / "q.jsonl").write_text(json.dumps(row) + "\n")
    (folder,) = run_experiment(read_experiment(path), tmp_path / "runs", Settings()).runs
    (told,) = rows(folder / "answers.jsonl")
    asked = Library(tmp_path / "corpus", Settings()).ask(question)
    assert told["value"] == clean(asked.value) == 450.5 and told["reading"]["database"] == "plant"
    assert "rows=FromRows(" in read_run_folder(folder).told["stages"]


def test_parquet_holds_the_rows_of_the_json_lines(written, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    path = written(
        "[bm25, {recipe: bm25, list: [{indexes: text}]}]", answers="true", stand_ins="true"
    )
    out = tmp_path / "runs"
    done = CliRunner().invoke(
        app,
        ["experiment", str(path), "--out", str(out), "--parquet", str(tmp_path / "all.parquet")],
    )
    assert done.exit_code == 0, done.output
    made = parquet.read_table(tmp_path / "all.parquet").to_pylist()
    folders = [out / "reports-bm25", out / "reports-bm25-indexes=text"]
    wanted = [
        (folder.name, gold, hits, answer, times)
        for folder in folders
        for gold, hits, answer, times in zip(
            *(rows(folder / name) for name in (*FILES, "times.jsonl")), strict=True
        )
    ]
    assert len(made) == len(wanted) == 6
    for row, (run, gold, hits, answer, times) in zip(made, wanted, strict=True):
        assert (row["run"], row["id"], row["question"], row["scope"]) == (
            run,
            gold["id"],
            gold["question"],
            "all",
        )
        assert json.loads(row["gold"]) == gold and row["hits"] == hits["hits"]
        assert json.loads(row["answer"]) == answer and json.loads(row["value"]) == answer["value"]
        assert (row["text"], row["refused"], row["confidence"]) == (
            answer["text"],
            answer["refused"],
            answer["confidence"],
        )
        assert (row["search_s"], row["answer_s"], row["tokens_in"]) == (
            times["search_s"],
            times["answer_s"],
            times["tokens_in"],
        )
        told = json.loads((out / run / "run.json").read_text())
        assert (row["recipe"], row["spelling"], json.loads(row["parameters"])) == (
            told["recipe"], told["spelling"], told["parameters"],
        )  # fmt: skip


def test_parquet_of_a_run_that_only_searched_has_no_answers(written, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    outcome = run_experiment(
        read_experiment(written("[bm25]", answers="false")), tmp_path / "runs", Settings()
    )
    assert write_parquet(outcome.runs, tmp_path / "deep" / "one.parquet") == 3
    made = parquet.read_table(tmp_path / "deep" / "one.parquet")
    assert made.column("answer").null_count == made.column("refused").null_count == 3
    assert [row["id"] for row in made.to_pylist()] == ["tax", "staff", "moon"]
