"""How well scores separate right places from wrong ones: the same figures for every judge."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from example import Pair
from numpy.typing import NDArray

from benchmarks.measuring.drawn_figures import area_under_roc

REJECTED = 0.05
"""The share of right places that the threshold rejects."""


def threshold(right: NDArray[np.float64]) -> float:
    """The score that all but REJECTED of the right places reach."""
    return float(np.quantile(right, REJECTED)) if len(right) else float("nan")


def report(pairs: Sequence[Pair], scores: Sequence[float] | NDArray[np.float32]) -> str:
    """AUC and false accepts at 5% false rejects: of all, by source, and by what makes a pair wrong.

    A source is also judged at a threshold of its own. A way of being wrong is set against the right pairs of the sources
    that have it.
    """
    given = np.asarray(scores, np.float64)
    labels = np.array([pair.label for pair in pairs], bool)
    sources = np.array([pair.source for pair in pairs])
    differs = np.array([pair.differs for pair in pairs])
    common = threshold(given[labels])
    every = np.ones(len(pairs), bool)
    lines = [
        f"{'':24}{'right':>7}{'wrong':>7}{'AUC':>7}{'let through':>13}{'own threshold':>15}{'rejected':>10}"
    ]
    lines.append(_line("all", given, labels, every, common))
    for source in sorted(set(sources)):
        lines.append(_line(f"source {source}", given, labels, sources == source, common))
    for kind in sorted(set(differs) - {"right"}):
        having = np.isin(sources, np.unique(sources[differs == kind]))
        lines.append(
            _line(
                f"differs by {kind}", given, labels, (differs == kind) | (labels & having), common
            )
        )
    return "\n".join(lines)


def _line(
    name: str,
    scores: NDArray[np.float64],
    labels: NDArray[np.bool_],
    which: NDArray[np.bool_],
    at: float,
) -> str:
    right, wrong = scores[which & labels], scores[which & ~labels]
    if not len(right) or not len(wrong):
        return f"{name:24}{len(right):>7}{len(wrong):>7}"
    through, own = (wrong >= at).mean(), (wrong >= threshold(right)).mean()
    rejected, area = (right < at).mean(), area_under_roc(right, wrong)
    return f"{name:24}{len(right):>7}{len(wrong):>7}{area:>7.3f}{through:>13.3f}{own:>15.3f}{rejected:>10.3f}"
