"""What is lost between a model's right reply and the answer shown, by stage: data sets asked of a model that knows the gold.

The model is a server of its own (`python -m benchmarks.oracle`), which shares no code with the package and sees only its
requests. It replies with the gold where the pages that it is shown hold it, and with N/A where not. A second one puts an error
into one reply of five; an error that is shown as an answer got through.
"""

from __future__ import annotations

import html
import os
import subprocess
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from decimal import Decimal
from hashlib import blake2b
from pathlib import Path
from typing import Any

from pincite.generate.problem import NOT_FOUND
from pincite.indexing import ensure
from pincite.lab.experiments.environment import fingerprint
from pincite.lab.measuring import measured_system as system
from pincite.lab.measuring import other_replies
from pincite.lab.measuring.bare_table import table_of
from pincite.lab.measuring.checkout import ROOT
from pincite.lab.measuring.document_sets import paper_urls, submitted
from pincite.lab.measuring.measured_system import Derived
from pincite.lab.measuring.measurement import FOLDERS, ReportedFigure, Work, gold, lines
from pincite.lab.scoring import enterprise_challenge as erc
from pincite.lab.scoring import evaluation as scoring
from pincite.lab.scoring import examples, wattbot
from pincite.lab.scoring import typed_answers as typed
from pincite.lab.scoring.evaluation import figure
from pincite.library import Library
from pincite.models.kit import kit_of
from pincite.models.model_settings import ModelSettings
from pincite.processes import python
from pincite.recipes import RECIPES, recipe
from pincite.records.runfile import Record, number_of, read_lines, read_run, record_of, write_lines
from pincite.settings import Settings
from pincite.types import Example, Table
from pincite.workbench import submissions
from pincite.workbench.batch import read_questions, run

SETS = ("tatqa", "uda", "financebench", "mmlongbench", "wattbot", "erc")
WORDS = "other-words"
FREE = ("wattbot", "erc")
"""Sets whose questions are put to all documents."""
SAMPLE = {"tatqa": 100}
RECIPE_SAMPLE = 60
"""Questions drawn of a large set."""
STAGES = ("finding", "showing", "asking", "locating", "checking", "settling")
"""Where a right answer is lost: its page is not among those shown; the page is shown without it; the form asks for another kind
of answer; the place or number that the reply names is not found; what is found is refused; another value is told."""
ENDING = 3
"""Letters by which a word may end otherwise."""
WRONG = 0.2
GROUPS = 10


@dataclass(frozen=True, slots=True)
class OracleCase:
    """A question of a set after the run: its sort, whether it came out right, and where and why it was lost where not."""

    set: str
    sort: str
    question: str
    right: bool
    shown: bool
    answered: bool = False
    stage: str = ""
    why: str = ""
    error: str = ""
    said: Any = None
    told: Any = None
    ways: tuple[str, ...] = ()


def measure_oracle(work: Work) -> list[ReportedFigure]:
    """The loss of the honest oracle by set and stage, and what gets through of the one that errs."""
    names = [name for name in SETS if (work.data / FOLDERS[name]).is_dir()]
    made: list[ReportedFigure] = []
    honest = {name: cases(work, name, 0.0) for name in names}
    for name, some in honest.items():
        made += lost_lines(name, some) + whole_lines(work, name)
    made += group_lines([case for some in honest.values() for case in some])
    erring = [case for name in names for case in cases(work, name, WRONG)]
    made += through_lines(erring)
    write_lines(
        work.out("lost").with_suffix(".jsonl"),
        [_line(each) for each in erring_or_lost(honest, erring)],
    )
    return made


def measure_other_replies(work: Work) -> list[ReportedFigure]:
    """Right replies in other words than their questions: those that are lost, and at which stage."""
    return lost_lines(WORDS, cases(work, WORDS, 0.0))


def measure_oracle_recipes(work: Work) -> list[ReportedFigure]:
    """What every other recipe loses of the honest oracle's replies about TAT-QA, with stand-ins for the other models."""
    own = replace(work, limit=work.limit or RECIPE_SAMPLE)
    made = []
    for name in (name for name in RECIPES if name != "default"):
        some = cases(own, "tatqa", 0.0, name)
        shown = [float(each.right) for each in some if each.shown]
        made += lines(f"tatqa by {name}", [figure("right of what was shown", shown)])
    return made


