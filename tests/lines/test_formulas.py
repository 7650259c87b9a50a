"""Metrics computed from statements by their formula."""

from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from benchmarks.measuring.bare_table import document_of
from pincite.document.statement_rows import book
from pincite.evidence.value_in_words import worded
from pincite.lines.formulas import read_formulas
from pincite.quantity.arithmetic import OPERATIONS
from pincite.quantity.formula import is_formula, leaves, parse_formula
from pincite.question.understanding import understand
from pincite.types import Query

BALANCE = [
    ["(in millions)", "2020", "2019"],
    ["Inventories", "30", "10"],
    ["Total current assets", "90", "60"],
    ["Accounts payable", "20", "12"],
    ["Total current liabilities", "45", "40"],
]
INCOME = [
    ["(in millions)", "2020", "2019"],
    ["Net sales", "400", "320"],
    ["Cost of sales", "300", "260"],
    ["Operating income", "50", "20"],
]
CASH = [
    ["(in millions)", "2020", "2019"],
    ["Depreciation and amortization", "14", "12"],
    ["Net cash provided by operating activities", "55", "30"],
    ["Purchases of property and equipment", "(16)", "(9)"],
]


def read(text, unit=""):
    return read_formulas(understand(Query(text, unit=unit)), report(BALANCE, INCOME, CASH))


def report(*tables, document="a", rank=0):
    """The tables of one document."""
    return [
        replace(one, document=document, rank=rank)
        for rows in tables
        for one in document_of(rows, [])
    ]


@pytest.mark.parametrize(
    ("text", "value", "quotes"),
    [
        ("What is the FY2020 current ratio for Acme?", "2", ["90", "45"]),
        ("Acme current ratio, 31 Dec 2020", "2", ["90", "45"]),
        ("What is Acme's FY2020 inventory turnover ratio?", "15", ["300", "30", "10"]),
        ("What is FY2020 free cash flow of the group?", "39", ["55", "(16)"]),
        (
            "How much did Acme Ltd (formerly Bolt) generate in cash from operating activities in 2020?",
            "55",
            ["55"],
        ),
        ("What was the FY2020 capital expenditure for Acme?", "16", ["(16)"]),
        (
            "What was the FY2020 cash ratio? Cash ratio is defined as: inventory / (accounts payable + 5).",
            "1.2",
            ["30", "20"],
        ),
        ("What is FY2020 EBITDA less capex for Acme?", "48", ["50", "14", "(16)"]),
        (
            "What was the operating cash flow to current liabilities ratio in 2020?",
            "1.22222",
            ["55", "45"],
        ),
        (
            "What was the ratio of inventory to total current liabilities in 2020?",
            "0.66667",
            ["30", "45"],
        ),
        (
            "Total current assets to total current liabilities of Acme Ltd in 2020?",
            "2",
            ["90", "45"],
        ),
        ("What is the FY2020 operating margin in percent?", "12.5", ["50", "400"]),
        (
            "What is the FY2019 - FY2020 two year average of capex as a % of revenue for Acme?",
            "3.40625",
            ["(9)", "320", "(16)", "400"],
        ),
        ("What is the company's gross margin for 2020?", "25", ["400", "300"]),
        ("How high was Acme's operating margin in 2020?", "12.5", ["50", "400"]),
        (
            "What is the average operating margin for 2019-2020?",
            "9.375",
            ["20", "320", "50", "400"],
        ),
        ("What is the FY2019 - FY2020 revenue growth rate for Acme?", "25", ["400", "320"]),
        (
            "How did the gross margin of Acme change from 2019 to 2020?",
            "6.25",
            ["400", "300", "320", "260"],
        ),
    ],
)
def test_metrics(text, value, quotes):
    (found,) = read(text)
    assert [e.quote for e in found.evidence] == quotes
    assert round(found.value.value, 5) == Decimal(value)
    if found.operation:
        numbers = [Decimal(q.strip("()")) * (-1 if "(" in q else 1) for q in quotes]
        assert OPERATIONS[found.operation].run(numbers) == found.value.value


