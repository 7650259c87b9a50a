"""Editions of invented works: which are recognised, which are joined wrongly, and whether the right one answers.

    python benchmarks/formats/versions.py [--works 24] [--seed 7] [--keep FOLDER] [--show]

For each work a document and its newer edition are written, in one of several ways: a standard with its year, a handbook with
its version on the cover or in its name, a policy issued again with a date, a corrected file, a draft and its final version,
reports of two years of which the later restates a value. Beside them stand documents that are not editions of them: the same
handbook of another company, a standard with the next number or another part, bills and volumes, two notes that contradict
each other. A newer edition has one different value; a tenth to six tenths of its sentences are reworded and some left out.
Every work is asked for the value that changed: now, as of the date of the older, and naming the older edition.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path

from pincite.library import Library, index
from pincite.settings import Settings
from pincite.types import Answer

THINGS = (
    "pump shaft|valve seat|cable tray|roof truss|bearing housing|filter cartridge|rail clamp|heat shield|drive belt|"
    "support bracket|gear casing|pressure hose|anchor bolt|floor panel|signal relay|cooling fin|fuel tank|brake disc|"
    "lifting eye|spray nozzle|guide rail|seal ring|junction box|wall bracket"
).split("|")
TRAITS = (
    ("greatest permitted load", "kN"), ("lowest service temperature", "°C"), ("inspection interval", "days"),
    ("nominal thickness", "mm"), ("allowed deflection", "mm"), ("test pressure", "bar"), ("storage time", "months"),
)  # fmt: skip
STAFF = (
    ("daily allowance abroad", "EUR"), ("highest price of a hotel night", "EUR"), ("notice period", "days"),
    ("yearly training budget", "EUR"), ("probation time", "months"), ("mileage rate", "cents"),
)  # fmt: skip
NAMES = (
    "Norrvik|Halden|Brexton|Solvane|Tarnby|Ostrava|Kelmar|Varde|Lindholt|Marwick|Elsdon|Fjordal|Graveson|Hestra|Ilmen|"
    "Jorvik|Karsholm|Lydgate|Moraine|Nethercott|Ormond|Pelham|Quenby|Rossvik"
).split("|")
SENTENCES = (
    "{who} keeps a record of every {what} that is taken into use.",
    "Whoever works with a {what} has read the instructions of {who} first.",
    "A damaged {what} is taken out of use and marked with a red label.",
    "The person in charge at {who} decides within {n} days about each deviation.",
    "Copies of the record of the {what} are kept for {n} years in the archive.",
    "No {what} may be changed without the written consent of the person in charge.",
    "Questions about the {what} are answered by the technical office on workdays.",
    "The {what} is cleaned with water and a soft cloth before every check.",
    "Training about the {what} is given twice a year and takes {n} hours.",
    "A check of the {what} is carried out by two persons, one of whom writes the report.",
    "Suppliers of a {what} are chosen from the list that {who} publishes each spring.",
    "If the {what} is moved to another site, the label and the record move with it.",
)


@dataclass
class Work:
    """A work: its files, older before newer, what is asked of it, and what is true of the two."""

    kind: str
    files: list[tuple[str, str]]
    question: str
    values: tuple[str, str]
    replaces: bool = True
    as_of: str = ""
    named: str = ""
    joined: bool = True


class Writer:
    """Writes works with one random source, each name and number once."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.names = self.random.sample(NAMES, len(NAMES))
        self.used: set[object] = set()

    def once(self, make: Callable[[], object]) -> object:
        """Something that was not given before."""
        while (one := make()) in self.used:
            pass
        self.used.add(one)
        return one

    def company(self) -> str:
        """A company's name; those that are used up come again with another field of business."""
        trades = ("Logistics", "Works", "Marine", "Systems", "Energy", "Foods")
        return str(
            self.once(lambda: f"{self.random.choice(self.names)} {self.random.choice(trades)}")
        )

    def body(self, who: str, count: int = 26) -> list[str]:
        """Sentences that only this work has."""
        chosen = [
            (self.random.choice(SENTENCES), self.random.choice(THINGS)) for _ in range(count)
        ]
        return [
            form.format(who=who, what=what, n=self.random.randint(2, 30)) for form, what in chosen
        ]

    def revised(self, body: list[str], who: str) -> list[str]:
        """The sentences of a newer edition: some left out, a tenth to six tenths others, in the same order."""
        new, share = iter(self.body(who, len(body))), self.random.uniform(0.1, 0.6)
        kept = [next(new) if self.random.random() < share else one for one in body]
        return [one for one in kept if self.random.random() < 0.95]

    def values(self) -> tuple[str, str]:
        """Two different numbers."""
        first = self.random.randint(12, 480)
        return str(first), str(first + self.random.choice((-1, 1)) * self.random.randint(2, 11))

    def measured(self) -> tuple[str, str]:
        """Something that is measured, and its unit."""
        (trait, unit), thing = self.once(
            lambda: (self.random.choice(TRAITS), self.random.choice(THINGS))
        )  # type: ignore[misc, has-type]
        return f"{trait} of the {thing}", unit

    def staffed(self, who: str) -> tuple[str, str]:
        """Something that staff are told, and its unit."""
        trait, unit = self.random.choice(STAFF)
        return f"{trait} at {who}", unit

    def dates(self) -> tuple[tuple[str, str], tuple[str, str]]:
        """Two days of different years, each in words and as ISO has it, the earlier first."""
        months = "January February March April May June July August September October November December".split()
        year = self.random.randint(2008, 2019)
        made = []
        for one in (year, year + self.random.randint(1, 5)):
            month, day = self.random.randint(1, 12), self.random.randint(1, 28)
            made.append((f"{day} {months[month - 1]} {one}", f"{one}-{month:02d}-{day:02d}"))
        return made[0], made[1]


