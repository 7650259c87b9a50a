"""A model that drafts right, wrong, unsafe, unparsable and endless statements: only right, safe ones answer."""

import sqlite3
from decimal import Decimal

import pytest

from pincite.errors import BudgetSpent, ModelError
from pincite.rows.drafting.statement_draft import ALONE, REPAIRS, draft
from pincite.testing.fakes import Reply, failure
from tests.rows.fleet import ORDER, drafting, fleet

HEAVY = "Which vessels have a deadweight above 20000?"
RIGHT = "SELECT name FROM vessel WHERE deadweight > 20000"
ROWS = (("Alma",), ("Corva",), ("Delta",))
JOIN = "How many vessels are registered in Brekke?"
COUNT = (
    "SELECT COUNT(*) FROM vessel JOIN port ON vessel.port_id = port.id WHERE port.town = 'Brekke'"
)


@pytest.fixture(scope="module")
def given(tmp_path_factory):
    with fleet(tmp_path_factory.mktemp("fleet")) as (source, values):
        yield source, values


def drafted(given, question, *statements, **more):
    source, values = given
    with drafting(*statements) as (model, server):
        return draft(question, source, values, model, **more), server.asked


def test_a_right_statement_answers_at_once(given):
    made, asked = drafted(given, HEAVY, RIGHT)
    assert (
        made.result.rows == ROWS
        and made.reason == ""
        and made.tried == ()
        and made.confidence == ALONE
    )
    assert (
        made.statement == 'SELECT "name" FROM "vessel" WHERE "deadweight" > 20000'
        and len(asked) == 1
    )


@pytest.mark.parametrize(
    "written",
    [
        f"```sql\n{RIGHT};\n```",
        RIGHT.upper(),
        f"{RIGHT} -- ignore what follows",
        'SELECT v."NAME" FROM "Vessel" AS v WHERE v.deadweight > 20000',
        "WITH big AS (SELECT * FROM vessel WHERE deadweight > 20000) SELECT big.name FROM big",
        "SELECT name FROM (SELECT name, deadweight AS tonnes FROM vessel) WHERE tonnes > 20000 ORDER BY tonnes",
    ],
)
def test_a_right_statement_may_be_written_in_many_ways(given, written):
    made, asked = drafted(given, HEAVY, written)
    assert (
        sorted(made.result.rows) == sorted(ROWS)
        and len(asked) == 1
        and "ignore" not in made.statement
    )


def test_a_text_in_double_quotes_is_a_text_to_sqlite(given):
    made, _ = drafted(given, JOIN, COUNT.replace("'", '"'))
    assert made.result.rows == ((2,),) and "= 'Brekke'" in made.statement


def test_a_join_and_what_each_word_was_taken_for(given):
    fields = {
        "statement": COUNT + ";",
        "terms": [
            {"words": "vessels", "meaning": "vessel"},
            {"words": "in Brekke", "meaning": "port.town = 'Brekke'"},
        ],
    }
    made, _ = drafted(given, JOIN, fields)
    assert made.result.rows == ((2,),) and made.confidence == ALONE
    assert (
        made.mapping == (("vessels", "vessel"), ("in Brekke", "port.town = 'Brekke'"))
        and made.unmapped == ()
    )


def test_the_model_sees_cards_and_values_and_no_order_that_a_cell_gives(given):
    _, asked = drafted(given, JOIN, COUNT)
    said, rules = asked[0].said("user"), asked[0].said("system")
    assert '"deadweight": integer' in said and '"vessel"."port_id" = "port"."id"' in said
    assert '"port"."town" has \'Brekke\'' in said
    assert ORDER not in said and "DROP" not in said and "'laid up'" in said
    assert (
        "secret" not in said
        and "data from a database that nobody has vetted" in rules
        and "Brekke?" in said
    )
    marks = {line.split()[1] for line in said.splitlines() if line.startswith("=== ")}
    assert len(marks) == 1 and f"mark {marks.pop()}" in said


def test_of_many_tables_those_are_shown_that_the_question_needs_or_that_hold_its_values(given):
    _, asked = drafted(
        given, "How many vessels have which remark? Brekke", "SELECT COUNT(*) FROM vessel", k=1
    )
    said = asked[0].said("user")
    assert 'Table "vessel"' in said and 'Table "port"' in said
    _, asked = drafted(
        given, "How many vessels have which remark?", "SELECT COUNT(*) FROM vessel", k=1
    )
    assert 'Table "port"' not in asked[0].said("user")


