"""A model's replies and what code makes of them: asked again once, the best kept, what is not there declined, writes refused."""

import math
from dataclasses import dataclass, field

import pytest

from pincite.errors import ReplyInvalid
from pincite.ports import Completion, TokenChoice
from pincite.rows.drafting.draft_confidence import confidence, features, threshold
from pincite.rows.drafting.explained_words import ExplainedWords
from pincite.rows.drafting.statement_draft import draft
from pincite.rows.drafting.statement_form import StatementForm
from pincite.rows.reading_rows import interpreted, vote, weighed
from tests.rows.drafting.stores import opened


@dataclass
class Written:
    """Stands in for what a model wrote: these statements in order, the last again and again; `asked` are its prompts."""

    statements: tuple
    tokens: tuple = ()
    asked: list = field(default_factory=list)
    name = "written"

    async def complete(self, prompt, form):
        self.asked.append(prompt)
        said = self.statements[min(len(self.asked), len(self.statements)) - 1]
        if isinstance(said, Exception):
            raise said
        return Completion(StatementForm(statement=said), text=said, tokens=self.tokens)


def drafts(source, question, *statements, **more):
    model = Written(statements, **more)
    return draft(question, source, model), model.asked


RIGHT = "SELECT COUNT(*) FROM shipment WHERE carrier = 'Passat'"
SHIPMENTS = "How many shipments did Passat make?"


def test_a_right_statement_is_asked_for_once(shop):
    made, asked = drafts(shop, SHIPMENTS, RIGHT)
    assert (made.result.rows, made.tried, made.against, made.reason) == (((3,),), (), (), "")
    assert len(asked) == 1 and asked[0].turns == () and asked[0].logprobs
    assert [hint.value for hint in made.hints] == ["Passat"]


@pytest.mark.parametrize(
    ("first", "problem"),
    [
        ("SELECT COUNT(* FROM shipment", "not valid in sqlite: "),
        ("SELECT colour FROM shipment", "there is no column colour; near it are c"),
        ("SELECT id FROM planets", "there is no table planets; there are customer, "),
        ("SELECT COUNT(*) FROM shipment", "nothing in the statement is about 'Passat'"),
        ("SELECT carrier FROM shipment WHERE carrier = 'Passat'", "the statement does nothing for 'How many'"),
        ("SELECT COUNT(*) FROM shipment WHERE carrier = 'Passats Ltd'", "no row has 'Passats Ltd' in shipment.carrier"),
        ("SELECT id FROM shipment WHERE carrier = 'Passat' AND SUM(id) > 1",
         "data could not run the statement: misuse of aggregate"),
    ],
    ids=["syntax", "column", "table", "value left out", "not done", "value", "the database's words"],
)  # fmt: skip
def test_a_statement_with_a_fault_goes_back_once_with_what_is_wrong(shop, first, problem):
    made, asked = drafts(shop, SHIPMENTS, first, RIGHT)
    assert made.result.rows == ((3,),) and made.against == ()
    assert len(asked) == 2 and [said for said, _ in made.tried] == [first]
    ((reply, told),) = asked[1].turns
    assert reply == first and problem in made.tried[0][1]
    assert told.startswith(f"This was not used: {made.tried[0][1][:30]}")
    assert (asked[0].system, asked[0].context) == (asked[1].system, asked[1].context)


def test_of_two_with_faults_the_better_stays(shop):
    question = "How many shipments did Passat make for Adler Bau?"
    better = f"{RIGHT} AND order_id IN (101, 102)"
    worse = "SELECT COUNT(*) FROM shipment"
    for first, second in ((better, worse), (worse, better)):
        made, asked = drafts(shop, question, first, second)
        assert len(asked) == 2 and len(made.tried) == 2
        assert made.against == ("nothing in the statement is about 'Adler Bau'",)
        assert made.result.rows == ((1,),)


def test_what_ran_stays_when_the_second_does_not(shop):
    for second in ("SELECT colour FROM shipment", "NONE"):
        made, asked = drafts(shop, SHIPMENTS, "SELECT COUNT(*) FROM shipment", second)
        assert made.result.rows == ((7,),) and len(asked) == 2
        assert made.against == ("nothing in the statement is about 'Passat'",)


def test_two_that_do_not_run_end_with_the_last_reason(shop):
    made, asked = drafts(shop, SHIPMENTS, "SELECT a FROM shipment", "SELECT zzzz FROM shipment")
    assert made.result is None and made.reason == "there is no column zzzz" and len(asked) == 2
    assert [said for said, _ in made.tried] == [
        "SELECT a FROM shipment",
        "SELECT zzzz FROM shipment",
    ]


@pytest.mark.parametrize("said", ["NONE", " NONE "])
def test_a_model_may_say_that_it_is_not_there(shop, said):
    made, asked = drafts(shop, "Who is the captain?", said)
    assert made.result is None and len(asked) == 1
    assert made.reason == "by the model, data holds nothing of what is asked for"


@pytest.mark.parametrize(
    "said",
    [
        "DELETE FROM shipment",
        "DROP TABLE shipment",
        "UPDATE shipment SET carrier = 'x'",
        "INSERT INTO shipment VALUES (9, 101, 'x', '2023-01-01')",
        "ATTACH DATABASE 'other.sqlite' AS other",
        "PRAGMA table_info(shipment)",
        "SELECT load_extension('evil')",
        "WITH gone AS (DELETE FROM shipment RETURNING id) SELECT * FROM gone",
        "CREATE TABLE copy AS SELECT * FROM shipment",
    ],
)
def test_what_does_more_than_read_is_refused_and_not_asked_for_again(shop, said):
    made, asked = drafts(shop, SHIPMENTS, said)
    assert made.result is None and len(asked) == 1 and made.tried == ()
    assert made.reason.startswith("the model's statement was refused and not run: ")
    assert shop.run("SELECT COUNT(*) FROM shipment").rows == ((7,),)


