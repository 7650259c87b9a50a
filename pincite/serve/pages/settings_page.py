"""Settings: what answers and how strictly, the models tested as they are, the prompts to read."""

from __future__ import annotations

import asyncio
from typing import Annotated, Literal

from fastapi import APIRouter, Form
from starlette.responses import RedirectResponse, Response

from pincite.errors import PinciteError
from pincite.generate import line_prompts, prompts, rule_sentences
from pincite.serve import templating as views
from pincite.serve.bench import Changing, Reading, Visit
from pincite.serve.corpora import AnswerRules
from pincite.settings import Settings
from pincite.workbench.model_checks import checks_of

router = APIRouter(include_in_schema=False)
TOLD = {
    "threshold": "confidence below which an answer is refused", "derived": "whether code may compute a value",
    "silence": "what a yes/no question gets when the text is silent", "pages": "pages read for a question",
    "row_limit": "rows up to which a table of a database is indexed row by row",
    "ocr": "whether pages without text are read as pictures",
    "ocr_engine": "by which engine", "ocr_languages": "in which languages", "terms": "how literally a model takes terms",
    "proxy": "whether a near figure may stand for the one asked for", "other_unit": "what happens to a value in another unit",
    "doubt": "what a model says in doubt", "rules": "set of rules for the last four", "forms": "forms that a model fills in",
    "units": "file of further units",
}  # fmt: skip
"""The settings that are shown, with what each says."""


@router.get("/c/{corpus}/settings")
async def shown(visit: Reading) -> Response:
    """The settings of this corpus as it is served."""
    return _page(visit)


@router.post("/c/{corpus}/settings")
async def change(
    visit: Changing,
    threshold: Annotated[float, Form(ge=0, le=1)],
    derived: Annotated[Literal["allow", "forbid"], Form()],
    silence: Annotated[Literal["na", "no"], Form()],
) -> Response:
    """Change how strictly questions are answered."""
    rules = AnswerRules(threshold=threshold, derived=derived, silence=silence)
    visit.request.state.on = f"threshold {threshold:g}, derived {derived}, silence {silence}"
    await asyncio.to_thread(visit.served.answer_by, rules)
    visit.bench.asking.forget(visit.served.name)
    return RedirectResponse(f"/c/{visit.served.name}/settings#answers", 303)


@router.post("/c/{corpus}/settings/test")
async def test(visit: Changing) -> Response:
    """Ask every model that is set something small, which may cost a little, and tell what it said."""
    models = visit.served.setup.settings.models
    return _page(
        visit,
        await asyncio.to_thread(_tested, visit.served.setup.settings) if models.names else [],
    )


def _tested(settings: Settings) -> list[tuple[str, bool, str]]:
    found = []
    for name, check in checks_of(settings.models).items():
        try:
            found.append((name, True, check()))
        except PinciteError as error:
            found.append((name, False, str(error)))
    return found


def _page(visit: Visit, tested: list[tuple[str, bool, str]] | None = None) -> Response:
    settings = visit.served.setup.settings
    values = [(name, getattr(settings, name), said) for name, said in TOLD.items()]
    return views.corpus_page(
        visit, "settings.html", settings=settings, values=values, tested=tested, prompts=_prompts()
    )


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
