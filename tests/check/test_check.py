"""Drafts made by hand over nodes made by hand: each verdict, and every way in which a claim can be wrong."""

from dataclasses import replace
from decimal import Decimal
from types import SimpleNamespace

import pytest

from pincite.check.claims import Verify, answering, check, verified
from pincite.check.owner import owned
from pincite.document.table_headers import STEP
from pincite.evidence.candidate import Candidate, Evidence, Passage
from pincite.evidence.drafted_answer import drafted
from pincite.lines.making import lines_of
from pincite.lines.operations import computed
from pincite.question.understanding import understand
from pincite.types import Anchor, Answer, Cell, Citation, Claim, Node, Quantity, Query, Table

SOURCE = "5f" * 32
ROWS = [
    ["", "2023", "2022", "2021"],
    ["Revenue", "51,210", "48,377", "45,006"],
    ["Cost of sales", "(30,118)", "(29,450)", "(27,903)"],
    ["Income tax", "(4,521)", "(3,987)", "(3,654)"],
    ["Staff costs:", "", "", ""],
    ["Wages", "(9,120)", "(8,833)", "(8,210)"],
    ["Basic earnings per share", "1.76", "1.40", "1.22"],
    ["Operating margin (%)", "12.5", "11.9", "10.3"],
]
CAPTION = "Year ended 31 December (in thousands of EUR, except per share data)"


def table_node(
    rows, name="t", page=4, caption=CAPTION, path="Income statement", head=1, spans=(), scale=1000
):
    cells = [
        Cell(
            r,
            c,
            text,
            1,
            dict(spans).get((r, c), 1),
            (100.0 + 90 * c, 100.0 + 15 * r, 180.0 + 90 * c, 110.0 + 15 * r),
        )
        for r, row in enumerate(rows)
        for c, text in enumerate(row)
        if text
    ]
    box = (100.0, 90.0, 500.0, 300.0)
    table = Table(tuple(cells), head, 1, caption, Decimal(scale), "EUR", "per share", page, box)
    text = "\n".join(" | ".join(row) for row in rows)
    return Node(name, "table", text, Anchor(SOURCE, ((page, box),), path=path), table=table)


LINES = (
    "Fuel stayed our largest cost. Cash from operations was ",
    "€101.9 million (2022: €93.4 million), and at the end of 2023 ",
    "we had 1,284 employees. Shares of 3 and 5 percent went to Arla ",
    "and Bo, respectively. No buyback was carried out in 2023.",
)


def text_node():
    starts = tuple(sum(len(line) for line in LINES[:at]) for at in range(len(LINES)))
    spots = tuple((2, (60.0, 100.0 + 14 * at, 500.0, 112.0 + 14 * at)) for at in range(len(LINES)))
    return Node("p", "paragraph", "".join(LINES), Anchor(SOURCE, spots), meta={"starts": starts})


STATEMENT, PROSE = table_node(ROWS), text_node()


def cell(question, *places, node=STATEMENT, operation="", unit=""):
    """The reader's own candidate for known cells, and the question it answers."""
    ask = understand(Query(question, expects="number", unit=unit))
    lines = lines_of([Passage(node, heading=node.anchor.path)])
    every = {value.cell: (line, value) for line in lines for value in line.values}
    found = [every[place] for place in places]
    rests = tuple(line.evidence(value) for line, value in found)
    times = dict.fromkeys(value.times[0].text for _, value in found if value.times)
    made = Candidate(found[0][1].value, rests[:1])
    if operation:
        made = computed(operation, [value.value for _, value in found], rests)
    assert made is not None
    subject = found[0][0].label.replace(STEP, " ")
    return ask, replace(made, subject=subject, period=" ".join(times))


def span(question, quote, number, value, node=PROSE):
    """A number of running text, quoted with its sentence."""
    ask = understand(Query(question, expects="number"))
    start = node.text.index(quote) + quote.index(number)
    where = Evidence(node, start=start, end=start + len(number), quote=" ".join(quote.split()))
    return ask, Candidate(value, (where,))


def told(ask, one, *others):
    """The checked answer to a candidate, with other nodes read beside the cited one."""
    nodes = {node.id: node for node in (*(e.node for e in one.evidence), *others)}
    return verified(drafted(ask, [one], 0.9, tuple(nodes)), nodes)


