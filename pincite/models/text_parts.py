"""What encoders share: windows of so many of their own tokens, the parts in which a text is read that is longer than they take at
once, and vectors in the form that the port requires.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING

import numpy as np

from pincite.formats.spell import spell

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

Span = tuple[int, int]
"""Where a token starts and ends, in characters from 0."""
Spans = Callable[[str], Sequence[Span]]
"""Cuts a text into all its tokens."""

UNSAID = 512
"""Tokens that an encoder is given at once which does not say how many it takes: nearly every one takes so many."""
ENDLESS = 1_000_000
"""A limit above this is how tokenizers write that they have none."""


def encodable(text: str) -> str:
    """A text that tokenizers and UTF-8 take: without half a surrogate pair, which a damaged text may hold."""
    return text.encode(errors="replace").decode()


def told_apart(fixed: str, encoder: object) -> str:
    """The revision of an encoder whose weights `fixed` names: with a digest of the parameters that make other vectors."""
    return f"{fixed}-{blake2b(spell(encoder).encode(), digest_size=6).hexdigest()}"


def token_windows(text: str, spans_of: Spans, tokens: int, overlap: int) -> Iterator[Span]:
    """The [start, end) of every window in `text`; together they cover it, and a blank text has none."""
    if not 0 <= overlap < tokens:
        raise ValueError(
            f"overlap {overlap} must be at least 0 and less than the window of {tokens} tokens"
        )
    if not text.strip():
        return
    spans = spans_of(text)
    first = 0
    while True:
        last = first + tokens
        if last >= len(spans):
            yield spans[first][0] if first else 0, len(text)
            return
        last = word_start(spans, last, above=first)
        yield spans[first][0] if first else 0, spans[last][0]
        first = max(word_start(spans, max(last - overlap, first + 1), above=first), first + 1)


def word_start(spans: Sequence[Span], at: int, above: int) -> int:
    """The last token up to `at` that begins a word and comes after `above`; `at` itself in a run without a gap."""
    return next(
        (place for place in range(at, above, -1) if spans[place - 1][1] < spans[place][0]), at
    )


def parts(text: str, spans_of: Spans, most: int) -> list[tuple[str, int]]:
    """The text in parts of at most `most` tokens, each with how many it has: halved between words until each part fits."""
    if len(text.encode(errors="replace")) <= most:  # a token is a byte at least
        return [(text, max(len(text), 1))]
    spans = spans_of(text)
    if len(spans) <= most or len(spans) < 2:
        return [(text, max(len(spans), 1))]
    middle = spans[word_start(spans, -(-len(spans) // 2), above=0)][0]
    if not 0 < middle < len(text):
        return [(text, len(spans))]
    return [*parts(text[:middle], spans_of, most), *parts(text[middle:], spans_of, most)]


def read_whole(
    texts: Sequence[str],
    spans_of: Spans,
    most: int,
    encode: Callable[[Sequence[str]], NDArray[np.float32]],
) -> NDArray[np.float32]:
    """The unit rows of texts that `encode` reads up to `most` tokens of: a longer text is read in parts.

    It has the mean of their vectors, each with the weight of its tokens, so that no word of a text counts for nothing.
    """
    cut = [parts(text, spans_of, most) for text in texts]
    flat = [part for pieces in cut for part, _ in pieces]
    rows = encode(flat)
    if len(flat) == len(texts):
        return rows
    weights = np.array([[tokens] for pieces in cut for _, tokens in pieces], np.float32)
    starts = np.cumsum([0, *(len(pieces) for pieces in cut)])[:-1]
    summed = np.add.reduceat(rows * weights, starts, axis=0)
    whole = summed / np.maximum(np.linalg.norm(summed, axis=1, keepdims=True), 1e-12)
    single = np.array([len(pieces) == 1 for pieces in cut])
    whole[single] = rows[starts[single]]  # unchanged to the last bit
    return np.ascontiguousarray(whole, np.float32)


def unit_rows(rows: ArrayLike) -> NDArray[np.float32]:
    """The rows of an (n, dims) array scaled to length 1; ValueError for one that has no direction (zeros, NaN, infinity)."""
    wide = np.asarray(rows, np.float64)
    if wide.ndim != 2:
        raise ValueError(f"vectors make rows of one length, not an array of shape {wide.shape}")
    # the largest part first, or squares of large numbers would overflow
    largest = np.abs(wide).max(axis=1, initial=0.0, keepdims=True)
    if bad := int((~np.isfinite(largest) | (largest == 0)).sum()):
        wrong = "vectors hold only zeros, or NaN or infinite values"
        raise ValueError(f"{bad} of {len(wide)} {wrong}")
    wide = wide / largest
    return np.asarray(wide / np.linalg.norm(wide, axis=1, keepdims=True), np.float32)


def evenly(start: int, end: int, tokens: int) -> list[Span]:
    """The characters from `start` to `end` as so many tokens of about the same length, no more than there are characters."""
    count = min(max(tokens, 1), end - start)
    edges = [start + (end - start) * step // count for step in range(count + 1)]
    return list(zip(edges, edges[1:], strict=False))
