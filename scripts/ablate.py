"""Switch off one reader, one pattern of wording or one entry of the data at a time, and count what that changes.

    python scripts/ablate.py DATA CORPORA SET... [--limit N] [--only readers|words] [--out FOLDER]

DATA is the folder of data sets, CORPORA the folder in which `make measure` keeps their corpora. SET is reports-seen, other
(questions that have nothing to do with the same documents), uda, wattbot, financebench or tatqa. Every question is answered
by the pipeline that `pincite ask` runs, and answered again without a part if that part proposed anything. What a part
brings is the number of questions answered right only with it, less those answered right only without it; likewise for wrong
answers that are shown. `six` counts the questions for which a right value is among a reader's own first six candidates,
`alone` those for which no other reader has it there.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ablate_parts import Part, Words, entries, patterns, readers, reading_of

from benchmarks.measuring import answer_key as answerkey
from benchmarks.measuring import bare_table
from benchmarks.measuring.measurement import Work, gold, judged, loaded
from benchmarks.measuring.own_questions import QUESTIONS
from pincite.evidence.candidate import Candidate
from pincite.evidence.value_in_words import as_asked, worded
from pincite.lab.scoring import tatqa, wattbot
from pincite.lab.scoring import typed_answers as typed
from pincite.library import Library
from pincite.question.ask import Ask
from pincite.question.understanding import understand
from pincite.readers import candidates
from pincite.records.answer_record import clean, record, unit_of
from pincite.records.runfile import Cited, Record, read_lines, record_of
from pincite.settings import Settings
from pincite.types import Query
from pincite.workbench import submissions

FIRST = 6


@dataclass(frozen=True)
class Asked:
    """A question of a set: how it is answered now, and whether a value is right."""

    id: str
    query: Query
    answer: Callable[[], Record]
    right: Callable[[Record], bool]
    candidate: Callable[[Ask, Candidate], Record]


def of_documents(name: str, data: Path, corpora: Path, limit: int | None) -> Iterator[Asked]:
    """The questions of a set over documents."""
    corpus = "reports-seen" if name == "other" else name
    library = Library(corpora / corpus / "corpus", Settings())
    if name in ("reports-seen", "other"):
        rows = read_lines(
            QUESTIONS / ("reports_seen.jsonl" if name == "reports-seen" else "other_things.jsonl")
        )
        for row in rows[:limit]:
            row = {"answer": None, "unit": None, **row}
            yield _asked(
                library,
                str(row["id"]),
                library.query(row["question"]),
                lambda r, row=row: answerkey.right(r, row),
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
    return not wattbot.is_blank(wanted) and wattbot.value_2025(
        submissions.value_text(made.value), wanted
    )


def _typed(made: Record, row: Mapping[str, Any]) -> bool:
    return (
        typed.answer_type(row) != "unanswerable" and typed.applies(row) and typed.right(made, row)
    )


def _asked(
    library: Library, identity: str, query: Query, right: Callable[[Record], bool]
) -> Asked:
    def candidate(ask: Ask, one: Candidate) -> Record:
        value = as_asked(ask, one.value)
        cited = tuple(
            Cited(where.document, where.node.anchor.page, where.quote) for where in one.evidence
        )
        return Record("", clean(value), unit_of(value), worded(value), citations=cited)

    return Asked(
        identity,
        query,
        lambda: record_of(record(library.answer(query), "", identity)),
        right,
        candidate,
    )


def of_tables(data: Path, limit: int | None) -> Iterator[Asked]:
    """TAT-QA's questions over given tables, evenly drawn."""
    folder = data / "tableqa_tatqa"
    held = {row["context_id"]: row for row in read_lines(folder / "contexts.jsonl")}
    rows = read_lines(folder / "questions.jsonl")
    step = max(1, len(rows) // (limit or len(rows)))
    for number, row in enumerate(rows[::step]):
        context = held[row["context_id"]]
        passages = bare_table.document_of(
            context["table"], [each["text"] for each in context["paragraphs"]]
        )
        query = Query(row["question"])

        def answer(query: Query = query, passages: Any = passages) -> Record:
            ask = understand(query)
            best = candidates.best_of(ask, passages)
            return candidate(ask, best[0]) if best else Record("")

        def candidate(ask: Ask, one: Candidate) -> Record:
            items, scale = bare_table.items_and_scale(one)
            return Record("", items, scale=scale)

        def right(made: Record, row: Mapping[str, Any] = row) -> bool:
            return (
                tatqa.score(
                    made.value, made.scale, row["answer"], row["scale"], row["answer_type"]
                )[0]
                == 1
            )

        yield Asked(str(number), query, answer, right, candidate)


def state(one: Asked) -> str:
    """The state of an answer: right, wrong or silent."""
    made = one.answer()
    return "silent" if made.value is None else "right" if one.right(made) else "wrong"


@dataclass
class Count:
    """The effect of a part on a set."""

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
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
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
        print(
            f"\n{name}: {len(some)} questions, {dict(now)}; a right candidate of some reader: {reachable}"
        )
        print(
            f"{'part':44} {'spoke':>5} {'right':>5} {'wrong':>5} {'six':>4} {'alone':>5}  changes without it"
        )
        whole = [
            each.name for each in parts if ":" not in each.name or each.name.startswith("cells:")
        ]
        for each, count in sorted(counts.items(), key=lambda pair: pair[1].brings("right")):
            if not count.spoke:
                continue
            others = set().union(
                *(
                    counts[other].six
                    for other in whole
                    if other.split(":")[0] != each.split(":")[0]
                )
            )
            alone = len(count.six - others)
            moves = ", ".join(f"{a}>{b} {n}" for (a, b), n in sorted(count.moves.items()))
            told = f"{count.spoke:5} {count.brings('right'):+5} {count.brings('wrong'):+5} {len(count.six):4} {alone:5}"
            print(f"{each:44} {told}  {moves}")
        if options.out:
            kept = {
                each: {"spoke": c.spoke, "ids": c.ids, "six": sorted(c.six)}
                for each, c in counts.items()
                if c.spoke
            }
            options.out.mkdir(parents=True, exist_ok=True)
            (options.out / f"{name}-{options.only or 'all'}.json").write_text(
                json.dumps(kept, indent=1)
            )


if __name__ == "__main__":
    main()
