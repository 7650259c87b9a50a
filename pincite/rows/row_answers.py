"""Questions answered from rows: what an interpretation found, as a draft whose every value cites its cells and its statement."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import TYPE_CHECKING

from pincite.check.inside_tables import INSIDE, grid_of, grid_rows
from pincite.check.reread import EXISTS, ROWS, replayed, says_yes
from pincite.check.reread import found as value_of
from pincite.corpus import Corpus
from pincite.database.relations.column_heading import readable
from pincite.database.relations.name_folding import fold, stems
from pincite.database.relations.shaped_values import written
from pincite.document.address import standing
from pincite.document.words import words
from pincite.errors import BudgetSpent, ModelError, PinciteError, SourceError
from pincite.evidence.cited_place import Failed
from pincite.evidence.database_sources import DatabaseSources, sources_of
from pincite.evidence.saying import as_asked, worded
from pincite.ledger import note
from pincite.lexicon import pattern, word_set
from pincite.quantity import UnitError, in_unit
from pincite.question.understanding import understand
from pincite.question.wording import units_named
from pincite.rows.row_citations import citations
from pincite.stage import Stage
from pincite.types import Citation, Claim, Draft, Node, Quantity, Query, Reading, Value, Where

if TYPE_CHECKING:
    from pincite.database.relations.column_heading import Heading
    from pincite.database.relations.model import Column, Database
    from pincite.database.sources.connection import OpenDatabase
    from pincite.database.statements.execution import Result
    from pincite.ports import Encoder, Model
    from pincite.rows.programs.interpretation import Interpretation
    from pincite.rows.programs.pieces import ValueIndex

SURE = 0.35
"""The least chance of being right at which a table inside a document answers."""
_ASKING = word_set("rows", "of asking")
"""Words of a question that say what to do with a table; they need not stand in it."""
DECIMALS = 6
"""Decimal places that a value is shown with in words; the value itself keeps all of them."""
_OPERATIONS = {EXISTS: EXISTS, "count": "count", "sum": "sum", "avg": "average", "max": "max", "min": "min"}


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
        return tuple(dict.fromkeys(name for word in self.interpretation.unmapped for name in nearest(word, held)))


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
        """Ask every database one question, of those that a filter by document leaves."""
        sources = sources_of(self.corpus)
        only = _named(given.where, sources)
        if given.where and not only:
            return Draft(given, "", None)
        told = best(ask_all(given, sources, self.encoder, only, self.model))
        if told is not None:
            return told.draft
        return Draft(given, "", None, reason=unreachable(sources) or "the corpus holds no database")


def _named(where: Where, sources: DatabaseSources) -> tuple[str, ...]:
    """The databases that a filter names: by themselves or by one of their relations ("plant", "plant/alloy")."""
    if [name for name, _ in where] != ["document"]:
        return ()
    wanted = {value.casefold().partition("/")[0] for _, values in where for value in values}
    return tuple(name for name in sources.names if name.casefold() in wanted)


def ask_all(
    query: Query,
    sources: DatabaseSources,
    encoder: Encoder | None = None,
    only: Sequence[str] = (),
    model: Model | None = None,
) -> list[RowsAnswer]:
    """The answer of every database that can be reached; of those named in `only`, where any is named."""
    made = []
    for name in only or sources.names:
        sources.unreachable.pop(name, None)
        try:
            source = sources(name)
            made.append(ask(query, source, sources.values(name), encoder, model))
        except BudgetSpent:
            raise
        except SourceError as error:
            sources.lost(name, error)
        except PinciteError as error:
            sources.unreachable[name] = str(error)
    return made


def ask(
    query: Query, source: OpenDatabase, values: ValueIndex, encoder: Encoder | None = None, model: Model | None = None
) -> RowsAnswer:
    """The answer of one source to a question, or to one that follow-ups narrow; a model drafts a statement where that helps."""
    found = None
    if query.refines:
        from pincite.rows.programs.narrowing import narrowed

        found = narrowed(query.refines, source, values, encoder)
    if found is None:
        from pincite.rows.drafting.row_agreement import interpreted

        try:
            found = interpreted(query.text, source, values, encoder, model=model)
        except BudgetSpent:
            raise
        except ModelError as error:
            note(f"the question was read without a model: {error}")
            found = interpreted(query.text, source, values, encoder)
    if found.result is None and not found.refused and found.statement is not None:
        found = replace(found, result=source.run(found.statement))  # raises what was in the way
    return RowsAnswer(source, found, drafted(query, found, source))


def narrowing(query: Query, sources: DatabaseSources, encoder: Encoder | None = None) -> Reading | None:
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
        if found is not None and (len(query.refines) > 1 or not found.refused and not found.unmapped):
            return reading_of(found, source)
    return None


def ask_tables(
    query: Query, tables: Iterable[tuple[Node, str]], sources: DatabaseSources, encoder: Encoder | None = None
) -> Iterator[RowsAnswer]:
    """The answer of each of these tables of documents, given with their documents' ids; most have none.

    They can be read again by `sources` from then on.
    """
    from pincite.rows.onetable.single_table import ready, tell
    from pincite.rows.programs.compilation import statement
    from pincite.rows.programs.interpretation import Interpretation

    sources.inside = inside_source
    for node, document in tables:
        if not grid_rows(node):
            continue
        found = next(iter(tell(query.text, ready(_filled(node), encoder))), None)
        with inside_source(node) as source:
            if found is None:
                reason = f"nothing in the question matches the table {standing(node.anchor)} of {document}"
                read = Interpretation(query.text, None, None, "", (), (), 0.0, None, (), True, reason)
                yield RowsAnswer(source, read, drafted(query, read, source, node, document))
                continue
            made = statement(found.reading.query, source.database)
            strange, share = _strange(query.text, node)
            sure = found.confidence * share
            reason = "" if sure >= SURE else "no table gives an answer with enough confidence"
            read = Interpretation(
                query.text,
                found.reading.query,
                made,
                found.said,
                (),
                strange,
                sure,
                source.run(made),
                (),
                bool(reason),
                reason,
            )
            yield RowsAnswer(source, read, drafted(query, read, source, node, document))


def _strange(question: str, node: Node) -> tuple[tuple[str, ...], float]:
    """The telling words of a question that stand nowhere in a table or its caption, and the share of those that do."""
    telling = [word for word in re.findall(r"[^\W_]+", question) if word.casefold() not in _ASKING and words(word)]
    caption = node.table.caption if node.table is not None else ""
    held = set(stems(" ".join((caption, node.anchor.path, *(cell for row in grid_of(node) for cell in row)))).split())
    strange = tuple(dict.fromkeys(word for word in telling if not set(stems(word).split()) & held))
    return strange, 1 - len(strange) / len(telling) if telling else 1.0


def inside_source(node: Node) -> OpenDatabase:
    """The table of a node as a source of one relation, its rows numbered from 1 as `grid_rows` has them."""
    from pincite.rows.onetable.value_grid import grid_of, source_of

    made = source_of(grid_of(_filled(node)))
    return replace(made, database=replace(made.database, name=f"{INSIDE}{node.id}"))


def _filled(node: Node) -> list[list[str]]:
    """A table's cells under one line of headings, without lines that hold nothing."""
    heading, *rows = grid_of(node)
    return [heading, *(row for row in rows if any(row))]


