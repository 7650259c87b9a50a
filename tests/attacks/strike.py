"""How long a pattern takes at most on 2,000 characters that are made to hold it up.

The characters that a pattern can tell apart are worked out from its tree: one stands for all that every part of it takes
alike. Each of them, each pair, each text that the pattern matches and each that one of its repeats takes is repeated, behind
nothing and behind what leads into that repeat, and followed by characters that make the match fail. All are tried on 250
characters; those that took longest, on 2,000.
"""

from __future__ import annotations

import random
import re
import signal
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice, product
from re import _constants as code  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]

LENGTH, SHORT = 2_000, 250
LIMIT_S = 0.2
"""Seconds of processor time that a pattern may take on LENGTH characters: one whose time grows with their square takes a tenth,
on a slow machine. More than that grows faster.
"""
KILLED_S = 1.0
PROBES = (
    "".join(map(chr, range(9, 127)))
    + "\0\x0b\x85\xa0£°½ßäéÉİı²’‘“”–—−…€₹٣１ΩЖ中\u2009\u200b\ufeff"
)
LASTS = ("\0", "\n", "a", "0", "!", "")
REPEATS = {code.MAX_REPEAT, code.MIN_REPEAT, code.POSSESSIVE_REPEAT}
LOOKS = {code.ASSERT, code.ASSERT_NOT}


