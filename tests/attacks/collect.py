"""Every pattern that the package compiles, with its place: seen at `re` itself, in a process that has imported none of it.

    python -m tests.attacks.collect [--every 80] > patterns.json

All modules are imported, files of each format are read, and questions (those of the examples, some of the benchmarks and of
the tests) are put to the example reports and to a small database. What a call site would compile is worked out also where no
question came by: its expression is evaluated in its module, with a word for what a function is given. A site that was neither
seen nor worked out is `unseen`.
"""

from __future__ import annotations

import argparse
import ast
import builtins
import importlib
import json
import pkgutil
import re
import sqlite3
import sys
import tempfile
from collections import Counter
from contextlib import suppress
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

ROOT = Path(__file__).parents[2]
PACKAGE = str(ROOT / "pincite")
CALLS = {"compile", "search", "match", "fullmatch", "sub", "subn", "findall", "finditer", "split"}
EACH = 12
"""So many patterns are kept of a place that builds them from what it is given."""

Pattern = tuple[str, int]
Place = tuple[str, int]


class Collector:
    """Stands in for `re._compile` and notes what the package has compiled, and where."""

    def __init__(self) -> None:
        self.seen: dict[Pattern, Place] = {}
        self.places: set[Place] = set()
        self.most: int | None = None
        self._at = Counter[Place]()
        self._compile = re._compile  # type: ignore[attr-defined]

    def __call__(self, pattern: object, flags: int) -> object:
        if place := _place(sys._getframe(1)):
            self.places.add(place)
            self.note(pattern, int(flags), place)
        return self._compile(pattern, flags)

    def note(self, pattern: object, flags: int, place: Place) -> None:
        """Keep a pattern; those that are built while questions are asked only so often a place."""
        if isinstance(pattern, re.Pattern):
            pattern, flags = pattern.pattern, pattern.flags & ~re.UNICODE
        written = pattern.decode("latin-1") if isinstance(pattern, bytes) else str(pattern)
        if (written, flags) not in self.seen and (
            self.most is None or self._at[place] < self.most
        ):
            self._at[place] += 1
            self.seen[written, flags] = place


def _place(frame: FrameType | None) -> Place | None:
    """Where the package called `re`, None when somebody else did."""
    while frame is not None and frame.f_code.co_filename == re.__file__:
        frame = frame.f_back
    if frame is None or not frame.f_code.co_filename.startswith(PACKAGE):
        return None
    return str(Path(frame.f_code.co_filename).relative_to(ROOT)), frame.f_lineno


