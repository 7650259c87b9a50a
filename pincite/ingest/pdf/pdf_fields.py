"""What was typed into a PDF page: the values of its form fields and its free text, as words with their places."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pincite.ingest.layout.boxes import around, is_within, middle, overlap
from pincite.ingest.pdf.pdf_words import words
from pincite.ingest.pdf.pdfium import PDFIUM, Frame, loaded_page
from pincite.ingest.raw_page import Word
from pincite.types import Box

TICKED, EMPTY = "☒", "☐"  # what check boxes and radio buttons read, as in a text document
BESIDE = 1.5  # the caption of a button begins or ends at most this many of its heights away

_FREE_TEXT, _WIDGET = 3, 20
_CHECK, _RADIO, _COMBO, _LIST, _TEXT = range(2, 7)
_HIDDEN, _NO_VIEW, _PASSWORD = 1 << 1, 1 << 5, 1 << 13
_WITH_ANNOTATIONS, _FOR_DISPLAY = 1, 0


@dataclass(frozen=True, slots=True)
class _Field:
    """A field with a value, or a free text; `drawn` where its appearance is text that shows the value."""

    value: str
    box: Box
    drawn: bool


def typed_words(
    document: Any, number: int, page: int, frame: Frame, printed: Sequence[Word]
) -> list[Word]:
    """The words of the form fields and free texts on a loaded page that are not `printed` on it as well.

    They stand where they are drawn. Hidden fields, passwords and notes are left out. In memory, the page is changed:
    what its fields draw becomes part of its content.
    """
    fields = _fields(document, page, frame, printed)
    drawn: list[Word] = []
    if any(field.drawn for field in fields):
        # pdfium gives an appearance to what has none, or an old one, when it draws: here beside the bitmap, which takes no time
        bitmap = PDFIUM.FPDFBitmap_Create(1, 1, 0)
        PDFIUM.FPDF_RenderPageBitmap(bitmap, page, 2, 2, 1, 1, 0, _WITH_ANNOTATIONS)
        PDFIUM.FPDFBitmap_Destroy(bitmap)
        PDFIUM.FPDFPage_Flatten(page, _FOR_DISPLAY)
        with loaded_page(document, number) as changed:
            known = set(printed)
            drawn = [word for word in words(changed, frame)[0] if word not in known]
    return [word for field in fields for word in _words_of_field(field, drawn, printed)]


def _fields(document: Any, page: int, frame: Frame, printed: Sequence[Word]) -> list[_Field]:
    """The fields and free texts that the page shows and that have a value; all other annotations are hidden."""
    count = PDFIUM.FPDFPage_GetAnnotCount(page)
    if not count:
        return []
    form = ctypes.cast(document.formenv.raw, ctypes.c_void_p) if document.formenv else None
    PDFIUM.FORM_OnAfterLoadPage(page, form)
    try:
        found = (_field(page, at, form, frame, printed) for at in range(count))
        return list(filter(None, found))
    finally:
        PDFIUM.FORM_OnBeforeClosePage(page, form)


def _field(page: int, at: int, form: Any, frame: Frame, printed: Sequence[Word]) -> _Field | None:
    """Annotation number `at` if it is a field or free text with a value; it is hidden unless it draws that as text."""
    annotation = PDFIUM.FPDFPage_GetAnnot(page, at)
    if not annotation:
        return None
    try:
        flags = PDFIUM.FPDFAnnot_GetFlags(annotation)
        box = _box(annotation, frame)
        value, drawn = "", False
        seen = is_within(box, (0.0, 0.0, frame.width, frame.height)) and overlap(box, box)
        if seen and not flags & (_HIDDEN | _NO_VIEW):
            value, drawn = _value(annotation, form, box, printed)
        if not (value and drawn):
            PDFIUM.FPDFAnnot_SetFlags(annotation, flags | _HIDDEN)
        return _Field(value, box, drawn) if value else None
    finally:
        PDFIUM.FPDFPage_CloseAnnot(annotation)


def _box(annotation: int, frame: Frame) -> Box:
    rect = (ctypes.c_float * 4)()
    PDFIUM.FPDFAnnot_GetRect(annotation, ctypes.addressof(rect))
    left, top, right, bottom = np.array(rect, dtype=np.float64)[:, None]
    x0, y0, x1, y1 = frame.boxes(left, bottom, right, top)[0].round(2).tolist()
    return x0, y0, x1, y1


def _value(annotation: int, form: Any, box: Box, printed: Sequence[Word]) -> tuple[str, bool]:
    """What an annotation says, and whether its appearance says the same; "" if it is none that is typed or ticked."""
    kind = PDFIUM.FPDFAnnot_GetSubtype(annotation)
    if kind == _FREE_TEXT:
        return _read_text(PDFIUM.FPDFAnnot_GetStringValue, annotation, b"Contents"), True
    if kind != _WIDGET or form is None:
        return "", False
    kind = PDFIUM.FPDFAnnot_GetFormFieldType(form, annotation)
    if kind in (_CHECK, _RADIO):
        return _mark(annotation, form, box, printed), False
    secret = PDFIUM.FPDFAnnot_GetFormFieldFlags(form, annotation) & _PASSWORD
    if kind not in (_COMBO, _LIST, _TEXT) or kind == _TEXT and secret:
        return "", False
    labels: list[str] = []
    if kind != _TEXT:
        options = range(PDFIUM.FPDFAnnot_GetOptionCount(form, annotation))
        chosen = (at for at in options if PDFIUM.FPDFAnnot_IsOptionSelected(form, annotation, at))
        labels = [
            _read_text(PDFIUM.FPDFAnnot_GetOptionLabel, form, annotation, at) for at in chosen
        ]
    value = "\n".join(labels) or _read_text(PDFIUM.FPDFAnnot_GetFormFieldValue, form, annotation)
    return value, True


def _mark(annotation: int, form: Any, box: Box, printed: Sequence[Word]) -> str:
    """The mark of a button; with the value that it stands for if it is one of several and no caption stands beside it."""
    mark = TICKED if PDFIUM.FPDFAnnot_IsChecked(form, annotation) else EMPTY
    reach, (_, y) = BESIDE * (box[3] - box[1]), middle(box)
    near = (box[0] - reach, y, box[2] + reach, y)
    captioned = any(overlap(word.box, near) for word in printed)
    if captioned or PDFIUM.FPDFAnnot_GetFormControlCount(form, annotation) < 2:
        return mark
    return f"{mark} {_read_text(PDFIUM.FPDFAnnot_GetFormFieldExportValue, form, annotation)}"


def _read_text(call: Callable[..., int], *given: Any) -> str:
    """The text that a function of pdfium writes into a buffer."""
    size = call(*given, None, 0)
    buffer = ctypes.create_string_buffer(size)
    call(*given, ctypes.addressof(buffer), size)
    return buffer.raw.decode("utf-16-le", "replace").strip("\0 \r\n\t")


def _words_of_field(field: _Field, drawn: Sequence[Word], printed: Sequence[Word]) -> list[Word]:
    """The words of a field: those of its value where they are drawn; what is drawn if that is the value in another format;
    else its value laid out.
    """
    own = [word for word in drawn if is_within(word.box, field.box)] if field.drawn else []
    found = _find_spelled(field.value, own)
    if not found:
        letters = iter(_letters(own))
        formatted = all(letter in letters for letter in "".join(field.value.split()))
        found = own if formatted else _lay_out(field)
    behind = _letters(word for word in printed if is_within(word.box, field.box))
    return [] if _letters(found) in behind else found


def _find_spelled(value: str, drawn: Sequence[Word]) -> list[Word]:
    """The words of a value whose lines are spelled by drawn words, in whatever pieces; [] if one is not."""
    owner = [word for word in drawn for _ in word.text]
    letters, at = _letters(drawn), 0
    found = []
    for line in value.splitlines():
        at = letters.find("".join(line.split()), at)
        if at < 0:
            return []
        for text in line.split():
            own = owner[at : at + len(text)]
            found.append(replace(own[0], text=text, box=around(word.box for word in own)))
            at += len(text)
    return found


def _lay_out(field: _Field) -> list[Word]:
    """The words of a value in lines of equal height from the top of its box, each as wide as its share of the line."""
    x0, top, x1, bottom = field.box
    texts = field.value.splitlines()
    height = (bottom - top) / len(texts)
    found = []
    for row, text in enumerate(texts):
        low = top + row * height
        letter = min((x1 - x0) / len(text or " "), height / 2)
        for match in re.finditer(r"\S+", text):
            left, right = (x0 + letter * end for end in match.span())
            found.append(Word(match[0], (left, low, right, low + height), height))
    return found


def _letters(words: Iterable[Word]) -> str:
    return "".join(word.text for word in words)
