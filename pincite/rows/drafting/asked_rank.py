"""The rank that a question asks for, in a statement as code can be sure of it: what a model writes nearly right.

Rows without a value come last in any order, "the second largest" is the second row and not the first two, "the lowest and the
highest" are both, and no row has two names at once.
"""

from __future__ import annotations

from sqlglot import exp

from pincite.database.relations.model import Database
from pincite.lexicon import pattern, word_list
from pincite.rows.drafting.joins import stored_column
from pincite.rows.drafting.text_values import left_out

_ENDS: dict[type[exp.Func], type[exp.Func]] = {exp.Min: exp.Max, exp.Max: exp.Min}


def in_asked_rank(tree: exp.Query, question: str, database: Database) -> list[str]:
    """Put ranks and pairs of a completed statement right; what was changed, in words."""
    if not isinstance(tree, exp.Select):
        return []
    order = tree.args.get("order")
    for each in order.expressions if order is not None else ():
        each.set("nulls_first", False)
    return list(
        filter(
            None,
            (
                _one_place(tree, question),
                _both_ends(tree, question),
                *_either(tree, question, database),
            ),
        )
    )


def _one_place(tree: exp.Select, question: str) -> str:
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


def _both_ends(tree: exp.Select, question: str) -> str:
    """Have a statement that finds one end find the other as well, where a question asks for both."""
    asked = pattern("rows", "both ends", "rank").search(question)
    if asked is None or len(tree.selects) != 1:
        return ""
    end = tree.selects[0].unalias()
    if type(end) not in _ENDS:
        return ""
    lowest, highest = (end, _ENDS[type(end)](this=end.this.copy()))[
        :: 1 if isinstance(end, exp.Min) else -1
    ]
    tree.set("expressions", [highest, lowest] if asked["highest"] else [lowest, highest])
    return "the lowest and the highest"


def _either(tree: exp.Select, question: str, database: Database) -> list[str]:
    """Have a column be one of the values that it would have to be all at once, and a difference be one of their rows."""
    named: dict[str, list[exp.EQ]] = {}
    where = tree.args.get("where")
    for each in where.find_all(exp.EQ) if where is not None else ():
        around = each.parent
        while isinstance(around, exp.And | exp.Paren):
            around = around.parent
        place = stored_column(each.left, database)
        if (
            around is where
            and place is not None
            and place[1].type == "text"
            and isinstance(each.right, exp.Literal)
        ):
            named.setdefault(each.left.sql(), []).append(each)
    done = []
    for same in named.values():
        values = list(dict.fromkeys(str(each.right.this) for each in same))
        if len(values) < 2:
            continue
        for each in same[1:]:
            left_out(each)
        same[0].replace(
            exp.In(
                this=same[0].left.copy(), expressions=[exp.Literal.string(each) for each in values]
            )
        )
        done.append(f"{' or '.join(values)}, which no row is at once")
    for pair in list(where.find_all(exp.In)) if where is not None else ():
        done += filter(None, [_compared(tree, pair, question, database)])
    return done


def _compared(tree: exp.Select, pair: exp.In, question: str, database: Database) -> str:
    """Have the difference or the ratio of a column with itself be that of the rows of two named values; what was changed."""
    place, values = stored_column(pair.this, database), pair.expressions
    if place is None or len(values) != 2 or not all(isinstance(v, exp.Literal) for v in values):
        return ""
    first, other = sorted(values, key=lambda v: _where(str(v.this), question))
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


def _where(value: str, question: str) -> int:
    """Where a value stands in a question, behind it where it does not."""
    at = question.casefold().find(value.casefold())
    return at if at >= 0 else len(question)
