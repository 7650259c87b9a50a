"""Wrong values planted by a model: what share of them is refused when a model reads, and what share of right values.

    python benchmarks/checks/planted.py [--right 500] [--wrong 500] [--seed 11] [--given FOLDER] [--show 5]

The cases are those of benchmarks/checks/check.py: generated reports with known values, and given tables with the gold of their
questions. A model inside the process fills in the form as if it were certain: with a wrong value at the right place, a real
number from nearby with its own place, a sentence or cell changed to fit, or only a page. When told what was found wrong, it
repeats itself. A wrong value counts as caught when nothing is answered or the right value is. Right values are given in as
many ways (by cell, by quoted row or sentence, by page, in full or with a scale word, with a unit or without).
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from check import ALONE, MOVED, cases, given_cases, planted
from known import Case

from pincite.check.claims import verified
from pincite.evidence.candidate import Candidate, Evidence, Passage
from pincite.generate.reading import Read
from pincite.generate.shown_pages import ShownPieces
from pincite.ports import Prompt
from pincite.quantity import rounded, same
from pincite.question.understanding import understand
from pincite.types import Answer, Quantity
from tests.stand_ins.fakes import ScriptedModel

WORDS = {3: "thousand", 6: "million", 9: "billion"}
WAYS = ("cell", "cell", "quote", "page")


def seen(case: Case) -> ShownPieces:
    """The pages of a case, as a model is shown them."""
    pages: dict[tuple[str, int], list[Passage]] = {}
    for passage in case.passages:
        pages.setdefault((passage.document, passage.node.anchor.page), []).append(passage)
    return ShownPieces(tuple(tuple(page) for page in pages.values()), case.ask)


def filled(
    case: Case, one: Candidate, way: str, chance: random.Random, shown: ShownPieces
) -> dict[str, Any]:
    """The form of a model that claims a candidate: its places by handle or quote, its value with or without a scale word."""
    value = one.value
    assert isinstance(value, Quantity)
    full = value.scale == 1 or value.scale.adjusted() not in WORDS or chance.random() < 0.5
    sources = [source(where, way, shown) for where in one.evidence]
    if one.operation:
        sources = [source(where, "cell", shown) for where in one.evidence]
    changed = isinstance(case.right.value, Quantity) and value.value != case.right.value.value
    if (
        changed
        and not one.operation
        and one.evidence == case.right.evidence
        and chance.random() < 0.5
    ):
        sources = [{**made, "quote": forged(made["quote"], case.right, value)} for made in sources]
    return {
        "step_by_step_analysis": "The page states it.",
        "relevant_pages": sorted({made["page"] for made in sources}),
        "operation": one.operation,
        "sources": [] if way == "page" and not one.operation else sources,
        "value": f"{value.amount:f}" if full else f"{value.value:f}",
        "scale": "" if full else WORDS[value.scale.adjusted()],
        "unit": value.unit
        if changed or value.unit != getattr(case.right.value, "unit", "") or chance.random() < 0.7
        else "",
    }


def forged(quote: str, right: Candidate, value: Quantity) -> str:
    """The quote with the claimed number in place of the one that stands there."""
    assert isinstance(right.value, Quantity)
    there = f"{abs(right.value.value):,f}"
    return quote.replace(there, f"{abs(value.value):,f}") if there in quote else quote


def source(where: Evidence, way: str, shown: ShownPieces) -> dict[str, Any]:
    """A place as a model cites it."""
    node = where.node
    page = next(
        at for at, some in enumerate(shown.pages, 1) if any(one.node.id == node.id for one in some)
    )
    if not where.cells:
        return {"page": page, "quote": where.quote or node.text[where.start : where.end]}
    row, column = where.cells[0]
    number = next(number for number, one in shown.tables.items() if one.node.id == node.id)
    assert node.table is not None
    text = next(one.text for one in node.table.cells if (one.row, one.column) == (row, column))
    if way == "quote":
        across = [one.text for one in node.table.cells if one.row == row]
        return {"page": page, "quote": f"| {row + 1} | {' | '.join(across)} |"}
    return {"page": page, "cell": f"T{number}!{chr(65 + column)}{row + 1}", "quote": text}


def answer(case: Case, one: Candidate, way: str, chance: random.Random) -> Answer:
    """The answer a user would see if a model claims a candidate, and repeats the claim when asked again."""
    shown = seen(case)
    form = filled(case, one, way, chance, shown)

    def script(prompt: Prompt, kind: Any) -> Any:
        return form

    draft = Read(ScriptedModel(script), None).read(case.ask, shown)  # type: ignore[arg-type]
    return verified(draft, {passage.node.id: passage.node for passage in case.passages})


def given_numbers(options: argparse.Namespace, chance: random.Random) -> Iterator[Case]:
    """Right numbers over given tables, asked for as numbers."""
    for case in given_cases(options.given, chance, options.right):
        yield replace(case, ask=understand(replace(case.ask.query, expects="number")))


def same_value(given: object, right: object) -> bool:
    """Whether a value is the right one, or what that was rounded from."""
    if not isinstance(given, Quantity) or not isinstance(right, Quantity):
        return False
    return same(given, right, lenient=True) or rounded(right, given, lenient=True)


def measure(name: str, held: Sequence[Case], wrong: int, chance: random.Random, show: int) -> None:
    rejected = []
    for case in held:
        way = chance.choice(WAYS)
        made = answer(case, case.right, way, chance)
        if made.value is None:
            rejected.append(f"    {way}: {case.ask.text} | {case.right.value} | {made.reason}")  # type: ignore[str-bytes-safe]
    print(
        f"{name}: right values refused {len(rejected)} of {len(held)} = {len(rejected) / len(held):.4f}"
    )
    print("\n".join(rejected[:show]))
    caught: Counter[str] = Counter()
    total: Counter[str] = Counter()
    righted = 0
    missed: list[str] = []
    drawn = ALONE + MOVED + MOVED
    tries = 0
    while sum(total.values()) < wrong and tries < wrong * 40:
        tries += 1
        case, kind = chance.choice(held), drawn[tries % len(drawn)]
        one = planted(case, kind, chance)
        if one is None or kind == "period":  # a form says no period
            continue
        total[kind] += 1
        way = chance.choice(WAYS)
        made = answer(case, one, way, chance)
        value = case.right.value
        if made.value is None or same_value(made.value, value):
            caught[kind] += 1
            righted += made.value is not None
        else:
            missed.append(
                f"    {kind}, {way}: {case.ask.text} | {made.text} | {made.checks[0].how}"
            )
    for kind in ALONE + MOVED:
        if total[kind]:
            print(
                f"  {kind:9} caught {caught[kind]:4} of {total[kind]:4} = {caught[kind] / total[kind]:.3f}"
            )
    every, real = sum(total.values()), sum(total[kind] for kind in MOVED)
    share = sum(caught.values()) / every
    print(
        f"  all       caught {sum(caught.values())} of {every} = {share:.4f} ({righted} answered with the right value); "
        f"{real / every:.2f} real numbers from nearby"
    )
    print("\n".join(missed[:show]))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--right", type=int, default=500)
    parser.add_argument("--wrong", type=int, default=500)
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--given", type=Path)
    parser.add_argument("--show", type=int, default=0)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    measure(
        "generated reports",
        list(islice(cases(chance), options.right)),
        options.wrong,
        chance,
        options.show,
    )
    if options.given:
        measure(
            "given tables",
            list(given_numbers(options, chance)),
            options.wrong,
            chance,
            options.show,
        )


if __name__ == "__main__":
    main()
