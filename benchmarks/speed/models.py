"""A batch over the example reports with a scripted model server: how fast it is, what faults cost, what a start costs.

    python benchmarks/speed/models.py time      # 200 questions at 500 ms a reply, beside the ideal and an instant server
    python benchmarks/speed/models.py faults    # the same with a fifth of the replies spoiled: lost, paid twice, other answers
    python benchmarks/speed/models.py repairs   # every reply violates its form until it has been asked again twice
    python benchmarks/speed/models.py imports --against CHECKOUT   # seconds to import, beside an older checkout

The server is a separate process (`python -m tests.stand_ins.scripted_server`) and knows the tables of the reports. Costs are
taken from its bill, not from the ledger of the package.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path

from pincite.ledger import Price
from pincite.library import Library, index
from pincite.models.model_settings import ModelSettings
from pincite.settings import Settings
from pincite.workbench.batch import QuestionLine, run
from tests.stand_ins.fakes import Asked, Bill, faulty, oracle

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
DELAY, CONCURRENCY = 0.5, 25
WORDINGS = (
    "What was the {what} of {whose} in {when}?",
    "How much was the {what} of {whose} in {when}?",
    "In {when}, what did {whose} report as {what}?",
    "For the year {when}, what is given as {what} of {whose}?",
)
NAMES = {"halvorsen": "Halvorsen Maritime", "solvik": "Solvik Energy"}


def questions(count: int) -> list[QuestionLine]:
    """Questions about the cells of the reports' tables, wording by wording."""
    grids: dict[tuple[str, int], dict[tuple[int, int], str]] = {}
    for cell in json.loads((EXAMPLES / "truth.json").read_text(encoding="utf-8")):
        grids.setdefault((cell["file"], cell["page"]), {})[cell["row"], cell["column"]] = cell[
            "text"
        ]
    asked = []
    for (file, _), grid in grids.items():
        whose = next((name for start, name in NAMES.items() if file.startswith(start)), "")
        years = {
            column: text
            for (row, column), text in grid.items()
            if row == 0 and re.fullmatch(r"20\d\d", text)
        }
        rows = {row: text for (row, column), text in grid.items() if column == 0 and row and text}
        asked += [
            (what, whose, when) for what in rows.values() for when in years.values() if whose
        ]
    made = [
        wording.format(what=what, whose=whose, when=when)
        for wording in WORDINGS
        for what, whose, when in asked
    ]
    assert len(made) >= count
    return [
        QuestionLine(f"q{number:03}", text, kind="number")
        for number, text in enumerate(made[:count])
    ]


# what the server says -------------------------------------------------------------------------------------------------


def told(asked: Asked) -> dict[str, object] | None:
    """The cell of the lines shown whose row and column the question names."""
    said = asked.said("user")
    found = re.search(r"^Question: (.*)$", said, re.M)
    if not found or not (when := re.search(r"\b(20\d\d)\b", found[1])):
        return None
    best: tuple[int, dict[str, object]] = (0, {})
    for number, label, cells in re.findall(r"^(\d+) (?:.* > )?([^:>]+): (.* = .*)$", said, re.M):
        value = re.search(rf"\b{when[1]}\b[^=;]* = ([^; ]+)", cells)
        if value and len(label) > best[0] and label.lower() in found[1].lower():
            best = len(label), {"analysis": "", "lines": [int(number)], "value": value[1]}
    return best[1] or None


right = oracle(told)
spoiled = faulty(right, rate=0.2, seed=1)
breaking = faulty(
    right,
    rate=1.0,
    seed=2,
    faults=("half", "broken", "empty", "prose", "tools", "refusal"),
    streak=2,
)


