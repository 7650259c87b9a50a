"""`pincite status`, `pincite list` and `pincite remove`: what a corpus covers."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pincite.cli.common import CorpusOption, JsonOption, print_json
from pincite.database.held import RELATION

if TYPE_CHECKING:
    from pincite.corpus import FileStatus

if TYPE_CHECKING:
    from pincite.corpus import Corpus

WORST = 20
"""Pages that `status --quality` lists on the terminal."""


def add_to(app: typer.Typer) -> None:
    """Add the verbs."""
    app.command("status")(status)
    app.command("list")(list_documents)
    app.command("remove")(remove)


def status(
    corpus: CorpusOption,
    quality: Annotated[
        bool, typer.Option("--quality", help="How the text of every page was won, the worst first.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """What is covered: documents, pages, tables, dates, problems, the status of every file."""
    from pincite.corpus import Corpus

    opened = Corpus(corpus)
    if quality:
        _quality(opened, json)
        return
    files = [
        {"file": one.path, "document": one.document, "status": one.status, "reason": one.reason}
        for one in opened.files()
    ]
    dates = sorted(date for one in opened.documents if (date := one.date or one.meta.get("year", "")))
    told: dict[str, Any] = {
        "corpus": str(corpus),
        "generation": opened.generation.number,
        "published": opened.generation.published,
        "documents": len(opened.documents),
        "pages": sum(one.pages for one in opened.documents),
        "tables": sum(one.tables for one in opened.documents),
        "databases": [
            {
                "name": one.name,
                "address": one.database.address,
                "tables": len(one.database.relations),
                "rows": sum(relation.rows for relation in one.database.relations),
            }  # fmt: skip
            for one in opened.databases
        ],
        "dates": [dates[0], dates[-1]] if dates else [],
        "statuses": dict(Counter(one["status"] for one in files)),
        "problems": [one for one in files if one["status"] not in ("ok", "ocr", "same")],
        "files": files,
    }
    if json:
        print_json(told)
        return
    span = f", dated {dates[0]} to {dates[-1]}" if dates else ""
    typer.echo(
        f"{corpus}: {told['documents']} documents, {told['pages']} pages, {told['tables']} tables{span}; "
        f"generation {told['generation']}, published {told['published'] or 'never'}"
    )
    for one in told["databases"]:
        typer.echo(f"  database {one['name']}: {one['tables']} tables, {one['rows']:,} rows; {one['address']}")
    for one in told["problems"]:
        typer.echo(f"  {one['status']}: {one['document']}: {one['reason']}")


def _quality(corpus: Corpus, json: bool) -> None:
    from dataclasses import asdict

    from pincite.quality import quality, totals

    pages = quality(corpus)
    told = totals(pages)
    if json:
        print_json({**told, "pages": [{**asdict(one), "doubtful": one.doubtful} for one in pages]})
        return
    typer.echo(
        f"{len(pages)} pages: {told['text']} with a text layer, {told['ocr']} read by OCR, {told['none']} without text; "
        f"{told['doubtful']} to look at"
    )
    for one in [one for one in pages if one.doubtful][:WORST]:
        sure = f"read by OCR, sure {one.sure:.2f}" if one.how == "ocr" else f"{one.characters} characters"
        typer.echo(f"  {one.document} page {one.page}: {sure}{'; ' if one.suspicion else ''}{one.suspicion}")
    if told["doubtful"] > WORST:
        typer.echo(f"  and {told['doubtful'] - WORST} more: --json lists all")


def list_documents(corpus: CorpusOption, json: JsonOption = False) -> None:
    """The documents of a corpus with their pages, tables and metadata."""
    from pincite.corpus import Corpus

    documents = [
        {"document": one.id, "title": one.title, "pages": one.pages, "tables": one.tables, "metadata": dict(one.meta)}
        for one in Corpus(corpus).documents
    ]
    if json:
        print_json(documents)
        return
    for one in documents:
        typer.echo(f"{one['document']}  {one['pages']} pages, {one['tables']} tables  {one['title']}")


def remove(
    documents: Annotated[
        list[str], typer.Argument(help="Document ids, as `pincite list` prints them, or names of databases.")
    ],
    corpus: CorpusOption,
    json: JsonOption = False,
) -> None:
    """Remove documents from a corpus; the files themselves stay."""
    from pincite.corpus import Corpus, writing
    from pincite.errors import UsageError
    from pincite.indexing import publish
    from pincite.library import default_shelves

    Corpus(corpus).close()  # a missing corpus is an error, not a new one
    with writing(corpus) as writer:
        wanted = {one.casefold() for one in documents}
        files = [one for one in writer.files().values() if _names(one) & wanted]
        missing = wanted.difference(*map(_names, files))
        if missing:
            raise UsageError(f"not in the corpus: {', '.join(sorted(missing))}; `pincite list` prints the documents")
        writer.forget_files(one.path for one in files)
        publish(writer, default_shelves())
    removed = [one.document for one in files]
    if json:
        print_json({"removed": removed})
    else:
        typer.echo(f"removed {', '.join(removed)}")


def _names(one: FileStatus) -> set[str]:
    """What a file may be removed by; a table of a database by the database too."""
    document = one.document.casefold()
    if one.version.startswith(RELATION):
        return {document, document.split("/")[0]}
    return {document, Path(document).stem}
