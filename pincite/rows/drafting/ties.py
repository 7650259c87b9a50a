"""Rows that share the last place that a limit keeps: all of them are shown, since nothing in the question chooses among them."""

from __future__ import annotations

from sqlglot import exp

from pincite.errors import PinciteError
from pincite.rows.clean_source import CleanSource

MORE = 25
"""Rows beyond a limit that are looked at; where even more share the last place, the limit stays."""


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
    ranks = [named.get(_bare_name(each.this), each.this).copy() for each in order.expressions]
    if any(isinstance(rank, exp.Literal) for rank in ranks):
        return ""  # the place of a column
    for each, rank in zip(wide.args["order"].expressions, ranks, strict=True):
        each.set("this", rank.copy())
    wide.set("expressions", [*(exp.alias_(rank, f"rank_{at}") for at, rank in enumerate(ranks))])
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


def _bare_name(rank: exp.Expr) -> str:
    """The name by which an order names a result; "" where it names anything else."""
    return rank.name if isinstance(rank, exp.Column) and not rank.table else ""
