"""Outlook messages: made as compound files by hand, read as any other e-mail."""

import struct

import pytest

from pincite.errors import LockedSource, SourceError
from pincite.ingest.mail.msgfile import html_of, unpacked_rtf
from tests.formats.ole import outlook
from tests.ingest.office import found, read, tables, texts, whole

TABLE = "<table><tr><th>EUR million</th><th>2023</th></tr><tr><td>Wages</td><td>(12.5)</td></tr></table>"
WRAPPED = (
    rb"{\rtf1\ansi\ansicpg1252\fromhtml1 \deff0{\fonttbl{\f0 Arial;}}{\*\generator x}"
    rb"{\*\htmltag64 <p>}\htmlrtf \par hidden\htmlrtf0 K\'f6ln and \u8364?5 \{net\}{\*\htmltag72 </p>}"
    rb"{\*\htmltag64 <table><tr><td>}EUR million{\*\htmltag64 </td><td>}2023{\*\htmltag64 </td></tr><tr><td>}Wages"
    rb"{\*\htmltag64 </td><td>}7{\*\htmltag64 </td></tr></table>}}"
)


def test_a_message_is_read_with_its_table_and_attachments(tmp_path):
    data = outlook(
        "Costs",
        "plain",
        f"<p>See below.</p>{TABLE}",
        attached={"b.md": b"# More\n\nRent was 7.\n", "c.bin": b"?"},
    )
    made = read(tmp_path / "a.msg", data)
    (table,) = tables(made)
    assert made.title == "Costs" and found(table, "Wages", "2023") == ("(12.5)", "message > Costs")
    assert "From: Ada <ada@example.com>" in whole(made) and "plain" not in whole(made)
    rent = next(one for one in made.nodes if one.kind == "paragraph" and "Rent" in one.text)
    assert rent.anchor.path == "attachment b.md, page 1 > More"
    left = [
        one.meta["suspicion"]
        for one in made.nodes
        if one.kind == "page" and one.meta.get("suspicion")
    ]
    assert len(left) == 1 and "c.bin" in left[0]


def test_a_long_body_without_html_is_read_as_text(tmp_path):
    body = "\n".join(f"Line {number} of many words that say nothing." for number in range(300))
    assert "Line 299 of many" in whole(read(tmp_path / "a.msg", outlook("Long", body)))


def stored(rtf):
    """RTF packed in the way that packs nothing."""
    return struct.pack("<II4sI", len(rtf) + 12, len(rtf), b"MELA", 0) + rtf


def test_html_that_outlook_wraps_in_rtf_is_unwrapped(tmp_path):
    assert html_of(WRAPPED).startswith("<p>K\u00f6ln and \u20ac5 {net}</p><table>")
    assert html_of(rb"{\rtf1\ansi plain}") == ""
    made = read(tmp_path / "a.msg", outlook("Costs", "flat", rtf=stored(WRAPPED)))
    (table,) = tables(made)
    assert found(table, "Wages", "2023")[0] == "7"
    assert "hidden" not in whole(made) and "K\u00f6ln and \u20ac5 {net}" in texts(
        made, "paragraph"
    )


def test_compressed_rtf_as_in_the_example_of_its_specification():
    packed = bytes.fromhex("1a0000001c0000004c5a4675e2d44b51410004205758595a0d6e7d010eb0")
    assert unpacked_rtf(packed) == rb"{\rtf1 WXYZWXYZWXYZWXYZWXYZ}"
    for cut in range(len(packed)):
        assert rb"{\rtf1 WXYZWXYZWXYZWXYZWXYZ}".startswith(unpacked_rtf(packed[:cut]))


def test_what_is_no_message_is_refused(tmp_path):
    for data in (
        b"Received: from a\n",
        outlook("Costs", "x")[:700],
        bytes.fromhex("d0cf11e0a1b11ae1") + bytes(2000),
    ):
        with pytest.raises(SourceError, match="cannot be read as an Outlook message"):
            read(tmp_path / "a.msg", data)
    sealed = outlook("Costs", "x").replace(
        "IPM.Note".encode("utf-16-le"), "IPM.Nope".encode("utf-16-le")
    )
    assert read(tmp_path / "a.msg", sealed).title == "Costs"


def test_an_encrypted_message_is_locked(tmp_path, monkeypatch):
    monkeypatch.setattr("oxmsg.Message.message_class", "IPM.Note.SMIME")
    with pytest.raises(LockedSource, match="without encryption"):
        read(tmp_path / "a.msg", outlook("Costs", "x"))
