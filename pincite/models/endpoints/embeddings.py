"""A text encoder behind an OpenAI-compatible /embeddings endpoint."""

from __future__ import annotations

import base64
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from pincite.errors import ModelError
from pincite.formats.spell import spell
from pincite.models.endpoints.endpoint import Overflow
from pincite.models.endpoints.posting import (
    PostedModel,
    by_index,
    in_parts,
    most_tokens,
    number,
    sendable,
)
from pincite.models.endpoints.token_counts import (
    SPARE,
    approximate_spans,
    counted,
    documented_limit,
)
from pincite.models.loop import wait_all
from pincite.models.text_parts import read_whole, unit_rows
from pincite.ports import Side
from pincite.storage.ledger import about

if TYPE_CHECKING:
    from numpy.typing import NDArray

Vector = Sequence[float]
Images = Literal["", "input", "messages"]
TILE = 28
"""Pixels of a side of the squares that pictures are cut into."""
PICTURES_AT_ONCE = 8
"""Pictures in one request."""
MARKS = 4
"""Tokens that an endpoint may put around a text."""
BYTES_PER_TOKEN = 3
"""A batch is filled as if tokens had so many bytes, which is more tokens than most texts have."""

_dims: dict[tuple[str, str, int], int] = {}


@dataclass(frozen=True, slots=True)
class EmbeddingsEndpoint(PostedModel):
    """The encoder `name` at `base_url` (it mostly ends in /v1), with the API key in the environment variable `key`.

    `size` asks for vectors of so many dimensions, where the model has a choice; with 0 it is found by the first call. A
    prompt goes before every text of its side; a task ("retrieval.query") is sent beside them, to endpoints that take one.
    `max_tokens` is what the model reads at once; 0 is what is documented of it (`data/encoders.toml`), else UNSAID. Tokens are
    counted with the tokenizer.json at `tokenizer`, whose content `counted_by` names, or about. A longer text is read in
    parts, as is one that the endpoint finds too long all the same. With `images` the model sees pictures too, in the space of
    its texts: "input" sends them as Jina documents it, "messages" as vLLM does, and "" says that it sees none. At most
    `texts` texts or about `tokens` tokens go in one request. Vectors are not kept here: the corpus does that. Requests for
    documents are booked as offline, those for queries as the caller says (`ledger.about`).
    """

    name: str
    base_url: str = "https://api.openai.com/v1"
    max_tokens: int = 0
    size: int = 0
    query_prompt: str = ""
    document_prompt: str = ""
    query_task: str = ""
    document_task: str = ""
    counted_by: str = ""
    images: Images = ""
    tokenizer: str = field(default="", compare=False, repr=False)
    texts: int = field(default=128, compare=False, repr=False)
    tokens: int = field(default=50_000, compare=False, repr=False)

    @property
    def revision(self) -> str:
        """The address, and what tells apart vectors that the other parameters make different."""
        plain = replace(self, max_tokens=0, counted_by="", images="")
        if plain == EmbeddingsEndpoint(self.name, self.base_url):
            return self.base_url
        return f"{self.base_url}#{blake2b(spell(plain).encode(), digest_size=6).hexdigest()}"

    @property
    def window(self) -> int:
        """How many tokens of a text are read at once, beside marks and the longer prompt."""
        longer = max(len(self.spans(self.query_prompt)), len(self.spans(self.document_prompt)))
        limit = self.max_tokens or documented_limit(self.name)
        spare = MARKS if self.tokenizer else MARKS + int(limit * SPARE)
        return max(limit - spare - longer, 1)

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Where the tokens of `text` stand: by the tokenizer that is named, or about."""
        return counted(self.tokenizer, text) if self.tokenizer else approximate_spans(text)

    @property
    def dims(self) -> int:
        """The length of a vector; asks the endpoint for one when it is neither given nor known yet."""
        if self.size:
            return self.size
        if self._place not in _dims:
            self.encode(["dimensions"], side="query")
        return _dims[self._place]

    def encode(self, texts: Sequence[str], *, side: Side = "document") -> NDArray[np.float32]:
        """Encode `texts` as the unit rows of an (n, dims) array.

        Raises ModelUnreachable when the endpoint gives none, ReplyInvalid when what it gives are not such vectors,
        BudgetSpent before money runs out, and ModelError for what no further try can mend.
        """
        if not texts:
            return np.empty((0, self.dims), np.float32)
        return read_whole(texts, self.spans, self.window, partial(self._rows, side=side))

    def _rows(self, texts: Sequence[str], side: Side) -> NDArray[np.float32]:
        """The vectors of texts that are read at once."""
        prompt = self.query_prompt if side == "query" else self.document_prompt
        task = self.query_task if side == "query" else self.document_task
        sent = [prompt + sendable(text) for text in texts]

        async def ask(some: Sequence[str]) -> Sequence[Vector]:
            given, size = {"input": list(some)}, sum(len(text.encode()) for text in some)
            return await self._post_input(given, task, len(some), size, most_tokens(some))

        with about(offline=True if side == "document" else None):
            parts = (in_parts(batch, ask, _mean, self.name) for batch in self._batches(sent))
            batches = wait_all(parts)
        return self._checked([row for batch in batches for row in batch])

    def encode_pictures(self, pictures: Sequence[bytes]) -> NDArray[np.float32]:
        """Encode PNG files as the unit rows of an (n, dims) array, as documents. Raises as `encode` does."""
        if not pictures:
            return np.empty((0, self.dims), np.float32)
        at_once = PICTURES_AT_ONCE if self.images == "input" else 1
        starts = range(0, len(pictures), at_once)
        with about(offline=True):
            batches = wait_all(self._seen(pictures[start : start + at_once]) for start in starts)
        return self._checked([row for batch in batches for row in batch])

    def _checked(self, rows: Sequence[Vector]) -> NDArray[np.float32]:
        """The vectors as unit rows; ModelError when they are not all of the length that is wanted or was met before."""
        wanted = self.size or _dims.get(self._place, len(rows[0]))
        if {len(row) for row in rows} != {wanted}:
            raise ModelError(
                f"{self.name} at {self.base_url} gives vectors of {len(rows[0])} dimensions, and not always or not the "
                f"{wanted} it should: choose another, or `size` as it can give"
            )
        _dims.setdefault(self._place, len(rows[0]))
        return unit_rows(rows)

    @property
    def _place(self) -> tuple[str, str, int]:
        return self.name, self.base_url, self.size

    def _batches(self, texts: Sequence[str]) -> list[list[str]]:
        batches: list[list[str]] = []
        room = 0
        for text in texts:
            tokens = len(text.encode()) // BYTES_PER_TOKEN + 1
            if not batches or tokens > room or len(batches[-1]) == self.texts:
                batches.append([])
                room = self.tokens
            batches[-1].append(text)
            room -= tokens
        return batches

    async def _seen(self, pictures: Sequence[bytes]) -> Sequence[Vector]:
        """The vectors of pictures, in halves where they are too much together."""
        try:
            return await self._ask_pictures(pictures)
        except Overflow:
            if len(pictures) == 1:
                raise
            half = len(pictures) // 2
            return [*await self._seen(pictures[:half]), *await self._seen(pictures[half:])]

    async def _ask_pictures(self, pictures: Sequence[bytes]) -> Sequence[Vector]:
        encoded = [base64.b64encode(png).decode() for png in pictures]
        given: dict[str, Any] = {"input": [{"image": picture} for picture in encoded]}
        if self.images == "messages":
            url = {"url": f"data:image/png;base64,{encoded[0]}"}
            content = [{"type": "image_url", "image_url": url}]
            given = {"messages": [{"role": "user", "content": content}]}
        tokens = sum(map(picture_tokens, pictures))
        return await self._post_input(given, self.document_task, len(pictures), 0, tokens)

    async def _post_input(
        self, given: Mapping[str, Any], task: str, count: int, sent: int, most: int
    ) -> Sequence[Vector]:
        body: dict[str, Any] = {"model": self.name, **given}
        if self.size:
            body["dimensions"] = self.size
        if task:
            body["task"] = task
        read = partial(_vectors, count=count)
        return await self.post(f"{self.base_url}/embeddings", body, sent, most, read)


def picture_tokens(png: bytes) -> int:
    """About how many tokens a PNG file is: one for each 28 x 28 pixels, as in Qwen2.5-VL and jina-embeddings-v4 (at 1:1)."""
    width, height = map(int, struct.unpack(">II", png[16:24])) if len(png) >= 24 else (0, 0)
    return -(-width // TILE) * -(-height // TILE) + MARKS


def _mean(first: Vector, second: Vector) -> Vector:
    """The direction between the vectors of the two halves of a text."""
    mean: Vector = unit_rows([first, second]).sum(axis=0).tolist()
    return mean


def _vectors(said: Any, count: int) -> list[Vector]:
    """The vectors of a reply in the order of the texts; ValueError when these are not one for each, all with a direction."""
    if not isinstance(said, dict):
        raise ValueError("not a JSON object")
    found: list[Any] = [entry.get("embedding") for entry in by_index(said.get("data"), count)]
    if not all(isinstance(vector, list) and vector for vector in found):
        raise ValueError("an embedding that is not a list of numbers")
    rows: list[Vector] = [list(map(number, vector)) for vector in found]
    unit_rows(rows)
    return rows
