"""The honest oracle: how it reads numbers and derivations, how it sorts questions, and what of its replies a user is told."""

import json
import threading
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from benchmarks.measuring.honest_oracle import (
    as_page,
    group_lines,
    lost_lines,
    right_lines,
    through_lines,
)
from benchmarks.measuring.oracle_cases import case
from benchmarks.oracle.derivation import derivation
from benchmarks.oracle.figures import as_spelled, day, factor, numbers
from benchmarks.oracle.gold import sorted_by_text, tatqa
from benchmarks.oracle.pages import pieces
from benchmarks.oracle.reply import fill
from benchmarks.oracle.server import Oracle, serve
from benchmarks.oracle.wrong import Draw, spoiled
from pincite.models.kit import kit_of
from pincite.models.model_settings import ModelSettings
from pincite.settings import Settings
from pincite.types import Example, Query
from pincite.workbench.library import Library, index


def read(text):
    return [(str(one.amount), one.percent) for one in numbers(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("$1,577.00", [("1577.00", False)]),
        ("(4,970)", [("-4970", False)]),
        ("$ (812)", [("-812", False)]),
        ("a loss of -0.5%", [("-0.5", True)]),
        ("up by 12 per cent", [("12", True)]),
        ("1.2 million, 3bn and 7 thousand", [("1.2E+6", False), ("3E+9", False), ("7E+3", False)]),
        ("1.234.567,8 EUR", [("1234567.8", False)]),
        ("2017-2019", [("2017", False), ("2019", False)]),
        ("\u2212 3 and 4\u20135", [("-3", False), ("4", False), ("5", False)]),
        ("(2.3)%", [("-2.3", True)]),
        ("one of seven", [("1", False), ("7", False)]),
        ("no digits", []),
    ],
)
def test_numbers_as_documents_write_them(text, found):
    assert sorted(read(text)) == sorted(found)


@pytest.mark.parametrize(
    ("wanted", "there", "scaled", "power"),
    [
        ("1,577", "1577.00", 0, 0),
        ("1.577 billion", "1,577", 6, 6),
        ("1577000", "1,577", 0, 3),
        ("-380", "(380)", 0, 0),
        ("30.8%", "0.308", 0, 2),
        ("24.26", "24.2581", 0, 0),
        ("24.26", "24.27", 0, None),
        ("2", "2,000", 0, None),
        ("1,577", "1,578", 0, None),
    ],
)
def test_a_number_is_another_in_another_scale(wanted, there, scaled, power):
    assert factor(numbers(wanted)[0], numbers(there)[0], scaled) == power


def test_dates():
    assert day("March 29, 1988") == day("29 Mar 1988") == (1988, 3, 29)
    assert day("in March") is None


@pytest.mark.parametrize(
    ("written", "operation", "operands"),
    [
        ("154,159-176,931", "difference", ["154159", "176931"]),
        ("(5,563.7-5,875.0)/5,875.0", "percentage_change", ["5563.7", "5875.0"]),
        ("-5,637-(-3,990)", "difference", ["-5637", "-3990"]),
        ("[33.2 + 41.5] / 2", "average", ["33.2", "41.5"]),
        ("53.0/55.5", "ratio", ["53.0", "55.5"]),
        ("$1,407 + $1,082 + $1,206", "sum", ["1407", "1082", "1206"]),
        ("(12.4+89.0)/4,073.9", "(a + b) / c", ["12.4", "89.0", "4073.9"]),
        ("1,496.5>1,202.9", "compared", ["1496.5", "1202.9"]),
        ("497/533-1", "a / b - 1", ["497", "533"]),
        ("(17-8)/8", "percentage_change", ["17", "8"]),
        ("(3.7+3.7+1.6)/3", "average", ["3.7", "3.7", "1.6"]),
        ("(2.0+2.0)/2", "average", ["2.0", "2.0"]),
    ],
)
def test_derivations(written, operation, operands):
    made = derivation(written)
    assert (made.operation, list(made.operands)) == (operation, list(map(Decimal, operands)))


def test_what_is_no_derivation():
    assert derivation("locate and analyze the row") is None
    assert derivation("2018##2017", counted=True).items == ("2018", "2017")


