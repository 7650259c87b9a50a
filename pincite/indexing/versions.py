"""The series among the documents that a generation will hold; what their covers and wording tell is kept by version."""

from __future__ import annotations

import json
from collections.abc import Iterable

from pincite.corpus import FileStatus, Writer
from pincite.database.held import RELATION
from pincite.encoding import dumps
from pincite.versions.card import Card
from pincite.versions.cover import Cover, cover_from, cover_to, read_cover
from pincite.versions.find import find_series
from pincite.versions.series import Series
from pincite.versions.sketch import Sketch, from_bytes, sketch, to_bytes


def series_among(writer: Writer, held: Iterable[FileStatus]) -> tuple[Series, ...]:
    """The series among stored documents; tables of databases have none."""
    held = [one for one in held if not one.version.startswith(RELATION)]
    known = dict(
        (version, (cover, least))
        for version, cover, least in writer.db.execute("SELECT version, cover, least FROM covers")
    )
    rows = writer.db.execute("SELECT version, title, meta FROM documents")
    told = {version: (title, json.loads(meta)) for version, title, meta in rows}
    cards = []
    for one in held:
        if one.version in known:
            text, least = known[one.version]
            cover, wording = cover_from(json.loads(text)), from_bytes(least)
        else:
            cover, wording = _read(writer, one.version)
        title, hints = told[one.version]
        cards.append(Card(one.document, title, one.meta, hints, cover, wording))
    return find_series(cards)


def _read(writer: Writer, version: str) -> tuple[Cover, Sketch]:
    """The cover and the sketch of a stored document, kept for the next time."""
    rows = writer.db.execute("SELECT text FROM nodes WHERE version = ? AND kind = 'page' ORDER BY place", (version,))
    pages = [text for (text,) in rows]
    cover, wording = read_cover(pages), sketch(pages)
    with writer.db:
        writer.db.execute(
            "INSERT OR REPLACE INTO covers VALUES (?, ?, ?)", (version, dumps(cover_to(cover)), to_bytes(wording))
        )
    return cover, wording
