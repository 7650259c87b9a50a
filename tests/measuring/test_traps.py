"""The golds of the trap questions, computed from the raw rows; careless statements fall into the traps."""

import csv
import json
import sqlite3
from collections import Counter
from contextlib import closing
from datetime import date
from pathlib import Path

import openpyxl
import pytest

from benchmarks.questions.traps.build import build
from benchmarks.questions.traps.score import outcome

FOLDER = Path(__file__).parents[2] / "benchmarks" / "questions" / "traps"
LINES = [json.loads(line) for line in (FOLDER / "questions.jsonl").open(encoding="utf-8")]


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    folder = tmp_path_factory.mktemp("traps")
    build(folder)
    return Rows(folder)


class Rows:
    """The rows of a table, a file or a sheet as dicts: `rows("energy.area")`, `rows("waste")`."""

    def __init__(self, folder):
        self.folder = folder

    def __call__(self, name):
        source, _, table = name.partition(".")
        if (self.folder / f"{source}.sqlite").exists():
            with closing(sqlite3.connect(self.folder / f"{source}.sqlite")) as database:
                database.row_factory = sqlite3.Row
                return [dict(row) for row in database.execute(f"SELECT * FROM {table}")]
        if (self.folder / f"{source}.csv").exists():
            with (self.folder / f"{source}.csv").open(encoding="utf-8", newline="") as file:
                return list(csv.DictReader(file, delimiter=";" if source == "ledger" else ","))
        sheet = openpyxl.load_workbook(self.folder / f"{source}.xlsx")[table]
        head, *body = sheet.values
        return [dict(zip(head, row, strict=True)) for row in body]

    def query(self, source, statement):
        """What a careless statement finds, as one list."""
        with closing(sqlite3.connect(self.folder / f"{source}.sqlite")) as database:
            return [cell for row in database.execute(statement) for cell in row]


# ---------------------------------------------------------------- what the rows say, in plain Python
def electricity(rows, year, level="country"):
    names = {a["code"]: a["name"] for a in rows("energy.area") if a["level"] == level}
    used = [u for u in rows("energy.electricity_use") if u["year"] == year]
    return {names[u["area_code"]]: u["use_twh"] for u in used if u["area_code"] in names}


def headcount(rows, year):
    return [r for r in rows("headcount.Headcount") if r["Year"] == year]


def delayed(rows):
    return {s["consignment_id"] for s in rows("deliveries.scan") if s["status"] == "delayed"}


def freight(rows, **wanted):
    matching = [c for c in rows("deliveries.consignment") if wanted.items() <= c.items()]
    return sum(c["freight_eur"] for c in matching)


def results(rows, test):
    return {r["batch_no"]: r for r in rows("alloys.test_result") if r["property"] == test}


def megapascals(result):
    return float(result["result"]) * {"MPa": 1, "ksi": 6.894757}[result["unit"]]


def lead_is_below_10(result):
    amount = float(result["result"].removesuffix(" max").removeprefix("<"))
    return amount < 10 or (amount == 10 and result["result"].startswith("<"))


def bonuses(rows):
    return {e["surname"]: e["bonus_eur"] for e in rows("people.employee")}


def hired(employee):
    day, month, year = map(int, employee["hired_on"].split("."))
    return date(year, month, day)


def field_projects(rows):
    field = {s["staff_no"] for s in rows("projects.staff") if s["team"] == "Field"}
    return [a["project_no"] for a in rows("projects.assignment") if a["staff_no"] in field]


def velden_staff(rows):
    own = {p["project_no"] for p in rows("projects.project") if p["client"] == "City of Velden"}
    return [a["staff_no"] for a in rows("projects.assignment") if a["project_no"] in own]


def salaries(rows, numbers):
    paid = {s["staff_no"]: s["monthly_salary_eur"] for s in rows("projects.staff")}
    return sum(paid[n] for n in numbers) / len(numbers)


def by(rows, key, amount):
    total = Counter()
    for row in rows:
        total[row[key]] += row[amount]
    return total


def portfolio(rows, day):
    rate = {
        r["Currency"]: r["EUR for one unit"] for r in rows("holdings.Rates") if r["Date"] == day
    }
    return round(
        sum(h["Market value"] * rate[h["Currency"]] for h in rows("holdings.Holdings")), 6
    )


