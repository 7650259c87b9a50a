"""Make the pictures of the documentation: `make pictures`, or this script with the names of some of them.

The terminal is drawn by rich from what commands print; pages are drawn by Chromium from a server on this machine. All is
made from the reports in `examples/`. A picture that cannot be made is named, and the others are made all the same.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image
from rich.console import Console
from rich.text import Text

ROOT = Path(__file__).parents[2]
OUT = ROOT / "docs" / "pictures"
TAX = "What was the income tax expense of Halvorsen Maritime in 2023?"
TERMINAL = {
    "terminal-ask": [f'ask "{TAX}"', 'ask "How many patents did Halvorsen Maritime hold at the end of 2023?"'],
    "terminal-sql": ['sql "Which alloys have a yield strength above 400 MPa?"'],
    "terminal-grid": ["grid two.yaml --out two.xlsx"],
    "terminal-status": ["status"],
}  # fmt: skip
"""Pictures of the terminal, each with the commands that it shows."""
GRID = """title: Two firms
entity: company
rows: [Halvorsen Maritime plc, Solvik Energy AS]
columns:
  - {name: Revenue, type: number, unit: million EUR, periods: [2022, 2023]}
  - {name: Employees, type: number, question: "How many employees did {entity} have at the end of 2023?"}
  - {name: Water withdrawal, type: number, unit: million m3, periods: [2023]}
"""
WIDE, NARROW = "1280,800", "500,900"
SECONDS = 300
"""The most that a page may take to be drawn."""
COLOURS = 96
"""Colours of a picture of a page: few, so that it is small."""


def pincite(work: Path, line: str) -> str:
    """What a command prints in the folder."""
    given = os.environ | {"PYTHONPATH": str(ROOT), "PINCITE_CORPUS": "reports", "COLUMNS": "100"}
    done = subprocess.run(
        f"{sys.executable} -m pincite {line}", shell=True, cwd=work, env=given, capture_output=True, text=True, check=False
    )  # fmt: skip
    return done.stdout + done.stderr


def terminal(work: Path, name: str) -> None:
    """Draw commands and what they print as SVG, in a font of the reader's machine."""
    import rich._export_format as export

    console = Console(record=True, width=100, file=open(os.devnull, "w"), force_terminal=True)
    for line in TERMINAL[name]:
        console.print(Text(f"$ pincite {line}", style="bold green"))
        console.print(Text(pincite(work, line).rstrip() + "\n"))
    plain = re.sub(r"@font-face \{\{.*?\}\}\n", "", export.CONSOLE_SVG_FORMAT, flags=re.S)
    console.save_svg(str(OUT / f"{name}.svg"), title="pincite", code_format=plain)


ASKED = "c/reports/answers/ID"
PAGES = {
    "ask": (WIDE, ASKED),
    "ask-phone": (NARROW, ASKED),
    "sources": (WIDE, "c/reports/sources"),
    "grids": (WIDE, "c/reports/grids"),
    "grid": (WIDE, "c/reports/grids/two-firms"),
    "chat": (WIDE, "c/reports/chat/CHAT"),
    "review": (WIDE, "c/reports/review"),
    "work": (WIDE, "c/reports/jobs"),
    "settings": (WIDE, "c/reports/settings"),
    "corpora": (WIDE, "corpora"),
}
"""Pictures of pages, each with the size of the window and its address; ID is that of an answer, CHAT that of a conversation."""


def pages(work: Path, names: list[str]) -> list[str]:
    """Draw pages; returns the names of those that could not be drawn."""
    programs = ("chromium", "chromium-browser", "google-chrome")
    program = next(filter(None, map(shutil.which, programs)), None)
    if program is None:
        return names
    failed: list[str] = []
    identity = json.loads(pincite(work, f'ask "{TAX}" --json'))["answer_id"]
    (work / "talk.txt").write_text(f"{TAX}\nand in 2022?\n")
    pincite(work, "chat < talk.txt")
    talk = json.loads(pincite(work, "chat --list --json"))[0]["id"]
    with serving(work) as address:
        for name in names:
            window, place = PAGES[name]
            drawn = work / f"{name}.png"
            command = [
                program, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--window-size={window}",
                f"--user-data-dir={work / 'browser'}", f"--screenshot={drawn}",
                f"{address.rstrip('/')}/{place.replace('ID', identity).replace('CHAT', talk)}",
            ]  # fmt: skip
            subprocess.run(command, capture_output=True, timeout=SECONDS, check=False)
            if drawn.exists():
                small(drawn, OUT / f"{name}.png")
            else:
                failed.append(name)
    return failed


@contextmanager
def serving(work: Path) -> Iterator[str]:
    """A server over the corpus; its address."""
    command = [sys.executable, "-m", "pincite", "serve", "--corpus", "reports", "--port", "0", "--json"]  # fmt: skip
    given = os.environ | {"PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, cwd=work, env=given, stdout=subprocess.PIPE, text=True) as server:  # fmt: skip
        assert server.stdout is not None
        try:
            told = ""
            while not told.rstrip().endswith("}"):
                told += server.stdout.readline()
            yield json.loads(told)["address"]
        finally:
            server.terminate()


def small(path: Path, out: Path) -> None:
    """Write a picture again with few colours."""
    with Image.open(path) as picture:
        few = picture.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    few.save(out, optimize=True)


def main() -> None:
    """Make the pictures that are named, by default all."""
    names = sys.argv[1:] or [*TERMINAL, *PAGES]
    OUT.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder:
        work = Path(folder)
        (work / "two.yaml").write_text(GRID)
        given = "--db examples/alloys/alloys.sqlite --names examples/alloys/headings.yaml"
        shutil.copytree(ROOT / "examples", work / "examples")
        print(pincite(work, f"index examples/files --metadata examples/metadata.csv {given}"))
        print(pincite(work, "grid two.yaml --out two.csv --no-pages"))
        for name in TERMINAL:
            if name in names:
                terminal(work, name)
        failed = (
            pages(work, wanted) if (wanted := [name for name in PAGES if name in names]) else []
        )
    for line in failed:
        print(f"not made: {line}")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
