"""Stages: one operator, `>>`, and four combinators. A pipeline is a value; the type checker reads its order.

A stage is a frozen dataclass with `run`; calling it traces once, here, where stages meet, so that no stage knows about
tracing. `Query -> Query`, `Query -> Plan`, `Query -> Ranking`, `Ranking -> Ranking`, `Ranking -> Draft`, `Plan -> Draft`
and `Draft -> Answer` are the whole vocabulary.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pincite.spell import spell
from pincite.types import Answer, Draft, Plan, Query, Ranking, Span

In = TypeVar("In", contravariant=True)
Mid = TypeVar("Mid")
Out = TypeVar("Out", covariant=True)

_trace: ContextVar[list[Span] | None] = ContextVar("pincite_trace", default=None)


class Stage(Generic[In, Out]):
    """A step from one noun to the next. Subclasses are frozen dataclasses that define `run`."""

    __slots__ = ()

    def run(self, given: In) -> Out:
        """Do the step for one input."""
        raise NotImplementedError(f"{type(self).__name__} does not define run")

    def run_many(self, given: Sequence[In]) -> list[Out]:
        """Do the step for many inputs; a stage that can batch overrides this."""
        return [self.run(one) for one in given]

    def __call__(self, given: In) -> Out:
        """Run the step, and add its span to the trace when one is being kept."""
        spans = _trace.get()
        if spans is None:
            return self.run(given)
        started = time.perf_counter()
        made = self.run(given)
        if not isinstance(self, Then):
            spans.append(Span(spell(self), _short(given), _short(made), time.perf_counter() - started))
        return made

    def map(self, given: Sequence[In]) -> list[Out]:
        """Run the step for many inputs at once, in order."""
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
        return self.join([stage(given) for stage in self.stages])

    def run_many(self, given: Sequence[Query]) -> list[Ranking]:
        """Run every stage on the whole batch, then join per query."""
        columns = [stage.map(given) for stage in self.stages]
        return [self.join(row) for row in zip(*columns, strict=True)]


@dataclass(frozen=True, slots=True)
class Each(Stage[Plan, Draft]):
    """Many queries, one stage, a join of their drafts. A query that fails leaves a draft with its reason."""

    stage: Stage[Query, Draft]
    join: Callable[[Query, Sequence[Draft]], Draft]

    def run(self, given: Plan) -> Draft:
        """Answer every query of the plan and join."""
        return self.join(given.question, [self._one(query) for query in given.queries])

    def _one(self, query: Query) -> Draft:
        from pincite.errors import PinciteError

        try:
            return self.stage(query)
        except PinciteError as error:
            return Draft(query, "", None, reason=str(error))


@dataclass(frozen=True, slots=True)
class Route(Stage[In, Out]):
    """A labelled choice: `by` names the label of an input, `to` the stage for each label."""

    by: Callable[[In], str]
    to: Mapping[str, Stage[In, Out]]

    def run(self, given: In) -> Out:
        """Run the stage that the input's label names."""
        from pincite.errors import UsageError

        label = self.by(given)
        if label not in self.to:
            raise UsageError(f"no route for {label!r}; there are {', '.join(sorted(self.to))}")
        return self.to[label](given)


@dataclass(frozen=True, slots=True)
class Escalate(Stage[In, Out]):
    """The cheap stage first; the dear one when `enough` says no to what it made."""

    cheap: Stage[In, Out]
    dear: Stage[In, Out]
    enough: Callable[[Any], bool]

    def run(self, given: In) -> Out:
        """Run `cheap`, and `dear` only when that was not enough."""
        made = self.cheap(given)
        return made if self.enough(made) else self.dear(given)


@contextmanager
def traced() -> Iterator[list[Span]]:
    """Keep the spans of every stage called inside, in the order in which they ended."""
    spans: list[Span] = []
    token = _trace.set(spans)
    try:
        yield spans
    finally:
        _trace.reset(token)


def _short(value: Any) -> str:
    match value:
        case Query():
            return f"query {value.text[:80]!r}"
        case Ranking():
            return f"{len(value.hits)} hits"
        case Plan():
            return f"{len(value.queries)} queries"
        case Draft() | Answer():
            return f"{type(value).__name__.lower()} {value.text[:80]!r}"
    return type(value).__name__
