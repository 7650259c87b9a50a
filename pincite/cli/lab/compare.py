"""`pincite compare`: runs of the laboratory side by side."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pincite.cli.views.common import JsonOption, print_json
from pincite.disk import write
from pincite.errors import UsageError

if TYPE_CHECKING:
    from pincite.lab.comparison.comparison import Comparison


def add_to(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("compare")(compare)


def compare(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Folders of runs, the first to compare with.")],
    metrics: Annotated[
        str,
        typer.Option(help='Measures by name and by commas, as in "nDCG@10, R@5, accuracy"; all that apply by default.'),
    ] = "",
    markdown: Annotated[Path | None, typer.Option(help="Write the tables as Markdown to this file.")] = None,
    html: Annotated[Path | None, typer.Option(help="Write a report with plots to this file.")] = None,
    qrels: Annotated[
        Path | None, typer.Option(help="Judgements (TREC or BEIR), for runs that are TREC run files.")
    ] = None,
    trec: Annotated[
        Path | None, typer.Option(help="Write each run and its judgements as TREC files to this folder.")
    ] = None,
    beir: Annotated[
        Path | None, typer.Option(help="Write the corpus's pages with the questions as a BEIR folder.")
    ] = None,
    corpus: Annotated[Path | None, typer.Option("--corpus", "-c", help="The folder of the corpus, for --beir.")] = None,
    json: JsonOption = False,
) -> None:
    """Compare runs with the first: every measure with 95% intervals and p-values, by type of question and kind of evidence."""
    from pincite.lab.comparison import trec as exchange
    from pincite.lab.comparison.comparison import compare as compared
    from pincite.lab.comparison.comparison import rows_of
    from pincite.lab.experiments.finished_runs import distinct, read_run_folder
    from pincite.lab.scoring.measures import level_of

    read = distinct([exchange.run_of(run, qrels) if qrels and run.is_file() else read_run_folder(run) for run in runs])
    made = compared(
        read, [name.strip() for name in metrics.split(",") if name.strip()], seed=int(read[0].told.get("seed") or 0)
    )
    if markdown:
        from pincite.lab.comparison.text_report import markdown as written

        write(markdown, written(made))
    if html:
        from pincite.lab.comparison.html_report import report

        write(html, report(made))
    if trec:
        level = "document" if level_of(read, made.ids) == "document" else "page"
        for run in read:
            exchange.write_run(trec / f"{exchange.item(run.name).replace('/', '-')}.run", run, level)
        exchange.write_qrels(trec / "qrels", read[0].golds, level)
    if beir:
        from pincite.corpus import Corpus

        if corpus is None:
            raise UsageError("--beir writes the pages of a corpus with the questions: give its folder with --corpus")
        exchange.write_beir(beir, exchange.beir_of(Corpus(corpus), read[0].golds))
    if json:
        print_json(rows_of(made))
    else:
        _print(made)
    for path in (markdown, html, trec, beir):
        if path:
            typer.echo(f"written to {path}", err=True)


def _print(made: Comparison) -> None:
    from rich import box
    from rich.table import Table

    from pincite.cli.views.answer_view import unbroken
    from pincite.lab.comparison.text_report import HEAD, NOTE, rows, sections

    console = unbroken()
    for title, lines in sections(made):
        table = Table(title=f"{title} ({max(line.n for line in lines)})", box=box.SIMPLE_HEAD, title_justify="left")
        compared = len(made.runs) > 1
        kept = [at for at in range(len(HEAD)) if compared or not 4 <= at < 8]
        for at in kept:
            table.add_column(HEAD[at], justify="left" if at < 2 else "right", no_wrap=at != 1)
        for row in rows(lines, made.runs):
            table.add_row(*(row[at] for at in kept))
        console.print(table)
    if len(made.runs) > 1:
        console.print(NOTE)
