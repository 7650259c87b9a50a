"""The limits that docs/security.md publishes are those of the code."""

import re
from importlib import import_module
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[2] / "docs" / "security.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| (.+?) \| ([\d,]+)(?: (\w+))? \| `(pincite[\w.]+)\.(\w+)` \|$", re.MULTILINE)
ROWS = ROW.findall(PAGE)
UNITS = {"": 1, "s": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}


def test_every_row_of_the_table_is_read():
    table = PAGE.partition("## Limits")[2].partition("\n## ")[0]
    assert len(ROWS) == table.count("\n| ") - 1 > 40


@pytest.mark.parametrize(
    ("what", "most", "unit", "module", "name"), ROWS, ids=[f"{row[3]}.{row[4]}" for row in ROWS]
)
def test_a_limit_is_what_the_code_says(what, most, unit, module, name):
    assert int(most.replace(",", "")) * UNITS[unit] == getattr(import_module(module), name), what
