"""Filters by what documents are: as a caller writes them, held against what the corpus has, or made from names of companies."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from operator import attrgetter

from pincite.corpus import Corpus
from pincite.corpus.versions.series import kept_out, left_out
from pincite.errors import UsageError
from pincite.search.document_routing import Catalogue, route
from pincite.text.wording import did_you_mean
from pincite.types import Where

Wanted = str | int
Filters = Where | Mapping[str, Wanted | Iterable[Wanted]]
"""Filters as a caller writes them: {"company": "Nike", "year": [2021, 2022]}, or (field, values) pairs. Values of one field are
alternatives, fields hold together."""
DATE = re.compile(r"\d{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)?")
"""A date as `as_of` takes it."""
NAMED = 0.8
"""The weight from which a company's name and a document's own names are taken for the same."""
LISTED = 8
"""Values of a field that a message lists."""


def where_of(filters: Filters) -> Where:
    """Filters as the (field, values) pairs of a Query. Raises UsageError for what is neither a mapping nor such pairs."""
    pairs = filters.items() if isinstance(filters, Mapping) else filters
    made = []
    try:
        for name, values in pairs:
            several = (values,) if isinstance(values, Wanted) else values
            made.append((str(name), tuple(map(str, several))))
        return tuple(made)
    except (TypeError, ValueError) as error:
        raise UsageError(
            f'filters are a mapping of fields to values, as in {{"company": "Nike"}}, not {filters!r}'
        ) from error


def held_filters(corpus: Corpus, where: Where) -> Where:
    """The same filters, of which every value is one that a document has, and all together let a document through.

    Raises UsageError with the nearest values for one that no document has, CorpusError for a field that none has.
    """
    if not corpus.documents:
        return where
    for name, values in where:
        for value in values:
            if not corpus.select(((name, (value,)),)):
                raise UsageError(_unknown_value(corpus, name, value))
    if where and not corpus.select(where):
        told = " and ".join(f"{name}={' or '.join(values)}" for name, values in where)
        raise UsageError(
            f"no document has {told} at once, though documents have each of them: leave one of these filters out; "
            "`pincite list` prints what every document has"
        )
    return where


def _unknown_value(corpus: Corpus, name: str, value: str) -> str:
    """That no document has a value, the values most like it, and those that there are."""
    own = {"document": attrgetter("id"), "title": attrgetter("title")}
    first = own.get(name, lambda _: "")
    values = {first(each) or each.meta.get(name, "") for each in corpus.documents}
    known = sorted(values - {""})
    listed = ", ".join(known[:LISTED]) + (", …" if len(known) > LISTED else "")
    return f"no document has {name} {value!r}.{did_you_mean(value, known)} Known: {listed}"


def unasked_editions(corpus: Corpus, where: Where, question: str, as_of: str) -> tuple[str, ...]:
    """The documents that a question is not put to, since another edition answers at the date `as_of`, now when empty.

    Those that `where` names are asked whatever has replaced them. Raises UsageError when `as_of` is not a date.
    """
    if as_of and not DATE.fullmatch(as_of):
        raise UsageError(f"a date is written 2019, 2019-05 or 2019-05-01, not {as_of!r}")
    series = corpus.generation.series
    without = left_out(series, question, as_of)
    if without and any(name == "document" for name, _ in where):
        named = {document.id for document in corpus.select(where)}
        return kept_out(without, named, series)
    return without


def company_filter(corpus: Corpus, names: Sequence[str]) -> Where:
    """A filter for the documents of these companies: by a metadata column `company`, else by their cover pages.

    Raises UsageError when no document is of any of them.
    """
    wanted = {name.casefold() for name in names}
    held = corpus.documents
    documents = [
        document.id for document in held if document.meta.get("company", "").casefold() in wanted
    ]
    if not documents:
        known = Catalogue.of(held)
        # within a phrase, since a capital at the beginning of one does not tell a name
        routed = chain.from_iterable(route(f"the documents of {name}", known) for name in names)
        positions = dict.fromkeys(way.position for way in routed if way.weight >= NAMED)
        documents = [held[position].id for position in positions]
    if not documents:
        companies = {document.meta.get("company", "") for document in held} - {""}
        raise UsageError(
            f"no document belongs to {', '.join(names)}.{did_you_mean(names[0], companies) if names else ''} Add a column "
            "`company` to the file given to `pincite index --metadata`, or leave out the companies"
        )
    return (("document", tuple(documents)),)