def slug(name: str) -> str:
    """A name as files are called."""
    return name.casefold().replace(" ", "-")


def page(head: list[str], fact: str, body: list[str]) -> str:
    """A text file: its head line by line, the fact among the sentences, in paragraphs of four."""
    told = [*body[:7], fact, *body[7:]]
    paragraphs = [" ".join(told[at : at + 4]) for at in range(0, len(told), 4)]
    return "\n\n".join([*head, *paragraphs]) + "\n"


def save(path: Path, text: str) -> None:
    """Write a text as what its name says: as it is, as HTML, or as a PDF whose pages are A4."""
    if path.suffix == ".pdf":
        from reportlab.lib.styles import getSampleStyleSheet
        from reportlab.platypus import Paragraph, SimpleDocTemplate, Spacer

        styles = getSampleStyleSheet()
        blocks = [part for part in text.split("\n\n") if part.strip()]
        made = [
            Paragraph(part, styles["Title" if at == 0 else "Normal"])
            for at, part in enumerate(blocks)
        ]
        SimpleDocTemplate(str(path)).build([one for part in made for one in (part, Spacer(1, 8))])
    elif path.suffix == ".html" and not text.startswith("<"):
        first, *rest = [part for part in text.split("\n\n") if part.strip()]
        told = "".join(f"<p>{part}</p>" for part in rest)
        path.write_text(
            f"<html><head><title>{first}</title></head><body><h1>{first}</h1>{told}</body></html>",
            "utf-8",
        )
    else:
        path.write_text(text, encoding="utf-8")


def two(
    w: Writer,
    kind: str,
    names: Sequence[str],
    heads: Sequence[list[str]],
    who: str,
    told: tuple[str, str],
    as_of: str = "",
    named: str = "",
) -> Work:
    """A work with an older and a newer edition, which say something else of what is `told` (and in which unit)."""
    what, unit = told
    values, body = w.values(), w.body(who)
    suffix = w.random.choice((".txt", ".html", ".pdf"))
    files = [
        (name + suffix, page(head, f"The {what} is {value} {unit}.", some))
        for name, head, value, some in zip(
            names, heads, values, (body, w.revised(body, who)), strict=True
        )
    ]
    return Work(kind, files, f"What is the {what}?", values, as_of=as_of, named=named)


