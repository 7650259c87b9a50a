r"""Outlook messages (.msg) as the e-mail that they are: read by python-oxmsg, then as any other message.

HTML that Outlook wraps in RTF is unwrapped: decompressed (MS-OXRTFCP), its tags taken out (MS-OXRTFEX).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from email import policy
from email.message import EmailMessage
from email.utils import format_datetime
from pathlib import Path
from typing import Any

from pincite.errors import LockedSource, SourceError
from pincite.ingest.contained_files import Room, clean_name
from pincite.ingest.lost_parts import readable
from pincite.ingest.mail.mailfile import LONGEST, message_pages
from pincite.ingest.office.rtffile import rtf_text
from pincite.ingest.optional_libraries import needed
from pincite.ingest.raw_page import Page

_RTF, _CONTENT_ID = 0x1009, 0x3712
"""The properties that hold the body as compressed RTF, and the name of an attachment in it (MS-OXPROPS)."""
_SEALED = ("ipm.note.smime", "ipm.note.secure")
_ALONE = re.compile(r"\\htmlrtf(\d?) ?")
"""From where on, up to one with a zero, what stands there holds for RTF alone."""
_TAG = re.compile(r"\\\*\\htmltag\d* ?")


def msg_pages(path: Path, password: str | None, room: Room) -> Iterator[Page]:
    """The pages of an Outlook message and of its attachments, as `mail_pages`. Raises SourceError when it cannot be read."""
    oxmsg = needed("oxmsg", path.name)
    with readable(path, "an Outlook message", "Outlook", ".eml"):
        found = oxmsg.Message.load(str(path))
        if found.message_class.casefold() in _SEALED:
            raise LockedSource(
                f"{path.name} is encrypted: open it in Outlook and save it without encryption."
            )
        left_out: list[SourceError] = []
        message = _message(found, left_out)
    yield from message_pages(message, path.name, password, room, left_out)


def _message(found: Any, left_out: list[SourceError]) -> EmailMessage:
    """The message as e-mail. Attachments that are no files are told in `left_out`."""
    made = EmailMessage(policy=policy.default)
    for name, said in _headers(found).items():
        if line := " ".join(said.split()):
            made[name] = line[:LONGEST]
    made.set_content(found.body or "")
    if html := _html(found):
        made.add_alternative(html, subtype="html")
    for number, attachment in enumerate(found.attachments, 1):
        name = clean_name(attachment.file_name or f"part {number}")
        if attachment.file_bytes is None:
            said = "it is not a file but a message or a link inside the message; save it separately from Outlook"
            left_out.append(SourceError(f"{name}: {said}"))
        elif not _is_inside(attachment, html):
            made.add_attachment(
                attachment.file_bytes, "application", "octet-stream", filename=name
            )
    return made


def _headers(found: Any) -> dict[str, str]:
    """The headers that are shown: as the message was sent with them, else as Outlook knows them."""
    headers = {name.casefold(): said for name, said in found.message_headers.items()}
    recipients = (one.email_address or one.name or "" for one in found.recipients)
    sent = found.sent_date
    return {
        "Subject": found.subject or "",
        "From": found.sender or "",
        "To": str(headers.get("to") or ", ".join(filter(None, recipients))),
        "Cc": str(headers.get("cc") or ""),
        "Date": format_datetime(sent) if sent else str(headers.get("date") or ""),
    }


def _html(found: Any) -> str:
    """The body as HTML: as it stands, or out of the RTF in which Outlook wraps it; empty without either."""
    with suppress(LookupError, ValueError):  # a code page that is not known, or not kept to
        if html := found.html_body:
            return str(html)
    packed = found.properties.binary_prop_value(_RTF)
    return html_of(unpacked_rtf(packed)) if packed else ""


def _is_inside(attachment: Any, html: str) -> bool:
    """Whether an attachment is a picture inside the text."""
    named = attachment.properties.str_prop_value(_CONTENT_ID)
    is_image = str(attachment.mime_type or "").startswith("image/")
    return is_image and bool(named) and f"cid:{named}" in html


def unpacked_rtf(data: bytes) -> bytes:
    """The RTF of a compressed body; empty for one that is damaged."""
    try:
        return bytes(needed("compressed_rtf", "a message").decompress(data))
    except Exception:  # it raises nothing more telling
        return b""


def html_of(rtf: bytes) -> str:
    """The HTML that an RTF wraps; empty when it wraps none."""
    if b"\\fromhtml1" not in rtf[:1000]:
        return ""
    first, *rest = _ALONE.split(rtf.decode("latin-1"))
    kept = (text for number, text in zip(rest[::2], rest[1::2], strict=True) if number == "0")
    with suppress(ValueError, OverflowError, LookupError):
        return rtf_text(_TAG.sub("", "".join((first, *kept))), "a message")
    return ""
