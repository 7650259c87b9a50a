"""Clean views over PostgreSQL."""

from datetime import date

import pytest

from pincite.database.sources.connection import open_source
from pincite.database.views.clean_view import clean_views, with_views

pytestmark = pytest.mark.servers

SCRIPT = """
CREATE TABLE "Orders" (id integer PRIMARY KEY, "Ordered On" text, amount text, ccy text, site_code text, note text);
INSERT INTO "Orders" VALUES
  (1, '31.01.2023', '12.480,75-', 'EUR', '00417', ''), (2, '02.10.2023', '1.150,00', 'USD', '00500', 'n/a'),
  (3, '30.02.2023', '210,5 max', 'EUR', '01120', 'late'), (4, '3.3.2023', '(4,00)', 'USD', '01121', NULL),
  (5, '04.03.2023', '', 'USD', '01122', 'late');
CREATE TABLE lines (order_id integer REFERENCES "Orders" (id), booking_date integer, sent text, item text);
INSERT INTO lines VALUES (1, 20230131, '31 Jan 2023', 'a'), (1, 20230201, 'x', 'b'), (2, 20231002, '2 Oct 2023', 'c'),
  (3, 20231003, '3 Oct 2023', 'd'), (3, 20231004, '4 Oct 2023', 'e');
COMMENT ON COLUMN lines.item IS 'what was ordered';
"""


def test_views_over_postgresql(postgres):
    with open_source(postgres.create(SCRIPT)) as source:
        views = clean_views(source)
        orders = next(view for view in views if view.name == "orders")
        assert [(c.name, c.type, c.kind, c.currency) for c in orders.columns] == [
            ("id", "integer", "key", ""), ("ordered_on", "date", "date", ""), ("amount", "number", "measure", "currency"),
            ("amount_note", "text", "other", ""), ("currency", "text", "label", ""), ("site_code", "text", "code", ""),
            ("note", "text", "label", ""),
        ]  # fmt: skip
        statement = (
            "SELECT ordered_on, amount, amount_note, site_code, note FROM orders ORDER BY id"
        )
        assert [tuple(row) for row in source.run(with_views(statement, views)).rows] == [
            (date(2023, 1, 31), pytest.approx(-12480.75), None, "00417", None),
            (date(2023, 10, 2), 1150, None, "00500", None),
            (None, pytest.approx(210.5), "max", "01120", "late"),
            (date(2023, 3, 3), -4, None, "01121", None),
            (date(2023, 3, 4), None, None, "01122", "late"),
        ]
        statement = """SELECT l.item, l.booking_date, l.sent FROM lines AS l JOIN orders AS o ON o.id = l.order_id
            WHERE extract(month FROM o.ordered_on) = 1 ORDER BY l.item"""
        assert [tuple(row) for row in source.run(with_views(statement, views)).rows] == [
            ("a", date(2023, 1, 31), date(2023, 1, 31)), ("b", date(2023, 2, 1), None),
        ]  # fmt: skip
        lines = next(view for view in views if view.name == "lines")
        assert lines.column("item").meaning == "what was ordered" and lines.links[0].many
