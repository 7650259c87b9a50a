"""The signature of a bundle, by a key shared with those who check it: HMAC-SHA256 of its manifest."""

from __future__ import annotations

import hmac
from pathlib import Path
from typing import Literal

from pincite.errors import UsageError

LEAST = 32
"""The fewest bytes of a key."""
Signature = Literal["signed", "not signed", "wrong", "not checked"]
"""By the key that is set; not at all; with another key, or of something else; signed, and no key is set to check it by."""


def read_key(file: str) -> bytes:
    """The key in a file, its bytes as they are; none for no file. Raises UsageError for one that is no key."""
    if not file:
        return b""
    try:
        key = Path(file).expanduser().read_bytes()
    except OSError as error:
        raise UsageError(
            f"the key of bundles, bundle_key = {file!r}, cannot be read: {error.strerror or error}"
        ) from error
    if len(key) < LEAST:
        raise UsageError(
            f"the key of bundles in {file} has {len(key)} bytes; at least {LEAST} are needed: `head -c 32 /dev/urandom > FILE` "
            "makes "
            "one"
        )
    return key


def signed(manifest: bytes, key: bytes) -> str:
    """The signature of a manifest, in hexadecimal."""
    return hmac.new(key, b"pincite evidence bundle\0" + manifest, "sha256").hexdigest()


def checked(manifest: bytes, signature: str, key: bytes) -> Signature:
    """What the signature of a manifest comes to."""
    if not signature:
        return "not signed"
    if not key:
        return "not checked"
    own = signed(manifest, key).encode()
    return "signed" if hmac.compare_digest(own, signature.encode("utf-8")) else "wrong"
