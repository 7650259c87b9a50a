"""Answers from rows: every value cites its cells, and the check reads them again before it is an answer."""

import sqlite3
from dataclasses import replace
from decimal import Decimal

import pytest

from pincite.check.claims import verified
from pincite.database.database_errors import DatabaseUnreachable
from pincite.database.relations.value_index import build
from pincite.database.sources.connection import open_source
from pincite.database.statements.pins import read_pin
from pincite.document.headed_table import body_rows
from pincite.evidence.database_sources import DatabaseSources
from pincite.records.answer_record import record
from pincite.rows.clean_source import CleanSource
from pincite.rows.interpretation import Interpretation
from pincite.rows.row_answers import ask_tables, inside_source
from pincite.rows.row_drafts import drafted
from pincite.types import Anchor, Cell, Claim, Node, Quantity, Query, Table

NAMES = {
    "alloy": {
        "columns": {
            "ys": {"name": "yield strength", "unit": "MPa"},
            "c": {"name": "carbon", "unit": "%"},
        }
    }
}


@pytest.fixture
def plant(tmp_path):
    path = tmp_path / "plant.sqlite"
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE alloy (id INTEGER PRIMARY KEY, name TEXT, ys REAL, c REAL)")
    db.execute("CREATE TABLE mill (place TEXT, alloy INTEGER REFERENCES alloy (id))")
    db.executemany(
        "INSERT INTO alloy VALUES (?, ?, ?, ?)",
        [(1, "Anker 10", 310, 0.12), (2, "Anker 20", 450.5, 0.35), (3, "Brisa", 95, None)]
        + [(n, f"Serie {n}", 500 + n, 0.5) for n in range(4, 20)],
    )
    db.executemany("INSERT INTO mill VALUES (?, ?)", [("Norrby", 1), ("Vik", 2)])
    db.commit()
    db.close()
    return path


@pytest.fixture
def source(plant):
    with open_source(plant, names=NAMES) as opened:
        yield CleanSource(opened, build(opened))


def found(source, statement, question="?"):
    """What was read as this statement over the views."""
    over = source.over_source(statement)
    return Interpretation(question, statement, over, confidence=0.9, result=source.run(statement))


def draft(source, statement, question="What is the yield strength of Anker 20?", **more):
    return drafted(Query(question, **more), found(source, statement, question), source)


def checked(source, made):
    opened = source.source
    return verified(made, {}, 0.0, DatabaseSources({opened.database.name: lambda: opened}))


def pins(answer):
    return [read_pin(one.anchor.sql) for one in answer.citations]


def test_a_cell_is_a_quantity_in_its_unit_and_cites_row_and_column(source):
    answer = checked(
        source, draft(source, "SELECT yield_strength FROM alloy WHERE name = 'Anker 20'")
    )
    assert answer.value == Quantity(Decimal("450.5"), "MPa", text="450.5")
    assert answer.text == "450.5 MPa"
    assert [(one.verdict, one.citation) for one in answer.checks] == [("supported", "1")]
    (pin,) = pins(answer)
    assert (pin.relation, pin.key, pin.rows, pin.columns) == (
        "alloy",
        ("id",),
        ((2,),),
        ("ys", "name"),
    )
    assert answer.citations[0].quote == "yield strength = 450.5 MPa, name = Anker 20"
    assert source.source.run(pin.statement).rows == ((450.5,),)


def test_a_fault_in_what_draft_and_check_share_is_found(source, monkeypatch):
    def doubled(rows, headings):
        return Quantity(Decimal(str(rows[0][0])) * 2, headings[0].unit)

    monkeypatch.setattr("pincite.evidence.row_values.shaped", doubled)
    answer = checked(
        source, draft(source, "SELECT yield_strength FROM alloy WHERE name = 'Anker 20'")
    )
    assert (answer.value, answer.checks[0].verdict) == (None, "contradicted")
    assert "finds no row with 901" in answer.checks[0].how


