"""Work that takes longer than a request: indexing, removing, batches, grids, each in its own process, which reports progress."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import pickle
import platform
import secrets
import signal
from collections import defaultdict
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, nullcontext, suppress
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path
from typing import Any, Literal

from pydantic import TypeAdapter

from pincite.errors import CorpusError
from pincite.processes.worker import python
from pincite.serve.corpora import Served
from pincite.serve.door.caller_limits import JOBS
from pincite.serve.door.problems import Problem, missing
from pincite.storage import address_of
from pincite.storage.disk import write
from pincite.storage.file_copies import fetch_files, keep_files, kept_names
from pincite.untrusted import inside, own

State = Literal["queued", "running", "done", "failed", "stopped"]
FOLDER = "jobs"
HOST = platform.node()
AT_ONCE = 2  # jobs that run at the same time; one that writes the corpus runs alone in it
WRITERS = ("index", "remove", "edit")
QUIET_S = 15
"""Seconds after which a follower of a job is sent its state again, so that a lost connection is noticed."""
SILENT_S = 1800.0
"""A job that reports nothing for so long is ended, except those that write the corpus: these bound their own work."""
KEPT = 500  # jobs of a corpus that are remembered
_ENDED = ("done", "failed", "stopped")


@dataclass(frozen=True, slots=True)
class Job:
    """Something under way or over: `done` of `total` of its `phase`, then `result` or `error`."""

    id: str
    kind: str
    corpus: str
    title: str
    by: str
    at: str
    state: State = "queued"
    phase: str = ""
    done: float = 0
    total: float = 0
    note: str = ""
    files: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Of each file that is read or was: its pages so far, and whether these are all."""
    ended: str = ""
    error: str = ""
    result: dict[str, Any] = field(default_factory=dict)
    key: str = ""
    order_hash: str = ""
    host: str = ""

    @property
    def over(self) -> bool:
        """Whether nothing more will happen."""
        return self.state in _ENDED


_JOB = TypeAdapter(Job)


