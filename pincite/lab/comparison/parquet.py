"""All runs of an experiment as one Parquet file, a row for each question of each run."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from pincite.errors import PinciteError
from pincite.records.runfile import read_lines
from pincite.storage.disk import whole

_TIMES = ("search_s", "answer_s", "tokens_in", "tokens_out", "cost")
_TEXTS = (
    "run", "set", "scope", "recipe", "parameters", "spelling", "id", "question", "value", "unit", "text", "answer", "gold",
)  # fmt: skip


def pyarrow() -> Any:
    """The library that writes Parquet; PinciteError with the line that installs it when it is not there."""
    try:
        import pyarrow.parquet
    except ImportError as error:
        raise PinciteError(
            f'Parquet needs pyarrow, which is not installed ({error}): `pip install "pincite[lab]"`; without --parquet '
            "the same data are in the JSON lines of each run"
        ) from error
    return pyarrow


def write_parquet(folders: Iterable[Path], path: Path) -> int:
    """Write the runs in these folders to `path`; returns the number of rows.

    `parameters`, `value`, `answer` (the whole record) and `gold` are JSON; the answer's columns are null where a run only
    searched.
    """
    arrow = pyarrow()
    hit = arrow.struct([
        ("document", arrow.string()), ("page", arrow.int32()), ("score", arrow.float64()), ("node", arrow.string()),
        ("kind", arrow.string()), ("place", arrow.string()),
    ])  # fmt: skip
    schema = arrow.schema([
        *((name, arrow.string()) for name in _TEXTS),
        *((name, arrow.float64()) for name in ("search_s", "answer_s", "cost", "confidence")),
        ("tokens_in", arrow.int64()),
        ("tokens_out", arrow.int64()),
        ("refused", arrow.bool_()),
        ("hits", arrow.list_(hit)),
    ])  # fmt: skip
    rows = 0
    with whole(path) as half, arrow.parquet.ParquetWriter(half, schema) as file:
        for folder in folders:
            table = arrow.Table.from_pylist(list(_rows(folder)), schema=schema)
            file.write_table(table)
            rows += table.num_rows
    return rows


def _rows(folder: Path) -> Iterator[dict[str, Any]]:
    told = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    run = {
        "run": told["name"], "set": told["set"], "scope": told["scope"], "recipe": told["recipe"],
        "parameters": json.dumps(told["parameters"], ensure_ascii=False), "spelling": told["spelling"],
    }  # fmt: skip
    answers = (
        {str(line["id"]): line for line in read_lines(folder / "answers.jsonl")}
        if told["answers"]
        else {}
    )
    columns = zip(
        *(read_lines(folder / f"{name}.jsonl") for name in ("golds", "hits", "times")), strict=True
    )
    for gold, found, times in columns:
        yield {
            **run,
            "id": gold["id"],
            "question": gold["question"],
            "gold": json.dumps(gold, ensure_ascii=False),
            "hits": found["hits"],
            **{name: float(times[name]) if name == "cost" else times[name] for name in _TIMES},
            **_answer(answers.get(gold["id"])),
        }


def _answer(said: Mapping[str, Any] | None) -> dict[str, Any]:
    if said is None:
        return {}
    names = ("unit", "text", "refused", "confidence")
    held = {"value": said["value"], "answer": said}
    texts = {name: json.dumps(value, ensure_ascii=False) for name, value in held.items()}
    return {**{name: said[name] for name in names}, **texts}
