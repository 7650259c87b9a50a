"""The command line: one small file a verb; failures are messages with an exit code, never tracebacks."""

from __future__ import annotations

import sys

import typer

from pincite import __version__
from pincite.cli import (
    ask,
    batch,
    bundle,
    chat,
    compare,
    cost,
    doctor,
    enrich,
    eval,
    experiment,
    grid,
    index,
    listing,
    mcp,
    recipes,
    review,
    search,
    serve,
    show,
    sql,
    tables,
    testset,
    transfer,
    tune,
    watch,
)
from pincite.errors import PinciteError

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="Ask a folder of reports: typed, checked, cited answers. Start with `pincite index FOLDER --corpus C`, "
    'then `pincite ask "..." --corpus C`.',
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"pincite {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    offline: bool = typer.Option(False, "--offline", help="Open no socket: anything that tries fails."),
    version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Print the version."),
) -> None:
    if offline:
        from pincite.offline import forbid

        forbid()


for verb in (
    index,
    watch,
    enrich,
    ask,
    chat,
    batch,
    grid,
    review,
    bundle,
    search,
    show,
    serve,
    mcp,
    sql,
    tables,
    listing,
    recipes,
    transfer,
    cost,
    doctor,
    eval,
    experiment,
    compare,
    tune,
    testset,
):
    verb.add_to(app)


def main() -> None:
    """Run the command line."""
    try:
        app()
    except PinciteError as error:
        typer.echo(f"pincite: {error}", err=True)
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        typer.echo("pincite: stopped; what was finished is kept, run the same command again to go on", err=True)
        sys.exit(130)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)
    except OSError as error:
        if error.filename is None:
            raise
        typer.echo(f"pincite: {error.filename} cannot be read or written: {error.strerror}", err=True)
        sys.exit(1)


if __name__ == "__main__":
    main()
