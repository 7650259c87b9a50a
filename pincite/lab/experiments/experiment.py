"""An experiment as a YAML file says it: recipes with their parameters and models over sets of questions, each a run.

    corpora:
      reports: corpus/                                        # the folder of a corpus, or files to index:
      papers: {index: [papers/], metadata: papers.csv}
      abstracts: {beir: data/scifact}                         # the documents of a BEIR folder, which `questions` may name too
    questions:
      own: {from: questions.jsonl, corpus: reports}
      papers: {from: papers/, corpus: papers, scope: [own, all], limit: 100}  # a folder with questions.jsonl
    recipes:
      - default
      - {recipe: bm25, grid: {k_text: [5, 10], penalty: [0.8, 1.0]}}     # every combination: four runs
      - {recipe: bm25, list: [{indexes: text}, {indexes: hybrid, k_text: 20}]}     # these two
    models: {small: gpt-5-mini, none: }     # every recipe with each of them (see `model_axis`); by default those of the settings
    judge: {provider: openai, judge: gpt-5} # judges the answers; by default the judge of the settings, none where it has none
    mean: question         # what weighs alike in the mean over sets: every question, or every set
    answers: true          # false: retrieval only
    k: 100                 # hits kept for a question
    scope: all             # own: a question is held to its own documents; 0.5: to its own among half of all
    stand-ins: true        # what is at hand takes the place of missing models
    limit: 200             # questions of each set
    seed: 0                # of the bootstrap that compares the runs

Paths are meant from the file's own folder. A grid's values are lists of alternatives, or a value that all have.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from itertools import product
from pathlib import Path
from typing import Any, Literal, get_args

from pincite.errors import UsageError
from pincite.formats.spell import spell
from pincite.formats.yamlfile import Given, Place, read_yaml
from pincite.indexing import index
from pincite.lab.experiments.model_axis import (
    OWN_MODELS,
    ChosenModels,
    chosen_models,
    read_models_axis,
)
from pincite.lab.experiments.question_scope import Scope, is_scope
from pincite.lab.scoring.beir_folder import write_documents
from pincite.lab.scoring.examples import example, load_beir
from pincite.recipes import recipe
from pincite.recipes.base import Recipe
from pincite.records.runfile import read_lines, read_table, refuse_repeated
from pincite.types import Example

LONGEST = 100
"""Characters of a run's name, which is a folder's; a longer one is cut, and a digest takes the place of the rest."""
_TOP = (
    "corpora", "questions", "recipes", "answers", "k", "models", "judge", "mean", "scope", "stand-ins", "limit", "seed",
)  # fmt: skip
Mean = Literal["question", "set"]
"""What weighs alike in a mean over several sets: every question, or every set."""


@dataclass(frozen=True, slots=True)
class CorpusOf:
    """A corpus by name: the folder of one that is there (`folder`), or the `paths` of which one is to be made, or the folder of
    a retrieval collection (`beir`).
    """

    name: str
    folder: Path | None = None
    paths: tuple[Path, ...] = ()
    metadata: Path | None = None
    beir: Path | None = None

    def made(self, folder: Path) -> Path:
        """The corpus itself; one that is given as files or as a collection is made, or brought up to date, inside `folder`."""
        if self.folder is not None:
            return self.folder
        made, paths = folder / self.name, self.paths
        if self.beir is not None:
            paths = (folder / f"{self.name}.files",)
            write_documents(self.beir, paths[0])
        index(paths, made, (), metadata=self.metadata)
        return made


@dataclass(frozen=True, slots=True)
class Questions:
    """A set of questions: the file or folder that it is read from, and the corpus that it is asked of."""

    name: str
    path: Path
    corpus: CorpusOf
    scopes: tuple[Scope, ...]
    limit: int | None = None

    def read(self) -> list[Example]:
        """The questions with their gold, all or the first few. Raises UsageError when they cannot be read."""
        some = read_examples(self.path)[: self.limit]
        if not some:
            raise UsageError(
                f"{self.path} holds no question: CSV with id and question, or one JSON object a line"
            )
        return some


@dataclass(frozen=True, slots=True)
class Trial:
    """One run: a recipe with its models asked one set of questions in one scope.

    `name` is its folder, `variant` what it shares with its like over other sets: the name without the set.
    """

    name: str
    recipe: Recipe
    questions: Questions
    scope: Scope
    variant: str = ""
    models: ChosenModels = OWN_MODELS


@dataclass(frozen=True, slots=True)
class Experiment:
    """Everything that a file says."""

    name: str
    trials: tuple[Trial, ...]
    answers: bool = False
    k: int = 100
    stand_ins: bool = False
    seed: int = 0
    judge: ChosenModels | None = OWN_MODELS
    mean: Mean = "question"

    @property
    def chosen(self) -> tuple[ChosenModels, ...]:
        """All models that the file names."""
        judge = () if self.judge is None else (self.judge,)
        return tuple(dict.fromkeys((*(trial.models for trial in self.trials), *judge)))


def read_examples(path: Path) -> list[Example]:
    """Questions with their gold: a file (CSV, JSON lines) by its own ids, a folder with questions.jsonl, or a BEIR folder."""
    if path.is_dir():
        if (path / "questions.jsonl").is_file():
            lines = enumerate(read_lines(path / "questions.jsonl"), 1)
            return [example(number, row, row["question"]) for number, row in lines]
        if (path / "queries.jsonl").is_file():
            return load_beir(path)
        raise UsageError(
            f"{path} is not the folder of a data set: it contains none of questions.jsonl, queries.jsonl"
        )
    if not path.is_file():
        raise UsageError(
            f"no questions at {path}: give a file of questions, or the folder of a data set"
        )
    rows = _rows(path)
    refuse_repeated((key for key, _ in rows), path)
    made = []
    for number, (key, row) in enumerate(rows, 1):
        text = str(row.get("question") or row.get("text") or "")
        if not text.strip():
            raise UsageError(f"{path}, question {key}: the question is empty")
        read = example(number, dict(row), text, ("kind", "answer_unit"))
        made.append(replace(read, id=key))
    return made


def _rows(path: Path) -> list[tuple[str, Mapping[str, Any]]]:
    """The rows of a question file with their ids; lines of JSON without one are numbered."""
    if path.suffix.lower() == ".csv":
        return [(row["id"], row) for row in read_table(path, ("id", "question"))]
    return [(str(row.get("id") or number), row) for number, row in enumerate(read_lines(path), 1)]


def read_experiment(path: Path) -> Experiment:
    """What a file says. Raises UsageError that names the line, the key and what is possible there."""
    given = read_yaml(path)
    given.table((), _TOP, needed=("corpora", "questions", "recipes"))
    scopes = _scopes(given, ("scope",), ("all",))
    sets = read_sets(given, scopes, given.whole(("limit",), None, 1))
    entries = [("recipes", place) for place in range(len(given.several(("recipes",))))]
    recipes = [recipe for entry in entries for recipe in _recipes(given, entry)]
    return Experiment(
        name=path.stem,
        trials=tuple(_trials(recipes, sets, read_models_axis(given, ("models",)))),
        answers=given.switch(("answers",)),
        k=given.whole(("k",), 100, 1) or 100,
        stand_ins=given.switch(("stand-ins",)),
        seed=given.whole(("seed",), 0, 0) or 0,
        judge=_judge(given),
        mean=read_mean(given),
    )


def read_sets(
    given: Given, scopes: tuple[Scope, ...] = ("all",), limit: int | None = None
) -> tuple[Questions, ...]:
    """The sets of questions of a file, each with its corpus."""
    corpora = {str(name): _corpus(given, ("corpora", name)) for name in given.table(("corpora",))}
    return tuple(
        _questions(given, ("questions", name), corpora, scopes, limit)
        for name in given.table(("questions",))
    )


def _judge(given: Given) -> ChosenModels | None:
    """Who judges the answers; None where `judge: false` wants no judgement."""
    found = given.at(("judge",))
    if found is None or found is True:
        return OWN_MODELS
    return None if found is False else chosen_models(given, ("judge",))


def read_mean(given: Given) -> Mean:
    """What weighs alike in a mean over sets."""
    found = given.at(("mean",))
    if found not in (None, *get_args(Mean)):
        raise given.wrong(("mean",), f"{' or '.join(get_args(Mean))} is needed, not {found!r}")
    return "set" if found == "set" else "question"


def _trials(
    recipes: Sequence[tuple[str, Recipe]],
    sets: Sequence[Questions],
    models: Sequence[ChosenModels],
) -> Iterator[Trial]:
    """Every recipe with all models over every set, set by set, equal ones once; names are made of what tells runs apart."""
    taken: dict[str, str] = {}
    for questions in sets:
        for scope, (label, made), chosen in product(questions.scopes, recipes, models):
            what = f"{questions.name} {scope} {chosen.name} {spell(made)}"
            if what in taken.values():
                continue
            told = (str(scope) if len(questions.scopes) > 1 else "", label, chosen.name)
            variant = "-".join(part for part in told if part)
            plain = re.sub(r"[^\w=.,+-]+", "_", f"{questions.name}-{variant}")
            if len(plain) > LONGEST or plain in taken:
                digest = blake2b(what.encode(), digest_size=4).hexdigest()
                plain = f"{plain[: LONGEST - 9]}-{digest}"
            taken[plain] = what
            yield Trial(plain, made, questions, scope, variant, chosen)


def _corpus(given: Given, where: Place) -> CorpusOf:
    name = str(where[-1])
    if isinstance(given.at(where), str):
        return CorpusOf(name, folder=_path(given, where))
    if isinstance(given.at(where), dict) and given.at((*where, "beir")) is not None:
        given.table(where, ("beir",))
        return CorpusOf(name, beir=_path(given, (*where, "beir")))
    given.table(where, ("index", "metadata"), needed=("index",))
    index, meta = (*where, "index"), (*where, "metadata")
    listed = given.at(index)
    places = [(*index, n) for n in range(len(listed))] if isinstance(listed, list) else [index]
    paths = tuple(_path(given, place) for place in places)
    return CorpusOf(
        name, paths=paths, metadata=_path(given, meta) if given.at(meta) is not None else None
    )


def _path(given: Given, where: Place) -> Path:
    found = given.at(where)
    if not isinstance(found, str) or not found.strip():
        raise given.wrong(where, f"a path is needed, not {found!r}")
    return given.path.parent / found


def _scopes(given: Given, where: Place, otherwise: tuple[Scope, ...]) -> tuple[Scope, ...]:
    found = given.at(where)
    listed = found if isinstance(found, list) else [found]
    if found is None:
        return otherwise
    if not listed or not all(map(is_scope, listed)):
        raise given.wrong(
            where,
            f"own, all or a share of the documents such as 0.5 is needed, or several, not {found!r}",
        )
    return tuple(dict.fromkeys(listed))


def _questions(
    given: Given,
    where: Place,
    corpora: Mapping[str, CorpusOf],
    scopes: tuple[Scope, ...],
    limit: int | None,
) -> Questions:
    given.table(where, ("from", "corpus", "scope", "limit"), needed=("from", "corpus"))
    corpus = str(given.at((*where, "corpus")))
    if corpus not in corpora:
        raise given.wrong(
            (*where, "corpus"), f"no corpus is named {corpus!r}; known: {', '.join(corpora)}"
        )
    return Questions(
        str(where[-1]),
        _path(given, (*where, "from")),
        corpora[corpus],
        _scopes(given, (*where, "scope"), scopes),
        given.whole((*where, "limit"), limit, 1),
    )


def _recipes(given: Given, where: Place) -> Iterator[tuple[str, Recipe]]:
    """The (label, recipe) pairs of one entry: a name, or a name with a grid of parameters, a list of them, or both."""
    entry = given.at(where)
    if isinstance(entry, str):
        yield entry, _recipe(given, where, entry, {})
        return
    given.table(where, ("recipe", "grid", "list"), needed=("recipe",))
    name = str(entry["recipe"])
    _recipe(given, (*where, "recipe"), name, {})
    grid = {} if "grid" not in entry else given.table((*where, "grid"))
    for key, value in grid.items():
        if value == [] or value == {}:
            raise given.wrong(
                (*where, "grid", key), "a list of alternatives is needed, as in [5, 10]"
            )
    columns = [value if isinstance(value, list) else [value] for value in grid.values()]
    count = len(given.several((*where, "list"))) if "list" in entry else 0
    listed = [(*where, "list", number) for number in range(count)]
    for place in listed or [(*where, "grid")]:
        fixed = given.table(place) if listed else {}
        for row in product(*columns):
            parameters = {**dict(zip(grid, row, strict=True)), **fixed}
            told = ",".join(f"{key}={_plain(value)}" for key, value in parameters.items())
            yield f"{name}-{told}" if told else name, _recipe(given, place, name, parameters)


def _recipe(given: Given, where: Place, name: str, parameters: Mapping[str, Any]) -> Recipe:
    try:
        return recipe(name, **{str(key): value for key, value in parameters.items()})
    except UsageError as error:
        said = str(error)
        words = re.findall(r"[\w-]+", said.split(";")[0])
        blamed = [key for key in parameters if str(key) in words][:1]
        raise given.wrong((*where, *blamed), said) from None


def _plain(value: Any) -> str:
    if isinstance(value, Mapping):
        return "+".join(f"{name}{_plain(inner)}" for name, inner in value.items())
    if isinstance(value, list):
        return "+".join(map(_plain, value))
    return str(value).lower() if isinstance(value, bool) else str(value)
