import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression

from benchmarks.measuring import confidence_maps as maps
from benchmarks.measuring.drawn_figures import accuracy_at
from pincite.errors import UsageError
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
    assert accuracy_at([0.9, 0.5, 0.7], [1, 0, 0], 0.5) == pytest.approx(
        0.5
    )  # rounded up to two answers
    assert accuracy_at([0.9, 0.5, 0.7], [1, 0, 0], 0) == 1


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


def test_isotonic_pools_violators():
    fitted = maps.fit_isotonic([1, 2, 3, 4], [0, 1, 0, 1])
    assert fitted([1, 2, 3, 4]).tolist() == [0, 0.5, 0.5, 1]
    assert fitted([0, 3.5, 9]).tolist() == [0, 0.75, 1]


@given(answers)
def test_isotonic_as_scikit_learn_has_it(rows):
    x, y = np.round([c for c, _ in rows], 2), np.array([float(r) for _, r in rows])
    theirs = IsotonicRegression(out_of_bounds="clip").fit(x, y)
    assert maps.fit_isotonic(x, y)(x) == pytest.approx(theirs.predict(x), abs=1e-6)


def test_platt_as_scikit_learn_has_it_on_many_answers():
    rng = np.random.default_rng(0)
    x = rng.normal(size=20_000)
    y = (rng.random(20_000) < maps.sigmoid(1.5 * x - 0.5)).astype(float)
    theirs = LogisticRegression(C=1e9).fit(x[:, None], y)
    fitted = maps.fit_platt(x, y)
    assert fitted.slope == pytest.approx(theirs.coef_[0, 0], abs=0.01)
    assert fitted.intercept == pytest.approx(theirs.intercept_[0], abs=0.01)


def test_platt_stays_finite_when_scores_separate():
    fitted = maps.fit_platt([0, 0.1, 0.9, 1], [0, 0, 1, 1])
    assert 0 < fitted([0])[0] < 0.5 < fitted([1])[0] < 1
    assert maps.fit_platt([0.5, 0.5], [1, 1])([0.5])[0] == pytest.approx(3 / 4)


def test_folds_keep_groups_together():
    groups = [n // 3 for n in range(30)]
    fold = maps.folds(groups)
    assert all(len(set(fold[3 * n : 3 * n + 3])) == 1 for n in range(10))
    assert np.bincount(fold).tolist() == [6] * 5
    with pytest.raises(UsageError, match="two documents"):
        maps.folds(["a", "a"])


def test_cross_fitting_never_sees_its_own_document():
    scores, right, groups = [0.1, 0.9, 0.1, 0.9], [1, 1, 0, 0], ["a", "a", "b", "b"]
    assert maps.cross_fitted(scores, right, groups).tolist() == [0, 0, 1, 1]
