"""Files and folders made to hang, fill, fool or end a run: each is read or named, and the report beside them is read."""

# ruff: noqa: E501  (documents and statements stand on a line each)

import io
import json
import os
import zipfile
from pathlib import Path

import pytest

from pincite.errors import PinciteError
from pincite.workbench.library import index
from tests.forked import run

TOLD = "Revenue of Alpha was 12.5 million euros in 2023."
CANARY = "canary-58d1"
W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
ODF = (
    'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" '
    'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"'
)


def archive(**members):
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as file:
        for name, held in members.items():
            file.writestr(name, held)
    return made.getvalue()


def flat(body):
    return f'<?xml version="1.0"?><office:document {ODF}><office:body>{body}</office:body></office:document>'


def mails(depth):
    held = "Subject: x\n\nCosts were 3 euros.\n"
    for at in range(depth):
        held = f"Subject: {at}\nMIME-Version: 1.0\nContent-Type: message/rfc822\n\n{held}"
    return held


FILES = {
    "spaces by the billion.fodt": flat('<office:text><text:p>Costs<text:s text:c="2000000000"/>3</text:p></office:text>'),
    "columns by the billion.fods": flat('<office:spreadsheet><table:table table:name="a"><table:table-row table:number-rows-repeated="2000000000"><table:table-cell office:value-type="string" table:number-columns-repeated="2000000000"><text:p>x</text:p></table:table-cell></table:table-row></table:table></office:spreadsheet>'),
    "cells that span the world.html": '<table><tr><td colspan=1000000000 rowspan=1000000000>x</td><td>1</td></tr></table>' * 20,
    "a hundred thousand levels.html": "<div>" * 100_000 + "x",
    "tables in tables.html": "<table><tr><td>" * 3_000 + "x",
    "lists in lists.html": "<ul><li>" * 20_000 + "x",
    "braces in braces.rtf": r"{\rtf1 " + "{" * 100_000 + "x" + "}" * 100_000 + "}",
    "mails in mails.eml": mails(700),
    "a charset that unpacks.eml": "Subject: =?zlib_codec?B?eJw=?=\nContent-Type: text/plain; charset=zlib_codec\nContent-Transfer-Encoding: base64\n\neJw=\n",
    "attachments named as paths.eml": 'Subject: x\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain; name="../../../out.txt"\nContent-Disposition: attachment; filename="../../../out.txt"\n\nCosts were 4 euros.\n--b--\n',
    "references that turn.json": json.dumps({"schema_name": "DoclingDocument", "version": "1.0.0", "name": "x", "body": {"self_ref": "#/body", "children": [{"$ref": "#/groups/0"}]}, "groups": [{"self_ref": "#/groups/0", "children": [{"$ref": "#/groups/0"}, {"$ref": "#/body"}], "label": "list", "name": "x"}], "texts": [], "tables": [], "pictures": [], "pages": {}}),
    "brackets by the thousand.json": "[" * 100_000,
    "one long field.csv": "a,b\n\"" + "x" * 400_000 + "\",1\n",
    "a table of quotes.csv": "a,b\n" + '"' * 20_001 + "\n1,2\n",
    "NULs.csv": "a,b\n1\0,2\n",
    "NULs.txt": "\0" * 50_000 + TOLD,
    "half a surrogate.txt": b"\xff\xfe\x00\xd8A\x00\x00\xd8",
    "entities in entities.xhtml": '<!DOCTYPE r [<!ENTITY a "xxxxxxxxxx">' + "".join(f'<!ENTITY {chr(98 + at)} "{f"&{chr(97 + at)};" * 10}">' for at in range(12)) + ']><html xmlns="http://www.w3.org/1999/xhtml"><body><p>&m;</p></body></html>',
    "a spine to another place.epub": archive(**{"META-INF/container.xml": '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="a.opf" media-type="application/oebps-package+xml"/></rootfiles></container>', "a.opf": '<package xmlns="http://www.idpf.org/2007/opf"><manifest><item id="a" href="../../../../../../../../OUTSIDE" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>'}),
    "tables in tables.docx": archive(**{"[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>', "word/document.xml": f"<w:document {W}><w:body>" + "<w:tbl><w:tr><w:tc>" * 3_000 + "<w:p/>" + "</w:tc></w:tr></w:tbl>" * 3_000 + "</w:body></w:document>"}),
    "a cell at the end of the world.xlsx": archive(**{"[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>', "_rels/.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="a" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>', "xl/_rels/workbook.xml.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="a" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>', "xl/workbook.xml": '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="x" sheetId="1" r:id="a"/></sheets></workbook>', "xl/worksheets/sheet1.xml": '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><dimension ref="A1:XFD1048576"/><sheetData><row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>2</v></c></row></sheetData><mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells></worksheet>'}),
    "members that climb.zip": archive(**{"../../../climbed.txt": "Costs were 5 euros.", "/tmp/climbed.txt": "Costs were 6 euros.", "a\x1b[2Jb.txt": "Costs were 7 euros.", "c:\\d.txt": "x"}),
}  # fmt: skip
VAST = "a cell at the end of the world.xlsx"
SEEN = {
    "escapes in a name \x1b[2J.txt": TOLD, "a line\nin a name.txt": TOLD, "markup [bold] [red in a name.txt": TOLD,
    "%s {0} $HOME `id` in a name.txt": TOLD, "-rf.txt": TOLD, "turned \u202etxt.exe.txt": TOLD,
    "n" * 251 + ".txt": TOLD,
}  # fmt: skip


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    """One run over all of them: what it said, and the folder."""
    folder = tmp_path_factory.mktemp("attacked")
    held = folder / "in"
    held.mkdir()
    (folder / "OUTSIDE").write_text(CANARY)
    for name, content in {
        **{name: FILES[name] for name in FILES if name != VAST},
        **SEEN,
        "report.txt": TOLD.replace("Alpha", "Omega"),
    }.items():
        (held / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    (held / os.fsdecode(b"no text \xff\xfe.txt")).write_text(TOLD)
    os.mkfifo(held / "pipe.txt")
    (held / "endless.txt").symlink_to("/dev/zero")
    (held / "again").symlink_to(held)
    (held / "gone.txt").symlink_to(held / "nowhere")
    began = run("index", "in", "--corpus", "c", "--json", cwd=folder)
    return began, folder


def test_the_run_ends_well_and_the_report_is_read(done):
    """A folder of hostile files is indexed; the run ends with 0 and no traceback, and the report among them is there."""
    ran, folder = done
    assert ran.returncode == 0 and "Traceback" not in ran.stderr, ran.stderr[-3000:]
    told = run("search", "revenue Omega", "--corpus", "c", "--json", cwd=folder)
    assert "report.txt" in told.stdout


@pytest.fixture(scope="module")
def status(done):
    """What `status` says of the files."""
    return run("status", "--corpus", "c", "--json", cwd=done[1]), run(
        "status", "--corpus", "c", cwd=done[1]
    )


@pytest.fixture(scope="module")
def listed(done):
    """What `list` says of them."""
    return run("list", "--corpus", "c", "--json", cwd=done[1]).stdout


@pytest.mark.parametrize("name", [*(name for name in FILES if name != VAST), *SEEN])
def test_a_file_is_read_or_named(name, done, status, listed):
    """One file is made to hang, fill or end its reader; it is named, as read or as not."""
    shown = json.dumps(name)[1:-1]
    everything = status[0].stdout + listed + done[0].stdout
    assert (
        shown in everything
        or json.dumps(name, ensure_ascii=False)[1:-1] in everything
        or name in everything
    )


def test_nothing_climbs_out_and_nothing_from_outside_comes_in(done):
    """Archives, mails and books name paths above them; nothing is written there and nothing of there is stored."""
    _, folder = done
    assert not Path("/tmp/climbed.txt").exists() and not list(folder.glob("climbed*"))
    assert not list(folder.parent.glob("climbed*"))
    assert not list(folder.rglob("out.txt"))
    assert all(
        CANARY.encode() not in path.read_bytes()
        for path in (folder / "c").rglob("*")
        if path.is_file()
    )


def test_two_cells_at_the_ends_of_a_sheet(tmp_path):
    """A workbook of the first and the last cell of a sheet asks for half a terabyte; the report beside it is read."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / VAST).write_bytes(FILES[VAST])
    (tmp_path / "in" / "report.txt").write_text(TOLD)
    ran = run("index", "in", "--corpus", "c", "--json", cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr[:300]
    assert VAST in ran.stdout + run("status", "--corpus", "c", "--json", cwd=tmp_path).stdout


def test_what_is_shown_moves_no_terminal(done, status):
    """The names of files hold escapes and marks of direction; what the commands print to people holds none."""
    for said in (
        status[1].stdout, run("list", "--corpus", "c", cwd=done[1]).stdout, done[0].stderr,
    ):  # fmt: skip
        assert "\x1b[2J" not in said and "\u202e" not in said


def test_a_corpus_in_what_is_indexed(tmp_path, monkeypatch):
    """The corpus lies in the folder that is indexed, twice; its own files are not taken for documents."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "report.txt").write_text(TOLD)
    assert index(".", "c").parsed == 1
    assert index(".", "c").parsed == 0


@pytest.mark.parametrize("name", ["c?mode=memory", "c#x", "c%41", "file:c"])
def test_the_name_of_a_corpus_is_no_address(name, tmp_path, monkeypatch):
    """The folder of a corpus is called like parameters of a URI; the corpus lies there and answers."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "report.txt").write_text(TOLD)
    assert index("report.txt", name).parsed == 1
    assert (tmp_path / name / "corpus.sqlite").exists()
    assert sorted(os.listdir(tmp_path)) == sorted([name, "report.txt"])


METADATA = {
    "no text": b"\xff\xfe\x00\xd8", "a field without end": b'file,company\n"' + b"x" * 300_000,
    "a file above": b"file,company\n../../etc/passwd,x\n", "a NUL": b"id\0,a\nreport,b\n",
}  # fmt: skip


@pytest.mark.parametrize("held", METADATA.values(), ids=METADATA)
def test_a_metadata_file_that_is_none(held, tmp_path):
    """The metadata file is binary, endless or names files above: it is refused in words, or read."""
    (tmp_path / "report.txt").write_text(TOLD)
    (tmp_path / "m.csv").write_bytes(held)
    try:
        assert (
            index(tmp_path / "report.txt", tmp_path / "c", metadata=tmp_path / "m.csv").parsed == 1
        )
    except PinciteError as error:
        assert "m.csv" in str(error)
