"""Bytes as an exported corpus and as an evidence bundle: they are read, or refused with a message, and nothing else."""

from __future__ import annotations

import io
import json
import sqlite3
import tempfile
import zipfile
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

from pincite.corpus.checksums import node_sum, row_sum, vector_sum
from pincite.errors import PinciteError
from pincite.settings import Settings
from pincite.untrusted import DAMAGE
from pincite.workbench.bundle import bundle, verify
from pincite.workbench.bundle.bundle_archive import MANIFEST, pack
from pincite.workbench.importing import unpack
from pincite.workbench.library import Library, index
from pincite.workbench.transfer import pack as export

EXAMPLES = Path(__file__).parents[2] / "examples"
QUESTIONS = (
    "What was the income tax expense of Halvorsen Maritime in 2023?",
    "By what percentage did the operating profit of Halvorsen Maritime change from 2022 to 2023?",
    "What was the fuel cost of the plant Aker?",
)
TABLE = "Plant,Fuel cost EUR,Staff\nAker,1250.75,12\nBorg,980,9\nCorv,33,2\n"
JUNK: tuple[Any, ...] = (
    None, "", "..", "../../etc/passwd", "{}", "[]", "null", "[[[[", '{"source":"x","spots":[]}', -1, 0, 2**63 - 1, 1.5,
    b"\xff\x00", "1e999999999", "9" * 400, "\0", "a" * 70_000, True, [], {}, [None], {"quantity": {}}, [[[]]], "NaN",
)  # fmt: skip


def _made(folder: Path) -> Library:
    (folder / "costs.csv").write_text(TABLE)
    index(
        [EXAMPLES / "files", folder / "costs.csv"],
        folder / "corpus",
        metadata=EXAMPLES / "metadata.csv",
    )
    return Library(folder / "corpus", Settings())


def corpus_seeds() -> list[bytes]:
    """The example reports and a table as an exported corpus, with kept answers."""
    with tempfile.TemporaryDirectory() as folder:
        library = _made(Path(folder))
        library.keep([library.ask(one) for one in QUESTIONS])
        export(Path(folder) / "corpus", Path(folder) / "a.pincite")
        return [(Path(folder) / "a.pincite").read_bytes()]


def bundle_seeds() -> list[bytes]:
    """Answers of the same as bundles, without and with their sources."""
    with tempfile.TemporaryDirectory() as folder:
        library = _made(Path(folder))
        ids = library.keep([library.ask(one) for one in QUESTIONS])
        made = [
            bundle(library, ids, Path(folder) / "a.zip", sources=one).path.read_bytes()
            for one in (False, True)
        ]
        return made


def corpus_target(data: bytes) -> str:
    """Import the bytes as a corpus, ask it and open all that it names; says whether it was refused, and by which error."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "a.pincite").write_bytes(data)
        try:
            unpack(Path(folder) / "a.pincite", Path(folder) / "corpus")
        except PinciteError as error:
            assert [one.name for one in Path(folder).iterdir()] == ["a.pincite"], (
                "something is left of the import"
            )
            return f"not imported: {type(error).__name__}"
        try:
            library = Library(Path(folder) / "corpus", Settings())
            with closing(library.corpus):
                for question in QUESTIONS:
                    library.ask(question)
                for one in library.corpus.documents:
                    if not one.relation:
                        library.corpus.source(one.source)
                for held in library.corpus.databases:
                    held.values()
                    held.open().close()
        except PinciteError as error:
            return f"not answered: {type(error).__name__}"
    return "answered"


def bundle_target(data: bytes) -> str:
    """Verify the bytes as a bundle; says whether they held."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "a.zip").write_bytes(data)
        return "held" if verify(Path(folder) / "a.zip").ok else "found"


def _scrambled(body: bytes, random: Random) -> bytes:
    """Bytes with some flipped, left out, said twice or cut off."""
    made = bytearray(body)
    for _ in range(random.choice((1, 1, 2, 8))):
        if not made:
            break
        at, length = random.randrange(len(made)), random.choice((1, 2, 4, 16, 300))
        how = random.randrange(5)
        if how == 0:
            made[at] ^= random.randrange(1, 256)
        elif how == 1:
            made[at : at + length] = random.randbytes(length)
        elif how == 2:
            del made[at : at + length]
        elif how == 3:
            made[at:at] = made[at : at + length]
        else:
            del made[random.randrange(len(made)) :]
    return bytes(made)


def _named(members: dict[str, bytes], random: Random) -> dict[str, bytes]:
    """Members of which one is gone, is called otherwise, is another's or is new."""
    name = random.choice(list(members))
    other = random.choice(list(members))
    how = random.randrange(4)
    body = members[name]
    if how in (0, 1):
        del members[name]
    if how in (1, 3):
        members[
            random.choice(
                (
                    name + "x",
                    "../" + name,
                    name.upper(),
                    name.replace("/", "\\"),
                    "x/" + name,
                    "evil",
                )
            )
        ] = body
    if how == 2:
        members[name] = members[other]
    return members


