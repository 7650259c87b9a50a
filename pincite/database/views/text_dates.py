"""Dates kept as text, or as digits, made dates: `31.01.2023`, `1/31/2023`, `31 Jan 2023`, `20230131`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from pincite.database.sources.cell_dates import Order
from pincite.database.views.view_sql import ViewSql, literal
from pincite.lexicon import word_list

READ = 0.8
"""The share of a column's filled cells that must be dates."""
FIRST = 20
"""Cells of which half must be dates, told before all are read."""
SHAPES = 8
"""Forms of dates that a column may mix."""
_MONTHS = {
    beginning: n
    for n, beginnings in enumerate(word_list("database", "beginnings of months"), 1)
    for beginning in beginnings.split("/")
}
_DIGITS = str.maketrans("0123456789", "9" * 10)
_LETTERS = re.compile(r"[^\W\d_]{3,}\.?")
_SHAPE = re.compile(
    r"(?:(?P<a>9{1,4})(?P<between>[-/. ])(?P<b>9{1,2})(?P=between)(?P<c>9{1,4})"
    r"|(?P<day>99?)(?:\. |[ .-])A[ .-]?(?P<year>9999)"
    r"|A (?P<dayafter>99?),? (?P<yearafter>9999)"
    r"|(?P<run>99999999))"
    r"(?P<time>[T ]99:99(?::99(?:\.9{1,6})?)?)?(?:Z|[+-]99:?99)?"
)


@dataclass(frozen=True, slots=True)
class TextDates:
    """The dates of a column: `shapes` that its cells have, the most frequent first, and which of day and month comes first.

    `order` is None where no cell needs it, `certain` whether a cell says it. `read` has the ISO text of every cell that is one.
    """

    shapes: tuple[str, ...]
    order: Order | None
    certain: bool
    read: Mapping[str, str]

    def value(self, cell: str) -> str | None:
        """The ISO text of any cell of the column; None for what is no date."""
        found = self.read.get(cell) or (
            _iso(cell, self.order or "day") if _shape(cell) in self.shapes else ""
        )
        return f"{found} 00:00:00" if self.has_times and len(found) == 10 else found or None

    @property
    def has_times(self) -> bool:
        """Whether cells hold times of day, too."""
        return any(":" in shape for shape in self.shapes)


def text_dates(
    filled: Sequence[str], *, headed: bool = False, order: Order | None = None
) -> TextDates | None:
    """The cells of a column that hold something, as dates; None where too few of them are.

    Eight digits alone are dates only where the column is `headed` as one. `order` is that of other columns, for one that does
    not say it.
    """
    first = filled[:FIRST]
    if sum(bool(_SHAPE.fullmatch(_shape(cell))) for cell in first) * 2 < len(first):
        return None
    shapes = Counter(map(_shape, filled))
    known = [s for s, _ in shapes.most_common(SHAPES) if _SHAPE.fullmatch(s)]
    if not headed:
        known = [s for s in known if "99999999" not in s]
    if not known or sum(shapes[s] for s in known) < READ * len(filled):
        return None
    texts = {cell for cell in filled if _shape(cell) in known}
    chosen, certain = _order(texts, order)
    read = {cell: iso for cell in texts if (iso := _iso(cell, chosen or "day"))}
    if sum(cell in read for cell in filled) < READ * len(filled):
        return None
    return TextDates(tuple(known), chosen, certain, read)


def _shape(cell: str) -> str:
    """A cell with a 9 for every digit and an A for a word, "T" between a day and a time left."""
    shape = cell.translate(_DIGITS)
    return _LETTERS.sub("A", shape) if _LETTERS.search(shape) else shape


def _order(cells: Iterable[str], others: Order | None) -> tuple[Order | None, bool]:
    """Which of day and month comes first in cells whose year is last; whether one of them says so."""
    said: Counter[Order] = Counter()
    signs = set()
    for cell in cells:
        match = _SHAPE.fullmatch(_shape(cell))
        if match is None or not match["a"] or len(match["a"]) == 4:
            continue
        signs.add(match["between"])
        first, second = (int(cell[slice(*match.span(part))]) for part in ("a", "b"))
        if first > 12 >= second:
            said["day"] += 1
        elif second > 12 >= first:
            said["month"] += 1
    if not signs:
        return None, True
    if said:
        return said.most_common(1)[0][0], len(said) == 1
    return others or ("day" if "." in signs else "month"), False


def _iso(cell: str, order: Order) -> str:
    """A cell as ISO text; "" for a day that is none."""
    match = _SHAPE.fullmatch(_shape(cell))
    if match is None:
        return ""
    year, month, day = _fields(cell, match, order)
    try:
        found = date(int(year), int(month), int(day)).isoformat()
    except ValueError:
        return ""
    time = _piece(cell, match, "time")[1:]
    return f"{found} {time}{':00' if len(time) == 5 else ''}" if time else found


