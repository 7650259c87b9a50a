"""Fit the weights for reading a question over a single given table: pincite/data/given.json.

    python scripts/fit_given.py DATA

DATA is the folder of all data sets; the questions are those of `make measure SET=wtq`, which reports the same by
cross-validation over tables. Weights are learned from answers alone (see pincite.lab.measuring.fitting).
"""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path

from pincite.lab.measuring import fitting
from pincite.lab.measuring import given_tables as given
from pincite.lab.measuring import measured_system as system
from pincite.lab.scoring.examples import load

ROOT = Path(__file__).resolve().parents[1]
SMALL = 0.005
"""Weights nearer to zero than this are left out."""


def main(data: Path) -> None:
    some = load("wtq", data)
    folder = data / "tableqa_wtq"
    tables = {}
    for name in {str(one.meta["gold"]["table_id"]) for one in some}:
        with (folder / name).open(encoding="utf-8", newline="") as file:
            tables[name] = list(csv.reader(file, escapechar="\\", doublequote=False))
    questions = [
        (one.id, str(one.meta["gold"]["table_id"]), one.query.text, given.wanted(one.meta["gold"]))
        for one in some
    ]
    learned, names = system.given_learned(
        questions, tables, ROOT / ".measure" / "wtq" / "readings"
    )
    weights = fitting.fit(learned, len(names))
    kept = {
        name: round(float(weights[at]), 4)
        for name, at in sorted(names.items())
        if abs(weights[at]) >= SMALL
    }
    found = [each[0] for each in fitting.cross_fitted(learned, list(names)) if each]
    sure = {name: round(value, 5) for name, value in fitting.fit_confidence(found).items()}
    path = ROOT / "pincite" / "data" / "given.json"
    path.write_text(
        json.dumps({"confidence": sure, "weights": kept}, indent=0, ensure_ascii=False) + "\n",
        encoding="utf-8",
    )
    right = sum(one.right for one in found)
    print(
        f"{len(kept)} weights from {len(learned)} questions over {len(tables)} tables; {right} right by cross-validation"
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
