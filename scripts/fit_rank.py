"""Fit the ranker over the candidates of all readers, and the calibration of its probabilities.

    python scripts/fit_rank.py DATA CORPORA [--write]

DATA is the folder of data sets, CORPORA the folder in which `make measure` keeps their corpora. The real pipeline reads the
seen half of the project's own questions and the questions of wattbot, of uda (its own document), of tatqa (table and text
given) and of the public sets over texts (each text given, beside texts of others); every candidate is judged by its set's
rule. Of the given sets only those questions are used that the judge of evidence was not trained on. Some questions have no
answer: those of wattbot and uda put to the seen half's documents, the seen half's put to wattbot's, and a third of those over
texts, without their own text.

A logistic regression with an L2 penalty, each question weighing the same, is cross-validated in five folds of documents: a
question is judged by weights fitted without any question about its documents. The same holds for the slope and offset of the
confidence, on which every figure below is based. Documents and weights are held out, but the readers' own rules and lexicon
were made while looking at some of these sets. What is written is fitted on everything, the calibration on held-out
predictions. `--write` writes `pincite/data/ranker.json`.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import pickle
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import fit_tableread
import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

from benchmarks.measuring import answer_key as answerkey
from benchmarks.measuring import bare_table
from benchmarks.measuring.confidence_maps import fit_platt
from benchmarks.measuring.measurement import Work, gold, judged, loaded
from benchmarks.measuring.own_questions import QUESTIONS
from benchmarks.measuring.pooled_calibration import JudgedCandidate, figures_of
from pincite.evidence.candidate import Candidate, Passage
from pincite.evidence.gathering import gather
from pincite.evidence.judged_evidence import Asked, lowest_odds
from pincite.evidence.value_in_words import as_asked, worded
from pincite.lab.scoring import tatqa, wattbot
from pincite.lab.scoring import typed_answers as typed
from pincite.lab.scoring.typed_answers import token_f1
from pincite.library import Library
from pincite.question.ask import Ask
from pincite.question.understanding import understand
from pincite.readers import candidates, table_ranking
from pincite.readers import unnamed_document as unnamed
from pincite.readers.ranking import hopeful, odds, with_judge
from pincite.records.answer_record import clean, unit_of
from pincite.records.runfile import Record, read_lines
from pincite.search.pointed_pages import Pointed
from pincite.search.statement_pages import Widen
from pincite.settings import Settings
from pincite.types import Query, Value
from pincite.workbench import submissions

sys.path.insert(0, str(Path(__file__).parent / "judge"))
from folds import fold_of as judged_fold  # noqa: E402
from texts import TEXTS, beside, tells  # noqa: E402

OUT = Path(__file__).parent.parent / "pincite" / "data" / "ranker.json"
SETS = (
    "reports-seen",
    "wattbot",
    "uda",
    "strange",
    "texts",
    "tatqa",
)  # tatqa last: it reads with weights of its own
FOLDS = 5
HELD = 0
"""The fold that the judge of evidence was not trained on."""
STRANGE = 60
"""The number of questions of a set that are put to the documents of another."""
TOLD = 100
"""The number of questions read from each public set over texts."""
PENALTY = 6.0
RARE = 8


@dataclass
class Row:
    """A question: its set and the documents that it is about, the features of its candidates, which are right."""

    of: str
    documents: tuple[str, ...]
    features: list[dict[str, float]]
    right: list[bool]
    answerable: bool
    candidates: list[Candidate]
    pairs: list[list[Asked]]


Right = Callable[[Value], bool]
Told = Callable[[Candidate], bool]


def read(
    library: Library,
    query: Query,
    of: str,
    documents: tuple[str, ...],
    right: Right | None,
    told: Told | None = None,
) -> Row:
    """The row of one question, by the real search and readers; without `right` it has no answer there."""
    pages = Widen(library.corpus, library._find) >> Pointed(library.corpus)
    passages = gather(library.corpus, pages(library._find(query)).hits, library.settings.pages)
    return row_of(understand(query), passages, of, documents, right, told)


def row_of(
    ask: Ask,
    passages: Sequence[Passage],
    of: str,
    documents: tuple[str, ...],
    right: Right | None,
    told: Told | None = None,
) -> Row:
    """The row of a question over passages. With `told`, a candidate is right only where that is so of its place as well."""
    found = candidates.readers(ask, passages)
    kept, features = hopeful(ask, passages, found)
    good = [
        right is not None
        and right(as_asked(ask, candidate.value))
        and (told is None or told(candidate))
        for candidate in kept
    ]
    pairs = unnamed.judged(ask, passages, kept)
    bare = [Candidate(candidate.value, (), operation=candidate.operation) for candidate in kept]
    return Row(of, documents, features, good, right is not None, bare, pairs)


def set_rows(name: str, data: Path, corpora: Path, limit: int | None) -> list[Row]:
    """The rows of a set of documents."""
    library = Library(corpora / name / "corpus", Settings())
    work = Work(name, data, corpora / name, limit)
    rows = []
    for one in judged(loaded(work)):
        row = gold(one)
        if name == "uda":
            query = library.query(one.query.text, (("document", tuple(row["doc_ids"])),))
            about, answerable = row["doc_ids"], typed.answer_type(row) != "unanswerable"
        else:
            query = Query(one.query.text, unit=one.query.unit)
            about, answerable = papers(one.id, row), not wattbot.is_blank(row["answer_value"])
        right = partial(correct, name, row) if answerable else None
        rows.append(
            read(library, query, name, tuple(f"{name} {document}" for document in about), right)
        )
    return rows


def own_rows(corpora: Path, limit: int | None) -> list[Row]:
    """The rows of the project's own questions over the documents of the seen half."""
    library = Library(corpora / "reports-seen" / "corpus", Settings())
    made = []
    for row in read_lines(QUESTIONS / "reports_seen.jsonl")[:limit]:
        right = None if row["answer"] is None else partial(own_right, row)
        stands = {(one["file"], page) for one in row["evidence"] or () for page in one["pages"]}
        # half of all guesses at yes or no are right: what counts is the place that says so
        told = partial(on_pages, stands) if row["kind"] == "yes_no" else None
        about = [evidence["file"] for evidence in row["evidence"] or ()] or [row["id"]]
        documents = tuple(f"seen {file}" for file in about)
        made.append(read(library, Query(row["question"]), "reports-seen", documents, right, told))
    return made


