"""What models cost: the tokens, money and time of every request, in a SQLite file, and a budget that is enforced.

Before a request is sent, the most that it can cost is reserved, as a row that counts as spent in full until it is settled with
what it did cost. So a request that was sent and never settled (a killed process, a lost connection) stays spent, and a run
never pays more than its budget.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from decimal import ROUND_CEILING, Decimal
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from pincite.errors import BudgetSpent, PinciteError, UsageError
from pincite.formats.bounds import Bounds, check, number
from pincite.types import Usage

if TYPE_CHECKING:
    from pincite.ports import Progress
    from pincite.storage import KeptTables

BY = ("model", "stage", "question", "run", "offline")
"""What spending can be grouped by."""
_UNIT = 10**12
"""Money is kept in whole units of 1e-12, rounded up: exact for prices of up to six decimals per million tokens."""
MONEY = Bounds(0, 1_000_000)
"""What a price or a budget may be: SQLite counts nine million units of money."""
SCHEMA = """
CREATE TABLE IF NOT EXISTS spends (
    id INTEGER PRIMARY KEY, model TEXT, stage TEXT, question TEXT, run TEXT, offline INTEGER, input INTEGER DEFAULT 0,
    output INTEGER DEFAULT 0, cached INTEGER DEFAULT 0, cost INTEGER, requests INTEGER DEFAULT 1, seconds REAL DEFAULT 0,
    at REAL
);
CREATE INDEX IF NOT EXISTS spends_of_run ON spends (run, cost);
"""
_SUMS = "SUM(input), SUM(output), SUM(cached), SUM(cost), SUM(requests), SUM(seconds)"


@dataclass(frozen=True, slots=True)
class Price:
    """Money per million tokens. `cached` is for input that the endpoint had in its own prompt cache; None: as other input."""

    input: Annotated[Decimal, MONEY] = Decimal(0)
    output: Annotated[Decimal, MONEY] = Decimal(0)
    cached: Annotated[Decimal | None, MONEY] = None

    def __post_init__(self) -> None:
        """Raise UsageError for a price that is not one."""
        check(self)

    def of(self, usage: Usage) -> Decimal:
        """What these tokens cost."""
        cached = self.input if self.cached is None else self.cached
        fresh = max(usage.input - usage.cached, 0)
        cost = fresh * self.input + usage.cached * cached + usage.output * self.output
        return cost / 1_000_000


@dataclass(frozen=True, slots=True)
class Spend:
    """What one or more requests took: in which stage, for which question and run, offline (indexing) or online.

    A request whose outcome was lost has the most it could cost as `cost` and no usage; one that was turned away has
    neither.
    """

    model: str = ""
    stage: str = ""
    question: str = ""
    run: str = ""
    offline: bool = False
    usage: Usage = Usage()
    cost: Decimal = Decimal(0)
    requests: int = 0
    seconds: float = 0.0

    def __add__(self, other: Spend) -> Spend:
        return replace(
            self,
            usage=self.usage + other.usage,
            cost=self.cost + other.cost,
            requests=self.requests + other.requests,
            seconds=self.seconds + other.seconds,
        )


@dataclass(frozen=True, slots=True)
class Hold:
    """Money reserved for a request that is being sent; `spend` is what it will be booked under."""

    id: int
    spend: Spend


@dataclass(slots=True)
class Meter:
    """What was spent while it was open. `own` leaves out what meters opened inside it have counted already."""

    stage: str = ""
    outer: Meter | None = None
    spends: list[Spend] = field(default_factory=list)
    own: list[Spend] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def total(self) -> Spend:
        """Everything spent, as one."""
        return reduce(Spend.__add__, self.spends, Spend())

    @property
    def alone(self) -> Spend:
        """What no inner meter has counted, as one."""
        return reduce(Spend.__add__, self.own, Spend())


_meter: ContextVar[Meter | None] = ContextVar("pincite_meter", default=None)
_about: ContextVar[Spend] = ContextVar("pincite_about", default=Spend())  # noqa: B039 - frozen


Held = TypeVar("Held")


@contextmanager
def holding(variable: ContextVar[Any], value: Held) -> Iterator[Held]:
    """Give a context variable a value inside the block."""
    token = variable.set(value)
    try:
        yield value
    finally:
        variable.reset(token)


def metered(stage: str = "") -> AbstractContextManager[Meter]:
    """Count what models take inside, under a stage's name (or the one that is named already)."""
    outer = _meter.get()
    return holding(_meter, Meter(stage or (outer.stage if outer else ""), outer))


def about(
    *, question: str | None = None, run: str | None = None, offline: bool | None = None
) -> AbstractContextManager[Spend]:
    """Say what the requests inside are for; what is left out stays as it was."""
    given = {"question": question, "run": run, "offline": offline}
    told: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    return holding(_about, replace(_about.get(), **told))


Listener = Callable[["Progress"], None]
_listener: ContextVar[Listener | None] = ContextVar("pincite_listener", default=None)


def listened(listener: Listener) -> AbstractContextManager[Listener]:
    """Have `listener` told how far the models are that are asked inside; it is called on the thread of the models' loop."""
    return holding(_listener, listener)


def told_before(known: str) -> AbstractContextManager[object]:
    """Have the listener told what is known already with all that it is told inside."""
    listener = _listener.get()
    if listener is None or not known:
        return nullcontext()
    return listened(lambda progress: listener(replace(progress, before=known)))


def tell(progress: Progress) -> None:
    """Tell who listens how far a model is."""
    listener = _listener.get()
    if listener is not None:
        listener(progress)


def note(text: str) -> None:
    """Add a note to the stage that is at work."""
    if meter := _meter.get():
        meter.notes.append(text)


