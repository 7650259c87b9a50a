"""Make the sources of the trap questions in a folder: `build.py FOLDER`. Everything in them is invented.

Databases come from databases/*.sql. CSV files and workbooks are written below as text, a row a line; a column whose name
ends in # holds numbers, every other cell is stored as the text that stands here. The same bytes come out every time.
"""

import csv
import re
import sqlite3
import sys
import zipfile
from pathlib import Path

import openpyxl

# A subtotal closes each year, and an average over the years closes the sheet.
WASTE = """Site|Year|Hazardous waste (t)|Non-hazardous waste (t)
Brenner|2021|12|340
Calva|2021|8|215
Dorrit|2021|20|410
Elmsund|2021|4|95
Subtotal|2021|44|1060
Brenner|2022|10|325
Calva|2022|9|220
Dorrit|2022|17|398
Elmsund|2022|6|101
Subtotal|2022|42|1044
Brenner|2023|11|310
Calva|2023|7|205
Dorrit|2023|15|380
Elmsund|2023|5|117
Subtotal|2023|38|1012
Average 2021-2023||41.3|1038.7
"""

# The currency is a sign within the amount, parentheses are refunds, and the dates put the month first (01/15, 05/23).
EXPENSES = """Claim|Employee|Purpose|Amount|Submitted
C-01|Anders|Train tickets|€1,240.00|01/15/2024
C-02|Berit|Hotel Boston|$310.50|02/03/2024
C-03|Anders|Hotel Lyon|€480.00|03/02/2024
C-04|Chiara|Taxi|£95.00|04/05/2024
C-05|Berit|Refund of a deposit|(€120.00)|05/04/2024
C-06|Dario|Trade fair|$1,150.00|05/23/2024
C-07|Chiara|Flights|€660.00|06/07/2024
C-08|Dario|Dinner with clients|€75.50|07/06/2024
C-09|Anders|Course fee|£410.00|08/09/2024
C-10|Berit|Refund of a ticket|($42.00)|09/08/2024
"""

# Spaces (some of them no-break) part the thousands, the decimals follow a comma and a minus stands behind.
LEDGER = """Posting|Cost centre|Text|Amount EUR
7001|0410|Ferry fuel|18 450,20-
7002|0410|Fuel rebate|1 320,00
7003|410|Cleaning|2 105,75-
7004|0410|Ticket sales|64 980,00
7005|0520|Harbour dues|9 300,40-
7006|0520|Insurance|12\u00a0000,00-
7007|0520|Claim paid out|7\u00a0450,00
7008|0630|Crew wages|31 275,60-
7009|0630|Crew travel|845,90-
7010|0630|Subsidy|15 000,00
"""

# The total of each year stands on top of its departments.
HEADCOUNT = """Department|Site|Year#|Headcount#|Leavers#
All departments|All sites|2022|214|23
Assembly|Tarvik|2022|86|9
Painting|Tarvik|2022|31|4
Logistics|Tarvik|2022|24|3
Assembly|Holm|2022|52|5
Quality|Holm|2022|13|1
Office|Holm|2022|8|1
All departments|All sites|2023|226|19
Assembly|Tarvik|2023|91|7
Painting|Tarvik|2023|29|5
Logistics|Tarvik|2023|27|2
Assembly|Holm|2023|57|3
Quality|Holm|2023|14|2
Office|Holm|2023|8|0
"""
TRAINING = """Course|Department|Participants#|Pass rate
Forklift licence|Logistics|12|100 %
Spray booth safety|Painting|18|94 %
Torque tools|Assembly|40|97.5 %
First aid|Office|8|98 %
Reading drawings|Assembly|35|88 %
Gauge handling|Quality|10|90 %
Lean basics|Assembly|44|79.5 %
Hazardous goods|Logistics|15|86 %
"""

HOLDINGS = """ISIN|Ticker|Shares#|Market value#|Currency
ZZ0000041871|TRUE|400|18600|USD
ZZ0000052209|NA|1200|9450|EUR
ZZ0000063315|0700|300|114000|HKD
ZZ0000063316|700|150|5250|EUR
ZZ0000070128|1E3|80|7900|CHF
ZZ0000081449|ORIO|900|22300|EUR
ZZ0000090557|KELT|250|31750|USD
ZZ0000101663|VANE|500|12600|CHF
ZZ0000112704|SOLM|640|16800|EUR
ZZ0000123818|TARN|75|4150|USD
"""
ISSUERS = """Ticker|Issuer|Sector
TRUE|True Harvest|Food
NA|Nordic Aluminium|Metals
0700|Lantau Media|Media
700|Siebenhundert Bau|Building
1E3|Eka Drei|Chemicals
ORIO|Orion Optics|Instruments
KELT|Kelton Energy|Energy
VANE|Vane Controls|Instruments
SOLM|Solmar Hotels|Travel
TARN|Tarn Water|Utilities
"""
RATES = """Date|Currency|EUR for one unit#
2022-12-31|EUR|1
2022-12-31|USD|0.95
2022-12-31|CHF|1.02
2022-12-31|HKD|0.12
2023-12-31|EUR|1
2023-12-31|USD|0.9
2023-12-31|CHF|1.05
2023-12-31|HKD|0.115
"""

