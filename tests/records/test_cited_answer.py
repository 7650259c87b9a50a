"""Answers in Python: filters as a mapping, printed for people, shown in a notebook, as data."""

import io
import json
import pickle
import re
from base64 import b64decode
from html.parser import HTMLParser

import pytest
from PIL import Image

import pincite
from pincite.errors import PinciteError, UnsupportedSource, UsageError
from pincite.evidence.headline import headline
from pincite.records.cited_answer import CitedAnswer
from pincite.workbench.grid import spec_from

TAX = "What was the income tax expense in 2023?"
FIRM = {"company": "Halvorsen Maritime plc"}
LLAMAS = "How many llamas does Halvorsen Maritime own?"


@pytest.fixture(scope="module")
def tax(library):
    return library.ask(TAX, where=FIRM)


def test_the_module_lists_what_there_is_and_imports_none_of_it():
    assert {"index", "open", "Library", "Answer", "fill_grid", "read_run"} <= set(dir(pincite))
    assert all(getattr(pincite, name) is not None for name in dir(pincite))


def test_an_answer_prints_as_a_person_reads_it(tax):
    first, place, check = str(tax).splitlines()
    assert re.fullmatch(r"11,706 thousand EUR   confidence \d\d%", first)
    assert place == "  [1] halvorsen-annual-report-2023.pdf, page 3: “(11,706)”"
    assert check.startswith("  ✓ supported: (11,706) in row 'Income tax expense', column '2023'")
    assert repr(tax).startswith("<11,706 thousand EUR, confidence ") and len(repr(tax)) < 100


def test_a_refusal_prints_its_reason_and_what_to_try(library):
    answer = library.ask(LLAMAS)
    said = headline(answer)
    assert answer.value is None and repr(answer).startswith(f"<{said}: ")
    told = str(answer).splitlines()
    assert told[0].startswith(f"{said}  ") and any(line.startswith("  try ") for line in told)
    assert answer.to_dict()["next"] == [step.text for step in answer.next_steps]


def test_an_answer_as_data_is_json_and_carries_its_citation(tax):
    told = json.loads(json.dumps(tax.to_dict()))
    assert (told["value"], told["unit"], told["citations"][0]["page"]) == (11_706_000, "EUR", 3)
    assert "next" not in told


def test_a_notebook_shows_the_cited_place_framed(tax):
    seen = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag, attributes):
            seen.append((tag, dict(attributes)))

    Reader().feed(tax._repr_html_())
    (image,) = [told["src"] for tag, told in seen if tag == "img"]
    picture = Image.open(io.BytesIO(b64decode(image.partition(",")[2]))).convert("RGB")
    colours = dict((colour, count) for count, colour in picture.getcolors(100_000))
    assert colours[(214, 40, 40)] > 100 and picture.height < tax.picture().height / 2


def test_what_a_document_says_is_escaped_in_a_notebook(tax):
    bad = CitedAnswer.of(tax, tax.folder, 0.0)
    object.__setattr__(bad, "text", "<script>alert(1)</script>")
    assert "<script>" not in bad._repr_html_()


def test_a_citation_that_is_not_there_is_named(tax):
    with pytest.raises(UsageError, match="it has 1"):
        tax.picture("7")


def test_an_answer_is_a_value(library, tax):
    again = library.ask(TAX, where=FIRM)
    assert again == tax == pickle.loads(pickle.dumps(tax)) and hash(again) == hash(tax)


def test_slips_of_a_call_are_named(library):
    with pytest.raises(UsageError, match="Did you mean 'Halvorsen Maritime plc'"):
        library.ask(TAX, where={"company": "Halvorson"})
    with pytest.raises(UsageError, match="not a known unit"):
        library.ask(TAX, unit="florps")


def test_several_answers_as_text_and_as_a_frame(library):
    frame = pytest.importorskip("pandas")
    answers = library.ask_all([TAX, LLAMAS], where=FIRM)
    assert str(answers).startswith(f"{TAX}\n11,706 thousand EUR")
    made = answers.to_frame()
    assert isinstance(made, frame.DataFrame) and list(made["question"]) == [TAX, LLAMAS]
    assert made["value"][0] == 11_706_000 and frame.isna(made["value"][1])
    assert (made["page"][0], made["verdict"][0]) == (3, "supported")
    assert "<td>11,706 thousand EUR</td>" in answers._repr_html_()


def test_a_grid_is_a_frame_of_entities_by_questions(library):
    pytest.importorskip("pandas")
    spec = spec_from({
        "rows": ["Halvorsen Maritime"],
        "columns": [{"name": "tax", "question": "What was the income tax expense of {entity} in 2023?"}],
    })  # fmt: skip
    made = pincite.fill_grid(spec, library).to_frame()
    assert made.loc["Halvorsen Maritime", "tax"] == 11_706_000


def test_a_missing_pandas_says_how_to_install_it(library, tax, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pandas", None)
    with pytest.raises(PinciteError, match=r'pip install "pincite\[frames\]"'):
        library.ask_all([TAX]).to_frame()


def test_a_source_without_pages_has_no_picture(tmp_path):
    (tmp_path / "a.md").write_text(
        "# Costs of Fabel Mills\n\n| EUR | 2022 | 2023 |\n|---|---|---|\n| Wages | 11 | 12 |\n"
    )
    pincite.index(tmp_path / "a.md", tmp_path / "corpus")
    library = pincite.open(tmp_path / "corpus", pincite.Settings(threshold=0.1))
    answer = library.ask("What were the wages of Fabel Mills in 2023?")
    assert answer.value.value == 12 and "<img" not in answer._repr_html_()
    with pytest.raises(UnsupportedSource):
        answer.picture()
