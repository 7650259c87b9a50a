"""Whether every changed byte of an evidence bundle, and of a corpus, is found.

    python benchmarks/checks/flips.py BUNDLE [--n 5000] [--seed 0]
    python benchmarks/checks/flips.py CORPUS --questions FILE [--n 5000] [--seed 0]

One byte at a time is changed, chosen by the seed. In a bundle the byte is chosen from the whole file, from the answers
(values and quotes) and from the images; each changed bundle is verified. In a corpus (a copy of it) the byte is chosen from
all of `corpus.sqlite`; then the questions, one a line, are asked. The change is found if a question fails with a message,
harmless if all answers are the same as before, and silently wrong otherwise.
"""

from __future__ import annotations

import argparse
import random
import shutil
import tempfile
import zipfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from pincite.encoding import answer_to, dumps
from pincite.errors import PinciteError
from pincite.library import Library
from pincite.settings import Settings
from pincite.workbench.bundle import verify


def places(path: Path, below: str) -> list[int]:
    """Where in the file the bytes of the members below a folder stand."""
    with zipfile.ZipFile(path) as file:
        spans = [
            (one.header_offset + 30 + len(one.filename), one.file_size)
            for one in file.infolist()
            if one.filename.startswith(below)
        ]
    return [start + at for start, size in spans for at in range(size)]


def of_bundle(bundle: Path, n: int, drawn: random.Random) -> None:
    """Print how many changes were found, and out of how many."""
    body = bundle.read_bytes()
    assert verify(bundle).ok
    for name, at in (
        ("anywhere", list(range(len(body)))),
        ("answers", places(bundle, "answers/")),
        ("images", places(bundle, "pages/")),
    ):
        chosen = drawn.sample(at, min(n, len(at)))
        with tempfile.TemporaryDirectory() as folder:
            changed = Path(folder) / "changed.zip"
            found = 0
            for place in chosen:
                other = body[place] ^ drawn.randrange(1, 256)
                changed.write_bytes(body[:place] + bytes([other]) + body[place + 1 :])
                found += not verify(changed).ok
        print(f"{name:<10} {found} of {len(chosen)} changed bytes found ({len(at):,} bytes)")


def asked(corpus: Path, questions: Sequence[str]) -> list[str]:
    """The answers of a corpus that is opened anew, as JSON."""
    library = Library(corpus, Settings())
    try:
        return [dumps(answer_to(library.ask(one))) for one in questions]
    finally:
        library.corpus.close()


def of_corpus(corpus: Path, questions: Sequence[str], n: int, drawn: random.Random) -> None:
    """Print how many changed bytes were found, harmless or silently wrong, and how many ended in anything but a message."""
    told: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(shutil.copytree(corpus, Path(folder) / "corpus"))
        path = copy / "corpus.sqlite"
        body, right = path.read_bytes(), asked(copy, questions)
        for place in drawn.sample(range(len(body)), min(n, len(body))):
            with path.open("r+b") as file:
                file.seek(place)
                file.write(bytes([body[place] ^ drawn.randrange(1, 256)]))
            try:
                what = "harmless" if asked(copy, questions) == right else "silently wrong"
            except PinciteError:
                what = "found"
            except Exception as error:
                what = f"traceback {type(error).__name__}"
            if what not in ("found", "harmless"):
                print(f"byte {place}: {what}")
            told[what] += 1
            path.write_bytes(body)
    print(f"{sum(told.values())} changed bytes of {len(body):,}: {dict(told)}")


def main() -> None:
    """Run one of the two."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("path", metavar="BUNDLE|CORPUS", type=Path)
    parser.add_argument("--questions", type=Path)
    parser.add_argument("--n", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    drawn = random.Random(options.seed)
    if options.path.is_dir():
        of_corpus(
            options.path,
            options.questions.read_text(encoding="utf-8").splitlines(),
            options.n,
            drawn,
        )
    else:
        of_bundle(options.path, options.n, drawn)


if __name__ == "__main__":
    main()
