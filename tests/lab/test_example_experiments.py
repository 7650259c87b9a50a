"""The example experiments: each is read, its recipes and parameters exist, a dry run says what it needs, and some are run."""

from dataclasses import replace

import pytest

from pincite.corpus import Corpus
from pincite.lab.experiments.experiment import CorpusOf, read_examples, read_experiment
from pincite.lab.experiments.forecast import forecast
from pincite.lab.experiments.laboratory import opened, run_experiment
from pincite.lab.experiments.parameter_space import read_space
from pincite.lab.scoring.set_rules import rule_of
from pincite.ports import Kit
from pincite.settings import Settings
from tests.conftest import EXAMPLES
from tests.stand_ins.fakes import HashEncoder

FOLDER = EXAMPLES / "experiments"
FILES = sorted(FOLDER.glob("*.yaml"))
SPACES = [path for path in FILES if "\nspace:" in path.read_text()]
EXPERIMENTS = [path for path in FILES if path not in SPACES]
NEEDS = {"hero-table-13-prompts", "hero-figure-5-models", "enrichindex-figure-2-subsets"}
"""The files that say that they need a model."""
KIT = Kit(HashEncoder())


def named(path):
    return path.stem


def over(path, folder):
    """An experiment over a corpus that is there already, in the place of the one that it would make."""
    made = read_experiment(path)
    trials = [
        replace(trial, questions=replace(trial.questions, corpus=CorpusOf("examples", folder)))
        for trial in made.trials
    ]
    return replace(made, trials=tuple(trials))


@pytest.fixture(scope="module")
def corpus(example_corpus, tmp_path_factory):
    import shutil

    return shutil.copytree(example_corpus, tmp_path_factory.mktemp("experiments") / "corpus")


def test_there_is_a_file_for_each_table():
    said = " ".join(path.stem for path in FILES)
    for table in ("09", "10", "11", "12", "13", "14", "15"):
        assert f"hero-table-{table}-" in said
    for part in ("5.1", "5.2", "5.3", "5.4", "e.2", "figure-2", "table-7", "erc-winner"):
        assert part in said
    assert all(path.stem in (FOLDER / "README.md").read_text() for path in FILES)


@pytest.mark.parametrize("path", EXPERIMENTS, ids=named)
def test_a_file_is_read_and_says_what_it_needs(path):
    made = read_experiment(path)
    head = path.read_text().split("corpora:")[0]
    assert ("# Needs " in head) == (path.stem in NEEDS)
    assert ("# Runs as it stands" in head) == (path.stem not in NEEDS)
    (folder,) = {path for trial in made.trials for path in trial.questions.corpus.paths}
    assert folder.resolve() == EXAMPLES / "files"
    for questions in {trial.questions.name: trial.questions for trial in made.trials}.values():
        assert questions.read()


@pytest.mark.parametrize("path", SPACES, ids=named)
def test_a_space_is_read(path):
    made = read_space(path)
    assert [one.name for one in made.sets] == ["examples", "tables"] and made.made(plain=0.5, dense=0.1)  # fmt: skip


def test_the_questions_have_gold_that_is_there(corpus):
    held = {document.id: document.pages for document in Corpus(corpus).documents}
    for name in ("questions", "tables", "documents"):
        for example in read_examples(FOLDER / f"{name}.jsonl"):
            gold = example.meta["gold"]
            assert rule_of(gold) == "typed"
            for place in gold["evidence"]:
                assert 1 <= place["page"] <= held[place["doc_id"]]


@pytest.mark.parametrize("path", EXPERIMENTS, ids=named)
def test_a_dry_run_says_what_each_run_lacks(path, corpus, tmp_path):
    with opened(over(path, corpus), tmp_path, Settings(), KIT) as laboratory:
        runs = forecast(laboratory)
    lacking = [run for run in runs if run.lacks]
    assert len(runs) == len(laboratory.experiment.trials) and all(run.questions for run in runs)
    match path.stem:
        case "hero-table-13-prompts":
            assert len(lacking) == len(runs) and all("large" in run.lacks for run in lacking)
        case "enrichindex-figure-2-subsets":  # the text alone needs nothing
            assert len(lacking) == 14 and all("pincite enrich" in run.lacks for run in lacking)
        case "hero-figure-5-models":
            assert not lacking and all(run.high.calls >= 12 for run in runs)
        case _:
            assert not lacking


@pytest.mark.parametrize("name", ["hero-table-12-reranking", "multi-domain-table-5.3-fusion"])
def test_files_run_as_they_stand(name, corpus, tmp_path):
    experiment = over(FOLDER / f"{name}.yaml", corpus)
    outcome = run_experiment(experiment, tmp_path, Settings(), KIT)
    assert not outcome.failed and len(outcome.runs) == len(experiment.trials)
