"""The page on the laboratory: its files are read as they stand, and its table names every key."""

import re
from pathlib import Path

from pincite.lab.experiments import experiment
from pincite.lab.experiments.experiment import read_experiment
from pincite.lab.experiments.parameter_space import read_space

PAGE = (Path(__file__).parent.parent.parent / "docs" / "laboratory" / "laboratory.md").read_text(
    encoding="utf-8"
)
FIRST, WHOLE, SPACE = re.findall(r"```yaml[^\n]*\n(.*?)```", PAGE, re.S)


def test_the_files_of_the_page_are_read(tmp_path):
    path = tmp_path / "lab.yaml"
    path.write_text(FIRST)
    assert [trial.name for trial in read_experiment(path).trials] == ["reports-default", "reports-bm25"]  # fmt: skip
    path.write_text(WHOLE)
    made = read_experiment(path)
    assert len(made.trials) == 4 * 7 * 3 and made.mean == "set"
    assert made.trials[0].name == "own-default-small"
    path.write_text(SPACE)
    assert set(read_space(path).tried) == {"plain", "dense"}


def test_every_key_of_an_experiment_is_explained():
    rows = re.findall(r"^\| (`.*?) \|", PAGE, re.M)
    explained = {name for row in rows for name in re.findall(r"`([a-z-]+)`", row)}
    assert set(experiment._TOP) <= explained
