from email.message import EmailMessage

import openpyxl
import pytest

from pincite.document.address import place_of
from pincite.errors import LockedSource, SourceError
from tests.ingest.office import found, read, tables, texts, whole


def message(
    subject="Delivery of the pumps", text="Dear Bo,\n\nThe 12 pumps arrive on 19 June 2023.\n"
):
    made = EmailMessage()
    made["Subject"], made["From"], made["To"] = subject, "Ann <ann@example.com>", "bo@example.com"
    made["Date"] = "Mon, 05 Jun 2023 10:00:00 +0200"
    made.set_content(text)
    return made


def test_a_message_is_its_subject_who_wrote_when_and_its_text(tmp_path):
    document = read(tmp_path / "a.eml", bytes(message("Lieferung für Köln")))
    assert document.title == "Lieferung für Köln"
    assert texts(document, "paragraph") == [
        "From: Ann <ann@example.com>\nTo: bo@example.com\nDate: Mon, 05 Jun 2023 10:00:00 +0200",
        "Dear Bo,",
        "The 12 pumps arrive on 19 June 2023.",
    ]
    assert {place_of(node.anchor) for node in document.nodes if node.kind == "paragraph"} == {
        "message > Lieferung für Köln"
    }


def test_html_is_read_where_there_is_some(tmp_path):
    made = message()
    made.add_alternative(
        "<p>Prices:</p><table><tr><th>Pump<th>EUR<tr><td>P1<td>120</table><p hidden>secret</p>",
        subtype="html",
    )
    document = read(tmp_path / "a.eml", bytes(made))
    (table,) = tables(document)
    assert found(table, "P1", "EUR") == ("120", "message > Delivery of the pumps")
    assert "secret" not in whole(document)


def test_attachments_are_parts_and_messages_in_messages_too(tmp_path):
    book = openpyxl.Workbook()
    for line in (["Pump", "Price"], ["P1", 120]):
        book.active.append(line)
    book.save(tmp_path / "p.xlsx")
    inner = message("The old order", "Twelve pumps, please.\n")
    made = message()
    made.add_attachment(
        (tmp_path / "p.xlsx").read_bytes(),
        maintype="application",
        subtype="x",
        filename="../prices.xlsx",
    )
    made.add_attachment(inner)
    made.add_attachment(b"MZ", maintype="application", subtype="octet-stream", filename="run.exe")
    document = read(tmp_path / "a.eml", bytes(made))
    assert found(tables(document)[0], "P1", "Price") == ("120", "attachment prices.xlsx, Sheet!B2")
    old = next(
        node
        for node in document.nodes
        if node.text == "Twelve pumps, please." and node.kind == "paragraph"
    )
    assert place_of(old.anchor) == "attachment The old order.eml, message > The old order"
    assert [node.meta["suspicion"] for node in document.nodes if node.meta.get("suspicion")] == [
        "no parser for run.exe"
    ]


def test_a_saved_web_page_is_read(tmp_path):
    text = b"""From: <Saved by a browser>
Subject: Rules
MIME-Version: 1.0
Content-Type: multipart/related; type="text/html"; boundary="x"

--x
Content-Type: text/html; charset=utf-8
Content-Transfer-Encoding: quoted-printable

<h1>Rules</h1><p>Wear a helmet =E2=82=AC.</p>
--x
Content-Type: text/css

p {color: red}
--x--
"""
    document = read(tmp_path / "a.mht", text.replace(b"\n", b"\r\n"))
    assert texts(document, "paragraph") == ['From: "Saved by a browser"', "Wear a helmet \u20ac."]


def test_what_is_no_message_or_a_sealed_one_is_told(tmp_path):
    with pytest.raises(SourceError, match="not an e-mail"):
        read(tmp_path / "a.eml", b"just some words\n")
    sealed = b"From: a@b.c\nSubject: x\nContent-Type: application/pkcs7-mime\n\nMIIB"
    with pytest.raises(LockedSource, match="encrypted"):
        read(tmp_path / "b.eml", sealed)


def test_a_cut_off_message_keeps_what_there_is(tmp_path):
    made = message()
    made.add_attachment(b"Name,Size\na,1\n", maintype="text", subtype="csv", filename="a.csv")
    data = bytes(made)
    assert "19 June 2023" in whole(read(tmp_path / "a.eml", data[: len(data) - 60]))