def standard(w: Writer) -> Iterator[Work]:
    """A standard in two editions; the next part and the next number are other standards."""
    number = int(str(w.once(lambda: w.random.randint(10100, 59000))))
    year, later = sorted(w.random.sample(range(1999, 2023), 2))
    subject = f"{w.random.choice(THINGS)} for {w.random.choice(('rail', 'marine', 'road', 'building'))} use"
    who = "the manufacturer"

    def head(name: str, one: int) -> list[str]:
        return [f"EN {name}:{one} Requirements for the {subject}", "European standard"]

    heads = [head(f"{number}-2", one) for one in (year, later)]
    names = [f"EN {number}-2_{one}" for one in (year, later)]
    made = two(
        w, "standard", names, heads, who, w.measured(), str(later - 1), f"EN {number}-2:{year}"
    )
    made.question = f"{made.question[:-1]} in EN {number}-2?"
    yield made
    for other in (f"{number}-3", f"{number + 1}-2"):
        fact = (
            f"The shelf life of the {w.random.choice(THINGS)} is {w.random.randint(3, 90)} months."
        )
        file = f"EN {other}_{later}.txt", page(head(other, later), fact, w.body(who))
        yield Work("another standard", [file], "", ("", ""), joined=False)


def handbook(w: Writer) -> Iterator[Work]:
    """A handbook with its version in the name; the same template filled in by another company is another."""
    who, other = w.company(), w.company()
    (first, _), (second, iso) = w.dates()
    heads = [[f"{who} staff handbook", f"Issued: {one}"] for one in (first, second)]
    names, then = [f"{slug(who)}-handbook-v{at}" for at in (1, 2)], str(int(iso[:4]) - 1)
    made = two(
        w,
        "version in the name",
        names,
        heads,
        who,
        w.staffed(who),
        then,
        "version 1 of the handbook",
    )
    yield made
    text = made.files[1][1].replace(who, other).replace(who.split()[0], other.split()[0])
    yield Work(
        "another's template",
        [(f"{slug(other)}-handbook-v3.txt", text)],
        "",
        ("", ""),
        joined=False,
    )


def covered(w: Writer) -> Iterator[Work]:
    """A manual whose file names say nothing and whose covers have a revision and a date."""
    who, told = w.company(), w.measured()
    thing = told[0].split(" of the ")[1]
    (first, _), (second, iso) = w.dates()
    title = f"{who} {thing} maintenance manual"
    heads = (
        [title, "Revision A", f"Date of issue: {first}"],
        [title, "Revision B", f"Date of issue: {second}"],
    )
    names = [str(w.once(lambda: w.random.randrange(10**7, 10**8))) for _ in range(2)]
    asked, then = f"revision A of the {who} {thing} manual", str(int(iso[:4]) - 1)
    yield two(w, "revision on the cover", names, heads, who, told, then, asked)


def dated(w: Writer) -> Iterator[Work]:
    """A policy that is issued again with another date in its name."""
    who = w.company()
    (_, first), (_, second) = w.dates()
    name = f"{slug(who)}-travel-policy"
    head = [f"Travel policy of {who}"]
    names, then = (f"{name}-{first}", f"{name}-{second}"), str(int(second[:4]) - 1)
    yield two(
        w,
        "date in the name",
        names,
        (head, head),
        who,
        w.staffed(who),
        then,
        f"policy of {first[:4]}",
    )


def corrected(w: Writer) -> Iterator[Work]:
    """A file and its correction; a draft and its final version."""
    for before, after in (("", " (corrected)"), (" draft", " final")):
        who = w.company()
        name = f"{who} purchase rules"
        yield two(
            w,
            "corrected or final",
            (name + before, name + after),
            ([name], [name]),
            who,
            w.staffed(who),
        )


