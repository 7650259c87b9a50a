"""What the pages show of databases, slides, other documents and earlier answers, in a corpus that has all of them."""

import html
import re
import sqlite3

import pytest
from pptx import Presentation
from pptx.util import Inches

from pincite.check.claims import verified
from pincite.evidence.database_sources import sources_of
from pincite.indexing import Wanted
from pincite.rows.clean_source import CleanSource
from pincite.rows.interpretation import Interpretation
from pincite.rows.row_drafts import drafted
from pincite.settings import Settings
from pincite.types import Query
from pincite.workbench.library import Library, index

from .conftest import PAGE, serving

BASE = "/c/reports/"
PRESSURE = "What is the maximum operating pressure of the Kestrel P-200 pump?"


def slides(path):
    """Two slides, the second with a table."""
    made = Presentation()
    made.slides.add_slide(
        made.slide_layouts[0]
    ).shapes.title.text = "Capital markets day of Quayside Works"
    last = made.slides.add_slide(made.slide_layouts[5])
    last.shapes.title.text = "Planned spending (EUR million)"
    table = last.shapes.add_table(2, 3, Inches(1), Inches(2), Inches(8), Inches(2)).table
    for row, cells in enumerate((("Item", "2024", "2025"), ("Shore power", "12.4", "18.9"))):
        for column, text in enumerate(cells):
            table.cell(row, column).text = text
    made.save(path)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    """Slides, two documents that contradict each other, and a database."""
    folder = tmp_path_factory.mktemp("pages")
    files = folder / "files"
    files.mkdir()
    slides(files / "day.pptx")
    for name, pressure in (("sheet", 16), ("handbook", 12)):
        text = f"The maximum operating pressure of the Kestrel P-200 pump is {pressure} bar."
        (files / f"{name}.md").write_text(f"# The {name} of the pump\n\n## Limits\n\n{text}\n")
    with sqlite3.connect(folder / "fleet.sqlite") as db:
        db.execute(
            "CREATE TABLE voyages (id INTEGER PRIMARY KEY, vessel TEXT, passengers INTEGER)"
        )
        db.executemany(
            "INSERT INTO voyages VALUES (?, ?, ?)", [(1, "Aurora", 310), (2, "Borealis", 275)]
        )
    index(
        files,
        folder / "reports.corpus",
        databases=[Wanted(f"sqlite:///{folder / 'fleet.sqlite'}")],
    )
    return folder / "reports.corpus"


def ask(client, question):
    page = client.get(BASE, params={"q": question}, headers=PAGE)
    assert page.status_code == 200
    return page.text


def link(page, words):
    """The address of the first link around these words, or before them in its own text."""
    found = re.search(
        rf'<a [^>]*?href="([^"]+)"[^>]*>(?:(?!</a>).)*{re.escape(words)}', page, re.S
    )
    return html.unescape(found[1]).partition("#")[0]


def test_what_contradicts_is_one_click_away(client):
    page = ask(client, PRESSURE)
    own, other = ("16", "12") if '<p class="value"><bdi>16<' in page else ("12", "16")
    assert "says otherwise" in page
    beside = client.get(link(page, f"<bdi>{other} bar</bdi>"), headers=PAGE).text
    assert f'<p class="value"><bdi>{own}</bdi> <span class="unit">bar</span></p>' in beside, (
        "the answer stays what it is"
    )
    assert re.search(rf'class="cited"><bdi>[^<]* is {other} bar', beside)
    assert beside.count('aria-current="true"') == 1


def test_rows_of_a_database_are_shown_with_their_cited_cells_and_statement(client):
    page = ask(client, "What are the passengers of Borealis?")
    assert "<bdi>275</bdi></p>" in page and "The document has changed" not in page
    assert (
        re.search(r'<td data-at="1 \d" class="cited"[^>]*><bdi>275</bdi>', page)
        and "SELECT" in page
    )
    table = client.get(link(page, "See the table"), headers=PAGE).text
    assert "<bdi>Aurora</bdi>" in table and "passengers: whole number" in table


def test_an_answer_that_is_a_table_is_shown_and_saved_as_one(client, corpus):
    library = Library(corpus, Settings())
    sources = sources_of(library.corpus)
    source = CleanSource(sources("fleet"), sources.values("fleet"))
    asked = "SELECT vessel, passengers FROM voyages"
    found = Interpretation(
        "?", asked, source.over_source(asked), confidence=0.9, result=source.run(asked)
    )
    draft = drafted(Query("Show vessel and passengers of voyages"), found, source)
    (identity,) = library.keep([verified(draft, {}, 0.0, sources)])
    page = client.get(f"{BASE}answers/{identity}", headers=PAGE).text
    assert "2 rows of" in page and "<bdi>Aurora</bdi>" in page
    saved = client.get(link(page, "Save as CSV"))
    assert saved.headers["content-type"].startswith("text/csv") and "Borealis,275" in saved.text


def test_slides_are_called_slides_and_their_tables_stand_among_their_text(client):
    page = ask(client, "What is the planned spending for shore power in 2025?")
    assert "day.pptx</bdi>, slide 2" in page and re.search(
        r'class="cited"[^>]*><bdi>18.9</bdi>', page
    )
    read = client.get(link(page, "Open in document"), headers=PAGE).text
    assert "Slide 2 of 2" in read and "<bdi>Shore power</bdi>" in read
    assert (
        client.get(link(page, "Open in document").rsplit("/", 1)[0], params={"page": 9})
        .headers["location"]
        .endswith("/2")
    )


def test_how_an_answer_came_about_is_kept_longer_than_the_server_runs(client, corpus):
    address = link(ask(client, PRESSURE), "Link to this answer")
    with serving(corpus) as later:
        page = later.get(address, headers=PAGE).text
        assert "Pages found" in page and "checked at the cited place" in page


def test_what_was_searched_is_told_of_an_answer_that_was_kept(client, corpus):
    page = ask(client, "How many patents did Quayside Works hold in 1999?")
    assert "><bdi>N/A</bdi></p>" in page and "What was searched" in page
    with serving(corpus) as later:
        kept = later.get(link(page, "Link to this answer"), headers=PAGE).text
        assert "slide 1</a>" in kept or "slide 2</a>" in kept


def test_sources_tell_what_is_covered(client):
    page = client.get(f"{BASE}sources", headers=PAGE).text
    for words in ("voyages", "id, vessel, passengers", "What they are about", "Documents"):
        assert words in page, words
    found = client.get(f"{BASE}sources", params={"find": "handbook"}, headers=PAGE).text
    assert "1 of 4" in found and "handbook.md" in found
