"""Where things are and how answers are judged: `pincite.toml` beside the work, then the environment."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, fields, replace
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_type_hints

from pincite import consent
from pincite.errors import ModelMissing, UsageError
from pincite.formats.bounds import Bounds, bounded, check, number
from pincite.ingest.ocr.ocr_settings import Engine, Mode, OcrSettings
from pincite.models.local.choice import with_local
from pincite.models.local.weights import LOCAL, is_small, weights
from pincite.models.model_settings import ROLES, ModelSettings
from pincite.models.model_table import MODEL_VARIABLES, read_models
from pincite.storage.corpus_address import corpus_folder
from pincite.text.lexicon import data_table
from pincite.text.wording import did_you_mean

FILE = "pincite.toml"
PLACES = ("units", "bundle_key", "corpus")
"""Settings that name a file or a folder."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What a user may set; every name is a key of `[pincite]` in pincite.toml and, as PINCITE_NAME, a variable.

    `threshold` is the confidence below which an answer is refused; `derived` says whether code may compute a value;
    `silence` what a yes/no question gets when the text is silent; `units` names a TOML file of further units and
    abbreviations; `pages` how many pages are read for a question; `row_limit` up to how many rows a table of a database has
    for each of them to be indexed. `ocr` says whether pages without a usable text layer are read as pictures: where an engine
    is there ("auto"), always, with an error where none is ("on"), or never ("off"); `ocr_engine` says by which, `ocr_languages`
    in which languages it must read: "en, de". `terms`, `proxy`, `other_unit` and `doubt` say how literally a model takes a
    question (see `generate.rules.Rules`); `rules` names a set of values for these, `derived` and `silence`, by the scoring that
    the answers get (`data/rules.toml`), "" the set that a recipe or a format to write brings; `forms` says whether a
    model fills in "full" forms, with an analysis before lines and value, or "short" ones without; "auto" gives short ones to
    models that are known to have fewer than 8 billion parameters. `bundle_key` names the file
    of the key by which evidence bundles are signed and checked. `search` is the address of the engine that searches: a
    PostgreSQL or Milvus server or a file of Milvus Lite; "corpus" is the PostgreSQL that a corpus is in; "" searches in
    the corpus's own folder. `corpus` is the folder of the corpus that commands and `pincite.open()` take where none is given.
    `models` is the table `[models]`. Numbers are declared with their bounds.
    """

    threshold: Annotated[float, Bounds(0, 1)] = 0.35
    derived: Literal["allow", "forbid"] = "allow"
    silence: Literal["na", "no"] = "na"
    units: str = ""
    pages: Annotated[int, Bounds(1, 1_000)] = 8
    row_limit: Annotated[int, Bounds(0, 1_000_000_000)] = 50_000
    ocr: Mode = "auto"
    ocr_engine: Engine = "auto"
    ocr_languages: str = ""
    terms: Literal["exact", "role", "near"] = "role"
    proxy: Literal["allow", "forbid"] = "forbid"
    other_unit: Literal["na", "convert"] = "convert"
    doubt: Literal["na", "nearest"] = "na"
    rules: str = ""
    forms: Literal["auto", "full", "short"] = "auto"
    bundle_key: str = ""
    search: str = ""
    corpus: str = ""
    models: ModelSettings = field(default_factory=ModelSettings)

    def __post_init__(self) -> None:
        """Raise UsageError for a number that is not within its bounds."""
        check(self)

    @property
    def form(self) -> Literal["full", "short"]:
        """The forms that the large model fills in."""
        if self.forms == "auto":
            return "short" if is_small(self.models.large) else "full"
        return self.forms

    @property
    def ocr_settings(self) -> OcrSettings:
        """How pages are read that have no text layer to rely on."""
        return OcrSettings(
            self.ocr, self.ocr_engine, tuple(re.findall(r"\w+", self.ocr_languages.lower()))
        )


def load(
    folder: Path | str | None = None, environment: Mapping[str, str] = os.environ
) -> Settings:
    """The settings that hold in `folder`, by default those beside the work (`settings_file`). Raises UsageError that names the
    key for a value that cannot be, and ConsentMissing where a file that nobody named reaches outside its folder.

    Variables of Pincite's own (PINCITE_MODEL and the like) go before the file; OPENAI_BASE_URL, which other programs read
    as well, holds where the file names no endpoint. Where nothing names a model, one answers whose file is on this machine.
    """
    path = settings_file() if folder is None else Path(folder) / FILE
    tables = _read_tables(path)
    kinds = {each.name: type(each.default) for each in fields(Settings) if each.name != "models"}
    variables = {name: f"PINCITE_{name.upper()}" for name in kinds}
    own = {name: environment[each] for name, each in variables.items() if each in environment}
    written = tables.get("pincite", {})
    if folder is None:
        written = _with_places(written, path.parent)
    made: dict[str, Any] = {}
    for name, value in {**written, **own}.items():
        if name not in kinds:
            raise UsageError(
                f"{path}: unknown setting {name!r}; known: {', '.join(kinds)}.{did_you_mean(name, kinds)}"
            )
        made[name] = _convert(name, value, kinds[name])
    made = {**rule_set(str(made.get("rules", ""))), **made}
    models = read_models(tables.get("models", {}), environment, path)
    settings = Settings(**made, models=models)
    if folder is None:
        variables |= MODEL_VARIABLES
        overridden = {name for name, variable in variables.items() if environment.get(variable)}
        found = [_without(table, overridden) for table in tables.values()]
        consent.check(path, found, environment)
    return replace(settings, models=with_local(models))


def settings_file() -> Path:
    """The nearest `pincite.toml`, of the working folder or of one above it; where there is none, that of the working folder.

    Folders of another owner are not looked into: who works below one, in /tmp say, did not choose what lies there.
    """
    here = Path.cwd()
    for above in (here, *here.parents):
        if above != here and above.stat().st_uid != here.stat().st_uid:
            break
        if (above / FILE).is_file():
            return Path(FILE) if above == here else above / FILE
    return Path(FILE)


def named_corpus() -> Path | None:
    """The corpus of the setting `corpus`, which PINCITE_CORPUS sets too; None where it is not set."""
    named = load().corpus
    return corpus_folder(named) if named else None


def default_corpus() -> Path:
    """The corpus of the setting `corpus`. Raises UsageError, with the ways to name one, where it is not set."""
    if named := named_corpus():
        return named
    raise UsageError(
        'no corpus is named: give --corpus FOLDER, set PINCITE_CORPUS, or write `corpus = "FOLDER"` under [pincite] in a '
        "pincite.toml beside your work, which is found from the folders below it too; `pincite index FILES --corpus FOLDER` "
        "makes a corpus"
    )


def _with_places(table: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """The settings of a file, where those that name a file or a folder do so from the file's own folder."""
    named = {name: table.get(name) for name in PLACES}
    paths = {name: value for name, value in named.items() if isinstance(value, str) and value}
    placed = {name: str(folder / path) for name, path in paths.items() if "://" not in path}
    return {**table, **placed}


