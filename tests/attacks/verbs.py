"""A call of every verb of the command line, over a small world whose names and texts would steer a terminal."""

import io
import json
import shutil
import sqlite3
import sys
from contextlib import redirect_stderr, redirect_stdout

import pytest
from reportlab.pdfgen.canvas import Canvas

from pincite.cli.main import VERBS, main

STEER = "\x1b[38;5;199m\x1b]8;;http://evil.example\x1b\\\x9b2J\x90q\x08\x7f\u202e\u2066\x07"
MARKUP = "[red]loud[/red] [link=http://evil.example]here[/link] :boom:"
HOSTILE = STEER + MARKUP
NAMES = tuple(VERBS)


class Screen(io.StringIO):
    """What is shown, on a terminal or not."""

    def __init__(self, terminal):
        super().__init__()
        self.terminal = terminal

    def isatty(self):
        return self.terminal


def run(*words, given="", terminal=False):
    """Run the command line in this process: (exit code, standard output, standard error). No error but an exit is caught."""
    out, err = Screen(terminal), Screen(terminal)
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.setattr(sys, "argv", ["pincite", *map(str, words)])
        patch.setattr(sys, "stdin", io.StringIO(given))
        patch.setenv("COLUMNS", "100")
        patch.setenv("TERM", "xterm-256color")
        if words[0] == "enrich":
            patch.setenv("PINCITE_SMALL", "small")
        try:
            main()
            code = 0
        except SystemExit as stop:
            code = int(stop.code or 0)
    return code, out.getvalue(), err.getvalue()


def corpus_of(folder):
    """A corpus of some documents and a database."""
    files = folder / "files"
    files.mkdir(parents=True)
    text = f"Revenue of Acme {HOSTILE} was 412 million USD in 2023. Staff of Acme {HOSTILE} was 77 people in 2023.\n"
    (files / f"acme{HOSTILE.replace('/', '')}.txt").write_text(text)
    (files / f"broken{HOSTILE.replace('/', '')}.pdf").write_text(HOSTILE)
    page = Canvas(str(files / "turnover.pdf"))
    page.drawString(72, 700, "Turnover of Dorado was 88 million USD in 2023.")
    page.save()
    (files / "notes.md").write_text(
        "# Staff\n\nStaff of Contoso was 12 people in 2023. Its revenue was 5 million USD in 2023.\n"
    )
    for number, town in enumerate(("Contoso", "Fabrikam", "Brisa", "Cobre")):
        (files / f"{town}.txt").write_text(
            f"The harbour office of the town of {town} had rented out {341 + number} berths to visiting sailing boats "
            "during the summer of 2023.\n"
        )
    with sqlite3.connect(folder / "plant.sqlite") as db:
        columns = f'id INTEGER PRIMARY KEY, name TEXT, "strength{HOSTILE}" REAL'
        db.execute(f'CREATE TABLE "alloy{HOSTILE}" ({columns})')
        rows = [(1, f"Anker{HOSTILE}", 410.5), (2, "Brisa", 95.0)]
        db.executemany(f'INSERT INTO "alloy{HOSTILE}" VALUES (?, ?, ?)', rows)
    db.close()
    meta, corpus = folder / "meta.csv", ("--corpus", folder / "c")
    meta.write_text(f'file,company,title\nnotes.md,Contoso,"{HOSTILE}"\n', encoding="utf-8")
    words = ("index", files, *corpus, "--db", folder / "plant.sqlite", "--metadata", meta)
    code, _, err = run(*words)
    assert code == 0, err
    return corpus


