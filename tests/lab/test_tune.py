"""Tuning: splits by document, spaces read, trials that repeat and resume, and the whole on the example reports."""

import pytest
import yaml

from pincite.cli.views.common import read_recipe
from pincite.corpus import Corpus
from pincite.errors import UsageError
from pincite.formats.spell import spell
from pincite.lab.experiments.document_split import groups, split
from pincite.lab.experiments.parameter_space import Range, Space, read_space
from pincite.lab.experiments.tuning import search, told, tune
from pincite.lab.testsets.generation import generated
from pincite.ports import Kit
from pincite.recipes import recipe
from pincite.recipes.default import Default
from pincite.records.runfile import write_lines
from pincite.settings import Settings
from pincite.types import Example, Query
from tests.stand_ins.fakes import HashEncoder


def example(key, *documents):
    return Example(key, Query("q"), meta={"gold": {"doc_ids": documents}})


# ---- splits


def test_questions_that_share_a_document_stay_together():
    one, two, three, four = (
        example("1", "a"),
        example("2", "b", "a"),
        example("3", "c"),
        example("4", "b"),
    )
    assert groups([one, two, three, four]) == [[one, two, four], [three]]


def test_a_split_is_by_document_and_repeats():
    some = [example(str(n), f"d{n // 5}") for n in range(50)]
    on, rest, by_document = split(some, 0.2, 0)
    assert by_document and len(on) == 10 and len(rest) == 40
    assert not {one.meta["gold"]["doc_ids"] for one in on} & {
        one.meta["gold"]["doc_ids"] for one in rest
    }
    assert split(some, 0.2, 0) == (on, rest, True)
    assert split(some, 0.2, 1)[0] != on


def test_questions_of_one_document_are_split_one_by_one():
    some = [example(str(n), "a") for n in range(10)]
    on, rest, by_document = split(some, 0.2, 0)
    assert (len(on), len(rest), by_document) == (2, 8, False)
    with pytest.raises(UsageError, match="cannot be split"):
        split(some[:1], 0.2, 0)


# ---- spaces


def space(tmp_path, text):
    path = tmp_path / "space.yaml"
    path.write_text(text)
    return read_space(path)


def test_a_space_says_what_is_tried(tmp_path):
    tried = (
        "  prefer: {low: 0, high: 9}\n  words: {low: 50, high: 300, log: true}\n  b: [0.4, 0.8]\n"
    )
    made = space(tmp_path, f"recipe: default\nset: {{k: 30}}\nspace:\n{tried}seed: 3\n")
    assert made == Space("default", {"k": 30}, {
        "prefer": Range(0, 9), "words": Range(50, 300, log=True, whole=True), "b": (0.4, 0.8),
    }, seed=3)  # fmt: skip
    assert made.made(prefer=2.0).prefer == 2.0 and made.made().k == 30


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("recipe: default\n", "space is needed"),
        ("recipe: nothing\nspace: {k: [1]}\n", "line 1.*no recipe"),
        ("recipe: default\nspace:\n  colour: [1]\n", "line 3.*no parameter"),
        ("recipe: default\nspace:\n  k: [many]\n", "line 3.*whole number"),
        ("recipe: default\nspace:\n  k: {low: 5}\n", "high is needed"),
        ("recipe: default\nspace:\n  k: {low: 5, high: 5}\n", "low must be below high"),
        ("recipe: default\nspace: {k: [5]}\nvalidation: 2\n", "share between 0 and 1"),
        ("recipe: default\nspace: {k: [5]}\nscope: some\n", "all or own"),
    ],
)
def test_what_is_wrong_with_a_space_is_said_with_its_line(tmp_path, text, said):
    with pytest.raises(UsageError, match=said):
        space(tmp_path, text)


# ---- trials

pytest.importorskip("optuna")
PREFER = Space("default", {}, {"prefer": Range(0, 9)})


def hill(recipe):
    return -((recipe.prefer - 2) ** 2)


def test_trials_repeat_and_begin_with_the_untuned_parameters(tmp_path):
    seen = []
    best = search(
        PREFER, lambda one: seen.append(one.prefer) or hill(one), 12, tmp_path / "a.sqlite", "s"
    )
    assert seen[0] == Default().prefer
    assert best[0] == max(-((one - 2) ** 2) for one in seen) and len(seen) == 12
    assert search(PREFER, hill, 12, tmp_path / "b.sqlite", "s") == best


def test_a_killed_search_goes_on_to_the_same_result(tmp_path):
    best = search(PREFER, hill, 15, tmp_path / "whole.sqlite", "s")
    for stop in (0, 7):
        seen = []

        def value(one, stop=stop, seen=seen):
            if len(seen) == stop:
                raise KeyboardInterrupt
            seen.append(one.prefer)
            return hill(one)

        storage = tmp_path / f"killed{stop}.sqlite"
        with pytest.raises(KeyboardInterrupt):
            search(PREFER, value, 15, storage, "s")
        rest = []
        assert (
            search(PREFER, lambda one, rest=rest: rest.append(one) or hill(one), 15, storage, "s")
            == best
        )
        assert len(rest) == 15 - stop
    assert (
        search(PREFER, lambda one: pytest.fail("made again"), 15, tmp_path / "whole.sqlite", "s")
        == best
    )


