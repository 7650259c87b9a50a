"""Stages: one operator, `>>`, and four combinators. A pipeline is a value; the type checker reads its order.

A stage is a frozen dataclass with `run`; calling it traces and meters once, here, where stages meet, so that no stage knows
about it. A span counts only what its own stage spent on models; stages inside it have spans of their own.

A question is searched for (`Query -> Query`, `Query -> Ranking`, `Ranking -> Ranking`), read (`Ranking -> Draft`) and checked
(`Draft -> Answer`, `Answer -> Answer`). One that is several is planned (`Query -> Plan`), each of these is found or answered
(`Plan -> PlanResults`), and they are joined (`PlanResults -> Ranking`, `PlanResults -> Draft`). What refuses before anything
is read makes an `Answer` of a `Ranking` or `Plan`; a whole pipeline is a stage `Query -> Answer`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from contextvars import ContextVar, copy_context
from dataclasses import dataclass, fields, is_dataclass
from functools import partial
from typing import Any, Generic, TypeVar

from pincite.errors import PinciteError, UsageError
from pincite.formats.spell import spell
from pincite.storage.ledger import holding, metered
from pincite.types import Answer, Draft, Plan, Query, Ranking, Span

In = TypeVar("In", contravariant=True)
Mid = TypeVar("Mid")
Out = TypeVar("Out", covariant=True)
Made = TypeVar("Made")

_trace: ContextVar[list[Span] | None] = ContextVar("pincite_trace", default=None)
Seen = Callable[[str | Span, Any], None]
"""What `watched` calls: with a stage's spelling and None when it begins, with its span and what it made when it ends."""
_seen: ContextVar[Seen | None] = ContextVar("pincite_seen", default=None)


class Stage(Generic[In, Out]):
    """A step from one noun to the next. Subclasses are frozen dataclasses that define `run`."""

    __slots__ = ()

    @property
    def waits(self) -> bool:
        """Whether most of its time is spent waiting for a server, so that others are best run meanwhile."""
        return False

    def run(self, given: In) -> Out:
        """Do the step for one input."""
        raise NotImplementedError(f"{type(self).__name__} does not define run")

    def run_many(self, given: Sequence[In]) -> list[Out]:
        """Do the step for many inputs; a stage that can batch overrides this."""
        return [self.run(value) for value in given]

    def __call__(self, given: In) -> Out:
        """Run the step, and add its span to the trace when one is being kept."""
        spans = _trace.get()
        if spans is None or isinstance(self, Then):
            with metered(type(self).__name__):
                return self.run(given)
        name, see = spell(self), _seen.get()
        if see is not None:
            see(name, None)
        started = time.perf_counter()
        with metered(type(self).__name__) as meter:
            made = self.run(given)
        spent, seconds = meter.alone, time.perf_counter() - started
        took = seconds, spent.usage, spent.cost, tuple(meter.notes)
        spans.append(Span(name, _in_short(given), _in_short(made), *took))
        if see is not None:
            see(spans[-1], made)
        return made

    def map(self, given: Sequence[In]) -> list[Out]:
        """Run the step for many inputs at once, in order; for one as a call does."""
        if len(given) == 1:
            return [self(given[0])]
        with metered(type(self).__name__):
            return self.run_many(given)

    def __rshift__(self, after: Stage[Out, Mid]) -> Stage[In, Mid]:
        """This stage, then `after`."""
        return Then(self, after)


@dataclass(frozen=True, slots=True)
class Then(Stage[In, Out]):
    """Two stages in line; what `>>` makes."""

    first: Stage[In, Any]
    second: Stage[Any, Out]

    def run(self, given: In) -> Out:
        """Run both in order."""
        return self.second(self.first(given))

    def run_many(self, given: Sequence[In]) -> list[Out]:
        """Run both in order, each over the whole batch."""
        return self.second.map(self.first.map(given))

    def spelled(self) -> str:
        """Both spellings with the operator between them."""
        return f"{spell(self.first)} >> {spell(self.second)}"


@dataclass(frozen=True, slots=True)
class Together(Stage[Query, Ranking]):
    """Many searches for one query, joined: `Together((lexical, dense), join=RRF(k=60))`."""

    stages: tuple[Stage[Query, Ranking], ...]
    join: Callable[[Sequence[Ranking]], Ranking]

    def run(self, given: Query) -> Ranking:
        """Run every stage on the query and join their rankings."""
        return self.join(self._each([partial(stage, given) for stage in self.stages]))

    def run_many(self, given: Sequence[Query]) -> list[Ranking]:
        """Run every stage on the whole batch, then join per query."""
        columns = self._each([partial(stage.map, given) for stage in self.stages])
        return [self.join(row) for row in zip(*columns, strict=True)]

    def _each(self, calls: Sequence[Callable[[], Made]]) -> list[Made]:
        """What the calls make: all at once where one of the stages waits, which would hold up the others."""
        if any(stage.waits for stage in stages(self.stages)):
            return at_once(calls)
        return [call() for call in calls]


