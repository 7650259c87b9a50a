"""An experiment run: every recipe over its questions, each question of each run once, even if the process is killed.

A run is a folder: `run.json` says what ran and what it took, `hits.jsonl`, `answers.jsonl` and `golds.jsonl` hold what was
found, said and wanted in the order of the questions, and are the same bytes whenever the same is run; `times.jsonl` tells what
each question took, searches counted in full that were shared with another run. Until a run is complete, its questions are kept
in `.kept.sqlite` beside the runs. A finished run is repeated when the code, its stages, the corpus or the questions have
changed.
"""

from __future__ import annotations

import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from pincite.errors import PinciteError
from pincite.formats.spell import spell
from pincite.indexing import ensure
from pincite.lab.experiments.composition import (
    Composed,
    FoundAndSaid,
    asked_on,
    at_once,
    compose,
    found_and_said,
    row,
)
from pincite.lab.experiments.environment import digest, fingerprint, sha256
from pincite.lab.experiments.experiment import CorpusOf, Experiment, Questions, Trial
from pincite.lab.experiments.found_chunks import found_chunks, window_views
from pincite.lab.experiments.model_axis import OWN_MODELS, ChosenModels, asked_at
from pincite.lab.experiments.question_scope import query_of
from pincite.lab.experiments.run_folder import described, is_whole, write_run, written
from pincite.lab.experiments.shared_rankings import Rankings, share, times_used
from pincite.lab.judging.judgements import judge_run
from pincite.lab.scoring.gold_chunks import gold_chunks
from pincite.models import loop
from pincite.models.kit import kit_of
from pincite.models.model_settings import ROLES
from pincite.ports import Kit, Model
from pincite.processes.cluster_address import parse_cluster
from pincite.processes.dask_cluster import Cluster, connected
from pincite.records.answer_record import record
from pincite.settings import Settings
from pincite.stage import Stage
from pincite.storage.disk import write
from pincite.storage.ledger import about, kept
from pincite.types import Example, Query, Ranking
from pincite.workbench.library import AT_ONCE, Library

KEPT = ".kept.sqlite"
LOCK = ".lock"
FAILED = ".failed.json"
"""The file beside the runs that says which of them failed, and why."""
PLACES = 1
"""Questions worked on at the same time while others wait for a model."""

_SCHEMA = """
CREATE TABLE IF NOT EXISTS done (run TEXT, id TEXT, row TEXT NOT NULL, PRIMARY KEY (run, id)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS indexed (run TEXT PRIMARY KEY, seconds REAL NOT NULL) WITHOUT ROWID;
"""


ExperimentProgress = Callable[[str, int, int], None]
"""Told while an experiment runs: the run at work, how much of all runs is done, and of how much."""


class ExperimentBusy(PinciteError):
    """Another process is writing these runs."""

    retryable = True


@dataclass(frozen=True, slots=True)
class ExperimentOutcome:
    """What became of an experiment: the folders of its runs in order, those that failed and why.

    `asked` questions were answered now, the others before; `searched` rankings that runs share were made now, and `shared`
    times one was taken instead of made.
    """

    runs: tuple[Path, ...]
    failed: Mapping[str, str]
    asked: int = 0
    searched: int = 0
    shared: int = 0


def run_experiment(
    experiment: Experiment,
    out: Path,
    settings: Settings,
    kit: Kit | None = None,
    progress: ExperimentProgress | None = None,
    on: str = "",
) -> ExperimentOutcome:
    """Run all that is not run yet, into folders of `out`. A run that fails is noted, and the others go on.

    `on` names the cluster whose workers answer questions that ask no model, each run its own searches.
    """
    with opened(experiment, out, settings, kit, progress, on) as laboratory:
        outcome = laboratory.run()
    if not outcome.failed:  # all of it stands in the folders of the runs
        for kept_file in out.glob(f"{KEPT}*"):
            kept_file.unlink()
    return outcome


