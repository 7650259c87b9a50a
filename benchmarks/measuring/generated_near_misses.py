"""Near misses that code makes of the tables of reports: a question from the labels of a cell, that cell, and a neighbour.

Only documents whose tables taught no judge are used (the seen half of the project's own), and the questions are worded in
other ways than those that taught it. Which cells are asked for is drawn by a fixed seed; no text of a document is kept.
"""

from __future__ import annotations

import random
from calendar import month_abbr, month_name
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath

from pincite.corpus import Corpus
from pincite.document.cell_text import is_number
from pincite.document.labelled_cells import Labelled, labels
from pincite.evidence.candidate import Evidence
from pincite.text.words import stems
from pincite.types import Node

SEED = 5
TAUGHT = ("ACTIVISIONBLIZZARD_2019_10K.pdf",)
"""Documents of that half of which TAT-QA has tables, so that a judge may have learned from them."""
KINDS = ("metric", "period", "scope", "dimension", "entity")
EACH = 100
"""So many near misses of each kind."""
MOST = 12
"""So many of one kind come of one document at most."""
TIMES = frozenset((*(name.lower() for name in (*month_name, *month_abbr)), *(
    "three six nine twelve months month weeks quarter first second third fourth half year years ended annual fiscal fy".split()
)))  # fmt: skip
PLAIN = frozenset("year years ended ending fiscal december 31 annual as of at the for in".split())
"""What a heading may say beside a year that a question need not."""
ASKED = (
    "How large was {what} {when}?", "I need {what} {when}.", "Look up {what} {when}, please.",
    "What figure is given for {what} {when}?", "At what did {what} stand {when}?", "Can you tell me {what} {when}?",
)  # fmt: skip
ASKED_OF = (
    "What does {firm} show for {what} {when}?", "Tell me {firm}'s {what} {when}.", "{firm}: how large was {what} {when}?",
    "I am after {what} of {firm} {when}.", "How much did {what} come to at {firm} {when}?",
)  # fmt: skip


@dataclass(frozen=True)
class Spot:
    """A cell that can be asked for: where it stands, what it is called, and whether that leads to it alone in its table."""

    document: str
    node: Node
    cell: Labelled
    year: str
    names: frozenset[str]
    beyond: frozenset[str]
    alone: bool = True

    @property
    def evidence(self) -> Evidence:
        """The cell as an answer cites it."""
        return Evidence(
            self.node,
            ((self.cell.row, self.cell.column),),
            quote=self.cell.text,
            document=self.document,
        )

    def differs(self, other: Spot) -> bool:
        """Whether another number stands at another cell, whatever its sign and separators."""
        return _digits(self.cell.text) != _digits(other.cell.text)


@dataclass(frozen=True)
class NearMiss:
    """A question with the cell that answers it and one that does not, and in what the two differ."""

    question: str
    differs: str
    right: Evidence
    wrong: Evidence


def generated(folder: Path, each: int = EACH) -> list[NearMiss]:
    """The near misses of a corpus, at most `each` of every kind; the same in every run."""
    chance = random.Random(SEED)
    tables = [list(_spots(name, node)) for name, nodes in _nodes(folder) for node in nodes]
    made = [found for spots in tables for found in _beside(spots)]
    made += _namesakes([spot for spots in tables for spot in spots])
    chance.shuffle(made)
    return [
        NearMiss(_question(kind, right, chance), kind, right.evidence, wrong.evidence)
        for kind in KINDS
        for right, wrong in _spread(
            [(right, wrong) for own, right, wrong in made if own == kind], each
        )
    ]


def _nodes(folder: Path) -> Iterator[tuple[str, list[Node]]]:
    corpus = Corpus(folder)
    for document in (known for known in corpus.documents if known.id not in TAUGHT):
        yield (
            document.id,
            [node for node in corpus.document(document.version).nodes if node.table is not None],
        )


def _spots(document: str, node: Node) -> Iterator[Spot]:
    """The cells of a table that a label in words and one year name: figures of two digits or more."""
    assert node.table is not None
    cells = labels(node.table).cells
    called = Counter((frozenset(stems(cell.label)), cell.column) for cell in cells)
    headed = Counter((cell.row, cell.heading) for cell in cells)
    for cell in cells:
        names, year = frozenset(stems(cell.label)), _year(cell)
        if year and is_number(cell.text) and len(_digits(cell.text)) > 1 and _is_name(cell.label):
            beyond = frozenset(_parts(cell.heading)) - {year}
            alone = called[names, cell.column] == headed[cell.row, cell.heading] == 1
            yield Spot(document, node, cell, year, names, beyond, alone)


