"""The same fact in another document: tables and sentences as nodes, truth by hand."""

from decimal import Decimal

import pytest

from pincite.evidence.candidate import Evidence
from pincite.evidence.drafted_answer import cited
from pincite.question.understanding import understand
from pincite.reconcile.twins import fact_of, twins
from pincite.types import Anchor, Answer, Cell, Claim, Node, Quantity, Query, Table

ASK = understand(Query("What was it?"))


def table(source, rows, heads=("", "2022", "2021"), caption="Key figures"):
    """A table node: rows of a label and its values."""
    cells = [
        Cell(at, column, text)
        for at, row in enumerate((heads, *rows))
        for column, text in enumerate(row)
    ]
    text = "\n".join(" | ".join(row) for row in (heads, *rows))
    return Node(
        source,
        "table",
        text,
        Anchor(source, ((1, None),)),
        table=Table(tuple(cells), caption=caption, page=1),
    )


def sentence(source, text):
    return Node(source, "paragraph", text, Anchor(source, ((1, None),)))


def fact(node, value, cell=(), start=0, end=0):
    """What an answer states that cites a cell, or characters, of a node."""
    where = Evidence(
        node, (cell,) if cell else (), start, end, value.text if cell else node.text[start:end]
    )
    citation = cited(where, "1")
    return fact_of(
        Answer(ASK.query, "", value, (citation,), claims=(Claim("", value, ("1",)),)), node
    )


def said(found):
    return [draft.claims[0].value.amount for draft in found]


ROWS = [
    ("Revenue", "120", "110"),
    ("Profit", "14", "12"),
    ("Orders", "131", "98"),
    ("Debt", "30", "33"),
]
OLD = table("a", ROWS)
REVENUE = fact(OLD, Quantity(Decimal(120), text="120"), cell=(1, 1))
HEADS = ("", "2023", "2022")


@pytest.mark.parametrize(
    ("rows", "found"),
    [
        (
            [
                ("Revenue", "130", "118"),
                ("Profit", "15", "14"),
                ("Orders", "140", "131"),
                ("Debt", "28", "30"),
            ],
            [118],
        ),
        (
            [
                ("Revenue", "130", "120"),
                ("Profit", "15", "14"),
                ("Orders", "140", "131"),
                ("Debt", "28", "30"),
            ],
            [120],
        ),
        # the same rows of another part of the company: nothing else is the same
        (
            [
                ("Revenue", "130", "118"),
                ("Profit", "15", "3"),
                ("Orders", "140", "7"),
                ("Debt", "28", "9"),
            ],
            [],
        ),
        # a row that stands twice tells nothing
        (
            [
                ("Revenue", "9", "8"),
                ("Revenue", "130", "118"),
                ("Profit", "15", "14"),
                ("Orders", "140", "131"),
            ],
            [],
        ),
        # another table
        (
            [
                ("Revenue", "130", "118"),
                ("Staff", "15", "14"),
                ("Trucks", "140", "131"),
                ("Sites", "28", "30"),
            ],
            [],
        ),
    ],
)
def test_cells(rows, found):
    assert said(twins(REVENUE, [table("b", rows, HEADS, caption="")], "b", ASK)) == found


def test_a_table_that_says_it_is_restated_may_differ_in_every_row():
    rows = [
        ("Revenue", "130", "118"),
        ("Profit", "15", "13"),
        ("Orders", "140", "130"),
        ("Debt", "28", "31"),
    ]
    node = table("b", rows, ("", "2023", "2022 restated"), caption="")
    assert said(twins(REVENUE, [node], "b", ASK)) == [118]


def test_another_scale_is_no_other_value():
    rows = [
        ("Revenue", "130", "120"),
        ("Profit", "15", "14"),
        ("Orders", "140", "131"),
        ("Debt", "28", "30"),
    ]
    node = table("b", rows, HEADS, caption="")
    assert node.table is not None
    thousands = Table(node.table.cells, scale=Decimal(1000), page=1)
    assert (
        said(
            twins(REVENUE, [Node("b", "table", node.text, node.anchor, table=thousands)], "b", ASK)
        )
        == []
    )


def stated(text, number):
    at = text.index(number)
    value = Quantity(Decimal(number.split()[0]), "km", text=number)
    return fact(sentence("a", text), value, start=at, end=at + len(number))


RANGE = stated("The range of the Aurora truck is 380 km.", "380 km")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The range of the Aurora truck is 410 km.", [410]),
        ("The range of the Aurora truck is now 410 km.", [410]),
        ("It is fast. The range of the Aurora truck is 380 km.", [380]),
        ("The range of the Boreas truck is 410 km.", []),
        ("The range of the Aurora truck is 410 kg.", []),
        ("The range of the Aurora truck in winter is 410 km.", []),
        ("The range of the Aurora truck is long.", []),
    ],
)
def test_sentences(text, found):
    assert said(twins(RANGE, [sentence("b", text)], "b", ASK)) == found


def test_a_year_is_part_of_what_is_said():
    one = stated("In 2022 the trucks ran 380 km a day.", "380 km")
    assert one is not None and one.years == {2022}
    assert (
        said(twins(one, [sentence("b", "In 2023 the trucks ran 410 km a day.")], "b", ASK)) == []
    )
    assert said(twins(one, [sentence("b", "In 2022 the trucks ran 410 km a day.")], "b", ASK)) == [
        410
    ]
