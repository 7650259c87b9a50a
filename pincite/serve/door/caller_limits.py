"""How much one caller may ask for: connections, sizes of requests, requests a minute, questions that wait."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from pincite.types import QUESTION as QUESTION

CONNECTIONS = 4_000  # connections open at once
ADDRESS = 2_000  # connections from one address
HEAD_S = 10.0
"""Seconds in which a request's head must be there, from the connection or the reply before."""
BODY_S = 20.0
"""Seconds that a request's body may take, and as many more as SLOWEST needs for what has come of it."""
SLOWEST = 16 * 2**10  # bytes a second that a body must come with
READ_S = 30.0  # seconds within which a client must accept some of a response
BODY = 2 * 2**20  # bytes of a request that is no upload
UPLOAD = 512 * 2**20  # bytes of an upload, all its files together
FILES = 200  # files of one upload
WAITING = 200  # questions running or waiting; a further one is asked to come back later
BATCH = 10_000  # questions of one batch
NOTE = 10_000  # characters of a reviewer's words
SPEC = 2**20  # bytes of the file of a grid
JOBS = 100  # jobs of a corpus under way or waiting
PER_MINUTE = 600
"""Requests a minute with one token. Who needs none, on this machine, is not counted."""
SIGN_INS = 10  # tokens that do not exist, tried from one address in a minute


@dataclass(slots=True)
class Rate:
    """So many a minute for each caller, with as many at once: a bucket that fills again as time goes."""

    per_minute: int
    _left: dict[str, tuple[float, float]] = field(default_factory=dict)

    def wait_for(self, caller: str) -> float:
        """Seconds that this caller has to wait, 0 when it is let through and counted."""
        now = time.monotonic()
        left, at = self._left.get(caller, (float(self.per_minute), now))
        left = min(float(self.per_minute), left + (now - at) * self.per_minute / 60)
        if left < 1:
            self._left[caller] = left, now
            return (1 - left) * 60 / self.per_minute
        if len(self._left) > 100_000:
            self._left.clear()
        self._left[caller] = left - 1, now
        return 0.0
