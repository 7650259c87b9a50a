"""`pincite chat` as a user meets it: pipes, kept chats, messages, and a terminal."""

import json
import os
import select
import signal
import sys
import time

import pytest

from pincite.chat.history import History

TAX = "What was the income tax expense of Halvorsen Maritime in 2023?"


def test_questions_from_a_pipe_are_a_conversation(pincite, fresh_corpus):
    code, out, err = pincite("chat", "--corpus", fresh_corpus, given=f"{TAX}\n\nand in 2022?\n")
    assert code == 0
    assert f"understood as: {TAX.replace('2023', '2022')}" in out
    assert "9,847 thousand EUR" in out and "halvorsen-annual-report-2023.pdf, page 3" in out
    (kept,) = History(fresh_corpus).chats()
    assert kept.turns == 2 and f"--resume {kept.id}" in err


def test_small_talk_is_a_line_that_the_next_turn_does_not_follow(pincite, fresh_corpus):
    given = f"{TAX}\nthank you\nand in 2022?\n"
    _, out, _ = pincite("chat", "--corpus", fresh_corpus, given=given)
    assert "no question about the documents was understood" in out and "N/A" not in out
    assert "9,847 thousand EUR" in out


def test_each_turn_is_one_line_of_json(pincite, fresh_corpus):
    code, out, _ = pincite(
        "chat", "--corpus", fresh_corpus, "--json", given=f"{TAX}\nand in 2022?\n"
    )
    first, second = (json.loads(line) for line in out.splitlines())
    assert code == 0
    assert (first["turn"], second["turn"]) == (1, 2) and first["chat"] == second["chat"]
    assert (first["value"], first["question"], first["understood_by"]) == (11_706_000, TAX, "")
    assert (second["value"], second["asked"], second["understood_by"]) == (
        9_847_000,
        "and in 2022?",
        "rules",
    )
    assert second["question"] == TAX.replace("2023", "2022")
    assert second["citations"][0]["page"] == 3 and second["checks"][0]["verdict"] == "supported"
    assert second["sources"][0] == {"document": "halvorsen-annual-report-2023.pdf", "page": 3}
    assert second["prose"] == [] and second["withheld"] == []


def test_a_chat_is_resumed_listed_searched_exported_renamed_and_deleted(
    pincite, fresh_corpus, tmp_path
):
    words = "chat", "--corpus", fresh_corpus
    chat = json.loads(pincite(*words, "--json", given=TAX)[1])["chat"]
    again = json.loads(pincite(*words, "--json", "--resume", chat, given="and in 2022?")[1])
    assert (again["chat"], again["turn"], again["value"]) == (chat, 2, 9_847_000)
    pincite(*words, given="What was the hazardous waste of Solvik Energy in 2022?")
    listed = json.loads(pincite(*words, "--list", "--json")[1])
    assert len(listed) == 2 and listed[-1]["turns"] == 2
    out = pincite(*words, "--search", "INCOME tax")[1]
    assert chat in out and len(out.splitlines()) == 1
    assert pincite(*words, "--rename", chat, "--title", "Taxes")[0] == 0
    assert "Taxes" in pincite(*words, "--list")[1]
    assert "## 2. and in 2022?" in pincite(*words, "--export", chat)[1]
    file = tmp_path / "chat.json"
    assert pincite(*words, "--export", chat, "--out", file)[0] == 0
    assert [one["number"] for one in json.loads(file.read_text())["turns"]] == [1, 2]
    assert pincite(*words, "--delete", chat)[0] == 0
    assert chat not in pincite(*words, "--list")[1]


def test_a_failed_question_does_not_end_the_rest(pincite, fresh_corpus):
    words = "chat", "--corpus", fresh_corpus, "--json", "--as-of", "soon"
    code, out, _ = pincite(*words, given=f"{TAX}\n{TAX}\n")
    told = [json.loads(line) for line in out.splitlines()]
    assert code == 2 and len(told) == 2
    assert "a date is written" in told[1]["error"]


