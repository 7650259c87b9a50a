"""Files that are made to hang, crash or swell their parser are stopped by a limit, in a process of their own, and said so."""

import io
import zipfile
import zlib

import pytest

from pincite.errors import PinciteError
from pincite.ingest import parser_processes as workers
from pincite.ingest.parser_processes import ParserJob, parse_all


def made_of(path):
    ((_, made),) = parse_all([ParserJob(path, path.name, "s" * 64)], 1, lambda *_: None)
    return made


def pdf(path, *objects):
    out, offsets = b"%PDF-1.7\n", []
    for number, one in enumerate(objects, 1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, one)
    rows = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    table = b"xref\n0 %d\n0000000000 65535 f \n%s" % (len(objects) + 1, rows)
    end = b"trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % (len(objects) + 1, len(out))
    path.write_bytes(out + table + end)
    return path


def stream(head, data):
    return b"<<%s/Length %d>>\nstream\n%s\nendstream" % (head, len(data), data)


def page(path, content, resources=b"", size=b"612 792", *more):
    return pdf(
        path,
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 %s]/Contents 4 0 R/Resources<<%s>>>>"
        % (size, resources),
        content,
        *more,
    )


def instead(tmp_path, monkeypatch, code):
    """Put code in the place of the parser, in the workers."""
    (tmp_path / "sitecustomize.py").write_text(
        f"import pincite.ingest.document_parser as module\n{code}\nmodule.parse = parse\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    path = tmp_path / "a.txt"
    path.write_text("x")
    return path


def test_a_parser_that_swells_is_stopped_and_its_worker_goes_on(tmp_path, monkeypatch):
    path = instead(
        tmp_path,
        monkeypatch,
        "whole = module.parse\n"
        "def parse(path, *given):\n"
        "    return bytearray(3 << 30) if path.name == 'a.txt' else whole(path, *given)\n",
    )
    (tmp_path / "b.txt").write_text("Fine.")
    jobs = [ParserJob(path, "a.txt", "a" * 64), ParserJob(tmp_path / "b.txt", "b.txt", "b" * 64)]
    made = {job.name: one for job, one in parse_all(jobs, 1, lambda *_: None)}
    assert isinstance(made["a.txt"], PinciteError) and "more than 2 GiB of memory" in str(
        made["a.txt"]
    )
    assert made["b.txt"].document.id == "b.txt"


def test_a_file_of_too_many_pages_is_refused(tmp_path, monkeypatch):
    path = instead(
        tmp_path,
        monkeypatch,
        "def parse(path, name, source, password, tick, *more):\n    [tick(n) for n in range(10**6)]",
    )
    assert f"more than {workers.MOST_PAGES:,} pages" in str(made_of(path))


def test_what_comes_back_is_no_more_than_the_caller_takes(tmp_path):
    path = tmp_path / "long.txt"
    path.write_text("\f".join(f"Page {number} says this. And that." for number in range(2500)))
    runs = []
    ((_, made),) = parse_all(
        [ParserJob(path, "long.txt", "s" * 64)],
        1,
        lambda *_: None,
        lambda job, rows: runs.append(rows),
    )
    assert max(map(len, runs)) == workers.AT_ONCE and made.document.nodes == ()
    places = [row[3] for rows in runs for row in rows]
    assert places == list(range(len(places))) and made.pages == 2500


def test_a_picture_that_claims_to_be_giant_is_not_unpacked(tmp_path):
    head = b"/Type/XObject/Subtype/Image/Width 60000/Height 60000/BitsPerComponent 8/ColorSpace/DeviceRGB/Filter/FlateDecode"
    picture = page(
        tmp_path / "picture.pdf", stream(b"", b"612 0 0 792 0 0 cm /I Do"), b"/XObject<</I 5 0 R>>", b"612 792",
        stream(head, zlib.compress(b"\0" * 10_000_000, 9)),
    )  # fmt: skip
    assert made_of(picture).pages == 1


def test_a_page_tree_that_claims_billions_of_pages_is_read_as_it_is(tmp_path):
    path = pdf(
        tmp_path / "count.pdf",
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 2000000000>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]>>",
    )
    assert made_of(path).pages <= 1


def test_archives_inside_archives_are_opened_so_deep_and_no_deeper(tmp_path):
    data, name = b"The innermost text.", "a.txt"
    for _ in range(6):
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for number in range(3):
                archive.writestr(f"{number}-{name}", data)
        data, name = packed.getvalue(), "n.zip"
    (tmp_path / "nested.zip").write_bytes(data)
    assert "nested more than 3 deep" in str(made_of(tmp_path / "nested.zip"))


@pytest.mark.stress
@pytest.mark.parametrize("kind", ["forms", "flate"])
def test_a_page_that_unfolds_without_end_is_stopped(tmp_path, kind):
    if kind == "forms":
        form = b"/Type/XObject/Subtype/Form/BBox[0 0 10 10]"
        forms = [
            stream(form + b"/Resources<</XObject<</F %d 0 R>>>>" % at, b"/F Do " * 20)
            for at in range(6, 14)
        ]
        path = page(
            tmp_path / "forms.pdf", stream(b"", b"/F Do " * 10), b"/XObject<</F 5 0 R>>", b"612 792", *forms,
            stream(form, b"0 0 m 1 1 l S"),
        )  # fmt: skip
    else:
        packed = zlib.compress(zlib.compress(b"0 0 m 1 1 l S\n" * 20_000_000, 9), 9)
        path = page(tmp_path / "flate.pdf", stream(b"/Filter[/FlateDecode/FlateDecode]", packed))
    kept = []
    job = ParserJob(path, path.name, "s" * 64)
    list(parse_all([job], 1, lambda *_: None, lambda _, rows: kept.extend(rows)))
    assert any("its parser crashed on it or did not end" in str(row) for row in kept)


@pytest.mark.stress
def test_a_giant_page_is_drawn_small(tmp_path):
    path = page(
        tmp_path / "giant.pdf",
        stream(b"", b"1 0 0 rg 0 0 1000000 1000000 re f"),
        size=b"2000000 2000000",
    )
    assert made_of(path).pages == 1