def verdict(*given):
    """The verdict on the first claim; "beside" where it stands there but does not answer the question."""
    answer = told(*given)
    check = answer.checks[0]
    found = check.verdict in ("supported", "computed")
    assert (answer.value is None) == (not found or not answering(check))
    return "beside" if found and not answering(check) else check.verdict


def chance(*given, **named):
    """How likely a cell answers the question."""
    return told(*cell(*given, **named)).checks[0].answers


TAX = "What was the income tax in 2023?"
CASH = LINES[0][30:] + LINES[1] + LINES[2][:23]


def test_a_cell_is_supported_and_described():
    answer = told(*cell(TAX, (3, 1)))
    assert answer.checks[0].verdict == "supported"
    assert (
        answer.checks[0].how
        == "(4,521) in row 'Income tax', column '2023', in thousands of EUR on page 4"
    )
    assert answer.value.amount == -4521000


def test_a_cell_in_the_unit_asked_for():
    answer = told(
        *cell("What was the revenue in 2023 in million EUR?", (1, 1), unit="million EUR")
    )
    assert (answer.checks[0].verdict, answer.value.value) == ("supported", Decimal("51.21"))


@pytest.mark.parametrize("change, differs", [
    ({"value": Decimal(4521)}, "the sign differs"),
    ({"value": Decimal(-4527)}, "the digits differ"),
    ({"scale": Decimal(10) ** 6}, "the scale differs"),
    ({"unit": "USD"}, "the unit differs"),
])  # fmt: skip
def test_a_changed_number_is_contradicted(change, differs):
    ask, one = cell(TAX, (3, 1))
    answer = told(ask, replace(one, value=replace(one.value, **change)))
    assert (answer.value, answer.checks[0].verdict) == (None, "contradicted")
    assert differs in answer.checks[0].how
    assert differs in answer.reason


def test_a_cell_of_another_year_contradicts_the_question():
    assert verdict(*cell(TAX, (3, 2))) == "contradicted"


def test_a_cell_of_another_row_contradicts_the_question():
    answer = told(*cell(TAX, (2, 1)))
    assert answer.checks[0].verdict == "contradicted"
    assert "row 'Income tax'" in answer.checks[0].how


def test_subject_and_period_are_those_of_the_cell():
    _, right = cell(TAX, (3, 1))
    ask, row = cell("What was the cost of sales?", (2, 1))
    assert verdict(ask, row) == "supported"
    assert verdict(ask, replace(row, subject=right.subject)) == "contradicted"
    assert verdict(ask, replace(row, period="2021")) == "contradicted"


def test_a_value_whose_place_was_moved_is_contradicted():
    ask, one = cell(TAX, (3, 1))
    _, other = cell(TAX, (5, 1))
    assert verdict(ask, replace(one, evidence=other.evidence)) == "contradicted"


def test_a_bare_total_answers_only_for_what_its_table_speaks_of():
    rows = [
        ["", "2023", "2022"],
        ["Services", "5,100", "4,800"],
        ["Licences", "2,400", "2,300"],
        ["Total", "7,500", "7,100"],
    ]
    revenue = table_node(rows, "r", caption="Revenue (in thousands of EUR)", path="Notes")
    assert verdict(*cell("What was total revenue in 2023?", (3, 1), node=revenue)) == "supported"
    assert chance("What was total revenue in 2023?", (3, 1), node=revenue) > chance(
        "What were total deposits in 2023?", (3, 1), node=revenue
    )


def test_a_percentage_row_and_a_row_that_the_scale_excepts():
    assert verdict(*cell("What was the operating margin in 2022?", (7, 2))) == "supported"
    ask, one = cell("What were the basic earnings per share in 2022?", (6, 2))
    assert one.value.amount == Decimal("1.40")
    assert verdict(ask, one) == "supported"


def test_the_column_that_the_question_names():
    rows = [
        ["", "Norway", "", "Denmark", ""],
        ["", "2023", "2022", "2023", "2022"],
        ["Scope 1", "184", "201", "62", "70"],
    ]
    node = table_node(rows, head=2, spans={(0, 1): 2, (0, 3): 2}.items(), caption="Emissions")
    asked = "What were the Scope 1 emissions in Denmark in 2022?"
    assert verdict(*cell(asked, (2, 4), node=node)) == "supported"
    assert verdict(*cell(asked, (2, 2), node=node)) == "contradicted"


