"""Rows or documents: which of two checked answers to one question is given, and what is said of the other.

Both are asked. The rule, in this order:

1. Rows whose statement accounts for no more than half of the question's telling words are no answer to it.
2. An answer goes before N/A. When both are N/A the documents' reason is given, with what the databases said.
3. Rows whose statement accounts for every word of the question answer it.
4. Else the surer of the two answers, with rows counted down to the share of the telling words that they account for.

The other answer stands beside it when it is of the same kind and sure enough to be told: one that agrees makes the answer
surer, one that does not is shown as another value for the same, both with their dates. It is of the same only when the
documents' page names every thing by whose name the statement finds its rows; a statement that finds them by no name speaks of
its whole table, of which a document knows nothing.
"""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal
from itertools import chain

from sqlglot import exp
from sqlglot.errors import SqlglotError

from pincite.corpus import Corpus, Entryless
from pincite.database.statements.syntax import tree
from pincite.evidence.drafted_answer import nearest
from pincite.quantity import UnitError, in_unit
from pincite.reconcile.vote import alike
from pincite.types import Answer, Quantity, Value

BESIDE = 0.25
"""The confidence from which the other kind of source is told beside an answer."""
HALF = 0.5
"""The share of a question's telling words up to which rows do not answer it."""
_WORD = re.compile(r"[^\W_]+")


def settled(rows: Answer, documents: Answer, corpus: Corpus, lost: str = "") -> Answer:
    """The one answer to a question that was asked of rows and of documents; `lost` says what could not be asked now."""
    if rows.value is not None and _share_accounted(rows) <= HALF:
        rows = replace(
            rows, value=None, text="", citations=(), reason=_why_silent(rows), possible=()
        )
    rows = replace(rows, date=rows.reading.date if rows.reading is not None else "")
    documents = replace(documents, date=date_of(documents, corpus))
    if rows.value is None and documents.value is None:
        return _neither(rows, documents, corpus, lost)
    missing = (Answer(rows.query, "", None, reason=lost),) if lost else ()
    if rows.value is None:
        return replace(documents, others=(*documents.others, *missing))
    if documents.value is None:
        return replace(rows, others=missing)
    share = _share_accounted(rows)
    rows_first = share == 1 or rows.confidence * share > documents.confidence
    first, other = (rows, documents) if rows_first else (documents, rows)
    if not agree(rows.value, documents.value) and not _of_the_same(rows, documents, corpus):
        return replace(first, others=(*first.others, *missing))
    return _with_other(first, other, missing)


def _of_the_same(rows: Answer, documents: Answer, corpus: Corpus) -> bool:
    """Whether the pages that the documents' answer cites name every thing by whose name the statement finds its rows."""
    names = _compared_texts(rows.reading.statement) if rows.reading is not None else ()
    said = _said_there(documents, corpus) if names else ""
    return bool(names) and all(_words(name) in said for name in names)


def _words(text: str) -> str:
    """The words of a text with a blank around each, to be looked for in others."""
    return f" {' '.join(_WORD.findall(text.casefold()))} "


def _compared_texts(statement: str) -> tuple[str, ...]:
    """The texts that a statement compares columns with."""
    try:
        read = tree(statement, "")
    except SqlglotError:
        return ()
    compared = chain(read.find_all(exp.EQ), read.find_all(exp.In), read.find_all(exp.Like))
    texts = (
        literal.name.strip("%")
        for test in compared
        if isinstance(test.this, exp.Column | exp.Lower | exp.Upper)
        for literal in test.find_all(exp.Literal)
        if literal.is_string
    )
    return tuple(text for text in texts if _WORD.search(text))


def _said_there(documents: Answer, corpus: Corpus) -> str:
    """The words of the pages that an answer cites, with those of what their documents are called."""
    known = {document.id: document for document in corpus.documents}
    said: list[str] = []
    for citation in documents.citations:
        said.append(citation.quote)
        if (document := known.get(citation.document)) is not None:
            said += [document.id, document.title]
            for node in corpus.page(document.version, citation.anchor.page):
                cells = node.table.cells if node.table is not None else ()
                said += [node.text, *(cell.text for cell in cells)]
    return _words(" ".join(said))


