"""Metrics by their formula: named in a question ("inventory turnover"), or defined in it ("X is defined as: A / (B + C)").

A formula is read as arithmetic over line items; each item is found in a statement at its year, under any of the labels that
statements write for it (`data/formulas.toml`). The result cites every cell; its operation is the formula with the cells as
letters, so that it can be run again ("(a + b) / 2").
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal, DivisionByZero, InvalidOperation, localcontext
from functools import cache

from pincite.answer.candidate import Candidate
from pincite.answer.items import LETTERS, Found
from pincite.answer.question import Ask
from pincite.answer.statements import Line, book, plain
from pincite.answer.tableread import View, evidence, label_terms, quantity_of
from pincite.answer.wording import PERIOD_PHRASE
from pincite.answer.words import stems
from pincite.types import Quantity

Tree = str | Decimal | tuple[str, "Tree", "Tree"] | tuple[str, "Tree"]
"""A leaf (a phrase or a number), an operator over two trees, or "average" or "change" over one."""

_TOKEN = re.compile(r"\s*(\d+(?:\.\d+)?(?![\w%.])|[()*/+~]|[^()*/+~]+)")
_SPELLED = (
    (r"\s[-–−]\s", "~"), (r"\bdivided\s+by\b|÷", "/"), (r"\b(?:multiplied\s+by|times)\b|×", "*"), (r"\bplus\b", "+"),
    (r"\b(?:minus|less)\b", "~"),
)  # fmt: skip
"""How operators are written; a minus is "~" from here on, so that hyphens stay in words."""
_YEARS = re.compile(
    r"\b(?:between|in|for|from|at|of|during)?\s*(?:FY\s?|fiscal\s+(?:year\s+)?)?(?:19|20)\d\d"
    r"(?:\s*(?:and|to|-|–)\s*(?:FY\s?)?(?:19|20)\d\d)?",
    re.IGNORECASE,
)
_DEFINED = re.compile(
    r"(?:\bdefine\s++(?P<name>[^.?:]+?)\s++as|(?<![^.?:])(?P<name_>[^.?:]+?)\s++(?:is|are)\s++(?:defined|calculated|computed)\s++as|"
    r"\bcalculate\s++(?P<name__>[^.?:]+?)\s++using)\s*+:?\s*+(?P<formula>.+?)(?=\.\s++[A-Z]|\.?\s*+$|\?)",
    re.IGNORECASE,
)
_MEAN = re.compile(r"\b(?:(?:\d|two|three|four|five)[- ]year\s+)average\b(?:\s+of)?", re.IGNORECASE)
_AVERAGE = re.compile(r"(?:average|mean)\s+(?:annual\s+|yearly\s+)?(?P<metric>.+)", re.IGNORECASE)
_SHARE = re.compile(
    r"^(?P<a>.+?)\s++(?:expressed\s++)?as\s++an?\s++(?:%|percent(?:age)?)\s++of\s++(?P<b>.+)", re.IGNORECASE
)
_TO = re.compile(
    r"^(?:(?:the\s++)?ratio\s++of\s++)?(?:the\s++)?(?>(?P<a>.+?)\s++to\s++)(?:the\s++)?(?P<b>.+?)(?:\s++ratio)?$",
    re.IGNORECASE,
)
_MARGIN = re.compile(r"^(?P<a>.+?)\s++(?:%\s++)?margin$", re.IGNORECASE)
_OWNER = re.compile(r"^(?:(?:[A-Z][\w&.-]*+\s?+)++['’]s?|(?:company|group|firm|bank)['’]s|its)\s++(?:\([^)]*\)\s*+)?")
_DID = re.compile(
    r"^did\s++(?:the\s++(?:company|group|firm|bank)\s++|(?:[A-Z][\w&.’'-]*+,?\s++)++)(?:generate|have|report|record|spend|earn|make)\b"
)
"""Who an amount is asked of where the verb stands first: "how much did Acme generate in"."""
_FOR = re.compile(r"\s++(?:for|at|did|by)\s++(?:the\s++)?[A-Z0-9].*$")
_SHORT = re.compile(r"\(([A-Z][\w&/]{1,9})\)")
"""A short name behind the long one: "days payable outstanding (DPO)"."""
_OF = re.compile(r"\s++of\s++(?:the\s++)?[A-Z].*$")
_KIND_OF = re.compile(r"\s++(?:ratio|rate)$")
_TOLD = re.compile(
    r"^\W*(?:please\s+)?(?:calculate|compute|determine|find|give|report|state|tell\s+me)\s+(?:the\s+)?", re.I
)
_TAIL = re.compile(
    r"\s++(?:(?:for|of)\s++the\s++(?:company|group|firm|bank|year|period)|"
    r"in\s++(?:percent(?:age)?s?|%|USD|dollars?|thousands?|millions?|billions?))\b.*$",
    re.IGNORECASE,
)
_FILLER = frozenset(
    "amount amounts value total net of the in did does have has generate report end year reported gross is what how much".split()
)
_GROWTH = re.compile(
    r"\b(?:year[- ]over[- ]year\s+)?(?:percentage\s+|percent\s+|%\s+)?(?:change|increase|decrease|growth\s+rate|growth)\b"
    r"(?:\s+(?:in|of))?",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"(?:change|increase|decrease|difference|growth|decline)\b", re.IGNORECASE)
_NAMED = 4.0
"""What a metric that the question names is worth beside cells that only share its words."""
_SURE = 3.7
"""How well a line item alone must fit to stand before all else: called so, and in its primary statement."""


def parse_formula(text: str) -> Tree:
    """Read arithmetic over phrases: + - * / and parentheses, "average X", "change in X"; raise ValueError when it is none."""
    text = re.sub(r"\((?:from|per|in|see)\s[^()]*\)|\[[^\]]*\]", " ", text)
    for word, sign in _SPELLED:
        text = re.sub(word, f" {sign} ", text, flags=re.IGNORECASE)
    tokens = [t.strip() for t in _TOKEN.findall(text)]
    tree, rest = _sum([t for t in tokens if t])
    if rest:
        raise ValueError(f"cannot read {' '.join(rest)!r} in the formula {text!r}")
    return tree


def _sum(tokens: list[str]) -> tuple[Tree, list[str]]:
    left, tokens = _product(tokens)
    while tokens and tokens[0] in ("+", "~"):
        sign = "+" if tokens[0] == "+" else "-"
        right, rest = _product(tokens[1:])
        left, tokens = (sign, left, right), rest
    return left, tokens


def _product(tokens: list[str]) -> tuple[Tree, list[str]]:
    left, tokens = _factor(tokens)
    while tokens and tokens[0] in ("*", "/"):
        right, rest = _factor(tokens[1:])
        left, tokens = (tokens[0], left, right), rest
    return left, tokens


def _factor(tokens: list[str]) -> tuple[Tree, list[str]]:
    if not tokens or tokens[0] in (")", "*", "/", "+"):
        raise ValueError("a formula ends where an item should stand")
    head, rest = tokens[0], tokens[1:]
    if head == "(":
        tree, rest = _sum(rest)
        if not rest or rest[0] != ")":
            raise ValueError("a parenthesis is not closed")
        return tree, rest[1:]
    if re.fullmatch(r"\d+(?:\.\d+)?", head):
        return Decimal(head), rest
    return _leaf(head), rest


def _leaf(text: str) -> Tree:
    bare = " ".join(_YEARS.sub(" ", re.sub(r"\bfrom\s+(?:the\s+)?[\w\s&]*statements?.*$", " ", text)).split())
    if match := re.match(r"average\s+(?:of\s+)?(.+)", bare, re.I):
        return ("average", match[1])
    if match := re.match(r"(?:change|increase)\s+in\s+(.+)", bare, re.I):
        return ("change", match[1])
    return bare


def run_formula(tree: Tree, leaf: Callable[[str], Decimal]) -> Decimal:
    """The value of a formula whose leaves are valued by `leaf`; raises ZeroDivisionError or decimal's own."""
    if isinstance(tree, Decimal):
        return tree
    if isinstance(tree, str):
        return leaf(tree)
    if len(tree) == 2:
        raise ValueError(f"{tree[0]} is over two times and has no value by itself")
    sign, first, second = tree
    a, b = run_formula(first, leaf), run_formula(second, leaf)
    return a + b if sign == "+" else a - b if sign == "-" else a * b if sign == "*" else a / b


