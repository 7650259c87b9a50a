"""Questions that name their row and their column, answered without a model."""

import pytest

from pincite.rows.drafting.value_hints import value_hints
from pincite.rows.lookup import looked_up
from pincite.rows.reading_rows import interpreted
from tests.rows.drafting.stores import GARAGE, LEDGER, SHOP, SUPPLY, opened


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    scripts = {"shop": SHOP, "ledger": LEDGER, "garage": GARAGE, "supply": SUPPLY}
    return {n: opened(tmp_path_factory.mktemp(n), script) for n, script in scripts.items()}


@pytest.mark.parametrize(
    ("source", "question", "value"),
    [
        ("garage", "What is the make of HB-D 400?", "Iveco"),
        ("garage", "payload of ki-a 100", 26000),
        ("garage", "What is the payload in kg of KI-A 100?", 26000),
        ("garage", "When was KI-A 100 built?", 2015),
        ("garage", "city of KI-A 100", "Kiel"),
        ("garage", "What is the city of Harbour?", "Kiel"),
        ("shop", "What is the region of customer Adler Bau?", "North"),
        ("shop", "What is the category of the cork boards?", "insulation"),
        ("shop", "What is the order amount of Brook Homes?", 2500),
        ("shop", "order amount of Brook Homes in 2023", 2500),
        ("supply", "Please tell me the weight of batch B-04", 400),
        ("supply", "weight of sea salt in 2022", 1200),
        ("supply", "weight of sea salt in 2023", 800),
        ("supply", "country of Walvis Salt", "NA"),
        ("supply", "code of Sweden", "SE"),
        ("ledger", "Is R-1004 paid?", "no"),
    ],
)  # fmt: skip
def test_a_row_and_a_column_are_looked_up(sources, source, question, value):
    found = interpreted(question, sources[source])
    assert (found.refused, found.reason, found.unmapped) == (False, "", ())
    assert found.result.rows == ((value,),) and found.confidence == 0.9


def test_what_many_tables_name_is_looked_up_where_it_has_its_row(tmp_path):
    script = (
        "CREATE TABLE land (land_name TEXT PRIMARY KEY, people INTEGER, area REAL);"
        "CREATE TABLE town (town_name TEXT PRIMARY KEY, land_name TEXT REFERENCES land (land_name), people INTEGER);"
        "INSERT INTO land VALUES ('Norrmark', 9000, 12.5), ('Sorrmark', 700, 3.0);"
        "INSERT INTO town VALUES ('Ede', 'Norrmark', 400), ('Ulm', 'Norrmark', 300), ('Ry', 'Sorrmark', 200);"
    )
    found = interpreted("What are the people of Norrmark?", opened(tmp_path, script))
    assert found.result.rows == ((9000,),) and found.confidence == 0.9


def test_whole_numbers_are_looked_up_behind_the_name_of_their_column(tmp_path):
    script = (
        "CREATE TABLE posting (document INTEGER, cost_centre INTEGER, insured_value REAL, site_code TEXT);"
        "INSERT INTO posting VALUES (5100021, 4400, -12480.75, '00417'), (5100022, 4400, 1150, '00418');"
    )
    source = opened(tmp_path, script)
    for asked in ("document 5100021", "site 00417"):
        found = interpreted(f"What is the insured value of {asked}?", source)
        assert found.result.rows == ((-12480.75,),), asked
    assert interpreted("insured value of document 51000211", source).refused
    assert interpreted("What is the insured value of cost centre 4400?", source).refused


@pytest.mark.parametrize(
    "question", ["What was the amount of invoice R-1001?", "amount of R-1001 in EUR"]
)
def test_an_amount_is_looked_up_with_its_currency(sources, question):
    found = interpreted(question, sources["ledger"])
    assert not found.refused and found.result.rows == ((12400, "EUR"),)


