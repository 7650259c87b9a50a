"""Questions whose names of rows are placeholders, filled from the database at run time.

`{material:17}` is the 17th distinct value of the column, in the order of their code points; `{material:17:last2}` its last two
words, `:lower` in lower case, `:joined` without spaces. In a statement a placeholder becomes a quoted literal.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from pincite.records.runfile import read_lines

PLACE = re.compile(
    r"\{(?P<column>\w+):(?P<at>\d+)(?::(?P<form>lower|joined|last(?P<words>\d)))?\}"
)


def read_worded(path: Path, database: Path, relation: str) -> list[dict[str, Any]]:
    """The rows of a question file with `question` filled and `gold` as executed statements: sql, columns, rows.

    Placeholders are taken from the columns of `relation` in an SQLite file. Raises UsageError when the file cannot be read.
    """
    rows = read_lines(path)
    names = {
        match["column"]
        for row in rows
        for text in (row["question"], *row["gold"])
        for match in PLACE.finditer(text)
    }
    with closing(
        sqlite3.connect(f"{database.resolve().as_uri()}?mode=ro", uri=True)
    ) as connection:
        values = {name: distinct(connection, relation, name) for name in names}
        return [filled(row, values, connection) for row in rows]


def distinct(connection: sqlite3.Connection, relation: str, column: str) -> list[str]:
    """The distinct values of a column, sorted."""
    found = connection.execute(
        f'SELECT DISTINCT "{column}" FROM "{relation}" WHERE "{column}" IS NOT NULL'
    )
    return sorted(str(value) for (value,) in found)


def filled(
    row: dict[str, Any], values: dict[str, list[str]], connection: sqlite3.Connection
) -> dict[str, Any]:
    """One row with its question filled and its statements executed."""
    golds = []
    for statement in row["gold"]:
        sql = put(statement, values, quoted=True)
        found = connection.execute(sql)
        golds.append(
            {
                "sql": sql,
                "columns": [each[0] for each in found.description],
                "rows": found.fetchall(),
            }
        )
    return {**row, "question": put(row["question"], values, quoted=False), "gold": golds}


def put(
    text: str, values: dict[str, Sequence[str]] | dict[str, list[str]], *, quoted: bool
) -> str:
    """A text with its placeholders filled, as quoted literals where it is a statement."""

    def value(match: re.Match[str]) -> str:
        found = values[match["column"]][int(match["at"]) - 1]
        match match["form"]:
            case None:
                made = found
            case "lower":
                made = found.lower()
            case "joined":
                made = found.replace(" ", "")
            case _:
                made = " ".join(found.split()[-int(match["words"]) :])
        return "'" + made.replace("'", "''") + "'" if quoted else made

    return PLACE.sub(value, text)