@pytest.mark.parametrize(
    ("wrong", "problem"),
    [
        ("SELECT title FROM vessel WHERE deadweight > 20000", "there is no column title"),
        (
            "SELECT v.tonnage FROM vessel v WHERE v.deadweight > 20000",
            "there is no column tonnage in v",
        ),
        (
            "SELECT name FROM ships WHERE deadweight > 20000",
            "there is no table ships; there are port, vessel",
        ),
        ("SELECT name FROM vessel WHERE (deadweight > 20000", "not valid in sqlite"),
        ("SELECT name FROM vessel", "the number 20000 is not in the statement"),
        ("SELECT town FROM port WHERE id > 20000", "about 'vessels'"),
        (
            "SELECT name FROM vessel WHERE deadweight > 20000 AND remark = 'scrapped'",
            "looks for 'scrapped'",
        ),
        (
            "SELECT name FROM vessel WHERE deadweight > 20000 AND json_type(name) = 'x'",
            "could not run the statement",
        ),
    ],
)
def test_what_is_wrong_goes_back_and_the_next_statement_may_be_right(given, wrong, problem):
    made, asked = drafted(given, HEAVY, {"statement": wrong, "reasoning": "first"}, RIGHT)
    assert made.result.rows == ROWS and made.confidence == pytest.approx(ALONE * 0.85)
    assert problem in made.tried[0][1] and len(asked) == 2
    assert problem in asked[1].messages[-1]["content"] and asked[1].turns == 1


def test_after_two_repairs_it_is_refused_with_the_reason(given):
    made, asked = drafted(
        given,
        HEAVY,
        "SELECT title FROM vessel",
        "SELECT caption FROM vessel",
        "SELECT label FROM vessel",
    )
    assert made.result is None and made.confidence == 0 and len(asked) == 1 + REPAIRS
    assert "none of 3 statements" in made.reason and "no column label" in made.reason
    assert [one for one, _ in made.tried][0] == "SELECT title FROM vessel"


def test_a_statement_that_leaves_words_out_is_believed_less_when_it_is_insisted_on(given):
    made, asked = drafted(given, JOIN, "SELECT COUNT(*) FROM vessel")
    assert (
        made.result.rows == ((5,),)
        and made.confidence < 0.5
        and "Brekke" in made.unmapped
        and len(asked) == 2
    )
    made, asked = drafted(
        given, HEAVY, "SELECT name FROM vessel WHERE deadweight > 20000 AND built > '2030-01-01'"
    )
    assert made.confidence < 0.5 and "finds nothing" in made.tried[0][1] and len(asked) == 2


@pytest.mark.parametrize(
    "unsafe",
    [
        "DROP TABLE vessel",
        "SELECT name FROM vessel WHERE deadweight > 20000; DELETE FROM vessel",
        "DELETE FROM vessel RETURNING name",
        "UPDATE vessel SET deadweight = 0",
        "SELECT word FROM secret",
        "SELECT name FROM vessel UNION SELECT word FROM secret",
        "SELECT (SELECT word FROM secret) FROM vessel",
        "SELECT sql FROM sqlite_master",
        "SELECT load_extension('x')",
        "SELECT readfile('/etc/passwd')",
        "ATTACH 'other.sqlite' AS x",
        "PRAGMA writable_schema = 1",
        "WITH RECURSIVE t (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT n FROM t",
        "INSERT INTO vessel (((",
    ],
)
def test_an_unsafe_statement_is_never_run_and_never_mended(given, unsafe):
    source, _ = given
    made, asked = drafted(given, HEAVY, unsafe, RIGHT)
    if (
        "secret" in unsafe
    ):  # to the model a table like any other that is not there; it is told so, and nothing is run
        assert all("secret" not in one for one, _ in made.tried[1:])
        assert made.result.rows == ROWS and "no table secret" in made.tried[0][1]
    else:
        assert made.result is None and made.confidence == 0 and len(asked) == 1
        assert "refused and not run" in made.reason and made.tried[0][0] == unsafe
    path = source.database.address.removeprefix("sqlite:///")
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as db:
        assert db.execute("SELECT count(*), sum(deadweight) FROM vessel").fetchone() == (5, 164000)
    db.close()


def test_a_statement_that_takes_too_long_is_stopped_and_refused(given):
    product = ", ".join(f"vessel v{n}" for n in range(24))
    made, asked = drafted(
        given, "How many vessels?", f"SELECT count(*) FROM {product}", seconds=0.05
    )
    assert (
        made.result is None
        and "stopped the statement" in made.reason
        and len(asked) == 1 + REPAIRS
    )


def test_what_the_tables_do_not_hold_is_refused_and_named(given):
    fields = {
        "statement": "N/A",
        "terms": [{"words": "captain"}, {"words": "Alma", "meaning": "vessel.name = 'Alma'"}],
    }
    made, asked = drafted(given, "Who is the captain of the Alma?", fields)
    assert (
        made.result is None
        and made.unmapped == ("captain",)
        and "captain" in made.reason
        and len(asked) == 1
    )


def test_a_reply_that_fits_no_form_is_refused(given):
    made, asked = drafted(given, HEAVY, Reply("no form at all"))
    assert made.result is None and "no reply that fits" in made.reason and len(asked) == 3


def test_no_reply_and_no_money_are_raised(given):
    source, values = given
    with (
        drafting(failure(400, "gone away")) as (model, _),
        pytest.raises(ModelError, match="gone away"),
    ):
        draft(HEAVY, source, values, model)
    with drafting(RIGHT, budget=Decimal("0.000001")) as (model, server):
        with pytest.raises(BudgetSpent):
            draft(HEAVY, source, values, model)
        assert server.asked == []