def erring_or_lost(
    honest: Mapping[str, Sequence[OracleCase]], erring: Sequence[OracleCase]
) -> Iterator[OracleCase]:
    """The cases to look at: those lost, and the errors that were shown."""
    yield from (each for some in honest.values() for each in some if each.stage)
    yield from (each for each in erring if each.error and each.answered and not each.right)


def _line(each: OracleCase) -> dict[str, Any]:
    return {name: getattr(each, name) for name in OracleCase.__slots__}


def lost_lines(name: str, some: Sequence[OracleCase]) -> list[ReportedFigure]:
    """What comes out right of what was shown, by sort, and at which stage the rest is lost."""
    answerable = [each for each in some if each.sort in ("stands", "derived")]
    made = []
    for sort in ("stands", "derived"):
        own = [each for each in answerable if each.sort == sort]
        if own:
            shown = [float(each.right) for each in own if each.shown]
            ours = [
                figure("right", [float(each.right) for each in own]),
                figure("right of what was shown", shown),
            ]
            ours += [
                figure(f"lost in {stage}", [float(each.stage == stage) for each in own])
                for stage in STAGES
            ]
            made += lines(f"{name}, {sort}", ours)
    left = [float(each.sort == "not in the text") for each in some if each.sort != "unanswerable"]
    return made + lines(name, [figure("not in the text, left out", left)])


def whole_lines(work: Work, name: str) -> list[ReportedFigure]:
    """The scores of a set's own rules over every question, nothing left out."""
    place = kept(work, name, 0.0)
    records = read_run(place / "answers.jsonl")
    some = [each for each in examples.load(name, work.data) if each.id in records]
    pairs = [(records[each.id], gold(each)) for each in some]
    if name == "wattbot":
        metadata = work.data / FOLDERS[name] / "metadata.csv"
        rows = submitted(records, some, paper_urls(metadata))
        return lines(f"{name}, the whole", scoring.wattbot_figures(rows, 2025))
    rules = {"erc": scoring.erc_figures, "tatqa": scoring.tatqa_figures}
    return lines(f"{name}, the whole", rules.get(name, scoring.typed_figures)(pairs))


def group_lines(some: Sequence[OracleCase]) -> list[ReportedFigure]:
    """The largest groups of losses over all sets, each as its share of them; what their reasons quote and count is left out."""
    lost = [(each.stage, reason(each.why)) for each in some if each.stage]
    made = []
    for group, _ in Counter(lost).most_common(GROUPS):
        of = f"losses in {group[0]}: {group[1]}"
        made += lines(of, [figure("share of all losses", [float(each == group) for each in lost])])
    return made


def reason(why: str) -> str:
    """A reason without names and numbers."""
    parts = why.split("'")
    return " ".join("".join(each for each in "…".join(parts[::2]) if not each.isdigit()).split())


def through_lines(some: Sequence[OracleCase]) -> list[ReportedFigure]:
    """Of replies with an error those that were shown, each kind apart; of right ones those that were lost."""
    erring = [each for each in some if each.error]
    made = lines(
        "wrong replies",
        [figure("shown", [float(each.answered and not each.right) for each in erring])],
    )
    for kind in dict.fromkeys(each.error for each in erring):
        own = [float(each.answered and not each.right) for each in erring if each.error == kind]
        made += lines(f"wrong replies, {kind}", [figure("shown", own)])
    right = [float(not each.right) for each in some if each.said is not None and not each.error]
    return made + lines("right replies beside them", [figure("lost", right)])


# ---- asking


def cases(work: Work, name: str, wrong: float, by: str = "default") -> list[OracleCase]:
    """Every question of a set, asked of the oracle `by` a recipe and judged by the set's own rule."""
    made_here = name in ("tatqa", WORDS)
    own = Work(name, work.data, (work.folder if made_here else work.folder.parent) / name)
    some = loaded(name, work.data)
    _index(own, some)
    place = kept(work, name, wrong, by)
    place.mkdir(parents=True, exist_ok=True)
    out = place / "answers.jsonl"
    if not out.exists():
        (place / "log.jsonl").unlink(missing_ok=True)
        with oracle(name, work, place, wrong) as url:
            golds = {row["id"] for row in read_lines(place / "golds.jsonl")}
            asked = [example for example in some if example.id in golds]
            path = place / "questions.jsonl"
            write_lines(path, [question_row(name, example) for example in asked])
            derived: Derived = "forbid" if name == "erc" else "allow"
            _ask(opened(own.corpus, url, derived, by), path, out)
    return judged(name, {example.id: example for example in some}, place)


