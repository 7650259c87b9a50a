"""`pincite bundle` and `pincite verify`: answers with their evidence as one file, and that file checked again."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from pincite.cli.views.common import CorpusOption, JsonOption, NoModelOption, bar, print_json

_SIGNATURES = {
    "signed": "signed with the key that is set",
    "not signed": "not signed",
    "wrong": "its signature is not that of the key that is set",
    "not checked": "signed, and not checked: no key is set (PINCITE_BUNDLE_KEY names its file)",
}


def add_to(app: typer.Typer) -> None:
    """Add the verbs."""
    app.command("bundle")(bundle)
    app.command("verify")(verify)


def bundle(
    corpus: CorpusOption,
    answers: Annotated[
        list[str] | None, typer.Argument(metavar="[ANSWER...]", help="Ids of answers, or of their citations.")
    ] = None,
    grid: Annotated[str, typer.Option(metavar="ID", help="All answers of a grid.")] = "",
    out: Annotated[Path, typer.Option(help="The ZIP to write.")] = Path("evidence.zip"),
    sources: Annotated[
        bool, typer.Option("--sources", help="Put the cited files into it, so that who checks it can read them again.")
    ] = False,
    no_model: NoModelOption = False,
    json: JsonOption = False,
) -> None:
    """Put answers with their quotes, framed pages, sources' hashes, statements and trace into one file to hand on."""
    from pincite.library import Library
    from pincite.settings import load, with_model
    from pincite.workbench.bundle import bundle as make

    library = Library(corpus, with_model(load(), "", no_model))
    ids = list(dict.fromkeys((*(answers or ()), *(_of(corpus, grid) if grid else ()))))
    with bar("bundle", json) as tick:
        made = make(library, ids, out, lambda done, total: tick(done, total, "answers"), sources)
    if json:
        told = {"out": str(out), "digest": made.digest, "answers": made.answers, "members": made.members}
        print_json({**told, "signed": made.signed, "skipped": list(made.skipped)})
        return
    typer.echo(f"{made.answers} answers in {out}, {made.members} members")
    for skipped in made.skipped:
        typer.echo(f"  {skipped}")
    typer.echo(f"digest {made.digest}, {'signed' if made.signed else 'not signed'}")
    typer.echo(
        "Tell the digest to who gets the file on another way: `pincite verify FILE --expect DIGEST` holds it against it."
    )


def _of(corpus: Path, grid: str) -> list[str]:
    """The ids of all answers of a grid."""
    from pincite.workbench.grid import load_grid

    return [cell.answer_id for line in load_grid(corpus, grid).cells for cell in line if cell.answer_id]


def verify(
    path: Annotated[Path, typer.Argument(metavar="FILE", help="A bundle.")],
    expect: Annotated[str, typer.Option(metavar="DIGEST", help="The digest that it should have.")] = "",
    json: JsonOption = False,
) -> None:
    """Check a bundle without its corpus: every byte, its signature where a key is set (PINCITE_BUNDLE_KEY), and every value read
    again at what it cites. Exit code 1: it fails.
    """
    from pincite.settings import load
    from pincite.workbench.bundle import verify as check
    from pincite.workbench.bundle.signature import read_key

    found = check(path, expect, read_key(load().bundle_key))
    if json:
        print_json({"ok": found.ok, **asdict(found)})
    else:
        for finding in found.findings:
            typer.echo(f"  {finding.where}: {finding.what}")
        told = f"{found.answers} answers: {found.read} read again at their places"
        told += f", of {found.quoted} only the quotes" if found.quoted else ""
        told += f", {found.unread} N/A or from a database and not read again" if found.unread else ""
        told += f", {found.sources} sources read again" if found.sources else ""
        typer.echo(f"{told}; digest {found.digest}" if found.digest else "nothing could be read")
        for what in found.unchecked:
            typer.echo(f"  not checked: {what}")
        typer.echo(_SIGNATURES[found.signature])
        typer.echo("all as it was made" if found.ok else f"FAILED: {len(found.findings)} findings")
        if found.ok and not expect and found.signature != "signed":
            typer.echo(
                "A whole bundle can be forged with its hashes: hold the digest against one told on another way (--expect)."
            )
    if not found.ok:
        raise typer.Exit(1)