def best(told: Iterable[RowsAnswer]) -> RowsAnswer | None:
    """The one that answers and understands the question best; one that refuses when none answers."""
    return max(told, key=_understanding, default=None)


def _understanding(told: RowsAnswer) -> tuple[bool, bool, float]:
    return told.draft.value is not None, not told.interpretation.unmapped, told.interpretation.confidence


def unreachable(sources: DatabaseSources) -> str:
    """Which databases cannot be asked now, and why; "" when all can."""
    return "; ".join(f"the database {name} could not be asked: {why}" for name, why in sources.unreachable.items())


# ---- from an interpretation to a draft


def drafted(
    query: Query, found: Interpretation, source: OpenDatabase, node: Node | None = None, document: str = ""
) -> Draft:
    """The draft of what an interpretation found, its cells cited; one that says why there is no answer.

    For a table of a document, `node` is the table and `document` its document's id: cells are then cited where they stand.
    """
    reading = reading_of(found, source)
    silent = Draft(query, "", None, confidence=found.confidence, reading=reading)
    if found.refused or found.result is None:
        return replace(silent, reason=found.reason)
    from pincite.database.statements.result_columns import headings

    result = found.result
    made = replayed(reading.statement, source, result.truncated)
    try:
        value = value_of(result, made, reading.statement, source, node)
    except Failed as failed:
        return replace(silent, reason=failed.how)
    if value is None:
        return replace(silent, reason=_why_nothing(result, reading))
    ask = understand(query)
    functions = [heading.function for heading in headings(reading.statement, source.database)]
    if ask.expects == "boolean" and not isinstance(value, bool) and not any(functions):
        value, functions = says_yes(value), [EXISTS]
    if not _wanted(query, value):
        return replace(silent, reason=f"the rows answer with {worded(value)[:80]}, but a {query.expects} was asked for")
    cited = citations(made, result.rows[:ROWS], reading.statement, source, node, document)
    claim = _claim(value, functions, cited)
    answer = in_named_unit(query.text, as_asked(ask, value))
    reading = replace(reading, date=date_of(cited, source))
    return replace(silent, text=worded(_short(answer)), value=answer, claims=(claim,), citations=cited, reading=reading)


