"""Questions that a model writes about tables with the SQL that finds their answer, which is checked and run.

Tran and Larsson (2026), section 4.3.2 and figures D.2 and D.3. A table of a database is asked by its own name there, one of a
document is called "data". The rows found are the gold; code takes the value of the column asked for, or the rows' labels, from
them.
"""

from __future__ import annotations

import random
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from uuid import NAMESPACE_DNS, uuid5

from pincite.corpus import Corpus, Entryless
from pincite.database.sources.typed_columns import quoted
from pincite.errors import UsageError
from pincite.lab.testsets import asking_prompts
from pincite.lab.testsets.gold_rows import Row, names, number_gold, row_anchor, row_of
from pincite.lab.testsets.sql_relation import RelationTable
from pincite.lab.testsets.sql_table import NAME, SHOWN_ROWS, FoundRows, SqlTable, sql_table
from pincite.lab.testsets.written_questions import (
    RE_ASKED,
    Job,
    WrittenQuestions,
    problem,
    run_jobs,
)
from pincite.ports import Model
from pincite.quantity import parse
from pincite.search.index.table_rows import table_name
from pincite.types import Document, Node, Table

PER_TABLE = 4
"""Questions asked for about one table."""


def write_tables(
    corpus: Corpus,
    model: Model,
    n: int,
    *,
    seed: int = 0,
    languages: Sequence[str] = ("English",),
) -> WrittenQuestions:
    """Up to `n` questions about tables drawn evenly from all; each has the rows that its query finds for its gold."""
    jobs = _tables(corpus, model, n, seed, tuple(languages))
    return run_jobs(jobs, n)


def _tables(
    corpus: Corpus, model: Model, n: int, seed: int, languages: tuple[str, ...]
) -> list[Job]:
    """A job for each of enough tables, drawn evenly from all that the corpus holds."""
    held = [document for document in corpus.documents if document.tables]
    ends = list(accumulate(document.tables for document in held))
    total = ends[-1] if ends else 0
    called = names(corpus.documents)
    jobs: list[Job] = []
    for drawn in random.Random(seed).sample(range(total), total):
        if len(jobs) * PER_TABLE >= n:
            break
        card = held[bisect_right(ends, drawn)]
        node = corpus.tables(card.version)[drawn - (ends[bisect_right(ends, drawn)] - card.tables)]
        table = _asked_table(corpus, card, node)
        if table is not None:
            count = min(PER_TABLE, n - len(jobs) * PER_TABLE)
            of = f"the database {card.meta['database']}" if card.relation else called[card.version]
            jobs.append(_TableJob(table, of, count, model, languages, seed))
    return jobs


def _asked_table(
    corpus: Corpus, card: Entryless, node: Node
) -> RelationTable | DocumentTable | None:
    """A table of a document or database, when it has more than one row and column."""
    document = corpus.part(card.version, (node,))
    if card.relation:
        (held,) = (holder for holder in corpus.databases if holder.name == card.meta["database"])
        relation = RelationTable(corpus, held, document, node)
        return relation if relation.relation.rows > 1 and len(relation.columns) > 1 else None
    table = DocumentTable(document, node, sql_table(node.table or Table(())))
    return table if len(table.table.rows) > 1 and len(table.table.columns) > 1 else None


@dataclass(frozen=True, slots=True)
class DocumentTable:
    """A table of a document under the name "data"."""

    document: Document
    node: Node
    table: SqlTable

    @property
    def name(self) -> str:
        """What statements call it."""
        return quoted(NAME)

    @property
    def called(self) -> str:
        """Its caption or heading."""
        return table_name(self.node, self.document)

    @property
    def columns(self) -> Mapping[str, str]:
        """The headings, which are the columns' names in SQL."""
        return dict.fromkeys(self.table.columns, "")

    def shown(self) -> Sequence[Sequence[str]]:
        """The first rows, numbers as SQL has them."""
        return [list(map(_written, row)) for row in self.table.rows[:SHOWN_ROWS]]

    def find(self, sql: str, column: str) -> FoundRows:
        """The rows of its grid that the statement finds."""
        found = self.table.find(sql)
        if not found or len(found) == len(self.table.rows):
            raise UsageError(f"the query finds {'every' if found else 'no'} row")
        place = f"{self.document.version} {self.node.id}"
        rows = [{"id": str(uuid5(NAMESPACE_DNS, f"{place} {at}")), "row": at} for at in found]
        pages = [row_anchor(self.node, at).page for at in found]
        return FoundRows([self.node], pages, rows, self._gold(found, column))

    def _gold(self, found: Sequence[int], column: str) -> Row:
        """The value of one row's column, or the labels of the rows; nothing where the table has none."""
        held = dict(zip(self.table.numbers, self.table.rows, strict=True))
        wanted = column if column in self.table.columns else ""
        if wanted and len(found) == 1:
            return _value_gold(held[found[0]][self.table.columns.index(wanted)])
        labels = [str(held[at][0]) for at in found if held[at][0] is not None]
        if wanted or len(labels) != len(found) or len(set(labels)) != len(labels):
            return {}
        return {"kind": "names", "answer": labels, "answer_type": "list"}


@dataclass(frozen=True, slots=True)
class _TableJob:
    table: RelationTable | DocumentTable
    name: str
    count: int
    model: Model
    languages: tuple[str, ...]
    seed: int

    async def __call__(self) -> list[Row]:
        table = self.table
        where = f"{table.called}, in {self.name}"
        lines = [" | ".join(row) for row in (list(table.columns), *table.shown())]
        prompt = asking_prompts.asking_table(
            "\n".join(lines), table.name, table.columns, where, self.count, self.languages
        )
        made: dict[str, Row] = {}
        for _ in range(RE_ASKED + 1):
            reply = await self.model.complete(prompt, asking_prompts.TableQuestionsForm)
            wrong = []
            for example in reply.value.examples:
                try:
                    row = self._row(example.question, example.sql_query, example.column)
                    made.setdefault(row["id"], row)
                except UsageError as error:
                    wrong.append(f"{example.sql_query!r}: {error}")
            if len(made) >= self.count:
                break
            said = "; ".join(wrong) or "There are too few questions."
            missing = f"Write {self.count - len(made)} other questions."
            prompt = replace(prompt, turns=(*prompt.turns, (reply.text, f"{said}. {missing}")))
        if not made:
            raise UsageError(f"no question about {where}: {said}")
        return list(made.values())[: self.count]

    def _row(self, question: str, sql: str, column: str) -> Row:
        """A question with the rows that its query finds. Raises UsageError that says what is wrong with either."""
        if said := problem(question):
            raise UsageError(said)
        found = self.table.find(sql, column)
        row = row_of(
            " ".join(question.split()), self.table.document, found.nodes, found.pages, "written about a table",
            self.table.node.id, found.gold, seed=self.seed, sql=sql, rows=found.rows, column=column, model=self.model.name,
        )  # fmt: skip
        return {**row, "evidence_kind": "table", **found.more}


def _written(value: str | float | None) -> str:
    return "" if value is None else f"{value:g}" if isinstance(value, float) else value


def _value_gold(value: str | float | None) -> Row:
    if value is None or isinstance(value, str):
        return {"answer": value, "answer_type": "text"} if value is not None else {}
    found = parse(written := f"{value:.12g}")
    return number_gold(found, written) if found is not None and found.unit != "year" else {}
