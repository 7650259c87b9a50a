"""Whether every changed byte of an evidence bundle is found.

    python benchmarks/flips.py BUNDLE [--n 5000] [--seed 0]

Changes one byte at a time, drawn by seed from all of the file and again from its answers (values and quotes) and its images,
and verifies each of the changed bundles.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import zipfile
from pathlib import Path

from pincite.bundle import verify


def places(path: Path, below: str) -> list[int]:
    """Where in the file the bytes of the members below a folder stand."""
    with zipfile.ZipFile(path) as file:
        spans = [
            (one.header_offset + 30 + len(one.filename), one.file_size)
            for one in file.infolist()
            if one.filename.startswith(below)
        ]
    return [start + at for start, size in spans for at in range(size)]


def main() -> None:
    """Print how many were found, of how many."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bundle", type=Path)
    parser.add_argument("--n", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    body = options.bundle.read_bytes()
    drawn = random.Random(options.seed)
    assert verify(options.bundle).ok
    for name, at in (
        ("anywhere", list(range(len(body)))),
        ("answers", places(options.bundle, "answers/")),
        ("images", places(options.bundle, "pages/")),
    ):
        chosen = drawn.sample(at, min(options.n, len(at)))
        with tempfile.TemporaryDirectory() as folder:
            changed = Path(folder) / "changed.zip"
            found = 0
            for one in chosen:
                other = body[one] ^ drawn.randrange(1, 256)
                changed.write_bytes(body[:one] + bytes([other]) + body[one + 1 :])
                found += not verify(changed).ok
        print(f"{name:<10} {found} of {len(chosen)} changed bytes found ({len(at):,} bytes)")


if __name__ == "__main__":
    main()
