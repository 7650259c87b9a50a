"""How sentences give reasons."""

from __future__ import annotations

import pytest

from pincite.document.sentences import read
from pincite.readers.reasons import goes_back, reasoned


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("The ferry sank because the hull was cracked.", True),
        ("Because the hull was cracked, the ferry sank.", True),
        ("A cracked hull resulted in a ferry that sank.", True),
        ("Fähren sank wegen eines Risses im Rumpf.", True),
        ("The hull was cracked because the ferry was old.", False),
        ("The ferry sank in May.", False),
    ],
)
def test_a_reason_says_what_it_brought_about(text: str, share: bool) -> None:
    reading = read(text)
    whole = (0, len(reading.stems))
    sank = {
        reading.stems[at]
        for at in range(*whole)
        if reading.text[reading.starts[at] : reading.ends[at]] == "sank"
    }
    assert (reasoned(reading, whole, whole, sank) > 0) is share


def test_sentences_that_point_back() -> None:
    assert goes_back("As a result, the ferry sank.")
    assert not goes_back("As a result of the flood, the ferry sank.")
