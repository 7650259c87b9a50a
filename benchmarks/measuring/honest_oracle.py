"""What is lost between a model's right reply and the answer shown, by stage: data sets asked of a model that knows the gold.

The model is a server of its own (`python -m benchmarks.oracle`), which shares no code with the package and sees only its
requests. It replies with the gold where the pages that it is shown hold it, and with N/A where not. A second one puts an error
into its replies; an error that is shown as an answer got through.
"""

from __future__ import annotations

import html
import os
import subprocess
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path
from typing import Any

from benchmarks.measuring import data_sets, tatqa_score
from benchmarks.measuring import measured_system as system
from benchmarks.measuring.bare_table import table_of
from benchmarks.measuring.checkout import ROOT
from benchmarks.measuring.document_sets import paper_urls, submitted
from benchmarks.measuring.measured_system import Derived
from benchmarks.measuring.measurement import FOLDERS, ReportedFigure, Work, gold, lines
from benchmarks.measuring.oracle_cases import OracleCase, judged
from pincite.indexing import ensure
from pincite.lab.experiments.environment import fingerprint
from pincite.lab.scoring import evaluation as scoring
from pincite.lab.scoring.evaluation import figure
from pincite.models.kit import kit_of
from pincite.models.model_settings import ModelSettings
from pincite.processes.worker import python
from pincite.recipes import RECIPES, recipe
from pincite.records.runfile import read_lines, read_run, write_lines
from pincite.settings import Settings
from pincite.types import Example, Table
from pincite.workbench.batch import read_questions, run
from pincite.workbench.library import Library

SETS = ("tatqa", "uda", "financebench", "mmlongbench", "wattbot", "erc")
FREE = ("wattbot", "erc")
"""Sets whose questions are put to all documents."""
SAMPLE = {"tatqa": 100}
OWN_RULES = ("enterprise",)
"""Recipes that take questions by rules of their own."""
RECIPE_SAMPLE = 60
"""Questions drawn of a large set."""
STAGES = ("finding", "showing", "asking", "locating", "checking", "settling")
"""Where a right answer is lost: its page is not among those shown; the page is shown without it; the form asks for another kind
of answer; the place or number that the reply names is not found; what is found is refused; another value is told."""
SEEDS = (1, 2, 3)
"""Of the runs with errors; each seed words the replies, chooses the errors and draws the sample anew."""
ANSWERABLE = ("stands", "derived")
GROUPS = 10


@dataclass(frozen=True, slots=True)
class OracleRun:
    """How a set is asked: the share of replies with an error, the seed, the recipe, the sorts of questions, and the rules.

    Without sorts all questions are asked, and without rules by those that the recipe brings. No question's reply depends on
    another's, so errors in all replies count what errors in each fifth of them would, one fifth after the other.
    """

    wrong: float = 0.0
    seed: int = 1
    by: str = "default"
    sorts: tuple[str, ...] = ()
    rules: str = ""


def measure_oracle(work: Work) -> list[ReportedFigure]:
    """The loss of the honest oracle by set and stage."""
    made: list[ReportedFigure] = []
    honest = {name: cases(work, name, OracleRun()) for name in _there(work)}
    for name, some in honest.items():
        made += lost_lines(name, some) + whole_lines(work, name)
    every = [case for some in honest.values() for case in some]
    write_lines(work.out("lost").with_suffix(".jsonl"), lines_of(filter(is_lost, every)))
    return made + group_lines(every)


def measure_oracle_errors(work: Work) -> list[ReportedFigure]:
    """What gets through of wrong replies, and what is lost of right ones to the same questions."""
    made: list[ReportedFigure] = []
    erring: list[OracleCase] = []
    honest: list[OracleCase] = []
    for name in _there(work):
        for seed in SEEDS:
            erring += cases(work, name, OracleRun(1.0, seed, sorts=ANSWERABLE))
            honest += cases(work, name, OracleRun(0.0, seed, sorts=ANSWERABLE))
    for name in dict.fromkeys(case.set for case in honest):
        made += lost_lines(name, [case for case in honest if case.set == name])
        made += through_lines([case for case in erring if case.set == name], name)
    seen = [*filter(is_lost, honest), *filter(is_through, erring)]
    write_lines(work.out("through").with_suffix(".jsonl"), lines_of(seen))
    return made + through_lines(erring) + right_lines(honest)


def _there(work: Work) -> list[str]:
    """The sets whose data are at hand."""
    return [name for name in SETS if (work.data / FOLDERS[name]).is_dir()]


def measure_oracle_recipes(work: Work) -> list[ReportedFigure]:
    """What every other recipe loses of the honest oracle's replies about TAT-QA, with stand-ins for the other models."""
    own = replace(work, limit=work.limit or RECIPE_SAMPLE)
    made = []
    named = [(name, "") for name in RECIPES if name != "default"]
    for name, rules in (*named, *((name, "plain") for name in OWN_RULES)):
        some = cases(own, "tatqa", OracleRun(by=name, rules=rules))
        shown = [each.right for each in some if each.shown]
        of = f"tatqa by {name}{' with the plain rules' if rules else ''}"
        made += lines(of, [figure("right of what was shown", shown)])
    return made


