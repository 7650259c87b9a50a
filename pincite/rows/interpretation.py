"""How a question to rows was read: the statement, what it finds, how sure that is, and why there is no answer."""

from __future__ import annotations

from dataclasses import dataclass

from pincite.database.statements.execution import Result


@dataclass(frozen=True, slots=True)
class Interpretation:
    """How a question was understood.

    `asked` is the statement over clean views, `statement` the same over the source. `mapping` says what words were taken for,
    `unmapped` are telling words that nothing explains; `notes` say what code put right. `confidence`, in [0, 1], is the chance
    that the rows are the right ones. When `refused`, `reason` says why; the result is then the best guess, not to be shown as an
    answer, or None.
    """

    question: str
    asked: str = ""
    statement: str = ""
    mapping: tuple[tuple[str, str], ...] = ()
    unmapped: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    confidence: float = 0.0
    result: Result | None = None
    refused: bool = False
    reason: str = ""