def read_formulas(ask: Ask, tables: Sequence[View]) -> list[Candidate]:
    """The metric that `ask` names or defines, computed from the statements among `tables`; at most one candidate.

    All of it is taken from one document, the best ranked that has it, before documents are joined. A metric of no named year is
    that of the latest year in its statements.
    """
    try:
        tree, mean = _asked(ask)
    except ValueError:
        return []
    if tree is None:
        return []
    documents: dict[str, list[View]] = {}
    for view in sorted(tables, key=lambda view: view.passage.rank):
        documents.setdefault(view.passage.document, []).append(view)
    groups = [*documents.values(), *([list(tables)] if len(documents) > 1 else ())]
    return next((made for views in groups if (made := _computed(ask, tree, mean, views)) is not None), [])


def _computed(ask: Ask, tree: Tree, mean: bool, views: Sequence[View]) -> list[Candidate] | None:
    """The metric from these tables: none where a row states it, None where it is not all there."""
    found = Found(ask, views, alone=len(set(leaves(tree))) == 1)
    known = isinstance(tree, str) and plain(tree) in book().lines
    years = _years(ask) or (found.latest() if known or not found.alone else [])
    if not years:
        return None
    if not isinstance(tree, str) and not mean and _stated(found, years[-1]):
        return []
    try:
        with localcontext(prec=28):
            parts = [_lettered(found, tree, year) for year in (years if mean else years[-1:])]
            text = parts[0] if len(parts) == 1 else f"({' + '.join(parts)}) / {len(parts)}"
            made = _result(ask, found, text)
    except (LookupError, ValueError, ZeroDivisionError, DivisionByZero, InvalidOperation):
        return None
    return [made] if made and not _narrower(ask, found) else None