def test_the_same_row_of_a_table_on_another_page():
    parent = table_node(
        ROWS[:3], "u", 9, path="Statement of the parent company", caption="In thousands of EUR"
    )
    other = [
        [cell.replace("1", "7") for cell in row] if at else row for at, row in enumerate(ROWS)
    ]
    group = table_node(other, "v", 4, path="Consolidated statement", caption="In thousands of EUR")
    asked = "What was the consolidated revenue in 2023?"
    assert verdict(*cell(asked, (1, 1), node=group), parent) == "supported"
    assert verdict(*cell(asked, (1, 1), node=parent), group) == "contradicted"


@pytest.mark.parametrize("question, places, operation", [
    ("By what percentage did the revenue change from 2022 to 2023?", ((1, 1), (1, 2)), "percentage_change"),
    ("What was the change in revenue between 2022 and 2023?", ((1, 1), (1, 2)), "difference"),
    ("What was the sum of income tax and wages in 2023?", ((3, 1), (5, 1)), "sum"),
    ("What was the average revenue for 2023, 2022 and 2021?", ((1, 1), (1, 2), (1, 3)), "average"),
])  # fmt: skip
def test_a_computed_value_is_computed_again(question, places, operation):
    ask, one = cell(question, *places, operation=operation)
    assert verdict(ask, one) == "computed"
    value = one.value
    assert (
        verdict(ask, replace(one, value=replace(value, value=value.value * Decimal("1.01"))))
        == "contradicted"
    )
    turned = replace(one, value=replace(value, value=-value.value))
    # income tax and wages stand in parentheses: what was spent may be told either way
    assert verdict(ask, turned) == ("computed" if operation == "sum" else "contradicted")


def test_a_computed_value_may_be_rounded():
    ask, one = cell(
        "By what percentage did the revenue change from 2022 to 2023?",
        (1, 1),
        (1, 2),
        operation="percentage_change",
    )
    assert verdict(ask, replace(one, value=Quantity(Decimal("5.86"), "%"))) == "computed"
    assert verdict(ask, replace(one, value=Quantity(Decimal("5.87"), "%"))) == "contradicted"


@pytest.mark.parametrize("operation, value, verdict", [
    ("product", Quantity(Decimal("6401.25"), "EUR", Decimal(1000)), "computed"),  # 12.5% of 51,210
    ("product", Quantity(Decimal("640125.0"), "EUR", Decimal(1000)), "contradicted"),
    ("a / c", Quantity(Decimal(4)), "contradicted"),
    ("percentage_change", Quantity(Decimal(4), "%"), "contradicted"),
])  # fmt: skip
def test_operands_that_are_too_few_or_of_two_units(operation, value, verdict):
    places = ((1, 1), (7, 1)) if operation == "product" else ((1, 1),)
    quotes = {(1, 1): "51,210", (7, 1): "12.5"}
    boxes = {(cell.row, cell.column): cell.box for cell in STATEMENT.table.cells}
    cited = [
        Citation(str(at), "t", Anchor(SOURCE, ((4, boxes[at]),), (at,)), quotes[at], "d")
        for at in places
    ]
    claim = Claim("x", value, tuple(map(str, places)), operation=operation)
    assert check(claim, cited, {"t": STATEMENT}).verdict == verdict


def test_operands_of_other_rows_years_or_units_are_contradicted():
    asked = "What was the change in revenue between 2022 and 2023?"
    for places in (((1, 1), (2, 2)), ((2, 1), (2, 2)), ((1, 1), (1, 3)), ((1, 2), (1, 1))):
        assert verdict(*cell(asked, *places, operation="difference")) == "contradicted"
    asked = "What was the sum of revenue and operating margin in 2023?"
    places = tuple(cell(asked, at)[1].evidence[0] for at in ((1, 1), (7, 1)))
    mixed = Candidate(Quantity(Decimal("51222.5"), "EUR", Decimal(1000)), places, operation="sum")
    assert verdict(cell(asked, (1, 1))[0], mixed) == "contradicted"


def test_a_name_that_was_picked_by_comparing():
    ask = understand(Query("In which year was the revenue the highest?"))
    places = [cell(TAX, at)[1].evidence[0] for at in ((1, 1), (1, 2), (1, 3))]
    assert verdict(ask, Candidate("2023", tuple(places), operation="argmax")) == "computed"
    assert verdict(ask, Candidate("2022", tuple(places), operation="argmax")) == "contradicted"
    assert (
        verdict(ask, Candidate("2021", tuple(places[::-1]), operation="argmax")) == "contradicted"
    )


