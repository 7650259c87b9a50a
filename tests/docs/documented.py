"""Runs a page of the documentation as its reader would: every command and block in order, in one shell and one folder.

    python -m tests.docs.documented docs/how-to/grid.md          # run a page
    python -m tests.docs.documented --write docs/how-to/grid.md  # and replace shown output that is no longer what is printed

- `console`: lines after `$ ` are run by bash and must exit with 0, or with N where the line ends in `# exit code N`. Lines
  below a command are what it prints, perhaps not all of it: each must be printed, in that order. "..." stands for anything;
  times, rates, confidences and chances may differ. An id that is shown stands for the id that is printed, also where a later
  command names it.
- `python` is run; a `text` block right after it is what it prints. A block with `title="NAME"` is a file to write. Other
  `toml`, `yaml`, `json` and `csv` blocks must be readable.
- The folder is the reader's home: it holds `examples/`, `reports/` (the example reports) and `reports.corpus` (made from them).
- `pincite serve` and `pincite watch` go on in the background until the next one, `dask scheduler` and `dask worker` to the end.
  Ports 8080 and 8786 are free ports of this machine, port 11434 is a scripted model; `services.py` says what stands for the
  servers of others.
- What needs the network or another program (`NOT_RUN`) is not run; for pip and make the extra or the target must exist.
"""

import csv
import io
import json
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
import tomllib
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import yaml

from pincite.models.local.choice import HINT
from pincite.storage.disk import write
from tests.docs.services import Services, services
from tests.docs.warm_commands import CLIENT

ROOT = Path(__file__).parents[2]
NOT_RUN = ("pip", "make", "apt", "git", "soffice", "docling", "docling-tools", "docker")
SECONDS = 600
"""The most that a command may take."""
_BLOCK = re.compile(r"^```(\w+)([^\n`]*)\n(.*?)^```$", re.M | re.S)
_LOOSE = (
    (r"20\d\d\\-\d\d\\-\d\d(?:T\d\d:\d\d)?", r"20\\d\\d-\\d\\d-\\d\\d(?:T\\d\\d:\\d\\d)?"),
    (r"\d\d\\:\d\d\\:\d\d|\d\d:\d\d:\d\d", r"\\d\\d:\\d\\d:\\d\\d"),
    (r"[\d\\.,]+(?=\\ (?:s|ms|MB|pages/s|seconds)\b)", r"[\\d.,]+"),
    (r"(?<=confidence\\ )\d+(?=%)", r"\\d+"),
    (r"(?<=\\\()\d+(?=%\\\))", r"\\d+"),
    (r"\d+(?=\\ (?:supported|computed|na\b))", r"\\d+"),
    (r"(?:\\\.){3}|…", r".*"),
)
_ID = re.compile(r"\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{8,64}\b|\b[0-9a-f]{4}\.\.\.")


@dataclass
class Step:
    """A command or block of a page: what is run, what is shown of its output, and where it stands in the page."""

    language: str
    code: str
    title: str = ""
    shown: list[str] = field(default_factory=list)
    span: tuple[int, int] = (0, 0)
    """Where the shown lines stand in the page."""


def steps(text: str) -> list[Step]:
    """The commands and blocks of a page, in order."""
    found: list[Step] = []
    for block in _BLOCK.finditer(text):
        language, info, body = block.groups()
        title = re.search(r'title="([^"]+)"', info)
        if language == "console":
            found += _commands(body, block.start(3))
        elif language == "text" and not title:
            if found and found[-1].language == "python":
                found[-1].shown = body.splitlines()
                found[-1].span = (block.start(3), block.end(3))
        else:
            found.append(Step(language, body, title[1] if title else ""))
    return found


def _commands(body: str, start: int) -> list[Step]:
    made: list[Step] = []
    open_line = False
    at = start
    for line in body.splitlines(keepends=True):
        plain = line.rstrip("\n")
        if plain.startswith("$ "):
            made.append(Step("console", plain[2:], span=(at + len(line),) * 2))
        elif open_line:
            made[-1].code += "\n" + plain.removeprefix("> ")
            made[-1].span = (at + len(line),) * 2
        elif made:
            made[-1].shown.append(plain)
            made[-1].span = (made[-1].span[0], at + len(line))
        open_line = plain.endswith("\\") and bool(made) and not made[-1].shown
        at += len(line)
    return made


