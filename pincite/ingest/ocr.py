"""Text out of pictures: rapidocr where it is installed (the extra `ocr`), else tesseract where it is on the path.

What an engine reads comes as words with their boxes, in points of the page, so that everything after (lines, columns,
tables, the tree) is as for a text layer.
"""

from __future__ import annotations

import csv
import io
import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Protocol

from pincite.ingest.page import Word
from pincite.types import Box

if TYPE_CHECKING:
    import PIL.Image

LEAST = 0.6
"""What an engine reads with less confidence is left out (HERO takes the same)."""
DOUBTFUL = 0.8
"""A picture read with less confidence may stand upside down."""
TESSERACT_S = 120
HEIGHT_TO_SIZE = 0.75  # a line's box is so much higher than its font is large


@dataclass(frozen=True, slots=True)
class Seen:
    """Words read off a picture, and how sure the engine is of them, weighted by their length."""

    words: tuple[Word, ...] = ()
    confidence: float = 0.0


class Engine(Protocol):
    """Reads (text, box in pixels, confidence) of the words of a picture."""

    name: str

    def __call__(self, picture: PIL.Image.Image) -> list[tuple[str, Box, float]]:
        """Read one picture."""
        ...


@lru_cache(maxsize=1)
def engine() -> Engine | None:
    """The engine that this machine has, loaded once a process; None when it has none."""
    try:
        return _Rapid()
    except ImportError:
        return _Tesseract() if shutil.which("tesseract") else None


@lru_cache(maxsize=1)
def engine_name() -> str:
    """The name of the engine that there is, without loading it; empty when there is none."""
    from importlib.util import find_spec

    return "rapidocr" if find_spec("rapidocr") else "tesseract" if shutil.which("tesseract") else ""


def see(picture: PIL.Image.Image, scale: float, at: tuple[float, float] = (0.0, 0.0)) -> Seen:
    """Read a picture of (a part of) a page, `scale` pixels to the point, whose top left corner is `at` on the page.

    A picture that stands on its side or upside down is turned. An empty one gives no words, and so does any picture where
    there is no engine.
    """
    reading = engine()
    if reading is None:
        return Seen()
    found = reading(picture)
    upright = _placed(found, scale, at)
    if _on_its_side(found):
        return _surest([_turned(reading, picture, scale, at, angle) for angle in (90, 270)])
    if found and upright.confidence < DOUBTFUL:
        return _surest([upright, _turned(reading, picture, scale, at, 180)])
    return upright


def _placed(found: Sequence[tuple[str, Box, float]], scale: float, at: tuple[float, float], angle: int = 0) -> Seen:
    words, weight, sure = [], 0, 0.0
    for text, (x0, top, x1, bottom), confidence in found:
        if confidence < LEAST or not text.strip():
            continue
        box = (at[0] + x0 / scale, at[1] + top / scale, at[0] + x1 / scale, at[1] + bottom / scale)
        across = box[3] - box[1] if angle in (0, 180) else box[2] - box[0]
        words.append(Word(text, box, size=HEIGHT_TO_SIZE * across, angle=angle))
        weight, sure = weight + len(text), sure + len(text) * confidence
    return Seen(tuple(words), sure / weight if weight else 0.0)


def _on_its_side(found: Sequence[tuple[str, Box, float]]) -> bool:
    sides = [(box[2] - box[0], box[3] - box[1]) for text, box, _ in found if len(text) > 1]
    tall = sum(height for width, height in sides if height > width)
    return tall > 0.6 * sum(max(both) for both in sides)


def _turned(reading: Engine, picture: PIL.Image.Image, scale: float, at: tuple[float, float], angle: int) -> Seen:
    """A picture read after turning it by `angle`, with the boxes turned back."""
    width, height = picture.size

    def back(b: Box) -> Box:
        if angle == 90:
            return b[1], height - b[2], b[3], height - b[0]
        if angle == 270:
            return width - b[3], b[0], width - b[1], b[2]
        return width - b[2], height - b[3], width - b[0], height - b[1]

    found = reading(picture.rotate(-angle, expand=True))
    return _placed([(text, back(box), sure) for text, box, sure in found], scale, at, angle)


def _surest(ways: Sequence[Seen]) -> Seen:
    return max(ways, key=lambda one: one.confidence * sum(len(word.text) for word in one.words))


