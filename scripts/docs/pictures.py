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
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

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
WIDE, NARROW = {"width": 1280, "height": 800}, {"width": 390, "height": 780}
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


def _asked(page: Any) -> None:
    page.goto("c/reports/")
    page.locator("#q").fill(TAX)
    page.keyboard.press("Enter")
    page.locator(".answer .value").wait_for()


def _refused(page: Any) -> None:
    page.goto("c/reports/")
    page.locator("#q").fill("How many employees did Solvik have at the end of 2023?")
    page.keyboard.press("Enter")
    page.locator(".answer").first.wait_for()


def _chatted(page: Any) -> None:
    page.goto("c/reports/chat")
    field = page.locator("textarea, input[name=text], input[name=q]").first
    for question in (TAX, "And in 2022?"):
        field.fill(question)
        page.keyboard.press("Enter")
        page.wait_for_load_state("networkidle")
        page.wait_for_timeout(4000)


def _gone(path: str) -> Callable[[Any], None]:
    return lambda page: page.goto(path)


def _first(path: str, below: str) -> Callable[[Any], None]:
    """The first page that `path` links to below `below`."""

    def go(page: Any) -> None:
        page.goto(path)
        target = page.locator(f"a[href*='{below}']").first.get_attribute("href")
        page.goto(target)

    return go


PAGES: dict[str, tuple[dict[str, int], Callable[[Any], None]]] = {
    "ask": (WIDE, _asked),
    "ask-phone": (NARROW, _asked),
    "not-sure": (WIDE, _refused),
    "chat": (WIDE, _chatted),
    "sources": (WIDE, _gone("c/reports/sources")),
    "quality": (WIDE, _gone("c/reports/sources/quality")),
    "reader": (WIDE, _first("c/reports/sources", "/documents/")),
    "grids": (WIDE, _gone("c/reports/grids")),
    "grid": (WIDE, _gone("c/reports/grids/two-firms")),
    "review": (WIDE, _gone("c/reports/review")),
    "work": (WIDE, _gone("c/reports/jobs")),
    "settings": (WIDE, _gone("c/reports/settings")),
    "corpora": (WIDE, _gone("corpora")),
}
"""Pictures of pages, each with the size of the window and the way there."""


def pages(work: Path, names: list[str]) -> list[str]:
    """Draw pages; returns what could not be drawn, with the reason."""
    from playwright.sync_api import Error, sync_playwright

    found = [shutil.which(name) for name in ("chromium", "chromium-browser", "google-chrome")]
    failed: list[str] = []
    with serving(work) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=next(filter(None, found), None))
        for name in names:
            window, way = PAGES[name]
            page = browser.new_page(viewport=window, base_url=address, reduced_motion="reduce")
            page.set_default_timeout(300_000)  # a busy machine
            try:
                way(page)
                page.wait_for_load_state("networkidle")
                page.wait_for_timeout(500)
                page.screenshot(path=OUT / f"{name}.png")
                small(OUT / f"{name}.png")
            except Error as error:
                failed.append(f"{name}: {str(error).splitlines()[0]}")
            page.close()
        browser.close()
    return failed


@contextmanager
def serving(work: Path) -> Iterator[str]:
    """A server over the corpus; its address."""
    command = [sys.executable, "-m", "pincite", "serve", "--corpus", "reports", "--port", "0", "--json"]  # fmt: skip
    given = os.environ | {"PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, cwd=work, env=given, stdout=subprocess.PIPE, text=True) as server:  # fmt: skip
        assert server.stdout is not None
        told = json.loads(server.stdout.readline())
        yield next(value for value in told.values() if str(value).startswith("http"))
        server.terminate()


def small(path: Path) -> None:
    """Write a picture again with few colours."""
    with Image.open(path) as picture:
        few = picture.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    few.save(path, optimize=True)


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