@pytest.mark.parametrize("number, value, question, expected", [
    ("€101.9 million", "101.9", "What was the cash from operations in 2023?", "supported"),
    ("€93.4 million", "93.4", "What was the cash from operations in 2022?", "supported"),
    ("€93.4 million", "93.4", "What was the cash from operations in 2023?", "contradicted"),
    ("€101.9 million", "101.9", "What was the cash from operations in 2022?", "contradicted"),
    ("€101.9 million", "101.8", "What was the cash from operations in 2023?", "contradicted"),
    ("€101.9 million", "101.9", "How many employees did the company have at the end of 2023?", "unsupported"),
])  # fmt: skip
def test_numbers_of_a_sentence(number, value, question, expected):
    quantity = Quantity(Decimal(value), "EUR", Decimal(10) ** 6, text=number)
    assert verdict(*span(question, CASH, number, quantity)) == expected


@pytest.mark.parametrize("sentence, number, question, expected", [
    ("Gas and oil were 7 GWh and 9 GWh, respectively.", "9 GWh", "How much oil was used in GWh?", "supported"),
    ("Gas and oil were 7 GWh and 9 GWh, respectively.", "7 GWh", "How much oil was used in GWh?", "contradicted"),
    ("As of 2022 and 2023, use was 9 GWh and 7 GWh.", "7 GWh", "What was the use in 2023?", "supported"),
    ("As of 2022 and 2023, use was 9 GWh and 7 GWh.", "9 GWh", "What was the use in 2023?", "contradicted"),
    ("Use was 7 GWh and 9 GWh in 2023 and 2022, respectively.", "9 GWh", "What was the use in 2022?", "supported"),
    ("Use was 7 GWh and 9 GWh in 2023 and 2022, respectively.", "9 GWh", "What was the use in 2023?", "contradicted"),
    ("In 2022, use was 7 GWh.", "7 GWh", "What was the use in 2022?", "supported"),
    ("In 2022, use was 7 GWh.", "7 GWh", "What was the use in 2023?", "contradicted"),
    ("Use was 7 GWh in 2023 and 9 GWh a year earlier.", "9 GWh", "What was the use in 2023?", "contradicted"),
    ("Use was 7 GWh in 2023 and 9 GWh a year earlier.", "9 GWh", "What was the use in 2022?", "supported"),
    ("Use was 9 GWh, up from 7 GWh.", "7 GWh", "What was the use?", "contradicted"),
    ("Use was 9 GWh, up from 7 GWh.", "9 GWh", "What was the use?", "supported"),
    ("Use fell to 7 GWh from about 9 GWh.", "9 GWh", "What was the use?", "contradicted"),
    ("Use fell to 7 GWh from about 9 GWh.", "9 GWh", "From what did use fall?", "supported"),
    ("Use was 9 GWh from 7 sites.", "9 GWh", "What was the use?", "supported"),
    ("Gas use fell to 7 GWh, while oil use rose to 9 GWh.", "9 GWh", "How much oil was used in GWh?", "supported"),
    ("Gas use fell to 7 GWh, while oil use rose to 9 GWh.", "7 GWh", "How much oil was used in GWh?", "contradicted"),
])  # fmt: skip
def test_what_a_sentence_binds_to_its_numbers(sentence, number, question, expected):
    node = Node(
        "s",
        "paragraph",
        sentence,
        Anchor(SOURCE, ((3, (60.0, 90.0, 400.0, 102.0)),)),
        meta={"starts": (0,)},
    )
    value = Quantity(Decimal(number.split()[0]), "GWh", text=number)
    assert verdict(*span(question, sentence, number, value, node)) == expected


@pytest.mark.parametrize("question, expected", [
    ("What was the gross margin in 2023?", "unsupported"),
    ("By how much did the gross margin increase in 2023?", "supported"),
])  # fmt: skip
def test_points_of_a_change_are_no_level(question, expected):
    value = Quantity(Decimal(140), "bp", text="140 basis points")
    sentence = "In 2023 gross margin increased 140 basis points to 44.8%."
    place = Anchor(SOURCE, ((3, (60.0, 90.0, 400.0, 102.0)),))
    node = Node("s", "paragraph", sentence, place, meta={"starts": (0,)})
    assert verdict(*span(question, sentence, "140 basis points", value, node)) == expected


