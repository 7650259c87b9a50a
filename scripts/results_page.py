"""Make docs/results.md: python scripts/results_page.py [--check]

`benchmarks/results.csv` has one row a figure, which is called "THING: WHAT": section, figure, value, interval, n, with (model,
none or endpoint), baseline (a trivial answer, a peer or the tuned figure), floor, date, commit, command; "" where there is none.
`benchmarks/results.md` is the prose, with `{section}` where the tables of a section go. `--check` writes nothing and exits 1
where the page is not what they make.
"""

from __future__ import annotations

import csv
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
FIGURES = ROOT / "benchmarks" / "results.csv"
PROSE = ROOT / "benchmarks" / "results.md"
PAGE = ROOT / "docs" / "results.md"

Row = Mapping[str, str]
SHARES = ("right of the shown", "right", "refused")
"""What stands side by side for one set of questions; their figures are called "QUESTIONS: SHARE"."""
HEADS = f"questions|with|{'|'.join(SHARES)}|beside|run", "figure|with|value|n|beside|run"
READERS = "2026-11-28"
"""The first day of the present readers of documents: what was counted before is marked with a dagger."""


def figures(path: Path = FIGURES) -> list[Row]:
    """The rows of the CSV, in their order."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def value(row: Row | None, n: bool = False) -> str:
    """A value with its interval, and with its n where wanted and not already said; "" for none."""
    if row is None:
        return ""
    of = f" of {row['n']}" if n and row["n"] and " of " not in row["value"] else ""
    return f"{row['value']}{of} {row['interval'].replace(', ', '–')}".strip()


def run(command: str) -> str:
    """What repeats a figure, in short: the name of the set, the file, or else the command as it is."""
    found = re.search(r"SET=(\S+)", command) or re.search(r"(\S+\.py)", command)
    return f"`{found[1]}`" if found else command


def told(texts: Iterable[str]) -> str:
    """Each text once, in their order."""
    return "; ".join(dict.fromkeys(filter(None, texts)))


def table(head: str, lines: Sequence[Sequence[str]]) -> str:
    """A Markdown table; "" without lines."""
    rule = "|---" * head.count("|") + "|---|"
    return "\n".join([f"|{head}|", rule, *(f"|{'|'.join(line)}|" for line in lines)] * bool(lines))


def section(rows: Sequence[Row]) -> str:
    """The tables of a section: first what has the three shares, side by side; then all others, those of one thing in one line."""
    things: dict[tuple[str, str, bool], dict[str, Row]] = {}
    for row in rows:
        thing, _, name = row["figure"].partition(": ")
        things.setdefault((thing, row["with"], name in SHARES), {})[name] = row
    shares, others, before = [], [], ""
    for (thing, reader, shared), each in things.items():
        those, last = each.values(), list(each.values())[-1]
        old = "†" if last["date"] < READERS else ""
        first = thing * (thing != before) + old, reader.replace("none", "")
        floors = (f"floor {row['floor']}" for row in those if row["floor"])
        end = told([*(row["baseline"] for row in those), *floors]), run(last["command"])
        if shared:
            shares.append((*first, *(value(each.get(name), n=True) for name in SHARES), *end))
        else:
            values = told(f"{name} {value(row)}".strip() for name, row in each.items())
            n = told(row["n"] for row in those if " of " not in row["value"])
            others.append((*first, values, n, *end))
        before = thing
    return "\n\n".join(filter(None, map(table, HEADS, (shares, others))))


def page(rows: list[Row], prose: str) -> str:
    """The page. Raises KeyError when a section of the prose has no row, or a row no section of the prose."""
    by_name: dict[str, list[Row]] = {}
    for row in rows:
        by_name.setdefault(row["section"], []).append(row)
    named = re.findall(r"^\{(\w+)\}$", prose, re.M)
    if unknown := set(named) ^ by_name.keys():
        raise KeyError(f"not in both the figures and the prose: {', '.join(sorted(unknown))}")
    return re.sub(r"^\{(\w+)\}$", lambda name: section(by_name[name[1]]), prose, flags=re.M)


def main(arguments: Sequence[str]) -> None:
    """Write the page, or check it."""
    made = page(figures(), PROSE.read_text(encoding="utf-8"))
    if "--check" not in arguments:
        PAGE.write_text(made, encoding="utf-8")
    elif PAGE.read_text(encoding="utf-8") != made:
        sys.exit("docs/results.md is not what its figures make: run scripts/results_page.py")


if __name__ == "__main__":
    main(sys.argv[1:])
