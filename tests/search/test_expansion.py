import pytest

from pincite.errors import UsageError
from pincite.search.expansion import Abbreviations, Keywords, Unframed, Written
from pincite.types import Query


@pytest.mark.parametrize(
    ("question", "words"),
    [
        (
            "What was revenue in 2019? Round your answer to two decimal places.",
            "What was revenue in 2019? your to two .",
        ),
        ("How many of the 500 sites use GPT-4?", "How many of the sites use GPT-4?"),
        ("Which model in Table 2 costs $1,200?", "Which model in Table 2 costs ?"),
        ("See page 14 and Figure 3.", "See page 14 and Figure 3."),
        ("What did it cost in FY2018?", "What did it cost in FY2018?"),
        ("12 500", "12 500"),
        ("What was the total number of sites?", "What was the sites?"),
    ],
)
def test_keywords(question, words):
    assert Keywords()(Query(question)) == words


def test_unframed_leaves_the_question():
    asked = "What was revenue (in USD) of Acme Works, Inc. according to the annual report? If no data is there, return 'N/A'."
    assert Unframed()(Query(asked)) == "What was revenue (in USD) ?"
    assert Unframed()(Query("Of Acme Works, Inc.")) == "Of Acme Works, Inc."


def test_written_adds_what_reports_write():
    made = Written()(Query("How high was CapEx?"))
    assert "purchases of property" in made
    assert "CapEx" not in made


@pytest.mark.parametrize("question", ["free-cash-flow", "Free Cash Flows", "free_cash_flow"])
def test_written_matches_whole_words_in_any_shape(question):
    assert "net cash provided by operating activities" in Written()(Query(question))


def test_written_is_silent_where_no_entry_speaks():
    assert Written()(Query("Who wrote the spurious epilogue?")) == ""
    assert Written()(Query("a bucapexo")) == ""


def test_a_file_of_further_entries(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text('[[entry]]\nasked = ["NPS"]\nwritten = "net promoter score"\n')
    assert Written(str(path))(Query("Our NPS?")) == "net promoter score"


@pytest.mark.parametrize("content", ["[[entry]]\nasked = ['x']\n", "entry = 3", "[[entry"])
def test_a_bad_file_is_named(tmp_path, content):
    path = tmp_path / "bad.toml"
    path.write_text(content)
    with pytest.raises(UsageError, match=r"bad\.toml.*`asked`"):
        Written(str(path))(Query("x"))


def test_abbreviations_are_written_out_behind_the_question(tmp_path):
    asked = "How many MWh and tCO2e did the TPUs take, in MWh?"
    made = Abbreviations()(Query(asked))
    assert (
        made.startswith(f"{asked} ")
        and "tensor processing unit" in made
        and "carbon dioxide equivalent" in made
    )
    assert made.count("megawatt hour") == 1 and "kilowatt" not in made
    assert Abbreviations()(Query("Who wrote it?")) == "Who wrote it?"
    own = tmp_path / "own.toml"
    own.write_text('[[entry]]\nasked = ["zz"]\nwritten = "zigzag"\n')
    assert (
        Abbreviations(str(own))(Query("a ZZ")) == "a ZZ zigzag"
        and Written(str(own))(Query("a ZZ")) == "zigzag"
    )
