"""Questions of a test set as lines of a question file: by name the documents they are about, with gold and place."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any
from uuid import NAMESPACE_DNS, uuid5

from pincite.corpus import Corpus, Entryless
from pincite.document.table import spot
from pincite.lab.scoring.examples import name_words
from pincite.types import Anchor, Document, Node, Quantity, Table

Row = dict[str, Any]
_SCALES = {3: "thousand", 6: "million", 9: "billion", 12: "trillion"}


def take_turns(
    corpus: Corpus, make: Callable[[Document, str], Sequence[Row]], n: int, seed: int
) -> list[Row]:
    """Up to `n` rows: as many of each document as of any other, while it has them, drawn by `seed`."""
    named = names(corpus.documents)
    order = random.Random(seed).sample(list(corpus.documents), len(corpus.documents))
    quota = -(-n // max(len(order), 1))
    made: list[Row] = []
    left: list[Row] = []
    for document in order:
        found = list(make(corpus.document(document.version), named[document.version]))
        random.Random(f"{seed} {document.id}").shuffle(found)
        for row in found[:n]:
            row["source"]["seed"] = seed
        made += found[:quota]
        left += found[quota:n]
        if len(made) >= n:
            break
    drawn = random.Random(seed)
    made += drawn.sample(left, min(len(left), max(n - len(made), 0)))
    made = made[:n]
    drawn.shuffle(made)  # so that the first few are of many documents
    return made


def names(documents: Sequence[Entryless]) -> dict[str, str]:
    """What people call each document, by its version: its title among the metadata, company and year, its file's name.

    A file's name that is no word has the document's title before it. Where two would be called the same, the file's name stands
    behind in parentheses.
    """
    said = {document.version: _name(document) for document in documents}
    often = Counter(said.values())
    return {
        document.version: said[document.version]
        if often[said[document.version]] == 1
        else f"{said[document.version]} ({_stem(document)})"
        for document in documents
    }


def _name(document: Entryless) -> str:
    company, year = document.meta.get("company", ""), document.meta.get("year", "")
    if document.meta.get("title"):
        return " ".join(document.meta["title"].split())
    if company:
        return " ".join((company, *((year,) if year else ())))
    words = name_words(document.id)
    if any(word.isalpha() and len(word) > 2 for word in words) or not document.title:
        return _stem(document)
    title = " ".join(document.title.split())
    return f"{title} ({_stem(document)})" if words else title


def _stem(document: Entryless) -> str:
    stem = document.id.rsplit("/", 1)[-1]
    return " ".join(
        re.sub(r"\.[A-Za-z]{1,5}$", "", stem).replace("_", " ").replace("-", " ").split()
    )


def row_of(
    question: str,
    document: Document,
    nodes: Sequence[Node],
    pages: Sequence[int],
    made: str,
    place: str,
    gold: Mapping[str, Any] | None = None,
    **source: Any,
) -> Row:
    """A line of a question file.

    `place` tells apart questions of one wording; `made` is how it was made, `gold` holds the fields of the answer where one is
    known, `pages` are all that give it, and `source` is added to the question's provenance.
    """
    identity = uuid5(NAMESPACE_DNS, f"{document.version} {place} {question}")
    return {
        "id": str(identity),
        "question": question,
        **(gold or {}),
        "evidence": [{"doc_id": document.id, "page": page} for page in dict.fromkeys(pages)],
        "evidence_kind": "table" if nodes and nodes[0].kind == "table" else "text",
        "nodes": [node.id for node in nodes],
        "source": {"made": made, "document": document.id, "version": document.version, **source},
    }


def number_gold(quantity: Quantity, written: str) -> Row:
    """The gold fields of a number that is written so: its digits, unit and scale word, and what the asker may know of it."""
    scale = _SCALES.get(quantity.scale.adjusted(), "") if quantity.scale != 1 else ""
    return {
        "kind": "number",
        **({"answer_unit": quantity.unit} if quantity.unit else {}),
        "answer": written,
        "answer_num": str(quantity.value),
        "answer_type": "number",
        "unit": quantity.unit,
        "scale": scale,
    }


def row_anchor(node: Node, at: int) -> Anchor:
    """Where row `at` of a table stands: its cells, with their boxes where they are known, else the table's place."""
    table = node.table or Table(())
    held = [cell for cell in table.cells if cell.row <= at < cell.row + cell.row_span]
    boxes = tuple(spot(node, cell) for cell in held if cell.box is not None)
    return replace(
        node.anchor,
        cells=tuple((cell.row, cell.column) for cell in held),
        spots=boxes or node.anchor.spots,
    )
