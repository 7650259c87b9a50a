"""Rows of an index: the best by their scores, which every search ends with; and columns of which a part is new."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pincite.ports import Scored


@dataclass(slots=True)
class Last:
    """The scores of the text that was searched for last: the same question is often asked of several filters in a row."""

    held: tuple[str, NDArray[np.float32]] | None = None

    def of(self, text: str, scores: Callable[[str], NDArray[np.float32]]) -> NDArray[np.float32]:
        """The scores of a text, worked out by `scores` where it was not the last; not to be written to."""
        held = self.held
        if held is None or held[0] != text:
            held = self.held = text, scores(text)
        return held[1]


def best(scores: NDArray[Any], k: int, only: NDArray[np.bool_] | None = None) -> list[Scored]:
    """The `k` highest scores that are not 0 among the rows that `only` admits, best first, equal ones in row order."""
    found = np.flatnonzero(scores != 0 if only is None else only & (scores != 0))
    if len(found) > k:
        values = scores[found]
        kth = np.partition(values, -k)[-k] if k else np.inf
        found = found[values >= kth]
    ordered = found[np.argsort(-scores[found], kind="stable")][:k]
    return list(map(Scored, ordered.tolist(), scores[ordered].tolist()))


def joined_rows(old: NDArray[Any], new: NDArray[Any], rows: NDArray[np.integer]) -> NDArray[Any]:
    """A column of rows that are there already and of new ones: `rows[i]` is the row of `old` that row i is, or -1 where it is
    the next of `new`.
    """
    places = np.where(rows < 0, len(old) + np.cumsum(rows < 0) - 1, rows)
    made: NDArray[Any] = np.concatenate((old, new))[places]
    return made


def save_columns(folder: Path, **columns: NDArray[Any]) -> None:
    """Write columns into files of their names."""
    for name, column in columns.items():
        np.save(folder / f"{name}.npy", column)


def mapped_columns(folder: Path, *names: str) -> list[NDArray[Any]]:
    """The columns in the files of these names, which stay mapped."""
    # asarray takes off numpy's memmap class, which makes slices slow
    return [np.asarray(np.load(folder / f"{name}.npy", mmap_mode="r")) for name in names]
