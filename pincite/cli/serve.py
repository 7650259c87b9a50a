"""`pincite serve` and `pincite token`: a corpus in the browser and for programs, and who may reach it."""

from __future__ import annotations

import ipaddress
from pathlib import Path
from socket import IPPROTO_TCP, TCP_NODELAY
from typing import TYPE_CHECKING, Annotated

import typer

from pincite.cli import options
from pincite.cli.views.common import name_recipe, print_json, read_recipe
from pincite.errors import UsageError
from pincite.settings import default_corpus, load, with_model

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
    host: Annotated[
        str,
        typer.Option(help="The address to listen on; any but this machine's own needs --tokens."),
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="The port; 0 picks a free one.")
    ] = 8080,
    tokens: Annotated[
        Path | None, typer.Option(help="A file of tokens that `pincite token` makes.")
    ] = None,
    behind_proxy: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS",
            help="The address of a proxy in front of the server, or several addresses and networks separated by commas: what it "
            "says about callers, and whether they use HTTPS, is trusted.",
        ),
    ] = "",
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
    from pincite.serve.app import create_app
    from pincite.serve.corpora import AnswerSetup, begin, served

    chosen = read_recipe(recipe, sets)
    folders, settings = corpus or [default_corpus()], with_model(load(), model, no_model)
    for folder in folders:
        begin(folder, AnswerSetup(settings, chosen, stand_ins))
    corpora = served(folders, settings, chosen, stand_ins)
    if chosen:
        name_recipe(next(iter(corpora.values())).edition.library)
    application = create_app(corpora, access, local=_is_loopback(host))
    from pincite.serve.door.connections import config_of

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
    import uvicorn

    uvicorn.Server(config).run([socket])


def _access(host: str, tokens: Path | None) -> Access:
    """Who may reach the server. UsageError where others could and no token is asked for, or the extra is missing."""
    if tokens is None and not _is_loopback(host):
        raise UsageError(
            f"--host {host} can be reached from other machines, so it needs tokens: make one with `pincite token NAME --role "
            "admin`, then add --tokens tokens.toml; without them a corpus is served on 127.0.0.1 only"
        )
    try:
        import fastapi  # noqa: F401
        import jinja2  # noqa: F401
        import python_multipart  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError as error:
        raise UsageError(
            f"`pincite serve` needs {error.name}: pip install 'pincite[web]'"
        ) from error
    from pincite.serve.door.access import Access, read_tokens

    return read_tokens(tokens) if tokens else Access()


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def token(
    name: Annotated[
        str, typer.Argument(help="The holder's name, as it appears in the audit log.")
    ],
    role: Annotated[str, typer.Option(help="The role: reader, reviewer or admin.")] = "reader",
    corpus: Annotated[
        list[str] | None,
        typer.Option(help="A corpus that the holder may use; may be repeated. By default all."),
    ] = None,
    tokens: Annotated[Path, typer.Option(help="The file to add the token to.")] = TOKENS,
    json: options.Json = False,
) -> None:
    """Make a token for `pincite serve --tokens`. It is printed once; the file holds its hash."""
    from pincite.serve.door.access import new_token

    made = new_token(name, role, list(corpus or ()), tokens)
    if json:
        print_json({"name": name, "role": role, "token": made, "tokens": str(tokens)})
        return
    typer.echo(made)
    typer.echo(
        f"pincite: the token of {name} ({role}) is printed above and nowhere else; its hash is in {tokens}",
        err=True,
    )
