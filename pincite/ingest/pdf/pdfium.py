"""pdfium's C functions with plain pointer arguments, and the frame that turns its coordinates into displayed ones.

A page needs thousands of tiny calls. Bound this way (bare addresses, no release of the interpreter lock) one costs
about 0.3 microseconds, a third of what the typed bindings cost. pdfium is not thread-safe: one process, one thread.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from functools import lru_cache
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_HANDLE, _INT = ctypes.c_void_p, ctypes.c_int
_SIGNATURES: dict[str, tuple[Any, ...]] = {  # name here: (pdfium's name, result, arguments)
    "load_page": ("FPDF_LoadPage", _HANDLE, _HANDLE, _INT),
    "close_page": ("FPDF_ClosePage", None, _HANDLE),
    "page_box": ("FPDF_GetPageBoundingBox", _INT, _HANDLE, _HANDLE),
    "rotation": ("FPDFPage_GetRotation", _INT, _HANDLE),
    "load_text": ("FPDFText_LoadPage", _HANDLE, _HANDLE),
    "close_text": ("FPDFText_ClosePage", None, _HANDLE),
    "count_chars": ("FPDFText_CountChars", _INT, _HANDLE),
    "unicode": ("FPDFText_GetUnicode", ctypes.c_uint, _HANDLE, _INT),
    "char_box": ("FPDFText_GetLooseCharBox", _INT, _HANDLE, _INT, _HANDLE),
    "text_object": ("FPDFText_GetTextObject", _HANDLE, _HANDLE, _INT),
    "text_matrix": ("FPDFText_GetMatrix", _INT, _HANDLE, _INT, _HANDLE),
    "font_size": ("FPDFText_GetFontSize", ctypes.c_double, _HANDLE, _INT),
    "font": ("FPDFTextObj_GetFont", _HANDLE, _HANDLE),
    "font_name": ("FPDFFont_GetBaseFontName", ctypes.c_size_t, _HANDLE, _HANDLE, ctypes.c_size_t),
    "font_flags": ("FPDFFont_GetFlags", _INT, _HANDLE),
    "font_weight": ("FPDFFont_GetWeight", _INT, _HANDLE),
    "count_objects": ("FPDFPage_CountObjects", _INT, _HANDLE),
    "object": ("FPDFPage_GetObject", _HANDLE, _HANDLE, _INT),
    "object_type": ("FPDFPageObj_GetType", _INT, _HANDLE),
    "object_bounds": ("FPDFPageObj_GetBounds", _INT, _HANDLE, _HANDLE, _HANDLE, _HANDLE, _HANDLE),
    "object_matrix": ("FPDFPageObj_GetMatrix", _INT, _HANDLE, _HANDLE),
    "fill_color": ("FPDFPageObj_GetFillColor", _INT, _HANDLE, _HANDLE, _HANDLE, _HANDLE, _HANDLE),
    "count_form_objects": ("FPDFFormObj_CountObjects", _INT, _HANDLE),
    "form_object": ("FPDFFormObj_GetObject", _HANDLE, _HANDLE, ctypes.c_ulong),
    "draw_mode": ("FPDFPath_GetDrawMode", _INT, _HANDLE, _HANDLE, _HANDLE),
    "count_segments": ("FPDFPath_CountSegments", _INT, _HANDLE),
    "segment": ("FPDFPath_GetPathSegment", _HANDLE, _HANDLE, _INT),
    "segment_point": ("FPDFPathSegment_GetPoint", _INT, _HANDLE, _HANDLE, _HANDLE),
    "segment_type": ("FPDFPathSegment_GetType", _INT, _HANDLE),
}


@lru_cache(maxsize=1)
def pdfium() -> SimpleNamespace:
    """The functions of pdfium that a page is read with, under short names; handles and outputs are addresses."""
    import pypdfium2.raw

    def bound(name: str, result: Any, *arguments: Any) -> Any:
        address = ctypes.cast(getattr(pypdfium2.raw, name), ctypes.c_void_p).value or 0
        return ctypes.PYFUNCTYPE(result, *arguments)(address)

    return SimpleNamespace(
        **{short: bound(*signature) for short, signature in _SIGNATURES.items()}
    )


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
        api = pdfium()
        box = (ctypes.c_float * 4)()
        api.page_box(page, ctypes.addressof(box))
        left, top, right, bottom = box
        rotation = api.rotation(page) % 4
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
