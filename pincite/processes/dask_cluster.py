"""Tasks on the workers of a Dask cluster, each done once whatever ends meanwhile: a worker, the scheduler, the connection.

A task holds all that it needs, so that any worker can do it again. No more tasks are on their way than keep the workers busy: the
rest stays here, as do all results once they are fetched.
"""

from __future__ import annotations

import logging
import queue
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from tempfile import TemporaryDirectory
from typing import Any, Generic, TypeVar

from pincite import __version__
from pincite.errors import ClusterError, NetworkForbidden, UsageError
from pincite.processes.cluster_address import ClusterAddress
from pincite.processes.offline import forbidden
from pincite.processes.worker import safe_path

T = TypeVar("T")
R = TypeVar("R")
_Events = Mapping[str, Callable[[Any], None]]

TRIES = 2
"""How often a task may end its worker, or what it is done by, before it is set aside."""
AWAY_S = 120.0
"""How long to wait for a scheduler that went away, and for a first worker."""
ANSWER_S = 30.0
"""How long to wait for a scheduler's first answer."""
AHEAD = 2
"""Tasks on their way for each thread of a worker: one is done while the next is sent."""
_LOOK_S = 2.0  # how often the workers are counted
_INSTALL = "pip install 'pincite[cluster]'"
_CERTIFICATES = {
    "tls_ca_file": "DASK_DISTRIBUTED__COMM__TLS__CA_FILE",
    "tls_client_cert": "DASK_DISTRIBUTED__COMM__TLS__CLIENT__CERT",
    "tls_client_key": "DASK_DISTRIBUTED__COMM__TLS__CLIENT__KEY",
}
"""What a client must have of its own to be known by a scheduler: Dask's settings, and the variables that set them."""
_CONFIG = {
    "distributed.admin.large-graph-warning-threshold": "1TiB",  # a file travels within its task
    "distributed.scheduler.allowed-failures": 0,  # of workers of this machine: we count the tries
    "distributed.worker.profile.enabled": False,  # of those too: it looks at every thread 100 times a second
    "distributed.admin.tick.interval": "500ms",  # of all: by default each wakes 50 times a second
}


class TaskLost(ClusterError):
    """A task ended the workers that did it."""


@dataclass(slots=True)
class _Flight(Generic[T]):
    """A task under way: what it is given, and how many workers it has ended."""

    given: T
    ended: int = 0


@dataclass(eq=False, slots=True)
class Cluster:
    """A cluster under way. `note` is told what it waits for, "" when it goes on."""

    client: Any
    name: str
    note: Callable[[str], None] = lambda said: None
    waits: bool = False
    _numbers: Iterator[int] = field(default_factory=count)

    def each(
        self,
        work: Callable[[T], R],
        tasks: Iterable[T],
        events: _Events | None = None,
    ) -> Iterator[tuple[T, R | TaskLost]]:
        """Do `work` for every task, yielding each with its result, in the order they finish.

        `work` is a function of a module that the workers have. The result of a task at which TRIES workers ended is TaskLost.
        What workers tell by `tell` goes to the function in `events` of that name, in the thread of the caller. Raises
        ClusterError when workers or scheduler stay away, or when `work` itself fails.
        """
        run = _Run(self, work, iter(tasks))
        with _subscribed(self.client, events or {}) as told:
            try:
                while run.sends():
                    yield from run.finished()
                    told()
            finally:
                run.cancel()

    def submit(self, work: Callable[[T], R], given: T) -> Any:
        """The future of one task."""
        key = f"{work.__name__}-{next(self._numbers)}-{time.time_ns():x}"
        return self.client.submit(work, given, key=key, pure=False)

    def wait(self, waits: bool) -> None:
        """Note it when a wait begins or ends."""
        if waits != self.waits:
            self.waits = waits
            self.note(f"for the workers of {self.name}" if waits else "")

    def threads(self) -> int:
        """How many tasks the workers can do at the same time."""
        try:
            return sum(self.client.nthreads().values())
        except (OSError, TimeoutError, ValueError, RuntimeError):  # it is not connected just now
            return 0
        except AttributeError:  # it was closed: a client without a scheduler has none to ask
            if self.client.scheduler is None:
                return 0
            raise


