"""Switch off one reader, one pattern of wording or one entry of the data at a time, and count what that changes.

    python scripts/ablate.py DATA CORPORA SET... [--limit N] [--parts READER...] [--out FILE]

DATA is the folder of data sets, CORPORA where `make measure` keeps their corpora. SET is reports-seen, other (questions about
other things, over the same documents), uda, wattbot, financebench or tatqa. Every question is answered by the pipeline that
`pincite ask` runs, and answered again without a part wherever that part had a say. A part brings what is right with it and not
without it, less what is right only without it; of wrong answers that are shown likewise. `first six` counts the questions for
which a right value stands among a reader's own first six candidates, `alone` those for which no other reader has it there.
"""

from __future__ import annotations

import argparse
import json
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from pincite.answer import complete, derive, given, lines, names, pointed, quote, spans
from pincite.answer.candidate import Candidate
from pincite.answer.formulas import items_asked
from pincite.answer.question import Ask, understand
from pincite.answer.say import as_asked, worded
from pincite.answer.statements import Book, book
from pincite.evaluate import answerkey, tatqa, typed, wattbot
from pincite.evaluate.record import Cited, Record, read_lines, record_of
from pincite.library import Library
from pincite.measure.questions import QUESTIONS
from pincite.measure.work import Work, gold, judged, loaded
from pincite.record import clean, record, unit_of
from pincite.search import expand
from pincite.settings import Settings
from pincite.types import Query

FIRST = 6


@dataclass(eq=False)
class Part:
    """A reader, or some of what it proposes: `off` silences it; `said` is what it proposed since it was last emptied."""

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


@dataclass(frozen=True)
class Asked:
    """A question of a set: how it is answered now, and whether a value is right."""

    id: str
    query: Query
    answer: Callable[[], Record]
    right: Callable[[Record], bool]
    candidate: Callable[[Ask, Candidate], Record]


def holder(place: str) -> tuple[Any, str]:
    """The module or class that holds what "answer.derive:compute" or "answer.widen:Widen.run" names, and its name there."""
    module, _, path = place.partition(":")
    *classes, name = path.split(".")
    held: Any = import_module(f"pincite.{module}")
    for each in classes:
        held = getattr(held, each)
    return held, name


def without(name: str, place: str, lost: Callable[[Any], bool] = lambda _: True) -> Part:
    """A part that is what the function at a place makes, where `lost` says so of it."""
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
    """A part that is what is built for some operations over cells."""
    from pincite.answer import derive

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
    """Every reader and generator of candidates, and the parts of those that are many."""
    made = [
        without("formulas", "answer.derive:read_formulas"),
        without("formulas: one line item", "answer.derive:read_formulas", lambda one: not one.operation),
        without("formulas: computed", "answer.derive:read_formulas", lambda one: bool(one.operation)),
        operations("cells: differences", "difference", "percentage_change"),
        operations("cells: ratios and shares", "ratio", "proportion"),
        operations("cells: sums and averages", "sum", "average"),
        operations("cells: largest and smallest", "argmax", "argmin", "max", "min"),
        operations("cells: counts and filters", "count", "filter"),
        without("cells: several", "answer.derive:_several"),
        without("cells: names of a block", "answer.derive:names"),
        without("cells", "answer.given:read_tables"),
        without("completed sentences", "answer.given:complete"),
        without("completed: amounts", "answer.given:complete", has("amount0", "amount1", "amount2")),
        without("completed: times", "answer.given:complete", has("time")),
        without("completed: reasons", "answer.given:complete", has("reason", "cause")),
        without("completed: rest", "answer.given:complete", has("rest", "lead", "part", "prefix")),
        without("completed: whole", "answer.given:complete", has("whole")),
        without("numbers in text", "answer.prose:read_numbers"),
        without("options", "answer.prose:offered"),
        without("spans", "answer.prose:read_spans"),
        without("yes and no", "answer.prose:read_truth"),
        without("pointed: other pages less", "answer.prose:points"),
        stage("widen", "answer.widen:Widen.run"),
        stage("pointed", "answer.pointed:Pointed.run"),
        stage("preferred documents", "search.named:PreferNamed.run"),
    ]
    made += [
        without(f"spans: {kind}", "answer.prose:read_spans", has(f"made:{kind}"))
        for kind in ("phrase", "date", "sentence", "clause")
    ]
    return made


NEVER = re.compile(r"(?!)")


@dataclass(frozen=True)
class Words:
    """A pattern of wording, or an entry of the data: each place with what stands there when it is gone."""

    name: str
    places: tuple[tuple[Any, str, Any], ...]

    def swap(self, gone: bool) -> None:
        """Take the words away, or put them back."""
        for held, attribute, (whole, less) in self.places:
            setattr(held, attribute, less if gone else whole)
        forget()


def forget() -> None:
    """Empty every cache of what was read of a question or of the shipped data."""
    for name in ("answer.question", "answer.statements", "search.expand"):
        for each in list(vars(import_module(f"pincite.{name}")).values()):
            if hasattr(each, "cache_clear"):
                each.cache_clear()


