"""What the header of a GGUF file says of the model in it, read without loading it."""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from pincite.errors import UsageError

MAGIC = b"GGUF"
VERSIONS = (2, 3)
MOST = 10_000_000
"""No header has so many entries, elements or bytes in a text: a file that says so is damaged, or made to be read for ever."""
_STRING, _ARRAY = 8, 9
_NUMBERS = {0: "<B", 1: "<b", 2: "<H", 3: "<h", 4: "<I", 5: "<i", 6: "<f", 7: "<?", 10: "<Q", 11: "<q", 12: "<d"}  # fmt: skip
"""How numbers are written, by the number of their type."""


@dataclass(frozen=True, slots=True)
class Header:
    """The architecture of a model, its licence ("" where none is said), its context in tokens, its parameters in billions."""

    architecture: str
    licence: str
    context: int
    parameters: float


def read_header(path: Path) -> Header:
    """The header of a file. Raises UsageError for one that is no whole GGUF file of a language model."""
    try:
        with path.open("rb") as file:
            return _header(file)
    except (ValueError, struct.error, UnicodeDecodeError) as error:
        raise UsageError(
            f"{path} is no GGUF file of a language model ({error}): give a file such as those that makers of models publish for "
            "llama.cpp, whole"
        ) from error


def _header(file: BinaryIO) -> Header:
    if file.read(4) != MAGIC:
        raise ValueError("it does not begin with the letters GGUF")
    version, tensors, entries = (_number(file, layout) for layout in ("<I", "<Q", "<Q"))
    if version not in VERSIONS:
        raise ValueError(f"its version is {version}")
    said = {_text(file): _value(file) for _ in range(_bounded(entries))}
    architecture = said.get("general.architecture")
    if not isinstance(architecture, str) or "tokenizer.ggml.model" not in said:
        raise ValueError("it names no architecture and tokenizer")
    context, licence = said.get(f"{architecture}.context_length"), said.get("general.license")
    elements = 0
    for _ in range(_bounded(tensors)):
        _text(file)
        dimensions = range(_bounded(_number(file, "<I"), 8))
        elements += math.prod(_number(file, "<Q") for _ in dimensions)
        file.seek(12, 1)  # its type and where it is
    billions = round(elements / 1e9, 2)
    length = context if isinstance(context, int) else 0
    return Header(architecture, str(licence or ""), length, billions)


def _value(file: BinaryIO) -> object:
    """The next value; None for an array, which is passed over."""
    kind = _number(file, "<I")
    if kind == _STRING:
        return _text(file)
    if kind != _ARRAY:
        return _unpacked(file, _format(kind))
    of, count = _number(file, "<I"), _bounded(_number(file, "<Q"))
    for _ in range(count if of == _STRING else 0):
        file.seek(_bounded(_number(file, "<Q")), 1)
    if of != _STRING:
        file.seek(count * struct.calcsize(_format(of)), 1)
    return None


def _format(kind: int) -> str:
    if kind not in _NUMBERS:
        raise ValueError(f"a value is of the unknown type {kind}")
    return _NUMBERS[kind]


def _text(file: BinaryIO) -> str:
    return file.read(_bounded(_number(file, "<Q"))).decode()


def _number(file: BinaryIO, layout: str) -> int:
    return int(_unpacked(file, layout))


def _unpacked(file: BinaryIO, layout: str) -> Any:
    return struct.unpack(layout, file.read(struct.calcsize(layout)))[0]


def _bounded(count: int, most: int = MOST) -> int:
    if count > most:
        raise ValueError(f"it says that it has {count} entries")
    return count
