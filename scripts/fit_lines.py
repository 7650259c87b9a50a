"""Fit how much a model's word counts beside the reader without one: python scripts/fit_lines.py SET... | --fit DATA CORPORA CACHE

The model of the settings reads the questions of each SET (seen, small, uda, mmlongbench, wattbot) over the corpora that
`make measure` keeps, of mmlongbench every second; what it took is kept in build/lines.SET.pickle, and reading goes on there after
an end. With --fit nothing is asked: `pincite/data/lines.toml` is made, and what it is worth is printed. Both the weights of the
reader without a model (by the folds of `fit_reading.py`, whose three arguments these are) and those of the model's word are then
of other documents than a question's.
"""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import minimize

from benchmarks.measuring import answer_key, data_sets
from benchmarks.measuring.measurement import Work, gold, judged, loaded
from benchmarks.measuring.own_questions import QUESTIONS
from pincite.check.claims import verified_in
from pincite.evidence.drafted_answer import drafted
from pincite.generate.line_reading import TakenLine
from pincite.lab.scoring import typed_answers, wattbot
from pincite.lines import reading
from pincite.question.understanding import understand
from pincite.recipes.default import Default
from pincite.recipes.line_agreement import features, says_same
from pincite.records.answer_record import record
from pincite.records.runfile import Record, read_lines, record_of
from pincite.settings import load
from pincite.types import Answer, Draft, Query
from pincite.workbench import submissions
from pincite.workbench.library import Library

sys.path.insert(0, str(Path(__file__).parent))
import fit_reading  # noqa: E402

DATA = Path(os.environ.get("PINCITE_DATA", "../shared/data"))
CORPORA = Path(".measure")
BUILD = Path("build")
OUT = Path("pincite/data/lines.toml")
THRESHOLD = 0.5
"""The least chance that is shown."""
SURE = 0.45
"""The least chance at which the recipe answers without the model, where the caller wants no greater."""
LEAST = (0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.7, 0.8)
PENALTY = 0.2
START = {"reader": 1.0, "reader, truth": 1.0, "model, truth": 1.5} | {
    f"model, {sort}": 3.0 for sort in ("number", "words", "list")
}
"""What the weights are drawn to; the others to 0."""

Asked = tuple[str, Query, str, bool, Callable[[Record], bool], Path]
"""A question: its number, itself, the document that answers it, whether it has an answer, whether a record is right, and where
its corpus is.
"""


def seen() -> Iterator[Asked]:
    """The questions of the seen half, over all its documents."""
    folder = CORPORA / "reports-seen" / "corpus"
    for row in read_lines(QUESTIONS / "reports_seen.jsonl"):
        files = [place["file"] for place in row["evidence"] or ()] or ["none"]
        right = partial(answer_key.right, gold=row)
        answerable = row["answer"] is not None
        yield str(row["id"]), Query(row["question"]), files[0], answerable, right, folder


def small() -> Iterator[Asked]:
    """The questions over small files, each put to its file alone."""
    for row in read_lines(QUESTIONS / "small.jsonl"):
        right, file = partial(answer_key.right, gold=row), str(row["file"])
        folder = CORPORA / "small" / Path(file).stem / "corpus"
        yield (
            str(row["id"]),
            Query(row["question"]),
            file,
            row["answer"] is not None,
            right,
            folder,
        )


def long_reports(name: str, step: int = 1) -> Iterator[Asked]:
    """The questions of uda or mmlongbench, each put to its document; of every `step` one."""
    folder = CORPORA / name / "corpus"
    for example in judged(data_sets.load(name, DATA))[::step]:
        row = gold(example)
        answerable = typed_answers.answer_type(row) != "unanswerable"
        right = partial(typed_answers.right, gold=row)
        about = str(row["doc_ids"][0])
        yield example.id, example.query, about, answerable, right, folder


def papers() -> Iterator[Asked]:
    """The questions of wattbot, over all its documents."""
    folder = CORPORA / "wattbot" / "corpus"
    for example in judged(loaded(Work("wattbot", DATA, BUILD))):
        row = gold(example)
        answerable = not wattbot.is_blank(row["answer_value"])
        about = min(wattbot.gold_references(row["ref_id"])) if answerable else example.id
        query = Query(example.query.text, unit=example.query.unit)
        yield example.id, query, about, answerable, partial(right_value, row), folder


def right_value(row: Mapping[str, Any], given: Record) -> bool:
    """Whether a record is right by the rule of wattbot."""
    said = submissions.value_text(given.value)
    return given.value is not None and wattbot.value_2025(said, str(row["answer_value"]))


