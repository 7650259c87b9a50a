"""`pincite export --docling`, and a corpus made of what it wrote: the same answers at the same places."""

import json

import pytest

from pincite.settings import Settings
from pincite.workbench.library import Library, index

doc = pytest.importorskip("docling_core.types.doc")
QUESTION = "What was the income tax expense in 2023?"


def test_a_corpus_of_what_was_written_gives_the_same_answer(
    pincite, example_corpus, tmp_path, library
):
    code, out, _ = pincite(
        "export", tmp_path / "out", "--corpus", example_corpus, "--docling", "--json"
    )
    written = {one["document"]: one["out"] for one in json.loads(out)}
    assert code == 0 and len(written) == 3
    made = doc.DoclingDocument.load_from_json(written["halvorsen-annual-report-2023.pdf"])
    assert made.pages[3].size.width > 500 and made.origin.mimetype == "application/pdf"
    index([tmp_path / "out"], tmp_path / "corpus")
    again = Library(tmp_path / "corpus", Settings()).ask(QUESTION)
    first = library.ask(QUESTION)
    assert again.value == first.value and again.value is not None
    (one,), (other,) = first.citations, again.citations
    assert (one.quote, one.anchor.spots, one.anchor.cells) == (
        other.quote,
        other.anchor.spots,
        other.anchor.cells,
    )
    assert other.document == "halvorsen-annual-report-2023.pdf.docling.json"


def test_documents_are_chosen_by_where_and_a_whole_corpus_is_not(
    pincite, example_corpus, tmp_path
):
    chosen = ("--where", "document=solvik-sustainability-2023.pdf")
    code, out, _ = pincite("export", tmp_path, "--corpus", example_corpus, "--docling", *chosen)
    assert code == 0 and "1 document" in out
    assert [one.name for one in tmp_path.iterdir()] == [
        "solvik-sustainability-2023.pdf.docling.json"
    ]
    code, _, err = pincite("export", tmp_path / "a.pincite", "--corpus", example_corpus, *chosen)
    assert code == 2 and "--docling" in err
