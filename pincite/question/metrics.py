"""Metrics that a question names ("inventory turnover") or defines ("X is defined as: A / (B + C)"), as formulas."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal

from pincite.document.statement_rows import LineItem, book, plain
from pincite.lexicon import pattern, word_set
from pincite.quantity.formula import YEARS, Tree, leaves, parse_formula
from pincite.question.understanding import Ask
from pincite.question.wording import PERIOD_PHRASE

DEFINED = pattern("question", "defined")
_MEAN = pattern("question", "mean")
_AVERAGE = pattern("question", "average")
_SHARE = pattern("question", "share of metrics")
_TO = pattern("question", "to")
_MARGIN = pattern("question", "margin")
_OWNER = pattern("question", "owner")
_DID = pattern("question", "did")
"""Who an amount is asked of where the verb stands first: "how much did Acme generate in"."""
_FOR = pattern("question", "for")
_SHORT = pattern("question", "short")
"""A short name behind the long one: "days payable outstanding (DPO)"."""
_OF = pattern("question", "of")
_KIND_OF = pattern("question", "kind of")
_TOLD = pattern("question", "told")
_TAIL = pattern("question", "tail")
_FILLER = word_set("question", "metric filler")
_GROWTH = pattern("question", "growth")
_BETWEEN = pattern("question", "between")


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
    defined = {}
    for match in DEFINED.finditer(ask.query.text):
        name = re.sub(r"\([^)]*\)", "", match["name"] or match["name_"] or match["name__"] or "")
        used = re.sub(r"\s+and\s+", " + ", match["formula"]) if match["name__"] else match["formula"]
        defined[plain(_OWNER.sub("", name.strip()))] = used
    core = metric_phrase(ask)
    for short in _SHORT.findall(ask.query.text):
        if plain(short) in defined:
            defined[plain(core)] = defined[plain(short)]
    mean = bool(_MEAN.search(core))
    subject = " ".join(_MEAN.sub(" ", core).split())
    known = {**book().metrics, **defined}
    if not mean and (of := _AVERAGE.match(subject)) and _metric(of["metric"], known):
        mean, subject = True, of["metric"]
    if ask.operation == "percentage_change" and (line := _line_named(_GROWTH.sub(" ", subject))):
        return ("/", ("change", line), ("earlier", line)), False
    if _BETWEEN.match(subject):
        return None, False
    tree = _tree(subject, known)
    if isinstance(tree, str):
        return (_line_named(tree) if ask.operation in ("lookup", "max", "sum") else None), mean
    listed = [plain(leaf) in book().lines for leaf in leaves(tree)]
    return (tree if any(listed) and all(len(leaf.split()) <= 6 for leaf in leaves(tree)) else None), mean


def _line_named(phrase: str) -> str | None:
    """The line item that a phrase names, with nothing but filler around it."""
    said = f" {plain(phrase)} "
    for name in sorted(book().lines, key=len, reverse=True):
        if f" {name} " in said and set(said.replace(f" {name} ", " ", 1).split()) <= _FILLER:
            return name
    return None


def metric_phrase(ask: Ask) -> str:
    """What is asked for, without who it is asked of and when: "inventory turnover", "capex as a % of revenue"."""
    text = ask.query.text.replace("_", " ")
    asked = re.search(
        r"(?:what(?:['’]s)?|how\s++(?:much|high|large|low))\s++(?:is|was|were|are)?\s*+(?P<what>[^?]*+)\?", text, re.I
    )
    core = asked["what"] if asked else _TOLD.sub("", ask.subject.replace("_", " "))
    core = re.sub(r"\([^)]*\)", " ", YEARS.sub(" ", PERIOD_PHRASE.sub(" ", core)))
    core = re.sub(r"^\W*(?:the\s+)?(?:year[\s-]end\s+)?", "", " ".join(core.split()), flags=re.I)
    core = _TAIL.sub("", _FOR.sub("", _OWNER.sub("", _DID.sub("", core).strip())))
    return re.sub(r"^(?:[-–]\s*)|\b(?:amount|did)\b\s*$|[,.]\s*$", "", core).strip()


def _tree(phrase: str, metrics: Mapping[str, str]) -> Tree:
    """A phrase as a formula: a metric by its formula, a share or ratio of two, a margin, else arithmetic over what it says."""
    if name := _metric(phrase, metrics):
        if name in book().lines and metrics[name] == book().metrics.get(name):
            return name  # statements often have a row for it
        return _expanded(
            parse_formula(metrics[name]), {other: text for other, text in metrics.items() if other != name}
        )
    if match := _SHARE.fullmatch(phrase):
        return ("/", _tree(match["a"], metrics), _tree(match["b"], metrics))
    if match := _TO.fullmatch(phrase):
        pair = match["a"], _OF.sub("", match["b"])
        if "ratio" in phrase or all(plain(part) in book().lines for part in pair):
            return ("/", _tree(pair[0], metrics), _tree(pair[1], metrics))
    if match := _MARGIN.fullmatch(phrase):
        return ("/", _tree(match["a"], metrics), "revenue")
    return _expanded(parse_formula(phrase), metrics)


def _metric(phrase: str, metrics: Mapping[str, str]) -> str | None:
    """The metric that a phrase names, with or without "ratio" or "rate" behind it and "of Acme" behind that."""
    for said in dict.fromkeys((phrase, _OF.sub("", phrase))):
        name = plain(said)
        if name in book().lines and name not in metrics:
            return None  # "operating cash flow" is a line item and not its ratio
        for called in (name, f"{name} ratio", _KIND_OF.sub("", name), f"{_KIND_OF.sub('', name)} ratio"):
            if called in metrics:
                return called
    return None


def _expanded(tree: Tree, metrics: Mapping[str, str]) -> Tree:
    """A formula whose items that are metrics themselves are replaced by their formulas, unless a statement has them."""
    if isinstance(tree, str):
        name = plain(tree)
        if name in metrics and name not in book().lines:
            return _expanded(parse_formula(metrics[name]), {n: t for n, t in metrics.items() if n != name})
        return tree
    if isinstance(tree, Decimal) or len(tree) == 2:
        return tree
    return (tree[0], _expanded(tree[1], metrics), _expanded(tree[2], metrics))
