"""Questions put to the databases of a corpus and to tables inside documents, and which of their answers is the best."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from pincite.corpus import Corpus
from pincite.document.headed_table import body_rows, headed_table
from pincite.errors import BudgetSpent, ModelError, PinciteError, SourceError
from pincite.evidence.database_sources import DatabaseSources, sources_of
from pincite.evidence.row_values import INSIDE
from pincite.rows.admitted_relations import Admitted, admitted
from pincite.rows.clean_source import CleanSource
from pincite.rows.row_drafts import drafted
from pincite.stage import Stage
from pincite.storage.ledger import note
from pincite.types import Draft, Node, Query

if TYPE_CHECKING:
    from pincite.database.relations.model import Database
    from pincite.database.sources.connection import OpenDatabase
    from pincite.ports import Encoder, Model
    from pincite.rows.interpretation import Interpretation


@dataclass(frozen=True, slots=True)
class RowsAnswer:
    """The answer of one database, or of one table of a document, to a question."""

    source: OpenDatabase
    interpretation: Interpretation
    draft: Draft

    @property
    def database(self) -> Database:
        """The database that was asked."""
        return self.source.database


@dataclass(frozen=True)
class FromRows(Stage[Query, Draft]):
    """A draft from the rows of the corpus's databases: each is asked, and the one that understands the question best answers.

    Understanding comes first by whether words are left over, then by confidence. A database that cannot be reached is left
    out; when none answers, the draft says why, and which could not be reached.
    """

    corpus: Corpus = field(repr=False, compare=False)
    encoder: Encoder | None = field(default=None, repr=False, compare=False)
    model: Model | None = None

    def run(self, given: Query) -> Draft:
        """Ask every database one question, of those that a filter leaves. Raises CorpusError for a field that no document has."""
        sources = sources_of(self.corpus)
        only = admitted(given.where, self.corpus) if given.where else None
        if only is not None and not only:
            return Draft(given, "", None)
        told = best(ask_all(given, sources, self.encoder, only, self.model))
        if told is not None:
            return told.draft
        reason = unreachable(sources) or "the corpus holds no database"
        return Draft(given, "", None, reason=reason)


def ask_all(
    query: Query,
    sources: DatabaseSources,
    encoder: Encoder | None = None,
    only: Admitted | None = None,
    model: Model | None = None,
) -> list[RowsAnswer]:
    """The answer of every database that can be reached; from the relations in `only`, where it is given."""
    made = []
    for name in sources.names if only is None else only:
        sources.unreachable.pop(name, None)
        try:
            held = frozenset() if only is None else only[name]
            source = CleanSource(sources(name), sources.values(name), held)
            made.append(ask(query, source, encoder, model))
        except BudgetSpent:
            raise
        except SourceError as error:
            sources.lost(name, error)
        except PinciteError as error:
            sources.unreachable[name] = str(error)
    return made


def ask(
    query: Query,
    source: CleanSource,
    encoder: Encoder | None = None,
    model: Model | None = None,
    node: Node | None = None,
    document: str = "",
) -> RowsAnswer:
    """The answer of one source to a question, or to one that follow-ups narrow; see `reading_rows.interpreted`."""
    from pincite.rows.reading_rows import interpreted

    asked = "; ".join(query.refines) or query.text
    try:
        found = interpreted(asked, source, encoder, model)
    except BudgetSpent:
        raise
    except ModelError as error:
        note(f"the question was read without a model: {error}")
        found = interpreted(asked, source, encoder)
    return RowsAnswer(source.source, found, drafted(query, found, source, node, document))


def ask_tables(
    query: Query,
    tables: Iterable[tuple[Node, str]],
    sources: DatabaseSources,
    encoder: Encoder | None = None,
    model: Model | None = None,
) -> Iterator[RowsAnswer]:
    """The answer of each of these tables of documents, given with their documents' ids; most have none.

    They can be read again by `sources` from then on.
    """
    from pincite.database.relations.value_index import build

    sources.inside = inside_source
    for node, document in tables:
        if body_rows(node):
            with inside_source(node) as opened:
                source = CleanSource(opened, build(opened))
                yield ask(query, source, encoder, model, node, document)


def inside_source(node: Node) -> OpenDatabase:
    """The table of a node as a source of one relation, its rows numbered from 1 as `body_rows` has them."""
    from pincite.database.views.grid_views import views_of_grid

    heading, *rows = headed_table(node)
    made, _ = views_of_grid([heading, *(row for row in rows if any(row))])
    return replace(made, database=replace(made.database, name=f"{INSIDE}{node.id}"))


def document_tables() -> DatabaseSources:
    """Sources by which only the tables inside documents can be read again."""
    sources = DatabaseSources({})
    sources.inside = inside_source
    return sources


def best(told: Iterable[RowsAnswer]) -> RowsAnswer | None:
    """The one that answers and understands the question best; one that refuses when none answers."""

    def understanding(each: RowsAnswer) -> tuple[bool, bool, float]:
        found = each.interpretation
        return each.draft.value is not None, not found.unmapped, found.confidence

    return max(told, key=understanding, default=None)


def unreachable(sources: DatabaseSources) -> str:
    """Which databases cannot be asked now, and why; "" when all can."""
    lost = sources.unreachable.items()
    return "; ".join(f"the database {name} could not be asked: {why}" for name, why in lost)
