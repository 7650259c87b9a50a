"""`pincite recipes` and `pincite recipe`: the published systems that run here, and their parameters."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

from typer import Argument

from pincite.cli import options
from pincite.cli.views.common import print_json, report
from pincite.cli.views.terminal import plain_table, terminal
from pincite.settings import load


def recipes(json: options.Json = False) -> None:
    """List the recipes: what each does, where it comes from, which models it asks."""
    from pincite.recipes import RECIPES

    if json:
        print_json([
            {"name": kind.name, "what": kind.what, "source": kind.source, "needs": list(kind().needed)}
            for kind in RECIPES.values()
        ])  # fmt: skip
        return
    table = plain_table("recipe", "what", "source", "models")
    for kind in RECIPES.values():
        table.add_row(kind.name, kind.what, kind.source, ", ".join(kind().needed) or "none")
    terminal().print(table)


def recipe(
    name: Annotated[str, Argument(help="A name that `pincite recipes` lists.")],
    sets: options.Set = None,
    corpus: Annotated[
        Path | None,
        options.corpus_of(
            "Print the pipeline that runs over this corpus, with the models of the settings.",
            show_default="none: every model by name, and what asks databases",
        ),
    ] = None,
    stand_ins: options.StandIns = False,
    json: options.Json = False,
) -> None:
    """Show a recipe: its spelling, its pipeline, its parameters with their defaults, its source and where it differs.

    Without a corpus, `rows` stands in the pipeline of a recipe that asks databases, where the corpus has some.
    """
    from pincite.formats.spell import spell
    from pincite.recipes import recipe as make
    from pincite.recipes.model_choice import spelled_pipeline
    from pincite.recipes.parameters import pairs, parameters
    from pincite.workbench.library import Library

    made = make(name, **pairs(sets))
    if corpus is None:
        pipeline = spelled_pipeline(made, load())
    else:
        pipeline = Library(corpus, load(), recipe=made, stand_ins=stand_ins).spelling
    told: dict[str, Any] = {
        "name": made.name,
        "what": made.what,
        "source": made.source,
        "spelling": spell(made),
        "pipeline": pipeline,
        "needs": {need: getattr(made, need, need) for need in made.needed},
        "parameters": [
            {"name": each.name, "value": getattr(made, each.name), "default": each.default, "allowed": each.allowed}
            for each in parameters(type(made))
        ],
        "deviations": list(made.deviations),
    }  # fmt: skip
    report(json, told, *_lines(told))


def _lines(told: dict[str, Any]) -> Iterator[str]:
    from pincite.recipes.parameters import shown

    yield f"{told['name']}: {told['what']}"
    for name in ("source", "spelling", "pipeline"):
        yield f"{name}: {told[name]}"
    needs = [need if need == name else f"{need} {name}" for need, name in told["needs"].items()]
    yield f"models: {', '.join(needs) or 'none'}"
    yield "\nparameters (--set NAME=VALUE)"
    width = max((len(parameter["name"]) for parameter in told["parameters"]), default=0)
    for parameter in told["parameters"]:
        value, default = shown(parameter["value"]), shown(parameter["default"])
        changed = f" (default {default or 'none'})" if value != default else ""
        yield f"  {parameter['name']:<{width}}  {value or 'none'}{changed}  [{parameter['allowed']}]"
    if told["deviations"]:
        yield "\nnot as published"
    for deviation in told["deviations"]:
        yield f"  - {deviation}"
