"""`python -m benchmarks.measuring SET [--limit N]`: measure a data set and print its rows for benchmarks/results.csv.

Work is kept in `.measure/SET` and resumes where it stopped; every figure is also appended to `.measure/results.jsonl`. The data
are looked for in `../shared/data` beside the project, or where PINCITE_DATA says.
"""

from __future__ import annotations

import argparse
import csv
import datetime
import io
import json
import math
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.measuring import absent_names as absent
from benchmarks.measuring import database_statements as statements
from benchmarks.measuring import document_sets as sets
from benchmarks.measuring import evidence_pairs as evidence
from benchmarks.measuring import fresh_documents as fresh
from benchmarks.measuring import given_tables as given
from benchmarks.measuring import honest_oracle as oracle
from benchmarks.measuring import ordinary_grid as grid
from benchmarks.measuring import own_questions as questions
from benchmarks.measuring import schema_linking as schema
from benchmarks.measuring import searches_left_out as searches
from benchmarks.measuring import small_documents as small
from benchmarks.measuring import trap_questions as traps
from benchmarks.measuring import wordings
from benchmarks.measuring.checkout import ROOT, commit, data_folder
from benchmarks.measuring.measurement import FOLDERS, ReportedFigure, Work, number
from pincite.errors import PinciteError, UsageError

MEASURES: dict[str, Callable[[Work], list[ReportedFigure]]] = {
    "wattbot": sets.measure_wattbot,
    "erc": sets.measure_erc,
    "mmlongbench": sets.measure_documents,
    "financebench": sets.measure_documents,
    "uda": sets.measure_documents,
    "searches": searches.measure_searches,
    "tatqa": given.measure_tatqa,
    "wtq": given.measure_wtq,
    "icdar2013": sets.measure_icdar2013,
    "robust": sets.measure_robust,
    "sql": statements.measure_sql,
    "beaver": schema.measure_beaver,
    "reports-seen": questions.measure_reports,
    "reports-unseen": questions.measure_reports,
    "databases-seen": questions.measure_databases,
    "databases": questions.measure_databases,
    "traps": traps.measure_traps,
    "fresh": fresh.measure_fresh,
    "absent": absent.measure_absent,
    "near-misses": evidence.measure_near_misses,
    "near-misses-generated": evidence.measure_generated,
    "wordings": wordings.measure_wordings,
    "grid": grid.measure_grid,
    "small": small.measure_small,
    "oracle": oracle.measure_oracle,
    "oracle-errors": oracle.measure_oracle_errors,
    "oracle-recipes": oracle.measure_oracle_recipes,
}
HEADER = "section,figure,value,interval,n,with,baseline,floor,date,commit,command"


def csv_row(
    name: str, line: ReportedFigure, reader: str, command: str, head: str, day: str
) -> str:
    """One row of benchmarks/results.csv; section and floor are left empty for a person to fill in.

    `reader` is what read: "model", "endpoint" for a scripted one, or "none".
    """
    each = line.figure
    span = "" if math.isnan(each.low) else f"[{number(each.low)}, {number(each.high)}]"
    figure = f"{name}, {line.of}: {each.metric}"
    cells = ("", figure, number(each.value), span, each.n, reader, line.baseline, "", day, head)
    told = io.StringIO()
    csv.writer(told, lineterminator="").writerow((*cells, command))
    return told.getvalue()


def measure(
    name: str,
    limit: int | None = None,
    folder: Path = ROOT / ".measure",
    model: bool = False,
) -> list[str]:
    """Measure a set; returns its rows as CSV and appends its figures to `folder`/results.jsonl.

    Raises UsageError when the set is unknown or its data are not there.
    """
    data = data_folder()
    if name not in MEASURES:
        raise UsageError(f"no set is named {name!r}; known: {', '.join(MEASURES)}")
    if name in FOLDERS and not (data / FOLDERS[name]).is_dir():
        raise UsageError(
            f"{name} needs the folder {data / FOLDERS[name]}. Set PINCITE_DATA to the folder of all data."
        )
    work = Work(name, data, folder / name, limit, model)
    work.folder.mkdir(parents=True, exist_ok=True)
    made = MEASURES[name](work)
    command = (
        f"python -m benchmarks.measuring {name} --limit {limit}"
        if limit
        else f"make measure SET={name}{' MODEL=1' if model else ''}"
    )
    head, day = commit(), datetime.date.today().isoformat()
    with (folder / "results.jsonl").open("a", encoding="utf-8") as file:
        for line in made:
            values = {
                key: None if value != value else value
                for key, value in line.figure._asdict().items()
            }
            where = {"baseline": line.baseline, "command": command, "commit": head, "date": day}
            file.write(
                json.dumps({"set": name, "of": line.of, **values, **where}, ensure_ascii=False)
                + "\n"
            )
    reader = "endpoint" if name.startswith("oracle") else "model" if model else "none"
    return [csv_row(name, line, reader, command, head, day) for line in made]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; the exit code."""
    parser = argparse.ArgumentParser(
        prog="benchmarks.measuring", description="Measure a data set."
    )
    parser.add_argument("set", nargs="?", default="", help=", ".join(MEASURES))
    parser.add_argument("--limit", type=int, default=None, help="ask only the first N questions")
    parser.add_argument("--model", action="store_true", help="the model of the settings reads")
    given = parser.parse_args(arguments)
    try:
        rows = measure(given.set, given.limit, model=given.model)
    except PinciteError as error:
        sys.stderr.write(f"measure: {error}\n")
        return error.exit_code
    sys.stdout.write("\n".join([HEADER, *rows]) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