@pytest.mark.parametrize("question, sentence, expected", [
    ("What were the Scope 2 losses?", "Scope 1 and 2 losses were 32 GWh.", "contradicted"),
    ("What were the Scope 1 and 2 losses?", "Scope 1 & Scope 2 losses were 32 GWh.", "supported"),
    ("What were the Scope 2 losses?", "Of Scope 1 and 2 losses, Scope 2 losses were 32 GWh.", "supported"),
    ("What were the Scope 1, 2 and 3 losses?", "Scope 1 and 2 losses were 32 GWh.", "contradicted"),
])  # fmt: skip
def test_what_is_numbered_together_is_not_one_of_it(question, sentence, expected):
    place = Anchor(SOURCE, ((3, (60.0, 90.0, 400.0, 102.0)),))
    node = Node("s", "paragraph", sentence, place, meta={"starts": (0,)})
    value = Quantity(Decimal(32), "GWh", text="32 GWh")
    assert verdict(*span(question, sentence, "32 GWh", value, node)) == expected


def test_a_row_of_another_numbered_thing():
    rows = [["", "2023", "2022"], ["Scope 1 (GWh)", "32", "30"], ["Scope 2 (GWh)", "12", "11"]]
    node = table_node(rows, caption="Losses", path="Losses", scale=1)
    asked = "What were the losses of Scope {} in 2023?".format
    assert verdict(*cell(asked(3), (1, 1), node=node)) == "contradicted"
    assert verdict(*cell(asked(2), (2, 1), node=node)) == "supported"


def test_a_number_that_cannot_answer():
    assert verdict(*cell("How many employees were there in 2023?", (1, 1))) == "unsupported"
    assert verdict(*cell("Who succeeded the chief officer in 2023?", (1, 1))) == "unsupported"
    assert verdict(*cell("What percentage of revenue was wages in 2023?", (1, 1))) == "unsupported"
    assert chance("What was the height of the tower in 2023?", (1, 1)) < 0.2 < chance(TAX, (3, 1))


def test_no_cell_carries_the_number_of_another():
    ask, _ = cell("How much does the statement show?", (1, 1))
    every = [
        cell(ask.text, (row, column))[1] for row in (1, 2, 3, 5, 6, 7) for column in (1, 2, 3)
    ]
    for one in every:
        for other in every:
            answer = told(ask, replace(one, value=replace(other.value, period="")))
            assert (answer.checks[0].verdict == "supported") == (one is other)


def test_a_citation_that_does_not_lead_there():
    ask, one = cell(TAX, (3, 1))
    draft = drafted(ask, [one], 0.9, ())
    cited = draft.citations[0]
    nodes = {STATEMENT.id: STATEMENT}
    for wrong in (
        replace(cited, anchor=replace(cited.anchor, spots=((4, (100.0, 130.0, 180.0, 140.0)),))),
        replace(cited, anchor=replace(cited.anchor, spots=((5, cited.anchor.spots[0][1]),))),
        replace(cited, anchor=replace(cited.anchor, cells=((9, 9),))),
        replace(cited, anchor=replace(cited.anchor, source="00")),
        replace(cited, quote="(4,522)"),
        replace(cited, node="gone"),
    ):
        answer = verified(replace(draft, citations=(wrong,)), nodes)
        assert (answer.value, answer.checks[0].verdict) == (None, "unsupported")


def test_a_quote_whose_box_or_words_are_elsewhere():
    quantity = Quantity(Decimal("101.9"), "EUR", Decimal(10) ** 6)
    draft = drafted(*_one(span("How much?", CASH, "€101.9 million", quantity)), 0.9, ())
    cited = draft.citations[0]
    assert [page for page, _ in cited.anchor.spots] == [2]
    for wrong in (
        replace(cited, quote="Cash from operations was €201.9 million"),
        replace(cited, anchor=replace(cited.anchor, spots=PROSE.anchor.spots[3:])),
    ):
        answer = verified(replace(draft, citations=(wrong,)), {PROSE.id: PROSE})
        assert answer.checks[0].verdict == "unsupported"


def _one(given):
    ask, one = given
    return ask, [one]


def test_text_and_names_stand_in_their_quote():
    ask = understand(Query("To whom did shares go?", expects="names"))
    quote = " ".join((LINES[2][24:] + LINES[3][:21]).split())
    start = PROSE.text.index("Shares of")
    where = Evidence(PROSE, start=start, end=start + 20, quote=quote)
    assert verdict(ask, Candidate("Arla", (where,))) == "supported"
    assert verdict(ask, Candidate(("Arla", "Bo"), (where,))) == "supported"
    assert verdict(ask, Candidate("Carl", (where,))) == "unsupported"
    assert verdict(ask, Candidate(("Arla", "Carl"), (where,))) == "unsupported"


