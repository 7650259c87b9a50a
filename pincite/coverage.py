"""What a corpus covers: documents, pages, tables, databases, dates, problems, the status of every file."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from typing import Any

from pincite.corpus import WHOLE, Corpus


def coverage(corpus: Corpus) -> dict[str, Any]:
    """What a corpus covers, as JSON."""
    files = [
        {"file": one.path, "document": one.document, "status": one.status, "reason": one.reason}
        for one in corpus.files()
    ]
    dates = sorted(date for one in corpus.documents if (date := one.date or one.meta.get("year", "")))
    return {
        "generation": corpus.generation.number,
        "published": corpus.generation.published,
        "documents": len(corpus.documents),
        "pages": sum(one.pages for one in corpus.documents),
        "tables": sum(one.tables for one in corpus.documents),
        "databases": [
            {
                "name": one.name,
                "address": one.database.address,
                "tables": len(one.database.relations),
                "rows": sum(relation.rows for relation in one.database.relations),
            }  # fmt: skip
            for one in corpus.databases
        ],
        "dates": [dates[0], dates[-1]] if dates else [],
        "series": [
            {"name": one.name, "editions": [asdict(edition) for edition in one.editions]}
            for one in corpus.generation.series
        ],
        "statuses": dict(Counter(one["status"] for one in files)),
        "problems": [one for one in files if one["status"] not in WHOLE],
        "files": files,
    }