@pytest.mark.parametrize(
    ("source", "question"),
    [
        ("garage", "What is the colour of KI-A 100?"),
        ("garage", "Who drives KI-A 100?"),
        ("garage", "KI-A 100"),
        ("garage", "payload and make of KI-A 100"),
        ("garage", "What is the total payload of KI-A 100?"),
        ("garage", "Which make is HB-D 400?"),
        ("garage", "Is the payload of KI-A 100 above 20 t?"),
        ("garage", "payload of KI-Z 100"),
        ("garage", "payload of the vehicle"),
        ("garage", "expected payload of KI-A 100"),
        ("shop", "order amount of Brook Homes in 2022"),
        ("shop", "region of Brook Homes in 2023"),
        ("shop", "How many orders has Adler Bau?"),
        ("supply", "weight of sea salt in 2021"),
        ("ledger", "amount of R-1001 without tax"),
    ],
)  # fmt: skip
def test_whatever_else_a_question_says_needs_a_model(sources, source, question):
    held = sources[source]
    assert looked_up(question, held.database, value_hints(question, held)) is None
    found = interpreted(question, held)
    assert found.refused and found.result is None and found.statement == ""


@pytest.mark.parametrize(
    ("source", "question"),
    [
        ("garage", "payload of the Volvo"),
        ("garage", "What is the payload of KI-A 100 and KI-B 200?"),
        ("shop", "order amount of Adler Bau"),
        ("supply", "weight of sea salt"),
        ("ledger", "amount of Kitamura Seiki in 2023"),
    ],
)
def test_more_than_one_row_is_no_lookup(sources, source, question):
    found = interpreted(question, sources[source])
    assert found.refused and found.result is None


def test_the_same_value_of_several_rows_is_one(sources):
    assert interpreted("make of KI-A 100", sources["garage"]).result.rows == (("Volvo",),)
    found = interpreted("currency of Ostara Chemie", sources["ledger"])
    assert set(found.result.rows) == {("EUR",)} and not found.refused


def test_what_words_were_taken_for(sources):
    made = looked_up(
        "substance of batch B-04 in 2023",
        sources["supply"].database,
        value_hints("substance of batch B-04 in 2023", sources["supply"]),
    )
    assert made.mapping == (("B-04", "batch_no = B-04"), ("substance batch", "substance"))
    assert made.tree.sql(dialect="sqlite") == (
        'SELECT "batches"."substance" FROM "batches" WHERE "batches"."batch_no" = \'B-04\' '
        "AND \"batches\".\"received\" BETWEEN '2023-01-01' AND '2023-12-31'"
    )


def test_a_year_stands_in_a_column_of_years(tmp_path):
    script = (
        "CREATE TABLE output (id INTEGER PRIMARY KEY, plant TEXT, year INTEGER, tonnes REAL);"
        "INSERT INTO output VALUES (1, 'Brekke', 2022, 10), (2, 'Brekke', 2023, 12), (3, 'Dokka', 2023, 7);"
    )
    source = opened(tmp_path, script)
    assert interpreted("tonnes of Brekke in 2022", source).result.rows == ((10.0,),)
    assert interpreted("tonnes of Brekke in 2021", source).refused
    assert interpreted("tonnes of Brekke", source).refused


def test_a_column_that_two_tables_have_is_not_guessed(tmp_path):
    script = """
    CREATE TABLE plant (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE audit (id INTEGER PRIMARY KEY, plant_id INTEGER REFERENCES plant (id), score INTEGER);
    CREATE TABLE survey (id INTEGER PRIMARY KEY, plant_id INTEGER REFERENCES plant (id), score INTEGER);
    INSERT INTO plant VALUES (1, 'Brekke'), (2, 'Dokka');
    INSERT INTO audit VALUES (1, 1, 70), (2, 2, 80);
    INSERT INTO survey VALUES (1, 1, 3), (2, 2, 5);
    """
    source = opened(tmp_path, script)
    assert interpreted("score of Brekke", source).refused
    assert interpreted("survey score of Brekke", source).result.rows == ((3,),)
    assert interpreted("audit score of Dokka", source).result.rows == ((80,),)


def test_the_column_of_a_named_value_is_not_what_is_asked_for(sources):
    """Several orders are of the North region: their sum needs a model, and the region is no answer."""
    found = interpreted("What is the order amount of the North region?", sources["shop"])
    assert found.refused and found.asked == "" and "without a language model" in found.reason