EARLIER = """import contextlib, io
with contextlib.redirect_stdout(io.StringIO()):
    exec(open(".earlier.py").read())
"""
"""A block of Python goes on from the earlier ones of its page, which are run again without a word."""


class Reader:
    """Who follows a page: a shell in a folder, the ids that were seen instead of those shown, and what was not run."""

    def __init__(
        self,
        home: Path,
        corpus: Path,
        warm: Path,
        model: str = "",
        others: Services | None = None,
    ) -> None:
        self.home = home
        self.ids: dict[str, str] = {}
        self.left: list[str] = []
        self.blocks: list[str] = []
        self.port, self.scheduler = _free_port(), _free_port()
        self.model, self.others = model, others or Services()
        self._number = 0
        shutil.copytree(ROOT / "examples", home / "examples")
        shutil.copytree(ROOT / "deploy", home / "deploy")
        shutil.copytree(ROOT / "examples" / "files", home / "reports")
        shutil.copytree(corpus, home / "reports.corpus")
        programs = home / ".bin"
        programs.mkdir()
        _program(programs / "cold-pincite", f'exec {sys.executable} -m pincite "$@"')
        (programs / "pincite").write_text(CLIENT.format(python=sys.executable, socket=str(warm)))
        (programs / "pincite").chmod(0o755)
        _program(programs / "python", f'exec {sys.executable} "$@"')
        _program(programs / "dask", f'exec {sys.executable} -m dask "$@"')
        (home / ".venv/bin").mkdir(parents=True)
        (home / ".venv/bin/activate").touch()
        write(home / ".state" / "pincite" / "agreed", f"{HINT}\n")  # what is said once was said
        kept = {name: value for name, value in os.environ.items() if name[:7] not in ("PINCITE", "OPENAI_")}  # fmt: skip
        self.shell = subprocess.Popen(
            ["bash", "--noprofile", "--norc"],
            cwd=home,
            stdin=subprocess.PIPE,
            start_new_session=True,
            text=True,
            env=kept | {
                "HOME": str(home), "PATH": f"{programs}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT), "COLUMNS": "200",
                "XDG_STATE_HOME": str(home / ".state"), "USER": "ada", "LOGNAME": "ada", **self.others.variables,
            },
        )  # fmt: skip

    def close(self) -> None:
        """End the shell with all that it started."""
        os.killpg(self.shell.pid, signal.SIGKILL)
        self.shell.wait()
        assert self.shell.stdin is not None
        self.shell.stdin.close()

    def follow(self, step: Step) -> str:
        """Run a step; returns what it printed. Raises AssertionError for what is not as the page says."""
        code = self._replaced(step.code)
        if step.title:
            path = self.home / step.title
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(code)
            return ""
        if step.language == "python":
            (self.home / ".earlier.py").write_text("\n".join(self.blocks))
            (self.home / ".block.py").write_text(EARLIER + code)
            self.blocks.append(code)
            return self._run("python .block.py", step.code)
        if step.language == "console":
            return self._command(step, code)
        _readable(step.language, code)
        return ""

    def _replaced(self, code: str) -> str:
        for shown, printed in self.ids.items():
            code = code.replace(shown, printed)
        for named, stands in self.others.replaced.items():
            code = code.replace(named, stands)
        code = code.replace("8080", str(self.port))
        code = code.replace("scheduler:8786", f"127.0.0.1:{self.scheduler}")
        return code.replace("http://localhost:11434/v1", self.model)

    def _command(self, step: Step, code: str) -> str:
        words = shlex.split(code, comments=True)
        program = Path(words[0]).name
        if program == "sudo":
            program = words[1]
        brings = words[:3] == ["pincite", "models", "get"]
        if program in NOT_RUN or brings or "--parser docling" in code:
            _can_be(program, words)
            self.left.append(step.code)
            return ""
        if words[:2] in (["pincite", "serve"], ["pincite", "watch"]):
            port = f" --port {self.port}" if words[1] == "serve" else ""
            code = code.replace(f"pincite {words[1]}", f"cold-pincite {words[1]}{port}", 1)
            return self._background(code, step.code)
        if words[0] == "dask":
            port = f" --port {self.scheduler}" if words[1] == "scheduler" else ""
            code = code.replace("0.0.0.0", "127.0.0.1").replace(words[1], words[1] + port, 1)
            return self._background(code, step.code, words[1])
        wanted = re.search(r"# exit code (\d+)\s*$", code)
        return self._run(code, step.code, int(wanted[1]) if wanted else 0)

    def _told(self, line: str) -> Path:
        """Send a line to the shell and wait until it is over; the file beside which its output stands."""
        assert self.shell.stdin is not None
        done = self.home / f".{self._number}.code"
        self.shell.stdin.write(line.replace("OUT", str(self._out())) + f"\necho $? > {done}\n")
        self.shell.stdin.flush()
        end = time.monotonic() + SECONDS
        while not (done.exists() and done.read_text().endswith("\n")):
            assert time.monotonic() < end, f"after {SECONDS} s still running: {line}"
            assert self.shell.poll() is None, f"the shell ended: {line}"
            time.sleep(0.01)
        return done

    def _out(self) -> Path:
        return self.home / f".{self._number}.out"

    def _run(self, code: str, shown: str, wanted: int = 0) -> str:
        self._number += 1
        done = self._told("{ " + code + "\n} > OUT 2>&1 < /dev/null")
        printed = self._out().read_text()
        status = int(done.read_text())
        assert status == wanted, f"exit code {status}, not {wanted}: {shown}\n{printed}"
        return printed

    def _background(self, code: str, shown: str, name: str = "last") -> str:
        self._number += 1
        self._out().touch()
        plain = re.sub(r"\s+#.*", "", code)
        self._told(
            f"[ -z ${name} ] || {{ kill ${name}; wait ${name}; }} 2> /dev/null; {plain} > OUT 2>&1 < /dev/null & {name}=$!"
        )
        end = time.monotonic() + SECONDS
        while not self._out().read_text():
            assert time.monotonic() < end, f"printed nothing in {SECONDS} s: {shown}"
            time.sleep(0.05)
        time.sleep(0.2)
        return self._out().read_text()

    def differs(self, step: Step, printed: str) -> str:
        """The first shown line that was not printed where it should be; "" when all were."""
        lines = [_plain(line) for line in printed.replace(str(self.port), "8080").splitlines()]
        at = 0
        for shown in map(_plain, step.shown):
            if not shown:
                continue
            pattern, ids = _pattern(shown)
            for number in range(at, len(lines)):
                if found := re.fullmatch(pattern, lines[number]):
                    for name, new in zip(ids, found.groups(), strict=True):
                        self.ids.setdefault(name, new)
                    at = number + 1
                    break
            else:
                return shown
        return ""


