"""The blocks of a text document as they come, with the list that is open and the notes that wait for the end of their block."""

from __future__ import annotations

from dataclasses import dataclass, field

from pincite.ingest.page_cuts import text_block
from pincite.ingest.raw_page import Block


@dataclass(slots=True)
class TextFlow:
    """Blocks in reading order, None for a page break; lines of the list that is open; notes and comments referred to."""

    blocks: list[Block | None] = field(default_factory=list)
    items: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def put_notes(self) -> None:
        """Add the notes that wait."""
        self.blocks += [text_block(note, "footnote") for note in self.notes]
        self.notes = []

    def close_list(self) -> None:
        """Add the list that is open, without its notes."""
        if self.items:
            self.blocks.append(text_block("\n".join(self.items), "list"))
            self.items = []

    def close(self) -> None:
        """Add the list that is open and the notes that wait."""
        self.close_list()
        self.put_notes()
