"""Answers judged by a model: what it is asked, what its forms are worth, where scores are kept, and what is never compared."""

import json

import pytest

from pincite.errors import BudgetSpent, UsageError
from pincite.lab.comparison.comparison import compare
from pincite.lab.experiments.experiment import read_experiment
from pincite.lab.experiments.finished_runs import JUDGED, read_run_folder
from pincite.lab.experiments.laboratory import run_experiment
from pincite.lab.judging.criteria import CRITERIA, JudgedAnswer
from pincite.lab.judging.judgements import judge
from pincite.lab.scoring.measures import judged_measures
from pincite.lab.scoring.set_rules import reference_of
from pincite.models.model_settings import ModelSettings
from pincite.settings import Settings
from pincite.storage.ledger import Ledger
from tests.lab.made_runs import FIRST, SECOND, write
from tests.stand_ins.fakes import ScriptedModel, ScriptedServer, constant

ANSWER = JudgedAnswer("How many?", "12 ships, all blue.", (("page 3 of a", "12 ships"),), "12")


def forms(prompt, form):
    """Half of the statements are supported, three quarters of the question answered, the reference met in part."""
    return {
        "FaithfulnessForm": {"statements": [{"statement": "12", "supported": "Yes."}, {"statement": "blue", "supported": "no"}]},
        "RelevanceForm": {"analysis": "most", "grade": 3},
        "CorrectnessForm": {"analysis": "in part", "verdict": "Partly"},
    }[form.__name__]  # fmt: skip


def served(asked):
    """Over HTTP: every statement is supported, all is answered, and it is wrong."""
    return constant(filled(asked))(asked)


def filled(asked):
    said = asked.said("system") + asked.said("user")
    if "Take the answer apart" in said:
        return {"statements": [{"statement": "s", "supported": "yes"}]}
    if "how far the answer gives" in said:
        return {"analysis": "a", "grade": 4}
    return {"analysis": "a", "verdict": "wrong"}


# ---- forms and prompts


def test_code_makes_the_scores_of_the_forms():
    rows, _ = judge(ScriptedModel(forms), {"1": ANSWER}, "run")
    assert {name: row["score"] for name, row in rows["1"].items()} == {
        "faithfulness": 0.5, "answer relevance": 0.75, "correctness": 0.5,
    }  # fmt: skip
    assert {row["judge"] for row in rows["1"].values()} == {"scripted"}


def test_what_does_not_apply_is_not_asked():
    asked = []

    def script(prompt, form):
        asked.append(form.__name__)
        return forms(prompt, form)

    bare = JudgedAnswer("How many?", "12")
    rows, _ = judge(ScriptedModel(script), {"1": bare, "2": JudgedAnswer("What?", " ")}, "run")
    assert asked == ["RelevanceForm"] and list(rows["1"]) == ["answer relevance"]
    assert rows["2"] == {}


def test_a_reply_that_fits_no_form_gives_no_score():
    rows, _ = judge(ScriptedModel(lambda prompt, form: {"grade": 9}), {"1": ANSWER}, "run")
    # a form without statements says nothing of faithfulness either
    assert [row["score"] for row in rows["1"].values()] == [None, None, None]


def test_answer_and_cited_text_are_framed_as_data_and_the_system_part_holds_neither():
    for criterion in CRITERIA:
        prompt = criterion.prompt(JudgedAnswer("Q?", "SAID", (("page 1 of a", "CITED"),), "GOLD"))
        assert "SAID" not in prompt.system + prompt.question
        assert any("SAID" in piece and piece.startswith("=== ") for piece in prompt.context)


def test_versions_change_with_the_wording_alone():
    first = CRITERIA[0]
    other = type(first)(first.name, first.task + " Really.", first.form, first.texts, first.score, first.max_tokens)  # fmt: skip
    again = type(first)(first.name, first.task, first.form, first.texts, first.score, first.max_tokens)  # fmt: skip
    assert other.version != first.version == again.version


@pytest.mark.parametrize(
    ("gold", "reference"),
    [
        ({"answer": "11,706", "answer_type": "number", "scale": "thousand", "unit": "EUR"}, "11,706 thousand EUR"),
        ({"answer_value": "5", "answer_unit": "kg", "ref_id": "a"}, "5 kg"),
        ({"answer_value": "is_blank", "answer_unit": "kg", "ref_id": "is_blank"}, ""),
        ({"gold": ["5", "5.0"], "kind": "number"}, "5 or 5.0"),
        ({"answer": ["a", "b"], "table_id": "t"}, "a, b"),
        ({"answer": "", "answer_type": "unanswerable"}, ""),
        ({"nodes": ["n"]}, ""),
    ],
)  # fmt: skip
def test_the_reference_of_every_layout(gold, reference):
    assert reference_of(gold) == reference


# ---- experiments


@pytest.fixture
def written(example_corpus, tmp_path):
    row = {"id": "tax", "question": "What was the income tax expense of Halvorsen Maritime in 2023?",
           "answer": "11,706", "answer_num": "11706", "answer_type": "number", "scale": "thousand", "unit": "EUR"}  # fmt: skip
    (tmp_path / "q.jsonl").write_text(json.dumps(row) + "\n")

    def write_file(judge_line):
        path = tmp_path / "lab.yaml"
        path.write_text(
            f"corpora: {{reports: {example_corpus}}}\nquestions: {{reports: {{from: q.jsonl, corpus: reports}}}}\n"
            f"recipes: [default]\nanswers: true\n{judge_line}\n"
        )
        return read_experiment(path)

    return write_file


