"""Fit the chance that a drafted statement finds the right rows, by folds of databases: python scripts/fit_drafts.py [--fit]

The model of the settings drafts the questions of the development sets, twice where it is not sure. What is known of each draft,
and whether it is right, is kept in build/drafts.jsonl, resumed after an end. With --fit nothing is asked:
`pincite/data/drafted.toml` is made.
"""

from __future__ import annotations

import json
import math
import os
import sqlite3
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from benchmarks.measuring import row_sets
from benchmarks.measuring.own_questions import QUESTIONS
from benchmarks.measuring.placeholders import read_worded
from pincite.database.relations.value_index import build
from pincite.database.sources.connection import open_source
from pincite.evidence.row_values import value_of
from pincite.models.kit import kit_of
from pincite.records.runfile import read_lines
from pincite.rows.clean_source import CleanSource
from pincite.rows.drafting.draft_confidence import features
from pincite.rows.drafting.explained_words import explained_words
from pincite.rows.drafting.statement_draft import Drafted, draft
from pincite.rows.drafting.statement_tree import parsed
from pincite.rows.reading_rows import vote
from pincite.rows.row_drafts import in_named_unit
from pincite.settings import load
from pincite.types import Quantity

DATA = Path(os.environ.get("PINCITE_DATA", "../shared/data"))
OUT = Path("build/drafts.jsonl")

Row = dict[str, Any]


def questions(folder: Path) -> Iterator[Row]:
    """The development questions over databases: with the database's file, the accepted rows (none: it cannot be answered)."""
    for row in read_lines(QUESTIONS / "databases_seen.jsonl"):
        path = folder / f"{row['database']}.sqlite"
        if not path.exists():
            with closing(sqlite3.connect(path)) as connection:
                script = (QUESTIONS / "databases" / f"{row['database']}.sql").read_text("utf-8")
                connection.executescript(script)
        golds = []
        with closing(sqlite3.connect(path)) as connection:
            for text in row["gold"] or ():
                found = connection.execute(text)
                rows = [list(each) for each in found.fetchall()]
                columns = [each[0] for each in found.description]
                golds.append({"columns": columns, "rows": rows, "n_rows": len(rows)})
        yield {**row, "id": f"seen {row['id']}", "path": path, "gold": golds}
    materials = DATA / "sql" / "databases" / "materials.sqlite"
    worded = read_worded(QUESTIONS / "materials.jsonl", materials, "materials")
    for row in worded:
        yield {**row, "path": materials, "gold": row["gold"] or []}
    for name in ("questions", "unanswerable"):
        for row in _by_database(name):
            if row["db"] != "materials":
                path = DATA / "sql" / "databases" / f"{row['db']}.sqlite"
                yield {**row, "path": path, "gold": row.get("gold") or []}


def _by_database(name: str) -> list[Row]:
    """The questions of a file, those of one database together: an engine then knows its tables."""
    return sorted(read_lines(DATA / "sql" / f"{name}.jsonl"), key=lambda row: str(row["db"]))


def _is_converted(question: str, made: Drafted, source: CleanSource, golds: list[Row]) -> bool:
    """Whether one number is right in the unit that the question asks for, into which code converts it after the statement."""
    if made.result is None or len(made.result.rows) != 1:
        return False
    value = value_of(made.result, source.over_source(made.statement), source.source, None)
    told = in_named_unit(question, value)
    wanted = [gold["rows"][0][0] for gold in golds if gold["rows"] and len(gold["rows"][0]) == 1]
    return isinstance(told, Quantity) and any(
        isinstance(each, int | float) and math.isclose(float(told.amount), each, rel_tol=1e-3)
        for each in wanted
    )


def drafted(row: Row, source: CleanSource, kit: Any) -> Row:
    """What is known of the drafts of one question, and whether the first finds the right rows."""
    question = " ".join(str(row["question"]).split())
    started = time.monotonic()
    made = draft(question, source, kit.large, kit.encoder)
    voted = (
        vote(question, source, made, kit.large, kit.encoder) if made.result is not None else None
    )
    told: Row = {"seconds": time.monotonic() - started, "statement": made.statement}
    told["right"] = _is_right(row, question, made, source)
    rows = made.result.rows if made.result is not None else ()
    told["shown"] = any(value is not None for each in rows for value in each)
    if voted is None:
        return told
    tree = parsed(made.statement, source.database)
    said = explained_words(question, tree, source.database, made.hints, kit.encoder)
    return told | {
        "unmapped": said.unmapped,
        "notes": made.notes,
        "against": made.against,
        "tried": made.tried,
        "features": features(made, voted, said),
    }


