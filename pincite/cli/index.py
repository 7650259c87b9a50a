"""`pincite index`: files, folders and databases into a corpus."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pincite.cli import options
from pincite.cli.views.common import parts_of, print_json, read_recipe, report
from pincite.cli.views.index_view import line, lines, synced, told
from pincite.cli.views.progress import IndexingBars
from pincite.corpus import Corpus, renew
from pincite.errors import SourceError, UsageError
from pincite.plural import counted
from pincite.settings import load
from pincite.storage.corpus_address import shown

if TYPE_CHECKING:
    from pincite.indexing import Summary, Wanted
    from pincite.recipes.base import Recipe


def index(
    corpus: options.Corpus,
    paths: Annotated[
        list[str] | None,
        typer.Argument(
            help="Files, folders or addresses (s3://, https://, sftp://); without, what the corpus holds is indexed or described "
            "anew."
        ),
    ] = None,
    metadata: options.Metadata = None,
    password: Annotated[
        list[str] | None, typer.Option(help="The password of an encrypted file, as FILE=SECRET.")
    ] = None,
    db: Annotated[
        str,
        typer.Option(
            metavar="URL|PATH",
            help="A database, or a file or folder of CSV, TSV, XLSX or Parquet.",
        ),
    ] = "",
    schema: Annotated[str, typer.Option(help="The schema of the database.")] = "",
    tables: Annotated[
        str, typer.Option(metavar="A,B", help="The tables to index; by default all.")
    ] = "",
    names: Annotated[
        Path | None, typer.Option(help="A YAML file of readable names for tables and columns.")
    ] = None,
    name: Annotated[str, typer.Option(help="A name for the database; by default its own.")] = "",
    parser: Annotated[
        str,
        typer.Option(
            help="The parser for PDF files and pictures: pincite, or docling (an extra); by default the one used before."
        ),
    ] = "",
    on: options.On = "",
    recipe: options.Recipe = "",
    sets: options.Set = None,
    stand_ins: options.StandIns = False,
    dry_run: Annotated[
        bool,
        typer.Option(
            "--dry-run",
            help="Show what would be done, or without files what encoders would be sent; write nothing.",
        ),
    ] = False,
    json: options.Json = False,
) -> None:
    """Index files, folders and databases; when run again, only what has changed.

    A database is only read, and its address is kept without user and password. The indexes of a recipe are kept beside those of
    others until the documents change. Without files, what a recipe needs is made from the documents that the corpus holds:
    nothing is parsed, and --metadata describes the files that it names. A run that can read none of its files fails; one that
    can read some lists the others.
    """
    chosen = read_recipe(recipe, sets)
    wanted = _wanted(db, schema, tables, names, name)
    if not paths and not wanted and (dry_run or metadata is None):
        if dry_run:
            _estimate(corpus, chosen, stand_ins, json)
        else:
            _ensure(corpus, chosen, stand_ins, json, on)
        return
    passwords = dict(_secret(secret) for secret in password or ())
    if dry_run:
        _dry_run(paths or [], wanted, corpus, metadata, json)
        return
    from pincite.library import index as run

    with IndexingBars(quiet=json) as progress:
        summary = run(
            paths or [], corpus, databases=wanted, metadata=metadata, recipe=chosen, stand_ins=stand_ins,
            passwords=passwords, parser=parser, progress=progress, on=on,
        )  # fmt: skip
    if json:
        print_json(told(summary))
    else:
        _tell(summary, corpus)
    if summary.failure:
        raise SourceError(summary.failure)


def _tell(summary: Summary, corpus: Path) -> None:
    for text in lines(summary):
        typer.echo(text)
    if guessed := sum(relation.guessed for relation in summary.relations):
        said = f"  {counted(guessed, 'column name')} guessed"
        typer.echo(
            f"{said}: `pincite tables --corpus {shown(corpus)}` lists them, --names sets them"
        )


def _wanted(db: str, schema: str, tables: str, names: Path | None, name: str) -> list[Wanted]:
    given = parts_of(tables)
    if not db:
        if schema or given or names or name:
            raise UsageError(
                "--schema, --tables, --names and --name belong to --db: give the URL or path of a database too"
            )
        return []
    from pincite.indexing import Wanted

    return [Wanted(db, name, schema, tuple(given), names)]


def _ensure(corpus: Path, recipe: Recipe | None, stand_ins: bool, json: bool, on: str) -> None:
    from pincite.indexing import ensure
    from pincite.library import default_shelves, shelves_of

    renew(corpus)
    before = Corpus(corpus)
    before.close()
    shelves = shelves_of(recipe, corpus, stand_ins) if recipe else default_shelves(corpus)
    with IndexingBars(quiet=json) as progress:
        generation, encoded = ensure(corpus, shelves, progress, on)
    made = sum(
        before.generation.shelves.get(shelf) != folder
        for shelf, folder in generation.shelves.items()
    )
    counts = {"shelves": len(shelves), "made": made, "encoded": encoded}
    report(
        json,
        {**counts, "generation": generation.number},
        f"{recipe.name if recipe else 'default'}: {made} of {counted(len(shelves), 'index')} made, "
        f"{counted(encoded, 'text')} encoded; generation {generation.number}",
    )


def _estimate(corpus: Path, recipe: Recipe | None, stand_ins: bool, json: bool) -> None:
    """Show what the encoders would be sent of the documents that the corpus holds, and what that would cost."""
    from pincite.library import default_shelves, shelves_of
    from pincite.workbench.encoding_estimate import estimate_encoding

    shelves = shelves_of(recipe, corpus, stand_ins) if recipe else default_shelves(corpus)
    made = estimate_encoding(corpus, shelves)
    said = []
    for row in made:
        what = counted(row.pictures, "page") if row.pictures else counted(row.texts, "text")
        said.append(
            f"{row.encoder}: {what} to encode, about {row.tokens} tokens, cost {row.cost:.4f}"
        )
    report(json, [{**asdict(row), "cost": str(row.cost)} for row in made], *said)


def _secret(given: str) -> tuple[str, str]:
    name, equals, secret = given.partition("=")
    if not equals:
        raise UsageError("--password wants FILE=SECRET")
    return name, secret


def _dry_run(
    paths: list[str], wanted: list[Wanted], corpus: Path, metadata: Path | None, json: bool
) -> None:
    plan = _planned_files(paths, corpus, metadata) if paths else []
    relations = []
    if wanted:
        from pincite.indexing.stored_relations import planned

        relations = planned(corpus, wanted, load().row_limit)
    report(
        json,
        plan + [synced(relation) for relation in relations],
        *(f"{row['what']:>9}  {row['bytes']:>12,} bytes  {row['document']}" for row in plan),
        *(f"{'unchanged' if run.unchanged else 'index':>9}  {line(run)}" for run in relations),
    )


def _planned_files(paths: list[str], corpus: Path, metadata: Path | None) -> list[dict[str, Any]]:
    """The files that a run would look at, and which of them it would index: those whose size or time has changed."""
    from pincite.indexing.changed_files import discover, named_apart
    from pincite.storage import is_kept

    held = is_kept(corpus, "corpus.sqlite", "facts")
    known = {file.path: file for file in Corpus(corpus).files()} if held else {}
    plan = []
    for file in named_apart(discover(paths, metadata), known):
        before = known.get(file.place)
        same = before and (before.size, before.changed) == (file.size, file.changed)
        what = "unchanged" if same else "index"
        plan.append(
            {"file": file.place, "document": file.document, "bytes": file.size, "what": what}
        )
    return plan
