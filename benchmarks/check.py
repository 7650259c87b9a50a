"""Planted errors: what share the check catches, by kind, and what share of right answers it rejects.

    python benchmarks/check.py [--right 600] [--wrong 600] [--seed 7] [--given FOLDER] [--show 5]

Reports are generated with known values in every cell and sentence: statements of several years, headers of two levels, sections,
scales, percentages, and a second statement with the same rows on another page. Each right answer is the reader's own
candidate for the known place. An error changes it in one way: the value alone (sign, digit, scale, unit), the period or the place
alone, or all of it together to a real number nearby (row, column, year, page, sentence), citation and quote included. With
FOLDER (contexts.jsonl and questions.jsonl over given tables) the reader's right answers there are measured the same way.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from pathlib import Path

from pincite.answer import given
from pincite.answer.candidate import Candidate, Passage
from pincite.answer.check import verified
from pincite.answer.derive import calculate
from pincite.answer.prose import read_prose
from pincite.answer.question import Ask, understand
from pincite.answer.say import drafted
from pincite.answer.tableread import Match, candidate, matches, phrase_of, views
from pincite.evaluate import tatqa
from pincite.types import Anchor, Answer, Box, Cell, Node, Quantity, Query, Table

INCOME = (
    "Revenue", "Cost of sales", "Gross profit", "Distribution costs", "Administrative expenses", "Research and development",
    "Other operating income", "Other operating expenses", "Operating profit", "Finance income", "Finance costs",
    "Profit before tax", "Income tax expense", "Profit for the year", "Personnel expenses", "Depreciation and amortisation",
    "Impairment of goodwill",
)  # fmt: skip
BALANCE = (
    "Property, plant and equipment", "Intangible assets", "Goodwill", "Deferred tax assets", "Inventories", "Trade receivables",
    "Cash and cash equivalents", "Total assets", "Share capital", "Retained earnings", "Borrowings", "Lease liabilities",
    "Trade payables", "Current tax liabilities", "Provisions", "Total liabilities",
)  # fmt: skip
RESOURCES = (
    ("Electricity used", "GWh"), ("Natural gas", "GWh"), ("Water withdrawal", "million m3"), ("Hazardous waste", "tonnes"),
    ("Waste recycled", "%"), ("Women in management", "%"), ("Scope 1 emissions", "t CO2e"), ("Scope 2 emissions", "t CO2e"),
)  # fmt: skip
REGIONS = ("Norway", "Denmark", "Germany", "Poland", "France", "Spain", "Ireland")
MONEY = (("euros", "EUR", "€"), ("US dollars", "USD", "$"), ("pounds", "GBP", "£"))
SCALES = (("thousands", 1000), ("millions", 10**6))
NAMES = ("Halden", "Orsk", "Belmar", "Tornio", "Casta", "Vinde", "Marlow", "Esker", "Lunde", "Petra")


@dataclass(frozen=True)
class Fact:
    """A question and the place of its answer: cells of a table, or the characters of a number in a paragraph."""

    question: str
    node: str
    cells: tuple[tuple[int, int], ...] = ()
    start: int = 0
    operation: str = ""
    unit: str = ""


@dataclass
class Report:
    """A generated report: its nodes and the facts that can be asked of it."""

    chance: random.Random
    nodes: list[Node] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)

    def __post_init__(self) -> None:
        chance = self.chance
        self.name = chance.choice(NAMES) + chance.choice((" plc", " AS", " Group", " Energy"))
        self.source = f"{chance.getrandbits(64):016x}"
        self.years = [chance.randint(2012, 2023) - step for step in range(chance.choice((2, 2, 3)))]
        self.years = list(range(self.years[0], self.years[0] - len(self.years), -1))
        self.money, self.code, self.sign = chance.choice(MONEY)
        self.page = 0
        self.prose()
        self.statement(
            "Consolidated income statement",
            INCOME,
            f"Year ended {chance.choice(('31 December', '30 June'))}",
            "consolidated ",
        )
        self.statement("Consolidated balance sheet", BALANCE, "At 31 December", "")
        self.regions()
        self.resources()
        if chance.random() < 0.5:
            self.statement(
                "Income statement of the parent company", INCOME, "Year ended 31 December", "parent company "
            )

    def number(self, low: int = 200, high: int = 900_000) -> int:
        return int(10 ** self.chance.uniform(len(str(low)) - 1, len(str(high))))

    def table(
        self,
        rows: list[list[str]],
        caption: str,
        heading: str,
        head: int,
        spans: dict[int, int],
        scale: int,
        unit: str,
        unscaled: str = "",
    ) -> str:
        self.page += 1
        cells = []
        for at, row in enumerate(rows):
            for column, text in enumerate(row):
                wide = spans.get(column, 1) if at == 0 and head == 2 else 1
                if text:
                    left, top = 60.0 + 90 * column, 120.0 + 15 * at
                    cells.append(Cell(at, column, text, 1, wide, (left, top, left + 80 * wide, top + 10)))
        box: Box = (60.0, 100.0, 560.0, 130.0 + 15 * len(rows))
        table = Table(tuple(cells), head, 1, caption, Decimal(scale), unit, unscaled, self.page, box)
        text = "\n".join(" | ".join(row) for row in rows)
        return self.add("table", text, ((self.page, box),), heading, table)

    def add(
        self,
        kind: str,
        text: str,
        spots: tuple[tuple[int, Box | None], ...],
        path: str,
        table: Table | None = None,
        starts: Sequence[int] = (),
    ) -> str:
        name = f"{self.source}-{len(self.nodes)}"
        meta = {"starts": tuple(starts)} if starts else {}
        self.nodes.append(
            Node(name, kind, text, Anchor(self.source, spots, path=path), "", len(self.nodes), table, meta)
        )  # type: ignore[arg-type]
        return name

    def heads(self) -> list[str]:
        form = self.chance.choice(("{}", "{}", "FY{}", "Year {}", "31 December {}"))
        return [form.format(year) for year in self.years]

    def written(self, value: int, negative: bool) -> str:
        return f"({value:,})" if negative else f"{value:,}"

    def statement(self, heading: str, labels: Sequence[str], when: str, what: str) -> None:
        chance = self.chance
        word, scale = chance.choice(SCALES)
        picked = [one for one in labels if chance.random() < 0.7]
        rows: list[list[str]] = [["", *self.heads()]]
        sections = chance.random() < 0.4
        for at, label in enumerate(picked):
            if sections and at in (0, len(picked) // 2):
                rows.append([("Operating items", "Other items")[at > 0] + ":", *[""] * len(self.years)])
            costs = any(one in label.lower() for one in ("cost", "expense", "impairment", "depreciation"))
            rows.append([label, *(self.written(self.number(), costs and chance.random() < 0.8) for _ in self.years)])
        share = f"Basic earnings per share ({self.code})"
        if labels is INCOME:
            rows.append([share, *(f"{self.number(1, 9)}.{chance.randint(10, 99)}" for _ in self.years)])
            rows.append(
                ["Operating margin (%)", *(f"{chance.randint(1, 30)}.{chance.randint(0, 9)}" for _ in self.years)]
            )
        caption = f"{when} (in {word} of {self.money}, except per share data)"
        node = self.table(rows, caption, heading, 1, {}, scale, self.code, "per share")
        for row, cells in enumerate(rows[1:], 1):
            if cells[1]:
                self.of_row(node, row, re_label(cells[0]), what, range(1, len(cells)))
        bodies = [row for row, cells in enumerate(rows) if row and cells[1] and "(" not in cells[0]]
        for _ in range(3):
            a, b = chance.sample(bodies, 2)
            year = chance.randrange(len(self.years))
            words = rows[a][0].lower(), rows[b][0].lower()
            cells = ((a, 1 + year), (b, 1 + year))
            self.facts.append(
                Fact(
                    f"What was the sum of {what}{words[0]} and {words[1]} of {self.name} in {self.years[year]}?",
                    node,
                    cells,
                    operation="sum",
                )
            )
            self.facts.append(
                Fact(
                    f"What was the ratio of {what}{words[0]} to {words[1]} in {self.years[year]}?",
                    node,
                    cells,
                    operation="ratio",
                )
            )

    def of_row(self, node: str, row: int, label: str, what: str, columns: range, where: str = "") -> None:
        chance = self.chance
        for column in columns:
            year = self.years[(column - 1) % len(self.years)]
            question = chance.choice(
                (
                    f"What was the {what}{label}{where} of {self.name} in {year}?",
                    f"How much was {self.name}'s {what}{label}{where} in the year {year}?",
                    f"What is the {what}{label}{where} for {year}?",
                    f"For fiscal year {year}, what {what}{label}{where} did {self.name} report?",
                )
            )
            self.facts.append(Fact(question, node, ((row, column),)))
        first, second = columns[0], columns[1]
        later, earlier = self.years[0], self.years[1]
        asked = f"the {what}{label}{where} of {self.name}"
        self.facts.append(
            Fact(
                f"By what percentage did {asked} change from {earlier} to {later}?",
                node,
                ((row, first), (row, second)),
                operation="percentage_change",
            )
        )
        self.facts.append(
            Fact(
                f"What was the change in {asked} between {earlier} and {later}?",
                node,
                ((row, first), (row, second)),
                operation="difference",
            )
        )
        self.facts.append(
            Fact(
                f"What was the average of {asked} for {later} and {earlier}?",
                node,
                ((row, first), (row, second)),
                operation="average",
            )
        )

    def regions(self) -> None:
        chance, count = self.chance, len(self.years)
        picked = chance.sample(REGIONS, chance.choice((2, 3)))
        word, scale = chance.choice(SCALES)
        head = ["", *(text for region in picked for text in (region, *[""] * (count - 1)))]
        rows = [head, ["", *(text for _ in picked for text in map(str, self.years))]]
        labels = chance.sample(INCOME[:11], 6)
        rows += [[label, *(self.written(self.number(), False) for _ in head[1:])] for label in labels]
        spans = {1 + count * at: count for at in range(len(picked))}
        node = self.table(
            rows, f"Results by region (in {word} of {self.money})", "Segment information", 2, spans, scale, self.code
        )
        for row, label in enumerate(labels, 2):
            for at, region in enumerate(picked):
                self.of_row(node, row, label.lower(), "", range(1 + count * at, 1 + count * (at + 1)), f" in {region}")

    def resources(self) -> None:
        chance = self.chance
        rows = [["Indicator", "Unit", *map(str, self.years)]]
        for label, unit in chance.sample(RESOURCES, 6):
            whole = unit == "%" or unit.startswith("million")
            rows.append(
                [
                    label,
                    unit,
                    *(
                        f"{chance.randint(5, 95)}.{chance.randint(0, 9)}" if whole else f"{self.number():,}"
                        for _ in self.years
                    ),
                ]
            )
        node = self.table(rows, "Use of resources", "Environment", 1, {}, 1, "")
        found = self.nodes[-1]
        assert found.table is not None
        self.nodes[-1] = replace(found, table=replace(found.table, header_columns=2))
        for row, cells in enumerate(rows[1:], 1):
            for column, year in enumerate(self.years, 2):
                self.facts.append(
                    Fact(
                        f"What was the figure for {cells[0].lower()} of {self.name} in {year}?", node, ((row, column),)
                    )
                )
                self.facts.append(Fact(f"What was {self.name}'s {cells[0].lower()} in {year}?", node, ((row, column),)))

    def prose(self) -> None:
        """Sentences in which every number is bound to words and years, each with a question for it."""
        chance, (y1, y0) = self.chance, self.years[:2]
        a, b, c, d, e, f, g, h = (chance.randint(11, 998) for _ in range(8))
        s = self.sign
        women, staff = chance.randint(12, 60), f"{self.number(1000, 90_000):,}"
        sites = chance.choice(("Skagen", "Mandal", "Odda", "Tromvik"))
        some = [
            (f"Revenue rose to {s}{a}.3 million in {y1}, up from {s}{b}.8 million in {y0}.",
             [(f"{s}{a}.3", f"What was the revenue of {self.name} in {y1}?"),
              (f"{s}{b}.8", f"What was the revenue of {self.name} in {y0}?")]),
            (f"At the end of {y1} we had {staff} employees, of whom {women}% were women.",
             [(staff, f"How many employees did {self.name} have at the end of {y1}?"),
              (f"{women}%", f"What percentage of the employees of {self.name} were women in {y1}?")]),
            (f"Net cash from operating activities was {s}{c}.4 million ({y0}: {s}{d}.1 million).",
             [(f"{s}{c}.4", f"What was the net cash from operating activities in {y1}?"),
              (f"{s}{d}.1", f"What was the net cash from operating activities in {y0}?")]),
            (f"Capital expenditure amounted to {s}{e}.0 million, of which {s}{f // 3}.5 million was for the plant at {sites}.",
             [(f"{s}{e}.0", "How much was the capital expenditure?"),
              (f"{s}{f // 3}.5", f"How much was spent on the plant at {sites}?")]),
            (f"Water withdrawal and water consumption were {g}.2 million m3 and {h}.7 million m3, respectively.",
             [(f"{g}.2", "What was the water withdrawal in million m3?"),
              (f"{h}.7", "What was the water consumption in million m3?")]),
            (f"In {y1}, the price of fuel averaged ${e} per tonne, and the utilisation of the fleet was {women + 20}.3%.",
             [(f"${e}", f"What was the average price of fuel in {y1}?"),
              (f"{women + 20}.3%", f"What was the utilisation of the fleet in {y1}?")]),
            (f"The order book stood at {d} vessels, and {c} of them will be delivered before {y1 + 3}.",
             [(f"{d} ", "How many vessels were in the order book?")]),
            (f"Sales of pumps grew by {women}.1% to {s}{f}.6 million, while sales of valves fell to {s}{g}.9 million.",
             [(f"{s}{f}.6", f"What were the sales of pumps of {self.name}?"),
              (f"{s}{g}.9", f"What were the sales of valves of {self.name}?")]),
            (f"The Board proposes a dividend of {s}0.{women} per share for {y1}, after {s}0.{women + 9} per share for {y0}.",
             [(f"{s}0.{women} ", f"What dividend per share does the Board propose for {y1}?"),
              (f"{s}0.{women + 9}", f"What was the dividend per share for {y0}?")]),
            (f"Emissions of the fleet fell from {h}.5 tonnes CO2e in {y0} to {b}.2 tonnes CO2e in {y1}.",
             [(f"{h}.5", f"What were the emissions of the fleet in {y0}?"),
              (f"{b}.2", f"What were the emissions of the fleet in {y1}?")]),
            (f"We operate {a} terminals and {d} warehouses, and lease {e} containers from third parties.",
             [(f"{a} ", f"How many terminals does {self.name} operate?"),
              (f"{e} ", f"How many containers does {self.name} lease?")]),
            (f"The impairment of {s}{c}.2 million relates to {sites}; the remaining {s}{h}.1 million relates to software.",
             [(f"{s}{c}.2", f"How much of the impairment relates to {sites}?"),
              (f"{s}{h}.1", "How much of the impairment relates to software?")]),
            (f"Net debt stood at {s}{g}.0 million on 31 December {y1} compared with {s}{a}.9 million a year earlier.",
             [(f"{s}{g}.0", f"What was the net debt on 31 December {y1}?"),
              (f"{s}{a}.9", f"What was the net debt on 31 December {y0}?")]),
        ]  # fmt: skip
        chance.shuffle(some)
        for part in (some[:4], some[4:8]):
            self.page += 1
            text = " ".join(sentence for sentence, _ in part)
            starts, at = [0], 0
            while len(text) - at > 95:
                at = text.rfind(" ", at, at + 95) + 1
                starts.append(at)
            spots = tuple(
                (self.page, (60.0, 100.0 + 14 * line, 540.0, 111.0 + 14 * line)) for line in range(len(starts))
            )
            node = self.add("paragraph", text, spots, "Business review", starts=starts)
            for sentence, asked in part:
                for number, question in asked:
                    self.facts.append(Fact(question, node, start=text.index(sentence) + sentence.index(number)))


def re_label(label: str) -> str:
    """A row label as a question would say it."""
    return label.partition(" (")[0].lower()


@dataclass(frozen=True)
class Case:
    """A right answer: the question, what was read for it, the reader's candidate for the known place."""

    ask: Ask
    passages: tuple[Passage, ...]
    right: Candidate
    cells: tuple[Match, ...] = ()


