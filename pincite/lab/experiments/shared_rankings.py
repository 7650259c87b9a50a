"""A search that several runs share is made once: rankings are kept under the spelling of the stage that makes them.

Stages compare by their spelling, so two recipes, or one with other parameters, share a search exactly where two of their stages
have the same spelling. Those are put behind `Shared`, which keeps every ranking in SQLite with the time and tokens that it
took. A later run is charged the same, so that a run's costs do not depend on its neighbours.
"""

from __future__ import annotations

import json
import threading
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, fields, is_dataclass, replace
from decimal import Decimal
from functools import reduce
from hashlib import blake2b
from pathlib import Path
from typing import Any

from pincite.formats.spell import spell, unspell
from pincite.stage import Stage, Then, stages
from pincite.storage.ledger import Spend, kept, metered
from pincite.types import Hit, Query, Ranking, Usage

_SCHEMA = """
CREATE TABLE IF NOT EXISTS rankings (
    key BLOB PRIMARY KEY, ranking BLOB, seconds REAL, input INTEGER, output INTEGER, cached INTEGER, cost TEXT) WITHOUT ROWID;
"""
_taken: ContextVar[list[Spend] | None] = ContextVar("pincite_taken", default=None)


@contextmanager
def taking() -> Iterator[list[Spend]]:
    """Collect what the rankings took that are taken from those kept, inside."""
    taken: list[Spend] = []
    token = _taken.set(taken)
    try:
        yield taken
    finally:
        _taken.reset(token)


