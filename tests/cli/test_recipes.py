"""Recipes on the command line: listed, shown, indexed beside one another, asked."""

import json

import pytest
from typer.testing import CliRunner

from pincite.cli.main import app
from pincite.errors import PinciteError
from pincite.recipes import RECIPES, read, recipe
from pincite.workbench.library import Library

QUESTION = "What was the Income tax expense of Halvorsen Maritime in 2023?"


def run(*arguments, code=0):
    done = CliRunner().invoke(app, [str(one) for one in arguments])
    if isinstance(done.exception, PinciteError):
        return str(done.exception), done.exception.exit_code
    assert done.exit_code == code, done.output
    return done.stdout, done.stderr


def test_recipes_lists_all_with_source_and_models():
    rows = json.loads(run("recipes", "--json")[0])
    assert [one["name"] for one in rows] == list(RECIPES)
    assert {one["name"]: one["needs"] for one in rows}["hero"] == ["encoder", "scorer", "large"]
    table, _ = run("recipes")
    assert all(name in table for name in RECIPES)


def test_recipe_shows_spelling_parameters_and_deviations():
    told = json.loads(run("recipe", "hero", "--set", "table=1.5", "--json")[0])
    assert told["spelling"] == "Hero(table=1.5)" and read(told["spelling"]) == recipe(
        "hero", table=1.5
    )
    assert "RRF(by_view=" in told["pipeline"] and "ReadLines(model=large" in told["pipeline"]
    assert {
        "name": "table",
        "value": 1.5,
        "default": 2.0,
        "allowed": "a number from 0 to 1,000,000,000",
    } in told["parameters"]
    text, _ = run("recipe", "weighted-fusion")
    assert (
        "logits" in text
        and "not as published" in text
        and "alpha" in text
        and "weigher jinaai" in text
    )


def test_the_pipeline_over_a_corpus_is_the_one_that_runs(example_corpus):
    told = json.loads(run("recipe", "default", "--corpus", example_corpus, "--json")[0])
    assert told["pipeline"] == Library(example_corpus, recipe=recipe("default")).spelling
    assert "rows=" not in told["pipeline"]  # it has no database
    bare = json.loads(run("recipe", "default", "--json")[0])["pipeline"]
    assert "rows=FromRows() >> Verify(" in bare and "encoder=built-in" in bare
    stood_in = run("recipe", "hero", "--corpus", example_corpus, "--stand-ins")[0]
    assert "the reader without a model for the large model" in stood_in


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["recipe", "nonesuch"], "there is no recipe"),
        (["recipe", "hero", "--set", "tables=2"], "hero has no parameter 'tables'"),
        (["recipe", "hero", "--set", "table=much"], "table of hero must be a number"),
        (["recipe", "hero", "--set", "table"], "--set needs NAME=VALUE"),
    ],
)
def test_what_is_wrong_is_said(arguments, told):
    message, code = run(*arguments)
    assert told in message and code == 2


def test_a_recipe_is_indexed_beside_the_default_searched_and_asked(
    fresh_corpus, monkeypatch, tmp_path
):
    monkeypatch.chdir(tmp_path)
    hero = "--corpus", fresh_corpus, "--recipe", "hero"
    message, _ = run("search", QUESTION, *hero, "--stand-ins")
    assert "has no index" in message and "--recipe" in message
    message, _ = run("index", *hero)
    assert "BAAI/bge-m3" in message and "--stand-ins" in message
    assert json.loads(run("index", *hero, "--stand-ins", "--json")[0])["made"] == 2
    assert "0 of 2 indexes made" in run("index", *hero, "--stand-ins")[0]
    hits, named = run("search", QUESTION, *hero, "--stand-ins")
    assert (
        "halvorsen-annual-report-2023.pdf, page" in hits and "for BAAI/bge-reranker-large" in named
    )
    told = json.loads(
        run("ask", QUESTION, *hero, "--stand-ins", "--expects", "number", "--json")[0]
    )
    assert told["value"] == 11706000 and len(told["stand_ins"]) == 3
    assert (
        json.loads(run("ask", QUESTION, "--corpus", fresh_corpus, "--json")[0])["value"]
        == 11706000
    )
    message, code = run(
        "ask", QUESTION, *hero, "--set", "encoder=built-in", "--set", "scorer=built-in"
    )
    assert "needs a language model (large)" in message and code == 1


def test_a_batch_and_a_spelling(fresh_corpus, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "q.jsonl").write_text(
        json.dumps({"id": "1", "question": QUESTION, "kind": "number"}) + "\n"
    )
    spelled = "BM25(indexes='hybrid', k_text=5)"
    run("index", "--corpus", fresh_corpus, "--recipe", spelled)
    run(
        "batch",
        "q.jsonl",
        "--corpus",
        fresh_corpus,
        "--recipe",
        spelled,
        "--stand-ins",
        "--out",
        "a.jsonl",
        "--json",
    )
    (row,) = map(json.loads, (tmp_path / "a.jsonl").read_text().splitlines())
    assert row["value"] == 11706000
    assert (
        run("search", QUESTION, "--corpus", fresh_corpus, "--recipe", spelled)[0].count("page")
        >= 1
    )


def test_files_are_indexed_for_a_recipe_alone(examples, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run("index", examples / "files", "--corpus", "c", "--recipe", "bm25", "--json")
    assert "page" in run("search", QUESTION, "--corpus", "c", "--recipe", "bm25")[0]
    assert "has no index" in run("search", QUESTION, "--corpus", "c")[0]
    assert "6 of 6 indexes made" in run("index", "--corpus", "c")[0]
    assert "page" in run("search", QUESTION, "--corpus", "c")[0]