def test_what_a_recipe_refuses_counts_as_a_trial(tmp_path):
    def value(one):
        if one.prefer > 4:
            raise UsageError("too much")
        return hill(one)

    assert search(PREFER, value, 15, tmp_path / "a.sqlite", "s")[0] > -5
    with pytest.raises(UsageError, match="refuses all that was tried: never"):
        search(
            PREFER,
            lambda one: (_ for _ in ()).throw(UsageError("never")),
            3,
            tmp_path / "b.sqlite",
            "s",
        )


def test_the_lower_figure_wins_where_less_is_better(tmp_path):
    assert (
        search(PREFER, lambda one: one.prefer, 10, tmp_path / "a.sqlite", "s", low=True)[1][
            "prefer"
        ]
        < 2
    )


# ---- the whole


@pytest.fixture
def questions(fresh_corpus, tmp_path):
    from pincite.lab.experiments.experiment import read_examples

    rows = generated(Corpus(fresh_corpus), "tables", 24) + generated(
        Corpus(fresh_corpus), "documents", 8
    )
    write_lines(tmp_path / "questions.jsonl", rows)
    return read_examples(tmp_path / "questions.jsonl")


def test_a_recipe_is_tuned_and_reported_on_other_documents(fresh_corpus, questions, tmp_path):
    wanted = Space(
        "default", {"encoder": "built-in"}, {"prefer": Range(0, 9), "k1": (0.9, 1.2)}, measure="RR"
    )
    kit, before = Kit(HashEncoder()), set(Corpus(fresh_corpus).generation.shelves)
    sets = {"reports": (fresh_corpus, questions)}
    made = tune(wanted, sets, Settings(), kit, trials=3, kept=tmp_path / "out")
    assert made.tuned_on["reports"] < len(questions) and made.own == {}
    assert made.shared.figures[1] >= made.shared.figures[0]
    result = told(made, wanted)
    assert set(result["rest"]) == {
        "page RR",
        "page Success@1",
        "page Success@5",
        "page R@10",
        "page nDCG@10",
    }
    path = tmp_path / "tuned.yaml"
    path.write_text(yaml.safe_dump(result))
    assert read_recipe(str(path), None) == made.shared.recipe
    assert read_recipe(str(path), ["k=7"]).k == 7
    served = set(Corpus(fresh_corpus).generation.shelves)
    assert served == before | {
        spell(one) for one in made.shared.recipe.shelves(kit)
    }  # and none of what was tried besides


# ---- several sets


def test_one_choice_is_found_for_all_sets_and_one_for_each(
    fresh_corpus, questions, tmp_path, pincite, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PINCITE_CORPUS", raising=False)
    rows = (tmp_path / "questions.jsonl").read_text().splitlines(keepends=True)
    (tmp_path / "one.jsonl").write_text("".join(rows[:20]))
    (tmp_path / "two.jsonl").write_text("".join(rows[20:]))
    (tmp_path / "space.yaml").write_text(
        "recipe: bm25\nset: {indexes: hybrid}\nspace: {k1: [0.5, 1.5, 3.0], b: [0.1, 0.75]}\n"
        "stand-ins: true\nmeasure: RR\nmean: set\ncorpora: {reports: corpus}\n"
        "questions: {one: {from: one.jsonl, corpus: reports}, two: {from: two.jsonl, corpus: reports}}\n"
    )
    code, told_, said = pincite("tune", "space.yaml", "--trials", "4")
    assert code == 0, said
    assert "all sets, every set weighing alike: RR" in told_ and "\ntwo: RR" in told_
    made = yaml.safe_load((tmp_path / "space.tuned.yaml").read_text())
    assert read_recipe("space.tuned.yaml", None) == recipe("bm25", **made["parameters"])
    assert set(made["own"]) == {"one", "two"} and made["mean"] == "set"
    tuned = made["tuned_on"]
    # the shared choice is best in the mean, and no set does better with it than with its own
    assert tuned["shared"]["untuned"] == pytest.approx((tuned["one"]["untuned"] + tuned["two"]["untuned"]) / 2)  # fmt: skip
    assert tuned["shared"]["tuned"] <= (tuned["one"]["tuned"] + tuned["two"]["tuned"]) / 2 + 1e-9
    rest = made["rest"]
    for label in ("untuned", "shared", "own"):
        mean = (rest["one"]["page RR"][label] + rest["two"]["page RR"][label]) / 2
        assert rest["all sets"]["page RR"][label] == pytest.approx(mean)
    counts = {name: rows_["page RR"]["questions"] for name, rows_ in rest.items()}
    assert counts["all sets"] == counts["one"] + counts["two"] == 32 - sum(tuned["questions"].values())  # fmt: skip


def test_what_is_wrong_with_the_sets_of_a_space_is_said(tmp_path, pincite, monkeypatch):
    monkeypatch.delenv("PINCITE_CORPUS", raising=False)
    head = "recipe: bm25\nspace: {k1: [1, 2]}\ncorpora: {c: corpus}\n"
    with pytest.raises(UsageError, match="line 4: questions: give several sets here"):
        space(tmp_path, head + "questions: {a: {from: a.jsonl, corpus: c}}\n")
    path = tmp_path / "space.yaml"
    path.write_text("recipe: bm25\nspace: {k1: [1, 2]}\n")
    code, _, said = pincite("tune", path)
    assert code == 2 and "--corpus and --questions" in said
