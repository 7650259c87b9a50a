"""Questions over databases: rows found by statements, questions refused, and the same rows searched as embedded text.

Right is what is answered and right; one run, at one threshold, gives what is right, wrong and refused.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import closing
from typing import Any

from benchmarks.measuring import measured_system as system
from benchmarks.measuring import row_sets as rows
from benchmarks.measuring.checkout import ROOT
from benchmarks.measuring.measurement import ReportedFigure, Work, lines
from benchmarks.measuring.placeholders import read_worded
from benchmarks.measuring.rows_read import rows_read
from pincite.index.row_serializers import SERIALIZERS
from pincite.lab.scoring import retrieval_metrics as metrics
from pincite.lab.scoring.evaluation import Figure, figure
from pincite.records.runfile import read_lines

WORDED = ROOT / "benchmarks" / "questions" / "materials.jsonl"
RELATION = "materials"
REFUSED = 0.15
"""The share of answerable questions that may be refused."""
SETS = frozenset(("list", "filter", "count", "aggregate", "negation", "nested"))
"""Kinds of questions whose rows are many: those that embedded rows are compared on."""
COMMONEST = "the commonest rows to all"

Row = dict[str, Any]


def measure_sql(work: Work) -> list[ReportedFigure]:
    """All questions with gold rows, by kind of database, and those that their database cannot answer."""
    asked = read_lines(work.source / "questions.jsonl")[: work.limit]
    unanswerable = read_lines(work.source / "unanswerable.jsonl")[: work.limit]
    made = answered(work, [*asked, *unanswerable])
    names = sorted({str(row["db"]) for row in asked})
    kinds = [
        ("all", names),
        *(("defog", [n for n in names if n.startswith("defog")]),),
        *((n, [n]) for n in names),
    ]
    found = []
    for label, databases in kinds:
        part = [row for row in asked if row["db"] in databases]
        if part:
            found += lines(
                f"statements, {label}", right_figures(made, part), (COMMONEST, constant(part))
            )
    beside = [row for row in asked if row["db"] in {row["db"] for row in unanswerable}]
    found += caught(made, unanswerable, beside, "the databases of the unanswerable")
    return found + caught(made, unanswerable, asked, "all databases")


def measure_materials(work: Work) -> list[ReportedFigure]:
    """Free-worded questions over one table; then its rows by statement beside embedded rows, in nine serializations."""
    database = work.source / "databases" / f"{RELATION}.sqlite"
    every = [{**row, "db": RELATION} for row in read_worded(WORDED, database, RELATION)]
    asked = [row for row in every if row["gold"]][: work.limit]
    unanswerable = [row for row in every if not row["gold"]][: work.limit]
    templates = [
        row for row in read_lines(work.source / "questions.jsonl") if row["db"] == RELATION
    ][: work.limit]
    templates = [{**row, "kind": row["category"]} for row in templates]
    made = answered(work, [*asked, *unanswerable, *templates])
    found = lines("free-worded", right_figures(made, asked), (COMMONEST, constant(asked)))
    for kind in sorted({row["kind"] for row in asked}):
        found += lines(
            f"free-worded, {kind}",
            right_figures(made, [row for row in asked if row["kind"] == kind])[:1],
        )
    found += caught(made, unanswerable, asked, "free-worded")
    with closing(
        sqlite3.connect(f"{database.resolve().as_uri()}?mode=ro", uri=True)
    ) as connection:
        found += rows_found(
            work, connection, made, [row for row in (*templates, *asked) if row["kind"] in SETS]
        )
        found += serializers(
            work, connection, [row for row in (*templates, *asked) if row["kind"] == "lookup"]
        )
    return found


def answered(work: Work, asked: Sequence[Row]) -> dict[str, Row]:
    """What the system says to each question, by id."""
    return system.statements(
        [
            (str(row["id"]), str(row["db"]), " ".join(str(row["question"]).split()))
            for row in asked
        ],
        work.source / "databases",
        work.out("statements"),
    )


def right_figures(made: Mapping[str, Row], asked: Sequence[Row]) -> list[Figure]:
    """Right of all asked; answered of all; wrong of answered; and right were none refused."""
    rights = [
        rows.right(rows_of(made.get(row["id"])), row["gold"], bool(row["ordered"]))
        for row in asked
    ]
    given = [not refused(made.get(row["id"])) for row in asked]
    wrong = [float(not right) for right, each in zip(rights, given, strict=True) if each]
    return [
        figure(
            "rows right",
            [float(right and each) for right, each in zip(rights, given, strict=True)],
        ),
        figure("answered", [float(each) for each in given]),
        *([figure("wrong of answered", wrong)] if wrong else []),
        figure("rows right, none refused", [float(right) for right in rights]),
    ]


def rows_of(record: Row | None) -> list[list[Any]] | None:
    """The rows that a record holds."""
    return None if record is None else record["rows"]


def refused(record: Row | None) -> bool:
    """Whether a record refuses; one that is missing does."""
    return record is None or bool(record["refused"])


def confidence(record: Row | None) -> float:
    """How sure a record is."""
    return 0.0 if record is None else float(record["confidence"])


def constant(asked: Sequence[Row]) -> list[Figure]:
    """The figures of the commonest gold rows given to all."""
    common = commonest(asked)
    return right_figures({row["id"]: {"rows": common, "refused": False} for row in asked}, asked)


def commonest(asked: Sequence[Row]) -> list[list[Any]]:
    """The rows that are gold most often."""
    counted = Counter(tuple(map(tuple, gold["rows"])) for row in asked for gold in row["gold"][:1])
    return [list(row) for row in counted.most_common(1)[0][0]]


def caught(
    made: Mapping[str, Row], unanswerable: Sequence[Row], asked: Sequence[Row], of: str
) -> list[ReportedFigure]:
    """Refusals of both kinds of questions at the system's own threshold, at the best one, and the area under all."""
    low = [confidence(made.get(row["id"])) for row in unanswerable]
    high = [confidence(made.get(row["id"])) for row in asked]
    if not low or not high:
        return []
    cut = sorted(high)[int(REFUSED * len(high))]
    wins = [
        sum((each < other) + (each == other) / 2 for other in high) / len(high) for each in low
    ]
    ours = [
        figure(
            "unanswerable refused", [float(refused(made.get(row["id"]))) for row in unanswerable]
        ),
        figure("answerable refused", [float(refused(made.get(row["id"]))) for row in asked]),
        figure(
            f"unanswerable below the {REFUSED:.0%} least sure answerable",
            [float(each < cut) for each in low],
        ),
        figure("area under the curve of confidence", wins),
    ]
    chance = [
        Figure(ours[at].metric, value, 0, value, value) for at, value in ((2, REFUSED), (3, 0.5))
    ]
    return lines(f"unanswerable against {of}", ours, ("chance", chance))