def _neither(rows: Answer, documents: Answer, corpus: Corpus, lost: str) -> Answer:
    """N/A of both, with the reasons of both and what either found possible."""
    why = "; ".join(dict.fromkeys(filter(None, (*_reasons(rows, documents, corpus), lost))))
    both = sorted((*documents.possible, *rows.possible), key=lambda possible: -possible.confidence)
    return replace(documents, reason=why, reading=rows.reading, possible=nearest(both))


def _with_other(first: Answer, other: Answer, missing: tuple[Answer, ...]) -> Answer:
    """An answer with the other one beside it, where that is sure enough and of its kind; one that agrees makes it surer."""
    if other.confidence < BESIDE or not comparable(first.value, other.value):
        return replace(first, others=(*first.others, *missing))
    if agree(first.value, other.value):
        first = replace(first, confidence=1 - (1 - first.confidence) * (1 - other.confidence))
    return replace(first, others=(*first.others, other, *missing))


def _reasons(rows: Answer, documents: Answer, corpus: Corpus) -> tuple[str, str]:
    """Why neither rows nor documents answer; what was read of the rows, where all of the question was, goes first."""
    if rows.reading is None or rows.reading.unmapped:
        return documents.reason, _why_silent(rows)
    alone = len(corpus.documents) == len(corpus.relations)
    return rows.reason, "" if alone else f"in the documents: {documents.reason}"


def _why_silent(rows: Answer) -> str:
    """Why the databases did not answer, in short."""
    if rows.reading is None or not rows.reading.unmapped:
        return rows.reason
    words = ", ".join(f"“{word}”" for word in rows.reading.unmapped)
    return f"the database {rows.reading.database} has nothing for {words}"


def _share_accounted(rows: Answer) -> float:
    """The share of a question's telling words that a statement accounts for."""
    if rows.reading is None or not rows.reading.unmapped:
        return 1.0
    taken = sum(len(_WORD.findall(words)) for words, _ in rows.reading.mapping)
    left = sum(len(_WORD.findall(words)) for words in rows.reading.unmapped)
    return taken / (taken + left)


def comparable(a: Value, b: Value) -> bool:
    """Whether two values can be about the same fact: amounts of one dimension, yes or no, short names."""
    if isinstance(a, Quantity) and isinstance(b, Quantity):
        return _of_one_dimension(a, b)
    if isinstance(a, bool) or isinstance(b, bool):
        return isinstance(a, bool) and isinstance(b, bool)
    return isinstance(a, str) and isinstance(b, str) and max(len(a.split()), len(b.split())) <= 6


def _of_one_dimension(a: Quantity, b: Quantity) -> bool:
    """Whether two amounts can be of the same thing; of a column without a unit only the same number is."""
    if a.unit == b.unit:
        return True
    if not a.unit or not b.unit:
        return {a.unit, b.unit}.isdisjoint(("year", "%", "pp")) and agree(a, b)
    try:
        in_unit(b, a.unit)
    except UnitError:
        return False
    return True


def agree(a: Value, b: Value) -> bool:
    """Whether two values are the same, or one is the other rounded."""
    if isinstance(a, Quantity) and isinstance(b, Quantity):
        try:
            there = in_unit(b, a.unit) if a.unit and b.unit and a.unit != b.unit else b
        except UnitError:
            return False
        return abs(a.amount - there.amount) <= max(_half_digit(a), _half_digit(there)) or alike(
            a, b
        )
    if isinstance(a, str) and isinstance(b, str):
        return _WORD.findall(a.casefold()) == _WORD.findall(b.casefold())
    return a == b


def _half_digit(value: Quantity) -> Decimal:
    """Half a unit in the last digit that a number was written with; whole numbers are exact."""
    exponent = int(value.value.as_tuple().exponent)
    if exponent >= 0 and value.scale == 1:
        return Decimal(0)
    return Decimal(5).scaleb(exponent - 1) * value.scale


def date_of(answer: Answer, corpus: Corpus) -> str:
    """The date of the newest document that an answer cites, as far as its metadata tells; "" when it does not."""
    cited = {citation.document for citation in answer.citations}
    return max((dated(each) for each in corpus.documents if each.id in cited), default="")


def dated(document: Entryless) -> str:
    """The date of a document, or what its metadata says of it."""
    return document.date or document.meta.get("date", "") or document.meta.get("year", "")
