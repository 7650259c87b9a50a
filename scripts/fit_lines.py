"""Fit the chance that a value which a model took from a line is right: python scripts/fit_lines.py seen|uda|--fit

The model of the settings reads the questions of the seen half or of uda, over a corpus in build/. What is known of each value,
and whether it is right, is kept in build/lines.SET.jsonl, resumed after an end. With --fit nothing is asked:
`pincite/data/lines.toml` is made, and what it is worth on documents that are left out is printed.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.measuring import answer_key, data_sets
from benchmarks.measuring import measured_system as system
from benchmarks.measuring.measurement import Work, gold
from benchmarks.measuring.own_questions import QUESTIONS, documents
from pincite.check.claims import verified_in
from pincite.lab.scoring import typed_answers
from pincite.library import Library
from pincite.recipes.default import Default
from pincite.reconcile.line_agreement import BesideQuote
from pincite.records.answer_record import record
from pincite.records.runfile import Record, read_lines, record_of
from pincite.settings import load
from pincite.types import Answer, Draft, Query

DATA = Path(os.environ.get("PINCITE_DATA", "../shared/data"))
BUILD = Path("build")
THRESHOLD = 0.5
"""The least chance that is shown: seven of ten that are shown then are right, on documents that are left out."""
LEAST = (0.2, 0.3, 0.4, 0.45, 0.5, 0.55, 0.6, 0.7, 0.8)

Row = dict[str, Any]
Asked = tuple[str, Query, str, bool, Callable[[Record], bool]]
"""A question: its number, itself, the document that answers it, whether it has an answer, and whether a record is right."""


def seen() -> Iterator[Asked]:
    """The questions of the seen half, over all its documents."""
    for row in read_lines(QUESTIONS / "reports_seen.jsonl"):
        files = [place["file"] for place in row["evidence"] or ()] or ["none"]
        right = partial(answer_key.right, gold=row)
        yield str(row["id"]), Query(row["question"]), files[0], row["answer"] is not None, right


def uda() -> Iterator[Asked]:
    """The questions of uda, each put to its document."""
    for example in data_sets.load("uda", DATA):
        right = partial(typed_answers.right, gold=gold(example))
        yield example.id, example.query, str(example.query.where[0][1][0]), True, right


SETS: dict[str, Callable[[], Iterator[Asked]]] = {"seen": seen, "uda": uda}


def read(name: str) -> None:
    """Read every question of a set that was not read yet."""
    corpus = BUILD / f"lines.{name}"
    if not corpus.exists():
        work = Work(name, DATA, BUILD)
        system.index(documents(work, "seen") if name == "seen" else work.source / "pdfs", corpus)
    library = Library(corpus, load())
    recipe = library.recipe
    assert isinstance(recipe, Default)
    found = recipe.find(library.corpus, library.kit)
    both = recipe.line_reader(library.corpus, library.kit, library.settings)
    out = BUILD / f"lines.{name}.jsonl"
    done = {row["id"] for row in read_lines(out)} if out.exists() else set()
    with out.open("a", encoding="utf-8") as file:
        for number, query, document, answerable, right in SETS[name]():
            if number in done:
                continue
            started = time.monotonic()
            made = _read(both, recipe.pages_read(library.corpus, library.kit), found(query))
            told: Row = {
                "id": number,
                "question": query.text,
                "document": f"{name} {document}",
                "answerable": answerable,
            }
            told |= {
                key: right(_record(each)) if answerable else False
                for key, each in (("right", made[0]), ("quote_right", made[1]))
            }
            told |= {
                "said": made[0].text,
                "quoted": made[1].text,
                "quote_chance": made[1].confidence,
                "stands": not verified_in(library.corpus, made[0]).reason,
                "features": made[2],
                "seconds": time.monotonic() - started,
            }
            file.write(json.dumps(told, ensure_ascii=False) + "\n")
            file.flush()
            print(number, told["right"], told["quote_right"], told["said"][:60], flush=True)


def _read(both: BesideQuote, pages: Any, given: Any) -> tuple[Draft, Draft, dict[str, float]]:
    """What the model takes, what is quoted without it, and what is known of the first."""
    given = pages(given)
    taken, other = both.read.take(given), both.quote(given)
    known = both.known(taken, other) if taken.candidate is not None else {}
    return taken.draft, other, known


def _record(draft: Draft) -> Record:
    """A draft as the record of an answer that is shown."""
    shown = Answer(draft.query, draft.text, draft.value, draft.citations, (), draft.confidence)
    return record_of(record(shown, "-"))


def _kept(name: str) -> list[Row]:
    path = BUILD / f"lines.{name}.jsonl"
    return list(read_lines(path)) if path.exists() else []


def _print_worth(name: str, asked: list[Row]) -> None:
    """What the chances are worth on one set, by the least chance that is shown."""
    answerable = sum(row["answerable"] for row in asked)
    strange = len(asked) - answerable
    first, quoted = (sum(row[key] for row in asked) for key in ("right", "quote_right"))
    either = sum(row["right"] or row["quote_right"] for row in asked)
    print(
        f"{name}: {answerable} to answer; right first: model {first}, quoted {quoted}, either {either}"
    )
    for least in LEAST:
        shown = [row for row in asked if row.get("chance", 0.0) >= least]
        right = sum(row["right"] for row in shown)
        wrong = sum(not row["answerable"] for row in shown)
        told = (
            right / max(len(shown), 1),
            right / max(answerable, 1),
            1 - wrong / max(strange, 1),
        )
        print(
            f"  {least:.2f}: {len(shown)} shown; of these right, right, refused:",
            *(f"{each:.3f}" for each in told),
        )


def fit() -> None:
    """Fit the weights over all documents, print what they are worth on documents left out, and write them."""
    import numpy as np
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import roc_auc_score

    every = [row for name in SETS for row in _kept(name)]
    rows = [row for row in every if row["features"] and row["stands"]]
    names = list(rows[0]["features"])
    known = np.array([[row["features"][name] for name in names] for row in rows])
    right = np.array([bool(row["right"]) for row in rows])
    groups = [row["document"] for row in rows]
    spread = known.std(axis=0) + 1e-6
    model = LogisticRegression(C=0.2, max_iter=5000)
    chances = np.zeros(len(rows))
    for left_out in Counter(groups):
        there = np.array([each == left_out for each in groups])
        model.fit(known[~there] / spread, right[~there])
        chances[there] = model.predict_proba(known[there] / spread)[:, 1]
    auc = roc_auc_score(right, chances)
    print(f"n {len(rows)} of {len(every)}, right {right.mean():.3f}, AUC {auc:.3f}")
    for row, chance in zip(rows, chances, strict=True):
        row["chance"] = float(chance)
    for name in SETS:
        _print_worth(name, [row for row in every if row["document"].startswith(f"{name} ")])
    model.fit(known / spread, right)
    weights = dict(zip(names, model.coef_[0] / spread, strict=True))
    for name, weight in sorted(weights.items(), key=lambda each: -abs(each[1])):
        print(f"  {name}: {weight:.3f}")
    lines = [
        "# The chance that a value which a model took from a line is right: weights of a logistic regression over what",
        "# `reconcile/line_agreement.py` knows of it, fitted by `scripts/fit_lines.py`.",
        f"threshold = {THRESHOLD}",
        f"constant = {model.intercept_[0]:.4f}",
        "",
        "[weights]",
        *(f'"{name}" = {weight:.4f}' for name, weight in weights.items()),
    ]
    Path("pincite/data/lines.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    for each in sys.argv[1:]:
        if each == "--fit":
            fit()
        else:
            read(each)
