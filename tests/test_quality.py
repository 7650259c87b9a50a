import json

from pincite.corpus import Corpus, FileStatus, writing
from pincite.indexing import publish
from pincite.ingest.raw_page import Block, Page
from pincite.ingest.tree import build
from pincite.workbench.page_quality import quality, totals


def page(number, text, seen=0.0, suspicion=""):
    blocks = (Block("paragraph", text, (None,), (0,)),) if text else ()
    return Page(number, 600, 800, blocks, seen, suspicion)


def corpus_of(folder, pages):
    with writing(folder) as writer:
        document = build("a" * 64, "report.pdf", "pdf/1", pages)
        writer.put_document(document, "a" * 64)
        writer.put_file(
            FileStatus("/files/report.pdf", "report.pdf", "a" * 64, 1, 1, document.version)
        )
        publish(writer, ())
    return Corpus(folder)


def test_pages_are_listed_worst_first(tmp_path):
    told = "The emissions of the group fell by a tenth."
    held = quality(
        corpus_of(
            tmp_path,
            [
                page(1, told),
                page(2, ""),
                page(3, told, 0.95, "no text layer"),
                page(4, told, 0.7, "no text layer"),
                page(5, told, 0.0, "its text layer is noise"),
            ],
        )
    )
    assert [(one.page, one.how, one.sure, one.doubtful) for one in held] == [
        (2, "none", 0.0, True), (4, "ocr", 0.7, True), (5, "text", 1.0, True), (3, "ocr", 0.95, False), (1, "text", 1.0, False),
    ]  # fmt: skip
    assert totals(held) == {"text": 2, "ocr": 2, "none": 1, "doubtful": 3}


def test_the_command(tmp_path, monkeypatch, capsys):
    import sys

    import pytest

    from pincite.cli.main import main

    corpus_of(
        tmp_path,
        [
            page(1, "Revenue rose by a third in the year."),
            page(2, "", 0.0, "no text layer, and no text could be read from it"),
        ],
    )
    for words in ([], ["--json"]):
        monkeypatch.setattr(
            sys, "argv", ["pincite", "status", "--quality", "-c", str(tmp_path), *words]
        )
        with pytest.raises(SystemExit) as stop:
            main()
        assert not stop.value.code
    first, _, rest = capsys.readouterr().out.partition("\n")
    assert first == "2 pages: 1 with a text layer, 0 read by OCR, 1 without text; 1 to check"
    line, _, told = rest.partition("\n")
    assert (
        line
        == "  report.pdf, page 2: 0 characters; no text layer, and no text could be read from it"
    )
    assert json.loads(told)["pages"][0]["page"] == 2
