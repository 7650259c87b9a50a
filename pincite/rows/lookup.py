"""A question that names its row and its column, answered by looking it up: no model is asked, and nothing is guessed.

Every telling word of the question must be a stored value, the name or the meaning of a column, or the name of the table; whatever
else stands in it (a comparison, a sum, a reason) needs a model.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sqlglot import exp

from pincite.database.relations.model import NUMERIC, TEMPORAL, Column, Database, Relation
from pincite.database.relations.name_folding import stems
from pincite.rows.drafting.joins import completed, route
from pincite.rows.drafting.statement_tree import column, name_stems
from pincite.rows.drafting.value_hints import ValueHint
from pincite.search.index.tokens import STOP_WORDS
from pincite.text.lexicon import pattern, word_set
from pincite.text.words import PLAIN_WORD

_YEAR = re.compile(r"(?<![\w.,-])(?:19|20)\d\d(?![\w-])")
_COMPUTES = pattern("rows", "computes", "columns")
_COURTESY = word_set("rows", "courtesy")


@dataclass(frozen=True, slots=True)
class Lookup:
    """A statement that looks up one column in the rows that a question names, with what its words were taken for."""

    tree: exp.Query
    mapping: tuple[tuple[str, str], ...]


def looked_up(question: str, database: Database, hints: Sequence[ValueHint]) -> Lookup | None:
    """The lookup that a question asks for, where it names exactly one column and at least one stored value; else None."""
    named = [*(hint for hint in hints if hint.same), *_numbered_values(question, database)]
    if not named or _COMPUTES.search(question):
        return None
    rest = question
    for hint in sorted(named, key=lambda each: -len(each.words)):
        rest = rest.replace(hint.words, " ")
    years = _YEAR.findall(rest)
    words = [word for word in PLAIN_WORD.findall(_YEAR.sub(" ", rest)) if _is_telling(word)]
    asked = set(stems(" ".join(words)).split())
    if not asked:
        return None
    found = _columns_asked(asked, database, named)
    if len(found) != 1:
        return None
    ((relation, own),) = found
    tree = _lookup_statement(relation, own, named, years, database)
    if tree is None:
        return None
    mapping = [(hint.words, f"{hint.column} = {hint.value}") for hint in named]
    return Lookup(tree, (*mapping, (" ".join(words), own.name.replace("_", " "))))


def _numbered_values(question: str, database: Database) -> Iterator[ValueHint]:
    """The whole numbers that stand behind the name of their column: "document 5100021"."""
    for relation in database.relations:
        for own in relation.columns:
            called = rf"(?<!\w){re.escape(own.readable)}\s+(\d+)(?!\w|[.,]\d)"
            if own.type == "integer" and (said := re.search(called, question, re.IGNORECASE)):
                yield ValueHint(said[0], relation.name, own.name, said[1], True)


def _is_telling(word: str) -> bool:
    folded = word.casefold()
    return folded not in STOP_WORDS and folded not in _COURTESY and len(word) > 1


def _columns_asked(
    asked: set[str], database: Database, named: Sequence[ValueHint]
) -> list[tuple[Relation, Column]]:
    """The columns that all telling words name, with the names of a table or of a named value's column beside them or alone.

    The column of a named value is not asked for: who asks for the revenue of the South region knows the region.
    """
    values = {hint.relation for hint in named}
    owners = {hint.words: hint.relation for hint in reversed(named)}.values()
    given = {(hint.relation, hint.column) for hint in named}
    known = set(name_stems(" ".join(hint.column for hint in named)).split())
    exact = []
    for relation in database.relations:
        beside = known | set(name_stems(relation.name).split())
        for own in relation.columns:
            units = set(stems(own.unit).split())
            for name in (own.name.replace("_", " "), own.readable, own.described):
                telling = " ".join(filter(_is_telling, name.split())) or name
                words = set(stems(telling).split()) - units
                named_so = words and words <= asked <= words | units | beside
                if named_so and (relation.name, own.name) not in given:
                    exact.append((relation, own))
                    break
    near = [one for one in exact if route(database, sorted(values), one[0].name) is not None]
    near = [one for one in near if one[0].name in values] or near
    return [one for one in near if one[0].name in owners] or near


def _lookup_statement(
    relation: Relation,
    own: Column,
    named: Sequence[ValueHint],
    years: Sequence[str],
    database: Database,
) -> exp.Query | None:
    """The SELECT of a column where the named values and years stand; None where a year finds no column to stand in."""
    select = exp.Select(expressions=[column(relation.name, own.name)])
    table = exp.Table(this=exp.to_identifier(relation.name, quoted=True))
    select = select.from_(table, copy=False)
    by_words: dict[str, ValueHint] = {}
    for hint in named:
        kept = by_words.get(hint.words)
        if kept is None or kept.relation != relation.name and hint.relation == relation.name:
            by_words[hint.words] = hint
    for hint in by_words.values():
        kind = database.relation(hint.relation).column(hint.column).type
        said = exp.Literal.number if kind == "integer" else exp.Literal.string
        same = column(hint.relation, hint.column).eq(said(hint.value))
        select.where(same, copy=False)
    for year in years:
        of = next((each for each in relation.columns if _holds_years(each, int(year))), None)
        if of is None:
            return None
        place = column(relation.name, of.name)
        if of.type in NUMERIC:
            select.where(place.eq(exp.Literal.number(year)), copy=False)
        else:
            low, high = (exp.Literal.string(f"{year}-{end}") for end in ("01-01", "12-31"))
            select.where(exp.Between(this=place, low=low, high=high), copy=False)
    return completed(select, database)


def _holds_years(own: Column, year: int) -> bool:
    """Whether a column says of which year its row is, and has that year."""
    if own.low is None:
        return False
    if own.type in NUMERIC:
        named = "year" in own.name.split("_") or "year" in own.readable.casefold().split()
        return named and own.low <= year <= own.high
    return own.type in TEMPORAL and str(own.low)[:4] <= str(year) <= str(own.high)[:4]
