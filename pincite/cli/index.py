"""`pincite index`, `watch` and `enrich`: files, folders and databases into a corpus, and what a model tells of them."""

from __future__ import annotations

import json as jsonlib
import time
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument, Option

from pincite.cli import options
from pincite.cli.views.common import (
    bar,
    finite,
    parts_of,
    print_json,
    read_recipe,
    report,
    with_budget,
    with_role,
)
from pincite.cli.views.progress import IndexingBars
from pincite.corpus import Corpus, renew
from pincite.errors import PinciteError, SourceError, UsageError
from pincite.settings import load
from pincite.storage.corpus_address import shown
from pincite.text.wording import counted

if TYPE_CHECKING:
    from pincite.indexing import Summary, Synced, Wanted
    from pincite.indexing.enrichment import Enriched, EnrichmentEstimate
    from pincite.recipes.base import Recipe
    from pincite.storage.ledger import Spend


def index(
    corpus: options.Corpus,
    paths: Annotated[
        list[str] | None,
        Argument(
            help="Files, folders or addresses (s3://, https://, sftp://); without, what the corpus holds is indexed or described "
            "anew."
        ),
    ] = None,
    metadata: options.Metadata = None,
    password: Annotated[
        list[str] | None, Option(help="The password of an encrypted file, as FILE=SECRET.")
    ] = None,
    db: str = Option(
        "",
        metavar="URL|PATH",
        help="A database, or a file or folder of CSV, TSV, XLSX or Parquet.",
    ),
    schema: str = Option("", help="The schema of the database."),
    tables: str = Option("", metavar="A,B", help="The tables to index; by default all."),
    names: Annotated[
        Path | None, Option(help="A YAML file of readable names for tables and columns.")
    ] = None,
    name: str = Option("", help="A name for the database; by default its own."),
    parser: str = Option(
        "",
        help="The parser for PDF files and pictures: pincite, or docling (an extra); by default the one used before.",
    ),
    on: options.On = "",
    recipe: options.Recipe = "",
    sets: options.Set = None,
    stand_ins: options.StandIns = False,
    dry_run: bool = Option(
        False,
        "--dry-run",
        help="Show what would be done, or without files what encoders would be sent; write nothing.",
    ),
    json: options.Json = False,
) -> None:
    """Index files, folders and databases; when run again, only what has changed.

    A database is only read, and its address is kept without user and password. The indexes of a recipe are kept beside those of
    others until the documents change. Without files, what a recipe needs is made from the documents that the corpus holds:
    nothing is parsed, and --metadata describes the files that it names. A run that can read none of its files fails; one that
    can read some lists the others.
    """
    from pincite.indexing import Wanted

    chosen = read_recipe(recipe, sets)
    given = parts_of(tables)
    if not db and (schema or given or names or name):
        raise UsageError(
            "--schema, --tables, --names and --name belong to --db: give the URL or path of a database too"
        )
    wanted = [Wanted(db, name, schema, tuple(given), names)] if db else []
    if not paths and not wanted and (dry_run or metadata is None):
        if dry_run:
            _estimate(corpus, chosen, stand_ins, json)
        else:
            _ensure(corpus, chosen, stand_ins, json, on)
        return
    secrets = [secret.partition("=") for secret in password or ()]
    if not all(equals for _, equals, _ in secrets):
        raise UsageError("--password wants FILE=SECRET")
    passwords = {file: secret for file, _, secret in secrets}
    if dry_run:
        _dry_run(paths or [], wanted, corpus, metadata, json)
        return
    from pincite.workbench.library import index as run

    with IndexingBars(quiet=json) as progress:
        summary = run(
            paths or [], corpus, databases=wanted, metadata=metadata, recipe=chosen, stand_ins=stand_ins,
            passwords=passwords, parser=parser, progress=progress, on=on,
        )  # fmt: skip
    said = list(lines(summary))
    if guessed := sum(relation.guessed for relation in summary.relations):
        how = f"`pincite tables --corpus {shown(corpus)}` lists them, --names sets them"
        said.append(f"  {counted(guessed, 'column name')} guessed: {how}")
    report(json, told(summary), *said)
    if summary.failure:
        raise SourceError(summary.failure)


