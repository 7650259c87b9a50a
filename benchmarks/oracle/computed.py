"""How a gold number follows from numbers on its pages, where a set gives no operands of its own.

A set may write the computation in words, or name the rows that were used; else the question may name an operation. The operands
must stand on the gold's pages. What leads to the gold in two ways, from different numbers, is left out: one of them is chance.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from decimal import Decimal
from itertools import combinations, permutations, product

from .derivation import LETTERS, Derivation, calculated, derivation, named
from .figures import Number, numbers, plain, shared, stems
from .pages import sentences

LINES = 8
"""So many lines of a document, those that share most words with the question, may hold operands."""
LONGEST = 400
SHORT = 3
SENTENCE = 6
"""So many words make a line a sentence and no row."""
CUES: Mapping[str, str] = {
    "a / b": r"\bhow many times\b|\bby what factor\b|\bwhat multiple\b|\bwhat fraction\b|\bto (?:\w+ ){1,3}ratio\b"
    r"|\bratio of\b",
    "(a - b) / b": r"\bpercentage (?:change|increase|decrease)\b|\bgrowth rate\b"
    r"|\bby what per ?cent(?:age)?\b|\byear-over-year change\b",
    "a - b": r"\bhow (?:much|many)(?: \w+)? (?:more|less|fewer|higher|lower|greater|larger)\b|\bgap\b|\bdifference\b",
    "a + b": r"\bin total\b|\bcollectively\b|\btaken together\b|\bcombined\b",
    "(a + b) / 2": r"\baverage of\b[^?]*\band\b",
}  # fmt: skip
"""What a question says that asks for an operation; the first that it says."""
MONTH = re.compile(
    r"\b(?:\d{1,2} )?(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.? \d{1,2}\b"
)
ROW_NAMED = re.compile(r"line item(?: name)?[^:\n]*(?:named|was): ([^\n\[]+?)\.\s*(?:\n|The |$)")


@dataclass(frozen=True, slots=True)
class Wanted:
    """A number that is to be reached: as it is written and in per cent or not, or a range."""

    number: Number | None
    low: Decimal = Decimal(0)
    high: Decimal = Decimal(0)

    def is_reached(self, made: Decimal | None, exact: bool = False) -> bool:
        """Whether a result is the wanted number as it is rounded, signs aside, or lies in the range.

        Where it must be `exact`, no short number without decimals is rounded: too much comes to one.
        """
        if made is None:
            return False
        made = abs(made)
        if self.number is None:
            return self.low <= made <= self.high
        value = abs(self.number.value)
        exponent = value.as_tuple().exponent
        assert isinstance(exponent, int)
        near = (
            Decimal(0)
            if exact and exponent >= 0 and value < 100
            else Decimal(5).scaleb(exponent - 1)
        )
        ways = (made, made * 100) if self.number.percent else (made,)
        return any(abs(way - value) <= near for way in ways)


def follows(
    question: str, told: str, wanted: Wanted, held: Sequence[tuple[str, int, str]]
) -> Derivation | None:
    """How the wanted number follows, as `told` writes it, from the rows that it names, or as the question asks; else None."""
    named_rows = ROW_NAMED.findall(told)
    ways = (
        lambda: written(told, wanted),
        lambda: from_rows(question, named_rows, wanted, held) if named_rows else None,
        lambda: as_asked(question, wanted, held),
    )
    found = next((found for way in ways if (found := way())), None)
    return _of_a_fall(found, wanted) if found and found.operation == "percentage_change" else found


def _of_a_fall(made: Derivation, wanted: Wanted) -> Derivation:
    """By how much something fell in per cent, which a set gives without a sign, as the formula that has none."""
    value = calculated(made)
    if wanted.number is None or value is None or value * wanted.number.value > 0:
        return made
    return Derivation("(b - a) / b", "(b - a) / b", made.operands)


# ---- as the set writes it


def written(told: str, wanted: Wanted) -> Derivation | None:
    """The computation that words hold: "48.66 Wh / 5.58 Wh", "0.009 -> 0.004", a step that uses an earlier one's result."""
    steps: dict[str, str] = {}
    for part in re.split(r"[=\u2248;:\n]|\.\s", told):
        text = re.sub(r"[A-Za-z\u2082]+(?:/[A-Za-z]+)?|,(?!\d)", "", part).strip()
        text = re.sub(r"([\d.]+)\s*(?:\u2192|->)\s*([\d.]+)", r"(\2 - \1) / \1", text)
        for result, step in steps.items():
            text = re.sub(rf"(?<![\d.]){re.escape(result)}(?![\d.])", f"({step})", text)
        made = derivation(text) if re.search(r"\d", text) else None
        if made is None or not made.operands:
            continue
        value = calculated(made)
        if wanted.is_reached(value):
            return made
        if value is not None:
            steps[f"{value.normalize():f}"] = text
    return None


