"""Fill a grid: stored cells that are still valid are kept, the rest is answered row by row and recorded before it is used."""

from __future__ import annotations

import os
import signal
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from multiprocessing import get_context, parent_process
from pathlib import Path

from pincite.corpus import Corpus
from pincite.errors import CorpusBusy, CorpusError
from pincite.evidence.headline import headline
from pincite.formats.encoding import value_to
from pincite.processes.worker import safe_path
from pincite.recipes.base import Recipe
from pincite.records.review import latest, reviews, topic_of
from pincite.records.review.corrections import stale
from pincite.records.review.review_log import asked_of
from pincite.settings import Settings
from pincite.types import Answer, Query
from pincite.workbench.batch import Answers, QuestionLine, answer_all
from pincite.workbench.grid.cell_scope import Documents, Scopes, differing, digest, reader_of
from pincite.workbench.grid.filled_cells import (
    Filled,
    Grid,
    Moved,
    Status,
    filled,
    given,
    reviewed,
    status_of,
)
from pincite.workbench.grid.grid_state import Kept, State, kept, now
from pincite.workbench.grid.spec import GridColumn, GridRow, Spec, grid_id
from pincite.workbench.library import AT_ONCE, Library, run_name

WORTH = 100
"""Cells from which a second process is worth its start."""


@dataclass(frozen=True, slots=True)
class GridProgress:
    """The progress of a run: cells done and in all, those kept from an earlier run, and the cell done last."""

    done: int
    total: int
    reused: int
    row: str = ""
    column: str = ""
    status: Status = "open"


@dataclass(frozen=True, slots=True)
class _Cell:
    """A cell to be answered, with the documents that can be reached for it and the digest of these and the reader."""

    row: GridRow
    column: GridColumn
    topic: str
    query: Query
    documents: Documents
    depends: str
    missing: str


def fill(
    spec: Spec,
    library: Library,
    tick: Callable[[GridProgress], None] = lambda progress: None,
    *,
    processes: int = 1,
    stop: Callable[[], bool] = lambda: False,
    answers: Answers | None = None,
) -> Grid:
    """Answer what is missing of a grid, and what may have changed since it was answered.

    A cell may have changed when a document that its search can reach is new, gone or another one, or when it is read by
    another version, recipe or model. `answers` answers them, where it is given. Without it and without a model, and with
    more than one of `processes`, rows are shared out among these: they open the corpus with the library's settings and recipe.
    When `stop` says so the run ends after the answers under way, and goes on next time. Raises CorpusBusy when this grid is being
    filled already, CorpusError when nothing can be written beside the corpus.
    """
    identity = grid_id(spec)
    with _alone(library.corpus.folder, identity) as state:
        before = state.cells()
        todo = _todo(spec, library, before)
        run = state.begin(spec, idle=not todo)
        total = len(spec.rows) * len(spec.columns)
        reused = done = total - len(todo)
        tick(GridProgress(done, total, reused))
        failed: dict[str, str] = {}
        for some in _answers(todo, library, processes, identity, answers):
            identities = iter(library.keep([answer for _, answer, _ in some if answer]))
            state.put([
                (cell.topic, _kept(cell, answer, next(identities), before.get(cell.topic), run))
                for cell, answer, _ in some if answer
            ])  # fmt: skip
            for cell, answer, failure in some:
                done += 1
                if answer is None:
                    failed[cell.topic] = failure
                status: Status = "failed" if answer is None else status_of(answer)
                tick(GridProgress(done, total, reused, cell.row.name, cell.column.name, status))
            if stop():
                break
        else:
            if not failed:
                state.finish()
        return load_grid(library.corpus.folder, identity, failed, done - reused - len(failed))


@contextmanager
def _alone(folder: Path, identity: str) -> Iterator[State]:
    """The kept answers of a grid that nobody else fills meanwhile. Raises CorpusBusy where somebody does."""
    from filelock import FileLock, Timeout

    with closing(State(folder, identity)) as state:
        try:
            with FileLock(folder / f"grid-{identity}.lock", timeout=0):
                yield state
        except Timeout as error:
            raise CorpusBusy(
                f"the grid {identity} is being filled by another process; try again when it is done"
            ) from error