def build(folder):
    """The whole world: one of everything that is kept beside the corpus, too; the ids of an answer and of a chat."""
    corpus = corpus_of(folder)
    question = {"id": f"1{HOSTILE}", "question": "What was staff of Contoso in 2023?"}
    (folder / "q.jsonl").write_text(json.dumps(question) + "\n")
    (folder / "spec.yaml").write_text(json.dumps({
        "title": f"Grid {HOSTILE}", "entity": "document", "rows": ["notes"],
        "columns": [{"name": f"Staff {HOSTILE}", "type": "number", "period": 2023}],
    }))  # fmt: skip
    (folder / "lab.yaml").write_text(
        "corpora: {c: c}\nquestions: {q: {from: gold.jsonl, corpus: c}}\nrecipes: [{recipe: bm25, list: [{indexes: text}]}]\n"
    )
    (folder / "space.yaml").write_text(
        "recipe: bm25\nset: {indexes: text}\nspace: {k_text: {low: 1, high: 5}}\nvalidation: 0.5\n"
    )
    (folder / "beir" / "qrels").mkdir(parents=True)
    for name, row in (("corpus", {"_id": HOSTILE, "title": HOSTILE}), ("queries", {"_id": "1"})):
        line = json.dumps({"text": f"Staff of Contoso {HOSTILE}", **row})
        (folder / "beir" / f"{name}.jsonl").write_text(line + "\n")
    (folder / "beir" / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\n1\t2\t1\n")
    steps = [
        run("testset", "documents", *corpus, "--out", folder / "gold.jsonl", "--n", "4"),
        run("index", *corpus, "--recipe", "bm25", "--set", "indexes=text"),
        run("grid", folder / "spec.yaml", *corpus, "--out", folder / "grid.json", "--no-model"),
        run("chat", *corpus, "--no-model", "--json", given=f"What was staff of Contoso {HOSTILE} in 2023?\n"),
        run("batch", folder / "gold.jsonl", *corpus, "--out", folder / "run.jsonl", "--no-model"),
        run("export", folder / "c.pincite", *corpus),
        run("experiment", folder / "lab.yaml", "--out", folder / "runs"),
        run("ask", "What was turnover of Dorado in 2023?", *corpus, "--no-model", "--json"),
    ]  # fmt: skip
    assert all(code == 0 for code, _, _ in steps), [step for step in steps if step[0]]
    answer = json.loads(steps[-1][1])["answer_id"]
    assert run("review", "accept", answer, *corpus, "--by", HOSTILE)[0] == 0
    assert run("bundle", answer, *corpus, "--out", folder / "b.zip", "--no-model")[0] == 0
    return answer, json.loads(steps[3][1])["chat"]


def clear(folder):
    """What the calls have made is gone; there is an empty folder to write to."""
    for name in ("out", "new", "imported"):
        shutil.rmtree(folder / name, ignore_errors=True)
    (folder / "out").mkdir()


def calls(folder, answer, chat):
    """By verb the calls that succeed, each with its standard input and the file or folder that it writes, if it does."""
    c, out = ("--corpus", folder / "c"), folder / "out"
    asked = "What was staff of Contoso in 2023?"
    lab = folder / "runs" / "q-bm25-indexes=text"
    gold, questions, spec = folder / "gold.jsonl", folder / "q.jsonl", folder / "spec.yaml"
    grid = json.loads((folder / "grid.json").read_text())["id"]
    printed = {
        "index": [("index", folder / "files", "--corpus", folder / "new"), ("index", folder / "files", *c, "--dry-run")],
        "watch": [],  # never ends: it prints what index prints
        "enrich": [("enrich", *c, "--dry-run")],
        "ask": [
            ("ask", "What was revenue of Acme in 2023?", *c, "--explain"), ("ask", asked, *c, "--csv"),
            ("ask", f"What is the strength of Anker {HOSTILE}?", *c),
        ],
        "chat": [("chat", *c, "--list"), ("chat", *c, "--export", chat)],
        "review": [("review", "list", *c), ("review", "comment", answer, HOSTILE, *c, "--by", HOSTILE)],
        "verify": [("verify", folder / "b.zip")],
        "search": [("search", "revenue of Acme", *c)],
        "serve": [],  # its own words, and the log
        "grant": [],  # a folder has none
        "mcp": [],  # speaks to a program
        "sql": [
            ("sql", "How many alloys are there?", *c), ("sql", "--run", f'SELECT * FROM "alloy{HOSTILE}"', *c),
        ],
        "tables": [("tables", *c)], "status": [("status", *c), ("status", *c, "--quality")], "list": [("list", *c)],
        "remove": [],  # in its place
        "recipes": [("recipes",)], "recipe": [("recipe", "hero")],
        "import": [("import", folder / "c.pincite", "--corpus", folder / "imported")],
        "cost": [("cost", *c)], "doctor": [("doctor", *c)],
        "eval": [("eval", folder / "run.jsonl", gold, "--rules", "typed")],
    }  # fmt: skip
    written = {
        "chat": [(("chat", *c, "--export", chat, "--out"), "chat.md")],
        "batch": [
            (("batch", questions, *c, "--format", form, "--out"), f"a.{form}") for form in ("jsonl", "csv", "wattbot", "erc")
        ],
        "grid": [
            (("grid", spec, *c, "--no-model", "--out"), f"g{kind}") for kind in (".xlsx", ".csv", ".json", ".parquet")
        ],
        "review": [(("review", "export", *c, "--out"), "review.jsonl")],
        "bundle": [
            (("bundle", answer, *c, "--no-model", "--out"), "b.zip"),
            (("bundle", "--grid", grid, *c, "--no-model", "--out"), "b.zip"),
        ],
        "search": [(("search", "--questions", questions, *c, "--out"), "hits.jsonl")],
        "show": [(("show", answer, *c, "--out"), "page.png")],
        "token": [(("token", "ada", "--tokens"), "tokens.toml")],
        "export": [(("export", *c), "c.pincite"), (("export", *c, "--docling"), "docs")],
        "experiment": [(("experiment", folder / "lab.yaml", "--out", out / "lab", "--parquet"), "all.parquet")],
        "compare": [
            (("compare", lab, "--html"), "r.html"), (("compare", lab, "--markdown"), "r.md"),
            (("compare", lab, "--beir", out / "beir", *c, "--trec"), "trec"),
        ],
        "tune": [(("tune", folder / "space.yaml", *c, "--questions", gold, "--trials", "1", "--out"), "t.yaml")],
        "beir": [(("beir", folder / "beir", "--corpus", out / "bc", "--out"), "b.jsonl")],
        "testset": [(("testset", "documents", *c, "--out"), "set.jsonl")],
    }  # fmt: skip
    made = {verb: [(words, "", None) for words in some] for verb, some in printed.items()}
    made["chat"].insert(0, (("chat", *c), f"{asked}\n{HOSTILE}\n", None))
    for verb, some in written.items():
        made.setdefault(verb, []).extend(((*words, out / name), "", name) for words, name in some)
    return made
