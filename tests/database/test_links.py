"""Links between relations that no schema declares, readable names, profiles: on small databases of several habits of naming."""

import sqlite3
from decimal import Decimal

import pytest

from pincite.database.relations.guessed_headings import (
    dictionary,
    shared_prefix,
    split_heading,
    words,
)
from pincite.database.relations.relation_card import markdown, text
from pincite.database.sources.connection import open_source
from pincite.errors import UsageError


@pytest.fixture
def opened(tmp_path):
    made = []

    def make(script, **how):
        path = tmp_path / f"{len(made)}.sqlite"
        with sqlite3.connect(path) as connection:
            connection.executescript(script)
        made.append(open_source(path, **how))
        return made[-1].database

    yield make
    for source in made:
        source.close()


def links(database):
    return {
        f"{r.name}.{'+'.join(one.columns)} -> {one.to}.{'+'.join(one.to_columns)}"
        for r in database.relations
        for one in r.links
    }


def numbers(table, *columns, rows=6):
    """Statements that fill a table: every column a function of the number of its row."""
    return "".join(
        f"INSERT INTO {table} VALUES ({', '.join(str(column(n)) for column in columns)});"
        for n in range(1, rows + 1)
    )


def test_the_same_short_name_in_a_table_of_its_own(opened):
    database = opened(
        "CREATE TABLE writer (wid int, label text); CREATE TABLE book (bid int, wid int); CREATE TABLE wrote (wid int, bid int);"
        + numbers("writer", lambda n: n, lambda n: f"'w{n}'")
        + numbers("book", lambda n: n, lambda n: n % 3 + 1)
        + numbers("wrote", lambda n: n % 6 + 1, lambda n: 7 - n)
    )
    assert links(database) == {
        "book.wid -> writer.wid",
        "wrote.wid -> writer.wid",
        "wrote.bid -> book.bid",
    }


def test_the_name_of_the_other_table_before_id(opened):
    database = opened(
        "CREATE TABLE shops (sid integer primary key, name text); CREATE TABLE sale (id integer primary key, shop_id int,"
        " amount int); CREATE TABLE zone (code text, title text); CREATE TABLE stop (n int, from_zone text, zone_code text);"
        + numbers("shops", lambda n: n, lambda n: f"'s{n}'")
        + numbers("sale", lambda n: n, lambda n: n % 4 + 1, lambda n: n % 5 + 1)
        + numbers("zone", lambda n: f"'Z{n}'", lambda n: f"'zone {n}'")
        + numbers(
            "stop", lambda n: 100 + n, lambda n: f"'Z{n % 3 + 1}'", lambda n: f"'Z{n % 2 + 1}'"
        )
    )
    assert links(database) == {
        "sale.shop_id -> shops.sid",
        "stop.from_zone -> zone.code",
        "stop.zone_code -> zone.code",
    }


def test_names_with_prefixes_and_abbreviations(opened):
    database = opened(
        "CREATE TABLE tbClient (tbClientId text primary key, tbClientName text, tbClientCity text);"
        "CREATE TABLE tbOrder (tbOrdId text primary key, tbOrdClientId text, tbOrdQty int, tbOrdCcy text);"
        + numbers(
            "tbClient", lambda n: f"'C{n}'", lambda n: f"'n{n}'", lambda n: f"'city {n % 2}'"
        )
        + numbers(
            "tbOrder",
            lambda n: f"'O{n}'",
            lambda n: f"'C{n % 4 + 1}'",
            lambda n: n,
            lambda n: "'EUR'",
        )
    )
    assert links(database) == {"tbOrder.tbOrdClientId -> tbClient.tbClientId"}
    order = database.relation("tbOrder")
    assert order.readable == "order"
    assert [c.readable for c in order.columns] == ["id", "client id", "quantity", "currency"]
    assert all(c.guessed for c in order.columns)


def test_texts_are_linked_by_their_values_alone(opened):
    lands = ["Norland", "Sudland", "Westland", "Ostland", "Mitteland"]
    database = opened(
        "CREATE TABLE land (land_name text, size int); CREATE TABLE fence (land_name text, beside text);"
        + numbers("land", lambda n: f"'{lands[n - 1]}'", lambda n: n % 2, rows=5)
        + numbers(
            "fence", lambda n: f"'{lands[n % 5]}'", lambda n: f"'{lands[n * 2 % 5]}'", rows=5
        )
    )
    assert links(database) == {
        "fence.land_name -> land.land_name",
        "fence.beside -> land.land_name",
    }


