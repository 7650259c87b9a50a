"""What it would cost to make the vectors that a corpus lacks: texts and pictures of pages, by encoder; nothing is encoded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from pincite.corpus import Corpus, Writer, writing
from pincite.index.dense import OfVectors
from pincite.index.page_pictures import PIXELS, PictureEncoder
from pincite.index.shelf import Shelf
from pincite.indexing.page_drawings import drawable
from pincite.indexing.shelves import encoder_name, stored_document, text_hash
from pincite.ledger import Price
from pincite.ports import Encoder
from pincite.types import Usage

PICTURE_TOKENS = PIXELS // (28 * 28)
"""Tokens of the largest picture of a page, at one for each 28 x 28 pixels."""


@dataclass(frozen=True, slots=True)
class EncodingEstimate:
    """What one encoder would be sent: `texts` and `pictures` without a vector yet, about how many `tokens`, and their `cost`."""

    encoder: str
    texts: int = 0
    pictures: int = 0
    tokens: int = 0
    cost: Decimal = Decimal(0)


def estimate_encoding(folder: Path | str, shelves: Sequence[Shelf]) -> list[EncodingEstimate]:
    """What the next indexing of the documents that the corpus holds would send to each encoder of `shelves`.

    Tokens are counted as each encoder counts them. Raises CorpusError when there is no corpus in `folder`, CorpusBusy while
    another process writes it.
    """
    Corpus(folder).close()
    made = []
    with writing(folder) as writer:
        files = {file.version: file for file in writer.files().values() if file.version}
        for shelf in shelves:
            if isinstance(shelf.index, OfVectors):
                texts: Counter[str] = Counter()
                for file in files.values():
                    for entry in shelf.entries(stored_document(writer, file)):
                        if not entry.children:
                            texts[entry.text] += 1
                made.append(_estimated(writer, shelf.index.encoder, list(texts)))
    return made


def _estimated(writer: Writer, encoder: Encoder, texts: Sequence[str]) -> EncodingEstimate:
    """What is missing of one index."""
    known = writer.known_vectors([text_hash(text) for text in texts], encoder_name(encoder))
    missing = [text for text in texts if text_hash(text) not in known]
    price: Price = getattr(getattr(encoder, "by", encoder), "price", Price())
    if isinstance(encoder, PictureEncoder):
        pictures = sum(drawable(writer.folder, missing))
        tokens = pictures * PICTURE_TOKENS
        cost = price.of(Usage(tokens))
        return EncodingEstimate(encoder.name, pictures=pictures, tokens=tokens, cost=cost)
    tokens = sum(len(encoder.spans(text)) for text in missing)
    return EncodingEstimate(
        encoder.name, len(missing), tokens=tokens, cost=price.of(Usage(tokens))
    )