def superseding(w: Writer) -> Iterator[Work]:
    """A guideline under a new name whose cover says which one it replaces."""
    who, told = w.company(), w.measured()
    thing = told[0].split(" of the ")[1]
    old, new = f"Guideline {who} {thing} care", f"Directive {who} {thing} upkeep"
    heads = ([old], [new, f"This directive replaces {old}."])
    yield two(
        w, "said on the cover", (f"{who} {thing} care", f"{who} {thing} upkeep"), heads, who, told
    )


def letters(w: Writer) -> Iterator[Work]:
    """Similar documents that are not editions: bills of one company to two others, and two volumes of a manual."""
    who, thing = w.company(), w.random.choice(THINGS)
    terms = w.body(who)
    for at in range(2):
        number, day = w.once(lambda: w.random.randrange(10**4, 10**5)), w.dates()[at][0]
        fact = f"{w.company()} owes {who} the sum of {w.random.randint(90, 900)} EUR."
        bill = page([f"Bill of {who}", f"Number {number}", f"Date: {day}"], fact, terms)
        yield Work(
            "a bill", [(f"{slug(who)}-bill-{number}.txt", bill)], "", ("", ""), joined=False
        )
        volume = page(
            [f"{who} {thing} repair manual, part {at + 1}"],
            f"Part {at + 1} has {30 + at} pages.",
            [*terms[:8], *w.body(who, 20)],
        )
        yield Work(
            "a volume",
            [(f"{slug(who)}-repair-part-{at + 1}.txt", volume)],
            "",
            ("", ""),
            joined=False,
        )


def reports(w: Writer) -> Iterator[Work]:
    """Reports of two years; the later restates one value of the earlier."""
    who = f"{w.company()} plc"
    year = w.random.randint(2015, 2023)
    rows = (
        "Revenue",
        "Cost of sales",
        "Operating profit",
        "Net finance cost",
        "Income tax",
        "Net debt",
        "Order intake",
    )
    values = {row: [w.random.randint(200, 9000) / 10 for _ in range(3)] for row in rows}
    changed = w.random.choice(rows)
    restated = round(
        values[changed][1] + w.random.choice((-1, 1)) * w.random.randint(5, 60) / 10, 1
    )
    files = []
    for one in (year, year + 1):
        at = 1 if one == year else 2
        body = "".join(
            f"<tr><td>{row}</td><td>{some[at]}</td><td>{restated if one > year and row == changed else some[at - 1]}</td></tr>"
            for row, some in values.items()
        )
        text = "".join(f"<p>{sentence}</p>" for sentence in w.body(who, 8))
        files.append((
            f"{slug(who)}-annual-report-{one}.html",
            f"<html><head><title>{who} annual report {one}</title></head><body><h1>{who} annual report {one}</h1>"
            f"<p>For the year ended December 31, {one}.</p>{text}<h2>Key figures</h2><table><caption>Key figures in EUR million"
            f"</caption><tr><th></th><th>{one}</th><th>{one - 1}</th></tr>{body}</table></body></html>",
        ))  # fmt: skip
    question = f"What was the {changed.casefold()} of {who} in {year}?"
    told = str(values[changed][1]), str(restated)
    yield Work(
        "restated year",
        files,
        question,
        told,
        replaces=False,
        as_of=str(year),
        named=f"its {year} annual report",
    )


def contradicting(w: Writer) -> Iterator[Work]:
    """Two notes of one company that contradict each other; nothing says which is newer."""
    who, values = w.company(), w.values()
    what, unit = w.measured()
    fact = f"{what} at {who}"
    files = []
    for name, value in zip(("brochure", "memo"), values, strict=True):
        text = page([f"{who} {name}"], f"The {fact} is {value} {unit}.", w.body(who, 9))
        files.append((f"{slug(who)}-{name}.txt", text))
    yield Work(
        "contradicting", files, f"What is the {fact}?", values, replaces=False, joined=False
    )


KINDS = (
    standard,
    handbook,
    covered,
    dated,
    corrected,
    superseding,
    reports,
    contradicting,
    letters,
)