class _Run(Generic[T, R]):
    """The tasks of one call of `each`."""

    def __init__(self, cluster: Cluster, work: Callable[[T], R], tasks: Iterator[T]) -> None:
        self.cluster, self.work, self.tasks = cluster, work, tasks
        self.again: deque[_Flight[T]] = deque()
        self.flying: dict[Any, _Flight[T]] = {}
        self.ended: queue.SimpleQueue[Any] = queue.SimpleQueue()  # of those, done or lost
        self.threads = 0
        self.counted = self.seen = time.monotonic()

    def sends(self) -> bool:
        """Send tasks as long as there is room; whether anything is under way.

        Tasks that have ended a worker are sent when no other is left to send: they might end those too.
        """
        self._count_workers()
        while len(self.flying) < max(1, AHEAD * self.threads):
            if (given := next(self.tasks, None)) is not None:
                flight = _Flight(given)
            elif self.again:
                flight = self.again.popleft()
            else:
                break
            future = self.cluster.submit(self.work, flight.given)
            self.flying[future] = flight
            future.add_done_callback(self.ended.put)
        return bool(self.flying)

    def _count_workers(self) -> None:
        """Count the workers now and then. Raises ClusterError when there were none for long."""
        now = time.monotonic()
        if self.threads and now - self.counted < _LOOK_S:
            return
        self.threads, self.counted = self.cluster.threads(), now
        if self.threads:
            self.seen = now
            self.cluster.wait(False)
        elif now - self.seen > AWAY_S or self.cluster.client.status == "closed":
            raise ClusterError(
                f"the cluster {self.cluster.name} has had no scheduler or no worker for {now - self.seen:.0f} s. What was done "
                "is stored: see that both run, then give the same command again"
            )
        else:
            self.cluster.wait(True)

    def finished(self) -> Iterator[tuple[T, R | TaskLost]]:
        """The next task that has finished, if one does within a moment."""
        try:
            future = self.ended.get(timeout=_LOOK_S / 2)
        except queue.Empty:
            return
        flight = self.flying.pop(future)
        made = self._result_of(future, flight)
        future.release()
        if made is None:
            self.again.append(flight)
        else:
            yield flight.given, made

    def _result_of(self, future: Any, flight: _Flight[T]) -> R | TaskLost | None:
        """What a future gives; None when the task must be done again."""
        from concurrent.futures import CancelledError

        from distributed import KilledWorker
        from distributed.client import FutureCancelledError
        from distributed.comm.core import CommClosedError

        try:
            made: R = future.result(timeout=AWAY_S)
            return made
        except (CancelledError, FutureCancelledError, CommClosedError, TimeoutError, OSError):
            return None  # the scheduler went away, or the worker that had the result
        except KilledWorker:
            flight.ended += 1
            if flight.ended < TRIES:
                return None
            return TaskLost(f"{flight.ended} workers ended while they worked on it")
        except Exception as error:  # whatever a worker raised: that it lacks our package, say
            raise ClusterError(
                f"the workers of {self.cluster.name} cannot do their tasks ({type(error).__name__}: {error}): they must have the "
                "same version of pincite with the same extras as this machine"
            ) from error

    def cancel(self) -> None:
        """Let go of what is under way."""
        with suppress(Exception):
            self.cluster.client.cancel(list(self.flying), force=True)
        self.flying.clear()


@contextmanager
def _subscribed(client: Any, events: _Events) -> Iterator[Callable[[], None]]:
    """What hands on what workers have told since it was called last."""
    told: deque[tuple[str, Any]] = deque()
    for topic in events:
        client.subscribe_topic(topic, lambda event, topic=topic: told.append((topic, event[1])))

    def hand_on() -> None:
        while told:
            topic, said = told.popleft()
            events[topic](said)

    try:
        yield hand_on
    finally:
        for topic in events:
            with suppress(Exception):
                client.unsubscribe_topic(topic)


def tell(topic: str, said: Any) -> None:
    """On a worker: tell the one who gave the task, by chance never."""
    from distributed import get_worker

    with suppress(ValueError):
        get_worker().log_event(topic, said)


