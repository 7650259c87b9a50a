"""EnrichIndex and JudgeRank over tables of databases, with a model over real HTTP: described, found, judged and cited whole."""

import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest

from pincite.indexing import Wanted, ensure
from pincite.indexing.enrichment import enrich, tellers
from pincite.recipes import recipe
from pincite.workbench.library import Library, index
from tests.served import serving
from tests.stand_ins.fakes import oracle

ENRICH = recipe("enrich", search="lexical")
JUDGERANK = recipe("judgerank", depth=4, analyst="judge", expand=False)
KINDS = ["purpose", "summary", "qa"]


def run_sql(path, script):
    with closing(sqlite3.connect(path)) as db:
        db.executescript(script)
        db.commit()


@pytest.fixture
def works(tmp_path):
    """A database of two tables in the jargon of a trade, beside a note."""
    rows = ", ".join(f"({n}, 'XB{n}', {n}.5)" for n in range(1, 61))
    run_sql(
        tmp_path / "works.sqlite",
        f"""
        CREATE TABLE secmst (id INTEGER PRIMARY KEY, tckr TEXT, lst_px REAL, img BLOB);
        INSERT INTO secmst (id, tckr, lst_px) VALUES {rows};
        CREATE TABLE ctyref (id INTEGER PRIMARY KEY, cd TEXT);
        INSERT INTO ctyref VALUES (1, 'NO'), (2, 'SE');
        """,
    )
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "note.txt").write_text("The harbour was dredged in May.")
    return tmp_path / "works.sqlite"


def indexed(works, chosen, **more):
    folder = works.parent
    index(folder / "notes", folder / "corpus", databases=[Wanted(works)], recipe=chosen, **more)
    return folder / "corpus"


def told(asked):
    """Speaks of the stock exchange where the table of prices is shown."""
    about = "stock exchange trading" if "secmst" in asked.said("user") else "other things"
    return {"text": f"For {about}.", "pairs": [{"question": f"What of {about}?", "answer": "x"}]}


def describe(corpus, settings):
    return enrich(corpus, tellers(Library(corpus, settings).kit, KINDS))


@pytest.mark.parametrize("row_limit", [1000, 10])
def test_a_table_is_described_found_and_cited_by_its_purpose(works, row_limit):
    corpus = indexed(works, ENRICH, row_limit=row_limit)
    with serving(oracle(told)) as (server, settings):
        made = describe(corpus, settings)
        assert (dict(made.told), made.failed) == (dict.fromkeys(KINDS, 3), ())
        indexed(works, ENRICH, row_limit=row_limit)
        found = Library(corpus, settings, recipe=ENRICH).search("stock exchange")
    assert [(hit.document, hit.kind, hit.place) for hit in found] == [
        ("works/secmst", "table", "secmst")
    ]
    shown = next(asked for asked in server.asked if "secmst" in asked.said("user"))
    lines = shown.said("user").split("\n")
    start = lines.index("Database name: works")
    assert lines[start + 1].startswith("Table name: secmst")
    rows = [line.strip("| ").split(" | ") for line in lines[start + 3 :] if line.startswith("|")]
    assert rows[0][0] == "id" and len(rows[0]) == 3  # no blob
    numbers = [int(row[0]) for row in rows[2:]]
    assert len(numbers) == 5 and numbers == sorted(numbers) != [1, 2, 3, 4, 5]
    assert rows[2][1:] == [f"XB{numbers[0]}", f"{numbers[0]}.5"]


def test_only_a_table_that_has_changed_is_described_again(works):
    corpus = indexed(works, ENRICH)
    with serving(oracle(told)) as (server, settings):
        describe(corpus, settings)
        assert describe(corpus, settings).before == 9
        run_sql(works, "INSERT INTO ctyref VALUES (3, 'DK')")
        indexed(works, ENRICH)
        before = len(server.asked)
        assert sum(describe(corpus, settings).told.values()) == 3
        assert all("DK" in asked.said("user") for asked in server.asked[before:])
        indexed(works, ENRICH)
        (hit,) = Library(corpus, settings, recipe=ENRICH).search("stock exchange")
        found = Library(corpus, settings, recipe=ENRICH).search("other things")
    assert hit.document == "works/secmst"
    assert {hit.document for hit in found} == {"works/ctyref", "note.txt"}


@pytest.mark.parametrize("over", ["bm25", "enrich"])
def test_a_table_is_judged_beside_pages(works, over):
    chosen = replace(JUDGERANK, over=over, told="plain", search="lexical")
    corpus = indexed(works, chosen)

    def answer(asked):
        yes = "Table name: secmst" in asked.said("user")
        return {"analysis": "thoughts", "value": "yes" if yes else "no"}

    with serving(oracle(answer)) as (server, settings):
        found = Library(corpus, settings, recipe=chosen).search("harbour or tckr")
    assert (found[0].document, found[0].place, found[0].score) == ("works/secmst", "secmst", 1.0)
    assert {hit.document for hit in found} >= {"works/secmst", "note.txt"}
    verdicts = [asked for asked in server.asked if "value" in asked.schema["properties"]]
    assert all("page or table" in asked.said("system") for asked in verdicts)
    assert any("Database name: works" in asked.said("user") for asked in verdicts)


def test_a_switch_leaves_databases_out(works):
    chosen = replace(ENRICH, databases=False, told="plain")
    corpus = indexed(works, chosen)
    with serving() as (_, settings):
        library = Library(corpus, settings, recipe=chosen)
        ensure(corpus, chosen.shelves(library.kit))
        assert library.search("secmst tckr") == []
        (hit,) = library.search("harbour")
    assert hit.document == "note.txt"


def test_judging_over_enrich_has_its_weights_and_shelves(works):
    chosen = recipe("judgerank", over="enrich", told="plain", search="lexical", plain=0.0)
    with serving() as (_, settings):
        kit = Library(indexed(works, chosen), settings).kit
    assert len(chosen.shelves(kit)) == 1
    assert len(replace(chosen, plain=2.0).shelves(kit)) == 2
    pages_alone = replace(ENRICH, told="plain", tables=False)
    assert replace(chosen, plain=2.0).shelves(kit) == pages_alone.shelves(kit)
