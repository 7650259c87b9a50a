"""A room stands above all that it imports. The rooms and their floors are the table of docs/architecture.md."""

import ast
import re
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parent.parent / "pincite"
PAGE = PACKAGE.parent / "docs/architecture.md"
FLOOR = {
    room: int(floor)
    for floor, room in re.findall(
        r"^\| (\d+) \| `(\w+)(?:/|\.py)` \|", PAGE.read_text("utf-8"), re.M
    )
}
ROOMS, FLOORS, MODULES = 28, 12, 8
"""The most rooms that are folders, the most floors, and the most modules beside the folders."""
DOOR = {"__init__", "__main__"}
"""The public names, which are imported when they are asked for, and the command line as a module."""


def room(module):
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else "__init__"


@cache
def tree(path):
    """A file of the package, parsed."""
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def imports():
    """(importing file, its room, imported room) for every import from one room of another, also what only types need."""
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        own = path.relative_to(PACKAGE).with_suffix("").parts[0]
        if own in DOOR:
            continue
        for node in ast.walk(tree(path)):
            names = []
            if isinstance(node, ast.ImportFrom) and node.module == "pincite":
                names = [f"pincite.{one.name}" for one in node.names if one.name in FLOOR]
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names = [node.module]
            elif isinstance(node, ast.Import):
                names = [one.name for one in node.names]
            rooms = {room(name) for name in names if name.split(".")[0] == "pincite"}
            found += [
                (path.relative_to(PACKAGE).as_posix(), own, to) for to in rooms - {own} - DOOR
            ]
    return found


def test_the_page_names_every_room_and_none_that_is_gone():
    rooms = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    modules = {path.stem for path in PACKAGE.glob("*.py")} - DOOR
    assert rooms | modules == set(FLOOR)
    assert len(rooms) <= ROOMS and len(modules) <= MODULES and max(FLOOR.values()) <= FLOORS


def test_a_room_stands_above_all_that_it_imports():
    assert [(path, to) for path, own, to in imports() if FLOOR[to] >= FLOOR[own]] == []


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