# ---- from the rows that the set names


def from_rows(
    question: str, names: Sequence[str], wanted: Wanted, held: Sequence[tuple[str, int, str]]
) -> Derivation | None:
    """A formula of a family over the first numbers of rows that the set names: with an average where the question says so."""
    found = [_row(name, held) for name in names]
    if not all(found):
        return None
    over_years = re.search(r"\b(?:\d|two|three|four|five)[ -]year average\b", question, re.I)
    family = _means if over_years else _averaged if "average" in question.casefold() else _plainly
    for formula, operands in family(found):
        made = Derivation(named(formula, len(operands)), formula, tuple(operands))
        if wanted.is_reached(calculated(made)):
            return made
    return None


def _row(name: str, held: Sequence[tuple[str, int, str]]) -> list[Decimal]:
    """The numbers of the first line that begins as a row is named; a note's reference is none."""
    begins = plain(name)
    for _, _, text in held:
        for line in text.split("\n"):
            if plain(line).startswith(begins):
                parts = line[len(name) :].split()  # "253 282" are two numbers
                there = [abs(each.value) for part in parts for each in numbers(part)]
                if len(there) > 1:
                    return there[:3]
    return []


def _plainly(rows: Sequence[list[Decimal]]) -> Iterator[tuple[str, list[Decimal]]]:
    """Formulas over one, two or three rows: changes, ratios of one year, sums less or over a third."""
    for row in rows:
        for a, b in permutations(row, 2):
            yield "(a - b) / b", [a, b]
    for top, below in permutations(rows, 2):
        for a, b in zip(top, below, strict=False):
            yield "a / b", [a, b]
    for some in permutations(rows, 3):
        for year in zip(*some, strict=False):
            yield "a + b - c", list(year)
            yield "(a + b) / c", list(year)


def _averaged(rows: Sequence[list[Decimal]]) -> Iterator[tuple[str, list[Decimal]]]:
    """A ratio over the average of two years; days of an average over a third row and the change of another."""
    for top, below in permutations(rows, 2):
        for a in top[:2]:
            for b, c in zip(below, below[1:], strict=False):
                yield "a / ((b + c) / 2)", [a, b, c]
    for owed, cost, stock in permutations(rows, 3):
        for (a, b), (d, e) in product(_pairs(owed), _pairs(stock)):
            for c in cost[:3]:
                yield "365 * ((a + b) / 2) / (c + d - e)", [a, b, c, d, e]


def _pairs(row: list[Decimal]) -> list[tuple[Decimal, Decimal]]:
    """Two years beside each other, in both orders."""
    beside = list(zip(row, row[1:], strict=False))
    return [*beside, *((b, a) for a, b in beside)]


def _means(rows: Sequence[list[Decimal]]) -> Iterator[tuple[str, list[Decimal]]]:
    """The average over years of a ratio of two rows, or of two together to a third."""
    for count, each in ((2, "{} / {}"), (3, "({} + {}) / {}")):
        for some in permutations(rows, count):
            years = list(zip(*some, strict=False))
            letters = iter(LETTERS)
            parts = [each.format(*(next(letters) for _ in year)) for year in years]
            yield (
                f"({' + '.join(parts)}) / {len(years)}",
                [value for year in years for value in year],
            )


# ---- as the question asks


