"""The frame that a reader sees on the page image against the known cell, on generated files: the share with IoU > .8.

    python benchmarks/checks/frames.py [--files 44] [--seed 3] [--keep FOLDER]

PDFs and pictures are drawn with tables of many layouts (all cells ruled, rules under the header, shaded rows, none; headers
of one or two levels; numbers flush right, left or centred; three typefaces, 6.5 to 13 points). They stand on pages of one and
of two columns, on pages turned as a whole, displayed turned or cropped, turned on an upright page, over several pages, on
scans; some values stand in sentences. The files are indexed and served; each known value is asked for without a model, and so
are changes between two of them. Every citation of an answer with the right value is counted.

The known box of a value in a table is its line of ink as drawn: from the start of its first glyph to the end of its last,
from the typeface's ascent to its descent. It is not the ruled cell, which also contains the white space around the value and
exists in few tables. The known box of a value in a sentence is the whole line on which it stands with its currency and scale,
since citations of text name lines; if it is broken over two lines, each of them must agree. The frame is the rectangle that
the server's page draws over the picture, 2 points away from what is cited. So there are two figures: the frame without that
margin against the ink, which is stricter, and the frame as displayed against the ink with 2 points around it.

--keep saves the pages whose frames fall short, with the frame in red and the known box in blue.
"""

from __future__ import annotations

import argparse
import io
import random
import re
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from boxes import HEIGHT, WIDTH, Sheet, overlap
from PIL import Image, ImageDraw
from pypdfium2 import PdfDocument
from reportlab.lib.colors import HexColor
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas
from starlette.testclient import TestClient

from pincite.library import index
from pincite.serve.app import create_app
from pincite.serve.corpora import served
from pincite.settings import Settings
from pincite.types import Box

MARGIN = 2.0
ENOUGH = 0.8
KINDS = (
    "plain", "columns", "grouped", "long", "landscape", "sideways", "inset", "cropped", "prose", "plain", "scan",
)  # fmt: skip
STYLES = ("ruled", "lined", "shaded", "bare")
FACES = (
    ("Helvetica", "Helvetica-Bold"),
    ("Times-Roman", "Times-Bold"),
    ("Courier", "Courier-Bold"),
)
SIZES = (6.5, 8.0, 9.0, 10.0, 11.0, 13.0)
LABELS = (
    "Revenue", "Cost of sales", "Gross profit", "Distribution costs", "Administrative expenses", "Personnel expenses",
    "Depreciation and amortisation", "Operating profit", "Net finance costs", "Profit before tax", "Income tax expense",
    "Goodwill", "Inventories", "Trade receivables", "Cash and cash equivalents", "Total assets", "Equity", "Borrowings",
    "Trade payables", "Lease liabilities", "Deferred tax assets", "Capital expenditure", "Provisions", "Share capital",
)  # fmt: skip
FIRST = (
    "Alder",
    "Birken",
    "Cedra",
    "Dorn",
    "Elmet",
    "Farrow",
    "Garnet",
    "Hestia",
    "Ilva",
    "Jorun",
    "Kestrel",
    "Lumen",
)
SECOND = ("Shipping", "Energy", "Foods", "Steel")
THINGS = (
    "order book", "dividend paid", "research budget", "insurance claim", "pension deficit", "marketing budget", "fuel bill",
    "property tax", "restructuring charge", "storm damage", "licence income", "rental income",
)  # fmt: skip
FILLER = (
    "The board met nine times during the year and visited two of the sites.",
    "Work on the new terminal went on as planned and without accidents.",
    "Our customers value punctual delivery, and we were punctual more often than before.",
    "The audit committee has reviewed these figures together with the auditors.",
)


@dataclass(frozen=True)
class Known:
    """A question, its value in units, and where the values that it needs were drawn: (text, page, lines) each."""

    kind: str
    question: str
    value: float
    places: tuple[tuple[str, int, tuple[Box, ...]], ...]


