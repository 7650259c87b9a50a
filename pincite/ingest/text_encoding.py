"""Bytes of unknown encoding to text."""

from __future__ import annotations

import codecs
import re

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_DECLARED = re.compile(
    rb"""(?:charset|encoding)\s*+=\s*+["']?\s*+([\w.:-]{3,30})""", re.IGNORECASE
)
_NO_CHARSETS = ("utf-16", "idna", "punycode", "unicode-escape", "raw-unicode-escape", "undefined")
"""Codecs of Python that no document is written in, or that are told otherwise."""
_SAMPLE = 1 << 16
_ZEROS = 150  # of two hundred bytes, in text of UTF-16


def decoded(data: bytes, declared: str = "", *, markup: bool = False) -> str:
    """The text of `data`: by its byte order mark, as UTF-8, as `declared`, as it looks, else as Windows-1252.

    With `markup`, what an XML declaration or a meta element says counts as declared. Line feeds are plain.
    """
    # by its mark, or by zeros in every other byte
    encodings = [name for mark, name in _MARKS if data.startswith(mark)][:1]
    encodings += ["utf-16-le"] * (data[1:400:2].count(0) > _ZEROS)
    encodings += ["utf-16-be"] * (data[0:400:2].count(0) > _ZEROS)
    if not encodings:
        said = _DECLARED.search(data[:2048]) if markup else None
        named = declared or (said[1].decode("ascii", "replace") if said else "")
        encodings = ["utf-8", *filter(_known, [named]), *_looks(data)]
    for encoding in encodings:
        try:
            text = data.decode(encoding)
            text.encode()
            break
        except (UnicodeError, LookupError):  # or a codec that makes no text, or halves of letters
            continue
    else:
        text = data.decode("cp1252" if encodings[0] == "utf-8" else encodings[0], "replace")
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")


def _known(name: str) -> bool:
    """Whether a name is that of a charset; those of UTF-16 are told by the bytes alone."""
    try:
        return bool(name) and not codecs.lookup(name).name.startswith(_NO_CHARSETS)
    except (LookupError, ValueError):  # a name with a zero in it
        return False


def _looks(data: bytes) -> list[str]:
    """What bytes look like in which most letters are beyond ASCII, as in Greek, Russian, Chinese or Japanese."""
    sample = data[:_SAMPLE]
    high = sum(byte > 127 for byte in sample)
    letters = high + sum(65 <= byte <= 90 or 97 <= byte <= 122 for byte in sample)
    if 2 * high <= letters:
        return []
    try:
        import charset_normalizer
    except ImportError:
        return []
    best = charset_normalizer.from_bytes(sample).best()
    return [best.encoding] if best else []
