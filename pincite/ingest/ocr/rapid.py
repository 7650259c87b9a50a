"""The PP-OCR models of the package rapidocr: lines are detected on a small picture and read from the large one.

Every line is read by itself, so that what is held at a time does not grow with the page. Words end where the model reads a
space and where the line shows one; a vertical line is read in the direction that gives the higher confidence.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pincite.formats.bounds import Bounds, within
from pincite.ingest.ocr.ocr_settings import PictureWord, alive, rapidocr_models
from pincite.ingest.ocr.rapid_words import HEIGHT, STEP, LineWord, rows_of, words_of

if TYPE_CHECKING:
    import PIL.Image

Pixels = NDArray[Any]
Points = NDArray[Any]

LOOKED_AT = 1_400_000  # pixels that lines are detected on, at most: 120 to the inch of a page
LIKELY, SURE, GROWN = 0.3, 0.4, 1.6
"""PP-OCR's own: how likely a point is of text, how sure a line is, and how much it is larger than its kernel."""
LONGEST = 3200  # pixels of a line that is read at once; longer ones are cut where there is a space
LOWEST, RULE = 5, 300  # pixels of a line's height; how much longer than high a rule is
UPRIGHT = 1.5  # a line so much higher than wide may stand on its side; twice as high, it does
INK = 40  # steps of grey by which ink differs from the ground where a long line is cut
DOUBTFUL = 0.8  # a picture read with less confidence may stand upside down


@dataclass(frozen=True, slots=True)
class _ReadLine:
    """A line as it was read, and the shares of its height between which its ink stands."""

    words: tuple[LineWord, ...] = ()
    sure: float = 0.0
    rows: tuple[float, float] = (0.0, 1.0)

    @property
    def letters(self) -> int:
        """How many letters it has."""
        return sum(len(word.text) for word in self.words)


_Cut = tuple[Points, Pixels]  # the corners of a line, and what is within them, set straight
PlacedLine = tuple[Points, _ReadLine, int]  # its corners, what it says, its direction


