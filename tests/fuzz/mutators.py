"""How the seeds of each format are made into mutants."""

from __future__ import annotations

from random import Random

from tests.fuzz.containers import image_of, ole_of, pdf_of, zip_of
from tests.fuzz.texts import (
    LARGEST,
    Mutate,
    bytes_of,
    csv_of,
    json_of,
    mail_of,
    markup_of,
    rtf_of,
    text_of,
    tree_of,
)

MUTATORS: dict[str, Mutate] = {
    "pdf": pdf_of, "text": text_of, "markdown": text_of, "docx": zip_of, "pptx": zip_of, "xlsx": zip_of, "xls": ole_of,
    "xlsb": zip_of,
    "ods": zip_of, "odt": zip_of, "odp": zip_of, "csv": csv_of, "html": markup_of, "epub": zip_of, "rtf": rtf_of,
    "mail": mail_of,
    "outlook": ole_of, "zip": zip_of, "image": image_of, "docling": json_of, "parquet": bytes_of, "tsv": csv_of, "xlsm": zip_of,
}  # fmt: skip
"""How the files of each format are changed."""


def mutant(seeds: tuple[bytes, ...], mutate: Mutate, random: Random) -> bytes:
    """A seed, changed once or a few times."""
    data = random.choice(seeds)
    for _ in range(random.choice((1, 1, 1, 2, 4))):
        changed = mutate if random.random() < (0.97 if mutate is zip_of else 0.85) else bytes_of
        if mutate is zip_of and data.lstrip()[:1] == b"<":  # OpenDocument as one XML file
            changed = random.choice((tree_of, tree_of, markup_of))
        try:
            data = changed(data, random)[:LARGEST]
        except Exception:  # what was changed before can no longer be taken apart
            data = bytes_of(data, random)[:LARGEST]
    return data