class Jobs:
    """The jobs of all corpora, each kept in a folder of its own in that of its corpus."""

    def __init__(self, corpora: Mapping[str, Served]) -> None:
        self._corpora = corpora
        self._jobs: dict[str, Job] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._orders: dict[str, dict[str, Any]] = {}
        self._changed = asyncio.Condition()
        self._room = asyncio.Semaphore(AT_ONCE)
        self._writing = defaultdict[str, asyncio.Lock](asyncio.Lock)
        for served in corpora.values():
            self.recall(served)

    def recall(self, served: Served) -> None:
        """Know the jobs that are kept with a corpus."""
        fetch_jobs(served.folder)
        found = (served.folder / FOLDER).glob("*/job.json")
        kept = [path for path in found if path.is_file() and not path.is_symlink()]
        kept.sort(key=lambda path: path.stat().st_mtime)
        for path in kept[-KEPT:]:
            try:
                job = _JOB.validate_json(path.read_bytes(), strict=True)
            except (OSError, ValueError):
                continue
            if job.id != path.parent.name:  # somebody else wrote it: an id is a folder's name
                continue
            if not job.over and job.host == HOST:
                why = "the server was stopped; start it again to resume"
                job = replace(job, state="stopped", error=why)
            self._jobs[job.id] = replace(job, corpus=served.name)

    def start(
        self, served: Served, kind: str, title: str, by: str, order: dict[str, Any], key: str = ""
    ) -> Job:
        """Begin a job, or go on with one of the same order and caller that was stopped or failed; with the `key` of one that the
        same caller began, that one. Problem 422 when that was another order, 429 when too many are waiting.
        """
        text = json.dumps([kind, order], sort_keys=True)
        digest = blake2b(text.encode(), digest_size=16).hexdigest()
        own_jobs = [job for job in self.of(served.name) if job.by == by]
        if known := next((job for job in own_jobs if key and job.key == key), None):
            if known.order_hash != digest:
                raise Problem(
                    422, "this Idempotency-Key was used for another request: choose a new one"
                )
            return known
        if sum(not job.over for job in self.of(served.name)) >= JOBS:
            why = "too many jobs are waiting: start this one when some are done"
            raise Problem(429, why, {"Retry-After": "30"})
        same = (job for job in own_jobs if job.order_hash == digest)
        unfinished = (job.id for job in same if job.over and job.state != "done")
        job = Job(
            next(unfinished, secrets.token_hex(6)), kind, served.name, title, by, _now(),
            key=key, order_hash=digest, host=HOST,
        )  # fmt: skip
        own(served.folder / FOLDER)
        self.folder(job).mkdir(parents=True, exist_ok=True)
        self._put(job, keep=True)
        self._orders[job.id] = order
        self._tasks[job.id] = asyncio.create_task(self._run(served, job, order))
        return job

    def order(self, job: Job) -> dict[str, Any] | None:
        """What a job was to do, so that it can be started again; None for one of an earlier server."""
        return self._orders.get(job.id)

    def forget(self, corpus: str) -> None:
        """Know the jobs of a corpus no more."""
        for job in self.of(corpus):
            del self._jobs[job.id]

    def of(self, corpus: str) -> list[Job]:
        """The jobs of a corpus, the latest first."""
        own = (job for job in self._jobs.values() if job.corpus == corpus)
        return sorted(own, key=lambda job: job.at, reverse=True)

    def get(self, corpus: str, identity: str) -> Job:
        """One job; Problem 404 when there is none."""
        job = self._jobs.get(identity)
        if job is None or job.corpus != corpus:
            raise missing(f"job {identity!r}")
        return job

    def folder(self, job: Job) -> Path:
        """Where a job keeps what it makes."""
        return self._corpora[job.corpus].folder / FOLDER / job.id

    def file(self, job: Job) -> Path:
        """The file that a job made; Problem 404 when there is none. Jobs are told by files, which may come from a stranger."""
        name = job.result.get("file")
        with suppress(CorpusError):
            if isinstance(name, str):
                path = inside(self.folder(job), name)
                fetch_files(self._corpora[job.corpus].folder, f"{FOLDER}/{job.id}/{name}")
                if path.is_file():
                    return path
        raise missing(f"file of job {job.id!r}")

    async def follow(self, job: Job) -> AsyncIterator[Job]:
        """A job each time that something has happened to it, or nothing for QUIET_S, until it is over."""
        seen = self._jobs[job.id]
        yield seen
        while not seen.over:
            try:
                async with asyncio.timeout(QUIET_S), self._changed:
                    while self._jobs[job.id] == seen:
                        await self._changed.wait()
            except TimeoutError:
                pass
            seen = self._jobs[job.id]
            yield seen

    async def stop(self, job: Job) -> Job:
        """Stop a job; what it has done stays done."""
        task = self._tasks.get(job.id)
        if task is not None:
            task.cancel()
            await asyncio.wait([task])
        return self._jobs[job.id]

    async def close(self) -> None:
        """Stop all jobs."""
        for task in self._tasks.values():
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks.values(), timeout=10)

    async def _run(self, served: Served, job: Job, order: dict[str, Any]) -> None:
        alone: AbstractAsyncContextManager[None] = nullcontext()
        if job.kind in WRITERS:
            alone = self._writing[served.name]
        try:
            async with alone, self._room:
                job = await self._work(served, job, order)
        except asyncio.CancelledError:
            why = "stopped; start it again to resume"
            job = replace(self._jobs[job.id], state="stopped", error=why)
        except Exception as error:
            why = f"the job ended unexpectedly: {type(error).__name__}"
            job = replace(self._jobs[job.id], state="failed", error=why)
        self._tasks.pop(job.id, None)
        await self._tell(replace(job, ended=_now()), keep=True)

    async def _work(self, served: Served, job: Job, order: dict[str, Any]) -> Job:
        """Run the process of a job to its end; the job as it then is."""
        job = await self._tell(replace(job, state="running"))
        process = await asyncio.create_subprocess_exec(
            *python("-m", "pincite.serve.processes.work"), stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
            start_new_session=True, limit=2**24,
        )  # fmt: skip
        assert process.stdin is not None and process.stdout is not None
        try:
            whole = {
                "kind": job.kind, "folder": str(served.folder), "order": order, "out": str(self.folder(job)),
                "setup": base64.b64encode(pickle.dumps(served.setup)).decode(),
            }  # fmt: skip
            process.stdin.write(json.dumps(whole).encode() + b"\n")
            process.stdin.close()
            while True:
                async with asyncio.timeout(None if job.kind in WRITERS else SILENT_S):
                    line = await process.stdout.readline()
                if not line:
                    break
                job = await self._hear(served, job, json.loads(line))
            await process.wait()
        except TimeoutError:
            error = f"the job reported nothing for {SILENT_S / 60:g} minutes and was ended"
            job = replace(job, state="failed", error=error)
        finally:
            if process.returncode is None:
                how = signal.SIGKILL if job.state == "failed" else signal.SIGTERM
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, how)
                await process.wait()
        if job.state == "failed":
            return job
        if process.returncode != 0:
            error = "the job's process ended unexpectedly; start it again to resume"
            return replace(job, state="failed", error=error)
        await asyncio.to_thread(served.refresh)  # who is told that it is done finds it done
        return replace(job, state="done")

    async def _hear(self, served: Served, job: Job, told: dict[str, Any]) -> Job:
        """The job after a line of its process: that it failed, its result, or its progress, which followers are told."""
        if "error" in told:
            detail = str(told["error"]).replace(f"{self.folder(job)}/", "")
            detail = detail.replace(str(served.folder), served.name)
            return replace(job, state="failed", error=detail)
        if "result" in told:
            return replace(job, result=told["result"])
        return await self._tell(replace(job, **told))

    def _put(self, job: Job, keep: bool = False) -> None:
        self._jobs[job.id] = job
        if keep:
            write(self.folder(job) / "job.json", json.dumps(asdict(job)))
            keep_files(self._corpora[job.corpus].folder, [f"{FOLDER}/{job.id}"])

    async def _tell(self, job: Job, keep: bool = False) -> Job:
        """Tell followers of a job as it now is."""
        self._put(job, keep)
        async with self._changed:
            self._changed.notify_all()
        return job


def fetch_jobs(folder: Path) -> None:
    """Copy what is known of the jobs of all servers of a corpus to its cache; nothing for the folder of a corpus."""
    if address_of(folder):
        for name in kept_names(folder, f"{FOLDER}/"):
            if name.endswith("/job.json"):
                fetch_files(folder, name, changing=True)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
