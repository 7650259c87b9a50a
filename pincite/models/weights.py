"""Models of Hugging Face's hub, or of a folder, by sentence-transformers: the extra `rerankers`, which brings torch.

    pip install 'pincite[rerankers]'

Nothing else of the package needs it. A model is named with its revision, a commit or tag that stays, so that vectors and
scores can be had again; a folder needs none, as its files say which it is.
"""

from __future__ import annotations

import hashlib
import threading
from functools import cache
from pathlib import Path
from typing import Any, Literal

from pincite import offline
from pincite.errors import PinciteError, UsageError
from pincite.models.text_parts import ENDLESS, UNSAID

INSTALL = "pip install 'pincite[rerankers]'"
MOVING = ("main", "master", "HEAD")
"""Names of revisions that are another tomorrow."""


def pinned(name: str, revision: str) -> str:
    """The revision that a model is kept by: the one given, or a digest of a folder's files. UsageError when it moves."""
    folder = Path(name)
    if folder.is_dir():
        if revision:
            raise UsageError(
                f"{name!r} is a folder, whose files say its revision: leave out {revision!r}"
            )
        return _digest(folder)
    if name.startswith((".", "/", "~")):
        raise UsageError(
            f"there is no folder {name!r}: give one that holds a model, or a model's name on the hub"
        )
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
        raise PinciteError(
            f"{name} runs on sentence-transformers, which is not installed: {INSTALL}"
        ) from error
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
            text.encode(errors="replace").decode(),
            add_special_tokens=False,
            truncation=False,
            return_offsets_mapping=True,
            verbose=False,
        )
    return [(int(start), int(end)) for start, end in made["offset_mapping"] if end > start]


def _digest(folder: Path) -> str:
    """Tells one folder's model from another's: the names and content of its files."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    stamps = tuple(
        (path.relative_to(folder).as_posix(), path.stat().st_size, path.stat().st_mtime_ns)
        for path in files
    )
    return _digest_of(folder, stamps)


@cache
def _digest_of(folder: Path, stamps: tuple[tuple[str, int, int], ...]) -> str:
    whole = hashlib.sha256()
    for name, _, _ in stamps:
        with (folder / name).open("rb") as file:
            whole.update(f"{name}\n{hashlib.file_digest(file, 'sha256').hexdigest()}\n".encode())
    return whole.hexdigest()[:16]
