from decimal import Decimal

import pytest

from pincite.ingest.web.ixbrl import facts, in_words, period_name
from pincite.ingest.web.markup import markup
from tests.ingest.office import found, read, tables, whole

HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:ix="http://www.xbrl.org/2013/inlineXBRL"
 xmlns:xbrli="http://www.xbrl.org/2003/instance" xmlns:iso4217="http://www.xbrl.org/2003/iso4217"
 xmlns:xbrldi="http://xbrl.org/2006/xbrldi" xmlns:ifrs-full="urn:x"><head><title>Fjordbank</title></head><body>
<div style="display:none"><ix:header><ix:resources>"""
CONTEXT = """<xbrli:context id="{}"><xbrli:entity><xbrli:identifier scheme="x">549300ABC</xbrli:identifier>{}</xbrli:entity>
<xbrli:period>{}</xbrli:period></xbrli:context>"""
YEAR = "<xbrli:startDate>{0}-01-01</xbrli:startDate><xbrli:endDate>{0}-12-31</xbrli:endDate>"
SEGMENT = """<xbrli:segment><xbrldi:explicitMember dimension="ifrs-full:SegmentsAxis">x:RetailMember</xbrldi:explicitMember>
</xbrli:segment>"""
CONTEXTS = (
    CONTEXT.format("c1", "", YEAR.format(2023))
    + CONTEXT.format("c0", "", YEAR.format(2022))
    + CONTEXT.format("i1", "", "<xbrli:instant>2023-12-31</xbrli:instant>")
    + CONTEXT.format("s1", SEGMENT, YEAR.format(2023))
)
UNITS = """<xbrli:unit id="EUR"><xbrli:measure>iso4217:EUR</xbrli:measure></xbrli:unit><xbrli:unit id="EPS"><xbrli:divide>
<xbrli:unitNumerator><xbrli:measure>iso4217:EUR</xbrli:measure></xbrli:unitNumerator>
<xbrli:unitDenominator><xbrli:measure>xbrli:shares</xbrli:measure></xbrli:unitDenominator></xbrli:divide></xbrli:unit>"""


def number(name, text, context="c1", unit="EUR", more='scale="6" format="ixt:num-dot-decimal"'):
    return f'<ix:nonFraction name="ifrs-full:{name}" contextRef="{context}" unitRef="{unit}" {more}>{text}</ix:nonFraction>'


BODY = f"""</ix:resources></ix:header></div><h1>Income statement</h1><p>EUR million</p>
<table><tr><td></td><td>2023</td><td>2022</td></tr>
<tr><td>Revenue</td><td>{number("Revenue", "1,234.5")}</td><td>{
    number("Revenue", "1,100.0", "c0")
}</td></tr>
<tr><td>Loss before tax</td><td>({
    number("ProfitLossBeforeTax", "45.5", more='scale="6" sign="-"')
})</td><td>{
    number("ProfitLossBeforeTax", "-", "c0", more='format="ixt:fixed-zero"')
}</td></tr></table>
<p>Retail sold {number("Revenue", "700", "s1")}, cash was {
    number("Cash", "7.654,5", "i1", more='scale="3" format="ixt:num-comma-decimal"')
}
thousand and {number("EarningsPerShare", "1.25", unit="EPS", more="")} a share; again {
    number("Revenue", "1,234.5")
}.
<ix:nonNumeric name="ifrs-full:NameOfReportingEntity" contextRef="c1">Fjordbank&nbsp;ASA</ix:nonNumeric></p></body></html>"""
FILING = HEAD + CONTEXTS + UNITS + BODY


@pytest.mark.parametrize("name", ["a.xhtml", "a.html"])
def test_facts_have_their_value_unit_period_and_entity(name):
    text = (
        FILING
        if name == "a.xhtml"
        else FILING.removeprefix('<?xml version="1.0" encoding="UTF-8"?>').strip()
    )
    held = {
        (one.concept, one.period, one.dimensions): one
        for one in facts(markup(text.encode(), name))
    }
    year = "Year ended 31 December 2023"
    assert {key: one.value for key, one in held.items()} == {
        ("Revenue", year, ""): Decimal(1_234_500_000),
        ("Revenue", "Year ended 31 December 2022", ""): Decimal(1_100_000_000),
        ("Profit loss before tax", year, ""): Decimal(-45_500_000),
        ("Profit loss before tax", "Year ended 31 December 2022", ""): Decimal(0),
        ("Revenue", year, "Segments: Retail"): Decimal(700_000_000),
        ("Cash", "31 December 2023", ""): Decimal(7_654_500),
        ("Earnings per share", year, ""): Decimal("1.25"),
        ("Name of reporting entity", year, ""): "Fjordbank ASA",
    }
    assert {one.unit for one in held.values()} == {"EUR", "EUR/shares", ""}
    assert {one.entity for one in held.values()} == {"549300ABC"}


def test_facts_are_tables_beside_the_text_that_is_read(tmp_path):
    document = read(tmp_path / "a.xhtml", FILING.encode())
    statement, money, *_ = tables(document)
    assert found(statement, "Loss before tax", "2023") == ("(45.5)", "Income statement")
    assert found(money, "Profit loss before tax", "Year ended 31 December 2023") == (
        "-45,500,000",
        "tagged facts",
    )
    assert (
        found(money, "Revenue (Segments: Retail)", "Year ended 31 December 2023")[0]
        == "700,000,000"
    )
    assert (money.table.unit, money.table.scale) == ("EUR", 1)
    assert "Retail sold 700, cash was 7.654,5 thousand and 1.25 a share" in whole(document)


@pytest.mark.parametrize(
    ("tag", "words"),
    [
        ("ifrs-full:ProfitLossBeforeTax", "Profit loss before tax"),
        ("us-gaap:EPSDiluted", "EPS diluted"),
        ("x:GHGEmissionsScope1", "GHG emissions scope1"),
    ],
)
def test_concepts_are_told_in_words(tag, words):
    assert in_words(tag) == words


@pytest.mark.parametrize(
    ("start", "end", "told"),
    [
        ("", "2023-12-31", "31 December 2023"),
        ("2023-01-01", "2023-12-31", "Year ended 31 December 2023"),
        ("2023-04-01", "2023-06-30", "Quarter ended 30 June 2023"),
        ("2023-01-01", "2023-05-31", "1 January 2023 to 31 May 2023"),
        ("2023-01-01T00:00:00", "2024-01-01T00:00:00", "Year ended 31 December 2023"),
        ("", "soon", "soon"),
    ],
)
def test_periods_are_told_in_words(start, end, told):
    assert period_name(start, end) == told
