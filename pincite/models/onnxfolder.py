"""Any text encoder exported to ONNX, in a folder: how a multilingual one takes the place of the built-in, without torch.

The folder is as exporters write it: `model.onnx` or `onnx/model.onnx`, `tokenizer.json`, and where it says so
`1_Pooling/config.json` (the first token's vector in place of the mean over all).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pincite.errors import PinciteError
from pincite.models.unit_vectors import unit_rows
from pincite.ports import Side
from pincite.spell import spell

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class OnnxFolder:
    """The encoder in `folder`, known by the folder's `name` and `digest`, so that it may move and its vectors stay its own.

    A text is cut after `max_tokens` tokens, its own marks among them; a prompt goes before every text of its side, as some
    models want ("query: "). The vector of a text depends on that text alone.
    """

    name: str
    digest: str
    max_tokens: int = 512
    query_prompt: str = ""
    document_prompt: str = ""
    folder: str = field(default="", compare=False, repr=False)

    @property
    def revision(self) -> str:
        """The digest, and what tells apart vectors that the other parameters make different."""
        if self == OnnxFolder(self.name, self.digest):
            return self.digest
        return f"{self.digest}-{blake2b(spell(self).encode(), digest_size=6).hexdigest()}"

    @property
    def dims(self) -> int:
        """The length of a vector; loads the model."""
        return int(self.encode(["a"]).shape[1])

    def encode(self, texts: Sequence[str], *, side: Side = "document") -> NDArray[np.float32]:
        """Encode `texts` as the unit rows of an (n, dims) array; PinciteError when the folder holds no such model."""
        prompt = self.query_prompt if side == "query" else self.document_prompt
        session, tokenizer, first = _load(self.folder)
        if not texts:
            return np.empty((0, self.dims), np.float32)
        return unit_rows(
            [self._vector(session, tokenizer, first, prompt + text) for text in texts]
        )

    def _vector(self, session: Any, tokenizer: Any, first: bool, text: str) -> NDArray[np.float32]:
        # half a surrogate pair, as a damaged text may hold, is not a text to the tokenizer
        ids = np.array([tokenizer.encode(text.encode(errors="replace").decode()).ids], np.int64)
        if ids.shape[1] > self.max_tokens:
            ids = np.concatenate((ids[:, : self.max_tokens - 1], ids[:, -1:]), axis=1)
        given = {
            "input_ids": ids,
            "attention_mask": np.ones_like(ids),
            "token_type_ids": np.zeros_like(ids),
        }
        wanted = {given.name for given in session.get_inputs()}
        try:
            made = session.run(
                None, {name: value for name, value in given.items() if name in wanted}
            )[0]
        except (
            Exception
        ) as error:  # onnxruntime has an exception of its own for every way a model can be wrong
            raise PinciteError(
                f"{self.name} cannot encode a text: {' '.join(str(error).split())[:300]}"
            ) from error
        rows = np.asarray(made[0], np.float32)
        return rows if rows.ndim == 1 else rows[0] if first else rows.mean(axis=0)


@cache
def _load(folder: str) -> tuple[Any, Any, bool]:
    """The session, the tokenizer, and whether the first token's vector stands for the text."""
    import onnxruntime
    from tokenizers import Tokenizer

    place = Path(folder)
    model = next(
        (place / name for name in ("model.onnx", "onnx/model.onnx") if (place / name).is_file()),
        None,
    )
    if model is None or not (place / "tokenizer.json").is_file():
        raise PinciteError(
            f"{folder} holds no encoder: it needs model.onnx (or onnx/model.onnx) and tokenizer.json, as "
            "`optimum-cli export onnx --task feature-extraction` writes them"
        )
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    try:
        session = onnxruntime.InferenceSession(
            str(model), options, providers=["CPUExecutionProvider"]
        )
        tokenizer = Tokenizer.from_file(str(place / "tokenizer.json"))
    except Exception as error:  # as above; tokenizers raises Exception itself
        raise PinciteError(
            f"the encoder in {folder} cannot be loaded: {' '.join(str(error).split())[:300]}"
        ) from error
    tokenizer.no_padding()
    tokenizer.no_truncation()
    pooling = place / "1_Pooling" / "config.json"
    first = pooling.is_file() and bool(
        json.loads(pooling.read_text(encoding="utf-8")).get("pooling_mode_cls_token")
    )
    return session, tokenizer, first
