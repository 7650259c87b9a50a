import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.lab.scoring import calibration as cal

answers = st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=60)


def test_calibration_error_by_hand():
    confidence, right = [0.9, 0.8, 0.3, 0.2], [1, 0, 0, 1]
    # 2 bins: |(1 + 0) - (0.9 + 0.8)| = 0.7 and |(0 + 1) - (0.3 + 0.2)| = 0.5, over 4
    assert cal.calibration_error(confidence, right, 2) == pytest.approx(0.3)
    assert cal.calibration_error(confidence, right, 4) == pytest.approx(
        (0.1 + 0.8 + 0.3 + 0.8) / 4
    )
    assert cal.calibration_error([1.0, 1.0], [1, 1], 10) == 0


def test_risk_coverage_by_hand():
    shares, risks = cal.risk_coverage([0.9, 0.5, 0.7], [1, 0, 0])
    assert shares.tolist() == pytest.approx([1 / 3, 2 / 3, 1])
    assert risks.tolist() == pytest.approx([0, 1 / 2, 2 / 3])
    assert cal.area_under_risk([0.9, 0.5, 0.7], [1, 0, 0]) == pytest.approx(
        (0 + 1 / 2 + 2 / 3) / 3
    )


def test_equal_confidences_say_nothing():
    assert cal.area_under_risk([0.5] * 4, [1, 0, 0, 0]) == pytest.approx(0.75)


@given(answers, st.randoms())
def test_the_order_of_questions_does_not_matter(rows, random):
    shuffled = random.sample(rows, len(rows))
    for measure in (cal.calibration_error, cal.area_under_risk):
        one, other = (
            measure([c for c, _ in each], [r for _, r in each]) for each in (rows, shuffled)
        )
        assert one == pytest.approx(other) and -1e-9 <= one <= 1 + 1e-9
