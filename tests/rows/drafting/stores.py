"""Small databases that tests of drafted statements ask, with what is in them written out."""

import re
import sqlite3

from pincite.database.relations.value_index import build
from pincite.database.sources.connection import open_source
from pincite.rows.clean_source import CleanSource
from pincite.rows.drafting.joins import completed
from pincite.rows.drafting.statement_draft import settled
from pincite.rows.drafting.statement_tree import parsed
from pincite.rows.drafting.value_hints import value_hints

SHOP = """
CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT NOT NULL, region TEXT NOT NULL);
CREATE TABLE product (id INTEGER PRIMARY KEY, name TEXT NOT NULL, category TEXT NOT NULL);
CREATE TABLE sales_order (id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customer (id),
  placed_on DATE NOT NULL, order_amount_eur NUMERIC NOT NULL);
CREATE TABLE order_line (id INTEGER PRIMARY KEY, order_id INTEGER NOT NULL REFERENCES sales_order (id),
  product_id INTEGER NOT NULL REFERENCES product (id), quantity INTEGER NOT NULL, line_amount_eur NUMERIC NOT NULL);
CREATE TABLE shipment (id INTEGER PRIMARY KEY, order_id INTEGER NOT NULL REFERENCES sales_order (id),
  carrier TEXT NOT NULL, shipped_on DATE NOT NULL);
INSERT INTO customer VALUES (1, 'Adler Bau', 'North'), (2, 'Brook Homes', 'North'), (3, 'Cato Interiors', 'South');
INSERT INTO product VALUES
  (1, 'lime mortar', 'mortar'), (2, 'clay plaster', 'plaster'), (3, 'cork board', 'insulation'), (4, 'hemp mat', 'insulation');
INSERT INTO sales_order VALUES (101, 1, '2023-02-10', 1000), (102, 1, '2023-03-15', 400), (103, 2, '2023-05-02', 2500),
  (104, 3, '2023-05-20', 600), (105, 3, '2023-09-01', 900);
INSERT INTO order_line VALUES (1, 101, 1, 20, 300), (2, 101, 3, 10, 450), (3, 101, 4, 5, 250), (4, 102, 2, 8, 400),
  (5, 103, 3, 40, 1800), (6, 103, 4, 14, 700), (7, 104, 1, 40, 600), (8, 105, 3, 12, 540), (9, 105, 2, 7, 360);
INSERT INTO shipment VALUES (1, 101, 'Fjordline', '2023-02-12'), (2, 101, 'Fjordline', '2023-02-20'),
  (3, 102, 'Passat', '2023-03-16'), (4, 103, 'Fjordline', '2023-05-04'), (5, 103, 'Passat', '2023-05-09'),
  (6, 104, 'Fjordline', '2023-05-22'), (7, 105, 'Passat', '2023-09-03');
"""
"""The orders of complaint 13: their lines and shipments repeat them."""
LEDGER = """
CREATE TABLE invoice (invoice_no TEXT PRIMARY KEY, supplier TEXT NOT NULL, amount NUMERIC NOT NULL, currency TEXT NOT NULL,
  issued_on TEXT NOT NULL, paid TEXT NOT NULL);
INSERT INTO invoice VALUES
 ('R-1001', 'Ostara Chemie', 12400, 'EUR', '03.02.2023', 'yes'), ('R-1002', 'Pine Ridge Tools', 7250, 'USD', '28.02.2023', 'yes'),
 ('R-1003', 'Kitamura Seiki', 1850000, 'JPY', '14.06.2023', 'yes'), ('R-1004', 'Ostara Chemie', 9100, 'EUR', '30.09.2023', 'no'),
 ('R-1005', 'Pine Ridge Tools', 11000, 'USD', '02.10.2023', 'no'), ('R-1006', 'Vellinge Glas', 19800, 'EUR', '15.11.2023', 'yes'),
 ('R-1007', 'Kitamura Seiki', 550000, 'JPY', '05.12.2023', 'no'), ('R-1008', 'Vellinge Glas', 4300, 'EUR', '31.01.2023', 'yes');
"""
"""The invoices of complaint 14: three currencies in one column, dates as text."""
GARAGE = """
CREATE TABLE depots (depot_id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT NOT NULL);
CREATE TABLE statuses (code TEXT PRIMARY KEY, meaning TEXT NOT NULL);
CREATE TABLE vehicles (vehicle_id INTEGER PRIMARY KEY, plate TEXT NOT NULL, make TEXT NOT NULL,
  status TEXT NOT NULL REFERENCES statuses (code), depot_id INTEGER NOT NULL REFERENCES depots (depot_id),
  payload_kg INTEGER NOT NULL, built INTEGER NOT NULL, idle_share REAL NOT NULL, load_pct REAL NOT NULL);
INSERT INTO depots VALUES (1, 'Harbour', 'Kiel'), (2, 'Ringway', 'Bremen'), (3, 'Northgate', 'Kiel');
INSERT INTO statuses VALUES ('A', 'in service'), ('W', 'in the workshop'), ('X', 'scrapped');
INSERT INTO vehicles VALUES
  (11, 'KI-A 100', 'Volvo', 'A', 1, 26000, 2015, 0.10, 82.5), (12, 'KI-B 200', 'Scania', 'W', 1, 18000, 2018, 0.35, 60.0),
  (13, 'HB-C 300', 'Volvo', 'A', 2, 12000, 2018, 0.20, 75.0), (14, 'HB-D 400', 'Iveco', 'X', 2, 7500, 2009, 0.90, 10.0),
  (15, 'KI-E 500', 'Scania', 'A', 3, 26000, 2021, 0.05, 91.0), (16, 'KI-F 600', 'Volvo', 'A', 3, 26000, 2022, 0.15, 88.0);
"""
"""Vehicles with codes that another table explains, and numbers in kilograms, shares and percent."""
SUPPLY = """
CREATE TABLE countries (code TEXT PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE suppliers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, country TEXT NOT NULL REFERENCES countries (code));
CREATE TABLE batches (batch_no TEXT PRIMARY KEY, supplier_id INTEGER NOT NULL REFERENCES suppliers (id),
  substance TEXT NOT NULL, weight_kg REAL NOT NULL, received DATE NOT NULL);
INSERT INTO countries VALUES ('NA', 'Namibia'), ('NL', 'Netherlands'), ('SE', 'Sweden');
INSERT INTO suppliers VALUES (1, 'Walvis Salt', 'NA'), (2, 'Delft Acids', 'NL'), (3, 'Umea Resins', 'SE'),
  (4, 'Lund Solvents', 'SE');
INSERT INTO batches VALUES ('B-01', 1, 'sea salt', 1200, '2022-03-01'), ('B-02', 1, 'sea salt', 800, '2023-04-01'),
  ('B-03', 2, 'citric acid', 150, '2023-04-09'), ('B-04', 3, 'epoxy resin', 400, '2023-06-30'),
  ('B-05', 4, 'acetone', 90, '2022-11-15'), ('B-06', 4, 'toluene', 60, '2023-12-24');
"""
"""Batches of suppliers of countries: two links in a row, and the code NA."""


def undeclared(script):
    """The script without its foreign keys: links are then inferred."""
    return re.sub(r" REFERENCES \w+ \(\w+\)", "", script)


def opened(folder, script, name="data"):
    """A clean source over a file that a script fills."""
    path = folder / f"{name}.sqlite"
    with sqlite3.connect(path) as db:
        db.executescript(script)
    db.close()
    source = open_source(path)
    return CleanSource(source, build(source))


def put_right(source, question, statement, encoder=None):
    """What code makes of a statement that was drafted for a question."""
    return settled(statement, question, source, value_hints(question, source), encoder)


def joined(source, statement):
    """A statement completed by joins, as SQL of SQLite."""
    return completed(parsed(statement, source.database), source.database).sql(dialect="sqlite")
