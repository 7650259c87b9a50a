"""What is measured on each set of documents: what is indexed, what is asked, which figures come of it.

A trivial baseline is a constant or chance: N/A to all, one answer to all, the first pages, random pages.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.measuring import measured_system as system
from benchmarks.measuring.cell_neighbours import agreement
from benchmarks.measuring.data_sets import names_document
from benchmarks.measuring.measurement import (
    ReportedFigure,
    Work,
    answered,
    chance,
    constant,
    found,
    gold,
    judged,
    lines,
    loaded,
    pairs,
    readable,
)  # fmt: skip
from pincite.ingest.ocr.ocr_settings import engine_name
from pincite.lab.scoring import evaluation as scoring
from pincite.lab.scoring import typed_answers as typed
from pincite.lab.scoring.evaluation import Figure, figure
from pincite.lab.scoring.examples import judgements
from pincite.records.runfile import FoundPage, Record, document_name, read_lines
from pincite.types import Cell, Example, Table
from pincite.workbench import submissions


def measure_wattbot(work: Work) -> list[ReportedFigure]:
    """Both years' scores from one run over all papers, and whether the right paper is found."""
    some, metadata = loaded(work), work.source / "metadata.csv"
    system.index(work.source / "docs", work.corpus, metadata)
    records = answered(work, some, own=False)
    urls = paper_urls(metadata)
    made = []
    for year in (2025, 2026):

        def figures(held: Mapping[str, Record], year: int = year) -> list[Figure]:
            return scoring.wattbot_figures(submitted(held, some, urls), year)

        ours = scoring.with_guesses(records, figures)
        blank = scoring.wattbot_figures(
            submitted(constant(some, lambda row: None), some, urls), year
        )
        zero = scoring.wattbot_figures(submitted(constant(some, lambda row: 0), some, urls), year)
        made += lines(
            f"WattBot rules of {year}", ours, ("all blank", blank), ("0 everywhere", zero)
        )
    hits = found(work, some, own=False)
    size = len(system.page_counts(work.corpus))
    for name, flagged in (("train", False), ("dev", True)):
        golds = {
            example.id: gold(example) for example in some if ("flags" in gold(example)) == flagged
        }
        made += documents_found(f"the right paper, {name}", hits, golds, size)
    return made


def paper_urls(metadata: Path) -> dict[str, str]:
    """The address of each paper by its name."""
    with metadata.open(encoding="utf-8-sig", newline="") as file:
        return {document_name(row["id"]): row["url"] for row in csv.DictReader(file)}


def submitted(
    records: Mapping[str, Record], some: Sequence[Example], urls: Mapping[str, str]
) -> list[tuple[dict[str, str] | None, dict[str, str]]]:
    """Each example as a submitted row and its gold row."""
    made = []
    for example in some:
        record = records.get(example.id)
        row = (
            submissions.wattbot_row(
                record, example.query.text, example.query.unit, urls, example.id
            )
            if record
            else None
        )
        made.append((row, gold(example)))
    return made


def measure_erc(work: Work) -> list[ReportedFigure]:
    """The points of one run over all reports."""
    some = loaded(work)
    system.index(work.source / "pdfs", work.corpus, work.source / "companies.csv")
    records = answered(work, some, own=False, derived="forbid")
    ours = scoring.with_guesses(records, lambda held: scoring.erc_figures(pairs(held, some)))
    refusing = scoring.erc_figures(pairs(constant(some, lambda example: None), some))
    yes = constant(some, lambda example: True if example.query.expects == "boolean" else None)
    agreeing = scoring.erc_figures(pairs(yes, some))
    return lines("ERC round 2", ours, ("N/A to all", refusing), ("N/A and True", agreeing))


def measure_documents(work: Work) -> list[ReportedFigure]:
    """Sets of PDFs with typed answers: pages found in each scope, and one run of answers."""
    some = loaded(work)
    system.index(work.source / "pdfs", work.corpus)
    counts = {
        document_name(name): pages for name, pages in system.page_counts(work.corpus).items()
    }
    groups = [("", readable(some))]
    if work.name == "mmlongbench":
        names = {name: name for example in some for name in gold(example)["doc_ids"]}
        named = [
            example
            for example in readable(some)
            if names_document(example.query.text, names) == set(gold(example)["doc_ids"])
        ]
        groups.append((", whose question names its document", named))
    made = []
    for own in (True, False) if work.name in ("mmlongbench", "financebench") else (True,):
        hits = found(work, some, own)
        for group, members in groups:
            made += pages_found(
                f"{'own document' if own else 'all documents'}{group}", hits, members, counts, own
            )
    own_answers = work.name != "financebench"
    records = answered(work, some, own_answers)
    scope = "own document" if own_answers else "all documents"
    part = judged(some)
    ours = scoring.with_guesses(records, lambda held: scoring.typed_figures(pairs(held, part)))
    best = best_constant(part)
    same = scoring.typed_figures(pairs(constant(part, lambda row: best), part))
    refusing = scoring.typed_figures(pairs(constant(part, lambda row: None), part))
    return made + lines(
        f"answers, {scope}", ours, (f'"{best}" to all', same), ("N/A to all", refusing)
    )


