"""A question and the follow-ups that narrow it, as one program: each adds tests to the one before, or asks something else of
the same rows.

What a follow-up says is read by itself, as a question to the same relation, so that what was understood before stays as it
was: "only the DIN ones" adds a test, "and 4130?" takes the place of the material asked for, "how many of them?" counts the
rows, "and their density?" shows another column of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from pincite.database.relations.column_heading import readable
from pincite.rows.programs.compilation import statement
from pincite.rows.programs.interpretation import Interpretation, interpret
from pincite.rows.programs.program import Aggregate, Condition, Field, RowQuery, Test, explain

if TYPE_CHECKING:
    from pincite.database.relations.model import Relation
    from pincite.database.sources.connection import OpenDatabase
    from pincite.ports import Encoder
    from pincite.rows.programs.pieces import ValueIndex

_LEAD = re.compile(
    r"^\W*(?:(?:ok(?:ay)?|so|now|then|and|but|or|also|please|just|only|keep|what\s+about|how\s+about|what\s+of|(?:the\s+)?same\s+for|"
    r"(?:limit|restrict|narrow)\s+(?:it|them|that|this)\s+(?:down\s+)?to)\b[\s,:;.-]*)+",
    re.IGNORECASE,
)
_THOSE = re.compile(
    r"\b(?:of|among|from|for|in)\s+(?:all\s+of\s+)?(?:those|them|these)\b|\b(?:those|them|these)\b", re.IGNORECASE
)
_ONES = re.compile(r"^(?:the\s++|which\s++)?(?P<what>.+?)\s++ones?$", re.IGNORECASE)
_WHICH = re.compile(
    r"^(?:which|what|who|show|list|give|find)\b\s*(?:me\s+)?(?:ones\s+)?(?:are|is|were|was|have|has|do|does)?\s*",
    re.IGNORECASE,
)
_COUNT = re.compile(r"^how\s+many\b\W*(?:are\s+(?:there|they|that)|is\s+that)?\W*$", re.IGNORECASE)
_THEIR = re.compile(
    r"^(?:(?:what|which|show|give|list)\b.*?)?\b(?:their|its|the)\s+(?P<what>[^?]+?)(?:\s+of\s+(?:each|all))?$",
    re.IGNORECASE,
)
_FULL = re.compile(
    r"^(?:what|which|who|where|when|how|is|are|was|were|do|does|did|list|show|give|find|compare)\b", re.IGNORECASE
)
_BARE = re.compile(
    r"^(?:above|below|over|under|more|less|greater|higher|lower|smaller|larger|at\s+(?:least|most)|up\s+to|between|exceeding|[<>]=?)\b[^a-z]*"
    r"(?:than\s+)?[\d.,]+\s*\S*(?:\s+and\s+[\d.,]+\s*\S*)?$",
    re.IGNORECASE,
)
_LONGEST = 14
"""Words of a follow-up beyond which it stands for itself."""


def narrowed(
    refines: Sequence[str], source: OpenDatabase, values: ValueIndex, encoder: Encoder | None = None
) -> Interpretation | None:
    """The first of `refines` as a question, narrowed by each of the others in turn; None when one of them does not narrow it."""
    found = interpret(refines[0], source, values, encoder)
    for text in refines[1:]:
        if found.program is None or found.refused:
            return None
        made = _narrower(text, found, source, values, encoder)
        if made is None:
            return None
        program, read = made
        compiled = statement(program, source.database)
        fresh = tuple(pair for pair in read.mapping if pair[0].casefold() in text.casefold())
        fewer = len(program.tests) <= len(found.program.tests) and program.select == found.program.select
        meanings = {meaning for _, meaning in fresh} if fewer else set()  # a test took the place of another
        kept = tuple(pair for pair in found.mapping if pair not in fresh and pair[1] not in meanings)
        found = replace(
            found,
            program=program,
            statement=compiled,
            said=explain(program),
            mapping=(*kept, *fresh),
            confidence=min(found.confidence, read.confidence),
            result=source.run(compiled),
            alternatives=(),
        )
    return found


def _narrower(
    text: str, found: Interpretation, source: OpenDatabase, values: ValueIndex, encoder: Encoder | None
) -> tuple[RowQuery, Interpretation] | None:
    """The program of a question with what a follow-up says, and how that was read."""
    program = found.program
    assert program is not None
    flat = " ".join(text.split()).rstrip(" ?.!")
    rest = _LEAD.sub("", flat).strip()
    refers = bool(_THOSE.search(rest))
    bare = " ".join(_THOSE.sub(" ", rest).split())
    if not bare or len(bare.split()) > _LONGEST:
        return None
    if _COUNT.match(bare):
        return _counted(program), replace(found, mapping=())
    relation = source.database.relation(program.relation)
    name = relation.readable or relation.name
    if (their := _THEIR.match(bare)) and (refers or "their" in bare.casefold() or "its" in bare.casefold().split()):
        read = interpret(f"What is the {their['what']} of {name}?", source, values, encoder)
        shown = _shown(read, program)
        return (replace(program, select=(*program.select, *shown)), read) if shown else None
    if _FULL.match(bare) and not refers:
        return None
    for question in _asked(bare, name, _compared(program, relation)):
        read = interpret(question, source, values, encoder)
        if read.program is None or read.unmapped or read.program.relation != program.relation:
            continue
        tests = tuple(test for test in read.program.tests if not _presence(test))
        if tests:
            return replace(program, tests=_joined(program.tests, tests)), read
        if read.program.order and read.program.limit is not None or read.program.best:
            own = read.program
            return replace(program, best=own.best, order=own.order, limit=own.limit, offset=own.offset), read
    return None


def _counted(program: RowQuery) -> RowQuery:
    """How many the rows are that a program shows: different ones where it shows each once."""
    shown = program.select[0] if len(program.select) == 1 and program.distinct else None
    measure = Aggregate("count", shown, distinct=True) if isinstance(shown, Field) else Aggregate("count")
    return replace(program, select=(measure,), order=(), limit=None, offset=0, distinct=False)


def _compared(program: RowQuery, relation: Relation) -> str:
    """What to call the column that a program last compared with a number; "" when it did with none."""
    for test in reversed(program.tests):
        if isinstance(test, Test) and test.operator in ("<", "<=", ">", ">=") and isinstance(test.item, Field):
            return "" if test.item.path else readable(relation.column(test.item.column))
    return ""


def _asked(bare: str, name: str, compared: str) -> Iterator[str]:
    """A follow-up as a question to the same relation; a bare comparison is of the column compared before."""
    ones = _ONES.match(bare)
    what = _WHICH.sub("", ones["what"] if ones else bare).strip()
    if not what:
        return
    if compared and _BARE.match(what):
        yield f"Which {name} with {compared} {what}?"
    yield (
        f"Which {name} {what}?"
        if re.match(r"(?:with|of|in|from|for|by|above|below|under|over|that|whose|having|made)\b", what)
        else (f"Which {name} are {what}?")
    )
    yield f"Which {name} with {what}?"
    yield f"{what} {name}"


def _shown(read: Interpretation, program: RowQuery) -> tuple[Field, ...]:
    """The columns that a follow-up asks for, where they are the same relation's and not shown already."""
    if read.program is None or read.unmapped or read.program.relation != program.relation:
        return ()
    return tuple(field for field in read.program.select if isinstance(field, Field) and field not in program.select)


def _presence(test: Condition) -> bool:
    return isinstance(test, Test) and test.operator == "null"


def _joined(before: Sequence[Condition], more: Sequence[Condition]) -> tuple[Condition, ...]:
    """All tests; one that says of a column what another value there was said before takes its place."""
    kept = [test for test in before if not any(map(partial(_instead, test), more))]
    return (*kept, *(test for test in more if test not in kept))


def _instead(old: Condition, new: Condition) -> bool:
    if not isinstance(old, Test) or not isinstance(new, Test) or old.item != new.item or old.negated or new.negated:
        return False
    return old.operator == new.operator and old.operator != "!="