def _as_shown(printed: str, port: int) -> str:
    lines = printed.replace(str(port), "8080").strip("\n").splitlines()
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _plain(line: str) -> str:
    return " ".join(line.split())


def _pattern(shown: str) -> tuple[str, list[str]]:
    """A regular expression for a shown line, and the ids that its groups stand for."""
    parts, ids, at = [], [], 0
    for found in _ID.finditer(shown):
        parts += [_loose(shown[at : found.start()]), "([0-9a-f]{4,64})"]
        ids.append(found[0])
        at = found.end()
    return "".join([*parts, _loose(shown[at:])]), ids


def _loose(text: str) -> str:
    escaped = re.escape(text)
    for pattern, instead in _LOOSE:
        escaped = re.sub(pattern, instead, escaped)
    return escaped


def _readable(language: str, text: str) -> None:
    if language == "toml":
        tomllib.loads(text)
    elif language in ("yaml", "yml"):
        assert yaml.safe_load(text) is not None
    elif language == "json":
        json.loads(text)
    elif language == "csv":
        assert len({len(row) for row in csv.reader(io.StringIO(text))}) == 1
    else:
        raise AssertionError(f"no way to check a block of {language!r}")


def _can_be(program: str, words: list[str]) -> None:
    """Whether pip and make would find what they are asked for."""
    if program == "make":
        targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.M)
        wanted = [word for word in words[1:] if "=" not in word]
        assert set(wanted) <= set(targets), f"no such target: {wanted}"
    if program == "pip":
        project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
        for extras in re.findall(r"(?:pincite|\.)\[([\w,-]+)\]", " ".join(words)):
            assert set(extras.split(",")) <= set(project["optional-dependencies"]), extras


