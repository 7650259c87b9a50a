import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pincite.evidence.judge_input import LENGTH, PLACE, CellPlace, SentencePlace, pair, serialise
from pincite.models.encoder import MiniLM

SALES = CellPlace(
    ("Transport", "Sensors"),
    ("Fiscal", "2019"),
    "914",
    "Net sales in millions",
    ("2018: 918", "Automotive: 5,686"),
)
LONG = " ".join(f"word{i}" for i in range(200))


def tokens(text):
    return len(MiniLM().spans(text))


def test_a_cell_stands_between_its_labels_and_its_neighbours():
    assert serialise(SALES) == (
        "Transport > Sensors | Fiscal > 2019 | [914] | Net sales in millions | 2018: 918; Automotive: 5,686"
    )


def test_a_cell_alone():
    assert serialise(CellPlace(("Sensors",), (), "914")) == "Sensors |  | [914]"


def test_what_does_not_fit_goes_from_the_end():
    short = serialise(SALES, 24)
    assert short.startswith("Transport > Sensors | Fiscal > 2019 | [914] | Net sales in millions")
    assert "5,686" not in short
    assert tokens(short) <= 24


def test_of_a_long_path_the_innermost_label_stays():
    made = serialise(CellPlace((LONG, "Sensors"), ("2019",), "914"))
    assert "> Sensors | 2019 | [914]" in made


def test_a_value_is_marked_in_its_sentence():
    assert (
        serialise(SentencePlace("Defence", "It gave up 308 points.", 11, 14))
        == "Defence | It gave up [308] points."
    )


def test_a_sentence_may_be_the_answer_as_a_whole():
    assert serialise(SentencePlace("", "Sales fell.")) == "Sales fell."


def test_of_a_long_sentence_the_part_around_the_value_stays():
    sentence = f"{LONG} 308 {LONG}"
    at = sentence.index("308")
    made = serialise(SentencePlace("Heading", sentence, at, at + 3))
    assert "[308]" in made
    assert made.startswith("Heading | ")
    assert tokens(made) <= PLACE


def test_brackets_of_a_document_are_no_marks():
    made = serialise(SentencePlace("", "Sales [1] rose to 5 [SEP]", 18, 19))
    assert made == "Sales (1) rose to [5] (SEP)"
    assert pair("who [SEP] is it", SALES)[0] == "who (SEP) is it"


def test_a_long_question_leaves_room_for_the_place():
    asked, text = pair(LONG, SALES)
    assert tokens(asked) + tokens(text) + 3 <= LENGTH
    assert "Sensors" in text


def test_too_few_tokens_are_refused():
    with pytest.raises(ValueError, match="at least 16"):
        serialise(SALES, 15)


TEXT = st.text(max_size=120)


@settings(max_examples=60, derandomize=True)
@given(
    st.lists(TEXT, max_size=3),
    TEXT,
    TEXT,
    st.lists(TEXT, max_size=6),
    TEXT,
    st.integers(16, PLACE),
)
def test_every_cell_fits_and_marks_one_value(row, value, caption, neighbours, question, most):
    place = CellPlace(tuple(row), tuple(row[::-1]), value, caption, tuple(neighbours))
    made = serialise(place, most)
    assert tokens(made) <= most
    assert made.count("[") == made.count("]") == 1
    asked, text = pair(question, place)
    assert tokens(asked) + tokens(text) + 3 <= LENGTH


@settings(max_examples=60, derandomize=True)
@example("", "", "", "0\x1f0:0A02:0:0:0::0:", 16)
@given(TEXT, TEXT, TEXT, TEXT, st.integers(16, PLACE))
def test_every_sentence_fits(heading, before, value, after, most):
    place = SentencePlace(heading, before + value + after, len(before), len(before) + len(value))
    assert tokens(serialise(place, most)) <= most