class _Rapid:
    """PP-OCR models on onnxruntime; one model reads the languages written in Latin letters, and Chinese and Japanese."""

    name = "rapidocr"

    def __init__(self) -> None:
        import rapidocr

        threads = int(os.environ.get("OMP_NUM_THREADS", "0")) or -1
        self._read: Any = rapidocr.RapidOCR(
            params={
                "Global.log_level": "critical",
                "Global.text_score": LEAST,
                "EngineConfig.onnxruntime.intra_op_num_threads": threads,
            }
        )

    def __call__(self, picture: PIL.Image.Image) -> list[tuple[str, Box, float]]:
        """Read one picture."""
        import numpy as np

        pixels = np.ascontiguousarray(np.asarray(picture.convert("RGB"))[:, :, ::-1])
        read = self._read(pixels, return_word_box=True, use_cls=False)
        if read.txts is None:
            return []
        found: list[tuple[str, Box, float]] = []
        for corners, text, score, parts in zip(read.boxes, read.txts, read.scores, read.word_results, strict=True):
            line = _around(corners)
            found += [(word, box, float(score)) for word, box in _words(text, line, parts)]
        return found


def _around(corners: Any) -> Box:
    xs, ys = [float(x) for x, _ in corners], [float(y) for _, y in corners]
    return min(xs), min(ys), max(xs), max(ys)


def _words(text: str, line: Box, parts: Any) -> list[tuple[str, Box]]:
    """The words of a line with their boxes: those that the engine tells, joined where it cut a word in two.

    Where its pieces do not make up the line, each word takes its share of the line's length.
    """
    wanted = text.split()
    if line[3] - line[1] > 1.5 * (line[2] - line[0]):  # on its side: what the engine says of the pieces does not hold
        shared = _shared(wanted, (line[1], line[0], line[3], line[2]))
        return [(word, (box[1], box[0], box[3], box[2])) for word, box in shared]
    pieces = [(str(piece), _around(corners)) for piece, _, corners in parts or ()]
    made: list[tuple[str, Box]] = []
    at = 0
    for word in wanted:
        held, boxes = "", []
        while at < len(pieces) and len(held) < len(word):
            held += "".join(pieces[at][0].split())
            boxes.append(pieces[at][1])
            at += 1
        if held != word or not boxes:
            return _shared(wanted, line)
        made.append((word, (min(box[0] for box in boxes), line[1], max(box[2] for box in boxes), line[3])))
    return made


def _shared(words: Sequence[str], line: Box) -> list[tuple[str, Box]]:
    step = (line[2] - line[0]) / max(sum(map(len, words)) + len(words) - 1, 1)
    made, at = [], line[0]
    for word in words:
        made.append((word, (at, line[1], at + step * len(word), line[3])))
        at += step * (len(word) + 1)
    return made


class _Tesseract:
    """The program `tesseract`, with one thread: more of them make it slower on few cores."""

    name = "tesseract"

    def __call__(self, picture: PIL.Image.Image) -> list[tuple[str, Box, float]]:
        """Read one picture; one that takes longer than two minutes gives no words."""
        file = io.BytesIO()
        picture.save(file, "PNG")
        try:
            done = subprocess.run(
                ["tesseract", "stdin", "stdout", "--psm", "3", "tsv"],
                input=file.getvalue(),
                capture_output=True,
                timeout=TESSERACT_S,
                env={**os.environ, "OMP_THREAD_LIMIT": "1"},
            )
        except subprocess.TimeoutExpired:
            return []
        return read_tsv(done.stdout.decode("utf-8", "replace"))


def read_tsv(text: str) -> list[tuple[str, Box, float]]:
    """The words of tesseract's table of results; the heights of a line's words are made one."""
    rows = list(csv.DictReader(io.StringIO(text), delimiter="\t", quoting=csv.QUOTE_NONE))
    lines: dict[tuple[str, ...], list[tuple[str, Box, float]]] = {}
    for row in rows:
        if row.get("level") != "5" or not (row.get("text") or "").strip():
            continue
        x, y, width, height = (float(row[name]) for name in ("left", "top", "width", "height"))
        line = (row["page_num"], row["block_num"], row["par_num"], row["line_num"])
        word = (row["text"].strip(), (x, y, x + width, y + height), float(row["conf"]) / 100)
        lines.setdefault(line, []).append(word)
    made = []
    for words in lines.values():
        top, bottom = min(box[1] for _, box, _ in words), max(box[3] for _, box, _ in words)
        made += [(one, (box[0], top, box[2], bottom), sure) for one, box, sure in words]
    return made
