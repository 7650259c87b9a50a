import os
import shutil

import pytest

from pincite.corpus import Corpus
from pincite.errors import UsageError
from pincite.indexing import discover
from pincite.indexing.removing import edit, remove
from pincite.settings import Settings
from pincite.workbench.importing import unpack
from pincite.workbench.library import Library, default_shelves, index
from pincite.workbench.transfer import pack


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "reports"
    made.mkdir()
    (made / "alpha.txt").write_text(
        "Revenue of Alpha was 12.5 million euros in 2023.\fPage two has 7 ships."
    )
    (made / "beta.md").write_text("# Beta\n\nBeta employs 310 people.\n")
    return made


def test_only_what_changed_is_indexed_again(folder, tmp_path):
    corpus = tmp_path / "c"
    first = index(folder, corpus)
    assert (first.parsed, first.unchanged, first.encoded > 0) == (2, 0, True)
    again = index(folder, corpus)
    assert (again.parsed, again.unchanged, again.encoded, again.generation) == (
        0,
        2,
        0,
        first.generation,
    )
    (folder / "beta.md").write_text("# Beta\n\nBeta employs 311 people.\n")
    changed = index(folder, corpus)
    assert (changed.parsed, changed.unchanged) == (1, 1)
    (hit,) = Library(corpus, Settings()).search("How many people does Beta employ?", k=1)
    assert "311" in Corpus(corpus).nodes([hit.node])[0].text


def test_a_renamed_file_is_not_parsed_again(folder, tmp_path):
    corpus = tmp_path / "c"
    index(folder, corpus)
    (folder / "alpha.txt").rename(folder / "gamma.txt")
    moved = index(folder, corpus)
    assert (moved.parsed, moved.removed) == (0, 1)
    assert [one.id for one in Corpus(corpus).documents] == ["beta.md", "gamma.txt"]


def test_a_file_that_is_gone_leaves_the_corpus(folder, tmp_path):
    corpus = tmp_path / "c"
    index(folder, corpus)
    (folder / "beta.md").unlink()
    assert index(folder, corpus).removed == 1
    assert [one.id for one in Corpus(corpus).documents] == ["alpha.txt"]


def test_bad_files_are_reported_and_stop_nothing(folder, tmp_path):
    (folder / "broken.pdf").write_bytes(b"%PDF-1.7 nothing else")
    (folder / "empty.pdf").write_bytes(b"")
    (folder / "sheet.xyz").write_bytes(b"\x00\x01")
    (folder / ".hidden.txt").write_text("not indexed")
    summary = index(folder, tmp_path / "c")
    problems = {os.path.basename(one.path): one.status for one in summary.problems}
    assert problems == {
        "broken.pdf": "unreadable",
        "empty.pdf": "unreadable",
        "sheet.xyz": "unsupported",
    }
    assert all(one.reason for one in summary.problems)
    assert len(Corpus(tmp_path / "c").documents) == 2


def test_a_version_that_was_good_survives_a_damaged_successor(folder, tmp_path, examples):
    corpus = tmp_path / "c"
    report = folder / "report.pdf"
    shutil.copy(examples / "files" / "solvik-sustainability-2023.pdf", report)
    index(folder, corpus)
    report.write_bytes(b"%PDF-1.7 torn")
    (problem,) = index(folder, corpus).problems
    assert problem.status == "unreadable" and "still answers" in problem.reason
    assert "report.pdf" in [one.id for one in Corpus(corpus).documents]


def test_metadata_names_documents_and_gives_filters(folder, tmp_path):
    metadata = folder / "metadata.csv"
    metadata.write_text("id,company\nalpha,Alpha AS\n")
    index(folder, tmp_path / "c", metadata=metadata)
    corpus = Corpus(tmp_path / "c")
    assert [one.id for one in corpus.documents] == ["alpha", "beta.md"]
    assert [one.id for one in corpus.select((("company", ("ALPHA AS",)),))] == ["alpha"]
    metadata.write_text("id,company\nalpha,Alpha Holding\n")
    assert index(folder, tmp_path / "c", metadata=metadata).parsed == 0
    assert [
        one.id for one in Corpus(tmp_path / "c").select((("company", ("Alpha Holding",)),))
    ] == ["alpha"]


def test_a_metadata_file_alone_describes_what_the_corpus_holds(folder, tmp_path):
    corpus, metadata = tmp_path / "c", tmp_path / "metadata.csv"
    index(folder, corpus)
    folder.rename(tmp_path / "elsewhere")
    metadata.write_text("file,company\nalpha.txt,Alpha AS\n")
    made = index((), corpus, metadata=metadata)
    assert (made.described, made.parsed, made.encoded, made.generation) == (1, 0, 0, 2)
    assert [one.id for one in Corpus(corpus).select((("company", ("Alpha AS",)),))] == [
        "alpha.txt"
    ]
    metadata.write_text("file,company\nbeta.md,Beta AS\n")
    assert index(tmp_path / "elsewhere", corpus, metadata=metadata).described == 2
    described = {one.id: dict(one.declared) for one in Corpus(corpus).documents}
    assert described == {"alpha.txt": {}, "beta.md": {"company": "Beta AS"}}