def _without(table: Mapping[str, Any], names: Collection[str]) -> dict[str, Any]:
    return {name: value for name, value in table.items() if name not in names}


def rule_sets() -> Mapping[str, Mapping[str, str]]:
    """How strictly questions are taken for each scoring: values of settings by the name of the set."""
    return data_table("rules")


def rule_set(name: str) -> Mapping[str, str]:
    """The settings of a set of rules; none for "". Raises UsageError for a name that is not known."""
    if name and name not in rule_sets():
        raise UsageError(f"setting 'rules' must be one of {', '.join(rule_sets())}, not {name!r}")
    return rule_sets()[name] if name else {}


def ruled(settings: Settings, own: str) -> Settings:
    """The settings with the set of rules that a recipe or a format brings, unless the user has named one.

    What was set to another value than its default stays.
    """
    if settings.rules or own not in rule_sets():
        return settings
    plain, left = Settings(), dict[str, Any](rule_set(own))
    for name in rule_set(own):
        if getattr(settings, name) != getattr(plain, name):
            del left[name]
    return replace(settings, rules=own, **left)


def with_model(settings: Settings, model: str = "", off: bool = False) -> Settings:
    """The settings with another model to answer with: that of a role, or one by its name; or with none.

    Raises ModelMissing for a role that has none, UsageError when both are wanted.
    """
    if model and off:
        raise UsageError("--model and --no-model exclude each other: give one of them")
    models = settings.models
    if off:
        return replace(settings, models=replace(models, large="", small="", judge="", vision=""))
    if not model:
        return settings
    if model in ROLES and model not in models.names:
        raise ModelMissing(model)
    if model.startswith(LOCAL):
        weights(model)
    return replace(settings, models=replace(models, large=models.names.get(model, model)))


def _read_tables(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"), parse_float=Decimal)
    except (ValueError, ArithmeticError, RecursionError) as error:
        # ValueError: no UTF-8, no TOML, a number of 5,000 digits
        raise UsageError(f"{path} is not valid TOML: {error}") from error
    for name, table in tables.items():
        if name not in ("pincite", "models") or not isinstance(table, dict):
            raise UsageError(
                f"{path}: unknown {name!r}; settings belong in the tables [pincite] and [models]"
            )
    return tables


def _convert(name: str, value: Any, kind: type) -> Any:
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
