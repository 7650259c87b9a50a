"""Make the pairs on which the judge of evidence is trained.

    python scripts/judge/pairs.py DATA [--out .judge/pairs.jsonl] [--seed 14] [--most 125000]

DATA holds `train`, `tableqa_tatqa` and `tableqa_wtq`. Sets used only for measuring are never opened. The same data and seed
give the same file. Prints the number of pairs by source and by kind of error.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path

from example import Pair, write
from listed import listed
from prose import overlap
from sources import SOURCES

from pincite.evidence.judge_input import CellPlace, Place

LISTED = 76_000
"""The most pairs of what the readers propose."""
DRAWN = 40
"""So many places of other documents are drawn for a question; the one nearest to it by words becomes a wrong pair."""


def words(place: Place) -> str:
    """The words of a place that can look like an answer."""
    if isinstance(place, CellPlace):
        return " ".join((*place.row, *place.column, place.caption))
    return f"{place.heading} {place.sentence}"


def with_others(
    pairs: Sequence[Pair], everywhere: Sequence[Pair], chance: random.Random
) -> Iterator[Pair]:
    """All pairs, and for every other right one a place of another document that shares words with the question.

    One in seven of these places is of any set: `everywhere` holds right pairs of all of them.
    """
    rights = [pair for pair in pairs if pair.label]
    for pair in pairs:
        yield pair
        if not pair.label or chance.random() < 0.5:
            continue
        pool = everywhere if chance.random() < 0.15 else rights
        drawn = [
            other
            for other in chance.sample(pool, min(DRAWN, len(pool)))
            if other.group != pair.group
        ]
        if drawn:
            nearest = max(drawn, key=lambda other: overlap(pair.question, words(other.place)))
            yield pair.wrong("other", nearest.place)


def unique(pairs: Sequence[Pair]) -> Iterator[Pair]:
    """The pairs without repeats; of a question and a place that are called both right and wrong, neither."""
    labels: dict[tuple[str, Place], set[int]] = defaultdict(set)
    for pair in pairs:
        labels[pair.question, pair.place].add(pair.label)
    done: set[tuple[str, Place]] = set()
    for pair in pairs:
        key = pair.question, pair.place
        if len(labels[key]) == 1 and key not in done:
            done.add(key)
            yield pair


def thinned(pairs: Sequence[Pair], most: int, chance: random.Random) -> list[Pair]:
    """At most `most` pairs, whole questions at a time, in the order in which they were."""
    questions = [list(group) for _, group in groupby(pairs, key=lambda pair: pair.group)]
    order = list(range(len(questions)))
    chance.shuffle(order)
    kept, total = set(), 0
    for i in order:
        if total + len(questions[i]) <= most:
            kept.add(i)
            total += len(questions[i])
    return [pair for i in sorted(kept) for pair in questions[i]]


def build(data: Path, seed: int, most: int) -> Iterator[Pair]:
    """The pairs of every source, each source within its share of `most`."""
    known = SOURCES | {"listed": (listed, LISTED)}
    shares = sum(share for _, share in known.values())
    made = {
        name: list(source(data, random.Random(f"{seed}:{name}")))
        for name, (source, _) in known.items()
    }
    everywhere = [pair for pairs in made.values() for pair in pairs if pair.label]
    for name, (_, share) in known.items():
        chance = random.Random(f"{seed}:{name}:others")
        pairs = list(unique(list(with_others(made[name], everywhere, chance))))
        for pair in thinned(pairs, share * min(most, shares) // shares, chance):
            yield replace(pair, source=name if name == "wtq_dev" else pair.source)


def counted(pairs: Iterator[Pair], counts: Counter[tuple[str, str]]) -> Iterator[Pair]:
    """The pairs, counted by source and difference on their way."""
    for pair in pairs:
        counts[pair.source, pair.differs] += 1
        yield pair


def table(counts: Counter[tuple[str, str]]) -> str:
    """The counts, a line a source."""
    sources = sorted({source for source, _ in counts})
    kinds = sorted({kind for _, kind in counts}, key=lambda kind: (kind != "right", kind))
    lines = [f"{'source':10}" + "".join(f"{kind:>10}" for kind in (*kinds, "all"))]
    for source in (*sources, "all"):
        line = [sum(counts[s, kind] for s in sources if source in (s, "all")) for kind in kinds]
        lines.append(f"{source:10}" + "".join(f"{count:>10,}" for count in (*line, sum(line))))
    return "\n".join(lines)


def main() -> None:
    """Write the pairs and print what they are."""
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("data", type=Path)
    arguments.add_argument("--out", type=Path, default=Path(".judge/pairs.jsonl"))
    arguments.add_argument("--seed", type=int, default=14)
    arguments.add_argument("--most", type=int, default=125_000)
    given = arguments.parse_args()
    given.out.parent.mkdir(parents=True, exist_ok=True)
    counts: Counter[tuple[str, str]] = Counter()
    write(counted(build(given.data, given.seed, given.most), counts), given.out)
    print(table(counts))


if __name__ == "__main__":
    main()
