"""How likely a drafted statement finds the right rows, by what is known of it: a logistic regression of few, named features."""

from __future__ import annotations

import math
from typing import Literal

from pincite.rows.drafting.explained_words import ExplainedWords
from pincite.rows.drafting.statement_draft import Drafted
from pincite.text.lexicon import data_table

WEIGHTS = "drafted"
"""The file of the weights, which `scripts/fit_drafts.py` fits by folds of databases."""
Vote = Literal["alone", "agrees", "differs"]
"""Whether a second draft finds the same rows, or none was needed."""


def features(made: Drafted, vote: Vote, said: ExplainedWords) -> dict[str, float]:
    """What is known of a statement, with what a second draft said."""
    chances = made.chances or (0.0,)
    return {
        "likelihood": sum(chances) / len(chances),
        "whole": max(sum(chances), -20.0) / 10,
        "weakest": max(min(chances), -5.0),
        "declining": made.declining,
        "alone": float(vote == "alone"),
        "agrees": float(vote == "agrees"),
        "against": float(min(len(made.against), 3)),
        "asked again": float(bool(made.tried)),
        "left out": float(min(sum(note.startswith("left out") for note in made.notes), 2)),
        "least explained": said.least,
        "mean explained": said.mean,
        "unexplained": float(min(len(said.unmapped), 3)),
        "tables": float(min(made.statement.count(" JOIN "), 3)),
        "nested": float(made.statement.count("SELECT") > 1),
        "values": float(min(sum(hint.same for hint in made.hints), 2)),
    }


def threshold() -> float:
    """The least chance at which the rows are an answer."""
    return float(data_table(WEIGHTS)["threshold"])


def confidence(known: dict[str, float]) -> float:
    """The chance that the rows are right."""
    weights = data_table(WEIGHTS)
    parts = [weights["weights"].get(name, 0.0) * value for name, value in known.items()]
    return 1 / (1 + math.exp(-(weights["constant"] + sum(parts))))
