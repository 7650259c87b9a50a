"""Generated reports in which every number is known: its row, time, unit, scale and place.

They have statements of several years, headers of two levels, sections, scales, percentages, sentences with several numbers,
and a second statement with the same rows on another page.

Most statements deduct: they print every expense in parentheses, which is then the amount that was spent, a positive number.
The others print expenses plain, and an expense in parentheses there is a credit, a negative number.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal

from known import Fact, Known

from pincite.types import Anchor, Box, Cell, Node, Quantity, Table

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
CREDITS = 0.05
"""So often an expense of a statement that does not deduct is a credit."""
NAMES = (
    "Halden",
    "Orsk",
    "Belmar",
    "Tornio",
    "Casta",
    "Vinde",
    "Marlow",
    "Esker",
    "Lunde",
    "Petra",
)


@dataclass
class Report:
    """A generated report: its nodes, all numbers in them, and the facts that can be asked of it."""

    chance: random.Random
    nodes: list[Node] = field(default_factory=list)
    known: list[Known] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)

    def __post_init__(self) -> None:
        chance = self.chance
        self.name = chance.choice(NAMES) + chance.choice((" plc", " AS", " Group", " Energy"))
        self.source = f"{chance.getrandbits(64):016x}"
        self.years = [
            chance.randint(2012, 2023) - step for step in range(chance.choice((2, 2, 3)))
        ]
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
                "Income statement of the parent company",
                INCOME,
                "Year ended 31 December",
                "parent company ",
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
        header_columns: int = 1,
    ) -> Node:
        self.page += 1
        cells = []
        for at, row in enumerate(rows):
            for column, text in enumerate(row):
                wide = spans.get(column, 1) if at == 0 and head == 2 else 1
                if text:
                    left, top = 60.0 + 90 * column, 120.0 + 15 * at
                    cells.append(
                        Cell(at, column, text, 1, wide, (left, top, left + 80 * wide, top + 10))
                    )
        box: Box = (60.0, 100.0, 560.0, 130.0 + 15 * len(rows))
        table = Table(
            tuple(cells),
            head,
            header_columns,
            caption,
            Decimal(scale),
            unit,
            unscaled,
            self.page,
            box,
        )
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
    ) -> Node:
        name = f"{self.source}-{len(self.nodes)}"
        meta = {"starts": tuple(starts)} if starts else {}
        self.nodes.append(
            Node(
                name,
                kind,
                text,
                Anchor(self.source, spots, path=path),
                "",
                len(self.nodes),
                table,
                meta,
            )
        )  # type: ignore[arg-type]
        return self.nodes[-1]

    def note(
        self,
        node: Node,
        row: int,
        column: int,
        text: str,
        unit: str,
        scale: int,
        label: str,
        period: str,
        group: str = "",
        deducted: bool = False,
    ) -> Known:
        """Note what a cell that is being written means; `deducted` when its parentheses only say so."""
        digits = Decimal(text.strip("()").replace(",", ""))
        negative = text.startswith("(") and not deducted
        value = Quantity(
            -digits if negative else digits, unit, Decimal(scale), period=period, text=text
        )
        self.known.append(
            Known(node, value, text, (row, column), label=label, period=period, group=group)
        )
        return self.known[-1]

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
        sections, deducts = chance.random() < 0.4, chance.random() < 0.8
        for at, label in enumerate(picked):
            if sections and at in (0, len(picked) // 2):
                rows.append(
                    [("Operating items", "Other items")[at > 0] + ":", *[""] * len(self.years)]
                )
            marked = [
                is_expense(label) and (deducts or chance.random() < CREDITS) for _ in self.years
            ]
            rows.append([label, *(self.written(self.number(), mark) for mark in marked)])
        share = f"Basic earnings per share ({self.code})"
        if labels is INCOME:
            rows.append(
                [share, *(f"{self.number(1, 9)}.{chance.randint(10, 99)}" for _ in self.years)]
            )
            rows.append(
                [
                    "Operating margin (%)",
                    *(f"{chance.randint(1, 30)}.{chance.randint(0, 9)}" for _ in self.years),
                ]
            )
        caption = f"{when} (in {word} of {self.money}, except per share data)"
        node = self.table(rows, caption, heading, 1, {}, scale, self.code, "per share")
        noted: dict[int, list[Known]] = {}
        for row, cells in enumerate(rows[1:], 1):
            if cells[1]:
                label = cells[0]
                unit = "%" if "(%)" in label else self.code
                factor = 1 if "(" in label else scale
                texts = enumerate(zip(cells[1:], rows[0][1:], strict=True), 1)
                spent = deducts and is_expense(label)
                noted[row] = [
                    self.note(node, row, column, text, unit, factor, label, head, deducted=spent)
                    for column, (text, head) in texts
                ]
                self.of_row(re_label(label), what, noted[row])
        bodies = [row for row in noted if "(" not in rows[row][0]]
        for _ in range(3):
            a, b = chance.sample(bodies, 2)
            year = chance.randrange(len(self.years))
            words = rows[a][0].lower(), rows[b][0].lower()
            operands = noted[a][year], noted[b][year]
            total = f"What was the sum of {what}{words[0]} and {words[1]} of {self.name} in {self.years[year]}?"
            self.facts.append(Fact(total, operands, "sum"))
            share = f"What was the ratio of {what}{words[0]} to {words[1]} in {self.years[year]}?"
            self.facts.append(Fact(share, operands, "ratio"))

    def of_row(self, label: str, what: str, known: Sequence[Known], where: str = "") -> None:
        """Ask for each number of a row, newest first, and for what the first two make together."""
        for year, each in zip(self.years, known, strict=True):
            question = self.chance.choice(
                (
                    f"What was the {what}{label}{where} of {self.name} in {year}?",
                    f"How much was {self.name}'s {what}{label}{where} in the year {year}?",
                    f"What is the {what}{label}{where} for {year}?",
                    f"For fiscal year {year}, what {what}{label}{where} did {self.name} report?",
                )
            )
            self.facts.append(Fact(question, (each,)))
        later, earlier = self.years[:2]
        asked = f"the {what}{label}{where} of {self.name}"
        for question, operation in (
            (
                f"By what percentage did {asked} change from {earlier} to {later}?",
                "percentage_change",
            ),
            (f"What was the change in {asked} between {earlier} and {later}?", "difference"),
            (f"What was the average of {asked} for {later} and {earlier}?", "average"),
        ):
            self.facts.append(Fact(question, tuple(known[:2]), operation))

    def regions(self) -> None:
        chance, count = self.chance, len(self.years)
        picked = chance.sample(REGIONS, chance.choice((2, 3)))
        word, scale = chance.choice(SCALES)
        head = ["", *(text for region in picked for text in (region, *[""] * (count - 1)))]
        rows = [head, ["", *(text for _ in picked for text in map(str, self.years))]]
        labels = chance.sample(INCOME[:11], 6)
        rows += [
            [label, *(self.written(self.number(), False) for _ in head[1:])] for label in labels
        ]
        spans = {1 + count * at: count for at in range(len(picked))}
        node = self.table(
            rows,
            f"Results by region (in {word} of {self.money})",
            "Segment information",
            2,
            spans,
            scale,
            self.code,
        )
        for row, label in enumerate(labels, 2):
            for at, region in enumerate(picked):
                columns = range(1 + count * at, 1 + count * (at + 1))
                known = [
                    self.note(
                        node,
                        row,
                        column,
                        rows[row][column],
                        self.code,
                        scale,
                        label,
                        rows[1][column],
                        region,
                    )
                    for column in columns
                ]
                self.of_row(label.lower(), "", known, f" in {region}")

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
                        f"{chance.randint(5, 95)}.{chance.randint(0, 9)}"
                        if whole
                        else f"{self.number():,}"
                        for _ in self.years
                    ),
                ]
            )
        node = self.table(rows, "Use of resources", "Environment", 1, {}, 1, "", header_columns=2)
        for row, (label, measure, *cells) in enumerate(rows[1:], 1):
            unit, scale = ("m3", 10**6) if measure == "million m3" else (measure, 1)
            for column, (text, year) in enumerate(zip(cells, self.years, strict=True), 2):
                known = self.note(node, row, column, text, unit, scale, label, str(year))
                self.facts.append(
                    Fact(
                        f"What was the figure for {label.lower()} of {self.name} in {year}?",
                        (known,),
                    )
                )
                self.facts.append(
                    Fact(f"What was {self.name}'s {label.lower()} in {year}?", (known,))
                )

    def prose(self) -> None:
        """Sentences in which every number is bound to words and years, each with a question for it."""
        chance, (y1, y0) = self.chance, self.years[:2]
        a, b, c, d, e, f, g, h = (chance.randint(11, 998) for _ in range(8))
        s, code = self.sign, self.code
        women, staff = chance.randint(12, 60), self.number(1000, 90_000)
        sites = chance.choice(("Skagen", "Mandal", "Odda", "Tromvik"))

        def money(digits: str) -> tuple[str, Quantity]:
            return f"{s}{digits} million", Quantity(Decimal(digits), code, Decimal(10**6))

        def of(
            text: str, digits: str | int, unit: str = "", scale: int = 1
        ) -> tuple[str, Quantity]:
            return text, Quantity(Decimal(digits), unit, Decimal(scale))

        some: list[tuple[str, list[tuple[tuple[str, Quantity], str]]]] = [
            (f"Revenue rose to {s}{a}.3 million in {y1}, up from {s}{b}.8 million in {y0}.",
             [(money(f"{a}.3"), f"What was the revenue of {self.name} in {y1}?"),
              (money(f"{b}.8"), f"What was the revenue of {self.name} in {y0}?")]),
            (f"At the end of {y1} we had {staff:,} employees, of whom {women}% were women.",
             [(of(f"{staff:,} employees", staff, "employee"), f"How many employees did {self.name} have at the end of {y1}?"),
              (of(f"{women}%", women, "%"), f"What percentage of the employees of {self.name} were women in {y1}?")]),
            (f"Net cash from operating activities was {s}{c}.4 million ({y0}: {s}{d}.1 million).",
             [(money(f"{c}.4"), f"What was the net cash from operating activities in {y1}?"),
              (money(f"{d}.1"), f"What was the net cash from operating activities in {y0}?")]),
            (f"Capital expenditure amounted to {s}{e}.0 million, of which {s}{f // 3}.5 million was for the plant at {sites}.",
             [(money(f"{e}.0"), "How much was the capital expenditure?"),
              (money(f"{f // 3}.5"), f"How much was spent on the plant at {sites}?")]),
            (f"Water withdrawal and water consumption were {g}.2 million m3 and {h}.7 million m3, respectively.",
             [(of(f"{g}.2 million m3", f"{g}.2", "m3", 10**6), "What was the water withdrawal in million m3?"),
              (of(f"{h}.7 million m3", f"{h}.7", "m3", 10**6), "What was the water consumption in million m3?")]),
            (f"In {y1}, the price of fuel averaged ${e} per tonne, and the utilisation of the fleet was {women + 20}.3%.",
             [(of(f"${e} per tonne", e, "USD/t"), f"What was the average price of fuel in {y1}?"),
              (of(f"{women + 20}.3%", f"{women + 20}.3", "%"), f"What was the utilisation of the fleet in {y1}?")]),
            (f"The order book stood at {d} vessels, and {c} of them will be delivered before {y1 + 3}.",
             [(of(f"{d}", d), "How many vessels were in the order book?"), (of(f"{c}", c), "")]),
            (f"Sales of pumps grew by {women}.1% to {s}{f}.6 million, while sales of valves fell to {s}{g}.9 million.",
             [(of(f"{women}.1%", f"{women}.1", "%"), ""),
              (money(f"{f}.6"), f"What were the sales of pumps of {self.name}?"),
              (money(f"{g}.9"), f"What were the sales of valves of {self.name}?")]),
            (f"The Board proposes a dividend of {s}0.{women} per share for {y1}, after {s}0.{women + 9} per share for {y0}.",
             [(of(f"{s}0.{women} per share", f"0.{women}", f"{code}/share"),
               f"What dividend per share does the Board propose for {y1}?"),
              (of(f"{s}0.{women + 9} per share", f"0.{women + 9}", f"{code}/share"),
               f"What was the dividend per share for {y0}?")]),
            (f"Emissions of the fleet fell from {h}.5 tonnes CO2e in {y0} to {b}.2 tonnes CO2e in {y1}.",
             [(of(f"{h}.5 tonnes CO2e", f"{h}.5", "t CO2e"), f"What were the emissions of the fleet in {y0}?"),
              (of(f"{b}.2 tonnes CO2e", f"{b}.2", "t CO2e"), f"What were the emissions of the fleet in {y1}?")]),
            (f"We operate {a} terminals and {d} warehouses, and lease {e} containers from third parties.",
             [(of(f"{a}", a), f"How many terminals does {self.name} operate?"), (of(f"{d}", d), ""),
              (of(f"{e}", e), f"How many containers does {self.name} lease?")]),
            (f"The impairment of {s}{c}.2 million relates to {sites}; the remaining {s}{h}.1 million relates to software.",
             [(money(f"{c}.2"), f"How much of the impairment relates to {sites}?"),
              (money(f"{h}.1"), "How much of the impairment relates to software?")]),
            (f"Net debt stood at {s}{g}.0 million on 31 December {y1} compared with {s}{a}.9 million a year earlier.",
             [(money(f"{g}.0"), f"What was the net debt on 31 December {y1}?"),
              (money(f"{a}.9"), f"What was the net debt on 31 December {y0}?")]),
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
                (self.page, (60.0, 100.0 + 14 * line, 540.0, 111.0 + 14 * line))
                for line in range(len(starts))
            )
            node = self.add("paragraph", text, spots, "Business review", starts=starts)
            for sentence, numbers in part:
                begin = at = text.index(sentence)
                for (written, value), question in numbers:
                    at = text.index(written, at)
                    end = at + len(written)
                    known = Known(node, replace(value, text=written), sentence, start=at, end=end)
                    self.known.append(known)
                    at = end
                    if question:
                        self.facts.append(Fact(question, (known,)))
                assert at <= begin + len(sentence)


def is_expense(label: str) -> bool:
    """Whether a row of a statement is of an expense."""
    return any(word in label.lower() for word in ("cost", "expense", "impairment", "depreciation"))


def re_label(label: str) -> str:
    """A row label as a question would say it."""
    return label.partition(" (")[0].lower()