@dataclass
class Report(Sheet):
    """A report of one company while it is drawn, and what is known about it."""

    company: str = ""
    kind: str = ""
    known: list[Known] = field(default_factory=list)
    crop: tuple[float, float, float, float] | None = None

    def write(self, text: str, x: float, base: float, font: str, size: float) -> Box:
        """Draw a line and return where it appears."""
        x0, top, x1, bottom = self.put(text, x, base, font, size)
        if self.crop is None:
            return x0, top, x1, bottom
        left, up = self.crop[0], HEIGHT - self.crop[3]
        return x0 - left, top - up, x1 - left, bottom - up

    def title(self, x: float, y: float) -> float:
        """The name of the report."""
        self.write(f"{self.company} annual report 2023", x, y, "Helvetica-Bold", 15)
        return y - 30

    def words(
        self, left: float, right: float, y: float, sentences: Sequence[str], size: float = 10.0
    ) -> float:
        """Draw sentences as a paragraph; `told` keeps where each word's line stands."""
        lines: list[list[str]] = [[]]
        for sentence in sentences:
            for word in sentence.split():
                if stringWidth(" ".join([*lines[-1], word]), "Times-Roman", size) > right - left:
                    lines.append([])
                lines[-1].append(word)
        self.told: list[tuple[str, Box]] = []
        for line in lines:
            box = self.write(" ".join(line), left, y, "Times-Roman", size)
            self.told += [(word, box) for word in line]
            y -= 1.3 * size
        return y - 10

    def statement(
        self,
        left: float,
        right: float,
        y: float,
        labels: Sequence[str],
        groups: Sequence[str] = (),
    ) -> float:
        """Draw a table of these rows and record what its cells can be asked for."""
        chance = self.chance
        (plain, bold), style = chance.choice(FACES), chance.choice(STYLES)
        years = ["2023", "2022"] if groups or chance.random() < 0.6 else ["2023", "2022", "2021"]
        heads = [(group, year) for group in groups or ("",) for year in years]
        fitting = [
            one
            for one in SIZES
            if self._width(labels, plain, one) + len(heads) * 9 * 0.6 * one < right - left
        ]
        size = chance.choice(fitting or SIZES[:1])
        wide = self._width(labels, plain, size)
        step = min(chance.choice((70.0, 95.0)), (right - left - wide) / len(heads))
        edges = [left, *(left + wide + step * at for at in range(len(heads) + 1))]
        leading, flush = (
            size * chance.choice((1.5, 1.8, 2.2)),
            chance.choice(("right", "right", "left", "centre")),
        )
        scale, word = chance.choice(((1000, "thousands"), (1000000, "millions")))
        y -= leading
        self.write(f"Key figures of {self.company} (in {word} of euros)", left, y, bold, size)
        y -= 1.4 * leading
        top = y + 0.75 * leading
        rows = (
            [[*(group if at % len(years) == 0 else "" for at, (group, _) in enumerate(heads))]]
            if groups
            else []
        )
        rows.append([year for _, year in heads])
        for row in rows:
            for at, text in enumerate(row):
                reach = edges[at + 1 + len(years)] if text in groups else edges[at + 2]
                self._set(
                    text,
                    bold,
                    size,
                    edges[at + 1],
                    reach,
                    y,
                    "centre" if text in groups else flush,
                )
            y -= leading
        head, values = y + 0.75 * leading, {}
        for at, label in enumerate(labels):
            if y < 75:
                self._rules(style, edges, top, head, y + 0.75 * leading, leading)
                self.next_page()
                y = top = (WIDTH if self.turn else HEIGHT) - 80.0
                head = y + 0.75 * leading
            if style == "shaded" and at % 2:
                self._shade(edges, y, leading)
            self.write(label, left + 2, y, plain, size)
            for column, (group, year) in enumerate(heads):
                number = chance.randint(11, 99999)
                text = f"({number:,})" if chance.random() < 0.2 else f"{number:,}"
                box = self._set(text, plain, size, edges[column + 1], edges[column + 2], y, flush)
                values[label, group, year] = (
                    (-number if text[0] == "(" else number) * scale,
                    (text, self.page, (box,)),
                )
            y -= leading
        self._rules(style, edges, top, head, y + 0.75 * leading, leading)
        self._asked(values, labels, groups)
        return y - 10

    def _width(self, labels: Sequence[str], font: str, size: float) -> float:
        return max(stringWidth(label, font, size) for label in labels) + 2 * size

    def _set(
        self, text: str, font: str, size: float, left: float, right: float, y: float, flush: str
    ) -> Box:
        free = right - left - stringWidth(text, font, size) - 6
        x = left + 3 + {"left": 0.0, "centre": free / 2, "right": free}[flush]
        return self.write(text, x, y, font, size)

    def _rules(
        self,
        style: str,
        edges: Sequence[float],
        top: float,
        head: float,
        end: float,
        leading: float,
    ) -> None:
        heights = [top, head, end] if style in ("lined", "ruled") else []
        if style == "ruled":
            at = head - leading
            while at > end + 1:
                heights.append(at)
                at -= leading
        for height in heights:
            self.rule(edges[0], edges[-1], height)
        for x in edges if style == "ruled" else ():
            with self.turned():
                self.canvas.line(x, top, x, end)

    def _shade(self, edges: Sequence[float], y: float, leading: float) -> None:
        with self.turned():
            self.canvas.setFillColor(HexColor("#e4e8ee"))
            self.canvas.rect(
                edges[0], y - 0.25 * leading, edges[-1] - edges[0], leading, stroke=0, fill=1
            )

    def _asked(
        self,
        values: dict[tuple[str, str, str], tuple],
        labels: Sequence[str],
        groups: Sequence[str],
    ) -> None:
        for (label, group, year), (value, place) in self.chance.sample(
            sorted(values.items()), min(12, len(values))
        ):
            where = f" in {group}" if group else ""
            question = f"What was the {label.lower()}{where} of {self.company} in {year}?"
            self.known.append(Known(self.kind, question, value, (place,)))
        if not groups:
            label = self.chance.choice(labels)
            (old, before), (new, after) = values[label, "", "2022"], values[label, "", "2023"]
            question = (
                f"By how much did the {label.lower()} of {self.company} change from 2022 to 2023?"
            )
            self.known.append(Known("two cells", question, new - old, (before, after)))

    def fill(self, kind: str) -> None:
        """The pages of one report."""
        self.kind, right = kind, WIDTH - 60
        some = self.chance.sample(LABELS, self.chance.randint(6, 10))
        if kind == "cropped":
            self.crop = (36.0, 54.0, WIDTH - 20, HEIGHT - 30)
        if kind in ("landscape", "sideways"):
            self.turn = self.chance.choice((90, 270))
            self.origin = (WIDTH, 0.0) if self.turn == 90 else (0.0, HEIGHT)
            self.rotation, right = self.turn if kind == "landscape" else 0, HEIGHT - 60
        y = self.title(60, (WIDTH if self.turn else HEIGHT) - 80)
        if kind == "columns":
            self.words(60, WIDTH / 2 - 12, y, FILLER * 5)
            y = self.statement(WIDTH / 2 + 12, right, y + 10, some)
            self.words(WIDTH / 2 + 12, right, y, FILLER)
        elif kind == "prose":
            self.sentences(y)
        elif kind == "inset":
            y = self.words(60, right, y, FILLER)
            self.turn = self.chance.choice((90, 270))
            self.origin = {90: (WIDTH + 15, y - 470), 270: (-15, y - 10)}[self.turn]
            self.statement(0, 460, 430, some[:7])
        elif kind == "long":
            self.statement(60, right, self.words(60, right, y, FILLER), [f"{one} {part}".strip() for part in (
                "", "abroad", "at home") for one in LABELS])  # fmt: skip
        else:
            y = self.words(60, right, y, FILLER[:2])
            y = self.statement(
                60, right, y, some, ("Norway", "Denmark") if kind == "grouped" else ()
            )
            if not self.turn and y > 220:
                self.words(60, right, y, FILLER[2:])
        self.canvas.save()
        self._finish()

    def sentences(self, y: float) -> None:
        """Values in running text, in one column or two."""
        things, two = self.chance.sample(THINGS, 8), self.chance.random() < 0.5
        left, right = 60.0, WIDTH / 2 - 12 if two else WIDTH - 60
        for at, thing in enumerate(things):
            if two and at == 4:
                left, right, y = WIDTH / 2 + 12, WIDTH - 60, HEIGHT - 110.0
            value = self.chance.randint(11, 9999) / 10
            said = f"The {thing} of {self.company} was EUR {value:,} million in 2023."
            filler = self.chance.sample(FILLER, 2)
            y = self.words(
                left, right, y, [filler[0], said, filler[1]], self.chance.choice((8.5, 10.0, 11.5))
            )
            at_value = [word for word, _ in self.told].index(f"{value:,}")
            lines = {box for _, box in self.told[at_value - 1 : at_value + 2]}  # EUR 12.3 million
            place = said, self.page, tuple(lines)
            question = f"What was the {thing} of {self.company} in 2023?"
            self.known.append(Known("prose", question, value * 1e6, (place,)))

    def _finish(self) -> None:
        """Turn, cut or scan what was drawn."""
        if not (self.rotation or self.crop or self.kind == "scan"):
            return
        document = PdfDocument(self.path.read_bytes())
        for page in document:
            page.set_rotation(self.rotation)
            if self.crop:
                page.set_cropbox(*self.crop)
        if self.kind != "scan":
            document.save(self.path)
            return
        dots = self.chance.choice((150, 200))
        picture = document[0].render(scale=dots / 72, grayscale=True).to_pil()
        if self.chance.random() < 0.5:
            self.path.unlink()
            self.path = self.path.with_suffix(".png")
            picture.save(self.path, dpi=(dots, dots))
            return
        canvas = Canvas(str(self.path), pagesize=(WIDTH, HEIGHT), invariant=1)
        file = io.BytesIO()
        picture.save(file, "JPEG", quality=85)
        file.seek(0)
        from reportlab.lib.utils import ImageReader

        canvas.drawImage(ImageReader(file), 0, 0, WIDTH, HEIGHT)
        canvas.save()