class Rankings:
    """Rankings in the file at `path`, for any number of corpora; `made` and `found` count those made here and found there."""

    def __init__(self, path: Path) -> None:
        self._db = kept(path, _SCHEMA)
        self._lock = threading.Lock()
        self.made = 0
        self.found = 0

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def of(
        self, key: str, queries: Sequence[Query], make: Callable[[Sequence[Query]], list[Any]]
    ) -> list[Any]:
        """The ranking of each query under a key; `make` makes all that are not there, at once. Other outputs pass by."""
        keys = [
            blake2b(f"{key}\0{spell(query)}".encode(), digest_size=16).digest()
            for query in queries
        ]
        there = self._read(keys)
        asked = dict(zip(keys, queries, strict=True))
        todo = {query_key: query for query_key, query in asked.items() if query_key not in there}
        if todo:
            started = time.perf_counter()
            with metered() as meter, taking() as inner:
                made = make(list(todo.values()))
            if all(isinstance(ranking, Ranking) for ranking in made):
                own = replace(meter.total, seconds=time.perf_counter() - started)
                there |= self._write(todo, made, reduce(Spend.__add__, inner, own))
            else:
                there |= dict(zip(todo, ((ranking, Spend()) for ranking in made), strict=True))
            _tell(inner)
        _tell(there[query_key][1] for query_key in keys if query_key not in todo)
        return [there[query_key][0] for query_key in keys]

    def _read(self, keys: Sequence[bytes]) -> dict[bytes, tuple[Any, Spend]]:
        there: dict[bytes, tuple[Any, Spend]] = {}
        distinct = list(dict.fromkeys(keys))
        for start in range(0, len(distinct), 500):
            some = distinct[start : start + 500]
            with self._lock:
                rows = self._db.execute(
                    f"SELECT * FROM rankings WHERE key IN ({','.join('?' * len(some))})", some
                ).fetchall()
            there |= {
                key: (
                    _ranking(held),
                    Spend(usage=Usage(*usage), cost=Decimal(cost), seconds=seconds),
                )
                for key, held, seconds, *usage, cost in rows
            }
        self.found += len(there)
        return there

    def _write(
        self, todo: Mapping[bytes, Query], made: Sequence[Ranking], spent: Spend
    ) -> dict[bytes, tuple[Any, Spend]]:
        """Keep rankings, each with its share of what all took; returns them as they will be read."""
        n, usage = len(made), spent.usage
        tokens = (usage.input // n, usage.output // n, usage.cached // n)
        share = (spent.seconds / n, *tokens, str(spent.cost / n))
        held = {key: _held(ranking) for key, ranking in zip(todo, made, strict=True)}
        rows = [(key, stored, *share) for key, stored in held.items()]
        with self._lock:
            self._db.execute("BEGIN IMMEDIATE")
            self._db.executemany(
                "INSERT OR IGNORE INTO rankings VALUES (?, ?, ?, ?, ?, ?, ?)", rows
            )
            self._db.execute("COMMIT")
        self.made += n
        return {key: (_ranking(stored), Spend()) for key, stored in held.items()}


def _tell(spends: Iterable[Spend]) -> None:
    taken = _taken.get()
    if taken is not None:
        taken.extend(spends)


def _held(ranking: Ranking) -> bytes:
    hits = [[getattr(hit, field.name) for field in fields(Hit)] for hit in ranking.hits]
    return zlib.compress(json.dumps([spell(ranking.query), hits], default=float).encode(), 1)


def _ranking(held: bytes) -> Ranking:
    query, hits = json.loads(zlib.decompress(held))
    return Ranking(
        unspell(query, {"Query": Query}), tuple(Hit(*map(_frozen, hit)) for hit in hits)
    )


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


@dataclass(frozen=True, slots=True)
class Shared(Stage[Any, Any]):
    """`stage` with its rankings of queries kept under `key`; it spells itself as the stage does."""

    stage: Stage[Any, Any]
    key: str
    rankings: Rankings = field(repr=False, compare=False)

    def run(self, given: Any) -> Any:
        """The ranking that is kept, or the stage's."""
        return self.run_many([given])[0]

    def run_many(self, given: Sequence[Any]) -> list[Any]:
        """What is kept, and the rest in one batch."""
        if not all(isinstance(query, Query) for query in given):
            return self.stage.map(given)
        return self.rankings.of(self.key, given, self._made)

    def _made(self, given: Sequence[Query]) -> list[Any]:
        return [self.stage(given[0])] if len(given) == 1 else self.stage.map(given)

    def spelled(self) -> str:
        """The stage's spelling."""
        return spell(self.stage)


def times_used(pipelines: Iterable[Stage[Any, Any]]) -> Counter[str]:
    """In how many of these pipelines each stage stands, by its spelling; a stage counts once in a pipeline."""
    return Counter(
        spelling
        for pipeline in pipelines
        for spelling in set(map(spell, stages(leftmost(pipeline))))
    )


def share(
    stage: Stage[Any, Any],
    used: Mapping[str, int],
    rankings: Rankings,
    where: Callable[[str], str],
) -> Any:
    """The stage with every part behind `Shared` that stands in more pipelines than the part around it, and in two at least.

    `where` gives the key of a spelling: what else a ranking depends on, as the corpus, is said there.
    """
    return _shared(leftmost(stage), used, 1, rankings, where)


def _shared(
    value: Any,
    used: Mapping[str, int],
    around: int,
    rankings: Rankings,
    where: Callable[[str], str],
) -> Any:
    spelling = spell(value) if isinstance(value, Stage) and is_dataclass(value) else ""
    count = max(used.get(spelling, 0), around)
    made = rebuilt(value, lambda part: _shared(part, used, count, rankings, where))
    return Shared(made, where(spelling), rankings) if count > around else made


def rebuilt(value: Any, change: Callable[[Any], Any]) -> Any:
    """A stage, or several in a tuple or mapping, with a change made to each of its parts; what is none of these as it is."""
    if isinstance(value, Stage) and is_dataclass(value):
        parts = {each.name: getattr(value, each.name) for each in fields(value) if each.init}
        made = {name: change(part) for name, part in parts.items()}
        changed = {name: part for name, part in made.items() if part is not parts[name]}
        return replace(value, **changed) if changed else value
    if isinstance(value, tuple) and any(isinstance(part, Stage) for part in value):
        return tuple(map(change, value))
    if isinstance(value, Mapping) and any(isinstance(part, Stage) for part in value.values()):
        return {name: change(part) for name, part in value.items()}
    return value


def leftmost(value: Any) -> Any:
    """A stage with the stages of every line grouped from the left, so that lines that begin alike share their beginning."""
    if isinstance(value, Then):
        first, *rest = [leftmost(stage) for stage in _line(value)]
        return reduce(Then, rest, first)
    return rebuilt(value, leftmost)


def _line(value: Any) -> list[Stage[Any, Any]]:
    return [*_line(value.first), *_line(value.second)] if isinstance(value, Then) else [value]