def cases(chance: random.Random) -> Iterator[Case]:
    """Right answers from generated reports, some of each report."""
    while True:
        report = Report(chance)
        chance.shuffle(report.facts)
        pages = {page: rank for rank, page in enumerate(dict.fromkeys(node.anchor.page for node in report.nodes))}
        prose = [fact for fact in report.facts if not fact.cells][:4]
        for fact in (*prose, *[fact for fact in report.facts if fact.cells][:10]):
            ask = understand(Query(fact.question, expects="number", unit=fact.unit))
            passages = tuple(
                Passage(node, pages[node.anchor.page], 0.0, node.anchor.path, report.name, report.name)
                for node in report.nodes
            )
            if made := _case(ask, passages, fact):
                yield made


def _case(ask: Ask, passages: tuple[Passage, ...], fact: Fact) -> Case | None:
    if not fact.cells:
        found = [one for one in read_prose(ask, passages) if one.evidence[0].node.id == fact.node and not one.operation]
        near = [
            one for one in found if isinstance(one.value, Quantity) and abs(one.evidence[0].start - fact.start) <= 1
        ]
        return Case(ask, passages, near[0]) if near else None
    cells = [one for at in fact.cells if (one := _at(ask, passages, fact.node, at))]
    if len(cells) < len(fact.cells):
        return None
    right = calculate(fact.operation, cells) if fact.operation else candidate(cells[0])
    return (
        Case(ask, passages, right, tuple(cells))
        if right and isinstance(right.value, Quantity) and right.value.value
        else None
    )