def on_pages(pages: set[tuple[str, int]], candidate: Candidate) -> bool:
    """Whether a candidate was read on one of these (file, page)."""
    place = candidate.evidence[0]
    return any((place.document, page) in pages for page, _ in place.node.anchor.spots)


def own_right(row: dict[str, Any], value: Value) -> bool:
    """Whether a candidate's value is right by the key of answers."""
    return answerkey.right(
        Record("", value=clean(value), unit=unit_of(value), text=worded(value)), row
    )


def strange_rows(data: Path, corpora: Path, limit: int | None) -> list[Row]:
    """Questions of one set put to the documents of another, where they have no answer."""
    made = []
    for of, over in (
        ("wattbot", "reports-seen"),
        ("uda", "reports-seen"),
        ("reports-seen", "wattbot"),
    ):
        library = Library(corpora / over / "corpus", Settings())
        if of == "reports-seen":
            questions = [row["question"] for row in read_lines(QUESTIONS / "reports_seen.jsonl")]
        else:
            questions = [one.query.text for one in loaded(Work(of, data, corpora / of, None))]
        for question in questions[:: max(1, len(questions) // STRANGE)][:STRANGE][:limit]:
            made.append(read(library, Query(question), "strange", (f"strange {question}",), None))
    return made


def papers(identity: str, row: dict[str, str]) -> list[str]:
    """The papers of a question, or the question itself when it has none."""
    return (
        [identity]
        if wattbot.is_blank(row["answer_value"])
        else sorted(wattbot.gold_references(row["ref_id"]))
    )


def correct(name: str, row: dict[str, Any], value: Value) -> bool:
    """Whether a candidate's value is right under its set's rule."""
    said = clean(value)
    if name == "wattbot":
        return wattbot.value_2025(submissions.value_text(said), str(row["answer_value"]))
    return typed.applies(row) and typed.right(Record("", value=said), row)


def given_rows(data: Path, limit: int | None) -> list[Row]:
    """The rows of tatqa: the table and its paragraphs are given. Those alone that the judge of evidence did not learn from.

    The table reader's own weights were fitted on these questions; here each question is read with weights fitted on the
    other folds, so that its scores are no better than they will be on new tables.
    """
    learned = fold_weights(data / "tableqa_tatqa")
    folder = data / "tableqa_tatqa"
    lines = read_lines(folder / "contexts.jsonl")
    documents = {
        c["context_id"]: bare_table.document_of(c["table"], [p["text"] for p in c["paragraphs"]])
        for c in lines
    }
    rows = []
    for one in read_lines(folder / "questions.jsonl")[:limit]:
        if judged_fold(one["context_id"]) != HELD:
            continue
        passages, ask = documents[one["context_id"]], understand(Query(one["question"]))
        table_ranking.load_weights = partial(learned.__getitem__, fold_of(one["context_id"]))  # type: ignore[assignment]
        made = row_of(ask, passages, "tatqa", (f"tatqa {one['context_id']}",), lambda value: False)
        kept, _ = hopeful(ask, passages, candidates.readers(ask, passages))
        right = [
            tatqa.score(
                *bare_table.items_and_scale(c), one["answer"], one["scale"], one["answer_type"]
            )[0]
            == 1
            for c in kept
        ]
        rows.append(replace(made, right=right))
    return rows


def text_rows(data: Path, limit: int | None) -> list[Row]:
    """The rows of the public sets over texts, every third without its own text."""
    made = []
    for name, source in TEXTS.items():
        asked = list(source(data / "train"))
        own = [each for each in asked if judged_fold(each.group) == HELD and each.answer]
        chance = random.Random(name)
        for number, each in enumerate(chance.sample(own, TOLD)[:limit]):
            texts = [*([each.text] if number % 3 else []), *beside(each, asked, chance)]
            chance.shuffle(texts)
            right = partial(told, each.answer) if number % 3 else None
            ask = understand(Query(each.question))
            made.append(
                row_of(
                    ask,
                    bare_table.document_of([], texts),
                    "texts",
                    (f"texts {each.group}",),
                    right,
                )
            )
    return made


def told(answer: str, value: Value) -> bool:
    """Whether a value contains the answer to a question over a text, in few more words."""
    return tells(answer, Candidate(value, ())) and token_f1(worded(value), answer) >= 0.5


def fold_of(name: str) -> int:
    """The fold of a document or context."""
    return int(hashlib.md5(name.encode()).hexdigest(), 16) % FOLDS


def fold_weights(folder: Path) -> list[dict[str, float]]:
    """The table reader's weights without each fold of contexts."""
    rows = fit_tableread.load(folder)
    counts = Counter(name for _, _, many, _ in rows for name in {n for f in many for n in f})
    names = sorted(name for name, count in counts.items() if count >= fit_tableread.RARE)
    return [
        fit_tableread.fit([row for row in rows if fold_of(row[0]) != fold], names)
        for fold in range(FOLDS)
    ]


def fit(rows: list[Row], names: list[str]) -> dict[str, float]:
    """Logistic regression over the candidates of each reader; tatqa's many questions are weighed down to the others' number."""
    index = {name: at for at, name in enumerate(names)}
    share = {
        of: min(1.0, 250.0 / sum(row.of == of for row in rows)) for of in {row.of for row in rows}
    }
    entries, target, weight = [], [], []
    for row in rows:
        for features, right in zip(row.features, row.right, strict=True):
            entries += [
                (len(target), index[n], v) for n, v in features.items() if v and n in index
            ]
            target.append(float(right))
            weight.append(share[row.of])
    at, column, value = zip(*entries, strict=True)
    matrix = csr_matrix((value, (at, column)), shape=(len(target), len(names)))
    y, w = np.array(target), np.array(weight)

    def loss(beta: np.ndarray) -> tuple[float, np.ndarray]:
        x = matrix @ beta
        p = 1 / (1 + np.exp(-np.clip(x, -30, 30)))
        value = (
            -(w * (y * np.log(p + 1e-12) + (1 - y) * np.log(1 - p + 1e-12))).sum()
            + PENALTY * beta @ beta
        )
        return value, matrix.T @ (w * (p - y)) + 2 * PENALTY * beta

    found = minimize(
        loss, np.zeros(len(names)), jac=True, method="L-BFGS-B", options={"maxiter": 500}
    )
    return dict(zip(names, map(float, found.x), strict=True))


def apart(rows: list[Row]) -> Iterator[tuple[list[int], list[int]]]:
    """Of each fold the positions of its questions, and of all questions that are about none of their documents."""
    folds = [fold_of(row.documents[0].removeprefix("tatqa ")) for row in rows]
    for number in range(FOLDS):
        own = [at for at, fold in enumerate(folds) if fold == number]
        theirs = {document for at in own for document in rows[at].documents}
        yield own, [at for at, row in enumerate(rows) if not theirs.intersection(row.documents)]


def held_out(rows: list[Row], names: list[str]) -> list[tuple[Row, float, bool]]:
    """Each question with the odds of its best candidate and whether that is right, by weights of other documents' questions."""
    held = []
    for fold, others in apart(rows):
        weights = fit([rows[at] for at in others], names)
        held += [(rows[at], *first(rows[at], weights)) for at in fold if rows[at].features]
    return held


def chances(held: list[tuple[Row, float, bool]]) -> list[float]:
    """The confidence in each best candidate, calibrated on questions about other documents."""
    odd, right = np.array([odd for _, odd, _ in held]), np.array([float(ok) for _, _, ok in held])
    made = np.empty(len(held))
    for fold, others in apart([row for row, _, _ in held]):
        if fold:
            made[fold] = fit_platt(odd[others], right[others])(odd[fold])
    return made.tolist()


def first(row: Row, weights: dict[str, float]) -> tuple[float, bool]:
    """The odds of a question's best candidate and whether it is right."""
    scored = [(odds(weights, f), ok) for f, ok in zip(row.features, row.right, strict=True)]
    return max(scored, key=lambda one: one[0])


def main() -> None:
    """Cross-validate, report, and write with --write."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("corpora", type=Path)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--cache", type=Path, help="a folder to keep the rows of each set in")
    options = parser.parse_args()
    rows: list[Row] = []
    for name in SETS:
        kept = options.cache / f"{name}.pickle" if options.cache else None
        if kept and kept.exists():
            rows += pickle.loads(kept.read_bytes())
            continue
        if name == "tatqa":
            made = given_rows(options.data, options.limit)
        elif name == "texts":
            made = text_rows(options.data, options.limit)
        elif name == "reports-seen":
            made = own_rows(options.corpora, options.limit)
        elif name == "strange":
            made = strange_rows(options.data, options.corpora, options.limit)
        else:
            made = set_rows(name, options.data, options.corpora, options.limit)
        if kept:
            kept.write_bytes(pickle.dumps(made))
        rows += made
    rows = [
        replace(row, features=with_judge(row.features, row.candidates, lowest_odds(row.pairs)))
        for row in rows
    ]
    counts: dict[str, int] = defaultdict(int)
    for row in rows:
        for name in {n for f in row.features for n in f}:
            counts[name] += 1
    names = sorted(name for name, count in counts.items() if count >= RARE)
    held = held_out(rows, names)
    report(rows, held)
    slope, offset = platt(
        np.array([odd for _, odd, _ in held]), np.array([float(ok) for _, _, ok in held])
    )
    chance = chances(held)
    pool = [
        JudgedCandidate(row.of, p, float(ok), row.documents[0])
        for (row, _, ok), p in zip(held, chance, strict=True)
    ]
    for line in figures_of("fitted on other documents", pool):
        each = line.figure
        print(
            f"{line.of}: {each.metric} {each.value:.3f} [{each.low:.3f}, {each.high:.3f}], n={each.n}"
        )
    by_threshold(rows, held, chance)
    if options.write:
        made = {"slope": round(slope, 4), "offset": round(offset, 4)}
        made["weights"] = {n: round(w, 3) for n, w in fit(rows, names).items() if abs(w) >= 0.005}
        OUT.write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")


def by_threshold(
    rows: list[Row], held: list[tuple[Row, float, bool]], chance: list[float]
) -> None:
    """For each set and some thresholds: how many answers are shown, and the shares right of these and of the answerable."""
    for threshold in sorted((0.0, 0.1, 0.2, Settings().threshold, 0.4, 0.5, 0.6, 0.7)):
        print(f"threshold {threshold:.2f}:", end="")
        for of in SETS:
            shown = [
                ok
                for (row, _, ok), p in zip(held, chance, strict=True)
                if row.of == of and p >= threshold
            ]
            own = [row for row in rows if row.of == of]
            answerable = sum(row.answerable for row in own)
            print(f" {of} {len(shown)} of {len(own)} shown", end="")
            right = f", {sum(shown) / max(1, len(shown)):.2f} right, {sum(shown) / max(1, answerable):.2f} of all"
            print(right if answerable else "", end=";")
        print()


def platt(x: np.ndarray, y: np.ndarray) -> tuple[float, float]:
    """Slope and offset of the log-odds by maximum likelihood (Platt 1999)."""

    def loss(ab: np.ndarray) -> float:
        return float(np.logaddexp(0, -(2 * y - 1) * (ab[0] * x + ab[1])).sum())

    found = minimize(loss, np.array([1.0, 0.0]), method="Nelder-Mead")
    return float(found.x[0]), float(found.x[1])


def report(rows: list[Row], held: list[tuple[Row, float, bool]]) -> None:
    """Right answers by set, what the best choice could reach, and the first of each reader."""
    for of in sorted({row.of for row in rows}):
        asked = [row for row in rows if row.of == of and row.answerable]
        if not asked:
            continue
        right = sum(ok for row, _, ok in held if row.of == of and row.answerable) / len(asked)
        could = np.mean([any(row.right) for row in asked])
        print(
            f"{of:12} n={len(asked)} right {right:.3f}, among the candidates {could:.3f}", end=""
        )
        for number in (0, 1, 2):
            firsts = []
            for row in asked:
                marks = [
                    k
                    for k, f in enumerate(row.features)
                    if f["first"] and f"reader{number}:lead" in f
                ]
                firsts.append(bool(marks) and row.right[marks[0]])
            print(f", reader {number} alone {np.mean(firsts):.3f}", end="")
        print()


if __name__ == "__main__":
    main()