def patterns() -> Iterator[Words]:
    """Every compiled pattern of the modules that read questions, and every single pattern of their tables."""
    modules = [
        import_module(f"pincite.{name}")
        for name in (
            "answer.wording", "answer.operands", "answer.question", "answer.formulas",
            "answer.names", "answer.complete", "answer.lines", "answer.derive", "answer.pointed",
            "answer.prose", "search.expand",
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
            elif isinstance(value, tuple) and value and all(_pattern(one) is not None for one in value):
                for at, one in enumerate(value):
                    key = id(_pattern(one))
                    seen.setdefault(key, []).append((module, name, (value, (*value[:at], *value[at + 1 :]))))
                    label = one[0] if isinstance(one, tuple) and isinstance(one[0], str) else ""
                    names.setdefault(key, f"{module.__name__.rpartition('.')[2]}.{name}[{at}] {label}".strip())
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
        gone = lambda path, more, less=less: less if path == expand._SHIPPED else whole_lexicon(path, more)  # noqa: E731
        yield Words(f"lexicon: {entry['asked'][0]}", ((expand, "_lexicon", (whole_lexicon, gone)),))
    kept = book()
    for name in kept.metrics:
        yield _of_book(
            f"metric: {name}", Book({n: t for n, t in kept.metrics.items() if n != name}, kept.lines, kept.titles)
        )
    for line in dict.fromkeys(kept.lines.values()):
        lines = {name: each for name, each in kept.lines.items() if each != line}
        yield _of_book(f"line: {line.labels[0]}", Book(kept.metrics, lines, kept.titles))


def _of_book(name: str, less: Book) -> Words:
    modules = [import_module(f"pincite.answer.{each}") for each in ("statements", "formulas", "items", "widen")]
    return Words(name, tuple((module, "book", (book, lambda: less)) for module in modules))


def reading_of(query: Query) -> object:
    """All that is read of a question before any document is looked at."""
    ask = understand(query)
    searched = tuple(words(query) for words in (expand.Keywords(), expand.Unframed(), expand.Written()))
    wanted = names.offered(ask), pointed.points(ask.text)
    kind = spans.kind_of(ask.text), names.focus(ask.text), names.beside(ask.text)
    patterns = [each for module in (complete, lines, derive) for each in vars(module).values()]
    met = [bool(each.search(ask.text)) for each in patterns if isinstance(each, re.Pattern)]
    return ask, searched, items_asked(ask), wanted, kind, met


def of_documents(name: str, data: Path, corpora: Path, limit: int | None) -> Iterator[Asked]:
    """The questions of a set over documents."""
    corpus = "reports-seen" if name == "other" else name
    library = Library(corpora / corpus / "corpus", Settings())
    if name in ("reports-seen", "other"):
        rows = read_lines(QUESTIONS / ("reports_seen.jsonl" if name == "reports-seen" else "other_things.jsonl"))
        for row in rows[:limit]:
            row = {"answer": None, "unit": None, **row}
            yield _asked(
                library, str(row["id"]), library.query(row["question"]), lambda r, row=row: answerkey.right(r, row)
            )
        return
    for one in judged(loaded(Work(name, data, corpora / name, limit))):
        row = gold(one)
        query = library.query(one.query.text, unit=one.query.unit)
        if name == "uda":
            query = library.query(one.query.text, (("document", tuple(row["doc_ids"])),))
        rule = _wattbot if name == "wattbot" else _typed
        yield _asked(library, one.id, query, lambda r, row=row, rule=rule: rule(r, row))


def _wattbot(made: Record, row: Mapping[str, Any]) -> bool:
    wanted = str(row["answer_value"])
    return not wattbot.is_blank(wanted) and wattbot.value_2025(wattbot.value_text(made.value), wanted)


def _typed(made: Record, row: Mapping[str, Any]) -> bool:
    return typed.answer_type(row) != "unanswerable" and typed.applies(row) and typed.right(made, row)


def _asked(library: Library, identity: str, query: Query, right: Callable[[Record], bool]) -> Asked:
    def candidate(ask: Ask, one: Candidate) -> Record:
        value = as_asked(ask, one.value)
        cited = tuple(Cited(where.document, where.node.anchor.page, where.quote) for where in one.evidence)
        return Record("", clean(value), unit_of(value), worded(value), citations=cited)

    return Asked(identity, query, lambda: record_of(record(library.answer(query), "", identity)), right, candidate)


def of_tables(data: Path, limit: int | None) -> Iterator[Asked]:
    """TAT-QA's questions over given tables, evenly drawn."""
    folder = data / "tableqa_tatqa"
    held = {row["context_id"]: row for row in read_lines(folder / "contexts.jsonl")}
    rows = read_lines(folder / "questions.jsonl")
    step = max(1, len(rows) // (limit or len(rows)))
    for number, row in enumerate(rows[::step]):
        context = held[row["context_id"]]
        passages = given.document_of(context["table"], [each["text"] for each in context["paragraphs"]])
        query = Query(row["question"])

        def answer(query: Query = query, passages: Any = passages) -> Record:
            ask = understand(query)
            best = quote.best_of(ask, passages)
            return candidate(ask, best[0]) if best else Record("")

        def candidate(ask: Ask, one: Candidate) -> Record:
            items, scale = given.items_and_scale(one)
            return Record("", items, scale=scale)

        def right(made: Record, row: Mapping[str, Any] = row) -> bool:
            return tatqa.score(made.value, made.scale, row["answer"], row["scale"], row["answer_type"])[0] == 1

        yield Asked(str(number), query, answer, right, candidate)


def state(one: Asked) -> str:
    """How a question is answered: right, wrong or silent."""
    made = one.answer()
    return "silent" if made.value is None else "right" if one.right(made) else "wrong"


@dataclass
class Count:
    """What a part does to a set."""

    spoke: int = 0
    moves: Counter[tuple[str, str]] = field(default_factory=Counter)
    ids: list[str] = field(default_factory=list)
    six: set[str] = field(default_factory=set)

    def note(self, identity: str, before: str, after: str) -> None:
        """A question answered again."""
        self.spoke += 1
        if before != after:
            self.moves[before, after] += 1
            self.ids.append(f"{identity} {before}>{after}")

    def brings(self, what: str) -> int:
        """How many more answers of a state there are with the part than without it."""
        return sum(n for (a, _), n in self.moves.items() if a == what) - sum(
            n for (_, b), n in self.moves.items() if b == what
        )


def measured(
    some: Sequence[Asked], parts: Sequence[Part], words: Sequence[Words]
) -> tuple[Counter[str], dict[str, Count], int]:
    """The states of a set's questions as they are, what each part does to them, and how many have a right candidate."""
    counts = {one.name: Count() for one in (*parts, *words)}
    before: dict[str, str] = {}
    spoke: dict[str, list[Part]] = {}
    reachable = 0
    for one in some:
        for part in parts:
            part.said, part.spoke = [], False
        before[one.id] = state(one)
        spoke[one.id] = [part for part in parts if part.spoke]
        ask, found = understand(one.query), False
        for part in spoke[one.id]:
            first = sorted(part.said, key=lambda each: -each.score)[:FIRST]
            if any(one.right(one.candidate(ask, each)) for each in first):
                counts[part.name].six.add(one.id)
                found = True
        reachable += found
    for part in parts:
        part.off = True
        for one in some:
            if part in spoke[one.id]:
                counts[part.name].note(one.id, before[one.id], state(one))
        part.off = False
    plainly = {one.id: reading_of(one.query) for one in some}
    for each in words:
        each.swap(gone=True)
        for one in some:
            try:
                changed = reading_of(one.query) != plainly[one.id]
                if changed:
                    counts[each.name].note(one.id, before[one.id], state(one))
            except (KeyError, ValueError, TypeError, AttributeError, IndexError) as error:
                counts[each.name].note(one.id, before[one.id], f"broken {type(error).__name__}")
        each.swap(gone=False)
    return Counter(before.values()), counts, reachable


def main() -> None:
    """Measure, print a table, and keep the questions that change."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("corpora", type=Path)
    parser.add_argument("sets", nargs="+")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--only", choices=("readers", "words"))
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    parts = readers()
    words = [*patterns(), *entries()] if options.only != "readers" else []
    parts = parts if options.only != "words" else []
    for name in options.sets:
        some = list(of_tables(options.data, options.limit) if name == "tatqa" else
                    of_documents(name, options.data, options.corpora, options.limit))  # fmt: skip
        now, counts, reachable = measured(some, parts, words)
        print(f"\n{name}: {len(some)} questions, {dict(now)}; a right candidate of some reader: {reachable}")
        print(f"{'part':44} {'spoke':>5} {'right':>5} {'wrong':>5} {'six':>4} {'alone':>5}  changes without it")
        whole = [each.name for each in parts if ":" not in each.name or each.name.startswith("cells:")]
        for each, count in sorted(counts.items(), key=lambda pair: pair[1].brings("right")):
            if not count.spoke:
                continue
            others = set().union(*(counts[other].six for other in whole if other.split(":")[0] != each.split(":")[0]))
            alone = len(count.six - others)
            moves = ", ".join(f"{a}>{b} {n}" for (a, b), n in sorted(count.moves.items()))
            told = f"{count.spoke:5} {count.brings('right'):+5} {count.brings('wrong'):+5} {len(count.six):4} {alone:5}"
            print(f"{each:44} {told}  {moves}")
        if options.out:
            kept = {
                each: {"spoke": c.spoke, "ids": c.ids, "six": sorted(c.six)} for each, c in counts.items() if c.spoke
            }
            options.out.mkdir(parents=True, exist_ok=True)
            (options.out / f"{name}-{options.only or 'all'}.json").write_text(json.dumps(kept, indent=1))


if __name__ == "__main__":
    main()
