r"""HTML out of the RTF in which Outlook wraps it: decompressed (MS-OXRTFCP), then its tags unwrapped (MS-OXRTFEX)."""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass, field

_DICTIONARY = (
    rb"{\rtf1\ansi\mac\deff0\deftab720{\fonttbl;}{\f0\fnil \froman \fswiss \fmodern \fscript \fdecor MS Sans SerifSymbolArial"
    rb"Times New RomanCourier{\colortbl\red0\green0\blue0" + b"\r\n" + rb"\par \pard\plain\f0\fs20\b\i\u\tab\tx"
)
LARGEST = 64 << 20
"""The most bytes that a body unpacks to."""
_TOKEN = re.compile(
    rb"\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z'])|([{}])|[\r\n]+|([^\\{}\r\n]+)|\\"
)
_WORDS = {b"par": "\n", b"line": "\n", b"tab": "\t", b"lquote": "\u2018", b"rquote": "\u2019", b"ldblquote": "\u201c",
          b"rdblquote": "\u201d", b"bullet": "\u2022", b"endash": "\u2013", b"emdash": "\u2014"}  # fmt: skip
_SKIPPED = (b"fonttbl", b"colortbl", b"stylesheet", b"info", b"pict")


def unpacked_rtf(data: bytes) -> bytes:
    """The RTF of a compressed body; empty for one that is damaged or too large."""
    if len(data) < 16:
        return b""
    size, kind = struct.unpack_from("<I4s", data, 4)
    if kind == b"MELA":
        return data[16 : 16 + size]
    if kind != b"LZFu" or size > LARGEST:
        return b""
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
    for found in _TOKEN.finditer(rtf):
        made.take(*found.groups())
    made.flush()
    # letters beyond the first 65,536 come in two halves
    return "".join(made.out).encode("utf-16", "surrogatepass").decode("utf-16", "replace")


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

    def take(self, word: bytes, number: bytes, code: bytes, sign: bytes, brace: bytes, text: bytes) -> None:
        """Read the next token."""
        starred, self.starred = self.starred, sign == b"*"
        if brace == b"{":
            self.stack.append((self.skipped, self.only))
        elif brace:
            self.skipped, self.only = self.stack.pop() if self.stack else (False, False)
        elif word == b"htmltag":
            self.skipped = False
        elif word == b"htmlrtf":
            self.only = number != b"0"
        elif starred and word or word in _SKIPPED:
            self.skipped = True
        elif not self.skipped and not self.only:
            self.tell(word, number, code, sign, text)

    def tell(self, word: bytes, number: bytes, code: bytes, sign: bytes, text: bytes) -> None:
        """Add what a token says."""
        if word == b"u" and number:
            self.put(chr(int(number) % 65536))
            self.left = 1
        elif word in _WORDS or sign == b"~":
            self.put(_WORDS.get(word, "\u00a0"))
        elif code and self.left:
            self.left = 0
        elif code:
            self.held.append(int(code, 16))
        elif sign in (b"\\", b"{", b"}"):
            self.held += sign
        elif text:
            self.held += text[self.left :]
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
