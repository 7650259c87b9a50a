"""Numbers as people write them, read one by one: every literal here is invented and its value worked out by hand."""

from decimal import Decimal as D

import pytest

from pincite.errors import PinciteError, UsageError
from pincite.quantity import (
    Declared,
    UnitError,
    canonical_unit,
    compatible,
    convert,
    declared,
    exempt,
    expansions,
    find,
    find_units,
    in_unit,
    load_units,
    parse,
    render,
    rounded,
    same,
)
from pincite.quantity.units import match_unit
from pincite.types import Quantity

NARROW = "\u202f"
NBSP = "\u00a0"

READS = [
    # text, amount, unit
    ("1,234.5", "1234.5", ""),
    ("1.234,5", "1234.5", ""),
    ("1,234", "1234", ""),
    ("1.234", "1.234", ""),
    ("1.234.567", "1234567", ""),
    ("1,234,567", "1234567", ""),
    ("0,125", "0.125", ""),
    ("(4,521)", "-4521", ""),
    ("$ (4,521)", "-4521", "USD"),
    ("( 7 )", "-7", ""),
    ("-0.8", "-0.8", ""),
    ("−0.8", "-0.8", ""),
    ("– 5", "-5", ""),
    ("$-5", "-5", "USD"),
    ("-$5", "-5", "USD"),
    (".85", "0.85", ""),
    ("+3.2%", "3.2", "%"),
    ("~10%", "10", "%"),
    ("<0.1", "0.1", ""),
    ("≥ 40", "40", ""),
    ("approximately 62 million metric tons", "62000000", "t"),
    ("1.2e25", "12000000000000000000000000", ""),
    ("1.2×10^25", "12000000000000000000000000", ""),
    ("1.2 × 10²⁵ FLOPs", "12000000000000000000000000", "FLOP"),
    ("3.5 x 10^-3", "0.0035", ""),
    ("3.5 × 10⁻³", "0.0035", ""),
    ("10^25", "10000000000000000000000000", ""),
    ("4 ½", "4.5", ""),
    ("4½", "4.5", ""),
    ("4 1/2", "4.5", ""),
    ("½", "0.5", ""),
    ("25 basis points", "25", "bp"),
    ("(14) bps", "-14", "bp"),
    ("12 percentage points", "12", "pp"),
    ("12.3%", "12.3", "%"),
    ("12.3 %", "12.3", "%"),
    ("12 percent", "12", "%"),
    ("12 per cent", "12", "%"),
    ("(6)%", "-6", "%"),
    ("(6%)", "-6", "%"),
    ("(6) %", "-6", "%"),
    ("minus 3%", "-3", "%"),
    ("negative 0.5%", "-0.5", "%"),
    ("US$ 5m", "5000000", "USD"),
    ("US$1.2bn", "1200000000", "USD"),
    ("$5 M", "5000000", "USD"),
    ("$5MM", "5000000", "USD"),
    ("5 EUR", "5", "EUR"),
    ("9 €m", "9000000", "EUR"),
    ("€ 3,5 Mio.", "3500000", "EUR"),
    ("3,5 Mrd. EUR", "3500000000", "EUR"),
    ("£3.2bn", "3200000000", "GBP"),
    ("SEK 12 miljoner", "12000000", "SEK"),
    ("Rs. 1,00,000 crore", "1000000000000", "INR"),
    ("₹ 12 lakh", "1200000", "INR"),
    ("A$5.5 million", "5500000", "AUD"),
    ("5 million US dollars", "5000000", "USD"),
    ("$(1.2) billion", "-1200000000", "USD"),
    (f"1{NBSP}234,5", "1234.5", ""),
    (f"1{NARROW}234{NARROW}567", "1234567", ""),
    ("1 234 567", "1234567", ""),
    ("1'234'567", "1234567", ""),
    ("10x", "10", "x"),
    ("6.7×", "6.7", "x"),
    ("5 times", "5", "x"),
    ("100-fold", "100", "x"),
    ("twenty-three", "23", ""),
    ("one hundred and five", "105", ""),
    ("a dozen", "12", ""),
    ("two dozen", "24", ""),
    ("three million", "3000000", ""),
    ("a million tokens", "1000000", "token"),
    ("4.3k", "4300", ""),
    ("5m tokens", "5000000", "token"),
    ("5 m", "5", "m"),
    ("175B parameters", "175000000000", "parameter"),
    ("1.4T tokens", "1400000000000", "token"),
    ("$0.27 per share", "0.27", "USD/share"),
    ("$8.89 per diluted share", "8.89", "USD/share"),
    ("$2.27 per diluted common share", "2.27", "USD/share"),
    ("$4.329/h", "4.329", "USD/h"),
    ("$5 per hour per GPU", "5", "USD/h/GPU"),
    ("0.5 tonnes per employee", "0.5", "t/employee"),
    ("2 kg per widget", "2", "kg/widget"),
    ("4% per year", "4", "%"),
    ("0.18 L/kWh", "0.18", "L/kWh"),
    ("0.18 liters per kilowatt-hour", "0.18", "L/kWh"),
    ("0.18 liters of water per kWh", "0.18", "L/kWh"),
    ("3.5\tGW", "3.5", "GW"),
    ("436 gCO2eq/kWh", "436", "g CO2e/kWh"),
    ("0.9 lbs CO 2 e/KWh", "0.9", "lb CO2e/kWh"),
    ("4.3 tCO2e", "4.3", "t CO2e"),
    ("4.3 tCO₂e", "4.3", "t CO2e"),
    ("14   tCO   2   e", "14", "t CO2e"),
    ("7 metric tons of carbon dioxide equivalent", "7", "t CO2e"),
    ("7 kg of CO2", "7", "kg CO2"),
    ("30,000 H100 GPU hours", "30000", "GPU h"),
    ("8 V100 GPUs", "8", "GPU"),
    ("12-month", "12", "month"),
    ("3 years", "3", "yr"),
    ("64.7 GB", "64.7", "GB"),
    ("5.2 ± 0.3 kWh", "5.2", "kWh"),
    ("2,241 (a)", "2241", ""),
    ("2,241(1)", "2241", ""),
    ("2,241*", "2241", ""),
    ("72.3(0.4)", "72.3", ""),
    ("1,234 (12.3%)", "1234", ""),
    ("(1,234) (12%)", "-1234", ""),
    ("0.81 (±0.02)", "0.81", ""),
    ("12.5%)", "-12.5", "%"),
    ("(1,234", "-1234", ""),
    ("$ (1,234", "-1234", "USD"),
    ("2019", "2019", "year"),
    ("nil", "0", ""),
    ("12.480,75-", "-12480.75", ""),
    ("1,046,293.65 -", "-1046293.65", ""),
    ("12,480.75- EUR", "-12480.75", "EUR"),
    ("€ 450,00−", "-450.00", "EUR"),
    ("12,–", "12", ""),
]


