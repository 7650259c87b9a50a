"""How fast a model is on this machine or at its endpoint, by its last replies: what an estimate of the next one rests on."""

from __future__ import annotations

from dataclasses import dataclass

WEIGHT = 0.3
"""Share of the last reply in what is kept: some come from a cache, and some wait for others."""


@dataclass(frozen=True, slots=True)
class Speed:
    """Tokens of a prompt read and of a reply written in a second, and the tokens of a usual reply."""

    read: float
    write: float
    reply: float

    @property
    def writing(self) -> float:
        """Seconds that a usual reply takes once it began."""
        return self.reply / self.write

    def seconds(self, prompt: int) -> float:
        """Seconds that a prompt of so many tokens and its reply may take."""
        return prompt / self.read + self.writing

    def after(self, other: Speed) -> Speed:
        """What is known after one more reply, which had the `other` speed."""
        return Speed(
            *(
                (1 - WEIGHT) * known + WEIGHT * new
                for known, new in zip(self.values, other.values, strict=True)
            )
        )

    @property
    def values(self) -> tuple[float, float, float]:
        """The three numbers."""
        return self.read, self.write, self.reply


FIRST = Speed(40.0, 15.0, 120.0)
"""What a model of 1.5 billion parameters does on two cores, for a local model that has not replied yet."""
