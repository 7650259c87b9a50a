"""Any text encoder exported to ONNX, in a folder: how a multilingual one takes the place of the built-in, without torch.

The folder is as exporters write it: `model.onnx` or `onnx/model.onnx`, `tokenizer.json`, and where it says so
`1_Pooling/config.json` (the first token's vector in place of the mean over all).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pincite.errors import PinciteError
from pincite.models.text_parts import ENDLESS, UNSAID, encodable, read_whole, told_apart, unit_rows
from pincite.ports import Side

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class OnnxFolder:
    """The encoder in `folder`, known by the folder's `name` and `digest`, so that it may move and its vectors stay its own.

    `max_tokens` tokens are read at once, marks and prompt among them; 0 is what the folder's own files say. A prompt goes
    before every text of its side, as some models want ("query: "). The vector of a text depends on that text alone.
    """

    name: str
    digest: str
    max_tokens: int = 0
    query_prompt: str = ""
    document_prompt: str = ""
    folder: str = field(default="", compare=False, repr=False)

    @property
    def revision(self) -> str:
        """The digest, and what tells apart vectors that the other parameters make different."""
        return told_apart(self.digest, self)

    @property
    def window(self) -> int:
        """How many tokens of a text are read at once, beside the marks and the longer prompt."""
        _, tokenizer, _ = _load(self.folder)
        longer = max(len(self.spans(self.query_prompt)), len(self.spans(self.document_prompt)))
        marks = int(tokenizer.num_special_tokens_to_add(is_pair=False))
        return max((self.max_tokens or _limit(self.folder)) - marks - longer, 1)

    @property
    def dims(self) -> int:
        """The length of a vector; loads the model."""
        return int(self.encode(["a"]).shape[1])

    def encode(self, texts: Sequence[str], *, side: Side = "document") -> NDArray[np.float32]:
        """Encode `texts` as the unit rows of an (n, dims) array; PinciteError when the folder holds no such model."""
        if not texts:
            return np.empty((0, self.dims), np.float32)
        prompt = self.query_prompt if side == "query" else self.document_prompt

        def rows(some: Sequence[str]) -> NDArray[np.float32]:
            return unit_rows([self._vector(prompt + text) for text in some])

        return read_whole(texts, self.spans, self.window, rows)

    def spans(self, text: str) -> list[tuple[int, int]]:
        """The [start, end) of every token of `text`."""
        made = _load(self.folder)[1].encode(encodable(text), add_special_tokens=False)
        return [(start, end) for start, end in made.offsets if end > start]

    def _vector(self, text: str) -> NDArray[np.float32]:
        session, tokenizer, first = _load(self.folder)
        ids = np.array([tokenizer.encode(encodable(text)).ids], np.int64)
        given = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": ids * 0}
        wanted = {each.name for each in session.get_inputs()} & given.keys()
        try:
            made = session.run(None, {name: given[name] for name in wanted})[0]
        # onnxruntime has an exception of its own for every way a model can be wrong
        except Exception as error:
            why = " ".join(str(error).split())[:300]
            raise PinciteError(f"{self.name} cannot encode a text: {why}") from error
        rows = np.asarray(made[0], np.float32)
        return rows if rows.ndim == 1 else rows[0] if first else rows.mean(axis=0)


@cache
def _limit(folder: str) -> int:
    """How many tokens the model in a folder reads at once, by its own files.

    What sentence-transformers was told stands first, since it is meant; else the lesser of what the tokenizer and the model say.
    """
    told = _number(folder, "sentence_bert_config.json", "max_seq_length")
    if told:
        return told
    said = (
        _number(folder, "tokenizer_config.json", "model_max_length"),
        _number(folder, "config.json", "max_position_embeddings"),
    )
    return min((number for number in said if number), default=UNSAID)


def _number(folder: str, file: str, name: str) -> int:
    """A number of a file of the folder; 0 where it is not said, or is what stands for no limit."""
    place = Path(folder) / file
    if not place.is_file():
        return 0
    value = json.loads(place.read_text(encoding="utf-8")).get(name)
    return int(value) if isinstance(value, int | float) and 0 < value <= ENDLESS else 0


@cache
def _load(folder: str) -> tuple[Any, Any, bool]:
    """The session, the tokenizer, and whether the first token's vector stands for the text."""
    import onnxruntime
    from tokenizers import Tokenizer

    place = Path(folder)
    models = [place / name for name in ("model.onnx", "onnx/model.onnx")]
    model = next((each for each in models if each.is_file()), None)
    if model is None or not (place / "tokenizer.json").is_file():
        raise PinciteError(
            f"{folder} holds no encoder: it needs model.onnx (or onnx/model.onnx) and tokenizer.json, as "
            "`optimum-cli export onnx --task feature-extraction` writes them"
        )
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    try:
        on = ["CPUExecutionProvider"]
        session = onnxruntime.InferenceSession(str(model), options, providers=on)
        tokenizer = Tokenizer.from_file(str(place / "tokenizer.json"))
    except Exception as error:  # as above; tokenizers raises Exception itself
        why = " ".join(str(error).split())[:300]
        raise PinciteError(f"the encoder in {folder} cannot be loaded: {why}") from error
    tokenizer.no_padding()
    tokenizer.no_truncation()
    pooling = place / "1_Pooling" / "config.json"
    said = json.loads(pooling.read_text(encoding="utf-8")) if pooling.is_file() else {}
    return session, tokenizer, bool(said.get("pooling_mode_cls_token"))