def test_a_statement_behind_a_yes_or_no():
    ask = understand(Query("Was a buyback carried out in 2023?", expects="boolean"))
    quote = LINES[3][22:]
    start = PROSE.text.index(quote)
    where = Evidence(PROSE, start=start, end=start + len(quote), quote=quote)
    assert verdict(ask, Candidate(False, (where,))) == "supported"
    assert (
        verdict(ask, Candidate(False, (replace(where, quote="A buyback was carried out."),)))
        == "unsupported"
    )


def test_the_value_follows_from_the_claims():
    ask, one = cell(TAX, (3, 1))
    draft = drafted(ask, [one], 0.9, ())
    nodes = {STATEMENT.id: STATEMENT}
    other = replace(draft, value=Quantity(Decimal(-4522), "EUR", Decimal(1000)))
    assert verified(other, nodes).value is None
    assert verified(replace(draft, claims=()), nodes).value is None
    uncited = replace(draft, claims=(Claim(draft.text, one.value),))
    assert verified(uncited, nodes).checks[0].verdict == "unsupported"


def test_an_answer_that_is_not_sure_enough_is_refused_and_told_as_possible_with_its_place():
    ask, one = cell(TAX, (3, 1))
    answer = verified(drafted(ask, [one], 0.3, ()), {STATEMENT.id: STATEMENT}, threshold=0.5)
    assert (answer.value, answer.text, answer.checks[0].verdict) == (None, "", "supported")
    assert "30% is below the threshold of 50%" in answer.reason
    (near,) = answer.possible
    assert (near.value, near.confidence, near.citation.label) == (one.value, 0.3, "p1")
    assert near.citation.anchor.cells == ((3, 1),) and not answer.citations


def test_a_value_that_does_not_stand_there_is_not_even_possible():
    ask, one = cell(TAX, (3, 1))
    _, other = cell(TAX, (2, 1))
    draft = drafted(ask, [one, other], 0.9, ())
    assert [near.value for near in draft.possible] == [other.value]
    false = replace(one.value, value=Decimal(-4522))
    wrong = replace(draft, value=false, claims=(replace(draft.claims[0], value=false),))
    answer = verified(wrong, {STATEMENT.id: STATEMENT})
    assert answer.checks[0].verdict == "contradicted"
    assert [near.value for near in answer.possible] == [other.value]
    elsewhere = verified(
        drafted(ask, [other], 0.9, ()), {STATEMENT.id: STATEMENT}
    )  # it stands, in another row than asked
    assert elsewhere.value is None and [near.value for near in elsewhere.possible] == [other.value]


def test_a_refusal_stays_one():
    ask = understand(Query(TAX))
    draft = replace(
        drafted(ask, [cell(TAX, (3, 1))[1]], 0.9, ()),
        value=None,
        text="",
        claims=(),
        reason="nothing was found",
    )
    answer = verified(draft, {})
    assert (answer.value, answer.reason, answer.possible) == (None, "nothing was found", ())


@pytest.mark.parametrize(
    "row, number", [("Operating profit", "68,253"), ("Income tax expense", "(11,706)")]
)
def test_the_example_reports(library, row, number):
    """A right cell of a real report passes; the cell below it, moved with its citation, does not."""
    corpus = library.corpus
    entry = next(one for one in corpus.documents if "halvorsen" in one.id)
    tables = [node for node in corpus.document(entry.version).nodes if node.table is not None]
    node = next(one for one in tables if any(c.text == number for c in one.table.cells))
    at = next(c for c in node.table.cells if c.text == number)
    question = f"What was the {row.lower()} of Halvorsen Maritime in 2023?"
    verify = Verify(corpus)
    ask, right = cell(question, (at.row, at.column), node=node)
    answer = verify.run(drafted(ask, [right], 0.9, (node.id,)))
    assert answer.checks[0].verdict == "supported"
    assert number in answer.checks[0].how
    _, wrong = cell(question, (at.row + 1, at.column), node=node)
    assert verify.run(drafted(ask, [wrong], 0.9, (node.id,))).checks[0].verdict == "contradicted"


