import pytest

from pincite.errors import BudgetSpent, ReplyInvalid, UsageError
from pincite.generate.plan import Decompose, Rephrase, SubQuestions
from pincite.question.contest import contest, names_of
from pincite.stage import traced
from pincite.types import Query
from tests.search.test_company_scope import Reports
from tests.stand_ins.fakes import ScriptedModel

ERC = (
    'Which of the companies had the lowest total assets in USD at the end of the period listed in annual report: "Contoso '
    'Foods plc", "Fabrikam AG", "Northwind"? If data for the company is not available, exclude it from the comparison. If '
    "only one company is left, return it."
)


def says(**reply):
    return ScriptedModel(lambda prompt, form: reply)


def fails(error):
    def script(prompt, form):
        raise error

    return ScriptedModel(script)


def never(prompt, form):
    raise AssertionError("no call is needed")


def test_rephrasings_stand_beside_the_question_each_once():
    query = Query("What was the revenue in 2023?", where=(("year", ("2023",)),), expects="number")
    model = says(
        rephrasings=[
            "Net sales 2023",
            "what was the  revenue in 2023",
            " ",
            "net sales 2023.",
            "Turnover 2023",
            "Sales",
        ]
    )
    plan = Rephrase(model, n=2)(query)
    assert plan.question == query
    assert [one.text for one in plan.queries] == [query.text, "Net sales 2023", "Turnover 2023"]
    assert {(one.where, one.expects) for one in plan.queries} == {(query.where, "number")}


def test_without_rephrasings_the_question_alone_is_planned():
    with traced() as spans:
        assert Rephrase(fails(ReplyInvalid("no form")))(Query("q")).queries == (Query("q"),)
    assert spans[0].notes == ("not rephrased: no form",)
    with pytest.raises(BudgetSpent):
        Rephrase(fails(BudgetSpent("no money")))(Query("q"))
    with pytest.raises(UsageError, match="2 to 5"):
        Rephrase(says(), n=1)


@pytest.mark.parametrize(
    "text",
    ["What was the revenue?", "What was Fabrikam's revenue in 2023?", "Who leads Northwind?"],
)
def test_a_simple_question_is_its_own_plan_and_costs_no_call(text):
    assert Decompose(Reports(), ScriptedModel(never))(Query(text)).queries == (Query(text),)


def test_one_question_for_each_company_in_its_own_documents_without_a_model():
    plan = Decompose(Reports())(Query(ERC, expects="name"))
    asked = (
        "What was the total assets in USD at the end of the period listed in annual report for {}?"
    )
    assert plan.queries == (
        Query(asked.format("Contoso Foods plc"), (("document", ("0.pdf", "1.pdf")),), "number"),
        Query(asked.format("Fabrikam AG"), (("document", ("2.pdf",)),), "number"),
        Query(asked.format("Northwind"), (("company", ("Northwind",)),), "number"),
    )


def test_the_model_words_the_questions_and_code_scopes_them():
    model = says(
        parts=[
            {"name": "fabrikam", "question": "What was Fabrikam's revenue in 2023?"},
            {"name": "Evil", "question": "What is the password?"},
            {"name": "Contoso", "question": "What was Contoso's revenue?"},  # loses the year
        ]
    )
    plan = Decompose(Reports(), model)(
        Query("Which had the higher revenue in 2023, Fabrikam or Contoso?")
    )
    assert [(one.text, one.where[0][1]) for one in plan.queries] == [
        ("What was Fabrikam's revenue in 2023?", ("2.pdf",)),
        ("What was the revenue in 2023 for Contoso?", ("0.pdf", "1.pdf")),
    ]


@pytest.mark.parametrize(
    ("text", "first", "expects"),
    [
        (
            "Which company had the higher revenue in 2023, A or B?",
            "What was the revenue in 2023 for A?",
            "number",
        ),
        (
            "Did A have a higher headcount than B in 2023?",
            "What was the headcount in 2023 for A?",
            "number",
        ),
        (
            "Is the revenue of A larger than that of B in 2023?",
            "What was the revenue in 2023 for A?",
            "number",
        ),
        (
            "Was A's net profit in 2022 higher than B's?",
            "What was the net profit in 2022 for A?",
            "number",
        ),
        ("Who has more employees: A or B?", "What was the number of employees for A?", None),
        (
            "Whose revenue was higher in 2023, A's or B's?",
            "What was the revenue in 2023 for A?",
            "number",
        ),
        (
            "In 2023, which of A and B had the highest net debt?",
            "What was the net debt in 2023 for A?",
            "number",
        ),
        (
            "How much more revenue did A have than B in 2023?",
            "What was the revenue in 2023 for A?",
            "number",
        ),
        (
            "What was the combined revenue of A and B in 2023?",
            "What was the revenue in 2023 for A?",
            "number",
        ),
        ("Which of A and B was founded earliest?", "When was A founded?", None),
        (
            "Which of the companies announced a share buyback: A, B?",
            "True or false: A announced a share buyback.",
            "boolean",
        ),
        ("Did A and B both pay a dividend in 2023?", "Did A pay a dividend in 2023?", "boolean"),
        (
            "Compare the dividend policies of A and B.",
            "What are the dividend policies of A?",
            None,
        ),
    ],
)
def test_the_wording_of_one_company(text, first, expects):
    import re

    text, first = (
        re.sub(r"\bA\b", "Fabrikam", re.sub(r"\bB\b", "Contoso", one)) for one in (text, first)
    )
    plan = Decompose(Reports())(Query(text))
    assert (plan.queries[0].text, plan.queries[0].expects) == (first, expects)
    assert plan.queries[1].text == first.replace("Fabrikam", "Contoso")


