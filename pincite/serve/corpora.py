"""The corpora that are served: each pinned to its newest generation, which can change during a request without an error."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import blake2b
from itertools import chain
from pathlib import Path
from typing import Any, Literal

from pydantic import TypeAdapter
from typing_extensions import TypedDict

from pincite.corpus import Corpus, Entryless
from pincite.corpus.writer import writing
from pincite.errors import UsageError
from pincite.indexing.publishing import publish
from pincite.models.local.weights import LOCAL, weights
from pincite.recipes.base import Recipe
from pincite.search.index.shelf import Shelf
from pincite.settings import Settings, with_model
from pincite.storage import address_of, shown
from pincite.storage.disk import write
from pincite.storage.file_copies import fetch_files, keep_files
from pincite.untrusted import inside
from pincite.workbench.library import Library, default_shelves, run_name, shelves_of

NAME = r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}"  # what a corpus may be called in an address
RULES = "rules.json"  # the file beside a corpus that keeps its AnswerRules


def document_key(identity: str) -> str:
    """How a document is named in addresses: 16 hexadecimal digits that stay as long as its id does."""
    return blake2b(identity.encode(), digest_size=8).hexdigest()


@dataclass(frozen=True)
class ServedEdition:
    """One generation of a corpus, open: what a request holds on to from its beginning to its end."""

    library: Library

    @property
    def corpus(self) -> Corpus:
        """The corpus, pinned."""
        return self.library.corpus

    @property
    def number(self) -> int:
        """The generation."""
        return self.corpus.generation.number

    @cached_property
    def by_key(self) -> Mapping[str, Entryless]:
        """The documents by what they are called in addresses."""
        return {document_key(document.id): document for document in self.corpus.documents}

    @cached_property
    def keys(self) -> Mapping[str, str]:
        """What each document of an id is called in addresses."""
        return {held.id: key for key, held in self.by_key.items()}


@dataclass(frozen=True, slots=True)
class AnswerSetup:
    """How questions are answered: by the settings and a recipe (None: our own), with stand-ins for the models that it lacks or
    without. A value that goes to processes.
    """

    settings: Settings
    recipe: Recipe | None = None
    stand_ins: bool = False

    def library(self, folder: Path) -> Library:
        """The corpus in a folder, open, to be asked so."""
        return Library(folder, self.settings, recipe=self.recipe, stand_ins=self.stand_ins)

    def shelves(self, folder: Path) -> tuple[Shelf, ...]:
        """The indexes that the corpus in a folder needs for it."""
        if self.recipe is None:
            return default_shelves(folder)
        return shelves_of(self.recipe, folder, self.stand_ins)


class AnswerRules(TypedDict, total=False):
    """How a corpus is answered, as set in the browser: how strictly, see `Settings`, and the name of the `model`, "" for none."""

    threshold: float
    derived: Literal["allow", "forbid"]
    silence: Literal["na", "no"]
    model: str


_RULES = TypeAdapter(AnswerRules)


class Served:
    """One corpus under the name that its addresses have. `edition` is the newest generation that `refresh` has seen; models are
    asked under `run`, whose budget holds for as long as it is served.
    """

    def __init__(self, name: str, folder: Path, setup: AnswerSetup) -> None:
        self.name = name
        self.folder = folder
        self._began = setup.settings
        self._rules = _kept_rules(folder)
        self.setup = replace(setup, settings=_as_set(folder, setup.settings, self._rules))
        self.run = run_name(f"serve {name}")
        self.edition = self._open()
        self._one = threading.Lock()

    def _open(self) -> ServedEdition:
        return ServedEdition(self.setup.library(self.folder))

    def answer_by(self, rules: AnswerRules) -> None:
        """Answer by these rules from now on, also when served again; those not named stay. UsageError for what cannot be."""
        with self._one:
            kept: AnswerRules = {**self._rules, **rules}
            settings = _as_set(self.folder, self._began, kept)
            write(inside(self.folder, RULES), json.dumps(kept))
            keep_files(self.folder, [RULES])
            self._rules, self.setup = kept, replace(self.setup, settings=settings)
            self.edition = self._open()

    def refresh(self) -> bool:
        """Change to the newest generation if there is a newer one; who has the older one open reads on in it."""
        with self._one:
            if address_of(self.folder) and self.edition.corpus.is_newest():
                return False
            with closing(Corpus(self.folder)) as newest:
                if newest.generation == self.edition.corpus.generation:
                    return False
            self.edition = self._open()
            return True


def _kept_rules(folder: Path) -> AnswerRules:
    """The rules that were set in the browser for the corpus in a folder. UsageError where they are damaged."""
    fetch_files(folder, RULES, changing=True)
    path = inside(folder, RULES)
    try:
        return _RULES.validate_json(path.read_bytes(), strict=True) if path.is_file() else {}
    except ValueError as error:
        raise _damaged(path, error) from error


def _as_set(folder: Path, settings: Settings, rules: AnswerRules) -> Settings:
    """The settings with rules of a corpus. A model of this machine whose file is gone is none. UsageError for what cannot be."""
    strict: dict[str, Any] = {name: value for name, value in rules.items() if name != "model"}
    model = rules.get("model")
    try:
        settings = replace(settings, **strict)
        if model is None or model.startswith(LOCAL) and not weights(model).is_here:
            return settings
        return with_model(settings, model, off=not model)
    except UsageError as error:
        raise _damaged(inside(folder, RULES), error) from error


def _damaged(path: Path, error: Exception) -> UsageError:
    return UsageError(
        f"{path} cannot be read ({error}): delete it and choose in the browser again"
    )


def begin(folder: Path, setup: AnswerSetup) -> None:
    """Make an empty corpus in a folder that is empty or not there; others and addresses stay as they are."""
    if address_of(folder) or folder.exists() and any(folder.iterdir()):
        return
    with writing(folder) as writer:
        publish(writer, setup.shelves(folder))


def served(
    folders: Sequence[Path],
    settings: Settings,
    recipe: Recipe | None = None,
    stand_ins: bool = False,
) -> dict[str, Served]:
    """The corpora in these folders by name: that of the folder without `.corpus`, of an address that which it gives.

    A folder that holds corpora and is none stands for all of them. UsageError when two would have one name.

    With a `recipe` all of them answer by it: raises what `Library.check` does.
    """
    setup = AnswerSetup(settings, recipe, stand_ins)
    made: dict[str, Served] = {}
    for folder in chain.from_iterable(map(_corpora_in, folders)):
        address = address_of(folder)
        given = address.corpus if address else folder.resolve().name.removesuffix(".corpus")
        name = re.sub(r"[^A-Za-z0-9._-]+", "-", given).strip("-._")[:80] or "corpus"
        if name in made:
            raise UsageError(
                f"two corpora would be called {name!r}: {shown(made[name].folder)} and {shown(folder)}; rename one"
            )
        made[name] = Served(name, folder, setup)
        if recipe:
            made[name].edition.library.check()
    return made


def _corpora_in(folder: Path) -> list[Path]:
    """The folder itself, or the corpora in a folder that is none."""
    if address_of(folder):
        return [folder]
    inside = sorted(path.parent for path in folder.glob("*/corpus.sqlite"))
    return [folder] if (folder / "corpus.sqlite").exists() or not inside else inside
