"""Whether two drafted statements say the same: two that err alike are rarer than one that errs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pincite.database.statements.execution import Result


def same_rows(a: Result, b: Result) -> bool:
    """Whether two results say the same: the same rows in any order, repeats and further columns of one of them aside."""
    if not a.rows or not b.rows:
        return False
    narrow, wide = sorted((a, b), key=lambda result: len(result.columns))
    return _placed(_columns(narrow), _columns(wide), ())


def _placed(narrow: list[list[Any]], wide: list[list[Any]], taken: tuple[int, ...]) -> bool:
    """Whether the columns can be put to different wider ones so that the rows are the same."""
    at = len(taken)
    if at == len(narrow):
        ours = set(map(repr, zip(*narrow, strict=True)))
        return ours == set(map(repr, zip(*(wide[column] for column in taken), strict=True)))
    held = set(map(repr, narrow[at]))
    fits = (c for c in range(len(wide)) if c not in taken and set(map(repr, wide[c])) == held)
    return any(_placed(narrow, wide, (*taken, column)) for column in fits)


def _columns(result: Result) -> list[list[Any]]:
    """The values of a result column by column, as they are compared."""
    return [list(map(_plain, column)) for column in zip(*result.rows, strict=True)]


def _plain(value: Any) -> Any:
    """A value as what it says: numbers to nine digits whatever their type, texts without case."""
    if isinstance(value, bool):
        return float(value)
    try:
        return float(f"{float(value):.9g}")
    except (TypeError, ValueError, OverflowError):
        return None if value is None else str(value).strip().casefold()