def test_two_statements_are_refused(shop):
    made, asked = drafts(shop, SHIPMENTS, f"{RIGHT}; DROP TABLE shipment", RIGHT)
    assert made.result is None and "one statement is run" in made.reason and len(asked) == 1
    assert shop.run("SELECT COUNT(*) FROM shipment").rows == ((7,),)


def test_a_reply_in_no_form_is_a_reason(shop):
    made, _ = drafts(shop, SHIPMENTS, ReplyInvalid("the reply was cut"))
    assert made.result is None and "the reply was cut" in made.reason


def test_a_fenced_statement_is_one(shop):
    made, _ = drafts(shop, SHIPMENTS, f"```sql\n{RIGHT};\n```")
    assert made.result.rows == ((3,),)


def test_the_chances_are_those_of_the_statement(shop):
    form = TokenChoice('{"statement": "', {'{"statement": "': math.log(0.01)})
    own = [TokenChoice(text, {text: math.log(p)}) for text, p in (("SELECT", 0.9), (" 1", 0.4))]
    made, _ = drafts(shop, SHIPMENTS, RIGHT, tokens=(form, *own))
    assert made.chances == pytest.approx((math.log(0.9), math.log(0.4)))
    assert drafts(shop, SHIPMENTS, RIGHT)[0].chances == ()


def test_of_many_tables_the_likely_ones_are_shown(tmp_path):
    script = "".join(f"CREATE TABLE thing_{at} (id INTEGER, size_{at} REAL);" for at in range(40))
    source = opened(tmp_path, script + "CREATE TABLE zebra (id INTEGER, stripes INTEGER);")
    _, asked = drafts(source, "How many stripes has the zebra?", "SELECT stripes FROM zebra")
    assert len(asked[0].context) == 24
    assert any(table.startswith("CREATE TABLE zebra (") for table in asked[0].context)


def test_a_second_draft_decides_how_sure_the_first_is(shop):
    made, _ = drafts(shop, SHIPMENTS, RIGHT)
    agreed = weighed(SHIPMENTS, shop, made, "agrees")
    disputed = weighed(SHIPMENTS, shop, made, "differs")
    assert agreed.confidence > disputed.confidence
    for found in (agreed, disputed):
        assert found.refused == (found.confidence < threshold())
        assert found.result.rows == ((3,),) and found.asked == made.statement
        assert found.statement.startswith('WITH "shipment" AS (SELECT ')
        assert ("Passat", "carrier = Passat") in found.mapping
    if disputed.refused:
        assert "read again, the question led to other rows" in disputed.reason


def test_a_draft_is_voted_on_once(shop):
    model = Written((RIGHT,))
    found = interpreted("How many shipments were made by Passat?", shop, None, model)
    assert found.result.rows == ((3,),)
    assert [(prompt.run, prompt.temperature) for prompt in model.asked] == [(0, 0.0), (1, 0.7)]


@pytest.mark.parametrize(
    ("second", "said"),
    [
        (RIGHT, "agrees"),
        ("SELECT COUNT(id) AS n FROM shipment WHERE carrier = 'Passat'", "agrees"),
        ("SELECT COUNT(*) + 1 FROM shipment WHERE carrier = 'Passat'", "differs"),
        ("SELECT colour FROM shipment", "differs"),
        ("NONE", "differs"),
    ],
)
def test_a_second_draft_agrees_or_differs(shop, second, said):
    made, _ = drafts(shop, SHIPMENTS, RIGHT)
    assert vote(SHIPMENTS, shop, made, Written((second,))) == said


@pytest.mark.parametrize(("chance", "asked"), [(0.95, 1), (0.5, 2)])
def test_a_draft_that_the_model_is_sure_of_needs_no_other(shop, chance, asked):
    begun = [TokenChoice('{"statement": "', {'{"statement": "': 0.0})]
    tokens = (*begun, *(TokenChoice("a", {"a": math.log(chance)}) for _ in range(10)))
    model = Written((RIGHT,), tokens)
    found = interpreted("How many shipments were made by Passat?", shop, None, model)
    assert found.result.rows == ((3,),) and len(model.asked) == asked


def test_what_is_looked_up_asks_no_model(shop):
    model = Written(())
    assert interpreted("region of Adler Bau", shop, None, model).result.rows == (("North",),)
    assert model.asked == []


def test_rows_of_nothing_are_no_answer(shop):
    model = Written(
        ("SELECT MAX(shipped_on) FROM shipment WHERE carrier = 'Passat' AND order_id = 101",)
    )
    found = interpreted("When did Passat last ship order 101?", shop, None, model)
    assert found.refused and "the statement finds nothing" in found.reason


def test_what_speaks_against_a_statement_makes_it_less_sure(shop):
    made, _ = drafts(shop, SHIPMENTS, RIGHT)
    known = features(made, "agrees", ExplainedWords())
    assert (known["against"], known["agrees"], known["alone"], known["tables"]) == (
        0,
        1,
        0,
        0,
    )
    assert known["likelihood"] == 0.0 and known["values"] == 1 and known["least explained"] == 1.0
    assert features(made, "alone", ExplainedWords())["agrees"] == 0
    assert features(made, "differs", ExplainedWords((("a", "", 0.1),)))["unexplained"] == 1
    assert 0 < confidence(known) < 1 and 0 < threshold() < 1
    assert confidence(known) > confidence(features(made, "differs", ExplainedWords()))


def test_prose_in_the_place_of_a_statement_is_asked_for_again(shop):
    made, asked = drafts(shop, SHIPMENTS, "hello there", RIGHT)
    assert len(asked) == 2 and made.result.rows == ((3,),)