def test_a_row_without_a_key_is_cited_by_its_number(source):
    answer = checked(
        source,
        draft(source, "SELECT place FROM mill WHERE alloy = 2", "Which mill makes alloy 2?"),
    )
    assert answer.value == "Vik"
    assert pins(answer)[0].key == ("rowid",) and pins(answer)[0].rows == ((2,),)


def test_a_join_cites_both_tables(source):
    statement = "SELECT a.name, m.place FROM alloy a JOIN mill m ON m.alloy = a.id ORDER BY a.id"
    answer = checked(source, draft(source, statement))
    assert isinstance(answer.value, Table)
    assert [(pin.relation, pin.rows) for pin in pins(answer)] == [
        ("alloy", ((1,),)), ("mill", ((1,),)), ("alloy", ((2,),)), ("mill", ((2,),)),
    ]  # fmt: skip
    told = record(answer, "a")
    assert told["value"] == {
        "columns": ["name", "place"],
        "rows": [["Anker 10", "Norrby"], ["Anker 20", "Vik"]],
    }
    assert told["citations"][1]["table"] == "mill" and told["citations"][1]["rows"] == [[1]]


@pytest.mark.parametrize(
    ("statement", "value", "operation", "read"),
    [
        ("SELECT COUNT(*) FROM alloy WHERE yield_strength > 400", Decimal(17), "count", 17),
        ("SELECT AVG(yield_strength) FROM alloy WHERE id < 3", Decimal("380.25"), "average", 2),
        ("SELECT MAX(yield_strength) FROM alloy", Decimal(519), "max", 19),
        ("SELECT SUM(carbon) FROM alloy WHERE id < 3", Decimal("0.47"), "sum", 2),
        (
            "SELECT (SELECT yield_strength FROM alloy WHERE id = 2) - (SELECT yield_strength FROM alloy WHERE id = 1)",
            Decimal("140.5"), "computed", 0,
        ),
    ],
)  # fmt: skip
def test_an_aggregate_cites_its_rows_and_is_computed_by_another_engine(
    source, statement, value, operation, read
):
    made = draft(source, statement, "How many?")
    assert made.claims[0].operation == operation
    answer = checked(source, made)
    assert isinstance(answer.value, Quantity) and answer.value.value == value
    assert answer.checks[0].verdict == "computed"
    assert answer.checks[0].how.endswith("computed again by DuckDB")
    assert sum(len(pin.rows) for pin in pins(answer)) == read


def test_units_are_those_that_the_question_asks_for(source):
    answer = checked(
        source,
        draft(
            source,
            "SELECT yield_strength FROM alloy WHERE id = 1",
            "What is its yield strength in GPa?",
        ),
    )
    assert answer.value.amount == Decimal("0.31") and answer.value.unit == "GPa"


@pytest.mark.parametrize(("stored", "said"), [("N", False), ("yes", True), ("forged", True)])
def test_a_yes_or_no_question_is_answered_by_a_value_that_is_yes_or_no_itself(
    plant, source, stored, said
):
    change(plant, f"UPDATE alloy SET name = '{stored}' WHERE id = 2")
    made = draft(source, "SELECT name FROM alloy WHERE id = 2", "Is alloy 2 certified?")
    assert made.value is said
    assert checked(source, made).value is said


def test_a_yes_or_no_question_is_answered_yes_when_rows_fit(plant, source):
    made = draft(
        source,
        "SELECT name FROM alloy WHERE id = 2 AND yield_strength > 400",
        "Is the yield strength of Anker 20 above 400 MPa?",
    )
    answer = checked(source, made)
    assert answer.value is True and answer.text == "Yes" and answer.checks[0].verdict == "computed"
    assert pins(answer)[0].rows == ((2,),)
    change(plant, "UPDATE alloy SET ys = 390 WHERE id = 2")
    assert checked(source, made).value is None
    none = draft(
        source,
        "SELECT name FROM alloy WHERE id = 2 AND yield_strength > 400",
        "Is the yield strength of Anker 20 above 400 MPa?",
    )
    assert none.value is None and none.reason.startswith("no row fits")


