"""Peak memory of indexing, over all processes of the run: one very long generated PDF, or given files.

    python benchmarks/speed/bounded.py [--pages 3000] [--files FOLDER ...]

The generated report has running heads, numbered sections, paragraphs and a ruled table on every second page. `pincite
index` runs as users run it. Twenty times a second the resident memory of the process and all its children is added up (shared
memory is counted for each); the highest sum is printed with the peak of each process.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

WORDS = (
    "the of and to in for on with revenue cost segment region water energy emission plant turbine contract customer margin "
    "capital increase decrease compared prior year period management board supply price market volume demand currency effect "
    "operating net gross total assets liabilities cash flow investment project capacity output efficiency maintenance staff"
).split()
LINES, PITCH = 24, 13


def report(path: Path, pages: int, seed: int = 7) -> Path:
    """Write a report with this number of pages."""
    draw = random.Random(seed)
    sheet = Canvas(str(path), pagesize=A4, pageCompression=1)
    width, height = A4
    for page in range(1, pages + 1):
        sheet.setFont("Helvetica", 8)
        sheet.drawString(60, height - 40, "Northern Works Annual Report")
        sheet.drawRightString(width - 60, 30, f"{page}")
        y = height - 80
        if page % 5 == 1:
            sheet.setFont("Helvetica-Bold", 14)
            sheet.drawString(
                60, y, f"{page // 5 + 1} {' '.join(draw.choices(WORDS, k=4)).capitalize()}"
            )
            y -= 28
        sheet.setFont("Times-Roman", 10.5)
        for line in range(LINES if page % 2 else 2 * LINES):
            words = draw.choices(WORDS, k=13)
            if draw.random() < 0.3:
                words[5] = f"{draw.randrange(1, 9000):,}"
            end = "." if line % 6 == 5 else ""
            sheet.drawString(60, y, " ".join(words)[:92].rstrip() + end)
            y -= PITCH if line % 6 != 5 else PITCH + 8
        if page % 2:
            table(sheet, y - 10, draw)
        sheet.showPage()
    sheet.save()
    return path


def table(sheet: Canvas, top: float, draw: random.Random) -> None:
    """Draw a ruled table of 14 rows and 6 columns."""
    edges = [60, 190, 260, 330, 400, 470, 540]
    sheet.setFont("Helvetica", 8.5)
    for row in range(15):
        y = top - 16 * row
        sheet.line(edges[0], y, edges[-1], y)
        if row == 14:
            break
        cells = (
            ["EUR million", *(str(2019 + year) for year in range(5))]
            if not row
            else [
                " ".join(draw.choices(WORDS, k=2)),
                *(f"{draw.randrange(100, 99_999):,}" for _ in range(5)),
            ]
        )
        sheet.drawString(edges[0] + 4, y - 11, cells[0])
        for cell, right in zip(cells[1:], edges[2:], strict=True):
            sheet.drawRightString(right - 4, y - 11, cell)
    for x in edges:
        sheet.line(x, top, x, top - 16 * 14)


def below(root: int) -> list[int]:
    """A process and all its children."""
    found, at = [root], 0
    while at < len(found):
        for path in Path(f"/proc/{found[at]}/task").glob("*/children"):
            try:
                found += [int(one) for one in path.read_text().split()]
            except OSError:
                continue
        at += 1
    return found


def resident(process: int) -> int:
    """Resident memory in KiB; 0 when it is gone."""
    try:
        for line in Path(f"/proc/{process}/status").read_text().splitlines():
            if line.startswith("VmRSS"):
                return int(line.split()[1])
    except OSError:
        pass
    return 0


def indexed(given: list[Path], corpus: Path) -> tuple[float, dict[int, int], float, str]:
    """Run `pincite index`; returns the peak of all memory, the peak of each process (MiB, KiB), the seconds and the output."""
    started = time.perf_counter()
    command = [
        sys.executable,
        "-m",
        "pincite.cli.main",
        "index",
        *map(str, given),
        "--corpus",
        str(corpus),
    ]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    together, each = 0, dict[int, int]()
    while process.poll() is None:
        now = {one: resident(one) for one in below(process.pid)}
        together = max(together, sum(now.values()))
        for one, size in now.items():
            each[one] = max(each.get(one, 0), size)
        time.sleep(0.05)
    assert process.stdout is not None
    return together / 1024, each, time.perf_counter() - started, process.stdout.read()


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pages", type=int, default=3000)
    parser.add_argument("--files", type=Path, nargs="*")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        given = options.files or [report(Path(folder) / "report.pdf", options.pages)]
        together, each, seconds, said = indexed(given, Path(folder) / "corpus")
    print(said.strip())
    sizes = sorted((size >> 10 for size in each.values()), reverse=True)
    print(f"peak memory {together:.0f} MiB together; each process {sizes} MiB; {seconds:.0f} s")


if __name__ == "__main__":
    main()
