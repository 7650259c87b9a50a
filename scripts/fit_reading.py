"""Fit the order and the chances of the reader without a model: python scripts/fit_reading.py DATA CORPORA [--write] [--cache F]

DATA is the folder of data sets, CORPORA the folder in which `make measure` keeps their corpora. The real pipeline reads the
seen half of the project's own questions, those over small files, and the questions of wattbot, of uda and mmlongbench (their
own documents), of tatqa (table and text given) and of the public sets over texts (each text given, beside texts of others);
every candidate is judged by its set's rule. Of the given sets only those questions are used that the judge of evidence was not
trained on. Some questions have no answer: those of wattbot and uda put to the seen half's documents, the seen half's put to
wattbot's, and a third of those over texts, without their own text.

A conditional logit with an L2 penalty over the candidates of each question and "none of them" is fitted twice: without the judge,
for which candidates it is asked about, and with it. Everything printed is of five folds of documents: a question is judged by
weights fitted without any question about its documents. `--write` fits on everything and writes `pincite/data/reading.toml`.
"""

from __future__ import annotations

import argparse
import hashlib
import pickle
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

from benchmarks.measuring import answer_key as answerkey
from benchmarks.measuring import bare_table, tatqa_score
from benchmarks.measuring.drawn_figures import calibration_figures
from benchmarks.measuring.measurement import Work, gold, judged, loaded
from benchmarks.measuring.own_questions import QUESTIONS
from pincite.evidence.candidate import Candidate, Passage
from pincite.evidence.gathering import gather
from pincite.evidence.value_in_words import as_asked, worded
from pincite.lab.scoring import typed_answers as typed
from pincite.lab.scoring import wattbot
from pincite.lab.scoring.typed_answers import token_f1
from pincite.lines import reading
from pincite.lines.reading import Features
from pincite.question.ask import Ask
from pincite.question.understanding import understand
from pincite.records.answer_record import clean, unit_of
from pincite.records.runfile import Record, read_lines
from pincite.search.pointed_pages import Pointed
from pincite.search.statement_pages import Widen
from pincite.settings import Settings
from pincite.types import Query
from pincite.workbench import submissions
from pincite.workbench.library import Library

sys.path.insert(0, str(Path(__file__).parent / "judge"))
from folds import fold_of as judged_fold  # noqa: E402
from texts import TEXTS, beside, tells  # noqa: E402

OUT = Path(__file__).parent.parent / "pincite" / "data" / "reading.toml"
HEAD = """# The weights of the reader without a model, fitted by scripts/fit_reading.py: `first` of the order without the judge of
# evidence, `last` of the order and the chances with it.
"""
FOLDS = 5
HELD = 0
"""The fold that the judge of evidence was not trained on."""
STRANGE = 60
"""The number of questions of a set that are put to the documents of another."""
TOLD = 100
"""The number of questions read from each public set over texts."""
PENALTY, RARE, MOST = 1.0, 8, 250
"""The weight of the squares of the weights; questions that a feature needs; those that each set counts as, at most."""
FOR = (
    "row label", "row sections", "row column", "row covered", "row period", "text words", "text covered", "text beside",
    "text period", "complete", "only complete", "number near", "number counts", "phrase near", "rest near", "option near",
    "unit fits", "year fits", "judge, ", "judge leads", "judge first", "agreed", "as asked", "least label", "typed", "defined",
    "asked count", "series head", "title",
)  # fmt: skip
# what stands around a line is part of what is covered: by itself it may only count for less
AGAINST = (
    "row around",
    "text around",
    "unit differs",
    "year differs",
    "judge behind",
    "given",
    "percent missing",
)
"""What the names of features begin with that speak for a candidate, or against it: their weights have that sign. Where features
say nearly the same, as the label and the whole of what is said, a fit without signs would set one against the other.
"""
SHOWN = (0.2, 0.3, 0.4, 0.5, 0.6)
Right = Callable[[Candidate], bool]


