"""Pages per second and peak memory of indexing a folder, as a whole and by its parts.

    python benchmarks/speed/indexing.py FOLDER [--rounds 1]

The parts run in the same round on the same files: parsing with tables on all cores; the whole pipeline (parsing, encoding,
indexes); and, for comparison, reading only the words with pdfplumber on every tenth page, scaled up. Pages without text are
read by OCR where its engine is installed, unless PINCITE_OCR=off.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import resource
import statistics
import tempfile
import time
from pathlib import Path

import pdfplumber

from pincite.ingest.parser_processes import ParserJob, parse_all
from pincite.settings import load
from pincite.workbench.library import index


def parsed(files: list[Path]) -> float:
    """Seconds to parse all files over all cores."""
    started = time.perf_counter()
    ocr = load().ocr_settings
    jobs = [
        ParserJob(path, path.name, hashlib.sha256(path.read_bytes()).hexdigest(), ocr_settings=ocr)
        for path in files
    ]
    for _ in parse_all(jobs, os.cpu_count() or 1, lambda job, page: None):
        pass
    return time.perf_counter() - started


def plumbed(files: list[Path], every: int = 10) -> tuple[float, int]:
    """Seconds that pdfplumber takes for the words of every tenth page of every file, and how many pages that is."""
    started, count = time.perf_counter(), 0
    for path in files:
        with pdfplumber.open(path) as document:
            for page in document.pages[::every]:
                page.extract_words()
                page.close()
                count += 1
    return time.perf_counter() - started, count


def main() -> None:
    """Print the medians over the rounds."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rounds", type=int, default=1)
    options = parser.parse_args()
    files = sorted(options.folder.glob("*.pdf"))
    parse, whole, other = [], [], []
    for _ in range(options.rounds):
        seconds = parsed(files)
        with tempfile.TemporaryDirectory() as folder:
            summary = index(files, Path(folder) / "corpus")
        parse.append(summary.pages / seconds)
        whole.append(summary.pages / summary.seconds)
        taken, pages = plumbed(files)
        other.append(pages / taken)
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    worker = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(
        f"{summary.pages} pages of {len(files)} files, {summary.tables} tables, {os.cpu_count()} cores"
    )
    print(f"parse and tables      {statistics.median(parse):6.1f} pages/s")
    print(f"whole pipeline        {statistics.median(whole):6.1f} pages/s")
    print(f"pdfplumber, words     {statistics.median(other):6.1f} pages/s, one core")
    print(f"peak memory           {own:.0f} MiB this process, {worker:.0f} MiB the largest worker")


if __name__ == "__main__":
    main()