@pytest.mark.parametrize(("text", "amount", "unit"), READS, ids=[r[0] for r in READS])
def test_reads(text, amount, unit):
    quantity = parse(text)
    assert quantity is not None
    assert (quantity.amount, quantity.unit) == (D(amount), unit)
    assert quantity.low is None
    assert quantity.text == text


RANGES = [
    ("3-5", "3", "5", ""),
    ("3–5", "3", "5", ""),
    ("3 – 5", "3", "5", ""),
    ("3 to 5 million", "3000000", "5000000", ""),
    ("$3 to $5 million", "3000000", "5000000", "USD"),
    ("between 3 and 5", "3", "5", ""),
    ("between $3 million and $5 million", "3000000", "5000000", "USD"),
    ("80–90%", "80", "90", "%"),
    ("3% to 5%", "3", "5", "%"),
    ("-5% to -3%", "-5", "-3", "%"),
    ("300-1000 W", "300", "1000", "W"),
    ("300 watts to 1 kilowatt", "300", "1000", "W"),
    ("[0.02, 0.1]", "0.02", "0.1", ""),
    ("[-3, -1]", "-3", "-1", ""),
    ("900 thousand to 1.2 million", "900000", "1200000", ""),
]


def test_a_change_in_points_and_where_it_led_are_no_range():
    found = [each.quantity for each in find("Margin rose 140 basis points to 44.8% of sales.")]
    assert [(quantity.value, quantity.unit) for quantity in found] == [
        (140, "bp"),
        (D("44.8"), "%"),
    ]


