"""The sources that are in a bundle, read and drawn again: what is said of them must follow from their bytes."""

from __future__ import annotations

import io
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from pincite.errors import PinciteError
from pincite.evidence.framed_page import framed, packed
from pincite.formats.encoding import NodeRow, node_rows
from pincite.ingest.parser_processes import Parsed, ParserJob, parse_all
from pincite.storage.disk import write
from pincite.types import Node
from pincite.untrusted import is_name
from pincite.workbench.bundle.bundle_archive import Finding
from pincite.workbench.bundle.bundle_page import ShownAnswer
from pincite.workbench.bundle.packing import drawn_by
from pincite.workbench.source_comparison import Unverified, job_of

Members = Mapping[str, bytes]
Facts = Mapping[str, Any]


def from_sources(
    members: Members, facts: Facts, nodes: Mapping[str, Node], shown: Sequence[ShownAnswer]
) -> Iterator[Finding]:
    """What became of each source in a bundle, "" where it was read again, and what is wrong with the nodes and pictures of it."""
    with tempfile.TemporaryDirectory() as folder:
        for name, body in members.items():
            if not name.startswith("sources/"):
                continue
            sha = name[8:72]
            if sha256(body).hexdigest() != sha or not is_name(name) or "/" in name[8:]:
                yield Finding(name, "it is not the file that its name identifies")
                continue
            path = Path(folder) / name[8:]
            write(path, body)
            try:
                read = _rows(path, facts["sources"][sha])
            except (Unverified, PinciteError) as error:
                yield Finding(name, f"it was not read again: {error}", wrong=False)
                continue
            for node in nodes.values():
                if node.anchor.source == sha:
                    ((mine, *_),) = (node_rows([node], node.order),)
                    if mine != read.get(node.id):
                        what = f"the {node.kind} {node.id} is not what its source says"
                        yield Finding("nodes.json", what)
            yield from _pictures(path, sha, members, facts, shown)
            yield Finding(name, "", wrong=False)


def _rows(path: Path, source: Mapping[str, Any]) -> dict[str, NodeRow]:
    """The nodes of a source by their ids, as they are read now."""
    rows: dict[str, NodeRow] = {}
    if "version" not in source:
        raise Unverified("the bundle does not say how it was read")
    if not str(source["version"]).startswith(f"{path.name[:64]}-"):
        raise Unverified("the bundle says how another source was read")
    job = job_of(path, str(source["name"]), str(source["version"]))

    def keep(job: ParserJob, some: list[NodeRow]) -> None:
        rows.update({entry[0]: entry for entry in some})

    for _, made in parse_all([job], 1, lambda job, page: None, keep):
        if not isinstance(made, Parsed):
            raise made
    return rows


def _pictures(
    path: Path, sha: str, members: Members, facts: Facts, shown: Sequence[ShownAnswer]
) -> Iterator[Finding]:
    """What is wrong with the pictures of the pages of a source, drawn again by the same program."""
    cited = [(answer, place) for answer in shown for place in answer.answer.citations]
    drawn = [
        (answer.pages.get(place.label), place)
        for answer, place in cited
        if place.anchor.source == sha and place.anchor.page
    ]
    if drawn and facts.get("drawn_by") != drawn_by():
        what = f"they were drawn by {facts.get('drawn_by')} and not drawn again by {drawn_by()}"
        yield Finding("pages", what, wrong=False)
        return
    for name, place in drawn:
        try:
            wanted = packed(framed(path, place))
        except PinciteError:
            wanted = b""  # it has no pages to draw
        if name is None and wanted:
            what = f"the picture of what is cited as {place.label} of {place.document} is missing"
            yield Finding("pages", what)
        elif name is not None and not _is_same(members[name], wanted):
            yield Finding(name, "it is not the picture of the cited place")


def _is_same(first: bytes, other: bytes) -> bool:
    """Whether two pictures show the same, however they are packed."""
    from PIL import Image, ImageChops

    if first == other or not other:
        return first == other
    try:
        mine = Image.open(io.BytesIO(first), formats=("PNG",))
        right = Image.open(io.BytesIO(other))
        if mine.size != right.size:
            return False
        apart = ImageChops.difference(mine.convert("RGB"), right.convert("RGB"))
        return apart.getbbox() is None
    except (OSError, ValueError, SyntaxError):
        return False
