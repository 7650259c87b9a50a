"""What a person would write for complaints 11 to 14, over clean views: the value that comes out is the right one."""

from decimal import Decimal

import pytest

from pincite.database.relations.value_index import build
from pincite.database.sources.connection import open_source
from pincite.evidence.row_values import value_of
from pincite.rows.clean_source import CleanSource
from pincite.types import Quantity
from tests.rows.drafting.stores import LEDGER, SHOP, opened, put_right

REGIONS = {
    "North": [("Aldon Works", 4, 412000), ("Birka Foods", 2, 187500), ("Corvin AG", 7, 655000)],
    "South": [("Delmar Pharma", 3, 298000), ("Ermin Textiles", 1, 74500)],
    "West": [("Falk & Son", 5, 521000), ("Greta Line", 6, 602000), ("Hovik Stores", 2, 150000)],
}
SITES = """site_code,site_name,country,peril,insured_value_eur
00417,Walvis Depot,NA,flood,3250000
00418,Luderitz Cold Store,NA,wind,1875000
00502,Maun Workshop,BW,flood,640000
00430,Walvis Annex,NA,fire,410000
01120,Beira Terminal,MZ,wind,5120000
01121,Nacala Yard,MZ,wind,2340000
02003,Barge Ndoto,,collision,980000
00220,Niamey Office,NE,fire,155000
"""
RIGHT = {
    "rollups": [
        ("What is the total revenue in 2023?", "SUM(revenue_2023) FROM revenue_by_customer_2023", "2900000 EUR"),
        ("What is the average revenue per customer in 2023?", "AVG(revenue_2023) FROM revenue_by_customer_2023", "362500 EUR"),
        ("Which customer has the highest revenue in 2023?",
         "customer FROM revenue_by_customer_2023 ORDER BY revenue_2023 DESC LIMIT 1", "Corvin AG"),
        ("How many customers are there?", "COUNT(*) FROM revenue_by_customer_2023", "8"),
        ("What is the revenue of the South region?",
         "SUM(revenue_2023) FROM revenue_by_customer_2023 WHERE region = 'South'", "372500 EUR"),
    ],
    "sites": [
        ("How many sites are in country NA?", "COUNT(*) FROM insured_sites WHERE country = 'NA'", "3"),
        ("What is the total insured value of the sites in country NA?",
         "SUM(insured_value_eur) FROM insured_sites WHERE country = 'NA'", "5535000 EUR"),
        ("What is the insured value of site 00417?",
         "insured_value_eur FROM insured_sites WHERE site_code = '00417'", "3250000 EUR"),
        ("Which sites have no country?", "site_name FROM insured_sites WHERE country IS NULL", "Barge Ndoto"),
    ],
    "orders": [
        ("What is the total order amount of the orders that contain insulation products?",
         "SUM(order_amount_eur) FROM sales_order JOIN order_line ON sales_order.id = order_line.order_id "
         "JOIN product ON product.id = order_line.product_id WHERE category = 'insulation'", "4400 EUR"),
        ("How many orders were shipped by Fjordline?", "COUNT(*) FROM shipment WHERE carrier = 'Fjordline'", "3"),
        ("How many orders were shipped by Fjordline?",
         "COUNT(*) FROM sales_order JOIN shipment ON shipment.order_id = sales_order.id WHERE carrier = 'Fjordline'", "3"),
        ("What is the total order amount of the orders shipped by Fjordline?",
         "SUM(order_amount_eur) FROM sales_order WHERE carrier = 'Fjordline'", "4100 EUR"),
        ("What is the total order amount in the North region?",
         "SUM(order_amount_eur) FROM sales_order WHERE region = 'North'", "3900 EUR"),
    ],
    "invoices": [
        ("What is the total amount of the invoices in EUR?", "SUM(amount) FROM invoice WHERE currency = 'EUR'", "45600 EUR"),
        ("What is the total amount of the invoices in EUR?", "SUM(amount) FROM invoice", "45600 EUR"),
        ("Which invoices were issued after 30 September 2023?",
         "invoice_no FROM invoice WHERE issued_on > '2023-09-30'", "R-1005, R-1006, R-1007"),
        ("What is the latest invoice?", "invoice_no FROM invoice ORDER BY issued_on DESC LIMIT 1", "R-1007"),
    ],
}  # fmt: skip


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    folder = tmp_path_factory.mktemp("complaints")
    (folder / "insured_sites.csv").write_text(SITES)
    held = {
        "orders": opened(folder, SHOP, "orders"),
        "invoices": opened(folder, LEDGER, "invoices"),
    }
    for name, file in (("sites", "insured_sites.csv"), ("rollups", _workbook(folder))):
        source = open_source(folder / file)
        held[name] = CleanSource(source, build(source))
    return held


def _workbook(folder):
    """Records with a subtotal below each region and a grand total at the end."""
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Revenue"
    sheet.append(["Region", "Customer", "Contracts", "Revenue 2023 (EUR)"])
    every = [customer for customers in REGIONS.values() for customer in customers]
    for region, customers in REGIONS.items():
        for customer in customers:
            sheet.append([region, *customer])
        sheet.append([f"{region} total", None, *(sum(c[at] for c in customers) for at in (1, 2))])
    sheet.append(["Grand total", None, *(sum(c[at] for c in every) for at in (1, 2))])
    book.save(folder / "revenue-by-customer-2023.xlsx")
    return "revenue-by-customer-2023.xlsx"


def _said(value):
    if isinstance(value, tuple):
        return ", ".join(map(_said, value))
    if isinstance(value, Quantity):
        return f"{(value.value * value.scale).normalize():f} {value.unit}".strip()
    return value


@pytest.mark.parametrize(
    ("source", "question", "written", "right"),
    [(source, *each) for source, every in RIGHT.items() for each in every],
)
def test_the_right_value_comes_out(sources, source, question, written, right):
    held = sources[source]
    made = put_right(held, question, f"SELECT {written}")
    assert made.against == () and made.reason == ""
    assert (
        _said(value_of(made.result, held.over_source(made.statement), held.source, None)) == right
    )


def test_the_total_of_all_currencies_is_one_for_each(sources):
    held = sources["invoices"]
    made = put_right(
        held, "What is the total amount of all invoices?", "SELECT SUM(amount) FROM invoice"
    )
    value = value_of(made.result, held.over_source(made.statement), held.source, None)
    assert value == tuple(
        Quantity(Decimal(amount), unit)
        for amount, unit in ((45600, "EUR"), (2400000, "JPY"), (18250, "USD"))
    )


def test_codes_keep_their_zeros(sources):
    found = sources["sites"].run("SELECT site_code, country FROM insured_sites ORDER BY site_code")
    assert found.rows == (
        ("00220", "NE"), ("00417", "NA"), ("00418", "NA"), ("00430", "NA"), ("00502", "BW"), ("01120", "MZ"), ("01121", "MZ"),
        ("02003", None),
    )  # fmt: skip


def test_a_sum_of_one_currency_is_in_it(sources):
    held = sources["invoices"]
    made = put_right(held, "total amount in EUR", "SELECT SUM(amount) FROM invoice")
    value = value_of(made.result, held.over_source(made.statement), held.source, None)
    assert value == Quantity(Decimal(45600), "EUR", text="45600")
