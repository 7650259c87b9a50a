"""The file of a bundle: a ZIP of uncompressed members in a fixed order and without times.

`manifest.json` holds the sha256 of every other member, and its own sha256 is the digest of the bundle: it is in the archive's
comment, followed by the signature if there is one. Equal members make equal bytes, so that a reader makes the archive again
from what was read and finds any byte that differs.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from pincite.untrusted import members_length
from pincite.workbench.bundle.signature import signed

MANIFEST = "manifest.json"
FORMAT = 1
LARGEST = 384 << 20
"""The most bytes of a bundle that is read."""
MEMBERS = 20_000
"""The most files in a bundle that is read."""
_MARK = b"pincite evidence bundle, sha256 of its manifest: "
_SIGNED = b", signed with HMAC-SHA256: "
_TIME = (1980, 1, 1, 0, 0, 0)


class Broken(Exception):
    """A file that is no bundle, or one whose bytes are not those that it was made of: in words, and where."""

    def __init__(self, where: str, what: str) -> None:
        super().__init__(what)
        self.where, self.what = where, what


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
    signature = signed(manifest, key) if key else ""
    return _archive({**members, MANIFEST: manifest}, signature), sha256(manifest).hexdigest()


def _comment(manifest: bytes, signature: str) -> bytes:
    digest = sha256(manifest).hexdigest().encode()
    return _MARK + digest + (_SIGNED + signature.encode() if signature else b"")


def _archive(members: Mapping[str, bytes], signature: str) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_STORED) as file:
        for name in sorted(members):
            info = zipfile.ZipInfo(name, _TIME)
            info.create_system, info.external_attr = 3, 0o644 << 16
            file.writestr(info, members[name])
        file.comment = _comment(members[MANIFEST], signature)
    return made.getvalue()


@dataclass(frozen=True, slots=True)
class Unpacked:
    """The members of a bundle without its manifest, the manifest with its own bytes, the signature, and what is wrong."""

    members: dict[str, bytes]
    facts: dict[str, Any]
    manifest: bytes
    signature: str
    wrong: list[Broken]


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
    wrong = list(_unlisted(members, listed))
    if said != _MARK + digest.encode():
        what = f"its sha256 is {digest}, which is not the one in the archive's comment"
        wrong.insert(0, Broken(MANIFEST, what))
    told = signature.decode("latin-1")
    if not wrong and _archive({**members, MANIFEST: manifest}, told) != body:
        wrong.append(Broken("archive", "bytes between its members were changed"))
    return Unpacked(members, {**facts, "digest": digest}, manifest, told, wrong)


def _members(body: bytes) -> tuple[dict[str, bytes], bytes]:
    """The members of an archive and its comment."""
    try:
        if len(body) > LARGEST:
            raise Broken(
                "archive", f"it has {len(body) >> 20:,} MiB; at most {LARGEST >> 20} MiB are read"
            )
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


def _unlisted(members: Mapping[str, bytes], listed: Mapping[str, str]) -> Iterator[Broken]:
    """In what members are not those that the manifest lists."""
    for name in sorted(listed.keys() | members.keys()):
        if name not in members:
            yield Broken(name, "it is missing")
        elif name not in listed:
            yield Broken(name, "the manifest does not list it")
        elif sha256(members[name]).hexdigest() != listed[name]:
            yield Broken(name, "it was changed: its sha256 does not match the manifest")
