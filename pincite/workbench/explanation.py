"""How an answer came about: the plan, the pages found, what each model was shown and said, what each stage took."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from pincite.models.model_settings import ROLES
from pincite.models.recording_model import Overheard
from pincite.ports import Completion, Kit, Prompt
from pincite.search.named_documents import routing
from pincite.stage import watched
from pincite.storage.ledger import metered
from pincite.types import Outcome, Plan, Query, Ranking, Span
from pincite.workbench.library import Library


def overheard(kit: Kit) -> dict[str, Overheard]:
    """The models of a kit by role, their calls kept."""
    return {role: Overheard(model) for role in ROLES if (model := getattr(kit, role)) is not None}


def explained(
    library: Library, query: Query, heard: Mapping[str, Overheard]
) -> tuple[Outcome, dict[str, Any]]:
    """Answer a question, and all that there is to tell of it, as JSON; `heard` are the models of the library's kit."""
    plans: list[Plan] = []
    rankings: dict[Query, Ranking] = {}

    def see(what: str | Span, made: Any) -> None:
        if isinstance(made, Plan):
            plans.append(made)
        elif isinstance(made, Ranking):
            rankings[made.query] = made  # the last of a query is what was read

    with watched(see), metered() as meter:
        outcome = library.outcome(query)
    parts = plans[0].queries if plans else (query,)
    found: list[dict[str, Any]] = []
    for part in parts:
        hits = library.pages(rankings[part]) if part in rankings else []
        found += [{"question": part.text, **asdict(hit)} for hit in hits]
    calls = [_call(role, *call) for role, model in heard.items() for call in model.calls]
    total = meter.total
    return outcome, {
        "recipe": library.named,
        "plan": [{"question": part.text, "where": [[name, list(held)] for name, held in part.where]} for part in parts],
        "routed": [] if outcome.ranking is None else routing(library.corpus, query),
        "found": found,
        "shown": list({str(call): call for call in calls}.values()),  # what was asked again came from the cache
        "trace": list(map(_stage, outcome.trace)),
        "spent": {
            "requests": total.requests, "input": total.usage.input, "cached": total.usage.cached,
            "output": total.usage.output, "cost": str(total.cost), "seconds": round(total.seconds, 3),
        },
    }  # fmt: skip


def _stage(span: Span) -> dict[str, Any]:
    return {
        "stage": span.stage, "given": span.given, "made": span.made, "seconds": round(span.seconds, 4),
        "input": span.usage.input, "output": span.usage.output, "cost": str(span.cost), "notes": list(span.notes),
    }  # fmt: skip


def _call(role: str, prompt: Prompt, form: str, made: Completion[Any]) -> dict[str, Any]:
    return {
        "role": role, "form": form, "question": prompt.question, "pieces": list(prompt.context[: made.shown]),
        "system": "\n\n".join((prompt.system, *prompt.examples)), "reply": made.text, "requests": made.asked,
    }  # fmt: skip