@contextmanager
def connected(
    address: ClusterAddress, note: Callable[[str], None] = lambda said: None
) -> Iterator[Cluster]:
    """The cluster at an address; one of this machine is started, and ends with the block.

    Raises UsageError where Dask or a certificate is missing, ClusterError when no scheduler answers.
    """
    if forbidden():
        raise NetworkForbidden(
            "--on needs sockets, also on this machine, and --offline forbids them"
        )
    try:
        import dask
        import distributed  # noqa: F401
    except ImportError as error:
        raise UsageError(f"--on needs Dask, which is not installed: {_INSTALL}") from error
    with ExitStack() as stack:
        stack.enter_context(dask.config.set(_CONFIG))
        for name in list(logging.root.manager.loggerDict):  # each has a level of its own
            if name.partition(".")[0] in ("distributed", "tornado", "asyncio"):
                logger = logging.getLogger(name)
                stack.callback(logger.setLevel, logger.level)
                logger.setLevel(logging.CRITICAL)  # what matters of it, we say
        place: Any = str(address)
        security = _security(address)
        if address.workers:
            place, security = stack.enter_context(_local_cluster(address.workers)), None
        client = stack.enter_context(_client(place, address, security))
        client._timeout = AWAY_S
        yield Cluster(client, str(address), note)


def _check_versions(client: Any, name: str) -> None:
    """Raise ClusterError where a worker has no package of ours, or another version of it: it could not read its tasks."""
    found = client.get_versions(packages=["pincite"])["workers"]
    for worker, held in found.items():
        if (version := held["packages"].get("pincite")) != __version__:
            raise ClusterError(
                f"the worker {worker} of {name} has {f'pincite {version}' if version else 'no pincite'}, and this machine "
                f"{__version__}: install the same version with the same extras there"
            )


@contextmanager
def _client(place: Any, address: ClusterAddress, security: Any) -> Iterator[Any]:
    """A client of the scheduler at a place, which is asked again as long as it may be starting."""
    from distributed import Client

    patience = AWAY_S if address.workers else ANSWER_S
    deadline = time.monotonic() + patience
    client = None
    try:
        while True:
            try:
                client = Client(place, timeout=patience, security=security, set_as_default=False)
                _check_versions(client, str(address))
                break
            except (OSError, TimeoutError) as error:
                _close(client)
                if time.monotonic() > deadline:
                    raise ClusterError(
                        f"no scheduler answers at {address} ({type(error).__name__}): see that it runs there, and by TLS that "
                        "its certificates and those of this machine come from the same authority"
                    ) from error
                time.sleep(0.2)
        yield client
    finally:
        _close(client)


def _close(client: Any) -> None:
    if client is not None:
        with suppress(Exception):
            client.close(timeout=5)


def _security(address: ClusterAddress) -> Any:
    """How a scheduler and this machine know each other; None where the address asks for nothing."""
    if not address.secure:
        return None
    from distributed import Security

    security = Security(require_encryption=True)
    missing = [name for field, name in _CERTIFICATES.items() if not getattr(security, field)]
    if missing:
        raise UsageError(
            f"{address} is asked by TLS with certificates on both sides: set {', '.join(missing)} to the PEM files of the "
            "cluster's authority, of this machine's certificate and of its key (docs/scale/cluster.md)"
        )
    return security


@contextmanager
def _local_cluster(workers: int) -> Iterator[Any]:
    """A scheduler in this process and workers in processes of this machine, which speak TLS that nobody else can."""
    from distributed import LocalCluster, Security

    with TemporaryDirectory(prefix="pincite-cluster-") as folder, safe_path():
        cluster = LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            host="127.0.0.1",
            protocol="tls",
            security=Security.temporary(),
            dashboard_address="127.0.0.1:0",  # by default their pages were open to other machines
            worker_dashboard_address="127.0.0.1:0",
            local_directory=folder,
            memory_limit=0,
            silence_logs=logging.CRITICAL,
        )
        try:
            yield cluster
        finally:
            with suppress(Exception):
                cluster.close(timeout=5)
