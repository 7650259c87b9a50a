"""Models as an axis of experiments: read from the file, run over real HTTP, kept apart, and each with its own costs."""

import json
from decimal import Decimal

import pytest
from typer.testing import CliRunner

from pincite.cli.main import app
from pincite.errors import ConsentMissing, UsageError
from pincite.lab.comparison.comparison import compare, every_pair
from pincite.lab.comparison.over_sets import costs_by_models
from pincite.lab.experiments.experiment import read_experiment
from pincite.lab.experiments.finished_runs import read_run_folder
from pincite.lab.experiments.laboratory import run_experiment
from pincite.lab.experiments.model_axis import ChosenModels, check_consent
from pincite.models.model_settings import ModelSettings, RoleSettings
from pincite.settings import Settings
from pincite.storage.ledger import Ledger, Price
from tests.served import question, right
from tests.stand_ins.fakes import ScriptedServer, constant

PRICE = "prices: {scripted: {input: 2, output: 8}}"
QUESTIONS = [
    {"id": "tax", "question": question("Income tax expense", 2023), "answer": "11,706", "answer_num": "11706",
     "answer_type": "number", "scale": "thousand", "unit": "EUR"},
    {"id": "equity", "question": question("Equity", 2023), "answer": "", "answer_type": "unanswerable"},
]  # fmt: skip
NOTHING = constant({"analysis": "nothing", "lines": [], "value": ""})


@pytest.fixture
def written(example_corpus, tmp_path):
    def write(models, recipes="[bm25]", more=""):
        (tmp_path / "q.jsonl").write_text("".join(json.dumps(row) + "\n" for row in QUESTIONS))
        path = tmp_path / "lab.yaml"
        path.write_text(
            f"corpora: {{reports: {example_corpus}}}\n"
            "questions: {reports: {from: q.jsonl, corpus: reports}}\n"
            f"recipes: {recipes}\nanswers: true\njudge: false\n{more}\nmodels:\n{models}"
        )
        return path

    return write


# ---- what a file says


def test_every_recipe_is_run_with_all_models_and_named_by_them(written):
    made = read_experiment(written("  small: gpt-5-mini\n  none:\n", "[bm25, default]"))
    assert [trial.name for trial in made.trials] == [
        "reports-bm25-small", "reports-bm25-none", "reports-default-small", "reports-default-none",
    ]  # fmt: skip
    assert made.trials[0].variant == "bm25-small"


def test_a_name_is_asked_where_the_settings_say_and_nothing_asks_nothing():
    own = Settings(models=ModelSettings(base_url="http://here/v1", large="big", judge="strict"))
    named = ChosenModels("a", "gpt-5-mini").settings(own).models
    assert (named.large, named.judge, named.base_url) == ("gpt-5-mini", "strict", "http://here/v1")
    assert ChosenModels("a", "judge").settings(own).models.large == "strict"
    assert ChosenModels("none", {}).settings(own).models.names == {}


def test_a_table_keeps_the_address_of_the_settings_unless_it_has_its_own():
    own = Settings(
        models=ModelSettings(
            base_url="http://here/v1", key="MINE", headers=(("a", "b"),), temperature=0.5,
            large="big", prices={"big": Price(Decimal(1), Decimal(1))}, concurrency=3, encoder="minilm",
        )
    )  # fmt: skip
    made = ChosenModels("a", {"large": "other"}).settings(own).models
    assert (made.large, made.base_url, made.key) == ("other", "http://here/v1", "MINE")
    assert (made.headers, made.temperature) == ((("a", "b"),), 0.5)
    assert (made.prices["big"], made.concurrency, made.encoder) == (own.models.prices["big"], 3, "minilm")  # fmt: skip
    table = {"provider": "gemini", "large": "g", "judge": {"name": "j", "base_url": "http://j/v1"}}
    made = ChosenModels("a", table).settings(own).models
    assert (made.key, made.headers, made.base_url.endswith("/openai")) == ("GEMINI_API_KEY", (), True)  # fmt: skip
    assert made.role("judge") == RoleSettings("http://j/v1", "", temperature=0.5)


@pytest.mark.parametrize(
    ("models", "said"),
    [
        ("  a: {larg: x}\n", r"line 8: models.a: unknown setting 'larg' in \[models\]"),
        ("  a: {provider: nobody}\n", "line 8: models.a: setting 'provider' must be one of"),
        ("  a: [x]\n", "line 8: models.a: a model's name, a table .* is needed"),
    ],
)
def test_what_is_wrong_with_models_is_said_with_its_line(written, models, said):
    with pytest.raises(UsageError, match=said):
        read_experiment(written(models))