def rows_found(
    work: Work, connection: sqlite3.Connection, made: Mapping[str, Row], asked: Sequence[Row]
) -> list[ReportedFigure]:
    """The rows that a gold statement reads: found by our statement, and by the default serialization's embeddings."""
    wanted = {row["id"]: rows_read(row["gold"][0]["sql"], RELATION, connection) for row in asked}
    asked = [row for row in asked if wanted[row["id"]]]
    embedded = system.rows_searched(
        [(row["id"], row["question"]) for row in asked],
        connection,
        RELATION,
        "full-semantic",
        work.folder,
    )
    by_statement: list[float] = []
    by_vector: list[float] = []
    by_chance: list[float] = []
    everything = [number for (number,) in connection.execute(f"SELECT rowid FROM {RELATION}")]
    for row in asked:
        gold = dict.fromkeys(wanted[row["id"]], 1)
        top = f"R@{max(10, len(gold))}"
        record = made.get(row["id"])
        read = (
            []
            if refused(record) or record is None
            else rows_read(record["statement"], RELATION, connection)
        )
        for found, each in (
            (read, by_statement),
            (embedded[row["id"]], by_vector),
            (everything, by_chance),
        ):
            each.append(metrics.score(top, found, gold) or 0.0)
    name = "recall of rows, top max(10, gold)"
    first = figure(name, by_chance)
    return [
        *lines(
            "list, count and aggregate questions, by statement",
            [figure(name, by_statement)],
            ("first rows", [first]),
        ),
        *lines(
            "list, count and aggregate questions, embedded",
            [figure(name, by_vector)],
            ("first rows", [first]),
        ),
    ]


def serializers(
    work: Work, connection: sqlite3.Connection, asked: Sequence[Row]
) -> list[ReportedFigure]:
    """Nine ways to write a row, by how well its embedding is found for a lookup."""
    wanted = {row["id"]: rows_read(row["gold"][0]["sql"], RELATION, connection) for row in asked}
    asked = [row for row in asked if wanted[row["id"]]]
    gold = [dict.fromkeys(wanted[row["id"]], 1) for row in asked]
    first = [number for (number,) in connection.execute(f"SELECT rowid FROM {RELATION}")]
    trivial = ranking([first] * len(asked), gold)
    found = []
    for serializer in SERIALIZERS:
        questions = [(row["id"], row["question"]) for row in asked]
        ranked = system.rows_searched(questions, connection, RELATION, serializer, work.folder)
        ours = ranking([ranked[row["id"]] for row in asked], gold)
        found += lines(f"lookups of rows, {serializer}", ours, ("first rows", trivial))
    return found


def ranking(ranked: Sequence[Sequence[int]], gold: Sequence[Mapping[int, int]]) -> list[Figure]:
    """Hit rate, recall, precision, F1 and mean reciprocal rank."""
    names = ("Success@10", "R@10", "P@10", "F1@10", "RR@10", "Success@20")
    return [
        figure(name, [metrics.score(name, r, g) or 0.0 for r, g in zip(ranked, gold, strict=True)])
        for name in names
    ]
