"""Pages added for what a question combines."""

from dataclasses import dataclass
from types import SimpleNamespace

from benchmarks.measuring.bare_table import table_of
from pincite.search.statement_pages import Widen
from pincite.stage import Stage
from pincite.types import Anchor, Hit, Node, Query, Ranking

BALANCE = [
    ["Consolidated balance sheet", "2020", "2019"],
    ["Inventories", "30", "10"],
    ["Total current assets", "90", "60"],
    ["Total assets", "200", "150"],
    ["Total current liabilities", "45", "40"],
]
NOTE = [["", "2020", "2019"], ["Raw goods", "20", "4"], ["Inventories", "30", "10"]]
INCOME = [
    ["", "2020", "2019"],
    ["Net sales", "400", "320"],
    ["Cost of sales", "300", "260"],
    ["Net income", "5", "4"],
]
TABLES = {("v", 5): NOTE, ("v", 6): BALANCE, ("v", 9): INCOME}


class Pages:
    """A corpus of one report: node "p6" is page 6, and three of its pages hold tables."""

    by_version = {"v": SimpleNamespace(id="acme.pdf")}

    def places(self, nodes):
        return {node: ("v", int(node[1:])) for node in nodes}

    def page(self, version, page):
        rows = TABLES.get((version, page))
        return (
            [Node(f"t{page}", "table", "", Anchor("s", ((page, None),)), table=table_of(rows, []))]
            if rows
            else []
        )


@dataclass(frozen=True)
class Asked(Stage[Query, Ranking]):
    """Finds pages 4 to 9 for every query and keeps what was asked."""

    asked: list

    def run(self, given):
        self.asked.append(given)
        return Ranking(given, tuple(Hit(f"p{page}", 1.0 / page) for page in (4, 5, 6, 7, 8, 9)))


def widened(text, pages=(1, 2, 3, 4, 5)):
    asked = []
    query = Query(text, where=(("company", ("Acme",)),))
    given = Ranking(query, tuple(Hit(f"p{page}", 10.0 - page) for page in pages))
    made = Widen(Pages(), Asked(asked)).run(given)
    return [hit.node for hit in made.hits], asked, made


def test_the_statements_of_a_metric_stand_behind_the_first_pages():
    pages, asked, made = widened("What was the inventory turnover in 2020?")
    assert pages[:3] == ["p1", "p2", "p3"]
    assert set(pages[3:6]) == {"p9", "p6", "p5"}
    assert pages.index("p6") < pages.index("p5")  # the statement before the note
    assert [hit.score for hit in made.hits[3:6]] == [7.0, 7.0, 7.0]
    assert [query.where for query in asked] == [
        (("company", ("Acme",)), ("document", ("acme.pdf",)))
    ] * 2
    assert "cost of sales" in asked[0].text
    assert "2020" in asked[0].text
    assert "inventories" in asked[1].text


def test_a_hit_stands_once():
    pages, _, _ = widened("What was the inventory turnover in 2020?")
    assert len(pages) == len(set(pages))


def test_other_questions_and_empty_rankings_pass_unchanged():
    pages, asked, _ = widened("Who chairs the board of Acme?")
    assert (pages, asked) == (["p1", "p2", "p3", "p4", "p5"], [])
    assert widened("What was the inventory turnover in 2020?", ())[0] == []
