"""The models that an experiment compares, as its file names them: an axis beside recipes and their parameters.

    models:
      small: gpt-5-mini                                       # a model where the settings' own models are asked
      local: {base_url: "http://localhost:11434/v1", key: "", large: "llama3.3"}
      gemini: {provider: gemini, large: gemini-2.5-pro, judge: gemini-2.5-flash}
      none:                                                   # no model at all

A table is one of `[models]` in pincite.toml. It takes the place of the settings' models; their prices, limits, encoders and,
where it names no address of its own, their address hold on.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from pincite import consent
from pincite.errors import UsageError
from pincite.formats.yamlfile import Given, Place
from pincite.lab.experiments.environment import digest
from pincite.models.model_settings import ROLES, ModelSettings
from pincite.models.model_table import read_models
from pincite.settings import Settings, with_model
from pincite.workbench.library import Library

_ADDRESS = ("base_url", "key", "headers", "query", "extra_body")
_REPLIES = ("max_tokens", "temperature", "own_temperature", "reasoning_effort")


@dataclass(frozen=True, slots=True)
class ChosenModels:
    """Models under the name that runs have them by; `given` is what the file at `path` says.

    None stands for the models of the settings, a text for one of them by role or another by name, a table for `[models]`.
    """

    name: str = ""
    given: str | Mapping[str, Any] | None = field(default=None, hash=False)
    path: Path = field(default=Path(), compare=False)

    def settings(self, settings: Settings) -> Settings:
        """The settings with these models. Raises UsageError for a table that is none of `[models]`, ModelMissing for a role."""
        if self.given is None:
            return settings
        if isinstance(self.given, str):
            return with_model(settings, self.given)
        own = settings.models
        made = read_models({**_around(own, self.given), **self.given}, {}, self.path)
        kept = {
            each.name: getattr(own, each.name)
            for each in fields(ModelSettings)
            if each.name not in (*ROLES, "roles", *_ADDRESS, *_REPLIES, *self.given)
        }
        if "prices" in self.given:
            kept["prices"] = {**own.prices, **made.prices}
        return replace(settings, models=replace(made, **kept))

    def judging(self, settings: Settings) -> Settings:
        """The settings with these models as the judge of answers: a text names the judge."""
        if not isinstance(self.given, str):
            return self.settings(settings)
        named = settings.models.names.get(self.given, self.given)
        return replace(settings, models=replace(settings.models, judge=named))


OWN_MODELS = ChosenModels()
"""The models of the settings, which runs do not name."""


def _around(own: ModelSettings, given: Mapping[str, Any]) -> dict[str, Any]:
    """What the settings say of addresses and replies, as a table; no address where the experiment has one of its own."""
    names = _REPLIES if {"provider", "base_url"} & given.keys() else (*_ADDRESS, *_REPLIES)
    around = {name: value for name in names if (value := getattr(own, name)) not in (None, (), "")}
    for name in {"headers", "query"} & around.keys():
        around[name] = dict(around[name])
    if "extra_body" in around:
        around["extra_body"] = json.loads(around["extra_body"])
    if "key" in names:
        around["key"] = own.key  # also where none is sent
    return around


def read_models_axis(given: Given, where: Place) -> tuple[ChosenModels, ...]:
    """The models of a file by name, those of the settings where it names none. Raises UsageError that names the line."""
    if given.at(where) is None:
        return (OWN_MODELS,)
    return tuple(chosen_models(given, (*where, name)) for name in given.table(where))


def chosen_models(given: Given, where: Place) -> ChosenModels:
    """The models that stand at one place of a file."""
    found = given.at(where)
    if isinstance(found, str) and found.strip():
        return ChosenModels(str(where[-1]), found.strip(), given.path)
    if found is not None and not isinstance(found, dict):
        raise given.wrong(
            where,
            f"a model's name, a table as [models] has it, or nothing is needed, not {found!r}",
        )
    made = ChosenModels(str(where[-1]), found or {}, given.path)
    try:
        made.settings(Settings())
    except UsageError as error:
        raise given.wrong(where, str(error).removeprefix(f"{given.path}: ")) from None
    return made


def check_consent(
    chosen: Iterable[ChosenModels], environment: Mapping[str, str] = os.environ
) -> None:
    """Raise ConsentMissing where an experiment's file names addresses or keys to which the user has not agreed."""
    reaching = [each for each in chosen if _reaches(each)]
    if reaching:  # all are of one file, and agreed to together
        tables = {f"models {each.name}": each.given for each in reaching}
        consent.check(reaching[0].path, [tables], environment)


def _reaches(chosen: ChosenModels) -> bool:
    """Whether a table says where models are asked, or with which key."""
    if not isinstance(chosen.given, Mapping):
        return False
    roles = (table for role in ROLES if isinstance(table := chosen.given.get(role), Mapping))
    return any({"provider", *_ADDRESS} & table.keys() for table in (chosen.given, *roles))


def asked_at(library: Library, spelling: str) -> list[str]:
    """Where the models of a pipeline are asked and with which settings: a spelling has their names alone."""
    models = library.settings.models
    return [
        f"{role} {name} {digest(asdict(models.role(role)))}"
        for role, name in models.names.items()
        if name in spelling
    ]