def test_parts_that_several_kinds_play(opened):
    database = opened(
        "CREATE TABLE users (uid integer primary key, name text); CREATE TABLE vendors (vid integer primary key, name text);"
        "CREATE TABLE transfer (n int, sender_id int, sender_type int, owner_id int);"
        + numbers("users", lambda n: n, lambda n: f"'u{n}'")
        + numbers("vendors", lambda n: n, lambda n: f"'v{n}'")
        + numbers(
            "transfer", lambda n: n + 50, lambda n: n % 3 + 1, lambda n: n % 2, lambda n: n % 2 + 1
        )
    )
    assert links(database) == {
        "transfer.sender_id -> users.uid", "transfer.sender_id -> vendors.vid", "transfer.owner_id -> users.uid",
    }  # fmt: skip


def test_no_links_where_neither_names_nor_values_agree(opened):
    database = opened(
        "CREATE TABLE a (id integer primary key, year int, name text, amount int); CREATE TABLE b (id integer primary key,"
        " year int, name text, amount int); CREATE TABLE c (c_id int, a_id int, note text);"
        + numbers("a", lambda n: n, lambda n: 2000 + n, lambda n: f"'a{n}'", lambda n: n)
        + numbers("b", lambda n: n, lambda n: 2000 + n, lambda n: f"'b{n}'", lambda n: n)
        + numbers("c", lambda n: n, lambda n: 90 + n, lambda n: "'x'")
    )
    assert links(database) == set()


def test_declared_links_stay_as_declared(opened):
    database = opened(
        "CREATE TABLE a (x int, y int, PRIMARY KEY (x, y));"
        "CREATE TABLE b (p int, q int, FOREIGN KEY (p, q) REFERENCES a (x, y));"
    )
    (link,) = database.relation("b").links
    assert (link.columns, link.to, link.to_columns, link.declared) == (
        ("p", "q"),
        "a",
        ("x", "y"),
        True,
    )


def test_a_table_that_says_what_columns_mean_is_the_dictionary(opened):
    script = (
        "CREATE TABLE steel (Grade text, Su numeric, dens numeric);"
        "INSERT INTO steel VALUES ('S235', 360, 7850), ('S355', '470 max', 7850);"
        "CREATE TABLE column_info (column_name text, meaning text, unit text);"
        "INSERT INTO column_info VALUES ('Su', 'tensile strength', 'MPa'), ('dens', 'density', 'kg/m3'), ('Grade', 'grade', '');"
    )
    database = opened(script)
    assert [r.name for r in database.relations] == ["steel"]
    strength = database.relation("steel").column("Su")
    assert (strength.readable, strength.guessed, strength.unit, strength.type) == (
        "tensile strength",
        False,
        "MPa",
        "number",
    )
    assert (strength.low, strength.high) == (360, 360)
    names = {
        "steel": {"Su": {"name": "ultimate strength", "also": ["UTS"]}},
        "dens": "mass density",
    }
    steel = opened(script, names=names).relation("steel")
    assert (steel.column("Su").readable, steel.column("Su").unit) == ("ultimate strength", "MPa")
    assert (
        steel.column("Su").also == ("UTS", "su")
        and steel.column("dens").readable == "mass density"
    )


def test_dictionaries_that_cannot_be_read(tmp_path):
    path = tmp_path / "names.yaml"
    path.write_text(
        "steel:\n  Su: tensile strength\n  E: {name: elastic modulus, unit: GPa}\nRo: density\n"
    )
    names = dictionary(path)
    assert names.of("steel.su") == {"name": "tensile strength"} and names.of("x.ro", "ro") == {
        "name": "density"
    }
    assert names.of("steel.e") == {"name": "elastic modulus", "unit": "GPa"}
    path.write_text("- a\n- b\n")
    with pytest.raises(UsageError, match="is a mapping"):
        dictionary(path)
    path.write_text("a: [")
    with pytest.raises(UsageError, match="cannot be read"):
        dictionary(path)
    with pytest.raises(UsageError, match="cannot be read"):
        dictionary(tmp_path / "none.yaml")


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("yield_strength", ["yield", "strength"]),
        ("tbOrdClientId", ["tb", "ord", "client", "id"]),
        ("HTTPStatus", ["HTTP", "status"]),
        ("pH", ["ph"]),
        ("Sales (EUR)", ["sales", "EUR"]),
        ("ID", ["ID"]),
    ],
)
def test_words_of_names(name, parts):
    assert words(name) == parts