@pytest.mark.parametrize(
    "text",
    [
        "What was the rent in 2020?",
        "What is the FY2020 return on assets?",
        "Who runs Acme?",
        "What was the change in gross margin from 2019 to 2020?",
    ],
)
def test_no_metric_or_no_cell_computes_nothing(text):
    assert read(text) == []


SHEET = [
    ["(in millions)", "2020", "2019"],
    ["Cash and cash equivalents", "8", "6"],
    ["Inventories", "30", "10"],
    ["Total current assets", "90", "60"],
    ["Total assets", "200", "150"],
    ["Total current liabilities", "45", "40"],
    ["Total liabilities and equity", "200", "150"],
    ["Total equity", "120", "100"],
]
MORE = [
    ["(in millions)", "2020", "2019"],
    ["Revenues"],
    ["Bread", "150", "140"],
    ["", "400", "320"],
    ["Interest expense", "(4)", "(3)"],
    ["Operating income", "50", "20"],
    ["Income before income taxes", "46", "17"],
    ["Income tax expense", "(9)", "(5)"],
    ["Net income", "37", "12"],
]
UNSCALED = [["", "2020"], ["Total assets", "77"], ["Net income", "37000"]]
FLOWS = [
    ["(in millions)", "2020", "2019"],
    ["Inventories", "(20)", "3"],
    ["Net cash provided by operating activities", "55", "30"],
    ["Purchases of property and equipment", "(16)", "(9)"],
    ["Depreciation and amortization", "14", "12"],
]


@pytest.mark.parametrize(
    ("text", "value", "quotes"),
    [
        (
            "What was the debt ratio in FY2020?",
            "0.4",
            ["200", "120"],
        ),  # liabilities are assets less equity
        (
            "What was the interest coverage for Acme in 2020?",
            "12.5",
            ["50", "(4)"],
        ),  # an expense in brackets
        ("What was the effective tax rate in 2020?", "0.19565", ["(9)", "46"]),
        (
            "What was the return on assets in 2020?",
            "0.185",
            ["37", "200"],
        ),  # not of the table without a scale
        (
            "What was the asset turnover of Acme in 2020?",
            "2.28571",
            ["400", "200", "150"],
        ),  # a total without a label
        ("What was the interest expense in 2020?", "4", ["(4)"]),  # the statement deducts it
        ("Calculate the equity ratio in 2020.", "0.6", ["120", "200"]),
    ],
)
def test_items_are_taken_from_the_statements(text, value, quotes):
    (found,) = read_formulas(understand(Query(text)), report(UNSCALED, FLOWS, SHEET, MORE))
    assert [e.quote for e in found.evidence] == quotes
    assert round(found.value.value, 5) == Decimal(value)
    assert found.features.get("sure formula", 0.0) == float(len(quotes) > 1)


def test_a_metric_of_no_year_is_that_of_the_latest_statement():
    asked = understand(Query("What is the current ratio of Acme?"))
    assert (
        read_formulas(asked, document_of(SHEET, [])) == []
    )  # nothing says that it is a statement
    titled = [["Consolidated balance sheets (in millions)", "2020", "2019"], *SHEET[1:]]
    passages = [
        replace(one, heading="Consolidated balance sheets") for one in document_of(titled, [])
    ]
    (found,) = read_formulas(asked, passages)
    assert [e.quote for e in found.evidence] == ["90", "45"]


def test_a_short_name_may_be_defined():
    asked = "What is the FY2020 days payable outstanding (DPO)? DPO is defined as: 100 * accounts payable / cost of sales."
    (found,) = read(asked)
    assert [e.quote for e in found.evidence] == ["20", "300"]
    assert round(found.value.value, 4) == Decimal("6.6667")