def test_an_experiment_has_its_answers_judged_once_and_pays_for_it_in_the_ledger(
    written, tmp_path
):
    with ScriptedServer(served) as server:
        own = f"judge: {{base_url: '{server.url}', key: '', judge: scripted, prices: {{scripted: {{input: 1, output: 1}}}}}}"
        outcome = run_experiment(written(own), tmp_path / "runs", Settings())
        assert not outcome.failed and len(server.asked) == 3
        assert "11,706" in server.asked[0].said(
            "user"
        )  # the cited page, the answer, the reference
        run_experiment(written(own), tmp_path / "runs", Settings())
        (outcome.runs[0] / JUDGED).unlink()
        run_experiment(written(own), tmp_path / "runs", Settings())
        assert len(server.asked) == 3  # kept, and replies are not asked for again
    run = read_run_folder(outcome.runs[0])
    row = run.judged["tax"]
    assert {name: each["score"] for name, each in row.items()} == {
        "faithfulness": 1.0, "answer relevance": 1.0, "correctness": 0.0,
    }  # fmt: skip
    assert {each["over"] for each in row.values()} == {"cited pages"}
    (spend,) = (
        one
        for one in Ledger(tmp_path / "runs" / "ledger.sqlite").rows("stage")
        if one.stage == "Judge"
    )
    assert spend.requests == 3 and spend.cost > 0
    assert run.told["cost"]["online"] == 0  # answering cost nothing: no model reads in this run
    made = compare([run], ["faithfulness", "correctness"])
    assert [line.values[0].value for line in made.under("all questions")] == [1, 0]


def test_the_judge_of_the_settings_judges_unless_the_file_says_nobody(written, tmp_path):
    with ScriptedServer(served) as server:
        own = Settings(models=ModelSettings(base_url=server.url, key="", judge="scripted"))
        (folder,) = run_experiment(written("judge: false"), tmp_path / "runs", own).runs
        assert not server.asked and not (folder / JUDGED).exists()
        run_experiment(written(""), tmp_path / "runs", own)  # the run stands, and is judged now
        assert len(server.asked) == 3 and read_run_folder(folder).judged["tax"]


def test_without_a_judge_nothing_is_judged(written, tmp_path):
    (folder,) = run_experiment(written(""), tmp_path / "runs", Settings()).runs
    assert not (folder / JUDGED).exists() and not judged_measures([read_run_folder(folder)])
    with pytest.raises(UsageError, match="no model judged the answers for faithfulness"):
        compare([read_run_folder(folder)], ["faithfulness"])


def test_a_budget_stops_the_judge(written, tmp_path):
    with ScriptedServer(served) as server:
        own = (
            f"judge: {{base_url: '{server.url}', key: '', judge: scripted, budget: 0.000001, "
            "prices: {scripted: {input: 1, output: 1}}}"
        )
        outcome = run_experiment(written(own), tmp_path / "runs", Settings())
    assert "budget" in outcome.failed["reports-default"] and not server.asked
    assert BudgetSpent.exit_code


# ---- what is compared


def judged(folder, **scores):
    stamp = {"judge": "m", "version": "1", "over": "quotes"}
    rows = [
        {"id": key, "correctness": {"score": score, **stamp, **more}}
        for key, (score, more) in scores.items()
    ]
    (folder / JUDGED).write_text("".join(json.dumps(row) + "\n" for row in rows))
    return read_run_folder(folder)


def test_figures_of_two_versions_are_two_measures(tmp_path):
    one = judged(write(tmp_path, "one", FIRST), **{"1": (1.0, {}), "2": (0.5, {})})
    two = judged(write(tmp_path, "two", SECOND), **{"1": (1.0, {}), "2": (0.0, {})})
    (line,) = compare([one, two], ["correctness"]).under("all questions")
    assert [value.value for value in line.values] == [0.75, 0.5]
    assert line.measure.name == "correctness by m over quotes, prompt 1"
    new = judged(
        write(tmp_path, "new", SECOND),
        **{"1": (1.0, {"version": "2"}), "2": (0.0, {"version": "2"})},
    )
    with pytest.raises(UsageError, match="prompt 1; correctness by m over quotes, prompt 2"):
        compare([one, new], ["correctness"])
    lines = {line.measure.name: line for line in compare([one, new]).under("all questions")}
    first, second = (lines[f"correctness by m over quotes, prompt {version}"] for version in "12")
    assert first.values[1] is None and second.values[0] is None


# ---- run files


def test_eval_shows_judged_figures_where_a_judge_is_set(tmp_path, pincite, monkeypatch):
    monkeypatch.chdir(tmp_path)
    said = {
        "id": "1",
        "value": 12,
        "text": "12",
        "citations": [{"document": "a.pdf", "page": 1, "quote": "12 ships"}],
    }
    (tmp_path / "run.jsonl").write_text(json.dumps(said) + "\n")
    gold = {
        "id": "1",
        "question": "How many?",
        "answer": "12",
        "answer_type": "number",
        "answer_num": "12",
    }
    (tmp_path / "gold.jsonl").write_text(json.dumps(gold) + "\n")
    words = ("eval", "run.jsonl", "gold.jsonl", "--rules", "typed")
    code, out, _ = pincite(*words)
    assert code == 0 and "faithfulness" not in out
    with ScriptedServer(served) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        monkeypatch.setenv("PINCITE_JUDGE", "scripted")
        code, out, said = pincite(*words)
        assert code == 0, said
        assert "faithfulness by scripted over quotes" in out and "correctness by scripted" in out
        assert (
            pincite(*words)[1] == out and len(server.asked) == 3
        )  # the second time nothing is asked
        assert "faithfulness" not in pincite(*words, "--no-model")[1]
