"""The command line with a model: what it asks, what it shows, what it costs, what it refuses."""

import json
from decimal import Decimal

import pytest

from pincite.generate.rule_sentences import RELAXED, STRICT
from tests.served import LABELS, agreed, question, right
from tests.stand_ins.fakes import (
    Bill,
    Reply,
    ScriptedServer,
    altered,
    constant,
    failure,
    minimal,
    oracle,
    strict,
)

KEY = "sk-that-nobody-may-see"
TOML = """
[models]
large = "scripted"
concurrency = 4
[models.prices.scripted]
input = 2
output = 8
"""


@pytest.fixture
def pincite(pincite, monkeypatch, tmp_path):
    """The command line in a folder of its own, with a key that it never prints."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)

    def run(*words, **given):
        code, out, err = pincite(*words, **given)
        assert KEY not in out + err
        return code, out, err

    return run


@pytest.fixture
def server(monkeypatch, tmp_path):
    """A server that knows the tables, and settings in the working folder that name it."""
    (tmp_path / "pincite.toml").write_text(TOML)
    agreed(tmp_path)
    with ScriptedServer(
        right, bill=Bill(price=("2", "8")), key=KEY, models=("scripted", "other")
    ) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        yield server


@pytest.fixture
def questions(tmp_path):
    """A file of six questions."""
    path = tmp_path / "q.jsonl"
    rows = [{"id": one, "question": question(one, 2023), "kind": "number"} for one in LABELS[:6]]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def ask(pincite, corpus, *more, label="Revenue"):
    return pincite("ask", question(label, 2023), "--expects", "number", "--corpus", corpus, *more)


def test_a_model_that_is_set_is_asked_and_no_model_turns_it_off(pincite, server, fresh_corpus):
    code, out, _ = ask(pincite, fresh_corpus, "--json")
    assert code == 0 and json.loads(out)["value"] == 412_608_000 and len(server.asked) == 1
    code, out, _ = ask(pincite, fresh_corpus, "--no-model", "--json")
    assert code == 0 and json.loads(out)["value"] == 412_608_000 and len(server.asked) == 1
    assert ask(pincite, fresh_corpus, "--model", "other", "--recipe", "default")[0] == 0
    assert [one.model for one in server.asked] == ["scripted", "other"]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--model", "x", "--no-model"), "exclude each other"),
        (("--recipe", "secret"), "there is no recipe 'secret'; known: default, bm25"),
    ],
)
def test_what_cannot_be_is_said(pincite, server, fresh_corpus, more, said):
    code, _, err = ask(pincite, fresh_corpus, *more)
    assert code == 2 and said in err


def test_the_words_of_a_model_are_printed_below_the_checks_as_its_own(
    pincite, server, fresh_corpus
):
    said = "The row Revenue of the income statement says so. " * 20
    server.script = altered(right, lambda _, form: {**form, "analysis": said})
    out = " ".join(ask(pincite, fresh_corpus)[1].split())
    assert out.index("✓ supported") < out.index("the model's words, not checked: “The row Revenue")
    assert "\u2026”" in out and said.strip() not in out
    told = json.loads(ask(pincite, fresh_corpus, "--json")[1])
    assert (
        told["model_explanation"].startswith("The row Revenue")
        and len(told["model_explanation"]) == 300
    )


def test_a_submission_is_answered_by_the_rules_of_its_challenge_unless_others_are_set(
    pincite, server, fresh_corpus, questions, tmp_path, monkeypatch
):
    def asked(name):
        before = len(server.asked)
        out = tmp_path / name
        assert (
            pincite(
                "batch", questions, "--corpus", fresh_corpus, "--out", out, "--format", "wattbot"
            )[0]
            == 0
        )
        return [one.said("system") for one in server.asked[before:]]

    assert all(RELAXED in one for one in asked("followed.csv"))
    monkeypatch.setenv("PINCITE_RULES", "plain")
    assert all(STRICT in one for one in asked("plain.csv"))


def test_a_role_without_a_model_names_the_setting(pincite, fresh_corpus):
    code, _, err = ask(pincite, fresh_corpus, "--model", "large")
    assert code == 1 and "PINCITE_MODEL" in err


def test_explain_tells_all_of_it(pincite, server, fresh_corpus):
    code, out, _ = ask(pincite, fresh_corpus, "--explain", "--json")
    told = json.loads(out)
    assert code == 0 and [one["question"] for one in told["plan"]] == [question("Revenue", 2023)]
    assert (
        told["found"][0]["page"] == 3
        and told["found"][0]["document"] == "halvorsen-annual-report-2023.pdf"
    )
    (call,) = told["shown"]
    assert (call["role"], call["form"], call["requests"]) == ("large", "AnalysedLineForm", 1)
    assert (
        any("1 Revenue: 2023 = 412,608; 2022 = 398,115" in piece for piece in call["pieces"])
        and '"412,608"' in call["reply"]
    )
    (reading,) = [one for one in told["trace"] if one["stage"].startswith("ReadLines(")]
    usage = server.bill.usage
    assert (reading["input"], reading["output"], Decimal(reading["cost"])) == (
        usage.input,
        usage.output,
        server.bill.cost,
    )
    assert told["spent"]["requests"] == 1 and Decimal(told["spent"]["cost"]) == server.bill.cost
    _, out, _ = ask(pincite, fresh_corpus, "--explain")
    assert (
        "shown to the large model for its AnalysedLineForm, " in out
        and "halvorsen-annual-report-2023.pdf" in out
    )
    both = "Which had more employees in 2023, Halvorsen Maritime or Solvik Energy?"
    _, out, _ = pincite("ask", both, "--corpus", fresh_corpus, "--no-model", "--explain")
    assert (
        "(in document: solvik-sustainability-2023.pdf)" in out
        and "Each: 2 results" in out
        and "Compare: draft 'Solvik Energy" in out
    )


def test_cost_by_question_stage_and_run(pincite, server, fresh_corpus, tmp_path):
    code, out, _ = pincite("cost", "--corpus", fresh_corpus)
    assert (
        code == 0
        and "no model has been asked" in out
        and not (fresh_corpus / "ledger.sqlite").exists()
    )
    for label in ("Revenue", "Equity"):
        ask(pincite, fresh_corpus, label=label)
    _, out, _ = pincite("cost", "--corpus", fresh_corpus, "--by", "question", "--json")
    told = json.loads(out)
    assert {one["name"] for one in told["rows"]} == {
        question("Revenue", 2023),
        question("Equity", 2023),
    }
    usage = server.bill.usage
    assert (told["total"]["input"], told["total"]["output"]) == (usage.input, usage.output)
    assert (
        Decimal(told["total"]["cost"])
        == server.bill.cost
        == sum(Decimal(one["cost"]) for one in told["rows"])
    )
    _, out, _ = pincite("cost", "--corpus", fresh_corpus)
    assert [line.split()[0] for line in out.splitlines()[1:]] == ["answering", "total"]
    assert (
        len(
            json.loads(pincite("cost", "--corpus", fresh_corpus, "--by", "run", "--json")[1])[
                "rows"
            ]
        )
        == 2
    )
    code, _, err = pincite("cost", "--corpus", fresh_corpus, "--by", "mood")
    assert code == 2 and "model, stage, question, run, offline" in err
    assert pincite("cost", "--corpus", tmp_path / "nowhere")[0] == 1


def test_the_dry_run_tells_what_the_run_then_takes(
    pincite, server, fresh_corpus, questions, tmp_path
):
    words = ("batch", questions, "--corpus", fresh_corpus, "--out", tmp_path / "a.jsonl")
    code, out, _ = pincite(*words, "--dry-run", "--json")
    told = json.loads(out)
    assert code == 0 and told["questions"] == 6 and server.bill.requests == 0
    assert (
        not (fresh_corpus / "ledger.sqlite").exists()
        and not (tmp_path / "a.jsonl.partial").exists()
    )
    assert (
        told["least"]["calls"] == 6 == told["most"]["calls"]
    )  # the corpus has no more pages to show
    assert told["least"]["output"] == 6 * 400 and "400 tokens in a reply of scripted" in " ".join(
        told["assumed"]
    )
    code, out, _ = pincite(*words, "--budget", "0.01", "--dry-run")
    assert code == 0 and "the budget of 0.01 is too small" in out
    assert pincite(*words)[0] == 0
    assert server.bill.requests == told["least"]["calls"]
    assert told["least"]["input"] == pytest.approx(server.bill.usage.input, rel=0.05)
    money = (Decimal(told["least"]["input"]) * 2 + 2400 * 8) / 1_000_000
    assert Decimal(told["least"]["cost"]) == money


def test_the_dry_run_counts_wider_readings_apart(
    pincite, server, fresh_corpus, questions, tmp_path, monkeypatch
):
    monkeypatch.setenv("PINCITE_PAGES", "1")
    words = (
        "batch",
        questions,
        "--corpus",
        fresh_corpus,
        "--out",
        tmp_path / "a.jsonl",
        "--dry-run",
        "--json",
    )
    told = json.loads(pincite(*words)[1])
    assert (told["least"]["calls"], told["most"]["calls"]) == (6, 18)
    code, _, err = pincite(*words, "--no-model")
    assert code == 1 and "PINCITE_MODEL" in err


@pytest.mark.parametrize("name", ["default", "hero", "kohaku", "enterprise"])
def test_the_dry_run_of_a_recipe_counts_what_stand_ins_leave(
    pincite, server, fresh_corpus, questions, tmp_path, name
):
    recipe = ("--corpus", fresh_corpus, "--recipe", name, "--stand-ins")
    assert pincite("index", *recipe)[0] == 0
    words = ("batch", questions, "--out", tmp_path / "a.jsonl", *recipe, "--dry-run", "--json")
    code, out, err = pincite(*words)
    told = json.loads(out)
    assert (
        code == 0
        and told["questions"] == 6 <= told["least"]["calls"]
        and server.bill.requests == 0
    )
    assert name == "default" or "stand-in: all-MiniLM-L6-v2 for" in err
    code, out, err = pincite(*words, "--no-model")
    told = json.loads(out)
    assert (
        code == 0
        and told["least"]["calls"] == told["most"]["calls"] == 0
        and "no model is set" in told["assumed"]
    )


def test_a_budget_ends_with_code_3_and_a_larger_one_goes_on(
    pincite, server, fresh_corpus, questions, tmp_path
):
    words = ("batch", questions, "--corpus", fresh_corpus, "--out", tmp_path / "a.jsonl")
    code, _, err = pincite(*words, "--budget", "0.03")
    assert (
        code == 3
        and "of 6 questions are answered and kept in a.jsonl.partial" in err
        and "larger budget" in err
    )
    assert 0 < server.bill.cost <= Decimal("0.03")
    code, out, _ = pincite(*words, "--budget", "1", "--json")
    assert code == 0 and json.loads(out) == {
        "questions": 6, "refused": 0, "failed": {}, "out": str(tmp_path / "a.jsonl"),
    }  # fmt: skip
    assert server.bill.requests == 6
    code, _, err = pincite(*words, "--budget", "much")
    assert code == 2 and "--budget" in err


def test_failed_questions_end_with_code_1(
    pincite, server, fresh_corpus, questions, tmp_path, monkeypatch
):
    monkeypatch.setattr("pincite.models.endpoints.endpoint_limits.Patience.pause", lambda *_: 0.01)
    server.script = lambda asked: (
        failure(403, "no") if "Operating" in asked.said("user")[-300:] else right(asked)
    )
    words = ("batch", questions, "--corpus", fresh_corpus, "--out", tmp_path / "a.jsonl")
    code, out, err = pincite(*words)
    assert code == 1 and out.startswith("5 questions answered, 0 of them N/A")
    assert "Operating profit failed: " in err and "the same command asks again" in err
    server.script = right
    assert pincite(*words)[0] == 0


def test_doctor_calls_each_model_once(pincite, server, tmp_path):
    def capable(asked):
        if asked.schema is None:
            return "ready"
        return {"result": 42} if "result" in asked.schema["properties"] else {"colour": "Red"}

    server.script = oracle(capable)
    code, out, _ = pincite("doctor", "--models")
    assert code == 0 and "scripted, in words: it says 'ready'; " in out and "FAIL" not in out
    assert (
        "with the key in OPENAI_API_KEY" in out
        and "schema at the endpoint" in out
        and "tokens, 1 request" in out
    )
    assert len(server.asked) == 2
    (tmp_path / "pincite.toml").write_text(
        TOML.replace("concurrency", 'vision = "other"\nconcurrency')
    )
    agreed(tmp_path)
    server.script = strict(oracle(capable))
    code, out, _ = pincite("doctor", "--models", "--json")
    told = {one["check"]: one for one in json.loads(out)}
    assert (
        code == 0 and "as a tool call" in told["large, small, judge: scripted, in a form"]["what"]
    )
    assert (
        told["vision: other, with a picture"]["ok"]
        and "no price is set for other" in told["models"]["what"]
    )


@pytest.mark.parametrize(
    ("script", "said"),
    [
        (minimal, "it says that 17 + 25 is 0"),
        (constant(Reply("")), "replied with nothing"),
        (
            constant(failure(404, "The model does not exist", "model_not_found")),
            "Check the model's name",
        ),
    ],
)
def test_doctor_says_what_does_not_work(pincite, server, script, said):
    server.script = script
    code, out, _ = pincite("doctor", "--models")
    assert code == 1 and said in out


def test_doctor_without_a_model(pincite):
    code, out, _ = pincite("doctor", "--models")
    assert code == 1 and "PINCITE_MODEL" in out


def test_offline_refuses_models_before_anything_is_opened(
    pincite, server, fresh_corpus, monkeypatch
):
    monkeypatch.setenv("PINCITE_OFFLINE", "")  # given back after the test
    monkeypatch.setattr(
        "pincite.processes.offline.forbid", lambda: monkeypatch.setenv("PINCITE_OFFLINE", "1")
    )
    code, _, err = pincite("--offline", "ask", "What was revenue?", "--corpus", fresh_corpus)
    assert code == 1 and "--offline is set" in err and "--no-model" in err and not server.asked
    assert (
        pincite("--offline", "ask", "What was revenue?", "--corpus", fresh_corpus, "--no-model")[0]
        == 0
    )


def test_chat_has_the_models_unless_told_otherwise(pincite, server, fresh_corpus):
    for more, requests in (((), True), (("--no-model",), False)):
        before = server.bill.requests
        code, out, _ = pincite(
            "chat",
            "--corpus",
            fresh_corpus,
            "--json",
            *more,
            given=question("Revenue", 2023) + "\n",
        )
        assert code == 0 and (server.bill.requests > before) is requests
    told = json.loads(pincite("cost", "--corpus", fresh_corpus, "--by", "run", "--json")[1])
    assert [one["name"].split()[0] for one in told["rows"]] == ["chat"]
