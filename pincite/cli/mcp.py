"""`pincite mcp`: a corpus as tools of an assistant, over standard input and output."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from pincite.cli.common import CorpusOption, ModelOption, NoModelOption
from pincite.errors import UsageError

if TYPE_CHECKING:
    from pincite.library import Library


def add_to(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("mcp")(mcp)


def mcp(corpus: CorpusOption, model: ModelOption = "", no_model: NoModelOption = False) -> None:
    """Give an assistant the tools ask, search, read_page, query_table and coverage (Model Context Protocol over stdio).

    Over HTTP they are served by `pincite serve`, at /mcp/NAME.
    """
    try:
        from pincite.mcp.server import server
    except ImportError as error:
        raise UsageError(f"`pincite mcp` needs {error.name}: pip install 'pincite[mcp]'") from error
    from pincite.serve.corpora import served
    from pincite.settings import load, with_model

    (one,) = served([corpus], with_model(load(), model, no_model)).values()

    def newest() -> Library:
        one.refresh()
        return one.edition.library

    server(one.name, newest).run()