@pytest.mark.parametrize(("text", "low", "high", "unit"), RANGES, ids=[r[0] for r in RANGES])
def test_reads_ranges(text, low, high, unit):
    quantity = parse(text)
    assert quantity is not None and quantity.low is not None and quantity.high is not None
    assert (quantity.low * quantity.scale, quantity.high * quantity.scale) == (D(low), D(high))
    assert (quantity.unit, quantity.value) == (unit, (quantity.low + quantity.high) / 2)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "—",
        "-",
        "–",
        "n/a",
        "N/A",
        "$ -",
        "- - %",
        "n.m.",
        "1st",
        "Total",
        "2019-2021",
        "December 31, 2019",
        "12:30",
        "2,085 (3,343)",
        "2,085(3,343)",
        "12% (45%)",
    ]
    + ["GPT-3", "Table 3", "1.2.3", "5 apples and 6", "Net income", "Q4 2019", "$", "%"],
)
def test_is_no_quantity(text):
    assert parse(text) is None


def texts(text, **declared):
    return [
        (found.quantity.text, render(found.quantity), found.quantity.unit)
        for found in find(text, **declared)
    ]


FINDS = [
    ("It used 3.2 million kWh [12].", [("3.2 million kWh", "3200000", "kWh")]),
    ("as shown [3, 4] and [10–12] here", []),
    ("See Table 3, Figure 2 and Section 3.2 on page 14.", []),
    ("Table 3 lists 45 models", [("45 models", "45", "model")]),
    ("Call +1 (800) 555-0100 or 800-555-0100.", []),
    ("GPT-3, Llama-3.1-8B and an H100 at https://example.org/2020/12?x=5", []),
    ("GPT-\n3 again", []),
    ("On March 31, 2023 and 31 March 2023, 2023-03-31 or 31.03.2023", []),
    ("From 2019-2021, and 2018/19.", []),
    ("In 2021 it rose", [("2021", "2021", "year")]),
    ("In the 1990s it was the 2nd, at 10:30.", []),
    ("2000 hours in 2000", [("2000 hours", "2000", "h"), ("2000", "2000", "year")]),
    ("rose from 3 to 5 units", [("3", "3", ""), ("5", "5", "")]),
    ("ranging from 3 to 5 kWh", [("3 to 5 kWh", "[3, 5]", "kWh")]),
    (
        "between 3 and 5 million dollars",
        [("between 3 and 5 million dollars", "[3000000, 5000000]", "USD")],
    ),
    ("a loss of 5 million", [("5 million", "5000000", "")]),
    ("accuracy (85.5%) was", [("85.5%", "85.5", "%")]),
    ("a loss of $(1.2) billion", [("$(1.2) billion", "-1200000000", "USD")]),
    (
        "Net loss (123) (456) 789",
        [("(123)", "-123", ""), ("(456)", "-456", ""), ("789", "789", "")],
    ),
    ("Net 1,234 — 5,678 – 9", [("1,234", "1234", ""), ("5,678", "5678", ""), ("9", "9", "")]),
    ("Other(9) and more (3)", []),
    ("3.2 Results\nWe need 3.2 GB.", [("3.2 GB", "3.2", "GB")]),
    ("1. First\n2) Second", []),
    ("one third of five", [("five", "5", "")]),
    ("one of them", []),
    ("about one million words", [("about one million words", "1000000", "word")]),
    ("roughly 10 % of it", [("roughly 10 %", "10", "%")]),
    ("an image of 512x512 and 3 × 4", [("3", "3", ""), ("4", "4", "")]),
    ("2.3x per year", [("2.3x per year", "2.3", "x")]),
    ("62 million\nmetric tons", [("62 million\nmetric tons", "62000000", "t")]),
    ("a fee of $5, $6 or €7", [("$5", "5", "USD"), ("$6", "6", "USD"), ("€7", "7", "EUR")]),
    ("CO 2 and CO2 and Scope 3", []),
    ("version 2.0 of 4 rules", [("4", "4", "")]),
    ("10-K filing, 3D, 5G", []),
    (
        "about $2-3 million per year",
        [("about $2-3 million per year", "[2000000, 3000000]", "USD/yr")],
    ),
    ("0.42 Wh per 1,000 tokens", [("0.42 Wh per 1,000 tokens", "0.42", "Wh/thousand token")]),
    ("$3 per million tokens", [("$3 per million tokens", "3", "USD/million token")]),
    ("2,048 A100-80GB GPUs", [("2,048 A100-80GB GPUs", "2048", "GPU")]),
    ("we hold 2,048 and 4x A100", [("2,048", "2048", ""), ("4", "4", "")]),
    ("39.3 M GPU hours", [("39.3 M GPU hours", "39300000", "GPU h")]),
    ("open 24/7, 1/2 of it", []),
    ("12 345,67 €", [("12 345,67 €", "12345.67", "EUR")]),
    (
        "in 2019 (0.5 million shares) $44",
        [
            ("2019", "2019", "year"),
            ("0.5 million shares", "500000", "share"),
            ("$44", "44", "USD"),
        ],
    ),
    ("its 2017 year-end", [("2017", "2017", "year")]),
    ("what it held then (2017 year)", [("2017", "2017", "year")]),
    ("Llama 3.1 8B", [("8B", "8000000000", "")]),
    ("44 (2018), 209–221.", [("44", "44", ""), ("2018", "2018", "year")]),
]