def _at(ask: Ask, passages: Sequence[Passage], node: str, place: tuple[int, int]) -> Match | None:
    view = next(one for one in views(passages) if one.passage.node.id == node)
    return next((one for one in matches(view, phrase_of(ask), ask) if (one.cell.row, one.cell.column) == place), None)


def given_cases(folder: Path, chance: random.Random, most: int) -> list[Case]:
    """The reader's right numbers over given tables: a candidate that scores full marks against the gold answer."""
    contexts = {row["context_id"]: row for row in map(json.loads, (folder / "contexts.jsonl").open(encoding="utf-8"))}
    questions = [json.loads(line) for line in (folder / "questions.jsonl").open(encoding="utf-8")]
    chance.shuffle(questions)
    out: list[Case] = []
    for row in questions:
        context = contexts[row["context_id"]]
        texts = [one["text"] for one in sorted(context["paragraphs"], key=lambda one: int(one["order"]))]
        passages = tuple(given.document_of(context["table"], texts))
        ask = understand(Query(row["question"]))
        for one in given.answers(ask, passages)[:8]:
            if not isinstance(one.value, Quantity) or not one.value.value:
                continue
            if tatqa.score(*given.items_and_scale(one), row["answer"], row["scale"], row["answer_type"])[0] == 1.0:
                cells = [_at(ask, passages, e.node.id, e.cells[0]) for e in one.evidence if e.cells]
                out.append(Case(ask, passages, one, tuple(cell for cell in cells if cell)))
                break
        if len(out) == most:
            break
    return out


