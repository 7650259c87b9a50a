"""Lists are read whole: series in sentences, lists with marks; names with small words; reasons with their sentence."""

from __future__ import annotations

import pytest

from pincite.check.claims import verified
from pincite.document.sentences import TokenizedText, read
from pincite.question.understanding import understand
from pincite.readers.candidates import readers
from pincite.readers.listings import Items, alike, bullets, series
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


def told(reading: TokenizedText, items: Items) -> tuple[str, ...]:
    return tuple(
        reading.text[reading.starts[first] : reading.ends[last - 1]] for first, last in items
    )


def listed(text: str) -> list[tuple[str, ...]]:
    reading = read(text)
    found = sorted(
        series(reading, 0, len(reading.stems)), key=lambda items: -alike(reading, items)
    )
    return [told(reading, items) for items in found]


@pytest.mark.parametrize(
    ("text", "items"),
    [
        (
            "Our best ferries—Heron, Lady of Lund, and Swift—carried it.",
            ("Heron", "Lady of Lund", "Swift"),
        ),
        ("It hired two pilots, Ada Lind and Bo Ek, who sailed.", ("Ada Lind", "Bo Ek")),
        ("The locks (Aros, Borg, Cadiz) are closed.", ("Aros", "Borg", "Cadiz")),
        (
            "Dangers include high water, thick ice, and fog in winter.",
            ("high water", "thick ice", "fog"),
        ),
    ],
)
def test_series(text: str, items: tuple[str, ...]) -> None:
    assert items in listed(text)


def test_a_list_that_is_not_closed_is_none() -> None:
    assert listed("In May, after the flood, the lock was closed.") == []


def test_marked_lists() -> None:
    text = "- Safety Panel\n- Pay Panel; and\n- Dredging Panel: it meets each month to look at the depth of the river"
    reading = read(text)
    assert told(reading, bullets(reading, 0, len(text))) == (
        "Safety Panel",
        "Pay Panel",
        "Dredging Panel",
    )
    assert bullets(read("- Safety Panel"), 0, 14) == ()


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
    words = readers(understand(Query(question)), page_of(REPORT))[1]
    assert words[0].value == value


def test_a_reason_that_stands_in_the_sentence_before_is_told_with_it() -> None:
    passages = page_of(REPORT)
    answer = verified(
        answered(Query("Why did the harbour write off goodwill?"), passages),
        {one.node.id: one.node for one in passages},
    )
    value = "The lock in Lund was closed in May. As a result, the harbour wrote off goodwill of its freight line"
    assert str(answer.value).startswith(value)


def test_a_name_with_its_initial_and_no_name_of_the_firm_asked_about() -> None:
    words = readers(understand(Query("Who is CEO of Heronbank Harbour?")), page_of(REPORT))[1]
    values = [one.value for one in words]
    assert "Ada F. Lind" in values[:2]
    assert "Heronbank Harbour Limited" not in values and "F. Lind" not in values


def test_no_amount_is_a_reason() -> None:
    found = readers(understand(Query("What lay behind the freight carried?")), page_of(REPORT))
    assert all(isinstance(one.value, str) for reader in found for one in reader)