def kept(path: Path | str | None, schema: str) -> KeptTables:
    """A SQLite file of its own that threads and processes share; None keeps it in memory. PinciteError when damaged.

    For the cache of a corpus in PostgreSQL it is the tables there.
    """
    import sqlite3  # here, because every stage imports this module and start-up would pay for it

    from pincite.storage import address_of, connect_kept
    from pincite.untrusted import guarded, own

    if path is not None and address_of(Path(path).parent):
        return connect_kept(Path(path).parent, Path(path).name, schema)
    try:
        if path is not None:
            Path(path).parent.mkdir(parents=True, exist_ok=True)
        where = own(Path(path)) if path else ":memory:"
        db = sqlite3.connect(where, timeout=60, check_same_thread=False, isolation_level=None)
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = NORMAL")
        guarded(db, schema).executescript(schema)
    except (sqlite3.Error, OSError) as error:
        raise PinciteError(
            f"{path} cannot be opened ({error}): move it away, and a new one is made"
        ) from error
    return db


class Ledger:
    """Every request to a model, kept in the file at `path` (None: in memory), and a budget for each run.

    `budget` is the most that the requests of one run (`about(run=...)`; "" is a run too) may cost together, earlier
    sessions of the same run included.
    """

    def __init__(self, path: Path | str | None = None, budget: Decimal | None = None) -> None:
        self.budget = budget
        self._db = kept(path, SCHEMA)
        self._lock = threading.Lock()
        self._open: set[int] = set()

    @property
    def pending(self) -> int:
        """Requests of this process that are reserved and not settled."""
        return len(self._open)

    def reserve(self, model: str, amount: Decimal) -> Hold:
        """Set `amount`, the most that the next request can cost, aside; raises BudgetSpent when that is not left."""
        meter = _meter.get()
        spend = replace(
            _about.get(), model=model, stage=meter.stage if meter else "", cost=amount, requests=1
        )
        facts = model, spend.stage, spend.question, spend.run, int(spend.offline)
        with self._lock, self._writing() as db:
            left = None if self.budget is None else self.budget - self._spent(spend.run)
            if left is not None and amount > left:
                raise BudgetSpent(
                    f"the next request to {model} could cost {amount:.4f} and {left:.4f} of the budget of "
                    f"{self.budget} is left: give a larger budget to continue (nothing that was paid for is asked again)"
                )
            reserved = (
                "INSERT INTO spends (model, stage, question, run, offline, cost, at) VALUES (?, ?, ?, ?, ?, ?, ?) "
                "RETURNING id"
            )
            made = db.execute(reserved, (*facts, _units(amount), time.time())).fetchone()
            hold = Hold(made[0], spend)
            self._open.add(hold.id)
        return hold

    def settle(self, hold: Hold, usage: Usage, cost: Decimal, seconds: float) -> Spend:
        """Book what a reserved request took in place of what was set aside."""
        spend = replace(hold.spend, usage=usage, cost=cost, seconds=seconds)
        with self._lock:
            self._db.execute(
                "UPDATE spends SET input = ?, output = ?, cached = ?, cost = ?, seconds = ? WHERE id = ?",
                (usage.input, usage.output, usage.cached, _units(cost), seconds, hold.id),
            )
            self._open.discard(hold.id)
        meter = _meter.get()
        if meter:
            meter.own.append(spend)
        while meter:
            meter.spends.append(spend)
            meter = meter.outer
        return spend

    def total(self, run: str | None = None) -> Spend:
        """Everything spent, or what one run spent; requests under way count in full."""
        return self.rows(run=run)[0]

    def left(self, run: str = "") -> Decimal | None:
        """What is left of a run's budget; None without a budget."""
        with self._lock:
            return None if self.budget is None else self.budget - self._spent(run)

    def rows(self, *by: str, run: str | None = None) -> list[Spend]:
        """Spending grouped by some of BY, in their order; fields not grouped by are blank. Without any, one row."""
        if unknown := set(by) - set(BY):
            raise UsageError(
                f"spending is not kept by {', '.join(sorted(unknown))}: choose from {', '.join(BY)}"
            )
        columns = ", ".join(by)
        order = f" GROUP BY {columns} ORDER BY {columns}" if by else ""
        where, values = ("", ()) if run is None else (" WHERE run = ?", (run,))
        query = f"SELECT {', '.join((*by, _SUMS))} FROM spends{where}{order}"
        with self._lock:
            found = self._db.execute(query, values).fetchall()
        return [_spend(by, row) for row in found]

    def _spent(self, run: str) -> Decimal:
        query = "SELECT COALESCE(SUM(cost), 0) FROM spends WHERE run = ?"
        (units,) = self._db.execute(query, (run,)).fetchone()
        return Decimal(units) / _UNIT

    def _writing(self) -> AbstractContextManager[KeptTables]:
        # the sum is read and the row written under one lock, or two processes could each take the last of the budget
        from pincite.storage import exclusively

        return exclusively(self._db)


def money(name: str, value: object) -> Decimal:
    """An amount from 0 on, as much as a ledger counts; raises UsageError that names what it is for."""
    amount: Decimal = number(name, value, Decimal, MONEY)
    return amount


def _units(money: Decimal) -> int:
    return int((money * _UNIT).to_integral_value(ROUND_CEILING))


def _spend(by: tuple[str, ...], row: Sequence[Any]) -> Spend:
    named: dict[str, Any] = dict(zip(by, row, strict=False))
    for name, value in named.items():
        named[name] = bool(value) if name == "offline" else str(value)
    read, written, cached, cost, requests, seconds = (number or 0 for number in row[len(by) :])
    usage, money = Usage(int(read), int(written), int(cached)), Decimal(cost) / _UNIT
    return replace(
        Spend(**named), usage=usage, cost=money, requests=int(requests), seconds=float(seconds)
    )
