"""`pincite chat`: a conversation on the terminal or through pipes, and the chats that were kept."""

from __future__ import annotations

import json as json_
import sys
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Option

from pincite.cli import options
from pincite.cli.views.common import name_recipe, print_json, read_recipe, read_where
from pincite.corpus import Corpus
from pincite.errors import PinciteError, UsageError
from pincite.settings import load, with_model
from pincite.storage.disk import write

if TYPE_CHECKING:
    from pincite.chat.conversation import Conversation
    from pincite.chat.history import History

HELP = "Ask, then follow up: “and in 2022?”. /new starts a new chat, /quit ends, Ctrl-C stops an answer."


def chat(
    corpus: options.Corpus,
    resume: str = Option("", metavar="ID", help="Continue a kept chat."),
    memory: int = Option(
        4000,
        min=0,
        max=1_000_000,
        help="Tokens of the conversation that a follow-up is understood from.",
    ),
    where: options.Where = None,
    as_of: options.AsOf = "",
    recipe: options.Recipe = "",
    sets: options.Set = None,
    stand_ins: options.StandIns = False,
    model: options.Model = "",
    no_model: options.NoModel = False,
    listed: bool = Option(False, "--list", help="List the kept chats."),
    search: str = Option(
        "", metavar="TEXT", help="List the kept chats that contain all these words."
    ),
    export: str = Option("", metavar="ID", help="Write out a kept chat, as Markdown or JSON."),
    out: Annotated[
        Path | None, Option(help="File for --export; JSON when it ends in .json.")
    ] = None,
    rename: str = Option("", metavar="ID", help="Give a kept chat the title of --title."),
    title: str = Option("", help="The title for --rename."),
    delete: str = Option("", metavar="ID", help="Delete a kept chat."),
    json: options.Json = False,
) -> None:
    """Hold a conversation: follow-ups are understood from its context, every answer is cited, and chats are kept beside the
    corpus.

    Questions come from the terminal, or one per line from a pipe; with --json each turn is one line of JSON.
    """
    from pincite.chat.conversation import Conversation
    from pincite.chat.history import History
    from pincite.search.filters import held_filters
    from pincite.storage.ledger import about
    from pincite.workbench.library import Library, run_name

    if sum(map(bool, (resume, listed, search, export, rename, delete))) > 1:
        raise UsageError(
            "give one of --resume, --list, --search, --export, --rename and --delete at a time"
        )
    history = History(corpus)
    if any((listed, search, export, rename, delete)):
        Corpus(corpus).close()  # says so when there is none
        if export:
            _export(history, export, out, json)
        elif rename:
            history.rename(rename, title)
            called = history.chat(rename).title
            _done(json, f"chat {rename} is now called {called!r}", chat=rename, title=called)
        elif delete:
            history.delete(delete)
            _done(json, f"chat {delete} deleted", deleted=delete)
        else:
            _list(history, search, json)
        return
    chosen = read_recipe(recipe, sets)
    library = Library(
        corpus, with_model(load(), model, no_model), recipe=chosen, stand_ins=stand_ins
    )
    library.run = run_name("chat")
    if chosen:
        library.check()
        name_recipe(library)
    filters = held_filters(library.corpus, read_where(where))

    def begin(identity: str = "") -> Conversation:
        return Conversation(
            library, history, library.kit, chat=identity, where=filters, as_of=as_of, memory=memory
        )

    talk = begin(resume)
    with about(run=library.run):
        if sys.stdin.isatty() and not json:
            from pincite.cli.views.chat_view import converse

            converse(talk, begin, HELP)
            return
        _piped(talk, library.named, json)


def _list(history: History, search: str, json: bool) -> None:
    """List the kept chats, or those that contain all words of `search`."""
    found = history.chats(search)
    if json:
        print_json([asdict(chat) for chat in found])
        return
    for chat in found:
        turns = f"{chat.turns:3} turn{'s' if chat.turns != 1 else ' '}"
        typer.echo(f"{chat.id}  {chat.changed[:16].replace('T', ' ')}  {turns}  {chat.title}")
    if not found:
        none = "no chats are kept yet: `pincite chat` starts one"
        typer.echo(f"no chat contains {search!r}" if search else none, err=True)


def _export(history: History, identity: str, out: Path | None, json: bool) -> None:
    """Write a chat to a file or to standard output, as JSON where that is asked for and else as Markdown."""
    from pincite.chat.history import as_json, as_markdown

    chat, turns = history.chat(identity), history.turns(identity)
    if json or out is not None and out.suffix.lower() == ".json":
        text = json_.dumps(as_json(chat, turns), ensure_ascii=False, indent=2) + "\n"
    else:
        text = as_markdown(chat, turns)
    if out is None:
        typer.echo(text, nl=False)
        return
    write(out, text)
    said = f"{len(turns)} turns of chat {identity} written to {out}"
    _done(json, said, chat=identity, turns=len(turns), out=str(out))


def _done(json: bool, told: str, **what: Any) -> None:
    if json:
        print_json(what)
    else:
        typer.echo(told, err=True)


def _piped(talk: Conversation, recipe: str, json: bool) -> None:
    """Answer the questions on standard input, one a line; report one that fails and go on with the rest.

    In JSON each tells the `recipe` that answered.
    """
    from pincite.cli.views.chat_view import TurnSoFar, print_told
    from pincite.cli.views.progress import reading_line

    failed: PinciteError | None = None
    asked = 0
    for line in sys.stdin:
        if not line.strip():
            continue
        asked += 1
        told = TurnSoFar()
        try:
            with reading_line(json), closing(talk.turn(line)) as events:
                for event in events:
                    told.hear(event)
        except PinciteError as error:
            failed = error
            told.error = str(error)
        if json:
            record = {**told.record(talk, line), "recipe": recipe}
            typer.echo(json_.dumps(record, ensure_ascii=False))
        else:
            print_told(told)
        sys.stdout.flush()
    if not asked:
        raise UsageError(
            "standard input contained no question: pipe questions in, one per line, or start this on a terminal"
        )
    if talk.chat and not json:
        typer.echo(
            f"chat {talk.chat} is kept: continue it with `pincite chat --resume {talk.chat} --corpus ...`",
            err=True,
        )
    if failed:
        raise typer.Exit(failed.exit_code)
