"""What a page shows is found under its labels, and what it does not show is not."""

from functools import cache

import pytest

from pincite.ingest.ocr.ocr_settings import rapidocr_models
from tests.complaints import forms
from tests.complaints.reading import KINDS, RIGHT, found, leaks, made, reading

FAILING = {"forms", "struck"}
"""The kinds of which not all files are read right."""
QUICK = 2
"""Files of each kind that every run of the tests reads."""
pytestmark = pytest.mark.skipif(rapidocr_models() is None, reason="rapidocr is not installed")


def files(kinds, honest=(False, True)):
    for kind in kinds:
        for seed in range(KINDS[kind]):
            is_honest = kind == "lying" and seed % 2 == 1
            marks = [pytest.mark.stress] if seed >= QUICK else []
            if kind in FAILING and not is_honest:
                marks.append(
                    pytest.mark.xfail(strict=False, reason=f"{kind}: not all is read right")
                )
            if is_honest in honest:
                yield pytest.param(kind, seed, id=f"{kind}-{seed}", marks=marks)


@cache
def read(kind, seed):
    case = made(kind, seed)
    return case, reading(case)


@pytest.mark.parametrize(("kind", "seed"), [*files(KINDS)])
def test_every_value_is_found_under_its_labels(kind, seed):
    case, seen = read(kind, seed)
    assert [one for one in case.shown if found(one, case, seen) < RIGHT] == []


@pytest.mark.parametrize(("kind", "seed"), [*files(KINDS)])
def test_nothing_is_read_that_is_not_shown(kind, seed):
    assert leaks(*read(kind, seed)) == []


@pytest.mark.parametrize(("kind", "seed"), [*files(["lying"], honest=[True])])
def test_an_honest_text_layer_is_relied_on(kind, seed):
    case, seen = read(kind, seed)
    assert case.honest
    assert not any({"seen", "suspicion"} & set(one.meta) for one in seen.documents[0].nodes)


@pytest.mark.xfail(strict=False, reason="forms: which box is ticked is not read")
@pytest.mark.parametrize("seed", range(QUICK))
def test_it_makes_a_difference_which_box_is_ticked(seed):
    first, second = (reading(forms.make(seed, ticked)).pages for ticked in (True, False))
    assert first != second


@pytest.mark.parametrize("kind", KINDS)
def test_a_seed_always_makes_the_same_and_another_does_not(kind):
    one, again, other = made(kind, 0), made(kind, 0), made(kind, 2)
    assert (one.shown, one.never) == (again.shown, again.never) != (other.shown, other.never)
    assert not {value.text for value in one.shown} & set(one.never)
