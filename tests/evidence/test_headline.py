"""What an answer says first, wherever it is shown."""

from decimal import Decimal

import pytest

from pincite.evidence.headline import headline, with_reason
from pincite.types import Anchor, Answer, Check, Citation, Possible, Quantity, Query

PLACE = Citation("p1", "node", Anchor("hash", spots=((4, None),)), "61", document="report.pdf")
NEAR = Possible(Quantity(Decimal(61), "USD", Decimal(10**6)), PLACE, 0.21)


def answer(value=None, near=(), verdict="supported"):
    check = Check("61 million USD", verdict, "p1", "61 on page 4")
    return Answer(
        Query("?"),
        "12 USD" if value else "",
        value,
        checks=(check,),
        reason="not sure",
        possible=near,
    )


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (answer(Quantity(Decimal(12), "USD"), (NEAR,)), "12 USD"),
        (
            answer(near=(NEAR,)),
            "most likely 61 million USD (21%): check it, report.pdf, page 4: not sure",
        ),
        (answer(near=(NEAR,), verdict="contradicted"), "N/A: not sure"),
        (answer(near=(Possible(NEAR.value, None, 0.14),)), "N/A: not sure"),
        (
            answer(near=(Possible("Oslo", None, 0.2),)),
            "most likely Oslo (20%): check it: not sure",
        ),
    ],
)
def test_a_value_or_the_likeliest_or_nothing(given, said):
    assert with_reason(given) == said
    assert headline(given) == said.removesuffix(": not sure")
