"""`pincite review`: accept, correct and comment on answers, and make a test set of the reviews."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pincite.cli import options
from pincite.cli.views.common import print_json, report
from pincite.corpus import Corpus
from pincite.errors import UsageError
from pincite.plural import counted

if TYPE_CHECKING:
    from pincite.review import Review
    from pincite.types import Citation

WHAT = ("list", "accept", "correct", "comment", "withdraw", "export")


def review(
    what: Annotated[str, typer.Argument(metavar="|".join(WHAT), help="What to do.")],
    corpus: options.Corpus,
    answer: Annotated[
        str,
        typer.Argument(
            metavar="[ANSWER]",
            help="The id of an answer, as `pincite ask` prints it or a grid contains it.",
        ),
    ] = "",
    said: Annotated[
        str,
        typer.Argument(
            metavar="[VALUE|TEXT]",
            help='What is right: "1,234.5 million USD", "yes", "a; b", "N/A"; a comment.',
        ),
    ] = "",
    cell: Annotated[
        str,
        typer.Option(
            metavar="NODE:ROW:COLUMN", help="The table cell that contains it, counted from 0."
        ),
    ] = "",
    box: Annotated[
        str,
        typer.Option(
            metavar="DOCUMENT:PAGE:X0,TOP,X1,BOTTOM",
            help="The box on the page that contains it, in points.",
        ),
    ] = "",
    by: Annotated[str, typer.Option(help="The reviewer's name; by default your login name.")] = "",
    note: Annotated[str, typer.Option(help="Why, in words.")] = "",
    of: Annotated[
        str,
        typer.Option(
            "--of",
            metavar="GRID:ROW:COLUMN",
            help="The grid cell that this is about, by the names of its row and column.",
        ),
    ] = "",
    out: Annotated[
        Path | None, typer.Option(help="The file of questions to export to, JSON lines.")
    ] = None,
    json: options.Json = False,
) -> None:
    """Accept, correct or comment on answers, withdraw a review, list reviews, or export them as a test set.

    A correction answers the same question from then on. Its place is read again; without a place it rests on your word.
    `pincite batch` answers the exported file without the corrections, and `pincite eval RUN FILE --rules typed` scores that.
    """
    from pincite.review import accept, comment, correct, review_to, withdraw

    if what not in WHAT:
        raise UsageError(f"`pincite review` takes one of {', '.join(WHAT)}, not {what!r}")
    opened = Corpus(corpus)
    if what == "list":
        _list(opened, answer, json)
        return
    if what == "export":
        _export(opened, out, json)
        return
    if not answer or what in ("correct", "comment") and not said:
        wanted = {"correct": "ANSWER VALUE", "comment": "ANSWER TEXT"}.get(what, "ANSWER")
        raise UsageError(f"`pincite review {what}` needs {wanted}")
    topic = _topic(opened, of)
    if what == "comment":
        made = comment(opened, answer, _by(by), said, topic)
    elif what != "correct":
        made = {"accept": accept, "withdraw": withdraw}[what](opened, answer, _by(by), note, topic)
    else:
        made = correct(
            opened, answer, _by(by), said, place=_place(opened, cell, box), note=note, topic=topic
        )
    report(json, review_to(made), _line(made))


def _list(corpus: Corpus, answer: str, json: bool) -> None:
    from pincite.review import review_to, reviews

    found = reviews(corpus.folder, answer=answer.partition(".")[0])
    if json:
        print_json([review_to(review) for review in found])
        return
    for review in found:
        typer.echo(_line(review))
    if not found:
        typer.echo("nothing has been reviewed yet: `pincite review accept|correct|comment ANSWER`")


def _export(corpus: Corpus, out: Path | None, json: bool) -> None:
    from pincite.records.runfile import write_lines
    from pincite.review.reviewed_questions import question_rows

    if out is None:
        raise UsageError("`pincite review export` needs --out FILE")
    rows = question_rows(corpus.folder)
    if not rows:
        raise UsageError(
            "nothing has been accepted or corrected yet, so there is no test set to write"
        )
    write_lines(out, rows)
    said = f"{counted(len(rows), 'question')} with their gold written to {out}"
    report(json, {"questions": len(rows), "out": str(out)}, said)


def _by(name: str) -> str:
    from getpass import getuser

    try:
        return name or getuser()
    except (OSError, KeyError) as error:
        raise UsageError("say who you are with --by NAME") from error


def _topic(corpus: Corpus, of: str) -> str:
    if not of:
        return ""
    from pincite.workbench.grid import load_grid

    identity, _, names = of.partition(":")
    row, _, column = names.partition(":")
    if not column:
        raise UsageError(
            f"--of needs GRID:ROW:COLUMN, as in --of steel-makers:Contoso:Revenue, not {of!r}"
        )
    return load_grid(corpus.folder, identity).cell(row, column).topic


def _place(corpus: Corpus, cell: str, box: str) -> Citation | None:
    from pincite.review import place_box, place_cell

    if cell and box:
        raise UsageError("give --cell or --box, not both")
    try:
        if cell:
            node, row, column = cell.rsplit(":", 2)
            return place_cell(corpus, node, int(row), int(column))
        if box:
            document, page, edges = box.rsplit(":", 2)
            x0, top, x1, bottom = map(float, edges.split(","))
            return place_box(corpus, document, int(page), (x0, top, x1, bottom))
    except ValueError as error:
        wanted = "--cell NODE:ROW:COLUMN" if cell else "--box DOCUMENT:PAGE:X0,TOP,X1,BOTTOM"
        raise UsageError(f"{wanted} is needed, not {cell or box!r}") from error
    return None


def _line(kept: Review) -> str:
    said = {
        "accept": "accepted", "correct": "corrected to", "comment": "commented", "withdraw": "withdrew the review",
    }[kept.action]  # fmt: skip
    value = f" {kept.text or 'N/A'}" if kept.action in ("accept", "correct") else ""
    more = "; ".join(part for part in (kept.how, kept.note) if part)
    return f"{kept.at[:16]} {kept.by} {said}{value}: {kept.query.text}" + (
        f" ({more})" if more else ""
    )
