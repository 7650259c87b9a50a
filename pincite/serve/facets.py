"""What the documents of a corpus are about, counted, and the documents that are about what somebody chose."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from pincite.corpus import Entryless
from pincite.errors import UsageError
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


def counted(documents: Sequence[Entryless]) -> dict[str, list[tuple[str, int]]]:
    """What the documents are about, each with how many of them there are: the most common first, years in order."""
    counts: dict[str, Counter[str]] = {name: Counter() for name in FACETS}
    for document in documents:
        for name, value in facets_of(document).items():
            counts[name][value] += bool(value)
    found = {name: [pair for pair in counts[name].most_common() if pair[1]] for name in FACETS}
    found["year"].sort()
    return {name: pairs for name, pairs in found.items() if pairs}


def narrowed(
    documents: Sequence[Entryless], chosen: Mapping[str, str], document: str = ""
) -> Where:
    """Where a question is looked up: in one document, or in those of the chosen company, kind and year. UsageError when no
    document is of all of these.
    """
    if document:
        return (("document", (document,)),)
    wanted = {name: value for name, value in chosen.items() if value}
    if not wanted:
        return ()
    held = [each.id for each in documents if wanted.items() <= facets_of(each).items()]
    if not held:
        said = ", ".join(f"{name} {value!r}" for name, value in wanted.items())
        raise UsageError(f"no document is of {said}: take one of the filters away")
    return (("document", tuple(held)),)