@contextmanager
def opened(
    experiment: Experiment,
    out: Path,
    settings: Settings,
    kit: Kit | None = None,
    progress: ExperimentProgress | None = None,
    on: str = "",
) -> Iterator[Laboratory]:
    """The laboratory of an experiment, for this process alone. Raises ExperimentBusy while another has it."""
    out.mkdir(parents=True, exist_ok=True)
    models = replace(kit or kit_of(settings.models, out), stand_ins=experiment.stand_ins)
    try:
        work = connected(parse_cluster(on)) if on else nullcontext()
        with FileLock(out / LOCK, timeout=0), work as cluster:
            laboratory = Laboratory(experiment, out, settings, models, progress, cluster)
            try:
                yield laboratory
            finally:
                laboratory.close()
    except Timeout as error:
        raise ExperimentBusy(
            f"another process runs an experiment in {out}: wait for it, or give another --out"
        ) from error


class Laboratory:
    """An experiment under way."""

    def __init__(
        self,
        experiment: Experiment,
        out: Path,
        settings: Settings,
        kit: Kit,
        progress: ExperimentProgress | None,
        cluster: Cluster | None = None,
    ) -> None:
        self._cluster = cluster
        self.experiment, self.out = experiment, out
        self._models = {OWN_MODELS: (settings, kit)}
        self.rankings = Rankings(out / KEPT)
        self._done = kept(out / KEPT, _SCHEMA)
        self._progress = progress or (lambda run, done, total: None)
        self._folders: dict[str, Path] = {}
        self._code = fingerprint()
        self._units = sha256(Path(settings.units)) if settings.units else ""
        self._examples: dict[str, list[Example]] = {}
        self._chunked: dict[str, Mapping[str, Any]] = {}
        self._asked = self._over = self._total = 0

    def close(self) -> None:
        """Close the files."""
        self.rankings.close()
        self._done.close()

    def run(self) -> ExperimentOutcome:
        """Run everything."""
        failed: dict[str, str] = {}
        used = self._used(failed)
        trials = [trial for trial in self.experiment.trials if trial.name not in failed]
        self._total = sum(len(self.examples_of(trial.questions)) for trial in trials)
        for trial in trials:
            before = self._over
            try:
                self._run(trial, used)
            except Exception as error:  # noqa: BLE001 - whatever one recipe does, the other runs are wanted
                failed[trial.name] = _said(error)
            self._over = before + len(self.examples_of(trial.questions))
            self._progress(trial.name, self._over, self._total)
        (self.out / FAILED).unlink(missing_ok=True)
        if failed:
            write(self.out / FAILED, written(failed))
        names = (trial.name for trial in self.experiment.trials)
        folders = tuple(self.out / name for name in names if name not in failed)
        made, found = self.rankings.made, self.rankings.found
        return ExperimentOutcome(folders, failed, self._asked, made, found)

    # ---- what runs have in common

    def _used(self, failed: dict[str, str]) -> Mapping[str, Counter[str]]:
        """By corpus, in how many pipelines each stage stands; runs that cannot be composed are put among those that failed."""
        pipelines: dict[str, dict[str, tuple[Stage[Any, Any], ...]]] = {}
        for trial in self.experiment.trials:
            try:
                composed = compose(self._library(trial), self.experiment.answers)
                self.examples_of(trial.questions)
            except Exception as error:  # noqa: BLE001
                failed[trial.name] = _said(error)
                continue
            own = pipelines.setdefault(trial.questions.corpus.name, {})
            own[f"{trial.models.name} {spell(trial.recipe)}"] = composed.parts
        return {
            corpus: times_used(stage for stages in recipes.values() for stage in stages)
            for corpus, recipes in pipelines.items()
        }

    def examples_of(self, questions: Questions) -> list[Example]:
        """The questions of a set, read once."""
        if questions.name not in self._examples:
            self._examples[questions.name] = questions.read()
        return self._examples[questions.name]

    # ---- corpora

    def folder_of(self, given: CorpusOf) -> Path:
        """The corpus's folder; one that is given as files is made or brought up to date first."""
        if given.name not in self._folders:
            self._folders[given.name] = given.made(self.out / ".corpora")
        return self._folders[given.name]

    def models_of(self, chosen: ChosenModels) -> tuple[Settings, Kit]:
        """The settings and the kit with the models that a run is made with."""
        if chosen not in self._models:
            own, kit = self._models[OWN_MODELS]
            settings = chosen.settings(own)
            made = kit_of(settings.models, self.out)
            self._models[chosen] = settings, replace(made, stand_ins=kit.stand_ins)
        return self._models[chosen]

    def _library(self, trial: Trial) -> Library:
        settings, kit = self.models_of(trial.models)
        return Library(self.folder_of(trial.questions.corpus), settings, kit, trial.recipe)

    def _ready(self, trial: Trial) -> tuple[Library, dict[str, Path], float]:
        """The corpus with the indexes of a run: their folders by spelling, and the seconds that the missing ones took."""
        library, started, seconds = self._library(trial), time.perf_counter(), 0.0
        shelves = trial.recipe.shelves(library.kit)
        # told texts change an index under the same spelling: what is there already is for `ensure` to say
        if ensure(library.corpus.folder, shelves)[0].number != library.corpus.generation.number:
            library, seconds = self._library(trial), time.perf_counter() - started
        place, named = library.corpus.folder / "shelves", library.corpus.generation.shelves
        return library, {spell(shelf): place / named[spell(shelf)] for shelf in shelves}, seconds

    # ---- one run

    def _run(self, trial: Trial, used: Mapping[str, Counter[str]]) -> None:
        library, folders, seconds = self._ready(trial)
        listed = library.corpus.documents
        documents = digest([[each.id, each.version, dict(each.meta)] for each in listed])
        composed = compose(library, self.experiment.answers)
        held = [document.id for document in listed]
        asked = [
            (example, query_of(library, example, trial.scope, held))
            for example in self.examples_of(trial.questions)
        ]
        golds = [
            {**wanted.meta["gold"], "id": wanted.id, "question": query.text}
            for wanted, query in asked
        ]
        identity = digest([
            self._code, composed.spelling, library.stand_ins, documents, sorted(path.name for path in folders.values()),
            self._units, self.experiment.k, [spell(query) for _, query in asked], golds, asked_at(library, composed.spelling),
        ])  # fmt: skip
        if seconds:
            self._put("indexed", (identity, seconds))
        made = self.experiment
        anew = {"seed": made.seed, "mean": made.mean, "variant": trial.variant}
        if is_whole(self.out / trial.name, identity, anew):
            self._judge(trial, library)
            return

        def key(spelling: str) -> str:
            within = sorted(place.name for shelf, place in folders.items() if shelf in spelling)
            return "\0".join(
                (self._code, spelling, documents, *within, *asked_at(library, spelling))
            )

        counted = used[trial.questions.corpus.name]
        bound = composed.bound(lambda stage: share(stage, counted, self.rankings, key))
        self._chunked = {gold["id"]: gold for gold in golds if gold_chunks(gold)}
        self._ask(trial, identity, asked, bound, library)
        rows = self._rows(identity, [wanted.id for wanted, _ in asked])
        (seconds,) = self._done.execute(
            "SELECT COALESCE(SUM(seconds), 0) FROM indexed WHERE run = ?", (identity,)
        ).fetchone()
        told = described(
            made, trial, identity, composed.spelling, library, [*folders.values()], rows, seconds
        )
        write_run(self.out / trial.name, rows, golds, told)
        for table in ("done", "indexed"):
            self._done.execute(f"DELETE FROM {table} WHERE run = ?", (identity,))
        self._judge(trial, library)

    def _judge(self, trial: Trial, library: Library) -> None:
        """Have the answers of a run judged, where there is a judge and they are not judged yet."""
        if self.experiment.answers and (model := self._judging()) is not None:
            judge_run(self.out / trial.name, model, library.corpus)

    def _judging(self) -> Model | None:
        """The model that judges answers: that of the file, else the one that is set as judge; None without any."""
        chosen = self.experiment.judge
        own, kit = self._models[OWN_MODELS]
        if chosen is None or chosen == OWN_MODELS:
            return kit.judge if chosen and own.models.judge else None
        key = replace(chosen, name="\0judge")  # a model of the axis may be called "judge"
        if key not in self._models:
            settings = chosen.judging(own)
            self._models[key] = settings, kit_of(settings.models, self.out)
        return self._models[key][1].model("judge")

    def _ask(
        self,
        trial: Trial,
        run: str,
        asked: Sequence[tuple[Example, Query]],
        composed: Composed,
        library: Library,
    ) -> None:
        """Ask what is not asked yet, and keep what comes of it."""
        there = {row[0] for row in self._done.execute("SELECT id FROM done WHERE run = ?", (run,))}
        todo = [(example.id, query) for example, query in asked if example.id not in there]
        begun, now = self._over, len(there)
        self._progress(trial.name, begun + now, self._total)
        for made in self._made(trial, run, todo, composed, library):
            rows = ((run, row["id"], json.dumps(row, ensure_ascii=False)) for row in made)
            self._put("done", *rows)
            now += len(made)
            self._asked += len(made)
            self._progress(trial.name, begun + now, self._total)

    def _made(
        self,
        trial: Trial,
        run: str,
        todo: Sequence[tuple[str, Query]],
        composed: Composed,
        library: Library,
    ) -> Iterator[list[dict[str, Any]]]:
        """The rows of questions as they are done: without a model in batches, with one many at once."""
        if not any(getattr(library.kit, role) for role in ROLES):
            parts = [todo[start : start + AT_ONCE] for start in range(0, len(todo), AT_ONCE)]
            if self._cluster is None:
                yield from (self._batch(some, composed, library) for some in parts)
            else:
                told = asked_on(self._cluster, library, self.experiment.answers, parts)
                yield from (self._rows_of(some, made, composed, library) for some, made in told)
            return
        places = threading.Semaphore(PLACES)

        def lines_of(question: tuple[str, Query]) -> list[dict[str, Any]]:
            with loop.working(places), about(question=question[0], run=f"{trial.name} {run}"):
                return self._batch([question], composed, library)

        yield from at_once(lines_of, todo, library.settings.models.concurrency)

    def _batch(
        self, some: Sequence[tuple[str, Query]], composed: Composed, library: Library
    ) -> list[dict[str, Any]]:
        """Questions asked together, here."""
        told = found_and_said(composed, [query for _, query in some])
        return self._rows_of(some, told, composed, library)

    def _rows_of(
        self,
        some: Sequence[tuple[str, Query]],
        told: FoundAndSaid,
        composed: Composed,
        library: Library,
    ) -> list[dict[str, Any]]:
        """What is kept of questions that were asked together."""
        hits = [library.pages(ranking, self.experiment.k) for ranking in told.found]
        records: Sequence[dict[str, Any] | None] = [None] * len(some)
        if told.said is not None:
            kept_as = zip(told.said, library.keep(told.said), some, strict=True)
            records = [record(answer, named, identity) for answer, named, (identity, _) in kept_as]
        chunks = self._chunks([identity for identity, _ in some], told.found, composed, library)
        took = told.searching, told.answering, len(some)
        return [
            row(identity, listed, said_as, *took, chunks.get(identity))
            for (identity, _), listed, said_as in zip(some, hits, records, strict=True)
        ]

    def _chunks(
        self, ids: Sequence[str], found: Sequence[Ranking], composed: Composed, library: Library
    ) -> dict[str, list[str]]:
        """What was found for those questions whose gold is chunks, as chunks; nothing where the recipe finds none."""
        views = window_views(library, spell(composed.find)) if self._chunked else ()
        if not views:
            return {}
        return {
            key: found_chunks(library, views, ranking, self._chunked[key], self.experiment.k)
            for key, ranking in zip(ids, found, strict=True)
            if key in self._chunked
        }

    def _put(self, table: str, *rows: tuple[Any, ...]) -> None:
        marks = ", ".join("?" * len(rows[0]))
        self._done.execute("BEGIN IMMEDIATE")
        self._done.executemany(f"INSERT OR REPLACE INTO {table} VALUES ({marks})", rows)
        self._done.execute("COMMIT")

    def _rows(self, run: str, ids: Sequence[str]) -> list[dict[str, Any]]:
        held = dict(self._done.execute("SELECT id, row FROM done WHERE run = ?", (run,)))
        return [json.loads(held[key]) for key in ids]


def _said(error: Exception) -> str:
    return str(error) if isinstance(error, PinciteError) else f"{type(error).__name__}: {error}"
