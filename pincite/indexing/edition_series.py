"""The series among the documents that a generation will hold; what their covers and wording say is kept by version."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import partial

from pincite.corpus import FileStatus, Writer
from pincite.corpus.checksums import row_sum
from pincite.corpus.corpus_store import checked, node_of
from pincite.corpus.described import declared, known
from pincite.corpus.schema import DOCUMENT, NODE
from pincite.database.holdings import RELATION
from pincite.encoding import dumps
from pincite.versions.cover import Cover, cover_from, cover_to, read_cover
from pincite.versions.edition_card import Card
from pincite.versions.grouping_editions import find_series
from pincite.versions.series import Series
from pincite.versions.sketch import Sketch, from_bytes, sketch, to_bytes


def series_among(writer: Writer, held: Iterable[FileStatus]) -> tuple[Series, ...]:
    """The series among stored documents; tables of databases have none."""
    held = [file for file in held if not file.version.startswith(RELATION)]
    rows = writer.db.execute("SELECT * FROM covers")
    read = {
        version: (cover, least)
        for version, cover, least in map(partial(checked, what="a cover"), rows)
    }
    rows = writer.db.execute(f"SELECT {DOCUMENT}, sum FROM documents")
    told = {
        facts[0]: (facts[3], json.loads(facts[7]))
        for facts in map(partial(checked, what="a document"), rows)
    }
    cards = []
    for file in held:
        if file.version in read:
            text, least = read[file.version]
            cover, wording = cover_from(json.loads(text)), from_bytes(least)
        else:
            cover, wording = _read(writer, file.version)
        title, hints = told[file.version]
        said = declared(file.meta)
        title, hints = said.get("title", title), known(hints, said)
        cards.append(Card(file.document, title, said, hints, cover, wording))
    return find_series(cards)


def _read(writer: Writer, version: str) -> tuple[Cover, Sketch]:
    """The cover and the sketch of a stored document, kept for the next time."""
    rows = writer.db.execute(
        f"SELECT {NODE} FROM nodes WHERE version = ? AND kind = 'page' ORDER BY place", (version,)
    )
    pages = [node.text for node in map(node_of, rows)]
    cover, wording = read_cover(pages), sketch(pages)
    row = version, dumps(cover_to(cover)), to_bytes(wording)
    with writer.db:
        writer.db.execute(
            "INSERT INTO covers VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING", (*row, row_sum(*row))
        )
    return cover, wording