def _is_right(row: Row, question: str, made: Drafted, source: CleanSource) -> bool:
    """Whether a draft finds the right rows of a question that can be answered."""
    rows = [list(each) for each in made.result.rows] if made.result is not None else None
    return bool(row["gold"]) and (
        row_sets.right(rows, row["gold"], bool(row.get("ordered")))
        or _is_converted(question, made, source, row["gold"])
    )


def draft_all() -> None:
    """Draft every question that was not drafted yet."""
    OUT.parent.mkdir(exist_ok=True)
    done = {row["id"] for row in read_lines(OUT)} if OUT.exists() else set()
    kit = kit_of(load().models, OUT.parent)
    sources: dict[Path, CleanSource] = {}
    with OUT.open("a", encoding="utf-8") as file:
        for row in questions(OUT.parent):
            if row["id"] in done:
                continue
            if row["path"] not in sources:
                opened = open_source(row["path"])
                sources[row["path"]] = CleanSource(opened, build(opened))
            told = drafted(row, sources[row["path"]], kit)
            kept = {
                "id": row["id"],
                "database": row["path"].stem,
                "kind": row.get("kind") or row.get("category"),
                "question": row["question"],
                "answerable": bool(row["gold"]),
                "gold": [each["rows"][:5] for each in row["gold"][:1]],
                **told,
            }
            file.write(json.dumps(kept, ensure_ascii=False, default=str) + "\n")
            file.flush()


def fit() -> None:
    """Fit the weights over all databases, print what they are worth on databases left out, and write them."""
    import numpy as np
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import roc_auc_score

    rows = [row for row in read_lines(OUT) if row.get("features") and row["shown"]]
    names = list(rows[0]["features"])
    known = np.array([[row["features"][name] for name in names] for row in rows])
    right = np.array([row["right"] for row in rows])
    groups = [row["database"] for row in rows]
    counts = Counter(groups)
    weights = np.array([counts[each] ** -0.5 for each in groups])  # no database decides alone
    weights /= weights.mean()
    model = LogisticRegression(C=1.0, max_iter=2000)
    chances = np.zeros(len(rows))
    for left_out in counts:
        there = np.array([each == left_out for each in groups])
        model.fit(known[~there], right[~there], sample_weight=weights[~there])
        chances[there] = model.predict_proba(known[there])[:, 1]
    every = list(read_lines(OUT))
    asked, other = (sum(row["answerable"] is wanted for row in every) for wanted in (True, False))
    print(
        f"n {len(rows)} of {len(every)}, right {right.mean():.3f}, AUC {roc_auc_score(right, chances):.3f}"
    )
    answerable = np.array([row["answerable"] for row in rows])
    for least in np.arange(0.2, 0.9, 0.05):
        shown = chances >= least
        print(
            f"{least:.2f}: right of the shown {right[shown].mean():.3f} of {shown.sum()}, right {right[shown].sum() / asked:.3f} "
            f"of {asked}, refused {1 - (shown & ~answerable).sum() / max(other, 1):.3f} of {other}"
        )
    model.fit(known, right, sample_weight=weights)
    for name, weight in zip(names, model.coef_[0], strict=True):
        print(f"  {name}: {weight:.3f}")
    lines = [
        "# The chance that a drafted statement finds the right rows: weights of a logistic regression over what",
        "# `rows/drafting/draft_confidence.py` knows of it, fitted by `scripts/fit_drafts.py`.",
        "threshold = 0.45",
        f"constant = {model.intercept_[0]:.4f}",
        "",
        "[weights]",
        *(f'"{name}" = {weight:.4f}' for name, weight in zip(names, model.coef_[0], strict=True)),
    ]
    Path("pincite/data/drafted.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    if "--fit" in sys.argv:
        fit()
    else:
        draft_all()
