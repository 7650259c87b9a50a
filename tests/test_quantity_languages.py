"""Numbers as German, Swedish and other texts write them."""

from decimal import Decimal

import pytest

from pincite.quantity import declared, find, parse


@pytest.mark.parametrize(
    ("text", "amounts"),
    [
        ("Die Zahl der Beschäftigten stieg auf 1.846.", [("1846", "")]),
        ("Insgesamt wurden 829.440 m³ Wasser entnommen.", [("829440", "m3")]),
        ("Der Umsatz lag bei 412,3 Mio. Euro nach 1,2 Mrd. Euro.", [("412300000", "EUR"), ("1200000000", "EUR")]),
        ("Es waren 600 Tsd. Euro und 12,5 Tonnen in 3 Jahren.", [("600000", "EUR"), ("12.5", "t"), ("3", "yr")]),
        ("Koncernen hade 1 268 anställda och omsatte 3 842 mnkr.", [("1268", ""), ("3842000000", "SEK")]),
        ("Priset var 12 350 tkr för 84 600 hektar.", [("12350000", "SEK"), ("84600", "ha")]),
        ("Vårdtiden var 4,9 dygn och garantin 36 månader.", [("4.9", "day"), ("36", "month")]),
        ("La société a vendu pour 2,3 milliards d'euros.", [("2300000000", "EUR")]),
        ("Las ventas fueron de 12,5 millones de euros.", [("12500000", "EUR")]),
        ("The ratio was 1.234 and 3 417 units were sold.", [("1.234", ""), ("3", ""), ("417", "")]),
    ],
)  # fmt: skip
def test_running_text(text, amounts):
    assert [(one.quantity.amount, one.quantity.unit) for one in find(text)] == [
        (Decimal(a), u) for a, u in amounts
    ]


def test_a_cell_alone_does_not_tell_and_its_table_does():
    assert parse("412.310").value == Decimal("412.310")
    assert parse("412.310", comma=True).value == 412310
    assert parse("27,5", comma=True).value == Decimal("27.5")
    assert parse("1.234.567,8").value == Decimal("1234567.8")


@pytest.mark.parametrize(
    ("text", "scale", "unit"),
    [
        ("Resultaträkning, mnkr", 10**6, "SEK"),
        ("Skatteintäkter och bidrag, tkr", 1000, "SEK"),
        ("Angaben in TEUR", 1000, "EUR"),
        ("Gewinn- und Verlustrechnung in Tsd. EUR", 1000, "EUR"),
        ("Antal gästnätter, tusental", 1000, ""),
        ("Abfälle in Tonnen", 1, "t"),
    ],
)
def test_what_a_caption_declares(text, scale, unit):
    said = declared(text)
    assert (said.scale, said.unit) == (scale, unit)