ROW = {
    "context_id": "c1", "question": "What were port fees in 2019?", "answer": "812", "answer_type": "number",
    "scale": "thousand", "unit": "", "derivation": "",
}  # fmt: skip
TEXT = [("c1", 1, "Port fees (in thousands)\n2019 | 2018\nPort fees | 812 | 790\nOther | 5 | 7")]


def test_questions_are_sorted_by_the_text_of_their_page():
    stands = tatqa(1, ROW)
    derived = tatqa(1, {**ROW, "answer": "22", "derivation": "812-790"})
    absent = tatqa(1, {**ROW, "answer": "23", "derivation": "812-789"})
    other = tatqa(1, {**ROW, "answer": "813"})
    sorts = [sorted_by_text(one, TEXT).sort for one in (stands, derived, absent, other)]
    assert sorts == ["stands", "derived", "not in the text", "not in the text"]


SHOWN = """\
[c1.html > Fees, p. 1]
1 Costs rose. Port fees were paid to the harbour authority on 3 May 2019.

2 Port fees: 2019 = (812); 2018 = (790) (thousand GBP)
3 Fees > Other: 2019 = 5; 2018 = 7"""


def said(row, seed=0):
    """The lines and the value of the oracle's reply."""
    gold = replace(tatqa(1, {**ROW, **row}), sort="stands")
    form = fill(gold, pieces(SHOWN), seed).form
    return form["lines"], form["value"]


def test_lines_are_read_as_they_are_shown():
    (page,) = pieces(f"rules\n{SHOWN}\n\nQuestion: x")
    assert (page.document, page.page) == ("c1.html", 1)
    assert [number for number, _ in page.sentences()] == [1, 1]
    cell = page.cells[-1]
    assert (cell.row, cell.text, cell.label, cell.heading) == (3, "7", "Fees > Other", "2018")
    assert [each.scale for each in page.cells] == [0, 3, 3, 0, 0, 0]


@pytest.mark.parametrize(
    ("row", "reply"),
    [
        ({}, ([2], "(812)")),
        ({"question": "What were port fees in 2018?", "answer": "790"}, ([2], "(790)")),
        ({"answer": ["812", "790"], "answer_type": "multi-span", "scale": ""}, ([2], "(812); (790)")),
        ({"answer": "22", "derivation": "812-790"}, ([2], "(812) - (790)")),
        ({"answer": "1", "derivation": "812>790"}, ([2], "1")),
        ({"answer": ["the harbour authority"], "answer_type": "span", "scale": ""}, ([1], "the harbour authority")),
        ({"answer": "4,711"}, ([], "")),
    ],
)  # fmt: skip
def test_the_honest_oracle_names_the_line_and_the_value_as_it_stands(row, reply):
    assert said(row) == reply


def test_the_other_oracle_errs_in_every_way_that_the_place_allows():
    gold = replace(tatqa(1, ROW), sort="stands")
    shown = pieces(SHOWN)
    made = [
        spoiled(fill(gold, shown, 0), gold, shown, Draw(seed, ROW["question"]))
        for seed in range(60)
    ]
    assert {each.error for each in made} == {"neighbouring cell", "other year", "invented value"}
    assert all(each.form["value"] != "(812)" for each in made)


def test_the_oracle_shares_no_code_with_what_it_measures():
    room = Path(__file__).parents[2] / "benchmarks" / "oracle"
    assert not [
        path.name
        for path in room.glob("*.py")
        if "import pincite" in (text := path.read_text()) or "from pincite" in text
    ]


def test_names_are_said_as_the_document_spells_them():
    assert as_spelled("las vegas sands", "the Las  Vegas-Sands group") == "Las  Vegas-Sands"


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("oracle")
    rows = [
        ["(in thousands)", "2019", "2018"],
        ["Port fees", "812", "790"],
        ["Wages", "4,105", "3,950"],
    ]
    prose = "Ferrow runs three quarries. Mara Lindqvist is its Managing Director. Costs by kind were as follows:"
    context = {"paragraphs": [{"order": 1, "text": prose}], "table": rows}
    (folder / "files").mkdir()
    (folder / "files" / "c1.html").write_text(as_page(context), encoding="utf-8")
    (folder / "files" / "c2.txt").write_text(
        "The harbour of Tarn lies in the north. It froze in 1911.\n"
    )
    index(folder / "files", folder / "corpus")
    return folder / "corpus"