def pending(spec: Spec, library: Library) -> int:
    """How many cells `fill` would answer."""
    from pincite.errors import UsageError

    try:
        *_, before = kept(library.corpus.folder, grid_id(spec))
    except UsageError:
        before = {}
    return len(_todo(spec, library, before))


def load_grid(
    folder: Path, identity: str, failed: Mapping[str, str] | None = None, answered: int = 0
) -> Grid:
    """A grid as it was last filled, with the reviews that are in force now; nothing is answered.

    `failed` are the reasons of cells that could not be answered just now, by topic, `answered` is how many were. Raises
    UsageError when there is no such grid.
    """
    spec, run, at, finished, before = kept(folder, identity)
    failed = failed or {}

    def load_cell(row: GridRow, column: GridColumn) -> Filled:
        query = spec.query(row, column)
        topic = topic_of(query)
        cell = Filled(row.name, column.name, topic, query, "open")
        if text := spec.given.get((row.name, column.name)):
            return given(cell, column, text)
        known = before.get(topic)
        if known is not None and topic not in failed:
            moved = known.moved if known.run == run else None
            cell = replace(cell, answer=known.answer, answer_id=known.answer_id, moved=moved)
        answer = known.answer if known is not None else None
        return filled(said.of(cell, answer), column.period, failed.get(topic, ""))

    with closing(_Reviewed(folder)) as said:
        cells = tuple(
            tuple(load_cell(row, column) for column in spec.columns) for row in spec.rows
        )
    return Grid(identity, spec, cells, at, run, finished, answered)


