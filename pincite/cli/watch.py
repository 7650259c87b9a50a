"""`pincite watch`: keep a corpus up to date with its folders."""

from __future__ import annotations

import json as encoder
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pincite.cli import options
from pincite.cli.views.common import finite, read_recipe
from pincite.cli.views.index_view import lines, told
from pincite.errors import PinciteError

if TYPE_CHECKING:
    from pincite.indexing import Summary


def watch(
    corpus: options.Corpus,
    paths: Annotated[list[Path], typer.Argument(help="Folders or files to keep indexed.")],
    metadata: options.Metadata = None,
    every: Annotated[
        float,
        typer.Option(help="Seconds between two checks.", min=0.1, max=86_400, callback=finite),
    ] = 2.0,
    recipe: options.Recipe = "",
    sets: options.Set = None,
    stand_ins: options.StandIns = False,
    json: options.Json = False,
) -> None:
    """Index folders, and again whenever files in them change, until Ctrl-C.

    A file is read when it is no longer being written. Questions are answered meanwhile from what was there before. With --json
    every event is a line: "indexed" with what was done, or "failed" with the reason.
    """
    chosen = read_recipe(recipe, sets)
    from pincite.indexing.watching import watch as events
    from pincite.library import index

    def run() -> Any:
        return index(paths, corpus, metadata=metadata, recipe=chosen, stand_ins=stand_ins)

    try:
        for event in events(paths, run, metadata=metadata, every_s=every):
            at = time.strftime("%Y-%m-%dT%H:%M:%S%z")
            if json:
                typer.echo(encoder.dumps({"time": at, **_event(event)}, ensure_ascii=False))
            elif isinstance(event, PinciteError):
                typer.echo(f"{at[11:19]} {event}")
            else:
                for text in lines(event):
                    typer.echo(f"{at[11:19]} {text}")
                if event.failure:
                    typer.echo(f"{at[11:19]} {event.failure}")
    except KeyboardInterrupt:
        if not json:
            typer.echo("stopped; what was finished is kept")


def _event(event: Summary | PinciteError) -> dict[str, Any]:
    if isinstance(event, PinciteError):
        return {"event": "failed", "reason": str(event)}
    if event.failure:
        return {"event": "failed", "reason": event.failure, **told(event)}
    return {"event": "indexed", **told(event)}
