"""Make what the tutorials work on: `python examples/make_tutorials.py`. Everything in it is fictional.

`peers/` are the sustainability reports of five firms, `accounts/` four annual reports of one firm, `alloys/` a database of
materials and a standard that sets limits for them.
"""

from __future__ import annotations

import sqlite3
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

from make import HERE, Sheet

Row = Sequence[str]
PEERS = tomllib.loads((HERE / "peers.toml").read_text("utf-8"))["firm"]


def peer(told: Mapping[str, Any]) -> None:
    """The sustainability report of a firm: two tables and a paragraph."""
    name = str(told["name"])
    sheet = Sheet(str(told["file"]), f"{name}   Sustainability Report 2023", "peers")
    sheet.heading(f"{name} Sustainability Report 2023", 18)
    sheet.text(str(told["intro"]))
    sheet.heading("Climate", 14)
    sheet.table(str(told["unit"]), told["climate"], [230, 90, 90], ruled=bool(told["ruled"]))
    sheet.turn()
    sheet.heading("Resources", 14)
    sheet.table(
        "Energy, water and waste", told["resources"], [190, 90, 80, 80], ruled=bool(told["ruled"])
    )
    sheet.heading("People", 14)
    sheet.text(str(told["people"]))
    sheet.save()


YEARS = ("2019", "2020", "2021", "2022", "2023")
ACCOUNTS: Mapping[str, Sequence[int]] = {
    "Revenue": (182_400, 190_650, 214_320, 236_980, 241_770),
    "Cost of sales": (108_530, 112_480, 126_020, 144_560, 150_380),
    "Research and development": (18_700, 19_920, 21_840, 24_310, 26_050),
    "Selling and administrative expenses": (31_450, 31_900, 34_660, 37_420, 38_810),
    "Income tax expense": (5_010, 5_640, 6_890, 6_520, 5_590),
    "Net finance costs": (1_120, 1_060, 940, 1_380, 2_110),
    "Inventories": (31_240, 30_880, 35_410, 44_970, 42_360),
    "Trade receivables": (27_650, 28_400, 31_270, 35_020, 36_110),
    "Cash and cash equivalents": (19_340, 24_610, 27_930, 18_470, 21_080),
    "Property, plant and equipment": (64_210, 66_730, 70_150, 78_390, 81_240),
    "Borrowings": (41_800, 40_100, 38_900, 44_600, 43_700),
    "Trade payables": (16_920, 17_340, 20_110, 23_880, 22_450),
}
"""In thousands of euros."""
REASONS = {
    "2020": "Gross margin rose to 41.0% because the new assembly line in Tampere lowered the cost of each instrument.",
    "2021": "Gross margin rose slightly to 41.2%, as higher volumes made up for the price of freight.",
    "2022": "Gross margin fell from 41.2% to 39.0% because semiconductors had to be bought on the spot market at four times the "
    "contract price.",
    "2023": "Gross margin fell to 37.8% because we sold the stock of 2022, which had been made with expensive semiconductors, "
    "and lowered list prices in Asia.",
}
CHIEFS = {"2020": "Pia Lindqvist", "2021": "Pia Lindqvist", "2022": "Pia Lindqvist", "2023": "Jonas Ahlgren"}  # fmt: skip


def _sums(at: int) -> dict[str, int]:
    held = {name: amounts[at] for name, amounts in ACCOUNTS.items()}
    gross = held["Revenue"] - held["Cost of sales"]
    operating = gross - held["Research and development"] - held["Selling and administrative expenses"]  # fmt: skip
    before = operating - held["Net finance costs"]
    current = held["Inventories"] + held["Trade receivables"] + held["Cash and cash equivalents"]
    assets = current + held["Property, plant and equipment"]
    debts = held["Borrowings"] + held["Trade payables"]
    return held | {
        "Gross profit": gross, "Operating profit": operating, "Profit before tax": before,
        "Profit for the year": before - held["Income tax expense"], "Total current assets": current, "Total assets": assets,
        "Equity": assets - debts, "Total equity and liabilities": assets,
    }  # fmt: skip


INCOME = ("Revenue", "Cost of sales", "Gross profit", "Research and development", "Selling and administrative expenses",
          "Operating profit",
          "Net finance costs", "Profit before tax", "Income tax expense", "Profit for the year")  # fmt: skip
BALANCE = ("Property, plant and equipment", "Inventories", "Trade receivables", "Cash and cash equivalents",
           "Total current assets", "Total assets",
           "Equity", "Borrowings", "Trade payables", "Total equity and liabilities")  # fmt: skip
COSTS = {"Cost of sales", "Research and development", "Selling and administrative expenses", "Net finance costs",
         "Income tax expense"}  # fmt: skip


def _statement(lines: Sequence[str], year: str) -> list[Row]:
    at = YEARS.index(year)
    now, before = _sums(at), _sums(at - 1)
    rows: list[Row] = [["", year, YEARS[at - 1]]]
    for name in lines:
        shown = "({:,})" if name in COSTS else "{:,}"
        rows.append([name, shown.format(now[name]), shown.format(before[name])])
    return rows


