import pytest

from benchmarks.measuring import wordings
from benchmarks.measuring.own_questions import QUESTIONS
from pincite.errors import UsageError
from pincite.records.runfile import Record, read_lines


@pytest.mark.parametrize(
    ("text", "unit", "meant"),
    [
        ("5,372 million", "USD million", 5372),
        ("516.5 million", "USD thousand", 516_500),
        ("1.1 million", "square feet", 1_100_000),
        ("76%", "%", 76),
        ("No", "", False),
        ("KPMG LLP", "", "KPMG LLP"),
        ("2009", "year", "2009"),
        ("Ana Nunez and Jo Ek", "", ["Ana Nunez", "Jo Ek"]),
    ],
)
def test_what_is_accepted(text, unit, meant):
    assert wordings.accepted(text, unit) == meant


def fact(identifier, answer, unit, count):
    return {"id": identifier, "answer": answer, "unit": unit, "wordings": ["?"] * count}


def test_figures_by_hand():
    facts = [
        fact("same", ["41 million"], "shares", 3),
        fact("differs", ["1975"], "year", 2),
        fact("silent", ["Yes"], "", 2),
        fact("half", ["Zurich"], "", 2),
    ]
    values = {
        "same/1": (41_000_000, "shares"), "same/2": (41_200_000, ""), "same/3": (41_000_000, "shares"),
        "differs/1": (1975, "year"), "differs/2": (1957, "year"),
        "silent/1": (None, ""), "silent/2": (None, ""),
        "half/1": ("Zurich", ""), "half/2": (None, ""),
    }  # fmt: skip
    records = {key: Record(key, value=value, unit=unit) for key, (value, unit) in values.items()}
    made = {line.figure.metric: line.figure for line in wordings.wording_lines(facts, records)}
    assert made["facts with no wrong and no two different answers"].value == 3 / 4
    once = made["of facts answered rightly once, right in all wordings"]
    assert once.n == 3 and once.value == pytest.approx(1 / 3)
    assert made["facts with an answer"].value == 3 / 4
    assert made["right of the shown"].value == pytest.approx(5 / 6) and made[
        "right"
    ].value == pytest.approx(5 / 9)


def test_the_facts_of_the_project_are_read_and_their_documents_named(tmp_path):
    facts = read_lines(QUESTIONS / "wordings.jsonl")
    assert all(wordings.gold(each)["answer"] for each in facts)
    with pytest.raises(UsageError, match="missing"):
        wordings.documents(tmp_path, facts)
