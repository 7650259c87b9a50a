"""pdfium's C functions with plain pointer arguments, and the frame that turns its coordinates into displayed ones.

A page needs thousands of tiny calls. Bound this way (bare addresses, no release of the interpreter lock) one costs
about 0.3 microseconds, a third of what the typed bindings cost. pdfium is not thread-safe: one process, one thread.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_NUMBERS = (ctypes.c_int, ctypes.c_uint, ctypes.c_ulong, ctypes.c_float, ctypes.c_double, None)


class _Pdfium:
    """The functions of pdfium by their own names, each bound when it is first asked for; handles and outputs are addresses."""

    def __getattr__(self, name: str) -> Any:
        import pypdfium2.raw

        function = getattr(pypdfium2.raw, name)
        kinds = (function.restype, *function.argtypes)
        plain = (kind if kind in _NUMBERS else ctypes.c_void_p for kind in kinds)
        address = ctypes.cast(function, ctypes.c_void_p).value or 0
        setattr(self, name, ctypes.PYFUNCTYPE(*plain)(address))
        return vars(self)[name]


PDFIUM = _Pdfium()


@contextmanager
def loaded_page(document: Any, number: int) -> Iterator[int]:
    """The handle of a page (1-based) of an open document; 0 if it is damaged."""
    page = PDFIUM.FPDF_LoadPage(ctypes.cast(document.raw, ctypes.c_void_p), number - 1) or 0
    try:
        yield page
    finally:
        PDFIUM.FPDF_ClosePage(page)


@dataclass(frozen=True, slots=True)
class Frame:
    """How a page is displayed: its size, and the affine map (a b c d e f) from PDF space to the displayed page.

    PDF space has its origin at the bottom left; the displayed page is its crop box turned by its rotation, with the
    origin at the top left.
    """

    width: float
    height: float
    map: tuple[float, float, float, float, float, float]
    rotation: int

    @classmethod
    def of(cls, page: int) -> Frame:
        """The frame of a loaded page."""
        box = (ctypes.c_float * 4)()
        PDFIUM.FPDF_GetPageBoundingBox(page, ctypes.addressof(box))
        left, top, right, bottom = box
        rotation = PDFIUM.FPDFPage_GetRotation(page) % 4
        maps = (
            (1.0, 0.0, 0.0, -1.0, -left, top),
            (0.0, 1.0, 1.0, 0.0, -bottom, -left),
            (-1.0, 0.0, 0.0, 1.0, right, -bottom),
            (0.0, -1.0, -1.0, 0.0, top, right),
        )
        size = right - left, top - bottom
        width, height = size[::-1] if rotation % 2 else size
        return cls(width, height, maps[rotation], rotation)

    def points(self, x: Floats, y: Floats) -> tuple[Floats, Floats]:
        """Points of PDF space on the displayed page."""
        a, b, c, d, e, f = self.map
        return a * x + c * y + e, b * x + d * y + f

    def boxes(self, x0: Floats, y0: Floats, x1: Floats, y1: Floats) -> Floats:
        """Boxes of PDF space as rows x0, top, x1, bottom of the displayed page, shape (n, 4)."""
        ax, ay = self.points(x0, y0)
        bx, by = self.points(x1, y1)
        return np.stack(
            [np.minimum(ax, bx), np.minimum(ay, by), np.maximum(ax, bx), np.maximum(ay, by)],
            axis=1,
        )
