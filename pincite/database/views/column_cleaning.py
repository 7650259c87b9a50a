"""One column of a relation made clean: what its cells say decides the expression that reads them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, Literal

from pincite.database.relations.guessed_headings import heading_unit
from pincite.database.relations.model import NUMERIC, TEMPORAL, Column, Type
from pincite.database.sources.blank_cells import blanks
from pincite.database.sources.cell_dates import Order
from pincite.database.sources.typed_columns import quoted
from pincite.database.sources.written_numbers import (
    Decimals,
    WrittenNumbers,
    decimals_of,
    written_numbers,
)
from pincite.database.views.column_kinds import is_code, says_counted_days, says_days
from pincite.database.views.relation_sample import telling
from pincite.database.views.text_dates import TextDates, date_sql, text_dates
from pincite.database.views.text_numbers import text_numbers
from pincite.database.views.view_sql import ViewSql, literal

_SERIALS = range(14_000, 80_000)
"""Days of a spreadsheet from 1938 to 2119."""


@dataclass(frozen=True, slots=True)
class Habits:
    """How a source writes numbers and dates where a column of it says so, for the columns that do not."""

    decimals: Decimals | Literal[""] = ""
    order: Order | None = None


@dataclass(frozen=True, slots=True)
class CleanColumn:
    """A column as its view has it: `column` with type, unit and profile after cleaning, and `expression`, which reads it.

    `values` are the sample's cells as the expression reads them. `note` and `currency` are expressions for columns beside it, ""
    for none; `is_code` says that digits are no number, `done` what was done, `whole` that the cells are those of all rows.
    """

    column: Column
    expression: str
    values: Sequence[Any]
    note: str = ""
    currency: str = ""
    is_code: bool = False
    done: str = ""
    whole: bool = True


def habits(columns: Iterable[tuple[Column, Sequence[Any]]]) -> Habits:
    """How columns of text, with their cells, write numbers and dates."""
    decimals: set[Decimals] = set()
    orders: set[Order] = set()
    for column, cells in columns:
        filled = telling([cell for cell in _stripped_texts(cells) if cell])
        if not filled or column.type in NUMERIC:
            continue
        dates = text_dates(filled)
        if dates is not None:
            if dates.certain and dates.order:
                orders.add(dates.order)
        elif (numbers := written_numbers(filled, ".")) is not None and decimals_of(filled):
            decimals.add(numbers.decimals)
    order = orders.pop() if len(orders) == 1 else None
    return Habits(decimals.pop() if len(decimals) == 1 else "", order)


def cleaned(
    sql: ViewSql, column: Column, cells: Sequence[Any], *, whole: bool, usual: Habits
) -> CleanColumn:
    """A column made clean after these cells, which are those of all rows when `whole`."""
    code = is_code(column, cells)
    plain = CleanColumn(column, quoted(column.name), cells, is_code=code, whole=whole)
    texts = _stripped_texts(cells)
    if column.type in NUMERIC and not texts:
        return _counted_days_column(sql, plain)
    sorts = column.type in TEMPORAL and not _is_unsorted(texts)
    if not texts or sorts or column.type == "boolean":
        return plain
    blank = blanks(texts, column.name)
    filled = [text for text in texts if text not in blank]
    if not filled:
        return plain
    told = telling(filled)
    base = _trim_expression(sql, plain.expression, cells)
    dates = None
    if column.type not in NUMERIC:
        dates = text_dates(told, headed=says_days(column), order=usual.order)
    if dates is not None:
        return _date_column(sql, plain, base, dates)
    unit, scale = heading_unit(column)
    if not plain.is_code and (numbers := written_numbers(told, usual.decimals, unit)):
        return _number_column(sql, plain, base, numbers, blank, scale)
    return _text_column(plain, base, blank)


def left_over(sql: ViewSql, column: Column, values: Sequence[Any], written: Sequence[Any]) -> str:
    """The expression for what reading a file left over of the cells that it keeps as they were written; "" for nothing."""
    texts = _stripped_texts(written)
    blank = blanks(texts, column.name)
    filled = [text for text in texts if text not in blank]
    beside = quoted(column.written)
    if column.type in NUMERIC and filled:
        numbers = written_numbers(filled, decimals_of(filled) or ".", column.unit)
        if numbers is not None:
            return text_numbers(sql, beside, numbers, blank).note
    lost = (w for v, w in zip(values, written, strict=True) if v is None)
    unread = any(isinstance(w, str) and w not in blank for w in lost)
    return f"CASE WHEN {quoted(column.name)} IS NULL THEN {beside} END" if unread else ""


def _stripped_texts(cells: Sequence[Any]) -> list[str]:
    return [cell.strip() for cell in cells if isinstance(cell, str)]


def _is_unsorted(texts: Sequence[str]) -> bool:
    """Whether texts of a column that is declared to hold dates are none that sort."""
    return any(len(text) < 8 or not text[:4].isdecimal() for text in texts[:200] if text)


def _trim_expression(sql: ViewSql, expression: str, cells: Sequence[Any]) -> str:
    """A column without the blanks that stand around its cells, where any do."""
    around: set[str] = set()
    for cell in cells:
        if isinstance(cell, str) and cell != (bare := cell.strip()):
            around |= set(cell.replace(bare, "", 1) if bare else cell)
    if not around:
        return expression
    return sql.trimmed(expression, "" if around == {" "} else "".join(sorted({" ", *around})))


def _counted_days_column(sql: ViewSql, plain: CleanColumn) -> CleanColumn:
    """Numbers under a heading that says that they are dates: a spreadsheet's days, or digits such as 20230131."""
    filled = [int(cell) for cell in plain.values if isinstance(cell, int | float)]
    if not filled or len(filled) < sum(cell is not None for cell in plain.values):
        return plain
    if says_counted_days(plain.column) and all(cell in _SERIALS for cell in filled):
        expression = sql.serial_day(plain.expression)
        counted = replace(plain, expression=expression, done="days counted as in a spreadsheet")
        return _with_profile(counted, "date", ())
    digits = list(map(str, filled))
    named = says_days(plain.column) and all(len(text) == 8 for text in digits)
    if not named or (dates := text_dates(digits, headed=True)) is None:
        return plain
    made = [None if cell is None else dates.value(str(int(cell))) for cell in plain.values]
    expression = date_sql(sql, sql.text(plain.expression), dates)
    done = f"dates of the form {digits[0]}"
    return _with_profile(replace(plain, expression=expression, done=done), "date", made)


