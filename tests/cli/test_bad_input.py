"""What cannot be: every verb says so with an exit code of its own, a message and, with --json, nothing that is no JSON."""

import json

import pytest

from pincite.cli.main import VERBS

C = ("--corpus", "no-such-corpus")
WRONG = {
    "index": [("no-such-file", "--corpus", "c"), (*C, "--schema", "x")],
    "watch": [("no-such-folder", "--corpus", "c", "--recipe", "no-such-recipe")],
    "beir": [("no-such-folder", *C, "--out", "q.jsonl")], "enrich": [C],
    "ask": [("x", *C), ("x", *C, "--expects", "no-type"), ("x", *C, "--where", "no-pair")],
    "chat": [C, (*C, "--list"), (*C, "--export", "x"), (*C, "--delete", "x")],
    "batch": [("no-such.csv", *C, "--out", "x")],
    "grid": [("no-such.yaml", *C, "--out", "x.csv"), ("x.yaml", *C, "--out", "x.doc")],
    "review": [("list", *C), ("applaud", *C)], "bundle": [C, ("abc", *C)], "verify": [("no-such.zip",)],
    "search": [("x", *C), C], "show": [("x", *C)], "serve": [(*C, "--host", "0.0.0.0"), (*C, "--recipe", "no-such-recipe")],
    "edit": [("x", *C, "--title", "A")],
    "token": [("a name",), ("ada", "--role", "king")],
    "grant": [("ada", *C), ("ada", *C, "--role", "king")], "mcp": [C],
    "models": [("applaud",), ("check", "no-such-model"), ("add", "no-such.gguf")],
    "sql": [("x", *C), C], "tables": [("no-such.pdf",), ()],
    "status": [C], "list": [C], "remove": [("x", *C)], "recipes": [], "recipe": [("no-such-recipe",), ("hero", "--set", "x")],
    "export": [("x", *C), ("x", *C, "--docling")], "import": [("no-such-file", *C)], "cost": [C, (*C, "--by", "colour")],
    "doctor": [C], "eval": [("no-such", "no-such", "--rules", "typed"), ("a", "b", "--rules", "no-such")],
    "experiment": [("no-such.yaml",)], "compare": [("no-such-run",)],
    "tune": [("no-such.yaml", *C, "--questions", "x")], "testset": [("documents", *C, "--out", "x"), ("poems", *C, "--out", "x")],
}  # fmt: skip
PROTOCOL = {"mcp"}
"""It speaks one to a program, and has no --json."""


def test_every_verb_is_here():
    assert set(WRONG) == set(VERBS)


@pytest.mark.parametrize("verb", WRONG)
def test_wrong_input_is_a_message_and_an_exit_code(pincite, tmp_path, monkeypatch, verb):
    monkeypatch.chdir(tmp_path)
    for words in WRONG[verb]:
        code, out, err = pincite(verb, *words, *(() if verb in PROTOCOL else ("--json",)))
        assert code in (1, 2), (words, code, out, err)
        assert not out or all(json.loads(line) is not None for line in [out]), words
        assert (
            err.startswith("pincite: ") or verb in ("doctor", "verify") and json.loads(out)
        ) and "Traceback" not in err, (words, err)


@pytest.mark.parametrize("verb", WRONG)
def test_every_verb_takes_json(pincite, verb):
    code, out, _ = pincite(verb, "--help")
    assert code == 0 and ("--json" in out or verb in PROTOCOL)
