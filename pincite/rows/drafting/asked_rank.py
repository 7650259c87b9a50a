"""The rank that a question asks for, in a statement as code can be sure of it: what a model writes nearly right.

Rows without a value come last in any order, "the second largest" is the second row and not the first two, "the lowest and the
highest" are both, no row has two names at once, and of rows that share the last place that a limit keeps all are shown.
"""

from __future__ import annotations

from sqlglot import exp

from pincite.database.relations.model import Database
from pincite.errors import PinciteError
from pincite.rows.clean_source import CleanSource
from pincite.rows.drafting.statement_tree import left_out, must_hold, stored_column
from pincite.text.lexicon import pattern, word_list

_ENDS: dict[type[exp.Func], type[exp.Func]] = {exp.Min: exp.Max, exp.Max: exp.Min}
MORE = 25
"""Rows beyond a limit that are looked at; where even more share the last place, the limit stays."""


def in_asked_rank(tree: exp.Query, question: str, database: Database) -> list[str]:
    """Put ranks and pairs of a completed statement right; what was changed, in words."""
    if not isinstance(tree, exp.Select):
        return []
    order = tree.args.get("order")
    for each in order.expressions if order is not None else ():
        each.set("nulls_first", False)
    done = [_keep_place(tree, question), _find_both_ends(tree, question)]
    return list(filter(None, [*done, *_join_alternatives(tree, question, database)]))


def _keep_place(tree: exp.Select, question: str) -> str:
    """Keep one row, that of the place which a question names, of as many."""
    asked = pattern("rows", "place of a rank", "rank").search(question)
    limit = tree.args.get("limit")
    if asked is None or limit is None or tree.args.get("order") is None or tree.args.get("offset"):
        return ""
    places = word_list("rows", "places")
    place = places.index(asked[1].casefold()) % (len(places) // 2) + 2
    if str(limit.expression) not in ("1", str(place)):
        return ""
    tree.limit(1, copy=False)
    tree.offset(place - 1, copy=False)
    return f"only place {place}"


def _find_both_ends(tree: exp.Select, question: str) -> str:
    """Have a statement that finds one end find the other as well, where a question asks for both."""
    asked = pattern("rows", "both ends", "rank").search(question)
    if asked is None or len(tree.selects) != 1:
        return ""
    end = tree.selects[0].unalias()
    if type(end) not in _ENDS:
        return ""
    other = _ENDS[type(end)](this=end.this.copy())
    lowest, highest = (end, other) if isinstance(end, exp.Min) else (other, end)
    tree.set("expressions", [highest, lowest] if asked["highest"] else [lowest, highest])
    return "the lowest and the highest"


def _join_alternatives(tree: exp.Select, question: str, database: Database) -> list[str]:
    """Have a column be one of the values that it would have to be all at once, and a difference be one of their rows."""
    named: dict[str, list[exp.EQ]] = {}
    where = tree.args.get("where")
    for each in where.find_all(exp.EQ) if where is not None else ():
        place = stored_column(each.left, database)
        text = (
            place is not None and place[1].type == "text" and isinstance(each.right, exp.Literal)
        )
        if text and must_hold(each) and each.find_ancestor(exp.Where) is where:
            named.setdefault(each.left.sql(), []).append(each)
    done = []
    for same in named.values():
        values = list(dict.fromkeys(str(each.right.this) for each in same))
        if len(values) < 2:
            continue
        for each in same[1:]:
            left_out(each)
        texts = list(map(exp.Literal.string, values))
        same[0].replace(exp.In(this=same[0].left.copy(), expressions=texts))
        done.append(f"{' or '.join(values)}, which no row is at once")
    for pair in list(where.find_all(exp.In)) if where is not None else ():
        done += filter(None, [_compare_rows(tree, pair, question, database)])
    return done


def _compare_rows(tree: exp.Select, pair: exp.In, question: str, database: Database) -> str:
    """Have the difference or the ratio of a column with itself be that of the rows of two named values; what was changed."""
    place, values = stored_column(pair.this, database), pair.expressions
    if place is None or len(values) != 2 or not all(isinstance(v, exp.Literal) for v in values):
        return ""
    first, other = sorted(values, key=lambda v: _place_in(str(v.this), question))
    for both in list(tree.find_all(exp.Sub, exp.Div)):
        left, right = both.left.find(exp.Column), both.right.find(exp.Column)
        same = left is not None and right is not None and left.sql() == right.sql()
        if not same or both.find(exp.AggFunc, exp.Case) or both.find_ancestor(exp.Select) is not tree:  # fmt: skip
            continue
        if isinstance(both, exp.Sub):
            both.replace(exp.Sub(this=exp.Max(this=left.copy()), expression=exp.Min(this=left.copy())))  # fmt: skip
            return f"the difference of {first.this} and {other.this}"
        amounts = [exp.Max(this=exp.case().when(pair.this.eq(v.copy()), left.copy())) for v in (first, other)]  # fmt: skip
        both.replace(exp.Div(this=exp.cast(amounts[0], "double"), expression=amounts[1]))
        return f"{first.this} to {other.this}"
    return ""


def _place_in(value: str, question: str) -> int:
    """Where a value stands in a question, behind it where it does not."""
    at = question.casefold().find(value.casefold())
    return at if at >= 0 else len(question)


def with_ties(tree: exp.Query, source: CleanSource, dialect: str) -> str:
    """Raise the limit of a statement by as many rows as share its last place; what was done, "" where nothing."""
    limit, order = tree.args.get("limit"), tree.args.get("order")
    count = limit.expression if limit is not None else None
    if order is None or not isinstance(count, exp.Literal) or not count.is_int:
        return ""
    if not isinstance(tree, exp.Select) or tree.args.get("distinct") or tree.args.get("offset"):
        return ""
    wide = tree.copy()
    named = {each.alias: each.this for each in tree.selects if each.alias}
    ranks = []
    for each in order.expressions:
        bare = isinstance(each.this, exp.Column) and not each.this.table
        ranks.append(named.get(each.this.name if bare else "", each.this).copy())
    if any(isinstance(rank, exp.Literal) for rank in ranks):
        return ""  # the place of a column
    for each, rank in zip(wide.args["order"].expressions, ranks, strict=True):
        each.set("this", rank.copy())
    wide.set("expressions", [exp.alias_(rank, f"rank_{at}") for at, rank in enumerate(ranks)])
    kept = int(count.this)
    wide.set("limit", exp.Limit(expression=exp.Literal.number(kept + MORE)))
    try:
        rows = source.run(str(wide.sql(dialect=dialect))).rows
    except PinciteError:
        return ""  # an order by what the statement only names
    if not 0 < kept < len(rows) or len(rows) == kept + MORE:
        return ""
    tied = sum(tuple(row) == tuple(rows[kept - 1]) for row in rows[kept:])
    if not tied:
        return ""
    tree.set("limit", exp.Limit(expression=exp.Literal.number(kept + tied)))
    return f"{tied} more share the last place"