def test_names_of_companies_are_no_wording():
    class Best(Reports):
        listed = Reports.listed[:1] + tuple(
            type(Reports.listed[0])(9, name) for name in ("Best First Holdings",)
        )

    plan = Decompose(Best())(Query("Which had the lower revenue, Best First Holdings or Contoso?"))
    assert plan.queries[0].text == "What was the revenue for Best First Holdings?"


def test_compound_questions_are_taken_apart_by_the_model_alone():
    text = "What was the revenue in 2023 and who was its chief executive?"
    parts = [
        {"question": "What was the revenue in 2023?"},
        {"question": "Who was the chief executive?"},
    ]
    asked = Decompose(Reports(), says(parts=parts))(
        Query(text, expects="text", where=(("year", ("2023",)),))
    )
    assert [(one.text, one.expects, one.where) for one in asked.queries] == [
        (part["question"], None, (("year", ("2023",)),)) for part in parts
    ]
    assert Decompose(Reports())(Query(text)).queries == (Query(text),)
    assert Decompose(Reports(), says(parts=parts[:1]))(Query(text)).queries == (Query(text),)
    assert Decompose(Reports(), fails(ReplyInvalid("no form")))(Query(text)).queries == (
        Query(text),
    )


def parted(text, *questions):
    """The plan of a question that a model takes apart into these."""
    model = says(parts=[{"name": "", "question": question} for question in questions])
    plan = SubQuestions(model)(Query(text))
    return [(one.text, one.expects, one.unit) for one in plan.queries]


NOW, BEFORE = (
    "How many staff had Tarn at the end of 2021?",
    "How many staff had Tarn at the end of 2019?",
)


@pytest.mark.parametrize("questions", [(NOW, BEFORE), (BEFORE, NOW)])
def test_a_change_is_asked_of_its_two_times_the_later_first(questions):
    found = parted("By how many people did Tarn's staff grow from 2019 to 2021?", *questions)
    assert found == [(NOW, "number", "people"), (BEFORE, "number", "people")]
    fall = parted("By how much did Tarn's staff fall from 2019 to 2021?", *questions)
    assert fall == [(BEFORE, None, ""), (NOW, None, "")]


def test_a_change_over_one_year_is_from_the_year_before():
    asked = "By how much did the port fees grow over 2018?"
    now, before = "What were the port fees in 2018?", "What were the port fees in 2017?"
    assert [text for text, _, _ in parted(asked, now, before)] == [now, before]


def test_things_that_a_question_lists_are_asked_about_one_by_one():
    asked = "Quarter to July 2023: did Ferrow bill more to Taiwan or to China incl. Hong Kong?"
    parts = [
        f"How much did Ferrow bill to {place} in the quarter to July 2023?"
        for place in ("Taiwan", "China")
    ]
    assert [text for text, _, _ in parted(asked, *parts)] == parts


@pytest.mark.parametrize(
    ("asked", "questions"),
    [
        ("By how much did fees change from 2019 to 2021?", ["What were fees in 2019?", "What were fees in 2020?"]),
        ("By how much did fees change from 2019 to 2021?", ["What were fees in 2019?"]),
        ("By how much did fees change from 2019 to 2021?", []),
        ("Which site or depot used most water in 2021?", ["What is a site?", "What was used most in 2021?"]),
        ("Did Ferrow bill more to Taiwan or to China?", ["How much did Ferrow bill to Taiwan?"]),
    ],
)  # fmt: skip
def test_a_question_stays_whole_where_its_parts_are_not_of_its_own_times_or_things(
    asked, questions
):
    assert parted(asked, *questions) == [(asked, None, "")]


@pytest.mark.parametrize(
    "asked",
    [
        "What was the revenue in 2023?",
        "Why did output fall, and who said so?",
        "Which site used most water in 2021?",
        "What was the sum of fees and rents in 2021?",
    ],
)
def test_a_question_that_compares_no_two_values_costs_no_call(asked):
    assert SubQuestions(ScriptedModel(never))(Query(asked)).queries == (Query(asked),)


def test_each_company_keeps_a_year_of_its_own_where_none_is_lost():
    asked = "Who had the bigger staff: Fabrikam at end 2019 or Contoso at end 2020?"
    wordings = [
        "What was Fabrikam's staff at the end of 2019?",
        "What was Contoso's staff at the end of 2020?",
    ]
    parts = [
        {"name": name, "question": text}
        for name, text in zip(("Fabrikam", "Contoso"), wordings, strict=True)
    ]
    plan = Decompose(Reports(), says(parts=parts))(Query(asked))
    assert [one.text for one in plan.queries] == wordings
    lost = [
        parts[0],
        {"name": "Contoso", "question": "What was Contoso's staff at the end of 2019?"},
    ]
    plan = Decompose(Reports(), says(parts=lost))(Query(asked))
    assert "2020" in plan.queries[1].text


def test_things_called_by_a_letter_are_told_apart():
    asked = "Which used more water in 2021, A or B?"
    parts = [f"How much water did {site} use in 2021?" for site in "AB"]
    assert [text for text, _, _ in parted(asked, *parts)] == parts
    assert contest(Query(asked), names_of(asked, parts)).operation == "argmax"
