"""`--parser docling`: the adapter against a stand-in with docling's documented interface, and what is read again when."""

import json
import sys
import textwrap

import pytest

from pincite.corpus import Corpus
from pincite.errors import SourceError, UsageError
from pincite.ingest.docling.doclingparse import _converter
from pincite.ingest.document_parser import PARSER, outdated, parse, parser_now
from pincite.workbench.library import index

doc = pytest.importorskip("docling_core.types.doc")
STAND_IN = '''
import json, pathlib
from docling_core.types.doc import DoclingDocument

class DocumentConverter:
    """As docling's: convert(Path) gives a result whose document is a DoclingDocument; files that it cannot read raise."""
    def convert(self, source):
        assert isinstance(source, pathlib.Path)
        with (pathlib.Path(__file__).parent.parent / "calls").open("a") as calls:
            calls.write(source.name + "\\n")
        if b"no model" in source.read_bytes():
            raise RuntimeError("docling-models is not in the cache")
        class Result:
            document = DoclingDocument.model_validate(json.loads(pathlib.Path(__file__).with_name("made.json").read_text()))
        return Result()
'''


@pytest.fixture
def docling(tmp_path, monkeypatch):
    """A package `docling` on the path, also of the workers; the file that tells what it was asked to convert."""
    folder = tmp_path / "site" / "docling"
    folder.mkdir(parents=True)
    made = doc.DoclingDocument(name="a")
    made.add_page(page_no=1, size=doc.Size(width=600, height=800))
    box = doc.BoundingBox(l=50, t=700, r=300, b=680, coord_origin=doc.CoordOrigin.BOTTOMLEFT)
    place = doc.ProvenanceItem(page_no=1, bbox=box, charspan=(0, 0))
    made.add_text(label=doc.DocItemLabel.TEXT, text="Seen by another parser.", prov=place)
    (folder / "__init__.py").write_text("")
    (folder / "document_converter.py").write_text(textwrap.dedent(STAND_IN))
    (folder / "made.json").write_text(json.dumps(made.export_to_dict()))
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "site"))
    _converter.cache_clear()
    yield tmp_path / "site" / "calls"
    _converter.cache_clear()
    for name in [one for one in sys.modules if one.partition(".")[0] == "docling"]:
        del sys.modules[name]


def versions(corpus):
    opened = Corpus(corpus)
    return {one.document: one.version.partition("-")[2] for one in opened.files()}


def test_pdf_files_go_to_docling_and_others_do_not(docling, tmp_path):
    files, corpus = tmp_path / "files", tmp_path / "corpus"
    files.mkdir()
    (files / "a.pdf").write_bytes(b"%PDF-1.4 whatever")
    (files / "b.md").write_text("# Costs\n\nWages were 12.\n")
    index(files, corpus, parser="docling")
    own = parser_now()
    assert versions(corpus) == {"a.pdf": f"{PARSER}+docling", "b.md": own}
    opened = Corpus(corpus)
    (node,) = [
        one for one in opened.document(opened.files()[0].version).nodes if one.kind == "paragraph"
    ]
    assert (node.text, node.anchor.spots) == (
        "Seen by another parser.",
        ((1, (50, 100, 300, 120)),),
    )
    assert docling.read_text() == "a.pdf\n"
    assert index(files, corpus).parsed == 0  # what it parsed is kept
    (files / "a.pdf").rename(files / "c.pdf")
    index(files, corpus)
    assert docling.read_text() == "a.pdf\n" and versions(corpus)["c.pdf"] == f"{PARSER}+docling"
    index(files, corpus, parser="pincite")
    assert [one.status for one in Corpus(corpus).files()] == ["ok", "unreadable"]


def test_what_docling_cannot_read_is_told_with_what_to_do(docling, tmp_path):
    (tmp_path / "a.pdf").write_bytes(b"%PDF-1.4 no model")
    with pytest.raises(
        SourceError,
        match=r"not in the cache.*docling-tools models download.*DOCLING_ARTIFACTS_PATH",
    ):
        parse(tmp_path / "a.pdf", "a.pdf", "ab" * 32, parser="docling")
    with pytest.raises(SourceError, match="given no passwords"):
        parse(tmp_path / "a.pdf", "a.pdf", "ab" * 32, "secret", parser="docling")


def test_a_parser_that_is_not_there_is_told_before_anything_is_read(tmp_path):
    (tmp_path / "a.md").write_text("# Costs")
    with pytest.raises(UsageError, match=r"pip install 'pincite\[docling\]'"):
        index(tmp_path / "a.md", tmp_path / "corpus", parser="docling")
    with pytest.raises(UsageError, match="known: pincite, docling"):
        index(tmp_path / "a.md", tmp_path / "corpus", parser="magic")
    assert not (tmp_path / "corpus").exists()


def test_what_another_parser_made_is_read_again_only_when_asked():
    made = f"{PARSER}+docling"
    assert [outdated(made, "pdf", one) for one in ("", "docling", "pincite")] == [
        False,
        False,
        True,
    ]
    assert [outdated(parser_now(), "pdf", one) for one in ("", "docling", "pincite")] == [
        False,
        True,
        False,
    ]
    assert not outdated(parser_now(), "docx", "docling") and outdated(
        "0+docling", "pdf", "docling"
    )