def as_asked(
    question: str, wanted: Wanted, held: Sequence[tuple[str, int, str]]
) -> Derivation | None:
    """The operation that the question names over two numbers of one row, of one column, or of sentences that speak of it."""
    formula = next((each for each, cue in CUES.items() if re.search(cue, question, re.I)), "")
    if not formula:
        return None
    lines = list(_lines(question, held))
    found = {}
    named_there = {abs(each.amount) for each in numbers(question)}
    for operands in _choices(lines, formula, named_there):
        made = _over_letters(formula, operands)
        value = calculated(made)
        backwards = formula == "a - b" and value is not None and value < 0
        if wanted.is_reached(value, exact=True) and not backwards:
            found[frozenset(operands)] = made
    return next(iter(found.values())) if len(found) == 1 else None


def _over_letters(formula: str, operands: Sequence[Decimal]) -> Derivation:
    """A formula over its operands; a sum of as many as there are."""
    if formula == "a + b":
        formula = " + ".join(LETTERS[: len(operands)])
    return Derivation(named(formula, len(operands)), formula, tuple(operands))


@dataclass(frozen=True, slots=True)
class _Line:
    document: str
    values: tuple[Decimal, ...]
    is_sentence: bool


def _lines(question: str, held: Sequence[tuple[str, int, str]]) -> Iterator[_Line]:
    """The rows and sentences of each document that speak of the question, with their numbers but for years."""
    by_document: dict[str, dict[str, float]] = {}
    for document, _, text in held:
        own = by_document.setdefault(document, {})
        whole = " ".join(text.split())
        for line in (*text.split("\n"), *sentences(whole)):
            if len(line) <= LONGEST and _speaks(question, line):
                own[line] = shared(question, line) / max(1, len(stems(line)))
    for document, own in by_document.items():
        likely = sorted(own, key=lambda line: (-shared(question, line), -own[line]))[:LINES]
        for line in likely:
            values = tuple(dict.fromkeys(_values(line)))
            if values:
                yield _Line(document, values, len(re.findall(r"[A-Za-z]{2,}", line)) >= SENTENCE)


def _speaks(question: str, line: str) -> bool:
    """Whether a line shares two words with the question, or has no others."""
    own = {word for word in stems(line) if not word.isdigit()}
    return shared(question, line) >= 2 or bool(own) and own <= stems(question)


def _values(line: str) -> Iterable[Decimal]:
    """The numbers of a line, but for years, days of a month, and what changes nothing."""
    for each in numbers(MONTH.sub(" ", line)):
        year = each.value == int(each.value) and 1900 <= each.value < 2100
        if not year and abs(each.amount) not in (0, 1):
            yield abs(each.amount)


def _choices(
    lines: Sequence[_Line], formula: str, asked: Set[Decimal]
) -> Iterator[tuple[Decimal, ...]]:
    """Operands of one line, of one place in several rows, or of two sentences; of several documents one each.

    Two short ones of two sentences count where the question names them.
    """
    order: Callable[..., Iterable[tuple[Decimal, ...]]] = (
        combinations if "+" in formula else permutations
    )
    documents = {line.document for line in lines}
    if len(documents) == 1:
        for line in lines:
            yield from order(line.values, 2)
        yield from _of_rows([line for line in lines if not line.is_sentence], formula, order)
    for one, other in combinations(lines, 2):
        apart = one.document != other.document
        if apart or len(documents) == 1 and one.is_sentence and other.is_sentence:
            for a, b in product(one.values, other.values):
                if not (_is_short(a) and _is_short(b)) or {a, b} <= asked:
                    yield from order((a, b), 2)


def _is_short(value: Decimal) -> bool:
    """Whether a number stands in many a sentence."""
    return len(value.normalize().as_tuple().digits) < SHORT


def _of_rows(
    rows: Sequence[_Line], formula: str, order: Callable[..., Iterable[tuple[Decimal, ...]]]
) -> Iterator[tuple[Decimal, ...]]:
    """Numbers at one place of two rows as wide as each other, or of three where they are added."""
    for size in (2, 3) if formula == "a + b" else (2,):
        for some in combinations(rows, size):
            if len({len(line.values) for line in some}) == 1:
                for values in zip(*(line.values for line in some), strict=True):
                    yield from order(values, size)
