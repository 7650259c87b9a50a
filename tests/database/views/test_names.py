"""What views and their columns are called, and what they mean where something says so."""

import pytest

from pincite.database.relations.model import Column
from pincite.database.views.clean_view import clean_views, with_views
from pincite.database.views.view_names import column_names
from tests.database.views.sources import duck_source, sqlite_source


@pytest.mark.parametrize(
    ("headings", "names"),
    [
        (["insured_value_eur", "site_name"], ["insured_value_eur", "site_name"]),
        (["OrderAmount", "Ship Date"], ["order_amount", "ship_date"]),
        (["Revenue 2023 (EUR)", "2023", "2nd quarter"], ["revenue_2023", "year_2023", "column_2nd_quarter"]),
        (["order", "Group", "values"], ["order_column", "group_column", "values_column"]),
        (["Name", "name ", "NAME"], ["name", "name_2", "name_3"]),
        (["sbDpOpen", "sbDpClose", "sbDpDate"], ["open", "close", "date"]),
        (["order_id", "order_date", "order_total"], ["order_id", "order_date", "order_total"]),
        (["Umsatzerlöse", "Größe"], ["umsatzerlöse", "grösse"]),
        (["%", ""], ["unnamed", "unnamed_2"]),
        (["x" * 100], ["x" * 60]),
    ],
)  # fmt: skip
def test_names_are_words_that_need_no_quotes(headings, names):
    assert column_names([Column(heading, readable=heading) for heading in headings]) == names


def test_abbreviations_and_symbols_are_spelled_out(tmp_path):
    script = """
    CREATE TABLE emp_addr (cust_no INTEGER, dept TEXT, amt REAL, "Su" REAL, "Sy" REAL);
    INSERT INTO emp_addr VALUES (1, 'a', 2, 3, 4);
    """
    with sqlite_source(tmp_path, script) as source:
        (view,) = clean_views(source)
        assert view.name == "employee_address"
        assert [c.name for c in view.columns] == [
            "row_id", "customer_no", "department", "amount", "ultimate_tensile_strength", "yield_strength",
        ]  # fmt: skip


MEANINGS = """
CREATE TABLE steel (grade TEXT, q1 REAL, q2 REAL);
INSERT INTO steel VALUES ('A', 350, 7.85), ('B', 420, 7.8);
CREATE TABLE legend (field TEXT, label TEXT, unit TEXT);
INSERT INTO legend VALUES ('q1', 'proof stress', 'MPa'), ('q2', 'density', 'g/cm3'), ('grade', 'name of the grade', '');
"""


def test_a_table_of_meanings_names_columns_and_their_units(tmp_path):
    with sqlite_source(tmp_path, MEANINGS) as source:
        (view,) = clean_views(source)  # the table of meanings is no table of its own
        assert [(c.name, c.source, c.meaning, c.unit) for c in view.columns[1:]] == [
            ("name_of_the_grade", "grade", "name of the grade", ""),
            ("proof_stress", "q1", "proof stress", "MPa"),
            ("density", "q2", "density", "g/cm3"),
        ]
        statement = "SELECT name_of_the_grade FROM steel WHERE proof_stress > 400"
        assert source.run(with_views(statement, [view])).rows == (("B",),)


def test_a_dictionary_of_the_user_wins(tmp_path):
    names = {
        "steel": {
            "q1": {
                "name": "yield strength",
                "unit": "ksi",
                "description": "at 0.2% strain, across the rolling direction",
            }
        }
    }
    with sqlite_source(tmp_path, MEANINGS, names=names) as source:
        column = clean_views(source)[0].column("yield_strength")
        assert (column.unit, column.meaning) == (
            "ksi",
            "at 0.2% strain, across the rolling direction",
        )


def test_comments_are_meanings(tmp_path):
    script = """
    CREATE TABLE plant (q7 DOUBLE, output DOUBLE);
    COMMENT ON COLUMN plant.q7 IS 'heat used (MWh)';
    COMMENT ON COLUMN plant.output IS 'sold to others';
    INSERT INTO plant VALUES (1, 2);
    """
    with duck_source(tmp_path, script) as source:
        (view,) = clean_views(source)
        assert [(c.name, c.meaning, c.unit) for c in view.columns[1:]] == [
            ("heat_used", "heat used (MWh)", "MWh"), ("output", "sold to others", ""),
        ]  # fmt: skip


def test_wide_tables_of_text_pass_the_guard(tmp_path):
    columns = ", ".join(f'"amount {n}" TEXT, "date {n}" TEXT' for n in range(30))
    row = ", ".join("'1.234,50-', '31.01.2023'" for _ in range(30))
    script = f"CREATE TABLE wide ({columns}); INSERT INTO wide VALUES ({row}), ({row}), ({row.replace('50-', '5-')});"
    with sqlite_source(tmp_path, script) as source:
        (view,) = clean_views(source)
        statement = "SELECT w.amount_3, w.date_7 FROM wide w JOIN wide v ON v.date_7 = w.date_7 WHERE v.amount_4 < 0 LIMIT 1"
        assert source.run(with_views(statement, [view])).rows == ((-1234.5, "2023-01-31"),)
        assert len(source.run(with_views("SELECT * FROM wide", [view])).rows[0]) == 61
