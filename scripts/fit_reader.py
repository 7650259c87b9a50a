"""Fit the weights with which `pincite.readers.spans` picks spans of text, and the curves that turn scores into probabilities.

    python scripts/fit_reader.py DATA WORK [--write]

DATA holds `train` and `tableqa_tatqa` (questions with their texts) and the question files of the sets whose corpora are below
WORK as `<set>/corpus`; missing sets are left out with a message. Prints the share of
questions whose best span has a token F1 of at least .5 with the gold, by cross-validation in five folds of documents;
`--write` fits on everything and writes `pincite/data/reader.json`. The loss is the listwise softmax, -log of the
probability that falls on good spans (F1 squared, one more when equal), with a squared penalty for leaving PRIOR.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

from benchmarks.measuring import answer_key as answerkey
from benchmarks.measuring import data_sets
from pincite.evidence.candidate import Passage
from pincite.evidence.gathering import gather
from pincite.evidence.term_match import match
from pincite.lab.scoring import typed_answers as typed
from pincite.question.offers import offered
from pincite.question.understanding import understand
from pincite.readers import prose_answers as prose
from pincite.readers import spans
from pincite.types import Anchor, Node, Quantity, Query

sys.path.insert(0, str(Path(__file__).parent / "judge"))
from texts import TEXTS, beside  # noqa: E402

PRIOR = {
    "near": 2.0, "context": 1.0, "segment": 1.0, "pairs": 0.7, "rank": 0.3, "noun": 0.6, "whole": 0.3, "type": 0.6,
    "cloze": 0.6, "defined": 0.5, "new": 0.3, "quoted": 0.2, "asked_words": 1.0, "lone": -0.3, "number": -0.3,
    "made:sentence": -1.0, "made:clause": -0.6,
    "why:reasoned": 1.0, "why:pair": 0.5,
    "several:one": -1.0, "several:series": 0.5, "several:bullets": 0.5, "several:alike": 1.0, "several:count": 1.0,
    "several:led": 0.5,
    "who:person": 1.0, "when:date": 2.0, "org:person": -1.5, "list:phrase": -0.4, "list:date": -0.5,
}  # fmt: skip
"""The weights of the features before any question is read."""
WEIGHT = {"wattbot": 4.0, "uda": 2.0, "tatqa": 0.4}
"""How much a question of each set counts, so that small sets have an influence."""
MOST = 400
"""The number of questions read from each set of texts; questions for several things are all read."""
PENALTY = 4.0
FOLDS = 5
PAGES = 10


@dataclass(frozen=True)
class Item:
    """A question with its passages, its gold texts and the document it is grouped by."""

    name: str
    group: str
    query: Query
    passages: list[Passage]
    golds: list[str]


@dataclass(frozen=True)
class Rows:
    """The spans proposed for one item: their features and how good each is."""

    item: Item
    features: list[dict[str, float]]
    good: np.ndarray
    f1: np.ndarray


def given(data: Path) -> Iterator[Item]:
    """Questions that come with their paragraphs."""
    folder = data / "tableqa_tatqa"
    contexts = {row["context_id"]: row["paragraphs"] for row in lines(folder / "contexts.jsonl")}
    for row in lines(folder / "questions.jsonl"):
        if (
            row["answer_from"] == "text"
            and row["answer_type"] == "text"
            and not row.get("derivation")
        ):
            texts = [
                one if isinstance(one, str) else one["text"] for one in contexts[row["context_id"]]
            ]
            yield Item(
                "tatqa",
                row["context_id"],
                Query(row["question"]),
                paged(["\n\n".join(texts)]),
                golds(row["answer"]),
            )
    for name, source in TEXTS.items():
        asked = list(source(data / "train"))
        drawn = random.Random(name).sample(asked, MOST)
        drawn += [
            each
            for each in asked
            if each not in drawn and understand(Query(each.question)).expects == "names"
        ]
        for each in drawn:
            texts = [each.text, *beside(each, asked, random.Random(each.question))]
            yield Item(name, each.group, Query(each.question), paged(texts), golds(each.answer))


def searched(data: Path, work: Path, name: str) -> Iterator[Item]:
    """Questions over a corpus, with the pages that the default recipe finds for them."""
    from pincite.library import Library

    if not (work / name / "corpus").is_dir():
        print(f"{name}: left out, no corpus at {work / name / 'corpus'}")
        return
    library = Library(work / name / "corpus")
    for one in data_sets.load(name, data):
        gold = golds(one.value if name == "wattbot" else one.meta.get("answer", one.value))
        ranking = library.outcome(one.query).ranking
        if ranking is not None and gold:
            group = one.evidence[0][0] if one.evidence else one.id
            yield Item(name, group, one.query, gather(library.corpus, ranking.hits, PAGES), gold)


def golds(answer: Any) -> list[str]:
    """The gold as texts, any of which is right; none for what is no text."""
    if isinstance(answer, list) and answer and isinstance(answer[0], list):
        return [str(one) for one in answer[0]]
    text = " ".join(map(str, answer)) if isinstance(answer, list) else str(answer)
    return (
        [text]
        if sum(c.isalpha() for c in text) >= 3 and text not in ("is_blank", "Not answerable")
        else []
    )


def paged(texts: Sequence[str]) -> list[Passage]:
    return [
        Passage(Node(f"{at}", "page", text, Anchor("", ((at + 1, None),))))
        for at, text in enumerate(texts)
    ]


def lines(path: Path) -> Iterator[dict[str, Any]]:
    for line in path.open(encoding="utf-8"):
        yield json.loads(line)


def proposed(item: Item) -> Rows | None:
    ask = understand(item.query)
    if not item.golds or ask.expects == "boolean" or item.query.unit or offered(ask):
        return None
    terms, matches = match(ask.text, item.passages)
    made = spans.spans(ask, terms, matches)
    if not made:
        return None
    texts = [spans.texts_of(found.reading, span) for found, span, _ in made]
    f1 = np.array(
        [max(typed.token_f1(", ".join(text), gold) for gold in item.golds) for text in texts]
    )
    equal = np.array([any(same(text, gold) for gold in item.golds) for text in texts])
    good = f1**2 + equal
    return Rows(
        item,
        [features for _, _, features in made],
        np.where(good >= 0.5 * good.max(), good, 0.0),
        f1,
    )


def same(texts: Sequence[str], gold: str) -> bool:
    """Whether a span says what the gold says, a list the same items."""
    if len(texts) > 1:
        return answerkey.same_items(
            texts, [one for one in re.split(r";|, | and | or ", gold) if one.strip(" .")]
        )
    return texts[0].lower().strip(" .") == gold.lower().strip(" .")


def fit(rows: Sequence[Rows], names: Sequence[str]) -> np.ndarray:
    """The weights that minimise the loss."""
    at = {name: column for column, name in enumerate(names)}
    used = [one for one in rows if one.good.max() > 0.2]
    table = matrix([row for one in used for row in one.features], at)
    sizes = [len(one.features) for one in used]
    starts = np.cumsum([0, *sizes[:-1]])
    group = np.repeat(np.arange(len(used)), sizes)
    good = np.concatenate([one.good for one in used])
    weight = np.array([WEIGHT.get(one.item.name, 1.0) for one in used])
    prior = np.array([PRIOR.get(name, 0.0) for name in names])

    def loss(w: np.ndarray) -> tuple[float, np.ndarray]:
        scores = table @ w
        raised = np.exp(scores - np.maximum.reduceat(scores, starts)[group])
        total, hit = np.add.reduceat(raised, starts), np.add.reduceat(raised * good, starts)
        slope = table.T @ (weight[group] * raised * (good / hit[group] - 1 / total[group]))
        return float(
            weight @ (np.log(total) - np.log(hit)) + PENALTY / 2 * ((w - prior) ** 2).sum()
        ), PENALTY * (w - prior) - slope

    return np.asarray(
        minimize(loss, prior, jac=True, method="L-BFGS-B", options={"maxiter": 300}).x
    )


def matrix(rows: Sequence[dict[str, float]], at: dict[str, int]) -> csr_matrix:
    ends = np.cumsum([0, *(sum(name in at for name in row) for row in rows)])
    columns = [at[name] for row in rows for name in row if name in at]
    values = [value for row in rows for name, value in row.items() if name in at]
    return csr_matrix((values, columns, ends), shape=(len(rows), len(at)))


def picked(
    rows: Sequence[Rows], names: Sequence[str], weights: np.ndarray
) -> Iterator[tuple[Rows, float, float]]:
    """For each question the score and the F1 of its best span."""
    at = {name: column for column, name in enumerate(names)}
    for one in rows:
        scores = matrix(one.features, at) @ weights
        best = int(scores.argmax())
        yield one, float(scores[best]), float(one.f1[best])


def curve(pairs: Sequence[tuple[float, bool]]) -> list[float]:
    """Slope and offset of the logistic curve from score to the share that is right (Platt 1999)."""
    score, right = (
        np.array([x for x, _ in pairs]),
        np.array([1.0 if y else -1.0 for _, y in pairs]),
    )
    found = minimize(lambda p: np.logaddexp(0, -right * (p[0] * score + p[1])).mean(), [1.0, 0.0])
    return [round(float(value), 3) for value in found.x]


def amounts(items: Sequence[Item]) -> list[tuple[float, bool]]:
    """For each question for a number the raw score of the best quantity and whether it is right."""
    from pincite.quantity import parse

    pairs = []
    for item in items:
        gold, ask = parse(item.golds[0]) if item.golds else None, understand(item.query)
        if gold is not None and ask.expects == "number":
            found = prose.read_numbers(ask, *match(ask.text, item.passages))
            if found and isinstance(found[0].value, Quantity):
                pairs.append((found[0].score, found[0].value.amount == gold.amount))
    return pairs


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("--write", action="store_true")
    given_args = parser.parse_args()
    items = [*given(given_args.data)]
    for name in ("wattbot", "uda"):
        items += searched(given_args.data, given_args.work, name)
    rows = [made for item in items if (made := proposed(item)) is not None]
    names = sorted(
        {*PRIOR, *(name for one in rows for features in one.features for name in features)}
    )
    groups = sorted({one.item.group for one in rows})
    random.Random(0).shuffle(groups)
    fold = {group: at % FOLDS for at, group in enumerate(groups)}
    right: dict[str, list[bool]] = defaultdict(list)
    scored: list[tuple[float, bool]] = []
    for held in range(FOLDS):
        weights = fit([one for one in rows if fold[one.item.group] != held], names)
        for one, score, f1 in picked(
            [one for one in rows if fold[one.item.group] == held], names, weights
        ):
            right[one.item.name].append(f1 >= 0.5)
            scored.append((score, f1 >= 0.5))
    for name, values in sorted(right.items()):
        print(f"{name}: {np.mean(values):.3f} of {len(values)}")
    if given_args.write:
        weights = fit(rows, names)
        path = Path(spans.__file__).parents[1] / "data" / "reader.json"
        kept = json.loads(path.read_text(encoding="utf-8"))
        kept["spans"] = {
            name: round(float(w), 3)
            for name, w in zip(names, weights, strict=True)
            if abs(w) >= 0.02
        }
        kept["likelihood"] |= {"spans": curve(scored), "numbers": curve(amounts(items))}
        path.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
