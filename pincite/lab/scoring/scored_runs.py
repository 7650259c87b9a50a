"""What scoring reads: the gold of questions, what a run found, and the grades of documents."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from pincite.errors import UsageError
from pincite.lab.scoring import wattbot
from pincite.lab.scoring.beir_folder import beir_judgements
from pincite.lab.scoring.examples import Row
from pincite.records.runfile import FoundPage, document_name, found_of, read_lines


def read_golds(path: Path) -> dict[str, Row]:
    """Gold rows by id, from JSON lines, CSV or BEIR qrels."""
    if path.suffix == ".tsv":
        grades: dict[str, dict[str, int]] = {}
        for query, document, grade in beir_judgements(path):
            grades.setdefault(query, {})[document_name(document)] = grade
        return {query: {"qrels": judged} for query, judged in grades.items()}
    if path.suffix == ".csv":
        return dict(wattbot.read_gold(path))
    return {str(row.get("id", number)): row for number, row in enumerate(read_lines(path), 1)}


def read_hits(path: Path) -> dict[str, list[FoundPage]]:
    """The hits of a hits file by question id, best first."""
    return {str(row["id"]): found_of(row.get("hits") or ()) for row in read_lines(path)}


def read_chunks(path: Path) -> dict[str, list[str]]:
    """The ids of the chunks that a hits file holds by question, best first; none for a question without."""
    return {
        str(row["id"]): list(map(str, row["chunks"]))
        for row in read_lines(path)
        if isinstance(row.get("chunks"), list)
    }


def check_shared_ids(
    run: Mapping[str, object], gold: Mapping[str, object], run_file: Path, gold_file: Path
) -> None:
    """Raise UsageError when a run and its gold share no id."""
    if not set(run) & set(gold):
        raise UsageError(
            f"{run_file} and {gold_file} share no question id: the run has {', '.join(list(run)[:3]) or 'none'}, "
            f"the gold {', '.join(list(gold)[:3]) or 'none'}"
        )
