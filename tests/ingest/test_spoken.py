"""Languages of pages, how their tables write numbers, and texts that stand there twice."""

from pincite.ingest.page_languages import alike, spoken
from pincite.ingest.raw_page import Block, Page
from pincite.ingest.tree import build
from pincite.types import Cell, Table

SV = "Stegen ska bära en last av 2,6 kN utan att den blir skadad och provas vid 23 °C i minst 24 timmar eller mer."
EN = "The ladder shall carry a load of 2.6 kN without being damaged and be tested at 23 °C for at least 24 hours."
DE = "Die Gesellschaft ist gewachsen, und der Absatz lag über dem des Vorjahres, das für alle ein gutes war."


def page(number, *texts, table=None):
    blocks = tuple(Block("paragraph", text, (None,), (0,)) for text in texts)
    blocks += (
        (Block("table", "\n".join(cell.text for cell in table.cells), (None,), (0,), table=table),)
        if table
        else ()
    )
    return Page(number, 600, 800, blocks)


def table(*rows):
    return Table(
        tuple(
            Cell(at, column, text)
            for at, row in enumerate(rows)
            for column, text in enumerate(row)
        )
    )


def pages_of(*pages):
    document = build("a" * 64, "r.pdf", "pdf/1", pages)
    return document, [node for node in document.nodes if node.kind == "page"]


def test_most_of_a_document_says_its_language_and_pages_tell_where_they_differ():
    document, (first, second, third) = pages_of(page(1, DE), page(2, DE + " " + DE), page(3, EN))
    assert document.language == "de"
    assert "languages" not in first.meta and "languages" not in second.meta
    assert third.meta["languages"] == ["en"] and "parallel" not in third.meta


def test_a_page_of_numbers_is_taken_for_its_documents():
    told = spoken([page(1, DE), page(2, "1 2 3")])
    assert told.of(2) == ("de",) and told.meta(2) == {}


def test_a_document_that_says_nothing_has_no_language():
    assert spoken([page(1, "1 2 3")]).of(1) == ()


def test_decimals_behind_a_comma_as_the_language_has_it_where_the_numbers_agree():
    def comma(*texts):
        document, _ = pages_of(
            page(1, *texts, table=table(("", "2022"), ("Umsatz", "412.310"), ("Gewinn", "18.347")))
        )
        return next(node.table.comma for node in document.nodes if node.table)

    assert comma(DE)
    assert not comma(EN)
    document, _ = pages_of(
        page(1, DE, table=table(("", "2022"), ("Revenue", "412,310.5"), ("Profit", "18.3")))
    )
    assert not next(node.table.comma for node in document.nodes if node.table)


def test_both_languages_on_one_page():
    document, (only,) = pages_of(page(1, SV, EN))
    assert sorted(only.meta["languages"]) == ["en", "sv"]
    assert only.meta["parallel"] == 1 and document.meta["parallel"] == "yes"


def test_facing_pages_name_each_other():
    _, pages = pages_of(page(1, SV), page(2, EN), page(3, DE))
    assert [one.meta.get("parallel") for one in pages] == [2, 1, None]


def test_another_language_is_no_translation_without_the_same_numbers():
    _, (only,) = pages_of(
        page(1, SV, EN.replace("2.6", "3.9").replace("23", "41").replace("24", "60"))
    )
    assert "parallel" not in only.meta


def test_numbers_are_compared_however_they_are_written():
    assert alike("1 600 stycken, 2,6 kN och 12 år", "1,600 pieces, 2.6 kN and 12 years")
    assert not alike("5 och 7", "5 and 7")
    assert not alike(
        "1 2 3 4", "1 2 3 4 and a text that is far longer than its translation would be"
    )


def test_a_table_of_two_languages_is_two_texts():
    held = table((SV, EN), (SV.replace("23", "42"), EN.replace("23", "42")))
    document, _ = pages_of(page(1, table=held))
    texts = [node.text for node in document.nodes if node.kind == "paragraph"]
    assert [text[:5] for text in texts] == ["Stege", "Stege", "The l", "The l"]
    assert not any(node.table for node in document.nodes)


def test_numbers_side_by_side_stay_a_table():
    held = table(("Umsatz", "412.310"), ("Gewinn", "18.347"))
    document, _ = pages_of(page(1, SV, EN, table=held))
    assert [node.table.cells[1].text for node in document.nodes if node.table] == ["412.310"]
