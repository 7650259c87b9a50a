"""A run of the laboratory read back: a folder with what was asked, found, said and spent.

`run.json` says what ran (name, recipe, parameters, spelling, stand_ins, set, seconds, tokens, cost ...), `golds.jsonl` the
questions with their gold, `hits.jsonl` what was found, `answers.jsonl` what was said (none of a retrieval run) and
`times.jsonl` what each question took.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pincite.errors import UsageError
from pincite.formats.frames import data_frame
from pincite.records.runfile import FoundPage, Record, found_of, read_lines, record_of

Row = Mapping[str, Any]
JUDGED = "judged.jsonl"
"""The file of a run's folder that holds what a model makes of its answers, a line a question (`judging.judgements`)."""
FRAME = (
    "id", "question", "gold", "value", "unit", "text", "confidence", "refused", "reason", "document", "page", "search_s",
    "answer_s", "cost",
)  # fmt: skip
"""The columns of a run as a data frame."""


@dataclass(frozen=True, slots=True)
class Run:
    """What one run found and said to each question, by question id.

    `told` is run.json; `said` are the lines of the answers as they were written, `answers` the same as records. `hits`,
    `said` and `times` are empty where the run kept none, `judged` where no model judged its answers, `chunks` where
    its golds or what it found are none.
    """

    name: str
    golds: Mapping[str, Row]
    told: Row = field(default_factory=dict)
    hits: Mapping[str, Sequence[FoundPage]] = field(default_factory=dict)
    said: Mapping[str, Row] = field(default_factory=dict)
    answers: Mapping[str, Record] = field(default_factory=dict)
    times: Mapping[str, Row] = field(default_factory=dict)
    judged: Mapping[str, Row] = field(default_factory=dict)
    chunks: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @property
    def set_name(self) -> str:
        """The set of questions."""
        return str(self.told.get("set") or "")

    @property
    def numbers(self) -> dict[str, float]:
        """The recipe's parameters that are numbers by dotted name, and the size of the index (or corpus) by what it counts."""
        sizes = flat(self.told.get("corpus"))
        size = next((name for name in ("entries", "pages", "documents") if sizes.get(name)), None)
        given = {
            **({f"indexed {size}": sizes[size]} if size else {}),
            **flat(self.told.get("parameters")),
        }
        return {name: float(value) for name, value in given.items() if _is_number(value)}

    @property
    def settings(self) -> dict[str, str]:
        """The recipe, the models that it is compared with others by, and its parameters as text, by dotted name."""
        given = {"recipe": self.told.get("recipe"), **flat(self.told.get("parameters"))}
        if self.told.get("models_as"):
            given["models"] = self.told["models_as"]
        return {name: "" if value is None else str(value) for name, value in given.items()}

    def to_frame(self) -> Any:
        """A `pandas.DataFrame` with a row for each question: what was said, its gold, and what the question took.

        Raises PinciteError where pandas is missing.
        """
        return data_frame(map(self._row, self.golds), FRAME)

    def _row(self, key: str) -> dict[str, Any]:
        said, gold, took = self.said.get(key, {}), self.golds[key], self.times.get(key, {})
        cited: Row = next(iter(said.get("citations") or ()), {})
        return {
            "id": key,
            "question": gold.get("question"),
            "gold": gold.get("value"),
            **{
                name: said.get(name)
                for name in ("value", "unit", "text", "confidence", "refused", "reason")
            },
            "document": cited.get("document"),
            "page": cited.get("page"),
            **{name: took.get(name) for name in ("search_s", "answer_s", "cost")},
        }


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def flat(value: object, prefix: str = "") -> dict[str, Any]:
    """The leaves of nested mappings by dotted name; nothing for what is no mapping."""
    if not isinstance(value, Mapping):
        return {prefix: value} if prefix else {}
    made: dict[str, Any] = {}
    for name, part in value.items():
        made |= flat(part, f"{prefix}.{name}" if prefix else str(name))
    return made


def read_run_folder(folder: Path | str) -> Run:
    """The run in a folder. Raises UsageError when there is none or a file of it cannot be read."""
    folder = Path(folder)
    if not (folder / "golds.jsonl").is_file():
        raise UsageError(
            f"{folder} is not a run: a run is a folder with golds.jsonl, and hits.jsonl or answers.jsonl beside it, as "
            "`pincite experiment` writes them"
        )
    golds, hits, said, times = (
        _by_id(folder / f"{name}.jsonl") for name in ("golds", "hits", "answers", "times")
    )
    if not hits and not said:
        raise UsageError(
            f"the run {folder} has neither hits.jsonl nor answers.jsonl: run its experiment to the end"
        )
    told = _told(folder / "run.json")
    return Run(
        name=str(told.get("name") or folder.resolve().name),
        golds=golds,
        told=told,
        hits={key: found_of(row.get("hits") or ()) for key, row in hits.items()},
        said=said,
        answers={key: record_of(row) for key, row in said.items()},
        times=times,
        chunks={key: tuple(row["chunks"]) for key, row in hits.items() if "chunks" in row},
        judged={
            key: {name: value for name, value in row.items() if name != "id"}
            for key, row in _by_id(folder / JUDGED).items()
        },
    )


def distinct(runs: Sequence[Run]) -> list[Run]:
    """Runs under names that differ: of several with one name, those behind the first get a number."""
    made: list[Run] = []
    for member in runs:
        names, name, number = {run.name for run in made}, member.name, 2
        while name in names:
            name, number = f"{member.name} ({number})", number + 1
        made.append(replace(member, name=name))
    return made


def shared(runs: Sequence[Run]) -> list[str]:
    """The ids of the questions that every run was asked, in the order of the first.

    Raises UsageError when there are none, or when one id stands for two questions.
    """
    ids = [key for key in runs[0].golds if all(key in run.golds for run in runs)]
    if not ids:
        raise UsageError(
            f"{' and '.join(run.name for run in runs)} share no question id, so there is nothing to compare"
        )
    for key in ids:
        asked = {" ".join(str(run.golds[key].get("question") or "").split()) for run in runs} - {
            ""
        }
        if len(asked) > 1:
            told = " / ".join(sorted(asked))
            raise UsageError(
                f"question {key} is not the same in all runs ({told}): compare runs of one question file"
            )
    return ids


def _told(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
    except json.JSONDecodeError as error:
        raise UsageError(f"{path} is not JSON ({error.msg}, line {error.lineno})") from None
    if not isinstance(told, dict):
        raise UsageError(f"{path}: a JSON object is needed, not {type(told).__name__}")
    return told


def _by_id(path: Path) -> dict[str, Row]:
    if not path.is_file():
        return {}
    return {str(row.get("id", number)): row for number, row in enumerate(read_lines(path), 1)}