def test_addresses_and_keys_need_consent(written, monkeypatch):
    made = read_experiment(written("  far: {provider: groq, large: x}\n  near: x\n"))
    with pytest.raises(ConsentMissing, match="models far.*groq") as missing:
        check_consent(made.chosen, {})
    check_consent(made.chosen, {"PINCITE_TRUST": missing.value.digest})
    check_consent(read_experiment(written("  near: x\n  none:\n")).chosen, {})


# ---- runs


def test_models_are_kept_apart_compared_and_paid_each_by_itself(written, tmp_path):
    with ScriptedServer(right) as good, ScriptedServer(NOTHING) as poor:
        path = written(
            f"  good: {{base_url: '{good.url}', key: '', large: scripted, {PRICE}}}\n"
            f"  poor: {{base_url: '{poor.url}', key: '', large: scripted, {PRICE}}}\n"
        )
        outcome = run_experiment(read_experiment(path), tmp_path / "runs", Settings())
        assert not outcome.failed
        # the models share their name, and each is asked for itself
        assert good.asked and poor.asked
        asked = len(good.asked), len(poor.asked)
        again = run_experiment(read_experiment(path), tmp_path / "runs", Settings())
        assert again.asked == 0 and (len(good.asked), len(poor.asked)) == asked
    runs = [read_run_folder(folder) for folder in outcome.runs]
    assert [run.name for run in runs] == ["reports-bm25-good", "reports-bm25-poor"]
    assert [run.told["models_as"] for run in runs] == ["good", "poor"]
    assert [run.answers["tax"].value for run in runs] == [11706000, None]
    made = compare(runs, ["accuracy", "cost"])
    assert [value.value for value in next(made.under("all questions")).values] == [0.5, 0.5]
    ledger = Ledger(tmp_path / "runs" / "ledger.sqlite")
    by_run = {row.run.split()[0]: row.cost for row in ledger.rows("run")}
    for run in runs:
        assert run.told["cost"]["online"] == pytest.approx(float(by_run[run.name])) and by_run[run.name]  # fmt: skip
    costs = {each.models: (each.questions, each.cost) for each in costs_by_models(runs)}
    assert costs == {
        "good": (2, pytest.approx(float(by_run["reports-bm25-good"]))),
        "poor": (2, pytest.approx(float(by_run["reports-bm25-poor"]))),
    }


def test_every_two_runs_are_compared(written, tmp_path):
    with ScriptedServer(right) as good, ScriptedServer(NOTHING) as poor:
        path = written(
            f"  good: {{base_url: '{good.url}', key: '', large: scripted}}\n"
            f"  poor: {{base_url: '{poor.url}', key: '', large: scripted}}\n"
            f"  other: {{base_url: '{poor.url}', key: '', large: second}}\n"
        )
        outcome = run_experiment(read_experiment(path), tmp_path / "runs", Settings())
    made = compare([read_run_folder(folder) for folder in outcome.runs], ["coverage"], samples=200)
    pairs = {(one.first[13:], one.second[13:]): one.difference.value for one in every_pair(made)}
    assert pairs[("good", "poor")] == pairs[("good", "other")] < 0 == pairs[("poor", "other")]
    done = CliRunner().invoke(app, ["compare", *map(str, outcome.runs), "--pairs", "--metrics", "coverage"])  # fmt: skip
    assert done.exit_code == 0 and "every two runs" in done.stdout


def test_an_estimate_asks_nothing_and_says_what_each_run_lacks(written, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with ScriptedServer(right) as server:
        path = written(
            f"  good: {{base_url: '{server.url}', key: '', large: scripted, {PRICE}}}\n  none:\n"
        )
        missing = CliRunner().invoke(app, ["experiment", str(path), "--estimate"])
        assert isinstance(missing.exception, ConsentMissing)
        monkeypatch.setenv("PINCITE_TRUST", missing.exception.digest)
        done = CliRunner().invoke(app, ["experiment", str(path), "--estimate", "--json"])
        assert done.exit_code == 0, done.output
        assert not server.asked
    good, none = json.loads(done.stdout)
    assert good["run"] == "reports-bm25-good" and not good["lacks"]
    assert 2 <= good["least"]["calls"] <= good["most"]["calls"] and Decimal(good["least"]["cost"]) > 0  # fmt: skip
    assert "large" in none["lacks"] and none["most"]["calls"] == 0