SITES = """Site ID|Name|Country|Employees#
E01|Nyholm|SE|120
E02|Brakel|DE|340
E03|Corato|IT|95
E04|Dunmore|IE|210
E05|Espera|ES|60
E06|Fagern|NO|45
E07|Gorlow|PL|410
E08|Havre|FR|150
"""
# The unit differs by row; years are text.
EMISSIONS = """Site ID|Year|Scope#|Amount#|Unit
E01|2022|1|1450|t CO2e
E01|2022|2|620|t CO2e
E02|2022|1|3.2|kt CO2e
E02|2022|2|2.1|kt CO2e
E03|2022|1|410|t CO2e
E03|2022|2|385000|kg CO2e
E04|2022|1|980|t CO2e
E04|2022|2|740|t CO2e
E05|2022|1|150000|kg CO2e
E05|2022|2|210|t CO2e
E06|2022|1|75|t CO2e
E06|2022|2|12|t CO2e
E07|2022|1|5.6|kt CO2e
E07|2022|2|3.9|kt CO2e
E08|2022|1|860|t CO2e
E08|2022|2|530|t CO2e
E01|2023|1|1380|t CO2e
E01|2023|2|590|t CO2e
E02|2023|1|3.0|kt CO2e
E02|2023|2|1.9|kt CO2e
E03|2023|1|395|t CO2e
E03|2023|2|350000|kg CO2e
E04|2023|1|1010|t CO2e
E04|2023|2|705|t CO2e
E05|2023|1|140000|kg CO2e
E05|2023|2|205|t CO2e
E06|2023|1|75|t CO2e
E06|2023|2|10|t CO2e
E07|2023|1|5.1|kt CO2e
E07|2023|2|3.7|kt CO2e
E08|2023|1|845|t CO2e
E08|2023|2|500|t CO2e
"""

TEXTS = {"waste.csv": (WASTE, ","), "expenses.csv": (EXPENSES, ","), "ledger.csv": (LEDGER, ";")}
BOOKS = {
    "headcount.xlsx": {"Headcount": HEADCOUNT, "Training": TRAINING},
    "holdings.xlsx": {"Holdings": HOLDINGS, "Issuers": ISSUERS, "Rates": RATES},
    "emissions.xlsx": {"Sites": SITES, "Emissions": EMISSIONS},
}


def rows(text: str) -> list[list[str | float]]:
    """The rows of a text, the header first; cells of columns marked with # are numbers."""
    header, *body = [line.split("|") for line in text.splitlines()]
    counted = [name.endswith("#") for name in header]
    made: list[list[str | float]] = [[name.rstrip("#") for name in header]]
    for row in body:
        made.append([number(c) if n else c for c, n in zip(row, counted, strict=True)])
    return made


def number(cell: str) -> float:
    return float(cell) if "." in cell else int(cell)


def write_database(script: Path, path: Path) -> None:
    path.unlink(missing_ok=True)
    database = sqlite3.connect(path)
    database.executescript(script.read_text(encoding="utf-8"))
    database.commit()
    database.close()


def write_book(sheets: dict[str, str], path: Path) -> None:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, text in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows(text):
            sheet.append(row)
    book.save(path)
    with zipfile.ZipFile(path) as saved:
        parts = {name: saved.read(name) for name in sorted(saved.namelist())}
    # openpyxl stamps the time into the properties and into every part
    stamp = rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as again:
        for name, content in parts.items():
            if name == "docProps/core.xml":
                content = re.sub(stamp, b"2024-01-01T00:00:00Z", content)
            again.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)


def build(folder: Path) -> list[Path]:
    """Write every source into the folder and return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    for script in sorted((Path(__file__).parent / "databases").glob("*.sql")):
        write_database(script, folder / f"{script.stem}.sqlite")
    for name, (text, delimiter) in TEXTS.items():
        with (folder / name).open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, delimiter=delimiter, lineterminator="\n").writerows(rows(text))
    for name, sheets in BOOKS.items():
        write_book(sheets, folder / name)
    return sorted(p for p in folder.iterdir() if p.suffix in (".sqlite", ".csv", ".xlsx"))


if __name__ == "__main__":
    for made in build(Path(sys.argv[1])):
        print(made)
