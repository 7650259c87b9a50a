"""Planted errors: what share of them the check catches, by kind, and what share of right answers it rejects.

    python benchmarks/checks/check.py [--right 600] [--wrong 600] [--seed 7] [--given FOLDER] [--show 5]

No reader decides what is right. Reports are generated with known values in every cell and sentence (`written_reports.py`).
With FOLDER (contexts.jsonl and questions.jsonl over given tables), the gold answers are used whose number, or whose operands,
stand at one place only (`given_golds.py`). A right answer that the check cannot follow counts as rejected. An error changes
the answer in one way: only the value (sign, digit, scale, unit), only the period or the place, or everything together, to a
real number nearby (row, column, year, page, sentence), including citation and quote.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import islice
from pathlib import Path

from given_golds import golds
from known import Case, Known, claimed, computed
from written_reports import Report

from pincite.check.claims import verified
from pincite.evidence.candidate import Candidate, Passage
from pincite.evidence.drafted_answer import drafted
from pincite.question.understanding import understand
from pincite.types import Answer, Quantity, Query

ALONE = ("sign", "digit", "scale", "unit", "period", "place")
MOVED = ("row", "column", "year", "page", "operand", "sentence")


def cases(chance: random.Random) -> Iterator[Case]:
    """Right answers from generated reports, some of each report."""
    while True:
        report = Report(chance)
        chance.shuffle(report.facts)
        pages = {
            page: rank
            for rank, page in enumerate(dict.fromkeys(node.anchor.page for node in report.nodes))
        }
        passages = tuple(
            Passage(node, pages[node.anchor.page], 0.0, node.anchor.path, report.name, report.name)
            for node in report.nodes
        )
        prose = [fact for fact in report.facts if fact.known[0].cell is None][:4]
        for fact in (
            *prose,
            *[fact for fact in report.facts if fact.known[0].cell is not None][:10],
        ):
            ask = understand(Query(fact.question, expects="number"))
            if fact.operation:
                right = computed(fact.operation, fact.known, report.name)
            else:
                right = claimed(fact.known[0], report.name)
            if right is not None and isinstance(right.value, Quantity) and right.value.value:
                yield Case(ask, passages, right, fact.known, tuple(report.known))


def given_cases(folder: Path, chance: random.Random, most: int) -> list[Case]:
    """Questions over given tables whose gold stands at one place only; prints out of how many."""
    found, left = golds(folder)
    told = ", ".join(f"{count} {why}" for why, count in left.most_common())
    print(
        f"given tables: the gold of {len(found)} of {len(found) + left.total()} questions can be placed; left out: {told}"
    )
    chance.shuffle(found)
    return found[:most]


def planted(case: Case, kind: str, chance: random.Random) -> Candidate | None:
    """The right answer with one error; None where this kind cannot be planted."""
    right, value = case.right, case.right.value
    assert isinstance(value, Quantity)
    if kind in ("sign", "digit", "scale", "unit"):
        return replace(right, value=_changed(value, kind, chance))
    if kind == "period":
        year = case.known[0].year if not right.operation else ""
        return replace(right, period=str(int(year) + chance.choice((-1, 1)))) if year else None
    if (kind == "operand") != bool(right.operation) or (kind == "sentence") != (
        case.known[0].cell is None
    ):
        return None
    return _moved(case, kind, chance)


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
            value,
            unit=chance.choice(
                [one for one in ("EUR", "USD", "%", "kWh", "tonne") if one != value.unit]
            ),
        )
    digits = list(f"{value.value:f}")
    places = [at for at, one in enumerate(digits[:5]) if one.isdigit()]
    at = chance.choice(places)
    digits[at] = chance.choice([one for one in "123456789" if one != digits[at]])
    return replace(value, value=Decimal("".join(digits)))


def _moved(case: Case, kind: str, chance: random.Random) -> Candidate | None:
    """The claim over a real number nearby; subject and period stay as the question means them in a third of the cases."""
    right, known = case.right, case.known
    spot = chance.randrange(len(known))
    others = [other for other in nearby(case, known[spot], kind) if other not in known]
    chance.shuffle(others)
    for other in others:
        document = right.evidence[0].document
        operands = [*known[:spot], other, *known[spot + 1 :]]
        made = (
            computed(right.operation, operands, document)
            if right.operation
            else claimed(other, document)
        )
        assert isinstance(right.value, Quantity)
        if (
            made is None
            or not isinstance(made.value, Quantity)
            or made.value.amount == right.value.amount
        ):
            continue
        if kind == "place":
            return replace(right, evidence=made.evidence)
        return (
            replace(made, subject=right.subject, period=right.period)
            if chance.random() < 1 / 3
            else made
        )
    return None


def nearby(case: Case, mine: Known, kind: str) -> list[Known]:
    """The nearby numbers that an error of this kind could confuse with the right one."""
    if kind == "sentence":
        prose = [each for each in case.around if each.cell is None]
        return [each for each in prose if each.quote == mine.quote and each != mine] or prose
    assert mine.cell is not None
    (row, column), own = mine.cell, mine.node.id
    if kind == "page":
        return [
            each
            for each in case.around
            if each.cell and each.node.id != own and each.year == mine.year
        ]
    cells = [(each, *each.cell) for each in case.around if each.cell and each.node.id == own]
    beside = [(each, c) for each, r, c in cells if r == row and c != column]
    if kind == "year":
        return [each for each, _ in beside if each.year != mine.year and each.group == mine.group]
    if kind == "column":
        return [each for each, _ in beside if each.year == mine.year]
    rows = [each for each, r, c in cells if c == column and 0 < abs(r - row) <= 2]
    return rows if kind == "row" else rows + [each for each, c in beside if abs(c - column) == 1]


def answer(case: Case, one: Candidate) -> Answer:
    """The answer a user would see: the draft as the reader words it, checked."""
    seen = tuple(passage.node.id for passage in case.passages)
    return verified(
        drafted(case.ask, [one], 1.0, seen),
        {passage.node.id: passage.node for passage in case.passages},
    )


Answered = Callable[[Case, Candidate], Answer]
"""The answer that a user would see if a claim were made."""


def caught(case: Case, made: Answer) -> bool:
    """Whether nothing is answered."""
    return made.value is None


def measure(
    name: str,
    held: Sequence[Case],
    options: argparse.Namespace,
    chance: random.Random,
    answered: Answered = answer,
    is_caught: Callable[[Case, Answer], bool] = caught,
    kinds: Sequence[str] = ALONE + MOVED,
) -> None:
    """Print what is rejected of right answers, and what is caught of wrong ones, by kind."""
    made = [(case, answered(case, case.right)) for case in held]
    rejected = [(case, told) for case, told in made if told.value is None]
    print(
        f"{name}: right answers rejected {len(rejected)} of {len(held)} = {len(rejected) / len(held):.4f}"
    )
    for case, told in rejected[: options.show]:
        print(f"    {case.ask.text} | {case.right.value!r} | {told.reason}")
    found: dict[str, list[bool]] = {kind: [] for kind in kinds}
    missed: list[str] = []
    drawn, tries, righted = ALONE + MOVED + MOVED, 0, 0
    while sum(map(len, found.values())) < options.wrong and tries < options.wrong * 40:
        tries += 1
        case, kind = chance.choice(held), drawn[tries % len(drawn)]
        one = planted(case, kind, chance) if kind in found else None
        if one is None:
            continue
        told = answered(case, one)
        found[kind].append(is_caught(case, told))
        if not found[kind][-1]:
            missed.append(f"    {kind}: {case.ask.text} | {told.text} | {told.checks[0].how}")
        righted += found[kind][-1] and told.value is not None
    for kind, marks in found.items():
        if marks:
            print(
                f"  {kind:9} caught {sum(marks):4} of {len(marks):4} = {sum(marks) / len(marks):.3f}"
            )
    every = [mark for marks in found.values() for mark in marks]
    real = sum(len(found.get(kind, ())) for kind in MOVED)
    print(
        f"  all       caught {sum(every):4} of {len(every):4} = {sum(every) / len(every):.4f} ({righted} answered with the right "
        f"value); {real / len(every):.2f} real numbers from nearby"
    )
    print("\n".join(missed[: options.show]))


def options_of(description: str, count: int, seed: int) -> argparse.Namespace:
    """What the command line says."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for name, default in (("right", count), ("wrong", count), ("seed", seed), ("show", 0)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--given", type=Path)
    return parser.parse_args()


def main() -> None:
    """Measure both sources of cases."""
    options = options_of(__doc__, 600, 7)
    chance = random.Random(options.seed)
    measure("generated reports", list(islice(cases(chance), options.right)), options, chance)
    if options.given:
        held = given_cases(options.given, chance, options.right)
        measure("given tables", held, options, chance)


if __name__ == "__main__":
    main()