def _narrower(ask: Ask, found: Found) -> bool:
    """Whether a part is asked for: a word of the question names rows like those computed with, and none of these.

    "The gross margin on bitcoin" is not that of the firm where a row holds bitcoin revenue.
    """
    views = {match.view.passage.node.id: match.view for match in found.cells}.values()
    items = [label_terms(match.cell.label) for match in found.cells]
    titles = " ".join(f"{view.passage.title} {view.passage.document}" for view in views)
    known = _metric_words().union(*items, stems(titles))
    beyond = frozenset(stems(ask.text)) - known
    rows = {label_terms(cell.label) for view in views for cell in view.labels.cells}
    return any(row & beyond and any(row & item for item in items) for row in rows)


@cache
def _metric_words() -> frozenset[str]:
    """The words of the metrics that are known, which name no part of a firm."""
    return frozenset(stem for name in (*book().metrics, *book().lines) for stem in stems(name))


def items_asked(ask: Ask) -> list[Line]:
    """The line items of the metric that `ask` names or defines, each once; none when it asks for no metric."""
    try:
        tree, _ = _asked(ask)
    except ValueError:
        return []
    return [] if tree is None else list(dict.fromkeys(_items(tree)))


def _items(tree: Tree) -> Iterator[Line]:
    for leaf in leaves(tree):
        line = book().lines.get(plain(leaf), Line((leaf,)))
        yield line
        if line.otherwise:
            yield from _items(parse_formula(line.otherwise))


def _stated(found: Found, year: int) -> bool:
    """Whether a statement has a row for the very metric, which is then read and not computed."""
    if _DEFINED.search(found.ask.query.text):
        return False
    row = found.cell(Line((_core(found.ask),)), year)
    return row is not None and row.features["row"] > 0.99 and row.features["row_precision"] > 0.6


def _years(ask: Ask) -> list[int]:
    years = [p.year for p in ask.periods if p.year]
    if len(years) == 2 and years[0] < years[1]:
        return list(range(years[0], years[1] + 1))
    return sorted(years[:1]) if len(years) < 2 else sorted(years)


def _asked(ask: Ask) -> tuple[Tree | None, bool]:
    """The formula that a question asks for, and whether for its mean over the years; None for what is no metric."""
    defined = {}
    for match in _DEFINED.finditer(ask.query.text):
        name = re.sub(r"\([^)]*\)", "", match["name"] or match["name_"] or match["name__"] or "")
        used = re.sub(r"\s+and\s+", " + ", match["formula"]) if match["name__"] else match["formula"]
        defined[plain(_OWNER.sub("", name.strip()))] = used
    core = _core(ask)
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