def _program(path: Path, line: str) -> None:
    path.write_text(f"#!/bin/sh\n{line}\n")
    path.chmod(0o755)


def _free_port() -> int:
    with socket.socket() as opened:
        opened.bind(("127.0.0.1", 0))
        return int(opened.getsockname()[1])


@contextmanager
def warm_commands(folder: Path):
    """The socket of a process that runs commands; see `warm_commands.py`."""
    place = folder / "warm"
    command = [sys.executable, "-m", "tests.docs.warm_commands", str(place)]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE) as process:
        while not place.exists():
            assert process.poll() is None
            time.sleep(0.05)
        yield place
        assert process.stdin is not None
        process.stdin.close()


def _model(asked: Any) -> Any:
    """A model that knows the example reports, and what `pincite doctor --models` asks."""
    from tests.served import right
    from tests.stand_ins.scripts import minimal, oracle

    fields = asked.schema["properties"] if asked.schema else {}
    known = {"result": 42, "colour": "Red"}
    if fields.keys() & known.keys():
        return oracle(lambda _: known)(asked)
    return right(asked) if fields else minimal(asked)


@contextmanager
def reading(text: str, home: Path, corpus: Path, warm: Path):
    """A reader of a page, with a scripted model where the page asks one."""
    with ExitStack() as stack:
        address = ""
        if "11434" in text:
            from tests.stand_ins.scripted_server import ScriptedServer

            address = stack.enter_context(ScriptedServer(_model, models=("qwen3",))).url
        others = stack.enter_context(services(text, home, ROOT / "examples" / "files"))
        reader = Reader(home, corpus, warm, address, others)
        stack.callback(reader.close)
        yield reader


def follow(
    page: Path, home: Path, corpus: Path, warm: Path, write: bool = False
) -> dict[str, int]:
    """Follow a page to its end; how many commands and blocks were run, read and left out. Raises AssertionError."""
    text = page.read_text(encoding="utf-8")
    told = {"run": 0, "read": 0, "not run": 0}
    changed: list[tuple[tuple[int, int], str]] = []
    try:
        with reading(text, home, corpus, warm) as reader:
            for step in steps(text):
                printed = reader.follow(step)
                if reader.left and reader.left[-1] is step.code:
                    told["not run"] += 1
                    continue
                told["run" if step.language in ("console", "python") else "read"] += 1
                if differs := reader.differs(step, printed):
                    new = _as_shown(printed, reader.port)
                    changed.append((step.span, new))
                    assert write, (
                        f"{page.name}: {step.code}\nshows\n{differs}\nand printed\n{printed}"
                    )
                    reader.differs(replace(step, shown=new.splitlines()), printed)
    finally:
        for (start, end), new in reversed(changed) if write else ():
            text = text[:start] + new + text[end:]
        if write and changed:
            page.write_text(text, encoding="utf-8")
    return told


def main() -> None:
    """Follow the pages that are named on the command line."""
    from tempfile import TemporaryDirectory

    from pincite.workbench.library import index

    names = sys.argv[1:]
    write = "--write" in names
    with TemporaryDirectory() as folder, warm_commands(Path(folder)) as warm:
        corpus = Path(folder) / "corpus"
        index(ROOT / "examples/files", corpus, metadata=ROOT / "examples/metadata.csv")
        for number, name in enumerate(name for name in names if name != "--write"):
            home = Path(folder) / f"home{number}"
            home.mkdir()
            begun = time.monotonic()
            try:
                told = str(follow(Path(name), home, corpus, warm, write))
            except AssertionError as wrong:
                told = f"FAILED: {wrong}"
            sys.stdout.write(f"{name} {told} {time.monotonic() - begun:.0f} s\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
