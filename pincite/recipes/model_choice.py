"""Where a recipe's models come from: the kit, the settings, or stand-ins."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, get_args

from pincite.corpus import Corpus, writing
from pincite.errors import NamedModelMissing, UsageError
from pincite.formats.spell import spell
from pincite.models.model_settings import ModelSettings
from pincite.models.standin import StandInScorer
from pincite.ports import Encoder, Kit, Model, PairScorer, Role
from pincite.recipes.base import Recipe
from pincite.settings import Settings

BUILT_IN = "built-in"
"""The name that stands for the kit's own encoder, and for its cosines in the place of a cross-encoder."""

ROLES = get_args(Role)
SCORERS = ("scorer", "weigher")
"""Fields of recipes that name a cross-encoder; every other name in `needs` that is no role is a field for an encoder."""


def equipped(
    kit: Kit, recipe: Recipe, settings: ModelSettings, folder: Path | str | None = None
) -> Kit:
    """The kit with the encoders and cross-encoders that a recipe names, as far as they can be known.

    The models whose readings vote are asked where the large model is. Another name is looked up in the settings
    ([models.encoders], [models.scorers]), or says itself what it is, as in "hf:BAAI/bge-m3@COMMIT" (`models.named`). Nothing is
    loaded or asked; endpoints are booked in the ledger of `folder`.
    """
    encoders, scorers, readers = dict(kit.encoders), dict(kit.scorers), dict(kit.readers)
    for need in recipe.needed:
        if need in ROLES or at_hand(recipe, need, kit):
            continue
        from pincite.models import model_names as named
        from pincite.models.kit import ledger_of

        name = getattr(recipe, need)
        scores = need in SCORERS
        text = (settings.scorers if scores else settings.encoders).get(name, name)
        if _kind(text) not in map(_kind, named.SCORERS if scores else named.ENCODERS):
            continue
        ledger = ledger_of(settings, folder)
        if scores:
            scorers[name] = named.named_scorer(text, settings, ledger)
        else:
            encoders[name] = named.named_encoder(text, settings, ledger)
    for name in recipe.voters:
        if name not in (*ROLES, *readers) and settings.large:
            from pincite.models.kit import kit_of

            readers[name] = kit_of(replace(settings, large=name), folder).model("large")
    return replace(kit, encoders=encoders, scorers=scorers, readers=readers)


def _kind(text: str) -> str:
    return text.partition("?")[0].partition(":")[0]


def encoder(kit: Kit, name: str, parameter: str = "encoder") -> Encoder:
    """The encoder of this name; NamedModelMissing when the kit has none and nothing may stand in."""
    if name in (BUILT_IN, kit.encoder.name):
        return kit.encoder
    if name in kit.encoders:
        return kit.encoders[name]
    if not kit.stand_ins:
        raise NamedModelMissing("encoder", name, parameter)
    return kit.encoder


def scorer(kit: Kit, name: str, parameter: str = "scorer") -> PairScorer:
    """The cross-encoder of this name; NamedModelMissing when the kit has none and nothing may stand in."""
    if name == BUILT_IN and kit.scorer is not None:
        return kit.scorer
    if name in kit.scorers:
        return kit.scorers[name]
    if name != BUILT_IN and not kit.stand_ins:
        raise NamedModelMissing("scorer", name, parameter)
    return StandInScorer(kit.encoder)


def reader(kit: Kit, name: str) -> Model:
    """The model of this role or name that reads; ModelMissing when the kit has none of the role, UsageError of the name."""
    role = next((known for known in ROLES if known == name), None)
    if role is not None or kit.large is None:
        return kit.model(role or "large")
    if name not in kit.readers:
        raise UsageError(
            f"the model {name!r} cannot be asked: give a role ({', '.join(ROLES)}) or, where `large` is set under [models], the "
            "name of a model of its endpoint"
        )
    return kit.readers[name]


def at_hand(recipe: Recipe, need: str, kit: Kit) -> bool:
    """Whether the kit has one of the models that a recipe needs."""
    if need in ROLES:
        return getattr(kit, need) is not None
    held = kit.scorers if need in SCORERS else (kit.encoder.name, *kit.encoders)
    return getattr(recipe, need) in (BUILT_IN, *held)


def replaced(recipe: Recipe, kit: Kit) -> tuple[str, ...]:
    """What takes the place of what, for a recipe with this kit: nothing unless the kit allows it."""
    if not kit.stand_ins:
        return ()
    instead = dict.fromkeys(("judge", *SCORERS), f"cosines of {kit.encoder.name}")
    instead |= {"large": "the reader without a model", **recipe.instead}
    return tuple(
        f"{instead.get(need, kit.encoder.name)} for "
        f"{f'the {need} model' if need in ROLES else getattr(recipe, need)}"
        for need in recipe.needed
        if not at_hand(recipe, need, kit)
    )


@dataclass(frozen=True, slots=True)
class NamedModel:
    """A model of which only the name is known: what a pipeline is spelled with before there is one."""

    name: str

    def spelled(self) -> str:
        """The name alone."""
        return self.name


def named_kit(recipe: Recipe) -> Kit:
    """Every model that a recipe asks for, under its name or role."""
    models: dict[str, Any] = {"encoders": {}, "scorers": {}, "readers": {}}
    roles: dict[str, Any] = {}
    for need in recipe.needed:
        if need in ROLES:
            roles[need] = NamedModel(need)
        else:
            name = getattr(recipe, need)
            models["scorers" if need in SCORERS else "encoders"][name] = NamedModel(name)
    for name in recipe.voters:
        models["readers"][name] = NamedModel(name)
        roles.setdefault("large", NamedModel("large"))
    built_in: Any = NamedModel(BUILT_IN)
    return Kit(built_in, **models, **roles)


def spelled_pipeline(recipe: Recipe, settings: Settings) -> str:
    """The pipeline of a recipe as one line, as it is for a corpus with databases, with every model under its name or role."""
    kit = named_kit(recipe)
    with TemporaryDirectory() as folder:
        with writing(folder):  # makes a corpus that holds nothing
            pass
        with closing(Corpus(folder)) as corpus:
            pipeline = recipe.pipeline(corpus, kit, settings)
            return spell(replace(pipeline, rows=recipe.from_rows(corpus, kit, settings)))


def judge(kit: Kit, pages: int) -> PairScorer:
    """The model that judges `pages` texts in each call; the kit's cosines where that is missing and something may stand in."""
    if standing_in(kit, "judge"):
        return StandInScorer(kit.encoder)
    from pincite.generate.page_judge import Judged

    return Judged(kit.model("judge"), pages)


def standing_in(kit: Kit, role: str) -> bool:
    """Whether a model is missing and what works without it may take its place."""
    return kit.stand_ins and getattr(kit, role) is None
