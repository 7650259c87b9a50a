import sqlite3
from weakref import ref

import pytest

from pincite.corpus import Corpus, FileStatus, writing
from pincite.errors import CorpusBusy, CorpusError
from pincite.types import Anchor, Box, Document, Node


def document(name, text, company=""):
    box: Box = (1, 2, 3, 4)
    root = Node(f"{name}-root", "document", name, Anchor(name))
    page = Node(f"{name}-page", "page", text, Anchor(name, ((1, None),)), root.id, 1)
    paragraph = Node(
        f"{name}-p", "paragraph", text, Anchor(name, ((1, box),)), root.id, 2, meta={"starts": [0]}
    )
    return Document(name, f"{name}-1", title=name.title(), nodes=(root, page, paragraph))


def put(writer, name, text, **meta):
    writer.put_document(document(name, text), name)
    writer.put_file(
        FileStatus(f"/reports/{name}.pdf", f"{name}.pdf", name, version=f"{name}-1", meta=meta)
    )


@pytest.fixture
def folder(tmp_path):
    with writing(tmp_path / "c") as writer:
        put(writer, "alpha", "one", company="Alpha AS")
        put(writer, "beta", "two", company="Beta plc")
        writer.publish([("alpha.pdf", "alpha-1"), ("beta.pdf", "beta-1")], {})
    return tmp_path / "c"


def test_what_was_put_is_read_back(folder):
    corpus = Corpus(folder)
    assert [one.id for one in corpus.documents] == ["alpha.pdf", "beta.pdf"]
    assert corpus.document("alpha-1").nodes == document("alpha", "one").nodes
    assert [node.id for node in corpus.nodes(["beta-p", "gone", "alpha-p"])] == [
        "beta-p",
        "alpha-p",
    ]
    assert corpus.places(["beta-page"]) == {"beta-page": ("beta-1", 1)}


def test_filters_match_documents_with_and_without_extension_and_fold_case(folder):
    corpus = Corpus(folder)
    for where in (
        (("document", ("ALPHA",)),),
        (("document", ("alpha.pdf",)),),
        (("company", ("alpha as",)),),
    ):
        assert [one.id for one in corpus.select(where)] == ["alpha.pdf"]
    assert corpus.select((("company", ("Alpha AS",)), ("document", ("beta",)))) == ()
    assert len(corpus.select((("company", ("alpha as", "beta plc")),))) == 2


def test_a_filter_on_an_unknown_field_names_those_that_there_are(folder):
    with pytest.raises(
        CorpusError, match="no document has a field 'firm'.*company, document, title"
    ):
        Corpus(folder).select((("firm", ("x",)),))


def test_readers_keep_their_generation_while_another_is_published(folder):
    before = Corpus(folder)
    with writing(folder) as writer:
        put(writer, "gamma", "three")
        during = Corpus(folder)
        writer.publish([("gamma.pdf", "gamma-1")], {})
        writer.sweep()
    assert (
        [one.id for one in before.documents]
        == [one.id for one in during.documents]
        == ["alpha.pdf", "beta.pdf"]
    )
    assert [one.id for one in Corpus(folder).documents] == ["gamma.pdf"]


def test_one_writer_at_a_time_and_readers_never_wait(folder):
    with writing(folder):
        with pytest.raises(CorpusBusy):
            with writing(folder):
                pass
        assert len(Corpus(folder).documents) == 2


def test_what_no_generation_needs_is_swept(folder):
    with writing(folder) as writer:
        writer.forget_files(["/reports/beta.pdf"])
        (folder / "shelves" / "stale").mkdir()
        for _ in range(2):
            writer.publish([("alpha.pdf", "alpha-1")], {})
        writer.sweep()
        assert writer.versions() == {"alpha-1"}
    assert not (folder / "shelves" / "stale").exists()


def test_a_missing_corpus_says_how_to_make_one(tmp_path):
    with pytest.raises(CorpusError, match="pincite index"):
        Corpus(tmp_path / "nothing")


def test_a_damaged_corpus_and_one_of_another_version_say_so(folder):
    db = sqlite3.connect(folder / "corpus.sqlite")
    with db:
        db.execute("UPDATE facts SET value = '99'")
    db.close()
    with pytest.raises(CorpusError, match="format 99"):
        Corpus(folder)
    (folder / "corpus.sqlite").write_bytes(b"not a database" * 100)
    with pytest.raises(CorpusError, match="damaged"):
        Corpus(folder)


def test_a_closed_corpus_keeps_no_page(example_corpus):
    corpus = Corpus(example_corpus)
    node = ref(corpus.page(corpus.documents[0].version, 1)[0])
    assert node() is not None and corpus.page(corpus.documents[0].version, 1)[0] is node()
    corpus.close()
    assert node() is None
