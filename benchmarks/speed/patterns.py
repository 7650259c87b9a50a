"""The longest time that the package's regular expressions take on 2,000 characters made to slow them down.

    python benchmarks/speed/patterns.py [--thorough] [--every 80]

All patterns are collected (`tests/attacks/collect.py`) and attacked (`tests/attacks/strike.py`). Printed are their number, how
many take more than 50 ms of processor time, and the slowest ten. `--thorough` tries every pair of characters that each pattern
can distinguish, which takes about half an hour.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.attacks.collect import collect
from tests.attacks.strike import LENGTH, LIMIT_S, strike


def main() -> None:
    """Collect, attack, print."""
    reading = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    reading.add_argument("--thorough", action="store_true", help="try every pair of characters")
    reading.add_argument(
        "--every", type=int, default=80, help="ask every n-th question of the tests"
    )
    given = reading.parse_args()
    warnings.simplefilter("ignore")
    held = collect(given.every)
    struck = strike(held["patterns"], given.thorough)
    late = [slow for slow, _, _ in struck if slow.seconds > LIMIT_S]
    print(f"patterns: {len(struck)}; places that none was seen of: {len(held['unseen'])}")
    print(f"over {LIMIT_S * 1000:.0f} ms on {LENGTH:,} characters: {len(late)}")
    for slow, written, place in struck[: max(10, len(late))]:
        print(
            f"{slow.seconds * 1000:7.1f} ms  {place}  {slow.method} of {slow.lead!r} {slow.unit!r} {slow.last!r}"
        )
        print(f"            {written[:110]!r}")


if __name__ == "__main__":
    main()