def is_lost(case: OracleCase) -> bool:
    """Whether a right answer did not come out right."""
    return bool(case.stage)


def is_through(case: OracleCase) -> bool:
    """Whether an error was shown as an answer."""
    return bool(case.error) and case.answered and not case.right


def lines_of(some: Iterable[OracleCase]) -> list[dict[str, Any]]:
    """The cases to look at as lines of a file."""
    return [{name: getattr(each, name) for name in OracleCase.__slots__} for each in some]


def lost_lines(name: str, some: Sequence[OracleCase]) -> list[ReportedFigure]:
    """What comes out right of what was shown, by sort, and at which stage the rest is lost."""
    answerable = [each for each in some if each.sort in ("stands", "derived")]
    made = []
    for sort in ("stands", "derived"):
        own = [each for each in answerable if each.sort == sort]
        if own:
            shown = [each.right for each in own if each.shown]
            ours = [
                figure("right", [each.right for each in own]),
                figure("right of what was shown", shown),
            ]
            ours += [
                figure(f"lost in {stage}", [each.stage == stage for each in own])
                for stage in STAGES
            ]
            made += lines(f"{name}, {sort}", ours)
    left = [each.sort == "not in the text" for each in some if each.sort != "unanswerable"]
    return made + lines(name, [figure("not in the text, left out", left)])


def whole_lines(work: Work, name: str) -> list[ReportedFigure]:
    """The scores of a set's own rules over every question, nothing left out."""
    place = kept(work, name, OracleRun())
    records = read_run(place / "answers.jsonl")
    some = [each for each in data_sets.load(name, work.data) if each.id in records]
    pairs = [(records[each.id], gold(each)) for each in some]
    if name == "wattbot":
        metadata = work.data / FOLDERS[name] / "metadata.csv"
        rows = submitted(records, some, paper_urls(metadata))
        return lines(f"{name}, the whole", scoring.wattbot_figures(rows, 2025))
    rules = {"erc": scoring.erc_figures, "tatqa": tatqa_score.tatqa_figures}
    return lines(f"{name}, the whole", rules.get(name, scoring.typed_figures)(pairs))


def group_lines(some: Sequence[OracleCase]) -> list[ReportedFigure]:
    """The largest groups of losses over all sets, each as its share of them; what their reasons quote and count is left out."""
    lost = [(each.stage, reason(each.why)) for each in some if each.stage]
    made = []
    for group, _ in Counter(lost).most_common(GROUPS):
        of = f"losses in {group[0]}: {group[1]}"
        made += lines(of, [figure("share of all losses", [each == group for each in lost])])
    return made


def reason(why: str) -> str:
    """A reason without names and numbers."""
    parts = why.split("'")
    return " ".join("".join(each for each in "…".join(parts[::2]) if not each.isdigit()).split())


def through_lines(some: Sequence[OracleCase], name: str = "all sets") -> list[ReportedFigure]:
    """Of replies with an error those that were shown, each kind apart."""
    erring = [each for each in some if each.error]
    made = lines(
        f"{name}, wrong replies",
        [figure("shown", [is_through(each) for each in erring])],
    )
    for kind in dict.fromkeys(each.error for each in erring):
        own = [is_through(each) for each in erring if each.error == kind]
        made += lines(f"{name}, wrong replies, {kind}", [figure("shown", own)])
    return made


def right_lines(some: Sequence[OracleCase]) -> list[ReportedFigure]:
    """Of right replies those that were lost."""
    right = [not each.right for each in some if each.said is not None and not each.error]
    return lines("all sets, right replies", [figure("lost", right)])


# ---- asking


def cases(work: Work, name: str, run_of: OracleRun) -> list[OracleCase]:
    """The questions of a set, asked of the oracle and judged by the set's own rule."""
    folder = "oracle-tatqa" if name == "tatqa" else name  # a corpus of our own pages
    own = Work(name, work.data, work.folder.parent / folder)
    some = data_sets.load(name, work.data)
    _index(own, some)
    place = kept(work, name, run_of)
    place.mkdir(parents=True, exist_ok=True)
    out = place / "answers.jsonl"
    if not out.exists():
        (place / "log.jsonl").unlink(missing_ok=True)
        with oracle(name, work, place, run_of) as url:
            golds = {
                row["id"]
                for row in read_lines(place / "golds.jsonl")
                if not run_of.sorts or row["sort"] in run_of.sorts
            }
            asked = [example for example in some if example.id in golds]
            path = place / "questions.jsonl"
            write_lines(path, [question_row(name, example) for example in asked])
            derived: Derived = "forbid" if name == "erc" else "allow"
            _ask(opened(own.corpus, url, derived, run_of), path, out)
    return judged(name, {example.id: example for example in some}, place)


def kept(work: Work, name: str, run_of: OracleRun) -> Path:
    """Where a run of this code with this oracle is kept."""
    how = f"wrong{run_of.wrong}" if run_of.wrong else "honest"
    named = (run_of.by, run_of.rules, how, str(run_of.seed), *run_of.sorts)
    of = "-".join((*filter(None, named), str(work.limit or "all")))
    return work.folder / name / f"{of}-{fingerprint()}-{oracle_print()}"