SETS: dict[str, tuple[str, Callable[[], Iterator[Asked]]]] = {
    "seen": ("reports-seen", seen),
    "small": ("small", small),
    "uda": ("uda", partial(long_reports, "uda")),
    "mmlongbench": ("mmlongbench", partial(long_reports, "mmlongbench", 2)),
    "wattbot": ("wattbot", papers),
}
"""Of each set the name that `fit_reading.py` has for it, and its questions."""


@dataclass
class Read:
    """What a model took for a question, and whether that is right."""

    number: str
    question: str
    taken: TakenLine
    right: bool


@dataclass
class Joint:
    """A question with what may answer it: the features of each, which are right and which the check lets stand; `worded` where a
    reason, a name or names are asked for.
    """

    name: str
    document: str
    answerable: bool
    worded: bool
    rows: list[dict[str, float]]
    right: list[bool]
    values: list[Any]
    none: float


@lru_cache(maxsize=4)
def library_of(folder: Path) -> Library:
    """The corpus in a folder, read by the model of the settings."""
    return Library(folder, load())


def kept(name: str) -> list[Read]:
    """What was read of a set."""
    path = BUILD / f"lines.{name}.pickle"
    return pickle.loads(path.read_bytes()) if path.exists() else []


def read(name: str) -> None:
    """Read every question of a set that was not read yet."""
    done = kept(name)
    known = {each.number for each in done}
    for number, query, _, answerable, right, folder in SETS[name][1]():
        if number in known:
            continue
        library = library_of(folder)
        recipe, corpus, kit = library.recipe, library.corpus, library.kit
        assert isinstance(recipe, Default)
        found = recipe.find(corpus, kit) >> recipe.pages_read(corpus, kit)
        both = recipe.line_reader(corpus, kit, library.settings)
        taken = both.read.take(found(query))
        fits = answerable and taken.candidate is not None and right(record_of_draft(taken.draft))
        done.append(Read(number, query.text, taken, fits))
        BUILD.mkdir(exist_ok=True)
        (BUILD / f"lines.{name}.pickle").write_bytes(pickle.dumps(done))
        print(number, fits, taken.draft.text[:60], flush=True)


def record_of_draft(draft: Draft) -> Record:
    """A draft as the record of an answer that is shown."""
    shown = Answer(draft.query, draft.text, draft.value, draft.citations, (), draft.confidence)
    return record_of(record(shown, "-"))


def joints(data: Path, corpora: Path, cache: Path) -> list[Joint]:
    """Every question that a model read, with the candidates that the reader without one has by the weights of other folds."""
    rows = fit_reading.rows_of(data, corpora, cache)
    share = fit_reading.share_of(rows)
    asked = {(SETS[name][0], each.question): (name, each) for name in SETS for each in kept(name)}
    told = {
        (SETS[name][0], q.text): each
        for name in SETS
        for each in SETS[name][1]()
        for q in [each[1]]
    }
    made = []
    judged_before: list[dict[Any, Any]] = [{} for _ in rows]
    for own, others in fit_reading.apart(rows):
        first, last = fit_reading.both(rows, judged_before, others, share)
        for row in (rows[at] for at in own):
            key = (row.of, row.ask.query.text)
            if key in asked:
                made.append(joint(row, *asked[key], told[key], first, last))
    return made


def joint(
    row: Any,
    name: str,
    held: Read,
    told: Asked,
    first: Mapping[str, float],
    last: Mapping[str, float],
) -> Joint:
    """The candidates of one question that the check lets stand, with the model's among them."""
    _, _, document, answerable, right, folder = told
    taken = held.taken
    entrants = reading.Entrants(row.ask, row.passages, row.found, row.features, row.none)
    weights = {"first": first, "last": last}
    contest = reading.contest(entrants, taken.candidate, says_same, weights)
    ask = understand(row.ask.query)
    drafts = [drafted(ask, [each], 0.9, ()) for each in contest.found]
    corpus = library_of(folder).corpus
    kept_at = [at for at, draft in enumerate(drafts) if not verified_in(corpus, draft).reason]
    return Joint(
        name,
        f"{name} {document}",
        answerable,
        row.ask.asks_reason or row.ask.expects in ("name", "names"),
        [features(contest.found[at], contest.odds[at], taken) for at in kept_at],
        [answerable and right(record_of_draft(drafts[at])) for at in kept_at],
        [contest.found[at] for at in kept_at],
        contest.none,
    )


