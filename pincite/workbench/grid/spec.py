"""What a grid asks: rows are entities, columns are questions with type, unit and period.

As YAML or JSON:

    title: Steel makers
    entity: company            # what a row is: company, document, or anything else (material, site, ...)
    rows:
      - Contoso
      - {name: Fabrikam, documents: [fabrikam_2023.pdf]}
      - {name: Litware, where: {company: Litware AG, year: "2023"}}
    columns:
      - {name: Revenue, type: number, unit: million EUR, periods: [2022, 2023]}
      - {name: Chair, question: "Who chairs the board of {entity}?", type: name}

As CSV, or the first sheet of an XLSX: the first row names the columns, its first cell the kind of entity; rows that begin with
`question`, `type`, `unit` or `period` say so of each column; every other row is an entity. Columns headed `documents` or
`company` say where a row is looked up. The content of a cell is given, and is not asked.
"""

from __future__ import annotations

import csv
import io
import re
import reprlib
import zipfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, reduce
from importlib.resources import as_file, files
from itertools import zip_longest
from pathlib import Path
from typing import Any, get_args

from pincite.errors import UsageError
from pincite.formats.yamlfile import read_yaml
from pincite.types import QUESTION, Expects, Query, Where

TYPES: tuple[str, ...] = get_args(Expects)
PARTS = ("question", "type", "unit", "period")
"""What the rows below a sheet's first may say of its columns."""
SCOPES = ("documents", "company")
"""Columns of a sheet that say where a row is looked up."""
_COLUMN = ("name", "question", "type", "unit", "period", "periods")
_ROW = ("name", "documents", "company", "where")
_SPEC = ("title", "entity", "rows", "columns")
_PLACE = re.compile(r"\{([^{}]*)\}")
MOST = 100_000
"""Cells of the largest grid."""
LONGEST = 400
"""Characters of the longest name, unit or period; a question may have QUESTION."""
UNPACKED = 32 * 2**20
"""Bytes of the largest workbook that one is read from."""


@dataclass(frozen=True, slots=True)
class GridRow:
    """An entity; `where` is where it is looked up, as the spec says it (empty: by its name)."""

    name: str
    where: Where = ()


@dataclass(frozen=True, slots=True)
class GridColumn:
    """A question asked of every entity; `{entity}` and `{period}` stand in `question` for the row's name and the period, which
    is put at its end where it does not name it.
    """

    name: str
    question: str
    expects: Expects | None = None
    unit: str = ""
    period: str = ""


@dataclass(frozen=True, slots=True)
class Spec:
    """A grid to fill. `entity` says what a row is; `given` are cells by (row, column) that are not asked."""

    title: str
    entity: str
    rows: tuple[GridRow, ...]
    columns: tuple[GridColumn, ...]
    given: Mapping[tuple[str, str], str] = field(default_factory=dict)

    def query(self, row: GridRow, column: GridColumn) -> Query:
        """The question of a cell; its filter is the row's as the spec says it, or else its kind and name."""
        held = {"entity": row.name, "period": column.period}
        text = _PLACE.sub(lambda mark: held[mark[1]], _in_period(column))
        where = row.where or ((self.entity, (row.name,)),)
        return Query(" ".join(text.split()), where, column.expects, column.unit)


def _in_period(column: GridColumn) -> str:
    """The question of a column, with its period."""
    asked = column.question
    if not column.period or "{period}" in asked or column.period in asked:
        return asked
    words = asked.rstrip("?. ")
    return f"{words} in {{period}}{asked[len(words) :]}"


def grid_id(spec: Spec) -> str:
    """The name under which a grid is kept: its title in lower case, with hyphens."""
    return re.sub(r"[\W_]+", "-", spec.title.casefold()).strip("-")[:80] or "grid"


def read_spec(path: Path | str) -> Spec:
    """A spec from YAML, CSV or XLSX. Raises UsageError that says what is wrong, in which line or cell, and what is needed."""
    path = Path(path)
    if not path.is_file():
        raise UsageError(f"no grid spec at {path}: give a file of YAML, CSV or XLSX")
    kind = path.suffix.lower()
    if kind in (".yaml", ".yml", ".json"):
        return _spec(read_yaml(path).content, str(path), path.stem)
    if kind == ".csv":
        return _sheet(_csv(path), path)
    if kind in (".xlsx", ".xlsm"):
        return _sheet(_xlsx(path), path)
    raise UsageError(
        f"{path} is not a grid spec: its name must end in .yaml, .json, .csv or .xlsx"
    )


