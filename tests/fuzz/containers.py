"""Containers changed so that they can still be opened: ZIP archives and what is in them, PDF, compound files, pictures."""

from __future__ import annotations

import io
import re
import struct
import zipfile
import zlib
from collections.abc import Mapping
from random import Random

from tests.fuzz.texts import (
    EDGES,
    LARGEST,
    NUMBER,
    NUMBERS,
    bytes_of,
    csv_of,
    markup_of,
    text_of,
    tree_of,
)


def zip_of(data: bytes, random: Random) -> bytes:
    """A member of a ZIP container changed and the container made anew, or its members or its own bytes changed."""
    members = _members(data)
    if not members or random.random() < 0.05:
        return bytes_of(data, random)
    wanted = [name for name in members if not name.endswith(("/", "mimetype"))] or list(members)
    worded = [
        one
        for one in wanted
        if re.search(
            r"sheet\d|document|slide\d+\.xml$|content|chart|styles|shared|notes|number", one
        )
    ]
    name = random.choice(worded if worded and random.random() < 0.7 else wanted)
    match random.randrange(12):
        case 0:
            del members[name]
        case 1:
            members[name] = members[random.choice(list(members))]
        case 2:
            members[
                random.choice(
                    ("a" * 300, "../up", "/root", "a\0b", "C:\\x", name.upper(), "\u00e9")
                )
            ] = members[name]
        case 3:
            return _headers(zipped(members), random)
        case 4:
            members[name] = bytes_of(members[name], random)
        case _:
            members[name] = member_of(name, members[name], random)
    made = zipped(members) if sum(map(len, members.values())) < 8 * LARGEST else data
    return made if len(made) <= LARGEST else data


def _members(data: bytes) -> dict[str, bytes]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return {one: archive.read(one) for one in archive.namelist()}
    except Exception:  # a mutant made a mutant again
        return {}


