"""Parsed pages to a document's tree of nodes: sections by heading, paragraphs, sentences, tables, pages."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import Any

from pincite.document.sentence_spans import sentences
from pincite.ingest.layout.line_traits import (
    ends_sentence,
    is_caption,
    is_item,
    is_numbered,
    joined,
    known_words,
    numbering,
)
from pincite.ingest.page_languages import spoken, with_commas
from pincite.ingest.parallel_texts import unfolded
from pincite.ingest.raw_page import Block, Page
from pincite.ingest.titles import title_of
from pincite.lexicon import pattern
from pincite.quantity.dollars import with_dollar
from pincite.types import Anchor, Box, Document, Kind, Node, Table

Spot = tuple[int, Box | None]

STEP = " > "
"""Parts a heading from the one above it in a path."""
_PATH = 90  # characters of a heading that a section path keeps
_FLOAT = ("caption", "table", "figure", "footnote")  # what a paragraph may run around
_OF_TABLE = pattern("ingest", "of a table", "captions")
_NOTE = re.compile(
    r"^[\[(]?(?P<mark>\d{1,3}|[a-z]|[ivx]{1,4}|[*\u2020\u2021\u00a7#]{1,3})[\])]?[.:]?\s+(?=\S)",
    re.MULTILINE,
)
LONGEST = 20_000
"""Characters of a paragraph that may still go on over a page break: a longer one is read in several."""


@dataclass(frozen=True, slots=True)
class _Piece:
    """A block with its spots; one that runs over a page or column break has those of both."""

    block: Block
    spots: tuple[Spot, ...]
    place: str = ""


def build(
    source: str,
    name: str,
    parser: str,
    pages: Iterable[Page],
    *,
    title: str = "",
    meta: Mapping[str, str] | None = None,
) -> Document:
    """The tree of a document whose id is `name` and whose version is `source`, the sha256 of its bytes.

    The root comes first, then the sections and what is in them in reading order, then one node for each page with the
    page's whole text; where its language is not the document's with its "languages", and with "parallel", the number of the
    page that says the same in another one. Ids depend on the source, the parser's
    spelling and the place in the tree only. Without `title` the document's is that of `title_of`.
    """
    held = tuple(pages)
    told = spoken(held)
    spoken_in = ((page, told.of(page.number)) for page in held)
    held = tuple(with_commas(unfolded(page, codes), codes) for page, codes in spoken_in)
    maker = _Maker(source, parser)
    named = title or title_of(held, name)
    root = maker.node("document", named, Anchor(source), "", ())
    _Builder(maker, root).add(_continued(_pieces(held)), _levels(held))
    for page in held:
        text = page_text(page)
        spots = ((page.number, None),)
        path = placed(page.place, maker.paths.get(page.number, ""))
        own: dict[str, Any] = (
            {"seen": round(page.seen, 3), "suspicion": page.suspicion} if page.suspicion else {}
        )
        own |= {"lost": page.lost} if page.lost else {}
        own |= told.meta(page.number)
        anchor, place = Anchor(source, spots, path=path), ("page", str(page.number))
        maker.node("page", text, anchor, root.id, place, meta=own)
    about = {**(meta or {}), **({"parallel": "yes"} if told.parallel else {})}
    nodes = with_dollar(maker.nodes)
    return Document(name, source, named, language=told.language, meta=about, nodes=tuple(nodes))


def page_text(page: Page) -> str:
    """A page in reading order, a line break between blocks, tables as lines of text, figures as what was read off them."""
    held = (inner for block in page.blocks for inner in _with_inner(block))
    return "\n".join(block.text for block in held if block.text)


def _with_inner(block: Block) -> list[Block]:
    """A block and those that belong to it; a caption comes first where it stands over it, as those of tables do without a box."""
    over = [inner for inner in block.inner if inner.kind == "caption" and _is_over(inner, block)]
    return [*over, block, *(inner for inner in block.inner if inner not in over)]


def _is_over(caption: Block, block: Block) -> bool:
    box, own = caption.lines[0], block.lines[0]
    return box[1] < own[1] if box and own else block.kind == "table"


def anchor_of(node: Node, start: int, end: int) -> Anchor:
    """Where [start, end) of a node's text stands: the spots of the lines it overlaps.

    A node whose meta has no "starts" (a table, a page) is one place: its own anchor.
    """
    starts = node.meta.get("starts")
    if not starts or len(starts) != len(node.anchor.spots):
        return node.anchor
    return replace(node.anchor, spots=_overlapped(node.anchor.spots, starts, start, end))


def placed(place: str, headings: str) -> str:
    """The path of what stands under `headings` on a page that is `place` in its format's own terms: "slide 3 > Costs".

    A heading that the place names already, as "sheet Costs" does, is not said twice.
    """
    steps = headings.split(STEP) if headings else []
    while steps and f" {steps[0]},".casefold() in f" {place},".casefold():
        del steps[0]
    return STEP.join((place, *steps) if place else steps)


def leveled(pages: Sequence[Page]) -> tuple[Page, ...]:
    """The pages of one document with the level of every heading told."""
    level = _levels(pages)

    def with_level(block: Block) -> Block:
        return replace(block, level=level(block)) if block.kind == "heading" else block

    return tuple(replace(page, blocks=tuple(map(with_level, page.blocks))) for page in pages)


def section_path(node: Node) -> str:
    """The headings above a node, outermost first: "3 Results > Revenue"."""
    return node.anchor.path


def _overlapped(
    spots: tuple[Spot, ...], starts: Sequence[int], start: int, end: int
) -> tuple[Spot, ...]:
    first = max(0, bisect_right(starts, start) - 1)
    last = max(first + 1, bisect_left(starts, end))
    return spots[first:last]


@dataclass(slots=True)
class _Maker:
    """Makes nodes with their ids and order, and remembers the section each page begins in."""

    source: str
    parser: str
    nodes: list[Node] = field(default_factory=list)
    paths: dict[int, str] = field(default_factory=dict)

    def node(
        self,
        kind: Kind,
        text: str,
        anchor: Anchor,
        parent: str,
        place: tuple[str, ...],
        table: Table | None = None,
        meta: Mapping[str, Any] | None = None,
    ) -> Node:
        key = "\0".join((self.source, self.parser, "/".join(place)))
        own = blake2b(key.encode(), digest_size=8).hexdigest()
        made = Node(own, kind, text, anchor, parent, len(self.nodes), table, meta or {})
        self.nodes.append(made)
        return made


@dataclass(slots=True)
class _Open:
    """A node that is being filled: its place and how many children it has."""

    node: Node
    place: tuple[str, ...]
    level: int
    path: str = ""
    children: int = 0


class _Builder:
    """Fills sections from blocks in reading order."""

    def __init__(self, maker: _Maker, root: Node) -> None:
        self.maker = maker
        self.table = ""  # the last one that goes on no other
        self.marks: dict[str, str] = {}  # those of the last table, each with the node of its note
        self.page = 0  # where that is
        self.stack = [_Open(root, (), 0)]

    def add(self, pieces: Iterable[_Piece], level: Callable[[Block], int]) -> None:
        held = list(pieces)
        at = 0
        while at < len(held):
            piece = held[at]
            if piece.block.kind == "heading":
                self._section(piece, level(piece.block))
            elif (
                piece.block.kind == "caption"
                and at + 1 < len(held)
                and _captions(piece.block, held[at + 1].block)
            ):
                at += 1
                self._captioned(held[at], piece)
            elif at + 1 < len(held) and _captions(held[at + 1].block, piece.block):
                at += 1
                self._captioned(piece, held[at])
            else:
                self._leaf(piece)
            if piece.spots:
                self.maker.paths.setdefault(piece.spots[0][0], self.stack[-1].path)
            at += 1

    def _place(self, parent: _Open) -> tuple[str, ...]:
        parent.children += 1
        return (*parent.place, str(parent.children - 1))

    def _anchor(self, piece: _Piece) -> Anchor:
        path = piece.block.path or placed(piece.place, self.stack[-1].path)
        return Anchor(self.maker.source, piece.spots, path=path)

    def _section(self, piece: _Piece, level: int) -> None:
        while self.stack[-1].level >= level:
            self.stack.pop()
        parent = self.stack[-1]
        text = " ".join(piece.block.text.split())
        short = text if len(text) <= _PATH else text[: _PATH - 1].rsplit(" ", 1)[0] + "\u2026"
        path = f"{parent.path}{STEP}{short}" if parent.path else short
        place = self._place(parent)
        anchor = Anchor(self.maker.source, piece.spots, path=placed(piece.place, path))
        meta = {"level": len(self.stack)}
        node = self.maker.node("section", text, anchor, parent.node.id, place, meta=meta)
        self.stack.append(_Open(node, place, level, path))
        self._leaf(piece)

    def _captioned(self, piece: _Piece, caption: _Piece) -> None:
        """A table or figure with its caption below it in the tree; a table without one takes its text."""
        block = piece.block
        if block.table is not None and not block.table.caption:
            table = replace(block.table, caption=caption.block.text)
            piece = replace(piece, block=replace(block, table=table))
        self.stack.append(self._leaf(piece))
        self._leaf(caption)
        self.stack.pop()

    def _leaf(self, piece: _Piece) -> _Open:
        block = piece.block
        above = self.stack[-1]
        place = self._place(above)
        given = (self._anchor(piece), above.node.id, place, block.table, self._meta(block))
        node = self.maker.node(block.kind, block.text, *given)
        if block.table is not None:
            self.table = self.table if block.continues else node.id
            self.marks, self.page = node.meta.get("notes", {}), node.anchor.page
        elif node.anchor.page == self.page:
            self._take_notes(node)
        if block.kind in ("paragraph", "list", "footnote"):
            self._sentences(node, piece, place)
        opened = _Open(node, place, above.level, above.path)
        for inner in block.inner:
            self.stack.append(opened)
            spots = tuple((piece.spots[0][0], box) for box in inner.lines)
            self._leaf(_Piece(inner, spots, piece.place))
            self.stack.pop()
        return opened

    def _meta(self, block: Block) -> dict[str, Any]:
        lined = block.table is None and block.text
        meta: dict[str, Any] = {"starts": block.starts} if lined else {}
        if block.continues:
            meta["continues"] = self.table
        cells = block.table.cells if block.table is not None else ()
        marks = {mark: "" for cell in cells for mark in cell.marks}
        return meta | ({"notes": marks} if marks else {})

    def _take_notes(self, node: Node) -> None:
        """Remember a text as the note of those marks of the last table with which its lines begin."""
        for found in _NOTE.finditer(node.text) if self.marks else ():
            if self.marks.get(found["mark"]) == "":
                self.marks[found["mark"]] = node.id

    def _sentences(self, node: Node, piece: _Piece, place: tuple[str, ...]) -> None:
        for number, (start, end) in enumerate(sentences(node.text)):
            text = node.text[start:end]
            if any(map(str.isalpha, text)):  # a bare number says nothing that could be found
                spots = _overlapped(piece.spots, piece.block.starts, start, end)
                given = (replace(node.anchor, spots=spots), node.id, (*place, str(number)))
                self.maker.node("sentence", text, *given, meta={"start": start})


Style = tuple[bool, float, bool, bool]


def _style(block: Block) -> Style:
    """What ranks headings by their look: labels and sentences last, larger first, bold first, capitals first."""
    return (
        ends_sentence(block.text) and not is_numbered(block.text),
        -round(block.size * 2) / 2,
        not block.bold,
        not block.text.isupper(),
    )


def _levels(pages: Sequence[Page]) -> Callable[[Block], int]:
    """The level of each heading in this document: by its look, and within a look by its numbering.

    A heading without a number ranks with the shallowest numbered ones of its look. Where the format tells the level of
    every one, that is it.
    """
    headings = [block for page in pages for block in page.blocks if block.kind == "heading"]
    if all(block.level for block in headings):
        return lambda block: block.level
    shallowest: dict[Style, int] = {}
    for block in headings:
        if is_numbered(block.text) and (depth := numbering(block.text)) >= 2:
            shallowest[_style(block)] = min(depth, shallowest.get(_style(block), depth))

    def rank(block: Block) -> tuple[Style, int, int]:
        style = _style(block)
        depth = numbering(block.text) if is_numbered(block.text) else shallowest.get(style, 2)
        return style, block.level, 0 if block.level else depth

    order = {key: at for at, key in enumerate(sorted(set(map(rank, headings))), 1)}
    return lambda block: order[rank(block)]


def _captions(caption: Block, block: Block) -> bool:
    """Whether a caption beside a table or a figure is that one's."""
    if caption.kind != "caption" or block.kind not in ("table", "figure"):
        return False
    if any(inner.kind == "caption" for inner in block.inner):
        return False  # it has its own
    return (block.kind == "table") == bool(_OF_TABLE.match(caption.text))


