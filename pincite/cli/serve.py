"""`pincite serve`, `mcp`, `token` and `grant`: corpora for browsers, programs and assistants, and who may reach them."""

from __future__ import annotations

import asyncio
import ipaddress
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from socket import IPPROTO_TCP, TCP_NODELAY
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument, Option

from pincite.cli import options
from pincite.cli.views.common import name_recipe, print_json, read_recipe, report
from pincite.errors import UsageError
from pincite.settings import default_corpus, load, with_model
from pincite.storage import shown

if TYPE_CHECKING:
    from pincite.serve.door.access import Access

TOKENS = Path("tokens.toml")


def serve(
    corpus: Annotated[
        list[Path] | None,
        options.corpus_of(
            "A corpus folder, or an address in PostgreSQL; may be repeated; by default the corpus of the settings."
        ),
    ] = None,
    host: str = Option(
        "127.0.0.1", help="The address to listen on; any but this machine's own needs --tokens."
    ),
    port: int = Option(8080, min=0, max=65535, help="The port; 0 picks a free one."),
    tokens: Annotated[
        Path | None, Option(help="A file of tokens that `pincite token` makes.")
    ] = None,
    behind_proxy: str = Option(
        "",
        metavar="ADDRESS",
        help="The address of a proxy in front of the server, or several addresses and networks separated by commas: what it "
        "says about callers, and whether they use HTTPS, is trusted.",
    ),
    recipe: options.Recipe = "",
    sets: options.Set = None,
    stand_ins: options.StandIns = False,
    model: options.Model = "",
    no_model: options.NoModel = False,
    json: options.Json = False,
) -> None:
    """Serve corpora: pages for a browser, REST for programs. Ctrl-C stops it once running requests are finished."""
    if behind_proxy and tokens is None:
        raise UsageError(
            "--behind-proxy lets other machines in, so it needs tokens: make one with `pincite token NAME --role admin`, then "
            "add --tokens tokens.toml"
        )
    access = _access(host, tokens)
    import uvicorn

    from pincite.serve.app import create_app
    from pincite.serve.corpora import AnswerSetup, begin, served
    from pincite.serve.door.connections import config_of

    chosen = read_recipe(recipe, sets)
    folders, settings = corpus or [default_corpus()], with_model(load(), model, no_model)
    for folder in folders:
        begin(folder, AnswerSetup(settings, chosen, stand_ins))
    corpora = served(folders, settings, chosen, stand_ins)
    if chosen:
        name_recipe(next(iter(corpora.values())).edition.library)
    application = create_app(corpora, access, local=_is_loopback(host))
    config = config_of(application, host, port, behind_proxy)
    socket = config.bind_socket()
    # else a reply's body waits 40 ms for the receipt of its head
    socket.setsockopt(IPPROTO_TCP, TCP_NODELAY, 1)
    socket.listen(config.backlog)  # before the address is told: who comes early waits
    address = f"http://{f'[{host}]' if ':' in host else host}:{socket.getsockname()[1]}/"
    if json:
        print_json({"address": address, "corpora": sorted(corpora)})
    else:
        typer.echo(f"Pincite serves {', '.join(corpora)} at {address}", err=True)
    uvicorn.Server(config).run([socket])


def _access(host: str, tokens: Path | None) -> Access:
    """Who may reach the server. UsageError where others could and no token is asked for, or the extra is missing."""
    if tokens is None and not _is_loopback(host):
        raise UsageError(
            f"--host {host} can be reached from other machines, so it needs tokens: make one with `pincite token NAME --role "
            "admin`, then add --tokens tokens.toml; without them a corpus is served on 127.0.0.1 only"
        )
    for module in ("fastapi", "jinja2", "python_multipart", "uvicorn"):
        if find_spec(module) is None:
            raise UsageError(f"`pincite serve` needs {module}: pip install 'pincite[web]'")
    from pincite.serve.door.access import Access, read_tokens

    return read_tokens(tokens) if tokens else Access()


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def token(
    name: Annotated[str, Argument(help="The holder's name, as it appears in the audit log.")],
    role: str = Option("reader", help="The role: reader, reviewer or admin."),
    corpus: Annotated[
        list[str] | None,
        Option(help="A corpus that the holder may use; may be repeated. By default all."),
    ] = None,
    tokens: Annotated[Path, Option(help="The file to add the token to.")] = TOKENS,
    json: options.Json = False,
) -> None:
    """Make a token for `pincite serve --tokens`. It is printed once; the file holds its hash."""
    from pincite.serve.door.access import new_token

    made = new_token(name, role, list(corpus or ()), tokens)
    report(json, {"name": name, "role": role, "token": made, "tokens": str(tokens)}, made)
    if not json:
        said = f"the token of {name} ({role}) is printed above and nowhere else; its hash is in {tokens}"
        typer.echo(f"pincite: {said}", err=True)


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
        from pincite.serve.mcp_server import server
    except ImportError as error:
        raise UsageError(
            f"`pincite mcp` needs {error.name}: pip install 'pincite[mcp]'"
        ) from error

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


def grant(
    login: Annotated[
        str, Argument(help="A login of the database, made with CREATE ROLE ... LOGIN.")
    ],
    corpus: options.Corpus,
    role: str = Option(
        "reader",
        help="reader (ask and read), reviewer (also keep answers, review, chat, fill grids, run batches), or none.",
    ),
    json: options.Json = False,
) -> None:
    """Let a login of the database use a corpus in PostgreSQL, or no longer; its owner runs this."""
    from pincite.workbench.database_rights import RIGHTS
    from pincite.workbench.database_rights import grant as give

    wanted = next((right for right in RIGHTS if right == role), None)
    if wanted is None:
        raise UsageError(f"--role must be one of {', '.join(RIGHTS)}, not {role!r}")
    give(corpus, login, wanted)
    told = {"login": login, "role": role, "corpus": shown(corpus)}
    report(json, told, f"{login} has the role {role} in {shown(corpus)}")
