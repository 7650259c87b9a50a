"""The command line as a user meets it: what it prints, its exit codes, its messages."""

import csv
import json
import subprocess
import sys
from dataclasses import asdict

import pytest
from PIL import Image

from pincite.workbench.batch import read_questions


def test_ask_gives_value_unit_place_quote_and_check(pincite, example_corpus):
    code, out, _ = pincite(
        "ask", "What was the income tax expense in 2023?", "--corpus", example_corpus, "--json"
    )
    told = json.loads(out)
    assert code == 0
    assert abs(told["value"]) == 11_706_000 and told["unit"] == "EUR"
    (citation,) = told["citations"]
    assert (citation["document"], citation["page"]) == ("halvorsen-annual-report-2023.pdf", 3)
    assert citation["quote"] == "(11,706)" and len(citation["box"]) == 4 and citation["cells"]
    assert told["checks"][0]["verdict"] == "supported"


def test_ask_on_the_terminal_names_the_page(pincite, example_corpus):
    code, out, _ = pincite("ask", "What was revenue in 2022?", "--corpus", example_corpus)
    assert code == 0 and "398,115" in out and "halvorsen-annual-report-2023.pdf, page 3" in out


def test_show_frames_the_cited_cell(pincite, example_corpus, tmp_path):
    _, out, _ = pincite(
        "ask", "What was the income tax expense in 2023?", "--corpus", example_corpus, "--json"
    )
    told = json.loads(out)
    for identity in (told["answer_id"], told["citations"][0]["id"]):
        picture = tmp_path / "page.png"
        code, _, _ = pincite("show", identity, "--corpus", example_corpus, "--out", picture)
        assert code == 0
        x0, top, x1, bottom = (2 * edge for edge in told["citations"][0]["box"])
        image = Image.open(picture).convert("RGB")
        around = image.crop((int(x0) - 10, int(top) - 10, int(x1) + 10, int(bottom) + 10))
        red = [count for count, colour in around.getcolors(100_000) if colour == (214, 40, 40)]
        assert sum(red) > 100


def test_search_prints_each_page_once_best_first(pincite, example_corpus):
    _, out, _ = pincite(
        "search",
        "greenhouse gas emissions by scope",
        "--corpus",
        example_corpus,
        "-k",
        3,
        "--json",
    )
    hits = json.loads(out)
    assert (hits[0]["document"], hits[0]["page"]) == ("solvik-sustainability-2023.pdf", 1)
    assert len({(hit["document"], hit["page"]) for hit in hits}) == len(hits) == 3
    assert [hit["score"] for hit in hits] == sorted((hit["score"] for hit in hits), reverse=True)


def test_filters_restrict_what_is_found(pincite, example_corpus):
    _, out, _ = pincite(
        "search",
        "energy",
        "--corpus",
        example_corpus,
        "--where",
        "company=solvik energy as",
        "--json",
    )
    assert {hit["document"] for hit in json.loads(out)} == {"solvik-sustainability-2023.pdf"}


def test_search_over_a_file_of_questions(pincite, example_corpus, tmp_path):
    questions, out = tmp_path / "q.jsonl", tmp_path / "hits.jsonl"
    questions.write_text(
        '{"id": "a", "question": "income tax expense"}\n'
        '{"id": "b", "question": "energy per request", "doc_ids": ["brandt-2024-inference-energy"]}\n'
        '{"id": "c", "question": "employees", "companies": ["Solvik Energy"]}\n'
    )
    code, _, err = pincite(
        "search", "--questions", questions, "--out", out, "--corpus", example_corpus
    )
    assert code == 0, err
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    assert [line["id"] for line in lines] == ["a", "b", "c"]
    assert {hit["document"] for hit in lines[1]["hits"]} == {"brandt-2024-inference-energy.pdf"}
    assert {hit["document"] for hit in lines[2]["hits"]} == {"solvik-sustainability-2023.pdf"}


@pytest.fixture
def questions(tmp_path):
    path = tmp_path / "questions.csv"
    path.write_text(
        "id,question,answer_unit\n"
        "q1,What was the income tax expense of Halvorsen in 2023?,EUR\n"
        "q2,What was the hazardous waste of Solvik in 2022?,tonnes\n"
    )
    return path


def test_batch_in_every_format(pincite, example_corpus, questions, tmp_path):
    for form in ("jsonl", "csv", "wattbot", "erc"):
        out = tmp_path / f"out.{form}"
        code, _, err = pincite(
            "batch", questions, "--corpus", example_corpus, "--out", out, "--format", form
        )
        assert code == 0, err
        assert not out.with_name(out.name + ".partial").exists()
    lines = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [line["id"] for line in lines] == ["q1", "q2"] and lines[1]["value"] == 2145
    rows = list(csv.DictReader((tmp_path / "out.wattbot").open()))
    assert (
        rows[1]["answer_value"] == "2145" and rows[1]["ref_id"] == '["solvik-sustainability-2023"]'
    )
    assert list(csv.DictReader((tmp_path / "out.csv").open()))[1]["value"] == "2145"
    answers = json.loads((tmp_path / "out.erc").read_text())["answers"]
    assert answers[1]["value"] == 2145
    assert answers[1]["references"] == [
        {"pdf_sha1": "solvik-sustainability-2023", "page_index": 1}
    ]


