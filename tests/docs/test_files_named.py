"""Files of the package that a docstring, a comment or a page of the documentation names are there."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = [*(ROOT / "pincite").rglob("*.py"), ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
THERE = {path.relative_to(ROOT).as_posix() for name in ("pincite", "tests", "scripts", "benchmarks", "examples")
         for path in (ROOT / name).rglob("*.py")}  # fmt: skip
NAMED = re.compile(r"`((?:\w+/)*\w+\.py)`")


def test_each_file_that_is_named_is_there():
    named = {
        (page.name, name) for page in PAGES for name in NAMED.findall(page.read_text("utf-8"))
    }
    assert len(named) > 50
    assert not {
        (page, name)
        for page, name in named
        if not any(f"/{path}".endswith(f"/{name}") for path in THERE)
    }
