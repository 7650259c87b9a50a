"""Pages as pictures: a view of them, and an encoder that finds them by text, where it has one space for texts and pictures.

KohakuRAG embeds pictures so with jina-embeddings-v4 (Wu et al. 2025, section 2.4, and its public code); here it is whole pages,
as they look, since what is cited is a page. What a picture shows is not read here: it only leads to the page.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from pincite.ports import Encoder, Side
from pincite.types import Document, Entry

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PIXELS = 768 * 28 * 28
"""Pixels of a page's picture, at most: what jina-embeddings-v4 takes without making it smaller."""


class SeeingEncoder(Encoder, Protocol):
    """An encoder that gives texts and pictures vectors of one space."""

    def encode_pictures(self, pictures: Sequence[bytes]) -> NDArray[np.float32]:
        """Encode n PNG files as the rows of an (n, dims) array, each of length 1. Raises as `encode` does."""
        ...


@dataclass(frozen=True, slots=True)
class PagePictures:
    """Every page as its picture; the text of an entry only names the picture, as SOURCE#PAGE."""

    def __call__(self, document: Document) -> Iterable[Entry]:
        """Yield one entry for every page."""
        for node in document.nodes:
            if node.kind == "page" and node.anchor.page:
                yield Entry(node.id, "picture", f"{node.anchor.source}#{node.anchor.page}")


@dataclass(frozen=True, slots=True)
class PictureEncoder:
    """The encoder of an index whose rows are pictures and whose queries are texts. `by` sees both."""

    by: SeeingEncoder

    @property
    def name(self) -> str:
        """The encoder's name, for pictures."""
        return f"{self.by.name} of pictures"

    @property
    def revision(self) -> str:
        """The encoder's, and how large pictures are."""
        return f"{self.by.revision}#{PIXELS}"

    @property
    def dims(self) -> int:
        """The length of a vector."""
        return self.by.dims

    @property
    def window(self) -> int:
        """The encoder's, for questions."""
        return self.by.window

    def spans(self, text: str) -> list[tuple[int, int]]:
        """The encoder's, for questions."""
        return self.by.spans(text)

    def encode(self, texts: Sequence[str], *, side: Side = "query") -> NDArray[np.float32]:
        """The vectors of questions, whatever the side: pictures are encoded where they are drawn."""
        return self.by.encode(texts, side="query")

    def encode_pictures(self, pictures: Sequence[bytes]) -> NDArray[np.float32]:
        """The vectors of pages, as PNG files."""
        return self.by.encode_pictures(pictures)