def test_batch_resumes_a_killed_run(pincite, example_corpus, questions, tmp_path):
    out = tmp_path / "out.jsonl"
    pincite("batch", questions, "--corpus", example_corpus, "--out", out)
    first, second = out.read_text().splitlines()
    done = {**json.loads(first), "text": "kept from the killed run"}
    from pincite.workbench.library import Library

    opened = Library(example_corpus)
    state = {"generation": opened.corpus.generation.identity, "recipe": opened.spelling}
    partial = tmp_path / "out.jsonl.partial"
    asked = json.dumps(asdict(read_questions(questions)[0]))
    kept = (
        json.dumps(state) + "\n" + json.dumps({"asked": asked, "made": done}) + "\n" + second[:40]
    )
    partial.write_text(kept)
    pincite("batch", questions, "--corpus", example_corpus, "--out", out)
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    assert lines[0]["text"] == "kept from the killed run" and lines[1] == json.loads(second)
    partial.write_text(
        kept.replace('\\"unit\\": \\"', '\\"unit\\": \\"million ')
    )  # another question under the same id
    pincite("batch", questions, "--corpus", example_corpus, "--out", out)
    assert json.loads(out.read_text().splitlines()[0])["text"] == json.loads(first)["text"]


def test_a_question_of_a_file_says_its_date(pincite, example_corpus, tmp_path):
    asked = tmp_path / "asked.jsonl"
    asked.write_text(
        json.dumps({"id": "a", "question": "What was revenue in 2022?", "as_of": "last year"})
    )
    for verb in ("batch", asked, "--out", tmp_path / "o.jsonl"), ("search", "--questions", asked):
        code, _, err = pincite(*verb, "--corpus", example_corpus)
        assert code == 2 and "a date is written 2019" in err and "'last year'" in err
    asked.write_text(
        json.dumps(
            {
                "id": "a",
                "question": "What was the revenue of Halvorsen Maritime in 2022?",
                "as_of": "2024-06",
            }
        )
    )
    assert (
        pincite("batch", asked, "--out", tmp_path / "o.jsonl", "--corpus", example_corpus)[0] == 0
    )
    assert json.loads((tmp_path / "o.jsonl").read_text())["value"] == 398_115_000


def test_tables_as_json(pincite, examples):
    _, out, _ = pincite("tables", examples / "files" / "solvik-sustainability-2023.pdf", "--json")
    found = json.loads(out)
    assert [table["page"] for table in found] == [1, 2]
    assert set(found[0]) == {"page", "box", "caption", "scale", "unit", "cells"}
    norway = next(cell for cell in found[0]["cells"] if cell["text"] == "Norway")
    assert norway["column_span"] == 2 and norway["row"] == 0
    assert set(norway) == {"row", "column", "row_span", "column_span", "text", "box"}


def test_status_and_list_say_what_is_covered(pincite, example_corpus):
    told = json.loads(pincite("status", "--corpus", example_corpus, "--json")[1])
    assert (told["documents"], told["pages"], told["problems"]) == (3, 7, [])
    assert {one["status"] for one in told["files"]} == {"ok"}
    listed = json.loads(pincite("list", "--corpus", example_corpus, "--json")[1])
    assert [one["pages"] for one in listed] == [1, 4, 2]


def test_what_is_known_of_a_document_can_be_edited(pincite, fresh_corpus):
    name = "brandt-2024-inference-energy"
    told = pincite("edit", name, "--corpus", fresh_corpus, "--company", "Brandt", "--year", "2023")
    assert told[0] == 0 and "company: Brandt" in told[1] and "year: 2023" in told[1]
    assert "company: Brandt" in pincite("list", "--corpus", fresh_corpus)[1]
    assert pincite("edit", name, "--corpus", fresh_corpus)[2].startswith(
        "pincite: nothing to edit"
    )


def test_remove_export_and_import(pincite, fresh_corpus, tmp_path):
    code, _, _ = pincite("remove", "brandt-2024-inference-energy", "--corpus", fresh_corpus)
    assert code == 0
    assert len(json.loads(pincite("list", "--corpus", fresh_corpus, "--json")[1])) == 2
    assert pincite("export", tmp_path / "c.pincite", "--corpus", fresh_corpus)[0] == 0
    assert pincite("import", tmp_path / "c.pincite", "--corpus", tmp_path / "again")[0] == 0
    words = "What was the hazardous waste in 2022?", "--json", "--corpus"
    assert pincite("ask", *words, tmp_path / "again")[1] == pincite("ask", *words, fresh_corpus)[1]


