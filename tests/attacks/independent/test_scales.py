"""Names, units and characters that nobody sees beside a number: none multiplies it, in the reader or in the check."""

# ruff: noqa: E501  (what is read stands on a line for each attack)

import pytest

from pincite.ingest.given_tables import table_of
from pincite.quantity import declared, find, parse
from pincite.settings import Settings
from pincite.types import Cell
from pincite.workbench.library import Library, index

HEADERS = {
    "a letter that goes on behind a character that is not seen": [
        "USD M\u200bARKETS",
        "EUR K\u00adREDIT",
        "EUR M\u2060ARKETS",
    ],
    "a letter that goes on in tag characters": ["USD M\U000e0041RKETS"],
    "a letter with a combining mark": ["USD M\u0308ARKETS", "EUR M\u0301", "SEK K\u0327"],
    "a homoglyph of another script": ["EUR \u041c", "USD \u041a", "SEK \u0392", "EUR \u039c"],
    "letters in full width or in a circle": [
        "EUR \uff2d",
        "\uff25\uff35\uff32 \uff2d",
        "EUR \u24c2",
        "EUR \u1d39",
    ],
    "a Roman numeral": ["EUR \u216f", "Part M", "Louis M", "Annex III M"],
    "initials and companies": ["USD M.A. programme", "EUR B.V.", "EUR M.A.N"],
    "two letters with a stroke": ["EUR B/S", "in USD M/M change", "USD K/D"],
    "a name behind another dash": [
        "USD K\u201312 education",
        "\u20ac M\u2011PESA",
        "\u20ac M\u2010PESA",
        "USD K\u201412",
    ],
    "a name with a sign in it": ["USD M@ILS", "USD M+A", "USD M_x", "EUR M\u00b7A"],
    "a class of shares": ["SEK B share", "Price, SEK B shares", "EUR B class"],
    "money of an area or a volume": ["Rent, EUR m\u00b2", "Rent, EUR m2", "Gas, EUR m\u00b3"],
    "a chemical element": ["Mn", "Composition Mn", "Fe, Mn", "Mn, %", "C Si Mn"],
    "a state or a town": ["Sales in MN", "St. Paul, MN", "Nashville, TN"],
    "words that are codes of currencies": [
        "TOP K",
        "ALL M",
        "TRY B",
        "MAD K",
        "RON B",
        "in ALL B",
    ],
    "the code of a share": ["NYSE: M", "Ticker K", "M US", "B UN"],
    "a unit that is a letter": ["Temperature (K)", "Concentration (M)", "Size (B)", "Length (m)"],
    "a sex": ["Employees (M)", "M", "F / M"],
}


@pytest.mark.parametrize("texts", HEADERS.values(), ids=HEADERS)
def test_what_stands_above_a_column(texts):
    """A header holds what looks like a scale to a program alone; the numbers below keep their size."""
    for text in texts:
        assert declared(text).scale == 1, text
        rows = [["", text], ["Alpha", "1,234"], ["Beta", "900"]]
        cells = [
            Cell(row, column, held)
            for row, line in enumerate(rows)
            for column, held in enumerate(line)
        ]
        table = table_of(cells, caption=[text])
        assert table.scale == 1, text


AMOUNTS = {
    "a letter that goes on behind a character that is not seen": ["$5 M\u200bARKETS", "$5 M\u00adarkets", "$5 bn\u200bx", "5 million\u200baires", "5 million\u00adaires"],
    "a letter that goes on in tag characters": ["$5 M\U000e0041rkets"],
    "a letter with a combining mark": ["$5 M\u0301", "$5 M\u0300arie", "5 billion\u0301"],
    "a homoglyph of another script": ["$5 \u041c", "$5 \u0392", "5 \u041cillion"],
    "initials and companies": ["$5 M.A. programme", "USD 5 B.V.", "EUR 5 M.A.N"],
    "two letters with a stroke": ["$5 M/T", "EUR 5 B/S"],
    "a name with a sign in it": ["$5 M@il", "$5 M\u00b7A", "$5 M_x", "$5 K\u2019nex", "SEK 5 B-shares"],
    "money of an area or a volume": ["$5 m\u00b2", "\u20ac5 m\u00b3", "$5 m2"],
    "a person's initial": ["5 M. Smith", "paid 5\nM. Smith", "the 12 K. Muller works"],
    "a form, a table, a note": ["Form 10K", "Table 3B", "Annex 5B", "Note 5 M"],
}  # fmt: skip