ALONE = ("sign", "digit", "scale", "unit", "period", "place")
MOVED = ("row", "column", "year", "page", "operand", "sentence")


def planted(case: Case, kind: str, chance: random.Random) -> Candidate | None:
    """The right answer with one error; None where this kind cannot be planted."""
    right, value = case.right, case.right.value
    assert isinstance(value, Quantity)
    if kind in ("sign", "digit", "scale", "unit"):
        return replace(right, value=_changed(value, kind, chance))
    if kind in ("operand", "row", "column", "year", "page", "place", "period"):
        return _moved(case, kind, chance) if case.cells else None
    if right.operation or case.cells:
        return None
    others = [
        one for one in read_prose(case.ask, case.passages) if isinstance(one.value, Quantity) and not one.operation
    ]
    others = [
        one
        for one in others
        if one.value.amount != value.amount and not one.evidence[0].cells and one.evidence[0].node.kind != "table"
    ]  # type: ignore[union-attr]
    same = [one for one in others if one.evidence[0].quote == right.evidence[0].quote]
    return chance.choice(same or others) if others else None


def _changed(value: Quantity, kind: str, chance: random.Random) -> Quantity:
    if kind == "sign":
        return replace(value, value=-value.value)
    if kind == "scale":
        factors = (
            [Decimal(1000), Decimal(1) / 1000, Decimal(10) ** 6]
            if value.scale == 1
            else [Decimal(1000), Decimal(1) / 1000]
        )
        return replace(value, scale=value.scale * chance.choice(factors))
    if kind == "unit":
        return replace(
            value, unit=chance.choice([one for one in ("EUR", "USD", "%", "kWh", "tonne") if one != value.unit])
        )
    digits = list(f"{value.value:f}")
    places = [at for at, one in enumerate(digits[:5]) if one.isdigit()]
    at = chance.choice(places)
    digits[at] = chance.choice([one for one in "123456789" if one != digits[at]])
    return replace(value, value=Decimal("".join(digits)))


