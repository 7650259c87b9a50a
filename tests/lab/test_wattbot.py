import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.errors import UsageError
from pincite.lab.scoring import wattbot
from pincite.records.runfile import Cited, Record
from pincite.workbench import submissions


def gold(value, ref="['Lee2020']", unit="is_blank"):
    return {"id": "1", "question": "?", "answer_value": value, "answer_unit": unit, "ref_id": ref}


def sent(value, ref='["lee2020"]', url="is_blank", materials="is_blank"):
    return {
        "answer_value": value,
        "ref_id": ref,
        "ref_url": url,
        "supporting_materials": materials,
    }


@pytest.mark.parametrize(
    ("text", "blank"),
    [
        ("", True), (" NA ", True), ("n/a", True), ("is_blank", True), ("none", False), ("0", False),
        ("Unable to answer with confidence based on the provided documents.", True),
        ("unable to answer with confidence based on the provided documents, sorry", True),
    ],
)  # fmt: skip
def test_blank(text, blank):
    assert wattbot.is_blank(text) == blank


@pytest.mark.parametrize(
    ("given", "wanted", "right"),
    [
        ("anything", "is_blank", True),
        ("12.5", "12.5", True),
        ("1000.9", "1000", True),  # relative 1e-3
        ("1002", "1000", False),
        ("0.0009", "0", True),  # absolute 1e-3
        ("0.002", "0", False),
        ("12.5 MWh", "12.5", False),  # units and commas are not handled
        ("1,000", "1000", False),
        ("50%", "50", False),
        ("1", "1", True),
        ("True", "1", False),
        (" Bessemer ", "bessemer", True),
        ("the Bessemer", "Bessemer", False),
        ("[2, 1]", "[1,2]", True),
        ("[1, 2, 3]", "[1,2]", False),
        ("[1, 3]", "[1,2]", False),
        ("1.5", "[1,2]", True),
        ("2.0005", "[1,2]", True),
        ("2.01", "[1,2]", False),
        ("1-2", "[1,2]", False),
        ('["B-2", "a-1"]', "(A-1,B-2)", True),
        ("A-1", "(A-1,B-2)", False),
        ("is_blank", "5", False),
    ],
)
def test_value_of_2025(given, wanted, right):
    assert wattbot.value_2025(given, wanted) == right


@pytest.mark.parametrize(
    ("given", "wanted", "unit", "right"),
    [
        ("is_blank", "is_blank", "", True),
        ("5", "is_blank", "", False),  # unlike in 2025
        ("is_blank", "5", "", False),
        ("5 kg", "5", "kg", True),
        ("5 kg", "5", "tonnes", False),
        ("5%", "5", "percent", True),
        ("The Bessemer-process.", "bessemer process", "", True),
        ("bessemer", "open hearth", "", False),
        ("[1.2, 1.8]", "[1,2]", "", True),
        ("1.5", "[1,2]", "", True),
        ("[1.2, 2.5]", "[1,2]", "", False),
        ('["b", "a"]', "(a,b)", "", True),
        ("a", "(a,b)", "", False),
    ],
)
def test_value_of_2026(given, wanted, unit, right):
    assert wattbot.value_2026(given, wanted, unit) == right


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ('["A1", "b2"]', {"a1", "b2"}),
        ("['a1','b2']", {"a1", "b2"}),
        ("a1,b2", {"a1,b2"}),  # without brackets: one id
        ("is_blank", {"is_blank"}),
        ("", set()),
        ("[]", set()),
    ],
)
def test_references_of_a_submission(text, ids):
    assert wattbot.references(text) == ids


def test_references_of_gold_may_lack_brackets():
    assert wattbot.gold_references("A1,b2") == {"a1", "b2"}
    assert wattbot.gold_references("['a1','b2']") == {"a1", "b2"}
    assert wattbot.gold_references("is_blank") == {"is_blank"}


def test_jaccard_and_f1_of_references():
    assert wattbot.jaccard(frozenset("ab"), frozenset("bc")) == pytest.approx(1 / 3)
    assert wattbot.overlap_f1(frozenset("ab"), frozenset("bc")) == pytest.approx(1 / 2)
    assert (
        wattbot.jaccard(frozenset(), frozenset())
        == wattbot.overlap_f1(frozenset(), frozenset())
        == 1
    )