BALANCE_ROWS = [
    ["", "2020", "2019", "2018"],
    ["Inventories", "30", "10", "7"],
    ["Total current assets", "90", "60", "50"],
    ["Total assets", "200", "150", "120"],
    ["Total current liabilities", "45", "40", "35"],
]
SHEET = table_node(
    BALANCE_ROWS,
    name="sheet",
    caption="Consolidated balance sheets (in thousands)",
    path="Balance sheets",
)


def metric(question, quotes, operation, value):
    """The verdict on a formula over cells of SHEET that hold `quotes`."""
    ask = understand(Query(question))
    rests = tuple(
        Evidence(SHEET, ((one.row, one.column),), quote=one.text)
        for quote in quotes
        for one in SHEET.table.cells
        if one.text == quote
    )
    chosen = Candidate(Quantity(Decimal(value)), rests, operation=operation, score=0.9)
    return verified(drafted(ask, [chosen], 0.9, (SHEET.id,)), {SHEET.id: SHEET}).checks[0].verdict


@pytest.mark.parametrize(
    ("quotes", "operation", "value", "expected"),
    [
        (["90", "45"], "a / b", "2", "computed"),
        (["60", "45"], "a / b", "1.3333333333333333333", "contradicted"),  # of two years
        (
            ["60", "90", "45"],
            "((a + b) / 2) / c",
            "1.6666666666666666667",
            "computed",
        ),  # from the end of the year before
        (["50", "45"], "a / b", "1.1111111111111111111", "contradicted"),  # two years before
        (
            ["200", "45"],
            "a / b",
            "4.4444444444444444444",
            "contradicted",
        ),  # total assets are no part of it
        (["90", "45"], "a / b", "3", "contradicted"),
    ],
)
def test_a_metric_is_made_of_its_line_items_at_its_years(quotes, operation, value, expected):
    assert metric("What was the current ratio in 2020?", quotes, operation, value) == expected


@pytest.mark.parametrize(
    ("ours", "theirs", "said", "stands"),
    [
        ("Alpha Bank", "Beta Bank", True, False),  # people name other firms, whatever these share
        ("Alpha plc", "Alpha plc", True, True),
        ("ALPHA PLC", "Gamma Inc.", False, False),
        ("ALPHA PLC", "Alpha Group", False, True),  # one firm, written in two ways on covers
        ("Alpha plc", "", True, True),
    ],
)
def test_whose_a_document_is_is_told_by_people_or_cover(ours, theirs, said, stands):
    asked = "What did Alpha plc earn?"
    assert stands_of_theirs(asked, {"company": ours}, {"company": theirs}, said=said) == stands


def stands_of_theirs(question, ours, theirs, title="", said=False):
    """Whether an answer stands that cites their document, where ours has a title."""
    listed = [
        SimpleNamespace(
            id=name, meta=meta, declared=meta if said else {}, title=title, relation=None
        )
        for name, meta, title in (("ours.pdf", ours, title), ("theirs.pdf", theirs, ""))
    ]
    corpus = type("Two", (), {"documents": tuple(listed), "select": lambda self, where: listed})()
    cited = Citation("1", "n1", Anchor("0" * 64), "7", "theirs.pdf")
    answer = Answer(Query(question), "7", Quantity(Decimal(7)), (cited,))
    return owned(answer, corpus).value is not None


@pytest.mark.parametrize("words, stands", [("", True), ("deferred plans", False)])
def test_a_question_names_no_company_by_what_a_document_is_about(words, stands):
    ours = {"company": "Rabbi Trust", "file_words": words}
    asked = "What was the Deferred income tax in 2019?"
    title = "Deferred Compensation Plan"
    assert stands_of_theirs(asked, ours, {"company": "GS Holdings"}, title) == stands


def test_a_document_of_another_company_is_no_source(library):
    asked = Query("What was the income tax expense of Solvik Energy in 2022?")
    assert library.ask(asked.text).value is None
    other = library.ask("What was the income tax expense of Halvorsen in 2022?")
    assert other.value.amount == 9_847_000
    refused = owned(replace(other, query=asked), library.corpus)
    assert (
        refused.value is None
        and not refused.citations
        and refused.possible[0].value == other.value
    )
    assert refused.possible[0].citation == replace(other.citations[0], label="p1")
    assert (
        "belongs to Halvorsen Maritime plc, but the question is about Solvik Energy"
        in refused.reason
    )