def _core(ask: Ask) -> str:
    """What is asked for, without who it is asked of and when: "inventory turnover", "capex as a % of revenue"."""
    text = ask.query.text.replace("_", " ")
    asked = re.search(
        r"(?:what(?:['’]s)?|how\s++(?:much|high|large|low))\s++(?:is|was|were|are)?\s*+(?P<what>[^?]*+)\?", text, re.I
    )
    core = asked["what"] if asked else _TOLD.sub("", ask.subject.replace("_", " "))
    core = re.sub(r"\([^)]*\)", " ", _YEARS.sub(" ", PERIOD_PHRASE.sub(" ", core)))
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
        for one in (name, f"{name} ratio", _KIND_OF.sub("", name), f"{_KIND_OF.sub('', name)} ratio"):
            if one in metrics:
                return one
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


def _lettered(found: Found, tree: Tree, year: int) -> str:
    """The formula at a year with cells as letters; raises LookupError for an item that no table has."""
    if isinstance(tree, Decimal):
        return f"{tree:f}"
    if isinstance(tree, str):
        line = book().lines.get(plain(tree), Line((tree,)))
        try:
            return found.letter(line, year)
        except LookupError:
            if not line.otherwise:
                raise
            return _lettered(found, parse_formula(line.otherwise), year)
    if len(tree) == 2:
        now, before = _lettered(found, tree[1], year), _lettered(found, tree[1], year - 1)
        if tree[0] == "earlier":
            return before
        return f"(({now} + {before}) / 2)" if tree[0] == "average" else f"({now} - {before})"
    return f"({_lettered(found, tree[1], year)} {tree[0]} {_lettered(found, tree[2], year)})"


def _result(ask: Ask, found: Found, text: str) -> Candidate | None:
    quantities = [quantity_of(cell.view, cell.cell) for cell in found.cells]
    if not quantities or any(q is None for q in quantities):
        return None
    known = [q for q in quantities if q is not None]
    same = all(q.scale == known[0].scale for q in known)
    if not same and any(q.scale == 1 for q in known):
        return None  # one table leaves its scale unsaid
    bare = text[1:-1] if re.fullmatch(r"\([^()]*\)", text) else text
    value = formula_value(bare, [q.value if same else q.amount for q in known])
    money = _dimension(parse_formula(bare)) == 1
    asked = re.search(r"%|\bper\s?cent", ask.query.text, re.I)
    percent = not money and bool(asked or ask.operation == "percentage_change")
    scale = known[0].scale if same and money else Decimal(1)
    quantity = Quantity(value * 100 if percent else value, "%" if percent else known[0].unit if money else "", scale)
    bare = f"{bare} * 100" if percent else bare
    sure = not found.alone or all(cell.features["item"] > _SURE for cell in found.cells)
    return Candidate(
        value=known[0] if bare == "a" else quantity,
        evidence=tuple(evidence(cell) for cell in found.cells),
        subject=_core(ask),
        period=" ".join(p.text for p in ask.periods),
        operation="" if bare == "a" else bare,
        score=sum(cell.score for cell in found.cells) / len(found.cells) + _NAMED,
        features={**found.cells[0].features, "formula": 1.0} | ({"metric": 1.0} if sure else {}),
    )


def _dimension(tree: Tree) -> int:
    """1 for an amount, 0 for a ratio: each letter counts 1, a quotient subtracts."""
    if isinstance(tree, Decimal):
        return 0
    if isinstance(tree, str):
        return 1
    if len(tree) == 2:
        return _dimension(tree[1])
    first, second = _dimension(tree[1]), _dimension(tree[2])
    return first - second if tree[0] == "/" else first + second if tree[0] == "*" else max(first, second)


def is_formula(operation: str) -> bool:
    """Whether an operation is a formula over letters, "(a + b) / 2", rather than a name."""
    return bool(re.fullmatch(r"(?:[a-z](?![a-z])|[\d.\s()*/+-])+", operation)) and bool(re.search(r"[a-z]", operation))


def formula_value(operation: str, values: Sequence[Decimal]) -> Decimal:
    """Run a formula over letters with the values of "a", "b", ... in order."""
    named = dict(zip(LETTERS, values, strict=False))
    return run_formula(parse_formula(operation), lambda letter: named[letter])


def leaves(tree: Tree) -> Iterator[str]:
    """The items of a formula, from left to right."""
    if isinstance(tree, str):
        yield tree
    elif not isinstance(tree, Decimal):
        for part in tree[1:]:
            yield from leaves(part)
