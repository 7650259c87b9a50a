"""Vectors in the form that the encoder port requires: unit rows of float32."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


def unit_rows(rows: ArrayLike) -> NDArray[np.float32]:
    """The rows of an (n, dims) array scaled to length 1; ValueError for one that has no direction (zeros, NaN, infinity)."""
    wide = np.asarray(rows, np.float64)
    if wide.ndim != 2:
        raise ValueError(f"vectors make rows of one length, not an array of shape {wide.shape}")
    # the largest part first, or squares of large numbers would overflow
    largest = np.abs(wide).max(axis=1, initial=0.0, keepdims=True)
    if bad := int((~np.isfinite(largest) | (largest == 0)).sum()):
        raise ValueError(
            f"{bad} of {len(wide)} vectors hold only zeros, or NaN or infinite values"
        )
    wide = wide / largest
    unit: NDArray[np.float32] = (wide / np.linalg.norm(wide, axis=1, keepdims=True)).astype(
        np.float32
    )
    return unit
