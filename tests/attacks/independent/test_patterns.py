"""What is asked, named, headed, typed or drawn up by a stranger so that it is worked on for ever: each is over in time."""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
LIMIT_S = 20
"""Seconds in which all attacks of one child must be over; the processor time of each is counted in it."""
EACH_S = 2.5
"""Seconds of processor time that one of them may take."""

CHILD = """
import json, resource, sys, time
from decimal import Decimal
from pathlib import Path
corpus, folder, which, each = sys.argv[1], Path(sys.argv[2]), sys.argv[3], float(sys.argv[4])
resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
from pincite.errors import PinciteError
from pincite.library import Library
from pincite.settings import Settings

def fill(unit, size=2000, lead="", last="?"):
    return (lead + unit * (size // len(unit) + 1))[: size - len(last)] + last

def timed(name, what, *given):
    started = time.process_time()
    try:
        what(*given)
        said = "done"
    except PinciteError as error:
        said = str(error)
    print(json.dumps({"name": name, "said": said[:200], "seconds": time.process_time() - started}), flush=True)

ASKED = {
    "opening parentheses": fill("("), "digits and commas": fill("1,"), "years": fill("2022, 2023 and "), "a range of years": "Revenue from 1 to 99999999999 in each year?",
    "sums of sums": fill("the sum of the difference between "), "ratios": fill("ratio of revenue to "), "powers of ten": "Is revenue 10^999999999 or 1e999999999 or 10⁹⁹⁹⁹⁹⁹?",
    "scales": fill("million ", lead="Is revenue one "), "companies": fill("Halvorsen Maritime, Solvik Energy and "), "ligatures": fill("\\ufdfa"), "accents": fill("e\\u0301\\u0302\\u0303"),
    "joined letters": fill("a\\u200d"), "capitals": fill("A"), "initials": fill("A.B. "), "quotes": fill("\\u2018\\u201c\\u2019\\""), "labels": fill("Revenue, Inventories, Equity, Total assets, "),
    "growth": fill("percentage change in revenue between 2022 and 2023 and "), "which year": fill("which year had the highest "), "units": fill("kg/m\\u00b2\\u00b7"), "German": fill("Umsatzerl\\u00f6se und "),
    "Han": fill("\\u4e2d"), "pages": fill("page 9 of table 1 on "), "not": fill("not "), "dates": fill("31 December 2023 "), "apostrophes": fill("'s "),
}

def questions():
    library = Library(corpus, Settings())
    library.ask("What was the revenue of Halvorsen Maritime in 2023?")
    for name, text in ASKED.items():
        timed(name, library.ask, text)
        timed(name + ", searched", library.search, text)

def chat():
    from pincite.chat import Conversation
    library = Library(corpus, Settings())
    library.ask("What was the revenue of Halvorsen Maritime in 2023?")
    for name, before in (
        ("a long past", [("and in 2022? " * 150, "412.6 " * 2000)] * 60), ("a past of names", [(fill("Halvorsen Maritime and Solvik Energy ", last=""), "x")] * 40),
        ("a past of references", [(fill("it them those the same "), fill("the former the latter "))] * 40), ("an endless word", [("a" * 500_000, "b" * 500_000)]),
    ):
        talk = Conversation(library, None, library.kit)
        for asked, said in before:
            talk.recall(asked, said)
        timed(name, lambda: list(talk.turn("and in 2022?")))
    timed("follow-ups in one", lambda: list(Conversation(library, None, library.kit).turn(fill("and what about that of the other one in "))))

def corrections():
    from pincite.review import value_of
    from pincite.types import Query
    for name, text in (
        ("digits", "9" * 10_000), ("noughts", "1" + "0" * 9_999), ("power", "1e999999999"), ("small power", "1e-999999999"), ("scales", "1 " + "million " * 1_200), ("commas", "1," * 5_000),
        ("parentheses", "(" * 10_000), ("spaces", "1" + " " * 9_990 + "x"), ("dashes", "-" * 9_999 + "1"), ("halves", "1/2 " * 2_500), ("superscripts", "10" + "\\u2079" * 9_000), ("euros", "\\u20ac" * 9_999),
        ("ranges", "1-" * 5_000), ("spelled", "hundred " * 1_200), ("plus and minus", "\\u00b11" * 5_000), ("Arabic digits", "\\u0663" * 9_999),
    ):
        for unit in ("", "kg/m\\u00b2\\u00b7" * 10):
            timed(f"{name} in {unit[:2]!r}", value_of, text, Query("How much?"), unit)

CELLS = {
    "spaces": " " * 60_000, "digits": "1" * 60_000, "points": "1." * 30_000, "parentheses": "(" * 60_000, "dashes": "\\u2013 " * 30_000, "percent": "5% " * 20_000, "currencies": "EUR " * 15_000,
    "scales": "1 " + "million " * 7_000, "powers": "1e999999999", "superscripts": "10" + "\\u2079" * 5_000, "notes": "1)" * 30_000, "dates": "31/12/2023 " * 5_000, "brackets": "[" * 60_000, "of": "of the " * 9_000,
}

def documents():
    from pincite.library import index
    for name, cell in CELLS.items():
        place = folder / name
        place.mkdir()
        (place / "cell.md").write_text(f"# Report 2023\\n\\n| USD m | 2023 | 2022 |\\n|---|---|---|\\n| Revenue | {cell} | 5 |\\n| Costs | 7 | {cell} |\\n")
        (place / "heading.md").write_text(f"# {cell[:20_000]}\\n\\n## {cell[:20_000]}\\n\\nRevenue was {cell[:20_000]} in 2023.\\n")
        def read():
            from pincite.ingest.parse import parse
            for one in sorted(place.glob("*.md")):
                parse(one)
        timed(name, read)

def names():
    from pincite.versions.marks import marks_of  # noqa: F401
"""


def struck(corpus, folder, which):
    """What a child told of its attacks, which must all be over in time."""
    words = [sys.executable, "-P", "-c", CHILD + f"\n{which}()\n", str(corpus), str(folder), which, str(EACH_S)]
    told = subprocess.run(words, capture_output=True, text=True, timeout=10 * LIMIT_S, cwd=folder, env=_environment(), check=False)
    assert told.returncode == 0, told.stderr[-1500:]
    return [json.loads(line) for line in told.stdout.splitlines()]


def _environment():
    import os

    return {**os.environ, "PYTHONPATH": str(ROOT)}
