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
from pincite.lexicon import pattern, word_set
from pincite.rows.programs.compilation import statement
from pincite.rows.programs.interpretation import Interpretation, interpret
from pincite.rows.programs.program import Aggregate, Condition, Field, RowQuery, Test, explain

if TYPE_CHECKING:
    from pincite.database.relations.model import Relation
    from pincite.database.sources.connection import OpenDatabase
    from pincite.ports import Encoder
    from pincite.rows.programs.pieces import ValueIndex

_OWNING = word_set("rows", "owning")
_LINKING = word_set("rows", "before a restriction")
_LONGEST = 14
"""Words of a follow-up beyond which it stands for itself."""


def narrowed(
    refines: Sequence[str],
    source: OpenDatabase,
    values: ValueIndex,
    encoder: Encoder | None = None,
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
        found = replace(
            found,
            program=program,
            statement=compiled,
            said=explain(program),
            mapping=_mapping(found, program, read, text),
            confidence=min(found.confidence, read.confidence),
            result=source.run(compiled),
            alternatives=(),
        )
    return found


def _mapping(
    found: Interpretation, program: RowQuery, read: Interpretation, text: str
) -> tuple[tuple[str, str], ...]:
    """What the words of a question and of a follow-up were taken for."""
    before = found.program
    assert before is not None
    fresh = tuple(pair for pair in read.mapping if pair[0].casefold() in text.casefold())
    fewer = len(program.tests) <= len(before.tests) and program.select == before.select
    meanings = (
        {meaning for _, meaning in fresh} if fewer else set()
    )  # a test took the place of another
    return *(
        pair for pair in found.mapping if pair not in fresh and pair[1] not in meanings
    ), *fresh


def _narrower(
    text: str,
    found: Interpretation,
    source: OpenDatabase,
    values: ValueIndex,
    encoder: Encoder | None,
) -> tuple[RowQuery, Interpretation] | None:
    """The program of a question with what a follow-up says, and how that was read."""
    program = found.program
    assert program is not None
    flat = " ".join(text.split()).rstrip(" ?.!")
    rest = _pattern("lead").sub("", flat).strip()
    refers = _pattern("those").search(rest) is not None
    bare = " ".join(_pattern("those").sub(" ", rest).split())
    if not bare or len(bare.split()) > _LONGEST:
        return None
    if _pattern("how many").match(bare):
        return _counted(program), replace(found, mapping=())
    relation = source.database.relation(program.relation)
    name = relation.readable or relation.name
    their = _pattern("their").match(bare)
    if their and (refers or not _OWNING.isdisjoint(bare.casefold().split())):
        read = interpret(f"What is the {their['what']} of {name}?", source, values, encoder)
        shown = _shown(read, program)
        return (replace(program, select=(*program.select, *shown)), read) if shown else None
    if _pattern("question").match(bare) and not refers:
        return None
    for question in _asked(bare, name, _compared(program, relation)):
        read = interpret(question, source, values, encoder)
        if (narrower := _restricted(program, read)) is not None:
            return narrower, read
    return None


def _pattern(name: str) -> re.Pattern[str]:
    """A pattern of how follow-ups are worded."""
    return pattern("rows", name, "follow-ups")


def _same_rows(program: RowQuery, read: Interpretation) -> RowQuery | None:
    """What a follow-up was understood as, where every word is explained and it is of the same relation."""
    if read.program is None or read.unmapped or read.program.relation != program.relation:
        return None
    return read.program


def _restricted(program: RowQuery, read: Interpretation) -> RowQuery | None:
    """A program with the tests of a follow-up, or its choice of the best; None when it has neither."""
    own = _same_rows(program, read)
    if own is None:
        return None
    tests = tuple(test for test in own.tests if not _presence(test))
    if tests:
        return replace(program, tests=_joined(program.tests, tests))
    if own.best or (own.order and own.limit is not None):
        return replace(program, best=own.best, order=own.order, limit=own.limit, offset=own.offset)
    return None


def _counted(program: RowQuery) -> RowQuery:
    """How many the rows are that a program shows: different ones where it shows each once."""
    shown = program.select[0] if len(program.select) == 1 and program.distinct else None
    measure = (
        Aggregate("count", shown, distinct=True)
        if isinstance(shown, Field)
        else Aggregate("count")
    )
    return replace(program, select=(measure,), order=(), limit=None, offset=0, distinct=False)


def _compared(program: RowQuery, relation: Relation) -> str:
    """What to call the column that a program last compared with a number; "" when it did with none."""
    for test in reversed(program.tests):
        if (
            isinstance(test, Test)
            and test.operator in ("<", "<=", ">", ">=")
            and isinstance(test.item, Field)
        ):
            return "" if test.item.path else readable(relation.column(test.item.column))
    return ""


def _asked(bare: str, name: str, compared: str) -> Iterator[str]:
    """A follow-up as a question to the same relation; a bare comparison is of the column compared before."""
    ones = _pattern("ones").match(bare)
    what = _pattern("which").sub("", ones["what"] if ones else bare).strip()
    if not what:
        return
    if compared and _pattern("bare comparison").match(what):
        yield f"Which {name} with {compared} {what}?"
    yield f"Which {name} {what}?" if what.split()[0] in _LINKING else f"Which {name} are {what}?"
    yield f"Which {name} with {what}?"
    yield f"{what} {name}"


def _shown(read: Interpretation, program: RowQuery) -> tuple[Field, ...]:
    """The columns that a follow-up asks for, where they are the same relation's and not shown already."""
    own = _same_rows(program, read)
    fields = own.select if own else ()
    return tuple(
        field for field in fields if isinstance(field, Field) and field not in program.select
    )


def _presence(test: Condition) -> bool:
    return isinstance(test, Test) and test.operator == "null"


def _joined(before: Sequence[Condition], more: Sequence[Condition]) -> tuple[Condition, ...]:
    """All tests; one that says of a column what another value there was said before takes its place."""
    kept = [test for test in before if not any(map(partial(_instead, test), more))]
    return (*kept, *(test for test in more if test not in kept))


def _instead(old: Condition, new: Condition) -> bool:
    if (
        not isinstance(old, Test)
        or not isinstance(new, Test)
        or old.item != new.item
        or old.negated
        or new.negated
    ):
        return False
    return old.operator == new.operator and old.operator != "!="
