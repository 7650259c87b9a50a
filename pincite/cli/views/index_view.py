"""What a run of indexing did, as lines and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pincite.plural import counted

if TYPE_CHECKING:
    from pincite.indexing import Summary, Synced

COUNTS = (
    "parsed", "moved", "unchanged", "described", "removed", "pages", "tables", "encoded", "generation", "replaced",
)  # fmt: skip


def told(summary: Summary) -> dict[str, Any]:
    """What a run did, for JSON."""
    return {
        **{count: getattr(summary, count) for count in COUNTS},
        "files": len(summary.files),
        "seconds": round(summary.seconds, 2),
        "failure": summary.failure,
        "problems": [
            {"file": problem.path, "status": problem.status, "reason": problem.reason}
            for problem in summary.problems
        ],
        "relations": [synced(relation) for relation in summary.relations],
    }


def lines(summary: Summary) -> Iterator[str]:
    """What a run did, in a line, and what became of each relation and of each file with a problem."""
    yield str(summary)
    for relation in summary.relations:
        yield f"  {line(relation)}"
    if summary.replaced:
        yield f"  replaced by newer editions, which answer: {summary.replaced}; `pincite status` lists them"
    for problem in summary.problems:
        yield f"  {problem.status}: {Path(problem.path).name}: {problem.reason}"


def synced(run: Synced) -> dict[str, Any]:
    """What became of a relation, for JSON."""
    return {
        "database": run.database, "table": run.relation, "rows": run.rows, "new": run.new, "changed": run.changed,
        "deleted": run.deleted, "rows_indexed": run.nodes, "names_guessed": run.guessed,
    }  # fmt: skip


def line(run: Synced) -> str:
    """What became of a relation, in a line."""
    counts = {"new": run.new, "changed": run.changed, "deleted": run.deleted}
    what = ", ".join(f"{count:,} {name}" for name, count in counts.items() if count) or "unchanged"
    return f"{run.database}/{run.relation}: {counted(run.rows, 'row')}, {what}" + (
        "" if run.nodes else "; queried by statement"
    )