def _moved(case: Case, kind: str, chance: random.Random) -> Candidate | None:
    """The claim over a real cell nearby; subject and period stay as the question means them in a third of the cases."""
    right, cells = case.right, case.cells
    if (kind == "operand") == (not right.operation) or (right.operation and kind != "operand"):
        return None
    spot = chance.randrange(len(cells))
    mine = cells[spot]
    if kind == "period":
        times = sorted({str(int(year) + step) for year in [right.period[-4:]] if year.isdigit() for step in (-1, 1)})
        return replace(right, period=chance.choice(times)) if times else None
    others = [
        one
        for one in _nearby(case, mine, kind)
        if (one.view.passage.node.id, one.cell.row, one.cell.column)
        not in {(c.view.passage.node.id, c.cell.row, c.cell.column) for c in cells}
    ]
    chance.shuffle(others)
    for other in others:
        if right.operation:
            made = calculate(right.operation, [*cells[:spot], other, *cells[spot + 1 :]])
        else:
            made = candidate(other)
        assert isinstance(right.value, Quantity)
        if made is None or not isinstance(made.value, Quantity) or made.value.amount == right.value.amount:
            continue
        if kind == "place":
            return replace(right, evidence=made.evidence)
        return replace(made, subject=right.subject, period=right.period) if chance.random() < 1 / 3 else made
    return None


