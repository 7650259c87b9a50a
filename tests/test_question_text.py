"""The files that match patterns against a question's text, followed through the calls that pass it on."""

import ast
from collections import defaultdict
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parent.parent / "pincite"
APART = {"question", "document", "quantity", "text", "lab"}
"""The room of questions, those below it, which do not know that a text is a question, and those that answer none."""
MATCHING = {
    # cut it into words, find its names, numbers, years and placeholders
    "check/absence", "check/other_things", "database/relations/name_folding",
    "rows/drafting/explained_words", "rows/drafting/value_hints", "rows/lookup",
    "search/company_scope", "search/document_routing", "search/question_names",
    "corpus/versions/edition_marks", "workbench/grid/spec",
    # look for the terms of a trade in it
    "search/expansion",
    # read a statement that is true or false as they read a sentence
    "evidence/stance",
    # look for what it wants done with rows: counted, added, the latest, in a unit
    "rows/drafting/asked_groups", "rows/drafting/asked_rank", "rows/drafting/asked_time", "rows/drafting/engine_forms",
    "rows/drafting/objections",
    "rows/drafting/repeated_rows", "rows/row_drafts",
    # read an answer beside the question that it answers
    "chat/checked_prose",
}  # fmt: skip
"""The files outside `question/` that may. No other may, and each that stops is taken off."""

WORDING = {"asking", "cues", "focus", "pointers", "proper_names", "request", "wording"}
"""The files of `question/` that read a text. `Ask` has what they find, so nobody else needs them but those below."""
READING = {
    # cut what is searched for out of a question
    "search/expansion", "evidence/stance", "rows/drafting/schema_routing",
    "search/question_names",
    # read what is asked of a table before it is an Ask: corrected, or in other words
    "rows/row_drafts",
    # the same words in a document: a change, a reason, the label of a place, a legal form, things that are counted
    "check/other_things", "search/pointed_pages", "lines/quoted", "lines/unnamed_document", "lines/kind_fit",
    # compares the names in a question with those of another edition
    "reconcile/editions",
}  # fmt: skip

MATCHES = {"search", "match", "fullmatch", "sub", "subn", "split", "findall", "finditer"}
KEEPS = {"strip", "lstrip", "rstrip", "lower", "casefold", "replace", "join", "sub", "split", "removesuffix"}  # fmt: skip
"""Calls that leave a question a question."""
HOLDERS = ("ask", "query", "question", "asked")


def is_question(node, names):
    """Whether an expression is a question's text, whole or cut; `names` are the variables that hold one."""
    match node:
        case ast.Attribute(value=holder, attr="text" | "subject" | "statement"):
            return getattr(holder, "id", getattr(holder, "attr", "")) in HOLDERS
        case ast.Name(id=name):
            return name in names or name == "question"
        case ast.Call(func=ast.Attribute(value=text, attr=attr), args=given) if attr in KEEPS:
            return any(is_question(part, names) for part in (text, *given))
        case ast.BinOp(left=left, right=right):
            return is_question(left, names) or is_question(right, names)
        case ast.JoinedStr(values=parts):
            return any(is_question(getattr(part, "value", None), names) for part in parts)
        case ast.Subscript(value=text):
            return is_question(text, names)
        case ast.IfExp(body=one, orelse=other):
            return is_question(one, names) or is_question(other, names)
        case ast.BoolOp(values=parts):
            return any(is_question(part, names) for part in parts)
    return False


class Function:
    """A function of the package: what it assigns, what it calls, and the names in it that hold a question."""

    def __init__(self, node):
        given = [argument.arg for argument in (*node.args.posonlyargs, *node.args.args)]
        self.given = given[1:] if given[:1] in (["self"], ["cls"]) else given
        inner = list(ast.walk(node))
        self.assigned = [
            (part.targets[0].id, part.value)
            for part in inner
            if isinstance(part, ast.Assign) and isinstance(part.targets[0], ast.Name)
        ]
        self.calls = [part for part in inner if isinstance(part, ast.Call)]
        self.names = set()

    def take(self, names):
        """Take these names for questions too, and what is assigned from them. Whether any is new."""
        before = len(self.names)
        self.names |= names
        for name, value in self.assigned * 2:
            if is_question(value, self.names):
                self.names.add(name)
        return len(self.names) > before

    def matches(self):
        """Whether a pattern is matched against a question here."""
        return any(
            isinstance(call.func, ast.Attribute)
            and call.func.attr in MATCHES
            and any(is_question(given, self.names) for given in call.args)
            for call in self.calls
        )


@cache
def package():
    """Every function by (module, name), and what each module imports: a name to (module, name)."""
    functions, imported = defaultdict(list), {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        module = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        if parts[1] == "lab":
            continue
        nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
        imported[module] = {
            alias.asname or alias.name: (node.module, alias.name)
            for node in nodes
            if isinstance(node, ast.ImportFrom) and node.module
            for alias in node.names
        }
        for node in nodes:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                functions[module, node.name].append(Function(node))
    return functions, imported


def called(module, function, imported):
    """The (module, name) of a function that is called by its name, by its module's, or as a method of its own class."""
    match function:
        case ast.Name(id=name):
            return imported[module].get(name, (module, name))
        case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name):
            return module, name
        case ast.Attribute(value=ast.Name(id=holder), attr=name) if holder in imported[module]:
            return ".".join(imported[module][holder]), name
    return None


def passed_on(function, call, other):
    """The parameters of another function that a call hands a question."""
    given = [*zip(other.given, call.args, strict=False), *((key.arg, key.value) for key in call.keywords)]  # fmt: skip
    return {name for name, value in given if is_question(value, function.names)}


def test_only_these_match_patterns_against_a_question():
    functions, imported = package()
    waiting = [(key, function) for key, several in functions.items() for function in several]
    for _, function in waiting:
        function.take(set())
    while waiting:
        (module, _), function = waiting.pop()
        for call in function.calls:
            key = called(module, call.func, imported)
            for other in functions.get(key, ()):
                if other.take(passed_on(function, call, other)):
                    waiting.append((key, other))
    found = {
        module.removeprefix("pincite.").replace(".", "/")
        for (module, _), several in functions.items()
        if any(function.matches() for function in several)
    }
    assert {name for name in found if name.split("/")[0] not in APART} == MATCHING


def test_only_these_read_a_text_as_a_question_is_read():
    _, imported = package()
    found = set()
    for module, names in imported.items():
        rooms = {".".join(name) for name in names.values()}
        read = {room.split(".")[2] for room in rooms if room.startswith("pincite.question.")}
        if read & WORDING:
            found.add(module.removeprefix("pincite.").replace(".", "/"))
    assert {name for name in found if name.split("/")[0] != "question"} == READING
