"""The bill of the scripted server: what was asked of it, what came through and what it costs, by its own arithmetic."""

from __future__ import annotations

import json
import threading
from collections import Counter
from dataclasses import asdict, dataclass
from decimal import Decimal
from pathlib import Path

from pincite.types import Usage


@dataclass(frozen=True, slots=True)
class Billed:
    """One request as the server saw it.

    `key` tells apart what was asked. A request is paid for when a reply was made for it (status 200), whether or not it
    came through; it is `delivered` when all of it was sent to a client that was still there. `at` is the time
    of arrival in seconds of the epoch and `together` the requests in work at that moment, this one included.
    """

    key: str
    path: str
    model: str
    status: int
    input: int
    output: int
    delivered: bool
    at: float
    together: int


class Bill:
    """What was asked of a server, oldest reply first, and what it costs at `price` (money per million tokens in and out).

    With a `path` every row is also a line of that file at once, so that the bill outlives its process and goes on in the
    next; `Bill(path)` reads it.
    """

    def __init__(
        self,
        path: Path | str | None = None,
        price: tuple[Decimal | str, Decimal | str] = ("0", "0"),
    ) -> None:
        self.path = None if path is None else Path(path)
        self.price = (Decimal(price[0]), Decimal(price[1]))
        self._lock = threading.Lock()
        self._rows: list[Billed] = []
        if self.path is not None and self.path.exists():
            self._rows = [
                Billed(**json.loads(line))
                for line in self.path.read_text(encoding="utf-8").splitlines()
            ]

    def add(self, row: Billed) -> None:
        """Write one row down."""
        with self._lock:
            self._rows.append(row)
            if self.path is not None:
                with self.path.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(asdict(row)) + "\n")

    @property
    def rows(self) -> tuple[Billed, ...]:
        """The requests so far that are done with."""
        with self._lock:
            return tuple(self._rows)

    @property
    def requests(self) -> int:
        """How many there were."""
        return len(self.rows)

    @property
    def statuses(self) -> Counter[int]:
        """How many there were of each status."""
        return Counter(row.status for row in self.rows)

    @property
    def delivered(self) -> Counter[str]:
        """How many replies came through, by what was asked."""
        return Counter(row.key for row in self.rows if row.delivered)

    @property
    def paid_twice(self) -> dict[str, int]:
        """What was asked again though its reply had come through, and how many replies it got."""
        return {key: number for key, number in self.delivered.items() if number > 1}

    @property
    def usage(self) -> Usage:
        """The tokens of all replies that were made."""
        return sum((Usage(row.input, row.output) for row in self.rows), Usage())

    @property
    def cost(self) -> Decimal:
        """The money for them: the most that an endpoint could ask, as replies that were lost on their way count too."""
        usage = self.usage
        return (usage.input * self.price[0] + usage.output * self.price[1]) / 1_000_000

    @property
    def busiest(self) -> int:
        """The most requests that were in work at the same time."""
        return max((row.together for row in self.rows), default=0)
