"""Counts and times for Prometheus, in its text format (version 0.0.4)."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict

BOUNDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
"""Seconds: the upper bounds of the histogram."""


class Metrics:
    """Requests by route, method and status, and how long they took."""

    def __init__(self) -> None:
        self._requests: Counter[tuple[str, str, int]] = Counter()
        self._times: dict[str, list[int]] = defaultdict(lambda: [0] * (len(BOUNDS) + 1))
        self._seconds: defaultdict[str, float] = defaultdict(float)

    def count(self, route: str, method: str, status: int, seconds: float) -> None:
        """Count a request that is over. `route` is the template of its address, of which there are few."""
        self._requests[route, method, status] += 1
        self._times[route][bisect_left(BOUNDS, seconds)] += 1
        self._seconds[route] += seconds

    def text(self, gauges: dict[str, tuple[str, dict[str, float]]]) -> str:
        """Everything counted, then `gauges`: a name, what it says, and its value for each label written as `name="value"`."""
        lines = [
            "# HELP pincite_requests_total Requests that are over.",
            "# TYPE pincite_requests_total counter",
        ]
        for (route, method, status), count in sorted(self._requests.items()):
            lines.append(
                f'pincite_requests_total{{route="{route}",method="{method}",status="{status}"}} {count}'
            )
        lines += [
            "# HELP pincite_request_seconds How long requests took.",
            "# TYPE pincite_request_seconds histogram",
        ]
        for route, counts in sorted(self._times.items()):
            sofar = 0
            for bound, count in zip((*map(str, BOUNDS), "+Inf"), counts, strict=True):
                sofar += count
                lines.append(
                    f'pincite_request_seconds_bucket{{route="{route}",le="{bound}"}} {sofar}'
                )
            lines.append(
                f'pincite_request_seconds_sum{{route="{route}"}} {self._seconds[route]:.6f}'
            )
            lines.append(f'pincite_request_seconds_count{{route="{route}"}} {sofar}')
        for name, (meaning, values) in gauges.items():
            lines += [f"# HELP {name} {meaning}", f"# TYPE {name} gauge"]
            lines += [
                f"{name}{{{label}}} {value:g}" if label else f"{name} {value:g}"
                for label, value in values.items()
            ]
        return "\n".join(lines) + "\n"
