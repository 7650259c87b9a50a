"""`pincite status`, `pincite list` and `pincite remove`: what a corpus covers."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated, Any

import typer

from pincite.cli.common import CorpusOption, JsonOption, print_json


def add_to(app: typer.Typer) -> None:
    """Add the verbs."""
    app.command("status")(status)
    app.command("list")(list_documents)
    app.command("remove")(remove)


def status(corpus: CorpusOption, json: JsonOption = False) -> None:
    """What is covered: documents, pages, tables, dates, problems, the status of every file."""
    from pincite.corpus import Corpus

    opened = Corpus(corpus)
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
        "dates": [dates[0], dates[-1]] if dates else [],
        "statuses": dict(Counter(one["status"] for one in files)),
        "problems": [one for one in files if one["status"] not in ("ok", "same")],
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
    for one in told["problems"]:
        typer.echo(f"  {one['status']}: {one['document']}: {one['reason']}")


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
    documents: Annotated[list[str], typer.Argument(help="Document ids, as `pincite list` prints them.")],
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
        files = [
            one for one in writer.files().values()
            if {one.document.casefold(), Path(one.document).stem.casefold()} & wanted
        ]  # fmt: skip
        missing = wanted - {
            name for one in files for name in (one.document.casefold(), Path(one.document).stem.casefold())
        }
        if missing:
            raise UsageError(f"not in the corpus: {', '.join(sorted(missing))}; `pincite list` prints the documents")
        writer.forget_files(one.path for one in files)
        publish(writer, default_shelves())
    removed = [one.document for one in files]
    if json:
        print_json({"removed": removed})
    else:
        typer.echo(f"removed {', '.join(removed)}")