@dataclass
class Row:
    """A question: its set and the documents that it is about, its candidates with their features, and which are right."""

    of: str
    documents: tuple[str, ...]
    ask: Ask
    passages: Sequence[Passage]
    found: list[Candidate]
    features: list[Features]
    right: list[bool]
    none: Features
    answerable: bool


Told = tuple[Row, list[int], list[Features], Features]
"""A row, of some of its candidates the positions and the features, and those of none of them."""


def row_of(
    ask: Ask,
    passages: Sequence[Passage],
    of: str,
    documents: Sequence[str],
    right: Right | None,
) -> Row:
    """The row of a question over passages; without `right` it has no answer there."""
    found, lines = reading.candidates(ask, passages)
    marks = [right is not None and right(candidate) for candidate in found]
    # of the passages only what the judge needs
    about = list({passage.document: passage for passage in passages}.values())
    features = reading.described(ask, found)
    none = reading.nothing(ask, features, lines)
    return Row(of, tuple(documents), ask, about, found, features, marks, none, right is not None)


def read(
    library: Library, query: Query, of: str, documents: Sequence[str], right: Right | None
) -> Row:
    """The row of a question, by the real search."""
    pages = Widen(library.corpus, library._find) >> Pointed(library.corpus)
    passages = gather(library.corpus, pages(library._find(query)).hits, library.settings.pages)
    return row_of(understand(query), passages, of, documents, right)


def own_rows(data: Path, corpora: Path) -> Iterator[Row]:
    """The seen half. Half of all guesses at yes or no are right: what counts there is the place that says so."""
    library = Library(corpora / "reports-seen" / "corpus", Settings())
    for row in read_lines(QUESTIONS / "reports_seen.jsonl"):
        places = {(one["file"], page) for one in row["evidence"] or () for page in one["pages"]}
        told = places if row["kind"] == "yes_no" else None
        ask = understand(Query(row["question"]))
        right = None if row["answer"] is None else partial(own_right, row, ask, told)
        about = [evidence["file"] for evidence in row["evidence"] or ()] or [row["id"]]
        documents = [f"seen {file}" for file in about]
        yield read(library, Query(row["question"]), "reports-seen", documents, right)


def small_rows(data: Path, corpora: Path) -> Iterator[Row]:
    """The project's own questions over small files, each put to its file alone."""
    rows = list(read_lines(QUESTIONS / "small.jsonl"))
    for name in dict.fromkeys(str(row["file"]) for row in rows):
        library = Library(corpora / "small" / Path(name).stem / "corpus", Settings())
        for row in (each for each in rows if each["file"] == name):
            ask = understand(Query(row["question"]))
            right = None if row["answer"] is None else partial(own_right, row, ask, None)
            yield read(library, Query(row["question"]), "small", [f"small {name}"], right)


def own_right(
    row: dict[str, Any], ask: Ask, places: set[tuple[str, int]] | None, candidate: Candidate
) -> bool:
    """Whether a candidate is right by the key of answers, at one of some places where they matter."""
    place = candidate.evidence[0]
    if places is not None and not any(
        (place.document, page) in places for page, _ in place.node.anchor.spots
    ):
        return False
    value = as_asked(ask, candidate.value)
    told = Record("", value=clean(value), unit=unit_of(value), text=worded(value))
    return answerkey.right(told, row)


def set_rows(name: str, data: Path, corpora: Path) -> Iterator[Row]:
    """A set of documents."""
    library = Library(corpora / name / "corpus", Settings())
    for one in judged(loaded(Work(name, data, corpora / name))):
        row = gold(one)
        if name != "wattbot":
            query = library.query(one.query.text, (("document", tuple(row["doc_ids"])),))
            about, answerable = row["doc_ids"], typed.answer_type(row) != "unanswerable"
        else:
            query = Query(one.query.text, unit=one.query.unit)
            answerable = not wattbot.is_blank(row["answer_value"])
            about = sorted(wattbot.gold_references(row["ref_id"])) if answerable else [one.id]
        right = partial(correct, name, row, understand(query)) if answerable else None
        yield read(library, query, name, [f"{name} {document}" for document in about], right)


