"""Where things are and how answers are judged: `pincite.toml` in the working folder, then the environment."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, fields, replace
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_type_hints

from pincite import consent
from pincite.bounds import Bounds, bounded, check, number
from pincite.errors import ModelMissing, UsageError
from pincite.ingest.ocr.ocr_settings import OcrSettings
from pincite.ledger import MONEY, Price
from pincite.models.model_settings import ROLES, ModelSettings

FILE = "pincite.toml"


@dataclass(frozen=True, slots=True)
class Settings:
    """What a user may set; every name is a key of `[pincite]` in pincite.toml and, as PINCITE_NAME, a variable.

    `threshold` is the confidence below which an answer is refused; `derived` says whether code may compute a value;
    `silence` what a yes/no question gets when the text is silent; `units` names a TOML file of further units and
    abbreviations; `pages` how many pages are read for a question; `row_limit` up to how many rows a table of a database has
    for each of them to be indexed. `ocr` says whether pages without a usable text layer are read as pictures: where an engine
    is there ("auto"), always, with an error where none is ("on"), or never ("off"); `ocr_engine` says by which, `ocr_languages`
    in which languages it must read: "en, de". `terms`, `proxy` and `other_unit` say how literally a model takes a question
    (see `generate.rules.Rules`). `bundle_key` names the file of the key by which evidence bundles are signed and checked.
    `models` is the table `[models]`. Numbers are declared with their bounds.
    """

    threshold: Annotated[float, Bounds(0, 1)] = 0.35
    derived: Literal["allow", "forbid"] = "allow"
    silence: Literal["na", "no"] = "na"
    units: str = ""
    pages: Annotated[int, Bounds(1, 1_000)] = 8
    row_limit: Annotated[int, Bounds(0, 1_000_000_000)] = 50_000
    ocr: Literal["auto", "on", "off"] = "auto"
    ocr_engine: Literal["auto", "rapidocr", "tesseract"] = "auto"
    ocr_languages: str = ""
    terms: Literal["exact", "role", "near"] = "role"
    proxy: Literal["allow", "forbid"] = "forbid"
    other_unit: Literal["na", "convert"] = "convert"
    bundle_key: str = ""
    models: ModelSettings = field(default_factory=ModelSettings)

    def __post_init__(self) -> None:
        """Raise UsageError for a number that is not within its bounds."""
        check(self)

    @property
    def ocr_settings(self) -> OcrSettings:
        """How pages are read that have no text layer to rely on."""
        return OcrSettings(self.ocr, self.ocr_engine, tuple(re.findall(r"\w+", self.ocr_languages.lower())))


_MODEL_VARIABLES = {name: f"PINCITE_{name.upper()}" for name in (*ROLES, "encoder")} | {"large": "PINCITE_MODEL"}


def load(folder: Path | str | None = None, environment: Mapping[str, str] = os.environ) -> Settings:
    """The settings that hold in `folder`, by default the working folder. Raises UsageError that names the key for a value
    that cannot be, and ConsentMissing where the file of the working folder, which nobody named, reaches outside it.

    Variables of Pincite's own (PINCITE_MODEL and the like) go before the file; OPENAI_BASE_URL, which other programs read
    as well, holds where the file names no endpoint.
    """
    path = Path(folder or ".") / FILE
    tables = _read(path)
    kinds = {field.name: type(field.default) for field in fields(Settings) if field.name != "models"}
    variables = {name: f"PINCITE_{name.upper()}" for name in kinds}
    own = {name: environment[variable] for name, variable in variables.items() if variable in environment}
    made: dict[str, Any] = {}
    for name, value in {**tables.get("pincite", {}), **own}.items():
        if name not in kinds:
            raise UsageError(f"{path}: unknown setting {name!r}; there are {', '.join(kinds)}")
        made[name] = _converted(name, value, kinds[name])
    settings = replace(Settings(), **made, models=_models(tables.get("models", {}), environment, path))
    if folder is None:
        variables |= _MODEL_VARIABLES
        overridden = {name for name, variable in variables.items() if environment.get(variable)}
        consent.check(path, [_without(table, overridden) for table in tables.values()], environment)
    return settings


def _without(table: Mapping[str, Any], names: Collection[str]) -> dict[str, Any]:
    return {name: value for name, value in table.items() if name not in names}


def with_model(settings: Settings, model: str = "", off: bool = False) -> Settings:
    """The settings with another model to answer with: that of a role, or one by its name; or with none.

    Raises ModelMissing for a role that has none, UsageError when both are wanted.
    """
    if model and off:
        raise UsageError("--model and --no-model exclude each other: give one of them")
    if off:
        return replace(settings, models=replace(settings.models, large="", small="", judge="", vision=""))
    if not model:
        return settings
    if model in ROLES and model not in settings.models.names:
        raise ModelMissing(model)
    return replace(settings, models=replace(settings.models, large=settings.models.names.get(model, model)))


def _read(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"), parse_float=Decimal)
    except (
        ValueError,
        ArithmeticError,
        RecursionError,
    ) as error:  # ValueError: no UTF-8, no TOML, a number of 5,000 digits
        raise UsageError(f"{path} is not valid TOML: {error}") from error
    for name, table in tables.items():
        if name not in ("pincite", "models") or not isinstance(table, dict):
            raise UsageError(f"{path}: unknown {name!r}; settings stand in the tables [pincite] and [models]")
    return tables


def _converted(name: str, value: Any, kind: type) -> Any:
    if name in bounded(Settings):
        return number(f"setting {name!r}", value, *bounded(Settings)[name])
    try:
        converted = kind(value)
    except (TypeError, ValueError, ArithmeticError) as error:
        raise UsageError(f"setting {name!r} must be {kind.__name__}, not {value!r}") from error
    allowed = get_args(get_type_hints(Settings)[name])
    if allowed and converted not in allowed:
        raise UsageError(f"setting {name!r} must be one of {', '.join(allowed)}, not {value!r}")
    return converted


# ---- [models]


def _models(table: Mapping[str, Any], environment: Mapping[str, str], path: Path) -> ModelSettings:
    given = {"base_url": environment["OPENAI_BASE_URL"]} if environment.get("OPENAI_BASE_URL") else {}
    given |= table
    given |= {name: environment[variable] for name, variable in _MODEL_VARIABLES.items() if environment.get(variable)}
    made: dict[str, Any] = {}
    for name, value in given.items():
        if name not in _MODELS:
            raise UsageError(f"{path}: unknown setting {name!r} in [models]; there are {', '.join(_MODELS)}")
        made[name] = _MODELS[name](f"setting {name!r} of [models]", value)
    return replace(ModelSettings(), **made)


def _url(name: str, value: Any) -> str:
    if not isinstance(value, str) or not re.fullmatch(r"https?://[^\s/]\S*", value):
        raise UsageError(f"{name} must be an address such as https://api.openai.com/v1, not {value!r}")
    return value.rstrip("/")


def _variable(name: str, value: Any) -> str:
    # what stands there is not repeated: it may be the key itself
    if not isinstance(value, str) or not re.fullmatch(r"[A-Z_][A-Z0-9_]*", value):
        raise UsageError(
            f"{name} must be the name of the environment variable that holds the API key, as in OPENAI_API_KEY, and never "
            "the key itself"
        )
    return value


def _name(name: str, value: Any) -> str:
    if not isinstance(value, str) or value != value.strip():
        raise UsageError(f"{name} must be the name of a model, not {value!r}")
    return value


def _number(field: str) -> Callable[[str, Any], Any]:
    kind, bounds = bounded(ModelSettings)[field]
    return lambda name, value: number(name, value, kind, bounds)


def money(name: str, value: Any) -> Decimal:
    """An amount from 0 on, as much as the ledger counts; raises UsageError that names what it is for."""
    amount: Decimal = number(name, value, Decimal, MONEY)
    return amount


def _switch(name: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise UsageError(f"{name} must be true or false, not {_said(value)}")
    return value


def _prices(name: str, value: Any) -> dict[str, Price]:
    wanted = "a table for each model with input, output and perhaps cached, in money per million tokens"
    if not isinstance(value, dict):
        raise UsageError(f"{name} must be {wanted}, not {_said(value)}")
    made = {}
    for model, price in value.items():
        if not isinstance(price, dict) or not {"input", "output"} <= set(price) <= {"input", "output", "cached"}:
            raise UsageError(f"{name} must be {wanted}: it is not for {model!r}")
        made[model] = Price(**{kind: money(f"{name}, {kind} of {model!r},", amount) for kind, amount in price.items()})
    return made


def _called(name: str, value: Any) -> dict[str, str]:
    if not isinstance(value, dict) or not all(isinstance(text, str) and text.strip() for text in value.values()):
        raise UsageError(
            f'{name} must be a table of names, each with a text such as "hf:NAME@COMMIT", not {_said(value)}'
        )
    return dict(value)


def _said(value: Any) -> str:
    return str(value) if isinstance(value, Decimal) else repr(value)


_MODELS: Mapping[str, Callable[[str, Any], Any]] = {
    "base_url": _url, "key": _variable, **dict.fromkeys(ROLES, _name), "prices": _prices,
    **{name: _number(name) for name in bounded(ModelSettings)},
    "telemetry": _switch, "encoder": _name, "encoders": _called, "scorers": _called,
}  # fmt: skip
