"""`pincite compare`: runs of the laboratory side by side."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pincite.cli import options
from pincite.cli.views.common import parts_of, print_json
from pincite.corpus import Corpus
from pincite.settings import default_corpus
from pincite.storage.disk import write

if TYPE_CHECKING:
    from pincite.lab.comparison.comparison import Comparison, PairDifference
    from pincite.lab.experiments.finished_runs import Run


def compare(
    runs: Annotated[
        list[Path],
        typer.Argument(
            metavar="RUN...", help="Folders of runs; the others are compared with the first."
        ),
    ],
    metrics: Annotated[
        str,
        typer.Option(
            help='Measures separated by commas, as in "nDCG@10, R@5, accuracy"; by default all that apply.'
        ),
    ] = "",
    markdown: Annotated[
        Path | None, typer.Option(help="Write the tables as Markdown to this file.")
    ] = None,
    html: Annotated[
        Path | None, typer.Option(help="Write a report with plots to this file.")
    ] = None,
    qrels: Annotated[
        Path | None,
        typer.Option(help="Judgements (TREC or BEIR), for runs that are TREC run files."),
    ] = None,
    trec: Annotated[
        Path | None,
        typer.Option(help="Write each run and its judgements as TREC files to this folder."),
    ] = None,
    beir: Annotated[
        Path | None,
        typer.Option(help="Write the corpus's pages with the questions as a BEIR folder."),
    ] = None,
    corpus: Annotated[
        Path | None, options.corpus_of("The corpus, for --beir; by default that of the settings.")
    ] = None,
    pairs: Annotated[
        bool, typer.Option("--pairs", help="Compare every two runs, not only each with the first.")
    ] = False,
    json: options.Json = False,
) -> None:
    """Compare runs with the first: every measure with 95% intervals and p-values, by type of question and kind of evidence.

    Runs of an experiment over several sets are compared by set and in the mean that its file says.
    """
    from pincite.lab.comparison import trec as exchange
    from pincite.lab.comparison.comparison import compare as compared
    from pincite.lab.comparison.comparison import every_pair, pair_rows_of, rows_of
    from pincite.lab.comparison.over_sets import joined_over_sets, lacking
    from pincite.lab.experiments.finished_runs import distinct

    read = distinct([_read(run, qrels) for run in runs])
    seed = int(read[0].told.get("seed") or 0)
    joined = joined_over_sets(read)
    made = compared(joined, parts_of(metrics), seed=seed)
    for name, sets in lacking(joined).items():
        typer.echo(
            f"pincite: {name} was not run over {', '.join(sets)}, which is left out", err=True
        )
    every = every_pair(made, seed) if pairs else []
    _write_reports(made, markdown, html)
    if trec:
        _write_trec(trec, read)
    if beir:
        opened = Corpus(corpus or default_corpus())
        exchange.write_beir(beir, opened, read[0].golds)
    if json:
        print_json([*rows_of(made), *pair_rows_of(every)])
    else:
        _print(made)
        if every:
            _print_pairs(every)
    for path in (markdown, html, trec, beir):
        if path:
            typer.echo(f"written to {path}", err=True)


def _read(path: Path, qrels: Path | None) -> Run:
    """The run of a folder, or of a TREC run file where judgements are given."""
    from pincite.lab.comparison.trec import run_of
    from pincite.lab.experiments.finished_runs import read_run_folder

    return run_of(path, qrels) if qrels and path.is_file() else read_run_folder(path)


def _write_reports(made: Comparison, markdown: Path | None, html: Path | None) -> None:
    """Write the comparison in the forms that are wanted."""
    if markdown:
        from pincite.lab.comparison.text_report import markdown as tables

        write(markdown, tables(made))
    if html:
        from pincite.lab.comparison.html_report import report

        write(html, report(made))


def _write_trec(folder: Path, runs: list[Run]) -> None:
    """Write each run, and the judgements of each set of questions, as TREC files."""
    from pincite.lab.comparison import trec as exchange
    from pincite.lab.scoring.measures import level_of

    sets = {run.set_name: run for run in runs}
    levels = {
        name: "document" if level_of([run], list(run.golds)) == "document" else "page"
        for name, run in sets.items()
    }
    for run in runs:
        name = exchange.item(run.name).replace("/", "-")
        exchange.write_run(folder / f"{name}.run", run, levels[run.set_name])
    for name, run in sets.items():
        told = f"qrels-{exchange.item(name).replace('/', '-')}" if len(sets) > 1 else "qrels"
        exchange.write_qrels(folder / told, run.golds, levels[name])


def _print(made: Comparison) -> None:
    from pincite.cli.views.terminal import report_table, unbroken
    from pincite.lab.comparison.text_report import HEAD, NOTE, rows, sections

    console, compared = unbroken(), len(made.runs) > 1
    # what compares with the first is left out of a run by itself
    shown = [at for at in range(len(HEAD)) if compared or not 4 <= at < 8]
    for title, lines in sections(made):
        titled = f"{title} ({max(line.n for line in lines)})"
        table = report_table(titled, [HEAD[at] for at in shown], 2, unwrapped=True)
        for row in rows(lines, made.runs):
            table.add_row(*(row[at] for at in shown))
        console.print(table)
    if compared:
        console.print(NOTE)


def _print_pairs(pairs: list[PairDifference]) -> None:
    from pincite.cli.views.terminal import report_table, unbroken
    from pincite.lab.comparison.text_report import PAIR_HEAD, pair_rows

    table = report_table("every two runs", PAIR_HEAD, 3)
    for row in pair_rows(pairs):
        table.add_row(*row)
    unbroken().print(table)
