"""What scoring reads beside the records of a run: its guesses, its hits, and the grades of documents."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from pincite.records.runfile import FoundPage, Record, document_name, found_of, read_lines


def guessed(records: Mapping[str, Record]) -> dict[str, Record]:
    """The records as they are shown, a refusal that has a guess as its guess."""
    return {key: record.guess or record for key, record in records.items()}


def read_qrels(path: Path) -> dict[str, dict[str, int]]:
    """The grade of each judged document by question, from a BEIR file of query, document and grade with a header."""
    grades: dict[str, dict[str, int]] = {}
    for line in path.read_text(encoding="utf-8-sig").splitlines()[1:]:
        query, document, grade = line.split("\t")
        grades.setdefault(query, {})[document_name(document)] = int(grade)
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