def test_prefixes_that_all_names_share():
    assert shared_prefix(["tbOrdId", "tbOrdDate", "tbOrdCcy"]) == 2
    assert shared_prefix(["id", "date", "price"]) == 0
    assert shared_prefix(["city_name", "city_code"]) == 0
    assert shared_prefix(["tb", "tbDate", "tbCcy"]) == 0


@pytest.mark.parametrize(
    ("heading", "split"),
    [
        ("Sy (MPa)", ("Sy", "MPa", Decimal(1))),
        ("Density [kg/m3]", ("Density", "kg/m3", Decimal(1))),
        ("Revenue (in millions)", ("Revenue", "", Decimal(10**6))),
        ("Name (short)", ("Name (short)", "", Decimal(1))),
        ("Mass", ("Mass", "", Decimal(1))),
        ("Label(s)", ("Label(s)", "", Decimal(1))),
        ("Time (s)", ("Time", "s", Decimal(1))),
        ("Losses (L)", ("Losses (L)", "", Decimal(1))),
    ],
)
def test_headings_declare_units(heading, split):
    assert split_heading(heading) == split


def test_units_that_end_names_of_numbers(opened):
    database = opened(
        "CREATE TABLE t (yield_strength_mpa real, note_mpa text, range_km int, density_kg_m3 real, price_eur_kg real,"
        "fee_eur_per_kg real, heads_per_km2 real);"
        "INSERT INTO t VALUES (1.5, 'x', 3, 4430, 2.5, 8, 9)"
    )
    assert [(c.readable, c.unit) for c in database.relation("t").columns] == [
        ("yield strength", "MPa"), ("note mpa", ""), ("range", "km"), ("density", "kg/m3"), ("price", "EUR/kg"),
        ("fee", "EUR/kg"), ("heads per km2", ""),
    ]  # fmt: skip


def test_columns_of_sqlite_are_what_they_hold(opened):
    database = opened(
        "CREATE TABLE t (a numeric, b text, c text, d int, is_open int, e blob, f);"
        "INSERT INTO t VALUES (1, '2020-01-02', '2020-01-02 10:00:00', 5, 1, x'00', 'x'),"
        " (2.5, '2021-01-02', NULL, 6, 0, x'01', 'y'),"
        " ('n/a', '2020-01-02', '2020-01-03 11:00:00', 7, 1, NULL, 'x');"
    )
    t = database.relation("t")
    assert [c.type for c in t.columns] == [
        "number",
        "date",
        "datetime",
        "integer",
        "boolean",
        "binary",
        "text",
    ]
    assert (t.column("a").low, t.column("a").high, t.column("a").distinct) == (1, 2.5, 3)
    assert (t.column("b").low, t.column("b").high) == ("2020-01-02", "2021-01-02")
    assert t.column("c").nulls == pytest.approx(1 / 3)
    assert t.column("f").values == ("x", "y")
    assert t.sample[0] == (1, "2020-01-02", "2020-01-02 10:00:00", 5, 1, "1 bytes", "x")


def test_cards_say_what_a_relation_holds(opened):
    database = opened(
        "CREATE TABLE shops (sid integer primary key, name text); CREATE TABLE sale (id integer primary key, shop_id int,"
        " amount_eur real);"
        + numbers("shops", lambda n: n, lambda n: f"'s|{n}'", rows=3)
        + numbers("sale", lambda n: n, lambda n: n, lambda n: n * 10_000.5, rows=3)
    )
    assert text(database.relation("sale")).splitlines() == [
        "sale: a table of 3 rows and 3 columns.",
        "id: whole number; 1 to 3.",
        "shop id (shop_id): whole number; 1 to 3.",
        "amount (amount_eur): number in EUR; 10,000.5 to 30,001.5.",
        "Its key is id.",
        "shop_id names rows of shops by sid, as their names and values suggest.",
    ]
    shown = markdown(database.relation("shops"))
    assert "| name | name (guessed) | text; 3 values: s\\|1, s\\|2, s\\|3 |" in shown
    assert "| 1 | s\\|1 |" in shown


def test_identifiers_of_many_rows_are_probed(opened):
    script = "CREATE TABLE item (item_no text, size int); CREATE TABLE sale (n int, item_no text);"
    script += "CREATE TABLE other (n int, item_no text); INSERT INTO item WITH t(n) AS"
    script += (
        " (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 2500) SELECT 'I' || n, n % 7 FROM t;"
    )
    sold = numbers("sale", lambda n: n, lambda n: f"'I{n * 300}'")
    database = opened(script + sold + numbers("other", lambda n: n, lambda n: f"'X{n}'"))
    assert links(database) == {"sale.item_no -> item.item_no"}
