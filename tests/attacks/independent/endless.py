"""What is asked, named, headed, typed and drawn up to be worked on for ever, run in a process of its own.

Given a corpus and an empty folder, it prints a line of JSON before each attack and one after it, with its processor time.
"""

import json
import resource
import sqlite3
import sys
import time
from contextlib import closing
from pathlib import Path

from pincite.corpus import Corpus
from pincite.errors import PinciteError
from pincite.indexing import index
from pincite.indexing.wanted_databases import Wanted
from pincite.ingest.document_parser import parse
from pincite.records.review import value_of
from pincite.serve.pages.reader_page import _place
from pincite.serve.processes.turns import TurnMessage, _turn
from pincite.settings import Settings
from pincite.types import Query
from pincite.workbench.grid import read_spec, spec_from
from pincite.workbench.library import Library, default_shelves

MEMORY = 8 << 30
"""Bytes that all of it may take."""
REVENUE = "What was the revenue of Halvorsen Maritime in 2023?"


def fill(unit, size=2000, lead="", last="?"):
    """A text of `size` characters, of one unit again and again."""
    return (lead + unit * (size // len(unit) + 1))[: size - len(last)] + last


def say(**told):
    """Tell something, as a line of JSON."""
    sys.stdout.write(json.dumps(told) + "\n")
    sys.stdout.flush()


def timed(group, name, what, *given):
    """Make an attack, and tell how long it took the processor."""
    say(group=group, name=name)
    started = time.process_time()
    try:
        what(*given)
        said = "done"
    except PinciteError as error:
        said = str(error)
    say(group=group, name=name, said=said[:200], seconds=time.process_time() - started)


ASKED = {
    "opening parentheses": fill("("), "digits and commas": fill("1,"), "years": fill("2022, 2023 and "),
    "a range of years": "Revenue from 1 to 99999999999 in each year?",
    "sums of sums": fill("the sum of the difference between "),
    "powers of ten": "Is revenue 10^999999999 or 1e999999999 or 10⁹⁹⁹⁹⁹⁹?",
    "scales": fill("million ", lead="Is revenue one "), "companies": fill("Halvorsen Maritime, Solvik Energy and "),
    "accents": fill("e\u0301\u0302\u0303"), "capitals": fill("A"), "initials": fill("A.B. "), "quotes": fill('‘“’"'),
    "labels": fill("Revenue, Inventories, Equity, Total assets, "),
    "growth": fill("percentage change in revenue between 2022 and 2023 and "), "units": fill("kg/m²·"),
    "Han": fill("中"), "apostrophes": fill("'s "), "many words": " ".join(f"w{i}x" for i in range(300)),
}  # fmt: skip
CELLS = {
    "spaces": " " * 30_000 + "x", "digits": "1" * 30_000, "points": "1." * 15_000, "parentheses": "(" * 30_000,
    "dashes": "– " * 15_000, "percent": "5% " * 10_000, "currencies": "EUR " * 7_000,
    "scales": "1 " + "million " * 4_000, "power": "1e999999999", "superscripts": "10" + "⁹" * 5_000,
    "notes": "1)" * 15_000, "dates": "31/12/2023 " * 3_000, "of the": "of the " * 4_000,
}  # fmt: skip
TYPED = {
    "digits": "9" * 10_000, "noughts": "1" + "0" * 9_999, "power": "1e999999999", "small power": "1e-999999999",
    "scales": "1 " + "million " * 1_200, "commas": "1," * 5_000, "parentheses": "(" * 10_000,
    "spaces": "1" + " " * 9_990 + "x", "dashes": "-" * 9_999 + "1", "halves": "1/2 " * 2_500,
    "superscripts": "10" + "⁹" * 9_000, "euros": "€" * 9_999, "ranges": "1-" * 5_000, "spelled": "hundred " * 1_200,
    "either": "±1" * 5_000,
}  # fmt: skip


def questions(library, folder):
    """Questions of two thousand characters, asked and searched for."""
    for name, text in ASKED.items():
        timed("questions", name, library.ask, text)
        timed("searches", name, library.search, text)


def turns(library, folder):
    """Turns after a past that is long."""
    past = {
        "many": [("and in 2022? " * 150, "412.6")] * 60,
        "few": [("and in 2022? " * 150, "")] * 6,
        "names": [(fill("Halvorsen Maritime and Solvik Energy "), "x")] * 40,
        "references": [(fill("it them those the same "), fill("the former the latter "))] * 40,
        "one word": [("a" * 300_000, "b" * 300_000)],
    }
    for name, before in past.items():
        message = TurnMessage("and in 2022?", elsewhere=tuple(before))
        timed("turns", name, lambda message=message: list(_turn(library, message)))


def corrections(library, folder):
    """What a reviewer types."""
    for name, text in TYPED.items():
        for unit in ("", "kg/m²·" * 10):
            timed("corrections", f"{name} {unit[:2]}", value_of, text, Query("How much?"), unit)


def cells(library, folder):
    """Cells, headings and sentences of a document."""
    for name, cell in CELLS.items():
        table = f"| USD m | 2023 | {cell[:9_000]} |\n|---|---|---|\n| Revenue | {cell} | 5 |\n| {cell[:9_000]} | 7 | 8 |\n"
        (folder / "cells.md").write_text(f"# Report\n\n{table}")
        (folder / "heads.md").write_text(
            f"# {cell}\n\n## 1 {cell}\n\nRevenue was {cell} in 2023.\n"
        )
        timed("cells", name, parse, folder / "cells.md", "cells", "0" * 64)
        timed("headings", name, parse, folder / "heads.md", "heads", "0" * 64)


def names(library, folder):
    """Names of files and what a file of metadata says of them."""
    place = folder / "names"
    place.mkdir()
    called = [
        "2023-" * 48, "v1." * 80, "rev" * 80, "Q1 " * 80, "(2)" * 80, "_" * 240, "IEC 1-" * 40, "draft final " * 20,
        "1" * 240, "Ä" * 120,
    ]  # fmt: skip
    for name in called:
        (place / f"{name}.md").write_text("# Report\n\nRevenue was EUR 5 million in 2023.\n")
    timed("names", "of files", lambda: index([place], folder / "named.corpus", default_shelves()))
    rows = [
        f'"{name}.md","{"Company and Sons " * 3_000}","{"2023-" * 9_000}","{"(" * 30_000}"'
        for name in called
    ]
    (folder / "m.csv").write_text("file,company,year,title\n" + "\n".join(rows) + "\n")
    timed(
        "names",
        "in metadata",
        lambda: index(
            [place], folder / "named.corpus", default_shelves(), metadata=folder / "m.csv"
        ),
    )
    timed(
        "names",
        "asked for",
        lambda: Library(folder / "named.corpus", Settings()).ask(fill("Company and Sons 2023 ")),
    )


def grids(library, folder):
    """Grids that are small to send and large to fill."""
    timed(
        "grids",
        "periods",
        spec_from,
        {
            "title": "x",
            "rows": ["a"],
            "columns": [{"name": "a", "question": "q" * 300_000, "periods": list(range(150_000))}],
        },
    )
    timed(
        "grids", "places", spec_from,
        {"title": "x", "rows": ["n" * 500_000], "columns": [{"name": "a", "question": "{entity}" * 60_000}]},
    )  # fmt: skip
    timed(
        "grids", "braces", spec_from,
        {"title": "x", "rows": ["a"], "columns": [{"name": "a", "question": "{" * 500_000}]},
    )  # fmt: skip
    (folder / "bomb.yaml").write_text(
        "a: &a [x,x,x,x,x,x,x,x,x]\n"
        + "".join(
            f"{b}: &{b} [{','.join(9 * [f'*{a}'])}]\n"
            for a, b in zip("abcdefgh", "bcdefghi", strict=True)
        )
    )
    timed("grids", "aliases", read_spec, folder / "bomb.yaml")
    (folder / "wide.csv").write_text(
        "company," + ",".join(f"c{i}" for i in range(100_001)) + "\na" + "," * 100_001 + "\n"
    )
    timed("grids", "columns", read_spec, folder / "wide.csv")


def rows(library, folder):
    """Questions to a database with columns and values of long names."""
    with sqlite3.connect(folder / "d.sqlite") as db:
        db.execute(
            "CREATE TABLE alloy (name TEXT, yield_strength_mpa REAL, carbon REAL, standard TEXT)"
        )
        db.executemany(
            "INSERT INTO alloy VALUES (?, ?, ?, ?)",
            [("steel " * 50 + str(i), 400 + i, i / 100, "ISO " * 60) for i in range(40)],
        )
    db.close()
    index(
        [], folder / "rows.corpus", default_shelves(), databases=[Wanted(f"sqlite:///{folder}/d.sqlite", "d")],
    )  # fmt: skip
    asked = Library(folder / "rows.corpus", Settings())
    for name, text in {
        "columns": fill("yield strength and carbon and "),
        "values": fill("steel ISO "),
        "limits": fill("above 400 and below 500 or "),
        "groups": fill("average yield strength per standard per "),
        "not": fill("not "),
        "years": fill("between 2000 and 2001 and "),
        "parentheses": fill("(steel"),
        "quotes": fill("'steel' "),
        "one": "Which alloys have the highest yield strength?",
    }.items():
        timed("rows", name, asked.rows, text)


def finds(library, folder):
    """What is looked for in a document, as on the page that reads it."""
    with closing(Corpus(library.corpus.folder)) as corpus:
        for name, text in {
            "any": "%" * 200,
            "each": "_" * 200,
            "both": "%_a" * 66,
            "escapes": "\\" * 200,
            "sharp": "ß" * 200,
            "dotted": "İ" * 200,
            "letters": "e" * 200,
        }.items():
            for one in corpus.documents:
                timed(
                    "finds",
                    name,
                    lambda one=one, text=text: [
                        _place(node, text) for node in corpus.containing(one.version, text)
                    ],
                )


def main():
    """All of it."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    library = Library(sys.argv[1], Settings())
    library.ask(REVENUE)
    for group in (grids, finds, corrections, cells, names, turns, rows, questions):
        group(library, Path(sys.argv[2]))


if __name__ == "__main__":
    main()
