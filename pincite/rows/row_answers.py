"""Questions put to the databases of a corpus and to tables inside documents, and which of their answers is the best."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from pincite.corpus import Corpus
from pincite.database.relations.name_folding import stems
from pincite.document.address import standing
from pincite.document.headed_table import body_rows, headed_table
from pincite.document.words import PLAIN_WORD, words
from pincite.errors import BudgetSpent, ModelError, PinciteError, SourceError
from pincite.evidence.database_sources import DatabaseSources, sources_of
from pincite.evidence.inside_tables import INSIDE
from pincite.ledger import note
from pincite.lexicon import word_set
from pincite.rows.admitted_relations import Admitted, admitted, within
from pincite.rows.row_drafts import drafted, reading_of
from pincite.stage import Stage
from pincite.types import Draft, Node, Query, Reading

if TYPE_CHECKING:
    from pincite.database.relations.model import Database
    from pincite.database.sources.connection import OpenDatabase
    from pincite.ports import Encoder, Model
    from pincite.rows.programs.interpretation import Interpretation
    from pincite.rows.programs.pieces import ValueIndex

SURE = 0.35
"""The least chance of being right at which a table inside a document answers."""
_ASKING = word_set("rows", "of asking")
"""Words of a question that say what to do with a table; they need not stand in it."""


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

    @property
    def nearest(self) -> tuple[str, ...]:
        """The columns whose names come nearest to the words that nothing explains."""
        from pincite.rows.programs.interpretation import nearest
        from pincite.rows.programs.scheme import scheme

        held = scheme(self.database)
        return tuple(
            dict.fromkeys(
                name for word in self.interpretation.unmapped for name in nearest(word, held)
            )
        )


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
        return Draft(
            given, "", None, reason=unreachable(sources) or "the corpus holds no database"
        )


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
            asked: tuple[OpenDatabase, ValueIndex] = sources(name), sources.values(name)
            asked = asked if only is None else within(*asked, only[name])
            made.append(ask(query, *asked, encoder, model))
        except BudgetSpent:
            raise
        except SourceError as error:
            sources.lost(name, error)
        except PinciteError as error:
            sources.unreachable[name] = str(error)
    return made


def ask(
    query: Query,
    source: OpenDatabase,
    values: ValueIndex,
    encoder: Encoder | None = None,
    model: Model | None = None,
) -> RowsAnswer:
    """The answer of one source to a question, or to one that follow-ups narrow; a model drafts a statement where that helps."""
    found = None
    if query.refines:
        from pincite.rows.programs.narrowing import narrowed

        found = narrowed(query.refines, source, values, encoder)
    if found is None:
        from pincite.rows.drafting.row_agreement import interpreted

        named = not query.unit  # a table keeps the units of its columns
        try:
            found = interpreted(query.text, source, values, encoder, model=model, named=named)
        except BudgetSpent:
            raise
        except ModelError as error:
            note(f"the question was read without a model: {error}")
            found = interpreted(query.text, source, values, encoder, named=named)
    if found.result is None and not found.refused and found.statement is not None:
        found = replace(found, result=source.run(found.statement))  # raises what was in the way
    return RowsAnswer(source, found, drafted(query, found, source))


def narrowing(
    query: Query, sources: DatabaseSources, encoder: Encoder | None = None
) -> Reading | None:
    """How the first database that can read it reads a question narrowed by follow-ups; None when none can.

    A question by itself must be accounted for word by word.
    """
    from pincite.rows.programs.narrowing import narrowed

    for name in sources.names:
        try:
            source = sources(name)
            found = narrowed(query.refines, source, sources.values(name), encoder)
        except PinciteError:
            continue
        if found is not None and (
            len(query.refines) > 1 or not found.refused and not found.unmapped
        ):
            return reading_of(found, source)
    return None


def ask_tables(
    query: Query,
    tables: Iterable[tuple[Node, str]],
    sources: DatabaseSources,
    encoder: Encoder | None = None,
) -> Iterator[RowsAnswer]:
    """The answer of each of these tables of documents, given with their documents' ids; most have none.

    They can be read again by `sources` from then on.
    """
    from pincite.rows.onetable.single_table import ready, tell
    from pincite.rows.programs.compilation import statement
    from pincite.rows.programs.interpretation import Interpretation

    sources.inside = inside_source
    for node, document in tables:
        if not body_rows(node):
            continue
        found = next(iter(tell(query.text, ready(_filled(node), encoder))), None)
        with inside_source(node) as source:
            if found is None:
                reason = f"nothing in the question matches the table {standing(node.anchor)} of {document}"
                read = Interpretation(
                    query.text, None, None, "", (), (), 0.0, None, (), True, reason
                )
                yield RowsAnswer(source, read, drafted(query, read, source, node, document))
                continue
            made = statement(found.reading.query, source.database)
            unsaid, share = unsaid_words(query.text, node)
            sure = found.confidence * share
            reason = "" if sure >= SURE else "no table gives an answer with enough confidence"
            read = Interpretation(
                query.text,
                found.reading.query,
                made,
                found.said,
                (),
                unsaid,
                sure,
                source.run(made),
                (),
                bool(reason),
                reason,
            )
            yield RowsAnswer(source, read, drafted(query, read, source, node, document))


def unsaid_words(question: str, node: Node) -> tuple[tuple[str, ...], float]:
    """The telling words of a question that stand nowhere in a table or its caption, and the share of those that do."""
    telling = [
        word
        for word in PLAIN_WORD.findall(question)
        if word.casefold() not in _ASKING and words(word)
    ]
    caption = node.table.caption if node.table is not None else ""
    held = set(
        stems(
            " ".join(
                (caption, node.anchor.path, *(cell for row in headed_table(node) for cell in row))
            )
        ).split()
    )
    unsaid = tuple(dict.fromkeys(word for word in telling if not set(stems(word).split()) & held))
    return unsaid, 1 - len(unsaid) / len(telling) if telling else 1.0


def inside_source(node: Node) -> OpenDatabase:
    """The table of a node as a source of one relation, its rows numbered from 1 as `body_rows` has them."""
    from pincite.rows.onetable.value_grid import grid_of, source_of

    made = source_of(grid_of(_filled(node)))
    return replace(made, database=replace(made.database, name=f"{INSIDE}{node.id}"))


def document_tables() -> DatabaseSources:
    """Sources by which only the tables inside documents can be read again."""
    sources = DatabaseSources({})
    sources.inside = inside_source
    return sources


def _filled(node: Node) -> list[list[str]]:
    """A table's cells under one line of headings, without lines that hold nothing."""
    heading, *rows = headed_table(node)
    return [heading, *(row for row in rows if any(row))]


def best(told: Iterable[RowsAnswer]) -> RowsAnswer | None:
    """The one that answers and understands the question best; one that refuses when none answers."""
    return max(told, key=_understanding, default=None)


def _understanding(told: RowsAnswer) -> tuple[bool, bool, float]:
    return (
        told.draft.value is not None,
        not told.interpretation.unmapped,
        told.interpretation.confidence,
    )


def unreachable(sources: DatabaseSources) -> str:
    """Which databases cannot be asked now, and why; "" when all can."""
    return "; ".join(
        f"the database {name} could not be asked: {why}"
        for name, why in sources.unreachable.items()
    )