def _year(cell: Labelled) -> str:
    """The one year over a cell; "" where none or several stand there."""
    years = {
        part
        for part in _parts(cell.heading)
        if len(part) == 4 and part.isdigit() and part[:2] in ("19", "20")
    }
    return years.pop() if len(years) == 1 else ""


def _is_name(label: str) -> bool:
    """Whether a label says what a figure is of: some words, no number and no remark."""
    own = label.split()
    return (
        1 < len(own) < 9
        and label[0].isalpha()
        and not any(map(str.isdigit, label))
        and not set("()[]:;") & set(label)
    )


def _parts(text: str) -> list[str]:
    return "".join(character if character.isalnum() else " " for character in text.lower()).split()


def _is_time(word: str) -> bool:
    """Whether a word of a heading, in small letters, tells a time from another."""
    return word in TIMES or any(map(str.isdigit, word))


def _digits(text: str) -> str:
    return "".join(filter(str.isdigit, text))


def _beside(spots: Sequence[Spot]) -> Iterator[tuple[str, Spot, Spot]]:
    """The cells of a table that differ from another in one thing alone, and in what."""
    rows, columns = defaultdict(list), defaultdict(list)
    for spot in spots:
        rows[spot.cell.row].append(spot)
        columns[spot.cell.column].append(spot)
    for right in spots:
        for wrong in filter(right.differs, rows[right.cell.row]):
            ours, theirs = right.beyond - wrong.beyond, wrong.beyond - right.beyond
            timely = all(map(_is_time, ours | theirs)) and (
                right.year != wrong.year or ours and theirs
            )
            if right.alone and timely:
                yield "period", right, wrong
            if (
                right.alone
                and right.year == wrong.year
                and ours
                and theirs
                and not any(map(_is_time, ours | theirs))
            ):
                yield "dimension", right, wrong
        for wrong in filter(right.differs, columns[right.cell.column]):
            near = abs(wrong.cell.row - right.cell.row) <= 2
            if right.alone and near and right.names - wrong.names and wrong.names - right.names:
                yield "metric", right, wrong
            inner, other = right.cell.sections[-1:], wrong.cell.sections[-1:]
            if right.names == wrong.names and inner and other and inner != other:
                yield "scope", right, wrong


def _namesakes(spots: Sequence[Spot]) -> Iterator[tuple[str, Spot, Spot]]:
    """Figures of one name and year in reports of two firms."""
    named = defaultdict(list)
    for spot in spots:
        if spot.alone and firm(spot.document) and not spot.cell.sections and spot.beyond <= PLAIN:
            named[spot.names, spot.year].append(spot)
    for some in named.values():
        for right in some:
            for wrong in filter(right.differs, some):
                if firm(right.document) != firm(wrong.document):
                    yield "entity", right, wrong


def firm(document: str) -> str:
    """The firm that a file is named after: "NIKE_2019_10K.pdf", "2023 Q1 NVDA.pdf"; "" where its name tells none."""
    parts = PurePath(document).stem.replace("_", " ").split()
    name = parts[-1] if parts[0].isdigit() else parts[0]
    return name if len(parts) > 1 and name.isupper() and name.isalpha() and len(name) > 2 else ""


def _spread(pairs: Sequence[tuple[Spot, Spot]], each: int) -> list[tuple[Spot, Spot]]:
    """The first pairs, each cell once and not too many of one document."""
    taken: set[tuple[str, int, int]] = set()
    told: Counter[str] = Counter()
    out: list[tuple[Spot, Spot]] = []
    for right, wrong in pairs:
        at = right.node.id, right.cell.row, right.cell.column
        if at not in taken and told[right.document] < MOST and len(out) < each:
            taken.add(at)
            told[right.document] += 1
            out.append((right, wrong))
    return out


def _question(kind: str, right: Spot, chance: random.Random) -> str:
    """A question for a cell: its label, its section where others have that label too, its year or heading, often its firm."""
    cell = right.cell
    what = cell.label[0].lower() + cell.label[1:] if cell.label[1:].islower() else cell.label
    if kind == "scope":
        what = f"{what} ({cell.sections[-1].strip(' :')})"
    when = chance.choice(("in {}", "for {}", "for fiscal {}")).format(right.year)
    if not right.beyond <= PLAIN:
        when = f"({cell.heading})"
    of = firm(right.document)
    named = bool(of) and (kind == "entity" or chance.random() < 0.5)
    return chance.choice(ASKED_OF if named else ASKED).format(what=what, when=when, firm=of)
