"""E-mail (.eml, .mht) as a message and its attachments: the subject is the title, who wrote to whom and when its first lines."""

from __future__ import annotations

import mimetypes
from collections.abc import Iterator
from contextlib import suppress
from email.message import EmailMessage
from email.parser import BytesParser
from email.policy import EmailPolicy
from pathlib import Path
from typing import Any

from pincite.errors import LockedSource, SourceError
from pincite.ingest.contained_files import (
    ContainedFile,
    Room,
    clean_name,
    part_pages,
    told_left_out,
)
from pincite.ingest.page_cuts import cut, text_block
from pincite.ingest.raw_page import Block, Page
from pincite.ingest.text_encoding import decoded
from pincite.ingest.textfile import text_blocks
from pincite.ingest.web.htmlfile import blocks_of
from pincite.ingest.web.markup import markup

_KNOWN = "from to subject date received message-id content-type mime-version".split()
_SHOWN = ("From", "To", "Cc", "Date")
_SEALED = ("multipart/encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime")
PLACE = "message"
LONGEST = 1 << 15
"""Characters of a header that are read: a list of a thousand addresses."""


class _Policy(EmailPolicy):
    """How a message is read: as usual, with headers no longer than `LONGEST`, for each is taken apart letter by letter."""

    def header_source_parse(self, sourcelines: list[str]) -> tuple[str, str]:
        name, value = super().header_source_parse(sourcelines)
        return name, value[:LONGEST]


def mail_pages(path: Path, password: str | None, room: Room) -> Iterator[Page]:
    """The pages of a message and of its attachments, each place beginning with "message" or "attachment" and its name."""
    with path.open("rb") as file:
        message = BytesParser(_class=EmailMessage, policy=_Policy()).parse(file)
    assert isinstance(message, EmailMessage)
    if sum(name in message for name in _KNOWN) < 2:
        raise SourceError(
            f"{path.name} is not an e-mail: it has no sender, subject or date. Save the message again as .eml."
        )
    if message.get_content_type() in _SEALED:
        raise LockedSource(
            f"{path.name} is encrypted: open it in your mail program and save it without encryption."
        )
    yield from message_pages(message, path.name, password, room, [])


def message_pages(
    message: EmailMessage, name: str, password: str | None, room: Room, left_out: list[SourceError]
) -> Iterator[Page]:
    """The pages of a message; `left_out` says which of its attachments could not be read, and gets more of them."""
    subject = _header(message, "Subject")
    blocks: list[Block | None] = [text_block(subject, "heading", 1)] if subject else []
    lines = [f"{name}: {said}" for name in _SHOWN if (said := _header(message, name))]
    blocks += [text_block("\n".join(lines))] if lines else []
    blocks += _body(message, name)
    last = 0
    for page in cut(blocks, PLACE, title=subject):
        yield page
        last = page.number
    attached = _attachments(message, left_out)
    for page in part_pages(attached, "attachment", last + 1, room, password, left_out):
        yield page
        last = page.number
    yield from told_left_out(left_out, last + 1, PLACE)


def _header(message: EmailMessage, name: str) -> str:
    """A header on one line; empty for one that cannot be read, whose errors have no common class."""
    with suppress(Exception):
        return " ".join(str(message.get(name, "")).split())
    return ""


def _body(message: EmailMessage, name: str) -> list[Block | None]:
    """The text of a message: as HTML, which keeps tables and lists, where it has it."""
    kind, data, declared = "", b"", ""
    try:
        if (part := message.get_body(preferencelist=("html", "plain"))) is not None:
            kind, data = part.get_content_type(), _payload(part)
            declared = part.get_content_charset() or ""
    except Exception as error:  # what a damaged message makes email raise has no common class
        raise SourceError(
            f"{name} is a damaged message ({type(error).__name__}: {error}). Save it again from its program."
        ) from error
    if kind != "text/html":
        return list(text_blocks(decoded(data, declared))) if data else []
    if not data.strip():
        return []
    found = blocks_of(markup(decoded(data, declared, markup=True).encode("utf-8-sig"), name))
    # under the subject, which is the first heading; those that look like headings in HTML without any rank below
    return [
        text_block(block.text, "heading", (block.level or 5) + 1)
        if block and block.kind == "heading"
        else block
        for block in found
    ]


def _attachments(message: EmailMessage, left_out: list[SourceError]) -> Iterator[ContainedFile]:
    """What is attached, pictures inside the text aside; a part that email cannot read is told in `left_out`."""
    attached: list[Any] = []
    with suppress(Exception):  # a message that says of itself that it has parts, and has none
        attached = list(message.iter_attachments())
    for at, part in enumerate(attached, 1):
        try:
            made = _part(part, at)
        except Exception as error:  # what a damaged part makes email raise has no common class
            said = f"part {at} of the message is damaged ({type(error).__name__}: {error})"
            left_out.append(SourceError(said))
            continue
        if made is not None:
            yield made


def _part(part: Any, at: int) -> ContainedFile | None:
    """The file that a part of a message is; None for a picture inside the text."""
    kind, named = part.get_content_type(), part.get_filename() or ""
    if not named and part.get_content_maintype() == "image":
        return None
    if kind == "message/rfc822":
        (inner,) = part.get_payload()
        data = inner.as_bytes()
        stem = named.removesuffix(".eml") or _header(inner, "Subject") or f"message {at}"
        name = clean_name(stem.replace("/", " ")) + ".eml"
    else:
        data = _payload(part)
        name = clean_name(named or f"part {at}{mimetypes.guess_extension(kind) or ''}")
    return ContainedFile(name, len(data), lambda: data)


def _payload(part: Any) -> bytes:
    """The bytes of a part; none of one that is made of parts."""
    payload = part.get_payload(decode=True)
    return payload if isinstance(payload, bytes) else b""
