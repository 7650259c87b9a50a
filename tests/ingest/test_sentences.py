from hypothesis import given
from hypothesis import strategies as st

from pincite.document.sentence_spans import sentences


def parts(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


def test_splits_at_stops() -> None:
    assert parts("Sales rose. Costs fell! Why? Nobody knows.") == [
        "Sales rose.",
        "Costs fell!",
        "Why?",
        "Nobody knows.",
    ]


def test_keeps_numbers_and_abbreviations_whole() -> None:
    first = "Net sales of Acme Inc. were $3.5 billion in the U.S. market, i.e. 4.2% more (see Fig. 3 and No. 7)."
    assert parts(f"{first} Dr. J. Doe agreed.") == [first, "Dr. J. Doe agreed."]


def test_an_abbreviation_may_end_a_sentence() -> None:
    assert parts("It was sold to Acme Inc. The price was low.") == [
        "It was sold to Acme Inc.",
        "The price was low.",
    ]
    assert parts("They left the U.S. In 2019 they returned.") == [
        "They left the U.S.",
        "In 2019 they returned.",
    ]


def test_citations_and_footnote_marks() -> None:
    assert parts("Smith et al. (2019) disagree. We do not.12 They do.[3] Yes.") == [
        "Smith et al. (2019) disagree.",
        "We do not.12",
        "They do.[3]",
        "Yes.",
    ]


def test_a_decimal_before_a_space_is_no_stop() -> None:
    assert parts("Section 3.1 Results follow") == ["Section 3.1 Results follow"]


def test_markers_stay_with_their_items_and_lines_end_items() -> None:
    assert parts("1. First item\n2. Second item. More of it.") == [
        "1. First item",
        "2. Second item.",
        "More of it.",
    ]


def test_quotes_close_with_their_sentence() -> None:
    assert parts('He said "No." Then he left.') == ['He said "No."', "Then he left."]


def test_a_stop_at_the_end_of_a_line_ends_a_sentence() -> None:
    assert parts("of Acme Inc.\nnext") == ["of Acme Inc.", "next"]


def test_empty() -> None:
    assert sentences("") == [] and sentences(" \n ") == []


@given(st.text(alphabet=st.sampled_from(list("abAB .!?\n\"')(1293,;\u2019")), max_size=120))
def test_spans_are_ordered_disjoint_and_complete(text: str) -> None:
    spans = sentences(text)
    at = 0
    for start, end in spans:
        assert at <= start < end <= len(text)
        assert text[at:start].strip() == ""
        assert text[start:end] == text[start:end].strip()
        at = end
    assert text[at:].strip() == ""
