"""RTF taken apart (RTF specification 1.9.1): control words and symbols, escaped bytes, braces and plain text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

_TOKEN = re.compile(
    rb"\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z'])|([{}])|[\r\n]+|([^\\{}\r\n]+)|\\"
)


class Token(NamedTuple):
    """A control word with its number, an escaped byte, a control symbol, a brace or plain text; the other fields are empty."""

    word: str
    number: int | None
    byte: bytes
    sign: bytes
    brace: bytes
    text: bytes


def tokens(data: bytes) -> Iterator[Token]:
    """The tokens of a file in order; line breaks are none."""
    for found in _TOKEN.finditer(data):
        word, number, byte, sign, brace, text = found.groups(b"")
        yield Token(
            word.decode(),
            int(number) if number else None,
            bytes.fromhex(byte.decode()),
            sign,
            brace,
            text,
        )


def letter(number: int) -> str:
    """The character that a u word stands for, or a half of one beyond 16 bits."""
    return chr(number % 65536)


def whole_letters(parts: Iterable[str]) -> str:
    """Pieces of text as one, with the halves of characters put together."""
    return "".join(parts).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
