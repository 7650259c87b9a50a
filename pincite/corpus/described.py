"""What is known of a document: what it says itself; before that what the metadata file says; before both what somebody edited."""

from __future__ import annotations

from collections.abc import Mapping

EDITABLE = ("title", "company", "kind", "year")
"""What of a document can be edited."""
EDITED = "edited "
"""Before the name of what was edited, among the metadata of a file; an empty text there says that the edit was taken back."""
_OF_PERIOD = ("year", "years", "period", "date")


def declared(stored: Mapping[str, str]) -> dict[str, str]:
    """What people say of a document, from the metadata of its file. Its kind may be called `type` or `form`."""
    said = {name: text for name, text in stored.items() if not name.startswith(EDITED)}
    said |= {name.removeprefix(EDITED): text for name, text in edits(stored).items() if text}
    kind = said.get("kind") or said.get("type") or said.get("form")
    return said | {"kind": kind} if kind else said


def edits(stored: Mapping[str, str]) -> dict[str, str]:
    """The edits among the metadata of a file, as they are stored."""
    return {name: text for name, text in stored.items() if name.startswith(EDITED)}


def known(found: Mapping[str, str], said: Mapping[str, str]) -> dict[str, str]:
    """What is known of a document that says `found` of itself, and of which people say `said`.

    Where they say another year, its own periods and dates are those of something else.
    """
    year = said.get("year") or said.get("period", "")
    other = year and found.get("year", year) not in year
    kept = {name: text for name, text in found.items() if not (other and name in _OF_PERIOD)}
    return {**kept, **said}