@dataclass(frozen=True, slots=True)
class Slow:
    """What a pattern took longest on: `lead`, `unit` again and again, `last`."""

    seconds: float
    method: str
    lead: str = ""
    unit: str = ""
    last: str = ""

    def text(self, length: int) -> str:
        """The characters themselves."""
        return (
            self.lead + self.unit * max(1, (length - len(self.lead)) // len(self.unit)) + self.last
        )


class Pattern:
    """A pattern with its tree: which characters it tells apart, and what it matches."""

    def __init__(self, written: str, flags: int) -> None:
        self.compiled = re.compile(written, flags)
        self.ignores = bool(self.compiled.flags & re.IGNORECASE) or "(?i" in written
        self.tree = parser.parse(written, flags)
        self.dot = PROBES if self.compiled.flags & re.DOTALL else PROBES.replace("\n", "")

    def leaves(self, tree: object) -> Iterator[frozenset[str]]:
        """The characters among PROBES and the pattern's own that each part takes."""
        for op, given in _parts(tree):
            match op:
                case code.LITERAL | code.NOT_LITERAL | code.IN | code.ANY:
                    yield frozenset(self.taken(op, given))
                case code.AT:
                    yield frozenset(filter(re.compile(r"\w").match, PROBES))
                case code.GROUPREF:
                    pass
                case _:
                    for below in _below(op, given):
                        yield from self.leaves(below)

    def taken(self, op: object, given: object) -> str:
        """The characters that a part of one character takes."""
        match op:
            case code.ANY:
                return self.dot
            case code.LITERAL:
                return chr(given) + (chr(given).swapcase()[:1] if self.ignores else "")
            case code.NOT_LITERAL:
                return PROBES.replace(chr(given), "")
        negated = bool(given) and given[0][0] is code.NEGATE
        taken = {char for part in given for char in self.members(*part)}
        return (
            "".join(char for char in PROBES if char not in taken)
            if negated
            else "".join(sorted(taken))
        )

    def members(self, op: object, given: object) -> str:
        """The characters that a member of a set stands for."""
        match op:
            case code.LITERAL:
                return self.taken(op, given)
            case code.RANGE:
                low, high = given
                return (
                    chr(low)
                    + chr(high)
                    + "".join(char for char in PROBES if low <= ord(char) <= high)
                )
            case code.CATEGORY:
                name = str(given).rsplit("_", 1)[1].lower()[0]
                letter = name.upper() if "_NOT_" in str(given) else name
                return "".join(filter(re.compile(f"\\{letter}").match, PROBES))
        return ""

    def alphabet(self) -> list[str]:
        """A character for each set of them that no part tells apart, those that most parts take first."""
        leaves = list(self.leaves(self.tree))
        classes: dict[tuple[int, ...], str] = {}
        for char in sorted({*PROBES, *(char for leaf in leaves for char in leaf)}, key=_plainness):
            taking = tuple(number for number, leaf in enumerate(leaves) if char in leaf)
            if taking:
                classes.setdefault(taking, char)
        return [classes[taking] for taking in sorted(classes, key=len, reverse=True)]

    def sample(self, tree: object, draw: random.Random) -> str:
        """A text that a part of the pattern takes; what stands around it is not looked at."""
        return "".join(self._drawn(op, given, draw) for op, given in _parts(tree))

    def _drawn(self, op: object, given: object, draw: random.Random) -> str:
        if op in (code.LITERAL, code.NOT_LITERAL, code.IN, code.ANY):
            chars = self.taken(op, given)
            plain = [char for char in chars if char.isalnum() or char == " "]
            return draw.choice(plain or chars) if chars else ""
        if op in REPEATS:
            least, most, body = given
            return "".join(
                self.sample(body, draw)
                for _ in range(draw.randint(least, min(int(most), least + 2)))
            )
        if op is code.AT or op in LOOKS or op is code.GROUPREF:
            return ""
        below = list(_below(op, given))
        return self.sample(draw.choice(below), draw) if below else ""

    def repeats(
        self, tree: object, draw: random.Random, lead: str = ""
    ) -> Iterator[tuple[str, str]]:
        """What each repeat without an end takes, with what leads to it."""
        for op, given in _parts(tree):
            inside = (given[2],) if op in REPEATS else tuple(_below(op, given))
            for below in inside:
                yield from self.repeats(below, draw, lead)
            if op in REPEATS and int(given[1]) > 20:
                for _ in range(2):
                    if body := self.sample(given[2], draw):
                        yield lead, body
            lead += self._drawn(op, given, draw)


def _parts(tree: object) -> Iterator[tuple[object, object]]:
    yield from tree  # type: ignore[misc]


def _below(op: object, given: object) -> Iterator[object]:
    """The trees in a part."""
    match op:
        case code.BRANCH:
            yield from given[1]
        case code.SUBPATTERN:
            yield given[3]
        case code.MAX_REPEAT | code.MIN_REPEAT | code.POSSESSIVE_REPEAT:
            yield given[2]
        case code.ASSERT | code.ASSERT_NOT:
            yield given[1]
        case code.ATOMIC_GROUP:
            yield given
        case code.GROUPREF_EXISTS:
            yield from (tree for tree in given[1:] if tree)


def _plainness(char: str) -> tuple[bool, str]:
    return not (char.isascii() and char.isalnum() or char == " "), char


def inputs(pattern: Pattern, thorough: bool) -> Iterator[tuple[str, str, str]]:
    """What is put to a pattern: (lead, unit, last)."""
    draw = random.Random(7)
    alphabet = pattern.alphabet()[: None if thorough else 4]
    matches = {pattern.sample(pattern.tree, draw) for _ in range(30 if thorough else 3)} - {""}
    units = dict.fromkeys((*alphabet, *map("".join, product(alphabet, repeat=2)), *matches))
    repeats = list(
        islice(dict.fromkeys(pattern.repeats(pattern.tree, draw)), 200 if thorough else 12)
    )
    bodies = dict.fromkeys(body for _, body in repeats)
    units |= dict.fromkeys(
        first + second for first, second in product(islice(bodies, 6 if thorough else 3), repeat=2)
    )
    lasts = LASTS if thorough else LASTS[:2]
    for unit in units:
        yield from (("", unit, last) for last in lasts)
    for lead, body in repeats:
        for unit in dict.fromkeys((body, *(alphabet if thorough else alphabet[:2]))):
            yield from ((lead, unit, last) for last in lasts)


class _TooLong(Exception):
    """A pattern was stopped."""


@contextmanager
def _stopping() -> Iterator[None]:
    def stop(signum: int, frame: object) -> None:
        raise _TooLong

    before = signal.signal(signal.SIGVTALRM, stop)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _timed(compiled: re.Pattern[str], method: str, text: str, limit: float) -> float:
    """Seconds of processor time to search a text to its end or to match all of it; the limit when it was stopped there."""
    given = text.encode("latin-1", "ignore") if isinstance(compiled.pattern, bytes) else text
    signal.setitimer(signal.ITIMER_VIRTUAL, limit)
    start = time.thread_time()
    try:
        if method == "search":
            for _ in compiled.finditer(given):  # type: ignore[arg-type]
                pass
        else:
            compiled.fullmatch(given)  # type: ignore[arg-type]
    except _TooLong:
        return max(limit, time.thread_time() - start)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return time.thread_time() - start


def slowest(written: str, flags: int, thorough: bool = False, kept: int = 3) -> Slow:
    """What a pattern takes longest on, of `kept` inputs (all that are slow, when thorough) at the full length."""
    pattern = Pattern(written, flags)
    compiled = pattern.compiled
    with _stopping():
        tried = []
        for lead, unit, last in inputs(pattern, thorough):
            for method in ("search", "fullmatch"):
                short = Slow(0, method, lead, unit, last)
                seconds = _timed(compiled, method, short.text(SHORT), LIMIT_S)
                if seconds >= LIMIT_S and _again(compiled, short, SHORT, LIMIT_S) >= LIMIT_S:
                    return Slow(KILLED_S, method, lead, unit, last)
                tried.append((seconds, short))
        tried.sort(key=lambda pair: -pair[0])
        worst = Slow(0, "search")
        for _, short in tried[: 8 * kept if thorough else kept]:
            seconds = _timed(compiled, short.method, short.text(LENGTH), KILLED_S)
            if LIMIT_S < seconds < KILLED_S:
                seconds = _again(compiled, short, LENGTH, KILLED_S)
            if seconds > worst.seconds:
                worst = Slow(seconds, short.method, short.lead, short.unit, short.last)
    return worst


def _again(compiled: re.Pattern[str], slow: Slow, length: int, limit: float) -> float:
    """The best of three more runs: what else the machine did does not count."""
    return min(_timed(compiled, slow.method, slow.text(length), limit) for _ in range(3))


def strike(
    patterns: Sequence[tuple[str, int, str]], thorough: bool = False
) -> list[tuple[Slow, str, str]]:
    """Each pattern with where it stands and what it takes longest on, the slowest first."""
    found = [
        (slowest(written, flags, thorough), written, place) for written, flags, place in patterns
    ]
    return sorted(found, key=lambda one: -one[0].seconds)