def _why_nothing(result: Result, reading: Reading) -> str:
    what = "the rows that fit hold no value" if result.rows else "no row fits"
    return f"{what}: {reading.meaning or reading.statement}"


def _claim(value: Value, functions: Iterable[str], cited: Iterable[Citation]) -> Claim:
    """The claim of a value, with the first of the functions that made its columns as what was done."""
    function = next(filter(None, functions), "")
    operation = _OPERATIONS.get(function, "computed") if function else ""
    return Claim(worded(value), value, tuple(citation.label for citation in cited), operation=operation)


def _wanted(query: Query, value: Value) -> bool:
    """Whether a value is of the type that the caller expects."""
    kinds: dict[str, tuple[type, ...]] = {
        "number": (Quantity,), "boolean": (bool,), "name": (str,), "names": (str, tuple),
    }  # fmt: skip
    return isinstance(value, kinds.get(query.expects or "", (object,)))


def date_of(cited: Sequence[Citation], source: OpenDatabase) -> str:
    """The newest date that cited rows give of themselves ("revised", "valid from", "year"); "" when they give none."""
    return max((date for citation in cited for date in _dates_in(citation, source) if date), default="")


def _dates_in(citation: Citation, source: OpenDatabase) -> Iterator[str]:
    """What stands in those columns of the rows that a citation pins."""
    from pincite.database.statements.pins import by_key, read_pin

    pin = read_pin(citation.anchor.sql)
    for relation in source.database.relations:
        if pin is not None and pin.rows and pin.relation == relation.name:
            columns = [column.name for column in relation.columns if _dates(column)]
            for row in by_key(source, relation, pin.rows, columns).values() if columns else ():
                yield from map(written, row)


def _dates(column: Column) -> bool:
    """Whether a column says of when a row's other values are."""
    if not pattern("rows", "dating", "columns").search(f"{column.name} {column.readable}"):
        return False
    return column.type in ("date", "datetime") or column.type == "integer" and "year" in fold(readable(column)).split()


def in_named_unit(question: str, value: Value) -> Value:
    """A value in the unit that a question asks for ("in GPa"), where it measures the same; else as it is."""
    if isinstance(value, tuple):
        return tuple(in_named_unit(question, element) for element in value)
    if not isinstance(value, Quantity) or not value.unit:
        return value
    return next((converted for _, converted in _in_units(question, value)), value)


def _in_units(question: str, value: Quantity) -> Iterator[tuple[str, Quantity]]:
    """A quantity in each unit that a question names and that measures the same."""
    for unit in units_named(question):
        with suppress(UnitError):
            yield unit, in_unit(value, unit)


def named_units(question: str, headings: Sequence[Heading]) -> tuple[Heading, ...]:
    """The headings with the unit that a question asks for where their numbers are in it: "(1,000 MPa)" is "(GPa)"."""
    return tuple(_in_named_unit(question, heading) for heading in headings)


def _in_named_unit(question: str, heading: Heading) -> Heading:
    if not heading.unit or heading.scale == 1:
        return heading
    for unit, converted in _in_units(question, Quantity(Decimal(1), heading.unit, heading.scale)):
        if math.isclose(converted.amount, 1, rel_tol=1e-4):
            return replace(heading, unit=unit, scale=Decimal(1))
    return heading


def _short(value: Value) -> Value:
    """A value to be read: digits that only a division made are left out."""
    if isinstance(value, tuple):
        return tuple(_short(element) for element in value)
    if isinstance(value, Quantity) and -int(value.value.as_tuple().exponent) > DECIMALS:
        return replace(value, value=Decimal(f"{value.value:.6g}"))
    return value


def reading_of(found: Interpretation, source: OpenDatabase) -> Reading:
    """How an interpretation read its question."""
    statement = statement_of(found.result, source) if found.result is not None else ""
    named = "the table" if source.database.name.startswith(INSIDE) else source.database.name
    return Reading(named, statement, found.said, found.mapping, found.unmapped)


def statement_of(result: Result, source: OpenDatabase) -> str:
    """The statement of a result as it is shown and cited: it finds the same rows."""
    from pincite.database.statements.tidying import tidied

    return tidied(result.statement, source.database.dialect)