def question_row(name: str, example: Example) -> dict[str, Any]:
    """A question held to its own documents, but for those of sets whose questions stand alone."""
    if name == "tatqa":
        return {
            **data_sets.question_row(example, own=False),
            "doc_ids": [f"{gold(example)['context_id']}.html"],
        }
    return data_sets.question_row(example, own=name not in FREE)


def oracle_print() -> str:
    """What the oracle's replies depend on: a digest of its code."""
    code = b"".join(
        path.read_bytes() for path in sorted((ROOT / "benchmarks" / "oracle").glob("*.py"))
    )
    return blake2b(code, digest_size=5).hexdigest()


def opened(corpus: Path, url: str, derived: Derived, run_of: OracleRun) -> Library:
    """A corpus that answers by a recipe with the oracle as its only model; replies are kept nowhere.

    The roles that another recipe asks for are the oracle's too; what is no language model is a stand-in, and descriptions are
    those by code.
    """
    by = run_of.by
    if by == "default":
        models = ModelSettings(base_url=url, large="oracle", concurrency=2)
        return Library(corpus, Settings(models=models, derived=derived), kit_of(models))
    models = ModelSettings(
        base_url=url, large="oracle", small="oracle", judge="oracle", concurrency=2
    )
    settings = Settings(models=models, derived=derived, rules=run_of.rules)
    chosen = recipe(by, **({"told": "plain"} if by == "enrich" else {}))
    library = Library(corpus, settings, kit_of(models), chosen, stand_ins=True)
    ensure(corpus, chosen.shelves(library.kit))
    return Library(corpus, settings, kit_of(models), chosen, stand_ins=True)


def _ask(library: Library, questions: Path, out: Path) -> None:
    """Answer a question file."""
    run(read_questions(questions), library, out, "jsonl")


@contextmanager
def oracle(name: str, work: Work, place: Path, run_of: OracleRun) -> Iterator[str]:
    """The oracle's address while it runs; it sorts the questions before it listens."""
    limit = work.limit or SAMPLE.get(name, 0)
    command = python(
        "-m", "benchmarks.oracle", name, "--data", str(work.data), "--folder", str(place)
    )
    command += ["--sample", str(limit), "--wrong", str(run_of.wrong), "--seed", str(run_of.seed)]
    known = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        command, env=known, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        port = process.stdout.readline().strip()
        try:
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            process.stdin.close()


def _index(own: Work, some: Sequence[Example]) -> None:
    """Index a set's documents; the tables and paragraphs of TAT-QA as a page of HTML each."""
    if own.name == "tatqa":
        pages = own.folder / "pages"
        pages.mkdir(parents=True, exist_ok=True)
        for context in read_lines(own.source / "contexts.jsonl"):
            (pages / f"{context['context_id']}.html").write_text(
                as_page(context), encoding="utf-8"
            )
        system.index(pages, own.corpus)
    elif own.name == "wattbot":
        system.index(own.source / "docs", own.corpus, own.source / "metadata.csv")
    elif own.name == "erc":
        system.index(own.source / "pdfs", own.corpus, own.source / "companies.csv")
    else:
        system.index(own.source / "pdfs", own.corpus)


def as_page(context: Mapping[str, Any]) -> str:
    """A context of TAT-QA as HTML; its table, whose place is not told, behind the paragraph that announces it or else last."""
    texts = [
        each["text"] for each in sorted(context["paragraphs"], key=lambda each: int(each["order"]))
    ]
    ends = (
        at
        for at, text in enumerate(texts, 1)
        if text.rstrip().endswith(":") or "following table" in text
    )
    announced = next(ends, len(texts))
    prose = [f"<p>{html.escape(text)}</p>" for text in texts]
    table = ["<table>", *_rows(table_of(context["table"], texts)), "</table>"]
    body = "\n".join((*prose[:announced], *table, *prose[announced:]))
    return f"<!doctype html><meta charset='utf-8'><body>\n{body}\n</body>\n"


def _rows(table: Table) -> Iterator[str]:
    """The rows of a table as HTML; headers, which the set gives without their spans, with those that they are taken to have."""
    height = 1 + max((cell.row for cell in table.cells), default=-1)
    for at in range(height):
        own = {cell.column: cell for cell in table.cells if cell.row == at}
        covered = {
            beside
            for cell in own.values()
            for beside in range(cell.column + 1, cell.column + cell.column_span)
        }
        width = 1 + max((cell.column for cell in table.cells), default=0)
        name = "th" if at < table.header_rows else "td"
        cells = []
        for column in (beside for beside in range(width) if beside not in covered):
            cell = own.get(column)
            span = f" colspan='{cell.column_span}'" if cell and cell.column_span > 1 else ""
            cells.append(f"<{name}{span}>{html.escape(cell.text) if cell else ''}</{name}>")
        yield f"<tr>{''.join(cells)}</tr>"
