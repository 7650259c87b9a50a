"""`pincite bundle` and `pincite verify`: answers with their evidence as one file, and that file checked again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pincite.cli import options
from pincite.cli.views.common import bar, print_json, report
from pincite.plural import counted
from pincite.settings import load, with_model

if TYPE_CHECKING:
    from pincite.workbench.bundle import Verified

_SIGNATURES = {
    "signed": "signed with the configured key",
    "not signed": "not signed",
    "wrong": "its signature does not match the configured key",
    "not checked": "signed, but not checked: no key is configured (PINCITE_BUNDLE_KEY names its file)",
}


def bundle(
    corpus: options.Corpus,
    answers: Annotated[
        list[str] | None,
        typer.Argument(metavar="[ANSWER...]", help="Ids of answers, or of their citations."),
    ] = None,
    grid: Annotated[str, typer.Option(metavar="ID", help="All answers of a grid.")] = "",
    out: Annotated[Path, typer.Option(help="The ZIP to write.")] = Path("evidence.zip"),
    sources: Annotated[
        bool,
        typer.Option(
            "--sources",
            help="Include the cited files, so that whoever checks the bundle can read them again.",
        ),
    ] = False,
    no_model: options.NoModel = False,
    json: options.Json = False,
) -> None:
    """Put answers with their quotes, framed pages, hashes of sources, statements and traces into one file to hand on."""
    from pincite.library import Library
    from pincite.workbench.bundle import bundle as make

    library = Library(corpus, with_model(load(), "", no_model))
    ids = list(dict.fromkeys((*(answers or ()), *(_of(corpus, grid) if grid else ()))))
    with bar("bundle", json) as tick:
        made = make(library, ids, out, lambda done, total: tick(done, total, "answers"), sources)
    told = {name: getattr(made, name) for name in ("digest", "answers", "members", "signed")}
    report(
        json,
        {"out": str(out), **told, "skipped": list(made.skipped)},
        f"{counted(made.answers, 'answer')} in {out}, {counted(made.members, 'member')}",
        *(f"  {skipped}" for skipped in made.skipped),
        f"digest {made.digest}, {'signed' if made.signed else 'not signed'}",
        "Send the digest and the file separately: whoever receives both checks them with `pincite verify FILE --expect DIGEST`.",
    )


def _of(corpus: Path, grid: str) -> list[str]:
    """The ids of all answers of a grid."""
    from pincite.workbench.grid import load_grid

    return [
        cell.answer_id for line in load_grid(corpus, grid).cells for cell in line if cell.answer_id
    ]


def verify(
    path: Annotated[Path, typer.Argument(metavar="FILE", help="A bundle.")],
    expect: Annotated[
        str, typer.Option(metavar="DIGEST", help="The digest that the bundle should have.")
    ] = "",
    json: options.Json = False,
) -> None:
    """Check a bundle without its corpus: every byte, its signature where a key is set (PINCITE_BUNDLE_KEY), and every value, read
    again at its cited place. Exit code 1: something is wrong.
    """
    from pincite.workbench.bundle import verify as check
    from pincite.workbench.bundle.signature import read_key

    found = check(path, expect, read_key(load().bundle_key))
    if json:
        print_json({"ok": found.ok, **asdict(found)})
    else:
        for line in _findings(found):
            typer.echo(line)
        if found.ok and not expect and found.signature != "signed":
            typer.echo(
                "A bundle can be forged together with its hashes: compare its digest with one that you received separately "
                "(--expect)."
            )
    if not found.ok:
        raise typer.Exit(1)


def _findings(found: Verified) -> Iterator[str]:
    """What checking a bundle came to, in lines."""
    for finding in found.findings:
        yield f"  {finding.where}: {finding.what}"
    if found.digest:
        counts = {
            "{} only by their quotes": found.quoted,
            "{} N/A or from a database and not read again": found.unread,
        }
        more = "".join(f", {what.format(count)}" for what, count in counts.items() if count)
        if found.sources:
            more += f", {counted(found.sources, 'source')} read again"
        yield f"{counted(found.answers, 'answer')}: {found.read} read again at their places{more}; digest {found.digest}"
    else:
        yield "nothing could be read"
    for what in found.unchecked:
        yield f"  not checked: {what}"
    yield _SIGNATURES[found.signature]
    yield (
        "nothing was changed" if found.ok else f"FAILED: {counted(len(found.findings), 'finding')}"
    )
