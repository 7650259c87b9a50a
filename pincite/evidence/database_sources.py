"""The databases that answers may come from and are checked against: opened when first asked, and why one cannot be."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from pincite.corpus import Corpus
from pincite.errors import PinciteError, SourceError

if TYPE_CHECKING:
    from pincite.database.relations.value_index import Values
    from pincite.database.sources.connection import OpenDatabase
    from pincite.types import Node


class DatabaseSources:
    """Sources by name: `openers` open them, `values` open the value indexes that were kept of them."""

    def __init__(
        self,
        openers: Mapping[str, Callable[[], OpenDatabase]],
        values: Mapping[str, Callable[[], Values]] | None = None,
    ) -> None:
        self._openers = dict(openers)
        self._indexes = dict(values or {})
        self._open: dict[str, OpenDatabase] = {}
        self._values: dict[str, Values] = {}
        self.unreachable: dict[str, str] = {}
        self.inside: Callable[[Node], OpenDatabase] | None = None
        """How the table of a node is opened, where tables inside documents are asked."""

    def __bool__(self) -> bool:
        return bool(self._openers)

    @property
    def names(self) -> tuple[str, ...]:
        """What the sources are called, in order."""
        return tuple(self._openers)

    def __call__(self, name: str) -> OpenDatabase:
        """The source of this name, open; raises SourceError when there is none or it cannot be opened now."""
        if name in self._open:
            return self._open[name]
        if name not in self._openers:
            how = "index it again with `pincite index --db`"
            raise SourceError(f"the database {name} is no longer in the corpus: {how}")
        try:
            opened = self._open[name] = self._openers[name]()
        except PinciteError as error:
            self.unreachable[name] = str(error)
            raise SourceError(str(error)) from error
        self.unreachable.pop(name, None)
        return opened

    def values(self, name: str) -> Values:
        """The value index of a source: the one that was kept beside the corpus, else one made in memory."""
        if name not in self._values:
            from pincite.database.relations.value_index import build

            made = self._indexes.get(name)
            self._values[name] = made() if made is not None else build(self(name))
        return self._values[name]

    def lost(self, name: str, error: PinciteError) -> None:
        """Remember that a source stopped answering; the next question opens it anew."""
        self.unreachable[name] = str(error)
        if (source := self._open.pop(name, None)) is not None:
            source.close()

    def close(self) -> None:
        """Close what is open."""
        for source in self._open.values():
            source.close()
        self._open.clear()


def sources_of(corpus: Corpus) -> DatabaseSources:
    """The databases of a corpus, the same for as long as it is open."""
    if corpus not in _known:
        held = corpus.databases
        _known[corpus] = DatabaseSources(
            {database.name: database.open for database in held},
            {database.name: database.values for database in held},
        )
    return _known[corpus]


_known: WeakKeyDictionary[Corpus, DatabaseSources] = WeakKeyDictionary()
