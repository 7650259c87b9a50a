"""Columns that say in which currency or unit each row is."""

import pytest

from pincite.database.sources.connection import open_source
from pincite.database.views.clean_view import clean_views, with_views
from tests.database.views.sources import sqlite_source

INVOICES = """
CREATE TABLE invoice (invoice_no TEXT PRIMARY KEY, supplier TEXT, amount NUMERIC, currency TEXT, issued_on TEXT, paid TEXT);
INSERT INTO invoice VALUES
 ('R-1001', 'Ostara Chemie', 12400, 'EUR', '03.02.2023', 'yes'), ('R-1002', 'Pine Ridge Tools', 7250, 'USD', '28.02.2023', 'yes'),
 ('R-1003', 'Kitamura Seiki', 1850000, 'JPY', '14.06.2023', 'yes'), ('R-1004', 'Ostara Chemie', 9100, 'EUR', '30.09.2023', 'no'),
 ('R-1005', 'Pine Ridge Tools', 11000, 'USD', '02.10.2023', 'no'), ('R-1006', 'Vellinge Glas', 19800, 'EUR', '15.11.2023', 'yes'),
 ('R-1007', 'Kitamura Seiki', 550000, 'JPY', '05.12.2023', 'no'), ('R-1008', 'Vellinge Glas', 4300, 'EUR', '31.01.2023', 'yes');
"""


def test_amounts_are_bound_to_the_column_of_currencies(tmp_path):
    with sqlite_source(tmp_path, INVOICES) as source:
        (view,) = clean_views(source)
        assert (view.column("amount").currency, view.column("amount").unit) == ("currency", "")
        sums = "SELECT currency, sum(amount) FROM invoice GROUP BY currency ORDER BY currency"
        assert source.run(with_views(sums, [view])).rows == (
            ("EUR", 45600),
            ("JPY", 2400000),
            ("USD", 18250),
        )
        late = "SELECT invoice_no FROM invoice WHERE issued_on > '2023-09-30' ORDER BY 1"
        assert source.run(with_views(late, [view])).rows == (("R-1005",), ("R-1006",), ("R-1007",))
        last = "SELECT invoice_no, issued_on FROM invoice ORDER BY issued_on DESC LIMIT 1"
        assert source.run(with_views(last, [view])).rows == (("R-1007", "2023-12-05"),)


@pytest.mark.parametrize(
    ("columns", "rows", "bound"),
    [
        ("amount REAL, currency TEXT", "(1, 'EUR'), (2, 'EUR')", {"amount": ("EUR", "")}),
        ("amount REAL, currency TEXT", "(1, '€'), (2, '$')", {"amount": ("", "currency")}),
        ("quantity INTEGER, price REAL, ccy TEXT", "(1, 5, 'EUR'), (2, 7, 'USD')",
         {"quantity": ("", ""), "price": ("", "currency")}),
        ("net_amount REAL, net_currency TEXT, tax_amount REAL, tax_currency TEXT", "(1, 'EUR', 5, 'USD'), (2, 'USD', 7, 'EUR')",
         {"net_amount": ("", "net_currency"), "tax_amount": ("", "tax_currency")}),
        ("price_eur REAL, currency TEXT", "(1, 'EUR'), (2, 'USD')", {"price_eur": ("EUR", "")}),
        ("indicator TEXT, value REAL, unit TEXT", "('water', 5, 'm3'), ('energy', 7, 'MWh')", {"value": ("", "unit")}),
        ("indicator TEXT, value REAL, unit TEXT", "('gas', 5, 'MWh'), ('power', 7, 'MWh')", {"value": ("MWh", "")}),
        ("amount REAL, country TEXT", "(1, 'DE'), (2, 'US')", {"amount": ("", "")}),
    ],
)  # fmt: skip
def test_what_says_the_unit_of_each_row(tmp_path, columns, rows, bound):
    with sqlite_source(
        tmp_path, f"CREATE TABLE t ({columns}); INSERT INTO t VALUES {rows};"
    ) as source:
        (view,) = clean_views(source)
        assert {
            name: (view.column(name).unit, view.column(name).currency) for name in bound
        } == bound


def test_the_title_of_a_sheet_says_the_unit_of_its_amounts(tmp_path):
    (tmp_path / "energy.csv").write_text(
        "Energy used by plant,,\nin thousand MWh,,\nPlant,Electricity,Employees\nAsker,9410,12\nBrekke,12870,7\n"
    )
    with open_source(tmp_path / "energy.csv") as source:
        (view,) = clean_views(source)
        assert [(c.unit, int(c.scale)) for c in view.columns[2:]] == [("MWh", 1000), ("", 1)]
