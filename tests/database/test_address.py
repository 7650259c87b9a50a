"""URLs and paths of sources, and that a password is in nothing that is kept or shown."""

import sqlite3

import pytest

from pincite.database.database_errors import DatabaseError
from pincite.database.sources.database_address import parse, redact, variable, with_login
from pincite.errors import UsageError


@pytest.mark.parametrize(
    ("url", "text", "name"),
    [
        (
            "postgresql://ann:s3cret@db.example.org:5433/shop",
            "postgresql://db.example.org:5433/shop",
            "shop",
        ),
        ("postgres://ann@db.example.org/shop", "postgresql://db.example.org/shop", "shop"),
        (
            "postgresql+psycopg://ann:a%40b:c@[::1]:5433/my%20shop",
            "postgresql://[::1]:5433/my%20shop",
            "my shop",
        ),
        (
            "postgresql:///shop?host=/run/pg&user=ann&password=s3cret",
            "postgresql:///shop?host=/run/pg",
            "shop",
        ),
        (
            "postgresql://h/shop?sslmode=require&sslpassword=s3cret",
            "postgresql://h/shop?sslmode=require",
            "shop",
        ),
        ("  postgresql://h/  ", "postgresql://h/", "postgres"),
    ],
)
def test_urls_of_servers_are_shown_without_login(url, text, name):
    place = parse(url)
    assert (place.kind, place.text, place.name) == ("postgresql", text, name)
    for secret in ("s3cret", "ann", "a@b:c"):
        assert secret not in repr(place)


def test_login_is_kept_for_connecting_only():
    place = parse("postgresql://ann:a%40b%3Ac@h/shop")
    assert (place.user, place.password) == ("ann", "a@b:c")


def test_a_path_is_told_by_what_the_file_holds(tmp_path):
    sqlite = tmp_path / "shop.db"
    with sqlite3.connect(sqlite) as connection:
        connection.execute("CREATE TABLE t (a)")
    (tmp_path / "t.csv").write_text("a\n1\n")
    (tmp_path / "notes.txt").write_text("words")
    assert parse(sqlite).kind == parse(f"sqlite:///{sqlite}").kind == "sqlite"
    assert parse(sqlite).text == f"sqlite:///{sqlite}"
    assert parse(tmp_path / "t.csv").kind == parse(tmp_path).kind == "files"
    assert parse(tmp_path / "t.csv", "prices").name == "prices"
    with pytest.raises(DatabaseError, match="neither a SQLite nor a DuckDB database"):
        parse(tmp_path / "notes.txt")
    with pytest.raises(DatabaseError, match="is a folder; give the file"):
        parse(f"duckdb:///{tmp_path}")


@pytest.mark.parametrize(
    ("address", "error", "message"),
    [
        (
            "mysql://ann:s3cret@h/shop",
            UsageError,
            "mysql:// is not a database that Pincite can read",
        ),
        ("sqlite:///", UsageError, "needs the path of a file"),
        ("sqlite://shop.db", UsageError, "needs the path of a file"),
        ("sqlite:///no/such.db", DatabaseError, "there is no no/such.db"),
        ("no/such.csv", DatabaseError, "there is no no/such.csv"),
        ("postgresql://ann:s3cret@h:port/shop", UsageError, "cannot be read: give postgresql://"),
    ],
)
def test_addresses_that_are_none(address, error, message):
    with pytest.raises(error, match=message) as caught:
        parse(address)
    assert "s3cret" not in str(caught.value)


def test_the_login_of_a_kept_address_is_found_in_the_environment(monkeypatch):
    assert variable("my-shop 2") == "PINCITE_DB_MY_SHOP_2"
    kept = parse("postgresql://h/shop")
    assert with_login(kept) == kept
    monkeypatch.setenv("PINCITE_DB_SHOP", "postgresql://ann:s3cret@h/shop")
    assert (with_login(kept).user, with_login(kept).password, with_login(kept).text) == (
        "ann",
        "s3cret",
        kept.text,
    )
    monkeypatch.setenv("PINCITE_DB_SHOP", "ann:s3cret")
    with pytest.raises(
        UsageError, match="PINCITE_DB_SHOP does not hold the URL of a database"
    ) as caught:
        with_login(kept)
    assert "s3cret" not in str(caught.value)


def test_messages_are_redacted():
    place = parse("postgresql://ann:s3cret@h/shop")
    assert (
        redact("cannot open postgresql://ann:s3cret@h/shop", place)
        == "cannot open postgresql://h/shop"
    )
    assert redact("host=h password=s3cret user=ann") == "host=h password=*** user=ann"
    assert redact("odd: 's3cret' was wrong", place) == "odd: '***' was wrong"
