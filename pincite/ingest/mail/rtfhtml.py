r"""HTML out of the RTF in which Outlook wraps it: decompressed (MS-OXRTFCP), then its tags unwrapped (MS-OXRTFEX)."""

from __future__ import annotations

import re

from pincite.ingest.office.rtffile import rtf_text
from pincite.ingest.optional_libraries import needed

_ALONE = re.compile(r"\\htmlrtf(\d?) ?")
"""From where on, up to one with a zero, what stands there holds for RTF alone."""
_TAG = re.compile(r"\\\*\\htmltag\d* ?")


def unpacked_rtf(data: bytes) -> bytes:
    """The RTF of a compressed body; empty for one that is damaged."""
    try:
        return bytes(needed("compressed_rtf", "a message").decompress(data))
    except Exception:  # it raises nothing more telling
        return b""


def html_of(rtf: bytes) -> str:
    """The HTML that an RTF wraps; empty when it wraps none."""
    if b"\\fromhtml1" not in rtf[:1000]:
        return ""
    first, *rest = _ALONE.split(rtf.decode("latin-1"))
    kept = (text for number, text in zip(rest[::2], rest[1::2], strict=True) if number == "0")
    text = _TAG.sub("", "".join((first, *kept)))
    try:
        return rtf_text(text, "a message")
    except (ValueError, OverflowError, LookupError):
        return ""
