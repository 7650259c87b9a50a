"""Where a row is looked up, and what its cells depend on: the documents that a search for them can reach."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from hashlib import blake2b

from pincite import __version__
from pincite.errors import UsageError
from pincite.formats.encoding import dumps
from pincite.search.filters import company_filter
from pincite.search.index.told_texts import digests
from pincite.types import Query, Where
from pincite.workbench.grid.spec import GridColumn, GridRow, Spec
from pincite.workbench.library import Library

Documents = tuple[tuple[str, str], ...]
"""Documents by their ids, each with a digest of all that an answer takes from it."""


@dataclass(frozen=True, slots=True)
class CellScope:
    """What a row's questions are put to: a filter, and the documents that it lets through. `named` says that the spec names these
    documents, whatever has replaced them; `missing`, in words, why there are none.
    """

    where: Where
    documents: Documents
    named: bool = False
    missing: str = ""


def reader_of(library: Library) -> str:
    """Who reads: this version, the recipe with its models, and whether values may be computed."""
    settings = library.settings
    return digest((__version__, library.spelling, settings.derived, settings.silence))


class Scopes:
    """The scopes of the rows of a spec in one generation of a corpus."""

    def __init__(self, library: Library) -> None:
        corpus = library.corpus
        told: dict[str, list[str]] = {}
        for (version, kind), said in sorted(digests(corpus.folder).items()):
            told.setdefault(version, []).append(f"{kind} {said}")
        self._library = library
        self._digests, self._called = dict[str, str](), dict[str, str]()
        for each in corpus.documents:
            self._called[each.id] = each.meta.get("company") or each.title
            content = (each.version, dict(each.meta), told.get(each.version, []))
            self._digests[each.id] = digest(content)
        self._tables = tuple(relation.id for relation in corpus.relations)
        # an answer says what the editions before and after its own have to say
        replacing = (series.editions for series in corpus.generation.series if series.replaces)
        self._editions = [{edition.document for edition in editions} for editions in replacing]

    def of(self, spec: Spec, row: GridRow) -> CellScope:
        """The scope of a row: as the spec says, else the documents of its company or the document of its name, else all."""
        where, missing = self._where(spec, row)
        if missing:
            return CellScope((), (), missing=missing)
        corpus = self._library.corpus
        reached = [each.id for each in (corpus.select(where) if where else corpus.documents)]
        if not reached:
            said = ", ".join(f"{name} = {' or '.join(values)}" for name, values in where)
            return CellScope((), (), missing=f"no document of the corpus has {said}")
        every = list(reached)
        for editions in self._editions:
            if not editions.isdisjoint(reached):
                every += sorted(editions)
        every += self._tables  # a corpus with databases puts every question to them as well
        held = [each for each in dict.fromkeys(every) if each in self._digests]
        documents = tuple((each, self._digests[each]) for each in held)
        # whether the spec says in which documents a row is looked up
        named = "document" in dict(row.where) if row.where else spec.entity == "document"
        return CellScope(where, documents, named)

    def query(self, spec: Spec, row: GridRow, column: GridColumn, scope: CellScope) -> Query:
        """The question of a cell as it is put to the corpus; documents that others have replaced answer where they are named. A
        row that is a document is asked about under the name of its company, else under its title, which pages say, too.
        """
        text = spec.query(row, column).text
        if spec.entity == "document" and (called := self._called.get(row.name)):
            text = text.replace(row.name, called)
        where = scope.where if scope.named else ()
        asked = self._library.query(text, where, column.expects, column.unit)
        # a cell shows them over what is found
        return replace(asked, where=scope.where, corrections="ignore")

    def _where(self, spec: Spec, row: GridRow) -> tuple[Where, str]:
        """The filter of a row, or why there is none."""
        corpus = self._library.corpus
        where: Where = ()
        if not row.where and spec.entity == "document":
            where = (("document", (row.name,)),)
            found = corpus.select(where)
            return (where, "") if found else ((), f"the corpus has no document {row.name}")
        for name, values in row.where or ((spec.entity, (row.name,)),):
            if name == "company":
                try:
                    where += company_filter(corpus, values)
                except UsageError:
                    return (), f"no document of the corpus belongs to {', '.join(values)}"
            elif row.where:
                where += ((name, values),)
        return where, ""


def differing(before: Iterable[tuple[str, str]], now: Iterable[tuple[str, str]]) -> str:
    """What is different about the documents that could be reached, in words; empty when nothing is."""
    old, new = dict(before), dict(now)
    told = {
        "new": sorted(new.keys() - old.keys()),
        "gone": sorted(old.keys() - new.keys()),
        "changed": sorted(each for each in old.keys() & new.keys() if old[each] != new[each]),
    }
    some = {
        what: ", ".join(all_of_it[:3]) + " ..." * (len(all_of_it) > 3)
        for what, all_of_it in told.items()
    }
    return "; ".join(f"{what}: {documents}" for what, documents in some.items() if documents)


def digest(parts: object) -> str:
    """A hash of what JSON can hold."""
    return blake2b(dumps(parts).encode(), digest_size=16).hexdigest()
