"""Several sets of questions: figures by set and in the mean that an experiment's file says, worked out by hand."""

import pytest
from typer.testing import CliRunner

from pincite.cli.main import app
from pincite.lab.comparison.comparison import compare
from pincite.lab.comparison.over_sets import joined_over_sets, lacking, set_tables
from pincite.lab.experiments.finished_runs import read_run_folder
from pincite.lab.scoring.measures import measure
from tests.lab.made_runs import hit, write

PAGED = [
    {"id": "1", "question": "One?", "doc_ids": ["a.pdf"], "evidence_pages": [1]},
    {"id": "2", "question": "Two?", "doc_ids": ["a.pdf"], "evidence_pages": [2]},
    {"id": "3", "question": "Three?", "doc_ids": ["a.pdf"], "evidence_pages": [3]},
]
JUDGED = [{"id": "1", "question": "Other?", "qrels": {"x": 2, "y": 1}}]


def found(*ranked):
    """Hits of questions 1, 2, 3 ...: (document, page) each, best first."""
    return {
        "hits": {
            str(number): [hit(document, page, 1 - place / 10) for place, (document, page) in enumerate(row)]
            for number, row in enumerate(ranked, 1)
        }
    }  # fmt: skip


def pages(*numbers):
    return [("a.pdf", number) for number in numbers]


@pytest.fixture
def four(tmp_path):
    """Two variants over two sets: RR of `plain` is 1, 1/2, 0 in one and 1/2 in the other, of `new` 1, 1, 1 and 0."""

    def made(mean="question"):
        told = {"mean": mean}
        folders = [
            write(tmp_path, "paged-plain", found(pages(1), pages(9, 2), pages(8)), golds=PAGED,
                  answers=False, set="paged", variant="plain", **told),
            write(tmp_path, "paged-new", found(pages(1), pages(2), pages(3)), golds=PAGED,
                  answers=False, set="paged", variant="new", **told),
            write(tmp_path, "judged-plain", found([("z", 1), ("y", 1)]), golds=JUDGED,
                  answers=False, set="judged", variant="plain", **told),
            write(tmp_path, "judged-new", found([("z", 1)]), golds=JUDGED,
                  answers=False, set="judged", variant="new", **told),
        ]  # fmt: skip
        return [read_run_folder(folder) for folder in folders]

    return made


def test_runs_of_a_variant_become_one_over_all_sets(four):
    plain, new = joined_over_sets(four())
    assert (plain.name, new.name) == ("plain", "new")
    assert list(plain.golds) == ["paged/1", "paged/2", "paged/3", "judged/1"]
    rr = measure("RR", "own")
    assert [rr.of(plain, key)[0] for key in plain.golds] == [
        1,
        0.5,
        0,
        0.5,
    ]  # pages, then documents


@pytest.mark.parametrize(
    ("mean", "plain", "new"),
    [("question", (1 + 0.5 + 0 + 0.5) / 4, 3 / 4), ("set", (0.5 + 0.5) / 2, (1 + 0) / 2)],
)
def test_the_mean_weighs_questions_or_sets_alike(four, mean, plain, new):
    made = compare(joined_over_sets(four(mean)), ["RR"], samples=500)
    (whole,) = made.under("all questions")
    assert [value.value for value in whole.values] == pytest.approx([plain, new])
    assert whole.differences[0].value == pytest.approx(new - plain)
    parts = {
        line.part: [value.value for value in line.values] for line in made.under("question set")
    }
    assert parts == {"paged": pytest.approx([0.5, 1]), "judged": pytest.approx([0.5, 0])}


def test_samples_are_drawn_within_sets_where_they_weigh_alike(four):
    made = compare(joined_over_sets(four("set")), ["RR"], samples=500)
    (whole,) = made.under("all questions")
    # `new` is 1 on every question of one set and 0 on the other: no sample within sets can change its mean
    assert (whole.values[1].low, whole.values[1].high) == (0.5, 0.5)


def test_the_tables_of_an_experiment(four):
    runs = four()
    hit, rank, gain, *_ = set_tables(runs, "set")
    assert (hit.measure.name, rank.measure.name) == ("Success@10", "RR")
    assert rank.rows[0].by_set == {"paged": 0.5, "judged": 0.5} and hit.rows[1].mean == 0.5
    assert gain.measure.name == "nDCG@10" and gain.sets == ("paged", "judged")
    plain, new = gain.rows
    ideal = 2 / 1 + 1 / 1.584962500721156  # grades 2 and 1 at ranks 1 and 2
    judged = (1 / 1.584962500721156) / ideal
    paged = (1 + 1 / 1.584962500721156 + 0) / 3
    assert plain.by_set == {"paged": pytest.approx(paged), "judged": pytest.approx(judged)}
    assert plain.mean == pytest.approx((paged + judged) / 2) and new.mean == 0.5
    _, _, gain, *_ = set_tables(runs, "question")
    assert gain.rows[0].mean == pytest.approx((3 * paged + judged) / 4)


def test_a_set_that_one_variant_lacks_is_left_out_and_named(four, tmp_path):
    runs = joined_over_sets(four()[:3])
    assert lacking(runs) == {"new": ["judged"]}
    assert list(compare(runs, ["RR"], samples=100).ids) == ["paged/1", "paged/2", "paged/3"]
    folders = [str(tmp_path / name) for name in ("paged-plain", "paged-new", "judged-plain")]
    done = CliRunner().invoke(app, ["compare", *folders])
    assert done.exit_code == 0 and "new was not run over judged" in done.stderr


def test_compare_prints_the_sets_and_writes_the_judgements_of_each(four, tmp_path):
    folders = [f"{run.told['set']}-{run.told['variant']}" for run in four("set")]
    done = CliRunner().invoke(
        app, ["compare", *(str(tmp_path / one) for one in folders), "--trec", str(tmp_path / "t")]
    )
    assert done.exit_code == 0, done.output
    assert "all questions, every set weighing alike (4)" in done.stdout
    assert "question set: judged (1)" in done.stdout
    assert (tmp_path / "t" / "qrels-judged").read_text() == "1 0 x 2\n1 0 y 1\n"