def call_sites() -> list[tuple[str, ast.Call]]:
    """Every call of a function of `re` that takes a pattern, with the file that it stands in."""
    found = []
    for path in sorted(Path(PACKAGE).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            match node:
                case ast.Call(func=ast.Attribute(value=ast.Name(id="re"), attr=called)) if (
                    called in CALLS
                ):
                    found.append((str(path.relative_to(ROOT)), node))
    return found


class _Unknown(str):
    """Stands for what a function is given, whatever it does with it."""

    def __getattr__(self, name: str) -> _Unknown:
        return self

    def __call__(self, *given: object, **named: object) -> _Unknown:
        return self


class _Names(dict[str, object]):
    """The names of a module; one that it has not is a function's own."""

    def __missing__(self, name: str) -> object:
        return getattr(builtins, name, None) or _Unknown("Abc")


def worked_out(collector: Collector) -> list[str]:
    """Note what call sites would compile by their modules' own names; the sites where that cannot be told and none was seen."""
    unseen = []
    for file, call in call_sites():
        names = vars(
            importlib.import_module(file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")),
        )  # fmt: skip
        seen = any(
            (file, line) in collector.places
            for line in range(call.lineno, (call.end_lineno or call.lineno) + 1)
        )
        pattern, flags = _code(call.args[0]), _code(_flags(call))
        try:
            collector.note(eval(pattern, names), int(eval(flags, names)), (file, call.lineno))  # noqa: S307
        except NameError:
            if not seen:
                try:
                    known = _Names(names)
                    collector.note(
                        eval(pattern, {}, known), int(eval(flags, {}, known)), (file, call.lineno)
                    )  # noqa: S307
                except Exception:
                    unseen.append(f"{file}:{call.lineno}")
    return unseen


def _flags(call: ast.Call) -> ast.expr:
    """The flags of a call of `re`, as they are written."""
    named = next((word.value for word in call.keywords if word.arg == "flags"), None)
    called = call.func.attr  # type: ignore[attr-defined]
    at = {"compile": 1, "search": 2, "match": 2, "fullmatch": 2, "findall": 2, "finditer": 2}.get(
        called, 9
    )
    return named or next(iter(call.args[at:]), ast.Constant(0, lineno=call.lineno, col_offset=0))


def _code(node: ast.expr) -> CodeType:
    return compile(ast.Expression(node), "<pattern>", "eval")


def questions(every: int) -> list[str]:
    """The questions of the examples, and every so many-th of those of the benchmarks and of the tests."""
    asked = (ROOT / "examples" / "questions.txt").read_text().splitlines()
    more = {
        json.loads(line)["question"]
        for line in (ROOT / "benchmarks/questions/materials.jsonl").open()
    }
    for path in (ROOT / "benchmarks" / "questions" / "languages").glob("*.tsv"):
        more |= {line.rsplit("\t", 1)[-1] for line in path.read_text().splitlines()}
    for path in (ROOT / "tests").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if (
                isinstance(node, ast.Constant)
                and isinstance(node.value, str)
                and node.value.endswith("?")
            ):
                more.add(node.value)
    asked.append("What is the title of Table 2?")
    return asked + sorted(one for one in more if one.strip())[::every]


def read_formats(folder: Path) -> None:
    """Read a file of each format that can be written, in this process."""
    from pincite.errors import PinciteError
    from pincite.ingest.document_parser import parse
    from tests.formats import format_writers

    for name in vars(format_writers):
        if (
            name.startswith("to_") and name != "to_png"
        ):  # a picture is read as the text that OCR makes of it
            path = folder / f"file.{name.removeprefix('to_')}"
            path.write_bytes(getattr(format_writers, name)())
            with suppress(PinciteError):
                parse(path, name, "0" * 64)


def ask(folder: Path, asked: list[str]) -> None:
    """Put questions to the example reports and to a small database."""
    from pincite.indexing import Wanted
    from pincite.settings import Settings
    from pincite.workbench.library import Library, index

    store = folder / "fleet.sqlite"
    with sqlite3.connect(store) as connection:
        connection.execute(
            "create table ships (name text primary key, built date, revenue_musd real, flag text)"
        )
        connection.executemany(
            "insert into ships values (?, ?, ?, ?)",
            [
                (
                    f"Ship {n}",
                    f"20{n:02}-03-0{1 + n % 9}",
                    n * 1.5,
                    "Norway" if n % 2 else "Denmark",
                )
                for n in range(40)
            ],
        )
    index(
        ROOT / "examples/files", folder / "corpus", metadata=ROOT / "examples/metadata.csv",
        databases=[Wanted(str(store))],
    )  # fmt: skip
    library = Library(folder / "corpus", Settings())
    for question in asked:
        library.ask(question)


def collect(every: int = 80) -> dict[str, Any]:
    """The patterns of the package, each with its flags and where it is compiled, and the call sites that none were seen of."""
    if any(name.startswith("pincite") for name in sys.modules):
        raise RuntimeError("patterns are collected by a process that has not imported pincite")
    collector = re._compile = Collector()  # type: ignore[attr-defined]
    package = importlib.import_module("pincite")
    for module in pkgutil.walk_packages(package.__path__, "pincite."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    collector.most = EACH
    with tempfile.TemporaryDirectory() as folder:
        read_formats(Path(folder))
        ask(Path(folder), questions(every))
    unseen = worked_out(collector)
    re._compile = collector._compile  # type: ignore[attr-defined]
    found = [
        (pattern, flags, f"{file}:{line}")
        for (pattern, flags), (file, line) in collector.seen.items()
    ]
    return {"patterns": found, "unseen": unseen}


if __name__ == "__main__":
    reading = argparse.ArgumentParser(description=__doc__)
    reading.add_argument("--every", type=int, default=80)
    json.dump(collect(reading.parse_args().every), sys.stdout)