class Rapid:
    """Reads pictures; the models are loaded when the first is read. Raises ImportError where there are none."""

    name = "rapidocr"

    def __init__(self) -> None:
        if (held := rapidocr_models()) is None:
            raise ImportError("rapidocr is not installed, or without its models")
        self._detects, self._reads = held

    def __call__(self, picture: PIL.Image.Image) -> list[PictureWord]:
        """The words of a picture, line by line from the top; those that stand upright come last."""
        pixels = np.ascontiguousarray(np.asarray(picture.convert("RGB"))[:, :, ::-1])
        found = self._detected(pixels)
        level, upright = list[_Cut](), list[_Cut]()
        for corners in sorted(found, key=lambda one: (one[:, 1].mean(), one[0, 0])):
            held = _cut_out(pixels, corners)
            height, width = held.shape[:2]
            if min(height, width) >= LOWEST and max(height, width) <= RULE * min(height, width):
                (upright if height >= UPRIGHT * width else level).append((corners, held))
        lines = [*self._level(level), *(self._upright(*line) for line in upright)]
        straight = _set_straight(lines, pixels.shape[1])
        return [word for placed in straight for word in _picture_words(*placed)]

    # ---- where the lines are

    def _detected(self, pixels: Pixels) -> Iterator[Points]:
        """The corners of each line, clockwise from the upper left: see Liao et al., Differentiable Binarization (2020)."""
        import cv2

        height, width = pixels.shape[:2]
        ratio = min(1.0, (LOOKED_AT / (height * width)) ** 0.5)
        high, wide = (max(32, round(side * ratio / 32) * 32) for side in (height, width))
        small = cv2.resize(pixels, (wide, high), interpolation=cv2.INTER_AREA)
        likely = _run(self._detector, small)[0]
        kernels = cv2.dilate((likely > LIKELY).astype(np.uint8), np.ones((2, 2), np.uint8))
        for outline in cv2.findContours(kernels, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)[0]:
            centre, (long, short), turn = cv2.minAreaRect(outline)
            kernel = cv2.boxPoints((centre, (long, short), turn))
            if min(long, short) < 3 or _mean(likely, kernel) < SURE:
                continue
            margin = long * short * GROWN / (long + short)
            grown = cv2.boxPoints((centre, (long + margin, short + margin), turn))
            corners = grown * (width / wide, height / high)
            yield _clockwise(corners.clip((0, 0), (width - 1, height - 1)))

    @cached_property
    def _detector(self) -> Any:
        return _session(self._detects)

    # ---- what they say

    def _level(self, lines: Sequence[_Cut]) -> list[PlacedLine]:
        """Read the lines that lie level, and once more upside down where they are read with doubt."""
        found = [(corners, self._line(held), 0) for corners, held in lines]
        if not found or _sureness(found) >= DOUBTFUL:
            return found
        turned = [(corners, self._line(np.rot90(held, 2)), 180) for corners, held in lines]
        return max(found, turned, key=_sureness)

    def _upright(self, corners: Points, held: Pixels) -> PlacedLine:
        """Read a line that is higher than wide in the direction in which that is surest."""
        height, width = held.shape[:2]
        turns = (90, 270) if height >= 2 * UPRIGHT * width else (0, 90, 270)
        ways = [(corners, self._line(np.rot90(held, -turn // 90)), turn) for turn in turns]
        return max(ways, key=lambda way: way[1].sure)

    def _line(self, held: Pixels) -> _ReadLine:
        """Read one line that stands level."""
        import cv2

        alive.get()()
        height, width = held.shape[:2]
        wide = max(STEP, -(-HEIGHT * width // height))
        if wide > LONGEST:
            return self._halves(held)
        way = cv2.INTER_AREA if height > HEIGHT else cv2.INTER_LINEAR
        small = cv2.resize(np.ascontiguousarray(held), (wide, HEIGHT), interpolation=way)
        scores = _run(self._reader, small, least=HEIGHT)
        best = scores.argmax(axis=1)
        starts = np.flatnonzero(np.diff(best, prepend=-1))
        ends = np.append(starts[1:], len(best))
        letters, sure = [], []
        for start, end in zip(starts, ends, strict=True):
            if letter := best[start]:
                sure.append(float(scores[start:end, letter].max()))
                letters.append((self._letters[letter], (start + end) * STEP / 2))
        if not letters:
            return _ReadLine()
        words = tuple(words_of(letters, small))
        return _ReadLine(words, sum(sure) / len(sure), rows_of(small))

    def _halves(self, held: Pixels) -> _ReadLine:
        """Read a long line in two parts, which meet in the widest gap near its middle."""
        width = held.shape[1]
        third = held[:, width // 3 : 2 * width // 3]
        ink = np.flatnonzero(np.ptp(third.mean(axis=2), axis=0) > INK)
        widest = int(np.argmax(np.diff(ink))) if len(ink) > 1 else 0
        at = width // 3 + (int(ink[widest] + ink[widest + 1]) // 2 if len(ink) > 1 else width // 6)
        left, right = self._line(held[:, :at]), self._line(held[:, at:])
        words = []
        for line, begin, share in ((left, 0, at / width), (right, at / width, 1 - at / width)):
            for word in line.words:
                start, end = begin + share * word.start, begin + share * word.end
                words.append(word._replace(start=start, end=end))
        weighed = left.letters * left.sure + right.letters * right.sure
        sure = weighed / max(left.letters + right.letters, 1)
        (top, bottom), (high, low) = left.rows, right.rows
        return _ReadLine(tuple(words), sure, (min(top, high), max(bottom, low)))

    @cached_property
    def _reader(self) -> Any:
        return _session(self._reads)

    @cached_property
    def _letters(self) -> Sequence[str]:
        """What each class stands for; the first is no letter at all."""
        letters = self._reader.get_modelmeta().custom_metadata_map["character"].splitlines()
        return ["", *letters, " "]


def _session(path: Path) -> Any:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    threads = within(os.environ.get("OMP_NUM_THREADS"), int, Bounds(0, 1024))
    options.intra_op_num_threads = threads or 0
    options.enable_cpu_mem_arena = False  # it would keep the most that any picture took
    options.log_severity_level = 4
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def _run(session: Any, pixels: Pixels, least: int = 0) -> NDArray[np.float32]:
    """What a model says of one picture, which is as wide as `least` with nothing on its right."""
    scaled = (pixels.astype(np.float32) / 127.5 - 1).transpose(2, 0, 1)
    if (missing := least - pixels.shape[1]) > 0:
        scaled = np.pad(scaled, ((0, 0), (0, 0), (0, missing)))
    made: NDArray[np.float32] = session.run(
        None, {session.get_inputs()[0].name: np.ascontiguousarray(scaled[None])}
    )[0][0]
    return made


# ---- corners


def _mean(likely: NDArray[np.float32], corners: Points) -> float:
    """How likely the points within four corners are."""
    import cv2

    low = np.floor(corners.min(axis=0)).astype(int).clip(0)
    high = np.ceil(corners.max(axis=0)).astype(int) + 1
    part = likely[low[1] : high[1], low[0] : high[0]]
    inside = np.zeros(part.shape, np.uint8)
    cv2.fillPoly(inside, [(corners - low).astype(np.int32)], (1,))
    return float(cv2.mean(part, inside)[0])


def _clockwise(corners: Points) -> Points:
    left, right = np.split(corners[np.argsort(corners[:, 0])], 2)
    left, right = left[np.argsort(left[:, 1])], right[np.argsort(right[:, 1])]
    return np.array([left[0], right[0], right[1], left[1]], np.float32)


def _size(corners: Points) -> tuple[int, int]:
    """The width and height within four corners."""
    sides = np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1)
    return max(1, int(max(sides[0], sides[2]))), max(1, int(max(sides[1], sides[3])))


def _cut_out(pixels: Pixels, corners: Points) -> Pixels:
    """What is within four corners, set straight."""
    import cv2

    width, height = _size(corners)
    onto = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    turn = cv2.getPerspectiveTransform(corners, onto)
    return cv2.warpPerspective(
        pixels, turn, (width, height), borderMode=cv2.BORDER_REPLICATE, flags=cv2.INTER_CUBIC
    )


def _set_straight(found: Sequence[PlacedLine], width: int) -> Iterator[PlacedLine]:
    """The lines of a page that lies askew as if it lay straight, so that what stands in a row has one height."""
    slopes = [
        ((right[1] - left[1]) / (right[0] - left[0]), int(right[0] - left[0]))
        for (left, right, _, _), line, angle in found
        if line.words and angle in (0, 180) and right[0] >= left[0] + 1
    ]
    told = np.repeat([slope for slope, _ in slopes], [length for _, length in slopes])
    # not the mean: a watermark may lie across
    slope = float(np.median(told)) if len(told) else 0.0
    for corners, line, angle in found:
        lowered = np.array([(0, slope * (x - width / 2)) for x, _ in corners], np.float32)
        yield corners - lowered, line, angle


def _picture_words(corners: Points, line: _ReadLine, angle: int) -> Iterator[PictureWord]:
    """The words of a line with their boxes: they are as high as the ink of the line."""
    (x0, top), (x1, bottom) = corners.min(axis=0), corners.max(axis=0)
    upper, lower = line.rows if angle in (0, 90) else (1 - line.rows[1], 1 - line.rows[0])
    high = float(x1 - x0)
    if angle in (0, 180):  # a line of its own slope is laid level about its middle
        middle, high = (top + bottom) / 2, _size(corners)[1]
        top, bottom = middle + (upper - 0.5) * high, middle + (lower - 0.5) * high
    else:
        x0, x1 = x0 + upper * (x1 - x0), x0 + lower * (x1 - x0)
    for text, start, end, raised in line.words:
        if angle in (0, 180):
            first, last = (start, end) if angle == 0 else (1 - end, 1 - start)
            box = (x0 + first * (x1 - x0), top, x0 + last * (x1 - x0), bottom)
        else:  # by 90 degrees it is written upwards, by 270 downwards
            first, last = (1 - end, 1 - start) if angle == 90 else (start, end)
            box = (x0, top + first * (bottom - top), x1, top + last * (bottom - top))
        yield PictureWord(text, tuple(map(float, box)), line.sure, angle, raised, high)  # type: ignore[arg-type]


def _sureness(found: Iterable[PlacedLine]) -> float:
    """How sure the reading of several lines is, weighted by their lengths."""
    lines = [line for _, line, _ in found]
    weighed = sum(line.letters * line.sure for line in lines)
    return weighed / max(sum(line.letters for line in lines), 1)
