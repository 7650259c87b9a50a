"""Files in old binary formats, made for tests: compound files (MS-CFB) with Outlook messages (MS-OXMSG) or .xls (MS-XLS)."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence

Streams = Mapping[str, bytes]
"""The bytes of each stream by its path: "__substg1.0_0037001F", "folder/stream"."""
_FREE, _END, _NONE = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFF


def compound(streams: Streams) -> bytes:
    """A compound file of version 3: sectors of 512 bytes, short streams in a stream of sectors of 64."""
    names = [""]
    for path in streams:
        parts = path.split("/")
        names += [
            one
            for one in ("/".join(parts[: at + 1]) for at in range(len(parts)))
            if one not in names
        ]
    sectors: list[bytes] = []
    table: list[int] = []
    mini, mini_table = b"", list[int]()
    starts: dict[str, tuple[int, int]] = {}

    def put(data: bytes) -> int:
        if not data:
            return _END
        first = len(sectors)
        pieces = [data[at : at + 512].ljust(512, b"\0") for at in range(0, len(data), 512)]
        table.extend([*range(first + 1, first + len(pieces)), _END])
        sectors.extend(pieces)
        return first

    for path, data in streams.items():
        if len(data) >= 4096:
            starts[path] = put(data), len(data)
        elif data:
            count = -(-len(data) // 64)
            first = len(mini_table)
            mini_table += [*range(first + 1, first + count), _END]
            mini += data.ljust(64 * count, b"\0")
            starts[path] = first, len(data)
        else:
            starts[path] = _END, 0
    root = put(mini), len(mini)
    minifat = put(
        struct.pack(f"<{len(mini_table)}I", *mini_table).ljust(
            -(-4 * len(mini_table) // 512) * 512, b"\xff"
        )
    )
    entries = []
    for at, name in enumerate(names):
        below = [
            n for n, one in enumerate(names) if one and one.rpartition("/")[0] == name and n != at
        ]
        peers = [
            n
            for n, one in enumerate(names)
            if one and one.rpartition("/")[0] == name.rpartition("/")[0]
        ]
        after = [n for n in peers if n > at] if name else []
        label = (name.rpartition("/")[2] or "Root Entry").encode("utf-16-le")
        kind = 5 if not name else 2 if name in streams else 1
        start, size = root if not name else starts.get(name, (0, 0))
        entries.append(
            label.ljust(64, b"\0")
            + struct.pack(
                "<HBBIII",
                len(label) + 2,
                kind,
                1,
                _NONE,
                after[0] if after else _NONE,
                below[0] if below else _NONE,
            )
            + bytes(16 + 4 + 16)
            + struct.pack("<IQ", start, size)
        )
    while len(entries) % 4:
        entries.append(
            bytes(64) + struct.pack("<HBBIII", 0, 0, 0, _NONE, _NONE, _NONE) + bytes(48)
        )
    directory = put(b"".join(entries))
    fats = 1
    while -(-(len(table) + fats) // 128) > fats:
        fats += 1
    first_fat = len(sectors)
    table += [0xFFFFFFFD] * fats
    table += [_FREE] * (128 * fats - len(table))
    sectors += [struct.pack("<128I", *table[128 * at : 128 * at + 128]) for at in range(fats)]
    header = (
        bytes.fromhex("d0cf11e0a1b11ae1")
        + bytes(16)
        + struct.pack("<HHHHH", 0x3E, 3, 0xFFFE, 9, 6)
        + bytes(6)
    )
    header += struct.pack(
        "<IIIIIIIII", 0, fats, directory, 0, 4096, minifat, -(-4 * len(mini_table) // 512), _END, 0
    )
    header += struct.pack("<109I", *[*range(first_fat, first_fat + fats), *[_FREE] * (109 - fats)])
    return header + b"".join(sectors)


def outlook(
    subject: str, body: str = "", html: str = "", rtf: bytes = b"", attached: Streams | None = None
) -> bytes:
    """An Outlook message from ada@example.com with files attached; `rtf` is its compressed body."""
    texts = {
        0x001A: "IPM.Note",
        0x0037: subject,
        0x1000: body,
        0x0C1A: "Ada",
        0x0C1F: "ada@example.com",
    }
    binary = {0x1013: html.encode("utf-8"), 0x1009: rtf}
    streams, told = _properties("", texts, binary, {0x3FDE: 65001})
    count = len(attached or {})
    held = {
        "__properties_version1.0": struct.pack("<8x4I8x", 0, count, 0, count) + told,
        **streams,
    }
    for at, (name, data) in enumerate((attached or {}).items()):
        folder = f"__attach_version1.0_#{at:08X}"
        streams, told = _properties(f"{folder}/", {0x3707: name}, {0x3701: data}, {0x3705: 1})
        held |= {f"{folder}/__properties_version1.0": bytes(8) + told, **streams}
    return compound(held)


def _properties(
    folder: str, texts: Mapping[int, str], binary: Mapping[int, bytes], numbers: Mapping[int, int]
) -> tuple[dict[str, bytes], bytes]:
    streams, told = {}, b""
    for pid, data in {
        **{(pid, 0x1F): text.encode("utf-16-le") for pid, text in texts.items() if text},
        **{(pid, 0x102): data for pid, data in binary.items() if data},
    }.items():
        streams[f"{folder}__substg1.0_{pid[0]:04X}{pid[1]:04X}"] = data
        told += struct.pack("<HHIII", pid[1], pid[0], 6, len(data), 0)
    return streams, told + b"".join(
        struct.pack("<HHIII", 3, pid, 6, number, 0) for pid, number in numbers.items()
    )


Cells = Mapping[tuple[int, int], str | float]
Areas = Sequence[tuple[int, int, int, int]]
"""Merged areas: first row, first column, last row, last column."""


def xls(sheet: str, cells: Cells, formats: Mapping[tuple[int, int], str], merged: Areas) -> bytes:
    """A workbook of BIFF8 with one sheet; `formats` are the number formats of cells that have one."""
    codes = list(dict.fromkeys(formats.values()))
    head = _record(0x809, struct.pack("<HHHHII", 0x600, 5, 0, 0x7CC, 0, 6))
    head += _record(0x42, struct.pack("<H", 1200))
    font = struct.pack("<HHHHHBBBx", 200, 0, 0x7FFF, 400, 0, 0, 0, 0) + bytes((5, 0)) + b"Arial"
    head += _record(0x31, font) * 5
    for at, code in enumerate(codes):
        head += _record(
            0x41E, struct.pack("<HHB", 164 + at, len(code), 0) + code.encode("latin-1")
        )
    for number in [0] * 16 + [164 + at for at in range(len(codes))]:
        head += _record(0xE0, struct.pack("<HHH", 0, number, 1) + bytes(14))
    name = struct.pack("<BB", len(sheet), 0) + sheet.encode("latin-1")
    size = len(head) + 4 + 6 + len(name) + 4
    head += _record(0x85, struct.pack("<IBB", size, 0, 0) + name) + _record(0x0A, b"")
    body = _record(0x809, struct.pack("<HHHHII", 0x600, 0x10, 0, 0x7CC, 0, 6))
    last = max(row for row, _ in cells) + 1, max(column for _, column in cells) + 1
    body += _record(0x200, struct.pack("<IIHHH", 0, last[0], 0, last[1], 0))
    for at, value in sorted(cells.items()):
        style = 16 + codes.index(formats[at]) if at in formats else 15
        if isinstance(value, str):
            text = value.encode("utf-16-le")
            body += _record(0x204, struct.pack("<HHHHB", *at, style, len(value), 1) + text)
        else:
            body += _record(0x203, struct.pack("<HHHd", *at, style, value))
    areas = b"".join(
        struct.pack("<HHHH", top, last, left, right) for top, left, last, right in merged
    )
    body += _record(0xE5, struct.pack("<H", len(merged)) + areas) + _record(0x0A, b"")
    return compound({"Workbook": head + body})


def _record(kind: int, data: bytes) -> bytes:
    return struct.pack("<HH", kind, len(data)) + data


def xlsb(
    sheet: str, cells: Cells, formats: Mapping[tuple[int, int], str], merged: Areas
) -> dict[str, bytes]:
    """The parts of a binary workbook (MS-XLSB) with one sheet; strings stand in the cells and in the shared table in turn."""
    codes = list(dict.fromkeys(formats.values()))
    strings = list(dict.fromkeys(one for one in cells.values() if isinstance(one, str)))[::2]
    styles = _binary(278, b"") + _binary(615, struct.pack("<I", len(codes)))
    styles += b"".join(
        _binary(44, struct.pack("<H", 164 + at) + _wide(code)) for at, code in enumerate(codes)
    )
    styles += _binary(616, b"") + _binary(
        43, struct.pack("<HHH", 200, 0, 400) + bytes(15) + _wide("Arial")
    )
    styles += _binary(617, struct.pack("<I", 1 + len(codes)))
    for number in [0, *(164 + at for at in range(len(codes)))]:
        styles += _binary(47, struct.pack("<HHH", 0, number, 0) + bytes(10))
    styles += _binary(618, b"") + _binary(279, b"")
    last = max(row for row, _ in cells), max(column for _, column in cells)
    body, row = (
        _binary(129, b"")
        + _binary(148, struct.pack("<IIII", 0, last[0], 0, last[1]))
        + _binary(145, b""),
        -1,
    )
    for at, value in sorted(cells.items()):
        if at[0] != row:
            row = at[0]
            body += _binary(0, struct.pack("<IIHHBI", row, 0, 300, 0, 0, 0))
        head = struct.pack("<II", at[1], 1 + codes.index(formats[at]) if at in formats else 0)
        if isinstance(value, str):
            shared = value in strings
            body += (
                _binary(7, head + struct.pack("<I", strings.index(value)))
                if shared
                else _binary(6, head + _wide(value))
            )
        else:
            body += _binary(5, head + struct.pack("<d", value))
    body += _binary(146, b"")
    body += b"".join(
        _binary(176, struct.pack("<IIII", top, last, left, right))
        for top, left, last, right in merged
    )
    relation = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
    package = "http://schemas.openxmlformats.org/package/2006/"
    rels = (
        f'<Relationships xmlns="{package}relationships"><Relationship Id="rId1" Type="{relation}worksheet" '
        'Target="worksheets/sheet1.bin"/></Relationships>'
    )
    named = struct.pack("<II", 0, 1) + _wide("rId1") + _wide(sheet)
    table = b"".join(_binary(19, b"\0" + _wide(one)) for one in strings)
    return {
        "[Content_Types].xml": f'<Types xmlns="{package}content-types"/>'.encode(),
        "xl/workbook.bin": _binary(131, b"")
        + _binary(143, b"")
        + _binary(156, named)
        + _binary(144, b"")
        + _binary(132, b""),
        "xl/_rels/workbook.bin.rels": rels.encode(),
        "xl/worksheets/sheet1.bin": body + _binary(130, b""),
        "xl/sharedStrings.bin": _binary(159, struct.pack("<II", len(strings), len(strings)))
        + table
        + _binary(160, b""),
        "xl/styles.bin": styles,
    }


def _wide(text: str) -> bytes:
    return struct.pack("<I", len(text)) + text.encode("utf-16-le")


def _binary(kind: int, data: bytes) -> bytes:
    """A record: its kind and its size in groups of seven bits."""
    size, left = b"", len(data)
    while True:
        size += bytes((left & 0x7F | (0x80 if left > 0x7F else 0),))
        left >>= 7
        if not left:
            break
    head = bytes((kind,)) if kind < 0x80 else bytes((kind & 0x7F | 0x80, kind >> 7))
    return head + size + data