@pytest.mark.parametrize(
    ("expects", "statement", "fits"),
    [
        ("number", "SELECT yield_strength FROM alloy WHERE id = 1", True),
        ("number", "SELECT name FROM alloy WHERE id = 1", False),
        ("name", "SELECT name FROM alloy WHERE id = 1", True), ("name", "SELECT name FROM alloy", False),
        ("names", "SELECT name FROM alloy", True), ("number", "SELECT name, yield_strength FROM alloy", False),
        ("boolean", "SELECT COUNT(*) FROM alloy", False), ("text", "SELECT name, yield_strength FROM alloy", True),
    ],
)  # fmt: skip
def test_a_value_of_another_type_than_expected_is_no_answer(source, expects, statement, fits):
    made = draft(source, statement, "?", expects=expects)
    assert (made.value is not None) is fits
    assert fits or f"a {expects} was asked for" in made.reason


def test_a_long_list_is_cited_as_one(source):
    answer = checked(
        source, draft(source, "SELECT name FROM alloy WHERE yield_strength > 400", "Which alloys?")
    )
    assert isinstance(answer.value, tuple) and len(answer.value) == 17
    assert len(answer.citations) == 1 and len(pins(answer)[0].rows) == 17
    assert "and 14 more rows" in answer.citations[0].quote


def test_no_row_is_no_answer_and_says_what_was_looked_for(source):
    answer = checked(source, draft(source, "SELECT yield_strength FROM alloy WHERE name = 'Zeta'"))
    assert answer.value is None
    assert answer.reason.startswith("no row fits")
    assert answer.reading.statement


def test_a_refusal_says_why(source):
    reason = "nothing is called 'hardness'"
    refused = Interpretation("hardness?", unmapped=("hardness",), refused=True, reason=reason)
    answer = checked(source, drafted(Query("hardness?"), refused, source))
    assert answer.value is None and answer.reason == "nothing is called 'hardness'"
    assert answer.reading.unmapped == ("hardness",)


def change(plant, statement):
    db = sqlite3.connect(plant)
    db.execute(statement)
    db.commit()
    db.close()


@pytest.mark.parametrize(
    ("statement", "edit", "said"),
    [
        (
            "SELECT yield_strength FROM alloy WHERE id = 2",
            "UPDATE alloy SET ys = 451 WHERE id = 2",
            "now finds 451 MPa",
        ),
        (
            "SELECT yield_strength FROM alloy WHERE id = 2",
            "DELETE FROM alloy WHERE id = 2",
            "now finds nothing",
        ),
        ("SELECT COUNT(*) FROM alloy", "DELETE FROM alloy WHERE id = 2", "now finds 18"),
        (
            "SELECT AVG(yield_strength) FROM alloy WHERE id < 3",
            "UPDATE alloy SET name = 'A' WHERE id = 2",
            "",
        ),
    ],
)
def test_what_has_changed_since_is_no_answer(plant, source, statement, edit, said):
    made = draft(source, statement)
    change(plant, edit)
    answer = checked(source, made)
    assert (answer.value is None) == bool(said)
    assert said in answer.reason


def tampered(made, **fields):
    pin = replace(read_pin(made.citations[0].anchor.sql), **fields)
    cited = replace(made.citations[0], anchor=replace(made.citations[0].anchor, sql=pin.written()))
    return replace(made, citations=(cited, *made.citations[1:]))


def test_a_claim_that_its_cells_do_not_carry_is_no_answer(source):
    made = draft(source, "SELECT yield_strength FROM alloy WHERE id = 2")
    wrong = Quantity(Decimal("999"), "MPa", text="999")
    for bad in (
        replace(made, value=wrong, claims=(Claim("999 MPa", wrong, ("1",)),)),
        replace(made, citations=(replace(made.citations[0], quote="yield strength = 999 MPa"),)),
        tampered(made, rows=((1,),)),
        tampered(made, rows=((404,),)),
        tampered(made, columns=("c",)),
        tampered(made, relation="mill"),
        tampered(made, statement="SELECT yield_strength FROM alloy WHERE id = 1"),
        tampered(made, statement=""),
        tampered(made, statement="DELETE FROM alloy"),
        tampered(made, database="elsewhere"),
        replace(made, citations=()),
    ):
        answer = checked(source, bad)
        assert answer.value is None, bad
        assert answer.checks[0].verdict in ("unsupported", "contradicted")


