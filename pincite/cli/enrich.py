"""`pincite enrich`: a model describes the pages, tables and figures of a corpus offline, so that they are found."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from pincite.cli import options
from pincite.cli.views.common import bar, parts_of, print_json, report, with_budget, with_role
from pincite.corpus import Corpus
from pincite.settings import load

if TYPE_CHECKING:
    from pincite.indexing.enrichment import Enriched, EnrichmentEstimate
    from pincite.ledger import Spend

SHOWN = 5
"""Failures that are printed one by one."""


def enrich(
    corpus: options.Corpus,
    what: Annotated[
        str,
        typer.Option(
            help="What to describe, separated by commas: purpose, summary, qa, tables, captions."
        ),
    ] = "purpose,summary,qa",
    model: Annotated[
        str, typer.Option(help="The model: a role (small, large, judge) or a name.")
    ] = "small",
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what it would cost, without asking a model.")
    ] = False,
    budget: options.Budget = "",
    json: options.Json = False,
) -> None:
    """Have a model describe, once and offline, what each page, table and figure is about; when run again, only what is new.

    The descriptions are searched after the next `pincite index` for a recipe that uses them, such as enrich.
    """
    from pincite.indexing import enrichment as enriching
    from pincite.library import run_name
    from pincite.models.kit import kit_of

    Corpus(corpus).close()  # says so when there is none
    models, role = with_role(with_budget(load().models, budget), model)
    tellers = enriching.tellers(kit_of(models, None if dry_run else corpus), parts_of(what), role)
    if dry_run:
        _estimated(enriching.estimate(corpus, tellers), json)
        return
    with bar("tell", quiet=json) as move:
        made = enriching.enrich(
            corpus,
            tellers,
            run=run_name("enrich"),
            progress=lambda done, total, spent: move(done, total, _spent(spent)),
        )
    _told(made, json)
    if made.stopped:
        raise made.stopped
    if made.failed:
        raise typer.Exit(1)


def _estimated(rows: list[EnrichmentEstimate], json: bool) -> None:
    told = [{**asdict(row), "cost": str(row.cost), "most": str(row.most)} for row in rows]
    said = [
        f"{row.kind:>8}  {row.todo:,} of {row.objects:,} to describe by {row.model}: about {row.input:,} tokens in, "
        f"{row.output:,} out, cost {row.cost:.4f} (at most {row.most:.4f})"
        for row in rows
    ]
    cost, most = sum(row.cost for row in rows), sum(row.most for row in rows)
    whole = f"together about {cost:.4f}, at most {most:.4f}; 0 where a model has no price under [models.prices]"
    report(json, told, *said, whole)


def _told(made: Enriched, json: bool) -> None:
    spent = made.spent
    if json:
        failed = [
            dict(zip(("document", "page", "kind", "why"), failure, strict=True))
            for failure in made.failed
        ]
        print_json(
            {
                "told": dict(made.told), "empty": made.empty, "before": made.before, "failed": failed,
                "tokens_in": spent.usage.input, "tokens_out": spent.usage.output, "requests": spent.requests,
                "cost": str(spent.cost), "stopped": str(made.stopped or ""),
            }
        )  # fmt: skip
        return
    told = ", ".join(f"{count} {kind}" for kind, count in made.told.items()) or "nothing new"
    typer.echo(
        f"described: {told}; {made.empty} without meaning, {made.before} described before, {len(made.failed)} failed; "
        f"{_spent(spent)}"
    )
    if made.told:
        typer.echo(
            "run `pincite index` again for a recipe that searches the descriptions, such as enrich, to make use of them",
            err=True,
        )
    for document, page, kind, why in made.failed[:SHOWN]:
        typer.echo(f"  {document}{f' p. {page}' if page else ''}, {kind}: {why}", err=True)
    if len(made.failed) > SHOWN:
        typer.echo(
            f"  and {len(made.failed) - SHOWN} more; the next run asks about all of them again",
            err=True,
        )


def _spent(spent: Spend) -> str:
    return f"{spent.usage.input:,} tokens in, {spent.usage.output:,} out, cost {spent.cost:.4f}"
