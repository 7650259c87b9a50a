import io
import warnings
import zipfile

import pytest

from pincite.document.address import place_of
from pincite.errors import LockedSource, SourceError, UnsupportedSource
from pincite.ingest.contained_files import Room, clean_name, zip_pages
from pincite.ingest.document_parser import _pages_of_part, parse
from tests.ingest.office import found, read, tables, texts


def packed(members, how=zipfile.ZIP_DEFLATED):
    held = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(held, "w", how) as archive:
        warnings.simplefilter("ignore")
        for name, data in members:
            archive.writestr(name, data)
    return held.getvalue()


def test_members_are_parts_told_by_their_names(tmp_path):
    document = read(
        tmp_path / "all.zip",
        packed(
            [
                ("b/sizes.csv", "Name,Size\na,1\n"),
                ("a.html", "<h1>Rules</h1><p>Wear a helmet.</p>"),
                ("c.txt", "The end."),
            ]
        ),
    )
    assert document.title == "all"
    assert found(tables(document)[0], "a", "Size") == ("1", "member b/sizes.csv, cells B2")
    assert [place_of(node.anchor) for node in document.nodes if node.kind == "paragraph"] == [
        "member a.html > Rules",
        "member c.txt, page 1",
    ]


def test_what_cannot_be_read_is_left_out_and_said(tmp_path):
    document = read(
        tmp_path / "a.zip",
        packed([("a.txt", "Words."), ("b.docx", "none"), ("c.xyz", "x"), ("__MACOSX/a.txt", "x")]),
    )
    assert texts(document, "paragraph") == ["Words."]
    (left_out,) = [node.meta["lost"] for node in document.nodes if node.meta.get("lost")]
    assert left_out.startswith("b.docx is damaged")
    assert left_out.endswith("no parser for c.xyz")


def test_names_lead_nowhere(tmp_path):
    names = (
        "../../evil.txt",
        "/etc/x.txt",
        "C:\\win\\y.txt",
        "x" * 300 + ".txt",
        "same.txt",
        "same.txt",
    )
    (tmp_path / "in").mkdir()
    document = read(tmp_path / "in" / "a.zip", packed([(name, "Safe.") for name in names]))
    assert len(texts(document, "paragraph")) == len(names)
    assert [one.name for one in tmp_path.rglob("*")] == ["in", "a.zip"]
    assert [clean_name(name) for name in names[:3]] == ["evil.txt", "etc/x.txt", "win/y.txt"]


def test_archives_that_explode_are_refused(tmp_path):
    with pytest.raises(SourceError, match="decompression bomb"):
        read(tmp_path / "a.zip", packed([("a.txt", b"0" * (20 << 20))]))
    (tmp_path / "b.zip").write_bytes(packed([(f"{n:02}.txt", "x") for n in range(11)]))
    *_, told = zip_pages(tmp_path / "b.zip", None, Room(_pages_of_part, files=10))
    assert told.lost.startswith("10.txt: more than")


def test_archives_in_archives_share_one_limit_and_end_somewhere(tmp_path):
    inner = packed([("a.txt", "Deep words.")])
    for _ in range(2):
        inner = packed([("in.zip", inner)])
    assert texts(read(tmp_path / "a.zip", inner), "paragraph") == ["Deep words."]
    with pytest.raises(SourceError, match="deep"):
        read(tmp_path / "b.zip", packed([("in.zip", packed([("in.zip", inner)]))]))
    many = packed(
        [(f"{n}.zip", packed([(f"{m}.txt", "Words.") for m in range(4)])) for n in range(4)]
    )
    (tmp_path / "c.zip").write_bytes(many)
    pages = list(zip_pages(tmp_path / "c.zip", None, Room(_pages_of_part, left=100_000, files=8)))
    assert sum(bool(page.blocks) for page in pages) == 6
    assert "decompression bomb" in pages[-1].lost


def test_every_page_of_a_part_is_a_sign_of_life(tmp_path):
    (tmp_path / "a.zip").write_bytes(packed([("a.txt", "One.\fTwo."), ("b.txt", "Three.")]))
    seen = []
    parse(tmp_path / "a.zip", "a.zip", "ab" * 32, tick=seen.append)
    assert seen == [1, 2, 1, 2, 1, 3]


def test_damaged_empty_and_locked_archives_are_told_apart(tmp_path):
    data = packed([("a.txt", "Some words that are long enough to be cut in two.")])
    with pytest.raises(SourceError, match="damaged"):
        read(tmp_path / "a.zip", data[: len(data) // 2])
    with pytest.raises(SourceError, match="it is empty"):
        read(tmp_path / "b.zip", packed([]))
    with pytest.raises(UnsupportedSource, match="no parser for a.xyz"):
        read(tmp_path / "c.zip", packed([("a.xyz", "x")]))
    locked = bytearray(packed([("a.txt", "Words.")], zipfile.ZIP_STORED))
    for mark in (b"PK\3\4", b"PK\1\2"):
        locked[locked.find(mark) + (6 if mark == b"PK\3\4" else 8)] |= 1
    with pytest.raises(LockedSource, match="password"):
        read(tmp_path / "d.zip", bytes(locked))


def test_an_office_file_named_as_an_archive_is_read_as_what_it_is(tmp_path):
    import docx

    made = docx.Document()
    made.add_paragraph("Some words.")
    made.save(tmp_path / "a.docx")
    (tmp_path / "a.docx").rename(tmp_path / "a.zip")
    assert (
        place_of(
            next(
                node for node in read(tmp_path / "a.zip").nodes if node.kind == "paragraph"
            ).anchor
        )
        == "the text"
    )
