"""How texts are counted that an encoder behind an endpoint reads: by a tokenizer of this machine, or about; and how many tokens
it takes, as far as that is documented.
"""

from __future__ import annotations

import hashlib
import tomllib
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from pincite.errors import UsageError
from pincite.models.text_parts import UNSAID, Span, encodable
from pincite.text.lexicon import pattern

SPARE = 0.1
"""Share of an encoder's limit that is left free where its texts are counted by no tokenizer.

Against the tokenizers of text-embedding-3, all-MiniLM-L6-v2 and multilingual-e5, `approximate_spans` counts 14 to 31% too
many in English papers and annual reports, and up to 13% too few in German and Chinese.
"""


@cache
def documented_limit(name: str) -> int:
    """How many tokens the encoder of this name takes by its documentation; UNSAID for one that is not listed."""
    listed = tomllib.loads(files("pincite").joinpath("data/encoders.toml").read_text("utf-8"))
    return int(listed.get(name, {}).get("max_tokens", UNSAID))


def tokenizer_file(place: str) -> tuple[str, str]:
    """The path of a tokenizer.json, or of the folder that holds one, and the digest of the file. Raises UsageError."""
    path = Path(place).expanduser().resolve()
    file = path / "tokenizer.json" if path.is_dir() else path
    if not file.is_file():
        raise UsageError(
            f"there is no tokenizer at {place!r}: give the tokenizer.json of the encoder's model, or the folder that holds it"
        )
    return str(file), hashlib.sha256(file.read_bytes()).hexdigest()[:16]


def counted(path: str, text: str) -> list[Span]:
    """Where the tokens of `text` stand by the tokenizer at `path`."""
    made = _tokenizer(path).encode(encodable(text), add_special_tokens=False)
    return [(start, end) for start, end in made.offsets if end > start]


def approximate_spans(text: str) -> list[Span]:
    """Where tokens may stand in `text`, by no tokenizer: see SPARE for how far that is off."""
    return [found.span() for found in pattern("models", "about a token").finditer(text)]


@cache
def _tokenizer(path: str) -> Any:
    from tokenizers import Tokenizer

    try:
        tokenizer = Tokenizer.from_file(path)
    except Exception as error:  # tokenizers raises Exception itself
        raise UsageError(
            f"{path} is no tokenizer ({error}): give the tokenizer.json of a model"
        ) from error
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer
