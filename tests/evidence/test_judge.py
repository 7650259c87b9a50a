"""The shipped judge: what it prefers, what it promises of its verdicts, and how a damaged file is told."""

import hashlib
from dataclasses import replace
from importlib import resources

import numpy as np
import pytest

from pincite.errors import PinciteError
from pincite.evidence import judge
from pincite.evidence.judge import Judge, likelihood
from pincite.evidence.judge_input import CellPlace, SentencePlace
from pincite.models import shipped
from pincite.models.encoder import tokenizer

QUESTION = "What was the company's net income in 2019?"
INCOME = CellPlace(
    ("Net income",), ("2019",), "315,652", "Statement of income", ("2018: 300,111",)
)
EARLIER = replace(INCOME, column=("2018",), value="300,111", neighbours=("2019: 315,652",))
SALES = replace(INCOME, row=("Net sales",), value="915,652", neighbours=("2018: 800,111",))


@pytest.fixture
def fresh():
    judge._load.cache_clear()
    judge._odds.cache_clear()
    yield
    judge._load.cache_clear()
    judge._odds.cache_clear()


def test_the_right_cell_is_likelier_than_its_neighbours():
    right, earlier, sales = Judge().odds(QUESTION, [INCOME, EARLIER, SALES])
    assert right > max(earlier, sales) + 2


def test_the_number_that_a_sentence_means_is_likelier_than_another_one_of_it():
    text = "At the end of 2021 we had 4,310 employees in 27 countries."
    people, countries = (
        SentencePlace("People", text, text.index(one), text.index(one) + len(one))
        for one in ("4,310", "27")
    )
    asked = Judge().odds(
        "How many employees did the company have at the end of 2021?", [people, countries]
    )
    assert asked[0] > asked[1]


def test_a_verdict_depends_on_its_question_and_place_alone(fresh):
    together = Judge(threads=3).odds(QUESTION, [INCOME, EARLIER, SALES])
    judge._odds.cache_clear()
    for place, odds in zip((INCOME, EARLIER, SALES), together, strict=True):
        assert Judge(threads=1).odds(QUESTION, [place])[0] == odds


def test_nothing_in_nothing_out():
    made = Judge().odds(QUESTION, [])
    assert made.shape == (0,)
    assert made.dtype == np.float32


def test_half_a_pair_of_surrogates_is_read():
    assert np.isfinite(Judge().odds("What \ud800?", [replace(INCOME, value="\udfff 3")])).all()


@pytest.mark.parametrize(
    ("odds", "chance"), [(0.0, 0.5), (2.0, 0.880797), (-2.0, 0.119203), (1e9, 1.0)]
)
def test_log_odds_as_a_chance(odds, chance):
    assert likelihood(odds) == pytest.approx(chance, abs=1e-6)


def test_the_file_is_the_one_that_the_source_note_names():
    folder = resources.files("pincite") / "data" / "judge"
    assert hashlib.sha256((folder / "model.onnx").read_bytes()).hexdigest() == judge.MODEL
    assert f"`model.onnx` {judge.MODEL}" in (folder / "SOURCE.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("damage", ["missing", "one byte changed"])
def test_damage_is_told_with_the_way_out(monkeypatch, tmp_path, fresh, damage):
    tokenizer()  # whose file is another
    copy = tmp_path / "data" / "judge"
    copy.mkdir(parents=True)
    if damage != "missing":
        content = (resources.files("pincite") / "data" / "judge" / "model.onnx").read_bytes()
        (copy / "model.onnx").write_bytes(content[:-9] + bytes([content[-9] ^ 1]) + content[-8:])
    monkeypatch.setattr(shipped.resources, "files", lambda package: tmp_path)
    with pytest.raises(
        PinciteError,
        match=r"model\.onnx.*(cannot be read|is damaged).*pip install --force-reinstall",
    ):
        Judge().odds(QUESTION, [INCOME])