def test_doctor_finds_this_installation_whole(pincite, example_corpus):
    code, out, _ = pincite("doctor", "--corpus", example_corpus)
    assert code == 0 and "FAIL" not in out


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("ask", "", "--corpus", "{c}"), 2, "question is empty"),
        (("ask", "What?", "--corpus", "{c}/none"), 1, "there is no corpus"),
        (("ask", "What?", "--corpus", "{c}", "--expects", "date"), 2, "--expects must be one of"),
        (("ask", "What?", "--corpus", "{c}", "--where", "company"), 2, "FIELD=VALUE"),
        (
            ("ask", "What?", "--corpus", "{c}", "--where", "colour=red"),
            1,
            "no document has a field 'colour'",
        ),
        (("ask", "What?", "--corpus", "{c}", "--colour"), 2, "No such option"),
        (("index", "{c}/none", "--corpus", "{c}2"), 2, "does not exist"),
        (("show", "00000000", "--corpus", "{c}"), 2, "no answer '00000000'"),
        (("remove", "nothing.pdf", "--corpus", "{c}"), 2, "not in the corpus: nothing.pdf"),
        (
            ("batch", "{c}/none.csv", "--corpus", "{c}", "--out", "{c}/o"),
            2,
            "no file of questions",
        ),
        (("tables", "{c}/none.pdf"), 2, "does not exist"),
        (("import", "{c}/corpus.sqlite", "--corpus", "{c}3"), 1, "not an exported corpus"),
        (("export", "{c}/corpus.sqlite/x", "--corpus", "{c}"), 1, "corpus.sqlite"),
        (
            ("grid", "{c}/../g.csv", "--corpus", "{c}", "--out", "{c}/corpus.sqlite/x/y.csv"),
            2,
            "no grid spec",
        ),
    ],
)
def test_a_users_mistake_gets_a_message_and_a_code(pincite, fresh_corpus, words, code, message):
    got, _, err = pincite(*(word.format(c=fresh_corpus) for word in words))
    assert got == code
    assert message in " ".join(err.split()) and "Traceback" not in err


def test_offline_opens_no_socket(example_corpus):
    program = (
        "import sys\n"
        "def forbidden(event, arguments):\n"
        "    if event.startswith('socket.'): raise SystemExit('a socket was opened')\n"
        "sys.addaudithook(forbidden)\n"
        "from pincite.cli.main import main\n"
        f"sys.argv = ['pincite', '--offline', 'ask', 'What was revenue in 2022?', '--corpus', {str(example_corpus)!r}]\n"
        "main()\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0 and "398,115" in done.stdout, done.stderr


def test_offline_refuses_a_socket(example_corpus):
    program = (
        "from pincite.processes.offline import forbid\nforbid()\nimport socket\nsocket.socket()"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert "--offline is set" in done.stderr


def test_importing_the_command_line_loads_no_engine():
    program = "import sys, pincite.cli.main\nprint([m for m in ('numpy', 'onnxruntime', 'pint', 'PIL') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stderr


def test_a_refusal_lists_possible_answers_with_their_pages(pincite, example_corpus, tmp_path):
    asked = ("ask", "How many vessels were scrapped in 2023?", "--corpus", example_corpus)
    code, out, _ = pincite(*asked, "--json")
    told = json.loads(out)
    assert code == 0 and told["refused"] and not told["citations"]
    first = told["possible"][0]
    assert first.keys() == {"value", "unit", "confidence", "citation"}
    assert (first["citation"]["id"], first["citation"]["page"]) == (f"{told['answer_id']}.p1", 2)
    assert first["confidence"] == told["confidence"] >= told["possible"][-1]["confidence"]
    _, out, _ = pincite(*asked)
    lines = [line.strip() for line in out.splitlines()]
    assert any(line.startswith(f"{told['headline']}  ") for line in lines)
    lines = [line for line in lines if line.startswith("possible: ")]
    assert len(lines) == len(told["possible"]) <= 3 and "✓" not in out
    said = f"possible: {first['value']} ({first['confidence']:.0%}), halvorsen-annual-report-2023.pdf, page 2"
    assert lines[0] == said
    code, _, _ = pincite(
        "show", first["citation"]["id"], "--corpus", example_corpus, "--out", tmp_path / "page.png"
    )
    assert code == 0
    code, _, err = pincite(
        "show", told["answer_id"], "--corpus", example_corpus, "--out", tmp_path / "page.png"
    )
    assert code != 0 and f"The places of its possible answers: {told['answer_id']}.p1" in err
