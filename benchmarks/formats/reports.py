"""Real reports: pages parsed per processor second without OCR, or the memory used to read scans of them.

python benchmarks/formats/reports.py speed FOLDER      # six of its PDF files, after one to warm up; any commit that has `parse`
python benchmarks/formats/reports.py scans FOLDER      # four pages of two files as pictures, indexed in one run (Linux)
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def speed(folder: Path) -> None:
    """Parse, layout, tables and tree in this process."""
    from pincite.ingest.document_parser import parse

    os.environ["PINCITE_OCR"] = "off"
    try:
        from pincite.ingest.ocr.ocr_settings import OcrSettings

        more = {"ocr_settings": OcrSettings("off")}
    except ImportError:  # an older commit
        more = {}
    files = sorted(folder.glob("*.pdf"))[2:26:4]
    parse(files[0], files[0].name, "0" * 64, **more)
    started, pages = time.process_time(), 0
    for path in files:
        pages += max(node.anchor.page for node in parse(path, path.name, "0" * 64, **more).nodes)
    seconds = time.process_time() - started
    print(f"{pages} pages, {pages / seconds:.1f} a second of a processor")


def scans(folder: Path) -> None:
    """Index pictures of pages and watch what all processes hold together."""
    import pypdfium2

    with tempfile.TemporaryDirectory() as place:
        (Path(place) / "in").mkdir()
        for number, path in enumerate(sorted(folder.glob("*.pdf"))[:2]):
            document = pypdfium2.PdfDocument(path)
            first, *rest = [
                document[page].render(scale=2).to_pil().convert("RGB") for page in range(40, 44)
            ]
            first.save(Path(place) / "in" / f"{number}.pdf", save_all=True, append_images=rest)
        command = [
            sys.executable,
            "-m",
            "pincite.cli.main",
            "index",
            f"{place}/in",
            "--corpus",
            f"{place}/c",
        ]
        process, peak = subprocess.Popen(command, stdout=subprocess.DEVNULL), 0
        while process.poll() is None:
            peak = max(peak, sum(held(one) for one in family(process.pid)))
            time.sleep(0.15)
    print(f"peak of all processes together: {peak // 1024} MiB")


def family(process: int) -> list[int]:
    """A process and those below it."""
    below = subprocess.run(
        ["pgrep", "-P", str(process)], capture_output=True, text=True
    ).stdout.split()
    return [process, *(one for child in below for one in family(int(child)))]


def held(process: int) -> int:
    """KiB that a process holds, its share of what several hold."""
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
        return next((int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)
    except OSError:
        return 0


if __name__ == "__main__":
    {"speed": speed, "scans": scans}[sys.argv[1]](Path(sys.argv[2]))