def zipped(members: Mapping[str, bytes]) -> bytes:
    """A ZIP container of these files."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        for name, data in members.items():
            archive.writestr(
                zipfile.ZipInfo(name or "x", (2026, 1, 1, 0, 0, 0)), data, zipfile.ZIP_DEFLATED, 1
            )
    return held.getvalue()


def _headers(data: bytes, random: Random) -> bytes:
    """A field of a header changed: version, flags, method, CRC, sizes, lengths."""
    made = bytearray(data)
    starts = [found.start() for found in re.finditer(rb"PK(?:\x01\x02|\x03\x04|\x05\x06)", data)]
    at = random.choice(starts) + random.randrange(4, 46)
    made[at : at + 2] = struct.pack("<H", random.choice(EDGES) & 0xFFFF)
    return bytes(made)


def member_of(name: str, data: bytes, random: Random) -> bytes:
    """A file inside another changed by what its name says it is."""
    ending = name.rpartition(".")[2].casefold()
    kinds = {
        "bin": bytes_of,
        "zip": zip_of,
        "docx": zip_of,
        "csv": csv_of,
        "png": image_of,
        "md": text_of,
        "exe": bytes_of,
    }
    markup = tree_of if random.random() < 0.7 else markup_of
    return kinds.get(ending, markup)(data, random)


_STREAM = re.compile(
    rb"(\d{1,5} 0 obj\s*<<)(.{0,600}?)(>>\s*stream\r?\n)(.*?)(\r?\nendstream)", re.DOTALL
)
_OPERATORS = (
    b"q ", b"Q ", b"BT ", b"ET ", b"0 0 m ", b"100 100 l ", b"S ", b"f ", b"0 0 1e9 1e9 re ", b"1 0 0 1 0 0 cm ",
    b"0 0 0 0 0 0 cm ",
    b"/f Do ", b"/F1 0 Tf ", b"/F1 1e30 Tf ", b"(x) Tj ", b"[(a) -1e9 (b)] TJ ", b"0 Tz ", b"3 Tr ", b"W n ",
    b"BI /W 9 /H 9 ID x EI ",
    b"1 0 0 1 NaN NaN Tm ", b"10 0 0 re ", b"-1e38 1e38 l ",
)  # fmt: skip


def pdf_of(data: bytes, random: Random) -> bytes:
    """Numbers, references and operators of a PDF changed, streams unpacked before; its table of objects is made anew."""
    for _ in range(random.choice((1, 1, 2, 5))):
        streams = list(_STREAM.finditer(data))
        references = list(re.finditer(rb"\d+ 0 R", data))
        names = list(re.finditer(rb"/[A-Za-z]{1,20}", data))
        match random.randrange(8):
            case 0 | 1 if streams:
                found = random.choice(streams)
                data = data[: found.start()] + _stream(found, random) + data[found.end() :]
            case 2 if references:
                found = random.choice(references)
                data = data[: found.start()] + random.choice(references)[0] + data[found.end() :]
            case 3 if names:
                found = random.choice(names)
                data = data[: found.start()] + random.choice(names)[0] + data[found.end() :]
            case 4 | 5:
                places = list(NUMBER.finditer(data))
                if places:
                    found = random.choice(places)
                    data = (
                        data[: found.start()] + random.choice(NUMBERS[:23]) + data[found.end() :]
                    )
            case 6:
                at = random.choice(names).start() if names else 0
                deep = random.choice((10, 500, 10_000))
                data = data[:at] + random.choice((b"<</A", b"[", b"(")) * deep + data[at:]
            case _:
                data = bytes_of(data, random)
        data = data[:LARGEST]
    return tabled(data) if random.random() < 0.8 else data


def _stream(found: re.Match[bytes], random: Random) -> bytes:
    content = found[4]
    told = found[2]
    if b"FlateDecode" in told and b"ASCII85" not in told:
        try:
            content, told = (
                zlib.decompress(content),
                re.sub(rb"/Filter\s*(?:\[[^]]*\]|/\w+)", b"", told),
            )
        except zlib.error:
            pass
    at = random.randrange(len(content) + 1)
    match random.randrange(4):
        case 0:
            content = (
                content[:at]
                + random.choice(_OPERATORS) * random.choice((1, 1, 30, 3000))
                + content[at:]
            )
        case 1:
            content = (
                content[:at]
                + content[at : at + 200] * random.choice((2, 100, 2000))
                + content[at:]
            )
        case 2:
            content = text_of(content, random)
        case _:
            content = bytes_of(content, random)
    told = re.sub(rb"/Length \d+", b"/Length %d" % len(content), told)
    return found[1] + told + found[3] + content + found[5]


def tabled(data: bytes) -> bytes:
    """A PDF with its table of objects where they now stand."""
    start = data.rfind(b"xref\n0")
    end = data.rfind(b"trailer")
    if start < 0 or end < start:
        return data
    places = {
        int(found[1]): found.start()
        for found in re.finditer(rb"^(\d{1,5}) 0 obj", data[:start], re.MULTILINE)
    }
    last = max(places, default=0)
    rows = b"".join(
        b"%010d 00000 %c \n" % (places.get(at, 0), b"fn"[at in places])
        for at in range(1, last + 1)
    )
    table = b"xref\n0 %d\n0000000000 65535 f \n%s" % (last + 1, rows)
    tail = re.sub(rb"startxref\s+\d+", b"startxref\n%d" % start, data[end:])
    return data[:start] + table + tail


def ole_of(data: bytes, random: Random) -> bytes:
    """Streams of a compound file changed and the file made anew, or its sectors and tables changed."""
    streams = _streams(data)
    if not streams or random.random() < 0.3:
        made = bytearray(data)
        for _ in range(random.choice((1, 3, 10))):
            at = 4 * random.randrange(max(len(made) // 4, 1))
            made[at : at + 4] = struct.pack("<I", random.choice((*EDGES, random.randrange(40))))
        return bytes(made) if random.random() < 0.7 else bytes_of(data, random)
    from tests.formats.ole import compound

    name = random.choice(list(streams))
    match random.randrange(6):
        case 0:
            del streams[name]
        case 1:
            streams[name] = streams[random.choice(list(streams))]
        case 2:
            streams[name] = bytes_of(streams[name], random)
        case _:
            streams[name] = _edged(streams[name], random)
    return compound(streams) if streams else data


def _streams(data: bytes) -> dict[str, bytes]:
    import olefile

    try:
        with olefile.OleFileIO(io.BytesIO(data)) as held:
            return {"/".join(one): held.openstream(one).read() for one in held.listdir()}
    except Exception:
        return {}


def _edged(data: bytes, random: Random) -> bytes:
    """Integers of a binary record made such as lie at an edge."""
    made = bytearray(data)
    for _ in range(random.choice((1, 1, 3))):
        at, form = random.randrange(len(made) + 1), random.choice("BHI")
        value = random.choice((*EDGES, random.randrange(1 << 16)))
        size = struct.calcsize(form)
        made[at : at + size] = (value & (1 << 8 * size) - 1).to_bytes(size, "little")
    return bytes(made)


def image_of(data: bytes, random: Random) -> bytes:
    """A picture that claims another size or has lost its end; the checksum of a PNG's header is right."""
    if data.startswith(b"\x89PNG") and random.random() < 0.3:
        sides = (1, 2, 60, 9_000, 9_999, 30_000, 65_535, 0x7FFFFFFF)
        head = (
            b"IHDR" + struct.pack(">II", random.choice(sides), random.choice(sides)) + data[24:29]
        )
        return data[:12] + head + struct.pack(">I", zlib.crc32(head)) + data[33:]
    if random.random() < 0.2:
        return data[: random.randrange(len(data) + 1)]
    return _edged(data, random) if random.random() < 0.6 else bytes_of(data, random)
