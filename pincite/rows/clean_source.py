"""A source as questions are put to it: its clean views as relations, statements over them run over the source itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from pincite.database.relations.model import Database
from pincite.database.statements.execution import Result
from pincite.database.statements.statement_guard import guarded
from pincite.database.views.clean_view import clean_views, view_database, with_views
from pincite.database.views.view_model import CleanView

if TYPE_CHECKING:
    from pincite.database.relations.near_values import ValueMatch
    from pincite.database.relations.value_index import Values
    from pincite.database.sources.connection import OpenDatabase


@dataclass(frozen=True)
class CleanSource:
    """An open database seen through its clean views, of which `only` some may be asked."""

    source: OpenDatabase
    values: Values
    only: frozenset[str] = frozenset()

    @cached_property
    def views(self) -> tuple[CleanView, ...]:
        """The views that may be asked."""
        every = clean_views(self.source)
        if not self.only:
            return every
        kept = [view for view in every if view.relation.name in self.only]
        names = {view.name for view in kept}
        return tuple(
            replace(view, links=tuple(link for link in view.links if link.to in names))
            for view in kept
        )

    @cached_property
    def database(self) -> Database:
        """The views as relations of a database."""
        return view_database(self.views, self.source.database)

    def view(self, name: str) -> CleanView:
        """The view of that name; KeyError when there is none."""
        return {view.name: view for view in self.views}[name]

    def over_source(self, statement: str) -> str:
        """A statement over the views as one over the source. Raises StatementRefused for what is more than one reading."""
        guarded(statement, self.database)
        return with_views(statement, self.views)

    def run(self, statement: str, rows: int = 10_000, seconds: float = 10.0) -> Result:
        """What a statement over the views finds. Raises StatementRefused, StatementFailed, DatabaseUnreachable."""
        return self.source.run(self.over_source(statement), rows=rows, seconds=seconds)

    def near(self, phrase: str, k: int = 10) -> Sequence[ValueMatch]:
        """The stored values nearest to a phrase, under the names of views."""
        found = []
        for each in self.values.near(phrase, k):
            if name := self._names.get((each.relation, each.column)):
                found.append(replace(each, relation=name[0], column=name[1]))
        return found

    @cached_property
    def _names(self) -> dict[tuple[str, str], tuple[str, str]]:
        """The names that views have for stored columns."""
        return {
            (view.relation.name, column.source): (view.name, column.name)
            for view in self.views
            for column in reversed(view.columns)
        }