@pytest.mark.parametrize(
    ("words", "given", "code", "message"),
    [
        (("--corpus", "{c}"), "", 2, "standard input contained no question"),
        (("--corpus", "{c}"), "\n \n", 2, "standard input contained no question"),
        (("--corpus", "{c}/none"), "What?", 1, "there is no corpus"),
        (("--corpus", "{c}/none", "--list"), "", 1, "there is no corpus"),
        (("--corpus", "{c}", "--resume", "00000000"), "What?", 2, "no chat '00000000'"),
        (("--corpus", "{c}", "--export", "00000000"), "", 2, "no chat '00000000'"),
        (("--corpus", "{c}", "--delete", "00000000"), "", 2, "no chat '00000000'"),
        (("--corpus", "{c}", "--list", "--delete", "00000000"), "", 2, "at a time"),
        (("--corpus", "{c}", "--list"), "", 0, "no chats are kept yet"),
        (("--corpus", "{c}", "--memory", "-1"), "", 2, "--memory"),
    ],
)
def test_a_users_mistake_gets_a_message_and_a_code(
    pincite, fresh_corpus, words, given, code, message
):
    got, _, err = pincite("chat", *(word.format(c=fresh_corpus) for word in words), given=given)
    assert got == code
    assert message in " ".join(err.split()) and "Traceback" not in err


class Terminal:
    """A program on a pseudo-terminal."""

    def __init__(self, *words):
        pty = pytest.importorskip("pty")
        self.child, self.file = pty.fork()
        if not self.child:
            os.environ.update(TERM="xterm", COLUMNS="110")
            signal.signal(
                signal.SIGINT, signal.SIG_DFL
            )  # whoever runs in the background ignores it
            os.execv(words[0], words)

    def until(self, text, most=30):
        """What it printed up to the first `text`."""
        seen, end = "", time.time() + most
        while text not in seen:
            assert time.time() < end, seen
            if select.select([self.file], [], [], 0.2)[0]:
                seen += os.read(self.file, 65536).decode(errors="replace")
        return seen

    def type(self, text):
        """Type into it."""
        os.write(self.file, text.encode())


SLOW = """
import sys, time
from pincite.workbench.library import Library
answer = Library.outcome
def dawdle(self, query):
    if "2021" in query.text:
        time.sleep(30)
    return answer(self, query)
Library.outcome = dawdle
from pincite.cli.main import main
sys.argv = ["pincite", "chat", "--corpus", {corpus!r}]
main()
"""


def test_on_a_terminal_sources_show_and_ctrl_c_ends_the_turn_alone(fresh_corpus):
    program = SLOW.format(corpus=str(fresh_corpus))
    terminal = Terminal(sys.executable, "-c", program)
    terminal.until("> ")
    terminal.type(f"{TAX}\n")
    seen = terminal.until("supported")
    assert "found halvorsen-annual-report-2023.pdf p. 3" in seen and "11,706 thousand EUR" in seen
    terminal.type("and in 2021?\n")
    terminal.until("understood as")
    terminal.type("\x03")
    terminal.until("stopped; the question is kept")
    terminal.type("and in 2022?\n")
    assert "9,847 thousand EUR" in terminal.until("supported")
    terminal.type("/quit\n")
    terminal.until("is kept: continue it with")
    assert os.waitpid(terminal.child, 0)[1] == 0
    history = History(fresh_corpus)
    (chat,) = history.chats()
    assert [one.state for one in history.turns(chat.id)] == ["answered", "stopped", "answered"]


def test_a_conversation_is_held_by_a_recipe_that_it_names(pincite, fresh_corpus):
    words = "--recipe", "bm25", "--stand-ins", "--set", "k_text=5"
    assert pincite("index", "--corpus", fresh_corpus, *words)[0] == 0
    code, out, err = pincite(
        "chat", "--corpus", fresh_corpus, *words, "--json", given=f"{TAX}\nand in 2022?\n"
    )
    first, second = (json.loads(line) for line in out.splitlines())
    assert code == 0 and first["recipe"] == second["recipe"] == "bm25 (k_text=5)"
    assert (first["value"], second["value"]) == (11_706_000, 9_847_000)
    assert "recipe: bm25 (k_text=5)" in err
    assert "stand-in: the reader without a model for the large model" in err
