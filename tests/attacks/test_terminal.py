"""No text that a document, a name, a row, a reply or an error brings can steer the terminal, and none is taken for markup."""

import ast
import json
import re
import sys
from pathlib import Path

import pytest

import pincite
from pincite.cli.views.terminal import CONTROLS, Plain, bars, shown, terminal, working
from tests.attacks.verbs import HOSTILE, NAMES, STEER, Screen, calls, clear, run

CLI = Path(pincite.__file__).parent / "cli"
OURS = re.compile(r"\x1b\[(?:\d{1,3}(?:;\d{1,3})*)?m|\x1b\[\?25[lh]|\x1b\[\d*[AK]|\x1b\[2K|\r")
"""What rich writes for itself on a terminal: styles, the cursor hidden and shown, lines of bars taken back."""
CODES = frozenset(map(chr, CONTROLS)) | {"\r"}


def steers(text, terminal):
    """What of a text would steer a terminal, beyond what rich writes itself."""
    assert "\x1b[38;5;199m" not in text and "\x1b]" not in text
    return sorted(CODES & set(OURS.sub("", text) if terminal else text))


def made(world, verb, monkeypatch):
    folder, answer, chat = world
    monkeypatch.chdir(folder)
    for words, given, _ in calls(folder, answer, chat)[verb]:
        for form in ((), ("--json",)):
            clear(folder)
            yield (*words, *form), given


@pytest.mark.stress
def test_every_verb_is_called_here(world):
    assert set(calls(*world)) == set(NAMES)


@pytest.mark.stress
@pytest.mark.parametrize("verb", NAMES)
def test_no_verb_steers_a_terminal(world, verb, monkeypatch):
    for words, given in made(world, verb, monkeypatch):
        code, out, err = run(*words, given=given, terminal=True)
        assert not code or {"--csv", "--json"} <= {*words}, words
        assert steers(out, True) == steers(err, True) == [], words


@pytest.mark.stress
@pytest.mark.parametrize("verb", NAMES)
def test_in_a_file_and_as_json_neither(world, verb, monkeypatch):
    for words, given in made(world, verb, monkeypatch):
        code, out, err = run(*words, given=given)
        assert steers(out, False) == steers(err, False) == [], words
        assert "--json" not in words or jsons(out) or "--csv" in words, words


def jsons(text):
    """The JSON of an output: one value, or one a line."""
    try:
        return [json.loads(text)]
    except ValueError:
        return [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize("words", [
    ("ask", "What was revenue of Acme in 2023?", "--explain"), ("ask", f"What was revenue of {HOSTILE}?"),
    ("search", "revenue"), ("status",), ("status", "--quality"), ("list",), ("tables",),
    ("sql", "--run", f'SELECT * FROM "alloy{HOSTILE}"'),
])  # fmt: skip
def test_nothing_steers_a_terminal_a_file_or_a_program(hostile, words):
    for terminal_ in (True, False):
        code, out, err = run(*words, "--corpus", hostile, terminal=terminal_)
        assert code == 0 and steers(out, terminal_) == steers(err, terminal_) == []
        assert "evil.example" in out or words[1:] in (
            ("--quality",),
            (f"What was revenue of {HOSTILE}?",),
        )
    code, out, err = run(*words, "--corpus", hostile, "--json")
    assert code == 0 and steers(out, False) == steers(err, False) == []
    assert jsons(out)


def test_texts_are_shown_as_they_are_and_json_loses_nothing(hostile):
    _, out, _ = run("tables", "--corpus", hostile)
    assert "\\u001b]8;;http://evil.example" in out and "[red]loud[/red]" in out
    names = f'SELECT name FROM "alloy{HOSTILE}"'
    told = json.loads(run("sql", "--run", names, "--corpus", hostile, "--json")[1])
    assert told["rows"][0] == [f"Anker{HOSTILE}"]


@pytest.mark.parametrize("words", [
    ("ask", "", "--corpus", f"no-such-{HOSTILE}"), ("show", HOSTILE, "--corpus", "c"), (f"verb{HOSTILE}",),
    ("recipe", HOSTILE), ("ask", "x", f"--{HOSTILE}"), ("ask", "x", "--corpus", "c", "--where", HOSTILE),
    ("batch", f"{HOSTILE}.csv", "--corpus", "c", "--out", "x"), ("chat", "--corpus", "c", "--resume", HOSTILE),
    ("remove", HOSTILE, "--corpus", "c"), ("ask", "x", "--corpus", "c", "--where", f"company={HOSTILE}x"),
])  # fmt: skip
def test_errors_that_repeat_what_was_given_do_not(hostile, words, monkeypatch):
    monkeypatch.chdir(hostile.parent)
    code, out, err = run(*words, terminal=True)
    assert code and steers(out, True) == steers(err, True) == [] and "evil" in err


@pytest.mark.stress
def test_replies_of_a_model_and_the_failures_of_an_endpoint_do_not(hostile, monkeypatch):
    from tests.stand_ins.fakes import ScriptedServer, constant, failure

    monkeypatch.setenv("PINCITE_MODEL", "scripted")
    for script in (
        constant({"text": HOSTILE, "question": HOSTILE, "explanation": HOSTILE}),
        failure(400, HOSTILE),
    ):
        with ScriptedServer(script) as server:
            monkeypatch.setenv("OPENAI_BASE_URL", server.url)
            for words in (
                ("ask", "What was staff of Contoso in 2023?", "--explain"),
                ("doctor", "--models"),
            ):
                _, out, err = run(*words, "--corpus", hostile, terminal=True)
                assert steers(out, True) == steers(err, True) == [] and server.asked


def test_bars_tables_and_what_is_being_done_take_texts_as_they_are(monkeypatch):
    from rich.table import Table

    screen = Screen(True)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setattr(sys, "stderr", Plain(screen))
    monkeypatch.setattr(sys, "stdout", Plain(screen))
    with bars("{task.description}", "{task.fields[note]}", quiet=False) as some:
        some.add_task(HOSTILE, total=1, note=HOSTILE)
    with working() as tell:
        tell(HOSTILE)
    table = Table(HOSTILE, title=HOSTILE)
    table.add_row(HOSTILE)
    terminal().print(table)
    text = screen.getvalue()
    assert steers(text, True) == [] and "evil" in text and "boom" in text and "💥" not in text


def test_what_is_shown_is_what_json_writes():
    assert shown(STEER).startswith("\\u001b[38;5;199m\\u001b]8;;")
    assert json.loads(f'"{shown(chr(0x9B) + chr(0x202E))}"') == "\x9b\u202e"
    assert shown("a\tb\r\nc\rd \ud800 Grüße שלום 🙂") == "a\tb\nc\nd \\ud800 Grüße שלום 🙂"


def test_text_goes_out_in_one_place():
    for path in CLI.glob("*.py"):
        nodes = list(ast.walk(ast.parse(path.read_text("utf-8"))))
        names = {node.id for node in nodes if isinstance(node, ast.Name)}
        called = {ast.unparse(node.func) for node in nodes if isinstance(node, ast.Call)}
        wrong = called & {"Console", "Progress", "Live"}
        assert not wrong, f"{path.name}: make it with pincite.cli.views.terminal"
        assert "Terminal" not in names
