"""`pincite review`, `bundle` and `verify`: what people say of answers; answers with their evidence as one file, and its check."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Argument, Option

from pincite.cli import options
from pincite.cli.views.common import bar, report
from pincite.corpus import Corpus
from pincite.errors import UsageError
from pincite.settings import load, with_model
from pincite.text.wording import counted

if TYPE_CHECKING:
    from pincite.records.review import Review
    from pincite.types import Citation
    from pincite.workbench.bundle import Verified

WHAT = ("list", "accept", "correct", "comment", "withdraw", "export")


def review(
    what: Annotated[str, Argument(metavar="|".join(WHAT), help="What to do.")],
    corpus: options.Corpus,
    answer: str = Argument(
        "",
        metavar="[ANSWER]",
        help="The id of an answer, as `pincite ask` prints it or a grid contains it.",
    ),
    said: str = Argument(
        "",
        metavar="[VALUE|TEXT]",
        help='What is right: "1,234.5 million USD", "yes", "a; b", "N/A"; a comment.',
    ),
    cell: str = Option(
        "", metavar="NODE:ROW:COLUMN", help="The table cell that contains it, counted from 0."
    ),
    box: str = Option(
        "",
        metavar="DOCUMENT:PAGE:X0,TOP,X1,BOTTOM",
        help="The box on the page that contains it, in points.",
    ),
    by: str = Option("", help="The reviewer's name; by default your login name."),
    note: str = Option("", help="Why, in words."),
    of: str = Option(
        "",
        "--of",
        metavar="GRID:ROW:COLUMN",
        help="The grid cell that this is about, by the names of its row and column.",
    ),
    out: Annotated[
        Path | None, Option(help="The file of questions to export to, JSON lines.")
    ] = None,
    json: options.Json = False,
) -> None:
    """Accept, correct or comment on answers, withdraw a review, list reviews, or export them as a test set.

    A correction answers the same question from then on. Its place is read again; without a place it rests on your word.
    `pincite batch` answers the exported file without the corrections, and `pincite eval RUN FILE --rules typed` scores that.
    """
    from pincite.records.review import accept, comment, correct, review_to, withdraw

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
    topic, who = _topic(opened, of), _reviewer(by)
    if what == "correct":
        place = _place(opened, cell, box)
        made = correct(opened, answer, who, said, place=place, note=note, topic=topic)
    else:
        words = said if what == "comment" else note
        does = {"accept": accept, "comment": comment, "withdraw": withdraw}[what]
        made = does(opened, answer, who, words, topic)
    report(json, review_to(made), _line(made))


def _list(corpus: Corpus, answer: str, json: bool) -> None:
    from pincite.records.review import review_to, reviews

    found = reviews(corpus.folder, answer=answer.partition(".")[0])
    none = "nothing has been reviewed yet: `pincite review accept|correct|comment ANSWER`"
    report(json, list(map(review_to, found)), *(map(_line, found) if found else [none]))


def _export(corpus: Corpus, out: Path | None, json: bool) -> None:
    from pincite.records.review.reviewed_questions import question_rows
    from pincite.records.runfile import write_lines

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


def _reviewer(name: str) -> str:
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
    from pincite.records.review import place_box, place_cell

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
    told = f"{kept.at[:16]} {kept.by} {said}{value}: {kept.query.text}"
    return f"{told} ({more})" if more else told


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
        Argument(metavar="[ANSWER...]", help="Ids of answers, or of their citations."),
    ] = None,
    grid: str = Option("", metavar="ID", help="All answers of a grid."),
    out: Annotated[Path, Option(help="The ZIP to write.")] = Path("evidence.zip"),
    sources: bool = Option(
        False,
        "--sources",
        help="Include the cited files, so that whoever checks the bundle can read them again.",
    ),
    no_model: options.NoModel = False,
    json: options.Json = False,
) -> None:
    """Put answers with their quotes, framed pages, hashes of sources, statements and traces into one file to hand on."""
    from pincite.workbench.bundle import bundle as make
    from pincite.workbench.grid import load_grid
    from pincite.workbench.library import Library

    library = Library(corpus, with_model(load(), "", no_model))
    filled = chain.from_iterable(load_grid(corpus, grid).cells) if grid else ()
    of_grid = (cell.answer_id for cell in filled if cell.answer_id)
    ids = list(dict.fromkeys((*(answers or ()), *of_grid)))
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


def verify(
    path: Annotated[Path, Argument(metavar="FILE", help="A bundle.")],
    expect: str = Option("", metavar="DIGEST", help="The digest that the bundle should have."),
    json: options.Json = False,
) -> None:
    """Check a bundle without its corpus: every byte, its signature where a key is set (PINCITE_BUNDLE_KEY), and every value, read
    again at its cited place. Exit code 1: something is wrong.
    """
    from pincite.workbench.bundle import verify as check
    from pincite.workbench.bundle.bundle_archive import read_key

    found = check(path, expect, read_key(load().bundle_key))
    report(json, {"ok": found.ok, **asdict(found)}, *_findings(found, expect))
    if not found.ok:
        raise typer.Exit(1)


def _findings(found: Verified, expect: str) -> Iterator[str]:
    """What checking a bundle came to, in lines."""
    for finding in found.findings:
        yield f"  {finding.where}: {finding.what}"
    if found.digest:
        more = f", {found.quoted} only by their quotes" if found.quoted else ""
        if found.unread:
            more += f", {found.unread} N/A or from a database and not read again"
        if found.sources:
            more += f", {counted(found.sources, 'source')} read again"
        yield f"{counted(found.answers, 'answer')}: {found.read} read again at their places{more}; digest {found.digest}"
    else:
        yield "nothing could be read"
    for what in found.unchecked:
        yield f"  not checked: {what}"
    yield _SIGNATURES[found.signature]
    if not found.ok:
        yield f"FAILED: {counted(len(found.findings), 'finding')}"
        return
    yield "nothing was changed"
    if not expect and found.signature != "signed":
        yield (
            "A bundle can be forged together with its hashes: compare its digest with one that you received separately "
            "(--expect)."
        )
