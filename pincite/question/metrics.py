"""Metrics that a question names ("inventory turnover") or defines ("X is defined as: A / (B + C)"), as formulas."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from functools import lru_cache

from pincite.document.statement_rows import LineItem, book, plain
from pincite.quantity.formula import YEARS, Tree, leaves, parse_formula
from pincite.question.ask import Ask
from pincite.question.wording import PERIOD_PHRASE
from pincite.text.lexicon import pattern, word_set
from pincite.text.words import PLAIN_WORD

DEFINED = pattern("question", "defined", "metrics")
_MEAN = pattern("question", "mean", "metrics")
_AVERAGE = pattern("question", "average", "metrics")
_SHARE = pattern("question", "share of metrics", "metrics")
_TO = pattern("question", "to", "metrics")
_MARGIN = pattern("question", "margin", "metrics")
_OWNER = pattern("question", "owner", "metrics")
_DID = pattern("question", "did", "metrics")
"""Who an amount is asked of where the verb stands first: "how much did Acme generate in"."""
_FOR = pattern("question", "for", "metrics")
_SHORT = pattern("question", "short", "metrics")
"""A short name behind the long one: "days payable outstanding (DPO)"."""
_OF = pattern("question", "of", "metrics")
_KIND_OF = pattern("question", "kind of", "metrics")
_TOLD = pattern("question", "told", "metrics")
_TAIL = pattern("question", "tail", "metrics")
_FILLER = word_set("question", "metric filler")
_GROWTH = pattern("question", "growth", "metrics")
_BETWEEN = pattern("question", "between", "metrics")
_WHAT = pattern("question", "what is asked", "metrics")
_OPENING = pattern("question", "metric opening", "metrics")
_EDGES = pattern("question", "metric edges", "metrics")
_BRACKETS = re.compile(r"\([^)]*\)")
_AND = pattern("question", "and", "operands")
_LONGEST = 6
"""Words of the longest item of a formula."""


def defines_metric(ask: Ask) -> bool:
    """Whether a question says itself how a metric is computed."""
    return DEFINED.search(ask.query.text) is not None


def items_asked(ask: Ask) -> list[LineItem]:
    """The line items of the metric that `ask` names or defines, each once; none when it asks for no metric."""
    try:
        tree, _ = asked_metric(ask)
    except ValueError:
        return []
    return [] if tree is None else list(dict.fromkeys(_items(tree)))


def _items(tree: Tree) -> Iterator[LineItem]:
    for leaf in leaves(tree):
        line = book().lines.get(plain(leaf), LineItem((leaf,)))
        yield line
        if line.otherwise:
            yield from _items(parse_formula(line.otherwise))


def asked_metric(ask: Ask) -> tuple[Tree | None, bool]:
    """The formula that a question asks for, and whether for its mean over the years; None for what is no metric."""
    core = metric_phrase(ask)
    known = {**book().metrics, **_defined(ask.query.text, core)}
    subject = " ".join(_MEAN.sub(" ", core).split())
    mean = _MEAN.search(core) is not None
    of = None if mean else _AVERAGE.match(subject)
    if of and _metric(of["metric"], known):
        mean, subject = True, of["metric"]
    if ask.operation == "percentage_change" and (line := _line_named(_GROWTH.sub(" ", subject))):
        return ("/", ("change", line), ("earlier", line)), False
    if _BETWEEN.match(subject):
        return None, False
    tree = _tree(subject, known)
    if isinstance(tree, str):
        line = _line_named(tree) if ask.operation in ("lookup", "max", "sum") else None
        return line or _metric_within(ask, core, known), mean
    return (tree if _is_of_lines(tree) else _metric_within(ask, core, known)), mean


@lru_cache(maxsize=256)
def asks_quotient(ask: Ask) -> bool:
    """Whether a question asks for a metric that is one amount divided by another."""
    try:
        tree, _ = asked_metric(ask)
    except ValueError:
        return False
    return isinstance(tree, tuple) and tree[0] == "/"


def _metric_within(ask: Ask, core: str, metrics: Mapping[str, str]) -> Tree | None:
    """The metric that a phrase names among names, times and what it is measured in ("Acme current ratio, 31 Dec")."""
    said = f" {plain(core)} "
    names = {plain(word) for word in PLAIN_WORD.findall(ask.query.text) if not word.islower()}
    for name in sorted(book().metrics, key=len, reverse=True):
        if f" {name} " not in said or name in book().lines:
            continue
        tree = _of_metric(name, metrics)
        own = {word for leaf in leaves(tree) for word in plain(leaf).split()}
        if set(said.replace(f" {name} ", " ", 1).split()) <= names | own | _FILLER:
            return tree if _is_of_lines(tree) else None
    return None


def _is_of_lines(tree: Tree) -> bool:
    """Whether a formula is made of short phrases, one of them a line item."""
    phrases = list(leaves(tree))
    return any(plain(phrase) in book().lines for phrase in phrases) and all(
        len(phrase.split()) <= _LONGEST for phrase in phrases
    )


def _defined(text: str, core: str) -> dict[str, str]:
    """The formulas that a question gives itself, by the plain name of what each defines; of `core` also by its short name."""
    defined = {}
    for match in DEFINED.finditer(text):
        name = _BRACKETS.sub("", match["name"] or match["name_"] or match["name__"] or "")
        formula = _AND.sub(" + ", match["formula"]) if match["name__"] else match["formula"]
        defined[plain(_OWNER.sub("", name.strip()))] = formula
    for short in map(plain, _SHORT.findall(text)):
        if short in defined:
            defined[plain(core)] = defined[short]
    return defined


def _line_named(phrase: str) -> str | None:
    """The line item that a phrase names, with nothing but filler around it."""
    said = f" {plain(phrase)} "
    for name in sorted(book().lines, key=len, reverse=True):
        if f" {name} " in said and set(said.replace(f" {name} ", " ", 1).split()) <= _FILLER:
            return name
    return None


def metric_phrase(ask: Ask) -> str:
    """What is asked for, without who it is asked of and when: "inventory turnover", "capex as a % of revenue"."""
    asked = _WHAT.search(ask.query.text.replace("_", " "))
    core = asked["what"] if asked else _TOLD.sub("", ask.subject.replace("_", " "))
    core = _BRACKETS.sub(" ", YEARS.sub(" ", PERIOD_PHRASE.sub(" ", core)))
    core = _OPENING.sub("", " ".join(core.split()))
    core = _TAIL.sub("", _FOR.sub("", _OWNER.sub("", _DID.sub("", core).strip())))
    return _EDGES.sub("", core).strip()


def _tree(phrase: str, metrics: Mapping[str, str]) -> Tree:
    """A phrase as a formula: a metric by its formula, a share or ratio of two, a margin, else arithmetic over what it says."""
    if name := _metric(phrase, metrics):
        return _of_metric(name, metrics)
    if match := _SHARE.fullmatch(phrase):
        return ("/", _tree(match["a"], metrics), _tree(match["b"], metrics))
    if match := _TO.fullmatch(phrase):
        pair = match["a"], _OF.sub("", match["b"])
        if "ratio" in phrase or all(plain(part) in book().lines for part in pair):
            return ("/", _tree(pair[0], metrics), _tree(pair[1], metrics))
    if match := _MARGIN.fullmatch(phrase):
        return ("/", _tree(match["a"], metrics), "revenue")
    return _expanded(parse_formula(phrase), metrics)


def _of_metric(name: str, metrics: Mapping[str, str]) -> Tree:
    """A metric by its formula, or as it is where statements often have a row for it and the question does not define it."""
    if name in book().lines and metrics[name] == book().metrics.get(name):
        return name
    others = {other: formula for other, formula in metrics.items() if other != name}
    return _expanded(parse_formula(metrics[name]), others)


def _metric(phrase: str, metrics: Mapping[str, str]) -> str | None:
    """The metric that a phrase names, with or without "ratio" or "rate" behind it and "of Acme" behind that."""
    for said in dict.fromkeys((phrase, _OF.sub("", phrase))):
        name = plain(said)
        if name in book().lines and name not in metrics:
            return None  # "operating cash flow" is a line item and not its ratio
        bare = _KIND_OF.sub("", name)
        for called in (name, f"{name} ratio", bare, f"{bare} ratio"):
            if called in metrics:
                return called
    return None


def _expanded(tree: Tree, metrics: Mapping[str, str]) -> Tree:
    """A formula whose items that are metrics themselves are replaced by their formulas, unless a statement has them."""
    if isinstance(tree, str):
        name = plain(tree)
        return _of_metric(name, metrics) if name in metrics and name not in book().lines else tree
    if isinstance(tree, Decimal) or len(tree) == 2:
        return tree
    return (tree[0], _expanded(tree[1], metrics), _expanded(tree[2], metrics))
