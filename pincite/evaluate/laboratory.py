"""An experiment run: every recipe over its questions, each question of each run once, whatever is killed meanwhile.

A run is a folder: `run.json` says what ran and what it took, `hits.jsonl`, `answers.jsonl` and `golds.jsonl` hold what was
found, said and wanted in the order of the questions, and are the same bytes whenever the same is run; `times.jsonl` tells
what each question took, searches counted in full that were shared with another run. Until a run is whole its questions are
kept in `.kept.sqlite` beside the runs. A finished run is made anew when the code, its stages, the corpus or the questions
are no longer what they were.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass, fields, replace
from datetime import datetime
from decimal import Decimal
from functools import reduce
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from filelock import FileLock, Timeout

from pincite import loop
from pincite.errors import BudgetSpent, ModelError, PinciteError, ReplyInvalid
from pincite.evaluate.experiment import CorpusOf, Experiment, Questions, Trial
from pincite.evaluate.machine import fingerprint, hardware, versions
from pincite.evaluate.record import write_lines
from pincite.evaluate.scope import Scope, within
from pincite.evaluate.shared import Rankings, leftmost, share, taking, times_used
from pincite.index.told import Told
from pincite.indexing import ensure, index
from pincite.ledger import Ledger, Spend, about, kept, metered
from pincite.library import AT_ONCE, Library, PageHit
from pincite.models.kit import LEDGER, kit_of
from pincite.ports import Kit
from pincite.record import record
from pincite.settings import Settings
from pincite.spell import spell
from pincite.stage import Stage
from pincite.types import Answer, Example, Plan, Query, Ranking

RUN = "run.json"
KEPT = ".kept.sqlite"
LOCK = ".lock"
FAILED = ".failed.json"
"""The file beside the runs that says which of them failed, and why."""
PLACES = 1
"""Questions worked on at the same time while others wait for a model."""
GIVEN_UP = 20
"""Questions in a row that no model could be reached for, after which a run fails."""

_SCHEMA = """
CREATE TABLE IF NOT EXISTS done (run TEXT, id TEXT, row TEXT NOT NULL, PRIMARY KEY (run, id)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS indexed (run TEXT PRIMARY KEY, seconds REAL NOT NULL) WITHOUT ROWID;
"""


class ExperimentBusy(PinciteError):
    """Another process is writing these runs."""

    retryable = True


class Progress(Protocol):
    """What is told while an experiment runs."""

    def __call__(self, run: str, done: int, total: int) -> None:
        """`done` of `total` questions of all runs, at work on `run`."""
        ...


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of an experiment: the folders of its runs in order, those that failed and why.

    `asked` questions were answered now, the others before; `searched` rankings that runs share were made now, and `shared`
    times one was taken instead of made.
    """

    runs: tuple[Path, ...]
    failed: Mapping[str, str]
    asked: int = 0
    searched: int = 0
    shared: int = 0


class Stages(NamedTuple):
    """What a recipe is composed of; `answer` None where only retrieval is wanted, `plan` and `joined` where it plans."""

    find: Stage[Query, Ranking]
    answer: Stage[Ranking, Answer] | None = None
    plan: Stage[Query, Plan] | None = None
    joined: Stage[Plan, Answer] | None = None

    @property
    def spelling(self) -> str:
        """All of them in one line."""
        return " | ".join(f"{name}: {spell(leftmost(one))}" for name, one in self._asdict().items() if one is not None)


def run_experiment(
    experiment: Experiment, out: Path, settings: Settings, kit: Kit | None = None, progress: Progress | None = None
) -> Outcome:
    """Run all that is not run yet, into folders of `out`. A run that fails is noted, and the others go on."""
    out.mkdir(parents=True, exist_ok=True)
    models = kit or kit_of(settings.models, out)
    try:
        with FileLock(out / LOCK, timeout=0):
            laboratory = Laboratory(
                experiment, out, settings, replace(models, stand_ins=experiment.stand_ins), progress
            )
            try:
                outcome = laboratory.run()
            finally:
                laboratory.close()
            if not outcome.failed:  # all of it stands in the folders of the runs
                for kept_file in out.glob(f"{KEPT}*"):
                    kept_file.unlink()
            return outcome
    except Timeout as error:
        raise ExperimentBusy(
            f"another process runs an experiment in {out}: wait for it, or give another --out"
        ) from error


class Laboratory:
    """An experiment under way."""

    def __init__(
        self, experiment: Experiment, out: Path, settings: Settings, kit: Kit, progress: Progress | None
    ) -> None:
        self.experiment, self.out, self.settings, self.kit = experiment, out, settings, kit
        self.rankings = Rankings(out / KEPT)
        self._done = kept(out / KEPT, _SCHEMA)
        self._progress = progress or (lambda run, done, total: None)
        self._folders: dict[str, Path] = {}
        self._code = fingerprint()
        self._units = _sha256(Path(settings.units)) if settings.units else ""
        self._examples: dict[str, list[Example]] = {}
        self._asked = self._over = self._total = 0

    def close(self) -> None:
        """Close the files."""
        self.rankings.close()
        self._done.close()

    def run(self) -> Outcome:
        """Run everything."""
        failed: dict[str, str] = {}
        used = self._used(failed)
        trials = [one for one in self.experiment.trials if one.name not in failed]
        self._total = sum(len(self._of(one.questions)) for one in trials)
        for trial in trials:
            before = self._over
            try:
                self._run(trial, used)
            except Exception as error:  # noqa: BLE001 - whatever one recipe does, the other runs are wanted
                failed[trial.name] = _said(error)
            self._over = before + len(self._of(trial.questions))
            self._progress(trial.name, self._over, self._total)
        self._note(failed)
        folders = tuple(self.out / one.name for one in self.experiment.trials if one.name not in failed)
        return Outcome(folders, failed, self._asked, self.rankings.made, self.rankings.found)

    def _note(self, failed: Mapping[str, str]) -> None:
        if failed:
            (self.out / FAILED).write_text(_json(failed), encoding="utf-8")
        else:
            (self.out / FAILED).unlink(missing_ok=True)

    # ---- what runs have in common

    def _used(self, failed: dict[str, str]) -> Mapping[str, Counter[str]]:
        """By corpus, in how many pipelines each stage stands; runs that cannot be composed are put among those that failed."""
        pipelines: dict[str, dict[str, list[Stage[Any, Any]]]] = {}
        for trial in self.experiment.trials:
            try:
                stages = self._stages(self._library(trial))
                self._of(trial.questions)
            except Exception as error:  # noqa: BLE001
                failed[trial.name] = _said(error)
                continue
            mine = [one for one in stages if one is not None]
            pipelines.setdefault(trial.questions.corpus.name, {})[spell(trial.recipe)] = mine
        return {
            corpus: times_used(stage for stages in recipes.values() for stage in stages)
            for corpus, recipes in pipelines.items()
        }

    def _stages(self, library: Library) -> Stages:
        recipe, corpus, kit = library.recipe, library.corpus, library.kit
        recipe.check(corpus, kit)
        find = recipe.find(corpus, kit)
        if not self.experiment.answers:
            return Stages(find)
        plan = recipe.plan(corpus, kit)
        joined = None if plan is None else recipe.joined(corpus, kit, self.settings)
        return Stages(find, recipe.answer(corpus, kit, self.settings), plan, joined)

    def _of(self, questions: Questions) -> list[Example]:
        if questions.name not in self._examples:
            self._examples[questions.name] = questions.read()
        return self._examples[questions.name]

    # ---- corpora

    def _folder(self, given: CorpusOf) -> Path:
        """The corpus's folder; one that is given as files is made or brought up to date first."""
        if given.name not in self._folders:
            folder = given.folder or self.out / ".corpora" / given.name
            if given.paths:
                index(given.paths, folder, (), metadata=given.metadata)
            self._folders[given.name] = folder
        return self._folders[given.name]

    def _library(self, trial: Trial) -> Library:
        return Library(self._folder(trial.questions.corpus), self.settings, self.kit, trial.recipe)

    def _ready(self, trial: Trial) -> tuple[Library, dict[str, Path], float]:
        """The corpus with the indexes of a run: their folders by spelling, and the seconds that the missing ones took."""
        library, started, seconds = self._library(trial), time.perf_counter(), 0.0
        shelves = trial.recipe.shelves(library.kit)
        # told texts change an index under the same spelling: what is there already is for `ensure` to say
        if ensure(library.corpus.folder, shelves)[0].number != library.corpus.generation.number:
            library, seconds = self._library(trial), time.perf_counter() - started
        place, named = library.corpus.folder / "shelves", library.corpus.generation.shelves
        return library, {spell(one): place / named[spell(one)] for one in shelves}, seconds

    # ---- one run

    def _run(self, trial: Trial, used: Mapping[str, Counter[str]]) -> None:
        library, folders, seconds = self._ready(trial)
        documents = _digest([[one.id, one.version, dict(one.meta)] for one in library.corpus.documents])
        stages = self._stages(library)
        held = [one.id for one in library.corpus.documents]
        asked = [(one, self._query(one, trial.scope, held)) for one in self._of(trial.questions)]
        golds = [{**one.meta["gold"], "id": one.id, "question": query.text} for one, query in asked]
        identity = _digest([
            self._code, stages.spelling, library.stand_ins, documents, sorted(one.name for one in folders.values()),
            self._units, self.experiment.k, [spell(query) for _, query in asked], golds,
        ])  # fmt: skip
        if seconds:
            self._put("indexed", (identity, seconds))
        if _is_whole(self.out / trial.name, identity, self.experiment.seed):
            return

        def key(spelling: str) -> str:
            within = sorted(place.name for shelf, place in folders.items() if shelf in spelling)
            return "\0".join((self._code, spelling, documents, *within))

        counted = used[trial.questions.corpus.name]
        bound = Stages(
            **{name: one and share(one, counted, self.rankings, key) for name, one in stages._asdict().items()}
        )
        self._ask(trial, identity, asked, bound, library)
        rows = self._rows(identity, [one.id for one, _ in asked])
        told = self._told(trial, identity, stages, library, list(folders.values()), rows)
        _write(self.out / trial.name, rows, golds, told)
        for table in ("done", "indexed"):
            self._done.execute(f"DELETE FROM {table} WHERE run = ?", (identity,))

    def _query(self, one: Example, scope: Scope, documents: Sequence[str]) -> Query:
        where = within(one, scope, documents)
        return replace(one.query, where=where, derived=self.settings.derived, silence=self.settings.silence)

    def _ask(
        self, trial: Trial, run: str, asked: Sequence[tuple[Example, Query]], stages: Stages, library: Library
    ) -> None:
        """Ask what is not asked yet, and keep what comes of it."""
        there = {row[0] for row in self._done.execute("SELECT id FROM done WHERE run = ?", (run,))}
        todo = [(one.id, query) for one, query in asked if one.id not in there]
        begun, now = self._over, len(there)
        self._progress(trial.name, begun + now, self._total)
        for made in self._made(trial, run, todo, stages, library):
            self._put("done", *((run, row["id"], json.dumps(row, ensure_ascii=False)) for row in made))
            now += len(made)
            self._asked += len(made)
            self._progress(trial.name, begun + now, self._total)

    def _made(
        self, trial: Trial, run: str, todo: Sequence[tuple[str, Query]], stages: Stages, library: Library
    ) -> Iterator[list[dict[str, Any]]]:
        """The rows of questions as they are done: without a model in batches, with one many at once."""
        if not any((self.kit.small, self.kit.large, self.kit.judge)):
            rest = iter(todo)
            while some := list(islice(rest, AT_ONCE)):
                yield self._batch(some, stages, library)
            return
        places = threading.Semaphore(PLACES)

        def one(question: tuple[str, Query]) -> list[dict[str, Any]]:
            with loop.working(places), about(question=question[0], run=f"{trial.name} {run}"):
                return self._batch([question], stages, library)

        yield from _at_once(one, todo, self.settings.models.concurrency)

    def _batch(self, some: Sequence[tuple[str, Query]], stages: Stages, library: Library) -> list[dict[str, Any]]:
        """Questions together: what was found and said, and what each took."""
        queries = [query for _, query in some]
        found, searching = _spent(lambda: _many(stages.find, queries))
        hits = [library.pages(one, self.experiment.k) for one in found]
        records: Sequence[dict[str, Any] | None] = [None] * len(some)
        answering = Spend()
        if stages.answer is not None:
            said, answering = _spent(lambda: _answers(stages, queries, found))
            kept_as = zip(said, library.keep(said), some, strict=True)
            records = [record(answer, named, identity) for answer, named, (identity, _) in kept_as]
        return [
            _row(identity, listed, said_as, searching, answering, len(some))
            for (identity, _), listed, said_as in zip(some, hits, records, strict=True)
        ]

    def _put(self, table: str, *rows: tuple[Any, ...]) -> None:
        marks = ", ".join("?" * len(rows[0]))
        self._done.execute("BEGIN IMMEDIATE")
        self._done.executemany(f"INSERT OR REPLACE INTO {table} VALUES ({marks})", rows)
        self._done.execute("COMMIT")

    def _rows(self, run: str, ids: Sequence[str]) -> list[dict[str, Any]]:
        held = dict(self._done.execute("SELECT id, row FROM done WHERE run = ?", (run,)).fetchall())
        return [json.loads(held[one]) for one in ids]

    def _told(
        self,
        trial: Trial,
        identity: str,
        stages: Stages,
        library: Library,
        folders: Sequence[Path],
        rows: Sequence[Any],
    ) -> dict[str, Any]:
        """What run.json says."""
        corpus = library.corpus
        (indexed,) = self._done.execute(
            "SELECT COALESCE(SUM(seconds), 0) FROM indexed WHERE run = ?", (identity,)
        ).fetchone()
        times = [row["times"] for row in rows]
        shelves = trial.recipe.shelves(library.kit)
        offline = (
            _offline(corpus.folder) if any(isinstance(view, Told) for one in shelves for view in one.views) else Spend()
        )
        tokens_in, tokens_out = (sum(one[name] for one in times) for name in ("tokens_in", "tokens_out"))
        return {
            "name": trial.name,
            "identity": identity,
            "set": trial.questions.name,
            "scope": str(trial.scope),
            "recipe": trial.recipe.name,
            "parameters": {one.name: _plain(getattr(trial.recipe, one.name)) for one in fields(trial.recipe)},  # type: ignore[arg-type]
            "spelling": " | ".join((spell(trial.recipe), *library.stand_ins)),
            "stages": stages.spelling,
            "stand_ins": list(library.stand_ins),
            "models": {role: one.name for role in ("small", "large", "judge") if (one := getattr(self.kit, role))},
            "k": self.experiment.k,
            "answers": self.experiment.answers,
            "seed": self.experiment.seed,
            "questions": {
                "file": trial.questions.path.name, "sha256": _sha256(trial.questions.path), "count": len(rows),
            },
            "corpus": {
                "name": trial.questions.corpus.name,
                "generation": corpus.generation.number,
                "documents": len(corpus.documents),
                "pages": sum(one.pages for one in corpus.documents),
                **_sizes(folders),
            },
            "seconds": {
                "index": round(indexed, 3),
                "search": round(sum(one["search_s"] for one in times), 3),
                "answer": round(sum(one["answer_s"] for one in times), 3),
            },
            "tokens": {
                "offline": offline.usage.input + offline.usage.output, "online": tokens_in + tokens_out,
                "input": tokens_in, "output": tokens_out,
            },
            "cost": {"offline": float(offline.cost), "online": float(sum(Decimal(one["cost"]) for one in times))},
            "versions": versions(),
            "hardware": hardware(),
            "date": f"{datetime.now():%Y-%m-%d %H:%M}",
        }  # fmt: skip


def _at_once(
    ask: Callable[[Any], list[dict[str, Any]]], todo: Sequence[Any], concurrency: int
) -> Iterator[list[dict[str, Any]]]:
    """What `ask` makes of each, in the order in which they end. Raises the last failure once all others are done, or when
    nothing but failures comes.
    """
    failure: ModelError | None = None
    in_a_row = failures = 0
    with ThreadPoolExecutor(concurrency + 4) as pool:
        futures = [pool.submit(ask, one) for one in todo]
        try:
            for future in as_completed(futures):
                try:
                    made = future.result()
                except ModelError as error:
                    failure, in_a_row, failures = error, in_a_row + 1, failures + 1
                    if isinstance(error, BudgetSpent) or in_a_row >= GIVEN_UP:
                        raise
                else:
                    in_a_row = 0
                    yield made
        except BaseException:
            for future in futures:
                future.cancel()
            loop.cancel()
            raise
    if failure is not None:
        raise type(failure)(
            f"{failures} of {len(todo)} questions failed, the same command asks them again; the last: {failure}"
        )


def _spent(work: Callable[[], list[Any]]) -> tuple[list[Any], Spend]:
    """What work makes and what it takes, the rankings that it gets ready-made counted as if it had made them."""
    started = time.perf_counter()
    with metered() as meter, taking() as taken:
        made = work()
    own = replace(meter.total, seconds=time.perf_counter() - started)
    return made, reduce(Spend.__add__, taken, own)


def _many(stage: Stage[Any, Any], given: Sequence[Any]) -> list[Any]:
    return [stage(given[0])] if len(given) == 1 else stage.map(given)


def _answers(stages: Stages, queries: Sequence[Query], found: Sequence[Ranking]) -> list[Answer]:
    """The answer to each query from what was found for it, or from its plan where that has several questions.

    A model whose replies fit no form has said nothing: the question is refused.
    """
    assert stages.answer is not None
    try:
        plans = [Plan(one, (one,)) for one in queries] if stages.plan is None else _many(stages.plan, queries)
        alone = [ranking for plan, ranking in zip(plans, found, strict=True) if len(plan.queries) == 1]
        said = iter(_many(stages.answer, alone) if alone else ())
        return [
            next(said) if len(plan.queries) == 1 or stages.joined is None else stages.joined(plan) for plan in plans
        ]
    except ReplyInvalid as error:
        if len(queries) > 1:
            raise
        return [Answer(queries[0], "", None, reason=str(error))]


def _row(
    identity: str, hits: Sequence[PageHit], answer: dict[str, Any] | None, search: Spend, say: Spend, n: int
) -> dict[str, Any]:
    """All that is kept of one question of `n` that were asked together."""
    return {
        "id": identity,
        "hits": [asdict(hit) for hit in hits],
        "answer": answer,
        "times": {
            "id": identity,
            "search_s": round(search.seconds / n, 5),
            "answer_s": round(say.seconds / n, 5),
            "tokens_in": (search.usage.input + say.usage.input) // n,
            "tokens_out": (search.usage.output + say.usage.output) // n,
            "cost": str((search.cost + say.cost) / n),
        },
    }


def _write(
    folder: Path, rows: Sequence[Mapping[str, Any]], golds: Sequence[Mapping[str, Any]], told: Mapping[str, Any]
) -> None:
    """Write a run's folder; it takes its place when all of it is there."""
    half = folder.with_name(f".{folder.name}.half")
    shutil.rmtree(half, ignore_errors=True)
    half.mkdir(parents=True)
    write_lines(half / "golds.jsonl", golds)
    write_lines(half / "hits.jsonl", [{"id": row["id"], "hits": row["hits"]} for row in rows])
    if told["answers"]:
        write_lines(half / "answers.jsonl", [row["answer"] for row in rows])
    write_lines(half / "times.jsonl", [row["times"] for row in rows])
    (half / RUN).write_text(_json(told), encoding="utf-8")
    shutil.rmtree(folder, ignore_errors=True)
    half.rename(folder)


def _is_whole(folder: Path, identity: str, seed: int) -> bool:
    """Whether a folder holds this run already; the seed that it is to be compared with is written anew when it is another."""
    try:
        told = json.loads((folder / RUN).read_text(encoding="utf-8"))
        whole = bool(told["identity"] == identity)
    except (OSError, ValueError, KeyError):
        return False
    if whole and told["seed"] != seed:
        (folder / RUN).write_text(_json({**told, "seed": seed}), encoding="utf-8")
    return whole


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def _offline(folder: Path) -> Spend:
    """What models took offline for a corpus."""
    if not (folder / LEDGER).is_file():
        return Spend()
    return reduce(Spend.__add__, (one for one in Ledger(folder / LEDGER).rows("offline") if one.offline), Spend())


def _sizes(folders: Sequence[Path]) -> dict[str, int]:
    """The entries and bytes of index folders together."""
    import numpy as np

    return {
        "entries": sum(len(np.load(one / "nodes.npy", mmap_mode="r")) for one in folders),
        "index_bytes": sum(path.stat().st_size for one in folders for path in one.rglob("*") if path.is_file()),
    }


def _digest(value: Any) -> str:
    return hashlib.blake2b(json.dumps(value, sort_keys=True, default=str).encode(), digest_size=12).hexdigest()


def _sha256(path: Path) -> str:
    """The hash of a question file, or of those files that lie directly in a folder of questions."""
    files = sorted(one for one in path.iterdir() if one.suffix in (".jsonl", ".csv")) if path.is_dir() else [path]
    digest = hashlib.sha256()
    for one in files:
        digest.update(one.read_bytes())
    return digest.hexdigest()


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(name): _plain(one) for name, one in value.items()}
    return [_plain(one) for one in value] if isinstance(value, tuple) else value


def _said(error: Exception) -> str:
    return str(error) if isinstance(error, PinciteError) else f"{type(error).__name__}: {error}"