def test_a_database_that_cannot_be_reached_for_the_check_gives_no_answer(source):
    def away():
        raise DatabaseUnreachable("the server does not answer")

    answer = verified(
        draft(source, "SELECT yield_strength FROM alloy WHERE id = 2"),
        {},
        0.0,
        DatabaseSources({"plant": away}),
    )
    assert answer.value is None
    assert "the server does not answer" in answer.reason


def node():
    """A table with a blank line, a merged heading and boxes."""
    texts = [
        ["Grade", "Strength (MPa)", "Carbon (%)"],
        ["Anker 10", "310", "0.12"],
        ["", "", ""],
        ["Anker 20", "450", "0.35"],
    ]
    cells = tuple(
        Cell(
            row, column, text, box=(column * 50.0, row * 10.0, column * 50.0 + 40, row * 10.0 + 8)
        )
        for row, line in enumerate(texts)
        for column, text in enumerate(line)
    )
    table = Table(cells, header_rows=1, header_columns=1, page=3)
    return Node("n1", "table", "", Anchor("sha", ((3, None),)), table=table)


def inside():
    made = DatabaseSources({})
    made.inside = inside_source
    return made


def test_a_table_inside_a_document_is_asked_the_same_way_and_cited_by_its_cells():
    one, sources = node(), DatabaseSources({})
    assert body_rows(one) == [1, 3]
    (told,) = ask_tables(
        Query("What is the strength of Anker 20?"), [(one, "report.pdf")], sources
    )
    answer = verified(told.draft, {"n1": one}, 0.0, sources)
    assert answer.text == "450 MPa"
    (citation,) = answer.citations
    assert citation.anchor.cells == ((3, 0), (3, 1)) and citation.quote == "Anker 20 450"
    assert citation.anchor.spots == ((3, (0.0, 30.0, 40.0, 38.0)), (3, (50.0, 30.0, 90.0, 38.0)))
    assert answer.checks[0].verdict == "supported"
    moved = replace(
        one.table,
        cells=tuple(
            replace(cell, text="460") if cell.text == "450" else cell for cell in one.table.cells
        ),
    )
    assert verified(told.draft, {"n1": replace(one, table=moved)}, 0.0, sources).value is None
    assert verified(told.draft, {"n1": one}, 0.0).value is None


def found_inside(one, statement):
    with inside_source(one) as opened:
        source = CleanSource(opened, build(opened))
        return drafted(Query("?"), found(source, statement), source, one, "report.pdf")


def test_numbers_of_a_table_inside_a_document_keep_its_unit_and_scale():
    one = node()
    scaled = replace(one, table=replace(one.table, scale=Decimal(1000)))
    made = found_inside(scaled, "SELECT SUM(strength) FROM records")
    answer = verified(made, {"n1": scaled}, 0.0, inside())
    assert (answer.value.value, answer.value.unit) == (760, "MPa")
    assert (
        answer.checks[0].verdict == "computed"
        and answer.checks[0].how == "2 rows read again by key, and computed again by DuckDB"
    )
    assert len(answer.citations[0].anchor.cells) == 2 and answer.citations[0].quote == "310 450"


def test_numbers_of_different_units_are_not_computed_with():
    texts = [["Item", "2022"], ["Waste (t)", "12"], ["Energy (GWh)", "30"]]
    cells = tuple(
        Cell(row, column, text)
        for row, line in enumerate(texts)
        for column, text in enumerate(line)
    )
    one = Node(
        "n2",
        "table",
        "",
        Anchor("sha", ((1, None),)),
        table=Table(cells, header_rows=1, header_columns=1, page=1),
    )
    made = found_inside(one, "SELECT SUM(year_2022) FROM records")
    assert made.value is None and "different units" in made.reason
    waste = found_inside(one, "SELECT year_2022 FROM records WHERE item = 'Waste (t)'")
    assert waste.value.value == 12