def correct(name: str, row: dict[str, Any], ask: Ask, candidate: Candidate) -> bool:
    """Whether a candidate's value is right under its set's rule."""
    value = as_asked(ask, candidate.value)
    if name == "wattbot":
        return wattbot.value_2025(submissions.value_text(clean(value)), str(row["answer_value"]))
    return typed.applies(row) and typed.right(Record("", clean(value), text=worded(value)), row)


def strange_rows(data: Path, corpora: Path) -> Iterator[Row]:
    """Questions of one set put to the documents of another, where they have no answer."""
    own = [row["question"] for row in read_lines(QUESTIONS / "reports_seen.jsonl")]
    pairs = (("wattbot", "reports-seen"), ("uda", "reports-seen"), ("reports-seen", "wattbot"))
    for of, over in pairs:
        library = Library(corpora / over / "corpus", Settings())
        asked = own
        if of != "reports-seen":
            asked = [one.query.text for one in loaded(Work(of, data, corpora / of))]
        for question in asked[:: max(1, len(asked) // STRANGE)][:STRANGE]:
            yield read(library, Query(question), "strange", [f"strange {question}"], None)


def given_rows(data: Path, corpora: Path) -> Iterator[Row]:
    """The rows of tatqa: the table and its paragraphs are given."""
    folder = data / "tableqa_tatqa"
    documents = {
        c["context_id"]: bare_table.document_of(c["table"], [p["text"] for p in c["paragraphs"]])
        for c in read_lines(folder / "contexts.jsonl")
    }
    for one in read_lines(folder / "questions.jsonl"):
        if judged_fold(one["context_id"]) == HELD:
            right, about = partial(exact, one), [f"tatqa {one['context_id']}"]
            ask = understand(Query(one["question"]))
            yield row_of(ask, documents[one["context_id"]], "tatqa", about, right)


def exact(one: dict[str, Any], candidate: Candidate) -> bool:
    """Whether a candidate is exactly the answer of a question of tatqa."""
    said = bare_table.items_and_scale(candidate)
    return tatqa_score.score(*said, one["answer"], one["scale"], one["answer_type"])[0] == 1


def text_rows(data: Path, corpora: Path) -> Iterator[Row]:
    """The public sets over texts, every third question without its own text."""
    for name, source in TEXTS.items():
        asked = list(source(data / "train"))
        own = [each for each in asked if judged_fold(each.group) == HELD and each.answer]
        chance = random.Random(name)
        for number, each in enumerate(chance.sample(own, TOLD)):
            texts = [*([each.text] if number % 3 else []), *beside(each, asked, chance)]
            chance.shuffle(texts)
            right = partial(told, each.answer) if number % 3 else None
            passages = bare_table.document_of([], texts)
            yield row_of(
                understand(Query(each.question)), passages, "texts", [f"texts {each.group}"], right
            )


def told(answer: str, candidate: Candidate) -> bool:
    """Whether a value contains the answer to a question over a text, in few more words."""
    bare = Candidate(candidate.value, ())
    return tells(answer, bare) and token_f1(worded(candidate.value), answer) >= 0.5


SETS: Mapping[str, Callable[[Path, Path], Iterator[Row]]] = {
    "reports-seen": own_rows,
    "small": small_rows,
    "wattbot": partial(set_rows, "wattbot"),
    "uda": partial(set_rows, "uda"),
    "mmlongbench": partial(set_rows, "mmlongbench"),
    "strange": strange_rows,
    "texts": text_rows,
    "tatqa": given_rows,
}


def fold_of(name: str) -> int:
    """The fold of a document or context."""
    return int(hashlib.md5(name.encode()).hexdigest(), 16) % FOLDS


def apart(rows: Sequence[Row]) -> Iterator[tuple[list[int], list[int]]]:
    """Of each fold the positions of its questions, and of all questions that are about none of their documents."""
    folds = [fold_of(row.documents[0]) for row in rows]
    for number in range(FOLDS):
        own = [at for at, fold in enumerate(folds) if fold == number]
        theirs = {document for at in own for document in rows[at].documents}
        yield own, [at for at, row in enumerate(rows) if not theirs.intersection(row.documents)]


def whole(row: Row) -> Told:
    """A row with all its candidates."""
    return row, list(range(len(row.found))), row.features, row.none


def hopeful(
    row: Row, weights: Mapping[str, float], kept: dict[tuple[int, ...], list[Features]]
) -> Told:
    """A row with the candidates that the judge is asked about, and what it says of them; `kept` are the features made before."""
    places = reading.first(row.features, weights)
    if tuple(places) not in kept:
        found = [row.found[at] for at in places]
        features = [row.features[at] for at in places]
        judged_rows = reading.with_judge(row.ask, row.passages, found, features) if found else []
        kept[tuple(places)] = judged_rows
    if not places:
        return row, places, [], row.none
    found = [row.found[at] for at in places]
    odds = [reading.weighed(row.features[at], weights) for at in places]
    return row, places, kept[tuple(places)], row.none | reading.lead(found, odds)


def fit(told_rows: Sequence[Told], share: Mapping[str, float]) -> dict[str, float]:
    """The conditional logit: the right candidates of a question together, or none of them, against all."""
    seen = Counter(
        name
        for _, _, features, none in told_rows
        for name in {n for f in (*features, none) for n in f}
    )
    names = sorted(name for name, count in seen.items() if count >= RARE)
    index = {name: at for at, name in enumerate(names)}
    entries: list[tuple[int, int, float]] = []
    right: list[float] = []
    starts, weight = [], []
    for row, places, features, none in told_rows:
        starts.append(len(right))
        weight.append(share[row.of])
        marks = [row.right[at] for at in places]
        for told_features, mark in zip((*features, none), (*marks, not any(marks)), strict=True):
            entries += [
                (len(right), index[n], v) for n, v in told_features.items() if v and n in index
            ]
            right.append(float(mark))
    at, column, value = zip(*entries, strict=True)
    matrix = csr_matrix((value, (at, column)), shape=(len(right), len(names)))
    first, good, per = np.array(starts), np.array(right), np.array(weight)
    group = np.repeat(np.arange(len(first)), np.diff(np.append(first, len(right))))

    def loss(beta: np.ndarray) -> tuple[float, np.ndarray]:
        odds = matrix @ beta
        likely = np.exp(odds - np.maximum.reduceat(odds, first)[group])
        total, hit = np.add.reduceat(likely, first), np.add.reduceat(likely * good, first)
        cost = -(per * (np.log(hit + 1e-12) - np.log(total))).sum() + PENALTY * beta @ beta
        slope = per[group] * (likely / total[group] - likely * good / (hit[group] + 1e-12))
        return cost, matrix.T @ slope + 2 * PENALTY * beta

    bounds = [
        (0.0 if name.startswith(FOR) else None, 0.0 if name.startswith(AGAINST) else None)
        for name in names
    ]
    made = minimize(
        loss,
        np.zeros(len(names)),
        jac=True,
        bounds=bounds,
        method="L-BFGS-B",
        options={"maxiter": 300},
    )
    return dict(zip(names, map(float, made.x), strict=True))


def both(
    rows: Sequence[Row],
    kept: list[dict[tuple[int, ...], list[Features]]],
    some: Sequence[int],
    share: Mapping[str, float],
) -> tuple[dict[str, float], dict[str, float]]:
    """The weights of the order without the judge and with it, fitted on some of the rows."""
    first = fit([whole(rows[at]) for at in some], share)
    return first, fit([hopeful(rows[at], first, kept[at]) for at in some], share)


def rows_of(data: Path, corpora: Path, cache: Path | None) -> list[Row]:
    """The questions of all sets, as they are kept in a folder where that has them."""
    rows: list[Row] = []
    for name, made in SETS.items():
        file = cache / f"{name}.pickle" if cache else None
        own = (
            pickle.loads(file.read_bytes())
            if file and file.exists()
            else list(made(data, corpora))
        )
        if file:
            file.write_bytes(pickle.dumps(own))
        rows += own
    return rows


def share_of(rows: Sequence[Row]) -> dict[str, float]:
    """What a question of each set weighs."""
    return {of: min(1.0, MOST / count) for of, count in Counter(row.of for row in rows).items()}


def main() -> None:
    """Cross-validate, report, and write with --write."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("corpora", type=Path)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--cache", type=Path, help="a folder to keep the rows of each set in")
    options = parser.parse_args()
    rows = rows_of(options.data, options.corpora, options.cache)
    share = share_of(rows)
    kept: list[dict[tuple[int, ...], list[Features]]] = [{} for _ in rows]
    held: list[tuple[Row, list[int], list[tuple[float, bool]]]] = []
    for own_rows_, others in apart(rows):
        first, last = both(rows, kept, others, share)
        for at in own_rows_:
            told_row = hopeful(rows[at], first, kept[at])
            held.append((*told_row[:2], answered(told_row, last)))
    report(held)
    if options.write:
        write(*both(rows, kept, range(len(rows)), share))


def answered(told_row: Told, weights: Mapping[str, float]) -> list[tuple[float, bool]]:
    """The chance of the values of a row, best first, and whether each is right."""
    row, places, features, none = told_row
    if not places:
        return []
    odds = [reading.weighed(each, weights) for each in features]
    likely = reading.chances(odds, reading.weighed(none, weights))
    marked = [replace(row.found[at], features={"right": float(row.right[at])}) for at in places]
    best = reading.each_once(marked, likely)
    return [(candidate.score, bool(candidate.features["right"])) for candidate in best]


def report(held: Sequence[tuple[Row, list[int], list[tuple[float, bool]]]]) -> None:
    """By set: how often the first is right, and could be; what is shown above some chances; how true the chances are."""
    sure: dict[str, list[tuple[float, bool]]] = {}
    for of in SETS:
        own = [each for each in held if each[0].of == of]
        asked = [each for each in own if each[0].answerable]
        line = f"{of:12} {len(own)}"
        if asked:
            firsts = sum(bool(values and values[0][1]) for _, _, values in asked)
            could = sum(any(row.right[at] for at in places) for row, places, _ in asked)
            anywhere = sum(any(row.right) for row, _, _ in asked)
            line += f": first right {firsts} of {len(asked)}, among the judged {could}, among all {anywhere}"
        for least in SHOWN:
            shown = [values[0][1] for _, _, values in own if values and values[0][0] >= least]
            line += f"; from {least} {len(shown)} shown, {sum(shown)} right"
        print(line)
        sure[of] = [values[0] for _, _, values in own if values]
    sure["all"] = [first for firsts in sure.values() for first in firsts]
    for of, pairs in sure.items():
        for each in calibration_figures([chance for chance, _ in pairs], [ok for _, ok in pairs]):
            print(
                f"{of}: {each.metric} {each.value:.3f} [{each.low:.3f}, {each.high:.3f}], n={each.n}"
            )


def write(first: Mapping[str, float], last: Mapping[str, float]) -> None:
    """Write the weights that matter."""
    parts = [HEAD]
    for name, weights in (("first", first), ("last", last)):
        parts.append(f"\n[{name}]\n")
        parts += [
            f'"{key}" = {weight:.3f}\n' for key, weight in weights.items() if abs(weight) >= 0.005
        ]
    OUT.write_text("".join(parts), encoding="utf-8")


if __name__ == "__main__":
    import fit_reading  # by its name, so that what is kept can be read by `fit_lines.py` too

    fit_reading.main()
