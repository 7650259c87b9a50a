"""What speaks against a statement as the reading of its question: none of it proves that it is wrong, all of it counts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import get_close_matches

from sqlglot import exp

from pincite.database.relations.model import NUMERIC, Database
from pincite.database.relations.name_folding import stems
from pincite.quantity.units import is_currency
from pincite.rows.drafting.number_literals import converted
from pincite.rows.drafting.statement_tree import name_stems, stored_column, stored_columns
from pincite.rows.drafting.text_values import texts_of
from pincite.rows.drafting.value_hints import ValueHint
from pincite.text.language import language_of
from pincite.text.lexicon import pattern, pattern_table

_NAME = re.compile(r"(?<=[a-z,;] )(?!(?:Q[1-4]|I|AM|PM)\b)[^\W\d_a-z][^\W\d_]{3,}")
"""A word with a capital within a sentence."""
_CODED = re.compile(r"(?P<name>[^\W\d_a-z][\w'-]*(?: [^\W\d_a-z][\w'-]*)*) \((?P<code>[^()]+)\)")
"""Words with capitals, and what stands behind them in brackets."""
_NUMBER = re.compile(r"(?<![\w.,-])\d[\d.,]*(?![\w-])")
"""A number that stands by itself; digits in names of things are part of values."""


def objections(
    tree: exp.Query, question: str, database: Database, hints: Sequence[ValueHint]
) -> tuple[str, ...]:
    """What a completed statement leaves out of its question: stored values, numbers, and what the question says to do."""
    found: list[str] = []
    for left_out in (_values_left_out, _names_left_out, _numbers_left_out):
        found += left_out(tree, question, database, hints)
    for undone in (_not_done, _no_money, _no_time_first):
        found += undone(tree, question, database)
    return tuple(dict.fromkeys(found))


def _values_left_out(
    tree: exp.Query, question: str, database: Database, hints: Sequence[ValueHint]
) -> Iterator[str]:
    """The stored values that words of the question are and that the statement does not name."""
    named = {stems(text.strip("%")) for text in texts_of(tree)}
    coded = _said_by_code(tree, question)
    told = " ".join(name_stems(each.name) for each in tree.find_all(exp.Column, exp.Table)).split()
    grouped = {(relation.name, own.name) for relation, own in stored_columns(tree, database)}
    by_words: dict[str, list[ValueHint]] = {}
    for hint in hints:
        if hint.same:
            by_words.setdefault(hint.words, []).append(hint)
    for words, same in by_words.items():
        forms = {stems(hint.value) for hint in same}
        used = stems(words) in coded or any(
            form == each or form in each.split() for form in forms for each in named
        )
        shown = any((hint.relation, hint.column) in grouped for hint in same)
        if not used and not shown and not set(stems(words).split()) <= set(told):
            yield f"nothing in the statement is about '{words}'"


def _names_left_out(
    tree: exp.Query, question: str, database: Database, hints: Sequence[ValueHint]
) -> Iterator[str]:
    """The names of the question, within its sentence, that neither a text nor a name of the statement or the database has; of
    questions in German none, where every noun has a capital.
    """
    if language_of(question) == "de":
        return
    given = (f"{hint.words} {hint.value}" for hint in hints)
    said = (*texts_of(tree), *_said_by_code(tree, question), *given, *_all_names(database))
    told = " ".join(said)
    known = set(stems(told.replace("_", " ")).split())
    for found in _NAME.finditer(question):
        own = set(stems(found[0]).split())
        if own and not own & known and not get_close_matches(found[0].casefold(), known, 1, 0.6):
            yield f"nothing in the statement is about '{found[0]}'"


def _said_by_code(tree: exp.Query, question: str) -> set[str]:
    """The names of the question behind which, in brackets, a value of the statement stands: "Lisbon (LIS)"."""
    return {
        stems(found["name"])
        for text in texts_of(tree)
        for found in _CODED.finditer(question)
        if stems(found["code"]) == stems(text)
    }


def _all_names(database: Database) -> Iterator[str]:
    """What tables and columns of a database are called and mean."""
    for relation in database.relations:
        yield from (relation.name, relation.described)
        for own in relation.columns:
            yield from (own.name, own.readable, own.described, own.unit)


def _numbers_left_out(
    tree: exp.Query, question: str, database: Database, hints: Sequence[ValueHint]
) -> Iterator[str]:
    """The numbers of the question that the statement does not have, in any unit, and that are not part of a value."""
    rest = question
    for said in (*(hint.words for hint in hints), *converted(tree, question, database)):
        rest = rest.replace(said, " ")
    written = " ".join(each.name for each in tree.find_all(exp.Literal, exp.Column))
    for found in _NUMBER.findall(rest):
        digits = found.replace(",", "").strip(".").lstrip("0")
        bare = digits.replace(".", "").strip("0")
        if len(digits) > 1 and bare and bare not in written.replace(".", ""):
            yield f"the number {found} is not in the statement"


def _not_done(tree: exp.Query, question: str, database: Database) -> Iterator[str]:
    """What words of the question say to do and the statement does not; an amount that is shown says how many by itself."""
    does = {node.key for node in tree.walk()}
    shown = [stored_column(each.unalias(), database) for each in tree.selects]
    if any(found is not None and found[1].type in NUMERIC for found in shown):
        does |= {"count", "sum"}
    named = set(" ".join(name_stems(each.name) for each in tree.find_all(exp.Column)).split())
    for kinds, said in pattern_table("rows", "done by"):
        match = said.search(question)
        if match and not set(stems(match[0]).split()) <= named and does.isdisjoint(kinds.split()):
            yield f"the statement does nothing for '{match[0]}'"


def _no_time_first(tree: exp.Query, question: str, database: Database) -> Iterator[str]:
    """That a question asks for the newest or the oldest alone, and the statement begins with the largest or smallest amount."""
    newest, oldest = (pattern("rows", f"{end} first", "time").search(question) for end in ("newest", "oldest"))  # fmt: skip
    found = newest or oldest
    order = tree.args.get("order")
    if found is None or order is None or tree.args.get("limit") is None:
        return
    rest = question[: found.start()] + question[found.end() :]
    place = stored_column(order.expressions[0].this, database)
    most = pattern("rows", "most or least", "time").search(rest)
    if place is None or place[1].type not in NUMERIC or most:
        return
    own = place[1]
    if not pattern("rows", "of time", "time").search(own.readable or own.name.replace("_", " ")):
        yield f"the question asks for the {found[0]}, and the statement is ordered by {own.name}"


def _no_money(tree: exp.Query, question: str, database: Database) -> Iterator[str]:
    """That a question asks for money of a database that holds some, and the statement uses none."""
    if not pattern("rows", "money", "words").search(question):
        return
    used = {own.name for _, own in stored_columns(tree, database)}
    every = (own for relation in database.relations for own in relation.columns)
    money = {own.name for own in every if is_currency(own.unit)}
    if money and not used & money:
        yield "the question asks for money, and the statement uses no column of it"
