"""Which of the candidate programs a question means: a linear model of what speaks for and against each."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeAlias

from pincite.rows.programs.draft_parts import Features

Score: TypeAlias = "Callable[[Features], float]"
"""What a ranker makes of features; higher is likelier."""
_FILE = Path(__file__).parents[2] / "data" / "statement.json"


@lru_cache(maxsize=1)
def _shipped() -> dict[str, Any]:
    held: dict[str, Any] = json.loads(_FILE.read_text(encoding="utf-8"))
    return held


def weights() -> dict[str, float]:
    """The shipped weights by feature, fit by scripts/fit_statement.py."""
    held: dict[str, float] = _shipped()["weights"]
    return held


def threshold() -> float:
    """The least confidence at which a reading is answered."""
    return float(_shipped()["threshold"])


def confidence(features: Features) -> float:
    """The chance in (0, 1) that the best reading is right: a logistic model of its own features and how it stands out."""
    held: dict[str, float] = _shipped()["confidence"]
    total = held["bias"] + sum(value * held.get(name, 0.0) for name, value in features.items())
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, total))))


def score(features: Features, by: dict[str, float] | None = None) -> float:
    """The sum of features times weights; higher is likelier."""
    known = weights() if by is None else by
    return sum(value * known.get(name, 0.0) for name, value in features.items())