def best_constant(some: Sequence[Example]) -> str:
    """The one answer that is right most often."""
    golds = [gold(example) for example in some if typed.applies(gold(example))]
    numbers = (str(row.get("answer")) for row in golds if typed.answer_type(row) == "number")
    offered = dict.fromkeys(["yes", "no", *numbers])
    return max(
        offered, key=lambda value: sum(typed.right(Record("", value), row) for row in golds)
    )


def pages_found(
    of: str,
    hits: Mapping[str, Sequence[FoundPage]],
    some: Sequence[Example],
    counts: Mapping[str, int],
    own: bool,
) -> list[ReportedFigure]:
    """Page hit rates, beside the first pages of the document or, over all documents, random pages."""
    golds = {example.id: gold(example) for example in some}
    ours = scoring.retrieval_figures(hits, golds)
    if own:
        names = {
            example.id: document_name(example.query.where[0][1][0])
            for example in some
            if example.query.where
        }
        first = {
            key: [FoundPage(name, page) for page in range(1, system.DEPTH + 1)]
            for key, name in names.items()
        }
        return lines(
            f"pages, {of}", ours, ("first pages", scoring.retrieval_figures(first, golds))
        )
    wanted = [len(set(example.evidence)) for example in some if example.evidence]
    return lines(
        f"pages, {of}", ours, ("random pages", chance(sum(counts.values()), wanted, "page "))
    )


def documents_found(
    of: str,
    hits: Mapping[str, Sequence[FoundPage]],
    golds: Mapping[str, dict[str, Any]],
    documents: int,
) -> list[ReportedFigure]:
    """Document hit rates, beside random documents."""
    wanted = [len(grades) for row in golds.values() if (grades := judgements(row)[1])]
    ours = scoring.retrieval_figures(hits, golds)
    return lines(of, ours, ("random documents", chance(documents, wanted, "document ")))


def measure_icdar2013(work: Work) -> list[ReportedFigure]:
    """Whether neighbouring cells of tables are found, over all tables reported in a file, summed over files."""
    system.index(work.source / "pdfs", work.corpus)
    wanted: dict[str, list[Table]] = {}
    for row in read_lines(work.source / "tables.jsonl"):
        wanted.setdefault(document_name(row["file"]), []).extend(map(region_table, row["regions"]))
    reported = system.tables(work.corpus)
    agreed = [
        agreement(reported.get(name, ()), tables)
        for name, tables in list(wanted.items())[: work.limit]
    ]
    matched = [each.matched for each in agreed]
    ours = [
        figure(
            "F1",
            [2 * each for each in matched],
            [each.found + each.wanted for each in agreed],
        ),
        figure("precision", matched, [each.found for each in agreed]),
        figure("recall", matched, [each.wanted for each in agreed]),
    ]
    nothing = [figure("F1", [0.0] * len(agreed)), figure("recall", [0.0] * len(agreed))]
    return lines("neighbouring cells, n files", ours, ("no tables", nothing))


def region_table(region: Mapping[str, Any]) -> Table:
    """A gold region as a table."""
    return Table(
        tuple(
            Cell(
                each["row"], each["col"], each["text"],
                each["end_row"] - each["row"] + 1, each["end_col"] - each["col"] + 1,
            )
            for each in region["cells"]
        )
    )  # fmt: skip


def measure_robust(work: Work) -> list[ReportedFigure]:
    """Whether each odd, broken or locked file gets the right status."""
    rows = read_lines(work.source / "manifest.jsonl")[: work.limit]
    given = system.statuses(work.source / "pdfs", work.corpus)
    right = [float(given.get(Path(row["file"]).name) in expected_status(row)) for row in rows]
    ok = ["ok" in expected_status(row) for row in rows]
    return lines(
        "status of odd files", [figure("right", right)], ('"ok" to all', [figure("right", ok)])
    )


def expected_status(row: Mapping[str, Any]) -> tuple[str, ...]:
    """The statuses of which a file of the manifest should get one without its password."""
    if row["category"] == "fail":
        return ("unreadable",)
    if row["category"] == "password":
        return ("locked",)
    if row["pdfium_open"] != "ok":
        return ("unreadable",)
    if row["chars_first10"] >= 10:
        return ("ok",)
    return ("ocr", "empty") if engine_name() else ("no-text",)
