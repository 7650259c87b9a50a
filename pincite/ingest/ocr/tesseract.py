"""The program tesseract, one picture at a time and in one thread: more of them make it slower on few cores."""

from __future__ import annotations

import csv
import io
import os
import subprocess
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pincite.ingest.layout.boxes import around, middle
from pincite.ingest.ocr.ocr_settings import LANGUAGES, PictureWord, alive, tesseract_data

if TYPE_CHECKING:
    import PIL.Image

LIMIT_S, PULSE_S = 300, 5  # when a picture is given up, and how often it is said to be read

Key = tuple[str, ...]


class Tesseract:
    """Reads pictures in these languages (ISO 639-1), in all that it has data for when none is named."""

    name = "tesseract"

    def __init__(self, languages: Sequence[str] = ()) -> None:
        held = tesseract_data()
        named = [LANGUAGES[language] for language in languages]
        named = named or [code for code in held if code != "osd"]
        turning = 1 if "osd" in held else 3  # with these data it finds out how a page is turned
        reading = f"tesseract stdin stdout -l {'+'.join(named)} --psm {turning} tsv"
        self._command = reading.split()

    def __call__(self, picture: PIL.Image.Image) -> list[PictureWord]:
        """The words of a picture, line by line; none when that takes too long."""
        file = io.BytesIO()
        picture.save(file, "PNG", compress_level=1)
        with subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "OMP_THREAD_LIMIT": "1"},
        ) as program:
            given: bytes | None = file.getvalue()
            for _ in range(LIMIT_S // PULSE_S):
                alive.get()()
                try:
                    read = program.communicate(given, timeout=PULSE_S)[0]
                    return read_tsv(read.decode("utf-8", "replace"))
                except subprocess.TimeoutExpired:
                    given = None  # it has them
            program.kill()
        return []


def read_tsv(text: str) -> list[PictureWord]:
    """The words of tesseract's table of results; those of a line are made equally high, across their direction."""
    rows = csv.DictReader(io.StringIO(text), delimiter="\t", quoting=csv.QUOTE_NONE)
    lines: dict[Key, list[PictureWord]] = {}
    for row in rows:
        if row.get("level") != "5" or not (row.get("text") or "").strip():
            continue
        x, y, width, height = (float(row[name]) for name in ("left", "top", "width", "height"))
        line = (row["page_num"], row["block_num"], row["par_num"], row["line_num"])
        box, sure = (x, y, x + width, y + height), float(row["conf"]) / 100
        word = PictureWord(row["text"].strip(), box, sure)
        lines.setdefault(line, []).append(word)
    angles = _angles(lines)
    return [piece for key, words in lines.items() for piece in _make_even(words, angles[key[:2]])]


def _angles(lines: dict[Key, list[PictureWord]]) -> dict[Key, int]:
    """The direction of writing of each block, told by where the words of its lines stand to each other.

    A block of single words is written as most others are.
    """
    steps: dict[Key, tuple[float, float]] = {}
    for key, words in lines.items():
        across, down = steps.get(key[:2], (0.0, 0.0))
        (x, y), (last_x, last_y) = middle(words[0].box), middle(words[-1].box)
        steps[key[:2]] = across + last_x - x, down + last_y - y
    told = {
        key: (0 if across > 0 else 180) if abs(across) > abs(down) else (270 if down > 0 else 90)
        for key, (across, down) in steps.items()
        if across or down
    }
    usual = Counter(told.values()).most_common(1)
    return {key: told.get(key, usual[0][0] if usual else 0) for key in steps}


def _make_even(words: Sequence[PictureWord], angle: int) -> list[PictureWord]:
    """The words of a line, made equally high across the direction of writing."""
    x0, top, x1, bottom = around(word.box for word in words)
    even: list[PictureWord] = []
    for word in words:
        left, high, right, low = word.box
        box = (left, top, right, bottom) if angle in (0, 180) else (x0, high, x1, low)
        even.append(PictureWord(word.text, box, word.sure, angle))
    return even
