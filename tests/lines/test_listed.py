"""Lists are read whole: series in sentences, lists with marks; names with small words; reasons with their sentence."""

from __future__ import annotations

import pytest

from pincite.check.claims import verified
from pincite.document.sentences import read
from pincite.lines.phrases import series, texts
from pincite.lines.reading import best_of, candidates
from pincite.question.understanding import understand
from pincite.recipes.quote import read as answered
from pincite.types import Query
from tests.generate.reading import page_of

REPORT = """# Harbour

Last year its three ferries, Heron, Lady of Lund and Swift, together carried 60% of the freight.

The harbour board has four permanent panels:

- Safety Panel
- Pay and Climate Panel
- Dredging Panel
- Technology Panel

The lock in Lund was closed in May. As a result, the harbour wrote off goodwill of its freight line.

Ms. Ada F. Lind, Chief Executive Officer, signed the report of Heronbank Harbour Limited.
"""


def listed(text: str) -> list[tuple[str, ...]]:
    reading = read(text)
    return [texts(reading, items) for items in series(reading, 0, len(reading.stems))]


@pytest.mark.parametrize(
    ("text", "items"),
    [
        (
            "Our best ferries—Heron, Lady of Lund, and Swift—carried it.",
            ("Heron", "Lady of Lund", "Swift"),
        ),
        ("It hired two pilots, Ada Lind and Bo Ek, who sailed.", ("Ada Lind", "Bo Ek")),
    ],
)
def test_series(text: str, items: tuple[str, ...]) -> None:
    assert items in listed(text)


def test_a_list_that_is_not_closed_is_none() -> None:
    assert listed("In May, after the flood, the lock was closed.") == []


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("Which three ferries carried most of the freight?", ("Heron", "Lady of Lund", "Swift")),
        (
            "Name the permanent panels of the harbour board.",
            ("Safety Panel", "Pay and Climate Panel", "Dredging Panel", "Technology Panel"),
        ),
    ],
)
def test_a_list_is_one_candidate(question: str, value: tuple[str, ...]) -> None:
    assert best_of(understand(Query(question)), page_of(REPORT))[0].value == value


def test_a_reason_that_stands_in_the_sentence_before_is_told_with_it() -> None:
    passages = page_of(REPORT)
    answer = verified(
        answered(Query("Why did the harbour write off goodwill?"), passages),
        {one.node.id: one.node for one in passages},
    )
    value = "The lock in Lund was closed in May. As a result, the harbour wrote off goodwill of its freight line"
    assert str(answer.value).startswith(value)


def test_a_name_with_its_initial_and_no_name_of_the_firm_asked_about() -> None:
    found = best_of(understand(Query("Who is CEO of Heronbank Harbour?")), page_of(REPORT))
    values = [one.value for one in found]
    assert "Ada F. Lind" in values[:2]
    assert "Heronbank Harbour Limited" not in values


def test_no_amount_is_a_reason() -> None:
    asked = understand(Query("What lay behind the freight carried?"))
    assert all(isinstance(one.value, str) for one in candidates(asked, page_of(REPORT))[0])
