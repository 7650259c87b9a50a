"""How answers to the trap questions are scored."""

import json
from pathlib import Path

import pytest

from benchmarks.questions.traps.score import outcome

FOLDER = Path(__file__).parents[2] / "benchmarks" / "questions" / "traps"
LINES = [json.loads(line) for line in (FOLDER / "questions.jsonl").open(encoding="utf-8")]


def shown(gold):
    """An answer that shows the gold."""
    if gold["type"] == "table":
        return {"value": [{"code": code, "sum": amount} for code, amount in gold["per"].items()]}
    if gold["type"] == "names":
        return {"value": [wordings[0] for wordings in gold["value"]]}
    return {"value": gold["value"], "unit": gold["unit"]}


@pytest.mark.parametrize("asked", LINES, ids=lambda each: str(each["id"]))
def test_each_line_scores_its_gold_its_traps_and_a_refusal(asked):
    gold, trap = asked["gold"], asked["trap"]
    assert outcome(gold, shown(gold), trap) == "right"
    for mistake in trap:
        assert outcome(gold, {"value": mistake, "unit": gold["unit"]}, trap) == "trap"
    allowed = gold["type"] == "na" or gold["value"] == [] or gold.get("or_na")
    refusal = {"refused": True, "value": None, "text": "N/A", "reason": "nothing found"}
    assert outcome(gold, refusal, trap) == ("right" if allowed else "refused")


MONEY = {"type": "number", "value": 483000, "unit": "EUR"}
MASS = {"type": "number", "value": 11945, "unit": "t CO2e"}
LOSS = {"type": "number", "value": -13850.4, "unit": "EUR"}
COUNT = {"type": "number", "value": 0, "unit": "", "or_na": True}
TIE = {"type": "names", "value": [["Carlsen"], ["Jansen"]], "unit": ""}
SITE = {"type": "names", "value": [["South Africa", "ZA"]], "unit": ""}
NONE = {"type": "names", "value": [], "unit": ""}
HELD = {
    "type": "table",
    "value": None,
    "unit": "",
    "per": {"EUR": 53800, "USD": 54500},
    "or_na": True,
}
ABSENCE = {"type": "na", "value": None, "unit": ""}
YES = {"type": "boolean", "value": True, "unit": ""}
FELL_IN_TIE = [["Carlsen"], ["Jansen"], "Gallo"]


@pytest.mark.parametrize(
    ("gold", "answer", "trap", "expected"),
    [
        (MONEY, {"value": 483, "unit": "EUR", "scale": "thousand"}, [], "right"),
        (MONEY, {"value": "483,000 EUR", "unit": ""}, [], "right"),
        (MONEY, {"value": None, "text": "0.483 million EUR"}, [], "right"),
        (MONEY, {"value": 483000, "unit": ""}, [], "right"),
        (MONEY, {"value": 483000, "unit": "USD"}, [], "wrong"),
        (MONEY, {"value": 483, "unit": "EUR"}, [], "wrong"),
        (MONEY, {"value": [483000, 577000], "unit": "EUR"}, [], "wrong"),
        (MONEY, {"value": [{"quarter": "Q2 2023", "revenue": 483000}]}, [577000], "right"),
        (MONEY, {"value": 577, "unit": "thousand EUR"}, [577000], "trap"),
        (MONEY, {"value": True}, [], "wrong"),
        (MASS, {"value": 11.945, "unit": "kt CO2e"}, [143713.1], "right"),
        (MASS, {"value": 11945000, "unit": "kg"}, [143713.1], "right"),
        (MASS, {"value": 143713.1, "unit": "kt CO2e"}, [143713.1], "trap"),
        (LOSS, {"value": "(13,850.40)", "unit": "EUR"}, [13850.4], "right"),
        (LOSS, {"value": "\u221213 850.40 EUR"}, [13850.4], "right"),
        (LOSS, {"value": "13,850.40-"}, [13850.4], "right"),
        (LOSS, {"value": 13850.4, "unit": "EUR"}, [13850.4], "trap"),
        (LOSS, {"value": 13850.4, "unit": "EUR"}, [], "wrong"),
        (COUNT, {"value": 0}, [3], "right"),
        (COUNT, {"value": 3}, [3], "trap"),
        (TIE, {"value": "Carlsen, Jansen"}, FELL_IN_TIE, "right"),
        (TIE, {"value": [["Jansen", 2000], ["Carlsen", 2000]]}, FELL_IN_TIE, "right"),
        (TIE, {"value": None, "text": "Tove Carlsen and Wim Jansen"}, FELL_IN_TIE, "right"),
        (TIE, {"value": "Carlsen"}, FELL_IN_TIE, "trap"),
        (TIE, {"value": ["Carlsen", "Jansen", "Gallo"]}, FELL_IN_TIE, "trap"),
        (TIE, {"value": ["Carlsen", "Jansen", "Farkas"]}, FELL_IN_TIE, "wrong"),
        (SITE, {"value": "za"}, ["Spain"], "right"),
        (SITE, {"value": "Spain"}, ["Spain"], "trap"),
        (SITE, {"value": "South African Republic"}, [], "wrong"),
        (NONE, {"value": []}, ["K-13"], "right"),
        (NONE, {"value": None, "text": "none"}, ["K-13"], "right"),
        (NONE, {"value": 0}, ["K-13"], "right"),
        (NONE, {"value": "K-13"}, ["K-13"], "trap"),
        (HELD, {"value": {"USD": 54500, "EUR": 53800}}, [108300], "right"),
        (HELD, {"value": "EUR 53,800; USD 54,500"}, [108300], "right"),
        (HELD, {"value": [["EUR", 53800]]}, [108300], "wrong"),
        (HELD, {"value": [["EUR", 54500], ["USD", 53800]]}, [108300], "wrong"),
        (HELD, {"value": 108300, "unit": "EUR"}, [108300], "trap"),
        (HELD, {"value": None, "text": ""}, [108300], "right"),
        (ABSENCE, {"value": 0}, [0], "trap"),
        (ABSENCE, {"value": 17}, [0], "wrong"),
        (ABSENCE, {"refused": True, "value": 17}, [17], "right"),
        (YES, {"value": True}, [], "right"),
        (YES, {"value": "No"}, [], "wrong"),
        (YES, {"value": None, "text": "N/A"}, [], "refused"),
    ],
)
def test_outcomes(gold, answer, trap, expected):
    assert outcome(gold, answer, trap) == expected
