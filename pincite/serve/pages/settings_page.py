"""Settings: how strictly questions are answered and by which model, got and tested here; the prompts to read."""

from __future__ import annotations

import asyncio
from typing import Annotated, Literal

from fastapi import APIRouter, Form
from starlette.responses import Response

from pincite.errors import ModelMissing, PinciteError
from pincite.generate import line_prompts, prompts, rule_sentences
from pincite.models.extras import has_engine
from pincite.models.local.getting import remove
from pincite.models.local.weights import LOCAL, Weights, all_weights, weights, weights_here
from pincite.serve import templating as views
from pincite.serve.bench import Changing, Making, Reading, Visit
from pincite.serve.corpora import AnswerRules
from pincite.serve.door.problems import Problem
from pincite.settings import Settings
from pincite.text.lexicon import data_table
from pincite.workbench.model_checks import checks_of

router = APIRouter(include_in_schema=False)


@router.get("/c/{corpus}/settings")
async def shown(visit: Reading) -> Response:
    """The settings of this corpus as it is served."""
    return _page(visit)


@router.post("/c/{corpus}/settings")
async def change(
    visit: Changing,
    threshold: Annotated[float, Form(ge=0, le=100)],
    derived: Annotated[Literal["allow", "forbid"], Form()],
    silence: Annotated[Literal["na", "no"], Form()],
) -> Response:
    """Change how strictly questions are answered: the threshold in percent."""
    visit.request.state.on = f"threshold {threshold:g}%, derived {derived}, silence {silence}"
    rules = AnswerRules(threshold=threshold / 100, derived=derived, silence=silence)
    return await _answered_by(visit, rules, "answers")


async def _answered_by(visit: Visit, rules: AnswerRules, part: str) -> Response:
    await asyncio.to_thread(visit.served.answer_by, rules)
    visit.bench.asking.forget(visit.served.name)
    return visit.go(f"settings#{part}")


@router.post("/c/{corpus}/settings/model")
async def choose(visit: Changing, model: Annotated[str, Form(max_length=200)] = "") -> Response:
    """Answer with a model of this machine from now on, or without one. Problem 422 for one that is not here."""
    visit.request.state.on = f"model {model[:80]}"
    if model:
        try:
            model = f"{LOCAL}{weights_here(model).name}"
        except ModelMissing as error:
            raise Problem(422, str(error)) from error
    return await _answered_by(visit, {"model": model}, "models")


@router.post("/c/{corpus}/settings/models/get")
async def fetch(
    visit: Changing, person: Making, model: Annotated[str, Form(max_length=200)]
) -> Response:
    """Begin to bring the file of a model to this machine. Problem 422 for one that nobody knows."""
    found = weights(model)
    job = visit.start("model", f"Get {found.name}", {"model": found.name})
    return visit.go(f"jobs/{job.id}")


@router.post("/c/{corpus}/settings/models/remove")
async def discard(
    visit: Changing, person: Making, model: Annotated[str, Form(max_length=200)]
) -> Response:
    """Delete the file of a model. Problem 422 for one that nobody knows or that answers."""
    visit.request.state.on = f"model {model[:80]}"
    found = weights(model)
    corpora = visit.bench.corpora.items()
    used = ", ".join(name for name, held in corpora if _answers(held.setup.settings, found))
    if used:
        why = f"the model {found.name} answers {used}: choose another one there first"
        raise Problem(422, why)
    await asyncio.to_thread(remove, found)
    return visit.go("settings#models")


def _answers(settings: Settings, weights: Weights) -> bool:
    return f"{LOCAL}{weights.name}" in settings.models.names.values()


@router.post("/c/{corpus}/settings/test")
async def test(visit: Changing) -> Response:
    """Ask every model that is set something small, which may cost a little, and tell what it said."""
    return _page(visit, await asyncio.to_thread(_test_models, visit.served.setup.settings))


def _test_models(settings: Settings) -> list[tuple[str, bool, str]]:
    found = []
    checks = checks_of(settings.models) if settings.models.names else {}
    for name, check in checks.items():
        try:
            found.append((name, True, check()))
        except PinciteError as error:
            found.append((name, False, str(error)))
    return found


def _page(visit: Visit, tested: list[tuple[str, bool, str]] | None = None) -> Response:
    settings = visit.served.setup.settings
    words = data_table("words/serve")["settings"]
    values = [(name, getattr(settings, name), said) for name, said in words.items()]
    local = [(one, _answers(settings, one)) for one in all_weights().values()]
    return views.corpus_page(
        visit, "settings.html", settings=settings, values=values, tested=tested, prompts=_prompts(), local=local,
        has_engine=has_engine(),
    )  # fmt: skip


def _prompts() -> list[tuple[str, str]]:
    """What models are told, by the task: the words that stay the same whatever is asked."""
    question = "What was the revenue in 2023?"
    return [
        ("Read pages and answer", line_prompts.RULES),
        ("Answer strictly", rule_sentences.STRICT),
        ("Say a question in other words", prompts.rephrasing(question, 3).system),
        ("Split a question", prompts.parting(question, ["A", "B"]).system),
        ("Make a follow-up whole", prompts.condensing(question, ["…"]).system),
        ("Judge whether pages answer", prompts.judging(question, ["…"]).system),
        ("Explain an answer", prompts.speaking(question, "…", ["…"]).system),
    ]