@pytest.mark.parametrize(("text", "expected"), FINDS, ids=[r[0] for r in FINDS])
def test_finds(text, expected):
    assert texts(text) == expected


def test_offsets_are_those_of_the_text():
    text = "It cost about $5 million, then ~7%."
    assert [text[f.start : f.end] for f in find(text)] == ["about $5 million", "~7%"]
    assert [f.quantity.approximate for f in find(text)] == [True, True]


def test_what_a_caption_declares_holds_where_the_text_is_silent():
    row = "Revenue 1,250 (30) 12% $0.40 per share 3 billion 2019"
    amounts = [(f.quantity.amount, f.quantity.unit) for f in find(row, scale=D(1000), unit="USD")]
    assert amounts == [
        (D(1250000), "USD"),
        (D(-30000), "USD"),
        (D(12), "%"),
        (D("0.40"), "USD/share"),
        (D(3000000000), "USD"),
        (D(2019), "year"),
    ]
    cell = parse("2019", scale=1000, unit="EUR")
    assert cell is not None and (cell.amount, cell.unit) == (D(2019000), "EUR")
    dollars = parse("$ 5", unit="AUD")
    assert dollars is not None and dollars.unit == "AUD"


def test_digits_are_kept():
    quantity = parse("$0.10 million")
    assert quantity is not None
    assert (str(quantity.value), quantity.scale, quantity.amount) == (
        "0.10",
        D(10) ** 6,
        D(100000),
    )


@pytest.mark.parametrize(
    ("text", "rendered"),
    [
        ("$ (4,521)", "-4521"),
        ("0.10", "0.10"),
        ("5.439 million liters", "5439000"),
        ("1.2e25", "12" + "0" * 24),
        ("3-5", "[3, 5]"),
        ("3 to 5 million", "[3000000, 5000000]"),
        ("1.0%", "1.0"),
        ("0.00000012", "0.00000012"),
    ],
)
def test_render_is_a_clean_number(text, rendered):
    quantity = parse(text)
    assert quantity is not None
    assert render(quantity) == rendered


SAME = [
    ("4.30", "4.3", True),
    ("1,234", "1234", True),
    ("$1.2 billion", "1,200 million dollars", True),
    ("2 MWh", "2,000 kWh", True),
    ("1 tonne", "1000 kg", True),
    ("1 lb", "0.45359237 kg", True),
    ("0.18 L/kWh", "180 mL/kWh", True),
    ("5 MWh per hour", "5 MW", True),
    ("1.0005", "1", True),
    ("1.01", "1", False),
    ("5%", "-5%", False),
    ("5%", "5", False),
    ("5 kWh", "5", False),
    ("5 kWh", "5 kW", False),
    ("$5", "€5", False),
    ("5 tokens", "5 parameters", False),
    ("5%", "5 percentage points", False),
    ("50 basis points", "0.5 percentage points", True),
    ("4 kg CO2e", "4 kg CO2", False),
    ("3-5", "3 to 5", True),
    ("3-5", "3-6", False),
    ("3-5", "4", False),
    ("0", "0", True),
    ("0", "1", False),
]


@pytest.mark.parametrize(("a", "b", "expected"), SAME, ids=[f"{a} = {b}" for a, b, _ in SAME])
def test_same_amount(a, b, expected):
    one, other = parse(a), parse(b)
    assert one is not None and other is not None
    assert same(one, other) is expected
    assert same(other, one) is expected