def _nearby(case: Case, mine: Match, kind: str) -> list[Match]:
    own = mine.view.passage.node.id
    tables = views(case.passages)
    if kind == "page":
        found = [
            one
            for view in tables
            if view.passage.node.id != own
            for one in matches(view, phrase_of(case.ask), case.ask)
        ]
        year = mine.cell.heading[-4:]
        return [one for one in found if one.features["number"] and one.cell.heading.endswith(year)]
    view = next(one for one in tables if one.passage.node.id == own)
    found = [one for one in matches(view, phrase_of(case.ask), case.ask) if one.features["number"]]
    if kind in ("row", "place", "operand"):
        rows = [
            one for one in found if one.cell.column == mine.cell.column and 0 < abs(one.cell.row - mine.cell.row) <= 2
        ]
        columns = [
            one for one in found if one.cell.row == mine.cell.row and abs(one.cell.column - mine.cell.column) == 1
        ]
        return rows if kind == "row" else rows + columns
    beside = [one for one in found if one.cell.row == mine.cell.row and one.cell.column != mine.cell.column]
    year = mine.cell.heading[-4:]
    if kind == "year":
        return [
            one for one in beside if one.cell.heading[-4:] != year and one.cell.heading[:-4] == mine.cell.heading[:-4]
        ]
    return [one for one in beside if one.cell.heading[-4:] == year]


def answer(case: Case, one: Candidate) -> Answer:
    """What a user would be told: the draft as the reader says it, checked."""
    seen = tuple(passage.node.id for passage in case.passages)
    return verified(drafted(case.ask, [one], 1.0, seen), {passage.node.id: passage.node for passage in case.passages})


def measure(name: str, held: Sequence[Case], wrong: int, chance: random.Random, show: int) -> None:
    rejected = [(case, made) for case in held if (made := answer(case, case.right)).value is None]
    print(f"{name}: right answers rejected {len(rejected)} of {len(held)} = {len(rejected) / len(held):.4f}")
    for case, made in rejected[:show]:
        print(f"    {case.ask.text} | {made.reason}")
    caught: Counter[str] = Counter()
    total: Counter[str] = Counter()
    missed: list[str] = []
    kinds = ALONE + MOVED
    drawn = ALONE + MOVED + MOVED
    tries = 0
    while sum(total.values()) < wrong and tries < wrong * 40:
        tries += 1
        case, kind = chance.choice(held), drawn[tries % len(drawn)]
        one = planted(case, kind, chance)
        if one is None:
            continue
        total[kind] += 1
        made = answer(case, one)
        if made.value is None:
            caught[kind] += 1
        else:
            missed.append(f"    {kind}: {case.ask.text} | {made.text} | {made.checks[0].how}")
    for kind in kinds:
        if total[kind]:
            print(f"  {kind:9} caught {caught[kind]:4} of {total[kind]:4} = {caught[kind] / total[kind]:.3f}")
    real = sum(total[kind] for kind in MOVED)
    every = sum(total.values())
    share = sum(caught.values()) / every
    print(
        f"  all       caught {sum(caught.values()):4} of {every:4} = {share:.4f}; {real / every:.2f} real numbers from nearby"
    )
    for line in missed[:show]:
        print(line)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--right", type=int, default=600)
    parser.add_argument("--wrong", type=int, default=600)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--given", type=Path)
    parser.add_argument("--show", type=int, default=0)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    held: list[Case] = []
    for case in cases(chance):
        held.append(case)
        if len(held) == options.right:
            break
    measure("generated reports", held, options.wrong, chance, options.show)
    if options.given:
        measure("given tables", given_cases(options.given, chance, options.right), options.wrong, chance, options.show)


if __name__ == "__main__":
    main()