def emissions(rows, scope):
    return [e for e in rows("emissions.Emissions") if (e["Year"], e["Scope"]) == ("2023", scope)]


def tonnes(emission):
    return emission["Amount"] * {"kg CO2e": 0.001, "t CO2e": 1, "kt CO2e": 1000}[emission["Unit"]]


def euros(claim):
    amount = float(claim["Amount"].strip("(€)").replace(",", ""))
    return -amount if claim["Amount"].startswith("(") else amount


def claims_in_euros(rows):
    return [c for c in rows("expenses") if "€" in c["Amount"]]


def month_first(text):
    month, day, year = map(int, text.split("/"))
    return date(year, month, day)


def day_first(text):
    day, month, year = map(int, text.split("/"))
    return date(year + (1900 if year > 50 else 2000), month, day)


def posted(amount):
    plain = amount.replace("\u00a0", "").replace(" ", "").replace(",", ".")
    return -float(plain[:-1]) if plain.endswith("-") else float(plain)


def one(found):
    (row,) = found
    return row


GOLDS = {
    1: lambda rows: sum(electricity(rows, 2022).values()),
    2: lambda rows: sum(electricity(rows, 2021).values()) / len(electricity(rows, 2021)),
    3: lambda rows: sum(r["Headcount"] for r in headcount(rows, 2023) if r["Site"] != "All sites"),
    4: lambda rows: (
        sum(
            int(r["Hazardous waste (t)"])
            for r in rows("waste")
            if r["Year"] == "2023" and r["Site"] in {"Brenner", "Calva", "Dorrit", "Elmsund"}
        )
        / 4
    ),
    5: lambda rows: freight(rows, depot_postcode="01067"),
    6: lambda rows: one(
        h["Market value"] for h in rows("holdings.Holdings") if h["Ticker"] == "TRUE"
    ),
    7: lambda rows: megapascals(results(rows, "tensile strength")["012"]),
    8: lambda rows: one(
        [d["title"], d["code"]]
        for e in rows("people.employee")
        for d in rows("people.department")
        if (e["first_name"], e["surname"]) == ("Sora", "None")
        and d["code"] == e["department_code"]
    ),
    9: lambda rows: list(bonuses(rows).values()).count("0"),
    10: lambda rows: len(delayed(rows)),
    11: lambda rows: sum(
        p["pieces"] for p in rows("deliveries.parcel") if p["consignment_id"] in delayed(rows)
    ),
    12: lambda rows: sum(
        p["budget_eur"]
        for p in rows("projects.project")
        if p["project_no"] in field_projects(rows)
    ),
    13: lambda rows: salaries(rows, set(velden_staff(rows))),
    14: lambda rows: sum(
        s["Employees"]
        for s in rows("emissions.Sites")
        if s["Site ID"]
        in {e["Site ID"] for e in rows("emissions.Emissions") if e["Unit"].startswith("kt")}
    ),
    15: lambda rows: by(rows("holdings.Holdings"), "Currency", "Market value"),
    16: lambda rows: portfolio(rows, "2023-12-31"),
    17: lambda rows: round(sum(map(tonnes, emissions(rows, 1))), 6),
    18: lambda rows: [
        [max(results(rows, "tensile strength").values(), key=megapascals)["batch_no"]]
    ],
    19: lambda rows: [
        [c["Claim"]]
        for c in rows("expenses")
        if (month_first(c["Submitted"]).year, month_first(c["Submitted"]).month) == (2024, 5)
    ],
    20: lambda rows: [
        [first["contract_no"], first["supplier"]]
        for first in [min(rows("contracts.contract"), key=lambda c: day_first(c["signed_on"]))]
    ],
    21: lambda rows: max(rows("contracts.sales"), key=lambda s: s["quarter"].split()[::-1])[
        "revenue_eur"
    ],
    22: lambda rows: sum(
        date(2018, 7, 1) <= hired(e) <= date(2019, 12, 31) for e in rows("people.employee")
    ),
    23: lambda rows: [
        [
            max(rows("headcount.Training"), key=lambda c: float(c["Pass rate"].rstrip(" %")))[
                "Course"
            ]
        ]
    ],
    24: lambda rows: sum(map(euros, claims_in_euros(rows))),
    25: lambda rows: round(
        sum(posted(p["Amount EUR"]) for p in rows("ledger") if p["Cost centre"] == "0520"), 2
    ),
    26: lambda rows: sum(map(lead_is_below_10, results(rows, "lead content").values())),
    27: lambda rows: sorted(electricity(rows, 2022).items(), key=lambda item: -item[1])[1][0],
    28: lambda rows: [
        [name]
        for name, bonus in bonuses(rows).items()
        if (bonus or "").isdigit()
        and int(bonus) == max(int(b) for b in bonuses(rows).values() if (b or "").isdigit())
    ],
    29: lambda rows: [c for c in rows("contracts.contract") if c["yearly_fee_eur"] > 60000],
    30: lambda rows: sum(b["alloy"] == "AX 4" for b in rows("alloys.batch")),
    41: lambda rows: electricity(rows, 2021)["Portugal"],
    42: lambda rows: one(
        r["Leavers"]
        for r in headcount(rows, 2022)
        if (r["Department"], r["Site"]) == ("Painting", "Tarvik")
    ),
    43: lambda rows: freight(rows, customer="Dahl Fish"),
    44: lambda rows: sum(
        p["budget_eur"] for p in rows("projects.project") if p["client"] == "Rail Nord"
    ),
    45: lambda rows: one(h["Shares"] for h in rows("holdings.Holdings") if h["Ticker"] == "KELT"),
    46: lambda rows: [one([c["Purpose"]] for c in rows("expenses") if c["Claim"] == "C-06")],
    47: lambda rows: one(
        s["revenue_eur"] for s in rows("contracts.sales") if s["quarter"] == "Q3 2022"
    ),
    48: lambda rows: one(
        s["Employees"] for s in rows("emissions.Sites") if s["Name"] == "Dunmore"
    ),
    49: lambda rows: one(d["floor"] for d in rows("people.department") if d["title"] == "Finance"),
    50: lambda rows: sum(b["alloy"] == "BX 15" for b in rows("alloys.batch")),
}

