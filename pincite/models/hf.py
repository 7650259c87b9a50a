"""Any text encoder of Hugging Face's hub or of a folder, such as BGE-M3 or jina-embeddings-v3 (extra `rerankers`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from pincite.errors import PinciteError
from pincite.models.text_parts import read_whole, told_apart
from pincite.models.unit_vectors import unit_rows
from pincite.models.weights import load, token_spans
from pincite.ports import Side

if TYPE_CHECKING:
    import threading

    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class HuggingFace:
    """The encoder `name` of the hub at `commit`, or of the folder `name`, with the pooling that its own files set.

    `max_tokens` tokens are read at once, marks and prompt among them; 0 is the model's own limit, which holds where it is
    lower. A prompt goes before every text of its side; None is the model's own for that side, if it has one, and "" is none.
    A task ("retrieval.query") is for models that take one, such as jina-embeddings-v3, and chooses the model's prompt of that
    name. `size` keeps the first so many dimensions, for models trained for that. `remote_code` runs code that the model
    brings: only where its author is trusted. Vectors of one text may differ in their last bits by the texts of the same batch.
    """

    name: str
    commit: str
    max_tokens: int = 0
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
        return told_apart(self.commit, self)

    @property
    def window(self) -> int:
        """How many tokens of a text are read at once, beside marks and the longest prompt; loads the model."""
        model, _ = self._model()
        given = (self.query_prompt, self.document_prompt)
        own = model.prompts.values() if None in given else ()
        longest = max((len(self.spans(prompt)) for prompt in (*given, *own) if prompt), default=0)
        marks = int(model.tokenizer.num_special_tokens_to_add(pair=False))
        return max(int(model.max_seq_length) - marks - longest, 1)

    @property
    def dims(self) -> int:
        """The length of a vector; loads the model."""
        whole = int(self._model()[0].get_embedding_dimension() or 0)
        return min(self.size, whole) if self.size else whole

    def encode(self, texts: Sequence[str], *, side: Side = "document") -> NDArray[np.float32]:
        """Encode `texts` as the unit rows of an (n, dims) array; PinciteError when the model cannot be had or fails."""
        if not texts:
            return np.empty((0, self.dims), np.float32)
        return read_whole(texts, self.spans, self.window, partial(self._rows, side=side))

    def _rows(self, texts: Sequence[str], side: Side) -> NDArray[np.float32]:
        """The vectors of texts that are read at once."""
        model, lock = self._model()
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
        return token_spans(*self._model(), text)

    def _model(self) -> tuple[Any, threading.Lock]:
        return load(
            "SentenceTransformer",
            self.name,
            self.commit,
            self.device,
            self.max_tokens,
            self.remote_code,
        )
