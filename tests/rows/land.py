"""A small land to ask about: regions, their villages, the rivers through them, and alloys in a table of their own."""

import sqlite3

from pincite.database.relations.value_index import build
from pincite.database.sources.connection import open_source

REGIONS = [
    ("Norland", 900, 5000, "Alvik"),
    ("Midland", 400, 9000, "Brum"),
    ("Sudland", 700, 2000, "Corso"),
    ("Ostland", 100, 300, "Dorn"),
]
VILLAGES = [("Alvik", 1200, "Norland"), ("Brum", 4000, "Midland"), ("Corso", 800, "Sudland"), ("Dorn", 150, "Ostland"),
            ("Elm", 2500, "Norland"), ("Furt", 90, "Midland"), ("Garn", 700, "Midland")]  # fmt: skip
RIVERS = [
    ("Ister", 620, "Norland"),
    ("Ister", 620, "Midland"),
    ("Blau", 80, "Midland"),
    ("Glan", 300, "Sudland"),
    ("Glan", 300, "Norland"),
]
BORDERS = [("Norland", "Midland"), ("Midland", "Norland"), ("Midland", "Sudland"), ("Sudland", "Midland"),
           ("Midland", "Ostland"), ("Ostland", "Midland"), ("Norland", "Sudland"), ("Sudland", "Norland")]  # fmt: skip
ALLOYS = [
    ("Alpha 10", "cast", 200, 310, 7.8, 70000), ("Alpha 20", "forged", 450, 600, 7.9, 71000),
    ("Beta 5", "cast", 150, 240, 2.7, 72000), ("Beta 7", None, 520, 610, 2.8, 210000),
    ("Gamma X1", "forged", "300 max", 480, 8.4, 120000), ("Gamma X2", "annealed", 90, None, 8.9, 110000),
]  # fmt: skip
NAMES = {
    "yield_strength_mpa": {"name": "yield strength", "unit": "MPa"},
    "tensile": {"name": "ultimate tensile strength", "unit": "MPa"},
    "density": {"name": "density", "unit": "g/cm3"},
    "modulus": {"name": "elastic modulus", "unit": "MPa"},
}


def land(folder):
    """The source and its value index."""
    path = folder / "land.sqlite"
    with sqlite3.connect(path) as db:
        db.execute(
            "CREATE TABLE region (region_name TEXT, area REAL, population INTEGER, capital TEXT)"
        )
        db.execute(
            "CREATE TABLE village (village_name TEXT, population INTEGER, region_name TEXT)"
        )
        db.execute("CREATE TABLE river (river_name TEXT, length INTEGER, traverse TEXT)")
        db.execute("CREATE TABLE border_info (region_name TEXT, border TEXT)")
        db.executemany("INSERT INTO region VALUES (?, ?, ?, ?)", REGIONS)
        db.executemany("INSERT INTO village VALUES (?, ?, ?)", VILLAGES)
        db.executemany("INSERT INTO river VALUES (?, ?, ?)", RIVERS)
        db.executemany("INSERT INTO border_info VALUES (?, ?)", BORDERS)
    source = open_source(path)
    return source, build(source)


def alloys(folder):
    """The source and its value index."""
    path = folder / "alloys.sqlite"
    with sqlite3.connect(path) as db:
        numbers = "yield_strength_mpa NUMERIC, tensile NUMERIC, density NUMERIC, modulus NUMERIC"
        db.execute(f"CREATE TABLE alloy (alloy TEXT, state TEXT, {numbers})")
        db.executemany("INSERT INTO alloy VALUES (?, ?, ?, ?, ?, ?)", ALLOYS)
    source = open_source(path, names=NAMES)
    return source, build(source)
