"""Any text encoder of Hugging Face's hub or of a folder, such as BGE-M3 or jina-embeddings-v3 (extra `rerankers`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import numpy as np

from pincite.errors import PinciteError
from pincite.models.unit_vectors import unit_rows
from pincite.models.weights import load
from pincite.ports import Side
from pincite.spell import spell

if TYPE_CHECKING:
    import threading

    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class HuggingFace:
    """The encoder `name` of the hub at `commit`, or of the folder `name`, with the pooling that its own files set.

    A text is cut after `max_tokens` tokens, or the model's own limit where that is lower. A prompt goes before every
    text of its side; None is the model's own for that side, if it has one, and "" is none. A task ("retrieval.query") is
    for models that take one, such as jina-embeddings-v3, and chooses the model's prompt of that name. `size` keeps the
    first so many dimensions, for models trained for that. `remote_code` runs code that the model brings: only where its
    author is trusted. Vectors of one text may differ in their last bits by the texts of the same batch.
    """

    name: str
    commit: str
    max_tokens: int = 512
    size: int = 0
    query_prompt: str | None = None
    document_prompt: str | None = None
    query_task: str = ""
    document_task: str = ""
    remote_code: bool = False
    device: str = field(default="", compare=False, repr=False)
    batch: int = field(default=32, compare=False, repr=False)

    @property
    def revision(self) -> str:
        """The commit, and what tells apart vectors that the other parameters make different."""
        if self == HuggingFace(self.name, self.commit):
            return self.commit
        return f"{self.commit}-{blake2b(spell(self).encode(), digest_size=6).hexdigest()}"

    @property
    def dims(self) -> int:
        """The length of a vector; loads the model."""
        whole = int(self._model()[0].get_embedding_dimension() or 0)
        return min(self.size, whole) if self.size else whole

    def encode(self, texts: Sequence[str], *, side: Side = "document") -> NDArray[np.float32]:
        """Encode `texts` as the unit rows of an (n, dims) array; PinciteError when the model cannot be had or fails."""
        model, lock = self._model()
        if not texts:
            return np.empty((0, self.dims), np.float32)
        task, prompt = (
            (self.query_task, self.query_prompt)
            if side == "query"
            else (self.document_task, self.document_prompt)
        )
        how: dict[str, Any] = {"prompt": prompt}
        encode = model.encode_query if side == "query" else model.encode_document
        if task:
            encode = model.encode
            named = task if prompt is None and task in model.prompts else None
            how |= {"task": task, "prompt_name": named}
        # half a surrogate pair, as a damaged text may hold, is not a text to the tokenizer
        whole = [text.encode(errors="replace").decode() for text in texts]
        try:
            with lock:
                rows = encode(
                    whole,
                    batch_size=self.batch,
                    truncate_dim=self.size or None,
                    convert_to_numpy=True,
                    show_progress_bar=False,
                    **how,
                )
            return unit_rows(rows)
        except (ValueError, RuntimeError) as error:
            raise PinciteError(f"{self.name} cannot encode {len(texts)} texts: {error}") from error

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Where the tokens of `text` stand, all of them: how windows for this encoder are cut."""
        model, lock = self._model()
        with lock:
            made = model.tokenizer(
                text.encode(errors="replace").decode(),
                add_special_tokens=False,
                truncation=False,
                return_offsets_mapping=True,
                verbose=False,
            )
        return [(int(start), int(end)) for start, end in made["offset_mapping"] if end > start]

    def _model(self) -> tuple[Any, threading.Lock]:
        return load(
            "SentenceTransformer",
            self.name,
            self.commit,
            self.device,
            self.max_tokens,
            self.remote_code,
        )
