"""Questions over one given table: what is read of its cells, what is found, and that a program's statement finds the same."""

import pytest

from pincite.models.encoder import MiniLM
from pincite.rows.onetable.anchors import asked, ngrams
from pincite.rows.onetable.question_readings import readings
from pincite.rows.onetable.single_table import ready, tell, understood
from pincite.rows.onetable.value_grid import grid_of, source_of
from pincite.rows.programs.compilation import statement

RACES = [
    ["Year", "Town", "Winner", "Score", "Held", "Visitors"],
    ["1998", "Upwick (EAS)", "Ann Lowe", "12-3", "May 6, 1998", "1,200"],
    ["1999", "Downham (WES)", "Bob Hart", "9-8", "June 1, 1999", "900"],
    ["2000", "Upwick (EAS)", "Ann Lowe", "7-1", "May 20, 2000", "2,450"],
    ["2001", "Farley (EAS)", "Cy Stone", "10-4", "July 2, 2001", ""],
    ["2002", "Downham (WES)", "Ann Lowe", "3-2", "May 9, 2002", "1,750"],
]
QUESTIONS = [
    "how many times did ann lowe win?",
    "who won in downham after 1999?",
    "which town had the most visitors?",
    "what is the difference in visitors between 1998 and 2000?",
    "who was the winner before cy stone?",
    "how many races were held in may?",
    "which winner is listed first?",
    "which town had more visitors, upwick or downham?",
    "which years had at least 1,000 visitors?",
    "how many consecutive years did ann lowe win?",
    "what is the total number of visitors?",
    "who has the same town as bob hart?",
    "which year had no visitors listed?",
    "did upwick have more visitors than downham?",
]


def view(grid, name):
    return next(one.values for one in grid.views if one.name == name)


def test_dirty_cells_are_read_as_columns():
    grid = grid_of(RACES)
    assert view(grid, "Year (year)") == (1998.0, 1999.0, 2000.0, 2001.0, 2002.0)
    assert view(grid, "Score (second number)") == (3.0, 8.0, 1.0, 4.0, 2.0)
    assert view(grid, "Score (margin)") == (9.0, 1.0, 6.0, 6.0, 1.0)
    assert view(grid, "Held (date)") == (
        "1998-05-06",
        "1999-06-01",
        "2000-05-20",
        "2001-07-02",
        "2002-05-09",
    )
    assert view(grid, "Visitors (number)") == (1200.0, 900.0, 2450.0, None, 1750.0)
    parts = {part.name: part.texts for part in grid.parts}
    assert parts["Town (brackets part)"] == ("EAS", "WES", "EAS", "EAS", "WES")
    assert parts["Held (month part)"] == ("May", "June", "May", "July", "May")


def test_ranges_of_years_have_an_end_and_a_length():
    grid = grid_of([["Name", "Term"], ["A", "1998–2003"], ["B", "2001–02"], ["C", "1990 - 1999"]])
    assert view(grid, "Term (second number)") == (2003.0, 2002.0, 1999.0)
    assert view(grid, "Term to Term (years)") == (5.0, 1.0, 9.0)


def test_rows_that_sum_others_up_are_left_out():
    grid = grid_of([["Name", "Goals"], ["A", "1"], ["B", "2"], ["C", "3"], ["Total", "6"]])
    assert grid.totals == {3}


def test_headings_repeated_or_missing_and_short_rows():
    grid = grid_of([["", "Votes", "Votes"], ["A", "1"], [], ["B", "2", "3"]])
    assert grid.names == ("column 1", "Votes", "Votes 2")
    assert grid.cells == (("A", "1", ""), ("B", "2", "3"))


def test_what_a_question_says_of_the_cells():
    grid = grid_of(RACES)
    read = asked("did cy stome win in 1999 or more than 1,000 times?", grid, ngrams(grid))
    found = {(read.words[one.start], grid.names[one.column], one.match) for one in read.anchors}
    assert ("1999", "Year", "exact") in found
    assert ("1999", "Held", "part") in found
    assert ("stome", "Winner", "near") in found
    assert [number.value for number in read.numbers] == [1999.0, 1000.0]
    assert read.has("over")
    assert not read.has("first")


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_statement_of_a_reading_finds_its_answer(question):
    grid = grid_of(RACES)
    computed = (
        "side",
        "some",
        "none",
        "verdict",
        "run",
        "across",
    )  # said in words, not found in a cell
    with source_of(grid) as source:
        made = list(readings(asked(question, grid, ngrams(grid)), grid))
        for one in made[:: 1 + len(made) // 200]:  # a few hundred of up to two thousand
            if one.operation.startswith(computed) or " in " in one.operation:
                continue
            found = source.run(statement(one.query, source.database)).rows
            got = sorted({spelled(value) for row in found for value in row if value is not None})
            assert got == sorted({spelled(item) for item in one.answer}), one


def spelled(value):
    try:
        return f"{float(str(value).replace(',', '')):.4f}"
    except ValueError:
        return str(value)


@pytest.mark.parametrize(
    ("question", "items"),
    [
        ("how many times did ann lowe win?", ("3",)),
        ("which town had the most visitors?", ("Upwick (EAS)",)),
        ("who won in 1999?", ("Bob Hart",)),
        ("what is the total number of visitors?", ("6300",)),
        ("who was the winner before cy stone?", ("Ann Lowe",)),
    ],
)
def test_plain_questions_are_answered(question, items):
    best = tell(question, ready(RACES, MiniLM()))[0]
    assert best.items == items
    assert 0 < best.confidence < 1
    assert best.said


def test_a_heading_is_asked_for_in_other_words_where_an_encoder_is_at_hand():
    rows = [["Village", "Year built"], ["Brum", "1900"], ["Elm", "1910"]]
    plain = ready(rows)
    meant = ready(rows, MiniLM())
    for question, column in (("which town is the oldest?", 0), ("when was Elm constructed?", 1)):
        assert understood(question, plain).head_share[column] == 0
        assert understood(question, meant).head_share[column] > 0
    assert understood("what is the weather like?", meant).head_share == (0, 0)


@pytest.mark.parametrize(
    "question", ["which town hosted the games?", "which town sold most?", "which town in 1999?"]
)
def test_what_is_asked_for_ends_before_a_verb_or_a_preposition(question):
    read = understood(question, ready(RACES))
    assert read.words[slice(*read.focus)] == ("town",)


def test_confidences_are_chances():
    told = tell("which town had the most visitors?", ready(RACES, MiniLM()))
    assert sum(one.confidence for one in told) == pytest.approx(1)
    assert len({one.items for one in told}) == len(told)


@pytest.mark.parametrize("rows", [[], [["A"]], [["A", "B"], ["", ""]], [["A"], ["x"]]])
def test_tables_of_little_are_no_error(rows):
    assert isinstance(tell("how many rows are there?", ready(rows)), list)


@pytest.mark.parametrize("number", ["9" * 400, "²", "٣", "1e400", "9" * 30 + "th"])
def test_a_number_that_no_table_holds_breaks_nothing(number):
    assert all(
        found.confidence <= 1
        for found in tell(f"which town had at least {number} visitors?", ready(RACES))
    )
