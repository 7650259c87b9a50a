"""The terms of rows as engines hold them, and what is kept beside them here: the length of every row and its languages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pincite.index.term_counts import CountedTerms, counted_terms, with_parts
from pincite.language import ENGLISH
from pincite.types import Entry


@dataclass(frozen=True, slots=True, eq=False)
class RowFacts:
    """Of every row how many terms it has, and its languages, codes with a space between."""

    lengths: NDArray[np.int64]
    spoken: NDArray[np.str_]

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages that rows are written in."""
        codes = {code for several in np.unique(self.spoken).tolist() for code in several.split()}
        return tuple(sorted(codes)) or (ENGLISH,)

    def joined(self, new: RowFacts, rows: NDArray[np.int64]) -> RowFacts:
        """These and new ones: `rows[i]` is the row of these that row i is, or -1 where it is the next of the new ones."""
        at = np.where(rows < 0, len(self.lengths) + np.cumsum(rows < 0) - 1, rows)
        return RowFacts(
            np.concatenate((self.lengths, new.lengths))[at],
            np.concatenate((self.spoken, new.spoken))[at],
        )

    def save(self, folder: Path) -> None:
        """Write this beside the rows of an index."""
        np.save(folder / "lengths.npy", self.lengths.astype(np.int32))
        codes, at = np.unique(self.spoken, return_inverse=True)
        np.save(folder / "codes.npy", codes)
        np.save(folder / "spoken.npy", at.astype(np.min_scalar_type(len(codes))))


def read_facts(folder: Path) -> RowFacts:
    """Read what `save` wrote. Raises OSError or ValueError when it is damaged or missing."""
    lengths, codes, at = (
        np.load(folder / f"{name}.npy") for name in ("lengths", "codes", "spoken")
    )
    return RowFacts(lengths.astype(np.int64), codes[at] if len(codes) else np.empty(0, np.str_))


def terms_of(entries: Sequence[Entry], bigrams: bool) -> tuple[CountedTerms, RowFacts]:
    """The terms of entries by term and row, the parts of compounds among them, and the facts of these rows."""
    held = with_parts(counted_terms(entries, bigrams))
    return held, RowFacts(held.lengths, held.spoken)
