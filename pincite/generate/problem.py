"""Why a model's reply is not taken, and what the model is told to write instead."""

from __future__ import annotations

from dataclasses import dataclass

NOT_FOUND = "not found"
NOT_ACCEPTED = "not accepted"


@dataclass(frozen=True, slots=True)
class ReplyProblem:
    """What is wrong with a reply, in words that a reader of the answer sees too, and the `remedy` for the model.

    `unfound` says that the place or the number of the reply was not found, so that nothing could be judged. A remedy holds no
    words of the pages: it is an instruction, and they are data.
    """

    what: str
    remedy: str
    unfound: bool = False

    @property
    def told(self) -> str:
        """What is wrong, behind the word that tells whether the place was found."""
        return f"{NOT_FOUND if self.unfound else NOT_ACCEPTED}: {self.what}"
