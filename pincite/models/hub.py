"""Encoders and cross-encoders of Hugging Face's hub, or of a folder, by sentence-transformers: the extra `rerankers`, with torch.

    pip install 'pincite[rerankers]'

Nothing else of the package needs it. A model is named with its revision, a commit or tag that stays, so that vectors and
scores can be had again; a folder needs none, as its files say which it is.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from pincite.errors import PinciteError, UsageError
from pincite.models.text_parts import (
    ENDLESS,
    UNSAID,
    encodable,
    parts,
    read_whole,
    told_apart,
    unit_rows,
)
from pincite.ports import Side
from pincite.processes import offline

if TYPE_CHECKING:
    import threading

    from numpy.typing import NDArray

INSTALL = "pip install 'pincite[rerankers]'"
MOVING = ("main", "master", "HEAD")
"""Names of revisions that are another tomorrow."""


def pinned(name: str, revision: str) -> str:
    """The revision that a model is kept by: the one given, or a digest of a folder's files. UsageError when it moves."""
    folder = Path(name)
    if folder.is_dir():
        if revision:
            itself = "is a folder, whose files say its revision"
            raise UsageError(f"{name!r} {itself}: leave out {revision!r}")
        return _digest(folder)
    if name.startswith((".", "/", "~")):
        give = "give one that holds a model, or a model's name on the hub"
        raise UsageError(f"there is no folder {name!r}: {give}")
    if not revision or revision in MOVING:
        raise UsageError(
            f"{name!r} needs a fixed revision, and has {revision or 'none'!r}: add the commit that the model's page "
            f"lists under its files, as in {name}@COMMIT"
        )
    return revision


def load(
    kind: Literal["SentenceTransformer", "CrossEncoder"],
    name: str,
    revision: str,
    device: str,
    max_tokens: int,
    remote_code: bool,
) -> tuple[Any, threading.Lock]:
    """A model, loaded once in a process, and the lock under which it works: its tokenizer takes one thread at a time.

    It reads `max_tokens` tokens at once, or its own limit where that is lower or `max_tokens` is 0. A model that is not on this
    machine yet is fetched from the hub, except under --offline. Without `device` it runs on
    the first accelerator there is, or else the CPU. Raises PinciteError when the extra is not installed or the model
    cannot be loaded.
    """
    with _loading:  # two threads that ask at once load it once
        return _load(kind, name, revision, device, max_tokens, remote_code)


_loading = threading.Lock()


@cache
def _load(
    kind: str, name: str, revision: str, device: str, max_tokens: int, remote_code: bool
) -> tuple[Any, threading.Lock]:
    try:
        import sentence_transformers
    except ImportError as error:
        needs = "runs on sentence-transformers, which is not installed"
        raise PinciteError(f"{name} {needs}: {INSTALL}") from error
    here = Path(name).is_dir()
    try:
        model = getattr(sentence_transformers, kind)(
            name,
            revision=None if here else revision,
            device=device or None,
            trust_remote_code=remote_code,
            local_files_only=here or offline.forbidden(),
        )
    except (OSError, ValueError, RuntimeError, KeyError, ImportError, AttributeError) as error:
        raise PinciteError(
            f"{name} cannot be loaded ({type(error).__name__}: {' '.join(str(error).split())[:300]}). Check its name and "
            f"revision; to have it at hand without a network: `hf download {name} --revision {revision}`"
        ) from error
    limit = model.max_seq_length
    own = limit if limit and limit <= ENDLESS else 0
    model.max_seq_length = min(max_tokens or own, own) if own else max_tokens or UNSAID
    return model, threading.Lock()


def token_spans(model: Any, lock: threading.Lock, text: str) -> list[tuple[int, int]]:
    """Where the tokens of `text` stand to a model, all of them."""
    with lock:
        made = model.tokenizer(
            encodable(text),
            add_special_tokens=False,
            truncation=False,
            return_offsets_mapping=True,
            verbose=False,
        )
    return [(int(start), int(end)) for start, end in made["offset_mapping"] if end > start]


def _digest(folder: Path) -> str:
    """Tells one folder's model from another's: the names and content of its files."""
    stamps = []
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        held = path.stat()
        stamps.append((path.relative_to(folder).as_posix(), held.st_size, held.st_mtime_ns))
    return _digest_of(folder, tuple(stamps))


@cache
def _digest_of(folder: Path, stamps: tuple[tuple[str, int, int], ...]) -> str:
    whole = hashlib.sha256()
    for name, _, _ in stamps:
        with (folder / name).open("rb") as file:
            whole.update(f"{name}\n{hashlib.file_digest(file, 'sha256').hexdigest()}\n".encode())
    return whole.hexdigest()[:16]


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
        encode, task, prompt = model.encode_document, self.document_task, self.document_prompt
        if side == "query":
            encode, task, prompt = model.encode_query, self.query_task, self.query_prompt
        how: dict[str, Any] = {"prompt": prompt}
        if task:
            encode = model.encode
            named = task if prompt is None and task in model.prompts else None
            how |= {"task": task, "prompt_name": named}
        try:
            with lock:
                rows = encode(
                    list(map(encodable, texts)),
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
        key = self.name, self.commit, self.device, self.max_tokens, self.remote_code
        return load("SentenceTransformer", *key)


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
        key = self.name, self.revision, self.device, self.max_tokens, self.remote_code
        model, lock = load("CrossEncoder", *key)
        asked, spans_of = encodable(query), partial(token_spans, model, lock)
        # beside the question; one that fills the window is cut with the text
        marks, window = model.tokenizer.num_special_tokens_to_add(pair=True), model.max_seq_length
        most = max(int(window) - int(marks) - len(spans_of(asked)), int(window) // 4, 1)
        cut = [[part for part, _ in parts(encodable(text), spans_of, most)] for text in texts]
        pairs = [(asked, part) for pieces in cut for part in pieces]
        try:
            with lock:
                given = model.predict(
                    pairs,
                    batch_size=self.batch,
                    activation_fn=lambda logits: logits,
                    convert_to_numpy=True,
                    show_progress_bar=False,
                )
        except (ValueError, RuntimeError, IndexError) as error:
            raise PinciteError(f"{self.name} cannot score {len(texts)} texts: {error}") from error
        scores = iter(self._between(np.asarray(given, np.float64)).tolist())
        return [max(float(next(scores)) for _ in pieces) for pieces in cut]

    def _between(self, given: NDArray[np.float64]) -> NDArray[np.float64]:
        """Logits of shape (n,), (n, 1) or (n, 2) as n scores in [0, 1]."""
        columns = given.reshape(len(given), -1)
        classes, scores, wrong = columns.shape[1], columns[:, -1], ""
        if classes > 2:
            one = "a reranker gives one score: choose another"
            wrong = f"is a classifier with {classes} classes, but {one}"
        elif not np.isfinite(columns).all():
            wrong = "gives scores that are not numbers: choose another, or another `device`"
        elif self.probabilities and not ((scores >= 0) & (scores <= 1)).all():
            given_are = f"gives {scores.min():.3g} to {scores.max():.3g}"
            wrong = f"{given_are}, which are not probabilities: leave out `probabilities`"
        if wrong:
            raise PinciteError(f"{self.name} {wrong}")
        if self.probabilities:
            return scores
        # the softmax of two classes is the sigmoid of their difference
        logits = columns[:, 0] if classes == 1 else columns[:, 1] - columns[:, 0]
        return np.exp(-np.logaddexp(0.0, -logits))  # the sigmoid, without overflow