def test_score_of_2025_by_hand():
    half = wattbot.score_2025(sent("12", '["lee2020", "kim2021"]'), gold("12"))
    assert (half.value, half.references, half.na, half.total) == (
        1,
        0.5,
        1,
        pytest.approx(0.75 + 0.075 + 0.1),
    )
    wrong = wattbot.score_2025(sent("13"), gold("12"))
    assert wrong.total == pytest.approx(0.25)
    invented = wattbot.score_2025(sent("13"), gold("is_blank", "is_blank"))
    assert (invented.value, invented.references, invented.na) == (1, 0, 0)


def test_score_of_2026_by_hand():
    half = wattbot.score_2026(sent("12", '["lee2020", "kim2021"]'), gold("12"))
    assert half.total == pytest.approx(0.75 + 0.2 * 2 / 3 + 0.05)
    na = gold("is_blank", "is_blank")
    assert wattbot.score_2026(sent("is_blank", "is_blank"), na).total == pytest.approx(1)
    told = wattbot.score_2026(sent("is_blank", "is_blank", materials="a quote"), na)
    assert (told.value, told.na, told.total) == (1, 0, pytest.approx(0.95))


def test_constants_on_invented_rows():
    rows = [gold("0"), gold("1"), gold("7.5"), gold("is_blank", "is_blank")]
    blank = [wattbot.score_2025(sent("is_blank", "is_blank"), row).total for row in rows]
    assert sum(blank) / 4 == pytest.approx((0.1 * 3 + 1) / 4)
    zero = [wattbot.score_2025(sent("0", "is_blank"), row).total for row in rows]
    assert sum(zero) / 4 == pytest.approx((0.85 + 0.1 + 0.1 + 0.9) / 4)


def test_a_missing_row_scores_nothing():
    assert (
        wattbot.score_2025(None, gold("is_blank")).total
        == wattbot.score_2026(None, gold("is_blank")).total
        == 0
    )


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (5439000.0, "5439000"), (1e-7, "0.0000001"), ("4.30", "4.30"), (True, "1"), ("False", "0"), (None, "is_blank"),
        ([80, 90.5], "[80,90.5]"), (["X-1", 'a "b"'], '["X-1","a \'b\'"]'), ("Haber process", "Haber process"),
    ],
)  # fmt: skip
def test_values_are_written_clean(value, text):
    assert submissions.value_text(value) == text


def test_a_right_record_is_a_perfect_row(tmp_path):
    record = Record(
        "9",
        value=[80, 90],
        text="80 to 90",
        citations=(Cited("Lee2020.txt", 3, "80 to 90 W"),),
        how="cell r1c2",
    )
    row = submissions.wattbot_row(
        record, "How much?", "W", {"lee2020": "https://example.org/lee"}, "q9"
    )
    refusal = submissions.wattbot_row(Record("8", text="Nothing was found."), "And?", "", {}, "q8")
    path = tmp_path / "submission.csv"
    submissions.write_wattbot(path, [row, refusal])
    assert path.read_text().splitlines()[0] == ",".join(submissions.WATTBOT_COLUMNS)
    back = wattbot.read_submission(path)
    assert back["q9"] == row and back["q8"] == refusal
    assert row["ref_id"] == '["lee2020"]' and row["ref_url"] == '["https://example.org/lee"]'
    for rule in (wattbot.score_2025, wattbot.score_2026):
        assert rule(back["q9"], gold("[80,90]")).total == pytest.approx(1)
        assert rule(back["q8"], gold("is_blank", "is_blank")).total == pytest.approx(1)


def test_rows_without_explanation_are_refused(tmp_path):
    with pytest.raises(UsageError, match="explanation"):
        submissions.write_wattbot(tmp_path / "s.csv", [{"id": "1", "explanation": " "}])


def test_missing_columns_are_named(tmp_path):
    (tmp_path / "s.csv").write_text("id,question\n1,x\n")
    with pytest.raises(UsageError, match="answer_value"):
        wattbot.read_submission(tmp_path / "s.csv")


@given(st.text(), st.text(), st.text(), st.text())
def test_scores_stay_within_bounds(value, ref, wanted, wanted_ref):
    for rule in (wattbot.score_2025, wattbot.score_2026):
        score = rule(sent(value, ref), gold(wanted, wanted_ref))
        assert all(
            0 <= part <= 1 + 1e-9
            for part in (score.value, score.references, score.na, score.total)
        )


@given(st.lists(st.integers(-99, 99), min_size=1, max_size=5), st.randoms())
def test_lists_ignore_order(numbers, random):
    shuffled = random.sample(numbers, len(numbers))
    assert wattbot.value_2025(str(shuffled), f"[{','.join(map(str, numbers))}]")
