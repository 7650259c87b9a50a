"""The sources that are in a bundle, read and drawn again: what is said of them must follow from their bytes."""

from __future__ import annotations

import io
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from pincite.disk import write
from pincite.encoding import NodeRow, node_rows
from pincite.errors import PinciteError
from pincite.evidence.framed_page import framed, packed
from pincite.ingest.parser_processes import Parsed, parse_all
from pincite.types import Citation, Node
from pincite.untrusted import is_name
from pincite.workbench.bundle.bundle_page import ShownAnswer
from pincite.workbench.bundle.packing import drawn_by
from pincite.workbench.source_comparison import Unverified, job_of


@dataclass(frozen=True, slots=True)
class SourceReading:
    """What reading a member again came to: that it is `wrong`, or could not be read again, and why; "" when it is right."""

    where: str
    what: str = ""
    wrong: bool = False


def from_sources(
    members: Mapping[str, bytes],
    facts: Mapping[str, Any],
    nodes: Mapping[str, Node],
    shown: Sequence[ShownAnswer],
) -> Iterator[SourceReading]:
    """What became of each source in a bundle, and what is wrong with the nodes and the pictures that are of it."""
    with tempfile.TemporaryDirectory() as folder:
        for name, body in members.items():
            if not name.startswith("sources/"):
                continue
            sha = name[8:72]
            if sha256(body).hexdigest() != sha or not is_name(name) or "/" in name[8:]:
                yield SourceReading(
                    name, "it is not the file that its name identifies", wrong=True
                )
                continue
            path = Path(folder) / name[8:]
            write(path, body)
            try:
                read = _rows(path, facts["sources"][sha])
            except (Unverified, PinciteError) as error:
                yield SourceReading(name, f"it was not read again: {error}")
                continue
            yield from _nodes_of(sha, nodes, read)
            yield from _pictures(path, sha, members, facts, shown)
            yield SourceReading(name)


def _rows(path: Path, source: Mapping[str, Any]) -> dict[str, NodeRow]:
    """The nodes of a source by their ids, as they are read now."""
    rows: dict[str, NodeRow] = {}
    if "version" not in source:
        raise Unverified("the bundle does not say how it was read")
    if not str(source["version"]).startswith(f"{path.name[:64]}-"):
        raise Unverified("the bundle says how another source was read")
    job = job_of(path, str(source["name"]), str(source["version"]))
    for _, made in parse_all(
        [job],
        1,
        lambda job, page: None,
        lambda job, some: rows.update({entry[0]: entry for entry in some}),
    ):
        if not isinstance(made, Parsed):
            raise made
    return rows


def _nodes_of(
    sha: str, nodes: Mapping[str, Node], read: Mapping[str, NodeRow]
) -> Iterator[SourceReading]:
    for node in nodes.values():
        if node.anchor.source == sha:
            ((mine, *_),) = (node_rows([node], node.order),)
            if mine != read.get(node.id):
                yield SourceReading(
                    "nodes.json",
                    f"the {node.kind} {node.id} is not what its source says",
                    wrong=True,
                )


def _pictures(
    path: Path,
    sha: str,
    members: Mapping[str, bytes],
    facts: Mapping[str, Any],
    shown: Sequence[ShownAnswer],
) -> Iterator[SourceReading]:
    drawn = [
        (answer.pages.get(place.label), place)
        for answer in shown
        for place in answer.answer.citations
        if place.anchor.source == sha and place.anchor.page
    ]
    same = facts.get("drawn_by") == drawn_by()
    if drawn and not same:
        yield SourceReading(
            "pages",
            f"they were drawn by {facts.get('drawn_by')} and not drawn again by {drawn_by()}",
        )
    for name, place in drawn if same else ():
        yield from _picture(path, name, place, members)


def _picture(
    path: Path, name: str | None, place: Citation, members: Mapping[str, bytes]
) -> Iterator[SourceReading]:
    try:
        wanted = packed(framed(path, place))
    except PinciteError:
        wanted = b""  # it has no pages to draw
    if name is None and wanted:
        yield SourceReading(
            "pages",
            f"the picture of what is cited as {place.label} of {place.document} is missing",
            wrong=True,
        )
    elif name is not None and not _is_same(members[name], wanted):
        yield SourceReading(name, "it is not the picture of the cited place", wrong=True)


def _is_same(first: bytes, other: bytes) -> bool:
    """Whether two pictures show the same, however they are packed."""
    from PIL import Image, ImageChops

    if first == other or not other:
        return first == other
    try:
        with (
            Image.open(io.BytesIO(first), formats=("PNG",)) as mine,
            Image.open(io.BytesIO(other)) as right,
        ):
            if mine.size != right.size:
                return False
            apart = ImageChops.difference(mine.convert("RGB"), right.convert("RGB"))
            return apart.getbbox() is None
    except (OSError, ValueError, SyntaxError):
        return False