def spec_from(given: Any, name: str = "grid") -> Spec:
    """A spec from the content of YAML or JSON; `name` is its title where it has none. Raises UsageError."""
    return _spec(given, "the grid spec", name)


def spec_to(spec: Spec) -> dict[str, Any]:
    """A spec as content that `spec_from` reads back."""
    made: dict[str, Any] = {"title": spec.title, "entity": spec.entity, "rows": [], "columns": []}
    for row in spec.rows:
        where = {name: list(values) for name, values in row.where}
        made["rows"].append({"name": row.name, **({"where": where} if where else {})})
    for column in spec.columns:
        said = {"type": column.expects, "unit": column.unit, "period": column.period}
        said = {name: value for name, value in said.items() if value}
        made["columns"].append({"name": column.name, "question": column.question, **said})
    if spec.given:
        made["given"] = [[row, column, text] for (row, column), text in spec.given.items()]
    return made


def _spec(given: Any, place: str, name: str) -> Spec:
    content = _table(given, (*_SPEC, "given"), place)
    for key in ("rows", "columns"):
        if not isinstance(content.get(key), list) or not content[key]:
            raise UsageError(f"{place}: `{key}` is needed: a list with at least one of them")
    title = _text(content.get("title"), f"{place}: title") or name
    entity = _text(content.get("entity"), f"{place}: entity") or "company"
    rows = tuple(_row(row, f"{place}: rows[{at}]") for at, row in enumerate(content["rows"], 1))
    columns: list[GridColumn] = []
    for at, column in enumerate(content["columns"], 1):
        # an entry of `columns` stands for a column for each of its periods
        periods = column.get("periods") if isinstance(column, dict) else None
        several = len(periods) if isinstance(periods, list) else 1
        _refuse_large(len(rows), len(columns) + several, place)
        columns += _columns(column, f"{place}: columns[{at}]", entity)
    cells = {}
    for cell in content.get("given") or ():
        if not isinstance(cell, list) or len(cell) != 3:
            told = reprlib.repr(cell)
            raise UsageError(f"{place}: given: each is [row, column, text], not {told}")
        named, head, text = map(str, cell)
        cells[named, head] = text
    return _checked(Spec(title, entity, rows, tuple(columns), cells), place)


def _checked(spec: Spec, place: str) -> Spec:
    for what, named in (("row", spec.rows), ("column", spec.columns)):
        names = Counter(each.name for each in named)
        if twice := [name for name, count in names.items() if count > 1]:
            raise UsageError(
                f"{place}: two {what}s are named {twice[0]!r}; {what}s need names of their own"
            )
    _refuse_large(len(spec.rows), len(spec.columns), place)
    return spec


def _refuse_large(rows: int, columns: int, place: str) -> None:
    if rows * columns > MOST:
        raise UsageError(f"{place}: {rows} rows by {columns} columns are more than {MOST:,} cells")


def _row(given: Any, place: str) -> GridRow:
    if not isinstance(given, dict):
        return GridRow(_required_text(given, place))
    content = _table(given, _ROW, place)
    where: list[tuple[str, tuple[str, ...]]] = []
    for key, name in (("documents", "document"), ("company", "company")):
        if content.get(key):
            where.append((name, _texts(content[key], f"{place}.{key}")))
    fields = content.get("where") or {}
    if not isinstance(fields, dict):
        raise UsageError(
            f"{place}.where: fields with their values are needed, as in {{year: 2023}}, not {reprlib.repr(fields)}"
        )
    for name, values in fields.items():
        where.append((str(name), _texts(values, f"{place}.where.{name}")))
    return GridRow(_required_text(content.get("name"), f"{place}.name"), tuple(where))


def _columns(given: Any, place: str, entity: str) -> list[GridColumn]:
    content = {"name": given} if isinstance(given, str) else _table(given, _COLUMN, place)
    name = _required_text(content.get("name"), f"{place}.name")
    if content.get("period") and content.get("periods"):
        raise UsageError(f"{place}: `period` or `periods`, not both")
    periods = _texts(content.get("periods") or content.get("period") or "", f"{place}.period")
    several = isinstance(content.get("periods"), list)
    question = _text(content.get("question"), f"{place}.question", QUESTION)
    kind = _text(content.get("type"), f"{place}.type")
    unit = _text(content.get("unit"), f"{place}.unit")
    made = []
    for period in periods:
        title = f"{name} {period}".strip() if several else name
        column = GridColumn(title, question, kind, unit, period)  # type: ignore[arg-type]
        made.append(_column(column, name, place, entity))
    return made