def loaded(name: str, data: Path) -> list[Example]:
    """The examples of a set."""
    return other_replies.replies() if name == WORDS else examples.load(name, data)


def kept(work: Work, name: str, wrong: float, by: str = "default") -> Path:
    """Where a run of this code with this oracle is kept."""
    how = f"wrong{wrong}" if wrong else "honest"
    run_of = f"{by}-{how}-{work.limit or 'all'}"
    return work.folder / name / f"{run_of}-{fingerprint()}-{oracle_print()}"


def question_row(name: str, example: Example) -> dict[str, Any]:
    """A question held to its own documents, but for those of sets whose questions stand alone."""
    if name == "tatqa":
        return {
            **examples.question_row(example, own=False),
            "doc_ids": [f"{gold(example)['context_id']}.html"],
        }
    return examples.question_row(example, own=name not in FREE)


def oracle_print() -> str:
    """What the oracle's replies depend on: a digest of its code."""
    code = b"".join(
        path.read_bytes() for path in sorted((ROOT / "benchmarks" / "oracle").glob("*.py"))
    )
    return blake2b(code, digest_size=5).hexdigest()


def opened(corpus: Path, url: str, derived: Derived, by: str) -> Library:
    """A corpus that answers by a recipe with the oracle as its only model; replies are kept nowhere.

    The roles that another recipe asks for are the oracle's too; what is no language model is a stand-in, and descriptions are
    those by code.
    """
    if by == "default":
        models = ModelSettings(base_url=url, large="oracle", concurrency=2)
        return Library(corpus, Settings(models=models, derived=derived), kit_of(models))
    models = ModelSettings(
        base_url=url, large="oracle", small="oracle", judge="oracle", concurrency=2
    )
    settings = Settings(models=models, derived=derived)
    chosen = recipe(by, **({"told": "plain"} if by == "enrich" else {}))
    library = Library(corpus, settings, kit_of(models), chosen, stand_ins=True)
    ensure(corpus, chosen.shelves(library.kit))
    return Library(corpus, settings, kit_of(models), chosen, stand_ins=True)


def _ask(library: Library, questions: Path, out: Path) -> None:
    """Answer a question file."""
    run(read_questions(questions), library, out, "jsonl")


@contextmanager
def oracle(name: str, work: Work, place: Path, wrong: float) -> Iterator[str]:
    """The oracle's address while it runs; it sorts the questions before it listens."""
    limit = work.limit or SAMPLE.get(name, 0)
    command = python(
        "-m", "benchmarks.oracle", name, "--data", str(work.data), "--folder", str(place)
    )
    command += ["--sample", str(limit), "--wrong", str(wrong)]
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
    elif own.name == WORDS:
        other_replies.write_pages(own.folder / "pages")
        system.index(own.folder / "pages", own.corpus)
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


# ---- judging


def judged(name: str, some: Mapping[str, Example], place: Path) -> list[OracleCase]:
    """The cases of a run from its answers, the oracle's sorts and the oracle's log."""
    rows = {str(row["id"]): row for row in read_lines(place / "answers.jsonl")}
    log: dict[str, list[dict[str, Any]]] = {}
    if (place / "log.jsonl").exists():
        for line in read_lines(place / "log.jsonl"):
            log.setdefault(line["id"], []).append(line)
    return [
        case(name, some[each["id"]], each, rows[each["id"]], log.get(each["id"], []))
        for each in read_lines(place / "golds.jsonl")
        if each["id"] in rows
    ]