def test_right_replies_come_out_right_over_http(corpus, tmp_path):
    rows = [
        ROW,
        {
            **ROW,
            "question": "What was the change in port fees between 2018 and 2019?",
            "answer": "22",
            "derivation": "812-790",
        },
        {**ROW, "question": "What were wages in 2017?", "answer": "3,800"},
    ]
    golds = [replace(tatqa(at, row), sort="stands") for at, row in enumerate(rows, 1)]
    server = serve(Oracle(golds, seed=4, log=tmp_path / "log.jsonl"))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    models = ModelSettings(
        base_url=f"http://127.0.0.1:{server.server_address[1]}/v1", large="oracle"
    )
    library = Library(corpus, Settings(models=models), kit_of(models))
    told = [library.ask(row["question"]).value for row in rows]
    server.shutdown()
    server.server_close()
    assert [one and one.amount for one in told] == [812_000, 22_000, None]
    log = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert {line["id"] for line in log if line["value"] is not None} == {"1", "2"}
    assert all(line["silent"] == "not shown" for line in log if line["id"] == "3")


def test_given_tables_are_written_with_the_spans_of_their_headers():
    rows = [
        ["", "Years ended", ""],
        ["(in millions)", "2019", "2018"],
        ["Fees & dues", "81", "79"],
    ]
    context = {
        "paragraphs": [{"order": 2, "text": "They fell."}, {"order": 1, "text": "As follows:"}],
        "table": rows,
    }
    body = as_page(context)
    assert (
        "<th colspan='2'>Years ended</th>" in body
        and "<td>Fees &amp; dues</td><td>81</td>" in body
    )
    assert body.index("As follows") < body.index("<table>") < body.index("They fell")


SORTED = {"id": "1", "sort": "stands", "kind": "number", "pages": [["c1", 1]]}
SAID = {
    "value": "812",
    "found": True,
    "silent": "",
    "refused": "",
    "error": "",
    "form": "LineForm",
    "pages": [["c1", 1]],
    "reply": {},
}
SILENT = {**SAID, "value": None, "found": False, "silent": "not shown"}


def judged(log, value=None, why="", sort="stands"):
    one = Example("1", Query(ROW["question"]), meta={"gold": ROW})
    row = {"id": "1", "value": value, "refused": value is None, "reason": why}
    return case("tatqa", one, {**SORTED, "sort": sort}, row, log)


@pytest.mark.parametrize(
    ("log", "value", "why", "stage"),
    [
        ([SAID], 812_000, "", ""),
        ([{**SILENT, "pages": [["c1", 2]]}], None, "", "finding"),
        ([SILENT], None, "", "showing"),
        ([{**SILENT, "silent": "what is counted cannot be written down"}], None, "", "asking"),
        ([], None, "", "asking"),
        (
            [SAID, {**SAID, "refused": "'812' stands in no line that is named. Reply again."}],
            None,
            "not sure enough",
            "locating",
        ),
        (
            [SAID, {**SAID, "refused": "the number is of row 'Wages'. Reply again."}],
            None,
            "not sure enough",
            "checking",
        ),
        ([SAID], 812, "", "settling"),
    ],
)
def test_a_loss_has_the_stage_that_did_not_hand_on_what_it_was_given(log, value, why, stage):
    assert judged(log, value, why).stage == stage


def test_losses_are_counted_by_stage_and_group_and_errors_by_kind():
    unread = [SAID, {**SAID, "refused": "'x' stands in no line that is named. Reply again."}]
    some = [judged([SAID], 812_000), judged(unread), judged([SILENT])]
    told = {
        (line.of, line.figure.metric): line.figure.value
        for line in (*lost_lines("tatqa", some), *group_lines(some))
    }
    assert told["tatqa, stands", "right of what was shown"] == 0.5
    assert (
        told["tatqa, stands", "lost in locating"]
        == told["tatqa, stands", "lost in showing"]
        == pytest.approx(1 / 3)
    )
    assert (
        told["losses in locating: … stands in no line that is named", "share of all losses"] == 0.5
    )
    erring = [
        judged([{**SAID, "error": "other year"}], 790),
        judged([{**SAID, "error": "invented value"}]),
    ]
    through = {line.of: line.figure.value for line in through_lines(erring, "tatqa")}
    assert through["tatqa, wrong replies"] == 0.5
    assert through["tatqa, wrong replies, other year"] == 1.0
    assert [line.figure.value for line in right_lines([*some, *erring])] == [0.5]