def accounts(year: str) -> None:
    """The annual report of a year: the review with the reasons, the income statement, the balance sheet."""
    name = "Tavast Instruments Oyj"
    sheet = Sheet(f"tavast-instruments-{year}.pdf", f"{name}   |   Annual Report {year}", "accounts")  # fmt: skip
    sheet.heading(f"{name} Annual Report {year}", 18)
    now = _sums(YEARS.index(year))
    sheet.text(
        f"{name} makes instruments that measure pressure and flow. In {year} revenue was €{now['Revenue'] / 1000:.1f} million. "
        f"Chief Executive Officer: {CHIEFS[year]}."
    )
    sheet.heading("Business review", 14)
    sheet.text(REASONS[year])
    sheet.text(
        "Orders came from 61 countries. We spend the same share of our revenue on research in good years and in bad."
    )
    sheet.turn()
    sheet.heading("Consolidated income statement")
    caption = f"Year ended 31 December {year} (in thousands of euros)"
    sheet.table(caption, _statement(INCOME, year), [250, 100, 100], bold=(3, 6, 8, 10))  # fmt: skip
    sheet.turn()
    sheet.heading("Consolidated balance sheet")
    caption = f"At 31 December {year} (in thousands of euros)"
    sheet.table(caption, _statement(BALANCE, year), [250, 100, 100], bold=(5, 6, 10))  # fmt: skip
    sheet.save()


ALLOYS = (
    ("S235J", "steel", 235, 380, 7.85, 26, 0.90, 0.17), ("S355N", "steel", 355, 510, 7.85, 22, 1.05, 0.18),
    ("S460M", "steel", 460, 570, 7.85, 17, 1.30, 0.12), ("S690Q", "steel", 690, 810, 7.85, 14, 1.95, 0.15),
    ("X2 Duplex", "stainless steel", 460, 690, 7.80, 25, 4.60, 0.02),
    ("X5 Austenitic", "stainless steel", 210, 540, 7.90, 45, 3.80, 0.05),
    ("X6 Ferritic", "stainless steel", 240, 430, 7.70, 23, 2.40, 0.06), ("AL 5083", "aluminium", 125, 275, 2.66, 16, 4.10, None),
    ("AL 6082", "aluminium", 260, 310, 2.70, 10, 3.70, None), ("AL 7075", "aluminium", 480, 550, 2.81, 7, 7.90, None),
    ("TI Grade 2", "titanium", 275, 345, 4.51, 20, 28.0, 0.08), ("TI Grade 5", "titanium", 830, 900, 4.43, 10, 41.0, 0.08),
)  # fmt: skip


def alloys() -> None:
    """A database of alloys whose columns have the names of a laboratory, and the standard that sets their limits."""
    path = HERE / "alloys" / "alloys.sqlite"
    path.unlink(missing_ok=True)
    with sqlite3.connect(path) as database:
        database.execute(
            "CREATE TABLE alloy (name TEXT PRIMARY KEY, family TEXT NOT NULL, rp02_mpa REAL, rm_mpa REAL, rho REAL, a5_pct REAL, "
            "eur_kg REAL, c_pct REAL)"
        )
        database.executemany("INSERT INTO alloy VALUES (?, ?, ?, ?, ?, ?, ?, ?)", ALLOYS)
        database.execute("CREATE TABLE supplier (alloy TEXT REFERENCES alloy, supplier TEXT, weeks INTEGER)")  # fmt: skip
        database.executemany(
            "INSERT INTO supplier VALUES (?, ?, ?)",
            [("S460M", "Hammar Stål", 6), ("S690Q", "Hammar Stål", 9), ("S690Q", "Ostrava Plate", 5),
             ("X2 Duplex", "Avesta Inox", 12),
             ("AL 7075", "Alunor", 14), ("TI Grade 5", "Verkhny Titan", 30)],
        )  # fmt: skip
    database.close()
    (HERE / "alloys" / "headings.yaml").write_text(
        "alloy:\n"
        "  rp02_mpa: {name: yield strength, unit: MPa, also: [proof stress]}\n"
        "  rm_mpa: {name: tensile strength, unit: MPa}\n"
        "  rho: {name: density, unit: g/cm3}\n"
        "  a5_pct: {name: elongation, unit: '%'}\n"
        "  eur_kg: {name: price, unit: EUR/kg}\n"
        "  c_pct: {name: carbon, unit: '%'}\n"
        "supplier:\n"
        "  weeks: {name: delivery time, unit: weeks}\n"
    )
    sheet = Sheet(
        "ks-4410-pressure-plates.pdf", "KS 4410:2021   Plates for pressure vessels", "alloys"
    )
    sheet.heading("KS 4410:2021 Plates for pressure vessels", 18)
    sheet.text(
        "This standard sets limits for plates of unalloyed, alloyed and stainless steel up to a thickness of 60 mm. "
        "It replaces KS 4410:2014."
    )
    sheet.heading("Mechanical properties", 14)
    sheet.text(
        "The yield strength of class P460 shall be at least 460 MPa. The carbon content shall not exceed 0.16%."
    )
    sheet.table(
        "Table 1: Limits by class",
        [
            ["Class", "Minimum yield strength (MPa)", "Minimum elongation (%)", "Maximum carbon (%)"],
            ["P235", "235", "24", "0.20"],
            ["P355", "355", "20", "0.18"],
            ["P460", "460", "15", "0.16"],
            ["P690", "690", "12", "0.16"],
        ],
        [70, 150, 130, 110],
    )  # fmt: skip
    sheet.save()


def main() -> None:
    """Write all files."""
    for folder in ("peers", "accounts", "alloys"):
        (HERE / folder).mkdir(exist_ok=True)
    for told in PEERS:
        peer(told)
    for year in YEARS[1:]:
        accounts(year)
    alloys()


if __name__ == "__main__":
    main()
