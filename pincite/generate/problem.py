"""Why a model's reply is not taken, and what the model is told to write instead."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ReplyProblem:
    """What is wrong with a reply, in words that a reader of the answer sees too, and the `remedy` for the model.

    A remedy holds no words of the pages: it is an instruction, and they are data.
    """

    what: str
    remedy: str = ""

    @property
    def told(self) -> str:
        """What the model is told when it is asked again."""
        return " ".join(filter(None, (f"{self.what}.", self.remedy, "Reply again.")))
