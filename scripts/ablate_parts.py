"""What `ablate.py` can switch off: readers, patterns of wording, entries of the data."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from pincite.document.statement_rows import Book, book
from pincite.evidence.candidate import Candidate
from pincite.question.ask import Ask
from pincite.question.metrics import items_asked
from pincite.question.offers import offered
from pincite.question.understanding import understand
from pincite.readers import completion as complete
from pincite.readers import derivation as derive
from pincite.readers import names, spans
from pincite.readers import table_lines as lines
from pincite.search import expansion as expand
from pincite.search import pointed_pages as pointed
from pincite.types import Query


@dataclass(eq=False)
class Part:
    """A reader, or some of its proposals: `off` silences it; `said` holds what it proposed since it was last emptied."""

    name: str
    off: bool = False
    said: list[Candidate] = field(default_factory=list)
    spoke: bool = False

    def told(self, made: Iterable[Any]) -> None:
        """Note what was made."""
        for one in made:
            self.spoke = True
            if isinstance(one, Candidate):
                self.said.append(one)


def holder(place: str) -> tuple[Any, str]:
    """The module or class that holds a place such as "search.statement_pages:Widen.run", and the name there."""
    module, _, path = place.partition(":")
    *classes, name = path.split(".")
    held: Any = import_module(f"pincite.{module}")
    for each in classes:
        held = getattr(held, each)
    return held, name


def without(name: str, place: str, lost: Callable[[Any], bool] = lambda _: True) -> Part:
    """A part made of the results of the function at a place for which `lost` is true."""
    part = Part(name)
    held, attribute = holder(place)
    table = isinstance(held, dict)
    original = held[attribute] if table else getattr(held, attribute)

    def reader(*arguments: Any, **more: Any) -> list[Any]:
        made = list(original(*arguments, **more))
        gone = [one for one in made if lost(one)]
        part.told(gone)
        return [one for one in made if not lost(one)] if part.off else made

    if table:
        held[attribute] = reader
    else:
        setattr(held, attribute, reader)
    return part


def operations(name: str, *of: str) -> Part:
    """A part made of the candidates for some operations over cells."""
    from pincite.readers import derivation as derive

    part = Part(name)
    for operation in of:
        original = derive._BUILDERS[operation]

        def reader(ask: Ask, view: Any, original: Any = original) -> list[Candidate]:
            made = original(ask, view)
            part.told(made)
            return [] if part.off else made

        derive._BUILDERS[operation] = reader
    return part


def stage(name: str, place: str) -> Part:
    """A part that is a stage from ranking to ranking."""
    part = Part(name)
    held, attribute = holder(place)
    original = getattr(held, attribute)

    def run(self: Any, ranking: Any, *more: Any) -> Any:
        made = original(self, ranking, *more)
        part.told([True] if made != ranking else [])
        return ranking if part.off else made

    setattr(held, attribute, run)
    return part


def has(*names: str) -> Callable[[Candidate], bool]:
    """Whether a candidate has one of these features."""
    return lambda one: any(one.features.get(name) for name in names)


def readers() -> list[Part]:
    """Every reader and generator of candidates, and the parts of the larger ones."""
    made = [
        without("formulas", "readers.derivation:read_formulas"),
        without(
            "formulas: one line item",
            "readers.derivation:read_formulas",
            lambda one: not one.operation,
        ),
        without(
            "formulas: computed",
            "readers.derivation:read_formulas",
            lambda one: bool(one.operation),
        ),
        operations("cells: differences", "difference", "percentage_change"),
        operations("cells: ratios and shares", "ratio", "proportion"),
        operations("cells: sums and averages", "sum", "average"),
        operations("cells: largest and smallest", "argmax", "argmin", "max", "min"),
        operations("cells: counts and filters", "count", "filter"),
        without("cells: several", "readers.derivation:_several"),
        without("cells: names of a block", "readers.derivation:names"),
        without("cells", "readers.table_answers:read_tables"),
        without("completed sentences", "readers.table_answers:complete"),
        without(
            "completed: amounts",
            "readers.table_answers:complete",
            has("amount0", "amount1", "amount2"),
        ),
        without("completed: times", "readers.table_answers:complete", has("time")),
        without("completed: reasons", "readers.table_answers:complete", has("reason", "cause")),
        without(
            "completed: rest",
            "readers.table_answers:complete",
            has("rest", "lead", "part", "prefix"),
        ),
        without("completed: whole", "readers.table_answers:complete", has("whole")),
        without("numbers in text", "readers.prose_answers:read_numbers"),
        without("options", "readers.prose_answers:offered"),
        without("spans", "readers.prose_answers:read_spans"),
        without("yes and no", "readers.prose_answers:read_truth"),
        without("pointed: other pages less", "readers.prose_answers:points"),
        stage("widen", "search.statement_pages:Widen.run"),
        stage("pointed", "search.pointed_pages:Pointed.run"),
        stage("preferred documents", "search.named_documents:PreferNamed.run"),
    ]
    made += [
        without(f"spans: {kind}", "readers.prose_answers:read_spans", has(f"made:{kind}"))
        for kind in ("phrase", "date", "sentence", "clause")
    ]
    return made


NEVER = re.compile(r"(?!)")


@dataclass(frozen=True)
class Words:
    """A pattern of wording or an entry of the data: each place where it stands, with the value there when it is switched off."""

    name: str
    places: tuple[tuple[Any, str, Any], ...]

    def swap(self, gone: bool) -> None:
        """Take the words away, or put them back."""
        for held, attribute, (whole, less) in self.places:
            setattr(held, attribute, less if gone else whole)
        forget()


def forget() -> None:
    """Clear every cache of readings of questions and of the shipped data."""
    for name in (
        "question.understanding",
        "question.metrics",
        "document.statement_rows",
        "search.expansion",
    ):
        for each in list(vars(import_module(f"pincite.{name}")).values()):
            if hasattr(each, "cache_clear"):
                each.cache_clear()


def patterns() -> Iterator[Words]:
    """Every compiled pattern of the modules that read questions, and every single pattern of their tables."""
    modules = [
        import_module(f"pincite.{name}")
        for name in (
            "question.wording", "question.operands", "question.understanding", "readers.formulas",
            "readers.names", "readers.completion", "readers.table_lines", "readers.derivation", "search.pointed_pages",
            "readers.prose_answers", "search.expansion",
        )
    ]  # fmt: skip
    seen: dict[int, list[tuple[Any, str, Any]]] = {}
    names: dict[int, str] = {}
    for module in modules:
        for name, value in list(vars(module).items()):
            if name == "WORDING":
                continue  # features of the fitted order, no rule
            if isinstance(value, re.Pattern):
                seen.setdefault(id(value), []).append((module, name, (value, NEVER)))
                names.setdefault(id(value), f"{module.__name__.rpartition('.')[2]}.{name}")
            elif (
                isinstance(value, tuple)
                and value
                and all(_pattern(one) is not None for one in value)
            ):
                for at, one in enumerate(value):
                    key = id(_pattern(one))
                    seen.setdefault(key, []).append(
                        (module, name, (value, (*value[:at], *value[at + 1 :])))
                    )
                    label = one[0] if isinstance(one, tuple) and isinstance(one[0], str) else ""
                    names.setdefault(
                        key, f"{module.__name__.rpartition('.')[2]}.{name}[{at}] {label}".strip()
                    )
    for key, places in seen.items():
        yield Words(names[key], tuple(places))


def _pattern(one: Any) -> re.Pattern[str] | None:
    if isinstance(one, re.Pattern):
        return one
    if isinstance(one, tuple):
        return next((each for each in one if isinstance(each, re.Pattern)), None)
    return None


def entries() -> Iterator[Words]:
    """Every entry of the lexicon, and every metric and line item of the formulas."""
    lexicon = expand._lexicon(expand._SHIPPED, "")
    asked = tomllib.loads(expand._SHIPPED.read_text("utf-8"))["entry"]
    whole_lexicon = expand._lexicon
    for at, entry in enumerate(asked):
        less = (*lexicon[:at], *lexicon[at + 1 :])

        def gone(path: Any, more: Any, less: Any = less) -> Any:
            return less if path == expand._SHIPPED else whole_lexicon(path, more)

        yield Words(
            f"lexicon: {entry['asked'][0]}", ((expand, "_lexicon", (whole_lexicon, gone)),)
        )
    kept = book()
    for name in kept.metrics:
        yield _of_book(
            f"metric: {name}",
            Book({n: t for n, t in kept.metrics.items() if n != name}, kept.lines, kept.titles),
        )
    for line in dict.fromkeys(kept.lines.values()):
        lines = {name: each for name, each in kept.lines.items() if each != line}
        yield _of_book(f"line: {line.labels[0]}", Book(kept.metrics, lines, kept.titles))


def _of_book(name: str, less: Book) -> Words:
    rooms = (
        "document.statement_rows",
        "question.metrics",
        "readers.formulas",
        "readers.metric_items",
        "search.statement_pages",
    )
    modules = [import_module(f"pincite.{room}") for room in rooms]
    return Words(name, tuple((module, "book", (book, lambda: less)) for module in modules))


def reading_of(query: Query) -> object:
    """Everything that is read from a question before any document."""
    ask = understand(query)
    searched = tuple(
        words(query) for words in (expand.Keywords(), expand.Unframed(), expand.Written())
    )
    wanted = offered(ask), pointed.ask.points
    kind = spans.ask.kind, names.ask.focus, names.beside(ask.text)
    patterns = [each for module in (complete, lines, derive) for each in vars(module).values()]
    met = [bool(each.search(ask.text)) for each in patterns if isinstance(each, re.Pattern)]
    return ask, searched, items_asked(ask), wanted, kind, met