class _Reviewed:
    """What reviewers said of cells, and why a correction does not hold any more, for which the corpus is opened."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._corpus: Corpus | None = None
        self._said = reviews(folder)
        self._of: defaultdict[str, set[int]] = defaultdict(set)
        for number, review in enumerate(self._said):
            self._of[review.topic].add(number)
            self._of[asked_of(review.query)].add(number)

    def of(self, cell: Filled, answer: Answer | None) -> Filled:
        """A cell with what was said of it, or of the same question asked elsewhere, to which `answer` is kept."""
        numbers = set(self._of.get(cell.topic, ()))
        if answer is not None:
            numbers |= self._of.get(asked_of(answer.query), set())
        said = [self._said[number] for number in sorted(numbers)]
        force, unused = latest(said), ""
        if force is not None and force.action == "correct":
            self._corpus = self._corpus or Corpus(self._folder)
            query = answer.query if answer is not None else force.query
            unused = stale(self._corpus, force, query)
        return reviewed(cell, said, unused)

    def close(self) -> None:
        """Close the corpus."""
        if self._corpus is not None:
            self._corpus.close()


def _todo(spec: Spec, library: Library, before: Mapping[str, Kept]) -> list[_Cell]:
    """The cells that were never answered, or depend on something else now; of cells that ask the same, one."""
    scopes, reader = Scopes(library), reader_of(library)
    todo: dict[str, _Cell] = {}
    for row in spec.rows:
        scope = scopes.of(spec, row)
        digests: dict[tuple[str, ...], str] = {}
        for column in spec.columns:
            if (row.name, column.name) in spec.given:
                continue
            topic = topic_of(spec.query(row, column))
            query = scopes.query(spec, row, column, scope)
            if query.without not in digests:
                on = (reader, scope.missing, scope.documents, query.without)
                digests[query.without] = digest(on)
            depends, known = digests[query.without], before.get(topic)
            if known is None or known.depends != depends:
                found = scope.documents, depends, scope.missing
                todo[topic] = _Cell(row, column, topic, query, *found)
    return list(todo.values())


def _kept(cell: _Cell, answer: Answer, identity: str, before: Kept | None, run: int) -> Kept:
    moved = None
    if before is not None and before.run == run and before.moved is not None:
        moved = before.moved  # the run was stopped and went on, and the corpus changed once more
    elif before is not None:
        was = status_of(before.answer)
        other_value = value_to(before.answer.value) != value_to(answer.value)
        if other_value or was != status_of(answer):
            why = differing(before.documents, cell.documents)
            why = why or "read by another version, recipe or model"
            moved = Moved(headline(before.answer), was, before.at, why)
    return Kept(cell.depends, cell.documents, identity, answer, run, now(), moved)


_Some = list[tuple[_Cell, Answer | None, str]]


def _answers(
    todo: Sequence[_Cell], library: Library, processes: int, name: str, answers: Answers | None
) -> Iterator[_Some]:
    """Cells with their answers, or why one failed; those of a row together, since they read the same documents."""
    missing = [cell for cell in todo if cell.missing]
    if missing:
        yield [(cell, Answer(cell.query, "", None, reason=cell.missing), "") for cell in missing]
    asked = [cell for cell in todo if not cell.missing]
    if answers is not None or library.kit.large is not None:
        yield from _in_turn([asked], library, name, answers or answer_all)
    elif processes > 1 and len(asked) >= WORTH:
        yield from _shared_out(list(_parts(asked)), library, processes)
    else:
        yield from _in_turn(list(_parts(asked)), library, name, answer_all)


def _in_turn(
    parts: Sequence[list[_Cell]], library: Library, name: str, answers: Answers
) -> Iterator[_Some]:
    """Answer one part after the other in this process."""
    run = run_name(name)
    for part in parts:
        by_id = {cell.topic: cell for cell in part}
        questions = [(QuestionLine(cell.topic, cell.query.text), cell.query) for cell in part]
        for some in answers(questions, library, run):
            yield [
                (by_id[each.question.id], each.answer, str(each.failure or "")) for each in some
            ]


def _parts(asked: Sequence[_Cell]) -> Iterator[list[_Cell]]:
    """At most AT_ONCE cells of one row at a time: what a killed run can lose."""
    rows: dict[str, list[_Cell]] = {}
    for cell in asked:
        rows.setdefault(cell.row.name, []).append(cell)
    for row in rows.values():
        for start in range(0, len(row), AT_ONCE):
            yield row[start : start + AT_ONCE]


def _shared_out(parts: Sequence[list[_Cell]], library: Library, processes: int) -> Iterator[_Some]:
    """Answer the parts in processes of their own."""
    corpus = library.corpus
    pool = ProcessPoolExecutor(
        min(processes, len(parts)),
        get_context("spawn"),  # a forked process would share the threads of the encoder
        _open,
        (corpus.folder, library.settings, library.recipe, library.kit.stand_ins),
    )
    number, queries = corpus.generation.number, ([cell.query for cell in part] for part in parts)
    try:
        with safe_path():  # a process begins when it is given something to do
            futures = [pool.submit(_in_process, number, some) for some in queries]
        for part, future in zip(parts, futures, strict=True):
            yield [(cell, answer, "") for cell, answer in zip(part, future.result(), strict=True)]
    except BrokenProcessPool as error:
        raise CorpusError(
            "a process that was answering cells ended, most likely for want of memory; what was answered is kept: run the same "
            "command again, with nothing else running"
        ) from error
    finally:
        pool.shutdown(cancel_futures=True)


_library: Library


def _open(folder: Path, settings: Settings, recipe: Recipe, stand_ins: bool) -> None:
    """Open the corpus in a process of its own, which ends with the process that started it."""
    global _library
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the one that began it ends it

    def end_with_parent() -> None:
        if (parent := parent_process()) is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=end_with_parent, daemon=True).start()
    _library = Library(folder, settings, recipe=recipe, stand_ins=stand_ins)


def _in_process(generation: int, queries: Sequence[Query]) -> list[Answer]:
    if _library.corpus.generation.number != generation:
        why = "the corpus was indexed while the grid began; run the same command again"
        raise CorpusError(why)
    return list(_library.answer_many(queries))