def unanswered(query: Query, reason: str) -> Draft:
    """What `Each` puts in the place of an answer that failed."""
    return Draft(query, "", None, reason=reason)


def unfound(query: Query, reason: str) -> Ranking:
    """What `Each` puts in the place of a search that failed."""
    return Ranking(query, ())


@dataclass(frozen=True, slots=True)
class PlanResults(Generic[Made]):
    """What the queries of a plan came to, in the plan's order."""

    question: Query
    results: tuple[Made, ...]


@dataclass(frozen=True, slots=True)
class Each(Stage[Plan, PlanResults[Made]]):
    """The queries of a plan at once, each through one stage: `Each(search) >> Planned(RRF())`.

    A query that fails leaves `lost` of it and its reason, and the others go on. A failure that may pass (`retryable`: an
    endpoint away, a budget spent) is raised once the others are done: what it would have found is not known to be missing.
    """

    stage: Stage[Query, Made]
    lost: Callable[[Query, str], Any] = unanswered

    def run(self, given: Plan) -> PlanResults[Made]:
        """Run every query of the plan."""
        made: list[Any] = []
        outcomes = at_once([partial(self._try_query, query) for query in given.queries])
        for query, outcome in zip(given.queries, outcomes, strict=True):
            if isinstance(outcome, PinciteError):
                if outcome.retryable:
                    raise outcome
                outcome = self.lost(query, str(outcome))
            made.append(outcome)
        return PlanResults(given.question, tuple(made))

    def _try_query(self, query: Query) -> Made | PinciteError:
        try:
            return self.stage(query)
        except PinciteError as error:
            return error


@dataclass(frozen=True, slots=True)
class Route(Stage[In, Out]):
    """A labelled choice: `by` names the label of an input, `to` the stage for each label."""

    by: Callable[[In], str]
    to: Mapping[str, Stage[In, Out]]

    def run(self, given: In) -> Out:
        """Run the stage that the input's label names."""
        label = self.by(given)
        if label not in self.to:
            raise UsageError(f"no route for {label!r}; known: {', '.join(sorted(self.to))}")
        return self.to[label](given)


@dataclass(frozen=True, slots=True)
class Escalate(Stage[In, Out]):
    """The cheap stage first; the dear one when `enough` says no to what it made.

    `keep` says what of the first is kept in what the second made: nothing where it is None.
    """

    cheap: Stage[In, Out]
    dear: Stage[In, Out]
    enough: Callable[[Any], bool]
    keep: Callable[[Out, Out], Out] | None = None

    def run(self, given: In) -> Out:
        """Run `cheap`, and `dear` only when that was not enough."""
        made = self.cheap(given)
        if self.enough(made):
            return made
        second = self.dear(given)
        return second if self.keep is None else self.keep(made, second)


def stages(value: Any) -> Iterator[Stage[Any, Any]]:
    """A stage with all stages inside it, from the outside in; of a tuple or mapping, those of its values."""
    parts: Iterable[Any] = ()
    if isinstance(value, Stage) and is_dataclass(value):
        yield value
        parts = [getattr(value, part.name) for part in fields(value)]
    elif isinstance(value, Mapping):
        parts = value.values()
    elif isinstance(value, tuple):
        parts = value
    for part in parts:
        yield from stages(part)


def watched(see: Seen) -> AbstractContextManager[Seen]:
    """Tell `see` of every traced stage called inside, as it begins and as it ends; what `see` raises stops the stage."""
    return holding(_seen, see)


def at_once(calls: Sequence[Callable[[], Made]]) -> list[Made]:
    """Make calls at once, each in a thread under the caller's context; what they made and their spans stand in order."""
    if len(calls) < 2:
        return [call() for call in calls]
    from concurrent.futures import ThreadPoolExecutor  # here, because start-up would pay for it

    spans = _trace.get()

    def worked(call: Callable[[], Made]) -> tuple[Made, list[Span]]:
        if spans is None:
            return call(), []
        with traced() as own:
            return call(), own

    with ThreadPoolExecutor(len(calls)) as pool:
        futures = [pool.submit(copy_context().run, worked, call) for call in calls]
        made = [future.result() for future in futures]
    if spans is not None:
        spans.extend(span for _, own in made for span in own)
    return [value for value, _ in made]


def traced() -> AbstractContextManager[list[Span]]:
    """Keep the spans of every stage called inside, in the order in which they ended."""
    return holding(_trace, [])


def _in_short(value: Any) -> str:
    match value:
        case Query():
            return f"query {value.text[:80]!r}"
        case Ranking():
            return f"{len(value.hits)} hits"
        case Plan():
            return f"{len(value.queries)} queries"
        case PlanResults():
            return f"{len(value.results)} results"
        case Draft() | Answer():
            return f"{type(value).__name__.lower()} {value.text[:80]!r}"
    return type(value).__name__