RECT = re.compile(r'class="frame" x="([-\d.]+)" y="([-\d.]+)" width="([\d.]+)" height="([\d.]+)"')
PICTURE = re.compile(r'<image href="([^"]+)"')
PAGE = re.compile(r'id="proof"[^>]* data-page="(\d+)"')


@dataclass(frozen=True)
class Measured:
    """One citation: the least IoU of its frames without their margin, and with it."""

    kind: str
    question: str
    bare: float
    seen: float


def frames(html: str) -> list[Box]:
    """The rectangles that a page of the server draws over the picture, in points of the page shown."""
    found = [tuple(map(float, one)) for one in RECT.findall(html)]
    return [(x, y, x + width, y + height) for x, y, width, height in found]


def grown(box: Box, by: float) -> Box:
    return box[0] - by, box[1] - by, box[2] + by, box[3] + by


def agreed(page: int, drawn: Sequence[Box], known: Known, quote: str, by: float) -> float:
    """The least IoU of frames, `by` points smaller, with the lines of the known place that has the quote's text."""
    best = 0.0
    for text, number, lines in known.places:
        same = text in (quote, quote.strip()) or quote in text or text in quote
        if number == page and len(lines) == len(drawn) and (same or len(known.places) == 1):
            pairs = zip(
                sorted(drawn, key=lambda one: one[1]),
                sorted(lines, key=lambda one: one[1]),
                strict=True,
            )
            best = max(
                best,
                min(overlap(grown(frame, -by), grown(line, MARGIN - by)) for frame, line in pairs),
            )
    return best


