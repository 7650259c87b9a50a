"""What a corpus covers: documents, pages, tables, databases, dates, problems, the status of every file."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from typing import Any

from pincite.corpus import WHOLE, Corpus


def public_coverage(corpus: Corpus) -> dict[str, Any]:
    """What a corpus covers, without where its files and databases stand on the machine."""
    told = coverage(corpus)
    del told["files"]
    for problem in told["problems"]:
        del problem["file"]
    for database in told["databases"]:
        del database["address"]
    return told


def coverage(corpus: Corpus) -> dict[str, Any]:
    """What a corpus covers, as JSON."""
    names = {"file": "path", "document": "document", "status": "status", "reason": "reason"}
    files = [
        {told: getattr(file, name) for told, name in names.items()} for file in corpus.files()
    ]
    said = (each.date or each.meta.get("year", "") for each in corpus.documents)
    dates = sorted(filter(None, said))
    return {
        "generation": corpus.generation.number,
        "published": corpus.generation.published,
        "documents": len(corpus.documents),
        "pages": sum(document.pages for document in corpus.documents),
        "tables": sum(document.tables for document in corpus.documents),
        "databases": [
            {
                "name": held.name, "address": held.database.address, "tables": len(held.database.relations),
                "rows": sum(relation.rows for relation in held.database.relations),
            }
            for held in corpus.databases
        ],
        "dates": [dates[0], dates[-1]] if dates else [],
        "series": [
            {"name": series.name, "editions": [asdict(edition) for edition in series.editions]}
            for series in corpus.generation.series
        ],
        "statuses": dict(Counter(file["status"] for file in files)),
        "problems": [file for file in files if file["status"] not in WHOLE],
        "files": files,
    }  # fmt: skip
