"""Round trip of every format: values of one table found by questions and cited at the right cell, in the format's own terms.

    python benchmarks/formats/formats.py [--keep FOLDER] [FORMAT ..]

A small report with a table of merged headers, units, negatives and percentages is written in every format. Each file becomes
a separate corpus, and plain questions ask for all 16 values. A value counts if it is the one in the table with its sign, unit
and scale, if its citation is the cell at that row and column, and if the cited place is worded in the format's own terms.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from benchmarks.formats.format_writers import FORMATS, ROWS, SEGMENTS, Format
from pincite.document.address import cell_name, place_of
from pincite.library import Library, index
from pincite.settings import Settings
from pincite.types import Quantity

YEARS = ("2023", "2023", "2022", "2022")


def asked() -> list[tuple[str, int, int, str]]:
    """Question, row of the body, column, text of the cell."""
    return [
        (f"What was the {label.lower()} of {segment} in {year}?", row, column, held[column])
        for row, (label, held) in enumerate(ROWS)
        for column, (segment, year) in enumerate(zip(SEGMENTS, YEARS, strict=True))
    ]


def meant(text: str) -> Quantity:
    """What a cell of the table means."""
    from decimal import Decimal

    value = Decimal(text.strip("()%").rstrip("%").replace(",", "")) * (
        -1 if text.startswith("(") else 1
    )
    return Quantity(value, "%") if "%" in text else Quantity(value, "EUR", Decimal(1_000_000))


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("formats", nargs="*", help="endings, as in docx; all without")
    options.add_argument("--keep", type=Path, help="where to leave the files")
    given = options.parse_args()
    chosen = {
        name: one
        for name, one in FORMATS.items()
        if not given.formats or name.rpartition(".")[2] in given.formats
    }
    total = right = 0
    for name, one in chosen.items():
        with tempfile.TemporaryDirectory() as folder:
            path = Path(given.keep or folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(one.write())
            summary = index(path, Path(folder) / "corpus")
            wrong = [f"{one.status}: {one.reason}" for one in summary.problems]
            library = Library(Path(folder) / "corpus", Settings())
            for question, row, column, text in asked() if not wrong else ():
                total += 1
                said = missed(library, question, row, column, text, one)
                right += not said
                wrong += [f"{question} {said}"] if said else []
        print(
            f"{name:24} {'all ' + str(len(asked())) if not wrong else '; '.join(wrong[:3])}",
            flush=True,
        )
    print(f"{right} of {total} values found and cited at their cell, {len(chosen)} formats")


def missed(
    library: Library, question: str, row: int, column: int, text: str, written: Format
) -> str:
    """What is wrong with the answer to a question; empty when nothing is."""
    answer = library.ask(question)
    wanted = meant(text)
    if not isinstance(answer.value, Quantity):
        return f"is {answer.value!r}: {answer.reason}"
    if (answer.value.amount, answer.value.unit) != (wanted.amount, wanted.unit):
        return f"is {answer.value.amount} {answer.value.unit}, not {text}"
    address = cell_name(written.first[0] - 1 + row, written.first[1] + column)
    (citation,) = answer.citations[:1]
    told = place_of(citation.anchor)
    if told != written.place.format(cell=address) or citation.quote.replace(
        " ", ""
    ) != text.replace(" ", ""):
        return f"is cited at {told}: {citation.quote}"
    return ""


if __name__ == "__main__":
    main()
