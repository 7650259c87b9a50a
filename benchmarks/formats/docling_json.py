"""What is lost when documents are written as DoclingDocument JSON, loaded and saved by docling-core, and read back.

    python benchmarks/formats/docling_json.py CORPUS.. [--documents 20]

For every document, all nodes except whole pages are compared in order: kind, text, places (pages and boxes), path, and the
table with its cells, spans, headers and scale. For pages the words are compared.
"""

from __future__ import annotations

import argparse
import json
import time
import warnings
from pathlib import Path
from typing import Any

from docling_core.types.doc import DoclingDocument

from pincite.corpus import Corpus
from pincite.errors import CorpusError, SourceError
from pincite.ingest.docling.doclingfile import pages_of_docling
from pincite.ingest.docling.doclingout import to_docling
from pincite.ingest.page_sizes import sizes_of
from pincite.ingest.tree import build
from pincite.types import Document


def compared(document: Document) -> list[Any]:
    return [
        (
            one.kind,
            one.text.split() if one.kind == "page" else one.text,
            one.anchor,
            one.table,
            json.dumps(dict(one.meta)),
        )
        for one in document.nodes
    ]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("corpora", nargs="+", type=Path)
    options.add_argument("--documents", type=int, default=10**6)
    given = options.parse_args()
    warnings.simplefilter("ignore")  # of boxes that lie a little outside of their page
    nodes = lost = whole = count = pages = tables = size = 0
    written = read = 0.0
    for folder in given.corpora:
        corpus = Corpus(folder)
        for one in [held for held in corpus.documents if not held.relation][: given.documents]:
            document = corpus.document(one.version)
            try:
                sizes = sizes_of(corpus.source(one.source))
            except (CorpusError, SourceError):
                sizes = {}
            started = time.perf_counter()
            text = json.dumps(to_docling(document, sizes))
            written += time.perf_counter() - started
            through = json.loads(
                json.dumps(DoclingDocument.model_validate_json(text).export_to_dict())
            )
            started = time.perf_counter()
            back = build(one.source, one.id, "docling", pages_of_docling(through, one.id))
            read += time.perf_counter() - started
            first, again = compared(document), compared(back)
            differ = sum(a != b for a, b in zip(first, again, strict=False)) + abs(
                len(first) - len(again)
            )
            count, nodes, lost, whole = (
                count + 1,
                nodes + len(first),
                lost + differ,
                whole + (not differ),
            )
            pages, tables, size = pages + one.pages, tables + one.tables, size + len(text)
            if differ:
                print(f"{one.id}: {differ} of {len(first)} nodes differ", flush=True)
                for a, b in [(a, b) for a, b in zip(first, again, strict=False) if a != b][:2]:
                    print(
                        "   ",
                        *(
                            f"{str(x)[:200]} | {str(y)[:200]}\n"
                            for x, y in zip(a, b, strict=True)
                            if x != y
                        ),
                    )
    print(
        f"{count} documents, {pages} pages, {tables} tables: {nodes - lost} of {nodes} nodes come back as they were, {whole} "
        f"documents wholly; {1000 * written / max(pages, 1):.1f} ms a page to write, {1000 * read / max(pages, 1):.1f} to read, "
        f"{size / max(pages, 1) / 1024:.0f} KiB a page"
    )


if __name__ == "__main__":
    main()