def _date_column(sql: ViewSql, plain: CleanColumn, base: str, dates: TextDates) -> CleanColumn:
    example = max(dates.read, key=lambda cell: cell[:2])
    done = f"dates of the form {example}"
    if dates.order and not dates.certain:
        done += f", read with the {dates.order} first, which no cell makes certain"
    made = [dates.value(cell.strip()) if isinstance(cell, str) else None for cell in plain.values]
    kind: Type = "datetime" if dates.has_times else "date"
    clean = replace(plain, expression=date_sql(sql, base, dates), done=done, is_code=False)
    return _with_profile(clean, kind, made)


def _number_column(
    sql: ViewSql,
    plain: CleanColumn,
    base: str,
    numbers: WrittenNumbers,
    blank: frozenset[str],
    scale: Decimal,
) -> CleanColumn:
    mixed = plain.column.type in NUMERIC
    text = text_numbers(sql, base, numbers, blank)
    value, note = text.value, text.note
    if mixed:  # a column of SQLite in which only some cells are text
        of_text = f"TYPEOF({plain.expression}) = 'text'"
        value = f"CASE WHEN {of_text} THEN {value} ELSE {plain.expression} END"
        note = f"CASE WHEN {of_text} THEN {note} END" if note else ""
    read = numbers.value
    made = [read(cell.strip()) if isinstance(cell, str) else cell for cell in plain.values]
    kind: Type = "integer" if all(isinstance(v, int | None) for v in made) else "number"
    example = max(numbers.read, key=lambda cell: (not cell.isdecimal(), len(cell)))
    column = replace(plain.column, unit=numbers.unit or plain.column.unit, scale=scale)
    clean = replace(plain, column=column, expression=value, note=note, currency=text.currency)
    return _with_profile(replace(clean, done=f"numbers of the form {example}"), kind, made)


def _text_column(plain: CleanColumn, base: str, blank: frozenset[str]) -> CleanColumn:
    """Text without blanks around it, nothing where it says that there is nothing."""
    if not blank and base == plain.expression:
        return plain
    named = sorted(text for text in blank if text)
    expression = f"NULLIF({base}, '')"
    if named:
        nothing = ", ".join(map(literal, ["", *named]))
        expression = f"CASE WHEN {base} IN ({nothing}) THEN NULL ELSE {base} END"
    bare = [cell.strip() if isinstance(cell, str) else cell for cell in plain.values]
    made = [None if cell in blank or cell == "" else cell for cell in bare]
    values = dict.fromkeys(v.strip() for v in plain.column.values if v.strip() not in blank)
    column = replace(plain.column, values=tuple(values))
    done = f"nothing where it says {', '.join(named)}" if named else ""
    clean = replace(plain, column=column, expression=expression, done=done)
    return _with_profile(clean, "text", made)


def without(clean: CleanColumn, rows: frozenset[int]) -> CleanColumn:
    """A column with the profile that it has without some rows of all."""
    kept = [value for at, value in enumerate(clean.values) if at not in rows]
    if not clean.values:
        return clean
    column = clean.column
    if column.values:
        counts = Counter(value for value in kept if value is not None)
        values = tuple(sorted(map(str, counts), key=lambda value: (-counts[value], value)))
        clean = replace(clean, column=replace(column, values=values))
    return _with_profile(clean, column.type, kept)


def unlabelled(clean: CleanColumn, labels: Mapping[str, frozenset[str]]) -> CleanColumn:
    """A column without the values, of those that it has, that label rows left out."""
    out = labels.get(clean.column.name)
    if not out:
        return clean
    values = tuple(value for value in clean.column.values if value not in out)
    return replace(clean, column=replace(clean.column, values=values, distinct=len(values)))


def _with_profile(clean: CleanColumn, kind: Type, made: Sequence[Any]) -> CleanColumn:
    """A column with the profile of the values that were made of its cells."""
    filled = [value for value in made if value is not None]
    sorts = kind in NUMERIC | TEMPORAL and filled
    column = replace(
        clean.column,
        type=kind,
        values=clean.column.values if kind == "text" else (),
        low=min(filled) if sorts else None,
        high=max(filled) if sorts else None,
        nulls=1 - len(filled) / len(made) if made else clean.column.nulls,
        distinct=len(set(filled)) if made and clean.whole else clean.column.distinct,
    )
    return replace(clean, column=column, values=made or clean.values)