def case(
    name: str,
    example: Example,
    sorted_: Mapping[str, Any],
    row: Mapping[str, Any],
    log: Sequence[Mapping[str, Any]],
) -> OracleCase:
    """One question: right, or lost at the first stage that did not hand on what it was given."""
    said = [line for line in log if line["value"] is not None]
    last = said[-1] if said else {}
    error = next((line["error"] for line in log if line["error"]), "")
    right = is_right(name, example, row) or (
        not error and (as_said(row, last) or named_so(row, last))
    )
    made = OracleCase(
        name,
        sorted_["sort"],
        example.query.text,
        right,
        shown=any(line["found"] for line in log),
        answered=row.get("value") is not None,
        error=error,
        said=last.get("reply"),
        told=row.get("value"),
        ways=tuple(last.get("ways", ())),
    )
    if right or error or made.sort not in ("stands", "derived"):
        return made
    stage, why = _lost(sorted_, row, log, said)
    return replace(made, stage=stage, why=why)


def _lost(
    sorted_: Mapping[str, Any],
    row: Mapping[str, Any],
    log: Sequence[Mapping[str, Any]],
    said: Sequence[Mapping[str, Any]],
) -> tuple[str, str]:
    if not log:
        return "asking", "the model was not asked this question"
    if not said:
        silent = [line["silent"] for line in log if line["silent"] != "not shown"]
        if silent:
            return "asking", silent[-1]
        pages = {tuple(each) for line in log for each in line["pages"]}
        found = bool(pages & {tuple(each) for each in sorted_["pages"]})
        return (
            ("showing", "the page is shown without it")
            if found
            else ("finding", "the page is not among those shown")
        )
    if (
        row.get("value") is not None
        and said[-1]["form"] == "TextForm"
        and sorted_["kind"] == "number"
    ):
        return "asking", "TextForm asked for a number"
    if row.get("value") is not None:
        return "settling", f"{said[-1]['form']}: another value is told than was said"
    # the first refusal of a question tells: asked again, the oracle says another thing
    refused = next((line["refused"] for line in log if line["refused"]), "")
    if not refused:
        return "checking", str(row.get("reason") or "")
    sort, _, why = refused.partition(": ")
    return ("locating" if sort == NOT_FOUND else "checking"), why


def is_right(name: str, example: Example, row: Mapping[str, Any]) -> bool:
    """Whether an answer is right under its set's rule; words of which half are the gold's are right in every set."""
    record, wanted = record_of(row), gold(example)
    if record.value is None:
        return False
    if name == "erc":
        return erc.score(record, wanted).answer == 1
    if name == "wattbot":
        return wattbot.value_2025(submissions.value_text(record.value), wanted["answer_value"])
    if name == "tatqa":
        exact, shared = scoring.tatqa_score(record, wanted)
        return (
            exact == 1
            or shared >= 0.5
            and wanted["answer_type"] in ("text", "list")
            or _same_amount(record, wanted)
        )
    return typed.applies(wanted) and (
        typed.right(record, wanted) or typed.right(as_text(record), wanted)
    )


def named_so(row: Mapping[str, Any], line: Mapping[str, Any]) -> bool:
    """Whether what won a comparison is told by the whole header that the last reply names, and the gold by a part of it.

    So is a name whose last word the page ends otherwise than the gold: "Interventions".
    """
    form = line.get("reply") or {}
    told, said = str(row.get("value") or ""), str(form.get("value") or "")
    if form.get("kind") == "name" and 0 < len(told) - len(said) <= ENDING:
        return told.casefold().startswith(said.casefold())
    compared = [str(each.get("name")) for each in form.get("compared") or ()]
    return told in compared and said.casefold() in told.casefold()


def as_said(row: Mapping[str, Any], line: Mapping[str, Any]) -> bool:
    """Whether the number told is the one that the last reply says in full: a set that writes no scale beside its gold means
    digits that the page scales.
    """
    told, said = number_of(row.get("value")), number_of(line.get("amount") or None)
    return told is not None and said is not None and typed.near(told, said, Decimal("0.001"))


def _same_amount(record: Record, wanted: Mapping[str, Any]) -> bool:
    """Whether a number is the gold's with its scale: a gold of "399.33 million" is rounded, and 399,333,333.3 is right."""
    given, meant = number_of(record.value), number_of(wanted["answer"])
    if given is None or meant is None or wanted["scale"] == "percent":
        return False
    return typed.near(given, meant * typed.SCALES.get(wanted["scale"], 1), Decimal("0.001"))


def as_text(record: Record) -> Record:
    """A record with what it says in words for its value."""
    return replace(record, value=record.text or None)
