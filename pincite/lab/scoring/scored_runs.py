"""What scoring reads beside the records of a run: its hits, and the grades of documents."""

from __future__ import annotations

from pathlib import Path

from pincite.lab.scoring.beir_folder import beir_judgements
from pincite.records.runfile import FoundPage, document_name, found_of, read_lines


def read_qrels(path: Path) -> dict[str, dict[str, int]]:
    """The grade of each judged document by question, from a BEIR file of query, document and grade."""
    grades: dict[str, dict[str, int]] = {}
    for query, document, grade in beir_judgements(path):
        grades.setdefault(query, {})[document_name(document)] = grade
    return grades


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
