"""What a question's statement may find at most, kept by the database before anything is sent."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

BYTES = 16 * 2**20
"""Bytes of all cells of a result, written as text."""
TOO_LARGE = "the result is too large"
OPTION = "pincite_bounded"
"""The execution option of statements whose results are bounded."""
_SIZE = {
    "postgresql": "coalesce(sum(octet_length((pincite_found.*)::text)), 0)",
    "duckdb": "coalesce(sum(strlen(pincite_found::VARCHAR)), 0)",
}
_FAIL = {
    "postgresql": f"('{TOO_LARGE}: ' || {_SIZE['postgresql']})::boolean",
    "duckdb": f"error('{TOO_LARGE}')",
}


def bound(engine: sa.Engine) -> None:
    """Have the server measure what a bounded statement found, and fail where that is too much.

    SQLite needs none of this: it computes a row when that is fetched.
    """
    size, fail = _SIZE[engine.dialect.name], _FAIL[engine.dialect.name]
    test = f"(SELECT CASE WHEN {size} <= {BYTES} THEN true ELSE {fail} END FROM pincite_found)"

    @sa.event.listens_for(engine, "before_cursor_execute", retval=True)
    def _measured(
        connection: sa.Connection,
        cursor: Any,
        statement: str,
        parameters: Any,
        context: Any,
        many: bool,
    ) -> tuple[str, Any]:
        if context is not None and context.execution_options.get(OPTION):
            statement = f"WITH pincite_found AS MATERIALIZED ({statement}) SELECT * FROM pincite_found WHERE {test}"
        return statement, parameters
