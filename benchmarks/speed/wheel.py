"""The wheel of a checkout in an empty environment: `pip install`, then one command to a cited answer without a network.

    python benchmarks/speed/wheel.py [PYTHON ...] [--checkout FOLDER]

The wheel is built, and installed with its default dependencies into a new environment of each Python, by default of this one.
The command is `pincite --offline ask QUESTION FILE`, asked twice of a copy of an example report in a folder of its own, with no
variable of this shell: the first time it reads the file. Printed are seconds on the clock and of processor, and whether the
answer cites the right page.
"""

from __future__ import annotations

import argparse
import json
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
REPORT = "examples/files/halvorsen-annual-report-2023.pdf"
QUESTION = "What was the income tax expense of Halvorsen Maritime in 2023?"
VALUE, PAGE = 11706000, 3


def timed(command: list[str | Path], **given: object) -> tuple[float, float, str]:
    """Run a command; seconds on the clock and of processor, and what it printed. Its failure is an error."""
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(command, check=True, capture_output=True, text=True, **given)  # type: ignore[call-overload]
    took, after = time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return took, spent, done.stdout


def told(what: str, took: float, spent: float) -> None:
    """Print a figure."""
    sys.stdout.write(f"  {what:<28} {took:6.1f} s on the clock {spent:6.1f} s of processor\n")
    sys.stdout.flush()


def measure(python: Path, wheel: Path, folder: Path) -> None:
    """Install the wheel for a Python and ask."""
    version = subprocess.run([python, "-V"], check=True, capture_output=True, text=True).stdout
    sys.stdout.write(version)
    subprocess.run([python, "-m", "venv", folder / "venv"], check=True)
    programs = folder / "venv" / "bin"
    told("pip install", *timed([programs / "pip", "install", "--quiet", wheel])[:2])
    shutil.copy(ROOT / REPORT, folder / "report.pdf")
    bare = {"HOME": str(folder), "PATH": str(programs)}
    for name in ("ask, first", "ask, again"):
        command = [programs / "pincite", "--offline", "ask", QUESTION, "report.pdf", "--json"]
        took, spent, printed = timed(command, cwd=folder, env=bare)
        answer = json.loads(printed)
        right = answer["value"] == VALUE and answer["citations"][0]["page"] == PAGE
        told(f"{name}: {'right' if right else 'WRONG'}", took, spent)


def main() -> None:
    """Print the figures of each Python."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("pythons", type=Path, nargs="*", default=[Path(sys.executable)])
    parser.add_argument("--checkout", type=Path, default=ROOT)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", place]
        subprocess.run([*build, options.checkout], check=True)
        (wheel,) = Path(place).glob("*.whl")
        for number, python in enumerate(options.pythons):
            folder = Path(place) / str(number)
            folder.mkdir()
            measure(python, wheel, folder)


if __name__ == "__main__":
    main()
