"""Labels of rows in the words of a question."""

import pytest

from pincite.document.asked_labels import as_asked
from pincite.text.words import stems


@pytest.mark.parametrize(
    ("label", "asked", "called"),
    [
        ("Net loss", "net income", "Net income"),
        ("Operating (loss) income", "operating income", "Operating income"),
        ("Net income (loss)", "net loss", "Net loss"),
        ("Losses from joint ventures", "income from joint ventures", "income from joint ventures"),
        ("Impairment loss", "net income", "Impairment loss"),
        ("Net income", "net income", "Net income"),
        ("Net loss", "profit and loss", "Net loss"),
        ("Total revenue", "revenue", "revenue"),
        ("Total net revenue", "revenue", "Total net revenue"),
        ("Total revenue", "total revenue", "Total revenue"),
        ("Total", "revenue", "Total"),
    ],
)
def test_a_label_as_it_is_asked_for(label, asked, called):
    assert as_asked(label, frozenset(stems(asked))) == called
