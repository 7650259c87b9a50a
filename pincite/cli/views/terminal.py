r"""The one place where text goes out: no document, name, row or reply can steer the terminal that it is shown on.

A control character is written as JSON writes it: `\u001b`. So JSON is unchanged, too.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from typing import TYPE_CHECKING, Any, TextIO, cast

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType
    from rich.progress import Progress, ProgressColumn
    from rich.table import Table

CONTROLS = (
    *(code for code in range(0x20) if chr(code) not in "\t\n\r"), *range(0x7F, 0xA0),  # C0, DEL and C1
    *range(0x202A, 0x202F), *range(0x2066, 0x206A),  # what turns the direction of the text that follows
    *range(0xD800, 0xE000),  # halves of characters, as in names of files that are no UTF-8: no stream takes them
)  # fmt: skip
_UNBROKEN = 10_000  # columns of an output that is no terminal: every line stays whole
_SHOWN = {code: f"\\u{code:04x}" for code in CONTROLS} | {ord("\r"): "\n"}


def shown(text: str) -> str:
    """A text that steers no terminal."""
    return text.replace("\r\n", "\n").translate(_SHOWN)


class Plain:
    """A stream of text that takes nothing but `shown` text; all else is that of the stream beneath."""

    def __init__(self, beneath: TextIO) -> None:
        self.beneath = beneath

    def write(self, text: str) -> int:
        """Write a text as it is shown."""
        self.beneath.write(shown(text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write texts."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.beneath, name)


@contextmanager
def plain_output() -> Iterator[None]:
    """Standard output and error take nothing but `shown` text."""
    with (
        redirect_stdout(cast(TextIO, Plain(sys.stdout))),
        redirect_stderr(cast(TextIO, Plain(sys.stderr))),
    ):
        yield


def terminal(stderr: bool = False) -> Console:
    """A console of rich on standard output or error that takes texts as they are: no markup, no link, no escape but its own."""
    from rich.console import Console
    from rich.segment import Segment

    class Terminal(Console):
        def render(
            self, renderable: RenderableType, options: ConsoleOptions | None = None
        ) -> Iterable[Segment]:
            for segment in super().render(renderable, options):
                yield segment if segment.control else Segment(shown(segment.text), segment.style)

    stream = sys.stderr if stderr else sys.stdout
    return Terminal(
        file=getattr(stream, "beneath", stream), markup=False, emoji=False, highlight=False
    )


def unbroken() -> Console:
    """A console that keeps every line whole where its output is no terminal."""
    console = terminal()
    if not console.is_terminal:
        console.width = _UNBROKEN
    return console


def print_line(console: Console, indent: int, *parts: tuple[str, str]) -> None:
    """Print parts of text, each with its style, as one line; where it is too long, all of its lines are indented."""
    from rich.padding import Padding
    from rich.text import Text

    console.print(Padding(Text.assemble(*parts), (0, 0, 0, indent), expand=False))


def bars(*columns: ProgressColumn | str, quiet: bool) -> Progress:
    """Progress bars on standard error that disappear when they are done; a text among the columns is a template of the task."""
    from rich.progress import Progress, TextColumn

    made = (TextColumn(each, markup=False) if isinstance(each, str) else each for each in columns)
    return Progress(
        *made, console=terminal(stderr=True), disable=quiet, transient=True, redirect_stdout=False, redirect_stderr=False,
    )  # fmt: skip


def report_table(title: str, names: Sequence[str], left: int, unwrapped: bool = False) -> Table:
    """An empty table under a title: behind the first `left` columns stand figures, aligned right."""
    from rich import box
    from rich.table import Table

    table = Table(title=title, box=box.SIMPLE_HEAD, title_justify="left")
    for at, name in enumerate(names):
        justify: Any = "left" if at < left else "right"
        table.add_column(name, justify=justify, no_wrap=unwrapped and at != 1)
    return table


def plain_table(*names: str) -> Table:
    """An empty table without lines."""
    from rich.table import Table

    return Table(*names, box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")


@contextmanager
def working(stderr: bool = False) -> Iterator[Callable[[str], None]]:
    """A line of standard output or error that says what is being done, and disappears when that is over."""
    from rich.live import Live
    from rich.spinner import Spinner
    from rich.text import Text

    spinner = Spinner("dots")
    with Live(
        spinner, console=terminal(stderr), transient=True, redirect_stdout=False, redirect_stderr=False
    ):  # fmt: skip
        yield lambda text: spinner.update(
            text=Text(text, style="dim", no_wrap=True, overflow="ellipsis")
        )