def _column(column: GridColumn, what: str, place: str, entity: str) -> GridColumn:
    """The column checked; without a question of its own it asks `what` there is of the entity, unless that is the document."""
    question, kind = column.question, column.expects
    if kind and kind not in TYPES:
        raise UsageError(f"{place}: there is no type {kind!r}; known: {', '.join(TYPES)}")
    if not question and what.rstrip().endswith("?"):
        question = what
    elif not question:
        question = f"What is the {what}{'' if entity == 'document' else ' of {entity}'}?"
    question = question.replace(f"{{{entity}}}", "{entity}")
    for mark in _PLACE.findall(question):
        if mark not in ("entity", "period"):
            raise UsageError(
                f"{place}: {{{mark}}} in the question is not known; {{entity}} and {{period}} are"
            )
    if "{period}" in question and not column.period:
        raise UsageError(f"{place}: the question says {{period}} and the column has no period")
    return replace(column, question=question, expects=kind or None)


def _table(given: Any, allowed: Sequence[str], place: str) -> dict[str, Any]:
    if not isinstance(given, dict):
        raise UsageError(
            f"{place}: a table with {', '.join(allowed)} is needed, not {reprlib.repr(given)}"
        )
    for key in given:
        if key not in allowed:
            raise UsageError(f"{place}: there is no key {key!r} here; known: {', '.join(allowed)}")
    return given


def _text(given: Any, place: str, most: int = LONGEST) -> str:
    if given is None:
        return ""
    if isinstance(given, bool) or not isinstance(given, str | int | float):
        raise UsageError(f"{place}: a text is needed, not {reprlib.repr(given)}")
    text = " ".join(str(given).split())
    if len(text) > most:
        size = f"{len(text):,} characters; at most {most:,} are allowed"
        raise UsageError(f"{place}: this has {size}")
    return text


def _texts(given: Any, place: str) -> tuple[str, ...]:
    return tuple(_text(item, place) for item in (given if isinstance(given, list) else [given]))


def _required_text(given: Any, place: str) -> str:
    name = _text(given, place)
    if not name:
        raise UsageError(f"{place}: a name is needed")
    return name


def _csv(path: Path) -> list[list[str]]:
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            apart = max("\t;,", key=file.readline().count)
            file.seek(0)
            rows = csv.reader(file, strict=True, delimiter=apart)
            return [list(map(str.strip, row)) for row in rows]
    except (UnicodeDecodeError, csv.Error) as error:
        raise UsageError(f"{path} cannot be read as CSV: {error}") from error


def _xlsx(path: Path) -> list[list[str]]:
    """The cells of the first sheet as texts."""
    from python_calamine import CalamineError, CalamineWorkbook

    try:
        book = CalamineWorkbook.from_filelike(_unpacked(path))
        found = book.get_sheet_by_index(0).to_python(skip_empty_area=False)
    except (CalamineError, OSError) as error:
        raise UsageError(f"{path} cannot be read as XLSX: {error}") from error
    # whole numbers are read as 2023.0
    return [
        [str(int(cell) if isinstance(cell, float) and cell.is_integer() else cell).strip() for cell in row]
        for row in found
    ]  # fmt: skip


def _unpacked(path: Path) -> io.BytesIO:
    """The archive of a workbook, not compressed. Raises UsageError where it unpacks, or is laid out, to more than a grid can be:
    a file of a few bytes can ask for all memory there is.
    """
    made = io.BytesIO()
    try:
        with zipfile.ZipFile(path) as packed, zipfile.ZipFile(made, "w") as plain:
            if sum(member.file_size for member in packed.infolist()) > UNPACKED:
                raise UsageError(
                    f"{path} unpacks to more than {UNPACKED >> 20} MB: that is not a grid spec"
                )
            for member in packed.infolist():
                content = packed.read(member)
                if "worksheets/" in member.filename and _extent(content) > 100 * MOST:
                    raise UsageError(
                        f"{path}: a cell far below or to the right of the others is filled; take it out"
                    )
                plain.writestr(member.filename, content)
    except UsageError:
        raise
    except Exception as error:  # a damaged archive fails in many ways
        raise UsageError(f"{path} cannot be read as XLSX: {error}") from error
    made.seek(0)
    return made