def _pieces(pages: Iterable[Page]) -> Iterator[_Piece]:
    for page in pages:
        for block in page.blocks:
            yield _Piece(block, tuple((page.number, box) for box in block.lines), page.place)


def _continued(pieces: Iterable[_Piece]) -> list[_Piece]:
    """The pieces with each paragraph that a page or column break cut in two made whole, where it begins."""
    out: list[_Piece] = []
    open_at = -1  # the last paragraph that may go on
    runs: dict[int, int] = {}
    for piece in pieces:
        block = piece.block
        if block.run in runs:
            out[runs[block.run]] = _appended(out[runs[block.run]], piece)
            continue
        if block.run:
            runs[block.run] = len(out)
        may = block.kind == "paragraph" and open_at >= 0 and not piece.place
        if may and _goes_on(out[open_at].block, block):
            out[open_at] = _whole(out[open_at], piece)
            continue
        out.append(piece)
        if block.kind in ("paragraph", "list"):
            open_at = len(out) - 1
        elif block.kind not in _FLOAT:
            open_at = -1
    return out


def _goes_on(before: Block, after: Block) -> bool:
    lined = "\n" in before.text[-200:] and before.kind == "paragraph"
    if lined or "\n" in after.text[:200] or ends_sentence(before.text):
        return False
    if not 60 <= len(before.text) <= LONGEST or is_item(after.text) or is_caption(after.text):
        return False
    parted = before.text[-1:] in "-\u00ad," and after.text[:1].isalnum()
    return parted or after.text[:1].islower()


def _appended(before: _Piece, after: _Piece) -> _Piece:
    """Two pieces of one block, whose texts follow each other as they are."""
    off = len(before.block.text)
    starts = (*before.block.starts, *(off + start for start in after.block.starts))
    text, lines = before.block.text + after.block.text, before.block.lines + after.block.lines
    block = replace(before.block, text=text, lines=lines, starts=starts)
    return _Piece(block, before.spots + after.spots, before.place)


def _whole(before: _Piece, after: _Piece) -> _Piece:
    known = known_words(f"{before.block.text} {after.block.text}")
    text, (_, offset) = joined((before.block.text, after.block.text), known)
    starts = (*before.block.starts, *(offset + start for start in after.block.starts))
    block = replace(
        before.block, text=text, lines=before.block.lines + after.block.lines, starts=starts
    )
    return _Piece(block, before.spots + after.spots, before.place)