@pytest.mark.parametrize("texts", AMOUNTS.values(), ids=AMOUNTS)
def test_what_stands_behind_a_number(texts):
    """Behind a number stands what looks like a scale to a program alone; the number stays as it is."""
    for text in texts:
        held = [found.quantity for found in find(text)] + [
            quantity for quantity in [parse(text)] if quantity
        ]
        assert all(quantity.scale == 1 for quantity in held), text


def test_the_same_places_with_true_scales():
    """The true forms beside the attacks are read as what they are: the checks above can fail."""
    for text in (
        "USD M", "EUR M (audited)", "SEK B", "EUR M/a", "Mio. EUR", "in Mn", "EUR m\u200b", "EUR mn/year",
    ):  # fmt: skip
        assert declared(text).scale > 1, text
    for text in (
        "$5 M", "$5M-7M", "\u20ac5 m", "5 million", "$5 M.", "5 Mio. EUR", "5 million-euro",
    ):  # fmt: skip
        assert find(text)[0].quantity.scale > 1, text
    assert parse("5 million\u00b2").scale == 10**6


def test_neighbouring_cells_make_no_scale():
    """The currency ends one cell and the next begins with a letter, or a ledger has Dr and Cr; no column is multiplied."""
    for above, caption in (
        (["EUR", "M", "F"], "Salaries in EUR"), (["USD", "K", "Na"], "Prices in USD"),
        (["Rs", "Dr", "Cr"], "Ledger in Rs"), (["SEK", "A", "B"], "Shares, SEK"),
    ):  # fmt: skip
        rows = [above, ["Mean", "1,234", "1,302"], ["Median", "900", "930"]]
        cells = [
            Cell(row, column, held)
            for row, line in enumerate(rows)
            for column, held in enumerate(line)
        ]
        table = table_of(cells, caption=[caption])
        assert table.scale == 1, above
        assert declared(above[2]).scale == 1 and declared(above[1]).scale == 1


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """A corpus of tables whose captions and headers are attacks, and of one with a true scale."""
    folder = tmp_path_factory.mktemp("scales")
    for name, caption in (
        ("Alpha", "in USD M\u200bARKETS"), ("Beta", "EUR B/S"), ("Gamma", "USD K\u201312 education"),
        ("Delta", "USD M"),
    ):  # fmt: skip
        (folder / f"{name}.html").write_text(
            f"<html><body><h1>{name} annual report</h1><p>{name} {caption}</p><table><caption>{name}, {caption}</caption>"
            "<tr><th></th><th>2022</th><th>2023</th></tr><tr><td>Revenue</td><td>1,234</td><td>1,302</td></tr>"
            "<tr><td>Net debt</td><td>900</td><td>930</td></tr></table></body></html>",
            encoding="utf-8",
        )
    index(folder, folder / "c")
    return Library(folder / "c", Settings())


@pytest.mark.parametrize(
    ("name", "amount"), [("Alpha", 1302), ("Beta", 1302), ("Gamma", 1302), ("Delta", 1302 * 10**6)]
)
def test_asked_of_a_table_from_end_to_end(name, amount, library):
    """A stranger's table carries such a caption; what the answer says, checked, is the number as it is printed."""
    answer = library.ask(f"What was the revenue of {name} in 2023?")
    value = answer.value or (answer.possible[0].value if answer.possible else None)
    assert value is None or value.amount is None or value.amount == amount, value
    assert name != "Delta" or value is not None