# What is asked for and not held: no cell of the source has these letters in it.
ABSENT = {
    31: "Denmark",
    32: "Fjelltun",
    33: "Gruber",
    34: "Kelbourne",
    35: "Andreas",
    36: "Clinic",
    38: "DX 2",
    39: "profit",
    40: "salary",
}
TABLES = {
    "energy.sqlite": ["energy.area", "energy.electricity_use"],
    "waste.csv": ["waste"],
    "deliveries.sqlite": ["deliveries.consignment", "deliveries.depot"],
    "holdings.xlsx": ["holdings.Holdings", "holdings.Issuers"],
    "expenses.csv": ["expenses"],
    "contracts.sqlite": ["contracts.contract", "contracts.sales"],
    "alloys.sqlite": ["alloys.batch", "alloys.test_result"],
    "projects.sqlite": ["projects.project", "projects.assignment"],
    "headcount.xlsx": ["headcount.Headcount", "headcount.Training"],
}

# Careless statements, and which of the foreseen mistakes they make.
CARELESS = """
1 energy SELECT SUM(use_twh) FROM electricity_use WHERE year = 2022
2 energy SELECT AVG(use_twh) FROM electricity_use WHERE year = 2021
5 deliveries SELECT SUM(freight_eur) FROM consignment WHERE 0 + depot_postcode = 1067
10 deliveries SELECT COUNT(*) FROM scan WHERE status = 'delayed'
11 deliveries SELECT SUM(pieces) FROM parcel JOIN scan USING (consignment_id) WHERE status = 'delayed'
12 projects SELECT SUM(budget_eur) FROM project NATURAL JOIN assignment NATURAL JOIN staff WHERE team = 'Field'
13 projects SELECT AVG(monthly_salary_eur) FROM project NATURAL JOIN assignment NATURAL JOIN staff WHERE client = 'City of Velden'
18 alloys SELECT batch_no FROM test_result WHERE property = 'tensile strength' ORDER BY CAST(result AS REAL) DESC LIMIT 1
20 contracts SELECT supplier FROM contract ORDER BY signed_on LIMIT 1
20 contracts SELECT supplier FROM contract ORDER BY SUBSTR(signed_on, 7) LIMIT 1
21 contracts SELECT revenue_eur FROM sales ORDER BY quarter DESC LIMIT 1
22 people SELECT COUNT(*) FROM employee WHERE hired_on BETWEEN '01.07.2018' AND '31.12.2019'
26 alloys SELECT COUNT(*) FROM test_result WHERE unit = 'ppm' AND result < 10
27 energy SELECT name FROM area JOIN electricity_use ON area_code = code WHERE year = 2022 ORDER BY use_twh DESC LIMIT 1 OFFSET 1
28 people SELECT surname FROM employee WHERE bonus_eur <> 'NA' ORDER BY bonus_eur DESC LIMIT 1
30 alloys SELECT COUNT(*) FROM batch WHERE alloy LIKE '%AX 4%'
"""