def _ensure(corpus: Path, recipe: Recipe | None, stand_ins: bool, json: bool, on: str) -> None:
    from pincite.indexing import ensure
    from pincite.workbench.library import default_shelves, shelves_of

    renew(corpus)
    before = Corpus(corpus)
    before.close()
    shelves = shelves_of(recipe, corpus, stand_ins) if recipe else default_shelves(corpus)
    with IndexingBars(quiet=json) as progress:
        generation, encoded = ensure(corpus, shelves, progress, on)
    old, new = before.generation.shelves, generation.shelves
    made = sum(old.get(shelf) != folder for shelf, folder in new.items())
    number, name = generation.number, recipe.name if recipe else "default"
    report(
        json,
        {"shelves": len(shelves), "made": made, "encoded": encoded, "generation": number},
        f"{name}: {made} of {counted(len(shelves), 'index')} made, {counted(encoded, 'text')} encoded; generation {number}",
    )


def _estimate(corpus: Path, recipe: Recipe | None, stand_ins: bool, json: bool) -> None:
    """Show what the encoders would be sent of the documents that the corpus holds, and what that would cost."""
    from pincite.workbench.estimate import estimate_encoding
    from pincite.workbench.library import default_shelves, shelves_of

    shelves = shelves_of(recipe, corpus, stand_ins) if recipe else default_shelves(corpus)
    made = estimate_encoding(corpus, shelves)
    said = []
    for row in made:
        what = counted(row.pictures, "page") if row.pictures else counted(row.texts, "text")
        cost = f"about {row.tokens} tokens, cost {row.cost:.4f}"
        said.append(f"{row.encoder}: {what} to encode, {cost}")
    report(json, [{**asdict(row), "cost": str(row.cost)} for row in made], *said)


def _dry_run(
    paths: list[str], wanted: list[Wanted], corpus: Path, metadata: Path | None, json: bool
) -> None:
    from pincite.indexing.stored_relations import planned

    plan = _planned_files(paths, corpus, metadata) if paths else []
    relations = planned(corpus, wanted, load().row_limit) if wanted else []
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
        row = {"file": file.place, "document": file.document, "bytes": file.size}
        plan.append({**row, "what": "unchanged" if same else "index"})
    return plan


def watch(
    corpus: options.Corpus,
    paths: Annotated[list[Path], Argument(help="Folders or files to keep indexed.")],
    metadata: options.Metadata = None,
    every: float = Option(
        2.0, help="Seconds between two checks.", min=0.1, max=86_400, callback=finite
    ),
    recipe: options.Recipe = "",
    sets: options.Set = None,
    stand_ins: options.StandIns = False,
    json: options.Json = False,
) -> None:
    """Index folders, and again whenever files in them change, until Ctrl-C.

    A file is read when it is no longer being written. Questions are answered meanwhile from what was there before. With --json
    every event is a line: "indexed" with what was done, or "failed" with the reason.
    """
    chosen = read_recipe(recipe, sets)
    from pincite.indexing.watching import watch as events
    from pincite.workbench.library import index

    def run() -> Any:
        return index(paths, corpus, metadata=metadata, recipe=chosen, stand_ins=stand_ins)

    try:
        for event in events(paths, run, metadata=metadata, every_s=every):
            at = time.strftime("%Y-%m-%dT%H:%M:%S%z")
            failure, did, said = _event(event)
            if json:
                what = {"event": "failed", "reason": failure} if failure else {"event": "indexed"}
                typer.echo(jsonlib.dumps({"time": at, **what, **did}, ensure_ascii=False))
            else:
                for text in (*said, failure):
                    if text:
                        typer.echo(f"{at[11:19]} {text}")
    except KeyboardInterrupt:
        if not json:
            typer.echo("stopped; what was finished is kept")


def _event(event: Summary | PinciteError) -> tuple[str, dict[str, Any], list[str]]:
    """Why a run failed, and what it did, for JSON and in lines."""
    if isinstance(event, PinciteError):
        return str(event), {}, []
    return event.failure, told(event), list(lines(event))


COUNTS = (
    "parsed", "moved", "unchanged", "described", "removed", "pages", "tables", "encoded", "generation", "replaced",
)  # fmt: skip


def told(summary: Summary) -> dict[str, Any]:
    """What a run did, for JSON."""
    return {
        **{count: getattr(summary, count) for count in COUNTS}, "files": len(summary.files),
        "seconds": round(summary.seconds, 2), "failure": summary.failure,
        "problems": [
            {"file": problem.path, "status": problem.status, "reason": problem.reason} for problem in summary.problems
        ],
        "relations": [synced(relation) for relation in summary.relations],
    }  # fmt: skip


def lines(summary: Summary) -> Iterator[str]:
    """What a run did, in a line, and what became of each relation and of each file with a problem."""
    yield str(summary)
    for relation in summary.relations:
        yield f"  {line(relation)}"
    if summary.replaced:
        yield f"  replaced by newer editions, which answer: {summary.replaced}; `pincite status` lists them"
    for problem in summary.problems:
        yield f"  {problem.status}: {Path(problem.path).name}: {problem.reason}"