def weights_of(rows: Sequence[Joint]) -> dict[str, float]:
    """The conditional logit: the right candidates of a question together, or none of them, against all."""
    names = sorted({name for row in rows for each in row.rows for name in each})
    names = [*dict.fromkeys(["reader", *names]), "none"]
    start = np.array([START.get(name, 0.0) for name in names])
    tables = []
    for row in rows:
        none = {"reader": row.none, "none": 1.0}
        table = np.array([[each.get(name, 0.0) for name in names] for each in (*row.rows, none)])
        tables.append((table, np.array([*row.right, not any(row.right)], float)))

    def loss(beta: np.ndarray) -> tuple[float, np.ndarray]:
        cost, slope = PENALTY * ((beta - start) ** 2).sum(), 2 * PENALTY * (beta - start)
        for table, good in tables:
            odds = table @ beta
            likely = np.exp(odds - odds.max())
            hit = (likely * good).sum() + 1e-12
            cost -= np.log(hit / likely.sum())
            slope -= table.T @ (likely * good / hit - likely / likely.sum())
        return cost, slope

    made = minimize(loss, start, jac=True, method="L-BFGS-B")
    return dict(zip(names, map(float, made.x), strict=True))


def answered(row: Joint, weights: Mapping[str, float]) -> tuple[float, bool]:
    """The chance of the likeliest value of a question, and whether it is right."""
    if not row.rows:
        return 0.0, False
    odds = [sum(weights.get(n, 0.0) * v for n, v in each.items()) for each in row.rows]
    contest = reading.Contest(row.values, odds, weights["reader"] * row.none + weights["none"])
    best = reading.best(contest)[0]
    at = next(
        at
        for at, each in enumerate(row.values)
        if each.evidence == best.evidence and each.value == best.value
    )
    return best.score, row.right[at]


def quoted(row: Joint) -> tuple[float, bool]:
    """The same of the reader without a model."""
    return answered(row, {"reader": 1.0, "reader, truth": 1.0, "none": 0.0})


def fit(data: Path, corpora: Path, cache: Path) -> None:
    """Print what the weights are worth on documents that are left out, fit them on all, and write them."""
    rows = joints(data, corpora, cache)
    held = []
    for document in sorted({row.document for row in rows}):
        weights = weights_of([row for row in rows if row.document != document])
        held += [(row, answered(row, weights)) for row in rows if row.document == document]
    for name in SETS:
        print_worth(name, [each for each in held if each[0].name == name])
    own = [each for each in held if each[0].worded and each[0].name in ("seen", "uda")]
    print_worth("reasons, names and lists of seen and uda", own)
    weights = weights_of(rows)
    lines = [
        "# How much a model's word counts beside the reader without one, the least chance that is shown, and that at which",
        "# the model is not asked: `recipes/line_agreement.py` says what each weight is of; fitted by `scripts/fit_lines.py`.",
        f"threshold = {THRESHOLD}",
        f"sure = {SURE}",
        "",
        "[weights]",
        *(f'"{name}" = {weight:.3f}' for name, weight in weights.items()),
    ]
    print("\n".join(lines))
    OUT.write_text("\n".join(lines) + "\n", encoding="utf-8")


def print_worth(name: str, held: Sequence[tuple[Joint, tuple[float, bool]]]) -> None:
    """What the recipe is worth on one set, by the least chance that is shown: it answers without the model where that is sure."""
    if not held:
        return
    answerable = sum(row.answerable for row, _ in held)
    strange = len(held) - answerable
    firsts = sum(right for _, (_, right) in held)
    anywhere = sum(any(row.right) for row, _ in held)
    alone = sum(quoted(row)[1] for row, _ in held)
    print(
        f"{name}: {answerable} to answer; first right {firsts}, without the model {alone}, among all {anywhere}"
    )
    for least in LEAST:
        shown = []
        for row, both in held:
            quick = quoted(row)
            if quick[0] >= SURE or both[0] >= least:
                shown.append((row, quick[1] if quick[0] >= SURE else both[1]))
        right = sum(each for _, each in shown)
        wrong = sum(not row.answerable for row, _ in shown)
        share = right / max(len(shown), 1), right / max(answerable, 1), 1 - wrong / max(strange, 1)
        print(
            f"  {least:.2f}: {len(shown)} shown; of these right, right, refused:",
            *(f"{each:.3f}" for each in share),
        )


def main() -> None:
    """Read sets, or fit."""
    if sys.argv[1:2] == ["--fit"]:
        fit(*map(Path, sys.argv[2:5]))
    else:
        for each in sys.argv[1:]:
            read(each)


if __name__ == "__main__":
    import fit_lines  # by its name, so that what is kept can be read again

    fit_lines.main()