def test_a_row_that_states_the_metric_is_read_and_not_computed():
    rows = [
        ["", "2020"],
        ["Current ratio", "2.1"],
        ["Total current assets", "90"],
        ["Total current liabilities", "45"],
    ]
    assert (
        read_formulas(
            understand(Query("What was the current ratio in 2020?")), document_of(rows, [])
        )
        == []
    )


def test_amounts_keep_their_scale_and_ratios_have_none():
    assert read("What is FY2020 free cash flow of the group?")[0].value.amount == 39_000_000
    assert read("What is the FY2020 current ratio for Acme?")[0].value.scale == 1


def test_every_formula_that_ships_can_be_read_over_known_items():
    known = book()
    for text in known.metrics.values():
        for leaf in leaves(parse_formula(text)):
            assert leaf.replace("-", " ") in known.lines or leaf in known.metrics, leaf


@pytest.mark.parametrize("text", ["", "(a", "a +", "a b) c", "* a"])
def test_what_is_no_formula(text):
    with pytest.raises(ValueError):
        parse_formula(text)


def test_formulas_are_operations_and_names_are_not_formulas():
    assert is_formula("(a + b) / 2")
    assert "a / b" in OPERATIONS
    assert not is_formula("median")
    assert "median" not in OPERATIONS


whole = st.integers(-999, 999).map(Decimal)


@given(whole, whole, whole)
def test_precedence(a, b, c):
    assume(c != 0)
    assert OPERATIONS["a + b / c"].run([a, b, c]) == a + b / c
    assert OPERATIONS["(a + b) * c"].run([a, b, c]) == (a + b) * c
    assert OPERATIONS["a - b - c"].run([a, b, c]) == a - b - c


def test_a_metric_is_of_one_document_and_of_the_best_ranked_that_has_it():
    other = [[text.replace("300", "111") for text in row] for row in INCOME]
    stated = [*other, ["Gross profit", "70", "60"]]
    ask = understand(Query("What was the gross profit of Acme in 2020?"))

    def quotes(*reports):
        (found,) = read_formulas(ask, [passage for one in reports for passage in one])
        return [evidence.quote for evidence in found.evidence]

    assert quotes(report(INCOME)) == ["400", "300"]
    assert quotes(report(INCOME, document="b", rank=1), report(other)) == ["400", "111"]
    assert quotes(report(INCOME, document="b", rank=1), report(stated)) == ["70"], (
        "a row that states it is read"
    )
    assert quotes(report(INCOME, document="b", rank=1), report(BALANCE)) == ["400", "300"]


def test_a_part_of_the_firm_is_not_what_its_whole_statement_gives():
    parts = [
        ["(in millions)", "2020", "2019"],
        ["Hardware sales", "100", "90"],
        ["Net sales", "400", "320"],
        ["Hardware cost of sales", "80", "70"],
        ["Cost of sales", "300", "260"],
    ]
    tables = report(parts)
    assert (
        read_formulas(
            understand(Query("What was the gross margin of Acme on hardware in 2020?")), tables
        )
        == []
    )
    (whole,) = read_formulas(
        understand(Query("What was the gross margin of Acme in 2020?")), tables
    )
    assert worded(whole.value) == "25%"


def test_a_metric_is_in_per_cent_where_its_caller_wants_it_so():
    (found,) = read("How high was Acme's operating margin in 2020?", unit="percent")
    assert (found.value.value, found.value.unit) == (Decimal("12.5"), "%")
    assert OPERATIONS[found.operation].run([Decimal(50), Decimal(400)]) == Decimal("12.5")


def test_a_line_item_under_another_name_is_known_as_operands_of_a_metric_are():
    flows = [
        ["(in millions)", "2020"],
        ["Purchases of property and equipment", "(16)"],
        ["Payments for acquisitions", "(7)"],
    ]
    tables = report(BALANCE, INCOME, flows)
    item = read_formulas(
        understand(Query("What was the FY2020 capital expenditure for Acme?")), tables
    )
    assert [(found.value.value, found.operation) for found in item] == [(16, "a")]
