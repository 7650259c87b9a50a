"""Dates kept as text, or as digits, made dates: `31.01.2023`, `1/31/2023`, `31 Jan 2023`, `20230131`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from pincite.database.sources.cell_dates import Order
from pincite.database.views.view_sql import ViewSql, literal
from pincite.text.lexicon import word_list

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
    r"|(?P<runyear>9999)(?P<runmonth>99)(?P<runday>99))"
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
        found = self.read.get(cell, "")
        if not found and _shape(cell) in self.shapes:
            found = _iso_date(cell, self.order or "day")
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
    known = known if headed else [s for s in known if "99999999" not in s]
    if not known or sum(shapes[s] for s in known) < READ * len(filled):
        return None
    texts = {cell for cell in filled if _shape(cell) in known}
    chosen, certain = _day_order(texts, order)
    read = {cell: iso for cell in texts if (iso := _iso_date(cell, chosen or "day"))}
    if sum(cell in read for cell in filled) < READ * len(filled):
        return None
    return TextDates(tuple(known), chosen, certain, read)


def _shape(cell: str) -> str:
    """A cell with a 9 for every digit and an A for a word, "T" between a day and a time left."""
    shape = cell.translate(_DIGITS)
    return _LETTERS.sub("A", shape) if _LETTERS.search(shape) else shape


def _day_order(cells: Iterable[str], others: Order | None) -> tuple[Order | None, bool]:
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


def _iso_date(cell: str, order: Order) -> str:
    """A cell as ISO text; "" for a day that is none."""
    match = _SHAPE.fullmatch(_shape(cell))
    if match is None:
        return ""
    try:
        found = date(*map(int, _cell_fields(cell, match, order))).isoformat()
    except ValueError:
        return ""
    time = _part_of_cell(cell, match, "time")[1:]
    return f"{found} {time}{':00' if len(time) == 5 else ''}" if time else found


def _part_of_cell(cell: str, match: re.Match[str], name: str) -> str:
    """What stands in a cell where its shape has a part; "" where it has none."""
    if not name or match[name] is None:
        return ""
    start, end = match.span(name)
    behind = len(cell) - len(match.string) if "A" in match.string[:start] else 0
    return cell[start + behind : end + behind]


def _date_parts(match: re.Match[str], order: Order) -> tuple[str, str, str]:
    """The parts of a shape that are its year, month and day; "" for a month that is a word."""
    if match["runyear"]:
        return "runyear", "runmonth", "runday"
    if match["a"] is None:
        return ("year", "", "day") if match["day"] else ("yearafter", "", "dayafter")
    if len(match["a"]) == 4:
        return "a", "b", "c"
    return ("c", "b", "a") if order == "day" else ("c", "a", "b")


def _cell_fields(cell: str, match: re.Match[str], order: Order) -> tuple[str, str, str]:
    """Year, month and day of a cell as digits."""
    year, month, day = (_part_of_cell(cell, match, part) for part in _date_parts(match, order))
    if not month:
        name = _LETTERS.search(cell)
        month = str(_MONTHS.get(name[0][:3].casefold(), 0) if name else 0)
    if len(year) == 2:
        year = f"{'20' if year < '50' else '19'}{year}"
    return (year if len(year) == 4 else ""), month, day


def date_sql(sql: ViewSql, text: str, dates: TextDates) -> str:
    """The date of a text in SQL, NULL where it has none of the shapes that were seen."""
    cases = [
        f"WHEN {sql.shaped(text, shape)} THEN {_shape_sql(sql, text, shape, dates)}"
        for shape in _with_siblings(dates.shapes)
    ]
    return f"CASE {' '.join(cases)} END"


def _with_siblings(shapes: Sequence[str]) -> list[str]:
    """The shapes, and for days or months of one digit those of two, which other rows may have."""
    found = dict.fromkeys(shapes)
    for match in filter(None, map(_SHAPE.fullmatch, shapes)):
        parts, sep = (match["a"], match["b"]), match["between"]
        if parts[0] and len(parts[0]) < 3 and "9" in parts and not match["time"] and sep != " ":
            ends = [f"{first}{sep}{second}" for first in ("9", "99") for second in ("9", "99")]
            found |= dict.fromkeys(f"{end}{sep}{match['c']}" for end in ends)
    return list(found)


def _shape_sql(sql: ViewSql, text: str, shape: str, dates: TextDates) -> str:
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

    year, month, day = _date_parts(match, order)
    written = part(year)
    if len(match[year]) == 2:
        written = f"CASE WHEN {written} < '50' THEN '20' ELSE '19' END || {written}"
    in_words = _month_sql(text, match.string.index("A") + 1) if not month else ""
    return written, in_words or part(month), part(day)


def _month_sql(text: str, at: int) -> str:
    """The month of a text whose name begins at a place, in two digits."""
    name = f"LOWER(SUBSTR({text}, {at}, 3))"
    cases = (f"WHEN {literal(beginning)} THEN '{n:02}'" for beginning, n in _MONTHS.items())
    return f"CASE {name} {' '.join(cases)} END"
