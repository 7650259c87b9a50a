"""`pincite grant`: what a login of the database may do with a corpus in PostgreSQL."""

from __future__ import annotations

from typing import Annotated

import typer

from pincite.cli import options
from pincite.cli.views.common import report
from pincite.errors import UsageError
from pincite.storage import shown


def grant(
    login: Annotated[
        str, typer.Argument(help="A login of the database, made with CREATE ROLE ... LOGIN.")
    ],
    corpus: options.Corpus,
    role: Annotated[
        str,
        typer.Option(
            help="reader (ask and read), reviewer (also keep answers, review, chat, fill grids, run batches), or none."
        ),
    ] = "reader",
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
