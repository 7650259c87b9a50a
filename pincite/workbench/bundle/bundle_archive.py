"""The file of a bundle: a ZIP of uncompressed members in a fixed order and without times.

`manifest.json` holds the sha256 of every other member, and its own sha256 is the digest of the bundle: it is in the archive's
comment, followed by the signature if there is one. Equal members make equal bytes, so that a reader makes the archive again
from what was read and finds any byte that differs.
"""

from __future__ import annotations

import hmac
import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

from pincite.errors import UsageError
from pincite.untrusted import members_length

MANIFEST = "manifest.json"
FORMAT = 1
LARGEST = 384 << 20
"""The most bytes of a bundle that is read."""
MEMBERS = 20_000
"""The most files in a bundle that is read."""
LEAST = 32
"""The fewest bytes of a key."""
Signature = Literal["signed", "not signed", "wrong", "not checked"]
"""By the key that is set; not at all; with another key, or of something else; signed, and no key is set to check it by."""
_MARK = b"pincite evidence bundle, sha256 of its manifest: "
_SIGNED = b", signed with HMAC-SHA256: "
_TIME = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Finding:
    """Something about a member of a bundle: what, in words; that it is `wrong`, or could not be checked."""

    where: str
    what: str
    wrong: bool = True


class Broken(Exception):
    """A file that is no bundle: where, and what is wrong."""

    def __init__(self, where: str, what: str) -> None:
        super().__init__(what)
        self.finding = Finding(where, what)


def text(content: Any) -> bytes:
    """JSON for people and machines, the same bytes for the same content."""
    return json.dumps(content, ensure_ascii=False, indent=1, sort_keys=True).encode() + b"\n"


def pack(
    members: Mapping[str, bytes], facts: Mapping[str, Any], key: bytes = b""
) -> tuple[bytes, str]:
    """The bytes of a bundle of these members with a manifest of `facts` and their hashes, signed with `key`; and its digest."""
    listed = {
        name: {"sha256": sha256(body).hexdigest(), "bytes": len(body)}
        for name, body in members.items()
    }
    manifest = text({"format": FORMAT, **facts, "members": listed})
    signature = sign(manifest, key) if key else ""
    return _archive({**members, MANIFEST: manifest}, signature), sha256(manifest).hexdigest()


def _archive(members: Mapping[str, bytes], signature: str) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_STORED) as file:
        for name in sorted(members):
            info = zipfile.ZipInfo(name, _TIME)
            info.create_system, info.external_attr = 3, 0o644 << 16
            file.writestr(info, members[name])
        digest = sha256(members[MANIFEST]).hexdigest().encode()
        file.comment = _MARK + digest + (_SIGNED + signature.encode() if signature else b"")
    return made.getvalue()


@dataclass(frozen=True, slots=True)
class Unpacked:
    """The members of a bundle without its manifest, the manifest with its own bytes, the signature, and what is wrong."""

    members: dict[str, bytes]
    facts: dict[str, Any]
    manifest: bytes
    signature: str
    wrong: list[Finding]


def unpack(body: bytes) -> Unpacked:
    """What a bundle holds. Raises Broken when it cannot be read at all."""
    members, comment = _members(body)
    if MANIFEST not in members:
        raise Broken(MANIFEST, "there is none: this is not an evidence bundle")
    manifest = members.pop(MANIFEST)
    try:
        facts = json.loads(manifest)
        listed = {str(name): str(fact["sha256"]) for name, fact in facts["members"].items()}
    except Exception as error:
        raise Broken(MANIFEST, f"it cannot be read: {error}") from error
    if facts.get("format") != FORMAT:
        raise Broken(MANIFEST, f"its format is {facts.get('format')}, this Pincite reads {FORMAT}")
    digest = sha256(manifest).hexdigest()
    said, _, signature = comment.partition(_SIGNED)
    wrong = []
    if said != _MARK + digest.encode():
        what = f"its sha256 is {digest}, which is not the one in the archive's comment"
        wrong.append(Finding(MANIFEST, what))
    for name in sorted(listed.keys() | members.keys()):
        if name not in members:
            wrong.append(Finding(name, "it is missing"))
        elif name not in listed:
            wrong.append(Finding(name, "the manifest does not list it"))
        elif sha256(members[name]).hexdigest() != listed[name]:
            what = "it was changed: its sha256 does not match the manifest"
            wrong.append(Finding(name, what))
    told = signature.decode("latin-1")
    if not wrong and _archive({**members, MANIFEST: manifest}, told) != body:
        wrong.append(Finding("archive", "bytes between its members were changed"))
    return Unpacked(members, {**facts, "digest": digest}, manifest, told, wrong)


def _members(body: bytes) -> tuple[dict[str, bytes], bytes]:
    """The members of an archive and its comment."""
    try:
        if len(body) > LARGEST:
            size = f"{len(body) >> 20:,} MiB; at most {LARGEST >> 20} MiB are read"
            raise Broken("archive", f"it has {size}")
        if members_length(io.BytesIO(body)) > 256 * MEMBERS:
            raise Broken("archive", f"it lists more than {MEMBERS:,} members")
        with zipfile.ZipFile(io.BytesIO(body)) as file:
            infos = file.infolist()
            if any(info.compress_type != zipfile.ZIP_STORED for info in infos):
                raise Broken("archive", "its members are compressed: those of a bundle are not")
            if sum(info.file_size for info in infos) > len(body):
                raise Broken("archive", "its members are said to be larger than the file")
            return {info.filename: file.read(info) for info in infos}, file.comment
    except Broken:
        raise
    except Exception as error:  # a damaged archive fails in many ways
        raise Broken("archive", f"it cannot be read as a bundle: {error}") from error


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
            "makes one"
        )
    return key


def sign(manifest: bytes, key: bytes) -> str:
    """The signature of a manifest, in hexadecimal: by a key shared with those who check it, HMAC-SHA256."""
    return hmac.new(key, b"pincite evidence bundle\0" + manifest, "sha256").hexdigest()


def check_signature(manifest: bytes, signature: str, key: bytes) -> Signature:
    """What the signature of a manifest comes to."""
    if not signature:
        return "not signed"
    if not key:
        return "not checked"
    own = sign(manifest, key).encode()
    return "signed" if hmac.compare_digest(own, signature.encode("utf-8")) else "wrong"