def _extent(sheet: bytes) -> int:
    """The cells of the rectangle that the cells of a sheet, as XML, lie in."""
    wide = high = 0
    for name, row in re.findall(rb"""\br=["']([A-Z]{0,3})(\d{1,9})["']""", sheet):
        wide = max(wide, reduce(lambda sum, letter: 26 * sum + letter - 64, name, 0))
        high = max(high, int(row))
    return wide * high


def _sheet(cells: Iterable[Sequence[str]], path: Path) -> Spec:
    """The spec of a sheet: its first row, then what it says of its columns, then its entities."""
    lines = [(f"{path}, row {at}", list(row)) for at, row in enumerate(cells, 1) if any(row)]
    if not lines or len(lines[0][1]) < 2:
        raise UsageError(
            f"{path}: the first row must name the kind of entity and at least one column"
        )
    kind, *heads = lines[0][1]
    # the columns that ask something: they have a heading, and do not say where rows are looked up
    asked = {at: head for at, head in enumerate(heads) if head and head.casefold() not in SCOPES}
    what = kind or "entity"
    said: dict[str, list[str]] = {}
    rows: list[GridRow] = []
    given: dict[tuple[str, str], str] = {}
    for place, (name, *texts) in lines[1:]:
        texts += [""] * (len(heads) - len(texts))
        for column, (head, text) in enumerate(zip_longest(heads, texts, fillvalue=""), 2):
            if text and not head:
                raise UsageError(f"{place}: column {column} holds {text!r} and has no heading")
        if name.casefold() in PARTS:
            if rows:
                raise UsageError(f"{place}: {name!r} must be above the first {what}")
            said[name.casefold()] = texts
            continue
        if not name:
            raise UsageError(f"{place}: the first cell must name the {what}")
        rows.append(_sheet_row(name, heads, texts, place))
        given |= {(name, head): texts[at] for at, head in asked.items() if texts[at]}
    if not rows or not asked:
        raise UsageError(
            f"{path}: a grid needs at least one column and, below its first row, one {what}"
        )
    entity, blank = kind.casefold() or "company", [""] * len(heads)
    columns = []
    for at, head in asked.items():
        parts: list[Any] = [said.get(part, blank)[at] for part in PARTS]
        place = f"{path}, column {at + 2}"
        columns.append(_column(GridColumn(head, *parts), head, place, entity))
    return _checked(Spec(path.stem, entity, tuple(rows), tuple(columns), given), str(path))


def _sheet_row(name: str, heads: Sequence[str], texts: Sequence[str], place: str) -> GridRow:
    """The entity of a row, looked up where its cells below `documents` and `company` say, several apart by semicolons."""
    content: dict[str, Any] = {"name": name}
    for head, text in zip(heads, texts, strict=False):
        if head.casefold() in SCOPES:
            content[head.casefold()] = list(filter(None, map(str.strip, text.split(";"))))
    return _row(content, place)


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """A set by its name, with its title, what it is about, the kind of its rows, and its columns as a spec gives them."""

    name: str
    title: str
    about: str
    entity: str
    columns: tuple[dict[str, Any], ...]

    def spec(self, rows: Sequence[str], title: str = "") -> Spec:
        """A grid that asks them of these rows. UsageError when there are none, or two of one name."""
        given = {"entity": self.entity, "rows": list(rows), "columns": list(self.columns)}
        return spec_from({"title": title or self.title, **given})


@cache
def question_sets() -> tuple[QuestionSet, ...]:
    """All sets, by their titles."""
    made = []
    for held in files("pincite").joinpath("data", "grids").iterdir():
        if held.name.endswith(".yaml"):
            with as_file(held) as path:
                given = read_yaml(path).content
            columns = tuple(given.pop("columns"))
            made.append(QuestionSet(held.name.removesuffix(".yaml"), columns=columns, **given))
    return tuple(sorted(made, key=lambda each: each.title))


def question_set(name: str) -> QuestionSet:
    """The set of this name. UsageError that lists those there are."""
    found = next((each for each in question_sets() if each.name == name), None)
    if found is None:
        names = ", ".join(each.name for each in question_sets())
        raise UsageError(f"there is no question set {name!r}: those there are, are {names}")
    return found
