"""Every recipe answers with a real small model: nothing fails, and what comes is an answer or says why there is none."""

from dataclasses import replace

import pytest

from pincite.indexing import ensure
from pincite.indexing.enrichment import enrich, tellers
from pincite.recipes import RECIPES, recipe
from pincite.settings import load
from pincite.workbench.library import Library, index
from tests.copied import unasked
from tests.real_models import SMALL

pytestmark = [pytest.mark.servers, pytest.mark.model, pytest.mark.usefixtures("small_model")]

ASKED = "What was the income tax expense of Halvorsen Maritime in 2023?"
ENERGY = "How much energy in Wh does a request to Fjord-1.3B need at 4 bit?"
REPLY = 300
"""Tokens of a reply: a model of this size may go on and on."""
FEW = {
    "kohaku": {"k": 3, "rephrasings": 2, "runs": 2, "widths": "1"},
    "judgerank": {"depth": 1, "read_pages": 2},
    "enterprise": {"chunks": 3, "pages_a_call": 1, "k": 2},
}
"""Parameters by which a recipe asks less often than it would."""
NAMES = [name for name in RECIPES if name != "enrich"]


def settings():
    own = load()
    return replace(own, pages=2, models=replace(own.models, max_tokens=REPLY))


def doubting():
    """The settings with which the default recipe has the model read whatever the reader without one finds."""
    return replace(settings(), threshold=1.0)


def answered(corpus, chosen, text, expects):
    """The outcome of a question, and the library that it was put to: with every index that the recipe searches."""
    chosen_settings = doubting() if chosen.name == "default" else settings()
    library = Library(corpus, chosen_settings, recipe=chosen, stand_ins=True)
    ensure(corpus, chosen.shelves(library.kit))
    library = Library(corpus, chosen_settings, recipe=chosen, stand_ins=True)
    return library.outcome(library.query(text, (), expects)), library


def is_told(outcome):
    """Whether there is an answer, or a reason why there is none."""
    answer = outcome.answer
    if answer.value is None:
        return bool(answer.reason)
    return bool(answer.citations) and answer.checks[0].verdict in ("supported", "computed")


def stages_of_the_model(outcome):
    """The names of the stages that asked the model or would have, as the trace has them."""
    return {span.stage.partition("(")[0] for span in outcome.trace if SMALL in span.stage}


@pytest.fixture(scope="module")
def corpus(example_corpus, tmp_path_factory):
    """The example reports, with the replies that one recipe got kept for the others."""
    return unasked(example_corpus, tmp_path_factory.mktemp("recipes") / "corpus")


@pytest.mark.parametrize("name", NAMES)
def test_every_recipe_answers_or_says_why_not(corpus, name):
    outcome, library = answered(corpus, recipe(name, **FEW.get(name, {})), ASKED, "number")
    assert is_told(outcome)
    assert stages_of_the_model(outcome)
    assert not any("the reader without a model" in said for said in library.stand_ins)
    assert library.kit.large.ledger.rows("model")[0].model == SMALL


def test_what_the_model_tells_of_pages_is_searched(examples, tmp_path):
    index(examples / "files" / "brandt-2024-inference-energy.pdf", tmp_path / "corpus")
    chosen = recipe("enrich", expand=True)
    kit = Library(tmp_path / "corpus", settings(), recipe=chosen, stand_ins=True).kit
    told = enrich(tmp_path / "corpus", tellers(kit, ["purpose"], "small"))
    assert (dict(told.told), told.failed) == ({"purpose": 2}, ())
    outcome, _ = answered(tmp_path / "corpus", chosen, ENERGY, "number")
    assert is_told(outcome)
    assert stages_of_the_model(outcome) >= {"SummedSimilarity", "ReadLines"}
