"""Counts and times for Prometheus, in its text format (version 0.0.4)."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Mapping

BOUNDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
"""Seconds: the upper bounds of the histogram."""


class Histogram:
    """How many times were within each bound, by a label such as `route="/ask"`."""

    def __init__(self, name: str, meaning: str) -> None:
        self.name, self.meaning = name, meaning
        self._counts: dict[str, list[int]] = defaultdict(lambda: [0] * (len(BOUNDS) + 1))
        self._seconds: defaultdict[str, float] = defaultdict(float)

    def count(self, label: str, seconds: float) -> None:
        """Count a time."""
        self._counts[label][bisect_left(BOUNDS, seconds)] += 1
        self._seconds[label] += seconds

    def lines(self) -> list[str]:
        """The histogram in the text format."""
        made = [f"# HELP {self.name} {self.meaning}", f"# TYPE {self.name} histogram"]
        for label, counts in sorted(self._counts.items()):
            sofar = 0
            for bound, count in zip((*map(str, BOUNDS), "+Inf"), counts, strict=True):
                sofar += count
                made.append(f'{self.name}_bucket{{{label},le="{bound}"}} {sofar}')
            made.append(f"{self.name}_sum{{{label}}} {self._seconds[label]:.6f}")
            made.append(f"{self.name}_count{{{label}}} {sofar}")
        return made


class Metrics:
    """Requests by route, method and status, questions by corpus and outcome, and how long they took."""

    def __init__(self) -> None:
        self._requests: Counter[str] = Counter()
        self._questions: Counter[str] = Counter()
        self._times = Histogram("pincite_request_seconds", "How long requests took.")
        self._answering = Histogram("pincite_question_seconds", "How long answering took.")

    def count(self, route: str, method: str, status: int, seconds: float) -> None:
        """Count a request that is over. `route` is the template of its address, of which there are few."""
        self._requests[f'route="{route}",method="{method}",status="{status}"'] += 1
        self._times.count(f'route="{route}"', seconds)

    def count_question(self, corpus: str, outcome: str, seconds: float) -> None:
        """Count a question that was answered anew: its `outcome` is answered or refused."""
        self._questions[f'corpus="{corpus}",outcome="{outcome}"'] += 1
        self._answering.count(f'corpus="{corpus}"', seconds)

    def text(self, gauges: Mapping[str, tuple[str, Mapping[str, float]]]) -> str:
        """Everything counted, then `gauges`: a name, what it says, and its value for each label written as `name="value"`."""
        requests, questions = "Requests that are over.", "Questions answered anew."
        lines = _lines("pincite_requests_total", "counter", requests, self._requests)
        lines += self._times.lines()
        lines += _lines("pincite_questions_total", "counter", questions, self._questions)
        lines += self._answering.lines()
        for name, (meaning, values) in gauges.items():
            lines += _lines(name, "gauge", meaning, values)
        return "\n".join(lines) + "\n"


def _lines(name: str, kind: str, meaning: str, values: Mapping[str, float]) -> list[str]:
    """A counter or a gauge in the text format, its values by label."""
    made = [f"# HELP {name} {meaning}", f"# TYPE {name} {kind}"]
    for label, value in sorted(values.items()):
        made.append(f"{name}{{{label}}} {value:g}" if label else f"{name} {value:g}")
    return made
