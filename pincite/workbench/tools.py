"""What a program may ask of a library, each answered with one JSON value: the tools given to an assistant."""

from __future__ import annotations

from dataclasses import asdict
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from pincite.corpus import Corpus
from pincite.document.table_text import markdown
from pincite.errors import UsageError
from pincite.records.answer_record import reading, record, table_of
from pincite.types import Expects, Node, Where
from pincite.workbench.coverage import public_coverage
from pincite.workbench.library import Library

if TYPE_CHECKING:
    from pincite.database.sources.connection import OpenDatabase
    from pincite.database.statements.execution import Result

LONGEST = 40_000
"""Characters of a page that are given at once."""
SNIPPET = 400
"""Characters of a place that was found."""
LISTED = 200
"""Documents and problems that are listed."""
_REPEATING = frozenset(("document", "section", "page", "sentence", "row"))
"""Kinds of nodes whose text stands in others."""


def ask(
    library: Library,
    question: str,
    expects: Expects | None = None,
    unit: str = "",
    documents: tuple[str, ...] = (),
) -> dict[str, Any]:
    """One checked answer with its citations; `value` is None for N/A, and `reason` says why."""
    query = library.query(question, within(library.corpus, documents), expects, unit)
    answer = library.outcome(query).answer
    return record(answer, library.keep([answer])[0])


def search(
    library: Library, query: str, k: int = 10, documents: tuple[str, ...] = ()
) -> dict[str, Any]:
    """The pages that fit a query best, best first, each with the beginning of the place that was found on it."""
    hits = library.search(query, k, within(library.corpus, documents))
    nodes = library.corpus.nodes_by_id(hit.node for hit in hits)
    listed = []
    for hit in hits:
        told, node = asdict(hit), nodes.get(hit.node)
        del told["node"]
        listed.append({**told, "text": node.text[:SNIPPET] if node else ""})
    return {"hits": listed}


def read_page(library: Library, document: str, page: int = 1, start: int = 0) -> dict[str, Any]:
    """The text of one page in reading order, tables as Markdown; the whole text of a document without pages. At most `LONGEST`
    characters from `start`; `next` is where to go on, None at the end. Raises UsageError when there is no such page.
    """
    corpus = library.corpus
    name = named(corpus, document)
    found = next(known for known in corpus.documents if known.id == name)
    if not found.pages:
        page, nodes = 0, corpus.document(found.version).nodes
    elif 1 <= page <= found.pages:
        nodes = tuple(corpus.page(found.version, page))
    else:
        raise UsageError(f"{found.id} has no page {page}: it has {found.pages}")
    text = "\n\n".join(_text(node) for node in nodes if node.kind not in _REPEATING and node.text)
    end = start + LONGEST
    return {
        "document": found.id, "title": found.title, "page": page, "pages": found.pages, "text": text[start:end],
        "next": end if end < len(text) else None,
    }  # fmt: skip


def query_table(
    library: Library, question: str, database: str = "", document: str = ""
) -> dict[str, Any]:
    """The rows of databases, or of tables inside a document, that answer a question: with the statement, and why."""
    told, answer = library.rows(question, database, document and named(library.corpus, document))
    found = told.interpretation
    assert answer.reading is not None
    result = None if found.refused else found.result
    empty = result is None or (answer.value is None and result.rows)
    shown = None if empty else result
    columns, rows = table(shown, told.source, question) if shown is not None else ([], [])
    if rows and any(citation.anchor.cells for citation in answer.citations):
        # a table inside a document: values as they stand there
        columns, rows = table_of(answer.value, columns[0])
    names = ("verdict", "how", "answers")
    return {
        "question": question, **reading(answer.reading),
        "documents": sorted({citation.document for citation in answer.citations}), "columns": columns, "rows": rows,
        "truncated": shown is not None and shown.truncated, "refused": shown is None, "reason": answer.reason,
        "notes": list(found.notes), "confidence": round(answer.confidence, 4),
        "seconds": round(result.seconds, 4) if result is not None else 0.0,
        "checks": [{name: getattr(check, name) for name in names} for check in answer.checks],
    }  # fmt: skip


def table(
    result: Result, source: OpenDatabase, question: str = ""
) -> tuple[list[str], list[list[Any]]]:
    """The rows of a statement as JSON values under headings that name the units."""
    from pincite.database.relations.description import plain
    from pincite.database.views.view_statements import headed
    from pincite.rows.row_drafts import named_units

    columns = list(result.columns)
    named = named_units(question, headed(result.statement, source))
    if len(named) == len(columns):
        columns = [heading.titled for heading in named]
    return columns, [list(map(plain, row)) for row in result.rows]


def covered(library: Library) -> dict[str, Any]:
    """What the corpus covers: its documents with their pages, dates and metadata, its databases, series, and problems. Nothing
    says where files and databases stand on the machine.
    """
    told = public_coverage(library.corpus)
    told["listed"] = [
        {
            "document": each.id, "title": each.title, "date": each.date, "pages": each.pages,
            "metadata": dict(each.meta),
        }
        for each in library.corpus.documents[:LISTED]
    ]  # fmt: skip
    told["problems"] = [{"file": each["document"], **each} for each in told["problems"][:LISTED]]
    return told


def within(corpus: Corpus, documents: tuple[str, ...]) -> Where:
    """The filter for some documents. Raises UsageError for one that is not there."""
    found = tuple(named(corpus, document) for document in documents)
    return (("document", found),) if found else ()


def named(corpus: Corpus, document: str) -> str:
    """The id of the document that is called so, in full or by its file's name. Raises UsageError with the nearest ones."""
    ids = [known.id for known in corpus.documents]
    if document in ids:
        return document
    wanted = document.casefold()
    folded = {known: known.casefold() for known in ids}
    found = [known for known in ids if wanted in (folded[known], folded[known].rsplit("/")[-1])]
    if len(found) == 1:
        return found[0]
    if found:
        raise UsageError(
            f"several documents are called {document!r}: {', '.join(found)}; give one of these in full"
        )
    near = get_close_matches(document, ids, 5, 0.4) or ids[:5]
    raise UsageError(
        f"the corpus has no document {document!r}; similar: {', '.join(near) or 'none'}"
    )


def _text(node: Node) -> str:
    return markdown(node.table) if node.table is not None else node.text