def line(number):
    return LINES[number - 1]


@pytest.mark.parametrize("number", GOLDS)
def test_a_gold_follows_from_the_rows(number, sources):
    gold, found = line(number)["gold"], GOLDS[number](sources)
    if number == 27:
        assert found == gold["value"][0][0]
    elif gold["type"] == "table":
        assert found == gold["per"]
    elif number == 8:
        assert [found] == gold["value"]
    else:
        assert found == gold["value"]


def test_emissions_by_unit(sources):
    found = by(emissions(sources, 1), "Unit", "Amount")
    per = line(17)["gold"]["per"]
    assert found == pytest.approx({f"{unit} CO2e": amount for unit, amount in per.items()})


@pytest.mark.parametrize("number", ABSENT)
def test_what_is_asked_for_is_not_held(number, sources):
    asked = line(number)
    held = [row for table in TABLES[asked["source"]] for row in sources(table)]
    assert held and asked["gold"]["type"] == "na"
    assert ABSENT[number].lower() in asked["question"].lower()
    assert ABSENT[number].lower() not in json.dumps(held).lower()


def test_scope_3_is_not_held(sources):
    assert {e["Scope"] for e in sources("emissions.Emissions")} == {1, 2}


@pytest.mark.parametrize("careless", CARELESS.strip().splitlines())
def test_a_careless_statement_falls_into_the_trap(careless, sources):
    number, source, statement = careless.split(" ", 2)
    (found,) = sources.query(source, statement)
    asked = line(int(number))
    assert outcome(asked["gold"], {"value": found, "unit": ""}, asked["trap"]) == "trap"


def test_careless_sums_over_files_fall_into_the_traps(sources):
    values = sources("holdings.Holdings")
    in_euros = [abs(euros(c)) for c in claims_in_euros(sources)]
    careless = {
        3: [sum(r["Headcount"] for r in headcount(sources, 2023))],
        4: [
            sum(int(r["Hazardous waste (t)"]) for r in sources("waste") if r["Year"] == "2023") / 5
        ],
        14: [2 * 2 * GOLDS[14](sources)],  # two years, two scopes
        15: [sum(h["Market value"] for h in values)],
        16: [sum(h["Market value"] for h in values), portfolio(sources, "2022-12-31")],
        17: [sum(e["Amount"] for e in emissions(sources, 1))],
        24: [sum(in_euros)],
        25: [
            sum(
                abs(posted(p["Amount EUR"]))
                for p in sources("ledger")
                if p["Cost centre"] == "0520"
            )
        ],
    }
    for number, found in careless.items():
        for value in found:
            asked = line(number)
            assert outcome(asked["gold"], {"value": value}, asked["trap"]) == "trap", number


def test_codes_are_stored_as_text(sources):
    assert [h["Ticker"] for h in sources("holdings.Holdings")][:5] == [
        "TRUE",
        "NA",
        "0700",
        "700",
        "1E3",
    ]
    assert {e["Year"] for e in sources("emissions.Emissions")} == {"2022", "2023"}


def test_the_same_bytes_come_out_every_time(sources, tmp_path):
    for path in build(tmp_path):
        assert path.read_bytes() == (sources.folder / path.name).read_bytes()


def test_there_are_40_traps_and_10_controls(sources):
    assert [each["id"] for each in LINES] == list(range(1, 51))
    kinds = Counter(each["kind"] for each in LINES)
    assert kinds["control"] == sum(each.get("control", False) for each in LINES) == 10
    assert kinds["absent"] == 10 and min(kinds.values()) >= 4
    assert all((sources.folder / each["source"]).exists() for each in LINES)
    assert GOLDS.keys() | ABSENT.keys() | {37} == {each["id"] for each in LINES}
