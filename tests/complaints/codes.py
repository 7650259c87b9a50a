"""Registers whose codes begin with zeros, whose codes NA, NULL and None are codes, and whose empty cells are empty."""

from decimal import Decimal

from tests.complaints.cases import Case, Shown, opened
from tests.complaints.written import written

NAMES = "Walvis Depot/Maun Works/Beira Yard/Nacala Dock/Barge Ndoto/Niamey Office/Mora Mill".split(
    "/"
)
COUNTRIES = ("NA", "BW", "MZ", "NE", "NO", "NaN", "NULL", "None", "inf", "TRUE", "1E5")
FORMATS = ("csv", "tsv", "xlsx", "semicolons.csv", "html")


def make(seed: int) -> Case:
    rng, language, head = opened("codes", seed)
    kind = FORMATS[seed % len(FORMATS)]
    names = rng.sample(NAMES, rng.randint(5, 7))
    codes = [f"{number:05d}" for number in rng.sample(range(100, 3000), len(names))]
    countries = ["NA", *rng.choices(COUNTRIES, k=len(names) - 2), ""]
    values = rng.sample(range(100_000, 999_999), len(names))
    rows = [[*row] for row in zip(codes, names, countries, map(str, values), strict=True)]
    rng.shuffle(rows)
    shown = []
    for code, name, country, value in rows:
        shown += [Shown(name, head[0], code), Shown(name, head[3], value, Decimal(value), "EUR")]
        shown += [Shown(name, head[2], country)] if country else []
    never = [code.lstrip("0") for code in codes]
    data = written(kind, "Register", language, [head, *rows])
    return Case({f"sites.{kind}": data}, shown, never)