def _zipped(members: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in members.items():
            archive.writestr(zipfile.ZipInfo(name), body)
    return out.getvalue()


def _members(data: bytes) -> dict[str, bytes]:
    """The members of an archive; none of one that was changed so that it cannot be opened."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return {name: archive.read(name) for name in archive.namelist()}
    except DAMAGE:
        return {}


def corpus_mutant(data: bytes, random: Random) -> bytes:
    """An exported corpus changed in its bytes, in those of a member, in its names, or in its rows with their checksums mended."""
    how = random.randrange(8)
    members = _members(data)
    if how == 0 or not members:
        return _scrambled(data, random)
    if how == 1:
        return _zipped(_named(members, random))
    if how in (2, 3):
        name = random.choice(list(members))
        members[name] = _scrambled(members[name], random)
    else:
        members["corpus.sqlite"] = _edited(members["corpus.sqlite"], random)
    return _zipped(members)


SUMS = {
    "files": "row_sum(path, document, sha, size, changed, version, status, reason, meta)",
    "documents": "row_sum(version, source, name, title, series, date, language, meta, pages, tables)",
    "nodes": "node_sum(version, id, kind, page, place, parent, text, anchor, grid, meta)",
    "vectors": "vector_sum(text_hash, encoder, vector)",
    "covers": "row_sum(version, cover, least)",
    "generations": "row_sum(number, published, content)",
}


def _edited(body: bytes, random: Random) -> bytes:
    """A database of a corpus in which one value of a row, or of all rows, is another; its checksums are right."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "corpus.sqlite"
        path.write_bytes(body)
        with closing(sqlite3.connect(path)) as db, db:
            for name, made in (
                ("row_sum", row_sum),
                ("node_sum", node_sum),
                ("vector_sum", vector_sum),
            ):
                db.create_function(name, -1, made)
            db.execute("PRAGMA journal_mode = DELETE")
            table = random.choice([*SUMS, "nodes", "nodes", "nodes", "generations"])
            columns = [
                row[1] for row in db.execute(f"PRAGMA table_info({table})") if row[1] != "sum"
            ]
            column = random.choice(columns)
            rows = [row[0] for row in db.execute(f"SELECT rowid FROM {table}")]
            row = random.choice(rows)
            (held,) = db.execute(
                f"SELECT {column} FROM {table} WHERE rowid = ?", (row,)
            ).fetchone()
            where = "" if random.random() < 0.2 else f" WHERE rowid = {row}"
            try:
                db.execute(
                    f"UPDATE OR IGNORE {table} SET {column} = ?{where}", (_other(held, random),)
                )
                for name, told in SUMS.items():
                    db.execute(f"UPDATE {name} SET sum = {told}")
                db.execute("DELETE FROM pages")
                db.execute(
                    "INSERT INTO pages SELECT version, page, sum(kind != 'sentence'), sum(kind = 'sentence'), "
                    "sum((kind != 'sentence') * (sum & 4294967295)) FROM nodes GROUP BY version, page"
                )
            except sqlite3.Error:
                db.rollback()
        return path.read_bytes()


def _other(held: Any, random: Random) -> Any:
    """Another value for a column: junk, or JSON of which a part is another."""
    if isinstance(held, str) and held[:1] in ("{", "[") and random.random() < 0.8:
        return json.dumps(_mangled(json.loads(held), random))
    junk = random.choice(JUNK)
    return json.dumps(junk) if isinstance(junk, list | dict) else junk


def _mangled(value: Any, random: Random) -> Any:
    """A value of JSON of which one part is junk, gone or said twice."""
    if isinstance(value, dict) and value and random.random() < 0.9:
        name = random.choice(list(value))
        if random.random() < 0.1:
            return {key: one for key, one in value.items() if key != name}
        return value | {name: _mangled(value[name], random)}
    if isinstance(value, list) and value and random.random() < 0.9:
        at = random.randrange(len(value))
        if random.random() < 0.1:
            return value[:at] + value[at + 1 :]
        return [*value[:at], _mangled(value[at], random), *value[at + random.randrange(2) :]]
    if isinstance(value, int) and random.random() < 0.5:
        return random.choice((-1, 0, 10**9, 10**18, value + 1, -value))
    junk = random.choice(JUNK)
    return junk if not isinstance(junk, bytes) else "\ufffd"


def bundle_mutant(data: bytes, random: Random) -> bytes:
    """A bundle changed in its bytes, or in its members, names and manifest, with all hashes made anew."""
    how = random.randrange(8)
    members = _members(data)
    if how == 0 or not members:
        return _scrambled(data, random)
    facts = {
        name: one
        for name, one in json.loads(members.pop(MANIFEST, b"{}")).items()
        if name not in ("format", "members")
    }
    if how == 1:
        members = _named(members, random)
    elif how == 2:
        name = random.choice(list(members))
        members[name] = _scrambled(members[name], random)
    elif how == 3:
        facts = _mangled(facts, random)
    else:
        name = random.choice([one for one in members if one.endswith(".json")])
        members[name] = json.dumps(_mangled(json.loads(members[name]), random)).encode()
    return pack(members, facts if isinstance(facts, dict) else {})[0]
