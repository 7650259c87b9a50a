from pincite.search.index.plain_descriptions import Plainly, key_phrases
from pincite.types import Anchor, Cell, Document, Node, Table


def test_key_phrases_by_hand():
    # "heat pump" stands twice in the first text only: 2 x ln(3 / 1) x 2 words; "sold" stands in both: 1 x ln(3 / 2)
    assert key_phrases(["The heat pump was sold. A heat pump!", "Sold in May"], 2) == [
        ["heat pump", "sold"],
        ["May", "Sold"],
    ]


def test_a_phrase_is_one_by_its_stems_and_does_not_run_over_stop_words_or_lines():
    (found,) = key_phrases(["Heat pumps of the north\nHeat pump 12 valves"], 9)
    assert found == ["Heat pumps", "north", "valves"]


def test_no_two_phrases_share_a_word():
    (found,) = key_phrases(["alpha beta gamma delta epsilon"], 9)
    assert found == ["alpha beta gamma", "delta epsilon"]


def test_pages_and_tables_in_words_that_code_knows():
    table = Table((Cell(0, 0, ""), Cell(0, 1, "2023"), Cell(0, 2, "Change"), Cell(1, 0, "Use"), Cell(1, 1, "5 MWh")),
                  caption="Use of power")  # fmt: skip
    nodes = (
        Node("h", "heading", "Sites", Anchor("s", ((1, None),))),
        Node("c", "caption", "Figure 1: A site", Anchor("s", ((1, None),))),
        Node("t", "table", "Use 5 MWh", Anchor("s", ((1, None),), path="Sites"), table=table),
        Node("p", "page", "Sites\nUse 5 MWh", Anchor("s", ((1, None),))),
        Node("q", "page", " ", Anchor("s", ((2, None),))),
    )
    document = Document("site-report.pdf", "v", "Our sites", nodes=nodes)
    page, of_table = Plainly(phrases=1)(document)
    assert list(Plainly(phrases=1, kinds=("page",))(document)) == [page]
    assert (page.node, page.view, of_table.node) == ("p", "plainly", "t")
    assert page.text.split("\n") == [
        "site report | Our sites | Sites", "Figure 1: A site; Use of power", "Change",
        "megawatt hour energy electricity consumption", "Sites",
    ]  # fmt: skip
    assert of_table.text.split("\n")[1:3] == ["Use of power", "Change"]
