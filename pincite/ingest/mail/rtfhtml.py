r"""HTML out of the RTF in which Outlook wraps it: decompressed (MS-OXRTFCP), then its tags unwrapped (MS-OXRTFEX)."""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass, field

from pincite.ingest.office.rtf_tokens import Token, letter, tokens, whole_letters

_DICTIONARY = (
    rb"{\rtf1\ansi\mac\deff0\deftab720{\fonttbl;}{\f0\fnil \froman \fswiss \fmodern \fscript \fdecor MS Sans SerifSymbolArial"
    rb"Times New RomanCourier{\colortbl\red0\green0\blue0"
    + b"\r\n"
    + rb"\par \pard\plain\f0\fs20\b\i\u\tab\tx"
)
LARGEST = 64 << 20
"""The most bytes that a body unpacks to."""
_SIGNS = {"par": "\n", "line": "\n", "tab": "\t", "lquote": "\u2018", "rquote": "\u2019", "ldblquote": "\u201c",
          "rdblquote": "\u201d", "bullet": "\u2022", "endash": "\u2013", "emdash": "\u2014"}  # fmt: skip
_SKIPPED = ("fonttbl", "colortbl", "stylesheet", "info", "pict")


def unpacked_rtf(data: bytes) -> bytes:
    """The RTF of a compressed body; empty for one that is damaged or too large."""
    if len(data) < 16:
        return b""
    size, kind = struct.unpack_from("<I4s", data, 4)
    if kind == b"MELA":
        return data[16 : 16 + size]
    if kind != b"LZFu" or size > LARGEST:
        return b""
    return _decompressed(data, size)


def _decompressed(data: bytes, size: int) -> bytes:
    """The first `size` bytes of a compressed stream, after its header; fewer where it ends before."""
    window = bytearray(_DICTIONARY.ljust(4096, b"\0"))
    write, at, out = len(_DICTIONARY), 16, bytearray()
    while at < len(data) and len(out) < size:
        flags, at = data[at], at + 1
        for bit in range(8):
            if at + 1 >= len(data):
                return bytes(out[:size])
            if flags >> bit & 1:
                offset, length = data[at] << 4 | data[at + 1] >> 4, (data[at + 1] & 15) + 2
                at += 2
                if offset == write:
                    return bytes(out[:size])
            else:
                window[write], offset, length, at = data[at], write, 1, at + 1
            for step in range(length):  # byte by byte: a run may reach into what it writes
                byte = window[(offset + step) % 4096]
                out.append(byte)
                window[write] = byte
                write = (write + 1) % 4096
    return bytes(out[:size])


def html_of(rtf: bytes) -> str:
    """The HTML that an RTF wraps; empty when it wraps none."""
    if b"\\fromhtml1" not in rtf[:1000]:
        return ""
    page = re.search(rb"\\ansicpg(\d+)", rtf[:1000])
    made = _Unwrapped(f"cp{int(page[1])}" if page else "cp1252")
    for token in tokens(rtf):
        made.take(token)
    made.flush()
    return whole_letters(made.out)


@dataclass(slots=True)
class _Unwrapped:
    """What is HTML of the RTF read so far; `only` is what holds for RTF alone, `left` stands for a letter already written."""

    codec: str
    out: list[str] = field(default_factory=list)
    held: bytearray = field(default_factory=bytearray)
    stack: list[tuple[bool, bool]] = field(default_factory=list)
    skipped: bool = False
    only: bool = False
    starred: bool = False
    left: int = 0

    def take(self, token: Token) -> None:
        """Read the next token."""
        starred, self.starred = self.starred, token.sign == b"*"
        if token.brace == b"{":
            self.stack.append((self.skipped, self.only))
        elif token.brace:
            self.skipped, self.only = self.stack.pop() if self.stack else (False, False)
        elif token.word == "htmltag":
            self.skipped = False
        elif token.word == "htmlrtf":
            self.only = token.number != 0
        elif starred and token.word or token.word in _SKIPPED:
            self.skipped = True
        elif not self.skipped and not self.only:
            self.tell(token)

    def tell(self, token: Token) -> None:
        """Add what a token says."""
        if token.word == "u" and token.number is not None:
            self.put(letter(token.number))
            self.left = 1
        elif token.word in _SIGNS or token.sign == b"~":
            self.put(_SIGNS.get(token.word, "\u00a0"))
        elif token.byte:
            self.held += token.byte[self.left :]
            self.left = 0
        elif token.sign in (b"\\", b"{", b"}"):
            self.held += token.sign
        elif token.text:
            self.held += token.text[self.left :]
            self.left = 0

    def put(self, text: str) -> None:
        """Add text after what is held in the code page."""
        self.flush()
        self.out.append(text)

    def flush(self) -> None:
        """Add what is held in the code page."""
        try:
            self.out.append(self.held.decode(self.codec, "replace"))
        except LookupError:
            self.out.append(self.held.decode("cp1252", "replace"))
        self.held.clear()
