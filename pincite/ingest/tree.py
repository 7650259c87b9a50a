"""Parsed pages to a document's tree of nodes: sections by heading, paragraphs, sentences, tables, pages."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
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
from pincite.ingest.page_languages import spoken, unfolded, with_commas
from pincite.ingest.raw_page import Block, Page
from pincite.ingest.titles import title_of
from pincite.quantity.dollars import with_dollar
from pincite.text.lexicon import pattern
from pincite.types import Anchor, Box, Document, Kind, Node, Table

Spot = tuple[int, Box | None]

STEP = " > "  # parts a heading from the one above it in a path
_PATH = 90  # characters of a heading that a section path keeps
_FLOAT = ("caption", "table", "figure", "footnote")  # what a paragraph may run around
_OF_TABLE = pattern("ingest", "of a table", "captions")
_NOTE = re.compile(
    r"^[\[(]?(?P<mark>\d{1,3}|[a-z]|[ivx]{1,4}|[*\u2020\u2021\u00a7#]{1,3})[\])]?[.:]?\s+(?=\S)",
    re.MULTILINE,
)
LONGEST = 20_000  # characters of a paragraph that may go on over a page break


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
    named = title or title_of(held, name)
    tree = _Tree(source, parser, named)
    tree.add(_pieces(held), _levels(held))
    for page in held:
        own: dict[str, Any] = {}
        if page.suspicion:
            own = {"seen": round(page.seen, 3), "suspicion": page.suspicion}
        if page.lost:
            own["lost"] = page.lost
        own |= told.meta(page.number)
        path = placed(page.place, tree.paths.get(page.number, ""))
        anchor = Anchor(source, ((page.number, None),), path=path)
        place = ("page", str(page.number))
        tree.node("page", page_text(page), anchor, tree.root.id, place, meta=own)
    about = {**(meta or {}), **({"parallel": "yes"} if told.parallel else {})}
    nodes = with_dollar(tree.nodes)
    return Document(name, source, named, language=told.language, meta=about, nodes=tuple(nodes))


def page_text(page: Page) -> str:
    """A page in reading order, a line break between blocks, tables as lines of text, figures as what was read off them."""
    held: list[Block] = []
    for block in page.blocks:
        over = [inner for inner in block.inner if _is_caption_over(inner, block)]
        held += [*over, block, *(inner for inner in block.inner if inner not in over)]
    return "\n".join(block.text for block in held if block.text)


def _is_caption_over(inner: Block, block: Block) -> bool:
    """Whether what belongs to a block is a caption over it, as those of tables are without a box."""
    if inner.kind != "caption":
        return False
    box, own = inner.lines[0], block.lines[0]
    return box[1] < own[1] if box and own else block.kind == "table"


def anchor_of(node: Node, start: int, end: int) -> Anchor:
    """Where [start, end) of a node's text stands: the spots of the lines it overlaps.

    A node whose meta has no "starts" (a table, a page) is one place: its own anchor.
    """
    starts = node.meta.get("starts")
    if not starts or len(starts) != len(node.anchor.spots):
        return node.anchor
    return replace(node.anchor, spots=_spots_between(node.anchor.spots, starts, start, end))


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


def _spots_between(
    spots: tuple[Spot, ...], starts: Sequence[int], start: int, end: int
) -> tuple[Spot, ...]:
    first = max(0, bisect_right(starts, start) - 1)
    last = max(first + 1, bisect_left(starts, end))
    return spots[first:last]


@dataclass(slots=True)
class _Open:
    """A node that is being filled: its place and how many children it has."""

    node: Node
    place: tuple[str, ...]
    level: int
    path: str = ""
    children: int = 0


class _Tree:
    """The nodes of a document, with their ids and order: sections are filled from blocks in reading order."""

    def __init__(self, source: str, parser: str, name: str) -> None:
        self.source, self.parser = source, parser
        self.nodes: list[Node] = []
        self.paths: dict[int, str] = {}  # the section that each page begins in
        self.table = ""  # the last one that goes on no other
        self.marks: dict[str, str] = {}  # those of the last table, each with the node of its note
        self.page = 0  # where that is
        self.root = self.node("document", name, Anchor(source), "", ())
        self.stack = [_Open(self.root, (), 0)]

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
        """Make a node at a place in the tree."""
        key = "\0".join((self.source, self.parser, "/".join(place)))
        own = blake2b(key.encode(), digest_size=8).hexdigest()
        made = Node(own, kind, text, anchor, parent, len(self.nodes), table, meta or {})
        self.nodes.append(made)
        return made

    def add(self, held: Sequence[_Piece], level: Callable[[Block], int]) -> None:
        """Add the blocks of a document."""
        at = 0
        while at < len(held):
            piece, following = held[at], held[at + 1] if at + 1 < len(held) else None
            at += 1
            if piece.block.kind == "heading":
                self._section(piece, level(piece.block))
            elif following is not None and _is_caption_of(piece.block, following.block):
                self._captioned(following, piece)
                at += 1
            elif following is not None and _is_caption_of(following.block, piece.block):
                self._captioned(piece, following)
                at += 1
            else:
                self._leaf(piece)
            if piece.spots:
                self.paths.setdefault(piece.spots[0][0], self.stack[-1].path)

    def _place(self, parent: _Open) -> tuple[str, ...]:
        parent.children += 1
        return (*parent.place, str(parent.children - 1))

    def _section(self, piece: _Piece, level: int) -> None:
        while self.stack[-1].level >= level:
            self.stack.pop()
        parent = self.stack[-1]
        text = " ".join(piece.block.text.split())
        short = text if len(text) <= _PATH else text[: _PATH - 1].rsplit(" ", 1)[0] + "\u2026"
        path = f"{parent.path}{STEP}{short}" if parent.path else short
        place = self._place(parent)
        anchor = Anchor(self.source, piece.spots, path=placed(piece.place, path))
        meta = {"level": len(self.stack)}
        node = self.node("section", text, anchor, parent.node.id, place, meta=meta)
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
        path = block.path or placed(piece.place, above.path)
        anchor = Anchor(self.source, piece.spots, path=path)
        given = (anchor, above.node.id, place, block.table, self._meta(block))
        node = self.node(block.kind, block.text, *given)
        if block.table is not None:
            self.table = self.table if block.continues else node.id
            self.marks, self.page = node.meta.get("notes", {}), node.anchor.page
        elif self.marks and node.anchor.page == self.page:
            # it is the note of those marks of the last table with which its lines begin
            for found in _NOTE.finditer(node.text):
                if self.marks.get(found["mark"]) == "":
                    self.marks[found["mark"]] = node.id
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

    def _sentences(self, node: Node, piece: _Piece, place: tuple[str, ...]) -> None:
        for number, (start, end) in enumerate(sentences(node.text)):
            text = node.text[start:end]
            if any(map(str.isalpha, text)):  # a bare number says nothing that could be found
                spots = _spots_between(piece.spots, piece.block.starts, start, end)
                given = (replace(node.anchor, spots=spots), node.id, (*place, str(number)))
                self.node("sentence", text, *given, meta={"start": start})


Style = tuple[bool, float, bool, bool]


def _look_of(block: Block) -> Style:
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
            shallowest[_look_of(block)] = min(depth, shallowest.get(_look_of(block), depth))

    def rank(block: Block) -> tuple[Style, int, int]:
        style = _look_of(block)
        depth = numbering(block.text) if is_numbered(block.text) else shallowest.get(style, 2)
        return style, block.level, 0 if block.level else depth

    order = {key: at for at, key in enumerate(sorted(set(map(rank, headings))), 1)}
    return lambda block: order[rank(block)]


def _is_caption_of(caption: Block, block: Block) -> bool:
    """Whether a block is a caption, and of the table or figure beside it, which has none of its own."""
    if caption.kind != "caption" or block.kind not in ("table", "figure"):
        return False
    own = any(inner.kind == "caption" for inner in block.inner)
    return not own and (block.kind == "table") == bool(_OF_TABLE.match(caption.text))


def _pieces(pages: Iterable[Page]) -> list[_Piece]:
    """The blocks of pages, each paragraph that a page or column break cut in two made whole, where it begins."""
    out: list[_Piece] = []
    open_at = -1  # the last paragraph that may go on
    runs: dict[int, int] = {}
    blocks = ((page, block) for page in pages for block in page.blocks)
    for page, block in blocks:
        piece = _Piece(block, tuple((page.number, box) for box in block.lines), page.place)
        if block.run in runs:
            out[runs[block.run]] = _join_pieces(out[runs[block.run]], piece, as_they_are=True)
            continue
        if block.run:
            runs[block.run] = len(out)
        may = block.kind == "paragraph" and open_at >= 0 and not piece.place
        if may and _goes_on(out[open_at].block, block):
            out[open_at] = _join_pieces(out[open_at], piece, as_they_are=False)
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


def _join_pieces(before: _Piece, after: _Piece, as_they_are: bool) -> _Piece:
    """Two pieces of one block, whose texts follow each other `as_they_are` or as lines do."""
    first, second = before.block, after.block
    text, offset = first.text + second.text, len(first.text)
    if not as_they_are:
        known = known_words(f"{first.text} {second.text}")
        text, (_, offset) = joined((first.text, second.text), known)
    starts = (*first.starts, *(offset + start for start in second.starts))
    block = replace(first, text=text, lines=first.lines + second.lines, starts=starts)
    return _Piece(block, before.spots + after.spots, before.place)