def test_lenient_lets_a_bare_number_go_with_any_unit():
    bare, kwh, co2, co2e = (parse(text) for text in ("5", "5 kWh", "4 kg CO2", "0.004 tCO2e"))
    assert bare and kwh and co2 and co2e
    assert same(bare, kwh, lenient=True)
    assert same(co2, co2e, lenient=True)


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("62 million", "61,700,000", True),
        ("62 million", "61.4 million", False),
        ("4.3", "4.34", True),
        ("4.30", "4.34", False),
        ("12.5%", "12.46%", True),
        ("2.5", "2.45", True),
        ("2 MWh", "1,960 kWh", True),
        ("5,400", "5,432", False),
        ("about 5,400", "5,432", True),
        ("3-5", "2.9-5.2", True),
        ("-1.2", "-1.23", True),
        ("1.2", "-1.2", False),
        ("0.0", "0.04", True),
    ],
)
def test_rounded_to_the_digits_written(a, b, expected):
    one, other = parse(a), parse(b)
    assert one is not None and other is not None
    assert rounded(one, other) is expected


@pytest.mark.parametrize(
    ("text", "unit", "value"),
    [
        ("2.5 MWh", "kWh", "2500"),
        ("5.439 million liters", "million liters", "5.439"),
        ("1438 lbs", "kg", "652.26582806"),
        ("0.9 lbs CO2e/kWh", "g CO2e per kWh", "408.233133"),
        ("90 minutes", "hours", "1.5"),
        ("25 bps", "percent", "0.25"),
        ("24 GPU hours", "GPU-days", "1"),
        ("20 °C", "°F", "68"),
        ("1 mile", "km", "1.609344"),
        ("3 horsepower", "W", None),
    ],
)
def test_convert(text, unit, value):
    quantity = parse(text)
    if value is None:
        assert quantity is None
        quantity = Quantity(D(3), "horsepower")
        assert convert(quantity, unit).value == D("2237.09961475")
        return
    assert quantity is not None
    converted = convert(quantity, unit)
    assert (converted.value, converted.scale, converted.unit) == (
        D(value),
        D(1),
        canonical_unit(unit),
    )


def test_convert_says_both_dimensions_when_it_cannot():
    energy = parse("5 kWh")
    assert energy is not None
    with pytest.raises(UnitError, match=r"kWh.*length.*to W.*length") as raised:
        convert(energy, "W")
    assert isinstance(raised.value, PinciteError)
    with pytest.raises(UnitError, match="USD"):
        convert(energy, "USD")


def test_in_unit_gives_a_bare_number_the_unit_asked_for():
    bare, dollars = parse("5,439,000"), parse("$2.51 million")
    assert bare and dollars
    assert render(in_unit(bare, "million liters")) == "5.439"
    assert render(in_unit(dollars, "USD millions")) == "2.51"
    assert render(in_unit(dollars, "USD")) == "2510000"
    assert in_unit(bare, "million liters").unit == "million L"


def test_what_is_told_in_millions_is_no_percentage():
    with pytest.raises(UnitError, match="not a percentage"):
        in_unit(Quantity(D(1309), scale=D(10) ** 6), "%")
    assert render(in_unit(Quantity(D("15.4")), "%")) == "15.4"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("metric tons of CO2 equivalent", "t CO2e"),
        ("tCO2e", "t CO2e"),
        ("g CO2eq", "g CO2e"),
        ("percent", "%"),
        ("US dollars", "USD"),
        ("$", "USD"),
        ("USD millions", "million USD"),
        ("million liters", "million L"),
        ("liters per kWh", "L/kWh"),
        ("g CO2 per kWh", "g CO2/kWh"),
        ("USD per hour per GPU", "USD/h/GPU"),
        ("multiplier", "x"),
        ("GPU-hours", "GPU h"),
        ("lbs", "lb"),
        ("", ""),
        ("pauses per hour", "pauses per hour"),
    ],
)
def test_canonical_unit(text, name):
    assert canonical_unit(text) == name
    assert canonical_unit(name) == name


