"""Any cross-encoder of Hugging Face's hub or of a folder, such as BGE's rerankers (extra `rerankers`).

A cross-encoder reads the query and a text together (Nogueira & Cho 2019, arXiv:1901.04085) and gives a logit, or one for
each class.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from pincite.errors import PinciteError
from pincite.models.text_parts import parts
from pincite.models.weights import load, token_spans

if TYPE_CHECKING:
    import threading


def _encodable(text: str) -> str:
    """A text that the tokenizer takes: without the half of a surrogate pair that a damaged text may hold."""
    return text.encode(errors="replace").decode()


@dataclass(frozen=True, slots=True)
class CrossEncoder:
    """The cross-encoder `name` of the hub at `revision`, or of the folder `name`, as a PairScorer.

    The score is the sigmoid of the model's logit, taken here and never twice: what sentence-transformers would apply by
    itself is turned off. Of two classes it is the probability of the second (softmax). A model whose own head ends in
    probabilities already is told by `probabilities`; its numbers are taken as they are. A query and text are read
    up to `max_tokens` together, or the model's own limit where that is lower or `max_tokens` is 0; a longer text in parts, of
    which the best counts (MaxP of Dai & Callan 2019, arXiv:1905.09217). `remote_code` runs code that the model brings:
    only where its author is trusted.
    """

    name: str
    revision: str
    max_tokens: int = 0
    probabilities: bool = False
    remote_code: bool = False
    device: str = field(default="", compare=False, repr=False)
    batch: int = field(default=32, compare=False, repr=False)

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """One score in [0, 1] per text; PinciteError when the model cannot be had, fails, or is no scorer of pairs."""
        if not texts:
            return []
        model, lock = self._loaded()
        asked = _encodable(query)
        most = self._room(model, lock, asked)
        spans_of = partial(token_spans, model, lock)
        cut = [[part for part, _ in parts(_encodable(text), spans_of, most)] for text in texts]
        pairs = [(asked, part) for pieces in cut for part in pieces]
        try:
            with lock:
                given = model.predict(
                    pairs,
                    batch_size=self.batch,
                    activation_fn=_as_it_is,
                    convert_to_numpy=True,
                    show_progress_bar=False,
                )
        except (ValueError, RuntimeError, IndexError) as error:
            raise PinciteError(f"{self.name} cannot score {len(texts)} texts: {error}") from error
        scores = iter(self._between(np.asarray(given, np.float64)).tolist())
        return [max(float(next(scores)) for _ in pieces) for pieces in cut]

    def _loaded(self) -> tuple[Any, threading.Lock]:
        return load(
            "CrossEncoder",
            self.name,
            self.revision,
            self.device,
            self.max_tokens,
            self.remote_code,
        )

    def _room(self, model: Any, lock: threading.Lock, asked: str) -> int:
        """How many tokens of a text are read beside the question; a question that fills the window is cut with it."""
        marks = int(model.tokenizer.num_special_tokens_to_add(pair=True))
        left = int(model.max_seq_length) - marks - len(token_spans(model, lock, asked))
        return max(left, int(model.max_seq_length) // 4, 1)

    def _between(
        self, given: np.ndarray[Any, np.dtype[np.float64]]
    ) -> np.ndarray[Any, np.dtype[np.float64]]:
        """Logits of shape (n,), (n, 1) or (n, 2) as n scores in [0, 1]."""
        columns = given.reshape(len(given), -1)
        classes = columns.shape[1]
        if classes > 2:
            raise PinciteError(
                f"{self.name} is a classifier with {classes} classes, but a reranker gives one score: choose another"
            )
        if not np.isfinite(columns).all():
            raise PinciteError(
                f"{self.name} gives scores that are not numbers: choose another, or another `device`"
            )
        if self.probabilities:
            scores = columns[:, -1]
            if not ((scores >= 0) & (scores <= 1)).all():
                raise PinciteError(
                    f"{self.name} gives {scores.min():.3g} to {scores.max():.3g}, which are not probabilities: leave out "
                    "`probabilities`"
                )
            return scores
        # the softmax of two classes is the sigmoid of their difference
        logits = columns[:, 0] if classes == 1 else columns[:, 1] - columns[:, 0]
        return np.exp(-np.logaddexp(0.0, -logits))  # the sigmoid, without overflow


def _as_it_is(logits: Any) -> Any:
    return logits