def test_nothing_to_index_is_an_error(tmp_path):
    with pytest.raises(UsageError, match="does not exist"):
        discover([tmp_path / "nowhere"])
    with pytest.raises(UsageError, match="holds no files"):
        discover([tmp_path])


def test_metadata_without_a_key_column_is_an_error(folder):
    (folder / "m.csv").write_text("name,company\nalpha,A\n")
    with pytest.raises(UsageError, match="first column"):
        discover([folder], folder / "m.csv")


def test_files_of_one_name_are_documents_with_names_of_their_own(tmp_path):
    corpus = tmp_path / "c"
    texts = {
        "a/2022": "Ash made 11 bowls.",
        "a/2023": "Ash made 12 bowls.",
        "b/2023": "Birch made 7 bowls.",
    }
    for folder, text in texts.items():
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "report.txt").write_text(text)

    def held():
        return {document.id: document.title for document in Corpus(corpus).documents}

    index(tmp_path / "a" / "2022", corpus)
    assert held() == {"report.txt": "Ash made 11 bowls."}
    for folder in ("a", "b"):
        index(tmp_path / folder, corpus)  # each apart, and none knows of the other
    apart = {f"{folder}/report.txt": text for folder, text in texts.items()}
    assert held() == apart
    shelves = default_shelves(corpus)
    with pytest.raises(UsageError, match="any of a/2022/report.txt, a/2023/report.txt, b/2023"):
        remove(["report.txt"], corpus, shelves)
    with pytest.raises(UsageError, match="any of a/2023/report.txt, b/2023/report.txt: give"):
        remove(["2023/report"], corpus, shelves)
    assert held() == apart
    remove(["2022/report"], corpus, shelves)
    (tmp_path / "a/2022/report.txt").unlink()
    del apart["a/2022/report.txt"]
    (tmp_path / "m.csv").write_text("file,company\n2023/report.txt,Ash\nb/2023/report.txt,Birch\n")
    for folder in ("a", "b"):
        index(tmp_path / folder, corpus, metadata=tmp_path / "m.csv")
    assert held() == apart, "a name stays as long as it was"
    companies = [document.declared["company"] for document in Corpus(corpus).documents]
    assert companies == ["Ash", "Birch"]


def test_an_edit_holds_until_it_is_taken_back(folder, tmp_path):
    corpus = tmp_path / "c"
    index(folder, corpus)
    shelves = default_shelves(corpus)

    def told(where=corpus):
        document = Corpus(where).select((("document", ("alpha.txt", "gamma.txt")),))[0]
        return document.title, document.meta.get("company"), document.meta.get("year")

    found = told()
    assert found == ("Revenue of Alpha was 12.5 million euros in 2023.", None, "2023")
    edit(
        "alpha",
        {"title": "Alpha in  2022", "company": "Alpha AS", "year": "2022"},
        corpus,
        shelves,
    )
    edited = "Alpha in 2022", "Alpha AS", "2022"
    assert told() == edited
    (folder / "m.csv").write_text("file,company,region\nalpha.txt,Alfa,north\n")
    assert index(folder, corpus, metadata=folder / "m.csv").parsed == 0
    assert told() == edited, "nothing else goes before what was edited"
    (folder / "alpha.txt").rename(folder / "gamma.txt")
    index(folder, corpus)
    assert told() == edited
    (folder / "gamma.txt").write_text("Another text of 2024.")
    index(folder, corpus)
    assert told() == edited
    pack(corpus, tmp_path / "c.pincite")
    unpack(tmp_path / "c.pincite", tmp_path / "again")
    assert told(tmp_path / "again") == edited
    (hit,) = Library(corpus, Settings()).search(
        "Alpha AS in 2022", k=1, where={"company": "Alpha AS"}
    )
    assert hit.document == "gamma.txt"
    edit("gamma.txt", dict.fromkeys(("title", "company", "year"), ""), corpus, shelves)
    assert told() == ("Another text of 2024.", None, "2024")
    for wrong in ({"year": "22"}, {"colour": "red"}, {"title": "x" * 500}):
        with pytest.raises(UsageError):
            edit("gamma.txt", wrong, corpus, shelves)
    with pytest.raises(UsageError, match="not in the corpus: delta"):
        edit("delta", {"year": "2022"}, corpus, shelves)


def test_units_of_ones_own_are_read_and_a_missing_file_is_named(folder, tmp_path):
    from pincite.quantity import load_units, parse

    index(folder, tmp_path / "c")
    with pytest.raises(UsageError, match="nowhere.toml"):
        Library(tmp_path / "c", Settings(units=str(tmp_path / "nowhere.toml")))
    units = tmp_path / "units.toml"
    units.write_text('[[unit]]\nname = "smoot"\nwords = ["smoot(s)"]\n')
    try:
        Library(tmp_path / "c", Settings(units=str(units)))
        assert parse("364 smoots").unit == "smoot"
    finally:
        load_units()