def test_compatible():
    assert compatible("kWh", "J") and compatible("MW", "kWh/h") and compatible("lbs", "t CO2e")
    assert (
        not compatible("kWh", "kW") and not compatible("USD", "EUR") and not compatible("", "kg")
    )
    assert compatible("", "") and compatible("L/kWh", "liters per MWh")


@pytest.mark.parametrize(
    ("question", "units"),
    [
        ("How much was used, in megawatt-hours?", ["MWh"]),
        ("What was the WUE, in L/kWh?", ["L/kWh"]),
        ("What percentage of power was wasted?", ["%"]),
        ("What share of power was wasted?", ["%"]),
        ("How many times more did it use?", ["x"]),
        ("How many tons of CO2e per year?", ["t CO2e/yr"]),
        ("What is a good name?", []),
        ("What was the loss in $ millions?", ["USD"]),
    ],
)
def test_find_units(question, units):
    assert find_units(question) == units


DECLARES = [
    ("(in millions of euro, except per share data)", 6, "EUR", "per share"),
    ("(In thousands, except percentages and per share amounts)", 3, "", "percentages, per share"),
    ("$000", 3, "USD", ""),
    ("US$'000", 3, "USD", ""),
    ("2019 $’000", 3, "USD", ""),
    ("RMB'000", 3, "CNY", ""),
    ("(000s omitted)", 3, "", ""),
    ("in thousands", 3, "", ""),
    ("(in millions)", 6, "", ""),
    ("€ million", 6, "EUR", ""),
    ("£m", 6, "GBP", ""),
    ("Mio. EUR", 6, "EUR", ""),
    ("(dollars in millions)", 6, "USD", ""),
    ("(in thousands of U.S. dollars)", 3, "USD", ""),
    ("(Shares in thousands)", 3, "share", ""),
    ("($ and shares in millions, except per share data)", 6, "USD", "per share"),
    ("(Shares and $ in thousands)", 3, "USD", ""),
    ("Amounts in USD billions", 9, "USD", ""),
    ("Rs. crore", 7, "INR", ""),
    ("tCO2e (thousand)", 3, "t CO2e", ""),
    ("(%)", 0, "%", ""),
    ("Gross margin (%)", 0, "%", ""),
    ("Energy use (MWh)", 0, "MWh", ""),
    ("Emissions in tonnes CO2e*", 0, "t CO2e", ""),
    ("Five-year review, in R thousand unless stated otherwise", 3, "ZAR", ""),
    ("in thousands of rand", 3, "ZAR", ""),
    ("R'000", 3, "ZAR", ""),
    ("Revenue (Rm)", 6, "ZAR", ""),
    ("RMm", 6, "MYR", ""),
    ("R&D, in millions", 6, "", ""),
    ("The 5 million users we have", 0, "", ""),
    ("Two million people live there", 0, "", ""),
    ("Year ended June 30, 2019", 0, "", ""),
    ("Total revenue", 0, "", ""),
    ("Risk-free interest rate", 0, "", ""),
    ("Cash from operations, Term Loan A", 0, "", ""),
    ("USDm", 6, "USD", ""),
    ("(inthousands)", 3, "", ""),
    ("earnings per share ($M)", 6, "USD", ""),
    ("Average price per share", 0, "", ""),
    ("Second", 0, "", ""),
    ("Results (in 000’s)", 3, "", ""),
    ("Injuries (per million hours)", 0, "", ""),
    ("t CO2e per EUR million revenue", 0, "", ""),
    ("CHF million/year", 6, "CHF", ""),
    ("Centres let to a Grocery Store", 0, "", ""),
]


@pytest.mark.parametrize(
    ("text", "power", "unit", "unscaled"), DECLARES, ids=[r[0] for r in DECLARES]
)
def test_declared(text, power, unit, unscaled):
    assert declared(text) == Declared(D(10) ** power, unit, unscaled)


def test_exempt_matches_labels_by_their_words():
    assert exempt("per share", "Earnings per diluted share")
    assert exempt("percentages, per share", "Gross margin (%)")
    assert not exempt("per share", "Share capital")
    assert not exempt("", "Earnings per share")


