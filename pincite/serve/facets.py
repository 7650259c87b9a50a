"""What the documents of a corpus are about: counted, chosen by, and asked for in questions made of the labels of their tables."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from pincite.corpus import Corpus, Entryless
from pincite.database.relations.column_heading import readable
from pincite.database.relations.model import NUMERIC, Relation
from pincite.document.cell_text import is_number
from pincite.document.labelled_cells import Labelled, labels
from pincite.errors import UsageError
from pincite.text.lexicon import word_list
from pincite.types import Where

FACETS = {"company": "Companies", "kind": "Kinds", "year": "Years"}
"""What documents are sorted by, as an address names it and as a page does."""


def facets_of(document: Entryless) -> dict[str, str]:
    """The company, kind and year of a document, "" where one is not known; of a table those that its metadata file says."""
    meta = document.declared if document.relation else document.meta
    return {
        "company": meta.get("company", ""),
        "kind": meta.get("kind", ""),
        "year": meta.get("year") or ("" if document.relation else document.date[:4]),
    }


def count_facets(documents: Sequence[Entryless]) -> dict[str, list[tuple[str, int]]]:
    """What the documents are about, each with how many of them there are: the most common first, years in order."""
    counts: dict[str, Counter[str]] = {name: Counter() for name in FACETS}
    for document in documents:
        for name, value in facets_of(document).items():
            counts[name][value] += bool(value)
    found = {name: [pair for pair in counts[name].most_common() if pair[1]] for name in FACETS}
    found["year"].sort()
    return {name: pairs for name, pairs in found.items() if pairs}


def narrowed(
    documents: Sequence[Entryless], chosen: Mapping[str, str], ticked: Sequence[str] = ()
) -> Where:
    """Where a question is looked up: in the documents that are ticked, or in those of the chosen company, kind and year.
    UsageError when no document is of all of these.
    """
    if ticked:
        return (("document", tuple(ticked)),)
    wanted = {name: value for name, value in chosen.items() if value}
    if not wanted:
        return ()
    held = [each.id for each in documents if wanted.items() <= facets_of(each).items()]
    if not held:
        said = ", ".join(f"{name} {value!r}" for name, value in wanted.items())
        raise UsageError(f"no document is of {said}: take one of the filters away")
    return (("document", tuple(held)),)


MOST = 5  # questions that are shown
_DOCUMENTS, _TABLES = 12, 40  # documents, and tables of each, that are looked at
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")


def example_questions(corpus: Corpus) -> list[str]:
    """Up to MOST questions, first one of each company, then of each table of a database."""
    documents: dict[str, Entryless] = {}
    for document in corpus.documents:
        subject = facets_of(document)["company"]
        if subject:
            documents.setdefault(subject, document)
    asked = (_question(corpus, each, name) for name, each in islice(documents.items(), _DOCUMENTS))
    rows = (
        _looked_up(relation) for held in corpus.databases for relation in held.database.relations
    )
    found = [*islice(filter(None, asked), MOST), *islice(filter(None, rows), MOST)]
    return found[:MOST]


def _looked_up(relation: Relation) -> str:
    """A question for a number of a row that its first text names, which needs no model; "" where no row has both."""
    columns = list(enumerate(relation.columns))
    names = [at for at, column in columns if column.type == "text"]
    numbers = [
        (at, readable(column))
        for at, column in columns
        if column.type in NUMERIC and column.name not in (*relation.key, "id")
    ]
    for row in relation.sample:
        for at, heading in numbers:
            if names and row[names[0]] and row[at] is not None:
                return f"What {'are' if _is_plural(heading) else 'is'} the {heading} of {row[names[0]]}?"
    return ""


def _question(corpus: Corpus, document: Entryless, company: str) -> str:
    """A question for a value that stands under a year, by the label that people ask for most; "" where there is none."""
    wanted = {label: at for at, label in enumerate(word_list("serve", "asked for"))}
    best: tuple[int, str] = len(wanted), ""
    for cell, year in _dated(corpus, document):
        label = cell.label.casefold().strip(" :")
        if wanted.get(label, len(wanted)) < best[0]:
            # "scope 1" is no measure by itself
            said = f"{label} emissions" if label[-1:].isdigit() else label
            verb = "were" if _is_plural(said) else "was"
            best = wanted[label], f"What {verb} the {said} of {company} in {year}?"
    return best[1]


def _is_plural(label: str) -> bool:
    return label.endswith("s") and not label.endswith("ss")


def _dated(corpus: Corpus, document: Entryless) -> Iterator[tuple[Labelled, str]]:
    """The numbers of a document's tables that stand in a column of one year, each the only one of its row in that year."""
    for node in corpus.tables(document.version)[:_TABLES]:
        cells = labels(node.table).cells if node.table else ()
        numbers = [
            (cell, years.pop())
            for cell in cells
            if len(years := set(_YEAR.findall(" ".join(cell.header)))) == 1
            and is_number(cell.text)
        ]
        held = Counter((cell.row, year) for cell, year in numbers)
        yield from (each for each in numbers if held[each[0].row, each[1]] == 1)
