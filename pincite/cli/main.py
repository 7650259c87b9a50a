"""The command line: one small file per verb; failures are messages with an exit code, never tracebacks."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from functools import cache, wraps
from importlib import import_module
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperGroup
from typer.main import get_command_from_info
from typer.models import CommandInfo

from pincite import __version__
from pincite.cli.views.terminal import plain_output
from pincite.consent import agree
from pincite.disk import disk_error
from pincite.errors import ConsentMissing, PinciteError
from pincite.storage.corpus_address import with_addresses


class Verbs(Mapping[str, Any]):
    """The command of each verb, imported and built when it is asked for: all of them take a tenth of a second."""

    def __getitem__(self, name: str) -> Any:
        return _command(name)

    def __iter__(self) -> Iterator[str]:
        return iter(VERBS)

    def __len__(self) -> int:
        return len(VERBS)


class GroupedVerbs(TyperGroup):
    """The verbs, which `--help` lists by what they are for."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.commands: Any = Verbs()

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the verbs of each group under its name."""
        width = max(map(len, VERBS))
        for title, group in GROUPS.items():
            with formatter.section(title):
                room = formatter.width - width - 4
                rows = [
                    (name.ljust(width), self.commands[name].get_short_help_str(room))
                    for name in group
                ]
                formatter.write_dl(rows)


app = typer.Typer(
    cls=GroupedVerbs,
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
    offline: bool = typer.Option(
        False, "--offline", help="Open no socket; whatever needs one fails."
    ),
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Print the version."
    ),
) -> None:
    if offline:
        from pincite.offline import forbid

        forbid()


GROUPS: Mapping[str, Mapping[str, str]] = {
    "Make a corpus": {
        "index": "index.index", "watch": "watch.watch", "enrich": "enrich.enrich", "status": "listing.status",
        "list": "listing.list_documents", "tables": "tables.tables", "remove": "listing.remove", "export": "transfer.export",
        "import": "transfer.bring",
    },
    "Ask": {
        "ask": "ask.ask", "chat": "chat.chat", "sql": "sql.sql", "search": "search.search", "show": "show.show",
    },
    "Ask much at once": {"batch": "batch.batch", "grid": "grid.grid"},
    "Check and pass on": {"review": "review.review", "bundle": "bundle.bundle", "verify": "bundle.verify"},
    "Serve others": {
        "serve": "serve.serve", "token": "serve.token", "grant": "rights.grant", "mcp": "mcp.mcp",
    },
    "Recipes and models": {
        "recipes": "recipes.recipes", "recipe": "recipes.recipe", "cost": "cost.cost", "doctor": "doctor.doctor",
    },
    "Laboratory": {
        "eval": "lab.eval.evaluate", "experiment": "lab.experiment.experiment", "compare": "lab.compare.compare",
        "tune": "lab.tune.tune", "testset": "lab.testset.testset", "beir": "lab.beir.beir",
    },
}  # fmt: skip
"""The function of each verb, by what the verbs are for, in the order in which `--help` lists them."""
VERBS = {name: verb for group in GROUPS.values() for name, verb in group.items()}
_SETTINGS = {"review": {"ignore_unknown_options": True}}  # -4,521 is a value there


def _guarded(verb: Callable[..., None]) -> Callable[..., None]:
    """The verb, with failures of the disk as messages too."""

    @wraps(verb)
    def run(**given: Any) -> None:
        try:
            verb(**given)
        except Exception as error:
            corpus = given.get("corpus")
            told = disk_error(error, corpus if isinstance(corpus, Path) else "")
            if told is None:
                raise
            raise told from error

    return run


@cache
def _command(name: str) -> Any:
    """The command of a verb; KeyError for what is none."""
    module, _, function = VERBS[name].rpartition(".")
    verb = getattr(import_module(f"pincite.cli.{module}"), function)
    made = CommandInfo(name, context_settings=_SETTINGS.get(name), callback=_guarded(verb))
    return get_command_from_info(made, pretty_exceptions_short=False, rich_markup_mode=None)


def main() -> None:
    """Run the command line."""
    with plain_output():
        _main()


def _main() -> None:
    try:
        try:
            app()
        except ConsentMissing as missing:
            if not _agreed(missing):
                raise
            app()
    except PinciteError as error:
        typer.echo(f"pincite: {with_addresses(str(error))}", err=True)
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        typer.echo(
            "pincite: stopped; what was finished is kept, run the same command again to resume",
            err=True,
        )
        sys.exit(130)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)


def _agreed(missing: ConsentMissing) -> bool:
    """Whether the user, asked on the terminal, agrees to what settings reach; it is remembered."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    try:
        agreed = typer.confirm(
            f"pincite: {missing.what}\nUse it, now and in the future?", err=True
        )
    except typer.Abort:
        return False
    if agreed:
        agree(missing)
    return agreed


if __name__ == "__main__":
    main()
