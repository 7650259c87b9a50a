"""Question sets that come with the package: grids whose columns are what reports of a kind disclose, without rows yet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import as_file, files
from typing import Any

from pincite.errors import UsageError
from pincite.formats.yamlfile import read_yaml
from pincite.workbench.grid.spec import Spec, spec_from


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