@contextmanager
def serving(script: str, delay: float, bill: Path) -> Iterator[str]:
    """The base URL of a server process with a script of this file."""
    command = [
        sys.executable,
        "-m",
        "tests.stand_ins.scripted_server",
        f"models:{script}",
        "--delay",
        str(delay),
        "--bill",
        str(bill),
    ]
    paths = os.pathsep.join((str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")))
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": paths}
    )
    try:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
    finally:
        process.terminate()
        process.wait()


def batch(
    script: str, delay: float, count: int, folder: Path
) -> tuple[float, Bill, list[dict[str, object]], int]:
    """Seconds, the server's bill, the records and how many failed, of a whole batch on a fresh corpus."""
    place = Path(tempfile.mkdtemp(dir=folder))
    index(EXAMPLES / "files", place / "corpus", metadata=EXAMPLES / "metadata.csv")
    asked = questions(count)
    with serving(script, delay, place / "bill") as url:
        prices = {"scripted": Price(Decimal(2), Decimal(8))}
        models = ModelSettings(
            base_url=url, large="scripted", prices=prices, concurrency=CONCURRENCY
        )
        library = Library(place / "corpus", Settings(models=models))
        started = time.perf_counter()
        made = run(asked, library, place / "answers.jsonl", "jsonl")
        seconds = time.perf_counter() - started
    return seconds, Bill(place / "bill", ("2", "8")), made.records, len(made.failed)


def warm(folder: Path) -> None:
    """Import and load all that a batch needs, so that no run pays for another."""
    batch("right", 0.0, 3, folder)


def timed(count: int, runs: int, folder: Path) -> None:
    """The time of a batch at 500 ms a reply, and with an instant server, in turns: the shortest of each."""
    warm(folder)
    seconds: dict[float, list[float]] = {0.0: [], DELAY: []}
    for _ in range(runs):
        for delay, taken in seconds.items():
            worked = time.process_time()
            wall, bill, records, _ = batch("right", delay, count, folder)
            taken.append(wall)
            print(
                f"  {delay:g} s a reply: {wall:.2f} s, {time.process_time() - worked:.2f} s of a core, {bill.busiest} at once"
            )
    instant, slow = min(seconds[0.0]), min(seconds[DELAY])
    ideal = bill.requests * DELAY / CONCURRENCY
    answered = sum(not one["refused"] for one in records)
    print(f"{count} questions, {bill.requests} calls, {answered} answered, {os.cpu_count()} cores")
    print(f"ideal {ideal:.2f} s, instant server {instant:.2f} s, {DELAY:g} s a reply {slow:.2f} s")
    print(f"ratio {slow / max(ideal, instant):.3f} to the larger, {slow / ideal:.3f} to the ideal")


def faults(script: str, count: int, folder: Path) -> None:
    """What a batch loses and pays twice when replies are spoiled."""
    _, plain, right_records, _ = batch("right", 0.0, count, folder)
    seconds, bill, records, failed = batch(
        script, 0.0 if script == "breaking" else DELAY, count, folder
    )
    lost = failed + sum(one["id"] not in {made["id"] for made in records} for one in right_records)
    other = sum(one != made for one, made in zip(right_records, records, strict=True))
    print(
        f"{count} questions, {bill.requests} requests for {plain.requests} without faults, {seconds:.1f} s"
    )
    print(
        f"statuses {dict(bill.statuses)}, replies not delivered {sum(not row.delivered for row in bill.rows)}"
    )
    print(
        f"lost {lost}, paid twice {len(bill.paid_twice)}, other answers than without faults {other}"
    )


def imports(against: Path | None, runs: int = 9) -> None:
    """Seconds that importing takes, in turns with another checkout."""
    for statement in ("import pincite", "import pincite.library", "import pincite.cli.main"):
        rows: dict[Path, list[float]] = {one: [] for one in (ROOT, against) if one}
        for _ in range(runs):
            for checkout, taken in rows.items():
                started = time.perf_counter()
                subprocess.run([sys.executable, "-c", statement], cwd=checkout, check=True)
                taken.append(time.perf_counter() - started)
        medians = [
            f"{'here' if one == ROOT else 'there'} {statistics.median(taken):.3f} s"
            for one, taken in rows.items()
        ]
        print(f"{statement:<26} {', '.join(medians)}")


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure one thing."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("time", "faults", "repairs", "imports"))
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--against", type=Path)
    given = parser.parse_args(arguments)
    if given.what == "imports":
        imports(given.against)
        return
    with tempfile.TemporaryDirectory() as folder:
        if given.what == "time":
            timed(given.count, given.runs, Path(folder))
        else:
            faults("spoiled" if given.what == "faults" else "breaking", given.count, Path(folder))


if __name__ == "__main__":
    main()