def written(works: int, seed: int) -> list[Work]:
    """At least so many works with an older and a newer edition, of all kinds in turn, and what stands beside them."""
    w, made = Writer(seed), list[Work]()
    for make in cycle(KINDS):
        if sum(len(one.files) == 2 for one in made) >= works:
            break
        made += make(w)
    return made


def says(answer: Answer, value: str) -> bool:
    """Whether an answer is a value."""
    return value in answer.text.replace(",", "").split() or answer.text.replace(
        ",", ""
    ).startswith(f"{value} ")


def main() -> None:
    """Write, index, ask, count."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--works", type=int, default=24)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--keep", type=Path, help="where to leave the files")
    parser.add_argument("--show", action="store_true", help="print what went wrong")
    given = parser.parse_args()
    works = written(given.works, given.seed)
    with tempfile.TemporaryDirectory() as folder:
        files = given.keep or Path(folder) / "files"
        files.mkdir(parents=True, exist_ok=True)
        for one in works:
            for name, text in one.files:
                assert not (files / name).exists(), name
                save(files / name, text)
        index(files, Path(folder) / "corpus")
        measure(works, Library(Path(folder) / "corpus", Settings()), given.show)


def measure(works: list[Work], library: Library, show: bool) -> None:
    """Print the figures."""
    series = library.corpus.generation.series
    together = {
        frozenset((a.document, b.document))
        for one in series
        for a in one.editions
        for b in one.editions
        if a != b
    }
    replaced = {
        (a.document, a.replaced_by) for one in series for a in one.editions if a.replaced_by
    }
    count: Counter[str] = Counter()
    of: Counter[str] = Counter()

    def tell(what: str, right: bool, why: object) -> None:
        of[what] += 1
        count[what] += right
        if show and not right:
            print(f"  not {what}: {why}")

    true: set[frozenset[str]] = set()
    for one in works:
        if len(one.files) < 2:
            continue
        old, new = (name for name, _ in one.files)
        if one.joined:
            true.add(frozenset((old, new)))
            right = (
                (old, new) in replaced
                if one.replaces
                else frozenset((old, new)) in together and (old, new) not in replaced
            )
            tell("recognised", right, (one.kind, old, new))
        now = library.ask(one.question)
        if not one.joined:
            both = any(
                says(other, value)
                for other in now.others
                for value in one.values
                if not says(now, value)
            )
            tell(
                "contradiction shown",
                both and any(says(now, value) for value in one.values),
                (one.question, now.text, now.others),
            )
            continue
        tell(
            "newest answered",
            says(now, one.values[1]),
            (one.kind, one.question, now.text, now.reason),
        )
        named = any(other.stands == "superseded" and old in other.reason for other in now.others)
        tell(
            "older named",
            named,
            (one.kind, one.question, now.text, [other.reason for other in now.others]),
        )
        told = any(
            other.stands == "superseded" and says(other, one.values[0]) for other in now.others
        )
        tell("older named with its value", told, (one.kind, one.question, now.text))
        if one.as_of:
            then = library.ask(one.question, as_of=one.as_of)
            tell(
                "as-of answered",
                says(then, one.values[0]),
                (one.kind, one.question, one.as_of, then.text, then.reason),
            )
        if one.named:
            asked = f"{one.question[:-1]} according to {one.named}?"
            if one.kind == "standard":
                asked = one.question.replace(one.named.split(":")[0], one.named)
            then = library.ask(asked)
            tell(
                "named edition answered",
                says(then, one.values[0]),
                (one.kind, asked, then.text, then.reason),
            )
    wrong = together - true
    documents = sum(len(one.files) for one in works)
    print(f"{documents} documents, {len(true)} pairs of editions or years")
    print(f"pairs joined wrongly: {len(wrong)} of {documents * (documents - 1) // 2 - len(true)}")
    for pair in sorted(map(sorted, wrong)) if show else ():
        print(f"  joined wrongly: {pair}")
    for what in of:
        print(f"{what}: {count[what]} of {of[what]} ({count[what] / of[what]:.3f})")


if __name__ == "__main__":
    main()