def test_a_unit_table_extends_the_built_in_one(tmp_path):
    extra = tmp_path / "units.toml"
    words = 'words = ["widget(s)", "gizmo(s)"]'
    extra.write_text(f'[[unit]]\nname = "widget"\n{words}\ndimension = "widget"\nexpand = "w"\n')
    try:
        table = load_units(extra)
        assert "kWh" in table.by_name
        quantity = parse("5 gizmos")
        assert quantity is not None and quantity.unit == "widget"
        assert expansions("how many widgets") == ["w"]
    finally:
        load_units()
    assert parse("5 gizmos") is None
    with pytest.raises(UsageError, match="cannot be read"):
        load_units(tmp_path / "missing.toml")
    extra.write_text("[[unit]\n")
    with pytest.raises(UsageError, match="not valid TOML"):
        load_units(extra)
    extra.write_text('[[unit]]\nname = "u"\ncolour = 1\n')
    with pytest.raises(UsageError, match="colour"):
        load_units(extra)
    load_units()


def test_the_built_in_table_is_large_and_consistent():
    table = load_units()
    assert len([u for u in table.by_name.values() if u.expand]) >= 47
    for unit in table.by_name.values():
        assert canonical_unit(unit.name) == unit.name
        for spelling in (*unit.symbols, *(w.replace("(s)", "s") for w in unit.words)):
            assert canonical_unit(spelling) == unit.name, spelling


def test_expansions_of_a_query():
    words = expansions("How many tCO2e and MWh at a PUE of 1.1?")
    assert any("carbon dioxide equivalent" in w for w in words)
    assert any("megawatt hour" in w for w in words)
    assert any("power usage effectiveness" in w for w in words)


@pytest.mark.parametrize(
    "unit",
    ["m**9**9**9", "2**10**10**10**10", "m^99999999999", "(((2)**99)**99)**99", "2⁹⁹⁹⁹⁹⁹⁹⁹⁹"],
)
def test_a_power_that_no_unit_has_is_not_reckoned_out(unit):
    with pytest.raises(UnitError):
        convert(Quantity(D(5), "kWh"), unit)


def test_powers_that_units_have_are_read():
    assert in_unit(Quantity(D(1), "L"), "dm ** 3").value == 1


@pytest.mark.parametrize("text", ["5 × 10⁹⁹⁹⁹⁹⁹⁹⁹ m", "10⁹⁹⁹⁹⁹⁹", "1.5e999999999", "10^99999999"])
def test_no_exponent_is_too_much_for_a_text(text):
    assert all(one.quantity.value < D("1e1000") for one in find(text))


@pytest.mark.parametrize(("text", "unit"), [
    ("16 bar.", "bar"), ("3.2 bar(g)", "bar(g)"), ("16.3 W/(m·K)", "W/(m·K)"), ("16.3 W/mK", "W/(m·K)"),
    ("16.3 W/m·K", "W/(m·K)"), ("11.5 µm/(m·°C)", "µm/(m·°C)"), ("0.72 µΩ·m", "µΩ·m"), ("200 HV", "HV"),
    ("187 HB", "HB"), ("9.81 m/s²", "m/s2"), ("15 m/s", "m/s"), ("85 dB(A)", "dB(A)"), ("85 dB", "dB"),
    ("50 N·m", "N·m"), ("1,500 rpm", "rpm"), ("4.2 kJ/(kg·K)", "kJ/(kg·K)"), ("5 amps", "ampere"),
])  # fmt: skip
def test_units_of_materials_and_machines(text, unit):
    assert parse(text).unit == unit


def test_a_bracket_belongs_to_a_unit_when_it_is_closed():
    assert [match_unit(text, 0) for text in ("dB(A)", "dB(A", "W/(m·K", "bar(x)")] == [
        ("dB(A)", 5), ("dB", 2), ("W", 1), ("bar", 3),
    ]  # fmt: skip
    assert parse("7 A") is None and parse("3 bars") is None


def test_pressures_convert():
    assert convert(parse("16 bar"), "MPa").value == D("1.6")
    assert convert(parse("1,013 mbar"), "kPa").value == D("101.3")


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("The footprint fell by up to ~100-1000X.", [(100, 1000)]),
        ("It was cut by 5x.", [(5, 5)]),
        ("1.1 “Board” means the Board of Directors.", []),
    ],
)
def test_a_multiple_that_ends_a_sentence_is_read_and_a_numbered_definition_is_not(text, ends):
    found = [each.quantity for each in find(text)]
    assert [(each.low or each.value, each.high or each.value) for each in found] == ends
