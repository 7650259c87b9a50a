"""Small statements made up for the tests."""

from benchmarks.measuring.bare_table import document_of

SALES = [
    ["", "Year ended December 31,", "", ""],
    ["(in thousands)", "2019", "2018", "2017"],
    ["Net sales:", "", "", ""],
    ["North", "$1,200", "$1,000", "$800"],
    ["South", "300", "(50)", "100"],
    ["Total net sales", "1,500", "950", "900"],
    ["Costs:", "", "", ""],
    ["Wages", "600", "500", "400"],
    ["Rent", "40", "80", "—"],
    ["Gross margin (%)", "57.3", "38.9", "55.6"],
    ["Earnings per share", "0.12", "0.10", "0.09"],
]


def sales(*paragraphs):
    return document_of(SALES, list(paragraphs))
