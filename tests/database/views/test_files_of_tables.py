"""Files of tables through their import and their views: codes, NA, a minus behind, totals, what was written beside numbers."""

from pincite.database.sources.connection import open_source
from pincite.database.views.clean_view import clean_views, with_views
from pincite.database.views.view_card import as_json, markdown

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
POSTINGS = """Document;Cost centre;Text;Amount in EUR
5100021;4400;Freight, January;12.480,75-
5100022;4400;Credit note, freight;1.150,00
5100023;4400;Freight, February;9.812,40-
5100024;4710;Rental income;3.600,00
5100025;4710;Refund of rent;450,00-
5100026;4820;Scrap sold;2.075,30
"""


def asked(folder, name, text, statement, encoding="utf-8"):
    (folder / name).write_text(text, encoding=encoding)
    with open_source(folder / name) as source:
        views = clean_views(source)
        return views[0], source.run(with_views(statement, views)).rows


def test_namibia_and_zeros(tmp_path):
    statement = "SELECT site_code, country FROM insured_sites ORDER BY site_code"
    view, rows = asked(tmp_path, "insured_sites.csv", SITES, statement)
    assert rows == (
        ("00220", "NE"), ("00417", "NA"), ("00418", "NA"), ("00430", "NA"), ("00502", "BW"), ("01120", "MZ"), ("01121", "MZ"),
        ("02003", None),
    )  # fmt: skip
    assert (view.column("site_code").kind, view.column("insured_value_eur").unit) == (
        "code",
        "EUR",
    )
    statement = "SELECT sum(insured_value_eur), count(*) FROM insured_sites WHERE country = 'NA'"
    assert asked(tmp_path, "insured_sites.csv", SITES, statement)[1] == ((5535000, 3),)


def test_a_minus_behind(tmp_path):
    statement = "SELECT cost_centre, round(sum(amount), 2) FROM postings GROUP BY cost_centre ORDER BY cost_centre"
    view, rows = asked(tmp_path, "postings.csv", POSTINGS, statement, "cp1252")
    assert rows == ((4400, -21143.15), (4710, 3150.0), (4820, 2075.3))
    assert [c.kind for c in view.columns] == ["key", "code", "code", "label", "measure"]
    lowest = "SELECT document, amount FROM postings ORDER BY amount LIMIT 1"
    assert asked(tmp_path, "postings.csv", POSTINGS, lowest)[1] == ((5100021, -12480.75),)


def test_what_stands_beside_numbers_of_a_file(tmp_path):
    text = "grade,Su [MPa]\nA,210 max\nB,195\nC,\nD,n/a\nE,< 180\nF,200 min\n"
    statement = "SELECT grade, ultimate_tensile_strength, ultimate_tensile_strength_note FROM steel ORDER BY 1"
    view, rows = asked(tmp_path, "steel.csv", text, statement)
    assert rows == (
        ("A", 210, "max"),
        ("B", 195, None),
        ("C", None, None),
        ("D", None, None),
        ("E", 180, "<"),
        ("F", 200, "min"),
    )
    column = view.column("ultimate_tensile_strength")
    assert (column.unit, column.note) == ("MPa", "ultimate_tensile_strength_note")


def test_lines_around_a_table_are_no_rows(tmp_path):
    notes = "Source: own books and others\n* without returns of goods\n"
    text = f"Sales by shop\n\nShop,City,Sold\nA,Bonn,5\nB,Lund,7\nTotal,,12\n\n{notes}"
    view, rows = asked(
        tmp_path, "shops.csv", text, "SELECT count(*), sum(sold), max(shop) FROM shops"
    )
    assert rows == ((2, 12, "B"),)
    assert (
        view.described == "Sales by shop Source: own books and others * without returns of goods"
    )


def test_views_are_described_to_people_and_programs(tmp_path):
    rows = "".join(
        f"{region},{n}\n" for region, n in [("North", 5), ("South", 7), ("All regions", 12)]
    )
    view, _ = asked(tmp_path, "sales.csv", f"Region,Revenue (kEUR)\n{rows}", "SELECT * FROM sales")
    told = markdown(view)
    assert "2 rows" in told and "- 1 row is a total of others: it is left out." in told
    assert "| revenue | Revenue (kEUR) | whole number in thousands EUR; 5 to 7 |  |" in told
    as_told = as_json(view)
    assert (as_told["rows"], as_told["totals_left_out"], as_told["key"]) == (2, 1, ["row_id"])
    assert (
        as_told["columns"][2] | {"scale": 1000, "unit": "EUR", "kind": "measure"}
        == as_told["columns"][2]
    )
