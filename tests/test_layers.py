"""Imports go to a lower layer, or sideways within one without a cycle. The layers are the table of docs/architecture.md."""

import ast
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parent.parent / "pincite"
LAYERS = [
    {
        "types",
        "spell",
        "errors",
        "language",
        "quantity",
        "encoding",
        "offline",
        "processes",
        "__init__",
        "bounds",
        "lexicon",
        "disk",
        "untrusted",
        "wording",
        "formats",
    },  # fmt: skip
    {"ports", "stage", "ledger", "storage"},
    {"document"},
    {"question"},
    {"corpus", "ingest", "models", "database", "versions"},
    {"index", "cluster"},
    {"search"},
    {"evidence"},
    {"lines"},
    {"check"},
    {"generate"},
    {"reconcile", "rows"},
    {"recipes", "chat"},
    {"indexing", "library", "settings", "consent", "records", "review"},
    {"workbench"},
    {"lab"},
    {"cli", "serve", "mcp", "integrations", "__main__"},
]
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}


def room(module):
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else "__init__"


@cache
def tree(path):
    """A file of the package, parsed."""
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def imports():
    """(importing file, its room, imported room, whether at module level) for every import inside the package."""
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        own = parts[0]
        for node in ast.walk(tree(path)):
            names = []
            if isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names = [node.module]
                if node.module == "pincite":
                    names = [
                        f"pincite.{one.name}" if (PACKAGE / one.name).exists() else "pincite"
                        for one in node.names
                    ]
            elif isinstance(node, ast.Import):
                names = [one.name for one in node.names]
            for name in (
                names if own != "__init__" else ()
            ):  # the public names, imported when they are asked for
                if name.split(".")[0] == "pincite" and room(name) != own:
                    found.append((path.relative_to(PACKAGE).as_posix(), own, room(name)))
    return found


def test_every_module_has_a_layer():
    rooms = {
        path.stem if path.is_file() else path.name
        for path in PACKAGE.iterdir()
        if path.suffix in ("", ".py")
    }
    assert rooms - {"data", "__pycache__"} <= set(LEVEL)


def test_imports_go_down_or_sideways():
    # settings are values that a recipe may be given; nothing else looks up
    up = [
        (path, to)
        for path, own, to in imports()
        if LEVEL[to] > LEVEL[own] and (own, to) != ("recipes", "settings")
    ]
    assert up == []


def test_sideways_imports_have_no_cycle():
    edges = {(own, to) for _, own, to in imports() if LEVEL[own] == LEVEL[to]}
    rooms = {own for own, _ in edges} | {to for _, to in edges}
    while rooms:
        free = {one for one in rooms if not any(own == one and to in rooms for own, to in edges)}
        assert free, f"a cycle among {sorted(rooms)}"
        rooms -= free


def test_the_check_imports_no_reader_and_no_reader_the_check():
    assert not [path for path, own, to in imports() if {own, to} == {"check", "lines"}]


def test_only_its_verbs_import_the_laboratory():
    for path, own, to in imports():
        if to == "lab" and own != "lab":
            assert path.startswith("cli/lab/"), f"{path} imports {to}"


def test_no_circle_of_files():
    """No file imports another that, over others or not, imports it; what only types need does not count."""
    names = {module(path): path for path in PACKAGE.rglob("*.py")}
    graph = {name: imported(path, names.keys()) - {name} for name, path in names.items()}
    while graph:
        free = {name for name, needs in graph.items() if not needs & graph.keys()}
        assert free, f"a circle among, or below, {sorted(graph)}"
        graph = {name: needs for name, needs in graph.items() if name not in free}


def module(path):
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported(path, known):
    """The modules of the package that a file imports, in functions too."""
    found, nodes = set(), [tree(path)]
    while nodes:
        node = nodes.pop()
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            continue
        nodes.extend(ast.iter_child_nodes(node))
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        if isinstance(node, ast.ImportFrom) and node.module:
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= inner & known or {node.module}
    return found & known