def synced(run: Synced) -> dict[str, Any]:
    """What became of a relation, for JSON."""
    return {
        "database": run.database, "table": run.relation, "rows": run.rows, "new": run.new, "changed": run.changed,
        "deleted": run.deleted, "rows_indexed": run.nodes, "names_guessed": run.guessed,
    }  # fmt: skip


def line(run: Synced) -> str:
    """What became of a relation, in a line."""
    counts = {"new": run.new, "changed": run.changed, "deleted": run.deleted}
    what = ", ".join(f"{count:,} {name}" for name, count in counts.items() if count) or "unchanged"
    how = "" if run.nodes else "; queried by statement"
    return f"{run.database}/{run.relation}: {counted(run.rows, 'row')}, {what}{how}"


SHOWN = 5  # failures that are printed one by one


def enrich(
    corpus: options.Corpus,
    what: str = Option(
        "purpose,summary,qa",
        help="What to describe, separated by commas: purpose, summary, qa, tables, captions.",
    ),
    model: str = Option("small", help="The model: a role (small, large, judge) or a name."),
    dry_run: bool = Option(
        False, "--dry-run", help="Show what it would cost, without asking a model."
    ),
    budget: options.Budget = "",
    json: options.Json = False,
) -> None:
    """Have a model describe, once and offline, what each page, table and figure is about; when run again, only what is new.

    The descriptions are searched after the next `pincite index` for a recipe that uses them, such as enrich.
    """
    from pincite.indexing import enrichment as enriching
    from pincite.models.kit import kit_of
    from pincite.workbench.library import run_name

    Corpus(corpus).close()  # says so when there is none
    models, role = with_role(with_budget(load().models, budget), model)
    tellers = enriching.tellers(kit_of(models, None if dry_run else corpus), parts_of(what), role)
    if dry_run:
        _report_estimate(enriching.estimate(corpus, tellers), json)
        return
    with bar("tell", quiet=json) as move:
        made = enriching.enrich(
            corpus, tellers, run=run_name("enrich"),
            progress=lambda done, total, spent: move(done, total, _spent(spent)),
        )  # fmt: skip
    _report_enriched(made, json)
    if made.stopped:
        raise made.stopped
    if made.failed:
        raise typer.Exit(1)


def _report_estimate(rows: list[EnrichmentEstimate], json: bool) -> None:
    told = [{**asdict(row), "cost": str(row.cost), "most": str(row.most)} for row in rows]
    said = []
    for row in rows:
        about = f"about {row.input:,} tokens in, {row.output:,} out, cost {row.cost:.4f} (at most {row.most:.4f})"
        todo = f"{row.todo:,} of {row.objects:,} to describe by {row.model}"
        said.append(f"{row.kind:>8}  {todo}: {about}")
    cost, most = sum(row.cost for row in rows), sum(row.most for row in rows)
    whole = f"together about {cost:.4f}, at most {most:.4f}; 0 where a model has no price under [models.prices]"
    report(json, told, *said, whole)


def _report_enriched(made: Enriched, json: bool) -> None:
    spent, named = made.spent, ("document", "page", "kind", "why")
    if json:
        print_json({
            "told": dict(made.told), "empty": made.empty, "before": made.before,
            "failed": [dict(zip(named, failure, strict=True)) for failure in made.failed],
            "tokens_in": spent.usage.input, "tokens_out": spent.usage.output, "requests": spent.requests,
            "cost": str(spent.cost), "stopped": str(made.stopped or ""),
        })  # fmt: skip
        return
    told = ", ".join(f"{count} {kind}" for kind, count in made.told.items()) or "nothing new"
    counts = (
        f"{made.empty} without meaning, {made.before} described before, {len(made.failed)} failed"
    )
    typer.echo(f"described: {told}; {counts}; {_spent(spent)}")
    more = []
    if made.told:
        more.append(
            "run `pincite index` again for a recipe that searches the descriptions, such as enrich, to make use of them"
        )
    for document, page, kind, why in made.failed[:SHOWN]:
        more.append(f"  {document}{f' p. {page}' if page else ''}, {kind}: {why}")
    if len(made.failed) > SHOWN:
        left = len(made.failed) - SHOWN
        more.append(f"  and {left} more; the next run asks about all of them again")
    for line in more:
        typer.echo(line, err=True)


def _spent(spent: Spend) -> str:
    return f"{spent.usage.input:,} tokens in, {spent.usage.output:,} out, cost {spent.cost:.4f}"
