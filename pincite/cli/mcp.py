"""`pincite mcp`: a corpus as tools of an assistant, over standard input and output."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pincite.cli import options
from pincite.cli.views.common import name_recipe, read_recipe
from pincite.errors import UsageError
from pincite.settings import load, with_model


def mcp(
    corpus: options.Corpus,
    recipe: options.Recipe = "",
    sets: options.Set = None,
    stand_ins: options.StandIns = False,
    model: options.Model = "",
    no_model: options.NoModel = False,
) -> None:
    """Give an assistant the tools ask, search, read_page, query_table and coverage (Model Context Protocol over stdio).

    Over HTTP they are served by `pincite serve`, at /mcp/NAME.
    """
    try:
        from pincite.mcp.mcp_server import server
    except ImportError as error:
        raise UsageError(
            f"`pincite mcp` needs {error.name}: pip install 'pincite[mcp]'"
        ) from error
    import asyncio

    from pincite.serve.corpora import served
    from pincite.serve.processes.question_pool import QuestionPool

    chosen = read_recipe(recipe, sets)
    settings = with_model(load(), model, no_model)
    (offered,) = served([corpus], settings, chosen, stand_ins).values()
    if chosen:
        name_recipe(offered.edition.library)

    async def run() -> None:
        asking = QuestionPool([offered])

        async def does(what: Callable[..., dict[str, Any]], *given: Any) -> dict[str, Any]:
            await asyncio.to_thread(offered.refresh)
            made: dict[str, Any] = await asking.do(offered, "", what, *given)
            return made

        try:
            await server(offered.name, does).run_stdio_async()
        finally:
            await asking.close()

    asyncio.run(run())
