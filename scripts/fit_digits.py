"""What digits look like: the weights by which `ingest/pdf/drawn_digits.py` reads the outlines of a font.

Fitted on the digits of free fonts, also their old-style, tabular and slashed ones, and on other shapes, such as the digits of
other scripts, that a font may have in their places. `python scripts/fit_digits.py FOLDER...` reads the fonts in these folders
and prints the file `pincite/data/digits.json`. The file shipped is made from those of the Debian packages fonts-texgyre,
-liberation2, -lmodern, -freefont-ttf, -dejavu, -noto-core, -lato, -open-sans, -ebgaramond, -linuxlibertine, -urw-base35,
-crosextra-carlito, -crosextra-caladea, -ibm-plex and some fifty more, and of Matplotlib and ReportLab.
"""

from __future__ import annotations

import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont
from sklearn.linear_model import LogisticRegression

from pincite.ingest.pdf.drawn_digits import GRID, features

SUFFIXES = (".ttf", ".otf", ".pfb", ".woff", ".woff2")
STYLES = 12
"""Fonts of one family that count: some have a hundred."""
VARIANTS = ("", "onum", "lnum", "pnum", "tnum", "zero", "c2sc")
"""OpenType features by which fonts have other digits."""
OTHERS = "٠٢٣٤٦٧٨۲۳۴۶۷۸१२३४५६७८९২৩৫৬৭๑๒๓๔๕๖๗๘๙①②③④⑤⑥⑦⑧⑨❶❷❸❹❺☐☑☒✓✔✗✘■□●▲△◆★☆%&@#"
"""Shapes that are no digits. Those that look like one, as the Arabic one and nine do, are left out."""
NO_DIGITS = re.compile(
    "Keyboard|Weather|cmex|cmsy|D050000L|Cupola|Last Resort|CALLIG|DSEG14|Emoji"
)
"""Families that draw no digits, or none that people read, where others have the digits."""
SIZE = 64


def main() -> None:
    """Print the weights in hundredths: eleven rows, of the digits and of other shapes."""
    told = list(
        shapes([path for folder in sys.argv[1:] for path in sorted(Path(folder).rglob("*"))])
    )
    inputs, classes = np.array([row for row, _ in told]), np.array([kind for _, kind in told])
    shares = len(classes) / 11 / np.bincount(classes)
    fitted = LogisticRegression(C=0.25, max_iter=3000)
    fitted.fit(inputs[:, :-1], classes, sample_weight=shares[classes])
    weights = np.column_stack([fitted.coef_, fitted.intercept_])
    print(json.dumps(np.round(100 * weights).astype(int).tolist(), separators=(",", ":")))
    print(f"{len(told)} shapes, {fitted.score(inputs[:, :-1], classes):.4f} read", file=sys.stderr)


def shapes(paths: list[Path]) -> Iterator[tuple[np.ndarray, int]]:
    """The features of what fonts draw, each with its digit, or 10 for other shapes; the same drawing once."""
    seen: set[bytes] = set()
    styles: dict[str, int] = defaultdict(int)
    for path in (path for path in paths if path.suffix.lower() in SUFFIXES):
        try:
            font = ImageFont.truetype(str(path), SIZE)
        except OSError:
            continue
        family, before = str(font.getname()[0]), len(seen)
        if styles[family] >= STYLES or NO_DIGITS.search(family):
            continue
        for character, kind, variant in drawn_by(font):
            drawn = drawing(font, character, variant)
            if drawn and drawn.tobytes() not in seen:
                seen.add(drawn.tobytes())
                ink = np.asarray(drawn.resize((GRID, GRID), Image.Resampling.BOX)) / 255
                yield features(ink, drawn.width / drawn.height), kind
        styles[family] += len(seen) > before


def drawn_by(font: ImageFont.FreeTypeFont) -> Iterator[tuple[str, int, str]]:
    """The characters that a font has, their classes and the OpenType feature by which they are drawn."""
    nothing = drawing(font, "\uffff")
    if all(drawing(font, str(digit)) not in (None, nothing) for digit in range(10)):
        yield from ((str(digit), digit, variant) for variant in VARIANTS for digit in range(10))
    yield from ((other, 10, "") for other in OTHERS if drawing(font, other) != nothing)


def drawing(font: ImageFont.FreeTypeFont, character: str, feature: str = "") -> Image.Image | None:
    """The ink of a character in its box; None where there is none."""
    page = Image.new("L", (4 * SIZE, 4 * SIZE))
    pen = ImageDraw.Draw(page)
    pen.text((SIZE, SIZE), character, 255, font, features=[feature] if feature else None)
    box = page.getbbox()
    return page.crop(box) if box else None


if __name__ == "__main__":
    main()
