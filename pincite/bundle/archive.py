"""The file of a bundle: a ZIP of uncompressed members in a fixed order and without times.

`manifest.json` holds the sha256 of every other member, and its own sha256 is the digest of the bundle: it stands in the
archive's comment. Equal members make equal bytes, so that a reader makes the archive again from what was read and finds any byte
that differs.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

MANIFEST = "manifest.json"
FORMAT = 1
_MARK = b"pincite evidence bundle, sha256 of its manifest: "
_TIME = (1980, 1, 1, 0, 0, 0)


class Broken(Exception):
    """A file that is no bundle, or one whose bytes are not those that it was made of: in words, and where."""

    def __init__(self, where: str, what: str) -> None:
        super().__init__(what)
        self.where, self.what = where, what


def text(content: Any) -> bytes:
    """JSON for people and machines, the same bytes for the same content."""
    return json.dumps(content, ensure_ascii=False, indent=1, sort_keys=True).encode() + b"\n"


def pack(members: Mapping[str, bytes], facts: Mapping[str, Any]) -> tuple[bytes, str]:
    """The bytes of a bundle of these members with a manifest of `facts` and their hashes; and its digest."""
    listed = {name: {"sha256": sha256(body).hexdigest(), "bytes": len(body)} for name, body in members.items()}
    manifest = text({"format": FORMAT, **facts, "members": listed})
    return _archive({**members, MANIFEST: manifest}), sha256(manifest).hexdigest()


def _archive(members: Mapping[str, bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_STORED) as file:
        for name in sorted(members):
            info = zipfile.ZipInfo(name, _TIME)
            info.create_system, info.external_attr = 3, 0o644 << 16
            file.writestr(info, members[name])
        file.comment = _MARK + sha256(members[MANIFEST]).hexdigest().encode()
    return made.getvalue()


def unpack(body: bytes) -> tuple[dict[str, bytes], dict[str, Any], list[Broken]]:
    """The members of a bundle without its manifest, the manifest, and what is wrong with its bytes.

    Raises Broken when it cannot be read at all.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(body)) as file:
            infos = file.infolist()
            if any(one.compress_type != zipfile.ZIP_STORED for one in infos):
                raise Broken("archive", "its members are compressed: those of a bundle are not")
            if sum(one.file_size for one in infos) > len(body):
                raise Broken("archive", "its members are said to be larger than the file")
            members = {one.filename: file.read(one) for one in infos}
            comment = file.comment
    except Broken:
        raise
    except Exception as error:  # a damaged archive fails in many ways
        raise Broken("archive", f"it cannot be read as a bundle: {error}") from error
    if MANIFEST not in members:
        raise Broken(MANIFEST, "there is none: this is no evidence bundle")
    manifest = members.pop(MANIFEST)
    wrong = []
    try:
        facts = json.loads(manifest)
        listed = {str(name): str(one["sha256"]) for name, one in facts["members"].items()}
    except Exception as error:
        raise Broken(MANIFEST, f"it cannot be read: {error}") from error
    if facts.get("format") != FORMAT:
        raise Broken(MANIFEST, f"its format is {facts.get('format')}, this Pincite reads {FORMAT}")
    digest = sha256(manifest).hexdigest()
    if comment != _MARK + digest.encode():
        wrong.append(Broken(MANIFEST, f"its sha256 is {digest}, which is not the one in the archive's comment"))
    for name in sorted(listed.keys() | members.keys()):
        if name not in members:
            wrong.append(Broken(name, "it is missing"))
        elif name not in listed:
            wrong.append(Broken(name, "the manifest does not list it"))
        elif sha256(members[name]).hexdigest() != listed[name]:
            wrong.append(Broken(name, "it was changed: its sha256 is not that of the manifest"))
    if not wrong and _archive({**members, MANIFEST: manifest}) != body:
        wrong.append(Broken("archive", "bytes between its members were changed"))
    return members, {**facts, "digest": digest}, wrong