def _piece(cell: str, match: re.Match[str], name: str) -> str:
    """What stands in a cell where its shape has a part; "" where it has none."""
    if match[name] is None:
        return ""
    start, end = match.span(name)
    behind = len(cell) - len(match.string) if "A" in match.string[:start] else 0
    return cell[start + behind : end + behind]


def _fields(cell: str, match: re.Match[str], order: Order) -> tuple[str, str, str]:
    """Year, month and day of a cell as digits."""
    if match["run"]:
        return cell[:4], cell[4:6], cell[6:8]
    if match["a"] is None:
        name = _LETTERS.search(cell)
        month = str(_MONTHS.get(name[0][:3].casefold(), 0) if name else 0)
        which = ("year", "day") if match["day"] else ("yearafter", "dayafter")
        return _piece(cell, match, which[0]), month, _piece(cell, match, which[1])
    a, b, c = (_piece(cell, match, part) for part in "abc")
    if len(a) == 4:
        return a, b, c
    day, month = (a, b) if order == "day" else (b, a)
    return (c if len(c) == 4 else _century(c)), month, day


def _century(year: str) -> str:
    return f"{'20' if year < '50' else '19'}{year}" if len(year) == 2 else ""


def date_sql(sql: ViewSql, text: str, dates: TextDates) -> str:
    """The date of a text in SQL, NULL where it has none of the shapes that were seen."""
    cases = [
        f"WHEN {sql.shaped(text, shape)} THEN {_one(sql, text, shape, dates)}"
        for shape in _with_siblings(dates.shapes)
    ]
    return f"CASE {' '.join(cases)} END"


def _with_siblings(shapes: Sequence[str]) -> list[str]:
    """The shapes, and for days or months of one digit those of two, which other rows may have."""
    found = dict.fromkeys(shapes)
    for shape in shapes:
        match = _SHAPE.fullmatch(shape)
        if match is None or match["a"] is None or match["time"] or match["between"] == " ":
            continue
        if len(match["a"]) < 3 and "9" in (match["a"], match["b"]):
            sep = match["between"]
            for first in ("9", "99"):
                for second in ("9", "99"):
                    found[f"{first}{sep}{second}{sep}{match['c']}"] = None
    return list(found)


def _one(sql: ViewSql, text: str, shape: str, dates: TextDates) -> str:
    """The date of a text of one shape."""
    match = _SHAPE.fullmatch(shape)
    assert match is not None
    year, month, day = _sql_fields(text, match, dates.order or "day")
    if not dates.has_times:
        return sql.day(year, month, day)
    if not match["time"]:
        return f"{year} || '-' || {month} || '-' || {day} || ' 00:00:00'"
    behind = len(shape) - match.start("time") - 1
    start = f"LENGTH({text}) - {behind - 1}" if "A" in shape else str(match.start("time") + 2)
    length = len(match["time"]) - 1
    time = f"SUBSTR({text}, {start}, {length})"
    return sql.moment(year, month, day, time if length > 5 else f"{time} || ':00'")


def _sql_fields(text: str, match: re.Match[str], order: Order) -> tuple[str, str, str]:
    """Year, month and day of a text of a shape, in SQL."""

    def part(name: str) -> str:
        start, length = match.start(name), len(match[name])
        at = str(start + 1)
        if "A" in match.string[:start]:  # what is before it is of any length
            at = f"LENGTH({text}) - {len(match.string) - start - 1}"
        found = f"SUBSTR({text}, {at}, {length})"
        return f"'0' || {found}" if length == 1 else found

    if match["run"]:
        return f"SUBSTR({text}, 1, 4)", f"SUBSTR({text}, 5, 2)", f"SUBSTR({text}, 7, 2)"
    if match["day"]:
        return part("year"), _month(text, match.string.index("A") + 1), part("day")
    if match["dayafter"]:
        return part("yearafter"), _month(text, 1), part("dayafter")
    if len(match["a"]) == 4:
        return part("a"), part("b"), part("c")
    day, month = ("a", "b") if order == "day" else ("b", "a")
    year = part("c")
    if len(match["c"]) == 2:
        year = f"CASE WHEN {year} < '50' THEN '20' ELSE '19' END || {year}"
    return year, part(month), part(day)


def _month(text: str, at: int) -> str:
    """The month of a text whose name begins at a place, in two digits."""
    name = f"LOWER(SUBSTR({text}, {at}, 3))"
    cases = (f"WHEN {literal(beginning)} THEN '{n:02}'" for beginning, n in _MONTHS.items())
    return f"CASE {name} {' '.join(cases)} END"
