"""Bytes as a pincite.toml, and as a metadata CSV with a YAML: values come of them, or an error that says what is wrong."""

from __future__ import annotations

import tempfile
from pathlib import Path

from pincite import consent
from pincite.database.relations.guessed_headings import dictionary
from pincite.errors import PinciteError
from pincite.indexing.changed_files import read_metadata
from pincite.quantity import load_units
from pincite.settings import FILE, load, tomllib
from pincite.workbench.grid.spec import read_spec


def settings_seeds() -> list[bytes]:
    """Settings of every kind, and a table of units."""
    return [
        b'[pincite]\nthreshold = 0.16\nderived = "allow"\nsilence = "na"\npages = 8\nrow_limit = 50000\nunits = "units.toml"\n',
        b'[models]\nbase_url = "https://api.example.org/v1"\nkey = "OPENAI_API_KEY"\nlarge = "big"\nbudget = 5.00\ntimeout = 30\n'
        b"telemetry = true\nconcurrency = 25\n[models.prices.big]\ninput = 2.00\noutput = 8.00\n",
        b'[models]\nencoder = "onnx:folder"\n[models.encoders]\n"a/b" = "hf:a/b@c"\n[models.scorers]\n'
        b'"x" = "rerank:x?base_url=http://h&key=K"\n',
        b'[dimensions]\nspeed = "length/time"\n[[unit]]\nname = "barrel"\nsymbols = ["bbl"]\nwords = ["barrel(s)"]\n'
        b'dimension = "volume"\nfactor = "0.159"\n[[term]]\nname = "a"\nexpand = "b"\n',
    ]


def metadata_seeds() -> list[bytes]:
    """A CSV, a NUL and a YAML."""
    return [
        b'file,company,year,url\nreport.pdf,Acme,2023,https://example.org\n"a, b.pdf","Contoso ""x""",2022,\n\0'
        b"alloy:\n  name: alloy\n  columns:\n    ys: {name: yield strength, unit: MPa, also: [rp02]}\n    c: {name: carbon}\n",
        b"id,title\n1,\xc3\xa5\n\0year: fiscal year\nwaste:\n  columns:\n    t: {name: tonnes, description: of waste}\n",
        b"entity,Revenue\nAcme,\n\0title: Grid\nentity: document\nrows: [a, b]\n"
        b"columns:\n  - {name: Revenue, type: number, period: 2023}\n",
    ]


def settings_target(data: bytes) -> str:
    """Read the bytes as the settings of a folder, as those that were found there, and as a table of units.

    Returns "settings", or what they were refused for. Anything but an error of `pincite.errors` is a crash.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, FILE)
        path.write_bytes(data)
        said = []
        for read in (lambda: load(folder, {}), lambda: _found(path), lambda: load_units(path)):
            try:
                read()
            except PinciteError as error:
                said.append(_said(error))
            finally:
                load_units()
    return "; ".join(said) or "settings"


def _found(path: Path) -> None:
    load(path.parent, {})
    consent.check(path, tomllib.loads(path.read_text(encoding="utf-8")).values(), {})


def metadata_target(data: bytes) -> str:
    """Read the bytes before the first NUL as a metadata CSV, those after it as a YAML of names and as the spec of a grid."""
    with tempfile.TemporaryDirectory() as folder:
        table, names = Path(folder, "metadata.csv"), Path(folder, "names.yaml")
        table.write_bytes(data.partition(b"\0")[0])
        names.write_bytes(data.partition(b"\0")[2])
        said = []
        for read in (
            lambda: read_metadata(table),
            lambda: dictionary(names),
            lambda: read_spec(names),
            lambda: read_spec(table),
        ):
            try:
                read()
            except PinciteError as error:
                said.append(_said(error))
    return "; ".join(said) or "metadata"


def _said(error: PinciteError) -> str:
    text = str(error)
    assert text.strip()
    return type(error).__name__
