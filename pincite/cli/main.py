"""The command line: the verbs, by what they are for; failures are messages with an exit code, never tracebacks."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from functools import cache, wraps
from importlib import import_module
from pathlib import Path
from typing import Any

import typer
from typer import Option
from typer.core import TyperGroup
from typer.main import get_command_from_info
from typer.models import CommandInfo

from pincite import __version__
from pincite.cli.views.terminal import plain_output
from pincite.consent import agree
from pincite.errors import ConsentMissing, PinciteError
from pincite.models.extras import is_client, require_client
from pincite.storage.corpus_address import with_addresses
from pincite.storage.disk import disk_error


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
                formatter.write_dl(
                    [(name.ljust(width), told) for name, (_, told) in group.items()]
                )


app = typer.Typer(
    cls=GroupedVerbs,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help='Ask reports and databases: typed, checked, cited answers. Start with `pincite ask "QUESTION" FILE`; for a folder, '
    '`pincite index FOLDER --corpus C` once and then `pincite ask "QUESTION" --corpus C`.',
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"pincite {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    offline: bool = Option(False, "--offline", help="Open no socket; whatever needs one fails."),
    version: bool = Option(
        False, "--version", callback=_version, is_eager=True, help="Print the version."
    ),
) -> None:
    if offline:
        from pincite.processes.offline import forbid

        forbid()


GROUPS: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "Make a corpus": {
        "index": ("index.index", "read files, folders and databases; again, only what changed"),
        "watch": ("index.watch", "read folders whenever something in them changes"),
        "enrich": ("index.enrich", "have a model describe pages, tables and figures, once"),
        "status": ("listing.status", "what a corpus covers, and which files could not be read"),
        "list": ("listing.list_documents", "its documents, with their pages, tables and metadata"),
        "tables": ("listing.tables", "the tables of a PDF file, or those of the databases"),
        "edit": ("listing.edit", "correct the title, company, kind or year of a document"),
        "remove": ("listing.remove", "take documents out of a corpus; their files stay"),
        "export": ("listing.export", "write a corpus as one file"),
        "import": ("listing.bring", "make a corpus from such a file"),
    },
    "Ask": {
        "ask": ("ask.ask", "one question, to a corpus or to files named behind it"),
        "chat": ("chat.chat", "a conversation, with follow-up questions"),
        "sql": ("ask.sql", "ask the rows of databases, or of tables in documents"),
        "search": ("ask.search", "the pages that fit a question best"),
        "show": ("ask.show", "draw a cited page with the cited place framed"),
    },
    "Ask much at once": {
        "batch": ("batch.batch", "answer a file of questions"),
        "grid": ("batch.grid", "answer the same questions for many firms or materials"),
    },
    "Check and pass on": {
        "review": ("review.review", "accept, correct or comment on answers"),
        "bundle": ("review.bundle", "put answers with their evidence into one file"),
        "verify": ("review.verify", "check such a file, without the corpus"),
    },
    "Serve others": {
        "serve": ("serve.serve", "pages for a browser, REST for programs"),
        "token": ("serve.token", "make a token for people who use a server"),
        "grant": ("serve.grant", "let a login of PostgreSQL use a corpus there"),
        "mcp": ("serve.mcp", "give an assistant the corpus as tools"),
    },
    "Recipes and models": {
        "recipes": ("recipes.recipes", "list the ways of answering, our own and published ones"),
        "recipe": ("recipes.recipe", "show one of them: its stages, parameters and source"),
        "models": ("models.models", "language models on this machine, and their files"),
        "cost": ("models.cost", "the tokens, money and time that models took"),
        "doctor": ("doctor.doctor", "check the installation, a corpus, or the models"),
    },
    "Laboratory": {
        "eval": ("lab.eval.evaluate", "score a run against known answers"),
        "experiment": (
            "lab.experiment.experiment",
            "run recipes and models over sets of questions",
        ),
        "compare": ("lab.compare.compare", "compare runs, with intervals and tests"),
        "tune": ("lab.tune.tune", "find the best parameters of a recipe"),
        "testset": ("lab.testset.testset", "make questions with known answers from a corpus"),
        "beir": ("lab.beir.beir", "read a collection in the BEIR layout"),
    },
}
"""What the verbs are for, in the order in which `--help` lists them: the function of each, and in a few words what it does."""
VERBS = {name: function for group in GROUPS.values() for name, (function, _) in group.items()}
_SETTINGS = {"review": {"ignore_unknown_options": True}}  # -4,521 is a value there


def _guarded(verb: Callable[..., None]) -> Callable[..., None]:
    """The verb, with failures of the disk as messages too."""

    @wraps(verb)
    def run(**given: Any) -> None:
        try:
            verb(**given)
        except ModuleNotFoundError as error:
            if is_client(error.name):
                require_client()
            raise
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
        try:
            try:
                app()
            except ConsentMissing as missing:
                if not _agree(missing):
                    raise
                app()
        except PinciteError as error:
            typer.echo(f"pincite: {with_addresses(str(error))}", err=True)
            sys.exit(error.exit_code)
        except KeyboardInterrupt:
            said = "stopped; what was finished is kept, run the same command again to resume"
            typer.echo(f"pincite: {said}", err=True)
            sys.exit(130)
        except BrokenPipeError:
            sys.stderr.close()
            sys.exit(1)


def _agree(missing: ConsentMissing) -> bool:
    """Whether the user, asked on the terminal, agrees to what settings reach; it is remembered."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    question = f"pincite: {missing.what}\nUse it, now and in the future?"
    try:
        agreed = typer.confirm(question, err=True)
    except typer.Abort:
        return False
    if agreed:
        agree(missing)
    return agreed


if __name__ == "__main__":
    main()