def ask(client: TestClient, base: str, known: Known, keep: Path | None) -> list[Measured] | None:
    """The measured citations of one answer; None when its value is not the known one."""
    told = client.post(f"/api/v1/corpora/{base}/ask", json={"question": known.question}).json()
    value = told["value"]
    if not isinstance(value, int | float) or abs(value - known.value) > 1e-6 * max(
        1.0, abs(known.value)
    ):
        return None
    out = []
    for citation in told["citations"]:
        label = citation["id"].rpartition(".")[2]
        html = client.get(
            f"/c/{base}/answers/{told['answer_id']}?cite={label}", headers={"Accept": "text/html"}
        ).text
        drawn, page = frames(html), int(PAGE.search(html)[1])
        bare, seen = (agreed(page, drawn, known, citation["quote"], by) for by in (MARGIN, 0.0))
        out.append(Measured(known.kind, known.question, bare, seen))
        if keep and bare <= ENOUGH and (picture := PICTURE.search(html)):
            image = Image.open(io.BytesIO(client.get(picture[1]).content)).convert("RGB")
            pen = ImageDraw.Draw(image)
            right = [line for _, at, lines in known.places if at == page for line in lines]
            for box in (*right, *drawn):
                pen.rectangle(
                    tuple(2 * edge for edge in box), outline="blue" if box in right else "red"
                )
            image.save(keep / f"{known.kind}-{told['answer_id']}-{label}.png")
    return out


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--files", type=int, default=44)
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as folder:
        files, known = Path(folder) / "files", []
        files.mkdir()
        for number in range(options.files):
            company = f"{FIRST[number % len(FIRST)]} {SECOND[number // len(FIRST) % len(SECOND)]}"
            report = Report(
                files / f"{company.lower().replace(' ', '-')}-2023.pdf", chance, company=company
            )
            report.fill(KINDS[number % len(KINDS)])
            known += report.known
        index(files, Path(folder) / "frames.corpus")
        app = create_app(served([Path(folder) / "frames.corpus"], Settings()), processes=0)
        if options.keep:
            options.keep.mkdir(parents=True, exist_ok=True)
        with TestClient(app, base_url="http://127.0.0.1:8080") as client:
            answers = [(one, ask(client, "frames", one, options.keep)) for one in known]
    measured = [one for _, found in answers for one in found or ()]
    right = sum(found is not None for _, found in answers)
    print(
        f"{right} of {len(answers)} questions answered with the right value, {len(measured)} citations"
    )
    for kind in ("", *sorted({one.kind for one in measured})):
        some = [one for one in measured if kind in ("", one.kind)]
        asked = [found for one, found in answers if kind in ("", one.kind)]
        bare, seen = ([getattr(one, name) for one in some] for name in ("bare", "seen"))
        print(
            f"{kind or 'all':10} right {sum(one is not None for one in asked):4} of {len(asked):4}; IoU > {ENOUGH}: "
            f"{sum(one > ENOUGH for one in bare):4} of {len(bare):4} = {sum(one > ENOUGH for one in bare) / len(bare):.3f} "
            f"without the margin (median {sorted(bare)[len(bare) // 2]:.3f}), "
            f"{sum(one > ENOUGH for one in seen) / len(seen):.3f} with it (median {sorted(seen)[len(seen) // 2]:.3f})"
        )
    for one in sorted((one for one in measured if one.bare <= ENOUGH), key=lambda one: one.bare)[
        :12
    ]:
        print(f"  {one.bare:.2f} {one.seen:.2f} {one.kind}: {one.question}")


if __name__ == "__main__":
    main()
